"""What a language knows, found by its tag; honest about languages nobody has described yet."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from winoglot import registry
from winoglot.errors import InputError
from winoglot.schemas.function_words import FunctionWords
from winoglot.schemas.language_tag import primary


@cache
def function_words(tag: str) -> FunctionWords:
    """The determiners, possessives and contractions of a language; none for one that has no folder.

    >>> function_words("pt-BR").contractions["na"]
    ('em', 'a')
    >>> function_words("tlh") == FunctionWords()
    True
    """
    known = registry.names("languages")
    for name in (tag.lower(), primary(tag)):
        if name in known:
            words = registry.load("languages", name).WORDS
            if not isinstance(words, FunctionWords):
                raise InputError(
                    f"WORDS of the language {name!r} is no FunctionWords", remedy="See winoglot.languages."
                )
            return words
    return FunctionWords()


def read_words(package: str, name: str) -> list[str]:
    """The lines of a word list in a language's folder, `#` opening a comment; none without such a file."""
    file = files(package).joinpath(name)
    if not file.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def read_function_words(package: str) -> FunctionWords:
    """From the word lists of a language's folder, as far as they exist: the documentation lists them."""
    contractions: dict[str, tuple[str, str]] = {}
    for line in read_words(package, "contractions.txt"):
        form, _, parts = line.partition("=")
        preposition, determiner = parts.split()
        contractions[form.strip()] = (preposition, determiner)
    return FunctionWords(
        determiners=frozenset(" ".join(read_words(package, "determiners.txt")).split()),
        possessives=frozenset(" ".join(read_words(package, "possessives.txt")).split()),
        contractions=contractions,
        pronouns=frozenset(" ".join(read_words(package, "pronouns.txt")).split()),
        expletives=frozenset(read_words(package, "expletives.txt")),
        longer_words=frozenset(read_words(package, "longer_words.txt")),
    )
