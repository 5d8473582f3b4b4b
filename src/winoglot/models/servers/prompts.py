"""The prompts of instruction models, one file per language or a file of your own, and the solved examples they show."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Required

from winoglot.errors import InputError, error_path
from winoglot.files import decode, read_bytes
from winoglot.languages.base import function_words
from winoglot.languages.readings import readings
from winoglot.languages.windows import window
from winoglot.models.base import Question
from winoglot.models.shots import Marks, apart_from
from winoglot.schemas.documents import read_yaml
from winoglot.schemas.entries import Entry, Index, SchemaEntry, Text, about
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.text import language_tag, primary
from winoglot.schemas.validation import check_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = Path(__file__).parent.parent / "prompts"
RENDERING = "1"  # raise it when the functions below render the same prompt differently
_LARGEST = 2**20
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_KNOWN = ("text", "marked", "pronoun", "blanked", "question", "options", "sentences", "labels")


class PromptsEntry(Entry, total=False):
    """The content of a file of prompts."""

    language: Required[Annotated[Text, about("the language the prompts are written in")]]
    version: Required[Annotated[Index, about("raised with every change")]]
    labels: Required[Annotated[list[Text], about("what the options are called: A, B, …")]]
    prompts: Required[Annotated[dict[str, Text], about("by name, the default first")]]
    leads: Annotated[list[Text], about("what a reply may say before a label: 'the answer is'")]
    refusals: Annotated[list[Text], about("what a reply says that refuses to answer")]
    examples: Annotated[list[SchemaEntry], about("solved schemas of one item each, shown before the question")]


@dataclass(frozen=True)
class Prompts:
    """The prompts of a language."""

    language: str
    labels: tuple[str, ...]
    templates: Mapping[str, str]
    leads: tuple[str, ...]
    refusals: tuple[str, ...]
    examples: tuple[Question, ...]
    hash: str

    def template(self, name: str | None, question: Question) -> str | None:
        """The template of that name, by default the first that fits; None if it does not fit."""
        parts = _parts(question)
        templates = self.templates.values() if name is None else (self.templates[name],)
        return next((template for template in templates if parts.keys() >= _placeholders(template)), None)

    def render(self, template: str, question: Question, order: Sequence[int]) -> str:
        """The question as the model sees it, with its options in that order of candidates.

        >>> english = prompts_for("en")
        >>> print(english.render(english.templates["sentence"], english.examples[1], (1, 0)))
        Only one of these sentences describes something that could well happen:
        <BLANKLINE>
        A) Tom lent Felix an umbrella because Felix had left his own at home.
        B) Tom lent Felix an umbrella because Tom had left his own at home.
        <BLANKLINE>
        Which one? Reply with its letter alone: A, B.
        """
        labels = self.labels[: len(order)]
        parts = _parts(question)
        for name in ("options", "sentences"):
            if name in parts:
                ordered_texts = (parts[name][index] for index in order)
                parts[name] = "\n".join(f"{label}) {text}" for label, text in zip(labels, ordered_texts, strict=True))
        parts["labels"] = ", ".join(labels)
        return _PLACEHOLDER.sub(lambda match: parts[match[1]], template)

    def options(self, template: str, question: Question) -> tuple[str, ...]:
        """What the labels stand for in that template, for each candidate."""
        labelled: tuple[str, ...] = _parts(question)["options" if "{options}" in template else "sentences"]
        return labelled

    def shown(self, shots: int, evaluated: Marks = frozenset()) -> tuple[Question, ...]:
        """The first examples that are not of an evaluated schema (recognised by `marks_of`); too few are an error."""
        usable = apart_from(evaluated, self.examples)
        if shots > len(usable):
            excluded = len(self.examples) - len(usable)
            reason = f" ({excluded} more are of schemas under evaluation, by id or text)" if excluded else ""
            raise InputError(
                f"there are {len(usable)} examples in {self.language} to show, not {shots}{reason}",
                remedy="Give fewer with --option shots=N, or prompts of your own with --option prompts=FILE.",
            )
        return usable[:shots]

    def messages(
        self, template: str, question: Question, order: Sequence[int], examples: Sequence[Question] = ()
    ) -> list[dict[str, str]]:
        """The conversation: solved examples, then the question."""
        conversation = []
        for example in examples:
            natural = range(example.item.candidate_count)
            answer = self.labels[example.item.answer or 0]
            conversation += [_message("user", self.render(template, example, natural)), _message("assistant", answer)]
        return [*conversation, _message("user", self.render(template, question, order))]


def packaged() -> list[Prompts]:
    """The prompts of every language."""
    return [read_prompts(path) for path in sorted(FOLDER.glob("*.yaml"))]


def prompts_for(language: str) -> Prompts:
    """The packaged prompts of a language."""
    languages = sorted(path.stem for path in FOLDER.glob("*.yaml"))
    name = primary(language)
    if name not in languages:
        raise InputError(
            f"there are no prompts in {language or 'no language'!r}",
            remedy=f"Ask in another language with --option prompt-language=en (known: {', '.join(languages)}), "
            "or in your own words with --option prompts=FILE.",
        )
    return read_prompts(FOLDER / f"{name}.yaml")


def hash_of_all() -> str:
    """A hash of the packaged prompts of every language."""
    return hashlib.sha256("".join(prompts.hash for prompts in packaged()).encode()).hexdigest()


@cache
def read_prompts(path: Path) -> Prompts:
    """The prompts in a file; a mistake in it is an InputError with its line."""
    data = read_bytes(path, _LARGEST)
    document = read_yaml(decode(data, str(path)), str(path))
    with document.locating():
        entry: PromptsEntry = check_entry(PromptsEntry, document.value)
        return _prompts(entry, hashlib.sha256(RENDERING.encode() + data).hexdigest())


def _prompts(entry: PromptsEntry, mark: str) -> Prompts:
    with error_path("language"):
        language = language_tag(entry["language"])
    with error_path("labels"):
        if len(entry["labels"]) < 2 or len({label.casefold() for label in entry["labels"]}) < len(entry["labels"]):
            raise InputError("expected two or more different labels", remedy="Write [A, B, C, D].")
    if not entry["prompts"]:
        raise InputError("there is no prompt", remedy="Write one with {marked} and {options}.", path=("prompts",))
    for name, template in entry["prompts"].items():
        with error_path("prompts", name):
            _check_template(template)
    examples = []
    for index, schema in enumerate(entry.get("examples", [])):
        with error_path("examples", index):
            examples.append(_example(schema, language))
    return Prompts(
        language,
        tuple(entry["labels"]),
        entry["prompts"],
        tuple(entry.get("leads", ())),
        tuple(entry.get("refusals", ())),
        tuple(examples),
        mark,
    )


def _check_template(template: str) -> None:
    placeholders = [match[1] for match in _PLACEHOLDER.finditer(template)]
    for name in placeholders:
        if name not in _KNOWN:
            raise InputError(f"there is no placeholder {{{name}}}", remedy=f"Known: {', '.join(_KNOWN)}.")
    if ("options" in placeholders) == ("sentences" in placeholders):
        raise InputError("a prompt needs {options} or {sentences}, and not both", remedy="Write one of the two.")


def _example(entry: SchemaEntry, language: str) -> Question:
    schema = parse_schema(entry, function_words(language))
    item = schema.items[0]
    if len(schema.items) > 1 or item.answer is None:
        raise InputError("an example is one item with its answer", remedy="Write no alternatives, and answers: [0].")
    example_readings = readings(item, "grammatical", language=language)
    return Question(item, language, tuple(example_readings), window(item, example_readings))


def _parts(question: Question) -> dict[str, Any]:
    """What a template can show of the question, as far as the item has it."""
    item = question.item
    parts: dict[str, Any] = {"labels": ""}
    if len(question.readings) == item.candidate_count:
        parts["sentences"] = tuple(reading.text for reading in question.readings)
    if item.text is None or item.pronoun is None:
        return parts
    text_before, word, after = (
        item.text[: item.pronoun.start],
        item.pronoun.of(item.text),
        item.text[item.pronoun.end :],
    )
    parts |= {"text": item.text, "blanked": f"{text_before}___{after}"}
    parts["options"] = tuple(candidate.text for candidate in item.candidates)
    if item.pronoun_form == "word":
        parts |= {"marked": f"{text_before}**{word}**{after}", "pronoun": word}
    if item.question:
        parts["question"] = item.question
    return parts


def _placeholders(template: str) -> set[str]:
    return {match[1] for match in _PLACEHOLDER.finditer(template)}


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
