"""Word classes of English words, by closed lists, endings and neighbouring words."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from winoglot.languages.lexicon import lexicon
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

_LETTERS = r"(?:[^\W_][\u0300-\u036f]*)+"
WORD = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})*")
_DOUBLED = re.compile("[^aeiou]*(?:qu)?[aeiou][bdgklmnprt]")  # pat, patted
_IN_Y = re.compile("[^aeiou]y$")  # deny, denied
_BLANKS = " \t\u00a0\u202f"
_ANY_WORD = re.compile(rf"{_LETTERS}(?:['’\-‐‑]{_LETTERS})*|['’]s\b")  # a compound is one word; "the captain 's hat"


def word_at(text: str, index: int) -> str:
    """The word at this position or after the spaces there, case-folded; empty before punctuation or the end.

    >>> word_at("she, too", 3), word_at("she don't", 3)
    ('', "don't")
    """
    rest = text[index:].lstrip(_BLANKS)
    match = WORD.match(rest)
    return folded(match.group()) if match else ""


def next_words(text: str, index: int) -> Iterator[re.Match[str]]:
    """The words after a position, up to the first punctuation mark."""
    while True:
        match = WORD.search(text, index)
        if match is None or text[index : match.start()].strip(_BLANKS):
            return
        yield match
        index = match.end()


def words_before(text: str, index: int) -> Iterator[str]:
    """The words before a position, nearest first, case-folded, up to the first punctuation mark; `'s` counts as one."""
    for match in reversed(_words(text[:index])):
        if text[match.end() : index].strip(_BLANKS):
            return
        yield folded(match.group())
        index = match.start()


def is_in(word: str, table: str, *features: str) -> bool:
    """Whether the word has one of the features in a table of this folder."""
    return word in _having(table, features)


@cache
def _having(table: str, features: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(lexicon("en", table).words, features))


def is_form_of(word: str, *features: str) -> bool:
    """Whether the word is a form of a verb with one of the features.

    >>> is_form_of("gave", "giving"), is_form_of("patting", "touching"), is_form_of("slept", "giving")
    (True, True, False)
    """
    return any(word in _forms_of(feature) for feature in features)


def opens_phrase(word: str) -> bool:
    """Whether the word can begin a noun phrase: a determiner, a numeral, a possessor.

    >>> [opens_phrase(word) for word in ("the", "two", "anna's", "30", "old")]
    [True, True, True, True, False]
    """
    return is_in(word, "determiners", "determiner", "opening") or word.endswith(("'s", "s'")) or word.isdigit()


def is_closed(word: str) -> bool:
    """Whether the word is of a closed class (preposition, conjunction, auxiliary, pronoun …), possibly contracted."""
    form = word.partition("'")[0] if word != "'s" else word
    return is_in(form, "function_words", "preposition", "connective", "pronoun") or is_in(form, "verbs", "auxiliary")


def is_adverb(word: str) -> bool:
    """Whether the word can only be an adverb.

    >>> is_adverb("slowly"), is_adverb("again"), is_adverb("lovely")
    (True, True, False)
    """
    if is_in(word, "function_words", "adverb"):
        return True
    return word.endswith("ly") and len(word) > 4 and not is_in(word, "spelling", "misleading")


def is_past(word: str) -> bool:
    """Whether the word is a past form that differs from the base form: *wanted*, *saw*; not *put*."""
    return _ends_in_ed(word) or (is_any_past(word) and not is_base(word))


def is_any_past(word: str) -> bool:
    """Whether the word is a past form of an irregular verb, even if it equals the base form: *saw*, *put*."""
    return word in _irregular()[1]


def is_participle(word: str) -> bool:
    """Whether the word may be a past participle: *broken*, *closed*, *put*."""
    return _ends_in_ed(word) or word in _irregular()[2]


def is_base(word: str) -> bool:
    """Whether the word is the base form of an irregular verb."""
    return word in _irregular()[0]


@lru_cache(maxsize=64)
def _words(text: str) -> tuple[re.Match[str], ...]:
    return tuple(_ANY_WORD.finditer(text))


def _ends_in_ed(word: str) -> bool:
    return word.endswith("ed") and len(word) > 3 and not is_in(word, "spelling", "misleading")


@cache
def _irregular() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Base forms, past forms and participles of the irregular verbs."""
    pasts, participles = (lexicon("en", "verbs").values(key) for key in ("past", "participle"))
    return frozenset(pasts), frozenset(chain(*pasts.values())), frozenset(chain(*participles.values()))


@cache
def _forms_of(feature: str) -> frozenset[str]:
    return frozenset(chain.from_iterable(map(_forms, lexicon("en", "verbs").words(feature))))


def _forms(base: str) -> Iterator[str]:
    """All forms of a verb, some in two spellings; regular ones are only recognised, never written."""
    verbs = lexicon("en", "verbs")
    yield from (base, "has" if base == "have" else _with_s(base))
    yield from (*verbs.values("past").get(base, ()), *verbs.values("participle").get(base, ()))
    is_short = _DOUBLED.fullmatch(base) is not None
    stems = {
        base + base[-1] if is_short else base,
        *([base, base + base[-1]] if is_in(base, "verbs", "doubled") else []),
    }
    for stem in stems:
        is_silent = stem.endswith("e") and not stem.endswith(("ee", "oe", "ye"))
        yield (stem[:-1] if is_silent else stem) + "ing"
        if base not in verbs.values("past"):
            yield stem[:-1] + "ied" if _IN_Y.search(stem) else stem + ("d" if stem.endswith("e") else "ed")


def _with_s(base: str) -> str:
    if _IN_Y.search(base):
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
