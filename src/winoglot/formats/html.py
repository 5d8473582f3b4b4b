"""One readable page: every schema of a collection, or of several side by side; needs nothing but a browser."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from winoglot.formats._html.schema import all_tags, said, show_schema
from winoglot.schemas.statistics import side_by_side, statistics
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.schemas.model import Collection, Schema

SUFFIXES = (".html",)

_LEGEND = """\
<ul class="legend" aria-label="How texts are marked">
<li><span class="pronoun">pronoun</span> (<span class="pronoun"></span>: not spoken)</li>
<li><span class="segment">segment</span>: what differs within a schema</li>
<li><span class="candidate c0">candidate 0</span></li>
<li><span class="candidate c1">candidate 1</span></li>
<li><span class="tick">✓</span> right answer</li>
</ul>"""


def write(collection: Collection) -> str:
    """The page of one collection."""
    return write_several([collection])


def write_several(collections: Sequence[Collection]) -> str:
    """The page of several collections, each schema's versions side by side by parallel id."""
    title = ", ".join(f"{collection.name} {collection.version}" for collection in collections)
    rows = side_by_side(collections)
    style, script = (files("winoglot.formats").joinpath("_html", name).read_text("utf-8") for name in _PARTS)
    # Only these very texts may act on the page: even markup that slipped through could do nothing.
    policy = f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    schemas = "\n".join(_article(name, row, collections) for name, row in rows.items())
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="winoglot">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#schemas">Skip to the schemas</a>
<header>
<h1>{escape(title)}</h1>
<div class="columns">
{"".join(_about(collection, alone=len(collections) == 1) for collection in collections)}</div>
{_LEGEND}
</header>
{_filter(collections, len(rows))}
<main id="schemas" tabindex="-1">
{schemas}
</main>
<footer><p>Made with Winoglot.</p></footer>
<script>{script}</script>
</body>
</html>
"""


_PARTS = ("page.css", "page.js")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _about(collection: Collection, *, alone: bool) -> str:
    counts = statistics(collection)
    lines = {
        "Language": escape(collection.language),
        "Licence": said(collection.licence or "not stated", ""),
        "Citation": said(collection.citation or "not stated", ""),
        "Provenance": "<br>".join(said(step, "") for step in collection.provenance) or "not stated",
        "Counts": f"{counted(counts.schemas, 'schema')}, {counted(counts.items, 'item')}",
        "Variants": _spell(counts.variants),
        "Right answers": _spell(counts.answers),
        "Hashes": "<br>".join(f"{escape(kind)} <code>{value}</code>" for kind, value in counts.hashes.items()),
    }
    heading = "" if alone else f"<h2>{escape(collection.name)}</h2>\n"
    description = f"<p>{said(collection.description, '')}</p>\n" if collection.description else ""
    listed = "".join(f"<dt>{term}</dt><dd>{text}</dd>\n" for term, text in lines.items())
    facts = f"<dl>\n{listed}</dl>"
    if not alone:  # several of them would fill a phone's first screens
        facts = f"<details><summary>About {escape(collection.name)}</summary>{facts}</details>"
    return f'<section class="about">\n{heading}{description}{facts}\n</section>\n'


def _spell(counts: Mapping[str, int]) -> str:
    return escape(", ".join(f"{key}: {count}" for key, count in counts.items()) or "none")


def _filter(collections: Sequence[Collection], count: int) -> str:
    """Hidden until the script, without which it would do nothing, shows it."""
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


def _article(name: str, row: Sequence[Schema | None], collections: Sequence[Collection]) -> str:
    anchor = escape(name.replace(" ", "_"))
    versions = [
        _version(schema, collection, name, alone=len(collections) == 1)
        for collection, schema in zip(collections, row, strict=True)
    ]
    return f"""\
<article id="schema-{anchor}" aria-labelledby="name-{anchor}">
<h2 id="name-{anchor}"><a href="#schema-{anchor}" data-find>{escape(name)}</a></h2>
<div class="columns">
{"".join(versions)}</div>
</article>"""


def _version(schema: Schema | None, collection: Collection, name: str, *, alone: bool) -> str:
    language = escape(collection.language)
    pieces = [] if alone else [f"<h3>{language} <small>{escape(collection.name)}</small></h3>"]
    if schema and schema.id != name:
        pieces.append(f'<p class="note">id <span data-find>{escape(schema.id)}</span></p>')
    pieces.append(show_schema(schema, language) if schema else '<p class="note">Not in this collection.</p>')
    tags = escape(" ".join(all_tags(schema))) if schema else ""
    body = "\n".join(pieces)
    return f'<div class="version" data-language="{language}" data-tags="{tags}">\n{body}\n</div>\n'
