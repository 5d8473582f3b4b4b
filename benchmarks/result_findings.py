"""The eleven findings of `results/plan.yaml`: from the folder of an experiment to rows, one of them primary.

What an experiment of several trainings lacks is an input error only after the rows of what is there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml
from result_rows import (
    EXCHANGES,
    EXPLORATORY,
    POINTS,
    PRIMARY,
    SHARE,
    Row,
    change_row,
    mean_row,
    pooled,
    sign_test,
    strata_row,
)

import winoglot as wg
from winoglot.analysis.analyse import RESULT
from winoglot.analysis.analyse import RUNS as ANALYSED_RUNS
from winoglot.analysis.contamination import BETWEEN, QUANTITIES
from winoglot.errors import InputError
from winoglot.experiment.collection_jobs import ANALYSES
from winoglot.experiment.file import read_experiment
from winoglot.experiment.jobs import RUNS
from winoglot.experiment.pair_jobs import configurations, jobs_about_pairs
from winoglot.files import parse_json
from winoglot.languages.readings import readings
from winoglot.metrics.accuracy import accuracy, credit, pair_accuracy, success
from winoglot.metrics.base import Cases, labelled
from winoglot.metrics.robustness import (
    SEGMENT_MASKED,
    consistency,
    first_mentions,
    labelled_changes,
    robust_accuracy,
    stability,
)
from winoglot.runs.parallel import AGREEMENT, KAPPA, LOST, PARALLEL_ACCURACY, parallel
from winoglot.runs.results import Result, published_value
from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.intervals import Estimate, cluster_bootstrap, cluster_sums
from winoglot.statistics.significance import exchange_test
from winoglot.statistics.tally import Tally, TallyRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from winoglot.finetune.seeds import Configuration
    from winoglot.runs.run import Run

MODEL = "Qwen2.5-Coder-1.5B-Instruct, Q4_K_M"
UNTUNED, TUNED = "untuned", "tuned"
WITH, WITHOUT, SHUFFLED, NO_CONTRAST = (
    *("with switched 2558", "without switched 2558"),
    *("control 2558 shuffled-labels", "control 2558 no-contrast"),
)
ALL_WITHOUT = "all without switched"
LABELS = {
    UNTUNED: "untuned",
    TUNED: "with switched items, all",
    "with switched 640": "with switched items, 640",
    WITH: "with switched items, 2,558",
    "without switched 640": "without switched items, 640",
    WITHOUT: "without switched items, 2,558",
    ALL_WITHOUT: "without switched items, all",
    SHUFFLED: "answers at random, 2,558",
    NO_CONTRAST: "right readings only, 2,558",
}
LANGUAGES = ("en", "pt", "fr", "zh", "de", "es", "it", "ru", "ja")
FOUR = LANGUAGES[:4]  # those in which the plan tests other wordings
BUNDLED = {language: f"winoglot-{language}" for language in LANGUAGES}
KINDS = ("tense", "number", "gender", "voice", "relative", "adverb", "synonym")
ALL_BUNDLED = "winoglot"
PUBLISHED = ("abdou-2020-table-2.yaml", "abdou-2020-table-3.yaml")


class Folder:
    """The results folder of an experiment, and the experiment file; runs are read when they are first asked for."""

    def __init__(self, path: Path, file: Path, beside: Folder | None = None) -> None:
        """Read nothing yet; of the experiment `beside` it, the tuned model is one of those compared."""
        self.path, self.file, self.beside = path, file, beside

    @cached_property
    def runs(self) -> list[Run]:
        """All runs on collections."""
        runs = list(wg.load_runs(self.path / RUNS))
        names = {run.source.name for run in runs}
        more = self.beside.runs if self.beside else ()
        tuned = [run for run in more if _configuration(run.settings.model) == TUNED and run.source.name in names]
        return [*runs, *tuned]

    @cached_property
    def models(self) -> list[str]:
        """The names of all models, without the seeds of fine-tuned ones."""
        return list(dict.fromkeys(_configuration(run.settings.model) for run in self.runs))

    @cached_property
    def collections(self) -> list[str]:
        """The names of all collections: the bundled ones first, then the others."""
        names = dict.fromkeys(run.source.name for run in self.runs)
        return [
            *filter(names.__contains__, BUNDLED.values()),
            *(set_ for set_ in names if set_ not in BUNDLED.values()),
        ]

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], list[Run]]:
        by_name: dict[tuple[str, str], list[Run]] = {}
        for run in sorted(self.runs, key=lambda run: _seed(run.settings.model)):
            by_name.setdefault((_configuration(run.settings.model), run.source.name), []).append(run)
        return by_name

    def has(self, model: str, collection: str) -> bool:
        """Whether there is a run."""
        return (model, collection) in self._by_name

    def seeds(self, model: str, collection: str, **settings: str) -> list[Run]:
        """The runs of a model on a collection, one per seed if it is a fine-tuned one; without any, an input error."""
        runs = [
            run
            for run in self._by_name.get((model, collection), ())
            if all(getattr(run.settings, name) == value for name, value in settings.items())
        ]
        if not runs:
            described_settings = "".join(f", {value} {name}" for name, value in settings.items())
            raise InputError(
                f"there is no run of {model} on {collection}{described_settings}",
                remedy=f"Repeat winoglot run {self.file} -o {self.path}: it continues what was interrupted.",
                file=str(self.path),
            )
        return runs

    def run(self, model: str, collection: str, **settings: str) -> Run:
        """The only run of a model on a collection, or that of the first seed."""
        run, *_ = self.seeds(model, collection, **settings)
        return run


def _configuration(model: str) -> str:
    return re.sub(r" s\d+$", "", model)


def _seed(model: str) -> int:
    match = re.search(r" s(\d+)$", model)
    return int(match[1]) if match else 0


def outcomes(run: Run, kind: str | None = None) -> Tally:
    """The outcome of every item."""
    return success.tally(run, kind)


def about(run: Run, **more: str) -> dict[str, str]:
    """The columns that say which run it is; of fine-tuned models, without the seed."""
    settings, source = run.settings, run.source
    columns = {"model": _configuration(settings.model), "collection": source.name, "language": source.language}
    return columns | {"scoring": settings.scoring, "readings": settings.readings} | more


def about_several(runs: Iterable[Run], **more: str) -> dict[str, str]:
    """The same for runs on several bundled collections."""
    first, *others = runs
    tags = "+".join(run.source.language for run in (first, *others))
    return about(first) | {"collection": ALL_BUNDLED, "language": tags} | more


# Does a model of 1.5 billion parameters know anything here?


def capable(folder: Folder) -> Iterator[Row]:
    """Accuracy of every model on the bundled originals, against guessing."""
    models = [MODEL, *(model for model in folder.models if model != MODEL)]
    for model in models:
        if model != MODEL and not all(folder.has(model, name) for name in BUNDLED.values()):
            continue  # no mean of a model that has not answered all
        runs = {language: folder.run(model, name) for language, name in BUNDLED.items()}
        tally = pooled({language: outcomes(run) for language, run in runs.items()})
        columns = about_several(runs.values())
        row = mean_row("mean over nine languages", "success", [tally], level=0.5, about=columns)
        yield replace(row, role=PRIMARY) if model == MODEL else row
    for model in models:
        for name in BUNDLED.values():
            if folder.has(model, name):
                run = folder.run(model, name)
                columns = about(run)
                yield mean_row(columns["language"], "success", [outcomes(run)], level=0.5, about=columns)


# Is the same accuracy in each language the same knowledge?


def agreement_lost(runs: Mapping[str, Run], kind: str = "synonym") -> Tally:
    """By English item that has a variant: how often it is right or wrong together with its parallel items, on average,
    minus whether it is with its variant. What is left undecided is wrong.
    """
    english = runs["en"]
    right = {
        language: {outcome.example.parallel_id: bool(outcome.right) for outcome in run.outcomes()}
        for language, run in runs.items()
        if language != "en"
    }
    variants = {outcome.example.variant_of: bool(outcome.right) for outcome in english.outcomes(kind)}
    rows = []
    for outcome in english.outcomes():
        example, own = outcome.example, bool(outcome.right)
        across = [own == others[example.parallel_id] for others in right.values() if example.parallel_id in others]
        if example.id in variants and across:
            difference = sum(across) / len(across) - (own == variants[example.id])
            rows.append(TallyRow(example.id, example.cluster, difference))
    return Tally(tuple(rows), bounds=(-1.0, 1.0))


def languages(folder: Folder) -> Iterator[Row]:
    """Whether an item is right in one language when it is in another, beside its rewordings in the same language."""
    runs = {language: folder.run(MODEL, name) for language, name in BUNDLED.items()}
    columns = about_several(runs.values(), kind="synonym")
    label = "other languages minus English synonyms"
    row = mean_row(label, "agreement-difference", [agreement_lost(runs)], level=0.0, unit=POINTS, about=columns)
    yield replace(row, role=PRIMARY)
    for chosen in (LANGUAGES, FOUR):
        for result in parallel([runs[language] for language in chosen]):
            tags = result.language.split("+")
            if len(tags) == len(chosen) or chosen == LANGUAGES:
                yield from _agreement_rows(result, tags)


def _agreement_rows(result: Result, tags: Sequence[str]) -> Iterator[Row]:
    kind = "" if result.kind == ORIGINAL else result.kind
    label = (" and " if len(tags) == 2 else "+").join(tags)
    label = " beside its variant, ".join(filter(None, (label, kind)))
    columns = {name: getattr(result, name) for name in ("model", "scoring", "readings")}
    columns |= {"collection": ALL_BUNDLED, "language": result.language, "kind": kind}
    unit = {AGREEMENT: SHARE, KAPPA: "", LOST: POINTS, PARALLEL_ACCURACY: SHARE}[result.metric]
    yield Row(label, result.metric, result.estimate, result.numbers.get("p"), unit, about=columns)
    independent = result.numbers.get("independent")
    if independent is not None:
        value = Estimate(independent, independent, independent, result.estimate.n, "product of pair accuracies")
        yield Row(f"{label}, if independent", result.metric, value, None, unit, about=columns)


# Does grammar matter?


def change_by_grammar(item: wg.Item) -> str:
    """What grammar changes in the texts with a candidate in the pronoun's place: nothing, letter case, or more."""
    naive, grammatical = ([reading.text for reading in readings(item, style)] for style in ("naive", "grammatical"))
    if naive == grammatical:
        return "nothing"
    lowered = [[text.lower() for text in texts] for texts in (naive, grammatical)]
    return "letter case" if lowered[0] == lowered[1] else "more"


def grammar(folder: Folder) -> Iterator[Row]:
    """Grammatical minus naive readings."""
    changes: dict[str, dict[str, str]] = {}
    for model in folder.models:
        for scoring in ("partial", "full"):
            after, before = (
                {name: folder.run(model, name, scoring=scoring, readings=style) for name in folder.collections}
                for style in ("grammatical", "naive")
            )
            bundled = [
                pooled({language: outcomes(side[name]) for language, name in BUNDLED.items()})
                for side in (after, before)
            ]
            difference = "grammatical − naive"
            columns = about_several(map(after.__getitem__, BUNDLED.values()), readings=difference)
            row = change_row("nine languages", "success", bundled[:1], bundled[1:], about=columns)
            yield replace(row, role=PRIMARY) if (model, scoring) == (MODEL, "partial") else row
            for name in folder.collections:
                runs = after[name], before[name]
                sides = [outcomes(run) for run in runs]
                for run, side in zip(runs, sides, strict=True):
                    yield mean_row(name, "success", [side], about=about(run))
                columns = about(runs[0], readings=difference)
                yield change_row(name, "success", sides[:1], sides[1:], about=columns)
                if name not in changes:
                    changes[name] = {item.id: change_by_grammar(item) for item in runs[0].collection.items}
                for change in ("letter case", "more"):
                    parts = [side.where(lambda row: changes[name][row.id] == change) for side in sides]  # noqa: B023
                    if parts[0].rows:
                        label, part = f"{name}, {change}", columns | {"subset": change}
                        yield change_row(label, "success", parts[:1], parts[1:], about=part)


# Do rewordings matter?


def rewording(run: Run, kind: str) -> Tally:
    """The outcome of each variant minus that of its original."""
    return labelled_changes(run, kind).tally(
        lambda change: credit(change.variant) - credit(change.original), bounds=(-1.0, 1.0)
    )


def wordings(folder: Folder) -> Iterator[Row]:
    """Variants minus originals, stability and robust accuracy; on the perturbed set beside published figures."""
    four = {language: folder.run(MODEL, BUNDLED[language]) for language in FOUR}
    strata = [pooled({language: rewording(run, kind) for language, run in four.items()}) for kind in KINDS]
    columns = about_several(four.values(), kind="all")
    row = strata_row("seven kinds in four languages", "success-difference", strata, about=columns)
    yield replace(row, role=PRIMARY)
    for kind, tally in zip(KINDS, strata, strict=True):
        columns = about_several(four.values(), kind=kind)
        if tally.rows:
            label = f"{kind}, four languages"
            yield mean_row(label, "success-difference", [tally], level=0.0, unit=POINTS, about=columns)
    for name in (*BUNDLED.values(), "perturbed-wsc"):
        run = folder.run(MODEL, name)
        deltas = {kind: rewording(run, kind) for kind in KINDS}
        yield strata_row(name, "success-difference", list(deltas.values()), about=about(run, kind="all"))
        yield Row(name, "robust-accuracy", robust_accuracy.of(run), about=about(run))
        for asked_kind in (None, *KINDS):
            kind = asked_kind or ""
            label, columns = ", ".join(filter(None, (name, kind))), about(run, kind=kind)
            if not run.outcomes(asked_kind):
                continue
            yield Row(label, "accuracy", accuracy.of(run, asked_kind), about=columns)
            yield Row(label, "pair-accuracy", pair_accuracy.of(run, asked_kind), about=columns)
            if asked_kind:
                yield mean_row(label, "success-difference", [deltas[kind]], level=0.0, unit=POINTS, about=columns)
                yield Row(label, "stability", stability.of(run, kind), about=columns)
    for name in PUBLISHED:
        published = yaml.safe_load((folder.file.parent / name).read_text(encoding="utf-8"))["published"]
        for number in published:
            kind, columns = number.get("kind", ""), {"model": number["label"], "collection": number["collection"]}
            estimate = replace(published_value(number["value"] / 100), method=number["source"])
            label, metric = ", ".join(filter(None, (number["collection"], kind))), number.get("metric", "accuracy")
            yield Row(label, metric, estimate, about=columns | {"language": "en", "kind": kind})


# What does fine-tuning give? Knowledge, form, and answers that follow the candidates


def tallies(folder: Folder, model: str, names: Sequence[str], tally: Callable[[Run], Tally]) -> list[Tally]:
    """One tally per seed, of several collections together; only of the seeds that answered all of them."""
    by_seed: dict[int, dict[str, Tally]] = {}
    for name in names:
        for run in folder.seeds(model, name):
            by_seed.setdefault(_seed(run.settings.model), {})[name] = tally(run)
    return [pooled(parts) for _, parts in sorted(by_seed.items()) if len(parts) == len(names)]


def failed_trainings(folder: Folder) -> Iterator[Row]:
    """How many trainings of each configuration failed: no model, or no better than guessing on held-out schemas."""
    records = [
        parse_json(file.read_bytes()) | {"name": file.stem} for file in sorted(folder.path.glob("models/*.json"))
    ]
    trained = [
        (_configuration(record["name"].replace("_", " ")), record)
        for record in records
        if "ended" in record or "diverged" in record
    ]
    for model, group in groupby(sorted(trained, key=lambda pair: pair[0]), key=lambda pair: pair[0]):
        failures = [_failed(record) for _, record in group]
        failed, method = sum(failures), "trainings without a model, or not above chance on what was held out"
        estimate = Estimate(failed, failed, failed, len(failures), method)
        yield Row(LABELS.get(model, model), "failed-trainings", estimate, unit="trainings", about={"model": model})


def _failed(record: Mapping[str, Any]) -> bool:
    """A model that has learnt answers at random is expected to guess on held-out schemas too."""
    accuracy_there = record.get("ended", {}).get("accuracy")
    return accuracy_there is None or (accuracy_there <= 1 / 2 and not record["asked"].get("control"))


def transfer(folder: Folder) -> Iterator[Row]:
    """Tuned minus untuned, on all collections."""
    others = LANGUAGES[1:]
    sides = [tallies(folder, model, [BUNDLED[language] for language in others], outcomes) for model in (TUNED, UNTUNED)]
    columns = about_several(folder.run(TUNED, BUNDLED[language]) for language in others)
    yield replace(change_row("eight other languages", "success", *sides, about=columns), role=PRIMARY)
    for label, side, model in (("tuned", sides[0], TUNED), ("untuned", sides[1], UNTUNED)):
        yield mean_row(f"eight other languages, {label}", "success", side, about=columns | {"model": model})
    for name in folder.collections:
        sides = [tallies(folder, model, [name], outcomes) for model in (TUNED, UNTUNED)]
        run = folder.run(TUNED, name)
        yield change_row(name, "success", *sides, about=about(run))
        for label, side, model in (("tuned", sides[0], TUNED), ("untuned", sides[1], UNTUNED)):
            yield mean_row(f"{name}, {label}", "success", side, about=about(run, model=model))
    yield from failed_trainings(folder)


def form(folder: Folder) -> Iterator[Row]:
    """Learnt from right answers minus learnt from random ones; and all sizes and controls."""
    english = BUNDLED["en"]
    for name in [ALL_BUNDLED, *folder.collections]:
        by_model = dict(_answered(folder, name, outcomes))
        for model, (seeds, columns) in by_model.items():
            yield mean_row(LABELS.get(model, model), "success", seeds, about=columns)
            yield from _minus_untuned(by_model, model, "success")
        for control in (SHUFFLED, NO_CONTRAST):
            if name == english and control == SHUFFLED:
                continue  # this is the primary row
            if {WITH, control} <= by_model.keys():
                label = f"{LABELS[WITH]}, minus {LABELS[control]}"
                seeds, columns = by_model[WITH]
                yield change_row(label, "success", seeds, by_model[control][0], about=columns)
    yield from failed_trainings(folder)
    sides = {model: tallies(folder, model, [english], outcomes) for model in (WITH, SHUFFLED)}
    label, columns = f"{LABELS[WITH]}, minus {LABELS[SHUFFLED]}", about(folder.run(WITH, english))
    yield replace(change_row(label, "success", sides[WITH], sides[SHUFFLED], about=columns), role=PRIMARY)


def _answered(
    folder: Folder, name: str, tally: Callable[[Run], Tally], **more: str
) -> Iterator[tuple[str, tuple[list[Tally], dict[str, str]]]]:
    """Each model that answered a collection, or all bundled ones: a tally per seed, and the columns of its rows."""
    names = list(BUNDLED.values()) if name == ALL_BUNDLED else [name]
    for model in folder.models:
        seeds = tallies(folder, model, names, tally) if all(folder.has(model, part) for part in names) else []
        if any(seed.rows for seed in seeds):
            runs = [folder.run(model, part) for part in names]
            yield model, (seeds, (about_several(runs) if name == ALL_BUNDLED else about(runs[0])) | more)


def _minus_untuned(
    by_model: Mapping[str, tuple[list[Tally], dict[str, str]]], model: str, metric: str
) -> Iterator[Row]:
    if model != UNTUNED and UNTUNED in by_model:
        seeds, columns = by_model[model]
        yield change_row(
            f"{LABELS.get(model, model)}, minus untuned", metric, seeds, by_model[UNTUNED][0], about=columns
        )


def switched(folder: Folder) -> Iterator[Row]:
    """Consistency with switched items in training minus that without, and of every configuration."""
    for name in [ALL_BUNDLED, *folder.collections]:
        by_model = dict(_answered(folder, name, consistency.tally, kind="switched"))
        for model, (seeds, columns) in by_model.items():
            yield mean_row(LABELS.get(model, model), "consistency", seeds, about=columns)
            yield from _minus_untuned(by_model, model, "consistency")
            partner = ALL_WITHOUT if model == TUNED else model.replace("with ", "without ")
            is_primary = (name, model) == (ALL_BUNDLED, WITH)
            if partner != model and partner in by_model and not is_primary:
                label = f"{LABELS.get(model, model)}, minus without"
                yield change_row(label, "consistency", seeds, by_model[partner][0], about=columns)
    sides = [tallies(folder, model, list(BUNDLED.values()), consistency.tally) for model in (WITH, WITHOUT)]
    columns = about_several((folder.run(WITH, name) for name in BUNDLED.values()), kind="switched")
    row = change_row(f"{LABELS[WITH]}, minus without", "consistency", *sides, about=columns)
    yield replace(row, role=PRIMARY)


# Has the model read the published schemas?

_MEMORY = (UNTUNED, "wsc273", f"min-k{BETWEEN}")  # model, collection and quantity of the primary row


def _kind(group: Mapping[str, str]) -> str:
    return "" if group["kind"] == ORIGINAL else group["kind"]


def memory(folder: Folder) -> Iterator[Row]:
    """Every test of contamination on every collection, of the model and of those that have learnt a collection."""
    has_primary = False
    for file in sorted((folder.path / ANALYSES).glob(f"*/{RESULT}")):
        for group in parse_json(file.read_bytes())["results"]:
            for row in group["estimates"]:
                info = QUANTITIES.get(row["quantity"])
                is_test = row["quantity"].endswith(BETWEEN) or row["quantity"] in ("order", "style")
                if group["measure"] != "contamination" or info is None or not is_test or row["value"] is None:
                    continue
                is_primary = (group["model"], group["collection"], row["quantity"]) == _MEMORY
                has_primary |= is_primary
                columns = {
                    name: group[name] or "" for name in ("model", "collection", "language", "scoring", "readings")
                }
                columns["kind"] = _kind(group)
                estimate = Estimate(*(row[name] for name in ("value", "low", "high", "n", "method")))
                texts = row.get("texts", "")
                label = ", ".join(filter(None, (group["model"], texts if texts != "difference" else "")))
                unit = {"percent": SHARE, "points": POINTS}.get(info.scale, info.unit)
                p = row.get("p")
                if is_primary and p is None:
                    message = "the test of the primary row has no p-value: it was made by an earlier version"
                    raise InputError(message, remedy="Remove the file and run the experiment again.", file=str(file))
                yield Row(label, row["quantity"], estimate, p, unit, PRIMARY if is_primary else EXPLORATORY, columns)
    if not has_primary:
        message = f"there is no test of {UNTUNED} on wsc273 by min-k"
        raise InputError(message, remedy=f"Repeat winoglot run {folder.file} -o {folder.path}.", file=str(folder.path))


# Is it association?


def associative_difference(run: Run) -> tuple[Estimate, float]:
    """The mean outcome of associative items minus that of the others, and the p-value of exchanging schemas."""
    cases = labelled(run).two_way()
    marks = np.array(["associative" in case.example.tags for case in cases.cases], dtype=float)
    worth = np.array([credit(case) for case in cases.cases])
    rows = cluster_sums(cases.clusters, worth * marks, marks, worth * (1 - marks), 1 - marks)

    def difference(totals: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(totals[..., 0] / totals[..., 1] - totals[..., 2] / totals[..., 3])

    if not 0 < marks.sum() < len(marks):
        return Estimate.undefined("only one kind of items, associative or not", len(marks)), 1.0
    of_each = (rows[:, 0] + rows[:, 2]) / (rows[:, 1] + rows[:, 3])
    estimate = cluster_bootstrap(rows, difference, of_each, n=len(marks), bounds=(-1.0, 1.0))
    return estimate, exchange_test(worth, marks, cases.clusters, exchanges=EXCHANGES).value


def association(folder: Folder) -> Iterator[Row]:
    """Associative items and others, of every model."""
    folder.run(MODEL, "wsc273")
    for name in ("wsc273", "portuguese", "portuguese-names"):
        for model in folder.models:
            if not folder.has(model, name):
                continue
            run = folder.run(model, name)
            estimate, p = associative_difference(run)
            role = PRIMARY if (model, name) == (MODEL, "wsc273") else EXPLORATORY
            columns = about(run, subset="associative − not associative")
            label = "associative minus not associative"
            defined_p = None if estimate.value is None else p
            yield Row(label, "success-difference", estimate, defined_p, POINTS, role, columns)
            for subset, is_associative in (("associative", True), ("not associative", False)):
                ids = {item.id for item in run.collection.items if ("associative" in item.tags) == is_associative}
                part = outcomes(run).where(lambda row: row.id in ids)  # noqa: B023
                if part.rows:
                    yield mean_row(subset, "success", [part], about=about(run, subset=subset))


# Does the model prefer a place in the text?


def preference(folder: Folder) -> Iterator[Row]:
    """First mentions with the segment masked, in both orders, and subjects."""
    runs = list(wg.load_runs(sorted((folder.path / ANALYSES).glob(f"*/{ANALYSED_RUNS}"))))
    own = {run.source.name: run for run in runs if run.settings.model == MODEL}
    missing = [name for name in BUNDLED.values() if name not in own]
    if missing:
        message = f"there are no answers of {MODEL} to {', '.join(missing)} with the segment masked"
        raise InputError(message, remedy=f"Repeat winoglot run {folder.file} -o {folder.path}.", file=str(folder.path))
    masked = {language: first_mentions(own[name], SEGMENT_MASKED) for language, name in BUNDLED.items()}
    columns = about_several(map(own.__getitem__, BUNDLED.values()), kind=SEGMENT_MASKED)
    yield replace(mean_row("nine languages", "first-mention", [pooled(masked)], level=0.5, about=columns), role=PRIMARY)
    by_identity = {(run.settings.model, run.source.name): run for run in runs}
    for file in sorted((folder.path / ANALYSES).glob(f"*/{RESULT}")):
        for group in parse_json(file.read_bytes())["results"]:
            run = by_identity.get((group["model"], group["collection"]))
            for row in group["estimates"]:
                if run is None or group["measure"] != "preference" or row["value"] is None:
                    continue
                estimate = Estimate(*(row[name] for name in ("value", "low", "high", "n", "method")))
                is_all = (row["quantity"], row["items"], group["kind"]) == ("first-mention", "all", ORIGINAL)
                p = sign_test([first_mentions(run, SEGMENT_MASKED)], 0.5) if is_all else None
                kind, subset = _kind(group), f"{row['items']}, {row['order']} order"
                label = ", ".join(filter(None, (group["collection"], kind, subset)))
                yield Row(label, row["quantity"], estimate, p, about=about(run, kind=kind, subset=subset))


# Does a model that has learnt to reason over one or two facts reason over three or four?

FINE_TUNED = "fine-tuned"


def pair_tallies(configuration: Configuration, *, language: str, depths: Sequence[int], task: str = "") -> list[Tally]:
    """One tally per seed of the pairs of these depths, of tasks that have both labels there."""
    seeds = []
    for seed in configuration.seeds:
        parts = {}
        for run in seed.runs:
            answered = labelled(run)
            chosen = [
                case
                for case in answered.cases
                if case.example.features["depth"] in depths
                and case.example.features["language"] == language
                and task in ("", case.example.features["task"])
            ]
            if len({case.example.options[case.example.answer or 0] for case in chosen}) > 1:
                tally = Cases(tuple(chosen)).tally(lambda case: case.right)
                name = run.source.name
                rows = (row._replace(cluster=f"{name}/{row.cluster}") for row in tally.rows)
                parts[name] = replace(tally, rows=tuple(rows))
        if parts:
            seeds.append(pooled(parts))
    return seeds


def depth(folder: Folder) -> Iterator[Row]:
    """Accuracy on logic pairs by depth, task and language, before and after fine-tuning."""
    models = configurations(jobs_about_pairs(read_experiment(folder.file), folder.path))
    tuned = next((model for model in models if model.name.startswith(FINE_TUNED)), None)
    for model in models:
        features = [case.features for seed in model.seeds for run in seed.runs for case in run.source.examples]  # type: ignore[union-attr]
        found = sorted({(pair["language"], pair["task"], pair["depth"]) for pair in features})
        for language in dict.fromkeys(language for language, *_ in found):
            tasks = dict.fromkeys(task for other, task, _ in found if other == language)
            single = sorted({(number,) for other, _, number in found if other == language})
            wanted = [("", depths) for depths in (*single, (1, 2), (3, 4))]
            for task, depths in (*wanted, *((task, depths) for task in tasks for depths in ((1, 2), (3, 4)))):
                seeds = pair_tallies(model, language=language, depths=depths, task=task)
                if (model, language, task, depths) == (tuned, "en", "", (3, 4)) or not seeds:
                    continue  # this is the primary row, or no task has both labels
                subset = f"depth{'s' if len(depths) > 1 else ''} {' and '.join(map(str, depths))}"
                label = ", ".join(filter(None, (model.name, language, task, subset)))
                collection = f"{task}-{language}" if task else "logic"
                columns = {"model": model.name, "collection": collection, "language": language, "subset": subset}
                columns["kind"] = task
                yield mean_row(label, "accuracy", seeds, level=0.5, about=columns)
    if tuned is None:
        message = "there is no fine-tuned model"
        raise InputError(message, remedy=f"Repeat winoglot run {folder.file} -o {folder.path}.", file=str(folder.path))
    deep = pair_tallies(tuned, language="en", depths=(3, 4))
    columns = {"model": tuned.name, "collection": "logic", "language": "en", "subset": "depths 3 and 4"}
    for seed, tally in zip(tuned.seeds, deep, strict=False):
        yield mean_row(f"fine-tuned, depths 3 and 4, seed {seed.seed}", "accuracy", [tally], about=columns)
    yield replace(mean_row("fine-tuned, depths 3 and 4", "accuracy", deep, level=0.5, about=columns), role=PRIMARY)


FINDINGS: dict[str, tuple[str, Callable[[Folder], Iterator[Row]]]] = {
    "capable": ("reference", capable),
    "languages": ("reference", languages),
    "grammar": ("grammar", grammar),
    "wordings": ("reference", wordings),
    "transfer": ("finetune", transfer),
    "form": ("finetune-controls", form),
    "switched": ("finetune-controls", switched),
    "memory": ("contamination", memory),
    "association": ("reference", association),
    "preference": ("preference", preference),
    "depth": ("logic-adapter", depth),
}
