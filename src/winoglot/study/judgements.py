"""Judgements: one reader's answer to one item, and files of them read against the items as they are now.

A line of `judgements.jsonl` names its item in one of two ways: by `item`, `hash` and `order`; or by the opaque `id` of
a blind question, which encodes all three and does not reveal to the reader which item it is. A published line also says
in which `pass` of reading it was given and what was `shown`, so that it can be understood when the item has changed.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, Any, Literal, get_args

from winoglot.errors import InputError, describe, did_you_mean, located
from winoglot.files import decode, parse_json, plain_path, read_bytes, unpack
from winoglot.schemas.hashing import digest
from winoglot.schemas.markup import Marked, print_marked
from winoglot.schemas.model import Collection, Item
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

Flag = Literal["ambiguous", "unnatural", "trivial"]
FLAGS: tuple[Flag, ...] = get_args(Flag)
_KEYS = ("id", "item", "hash", "order", "reader", "choice", "flag", "comment", "confidence", "seconds", "pass", "shown")
_ITEM_DIGITS, _SHOWN_DIGITS = 10, 8
_MAX_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Judgement:
    """What one reader answered. Whether it is right is not part of the record: see `JudgedItem.right`.

    `order` lists the candidates' indices as they were shown; `choice` is a position in it, or None for "cannot say".

    >>> Judgement("piano-sale.0", "51fd3320", "r1", order=(1, 0), choice=0).candidate
    1
    """

    item: str
    hash: str
    reader: str
    order: tuple[int, ...]
    choice: int | None
    flag: Flag | None = None
    comment: str = ""
    confidence: float | None = None  # how sure the reader was, from 0 to 1
    seconds: float | None = None
    pass_name: str = ""  # in a file of several passes, the name of its pass
    shown: dict[str, Any] | None = None  # text, question, answers, the position of the right one, provenance

    @property
    def candidate(self) -> int | None:
        """The index of the chosen candidate."""
        return None if self.choice is None else self.order[self.choice]


@dataclass(frozen=True)
class JudgedItem:
    """A judgement with the item it is about."""

    judgement: Judgement
    item: Item
    collection: str

    @property
    def right(self) -> bool | None:
        """Whether the answer is the item's; None if the item has none. "Cannot say" does not count as right."""
        return None if self.item.answer is None else self.judgement.candidate == self.item.answer

    def published(self, pass_name: str, provenance: Sequence[str]) -> Judgement:
        """The judgement with the name of its pass, what was shown, and where that comes from (with its canary)."""
        order, item = self.judgement.order, self.item
        shown = {
            "text": text_as_shown(item),
            "question": item.question,
            "answers": [item.candidates[index].text for index in order],
            "right": None if item.answer is None else order.index(item.answer),
            "provenance": list(provenance),
        }
        return replace(self.judgement, pass_name=pass_name, shown=shown)


@dataclass(frozen=True)
class StaleJudgement:
    """A line about an item that has changed since or no longer exists."""

    file: str
    line: int
    reader: str
    what: str
    why: str


@dataclass(frozen=True)
class Judgements:
    """Judgements about collections: those that apply to the items as they are now, and those that are stale."""

    collections: tuple[Collection, ...]
    judged: tuple[JudgedItem, ...]
    stale: tuple[StaleJudgement, ...] = ()


def shown_hash(item: Item, order: Sequence[int]) -> str:
    """A hash of what a reader sees: text, pronoun, question and the answers in their order, but not the right answer.

    So a judgement stays valid when a label is corrected, which readers never saw, but not when a question is.
    """
    pronoun = item.pronoun and [item.pronoun.start, item.pronoun.end]
    answers = [item.candidates[index].text for index in order]
    return digest([item.text, pronoun, item.question, answers])[:_SHOWN_DIGITS]


def question_id(collection: Collection, item: Item, order: Sequence[int]) -> str:
    """An id that identifies item, text and order to the importer, but neither schema nor alternative to the reader."""
    return f"{_item_key(collection, item)}-{shown_hash(item, order)}"


def _item_key(collection: Collection, item: Item) -> str:
    return digest([primary(collection.language), item.id])[:_ITEM_DIGITS]


def read_judgements(paths: Sequence[Path], collections: Sequence[Collection]) -> Judgements:
    """Read files of judgements about items of the collections; a faulty line is an input error that names it.

    A judgement is stale if the text, question or candidates have changed since. It is an input error if no judgement
    is about these collections.
    """
    index: dict[str, list[tuple[Collection, Item]]] = {}
    for collection in collections:
        for item in (*collection.items, *collection.variants()):
            for key in (item.id, _item_key(collection, item)):
                index.setdefault(key, []).append((collection, item))
    judged: list[JudgedItem] = []
    stale: list[StaleJudgement] = []
    first_answers: dict[tuple[str, str, str], str] = {}
    is_any_known = False
    for path, line, value in _lines(paths):
        with located(file=str(path), line=line):
            name, hash_shown = _item_reference(value)
            is_any_known = is_any_known or name in index
            match = _match(index.get(name, ()), hash_shown, value.get("order"))
            if match is None:
                stale.append(_stale(path, line, value, index.get(name, ()), name))
                continue
            collection, item, order = match
            judgement = _judgement(value, item, hash_shown, order)
            place = f"{path}, line {line}"
            first_place = first_answers.setdefault((collection.name, item.id, judgement.reader), place)
            if first_place != place:
                raise InputError(
                    f"reader {judgement.reader!r} has already answered {item.id}: {first_place}",
                    remedy="Keep one of the two answers; different readers need different names.",
                )
            judged.append(JudgedItem(judgement, item, collection.name))
    if not is_any_known:
        names = ", ".join(collection.name for collection in collections)
        raise InputError(
            f"no judgement is about an item of {names}" if stale else "the file has no judgements",
            remedy="Name the collection that the questions were exported from." if stale else "Name another file.",
            file=", ".join(map(str, paths)),
        )
    return Judgements(tuple(collections), tuple(judged), tuple(stale))


def dump_judgements(judgements: Iterable[Judgement]) -> str:
    """The judgements as JSON Lines, with item, hash and order written out."""
    return "".join(json.dumps(_line(judgement), ensure_ascii=False) + "\n" for judgement in judgements)


def _line(judgement: Judgement) -> dict[str, Any]:
    line = vars(judgement).copy()
    pass_name, shown = line.pop("pass_name"), line.pop("shown")
    return line | ({"pass": pass_name} if pass_name else {}) | ({"shown": shown} if shown else {})


def text_as_shown(item: Item) -> str:
    """The text of an item with its pronoun in braces, and nothing that shows the segment."""
    return print_marked(Marked(item.text or "", (item.pronoun,) if item.pronoun else ()))


def _lines(paths: Sequence[Path]) -> Iterator[tuple[Path, int, dict[str, Any]]]:
    read_paths: set[Path] = set()
    for path in paths:
        data = read_bytes(path, _MAX_BYTES)
        text = decode(unpack(data, _MAX_BYTES, str(path)) if plain_path(path) != path else data, str(path))
        if path.resolve() in read_paths:  # its readers would count twice
            raise InputError("the file is given twice", remedy="Give it once.", file=str(path))
        read_paths.add(path.resolve())
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                with located(file=str(path), line=number):
                    yield path, number, _object(line)


def _object(line: str) -> dict[str, Any]:
    try:
        value = parse_json(line)
    except ValueError as error:
        message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise InputError(
            f"this is not JSON: {message}", remedy='Write one object per line: {"id": "…", "reader": "…", "choice": 0}.'
        ) from error
    if not isinstance(value, dict):
        raise InputError(f"expected an object, found {describe(value)}", remedy="Write one {…} per line.")
    for key in value:
        if key not in _KEYS:
            raise InputError(f"unknown key {key!r}", remedy=did_you_mean(key, _KEYS))
    for key in ("reader", "choice"):
        if key not in value:
            raise InputError(f"the key {key!r} is missing", remedy="Add it; a choice of null means 'cannot say'.")
    return value


def _item_reference(value: Mapping[str, Any]) -> tuple[str, str]:
    """The name a line gives its item, and the hash of what was shown."""
    if "id" in value:
        name, dash, hash_shown = str(value["id"]).partition("-")
        if not dash or not hash_shown or {"item", "hash", "order"} & value.keys():
            raise InputError(
                f"{value['id']!r} is not the id of a blind question",
                remedy="Copy the id from questions.jsonl, and leave out item, hash and order.",
            )
        return name, hash_shown
    for key in ("item", "hash", "order"):
        if key not in value:
            raise InputError(f"the line has neither 'id' nor {key!r}", remedy="Copy the id from questions.jsonl.")
    return str(value["item"]), str(value["hash"])


def _match(
    places: Sequence[tuple[Collection, Item]], hash_shown: str, order: object
) -> tuple[Collection, Item, tuple[int, ...]] | None:
    """The item that was shown, and the order of its candidates that gives this hash."""
    for collection, item in places:
        for candidate_order in permutations(range(len(item.candidates))):
            if order in (None, list(candidate_order)) and shown_hash(item, candidate_order) == hash_shown:
                return collection, item, candidate_order
    return None


def _stale(
    path: Path, line: int, value: Mapping[str, Any], places: Sequence[tuple[Collection, Item]], name: str
) -> StaleJudgement:
    name_of_item = places[0][1].id if places else name
    missing = "there is no such item: it was removed, or the id is mistyped"
    reason = "the text, question or candidates have changed since" if places else missing
    return StaleJudgement(str(path), line, str(value["reader"]), name_of_item, reason)


def _judgement(value: Mapping[str, Any], item: Item, hash_shown: str, order: tuple[int, ...]) -> Judgement:
    reader, choice, comment = value["reader"], value["choice"], value.get("comment") or ""
    flag = value.get("flag")
    if type(reader) is int:
        reader = str(reader)
    if not isinstance(reader, str) or not reader.strip():
        raise InputError(f"the reader is {describe(reader)}", remedy="Write the reader's name or number.")
    if choice is not None and (type(choice) is not int or not 0 <= choice < len(order)):
        allowed = ", ".join(map(str, range(len(order))))
        raise InputError(
            f"the choice is {describe(choice)}", remedy=f"Write {allowed} (the number of the answer) or null."
        )
    if flag in ("", "none"):
        flag = None
    if flag is not None and flag not in FLAGS:
        raise InputError(f"the flag is {describe(flag)}", remedy=f"Write {', '.join(FLAGS)} or null.")
    if not isinstance(comment, str):
        raise InputError(f"the comment is {describe(comment)}", remedy="Write text, or leave the key out.")
    confidence = _number(value, "confidence", 1.0, "a share from 0 to 1")
    seconds = _number(value, "seconds", math.inf, "a number of seconds")
    pass_name, shown = str(value.get("pass") or ""), value.get("shown")
    return Judgement(
        item.id, hash_shown, reader.strip(), order, choice, flag, comment.strip(), confidence, seconds, pass_name, shown
    )


def _number(value: Mapping[str, Any], key: str, maximum: float, expected: str) -> float | None:
    number = value.get(key)
    if number is None:
        return None
    if type(number) not in (int, float) or not math.isfinite(number) or not 0 <= number <= maximum:
        raise InputError(f"{key} is {describe(number)}", remedy=f"Write {expected}, or leave the key out.")
    return float(number)
