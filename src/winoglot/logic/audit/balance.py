"""Does every label occur equally often?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winoglot.logic.audit.pair_file import PairFile

_CLASSES = {"cd": ("0", "1"), "nli": ("contradiction", "entailment", "neutral")}


@dataclass(frozen=True)
class Balance:
    """How often each label occurs; `balanced` if no two counts differ by more than one."""

    pairs: int
    labels: dict[str, int]
    balanced: bool


def balance(file: PairFile) -> Balance:
    """Count the labels, including those that never occur."""
    counts = Counter(file.classes)
    labels = {label: counts[label] for label in _CLASSES[file.labels]}
    return Balance(len(file.pairs), labels, max(labels.values()) - min(labels.values()) <= 1)
