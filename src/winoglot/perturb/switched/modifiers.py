"""Words beside a mention that belong to it but not to the candidate: *the man in the hat*, cited as *the man*.

Exchanged, the other candidate would wear the hat. After the subject of a sentence, a preposition or a relative pronoun
belongs to the noun; after other mentions, only what hardly belongs to the verb: *whose*, *of* (unless the verb takes
it: *accused the man of*), what somebody wears or has. A clause after a comma (*the cat, which ran away*) says what
happens next, and stays; an apposition (*Larry, a shy boy, …*) says who somebody is. A name is not restricted: what
follows is the verb's.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words, language_module
from winoglot.languages.lexicon import lexicon, read_table
from winoglot.languages.slots import opens_sentence
from winoglot.perturb.switched.obstacles import kind_of
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.phrases import Phrase
    from winoglot.languages.slots import Slot

_AFTER = re.compile(r"[ \u00a0]([^\W\d_]+['’]?)")
_AFTER_THAT = re.compile(r"[ \u00a0]?(\w+)")
_APPOSITION = re.compile(r", (\w+['’]|\w+(?=[ \u00a0]))[^,.;:!?]{0,60}?[ \u00a0](\w+), (\w+)")
_NEAR = 6  # words before a mention among which its verb is
_NEAR_AFTER = 3  # words after a preposition among which its noun is
_SHORTEST_STEM = 3  # letters: "v" of Portuguese "vir" would fit any verb in v
_WITH = frozenset({"with", "com", "con", "avec", "mit"})  # what a person has
_VERBS_TOO = frozenset({"entre", "para", "sobre", "bajo", "like"})  # after a subject they may be its verb
_CLAUSE_TOO = frozenset(
    {"que", "che", "qu'", "that", "when", "where", "où", "onde", "donde"}
)  # may open the verb's clause


def check_modifiers(text: str, slots: Sequence[Sequence[Slot]], phrases: Sequence[Phrase], language: str) -> None:
    """Raise NotDerivedError if words that belong to a mention are not part of it."""
    spans = [slot.span for candidate_slots in slots for slot in candidate_slots]
    for phrase, candidate_slots in zip(phrases, slots, strict=True):
        for slot in candidate_slots:
            is_beside_other = any(
                span.start - 1 <= slot.span.end + 1 <= span.end for span in spans if span != slot.span
            )
            word = "" if is_beside_other else _apposition(text, slot, language)  # "For Paul, the boy did it all"
            word = word or ("" if phrase.is_name else _after(text, slot, phrase, language))
            if word and not (is_beside_other and not opens_sentence(text, slot.span.start)):
                raise NotDerivedError(f"{word!r} beside {slot.span.of(text)!r} belongs to it, but not to the candidate")


def _after(text: str, slot: Slot, phrase: Phrase, language: str) -> str:
    """The word right after the mention if what it opens restricts the noun."""
    match = _AFTER.match(text, slot.span.end)
    word = folded(match.group(1)).replace("’", "'") if match else ""
    is_subject = opens_sentence(text, slot.span.start)
    if match and word in _relatives(language):
        is_sure = word not in _CLAUSE_TOO or (word == "that" and _is_gapped(text[match.end() :]))
        return word if is_subject or is_sure else ""
    kinds = ["worn", *(["thing"] if word in _WITH and kind_of(phrase, language) == "human" else [])]
    if word in _prepositions(language) and (is_subject or _is_near(kinds, text[slot.span.end :])):
        return word
    if word not in _of(language) or _takes_of(text[: slot.span.start], language):
        return ""
    complement = _AFTER_THAT.match(text, match.end()) if match else None  # "la boulangerie d'à côté", "de que"
    opens_other = complement and folded(complement.group(1)) in _prepositions(language) | _CLAUSE_TOO
    return "" if opens_other else word


def _is_gapped(right: str) -> bool:
    """Whether a verb follows English *that*, whose subject is then the noun before: *the man that lived upstairs*."""
    following = _AFTER.match(right)
    word, verbs = folded(following.group(1)) if following else "", lexicon("en", "verbs")
    pasts = chain.from_iterable(verbs.values("past").values())
    return word.endswith("ed") or word in {*verbs.words("auxiliary"), *verbs.words("finite"), *pasts}


def _is_near(kinds: Sequence[str], right: str) -> bool:
    """Whether a preposition is soon followed by what describes a person: *in the red hat*, *with the umbrella*."""
    words = re.split(r"[ \u00a0]", re.split(r"[,.;:!?]", folded(right))[0])[2 : 2 + _NEAR_AFTER]
    table = read_table("winoglot.perturb.switched", "people_and_things")
    return any(not table.words(kind).isdisjoint(words) for kind in kinds)


def _apposition(text: str, slot: Slot, language: str) -> str:
    """The first word of a noun phrase between commas, unless it is one of a list."""
    match = _APPOSITION.match(text, slot.span.end)
    words = function_words(language)
    is_phrase = match is not None and folded(match.group(1)) in words.determiners | words.possessives
    joints = lexicon(language, "function_words").words("conjunction")
    if match is None or not is_phrase or folded(match.group(3)) in joints:
        return ""
    ends_in_verb = hasattr(language_module(language), "NOUNS_HAVE_CAPITALS") and match.group(2)[0].islower()
    return "" if ends_in_verb else match.group(1)  # "der Mann, der den Hut trug, …" is a clause


@cache
def _relatives(language: str) -> frozenset[str]:
    return lexicon(language, "function_words").words("relative")


@cache
def _prepositions(language: str) -> frozenset[str]:
    table, words = lexicon(language, "function_words"), function_words(language)
    plain_prepositions = (
        table.words("preposition") - table.words("connective") - table.words("subordinator") - words.determiners
    )
    ambiguous = lexicon(language, "pronouns").words() | lexicon(language, "determiners").words() | _VERBS_TOO
    return (plain_prepositions - ambiguous) | frozenset(words.contractions)


@cache
def _of(language: str) -> frozenset[str]:
    return lexicon(language, "function_words").words("of")


def _takes_of(left: str, language: str) -> bool:
    """Whether one of the last words is a verb that takes this preposition with an object: *tirou o livro da mesa*."""
    verbs = lexicon(language, "verbs").words("departing")
    stems = (verb[:-1] if verb.endswith("-") else verb[:-2] for verb in verbs)
    clear = tuple(stem for stem in stems if len(stem) >= _SHORTEST_STEM)
    return any(word.startswith(clear) for word in re.findall(r"\w+", folded(left))[-_NEAR:])
