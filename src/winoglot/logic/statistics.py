"""Statistics of a data set: the columns of the published corpus's first table, and its contents."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.text import words
from winoglot.logic.recipe import Split

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.logic.dataset import DataSet, PairRow


@dataclass(frozen=True)
class SplitStatistics:
    """Counts for one split; lengths count the words of premise and hypothesis together, without punctuation."""

    pairs: int
    labels: dict[str, int]
    relations: dict[str, int]
    templates: dict[str, int]
    vocabulary: int
    mean_length: float
    longest: int
    people: int
    places: int


@dataclass(frozen=True)
class DatasetStatistics:
    """`vocabulary` counts distinct lower-case words, `shared_words` those in both splits; the rest is per split."""

    vocabulary: int
    shared_words: int
    shared_people: int
    shared_places: int
    mean_length: float
    longest: int
    splits: dict[Split, SplitStatistics]


def statistics(made: DataSet) -> DatasetStatistics:
    """Compute the statistics."""
    lengths: dict[Split, list[int]] = {}
    types: dict[Split, set[str]] = {}
    splits: dict[Split, SplitStatistics] = {}
    for split, rows in made.splits.items():
        lengths[split], types[split] = [], set()
        for row in rows:
            found = _words(f"{row.premise} {row.hypothesis}", made.recipe.language)
            lengths[split].append(len(found))
            types[split].update(found)
        splits[split] = SplitStatistics(
            pairs=len(rows),
            labels=dict(sorted(Counter(row.label for row in rows).items())),
            relations=dict(sorted(Counter(row.proof.partition(" from ")[0] for row in rows).items())),
            templates=dict(sorted(Counter(row.template for row in rows).items())),
            vocabulary=len(types[split]),
            mean_length=_mean(lengths[split]),
            longest=max(lengths[split], default=0),
            people=len(_names(rows, "p")),
            places=len(_names(rows, "c")),
        )
    every = [length for found in lengths.values() for length in found]
    return DatasetStatistics(
        vocabulary=len(set.union(*types.values())),
        shared_words=len(set.intersection(*types.values())),
        shared_people=len(set.intersection(*(_names(rows, "p") for rows in made.splits.values()))),
        shared_places=len(set.intersection(*(_names(rows, "c") for rows in made.splits.values()))),
        mean_length=_mean(every),
        longest=max(every),
        splits=splits,
    )


def _words(text: str, language: str) -> list[str]:
    return [word.casefold() for word in words(text, language) if word[-1].isalnum() or word[0].isalnum()]


def _mean(lengths: list[int]) -> float:
    return round(sum(lengths) / len(lengths), 1) if lengths else 0.0


def _names(rows: Iterable[PairRow], letter: str) -> set[str]:
    return {name.casefold() for row in rows for symbol, name in row.names.items() if symbol.startswith(letter)}
