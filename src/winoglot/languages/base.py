"""What a language knows, found by its tag; honest about languages nobody has described yet."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from winoglot import registry
from winoglot.errors import InputError
from winoglot.schemas.language_tag import primary
from winoglot.schemas.mentions import FunctionWords


@cache
def function_words(tag: str) -> FunctionWords:
    """The determiners and contractions of a language; none for one that has no folder.

    >>> function_words("pt-BR").contractions["na"]
    ('em', 'a')
    >>> function_words("tlh")
    FunctionWords(determiners=frozenset(), contractions={})
    """
    known = registry.names("languages")
    for name in (tag.lower(), primary(tag)):
        if name in known:
            words = registry.load("languages", name).WORDS
            if not isinstance(words, FunctionWords):
                raise InputError(f"WORDS of the language {name!r} is no FunctionWords")
            return words
    return FunctionWords()


def read_words(package: str, name: str) -> list[str]:
    """The entries of a word list in a language's folder: one a line, `#` opens a comment."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def read_function_words(package: str) -> FunctionWords:
    """From `determiners.txt` and, where there is one, `contractions.txt` (`na = em a`)."""
    determiners = frozenset(" ".join(read_words(package, "determiners.txt")).split())
    contractions: dict[str, tuple[str, str]] = {}
    if files(package).joinpath("contractions.txt").is_file():
        for line in read_words(package, "contractions.txt"):
            form, _, parts = line.partition("=")
            preposition, determiner = parts.split()
            contractions[form.strip()] = (preposition, determiner)
    return FunctionWords(determiners, contractions)
