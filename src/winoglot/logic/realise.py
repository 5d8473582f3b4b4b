"""From formulas to sentences.

A sentence depends on the shape of its formula, on which names are feminine and on a random number. So each such
sentence is built once, with places for the names, and filled in from then on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Literal

from winoglot.errors import InputError
from winoglot.logic.clauses import Named
from winoglot.logic.formulas import And, AtLeastAsTall, Before, Formula, Name, Not, Or, Rel, Taller
from winoglot.logic.languages.base import ONCE
from winoglot.logic.listing import listing
from winoglot.logic.planning import Planner
from winoglot.logic.vocabulary import WrittenName, known_language
from winoglot.logic.walking import children

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from winoglot.logic.formulas import Term

Wording = Literal["exact", "ambiguous"]
_VARIANTS = 48  # sentences per shape; drawing more finds few new ones
_BUILT = 50_000
_MARK = re.compile("\x02([^\x02\x03]*)\x03")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a name or a list goes, and in which form."""

    slot: int
    item: int | None
    form: str
    joiner: str
    before: str  # written before each member of a list


def realise(
    formula: Formula, names: Mapping[str, WrittenName], language: str, rng: Random, *, wording: Wording = "exact"
) -> str:
    """The formula in words: one sentence, or one sentence per fact for a premise of several facts.

    `names` maps each symbol to a word. The wording "ambiguous" uses *as tall as* and *only n* as in the published
    corpus, which have two readings.

    >>> from winoglot.logic.formulas import parse
    >>> words = {"p0": WrittenName("Ana", "person", "feminine"), "c0": WrittenName("o Cairo", "place")}
    >>> realise(parse("V(p0,c0)"), words, "pt", Random(4))
    'Ana esteve no Cairo.'
    """
    return joined([one.sentence(rng.random()) for one in outlines(formula, names, language, wording)], language)


def outlines(formula: Formula, names: Mapping[str, WrittenName], language: str, wording: Wording) -> list[Outline]:
    """The sentences of a formula before their wording is chosen."""
    known_language(language)
    if isinstance(formula, And) and not _is_one_sentence(formula):
        return [_outlined(part, names, language, wording) for part in formula.parts]
    return [_outlined(formula, names, language, wording)]


def joined(sentences: Sequence[str], language: str) -> str:
    """Join the sentences into one text."""
    stop: str = _speaker(language).STOP
    return stop.join(sentences)


def _is_one_sentence(formula: And) -> bool:
    """A list, or two simple facts; in anything longer the scope of a negation or an alternative would be unclear."""
    if len(formula.parts) == 2:
        atoms = [part.body if isinstance(part, Not) else part for part in formula.parts]
        if all(isinstance(atom, Rel | Taller | AtLeastAsTall | Before) for atom in atoms):
            return True
    return listing(formula) is not None


@dataclass(frozen=True, slots=True)
class Outline:
    """A sentence whose wording is not yet chosen; a number between 0 and 1 chooses it.

    `shape` is the same for outlines that differ only in their names; `words` and `names` give the words and the
    symbols of each place.
    """

    formula: Formula
    language: str
    wording: Wording
    shape: str
    names: tuple[tuple[Name, ...], ...]
    words: list[list[WrittenName]]
    traits: tuple[str, ...]

    @property
    def two(self) -> tuple[Name, ...]:
        """The two names of a fact that relates two names; empty for any other fact."""
        if len(self.names) == 2 and len(self.names[0]) == len(self.names[1]) == 1:
            return self.names[0] + self.names[1]
        return ()

    @property
    def is_visit(self) -> bool:
        """Whether it says that one name has, or has not, visited another."""
        said = self.formula
        while isinstance(said, Not):
            said = said.body
        return isinstance(said, Rel) and bool(self.two)

    def order(self, way: float) -> tuple[int, ...]:
        """The order of the places in this wording."""
        return tuple(dict.fromkeys(part.slot for part in self._template(way) if isinstance(part, _Place)))

    def ranks(self, way: float) -> dict[Term, int]:
        """The position of every name in this wording; the names of a list share one."""
        return {name: rank for rank, slot in enumerate(self.order(way)) for name in self.names[slot]}

    def sentence(self, way: float) -> str:
        """The sentence in this wording."""
        speaker, words = _speaker(self.language), self.words
        parts = [
            part if isinstance(part, str) else _filled(part, words, speaker, self.language)
            for part in self._template(way)
        ]
        finished: str = speaker.finished("".join(parts))
        return finished

    def _template(self, way: float) -> list[str | _Place]:
        cached = (self.language, self.wording, self.shape, self.traits, int(way * _VARIANTS))
        template = _templates.get(cached)
        if template is None:
            if len(_templates) >= _BUILT:
                _templates.clear()
            template = _templates[cached] = _built(self, cached)
        return template


def _outlined(formula: Formula, names: Mapping[str, WrittenName], language: str, wording: Wording) -> Outline:
    key: list[str] = []
    slots: dict[tuple[Name, ...], int] = {}
    _outline(formula, key, slots)
    try:
        words = [[names[name.text] for name in members] for members in slots]
    except KeyError as error:
        raise InputError(
            f"no word given for {error.args[0]} in the formula {formula}", remedy="Give a name to every symbol."
        ) from None
    traits = tuple([_trait(members) for members in words])
    return Outline(formula, language, wording, "".join(key), tuple(slots), words, traits)


_templates: dict[tuple[object, ...], list[str | _Place]] = {}


def _trait(members: list[WrittenName]) -> str:
    """What the words around a name or list depend on: the number (1, 2, 3 or more) and the genders."""
    genders = "".join([word.gender[0] for word in members])
    if len(members) <= 2:
        return genders
    return "mmm" if "m" in genders else "fff"


def _outline(node: Formula | Term, key: list[str], slots: dict[tuple[Name, ...], int]) -> None:
    """Write down the shape; names worded as a list share a slot."""
    kind = type(node)
    if kind is Name:
        assert isinstance(node, Name)
        key.append(f"{node.sort[1]}{slots.setdefault((node,), len(slots))} ")
        return
    if kind is And or kind is Or:
        found = listing(node)  # type: ignore[arg-type]
        if found is not None:
            sign = f"{found.joiner}{'-' if found.negated else '+'}{found.kind.__name__}"
            key.append(f"[{sign}{'<' if found.members_visit else '>'}{found.members[0].sort[1]}")
            key.append(f"{slots.setdefault(found.members, len(slots))} ")
            _outline(found.shared, key, slots)
            key.append("]")
            return
    key.append(f"({kind.__name__}")
    for attribute in ("text", "var", "n"):
        value = getattr(node, attribute, None)
        if value is not None:
            key.append(f" {value}")
    for child in children(node):
        _outline(child, key, slots)
    key.append(")")


def _built(outline: Outline, seed: tuple[object, ...]) -> list[str | _Place]:
    rng = Random(repr(seed))
    phrases = {
        members: Named(slot, members[0].sort, len(trait), "m" not in trait, trait)
        for slot, (members, trait) in enumerate(zip(outline.names, outline.traits, strict=True))
    }
    plan = Planner(phrases, rng, loose=outline.wording == "ambiguous").clause(outline.formula)
    parts = _MARK.split(_speaker(outline.language).sentence(plan, rng))
    return [_place(part) if number % 2 else part for number, part in enumerate(parts) if part]


def _place(mark: str) -> _Place:
    slot, item, form, joiner, before = mark.split("|")
    return _Place(int(slot), int(item) if item else None, form, joiner, before)


def _filled(place: _Place, words: list[list[WrittenName]], speaker: ModuleType, language: str) -> str:
    members = words[place.slot]
    if len(members) == 1 or place.item is not None:
        return place.before + _form(members[place.item or 0], place.form, language)
    forms = [place.before + _form(word, place.form, language) for word in members]
    if place.form.startswith(ONCE):
        forms[1:] = [place.before + word.text for word in members[1:]]
    text: str = speaker.joined(forms, place.joiner)
    return text


@lru_cache(maxsize=_BUILT)
def _form(word: WrittenName, form: str, language: str) -> str:
    if form == "":
        return word.text
    text: str = _speaker(language).form(word, form)
    return text


@cache
def _speaker(language: str) -> ModuleType:
    return import_module(f"winoglot.logic.languages.{language}")
