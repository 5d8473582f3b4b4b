"""The start of a translation: a YAML file with every field empty, the source beside it and hints above."""

from __future__ import annotations

import json
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError
from winoglot.files import exists, packaged_lines
from winoglot.formats.yaml import SUFFIXES, dump_yaml
from winoglot.languages.base import function_words, language_module
from winoglot.languages.lexicon import lexicon
from winoglot.languages.pronouns import roles_of
from winoglot.loading import path_of
from winoglot.schemas.hashing import digest
from winoglot.schemas.serialise import serialise_schema
from winoglot.schemas.statistics import side_by_side
from winoglot.schemas.text import language_tag
from winoglot.writing.yaml_edits import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from winoglot.schemas.model import Collection, Schema

_WIDTH = 116
_HASH_DIGITS = 8
_TRANSLATED = ("text", "candidates", "question", "hypotheses", "explanation", "terms")
_KEPT = ("answers", "tags")
_TYPES = ("subject", "object", "possessive", "prepositional")
_HOW_TO = (
    'Fill in every "" from the line above it, which is the source. Write what a native speaker would say, not a '
    "word-for-word translation: nouns, names and details may change if the language requires it (say why under note); "
    "keep the order of alternatives and candidates, and the answers, so that languages can be compared.",
    "In every schema: both candidates fit the pronoun in gender, number and kind (person or thing); each of them, put "
    "in the pronoun's place, gives a good sentence with either alternative; and one everyday fact decides.",
    "Marks: {pronoun}, [one|other] alternatives, which questions and hypotheses may have too: one text for both, "
    "or one each. Remove terms that your language does not have.",
)

_HOW_TO_JUDGE = (
    "Where text and candidates are filled in, a model drafted them. Read them as critically as your own, and correct "
    "them; then add your name: judged_by: [Your name]."
)


def skeleton(
    source: Collection,
    to: str,
    ids: Sequence[str] = (),
    *,
    drafts: Mapping[str, Schema] | None = None,
    remarks: Mapping[str, Sequence[str]] | None = None,
    place: str = "SOURCE",
    file: str = "FILE",
) -> str:
    """The YAML text of a translation to be filled in, of all schemas or of those named.

    By the source's ids, `drafts` are schemas of which text and candidates are filled in already, and `remarks` what is
    said about a schema. `place` is where the source was loaded from, `file` what the translation will be called, for
    the commands in it.

    >>> import winoglot as wg
    >>> text = skeleton(wg.load("winoglot-en"), "es", ["train-wave"])
    >>> [line for line in text.splitlines() if line.strip().startswith(("- id:", "text:", "candidates:"))]
    ['  - id: train-wave', '    text: ""', '    candidates: ["", ""]']
    """
    language = language_tag(to)
    schemas = to_translate(source, to, ids)
    origin = f"{source.name} {source.version}"
    citation_note = f" Source: {source.citation}" if source.citation else ""
    commands = (f"While you write: winoglot review {file}", f"Your progress: winoglot status {place} {file}")
    lines = [
        f"# {origin} ({source.language}) to be translated into {language}.",
        "#",
        *_comment((*_HOW_TO, *([_HOW_TO_JUDGE] if drafts else []))),
        *(f"# {' '.join(line.split())}" for line in commands),
        "#",
        f"# Hints for {language}:",
        *_comment([f"- {hint}" for hint in hints(language)]),
        "",
        f"collection: {_plain(_name(source, language))}",
        'version: "0.1"',
        f"language: {_plain(language)}",
        *([f"licence: {quoted(source.licence)}"] if source.licence else []),
        "provenance:",
        *(f"  - {quoted(step)}" for step in source.provenance),  # with its canary, since the comments quote the source
        f"  - {quoted(f'Translated from {origin}.{citation_note}')}",
        "schemas:",
    ]
    for schema in schemas:
        draft, notes = (drafts or {}).get(schema.id), (remarks or {}).get(schema.id, ())
        lines += [*_schema(schema, source, language, draft, notes), ""]
    return "\n".join(lines)


def to_translate(source: Collection, to: str, ids: Sequence[str] = ()) -> list[Schema]:
    """The schemas of a source, all or those named; an input error if they are in that language already."""
    language = language_tag(to)
    if language == source.language:
        raise InputError(
            f"{source.name} is already in {language}", remedy="Name the language to translate into: --to es."
        )
    return [row[0] for row in side_by_side([source], ids).values() if row[0]]


def check_output(path: Path, source: str) -> None:
    """Refuse a file that the writer's tools would not read, or that is the source itself."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            "a translation is a YAML file", remedy=f"End the file name in {' or '.join(SUFFIXES)}.", file=str(path)
        )
    origin = path_of(source)
    if exists(path) and exists(origin) and path.samefile(origin):
        raise InputError("this is the source itself", remedy="Name another file.", file=str(path))


def source_hash(schema: Schema) -> str:
    """A hash of everything that is translated, recorded in the translation: if it changes, the translation is stale.

    It covers text, candidates, answers, question, hypotheses and explanation, but not notes or tags.


    >>> import winoglot as wg
    >>> from dataclasses import replace
    >>> schema = wg.load("winoglot-en").schemas[0]
    >>> source_hash(schema) == source_hash(replace(schema, note="Nicely put."))
    True
    """
    items = [[item.hash, item.question, item.hypotheses] for item in schema.items]
    return digest([items, schema.explanation])[:_HASH_DIGITS]


def hints(tag: str) -> list[str]:
    """What to watch for when writing in a language: the lines of its `hints.txt`, or the general ones.

    >>> hints("pt-PT")[0].startswith("Gender:"), hints("tlh")[-1].startswith("There are no grammar")
    (True, True)
    """
    module = language_module(tag)
    hints = packaged_lines(module.__name__, "hints.txt") if module is not None and hasattr(module, "__path__") else []
    return hints or packaged_lines("winoglot.languages", "hints.txt")


def _name(source: Collection, language: str) -> str:
    """The name of the translation: that of `winoglot-en` into Spanish is `winoglot-es`."""
    for tag in (source.language, source.language.partition("-")[0]):
        if source.name.lower().endswith(f"-{tag.lower()}"):
            return f"{source.name[: -len(tag)]}{language}"
    return f"{source.name}-{language}"


def _schema(
    schema: Schema, source: Collection, language: str, draft: Schema | None, remarks: Sequence[str]
) -> list[str]:
    entry = serialise_schema(schema, function_words(source.language))
    drafted = serialise_schema(draft, function_words(language)) if draft else {}
    lines = [f"- id: {_plain(schema.id)}"]
    if schema.parallel_id != schema.id:
        lines.append(f"  parallel_id: {_plain(schema.parallel_id)}")
    lines += [f"  {line}" for line in _comment(remarks)]
    lines += [f"  {line}" for line in _fields(entry, language, drafted)]
    if "items" in entry:
        lines.append("  items:")
        for item in entry["items"]:
            rows = _fields(item, language, {}, answer=True)
            first = next(number for number, row in enumerate(rows) if not row.startswith("#"))
            lines += [f"    {row}" for row in rows[:first]]
            lines.append(f"    - {rows[first]}")
            lines += [f"      {row}" for row in rows[first + 1 :]]
    origin = {"collection": source.name, "id": schema.id, "hash": source_hash(schema)}
    lines.append(f"  source: {{{', '.join(f'{key}: {quoted(value)}' for key, value in origin.items())}}}")
    if drafted:
        made = dump_yaml({"made": {**drafted["made"], "judged_by": []}})
        lines += [f"  {line}" for line in made.splitlines()]
    if schema.note:
        lines += [f"  {line}" for line in _comment([f"note: {schema.note}"])]
    for kind, variant in entry.get("variants", {}).items():
        text = f"impossible: {variant['impossible']}" if "impossible" in variant else variant.get("text")
        lines += [f"  {line}" for line in _comment([f"variant {kind}: {text}"])] if text else []
    return [f"  {line}" for line in lines]


def _fields(entry: dict[str, Any], language: str, drafted: Mapping[str, Any], *, answer: bool = False) -> list[str]:
    """The keys of an entry: those to translate are drafted, or empty, below their source, the others as they are."""
    lines = _without_text(entry)
    for key, value in entry.items():
        if key in _TRANSLATED and value:
            lines += _comment(_lines_of(value))
            lines.append(f"{key}: {json.dumps(drafted[key], ensure_ascii=False) if key in drafted else _blank(value)}")
        elif key == "mentions":
            lines += _comment([f"mentions in the source: {value}; add yours only if Winoglot asks for them"])
        elif key in _KEPT or (answer and key == "answer"):
            lines += _pronoun_hint(value, language) if key == "tags" else []
            lines.append(f"{key}: {json.dumps(value)}" if key != "tags" else f"tags: [{', '.join(map(_plain, value))}]")
    return lines


def _without_text(entry: dict[str, Any]) -> list[str]:
    """Empty text and candidates for a source without a text, with its readings or inference pairs as the hint."""
    readings, pairs = entry.get("readings"), entry.get("inferences")
    if "text" in entry or not (readings or pairs):
        return []
    if readings:
        hint = "the source has no text, only readings; write a text with a {pronoun} where they differ:"
        texts = [_lines_of([row])[0] for row in readings]
        names = ", ".join('""' for _ in (readings[0] if isinstance(readings[0], list) else readings))
    else:
        verdicts = {True: "follows", False: "does not follow", None: "unknown"}
        hint = "the source has no text, only inferences; write a text with a {pronoun}:"
        texts = [f"{pair['premise']} ⇒ {pair['hypothesis']} ({verdicts[pair.get('entailed')]})" for pair in pairs or ()]
        names = '"", ""'
    return [*_comment([hint, *texts]), 'text: ""', *([] if "candidates" in entry else [f"candidates: [{names}]"])]


def without_text(source: Collection, ids: Sequence[str] = ()) -> list[str]:
    """The schemas, of all or of those named, in which an item has no text to translate."""
    schemas = [row[0] for row in side_by_side([source], ids).values() if row[0]]
    return [schema.id for schema in schemas if any(item.text is None for item in schema.items)]


def _pronoun_hint(tags: list[str], language: str) -> list[str]:
    """The language's pronouns of the same type as the source's."""
    types = [tag for tag in tags if tag in _TYPES]
    forms = [form for form in lexicon(language, "pronouns").entries if set(types) & set(roles_of(form, language))]
    if not forms:
        return []
    return _comment(
        [f"pronoun here: {types[0]}; in {language}: {' '.join(forms)}; change the tag if yours is of another type"]
    )


def _lines_of(value: Any) -> list[str]:
    """A field of the source for people to read, with one line per inner list."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [f"{key}: {_lines_of(inner)[0]}" for key, inner in value.items()]
    if any(isinstance(row, list) for row in value):
        return [" / ".join(map(str, row)) if isinstance(row, list) else str(row) for row in value]
    return [" / ".join("–" if element is None else str(element) for element in value)]


def _blank(value: Any) -> str:
    """A value of the same form with empty texts, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_blank(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_blank, value))}]"
    return '""'


def _comment(lines: Sequence[str]) -> list[str]:
    pieces = (wrap(line, _WIDTH, subsequent_indent="  ", break_long_words=False) or [""] for line in lines)
    return [f"# {piece}" for row in pieces for piece in row]


def _plain(text: str) -> str:
    """A word without quotes, unless YAML would read it as something else: null, no, 001."""
    try:
        return text if yaml.safe_load(f"[{text}]") == [text] else quoted(text)
    except yaml.YAMLError:
        return quoted(text)
