"""Simulated participants: they go through a study step by step, with a known skill, patience and attention."""

from dataclasses import dataclass
from math import exp
from random import Random

from winoglot.study.participation import answer, consent, enter, join
from winoglot.study.steps import Consent, Response, Screen, step
from winoglot.study.storage import TEST, VERIFICATION, Storage


@dataclass
class SimulatedPerson:
    """How somebody answers: `skill` adds to every problem's ease; both are logits of a right answer."""

    skill: float
    rng: Random
    careless: bool = False  # answers at random, at once, attention checks included
    stays: float = 1.0  # probability of going on after each test problem
    seconds: float = 8.0

    def take_part(self, storage: Storage, ease: dict[int, float], token: str | None = None) -> None:
        """From the first page to the last, or until patience ends. `ease` is by problem."""
        person = enter(storage, token or join(storage) or "")
        assert person is not None
        while True:
            shown = step(storage, person)
            if isinstance(shown, Consent):
                consent(storage, person, {"native-language": "en"})
            elif isinstance(shown, Screen):
                if shown.part == TEST and self.rng.random() > self.stays:
                    return
                given = {one.task: self._given(storage, shown.part, one, ease) for one in shown.problems}
                answer(storage, person, given)
            else:
                return

    def _given(self, storage: Storage, part, asked, ease) -> Response:
        submission = f"{self.rng.getrandbits(64):x}"
        if part == VERIFICATION:
            return Response(submission, {"verdict": "keep"})
        problem = next(one for one in storage.problems.values() if _is_shown(one, asked))
        if self.careless:
            return Response(submission, {"choice": self.rng.choice(asked.candidates)[0]}, seconds=0.5)
        right = problem.id not in ease or self.rng.random() < 1 / (1 + exp(-self.skill - ease[problem.id]))
        seconds = self.seconds * self.rng.lognormvariate(0, 0.4)
        return Response(submission, {"choice": problem.answer if right else 1 - problem.answer}, seconds=seconds)


def _is_shown(problem, asked) -> bool:
    content = problem.content
    return (content["before"], content["after"]) == (asked.before, asked.after) and content["pronoun"] == asked.pronoun
