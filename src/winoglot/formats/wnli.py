"""GLUE's WNLI: tab-separated `index`, `sentence1`, `sentence2`, `label`; the first sentence entails the second or not.

There is no pronoun and there are no candidates in it: an item is its inference pairs. Test files have no `label`.
Not yet tried on the published file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from winoglot.errors import InputError, describe
from winoglot.formats._losses import without_a_place
from winoglot.formats._rows import Row, build_collection
from winoglot.formats._segments import common_tokens, tokenise
from winoglot.languages.readings import naive_readings
from winoglot.schemas.model import Inference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection, Item

SUFFIXES = ()
_HEADER = ["index", "sentence1", "sentence2", "label"]
_LABELS = {"1": True, "0": False, "": None}
# Two premises of one schema share at least this much of the longer one; so does `_grouping` see it.
_SHARED = 0.6


@dataclass(frozen=True)
class _Pair:
    """One row."""

    line: int
    source_id: str
    inference: Inference


def sniff(head: str) -> bool:
    """The header, and a first row whose label is a figure (in RTE, which has the same header, it is a word)."""
    lines = head.split("\n")
    header = _cells(lines[0])
    if header not in (_HEADER, _HEADER[:3]):
        return False
    first = _cells(lines[1]) if len(lines) > 1 else []
    return len(first) < len(_HEADER) or first[3] in _LABELS


def read(file: InputFile) -> Collection:
    """Read the pairs; those of one first sentence are one item. English unless the caller says another language."""
    lines = [(number, line) for number, line in enumerate(file.text.split("\n"), 1) if line.strip()]
    header = _cells(lines[0][1]) if lines else []
    if header not in (_HEADER, _HEADER[:3]):
        missing = next((name for name in _HEADER if name not in header), None)
        raise InputError(
            f"the column {missing!r} is missing" if missing else "the columns are in another order, or there are more",
            remedy="The first line is index, sentence1, sentence2, label with tabs between; is this another format?",
            file=file.label,
            line=lines[0][0] if lines else 1,
        )
    premises: dict[str, list[_Pair]] = {}
    for number, line in lines[1:]:
        pair = _pair(number, _cells(line), len(header), file)
        if pair is None:
            continue
        pairs = premises.setdefault(pair.inference.premise, [])
        again = next((other for other in pairs if other.inference.hypothesis == pair.inference.hypothesis), None)
        if again is not None:
            file.repaired(number, f"row {pair.source_id}", f"the same pair as in line {again.line}; kept")
        pairs.append(pair)
    rows = [
        Row(pairs[0].line, pairs[0].source_id, inferences=tuple(pair.inference for pair in pairs))
        for pairs in premises.values()
    ]
    return build_collection(_grouped(rows), file, file.language or "en")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.rstrip("\r").split("\t")]


def _pair(number: int, cells: list[str], columns: int, file: InputFile) -> _Pair | None:
    name = cells[0] or str(number)
    if len(cells) != columns:
        file.skipped(number, f"row {name}", f"it has {len(cells)} columns instead of {columns}")
        return None
    label = cells[3] if columns == len(_HEADER) else ""
    if label not in _LABELS:
        file.skipped(number, f"row {name}", f"label: expected 0 or 1, found {describe(label)}")
        return None
    try:
        return _Pair(number, name, Inference(cells[1], cells[2], _LABELS[label]))
    except InputError as error:
        file.skipped(number, f"row {name}", error.message)
        return None


def _grouped(rows: Sequence[Row]) -> list[Row]:
    """The rows, neighbours that are surely two items of one schema under one name."""
    result: list[Row] = []
    for row in rows:
        last = result[-1] if result else None
        if last is not None and last.group is None and _is_pair(last, row):
            result[-1] = replace(last, group=last.source_id)
            result.append(replace(row, group=last.source_id))
        else:
            result.append(row)
    return result


def _is_pair(left: Row, right: Row) -> bool:
    """Whether the premises are alike, the hypotheses name the same candidates, and the answers differ."""
    labels = [[pair.entailed for pair in row.inferences] for row in (left, right)]
    if labels[0] == labels[1] or any(len(label) < 2 or label.count(True) != 1 or None in label for label in labels):
        return False
    return _named(left) == _named(right) and _are_alike(left.inferences[0].premise, right.inferences[0].premise)


def _named(row: Row) -> list[Counter[str]]:
    """For each hypothesis the words that not all of the row's have: those of its candidate."""
    words = [Counter(span.of(text) for span in tokenise(text)) for text in (p.hypothesis for p in row.inferences)]
    shared = reduce(and_, words)
    return [own - shared for own in words]


def _are_alike(left: str, right: str) -> bool:
    tokens = [tokenise(left), tokenise(right)]
    return len(common_tokens([left, right], tokens)) >= _SHARED * max(map(len, tokens))


def write(collection: Collection) -> str:
    """A row a hypothesis: four a schema of two items and two candidates; `lost` says what is left out."""
    pairs = [pair for item in collection.items for pair in _inferences(item)]
    lines = ["\t".join(_HEADER)]
    for number, pair in enumerate(pairs):
        label = "" if pair.entailed is None else str(int(pair.entailed))
        lines.append("\t".join([str(number), _one_line(pair.premise), _one_line(pair.hypothesis), label]))
    return "\n".join(lines) + "\n"


def lost(collection: Collection) -> list[str]:
    """What inference pairs have no place for."""
    parts: dict[str, list[str]] = {}
    premises: set[str] = set()
    for item in collection.items:
        pairs = _inferences(item)
        if premises & {pair.premise for pair in pairs}:
            parts.setdefault("the same premise as another item's, so that the two become one", []).append(item.id)
        premises |= {pair.premise for pair in pairs}
        if not pairs:
            parts.setdefault("left out, there is no text", []).append(item.id)
        elif item.text is not None:
            parts.setdefault("the pronoun, the candidates and what differs between the items", []).append(item.id)
            if not item.hypotheses and not item.inferences:
                what = "no written hypotheses, so each candidate is put in the pronoun's place as it is"
                parts.setdefault(what, []).append(item.id)
        if any(_one_line(text) != text for pair in pairs for text in (pair.premise, pair.hypothesis)):
            parts.setdefault("line breaks and tabs, which become spaces", []).append(item.id)
    rows = {s.id: [Row(0, i.id, inferences=tuple(_inferences(i))) for i in s.items] for s in collection.schemas}
    apart = [name for name, items in rows.items() if len(items) > 1 and not (len(items) == 2 and _is_pair(*items))]
    if apart:
        parts["which items are one schema"] = apart
    result = [f"{what}: {', '.join(ids)}" for what, ids in parts.items()]
    return result + without_a_place(collection, held=("hypotheses", "inferences"))


def _inferences(item: Item) -> list[Inference]:
    """The pairs its source gave, else its text with each hypothesis, else with each reading."""
    if item.inferences or item.text is None:
        return list(item.inferences)
    hypotheses = item.hypotheses or [reading.text for reading in naive_readings(item)]
    labels = [None if item.answer is None else number == item.answer for number in range(len(hypotheses))]
    return [Inference(item.text, *pair) for pair in zip(hypotheses, labels, strict=True)]


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\t" in text else text
