"""*they* as a subject, singular or plural.

The verb stays if it is the same for both numbers (*had*, *could*, *wanted*) or if the candidate is plural; for a
singular, *are*, *were*, *have* and *do* become *is*, *was*, *has* and *does*, after the pronoun or before it ("Were
they late?"). With any other verb nothing is derived.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import number_of
from winoglot.languages.en.wordclass import (
    WORD,
    is_adverb,
    is_any_past,
    is_base,
    is_in,
    is_past,
    next_words,
    words_before,
)
from winoglot.languages.lexicon import lexicon
from winoglot.languages.substitution import match_case
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place

_JOINING = ("and", "but", "or", "yet", "then")
_SENTENCE_END = re.compile(r"[.!?;:…]")


def subject(place: Place) -> Substitution:
    """Replace *they* by the candidate and adapt its verb."""
    number = number_of(place)
    is_either = number is None and is_in(folded(place.phrase.text.split()[-1]), "nouns", "either-number")  # the fish
    if number == "plural" or is_either:
        return place.replace(rule="subject")
    _check_further_verbs(place)
    verb = _verb(place)
    word = folded(verb.of(place.text)) if verb else ""
    if is_in(word, "verbs", "either-number") or is_past(word):
        return place.replace(rule="subject")
    inverted = _inverted_auxiliary(place)
    form = _singular_form(word)
    if form is None and inverted is not None and inverted[1] is None:
        return place.replace(rule="subject")
    if number is None:
        raise NotDerivedError(
            f"cannot tell whether {place.phrase.text!r} is singular or plural, and the verb depends on it"
        )
    if form is not None and verb is not None:
        text_between = place.text[place.pronoun.end : verb.start]
        touched = Span(place.pronoun.start, verb.end)
        return place.rewrite(touched, place.phrase.text + text_between + form, rule="singular they")
    if inverted is not None:
        before, becomes = inverted
        gap = place.text[before.end : place.pronoun.start]
        lead = match_case(before.of(place.text), becomes or "") + gap
        return place.rewrite(Span(before.start, place.pronoun.end), place.phrase.text, lead=lead, rule="singular they")
    raise NotDerivedError(f"after the singular {place.phrase.text!r} the verb {word!r} might need another form")


def _check_further_verbs(place: Place) -> None:
    """Refuse a second verb that would have to change too: "they came late and were cold", "and hate work"."""
    words = [folded(match.group()) for match in WORD.finditer(_sentence_rest(place))]
    for index, (joined, word) in enumerate(pairwise(words)):
        verb, next_word, *_ = [*words[index + 1 + is_adverb(word) :], "", ""]
        if joined not in _JOINING:
            continue
        if _singular_form(verb) or (_is_base(verb, next_word) and not _governs_base(words[:index])):
            raise NotDerivedError(f"'{joined} {verb}' would have to change too for the singular {place.phrase.text!r}")


def _is_base(word: str, following: str) -> bool:
    """Whether the word may be a plural verb form: *hate*; not *put*, which may be past, nor the noun in *work was*."""
    is_verb = is_in(word, "verbs", "base") or (is_base(word) and not is_any_past(word))
    return is_verb and not is_in(following, "verbs", "auxiliary")


def _governs_base(words: list[str]) -> bool:
    """Whether a word before requires the base form anyway: "could come and help", "had to eat and sleep"."""
    return any(word == "to" or is_in(word.partition("'")[0], "verbs", "before-base") for word in words)


def _singular_form(verb: str) -> str | None:
    """The form after a singular subject, of the few verbs that have one: *is* for *are*."""
    return next(iter(lexicon("en", "verbs").values("singular-form").get(verb, ())), None)


def _sentence_rest(place: Place) -> str:
    return _SENTENCE_END.split(place.text[place.pronoun.end :], maxsplit=1)[0]


def _verb(place: Place) -> Span | None:
    """The next word that is not an adverb; None if *both* or *all* show a plural."""
    for match in next_words(place.text, place.pronoun.end):
        word = folded(match.group())
        if word in ("both", "all"):
            raise NotDerivedError(f"'they {word}' is plural, {place.phrase.text!r} is singular")
        if not is_adverb(word) or is_in(word, "verbs", "either-number"):
            return Span(*match.span())
    return None


def _inverted_auxiliary(place: Place) -> tuple[Span, str | None] | None:
    """The auxiliary before the pronoun and its singular form (None if the same): "Were they", "Did they"."""
    word = next(words_before(place.text, place.pronoun.start), "")
    form = _singular_form(word)
    if form is None and not is_in(word, "verbs", "either-number"):
        return None
    match = list(WORD.finditer(place.text, 0, place.pronoun.start))[-1]
    return Span(*match.span()), form
