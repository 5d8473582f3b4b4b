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

    form: NameForm
    first: str
    last: str


def new_names(scene: ChineseScene, draws: Draws, gender: str | None, purpose: str = "names") -> dict[int, str]:
    """A new name in its own form for each candidate that is called by one.

    No two share a character with each other or with the text. A gender that is not the pronoun's is the other one.
    """
    if not scene.named:
        return {}
    people = _people(scene)
    if gender is None:
        raise NotDerivedError("the pronoun does not show the gender of the names")
    texts = "".join(item.text or "" for item in draws.schema.items)
    used_characters, generation = set(texts), _shared_generation(people, texts)
    is_family = len(people) > 1 and len({person.first if person.form == "full" else "" for person in people}) == 1
    count = sum(person.form == "latin" for person in people)
    latin_names = iter(Draws(draws.schema, "en", draws.seed).names(gender, count) if count else ())
    new: list[str] = []
    for index, person in enumerate(people):
        family = new[0][0] if new and is_family and person.form == "full" else ""  # 陈刚 and his brother 陈亮
        drawing = _Drawing(draws, f"{purpose} {index}", frozenset(used_characters), gender, generation)
        is_other = gender != scene.gender
        new.append(next(latin_names) if person.form == "latin" else drawing.like(person, family, is_other=is_other))
        used_characters |= set(new[-1]) - {"小", "老", "阿"}
    return dict(zip(scene.named, new, strict=True))


def _people(scene: ChineseScene) -> list[NamedPerson]:
    """The candidates that are people; NotDerivedError if the text calls one by several names."""
    for index in scene.named:
        if {phrase.noun.of(scene.text) for phrase in scene.of(index)} != {scene.item.candidates[index].text}:
            raise NotDerivedError(f"{scene.noun(index)} is called by several names")
    return [_named_person(scene.noun(index)) for index in scene.named]


def _named_person(name: str) -> NamedPerson:
    """A name in parts; NotDerivedError for a famous person or a form that is not known."""
    if name in famous_names() or name in famous_full_names():
        raise NotDerivedError(f"{name} is a famous person")
    if name.isascii() and name.isalpha() and is_name(name, "en"):
        return NamedPerson("latin", "", name)
    listed, characters = lexicon("zh", "people"), lexicon("zh", "names")
    surnames, given = characters.words("surname"), characters.words("given")
    surname = next((name[:length] for length in (2, 1) if len(name) > length and name[:length] in surnames), "")
    is_doubled, rest = len(name) == 2 and name[0] == name[1], name[len(surname) :]
    is_long_sound = len(name) > 2 and not surname and set(name) <= characters.words("transliteration")
    if not is_doubled and (name in listed.words("transliteration") or is_long_sound):
        return NamedPerson("foreign", "", name)
    if surname and rest in listed.words("title"):  # 王老师
        return NamedPerson("titled", surname, rest)
    if len(name) == 2 and name[0] in "小老阿":
        is_rare = name[1] in surnames and (name[0] == "老" or name[1] not in given)
        if is_rare or name[1] in listed.words("surname"):  # 小李, 老李
            return NamedPerson("called", name[0], name[1])
        if name[0] != "老":  # 小雯, 阿敏
            return NamedPerson("nickname", name[0], name[1])
    elif surname and _may_be_full(name, surname, rest):
        return NamedPerson("full", surname, rest)
    elif len(name) == 2:
        return NamedPerson("reduplicated" if is_doubled else "given", "", name)
    raise NotDerivedError(f"no other name has the form of {name}")


def _may_be_full(name: str, surname: str, rest: str) -> bool:
    """Whether a name is a family name with a given name, and no given name alone: not 卫东, 安琪, 白露."""
    characters, listed = lexicon("zh", "names").words("given"), names("zh-CN")
    known = characters | lexicon("zh", "people").words("after-surname")
    is_alone = name in (*listed.known_masculine, *listed.known_feminine)
    is_given_too = len(rest) == 1 and surname in characters and surname not in _ALWAYS_SURNAMES
    return len(rest) in (1, 2) and set(rest) <= known and not is_alone and not is_given_too


@dataclass(frozen=True)
class _Drawing:
    """A name to be drawn for a person."""

    draws: Draws
    purpose: str
    taken: frozenset[str]  # characters of the text and of names drawn before
    gender: str
    generation: str  # older, younger or empty

    def like(self, person: NamedPerson, family: str, *, is_other: bool) -> str:
        """A name of the form of a person's, with a family name if one is given; `is_other` for the other gender."""
        if person.form == "titled":
            return self._word("surname") + _title(person.last, self.gender)
        if person.form == "called" and not is_other:
            return person.first + self._word("surname")
        if person.form == "called" and person.first == "老" and self.gender == "feminine":  # 老李 is a man
            return self._word("surname") + "大姐"
        if person.form in ("called", "nickname"):
            return person.first + self._word("nickname", self.gender)
        if person.form == "full":
            last = self._word("after-surname", self.gender, length=len(person.last), after=family)
            return (family or self._word("surname", before=last)) + last
        if person.form == "foreign":
            return self._word("transliteration", self.gender, length=max(2, min(len(person.last), 3)))
        return self._word(person.form, self.gender)

    def _word(self, *features: str, length: int | None = None, before: str = "", after: str = "") -> str:
        """A word of the table; a given name fits the generation and makes no famous name with the family name."""
        table = lexicon("zh", "people")
        suitable = [word for word in sorted(table.words(*features)) if length in (None, len(word))]
        if features[0] == "given" or (features[0] == "after-surname" and length == 2):
            suitable = [word for word in suitable if _generation(word) == self.generation] or suitable
        free = [word for word in suitable if self.taken.isdisjoint(word)]
        options = [word for word in free if after + word + before not in table.words("renowned")]
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
    is_listed = name in table.words("given") | table.words("after-surname")
    counts = {
        age: int(name in ages) if is_listed else sum(character in "".join(ages) for character in name)
        for age, ages in listed.items()
    }
    return "" if counts["older"] == counts["younger"] else max(counts, key=lambda age: counts[age])


def _title(title: str, gender: str) -> str:
    """The title, or that of the other sex."""
    table = lexicon("zh", "people")
    is_fitting = title in table.words("title", gender) | table.words("title", "common")
    return title if is_fitting else table.values("counterpart")[title][0]
