"""Chinese variants by rule: what is produced, proposed and refused, on sentences of our own."""

import pytest

from cases import for_each, listed
from items import schema
from winoglot import registry
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.perturb.base import Context, Proposed, derived_variants
from winoglot.schemas.model import Collection


def made(kind, text, candidates, seed=0):
    """The variants of a schema, or what is proposed."""
    one = schema(text, candidates, "zh")
    whole = Collection(name="tests", language="zh", schemas=(one,))
    return derived_variants(one, kind, registry.load("perturbations", kind).perturb, Context(whole, seed))


def texts(found):
    """The text of each variant, with its pronoun marked."""
    assert not isinstance(found, Proposed), found.reason
    return ["{}{{{}}}{}".format(*variant.parts) for variant in found]


@listed
def test_a_name_is_replaced_by_one_of_its_form(old, form):
    found = made("synonym", f"{old}替陈丹浇花，因为{{她}}[有空|出差]。", [old, "陈丹"])
    new, second = (candidate.text for candidate in found[0].candidates)
    assert texts(found)[0] == f"{new}替{second}浇花，因为{{她}}有空。"
    listed = lexicon("zh", "people").words(*form.split())
    kept = {
        "nickname feminine": new[1:],
        "after-surname feminine": new[1:],
        "surname": new[-1] if old == "小李" else new[0],
    }
    assert kept.get(form, new) in listed
    assert len(second) == 2
    assert not set(new) & set(second)


def test_names_of_the_other_gender_change_every_pronoun():
    found = made("gender", "卫东借了学军的车，{他}[没说一声|气得不理他]。", ["卫东", "学军"])
    one, two = (candidate.text for candidate in found[1].candidates)
    assert texts(found)[1] == f"{one}借了{two}的车，{{她}}气得不理她。"
    assert {one, two} <= lexicon("zh", "people").words("given", "feminine")


def test_names_of_a_family_keep_one_family_name():
    found = made("synonym", "陈刚给弟弟陈亮补课，可{他}[讲得太快|老走神]。", ["陈刚", "陈亮"])
    first, second = (candidate.text for candidate in found[0].candidates)
    assert first[0] == second[0] != "陈"
    with pytest.raises(NotDerivedError, match="one of a family"):
        made("number", "陈刚给弟弟陈亮补课，可{他}[讲得太快|老走神]。", ["陈刚", "陈亮"])


def test_names_become_plural_by_conjunction():
    found = made("number", "小雯向约翰道谢，因为{她}[得了帮助|帮了忙]。", ["小雯", "约翰"])
    first, second = (candidate.text for candidate in found[0].candidates)
    assert first.startswith("小雯和小")
    assert second.startswith("约翰和")
    assert texts(found)[0] == f"{first}向{second}道谢，因为{{她们}}得了帮助。"


@listed
def test_a_clause_comes_right_before_the_noun(text, candidates, before, after, kind):
    found = made("relative", text, candidates)
    written = found[0].text
    said_of = lexicon("zh", "clauses").values("said-of")
    clause = next(one for one in said_of if kind in said_of[one] and written.startswith(f"{before}{one}{after}"))
    assert found[1].text.startswith(f"{before}{clause}{after}")
    assert found[0].candidates[0].mentions[0].of(written).endswith(candidates[0][-1])


@for_each(
    ("old", "age"),
    [("秀兰", "older"), ("桂芳", "older"), ("雨萱", "younger"), ("梓涵", "younger"), ("晓燕", "")],
)
def test_names_are_of_one_generation(old, age):
    table = lexicon("zh", "people")
    for seed in range(6):
        found = made("synonym", f"{old}替王大妈浇花，因为{{她}}[有空|出差]。", [old, "王大妈"], seed)
        new = found[0].candidates[0].text
        assert new in (table.words("given", "feminine", age) if age else table.words("given", "feminine"))
        assert bool(age) == any(new in table.words("given", one) for one in ("older", "younger"))


def test_a_passive_moves_the_mentions_and_changes_the_roles():
    one = schema("警察抓住了小偷，因为{他}跑得[快|慢]。", ["警察", "小偷"], "zh", roles=["subject", "object"])
    whole = Collection(name="tests", language="zh", schemas=(one,))
    found = derived_variants(one, "voice", registry.load("perturbations", "voice").perturb, Context(whole))
    first, second = found[0].candidates
    assert found[0].text.startswith("小偷被警察抓住了，")
    assert [one.mentions[0].of(found[0].text) for one in (first, second)] == ["警察", "小偷"]
    assert (first.role, second.role) == ("agent", "subject")
