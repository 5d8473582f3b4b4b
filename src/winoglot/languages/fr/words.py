"""The words around the pronoun and their classes, by closed-class lists instead of a parser.

Hyphens join a compound into one word (*grand-père*, *là-bas*), but not a verb to its pronoun (*dit-il*, *donne-le*).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.substitution import Token
from winoglot.languages.tables import pairs, words_of
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.substitution import Place

HYPHENS = ("-", "‐", "‑")
SENTENCE_ENDS = frozenset(".!?…")
_JOINED_TO_VERB = frozenset(
    "je tu il elle on nous vous ils elles ce le la les lui leur moi toi y en t t' m' l'".split()  # noqa: SIM905
)
_AFTER_APOSTROPHE = frozenset({"aujourd'hui", "quelqu'un", "quelqu'une", "presqu'île", "d'abord", "d'ailleurs"})
_CLOSED = (
    *("connectives", "relatives", "determiners", "quantifiers", "clitics"),
    *("negations", "adverbs", "prepositions", "indefinites"),
)


@dataclass(frozen=True)
class Around:
    """The words after the pronoun, and those before it, nearest first."""

    after: tuple[Token, ...]
    before: tuple[Token, ...]

    def next_form(self) -> str:
        """The next word or punctuation mark; empty at the end."""
        return self.after[0].form if self.after else ""

    def previous_form(self) -> str:
        """The previous word or punctuation mark; empty at the start."""
        return self.before[0].form if self.before else ""


def around(place: Place) -> Around:
    """The words around the pronoun of a place."""
    return Around(_compounds(place.following), _compounds(place.preceding[::-1])[::-1])


def listed(name: str) -> frozenset[str]:
    """A word list in this folder."""
    return words_of("fr", f"{name}.txt")


def is_word(form: str) -> bool:
    """Whether it is a word or number, not punctuation."""
    return form[:1].isalnum()


def is_blank(form: str) -> bool:
    """Whether it is a gap for removed words: `___`."""
    return bool(form) and not form.strip("_")


@cache
def closed_class() -> frozenset[str]:
    """All conjunctions, relatives, determiners, clitics, negations, adverbs and prepositions."""
    return frozenset().union(*(listed(name) for name in _CLOSED))


def is_adverb(form: str) -> bool:
    """A listed adverb, or one in -ment.

    >>> is_adverb("lentement"), is_adverb("hier"), is_adverb("ment")
    (True, True, False)
    """
    return form in listed("adverbs") or (len(form) > 6 and form.endswith("ment") and form not in listed("in_ment"))


def verb_of(form: str) -> str | None:
    """The infinitive of a listed finite form.

    >>> verb_of("étaient"), verb_of("table")
    ('être', None)
    """
    return pairs("fr", "verb_list.txt").get(form)


def is_infinitive(form: str) -> bool:
    """Whether it is an infinitive, by its ending and the lists.

    >>> [is_infinitive(form) for form in ("parler", "papier", "finir", "soir", "prendre", "lettre")]
    [True, False, True, False, True, False]
    """
    if form.endswith(("er", "ir")):
        return len(form) > 3 and form not in listed("not_infinitives")
    return form in listed("infinitives_in_re")


def is_boundary(form: str) -> bool:
    """Whether a noun phrase ends before it: punctuation, a closed-class word, or a listed verb form.

    >>> [is_boundary(form) for form in (".", "dans", "était", "rouge")]
    [True, True, True, False]
    """
    return not is_word(form) or form in closed_class() or is_adverb(form) or verb_of(form) is not None


def opens_sentence(around: Around) -> bool:
    """Whether the pronoun is the first word of its sentence."""
    previous = around.previous_form()
    return not previous or previous in SENTENCE_ENDS or previous in ("«", "“", '"', "(", "—", "–", ":", ";")


def _compounds(tokens: Sequence[Token]) -> tuple[Token, ...]:
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if last is not None and last.span.end == token.span.start and _belongs(last.form, token.form):
            joined[-1] = Token(last.form + token.form, Span(last.span.start, token.span.end))
        elif _is_torn(joined, token):
            first = joined[-2]
            joined[-2:] = [Token(f"{first.form}-{token.form}", Span(first.span.start, token.span.end))]
        else:
            joined.append(token)
    return tuple(joined)


def _belongs(left: str, right: str) -> bool:
    return left.endswith("'") and left + right in _AFTER_APOSTROPHE


def _is_torn(joined: list[Token], token: Token) -> bool:
    """Whether the last two tokens (a word and a hyphen) and this one form a compound."""
    if len(joined) < 2 or joined[-1].form not in HYPHENS or token.form in _JOINED_TO_VERB:
        return False
    first, hyphen = joined[-2:]
    adjacent = first.span.end == hyphen.span.start and hyphen.span.end == token.span.start
    return adjacent and is_word(first.form) and is_word(token.form)
