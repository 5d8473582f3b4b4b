"""Items to look at: what people said against them, and what the researcher decides: keep, repair or drop them.

A decision is a note for people who work on the collection. It changes no result: exclusion rules were fixed when the
study was created, and `results.py` says how many items are marked to drop.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.study.answers import DecidedItem
from winoglot.study.questions.base import MAX_TEXT
from winoglot.study.storage import DROP, KEEP, REPAIR, TEST, ItemDecision, storable_text

if TYPE_CHECKING:
    from winoglot.study.answers import StudyAnswers
    from winoglot.study.storage import Storage

ITEM_DECISIONS = (KEEP, REPAIR, DROP)


@dataclass(frozen=True)
class ItemReview:
    """An item, what people say about it, and what the researcher decided."""

    item_id: str
    schema_id: str
    kind: str
    version: int
    answers: int
    right: int
    right_after: int  # after the second look
    mean_seconds: float | None  # of an answer
    median_seconds: float | None
    ambiguous: int
    unnatural: int
    comments: tuple[str, ...]
    too_ambiguous: int  # experts who say so
    decision: str  # keep, repair, drop; empty: nothing yet
    note: str  # the researcher's

    @property
    def is_missed(self) -> bool:
        """Whether the majority did not give the collection's answer, after the second look."""
        return self.answers > 0 and 2 * self.right_after <= self.answers

    @property
    def is_issue(self) -> bool:
        """Whether people disagree with the key, flagged or commented on the item, or the researcher decided about it.

        Answers that were mistakes, as people said in the second look, speak for the item and not against it.
        """
        flags = self.ambiguous or self.unnatural or self.comments
        return bool(self.right_after < self.answers or flags or self.decision or self.note)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to do: the item stays as it is, or goes."""
        return self.decision in (KEEP, DROP)


def item_reviews(study: StudyAnswers) -> list[ItemReview]:
    """All items that the study asks."""
    experts = Counter(answer.item_id for answer in study.expert if answer.verdict is not None)
    reviews = []
    for problem in study.problems:
        answers = study.by_item.get(problem.item_id, [])
        times = [answer.seconds for answer in answers if answer.seconds is not None]
        decision_about_item = study.decisions.get(problem.item_id, DecidedItem())
        reviews.append(
            ItemReview(
                item_id=problem.item_id,
                schema_id=problem.schema_id,
                kind=problem.kind,
                version=problem.version,
                answers=len(answers),
                right=sum(answer.right for answer in answers),
                right_after=sum(answer.right_after for answer in answers),
                mean_seconds=fmean(times) if times else None,
                median_seconds=median(times) if times else None,
                ambiguous=sum(answer.ambiguous for answer in answers),
                unnatural=sum(answer.unnatural for answer in answers),
                comments=tuple(text for answer in answers for text in (answer.comment, answer.reason) if text),
                too_ambiguous=experts[problem.item_id],
                decision=decision_about_item.decision,
                note=decision_about_item.note,
            )
        )
    return reviews


def item_issues(study: StudyAnswers) -> list[ItemReview]:
    """Items to look at; those with the fewest right answers after the second look first."""
    issues = [review for review in item_reviews(study) if review.is_issue]
    return sorted(
        issues,
        key=lambda review: (
            not review.answers,
            review.right_after / max(1, review.answers),
            -review.ambiguous - review.unnatural,
        ),
    )


def decide_item(storage: Storage, item: str, decision: str, note: str | None = None) -> None:
    """Store what the researcher decides about an item. An empty decision takes it back; without a note, that stays."""
    problem = next(
        (problem for problem in storage.problems.values() if problem.item_id == item and problem.part == TEST), None
    )
    if problem is None:
        raise InputError("the study asks no item with this id", remedy="Ids are on the dashboard and in every export.")
    if decision not in ("", *ITEM_DECISIONS):
        raise InputError("this is no decision about an item", remedy=f"Use one of: {', '.join(ITEM_DECISIONS)}.")
    if note is not None and len(storable_text(note)) > MAX_TEXT:
        raise InputError(f"the note is longer than {MAX_TEXT} characters", remedy="Shorten it.")
    with storage.writing() as session:
        storage.study(session, lock=True)  # two decisions about the same item, one after the other
        row = session.get(ItemDecision, problem.id) or ItemDecision(problem_id=problem.id, note="")
        row.decision = decision
        if note is not None:
            row.note = storable_text(note)
        if row.decision or row.note:
            session.add(row)
        elif row in session:
            session.delete(row)
