"""Print the tables of docs/results.md about fine-tuned models from the runs of `replicate/finetune-*.yaml`.

    python benchmarks/tuning_results.py curves RUNS   # each measure by collection and configuration
    python benchmarks/tuning_results.py models RUNS   # the gain of each configuration over the untuned model
    python benchmarks/tuning_results.py gains RUNS    # for finetune-winogrande.yaml: knowledge, form or memory?

Gains are tuned minus untuned on the same items, in points. Intervals are over seeds and schemas; a p-value is 1 − the
level at which the interval reaches 0, corrected by Holm's method over the rows of a table; in `models`, p-values of
accuracy are corrected over the rows of one configuration.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from results import shown
from scipy.optimize import brentq

import winoglot as wg
from winoglot.experiment.results import as_markdown
from winoglot.metrics.base import metric
from winoglot.metrics.robustness import SWITCHED, Change, changes
from winoglot.statistics.crossed import crossed_mean
from winoglot.statistics.significance import holm
from winoglot.statistics.tally import Tally, TallyRow, over_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from winoglot.examples import Example
    from winoglot.runs.run import Run
    from winoglot.statistics.intervals import Estimate

    Seeds = dict[str, dict[str, list[Run]]]  # by collection and configuration
    Figure = Callable[[Run, str | None], Tally]

UNTUNED, TUNED = "untuned", "full 10234"
# Alike but for what was learnt: right and wrong readings, right ones alone, or with random answers.
MATCHED, NO_CONTRAST, SHUFFLED = "full 2558", "control 2558 no-contrast", "control 2558 shuffled-labels"
OWN = {"en": "winoglot-en", "pt": "winoglot-pt", "fr": "winoglot-fr", "zh": "winoglot-zh"}
DPR_FROM = 444  # XWinograd's English items are in order: 443 of Winograd schemas, then those of DPR
FEW = 50  # items: smaller collections are not compared
WORDINGS = ("tense", "number", "gender", "voice", "relative", "adverb", "synonym")


def by_configuration(runs: Sequence[Run]) -> Seeds:
    """The runs of all seeds, by collection and configuration."""
    found: Seeds = {}
    for run in runs:
        name = re.sub(r" s\d+$", "", run.settings.model)
        found.setdefault(run.source.name, {}).setdefault(name, []).append(run)
    return found


def switchable(value: Callable[[Change], float | None], effect: str | None = None) -> Figure:
    """A figure of the items that can be switched."""

    def tally(run: Run, kind: str | None) -> Tally:
        every = changes(run, kind or SWITCHED, effect)
        both = every.two_way().cases if effect else every.cases
        return Tally(
            tuple(TallyRow(one.original.example.id, one.example.cluster, float(value(one) or 0.0)) for one in both)
        )

    return tally


FIGURES: dict[str, Figure] = {
    "accuracy": metric("accuracy").tally_of_seed,
    "pairs": metric("pair-accuracy").tally_of_seed,
    "consistency": switchable(lambda one: not one.is_same, "flips"),
    "switchable": switchable(lambda one: one.original.right),
    "switched": switchable(lambda one: one.variant.right),
    # An answer that follows the candidates is right in both orders or wrong in both, so this is one half for any
    # guess, consistent or not: it rises only if more is known.
    "mean of both orders": switchable(lambda one: (bool(one.original.right) + bool(one.variant.right)) / 2),
    "right in both orders": switchable(lambda one: one.original.right and one.variant.right),
    "stability": metric("stability").tally_of_seed,
}


def gain(before: Run, after: Sequence[Run], figure: str, kind: str | None = None) -> list[Tally]:
    """By seed and case, the figure minus that of the untuned model."""
    old = FIGURES[figure](before, kind)
    return [FIGURES[figure](run, kind).minus(old) for run in after]


def part(tallies: Sequence[Tally], chosen: set[str]) -> list[Tally]:
    """Only these cases."""
    return [tally.where(lambda row: row.id in chosen) for tally in tallies]


def minus(first: Sequence[Tally], second: Sequence[Tally]) -> list[Tally]:
    """Cases whose mean is the difference of two means, and whose deviations are those of each side from its own mean.

    The seeds of both sides are the same; their items need not be.
    """
    sides = [[row.numerator for tally in side for row in tally.rows] for side in (first, second)]
    means, sizes = [np.mean(side) for side in sides], [len(side) for side in sides]
    rows: list[list[TallyRow]] = [[] for _ in first]
    for sign, label, side, mean, size in zip((1, -1), "ab", (first, second), means, sizes, strict=True):
        weight = sign * sum(sizes) / size
        for seed_rows, tally in zip(rows, side, strict=True):
            seed_rows += [
                TallyRow(f"{label} {row.id}", row.cluster, float(weight * (row.numerator - mean) + means[0] - means[1]))
                for row in tally.rows
            ]
    return [Tally(tuple(seed_rows)) for seed_rows in rows]


def crossed(tallies: Sequence[Tally], level: float = 0.95) -> Estimate:
    """The mean over seeds and cases, which may be negative."""
    rows = [(seed, row.cluster, row.numerator) for seed, tally in enumerate(tallies) for row in tally.rows]
    seeds, schemas, values = zip(*rows, strict=True)
    most = max(1.0, *map(abs, values))  # more than 1 only in differences of means, which are weighted
    return crossed_mean(values, seeds, schemas, unit="seed", bounds=(-most, most), level=level)


def p_value(found: Sequence[Tally]) -> float:
    """1 − the level at which the interval reaches 0."""

    def beyond(level: float) -> float:
        one = crossed(found, level)
        if one.value is None or one.low is None or one.high is None:
            raise SystemExit(f"no interval: {one.method}")
        return one.low if one.value > 0 else -one.high

    ends = (1e-6, 1 - 1e-9)
    if beyond(ends[1]) >= 0:
        return 1 - ends[1]
    return 1.0 if beyond(ends[0]) <= 0 else 1 - float(brentq(beyond, *ends, xtol=1e-9))


def corrected(
    rows: list[dict[str, str]], tests: Sequence[Sequence[Tally]], column: str = "p, Holm"
) -> list[dict[str, str]]:
    """The rows, each with the p-value of its test after Holm's correction."""
    for row, p in zip(rows, holm([p_value(one) for one in tests]), strict=True):
        row[column] = "< 0.001" if p < 0.001 else f"{p:.3f}"
    return rows


def rows_of(tallies: Sequence[Tally]) -> list[TallyRow]:
    """The cases of all seeds."""
    return [row for tally in tallies for row in tally.rows]


def counted(found: Sequence[Tally]) -> str:
    """How many cases there are."""
    return f"{len({row.id for row in rows_of(found)}):,}"


def curves(seeds: Seeds) -> list[dict[str, str]]:
    """Each measure by collection and configuration."""
    wanted = (
        "accuracy",
        "pairs",
        "consistency",
        "switched",
        "mean of both orders",
        "right in both orders",
        "stability",
    )
    rows = []
    for collection, own in seeds.items():
        order = sorted(own, key=lambda name: (name != UNTUNED, name.split()[0] != "full", _numbers(name)))
        for name in order:
            row = {"collection": collection, "model": name, "seeds": str(len(own[name]))}
            for figure in wanted:
                made = over_seeds([FIGURES[figure](run, None) for run in own[name]])
                row[figure] = "" if made.value is None else shown(made)
            rows.append(row)
    return rows


def _numbers(name: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", name)]


def by_collection(seeds: Seeds) -> list[dict[str, str]]:
    """The gain of every figure."""
    rows, tests = [], []
    for collection, own in seeds.items():
        [before], after = own[UNTUNED], own[TUNED]
        tests.append(gain(before, after, "accuracy"))
        row = {"collection": collection, "n": counted(tests[-1])}
        for figure in FIGURES:
            found = gain(before, after, figure)
            row[figure] = shown(crossed(found), "points") if rows_of(found) else ""
        rows.append(row)
    return corrected(rows, tests)


def by_model(seeds: Seeds) -> list[dict[str, str]]:
    """The gains of every configuration with several seeds.

    P-values of accuracy are corrected over the collections that a configuration answered, those of the mean of both
    orders and of stability over all rows. Consistency is not tested.
    """
    rows: list[dict[str, str]] = []
    others: dict[str, list[tuple[dict[str, str], list[Tally]]]] = {"mean of both orders": [], "stability": []}
    for name in dict.fromkeys(name for own in seeds.values() for name in own if name != UNTUNED):
        made, tests = [], []
        for collection, own in seeds.items():
            if len(own.get(name, ())) < 2:
                continue
            row = {"model": name, "seeds": str(len(own[name])), "collection": collection}
            for figure in ("accuracy", "consistency", *others):
                cases = gain(own[UNTUNED][0], own[name], figure)
                row[figure] = shown(crossed(cases), "points") if rows_of(cases) else ""
                if figure == "accuracy":
                    tests.append(cases)
                elif figure in others and rows_of(cases):
                    others[figure].append((row, cases))
            made.append(row)
        rows += corrected(made, tests)
    for figure, found in others.items():
        corrected([row for row, _ in found], [cases for _, cases in found], f"p, {figure}")
    columns = dict.fromkeys(name for row in rows for name in row)
    return [{name: row.get(name, "") for name in columns} for row in rows]


def by_order(seeds: Seeds) -> list[dict[str, str]]:
    """Form and knowledge separately: how often answers follow the candidates, and how often they are right."""
    rows, tests = [], []
    for collection, own in seeds.items():
        [before] = own[UNTUNED]
        for name in (TUNED, MATCHED, NO_CONTRAST, SHUFFLED) if SWITCHED in before.kinds else ():
            if len(own.get(name, ())) < 2:
                continue
            row = {"collection": collection, "model": name}
            for figure in ("consistency", "switchable", "switched", "mean of both orders"):
                found = gain(before, own[name], figure)
                row[figure] = shown(crossed(found), "points")
            tests.append(found)
            rows.append(row)
    return corrected(rows, tests)


def published(seeds: Seeds) -> list[dict[str, str]]:
    """The gain on published items beside that on bundled ones in the same language, which no model can have read."""
    rows, tests = [], []
    for collection, own in seeds.items():
        [before], after = own[UNTUNED], own[TUNED]
        ours = OWN.get(before.source.language.partition("-")[0])
        if ours is None or collection == ours or len(before.outcomes()) < FEW:
            continue
        base = gain(seeds[ours][UNTUNED][0], seeds[ours][TUNED], "accuracy")
        every = gain(before, after, "accuracy")
        parts = {"all": {row.id for row in every[0].rows}}
        if collection == "xwinograd-en":
            dpr = {one.example.id for one in before.outcomes() if int(one.example.cluster) >= DPR_FROM}
            parts = {"Winograd schemas": parts["all"] - dpr, "DPR": dpr}
        for name, chosen in parts.items():
            theirs = part(every, chosen)
            tests.append(minus(theirs, base))
            rows.append(
                {
                    "published": collection if name == "all" else f"{collection}, {name}",
                    "n": counted(theirs),
                    "gain": shown(crossed(theirs), "points"),
                    "ours": ours,
                    "its gain": shown(crossed(base), "points"),
                    "difference": shown(crossed(tests[-1]), "points"),
                }
            )
    return corrected(rows, tests)


def thirds(examples: Sequence[Example], key: Mapping[str, float]) -> list[set[str]]:
    """The ids in three parts of equal size, from the lowest to the highest key."""
    order = sorted((one.id for one in examples if one.id in key), key=lambda name: (key[name], name))
    return [set(names) for names in np.array_split(np.array(order), 3)]


def by_length(seeds: Seeds) -> list[dict[str, str]]:
    """The gain by thirds of the length of the text in words, within each collection."""
    rows, tests = [], []
    for collection, own in seeds.items():
        [before], after = own[UNTUNED], own[TUNED]
        found = gain(before, after, "accuracy")
        examples = [one.example for one in before.outcomes()]
        lengths = {one.id: float(one.features["words"]) for one in examples}
        parts = [part(found, chosen) for chosen in thirds(examples, lengths)]
        tests.append(minus(parts[2], parts[0]))
        names = ("shortest third", "middle", "longest third")
        row = {name: shown(crossed(one), "points") for name, one in zip(names, parts, strict=True)}
        rows.append({"collection": collection, **row, "longest − shortest": shown(crossed(tests[-1]), "points")})
    return corrected(rows, tests)


def margins(run: Run) -> dict[str, float]:
    """Of each item, the score of the right candidate minus the best of the others."""
    found = {}
    for one in run.outcomes():
        right = one.example.answer
        if right is not None and one.scores and None not in one.scores:
            others = [score for place, score in enumerate(one.scores) if place != right and score is not None]
            found[one.example.id] = float(one.scores[right] or 0.0) - max(others)
    return found


def by_difficulty(seeds: Seeds) -> list[dict[str, str]]:
    """By thirds of the untuned model's margin: the gain, and the difference from models that learnt random answers.

    Where the untuned model is wrong, any change is a gain, so only the difference between two tuned models counts:
    the same items, size and seeds, with the right answers and with random ones.
    """
    rows, tests = [], []
    for collection, own in seeds.items():
        [before], control = own[UNTUNED], own.get(SHUFFLED, ())
        if len(control) < 2:
            continue
        examples = [one.example for one in before.outcomes()]
        found = {name: gain(before, own[name], "accuracy") for name in (TUNED, MATCHED, SHUFFLED)}
        pairs = list(zip(found[MATCHED], found[SHUFFLED], strict=False))[: len(control)]
        above = [after.minus(random) for after, random in pairs]
        for name, chosen in zip(("hardest", "middle", "easiest"), thirds(examples, margins(before)), strict=True):
            tests.append(part(above, chosen))
            rows.append(
                {
                    "collection": collection,
                    "third": name,
                    "untuned": shown(over_seeds(part([FIGURES["accuracy"](before, None)], chosen))),
                    TUNED: shown(crossed(part(found[TUNED], chosen)), "points"),
                    SHUFFLED: shown(crossed(part(found[SHUFFLED], chosen)), "points"),
                    f"{MATCHED} − shuffled": shown(crossed(tests[-1]), "points"),
                }
            )
    return corrected(rows, tests)


def by_candidates(seeds: Seeds) -> list[dict[str, str]]:
    """Items that can be switched, by whether both candidates are names: as they are, and switched."""
    rows, tests = [], []
    for collection, own in seeds.items():
        [before], after = own[UNTUNED], own[TUNED]
        if SWITCHED not in before.kinds or before.source.language == "zh":  # which has no capital letters
            continue
        every = {row.id for row in FIGURES["switched"](before, None).rows}
        options = {one.example.id: one.example.options for one in before.outcomes()}
        names = {one for one in every if all(text.split()[-1][:1].isupper() for text in options[one])}
        for label, chosen in (("names", names), ("others", every - names)):
            row = {"collection": collection, "candidates": label, "n": str(len(chosen))}
            for figure in ("switchable", "switched", "mean of both orders", "consistency", "right in both orders"):
                row[figure] = shown(over_seeds(part([FIGURES[figure](before, None)], chosen)))
                row[f"{figure}, gain"] = shown(crossed(part(gain(before, after, figure), chosen)), "points")
            tests.append(part(gain(before, after, "switched"), chosen))
            rows.append(row)
    return corrected(rows, tests)


def by_wording(seeds: Seeds) -> list[dict[str, str]]:
    """Stability by kind of variant: untuned, and the change."""
    rows, tests = [], []
    for collection, own in seeds.items():
        [before], after = own[UNTUNED], own[TUNED]
        for kind in (one for one in WORDINGS if one in before.kinds):
            found = gain(before, after, "stability", kind)
            tests.append(found)
            rows.append(
                {
                    "collection": collection,
                    "kind": kind,
                    "n": counted(found),
                    "untuned": shown(over_seeds([FIGURES["stability"](before, kind)])),
                    "change": shown(crossed(found), "points"),
                }
            )
    return corrected(rows, tests)


TABLES: dict[str, Callable[[Seeds], list[dict[str, str]]]] = {
    "By collection": by_collection,
    "By order": by_order,
    "Published and our own": published,
    "By length": by_length,
    "By difficulty": by_difficulty,
    "By candidates": by_candidates,
    "By wording": by_wording,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("curves", "models", "gains"))
    parser.add_argument("runs", type=Path, help="the folder runs/ of the experiment")
    given = parser.parse_args()
    seeds = by_configuration(wg.load_runs([given.runs]))
    if given.what != "gains":
        print(as_markdown(curves(seeds) if given.what == "curves" else by_model(seeds)))
        return
    for title, table in TABLES.items():
        if rows := table(seeds):
            print(f"## {title}\n\n{as_markdown(rows)}\n")


if __name__ == "__main__":
    main()
