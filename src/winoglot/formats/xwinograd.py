"""XWinograd: a table of items in several languages.

Tab-separated without a header: one item per line, with tokens and spans as JSON.

Columns: language, source, the English original or `?`, sentence, tokens, pronoun `[text, [from, to], tokens]`,
candidates `[[text, [from, to], tokens, correct], …]`; spans count tokens. Japanese is called `jp`.

Every candidate has exactly one span, so an item with a zero pronoun or with a candidate that the text does not mention
cannot be written; `lost` says what else the columns cannot hold.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.files import parse_json
from winoglot.formats.base import what_is_lost
from winoglot.formats.importing.grouping import tokenise
from winoglot.formats.importing.repairs import fix_pronoun, report_repeated
from winoglot.formats.importing.rows import SourceRow, build_collection
from winoglot.formats.importing.sources import choose_language, tab_separated
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, language_tag, primary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection, Item

SUFFIXES = (".tsv",)
_COLUMNS = 7


def sniff(head: str) -> bool:
    """Seven columns, of which the last three are JSON lists."""
    cells = head.partition("\n")[0].split("\t")
    return len(cells) == _COLUMNS and all(cell.startswith("[") for cell in cells[4:])


def read(file: InputFile) -> Collection:
    """Read the items of one language; `file.language` says which if there are several."""
    lines: list[tuple[int, str, list[str]]] = []
    for number, cells in tab_separated(file, _COLUMNS):
        with file.skipping(number, f"row {number}"):
            lines.append((number, language_tag(cells[0]), cells))
    language = choose_language((tag for _, tag, _ in lines), file)
    rows: list[SourceRow] = []
    for number, tag, cells in lines:
        if primary(tag) == primary(language):
            with file.skipping(number, f"row {number}") as repaired:
                rows.append(_row(number, cells, repaired))
    report_repeated(rows, file)
    return build_collection([fix_pronoun(row, language, file) for row in rows], file, language)


def _row(number: int, cells: list[str], repaired: Repaired) -> SourceRow:
    text = cells[3]
    try:
        tokens, pronoun, candidates = (parse_json(cell) for cell in cells[4:])
        offsets = _offsets(text, tokens)
        spans = [_span(offsets, candidate[1]) for candidate in candidates]
        if any(type(candidate[3]) is not bool for candidate in candidates):
            raise ValueError("the mark of a correct candidate is neither true nor false")
        right = [index for index, candidate in enumerate(candidates) if candidate[3]]
        row = SourceRow(
            line=number,
            source_id=str(number),
            candidates=tuple(candidate[0].strip() for candidate in candidates),
            answer=right[0] if len(right) == 1 else None,
            text=text,
            pronoun=_span(offsets, pronoun[1]),
            mentions=tuple((span,) for span in spans),
        )
        marked = [(pronoun[0], row.pronoun), *zip(row.candidates, spans, strict=True)]
        misplaced = [
            (name, span.of(text)) for name, span in marked if span and _letters(name) != _letters(span.of(text))
        ]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise InputError(f"its JSON does not fit this format: {error}") from error
    problems = [f"the span given for {name!r} covers {covered!r}" for name, covered in misplaced]
    if len(right) != 1:
        problems.append(f"{len(right)} of its candidates are marked correct; it has no answer")
    if len(candidates) < 2:
        problems.append("it has only one candidate")
    if any(a.overlaps(b) for index, a in enumerate(spans) for b in spans[:index]):
        problems.append("the spans of its candidates overlap")
    for problem in problems:
        repaired(f"{problem}; kept")
    return row


def _letters(text: str) -> str:
    """What two spellings of the same words have in common."""
    return "".join(character for character in folded(text) if character.isalnum())


def _offsets(text: str, tokens: list[Any]) -> list[Span]:
    """Where each token is in the text, which has other spaces and no Penn Treebank quotes."""
    spans: list[Span] = []
    position = 0
    for token in tokens:
        start = end = None
        for character in "".join(token.split()).replace("``", '"').replace("''", '"'):
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


def write(collection: Collection) -> str:
    """One line for each original that the format can hold, in the collection's order."""
    language = "jp" if collection.language == "ja" else collection.language
    return "".join(_line(item, language) for item in collection.items if _obstacle(item) is None)


def _line(item: Item, language: str) -> str:
    if item.text is None or item.pronoun is None:
        return ""
    text = _one_line(item.text)
    mentions = [candidate.mentions[0] for candidate in item.candidates]
    tokens = split_tokens(text, [item.pronoun, *mentions])
    surfaces = [token.of(text) for token in tokens]
    bounds = [_bounds(tokens, span) for span in (item.pronoun, *mentions)]
    first, last = bounds[0]
    pronoun = [item.pronoun.of(text), [first, last], surfaces[first:last]]
    candidates = [
        [_one_line(candidate.text), [first, last], surfaces[first:last], index == item.answer]
        for index, (candidate, (first, last)) in enumerate(zip(item.candidates, bounds[1:], strict=True))
    ]
    source = _one_line(item.source.collection) if item.source else "?"
    return "\t".join([language, source, "?", text, *map(json.dumps, (surfaces, pronoun, candidates))]) + "\n"


def split_tokens(text: str, spans: Sequence[Span]) -> list[Span]:
    """Words and single punctuation marks, cut where one of the spans begins or ends; only spaces separate them.

    >>> [token.of("Ann's dog ran.") for token in split_tokens("Ann's dog ran.", [Span(4, 9)])]
    ['Ann', "'", 's', 'dog', 'ran', '.']
    """
    cuts = sorted({edge for span in spans for edge in (span.start, span.end)})
    tokens: list[Span] = []
    for token in tokenise(text):
        edges = [token.start, *(cut for cut in cuts if token.start < cut < token.end), token.end]
        tokens += [Span(*pair) for pair in pairwise(edges)]
    return tokens


def _bounds(tokens: Sequence[Span], span: Span) -> tuple[int, int]:
    indexes = [index for index, token in enumerate(tokens) if token.within(span)]
    return indexes[0], indexes[-1] + 1


def _one_line(text: str) -> str:
    """The text with every line break and tab made a space, so that positions stay."""
    return text.replace("\n", " ").replace("\t", " ")


def lost(collection: Collection) -> list[str]:
    """What the columns cannot hold, with the ids of the items."""

    def of_item(item: Item) -> Iterator[str]:
        if any(len(candidate.mentions) > 1 for candidate in item.candidates):
            yield "further mentions of a candidate"
        if any(_one_line(text) != text for text in (item.text or "", *(c.text for c in item.candidates))):
            yield "line breaks and tabs, which become spaces"

    return what_is_lost(collection, _obstacle, of_item)


def _obstacle(item: Item) -> str | None:
    """Why the format cannot hold an item."""
    if item.text is None:
        return "there is no text"
    if item.pronoun_form == "zero":
        return "the pronoun is not spoken"
    if not all(candidate.mentions for candidate in item.candidates):
        return "the text does not mention every candidate"
    return None
