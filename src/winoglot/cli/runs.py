"""`compare`, `report` and `runs …`: what to do with runs once there are some."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli import completion
from winoglot.cli.completion import one_of, plugins, words
from winoglot.cli.console import emit, first_few, print_json, print_rows, working
from winoglot.cli.options import Font, Force, Json, Language, References, Runs, Width, split
from winoglot.errors import InputError
from winoglot.palette import letter
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import (
    MINUS,
    MISSING,
    percent,
    percent_interval,
    plain_interval,
    points_interval,
    probability,
    signed,
    signed_limits,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.formats.base import Remark
    from winoglot.report.columns import Column
    from winoglot.report.summary import RunSummary, Summary
    from winoglot.runs.comparing import Comparison
    from winoglot.runs.results import Result
    from winoglot.runs.run import Run

_UNLIMITED = 10_000  # columns: a program that reads a report's table wants one line per row
_MOST_SHOWN = 10  # ids and lines that did not fit
group = typer.Typer(
    no_args_is_help=True,
    help="List runs, show what a model was asked and answered, and import predictions made by other programs.\n\n"
    "Example: winoglot runs list runs",
)


def compare(
    runs: Runs,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            "--kinds",
            help="Compare the variants of this kind: switched.",
            autocompletion=one_of(plugins("perturbations")),
        ),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            help="Compare by this metric: one with a value for each item, such as quality, success or consistency.",
            autocompletion=one_of(plugins("metrics")),
        ),
    ] = "accuracy",
    points: Annotated[
        float, typer.Option(help="Print how many schemas it takes to detect a difference of N points.")
    ] = 5,
    languages: Annotated[
        str | None,
        typer.Option(
            help="Compare each solver with itself on the same schemas in several languages: all, or en,pt,zh.",
        ),
    ] = None,
    references: References = False,
    as_json: Json = False,
) -> None:
    """Compare runs: the difference, its confidence interval, p-values and statistical power.

    Runs are paired by item, across languages by parallel id, across files of one language by content. With more than
    two runs, every pair that differs in one respect is compared, and p-values are corrected for multiple comparisons
    (Holm). With --references, the runs are also compared with what other models answered, which comes with Winoglot.

    Example: winoglot compare runs --points 5
    """
    from winoglot.runs.comparing import compare_all
    from winoglot.runs.references import references_beside
    from winoglot.runs.store import load_run

    loaded = [load_run(folder) for folder in _folders(runs)]
    if references:
        loaded += references_beside(loaded)
    if languages is not None:
        if kind is not None or metric != "accuracy":
            message = "--languages compares what is right or wrong, with every kind that keeps the answer"
            raise InputError(message, remedy="Leave out --kind and --metric.")
        _compare_languages(loaded, None if languages == "all" else split(languages), as_json=as_json)
        return
    with working(f"comparing {counted(len(loaded), 'run')}"):
        comparisons = compare_all(loaded, kind=kind, metric=metric, difference=points / 100)
    if as_json:
        refused = [{"first": first, "second": second, "why": why} for first, second, why in comparisons.refused]
        print_json({"comparisons": [comparison.as_json() for comparison in comparisons.made], "not_compared": refused})
        return
    if len(comparisons.made) == 1:
        _print_comparison(comparisons.made[0])
    else:
        _print_comparisons(comparisons.made)
    for first, second, why in comparisons.refused:
        typer.echo(f"not compared: {first} and {second}: {why}")
    if comparisons.passed_over:
        pairs = counted(comparisons.passed_over, "pair")
        typer.echo(f"not compared: {pairs} that differ in several respects; to compare one, name its two runs")


def _compare_languages(runs: Sequence[Run], languages: Sequence[str] | None, *, as_json: bool) -> None:
    from winoglot.runs.parallel import parallel
    from winoglot.runs.results import described

    with working(f"comparing {counted(len(runs), 'run')}"):
        results = parallel(runs, languages=languages)
    if as_json:
        print_json([described(row) for row in results])
        return
    solvers: dict[tuple[str, ...], list[Result]] = {}
    for row in results:
        solvers.setdefault((row.model, row.collection, row.scoring, row.readings), []).append(row)
    for whole, *_ in solvers.values():
        independent = percent(whole.numbers["independent"] or 0.0)
        emit(
            f"{whole.model} in {whole.language.replace('+', ', ')}: all items right in "
            f"{percent_interval(whole.estimate, MISSING, sign='%')} of {counted(whole.n or 0, 'schema')}; "
            f"independent languages would give {independent}%."
        )
    emit("")
    print_rows([row for rows in solvers.values() for row in _language_rows(rows)], keys=2)
    emit(
        "\nPercent, with 95% intervals over schemas. Agreement: items that are right in both or wrong in both, between "
        "two languages (the mean over all pairs) or between an item and its variant in the same language; κ: how far "
        "it exceeds chance. Lost: points by which an item agrees less with its translations than with that variant; p "
        "after Holm's correction. An abstention counts as wrong."
    )


def _language_rows(rows: Sequence[Result]) -> list[dict[str, object]]:
    """A solver's agreement between all languages, and in one with each kind of variant; pairs are left to --json."""
    from winoglot.runs.parallel import AGREEMENT, KAPPA, LOST
    from winoglot.schemas.model import ORIGINAL

    by_kind: dict[str, dict[str, Result]] = {}
    for row in rows:  # of several, the first is of all languages
        by_kind.setdefault(row.kind, {}).setdefault(row.metric, row)
    return [
        {
            "model": found[AGREEMENT].model,
            "compared": "between languages" if kind == ORIGINAL else f"with {kind}",
            "agreement": percent_interval(found[AGREEMENT].estimate, MISSING),
            "κ": plain_interval(found[KAPPA].estimate, "z.2f", MISSING).replace("-", MINUS),
            "items": found[AGREEMENT].n,
            "lost": points_interval(found[LOST].estimate) if LOST in found else "",
            "p": probability(found[LOST].numbers["corrected_p"] or 0.0) if LOST in found else "",
        }
        for kind, found in by_kind.items()
    ]


def _folders(paths: Sequence[Path]) -> list[Path]:
    """The run folders in the folders given, each once."""
    from winoglot.runs.store import find_runs

    return list(dict.fromkeys(folder.resolve() for path in paths for folder in find_runs(path)))


def _print_comparison(comparison: Comparison) -> None:
    difference = comparison.difference
    value, low, high = difference.value or 0.0, difference.low or 0.0, difference.high or 0.0
    lines = {
        comparison.first: f"{comparison.estimate_first:.1%}",
        comparison.second: f"{comparison.estimate_second:.1%}",
        "difference": f"{signed(value)} points [{signed_limits(low, high)}], {difference.method}",
        "flip test": str(comparison.test),
    }
    if comparison.mcnemar is not None:
        lines["McNemar"] = f"{comparison.mcnemar}: {comparison.only_first} against {comparison.only_second}"
    width = max(map(len, lines))
    for name, line in lines.items():
        typer.echo(f"{name:{width}}  {line}")
    by = "" if comparison.metric == "accuracy" else f"Compared by {comparison.metric.replace('-', ' ')}: "
    sample = dict.fromkeys((f"{comparison.schemas:,} {comparison.unit}s", f"{comparison.items:,} {comparison.case}s"))
    typer.echo(f"\n{by}{', '.join(sample)}, {comparison.pairing}.")
    typer.echo(f"{comparison.sentence}.")
    if comparison.planning:
        typer.echo(comparison.planning)


def _print_comparisons(comparisons: Sequence[Comparison]) -> None:
    by_names: dict[tuple[str, str], list[Comparison]] = {}
    for comparison in comparisons:
        by_names.setdefault(_differing(comparison), []).append(comparison)
    alone = [rows[0] for rows in by_names.values() if len(rows) == 1]
    for (first, second), rows in by_names.items():
        if len(rows) > 1:
            print_rows([_comparison_row(row, {"": _shared(row)}, first, second) for row in rows])
            emit("")
    if alone:
        names = [{"run": row.first, "against": row.second} for row in alone]
        print_rows([_comparison_row(row, named, "", "") for row, named in zip(alone, names, strict=True)], keys=2)
        emit("")
    emit(
        f"Points: {comparisons[0].metric.replace('-', ' ')} of the run that is named first minus that of the other. "
        "Corrected: p-value after Holm, over all comparisons. Detectable: the difference, in points, that "
        "this many items detect with a power of 80%."
    )
    for comparison in comparisons:
        if comparison.disagreement:
            typer.echo(f"{comparison.first} and {comparison.second}: {comparison.disagreement}.")
        if comparison.paired_by == "content":
            sample = f"{comparison.items:,} {comparison.case}s"
            typer.echo(f"{comparison.first} and {comparison.second}: {sample} {comparison.pairing}.")


def _comparison_row(comparison: Comparison, named: Mapping[str, object], first: str, second: str) -> dict[str, object]:
    """What is found, below the names of the two runs if those are given."""
    difference = comparison.difference
    estimates = {first: comparison.estimate_first, second: comparison.estimate_second} if first else {}
    return {
        **named,
        **{name: percent(estimate.value or 0.0) for name, estimate in estimates.items()},
        "points": signed(difference.value or 0.0),
        "95% interval": signed_limits(difference.low or 0.0, difference.high or 0.0),
        "p": probability(comparison.test.value),
        "corrected": probability(comparison.corrected_p),
        "items": comparison.items,
        "detectable": MISSING if comparison.detectable is None else percent(comparison.detectable),
        "different": "yes" if comparison.is_distinguishable else "not shown",
    }


def _differing(comparison: Comparison) -> tuple[str, str]:
    """The parts of the two runs' names in which they differ."""
    first, second = comparison.first.split(", "), comparison.second.split(", ")
    return ", ".join(p for p in first if p not in second), ", ".join(p for p in second if p not in first)


def _shared(comparison: Comparison) -> str:
    """The parts of the two runs' names that are the same."""
    second = comparison.second.split(", ")
    return ", ".join(part for part in comparison.first.split(", ") if part in second)


def report(
    runs: Runs,
    output: Annotated[Path, typer.Option("--output", "-o", help="HTML file to write.")],
    tables: Annotated[
        list[str] | None, typer.Option(help="Write the tables too: latex, markdown, csv, or several: latex,csv.")
    ] = None,
    figures: Annotated[
        list[str] | None, typer.Option(help="Write the figures too: pdf, svg, png, or several: pdf,png.")
    ] = None,
    width: Width = "page",
    font: Font = None,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
    human: Annotated[
        list[Path] | None, typer.Option(help="Run with people's answers, shown next to the models; may be repeated.")
    ] = None,
    references: References = False,
    force: Force = False,
) -> None:
    """Write one self-contained HTML page: the findings, how certain they are, and every item.

    Runs of different collections, versions or settings may share a report; it says which cannot be compared.

    Example: winoglot report runs -o report.html
    """
    from winoglot.report import report as write
    from winoglot.runs.store import load_run

    people = _folders(human or [])
    loaded = [load_run(folder) for folder in _folders(runs) if folder not in people]
    with working(f"intervals and comparisons of {counted(len(loaded), 'run')}"):
        summary = write(
            loaded,
            output,
            title=title,
            human=[load_run(folder) for folder in people],
            references=references,
            tables=split(*tables or ()),
            figures=split(*figures or ()),
            width=width,
            font=font,
            force=force,
        )
    _print_summary(summary)
    typer.echo(f"\nReport: {output}")
    for name, what, is_made in (
        ("tables", "Tables", tables),
        ("figures", "Figures", figures),
    ):
        beside = output.with_name(f"{output.stem}-{name}")
        if is_made and beside.exists():
            typer.echo(f"{what}: {beside}")


def _print_summary(summary: Summary) -> None:
    """Accuracy by collection and solver, and the verdict; one line per row if output is not a terminal."""
    from winoglot.report.findings import cautions, evidence, verdict

    rows = [_accuracy_row(run, column) for column in summary.columns for run in summary.of(column)]
    kept = [name for name in rows[0] if any(row[name] for row in rows)]
    shown = [{name: row[name] for name in kept} for row in rows]
    note = f"Accuracy in percent, with 95% intervals over {summary.units}; an abstention counts as wrong."
    print_rows(shown, pipe_width=_UNLIMITED)
    emit(f"{note}{_chance(summary)}\n\n{verdict(summary)}.\n{evidence(summary)}", pipe_width=_UNLIMITED)
    warnings = cautions(summary)
    if warnings:
        emit("\nBefore you compare:")
        for line in warnings:
            emit(f"- {line}", pipe_width=_UNLIMITED)


def _accuracy_row(run: RunSummary, column: Column) -> dict[str, str | int]:
    from winoglot.statistics.formatting import number

    accuracy = run.accuracy
    silent = accuracy.abstained and run.guesses.value is not None
    return {
        "solver": run.solver.label,
        "collection": column.label,
        "accuracy": f"{number(accuracy.value, 'percent')} [{number(accuracy.low or 0.0, 'percent')}, "
        f"{number(accuracy.high or 0.0, 'percent')}]"
        if accuracy.value is not None
        else f"undefined: {accuracy.method}",
        "n": accuracy.n,
        "abstained": accuracy.abstained,
        "with guesses": number(run.guesses.value or 0.0, "percent") if silent else "",
    }


def _chance(summary: Summary) -> str:
    chances = {column.label: percent(column.chance) for column in summary.columns if column.chance is not None}
    if len(set(chances.values())) > 1:
        return f" Guessing gives {', '.join(f'{share} ({label})' for label, share in chances.items())}."
    return f" Guessing gives {next(iter(chances.values()))}." if chances else ""


@group.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A CSV table, or a sample log of lm-evaluation-harness.")],
    source: Annotated[
        str,
        typer.Option(
            "--collection",
            help="Collection that was answered: bundled name, file, format:file; or a file of logic pairs.",
            autocompletion=completion.collections,
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the run.")],
    model: Annotated[str | None, typer.Option(help="Name of the model; taken from the file by default.")] = None,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format", help="csv or lm-eval; detected by default.", autocompletion=one_of(words("csv", "lm-eval"))
        ),
    ] = None,
    language: Language = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Turn predictions made by another program into a run that `report` and `compare` accept.

    A table has the columns item_id and choice, or item_id, score_0, score_1 and so on.

    Example: winoglot runs import mine.csv --collection winoglot-pt --model mine -o runs/mine
    """
    from winoglot.loading import load
    from winoglot.logic.pair import read_pairs
    from winoglot.logic.solvers.data import example_set, is_pairs_file
    from winoglot.runs.importing import import_predictions
    from winoglot.runs.store import save_run

    if files := sorted(Path(source).glob("*/*/test.jsonl")):
        message = "this is a folder of pairs, and a table answers one file of them"
        raise InputError(message, remedy=f"Name a file: --collection {files[0]}.", file=source)
    is_pairs = is_pairs_file(Path(source))
    examples = example_set(read_pairs(Path(source))) if is_pairs else load(source, language=language)
    imported = import_predictions(file, examples, model, format_name)
    save_run(imported.run, output, force=force)
    if as_json:
        print_json(imported.as_json())
        return
    run = imported.run
    typer.echo(
        f"{run.settings.model} on {run.source.name}: {counted(len(run.predictions), 'prediction')}, "
        f"accuracy {run.accuracy():.1%}; written to {output}"
    )
    _print_remarks("Not in the collection", imported.unknown)
    _print_remarks("Repeated; only the first counts", imported.repeated)
    if imported.missing:
        missing = first_few(imported.missing, _MOST_SHOWN)
        typer.echo(f"Items without an answer: {len(imported.missing)}: {missing}")


def _print_remarks(title: str, remarks: list[Remark]) -> None:
    if remarks:
        typer.echo(f"{title}: {len(remarks)}")
    for remark in remarks[:_MOST_SHOWN]:
        typer.echo(f"  line {remark.line}: {remark.what}: {remark.why}")
    if len(remarks) > _MOST_SHOWN:
        typer.echo("  …")


@group.command("show")
def show(
    run: Annotated[Path, typer.Argument(help="Folder of the run.")],
    items: Annotated[list[str], typer.Option("--item", help="Item or variant, by its id; may be repeated.")],
    as_json: Json = False,
) -> None:
    """Show what a run holds about an item: its text, the scores, the choice, and whether that is right.

    Of a model that was asked in words, also a prompt for each order of the options, and the raw reply.

    Example: winoglot runs show runs/winoglot-en.first.choice.grammatical --item piano-sale.0
    """
    from winoglot.cli.show import item_lines
    from winoglot.runs.display import outcome_row
    from winoglot.runs.store import load_run

    loaded = load_run(run)
    outcomes = [loaded[item] for item in items]
    if as_json:
        print_json(
            [
                {
                    **outcome_row(loaded, outcome),
                    "candidates": outcome.example.options,
                    "replies": loaded.prediction(outcome.example.id).replies,
                }
                for outcome in outcomes
            ]
        )
        return
    for outcome in outcomes:
        example = outcome.example
        lines = item_lines(example.item) if example.item else [example.id, str(example.features.get("text", ""))]
        for line in lines:
            emit(line)
        scores = outcome.scores or (None,) * len(example.options)
        for place, (option, score) in enumerate(zip(example.options, scores, strict=True)):
            scored = "" if score is None else f": {score:.4f}"
            chosen = " ← chosen" if place == outcome.choice else ""
            emit(f"{letter(place)} {option}{scored}{chosen}", indent=2)
        verdict = {True: "right", False: "wrong", None: "no answer known"}[outcome.right]
        for prompt, reply in loaded.prediction(example.id).replies:
            emit("prompt", indent=2, style="bold")
            emit(prompt, indent=4)
            emit("reply", indent=2, style="bold")
            emit(reply, indent=4)
        emit(verdict if outcome.choice is not None else f"abstained: {outcome.note or 'no reason given'}", indent=2)
        emit("")


@group.command("list")
def list_(
    folder: Annotated[Path, typer.Argument(help="A run, or a folder of runs.")],
    as_json: Json = False,
) -> None:
    """List the runs in a folder and how far each one is. Exit code 1 if a run cannot be read.

    Example: winoglot runs list runs
    """
    from winoglot.runs.store import find_runs, load_run

    rows, broken = [], []
    for path in find_runs(folder):
        try:
            rows.append(_run_row(path, load_run(path)))
        except InputError as error:
            broken.append(f"{path.name}: {error}")
    if as_json:
        print_json(rows)
    elif rows:
        hidden = {"signature"}
        in_name = ("collection", "model", "scoring", "readings")
        if all(row["run"] == ".".join(str(row[key]) for key in in_name) for row in rows):
            hidden |= {*in_name}  # the names of the folders already say it, and the table fits on a terminal
        print_rows([{key: value for key, value in row.items() if key not in hidden} for row in rows])
    for line in broken:
        typer.echo(line, err=True)
    if broken:
        raise typer.Exit(1)


def _run_row(path: Path, run: Run) -> dict[str, object]:
    from winoglot.cli.run_table import identifying
    from winoglot.examples import examples_of

    items = sum(len(examples_of(run.source, kind)) for kind in (None, *run.settings.asked_kinds))
    accuracy = run.accuracy().value
    return {
        "run": path.name,
        **identifying(run),
        "kinds": ", ".join(run.settings.kinds),
        "answered": len(run.predictions),
        "items": items,
        "accuracy": None if accuracy is None else round(accuracy, 4),
        "signature": run.signature,
    }
