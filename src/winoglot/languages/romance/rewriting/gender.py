"""Both candidates as people of the other gender, with every word that agrees with them.

Names become names of the other gender, nouns the noun for the other sex (*o tio*, *a tia*). Refused or proposed where
another person of the new gender would make a pronoun unclear, or where gender is part of what the text says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.openings import split
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.agreement import agreeing, is_expletive
from winoglot.languages.romance.rewriting.change import OTHER, Change
from winoglot.languages.romance.rewriting.people import drawn_names, people_among, renamed, same_person
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.writing import Writing

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_GENDERS = frozenset({"masculine", "feminine"})


def gender(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The item with both candidates in the other gender."""
    clauses, people = clauses_of(item, rules), people_among(item)
    old = _gender_of_both(item, rules)
    new, writing = OTHER[old], Writing(clauses)
    _check_meaning(clauses)
    has_parent = any(word.form in rules.words("parent", "people") for word in clauses.words)
    change = Change(writing, "gender", old, has_parent)
    names, citations = drawn_names(people, draws, new), []
    for index in range(len(item.candidates)):
        if index in people:
            edits, citation = renamed(item, people[index], names[index], new, rules)
            writing.edits += edits
        else:
            citation = change.write_candidate(index)
        citations.append(citation)
    if len(set(citations)) < len(citations):
        raise NotDerivedError(f"both candidates would be {citations[0]!r}")
    words = agreeing(clauses)
    for index in words.pronouns:
        if not clauses.has(index, "third-owner") or clauses.phrase_at(index) is None:
            writing.pronoun(index, new, None)
    writing.doubts += [
        f"does {clauses.form(index)!r} refer to a candidate?"
        for index in words.unsure_pronouns
        if rules.pronoun(clauses.form(index), new, "singular") != clauses.form(index)
    ]
    change.write_agreeing(words)
    doubts = [*writing.doubts, *_doubts_about_reference(clauses, new), *same_person(clauses, old)]
    return Rewriting(tuple(writing.edits), tuple(dict.fromkeys(doubts)), tuple(citations))


def _gender_of_both(item: Item, rules: Rules) -> str:
    """The gender that both candidates have; NotDerivedError if they differ."""
    people = people_among(item)
    genders = {person.gender for person in people.values()}
    for index, candidate in enumerate(item.candidates):
        if index not in people:
            head = split(candidate.text, item.language)[1].split()[0].lower()
            stated = features_of(candidate, item, item.language).gender.value
            noun, pronoun = rules.noun_gender(head), features_of_pronoun(item, item.language).gender.value
            known = stated if stated in _GENDERS else pronoun if noun == "common" else noun  # "l'élève … elle"
            genders.add(known or "")
    if len(genders) > 1 or not genders <= _GENDERS:
        raise NotDerivedError("its candidates are not of one gender, or it is unknown")
    return genders.pop()


def _check_meaning(clauses: Clauses) -> None:
    """Refuse a text with words that only fit people of one gender."""
    heads = {phrase.head for phrase in clauses.mentions}
    rules, gendered = clauses.rules, clauses.rules.words("gendered", "people")
    for index, word in enumerate(clauses.words):
        if index not in heads and gendered.intersection((word.form, *rules.singulars(word.form))):
            raise NotDerivedError(f"{word.form!r} may depend on the gender of a candidate")


def _doubts_about_reference(clauses: Clauses, new: str) -> list[str]:
    """Doubts about others of the new gender to which the pronoun might then refer: people, or things by a clitic."""
    doubts, position = [], len(clauses.words) if clauses.pronoun is None else clauses.pronoun
    for phrase in clauses.phrases:
        head = clauses.form(phrase.head)
        animacy = "human" if phrase.is_name else clauses.rules.animacy(head)
        is_rival = animacy == "human" or (clauses.word_class(position) == "clitic" and animacy is not None)
        fits = phrase.gender in (new, "common") and phrase.number != "plural"
        if phrase.candidate is None and is_rival and phrase.first < position and fits:
            doubts.append(f"may the pronoun then refer to {head!r}?")
        is_some = phrase.determiner in clauses.rules.words("one") and phrase.gender == OTHER[new]
        if phrase.candidate is None and is_some and animacy == "human":  # "precisava de um programador", and hires Eva
            doubts.append(f"does {head!r} mean a candidate?")
    table = lexicon(clauses.rules.tag, "pronouns").features()
    for index, word in enumerate(clauses.words):  # "arrancou a roseira, e ela": of two men, then of two women
        features = table.get(word.form) if clauses.word_class(index) == "pronoun" and index != position else None
        if features and features.gender == new and features.number != "plural" and not is_expletive(clauses, index):
            doubts.append(f"may {word.form!r} then refer to a candidate?")
    return doubts
