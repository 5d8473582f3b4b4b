"""The runs of a report compared pair by pair, including repeats that the report does not show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.runs.comparing import Comparison, compare_all
from winoglot.runs.pairing import names
from winoglot.statistics.significance import holm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.runs.run import Run


@dataclass(frozen=True)
class ComparedPairs:
    """For the positions of two runs, what their comparison found or why there is none; other pairs are skipped."""

    made: dict[tuple[int, int], Comparison]
    refused: dict[tuple[int, int], str]
    passed_over: int  # pairs that differ in several respects


def compared_pairs(runs: Sequence[Run], repeats: Sequence[tuple[Run, Run]] = ()) -> ComparedPairs:
    """Compare every two runs that may be compared, as `winoglot compare` does, with Holm's correction over all.

    A repeat is a run whose choices are those of another run, paired with that run: a rule with naive readings, shown in
    the row with grammatical readings. It takes part, so that a model with naive readings is compared with the rule too;
    the result is reported for that row.
    """
    place = {id(run): at for at, run in enumerate(runs)}
    every = [*runs, *(run for run, _ in repeats)]
    rows = [*range(len(runs)), *(place[id(shown)] for _, shown in repeats)]
    if len(runs) < 2:
        return ComparedPairs({}, {}, 0)
    called = dict(zip(names(every), rows, strict=True))
    try:
        found = compare_all(every)
    except InputError as error:  # no two runs may be compared
        return ComparedPairs({}, {(0, 1): error.message}, 0)
    made: dict[tuple[int, int], Comparison] = {}
    refused: dict[tuple[int, int], str] = {}
    known: set[frozenset[int]] = set()
    for one in found.made:
        pair = called[one.first], called[one.second]
        if len({*pair}) == 2 and frozenset(pair) not in known:
            known.add(frozenset(pair))
            made[pair] = one
    for first, second, why in found.refused:
        pair = called[first], called[second]
        if len({*pair}) == 2 and frozenset(pair) not in known:
            known.add(frozenset(pair))
            refused[pair] = why
    corrected = holm([one.test.value for one in made.values()])
    return ComparedPairs(
        {
            key: replace(one, corrected_p=p, comparisons=len(made))
            for (key, one), p in zip(made.items(), corrected, strict=True)
        },
        refused,
        len(runs) * (len(runs) - 1) // 2 - len(made) - len(refused),
    )
