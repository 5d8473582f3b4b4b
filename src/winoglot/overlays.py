"""Overlays: grammatical readings for someone else's collection, in a small file without its sentences.

An overlay is JSON Lines: a line that says what it is for, then one line per item, which the item's hash identifies.

    {"overlay": "their-collection", "language": "pt", "format": 1}
    {"item": "0123456789abcdef", "readings": [null, "o {:-1}"]}
    {"item": "fedcba9876543210", "readings": [{"insert": "o {}", "place": [74, 77], "edits": [[70, 71, "e "]]}, null]}

There is one reading per candidate; null leaves it to grammar. A reading says what is in the pronoun's place: `{}` is
the candidate as the collection cites it, `{2:}` the candidate without its first two characters, `{:-1}` without its
last one. `place` is another place than the pronoun's, in characters of the text, if the source marks the wrong word;
`edits` are further changes, each with start, end and new text. `""` is a reading that is still to be written.

Reading files comes first, then applying them to a collection, then writing a collection's readings as an overlay, and
last merging overlays.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from winoglot.errors import InputError, error_path, located
from winoglot.files import decode, read_bytes
from winoglot.formats.importing.sources import json_errors, without_duplicates
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Item, WrittenReading
from winoglot.schemas.spans import Edit, Span, edited, shared_end, shared_start
from winoglot.schemas.text import counted, language_tag, needs_space, primary
from winoglot.schemas.validation import Record, check_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from winoglot.schemas.model import Collection, Schema

ItemT = TypeVar("ItemT", bound=Item)  # or a variant
NONE = "none"  # instead of a file: not even the bundled overlays
_FOLDER = Path(__file__).parent / "schemas" / "overlays"
_LIMIT = 16 * 2**20  # bytes
_FORMAT = 1
_HEAD_REMEDY = 'It is {"overlay": "NAME", "language": "pt", "format": 1}.'
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(?P<start>-?\d{1,4})?(?P<colon>:)?(?P<end>-?\d{1,4})?\}|[{}]")


@dataclass(frozen=True)
class OverlayReading(Record):
    """One reading as its difference from the item's text."""

    insert: str
    place: Span | None = None
    edits: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True)
class OverlayLine(Record):
    """The readings of one item, one per candidate."""

    item: str
    readings: tuple[OverlayReading | None, ...]


@dataclass(frozen=True)
class _Head(Record):
    overlay: str
    language: str
    format: int
    note: str = ""


@dataclass(frozen=True)
class Overlay:
    """The lines of an overlay by the hash of their item, and where in its file each of them is."""

    name: str
    language: str
    lines: dict[str, OverlayLine]
    places: dict[str, tuple[str, int]]  # by hash, the file and the line
    note: str = ""  # who wrote it, and from what

    @property
    def hash(self) -> str:
        """The hash of all readings."""
        return digest([[line.item, repr(line.readings)] for line in self.lines.values()])


# Files


def read_overlay(path: str | Path) -> Overlay:
    """The overlay in a file; whatever is wrong with it is an input error with its line."""
    return read_text(decode(read_bytes(Path(path), _LIMIT), str(path)), str(path))


def read_text(text: str, file: str = "") -> Overlay:
    """The overlay in a text; errors call it by the name of its file."""
    with located(file=file or None):
        rows = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not rows:
            raise InputError("the overlay is empty", remedy=f"Its first line says what it is for. {_HEAD_REMEDY}")
        head = _head(*rows[0])
        lines: dict[str, OverlayLine] = {}
        places: dict[str, tuple[str, int]] = {}
        for number, row in rows[1:]:
            with located(line=number):
                line: OverlayLine = _checked(OverlayLine, _with_full_readings(_json(row, number)))
                if line.item in lines:
                    message = f"the item {line.item} has a line already, line {places[line.item][1]}"
                    raise InputError(message, remedy="Join the two lines.")
            lines[line.item], places[line.item] = line, (file, number)
        return Overlay(head.overlay, head.language, lines, places, head.note)


def _json(row: str, number: int) -> Any:
    with json_errors(first_line=number):
        return json.loads(row, object_pairs_hook=without_duplicates)


def _checked(kind: type, value: object) -> Any:
    return check_json(kind, json.dumps(value, ensure_ascii=False), value)


def _head(number: int, row: str) -> _Head:
    with located(line=number):
        value = _json(row, number)
        if not isinstance(value, dict) or "overlay" not in value:
            raise InputError("the first line does not describe an overlay", remedy=_HEAD_REMEDY)
        head: _Head = _checked(_Head, value)
        if head.format != _FORMAT:
            message = f"the overlay has format {head.format}, this version of Winoglot reads format {_FORMAT}"
            raise InputError(message, remedy="Update Winoglot, or write the overlay again.")
        with error_path("language"):
            return replace(head, language=language_tag(head.language))


def _with_full_readings(line: Any) -> Any:
    """A line in which readings written as plain text, which is what they insert, have become mappings."""
    if not isinstance(line, dict) or not isinstance(line.get("readings"), list):
        return line
    readings = [{"insert": reading} if isinstance(reading, str) else reading for reading in line["readings"]]
    return line | {"readings": readings}


def write_overlay(overlay: Overlay) -> str:
    """The text of an overlay's file; reading it back gives the same readings."""
    head = {"overlay": overlay.name, "language": overlay.language, "format": _FORMAT}
    rows: list[dict[str, Any]] = [head | ({"note": overlay.note} if overlay.note else {})]
    rows += [{"item": line.item, "readings": list(map(_as_json, line.readings))} for line in overlay.lines.values()]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _as_json(reading: OverlayReading | None) -> Any:
    """The JSON value of a reading: null, a text if it only inserts something, or else a mapping."""
    if reading is None or (reading.place is None and not reading.edits):
        return reading and reading.insert
    place = {"place": [reading.place.start, reading.place.end]} if reading.place else {}
    return {"insert": reading.insert, **place, **({"edits": reading.edits} if reading.edits else {})}


# From an overlay to written readings


def with_overlays(collection: Collection, files: Sequence[str | Path] = ()) -> Collection:
    """The collection with the readings of these overlays, or else of the bundled ones that know some of its items.

    Readings of a named overlay replace those that the collection has; every line must be about an item of it. Bundled
    overlays only add readings. `NONE` instead of a file leaves the bundled ones out.
    """
    named_files = [file for file in files if str(file) != NONE]
    if named_files:
        overlay = merged([read_overlay(file) for file in named_files])
        _check_for(overlay, collection)
        return overlaid(collection, overlay)
    overlay = Overlay("", "", {}, {}) if files else _bundled(primary(collection.language))
    hashes = {item.hash for item in _items(collection)} if overlay.lines else set()
    return overlaid(collection, overlay, replaces=False) if hashes & overlay.lines.keys() else collection


@cache
def _bundled(language: str) -> Overlay:
    path = _FOLDER / f"{language}.jsonl"
    return read_overlay(path) if path.exists() else Overlay(language, language, {}, {})


def _items(collection: Collection) -> tuple[Item, ...]:
    return (*collection.items, *collection.variants())


def _check_for(overlay: Overlay, collection: Collection) -> None:
    if primary(overlay.language) != primary(collection.language):
        raise InputError(
            f"the overlay {overlay.name} is in {overlay.language}, the collection {collection.name} in "
            f"{collection.language}",
            remedy="Name an overlay for this collection.",
        )
    hashes = {item.hash for item in _items(collection)}
    for item_hash, (file, number) in overlay.places.items():
        if item_hash not in hashes:
            raise InputError(
                f"no item of {collection.name} has the hash {item_hash!r}",
                remedy="The item has changed since, or the overlay is for another collection. Remove the line, or see "
                "what is missing with winoglot readings … --write-overlay FILE.",
                file=file,
                line=number,
            )


def overlaid(collection: Collection, overlay: Overlay, *, replaces: bool = True) -> Collection:
    """The collection with the readings of an overlay for the items that it knows.

    With `replaces`, they replace written readings that the collection has.
    """
    schemas = tuple(_schema(schema, overlay, replaces=replaces) for schema in collection.schemas)
    if schemas == collection.schemas:  # it has these readings already
        return collection
    items = sum(item.hash in overlay.lines for item in _items(collection))
    step = f"readings of {counted(items, 'item')} from the overlay {overlay.name} sha {overlay.hash[:8]}"
    return replace(collection, schemas=schemas, provenance=(*collection.provenance, step))


def _schema(schema: Schema, overlay: Overlay, *, replaces: bool) -> Schema:
    if not any(item.hash in overlay.lines for item in (*schema.items, *schema.variants)):
        return schema
    return replace(
        schema,
        items=tuple(_overlaid_item(item, overlay, replaces=replaces) for item in schema.items),
        variants=tuple(_overlaid_item(variant, overlay, replaces=replaces) for variant in schema.variants),
    )


def _overlaid_item(item: ItemT, overlay: Overlay, *, replaces: bool) -> ItemT:
    line = overlay.lines.get(item.hash)
    if line is None:
        return item
    file, number = overlay.places[item.hash]
    with located(file=file, line=number):
        if len(line.readings) != len(item.candidates) or item.text is None:
            raise InputError(
                f"{counted(len(line.readings), 'reading')} for "
                f"{counted(len(item.candidates), 'candidate')} of {item.id}",
                remedy="Write one for each candidate; null leaves it to grammar.",
                path=("readings",),
            )
        present = item.readings or (None,) * len(item.candidates)
        readings: list[WrittenReading | None] = []
        for index, (reading, present_reading) in enumerate(zip(line.readings, present, strict=True)):
            if reading is None or (present_reading is not None and not replaces):
                readings.append(present_reading)
                continue
            with error_path("readings", index):
                readings.append(_apply(item, index, reading))
    return replace(item, readings=tuple(readings))


def _apply(item: Item, index: int, reading: OverlayReading) -> WrittenReading:
    """The sentence that an overlay's reading stands for."""
    text, place = item.text or "", reading.place or item.pronoun
    if place is None:
        raise InputError(f"{item.id} has no pronoun", remedy="Give the 'place' of the insertion.")
    place.check_inside(text, "the place")
    insertion = _fill(reading.insert, item.candidates[index].text)
    edits = [Edit(place, insertion)]
    for number, (start, end, new) in enumerate(reading.edits):
        with error_path("edits", number):
            edit = Edit(Span(start, end), new)
            edit.span.check_inside(text, "the edit")
            edits.append(edit)
    sorted_edits = sorted(edits, key=lambda edit: (edit.span.start, edit.span.end))
    for earlier, later in pairwise(sorted_edits):
        if earlier.span.end > later.span.start or earlier.span == later.span:
            first, second = ([edit.span.start, edit.span.end] for edit in (earlier, later))
            raise InputError(f"the changes {first} and {second} overlap", remedy="Join them into one.")
    prefix = edited(text[: place.start], [edit for edit in edits[1:] if edit.span.end <= place.start])
    suffix = edited(text, sorted_edits)[len(prefix) + len(insertion) :]
    if place.start == place.end:  # nothing separates the words there, as with a pronoun that is not spoken
        prefix += " " * needs_space(prefix, insertion)
        suffix = " " * needs_space(insertion, suffix) + suffix
    return WrittenReading(prefix + insertion + suffix, Span(len(prefix), len(prefix) + len(insertion)))


def _fill(template: str, candidate: str) -> str:
    """The words to insert, with the candidate in place of `{}`.

    >>> _fill("o {:-1}", "vizinhos"), _fill("l{1:}", "Le four"), _fill("a {{x}}", "")
    ('o vizinho', 'le four', 'a {x}')
    """

    def fill(match: re.Match[str]) -> str:
        placeholder = match.group()
        start, colon, end = match.group("start", "colon", "end")
        if placeholder in ("{{", "}}"):
            return placeholder[0]
        if len(placeholder) == 1 or (not colon and (start or end)):
            raise InputError(
                f"{template!r} has {placeholder!r}, which has no meaning here",
                remedy="{} is the candidate, {2:} the candidate from its third character on; write {{ for a brace.",
            )
        return candidate[int(start) if start else None : int(end) if end else None]

    if not template.strip():
        raise InputError(
            "the reading is still to be written",
            remedy="Say what is in the pronoun's place ('o {}'), or write null to leave it to grammar.",
        )
    return _PLACEHOLDER.sub(fill, template)


# From written readings to an overlay


def overlay_of(collection: Collection) -> Overlay:
    """The collection's written readings, and an empty one for each that grammar cannot derive and nobody has written.

    >>> import winoglot as wg
    >>> pt = wg.load("winoglot-pt")
    >>> variant = pt["elevator-scratch.0~tense"]  # its author wrote its readings
    >>> overlay_of(pt).lines[variant.hash].readings[0]
    OverlayReading(insert='{}', place=None, edits=((66, 66, 'desmente '), (67, 76, '')))
    """
    lines: dict[str, OverlayLine] = {}
    for item in _items(collection):
        if item.text is not None and item.candidates:
            readings = tuple(_readings(item, collection.language))
            if any(readings):
                lines.setdefault(item.hash, OverlayLine(item.hash, readings))
    return Overlay(collection.name, collection.language, lines, {})


def unwritten(overlay: Overlay, item: Item) -> list[int]:
    """The candidates of an item whose readings are still to be written."""
    line = overlay.lines.get(item.hash)
    return [index for index, reading in enumerate(line.readings) if reading and not reading.insert] if line else []


def _readings(item: Item, language: str) -> Iterator[OverlayReading | None]:
    """One reading per candidate: the written one, an empty one to be written, or None if grammar derives it."""
    from winoglot.languages.readings import grammatical_readings  # grammar is slow to import, and loading needs none

    written_readings = item.readings or (None,) * len(item.candidates)
    for derived_reading, reading in zip(grammatical_readings(item, language), written_readings, strict=True):
        if reading is not None and reading.inserted is not None:
            yield _difference(item, derived_reading.candidate, reading, reading.inserted)
        else:
            yield None if derived_reading.derived or item.pronoun_form == "blank" else OverlayReading("")


def _difference(item: Item, index: int, reading: WrittenReading, inserted: Span) -> OverlayReading:
    """What a written reading changes in the item's text: the shortest of a few ways to say it that give the reading."""
    text, pronoun = item.text or "", item.pronoun or Span(0, 0)
    prefix, suffix = reading.text[: inserted.start], reading.text[inserted.end :]
    insert = _escaped(inserted.of(reading.text)).replace(_escaped(item.candidates[index].text), "{}", 1)
    # The pronoun may not be what the reading replaces: the place then begins where `before` or ends where `after` does.
    start, end = min(len(prefix), len(text)), max(0, len(text) - len(suffix))
    places = [pronoun, Span(start, max(start, end)), Span(end, end), Span(start, start)]
    places += [Span(max(0, place.start - 1), place.end) for place in places]  # no edit can be beside an empty place
    candidates = []
    for place in places:
        edits = (*_changes(text[: place.start], prefix, 0), *_changes(text[place.end :], suffix, place.end))
        other_place = None if place == pronoun else place
        candidates += [OverlayReading(insert, other_place), OverlayReading(insert, other_place, edits)]
    candidates.sort(key=lambda candidate: len(json.dumps(_as_json(candidate))))
    return next(candidate for candidate in candidates if _yields(candidate, item, index, reading))


def _yields(candidate: OverlayReading, item: Item, index: int, reading: WrittenReading) -> bool:
    try:
        return _apply(item, index, candidate) == reading
    except InputError:  # its changes overlap
        return False


def _changes(old: str, new: str, offset: int) -> Iterator[tuple[int, int, str]]:
    """The words that differ, each change cut down to the characters that do; places in `old` begin at an offset."""
    old_words, new_words = (re.findall(r"\w+|\W", text) for text in (old, new))
    for kind, start, end, low, high in SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes():
        if kind != "equal":
            position = offset + sum(map(len, old_words[:start]))
            removed_text, added_text = "".join(old_words[start:end]), "".join(new_words[low:high])
            shared_left = shared_start(removed_text, added_text)
            shared_right = shared_end(removed_text[shared_left:], added_text[shared_left:])
            yield (
                position + shared_left,
                position + len(removed_text) - shared_right,
                added_text[shared_left : len(added_text) - shared_right],
            )


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def merged(overlays: Iterable[Overlay]) -> Overlay:
    """One overlay with the lines of several; two different readings of one candidate are an input error.

    A reading that is null or still to be written gives way to one that is written.
    """
    first, *others = overlays
    lines, places = dict(first.lines), dict(first.places)
    for other in others:
        if primary(other.language) != primary(first.language):
            message = f"the overlay {first.name} is in {first.language}, {other.name} in {other.language}"
            raise InputError(message, remedy="Merge overlays of one language.")
        for item, line in other.lines.items():
            file, number = other.places[item]
            with located(file=file, line=number):
                lines[item] = _join_lines(lines[item], line, places[item]) if item in lines else line
            places.setdefault(item, (file, number))
    return replace(first, lines=lines, places=places)


def _join_lines(line: OverlayLine, later: OverlayLine, place: tuple[str, int]) -> OverlayLine:
    """One line of two about the same item; the place is the file and the line of the first."""
    where = f"{place[0]}, line {place[1]}"
    if len(line.readings) != len(later.readings):
        raise InputError(f"the item {line.item} has another number of readings than in {where}", remedy="Correct one.")
    readings = []
    for index, pair in enumerate(zip(line.readings, later.readings, strict=True)):
        written_readings = [reading for reading in pair if reading and reading.insert]
        if len(set(written_readings)) > 1:
            message = f"reading {index} of the item {line.item} differs from that in {where}"
            raise InputError(message, remedy="Keep one of the two, and write null in the other file.")
        readings.append(written_readings[0] if written_readings else pair[0] or pair[1])
    return replace(line, readings=tuple(readings))
