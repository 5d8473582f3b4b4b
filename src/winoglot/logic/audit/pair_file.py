"""Files of premise–hypothesis pairs: CSV, JSON lines or Parquet, with either of two sets of column names."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, printable
from winoglot.files import decode, read_bytes
from winoglot.logic.extras import require

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LIMIT = 1 << 30
_TEXTS = (("premise", "hypothesis"), ("sentence1", "sentence2"))
_LABEL = "label"
_CODES = {"cd": {"0", "1"}, "nli": {"contradiction", "entailment", "neutral"}}
_SHOWN = 6  # values of a column that an error names
Cells = dict[str, Any]


@dataclass(frozen=True)
class LabelledPair:
    """A pair as a file has it; `line` is where it begins, `formulas` and `names` are there in files made here."""

    line: int
    premise: str
    hypothesis: str
    label: str
    formulas: tuple[str, str] | None = None
    names: dict[str, str] | None = None

    @property
    def contradiction(self) -> bool:
        """Whether the label says that it is one."""
        return self.label in {"1", "contradiction"}


@dataclass(frozen=True)
class PairFile:
    """A file that was read; `labels` says which of the two sets of labels it has, `cd` (0 and 1) or `nli` (words)."""

    path: Path
    pairs: tuple[LabelledPair, ...]
    labels: str

    @cached_property
    def texts(self) -> list[tuple[str, str]]:
        """Premises and hypotheses."""
        return [(pair.premise, pair.hypothesis) for pair in self.pairs]

    @cached_property
    def classes(self) -> list[str]:
        """The labels."""
        return [pair.label for pair in self.pairs]


def read_pairs(path: Path) -> PairFile:
    """Read a file by its ending: .csv, .jsonl or .parquet."""
    readers = {".csv": _csv_rows, ".jsonl": _json_rows, ".parquet": _parquet_rows}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"a file of pairs ends in {', '.join(readers)}", remedy="Rename or convert it.", file=str(path)
        )
    rows = list(reader(read_bytes(path, _LIMIT), str(path)))
    if not rows:
        raise InputError("the file holds no pairs", remedy="Give a file with pairs.", file=str(path))
    texts = _text_columns(rows[0][1], str(path))
    pairs = tuple(_pair(line, cells, texts, str(path)) for line, cells in rows)
    return PairFile(path, pairs, _label_set(pairs, str(path)))


def _csv_rows(data: bytes, file: str) -> Iterator[tuple[int, Cells]]:
    table = csv.reader(io.StringIO(decode(data, file), newline=""), strict=True)
    line = 1
    try:
        head = next(table, None)
        if head is None:
            return
        line = table.line_num + 1
        for cells in table:
            if cells and len(cells) != len(head):
                raise InputError(
                    f"the row has {len(cells)} cells, the head {len(head)}",
                    remedy="Put quotes around cells that hold commas.",
                    file=file,
                    line=line,
                )
            if cells:
                yield line, dict(zip(head, cells, strict=True))
            line = table.line_num + 1
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", remedy="Is it another kind of file?", file=file, line=line) from error


def _json_rows(data: bytes, file: str) -> Iterator[tuple[int, Cells]]:
    for line, text in enumerate(decode(data, file).split("\n"), start=1):
        if not text.strip():
            continue
        try:
            cells = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError("not JSON", remedy="Write one JSON object per line: {…}.", file=file, line=line) from error
        if not isinstance(cells, dict):
            raise InputError("not an object", remedy="Write one JSON object per line: {…}.", file=file, line=line)
        yield line, cells


def _parquet_rows(data: bytes, file: str) -> Iterator[tuple[int, Cells]]:
    require("pyarrow", "reading Parquet")
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    try:
        rows = parquet.read_table(pyarrow.BufferReader(data)).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError("not a Parquet file", remedy="Give one as it was written.", file=file) from error
    yield from enumerate(rows, start=1)


def _text_columns(cells: Cells, file: str) -> tuple[str, str]:
    for texts in _TEXTS:
        if all(name in cells for name in (*texts, _LABEL)):
            return texts
    known = " or ".join(", ".join((*texts, _LABEL)) for texts in _TEXTS)
    found = ", ".join(printable(str(name)) for name in cells)
    raise InputError(f"a file of pairs has the columns {known}; found: {found}", remedy="Rename them.", file=file)


def _pair(line: int, cells: Cells, texts: tuple[str, str], file: str) -> LabelledPair:
    premise, hypothesis = (_text(cells.get(name), name, line, file) for name in texts)
    label = cells.get(_LABEL)
    if label is None or isinstance(label, bool | float | list | dict):
        raise InputError(f"the label is {label!r}", remedy=_REMEDY, file=file, line=line)
    return LabelledPair(line, premise, hypothesis, str(label).strip().casefold(), _formulas(cells), _names(cells))


def _text(value: object, name: str, line: int, file: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(
            f"{name}: expected text, found {value!r}", remedy="Write it, or leave the row out.", file=file, line=line
        )
    return value


def _formulas(cells: Cells) -> tuple[str, str] | None:
    found = [cells.get(name) for name in ("formula_premise", "formula_hypothesis")]
    return (str(found[0]), str(found[1])) if all(isinstance(text, str) and text for text in found) else None


def _names(cells: Cells) -> dict[str, str] | None:
    """The names as an object or, where a table holds them, as JSON; None where they are something else."""
    names = cells.get("names")
    if isinstance(names, str):
        try:
            names = json.loads(names)
        except (ValueError, RecursionError):
            return None
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        return None
    return names


_REMEDY = "Write 1 for a contradiction and 0 for none, or contradiction, entailment, neutral."


def _label_set(pairs: Iterable[LabelledPair], file: str) -> str:
    first: dict[str, int] = {}
    for pair in pairs:
        first.setdefault(pair.label, pair.line)
    for name, codes in _CODES.items():
        if first.keys() <= codes:
            return name
    known = next((codes for codes in _CODES.values() if codes & first.keys()), _CODES["cd"])
    other = next(label for label in first if label not in known)
    found = ", ".join(printable(label) or "nothing" for label in list(first)[:_SHOWN])
    more = ", …" if len(first) > _SHOWN else ""
    raise InputError(
        f"the column {_LABEL} has unknown values: {found}{more}",
        remedy=_REMEDY,
        file=file,
        line=first[other],
    )
