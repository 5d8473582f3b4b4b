"""What an experiment's fine-tuned models answered, as the report shows it: by configuration, with all seeds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from winoglot.analysis.analyse import RESULT
from winoglot.experiment.plan import analysis_folder
from winoglot.finetune.seeds import Configuration, TunedSeed, construction_shares
from winoglot.report.tuning import TuningReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from winoglot.experiment.plan import Plan
    from winoglot.experiment.tuning import PlannedTuning
    from winoglot.runs.run import Run


def tuning_report(plan: Plan, runs: Mapping[str, Run]) -> TuningReport:
    """Everything that the report of fine-tuned models shows; `runs` are all runs of the experiment."""
    tunings = plan.tunings
    untuned = tuple(run for run in runs.values() if run.settings.model not in tunings)
    groups: dict[str, list[PlannedTuning]] = {}
    for one in tunings.values():
        groups.setdefault(one.asked.configuration, []).append(one)
    data = {one.name: one for own in plan.learnt.values() for one in own}
    shares = {name: found for name, one in data.items() if (found := construction_shares(one)) is not None}
    return TuningReport(
        tuple(_configuration(plan, own, runs, untuned) for own in groups.values()),
        untuned,
        shares,
        list(_analysed(plan)),
        {name: _learnt_from(one, tunings) for name, one in tunings.items()},
    )


def _configuration(
    plan: Plan, own: list[PlannedTuning], runs: Mapping[str, Run], untuned: tuple[Run, ...]
) -> Configuration:
    first = own[0]
    base = next(one.name.address for one in plan.models if one.name.name == first.name)
    return Configuration(
        name=first.asked.configuration,
        entry=first.asked.entry,
        data=tuple(one.name for one in first.data),
        seeds=tuple(_seed(one, runs) for one in own),
        size=first.asked.size,
        control=first.asked.control,
        base=tuple(run for run in untuned if run.settings.asked_model.address == base),
    )


def _seed(one: PlannedTuning, runs: Mapping[str, Run]) -> TunedSeed:
    known = one.record()
    own = tuple(run for run in runs.values() if run.settings.model == one.name)
    if "ended" not in known:
        missing = f"no model: {known['diverged']}" if "diverged" in known else "no model yet"
        return TunedSeed(one.name, one.asked.seed, own, missing=missing)
    ended: dict[str, Any] = known["ended"]
    return TunedSeed(
        name=one.name,
        seed=one.asked.seed,
        runs=own,
        items=ended["learnt"]["items"],
        held_out=ended["learnt"]["held_out"],
        accuracy=ended["accuracy"],
        chance=_guessing_on(one),
        steps=ended["steps"],
        best_step=ended["best_step"],
        tokens=ended["tokens"],
        seconds=ended["seconds"],
        missing="" if own else "no answers yet",
    )


def _guessing_on(one: PlannedTuning) -> float:
    """What guessing gives on the items that were held out, if they are like the others."""
    items = [item for collection in one.data for item in collection.items if item.answer is not None]
    return sum(1 / len(item.candidates) for item in items) / len(items) if items else 0.5


def _learnt_from(one: PlannedTuning, tunings: Mapping[str, PlannedTuning]) -> set[str]:
    """The names of the collections that a model was fine-tuned on, also before."""
    before = _learnt_from(tunings[one.asked.after], tunings) if one.asked.after else set()
    return {collection.name for collection in one.data} | before


def _analysed(plan: Plan) -> Iterator[dict[str, Any]]:
    """Every estimate of the measures that were taken of the models."""
    for model in plan.models:
        file = analysis_folder(plan.output, model.name.name) / RESULT
        if plan.experiment.measures and file.is_file():
            for group in json.loads(file.read_bytes())["results"]:
                shared = {name: value for name, value in group.items() if name != "estimates"}
                yield from ({**shared, **row} for row in group["estimates"])
