"""GLUE's WNLI: a table of inference pairs.

Tab-separated `index`, `sentence1`, `sentence2` and `label`, which says whether the first sentence entails the second.
No pronoun and no candidates are marked, so an item is its inference pairs. Test files have no `label`. Not yet tried on
the published file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError, describe
from winoglot.formats.base import what_is_lost
from winoglot.formats.importing.grouping import are_twins, group_pairs
from winoglot.formats.importing.rows import SourceRow, build_collection
from winoglot.formats.importing.sources import ANOTHER_FORMAT, header_cells, named_cells, split_cells
from winoglot.languages.readings import compared_readings
from winoglot.schemas.model import Inference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection, Item

SUFFIXES = ()
_HEADER = ["index", "sentence1", "sentence2", "label"]
_LABELS = {"1": True, "0": False, "": None}


def sniff(head: str) -> bool:
    """The header, and a first row whose label is a digit (in RTE, which has the same header, it is a word)."""
    lines = head.split("\n")
    header = split_cells(lines[0])
    if header not in (_HEADER, _HEADER[:3]):
        return False
    first = split_cells(lines[1]) if len(lines) > 1 else []
    return len(first) < len(_HEADER) or first[3] in _LABELS


def read(file: InputFile) -> Collection:
    """Read the pairs; those with the same first sentence are one item. English unless the caller says otherwise."""
    header = header_cells(file)
    if header not in (_HEADER, _HEADER[:3]):
        missing = next((name for name in _HEADER if name not in header), None)
        raise InputError(
            f"the column {missing!r} is missing" if missing else "the columns are in another order, or there are more",
            remedy=f"The first line is index, sentence1, sentence2, label, separated by tabs. {ANOTHER_FORMAT}",
            file=file.label,
            line=1,
        )
    rows: dict[str, SourceRow] = {}
    seen: dict[tuple[str, str], int] = {}
    for number, cells in named_cells(file):
        name = cells["index"] or str(number)
        with file.skipping(number, f"row {name}") as repaired:
            pair = _inference(cells)
            first = seen.setdefault((pair.premise, pair.hypothesis), number)
            if first != number:
                repaired(f"the same pair as in line {first}; kept")
            row = rows.get(pair.premise, SourceRow(number, name))
            rows[pair.premise] = replace(row, inferences=(*row.inferences, pair))
    return build_collection(group_pairs(list(rows.values())), file, file.language or "en")


def _inference(cells: dict[str, str]) -> Inference:
    label = cells.get("label", "")
    if label not in _LABELS:
        raise InputError(f"label: expected 0 or 1, found {describe(label)}")
    return Inference(cells["sentence1"], cells["sentence2"], _LABELS[label])


def write(collection: Collection, style: str = "grammatical") -> str:
    """One row per hypothesis: four for a schema with two items and two candidates; `lost` says what is missing."""
    pairs = [pair for item in collection.items for pair in _inferences(item, style)]
    lines = ["\t".join(_HEADER)]
    for index, pair in enumerate(pairs):
        label = "" if pair.entailed is None else str(int(pair.entailed))
        lines.append("\t".join([str(index), _one_line(pair.premise), _one_line(pair.hypothesis), label]))
    return "\n".join(lines) + "\n"


def lost(collection: Collection, style: str = "grammatical") -> list[str]:
    """What inference pairs cannot hold."""
    premises: set[str] = set()

    def of_item(item: Item) -> Iterator[str]:
        pairs = _inferences(item, style)
        if premises & {pair.premise for pair in pairs}:
            yield "the same premise as another item's, so the two become one"
        premises.update(pair.premise for pair in pairs)
        if item.text is not None:
            yield "the pronoun, the candidates and what differs between the items"
            if not item.hypotheses and not item.inferences:
                readings = compared_readings(item, style, item.language)
                derived = style == "grammatical" and all(reading.derived for reading in readings)
                used = "grammatical" if derived else "naive"
                yield f"no written hypotheses, so {used} readings take their place"
        if any(_one_line(text) != text for pair in pairs for text in (pair.premise, pair.hypothesis)):
            yield "line breaks and tabs, which become spaces"

    def obstacle(item: Item) -> str | None:
        return None if _inferences(item, style) else "there is no text"

    result = what_is_lost(collection, obstacle, of_item, held=("hypotheses", "inferences"))
    rows = {
        s.id: [SourceRow(0, i.id, inferences=tuple(_inferences(i, style))) for i in s.items] for s in collection.schemas
    }
    apart = [name for name, items in rows.items() if len(items) > 1 and not (len(items) == 2 and are_twins(*items))]
    return result + ([f"which items are one schema: {', '.join(apart)}"] if apart else [])


def _inferences(item: Item, style: str) -> list[Inference]:
    """The pairs that its source gave, else its text with each hypothesis, else with each reading."""
    if item.inferences or item.text is None:
        return list(item.inferences)
    hypotheses = item.hypotheses or [reading.text for reading in compared_readings(item, style, item.language)]
    labels = [None if item.answer is None else index == item.answer for index in range(len(hypotheses))]
    return [Inference(item.text, *pair) for pair in zip(hypotheses, labels, strict=True)]


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\t" in text else text
