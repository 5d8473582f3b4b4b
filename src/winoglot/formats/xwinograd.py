"""XWinograd: tab-separated, without a header; one item a line, in several languages, tokens and spans as JSON.

Columns: language, source, the English original or `?`, sentence, tokens, pronoun `[text, [from, to], tokens]`,
candidates `[[text, [from, to], tokens, right], …]`; spans count tokens.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, ManyLanguagesError, nearest
from winoglot.formats._pronouns import mend_pronoun
from winoglot.formats._rows import Row, build_collection
from winoglot.schemas.language_tag import language_tag, primary
from winoglot.schemas.span import Span

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile
    from winoglot.schemas.collection import Collection

SUFFIXES = (".tsv",)
_COLUMNS = 7


def sniff(head: str) -> bool:
    """Seven columns, the last three of them JSON lists."""
    cells = head.partition("\n")[0].split("\t")
    return len(cells) == _COLUMNS and all(cell.startswith("[") for cell in cells[4:])


def read(file: InputFile) -> Collection:
    """Read the items of one language; `file.language` says which where there are several."""
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(file.text.split("\n"), 1) if line.strip()]
    cells = [(number, line.split("\t")) for number, line in lines]
    languages = {language_tag(row[0]) for _, row in cells if len(row) == _COLUMNS}
    language = choose_language(languages, file)
    rows: list[Row] = []
    seen: dict[str, int] = {}
    for number, row in cells:
        if len(row) != _COLUMNS:
            file.skipped(number, "row", f"it has {len(row)} columns instead of {_COLUMNS}")
        elif primary(language_tag(row[0])) == primary(language):
            made = _read_row(number, row, file)
            if made is None:
                continue
            if row[3] in seen:
                file.repaired(number, f"row {made.source_id}", f"the same sentence as in line {seen[row[3]]}; kept")
            seen.setdefault(row[3], number)
            rows.append(mend_pronoun(made, language, file))
    return build_collection(rows, file, language)


def choose_language(languages: set[str], file: InputFile) -> str:
    """The language wanted of a file that holds these."""
    if not languages:
        raise InputError("no row says its language", remedy="Is the file in another format?", file=file.label)
    if file.language is None:
        if len(languages) == 1:
            return next(iter(languages))
        raise ManyLanguagesError(languages, file.label)
    matching = [language for language in languages if primary(language) == primary(file.language)]
    if not matching:
        raise InputError(
            f"the file has nothing in {file.language}", remedy=nearest(file.language, languages), file=file.label
        )
    return matching[0]


def _read_row(number: int, cells: list[str], file: InputFile) -> Row | None:
    try:
        tokens, pronoun, candidates = (json.loads(cell) for cell in cells[4:])
        text = cells[3].strip()
        offsets = _offsets(text, tokens)
        right = [index for index, candidate in enumerate(candidates) if candidate[3]]
        mentions = tuple((_span(offsets, candidate[1]),) for candidate in candidates)
        row = Row(
            line=number,
            source_id=str(number),
            candidates=tuple(candidate[0].strip() for candidate in candidates),
            answer=right[0] if len(right) == 1 else None,
            text=text,
            pronoun=_span(offsets, pronoun[1]),
            mentions=mentions,
            tags=(),
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        file.skipped(number, "row", f"its JSON is not what this format has: {error}")
        return None
    spans = [span for (span,) in mentions]
    if any(a.overlaps(b) for index, a in enumerate(spans) for b in spans[:index]):
        file.repaired(number, f"row {number}", "the spans of its candidates overlap; kept")
    return row


def _offsets(text: str, tokens: list[Any]) -> list[Span]:
    """Where each token stands in the text, which has other blanks and not the Penn Treebank's quotes."""
    spans: list[Span] = []
    position = 0
    for token in tokens:
        bare = "".join(token.split()).replace("``", '"').replace("''", '"')
        start = end = None
        for character in bare:
            while text[position].isspace():
                position += 1
            if text[position] != character:
                raise ValueError(f"the token {token!r} is not where it should be in the sentence")
            start = position if start is None else start
            position += 1
            end = position
        spans.append(Span(position, position) if start is None or end is None else Span(start, end))
    return spans


def _span(offsets: list[Span], bounds: list[int]) -> Span:
    first, last = bounds
    if not 0 <= first < last:
        raise ValueError(f"the token span {bounds} is empty")
    return Span(offsets[first].start, offsets[last - 1].end)
