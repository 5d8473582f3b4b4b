import pytest

from cases import listed
from items import item
from winoglot import Item, WrittenReading, examples
from winoglot.examples import PRONOUN_TYPES, Outcome, example_of, pronoun_type
from winoglot.languages.base import function_words
from winoglot.languages.pronouns import roles_of
from winoglot.metrics.subsets import subset_names


@listed
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
        *("item", "tags", "kind", "variant_of", "effect", "parallel_id", "adaptation", "confidence"),
        *("pronoun_type", "mention_order", "roles", "words", "contents"),
    }
    assert len(one.features) == 13
    with pytest.raises(KeyError):
        one.features["weather"]
