"""The sentences of the published corpus (Salvatore, Finger and Hirata 2019) in English and Portuguese.

A premise is a list of facts with commas between them, a fact is a subject, one of five verbs, and objects. The table
`published.json` has the words of both languages; `said` writes a fact with them, and `facts` parses sentences.

>>> [fact] = facts("Ana has visited only two places and only one person", "en")
>>> fact.objects
(Amount(sort='place', n=2), Amount(sort='person', n=1))
>>> said(Fact(("Ana", "Eva"), "visited", ("Rome",)), "pt")
'Ana e Eva visitaram Rome'
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from winoglot.logic import formulas as logic
from winoglot.logic.formulas import Sort

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from winoglot.logic.formulas import Formula, Term

LANGUAGES = ("en", "pt")
# The names of the tasks here, of the published files, and of their `label_form`
FILES = {
    "negation": ("simple_negation", "simple_negation"),
    "coordination": ("boolean_coordination", "boolean_coordination"),
    "quantification": ("quantifier", "quantifier"),
    "description": ("equality_and_definite_description", "definite_description"),
    "comparison": ("comparative", "comparative"),
    "counting": ("counting", "counting"),
    "mixed": ("mixed", ""),
}
Verb = Literal["visited", "denied", "taller", "as tall as", "the one who visited"]
_VERBS: tuple[Verb, ...] = ("visited", "denied", "taller", "as tall as", "the one who visited")
_ROUNDS = 5  # no published file changes after more rounds
_SHARE = 0.25  # share of a list known to be people: more than chance namesakes among places
_LONGEST = 8  # words of a name
_NAME_WORD = re.compile(r"(?:[dDlL]['’]|['’‘])?(?=[^\W_a-zà-ÿ])(?:[^.,;:!?]+|\w{1,3}\.)")


def parse_file_name(name: str) -> tuple[str, str, str] | None:
    """The task, language and split of a file of the published corpus, by its name; None for any other name.

    >>> parse_file_name("quantifier_pt_train.csv.gz"), parse_file_name("test.csv")
    (('quantification', 'pt', 'train'), None)
    """
    tasks = {published: task for task, (published, _) in FILES.items()}
    parts = re.fullmatch(r"([a-z_]+?)(?:_(pt))?_(train|test)\.csv(?:\.gz)?", name)
    return (tasks[parts[1]], parts[2] or "en", parts[3]) if parts and parts[1] in tasks else None


class NotPublished(ValueError):  # noqa: N818
    """The words are not those of the published corpus."""


@dataclass(frozen=True)
class Amount:
    """All people or places (`n` is None), or exactly n of them."""

    sort: Sort
    n: int | None = None


@dataclass(frozen=True)
class Fact:
    """Who did what: the subjects are names, or the one word `everyone` or `someone`."""

    subjects: tuple[str, ...]
    verb: Verb
    objects: tuple[str | Amount, ...]

    @property
    def people(self) -> tuple[str, ...]:
        """The names that can only be people."""
        names = (
            [name for name in self.objects if isinstance(name, str)] if self.verb in {"taller", "as tall as"} else []
        )
        return (*names, *(name for name in self.subjects if name not in {"everyone", "someone"}))

    @property
    def visited(self) -> tuple[str, ...]:
        """The names of which the fact does not say whether they are people or places."""
        return tuple(name for name in self.objects if isinstance(name, str) and name not in self.people)


def said(fact: Fact, language: str, *, feminine: bool = False) -> str:
    """The fact in the published wording; `feminine` says that its subject is a woman."""
    words = _word_table(language)
    subject = words[fact.subjects[0]][0].capitalize() if fact.subjects[0] in words else _join_list(fact.subjects, words)
    is_plural = fact.verb == "visited" and len(fact.subjects) > 1
    is_agreeing = feminine and fact.verb in {"taller", "as tall as"} and len(words[fact.verb]) > 1
    verb = words[fact.verb][1 if is_plural or is_agreeing else 0]
    is_description = fact.verb == "the one who visited"
    objects = [
        entity if isinstance(entity, str) else _amount(entity, words, short=is_description) for entity in fact.objects
    ]
    return f"{subject} {verb} {_join_list(objects, words)}"


def facts(text: str, language: str) -> list[Fact]:
    """Parse a premise or a hypothesis into its facts."""
    words = _word_table(language)
    for name in words["names with and, or"]:
        text = text.replace(name, name.replace(" ", "\u00a0"))
    first, *verbs_and_objects = _verb(language).split(" ".join(re.split(r"[ \t\n]+", text.strip().removesuffix("."))))
    parsed_facts = []
    subject = first
    for number in range(0, len(verbs_and_objects), 2):
        verb, following = verbs_and_objects[number : number + 2]
        objects, next_subject = following, ""
        if number + 2 < len(verbs_and_objects):
            objects, comma, next_subject = following.rpartition(",")
            if not comma:
                raise NotPublished(text)
        parsed_facts.append(_fact(subject, verb, objects.strip(" ,"), words))
        subject = next_subject.strip()
    if not parsed_facts:
        raise NotPublished(text)
    return parsed_facts


def formulas(
    fact_lists: Iterable[list[Fact]], sorts: Mapping[str, Sort]
) -> tuple[list[Formula], dict[str, logic.Name]]:
    """One formula per list of facts, and the symbol of each name; names that `sorts` does not have are places."""
    symbols: dict[str, logic.Name] = {}

    def name(text: str) -> logic.Name:
        if text not in symbols:
            sort = sorts.get(text, "place")
            number = sum(symbol.sort == sort for symbol in symbols.values())
            symbols[text] = logic.person(number) if sort == "person" else logic.place(number)
        return symbols[text]

    def about(fact: Fact) -> list[Formula]:
        match fact.subjects:
            case ("everyone",):
                return [logic.ForAll(_X, logic.conjunction(_subject_formulas(fact, _X, name)))]
            case ("someone",):
                return [logic.Exists(_X, logic.conjunction(_subject_formulas(fact, _X, name)))]
            case subjects:
                return [formula for subject in subjects for formula in _subject_formulas(fact, name(subject), name)]

    return [
        logic.conjunction(formula for fact in facts_of_sentence for formula in about(fact))
        for facts_of_sentence in fact_lists
    ], symbols


def sorts_of(pair_facts: Iterable[Fact], people: Iterable[str] = ()) -> dict[str, Sort]:
    """The sort of each name in a pair: people are those that do something or are known; a list has one sort."""
    all_facts = list(pair_facts)
    sorts: dict[str, Sort] = {name: "person" for fact in all_facts for name in fact.people}
    known_people = {*people, *sorts}
    for fact in all_facts:
        votes = Counter(sorts.get(name, "person" if name in known_people else "place") for name in fact.visited)
        for name in fact.visited:
            sorts.setdefault(name, votes.most_common(1)[0][0])
    return sorts


def people_in(file_facts: Iterable[Fact]) -> set[str]:
    """The people of a file: names that do something in any sentence, and those that are listed with them.

    >>> both = facts("Ana has visited Eva, Ida and Mia", "en") + facts("Eva has visited Rome and Oslo", "en")
    >>> sorted(people_in(both))
    ['Ana', 'Eva', 'Ida', 'Mia']
    """
    all_facts = list(file_facts)
    subjects = {name for fact in all_facts for name in fact.people}
    lists = [fact.visited for fact in all_facts if len(fact.visited) > 1]
    people = subjects
    for _ in range(_ROUNDS):
        votes: Counter[str] = Counter()
        for names in lists:
            of_people = sum(name in people for name in names) > _SHARE * len(names)
            votes.update(dict.fromkeys(names, 1 if of_people else -1))
        people = subjects | {name for name, count in votes.items() if count > 0}
    return people


_X, _Y = logic.Var("x"), {"person": logic.Var("x1"), "place": logic.Var("y")}


def _subject_formulas(fact: Fact, subject: Term, name: Any) -> list[Formula]:
    """What the fact says about one subject, one formula per object."""
    if fact.verb == "the one who visited":
        body = logic.conjunction(_visits(_X, entity, name) for entity in fact.objects)
        return [logic.Equal(subject, logic.The(_X, body))]
    if fact.verb == "taller":
        return [logic.Taller(subject, name(entity)) for entity in fact.objects]
    if fact.verb == "as tall as":
        return [logic.AtLeastAsTall(subject, name(entity)) for entity in fact.objects]
    visits = [_visits(subject, entity, name) for entity in fact.objects]
    return [logic.Not(visit) for visit in visits] if fact.verb == "denied" else visits


def _visits(subject: Term, entity: str | Amount, name: Any) -> Formula:
    if isinstance(entity, str):
        return logic.Visited(subject, name(entity))
    var = _Y[entity.sort]
    body = logic.Visited(subject, var)
    return logic.ForAll(var, body) if entity.n is None else logic.Exactly(entity.n, var, body)


def _fact(subject: str, verb: str, objects: str, words: Mapping[str, Any]) -> Fact:
    kind = next(kind for kind in _VERBS if verb in words[kind])
    plural = kind == "visited" and verb == words[kind][1]
    special = next((word for word in ("everyone", "someone") if subject.lower() in words[word]), None)
    names = (special,) if special else _names(subject, words) if plural else (_name(subject, words),)
    if kind in {"denied", "as tall as"}:
        return Fact(names, kind, (_name(objects, words),))
    opening = "|".join((words["only"], *words["every person"], *words["every place"]))
    if re.match(rf"(?:{opening})\b", objects):
        parts = re.split(rf" {words['and']} (?=(?:{opening})\b)", objects)
        return Fact(names, kind, tuple(_read_amount(part, words) for part in parts))
    return Fact(names, kind, _names(objects, words))


def _read_amount(text: str, words: Mapping[str, Any]) -> Amount:
    """All, or a number: in words of either gender (the published corpus has *vinte e dois pessoas*) or in digits."""
    sorts: tuple[Sort, Sort] = ("person", "place")
    for sort in sorts:
        if text in words[f"every {sort}"]:
            return Amount(sort)
        numbers = words["numbers"].split(", ")
        for n, number in enumerate(numbers, start=1):
            spellings = {number, _feminine(number, words), str(n)}
            if text in {f"{words['only']} {spelling} {noun}" for spelling in spellings for noun in words[sort]}:
                return Amount(sort, n)
    raise NotPublished(text)


def _names(text: str, words: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of a list: commas between them, *and* before the last."""
    *earlier_names, last = re.split(r" ?, ", text)
    second_last, conjunction, last_name = last.rpartition(f" {words['and']} ")
    if earlier_names and not conjunction:
        raise NotPublished(text)  # two adjacent clauses
    return tuple(_name(part, words) for part in (*earlier_names, second_last, last_name) if part)


def _name(text: str, words: Mapping[str, Any]) -> str:
    """Capitalised words and particles; a full stop only after an abbreviation such as *St.*"""
    parts = re.sub(r" \([^()]+\)$", "", text).split(" ")  # names with non-breaking spaces are one word
    particles = words["particles"].split()
    fit = all(part in particles or _NAME_WORD.fullmatch(part) for part in parts)
    if not fit or len(parts) > _LONGEST or all(part in particles for part in parts):
        raise NotPublished(text)
    return text.replace("\u00a0", " ")


def _join_list(names: Iterable[str], words: Mapping[str, Any]) -> str:
    *before, last = names
    return f"{', '.join(before)} {words['and']} {last}" if before else last


def _amount(amount: Amount, words: Mapping[str, Any], *, short: bool) -> str:
    if amount.n is None:
        return str(words[f"every {amount.sort}"][-1 if short else 0])
    number = words["numbers"].split(", ")[amount.n - 1]
    number = _feminine(number, words) if amount.sort == "person" else number
    return f"{words['only']} {number} {words[amount.sort][amount.n > 1]}"


def _feminine(number: str, words: Mapping[str, Any]) -> str:
    return " ".join(words["feminine"].get(word, word) for word in number.split())


@cache
def _verb(language: str) -> re.Pattern[str]:
    verbs = sorted((verb for kind in _VERBS for verb in _word_table(language)[kind]), key=len, reverse=True)
    return re.compile(f" ({'|'.join(map(re.escape, verbs))}) ")


@cache
def _word_table(language: str) -> Mapping[str, Any]:
    text = files("winoglot.logic").joinpath("published.json").read_text("utf-8")
    return json.loads(text)[language]  # type: ignore[no-any-return]
