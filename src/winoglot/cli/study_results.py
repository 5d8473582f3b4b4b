"""`study results`, `issues`, `export`, `run` and `plan`: what people answered, and how many of them to ask."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot.cli.completion import one_of, words
from winoglot.cli.console import emit, print_json, print_rows
from winoglot.cli.options import Force, Json, split
from winoglot.cli.study import Database, group, open_study
from winoglot.errors import InputError
from winoglot.files import check_free, write_folder, write_whole
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import MISSING, percent, percent_interval, plain_interval
from winoglot.study import need_study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.statistics.crossed import CrossedDesign
    from winoglot.statistics.intervals import Estimate
    from winoglot.study.issues import ItemReview
    from winoglot.study.results import ExpertVerdict, StudyResults
    from winoglot.study.settings import Exclusions

__all__ = ["group"]  # with the commands below

_MOST_COMMENTS = 3
_Pilot = Annotated[bool, typer.Option("--pilot", help="Use the answers given while the study was a pilot instead.")]
_Folder = Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")]


@group.command()
def results(db: Database = "study.db", pilot: _Pilot = False, json: Json = False) -> None:
    """Show how often people are right, how far they agree, and how long they take.

    Example: winoglot study results --db study.db
    """
    need_study()
    from winoglot.study.answers import read_answers
    from winoglot.study.results import study_results

    with open_study(db) as storage:
        found = study_results(read_answers(storage, pilot=pilot))
    if json:
        print_json(found.as_json())
    else:
        _print_results(found)


def _print_results(found: StudyResults) -> None:
    emit(f"{found.name}: {found.collection}", style="bold")
    emit(
        f"{counted(found.people, 'participant')}, {found.finished} finished, {len(found.excluded)} left out; "
        f"{found.answers:,} answers, {found.wanted:,} wanted"
    )
    for number, why in found.excluded.items():
        emit(f"left out: {number} ({why})", indent=2)
    if not found.answers:
        return
    emit("")
    print_rows(
        [
            {
                "kind": row.kind,
                "items": row.items,
                "one person": _percent(row.accuracy),
                "after": _percent(row.after),
                "majority": _percent(row.majority),
                "all right": _percent(row.full_agreement),
                "alpha": plain_interval(row.alpha, ".2f", MISSING),
                "alpha after": plain_interval(row.alpha_after, ".2f", MISSING),
                "seconds": plain_interval(row.seconds, ".1f", MISSING),
                **{name: _percent(estimate) for name, estimate in row.questions.items()},
            }
            for row in found.kinds
        ]
    )
    emit("One person, after (verification), majority, all right: % right, with 95% intervals over people and schemas")
    emit("(majority and all right: over schemas). Seconds: median, over people. “Cannot say” counts as not right.")
    for version, estimate in found.versions.items():
        emit(f"alternative {version + 1} of the originals: {_percent(estimate)}")
    for one in found.background:
        emit(f"{one.question}, {one.answer} ({one.people} people): {_percent(one.accuracy)}")
    for pair in found.stability:
        emit(f"{pair.kind}: same answer as to the original {_percent(pair.stability)}; floor {_percent(pair.floor)}")
    if found.dropped:
        still = "is" if found.dropped.items == 1 else "are"
        emit(
            f"{counted(found.dropped.items, 'item')} {still} marked to drop and counted above; without, one person is "
            f"right about {_percent(found.dropped.accuracy)} of the originals"
        )
    _print_experts(found.expert)


def _print_experts(verdicts: Sequence[ExpertVerdict]) -> None:
    """All items together, then one by one."""
    if not verdicts:
        return
    total = {name: sum(getattr(one, name) for one in verdicts) for name in ("right", "wrong", "too_ambiguous")}
    emit(
        f"experts: {counted(sum(total.values()), 'answer')} to {counted(len(verdicts), 'item')} that the majority "
        f"missed: {_verdicts(**total)}"
    )
    for one in verdicts:
        emit(f"{one.item_id}: {_verdicts(one.right, one.wrong, one.too_ambiguous)}", indent=2)


def _verdicts(right: int, wrong: int, too_ambiguous: int) -> str:
    return f"{right} as in the key, {wrong} another answer, {too_ambiguous} too ambiguous"


def _percent(estimate: Estimate) -> str:
    return percent_interval(estimate, MISSING)


@group.command()
def issues(db: Database = "study.db", json: Json = False) -> None:
    """List items to repair: those that people got wrong, flagged or commented on, the worst first.

    Shows your decisions from the dashboard too; items to keep or drop are listed at the end.

    Example: winoglot study issues --db study.db
    """
    need_study()
    from dataclasses import asdict

    from winoglot.study.answers import read_answers
    from winoglot.study.issues import item_issues
    from winoglot.study.storage import DROP, KEEP

    with open_study(db) as storage:
        study = read_answers(storage)
    found = item_issues(study)
    if json:
        print_json([asdict(one) | {"missed": one.is_missed} for one in found])
        return
    still = [one for one in found if not one.is_settled]
    missed = sum(one.is_missed for one in still)
    emit(f"{counted(len(still), 'item')} to look at of {len(study.by_item)} answered, {missed} missed by the majority")
    for one in still:
        _print_issue(one)
    for decision, said in ((KEEP, "to keep"), (DROP, "to drop, still counted in the results")):
        settled = [one for one in found if one.decision == decision]
        if settled:
            emit(f"{counted(len(settled), 'item')} {said}:")
        for one in settled:
            emit(one.item_id + (f": {one.note}" if one.note else ""), indent=2)


def _print_issue(issue: ItemReview) -> None:
    flags = [
        f"{number} {flag}"
        for flag, number in (("ambiguous", issue.ambiguous), ("unnatural", issue.unnatural))
        if number
    ]
    if issue.too_ambiguous:
        flags.append(f"too ambiguous for {counted(issue.too_ambiguous, 'expert')}")
    emit(f"{issue.item_id}: {issue.right} of {issue.answers} right" + "".join(f", {flag}" for flag in flags))
    if issue.decision or issue.note:
        emit(": ".join(filter(None, (issue.decision or "note", issue.note))), indent=2)
    for comment in issue.comments[:_MOST_COMMENTS]:
        emit(f"“{comment}”", indent=2)
    if len(issue.comments) > _MOST_COMMENTS:
        emit(f"and {counted(len(issue.comments) - _MOST_COMMENTS, 'further comment')}", indent=2)


@group.command()
def export(
    output: _Folder,
    db: Database = "study.db",
    to: Annotated[
        str | None,
        typer.Option(
            help="Write the questionnaire for another platform instead of the answers: jspsych or pcibex.",
            autocompletion=one_of(words("jspsych", "pcibex")),
        ),
    ] = None,
    pilot: _Pilot = False,
    force: Force = False,
) -> None:
    """Write answers and people as CSV, JSON Lines and Parquet, without personal data.

    Example: winoglot study export --db study.db -o answers
    """
    need_study()
    from winoglot.study.answers import read_answers
    from winoglot.study.export import tables
    from winoglot.study.platforms import platform_files

    with open_study(db) as storage:
        files = platform_files(storage, to) if to else tables(storage, read_answers(storage, pilot=pilot))
    write_folder(output, files, force=force)
    emit(f"{output}: {', '.join(sorted(files))}")


@group.command("run")
def run_(output: _Folder, db: Database = "study.db", force: Force = False) -> None:
    """Make runs of people's answers, to compare with those of models: the majority, and one per person.

    Example: winoglot study run --db study.db -o people, then: winoglot report runs --human people/majority
    """
    need_study()
    from winoglot.runs.store import save_run
    from winoglot.study.answers import read_answers
    from winoglot.study.export import study_runs

    with open_study(db) as storage:
        runs = study_runs(storage, read_answers(storage))
    for name in runs:
        check_free(output / name, force=force)
    for name, run in runs.items():
        save_run(run, output / name, force=force)
    people = len(runs) - 1
    emit(f"{output}/majority: {runs['majority'].settings.model}, {counted(len(runs['majority'].predictions), 'item')}")
    emit(f"{output}/person-…: {counted(people, 'person') if people == 1 else f'{people} people'}")
    emit(f"Next: winoglot compare RUN {output}/majority, or winoglot report RUN… --human {output}/majority")


@group.command()
def plan(
    source: Annotated[str | None, typer.Argument(metavar="COLLECTION", help="The collection to ask.")] = None,
    half_width: Annotated[
        float, typer.Option(help="Half-width of the 95% interval that you want, in percentage points.")
    ] = 3.0,
    accuracy: Annotated[float, typer.Option(help="Share of right answers that you expect, in percent.")] = 92.0,
    person_sd: Annotated[float, typer.Option(help="How much people differ: SD of their accuracies, in points.")] = 4.0,
    schema_sd: Annotated[
        float, typer.Option(help="How much schemas differ: SD of their accuracies, in points.")
    ] = 12.0,
    db: Annotated[
        str | None, typer.Option("--db", metavar="URL", help="Take accuracy and SDs from the pilot in this database.")
    ] = None,
    judgements: Annotated[int, typer.Option(min=1, help="Answers per item, at least.")] = 3,
    problems: Annotated[int, typer.Option(min=1, help="Test problems per person, at most.")] = 60,
    training: Annotated[int, typer.Option(min=0, help="Practice problems.")] = 10,
    kinds: Annotated[list[str] | None, typer.Option(help="Variants to ask besides the originals.")] = None,
    panels: Annotated[int, typer.Option(min=1, max=2, help="Groups of people that judge every original.")] = 1,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Markdown file for the pre-registration text.")
    ] = None,
    json: Json = False,
    force: Force = False,
) -> None:
    """Work out how many people and schemas a study needs, and write a text for its pre-registration.

    Example: winoglot study plan winoglot-pt --half-width 3 -o registration.md
    """
    need_study()
    from dataclasses import asdict, replace

    from winoglot.loading import load
    from winoglot.schemas.model import ORIGINAL
    from winoglot.study.create import questionnaire
    from winoglot.study.planning import assumed_design, plan_study, preregistration
    from winoglot.study.settings import StudySettings
    from winoglot.study.storage import TEST

    wanted = StudySettings(
        kinds=tuple(split(*(kinds or []))), judgements=judgements, problems=problems, training=training, panels=panels
    )
    share, design = accuracy / 100, assumed_design(accuracy / 100, person_sd / 100, schema_sd / 100)
    if db is not None:
        share, design, rules = _from_pilot(db, design)
        wanted = replace(wanted, exclusions=rules)
    sizes: dict[str, Any] = {}
    if source:
        test = [one for one in questionnaire(load(source), wanted).problems if one.part == TEST]
        originals = sum(one.kind == ORIGINAL for one in test)
        places = originals * panels + len(test) - originals
        sizes = {"schemas": len({one.schema_id for one in test}), "items": len(test), "places": places}
        sizes |= {"share": originals * panels / places}
    elif wanted.kinds:
        raise InputError("variants are those of a collection", remedy="Name the collection, or leave out --kinds.")
    made = plan_study(share, design, half_width / 100, problems=problems, judgements=judgements, **sizes)
    if output is not None:
        chosen = replace(wanted, judgements=made.judgements)
        write_whole(output, preregistration(made, chosen, source or "the collection"), force=force)
    if json:
        print_json(asdict(made) | {"answers": made.answers})
        return
    each = f"{made.judgements} each{' from each of two panels' if panels == 2 else ''}"
    emit(
        f"{made.people:,} people with {made.problems} problems each: {made.answers:,} answers to {made.items:,} items "
        f"of {made.schemas:,} schemas, at least {each}",
        style="bold",
    )
    emit(f"Expected: {percent(share, 0)}% right, 95% interval ±{percent(made.half_width)} points.")
    emit(
        f"Assumed SDs: {percent(design.person**0.5)} points between people, {percent(design.schema**0.5)} between "
        "schemas. Invite a few more people than that: not everybody finishes."
    )
    if output is not None:
        emit(f"Pre-registration: {output}")
    if source:
        asked = f" --kinds {','.join(wanted.kinds)}" if wanted.kinds else ""
        options = {"judgements": (made.judgements, 3), "problems": (problems, 60), "training": (training, 10)}
        options |= {"panels": (panels, 1), "participants": (made.people, 30)}
        asked += "".join(f" --{name} {value}" for name, (value, usual) in options.items() if value != usual)
        emit(f"\nNext: winoglot study create {source} --name NAME{asked}")


def _from_pilot(db: str, assumed: CrossedDesign) -> tuple[float, CrossedDesign, Exclusions]:
    """A pilot's accuracy, its variances and its exclusion rules. A variance it is too small to show is as assumed."""
    from winoglot.statistics.crossed import CrossedDesign
    from winoglot.study.answers import read_answers
    from winoglot.study.results import study_results

    with open_study(db) as storage:
        pilot = study_results(read_answers(storage, pilot=True))
        rules = storage.settings.exclusions
    share, found = pilot.originals.accuracy.value, pilot.design
    if share is None:
        raise InputError(
            "the pilot has too few answers that count: two people must have answered two originals",
            remedy="Leave out --db, and give --accuracy, --person-sd and --schema-sd.",
        )
    person, schema = found.person or assumed.person, found.schema or assumed.schema
    answer = max(0.0, found.person + found.schema + found.answer - person - schema)
    return share, CrossedDesign(person, schema, answer), rules
