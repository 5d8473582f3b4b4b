"""Names of one schema that belong to one person: *Tommy* and *Tom*, *Lilianne* and *Liliane*.

Two names are alike if one is a familiar form of the other, or both of a third (table `names`), or if they differ only
in how the same sounds are written. Somebody cited by a name that the text does not have may also be misspelt there, by
one letter. They belong to two people if they differ in gender or surname, if they are different candidates, or if one
clause has both (*Tom rang Tommy*, *Tom, Tommy and Ann*).
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from winoglot.languages.lexicon import lexicon
from winoglot.perturb.renamed.finding import listed_gender, name_tables, places_of, runs_in
from winoglot.schemas.spans import shared_end, shared_start
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

_RESPELT = (("ph", "f"), ("h", ""), ("y", "i"), ("k", "c"), ("z", "s"), ("w", "v"))  # Kathy, Cathi; Luiz, Luis
_DOUBLE = re.compile(r"(\w)\1")
_JOINING = frozenset(
    {"or", "nor", "both", "either", "neither", "than", "for", "plus", "except", "ou", "et", "ni", "o", "se"}
)
_JOINING |= {"como", "comme", "que", "als", "wie", "или", "либо", "чем", "как", "да", "а"}  # and compare
_SHORTEST_MISSPELT = 5  # letters: Ana and Ena are two names


def same_person(
    names: Sequence[str],
    apart: Iterable[Collection[str]],
    unnamed: Collection[str],
    texts: Sequence[str],
    language: str,
) -> list[list[str]]:
    """The groups of names that belong to one person each, in the order of the names; each name is in one group.

    Names of one collection in `apart` are different people's; `unnamed` are candidates whom the text does not name.

    >>> same_person(["Tommy", "Rita", "Tom"], [], [], ["Tommy called Rita. Tom was late."], "en")
    [['Tommy', 'Tom'], ['Rita']]
    """
    different = {frozenset(pair) for group in apart for pair in combinations(group, 2)}
    groups: list[list[str]] = []
    for name in names:
        fitting = [
            group
            for group in groups
            if any(_is_like(name, member, unnamed) for member in group)
            and all(frozenset((name, member)) not in different for member in group)
            and all(_may_be_one(name, member, texts, language) for member in group)
        ]
        if len(fitting) == 1:  # Sam may be Samuel or Samantha
            fitting[0].append(name)
        else:
            groups.append([name])
    return groups


def unlisted_forms(names: Collection[str], unnamed: Collection[str], texts: Sequence[str], language: str) -> list[str]:
    """Words of the texts that no list has and that are like one of the names: Lilianne beside Liliane."""
    words = dict.fromkeys(run[0].name for text in texts for run in runs_in(text, language))
    unlisted = [word for word in words if word not in names and not listed_gender(word, language).value]
    return [word for word in unlisted if any(_is_like(word, name, unnamed) for name in names)]


def _is_like(first: str, second: str, unnamed: Collection[str]) -> bool:
    """Whether two names may be spellings or familiar forms of one."""
    if f"{first}s" == second or f"{second}s" == first:  # a possessive without its apostrophe
        return False
    if not _sounds(first).isdisjoint(_sounds(second)):
        return True
    start = shared_start(first, second)
    differing = max(len(first), len(second)) - start - shared_end(first[start:], second[start:])
    is_long = min(len(first), len(second)) >= _SHORTEST_MISSPELT
    return differing == 1 and is_long and (first in unnamed or second in unnamed)


@cache
def _sounds(name: str) -> frozenset[str]:
    """How the name and the names of which it is a familiar form are written, apart from spelling variants."""
    return frozenset(map(_sound, {folded(name), *_full_forms().get(folded(name), ())}))


def _sound(name: str) -> str:
    plain = "".join(letter for letter in normalize("NFD", name) if not combining(letter))
    for written, respelt in _RESPELT:
        plain = plain.replace(written, respelt)
    return _DOUBLE.sub(r"\1", plain)


@cache
def _full_forms() -> Mapping[str, set[str]]:
    forms: dict[str, set[str]] = {}
    for name, familiar in chain.from_iterable(table.values("familiar").items() for table in name_tables().values()):
        for form in familiar:
            forms.setdefault(form, set()).add(name)
    return forms


def _may_be_one(first: str, second: str, texts: Sequence[str], language: str) -> bool:
    """Whether two names may be one person's: neither gender nor surname nor a clause keeps them apart."""
    genders = {listed_gender(name, language).value for name in (first, second)} - {None, "common"}
    surnames = [_surnames(name, texts, language) for name in (first, second)]
    return (
        len(genders) < 2
        and not (all(surnames) and surnames[0].isdisjoint(surnames[1]))
        and not any(_are_side_by_side(text, first, second, language) for text in texts)
    )


def _are_side_by_side(text: str, first: str, second: str, language: str) -> bool:
    """Whether a clause names both, or one follows the other in a list."""
    spans = sorted(place.span for name in (first, second) for place in places_of(text, {name}, language))
    between = (text[left.end : right.start] for left, right in pairwise(spans) if left.of(text) != right.of(text))
    return any(words.strip() == "," or not _boundary(language).search(words) for words in between)


@cache
def _boundary(language: str) -> re.Pattern[str]:
    """What separates clauses: a mark, or a word that opens one and does not join or compare things."""
    table = lexicon(language, "function_words")
    words = (table.words("connective") | table.words("subordinator")) - table.words("conjunction") - _JOINING
    return re.compile(rf"[.,;:!?…]|\b(?:{'|'.join(map(re.escape, words)) or '(?!)'})\b", re.IGNORECASE)


def _surnames(name: str, texts: Sequence[str], language: str) -> set[str]:
    return {run[1].name for text in texts for run in runs_in(text, language) if len(run) > 1 and run[0].name == name}
