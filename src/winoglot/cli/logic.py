"""`logic …`: generate data sets of the logic tasks, and check files of such pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot import registry
from winoglot.cli.completion import one_of, words
from winoglot.cli.console import emit, first_few, percent, print_json, print_rows, progress_bar
from winoglot.cli.options import Force, Json
from winoglot.errors import InputError
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.logic.audit.labels import Reproved
    from winoglot.logic.audit.leakage import Leakage
    from winoglot.logic.audit.report import Audit, FileAudit
    from winoglot.logic.cues import GroupCues

group = typer.Typer(no_args_is_help=True, help="Premises and hypotheses with proved labels: generate and check them.")
_LANGUAGES = one_of(words("en", "pt", "fr", "zh"))
_AS = one_of(words("cd"))
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


def generate_paper(
    task: str,
    language: str,
    output: Path,
    *,
    train: int | None,
    test: int | None,
    seed: int,
    proof: bool,
    force: bool,
    as_json: bool,
) -> None:
    """The published tasks: files with the published names and columns, and a card."""
    from winoglot.logic import paper

    tasks = list(paper.FILES) if task == "all" else [task]
    for name in tasks:
        paper.check(name, language, train=train, test=test)
    paper.check_writable(output, tasks, language, force=force)
    with progress_bar() as begin:
        sets = [
            paper.build(name, language, train=train, test=test, seed=seed, proof=proof, progress=begin(name))
            for name in tasks
        ]
    paper.write(sets, output, force=force)
    rows = [
        {
            "task": made.task,
            **{split: len(pairs) for split, pairs in made.splits.items()},
            "published label differs": sum(made.corrected(split) for split in paper.SPLITS),
        }
        for made in sets
    ]
    if as_json:
        print_json(rows, indent=1)
        return
    print_rows(rows)
    typer.echo(f"Labels {'proved' if proof else 'not proved'}. Files and card: {output}")


@group.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Files of pairs (.csv, .jsonl, .parquet) or folders of them.")],
    train: Annotated[
        list[Path] | None,
        typer.Option(help="Training file; may be repeated. By default the file named train where this one is test."),
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
    as_labels: Annotated[
        str | None,
        typer.Option("--as", help="cd: turn three labels into contradiction (1) or not (0) first.", autocompletion=_AS),
    ] = None,
    no_cues: Annotated[bool, typer.Option("--no-cues", help="Skip the shallow baselines.")] = False,
    as_json: Json = False,
) -> None:
    """Check files of pairs: balance, duplicates, leakage, wrong labels, cues. Exit code 1 if there are faults.

    Example: winoglot logic check data/pt/negation/train.jsonl data/pt/negation/test.jsonl
    """
    from winoglot.logic.audit.labels import QUICK
    from winoglot.logic.audit.report import audit, files_in

    if as_labels not in {None, "cd"}:
        raise InputError(f"unknown labels {as_labels!r}", remedy="Use --as cd.")
    with progress_bar() as begin:
        found = audit(
            files_in(files),
            train=files_in(train or ()),
            language=language,
            readings=readings or QUICK,
            with_cues=not no_cues,
            as_cd=as_labels == "cd",
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
    emit(f"{one.file} ({', '.join(one.languages)})", style="bold")
    for group in one.balance:
        labels = ", ".join(f"{count} labelled {label}" for label, count in group.labels.items())
        _line(f"{group.group or counted(one.pairs, 'pair')}: {labels}")
    if one.three:
        _line(f"from three labels: {', '.join(f'{count} {label}' for label, count in one.three.items())}")
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
    if labels.differing:
        lines = first_few([str(line) for line in labels.differing], _SHOWN)
        _line(f"formulas that differ from their sentences: {len(labels.differing)}, lines {lines}")
    first, *others = labels.readings
    for name in (first, *(name for name in others if labels.readings[name] != labels.readings[first])):
        disagreements = labels.readings[name]
        _line(f"labels contradicted by the proof under the {name} reading: {len(disagreements)}")
        for one in disagreements[:_SHOWN]:
            _line(f"  line {one.line}: label {one.label}, proved {one.proved or 'that the premise cannot be true'}")
        _more(disagreements)


def _print_cues(groups: Sequence[GroupCues]) -> None:
    """One table: a row per baseline, a column per task, language and depth."""
    from winoglot.logic.cues import group_title

    shown = [group for group in groups if group.cues]
    for group in groups:
        if group.reason:
            _line(f"cues not tested{group_title(group) and ' for '}{group_title(group)}: {group.reason}")
    if not shown:
        return
    rows = [
        {"  baseline": "  chance"}
        | {group_title(one) or "accuracy": f"{100 * one.cues[0].chance:.1f}" for one in shown}
    ]
    for number, first in enumerate(shown[0].cues):
        cells = {}
        for group in shown:
            cue = group.cues[number]
            mark = {"cue": " cue", "none": "", "undecided": " ?"}[cue.verdict]
            cells[group_title(group)] = f"{percent(cue.accuracy)} ≤ {100 * cue.upper:.1f}{mark}"
        rows.append({"  baseline": f"  {first.baseline}"} | cells)
    print_rows(rows)
    _line(
        f"Percent with 95% interval ({shown[0].cues[0].accuracy.method}) ≤ one-sided upper limit, adjusted by Holm's "
        "method. cue: above chance by more than five points; ?: too few pairs to decide."
    )


def _print_leakage(one: Leakage) -> None:
    emit(f"{one.test} and {one.train}", style="bold")
    _line(f"pairs in both: {len(one.pairs)}; twins in both: {len(one.twins)}")
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
