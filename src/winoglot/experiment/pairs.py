"""What an experiment declares about logic pairs: models to train on some or only to ask, and what they are asked.

    data: ${WINOGLOT_LOGIC}               a folder that `winoglot logic generate` wrote
    seeds: 3
    models:
      - model: bilstm                     a network, or a model to fine-tune or only to ask
        train: {tasks: each, languages: [en, pt], size: [1000, 10000]}
        test: {tasks: own}

`each` trains one model per task (or language); `own` tests each model on what it was trained on, and all their answers
form one row of the tables. Every group of tasks and languages, size, control and seed is a model of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, did_you_mean
from winoglot.experiment.keys import check_known, placing
from winoglot.files import expanded, folder_name
from winoglot.logic.cues import baselines
from winoglot.logic.solvers.data import PairChoice, files_of
from winoglot.logic.solvers.questions import ENTAILMENT, LABELLED, WORDED
from winoglot.logic.solvers.recipes import CONTROLS, RECIPES, SHALLOW, find_pair_recipe
from winoglot.models.base import PRECISIONS
from winoglot.models.naming import model_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.documents import Document

EACH, OWN, ALL = "each", "own", "all"
_SEEDS = (0, 1, 2)
_LONGEST = 200  # bytes of a model's name; with its ending, a file's name may have 255


@dataclass(frozen=True)
class Training:
    """What a model is trained on, and how."""

    choice: PairChoice
    control: str = ""
    start: str = ""  # the folder of a model to begin with, relative to the data
    lora: bool = False
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PairModel:
    """A model to train on pairs, unless it is only asked, and what to ask it."""

    configuration: str  # its name in tables, the same for all seeds and, if models are asked only their own, all tasks
    entry: str  # the same for all sizes and controls
    group: str  # the tasks and languages that it is trained on
    model: str
    seed: int
    test: PairChoice
    training: Training | None = None
    scoring: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    precision: str = PRECISIONS[0]
    device: str = "auto"
    batch_tokens: int = 0
    place: int = 0  # of its entry in the file

    @property
    def name(self) -> str:
        """Its name in tables of seeds."""
        if not self.training:
            return self.configuration
        group = "" if self.entry.endswith(self.group) else self.group  # a model that is asked more has it in its name
        return " ".join(filter(None, (self.configuration, group, f"s{self.seed}")))

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides its answers, as JSON; earlier versions had no precision."""
        identity: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        later = {"device", "batch_tokens", "place"} | ({"precision"} if self.precision == PRECISIONS[0] else set())
        return {name: value for name, value in identity.items() if name not in later}


@dataclass(frozen=True)
class DeclaredPairs:
    """The part of an experiment that is about pairs; `published` has labels, sets and percentages."""

    data: Path
    models: tuple[PairModel, ...]
    published: tuple[tuple[str, str, float], ...] = ()
    source: str = ""  # of the published numbers


def only_answers_pairs(model: str) -> bool:
    """Whether a model can be asked about nothing but pairs."""
    return model in RECIPES or model.startswith(SHALLOW) or model_name(model).family == "logic"


def read_pairs_part(
    document: Document, entry: Mapping[str, Any], models: Sequence[tuple[int, Mapping[str, Any]]], folder: Path
) -> DeclaredPairs:
    """What an experiment file declares about pairs; `models` are the entries about them, with their places."""
    with placing(document, "data"):
        data = (folder / expanded(entry["data"])).resolve()
        sets = [(file.language, file.task) for file in files_of(data, "test", PairChoice())]
    seeds = entry.get("seeds", _SEEDS)
    by_name: dict[str, PairModel] = {}
    names: set[str] = set()
    for place, model in models:
        name = model.get("name", model["model"])
        declared = _models(document, place, model, seeds, sets)
        with placing(document, "models", place):
            by_file = {folder_name(variant.name): variant for variant in declared}  # the names of their records
            if name in names or len(by_file) < len(declared) or by_file.keys() & by_name.keys():
                raise InputError(f"two models are called {name!r}", remedy="Give this one another `name`.")
            if (longest := max((len(file_name.encode()) for file_name in by_file), default=0)) > _LONGEST:
                message = f"the name of this model needs {longest} bytes; the record of a job has room for {_LONGEST}"
                raise InputError(message, remedy="Give the model a shorter `name`, or name fewer tasks.")
        names.add(name)
        by_name |= by_file
    if not by_name:
        raise InputError("there is no model, or no seed", remedy="Declare at least one of each.", file=document.file)
    rows = [row for row in entry.get("published", ()) if "set" in row]
    published = tuple((row["label"], row["set"], row["value"]) for row in rows)
    source = entry.get("source") or "; ".join(dict.fromkeys(row["source"] for row in rows if "source" in row))
    return DeclaredPairs(data, tuple(by_name.values()), published, source)


def _models(
    document: Document, place: int, entry: Mapping[str, Any], seeds: Sequence[int], sets: Sequence[tuple[str, ...]]
) -> list[PairModel]:
    """One model per group of tasks and languages, size, control and seed."""
    name, test, learnt = entry.get("name", entry["model"]), entry.get("test", {}), entry.get("train")
    check_known(document, ("models", place, "precision"), [entry.get("precision", PRECISIONS[0])], PRECISIONS)
    with placing(document, "models", place):
        _check_model(entry["model"], learnt, test)
    at = {"languages": sorted({language for language, _ in sets}), "tasks": sorted({task for _, task in sets})}
    shared: dict[str, Any] = {
        "model": entry["model"],
        "scoring": test.get("scoring", ""),
        **{key: entry[key] for key in ("precision", "device", "batch_tokens") if key in entry},
        "place": place,
    }
    if learnt is None:
        tests = [_names(document, (place, "test"), key, test.get(key, [ALL]), at[key])[0] for key in at]
        options = entry.get("options", {})
        return [PairModel(name, name, "", seed=0, test=_test(test, tests), options=options, **shared)]
    settings = tuple(f"{setting}={value}" for setting, value in learnt.get("set", {}).items())
    path = ("models", place, "train")
    if entry["model"] in RECIPES:
        with placing(document, *path, "set"):
            find_pair_recipe(entry["model"], settings)
    for number, control in enumerate(controls := learnt.get("control", [""])):
        with placing(document, *path, "control", number):
            if control not in ("", "none", *CONTROLS):
                raise InputError(f"there is no control {control!r}", remedy=did_you_mean(control, ("none", *CONTROLS)))
    groups = product(*(_names(document, (place, "train"), key, learnt.get(key, [ALL]), at[key]) for key in at))
    is_own = {key: test.get(key, [OWN]) == [OWN] for key in at}
    reads_words = entry["model"] in RECIPES and "tokens=bytes" not in settings
    models = []
    for (languages, tasks), size, control, seed in product(
        groups, learnt.get("size", [None]), controls, entry.get("seeds", seeds)
    ):
        group = "-".join((*(tasks if len(tasks) < len(at["tasks"]) else ["all"]), *languages))
        spoilt = "" if control == "none" else control
        tests = [
            group_names if is_own[key] else _names(document, (place, "test"), key, test[key], at[key])[0]
            for key, group_names in zip(at, (languages, tasks), strict=True)
        ]
        if reads_words and not set(tests[0]) <= set(languages):
            with placing(document, "models", place, "test", "languages"):
                remedy = "Test it on its own languages, or train a network with `set: {tokens: bytes}`."
                raise InputError(f"{entry['model']} reads only the words of {', '.join(languages)}", remedy=remedy)
        entry_name = name if all(is_own.values()) else f"{name} {group}"
        size_name = str(size or "all") if len(learnt.get("size", ())) > 1 else ""
        choice = PairChoice(tuple(tasks), tuple(languages), learnt.get("depths", ()), size)
        models.append(
            PairModel(
                configuration=" ".join(filter(None, (entry_name, size_name, spoilt))),
                entry=entry_name,
                group=group,
                seed=seed,
                test=_test(test, tests),
                training=Training(choice, spoilt, learnt.get("start", ""), learnt.get("lora", False), settings),
                **shared,
            )
        )
    return models


def _check_model(model: str, learnt: Mapping[str, Any] | None, test: Mapping[str, Any]) -> None:
    """An input error if what an entry asks for cannot be done with its model."""
    baseline = model.removeprefix(SHALLOW)
    if baseline != model and baseline not in baselines():
        raise InputError(f"there is no shallow baseline {baseline!r}", remedy=did_you_mean(baseline, baselines()))
    if test.get("limit", 1) < 1:
        raise InputError("`limit` is less than 1", remedy="Use 1 or more.")
    scorings = (LABELLED,) if only_answers_pairs(model) else (*WORDED, ENTAILMENT)
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
