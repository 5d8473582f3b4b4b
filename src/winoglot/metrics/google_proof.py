"""Whether a collection resists association: how many items co-occurrence counts decide, and how many correctly.

Published collections are tested in this way: of 308 Mandarin items 153 are decided, 93 of them correctly.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from winoglot.examples import Answers
from winoglot.languages.readings import naive_readings
from winoglot.metrics.accuracy import quality
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from winoglot.corpus.association import Association
    from winoglot.schemas.model import Collection


@dataclass(frozen=True)
class GoogleProof:
    """What association achieves on a collection; `share` is the share of correct answers among the decided items."""

    counts: str  # the hash of the counts
    items: int
    right: tuple[str, ...]  # ids of the items that association answers correctly
    wrong: tuple[str, ...]
    unlabelled: tuple[str, ...]  # decided, but without a known answer
    abstained: dict[str, int]  # by reason
    share: Estimate

    @property
    def decided(self) -> int:
        """How many items association decides."""
        return len(self.right) + len(self.wrong) + len(self.unlabelled)

    def described(self) -> dict[str, object]:
        """The result as JSON."""
        return {"decided": self.decided, **asdict(self)}


def google_proof(collection: Collection, association: Association) -> GoogleProof:
    """Let association answer every item of a collection."""
    judgements = [association.judge(item, collection.language) for item in collection.items]
    choices = {judgement.item.id: judgement.choice() for judgement in judgements}
    decided = [judgement.item for judgement in judgements if choices[judgement.item.id] is not None]
    answered = [item for item in decided if item.answer is not None]
    reasons = Counter(_reason(judgement.note) for judgement in judgements if choices[judgement.item.id] is None)
    return GoogleProof(
        counts=association.counts.hash,
        items=len(judgements),
        right=tuple(item.id for item in answered if choices[item.id] == item.answer),
        wrong=tuple(item.id for item in answered if choices[item.id] != item.answer),
        unlabelled=tuple(item.id for item in decided if item.answer is None),
        abstained=dict(sorted(reasons.items())),
        share=quality.of(Answers(collection, choices)),
    )


def association_labels(collection: Collection, proof: GoogleProof) -> str:
    """A label file: whether association answers each labelled item correctly (`winoglot import --labels`)."""
    labels = [
        {
            "index": item.source.id if item.source and item.source.id else item.id,
            "sentence": "{}[{}]{}".format(*item.parts) if item.text else naive_readings(item)[0].text,
            "is_associative": int(item.id in proof.right),
        }
        for item in collection.items
        if item.answer is not None
    ]
    return json.dumps(labels, ensure_ascii=False, indent=1) + "\n"


def _reason(note: str) -> str:
    """The note without the words it names; without a note it was a tie."""
    return note.partition(":")[0] or "tied"
