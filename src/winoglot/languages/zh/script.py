"""Convert traditional characters to the simplified ones used in the lists of this folder."""

from __future__ import annotations

from functools import cache

from winoglot.languages.lexicon import lexicon


def simplified(text: str) -> str:
    """The text in simplified characters, as far as the folder's lists need them; positions do not change.

    >>> simplified("他兒子的書")
    '他儿子的书'
    """
    return text.translate(_table())


@cache
def _table() -> dict[int, int]:
    return {ord(form): ord(simple) for form, (simple,) in lexicon("zh", "spelling").values("simplified").items()}


def tagged(text: str) -> list[tuple[str, str]]:
    """The words of a text with the segmenter's tags: v for a verb, n for a noun, ns for a town or country."""
    import rjieba

    return [(str(word), str(tag)) for word, tag in rjieba.tag(text)]
