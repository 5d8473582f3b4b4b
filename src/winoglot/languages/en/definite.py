"""English candidates on second mention, where the determiner alone does not decide.

A quantity is dropped (*a lot of users* → *the users*), a numeral is kept (*two venues* → *the two venues*), *another*
becomes *the other*. A bare noun stays bare if the text has it bare (*hair*, *zebras*); if an article, a possessor or a
numeral comes before it, perhaps with adjectives between, it takes *the*: "The nurse weighed the newborn twin". It also
takes *the* if the pronoun denotes a whole of which a part is meant: "too many of them".
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.en.number import noun_number
from winoglot.languages.en.wordclass import is_adverb, is_closed, is_in, is_past, opens_phrase, words_before
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.schemas.model import Item

_MOST_ADJECTIVES = 5
_SECOND_INDEFINITE = re.compile(r" and an? ")
_NUMBERED = re.compile(r" (?:[A-Z]|\d+)$")  # student B


def definite(item: Item, index: int) -> str | None:
    """The candidate as a definite phrase, or None if the article alone decides.

    >>> from winoglot import Candidate, Item, Span
    >>> users = Candidate("a lot of users", mentions=(Span(10, 24),))
    >>> item = Item("a.0", "a", text="The shop lost a lot of users after they complained.", pronoun=Span(31, 35),
    ...             candidates=(users,))
    >>> definite(item, 0)
    'the users'
    """
    candidate = item.candidates[index]
    phrase = _SECOND_INDEFINITE.sub(" and the ", candidate.text)
    plain = folded(phrase)
    if _opening("phrases", "kept-whole").match(plain):
        return _uncapitalised(phrase)
    quantity = _opening("determiners", "dropped").match(plain)
    if quantity:
        return f"the {phrase[quantity.end() :].lstrip()}"
    first, _, rest = plain.partition(" ")
    if rest:
        definite_phrase = _by_first_word(first, phrase)
        if definite_phrase is not None:
            return definite_phrase
    if is_in(first, "determiners", "determiner"):
        return phrase if phrase != candidate.text else None
    texts = [mention.of(item.text or "") for mention in candidate.mentions]
    is_name = phrase[0].isupper() and not any(text[0].islower() for text in texts)
    if is_name or _NUMBERED.search(phrase):
        befores = (next(words_before(item.text or "", mention.start), "") for mention in candidate.mentions)
        return f"the {phrase}" if any(is_in(before, "determiners", "indefinite") for before in befores) else None
    if not texts:
        is_plural = noun_number(plain.split()[-1]) == "plural"
        return _uncapitalised(phrase) if is_plural and not _follows_part(item) else None
    is_bare = all(stands_bare(item.text or "", mention.start) for mention in candidate.mentions)
    return _uncapitalised(phrase) if is_bare and not _follows_part(item) else None


def _follows_part(item: Item) -> bool:
    """Whether only a part of the group that the pronoun denotes is meant, as in "too many of them"."""
    before = words_before(item.text or "", item.pronoun.start if item.pronoun else 0)
    preposition, word = next(before, ""), next(before, "")
    return preposition == "of" and is_in(word, "determiners", "part-of")


def _by_first_word(first: str, phrase: str) -> str | None:
    """The definite phrase by its first word, if that is neither an article nor a quantity."""
    rest = phrase[len(first) :].lstrip()
    if first == "another":
        return f"the other {rest}"
    if first == "that":
        return f"the {rest}"
    if rest[:1].isupper() and is_in(first, "determiners", "kept"):
        return _uncapitalised(phrase)  # their Volvo trucks
    if is_in(first, "determiners", "indefinite") and (rest[:1].isupper() or " and the " in rest):
        return f"the {rest}"  # an Amish colony
    if first.isdigit() or (is_in(first, "determiners", "numeral") and not rest[:1].isupper()):
        return f"the {_uncapitalised(phrase)}"
    return None


def _uncapitalised(phrase: str) -> str:
    return phrase[0].lower() + phrase[1:]


def stands_bare(text: str, start: int) -> bool:
    """Whether the noun that begins here has no determiner.

    >>> stands_bare("The drain is full of hair.", 21), stands_bare("He held the folded map.", 19)
    (True, False)
    """
    before = [word for _, word in zip(range(_MOST_ADJECTIVES + 1), words_before(text, start), strict=False)]
    for word, earlier in zip(before, [*before[1:], ""], strict=False):
        if opens_phrase(word) or word == "'s":
            return False
        if is_closed(word) and not is_adverb(word):
            return True
        if _is_verb(word, earlier):
            return True
    return len(before) <= _MOST_ADJECTIVES


def _is_verb(word: str, before: str) -> bool:
    """Whether the word is a verb: *ate*, *eats*; *crippled* only after a noun or pronoun (not in *my crippled son*)."""
    if word.endswith("ed"):
        return bool(before) and not (opens_phrase(before) or is_adverb(before) or is_closed(before))
    return is_past(word) or noun_number(word) == "plural"


@cache
def _opening(table: str, feature: str) -> re.Pattern[str]:
    longest_first = sorted(lexicon("en", table).words(feature), key=len, reverse=True)
    alternatives = "|".join(re.escape(line) for line in longest_first)
    return re.compile(rf"(?:{alternatives})(?: |$)(?!of )")
