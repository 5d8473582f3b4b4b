"""What a model is fine-tuned on: labelled items of any collections, drawn and split by schema."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.models.base import Question
from winoglot.perturb.base import with_kinds
from winoglot.runs.held_out import SchemaSplit, split, without_overlap
from winoglot.runs.questions import asked
from winoglot.schemas.model import Variant
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.schemas.model import Collection


@dataclass(frozen=True)
class LabelledQuestion:
    """A question and the index of the reading that is right."""

    question: Question
    answer: int


@dataclass(frozen=True)
class FinetuneData:
    """Questions to learn from and held-out ones, the parts of the collections they are from, and what was left out."""

    training: tuple[LabelledQuestion, ...]
    held_out: tuple[LabelledQuestion, ...]
    parts: SchemaSplit
    unlabelled: int
    overlapping: int

    @property
    def hash(self) -> str:
        """A hash of the texts and answers in each part."""
        digest = hashlib.sha256()
        for part in (self.training, self.held_out):
            rows = [
                [
                    labelled_question.question.item.id,
                    labelled_question.question.language,
                    labelled_question.question.texts,
                    labelled_question.answer,
                ]
                for labelled_question in part
            ]
            digest.update(json.dumps(rows).encode())
        return digest.hexdigest()


def gather(
    collections: Sequence[Collection],
    *,
    evaluated: Sequence[Collection] = (),
    kinds: Sequence[str] = (),
    style: str = "grammatical",
    size: int | None = None,
    held_out: float = 0.1,
    control: str | None = None,
    seed: int = 0,
) -> FinetuneData:
    """The labelled questions of some collections and variants, split by `winoglot.runs.held_out`.

    What overlaps with the collections that are to be evaluated is left out.
    """
    if not collections:
        raise InputError("there is nothing to learn from", remedy="Name a collection: --data COLLECTION.")
    if size is not None and size > _count(collections):
        message = f"a size of {size} was asked for, and there are {counted(_count(collections), 'item')}"
        raise InputError(message, remedy="Use a smaller size, or add a collection with --data.")
    without_evaluated = [
        without_overlap(collection, evaluated, kinds) if evaluated else collection for collection in collections
    ]
    with_answers = [_with_answers(collection) for collection in without_evaluated]
    parts = split([with_kinds(collection, kinds) for collection in with_answers], held_out, size, seed=seed)
    training, held_out_questions = (_questions(part, kinds, style) for part in (parts.train, parts.held_out))
    _check_answers(training)
    if control == "shuffled-labels":
        training = _shuffle_labels(training, seed)
    unlabelled, overlapping = (
        _count(without_evaluated) - _count(with_answers),
        _count(collections) - _count(without_evaluated),
    )
    return FinetuneData(tuple(training), tuple(held_out_questions), parts, unlabelled, overlapping)


def _count(collections: Iterable[Collection]) -> int:
    return sum(len(collection.items) for collection in collections)


def _with_answers(collection: Collection) -> Collection:
    """The schemas all of whose items have an answer."""
    schemas = tuple(schema for schema in collection.schemas if all(item.answer is not None for item in schema.items))
    if not schemas:
        message = f"no schema of {collection.name} says which candidates are right"
        raise InputError(message, remedy="Use a collection with answers; test sets often come without.")
    return replace(collection, schemas=schemas)


def _questions(part: Iterable[Collection], kinds: Sequence[str], style: str) -> list[LabelledQuestion]:
    """The questions about these collections; variants without an answer are left out.

    To learn from, a switched item counts as flipped even if nobody has confirmed it: a wrong label makes a model a
    little worse, not a result wrong.
    """
    questions = []
    for collection in part:
        for prepared in asked(collection, kinds, style):
            item = prepared.question.item
            answer = item.answer
            if isinstance(item, Variant) and item.effect == "unknown":
                original = collection[item.variant_of].answer
                answer = None if original is None else 1 - original
            if answer is not None:
                questions.append(LabelledQuestion(prepared.question, answer))
    return questions


def _check_answers(training: Sequence[LabelledQuestion]) -> None:
    answers = {question.answer for question in training}
    if len(answers) == 1:
        position = "first" if answers == {0} else "second" if answers == {1} else "same"
        message = f"the {position} candidate is right in all {len(training)} items to learn from"
        raise InputError(message, remedy="Use data in which the answers differ: a model would only learn a position.")


def _shuffle_labels(training: Sequence[LabelledQuestion], seed: int) -> list[LabelledQuestion]:
    """The questions with answers drawn at random, from which a model cannot learn which reading is right."""
    draw = random.Random(f"winoglot labels {seed}")
    return [replace(question, answer=draw.randrange(len(question.question.readings))) for question in training]
