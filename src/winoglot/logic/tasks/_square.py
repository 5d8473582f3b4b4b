"""Premises with one statement of each of the four kinds, each about a different name; hypotheses about one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Formula, Var
from winoglot.logic.tasks._choice import Option, drawn
from winoglot.logic.tasks._kinds import KINDS, Kind, between, head, of_one, visit_of
from winoglot.logic.tasks._literals import literal, visit

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.formulas import Sort
    from winoglot.logic.pair import TaskSettings
    from winoglot.logic.tasks._choice import Draft

State = Callable[[Kind, Var, Formula], Formula]
_WHOM: tuple[tuple[Sort, Sort], ...] = (("place", "person"), ("person", "place"), ("person", "person"))


def square(rng: Random, settings: TaskSettings, state: State) -> Draft | None:
    """Four facts, written by `state`, and a hypothesis of any kind, or an instance, about one of the four names."""
    about, others = rng.choice(_WHOM)
    facts = [state(kind, *visit_of(head(about, number), others)) for number, kind in enumerate(KINDS)]
    rng.shuffle(facts)
    holds = rng.random() < 0.5
    asked: Kind | None = rng.choice((*KINDS, None))  # None: an instance
    options = (
        Option(of_one(kind, holds) if asked is None else between(kind, asked), asked, number)
        for number, kind in enumerate(KINDS)
        if kind != asked or settings.labels == "nli"  # with three labels nothing else entails "all" and "none"
    )
    option = drawn(rng, options, settings)
    if option is None:
        return None
    name = head(about, option.content)
    if asked is None:
        hypothesis = literal(visit(name, head(others, len(KINDS))), holds)
    else:
        hypothesis = state(asked, *visit_of(name, others))
    return f"square-{about}-{others}", facts, hypothesis, option.label
