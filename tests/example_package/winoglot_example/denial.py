"""A logic task: somebody is taller than another, or somebody else is."""

from winoglot.logic.formulas import Not, Rel, Taller, person
from winoglot.logic.situation import Situation

FAMILIES = {"height": (1,)}


def draw(rng, family, depth):
    ana, ben, cleo = person(0), person(1), person(2)
    taller, other = Taller(ana, ben), Taller(cleo, ben)
    beside = Rel("doctor", (ana,))
    if rng.random() < 0.5:  # otherwise a denial would always be contradicted
        taller, other = Not(taller), Not(other)
        return Situation((taller, beside), (other, beside), entailed=taller, contradicted=taller.body)
    return Situation((taller, beside), (other, beside), entailed=taller, contradicted=Not(taller))
