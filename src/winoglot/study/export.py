"""A study's answers for other programs: tables without personal data, runs beside those of models, judgements.

Times of day, links and completion codes stay in the database: they could be matched with somebody who paid the people.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.errors import InputError
from winoglot.files import as_csv
from winoglot.formats.yaml import parse
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import ORIGINAL, Candidate, Item
from winoglot.schemas.spans import Span
from winoglot.study.answers import LEAST_GROUP, Answer, background_groups, majority
from winoglot.study.issues import item_reviews
from winoglot.study.judgements import Judgement, dump_judgements, shown_hash
from winoglot.study.questions.base import ExportedColumn
from winoglot.study.questions.table import questions_of
from winoglot.study.settings import question_label, question_options
from winoglot.study.storage import TEST, VERIFICATION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.schemas.model import Collection
    from winoglot.study.answers import Respondent, StudyAnswers
    from winoglot.study.issues import ItemReview
    from winoglot.study.judgements import Flag
    from winoglot.study.storage import Problem, Storage


@dataclass(frozen=True)
class ExportedTable:
    """Rows with their columns, which are known even if there is no row."""

    columns: tuple[ExportedColumn, ...]
    rows: list[dict[str, Any]]


_ITEM_IDS = (
    ExportedColumn("item", str, "id of the item or variant in the collection", attrgetter("item_id")),
    ExportedColumn("schema", str, "id of its schema", attrgetter("schema_id")),
    ExportedColumn("kind", str, "original, or the kind of the variant", attrgetter("kind")),
    ExportedColumn("version", int, "number of the alternative, from 0", attrgetter("version")),
)
_PEOPLE = (
    ExportedColumn("person", str, "random number of the person", attrgetter("number")),
    ExportedColumn("panel", int, "0 or 1", attrgetter("panel")),
    ExportedColumn(
        "native_language", str, "as the person wrote it; empty: not answered", attrgetter("native_language")
    ),
    ExportedColumn("asked", int, "number of test problems", attrgetter("asked")),
    ExportedColumn("answered", int, "how many of them were answered", attrgetter("answered")),
    ExportedColumn("checks", int, "number of attention checks answered", attrgetter("checks")),
    ExportedColumn("failed_checks", int, "how many of them were failed", attrgetter("failed_checks")),
    ExportedColumn("seconds", float, "median time per problem", attrgetter("seconds")),
    ExportedColumn(
        "finished", bool, "whether the person reached the last page", lambda person: person.finished is not None
    ),
    ExportedColumn("comment", str, "the person's comment on the study", attrgetter("comment")),
    ExportedColumn(
        "excluded", str, "the rule by which the answers are left out; empty: included", attrgetter("excluded")
    ),
)
_ITEMS = (
    *_ITEM_IDS,
    ExportedColumn("answers", int, "how many people answered, without those who are left out", attrgetter("answers")),
    ExportedColumn("right", int, "how many of them gave the collection's answer", attrgetter("right")),
    ExportedColumn("right_after", int, "how many of them did after the second look", attrgetter("right_after")),
    ExportedColumn("mean_seconds", float, "mean time of an answer", attrgetter("mean_seconds")),
    ExportedColumn("median_seconds", float, "median time of an answer", attrgetter("median_seconds")),
    ExportedColumn("ambiguous", int, "how many of them called the text ambiguous", attrgetter("ambiguous")),
    ExportedColumn("unnatural", int, "how many of them called the text unnatural", attrgetter("unnatural")),
    ExportedColumn("too_ambiguous", int, "how many experts found it too ambiguous", attrgetter("too_ambiguous")),
    ExportedColumn("decision", str, "the researcher's: keep, repair or drop; empty: none", attrgetter("decision")),
    ExportedColumn("note", str, "the researcher's note", attrgetter("note")),
)


def tables(storage: Storage, study: StudyAnswers) -> dict[str, str | bytes]:
    """All answers, people and items in three formats, with the study's settings and a description of the columns."""
    settings: dict[str, Any] = {"study": study.name, "collection": study.collection, "language": study.language}
    settings |= {"settings": study.settings.as_json()}
    tables_by_name = {"answers": answer_table(study), "people": people_table(study), "items": item_table(study)}
    return {
        **{f"{name}.csv": table_as_csv(table) for name, table in tables_by_name.items()},
        **{f"{name}.jsonl": as_json_lines(table) for name, table in tables_by_name.items()},
        **{f"{name}.parquet": as_parquet(table) for name, table in tables_by_name.items()},
        "study.json": json.dumps(settings, indent=2, ensure_ascii=False) + "\n",
        "judgements.jsonl": dump_judgements(judgements(study)),
        "collection.yaml": asked_text(storage),
        "README.md": _readme(study, tables_by_name),
    }


def answer_table(study: StudyAnswers) -> ExportedTable:
    """One row per answer, those of excluded people too: `people` says who they are."""
    columns = (
        ExportedColumn("person", str, "random number of the person", attrgetter("person")),
        ExportedColumn("panel", int, "0 or 1", attrgetter("panel")),
        *_ITEM_IDS,
        *(column for question in questions_of(study.settings, TEST) for column in question.columns),
        ExportedColumn("seconds", float, "time with the problem on a visible page", attrgetter("seconds")),
        *(column for question in questions_of(study.settings, VERIFICATION) for column in question.columns),
    )
    return _table(columns, study.all_answers)


def people_table(study: StudyAnswers) -> ExportedTable:
    """One row per person who consented, with what they chose to say about themselves."""
    background = tuple(_background(study, question) for question in filter(question_options, study.settings.background))
    return _table((*_PEOPLE, *background), study.people)


def item_table(study: StudyAnswers) -> ExportedTable:
    """One row per item that is asked, those that are marked to drop too."""
    return _table(_ITEMS, item_reviews(study))


def _table(columns: tuple[ExportedColumn, ...], records: Iterable[Answer | Respondent | ItemReview]) -> ExportedTable:
    return ExportedTable(columns, [{column.name: column.value(record) for column in columns} for record in records])


def _background(study: StudyAnswers, question: str) -> ExportedColumn:
    """What people chose. What few of them chose is written like no answer, since it could point to one of them."""
    groups = background_groups(study.people, question)

    def value(person: Respondent) -> str:
        answer = person.background.get(question, "")
        return answer if answer in groups else ""

    meaning = f"as the person chose; empty: not answered, or chosen by fewer than {LEAST_GROUP} people"
    return ExportedColumn(question_label(question), str, meaning, value)


def table_as_csv(table: ExportedTable) -> str:
    """A table for spreadsheets; the candidates' order is written as `1 0`."""
    rows = (
        {name: " ".join(map(str, value)) if isinstance(value, list) else value for name, value in row.items()}
        for row in table.rows
    )
    return as_csv(rows, [column.name for column in table.columns])


def as_json_lines(table: ExportedTable) -> str:
    """A table as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in table.rows)


def as_parquet(table: ExportedTable) -> bytes:
    """A table as Parquet. Columns have their types even if they are empty."""
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    types = {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
        list: pyarrow.list_(pyarrow.int64()),
    }
    schema = pyarrow.schema([(column.name, types[column.dtype]) for column in table.columns])
    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(table.rows, schema=schema), file)
    return file.getvalue()


def _readme(study: StudyAnswers, tables_by_name: dict[str, ExportedTable]) -> str:
    """What the files contain."""
    lists = [
        f"## {name}\n\n" + "".join(f"- `{column.name}`: {column.meaning}\n" for column in table.columns)
        for name, table in tables_by_name.items()
    ]
    return (
        f"# {study.name}\n\nAnswers of {len(study.people)} people to {study.collection}, each table as CSV, JSON Lines "
        "and Parquet. People are random numbers. Comments and native languages are as they were written, so read them "
        "before you publish; several columns of `people` together may still point to somebody, so publish only those "
        "you need.\n"
        "In CSV, an apostrophe stands before what a spreadsheet would take for the beginning of a formula, also after "
        "a comma, a semicolon, a tab or a line break; JSON Lines and Parquet have the texts as they were written.\n"
        "`collection.yaml` is the collection as it was asked, with its variants; `judgements.jsonl` has the answers "
        "for `winoglot review import collection.yaml judgements.jsonl`; `study.json` says how the study was set up.\n\n"
        + "\n".join(lists)
    )


def judgements(study: StudyAnswers) -> list[Judgement]:
    """The answers before verification as judgements, the record that blind checks use too."""
    problems = {problem.item_id: problem for problem in study.problems}
    hashes: dict[tuple[str, tuple[int, ...]], str] = {}
    records = []
    for answer in study.answers:
        if (answer.item_id, answer.order) not in hashes:
            hashes[answer.item_id, answer.order] = shown_hash(_item_as_shown(problems[answer.item_id]), answer.order)
        flag: Flag | None = "ambiguous" if answer.ambiguous else "unnatural" if answer.unnatural else None
        records.append(
            Judgement(
                answer.item_id,
                hashes[answer.item_id, answer.order],
                answer.person,
                answer.order,
                None if answer.choice is None else answer.order.index(answer.choice),
                flag,
                answer.comment,
                confidence=answer.further.get("confidence"),
                seconds=None if answer.seconds is None else round(answer.seconds, 1),
            )
        )
    return records


def _item_as_shown(problem: Problem) -> Item:
    """What people saw of an item: the collection need not be read for it, which takes seconds."""
    before, pronoun, after, question = (problem.content[name] for name in ("before", "pronoun", "after", "question"))
    return Item(
        problem.item_id,
        problem.schema_id,
        text=before + pronoun + after,
        pronoun=Span(len(before), len(before + pronoun)),
        candidates=tuple(Candidate(text) for text in problem.content["candidates"]),
        question=question,
    )


def study_runs(storage: Storage, study: StudyAnswers) -> dict[str, Run]:
    """Runs to compare with those of models: the majority, and one for each person who is not excluded."""
    if not study.answers:
        raise InputError("nobody has answered yet", remedy="Make the run when there are answers.")
    collection = asked_collection(storage)
    by_person: dict[str, list[Answer]] = {}
    for answer in study.answers:
        by_person.setdefault(answer.person, []).append(answer)
    name = f"people (majority of up to {max(map(len, study.by_item.values()))})"
    majorities = {item: majority([answer.choice for answer in answers]) for item, answers in study.by_item.items()}
    return {
        "majority": _run(collection, name, majorities, note="no majority"),
        **{
            f"person-{number}": _run(
                collection, f"person {number}", {answer.item_id: answer.choice for answer in answers}
            )
            for number, answers in by_person.items()
        },
    }


def asked_collection(storage: Storage) -> Collection:
    """The collection as it was when the study was created, with the variants that are asked."""
    return parse(asked_text(storage), "the study's collection")


def asked_text(storage: Storage) -> str:
    """The collection as it was when the study was created, as YAML."""
    with storage.reading() as session:
        return storage.study(session).collection


def _run(collection: Collection, name: str, choices: dict[str, int | None], note: str = "cannot say") -> Run:
    items = [item for item in (*collection.items, *collection.variants()) if item.id in choices]
    kinds = dict.fromkeys(item.kind for item in items if item.kind != ORIGINAL)
    settings = Settings(
        model=name,
        scoring="people",
        readings="text",
        fingerprint=digest(sorted((item, -1 if choice is None else choice) for item, choice in choices.items())),
        kinds=tuple(kinds),
    )
    predictions = tuple(
        Prediction(item.id, item.hash, choices[item.id], note="" if choices[item.id] is not None else note)
        for item in items
    )
    return Run(collection, settings, predictions, made_with={"winoglot": __version__})
