"""A clause written in a new order: its pieces, each with the place in the text that it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.model import Role
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase

_BELONGING = ("adjective", "participle", "infinitive", "gerund")


@dataclass(frozen=True)
class Piece:
    """Words of the new clause, and where they come from in the text; nowhere if they are new."""

    text: str
    source: Span | None = None


@dataclass(frozen=True)
class Rephrased:
    """A clause in the other voice."""

    span: Span  # of the old clause
    pieces: tuple[Piece, ...]
    weight: float  # of several clauses, the one with most is rewritten
    doubts: tuple[str, ...]
    roles: tuple[tuple[int, Role], ...]  # the candidates whose role changes, by index
    after: tuple[Edit, ...] = ()  # what else changes, behind the clause


def span_of(clauses: Clauses, first: int, last: int) -> Span:
    """The span from the first word to the last."""
    return Span(clauses.words[first].span.start, clauses.words[last].span.end)


def words_of(clauses: Clauses, indexes: range | list[int]) -> list[Piece]:
    """One unchanged piece per word."""
    spans = [clauses.words[index].span for index in indexes]
    return [Piece(span.of(clauses.text), span) for span in spans]


def opening(clauses: Clauses, source: Span, index: int) -> Piece:
    """The piece that now begins the clause, with a capital if the clause began with one."""
    text = source.of(clauses.text)
    return Piece(text[:1].upper() + text[1:] if opens_sentence(clauses.text, index) else text, source)


def inside(clauses: Clauses, source: Span, head: int, *, is_name: bool) -> Piece:
    """A piece that no longer begins its sentence: without its capital, unless it is a name."""
    text = source.of(clauses.text)
    starts_with_name = clauses.words[head].is_capital and clauses.words[head].span.start == source.start
    keeps = is_name or starts_with_name or not opens_sentence(clauses.text, source.start)
    return Piece(text if keeps else text[:1].lower() + text[1:], source)


def end_of(clauses: Clauses, phrase: TextPhrase) -> int:
    """The last word of a phrase with what belongs to it; NotDerivedError if that is unclear."""
    last = _with_description(clauses, _with_complement(clauses, phrase))
    following = clauses.phrase_at(last + 1) or clauses.phrase_at(last + 2)
    is_said = last > phrase.head and clauses.rules.verbs.is_participle(clauses.form(last))
    if is_said and following is not None and following.preposition and not clauses.words[last + 1].is_punctuation:
        raise NotDerivedError(f"{clauses.form(following.head)!r} may belong to {clauses.form(last)!r}")
    if clauses.form(last + 1) == "," and clauses.form(last + 2) in clauses.rules.relatives:
        raise NotDerivedError(f"a clause follows {clauses.form(phrase.head)!r}")  # "chamou o gato, que"
    if clauses.form(last + 1) in clauses.rules.of or clauses.word_class(last + 1) in _BELONGING:
        raise NotDerivedError(f"{clauses.form(last + 1)!r} may belong to {clauses.form(phrase.head)!r}")
    return last


def _with_complement(clauses: Clauses, phrase: TextPhrase) -> int:
    """The last word of a phrase with the complements that *de* opens: *a caixa do vizinho*, *caisse à outils*."""
    last = phrase.last
    while True:
        index = last + 1
        is_use = clauses.form(index) == "à" and clauses.word_class(index) == "preposition"
        is_of = clauses.form(index) in clauses.rules.of or is_use
        following = clauses.phrase_at(index + is_of)
        if following is None or following.first > index + is_of:
            return last
        if following.preposition not in clauses.rules.of and (not is_use or following.determiner or following.is_name):
            return last
        last = following.last


def _with_description(clauses: Clauses, last: int) -> int:
    """The last word of a phrase with an adjective that is not listed, or with a relative clause."""
    following = clauses.phrase_at(last + 1)
    if following is not None and not following.preposition and following.first == following.last == last + 1:
        last += 1
    if clauses.word_class(last + 1) == "relative" and not clauses.is_said(last + 1):
        verb = next((later for later in clauses.verbs() if later > last), None)
        if verb is None or clauses.subject(verb).unsure:
            raise NotDerivedError(
                f"the clause after {clauses.form(last)!r} may lean on the subject"
            )  # "que deu a Rita"
        while last + 1 < len(clauses.words) and not clauses.words[last + 1].is_punctuation:
            last += 1
    return last


def number_of(clauses: Clauses, phrase: TextPhrase) -> str:
    """The number of a phrase; singular if nothing shows it."""
    return phrase.number or _feature(clauses, phrase, "number") or "singular"


def gender_of(clauses: Clauses, phrase: TextPhrase) -> str:
    """The gender of a phrase, by its ending if nothing else shows it; NotDerivedError if that does not either."""
    gender = phrase.gender if phrase.gender in ("masculine", "feminine") else _feature(clauses, phrase, "gender")
    if gender not in ("masculine", "feminine"):
        gender = clauses.rules.likely_gender(clauses.form(phrase.head))
    if gender is None:
        raise NotDerivedError(f"the gender of {clauses.form(phrase.head)!r} is unknown")
    return gender


def _feature(clauses: Clauses, phrase: TextPhrase, name: str) -> str | None:
    """A candidate's number or gender, as its author or the pronoun shows it; None for other phrases."""
    if phrase.candidate is None:
        return None
    candidate = clauses.item.candidates[phrase.candidate]
    value: str | None = getattr(features_of(candidate, clauses.item, clauses.item.language), name).value
    is_common = clauses.rules.noun_gender(clauses.form(phrase.head)) == "common"
    if value in (None, "common") and (phrase.is_name or is_common):  # both candidates may be meant by the pronoun
        value = getattr(features_of_pronoun(clauses.item, clauses.item.language), name).value
    return value
