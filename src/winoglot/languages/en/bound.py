"""Words that belong to the pronoun and cannot stay as they are beside a noun.

Quantifiers: *them all* → *all of the hikers*, *they both* → *both cooks*, *the two of them* → *the two cooks* or
*Ann and Bea*. Refused: a pronoun in a question tag (*didn't he?*), and the owner in *on her own*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import number_of
from winoglot.languages.en.wordclass import is_adverb, is_closed, is_in, next_words, opens_phrase, word_at
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place

_NEAR = 60  # characters
_NUMERALS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_BEHIND = re.compile(r"\s+(both|all)\b", re.IGNORECASE)
_OF = re.compile(r"(?:\b(the|all)\s+)?\b([^\W\d_]+)\s+of\s+$", re.IGNORECASE)
_PARTS = re.compile(
    rf"(?:(the|my|your|his|her|its|our|their|whose)\s+)?(?:({'|'.join(_NUMERALS)})\s+)?(.+)", re.IGNORECASE | re.DOTALL
)
_CONJUNCTION = re.compile(r",?\s+and\s+|,\s+")
_TAG = re.compile(r"[,;—–-]\s*(\w+)(?:['’]t)?\s+$")
_TAG_END = re.compile(r"\s*(?:not\s*)?\?")
_FLOATING = re.compile(r"they(?:['’]\w+)?(?:\s+(\w+)(?:['’]t)?)?\s+(both|all)\b", re.IGNORECASE)
_LATER_TAG = re.compile(r",\s*\w+(?:['’]t)?\s+they\s*\?", re.IGNORECASE)


def with_quantifier(place: Place) -> Substitution | None:
    """The candidate with the quantifier that follows *they* or *them*, or comes before *of them*; None without one."""
    if place.surface not in ("they", "them"):
        return None
    match = _BEHIND.match(place.text, place.pronoun.end)
    if match and _quantifies(folded(match.group(1)), word_at(place.text, match.end())):
        phrase = _with_quantifier(place, folded(match.group(1)))
        return place.rewrite(Span(place.pronoun.start, match.end()), phrase, rule="quantifier")
    before = _OF.search(_text_before(place))
    return _of_them(place, before) if before and place.surface == "them" else None


def _text_before(place: Place) -> str:
    """The last words before the pronoun."""
    return place.text[max(0, place.pronoun.start - _NEAR) : place.pronoun.start]


def check_tag(place: Place) -> None:
    """Refuse a pronoun in a question tag, which repeats the subject of its sentence."""
    before = _TAG.search(_text_before(place)) if _TAG_END.match(place.text, place.pronoun.end) else None
    if before and is_in(folded(before.group(1)), "verbs", "auxiliary"):
        raise NotDerivedError(f"{place.surface!r} stands in a question tag and repeats the subject of its sentence")


def check_on_her_own(place: Place) -> None:
    """Refuse *on {her} own* and *of {her} own accord*, where the owner is the subject of the clause."""
    words = [folded(match.group()) for match in next_words(place.text, place.pronoun.end)]
    before = folded(place.text[: place.pronoun.start]).split()[-1:]
    if words[:1] != ["own"]:
        return
    second_word = words[1] if len(words) > 1 else ""
    is_alone = not second_word or is_closed(second_word) or is_adverb(second_word) or opens_phrase(second_word)
    if (before == ["on"] and is_alone) or (before == ["of"] and second_word in ("accord", "volition", "free")):
        phrase = " ".join([*before, place.surface, "own", *([] if is_alone else [second_word])])
        raise NotDerivedError(f"in {phrase!r} the pronoun repeats the subject of its clause")


def check_singular(place: Place) -> None:
    """Refuse *they* for one person where something else shows several: *they were both*, *each other*, a tag."""
    floating = _FLOATING.match(place.text, place.pronoun.start)
    is_floating = floating is not None and is_in(folded(floating.group(1) or "are"), "verbs", "auxiliary")
    words = " ".join(folded(match.group()) for match in next_words(place.text, place.pronoun.end))
    if (floating and is_floating) or "each other" in words:
        evidence = floating.group(2) if floating and is_floating else "each other"
        raise NotDerivedError(f"{evidence!r} shows that 'they' is plural, {place.phrase.text!r} is singular")
    if _LATER_TAG.search(place.text, place.pronoun.end):
        raise NotDerivedError(f"the question tag with 'they' does not fit the singular {place.phrase.text!r}")


def _quantifies(quantifier: str, following: str) -> bool:
    """Whether the quantifier goes with the pronoun before it: not in *them all over the floor*, *them all day*."""
    return quantifier == "both" or following not in lexicon("en", "phrases").words("after-all")


def _with_quantifier(place: Place, quantifier: str) -> str:
    """The candidate with a quantifier: *all of the hikers*, *both cooks*."""
    phrase = place.phrase.text
    if number_of(place) == "singular":
        raise NotDerivedError(f"'{place.surface} {quantifier}' is plural, {phrase!r} is singular")
    if folded(phrase).split()[0] == quantifier:
        return phrase
    if _conjuncts(phrase):
        return _quantified_coordination(phrase, quantifier)
    determiner, numeral, noun = _split_phrase(phrase)
    if quantifier == "all" and numeral == "two":
        raise NotDerivedError(f"'{place.surface} all' are more than two, {phrase!r} are not")
    if quantifier == "all":
        return f"all {numeral} {noun}" if numeral and determiner == "the" else f"all of {determiner or 'the'} {noun}"
    if numeral not in ("", "two"):
        raise NotDerivedError(f"'{place.surface} both' are two, {phrase!r} are not")
    return f"both {noun}" if determiner in ("", "the") and noun[0].islower() else f"both of {determiner} {noun}"


def _of_them(place: Place, before: re.Match[str]) -> Substitution | None:
    """*The two of them*, and what has no *of* before a coordination or a numeral; None if the noun goes after *of*."""
    phrase = place.phrase.text
    lead, word = folded(before.group(1) or ""), folded(before.group(2))
    numeral = _split_phrase(phrase)[1]
    if lead == "the" and word in _NUMERALS:
        inserted, length = _with_numeral(place, word), len(before.group())
    elif _conjuncts(phrase) and is_in(word, "determiners", "part-of"):
        inserted, length = _quantified_coordination(phrase, word), before.end() - before.start(2)
    elif word == "both" and numeral:
        inserted, length = _with_quantifier(place, "both"), before.end() - before.start(2)
    elif lead == "all" and word == numeral:
        inserted, length = _with_quantifier(place, "all"), len(before.group())
    else:
        return None
    touched = Span(place.pronoun.start - length, place.pronoun.end)
    return place.rewrite(touched, inserted, rule="quantifier")


def _with_numeral(place: Place, numeral: str) -> str:
    """The candidate for *the two of them*: *the two cooks*; a coordination needs no numeral."""
    phrase = place.phrase.text
    determiner, own_numeral, noun = _split_phrase(phrase)
    conjuncts = _conjuncts(phrase)
    if number_of(place) == "singular":
        raise NotDerivedError(f"'the {numeral} of them' is plural, {phrase!r} is singular")
    if (conjuncts and len(conjuncts) != _NUMERALS.index(numeral) + 2) or own_numeral not in ("", numeral):
        raise NotDerivedError(f"'the {numeral} of them' are {numeral}, {phrase!r} are not")
    return phrase if conjuncts else f"{determiner or 'the'} {numeral} {noun}"


def _quantified_coordination(phrase: str, quantifier: str) -> str:
    """A coordination with its quantifier, which can only be *both*: *both Ann and Bea*."""
    if quantifier == "both" and len(_conjuncts(phrase)) == 2:
        return f"both {phrase}"
    raise NotDerivedError(f"{quantifier!r} cannot quantify the coordination {phrase!r}")


def _conjuncts(phrase: str) -> list[str]:
    return _CONJUNCTION.split(phrase) if " and " in phrase else []


def _split_phrase(phrase: str) -> tuple[str, str, str]:
    """The determiner, the numeral and the rest of a phrase; the first two in lower case, or empty."""
    match = _PARTS.fullmatch(phrase)
    determiner, numeral, noun = match.groups() if match else (None, None, phrase)
    return folded(determiner or ""), folded(numeral or ""), noun
