"""English sentences: *Neither Ana nor Bruno has visited Rome.* Lists of three or more have a comma before *and*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.clauses import Condition, Denied, Joined, NumberIs, Say, There, is_negated
from winoglot.logic.languages.base import said
from winoglot.logic.languages.en.numerals import numeral
from winoglot.logic.languages.en.phrases import quantity, subject
from winoglot.logic.languages.en.predicates import predicate, relative

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Clause
    from winoglot.logic.vocabulary import WrittenName

STOP = " "


def sentence(clause: Clause, rng: Random) -> str:
    """The plan in words, with marks for names."""
    return _clause(clause, rng)


def form(word: WrittenName, form: str) -> str:
    """English names have one form."""
    raise ValueError(f"unknown form {form!r} of {word.text}")


def joined(forms: list[str], joiner: str) -> str:
    """A list of names.

    >>> joined(["Ana", "Ben", "Cleo"], "and"), joined(["Ana", "Ben"], "nor")
    ('Ana, Ben, and Cleo', 'Ana nor Ben')
    """
    if joiner == "nor":
        return " nor ".join(forms)
    comma = "," if len(forms) > 2 else ""
    return f"{', '.join(forms[:-1])}{comma} {joiner} {forms[-1]}"


def finished(text: str) -> str:
    """Add the capital letter and the full stop."""
    return f"{text[0].upper()}{text[1:]}."


def _clause(clause: Clause, rng: Random, *, denied: bool = False, inner: bool = False) -> str:
    match clause:
        case Say():
            who = subject(clause.subject, rng, denied=denied)
            return f"{who.text} {predicate(clause.predicate, who, rng)}"
        case There():
            return _there(clause, rng)
        case NumberIs():
            counted = (
                f"{said('en', f'many.{clause.sort}', rng)} {relative(clause.gap, clause.sort, rng, optional=True)}"
            )
            return f"the number of {counted} {'is not' if clause.negated else 'is'} {numeral(clause.n)}"
        case Denied():
            key = "denied.inner" if denied else "denied"
            opening = "it is not true that" if isinstance(clause.clause, Denied) else said("en", key, rng)
            return f"{opening} {_clause(clause.clause, rng, denied=True)}"
        case Joined():
            return _joined(clause, rng, inner=inner)
        case Condition():
            return _condition(clause, rng)


def _there(clause: There, rng: Random) -> str:
    what = clause.what
    tail = relative(clause.predicate, what.sort, rng, negative=what.amount == "none", plural=what.n > 1)
    if what.amount == "none":
        return f"there is {said('en', f'none.{what.sort}', rng)} {tail}"
    if what.amount == "some":
        return f"there is {said('en', f'there.{what.sort}', rng)} {tail}"
    return f"there {'is' if what.n == 1 else 'are'} {quantity(what, rng)} {tail}"


def _joined(clause: Joined, rng: Random, *, inner: bool) -> str:
    """Inside another clause it has no commas, so that the grouping is clear: either A and B, or C."""
    parts = [_clause(part, rng, inner=True) for part in clause.clauses]
    comma = "" if inner and len(parts) == 2 else ","
    text = f"{', '.join(parts[:-1])}{comma} {clause.joiner} {parts[-1]}"
    return f"either {text}" if clause.joiner == "or" and (inner or rng.random() < 0.5) else text


def _condition(clause: Condition, rng: Random) -> str:
    condition, consequence = _clause(clause.condition, rng, inner=True), _clause(clause.consequence, rng, inner=True)
    options = [f"if {condition}, then {consequence}"]
    if isinstance(clause.condition, Say) and isinstance(clause.consequence, Say):
        options += [f"if {condition}, {consequence}", f"{consequence} if {condition}"]
        if not is_negated(clause.condition):  # "has not … only if": unclear what is negated
            options.append(f"{condition} only if {consequence}")
    return rng.choice(options)
