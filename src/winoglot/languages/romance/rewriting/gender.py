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
from winoglot.languages.romance.rewriting.agreement import (
    Agreeing,
    agreeing,
    apposed,
    is_expletive,
    same_person,
)
from winoglot.languages.romance.rewriting.change import OTHER, Change
from winoglot.languages.romance.rewriting.people import drawn_names, name_edits, people_among
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
    clauses = clauses_of(item, rules)
    old = _gender_of_both(item, rules)
    new = OTHER[old]
    _check_meaning(clauses)
    writing = Writing(clauses)
    change = Change(writing, "gender", old)
    people = people_among(item, item.language)
    for phrase in apposed(clauses):
        change.write(phrase)
    names = dict(zip(people, drawn_names(list(people.values()), draws, new), strict=True))
    for index, person in people.items():
        writing.edits += name_edits(item, person, names[index], new, rules)
    citations = [
        _new_citation(candidate.text, people[index].name, names[index], new, rules)
        if index in people
        else change.write_candidate(index)
        for index, candidate in enumerate(item.candidates)
    ]
    _write_agreement(clauses, agreeing(clauses), change)
    doubts = [*writing.doubts, *_doubts_about_reference(clauses, new), *same_person(clauses, old)]
    return Rewriting(tuple(writing.edits), tuple(dict.fromkeys(doubts)), tuple(citations))


def _gender_of_both(item: Item, rules: Rules) -> str:
    """The gender that both candidates have; NotDerivedError if they differ."""
    people = people_among(item, item.language)
    genders = {person.gender for person in people.values()}
    for index, candidate in enumerate(item.candidates):
        if index not in people:
            head = split(candidate.text, item.language)[1].split()[0].lower()
            gender = features_of(candidate, item, item.language).gender.value
            noun = rules.noun_gender(head) or ""
            pronoun = features_of_pronoun(item, item.language).gender.value or ""  # "l'élève … elle"
            genders.add(gender if gender in _GENDERS else pronoun if noun == "common" else noun)
    if len(genders) > 1 or not genders <= _GENDERS:
        raise NotDerivedError("its candidates are not of one gender, or it is unknown")
    return genders.pop()


def _check_meaning(clauses: Clauses) -> None:
    """Refuse a text with words that only fit people of one gender."""
    candidate_heads = {phrase.head for phrase in clauses.phrases if phrase.candidate is not None}
    rules, gendered = clauses.rules, clauses.rules.words("gendered", "people")
    gendered_words = [
        word.form for index, word in enumerate(clauses.words)
        if index not in candidate_heads and gendered.intersection((word.form, *rules.singulars(word.form)))
    ]  # fmt: skip
    if gendered_words:
        raise NotDerivedError(f"{gendered_words[0]!r} may depend on the gender of a candidate")


def _new_citation(citation: str, name: str, new: str, gender: str, rules: Rules) -> str:
    """The citation of a named candidate with its new name and article."""
    determiner, _ = split(citation, rules.tag)
    renamed = citation.replace(name, new)
    if determiner:
        article = rules.article(gender, "singular")
        renamed = f"{article} {new}" if determiner in ("o", "a") else renamed
    return renamed


def _write_agreement(clauses: Clauses, words: Agreeing, change: Change) -> None:
    """Write what refers to the candidates or agrees with them in the other gender."""
    rules, writing, new = clauses.rules, change.writing, change.new
    for index in words.pronouns:
        writing.pronoun(index, new, None)
    for index in words.both:
        writing.doubts.append(f"does {clauses.form(index)!r} stand for both candidates?")
        writing.pronoun(index, new, None)
    for index in words.unsure_pronouns:
        if rules.pronoun(clauses.form(index), new, "singular") != clauses.form(index):
            writing.doubts.append(f"does {clauses.form(index)!r} refer to a candidate?")
    change.write_agreeing(words)


def _doubts_about_reference(clauses: Clauses, new: str) -> list[str]:
    """Doubts about others of the new gender to which the pronoun might then refer: people, or things by a clitic."""
    doubts = []
    position = clauses.pronoun
    may_be_thing = position is not None and clauses.word_class(position) == "clitic"
    for phrase in clauses.phrases:
        head = clauses.form(phrase.head)
        animacy = "human" if phrase.is_name else clauses.rules.animacy(head)
        is_before = position is None or phrase.first < position
        is_rival = animacy == "human" or (may_be_thing and bool(phrase.determiner) and animacy is not None)
        fits = phrase.gender in (new, "common") and phrase.number != "plural"
        if phrase.candidate is None and is_rival and is_before and fits and phrase not in apposed(clauses):
            doubts.append(f"may the pronoun then refer to {head!r}?")
    table = lexicon(clauses.rules.tag, "pronouns").features()
    for index, word in enumerate(clauses.words):  # "arrancou a roseira, e ela": of two men, then of two women
        features = table.get(word.form) if clauses.word_class(index) == "pronoun" and index != position else None
        if features and features.gender == new and features.number != "plural" and not is_expletive(clauses, index):
            doubts.append(f"may {word.form!r} then refer to a candidate?")
    return doubts
