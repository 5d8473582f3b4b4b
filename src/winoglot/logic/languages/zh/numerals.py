"""Chinese numbers before a measure word."""

from __future__ import annotations

from winoglot.logic.languages.base import numbers


def numeral(n: int) -> str:
    """The number as written before 个 or 座 if it is below a thousand, otherwise in digits.

    >>> numeral(2), numeral(12), numeral(22), numeral(30), numeral(102), numeral(215)
    ('两', '十二', '二十二', '三十', '一百零二', '两百一十五')
    """
    return "两" if n == 2 else _number(n)


def _number(n: int) -> str:
    digits = numbers("zh")
    if n >= 1000:
        return str(n)
    if n <= 10:
        return digits[n]
    if n < 20:
        return f"十{digits[n - 10]}"
    if n < 100:
        return f"{digits[n // 10]}十{digits[n % 10] if n % 10 else ''}"
    hundreds, rest = divmod(n, 100)
    head = f"{'两' if hundreds == 2 else digits[hundreds]}百"
    if rest == 0:
        return head
    if rest < 10:
        return f"{head}零{digits[rest]}"
    return f"{head}{'一' if rest < 20 else ''}{_number(rest)}"
