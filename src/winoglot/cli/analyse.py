"""`analyse`: how models respond to other wordings, by every measure of `winoglot list measures`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from winoglot.cli import completion
from winoglot.cli.completion import plugins, several_of
from winoglot.cli.console import print_json, print_rows, resumable
from winoglot.cli.evaluate import BatchTokens, MoreOptions, Precision, Yes, confirm_requests, model_options
from winoglot.cli.options import Device, Font, Force, Json, Language, Sources, Width, run_options, run_settings, split
from winoglot.progress import show_progress


@run_options("kinds", "renamed")
def analyse(
    sources: Sources,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="Folder to write: page, tables, figures and runs; unfinished runs are resumed."
        ),
    ],
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="family:location, a family (winoglot list models), or NAME=family:location; may be repeated.",
            autocompletion=completion.models,
        ),
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option("--run", help="A stored or imported run, analysed like a model; may be repeated."),
    ] = None,
    human: Annotated[
        list[Path] | None,
        typer.Option("--human", help="A run of people's answers, shown beside models; may be repeated."),
    ] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            help="Only these kinds of variants: tense,number; by default all that are stored or can be derived.",
            autocompletion=several_of(plugins("perturbations")),
        ),
    ] = None,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            help="Only these measures: marginal,preference (winoglot list measures).",
            autocompletion=several_of(plugins("measures")),
        ),
    ] = None,
    counts: Annotated[
        Path | None,
        typer.Option(help="Counts of a corpus (winoglot corpus count), for the measure association-divergence."),
    ] = None,
    contamination: Annotated[
        bool,
        typer.Option("--contamination", help="Also test whether the models have read the collection; takes longer."),
    ] = False,
    fresh: Annotated[
        str | None,
        typer.Option(
            help="Collection that no model has read, for --contamination; by default the bundled one of the language.",
            autocompletion=completion.collections,
        ),
    ] = None,
    language: Language = None,
    renamed: Annotated[
        int, typer.Option(help="Ask items that name people N more times with other names, for the noise floor; 0: not.")
    ] = 20,
    precision: Precision = "float32",
    device: Device = "auto",
    batch_tokens: BatchTokens = 0,
    more: MoreOptions = None,
    yes: Yes = False,
    width: Width = "page",
    font: Font = None,
    force: Force = False,
    as_json: Json = False,
    **settings: Any,
) -> None:
    """Measure how models respond to other wordings of the same schemas, and write a page, tables and figures.

    All questions are asked in one pass. Answers are stored in the folder: an interrupted command can be repeated and
    resumes where it stopped.

    Example: winoglot analyse winoglot-en --model gemma-3-270m -o analysis
    """
    from winoglot.analysis.analyse import RESULT, AnalysisRequest, analysed
    from winoglot.analysis.contamination import CONTAMINATION, SHOWS
    from winoglot.files import check_free
    from winoglot.loading import load, load_several
    from winoglot.report.analysis import PAGE, contamination_tests, mean_change, write_analysis
    from winoglot.report.paper import Paper
    from winoglot.runs.spec import ModelSpec, RunSpec
    from winoglot.runs.store import load_run

    for name in (RESULT, PAGE):
        check_free(output / name, force=force)  # before the work
    paper = Paper.of(width, font)
    request = AnalysisRequest(
        kinds=tuple(split(*kinds)) if kinds else None,
        measures=tuple(split(*measures)) if measures else None,
        also=(CONTAMINATION,) if contamination or fresh else (),
        fresh=load(fresh, language=language) if fresh else None,
        renamed=renamed,
    )
    asked = run_settings(settings)
    options = model_options(precision, device, batch_tokens, asked["seed"], more or [])
    with resumable(), show_progress("items") as begin:
        spec = RunSpec.checked(
            collections=tuple(load_several(sources, language)),
            models=tuple(ModelSpec.of(model, options) for model in dict.fromkeys(models or ())),
            **asked,
        )
        stored, people = ([load_run(folder) for folder in folders or ()] for folders in (runs, human))
        analysis = analysed(
            spec,
            request,
            stored,
            people,
            counts=counts,
            folder=output,
            force=force,
            begin=begin,
            before_sending=partial(confirm_requests, yes=yes),
        )
    write_analysis(analysis, output, paper, force=force)
    if as_json:
        print_json(analysis.described(), indent=1)
        return
    rows = mean_change(analysis)
    if rows:
        print_rows(rows)
        typer.echo()
    tests = contamination_tests(analysis)
    if tests:
        print_rows(tests)
        for line in ("", *(f"{name}: {said}" for name, said in SHOWS.items()), ""):
            typer.echo(line)
        typer.echo(f"Contamination took {analysis.seconds[CONTAMINATION]:.0f} s.")
    typer.echo(f"{len(analysis)} estimates written to {output / RESULT}; to read them, open {output / PAGE}")
