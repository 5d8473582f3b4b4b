"""A blind check: questions that show a reader a text and its answers, and nothing that reveals the right one."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING

from winoglot.errors import InputError, did_you_mean
from winoglot.schemas.model import ORIGINAL
from winoglot.schemas.text import counted
from winoglot.study.judgements import question_id, text_as_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Item, Schema

_README = """\
{title}: {count}{part}

Each item shows a text with one pronoun in braces, {{like this}}, a question, and answers numbered from 0. Read the text
once, at your usual pace, and decide which answer the pronoun refers to. (If there is no question, it is: whom or what
does the pronoun in braces refer to?) Answer the questions in the order given, each on its own; do not look ahead and do
not go back.

questions.md is for reading; questions.jsonl has the same for programs. Write your answers to judgements.jsonl, one
line per question:

{{"id": "{example}", "reader": "your name or number", "choice": 0, "flag": null, "comment": "", "confidence": 0.9}}

id          copied from the question
reader      your name or number: the same on all your lines, and different from every other reader's
choice      the number of the answer, 0 or 1; null if you cannot say
flag        "ambiguous" if the other answer could also be defended, "unnatural" if nobody would say it like that (wrong
            grammar, odd words, a pronoun that does not belong here), "trivial" if two words that go together give the
            answer away without the situation (onions, tears), otherwise null
comment     what is wrong, in a few words; required with a flag, otherwise empty
confidence  how likely it is that your answer is right, from 0 to 1 (0.5 is a guess between two); optional
seconds     how long it took you, if you know; optional
"""


@dataclass(frozen=True)
class BlindQuestion:
    """What a reader sees of one item: the text with its pronoun in braces, and the answers in random order."""

    id: str
    text: str
    question: str | None
    answers: tuple[str, ...]


@dataclass(frozen=True)
class BlindCheck:
    """The questions for one reader, and the items that cannot be asked."""

    title: str
    questions: tuple[BlindQuestion, ...]
    left_out: tuple[str, ...] = ()
    part: tuple[int, int] = (1, 1)

    def files(self) -> dict[str, str | bytes]:
        """The content of the reader's folder, by file name."""
        rows = [asdict(question) for question in self.questions]
        part = f", part {self.part[0]} of {self.part[1]}" if self.part[1] > 1 else ""
        readme = _README.format(
            title=self.title, count=counted(len(rows), "question"), part=part, example=self.questions[0].id
        )
        return {
            "README.txt": readme,
            "questions.jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
            "questions.md": f"# {self.title}{part}\n\n"
            + "\n".join(map(_question_text, range(1, len(rows) + 1), self.questions)),
        }


def blind_check(
    collection: Collection,
    *,
    kinds: Sequence[str] = (ORIGINAL,),
    seed: int = 0,
    part: tuple[int, int] = (1, 1),
    faults: Collection | None = None,
) -> BlindCheck:
    """The questions of a collection, or part i of n of them, in an order that the seed decides.

    `faults` are items with something wrong, which are put in at random places: they show how attentive a reader is.

    Items of the same schema are not asked in a row, if there are others to put between them, and fall into different
    parts as far as possible; variants go with their originals. The parts of one seed have different items, and
    together they have all of them.

    >>> import winoglot as wg
    >>> check = blind_check(wg.load("winoglot-en"), seed=4)
    >>> len(check.questions) == len(wg.load("winoglot-en").items)
    True
    """
    for kind in kinds:
        if kind not in (ORIGINAL, *collection.kinds):
            raise InputError(
                f"{collection.name} has no stored variants of the kind {kind!r}",
                remedy=did_you_mean(kind, [ORIGINAL, *collection.kinds]),
            )
    number, parts = part
    if not 1 <= number <= parts:
        raise InputError(f"there is no part {number} of {parts}", remedy="Write --part 1/3, 2/3 or 3/3.")
    rng = Random(seed)
    groups = [_by_alternative(schema, kinds, rng) for schema in collection.schemas]
    groups = [group for group in groups if group]
    rng.shuffle(groups)
    part_groups = [
        [item for index, items in enumerate(group) if (position + index) % parts == number - 1 for item in items]
        for position, group in enumerate(groups)
    ]
    questions = [
        _question(collection, item, rng) for item in _separate_schemas([items for items in part_groups if items], rng)
    ]
    if not questions:
        message = f"part {number} of {parts} of {collection.name} is empty"
        raise InputError(message, remedy="Ask for fewer parts. Only items with a text can be asked.")
    for item in faults.items[number - 1 :: parts] if faults else ():
        questions.insert(rng.randint(0, len(questions)), _question(faults or collection, item, rng))
    items_of_kinds = (item for schema in collection.schemas for item in _of_kinds(schema, kinds))
    left_out = tuple(item.id for item in items_of_kinds if not _can_ask(item))
    title = f"{collection.name} ({collection.language})"
    return BlindCheck(title, tuple(questions), left_out, part)


def _of_kinds(schema: Schema, kinds: Sequence[str]) -> list[Item]:
    return [item for item in (*schema.items, *schema.variants) if item.kind in kinds]


def _by_alternative(schema: Schema, kinds: Sequence[str], rng: Random) -> list[list[Item]]:
    """The items to ask, those of each alternative together, alternatives in random order."""
    askable = [item for item in _of_kinds(schema, kinds) if _can_ask(item)]
    groups = ([variant for variant in askable if item.id in (variant.id, variant.variant_of)] for item in schema.items)
    alternatives = [items for items in groups if items]
    return rng.sample(alternatives, len(alternatives))


def _can_ask(item: Item) -> bool:
    return item.text is not None and len(item.candidates) > 1


def _separate_schemas(groups: list[list[Item]], rng: Random) -> list[Item]:
    """First one item of each schema, then the next of each, so that at least half a round separates two of a schema.

    Each half of a round is shuffled on its own. Schemas with more items come first, so that others can separate theirs.
    """
    groups = sorted(groups, key=len, reverse=True)  # stable: otherwise as drawn
    result: list[Item] = []
    for round_number in range(len(groups[0]) if groups else 0):
        round_items = [group[round_number] for group in groups if len(group) > round_number]
        half = len(round_items) // 2
        result += rng.sample(round_items[:half], half) + rng.sample(round_items[half:], len(round_items) - half)
    return _separate_neighbours(result)


def _separate_neighbours(items: list[Item]) -> list[Item]:
    """Move another item between two of a schema that are still neighbours because few schemas have most items."""
    schemas = [item.schema_id for item in items]
    for place in range(1, len(items)):
        if schemas[place] != schemas[place - 1]:
            continue
        for index, schema in enumerate(schemas):
            separates_neighbours = 0 < index < len(items) - 1 and schemas[index - 1] == schemas[index + 1]
            if schema != schemas[place] and not separates_neighbours:
                remaining = [*items[:index], *items[index + 1 :]]
                target = place - (index < place)
                return _separate_neighbours([*remaining[:target], items[index], *remaining[target:]])
    return items


def _question(collection: Collection, item: Item, rng: Random) -> BlindQuestion:
    order = rng.sample(range(len(item.candidates)), len(item.candidates))
    answers = tuple(item.candidates[index].text for index in order)
    return BlindQuestion(question_id(collection, item, order), text_as_shown(item), item.question, answers)


def _question_text(number: int, question: BlindQuestion) -> str:
    lines: Sequence[str] = [
        f"## {number}. {question.id}",
        question.text,
        *([question.question] if question.question else []),
        "\n".join(f"- {index}: {answer}" for index, answer in enumerate(question.answers)),
    ]
    return "\n\n".join(lines) + "\n"
