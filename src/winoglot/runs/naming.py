"""What to call runs that stand side by side: by what they differ in, and by nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.runs.run import Run

_ASPECTS = ("model", "collection", "scoring", "readings", "settings", "items")
_HASH = 8


def aspects(run: Run) -> tuple[str, ...]:
    """What a run may differ in from another, in words: model, collection, scoring, readings, settings, items."""
    settings = run.settings
    limit = "" if settings.limit is None else f"{settings.limit} schemas, "
    return (
        settings.model,
        run.source.name,
        f"{settings.scoring} scoring",
        f"{settings.readings} readings",
        ", ".join(f"{name} {value}" for name, value in sorted(settings.model_settings.items())),
        f"{limit}seed {settings.seed}",
    )


def names(runs: Sequence[Run]) -> list[str]:
    """A name for each run, all different: what not all share, or else its place in the list.

    Weights of one name and versions of one collection are told apart by their hash or number. The settings of a model
    and its items count only where models, collections and the ways of scoring do not tell the runs apart.
    """
    said = [list(aspects(run)) for run in runs]
    for aspect, detail in ((0, _weights), (1, _version)):
        details = {(said[place][aspect], detail(run)) for place, run in enumerate(runs)}
        for place, run in enumerate(runs):
            if sum(name == said[place][aspect] for name, _ in details) > 1:
                said[place][aspect] += detail(run)
    for last in range(4, len(_ASPECTS) + 1):
        varying = [aspect for aspect in range(last) if len({one[aspect] for one in said}) > 1]
        made = [", ".join(one[aspect] for aspect in varying) for one in said]
        if len(set(made)) == len(made) and varying:
            return made
    return [f"{name or runs[place].settings.model} ({place + 1})" for place, name in enumerate(made)]


def between(run: Run, first: Run, second: Run) -> bool:
    """Whether a third run shares every aspect with one of two runs and is neither: then it is the nearer one to both.

    Of two models with two scorings each, the first with one scoring and the second with the other are no pair to
    compare when the two others stand between them.
    """
    mine, one, other = (aspects(each)[:4] for each in (run, first, second))
    return mine not in (one, other) and all(mine[a] in (one[a], other[a]) for a in range(len(mine)))


def _weights(run: Run) -> str:
    return f" sha:{run.settings.fingerprint[:_HASH]}"


def _version(run: Run) -> str:
    return f"@{run.source.version}"
