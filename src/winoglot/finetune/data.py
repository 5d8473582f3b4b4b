"""What a model is fine-tuned on: labelled items of any collections, drawn and split by schema.

A schema is never divided: its items and variants, and its translations in other collections, are either all learnt
from or all held out.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.models.base import Question
from winoglot.perturb.base import with_kinds
from winoglot.runs.questions import asked
from winoglot.schemas.model import ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Schema


@dataclass(frozen=True)
class LabelledQuestion:
    """A question and the index of the reading that is right."""

    question: Question
    answer: int
    group: str  # questions of one group are learnt from or held out together


@dataclass(frozen=True)
class FinetuneData:
    """Questions to learn from and held-out ones, with what was left out."""

    training: tuple[LabelledQuestion, ...]
    held_out: tuple[LabelledQuestion, ...]
    unlabelled: int = 0

    @property
    def hash(self) -> str:
        """The same for the same texts and answers in the same parts."""
        digest = hashlib.sha256()
        for part in (self.training, self.held_out):
            rows = [[one.question.item.id, one.question.language, one.question.texts, one.answer] for one in part]
            digest.update(json.dumps(rows).encode())
        return digest.hexdigest()


def group_of(schema: Schema) -> str:
    """What must stay together with a schema: its translations have the same parallel id."""
    return schema.parallel_id


def gather(
    collections: Sequence[Collection],
    *,
    kinds: Sequence[str] = (),
    style: str = "grammatical",
    size: int | None = None,
    held_out: float = 0.1,
    control: str | None = None,
    seed: int = 0,
) -> FinetuneData:
    """The labelled questions of some collections and variants; `size` is the number of items, drawn by schema.

    What is drawn for a smaller size is part of what is drawn for a larger one with the same seed.
    """
    if not collections:
        raise InputError("there is nothing to learn from", remedy="Name a collection: --data COLLECTION.")
    if size is not None and size < 1:
        raise InputError(f"the size is {size}", remedy="Use a number of items, such as 640.")
    found: list[LabelledQuestion] = []
    unlabelled = 0
    for collection in collections:
        groups = {schema.id: group_of(schema) for schema in collection.schemas}
        questions = [one.question for one in asked(with_kinds(collection, kinds), kinds, style)]
        known = [
            LabelledQuestion(one, one.item.answer, groups[one.item.schema_id])
            for one in questions
            if one.item.answer is not None
        ]
        if not known:
            message = f"no item of {collection.name} says which candidate is right"
            raise InputError(message, remedy="Use a collection with answers; test sets often come without.")
        found += known
        unlabelled += len(questions) - len(known)
    drawn = _drawn(found, size, seed)
    held = _held_out_groups(drawn, held_out, seed)
    training = [one for one in drawn if one.group not in held]
    _check_answers(training)
    if control == "shuffled-labels":
        training = _shuffled(training, seed)
    return FinetuneData(tuple(training), tuple(one for one in drawn if one.group in held), unlabelled)


def _drawn(found: Sequence[LabelledQuestion], size: int | None, seed: int) -> list[LabelledQuestion]:
    """The items of the first schemas, in an order drawn with the seed, that make up the size; at most one too many."""
    if size is None:
        return list(found)
    originals = Counter(one.group for one in found if one.question.item.kind == ORIGINAL)
    if size > originals.total():
        message = f"a size of {size} was asked for, and there are {originals.total()} labelled items"
        raise InputError(message, remedy="Use a smaller size, or add a collection with --data.")
    kept: set[str] = set()
    count = 0
    for group in _shuffled_groups(found, f"draw {seed}"):
        if count >= size:
            break
        kept.add(group)
        count += originals[group]
    return [one for one in found if one.group in kept]


def _held_out_groups(found: Sequence[LabelledQuestion], share: float, seed: int) -> set[str]:
    if not share:
        return set()
    groups = _shuffled_groups(found, f"split {seed}")
    if len(groups) < 2:
        message = "there is only one schema, and one must be held out"
        raise InputError(message, remedy="Use a collection with more schemas.")
    return set(groups[: max(1, round(share * len(groups)))])


def _shuffled_groups(found: Sequence[LabelledQuestion], seed: str) -> list[str]:
    groups = sorted({one.group for one in found})
    random.Random(f"winoglot {seed}").shuffle(groups)
    return groups


def _check_answers(training: Sequence[LabelledQuestion]) -> None:
    answers = {one.answer for one in training}
    if len(answers) < 2:
        which = "first" if answers == {0} else "second" if answers == {1} else "same"
        message = f"the {which} candidate is right in all {len(training)} items to learn from"
        raise InputError(message, remedy="Use data in which the answers differ: a model would only learn a position.")


def _shuffled(training: Sequence[LabelledQuestion], seed: int) -> list[LabelledQuestion]:
    """The same questions with answers drawn at random: what is learnt from them is not which reading is right."""
    draw = random.Random(f"winoglot labels {seed}")
    return [LabelledQuestion(one.question, draw.randrange(len(one.question.readings)), one.group) for one in training]
