"""A candidate: what the pronoun may refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from winoglot.schemas.span import Span
from winoglot.schemas.typed import check_types
from winoglot.schemas.words import check_text


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
