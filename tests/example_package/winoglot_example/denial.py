"""A logic task: somebody has visited a place, or somebody else has."""

from winoglot.logic.formulas import Not, Rel, Visited, person, place
from winoglot.logic.situation import Situation

FAMILIES = {"visit": (1,)}


def draw(rng, family, depth):
    ana, ben = person(0), person(1)
    visited, other = Visited(ana, place(0)), Visited(ben, place(0))
    beside = Rel("doctor", (ana,))
    if rng.random() < 0.5:  # otherwise a denial would always be contradicted
        visited, other = Not(visited), Not(other)
        return Situation((visited, beside), (other, beside), entailed=visited, contradicted=visited.body)
    return Situation((visited, beside), (other, beside), entailed=visited, contradicted=Not(visited))
