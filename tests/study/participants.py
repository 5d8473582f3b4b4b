"""A small collection, studies of it, and people who take part."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

from sqlalchemy import select

from winoglot.schemas.model import Candidate, Collection, Item, Schema, Span, Variant
from winoglot.study.create import create_study
from winoglot.study.participation import answer, consent, enter, join
from winoglot.study.settings import StudySettings
from winoglot.study.steps import AskedProblem, Response, Screen, Step, step
from winoglot.study.storage import Problem, Storage, Task

TEXTS = ("Ana thanked Eva in room {} because she had helped.", "Ana thanked Eva in room {} because she was grateful.")


def small_collection(schemas: int = 8, kinds: tuple[str, ...] = (), *, flipped: bool = False) -> Collection:
    """Two items per schema, and variants of the kinds."""
    return Collection("rooms", "en", tuple(_schema(number, kinds, flipped) for number in range(schemas)))


def _schema(number: int, kinds: tuple[str, ...], flipped: bool) -> Schema:
    items = []
    for version, pattern in enumerate(TEXTS):
        text = pattern.format(number)
        she = text.index("she")
        item = Item(
            f"room-{number}.{version}",
            f"room-{number}",
            text=text,
            pronoun=Span(she, she + 3),
            candidates=(Candidate("Ana"), Candidate("Eva")),
            answer=1 - version if not flipped else version,
        )
        items.append(item)
    variants = [_variant(item, kind) for item in items for kind in kinds]
    return Schema(f"room-{number}", tuple(items), tuple(variants), explanation="Who is helped says thanks.")


def _variant(item: Item, kind: str) -> Variant:
    values: dict[str, Any] = {name: getattr(item, name) for name in ("schema_id", "pronoun", "candidates", "answer")}
    text = f"{item.text} ({kind})"
    return Variant(f"{item.id}~{kind}", text=text, kind=kind, variant_of=item.id, effect="keeps", **values)


def a_study(database: str, collection: Collection | None = None, **settings: Any) -> Storage:
    """A small study in an empty database."""
    chosen = replace(StudySettings(training=2, problems=6, checks=1), **settings)
    return create_study(collection or small_collection(), "Rooms", database, chosen)[0]


def a_person(storage: Storage) -> int:
    """Somebody who has consented."""
    person = enter(storage, join(storage) or "")
    assert person is not None
    consent(storage, person, {})
    return person


def key(storage: Storage, task: int) -> int:
    """The right answer, which participation does not tell."""
    with storage.reading() as session:
        return session.scalars(select(Problem.answer).join(Task).where(Task.id == task)).one()


def given(*, seconds: float | None = None, **values: Any) -> Response:
    """An answer from a form of its own."""
    return Response(uuid4().hex, values, seconds)


def answer_screen(storage: Storage, person: int, choose: Callable[[AskedProblem], int | None] | None = None) -> Step:
    """Answer what is on the screen, right or as `choose` says, and return it; anything else is returned as it is."""
    screen = step(storage, person)
    if isinstance(screen, Screen):
        answers = {}
        for problem in screen.problems:
            if screen.part == "verification":
                answers[problem.task] = given(verdict="keep")
            elif choose:
                answers[problem.task] = given(choice=choose(problem), seconds=5.0)
            else:
                answers[problem.task] = given(choice=key(storage, problem.task), seconds=5.0)
        answer(storage, person, answers)
    return screen


def answer_all(
    storage: Storage, person: int, *, until: str = "", choose: Callable[[AskedProblem], int | None] | None = None
) -> Step:
    """Answer screen after screen until the part named begins, or to the end."""
    while isinstance(screen := step(storage, person), Screen) and screen.part != until:
        answer_screen(storage, person, choose)
    return screen
