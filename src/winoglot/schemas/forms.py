"""What an item may carry beside its text: written readings, inference pairs, terms, a source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from winoglot.errors import InputError
from winoglot.schemas.span import Span
from winoglot.schemas.typed import check_types
from winoglot.schemas.words import check_text, check_texts


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
