"""*they* as a subject, for one or for several.

The verb stays where it is the same for both (*had*, *could*, *wanted*) or where the candidate is several; for one,
*are*, *were*, *have* and *do* become *is*, *was*, *has* and *does*, after the pronoun or before it ("Were they late?").
Any other verb is left alone, and nothing derived.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import number_of
from winoglot.languages.en.wordclass import WORD, is_adverb, is_in, is_past, next_words, words_before
from winoglot.languages.fusion import like
from winoglot.languages.tables import pairs
from winoglot.schemas.span import Span
from winoglot.schemas.words import folded

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.place import Place

_JOINING = ("and", "but", "or", "yet", "then")
_SENTENCE_END = re.compile(r"[.!?;:…]")


def subject(place: Place) -> Substitution:
    """The candidate in the place of *they*, with its verb."""
    number = number_of(place)
    if number == "plural":
        return place.replace(rule="subject")
    _check_further_verbs(place)
    verb = _verb(place)
    word = folded(verb.of(place.text)) if verb else ""
    if is_in(word, "invariable_verbs") or is_past(word):
        return place.replace(rule="subject")
    inverted = _inverted(place)
    form = pairs("en", "they_verbs.txt").get(word)
    if form is None and inverted is not None and inverted[1] is None:
        return place.replace(rule="subject")
    if number is None:
        raise NotDerivedError(
            f"nothing shows whether {place.phrase.text!r} is one or several, and the verb depends on it"
        )
    if form is not None and verb is not None:
        between = place.text[place.pronoun.end : verb.start]
        touched = Span(place.pronoun.start, verb.end)
        return place.rewrite(touched, place.phrase.text + between + form, rule="singular they")
    if inverted is not None:
        before, becomes = inverted
        gap = place.text[before.end : place.pronoun.start]
        lead = like(before.of(place.text), becomes or "") + gap
        return place.rewrite(Span(before.start, place.pronoun.end), place.phrase.text, lead=lead, rule="singular they")
    raise NotDerivedError(f"after one {place.phrase.text!r} the verb {word!r} might need another form")


def _check_further_verbs(place: Place) -> None:
    """A second verb of the same subject would have to change too: "they came late and were cold"."""
    words = [folded(found.group()) for found in WORD.finditer(_sentence_rest(place))]
    for joined, word, further in zip(words, words[1:], [*words[2:], ""], strict=False):
        verb = further if is_adverb(word) else word
        if joined in _JOINING and verb in pairs("en", "they_verbs.txt"):
            raise NotDerivedError(f"'{joined} {verb}' would have to change too for one {place.phrase.text!r}")


def _sentence_rest(place: Place) -> str:
    return _SENTENCE_END.split(place.text[place.pronoun.end :], maxsplit=1)[0]


def _verb(place: Place) -> Span | None:
    """The next word that is no adverb; none where *both* or *all* show that several are meant."""
    for found in next_words(place.text, place.pronoun.end):
        word = folded(found.group())
        if word in ("both", "all"):
            raise NotDerivedError(f"'they {word}' are several, {place.phrase.text!r} is one")
        if not is_adverb(word) or is_in(word, "invariable_verbs"):
            return Span(*found.span())
    return None


def _inverted(place: Place) -> tuple[Span, str | None] | None:
    """The auxiliary before the pronoun and its form for one, None where that is the same: "Were they", "Did they"."""
    word = next(words_before(place.text, place.pronoun.start), "")
    form = pairs("en", "they_verbs.txt").get(word)
    if form is None and not is_in(word, "invariable_verbs"):
        return None
    found = list(WORD.finditer(place.text, 0, place.pronoun.start))[-1]
    return Span(*found.span()), form
