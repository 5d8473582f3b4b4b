"""Drafts from a model: it is asked in words, and a person sees what passes (`acceptance`).

Each task (a kind of variant, or a translation) has a file in `prompts/`, with examples in nine languages; `reply.txt`
says how a draft is written. Nothing is asked twice: replies are kept in the user's cache as they come, so that
a command that was stopped goes on when it is repeated. A draft that is refused is tried once more, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Generic, Required, TypeVar, cast

from winoglot.errors import InputError
from winoglot.folders import recall, remember
from winoglot.languages.base import function_words
from winoglot.languages.rewriting import REWRITINGS
from winoglot.models.base import ANSWER, Options, Solver
from winoglot.models.servers.answers import CUT_OFF, Reply, is_thinking, without_thoughts
from winoglot.models.servers.asking import AskingSolver, ChatRequest
from winoglot.perturb.base import Proposed
from winoglot.runs.session import BeforeSending, Session, log_requests
from winoglot.runs.spec import ModelSpec, RunSpec
from winoglot.schemas.documents import read_yaml
from winoglot.schemas.entries import Entry, Index, Text, VariantEntry
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import BY_RULE, BlindAnswer, Collection, Item, Made, Schema
from winoglot.schemas.serialise import serialise_schema
from winoglot.schemas.text import primary
from winoglot.schemas.validation import check_entry
from winoglot.writing.acceptance import RefusedError, accepted, as_items
from winoglot.writing.proposals import Refusal

if TYPE_CHECKING:
    from winoglot.schemas.model import Variant

Result = TypeVar("Result")
ROOM = "400"  # tokens of a reply, unless the model's options say otherwise
_AT_ONCE = 8  # requests whose replies are lost if the server stops
_SHOWN = 300  # characters of a refused reply
_LINE = re.compile(r"^[\s*`#>-]*(text|candidates)[*`\s]*[:：][*`]*[ \t]*(.*?)[*`\s]*$", re.IGNORECASE | re.MULTILINE)
_BETWEEN = re.compile(r"\s*\|\s*(?![^\[\]]*\])")  # candidates, but not the alternatives of one
_QUOTES = {'"': '"', "“": "”", "«": "»", "「": "」", "'": "'"}


class ExampleEntry(Entry, total=False):
    """A text and, for a kind of variant, what a model should make of it."""

    text: Required[Text]
    candidates: Required[list[Text]]
    draft: Text
    new_candidates: list[Text]


class TaskEntry(Entry, total=False):
    """The content of a file of `prompts/`."""

    version: Required[Index]
    instructions: Required[Text]
    command: Required[Text]
    names: dict[str, Text]
    examples: Required[dict[str, list[ExampleEntry]]]


@dataclass(frozen=True)
class Task:
    """What a model is asked to do with a text: the first message, and solved examples."""

    name: str
    instructions: str
    command: str  # repeated before each text
    examples: tuple[tuple[str, str], ...]  # what the model is shown, and what it should reply

    @property
    def hash(self) -> str:
        """The hash of everything but the text itself."""
        return digest([self.instructions, self.command, self.examples])[:8]

    def messages(self, shown: str) -> list[dict[str, str]]:
        """The conversation that ends with a text."""
        turns = [text for example in self.examples for text in example] + [shown]
        turns[::2] = [f"{self.command}\n{text}" for text in turns[::2]]
        turns[0] = f"{self.instructions}\n\n{turns[0]}"
        return [
            {"role": "assistant" if number % 2 else "user", "content": content} for number, content in enumerate(turns)
        ]


def variant_task(kind: str, language: str) -> Task:
    """The task of drafting a variant of a kind; in a language without examples, these are English."""
    entry = _entry(kind)
    examples = entry["examples"].get(primary(language), entry["examples"]["en"])
    turns = tuple(
        (
            as_shown(example["text"], example["candidates"]),
            as_shown(example["draft"], example.get("new_candidates", example["candidates"])),
        )
        for example in examples
    )
    return Task(kind, f"{entry['instructions']}\n\n{_reply_form()}", entry["command"], turns)


def translation_task(source: str, target: str) -> Task:
    """The task of translating a schema from one language into another."""
    entry = _entry("translation")
    names, examples = entry["names"], entry["examples"]
    for language in (source, target):
        if primary(language) not in names:
            known = ", ".join(names)
            raise InputError(f"no drafts are asked for in {language!r}", remedy=f"Known: {known}.")
    instructions, command = f"{entry['instructions']}\n\n{_reply_form()}", entry["command"]
    for mark, language in (("<source>", source), ("<target>", target)):
        name = names[primary(language)]
        instructions, command = instructions.replace(mark, name), command.replace(mark, name)
    pairs = zip(examples[primary(source)], examples[primary(target)], strict=True)
    turns = tuple(tuple(as_shown(one["text"], one["candidates"]) for one in pair) for pair in pairs)
    return Task("translation", instructions, command, cast("tuple[tuple[str, str], ...]", turns))


@cache
def _entry(name: str) -> TaskEntry:
    file = files(__package__).joinpath("prompts", f"{name}.yaml")
    entry: TaskEntry = check_entry(TaskEntry, read_yaml(file.read_text(encoding="utf-8"), file.name).value)
    return entry


@cache
def _reply_form() -> str:
    return files(__package__).joinpath("prompts", "reply.txt").read_text(encoding="utf-8")


def as_shown(text: str, candidates: Sequence[str]) -> str:
    """A schema as a model is shown it, and as it writes a draft."""
    return f"text: {text}\ncandidates: {' | '.join(candidates)}"


def shown_schema(schema: Schema) -> str | None:
    """What a model is shown of a schema; None if its items cannot be written as one text with alternatives."""
    names = ("schema_id", "text", "pronoun", "candidates", "answer", "segment")
    items = tuple(Item(item.id, **{name: getattr(item, name) for name in names}) for item in schema.items if item.text)
    if len(items) < len(schema.items):
        return None
    entry = serialise_schema(Schema(schema.id, items), function_words(schema.items[0].language))
    return as_shown(entry["text"], entry["candidates"]) if {"text", "candidates"} <= entry.keys() else None


def draft_in(reply: Reply) -> VariantEntry:
    """The text and the candidates that a reply gives; RefusedError if there is no text.

    >>> draft_in(Reply("Sure!\\ntext: Rita rang. {She} [sang|wept].\\ncandidates: Rita | Ana"))
    {'text': 'Rita rang. {She} [sang|wept].', 'candidates': ['Rita', 'Ana']}
    """
    if reply.failure:
        raise RefusedError(reply.failure)
    text = without_thoughts(reply.text)
    if not text:
        raise RefusedError("the thoughts never end" if is_thinking(reply.text) else "the reply is empty")
    lines = {match[1].lower(): _unquoted(match[2]) for match in reversed(list(_LINE.finditer(text)))}
    if reply.cut_off and "candidates" not in lines:
        raise RefusedError(CUT_OFF)
    if not lines.get("text"):
        raise RefusedError("the reply has no line that begins with 'text:'")
    entry: VariantEntry = {"text": lines["text"]}
    if lines.get("candidates"):
        entry["candidates"] = [_unquoted(name) for name in _BETWEEN.split(lines["candidates"])]
    return entry


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]
    return text[1:-1].strip() if is_quoted else text.strip()


# Asking


@dataclass(frozen=True)
class Job(Generic[Result]):
    """One draft to be asked for: of which schema, with which task, and what makes of a reply what is wanted."""

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
                    entry = draft_in(reply)
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
            for number, reply in zip(batch, cast("AskingSolver", self.solver).replies(requests), strict=True):
                kept[number] = asdict(reply) | {"date": date}
                if not reply.failure:  # which may not last
                    remember(keys[number], kept[number])
            self.asked += len(batch)
            self.progress(len(kept), len(keys))
        return [_dated(kept[number]) for number in range(len(keys))]

    def _key(self, conversation: Sequence[Mapping[str, str]]) -> list[object]:
        return ["draft", self.solver.name, self.solver.fingerprint, self.settings, self.seed, list(conversation)]


def _dated(value: Mapping[str, Any]) -> tuple[Reply, str]:
    return Reply(**{name: inner for name, inner in value.items() if name != "date"}), value["date"]


def _second_try(job: Job[Result], reply: Reply, reason: str) -> list[dict[str, str]]:
    """The question again, after what was wrong: a small model goes on in the form of the last turn."""
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
                refused.append(Refusal(schema.id, kind, "its items cannot be written as one text", ""))
            else:
                jobs.append(Job(schema, task, _judge(schema, kind, collection.language), shown))
    passed, failed = drafter.drafts(jobs)
    proposed: dict[str, dict[str, Proposed]] = {}
    for job, variants, made in passed:
        reason = f"drafted by {made.model}: is it natural, and does each version keep its answer?"
        of_model = tuple(replace(variant, made=made) for variant in variants)
        proposed.setdefault(job.task.name, {})[job.schema.id] = Proposed(of_model, reason)
    return DraftedVariants(proposed, (*refused, *failed))


def _judge(schema: Schema, kind: str, language: str) -> Callable[[VariantEntry], tuple[Variant, ...]]:
    return lambda entry: accepted(schema, kind, entry, language)


def read_blind(
    collection: Collection,
    proposed: Mapping[str, Mapping[str, Proposed]],
    reader: Solver,
    before_sending: BeforeSending = log_requests,
) -> dict[str, dict[str, Proposed]]:
    """The proposals with what a model answers that did not draft them; where it differs, a flag is in the reason."""
    identity = (reader.address or reader.name, reader.fingerprint)
    result: dict[str, dict[str, Proposed]] = {}
    for kind, by_schema in proposed.items():
        if any(set(identity) & {made.model, made.fingerprint} for made in map(_made, by_schema.values())):
            message = f"{identity[0]} drafted these variants, so it cannot read them blind"
            raise InputError(message, remedy="Name another model with --read-by.")
        schemas = tuple(Schema(name, as_items(proposal.variants)) for name, proposal in by_schema.items())
        drafts = replace(collection, name=f"{collection.name}-{kind}", schemas=schemas, file="")
        models = (ModelSpec.of(reader, Options()),)
        spec = RunSpec.checked(collections=(drafts,), models=models, allow_overlap=True, takes_first_default=True)
        (run,) = Session(spec, before_sending=before_sending).runs()
        for schema in drafts.schemas:
            proposal = by_schema[schema.id]
            choices = {item: run[item.id].choice for item in schema.items}
            flags = [
                f"{identity[0]} answers {'nothing' if choice is None else choice} to {item.id}, the draft {item.answer}"
                for item, choice in choices.items()
                if item.answer is not None and choice != item.answer
            ]
            made = _made(proposal)
            made = replace(made, read_by=(*made.read_by, BlindAnswer(*identity, agrees=not flags)))
            variants = tuple(replace(variant, made=made) for variant in proposal.variants)
            result.setdefault(kind, {})[schema.id] = Proposed(variants, "; ".join([proposal.reason, *flags]))
    return result


def _made(proposal: Proposed) -> Made:
    return proposal.variants[0].made or BY_RULE
