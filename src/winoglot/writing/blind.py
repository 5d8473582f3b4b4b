"""A blind check: questions that show a reader a text and two answers, and nothing that tells which is right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.schemas.markup import Marked, print_marked
from winoglot.schemas.text import counted
from winoglot.study.judgements import question_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Item

_README = """\
{title}: {count}{part}

Each question shows a text in which one pronoun stands in braces, {{so}}, a question, and answers numbered from 0.
Read the text once, at your usual pace, and decide which answer the pronoun stands for. (Where there is no question, it
is: whom or what does the pronoun in braces stand for?) Answer each question by itself, in the order given, without
looking at others; do not go back.

questions.md is for reading, questions.jsonl holds the same for programs. Write your answers to judgements.jsonl, one
line a question:

{{"id": "{example}", "reader": "your name or number", "choice": 0, "flag": null, "comment": ""}}

id       copied from the question
reader   the same on all your lines, and nobody else's
choice   the number of the answer, 0 or 1; null if you cannot say
flag     "ambiguous" if the other answer could be defended as well, "unnatural" if nobody would say it like that (wrong
         grammar, odd words, a pronoun that one would not use here), otherwise null
comment  what is wrong, in a few words; needed with a flag, otherwise left empty
seconds  how long it took you, if you know; may be left out
"""


@dataclass(frozen=True)
class Question:
    """What a reader sees of one item: the pronoun in braces, the answers in the order of `order`."""

    id: str
    text: str
    question: str | None
    answers: tuple[str, ...]


@dataclass(frozen=True)
class BlindCheck:
    """Questions to put to one reader, and the items that cannot be asked."""

    title: str
    questions: tuple[Question, ...]
    left_out: tuple[str, ...] = ()
    part: tuple[int, int] = (1, 1)

    def files(self) -> dict[str, str | bytes]:
        """What goes into the reader's folder, by file name."""
        rows = [
            {"id": one.id, "text": one.text, "question": one.question, "answers": one.answers} for one in self.questions
        ]
        part = f", part {self.part[0]} of {self.part[1]}" if self.part[1] > 1 else ""
        readme = _README.format(
            title=self.title, count=counted(len(rows), "question"), part=part, example=self.questions[0].id
        )
        return {
            "README.txt": readme,
            "questions.jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
            "questions.md": f"# {self.title}{part}\n\n"
            + "\n".join(map(_spelt, range(1, len(rows) + 1), self.questions)),
        }


def blind_check(collection: Collection, *, seed: int = 0, part: tuple[int, int] = (1, 1)) -> BlindCheck:
    """The questions of a collection, or the part i of n of them, in an order drawn by the seed.

    No two items of a schema stand side by side (where there are others to stand between them), and where there are
    parts, they lie in different ones as far as possible. Every part of one seed holds other items.

    >>> import winoglot as wg
    >>> check = blind_check(wg.load("winoglot-en"), seed=4)
    >>> len(check.questions) == len(wg.load("winoglot-en").items)
    True
    """
    number, parts = part
    if not 1 <= number <= parts:
        raise InputError(f"there is no part {number} of {parts}", remedy="Write --part 1/3, 2/3 or 3/3.")
    rng = Random(seed)
    askable = {schema.id: [item for item in schema.items if _can_ask(item)] for schema in collection.schemas}
    groups = [rng.sample(items, len(items)) for items in askable.values() if items]
    rng.shuffle(groups)
    mine = [
        [item for index, item in enumerate(items) if (position + index) % parts == number - 1]
        for position, items in enumerate(groups)
    ]
    questions = [_question(collection, item, rng) for item in _apart([items for items in mine if items], rng)]
    if not questions:
        raise InputError(
            f"part {number} of {parts} of {collection.name} is empty", remedy="Ask for fewer parts; items need texts."
        )
    left_out = tuple(item.id for item in collection.items if not _can_ask(item))
    title = f"{collection.name} ({collection.language})"
    return BlindCheck(title, tuple(questions), left_out, part)


def _can_ask(item: Item) -> bool:
    return item.text is not None and len(item.candidates) > 1


def _apart(groups: list[list[Item]], rng: Random) -> list[Item]:
    """First one item of each schema, then the next of each: at least half a round lies between two of a schema.

    Each half of a round is shuffled by itself, and schemas with more items come first, so that the others can stand
    between theirs.
    """
    groups = sorted(groups, key=len, reverse=True)  # stable: otherwise as drawn
    result: list[Item] = []
    for turn in range(len(groups[0]) if groups else 0):
        again = [group[turn] for group in groups if len(group) > turn]
        half = len(again) // 2
        result += rng.sample(again[:half], half) + rng.sample(again[half:], len(again) - half)
    return _parted(result)


def _parted(items: list[Item]) -> list[Item]:
    """What still stands side by side, where few schemas have most of the items, gets another one in between."""
    schemas = [item.schema_id for item in items]
    for place in range(1, len(items)):
        if schemas[place] != schemas[place - 1]:
            continue
        for other, schema in enumerate(schemas):
            parts_two = 0 < other < len(items) - 1 and schemas[other - 1] == schemas[other + 1]
            if schema != schemas[place] and not parts_two:
                rest = [*items[:other], *items[other + 1 :]]
                to = place - (other < place)
                return _parted([*rest[:to], items[other], *rest[to:]])
    return items


def _question(collection: Collection, item: Item, rng: Random) -> Question:
    order = rng.sample(range(len(item.candidates)), len(item.candidates))
    braces = (item.pronoun,) if item.pronoun else ()
    text = print_marked(Marked(item.text or "", braces))
    answers = tuple(item.candidates[index].text for index in order)
    return Question(question_id(collection, item, order), text, item.question, answers)


def _spelt(number: int, question: Question) -> str:
    lines: Sequence[str] = [
        f"## {number}. {question.id}",
        question.text,
        *([question.question] if question.question else []),
        "\n".join(f"- {index}: {answer}" for index, answer in enumerate(question.answers)),
    ]
    return "\n\n".join(lines) + "\n"
