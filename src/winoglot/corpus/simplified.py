"""Traditional Chinese characters made simplified, word by word, by OpenCC."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def converter() -> Callable[[str], str]:
    """The function that converts a text; without the library an input error that says how to get it."""
    try:
        import opencc
    except ImportError as error:
        message = "traditional characters are made simplified by OpenCC, which is not installed"
        remedy = 'pip install "winoglot[corpus]", or add --keep-script for a text that is all simplified.'
        raise InputError(message, remedy=remedy) from error
    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert
