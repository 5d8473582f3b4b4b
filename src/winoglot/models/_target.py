"""Which word of a candidate stands for it where a model can look at one word only.

As Seminck, Segonne and Amsili (2019) chose it for French: the head of the candidate, with three exceptions. Below a
word of a closed class, the head of what it governs (*du jardinier*: *jardinier*); where heads are the same, a word that
the other candidates lack (*la lampe verte*, *la lampe rouge*: *verte*, *rouge*); where several words may be the head,
as in a name, the first (*Mme Delorme*: *Mme*). The head is what `winoglot.corpus.terms` takes for it, by word order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.corpus.terms import head
from winoglot.languages.frequencies import content_words, word_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.models._words import WordText


def target_words(phrases: Sequence[str], language: str) -> list[str]:
    """The word of each phrase; empty where it has none of its own.

    >>> target_words(["the tall oak tree", "the rusty iron gate"], "en")
    ['tree', 'gate']
    >>> target_words(["du jardin clos", "Mme Roux"], "fr"), target_words(["the old car", "the new car"], "en")
    (['jardin', 'Mme'], ['old', 'new'])
    """
    heads = [_head(phrase, language) for phrase in phrases]
    keys = [word_key(word) for word in heads]
    if len(set(keys)) == len(keys):
        return heads
    own = []
    for number, phrase in enumerate(phrases):
        others = {
            word_key(word)
            for other in (*phrases[:number], *phrases[number + 1 :])
            for word in content_words(other, language)
        }
        own.append(next((word for word in content_words(phrase, language) if word_key(word) not in others), ""))
    return own


def _head(phrase: str, language: str) -> str:
    words = content_words(phrase, language)
    if len(words) > 1 and all(word[0].isupper() for word in words):
        return words[0]
    found = [word for word in head(phrase, language) if word in words]  # a lone l' may be taken for a word
    return next(iter(found or words), "")


def place_of(word: str, text: WordText, start: int, end: int) -> int | None:
    """Where in a text the word stands, between two characters of it; the last place, in case it is there twice."""
    places = [
        place
        for place in range(len(text.ids))
        if text.starts[place] >= start and text.ends[place] <= end and word_key(text.word(place)) == word_key(word)
    ]
    return places[-1] if places else None
