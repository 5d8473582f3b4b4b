"""One schema as HTML: its items, what its author says of it, and everything else folded away."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING

from winoglot.formats._html.marks import Mark, candidate_look, mark_item, mark_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.schemas.model import Item, Schema, Source


def show_schema(schema: Schema, language: str) -> str:
    """The items, the explanation and tags in the open; variants and the rest in `<details>`."""
    pieces = [_item(item, language, schema.tags) for item in schema.items]
    if schema.explanation:
        pieces.append(f'<p class="why"><b>Why:</b> {said(schema.explanation, language)}</p>')
    pieces.append(_tags(schema.tags))
    if schema.note:
        pieces.append(f'<p class="note"><b>Note:</b> {said(schema.note, "")}</p>')
    pieces += [f'<p class="note"><b>No {escape(one.kind)}:</b> {said(one.reason, "")}</p>' for one in schema.impossible]
    if schema.source:
        pieces.append(f'<p class="note"><b>Source:</b> {_source(schema.source)}</p>')
    if schema.variants:
        kinds = Counter(variant.kind for variant in schema.variants)
        summary = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        shown = "".join(_item(variant, language, schema.tags) for variant in schema.variants)
        pieces.append(f"<details><summary>Variants: {escape(summary)}</summary>{shown}</details>")
    return "\n".join(filter(None, pieces))


def said(text: str, language: str) -> str:
    """A text of the collection, in its language (`""`: nobody says which) and direction."""
    return f'<bdi lang="{escape(language)}" data-find>{escape(text)}</bdi>'


def all_tags(schema: Schema) -> list[str]:
    """The tags of any of its items, variants too."""
    return sorted({tag for item in (*schema.items, *schema.variants) for tag in item.tags})


def _item(item: Item, language: str, known_tags: Iterable[str]) -> str:
    change = f" · {item.kind}, {item.effect} the answer" if item.effect else ""
    pieces = [f'<p class="id"><span data-find>{escape(item.id)}</span>{escape(change)}</p>']
    if item.text is not None:
        pieces.append(f'<p class="text" lang="{language}" dir="auto" data-find>{mark_item(item)}</p>')
        pieces.append(f'<p class="unseen">{_spell_marks(item)}</p>')
    else:
        pieces += [
            f'<p class="text" lang="{language}" dir="auto" data-find>{escape(reading.text)}</p>'
            for reading in item.readings
            if reading
        ]
    if item.question:
        pieces.append(f'<p class="question">{said(item.question, language)}</p>')
    pieces.append(_candidates(item, language))
    pieces.append(_tags(tag for tag in item.tags if tag not in known_tags))
    rest = _rest(item, language)
    if rest:
        pieces.append(f"<details><summary>More</summary><dl>{rest}</dl></details>")
    return f'<div class="item">{"".join(pieces)}</div>'


def _spell_marks(item: Item) -> str:
    """What the marks show, for those who hear the page."""
    text = item.text or ""
    pronoun = item.pronoun.of(text) if item.pronoun else ""
    segment = " … ".join(place.of(text) for place in item.segment)
    spelt = f"Pronoun: {escape(pronoun) or 'not spoken'}."
    return f"{spelt} Segment: {escape(segment)}." if segment else spelt


def _candidates(item: Item, language: str) -> str:
    entries = []
    for index, candidate in enumerate(item.candidates):
        named = f'<bdi class="{candidate_look(index)}" lang="{language}" data-find>{escape(candidate.text)}</bdi>'
        absent = " <small>(not mentioned)</small>" if item.text and not candidate.mentions else ""
        entries.append(named + absent)
    if not entries:  # a source of substituted sentences: what it tells apart are its readings
        entries = [f"reading {index}" for index in range(item.candidate_count)]
    if not entries:
        return ""
    tick = '<span class="tick" role="img" aria-label="right answer">✓</span> '
    listed = "".join(
        f'<li class="right">{tick}{entry}</li>' if index == item.answer else f"<li>{entry}</li>"
        for index, entry in enumerate(entries)
    )
    unlabelled = '<p class="note">No answer is given.</p>' if item.answer is None else ""
    return f'<ol class="candidates" start="0">{listed}</ol>{unlabelled}'


def _tags(tags: Iterable[str]) -> str:
    listed = "".join(f"<li data-find>{escape(tag)}</li>" for tag in tags)
    return f'<ul class="tags" aria-label="Tags">{listed}</ul>' if listed else ""


def _source(source: Source) -> str:
    return escape(f"{source.collection}, {source.id}" if source.id else source.collection)


def _rest(item: Item, language: str) -> str:
    """Whatever else an item carries, as terms and descriptions."""
    lines = [(f"Hypothesis {index}", said(text, language)) for index, text in enumerate(item.hypotheses)]
    for index, reading in enumerate(item.readings):
        if reading and (item.text is not None or reading.inserted):
            marks = [Mark(reading.inserted, candidate_look(index), "insertion")] if reading.inserted else []
            marked = f'<bdi lang="{language}" data-find>{mark_text(reading.text, marks)}</bdi>'
            lines.append((f"Reading {index}", marked))
    for pair in item.inferences:
        judged = {True: "entails", False: "does not entail", None: "unlabelled:"}[pair.entailed]
        lines.append(("Inference", f"{said(pair.premise, language)} <i>{judged}</i> {said(pair.hypothesis, language)}"))
    for index, candidate in enumerate(item.candidates):
        stated = ", ".join(value for value in asdict(candidate.features).values() if value)
        lines += [(f"Candidate {index}", escape(stated))] if stated else []
    if item.phrase and item.text:
        lines.append(("Phrase", said(item.phrase.of(item.text), language)))
    terms = (*item.terms.candidates, *filter(None, [item.terms.segment]))
    lines += [("Terms", "; ".join(said(term, language) for term in terms))] if terms else []
    if item.source:
        lines.append(("Source", _source(item.source)))
    return "".join(f"<dt>{term}</dt><dd>{description}</dd>" for term, description in lines)
