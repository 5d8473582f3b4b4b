"""Asking a model in words: both orders of the options, samples, votes, abstentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

from annotated_types import Ge, Le

from winoglot.errors import InputError, did_you_mean
from winoglot.models.base import ANSWER, UNFIT, Question, Scores, Solver
from winoglot.models.servers.answers import Reply, answer_in
from winoglot.models.servers.prompts import Prompts, hash_of_all, packaged, prompts_for, read_prompts
from winoglot.models.shots import Marks, marks_of
from winoglot.settings import NonNegativeInt, PositiveInt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from winoglot.schemas.model import Item

ORDERS_DISAGREE = "position bias"
SAMPLES_DISAGREE = "samples disagree"
NOTHING: Marks = frozenset()
Keep = Callable[[int, Reply], None]  # is given the number of a request and its reply
_KEPT, _MOST_KEPT = 2000, 1  # characters of a prompt or reply that a run keeps, and of how many samples per order


@dataclass(frozen=True)
class Asking:
    """How questions are asked; each field is an option of the chat and remote families."""

    shots: NonNegativeInt = 0  # solved examples before the question
    temperature: Annotated[float, Ge(0), Le(2)] = 0.0
    top_p: Annotated[float, Ge(0), Le(1)] = 1.0
    samples: PositiveInt = 1  # replies to each order of each question
    thinking: NonNegativeInt = 0  # tokens that a model may spend on thoughts before it answers
    answer_tokens: Annotated[int, Ge(2)] = 32  # a label and its end; models say a little more
    prompt_language: str = ""  # ask in this language instead of the items' own
    prompts: str = ""  # a file of your own instead of the packaged prompts

    def __post_init__(self) -> None:
        """Reject several samples at temperature 0: they would all be the same."""
        if self.samples > 1 and self.temperature == 0:
            raise InputError("all samples are the same at temperature 0", remedy="Add --option temperature=0.7.")
        if self.prompts and self.prompt_language:
            raise InputError("a file of prompts has its own language", remedy="Leave prompt-language out.")

    def prompts_in(self, language: str) -> Prompts:
        """The prompts for items of that language."""
        if self.prompts:
            return read_prompts(Path(self.prompts))
        return prompts_for(self.prompt_language or language)

    def scorings(self) -> tuple[str, ...]:
        """The default, then one for each prompt but the default one."""
        names = list(self.prompts_in("en").templates)
        return (ANSWER, *(f"{ANSWER}-{name}" for name in names[1:]))

    def check_shots(self) -> None:
        """Reject more examples than any language has; which of them may be shown depends on the collection."""
        candidates = [self.prompts_in("")] if self.prompts or self.prompt_language else packaged()
        max(candidates, key=lambda prompts: len(prompts.examples)).shown(self.shots)

    def fitting(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """The scorings whose prompt fits at least one of the questions: wordings matter, so all are tried."""
        default, *others = self.scorings()
        return (default, *(name for name in others if any(_Plan(scoring, name, self).orders for scoring in questions)))

    def settings(self, language: str | None, seed: int, evaluated: Marks = NOTHING) -> dict[str, object]:
        """What can change an answer, as it goes into a signature: the prompts, and all that is not the default.

        Without a language, the prompts are those of all languages. Some examples may come from evaluated schemas: then
        those shown instead are named, and too few are an InputError.
        """
        changed_options = {
            option.name.replace("_", "-"): getattr(self, option.name)
            for option in fields(self)
            if option.name != "prompts" and getattr(self, option.name) != option.default
        }
        sampling = {"sampling-seed": seed} if self.temperature else {}
        prompts_language = language if language is not None or not (self.prompts or self.prompt_language) else ""
        prompts_hash = hash_of_all() if prompts_language is None else self.prompts_in(prompts_language).hash
        return {
            "prompts": f"sha:{prompts_hash[:8]}",
            **changed_options,
            **sampling,
            **self._examples(prompts_language, evaluated),
        }

    def _examples(self, language: str | None, evaluated: Marks) -> dict[str, object]:
        if not self.shots or language is None:
            return {}
        prompts = self.prompts_in(language)
        examples = prompts.shown(self.shots, evaluated)
        if examples == prompts.examples[: self.shots]:
            return {}
        return {"examples": ", ".join(example.item.schema_id for example in examples)}


@dataclass(frozen=True)
class ChatRequest:
    """A conversation that waits for a reply, and the seed for sampling it."""

    messages: list[dict[str, str]]
    seed: int

    @property
    def text(self) -> str:
        """Its messages, one after the other."""
        return "\n".join(f"{message['role']}: {message['content']}" for message in self.messages)


class AskingSolver(Solver):
    """A solver that asks in words; the examples it shows are never of the collection it is asked about."""

    def __init__(self, asking: Asking, seed: int, common: Mapping[str, object]) -> None:
        """`common` are the settings that apply to every scoring and language."""
        self.scorings = asking.scorings()
        self.settings = dict(common) | asking.settings(None, seed)
        self._asking, self._seed, self._own = asking, seed, dict(common)
        self._evaluated = NOTHING

    def default_scorings(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """The scorings of every prompt that fits."""
        return self._asking.fitting(questions)

    def settings_for(self, scoring: str, language: str) -> dict[str, object]:
        """The settings that matter in one language; they are the same for all scorings, the prompts of one file."""
        del scoring
        return self._own | self._asking.settings(language, self._seed, self._evaluated)

    def for_collection(self, items: Iterable[Item], language: str) -> Self:
        """A copy that shows no example of a schema among these items."""
        if not self._asking.shots:
            return self
        solver = copy(self)
        solver._evaluated = marks_of(items)
        solver.settings = solver.settings_for(ANSWER, language)
        return solver

    def with_prompts(self, file: Path) -> Self:
        """A copy that asks with the prompts of a file, unless it was given some."""
        if self._asking.prompts:
            return self
        solver, old_scorings = copy(self), self._asking.scorings()
        solver._asking = replace(self._asking, prompts=str(file), prompt_language="")
        solver.scorings = (*(name for name in self.scorings if name not in old_scorings), *solver._asking.scorings())
        solver.settings = self._own | solver._asking.settings(None, self._seed)
        return solver

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Ask every question in both orders of its options, with all requests at once.

        No example is of a schema of the collection or, if that is not known, of the questions.
        """
        plans = [{name: _Plan(question, name, self._asking) for name in scorings} for question in questions]
        requests = self._requests(questions, plans)
        replies = iter(list(zip(requests, self.replies(requests), strict=True)))
        return [{name: question_plan.scores(replies) for name, question_plan in plan.items()} for plan in plans]

    def _requests(self, questions: Sequence[Question], plans: Iterable[Mapping[str, _Plan]]) -> list[ChatRequest]:
        evaluated = self._evaluated or marks_of(question.item for question in questions)
        every = (question_plan for plan in plans for question_plan in plan.values())
        return [request for question_plan in every for request in question_plan.requests(self._seed, evaluated)]

    def prompts(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[str]:
        """The conversations that wait for a reply, one message after the other."""
        plans = [{name: _Plan(question, name, self._asking) for name in scorings} for question in questions]
        requests = self._requests(questions, plans)
        return [request.text for request in requests]

    def replies(self, requests: list[ChatRequest], keep: Keep | None = None) -> list[Reply]:
        """The replies, in the order of the requests; `keep` gets each as soon as it is there."""
        raise NotImplementedError


class _Plan:
    """One question, asked with one prompt."""

    def __init__(self, question: Question, scoring: str, asking: Asking) -> None:
        self.question, self.asking = question, asking
        self.prompts = asking.prompts_in(question.language)
        name = scoring.removeprefix(ANSWER).removeprefix("-") or None
        if name is not None and name not in self.prompts.templates:
            scorings = [f"{ANSWER}-{prompt}" for prompt in self.prompts.templates]
            raise InputError(f"there is no prompt {scoring!r}", remedy=did_you_mean(scoring, scorings))
        count = question.item.candidate_count
        self.template = self.prompts.template(name, question)
        is_fitting = 2 <= count <= len(self.prompts.labels) and self.template is not None
        self.orders = (tuple(range(count)), tuple(reversed(range(count)))) if is_fitting else ()

    def requests(self, seed: int, evaluated: Marks) -> list[ChatRequest]:
        """One request for each order and sample."""
        examples = self.prompts.shown(self.asking.shots, evaluated)
        return [
            ChatRequest(self.prompts.messages(self.template or "", self.question, order, examples), seed + sample)
            for order in self.orders
            for sample in range(self.asking.samples)
        ]

    def scores(self, replies: Iterator[tuple[ChatRequest, Reply]]) -> Scores:
        """The share of the votes that each candidate got, if both orders agree."""
        count = self.question.item.candidate_count
        if self.template is None or not self.orders:
            return Scores((None,) * count, note=UNFIT)
        prompts = self.prompts
        options = prompts.options(self.template, self.question)
        votes: Counter[int] = Counter()
        choices, notes, kept = [], [], []
        for order in self.orders:
            ordered_options = [options[index] for index in order]
            of_order = [next(replies) for _ in range(self.asking.samples)]
            kept += [(request.text[:_KEPT], reply.text[:_KEPT]) for request, reply in of_order[:_MOST_KEPT]]
            answers = [
                answer_in(reply, prompts.labels[:count], ordered_options, prompts.leads, prompts.refusals)
                for _, reply in of_order
            ]
            order_votes = Counter(order[answer.place] for answer in answers if answer.place is not None)
            choices.append(_most(order_votes))
            notes += [answer.note for answer in answers if answer.note] if not order_votes else []
            votes += order_votes
        note = _disagreement(self.orders, choices) if not notes else Counter(notes).most_common(1)[0][0]
        if note:
            return Scores((None,) * count, note=note, replies=tuple(kept))
        return Scores(tuple(votes[index] / votes.total() for index in range(count)), replies=tuple(kept))


def _most(votes: Mapping[int, int]) -> int | None:
    """The candidate with the most votes; None if there is a tie or no vote."""
    most_common = Counter(votes).most_common(2)
    return (
        None
        if not most_common or (len(most_common) > 1 and most_common[0][1] == most_common[1][1])
        else most_common[0][0]
    )


def _disagreement(orders: Sequence[Sequence[int]], choices: Sequence[int | None]) -> str:
    """Why no candidate was chosen; empty if the orders agree on one."""
    if None in choices:
        return SAMPLES_DISAGREE
    if len(set(choices)) == 1:
        return ""
    places = {order.index(choice) for order, choice in zip(orders, choices, strict=True) if choice is not None}
    where = {0: "first", len(orders[0]) - 1: "last"}.get(min(places), "middle") if len(places) == 1 else "changing"
    return f"{ORDERS_DISAGREE}: {where}"
