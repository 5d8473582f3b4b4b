import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from items import item
from metrics.made_runs import Made, run_of
from winoglot import Item, WrittenReading
from winoglot.languages.base import function_words
from winoglot.languages.tables import pairs
from winoglot.metrics import accuracy, consistency
from winoglot.metrics._pronoun_types import TYPES, pronoun_type
from winoglot.metrics._subsets import subset_names, subsets
from winoglot.metrics.base import Outcome

TAGS = st.lists(st.sampled_from(["associative", "switchable", "physical", "subject"]), unique=True).map(tuple)
ITEMS = st.builds(
    Made,
    choice=st.sampled_from([0, 1, None]),
    tags=TAGS,
    fallback=st.booleans(),
    window=st.sampled_from(["", "empty", "punctuation", "segment before"]),
)


@settings(max_examples=50)
@given(st.lists(st.lists(ITEMS, min_size=1, max_size=2), min_size=1, max_size=6))
def test_every_subset_has_the_accuracy_of_its_items(schemas):
    items = [made for some in schemas for made in some]
    belongs = {
        "associative": lambda made: "associative" in made.tags,
        "not associative": lambda made: "associative" not in made.tags,
        "not switchable": lambda made: "switchable" not in made.tags,
        "physical": lambda made: "physical" in made.tags,
        "undefined window": lambda made: made.window == "empty",
        "punctuation window": lambda made: made.window == "punctuation",
        "segment before the window": lambda made: made.window == "segment before",
        "fallback readings": lambda made: made.fallback,
        "subject pronoun": lambda made: True,  # "she" is one, tagged or not
    }
    found = subsets(run_of(schemas))
    for name, holds in belongs.items():
        inside = [made for made in items if holds(made)]
        divided = name.removeprefix("not ")
        if not inside or (divided != name and not any(divided in made.tags for made in items)):
            assert name not in found
        else:
            part = accuracy.estimate(found[name])
            assert (part.n, part.value) == (
                len(inside),
                pytest.approx(sum(m.choice == 0 for m in inside) / len(inside)),
            )
    assert "subject" not in found


def test_the_order_is_the_same_for_all_collections_and_tags_come_last():
    run = run_of([[Made(tags=("zeal", "switchable"), fallback=True), Made(tags=("age",), window="empty")]])
    expected = [
        "switchable",
        "not switchable",
        "subject pronoun",
        "undefined window",
        "fallback readings",
        "age",
        "zeal",
    ]
    assert list(subsets(run)) == expected


def test_other_metrics_take_a_subset_like_a_run():
    variants = (("switched", 1),)
    run = run_of([[Made(tags=("physical",), variants=variants)], [Made(variants=(("switched", 0),))]])
    part = subsets(run, "switched")["physical"]
    assert consistency.estimate(part).n == 1
    assert consistency.estimate(part).value == 1.0


@pytest.mark.parametrize(
    ("language", "text", "candidate", "expected"),
    [
        ("en", "Ann left because {she} was late.", "Ann", "subject"),
        ("en", "Ann left, but {they} stayed.", "Ann", "subject"),
        ("en", "Ann saw {him}.", "Ann", "object"),
        ("en", "Ann spoke to {him}.", "Ann", "prepositional"),
        ("en", "Ann does not like {him}.", "Ann", None),
        ("en", "The lamp fell and {it} broke.", "The lamp", None),
        ("en", "Ann looked under {it}.", "Ann", "prepositional"),
        ("en", "Ann lost {their} keys.", "Ann", "possessive"),
        ("en", "Ann met {her} friend.", "Ann", None),
        ("en", "Ann saw {_} there.", "Ann", "blank"),
        ("en", "Ann left {}.", "Ann", "zero"),
        ("pt", "A Ana saiu porque {ela} tinha pressa.", "a Ana", "subject"),
        ("pt", "A Ana falou com {ela}.", "a Ana", "prepositional"),
        ("pt", "A Ana saiu apesar de {ela} ter tempo.", "a Ana", "subject"),
        ("pt", "A Ana trouxe um livro para {ele} ler.", "a Ana", None),
        ("pt", "A Ana viu o carro {dela}.", "a Ana", None),
        ("pt", "A Ana quis vê-{lo}.", "a Ana", "object"),
        ("fr", "Anne part parce qu'{elle} est pressée.", "Anne", "subject"),
        ("fr", "Anne parle d'{elle}.", "Anne", "prepositional"),
        ("fr", "Anne {lui} parle.", "Anne", None),
        ("fr", "Anne parle avec {lui}.", "Anne", "prepositional"),
        ("fr", "Anne {l'}a vue.", "Anne", "object"),
        ("es", "Ana habló con {ella}.", "Ana", "prepositional"),
        ("es", "Ana salió porque {ella} tenía prisa.", "Ana", "subject"),
        ("ru", "Анна ушла, и {она} спешила.", "Анна", "subject"),
        ("ru", "Анна говорила с {ним}.", "Анна", "prepositional"),
        ("zh", "小明看见了小红，因为{他}很高。", "小明", None),
        ("zh", "小明看见了小红，因为{他的}车很大。", "小明", "possessive"),
    ],
)
def test_the_type_of_a_pronoun_is_what_its_form_shows(language, text, candidate, expected):
    assert pronoun_type(item(text, [candidate], language)) == expected


def test_the_authors_tag_wins_over_the_form():
    assert pronoun_type(item("Ann met {her} friend.", ["Ann"], "en", tags=["possessive"])) == "possessive"


def test_an_item_without_a_text_has_no_pronoun():
    bare = Item("s.0", "s", readings=(WrittenReading("Ann left."), WrittenReading("Bea left.")))
    assert pronoun_type(bare) is None
    assert subset_names(Outcome(bare, 0)) == {"not associative", "not switchable"}


@pytest.mark.parametrize("language", ["en", "es", "fr", "pt", "ru", "zh"])
def test_the_tables_know_pronouns_and_types_only(language):
    table = pairs(language, "pronoun_types.txt")
    forms = {form: shown.split() for form, shown in table.items() if shown != "governs"}
    assert set(forms) <= function_words(language).pronouns
    assert {type_ for shown in forms.values() for type_ in shown} <= set(TYPES)
    assert all(forms.values())
