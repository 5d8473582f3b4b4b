"""The possessive of a noun phrase: *Jim's*, *Silas's*, *the boys'*, *Omar and Leila's*.

It replaces every possessive pronoun: *his car*, *a friend of his*, *the car is his*. A phrase whose last word is not
its head has no possessive if that word is a plural: *the sack of potatoes*. A name that takes the place of another one
changes its ending: *James' hat*, *Jim's hat*.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number, number_of
from winoglot.languages.en.wordclass import (
    WORD,
    is_adverb,
    is_closed,
    is_in,
    is_past,
    next_words,
    word_at,
)
from winoglot.schemas.spans import Edit, Span
from winoglot.schemas.text import folded, is_word_character

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Candidate, Item

_GENITIVE = re.compile(r"(.+?)(?:['’]s|(?<=s)['’])")
_WITH_S = re.compile(r"['’]s\b")
_APOSTROPHE = re.compile(r"['’](?=[ \u00a0]\w)")
_OPENING_QUOTE = re.compile(r"(?:^|[\s(—-])'|‘")
_DOUBLE = re.compile(r"(?:an?|some|this|that|these|those|two|three) .*\bof\b", re.IGNORECASE)  # a friend of Tom's


def possessive(place: Place, *, rule: str = "possessive") -> Substitution:
    """Replace the pronoun by the candidate's possessive."""
    _check_not_its_own(place)
    is_long = any(_has_words_of_its_own(candidate.text) for candidate in place.item.candidates)
    owned = _owned(place) if is_long and not place.phrase.is_name and rule == "possessive" else None
    if owned is not None:  # of both candidates, for fairness
        lead = f"the {owned.of(place.text)} of "
        return place.rewrite(Span(place.pronoun.start, owned.end), place.phrase.text, lead=lead, rule=rule)
    return place.rewrite(place.pronoun, place.phrase.text + ending(place), rule=rule)


def _has_words_of_its_own(phrase: str) -> bool:
    """Whether the words after the noun make *'s* unclear: *the man who left*, *the sister of the queen's maid*."""
    inner = [folded(word) for word in phrase.split()[1:]]
    if "of" in inner and (any("'s" in word for word in inner) or noun_number(inner[-1]) == "plural"):
        return True
    return any(is_in(word, "function_words", "preposition", "relative") for word in inner if word != "of")


def _owned(place: Place) -> Span | None:
    """The words after the pronoun that it owns, if it is certain where they end: before punctuation or a verb."""
    from winoglot.languages.en.rewriting.inflection import parts_of_speech

    end, is_described = place.pronoun.end, True
    for match in next_words(place.text, place.pronoun.end):
        word = folded(match.group())
        classes = parts_of_speech(word)
        is_verb = not is_described and (is_past(word) or classes == {"VERB"})
        if is_closed(word) or is_adverb(word) or is_verb:
            is_new_clause = is_in(word, "verbs", "auxiliary") or is_verb or is_adverb(word)
            return Span(place.pronoun.end + 1, end) if is_new_clause and not is_described else None
        is_certain = is_described or classes == {"NOUN"}
        if word == "own" or not is_certain:
            return None  # his own house, his dog barks
        is_described = "NOUN" not in classes or "ADJ" in classes or is_in(word, "determiners", "numeral")
        end = match.end()
    return Span(place.pronoun.end + 1, end) if end > place.pronoun.end and not is_described else None


def without_role(candidate: Candidate, item: Item) -> Candidate:
    """*Emma's* as *Emma* if the pronoun is a person, *the girls'* as *the girls* if what they own follows.

    Otherwise *Ben's* may be Ben's bike, and *Lowe's* a shop.

    >>> from winoglot import Candidate, Item, Span
    >>> emma = Candidate("Emma's", mentions=(Span(0, 6),))
    >>> item = Item("a.0", "a", text="Emma's dog bit Tom because she ran.", pronoun=Span(27, 30), candidates=(emma,))
    >>> without_role(emma, item).text
    'Emma'
    """
    genitive = _GENITIVE.fullmatch(candidate.text)
    if genitive is None or not candidate.mentions or _DOUBLE.match(candidate.text):
        return candidate
    text, owner = item.text or "", genitive.group(1)
    pronoun = features_of_pronoun(item, "en")
    are_owners = not candidate.text.endswith("s") and all(word_at(text, mention.end) for mention in candidate.mentions)
    if pronoun.animacy.value != "human" and (pronoun.animacy.value == "thing" or not are_owners):
        return candidate
    removed = len(candidate.text) - len(owner)
    mentions = tuple(Span(mention.start, mention.end - removed) for mention in candidate.mentions)
    return replace(candidate, text=owner, mentions=mentions)


def ending(place: Place) -> str:
    """The possessive ending: `'s`, or `'` after the -s of a plural."""
    phrase = place.phrase.text
    words = WORD.findall(phrase)
    if not words or not (is_word_character(phrase[-1]) or phrase[-1] == "."):
        raise NotDerivedError(f"{phrase!r} does not end in a word that can take a possessive ending")
    last = folded(words[-1])
    if last.endswith("'s") or phrase.endswith(("'", "’")):
        raise NotDerivedError(f"{phrase!r} is already a possessive")
    inner = {folded(word) for word in words[1:]}
    if any(is_in(word, "function_words", "relative") for word in inner):
        raise NotDerivedError(f"{phrase!r} is too long for a possessive")
    if not words[-1].endswith("s"):
        return "'s"
    if any(is_in(word, "function_words", "preposition") for word in inner):
        is_town = words[-1][0].isupper() and is_in(folded(words[-2]), "function_words", "preposition")  # of Leeds
        if noun_number(last) == "plural" and not is_town:
            raise NotDerivedError(f"{phrase!r} does not end in its head, so its possessive is unusual")
        return "'s"
    if _is_plural_form(phrase, last):
        return "'"
    number = number_of(place)
    if number is None and is_in(last, "nouns", "either-number"):
        raise NotDerivedError(f"{last!r} may be singular or plural, and its possessive depends on it")
    if number is None and place.surface.startswith("their"):
        raise NotDerivedError(f"cannot tell whether {phrase!r} is singular or plural")
    return "'" if number == "plural" else "'s"


def _is_plural_form(phrase: str, last: str) -> bool:
    """Whether a name is a plural by its form, even if it names one: *the Netherlands'*, *General Motors'*."""
    is_plural = noun_number(last) == "plural" and not is_in(last, "names", "singular")
    is_articled = phrase.lower().startswith("the ") and phrase[4].isupper() and is_plural
    return is_articled or (" " in phrase and is_in(last, "names", "plural-form"))


def _check_not_its_own(place: Place) -> None:
    """Refuse *{her} mother* for the mother herself."""
    for mention in place.mentions:
        gap = place.text[place.pronoun.end : mention.start]
        if mention.overlaps(place.pronoun) or (mention.start >= place.pronoun.end and not gap.strip()):
            raise NotDerivedError(f"{mention.of(place.text)!r} is what the pronoun possesses, not its possessor")


def edit_after(text: str, noun: Span, new: str, number: str | None) -> Edit | None:
    """The edit right after the noun when it is replaced by `new`; None if nothing changes.

    Raises NotDerivedError for an apostrophe that may close a quotation, and for a plural in -s replacing one without.

    >>> edit_after("James' hat", Span(0, 5), "Jim", "singular").new
    "'s"
    """
    old = noun.of(text)
    if _WITH_S.match(text, noun.end) and number == "plural" and new.endswith("s"):
        raise NotDerivedError(f"the possessive of {new!r} is not written like that of {old!r}")
    bare = _APOSTROPHE.match(text, noun.end)
    if not bare or not old.endswith("s") or new.endswith("s"):
        return None
    if _OPENING_QUOTE.search(text[: noun.start]):
        raise NotDerivedError(f"{text[noun.start : noun.end + 1]!r} may close a quotation")
    return Edit(Span(noun.end, noun.end + 1), bare.group() + "s")
