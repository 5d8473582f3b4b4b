"""The candidate whose words occur more often with those of the segment in a corpus: `pmi:COUNTS`.

A candidate's score is the mean pointwise mutual information, in bits, of its words with those of the segment, from
counts that `winoglot corpus count` made. The words are the collection's `terms`; without them, the candidate's head and
the content words of the segment. The solver abstains if a word was not counted, if none of the candidates' words ever
occurs near the segment's, and if two candidates are tied or no further apart than the threshold.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from annotated_types import Ge, Le

from winoglot.corpus.association import Association, Measure, association_by_characters, open_association
from winoglot.corpus.terms import terms_of
from winoglot.errors import InputError
from winoglot.models.base import Question, Scores, read_options
from winoglot.models.baselines import CHOICE, RuleSolver
from winoglot.schemas.hashing import digest
from winoglot.settings import NonNegativeFloat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.models.base import Options, Solver
    from winoglot.schemas.model import Item

_VERSION = 1  # of the rule: another one gives other scores for the same counts


@dataclass(frozen=True)
class PmiOptions:
    """The options of the family `pmi`."""

    measure: Literal["pmi", "ppmi"] = "pmi"  # ppmi: values below 0 are 0
    smoothing: Annotated[float, Ge(0), Le(1)] = 1.0  # of the candidates' words: 0.75 is usual
    add: NonNegativeFloat = 0.0  # to the count of every pair, so that pairs that never occur are defined
    threshold: NonNegativeFloat = 0.0  # bits: abstain if the best candidate is not further ahead
    against: Literal["segment", "text"] = "segment"  # text: all content words outside the candidates and pronoun
    events: Literal["pairs", "windows"] = (
        "pairs"  # windows: of text, which contain a word or both (Bernard and Han 2020)
    )
    by: Literal["words", "characters"] = "words"  # characters: two occur together if words that contain them do
    names: Literal["abstain", "use"] = "abstain"  # if a candidate is a name and the collection gives no terms


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject a wrong location or option. Opening counts is quick: they are memory-mapped."""
    _open_counts(location, options)
    return (CHOICE,)


class PmiSolver(RuleSolver):
    """Scores each question by counts; by characters, those of a whole collection are counted at once."""

    def __init__(self, location: str, pmi_options: PmiOptions, association: Association) -> None:
        """The solver for opened counts, in words or in characters."""
        super().__init__(
            f"pmi:{location}",
            partial(associate, association=association, pmi_options=pmi_options),
            digest(["pmi", _VERSION, association.counts.hash]),
            settings=asdict(pmi_options),
            cacheable=False,  # the cache's keys do not include a collection's terms
        )
        self._of_association = partial(PmiSolver, location, pmi_options)
        self._pmi_options, self._association = pmi_options, association

    def for_collection(self, items: Iterable[Item], language: str) -> Solver:
        """The solver with the counts of the collection's characters, if these are asked for."""
        if self._pmi_options.by == "words":
            return self
        against, names = self._pmi_options.against, self._pmi_options.names == "use"
        terms = [terms_of(item, language, against=against, names=names) for item in items]
        association = association_by_characters(self._association, terms)
        if association is None:
            message = f"by=characters is for scripts without spaces, and {language} has none here"
            raise InputError(message, remedy="Leave out the option.")
        return self._of_association(association)


def load(location: str, options: Options) -> Solver:
    """The solver for the counts in a folder."""
    return PmiSolver(location, *_open_counts(location, options))


def _open_counts(location: str, options: Options) -> tuple[PmiOptions, Association]:
    if not location:
        raise InputError(
            "pmi needs a folder of counts", remedy="Write pmi:COUNTS, a folder that winoglot corpus count made."
        )
    (pmi_options,) = read_options(options.more, PmiOptions)
    windows, positive = pmi_options.events == "windows", pmi_options.measure == "ppmi"
    return pmi_options, open_association(location, Measure(positive, pmi_options.smoothing, pmi_options.add, windows))


def associate(question: Question, association: Association, pmi_options: PmiOptions) -> Scores:
    """The association of each candidate, or the reason why there is none."""
    judgement = association.judge(
        question.item, question.language, against=pmi_options.against, names=pmi_options.names == "use"
    )
    if judgement.choice(pmi_options.threshold) is None and judgement.choice() is not None:
        return Scores.undefined(question, f"not more than {pmi_options.threshold:g} apart")
    return Scores(tuple(judgement.values[reading.candidate] for reading in question.readings), note=judgement.note)
