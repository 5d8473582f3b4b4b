"""Whether an English candidate is singular or plural.

A determiner, a numeral or a coordination shows it; otherwise the head noun does, with less certainty: irregular plurals
are listed, and a final -s is a plural unless the noun is listed or ends like *glass*, *bus*, *basis*. A name
is singular unless it has an article and ends in -s (*the Freemans*); for a name in -s without article (*Popeyes*, or
*Students* at the start of a sentence) the verb after it decides. Otherwise the result is None.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from winoglot.languages.en.wordclass import (
    WORD,
    is_adverb,
    is_any_past,
    is_closed,
    is_in,
    is_past,
    opens_phrase,
    word_at,
)
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

Number = Literal["singular", "plural"]
_SINGULAR_ENDINGS = ("ss", "us", "is")


def number_of(place: Place) -> Number | None:
    """The number of the candidate to be inserted."""
    phrase = place.phrase
    number = phrase.traits.number.value
    if number in ("singular", "plural"):
        return number  # type: ignore[return-value]
    words = WORD.findall(phrase.text)
    if not words:
        return None
    if words[0].isdigit() and len(words) > 1:
        return "singular" if words[0] == "1" else "plural"
    if "and" in map(folded, words):
        return "plural" if place.surface.startswith("the") else None
    head = _head(words)
    if phrase.is_name or head[0].isupper():
        return _name_number(place, words, head)
    if folded(words[0]) == "the" and len(words) == 2 and is_in(folded(head), "adjectives", "people"):
        return "plural"
    return noun_number(folded(head))


def noun_number(noun: str) -> Number | None:
    """What the form of a common noun shows.

    >>> [noun_number(noun) for noun in ("boys", "glass", "policewomen", "physics", "sheep", "lamp")]
    ['plural', 'singular', 'plural', 'singular', None, 'singular']
    """
    if is_in(noun, "nouns", "either-number"):
        return None
    if is_in(noun, "nouns", "plural"):
        return "plural"
    if is_in(noun, "nouns", "singular"):
        return "singular"
    if noun.endswith(("men", "ais")):
        return "plural"
    return "plural" if noun.endswith("s") and not noun.endswith(_SINGULAR_ENDINGS) else "singular"


def _head(words: list[str]) -> str:
    """The last word before any modifier that follows the noun: "the sack of potatoes"."""
    for before, word in pairwise(words):
        if is_in(folded(word), "function_words", "preposition", "relative") and not opens_phrase(folded(before)):
            return before
    return words[-1]


def _name_number(place: Place, words: list[str], head: str) -> Number | None:
    """The number of a name: by its article and ending, or else by its verb."""
    if folded(words[0]) == "the" or place.phrase.determiner == "the":
        if is_in(folded(head), "adjectives", "people"):
            return "plural"
        is_people = head.endswith("is") and not head.endswith(("sis", "ris", "phis"))  # the Iraqis
        return "plural" if is_people else noun_number(folded(head))
    if (
        not head.endswith("s")
        or head.endswith(("ss", "us", "is", "'s", "’s"))
        or is_in(folded(head), "names", "singular")
    ):
        return "plural" if is_in(folded(head), "nouns", "plural") else "singular"
    number = _number_of_verb(place)
    if number is None and head[0].islower():
        return noun_number(head)  # "Video games"
    return number


def _number_of_verb(place: Place) -> Number | None:
    """The number that the verb after a name shows: *Lions eat*, *Popeyes sells*; unknown before a past tense."""
    verbs = lexicon("en", "verbs").features("finite")
    for mention in place.mentions:
        word = word_at(place.text, mention.end)
        features = verbs.get(word.partition("'")[0])
        if features and features.number in ("singular", "plural"):
            return features.number
        if word and not (
            is_closed(word) or is_adverb(word) or is_past(word) or is_any_past(word) or opens_phrase(word)
        ):
            return "singular" if word.endswith("s") and not word.endswith("ss") else "plural"
    return None
