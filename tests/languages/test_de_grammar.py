import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import for_each, listed
from items import item, schema
from winoglot.examples import pronoun_type
from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.de import is_named, nouns
from winoglot.languages.de.candidates import inflected
from winoglot.languages.de.declension import (
    CASES,
    FEMININE,
    MASCULINE,
    NEUTER,
    PLURAL,
    SORTS,
    adjective_ending,
    analyses,
    determiner,
    parsed,
)
from winoglot.languages.lexicon import lexicon
from winoglot.languages.readings import grammatical_readings
from winoglot.languages.text import sentences
from winoglot.perturb.renamed import renamed
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.spans import Span


def forms(phrase, sort):
    return [parsed(phrase).declined(sort, case) for case in CASES]


@listed
def test_a_phrase_in_four_cases(phrase, sort, expected):
    sorts = {"masculine": MASCULINE, "feminine": FEMININE, "neuter": NEUTER, "plural": PLURAL}
    assert forms(phrase, sorts[sort]) == expected.split(", ")


@for_each("sort", SORTS)
@for_each("case", CASES)
@for_each("stem", ["d", "dies", "ein", "mein", "unser", "euer", "all"])
def test_every_determiner_is_analysed_as_what_it_was_made_for(stem, sort, case):
    if stem == "ein" and sort == PLURAL:
        return
    made = determiner(stem, sort, case)
    assert any(one.sort == sort and one.case == case for one in analyses(made))


@for_each("sort", SORTS)
@for_each("case", CASES)
def test_determiner_and_adjective_show_the_case_once(sort, case):
    """After an ending that shows it, the adjective has -e or -en; without one, the adjective shows it."""
    assert adjective_ending("weak", sort, case) in ("e", "en")
    like = "strong" if determiner("mein", sort, case) == "mein" else "weak"
    assert adjective_ending("mixed", sort, case) == adjective_ending(like, sort, case)


def test_every_listed_noun_is_found_in_all_its_forms_and_is_itself_in_the_nominative():
    for lemma, lines in lexicon("de", "nouns").entries.items():
        for entry in lines:
            gender = entry.one_of("gender")
            if lemma.startswith("-") or gender is None or entry.has("person"):
                continue
            for case in CASES:
                form = nouns.declined(lemma, entry, gender, case)
                assert any(s.lemma == lemma and s.gender == gender for s in nouns.senses(form)), form
            for ending in entry.values.get("plural-ending", ()):
                plural = nouns.pluralised(lemma, ending)
                assert any(s.number == "plural" for s in nouns.senses(nouns.dative_plural(plural))), plural
            sort = next(one for one in SORTS if one.gender == gender)
            phrase = f"{determiner('d', sort, 'nominative')} {lemma.capitalize()}"
            assert entry.has("no-article") or parsed(phrase).declined(sort, "nominative") == phrase


@given(st.sampled_from(sorted(lexicon("de", "nouns").words("weak"))))
def test_a_weak_noun_has_one_form_outside_the_nominative(noun):
    if noun.startswith("-"):
        return
    entry = next(line for line in lexicon("de", "nouns").entries[noun] if line.has("weak"))
    others = {nouns.declined(noun, entry, "masculine", case) for case in ("accusative", "dative")}
    assert len(others) == 1
    assert others.pop().endswith("n")


@given(st.sampled_from(["Junge", "alte Mann", "Koffer", "Kranke", "Zwerg", "Anna", "Schrittmacher", "Bär"]))
def test_a_mention_is_found_in_every_case(core):
    name = core == "Anna"
    phrase = core if name else f"der {core}"
    for case in CASES:
        text = f"Gestern {parsed(phrase).declined(MASCULINE, case)} und er."
        found = find_mentions(text, phrase, function_words("de"), Span(len(text) - 3, len(text) - 1))
        assert len(found) == 1, text


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("der Junge", {"Jungen"}),
        ("Anna", {"Annas"}),
        ("die Katze", set()),
        ("der Mann, der lacht", {"Mannes, der lacht"}),
        ("der Mann, die Frau", set()),
    ],
)
def test_the_other_forms_of_a_phrase(phrase, expected):
    assert inflected(phrase) == expected


@pytest.mark.parametrize("phrase", ["einer der Männer", "der auf dem Tisch liegende Brief", "der Hund oder die Katze"])
def test_a_phrase_whose_structure_is_unclear_is_refused(phrase):
    with pytest.raises(NotDerivedError):
        parsed(phrase)


@listed
def test_gender_and_number_of_a_candidate(text, candidate, gender, number):
    made = item(text, [candidate], "de")
    found = features_of(made.candidates[0], made, "de")
    assert (found.gender.value, found.number.value) == (gender, number)


@listed
def test_the_number_of_sie(text, candidates, number):
    assert features_of_pronoun(item(text, candidates, "de"), "de").number.value == number


def test_a_new_name_takes_the_genitive_of_the_old_one_and_only_names_are_renamed():
    made = schema("Petra nahm Annas Hut, weil {sie} [fror|ging].", ["Petra", "Anna"], "de", answers=[0, 1])
    for seed in range(5):
        item = renamed(wg.Collection("a", "de", (made,)), "de-DE", seed=seed).collection.items[0]
        new = item.candidates[1].text
        assert new not in ("Anna", "Petra")
        assert item.text.partition(" nahm ")[2].startswith((f"{new}s Hut", f"{new}' Hut"))
    phrases = {"Anna": True, "das Kind": False, "Frau Klein": True, "Wasser": False}
    assert {phrase: is_named(phrase) for phrase in phrases} == phrases


@listed
def test_sentences(expected):
    assert sentences(" ".join(expected), "de") == expected


@for_each(("article", "expected"), [("", ["Anna", "Berta"]), ("die ", ["der Anna", "der Berta"])])
def test_what_grammar_leaves_open_is_the_same_in_both_readings(article, expected):
    made = item(f"Die Anna sah {article}Berta, und ich half {{ihr}}.", ["Anna", "Berta"], "de")
    assert [reading.inserted for reading in grammatical_readings(made, "de")] == expected


@listed
def test_the_role_of_a_pronoun(text, role):
    assert pronoun_type(item(text, ["Anna", "Eva"], "de")) == role
