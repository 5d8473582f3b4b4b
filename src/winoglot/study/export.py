"""A study's answers for other programs: tables without personal data, runs beside those of models, judgements.

Times of day, links and completion codes stay in the database: they could be matched with somebody who paid the people.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.errors import InputError
from winoglot.formats.yaml import parse
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import ORIGINAL
from winoglot.study.answers import Answer, Respondent, grouped, majority
from winoglot.study.judgements import JudgedItem, Judgement, dump_judgements, shown_hash

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.schemas.model import Collection
    from winoglot.study.answers import StudyAnswers
    from winoglot.study.judgements import Flag
    from winoglot.study.storage import Storage

# Text that begins like this is a formula; with the wide signs in East Asian spreadsheets.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# Of each table the columns: name, value, meaning.
_ANSWERS: tuple[tuple[str, Callable[[Answer], Any], str], ...] = (
    ("person", attrgetter("person"), "random number of the person"),
    ("panel", attrgetter("panel"), "0 or 1"),
    ("item", attrgetter("item_id"), "id of the item or variant in the collection"),
    ("schema", attrgetter("schema_id"), "id of its schema"),
    ("kind", attrgetter("kind"), "original, or the kind of the variant"),
    ("version", attrgetter("version"), "number of the alternative, from 0"),
    ("order", lambda one: list(one.order), "the candidates' indices in the order in which the person saw them"),
    ("choice", attrgetter("choice"), "index of the chosen candidate; empty: cannot say"),
    ("right", attrgetter("right"), "whether it is the collection's answer"),
    ("ambiguous", attrgetter("ambiguous"), "whether the person called the text ambiguous"),
    ("unnatural", attrgetter("unnatural"), "whether the person called the text unnatural"),
    ("comment", attrgetter("comment"), "the person's comment"),
    ("seconds", attrgetter("seconds"), "time with the problem on a visible page"),
    ("verdict", attrgetter("verdict"), "when it was shown again: keep, mistake or reason; empty: it was not"),
    ("final", attrgetter("final"), "the choice after that"),
    ("reason", attrgetter("reason"), "the reason given then"),
)
_PEOPLE: tuple[tuple[str, Callable[[Respondent], Any], str], ...] = (
    ("person", attrgetter("number"), "random number of the person"),
    ("panel", attrgetter("panel"), "0 or 1"),
    ("native_language", attrgetter("native_language"), "as the person wrote it; empty: not answered"),
    ("asked", attrgetter("asked"), "number of test problems"),
    ("answered", attrgetter("answered"), "how many of them were answered"),
    ("checks", attrgetter("checks"), "number of attention checks answered"),
    ("failed_checks", attrgetter("failed_checks"), "how many of them were failed"),
    ("seconds", attrgetter("seconds"), "median time per problem"),
    ("finished", lambda one: one.finished is not None, "whether the person came to the last page"),
    ("comment", attrgetter("comment"), "the person's comment on the study"),
    ("excluded", attrgetter("excluded"), "the rule by which the person's answers are left out; empty: included"),
)


def tables(storage: Storage, study: StudyAnswers) -> dict[str, str | bytes]:
    """All answers and people in three formats, with the study's settings and a description of the columns."""
    answers, people = answer_rows(study), people_rows(study)
    settings: dict[str, Any] = {"study": study.name, "collection": study.collection, "language": study.language}
    settings |= {"settings": study.settings.as_json()}
    return {
        **_formats("answers", answers),
        **_formats("people", people),
        "study.json": json.dumps(settings, indent=2, ensure_ascii=False) + "\n",
        "judgements.jsonl": dump_judgements(judgements(storage, study)),
        "collection.yaml": asked_text(storage),
        "README.md": _described(study),
    }


def answer_rows(study: StudyAnswers) -> list[dict[str, Any]]:
    """One row per answer, those of excluded people too: `people` says who they are."""
    return [{name: value(one) for name, value, _ in _ANSWERS} for one in study.all_answers]


def people_rows(study: StudyAnswers) -> list[dict[str, Any]]:
    """One row per person who consented."""
    return [{name: value(one) for name, value, _ in _PEOPLE} for one in study.people]


def _formats(name: str, rows: list[dict[str, Any]]) -> dict[str, str | bytes]:
    return {
        f"{name}.csv": as_csv(rows),
        f"{name}.jsonl": as_json_lines(rows),
        f"{name}.parquet": as_parquet(rows),
    }


def as_csv(rows: list[dict[str, Any]], *, for_spreadsheets: bool = True) -> str:
    """A table; for spreadsheets, text that they would take for a formula is preceded by an apostrophe.

    >>> print(as_csv([{"comment": "=1+1", "order": [1, 0]}]), end="")
    comment,order
    '=1+1,1 0
    """
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value, guarded=for_spreadsheets) for name, value in row.items()} for row in rows)
    return file.getvalue()


def _cell(value: object, *, guarded: bool) -> object:
    if isinstance(value, list):
        return " ".join(map(str, value))
    if guarded and isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value


def as_json_lines(rows: list[dict[str, Any]]) -> str:
    """A table as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    """A table as Parquet."""
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    return file.getvalue()


def _described(study: StudyAnswers) -> str:
    """What the files contain."""
    lists = [
        f"## {name}\n\n" + "".join(f"- `{column}`: {meaning}\n" for column, _, meaning in columns)
        for name, columns in (("answers", _ANSWERS), ("people", _PEOPLE))
    ]
    return (
        f"# {study.name}\n\nAnswers of {len(study.people)} people to {study.collection}, each table as CSV, JSON Lines "
        "and Parquet. People are random numbers; comments are as they were written, so read them before you publish.\n"
        "In CSV, a text that a spreadsheet would take for a formula is preceded by an apostrophe.\n"
        "`collection.yaml` is the collection as it was asked, with its variants; `judgements.jsonl` has the answers "
        "for `winoglot review import collection.yaml judgements.jsonl`; `study.json` says how the study was set up.\n\n"
        + "\n".join(lists)
    )


def judgements(storage: Storage, study: StudyAnswers) -> list[JudgedItem]:
    """The answers before verification as judgements, the record that blind checks use too."""
    collection = asked_collection(storage)
    items = {item.id: item for item in (*collection.items, *collection.variants())}
    found = []
    for one in study.answers:
        item = items[one.item_id]
        flag: Flag | None = "ambiguous" if one.ambiguous else "unnatural" if one.unnatural else None
        judgement = Judgement(
            one.item_id,
            shown_hash(item, one.order),
            one.person,
            one.order,
            None if one.choice is None else one.order.index(one.choice),
            flag,
            one.comment,
            seconds=None if one.seconds is None else round(one.seconds, 1),
        )
        found.append(JudgedItem(judgement, item, collection.name))
    return found


def study_runs(storage: Storage, study: StudyAnswers) -> dict[str, Run]:
    """Runs to compare with those of models: the majority, and one for each person who is not excluded."""
    if not study.answers:
        raise InputError("nobody has answered yet", remedy="Make the run when there are answers.")
    collection = asked_collection(storage)
    by_person: dict[str, list[Answer]] = {}
    for answer in study.answers:
        by_person.setdefault(answer.person, []).append(answer)
    name = f"people (majority of up to {max(map(len, study.by_item.values()))})"
    majorities = {item: majority([one.choice for one in said]) for item, said in study.by_item.items()}
    return {
        "majority": _run(collection, name, majorities, note="no majority"),
        **{
            f"person-{number}": _run(collection, f"person {number}", {one.item_id: one.choice for one in said})
            for number, said in by_person.items()
        },
    }


def asked_collection(storage: Storage) -> Collection:
    """The collection as it was when the study was created, with the variants that are asked."""
    return parse(asked_text(storage), "the study's collection")


def asked_text(storage: Storage) -> str:
    """The same as YAML."""
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


@dataclass(frozen=True)
class ItemIssue:
    """An item to look at, and why."""

    item_id: str
    answers: int
    right: int
    ambiguous: int
    unnatural: int
    comments: tuple[str, ...]
    too_ambiguous: int  # experts who say so

    @property
    def is_missed(self) -> bool:
        """Whether the majority did not give the collection's answer."""
        return 2 * self.right <= self.answers


def item_issues(study: StudyAnswers) -> list[ItemIssue]:
    """Items that somebody got wrong, flagged or commented on; those with the fewest right answers first."""
    experts: dict[str, int] = {}
    for one in study.expert:
        experts[one.item_id] = experts.get(one.item_id, 0) + (one.verdict is not None)
    found = []
    for item_id, said in grouped(study.answers).items():
        comments = tuple(text for one in said for text in (one.comment, one.reason) if text)
        issue = ItemIssue(
            item_id,
            len(said),
            sum(one.right for one in said),
            sum(one.ambiguous for one in said),
            sum(one.unnatural for one in said),
            comments,
            experts.get(item_id, 0),
        )
        if issue.right < issue.answers or issue.ambiguous or issue.unnatural or comments:
            found.append(issue)
    return sorted(found, key=lambda issue: (issue.right / issue.answers, -issue.ambiguous - issue.unnatural))
