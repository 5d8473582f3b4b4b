"""`show`, `stats` and `readings`: schemas on a terminal, in the notation's own marks so that nothing needs colours."""

from __future__ import annotations

from dataclasses import asdict, astuple
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from winoglot.cli.collections import statistics_of
from winoglot.cli.completion import listed, one_of, plugins, several_of
from winoglot.cli.console import emit, make_console, print_json
from winoglot.cli.options import Force, Ids, Json, Language, Overlay, Source, Sources, split
from winoglot.errors import InputError
from winoglot.palette import candidate_colour, letter, terminal_style
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import RenderableType

    from winoglot.schemas.model import Collection, Item, Reading, Schema
    from winoglot.schemas.statistics import CollectionStatistics, Lengths

_NARROWEST_COLUMN = 36


def show(
    sources: Sources,
    ids: Ids = None,
    language: Language = None,
    variants: Annotated[bool, typer.Option("--variants", help="Show the stored variants too.")] = False,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="Show hypotheses, written readings, features, roles, terms, confidence, sources and citations too.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line, for each schema.")] = False,
) -> None:
    """Show schemas: pronoun in { }, segment in [ ], candidates in colour, the answer ticked.

    Several collections are shown side by side, matched by parallel id.

    Example: winoglot show winoglot-en winoglot-pt --id train-wave
    """
    from winoglot.loading import load_several
    from winoglot.schemas.statistics import side_by_side

    collections = load_several(sources, language)
    rows = side_by_side(collections, ids or ())
    if as_json:
        from winoglot.schemas.entries import schema_as_json

        for parallel in rows.values():
            for stored in filter(None, parallel):
                print_json(schema_as_json(stored))
        return
    for parallel_id, schemas in rows.items():
        emit(parallel_id, style="bold")
        blocks: list[RenderableType] = []
        for collection, schema in zip(collections, schemas, strict=True):
            label = [Text(collection.language, style="italic")] if len(collections) > 1 else []
            body = _schema_lines(schema, variants=variants, full=full) if schema else [Text("–", style="dim")]
            blocks.append(Padding(Group(*label, *body), (0, 0, 0, 2)))
        emit(_beside(blocks) if make_console().width // len(blocks) >= _NARROWEST_COLUMN else Group(*blocks))
        emit("")
    for collection in collections if full else ():
        emit(f"Cite {collection.name} as: {collection.citation or 'not stated'}", style="dim")


def _beside(blocks: list[RenderableType]) -> Table:
    grid = Table.grid(padding=(0, 2), expand=True)
    for _ in blocks:
        grid.add_column(ratio=1, overflow="fold")
    grid.add_row(*blocks)
    return grid


def stats(sources: Sources, language: Language = None, as_json: Json = False) -> None:
    """Count what is in collections: items, variants, answers, subsets, lengths, tags, hashes.

    Example: winoglot stats winoglot-pt
    """
    from winoglot.schemas.bundled import without_families

    rows = [statistics_of(source, language) for source in without_families(sources, language)]
    if as_json:
        print_json([asdict(counts) for counts in rows] if len(rows) > 1 else asdict(rows[0]))
        return
    for counts in rows:
        _print_statistics(counts)


def readings(
    source: Source,
    language: Language = None,
    style: Annotated[
        str,
        typer.Option(
            "--readings",
            help="grammatical: adapt the candidate to its place; naive: insert it as written.",
            autocompletion=one_of(listed("readings")),
        ),
    ] = "grammatical",
    former_style: Annotated[str | None, typer.Option("--style", hidden=True)] = None,
    ids: Ids = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            help="Read these variants instead of the original items: switched,after-only, or all.",
            autocompletion=several_of(plugins("perturbations")),
        ),
    ] = None,
    overlay: Overlay = None,
    write_overlay: Annotated[
        Path | None,
        typer.Option(help="Write an overlay: the readings so far, and empty ones still to be written."),
    ] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line, for each reading.")] = False,
) -> None:
    """Put each candidate in the pronoun's place, as grammar requires or unchanged.

    If the grammar cannot decide, the naive reading is shown with the reason. With --json, each line also has the
    window of partial scoring, which the readings of an item share. Variants that are not stored are derived.

    An overlay is a file with hand-written readings for a published collection. --write-overlay FILE lists the readings
    that are missing, to be written into FILE.

    Example: winoglot readings winoglot-fr --kinds switched
    """
    from winoglot.languages.readings import readings as make_readings
    from winoglot.loading import load
    from winoglot.perturb.base import named_kinds, with_kinds
    from winoglot.schemas.statistics import side_by_side

    loaded = load(source, language=language, overlay=overlay or ())
    if write_overlay is not None:
        _write_overlay(loaded, write_overlay, force=force)
        return
    wanted = named_kinds(loaded, split(*kinds or ()))
    collection = with_kinds(loaded, wanted)
    items: list[Item] = [variant for kind in wanted for variant in collection.variants(kind)]
    schemas = {row[0].id for row in side_by_side([collection], ids or ()).values() if row[0]}
    shown = [item for item in items or collection.items if item.schema_id in schemas]
    if ids and not shown:
        message = f"{', '.join(ids)} has no variant of kind {', '.join(wanted)}"
        raise InputError(message, remedy="Name another schema.")
    read = [(item, make_readings(item, former_style or style)) for item in shown]
    if not any(item_readings for _, item_readings in read):
        raise InputError(
            f"the items of {collection.name} have neither a pronoun nor readings of their own",
            remedy="Use a collection of texts with a marked pronoun; inference pairs have no readings.",
        )
    for item, item_readings in read:
        if as_json:
            _print_readings_json(item, item_readings)
        else:
            _print_readings(item, item_readings)


def _write_overlay(collection: Collection, path: Path, *, force: bool) -> None:
    """Write a collection's overlay, and show the items whose readings its author has to write."""
    from winoglot.files import write_whole
    from winoglot.languages.readings import readings as make_readings
    from winoglot.overlays import overlay_of, unwritten
    from winoglot.overlays import write_overlay as text_of

    overlay = overlay_of(collection)
    waiting = {item.id: (item, left) for item in collection.items if (left := unwritten(overlay, item))}
    write_whole(path, text_of(overlay), force=force)
    for item, left in waiting.values():
        emit(f"{item.id} {item.hash}", style="bold")
        emit(marked_text(item), indent=2)
        for reading in make_readings(item, "grammatical"):
            if reading.candidate in left:
                text = item.candidates[reading.candidate].text
                emit(f"{letter(reading.candidate)} {text}: {reading.reason}", indent=4)
    number = sum(len(left) for _, left in waiting.values())
    emit(f"{counted(len(overlay.lines), 'item')} in {path}: {counted(number, 'reading')} to be written")


def _print_readings(item: Item, item_readings: list[Reading]) -> None:
    """The readings below the item's id, the inserted words in { }, the right reading ticked."""
    if item_readings:
        emit(item.id, style="bold")
    for reading in item_readings:
        emit(reading_line("✓ " if item.answer == reading.candidate else "  ", reading), indent=2)


def reading_line(sign: str, reading: Reading) -> Text:
    """A reading behind a sign, the inserted words in { }, with the reason if it is not derived."""
    line = Text.assemble((sign, "bold"), reading.before)
    line.append(f"{{{reading.inserted}}}", style=terminal_style(candidate_colour(reading.candidate)))
    line.append(reading.after)
    return line.append(f"  ({reading.note})", style="dim" if reading.derived else "yellow") if reading.note else line


def _print_readings_json(item: Item, item_readings: list[Reading]) -> None:
    from winoglot.languages.windows import window

    if not item_readings:
        return
    shared = window(item, item_readings)
    described = asdict(shared) | {"is_empty": shared.is_empty, "is_punctuation": shared.is_punctuation}
    for reading in item_readings:
        print_json(asdict(reading) | {"text": reading.text, "window": described})


def _schema_lines(schema: Schema, *, variants: bool, full: bool) -> list[RenderableType]:
    lines: list[RenderableType] = []
    items: Iterable[Item] = (*schema.items, *schema.variants) if variants else schema.items
    for item in items:
        lines += item_lines(item)
        if full:
            lines += [Text(line, style="dim") for line in _further_forms(item)]
    if schema.explanation:
        lines.append(Text(f"Why: {schema.explanation}"))
    if schema.tags:
        lines.append(Text(f"Tags: {', '.join(schema.tags)}", style="dim"))
    if schema.kinds and not variants:
        lines.append(Text(f"Variants: {', '.join(schema.kinds)} (--variants shows them)", style="dim"))
    lines += [Text(f"No {statement.kind}: {statement.reason}", style="dim") for statement in schema.impossible]
    if schema.note:
        lines.append(Text(f"Note: {schema.note}", style="dim"))
    kinds = schema.kinds if variants else ()
    made = {"Made": schema.made} | {f"Variant {kind}": schema.made_as(kind) for kind in kinds}
    lines += [Text(f"{what}: {how}", style="dim") for what, how in made.items() if full and how]
    return lines


def item_lines(item: Item) -> list[Text]:
    """The item's id, its text or what it has instead, its question and its candidates, each on a line."""
    forms = [marked_text(item)] if item.text else [Text(form) for form in _other_forms(item)]
    question = [Text(item.question, style="italic")] if item.question else []
    return [Text(item.id, style="dim"), *forms, *question, *([answers_line(item)] if item.candidates else [])]


def _other_forms(item: Item) -> list[str]:
    """The readings and inferences of an item without a text."""
    readings = [reading.text for reading in item.readings if reading]
    return readings + [f"{pair.premise} ⇒ {pair.hypothesis} ({pair.entailed})" for pair in item.inferences]


def _further_forms(item: Item) -> list[str]:
    """What an item has besides its text, one line each."""
    from winoglot.schemas.markup import Marked, print_marked
    from winoglot.schemas.model import NO_TERMS

    lines = [f"⇒ {letter(index)} {hypothesis}" for index, hypothesis in enumerate(item.hypotheses)]
    for index, reading in enumerate(item.readings):
        if item.text and reading and reading.inserted:
            lines.append(f"= {letter(index)} {print_marked(Marked(reading.text, (reading.inserted,)))}")
    for index, candidate in enumerate(item.candidates):
        stated = [value for value in astuple(candidate.features) if value]
        lines += [f"Candidate {letter(index)} is {', '.join(stated)}"] if stated else []
    if any(candidate.role for candidate in item.candidates):
        lines.append(f"Roles: {', '.join(candidate.role or '–' for candidate in item.candidates)}")
    if item.phrase and item.text:
        lines.append(f"Phrase: {item.phrase.of(item.text)}")
    if item.terms != NO_TERMS:
        lines.append(f"Terms: {', '.join(item.terms.candidates)} | {item.terms.segment or ''}")
    if item.confidence is not None:
        lines.append(f"Readers were {item.confidence:.0%} sure")
    if item.source:
        lines.append(f"Source: {item.source.collection} {item.source.id or ''}")
    return lines


def marked_text(item: Item) -> Text:
    """The text with { } around the pronoun and [ ] around the segment, and everything coloured."""
    from winoglot.schemas.markup import escape, takes_space

    text = item.text or ""
    is_zero = item.pronoun_form == "zero"
    styles: list[list[str]] = [[] for _ in text]  # of each character, the inner ones last
    marks = [(place, "[", "]") for place in item.segment] + ([(item.pronoun, "{", "}")] if item.pronoun else [])
    looks = [(place, "segment") for place in item.segment] + ([(item.pronoun, "pronoun")] if item.pronoun else [])
    for index, candidate in enumerate(item.candidates):
        looks += [(mention, candidate_colour(index)) for mention in candidate.mentions]
    for span, look in looks:
        for position in range(span.start, span.end):
            styles[position].append(terminal_style(look))
    result = Text()
    run, style = "", ""  # characters of one style are appended together, so that no letter loses its accents
    for position, character in enumerate([*text, ""]):
        # Inner marks close first and open last; if pronoun and segment cover the same words, the segment is outside. A
        # pronoun that is not spoken stands before the segment, with the space that it is written with.
        closing = [mark for mark in marks if mark[0].start < mark[0].end == position]
        closing.sort(key=lambda mark: (-mark[0].start, mark[1] == "["))
        opening = [mark for mark in marks if mark[0].start == position]
        opening.sort(key=lambda mark: (not (is_zero and mark[1] == "{"), -mark[0].end, mark[1] == "{"))
        if is_zero and item.pronoun and position == item.pronoun.start and takes_space(text, position):
            opening[0] = (item.pronoun, "{", "} ")
        signs = "".join(right for _, _, right in closing)
        signs += "".join(left + right * (span.start == span.end) for span, left, right in opening)
        new = " ".join(styles[position]) if character else ""
        if signs or new != style:
            result.append(run, style=style)
            result.append(signs, style="dim")
            run, style = "", new
        run += escape(character)
    result.append(run, style=style)
    return result


def answers_line(item: Item) -> Text:
    """The candidates, the right one ticked, each followed by its form in the text where that differs."""
    result = Text()
    for index, candidate in enumerate(item.candidates):
        right = index == item.answer
        result.append(f"{'✓' if right else ' '} {letter(index)} ", style="bold" if right else "dim")
        result.append(candidate.text, style=terminal_style(candidate_colour(index)))
        mentions = [mention.of(item.text or "") for mention in candidate.mentions]
        if item.text and mentions != [candidate.text]:
            result.append(f" ({', '.join(mentions) or 'not mentioned'})", style="dim")
        result.append("   ")
    result.rstrip()
    return result


def _print_statistics(counts: CollectionStatistics) -> None:
    """Everything `stats` counts, one line each."""
    emit(f"{counts.collection} {counts.version} ({counts.language})", style="bold")
    table = Table.grid(padding=(0, 2))
    table.add_row("schemas", f"{counts.schemas}, with {_spell(counts.items_per_schema, 'items')}")
    table.add_row("items", str(counts.items))
    table.add_row("variants", _spell(counts.variants))
    table.add_row("answers", _spell(counts.answers))
    table.add_row("right answer is mentioned", _spell(counts.answers_by_mention))
    table.add_row("pronouns", _spell(counts.pronouns))
    if counts.roles:
        table.add_row("candidates' roles", _spell(counts.roles))
    table.add_row("subsets", _spell(counts.subsets))
    if counts.knowledge:
        table.add_row("knowledge", _spell(counts.knowledge))
    table.add_row("tags", _spell(counts.tags))
    table.add_row("characters", _spell_lengths(counts.characters))
    table.add_row("words", _spell_lengths(counts.words))
    table.add_row("hashes", ", ".join(f"{kind} {value}" for kind, value in counts.hashes.items()))
    table.add_row("licence", counts.licence or "not stated")
    table.add_row("citation", counts.citation or "not stated")
    emit(table, indent=2)
    emit("")


def _spell(counts: Mapping[str, int] | Mapping[int, int], unit: str = "") -> str:
    """Counts as text: `first: 6, second: 6`; with a unit, `6 of 2 items`."""
    if unit:
        return ", ".join(f"{count} of {key} {unit}" for key, count in counts.items())
    return ", ".join(f"{key}: {count}" for key, count in counts.items()) or "none"


def _spell_lengths(lengths: Lengths | None) -> str:
    if lengths is None:
        return "not counted: no texts, or a script without spaces"
    return f"{lengths.shortest} to {lengths.longest}, median {lengths.median:g}"
