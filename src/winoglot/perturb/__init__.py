"""Perturbations: variants of items that keep, flip or remove the answer.

In reading order:

- `base`: what a kind offers, and what kinds share;
- `grammatical`: the kinds that a language's grammar decides, from tense to synonyms;
- `switched/`: the candidates exchanged; `renamed/`: other names for the same people;
- `lower_case`: the same text without capitals;
- `controls`: what controls share, and `after_only`, `no_candidates`, `segment_masked`, `context_swapped`, `shuffled`,
  which take away what answers should depend on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection, Item, Variant


@overload
def perturb(source: Item, kinds: str) -> Variant: ...
@overload
def perturb(source: Collection, kinds: str | Iterable[str], seed: int = 0) -> Collection: ...
def perturb(source: Collection | Item, kinds: str | Iterable[str], seed: int = 0) -> Collection | Variant:
    """A collection with its variants of one or more kinds: those stored in it, or derived where the rules are sure.

    Given an item, it returns its one variant, or raises an input error that says why there is none. `winoglot list
    perturbations` names the kinds that can be derived, `collection.kinds` those that a collection has. Names and words
    are drawn at random: another seed draws others. (Kinds that can be derived from one item alone draw nothing, so an
    item takes no seed.)

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
        available = ", ".join(registry.names("perturbations"))
        raise InputError(f"expected a kind of variant, found {describe(kinds)}", remedy=f"Known: {available}.")
    check_argument(seed, int, "a whole number as seed", "Give one: seed=7.")
    if isinstance(source, Collection):
        return with_kinds(source, names, seed=seed)
    if len(names) > 1:
        raise InputError(f"expected one kind for one item, found {len(names)}", remedy="Ask for one after the other.")
    if seed:
        remedy = f'Leave it out, or give the collection: wg.perturb(collection, "{names[0]}", seed={seed}).'
        raise InputError("a seed has no effect on the variant of a single item", remedy=remedy)
    return derived(source, names[0])
