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
        computed = study_results(read_answers(storage, pilot=pilot))
    if json:
        print_json(computed.as_json())
    else:
        _print_results(computed)


def _print_results(results: StudyResults) -> None:
    emit(f"{results.name}: {results.collection}", style="bold")
    emit(
        f"{counted(results.people, 'participant')}, {results.finished} finished, {len(results.excluded)} left out; "
        f"{results.answers:,} answers, {results.wanted:,} wanted"
    )
    for number, why in results.excluded.items():
        emit(f"left out: {number} ({why})", indent=2)
    if not results.answers:
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
                "alpha": plain_interval(row.alpha, ".2f", MISSING),
                "alpha after": plain_interval(row.alpha_after, ".2f", MISSING),
                **{name: _percent(estimate) for name, estimate in row.questions.items()},
            }
            for row in results.kinds
        ]
    )
    emit("One person, after (verification), majority: % right, with 95% intervals over people and schemas (majority:")
    emit("over schemas). “Cannot say” counts as not right.")
    emit("")
    print_rows(
        [
            {
                "kind": row.kind,
                "full agreement": _percent(row.full_agreement),
                "mean seconds": plain_interval(row.mean_seconds, ".1f", MISSING),
                "median seconds": plain_interval(row.seconds, ".1f", MISSING),
            }
            for row in results.kinds
        ]
    )
    emit("Full agreement: % of items with two answers or more that all name the same candidate. Seconds: per answer.")
    for version, estimate in results.versions.items():
        emit(f"alternative {version + 1} of the originals: {_percent(estimate)}")
    for people in results.background:
        emit(f"{people.question}, {people.answer} ({people.people} people): {_percent(people.accuracy)}")
    for pair in results.stability:
        emit(f"{pair.kind}: same answer as to the original {_percent(pair.stability)}; floor {_percent(pair.floor)}")
    if results.dropped:
        still = "is" if results.dropped.items == 1 else "are"
        emit(
            f"{counted(results.dropped.items, 'item')} {still} marked to drop and counted above; without, one person "
            f"is right about {_percent(results.dropped.accuracy)} of the originals"
        )
    _print_experts(results.expert)


def _print_experts(verdicts: Sequence[ExpertVerdict]) -> None:
    """All items together, then one by one."""
    if not verdicts:
        return
    total = {name: sum(getattr(verdict, name) for verdict in verdicts) for name in ("right", "wrong", "too_ambiguous")}
    emit(
        f"experts: {counted(sum(total.values()), 'answer')} to {counted(len(verdicts), 'item')} that the majority "
        f"missed: {_verdicts(**total)}"
    )
    for verdict in verdicts:
        emit(f"{verdict.item_id}: {_verdicts(verdict.right, verdict.wrong, verdict.too_ambiguous)}", indent=2)


def _verdicts(right: int, wrong: int, too_ambiguous: int) -> str:
    return f"{right} as in the key, {wrong} another answer, {too_ambiguous} too ambiguous"


def _percent(estimate: Estimate) -> str:
    return percent_interval(estimate, MISSING)


@group.command()
def issues(db: Database = "study.db", json: Json = False) -> None:
    """List items to repair: those that people got wrong, flagged or commented on, the worst first.

    What people said was a mistake, in the second look, is no longer wrong.

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
    reviews = item_issues(study)
    if json:
        print_json([asdict(review) | {"missed": review.is_missed} for review in reviews])
        return
    open_reviews = [review for review in reviews if not review.is_settled]
    missed = sum(review.is_missed for review in open_reviews)
    emit(
        f"{counted(len(open_reviews), 'item')} to look at of {len(study.by_item)} answered, "
        f"{missed} missed by the majority"
    )
    for review in open_reviews:
        _print_issue(review)
    for decision, label in ((KEEP, "to keep"), (DROP, "to drop, still counted in the results")):
        settled = [review for review in reviews if review.decision == decision]
        if settled:
            emit(f"{counted(len(settled), 'item')} {label}:")
        for review in settled:
            emit(review.item_id + (f": {review.note}" if review.note else ""), indent=2)


def _print_issue(issue: ItemReview) -> None:
    flags = [
        f"{number} {flag}"
        for flag, number in (("ambiguous", issue.ambiguous), ("unnatural", issue.unnatural))
        if number
    ]
    if issue.too_ambiguous:
        flags.append(f"too ambiguous for {counted(issue.too_ambiguous, 'expert')}")
    if issue.right_after != issue.right:
        flags.insert(0, f"{issue.right_after} after the second look")
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
        test = [problem for problem in questionnaire(load(source), wanted).problems if problem.part == TEST]
        originals = sum(problem.kind == ORIGINAL for problem in test)
        places = originals * panels + len(test) - originals
        sizes = {"schemas": len({problem.schema_id for problem in test}), "items": len(test), "places": places}
        sizes |= {"share": originals * panels / places}
    elif wanted.kinds:
        raise InputError("variants are those of a collection", remedy="Name the collection, or leave out --kinds.")
    planned = plan_study(share, design, half_width / 100, problems=problems, judgements=judgements, **sizes)
    if output is not None:
        chosen = replace(wanted, judgements=planned.judgements)
        write_whole(output, preregistration(planned, chosen, source or "the collection"), force=force)
    if json:
        print_json(asdict(planned) | {"answers": planned.answers})
        return
    per_item = f"{planned.judgements} each{' from each of two panels' if panels == 2 else ''}"
    emit(
        f"{planned.people:,} people with {planned.problems} problems each: {planned.answers:,} answers to "
        f"{planned.items:,} items of {planned.schemas:,} schemas, at least {per_item}",
        style="bold",
    )
    emit(f"Expected: {percent(share, 0)}% right, 95% interval ±{percent(planned.half_width)} points.")
    emit(
        f"Assumed SDs: {percent(design.person**0.5)} points between people, {percent(design.schema**0.5)} between "
        "schemas. Invite a few more people than that: not everybody finishes."
    )
    if output is not None:
        emit(f"Pre-registration: {output}")
    if source:
        arguments = f" --kinds {','.join(wanted.kinds)}" if wanted.kinds else ""
        options = {"judgements": (planned.judgements, 3), "problems": (problems, 60), "training": (training, 10)}
        options |= {"panels": (panels, 1), "participants": (planned.people, 30)}
        arguments += "".join(f" --{name} {value}" for name, (value, usual) in options.items() if value != usual)
        emit(f"\nNext: winoglot study create {source} --name NAME{arguments}")


def _from_pilot(db: str, assumed: CrossedDesign) -> tuple[float, CrossedDesign, Exclusions]:
    """A pilot's accuracy, its variances and its exclusion rules. A variance it is too small to show is as assumed."""
    from winoglot.statistics.crossed import CrossedDesign
    from winoglot.study.answers import read_answers
    from winoglot.study.results import study_results

    with open_study(db) as storage:
        pilot = study_results(read_answers(storage, pilot=True))
        rules = storage.settings.exclusions
    share, design = pilot.originals.accuracy.value, pilot.design
    if share is None:
        raise InputError(
            "the pilot has too few answers that count: two people must have answered two originals",
            remedy="Leave out --db, and give --accuracy, --person-sd and --schema-sd.",
        )
    person, schema = design.person or assumed.person, design.schema or assumed.schema
    answer = max(0.0, design.person + design.schema + design.answer - person - schema)
    return share, CrossedDesign(person, schema, answer), rules
