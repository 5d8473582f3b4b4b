"""Build a data set for one task and language: train and test, balanced, labels proved, no duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.logic.drawing import choose_names, draws
from winoglot.logic.recipe import SPLITS, DataRecipe, Split
from winoglot.logic.vocabulary import LANGUAGES, vocabulary
from winoglot.logic.wording import in_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.logic.drawing import Draw
    from winoglot.logic.formulas import Sort
    from winoglot.logic.realise import Wording
    from winoglot.logic.vocabulary import NamePool, WrittenName

_TRIES = 100  # wordings and names to try for a pair whose sentences exist already


@dataclass(frozen=True)
class PairRow:
    """A pair as written to files. `id` is the same for the same formulas in every language; `names` maps symbols."""

    id: str
    premise: str
    hypothesis: str
    label: str
    formula_premise: str
    formula_hypothesis: str
    proof: str
    template: str
    names: dict[str, str]

    def described(self) -> dict[str, Any]:
        """A JSON-ready dictionary; the labels 0 and 1 are numbers."""
        label = int(self.label) if self.label in {"0", "1"} else self.label
        return vars(self) | {"label": label}


@dataclass(frozen=True)
class DataSet:
    """The rows by split. `corrected` counts, per template, pairs that the published corpus labels wrongly."""

    recipe: DataRecipe
    splits: Mapping[Split, tuple[PairRow, ...]]
    corrected: Mapping[str, int]


def build(recipe: DataRecipe, begin: Callable[[str], Callable[[int, int], None]] | None = None) -> DataSet:
    """Build the data set that the recipe describes.

    >>> made = build(DataRecipe("negation", "en", train=4, test=2, seed=1))
    >>> [row.label for row in made.splits["test"]].count("1")
    1
    """
    splits: dict[Split, tuple[PairRow, ...]] = {}
    corrected: Counter[str] = Counter()
    drawn: set[str] = set()
    written: set[tuple[str, str]] = set()
    for split in SPLITS:
        names = vocabulary(recipe.language, recipe.half(split))
        sizes = common_sizes(recipe, split)
        writer = _Writer(recipe, split, names, sizes, written)
        progress = begin(f"{recipe.task}, {split}") if begin else None
        rows: list[PairRow] = []
        for draw in draws(recipe, split, sizes, drawn if recipe.overlap == "full" else set()):
            rows.append(writer.row(draw, len(rows)))
            corrected[draw.pair.template] += draw.pair.published is not None
            if progress and (len(rows) % 100 == 0 or len(rows) == recipe.size(split)):
                progress(len(rows), recipe.size(split))
        splits[split] = tuple(rows)
    return DataSet(recipe, splits, {template: count for template, count in corrected.items() if count})


def common_sizes(recipe: DataRecipe, split: Split) -> dict[Sort, int]:
    """How many people and places all languages have, so that each number is a name in every language."""
    known = [vocabulary(language, recipe.half(split)) for language in LANGUAGES]
    return {
        "person": min(len(names.people) for names in known),
        "place": min(len(names.places) for names in known),
    }


class _Writer:
    """Turns draws into sentences and remembers them, so that nothing is written twice."""

    def __init__(
        self,
        recipe: DataRecipe,
        split: Split,
        names: NamePool,
        sizes: Mapping[Sort, int],
        written: set[tuple[str, str]],
    ) -> None:
        self._recipe = recipe
        self._split = split
        self._names = names
        self._sizes = sizes
        self._written = written
        self._wording: Wording = "ambiguous" if recipe.paper else "exact"
        self._rng = Random(f"{recipe.task} {recipe.seed} {split} {recipe.language}")

    def row(self, draw: Draw, number: int) -> PairRow:
        """The pair in words; tries other wordings or names if these sentences exist already."""
        names = draw.names
        for attempt in range(_TRIES):
            if attempt > _TRIES // 2:
                names = choose_names(draw.formulas, self._rng, self._sizes)
            words = {symbol: self._word(symbol, index) for symbol, index in names.items()}
            premise, hypothesis = in_words(draw.pair, words, self._recipe.language, self._rng, self._wording)
            if (premise, hypothesis) not in self._written:
                break
        else:
            raise InputError(
                f"the task {self._recipe.task} has too few different sentences for {self._split}",
                remedy=f"Ask for fewer pairs: --{self._split} {number}.",
            )
        self._written.add((premise, hypothesis))
        return PairRow(
            id=f"{self._recipe.task}-{self._split}-{number}",
            premise=premise,
            hypothesis=hypothesis,
            label=draw.label,
            formula_premise=draw.formulas[0],
            formula_hypothesis=draw.formulas[1],
            proof=draw.proof,
            template=draw.pair.template,
            names={symbol: word.text for symbol, word in words.items()},
        )

    def _word(self, symbol: str, index: int) -> WrittenName:
        return self._names.people[index] if symbol.startswith("p") else self._names.places[index]
