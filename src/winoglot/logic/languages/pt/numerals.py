"""Portuguese numbers in words, which agree with what is counted."""

from __future__ import annotations

from winoglot.logic.languages.base import numbers

_FEMININE = {1: "uma", 2: "duas"}


def numeral(n: int, *, feminine: bool) -> str:
    """The number in words if it is below a thousand, otherwise in digits.

    >>> numeral(22, feminine=True), numeral(121, feminine=False), numeral(202, feminine=True)
    ('vinte e duas', 'cento e vinte e um', 'duzentas e duas')
    """
    if n >= 1000:
        return str(n)
    words = numbers("pt")
    if n in words:
        return _agreeing(n, words[n], feminine)
    largest = max(number for number in words if number <= n)
    head = "cento" if largest == 100 else _agreeing(largest, words[largest], feminine)
    return f"{head} e {numeral(n - largest, feminine=feminine)}"


def _agreeing(n: int, word: str, feminine: bool) -> str:
    if not feminine:
        return word
    return _FEMININE.get(n, word.replace("ntos", "ntas") if n >= 200 else word)
