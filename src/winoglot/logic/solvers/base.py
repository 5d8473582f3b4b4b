"""What a solver for pairs is: it gives each label of a pair a score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import MappingProxyType
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.logic.solvers.data import labels_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.logic.pair import Pair
    from winoglot.models.base import Scores


class LogicSolver(ABC):
    """A model that is asked about pairs; the rest has defaults."""

    name: str
    address: str
    fingerprint: str  # the same for the same weights
    scorings: tuple[str, ...]  # what it can be asked for, the default first
    labels: tuple[str, ...] | None = None  # those it was trained with; None if it takes any
    control: str = ""  # the control it was trained with: what is hidden from it then and now
    settings: Mapping[str, object] = MappingProxyType({})
    libraries: tuple[str, ...] = ()
    is_baseline: bool = False
    at_once: int = 2000  # pairs that are scored and stored together; an interruption loses at most these

    @abstractmethod
    def score(self, pairs: Sequence[Pair], labels: Sequence[str], scoring: str) -> list[Scores]:
        """The score of each label for each pair, in the order of `labels`."""

    def settings_for(self, language: str) -> Mapping[str, object]:
        """The settings that matter in one language."""
        del language
        return self.settings

    @property
    def spent(self) -> Mapping[str, float]:
        """What it has used so far: requests, tokens, cost."""
        return {}

    def check_pairs(self, pairs: Sequence[Pair], file: str) -> None:
        """An input error if it cannot be asked about these pairs, here because it was trained with other labels."""
        labels = labels_of(pairs)
        if self.labels is not None and set(self.labels) != set(labels):
            message = f"{self.name} knows the labels {', '.join(self.labels)}; these pairs have {', '.join(labels)}"
            kinds = {2: "cd", 3: "nli"}
            remedy = f"Generate pairs with --labels {kinds.get(len(self.labels), 'cd')}, or train a model on these."
            raise InputError(message, remedy=remedy, file=file)
