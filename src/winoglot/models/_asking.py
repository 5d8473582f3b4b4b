"""Questions put to a model that answers in words: both orders of the options, samples, votes, abstentions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError, nearest
from winoglot.models._answers import Answer, Reply, answer_in
from winoglot.models._examples import marks_of
from winoglot.models._prompts import Prompts, hash_of_all, packaged, prompts_for, read_prompts
from winoglot.models.base import Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from winoglot.models.base import Question

SCORING = "answer"  # by the default prompt; `answer-NAME` by the prompt of that name
ORDERS_DISAGREE = "position bias"
SAMPLES_DISAGREE = "samples disagree"
UNFIT = "the prompt does not fit the item"
Marks = frozenset[tuple[str, ...]]  # by what schemas under evaluation are known again
NOTHING: Marks = frozenset()


@dataclass(frozen=True)
class Asking:
    """How questions are put; each field is an option of the chat and remote families."""

    shots: int = 0  # solved examples before the question
    temperature: float = field(default=0.0, metadata={"most": 2})
    top_p: float = field(default=1.0, metadata={"most": 1})
    samples: int = field(default=1, metadata={"least": 1})  # replies to each order of each question
    thinking: int = 0  # tokens a model may spend on thoughts before it answers
    answer_tokens: int = field(default=32, metadata={"least": 2})  # a label and its end; models say a little more
    prompt_language: str = ""  # ask in this language instead of the items' own
    prompts: str = ""  # a file of one's own instead of the packaged prompts

    def __post_init__(self) -> None:
        """Several samples at temperature 0 are one sample paid for several times."""
        if self.samples > 1 and self.temperature == 0:
            raise InputError("all samples are alike at temperature 0", remedy="Give --option temperature=0.7 too.")
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
        return (SCORING, *(f"{SCORING}-{name}" for name in names[1:]))

    def check_shots(self) -> None:
        """Refuse more examples than any language has; which of them may be shown, only a collection tells."""
        known = [self.prompts_in("")] if self.prompts or self.prompt_language else packaged()
        max(known, key=lambda one: len(one.examples)).shown(self.shots)

    def fitting(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """Those of the scorings whose prompt fits one of the questions at least: wordings matter, so all are tried."""
        default, *others = self.scorings()
        return (default, *(name for name in others if any(_Plan(one, name, self).orders for one in questions)))

    def settings(self, language: str | None, seed: int, evaluated: Marks = NOTHING) -> dict[str, object]:
        """What of all this can change an answer, as it goes into a signature: the prompts, and what is not usual.

        Without a language, the prompts are those of all languages. Among what is evaluated, examples may be missing:
        then those that are shown are named, and too few are an input error.
        """
        unusual = {
            one.name.replace("_", "-"): getattr(self, one.name)
            for one in fields(self)
            if one.name != "prompts" and getattr(self, one.name) != one.default
        }
        sampled = {"sampling-seed": seed} if self.temperature else {}
        own = language if language is not None or not (self.prompts or self.prompt_language) else ""
        mark = hash_of_all() if own is None else self.prompts_in(own).hash
        return {"prompts": f"sha:{mark[:8]}", **unusual, **sampled, **self._examples(own, evaluated)}

    def _examples(self, language: str | None, evaluated: Marks) -> dict[str, object]:
        if not self.shots or language is None:
            return {}
        prompts = self.prompts_in(language)
        shown = prompts.shown(self.shots, evaluated)
        if shown == prompts.examples[: self.shots]:
            return {}
        return {"examples": ", ".join(example.item.schema_id for example in shown)}


@dataclass(frozen=True)
class Request:
    """A conversation that waits for a reply, and the seed of that reply where it is sampled."""

    messages: list[dict[str, str]]
    seed: int


def ask(
    questions: Sequence[Question],
    scorings: Sequence[str],
    asking: Asking,
    seed: int,
    talk: Callable[[list[Request]], list[Reply]],
    evaluated: Marks = NOTHING,
) -> list[dict[str, Scores]]:
    """The scores of each question and scoring; `talk` gets all requests at once and replies in their order.

    No example is of a schema that is evaluated: without word of others, those of the questions.
    """
    evaluated = evaluated or marks_of(question.item for question in questions)
    plans = [{name: _Plan(question, name, asking) for name in scorings} for question in questions]
    requests = [request for plan in plans for one in plan.values() for request in one.requests(seed, evaluated)]
    replies = iter(talk(requests))
    return [{name: one.scores(replies) for name, one in plan.items()} for plan in plans]


class _Plan:
    """One question, asked with one prompt."""

    def __init__(self, question: Question, scoring: str, asking: Asking) -> None:
        self.question, self.asking = question, asking
        self.prompts = asking.prompts_in(question.language)
        name = scoring.removeprefix(SCORING).removeprefix("-") or None
        if name is not None and name not in self.prompts.templates:
            known = [f"{SCORING}-{known}" for known in self.prompts.templates]
            raise InputError(f"there is no prompt {scoring!r}", remedy=nearest(scoring, known))
        count = question.item.candidate_count
        self.template = self.prompts.template(name, question)
        fits = 2 <= count <= len(self.prompts.labels) and self.template is not None
        self.orders = (tuple(range(count)), tuple(reversed(range(count)))) if fits else ()

    def requests(self, seed: int, evaluated: Marks) -> list[Request]:
        """One for each order and sample."""
        examples = self.prompts.shown(self.asking.shots, evaluated)
        return [
            Request(self.prompts.messages(self.template or "", self.question, order, examples), seed + sample)
            for order in self.orders
            for sample in range(self.asking.samples)
        ]

    def scores(self, replies: Iterator[Reply]) -> Scores:
        """The share of the votes that each candidate got, where both orders agree."""
        count = self.question.item.candidate_count
        if self.template is None or not self.orders:
            return Scores((None,) * count, note=UNFIT)
        options = self.prompts.options(self.template, self.question)
        votes: Counter[int] = Counter()
        chosen, notes = [], []
        for order in self.orders:
            shown = [options[index] for index in order]
            answers = [self._answer(next(replies), shown) for _ in range(self.asking.samples)]
            here = Counter(order[answer.place] for answer in answers if answer.place is not None)
            chosen.append(_most(here))
            notes += [answer.note for answer in answers if answer.note] if not here else []
            votes += here
        note = _disagreement(self.orders, chosen) if not notes else Counter(notes).most_common(1)[0][0]
        if note:
            return Scores((None,) * count, note=note)
        return Scores(tuple(votes[index] / votes.total() for index in range(count)))

    def _answer(self, reply: Reply, shown: Sequence[str]) -> Answer:
        prompts = self.prompts
        return answer_in(reply, prompts.labels[: len(shown)], shown, prompts.leads, prompts.refusals)


def _most(votes: Mapping[int, int]) -> int | None:
    """The candidate with the most votes, where there is one."""
    ranked = Counter(votes).most_common(2)
    return None if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]) else ranked[0][0]


def _disagreement(orders: Sequence[Sequence[int]], chosen: Sequence[int | None]) -> str:
    """Why no candidate was chosen; nothing where the orders agree on one."""
    if None in chosen:
        return SAMPLES_DISAGREE
    if len(set(chosen)) == 1:
        return ""
    places = {order.index(choice) for order, choice in zip(orders, chosen, strict=True) if choice is not None}
    where = {0: "first", len(orders[0]) - 1: "last"}.get(min(places), "middle") if len(places) == 1 else "changing"
    return f"{ORDERS_DISAGREE}: {where}"
