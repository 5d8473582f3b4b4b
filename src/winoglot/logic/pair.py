"""A pair of sentences with its label, and the files that hold pairs: JSON Lines, CSV and Parquet with equal columns.

SNLI and MNLI come with tabs too, and with columns of their own.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from winoglot.errors import InputError, describe, located, require_extra
from winoglot.files import GZIP, as_csv, decode, parse_json, plain_path, read_bytes, unguarded, unpack, write_whole
from winoglot.schemas.text import counted, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

Relation = Literal["contradiction", "entailment", "neutral"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
LABELS = {"nli": RELATIONS, "cd": ("1", "0")}  # the labels of each set; 1 is a contradiction
_LIMIT = 2**30  # bytes of a file of pairs


@dataclass(frozen=True)
class Pair:
    """A premise and a hypothesis, a row of a data file.

    `depth` is the size of the smallest set of facts that decides the pair; a neutral pair has the depth of its `twin`,
    which differs from it in one of those facts. `names` maps the symbols of the formulas to the names in the sentences.
    """

    id: str
    task: str
    language: str
    premise: str
    hypothesis: str
    label: str
    depth: int
    family: str
    twin: str
    formula_premise: str
    formula_hypothesis: str
    proof: str
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Premise and hypothesis."""
        return f"{self.premise} {self.hypothesis}"

    def row(self) -> dict[str, Any]:
        """A JSON-ready dictionary; the labels 0 and 1 are numbers."""
        return vars(self) | {"label": int(self.label) if self.label in LABELS["cd"] else self.label}


COLUMNS = tuple(field.name for field in fields(Pair))
GOLD = "gold_label"  # what SNLI and MNLI call the label; "-" where the judges did not agree
_TABBED = (GOLD, "sentence1", "sentence2")


@dataclass(frozen=True)
class WordCounts:
    """The words of pairs, counted as in Table 1 of the published corpus.

    A word is what stands between spaces (in Chinese, one character); a length is that of premise and hypothesis, in
    characters.

    >>> WordCounts.of(["Ana visited Rome Ana didn't visit Rome", "Ana visited Oslo Ana didn't visit Rome"])
    WordCounts(different=6, mean_length=38.0, longest=38)
    """

    different: int
    mean_length: float
    longest: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> WordCounts:
        """The counts of texts, each of which is a premise and a hypothesis."""
        lengths = list(map(len, texts))
        return cls(len(vocabulary(texts)), round(sum(lengths) / len(lengths), 1), max(lengths))


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """The different words of texts."""
    return frozenset(
        word for text in texts for part in text.split() for word in (part if is_unspaced(part[0]) else (part,))
    )


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Read the pairs of a data file, in order; an input error says which line is wrong."""
    pairs = tuple(_pair(row, str(path), line) for line, row in rows_of(path))
    if len({pair.id for pair in pairs}) < len(pairs):
        ids: set[str] = set()
        repeated = next(pair.id for pair in pairs if pair.id in ids or ids.add(pair.id))  # type: ignore[func-returns-value]
        raise InputError(f"the id {repeated!r} occurs twice", remedy="Give every pair its own id.", file=str(path))
    sets = {name for pair in pairs for name, labels in LABELS.items() if pair.label in labels}
    if len(sets) > 1:
        remedy = "Use 1 and 0, or contradiction, entailment and neutral."
        raise InputError("the file mixes labels of two sets", remedy=remedy, file=str(path))
    return pairs


def rows_of(path: Path) -> Iterator[tuple[int, Any]]:
    """The rows of a file as they are, each with the line where it begins (in Parquet, its number)."""
    data = read_bytes(path, _LIMIT)
    if path.suffix.lower() == GZIP:
        data = unpack(data, _LIMIT, str(path))
    return _by_suffix(plain_path(path), _READERS)(data, str(path))  # type: ignore[no-any-return]


def write_pairs(path: Path, pairs: Sequence[Pair], *, force: bool = False) -> None:
    """Write a data file whose suffix says the format: .jsonl, .csv or .parquet; whole or not at all."""
    write_whole(path, encoded(path.suffix, pairs), force=force)


def encoded(suffix: str, pairs: Sequence[Pair]) -> str | bytes:
    """The content of a data file with this suffix."""
    if suffix == ".jsonl":
        return "".join(f"{json.dumps(pair.row(), ensure_ascii=False)}\n" for pair in pairs)
    if suffix == ".csv":
        return as_csv(map(_cells, pairs), COLUMNS)
    require_extra("writing Parquet needs", "pyarrow", extra="logic")
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    buffer = io.BytesIO()
    table = pyarrow.table({name: [_cells(pair)[name] for pair in pairs] for name in COLUMNS})
    parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _cells(pair: Pair) -> dict[str, Any]:
    """One value per column: tables hold the names as JSON, because every row has other symbols."""
    return pair.row() | {"names": json.dumps(pair.names, ensure_ascii=False)}


def _from_jsonl(data: bytes, file: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(decode(data, file).split("\n"), 1):
        if line.strip():
            try:
                yield number, parse_json(line)
            except ValueError as error:
                raise InputError(f"not JSON: {error}", remedy="Correct the line.", file=file, line=number) from error


def _from_csv(data: bytes, file: str) -> Iterator[tuple[int, Any]]:
    table = csv.reader(io.StringIO(decode(data, file), newline=""), strict=True)
    line = 1
    try:
        head = next(table, [])
        line = table.line_num + 1
        for cells in table:
            if cells and len(cells) != len(head):
                message = f"the row has {len(cells)} cells, but the header has {len(head)}"
                raise InputError(message, remedy="Put quotes around cells with commas.", file=file, line=line)
            if cells:
                yield line, dict(zip(head, map(unguarded, cells), strict=True))
            line = table.line_num + 1
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", remedy="Correct the row.", file=file, line=line) from error


def _from_tabs(data: bytes, file: str) -> Iterator[tuple[int, Any]]:
    """The rows of SNLI and MNLI, without their parses; quotes mean nothing, and rows may be short at the end."""
    head: list[str] = []
    for number, line in enumerate(decode(data, file).split("\n"), 1):
        cells = line.rstrip("\r").split("\t")
        if not head:
            head = cells
            if missing := [name for name in _TABBED if name not in head]:
                message = f"the header has no {' and no '.join(map(repr, missing))}"
                remedy = f"Files with tabs are those of SNLI and MNLI, with {', '.join(_TABBED)}; save others as CSV."
                raise InputError(message, remedy=remedy, file=file, line=number)
        elif line.strip():
            row = {name: cell for name, cell in zip(head, cells, strict=False) if not name.endswith("_parse")}
            if len(cells) > len(head) or not all(name in row for name in _TABBED):
                message = f"the row has {counted(len(cells), 'cell')}, but the header has {len(head)}"
                remedy = "Put exactly one tab between cells, and none in a sentence."
                raise InputError(message, remedy=remedy, file=file, line=number)
            yield number, row


def _from_parquet(data: bytes, file: str) -> Iterator[tuple[int, Any]]:
    with located(file=file):
        require_extra("reading Parquet needs", "pyarrow", extra="logic")
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(io.BytesIO(data))
    except pyarrow.ArrowException as error:
        raise InputError(f"not Parquet: {error}", remedy="Give a Parquet file.", file=file) from error
    yield from enumerate(table.to_pylist(), 1)


_READERS: dict[str, Callable[[bytes, str], Iterator[tuple[int, Any]]]] = {
    ".jsonl": _from_jsonl,
    ".csv": _from_csv,
    ".parquet": _from_parquet,
    ".tsv": _from_tabs,
    ".txt": _from_tabs,
}


def _by_suffix(path: Path, by_suffix: Mapping[str, Any]) -> Any:
    if path.suffix.lower() not in by_suffix:
        message = f"unknown suffix {path.suffix!r}"
        raise InputError(message, remedy=f"Name a file that ends in {', '.join(by_suffix)}.", file=str(path))
    return by_suffix[path.suffix.lower()]


def _pair(row: Any, file: str, line: int) -> Pair:
    """A row as a pair; numbers and names may be text, as in CSV."""
    if not isinstance(row, dict):
        remedy = "Write one JSON object per line: {…}."
        raise InputError(f"expected a mapping, found {describe(row)}", remedy=remedy, file=file, line=line)
    missing = [name for name in COLUMNS if row.get(name) is None]
    if missing:
        remedy = f"A file of pairs has the columns {', '.join(COLUMNS)}."
        raise InputError(f"the row has no {missing[0]!r}", remedy=remedy, file=file, line=line)
    label = str(row["label"])
    if not any(label in labels for labels in LABELS.values()):
        remedy = "Use 1 and 0, or contradiction, entailment and neutral."
        raise InputError(f"unknown label {label!r}", remedy=remedy, file=file, line=line)
    try:
        depth = int(row["depth"])
        names = row["names"] if isinstance(row["names"], dict) else parse_json(row["names"])
    except ValueError as error:
        remedy = "Write the depth as a number and the names as a JSON object."
        message = f"the depth or the names cannot be read: {error}"
        raise InputError(message, remedy=remedy, file=file, line=line) from error
    text = {name: str(row[name]) for name in COLUMNS}
    return Pair(**text | {"depth": depth, "names": {symbol: str(name) for symbol, name in names.items()}})  # type: ignore[arg-type]
