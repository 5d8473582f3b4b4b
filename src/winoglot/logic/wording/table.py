"""A language's table, `languages/LANGUAGE/grammar.toml`: patterns for relations, descriptions, events and sentences.

A pattern is text with slots in braces and alternatives in brackets: `{be} alt[o|a] demais para {o}`.

- `{be}` is a verb of `[verbs]` in the number and mood that the place asks for; `{be-}` its negation.
- `{P}` is a slot of a form (see `forms`), `{P-}` its negation. What the place asks for comes after a colon: `pl` and
  `sg` (number), `m` and `f` (gender), `a` and `b` (agrees with that slot instead of both), a mood that some verb has
  (`subjunctive`, `negative`), or a key of an event, a group or a role: `{F:noun}`.
- `{a:name}` is a name, `{a:vp}` a description used as a predicate: *runs the library of Rome*.
- `{A:affirmed}` is a statement without a negation, `{A:denied}` one with a negation. `{P:solo}` is a statement that
  names nobody, so that it is clear what a pronoun or *too* after it refers to; `{P:joint}` is one that names somebody.
- After a statement that differs in one name only, `{B:echo}` has the mood `also`, and `{B:then,echo}` the mood
  `then-also`.
- `[o|a]` agrees with the subject in gender; `[o|a|os|as]` also in number. In a form it agrees with {a}, {b} or {G}.

A mood with two words instead of four has no negations of its own. An example is `negative`, for verbs after a subject
that is itself a denial: French *personne ne dort*.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from typing import Any, Literal

from winoglot.errors import InputError, did_you_mean
from winoglot.logic.formulas import EVENTS, RELATIONS
from winoglot.logic.wording.forms import FORMS

LANGUAGES = ("en", "pt", "fr", "zh")
Gender = Literal["m", "f"]
_TOKEN = re.compile(r"\{([\w-]+?)(-?)(?::([\w,]+))?\}|\[([^\]]*)\]|([^{}\[\]]+)")
_SLOTS = frozenset(["A", "B", "C", "P", "Q", "R", "G", "a", "b", "E", "F", "L", "n", "s", "o", "vp"])
_NEEDS = frozenset(["affirmed", "denied", "solo", "joint"])
_POSITIONS = ("direct", "inverse", "both")


@dataclass(frozen=True)
class WordPlace:
    """What a place in a sentence asks of the words that fill it."""

    gender: Gender = "m"
    plural: bool = False
    mood: str = "indicative"


@dataclass(frozen=True)
class Gap:
    """A slot of a pattern; `key` names a form of an event or a group, or the slot to agree with.

    `needs` says what the statement in the slot must be, such as `affirmed`, for the pattern to be used.
    """

    slot: str
    negated: bool = False
    gender: Gender | None = None
    plural: bool | None = None
    mood: str | None = None
    key: str = ""
    needs: frozenset[str] = frozenset()

    def place(self, gender: Gender) -> WordPlace:
        """What the gap asks of its filler, with this gender if the gap leaves it open."""
        return WordPlace(self.gender or gender, bool(self.plural), self.mood or "indicative")


@dataclass(frozen=True)
class Varying:
    """Text that varies with the subject: (gender, plural) and mood decide which is used."""

    choices: Mapping[tuple[str, bool, str], str]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words to choose from, each of them once."""
        return tuple(dict.fromkeys(self.choices.values()))


Pattern = tuple[str | Gap | Varying, ...]


@dataclass(frozen=True, eq=False)  # one per language: hashed by identity
class WordingTable:
    """Everything Winoglot knows about a language's sentences."""

    language: str
    space: str
    stop: str
    list_: tuple[str, str]  # between the items of a list, and before the last
    name: str  # how first and last names are put together
    clause: Pattern
    both: Pattern
    pronoun: Pattern  # for the subject of a clause, if the clause before names nobody else; empty: names are repeated
    repeating: Set[str]  # forms not used if another one says once what is said of two people
    statements: Mapping[tuple[str, str, bool], tuple[Pattern, ...]]  # relation, position of the subject, affirmed
    roles: Mapping[str, tuple[Mapping[str, tuple[Pattern, ...]], Gender]]  # patterns by key: np, vp, ..., vp-not
    groups: Mapping[str, Mapping[str, str]]
    events: Mapping[tuple[str, str], Pattern]
    numbers: Mapping[int, Pattern]
    forms: Mapping[str, tuple[Pattern, ...]]
    hooks: Any

    def finish(self, text: str) -> str:
        """What the language's spelling does to neighbouring words, such as French elision."""
        return self.hooks.finish(text) if hasattr(self.hooks, "finish") else text

    def undo(self, text: str) -> str:
        """Undo what `finish` does to a sentence."""
        return self.hooks.undo(text) if hasattr(self.hooks, "undo") else text


def known_language(language: str) -> str:
    """Return the language; an unknown one is an input error."""
    if language not in LANGUAGES:
        raise InputError(
            f"there is no logic data in the language {language!r}", remedy=did_you_mean(language, LANGUAGES)
        )
    return language


@cache
def table(language: str) -> WordingTable:
    """The table of a language."""
    package = f"winoglot.logic.languages.{known_language(language)}"
    return compiled(language, files(package).joinpath("grammar.toml").read_text("utf-8"), import_module(package))


def compiled(language: str, text: str, hooks: Any = None) -> WordingTable:
    """A table from the text of its file; a mistake in it is named with the entry that has it."""
    raw = tomllib.loads(text)
    verbs = {name: _verb(name, value) for name, value in raw["verbs"].items()}

    def pattern(text: str, where: str) -> Pattern:
        return _pattern(text, verbs, f"{language}: {where}")

    def patterns(texts: str | Sequence[str], where: str) -> tuple[Pattern, ...]:
        return tuple(pattern(text, where) for text in ([texts] if isinstance(texts, str) else texts))

    def described(name: str, row: Mapping[str, Any]) -> Mapping[str, tuple[Pattern, ...]]:
        wordings = {key: texts for key, texts in row.items() if key != "gender"}
        denials = {f"{key}-not": [_negate(text, verbs) for text in texts] for key, texts in wordings.items()}
        return {key: patterns(texts, name) for key, texts in (denials | wordings).items()}

    statements = {}
    for name, entry in raw["relations"].items():
        _check_known(name, RELATIONS, language, "relation")
        for position in _POSITIONS:
            if position in entry:
                affirmed = entry[position]
                denied = entry.get(f"{position}-not") or [_negate(text, verbs) for text in affirmed]
                statements[name, position, True] = patterns(affirmed, name)
                statements[name, position, False] = patterns(denied, name)
    for form in raw["forms"]:
        _check_known(form, FORMS, language, "form")
    return WordingTable(
        language=language,
        space=raw["text"]["space"],
        stop=raw["text"]["stop"],
        list_=tuple(raw["text"]["list"]),
        name=raw["text"]["name"],
        clause=pattern(raw["text"]["clause"], "clause"),
        both=pattern(raw["text"]["both"], "both"),
        pronoun=pattern(raw["text"].get("pronoun", ""), "pronoun"),
        repeating=frozenset(raw["text"].get("repeating", ["and", "or", "either-or"])),
        statements=statements,
        roles={name: (described(name, row), row.get("gender", "m")) for name, row in raw["roles"].items()},
        groups={name: {"gender": "m"} | row for name, row in raw["groups"].items()},
        events={(kind, key): pattern(raw["events"][kind][key], kind) for kind in EVENTS for key in raw["events"][kind]},
        numbers={int(number): pattern(word, "numbers") for number, word in raw["numbers"].items()},
        forms={form: patterns(texts, form) for form, texts in raw["forms"].items()},
        hooks=hooks,
    )


def _verb(name: str, value: Any) -> Mapping[str, Sequence[str]]:
    moods = {"indicative": value} if isinstance(value, list) else value
    for mood, words in moods.items():
        if len(words) not in ((4,) if mood == "indicative" else (2, 4)):
            raise ValueError(f"verb {name}, {mood}: expected singular, plural and their negations, found {words}")
    return moods


def _check_known(name: str, available: Mapping[str, Any], language: str, what: str) -> None:
    if name not in available:
        raise ValueError(f"{language}: there is no {what} {name!r}")


def _negate(text: str, verbs: Mapping[str, Any]) -> str:
    return re.sub(
        r"\{([\w-]+?)(-?)\}", lambda m: m[0] if m[1] not in verbs else f"{{{m[1]}{'' if m[2] else '-'}}}", text
    )


def _pattern(text: str, verbs: Mapping[str, Mapping[str, Sequence[str]]], where: str) -> Pattern:
    tokens: list[str | Gap | Varying] = []
    moods = {"indicative", *(mood for verb in verbs.values() for mood in verb)}
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start() != end:
            break
        end = match.end()
        name, minus, details, alternatives, literal = match.groups()
        if literal is not None:
            tokens.append(literal)
        elif alternatives is not None:
            tokens.append(_agreeing_words(alternatives.split("|"), moods, where))
        elif name in verbs:
            tokens.append(_conjugated(verbs[name], moods, bool(minus)))
        elif name in _SLOTS:
            tokens.append(_gap(name, moods, bool(minus), details))
        else:
            raise ValueError(f"{where}: there is no verb or slot {name!r} in {text!r}")
    if end != len(text):
        raise ValueError(f"{where}: unmatched brace or bracket in {text!r}")
    return tuple(tokens)


def _gap(name: str, moods: Set[str], negated: bool, details: str | None) -> Gap:
    words = details.split(",") if details else []
    options: dict[str, Any] = {"needs": _NEEDS.intersection(words)}
    for word in words:
        if word in ("m", "f"):
            options["gender"] = word
        elif word in ("pl", "sg"):
            options["plural"] = word == "pl"
        elif word in moods:
            options["mood"] = word
        elif word not in _NEEDS:
            options["key"] = word
    return Gap(name, negated, **options)


def _agreeing_words(words: list[str], moods: Set[str], where: str) -> Varying:
    if len(words) not in (2, 4):
        raise ValueError(f"{where}: expected two or four alternatives, found {words}")
    return Varying(
        {
            (gender, plural, mood): words[(gender == "f") + (2 * plural if len(words) == 4 else 0)]
            for gender in "mf"
            for plural in (False, True)
            for mood in moods
        }
    )


def _conjugated(verb: Mapping[str, Sequence[str]], moods: Set[str], negated: bool) -> Varying:
    return Varying(
        {
            (gender, plural, mood): _words(verb, mood, negated)[plural + 2 * negated]
            for gender in "mf"
            for plural in (False, True)
            for mood in moods
        }
    )


def _words(verb: Mapping[str, Sequence[str]], mood: str, negated: bool) -> Sequence[str]:
    return verb["indicative"] if mood not in verb or (negated and len(verb[mood]) == 2) else verb[mood]
