"""Results of a study: how often people are right, how far they agree, how long they take, and how stable they are.

The primary figure is how often one person is right before verification, over people and schemas. The majority comes
second: it is right more often than any one reader, and a model is one reader. "Cannot say" counts as not right.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.agreement import krippendorff_alpha
from winoglot.statistics.crossed import CrossedDesign, crossed_design, crossed_mean, crossed_share
from winoglot.statistics.intervals import Estimate, bootstrap_ratio, bootstrap_statistic
from winoglot.study.answers import Answer, background_groups, grouped, majority
from winoglot.study.questions.table import questions_of
from winoglot.study.settings import question_label, question_options
from winoglot.study.storage import TEST, TOO_AMBIGUOUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from winoglot.study.answers import StudyAnswers

_CELLS = 4_000_000  # times in samples that are sorted at once
_LONGEST = 600.0  # seconds: the upper bound of a median time, for exact limits


@dataclass(frozen=True)
class KindResults:
    """What people did with the originals, or with the variants of one kind."""

    kind: str
    items: int
    accuracy: Estimate  # of one person, before verification
    majority: Estimate  # of the items: more than half of the answers are right
    after: Estimate  # of one person, after verification
    full_agreement: Estimate  # of the items with two answers or more: all choose the same candidate
    alpha: Estimate
    alpha_after: Estimate
    seconds: Estimate  # median per answer
    mean_seconds: Estimate
    questions: dict[str, Estimate]  # what is asked besides the choice: the share of answers, or the mean, by name


@dataclass(frozen=True)
class Stability:
    """Whether a change of the text changes what people choose.

    `stability` compares the majority of one panel on the original with that of the other panel on the variant; `floor`
    does so for the originals themselves, asked of both panels: no change at all, so people cannot be more stable.
    """

    kind: str
    stability: Estimate
    floor: Estimate


@dataclass(frozen=True)
class ExpertVerdict:
    """What experts say about one item that the majority missed."""

    item_id: str
    right: int
    wrong: int
    too_ambiguous: int


@dataclass(frozen=True)
class GroupResults:
    """How often people who say the same about themselves are right about originals."""

    question: str  # `age`, or the words of the question
    answer: str
    people: int
    accuracy: Estimate  # of one person, before verification


@dataclass(frozen=True)
class DroppedItems:
    """Items that the researcher has marked to drop. All other results include them."""

    items: int
    accuracy: Estimate  # of one person on the originals without them, before verification


@dataclass(frozen=True)
class StudyResults:
    """What `study results` prints and the dashboard shows."""

    name: str
    collection: str
    people: int  # who consented
    finished: int
    excluded: dict[str, str]  # a person's number, and the rule
    answers: int
    wanted: int  # answers when the study is complete
    kinds: tuple[KindResults, ...]
    versions: dict[int, Estimate]  # accuracy on the originals, by alternative
    background: tuple[GroupResults, ...]  # groups of at least five people
    stability: tuple[Stability, ...]
    expert: tuple[ExpertVerdict, ...]
    design: CrossedDesign  # of the originals, to plan the next study with
    dropped: DroppedItems | None = None

    @property
    def originals(self) -> KindResults:
        """The results of the original items."""
        return self.kinds[0]

    def as_json(self) -> dict[str, Any]:
        """The results for other programs; answers to further questions stand beside the other figures of a kind."""
        kinds = [asdict(kind) for kind in self.kinds]
        return asdict(self) | {"kinds": [kind | kind.pop("questions") for kind in kinds]}


def study_results(study: StudyAnswers) -> StudyResults:
    """Compute everything from the answers so far."""
    originals = [answer for answer in study.answers if answer.kind == ORIGINAL]
    versions = sorted({answer.version for answer in originals})
    panels = study.settings.panels
    return StudyResults(
        name=study.name,
        collection=study.collection,
        people=len(study.people),
        finished=sum(person.finished is not None for person in study.people),
        excluded={person.number: person.excluded for person in study.people if person.excluded},
        answers=len(study.answers),
        wanted=study.settings.judgements * sum(panels if problem.panel is None else 1 for problem in study.problems),
        kinds=tuple(_kind_results(study, kind) for kind in study.kinds),
        versions={version: _accuracy([a for a in originals if a.version == version]) for version in versions},
        background=_background(study, originals),
        stability=_stability(study) if panels == 2 else (),
        expert=_expert(study),
        design=crossed_design(*_crossed(originals)) if originals else CrossedDesign(0.0, 0.0, 0.0),
        dropped=dropped_items(study),
    )


def dropped_items(study: StudyAnswers) -> DroppedItems | None:
    """What the primary figure would be without the items that are marked to drop; None if none is."""
    if not study.dropped:
        return None
    kept = [answer for answer in study.answers if answer.kind == ORIGINAL and answer.item_id not in study.dropped]
    return DroppedItems(len(study.dropped), _accuracy(kept))


def _kind_results(study: StudyAnswers, kind: str) -> KindResults:
    answers = [answer for answer in study.answers if answer.kind == kind]
    items = list(grouped(answers).values())
    answered_twice = [item for item in items if len(item) > 1]
    return KindResults(
        kind=kind,
        items=sum(problem.kind == kind for problem in study.problems),
        accuracy=_accuracy(answers),
        majority=_share(
            items, lambda item: majority([answer.choice for answer in item]) == item[0].key, "no answers yet"
        ),
        after=_accuracy(answers, after=True),
        full_agreement=_share(
            answered_twice,
            lambda item: item[0].choice is not None and len({answer.choice for answer in item}) == 1,
            "no item has two answers yet",
        ),
        alpha=_alpha(items, lambda answer: answer.choice),
        alpha_after=_alpha(items, lambda answer: answer.final),
        seconds=_median_seconds(answers),
        mean_seconds=_mean_seconds(answers),
        questions={
            name: estimate
            for question in questions_of(study.settings, TEST)
            for name, estimate in question.summarise(answers).items()
        },
    )


def _background(study: StudyAnswers, originals: list[Answer]) -> tuple[GroupResults, ...]:
    included_people = [person for person in study.people if not person.rule]
    groups = []
    for question in filter(question_options, study.settings.background):
        for option, group in background_groups(included_people, question).items():
            numbers = {person.number for person in group}
            accuracy = _accuracy([answer for answer in originals if answer.person in numbers])
            groups.append(GroupResults(question_label(question), option, len(group), accuracy))
    return tuple(groups)


def _crossed(answers: Iterable[Answer]) -> tuple[list[bool], list[str], list[str]]:
    rows = [(answer.right, answer.person, answer.schema_id) for answer in answers]
    right, people, schemas = zip(*rows, strict=True) if rows else ((), (), ())
    return list(right), list(people), list(schemas)


def _accuracy(answers: list[Answer], *, after: bool = False) -> Estimate:
    return _crossed_share(answers, lambda answer: answer.right_after if after else answer.right)


def _crossed_share(answers: list[Answer], has_property: Callable[[Answer], bool]) -> Estimate:
    _, people, schemas = _crossed(answers)
    return crossed_share([has_property(answer) for answer in answers], people, schemas, undefined="no answers yet")


def _share(items: list[list[Answer]], has_property: Callable[[list[Answer]], bool], undefined: str) -> Estimate:
    schemas = [item[0].schema_id for item in items]
    return bootstrap_ratio([has_property(item) for item in items], [1.0] * len(items), schemas, undefined=undefined)


def _alpha(items: list[list[Answer]], choice: Callable[[Answer], int | None]) -> Estimate:
    return krippendorff_alpha(
        [[choice(answer) for answer in item] for item in items], [item[0].schema_id for item in items]
    )


def _mean_seconds(answers: list[Answer]) -> Estimate:
    """The mean time per answer, for people and schemas like these."""
    timed = [answer for answer in answers if answer.seconds is not None]
    times = [answer.seconds for answer in timed if answer.seconds is not None]
    people, schemas = [answer.person for answer in timed], [answer.schema_id for answer in timed]
    bounds = (0.0, max([_LONGEST, *times]))
    return crossed_mean(times, people, schemas, bounds=bounds, undefined="no times")


def _median_seconds(answers: list[Answer]) -> Estimate:
    """The median time per answer; people are resampled, since one person's times are alike."""
    seconds_and_people = sorted((answer.seconds, answer.person) for answer in answers if answer.seconds is not None)
    if not seconds_and_people:
        return Estimate.undefined("no times")
    times = np.array([seconds for seconds, _ in seconds_and_people])
    numbers, person_indices = np.unique([person for _, person in seconds_and_people], return_inverse=True)

    def medians(samples: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The median of each sample: a person's times count as often as the person was drawn."""
        at_once = max(1, _CELLS // len(times))
        return np.concatenate(
            [medians_of(samples[start : start + at_once]) for start in range(0, len(samples), at_once)]
        )

    def medians_of(samples: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        places = samples + len(numbers) * np.arange(len(samples))[:, None]
        draws = np.bincount(places.ravel(), minlength=len(numbers) * len(samples)).reshape(len(samples), -1)
        cumulative = draws.astype(np.int32)[:, person_indices].cumsum(axis=1, dtype=np.int32)
        total = cumulative[:, -1]
        middle = [times[(cumulative <= place[:, None]).sum(axis=1)] for place in ((total - 1) // 2, total // 2)]
        return np.asarray((middle[0] + middle[1]) / 2)

    bounds = (0.0, max(_LONGEST, float(times[-1])))
    return bootstrap_statistic(len(numbers), medians, n=len(times), resamples=1000, bounds=bounds, unit="participant")


def _stability(study: StudyAnswers) -> tuple[Stability, ...]:
    majority_choices: dict[tuple[str, int], int | None] = {}
    for item_id, answers in study.by_item.items():
        for panel in (0, 1):
            choices = [answer.choice for answer in answers if answer.panel == panel]
            if choices:
                majority_choices[item_id, panel] = majority(choices)
    keys = {problem.item_id: problem for problem in study.problems}
    originals = [(problem.item_id, problem.schema_id) for problem in study.problems if problem.kind == ORIGINAL]
    floor = _share_unchanged(
        [
            (majority_choices[item, 0] is not None and majority_choices[item, 0] == majority_choices[item, 1], schema)
            for item, schema in originals
            if (item, 0) in majority_choices and (item, 1) in majority_choices
        ]
    )
    stabilities = []
    for kind in study.kinds[1:]:
        rows = []
        for problem in study.problems:
            if problem.kind != kind or problem.panel is None:
                continue
            original = keys.get(problem.item_id.partition("~")[0])
            places = ((original.item_id, 1 - problem.panel), (problem.item_id, problem.panel)) if original else ()
            if original is None or any(place not in majority_choices for place in places):
                continue
            original_choice, variant_choice = (majority_choices[place] for place in places)
            is_flipped = (
                original.answer != problem.answer
            )  # such as `switched`: the same reading is the other candidate
            is_same = (
                original_choice is not None
                and variant_choice is not None
                and (original_choice == variant_choice) != is_flipped
            )
            rows.append((is_same, problem.schema_id))
        stabilities.append(Stability(kind, _share_unchanged(rows), floor))
    return tuple(stabilities)


def _share_unchanged(rows: list[tuple[bool, str]]) -> Estimate:
    undefined = "no item has answers of both panels yet"
    return bootstrap_ratio(
        [is_same for is_same, _ in rows], [1.0] * len(rows), [schema for _, schema in rows], undefined=undefined
    )


def _expert(study: StudyAnswers) -> tuple[ExpertVerdict, ...]:
    by_item: dict[str, list[bool | None]] = {}
    for answer in study.expert:
        is_right = None if answer.verdict == TOO_AMBIGUOUS else answer.choice == answer.key
        by_item.setdefault(answer.item_id, []).append(is_right)
    return tuple(
        ExpertVerdict(item_id, verdicts.count(True), verdicts.count(False), verdicts.count(None))
        for item_id, verdicts in sorted(by_item.items())
    )
