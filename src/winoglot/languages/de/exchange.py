"""Candidates exchanged, and names replaced by others: the new phrase takes the case of the old one.

A determiner stays where it is (*den Koffer* gives *den Rucksack*) and shows the case, which the adjectives of a name
have as well (*den kleinen Hans*); other names change only in their genitive (*Peters Hut*, *Hans' Hut*), and *Herr*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.de.candidates import described, shown_at
from winoglot.languages.de.clauses import is_preposition, phrase_after
from winoglot.languages.de.declension import MASCULINE, RELATIVE_CLAUSE, analyses, genitive_of_name, kind_after
from winoglot.languages.names import name_gender
from winoglot.languages.substitution import tokens
from winoglot.schemas.spans import Edit, Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Item

_APOSTROPHES = ("'", "’")
_HERR = ("herr", "herrn")


def in_place_of(item: Item, incoming: int, mention: Span) -> str:
    """The candidate in the case in which the text mentions the other one here; with its determiner if that one has."""
    text = item.text or ""
    new, old = (described(item.candidates[index], item) for index in (incoming, 1 - incoming))
    if new.phrase.joined or old.phrase.joined:
        raise NotDerivedError("several people or things together are not exchanged")
    if new.phrase.is_name != old.phrase.is_name:
        raise NotDerivedError("one candidate is a name and the other is not, so that their articles differ")
    surface = mention.of(text)
    if bool(RELATIVE_CLAUSE.search(new.phrase.rest)) != bool(RELATIVE_CLAUSE.search(old.phrase.rest)):
        raise NotDerivedError("only one candidate has a relative clause, which needs commas")
    if new.phrase.is_name and not new.phrase.modifiers and not old.phrase.modifiers:
        return _name_in_place(item, incoming, mention)
    if bool(new.phrase.modifiers) != bool(old.phrase.modifiers) and new.phrase.is_name:
        raise NotDerivedError("only one of the names has an adjective, and the article that goes with it")
    after = phrase_after(text, tokens(text, mention.end, len(text)))
    if after is not None and after.looks_genitive:
        raise NotDerivedError(f"'{after.opening} {after.head}' may belong to {surface!r}")
    sorts = new.sorts & old.sorts
    mentioned = shown_at(text, mention, item.pronoun or Span(0, 0))
    opening = folded(mentioned.partition(" ")[0]) if " " in mentioned else ""
    possible = [analysis for analysis in analyses(opening) if analysis.sort in sorts]
    if not possible:
        raise NotDerivedError(f"the case or the gender of {surface!r} is unknown")
    if folded(surface.partition(" ")[0]) in {opening, *function_words("de").contractions}:
        forms = {new.phrase.declined(analysis.sort, analysis.case) for analysis in possible}
    else:
        forms = {new.phrase.noun_part(analysis.sort, analysis.case, kind_after(analysis.stem)) for analysis in possible}
    if len(forms) != 1:
        raise NotDerivedError(f"the case of {surface!r} is not certain")
    return forms.pop()


def _name_in_place(item: Item, incoming: int, mention: Span) -> str:
    """A name in the other's place; *Herr* shows the case, which the genitive and the words around the place show."""
    text, pronoun = item.text or "", item.pronoun or Span(0, 0)
    new, old = (described(item.candidates[index], item).phrase for index in (incoming, 1 - incoming))
    surface = mention.of(text)
    shown = shown_at(text, mention, pronoun).removesuffix(surface).split()
    if any(word[:1].islower() and not analyses(folded(word)) for word in shown):
        raise NotDerivedError(f"{shown[-1]!r} before {surface!r} belongs to it, but not to the candidate")
    if folded(surface) == folded(old.noun_part(MASCULINE, "genitive", "strong")):
        return new.noun_part(MASCULINE, "genitive", "strong")
    if folded(new.head) not in _HERR:
        return new.core
    is_nominative = _is_nominative(text, mention, [other.of(text) for other in item.candidates[incoming].mentions])
    if is_nominative is None:
        raise NotDerivedError(f"the case of {surface!r} is not certain, which {new.core!r} shows")
    return new.noun_part(MASCULINE, "nominative" if is_nominative else "dative", "strong")


def _is_nominative(text: str, mention: Span, others: Sequence[str]) -> bool | None:
    """Whether a name is in the nominative: by *Herr*, a preposition or article, or the case of the other name."""
    words = folded(mention.of(text)).split()
    before = tokens(text, 0, mention.start)[-1:]
    if words[0] in _HERR:
        return words[0] == "herr"
    if before and is_preposition(before[0].form):
        return False
    shown = [analysis for token in before for analysis in analyses(token.form) if analysis.sort == MASCULINE]
    if shown:
        return all(analysis.case == "nominative" for analysis in shown)
    cases = {folded(other).partition(" ")[0] == "herr" for other in others if folded(other).split()[0] in _HERR}
    return not cases.pop() if len(cases) == 1 else None  # one of the two is the subject


def edit_after(text: str, noun: Span, new: str, number: str | None) -> Edit | None:  # noqa: ARG001
    """The apostrophe of a genitive where the new name does not need it: *Hans' Hut*, *Peters Hut*, and the reverse."""
    after = text[noun.end : noun.end + 2]
    if after[:1] not in _APOSTROPHES or after[1:2].isalpha() or not noun.of(text).endswith(("s", "ß", "x", "z")):
        return None
    needed = genitive_of_name(new)
    if needed.endswith("'"):
        return None
    return Edit(Span(noun.end, noun.end + 1), "s")


def listed_name(word: str) -> str:
    """The first name of which the word is the genitive; else the word itself.

    >>> listed_name("Annas"), listed_name("Lukas"), listed_name("Haus")
    ('Anna', 'Lukas', 'Haus')
    """
    bare = re.sub("s$", "", word)
    is_genitive = name_gender(word, "de").value is None and name_gender(bare, "de").value is not None
    is_changed = bare != word and not function_words("de").closed & {folded(word)}
    return bare if is_genitive and is_changed else word


def renamed_form(text: str, place: Span, name: str, new: str, gender: str) -> str:  # noqa: ARG001
    """The new name in the case of the old one."""
    surface = place.of(text)
    if folded(surface) != folded(f"{name}s"):
        return new
    return genitive_of_name(new)
