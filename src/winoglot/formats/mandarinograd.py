"""Mandarinograd's two JSON forms, and the French collection's JSON, which is like the second.

Inference pairs, `{"text", "hypothesis", "class_id"}`: whether the text entails the hypothesis. No pronoun is marked, so
an item is its inference pairs.

Questions, `{"text", "question", "correct_answer", "wrong_answer"}`: no pronoun is marked, unless `masked_text` repeats
the text with a mask in its place; `importing.pronoun_choice` finds the one that the question asks for. `id` numbers the
rows, `french_schema_no` the schemas.

The objects are a list, the values of an object, or one per line. Chinese, which comes split into words, is joined.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, describe, located
from winoglot.formats.importing.grouping import group_pairs
from winoglot.formats.importing.labels import parse_list
from winoglot.formats.importing.pronoun_choice import unmarked_pronoun
from winoglot.formats.importing.repairs import join_words
from winoglot.formats.importing.rows import SourceRow, build_collection
from winoglot.formats.importing.sources import json_errors, json_objects, without_duplicates
from winoglot.schemas.model import Inference
from winoglot.schemas.spans import Span
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection

SUFFIXES = ()
_PAIR = ("text", "hypothesis", "class_id")
_QUESTION = ("text", "question", "correct_answer", "wrong_answer")
_LABELS = {"1": True, "0": False}
_MASK = re.compile(r"\[MASK\]|<mask>|_+", re.IGNORECASE)


def sniff(head: str) -> bool:
    """The first object has the keys of one of the forms."""
    first = head.lstrip("[{ \t\r\n").partition("}")[0]
    return head.lstrip()[:1] in ("[", "{") and any(
        all(f'"{key}"' in first for key in keys) for keys in (_PAIR, _QUESTION)
    )


def read(file: InputFile) -> Collection:
    """Read the objects; those with the same text are one item of inference pairs."""
    objects = _objects(file)
    texts = [value["text"] for _, value in objects if isinstance(value, dict) and isinstance(value.get("text"), str)]
    is_chinese = any(is_unspaced(character) for text in texts[:20] for character in text)
    is_french = any(isinstance(value, dict) and "french_schema_no" in value for _, value in objects)
    language = file.language or ("zh" if is_chinese else "fr" if is_french else "")
    if not language:
        raise InputError("the file does not name its language", remedy="Name it with --language.", file=file.label)
    rows: list[SourceRow] = []
    pairs: dict[str, SourceRow] = {}
    for line, value in objects:
        name = str(value.get("id") or line) if isinstance(value, dict) else str(line)
        with file.skipping(line, f"object {name}") as repaired:
            entry = _checked(value)
            if "hypothesis" in entry and "class_id" in entry:
                pair = Inference(entry["text"], entry["hypothesis"], _LABELS[entry["class_id"]])
                row = pairs.get(pair.premise, SourceRow(line, name))
                pairs[pair.premise] = replace(row, inferences=(*row.inferences, pair))
            else:
                rows.append(_row(SourceRow(line, name), entry, language, repaired))
    return build_collection([*rows, *group_pairs(list(pairs.values()))], file, language)


def _objects(file: InputFile) -> list[tuple[int, Any]]:
    """The objects of the file, each with its line if that is known."""
    text = file.text.strip()
    if text.startswith("["):
        return parse_list(file)
    first = text.partition("\n")[0]
    with located(file=file.label), json_errors():
        try:
            whole = json.loads(text, object_pairs_hook=without_duplicates)
        except json.JSONDecodeError:
            if not first.rstrip().endswith("}"):
                raise
            return list(json_objects(file, ("text",)))
    if isinstance(whole, dict) and all(isinstance(value, dict) for value in whole.values()):
        return [(1, {"id": key} | value) for key, value in whole.items()]
    return [(1, whole)]


def _checked(value: object) -> dict[str, str]:
    """The values of an object's keys as text, Chinese words joined; an input error if a key is missing or odd."""
    if not isinstance(value, dict):
        raise InputError(f"expected an object, found {describe(value)}")
    keys = _PAIR if "hypothesis" in value and "class_id" in value else _QUESTION
    for key in keys:
        if not isinstance(value.get(key), str) or not value[key].strip():
            raise InputError(f"{key}: expected text, found {describe(value.get(key))}")
    if keys is _PAIR and value["class_id"].strip() not in _LABELS:
        raise InputError(f'class_id: expected "0" or "1", found {describe(value["class_id"])}')
    texts = {key: str(item) for key, item in value.items() if isinstance(item, str | int)}
    return {key: join_words(" ".join(text.split())) for key, text in texts.items()}


def _row(base: SourceRow, entry: dict[str, str], language: str, repaired: Repaired) -> SourceRow:
    text, question = entry["text"], entry["question"]
    candidates = (entry["correct_answer"], entry["wrong_answer"])
    pronoun = _masked(text, entry.get("masked_text", ""))
    if pronoun is None:
        pronoun = unmarked_pronoun(text, question, candidates, language, repaired)
    return replace(
        base,
        candidates=candidates,
        answer=0,
        text=text,
        pronoun=pronoun,
        question=question,
        group=entry.get("french_schema_no"),
    )


def _masked(text: str, masked: str) -> Span | None:
    """Which part of the text a copy of it has masked; None if that does not show.

    >>> _masked("Ann saw that she won.", "Ann saw that [MASK] won.")
    Span(start=13, end=16)
    """
    masks = list(_MASK.finditer(masked))
    if len(masks) != 1:
        return None
    before, after = masked[: masks[0].start()], masked[masks[0].end() :]
    is_copy = text.startswith(before) and text.endswith(after) and len(before) + len(after) < len(text)
    return Span(len(before), len(text) - len(after)) if is_copy else None
