"""Characters and words: traditional characters beside simplified ones, and the segmenter's words."""

from __future__ import annotations

from functools import cache

from winoglot.languages.lexicon import lexicon


def simplified(text: str) -> str:
    """The text in simplified characters, as far as the folder's lists need them; positions do not change.

    >>> simplified("他兒子的書")
    '他儿子的书'
    """
    return text.translate(_table())


def is_foreign_character(character: str) -> bool:
    """Whether texts in simplified characters do not have it: GB 2312 lacks it, Big5 has it among its frequent ones.

    >>> [character for character in "小剛後來晚了" if is_foreign_character(character)]
    ['剛', '後', '來']
    """
    code = character.encode("big5", "ignore")
    is_frequent = len(code) > 1 and code <= _LAST_FREQUENT and character not in _IN_BOTH
    return ord(character) in _table() or (is_frequent and not character.encode("gb2312", "ignore"))


_LAST_FREQUENT = b"\xc6\x7e"  # the end of the frequent characters in Big5
_IN_BOTH = frozenset("瞭昇陞迺鉅甦氾炤頫")  # in simplified texts as well, mostly in names


@cache
def _table() -> dict[int, int]:
    return {ord(form): ord(simple) for form, (simple,) in lexicon("zh", "spelling").values("simplified").items()}


def tagged(text: str) -> list[tuple[str, str]]:
    """The words of a text with the segmenter's tags: v for a verb, n for a noun, ns for a town or country."""
    import rjieba

    return [(str(word), str(tag)) for word, tag in rjieba.tag(text)]
