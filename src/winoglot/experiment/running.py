"""Running an experiment: its runs are made here or on a cluster; results, report and lock file follow."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot import notebook
from winoglot.errors import InputError, check_argument
from winoglot.experiment.file import read_experiment
from winoglot.experiment.jobs import RUNS, run_jobs
from winoglot.experiment.locking import Difference, differences, read_lock, write_lock
from winoglot.experiment.pair_jobs import configurations, write_hashes
from winoglot.experiment.plan import LOCK_FILE, Plan, as_begun, check_begun, make_plan
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
from winoglot.report.logic import LogicReport, logic_files
from winoglot.report.page import page_files
from winoglot.report.paper import Paper
from winoglot.report.summary import Summary
from winoglot.report.tuning import TuningReport, tuning_page
from winoglot.runs.comparing import Comparisons
from winoglot.runs.results import Result
from winoglot.runs.run import Run
from winoglot.runs.session import log_requests, run_folder
from winoglot.runs.store import load_run, save_run
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas

    from winoglot.runs.session import BeforeSending

    Begin = Callable[[str], Callable[[int, int], None]]


FILES = ("report.html", "results.md", "results.csv")  # the page, and its tables
PAIR_FILES = ("pairs.html", "pairs.md", "pairs.csv")  # of pairs, if there are collections too
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
    it was. `pairs` has the numbers of the page about pairs.
    """

    folder: Path
    runs: tuple[Run, ...]
    summary: Summary | TuningReport | None = field(repr=False)  # the numbers of the report, if there is one
    results: tuple[Result, ...]
    comparisons: Comparisons | str | None = None
    failures: tuple[str, ...] = ()
    differences: tuple[Difference, ...] | None = None
    pairs: LogicReport | None = field(default=None, repr=False)
    jobs: int = 0
    lock: dict[str, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        """Show the folder and how much came out."""
        failed = f", {len(self.failures)} failed" if self.failures else ""
        number = counted(self.jobs, "job") if self.pairs else counted(len(self.runs), "run")
        return f"<ExperimentResult {self.folder.name}: {number}{failed}>"

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
    path: str | Path, output: str | Path | None = None, *, device: str | None = None, contact: bool = True
) -> tuple[Plan, dict[str, Any] | None]:
    """The checked plan of an experiment file; of a lock file also what it says about the time it was run.

    `device` is that of all models that name none. Without `contact`, nobody is asked: no server, and no hub.
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
    if device is not None:
        experiment = experiment.on_device(device)
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
    device: str | None = None,
    progress: bool = True,
    begin: Begin | None = None,
    before_sending: BeforeSending = log_requests,
) -> ExperimentResult:
    """Run an experiment file, or a lock file again, and write runs, results, report and lock file to a folder.

    The folder is `output` or, without one, `NAME-results` beside `NAME.yaml` (`NAME-again` for a lock file). The same
    call continues what was interrupted. With `workers`, that many processes take the models in turn: they share a GPU
    that one small model cannot fill. `cluster` is the address of a Dask scheduler, whose workers then make the runs;
    they must see the folder under the same path. With `only_runs`, models are trained and evaluated, and the rest,
    even reading the runs, is left to a later call. `device` is that of all models that name none. A model that fails
    costs only its own runs. Long steps show their progress, unless `progress` is false; a caller with a display of its
    own gives `begin`, and one that decides about requests to servers `before_sending`, as for a `Session`.
    """
    plan, before = plan_experiment(path, output, device=device)
    return run_plan(
        plan,
        before,
        workers=workers,
        cluster=cluster,
        only_runs=only_runs,
        progress=progress,
        begin=begin,
        before_sending=before_sending,
    )


def run_plan(
    plan: Plan,
    before: dict[str, Any] | None = None,
    *,
    workers: int = 1,
    cluster: str | None = None,
    only_runs: bool = False,
    progress: bool = True,
    begin: Begin | None = None,
    before_sending: BeforeSending = log_requests,
) -> ExperimentResult:
    """Run an experiment that has been checked; `before` is the lock file that it was read from, if any."""
    pairs, jobs = plan.experiment.pairs, plan.jobs(spread=cluster is not None)
    with lock(plan.output):
        if plan.collections:
            (plan.output / RUNS).mkdir(exist_ok=True)
        if pairs:
            write_hashes(plan.pair_hashes, plan.output)
        with show_progress("items", shown=progress and begin is None) as shown:
            done = run_jobs(jobs, workers, cluster, plan.output, begin or shown, before_sending)
        failures = [text for finished in done for text in finished.failures]
        if only_runs:
            return ExperimentResult(plan.output, (), None, (), failures=tuple(failures), jobs=len(jobs))
        runs: dict[str, Run] = {}
        for name in (name for finished in done for name in finished.folders):
            try:
                runs[name] = load_run(plan.output / RUNS / name)
            except InputError as error:  # something has damaged the folder since
                failures.append(str(error))
        finished_models = configurations(plan.pair_jobs)
        if not runs and not finished_models:
            raise InputError("\n".join(["no run could be made", *failures]))
        about_pairs = None
        if pairs and finished_models:
            about_pairs = LogicReport(tuple(finished_models), published=pairs.published, source=pairs.source)
            title = plan.experiment.title or plan.experiment.description.partition("\n")[0] or plan.experiment.name
            names = PAIR_FILES if plan.collections else FILES
            write_all(logic_files(about_pairs, plan.output, title, names), force=True)
        result = ExperimentResult(
            plan.output, tuple(runs.values()), None, (), failures=tuple(failures), pairs=about_pairs, jobs=len(jobs)
        )
        if runs:
            result = _with_collections(result, plan, runs)
        if failures:  # a lock file of an earlier time would say that all is done
            (plan.output / LOCK_FILE).unlink(missing_ok=True)
            return result
        info = write_lock(plan, runs)
        changed = None if before is None else tuple(differences(before, info))
        return replace(result, differences=changed, lock=info)


def _with_collections(result: ExperimentResult, plan: Plan, runs: dict[str, Run]) -> ExperimentResult:
    """The result with what is about collections, whose tables and page are written."""
    experiment, folder, all_runs = plan.experiment, plan.output, list(runs.values())
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
    tables, figures, width, font = experiment.tables, experiment.figures, experiment.width, experiment.font
    summary: Summary | TuningReport
    if tuned:
        files = page_files(tuning_page(tuned, experiment.title), page, tables, figures, Paper.of(width, font))
        write_all(files, force=True)
        summary = tuned
    else:
        more: dict[str, Any] = {"tables": tables, "figures": figures, "width": width, "font": font}
        more["references"] = experiment.references
        summary = report(all_runs, page, title=experiment.title, force=True, **more)
    return replace(result, summary=summary, results=tuple(results), comparisons=comparisons)


def save_pair_runs(result: ExperimentResult, folder: Path) -> None:
    """Write all answers about pairs to a folder as runs, which can be compared with those of other models."""
    for configuration in result.pairs.configurations if result.pairs else ():
        for run in (run for seed in configuration.seeds for run in seed.runs):
            settings = run.settings
            where = run_folder(folder, run.source.name, settings.model, settings.scoring, settings.readings)
            save_run(run, where, force=True)


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
