"""The data model: candidates, items, schemas and collections, frozen and checked; and the readings made of them."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

from winoglot.errors import InputError, inside, located, nearest
from winoglot.schemas.hashing import hash_of_items, item_hash
from winoglot.schemas.spans import Span
from winoglot.schemas.text import check_name, check_text, check_texts, counted, language_tag
from winoglot.schemas.typed import check_types

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Features:
    """Grammatical features of a candidate where its author states them; they win over what grammar finds."""

    gender: Literal["masculine", "feminine", "neuter", "common"] | None = None
    number: Literal["singular", "dual", "plural"] | None = None
    animacy: Literal["human", "animal", "thing"] | None = None

    def __post_init__(self) -> None:
        """Only the values that a file may hold."""
        check_types(self)


NO_FEATURES = Features()


@dataclass(frozen=True)
class Candidate:
    """A noun phrase in its citation form, and every place of the item's text where it is mentioned, in any form.

    >>> text = "A chave caiu na gaveta."
    >>> Candidate("a gaveta", mentions=(Span(13, 22),)).mentions[0].of(text)
    'na gaveta'
    """

    text: Annotated[str, "citation form, with its article"]
    mentions: Annotated[tuple[Span, ...], "where the item's text mentions it, in order"] = ()
    features: Annotated[Features, "what the author states of its grammar"] = NO_FEATURES

    def __post_init__(self) -> None:
        """A citation form is text; mentions stand in their order, each once."""
        check_types(self)
        check_text(self.text, "the candidate")
        if list(self.mentions) != sorted(set(self.mentions)):
            object.__setattr__(self, "mentions", tuple(sorted(set(self.mentions))))


@dataclass(frozen=True)
class WrittenReading:
    """A sentence with one candidate in the pronoun's place, written by a person or given by the source.

    >>> WrittenReading("Rita rang because Rita was late.", Span(18, 22)).inserted.start
    18
    """

    text: str
    inserted: Annotated[Span | None, "what stands in the pronoun's place; absent where the source does not say"] = None

    def __post_init__(self) -> None:
        """The insertion is a real stretch of the reading."""
        check_types(self)
        check_text(self.text, "the reading")
        if self.inserted is not None:
            self.inserted.check_inside(self.text, "the insertion")
            if self.inserted.start == self.inserted.end:
                raise InputError(
                    "the reading's insertion is empty",
                    remedy="Mark what stands in the pronoun's place: 'Rita rang because {Rita} was late.'",
                )


@dataclass(frozen=True)
class Inference:
    """A premise, a hypothesis, and whether the first entails the second (None: unlabelled)."""

    premise: str
    hypothesis: str
    entailed: bool | None = None

    def __post_init__(self) -> None:
        """Both are texts."""
        check_types(self)
        check_texts(premise=self.premise, hypothesis=self.hypothesis)


@dataclass(frozen=True)
class Terms:
    """The words whose association is measured: one for each candidate, one for the segment."""

    candidates: tuple[str, ...] = ()
    segment: str | None = None

    def __post_init__(self) -> None:
        """Terms are words, not blanks."""
        check_types(self)
        check_texts(segment_term=self.segment)
        for term in self.candidates:
            check_text(term, "the candidate's term")


@dataclass(frozen=True)
class Source:
    """Where a schema or an item comes from."""

    collection: str
    id: str | None = None
    hash: Annotated[str | None, "of the source as it was translated: shows later whether it has changed"] = None

    def __post_init__(self) -> None:
        """A source names at least its collection."""
        check_types(self)
        check_texts(source_collection=self.collection, source_id=self.id, source_hash=self.hash)


Style = Literal["naive", "grammatical"]


@dataclass(frozen=True)
class Reading:
    """What a solver scores: the text before the insertion, the insertion, and the text after it.

    >>> Reading("lamp.0", 1, "It fell because ", "the vase", " shook.", "naive", "replace").text
    'It fell because the vase shook.'
    """

    item_id: str
    candidate: int
    before: str
    inserted: str
    after: str
    style: Style
    rule: str
    derived: bool = True
    reason: str = ""  # why it is not derived

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self.before + self.inserted + self.after


ORIGINAL = "original"
BLANKS = ("_", "[MASK]")
NO_TERMS = Terms()
Effect = Literal["keeps", "flips", "removes"]


@dataclass(frozen=True)
class Item:
    """A text with a pronoun and candidates; or, where `text` is None, only its readings or its inference pairs.

    >>> item = Item("lamp.0", "lamp", text="The lamp hit the vase and it broke.", pronoun=Span(26, 28),
    ...             candidates=(Candidate("the lamp"), Candidate("the vase")), answer=1)
    >>> item.pronoun.of(item.text), item.kind
    ('it', 'original')
    """

    id: Annotated[str, "schema id, a dot, and the alternative's number from 0"]
    schema_id: str
    parallel_id: Annotated[str, "the same for the same item in all languages"] = ""
    text: str | None = None
    pronoun: Annotated[Span | None, "as written, contraction or clitic included; empty for a zero pronoun"] = None
    candidates: tuple[Candidate, ...] = ()
    answer: Annotated[int | None, "index of the right candidate; None: unlabelled"] = None
    segment: Annotated[tuple[Span, ...], "the linked places that differ between the schema's items"] = ()
    phrase: Annotated[Span | None, "the phrase a possessive pronoun belongs to, where grammar cannot tell"] = None
    question: str | None = None
    hypotheses: Annotated[tuple[str, ...], "one a candidate"] = ()
    readings: Annotated[tuple[WrittenReading | None, ...], "one a candidate"] = ()
    inferences: Annotated[tuple[Inference, ...], "inference pairs of a source that has no marked text"] = ()
    terms: Terms = NO_TERMS
    tags: tuple[str, ...] = ()
    source: Source | None = None
    language: str = field(default="", compare=False, kw_only=True)  # set by the collection it stands in
    kind: str = field(default=ORIGINAL, init=False)
    variant_of: str | None = field(default=None, init=False)
    effect: Effect | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Refuse what no file may bring in: every later part relies on these shapes."""
        check_types(self)
        check_name(self.schema_id, "a schema's id")
        object.__setattr__(self, "parallel_id", self.parallel_id or self.id)
        with inside("parallel_id"):
            for part in re.split(r"~|\.(?=[0-9]+(?:~|$))", self.parallel_id):  # schema, number, kind
                check_name(part, "a parallel id")
        with inside("question"):
            check_texts(question=self.question)
        for index, hypothesis in enumerate(self.hypotheses):
            with inside("hypotheses", index):
                check_text(hypothesis, "the hypothesis")
        with inside("tags"):
            for tag in self.tags:
                check_name(tag, "a tag")
            if len(set(self.tags)) < len(self.tags):
                raise InputError(f"a tag is given twice: {', '.join(self.tags)}", remedy="Give each tag once.")
        self._check_text()
        self._check_answer()

    def _check_text(self) -> None:
        if self.text is None:
            self._check_without_text()
            return
        with inside("text"):
            check_text(self.text, "the text")
            self._check_pronoun(self.text)
        if not self.candidates:
            raise InputError("there is no candidate", remedy="Name what the pronoun may refer to under 'candidates'.")
        for index, candidate in enumerate(self.candidates):
            with inside("candidates", index):
                self._check_candidate(index, candidate, self.text)
        with inside("segment"):
            self._check_segment(self.text)
        if self.phrase is not None:
            with inside("phrase"):
                self.phrase.check_words(self.text, "the phrase")
        for index, reading in enumerate(self.readings):
            if reading is not None and reading.inserted is None:
                raise InputError(
                    f"the reading {reading.text!r} does not show what stands in the pronoun's place",
                    remedy="Mark it with {…}.",
                    path=("readings", index),
                )

    def _check_pronoun(self, text: str) -> None:
        if self.pronoun is None:
            raise InputError("the text has no pronoun", remedy="Mark it with {…}, or {} where it is not spoken.")
        self.pronoun.check_inside(text, "the pronoun")
        surface = self.pronoun.of(text)
        if surface and not surface.strip():
            raise InputError("the pronoun is only blanks", remedy="Write {} for one that is not spoken.")

    def _check_candidate(self, index: int, candidate: Candidate, text: str) -> None:
        if candidate.text in [other.text for other in self.candidates[:index]]:
            raise InputError(f"the candidate {candidate.text!r} is given twice", remedy="Name another, or take it out.")
        for mention in candidate.mentions:
            mention.check_words(text, f"the mention of {candidate.text!r}")
            if mention == self.pronoun:
                raise InputError(
                    f"the pronoun {mention.of(text)!r} is given as a mention of {candidate.text!r}",
                    remedy="Which candidate the pronoun stands for is the answer; leave it out of the mentions.",
                )

    def _check_segment(self, text: str) -> None:
        for place in self.segment:
            place.check_inside(text, "the segment")
            pronoun = self.pronoun
            if pronoun and place.overlaps(pronoun) and not (place.within(pronoun) or pronoun.within(place)):
                raise InputError(
                    f"the segment {place.of(text)!r} cuts the pronoun {pronoun.of(text)!r} in two",
                    remedy="Let one contain the other, or keep them apart.",
                )
        for left, right in zip(self.segment, self.segment[1:], strict=False):
            if left.end > right.start:
                raise InputError("places of the segment overlap or are out of order", remedy="Join or reorder them.")

    def _check_without_text(self) -> None:
        if self.readings and not all(self.readings):
            raise InputError(
                "a reading is missing", remedy="Without a text, every candidate needs its reading.", path=("readings",)
            )
        if not self.readings and not self.inferences:
            raise InputError(
                "there is no text, no reading and no inference pair",
                remedy="Give a 'text' with its pronoun marked, or 'readings', or 'inferences'.",
            )
        if self.pronoun or self.segment or self.phrase or any(c.mentions for c in self.candidates):
            raise InputError("there are spans but no text they could lie in", remedy="Give the text.")

    def _check_answer(self) -> None:
        count = self.candidate_count
        for what, given in (("hypotheses", self.hypotheses), ("readings", self.readings)):
            if given and len(given) != count:
                raise InputError(
                    f"{len(given)} {what} for {counted(count, 'candidate')}",
                    remedy="Write one for each candidate.",
                    path=(what,),
                )
        if self.terms.candidates and len(self.terms.candidates) != count:
            raise InputError(
                f"{counted(len(self.terms.candidates), 'term')} for {counted(count, 'candidate')}",
                remedy="Write one for each candidate.",
                path=("terms",),
            )
        if self.answer is not None and not 0 <= self.answer < count:
            allowed = ", ".join(map(str, range(count))) or "none: there is no candidate"
            raise InputError(
                f"the answer {self.answer} names no candidate",
                remedy=f"Candidates are counted from 0 (here: {allowed}); null means unlabelled.",
                path=("answer",),
            )

    @property
    def candidate_count(self) -> int:
        """How many candidates there are to choose from, named or known only by their readings."""
        return len(self.candidates) or len(self.readings)

    @property
    def pronoun_form(self) -> Literal["word", "blank", "zero"] | None:
        """Whether the pronoun is a word, a blank to fill, or not spoken at all (None without a text)."""
        if self.text is None or self.pronoun is None:
            return None
        surface = self.pronoun.of(self.text)
        if not surface.strip():
            return "zero"
        return "blank" if surface in BLANKS else "word"

    @cached_property
    def hash(self) -> str:
        """Changes with text, pronoun, candidates and answer, and with nothing else."""
        return item_hash(self)


@dataclass(frozen=True)
class Variant(Item):
    """An item derived from another one, whose answer it keeps, flips or removes."""

    kind: str = field(kw_only=True)
    variant_of: str = field(kw_only=True)
    effect: Effect = field(kw_only=True)

    def __post_init__(self) -> None:
        """A variant has a kind of its own and does not answer where its answer is removed."""
        check_name(str(self.kind), "a kind of variant")
        super().__post_init__()
        if self.kind == ORIGINAL:
            raise InputError(f"a variant cannot be of kind {ORIGINAL!r}", remedy="Name the change that was made.")
        if self.effect == "removes" and self.answer is not None:
            raise InputError(
                "a variant that removes the answer cannot have one", remedy="Write null.", path=("answer",)
            )


@dataclass(frozen=True)
class Impossible:
    """A kind of variant that this schema cannot have, and why."""

    kind: str
    reason: str

    def __post_init__(self) -> None:
        """Both are stated."""
        check_types(self)
        check_name(self.kind, "a kind of variant")
        check_text(self.reason, "the reason")
        if self.reason.lower() in ("true", "yes"):
            raise InputError("the reason is missing", remedy='Write why: {impossible: "…"}.')


@dataclass(frozen=True)
class Schema:
    """One or more items that share a situation, the variants derived from them, and what their author says."""

    id: str
    items: tuple[Item, ...]
    variants: tuple[Variant, ...] = ()
    impossible: Annotated[tuple[Impossible, ...], "kinds of variant that cannot be made, with the reason"] = ()
    explanation: Annotated[str | None, "the everyday fact behind the answers"] = None
    note: str | None = None
    source: Source | None = None
    parallel_id: Annotated[str, "the same for the same schema in all languages"] = ""

    def __post_init__(self) -> None:
        """Ids fit together, and every variant does to its original what its effect says."""
        check_types(self)
        check_name(self.id, "a schema's id")
        with located(schema=self.id):
            object.__setattr__(self, "parallel_id", self.parallel_id or self.id)
            check_name(self.parallel_id, "a parallel id")
            check_texts(explanation=self.explanation, note=self.note)
            if not self.items:
                raise InputError("the schema has no items", remedy="Give it a 'text', or 'items'.")
            if any(isinstance(item, Variant) for item in self.items):
                raise InputError("a variant stands among the originals", remedy="Put it under 'variants'.")
            order = {kind: number for number, kind in enumerate(self.kinds)}
            object.__setattr__(self, "variants", tuple(sorted(self.variants, key=lambda v: order[v.kind])))
            self._check_ids()
            for index, variant in enumerate(self.variants):
                with inside("variants", index):
                    self._check_variant(variant)
            self._check_impossible()

    def _check_ids(self) -> None:
        numbers = [self._number(item) for item in self.items]
        _check_unique(numbers, "item")
        if numbers != sorted(numbers):
            raise InputError("the items are not in the order of their ids", remedy="Reorder or renumber them.")
        _check_unique([variant.id for variant in self.variants], "variant")

    def _number(self, item: Item) -> int:
        found = re.fullmatch(re.escape(self.id) + r"\.(0|[1-9][0-9]{0,5})", item.id)
        if not found or item.schema_id != self.id:
            raise InputError(
                f"the item {item.id!r} does not belong to the schema {self.id!r}",
                remedy=f"Items of this schema are called {self.id}.0, {self.id}.1, ….",
            )
        return int(found.group(1))

    def _check_variant(self, variant: Variant) -> None:
        original = next((item for item in self.items if item.id == variant.variant_of), None)
        if original is None or variant.schema_id != self.id:
            raise InputError(
                f"the variant {variant.id!r} is derived from {variant.variant_of!r}, which is no item of this schema",
                remedy=f"Items of this schema: {', '.join(item.id for item in self.items)}.",
            )
        texts, original_texts = ([c.text for c in item.candidates] for item in (variant, original))
        if texts != original_texts and sorted(texts) == sorted(original_texts):
            raise InputError(
                f"the variant {variant.id!r} has its original's candidates in another order",
                remedy="A candidate's index is its identity: keep the order; the answer and the text change.",
                path=("candidates",),
            )
        if variant.id != f"{original.id}~{variant.kind}":
            raise InputError(f"the variant is called {variant.id!r}", remedy=f"Call it {original.id}~{variant.kind}.")
        same = variant.answer == original.answer
        flipped = original.answer is None or (variant.answer is not None and not same)
        if (variant.effect == "keeps" and not same) or (variant.effect == "flips" and not flipped):
            raise InputError(
                f"the variant {variant.id!r} {variant.effect} the answer, "
                f"but its answer is {variant.answer} and its original's {original.answer}",
                remedy="Correct the answer or the effect (keeps, flips, removes).",
                path=("answer",),
            )

    def _check_impossible(self) -> None:
        effects = {(variant.kind, variant.effect) for variant in self.variants}
        if len(effects) > len(self.kinds):
            raise InputError("variants of one kind differ in their effect", remedy="Give them kinds of their own.")
        _check_unique([impossible.kind for impossible in self.impossible], "impossible kind")
        both = {impossible.kind for impossible in self.impossible} & {variant.kind for variant in self.variants}
        if both:
            raise InputError(f"{min(both)!r} is both given and impossible", remedy="Take one of the two out.")

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that all its items have."""
        return tuple(tag for tag in self.items[0].tags if all(tag in item.tags for item in self.items))

    def spoken_in(self, language: str) -> Schema:
        """The same schema, whose items know their language."""
        if all(item.language == language for item in (*self.items, *self.variants)):
            return self
        schema = copy(self)  # nothing changes that was checked
        for name in ("items", "variants"):
            items = tuple(_spoken(item, language) for item in getattr(self, name))
            object.__setattr__(schema, name, items)
        return schema

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its variants, in the order of their first appearance."""
        return tuple(dict.fromkeys(variant.kind for variant in self.variants))


def _spoken(item: Item, language: str) -> Item:
    spoken = copy(item)
    object.__setattr__(spoken, "language", language)
    return spoken


def _check_unique(values: Sequence[object], what: str) -> None:
    twice = next((value for index, value in enumerate(values) if value in values[:index]), None)
    if twice is not None:
        raise InputError(f"{what} {twice!r} appears twice", remedy="Keep one of them, or rename one.")


@dataclass(frozen=True)
class Collection:
    """Schemas of one language, with what a user must know before using them."""

    name: str
    language: Annotated[str, "BCP 47: pt-BR, zh, ja"]
    schemas: tuple[Schema, ...]
    version: str = "1.0"
    description: str | None = None
    licence: str | None = None
    citation: str | None = None
    provenance: Annotated[tuple[str, ...], "how it came about: one line a step"] = ()
    keep_names: Annotated[tuple[str, ...], "names that renaming keeps, as it keeps famous ones"] = ()

    def __post_init__(self) -> None:
        """The name may be a file's name; ids are unique."""
        check_types(self)
        with inside("collection"):
            check_name(self.name, "a collection's name")
        with inside("version"):
            check_name(self.version, "a collection's version")
        object.__setattr__(self, "language", language_tag(self.language))
        object.__setattr__(self, "schemas", tuple(schema.spoken_in(self.language) for schema in self.schemas))
        check_texts(description=self.description, licence=self.licence, citation=self.citation)
        for step in self.provenance:
            check_text(step, "the provenance")
        for index, name in enumerate(self.keep_names):
            with inside("keep_names", index):
                check_text(name, "a name to keep")
        if not self.schemas:
            raise InputError(f"the collection {self.name!r} has no schemas", remedy="Add at least one.")
        seen: dict[str, int] = {}
        parallel: dict[str, str] = {}
        for index, schema in enumerate(self.schemas):
            with inside("schemas", index):
                if schema.id in seen:
                    number = seen[schema.id] + 1
                    remedy = f"Rename one of the two; the other is schema number {number} of the file."
                    raise InputError("another schema has the same id", remedy=remedy, schema=schema.id)
                seen[schema.id] = index
                for item in schema.items:
                    other = parallel.setdefault(item.parallel_id, item.id)
                    if other != item.id:
                        raise InputError(
                            f"{item.id} has the parallel id {item.parallel_id!r}, and so has {other}",
                            remedy="A parallel id stands for one item in each language.",
                            schema=schema.id,
                        )

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The originals, in source order."""
        return tuple(item for schema in self.schemas for item in schema.items)

    def variants(self, kind: str | None = None) -> tuple[Variant, ...]:
        """The stored variants, of one kind or of all, in source order."""
        variants = (variant for schema in self.schemas for variant in schema.variants)
        return tuple(variant for variant in variants if kind in (None, variant.kind))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its stored variants, sorted."""
        return tuple(sorted({kind for schema in self.schemas for kind in schema.kinds}))

    def schema(self, schema_id: str) -> Schema:
        """The schema of that id; an unknown one is an input error that names the nearest."""
        for schema in self.schemas:
            if schema.id == schema_id:
                return schema
        known = (schema.id for schema in self.schemas)
        raise InputError(f"{self.name} has no schema {schema_id!r}", remedy=nearest(schema_id, known))

    @cached_property
    def hash(self) -> str:
        """Over all originals: notes and variants do not change it."""
        return hash_of_items(self.items)

    def kind_hash(self, kind: str) -> str:
        """Over the stored variants of one kind."""
        return hash_of_items(self.variants(kind))
