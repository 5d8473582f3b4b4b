"""What a language provides, looked up by its tag; languages without rules say so.

A language is a folder. The modules in this package read its tables (`lexicon`); its `__init__.py` may define how a
candidate replaces a pronoun:

    def substitute(place: Place) -> Substitution     # raises NotDerivedError if the grammar cannot decide

A language without `substitute` has naive readings only, and says so. It may also define functions for what tables
cannot express; each has a default:

    def unspoken(place: Place) -> Substitution                       # for a pronoun that is not spoken (`zero`)
    def pronoun_role(item: Item) -> str | None      # subject, object, possessive, prepositional; default: by its form
    def without_role(candidate: Candidate, item: Item) -> Candidate  # a citation without its role: Emma's as Emma
    def definite(item: Item, index: int) -> str | None               # the candidate made definite; default: by article
    def number_of(place: Place) -> str | None                        # singular or plural; default: by determiner
    def euphonic(left: str, right: str) -> str                       # the left text as written before the right one
    def check_exchange(text: str, slots: Sequence[Sequence[Slot]], phrases: Sequence[Phrase]) -> None   # may refuse
    def edit_after(text: str, noun: Span, new: str, number: str | None) -> Edit | None   # after a replaced noun

For finding nouns in plain text (`corpus.nouns`) a language may define

    def word_class(form: str) -> str    # noun, adjective (before a noun), verb (perhaps), adverb, end (of a phrase), ""
    def noun_number(form: str) -> str | None                  # what the noun itself shows; default: its determiner
    def phrase_number(phrase: str) -> str | None              # what the whole phrase shows
    def noun_kind(form: str) -> str | None    # human, animal, thing, or a kind of its own; default: by tables

A language whose words decline may also define

    def inflected(phrase: str) -> Collection[str]      # the phrase's other forms, without determiner, in a text
    def candidate_features(candidate: Candidate, item: Item) -> Traits     # default: by determiner, ending, name
    def pronoun_features(item: Item) -> Traits                             # default: by the table of pronouns
    def in_place_of(item: Item, incoming: int, mention: Span) -> str       # a candidate where the other is mentioned
    def is_named(phrase: str) -> bool               # whether it is a name; default: a capital shows it
    def listed_name(word: str) -> str                                      # the first name of which a word is a form
    def renamed_form(text: str, place: Span, name: str, new: str, gender: str) -> str    # a new name in its case

and one with several scripts

    def simplified(text: str) -> str                # the text in the script of its tables, character by character
    def is_foreign_character(character: str) -> bool                       # whether its texts do not have it: 這 in zh
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.languages.lexicon import contractions, language_module, lexicon
from winoglot.schemas.mentions import FunctionWords

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NotDerivedError", "Substitution", "function_words", "language_hook", "language_module"]


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
def language_hook(tag: str, name: str) -> Callable[..., Any] | None:
    """A function from a language's `__init__.py`, by name; None if it does not define it.

    >>> language_hook("en", "number_of") is None, language_hook("fr", "number_of") is None
    (False, True)
    """
    function: Callable[..., Any] | None = getattr(language_module(tag), name, None)
    return function


@cache
def function_words(tag: str) -> FunctionWords:
    """The determiners, possessives, contractions and pronouns of a language; empty if it has no folder.

    >>> function_words("pt-BR").contractions["na"]
    ('em', 'a')
    >>> function_words("tlh") == FunctionWords()
    True
    """
    words = getattr(language_module(tag), "WORDS", None)
    if words is not None:  # a language in a single file has no tables
        if not isinstance(words, FunctionWords):
            raise InputError(
                f"WORDS of the language {tag!r} is not a FunctionWords", remedy="Write: WORDS = FunctionWords(…)."
            )
        return replace(words, inflected=language_hook(tag, "inflected"))
    determiners, pronouns = lexicon(tag, "determiners"), lexicon(tag, "pronouns")
    openers, classifiers = determiners.words("determiner"), lexicon(tag, "function_words").words("classifier")
    if classifiers:  # 这只, 一个
        openers = frozenset(opener + classifier for opener in openers for classifier in classifiers)
    return FunctionWords(
        determiners=openers,
        possessives=determiners.words("follows-article"),
        contractions=contractions(tag),
        pronouns=pronouns.words(),
        attached_pronouns=pronouns.words("attached"),
        places=lexicon(tag, "function_words").words("place") - lexicon(tag, "function_words").words("question"),
        expletives=lexicon(tag, "phrases").words("expletive"),
        longer_words=lexicon(tag, "spelling").words("contains-pronoun"),
        inflected=language_hook(tag, "inflected"),
    )
