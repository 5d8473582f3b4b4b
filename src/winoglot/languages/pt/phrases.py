"""The candidate as a Portuguese noun phrase: names with titles, coordinations, and phrases to refuse."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.names import name_gender
from winoglot.languages.phrases import definite_article
from winoglot.languages.pt.grammar import PORTUGUESE
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.model import Features
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.substitution import Phrase, Place

_CONJUNCTS = re.compile(r"(,\s+|\s+e\s+)")
_FIRST = re.compile(r"\w+")


def settled(place: Place) -> Place:
    """The place with its phrase ready for insertion; raises NotDerivedError if it is not a noun phrase."""
    phrase = place.phrase
    first = _FIRST.match(phrase.noun)
    opening = folded(first.group()) if first else ""
    if not phrase.is_name and opening in PORTUGUESE.small("preposition"):
        raise NotDerivedError(f"the candidate {phrase.noun!r} begins with a preposition")
    may_be_verb = phrase.determiner == "a" and " " not in phrase.noun and not phrase.is_name
    if may_be_verb and PORTUGUESE.is_infinitive(folded(phrase.noun)):
        raise NotDerivedError(f"the candidate {phrase.noun!r} is a verb")  # "começou a chover"
    pronoun = PORTUGUESE.table("pronouns").features().get(place.surface, Features())
    _check_number(phrase, pronoun)
    if phrase.is_name and not phrase.determiner:
        if _is_plural_noun(place, pronoun):
            article = definite_article(pronoun.gender, "plural", "pt") or ""
            noun = phrase.noun[0].lower() + phrase.noun[1:]
            return replace(place, phrase=replace(phrase, determiner=article, noun=noun, is_name=False))
        article = _article_of_name(phrase, opening, pronoun)
        return replace(place, phrase=replace(phrase, determiner=article)) if article else place
    return place


def _check_number(phrase: Phrase, pronoun: Features) -> None:
    """Refuse a number mismatch that nothing else shows: "Lisboa … eles"; "um dos gatos … ele"."""
    if phrase.traits.number.value is not None:
        return
    noun = phrase.noun
    is_single = phrase.is_name and not phrase.determiner.endswith("s") and not _CONJUNCTS.search(noun)
    if pronoun.number == "plural" and is_single and not noun.endswith("s"):
        raise NotDerivedError(f"number differs: plural pronoun; {noun!r} is a single name")
    is_plural = noun.partition(" ")[0].endswith(("os", "as", "ns", "es")) and not phrase.is_name
    if pronoun.number == "singular" and is_plural:
        raise NotDerivedError(f"number differs: singular pronoun; {noun!r} looks like a plural")


def _is_plural_noun(place: Place, pronoun: Features) -> bool:
    """Whether the capital is only that of the start of a sentence or candidate: "Abelhas picam se elas …"."""
    noun = place.phrase.noun
    first, _, rest = noun.partition(" ")
    opens = all(opens_sentence(place.text, mention.start) for mention in place.mentions)
    is_plural = pronoun.number == "plural" and first.isalpha() and first.endswith("s")
    return (
        opens
        and is_plural
        and not name_gender(first, "pt").value
        and rest == rest.lower()
        and not _CONJUNCTS.search(noun)
    )


def _article_of_name(phrase: Phrase, opening: str, pronoun: Features) -> str:
    """Titles and abbreviations take their article even if the sentence omits it: *a Dra. Lima*, *a TV*."""
    noun = phrase.noun
    title = PORTUGUESE.table("nouns").features("articled").get(opening)
    if title and title.gender and " " in noun:
        return definite_article(title.gender, title.number, "pt") or ""
    if noun.isupper() and noun.isalpha() and len(noun) > 1 and not name_gender(noun.title(), "pt").value:
        gender = phrase.traits.gender.value or pronoun.gender
        number = phrase.traits.number.value or pronoun.number or "singular"
        return definite_article(gender, number, "pt") or ""
    return ""
