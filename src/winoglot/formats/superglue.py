"""SuperGLUE's WSC and CLUEWSC2020: JSON Lines, one row per candidate.

A row says whether the pronoun refers to its candidate:
`{"text", "target": {"span1_index", "span1_text", "span2_index", "span2_text"}, "idx", "label"}`: the first span is the
candidate, the second the pronoun; an index counts words separated by spaces. In CLUEWSC2020, which is Chinese, it
counts characters, and the label is the text "true" or "false". Not yet tried on the published files.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, describe
from winoglot.formats.base import what_is_lost
from winoglot.formats.importing.repairs import fix_pronoun
from winoglot.formats.importing.rows import SourceRow, build_collection
from winoglot.formats.importing.sources import json_objects
from winoglot.languages.readings import naive_readings
from winoglot.schemas.mentions import whole_words
from winoglot.schemas.model import Inference
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection, Item

SUFFIXES = ()
_KEYS = ("text", "target")
_LABELS = {"true": True, "false": False}  # as CLUEWSC2020 writes them


@dataclass(frozen=True)
class _Claim:
    """One row: that the pronoun refers to a candidate, or that it does not."""

    line: int
    source_id: str
    text: str
    pronoun: Span
    candidate: str
    mentions: tuple[Span, ...]
    label: bool | None


def sniff(head: str) -> bool:
    """The first line is a JSON object with a text and two spans."""
    line = head.lstrip().partition("\n")[0]
    return line.startswith("{") and all(f'"{key}"' in line for key in (*_KEYS, "span1_text", "span2_text"))


def read(file: InputFile) -> Collection:
    """Read the rows; those with the same text and pronoun are one item. Without `file.language`, Chinese or English."""
    items: dict[tuple[str, Span], list[_Claim]] = {}
    for number, value in json_objects(file, _KEYS):
        idx = value.get("idx")
        name = str(idx).strip() if isinstance(idx, int | str) and str(idx).strip() else str(number)
        with file.skipping(number, f"row {name}") as repaired:
            claim = _claim(number, name, value, repaired)
            _add(items.setdefault((claim.text, claim.pronoun), []), claim, file)
    is_chinese = any(is_unspaced(character) for text, _ in items for character in text)
    language = file.language or ("zh" if is_chinese else "en")
    rows = [_with_labels(fix_pronoun(_row(claims), language, file), claims, file) for claims in items.values()]
    return build_collection(rows, file, language)


def _claim(number: int, name: str, value: dict[str, Any], repaired: Repaired) -> _Claim:
    text, target, label = value["text"], value["target"], value.get("label")
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"text: expected text, found {describe(text)}")
    if not isinstance(target, dict):
        raise InputError(f"target: expected a mapping, found {describe(target)}")
    label = _LABELS.get(label, label) if isinstance(label, str) else label
    if label is not None and not isinstance(label, bool):
        raise InputError(f"label: expected true or false, found {describe(label)}")
    text = text.rstrip()
    mention, pronoun = (_span(text, target, key, repaired) for key in ("span1", "span2"))
    if mention == pronoun:
        raise InputError("its candidate is the pronoun itself")
    return _Claim(number, name, text, pronoun, " ".join(target["span1_text"].split()), (mention,), label)


def _span(text: str, target: dict[str, Any], key: str, repaired: Repaired) -> Span:
    """The span of the words at their index; if they are not there, the nearest place that has them."""
    words, index = target.get(f"{key}_text"), target.get(f"{key}_index")
    if not isinstance(words, str) or not words.strip():
        raise InputError(f"target.{key}_text: expected text, found {describe(words)}")
    if any(map(is_unspaced, text)):
        tokens = list(range(len(text)))
        span = Span(index, index + len(words)) if type(index) is int and text.startswith(words, index) else None
    else:
        tokens = [match.start() for match in re.finditer(r"\S+", text)]
        span = locate(text, index, words)
    if span is not None:
        return span
    places = whole_words(text, words)
    expected_start = tokens[index] if type(index) is int and 0 <= index < len(tokens) else None
    if not places or (len(places) > 1 and expected_start is None):
        occurrence = f"occurs {len(places)} times" if places else "does not occur"
        raise InputError(f"{words!r} {occurrence} in its text, and not at {key}_index {describe(index)}")
    place = places[0] if expected_start is None else min(places, key=lambda span: abs(span.start - expected_start))
    why = f"it is not at {key}_index {describe(index)}; read as the one at character {place.start}"
    repaired(why, of=repr(words))
    return place


def locate(text: str, index: object, words: str) -> Span | None:
    """Where the words begin inside the text's word with that index, ignoring punctuation before them; None: not there.

    >>> locate('Lea said "it fell".', 2, "it")
    Span(start=10, end=12)
    """
    return next((span for span in whole_words(text, words) if _index(text, span) == index), None)


def _index(text: str, span: Span) -> int:
    """The index of the word in which the span begins."""
    return len(text[: span.start + 1].split()) - 1


def _add(claims: list[_Claim], claim: _Claim, file: InputFile) -> None:
    """Add a row to its item, or merge it with the item's row about the same candidate."""
    for index, other in enumerate(claims):
        if other.candidate.casefold() != claim.candidate.casefold():
            continue
        if None not in (other.label, claim.label) and other.label != claim.label:
            raise InputError(f"it contradicts line {other.line}")
        why = f"the same candidate as in line {other.line}; the two are merged"
        file.repaired(claim.line, f"row {claim.source_id}", why)
        label = claim.label if other.label is None else other.label
        claims[index] = replace(other, mentions=(*other.mentions, *claim.mentions), label=label)
        return
    claims.append(claim)


def _row(claims: Sequence[_Claim]) -> SourceRow:
    """The item that all rows about one pronoun make up."""
    first = claims[0]
    right = [index for index, claim in enumerate(claims) if claim.label]
    return SourceRow(
        line=first.line,
        source_id=",".join(claim.source_id for claim in claims),
        candidates=tuple(claim.candidate for claim in claims),
        answer=right[0] if len(right) == 1 else None,
        text=first.text,
        pronoun=first.pronoun,
        mentions=tuple(claim.mentions for claim in claims),
    )


def _with_labels(row: SourceRow, claims: Sequence[_Claim], file: InputFile) -> SourceRow:
    """The row with its labels as inference pairs if they give no answer: even a single false label says something."""
    if row.answer is not None or row.text is None or row.pronoun is None:
        return row
    if sum(claim.label is True for claim in claims) > 1:
        why = "several candidates are labelled true; kept without an answer, with the labels as inference pairs"
        file.repaired(row.line, f"row {row.source_id}", why)
    before, after = row.text[: row.pronoun.start], row.text[row.pronoun.end :]
    labelled = [(claim.candidate, claim.label) for claim in claims if claim.label is not None]
    try:
        pairs = tuple(Inference(row.text, before + candidate + after, label) for candidate, label in labelled)
    except InputError:  # what is wrong with the text is reported when the item is made
        return row
    return replace(row, inferences=pairs)


def write(collection: Collection) -> str:
    """One row per candidate; `lost` says which items and candidates are missing."""
    rows: list[dict[str, Any]] = []
    for item in collection.items:
        if _obstacle(item) is not None:
            continue
        for index, label in enumerate(_labels(item)):
            target = _target(item, index)
            if target is not None:
                labelled = {} if label is None else {"label": label}
                rows.append({"text": item.text, "target": target, "idx": len(rows)} | labelled)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def lost(collection: Collection) -> list[str]:
    """What SuperGLUE's rows cannot hold."""
    seen: set[tuple[str | None, Span | None]] = set()

    def of_item(item: Item) -> Iterator[str]:
        if (item.text, item.pronoun) in seen:
            yield "the same text as another item's, so the two become one"
        seen.add((item.text, item.pronoun))
        targets = [_target(item, index) for index in range(len(item.candidates))]
        if None in targets:
            yield "candidates that no words of the text mention"
        pairs = zip(targets, item.candidates, strict=True)
        if any(target and folded(target["span1_text"]) != folded(candidate.text) for target, candidate in pairs):
            yield "candidates that become the words of the text"

    result = what_is_lost(collection, _obstacle, of_item, held=("inferences",))
    multi_item = [schema.id for schema in collection.schemas if len(schema.items) > 1]
    if multi_item:
        result.append(f"which items are one schema, unless their texts show it: {', '.join(multi_item)}")
    return result


def _obstacle(item: Item) -> str | None:
    if item.text is None or item.pronoun is None:
        return "there is no text"
    if item.pronoun_form == "zero":
        return "the pronoun is not a word"
    if locate(item.text, _index(item.text, item.pronoun), item.pronoun.of(item.text)) != item.pronoun:
        return "no word index leads to the pronoun"
    return None


def _target(item: Item, number: int) -> dict[str, Any] | None:
    """The two spans of a row; the candidate in its own form if the text has that, else as the text has it."""
    text, pronoun, candidate = item.text or "", item.pronoun or Span(0, 0), item.candidates[number]
    others = {folded(other.text) for other in item.candidates if other != candidate}
    spelled = [(mention, candidate.text) for mention in candidate.mentions]
    spelled += [(mention, mention.of(text)) for mention in candidate.mentions]
    for mention, words in spelled:
        index = _index(text, mention)
        if locate(text, index, words) is not None and folded(words) not in others:
            spans = {"span1_index": index, "span1_text": words}
            return spans | {"span2_index": _index(text, pronoun), "span2_text": pronoun.of(text)}
    return None


def _labels(item: Item) -> list[bool | None]:
    if item.answer is not None:
        return [index == item.answer for index in range(len(item.candidates))]
    labels = {inference.hypothesis: inference.entailed for inference in item.inferences}
    return [labels.get(reading.text) for reading in naive_readings(item)]
