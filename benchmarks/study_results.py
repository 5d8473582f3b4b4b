"""Do a study's intervals cover? Simulated people of known skill, drop-out and carelessness, in many studies.

Every study draws people and items anew, divides the problems as the real one does, and leaves people out by its rules.
The truth is the expected accuracy of an attentive person on an item, over all people and items that might be drawn.
"""

from __future__ import annotations

import argparse
from collections import Counter
from datetime import UTC, datetime
from random import Random

import numpy as np

from winoglot.statistics.formatting import percent_interval
from winoglot.statistics.intervals import wilson
from winoglot.study.answers import Answer, StudyAnswers
from winoglot.study.assignment import draw
from winoglot.study.results import study_results
from winoglot.study.settings import StudySettings
from winoglot.study.storage import TEST, Problem

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CONTENT = {"before": "", "pronoun": "it", "after": "", "question": None, "candidates": ["a", "b"]}
# People, schemas, answers per item, problems per person, mean logit, SD between people, SD between items.
DESIGNS = {
    "typical": (30, 150, 3, 40, 2.8, 0.6, 1.2),
    "small": (12, 60, 3, 30, 2.5, 0.8, 1.2),
    "expert readers": (40, 150, 5, 50, 3.8, 0.4, 1.0),
    "people differ": (24, 160, 3, 60, 2.2, 1.2, 0.5),
    "items differ": (40, 80, 5, 30, 2.0, 0.3, 1.8),
}


def logistic(logits: np.ndarray | float) -> np.ndarray | float:
    return 1 / (1 + np.exp(-logits))


def truth(mean: float, person: float, item: float) -> float:
    drawn = np.random.default_rng(0).standard_normal((2, 500_000))
    return float(np.mean(logistic(mean + person * drawn[0] + item * drawn[1])))


def simulated_study(design: tuple[float, ...], leaving: float, careless: float, seed: int) -> StudyAnswers:
    """A study in which people leave after a random number of problems, and some answer at random."""
    people, schemas, judgements, problems, mean, person_sd, item_sd = design
    rng = Random(seed)
    asked = [
        Problem(
            id=2 * schema + version + 1, item_id=f"s{schema}.{version}", item_hash="", schema_id=f"s{schema}",
            kind="original", version=version, part=TEST, content=CONTENT, answer=rng.randrange(2), panel=None,
        )
        for schema in range(int(schemas)) for version in (0, 1)
    ]  # fmt: skip
    ease = {problem.id: rng.gauss(mean, item_sd) for problem in asked}
    given: Counter[int] = Counter()
    answers: list[Answer] = []
    for number in range(int(people)):
        if rng.random() < careless:
            continue  # fails the attention checks: the rules leave these people out, and others take their problems
        skill = rng.gauss(0, person_sd)
        need = {problem.id: int(judgements) - given[problem.id] for problem in asked}
        own = draw(asked, need, int(problems), rng)
        stays = len(own) if rng.random() > leaving else rng.randrange(len(own))
        if stays < len(own) / 2:
            continue  # left out by the rules
        for problem in own[:stays]:
            right = rng.random() < logistic(skill + ease[problem.id])
            choice = problem.answer if right else 1 - problem.answer
            given[problem.id] += 1
            answers.append(
                Answer(
                    f"p{number}", 0, problem.item_id, problem.schema_id, "original", problem.version, (0, 1), choice,
                    problem.answer, ambiguous=False, unnatural=False, comment="", seconds=None, at=NOW, final=choice,
                )
            )  # fmt: skip
    settings = StudySettings(judgements=int(judgements), problems=int(problems))
    return StudyAnswers("simulated", "simulated", "en", settings, tuple(asked), (), tuple(answers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=500, help="per design")
    parser.add_argument("--leaving", type=float, default=0.2, help="share of people who do not finish")
    parser.add_argument("--careless", type=float, default=0.1, help="share of people who answer at random")
    options = parser.parse_args()
    for name, design in DESIGNS.items():
        expected = truth(*design[4:])
        covered, values, widths = 0, [], []
        for seed in range(options.studies):
            found = study_results(simulated_study(design, options.leaving, options.careless, seed)).originals.accuracy
            assert found.value is not None
            assert found.low is not None
            assert found.high is not None
            covered += found.low <= expected <= found.high
            values.append(found.value)
            widths.append((found.high - found.low) / 2)
        rate = percent_interval(wilson(covered, options.studies))
        print(
            f"{name}: truth {expected:.1%}, mean estimate {np.mean(values):.1%}, half-width ±{np.mean(widths):.1%}, "
            f"covered {rate}% of {options.studies}"
        )


if __name__ == "__main__":
    main()
