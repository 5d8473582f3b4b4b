"""Rules from statement to statement, and facts that trigger them.

`network`: two lines of rules lead to opposite conclusions about the same thing. Each begins with a fact, and for that
fact and for its opposite there is a rule, one of which leads elsewhere. So every fact triggers one rule, every
conclusion is affirmed by one rule and denied by another, and only following the rules shows which is reached. One more
fact and one more rule are random, so that counting negations does not help.

`likeness`: a line of statements that are true together or of which exactly one is true. Statements are about people
who each have two: alteration moves an end of a link from one statement about somebody to the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Formula, Iff, Not, Rel, negation
from winoglot.logic.situation import Cast, Situation, coin, predicates, said_of, signed

if TYPE_CHECKING:
    from random import Random

Rule = Callable[[Formula, Formula], Formula]


@dataclass(frozen=True)
class Network:
    """Two lines of rules. `reached` and `missed` begin them; alteration turns `reached` into its opposite.

    The first line concludes `conclusion`, the second its opposite.
    """

    rules: tuple[Formula, ...]
    chance: Formula
    reached: Formula
    unreached: Formula
    missed: Formula
    conclusion: Formula
    opposite: Formula


def network(rng: Random, statements: Sequence[Formula], steps: int, rule: Rule) -> Network:
    """Rules between the given statements: `steps` in either line.

    Needs 2 × steps + 5 statements: the conclusion, three that the rules lead to elsewhere, one of which something is
    known by chance, and the rest in between.
    """
    target, *other_statements = statements
    side_conclusions, chance, inner = rng.sample(other_statements[:3], 3), other_statements[3], other_statements[4:]
    conclusion = signed(target, coin(rng))
    opposite = negation(conclusion)
    rules: list[Formula] = []
    beginnings = []
    for number, end in enumerate((conclusion, opposite)):
        line = [signed(statement, coin(rng)) for statement in inner[number * steps : (number + 1) * steps]]
        rules += [rule(a, b) for a, b in zip(line, [*line[1:], end], strict=True)]
        rules.append(rule(negation(line[0]), signed(side_conclusions[number], coin(rng))))
        beginnings.append(line[0])
    rules.append(rule(signed(chance, coin(rng)), signed(side_conclusions[2], coin(rng))))
    first, second = beginnings
    # denied if the fact that misses its line is affirmed: the number of denied facts then tells nothing about that one
    chance_fact = signed(chance, isinstance(negation(second), Not))
    return Network(tuple(rules), chance_fact, first, negation(first), negation(second), conclusion, opposite)


def about_names(rng: Random, cast: Cast, number: int) -> list[Formula]:
    """Different statements about a few people: three about the same person, the first and third alike.

    One kind of statement at most is about somebody else: two of them in a sentence would leave no clear pronoun.
    """
    people = cast.people(3)
    kinds = predicates(rng, cast, 4, people=1)
    fixed = [said_of(people[0], kinds[0]), said_of(people[0], kinds[1]), said_of(people[1], kinds[0])]
    fixed += [said_of(people[1], kinds[1]), said_of(people[0], kinds[2])]
    other_statements = [
        said_of(person, kind) for person in people for kind in kinds if said_of(person, kind) not in fixed
    ]
    other_statements += [said_of(cast.person(), kind) for kind in kinds]
    return [*fixed, *rng.sample(other_statements, number - 5)]


def excluded(rng: Random, cast: Cast, fact: Formula) -> Formula:
    """A fact that denies where somebody lives or was born may say where instead."""
    denied = getattr(fact, "body", None)
    if isinstance(denied, Rel) and denied.name in ("lives", "born") and coin(rng):
        return Rel(denied.name, (denied.args[0], cast.place()))
    return fact


def likeness(rng: Random, depth: int) -> Situation:
    """A fact about somebody, and links from one person to the next: both statements are true or neither, or just one.

    Of every person there are two statements. The links of the line meet in the first, branches begin at the second;
    alteration exchanges them at one person. Beside the line, a fact and a link about others; one of the two facts is a
    denial, so that the number of denials does not tell which.
    """
    cast = Cast()
    steps = depth - 1
    people = cast.people(steps + 1)
    pool = predicates(rng, cast, 2 * (steps + 1), people=0)
    rng.shuffle(pool)
    statements = [
        [said_of(person, pool[2 * number]), said_of(person, pool[2 * number + 1])]
        for number, person in enumerate(people)
    ]
    broken_number = rng.randrange(steps + 1)

    def links(broken: int) -> list[Formula]:
        formulas = []
        for number in range(steps):
            start = statements[number][number == broken]
            end = statements[number + 1][number + 1 == broken == steps]
            formulas.append(_link(start, end, same_by_link[number], is_turned[number]))
        for number, (branch, is_same, turned_branch) in branches.items():
            formulas.append(_link(statements[number][number != broken], branch, is_same, turned_branch))
        return formulas

    same_by_link = [coin(rng) for _ in range(steps)]
    is_turned = [coin(rng) for _ in range(steps)]
    branches = {
        number: (said_of(cast.person(), rng.choice(pool)), coin(rng), coin(rng))
        for number in sorted({broken_number, steps})
    }
    holds = coin(rng)
    distractors = [said_of(person, rng.choice(pool)) for person in cast.people(2)]
    fixed = (
        signed(statements[0][0], holds),
        signed(distractors[0], not holds),
        _link(distractors[0], distractors[1], coin(rng), coin(rng)),
    )
    target_holds = holds == (sum(not is_alike for is_alike in same_by_link) % 2 == 0)
    target = statements[steps][0]
    facts, altered = (*fixed, *links(-1)), (*fixed, *links(broken_number))
    return Situation(facts, altered, signed(target, target_holds), signed(target, not target_holds))


def _link(a: Formula, b: Formula, is_same: bool, turned: bool) -> Formula:
    """Link two statements: both or neither hold or, unless `is_same`, exactly one; worded from either end."""
    return Iff(b, signed(a, is_same)) if turned else Iff(a, signed(b, is_same))
