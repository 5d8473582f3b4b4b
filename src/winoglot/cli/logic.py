"""`logic …`: generate data sets of the logic tasks, and check files of such pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot import registry
from winoglot.cli.completion import one_of, several_of, words
from winoglot.cli.console import emit, first_few, print_json, print_rows
from winoglot.cli.options import Force, Json, named
from winoglot.errors import InputError
from winoglot.progress import show_progress
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import percent, percent_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.logic.audit.labels import Reproved
    from winoglot.logic.audit.leakage import Leakage
    from winoglot.logic.audit.report import Audit, FileAudit
    from winoglot.logic.cues import GroupCues

group = typer.Typer(
    no_args_is_help=True,
    help="Sentence pairs with proved labels: generate and check them, train models and test them.\n\n"
    "Example: winoglot logic generate --task negation --language en -o data",
)
_LANGUAGES = words("en", "pt", "fr", "zh")
AsLabels = Annotated[
    str | None,
    typer.Option(
        "--as",
        help="cd: first turn three labels into contradiction (1) or not (0).",
        autocompletion=one_of(words("cd")),
    ),
]
_SHOWN = 5  # examples of each fault; --json gives all


def is_cd(as_labels: str | None) -> bool:
    """Whether three labels are to become two."""
    if as_labels not in {None, "cd"}:
        raise InputError(f"unknown labels {as_labels!r}", remedy="Use --as cd.")
    return as_labels == "cd"


@group.command()
def generate(
    task: Annotated[
        list[str],
        typer.Option(
            help="A task (`winoglot list logic-tasks`), or all; may be repeated.",
            autocompletion=several_of(lambda: [*registry.names("logic-tasks"), "all"]),
        ),
    ],
    language: Annotated[
        list[str],
        typer.Option(help="en, pt, fr or zh; may be repeated.", autocompletion=several_of(_LANGUAGES)),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the files.")],
    train: Annotated[int | None, typer.Option(help="Number of training pairs (default: 10000).")] = None,
    validation: Annotated[int | None, typer.Option(help="Number of validation pairs (default: 1000).")] = None,
    test: Annotated[int | None, typer.Option(help="Number of test pairs (default: 1000).")] = None,
    depth: Annotated[
        list[str] | None,
        typer.Option(
            help="How many facts decide a pair: 2, 2,3 or 2-4; may be repeated. By default, every depth of the task."
        ),
    ] = None,
    test_depth: Annotated[
        list[str] | None, typer.Option(help="Depths of the test pairs, if they differ from --depth.")
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Random seed; the same seed gives the same formulas in every language.")
    ] = 0,
    paper: Annotated[
        bool, typer.Option("--paper", help="Generate the tasks of the published corpus, in en or pt.")
    ] = False,
    labels: Annotated[
        str,
        typer.Option(
            help="cd (contradiction or not) or nli (entailment, neutral, contradiction).",
            autocompletion=one_of(words("cd", "nli")),
        ),
    ] = "cd",
    overlap: Annotated[
        str, typer.Option(help="none (the splits share no names) or full (all splits use all names).")
    ] = "none",
    no_proof: Annotated[
        bool, typer.Option("--no-proof", help="Do not prove labels and depths; the files say so.")
    ] = False,
    no_baselines: Annotated[
        bool, typer.Option("--no-baselines", help="Do not run the shallow baselines for the data card.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Generate data sets: LANGUAGE/TASK/SPLIT as JSON Lines, CSV and Parquet, with a data card.

    Example: winoglot logic generate --task negation --language pt --depth 2-4 --seed 1 -o data
    """
    tasks, languages = named(task, "--task"), named(language, "--language")
    requested = {"train": train, "validation": validation, "test": test}
    sizes = {split: size for split, size in requested.items() if size is not None}
    if paper:
        ours = {"validation": validation, "depth": depth, "test-depth": test_depth}
        if labels != "cd" or no_baselines or any(value is not None for value in ours.values()):
            message = "the published tasks have two labels, two splits, no depths and no baselines on their card"
            remedy = "Leave out --paper, or --labels, --validation, --depth, --test-depth and --no-baselines."
            raise InputError(message, remedy=remedy)
        settings = {**sizes, "seed": seed, "proof": not no_proof, "overlap": overlap}
        _generate_published(tasks, languages, output, settings, force=force, as_json=as_json)
        return
    from winoglot.logic.dataset import DataRecipe, build, task_names
    from winoglot.logic.folder import check_writable, write

    options = {"seed": seed, "labels": labels, "overlap": overlap, "proof": not no_proof} | sizes
    depths = {"depths": _depths(depth, "--depth"), "test_depths": _depths(test_depth, "--test-depth")}
    wanted = dict.fromkeys(name for task in tasks for name in task_names(task))
    recipes = [DataRecipe(name, language_name, **options, **depths) for language_name in languages for name in wanted]  # type: ignore[arg-type]
    check_writable(recipes, output, force=force)
    rows = []
    with show_progress() as begin:
        for recipe in recipes:
            data_set = build(recipe, begin)
            rows.append(write(data_set, output, baselines=not (no_baselines or no_proof), force=force))
    if as_json:
        print_json(rows, indent=1)
        return
    print_rows(
        [
            ({"language": row["recipe"]["language"]} if len(languages) > 1 else {})
            | {"task": row["recipe"]["task"], "split": split, "pairs": counts["pairs"]}
            | {
                f"{key}s": ", ".join(f"{value}: {number}" for value, number in counts[f"{key}s"].items())
                for key in _SHOW
            }
            | {"in twins": counts["twins"], "skeletons": counts["skeletons"]}
            for row in rows
            for split, counts in row["splits"].items()
        ]
    )
    proved = "not proved" if no_proof else "proved"
    typer.echo(f"Labels and depths {proved}. Files and their card: {output}")


_SHOW = ("label", "depth")


def _depths(ranges: Sequence[str] | None, option: str) -> tuple[int, ...]:
    """Parse depths such as `2`, `2,3` and `2-4`."""
    depths: set[int] = set()
    for text in ranges or ():
        for part in text.split(","):
            first, _, last = part.strip().partition("-")
            if not first.isdecimal() or not (last or first).isdecimal() or int(last or first) < int(first):
                raise InputError(f"{option} {text}: not a depth", remedy="Write 2, 2,3 or 2-4.")
            depths.update(range(int(first), min(int(last or first), 99) + 1))
    return tuple(sorted(depths))


def _generate_published(
    tasks: Sequence[str],
    languages: Sequence[str],
    output: Path,
    settings: Mapping[str, Any],
    *,
    force: bool,
    as_json: bool,
) -> None:
    from winoglot.logic import paper
    from winoglot.logic.published import FILES

    names = [name for task in tasks for name in (FILES if task == "all" else [task])]
    wanted = list(dict.fromkeys((name, language) for language in languages for name in names))
    for name, language in wanted:
        paper.check(name, language, **{key: settings.get(key) for key in paper.SPLITS})
    paper.check_writable(output, list(dict.fromkeys(names)), languages, force=force)
    with show_progress() as begin:
        data_sets = [
            paper.build(name, language, **settings, progress=begin(f"{name}, {language}")) for name, language in wanted
        ]
    paper.write(data_sets, output, force=force)
    rows = [
        ({"language": data_set.language} if len(languages) > 1 else {})
        | {"task": data_set.task}
        | {split: len(pairs) for split, pairs in data_set.splits.items()}
        | {"published label differs": sum(data_set.corrected(split) for split in paper.SPLITS)}
        for data_set in data_sets
    ]
    if as_json:
        print_json(rows, indent=1)
        return
    print_rows(rows)
    typer.echo(f"Labels {'proved' if settings['proof'] else 'not proved'}. Files and their card: {output}")


@group.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Files of pairs (.csv, .jsonl, .parquet) or folders of them.")],
    train: Annotated[
        list[Path] | None,
        typer.Option(
            help="Training file; may be repeated. By default, the file with train where the test file has test."
        ),
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="en, pt, fr or zh; detected by default.", autocompletion=one_of(_LANGUAGES))
    ] = None,
    readings: Annotated[
        list[str] | None,
        typer.Option(
            "--reading",
            help="Reading under which to prove labels; may be repeated, and the first decides: default, "
            "as-tall-as=equal, only-n=at-most, or=exclusive, the=presupposed, names=free (slow). By default, all but "
            "names=free.",
        ),
    ] = None,
    as_labels: AsLabels = None,
    no_cues: Annotated[bool, typer.Option("--no-cues", help="Skip the shallow baselines.")] = False,
    as_json: Json = False,
) -> None:
    """Check files of pairs for imbalance, duplicates, leakage, wrong labels and cues. Exit code 1 if there are any.

    Example: winoglot logic check data/pt/negation/train.jsonl data/pt/negation/test.jsonl
    """
    from winoglot.logic.audit.labels import QUICK
    from winoglot.logic.audit.report import audit, files_in

    as_cd = is_cd(as_labels)
    with show_progress() as begin:
        report = audit(
            files_in(files),
            train=files_in(train or ()),
            language=language,
            readings=readings or QUICK,
            with_cues=not no_cues,
            as_cd=as_cd,
            begin=begin,
        )
    if as_json:
        print_json(report.described(), indent=1)
    else:
        _print_audit(report)
    if report.faults:
        raise typer.Exit(1)


def _print_audit(report: Audit) -> None:
    """Print each file, then what train and test share, then the faults."""
    for file in report.files:
        _print_file(file)
    for shared in report.leakage:
        _print_leakage(shared)
    emit(counted(len(report.faults), "fault"), style="bold red" if report.faults else "bold green")
    for fault in report.faults:
        emit(fault, indent=2)


def _print_file(file: FileAudit) -> None:
    emit(f"{file.file} ({', '.join(file.languages)})", style="bold")
    for group in file.balance:
        labels = ", ".join(f"{count} labelled {label}" for label, count in group.labels.items())
        _line(f"{group.group or counted(file.pairs, 'pair')}: {labels}")
    if file.unlabelled:
        _line(f"left out: {counted(file.unlabelled, 'pair')} without a gold label (-)")
    words = file.words
    _line(f"{counted(words.different, 'word')}; {words.mean_length:,} characters per pair, {words.longest:,} at most")
    if file.three:
        _line(f"from three labels: {', '.join(f'{count} {label}' for label, count in file.three.items())}")
    for duplicate in file.duplicates[:_SHOWN]:
        _line(f"duplicates: lines {', '.join(map(str, duplicate.lines))}, labels {', '.join(duplicate.labels)}")
    _more(file.duplicates)
    _print_labels(file.labels)
    if file.cues:
        _print_cues(file.cues)
    else:
        _line(f"cues not tested: {file.no_cues}")
    emit("")


def _print_labels(labels: Reproved) -> None:
    how = f"{labels.from_sentences} from their sentences, {labels.from_formulas} from the formulas given"
    _line(f"understood: {how}; not understood: {len(labels.unread)}")
    if labels.unsure:
        _line(f"labels that depend on whether a name is a person or a place: {len(labels.unsure)}")
    if labels.differing:
        lines = first_few([str(line) for line in labels.differing], _SHOWN)
        _line(f"formulas that differ from their sentences: {len(labels.differing)}, lines {lines}")
    first, *others = labels.readings
    for name in (first, *(name for name in others if labels.readings[name] != labels.readings[first])):
        disagreements = labels.readings[name]
        _line(f"labels contradicted by the proof under the {name} reading: {len(disagreements)}")
        for disagreement in disagreements[:_SHOWN]:
            proved = disagreement.proved or "that the premise cannot be true"
            _line(f"  line {disagreement.line}: label {disagreement.label}, proved {proved}")
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
        | {group_title(group) or "accuracy": percent(group.cues[0].chance) for group in shown}
    ]
    for number, first in enumerate(shown[0].cues):
        cells = {}
        for group in shown:
            cue = group.cues[number]
            mark = {"cue": " cue", "none": "", "undecided": " ?"}[cue.verdict]
            cells[group_title(group)] = f"{percent_interval(cue.accuracy)} ≤ {percent(cue.upper)}{mark}"
        rows.append({"  baseline": f"  {first.baseline}"} | cells)
    print_rows(rows)
    _line(
        f"Percent with 95% interval ({shown[0].cues[0].accuracy.method}) ≤ one-sided upper limit, adjusted by Holm's "
        "method. cue: significantly above chance, and not shown to be within five points of it; ?: too few pairs to "
        "decide."
    )


def _print_leakage(leakage: Leakage) -> None:
    emit(f"{leakage.test} and {leakage.train}", style="bold")
    _line(f"pairs in both: {len(leakage.pairs)}; twins in both: {len(leakage.twins)}")
    shared, words = leakage.words
    _line(f"words in both: {shared:,} of {words:,}")
    for what, names in (("people", leakage.people), ("places", leakage.places), ("words of names", leakage.tokens)):
        if names is None:
            _line(f"{what}: cannot be recognised in the sentences")
        else:
            _line(f"{what} in both: {len(names)} {first_few(names, _SHOWN)}".rstrip())
    if leakage.inside:
        _line(f"names within names: {', '.join(' / '.join(pair) for pair in leakage.inside[:_SHOWN])}")
    emit("")


def _more(things: Sequence[object]) -> None:
    if len(things) > _SHOWN:
        _line(f"  … {len(things) - _SHOWN} more (--json lists all)")


def _line(text: str) -> None:
    emit(text, indent=2)
