"""Noun phrases: their parts, and the whole phrase in any case.

A phrase is modifiers, a head and what follows it: *две старые лодки у берега*. Modifiers and head decline, and so does
a name beside its head (*дядя Ваня*, *доктор Анна Петрова*); other dependents stay (*дверь дома*). Numerals
govern the genitive in the nominative and accusative only. Coordinated phrases decline together: *Олег и Ира*.

`phrase_readings` lists what a written phrase may be; `candidates` chooses among them for a candidate.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.lexicon import read_table
from winoglot.languages.names import name_gender, names
from winoglot.languages.ru.morphology import (
    Form,
    analyses,
    cased,
    compounds,
    families_like,
    inflected,
    is_known,
    names_like,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.languages.lexicon import WordTable

_WORD = re.compile(r"\w+(?:-\w+)*|[^\w\s]")
_MODIFIERS = ("ADJF", "PRTF")
_PERSONS = frozenset({"masculine", "feminine"})
_COMMA = ","
_RELATIVE_CLAUSE = re.compile(
    r", (?:\w+ )?(?:котор\w+|чей|чья|чьё|чьи|чьего|чьей|чьих|где|куда|откуда|кто|кого|кому) [^,]+$"
)
_QUOTES = frozenset({"«»", '""', "“”", "„“"})
_SMALL = frozenset({"два", "три", "четыре", "оба", "полтора"})  # these take a genitive singular


def table(name: str) -> WordTable:
    """A table of this folder."""
    return read_table("winoglot.languages.ru", name)


@dataclass(frozen=True)
class _Part:
    """A word that declines with its phrase, or a stretch of text that stays (`form` is None)."""

    text: str  # with the space before it
    form: Form | None = None


@dataclass(frozen=True, eq=False)  # each is made once, and is a key of caches
class NounPhrase:
    """One reading of a written phrase: what it is, and how it declines."""

    parts: tuple[_Part, ...]
    head: Form
    case: str
    number: str
    gender: str | None  # None in the plural
    is_animate: bool
    score: float
    conjuncts: tuple[NounPhrase, ...] = ()
    is_open: bool = False  # what follows the head may have to decline with it
    quotes: tuple[str, str] = ("", "")  # around the whole phrase: «Заря»

    @property
    def is_name(self) -> bool:
        """Whether the phrase is the name of a person, place or the like, or names joined by *и*."""
        if self.conjuncts:
            return all(conjunct.is_name for conjunct in self.conjuncts)
        return self.head.is_proper

    @property
    def has_capital(self) -> bool:
        """Whether it begins with a capital inside a sentence, as a name or by a name's adjective: *Наташин брат*."""
        first = self.parts[0].form
        owner = first.lemma.removesuffix("ин").capitalize() if first and "Poss" in first.marks else None
        return self.is_name or bool(owner and any(name_gender(f"{owner}{end}", "ru").value for end in "ая"))

    @property
    def clause(self) -> str:
        """A relative clause or participle after the noun, as cited: *, который …*, *, потерявший мяч*."""
        texts = [part.text for part in self.parts if not self.conjuncts]
        place = next((index for index, text in enumerate(texts) if text.startswith(",")), len(texts))
        return "".join(texts[place:])

    @property
    def _is_unclear_after_comma(self) -> bool:
        """Whether a comma is followed by anything but such a clause."""
        tail = next((part.text for part in self.parts if part.form is None and "," in part.text), _COMMA)
        return tail != _COMMA and not _RELATIVE_CLAUSE.match(tail)

    @property
    def _numeral(self) -> Form | None:
        return next((part.form for part in self.parts if part.form and part.form.part == "NUMR"), None)

    @lru_cache(maxsize=20_000)  # noqa: B019 - phrases are cached themselves
    def written(self, case: str, *, is_place: bool = False) -> str | None:
        """The phrase in a case, or None if it has no such form or its parts leave it open.

        >>> phrase_readings("старая лодка")[0].written("instrumental")
        'старой лодкой'
        """
        if self.quotes[0]:
            inner = replace(self, quotes=("", "")).written(case)
            return None if inner is None else f"{self.quotes[0]}{inner}{self.quotes[1]}"
        if self.conjuncts:
            forms = [conjunct.written(case, is_place=is_place) for conjunct in self.conjuncts]
            if None in forms:
                return None
            between = [part.text for part in self.parts]
            return "".join(f"{glue}{form}" for glue, form in zip(between, forms, strict=True))
        if self._is_unclear_after_comma:
            return None
        if case == self.case and not is_place:
            return "".join(part.text for part in self.parts)
        if self.is_open:
            return None
        words = [self._part(part, case, is_place=is_place) for part in self.parts]
        return None if None in words else "".join(word for word in words if word is not None)

    @property
    def _is_foreign(self) -> bool:
        """Whether the first name is not a Russian one."""
        is_first_name = "Name" in self.head.marks and "Surn" not in self.head.marks
        return is_first_name and self.head.lemma.capitalize() not in names("ru-RU").masculine

    def _part(self, part: _Part, case: str, *, is_place: bool) -> str | None:
        """One part of the phrase in a case."""
        form = part.form
        if form is None:
            return part.text
        gap = part.text[: len(part.text) - len(part.text.lstrip())]
        number: str | None = self.number
        numeral = self._numeral
        if form.part == "NUMR":
            number = None
        elif numeral and case in ("nominative", "accusative"):
            is_small = numeral.lemma in _SMALL
            is_counted = case == "nominative" or not self.is_animate or not (is_small or "Coll" in numeral.marks)
            is_singular = is_small and is_counted and form.part == "NOUN"
            is_feminine = is_small and is_counted and form.part != "NOUN" and self.gender_of_head == "feminine"
            case, number = "nominative" if is_feminine else "genitive", "singular" if is_singular else "plural"
        is_place = is_place and form.lemma in table("nouns").words("locative")
        new = inflected(form, case, number, gender=self.gender_of_head, is_animate=self.is_animate, is_place=is_place)
        if new and case == "instrumental" and "Surn" in form.marks and self._is_foreign:
            new = re.sub("(?<=ин|ов|ев)ым$", "ом", new)  # Чарльзом Дарвином, but Иваном Никитиным
        return None if new is None else gap + _spelt(part.text.strip(), form, new)

    @property
    def gender_of_head(self) -> str | None:
        """The gender that modifiers agree with; the plural of *лодка* is still feminine for *две*."""
        gender = self.gender or self.head.gender
        if gender != "common":
            return gender
        return next((p.form.gender for p in self.parts if p.form and p.form.part in _MODIFIERS), None) or "masculine"


def _spelt(model: str, form: Form, new: str) -> str:
    """The new form with the model's capitals, and with *е* for *ё* if the model has it so."""
    if "ё" in form.word and "ё" not in model.lower():
        new = new.replace("ё", "е")
    return cased(model, new)


@lru_cache(maxsize=20_000)
def phrase_readings(phrase: str, genders: frozenset[str] = frozenset()) -> tuple[NounPhrase, ...]:
    """Everything that the phrase may be, the most likely first; `genders` are those a name unknown to us may have.

    >>> [(reading.case, reading.number) for reading in phrase_readings("полки")][:2]
    [('genitive', 'singular'), ('nominative', 'plural')]
    """
    if phrase[:1] + phrase[-1:] in _QUOTES and len(phrase) > 2:
        quotes = phrase[0], phrase[-1]
        inner = phrase_readings(phrase[1:-1], genders)
        return tuple(
            replace(reading, quotes=quotes, is_animate=False)
            for reading in inner
            if reading.parts[-1].form or reading.conjuncts
        )
    words = tuple(_WORD.finditer(phrase))
    readings = [*_coordinations(phrase, words, genders), *_simple(phrase, words, genders)]
    return tuple(sorted(readings, key=lambda reading: -reading.score))


def name_phrase(name: str, form: Form) -> NounPhrase:
    """A single name, read as this form."""
    return NounPhrase((_Part(name, form),), form, form.case or "", "singular", form.gender, True, form.score)


def _coordinations(phrase: str, words: Sequence[re.Match[str]], genders: frozenset[str]) -> Iterator[NounPhrase]:
    """*Олег и Ира*, *хозяин и хозяйка*; but in *родители Олега и Иры* only what depends on *родители* is joined."""
    conjunctions = table("function_words").words("conjunction") | {"или", ","}
    for index, word in enumerate(words):
        if word.group().lower() not in conjunctions or not 0 < index < len(words) - 1:
            continue
        if _RELATIVE_CLAUSE.match(phrase[word.start() :]) or analyses(words[index + 1].group())[0].part == "PRTF":
            continue
        end, start = words[index - 1].end(), words[index + 1].start()
        right = phrase_readings(phrase[start:], genders)
        for first in phrase_readings(phrase[:end], genders):
            depends = first.parts[-1].form is None and not first.conjuncts
            if depends and any(second.case == "genitive" for second in right):
                continue
            for second in right:
                if second.case == first.case:
                    yield NounPhrase(
                        parts=(_Part(""), _Part(phrase[end:start])),
                        head=first.head,
                        case=first.case,
                        number="plural",
                        gender=None,
                        is_animate=first.is_animate or second.is_animate,
                        score=4 * (first.score * second.score) ** 0.5,  # rather than a head with an accidental "и"
                        conjuncts=(first, second),
                    )


def _simple(phrase: str, words: Sequence[re.Match[str]], genders: frozenset[str]) -> Iterator[NounPhrase]:
    """The readings with this head, including dependents before and after it."""
    for place, word in enumerate(words):
        for head in noun_forms(word.group(), genders):
            yield from _headed(phrase, words, place, head, genders)
        if not may_modify(word.group()):
            return


def noun_forms(word: str, genders: frozenset[str], *, is_surname: bool = False) -> list[Form]:
    """What a word may be as the head of a phrase; a capital also makes it a name."""
    pronouns = [form for form in analyses(word) if form.part == "NPRO" and form.case and "3per" not in form.marks]
    forms = [*_nouns(word), *pronouns] or _substantives(word)
    if not word[:1].isupper():
        return forms
    if "LATN" in analyses(word)[0].marks:
        return [_foreign(word)]
    if word.isupper() and len(word) > 1:  # США
        return forms
    if "-" in word and not is_known(word) and all(part[:1].isupper() for part in word.split("-")):
        forms = []  # *Мария-Луиза*: pymorphy3 looks at the last part alone
    required = (genders or _PERSONS) & _PERSONS
    if not is_known(word) and not compounds(
        word
    ):  # what pymorphy3 guesses of names is worse than what pytrovich makes of them
        derived = (*names_like(word, required, is_surname=is_surname), *families_like(word))
        guessed = [replace(form, score=form.score / (3 if form.is_personal else 10)) for form in forms]
        return guessed + [replace(form, score=form.score / 2) for form in derived]
    named = {form.gender for form in forms if form.is_personal and form.number == "singular"}
    # *Мальчик* is hardly a name, *Мэв* may be one
    is_word = any(form.case == "nominative" and not form.is_proper for form in forms)
    weight = 0.005 if is_word and not name_gender(word, "ru").value else 0.5
    missing = frozenset[str]() if named and not is_surname else required - named  # *Джейн Остин*, beside a man Остин
    derived = names_like(word, missing if "common" not in named else frozenset(), is_surname=is_surname)
    return forms + [replace(form, score=form.score * weight) for form in derived]


@lru_cache(maxsize=20_000)
def _nouns(word: str) -> tuple[Form, ...]:
    """The readings as a noun; each word counts with all its cases: *лисы* are *лиса* rather than *лис*.

    Names in *-у* or *-а* that do not decline (*Марку*) are rarer than the names whose forms they look like (*Марк*).
    """
    forms = compounds(word) or analyses(word)
    nouns = [form for form in forms if form.part == "NOUN" and form.case and form.number]
    totals: Counter[tuple[str, bool | None, bool]] = Counter()
    for form in nouns:
        totals[form.lemma, form.is_animate, form.is_proper] += form.score  # type: ignore[assignment]
    is_rarely_fixed = word[-1:] in "аую" and any(form.is_proper and "Fixd" not in form.marks for form in nouns)
    return tuple(
        replace(
            form,
            score=totals[form.lemma, form.is_animate, form.is_proper]
            * (0.01 if is_rarely_fixed and form.is_proper and "Fixd" in form.marks else 1)
            + form.score / 100,
        )
        for form in nouns
    )


def _substantives(word: str) -> list[Form]:
    """An adjective used as a noun: *больной*, *скорая*."""
    return [form for form in analyses(word) if form.part in _MODIFIERS and form.case and "Apro" not in form.marks]


def _foreign(word: str) -> Form:
    """A word in Latin letters, which does not decline."""
    marks = frozenset({"Fixd", "Orgn"})
    return Form(word.lower(), word.lower(), "NOUN", "nominative", None, "singular", None, marks, 1.0)


@lru_cache(maxsize=50_000)
def may_modify(word: str) -> bool:
    """Whether the word may precede the head of its phrase and belong to it."""
    small = word.lower()
    if small in _OWNERS or small in table("function_words").words("degree"):
        return True
    return any(form.part in (*_MODIFIERS, "NUMR") for form in analyses(word))


_OWNERS = frozenset({"его", "её", "ее", "их"})


def _headed(
    phrase: str, words: Sequence[re.Match[str]], place: int, head: Form, genders: frozenset[str]
) -> Iterator[NounPhrase]:
    """The readings with this head at this place."""
    for forms, case, number in _modified(words[:place], head):
        yield from _built(phrase, words, forms, head, case, number, genders)


def _built(
    phrase: str,
    words: Sequence[re.Match[str]],
    forms: Sequence[Form | None],
    head: Form,
    case: str,
    number: str,
    genders: frozenset[str],
) -> Iterator[NounPhrase]:
    """The reading with these forms before its head, and names after it."""
    place = len(forms)
    is_animate = bool(head.is_animate) or head.part == "NPRO"
    if head.part in _MODIFIERS:
        is_animate = head.is_animate is not False
    gender = head.gender if number == "singular" else None
    beside = _beside(words[place + 1 :], head, case, number, genders)
    if beside is None:
        return
    names, gender = beside[0], beside[1] if number == "singular" else gender
    declined = [*forms, head, *names]
    parts, end = [], 0
    for word, form in zip(words, declined, strict=False):
        parts.append(_Part(phrase[end : word.end()], form))
        end = word.end()
    rest = phrase[end:].rstrip(",")
    participle = _participle(rest, head, case, number)
    if participle:
        parts += [_Part(_COMMA), participle]
        rest = rest[len(_COMMA) + len(participle.text) :]
    if rest:
        parts.append(_Part(rest))
    following = words[place + 1 + len(names) :]
    if head.is_personal and following and _is_noun_in(following[0].group(), case, number):
        return  # *Наташин брат* is not somebody called Наташин
    reading = NounPhrase(
        parts=tuple(parts),
        head=head,
        case=case,
        number=number,
        gender=gender,
        is_animate=is_animate or any(name.is_personal for name in names),
        score=head.score * 4 ** (place + len(names)),  # rather than words that stay
        is_open=(bool(following) and _may_decline(following[0].group(), head, case, number))
        or (head.is_personal and bool(following) and following[0].group()[:1].isupper()),
    )
    yield reading
    if reading.is_animate and number == "singular" and _is_company(phrase, following):
        yield replace(
            reading, parts=(_Part(""),), number="plural", gender=None, score=reading.score / 2, conjuncts=(reading,)
        )


def _participle(rest: str, head: Form, case: str, number: str) -> _Part | None:
    """The participle right after a comma that agrees with the head: *мальчик, потерявший мяч*."""
    match = re.match(r",( \w+) [^,]+$", rest)
    form = _agreeing(match.group(1).strip(), head, case, number) if match else None
    return _Part(match.group(1), form) if match and form and form.part == "PRTF" else None


def _is_noun_in(word: str, case: str, number: str) -> bool:
    """Whether an uncapitalised word is first of all a noun with this case and number."""
    best = analyses(word)[0]
    return word.islower() and (best.part, best.case, best.number) == ("NOUN", case, number)


def _is_company(phrase: str, following: Sequence[re.Match[str]]) -> bool:
    """Whether *с* and an animate noun follow, so that two are meant: *мать с дочерью*."""
    if len(following) < 2 or following[0].group().lower() not in ("с", "со"):
        return False
    companions = phrase_readings(phrase[following[1].start() :])
    return any(companion.case == "instrumental" and companion.is_animate for companion in companions)


def _may_decline(word: str, head: Form, case: str, number: str) -> bool:
    """Whether a word after the head may have to follow its case: an adjective, or a name as in *город Москва*."""
    if _agreeing(word, head, case, number):
        return True
    named = [form for form in analyses(word) if form.is_proper and form.number == "singular"]
    cases = {form.case for form in named if "Fixd" not in form.marks}
    return word[:1].isupper() and not head.is_animate and case in cases and "genitive" not in cases


def _modified(words: Sequence[re.Match[str]], head: Form) -> Iterator[tuple[list[Form | None], str, str]]:
    """The forms of the words before a head, with the case and number of the whole; nothing if they do not fit it."""
    numerals: list[Form | None] = [
        form
        for word in words
        for form in analyses(word.group())
        if form.part == "NUMR" and form.case and _counts(form, head)
    ]
    for numeral in numerals or [None]:
        forms = [_modifier(word.group(), head, numeral) for word in words]
        if all(fits for _, fits in forms):
            case, number = (numeral.case, "plural") if numeral else (head.case, head.number)
            yield [form for form, _ in forms], case or "", number or ""


def _modifier(word: str, head: Form, numeral: Form | None) -> tuple[Form | None, bool]:
    """The form in which the word belongs to the head (None if it does not decline), and whether it does belong."""
    small = word.lower()
    if numeral is not None and small == numeral.word:
        return numeral, True
    if small in _OWNERS or small in table("function_words").words("degree"):
        return None, True
    form = _agreeing(word, head, head.case or "", head.number or "", is_counted=numeral is not None)
    return form, form is not None


def _counts(numeral: Form, head: Form) -> bool:
    """Whether the noun has the form that the numeral wants: *два стола*, *пять столов*, *двум столам*."""
    if numeral.case in ("nominative", "accusative") and not (numeral.case == "accusative" and "anim" in numeral.marks):
        required = "singular" if numeral.lemma in _SMALL else "plural"
        has_gender = numeral.gender in (None, head.gender) or head.gender == "common"
        if "inan" in numeral.marks and head.is_animate and numeral.lemma in _SMALL:
            return False
        return head.case == "genitive" and head.number == required and has_gender
    case = "genitive" if numeral.case == "accusative" else numeral.case
    return head.number == "plural" and head.case in (case, numeral.case)


def _agreeing(word: str, head: Form, case: str, number: str, *, is_counted: bool = False) -> Form | None:
    """The adjective's form that agrees with the head; None if it has none."""
    for form in analyses(word):
        if form.part not in _MODIFIERS:
            continue
        if is_counted and form.number == "plural" and form.case in ("genitive", "nominative", case):
            return form
        if form.case != case or form.number != number:
            continue
        if number == "singular" and not genders_agree(form.gender, head.gender):
            continue
        if case == "accusative" and form.is_animate is not None and form.is_animate != bool(head.is_animate):
            continue
        return form
    return None


def genders_agree(first: str | None, second: str | None) -> bool:
    """Whether two genders may be the same; None and `common` are unknown."""
    return first == second or bool({first, second} & {None, "common"})


def _beside(
    words: Sequence[re.Match[str]], head: Form, case: str, number: str, genders: frozenset[str]
) -> tuple[list[Form], str | None] | None:
    """The names after the head that decline with it, and the gender of the whole; None if it is unclear."""
    gender = head.gender
    titles, nouns = table("nouns").words("title"), table("nouns").words("common")
    if not (head.is_animate and (head.is_personal or head.part == "NOUN")):
        return [], gender
    names: list[Form] = []
    for word in words:
        if not word.group()[:1].isupper():
            break
        is_given = not head.is_personal and not names and head.lemma not in titles  # *ученица Маша*
        required = genders if head.lemma in nouns or gender in (None, "common") else frozenset({gender or ""})
        matching = [
            form
            for form in noun_forms(word.group(), required & _PERSONS or required, is_surname=not is_given)
            if form.case == case
            and form.number == number
            and (genders_agree(form.gender, gender) or head.lemma in nouns)
            and (not required or genders_agree(form.gender, next(iter(required))) or len(required) > 1)
        ]
        personal = [form for form in matching if form.is_personal]
        if not personal:
            break
        if not head.is_personal and head.lemma not in titles and case == "genitive":
            return None  # "подруги Инны" may be Инна, or a friend of hers
        name = max(personal, key=lambda form: form.score)
        names.append(name)
        if name.gender in _PERSONS and (gender in (None, "common") or head.lemma in nouns):
            gender = name.gender
    return names, gender
