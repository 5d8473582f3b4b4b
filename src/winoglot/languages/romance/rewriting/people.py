"""Candidates that are people's names, and other names in their place; and where a text names a candidate again.

The words beside a name change with it: *d'Anne* becomes *de Paul*, *a Rita* becomes *o Rui*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.name_evidence import is_preposition, named_people
from winoglot.languages.names import name_gender
from winoglot.languages.openings import split
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import apostrophe_of, fused, match_case, unelided
from winoglot.schemas.model import Item
from winoglot.schemas.spans import Edit, Span, shared_start

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules

_CAPITAL_AFTER = re.compile(r"[ \u00a0](?:d[aeo]s? )?[^\W\d_a-z]\w")
_CAPITAL_BEFORE = re.compile(r"\b[^\W\d_a-z][\w.]+[ \u00a0]$")
_WORD_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]+['’]?)[ \u00a0]?$")


@dataclass(frozen=True)
class NamedCandidate:
    """A candidate that is a first name."""

    index: int
    name: str
    gender: str
    places: tuple[Span, ...]  # all of the text
    determiner: str  # of its citation: "a" of "a Ana"


def people_among(item: Item) -> dict[int, NamedCandidate]:
    """The candidates that are first names, by index; NotDerivedError if the gender of one is unknown."""
    return {index: _named_candidate(item, index) for index in named_people(item, item.language)}


def _named_candidate(item: Item, index: int) -> NamedCandidate:
    """A candidate's name with its gender and places; NotDerivedError if it is more than a first name."""
    text, candidate = item.text or "", item.candidates[index]
    determiner, name = split(candidate.text, item.language)
    if " " in name:
        raise NotDerivedError(f"{name!r} is more than a first name")
    listed = name_gender(name, item.language).value  # "Anne a appelé Paul parce qu'il": she is still a woman
    shown = {
        features_of(candidate, item, item.language).gender.value,
        features_of_pronoun(item, item.language).gender.value,
    }
    genders = {listed} if listed in ("masculine", "feminine") else shown & {"masculine", "feminine"}
    places = tuple(Span(*match.span()) for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text))
    if len(genders) != 1 or not candidate.mentions:
        raise NotDerivedError(f"the gender of {name!r} is unknown, or it is not mentioned")
    others = [mention for other in item.candidates if other is not candidate for mention in other.mentions]
    for place in places:
        before = _CAPITAL_BEFORE.search(text[: place.start])
        has_title = before is not None and not opens_sentence(text, before.start())
        is_inside = any(place.within(mention) for mention in others)
        if is_inside or has_title or _CAPITAL_AFTER.match(text, place.end):
            raise NotDerivedError(f"{name!r} is part of a longer name, has a title, or is part of another candidate")
    return NamedCandidate(index, name, genders.pop() or "", places, determiner)


def drawn_names(people: dict[int, NamedCandidate], draws: Draws, gender: str | None = None) -> dict[int, str]:
    """A new name for each person, of the person's gender unless `gender` is given."""
    genders = [gender or person.gender for person in people.values()]
    drawn = {wanted: draws.names(wanted, genders.count(wanted)) for wanted in dict.fromkeys(genders)}
    return {index: drawn[wanted].pop(0) for index, wanted in zip(people, genders, strict=True)}


def renamed(item: Item, person: NamedCandidate, new: str, gender: str, rules: Rules) -> tuple[list[Edit], str]:
    """The edits that put a new name in all places of a person, with the words before it, and the new citation."""
    edits = [edit for place in person.places for edit in _edits(item, person, place, new, gender, rules)]
    article = rules.article(gender, "singular") if person.determiner else ""
    return edits, rules.joined(article, new)


def _edits(item: Item, person: NamedCandidate, place: Span, new: str, gender: str, rules: Rules) -> list[Edit]:
    """The edits in one place: the name, and the article or elided word before it, so that the mention stays whole."""
    text = item.text or ""
    left = text[: place.start]
    new_left = unelided(left, text[place.start :], rules.tag)
    if gender != person.gender:
        new_left = _with_article(item, person, new_left, gender, rules)
    new_left = fused(new_left, new, rules.tag, apostrophe=apostrophe_of(text))[0]
    start = shared_start(left, new_left)
    before = [] if new_left == left else [Edit(Span(start, len(left)), new_left[start:])]
    return [*before, Edit(place, new)]


def _with_article(item: Item, person: NamedCandidate, left: str, gender: str, rules: Rules) -> str:
    """The text before a name with its article in the other gender: *viu a*, *disse à*, *falou da*."""
    last = _WORD_BEFORE.search(left)
    form = last.group(1).lower() if last else ""
    preposition, article = function_words(rules.tag).contractions.get(form, ("", form))
    is_other = form in rules.grammar.prepositions and is_preposition(item, person.index, item.language)  # "disse a Ana"
    if last is None or is_other or article != rules.article(person.gender, "singular"):
        return left
    new = rules.article(gender, "singular")
    written = "".join(fused(f"{preposition} ", f"{new} ", rules.tag, optional=True)) if preposition else new
    return left[: last.start()] + match_case(last.group(1), written.strip()) + " "


# People and things that are named again


def same_person(clauses: Clauses, gender: str | None) -> list[str]:
    """Doubts about nouns that may name a candidate again: *deu ao vizinho*, *sua amiga Lia*, *Rui, um colega*."""
    rules, doubts = clauses.rules, []
    for phrase in clauses.phrases:
        form = clauses.form(phrase.head)
        is_after = clauses.pronoun is not None and phrase.first > clauses.pronoun
        is_the = phrase.determiner in rules.words("article-too") and phrase.number != "plural"
        is_left = is_after and is_the and rules.animacy(form) == "human"  # "ela confiava na freguesa"
        is_renaming = is_left or (rules.listed(form) or "") in rules.words("renaming", "people")
        is_other = phrase.candidate is not None or (gender is not None and phrase.gender not in (gender, "common"))
        if not is_other and (is_renaming or _is_apposition(clauses, phrase)):
            doubts.append(f"is {form!r} one of the candidates?")
    return doubts


def _is_apposition(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether the phrase names a candidate again beside it: *seu colega Rui*, *Rui, seu colega,*."""
    is_person = clauses.rules.animacy(clauses.form(phrase.head)) == "human"
    beside = [clauses.plain_phrase_at(phrase.last + 1)]
    if clauses.form(phrase.first - 1) == "," and clauses.form(phrase.last + 1) == ",":
        beside.append(clauses.phrase_before(phrase.first - 1))
    is_beside = any(other is not None and other.candidate is not None for other in beside)
    return is_beside and is_person and bool(phrase.determiner) and not phrase.preposition


def plain_mentions(clauses: Clauses, index: int) -> list[TextPhrase]:
    """The phrases of a candidate's mentions; NotDerivedError if there are others, or its noun stands elsewhere too."""
    phrases, candidate = (
        [phrase for phrase in clauses.mentions if phrase.candidate == index],
        clauses.item.candidates[index],
    )
    if not phrases or len(phrases) != len(candidate.mentions):
        raise NotDerivedError(f"{candidate.text!r} is not mentioned as one plain phrase")
    heads = {clauses.form(phrase.head) for phrase in phrases}
    mentioned = {position for phrase in clauses.mentions for position in range(phrase.first, phrase.last + 1)}
    for position, word in enumerate(clauses.words):
        if word.form in heads and position not in mentioned:
            raise NotDerivedError(f"{word.form!r} occurs besides its mentions")
    return phrases


def cited_phrase(clauses: Clauses, index: int) -> Clauses:
    """A candidate's citation as a text of its own, with one mention, so that it changes as the mentions do."""
    candidate = clauses.item.candidates[index]
    whole = Span(0, len(candidate.text))
    mentioned = (replace(candidate, mentions=(whole,)),)
    nowhere, language = Span(whole.end, whole.end), clauses.item.language
    item = Item("citation.0", "citation", text=candidate.text, pronoun=nowhere, candidates=mentioned, language=language)
    cited = clauses_of(item, clauses.rules)
    if not cited.mentions:
        raise NotDerivedError(f"{candidate.text!r} is not one plain phrase")
    return cited
