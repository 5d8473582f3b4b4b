"""Candidates as the text writes them: in the letter case of a mention, and without the marks of its role there.

Sources cite *emma* for *Emma*, and *of Emma* or *Emma's* where the text has *the photo of Emma* or *Emma's bike*. The
rules see the candidate as it is mentioned: *Emma*. A preposition that no mention explains is refused.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.languages.agreement import features_of_pronoun
from winoglot.languages.base import NotDerivedError, function_words, language_hook
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_also_word, is_name, is_name_title
from winoglot.languages.openings import split
from winoglot.languages.pronouns import roles_of, stands_for_place
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Candidate, Item

_NEAR = 40  # characters: as far as a word before a mention is looked for
_OPENING = re.compile(r"(\w+['’]|\w+ )\s*(?=\w)")
_COLON = re.compile(r":[\s\"«“'‘]*$")  # what follows may begin like a sentence
_TITLE = re.compile(r"\b(\w+\.?) $")
_WORD_BEFORE = re.compile(r"\b(\w+)\s+$")


def as_mentioned(item: Item, language: str) -> Item:
    """The item with its candidates as their mentions write them; unchanged if two would become the same.

    >>> from winoglot import Candidate, Item, Span
    >>> text = "The photo of Emma upset Olga because she smiled."
    >>> emma, olga = Candidate("of emma", mentions=(Span(10, 17),)), Candidate("Olga", mentions=(Span(24, 28),))
    >>> item = Item("a.0", "a", text=text, pronoun=Span(37, 40), candidates=(emma, olga))
    >>> [candidate.text for candidate in as_mentioned(item, "en").candidates]
    ['Emma', 'Olga']
    """
    if item.text is None or stands_for_place(item, language):
        return item
    with_case = [_in_its_case(candidate, item, language) for candidate in item.candidates]
    article = next((before for candidate in with_case if (before := _article_before(candidate, item, language))), "")
    candidates = _titled([_without_role(candidate, item, article, language) for candidate in with_case], item, language)
    if candidates == item.candidates:
        return item
    try:
        return replace(item, candidates=candidates, readings=())
    except InputError:
        return item


def _titled(candidates: Sequence[Candidate], item: Item, language: str) -> tuple[Candidate, ...]:
    """Candidates with the title of their mention (*Dr. Ross*), if another one is cited with its own (*Mrs. Lee*)."""
    titled = [_has_title(candidate.text, language) for candidate in candidates]
    if not any(titled):
        return tuple(candidates)
    return tuple(
        candidate if has else _with_title(candidate, item, language)
        for candidate, has in zip(candidates, titled, strict=True)
    )


def _has_title(phrase: str, language: str) -> bool:
    noun = function_words(language).without_determiner(phrase)
    title, _, name = noun.partition(" ")
    return name[:1].isupper() and is_name_title(title)


def _with_title(candidate: Candidate, item: Item, language: str) -> Candidate:
    text = item.text or ""
    if not candidate.mentions or not candidate.text[0].isupper():
        return candidate
    start = candidate.mentions[0].start
    before = _TITLE.search(text[max(0, start - _NEAR) : start])
    if before is None or not is_name_title(before.group(1)):
        return candidate
    title = before.group()
    first = Span(start - len(title), candidate.mentions[0].end)
    if opens_sentence(text, first.start) and folded(title.strip()) in lexicon(language, "nouns").words("name-like"):
        title = title.lower()  # madame Petit
    return replace(candidate, text=title + candidate.text, mentions=(first, *candidate.mentions[1:]))


def check_citation(candidate: Candidate, language: str) -> None:
    """Refuse a candidate that begins with a preposition which no mention explains."""
    opening = _preposition(candidate.text, language)
    if opening:
        raise NotDerivedError(f"the candidate {candidate.text!r} begins with the preposition {opening!r}")


def _in_its_case(candidate: Candidate, item: Item, language: str) -> Candidate:
    """*emma* as *Emma*: what a mention inside a sentence shows; one that opens a sentence shows it of names only."""
    text = item.text or ""
    core = function_words(language).without_determiner(candidate.text)
    starts = [mention.end - len(core) for mention in candidate.mentions]
    spellings = {start: text[start : start + len(core)] for start in starts if start >= 0}
    if not spellings or core in spellings.values() or text.isupper():
        return candidate
    same_letters = {start: spelling for start, spelling in spellings.items() if folded(spelling) == folded(core)}
    mid_sentence = [
        spelling
        for start, spelling in same_letters.items()
        if not (opens_sentence(text, start) or _COLON.search(text[max(0, start - _NEAR) : start]))
    ]
    opening = [
        spelling for spelling in same_letters.values() if spelling[1:] != core[1:] or _is_name(spelling, item, language)
    ]
    spelling = next(iter(mid_sentence or opening), core)
    return candidate if spelling == core else replace(candidate, text=candidate.text.removesuffix(core) + spelling)


def _is_name(phrase: str, item: Item, language: str) -> bool:
    """Whether what opens a sentence with a capital is a name; a single word for one person is, having no determiner."""
    pronoun = features_of_pronoun(item, language)
    is_person = (pronoun.animacy.value, pronoun.number.value) == ("human", "singular") and " " not in phrase
    is_foreign = any(is_unspaced(form[0]) for form in function_words(language).pronouns)  # Amy in a Chinese text
    is_titled = folded(phrase.partition(" ")[0]) in lexicon(language, "nouns").words("name-like")  # don Michele
    is_listed = is_name(phrase, language) and not is_also_word(phrase, language)
    return is_foreign or (not is_titled and (is_person or is_listed))


@lru_cache(maxsize=10_000)  # asked several times for each candidate of a schema
def _preposition(phrase: str, language: str) -> str:
    """The preposition or contraction that opens the phrase, in lower case; empty if it is something else.

    Before a noun without a determiner it may be part of a word (*vers luisants*), unless it is one that contracts.
    """
    opening = _OPENING.match(phrase)
    if opening is None or not phrase[0].islower() or split(phrase, language)[0]:
        return ""
    words, form, rest = function_words(language), folded(opening.group(1).strip()), phrase[opening.end() :]
    if form in words.contractions or form in words.prepositions:
        return form
    is_phrase = rest[0].isupper() or bool(split(rest, language)[0])
    return form if is_phrase and form in _prepositions(language) else ""


@cache
def _prepositions(language: str) -> frozenset[str]:
    if language_hook(language, "inflected"):
        return frozenset()  # after a preposition the noun is declined
    words = lexicon(language, "function_words")
    return words.words("governs") & words.words("preposition")


def _article_before(candidate: Candidate, item: Item, language: str) -> str:
    """The article before a preposition, after which a noun is left out: *o de Rui*, *celle de Léa*.

    None beside a pronoun that is an owner itself: *a dela* means that of somebody.
    """
    if not candidate.mentions or not _preposition(candidate.text, language):
        return ""
    text = item.text or ""
    roles = roles_of(folded(item.pronoun.of(text)), language) if item.pronoun else []
    if item.pronoun_form == "word" and not {"subject", "object"} & {*roles}:
        return ""
    start = candidate.mentions[0].start
    before = _WORD_BEFORE.search(text[max(0, start - _NEAR) : start])
    word = folded(before.group(1)) if before else ""
    article = function_words(language).contractions.get(word, ("", word))[1]
    determiners = lexicon(language, "determiners")
    return article if article in determiners.words("definite") | determiners.words("predeterminer") else ""


def _without_role(candidate: Candidate, item: Item, article: str, language: str) -> Candidate:
    """*De Ana* as *Ana*, *da Ana* as *a Ana*; beside *a de Bia* it is *a de Ana*, where a noun is left out."""
    form = _preposition(candidate.text, language)
    if form and article:
        return replace(candidate, text=f"{article} {candidate.text}")
    if form and candidate.mentions:
        return _without_preposition(candidate, item, form, language)
    hook = language_hook(language, "without_role")
    bare: Candidate = hook(candidate, item) if hook else candidate
    return bare


def _without_preposition(candidate: Candidate, item: Item, form: str, language: str) -> Candidate:
    contractions = function_words(language).contractions
    if not folded(candidate.mentions[0].of(item.text or "")).endswith(folded(candidate.text)):
        return candidate
    rest = candidate.text[len(form) :].lstrip()
    if form in contractions:
        return replace(candidate, text=f"{contractions[form][1]} {rest}")
    mentions = tuple(Span(mention.end - len(rest), mention.end) for mention in candidate.mentions)
    return replace(candidate, text=rest, mentions=mentions)
