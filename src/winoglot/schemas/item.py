"""An item: one sentence of a schema, with one alternative chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from winoglot.errors import InputError, inside
from winoglot.schemas.candidate import Candidate
from winoglot.schemas.forms import Inference, Source, Terms, WrittenReading
from winoglot.schemas.hashing import item_hash
from winoglot.schemas.span import Span
from winoglot.schemas.typed import check_types
from winoglot.schemas.words import check_name, check_text, check_texts, counted

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
