"""Noun phrases: determiner, adjectives, noun and what follows it, in four cases.

The table of determiners has the endings of *dieser*, the article and the stems. An adjective is weak after an article
or *dieser* (*der alte Mann*), mixed after *ein* (*mein alter Mann*), strong without either (*Annas alter Hut*).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.de import nouns
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.languages.lexicon import WordEntry

CASES = ("nominative", "accusative", "dative", "genitive")
DEFINITE = "d"  # the stem of the article
_ENDINGS = ("em", "en", "er", "es", "e")
# *der Mann, der …*, *die Firma, für die …*
RELATIVE_CLAUSE = re.compile(
    r", (?:[a-zäöü]+ )?(?:der|die|das|den|dem|denen|dessen|deren|welche[rsnm]?|wo) (?:[^,]* )?[a-zäöüß]+,?$"
)
_PARTICLES = ("von", "vom", "zu", "zur", "van", "de", "di")  # Herr von Arnim
_SILENT = ("s", "ß", "x", "z", "ce", "S", "X", "Z")


@dataclass(frozen=True, order=True)
class Sort:
    """Gender and number as far as German distinguishes them: plurals have no gender."""

    gender: str
    number: str


MASCULINE, FEMININE, NEUTER = (Sort(gender, "singular") for gender in ("masculine", "feminine", "neuter"))
PLURAL = Sort("", "plural")
SORTS = (MASCULINE, FEMININE, NEUTER, PLURAL)


@dataclass(frozen=True)
class Determined:
    """One analysis of a determiner."""

    stem: str
    sort: Sort
    case: str


@lru_cache(maxsize=10_000)
def analyses(determiner: str) -> tuple[Determined, ...]:
    """Everything that a form of a determiner may be.

    >>> [(analysis.sort.gender or "plural", analysis.case) for analysis in analyses("den")]
    [('masculine', 'accusative'), ('plural', 'dative')]
    >>> [(analysis.stem, analysis.sort.gender, analysis.case) for analysis in analyses("mein")]
    [('mein', 'masculine', 'nominative'), ('mein', 'neuter', 'nominative'), ('mein', 'neuter', 'accusative')]
    """
    table = lexicon("de", "determiners")
    article = [entry for entry in table.entries.get(determiner, ()) if entry.has("definite")]
    if article:
        return tuple(Determined(DEFINITE, _sort(entry), entry.one_of("case") or "") for entry in article)
    possible = []
    for stem, is_like_ein in _stems().items():
        for sort in SORTS[:3] if stem == "ein" else SORTS:
            for case in CASES:
                if determiner == _with_ending(stem, sort, case, is_like_ein=is_like_ein):
                    possible.append(Determined(stem, sort, case))
    return tuple(possible)


def determiner(stem: str, sort: Sort, case: str) -> str:
    """A determiner, given its stem, in a gender, number and case.

    >>> determiner("d", FEMININE, "dative"), determiner("all", PLURAL, "dative"), determiner("mein", NEUTER, "genitive")
    ('der', 'allen', 'meines')
    """
    if stem != DEFINITE:
        return _with_ending(stem, sort, case, is_like_ein=_stems().get(stem, False))
    return _articles()[sort, case]


def determiner_forms() -> frozenset[str]:
    """Every form that opens a noun phrase."""
    return lexicon("de", "determiners").words("determiner")


def counting_words() -> frozenset[str]:
    """The forms that decline like adjectives after another determiner: *die vielen Kinder, ihre beiden Hüte*."""
    return lexicon("de", "determiners").words("dropped") | {"beide", "beiden"}


def determiner_has(stem_or_form: str, feature: str) -> bool:
    """Whether a determiner has a feature in the table; it is given by its stem or its form."""
    words = lexicon("de", "determiners").words(feature)
    return stem_or_form in words or f"{stem_or_form}-" in words


@cache
def _stems() -> dict[str, bool]:
    """Each stem of a determiner, and whether it declines like *ein*."""
    table = lexicon("de", "determiners")
    return {form[:-1]: form in table.words("ein-word") for form in table.words() if form.endswith("-")}


@cache
def _articles() -> dict[tuple[Sort, str], str]:
    """The definite article in each gender, number and case."""
    entries = lexicon("de", "determiners").entries
    lines = [line for form in entries for line in entries[form] if line.has("definite")]
    return {(_sort(line), line.one_of("case") or ""): line.form for line in lines}


@cache
def _strong() -> dict[tuple[Sort, str], str]:
    """The strong endings in each gender, number and case."""
    entries = lexicon("de", "determiners").entries
    lines = [line for form in entries if form.startswith("-") for line in entries[form]]
    return {(_sort(line), line.one_of("case") or ""): line.form[1:] for line in lines}


def _sort(entry: WordEntry) -> Sort:
    return PLURAL if entry.one_of("number") == "plural" else Sort(entry.one_of("gender") or "", "singular")


def _with_ending(stem: str, sort: Sort, case: str, *, is_like_ein: bool) -> str:
    """A determiner with its ending; *ein* and the like have none in some nominatives and accusatives."""
    is_bare = is_like_ein and (
        (sort, case) in ((MASCULINE, "nominative"), (NEUTER, "nominative"), (NEUTER, "accusative"))
    )
    if is_bare:
        return {"eur": "euer", "unsr": "unser"}.get(stem, stem)
    return {"euer": "eur", "unsr": "unser"}.get(stem, stem) + _strong()[sort, case]


def adjective_ending(kind_before: str, sort: Sort, case: str) -> str:
    """The ending of an adjective after `weak` or `mixed` determiners, or `strong` after none.

    >>> [adjective_ending(kind, MASCULINE, "nominative") for kind in ("weak", "mixed", "strong")]
    ['e', 'er', 'er']
    """
    is_direct = case == "nominative" or (case == "accusative" and sort not in (MASCULINE, PLURAL))
    if sort == PLURAL:
        return "en" if kind_before != "strong" else _strong()[sort, case]
    if kind_before == "weak":
        return "e" if is_direct else "en"
    if kind_before == "mixed":
        return _strong()[sort, case] if is_direct else "en"
    return "en" if case == "genitive" and sort != FEMININE else _strong()[sort, case]


def kind_after(stem: str) -> str:
    """How adjectives decline after a determiner with this stem: `strong`, `mixed` or `weak`."""
    if not stem or stem[:1].isupper():
        return "strong"
    return "mixed" if _stems().get(stem) else "weak"


@dataclass(frozen=True)
class Modifier:
    """A word between determiner and noun; `stem` is empty if it does not decline (*zwei*, *sehr*)."""

    word: str
    stem: str = ""
    comma: str = ""

    def written(self, ending: str) -> str:
        """The word with this ending."""
        return (self.stem + ending if self.stem else self.word) + self.comma


@dataclass(frozen=True)
class DeclinedPhrase:
    """A noun phrase; `stem` is that of its determiner, the genitive of a name (*Peters Bruder*), or empty."""

    stem: str
    modifiers: tuple[Modifier, ...]
    head: str  # as cited
    rest: str  # a complement with its space before it: " mit dem Hut"
    is_name: bool = False
    joined: tuple[DeclinedPhrase, ...] = ()  # the other conjuncts
    weak_head: str = ""  # a weak form that the text shows
    determiner: str = ""  # as cited, in lower case

    @property
    def core(self) -> str:
        """The phrase without its determiner, as cited."""
        return " ".join([*(m.word + m.comma for m in self.modifiers), self.head]) + self.rest

    @property
    def sort(self) -> Sort:
        """Gender and number by the phrase's own words, cited in the nominative; refused if they leave it open."""
        by_determiner = {
            analysis.sort for analysis in analyses(self.determiner) if analysis.case == "nominative"
        } or set(SORTS)
        by_head = sorts_of_head(self) or ({MASCULINE} if self.is_name else set())
        compatible = by_determiner & by_head or by_determiner
        if len(compatible) != 1:
            raise NotDerivedError(f"nothing shows the gender of {self.core!r}")
        return compatible.pop()

    def declined(self, sort: Sort, case: str) -> str:
        """The whole phrase in a case."""
        if case == "genitive" and self.stem[:1].isupper():
            return self._of_owner().declined(sort, case)
        if self.joined:
            parts = (self, *self.joined)
            *most, last = (replace(part, joined=()).declined(part.sort, case) for part in parts)
            return f"{', '.join(most)} und {last}"
        opening = self.stem
        if opening and not opening[0].isupper():
            opening = determiner(self.stem, sort, case)
        return " ".join([opening, self.noun_part(sort, case, kind_after(self.stem))]).strip()

    def _of_owner(self) -> DeclinedPhrase:
        """The phrase with its owner behind it: of *Lenas Vater* the genitive is *des Vaters von Lena*."""
        if self.rest:
            raise NotDerivedError(f"nothing shows what 'von {owner_of(self.stem)}' after {self.core!r} would belong to")
        return replace(self, stem=DEFINITE, rest=f" von {owner_of(self.stem)}")

    def noun_part(self, sort: Sort, case: str, kind_before: str) -> str:
        """Everything but the determiner, after a determiner of this kind."""
        ending = adjective_ending(kind_before, sort, case)
        words = [modifier.written(ending) for modifier in self.modifiers]
        return " ".join([*words, self._head(sort, case, kind_before)]) + self._rest(case)

    def _head(self, sort: Sort, case: str, kind_before: str) -> str:
        """The noun in a case, after a determiner of this kind."""
        if self.is_name:
            return self._name(case)
        senses = [sense for sense in nouns.senses(self.head) if sense.gender in (None, sort.gender) or sort == PLURAL]
        if senses and senses[0].entry.has("adjectival"):
            return adjective_stem(self.head) + adjective_ending(kind_before, sort, case)
        if sort == PLURAL:
            form = next((sense.lemma for sense in senses if sense.number == "plural"), folded(self.head))
            return with_capitals_of(self.head, nouns.dative_plural(form) if case == "dative" else form)
        if self.weak_head and case != "nominative" and (sort, case) != (FEMININE, "accusative"):
            return self.weak_head
        compatible = [sense for sense in senses if sense.number == "singular"]
        if any(analysis.sort == sort and analysis.case == "nominative" for analysis in analyses(self.determiner)):
            compatible = [
                sense for sense in compatible if sense.lemma == folded(self.head)
            ]  # "der Frieden" is not of "Friede"
        if not compatible and sort == MASCULINE and case != "nominative" and self.head.endswith(_UNSURE):
            raise NotDerivedError(f"nothing shows how {self.head!r} declines")
        lemma = with_capitals_of(self.head, compatible[0].lemma) if compatible else self.head
        return nouns.declined(lemma, compatible[0].entry if compatible else None, sort.gender, case)

    def _name(self, case: str) -> str:
        """The name in a case: only *Herr* and the genitive change it."""
        if folded(self.head) == "herr":
            return self.head if case == "nominative" else f"{self.head}n"
        is_articled = bool(self.stem) or bool(self.rest)
        return genitive_of_name(self.head) if case == "genitive" and not is_articled else self.head

    def _rest(self, case: str) -> str:
        """The words after the head; the last part of a name takes the genitive."""
        if not (self.is_name and self.rest and case == "genitive" and not self.stem):
            return self.rest
        if not all(word[0].isupper() or word in _PARTICLES for word in self.rest.split()):
            raise NotDerivedError(f"the genitive of {self.head + self.rest!r} is uncertain")
        return genitive_of_name(self.rest)


_UNSURE = ("at", "et", "ot", "it", "ast", "ent", "ant")  # weak in some nouns, strong in others


def genitive_of_name(name: str) -> str:
    """The genitive of a name: *Annas*, *Hans'*."""
    return f"{name}'" if name.endswith(_SILENT) else f"{name}s"


def owner_of(genitive: str) -> str:
    """The name of which a word is the genitive: *Annas*, *Hans'*."""
    return re.sub(r"(?:s|['’])$", "", genitive)


def with_capitals_of(model: str, word: str) -> str:
    """A listed word with the capitals of the word as written: *U-Bahnen* gives *U-Bahn*.

    `substitution.match_case` would not do, since it loses a capital inside the word.
    """
    shared = 0
    while shared < min(len(model), len(word)) and folded(model[shared]) == word[shared]:
        shared += 1
    capitalised = model[:shared] + word[shared:]
    return capitalised[:1].upper() + capitalised[1:] if model[:1].isupper() else capitalised


def sorts_of_head(phrase: DeclinedPhrase) -> frozenset[Sort]:
    """What the noun itself may be, by table, ending or list of names; empty if nothing is known."""
    if phrase.is_name:
        gender = name_gender(phrase.head, "de").value
        return frozenset({Sort(gender, "singular")}) if gender in ("masculine", "feminine") else frozenset()
    is_adjectival = any(sense.entry.has("adjectival") for sense in nouns.senses(phrase.head))
    return frozenset() if is_adjectival else sorts_of_noun(phrase.head)


def sorts_of_noun(noun: str) -> frozenset[Sort]:
    """The genders and numbers in which a written noun is known; empty if nothing is."""
    senses = nouns.senses(noun)
    return frozenset(PLURAL if s.number == "plural" else Sort(s.gender or "", "singular") for s in senses)


@lru_cache(maxsize=10_000)
def parsed(phrase: str) -> DeclinedPhrase:
    """Parse a phrase as written; raises NotDerivedError if its structure is unclear.

    >>> parsed("ein sehr alter Mann mit Bart").declined(MASCULINE, "accusative")
    'einen sehr alten Mann mit Bart'
    """
    clause = RELATIVE_CLAUSE.search(phrase)
    if clause:
        described = parsed(phrase[: clause.start()])
        return replace(described, rest=described.rest + clause.group().rstrip(","))
    words = phrase.split()
    stem, length = _opening(words)
    modifiers: list[Modifier] = []
    index = length
    while index < len(words) and not words[index][0].isupper():
        modifiers.append(_modifier(words[index], phrase))
        index += 1
        if index < len(words) and words[index][0].isupper() and _is_place_adjective(words[index : index + 2]):
            modifiers.append(Modifier(words[index]))
            index += 1
    if index == length and _is_place_adjective(words[index : index + 2]):
        modifiers.append(Modifier(words[index]))
        index += 1
    if index == len(words):
        raise NotDerivedError(f"{phrase!r} has no noun with a capital")
    if not stem and not modifiers and _is_possessor(words[index : index + 3]):
        return replace(parsed(" ".join(words[index + 1 :])), stem=words[index], is_name=False)
    head, rest_words = words[index], words[index + 1 :]
    if head.endswith(",") and rest_words and "und" in rest_words:
        tail = parsed(" ".join(rest_words))
        first = parsed(" ".join(words[: index + 1]).rstrip(","))
        return replace(first, joined=(replace(tail, joined=()), *tail.joined))
    if rest_words[:1] == ["und"] and len(rest_words) > 1:
        tail = parsed(" ".join(rest_words[1:]))
        first = parsed(" ".join(words[: index + 1]))
        if tail.is_name and not first.determiner and is_title(head):  # Herr und Frau Klein
            first = replace(first, is_name=True)
        return replace(first, joined=(replace(tail, joined=()), *tail.joined))
    if rest_words[:1] == ["oder"] or "," in head:
        raise NotDerivedError(f"{phrase!r} is more than one noun phrase")
    rest = "".join(f" {word}" for word in rest_words)
    is_name = _is_name(stem, modifiers, head, rest_words)
    return DeclinedPhrase(stem, tuple(modifiers), head, rest, is_name, determiner=folded(" ".join(words[:length])))


def _opening(words: list[str]) -> tuple[str, int]:
    """The stem of the determiner and how many words it has."""
    two = folded(" ".join(words[:2]))
    if two in lexicon("de", "determiners"):
        return two, 2
    first = folded(words[0])
    if len(words) > 1 and first in lexicon("de", "determiners"):
        possible = analyses(first)
        return (possible[0].stem if possible else first), 1
    return "", 0


def _modifier(word: str, phrase: str) -> Modifier:
    """A word before the noun, with the stem to which its ending is added."""
    comma = "," if word.endswith(",") else ""
    plain = folded(word.rstrip(","))
    function = lexicon("de", "function_words")
    if plain in determiner_forms() - counting_words():
        raise NotDerivedError(f"{phrase!r} is part of a group, or more than one noun phrase")
    if plain in function.words("preposition") - function.words("degree") or plain in function.words("subordinator"):
        raise NotDerivedError(f"{word!r} inside {phrase!r} makes it unclear where its noun is")
    if plain in function or plain.isdecimal():
        return Modifier(word.rstrip(","), comma=comma)
    return Modifier(word.rstrip(","), adjective_stem(word.rstrip(",")), comma)


def adjective_stem(word: str) -> str:
    """An adjective without its ending; empty if it has none: *sein schwer kranker Vater*."""
    if folded(word) in lexicon("de", "adjectives").words("uninflected"):
        return ""
    return next((word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)), "")


def _is_place_adjective(words: list[str]) -> bool:
    """Whether an adjective with a capital comes first, which does not decline: *Berliner Bär*."""
    if len(words) == 1 or not words[0].endswith("er") or not nouns.senses(words[1]):
        return False
    return not is_title(words[0]) and not name_gender(words[0], "de").value  # Peter Müller


def is_title(word: str) -> bool:
    """Whether a noun names a person, so that a name may follow it: *Frau Klein*, *Onkel Max*."""
    return any(sense.entry.has("human") for sense in nouns.senses(word))


def _is_possessor(words: list[str]) -> bool:
    """Whether the genitive of a name opens the phrase: *Peters (kleiner) Bruder*, *Omas Garten*."""
    if len(words) < 2 or not words[0].endswith(("s", "'", "’")) or name_gender(words[0], "de").value:
        return False
    owner, following = owner_of(words[0]), nouns.senses(words[1])
    if name_gender(owner, "de").value or folded(owner) in lexicon("de", "nouns").words("name-like"):
        return words[1][0].islower() or bool(following)
    is_surname = folded(words[1]) in lexicon("de", "nouns").words("surname")
    return bool(following) and not is_surname and not nouns.senses(words[0])  # Krauses Hund


def _is_name(stem: str, modifiers: list[Modifier], head: str, rest: list[str]) -> bool:
    """Whether the head is a name: listed, after a title, or a word without determiner that is not a known noun."""
    senses = nouns.senses(head)
    if any(sense.entry.has("place") for sense in senses):
        return any(sense.entry.has("no-article") for sense in senses)
    is_titled = is_title(head) or head.endswith(".") or folded(head) in ("familie", "firma", "ehepaar")
    if rest and (rest[0][0].isupper() or rest[0] in _PARTICLES) and not stem and is_titled:
        return True  # Frau Klein, Dr. Weber, Onkel Max, Familie Groß
    if name_gender(head, "de").value is not None and not (senses and (stem or modifiers)):
        return True
    return not stem and not modifiers and not senses


def variants(phrase: DeclinedPhrase) -> Iterator[str]:
    """The forms of the phrase in all cases, without its determiner."""
    if phrase.joined:
        return
    for sort in sorts_of_head(phrase) or SORTS:
        for case in CASES:
            for before in ("weak", "mixed", "strong"):
                try:
                    yield phrase.noun_part(sort, case, before)
                except NotDerivedError:
                    continue
    if not phrase.is_name and not nouns.senses(phrase.head):  # it may be weak
        adjectives = " ".join(modifier.written("en") for modifier in phrase.modifiers)
        for ending in ("n", "en"):
            yield f"{adjectives} {phrase.head}{ending}{phrase.rest}".strip()
