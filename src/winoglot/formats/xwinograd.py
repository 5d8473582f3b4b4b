"""XWinograd: tab-separated, without a header; one item a line, in several languages, tokens and spans as JSON.

Columns: language, source, the English original or `?`, sentence, tokens, pronoun `[text, [from, to], tokens]`,
candidates `[[text, [from, to], tokens, right], …]`; spans count tokens. Japanese goes by the name `jp`.

Every candidate stands in the text, once; so an item whose pronoun is not spoken or one of whose candidates the text
does not mention cannot be written, and `lost` says what else the columns have no room for.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.formats._language import choose_language
from winoglot.formats._pronouns import mend_pronoun
from winoglot.formats._rows import Row, build_collection
from winoglot.formats._segments import tokenise
from winoglot.schemas.model import NO_FEATURES, NO_TERMS
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, language_tag, primary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection, Item

SUFFIXES = (".tsv",)
_COLUMNS = 7


def sniff(head: str) -> bool:
    """Seven columns, the last three of them JSON lists."""
    cells = head.partition("\n")[0].split("\t")
    return len(cells) == _COLUMNS and all(cell.startswith("[") for cell in cells[4:])


def read(file: InputFile) -> Collection:
    """Read the items of one language; `file.language` says which where there are several."""
    rows: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(file.text.split("\n"), 1):
        cells = line.rstrip("\r").split("\t")
        if not line.strip():
            continue
        if len(cells) != _COLUMNS:
            file.skipped(number, "row", f"it has {len(cells)} columns instead of {_COLUMNS}")
            continue
        try:
            rows.append((number, language_tag(cells[0]), cells))
        except InputError as error:
            file.skipped(number, "row", error.message)
    language = choose_language({tag for _, tag, _ in rows}, file)
    wanted = [(number, cells) for number, tag, cells in rows if primary(tag) == primary(language)]
    return build_collection(_read_rows(wanted, language, file), file, language)


def _read_rows(rows: list[tuple[int, list[str]]], language: str, file: InputFile) -> list[Row]:
    made: list[Row] = []
    seen: dict[str, int] = {}
    for number, cells in rows:
        row = _read_row(number, cells, file)
        if row is None:
            continue
        first = seen.setdefault(cells[3], number)
        if first != number:
            file.repaired(number, f"row {number}", f"the same sentence as in line {first}; kept")
        made.append(mend_pronoun(row, language, file))
    return made


def write(collection: Collection) -> str:
    """One line for each original that the format can hold, in the collection's order."""
    language = "jp" if collection.language == "ja" else collection.language
    return "".join(_write_item(item, language) for item in collection.items if _obstacle(item) is None)


def lost(collection: Collection) -> list[str]:
    """What the format cannot hold, in words and with the ids it concerns."""
    found: dict[str, list[str]] = {}
    for item in collection.items:
        obstacle = _obstacle(item)
        reasons = [f"left out, {obstacle}"] if obstacle else [what for what, has in _EXTRAS.items() if has(item)]
        for reason in reasons:
            found.setdefault(reason, []).append(item.id)
    for variant in collection.variants():
        found.setdefault("variants", []).append(variant.id)
    for schema in collection.schemas:
        if schema.explanation or schema.note or schema.impossible:
            found.setdefault("what the author says of the schema", []).append(schema.id)
    about = [name for name in ("description", "licence", "citation", "keep_names") if getattr(collection, name)]
    return [f"{what}: {_some(ids)}" for what, ids in found.items()] + [f"{name} of the collection" for name in about]


def _read_row(number: int, cells: list[str], file: InputFile) -> Row | None:
    try:
        tokens, pronoun, candidates = (json.loads(cell) for cell in cells[4:])
        text = cells[3].strip()
        offsets = _offsets(text, tokens)
        if any(type(candidate[3]) is not bool for candidate in candidates):
            raise ValueError("whether a candidate is right is neither true nor false")
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
    if len(right) != 1:
        file.repaired(number, f"row {number}", f"{len(right)} of its candidates are marked right; kept unlabelled")
    if len(candidates) < 2:
        file.repaired(number, f"row {number}", "it has only one candidate; kept")
    spans = [span for (span,) in mentions]
    named = [(pronoun[0], row.pronoun), *zip(row.candidates, spans, strict=True)]
    for name, span in named:
        if span is not None and _letters(name) != _letters(span.of(text)):
            file.repaired(number, f"row {number}", f"the place given for {name!r} holds {span.of(text)!r}; kept")
    if any(a.overlaps(b) for index, a in enumerate(spans) for b in spans[:index]):
        file.repaired(number, f"row {number}", "the spans of its candidates overlap; kept")
    return row


def _letters(text: str) -> str:
    """What two spellings of the same words have in common."""
    return "".join(character for character in folded(text) if character.isalnum())


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


def _obstacle(item: Item) -> str | None:
    """Why an item has no place in the format."""
    if item.text is None:
        return "it has no text"
    if item.pronoun_form == "zero":
        return "its pronoun is not spoken"
    if not all(candidate.mentions for candidate in item.candidates):
        return "its text does not mention every candidate"
    return None


_EXTRAS: dict[str, Callable[[Item], bool]] = {
    "tags": lambda item: bool(item.tags),
    "question": lambda item: item.question is not None,
    "hypotheses": lambda item: bool(item.hypotheses),
    "written readings": lambda item: any(item.readings),
    "inference pairs": lambda item: bool(item.inferences),
    "terms": lambda item: item.terms != NO_TERMS,
    "phrase of the pronoun": lambda item: item.phrase is not None,
    "further mentions of a candidate": lambda item: any(len(c.mentions) > 1 for c in item.candidates),
    "stated features of a candidate": lambda item: any(c.features != NO_FEATURES for c in item.candidates),
    "line breaks and tabs, which become blanks": lambda item: any(map(_has_break, [item.text or "", *_names(item)])),
}
_MOST_IDS = 12


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else ""
    return ", ".join(ids[:_MOST_IDS]) + more


def _names(item: Item) -> list[str]:
    return [candidate.text for candidate in item.candidates]


def _has_break(text: str) -> bool:
    return "\n" in text or "\t" in text


def _write_item(item: Item, language: str) -> str:
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
        [_one_line(name), [first, last], surfaces[first:last], index == item.answer]
        for index, (name, (first, last)) in enumerate(zip(_names(item), bounds[1:], strict=True))
    ]
    source = _one_line(item.source.collection) if item.source else "?"
    return "\t".join([language, source, "?", text, *map(json.dumps, (surfaces, pronoun, candidates))]) + "\n"


def split_tokens(text: str, spans: Sequence[Span]) -> list[Span]:
    """Words and single marks, cut where one of the spans begins or ends; between them there are only blanks.

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
    inside = [number for number, token in enumerate(tokens) if token.within(span)]
    return inside[0], inside[-1] + 1


def _one_line(text: str) -> str:
    """The text with every break made a blank, so that positions stay."""
    return text.replace("\n", " ").replace("\t", " ")
