"""`logic …`: generate data sets of the logic tasks, and check files of such pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot import registry
from winoglot.cli.completion import one_of, words
from winoglot.cli.console import emit, first_few, percent, print_json, print_rows, progress_bar
from winoglot.cli.options import Force, Json
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.logic.audit.labels import Reproved
    from winoglot.logic.audit.leakage import Leakage
    from winoglot.logic.audit.report import Audit, FileAudit
    from winoglot.logic.cues import Cue

group = typer.Typer(no_args_is_help=True, help="Premises and hypotheses with proved labels: generate and check them.")
_LANGUAGES = one_of(words("en", "pt", "fr", "zh"))
_SHOWN = 5  # examples of each fault; --json gives all


@group.command()
def generate(
    task: Annotated[
        str,
        typer.Option(
            help="A task (`winoglot list logic-tasks`), or all.",
            autocompletion=one_of(lambda: [*registry.names("logic-tasks"), "all"]),
        ),
    ],
    language: Annotated[str, typer.Option(help="en, pt, fr or zh.", autocompletion=_LANGUAGES)],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the files.")],
    train: Annotated[int, typer.Option(help="Number of training pairs.")] = 10_000,
    test: Annotated[int, typer.Option(help="Number of test pairs.")] = 1_000,
    seed: Annotated[
        int, typer.Option(help="Random seed; the same seed gives the same formulas in every language.")
    ] = 0,
    paper: Annotated[
        bool, typer.Option("--paper", help="Use the published templates, with wrong labels corrected.")
    ] = False,
    labels: Annotated[
        str,
        typer.Option(
            help="cd (contradiction or not) or nli (entailment, neutral, contradiction).",
            autocompletion=one_of(words("cd", "nli")),
        ),
    ] = "cd",
    overlap: Annotated[
        str, typer.Option(help="none (train and test share no names) or full (both use all names).")
    ] = "none",
    no_proof: Annotated[
        bool, typer.Option("--no-proof", help="Trust the labels of the templates without proof; the files say so.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Generate data sets: TASK_train and TASK_test as JSON Lines, CSV and Parquet, with a data card and statistics.

    Example: winoglot logic generate --task negation --language pt --train 10000 --test 1000 --seed 1 -o pt
    """
    from winoglot.logic.dataset import build
    from winoglot.logic.recipe import DataRecipe, task_names
    from winoglot.logic.writing import check_writable, described, write

    recipes = [
        DataRecipe(name, language, train, test, seed, labels, overlap, paper, not no_proof)  # type: ignore[arg-type]
        for name in task_names(task, paper=paper)
    ]
    check_writable(recipes, output, force=force)
    rows = []
    with progress_bar() as begin:
        for recipe in recipes:
            made = build(recipe, begin)
            rows.append(described(made, write(made, output, force=force)))
    if as_json:
        print_json(rows, indent=1)
        return
    columns = ("task", "train", "test", "vocabulary", "shared_words", "mean_length", "longest")
    print_rows([{column: row[column] for column in columns} for row in rows])
    proved = "not proved" if no_proof else "proved"
    typer.echo(f"Labels {proved}. Lengths and vocabulary in words. Files and data cards: {output}")


@group.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Files of pairs: .csv, .jsonl or .parquet.")],
    train: Annotated[
        list[Path] | None, typer.Option(help="Training file; may be repeated. By default NAME_train for NAME_test.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="en, pt, fr or zh; detected by default.", autocompletion=_LANGUAGES)
    ] = None,
    readings: Annotated[
        list[str] | None,
        typer.Option(
            "--reading", help="Reading under which to prove labels; may be repeated. By default all that are quick."
        ),
    ] = None,
    no_cues: Annotated[bool, typer.Option("--no-cues", help="Skip the baselines that look for cues.")] = False,
    as_json: Json = False,
) -> None:
    """Check files of pairs for imbalance, duplicates, leakage, cues and wrong labels. Exit code 1 if there are faults.

    Example: winoglot logic check pt/negation_train.jsonl pt/negation_test.jsonl
    """
    from winoglot.logic.audit.labels import QUICK
    from winoglot.logic.audit.report import audit

    with progress_bar() as begin:
        found = audit(
            files,
            train=train or (),
            language=language,
            readings=readings or QUICK,
            with_cues=not no_cues,
            begin=begin,
        )
    if as_json:
        print_json(found.described(), indent=1)
    else:
        _print_audit(found)
    if found.faults:
        raise typer.Exit(1)


def _print_audit(found: Audit) -> None:
    """Each file, then what train and test share, then the faults."""
    for one in found.files:
        _print_file(one)
    for shared in found.leakage:
        _print_leakage(shared)
    emit(counted(len(found.faults), "fault"), style="bold red" if found.faults else "bold green")
    for fault in found.faults:
        emit(fault, indent=2)


def _print_file(one: FileAudit) -> None:
    emit(f"{one.file} ({one.language})", style="bold")
    labels = ", ".join(f"{count} labelled {label}" for label, count in one.balance.labels.items())
    _line(f"{counted(one.balance.pairs, 'pair')}: {labels}")
    for duplicate in one.duplicates[:_SHOWN]:
        _line(f"duplicates: lines {', '.join(map(str, duplicate.lines))}, labels {', '.join(duplicate.labels)}")
    _more(one.duplicates)
    _print_labels(one.labels)
    if one.cues:
        _print_cues(one.cues)
    else:
        _line(f"cues not tested: {one.no_cues}")
    emit("")


def _print_labels(labels: Reproved) -> None:
    how = f"{labels.from_sentences} from their sentences, {labels.from_formulas} from the formulas given"
    _line(f"understood: {how}; not understood: {len(labels.unread)}")
    if labels.unsure:
        _line(f"label depends on whether a name is a person or a place: {len(labels.unsure)}")
    first, *others = labels.readings
    for name in (first, *(name for name in others if labels.readings[name] != labels.readings[first])):
        disagreements = labels.readings[name]
        _line(f"labels contradicted by the proof under the {name} reading: {len(disagreements)}")
        for one in disagreements[:_SHOWN]:
            _line(f"  line {one.line}: label {one.label}, proved {one.proved or 'that the premise cannot be true'}")
        _more(disagreements)


def _print_cues(cues: Sequence[Cue]) -> None:
    print_rows(
        [
            {
                "  baseline": f"  {cue.baseline}",
                "accuracy": percent(cue.accuracy),
                "chance": f"{100 * cue.chance:.1f}",
                "upper limit": f"{100 * cue.upper:.1f}",
                "p": f"{cue.p:.3f}",
                "cue": cue.verdict,
            }
            for cue in cues
        ]
    )
    _line(f"Percent; {cues[0].accuracy.method}. Upper limits (one-sided) and p adjusted by Holm's method.")


def _print_leakage(one: Leakage) -> None:
    emit(f"{one.test} and {one.train}", style="bold")
    _line(f"pairs in both: {len(one.pairs)}")
    for what, names in (("people", one.people), ("places", one.places), ("words of names", one.tokens)):
        if names is None:
            _line(f"{what}: cannot be recognised in the sentences")
        else:
            _line(f"{what} in both: {len(names)} {first_few(names, _SHOWN)}".rstrip())
    if one.inside:
        _line(f"names within names: {', '.join(' / '.join(pair) for pair in one.inside[:_SHOWN])}")
    emit("")


def _more(things: Sequence[object]) -> None:
    if len(things) > _SHOWN:
        _line(f"  … {len(things) - _SHOWN} more (--json lists all)")


def _line(text: str) -> None:
    emit(text, indent=2)
