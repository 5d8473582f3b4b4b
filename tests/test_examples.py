import pytest

from cases import for_each
from items import item
from winoglot import Item, WrittenReading, examples
from winoglot.examples import PRONOUN_TYPES, Outcome, example_of, pronoun_type
from winoglot.languages.base import function_words
from winoglot.languages.pronouns import roles_of
from winoglot.metrics.subsets import subset_names


@for_each(
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
    assert subset_names(Outcome(example_of(bare), 0)) == {"not associative", "not switchable"}


@pytest.mark.parametrize("language", ["en", "es", "fr", "pt", "ru", "zh"])
def test_the_tables_know_pronouns_and_types_only(language):
    roles = {role for form in function_words(language).pronouns for role in roles_of(form, language)}
    assert roles
    assert roles <= set(PRONOUN_TYPES)


def test_features_are_worked_out_when_they_are_asked_for(monkeypatch):
    asked = []
    monkeypatch.setitem(examples._WORKED_OUT, "pronoun_type", lambda one: asked.append(one.id) or "subject")
    one = example_of(item("Ann left Eve because {she} was late.", ["Ann", "Eve"]))
    assert (one.tags, one.variant_of, one.features.get("weather", 1), asked) == ((), None, 1, [])
    assert [one.features["pronoun_type"] for _ in range(2)] == ["subject"] * 2
    assert len(asked) == 1
    assert set(one.features) == {
        *("tags", "kind", "variant_of", "effect", "parallel_id", "confidence"),
        *("pronoun_type", "mention_order", "roles", "words", "contents"),
    }
    assert len(one.features) == 11
    with pytest.raises(KeyError):
        one.features["weather"]
