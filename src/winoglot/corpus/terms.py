"""The words between which an item's association is measured: one term per candidate, and the reference.

A collection may state its terms; otherwise they are the heads of the candidates and the content words of the segment
or the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from winoglot.errors import InputError, did_you_mean
from winoglot.languages.base import function_words
from winoglot.languages.frequencies import content_words, word_key
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_name
from winoglot.languages.phrases import split
from winoglot.languages.text import words
from winoglot.schemas.text import is_unspaced, primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.schemas.model import Item
    from winoglot.schemas.spans import Span

AGAINST = ("segment", "text")
_NAMES = "names"  # the tag of items whose candidates are names


@dataclass(frozen=True)
class ItemTerms:
    """The words of each candidate's term and of the reference; or why there are none."""

    candidates: tuple[tuple[str, ...], ...] = ()
    reference: tuple[str, ...] = ()
    why_not: str = ""


def terms_of(item: Item, language: str, *, against: str = "segment", names: bool = False) -> ItemTerms:
    """The words between which association is measured.

    A candidate's term is its head; if candidates have the same head, the words in which they differ.

    >>> import winoglot as wg
    >>> item = wg.load("winoglot-pt").schema("fence-wisteria").items[0]
    >>> terms_of(item, "pt").candidates, terms_of(item, "pt").reference
    ((('cerca',), ('trepadeira',)), ('pesada',))
    """
    if against not in AGAINST:
        raise InputError(f"against is {against!r}", remedy=did_you_mean(against, AGAINST))
    if not item.candidates and not item.terms.candidates:
        return ItemTerms(why_not="candidates not named")
    if item.terms.candidates:
        terms = [_plain_words(term, language) for term in item.terms.candidates]
    elif not names and any(_is_name(item, index, language) for index in range(len(item.candidates))):
        return ItemTerms(why_not="a candidate is a name")
    else:
        terms = _heads([candidate.text for candidate in item.candidates], language)
    if not all(terms):
        return ItemTerms(why_not="a candidate has no word of its own")
    reference = _reference(item, language, against)
    if not reference:
        reason = (
            "no segment is marked"
            if against == "segment" and not item.segment
            else f"the {against} has no content word"
        )
        return ItemTerms(why_not=reason)
    return ItemTerms(tuple(map(tuple, terms)), tuple(dict.fromkeys(reference)))


def characters_of(terms: ItemTerms) -> ItemTerms:
    """The characters of the terms, of each candidate only those that the others do not have too."""
    candidates = [_unspaced_characters(words) for words in terms.candidates]
    shared = set.intersection(*map(set, candidates)) if candidates else set()
    distinct = tuple(tuple(sign for sign in signs if sign not in shared) for signs in candidates)
    why_not = terms.why_not or ("" if all(distinct) else "a candidate has no character of its own")
    return ItemTerms(distinct, _unspaced_characters(terms.reference), why_not)


def _unspaced_characters(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sign for word in words for sign in word if is_unspaced(sign)))


def head(phrase: str, language: str) -> list[str]:
    """The head of a noun phrase: its first content word or, if modifiers come first, the last before a preposition.

    >>> head("a torre nova da igreja", "pt"), head("the old oak tree behind the barn", "en"), head("蓝色的箱子", "zh")
    (['torre'], ['tree'], ['箱子'])
    """
    small = lexicon(language, "function_words").words("preposition") | function_words(language).contractions.keys()
    noun = split(phrase, language)[1]
    head_words: list[str] = []
    for word in words(noun, language):
        if head_words and word_key(word) in small:
            break
        head_words += content_words(word, language)
    return head_words[-1:] if primary(language) in _table("heads.txt")["last"] else head_words[:1]


def _heads(phrases: Sequence[str], language: str) -> list[list[str]]:
    """The head of each phrase; if some are the same, the content words that not all phrases share."""
    heads = [head(phrase, language) for phrase in phrases]
    keys = [[word_key(word) for word in head_words] for head_words in heads]
    if all(keys.count(key) == 1 for key in keys):
        return heads
    words_by_phrase = [content_words(phrase, language) for phrase in phrases]
    shared = set.intersection(*({word_key(word) for word in phrase_words} for phrase_words in words_by_phrase))
    return [[word for word in phrase_words if word_key(word) not in shared] for phrase_words in words_by_phrase]


def _reference(item: Item, language: str, against: str) -> list[str]:
    text = item.text or ""
    if against == "segment":
        if item.terms.segment is not None:
            return _plain_words(item.terms.segment, language)
        return [word for place in item.segment for word in _telling_words(place.of(text), language)]
    mentions = [mention for candidate in item.candidates for mention in candidate.mentions]
    return _telling_words(_blank_out(text, [*mentions, *([item.pronoun] if item.pronoun else [])]), language)


def _telling_words(text: str, language: str) -> list[str]:
    """The content words without auxiliaries, negation and the like, which occur near everything."""
    light = _table("light_words.txt").get(primary(language), frozenset())
    return [word for word in content_words(text, language) if word_key(word) not in light]


def _blank_out(text: str, places: Sequence[Span]) -> str:
    """The text with spaces in these places."""
    signs = list(text)
    for place in places:
        signs[place.start : place.end] = " " * (place.end - place.start)
    return "".join(signs)


def _plain_words(term: str, language: str) -> list[str]:
    """The content words of a stated term, or all words if it has none: *to ask* is *ask*."""
    return content_words(term, language) or [word for word in words(term, language) if word[0].isalnum()]


def _is_name(item: Item, index: int, language: str) -> bool:
    """Whether a candidate is a name: by the item's tag, its capital, or the list of names in scripts without case."""
    if _NAMES in item.tags:
        return True
    candidate = item.candidates[index]
    noun = split(candidate.text, language)[1]
    if not noun[:1].isupper():
        return is_name(noun, language) and not noun[:1].islower()
    mentions = [split(mention.of(item.text or ""), language)[1] for mention in candidate.mentions]
    return not any(mention[:1].islower() for mention in mentions)


@cache
def _table(name: str) -> dict[str, frozenset[str]]:
    """A table of `key: words` lines; a key may have several lines."""
    table: dict[str, set[str]] = {}
    for line in files("winoglot.corpus").joinpath(name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            key, _, listed_words = line.partition(":")
            table.setdefault(key, set()).update(listed_words.split())
    return {key: frozenset(listed_words) for key, listed_words in table.items()}
