"""English numbers in words."""

from __future__ import annotations

from winoglot.logic.languages.base import numbers


def numeral(n: int) -> str:
    """The number in words if it is below a thousand, otherwise in digits.

    >>> numeral(21), numeral(112)
    ('twenty-one', 'one hundred and twelve')
    """
    words = numbers("en")
    if n >= 1000:
        return str(n)
    if n >= 100:
        rest = f" and {numeral(n % 100)}" if n % 100 else ""
        return f"{words[n // 100]} hundred{rest}"
    return words[n] if n in words else f"{words[n - n % 10]}-{words[n % 10]}"
