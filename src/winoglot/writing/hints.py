"""What to watch in a language when schemas are written in it: a `hints.txt` in its folder, or the general one."""

from __future__ import annotations

from winoglot.languages.base import language_module, read_words


def hints(tag: str) -> list[str]:
    """The hints for the language with this tag, one a line.

    >>> hints("pt-PT")[0].startswith("Gender:"), hints("tlh")[-1].startswith("There are no rules")
    (True, True)
    """
    module = language_module(tag)
    own = read_words(module.__name__, "hints.txt") if module is not None and hasattr(module, "__path__") else []
    return own or read_words("winoglot.languages", "hints.txt")
