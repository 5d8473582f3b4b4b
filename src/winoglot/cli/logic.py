"""`logic`: data sets of the logic tasks, and what is wrong with files of pairs."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Json
from winoglot.cli.files import Force

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

group = typer.Typer(no_args_is_help=True, help="Premises and hypotheses with proved labels; checks of such files.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(group, name="logic")


@group.command()
def generate(
    task: Annotated[str, typer.Option("--task", help="A task, or all.")],
    language: Annotated[str, typer.Option("--language", help="en, pt, fr or zh.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder that the files go to.")],
    train: Annotated[int, typer.Option("--train", help="Pairs to train on.")] = 10_000,
    test: Annotated[int, typer.Option("--test", help="Pairs to test on.")] = 1_000,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same formulas in every language.")] = 0,
    paper: Annotated[
        bool, typer.Option("--paper", help="The published template families, wrong labels corrected.")
    ] = False,
    labels: Annotated[
        str, typer.Option("--labels", help="cd: contradiction or not; nli: entailment, neutral, contradiction.")
    ] = "cd",
    overlap: Annotated[
        str, typer.Option("--overlap", help="none: train and test share no names; full: both have all of them.")
    ] = "none",
    no_proof: Annotated[
        bool, typer.Option("--no-proof", help="Take the labels that the templates intend; the files say so.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make data sets: T_train and T_test as JSON lines, CSV and Parquet, with a data card and statistics.

    Example: winoglot logic generate --task negation --language pt --train 10000 --test 1000 --seed 1 -o pt
    """
    from winoglot.logic.dataset import build
    from winoglot.logic.recipe import Recipe, task_names
    from winoglot.logic.writing import check_writable, described, write

    recipes = [
        Recipe(name, language, train, test, seed, labels, overlap, paper, not no_proof)  # type: ignore[arg-type]
        for name in task_names(task, paper=paper)
    ]
    check_writable(recipes, output, force=force)
    rows = []
    with _progress_bar() as begin:
        for recipe in recipes:
            made = build(recipe, begin)
            rows.append(described(made, write(made, output, force=force)))
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    from winoglot.cli.pretty import print_rows

    columns = ("task", "train", "test", "vocabulary", "shared_words", "mean_length", "longest")
    print_rows([{column: row[column] for column in columns} for row in rows])
    proved = "not proved" if no_proof else "proved"
    typer.echo(f"Labels {proved}. Lengths and vocabulary in words. Files and data cards: {output}")


@group.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Files of pairs: .csv, .jsonl or .parquet.")],
    train: Annotated[
        list[Path] | None,
        typer.Option("--train", help="What the others' models are trained on; else known by name: T_train, T_test."),
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", help="en, pt, fr or zh; recognised by its words unless given.")
    ] = None,
    readings: Annotated[
        list[str] | None,
        typer.Option("--reading", help="A reading to prove labels under; repeat for more. Else all quick ones."),
    ] = None,
    no_cues: Annotated[bool, typer.Option("--no-cues", help="Leave out the baselines.")] = False,
    as_json: Json = False,
) -> None:
    """Look for faults in files of pairs: balance, duplicates, leakage, cues, labels; exit code 1 where there are any.

    Example: winoglot logic check pt/negation_train.jsonl pt/negation_test.jsonl
    """
    from winoglot.logic.audit.labels import QUICK
    from winoglot.logic.audit.report import audit

    with _progress_bar() as begin:
        found = audit(
            files,
            train=train or (),
            language=language,
            readings=readings or QUICK,
            with_cues=not no_cues,
            begin=begin,
        )
    if as_json:
        typer.echo(json.dumps(found.described(), ensure_ascii=False, indent=1))
    else:
        from winoglot.cli.auditing import print_audit

        print_audit(found)
    if found.faults:
        raise typer.Exit(1)


@contextmanager
def _progress_bar() -> Iterator[Callable[[str], Callable[[int, int], None]]]:
    """On a terminal, a bar for what goes on at the moment."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from winoglot.cli.pretty import make_console

    console = make_console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:

        def begin(name: str) -> Callable[[int, int], None]:
            task = bar.add_task(name, total=None)

            def update(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total, visible=done < total)

            return update

        yield begin
