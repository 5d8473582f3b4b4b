"""A folder with a Parquet table and a data card, ready for a data hub.

The table has one row per item or variant.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError
from winoglot.formats.base import describe_origin, plain
from winoglot.schemas.statistics import statistics
from winoglot.schemas.text import counted, primary

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection, Item, Schema

DATA = "items.parquet"
CARD = "README.md"
METADATA = "winoglot"  # the key under which the file itself says which collection it holds

_HUB_LICENCES = re.compile(
    r"apache-2\.0|mit|bsd-3-clause|l?gpl-3\.0|unlicense|cc0-1\.0|odbl|odc-by|pddl|unknown"
    r"|cc-by(-nc|-nc-sa)?-[234]\.0|cc-by-(sa|nc-nd)-[34]\.0|cc-by-nd-4\.0"
)

# Name; type, as pyarrow names it, or a list or mapping of types; description in the data card.
_SPAN = {"start": "int32", "end": "int32"}
_SOURCE = {"collection": "string", "id": "string", "hash": "string"}
_COLUMNS: tuple[tuple[str, Any, str], ...] = (
    ("id", "string", "the item's id"),
    ("schema_id", "string", "the schema it belongs to: items of one schema differ in the segment"),
    ("parallel_id", "string", "the same for the same item in all languages"),
    ("kind", "string", "`original`, or the kind of variant"),
    ("variant_of", "string", "of a variant: the id of its original"),
    ("effect", "string", "of a variant: whether it `keeps`, `flips` or `removes` its original's answer"),
    ("text", "string", "the text; null if the source gives only readings or inference pairs"),
    ("pronoun_start", "int32", "where the pronoun begins, in characters (code points) of the text"),
    ("pronoun_end", "int32", "where it ends, not included; equal to the start if it is not spoken"),
    (
        "candidates",
        [
            {
                "text": "string",
                "mentions": [_SPAN],
                "features": {"gender": "string", "number": "string", "animacy": "string"},
            }
        ],
        "what the pronoun may refer to: citation form, places in the text, grammar if the author states it",
    ),
    ("answer", "int32", "index of the right candidate, from 0; null if unlabelled"),
    ("segment", [_SPAN], "the places in which the items of the schema differ"),
    ("phrase", _SPAN, "the phrase a possessive pronoun belongs to, if stated"),
    ("question", "string", "a question that the answer answers"),
    ("hypotheses", ["string"], "one sentence per candidate: what follows if it is the answer"),
    ("readings", [{"text": "string", "inserted": _SPAN}], "written readings, one per candidate"),
    (
        "inferences",
        [{"premise": "string", "hypothesis": "string", "entailed": "bool"}],
        "inference pairs of a source without a marked text",
    ),
    ("terms", {"candidates": ["string"], "segment": "string"}, "the words whose association is measured"),
    ("tags", ["string"], "labels that describe the item"),
    ("source", _SOURCE, "where the item comes from"),
    ("language", "string", "BCP 47"),
    ("hash", "string", "changes with text, pronoun, candidates and answer, and with nothing else"),
    ("explanation", "string", "the everyday fact behind the schema's answers"),
    ("note", "string", "the author's note on the schema"),
    ("impossible", [{"kind": "string", "reason": "string"}], "kinds of variant the schema cannot have"),
    ("schema_parallel_id", "string", "the same for the same schema in all languages"),
    ("schema_source", _SOURCE, "where the schema comes from"),
)


def write(collection: Collection) -> dict[str, str | bytes]:
    """The files of the folder: the table and the card that describes it."""
    return {DATA: _table(collection), CARD: _card(collection)}


def _table(collection: Collection) -> bytes:
    try:
        import pyarrow  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise InputError(
            "writing Parquet needs pyarrow, which is not installed", remedy='Run: pip install "winoglot[corpus]"'
        ) from error

    def arrow_type(spelt: Any) -> Any:
        if isinstance(spelt, list):
            return pyarrow.list_(arrow_type(spelt[0]))
        if isinstance(spelt, dict):
            return pyarrow.struct([(name, arrow_type(inner)) for name, inner in spelt.items()])
        return pyarrow.type_for_alias(spelt)

    rows = [_row(schema, item, collection.language) for schema, item in _items(collection)]
    columns = pyarrow.schema([(name, arrow_type(spelt)) for name, spelt, _ in _COLUMNS])
    metadata = json.dumps(_metadata(collection), ensure_ascii=False)
    table = pyarrow.Table.from_pylist(rows, columns.with_metadata({METADATA: metadata}))
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _items(collection: Collection) -> list[tuple[Schema, Item]]:
    return [(schema, item) for schema in collection.schemas for item in (*schema.items, *schema.variants)]


def _metadata(collection: Collection) -> dict[str, object]:
    about = {field.name: getattr(collection, field.name) for field in fields(collection) if field.name != "schemas"}
    return {"collection": about.pop("name"), "version": about.pop("version")} | about


def _row(schema: Schema, item: Item, language: str) -> dict[str, object]:
    return asdict(item) | {
        "pronoun_start": item.pronoun.start if item.pronoun else None,
        "pronoun_end": item.pronoun.end if item.pronoun else None,
        "language": language,
        "hash": item.hash,
        "explanation": schema.explanation,
        "note": schema.note,
        "impossible": [asdict(impossible) for impossible in schema.impossible],
        "schema_parallel_id": schema.parallel_id,
        "schema_source": asdict(schema.source) if schema.source else None,
    }


def _card(collection: Collection) -> str:
    counts = statistics(collection)
    rows = counts.items + sum(counts.variants.values())
    pieces = [
        f"---\n{_front_matter(collection, rows)}---\n",
        f"# {plain(collection.name)} {plain(collection.version)}\n",
        plain(collection.description or "A collection of Winograd schemas.") + "\n",
        describe_origin(collection),
        "## Counts\n",
        f"- schemas: {counts.schemas}\n- items: {counts.items}",
        *(f"- variants, {plain(kind)}: {count}" for kind, count in counts.variants.items()),
        *(f"- answer {answer}: {count}" for answer, count in counts.answers.items()),
        "\n## Hashes\n",
        *(f"- {plain(kind)}: `{value}`" for kind, value in counts.hashes.items()),
        f"\n## Columns of `{DATA}`\n",
        f"{counted(rows, 'row')}: the originals, each schema's followed by its variants. For the originals alone, keep "
        "the rows whose `kind` is `original`.\n",
        "| column | contents |\n| --- | --- |",
        *(f"| `{name}` | {meaning} |" for name, _, meaning in _COLUMNS),
    ]
    return "\n".join(pieces) + "\n"


def _front_matter(collection: Collection, rows: int) -> str:
    """What data hubs read, in their names for licences, languages and sizes."""
    licence = (collection.licence or "unknown").lower().replace(" ", "-")
    known = _HUB_LICENCES.fullmatch(licence)
    content: dict[str, object] = {"pretty_name": f"{collection.name} {collection.version}"}
    content |= {"license": licence} if known else {"license": "other", "license_name": collection.licence}
    content |= {
        "language": [primary(collection.language)],
        "language_bcp47": [collection.language],
        "task_categories": ["multiple-choice"],
        "task_ids": ["multiple-choice-coreference-resolution"],
        "tags": ["winograd-schemas", "coreference", "winoglot"],
        "size_categories": [_size(rows)],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": DATA}]}],
    }
    text: str = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
    return text


def _size(rows: int) -> str:
    steps = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
    return next((name for limit, name in steps if rows < limit), "n>1M")
