"""French numbers in words."""

from __future__ import annotations

from winoglot.logic.languages.base import numbers


def numeral(n: int, *, feminine: bool) -> str:
    """The number in words if it is below a thousand, otherwise in digits.

    >>> numeral(21, feminine=True), numeral(80, feminine=True), numeral(81, feminine=True), numeral(71, feminine=False)
    ('vingt et une', 'quatre-vingts', 'quatre-vingt-une', 'soixante et onze')
    """
    if n >= 1000:
        return str(n)
    words = numbers("fr")
    if n >= 100:
        return _hundreds(n, feminine)
    if n == 1 and feminine:
        return "une"
    if n in words:
        return words[n]
    base = max(number for number in words if number <= n and number % 20 == 0) if n > 60 else n - n % 10
    rest = numeral(n - base, feminine=feminine)
    if base == 80:
        return f"quatre-vingt-{rest}"
    return f"{words[base]} et {rest}" if n % 10 == 1 else f"{words[base]}-{rest}"


def _hundreds(n: int, feminine: bool) -> str:
    hundreds, rest = divmod(n, 100)
    head = "cent" if hundreds == 1 else f"{numbers('fr')[hundreds]} cent"
    if rest:
        return f"{head} {numeral(rest, feminine=feminine)}"
    return head if hundreds == 1 else f"{head}s"
