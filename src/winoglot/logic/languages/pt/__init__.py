"""Brazilian Portuguese sentences: *Nem Ana nem Bruno visitaram Roma.* *Ninguém esteve no Cairo.*"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.substitution import prepended
from winoglot.logic.clauses import Condition, Denied, Joined, NumberIs, Say, There, is_negated
from winoglot.logic.languages.base import said
from winoglot.logic.languages.pt.numerals import numeral
from winoglot.logic.languages.pt.phrases import quantity, subject
from winoglot.logic.languages.pt.predicates import predicate, relative

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Clause
    from winoglot.logic.vocabulary import WrittenName

STOP = " "
_JOINERS = {"and": " e ", "or": " ou ", "as": " quanto ", "nor": " "}


def sentence(clause: Clause, rng: Random) -> str:
    """The plan in words, with marks for names."""
    return _clause(clause, rng)


def form(word: WrittenName, form: str) -> str:
    """A name after a preposition.

    >>> from winoglot.logic.vocabulary import WrittenName
    >>> form(WrittenName("o Cairo", "place"), "em"), form(WrittenName("Ana", "person"), "de")
    ('no Cairo', 'de Ana')
    """
    return prepended(form, word.text, "pt")


def joined(forms: list[str], joiner: str) -> str:
    """A list of names.

    >>> joined(["Ana", "Bia", "Caio"], "and"), joined(["nem Ana", "nem Bia"], "nor")
    ('Ana, Bia e Caio', 'nem Ana nem Bia')
    """
    if joiner == ",nor":
        return ", ".join(forms)
    return f"{', '.join(forms[:-1])}{_JOINERS[joiner]}{forms[-1]}"


def finished(text: str) -> str:
    """Add the capital letter and the full stop."""
    return f"{text[0].upper()}{text[1:]}."


def _clause(clause: Clause, rng: Random, *, doubted: bool = False, inner: bool = False) -> str:
    match clause:
        case Say():
            who = subject(clause.subject, rng)
            return f"{who.text} {predicate(clause.predicate, who, rng, doubted=doubted)}"
        case There():
            return _there(clause, rng, doubted)
        case NumberIs():
            verb = f"{'não ' if clause.negated else ''}{'seja' if doubted else 'é'}"
            counted = f"{said('pt', f'many.{clause.sort}', rng)} {relative(clause.gap, rng)}"
            return f"o número de {counted} {verb} {numeral(clause.n, feminine=False)}"
        case Denied():
            opening = said("pt", "denied.inner" if doubted else "denied", rng)
            if isinstance(clause.clause, Denied):
                opening = "não é verdade que"
            return f"{opening} {_clause(clause.clause, rng, doubted=True)}"
        case Joined():
            return _joined(clause, rng, inner=inner)
        case Condition():
            return _condition(clause, rng)


def _there(clause: There, rng: Random, doubted: bool) -> str:
    what = clause.what
    if what.amount == "none":  # não há ninguém que tenha: subjunctive
        tail = relative(clause.predicate, rng, doubted=True, negative=True)
        verb = said("pt", "there.denied" if doubted else "there", rng)
        return f"não {verb} {said('pt', f'nobody.{what.sort}', rng)} {tail}"
    tail = relative(clause.predicate, rng, doubted=doubted, plural=what.n > 1)
    if what.amount == "some":
        verb = said("pt", "there.denied" if doubted else "there", rng)
        return f"{verb} {said('pt', f'there.{what.sort}', rng)} {tail}"
    return f"há {quantity(what, rng)} {tail}"


def _joined(clause: Joined, rng: Random, *, inner: bool) -> str:
    parts = [_clause(part, rng, inner=True) for part in clause.clauses]
    word = "e" if clause.joiner == "and" else "ou"
    comma = "" if inner and len(parts) == 2 else ","
    text = f"{', '.join(parts[:-1])}{comma} {word} {parts[-1]}"
    return f"ou {text}" if clause.joiner == "or" and inner else text  # elsewhere it might mean "not both"


def _condition(clause: Condition, rng: Random) -> str:
    condition, consequence = _clause(clause.condition, rng, inner=True), _clause(clause.consequence, rng, inner=True)
    options = [f"se {condition}, então {consequence}"]
    if isinstance(clause.condition, Say) and isinstance(clause.consequence, Say):
        options += [f"se {condition}, {consequence}", f"{consequence} se {condition}"]
        if not is_negated(clause.condition):
            options.append(f"{condition} somente se {consequence}")
    return rng.choice(options)
