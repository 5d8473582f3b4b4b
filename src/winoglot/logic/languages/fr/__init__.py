"""French sentences: *Ni Anne ni Paul n'ont visité Rome.* *Personne n'est allé au Caire.*"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.substitution import prepended
from winoglot.logic.clauses import Condition, Denied, Joined, NumberIs, Quantity, Say, There, is_negated
from winoglot.logic.languages.base import ONCE, said
from winoglot.logic.languages.fr.numerals import numeral
from winoglot.logic.languages.fr.phrases import FrenchSubject, elided, quantity, subject
from winoglot.logic.languages.fr.predicates import opposite, predicate, relative

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Clause
    from winoglot.logic.languages.fr.predicates import Mood
    from winoglot.logic.vocabulary import WrittenName

STOP = " "
_JOINERS = {"and": " et ", "or": " ou ", "nor": " "}


def sentence(clause: Clause, rng: Random) -> str:
    """The plan in words, with marks for names."""
    return _clause(clause, rng)


def form(word: WrittenName, form: str) -> str:
    """A name after a preposition or *que*; the *Le* of a city contracts with *à*.

    >>> from winoglot.logic.vocabulary import WrittenName
    >>> form(WrittenName("Le Caire", "place"), "à"), form(WrittenName("La Havane", "place"), "à")
    ('au Caire', 'à La Havane')
    >>> form(WrittenName("Anne", "person"), "que")
    "qu'Anne"
    """
    text = f"le {word.text[3:]}" if word.text.startswith("Le ") and form == "à" else word.text
    return prepended(form.removeprefix(ONCE), text, "fr")


def joined(forms: list[str], joiner: str) -> str:
    """A list of names.

    >>> joined(["Anne", "Bruno", "Léa"], "and"), joined(["ni Anne", "ni Bruno"], "nor")
    ('Anne, Bruno et Léa', 'ni Anne ni Bruno')
    """
    if joiner == ",nor":
        return ", ".join(forms)
    return f"{', '.join(forms[:-1])}{_JOINERS[joiner]}{forms[-1]}"


def finished(text: str) -> str:
    """Add the capital letter and the full stop."""
    return f"{text[0].upper()}{text[1:]}."


def _clause(clause: Clause, rng: Random, mood: Mood = "indicative", *, inner: bool = False) -> str:
    match clause:
        case Say():
            who = subject(clause.subject, rng)
            denied = isinstance(clause.subject, Quantity) and clause.subject.amount == "not-all"
            return f"{who.text} {predicate(opposite(clause.predicate) if denied else clause.predicate, who, rng, mood)}"
        case There():
            return _there(clause, rng, mood)
        case NumberIs():
            return _number(clause, rng, mood)
        case Denied():
            opening = said("fr", "denied" if mood == "indicative" else "denied.inner", rng)
            if isinstance(clause.clause, Denied):
                opening = "il n'est pas vrai que"
            return elided(opening.removesuffix(" que"), "que", _clause(clause.clause, rng, "subjunctive"), once=True)
        case Joined():
            return _joined(clause, rng, inner=inner)
        case Condition():
            return _condition(clause, rng)


def _there(clause: There, rng: Random, mood: Mood) -> str:
    what = clause.what
    if what.amount == "none":  # il n'y a personne qui ait: subjunctive
        who = FrenchSubject("", feminine=what.sort == "place", vague=True)
        verb = "n'y ait" if mood == "subjunctive" else "n'y a"
        noun = "personne" if what.sort == "person" else "aucune ville"
        return f"il {verb} {noun} {relative(clause.predicate, what.sort, rng, 'subjunctive', who=who)}"
    verbs = ("y ait", "existe") if mood == "subjunctive" else ("y a", "existe")
    words = said("fr", f"there.{what.sort}", rng) if what.amount == "some" else quantity(what, rng)
    who = FrenchSubject("", plural=what.n > 1, feminine=words != "quelqu'un")
    return f"il {rng.choice(verbs)} {words} {relative(clause.predicate, what.sort, rng, mood, who=who)}"


def _number(clause: NumberIs, rng: Random, mood: Mood) -> str:
    noun = said("fr", f"many.{clause.sort}", rng)
    counted = f"{noun} {relative(clause.gap, clause.sort, rng, who=FrenchSubject('', plural=True, feminine=True))}"
    be = "soit" if mood == "subjunctive" else "est"
    verb = (f"n'{be} pas" if be == "est" else f"ne {be} pas") if clause.negated else be
    return f"le nombre de {counted} {elided(verb, 'de', numeral(clause.n, feminine=False))}"


def _joined(clause: Joined, rng: Random, *, inner: bool) -> str:
    parts = [_clause(part, rng, inner=True) for part in clause.clauses]
    word = "et" if clause.joiner == "and" else "ou"
    comma = "" if inner and len(parts) == 2 else ","
    return f"{', '.join(parts[:-1])}{comma} {word} {parts[-1]}"


def _condition(clause: Condition, rng: Random) -> str:
    condition, consequence = _clause(clause.condition, rng, inner=True), _clause(clause.consequence, rng, inner=True)
    options = [f"si {condition}, alors {consequence}"]
    if isinstance(clause.condition, Say) and isinstance(clause.consequence, Say):
        options += [f"si {condition}, {consequence}", f"{consequence} si {condition}"]
        if not is_negated(clause.condition):
            options.append(f"{condition} seulement si {consequence}")
    return rng.choice(options)
