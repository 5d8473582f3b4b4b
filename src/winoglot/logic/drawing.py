"""Draw the pairs of one split, independently of language: formulas, label, proof and name numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING
from zlib import crc32

from winoglot import registry
from winoglot.errors import InputError, describe, naming
from winoglot.logic.extras import require
from winoglot.logic.pair import Pair
from winoglot.logic.prove import prove
from winoglot.logic.recipe import SPLITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.logic.formulas import Sort
    from winoglot.logic.recipe import DataRecipe, Split

NOT_PROVED = "not proved"
_TRIES = 20  # sets of names to try before a pair is dropped
_IN_VAIN = 2_000  # pairs dropped in a row: there are no more new ones
_SYMBOL = re.compile(r"[pc]\d+")


class UnintendedLabel(RuntimeError):  # noqa: N818
    """The proved label differs from the intended one: a bug in the task."""


@dataclass(frozen=True)
class Draw:
    """A pair with its label; `names` maps each symbol to the number of a person or place in the vocabulary."""

    pair: Pair
    formulas: tuple[str, str]
    label: str
    proof: str
    names: Mapping[str, int]


def draws(recipe: DataRecipe, split: Split, sizes: Mapping[Sort, int], taken: set[str]) -> Iterator[Draw]:
    """Draw as many pairs as the recipe asks for: balanced labels, no duplicates, none that is `taken`.

    If the number of pairs is not a multiple of the number of labels, the first labels get one more. `sizes` says how
    many people and places there are to choose from. Draws are added to `taken`.
    """
    if recipe.proof:
        require("z3", "proving labels")
    rng = Random(f"{recipe.task} {recipe.seed} {split}")
    choose = Random(f"{recipe.task} {recipe.seed} {split} names")
    pairs = _pairs(recipe, rng)
    wanted = Counter(recipe.classes[number % len(recipe.classes)] for number in range(recipe.size(split)))
    in_vain = 0
    while wanted.total():
        pair = next(pairs)
        label = recipe.class_of(pair.intended)
        if not wanted[label]:
            continue
        formulas = (str(pair.premise), str(pair.hypothesis))
        names = _new_names(formulas, choose, sizes, taken)
        if names is None or not (names or _belongs(formulas, split)):
            in_vain += 1
            if in_vain == _IN_VAIN:
                raise InputError(
                    f"the task {recipe.task} has too few different pairs: {wanted.total()} are missing in {split}",
                    remedy=f"Ask for fewer pairs: --{split} {recipe.size(split) - wanted.total()}.",
                )
            continue
        in_vain = 0
        wanted[label] -= 1
        yield Draw(pair, formulas, label, _proved(pair) if recipe.proof else NOT_PROVED, names)


def _pairs(recipe: DataRecipe, rng: Random) -> Iterator[Pair]:
    """What a task generates, without end; a task of another package that does anything else is named in the error."""
    task, name = registry.load("logic-tasks", recipe.task), recipe.task
    with naming(task, f"the task {name!r}"):
        for pair in task.generate(rng, recipe.settings):
            if not isinstance(pair, Pair):
                remedy = "Correct its function generate, which yields Pair(premise, hypothesis, label, task, template)."
                raise InputError(f"the task {name!r} yielded {describe(pair)}, expected a Pair", remedy=remedy)
            yield pair
    message = f"the task {name!r} has no more pairs, though it must yield pairs without end"
    raise InputError(message, remedy="Put `while True:` around what its function generate yields.")


def _belongs(formulas: tuple[str, str], split: Split) -> bool:
    """Whether a pair without names belongs to this split: it has no names to separate train from test."""
    return SPLITS[crc32("\n".join(formulas).encode()) % len(SPLITS)] == split


def choose_names(formulas: tuple[str, str], rng: Random, sizes: Mapping[Sort, int]) -> dict[str, int]:
    """A number for every symbol, different within a sort."""
    found = dict.fromkeys(_SYMBOL.findall(" ".join(formulas)))
    chosen: dict[str, int] = {}
    for sort, size in sizes.items():
        own = [symbol for symbol in found if symbol[0] == ("p" if sort == "person" else "c")]
        if len(own) > size:
            raise InputError(
                f"a pair names {len(own)} {'people' if sort == 'person' else 'places'}, "
                f"but the vocabulary of a split has only {size}",
                remedy="Shorten the lists in the task, or use the whole vocabulary with --overlap full.",
            )
        chosen.update(zip(own, rng.sample(range(size), len(own)), strict=True))
    return chosen


def _new_names(
    formulas: tuple[str, str], rng: Random, sizes: Mapping[Sort, int], taken: set[str]
) -> dict[str, int] | None:
    """Names that make the pair a new one."""
    text = "\n".join(formulas)
    for _ in range(_TRIES):
        names = choose_names(formulas, rng, sizes)
        numbers = {symbol: f"{symbol[0]}{number}" for symbol, number in names.items()}
        named = _SYMBOL.sub(lambda match: numbers[match[0]], text)  # noqa: B023 - used at once
        if named not in taken:
            taken.add(named)
            return names
    return None


def _proved(pair: Pair) -> str:
    proof = prove(pair.premise, pair.hypothesis)
    if proof.relation != pair.intended:
        raise UnintendedLabel(
            f"{pair.task}, {pair.template}: {pair.intended} was intended, {proof.relation} is proved: "
            f"{pair.premise} | {pair.hypothesis}"
        )
    return str(proof)
