"""A folder that data hubs load: Parquet tables, one for each language and kind, and a data card.

A table has one row per item, or per variant of its kind. The card's front matter names every table as a configuration.
Read back, the table of the originals brings with it the variants of the tables beside it.
"""

from __future__ import annotations

import glob
import io
import json
import re
from collections import Counter
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError, located, require_extra
from winoglot.files import read_bytes
from winoglot.formats.base import MAX_BYTES, describe_origin, plain
from winoglot.schemas.entries import HeadEntry, collection_from, head_of
from winoglot.schemas.model import ORIGINAL, Item, Schema, Variant
from winoglot.schemas.statistics import statistics
from winoglot.schemas.text import primary, word_count
from winoglot.schemas.validation import check_entry, check_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection

CARD = "README.md"
METADATA = "winoglot"  # the key under which a table itself says which collection it holds

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
    (
        "effect",
        "string",
        "of a variant: whether it `keeps`, `flips` or `removes` its original's answer, or that this is `unknown`",
    ),
    ("text", "string", "the text; null if the source gives only readings or inference pairs"),
    ("words", "int32", "the length of the text in words"),
    ("pronoun_start", "int32", "where the pronoun begins, in characters (code points) of the text"),
    ("pronoun_end", "int32", "where it ends, not included; equal to the start if it is not spoken"),
    (
        "candidates",
        [
            {
                "text": "string",
                "mentions": [_SPAN],
                "features": {"gender": "string", "number": "string", "animacy": "string"},
                "role": "string",
            }
        ],
        "what the pronoun may refer to: citation form, places in the text, grammar and syntactic role if stated",
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
    ("confidence", "float64", "how sure readers were of their answers: their mean, from 0 to 1"),
    ("source", _SOURCE, "where the item comes from"),
    ("language", "string", "BCP 47"),
    ("hash", "string", "changes with text, pronoun, candidates and answer, and with nothing else"),
    ("explanation", "string", "the everyday fact behind the schema's answers"),
    ("note", "string", "the author's note on the schema"),
    ("impossible", [{"kind": "string", "reason": "string"}], "kinds of variant the schema cannot have"),
    ("schema_parallel_id", "string", "the same for the same schema in all languages"),
    ("adaptation", "string", "how near the schema is to the same one in other languages: close, details or situation"),
    ("schema_source", _SOURCE, "where the schema comes from"),
    (
        "made",
        {
            **dict.fromkeys(("by", "model", "fingerprint", "prompt", "settings", "date", "draft"), "string"),
            "changed": "float64",
            "judged_by": ["string"],
            "read_by": [{"model": "string", "fingerprint": "string", "agrees": "bool"}],
        },
        "how the schema or variant was made: by rule, person or model, what a person changed, and who judged it",
    ),
)


_LATER = ("adaptation",)  # columns that tables of older versions lack
SUFFIXES = (".parquet",)
MAGIC = b"PAR1"


def read(file: InputFile) -> Collection:
    """Read a table that Winoglot wrote, with the variants in the tables beside it."""
    with located(file=file.label):
        head, rows = _rows_and_head(file.data)
        if any(row["kind"] != ORIGINAL for row in rows):
            remedy = "Name the table of the originals, such as pt.parquet: it brings the variants beside it."
            raise InputError("the table holds variants", remedy=remedy)
        stem = file.path.stem
        for path in sorted(file.path.parent.glob(f"{glob.escape(stem)}-*.parquet")):
            with located(file=str(path)):
                head_beside, rows_beside = _rows_and_head(read_bytes(path, MAX_BYTES))
            if head_beside == head:
                rows += rows_beside
        schemas: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            schemas.setdefault(row["schema_id"], []).append(row)
        return collection_from(head, [_schema(schema_rows) for schema_rows in schemas.values()])


def _rows_and_head(data: bytes) -> tuple[HeadEntry, list[dict[str, Any]]]:
    """The rows of a table, and what it says about its collection; an input error if Winoglot did not write it."""
    require_extra("reading Parquet needs", "pyarrow", extra="corpus")
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    remedy = "Give a table that `winoglot export --to parquet` wrote."
    try:
        table = parquet.read_table(io.BytesIO(data))
        head = json.loads((table.schema.metadata or {})[METADATA.encode()])
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"this is not a Parquet table: {error}", remedy=remedy) from error
    except (KeyError, ValueError, RecursionError) as error:
        raise InputError("the table does not say which collection it holds", remedy=remedy) from error
    missing = [name for name, _, _ in _COLUMNS if name not in (*table.column_names, *_LATER)]
    if missing:
        raise InputError(f"the table has no column {missing[0]!r}", remedy=remedy)
    return check_entry(HeadEntry, head), table.to_pylist()


def _schema(rows: Sequence[Mapping[str, Any]]) -> Schema:
    """The schema whose items and variants are these rows."""
    first = rows[0]
    value = {
        "id": first["schema_id"],
        "items": [_item(row) for row in rows if row["kind"] == ORIGINAL],
        "variants": [_item(row) for row in rows if row["kind"] != ORIGINAL],
        "explanation": first["explanation"],
        "note": first["note"],
        "impossible": first["impossible"],
        "parallel_id": first["schema_parallel_id"],
        "adaptation": first.get("adaptation"),
        "source": first["schema_source"],
        "made": first["made"],
    }
    value = _with_plain_spans(value)
    with located(schema=first["schema_id"]):
        schema: Schema = check_json(Schema, json.dumps(value), value)
        return schema


def _item(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row holds of an item or variant."""
    names = {field.name for field in fields(Item if row["kind"] == ORIGINAL else Variant) if field.init}
    return {name: row[name] for name, _, _ in _COLUMNS if name in names} | {
        "pronoun": None if row["pronoun_start"] is None else (row["pronoun_start"], row["pronoun_end"])
    }


def _with_plain_spans(value: Any) -> Any:
    """The value with spans as JSON Lines have them: as two numbers."""
    if isinstance(value, list):
        return [_with_plain_spans(element) for element in value]
    if isinstance(value, dict):
        return (
            [*value.values()] if value.keys() == _SPAN.keys() else {k: _with_plain_spans(v) for k, v in value.items()}
        )
    return value


def write(collection: Collection) -> dict[str, str | bytes]:
    """The files of the folder of one collection."""
    return write_several([collection])


def write_several(collections: Sequence[Collection]) -> dict[str, str | bytes]:
    """The files of the folder: a table for each language and kind, and the card that describes them."""
    tables: dict[str, str | bytes] = {}
    rows = 0
    for collection, name in zip(collections, _names(collections), strict=True):
        for kind in (ORIGINAL, *collection.kinds):
            configuration = name if kind == ORIGINAL else f"{name}-{kind}"
            if configuration in tables:
                raise InputError(
                    f"two tables would be called {configuration!r}",
                    remedy="Name each collection once, or export them separately.",
                )
            items = [
                (schema, item)
                for schema in collection.schemas
                for item in (*schema.items, *schema.variants)
                if item.kind == kind
            ]
            tables[configuration] = _table(collection, items)
            rows += len(items)
    card = f"---\n{_front_matter(collections, list(tables), rows)}---\n\n{_body(collections, list(tables))}"
    return {CARD: card} | {f"{name}.parquet": table for name, table in tables.items()}


def _names(collections: Sequence[Collection]) -> list[str]:
    """A short name for each collection: its language, unless two have the same."""
    languages = [primary(collection.language) for collection in collections]
    shared = Counter(languages)
    pairs = zip(collections, languages, strict=True)
    return [language if shared[language] == 1 else collection.name for collection, language in pairs]


def _table(collection: Collection, items: Sequence[tuple[Schema, Item]]) -> bytes:
    require_extra("writing Parquet needs", "pyarrow", extra="corpus")
    import pyarrow
    from pyarrow import parquet

    def arrow_type(spelt: Any) -> Any:
        if isinstance(spelt, list):
            return pyarrow.list_(arrow_type(spelt[0]))
        if isinstance(spelt, dict):
            return pyarrow.struct([(name, arrow_type(inner)) for name, inner in spelt.items()])
        return pyarrow.type_for_alias(spelt)

    rows = [_row(schema, item, collection.language) for schema, item in items]
    columns = pyarrow.schema([(name, arrow_type(spelt)) for name, spelt, _ in _COLUMNS])
    metadata = json.dumps(head_of(collection), ensure_ascii=False)
    table = pyarrow.Table.from_pylist(rows, columns.with_metadata({METADATA: metadata}))
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _row(schema: Schema, item: Item, language: str) -> dict[str, object]:
    made = schema.made_as(item.kind)
    return asdict(item) | {
        "pronoun_start": item.pronoun.start if item.pronoun else None,
        "pronoun_end": item.pronoun.end if item.pronoun else None,
        "words": word_count(item.text) if item.text else None,
        "language": language,
        "hash": item.hash,
        "explanation": schema.explanation,
        "note": schema.note,
        "impossible": [asdict(impossible) for impossible in schema.impossible],
        "schema_parallel_id": schema.parallel_id,
        "adaptation": schema.adaptation,
        "schema_source": asdict(schema.source) if schema.source else None,
        "made": asdict(made) if made else None,
    }


def _front_matter(collections: Sequence[Collection], names: Sequence[str], rows: int) -> str:
    """What data hubs read, in their names for licences, languages and sizes."""
    licences = dict.fromkeys(collection.licence for collection in collections)
    licence = (next(iter(licences)) or "unknown").lower().replace(" ", "-") if len(licences) == 1 else "other"
    content: dict[str, object] = {"pretty_name": _title(collections)}
    if _HUB_LICENCES.fullmatch(licence):
        content["license"] = licence
    else:
        content |= {"license": "other", "license_name": "; ".join(licence or "unknown" for licence in licences)}
    content |= {
        "language": sorted({primary(collection.language) for collection in collections}),
        "language_bcp47": [collection.language for collection in collections],
        "task_categories": ["multiple-choice"],
        "task_ids": ["multiple-choice-coreference-resolution"],
        "tags": ["winograd-schemas", "coreference", "winoglot"],
        "size_categories": [_size(rows)],
        "configs": [
            {"config_name": name, "data_files": [{"split": "test", "path": f"{name}.parquet"}]} for name in names
        ],
    }
    text: str = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
    return text


def _title(collections: Sequence[Collection]) -> str:
    return ", ".join(f"{collection.name} {collection.version}" for collection in collections)


def _body(collections: Sequence[Collection], names: Sequence[str]) -> str:
    pieces = [
        f"# {plain(_title(collections))}\n",
        "Winograd schemas. Each configuration is a language (the originals), or a language and a kind of variant:\n",
        "```python\nfrom datasets import load_dataset\n",
        f'items = load_dataset(FOLDER, "{names[0]}", split="test")\n```\n',
        f"Configurations: {', '.join(f'`{name}`' for name in names)}.\n",
        *map(_described, collections),
        "## Columns\n",
        "| column | contents |\n| --- | --- |",
        *(f"| `{name}` | {meaning} |" for name, _, meaning in _COLUMNS),
    ]
    return "\n".join(pieces) + "\n"


def _described(collection: Collection) -> str:
    counts = statistics(collection)
    pieces = [
        f"## {plain(collection.name)} {plain(collection.version)}\n",
        plain(collection.description or "A collection of Winograd schemas.") + "\n",
        describe_origin(collection).rstrip("\n"),
        f"- schemas: {counts.schemas}",
        f"- items: {counts.items}",
        *(f"- variants, {plain(kind)}: {count}" for kind, count in counts.variants.items()),
        *(f"- answer {answer}: {count}" for answer, count in counts.answers.items()),
        *(f"- hash, {plain(kind)}: `{value}`" for kind, value in counts.hashes.items()),
    ]
    return "\n".join(pieces) + "\n"


def _size(rows: int) -> str:
    steps = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
    return next((name for limit, name in steps if rows < limit), "n>1M")
