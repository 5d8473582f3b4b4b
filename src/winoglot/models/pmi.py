"""The candidate that goes better with the segment in a large text: `pmi:COUNTS`.

A candidate's score is the mean pointwise mutual information, in bits, of its words with those of the segment, by
counts that `winoglot corpus count` made. Words are the collection's `terms`; else the candidate's head and the content
words of the segment. Where a word was not counted, where none of the candidates' words ever stands near the segment's,
and where two candidates are tied or not farther apart than the threshold, the solver abstains.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from winoglot.corpus.association import Association, Measure, open_association
from winoglot.corpus.terms import AGAINST
from winoglot.errors import InputError, nearest
from winoglot.models.base import Question, Scores, read_options
from winoglot.models.baselines import CHOICE, RuleSolver
from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from winoglot.models.base import Options, Solver

_VERSION = 1  # of the rule: another one gives other scores for the same counts
_MEASURES = ("pmi", "ppmi")
_NAMES = ("abstain", "use")


@dataclass(frozen=True)
class PmiOptions:
    """What may be chosen about the solver."""

    measure: str = "pmi"  # or ppmi: what is below 0 is 0
    smoothing: float = field(default=1.0, metadata={"most": 1})  # of the candidates' words: 0.75 is usual
    add: float = 0.0  # to the count of every pair, so that pairs that never occur are defined
    threshold: float = 0.0  # bits: an abstention where the best candidate is not farther ahead
    against: str = "segment"  # or text: all content words outside of candidates and pronoun
    names: str = "abstain"  # where a candidate is a name and the collection gives no terms; or use

    def __post_init__(self) -> None:
        """Refuse words that nobody knows."""
        for name, value, known in (
            ("measure", self.measure, _MEASURES),
            ("against", self.against, AGAINST),
            ("names", self.names, _NAMES),
        ):
            if value not in known:
                raise InputError(f"{name} is {value!r}", remedy=nearest(value, known))


@dataclass
class PmiSolver(RuleSolver):
    """Scores by the rule below; never from the cache, whose keys do not tell a collection's terms."""

    cacheable: bool = False


def check(location: str, options: Options) -> tuple[str, ...]:
    """Before anything is scored: counts are but mapped, so they are opened."""
    _opened(location, options)
    return (CHOICE,)


def load(location: str, options: Options) -> Solver:
    """The solver by the counts in a folder."""
    chosen, association = _opened(location, options)
    return PmiSolver(
        f"pmi:{location}",
        partial(associate, association=association, chosen=chosen),
        digest(["pmi", _VERSION, association.counts.hash]),
        settings=asdict(chosen),
    )


def _opened(location: str, options: Options) -> tuple[PmiOptions, Association]:
    if not location:
        raise InputError("pmi names no counts", remedy="Write pmi:COUNTS, a folder that winoglot corpus count made.")
    (chosen,) = read_options(options.more, PmiOptions)
    return chosen, open_association(location, Measure(chosen.measure == "ppmi", chosen.smoothing, chosen.add))


def associate(question: Question, association: Association, chosen: PmiOptions) -> Scores:
    """The association of each candidate, or the reason why there is none."""
    judged = association.judge(question.item, question.language, against=chosen.against, names=chosen.names == "use")
    if judged.choice(chosen.threshold) is None and judged.choice() is not None:
        return Scores.undefined(question, f"not more than {chosen.threshold:g} apart")
    return Scores(tuple(judged.values[reading.candidate] for reading in question.readings), note=judged.note)
