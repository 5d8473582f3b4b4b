"""Running an experiment: its runs are made here or on a cluster; results, report and lock file follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot import notebook
from winoglot.corpus.workers import workers as task_workers
from winoglot.errors import InputError, check_argument
from winoglot.experiment.file import read_experiment
from winoglot.experiment.locking import Difference, differences, read_lock, write_lock
from winoglot.experiment.plan import (
    LOCK_FILE,
    RUNS,
    Finished,
    Plan,
    as_begun,
    check_begun,
    do_task,
    make_plan,
    waves_of,
)
from winoglot.experiment.results import (
    as_markdown,
    compared,
    comparisons_csv,
    described,
    results_csv,
    results_of_experiment,
    table,
    tuning_report,
)
from winoglot.files import write_all, write_whole
from winoglot.folders import lock
from winoglot.progress import show_progress
from winoglot.report import report
from winoglot.report.page import page_files
from winoglot.report.summary import Summary
from winoglot.report.tuning import TuningReport, tuning_page
from winoglot.runs.comparing import Comparisons
from winoglot.runs.results import Result
from winoglot.runs.run import Run
from winoglot.runs.store import load_run
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas

    Begin = Callable[[str], Callable[[int, int], None]]


NOTE = (
    "In percent, with 95% intervals over schemas where measured here; an abstention counts as wrong. "
    "Columns headed “on …” give the accuracy on those items."
)
SEEDS_NOTE = (
    "Of fine-tuned models, the mean over seeds, with intervals over seeds and schemas; seeds.csv has each seed."
)


@dataclass(frozen=True)
class ExperimentResult:
    """What came out of an experiment, and where it is.

    `failures` says in words which runs could not be made; `differences`, if it was run from a lock file, what is not as
    it was.
    """

    folder: Path
    runs: tuple[Run, ...]
    summary: Summary | TuningReport | None = field(repr=False)  # the numbers of the report, if there is one
    results: tuple[Result, ...]
    comparisons: Comparisons | str | None = None
    failures: tuple[str, ...] = ()
    differences: tuple[Difference, ...] | None = None
    lock: dict[str, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        """Show the folder and how much came out."""
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<ExperimentResult {self.folder.name}: {len(self.runs)} runs{failed}>"

    def _repr_html_(self) -> str:
        """The table of results, for a notebook."""
        rows = [{name: escape(cell) for name, cell in row.items()} for row in self.table()]
        return notebook.card(notebook.html_table(rows), f'<p class="quiet">{escape(NOTE)}</p>')

    def to_frame(self) -> pandas.DataFrame:
        """The results as a pandas data frame, one row per number, measured or published."""
        return notebook.data_frame([described(result) for result in self.results])

    def table(self) -> list[dict[str, str]]:
        """One row per collection and solver, measured or published."""
        return table(self.results)


def plan_experiment(
    path: str | Path, output: str | Path | None = None, *, contact: bool = True
) -> tuple[Plan, dict[str, Any] | None]:
    """The checked plan of an experiment file; of a lock file also what it says about the time it was run.

    Without `contact`, nobody is asked: no server, and no hub.
    """
    check_argument(path, (str, Path), "a path", 'Name the file: wg.run_experiment("experiment.yaml").')
    path = Path(path)
    before = None
    if path.suffix == ".json":
        experiment, before = read_lock(path)
    else:
        experiment = read_experiment(path)
    here = path.resolve().parents
    beside = experiment.folder if experiment.folder in here[:2] else here[0]  # not wherever a lock file says
    default = beside / f"{experiment.name}-{'results' if before is None else 'again'}"
    chosen = Path(output) if output else default
    if before is not None and path.resolve().parent == chosen.resolve():
        message = "this folder holds the runs that the lock file describes, so nothing would be run again"
        raise InputError(message, remedy="Name another folder with -o.", file=str(chosen))
    plan = make_plan(as_begun(experiment, chosen, before), chosen, contact=contact)
    check_begun(plan)
    return plan, before


def run_experiment(
    path: str | Path,
    output: str | Path | None = None,
    *,
    workers: int = 1,
    cluster: str | None = None,
    only_runs: bool = False,
    progress: bool = True,
    begin: Begin | None = None,
) -> ExperimentResult:
    """Run an experiment file, or a lock file again, and write runs, results, report and lock file to a folder.

    The folder is `output` or, without one, `NAME-results` beside `NAME.yaml` (`NAME-again` for a lock file). The same
    call continues what was interrupted. With `workers`, that many processes take the models in turn: they share a GPU
    that one small model cannot fill. `cluster` is the address of a Dask scheduler, whose workers then make the runs;
    they must see the folder under the same path. With `only_runs`, models are trained and evaluated, and the rest,
    even reading the runs, is left to a later call. A model that fails costs only its own runs. Long steps show their
    progress, unless `progress` is false; a caller with a display of its own gives `begin`, as for a `Session`.
    """
    plan, before = plan_experiment(path, output)
    return run_plan(plan, before, workers=workers, cluster=cluster, only_runs=only_runs, progress=progress, begin=begin)


def run_plan(
    plan: Plan,
    before: dict[str, Any] | None = None,
    *,
    workers: int = 1,
    cluster: str | None = None,
    only_runs: bool = False,
    progress: bool = True,
    begin: Begin | None = None,
) -> ExperimentResult:
    """Run an experiment that has been checked; `before` is the lock file that it was read from, if any."""
    with lock(plan.output):
        (plan.output / RUNS).mkdir(exist_ok=True)
        with show_progress("items", shown=progress and begin is None) as shown:
            done = _run_tasks(plan, workers, cluster, begin or shown)
        failures = [text for finished in done for text in finished.failures]
        if only_runs:
            return ExperimentResult(plan.output, (), None, (), failures=tuple(failures))
        runs: dict[str, Run] = {}
        for name in (name for finished in done for name in finished.folders):
            try:
                runs[name] = load_run(plan.output / RUNS / name)
            except InputError as error:  # something has damaged the folder since
                failures.append(str(error))
        return _finish(plan, runs, tuple(failures), before)


def _run_tasks(plan: Plan, count: int, cluster: str | None, begin: Begin) -> list[Finished]:
    """All tasks, in order; with several workers the progress is that of whole tasks."""
    with task_workers(count, cluster, plan.output) as run_tasks:
        if cluster is None and count == 1:
            return list(run_tasks(partial(do_task, begin=begin), plan.tasks(spread=False)))
        waves = waves_of(plan.tasks(spread=cluster is not None))
        total = sum(map(len, waves))
        update = begin(counted(total, "task"))
        done: list[Finished] = []
        for wave in waves:
            for finished in run_tasks(do_task, wave):
                done.append(finished)
                update(len(done), total)
    return sorted(done, key=lambda finished: finished.number)


def _finish(
    plan: Plan, runs: dict[str, Run], failures: tuple[str, ...], before: dict[str, Any] | None
) -> ExperimentResult:
    experiment, folder, all_runs = plan.experiment, plan.output, list(runs.values())
    if not all_runs:
        raise InputError("\n".join(["no run could be made", *failures]))
    tuned = tuning_report(plan, runs) if plan.tunings else None
    untuned = [run for run in all_runs if run.settings.model not in plan.tunings]
    results = results_of_experiment(experiment, untuned, tuned.configurations if tuned else ())
    comparisons = compared(untuned) if experiment.comparisons else None
    texts = {"results.csv": results_csv(results), "results.md": _markdown(plan, results, comparisons)}
    if comparisons is not None and not isinstance(comparisons, str):
        texts["comparisons.csv"] = comparisons_csv(comparisons)
    if tuned:
        texts["seeds.csv"] = tuned.seeds_csv()
    for name, text in texts.items():
        write_whole(folder / name, text, force=True)
    page = folder / "report.html"
    tables, figures = experiment.tables, experiment.figures
    summary: Summary | TuningReport
    if tuned:
        write_all(page_files(tuning_page(tuned, experiment.title), page, tables, figures), force=True)
        summary = tuned
    else:
        summary = report(all_runs, page, title=experiment.title, tables=tables, figures=figures, force=True)
    if failures:  # a lock file of an earlier time would say that all is done
        (folder / LOCK_FILE).unlink(missing_ok=True)
        return ExperimentResult(folder, tuple(all_runs), summary, tuple(results), comparisons, failures)
    info = write_lock(plan, runs)
    changed = None if before is None else tuple(differences(before, info))
    return ExperimentResult(folder, tuple(all_runs), summary, tuple(results), comparisons, (), changed, info)


def _markdown(plan: Plan, results: list[Result], comparisons: Comparisons | str | None) -> str:
    """The table of results and the comparisons as a Markdown page."""
    experiment = plan.experiment
    parts = [f"# {experiment.title or experiment.name}", experiment.description, as_markdown(table(results))]
    parts += [NOTE, SEEDS_NOTE] if plan.tunings else [NOTE]
    if isinstance(comparisons, str):
        parts.append(f"Nothing was compared: {comparisons}")
    elif comparisons is not None:
        parts += ["## Comparisons", "\n".join(f"- {comparison}" for comparison in comparisons.made)]
    return "\n\n".join(filter(None, parts)) + "\n"
