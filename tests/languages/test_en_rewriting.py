"""English rewriting: what is produced, what is only proposed, and what is refused, kind by kind."""

from __future__ import annotations

import re

from cases import for_each, listed
from items import schema
from winoglot.languages.en.rewriting.inflection import conjugated, plural_of, singular_of
from winoglot.languages.en.rewriting.reader import analysed
from winoglot.languages.lexicon import lexicon
from winoglot.perturb.base import Context, Proposed, derived_variants
from winoglot.registry import load
from winoglot.schemas.model import Collection


def made(kind, text, one, other, seed=0):
    """The variants or the proposal of a sentence of our own, written in the notation."""
    found = schema(text, [one, other], "en")
    context = Context(Collection(name="own", language="en", schemas=(found,)), seed)
    return derived_variants(found, kind, load("perturbations", kind).perturb, context)


def produced(kind, text, one, other):
    """The text of the first item's variant, of which the rules must be sure."""
    found = made(kind, text, one, other)
    assert not isinstance(found, Proposed), found.reason
    return found[0].text


# Words and clauses


@listed
def test_every_finite_verb_finds_its_subject(text, clauses):
    found = analysed(text)
    assert [f"{found.at(one.subject).form} {found.at(one.verb).form}" for one in found.clauses] == clauses


def test_forms_that_the_library_gets_wrong_come_from_the_tables():
    assert [conjugated(verb, "past") for verb in ("lie", "stop", "carry", "put")] == [
        "lay",
        "stopped",
        "carried",
        "put",
    ]
    assert [plural_of(noun) for noun in ("person", "knife", "policeman", "human")] == [
        "people", "knives", "policemen", "humans",
    ]  # fmt: skip
    assert [singular_of(noun) for noun in ("people", "buses", "women", "glass")] == ["person", "bus", "woman", None]


# Relative clauses


def test_a_clause_follows_the_first_candidate_and_fits_it():
    made_for_people = produced("relative", "Olga called Petra because {she} was [late|early].", "Olga", "Petra")
    assert re.match("Olga, whom? ", made_for_people)
    assert made_for_people.endswith(", called Petra because she was late.")
    made_for_things = produced(
        "relative", "We put the vase on the shelf, but {it} [broke|fell].", "the vase", "the shelf"
    )
    assert made_for_things.startswith("We put the vase, which ")
    assert made_for_things.endswith(", on the shelf, but it broke.")


@for_each(
    ("text", "one", "other", "kind"),
    [
        ("The wolf chased the cow because {it} was [big|small].", "the wolf", "the cow", "wild"),
        ("The van pushed the cart because {it} was [big|small].", "the van", "the cart", "private-vehicle"),
        ("The nurses called the cooks because {they} were [ill|shy].", "the nurses", "the cooks", "people"),
        ("The nurse called the cook because {she} was [ill|shy].", "the nurse", "the cook", "professional"),
    ],
)
def test_what_a_clause_says_fits_the_kind(text, one, other, kind):
    variants = {made("relative", text, one, other, seed)[0].text.split(", ")[1] for seed in range(12)}
    assert len(variants) > 2
    said = lexicon("en", "clauses").values("said-of")
    for clause in variants:
        listed_as = re.sub(r"\bher\b", "their", clause.split(" ", 1)[1].lower())
        assert {kind, f"{kind}s", "professionals"} & {*said[listed_as]}, clause


def test_no_clause_about_people_of_a_household_is_produced():
    assert isinstance(
        made("relative", "Mum asked Olga to wait because {she} was [late|early].", "Mum", "Olga"), Proposed
    )


def test_a_clause_keeps_away_from_what_the_text_is_about():
    text = "Olga lent Petra her coat because {she} was [cold|warm]."
    found = {made("relative", text, "Olga", "Petra", seed)[0].text for seed in range(30)}
    assert not any("wearing" in one for one in found)


def test_what_the_speaker_says_of_somebody_opens_with_whom():
    found = {made("relative", "Olga called Petra because {she} [cried|fell].", "Olga", "Petra", n) for n in range(30)}
    openers = {variants[0].text.split(", ")[1].split()[0] for variants in found}
    assert openers == {"who", "whom"}
    assert any("Olga, whom I had " in variants[0].text for variants in found)
    assert not any("who I " in variants[0].text for variants in found)


def test_a_clause_is_told_in_the_tense_of_the_text():
    found = {
        made("relative", "Olga calls Petra when {she} is [ill|shy].", "Olga", "Petra", n)[0].text for n in range(12)
    }
    assert not any(re.search(r"who (had|was in|lived|came|worked) ", text) for text in found), found


def test_what_no_clause_fits_is_proposed_as_spoken_of_before():
    found = made("relative", "The plan failed the test because {it} was [bad|hard].", "the plan", "the test")
    assert isinstance(found, Proposed)
    assert re.match("The plan, which (I|you) ", found.variants[0].text)


# Gender


def test_gender_mirrors_the_whole_text():
    found = made("gender", "Olga lent Petra her brother's car because {she} [asked|could].", "Olga", "Petra")
    names = [candidate.text for candidate in found[0].candidates]
    assert found[0].text == f"{names[0]} lent {names[1]} his sister's car because he asked."
    assert found[1].text == f"{names[0]} lent {names[1]} his sister's car because he could."


def test_names_that_are_no_people_stay():
    text = "On Valentine's Day, Olga gave Petra an Oscar because {she} [won|asked]."
    assert "On Valentine's Day, " in produced("gender", text, "Olga", "Petra")
    assert " an Oscar " in produced("gender", text, "Olga", "Petra")


def test_names_after_kin_change_with_them():
    found = produced("gender", "Oscar called Uncle Peter because {he} was [late|early].", "Oscar", "Uncle Peter")
    assert re.fullmatch(r"(?!Oscar)\w+ called Aunt (?!Peter)\w+ because she was late\.", found)
    found = produced("gender", "Oscar met my great-uncle because {he} was [late|early].", "Oscar", "my great-uncle")
    assert found.endswith(" met my great-aunt because she was late.")


# Synonyms


def test_names_become_names_of_the_same_gender():
    found = made("synonym", "Olga called Petra's aunt because {she} was [late|early].", "Olga", "Petra")
    one, other = (candidate.text for candidate in found[0].candidates)
    assert found[0].text == f"{one} called {other}'s aunt because she was late."
    assert {one, other}.isdisjoint({"Olga", "Petra"})


def test_a_candidate_named_after_the_other_is_renamed_with_it():
    found = made("synonym", "Olga's aunt called her because {she} was [late|early].", "Olga", "Olga's aunt")
    one, other = (candidate.text for candidate in found[0].candidates)
    assert found[0].text == f"{one}'s aunt called her because she was late."
    assert other == f"{one}'s aunt"


def test_synonyms_keep_their_capital():
    found = made("synonym", "Then Dad called Oscar because {he} was [late|early].", "Dad", "Oscar")
    assert found[0].text.startswith("Then Father called ")
    assert found[0].candidates[0].text == "Father"


# Number


def test_what_a_predicate_says_agrees_too():
    text = "Olga is the only aunt still alive who knows Petra, and {she} is [ill|shy]."
    found = produced("number", text, "Olga", "Petra")
    aunts = r"Olga and \w+ are the only aunts still alive who know Petra and \w+, and they are ill\."
    assert re.fullmatch(aunts, found), found


def test_names_are_joined_with_others():
    text = "Olga was told by her friend Petra that {she} [was|is] the winner."
    found = made("number", text, "Olga", "Petra")
    one, other = (candidate.text for candidate in found[0].candidates)
    assert found[0].text == f"{one} were told by their friends {other} that they were the winners."
    assert one.startswith("Olga and ")
    assert other.startswith("Petra and ")


def test_a_second_clause_gets_a_comma_before_several_names():
    found = produced("number", "Olga sat by the stove and Petra read because {she} was [ill|shy].", "Olga", "Petra")
    assert re.match(r"Olga and \w+ sat by the stove, and Petra and \w+ read because they were ill\.", found)


# Adverbs


def words_added(text, one, other):
    """What a variant has that its original lacks, with the word that follows."""
    old, new = text.replace("{", "").replace("}", ""), produced("adverb", text, one, other)
    old = re.sub(r"\[(.*?)\|.*?\]", r"\1", old)
    added = [word for word in new.split() if word not in old.split()]
    return [f"{word} {new.split()[new.split().index(word) + 1]}" for word in added]


def test_every_main_verb_has_an_adverb_and_no_other():
    (added,) = words_added("Olga thanked Petra because {she} was [late|early].", "Olga", "Petra")
    assert added.split()[0] in lexicon("en", "adverbs").values("manner-of-people")["thank"]
    one, two = words_added("Olga helped Petra with it. {She} smiled at the [guests|cooks].", "Olga", "Petra")
    assert one.endswith(" helped")
    assert two.endswith(" smiled")


def test_alternatives_may_have_different_clauses():
    text = "Olga thanked Petra because {she} [helped|came, saw what was wrong and did it]."
    assert words_added(text, "Olga", "Petra")[0].endswith(" thanked")


@listed
def test_an_adverb_stands_before_a_negation_and_after_an_auxiliary(text, verb):
    (added,) = words_added(text, "the cup", "the box")
    assert added.endswith(f" {verb}")
