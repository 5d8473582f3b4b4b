"""What a model is called: `family:location`, a family alone, or `NAME=family:location`, which gives it another name.

The name is what folders, tables and reports show; the address, `family:location`, is stored with every run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.errors import InputError, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORBIDDEN = '/\\*?"<>|'  # in the names of folders, on one system or another
_LONGEST = 80  # characters: the folder's name has the collection, scoring and readings too
_EXAMPLE = "Write NAME=family:location, such as tiny=causal:models/tiny."


@dataclass(frozen=True)
class ModelName:
    """A model as it was asked for: the name that it is shown by, and the address that it is loaded from."""

    name: str
    address: str

    @property
    def family(self) -> str:
        """What comes before the colon of its address."""
        return self.address.partition(":")[0]

    @property
    def location(self) -> str:
        """What follows the colon of its address; empty if nothing does."""
        return self.address.partition(":")[2]

    def __str__(self) -> str:
        """What to type to ask for it again."""
        return self.address if self.name == self.address else f"{self.name}={self.address}"


def model_name(given: str) -> ModelName:
    """The name and address of a model as a user writes it; InputError if it is no usable name.

    An equals sign after the colon belongs to the location.

    >>> model_name("tiny=causal:models/tiny")
    ModelName(name='tiny', address='causal:models/tiny')
    >>> model_name("causal:models/lr=0.1").name, model_name("first").name
    ('causal:models/lr=0.1', 'first')
    """
    name, equals, address = given.partition("=")
    if not equals or ":" in name:
        return ModelName(given, given)
    _check(name, given)
    if not address:
        raise InputError(f"no model follows the equals sign of {given!r}", remedy=_EXAMPLE)
    return ModelName(name, address)


def _check(name: str, given: str) -> None:
    """Refuse a name that no folder can have, or that already means a model."""
    if not name.strip():
        raise InputError(f"no name comes before the equals sign of {given!r}", remedy=_EXAMPLE)
    if name != name.strip() or name.strip(".") == "":
        remedy = "Give a name without spaces at its ends, and not only dots."
        raise InputError(f"{name!r} cannot be the name of a model", remedy=remedy)
    bad = [letter for letter in dict.fromkeys(name) if letter in _FORBIDDEN or not letter.isprintable()]
    if bad:
        shown = " ".join(printable(letter) for letter in bad)
        remedy = "Leave such characters out: runs are stored in folders of that name."
        raise InputError(f"the name {name!r} contains {shown}, which a folder cannot have", remedy=remedy)
    if len(name) > _LONGEST:
        raise InputError(f"the name {name[:20]}… has {len(name)} characters", remedy=f"Use at most {_LONGEST}.")
    if name in registry.names("models"):
        remedy = f"Choose another name, such as my-{name}."
        raise InputError(f"{name!r} is already the name of a model family", remedy=remedy)


def check_distinct(names: Iterable[ModelName]) -> None:
    """Refuse two models of the same name: their runs could not be distinguished."""
    known: dict[str, str] = {}
    for one in names:
        other = known.setdefault(one.name, one.address)
        if other != one.address:
            message = f"{one.name!r} is the name of two models, {other} and {one.address}"
            raise InputError(message, remedy="Give each model a name of its own.")
