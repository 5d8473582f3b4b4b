"""A study from a collection: what is asked, who may take part, and whether the study is a pilot, open or closed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.exc import DBAPIError

from winoglot.errors import InputError, did_you_mean
from winoglot.loading import dump
from winoglot.perturb.base import with_kinds
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import ORIGINAL, Collection
from winoglot.schemas.text import counted, primary
from winoglot.study.assignment import groups_of_problems
from winoglot.study.database import create_storage, unusable
from winoglot.study.participation import new_participant
from winoglot.study.settings import FIRST
from winoglot.study.storage import (
    CHECK,
    CLOSED,
    OPEN,
    TEST,
    TRAINING,
    Participant,
    Problem,
    ResearcherSession,
    Study,
    new_token,
    token_hash,
)
from winoglot.study.web.texts import PAGE_LANGUAGES, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Item, Schema
    from winoglot.study.settings import StudySettings
    from winoglot.study.storage import Storage


@dataclass(frozen=True)
class Questionnaire:
    """Everything that a study asks."""

    collection: Collection  # with the variants that are asked
    problems: tuple[Problem, ...]
    left_out: tuple[str, ...]  # items without a text, an answer or a second candidate
    people_needed: int  # for all answers, if everybody finishes


def questionnaire(collection: Collection, settings: StudySettings) -> Questionnaire:
    """The problems that a study of this collection asks; an input error if they cannot be asked."""
    kinds = [kind for kind in settings.kinds if kind != ORIGINAL]
    collection = with_kinds(collection, kinds, seed=settings.seed)
    items = [item for schema in collection.schemas for item in _of_kinds(schema, kinds)]
    left_out = tuple(item.id for item in items if not _can_be_asked(item))
    for kind in (ORIGINAL, *kinds):
        if not any(item.kind == kind and _can_be_asked(item) for item in items):
            what = "item" if kind == ORIGINAL else f"variant of kind {kind!r}"
            raise InputError(
                f"no {what} of {collection.name} has a text, two candidates and an answer, so none can be asked",
                remedy="Name another collection." if kind == ORIGINAL else f"Leave {kind} out of --kinds.",
            )
    schemas = [schema for schema in collection.schemas if any(map(_can_be_asked, schema.items))]
    if len(schemas) <= settings.training:
        fewer = f"--training {(len(schemas) - 1) // 4}"
        if settings.training_items not in ((), FIRST):
            fewer = "fewer ids with --training-items"
        raise InputError(
            f"{counted(len(schemas), 'schema')} of {collection.name} can be asked, and training takes "
            f"{settings.training}: none would be left to test",
            remedy=f"Ask for less training ({fewer}), or name a larger collection.",
        )
    training = _training(schemas, kinds, settings)
    training_schemas = {problem.schema_id for problem in training}
    test = _test([schema for schema in schemas if schema.id not in training_schemas], kinds, settings)
    problems = (*training, *test, *_attention_checks(settings, collection.language))
    return Questionnaire(collection, problems, left_out, _people_needed(test, settings))


def create_study(
    collection: Collection,
    name: str,
    url: str,
    settings: StudySettings,
    *,
    state: str = OPEN,
    prepared: Questionnaire | None = None,
) -> tuple[Storage, str]:
    """Store a new study, and the researcher's token: it is stored nowhere, so show it now.

    `prepared` is what `questionnaire` makes of the same collection and settings, if you have it already.
    """
    if not name.strip():
        raise InputError("the study has no name", remedy='Give one that participants may read: --name "Pronouns".')
    prepared = prepared or questionnaire(collection, settings)
    token = new_token()
    collection_text = str(dump([prepared.collection], "yaml"))
    storage = create_storage(url)
    try:
        with storage.writing() as session:
            session.add(
                Study(
                    id=1,
                    name=name.strip(),
                    state=state,
                    stored_settings=settings.as_json(),
                    collection=collection_text,
                    collection_name=prepared.collection.name,
                    language=prepared.collection.language,
                    token_hash=token_hash(token),
                )
            )
            session.add_all(prepared.problems)
    except DBAPIError as error:
        storage.engine.dispose()
        raise unusable(storage.engine.url, error) from error
    return storage, token


def set_state(storage: Storage, state: str) -> None:
    """Make the study a pilot, open it or close it. People who agree to take part in a pilot stay out of the results."""
    with storage.writing() as session:
        session.execute(update(Study).values(state=state))


def invite(storage: Storage, count: int, *, expert: bool = False) -> list[str]:
    """Tokens of new personal links. Experts judge what the majority missed, so they come when the study is closed."""
    tokens = [new_token() for _ in range(count)]
    with storage.writing() as session:
        if expert and storage.study(session).state != CLOSED:
            raise InputError(
                "experts can be invited once the study is closed: until then, the items that the majority missed may "
                "change",
                remedy="Run: winoglot study close --db DATABASE",
            )
        session.add_all(new_participant(token, expert=expert) for token in tokens)
    return tokens


def find_person(storage: Storage, number_or_link: str) -> int:
    """The id of a participant, from their number or their personal link."""
    name = re.split(r"[?#]", number_or_link.strip())[0].rstrip("/").rsplit("/", 1)[-1]
    query = select(Participant.id).where(or_(Participant.number == name, Participant.token_hash == token_hash(name)))
    with storage.reading() as session:
        person = session.scalar(query) if name.isprintable() else None
    if person is None:
        raise InputError(
            "no participant has this number or link", remedy="The dashboard and every export show the numbers."
        )
    return person


def revoke(storage: Storage, person: int) -> None:
    """Make a personal link invalid. The answers so far are kept."""
    with storage.writing() as session:
        session.execute(update(Participant).where(Participant.id == person).values(revoked=True))


def renew_token(storage: Storage) -> str:
    """A new researcher's token. The old one no longer works, and everybody is logged out."""
    token = new_token()
    with storage.writing() as session:
        session.execute(update(Study).values(token_hash=token_hash(token)))
        session.execute(delete(ResearcherSession))
    return token


def completion_codes(storage: Storage) -> list[str]:
    """The codes of everybody who finished. Sorted, so that their order does not show who finished when."""
    with storage.reading() as session:
        return sorted(session.scalars(select(Participant.code).where(Participant.code != "")))


def _of_kinds(schema: Schema, kinds: Sequence[str]) -> list[Item]:
    return [*schema.items, *(variant for variant in schema.variants if variant.kind in kinds)]


def _can_be_asked(item: Item) -> bool:
    return item.text is not None and item.answer is not None and len(item.candidates) > 1


def _training(schemas: Sequence[Schema], kinds: Sequence[str], settings: StudySettings) -> list[Problem]:
    """The items that the settings name, or one of each schema that the training takes; versions take turns.

    If schemas are drawn, those with an explanation come first, and those with variants are rather kept for the test.
    """
    if settings.training_items not in ((), FIRST):
        return _named_training(schemas, settings.training_items)
    rng = Random(f"{settings.seed} training")
    ranked_schemas = (
        schemas
        if settings.training_items == FIRST
        else sorted(
            rng.sample(schemas, len(schemas)),
            key=lambda schema: (not schema.explanation, any(variant.kind in kinds for variant in schema.variants)),
        )
    )
    problems = []
    for number, schema in enumerate(ranked_schemas[: settings.training]):
        items = [item for item in schema.items if _can_be_asked(item)]
        problems.append(_training_problem(schema, items[number % len(items)]))
    return problems


def _named_training(schemas: Sequence[Schema], names: Sequence[str]) -> list[Problem]:
    """The items with these ids, of different schemas."""
    items = {item.id: (schema, item) for schema in schemas for item in schema.items if _can_be_asked(item)}
    for name in names:
        if name not in items:
            raise InputError(
                f"the training item {name!r} is not one that can be asked", remedy=did_you_mean(name, list(items))
            )
    problems = [_training_problem(*items[name]) for name in names]
    by_schema = Counter(problem.schema_id for problem in problems)
    for schema_id, count in by_schema.items():
        if count > 1:
            raise InputError(
                f"{count} training items belong to the schema {schema_id!r}", remedy="Name one item of each schema."
            )
    return problems


def _training_problem(schema: Schema, item: Item) -> Problem:
    problem = _problem(item, TRAINING)
    problem.explanation = schema.explanation or ""
    return problem


def _test(schemas: Sequence[Schema], kinds: Sequence[str], settings: StudySettings) -> list[Problem]:
    """All items and variants. With two panels, each judges half of the variants of every kind and of every version."""
    problems = []
    ranks: Counter[tuple[str, int]] = Counter()
    for schema in Random(f"{settings.seed} panels").sample(schemas, len(schemas)):
        for item in _of_kinds(schema, kinds):
            if not _can_be_asked(item):
                continue
            problem = _problem(item, TEST)
            if item.kind != ORIGINAL:
                problem.panel = (ranks[item.kind, problem.version] + problem.version) % settings.panels
                ranks[item.kind, problem.version] += 1
            problems.append(problem)
    return problems


def _problem(item: Item, part: str) -> Problem:
    assert item.answer is not None
    number = (item.variant_of or item.id).removeprefix(f"{item.schema_id}.")
    before, pronoun, after = item.parts
    content = {
        "before": before,
        "pronoun": pronoun,
        "after": after,
        "question": item.question,
        "candidates": [candidate.text for candidate in item.candidates],
    }
    return Problem(
        item_id=item.id,
        item_hash=item.hash,
        schema_id=item.schema_id,
        kind=item.kind,
        version=int(number),
        part=part,
        content=content,
        answer=item.answer,
    )


def _attention_checks(settings: StudySettings, collection_language: str) -> list[Problem]:
    """Texts that say which answer to choose. With four candidates, people who do not read rarely choose it.

    They are in the language of the problems if there are texts in it, otherwise in that of the pages.
    """
    language = primary(collection_language)
    language = language if language in PAGE_LANGUAGES else settings.page_language
    gettext = texts(language).gettext
    checks = [
        (
            # Translators: an attention check. Mark the pronoun with brackets; the next message lists the candidates.
            gettext(
                "Nora, Clara, Iris and Paula were waiting for the train, and [she] had brought an umbrella. "
                "This text checks that people read to the end: please choose Iris."
            ),
            gettext("Nora, Clara, Iris, Paula"),
            2,
        ),
        (
            gettext(
                "After dinner, Hugo, Simon, Oscar and Felix played cards, and [he] won twice. "
                "No guessing is needed here, only reading: please choose Hugo."
            ),
            gettext("Hugo, Simon, Oscar, Felix"),
            0,
        ),
        (
            gettext(
                "The lamp, the clock, the mirror and the vase stood on the shelf, and [it] was older than the rest. "
                "Whatever you think of that, please choose the vase."
            ),
            gettext("the lamp, the clock, the mirror, the vase"),
            3,
        ),
        (
            gettext(
                "Ada, Ruth, Vera and Lucy shared a taxi, and [she] paid for it. "
                "To show that you have read this, please choose Ruth."
            ),
            gettext("Ada, Ruth, Vera, Lucy"),
            1,
        ),
    ]
    if settings.checks > len(checks):
        raise InputError(
            f"there are {len(checks)} attention checks, not {settings.checks}",
            remedy=f"Ask for at most {len(checks)} with --checks.",
        )
    return [_check(number, language, *check) for number, check in enumerate(checks[: settings.checks], 1)]


def _check(number: int, language: str, text: str, candidates: str, answer: int) -> Problem:
    before, _, rest = text.partition("[")
    pronoun, _, after = rest.partition("]")
    content: dict[str, Any] = {"before": before, "pronoun": pronoun, "after": after, "question": None}
    content |= {"candidates": candidates.split(", "), "language": language}
    name = f"check-{number}"
    return Problem(
        item_id=name,
        item_hash=digest([content, answer]),
        schema_id=name,
        kind=CHECK,
        version=0,
        part=CHECK,
        content=content,
        answer=answer,
    )


def _people_needed(test: Sequence[Problem], settings: StudySettings) -> int:
    """How many people give every problem its answers: nobody gets two problems of a schema, or more than so many."""
    people = 0
    for problems in groups_of_problems(test, settings).values():
        by_schema = Counter(problem.schema_id for problem in problems)
        per_person = min(settings.problems, len(by_schema))
        answers = settings.judgements * by_schema.total()
        people += max(ceil(answers / per_person), settings.judgements * max(by_schema.values()))
    return people
