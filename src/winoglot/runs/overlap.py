"""Whether a collection overlaps with what a model was trained on.

`Fingerprints` of the training collections are stored in the model's folder (`trained_on.json`); `overlap` compares a
collection with them, schema by schema. A schema overlaps if one of these holds; then all its items and variants do.

- **same item**: an item or variant has the same text, pronoun, candidates and answer.
- **same schema**: it has the same id in a collection of the same name.
- **parallel**: it, or an item of it, has the same parallel id, or one is recorded as the source of the other.
- **near copy**: at least half of the word runs of one of its texts occur in one training schema. A run has five words,
  or eight characters in scripts without spaces. A text is compared as it is written, with a gap for its pronoun, with
  each candidate in the pronoun's place, and with every mention of a candidate masked: so gaps, switched candidates and
  other names make no difference.
- **lineage**: its collection and a training collection go back to the same published one (`formats/lineage.toml`), and
  texts cannot show which schemas correspond, because the languages differ or they are different translations.

A schema overlaps too if the model itself **drafted** it or a variant that is asked, or read the draft before a person
decided on it: it would be measured on what it likes. The collection says so (`schemas.model.Made`), whatever folder the
model has. Models are recognised by fingerprint, address, and the name on their server.

Only 64-bit hashes are stored: no sentence can be read from them. A packaged model has shorter ones, in a compressed
file (`trained_on.npz`). As these may be equal by chance, one is not enough: it takes two ids or items, or three runs.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from zipfile import BadZipFile

import numpy as np

from winoglot.checks.similarity import MASK, masked_words
from winoglot.checks.texts import words
from winoglot.errors import InputError
from winoglot.files import parse_json, read_bytes, write_whole
from winoglot.formats.published import origins, texts_in
from winoglot.models.base import TRAINED_ON, TRAINED_ON_COMPACT
from winoglot.schemas.model import ORIGINAL
from winoglot.schemas.text import counted, is_unspaced, primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from winoglot.models.base import Solver
    from winoglot.schemas.model import Collection, Item, Schema

    Hashes = NDArray[np.uint64]

Rule = Literal["same item", "same schema", "parallel", "near copy", "lineage", "drafted"]
Place = TypeVar("Place")
SHARE = 0.5  # of a text's runs; benchmarks/overlap.py shows what other shares would find
_WORDS, _CHARACTERS = 5, 8  # of a run
_FEWEST = 2  # runs of a text with masked candidates: with fewer it is only a frame ("X hit Y because it was hard")
_BY_CHANCE = 3  # parallel ids that two unrelated collections of one language do not have in common
_LARGEST = 2**28  # bytes of a file
# Of hashes in a compact fingerprint: with 5,000 schemas of 40 runs, a text of six runs is taken for a copy by chance
# once in 300,000 times, and a schema for another with its ids once in 10 million.
_KEY_BITS, _RUN_BITS = 32, 18
_FEWEST_KEYS, _FEWEST_RUNS = 2, 3  # that must be found in one
_ZERO = np.uint64(0)
_FORMAT = 1
_ARRAYS = ("keys", "runs", "schema_runs")
_NAMED = 3  # schemas that a message lists
SAID: dict[str, str] = {
    "same item": "as they are",
    "same schema": "by their schemas' ids",
    "parallel": "as translations, by their parallel ids or sources",
    "near copy": "as copies or near copies, by their words",
    "lineage": "as translations, by what their collection was made from",
    "drafted": "as what it drafted itself, or read before a person decided",
}


@dataclass(frozen=True)
class CollectionFingerprint:
    """What a training collection is recognised by."""

    name: str
    version: str
    language: str
    hash: str
    items: int
    texts: tuple[str, ...]  # published texts that it has sentences of
    keys: Hashes  # of ids and items
    runs: Hashes  # of words, in the order of the schemas
    schema_runs: Hashes  # how many runs each schema has
    is_compact: bool = False  # whether hashes were shortened

    @classmethod
    def of(cls, collection: Collection, marks: Sequence[SchemaMarks] = ()) -> CollectionFingerprint:
        """The fingerprint of a collection with its variants; the marks of its schemas may be known."""
        marks = marks or marks_of(collection)
        return cls(
            name=collection.name,
            version=collection.version,
            language=collection.language,
            hash=collection.hash,
            items=len(collection.items),
            texts=tuple(sorted(texts_in(collection))),
            keys=_array(sorted({key for schema_marks in marks for key in schema_marks.keys})),
            runs=_array(run for schema_marks in marks for run in sorted(schema_marks.runs)),
            schema_runs=_array(len(schema_marks.runs) for schema_marks in marks),
        )

    def holders(self, runs: Iterable[int]) -> dict[int, list[int]]:
        """The numbers of the schemas that have each of these runs, by run; runs that none has are left out."""
        places = np.flatnonzero(np.isin(self.runs, _array(runs)))
        schemas = np.repeat(np.arange(len(self.schema_runs)), self.schema_runs.astype(np.int64))[places]
        schemas_by_run: dict[int, list[int]] = {}
        for run, schema in zip(self.runs[places].tolist(), schemas.tolist(), strict=True):
            schemas_by_run.setdefault(run, []).append(schema)
        return schemas_by_run

    def compact(self) -> CollectionFingerprint:
        """A copy with shorter hashes."""
        if self.is_compact:
            return self
        schemas = np.repeat(np.arange(len(self.schema_runs)), self.schema_runs.astype(np.int64))
        runs = self.runs % np.uint64(2**_RUN_BITS)
        keys = np.unique(self.keys % np.uint64(2**_KEY_BITS))
        return replace(self, keys=keys, runs=runs[np.lexsort((runs, schemas))], is_compact=True)


@dataclass(frozen=True)
class Fingerprints:
    """What all training collections of a model are recognised by.

    >>> import winoglot as wg
    >>> seen = Fingerprints.of([wg.load("winoglot-en")])
    >>> print(overlap(seen, wg.load("winoglot-fr")[:2]))
    4 of 4 items, as translations, by their parallel ids or sources (call-microphone, train-wave)
    """

    collections: tuple[CollectionFingerprint, ...]

    @classmethod
    def of(cls, collections: Iterable[Collection]) -> Fingerprints:
        """The fingerprints of collections, variants included."""
        return cls(tuple(map(CollectionFingerprint.of, collections)))

    def save(self, folder: Path) -> None:
        """Store the fingerprints in the folder of the model that was trained on them; older ones are replaced."""
        entries = [
            vars(fingerprint) | {name: _text(getattr(fingerprint, name)) for name in _ARRAYS}
            for fingerprint in self.collections
        ]
        write_whole(folder / TRAINED_ON, json.dumps({"format": _FORMAT, "collections": entries}), force=True)

    def save_compact(self, folder: Path) -> None:
        """Store a form of about a sixth of the size, for a package; an older one is replaced."""
        compact = [fingerprints.compact() for fingerprints in self.collections]
        descriptions = [
            {key: value for key, value in vars(fingerprint).items() if key not in _ARRAYS} for fingerprint in compact
        ]
        header = json.dumps({"format": _FORMAT, "collections": descriptions}).encode()
        arrays = {
            f"{name}{number}": array
            for number, fingerprint in enumerate(compact)
            for name, array in _pack(fingerprint).items()
        }
        file = BytesIO()
        np.savez_compressed(file, about=np.frombuffer(header, np.uint8), **arrays)  # type: ignore[arg-type]
        write_whole(folder / TRAINED_ON_COMPACT, file.getvalue(), force=True)

    @classmethod
    def load(cls, folder: Path) -> Fingerprints | None:
        """The fingerprints in a model's folder; None if it has none."""
        path = next((folder / name for name in (TRAINED_ON, TRAINED_ON_COMPACT) if (folder / name).is_file()), None)
        if path is None:
            return None
        try:
            content = read_bytes(path, _LARGEST)
            data = _from_compact(content) if path.name == TRAINED_ON_COMPACT else _from_json(content)
            return cls(tuple(map(_read_fingerprint, data)))
        except (ValueError, KeyError, TypeError, AttributeError, EOFError, OSError, BadZipFile, zlib.error) as error:
            if isinstance(error, InputError):
                raise
            remedy = "Copy it again from where the model was trained, or install a newer Winoglot; without it, nothing "
            remedy += "shows what the model was trained on."
            message = f"does not say what the model was trained on: {error}"
            raise InputError(message, remedy=remedy, file=str(path)) from error


@dataclass(frozen=True)
class OverlappingSchema:
    """A schema that overlaps, its items, and how it was recognised in which training collection."""

    schema_id: str
    items: tuple[str, ...]
    rule: Rule
    trained_on: str


@dataclass(frozen=True)
class Overlap:
    """Which schemas of a collection overlap with training data; false if none does."""

    collection: str
    items: int  # of the collection
    schemas: tuple[OverlappingSchema, ...]

    def __bool__(self) -> bool:
        """Whether anything overlaps."""
        return bool(self.schemas)

    @cached_property
    def rules(self) -> dict[str, int]:
        """How many items overlap by each rule, most frequent first."""
        counts: Counter[str] = Counter()
        for schema in self.schemas:
            counts[schema.rule] += len(schema.items)
        return dict(counts.most_common())

    @property
    def count(self) -> int:
        """How many items overlap."""
        return sum(self.rules.values())

    @property
    def trained_on(self) -> tuple[str, ...]:
        """The training collections that it overlaps with."""
        return tuple(dict.fromkeys(schema.trained_on for schema in self.schemas))

    def __str__(self) -> str:
        """How many items, by which rules, with examples."""
        parts = []
        for rule, count in self.rules.items():
            schema_ids = [schema.schema_id for schema in self.schemas if schema.rule == rule]
            number = f"{count:,} " if len(self.rules) > 1 else ""
            more = " …" if len(schema_ids) > _NAMED else ""
            parts.append(f"{number}{SAID[rule]} ({', '.join(schema_ids[:_NAMED])}{more})")
        return f"{self.count:,} of {counted(self.items, 'item')}{', ' if parts else ''}{'; '.join(parts)}"


def overlap(seen: Fingerprints, collection: Collection) -> Overlap:
    """Which schemas of a collection, with their variants, overlap with what a model was trained on."""
    marks = marks_of(collection)
    overlapping: dict[str, OverlappingSchema] = {}
    for trained in seen.collections:
        for schema, rule in zip(collection.schemas, _rules(trained, collection, marks), strict=True):
            if rule is not None and schema.id not in overlapping:
                items = tuple(item.id for item in schema.items)
                overlapping[schema.id] = OverlappingSchema(schema.id, items, rule, trained.name)
    in_order = tuple(overlapping[schema.id] for schema in collection.schemas if schema.id in overlapping)
    return Overlap(collection.name, len(collection.items), in_order)


def check_overlap(
    solver: Solver, collection: Collection, kinds: Sequence[str] = (), *, allowed: bool
) -> dict[str, int]:
    """Refuse a collection that a solver was trained on or drafted, as far as its folders and the collection say so.

    If that is allowed, what is returned is stored with a run: how many items overlap, of how many, and how many by each
    rule. `kinds` are the kinds of variants that are asked.
    """
    trained_on = [fingerprint for folder in solver.folders if (fingerprint := Fingerprints.load(folder)) is not None]
    seen = Fingerprints(tuple(fingerprint for fingerprints in trained_on for fingerprint in fingerprints.collections))
    trained = overlap(seen, collection).schemas if trained_on else ()
    known = {schema.schema_id for schema in trained}
    drafted = [schema for schema in drafted_by(solver, collection, kinds) if schema.schema_id not in known]
    overlapping = Overlap(collection.name, len(collection.items), (*trained, *drafted))
    if not overlapping:
        return {}
    if not allowed:
        origins = " and ".join(dict.fromkeys(schema.trained_on for schema in trained))
        what = f"was trained on {origins}, which overlaps with" if trained else "drafted or read items of"
        remedy = "Evaluate it on schemas that it has not seen, or allow this with --allow-overlap "
        remedy += "(allow_overlap=True in Python): the run and its report then say so."
        raise InputError(f"{solver.name} {what} {collection.name}: {overlapping}", remedy=remedy)
    return {"overlapping": overlapping.count, "items": overlapping.items, **overlapping.rules}


def drafted_by(solver: Solver, collection: Collection, kinds: Sequence[str] = ()) -> list[OverlappingSchema]:
    """The schemas that a solver drafted, or of which it drafted a variant of these kinds, or read the draft."""
    address = solver.address or solver.name
    marks = {solver.fingerprint, address, _served_name(address)} - {""}
    drafted = []
    for schema in collection.schemas:
        ways = [made for kind in (ORIGINAL, *kinds) if (made := schema.made_as(kind)) is not None]
        models = {
            mark
            for made in ways
            for name, fingerprint in made.models
            for mark in (name, _served_name(name), fingerprint)
        }
        if marks & models:
            items = tuple(item.id for item in schema.items)
            drafted.append(OverlappingSchema(schema.id, items, "drafted", collection.name))
    return drafted


def _served_name(address: str) -> str:
    """What a model is called on its server, whatever the server's address; empty for a model that is not served."""
    return address.partition("#")[2]


# What schemas are recognised by


@dataclass(frozen=True)
class SchemaMarks:
    """Hashes of what a schema is recognised by."""

    by_rule: Mapping[Rule, frozenset[int]]
    texts: tuple[frozenset[int], ...]  # the runs of each text in each form

    @classmethod
    def of(cls, schema: Schema, collection: str) -> SchemaMarks:
        """The marks of a schema with its variants in a collection of that name."""
        items = (*schema.items, *schema.variants)
        sources = [source for source in (schema.source, *(item.source for item in items)) if source is not None]
        own_id = [f"{collection}/{schema.id}"] if _is_telling(schema.id) else []
        parallel = {item.parallel_id.partition("~")[0] for item in items}
        parallel = {parallel_id for parallel_id in parallel if _is_telling(parallel_id.rpartition(".")[0])}
        parallel |= {schema.parallel_id} if _is_telling(schema.parallel_id) else set()
        origins = {
            f"{source.collection}/{source.id}" for source in sources if source.id is not None and _is_telling(source.id)
        }
        by_rule: dict[Rule, frozenset[int]] = {
            "same item": _hashes("item", (item.hash for item in items)),
            "same schema": _hashes("schema", own_id),
            "parallel": _hashes("parallel", parallel) | _hashes("source", origins.union(own_id)),
        }
        texts = dict.fromkeys(runs for item in items for runs in _runs_of(item))
        hashes = {run: _hash("run", run) for run in frozenset().union(*texts)}  # texts of a schema share most of them
        return cls(by_rule, tuple(frozenset(map(hashes.__getitem__, runs)) for runs in texts))

    @property
    def keys(self) -> frozenset[int]:
        """The hashes of ids and items, from all rules."""
        return frozenset().union(*self.by_rule.values())

    @property
    def runs(self) -> frozenset[int]:
        """The runs of all texts."""
        return frozenset().union(*self.texts)

    def compact(self) -> SchemaMarks:
        """A copy with shorter hashes."""
        by_rule = {rule: frozenset(value % 2**_KEY_BITS for value in hashes) for rule, hashes in self.by_rule.items()}
        texts = (frozenset(value % 2**_RUN_BITS for value in text) for text in self.texts)
        return SchemaMarks(by_rule, tuple(texts))


def marks_of(collection: Collection) -> list[SchemaMarks]:
    """The marks of each schema of a collection."""
    return [_marks(schema, collection.name) for schema in collection.schemas]


@lru_cache(maxsize=2**14)  # an experiment asks for those of the same schemas once for every model
def _marks(schema: Schema, collection: str) -> SchemaMarks:
    return SchemaMarks.of(schema, collection)


def copied(text: frozenset[int], holders: Mapping[int, Iterable[Place]], fewest: int = 1) -> list[Place]:
    """The schemas of which a text with these runs is a near copy, given those that have each run."""
    least = max(fewest, SHARE * len(text))
    shared = [holders[run] for run in text if run in holders]
    if len(shared) < least:
        return []
    counts = Counter(place for places in shared for place in places)
    return [place for place, count in counts.items() if count >= least]


def _rules(
    trained: CollectionFingerprint, collection: Collection, marks: Sequence[SchemaMarks]
) -> Iterator[Rule | None]:
    """The first rule by which each schema of a collection overlaps with a training collection; None if none applies."""
    marks = [schema_marks.compact() for schema_marks in marks] if trained.is_compact else marks
    fewest_keys, fewest_runs = (_FEWEST_KEYS, _FEWEST_RUNS) if trained.is_compact else (1, 1)
    keys = set(trained.keys.tolist())
    holders = trained.holders({run for schema_marks in marks for run in schema_marks.runs})
    is_lineage = may_correspond((trained.language, trained.texts), (collection.language, texts_in(collection)))
    same_language = primary(trained.language) == primary(collection.language)
    shared = sum(len(keys & schema_marks.by_rule["parallel"]) >= fewest_keys for schema_marks in marks)
    by_id = not same_language or trained.name == collection.name or shared >= min(_BY_CHANCE, len(marks))
    for schema_marks in marks:
        rule = next((rule for rule, hashes in schema_marks.by_rule.items() if len(keys & hashes) >= fewest_keys), None)
        if rule == "parallel" and not by_id:
            rule = None
        if rule is None and any(copied(text, holders, fewest_runs) for text in schema_marks.texts):
            rule = "near copy"
        yield rule or ("lineage" if is_lineage else None)


def may_correspond(first: tuple[str, Iterable[str]], second: tuple[str, Iterable[str]]) -> bool:
    """Whether two collections, by their languages and published texts, go back to the same one in other words.

    If both have the same texts in one language, their words show which schemas correspond.
    """
    (language, texts), (other_language, other_texts) = first, second
    differ = primary(language) != primary(other_language) or set(texts).isdisjoint(other_texts)
    return differ and not origins(texts).isdisjoint(origins(other_texts))


def _is_telling(name: str) -> bool:
    """Whether an id says more than a place in a file, which means nothing in another file."""
    return not name.isdecimal()


def _runs_of(item: Item) -> Iterator[frozenset[str]]:
    """The runs of an item's texts: written, with a gap, with each candidate, and masked."""
    word_lists = [words(reading.text) for reading in item.readings if reading] + [
        words(reading.premise) for reading in item.inferences
    ]
    if item.text is not None:
        before, pronoun, after = (words(part) for part in item.parts)
        filled = [pronoun, [MASK], *(words(candidate.text) for candidate in item.candidates)]
        word_lists += [[*before, *filler, *after] for filler in filled]
    for text in dict.fromkeys(map(tuple, word_lists)):
        yield _runs(text)
    masked = _runs(masked_words(item)) if item.text is not None else frozenset()
    if len(masked) >= _FEWEST:
        yield masked


def _runs(text: Sequence[str]) -> frozenset[str]:
    """The runs of neighbouring words, with the masks between them, which do not count; of a short text, itself."""
    places = [place for place, word in enumerate(text) if word != MASK]
    if not places:
        return frozenset()
    unspaced = sum([is_unspaced(text[place][0]) for place in places])
    length = min(_CHARACTERS if 2 * unspaced > len(places) else _WORDS, len(places))
    ends = zip(places, places[length - 1 :], strict=False)
    return frozenset([" ".join(text[first : last + 1]) for first, last in ends])


def _hashes(kind: str, values: Iterable[str]) -> frozenset[int]:
    return frozenset(_hash(kind, value) for value in values)


def _hash(kind: str, value: str) -> int:
    return int.from_bytes(blake2b(f"{kind} {value}".encode(), digest_size=8).digest(), "little")


# Files


def _array(hashes: Iterable[int]) -> Hashes:
    return np.fromiter(hashes, dtype=np.uint64)


def _text(hashes: Hashes) -> str:
    return base64.b64encode(hashes.astype("<u8").tobytes()).decode()


def _from_json(content: bytes) -> list[dict[str, Any]]:
    entries = _entries(parse_json(content))
    return [
        entry | {key: np.frombuffer(base64.b64decode(entry[key], validate=True), "<u8") for key in _ARRAYS}
        for entry in entries
    ]


def _from_compact(content: bytes) -> list[dict[str, Any]]:
    with np.load(BytesIO(content)) as arrays:
        entries = _entries(parse_json(arrays["about"].tobytes()))
        return [entry | _unpack(*(arrays[f"{key}{number}"] for key in _ARRAYS)) for number, entry in enumerate(entries)]


def _entries(data: Any) -> list[dict[str, Any]]:
    if data["format"] != _FORMAT:
        raise ValueError(f"its format is {data['format']!r}, not {_FORMAT}")
    entries: list[dict[str, Any]] = data["collections"]
    return entries


def _pack(compact: CollectionFingerprint) -> dict[str, NDArray[np.uint8]]:
    """The arrays as ascending numbers: runs with the numbers of their schemas before them, and where schemas end."""
    lengths = compact.schema_runs.astype(np.int64)
    schemas = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    ascending = (compact.keys, (schemas << np.uint64(_RUN_BITS)) | compact.runs, np.cumsum(compact.schema_runs))
    return dict(zip(_ARRAYS, map(_planes, ascending), strict=True))


def _unpack(keys: NDArray[np.uint8], runs: NDArray[np.uint8], ends: NDArray[np.uint8]) -> dict[str, Hashes]:
    values = (_numbers(keys), _numbers(runs) & np.uint64(2**_RUN_BITS - 1), np.diff(_numbers(ends), prepend=_ZERO))
    return dict(zip(_ARRAYS, values, strict=True))


def _planes(ascending: Hashes) -> NDArray[np.uint8]:
    """Differences, the first bytes of all, then the second: the higher ones are small numbers, which compress well.

    numpy alone (`savez_compressed`) makes a file of 703 kB of what a packaged model has in 490 kB this way.
    """
    return np.ascontiguousarray(np.diff(ascending, prepend=_ZERO).astype("<u8").view(np.uint8).reshape(-1, 8).T)


def _numbers(planes: NDArray[np.uint8]) -> Hashes:
    return np.cumsum(np.ascontiguousarray(planes.T).view("<u8").ravel(), dtype=np.uint64)


def _read_fingerprint(entry: dict[str, Any]) -> CollectionFingerprint:
    fingerprint = CollectionFingerprint(**{**entry, "texts": tuple(entry["texts"])})
    if not all(
        isinstance(text, str)
        for text in (fingerprint.name, fingerprint.version, fingerprint.language, fingerprint.hash, *fingerprint.texts)
    ):
        raise TypeError("its collections have the wrong types")
    if fingerprint.schema_runs.sum() != len(fingerprint.runs):
        raise ValueError(f"{fingerprint.name} is incomplete")
    return fingerprint
