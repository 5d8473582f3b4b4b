"""Perturbations: variants of an item that keep, flip or remove its answer. `base` describes what a kind offers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection, Item, Variant


@overload
def perturb(source: Item, kinds: str, seed: int = 0) -> Variant: ...
@overload
def perturb(source: Collection, kinds: str | Iterable[str], seed: int = 0) -> Collection: ...
def perturb(source: Collection | Item, kinds: str | Iterable[str], seed: int = 0) -> Collection | Variant:
    """A collection with its variants of one or more kinds: those stored in it, or derived where the rules are sure.

    Of an item it is the one variant; if the item has none, the input error says why. `winoglot list perturbations`
    names the kinds that can be derived, `collection.kinds` those that a collection has. Kinds that draw names or words
    draw others with another seed.

    >>> import winoglot as wg
    >>> pt = wg.load("winoglot-pt")
    >>> perturb(pt, "switched").variants("switched")[0].text
    'Júlia não ouvia nada do que Ana dizia na chamada: o alto-falante dela estava com defeito.'
    >>> perturb(pt["piano-sale.0"], "switched").effect
    'flips'
    """
    from winoglot import registry  # imported here since `import winoglot` imports this module
    from winoglot.errors import InputError, check_argument, describe
    from winoglot.perturb.base import derived, with_kinds
    from winoglot.schemas.model import Collection, Item

    remedy = "Give one: wg.load(…), or one of its items."
    check_argument(source, (Collection, Item), "a collection or an item", remedy)
    names: list[Any] = list(kinds) if isinstance(kinds, Iterable) and not isinstance(kinds, str) else [kinds]
    if not names or not all(isinstance(name, str) for name in names):
        known = ", ".join(registry.names("perturbations"))
        raise InputError(f"expected a kind of variant, found {describe(kinds)}", remedy=f"Known: {known}.")
    check_argument(seed, int, "a whole number as seed", "Give one: seed=7.")
    if isinstance(source, Collection):
        return with_kinds(source, names, seed=seed)
    if len(names) > 1:
        raise InputError(f"expected one kind for one item, found {len(names)}", remedy="Ask for one after the other.")
    return derived(source, names[0])
