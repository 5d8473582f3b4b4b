"""What a language provides, looked up by its tag; languages without rules say so.

A language is a folder. The modules in this package read its word lists and tables; its `__init__.py` defines `WORDS`,
and may define how a candidate replaces a pronoun:

    def substitute(place: Place) -> Substitution     # raises NotDerivedError if the grammar cannot decide

A language without `substitute` has naive readings only, and says so. It may also define functions for what tables
cannot express; each has a default:

    def definite(item: Item, index: int) -> str | None               # the candidate made definite; default: by article
    def number_of(place: Place) -> str | None                        # singular or plural; default: by determiner
    def euphonic(left: str, right: str) -> str                       # the left text as written before the right one
    def check_exchange(text: str, slots: Sequence[Sequence[Slot]], phrases: Sequence[Phrase]) -> None   # may refuse
    def behind(text: str, noun: Span, new: str, number: str | None) -> Edit | None     # change after a replaced noun

A language whose words decline may also define

    def inflected(phrase: str) -> Collection[str]      # the phrase's other forms, without determiner, in a text
    def candidate_features(candidate: Candidate, item: Item) -> Traits     # default: by determiner, ending, name
    def pronoun_features(item: Item) -> Traits                             # default: by the table of pronouns
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    """The grammar cannot decide how the candidate replaces the pronoun; the message says why."""


@dataclass(frozen=True)
class Substitution:
    """A text with the candidate in the pronoun's place, and the rule that was applied."""

    before: str
    inserted: str
    after: str
    rule: str


@cache
def language_module(tag: str) -> ModuleType | None:
    """The package of the language with this tag or, failing that, of its primary language; None if there is none.

    >>> language_module("pt-PT").__name__, language_module("tlh")
    ('winoglot.languages.pt', None)
    """
    known = registry.names("languages")
    folder = next((code for code in (tag.lower(), primary(tag)) if code in known), None)
    return None if folder is None else registry.load("languages", folder)


@cache
def offered(tag: str, name: str) -> Callable[..., Any] | None:
    """A function from a language's `__init__.py`, by name; None if it does not define it.

    >>> offered("en", "number_of") is None, offered("fr", "number_of") is None
    (False, True)
    """
    function: Callable[..., Any] | None = getattr(language_module(tag), name, None)
    return function


@cache
def function_words(tag: str) -> FunctionWords:
    """The determiners, possessives and contractions of a language; empty if it has no folder.

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
            f"WORDS of the language {module.__name__!r} is not a FunctionWords",
            remedy="Write: WORDS = read_function_words(__name__).",
        )
    return replace(words, inflected=offered(tag, "inflected"))


def read_words(package: str, name: str) -> list[str]:
    """The lines of a word list in a language's folder, without `#` comments; empty if there is no such file."""
    file = files(package).joinpath(name)
    if not file.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def read_function_words(package: str) -> FunctionWords:
    """Read the word lists that exist in a language's folder; the documentation lists them."""
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
