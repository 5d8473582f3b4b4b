"""Words and their forms: what a written word may be, and its form in another case.

`pymorphy3` knows the words of the language and guesses the others; `pytrovich` declines personal names that no
dictionary has. Both are loaded on first use, and every answer is remembered.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from winoglot.errors import require_extra
from winoglot.languages.substitution import Token
from winoglot.schemas.spans import Span, shared_start
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r"как раз\b|\w+(?:-\w+)*|[^\w\s]", re.IGNORECASE)  # "как раз" is a particle
CASES = ("nominative", "genitive", "dative", "accusative", "instrumental", "prepositional")
VERBS = frozenset({"VERB", "INFN", "GRND", "PRTF", "PRTS"})
_CASES = {
    "nomn": "nominative",
    "gent": "genitive",
    "gen2": "genitive",
    "datv": "dative",
    "accs": "accusative",
    "acc2": "accusative",
    "ablt": "instrumental",
    "loct": "prepositional",
    "loc2": "prepositional",
}
_GENDERS = {"masc": "masculine", "femn": "feminine", "neut": "neuter"}
_GENDER_CODES = {gender: code for code, gender in _GENDERS.items()}
_NUMBERS = {"sing": "singular", "plur": "plural"}
_NUMBER_CODES = {number: code for code, number in _NUMBERS.items()}
_NAMES = frozenset({"Name", "Surn", "Patr"})
_PROPER = _NAMES | {"Geox", "Orgn", "Trad"}
_FEWEST_LETTERS = 2  # of a stem to which endings are added


@dataclass(frozen=True, eq=False)  # each is made once, and is a key of caches
class Form:
    """One analysis of a written word, in lower case; what the form does not show is None."""

    word: str
    lemma: str
    part: str  # of speech, as pymorphy3 names it: NOUN, ADJF, NUMR, VERB …
    case: str | None
    gender: str | None
    number: str | None
    is_animate: bool | None
    marks: frozenset[str]  # all grammemes
    score: float
    parse: Any = field(default=None, repr=False)  # pymorphy3's; None for a name declined by pytrovich
    halves: tuple[Form, ...] = ()  # of a compound whose parts both decline: кресло-качалка

    @property
    def is_personal(self) -> bool:
        """Whether the form is a first name, patronymic or surname."""
        return not _NAMES.isdisjoint(self.marks)

    @property
    def is_proper(self) -> bool:
        """Whether the form is a name of any kind, of a place or a firm as well."""
        return not _PROPER.isdisjoint(self.marks)

    @property
    def is_transitive(self) -> bool:
        """Whether the form is a verb that takes an accusative object."""
        return "tran" in self.marks


@cache
def _analyser() -> Any:
    """pymorphy3's analyser; both packages are asked for, so that readings never depend on one of them being there."""
    require_extra("the Russian grammar needs", "pymorphy3", "pytrovich", extra="russian")
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")


@cache
def _name_maker() -> Any:
    """pytrovich's maker of declined names."""
    from pytrovich.maker import PetrovichDeclinationMaker

    return PetrovichDeclinationMaker()


@lru_cache(maxsize=50_000)
def analyses(word: str) -> tuple[Form, ...]:
    """What a word may be, the most likely first.

    >>> [(form.case, form.lemma) for form in analyses("Анной")]
    [('instrumental', 'анна')]
    """
    return tuple(_form(parse) for parse in _analyser().parse(word.lower()))


@lru_cache(maxsize=50_000)
def is_known(word: str) -> bool:
    """Whether the dictionary has the word."""
    has_word: bool = _analyser().word_is_known(word.lower())
    return has_word


def _form(parse: Any) -> Form:
    """An analysis of pymorphy3 as a form."""
    tag = parse.tag
    marks = frozenset(map(str, tag.grammemes))
    gender = "common" if "ms-f" in marks else _GENDERS.get(tag.gender)
    animacy = {"anim": True, "inan": False}.get(tag.animacy)
    return Form(
        parse.word,
        parse.normal_form,
        str(tag.POS),
        _CASES.get(tag.case),
        gender,
        _NUMBERS.get(tag.number),
        animacy,
        marks,
        parse.score,
        parse,
    )


@lru_cache(maxsize=50_000)
def inflected(
    form: Form,
    case: str,
    number: str | None = None,
    *,
    gender: str | None = None,
    is_animate: bool | None = None,
    is_place: bool = False,
) -> str | None:
    """The form in another case (and number), in lower case; None if it has none.

    Adjectives and numerals follow their noun, so `gender` and `is_animate` are the noun's. `is_place` asks for the
    locative of nouns that have one: *в лесу*, but *о лесе*.

    >>> adjective = next(form for form in analyses("старый") if form.part == "ADJF")
    >>> inflected(adjective, "accusative", gender="masculine", is_animate=True)
    'старого'
    """
    number = number or form.number
    if "Fixd" in form.marks and form.part == "NOUN":
        return form.word
    if form.halves:
        halves = [inflected(half, case, number, is_animate=is_animate) for half in form.halves]
        return None if None in halves else "-".join(word for word in halves if word)
    if form.parse is None and form.number == "plural":
        return form.lemma + _FAMILY[case]
    if form.parse is None:
        name = "-".join(part.capitalize() for part in form.lemma.split("-"))
        return _declined_name(name, form.gender or "masculine", case, is_surname="Surn" in form.marks).lower()
    if form.case == case and form.number == number and form.part == "NOUN" and not is_place:
        return form.word
    matching = list(_fitting(form, case, number, gender, is_animate, is_place=is_place))
    # of *людей* and *человек*, *людей* belongs to *люди*
    return max(matching, key=lambda entry: (*entry[:2], shared_start(entry[2], form.word)))[2] if matching else None


def _fitting(
    form: Form, case: str, number: str | None, gender: str | None, is_animate: bool | None, *, is_place: bool
) -> Iterator[tuple[bool, int, str]]:
    """Forms of the same word in the case, number and gender wanted: a locative first, then the plainest form."""
    wanted_number = number and _NUMBER_CODES[number]
    wanted_gender = _GENDER_CODES.get(gender or "")
    animacy = "anim" if is_animate else "inan"
    # pymorphy3 lists masculine and feminine surnames, and the full and short forms of an adjective, together
    fixed = _FIXED.get(form.part, ())
    for lexeme_form in form.parse.lexeme:
        marks = set(map(str, lexeme_form.tag.grammemes))
        if (
            form.part != lexeme_form.tag.POS
            or _CASES.get(lexeme_form.tag.case) != case
            or lexeme_form.tag.number != wanted_number
        ):
            continue
        if "Infr" in marks or any((mark in form.marks) != (mark in marks) for mark in fixed):
            continue
        if lexeme_form.tag.case in ("gen2", "acc2") or (lexeme_form.tag.case == "loc2" and not is_place):
            continue
        if form.part != "NOUN" and lexeme_form.tag.gender and wanted_gender and lexeme_form.tag.gender != wanted_gender:
            continue
        if form.part != "NOUN" and lexeme_form.tag.animacy and lexeme_form.tag.animacy != animacy:
            continue
        yield lexeme_form.tag.case == "loc2", -len(marks), lexeme_form.word


_FIXED = {
    "NOUN": ("masc", "femn", "neut", "ms-f", "Fixd"),
    "ADJF": ("Supr",),
    "PRTF": ("actv", "pssv", "past", "pres"),
}


def compounds(word: str) -> tuple[Form, ...]:
    """A compound of two nouns that the dictionary does not have; the first one shows gender and number.

    >>> [inflected(form, "instrumental") for form in compounds("кресло-качалка") if form.case == "nominative"]
    ['креслом-качалкой']
    """
    first, _, second = word.lower().partition("-")
    if (
        not second
        or "-" in second
        or not word[len(first) + 1].islower()
        or is_known(word)
        or not (is_known(first) and is_known(second))
    ):
        return ()
    return tuple(
        replace(
            first_half,
            word=word.lower(),
            lemma=f"{first_half.lemma}-{second_half.lemma}",
            halves=(first_half, second_half),
        )
        for first_half in analyses(first)
        for second_half in analyses(second)
        if first_half.part == second_half.part == "NOUN"
        and (first_half.case, first_half.number) == (second_half.case, second_half.number)
        and first_half.case
    )


_FAMILY = dict(zip(CASES, ("ы", "ов", "ам", "ов", "ами", "ах"), strict=True))


def families_like(word: str) -> tuple[Form, ...]:
    """A family whose name no dictionary has: *Грэхемы*, *Грэхемов*.

    >>> [inflected(form, "dative") for form in families_like("Грэхемы")]
    ['грэхемам']
    """
    small = word.lower()
    stems = {case: small.removesuffix(ending) for case, ending in _FAMILY.items() if small.endswith(ending)}
    return tuple(
        Form(small, stem, "NOUN", case, None, "plural", True, frozenset({"Surn", "NOUN"}), 0.9)
        for case, stem in stems.items()
        if len(stem) > _FEWEST_LETTERS and stem[-1] not in _VOWELS + "кгхжшчщцьй"
    )


def names_like(word: str, genders: frozenset[str], *, is_surname: bool = False) -> tuple[Form, ...]:
    """A personal name that no dictionary has, in every case in which it would be written like this.

    >>> [(form.lemma, form.case) for form in names_like("Уолденом", frozenset({"masculine"}))]
    [('уолден', 'instrumental'), ('уолденом', 'nominative')]
    """
    return tuple(form for gender in sorted(genders) for form in _names_like(word, gender, is_surname))


_SURNAME = ("ов", "ев", "ёв", "ин", "ын", "ский", "цкий", "ская", "цкая", "ова", "ева", "ёва")
_ADJECTIVE = ("ый", "ий", "ой", "ая")


@lru_cache(maxsize=10_000)
def _names_like(word: str, gender: str, is_surname: bool) -> tuple[Form, ...]:
    """A name of one gender in every case in which it would be written like this."""
    capitalised = "-".join(part.capitalize() for part in word.split("-"))
    stems = {capitalised[:length] for length in range(max(_FEWEST_LETTERS, len(word) - 3), len(word) + 1)}
    endings = ("", "а", "я", "й", "ь", *(_ADJECTIVE if is_surname else ()))
    bases = {capitalised} | {stem + ending for stem in stems for ending in endings}
    pairs = [
        (base, case)
        for base in sorted(base for base in bases if _is_possible(base, gender, is_cited=base == capitalised))
        for case in CASES
        if _declined_name(base, gender, case, is_surname or base.endswith(_SURNAME)) == capitalised
    ]
    return tuple(
        Form(
            word=word.lower(),
            lemma=base.lower(),
            part="NOUN",
            case=case,
            gender=gender,
            number="singular",
            is_animate=True,
            marks=frozenset({"NOUN", "Name"} | ({"Surn"} if is_surname or base.endswith(_SURNAME) else set())),
            score=_likelihood(base, gender),
        )
        for base, case in pairs
    )


def _is_possible(base: str, gender: str, *, is_cited: bool) -> bool:
    """Whether a name of the gender may end like this: *й* ends men's names after a vowel, *ь* rather women's."""
    if base.endswith("й"):
        return gender == "masculine" and base[-2] in _VOWELS
    if base.endswith(("ов", "ев", "ёв", "ын")):  # of a woman *-ова*
        return gender == "masculine"
    return gender == "feminine" or is_cited or not base.endswith("ь")


def _likelihood(base: str, gender: str) -> float:
    """How usual the ending is: *Уолден* rather than *Уолдена*; a name in another vowel does not decline: *Лиззи*."""
    last = base[-1]
    if last in "ия" or last == ("а" if gender == "feminine" else "й"):
        return 0.9
    if last not in _VOWELS and gender == "masculine":
        return 1.0
    return 0.1 if last in "еыую" else 0.5


_VOWELS = "аеёиоуыэюя"


@lru_cache(maxsize=50_000)
def _declined_name(name: str, gender: str, case: str, is_surname: bool) -> str:
    """A personal name in a case; names in two vowels, and women's names in a consonant, stay."""
    from pytrovich.enums import Case, Gender, NamePart

    is_fixed = name[-2:].lower() in _LONG_VOWELS or (gender == "feminine" and name[-1] not in "аяь" and "-" not in name)
    if case == "nominative" or is_fixed:
        return name
    part = NamePart.LASTNAME if is_surname else NamePart.FIRSTNAME
    sex = Gender.FEMALE if gender == "feminine" else Gender.MALE
    declined: str = _name_maker().make(part, sex, getattr(Case, case.upper()), name)
    return declined


# Names in two vowels stay (*Андреа*, *Леа*), except those in *-ия*, *-ея*, *-ая*, *-оя*, *-уя*.
_LONG_VOWELS = frozenset(first + second for first in _VOWELS for second in _VOWELS[:-1])


def cased(model: str, word: str) -> str:
    """The word with the capitals of the model, part by part: *Мария-Луиза*, which `match_case` would not do.

    >>> cased("Анна", "анной"), cased("Мария-Луиза", "марии-луизы"), cased("США", "сша")
    ('Анной', 'Марии-Луизы', 'США')
    """
    if model.isupper() and len(model) > 1:
        return word.upper()
    models, words = model.split("-"), word.split("-")
    if len(models) != len(words):
        return word.capitalize() if model[:1].isupper() else word
    return "-".join(
        new[:1].upper() + new[1:] if old[:1].isupper() else new for old, new in zip(models, words, strict=True)
    )


def words_of(text: str, start: int, end: int) -> tuple[Token, ...]:
    """The words and marks between two positions; unlike those of `Place`, words keep their hyphens: *кто-то*.

    >>> [token.form for token in words_of("Из-за него всё.", 0, 15)]
    ['из-за', 'него', 'всё', '.']
    """
    tokens, starts, ends = _tokens(text)
    return tokens[bisect_left(starts, start) : bisect_right(ends, end)]


@lru_cache(maxsize=256)
def _tokens(text: str) -> tuple[tuple[Token, ...], list[int], list[int]]:
    tokens = tuple(Token(folded(m.group()), Span(*m.span())) for m in _TOKEN.finditer(text))
    return tokens, [token.span.start for token in tokens], [token.span.end for token in tokens]
