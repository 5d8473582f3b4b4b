"""What a language offers, found by its tag; honest about languages nobody has described yet.

A language is a folder. Its word lists and tables are read by the modules beside this one; its `__init__.py` says
`WORDS`, and may say how a candidate is put in a pronoun's place:

    def substitute(place: Place) -> Substitution     # raises NotDerivedError where its grammar cannot decide

A language without `substitute` has naive readings only, and says so. What words in tables cannot tell, it may offer as
functions, of which a language that offers none gets the general answer:

    def definite(item: Item, index: int) -> str | None               # the candidate as it is taken up, else its article
    def number_of(place: Place) -> str | None                        # one or several, else what determiners show
    def euphonic(left: str, right: str) -> str                       # the left text before the right, else unchanged
    def check_exchange(text: str, slots: Sequence[Sequence[Slot]], phrases: Sequence[Phrase]) -> None   # else it may be
    def behind(text: str, noun: Span, new: str, number: str | None) -> Edit | None     # for another noun, else nothing
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from winoglot import registry
from winoglot.errors import InputError
from winoglot.schemas.mentions import FunctionWords
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


class NotDerivedError(Exception):
    """Grammar cannot decide how the candidate stands in the pronoun's place; the message says why."""


@dataclass(frozen=True)
class Substitution:
    """A text with the candidate in the pronoun's place, and the rule that put it there."""

    before: str
    inserted: str
    after: str
    rule: str


@cache
def language_module(tag: str) -> ModuleType | None:
    """The package of the language with this tag or, failing that, of its primary language; None where nobody wrote one.

    >>> language_module("pt-PT").__name__, language_module("tlh")
    ('winoglot.languages.pt', None)
    """
    known = registry.names("languages")
    folder = next((code for code in (tag.lower(), primary(tag)) if code in known), None)
    return None if folder is None else registry.load("languages", folder)


@cache
def offered(tag: str, name: str) -> Callable[..., Any] | None:
    """A function of a language's `__init__.py`, by its name; None where it offers none.

    >>> offered("en", "number_of") is None, offered("fr", "number_of") is None
    (False, True)
    """
    function: Callable[..., Any] | None = getattr(language_module(tag), name, None)
    return function


@cache
def function_words(tag: str) -> FunctionWords:
    """The determiners, possessives and contractions of a language; none for one that has no folder.

    >>> function_words("pt-BR").contractions["na"]
    ('em', 'a')
    >>> function_words("tlh") == FunctionWords()
    True
    """
    module = language_module(tag)
    if module is None:
        return FunctionWords()
    words = module.WORDS
    if not isinstance(words, FunctionWords):
        raise InputError(
            f"WORDS of the language {module.__name__!r} is not a FunctionWords", remedy="See winoglot.languages."
        )
    return words


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
        attached_pronouns=frozenset(" ".join(read_words(package, "attached_pronouns.txt")).split()),
        expletives=frozenset(read_words(package, "expletives.txt")),
        longer_words=frozenset(read_words(package, "longer_words.txt")),
    )
