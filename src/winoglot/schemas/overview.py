"""Collections, schemas, items and readings as notebooks show them, and as the rows of a data frame."""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from winoglot.notebook import card, html_table, line
from winoglot.palette import letter
from winoglot.schemas.marks import candidate_html, mark_item, mark_reading
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Item, Reading, Schema

_SCHEMAS, _READINGS = 5, 20  # rows of a table


def collection_html(collection: Collection) -> str:
    """What there is, the licence, and the first schemas."""
    kinds = Counter(variant.kind for variant in collection.variants())
    facts = [
        collection.language,
        counted(len(collection.schemas), "schema"),
        counted(len(collection.items), "item"),
        *([f"variants: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"] if kinds else []),
        *([collection.licence] if collection.licence else []),
    ]
    rows = [
        {"schema": escape(schema.id), "first item": _sentence(schema.items[0])}
        for schema in collection.schemas[:_SCHEMAS]
    ]
    return card(
        line(f"<b>{escape(collection.name)}</b> {escape(collection.version)}"),
        line(escape(" · ".join(facts)), quiet=True),
        html_table(rows),
        _more(len(collection.schemas) - _SCHEMAS, "schema"),
    )


def schema_html(schema: Schema) -> str:
    """Every item with its candidates, and what the author says."""
    kinds = Counter(variant.kind for variant in schema.variants)
    notes = [*schema.tags, *([f"variants: {', '.join(kinds)}"] if kinds else [])]
    return card(
        line(f"<b>{escape(schema.id)}</b>"),
        *(_item(item) for item in schema.items),
        line(escape(schema.explanation)) if schema.explanation else "",
        line(escape(" · ".join(notes)), quiet=True) if notes else "",
    )


def item_html(item: Item) -> str:
    """The sentence with its marks, and the candidates."""
    return card(_item(item))


def readings_html(readings: Sequence[Reading]) -> str:
    """One row per reading: the sentence with the insertion marked, and the rule or the reason why there is none."""
    rows = []
    for reading in readings[:_READINGS]:
        rule = ": ".join(filter(None, (reading.rule if reading.derived else "", reading.note)))
        rows.append(
            {
                "item": escape(reading.item_id),
                "candidate": letter(reading.candidate),
                "reading": mark_reading(reading),
                "style": reading.style,
                "rule": escape(rule),
            }
        )
    if not rows:
        return card(line("no readings"))
    return card(html_table(rows), _more(len(readings) - _READINGS, "reading"))


def item_row(item: Item) -> dict[str, object]:
    """The item as a row of a data frame; a variant also says what it is derived from, and to what effect."""
    text = item.text or ""
    return {
        "id": item.id,
        "schema": item.schema_id,
        "kind": item.kind,
        "language": item.language,
        "text": item.text,
        "pronoun": item.parts[1] if item.text else None,
        "segment": " … ".join(place.of(text) for place in item.segment),
        **{f"candidate_{index}": candidate.text for index, candidate in enumerate(item.candidates)},
        "answer": item.answer,
        "tags": ", ".join(item.tags),
        **({"variant_of": item.variant_of, "effect": item.effect} if item.variant_of else {}),
    }


def _item(item: Item) -> str:
    change = f" · {item.kind}, {item.effect} the answer" if item.effect else ""
    named = [candidate.text for candidate in item.candidates] or [
        reading.text if reading else "" for reading in item.readings
    ]
    candidates = " ".join(
        f"{candidate_html(index, text)}{' ✓' if index == item.answer else ''}" for index, text in enumerate(named)
    )
    unlabelled = "" if item.answer is not None else " (no answer given)"
    named_by = f'<span class="quiet">{escape(item.id + change)}</span>'
    return line(f"{named_by}<br>{_sentence(item)}") + line(candidates + unlabelled)


def _sentence(item: Item) -> str:
    if item.text is None:
        return '<span class="quiet">no text</span>'
    sentence = mark_item(item)
    if item.pronoun_form == "zero":  # nothing is there to be seen
        sentence = re.sub(r'(<span class="pronoun[^>]*>)(?=</span>)', r"\1∅", sentence)
    return f'<span lang="{escape(item.language)}" dir="auto">{sentence}</span>'


def _more(number: int, noun: str) -> str:
    return line(f"… and {counted(number, f'more {noun}')}", quiet=True) if number > 0 else ""
