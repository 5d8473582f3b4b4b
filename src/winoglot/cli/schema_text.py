"""How schemas look on a terminal: the notation's own marks, so that nothing is lost without colours."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from winoglot.cli.pretty import emit, make_console
from winoglot.schemas.markup import Marked, escape, print_marked
from winoglot.schemas.model import NO_TERMS
from winoglot.schemas.statistics import side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import RenderableType

    from winoglot.schemas.model import Collection, Item, Schema
    from winoglot.schemas.statistics import Lengths, Statistics

_CANDIDATE_STYLES = ("cyan", "yellow", "green", "blue")
_NARROWEST_COLUMN = 36


def print_schemas(collections: list[Collection], ids: list[str], *, variants: bool, full: bool) -> None:
    """Every schema in turn; in several languages side by side where the terminal is wide enough."""
    for parallel_id, schemas in side_by_side(collections, ids).items():
        emit(Text(parallel_id, style="bold"))
        blocks: list[RenderableType] = []
        for collection, schema in zip(collections, schemas, strict=True):
            label = [Text(collection.language, style="italic")] if len(collections) > 1 else []
            body = _schema_lines(schema, variants=variants, full=full) if schema else [Text("–", style="dim")]
            blocks.append(Padding(Group(*label, *body), (0, 0, 0, 2)))
        if make_console().width // len(blocks) >= _NARROWEST_COLUMN:
            grid = Table.grid(padding=(0, 2), expand=True)
            for _ in blocks:
                grid.add_column(ratio=1, overflow="fold")
            grid.add_row(*blocks)
            emit(grid)
        else:
            emit(Group(*blocks))
        emit(Text())


def _schema_lines(schema: Schema, *, variants: bool, full: bool) -> list[RenderableType]:
    lines: list[RenderableType] = []
    items: Iterable[Item] = (*schema.items, *schema.variants) if variants else schema.items
    for item in items:
        lines.append(Text(item.id, style="dim"))
        lines += [marked_text(item)] if item.text else [Text(form) for form in _other_forms(item)]
        if item.question:
            lines.append(Text(item.question, style="italic"))
        if item.candidates:
            lines.append(answers_line(item))
        if full:
            lines += [Text(line, style="dim") for line in _further_forms(item)]
    if schema.explanation:
        lines.append(Text(f"Why: {schema.explanation}"))
    if schema.tags:
        lines.append(Text(f"Tags: {', '.join(schema.tags)}", style="dim"))
    if schema.kinds and not variants:
        lines.append(Text(f"Variants: {', '.join(schema.kinds)} (--variants shows them)", style="dim"))
    lines += [Text(f"No {one.kind}: {one.reason}", style="dim") for one in schema.impossible]
    if schema.note:
        lines.append(Text(f"Note: {schema.note}", style="dim"))
    return lines


def _other_forms(item: Item) -> list[str]:
    """What an item without a text consists of."""
    readings = [reading.text for reading in item.readings if reading]
    return readings + [f"{pair.premise} ⇒ {pair.hypothesis} ({pair.entailed})" for pair in item.inferences]


def _further_forms(item: Item) -> list[str]:
    """What an item carries beside its text, one line each."""
    lines = [f"⇒ {index} {hypothesis}" for index, hypothesis in enumerate(item.hypotheses)]
    for index, reading in enumerate(item.readings):
        if item.text and reading and reading.inserted:
            lines.append(f"= {index} {print_marked(Marked(reading.text, (reading.inserted,)))}")
    for index, candidate in enumerate(item.candidates):
        stated = [value for value in astuple(candidate.features) if value]
        lines += [f"Candidate {index} is {', '.join(stated)}"] if stated else []
    if item.phrase and item.text:
        lines.append(f"Phrase: {item.phrase.of(item.text)}")
    if item.terms != NO_TERMS:
        lines.append(f"Terms: {', '.join(item.terms.candidates)} | {item.terms.segment or ''}")
    if item.source:
        lines.append(f"Source: {item.source.collection} {item.source.id or ''}")
    return lines


def marked_text(item: Item) -> Text:
    """The text with { } around the pronoun and [ ] around the segment, and everything coloured."""
    text = item.text or ""
    styles: list[list[str]] = [[] for _ in text]
    for index, candidate in enumerate(item.candidates):
        for mention in candidate.mentions:
            for position in range(mention.start, mention.end):
                styles[position].append(_CANDIDATE_STYLES[index % len(_CANDIDATE_STYLES)])
    marks = [(place, "[", "]", "underline") for place in item.segment]
    marks += [(item.pronoun, "{", "}", "bold magenta")] if item.pronoun else []
    for span, _, _, style in marks:
        for position in range(span.start, span.end):
            styles[position].append(style)
    result = Text()
    run, style = "", ""  # characters of one style go together, so that no letter is parted from its accents
    for position, character in enumerate([*text, ""]):
        # Inner marks close first and open last; of two that cover the same, the segment is the outer one.
        closing = [mark for mark in marks if mark[0].start < mark[0].end == position]
        closing.sort(key=lambda mark: (-mark[0].start, mark[1] == "["))
        opening = [mark for mark in marks if mark[0].start == position]
        opening.sort(key=lambda mark: (-mark[0].end, mark[1] == "{"))
        signs = "".join(right for _, _, right, _ in closing)
        signs += "".join(left + right * (span.start == span.end) for span, left, right, _ in opening)
        new = " ".join(styles[position]) if character else ""
        if signs or new != style:
            result.append(run, style=style)
            result.append(signs, style="dim")
            run, style = "", new
        run += escape(character)
    result.append(run, style=style)
    return result


def answers_line(item: Item) -> Text:
    """The candidates, the right one ticked, each with the form in which it is mentioned if that is another."""
    result = Text()
    for index, candidate in enumerate(item.candidates):
        right = index == item.answer
        result.append(f"{'✓' if right else ' '} {index} ", style="bold green" if right else "dim")
        result.append(candidate.text, style=_CANDIDATE_STYLES[index % len(_CANDIDATE_STYLES)])
        mentions = [mention.of(item.text or "") for mention in candidate.mentions]
        if item.text and mentions != [candidate.text]:
            result.append(f" ({', '.join(mentions) or 'not mentioned'})", style="dim")
        result.append("   ")
    result.rstrip()
    return result


def print_statistics(collection: Collection, counts: Statistics) -> None:
    """Everything `stats` counts, one line each."""
    emit(Text(f"{collection.name} {collection.version} ({collection.language})", style="bold"))
    table = Table.grid(padding=(0, 2))
    table.add_row("schemas", f"{counts.schemas}, with {_spell(counts.items_per_schema, 'items')}")
    table.add_row("items", str(counts.items))
    table.add_row("variants", _spell(counts.variants))
    table.add_row("answers", _spell(counts.answers))
    table.add_row("right answer is mentioned", _spell(counts.answers_by_mention))
    table.add_row("pronouns", _spell(counts.pronouns))
    table.add_row("subsets", _spell(counts.subsets))
    table.add_row("tags", _spell(counts.tags))
    table.add_row("characters", _spell_lengths(counts.characters))
    table.add_row("words between blanks", _spell_lengths(counts.words))
    table.add_row("hashes", ", ".join(f"{kind} {value}" for kind, value in counts.hashes.items()))
    table.add_row("licence", collection.licence or "not stated")
    emit(Padding(table, (0, 0, 1, 2)))


def _spell(counts: Mapping[str, int] | Mapping[int, int], unit: str = "") -> str:
    """Counts in words: `first: 6, second: 6`; with a unit, `6 of 2 items`."""
    if unit:
        return ", ".join(f"{count} of {key} {unit}" for key, count in counts.items())
    return ", ".join(f"{key}: {count}" for key, count in counts.items()) or "none"


def _spell_lengths(lengths: Lengths | None) -> str:
    if lengths is None:
        return "not counted: no texts, or a script without blanks"
    return f"{lengths.shortest} to {lengths.longest}, median {lengths.median:g}"
