"""From the data model to the notation: the shortest entry that parses to the same schema."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.schemas.entries import SchemaEntry
from winoglot.schemas.markup import Marked, escape, join_alternatives, join_lists, print_marked, print_pieces
from winoglot.schemas.mentions import find_mentions, spell_mention
from winoglot.schemas.notation import DEFAULT_EFFECTS, inherited, parse_schema
from winoglot.schemas.validation import check_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.schemas.mentions import FunctionWords
    from winoglot.schemas.model import Item, Made, Schema, Terms, Variant

Entry = dict[str, Any]

# What an original has if its entry says nothing; a variant inherits it from its original instead.
_NOTHING: Entry = {
    "candidates": [],
    "features": [],
    "roles": [],
    "question": None,
    "hypotheses": [],
    "terms": {},
    "tags": [],
}


def serialise_schema(schema: Schema, words: FunctionWords) -> Entry:
    """The entry of a YAML file for the schema: with alternatives in brackets where possible, else item by item."""
    head: Entry = {"id": schema.id}
    if schema.parallel_id != schema.id:
        head["parallel_id"] = schema.parallel_id
    tail = {name: getattr(schema, name) for name in ("adaptation", "explanation", "note")}
    tail = _non_empty(tail | {"source": _source(schema), "made": serialise_made(schema.made)})
    bare = replace(schema, variants=(), impossible=())
    bases = [_NOTHING for _ in schema.items]
    for body in _item_entries(schema.items, bases, words):
        entry = head | _with_ids(body, schema) | tail
        if _parses_to(entry, bare, words):
            break
    variants = _serialise_variants(entry, schema, words)
    variants |= {impossible.kind: {"impossible": impossible.reason} for impossible in schema.impossible}
    if variants:
        entry["variants"] = variants
    return entry


def _serialise_variants(entry: Entry, schema: Schema, words: FunctionWords) -> Entry:
    """The entries of all variants by kind: of each, the shortest that parses to it."""
    by_kind: dict[str, list[Variant]] = {}
    for variant in schema.variants:
        by_kind.setdefault(variant.kind, []).append(variant)
    shortest = {kind: next(_variant_entries(variants, schema, words)) for kind, variants in by_kind.items()}
    # Nearly always they are right, and parsing them together takes a fraction of the time.
    if _parses_to(entry | {"variants": shortest}, replace(schema, impossible=()), words):
        return shortest
    return {kind: _serialise_variant(variants, entry, schema, words) for kind, variants in by_kind.items()}


def _serialise_variant(variants: list[Variant], entry: Entry, schema: Schema, words: FunctionWords) -> Entry:
    wanted = replace(schema, variants=tuple(variants), impossible=())
    result: Entry = {}
    for result in _variant_entries(variants, schema, words):
        if _parses_to(entry | {"variants": {variants[0].kind: result}}, wanted, words):
            break
    return result


def _variant_entries(variants: list[Variant], schema: Schema, words: FunctionWords) -> Iterator[Entry]:
    """The ways to write the variants of one kind, shortest first."""
    kind, effect = variants[0].kind, variants[0].effect
    originals = {item.id: (position, item) for position, item in enumerate(schema.items)}
    bases = []
    for variant in variants:
        original = originals[variant.variant_of][1]
        inherited_fields = inherited(original, effect, variant.candidates)
        bases.append(
            _fields(original)
            | {"answer": inherited_fields["answer"], "roles": _written(inherited_fields.get("roles", []))}
        )
    head = {} if effect == DEFAULT_EFFECTS.get(kind, "keeps") else {"effect": effect}
    made = _non_empty({"made": serialise_made(variants[0].made)})
    for body in _item_entries(variants, bases, words):
        for position, (variant, item) in enumerate(zip(variants, body.get("items", ()), strict=False)):
            place, original = originals[variant.variant_of]
            if place != position:
                item["of"] = place
            if variant.parallel_id != f"{original.parallel_id}~{kind}":
                item["parallel_id"] = variant.parallel_id
        yield head | body | made


def _with_ids(body: Entry, schema: Schema) -> Entry:
    for position, (item, entry) in enumerate(zip(schema.items, body.get("items", ()), strict=False)):
        if item.id != f"{schema.id}.{position}":
            entry["id"] = item.id
        if item.parallel_id != f"{schema.parallel_id}.{position}":
            entry["parallel_id"] = item.parallel_id
    return body


def _parses_to(entry: Entry, schema: Schema, words: FunctionWords) -> bool:
    try:
        return parse_schema(check_entry(SchemaEntry, entry), words) == schema
    except InputError:
        return False


def _item_entries(items: Sequence[Item], bases: Sequence[Entry], words: FunctionWords) -> Iterator[Entry]:
    """The ways to write the items, shortest first; the last one can express everything."""
    rows = [_fields(item) for item in items]
    needed = [_needed_keys(item, row, base, words) for item, row, base in zip(items, rows, bases, strict=True)]
    ways = [(True, True), (False, True)]
    if any(item.pronoun_form == "zero" for item in items):
        ways += [(True, False), (False, False)]
    for late, spaced in ways:
        entry = _joined_entry(items, rows, needed, late=late, spaced=spaced)
        if entry:
            yield entry
    yield _item_by_item(rows, needed)


def _fields(item: Item) -> Entry:
    """Every key that an item's entry may have, with its full value."""
    text = item.text or ""
    return {
        "text": None if item.text is None else print_marked(_marked(item)),
        "candidates": [escape(candidate.text) for candidate in item.candidates],
        "mentions": [[escape(spell_mention(text, m)) for m in c.mentions] for c in item.candidates],
        "features": _features(item),
        "roles": _written([candidate.role for candidate in item.candidates]),
        "phrase": item.phrase and escape(spell_mention(text, item.phrase)),
        "answer": item.answer,
        "question": item.question and escape(item.question),
        "hypotheses": [escape(hypothesis) for hypothesis in item.hypotheses],
        "readings": [
            reading and print_marked(Marked(reading.text, (reading.inserted,) if reading.inserted else ()))
            for reading in item.readings
        ],
        "inferences": [_non_empty(vars(inference)) for inference in item.inferences],
        "terms": _terms(item.terms),
        "tags": list(item.tags),
        "confidence": item.confidence,
        "source": _source(item),
    }


def _non_empty(fields: Entry) -> Entry:
    return {key: value for key, value in fields.items() if value is not None}


def _source(described: Item | Schema) -> Entry | None:
    return _non_empty(vars(described.source)) if described.source else None


def serialise_made(made: Made | None) -> Entry | None:
    """The entry that says how a schema or variant was made."""
    if made is None:
        return None
    lists = {"judged_by": list(made.judged_by), "read_by": [dict(vars(answer)) for answer in made.read_by]}
    return _non_empty(vars(made) | {name: value or None for name, value in lists.items()})


def _marked(item: Item) -> Marked:
    return Marked(item.text or "", (item.pronoun,) if item.pronoun else (), item.segment)


def _features(item: Item) -> list[Entry | None]:
    return _written([_non_empty(vars(candidate.features)) or None for candidate in item.candidates])


def _written(values: list[Any]) -> list[Any]:
    return values if any(values) else []


def _terms(terms: Terms) -> Entry:
    written = {"candidates": [escape(t) for t in terms.candidates], "segment": terms.segment and escape(terms.segment)}
    return {key: value for key, value in written.items() if value}


def _needed_keys(item: Item, fields: Entry, base: Entry, words: FunctionWords) -> set[str]:
    """The keys that must be written because their value differs from what the reader would find without them."""
    without: Entry = dict.fromkeys(("text", "phrase", "confidence", "source")) | {"readings": [], "inferences": []}
    without |= {key: base[key] for key in (*_NOTHING, "answer") if key in base}
    needed = {key for key, value in fields.items() if key in without and value != without[key]}
    if "candidates" in needed:
        needed |= _about_candidates(fields)
    if "answer" not in base and (item.answer is not None or not item.inferences):
        needed.add("answer")
    if fields["mentions"] != _derived_mentions(item, words):
        needed.add("mentions")
    return needed


def _about_candidates(fields: Entry) -> set[str]:
    """The keys that must be written with new candidates, which do not inherit them."""
    return {key for key in ("features", "hypotheses", "terms") if fields[key]}


def _derived_mentions(item: Item, words: FunctionWords) -> list[list[str]] | None:
    if item.text is None or item.pronoun is None:
        return [[] for _ in item.candidates]
    mentions = [find_mentions(item.text, c.text, words, item.pronoun) for c in item.candidates]
    if any(len(spans) != 1 for spans in mentions):
        return None
    return [[escape(spell_mention(item.text, span)) for span in spans] for spans in mentions]


def _item_by_item(rows: Sequence[Entry], needed: Sequence[set[str]]) -> Entry:
    entries = [{key: row[key] for key in row if key in keys} for row, keys in zip(rows, needed, strict=True)]
    result: Entry = {}
    for key in ("candidates", "tags"):  # written once if all items have the same
        if all(key in entry and entry[key] == entries[0][key] for entry in entries):
            result[key] = entries[0][key]
            for entry in entries:
                del entry[key]
    return result | {"items": entries}


def _joined_entry(
    items: Sequence[Item], rows: Sequence[Entry], needed: Sequence[set[str]], *, late: bool, spaced: bool
) -> Entry | None:
    """One entry with alternatives in brackets; None if the items cannot be written so."""
    keys = set().union(*needed)
    if "candidates" in keys:
        keys |= set().union(*map(_about_candidates, rows))
    result: Entry = {}
    for key in (key for key in rows[0] if key in keys):
        values = [row[key] for row in rows]
        if key == "text":
            entry = (
                None
                if None in values
                else join_texts([print_pieces(_marked(item), late=late, spaced=spaced) for item in items])
            )
        else:
            entry = join_values(key, values)
        if entry is None:
            return None
        result["answers" if key == "answer" else key] = entry
    return result


def join_values(key: str, values: list[Any]) -> Any | None:
    """One value for all alternatives, in the form that its key takes; None if there is no such form."""
    same = all(value == values[0] for value in values)
    even = all(isinstance(value, list) for value in values) and len({len(value) for value in values}) == 1
    match key:
        case "answer" | "readings" | "confidence":
            return values
        case "question" | "hypotheses":
            return values[0] if same and values[0] else values
        case "candidates" if even:
            return [join_alternatives(column) for column in zip(*values, strict=True)]
        case "mentions" if even:
            return [join_lists(column) for column in zip(*values, strict=True)]
        case "terms":
            return _join_terms(values)
        case "phrase" if all(values):
            return join_alternatives(values)
        case "features" | "roles" | "tags" if same:
            return values[0]
        case _:
            return None


def join_texts(rows: list[list[str]]) -> str | None:
    """Shared pieces once, differing ones in brackets.

    Shared pieces may differ by the space that an empty alternative takes along; the longer one is right for all.
    """
    if len({len(row) for row in rows}) > 1 or (len(rows) > 1 and len(rows[0]) == 1):
        return None
    result = ""
    for index, column in enumerate(zip(*rows, strict=True)):
        result += f"[{'|'.join(column)}]" if index % 2 else max(column, key=len)
    return result


def _join_terms(rows: list[Entry]) -> Entry:
    result: Entry = {}
    candidates = [row.get("candidates", []) for row in rows]
    if all(candidates) and len({len(terms) for terms in candidates}) == 1:
        result["candidates"] = [join_alternatives(column) for column in zip(*candidates, strict=True)]
    segment = [row.get("segment") for row in rows]
    if any(segment):
        result["segment"] = segment
    return result
