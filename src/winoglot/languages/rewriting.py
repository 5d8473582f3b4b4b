"""What a language offers to rewrite a text in another tense, number, gender or voice, or with other words.

A language's folder may have a `rewriting` module or folder with a function for each kind of change that it knows:

    def tense(item: Item, draws: Draws) -> Rewriting       # raises NotDerivedError if the text cannot be rewritten

The names are those of `REWRITINGS`; `perturb/` has a module for each that says what it asks for. A rule is given the
items of a schema one by one and must rewrite what they share in the same way, so all that is left to chance is drawn
from `draws`, never from the item.

It may also say which of `CONSTRUCTIONS` a text has (`constructions(text)`), to describe what a model was taught.

Where the grammar is sure, a rewriting has no doubts. Where it knows what to do but not whether the result is right (an
ambiguous form, a word that is not in its tables), it says so in `doubts`: then a reader decides.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from winoglot import registry
from winoglot.errors import InputError
from winoglot.languages.base import NotDerivedError, language_module
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import initial, locale_for, names
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Role, Schema
from winoglot.schemas.spans import Edit, Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")
CONSTRUCTIONS = PASSIVE, RELATIVE = ("passive", "relative")  # what `voice` and `relative` bring in
REWRITINGS = ("tense", "number", "gender", "voice", "relative", "adverb", "synonym")


@dataclass(frozen=True)
class Rewriting:
    """The edits that rewrite an item's text, and what else changes with them."""

    edits: tuple[Edit, ...]
    doubts: tuple[str, ...] = ()  # what a reader must look at; none: the grammar is sure
    citations: tuple[str, ...] = ()  # the candidates' new citation forms, if they change
    mentions: tuple[tuple[Span, ...], ...] = ()  # in the new text, unless they are where the edits move them
    roles: tuple[Role | None, ...] = ()  # of the candidates, if they change
    pronoun: Span | None = None  # in the new text, unless it is where the edits move it


@dataclass(frozen=True)
class Draws:
    """What is left to chance when a schema is rewritten: the same for all its items, and for the same seed."""

    schema: Schema
    language: str
    seed: int = 0

    def pick(self, what: str, options: Sequence[T]) -> T:
        """One of the options; `what` names the choice, so that several choices in a schema are independent."""
        return self._generator(what).choice(options)

    def shuffled(self, what: str, options: Iterable[T]) -> list[T]:
        """All options, in random order."""
        order = list(options)
        self._generator(what).shuffle(order)
        return order

    def names(self, gender: str, count: int) -> list[str]:
        """First names of a gender that no text of the schema has, all with an initial of their own.

        A language whose table of names says which ones are ordinary draws only those.
        """
        ordinary = lexicon(self.language, "names").words("ordinary")
        eligible = [
            name
            for name in getattr(names(locale_for(self.language)), gender)
            if not ordinary or folded(name) in ordinary
        ]
        return self._unlike_others(f"names {gender}", eligible, count)

    def surnames(self, count: int) -> list[str]:
        """Surnames that no text of the schema has, all with an initial of their own."""
        listed = lexicon(self.language, "names").words("surname")
        return self._unlike_others("surnames", sorted(name.title() for name in listed), count)

    def _unlike_others(self, what: str, eligible: Iterable[str], count: int) -> list[str]:
        """Some of the names, none in a text of the schema and all with an initial of their own."""
        schema_text = folded("\n".join(item.text or "" for item in self.schema.items))
        used_sounds = {
            _first_sound(word) for candidate in self.schema.items[0].candidates for word in candidate.text.split()
        }
        picked: list[str] = []
        for name in self.shuffled(what, eligible):
            if _first_sound(name) not in used_sounds and folded(name) not in schema_text:
                picked.append(name)
                used_sounds.add(_first_sound(name))
            if len(picked) == count:
                return picked
        raise NotDerivedError("the list of names is too short")

    def _generator(self, what: str) -> random.Random:
        return random.Random(digest([self.seed, self.schema.id, what]))


def _first_sound(name: str) -> str:
    """The initial of a name, the same for letters that may sound alike: *Carl* and *Karl*, *Gina* and *Jane*."""
    return {"k": "c", "q": "c", "g": "j", "p": "f"}.get(initial(name), initial(name))


@cache
def _rules(language: str) -> Any:
    """The module or folder with a language's rules; None if it has none."""
    module = language_module(language)
    if module is None or not hasattr(module, "__path__"):  # a language may be a single file
        return None
    if find_spec(f"{module.__name__}.rewriting") is None:
        return None
    return import_module(f"{module.__name__}.rewriting")


@cache
def rewriting_rule(language: str, kind: str) -> Callable[..., Rewriting]:
    """A language's rule for a kind of change; NotDerivedError if it has none."""
    rule: Callable[..., Rewriting] | None = getattr(_rules(language), kind, None)
    if rule is None:
        raise NotDerivedError(f"there are no rules for {kind!r} in the language {language!r}")
    return rule


def constructions(text: str, language: str) -> frozenset[str] | None:
    """Which of `CONSTRUCTIONS` a text has.

    None if the language has no function `constructions` beside its rules.

    >>> sorted(constructions("A bola que Rita comprou foi roubada.", "pt") or ()), constructions("…", "ja")
    (['passive', 'relative'], None)
    """
    function = getattr(_rules(language), "constructions", None)
    return None if function is None else function(text)


def check_rule(language: str, kind: str) -> None:
    """Refuse a kind of change for which a language has no rule, with the languages that have one."""
    if not has_rule(language, kind):
        able = ", ".join(name for name in registry.names("languages") if has_rule(name, kind))
        message = f"there are no rules for {kind!r} in the language {language!r}"
        raise InputError(
            message,
            remedy=f"Leave it out, or let a model draft it (--propose --with MODEL). Languages with rules: {able}.",
        )


def has_rule(language: str, kind: str) -> bool:
    """Whether a language has a rule for a kind of change."""
    try:
        return bool(rewriting_rule(language, kind))
    except NotDerivedError:
        return False
