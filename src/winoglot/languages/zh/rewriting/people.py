"""Candidates that are people's names, and other names of the same form.

A name keeps its form, for 小李, 李阿姨, 李建国 and 建国 are not said of the same person by the same speaker: 小雯
becomes 小芳, 王强 becomes 李勇, 约翰 becomes 彼得. Given names are of the same generation, and no full name is that of
a well-known person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import famous_full_names, famous_names, is_name, names
from winoglot.languages.rewriting import Draws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.zh.rewriting.scene import ChineseScene

_AT_SCHOOL = re.compile("[考课]|班[上里长]|全班|作业|同学|学校|放学|捉迷藏|老师")
_ALWAYS_SURNAMES = frozenset("李杨林高方毛梁")  # though characters of given names too
NameForm = Literal["titled", "nickname", "called", "full", "reduplicated", "given", "foreign", "latin"]


@dataclass(frozen=True)
class NamedPerson:
    """A candidate's name in parts: 王 and 老师, 小 and 雯, 王 and 姗姗, nothing and 思雨."""

    name: str
    form: NameForm
    first: str = ""
    last: str = ""


def people_of(scene: ChineseScene, named: list[int]) -> list[NamedPerson]:
    """The candidates at these indexes as people; NotDerivedError if the text calls one by several names."""
    people = _named_people([scene.noun(index) for index in named])
    for index, person in zip(named, people, strict=True):
        names = {phrase.noun.of(scene.text) for phrase in scene.of(index)}
        if names != {scene.item.candidates[index].text}:
            raise NotDerivedError(f"{person.name} is called by several names")
        if person.form == "full" and len(person.last) > 1 and scene.text.count(person.last) > len(scene.of(index)):
            raise NotDerivedError(f"the text calls {person.name} {person.last} too")
    return people


def is_latin_name(word: str) -> bool:
    """Whether a word is a first name in Latin letters: Tom."""
    return word.isascii() and word.isalpha() and is_name(word, "en")


def _named_people(names: list[str]) -> list[NamedPerson]:
    """The names in parts; 莉莉 is a Chinese name unless the text has a foreign one beside it."""
    people = [_named_person(name) for name in names]
    if any(person.form == "foreign" for person in people):
        ambiguous = ("given", "reduplicated")
        return [NamedPerson(person.name, "foreign") if person.form in ambiguous else person for person in people]
    return people


def _named_person(name: str) -> NamedPerson:
    """A name in parts; NotDerivedError for a famous person or a form that is not known."""
    if name in famous_names() or name in famous_full_names():
        raise NotDerivedError(f"{name} is a famous person")
    if is_latin_name(name):
        return NamedPerson(name, "latin")
    listed, characters = lexicon("zh", "people"), lexicon("zh", "names")
    surnames, given = characters.words("surname"), characters.words("given")
    surname = next((name[:length] for length in (2, 1) if len(name) > length and name[:length] in surnames), "")
    is_doubled, rest = len(name) == 2 and name[0] == name[1], name[len(surname) :]
    is_long_sound = len(name) > 2 and not surname and set(name) <= characters.words("transliteration")
    if not is_doubled and (name in listed.words("transliteration") or is_long_sound):
        return NamedPerson(name, "foreign")
    if surname and rest in listed.words("title"):  # 王老师
        return NamedPerson(name, "titled", surname, rest)
    if len(name) == 2 and name[0] in "小老阿":
        is_rare = name[1] in surnames and (name[0] == "老" or name[1] not in given)
        if is_rare or name[1] in listed.words("surname"):  # 小李, 老李
            return NamedPerson(name, "called", name[0], name[1])
        if name[0] != "老":  # 小雯, 阿敏
            return NamedPerson(name, "nickname", name[0], name[1])
    elif surname and _may_be_full(name, surname, rest):
        return NamedPerson(name, "full", surname, rest)
    elif len(name) == 2:
        return NamedPerson(name, "reduplicated" if is_doubled else "given", "", name)
    raise NotDerivedError(f"no other name has the form of {name}")


def _may_be_full(name: str, surname: str, rest: str) -> bool:
    """Whether a name is a family name with a given name, and no given name alone: not 卫东, 安琪, 白露."""
    characters, listed = lexicon("zh", "names").words("given"), names("zh-CN")
    known = characters | lexicon("zh", "people").words("after-surname")
    is_alone = name in (*listed.known_masculine, *listed.known_feminine)
    is_given_too = len(rest) == 1 and surname in characters and surname not in _ALWAYS_SURNAMES
    return len(rest) in (1, 2) and set(rest) <= known and not is_alone and not is_given_too


def other_names(
    people: Sequence[NamedPerson], draws: Draws, gender: str, purpose: str = "names", *, is_other: bool = False
) -> list[str]:
    """A new name for each person in its own form; no two share a character with each other or with the text.

    With `is_other` the gender is not that of the person.
    """
    texts = "".join(item.text or "" for item in draws.schema.items)
    used_characters, generation = set(texts), _shared_generation(people, texts)
    is_family = len(people) > 1 and len({person.first if person.form == "full" else "" for person in people}) == 1
    latin_count = sum(person.form == "latin" for person in people)
    latin_names = iter(Draws(draws.schema, "en", draws.seed).names(gender, latin_count) if latin_count else ())
    new_names: list[str] = []
    for index, person in enumerate(people):
        if person.form == "latin":
            new_names.append(next(latin_names))
            continue
        drawing = _Drawing(draws, f"{purpose} {index}", used_characters, gender, generation)
        family = (
            new_names[0][0] if new_names and is_family and person.form == "full" else ""
        )  # 陈刚 and his brother 陈亮
        name = drawing.named_like(person, is_other=is_other, family=family)
        new_names.append(name)
        used_characters |= set(name) - {"小", "老", "阿"}
    return new_names


@dataclass(frozen=True)
class _Drawing:
    """A name to be drawn for a person."""

    draws: Draws
    purpose: str
    taken: set[str]  # characters of the text and of names drawn before
    gender: str
    generation: str  # older, younger or empty

    def named_like(self, person: NamedPerson, *, is_other: bool, family: str = "") -> str:
        if person.form == "titled":
            return self._drawn_word("surname") + _counterpart_title(person.last, self.gender)
        if person.form == "called" and is_other:  # 老李 is a man, 小李 a man or a woman
            if person.first == "老" and self.gender == "feminine":
                return self._drawn_word("surname") + "大姐"
            return person.first + self._drawn_word("nickname", self.gender)
        if person.form == "called":
            return person.first + self._drawn_word("surname")
        if person.form == "nickname":
            return person.first + self._drawn_word("nickname", self.gender)
        if person.form == "full":
            last = self._drawn_word("after-surname", self.gender, length=len(person.last), after=family)
            return (family or self._drawn_word("surname", before=last)) + last
        if person.form == "foreign":
            return self._drawn_word("transliteration", self.gender, length=max(2, min(len(person.name), 3)))
        return self._drawn_word(person.form, self.gender)

    def _drawn_word(self, *features: str, length: int | None = None, before: str = "", after: str = "") -> str:
        """A word of the table; a given name fits the generation and makes no famous name with the family name."""
        table = lexicon("zh", "people")
        suitable = [word for word in sorted(table.words(*features)) if length in (None, len(word))]
        if features[0] == "given" or (features[0] == "after-surname" and length == 2):
            suitable = [word for word in suitable if _generation(word) == self.generation] or suitable
        options = [
            word
            for word in suitable
            if not self.taken & set(word) and after + word + before not in table.words("renowned")
        ]
        if not options:
            raise NotDerivedError("the list of names is too short")
        return self.draws.pick(f"{self.purpose} {' '.join(features)}", options)


def _shared_generation(people: Sequence[NamedPerson], texts: str) -> str:
    """The generation to draw from: that of all the people, younger at school, and else neither."""
    generations = {_generation(person.last) for person in people if person.form in ("given", "full")}
    return "younger" if _AT_SCHOOL.search(texts) else generations.pop() if len(generations) == 1 else ""


@cache
def _generation(name: str) -> str:
    """Whether a given name is older, younger or neither: as it is listed, or by the characters of listed names."""
    table = lexicon("zh", "people")
    listed = {age: table.words("given", age) | table.words("after-surname", age) for age in ("older", "younger")}
    for age, names_ in listed.items():
        if name in names_:
            return age
    if name in table.words("given") or name in table.words("after-surname"):
        return ""
    older, younger = (sum(character in "".join(sorted(names_)) for character in name) for names_ in listed.values())
    return "older" if older > younger else "younger" if younger > older else ""


def _counterpart_title(title: str, gender: str) -> str:
    """The title, or that of the other sex."""
    table = lexicon("zh", "people")
    if title in table.words("title", gender) or title in table.words("title", "common"):
        return title
    return table.values("counterpart")[title][0]
