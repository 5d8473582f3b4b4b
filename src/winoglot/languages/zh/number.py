"""Whether a Chinese candidate is certainly singular or plural; most show nothing."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Literal

from winoglot.languages.lexicon import lexicon
from winoglot.languages.zh.person import is_named, is_person
from winoglot.languages.zh.script import simplified

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

_ONE = re.compile("(?:[这那某每]一?|一)[个位名只条辆台本张棵座件把匹架艘](?!个)")


def number_of(place: Place) -> Literal["singular", "plural"] | None:
    """What a coordination, 们, a name, or a demonstrative with its classifier shows."""
    phrase = place.phrase.text
    if place.phrase.traits.number.value == "plural" or conjuncts(phrase):
        return "plural"
    return "singular" if is_named(place) else phrase_number(phrase)


def phrase_number(phrase: str) -> Literal["singular", "plural"] | None:
    """What a coordination or a demonstrative or 一 with a classifier shows.

    >>> phrase_number("小明和小红"), phrase_number("一个学生"), phrase_number("学生")
    ('plural', 'singular', None)
    """
    if conjuncts(phrase):
        return "plural"
    return "singular" if _ONE.match(simplified(phrase)) and "的" not in phrase else None


def conjuncts(phrase: str) -> list[str]:
    """The parts of a phrase that names several, each with a name or a demonstrative; empty if it names one.

    >>> conjuncts("小明和小红"), conjuncts("和尚")
    (['小明', '小红'], [])
    """
    parts = _conjunction().split(simplified(phrase))
    is_sure = all(part and (is_person(part) or _ONE.match(part) or _is_kin(part)) for part in parts)
    return parts if len(parts) > 1 and is_sure else []


def joined(phrase: str) -> list[str]:
    """The parts between 和 and the like, if each may be a word: 张三和李四; but not inside a word (和平鸽)."""
    parts = _conjunction().split(simplified(phrase))
    return parts if len(parts) > 1 and all(len(part) > 1 for part in parts) else []


def _is_kin(part: str) -> bool:
    return part in lexicon("zh", "nouns").words("kin") | lexicon("zh", "nouns").words("related")


@cache
def _conjunction() -> re.Pattern[str]:
    longest_first = sorted(lexicon("zh", "function_words").words("unspaced-conjunction"), key=len, reverse=True)
    return re.compile("|".join(longest_first))
