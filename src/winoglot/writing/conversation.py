"""What a model is asked for a draft, and what its reply says.

Each task (a kind of variant, or a translation) has a file in `prompts/`, with examples in nine languages; `reply.txt`
says how a draft is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Required, cast

from winoglot.errors import InputError
from winoglot.languages.base import function_words
from winoglot.models.servers.answers import CUT_OFF, Reply, is_thinking, without_thoughts
from winoglot.schemas.documents import read_yaml
from winoglot.schemas.entries import Entry, Index, Text, VariantEntry
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Item, Schema
from winoglot.schemas.serialise import serialise_schema
from winoglot.schemas.text import primary
from winoglot.schemas.validation import check_entry
from winoglot.writing.acceptance import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

_LINE = re.compile(r"^[\s*`#>-]*(text|candidates)[*`\s]*[:：][*`]*[ \t]*(.*?)[*`\s]*$", re.IGNORECASE | re.MULTILINE)
_BETWEEN = re.compile(r"\s*\|\s*(?![^\[\]]*\])")  # candidates, but not the alternatives of one
_MISCLOSED = re.compile(r"(\[[^\[\]{}]*\|[^\[\]{}]*)\}")  # alternatives that end in a brace, a slip of small models
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
    entry, names = _entry("translation"), languages_with_examples()
    examples = entry["examples"]
    for language in (source, target):
        if primary(language) not in names:
            known = ", ".join(names)
            raise InputError(f"there are no prompts for drafts in {language!r}", remedy=f"Known: {known}.")
    instructions, command = f"{entry['instructions']}\n\n{_reply_form()}", entry["command"]
    for mark, language in (("<source>", source), ("<target>", target)):
        name = names[primary(language)]
        instructions, command = instructions.replace(mark, name), command.replace(mark, name)
    pairs = zip(examples[primary(source)], examples[primary(target)], strict=True)
    turns = tuple(tuple(as_shown(one["text"], one["candidates"]) for one in pair) for pair in pairs)
    return Task("translation", instructions, command, cast("tuple[tuple[str, str], ...]", turns))


def languages_with_examples() -> dict[str, str]:
    """The languages for which the prompts have examples, with their English names."""
    return _entry("translation")["names"]


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


def draft_in(reply: Reply, task: Task) -> VariantEntry:
    """The text and the candidates that a reply to a task gives; RefusedError if there is no text of its own.

    >>> reply = Reply("Sure!\\ntext: Rita rang. {She} [sang|wept].\\ncandidates: Rita | Ana")
    >>> draft_in(reply, variant_task("tense", "en"))
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
    first_line = text.splitlines()[0]
    if "text" not in lines and "candidates" in lines and "{" in first_line:
        lines["text"] = first_line  # without its label
    if not lines.get("text"):
        raise RefusedError("the reply has no line that begins with 'text:'")
    lines["text"] = _MISCLOSED.sub(r"\1]", lines["text"])
    if any(answer.splitlines()[0] == f"text: {lines['text']}" for _, answer in task.examples):
        raise RefusedError("the reply repeats an example")
    entry: VariantEntry = {"text": lines["text"]}
    if lines.get("candidates"):
        entry["candidates"] = [_unquoted(name) for name in _BETWEEN.split(lines["candidates"])]
    return entry


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]
    return text[1:-1].strip() if is_quoted else text.strip()
