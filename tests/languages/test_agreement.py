import pytest

from cases import listed
from items import item as written
from winoglot import Candidate, Item, Span
from winoglot.languages.agreement import agree, features_of, features_of_pronoun
from winoglot.languages.features import Trait, Traits
from winoglot.languages.lexicon import lexicon
from winoglot.languages.readings import readings
from winoglot.schemas.model import NO_FEATURES, Features


def traits_of(text, language="pt", *, features=NO_FEATURES, within=None):
    sentence = within or f"{text} e x."
    at = sentence.index(text)
    candidate = Candidate(text, (Span(at, at + len(text)),), features)
    item = Item("a.0", "a", text=sentence, pronoun=Span(len(sentence), len(sentence)), candidates=(candidate,))
    return features_of(candidate, item, language)


@listed
def test_what_a_citation_form_shows(text, language, gender, number):
    traits = traits_of(text, language)
    assert (traits.gender.value, traits.number.value) == (gender, number)


def test_a_mention_shows_what_the_citation_form_hides():
    assert str(traits_of("maleta", within="Caiu na maleta hoje.").gender) == "feminine: determiner 'a'"
    assert traits_of("caixas", within="Viu um dos caixas hoje.").number == Trait()
    assert traits_of("Zorfo", within="Deu a Zorfo hoje.").gender == Trait()
    assert str(traits_of("Ivan", within="Deu a Ivan hoje.").gender) == "masculine: name list pt-BR 'Ivan'"


def test_a_title_before_the_name_that_mentions_a_candidate_shows_its_gender():
    assert str(traits_of("Zorfo", "en", within="I met Mrs. Zorfo.").gender) == "feminine: title 'Mrs'"
    assert traits_of("zorfo", "en", within="A lady zorfo.").gender == Trait()


@listed
def test_a_reading_is_derived_only_for_the_title_that_the_pronoun_fits(text, candidates, language):
    made = readings(written(text, candidates, language), "grammatical")
    assert [reading.derived for reading in made] == [False, True]
    assert "gender differs" in made[0].reason


def test_stated_features_win_one_by_one():
    traits = traits_of("a criança", features=Features(gender="common"))
    assert (str(traits.gender), str(traits.number)) == ("common: stated", "singular: determiner 'a'")


@listed
def test_agreement_has_three_values(one, other, answer):
    assert agree(Traits(number=Trait(one, "x")), Traits(number=Trait(other, "y")), "number").value is answer
    assert agree(Traits(number=Trait(other, "y")), Traits(number=Trait(one, "x")), "number").value is answer


def test_common_gender_agrees_with_nothing_for_sure():
    assert agree(Traits(gender=Trait("common")), Traits(gender=Trait("feminine")), "gender").value is None


@pytest.mark.parametrize("surface", ["_", "[MASK]", "", "quem"])
def test_a_pronoun_that_is_blank_or_unknown_shows_nothing(surface):
    item = Item("a.0", "a", text=surface + "-x", pronoun=Span(0, len(surface)), candidates=(Candidate("x"),))
    assert features_of_pronoun(item, "pt") == Traits()


@pytest.mark.parametrize("language", ["en", "fr", "ja", "pt", "ru", "zh"])
def test_every_pronoun_in_a_table_is_a_pronoun_of_the_language(language):
    from winoglot.languages.base import function_words

    assert set(lexicon(language, "pronouns").features()) <= function_words(language).pronouns


def test_unknown_languages_have_no_tables():
    assert not lexicon("tlh", "pronouns").entries
    assert not lexicon("tlh", "pronouns").features()
    assert not lexicon("tlh", "verbs").words("copula")
