"""Drafts from a model: it is asked in words (`conversation`), and a person sees what passes (`acceptance`).

Nothing is asked twice: replies are kept in the user's cache as they come, so that a command that was stopped goes on
when it is repeated. A draft that is refused is tried once more, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from winoglot.errors import InputError
from winoglot.folders import recall, remember
from winoglot.languages.rewriting import REWRITINGS
from winoglot.models.base import ANSWER, Options, Solver
from winoglot.models.servers.answers import Reply
from winoglot.models.servers.asking import AskingSolver, ChatRequest
from winoglot.perturb.base import Proposed
from winoglot.runs.session import BeforeSending, Session, log_requests
from winoglot.runs.spec import ModelSpec, RunSpec
from winoglot.schemas.entries import VariantEntry
from winoglot.schemas.model import BY_RULE, BlindAnswer, Collection, Made, Schema
from winoglot.schemas.text import language_tag
from winoglot.writing.acceptance import RefusedError, accepted, as_items, translated
from winoglot.writing.conversation import Task, draft_in, shown_schema, translation_task, variant_task
from winoglot.writing.proposals import Refusal
from winoglot.writing.skeleton import to_translate

if TYPE_CHECKING:
    from winoglot.schemas.model import Variant

Result = TypeVar("Result")
ROOM = "400"  # tokens of a reply, unless the model's options say otherwise
_AT_ONCE = 8  # requests between two steps of the progress bar
_SHOWN = 300  # characters of a refused reply
_IN_ONE_TEXT = "its items cannot be written as one text"


# Asking


@dataclass(frozen=True)
class Job(Generic[Result]):
    """A draft to ask for: the schema, the task, and what turns a reply into the result."""

    schema: Schema
    task: Task
    judge: Callable[[VariantEntry], Result]  # raises RefusedError
    shown: str  # the schema as the model sees it


@dataclass
class Drafter:
    """A model that drafts; its replies are kept.

    `before_sending` is called with its name and the number of requests that wait, and may raise.
    """

    solver: Solver
    seed: int = 0
    before_sending: BeforeSending = log_requests
    progress: Callable[[int, int], None] = lambda _done, _total: None
    asked: int = field(default=0, init=False)  # requests that were not answered before

    def __post_init__(self) -> None:
        """Refuse a model that does not write."""
        if not isinstance(self.solver, AskingSolver):
            message = f"{self.solver.name} is not asked in words, so it cannot write a draft"
            raise InputError(message, remedy="Name an instruction model: chat:FOLDER_OR_HUB_ID or remote:URL#MODEL.")

    @property
    def settings(self) -> str:
        """How it is asked, as far as that can change a reply."""
        settings = self.solver.settings_for(ANSWER, "en")
        return ", ".join(f"{name}={value}" for name, value in settings.items() if name != "prompts")

    def made(self, task: Task, date: str, draft: str) -> Made:
        """How a draft of this model was made."""
        return Made(
            "model",
            model=self.solver.address or self.solver.name,
            fingerprint=self.solver.fingerprint,
            prompt=f"sha:{task.hash}",
            settings=self.settings or None,
            date=date,
            draft=draft,
        )

    def drafts(self, jobs: Sequence[Job[Result]]) -> tuple[list[tuple[Job[Result], Result, Made]], list[Refusal]]:
        """What passes, with how it was made, and what does not pass in two tries."""
        conversations = [job.task.messages(job.shown) for job in jobs]
        passed: dict[int, tuple[Job[Result], Result, Made]] = {}
        refusals: dict[int, Refusal] = {}
        waiting = list(range(len(jobs)))
        for _ in range(2):
            replies = self._replies([conversations[number] for number in waiting])
            for number, (reply, date) in zip(waiting, replies, strict=True):
                job = jobs[number]
                try:
                    entry = draft_in(reply, job.task)
                    passed[number] = (job, job.judge(entry), self.made(job.task, date, entry["text"] or ""))
                except RefusedError as error:
                    shown = " ".join(reply.text.split())[:_SHOWN]
                    refusals[number] = Refusal(job.schema.id, job.task.name, str(error), shown)
                    if reply.text:
                        conversations[number] += _second_try(job, reply, str(error))
            waiting = [number for number in waiting if number not in passed]
        return [passed[n] for n in sorted(passed)], [refusals[n] for n in sorted(refusals) if n not in passed]

    def _replies(self, conversations: Sequence[list[dict[str, str]]]) -> list[tuple[Reply, str]]:
        """The reply to each conversation, with its date: those that are kept, and those that are asked for now."""
        keys = [self._key(conversation) for conversation in conversations]
        kept = {number: value for number, key in enumerate(keys) if (value := recall(key)) is not None}
        missing = [number for number in range(len(keys)) if number not in kept]
        if missing and self.solver.sends_requests:
            self.before_sending(self.solver.name, len(missing))
        if missing:
            self.solver.prepare()
        self.progress(len(kept), len(keys))
        for start in range(0, len(missing), _AT_ONCE):
            batch = missing[start : start + _AT_ONCE]
            requests = [ChatRequest(conversations[number], self.seed) for number in batch]
            date = datetime.now(UTC).date().isoformat()

            def keep(place: int, reply: Reply, batch: Sequence[int] = batch, date: str = date) -> None:
                if not reply.failure:  # which may not last
                    remember(keys[batch[place]], asdict(reply) | {"date": date})

            replies = cast("AskingSolver", self.solver).replies(requests, keep)
            kept |= {n: asdict(reply) | {"date": date} for n, reply in zip(batch, replies, strict=True)}
            self.asked += len(batch)
            self.progress(len(kept), len(keys))
        return [_dated(kept[number]) for number in range(len(keys))]

    def _key(self, conversation: Sequence[Mapping[str, str]]) -> list[object]:
        return ["draft", self.solver.name, self.solver.fingerprint, self.settings, self.seed, list(conversation)]


def _dated(value: Mapping[str, Any]) -> tuple[Reply, str]:
    return Reply(**{name: inner for name, inner in value.items() if name != "date"}), value["date"]


def _second_try(job: Job[Result], reply: Reply, reason: str) -> list[dict[str, str]]:
    """The question again, after what was wrong: a small model continues in the form of the last turn."""
    demand = f"This cannot be used: {reason}. Try again. {job.task.command}\n{job.shown}"
    return [{"role": "assistant", "content": reply.text}, {"role": "user", "content": demand}]


# Variants


@dataclass(frozen=True)
class DraftedVariants:
    """Proposals by kind and schema, and what did not pass."""

    proposed: dict[str, dict[str, Proposed]]
    refused: tuple[Refusal, ...]


def draft_variants(collection: Collection, kinds: Sequence[str], drafter: Drafter) -> DraftedVariants:
    """Drafts of the variants that the schemas do not have yet, as proposals."""
    for kind in kinds:
        if kind not in REWRITINGS:
            remedy = f"Kinds that a model can draft: {', '.join(REWRITINGS)}."
            raise InputError(f"variants of kind {kind!r} are not drafted by a model", remedy=remedy)
    jobs: list[Job[tuple[Variant, ...]]] = []
    refused: list[Refusal] = []
    for kind in kinds:  # together, since servers keep what requests begin with
        task = variant_task(kind, collection.language)
        for schema in collection.schemas:
            if kind in schema.kinds or kind in {statement.kind for statement in schema.impossible}:
                continue
            shown = shown_schema(schema)
            if shown is None:
                refused.append(Refusal(schema.id, kind, _IN_ONE_TEXT, ""))
            else:
                jobs.append(Job(schema, task, partial(accepted, schema, kind, language=collection.language), shown))
    passed, failed = drafter.drafts(jobs)
    proposed: dict[str, dict[str, Proposed]] = {}
    for job, variants, made in passed:
        reason = f"drafted by {made.model}: is it natural, and does each version keep its answer?"
        of_model = tuple(replace(variant, made=made) for variant in variants)
        proposed.setdefault(job.task.name, {})[job.schema.id] = Proposed(of_model, reason)
    return DraftedVariants(proposed, (*refused, *failed))


def read_blind(
    collection: Collection,
    proposed: Mapping[str, Mapping[str, Proposed]],
    reader: Solver,
    before_sending: BeforeSending = log_requests,
) -> dict[str, dict[str, Proposed]]:
    """The proposals with the answers of a model that did not draft them; where these differ, the reason says so."""
    result: dict[str, dict[str, Proposed]] = {}
    for kind, by_schema in proposed.items():
        schemas = [
            Schema(name, as_items(proposal.variants), made=_made(proposal)) for name, proposal in by_schema.items()
        ]
        drafts = replace(collection, name=f"{collection.name}-{kind}", schemas=tuple(schemas), file="")
        for name, (made, doubts) in answer_blind(drafts, reader, before_sending).items():
            variants = tuple(replace(variant, made=made) for variant in by_schema[name].variants)
            reason = "; ".join([by_schema[name].reason, *doubts])
            result.setdefault(kind, {})[name] = Proposed(variants, reason)
    return result


def answer_blind(
    drafts: Collection, reader: Solver, before_sending: BeforeSending = log_requests
) -> dict[str, tuple[Made, list[str]]]:
    """By schema: how the draft was made, with the answers of a model that did not draft it, and where these differ."""
    identity = (reader.address or reader.name, reader.fingerprint)
    made = {schema.id: schema.made or BY_RULE for schema in drafts.schemas}
    if any(set(identity) & {how.model, how.fingerprint} for how in made.values()):
        message = f"{identity[0]} wrote these drafts, so it cannot read them blind"
        raise InputError(message, remedy="Name another model with --read-by.")
    models = (ModelSpec.of(reader, Options()),)
    spec = RunSpec.checked(collections=(drafts,), models=models, allow_overlap=True, takes_first_default=True)
    (run,) = Session(spec, before_sending=before_sending).runs()
    result = {}
    for schema in drafts.schemas:
        choices = {item: run[item.id].choice for item in schema.items}
        doubts = [
            f"{item.id}: {identity[0]} answers {'nothing' if choice is None else choice}, the draft says {item.answer}"
            for item, choice in choices.items()
            if item.answer is not None and choice != item.answer
        ]
        answers = (*made[schema.id].read_by, BlindAnswer(*identity, agrees=not doubts))
        result[schema.id] = (replace(made[schema.id], read_by=answers), doubts)
    return result


def _made(proposal: Proposed) -> Made:
    return proposal.variants[0].made or BY_RULE


# Translations


@dataclass(frozen=True)
class DraftedTranslations:
    """By the source's ids, the schemas as a model translates them, and what did not pass."""

    drafts: dict[str, Schema]
    refused: tuple[Refusal, ...]


def draft_translations(source: Collection, to: str, drafter: Drafter, ids: Sequence[str] = ()) -> DraftedTranslations:
    """Drafts of text and candidates in another language, of all schemas or of those named."""
    target = language_tag(to)
    task = translation_task(source.language, target)
    jobs: list[Job[Schema]] = []
    refused: list[Refusal] = []
    for schema in to_translate(source, to, ids):
        shown = shown_schema(schema)
        if shown is None:
            refused.append(Refusal(schema.id, task.name, _IN_ONE_TEXT, ""))
        else:
            jobs.append(Job(schema, task, partial(translated, schema, source.language, target=target), shown))
    passed, failed = drafter.drafts(jobs)
    drafts = {job.schema.id: replace(draft, made=made) for job, draft, made in passed}
    return DraftedTranslations(drafts, (*refused, *failed))
