"""Whether a Chinese phrase is a person's name.

A name is a family name with one or two characters or a title (王姗姗, 王老师), 小, 老 or 阿 with one (小李, 阿敏),
two characters that given names are made of (思雨), or a foreign name (约翰, 卡尔·马丁, Tom). Other words that look
like names are listed (小偷, 老师, 司机).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_name
from winoglot.languages.zh.script import simplified

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

_LATIN = re.compile(r"[A-ZÀ-Þ][A-Za-zÀ-ɏ0-9.'’\- ]*")
_DOTS = "·・‧•"
_LONGEST_FOREIGN = 6


@lru_cache(maxsize=1024)
def is_person(phrase: str) -> bool:
    """Whether the phrase is just a person's name.

    >>> [is_person(phrase) for phrase in ("小雯", "王姗姗", "约翰", "卡尔·马丁", "老師", "司机", "那个男人")]
    [True, True, True, True, False, False, False]
    """
    if _LATIN.fullmatch(phrase):
        return True
    name = simplified(phrase)
    if "的" in name or any(name in lexicon("zh", "nouns").words(feature) for feature in ("not-name", "kin")):
        return False
    return _is_surely_named(name) or _has_surname(name) or _is_given(name)


def is_named(place: Place) -> bool:
    """Whether the candidate is a name: of a person or, if the pronoun is 它, of a pet.

    For things the name must be unambiguous: 长笛 and 白鹤 are made of characters that also occur in names.
    """
    phrase = place.phrase.text
    if not place.surface.startswith(("它", "牠")):
        return is_person(phrase)
    return is_person(phrase) and (_LATIN.fullmatch(phrase) is not None or _is_surely_named(simplified(phrase)))


def _is_surely_named(name: str) -> bool:
    return any(dot in name for dot in _DOTS) or _is_nickname(name) or is_name(name, "zh")


def _is_nickname(name: str) -> bool:
    first, rest = name[:1], name[1:]
    if first == "老":
        return rest in lexicon("zh", "names").words("surname")
    if first not in ("小", "阿"):
        return False
    return len(rest) == 1 or (len(rest) == 2 and _can_be_given(rest))


def _has_surname(name: str) -> bool:
    for length in (2, 1):
        rest = name[length:]
        if name[:length] in lexicon("zh", "names").words("surname") and rest:
            return rest in lexicon("zh", "nouns").words("title") or (len(rest) <= 2 and _can_be_given(rest))
    return False


def _is_given(name: str) -> bool:
    """Whether the name is two given-name characters, or the characters of a transliterated name."""
    if len(name) == 2 and all(character in lexicon("zh", "names").words("given") for character in name):
        return True
    foreign = lexicon("zh", "names").words("transliteration")
    return 2 <= len(name) <= _LONGEST_FOREIGN and all(character in foreign for character in name)


def _can_be_given(rest: str) -> bool:
    characters = lexicon("zh", "names").words("given") | lexicon("zh", "names").words("transliteration")
    return all(character in characters for character in rest)
