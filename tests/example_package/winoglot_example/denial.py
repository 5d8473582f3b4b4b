"""A logic task: somebody has visited a place, and that is denied, repeated, or denied of somebody else."""

from winoglot.logic.formulas import Not, Visited, person, place
from winoglot.logic.pair import LABELS, Pair

PREMISE = Visited(person(0), place(0))
HYPOTHESES = {
    "contradiction": Not(PREMISE),
    "entailment": PREMISE,
    "neutral": Not(Visited(person(1), place(0))),
}


def generate(rng, settings):
    while True:
        label = rng.choice(LABELS)
        yield Pair(PREMISE, HYPOTHESES[label], label, task="denial", template="visit")
