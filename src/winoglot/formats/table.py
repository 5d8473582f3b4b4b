"""A table with one item per row, as people write it: CSV, tab-separated, or a spreadsheet.

The first row names the columns: `text`, `candidates` (separated by `|` or `;`, or in columns `candidate 1`,
`candidate 2`, …) and `answer` are needed, `pronoun`, `id`, `schema`, `question` and `tags` are possible, and others are
ignored. Columns with other names are mapped: `winoglot import FILE --column text=Satz --column candidates=A,B`.

The pronoun stands in braces in the text, or is a gap `_`, or the column `pronoun` has a word that the text has once. An
answer is a candidate, its letter, or its number. Rows with the same `schema` are items of one schema; without that
column, neighbours that differ only in linked places are.

Of a spreadsheet (.xlsx), the first sheet is read; merged cells and dates are refused.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, did_you_mean, require_extra
from winoglot.formats.base import MAX_BYTES
from winoglot.formats.importing.repairs import fix_pronoun
from winoglot.formats.importing.rows import SourceRow, build_collection, letter_index
from winoglot.schemas.mentions import whole_words
from winoglot.schemas.model import BLANKS
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection

SUFFIXES = (".csv", ".tsv", ".xlsx")
MAGIC = b"PK\x03\x04"
FIELDS = ("text", "candidates", "answer", "pronoun", "id", "schema", "question", "tags")
_REQUIRED = FIELDS[:3]
_SEPARATORS = ",;\t"
_NUMBERED = re.compile(r"candidate[ _-]?([0-9]|[a-z])", re.IGNORECASE)


@dataclass(frozen=True)
class _Columns:
    """Where the fields stand in a row; candidates may stand in several columns."""

    places: Mapping[str, tuple[int, ...]]

    def of(self, cells: Sequence[str], field: str) -> list[str]:
        """What a row has in the columns of a field, without empty cells."""
        return [cell for place in self.places.get(field, ()) if place < len(cells) and (cell := cells[place].strip())]

    def one(self, cells: Sequence[str], field: str) -> str:
        """The row's cell of a field; empty if there is none."""
        return " ".join(self.of(cells, field))


def sniff(head: str) -> bool:
    """A first line that names the columns that are needed."""
    first = "".join(head.splitlines()[:1])
    cells = next(csv.reader([first], delimiter=_separator(first)), [])
    places = _named_places(cells, {})
    return all(field in places for field in _REQUIRED)


def read(file: InputFile) -> Collection:
    """Read the rows; `file.columns` says which columns hold the fields, if they have other names."""
    if not file.language:
        remedy = "Name it with --language (language=… in Python)."
        raise InputError("a table does not say what language it is in", remedy=remedy, file=file.label)
    cells_by_line = _spreadsheet(file) if file.data.startswith(MAGIC) else _separated(file)
    lines = [(line, cells) for line, cells in cells_by_line if any(cell.strip() for cell in cells)]
    if not lines:
        remedy = f"The first row names the columns: {', '.join(_REQUIRED)}."
        raise InputError("the table is empty", remedy=remedy, file=file.label)
    first_line, header = lines[0]
    columns = _Columns(_checked_places(header, file, first_line))
    answers = [(columns.one(cells, "answer"), len(_candidates(cells, columns))) for _, cells in lines[1:]]
    first_number = _first_number(answers)
    rows = []
    for line, cells in lines[1:]:
        name = columns.one(cells, "id") or str(line)
        with file.skipping(line, f"row {name}"):
            rows.append(fix_pronoun(_row(line, name, cells, columns, first_number), file.language, file))
    return build_collection(rows, file, file.language)


def _separator(first: str) -> str:
    """What separates the cells of a line: the sign that occurs most often."""
    return max(_SEPARATORS, key=first.count)


def _separated(file: InputFile) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(
        io.StringIO(file.text, newline=""), delimiter=_separator(file.text.partition("\n")[0]), strict=True
    )
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            remedy = "Save the table again as CSV, with quotation marks around cells that contain quotation marks."
            raise InputError(f"this is not CSV: {error}", remedy=remedy, file=file.label, line=line) from error
        if cells is None:
            return
        yield line, cells


def _spreadsheet(file: InputFile) -> Iterator[tuple[int, list[str]]]:
    require_extra("reading a spreadsheet needs", "openpyxl", extra="spreadsheet")
    import openpyxl

    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MAX_BYTES:
                message = f"the spreadsheet contains more than {MAX_BYTES // 2**20} MiB"
                raise InputError(message, remedy="Split it into several files.", file=file.label)
        workbook = openpyxl.load_workbook(io.BytesIO(file.data), data_only=True)
    except InputError:
        raise
    except Exception as error:  # openpyxl lets through whatever a damaged part causes
        remedy = "Save it again as .xlsx or .csv."
        raise InputError(f"the spreadsheet cannot be read: {error}", remedy=remedy, file=file.label) from error
    sheet = workbook.worksheets[0] if workbook.worksheets else None
    if sheet is None:
        return
    if len(workbook.worksheets) > 1:
        names = ", ".join(repr(other.title) for other in workbook.worksheets[1:])
        file.repaired(1, f"sheet {sheet.title!r}", f"only the first sheet is read, not {names}")
    if sheet.merged_cells.ranges:
        cells = str(sorted(map(str, sheet.merged_cells.ranges))[0])
        remedy = "Unmerge them, and write the value into every row."
        raise InputError(f"the cells {cells} are merged", remedy=remedy, file=file.label)
    for line, row in enumerate(sheet.iter_rows(), 1):
        yield line, [_cell_text(cell.value, cell.coordinate, file) for cell in row]


def _cell_text(value: Any, place: str, file: InputFile) -> str:
    """The text of a cell; a spreadsheet may have turned what was typed into a date, which nobody can undo."""
    if isinstance(value, date | time):
        remedy = "Format the column as text and type the value again."
        raise InputError(f"cell {place} is a date, {value}", remedy=remedy, file=file.label)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value)


def _checked_places(header: Sequence[str], file: InputFile, line: int) -> dict[str, tuple[int, ...]]:
    """Where the fields stand; a missing column, or a mapping to one that is not there, is an input error."""
    unknown = [field for field in file.columns if field not in FIELDS]
    if unknown:
        message = f"{unknown[0]!r} is not something that a column can hold"
        raise InputError(message, remedy=did_you_mean(unknown[0], FIELDS), file=file.label)
    titles = [title.strip() for title in header]
    for field, names in file.columns.items():
        for name in names:
            if name not in titles:
                message = f"there is no column {name!r} for {field}"
                raise InputError(message, remedy=did_you_mean(name, titles), file=file.label, line=line)
    places = _named_places(titles, file.columns)
    missing = [field for field in _REQUIRED if field not in places]
    if missing:
        raise InputError(
            f"no column is called {' or '.join(missing)}; found {', '.join(map(repr, filter(None, titles)))}",
            remedy=f"Name the columns that hold these: --column {missing[0]}=NAME.",
            file=file.label,
            line=line,
        )
    return places


def _named_places(titles: Sequence[str], columns: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, ...]]:
    """Where each field stands, by the names given or by its own; candidates may be numbered."""
    places: dict[str, tuple[int, ...]] = {}
    for place, title in enumerate(title.strip() for title in titles):
        field = next((field for field, names in columns.items() if title in names), folded(title))
        if field not in FIELDS and "candidates" not in columns and _NUMBERED.fullmatch(title):
            field = "candidates"
        if field in FIELDS and (field == "candidates" or field not in places):
            places[field] = (*places.get(field, ()), place)
    return places


def _candidates(cells: Sequence[str], columns: _Columns) -> tuple[str, ...]:
    names = columns.of(cells, "candidates")
    if len(names) == 1:
        separator = "|" if "|" in names[0] else ";"
        names = [name.strip() for name in names[0].split(separator) if name.strip()]
    return tuple(names)


def _first_number(answers: Sequence[tuple[str, int]]) -> int | None:
    """The number of the first candidate, where answers are numbers: 0 or 1; None if they do not show it."""
    numbers = [(int(answer), choices) for answer, choices in answers if answer.isascii() and answer.isdecimal()]
    if any(number == 0 for number, _ in numbers):
        return 0
    return 1 if any(number == choices for number, choices in numbers) else None


def _row(line: int, name: str, cells: Sequence[str], columns: _Columns, first_number: int | None) -> SourceRow:
    candidates = _candidates(cells, columns)
    if len(candidates) < 2:
        raise InputError(f"it has {len(candidates)} candidates; separate them by | or ;")
    text, pronoun = _marked(columns.one(cells, "text"), columns.one(cells, "pronoun"))
    return SourceRow(
        line,
        name,
        candidates=candidates,
        answer=_answer(columns.one(cells, "answer"), candidates, first_number),
        text=text,
        pronoun=pronoun,
        question=columns.one(cells, "question") or None,
        tags=tuple(tag for tag in re.split(r"[\s,;|]+", columns.one(cells, "tags")) if tag),
        group=columns.one(cells, "schema") or None,
    )


def _marked(text: str, pronoun: str) -> tuple[str, Span]:
    """The text without its mark, and the pronoun: in braces, a gap, or the only occurrence of a word.

    >>> _marked("Ann saw Bea when {she} fell.", "")
    ('Ann saw Bea when she fell.', Span(start=17, end=20))
    """
    braces = list(re.finditer(r"\{([^{}]*)\}", text))
    if len(braces) == 1:
        inside = braces[0].group(1).strip()
        start = braces[0].start()
        return text[:start] + inside + text[braces[0].end() :], Span(start, start + len(inside))
    if braces:
        raise InputError(f"it has {len(braces)} words in braces; mark one pronoun")
    if not text:
        raise InputError("it has no text")
    words = [pronoun] if pronoun else [blank for blank in BLANKS if blank in text]
    places = [place for word in words for place in whole_words(text, word)]
    if len(places) == 1:
        return text, places[0]
    if not words:
        raise InputError("it does not say which word is the pronoun: write it in braces, {she}")
    times = "does not occur" if not places else f"occurs {len(places)} times"
    raise InputError(f"its pronoun {words[0]!r} {times} in its text: write it there in braces, {{{words[0]}}}")


def _answer(answer: str, candidates: Sequence[str], first_number: int | None) -> int | None:
    """Which candidate the answer is; None if there is no answer, an input error if it is none of them."""
    if not answer:
        return None
    alike = [index for index, candidate in enumerate(candidates) if folded(candidate) == folded(answer)]
    if alike:
        return alike[0]
    if answer.isascii() and answer.isdecimal():
        if first_number is None:
            raise InputError(f"its answer {answer} does not show whether the first candidate is 0 or 1: write A or B")
        index = int(answer) - first_number
        if 0 <= index < len(candidates):
            return index
    index_of_letter = letter_index(answer, len(candidates))
    if index_of_letter is None:
        raise InputError(f"its answer {answer!r} is not one of its candidates: {', '.join(candidates)}")
    return index_of_letter
