"""Nouns: what the table knows of a written form, and the form of a noun in each case.

A compound declines like its last part (*Küchentisch* like *Tisch*); an ending shows gender and declension where no part
is listed (*-ung*, *-ist*). Strong nouns take *-(e)s* in the genitive, weak ones *-(e)n* outside the nominative, plurals
*-n* in the dative; nouns made of adjectives (*der Kranke*, *ein Kranker*) decline as `declension` says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from winoglot.languages.lexicon import WordEntry, lexicon
from winoglot.schemas.text import folded

_VOWELS = re.compile(r"[aeiouyäöüé]+")
_UMLAUTS = {"au": "äu", "a": "ä", "o": "ö", "u": "ü"}
_LAST_DARK_VOWEL = re.compile(r"(au|[aou])(?=[^aou]*$)")
_FOREIGN = ("ee", "ie", "ce", "äse", "ode", "ike", "ype", "afe", "uide")  # Tee, Yuppie, Käse, Code, Hype: not weak
_HISSING = ("s", "ß", "x", "z", "sch", "st")
_SHORTEST_PART = 3  # letters, of either part of a compound
_LONG = 8  # letters, of a last part that is made of an adjective: Bankangestellte
_CLEAR = frozenset({"held", "herr", "narr", "bär", "tür", "zug"})  # short, but nothing else ends so


@dataclass(frozen=True)
class NounSense:
    """What a written noun may be: a form of a listed noun, or one that ends like it."""

    entry: WordEntry
    gender: str | None  # None for plurals and for nouns that decline like adjectives
    number: str
    lemma: str  # the nominative of that number, in lower case


@lru_cache(maxsize=10_000)
def senses(noun: str) -> tuple[NounSense, ...]:
    """Everything the form may be, by the table, as a compound or by its ending; nothing if it is unknown.

    >>> [(sense.gender, sense.number, sense.lemma) for sense in senses("Jungen")]
    [(None, 'plural', 'jungen'), ('masculine', 'singular', 'junge')]
    >>> [(sense.gender, sense.number) for sense in senses("Gartenstühle")], senses("Xyz")
    ([(None, 'plural')], ())
    """
    plain = folded(noun)
    forms = _forms()
    if plain in forms:
        return forms[plain]
    for start in range(_SHORTEST_PART, len(plain) - _SHORTEST_PART + 1):
        part = plain[start:].lstrip("-")
        if part in forms and _may_be_compound(plain[:start], part):
            first_part = plain[: len(plain) - len(part)]
            return tuple(
                NounSense(sense.entry, sense.gender, sense.number, first_part + sense.lemma) for sense in forms[part]
            )
    return tuple(_by_ending(plain))


def _may_be_compound(first: str, last: str) -> bool:
    """Whether these may form a compound; a short last part needs a listed noun first (*Torwart* is not an *Art*)."""
    senses_of_last = _forms()[last]
    lemmas = {sense.entry.form for sense in senses_of_last}
    if not _VOWELS.search(first) or lemmas & lexicon("de", "nouns").words("not-last"):
        return False
    if any(sense.entry.has("adjectival") and len(sense.entry.form) < _LONG for sense in senses_of_last):
        return bool(lemmas & {"beamte", "kranke"})  # Polizeibeamte; but a Halter is no Alter
    if len(last) > _SHORTEST_PART + 1 or first.endswith("-") or lemmas & _CLEAR:
        return True
    stems = {first, *(first.removesuffix(link) for link in ("s", "n", "en", "es", "er")), f"{first}e", f"{first}en"}
    return not stems.isdisjoint(_forms())


@cache
def _forms() -> dict[str, tuple[NounSense, ...]]:
    """Every form of every listed noun."""
    by_form: dict[str, list[NounSense]] = {}
    for lemma, lines in lexicon("de", "nouns").entries.items():
        if lemma.startswith("-"):
            continue
        for entry in lines:
            for form, sense in _paradigm(lemma, entry):
                known = by_form.setdefault(form, [])
                known += [sense] if sense not in known else []
    # nominatives first: Eis is rather not of Ei
    return {form: tuple(sorted(known, key=lambda sense: sense.lemma != form)) for form, known in by_form.items()}


def _by_ending(noun: str) -> list[NounSense]:
    """What an unlisted noun may be by the longest ending that the table has."""
    endings = [form[1:] for form in lexicon("de", "nouns").entries if form.startswith("-")]
    for ending in sorted(endings, key=len, reverse=True):
        for entry in lexicon("de", "nouns").entries[f"-{ending}"]:
            senses: list[NounSense] = []
            for form, sense in _paradigm(ending, entry):
                stem = noun.removesuffix(form)
                compound = NounSense(entry, sense.gender, sense.number, stem + sense.lemma)
                if stem != noun and len(stem) > 1 and _VOWELS.search(stem) and compound not in senses:
                    senses.append(compound)
            if senses:
                return senses
    return []


def _paradigm(lemma: str, entry: WordEntry) -> list[tuple[str, NounSense]]:
    """The forms of a noun with what each of them is."""
    gender = entry.one_of("gender")
    if entry.has("adjectival"):
        stem = lemma[:-1]
        sense = NounSense(entry, None, "singular", lemma)
        return [(stem + ending, sense) for ending in ("e", "en", "er", "em", "es")]
    if entry.has("person") or (gender is None and not entry.has("plural")):
        return []  # a line that says something else of a noun
    if gender is None:  # only plural: Leute
        sense = NounSense(entry, None, "plural", lemma)
        return [(lemma, sense), (dative_plural(lemma), sense)]
    singular = NounSense(entry, gender, "singular", lemma)
    forms = [(declined(lemma, entry, gender, case), singular) for case in ("nominative", "dative", "genitive")]
    for ending in entry.values.get("plural-ending", ()):
        form = pluralised(lemma, ending)
        plural = NounSense(entry, None, "plural", form)
        forms += [(form, plural), (dative_plural(form), plural)]
    return forms


def pluralised(lemma: str, ending: str) -> str:
    """The plural with this ending; ¨ stands for umlaut, and what follows = is the whole form.

    >>> [pluralised("haus", "¨er"), pluralised("koffer", "none"), pluralised("thema", "=themen")]
    ['häuser', 'koffer', 'themen']
    """
    if ending.startswith("="):
        return ending[1:]
    stem = lemma
    if ending.startswith("¨"):
        stem = _LAST_DARK_VOWEL.sub(lambda match: _UMLAUTS[match.group()], lemma)
        ending = ending[1:]
    if ending == "en":
        stem = re.sub("(um|(?<=ism)us|e)$", "", stem)  # Museen, Organismen, Biologen
    return stem if ending == "none" else stem + ending


def dative_plural(plural: str) -> str:
    """*den Hunden*, but *den Frauen*, *den Autos*."""
    return plural if plural.endswith(("n", "s", "a", "i", "o")) else plural + "n"


def declined(noun: str, entry: WordEntry | None, gender: str, case: str) -> str:
    """A singular noun in a case; an unlisted one (without `entry`) declines by its form.

    >>> [declined(noun, None, "masculine", "genitive") for noun in ("Hund", "Lehrer", "Fuchs", "Kollege")]
    ['Hundes', 'Lehrers', 'Fuchses', 'Kollegen']
    """
    if gender == "feminine" or case == "nominative":
        return noun
    ending = entry.values.get("genitive-ending", ("",))[0] if entry else ""
    ends_weak = gender == "masculine" and noun.endswith("e") and not noun.endswith(_FOREIGN)
    is_weak = entry.has("weak") if entry else ends_weak
    if is_weak and not (case == "genitive" and ending):
        plural = entry.values.get("plural-ending", ("en",)) if entry else ("n",)
        weak_ending = entry.values.get("weak", plural)[0] if entry else "n"  # as in the plural, except for Herr
        return noun + ("n" if noun.endswith("e") else weak_ending)
    if case == "genitive":
        return noun + {"": _genitive_ending(noun, entry), "none": ""}.get(ending, ending)
    return noun + "en" if ending == "ens" and case == "dative" else noun


def _genitive_ending(noun: str, entry: WordEntry | None) -> str:
    """*-es* after s and the like, in short words and in people and animals made of them; *-s* elsewhere."""
    plain = folded(noun)
    if plain.endswith(("nis", "bus")):
        return "ses"
    if plain.endswith(("us", "os")) and not plain.endswith(("aus", "eus", "oos")) and len(_VOWELS.findall(plain)) > 1:
        return ""
    if plain.endswith(_HISSING):
        return "es"
    if plain.endswith(("a", "e", "i", "o", "u", "y", "é", "w", "l", "r", "n", "k", "ng", "h")) and not plain.endswith(
        "ch"
    ):
        return "s"
    last = plain
    if entry and (entry.has("human") or entry.has("animal")) and not entry.form.startswith("-"):
        last = entry.form
    return "es" if len(_VOWELS.findall(last)) == 1 else "s"
