"""Experiments with models for pairs: one file declares the models, their training data and seeds, and the tests.

    data: ${WINOGLOT_LOGIC}               a folder that `winoglot logic generate` wrote
    seeds: 3
    models:
      - model: bilstm                     a family, or a model to fine-tune or only to ask
        train: {tasks: each, languages: [en, pt], size: [1000, 10000]}
        test: {tasks: own}

`each` trains one model per task (or language); `own` tests each model on what it was trained on, and all their answers
form one row of the tables. Every size, control and seed is a job (`logic/solvers/jobs.py`).
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Required

from pydantic import BeforeValidator

from winoglot.corpus.workers import workers
from winoglot.errors import InputError, did_you_mean, located
from winoglot.experiment.file import as_list, as_seeds, as_wholes, check_variables, placing
from winoglot.files import decode, expanded, folder_name, read_bytes, write_all, write_whole
from winoglot.finetune.seeds import Configuration, TunedSeed
from winoglot.folders import lock
from winoglot.logic.cues import baselines
from winoglot.logic.solvers.data import SPLITS, PairChoice, files_of
from winoglot.logic.solvers.jobs import SHALLOW, Job, Training, check_job, do_job, read_answers, runs_of
from winoglot.logic.solvers.questions import ENTAILMENT, LABELLED, WORDED
from winoglot.logic.solvers.recipes import CONTROLS, RECIPES, find_pair_recipe
from winoglot.models.naming import model_name
from winoglot.runs.session import run_folder
from winoglot.runs.store import save_run
from winoglot.schemas.documents import read_yaml
from winoglot.schemas.entries import Entry, Index, Share, Text, Truth, about
from winoglot.schemas.validation import check_entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from winoglot.schemas.documents import Document

EACH, OWN, ALL = "each", "own", "all"
_MOST_BYTES = 2**20
_LONGEST = 200  # bytes of a job's name; with its ending, a file's name may have 255
_NAMING = ("model", "scoring", "readings")  # what a run's folder is named after, besides the pairs
_Names = Annotated[list[Text], BeforeValidator(as_list)]
_Sizes = Annotated[list[int | None], BeforeValidator(as_wholes)]
_Seeds = Annotated[list[int], BeforeValidator(as_seeds)]


def read_depths(text: str) -> tuple[int, ...]:
    """Read depths as a user writes them.

    >>> read_depths("1-2,4")
    (1, 2, 4)
    """
    depths: list[int] = []
    for part in text.split(","):
        low, _, high = part.strip().partition("-")
        if not (low.isdecimal() and (high or low).isdecimal()):
            raise InputError(f"{text!r} is not a list of depths", remedy="Write 2, 1-2 or 1,3.")
        if not 1 <= int(low) <= int(high or low):
            raise InputError(
                f"{part.strip()!r} is not a range of depths", remedy="Start at 1, the lower one first: 1-2."
            )
        depths += range(int(low), int(high or low) + 1)
    return tuple(dict.fromkeys(depths))


_Depths = Annotated[tuple[int, ...], BeforeValidator(lambda value: read_depths(str(value)))]


class TrainEntry(Entry, total=False):
    """What a model is trained on."""

    tasks: Annotated[_Names, about("names, all (the default: one model for all), or each (one model per task)")]
    languages: Annotated[_Names, about("the same")]
    depths: Annotated[_Depths, about("1-2; all unless given")]
    size: Annotated[_Sizes, about("training pairs per task and language; several make a learning curve")]
    control: Annotated[_Names, about("none, shuffled-labels, premise-only, hypothesis-only")]
    start: Annotated[Text, about("folder of a trained context2vec or transformer, in the data's folder")]
    lora: Annotated[Truth, about("train a small adapter")]
    set: Annotated[dict[str, Text], about("settings of the recipe")]


class TestEntry(Entry, total=False):
    """What a model is asked."""

    tasks: Annotated[_Names, about("names, all, or own (the default: what it was trained on)")]
    languages: Annotated[_Names, about("the same")]
    depths: Annotated[_Depths, about("3-4; all unless given")]
    limit: Annotated[Index, about("pairs per file")]
    scoring: Annotated[Text, about("label, therefore, answer, entailment")]


class LogicModelEntry(Entry, total=False):
    """A model to train, or only to ask."""

    model: Required[Annotated[Text, about("a family (lstm, bag …), causal:…, nli:…, gemma-3-270m or shallow:…")]]
    name: Annotated[Text, about("name in tables")]
    seeds: Annotated[_Seeds, about("how many, or which; those of the file unless given")]
    train: TrainEntry
    test: TestEntry
    options: Annotated[dict[str, Text], about("of a model that is asked")]


class PublishedTaskEntry(Entry, total=False):
    """A published accuracy."""

    label: Required[Text]
    set: Required[Annotated[Text, about("task and language: comparison-en")]]
    value: Required[Annotated[Share, about("in percent")]]


class LogicExperimentEntry(Entry, total=False):
    """The whole file."""

    description: Text
    data: Required[Text]
    seeds: _Seeds
    models: Required[list[LogicModelEntry]]
    published: list[PublishedTaskEntry]
    source: Annotated[Text, about("of the published numbers")]


@dataclass(frozen=True)
class LogicExperiment:
    """The content of a file: its jobs, in order."""

    name: str
    description: str
    data: Path
    jobs: tuple[Job, ...]
    published: tuple[tuple[str, str, float], ...] = ()  # label, set, percent
    source: str = ""


def read_logic_experiment(path: Path) -> LogicExperiment:
    """The experiment in a YAML file; an input error names the line of anything wrong."""
    document = read_yaml(decode(read_bytes(path, _MOST_BYTES), str(path)), str(path))
    with placing(document):
        entry: dict[str, Any] = check_entry(LogicExperimentEntry, document.value)
    with placing(document, "data"):
        data = (path.resolve().parent / expanded(entry["data"])).resolve()
        sets = [file.parts[-3:-1] for file in files_of(data, "test", PairChoice())]
    check_variables(document, ("models",), entry["models"])
    jobs: dict[str, Job] = {}
    names: set[str] = set()
    for place, model in enumerate(entry["models"]):
        name = model.get("name", model["model"])
        model_jobs = _jobs(document, place, model, entry.get("seeds", [0, 1, 2]), sets)
        with placing(document, "models", place):
            by_file = {folder_name(job.name): job for job in model_jobs}  # the names of the files of answers
            if name in names or len(by_file) < len(model_jobs) or by_file.keys() & jobs.keys():
                raise InputError(f"two models are called {name!r}", remedy="Give this one another `name`.")
            if (longest := max((len(file_name.encode()) for file_name in by_file), default=0)) > _LONGEST:
                message = f"a job of this model has a name of {longest} bytes; a file of answers can have {_LONGEST}"
                raise InputError(message, remedy="Give the model a shorter `name`, or name fewer tasks.")
        names.add(name)
        jobs |= by_file
    if not jobs:
        raise InputError("there is no model, or no seed", remedy="Declare at least one of each.", file=str(path))
    published = tuple((row["label"], row["set"], row["value"]) for row in entry.get("published", ()))
    return LogicExperiment(
        path.stem, entry.get("description", ""), data, tuple(jobs.values()), published, entry.get("source", "")
    )


def _jobs(
    document: Document, place: int, entry: Mapping[str, Any], seeds: Sequence[int], sets: Sequence[tuple[str, ...]]
) -> list[Job]:
    """One job per group of tasks and languages, size, control and seed."""
    name, test, learnt = entry.get("name", entry["model"]), entry.get("test", {}), entry.get("train")
    with placing(document, "models", place):
        _check_model(entry["model"], learnt, test)
    at = {"languages": sorted({language for language, _ in sets}), "tasks": sorted({task for _, task in sets})}
    if learnt is None:
        tests = [_names(document, (place, "test"), key, test.get(key, [ALL]), at[key])[0] for key in at]
        return [
            Job(
                configuration=name,
                entry=name,
                group="",
                model=entry["model"],
                seed=0,
                test=_test(test, tests),
                scoring=test.get("scoring", ""),
                options=entry.get("options", {}),
            )
        ]
    path = ("models", place, "train")
    if entry["model"] in RECIPES:
        with placing(document, *path, "set"):
            find_pair_recipe(entry["model"], _settings(learnt))
    for number, control in enumerate(controls := learnt.get("control", [""])):
        with placing(document, *path, "control", number):
            if control not in ("", "none", *CONTROLS):
                raise InputError(f"there is no control {control!r}", remedy=did_you_mean(control, ("none", *CONTROLS)))
    groups = product(*(_names(document, (place, "train"), key, learnt.get(key, [ALL]), at[key]) for key in at))
    is_own = {key: test.get(key, [OWN]) == [OWN] for key in at}
    jobs = []
    for (languages, tasks), size, control, seed in product(
        groups, learnt.get("size", [None]), controls, entry.get("seeds", seeds)
    ):
        group = "-".join((*(tasks if len(tasks) < len(at["tasks"]) else ["all"]), *languages))
        spoilt = "" if control == "none" else control
        tests = [
            group_names if is_own[key] else _names(document, (place, "test"), key, test[key], at[key])[0]
            for key, group_names in zip(at, (languages, tasks), strict=True)
        ]
        reads_words = entry["model"] in RECIPES and "tokens=bytes" not in _settings(learnt)
        if reads_words and not set(tests[0]) <= set(languages):
            with placing(document, "models", place, "test", "languages"):
                remedy = "Test it on its own languages, or train a network with `set: {tokens: bytes}`."
                raise InputError(f"{entry['model']} reads only the words of {', '.join(languages)}", remedy=remedy)
        shown = [
            name,
            "" if all(is_own.values()) else group,
            (size or "all") if len(learnt.get("size", ())) > 1 else "",
            spoilt,
        ]
        jobs.append(
            Job(
                configuration=" ".join(str(part) for part in shown if part),
                entry=" ".join(filter(None, (name, "" if all(is_own.values()) else group))),
                group=group,
                model=entry["model"],
                seed=seed,
                test=_test(test, tests),
                training=Training(
                    PairChoice(tuple(tasks), tuple(languages), learnt.get("depths", ()), size),
                    spoilt,
                    learnt.get("start", ""),
                    learnt.get("lora", False),
                    _settings(learnt),
                ),
                scoring=test.get("scoring", ""),
            )
        )
    return jobs


def _check_model(model: str, learnt: Mapping[str, Any] | None, test: Mapping[str, Any]) -> None:
    """An input error if what an entry asks for cannot be done with its model."""
    baseline = model.removeprefix(SHALLOW)
    if baseline != model and baseline not in baselines():
        raise InputError(f"there is no shallow baseline {baseline!r}", remedy=did_you_mean(baseline, baselines()))
    if test.get("limit", 1) < 1:
        raise InputError("`limit` is less than 1", remedy="Use 1 or more.")
    is_own = baseline != model or model in RECIPES or model_name(model).family == "logic"
    scorings = (LABELLED,) if is_own else (*WORDED, ENTAILMENT)
    if (scoring := test.get("scoring")) and scoring not in scorings:
        raise InputError(f"{model} has no scoring {scoring!r}", remedy=did_you_mean(scoring, scorings))
    if learnt is None:
        if model in RECIPES:
            raise InputError(f"{model} has to be trained first", remedy="Add `train: {}`, or name a trained model.")
        return
    if baseline != model:
        raise InputError(f"{model} always learns the tasks and languages that it is asked", remedy="Leave out `train`.")
    if learnt.get("lora") and model in RECIPES:
        raise InputError(f"{model} is trained as a whole", remedy="Leave out `lora`.")
    if any(size is not None and size < 1 for size in learnt.get("size", ())):
        raise InputError("`size` is less than 1", remedy="Use 1 or more, or all.")


def _names(
    document: Document, where: tuple[int, str], key: str, names: Sequence[str], available: Sequence[str]
) -> list[tuple[str, ...]]:
    """The groups of names that an entry asks for."""
    keywords = [EACH] if where[-1] == "train" else []
    if list(names) == [ALL]:
        return [tuple(available)]
    if keywords and list(names) == keywords:
        return [(name,) for name in available]
    for name in names:
        with placing(document, "models", *where, key):
            if name not in available:
                message = f"the data has no {key.removesuffix('s')} {name!r}"
                raise InputError(message, remedy=did_you_mean(name, (*available, ALL, *keywords)))
    return [tuple(dict.fromkeys(names))]


def _test(test: Mapping[str, Any], names: Sequence[tuple[str, ...]]) -> PairChoice:
    languages, tasks = names
    return PairChoice(tasks, languages, test.get("depths", ()), test.get("limit"))


def _settings(learnt: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in learnt.get("set", {}).items())


# Results


def configurations(jobs: Sequence[Job], data: Path, out: Path) -> list[Configuration]:
    """The answers of finished jobs by configuration, with all seeds; a model that is only asked has one seed."""
    answered: dict[str, dict[int, list[tuple[Job, dict[str, Any]]]]] = {}
    for job in jobs:
        if (answers := read_answers(job, out)) is not None:
            answered.setdefault(job.configuration, {}).setdefault(job.seed, []).append((job, answers))
    sets: dict[Any, Any] = {}
    finished = []
    for name, seeds in answered.items():
        first = next(iter(seeds.values()))[0][0]
        training = first.training
        finished.append(
            Configuration(
                name,
                first.entry,
                tuple(sorted({job.group for parts in seeds.values() for job, _ in parts if job.group})),
                tuple(_seed(name, seed, parts, data, sets) for seed, parts in seeds.items()),
                training.choice.size if training else None,
                training.control if training else "",
            )
        )
    return finished


def _seed(
    name: str, seed: int, parts: Sequence[tuple[Job, dict[str, Any]]], data: Path, sets: dict[Any, Any]
) -> TunedSeed:
    """All models of one seed, each trained on some of the tasks."""
    ended = [answers["trained"] for _, answers in parts if answers["trained"].get("accuracy") is not None]
    diverged = [job.group for job, answers in parts if "diverged" in answers["trained"]]
    every = (run for job, answers in parts for run in runs_of(job, answers, data, sets))
    # One column per set: how a model was asked is part of the configuration's name.
    runs = tuple(replace(run, settings=replace(run.settings, scoring="labels")) for run in every)

    def total(key: str) -> int:
        return round(sum(model.get(key) or 0 for model in ended))

    held_out = total("validation")
    return TunedSeed(
        name=f"{name} s{seed}",
        seed=seed,
        runs=runs,
        items=total("pairs") // max(1, len(ended)),
        held_out=held_out,
        accuracy=sum(model["accuracy"] * model["validation"] for model in ended) / held_out if held_out else None,
        chance=1 / len(runs[0].source.examples[0].options) if runs else 0.5,  # type: ignore[union-attr]
        steps=total("steps"),
        best_step=total("best_step"),
        tokens=total("tokens"),
        seconds=total("seconds"),
        missing=f"diverged: {', '.join(diverged)}" if diverged else "",
    )


@dataclass(frozen=True)
class LogicResult:
    """The results of an experiment so far."""

    folder: Path
    configurations: tuple[Configuration, ...]
    done: int
    jobs: int
    failures: tuple[str, ...] = ()


def plan_logic(path: Path, out: Path | None = None, *, contact: bool = True) -> tuple[LogicExperiment, Path]:
    """An experiment file whose jobs have been checked, unless they are done, and the folder for its results.

    Without `contact`, nobody is asked: no server, and no hub.
    """
    experiment = read_logic_experiment(path)
    out = out or path.resolve().parent / f"{experiment.name}-results"
    seen = set[tuple[str, PairChoice]]()
    for job in (job for job in experiment.jobs if read_answers(job, out) is None):
        with located(file=str(path)), _naming(job):
            check_job(job, experiment.data, seen, contact=contact)
    return experiment, out


def run_logic(
    path: Path,
    out: Path | None = None,
    *,
    worker_count: int = 1,
    cluster: str | None = None,
    device: str = "auto",
    runs: Path | None = None,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> LogicResult:
    """Run an experiment file, and write answers, results and a report to a folder; the same call continues it.

    With `runs`, all answers are also written to that folder as runs, which can be compared with those of other models.
    """
    experiment, out = plan_logic(path, out)
    failures = list[str]()
    out.mkdir(parents=True, exist_ok=True)
    with lock(out):
        _check_data(experiment.data, out / "data.sha256")
        configurations(experiment.jobs, experiment.data, out)  # now: answers to other pairs are an input error
        waiting = [job for job in experiment.jobs if read_answers(job, out) is None]
        done = len(experiment.jobs) - len(waiting)
        progress(done, len(experiment.jobs))
        with workers(worker_count, cluster, out) as run_tasks:
            for failure in run_tasks(partial(_done, experiment.data, out.absolute(), device), waiting):
                failures += [failure] if failure else []
                done += 1
                progress(done, len(experiment.jobs))
        results = configurations(experiment.jobs, experiment.data, out)
        if not results:
            raise InputError("\n".join(["no job succeeded", *failures]))
        from winoglot.report.logic import LogicReport, logic_files

        shown = LogicReport(tuple(results), published=experiment.published, source=experiment.source)
        title = experiment.description.partition("\n")[0] or experiment.name
        write_all(logic_files(shown, out, title), force=True)
        all_runs = (run for configuration in results for seed in configuration.seeds for run in seed.runs)
        for run in all_runs if runs else ():
            where = run_folder(Path(str(runs)), run.source.name, *(getattr(run.settings, name) for name in _NAMING))
            save_run(run, where, force=True)
    return LogicResult(out, tuple(results), done - len(failures), len(experiment.jobs), tuple(failures))


@contextmanager
def _naming(job: Job) -> Iterator[None]:
    """Say which job an input error is about."""
    try:
        yield
    except InputError as error:
        error.message = f"{job.name}: {error.message}"
        raise


def _check_data(data: Path, checksum_file: Path) -> None:
    """An input error if pairs have changed since the experiment was started: answers would not be comparable."""
    files = (file for split in SPLITS for file in data.glob(f"*/*/{split}.*"))
    now = {str(file.relative_to(data)): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(files)}
    before = checksum_file.read_text(encoding="utf-8").splitlines() if checksum_file.is_file() else []
    for checksum, _, name in (line.partition("  ") for line in before):
        if now.get(name) != checksum:
            message = "these pairs have changed since the experiment was started"
            remedy = "Generate the same data again, or run the experiment in another folder: -o DIR."
            raise InputError(message, remedy=remedy, file=str(data / name))
    write_whole(checksum_file, "".join(f"{checksum}  {name}\n" for name, checksum in now.items()), force=True)


def _done(data: Path, out: Path, device: str, job: Job) -> str:
    """Run a job and return its error message, if any: a failed job does not stop the others."""
    try:
        with _naming(job):
            do_job(job, data, out, device=device)
    except InputError as error:
        return str(error)
    return ""
