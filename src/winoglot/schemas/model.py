"""The data model, frozen and checked: candidates and what belongs to them, items, variants, schemas, collections.

Whatever is built here is valid, whether from a file or from Python: later parts rely on that and check nothing again.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, overload

from winoglot.errors import InputError, check_argument, did_you_mean, error_path, located
from winoglot.notebook import data_frame
from winoglot.schemas.hashing import hash_of_items, item_hash
from winoglot.schemas.spans import Span
from winoglot.schemas.text import (
    MAX_CANDIDATES,
    MAX_ITEMS,
    MAX_MENTIONS,
    MAX_PLACES,
    MAX_VARIANTS,
    check_name,
    check_number,
    counted,
    language_tag,
)
from winoglot.schemas.validation import Record, named, prose, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas

ORIGINAL = "original"  # the kind of an item that is not a variant
BLANKS = ("_", "[MASK]")  # pronouns that are gaps to be filled

Gender = Literal["masculine", "feminine", "neuter", "common"]
Number = Literal["singular", "dual", "plural"]
Animacy = Literal["human", "animal", "thing"]
Role = Literal["subject", "object", "indirect", "oblique", "possessor", "agent"]  # of a mention in its clause
Effect = Literal["keeps", "flips", "removes", "unknown"]  # what a variant does to its original's answer
Validation = Literal["models", "people"]  # whose blind answers confirm a collection
Adaptation = Literal["close", "details", "situation"]  # what differs from the same schema in other languages
Style = Literal["naive", "grammatical"]  # how a reading is made
_NUMBER = re.compile(r"0|[1-9][0-9]{0,5}")  # of an item in its schema
_LISTED = 10  # readings that are printed
_NAMED = 5  # ids that a message lists


# Candidates


@dataclass(frozen=True)
class Features(Record):
    """Grammatical features of a candidate as its author states them; they override what the grammar finds."""

    gender: Gender | None = None
    number: Number | None = None
    animacy: Animacy | None = None


NO_FEATURES = Features()


@dataclass(frozen=True)
class Candidate(Record):
    """A noun phrase in its citation form, and every place in the item's text where it is mentioned, in any form.

    >>> text = "A chave caiu na gaveta."
    >>> Candidate("a gaveta", mentions=(Span(13, 22),)).mentions[0].of(text)
    'na gaveta'
    """

    text: Annotated[str, written("the candidate")]  # citation form, with its article
    mentions: tuple[Span, ...] = ()
    features: Features = NO_FEATURES
    role: Role | None = None  # of its first mention, as the author states it

    def __post_init__(self) -> None:
        """Keep each mention once, in order."""
        super().__post_init__()
        object.__setattr__(self, "mentions", tuple(sorted(set(self.mentions))))


# What an item may hold besides its text


@dataclass(frozen=True)
class WrittenReading(Record):
    """A sentence with one candidate in the pronoun's place, written by a person or given by the source.

    >>> WrittenReading("Rita rang because Rita was late.", Span(18, 22)).inserted.start
    18
    """

    text: Annotated[str, written("the reading")]
    inserted: Span | None = None  # what is in the pronoun's place; None if the source does not say

    def __post_init__(self) -> None:
        """The insertion is a part of the reading, and not empty."""
        super().__post_init__()
        if self.inserted is not None:
            self.inserted.check_inside(self.text, "the insertion")
            if self.inserted.start == self.inserted.end:
                raise InputError(
                    "the reading's insertion is empty",
                    remedy="Mark what is in the pronoun's place: 'Rita rang because {Rita} was late.'",
                )


@dataclass(frozen=True)
class Inference(Record):
    """A premise, a hypothesis, and whether the first entails the second (None: unlabelled)."""

    premise: Annotated[str, written("the premise")]
    hypothesis: Annotated[str, written("the hypothesis")]
    entailed: bool | None = None


@dataclass(frozen=True)
class Terms(Record):
    """The words whose association is measured: one for each candidate, one for the segment."""

    candidates: tuple[Annotated[str, written("the candidate's term")], ...] = ()
    segment: Annotated[str, written("the segment's term")] | None = None


NO_TERMS = Terms()


@dataclass(frozen=True)
class Source(Record):
    """Where a schema or an item comes from."""

    collection: Annotated[str, written("the source's collection")]
    id: Annotated[str, written("the source's id")] | None = None
    hash: Annotated[str, written("the source's hash")] | None = None  # when it was translated: has it changed since?


@dataclass(frozen=True)
class BlindAnswer(Record):
    """What a model that did not know the answers said to all items of a draft: did it choose the draft's answers?"""

    model: Annotated[str, written("the model that answered")]
    fingerprint: Annotated[str, written("the model's fingerprint")]
    agrees: bool


@dataclass(frozen=True)
class Made(Record):
    """How a schema or a variant was made, and who judged it.

    `model` and `fingerprint` say which model drafted it, `prompt` is the hash of what it was asked with.
    """

    by: Literal["rule", "person", "model"]
    model: Annotated[str, written("the model's name")] | None = None
    fingerprint: Annotated[str, written("the model's fingerprint")] | None = None
    prompt: Annotated[str, written("the prompt's hash")] | None = None
    settings: Annotated[str, written("the settings")] | None = None
    date: Annotated[str, written("the date")] | None = None
    draft: Annotated[str, written("the draft")] | None = None  # as the model wrote it, until somebody has judged it
    changed: float | None = None  # the share of the draft that a person changed, from 0 to 1
    judged_by: tuple[Annotated[str, written("who judged it")], ...] = ()
    read_by: tuple[BlindAnswer, ...] = ()  # models whose answers the person who judged it saw

    def __post_init__(self) -> None:
        """Check that a draft names its model, and that the share changed is between 0 and 1."""
        super().__post_init__()
        if (self.by == "model") != (self.model is not None):
            message = f"it was made by a {self.by}, but names {'no' if self.by == 'model' else 'a'} model"
            raise InputError(message, remedy="Write both: {by: model, model: …}.", path=("model",))
        if self.changed is not None and not 0 <= self.changed <= 1:
            raise InputError(
                f"the share {self.changed} is not between 0 and 1", remedy="Write 0.1 for 10%.", path=("changed",)
            )

    def __str__(self) -> str:
        """In words.

        >>> print(Made("model", model="chat:tiny", fingerprint="f", changed=0.25, judged_by=("Ana",)))
        drafted by chat:tiny, 25% changed, judged by Ana
        """
        parts = [f"drafted by {self.model}" if self.model else f"made by a {self.by}"]
        parts += [self.date] if self.date else []
        parts += [f"{self.changed:.0%} changed"] if self.changed is not None else []
        parts += [f"read by {a.model}, which {'agrees' if a.agrees else 'disagrees'}" for a in self.read_by]
        parts += [f"judged by {', '.join(self.judged_by)}"] if self.judged_by else []
        return ", ".join(parts)

    @property
    def unjudged(self) -> bool:
        """Whether a model drafted it and nobody has judged the draft."""
        return self.by == "model" and not self.judged_by

    @property
    def overruled(self) -> tuple[str, ...]:
        """The models that answered otherwise, if somebody accepted the draft all the same."""
        return tuple(answer.model for answer in self.read_by if not answer.agrees) if self.judged_by else ()

    @property
    def models(self) -> tuple[tuple[str, str], ...]:
        """The names and fingerprints of all models that had a part in it."""
        drafter = ((self.model, self.fingerprint or ""),) if self.model else ()
        return (*drafter, *((answer.model, answer.fingerprint) for answer in self.read_by))


BY_RULE = Made("rule")


@dataclass(frozen=True, repr=False)
class Reading:
    """An item with one candidate in the pronoun's place, as solvers score it: before, insertion, after.

    >>> reading = Reading("lamp.0", 1, "It fell because ", "the vase", " shook.", "naive", "replace")
    >>> reading.text
    'It fell because the vase shook.'
    >>> reading
    <Reading lamp.0, candidate 1: 'It fell because {the vase} shook.', naive>
    """

    item_id: str
    candidate: int
    before: str
    inserted: str
    after: str
    style: Style
    rule: str
    derived: bool = True
    reason: str = ""  # why it was not derived
    rewritten: str = ""  # what else than the pronoun changed: "{l'}ha vista → ha visto {Anna}"

    @property
    def note(self) -> str:
        """Why it is not derived, or what changed besides the pronoun; empty if the pronoun was merely replaced."""
        return self.rewritten if self.derived else f"not derived: {self.reason}"

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self.before + self.inserted + self.after

    def __repr__(self) -> str:
        """The item, the candidate and the sentence with the insertion in braces."""
        summary = f"{self.before}{{{self.inserted}}}{self.after}"
        note = self.style if self.derived else f"not derived: {self.reason}"
        return f"<Reading {self.item_id}, candidate {self.candidate}: {summary!r}, {note}>"

    def _repr_html_(self) -> str:
        from winoglot.schemas.overview import readings_html

        return readings_html([self])


class Readings(list[Reading]):
    """The readings of one or more items: a list that notebooks show as a table."""

    def __repr__(self) -> str:
        """The number of readings, and the first few."""
        rest = [f"… {len(self)} in all"] if len(self) > _LISTED else []
        return "[" + ",\n ".join([*map(repr, self[:_LISTED]), *rest]) + "]"

    def _repr_html_(self) -> str:
        from winoglot.schemas.overview import readings_html

        return readings_html(self)


# Items and their variants


@dataclass(frozen=True, repr=False)
class Item(Record):
    """A text with a pronoun and candidates; or, if `text` is None, only its readings or its inference pairs.

    >>> Item("lamp.0", "lamp", text="The lamp hit the vase and it broke.", pronoun=Span(26, 28),
    ...      candidates=(Candidate("the lamp"), Candidate("the vase")), answer=1)
    <Item lamp.0: 'The lamp hit the vase and {it} broke.', the lamp | the vase, answer 1>
    """

    id: str  # schema id, a dot, and the alternative's number from 0
    schema_id: Annotated[str, named("a schema's id")]
    parallel_id: str = ""  # the same for the same item in all languages
    text: Annotated[str, written("the text")] | None = None
    pronoun: Span | None = None  # as written, contraction or clitic included; empty for a zero pronoun
    candidates: tuple[Candidate, ...] = ()
    answer: int | None = None  # index of the right candidate; None: unlabelled
    segment: tuple[Span, ...] = ()  # the linked places that differ between the schema's items
    phrase: Span | None = None  # the phrase a possessive pronoun belongs to, if grammar cannot decide
    question: Annotated[str, written("the question")] | None = None
    hypotheses: tuple[Annotated[str, written("the hypothesis")], ...] = ()  # one per candidate
    readings: tuple[WrittenReading | None, ...] = ()  # one per candidate
    inferences: tuple[Inference, ...] = ()  # of a source that has no marked text
    terms: Terms = NO_TERMS
    tags: tuple[Annotated[str, named("a tag")], ...] = ()
    confidence: float | None = None  # of its readers in their answers, from 0 to 1: their mean
    source: Source | None = None
    language: str = field(default="", compare=False, kw_only=True)  # set by the collection the item is part of
    kind: str = field(default=ORIGINAL, init=False)
    variant_of: str | None = field(default=None, init=False)
    effect: Effect | None = field(default=None, init=False)

    @property
    def candidate_count(self) -> int:
        """How many candidates there are to choose from, named or known only by their readings."""
        return len(self.candidates) or len(self.readings)

    @cached_property
    def pronoun_form(self) -> Literal["word", "blank", "zero"] | None:
        """Whether the pronoun is a word, a gap to fill, or not spoken at all (None without a text)."""
        if self.text is None:
            return None
        surface = self.parts[1]
        return "zero" if not surface else "blank" if surface in BLANKS else "word"

    @property
    def parts(self) -> tuple[str, str, str]:
        """The text before the pronoun, the pronoun, and the text after it; all empty without a text."""
        text, pronoun = self.text or "", self.pronoun or Span(0, 0)
        return text[: pronoun.start], pronoun.of(text), text[pronoun.end :]

    @cached_property
    def hash(self) -> str:
        """The content hash, which changes with text, pronoun, candidates and answer, and with nothing else."""
        return item_hash(self)

    def __hash__(self) -> int:
        """A hash of a few fields: one of all, down to every span, would take longer than some work cached by item."""
        return hash((self.id, self.text))

    def __repr__(self) -> str:
        """The sentence with its pronoun in braces, the candidates and the answer."""
        summary = "no text" if self.text is None else repr("{}{{{}}}{}".format(*self.parts))
        parts = [summary, " | ".join(candidate.text for candidate in self.candidates), f"answer {self.answer}"]
        return f"<{type(self).__name__} {self.id}: {', '.join(filter(None, parts))}>"

    def _repr_html_(self) -> str:
        from winoglot.schemas.overview import item_html

        return item_html(self)

    def __post_init__(self) -> None:
        """Refuse an item whose parts do not fit together."""
        super().__post_init__()
        self._check_size()
        object.__setattr__(self, "parallel_id", self.parallel_id or self.id)
        with error_path("parallel_id"):
            for part in re.split(r"~|\.(?=[0-9]+(?:~|$))", self.parallel_id):  # schema, number, kind
                check_name(part, "a parallel id")
        with error_path("tags"):
            _check_unique(self.tags, "the tag")
        if self.text is None:
            self._check_without_text()
        else:
            self._check_with_text(self.text)
        self._check_numbers()
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise InputError(
                f"the confidence {self.confidence} is not between 0 and 1",
                remedy="Write a share: 0.9 for 90%.",
                path=("confidence",),
            )

    def _check_size(self) -> None:
        """Refuse what is far larger than any item, before work on it takes hours."""
        fewer = "Keep those that matter."
        with error_path("candidates"):
            check_number(self.candidate_count, MAX_CANDIDATES, "candidates", fewer)
            mentions = sum(len(candidate.mentions) for candidate in self.candidates)
            check_number(mentions, MAX_MENTIONS, "mentions of the candidates", fewer)
        with error_path("segment"):
            check_number(len(self.segment), MAX_PLACES, "places", "Mark what differs between the items.")

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
            raise InputError("there are spans but no text", remedy="Give the text.")

    def _check_with_text(self, text: str) -> None:
        with error_path("text"):
            pronoun = self._checked_pronoun(text)
        if not self.candidates:
            raise InputError("there is no candidate", remedy="Name what the pronoun may refer to under 'candidates'.")
        for index, candidate in enumerate(self.candidates):
            with error_path("candidates", index):
                self._check_candidate(index, candidate, text)
        with error_path("segment"):
            self._check_segment(text, pronoun)
        if self.phrase is not None:
            with error_path("phrase"):
                self.phrase.check_words(text, "the phrase")
        for index, reading in enumerate(self.readings):
            if reading is not None and reading.inserted is None:
                raise InputError(
                    f"the reading {reading.text!r} does not show what is in the pronoun's place",
                    remedy="Mark it with {…}.",
                    path=("readings", index),
                )

    def _checked_pronoun(self, text: str) -> Span:
        if self.pronoun is None:
            raise InputError("the text has no pronoun", remedy="Mark it with {…}, or {} if it is not spoken.")
        self.pronoun.check_inside(text, "the pronoun")
        surface = self.pronoun.of(text)
        if surface and not surface.strip():
            raise InputError("the pronoun consists of spaces only", remedy="Write {} for one that is not spoken.")
        return self.pronoun

    def _check_candidate(self, index: int, candidate: Candidate, text: str) -> None:
        if candidate.text in [other.text for other in self.candidates[:index]]:
            raise InputError(f"the candidate {candidate.text!r} is given twice", remedy="Name another, or remove it.")
        for mention in candidate.mentions:
            mention.check_words(text, f"the mention of {candidate.text!r}")
            if mention == self.pronoun:
                raise InputError(
                    f"the pronoun {mention.of(text)!r} is given as a mention of {candidate.text!r}",
                    remedy="Which candidate the pronoun refers to is the answer; leave it out of the mentions.",
                )

    def _check_segment(self, text: str, pronoun: Span) -> None:
        for place in self.segment:
            place.check_inside(text, "the segment")
            if place.overlaps(pronoun) and not (place.within(pronoun) or pronoun.within(place)):
                raise InputError(
                    f"the segment {place.of(text)!r} cuts the pronoun {pronoun.of(text)!r} in two",
                    remedy="Let one contain the other, or keep them apart.",
                )
        for left, right in zip(self.segment, self.segment[1:], strict=False):
            if left.end > right.start:
                raise InputError("places of the segment overlap or are out of order", remedy="Join or reorder them.")

    def _check_numbers(self) -> None:
        """Refuse an item that has not one of each per candidate, or whose answer is none of them."""
        count = self.candidate_count
        for key, noun, values in (
            ("hypotheses", "hypothesis", self.hypotheses),
            ("readings", "reading", self.readings),
            ("terms", "term", self.terms.candidates),
        ):
            if values and len(values) != count:
                raise InputError(
                    f"{counted(len(values), noun)} for {counted(count, 'candidate')}",
                    remedy="Write one for each candidate.",
                    path=(key,),
                )
        if self.answer is not None and not 0 <= self.answer < count:
            allowed = ", ".join(map(str, range(count))) or "none: there is no candidate"
            raise InputError(
                f"the answer {self.answer} is not a candidate's index",
                remedy=f"Candidates are counted from 0 (here: {allowed}); null means unlabelled.",
                path=("answer",),
            )


@dataclass(frozen=True, repr=False)
class Variant(Item):
    """An item derived from another one, whose answer it keeps, flips or removes."""

    kind: Annotated[str, named("a kind of variant")] = field(kw_only=True)
    variant_of: str = field(kw_only=True)
    effect: Effect = field(kw_only=True)
    made: Made | None = field(default=None, kw_only=True)  # how; None: not recorded
    __hash__ = Item.__hash__

    def __post_init__(self) -> None:
        """A variant has a kind, and no answer if its effect removes it or is unknown."""
        super().__post_init__()
        if self.kind == ORIGINAL:
            raise InputError(f"a variant cannot be of kind {ORIGINAL!r}", remedy="Name the change that was made.")
        if self.effect in ("removes", "unknown") and self.answer is not None:
            state = "removes the answer" if self.effect == "removes" else "has an unknown effect on the answer"
            raise InputError(f"a variant that {state} cannot have one", remedy="Write null.", path=("answer",))


@dataclass(frozen=True)
class Impossible(Record):
    """A kind of variant that a schema cannot have, and why."""

    kind: Annotated[str, named("a kind of variant")]
    reason: Annotated[str, prose("the reason")]

    def __post_init__(self) -> None:
        """The reason must say more than "true" or "yes"."""
        super().__post_init__()
        if self.reason.lower() in ("true", "yes"):
            raise InputError("the reason is missing", remedy='Write why: {impossible: "…"}.')


# Schemas and collections


@dataclass(frozen=True, repr=False)
class Schema(Record):
    """One or more items that share a situation, the variants derived from them, and what their author says."""

    id: Annotated[str, named("a schema's id")]
    items: tuple[Item, ...]
    variants: tuple[Variant, ...] = ()
    impossible: tuple[Impossible, ...] = ()
    explanation: Annotated[str, prose("the explanation")] | None = None  # the everyday fact behind the answers
    note: Annotated[str, prose("the note")] | None = None
    source: Source | None = None
    parallel_id: str = ""  # the same for the same schema in all languages
    adaptation: Adaptation | None = None  # how near it is to those; None: not said
    made: Made | None = None  # how, and who judged it; None: not recorded

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that all its items have."""
        return tuple(tag for tag in self.items[0].tags if all(tag in item.tags for item in self.items))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its variants, in the order of their first appearance."""
        return tuple(dict.fromkeys(variant.kind for variant in self.variants))

    def made_as(self, kind: str) -> Made | None:
        """How its variants of a kind were made, or the schema itself; None if that is not recorded."""
        if kind == ORIGINAL:
            return self.made
        return next((variant.made for variant in self.variants if variant.kind == kind), None)

    def in_language(self, language: str) -> Schema:
        """This schema with items that know their language."""
        if all(item.language == language for item in (*self.items, *self.variants)):
            return self
        schema = copy(self)  # valid already, so nothing is checked again
        for name in ("items", "variants"):
            items = tuple(copy(item) for item in getattr(self, name))
            for item in items:
                object.__setattr__(item, "language", language)
            object.__setattr__(schema, name, items)
        return schema

    def __hash__(self) -> int:
        """A hash of a few fields, as with an item."""
        return hash((self.id, self.items[0].text, len(self.variants)))

    def __len__(self) -> int:
        """The number of its items, variants not counted."""
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        """Its items, without the variants."""
        return iter(self.items)

    def __getitem__(self, key: str | int) -> Item:
        """An item by its place, or an item or variant by its id; without the schema's name (`"0"`) that works too."""
        if isinstance(key, int):
            return _member_at(self.items, key, f"the schema {self.id}", "item")
        check_argument(key, str, "an id", f"Give one, such as {self.items[0].id!r}, or a place from 0.")
        members: tuple[Item, ...] = (*self.items, *self.variants)
        for item in members:
            if key in (item.id, item.id.removeprefix(f"{self.id}.")):
                return item
        message = f"the schema {self.id} has no item {key!r}"
        raise InputError(message, remedy=did_you_mean(key, (item.id for item in members)))

    def __repr__(self) -> str:
        """The id, how much there is, and the first sentence."""
        variants = f", {counted(len(self.variants), 'variant')}" if self.variants else ""
        return f"<Schema {self.id}: {counted(len(self.items), 'item')}{variants}; {self.items[0]!r}>"

    def _repr_html_(self) -> str:
        from winoglot.schemas.overview import schema_html

        return schema_html(self)

    def __post_init__(self) -> None:
        """Ids fit together, and every variant does to its original's answer what its effect says."""
        super().__post_init__()
        with located(schema=self.id):
            object.__setattr__(self, "parallel_id", self.parallel_id or self.id)
            check_name(self.parallel_id, "a parallel id")
            check_number(len(self.items), MAX_ITEMS, "items", "Write several schemas.")
            check_number(len(self.variants), MAX_VARIANTS, "variants", "Write several schemas.")
            self._check_items()
            originals = {item.id: item for item in self.items}
            order = {kind: position for position, kind in enumerate(self.kinds)}
            object.__setattr__(self, "variants", tuple(sorted(self.variants, key=lambda v: order[v.kind])))
            _check_unique([variant.id for variant in self.variants], "variant")
            for index, variant in enumerate(self.variants):
                with error_path("variants", index):
                    self._check_variant(variant, originals.get(variant.variant_of))
            self._check_kinds()

    def _check_items(self) -> None:
        if not self.items:
            raise InputError("the schema has no items", remedy="Give it a 'text', or 'items'.")
        if any(isinstance(item, Variant) for item in self.items):
            raise InputError("a variant is listed among the originals", remedy="Put it under 'variants'.")
        numbers: list[int] = []
        for item in self.items:
            name, _, number = item.id.rpartition(".")
            if item.schema_id != self.id or name != self.id or not _NUMBER.fullmatch(number):
                raise InputError(
                    f"the item {item.id!r} does not belong to the schema {self.id!r}",
                    remedy=f"Items of this schema are called {self.id}.0, {self.id}.1, ….",
                )
            numbers.append(int(number))
        _check_unique(numbers, "item")
        if numbers != sorted(numbers):
            raise InputError("the items are not in the order of their ids", remedy="Reorder or renumber them.")

    def _check_variant(self, variant: Variant, original: Item | None) -> None:
        if original is None or variant.schema_id != self.id:
            raise InputError(
                f"the variant {variant.id!r} is derived from {variant.variant_of!r}, which this schema does not have",
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
                remedy="Correct the answer or the effect (keeps, flips, removes, unknown).",
                path=("answer",),
            )

    def _check_kinds(self) -> None:
        for name, what in (("effect", "their effect"), ("made", "how they were made")):
            values = {(variant.kind, getattr(variant, name)) for variant in self.variants}
            if len(values) > len(self.kinds):
                raise InputError(f"variants of one kind differ in {what}", remedy="Give them different kinds.")
        _check_unique([impossible.kind for impossible in self.impossible], "impossible kind")
        contradictory = {impossible.kind for impossible in self.impossible}.intersection(self.kinds)
        if contradictory:
            raise InputError(f"{min(contradictory)!r} is both given and impossible", remedy="Remove one of the two.")


T = TypeVar("T")


def _member_at(members: Sequence[T], place: int, whole: str, noun: str) -> T:
    """The member at a place, which may count from the end."""
    if not -len(members) <= place < len(members):
        remedy = f"Places go from 0 to {len(members) - 1}; -1 is the last."
        raise InputError(f"{whole} has {counted(len(members), noun)}, none at place {place}", remedy=remedy)
    return members[place]


def repeated_id(first: int) -> InputError:
    """The error for a schema whose id another one has, which stands at the place `first`."""
    remedy = f"Rename one of the two; the other is schema number {first + 1} of the file."
    return InputError("another schema has the same id", remedy=remedy)


def _check_unique(values: Sequence[object], what: str) -> None:
    if len(set(values)) < len(values):
        twice = next(value for index, value in enumerate(values) if value in values[:index])
        raise InputError(f"{what} {twice!r} appears twice", remedy="Keep one of them, or rename one.")


@dataclass(frozen=True, repr=False)
class Collection(Record):
    """Schemas of one language, with what a user must know before using them."""

    name: Annotated[str, named("a collection's name")]
    language: str  # BCP 47: pt-BR, zh, ja
    schemas: tuple[Schema, ...]
    version: Annotated[str, named("a collection's version")] = "1.0"
    description: Annotated[str, prose("the description")] | None = None
    licence: Annotated[str, prose("the licence")] | None = None
    citation: Annotated[str, prose("the citation")] | None = None
    provenance: tuple[Annotated[str, prose("the provenance")], ...] = ()  # how it was made, step by step
    validated: Validation | None = None  # by whose blind answers; None: not said
    keep_names: tuple[Annotated[str, written("a name to keep")], ...] = ()  # when renaming, as famous ones are kept
    # Schemas of the collection it is a translation of that have none: why, by their ids.
    untranslatable: dict[Annotated[str, named("a schema's id")], Annotated[str, written("the reason")]] = field(
        default_factory=dict
    )
    file: str = field(default="", compare=False, repr=False, kw_only=True)  # as it was named when it was loaded

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

    @cached_property
    def _by_id(self) -> dict[str, Schema]:
        return {schema.id: schema for schema in self.schemas}

    def schema(self, schema_id: str) -> Schema:
        """The schema of that id; an unknown one is an input error that names the nearest."""
        check_argument(schema_id, str, "a schema's id", f"Give one, such as {self.schemas[0].id!r}.")
        if schema_id in self._by_id:
            return self._by_id[schema_id]
        message = f"{self.name} has no schema {schema_id!r}"
        raise InputError(message, remedy=did_you_mean(schema_id, self._by_id, most=_NAMED))

    def __hash__(self) -> int:
        """A hash of a few fields, as with an item."""
        return hash((self.name, self.version, len(self.schemas), *self.schemas[:1]))

    def __len__(self) -> int:
        """The number of its schemas."""
        return len(self.schemas)

    def __iter__(self) -> Iterator[Schema]:
        """Its schemas, in the order of the file."""
        return iter(self.schemas)

    def __contains__(self, key: object) -> bool:
        """Whether there is a schema, an item or a variant of that id; or the schema or item itself."""
        if isinstance(key, Schema | Item):
            return bool(self.get(key.id) == key)
        return isinstance(key, str) and self.get(key) is not None

    def get(self, key: str, default: Any = None) -> Any:
        """The schema, item or variant of that id, or the default if there is none."""
        try:
            return self[key]
        except InputError:
            return default

    @overload
    def __getitem__(self, key: slice) -> Collection: ...
    @overload
    def __getitem__(self, key: int) -> Schema: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...
    def __getitem__(self, key: str | int | slice) -> Any:
        """A schema, an item or a variant by its id; a schema by its place; a part of the collection by a slice.

        >>> import winoglot as wg
        >>> pt = wg.load("winoglot-pt")
        >>> pt["piano-sale"].id, pt["piano-sale.1"].id, pt[-1].id == pt.schemas[-1].id, pt[:20]
        ('piano-sale', 'piano-sale.1', True, <Collection winoglot-pt 3.0, pt-BR: 20 schemas, 40 items, 234 variants>)
        """
        if isinstance(key, slice):
            return replace(self, schemas=self.schemas[key])
        if isinstance(key, int):
            return _member_at(self.schemas, key, self.name, "schema")
        check_argument(key, str, "an id", f"Give one, such as {self.schemas[0].id!r}, or a place from 0.")
        if key in self._by_id:
            return self._by_id[key]
        schema = self._by_id.get(re.sub(r"\.[0-9]+(?:~.*)?$", "", key))
        return schema[key] if schema else self.schema(key)

    @cached_property
    def hash(self) -> str:
        """The content hash of all originals: notes and variants do not change it."""
        return hash_of_items(self.items)

    def kind_hash(self, kind: str) -> str:
        """The content hash of the stored variants of one kind."""
        return hash_of_items(self.variants(kind))

    def __repr__(self) -> str:
        """Name, version, language and how much there is."""
        counts = {"schema": len(self.schemas), "item": len(self.items), "variant": len(self.variants())}
        summary = ", ".join(counted(count, noun) for noun, count in counts.items() if count)
        return f"<Collection {self.name} {self.version}, {self.language}: {summary}>"

    def _repr_html_(self) -> str:
        from winoglot.schemas.overview import collection_html

        return collection_html(self)

    def to_frame(self, *, variants: bool = False) -> pandas.DataFrame:
        """The items as a pandas data frame, one row each, with their ids as index; with `variants`, those too."""
        from winoglot.schemas.overview import item_row

        items = (*self.items, *self.variants()) if variants else self.items
        return data_frame([item_row(item) for item in items], index="id")

    def __post_init__(self) -> None:
        """The name can be a file's name; ids and parallel ids are unique."""
        super().__post_init__()
        object.__setattr__(self, "language", language_tag(self.language))
        object.__setattr__(self, "schemas", tuple(schema.in_language(self.language) for schema in self.schemas))
        if not self.schemas:
            raise InputError(f"the collection {self.name!r} has no schemas", remedy="Add at least one.")
        self._check_ids()

    def _check_ids(self) -> None:
        seen: dict[str, int] = {}
        parallel: dict[str, str] = {}
        for index, schema in enumerate(self.schemas):
            with error_path("schemas", index), located(schema=schema.id):
                if schema.id in seen:
                    raise repeated_id(seen[schema.id])
                seen[schema.id] = index
                for item in schema.items:
                    other = parallel.setdefault(item.parallel_id, item.id)
                    if other != item.id:
                        raise InputError(
                            f"{item.id} has the parallel id {item.parallel_id!r}, and so has {other}",
                            remedy="A parallel id stands for one item in each language. A second adaptation has an "
                            "id of its own, and names what it was made from: source: {collection: NAME, id: ID}.",
                        )
