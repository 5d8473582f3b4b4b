"""A web page of one collection, or of several side by side.

It needs nothing but a browser. What is folded (variants, and everything else that an item has) is most of a page: it is
packed at its end, and the script unpacks it when something is opened, searched or printed.

From the page down to single items: the page (its frame, style and script are in `html_page/`), a schema, an item.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections import Counter
from dataclasses import astuple
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from winoglot.palette import letter, palette
from winoglot.schemas.marks import candidate_html, candidate_mark, mark_item, mark_text
from winoglot.schemas.model import BY_RULE
from winoglot.schemas.statistics import side_by_side, statistics
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.schemas.model import Collection, Item, Schema, Source

SUFFIXES = (".html",)


def write(collection: Collection) -> str:
    """The page of one collection."""
    return write_several([collection])


def write_several(collections: Sequence[Collection]) -> str:
    """The page of several collections, the versions of each schema side by side by parallel id."""
    rows = side_by_side(collections)
    folded = Folded()
    schemas = "\n".join(_article(name, row, collections, folded) for name, row in rows.items())
    page, style, script = (
        files("winoglot.formats").joinpath("html_page", name).read_text("utf-8")
        for name in ("page.html", "style.css", "script.js")
    )
    style = palette() + style
    # Only this style and this script may act on the page: markup that slipped through could do nothing.
    policy = f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    return Template(page).substitute(
        title=escape(", ".join(f"{collection.name} {collection.version}" for collection in collections)),
        policy=policy,
        style=style,
        script=script,
        about="".join(_about(collection, alone=len(collections) == 1) for collection in collections),
        candidates=_legend(collections),
        filter=_filter(collections, len(rows)),
        index=_index(list(rows)),
        schemas=schemas,
        folded=folded.packed(),
    )


class Folded:
    """The contents of the folded parts of a page, by number."""

    def __init__(self) -> None:
        """Start without any."""
        self.parts: list[str] = []

    def details(self, summary: str, content: str) -> str:
        """A folded part with this summary, which the script fills when it is opened."""
        self.parts.append(content)
        return f'<details data-part="{len(self.parts) - 1}"><summary>{summary}</summary></details>'

    def packed(self) -> str:
        """All contents, compressed; the same for the same contents."""
        return b64encode(gzip.compress(json.dumps(self.parts, ensure_ascii=False).encode(), mtime=0)).decode()


def _index(names: Sequence[str]) -> str:
    """Links to all schemas."""
    links = "".join(f'<li><a href="#{_anchor(name)}">{escape(name)}</a></li>' for name in names)
    return f"<details><summary>Index of {counted(len(names), 'schema')}</summary><ol>{links}</ol></details>"


def _anchor(name: str) -> str:
    return escape(f"schema-{name.replace(' ', '_')}")


def _legend(collections: Sequence[Collection]) -> str:
    """How each candidate looks, for as many candidates as any item has."""
    most = max(
        (len(item.candidates) for collection in collections for item in (*collection.items, *collection.variants())),
        default=0,
    )
    return "\n".join(f"<li>{candidate_html(index, 'candidate')}</li>" for index in range(max(most, 2)))


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _left_out(collection: Collection) -> str:
    return "<br>".join(f"{escape(name)}: {said(reason, '')}" for name, reason in collection.untranslatable.items())


def _about(collection: Collection, *, alone: bool) -> str:
    counts = statistics(collection)
    lines = {
        "Language": escape(collection.language),
        "Licence": said(collection.licence or "not stated", ""),
        "Citation": said(collection.citation or "not stated", ""),
        "Provenance": "<br>".join(said(step, "") for step in collection.provenance) or "not stated",
        **({"Not translated": _left_out(collection)} if collection.untranslatable else {}),
        "Counts": f"{counted(counts.schemas, 'schema')}, {counted(counts.items, 'item')}",
        "Variants": _spell(counts.variants),
        "Right answers": _spell(counts.answers),
        "Hashes": "<br>".join(f"{escape(kind)} <code>{value}</code>" for kind, value in counts.hashes.items()),
    }
    heading = "" if alone else f"<h2>{escape(collection.name)}</h2>\n"
    description = f"<p>{said(collection.description, '')}</p>\n" if collection.description else ""
    listed = "".join(f"<dt>{term}</dt><dd>{text}</dd>\n" for term, text in lines.items())
    facts = f"<dl>\n{listed}</dl>"
    if not alone:  # several of them would fill the first screens of a phone
        facts = f"<details><summary>About {escape(collection.name)}</summary>{facts}</details>"
    return f'<section class="about">\n{heading}{description}{facts}\n</section>\n'


def _spell(counts: Mapping[str, int]) -> str:
    return escape(", ".join(f"{key}: {count}" for key, count in counts.items()) or "none")


def _filter(collections: Sequence[Collection], count: int) -> str:
    """The search form; hidden until the script, without which it would do nothing, shows it."""
    tags = {tag for collection in collections for schema in collection.schemas for tag in all_tags(schema)}
    languages = {collection.language for collection in collections}
    choices = _choice("tag", "Tag", tags) if tags else ""
    choices += _choice("language", "Language", languages) if len(languages) > 1 else ""
    return f"""\
<form id="filter" role="search" aria-label="Filter the schemas" hidden>
<label>Text <input type="search" name="text" autocomplete="off"></label>
{choices}<button type="reset">Show all</button>
<output name="shown" aria-live="polite">{counted(count, "schema")}</output>
</form>"""


def _choice(name: str, label: str, values: Iterable[str]) -> str:
    options = "".join(f"<option>{escape(value)}</option>" for value in sorted(values))
    return f'<label>{label} <select name="{name}"><option value="">all</option>{options}</select></label>\n'


def _article(name: str, row: Sequence[Schema | None], collections: Sequence[Collection], folded: Folded) -> str:
    anchor = _anchor(name)
    versions = [
        _version(schema, collection, name, folded, alone=len(collections) == 1)
        for collection, schema in zip(collections, row, strict=True)
    ]
    return f"""\
<article id="{anchor}" aria-labelledby="name-{anchor}">
<h2 id="name-{anchor}"><a href="#{anchor}">{escape(name)}</a></h2>
<div class="columns">
{"".join(versions)}</div>
</article>"""


def _version(schema: Schema | None, collection: Collection, name: str, folded: Folded, *, alone: bool) -> str:
    language = escape(collection.language)
    pieces = [] if alone else [f"<h3>{language} <small>{escape(collection.name)}</small></h3>"]
    if schema and schema.id != name:
        pieces.append(f'<p class="note">id <span>{escape(schema.id)}</span></p>')
    pieces.append(_schema(schema, folded) if schema else '<p class="note">Not in this collection.</p>')
    tags = escape(" ".join(all_tags(schema))) if schema else ""
    body = "\n".join(pieces)
    return f'<div class="version" lang="{language}" data-tags="{tags}">\n{body}\n</div>\n'


def _schema(schema: Schema, folded: Folded) -> str:
    """The items and the explanation; variants and the rest are folded."""
    pieces = [_item(item, schema.tags) for item in schema.items]
    if schema.explanation:
        pieces.append(f'<p class="why"><b>Why:</b> {said(schema.explanation)}</p>')
    rests = {item.id: _rest(item) for item in schema.items}
    notes = [f'<p class="id">{escape(name)}</p><dl>{rest}</dl>' for name, rest in rests.items() if rest]
    notes.append(_tags(schema.tags))
    if schema.note:
        notes.append(f'<p class="note"><b>Note:</b> {said(schema.note, "")}</p>')
    notes += [
        f'<p class="note"><b>No {escape(impossible.kind)}:</b> {said(impossible.reason, "")}</p>'
        for impossible in schema.impossible
    ]
    if schema.source:
        notes.append(f'<p class="note"><b>Source:</b> {_source(schema.source)}</p>')
    made = {"Made": schema.made} | {f"Variant {kind}": schema.made_as(kind) for kind in schema.kinds}
    notes += [
        f'<p class="note"><b>{escape(what)}:</b> {escape(str(how))}</p>'
        for what, how in made.items()
        if how and how != BY_RULE
    ]
    if any(notes):
        pieces.append(folded.details("Details", "".join(notes)))
    if schema.variants:
        kinds = Counter(variant.kind for variant in schema.variants)
        summary = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        shown = "".join(_item(variant, schema.tags) + _more(variant) for variant in schema.variants)
        pieces.append(folded.details(f"Variants: {escape(summary)}", shown))
    return "\n".join(filter(None, pieces))


def said(text: str, language: str | None = None) -> str:
    """A text of the collection with its own direction, in the language around it or another (`""`: unknown)."""
    stated = "" if language is None else f' lang="{escape(language)}"'
    return f"<bdi{stated}>{escape(text, quote=False)}</bdi>"


def all_tags(schema: Schema) -> list[str]:
    """The tags of its items and variants."""
    return sorted({tag for item in (*schema.items, *schema.variants) for tag in item.tags})


def _more(variant: Item) -> str:
    """The rest of a variant, folded."""
    rest = _rest(variant)
    return f"<details><summary>More</summary><dl>{rest}</dl></details>" if rest else ""


def _item(item: Item, known_tags: Iterable[str]) -> str:
    change = f" · {item.kind}, {item.effect} the answer" if item.effect else ""
    pieces = [f'<p class="id">{escape(item.id)}{escape(change)}</p>']
    if item.text is not None:
        pieces.append(f'<p class="text" dir="auto">{mark_item(item)}</p>')
        pieces.append(f'<p class="unseen">{_spell_marks(item)}</p>')
    else:
        pieces += [f'<p class="text" dir="auto">{escape(reading.text)}</p>' for reading in item.readings if reading]
    if item.question:
        pieces.append(f'<p class="question">{said(item.question)}</p>')
    pieces.append(_candidates(item))
    pieces.append(_tags(tag for tag in item.tags if tag not in known_tags))
    return f'<div class="item">{"".join(pieces)}</div>'


def _spell_marks(item: Item) -> str:
    """What the marks show, in words for a screen reader."""
    text = item.text or ""
    segment = " … ".join(place.of(text) for place in item.segment)
    spelt = f"Pronoun: {escape(item.parts[1]) or 'not spoken'}."
    return f"{spelt} Segment: {escape(segment)}." if segment else spelt


def _candidates(item: Item) -> str:
    entries = []
    for index, candidate in enumerate(item.candidates):
        named = candidate_html(index, candidate.text)
        absent = " <small>(not mentioned)</small>" if item.text and not candidate.mentions else ""
        entries.append(named + absent)
    if not entries:  # the source gives only substituted sentences
        entries = [f"reading {letter(index)}" for index in range(item.candidate_count)]
    if not entries:
        return ""
    tick = '<span class="tick" role="img" aria-label="right">✓</span> '
    listed = "".join(
        f'<li class="right">{tick}{entry}</li>' if index == item.answer else f"<li>{entry}</li>"
        for index, entry in enumerate(entries)
    )
    unlabelled = '<p class="note">No answer is given.</p>' if item.answer is None else ""
    return f'<ul class="candidates">{listed}</ul>{unlabelled}'


def _tags(tags: Iterable[str]) -> str:
    listed = "".join(f"<li>{escape(tag)}</li>" for tag in tags)
    return f'<ul class="tags" aria-label="Tags">{listed}</ul>' if listed else ""


def _source(source: Source) -> str:
    return escape(f"{source.collection}, {source.id}" if source.id else source.collection)


def _rest(item: Item) -> str:
    """Everything else that an item has, as terms and descriptions."""
    lines = [(f"Hypothesis {letter(index)}", said(text)) for index, text in enumerate(item.hypotheses)]
    for index, reading in enumerate(item.readings):
        if reading and (item.text is not None or reading.inserted):
            marks = [candidate_mark(reading.inserted, index)] if reading.inserted else []
            marked = f"<bdi>{mark_text(reading.text, marks)}</bdi>"
            lines.append((f"Reading {letter(index)}", marked))
    for pair in item.inferences:
        judged = {True: "entails", False: "does not entail", None: "unlabelled:"}[pair.entailed]
        lines.append(("Inference", f"{said(pair.premise)} <i>{judged}</i> {said(pair.hypothesis)}"))
    for index, candidate in enumerate(item.candidates):
        stated = ", ".join(value for value in astuple(candidate.features) if value)
        lines += [(f"Candidate {letter(index)}", escape(stated))] if stated else []
    if any(candidate.role for candidate in item.candidates):
        lines.append(("Roles", ", ".join(candidate.role or "–" for candidate in item.candidates)))
    if item.phrase and item.text:
        lines.append(("Phrase", said(item.phrase.of(item.text))))
    terms = (*item.terms.candidates, *filter(None, [item.terms.segment]))
    lines += [("Terms", "; ".join(said(term) for term in terms))] if terms else []
    if item.confidence is not None:
        lines.append(("Readers were", f"{item.confidence:.0%} sure"))
    if item.source:
        lines.append(("Source", _source(item.source)))
    return "".join(f"<dt>{term}</dt><dd>{description}</dd>" for term, description in lines)
