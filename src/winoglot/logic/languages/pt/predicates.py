"""Portuguese verb phrases; `doubted`: in the subjunctive, after *não é verdade que*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.clauses import Deed, Described, Gap, Is, Named, Only, Quantity, Several
from winoglot.logic.languages.base import said, slot
from winoglot.logic.languages.pt.phrases import PortugueseSubject, described, quantity, subject

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Phrase, Predicate

_COMPARED = {
    "taller": "mais {} do que",
    "shorter": "mais {} do que",
    "at-least-as-tall": "pelo menos tão {} quanto",
    "as-tall": "tão {} quanto",
    "not-as-tall": "tão {} quanto",
}
_BEEN = 0.4  # how often "esteve em" is used instead of "visitou" for a city


def predicate(what: Predicate, who: PortugueseSubject, rng: Random, *, doubted: bool = False) -> str:
    """The predicate in words."""
    match what:
        case Deed(verb="visit"):
            return _visit(what, who, rng, doubted)
        case Deed(verb="visited-by"):
            return _visited_by(what, who, rng, doubted)
        case Deed(verb="before" | "after"):
            verb = _verb("chegou chegaram chegado", who, doubted)
            when = "antes" if what.verb == "before" else "depois"
            return f"{_not(what.negated)}{verb} {when} {_object(what.object, who, rng, 'de')}"
        case Deed():
            words = _COMPARED[what.verb].format(_tall(who, short=what.verb == "shorter"))
            denied = _not(what.negated or what.verb == "not-as-tall")
            return f"{denied}{_be(who, doubted)} {words} {_object(what.object, who, rng)}"
        case Is():
            return f"{_not(what.negated)}{_be(who, doubted)} {_object(what.what, who, rng)}"
        case Several():
            return _several(what, who, rng, doubted)
        case Gap():
            raise ValueError("a gap can occur only in a relative clause")


def relative(
    what: Predicate, rng: Random, *, doubted: bool = False, negative: bool = False, plural: bool = False
) -> str:
    """Que visitou Roma, que Ana não visitou."""
    if isinstance(what, Gap):
        who = subject(what.subject, rng)
        return f"que {who.text} {_not(what.negated)}{_verb('visitou visitaram visitado', who, doubted)}"
    who = PortugueseSubject("", plural=plural, feminine=not negative, vague=negative)
    return f"que {predicate(what, who, rng, doubted=doubted)}"


def _visit(deed: Deed, who: PortugueseSubject, rng: Random, doubted: bool) -> str:
    thing = deed.object
    been = _is_city(thing) and rng.random() < _BEEN
    verb = _verb("esteve estiveram estado" if been else "visitou visitaram visitado", who, doubted)
    form = "em" if been else ""
    match thing:
        case Quantity(amount="none", sort=sort):
            return f"{rng.choice(('não', 'nunca'))} {verb} {_with(form, said('pt', f'none.{sort}', rng))}"
        case Quantity(amount="not-all", sort=sort):
            return f"não {verb} {_with(form, said('pt', f'all.{sort}', rng))}"
        case Named(joiner="nor"):
            comma = "" if thing.size == 2 else ","
            return f"não {verb} {slot(thing, form, before='nem ', joiner=f'{comma}nor')}"
        case Named(joiner="not-all"):
            return slot(thing, form, before=f"não {verb} ", joiner="or")
        case Named(joiner="or") if deed.negated and thing.several:
            return slot(thing, form, before=f"não {verb} ")
        case _:
            sign = _denial(rng, doubted) if deed.negated else _already(rng, who, thing, doubted)
            return f"{sign}{verb} {_object(thing, who, rng, form)}"


def _visited_by(deed: Deed, who: PortugueseSubject, rng: Random, doubted: bool) -> str:
    """Recebeu a visita de, which shows no agreement: the gender of the city need not be known."""
    visitor = deed.object
    verb = f"{_verb('recebeu receberam recebido', who, doubted)} a visita"
    if isinstance(visitor, Named) and visitor.joiner == "nor" and visitor.several:
        comma = "" if visitor.size == 2 else ","
        return f"não {verb} {slot(visitor, 'de', before='nem ', joiner=f'{comma}nor')}"
    sign = _denial(rng, doubted) if deed.negated else _already(rng, who, visitor, doubted)
    return f"{sign}{verb} {_object(visitor, who, rng, 'de')}"


def _denial(rng: Random, doubted: bool) -> str:
    return "não " if doubted else rng.choice(("não ", "nunca "))


def _already(rng: Random, who: PortugueseSubject, thing: Phrase, doubted: bool) -> str:
    """Sometimes *já*: with a name, if nothing is counted or negated."""
    return "já " if isinstance(thing, Named) and not doubted and not who.negative and rng.random() < 0.3 else ""


def _several(what: Several, who: PortugueseSubject, rng: Random, doubted: bool) -> str:
    joiner = "e" if what.joiner == "and" else "ou"
    quantities = [part.object for part in what.parts if isinstance(part, Deed) and _is_plain_visit(part)]
    if len(quantities) == len(what.parts):
        parts = [_object(thing, who, rng) for thing in quantities]
        return f"{_verb('visitou visitaram visitado', who, doubted)} {f' {joiner} '.join(parts)}"
    return f" {joiner} ".join(predicate(part, who, rng, doubted=doubted) for part in what.parts)


def _is_plain_visit(deed: Deed) -> bool:
    plain = deed.verb == "visit" and not deed.negated and isinstance(deed.object, Quantity)
    return plain and deed.object.amount not in {"none", "not-all"}  # type: ignore[union-attr]


def _object(phrase: Phrase, who: PortugueseSubject, rng: Random, form: str = "") -> str:
    match phrase:
        case Named():
            both = phrase.size == 2 and phrase.joiner == "and" and phrase.several
            if both and (phrase.whole or rng.random() < 0.3):
                return f"tanto {slot(phrase, form, joiner='as')}"
            return slot(phrase, form)
        case Quantity(amount="some", sort=sort) if who.negative:
            return _with(form, said("pt", f"any.{sort}", rng))
        case Quantity(amount="some", sort=sort) if who.vague:
            return _with(form, said("pt", f"vague.{sort}", rng))
        case Quantity(amount="all" | "some" | "none" as amount, sort=sort):
            return _with(form, said("pt", f"{amount}.{sort}", rng))
        case Quantity():
            return _with(form, quantity(phrase, rng))
        case Described():
            return _with(form, described(phrase, rng))
        case Only():
            raise ValueError("'only' can modify only a subject")


def _with(preposition: str, words: str) -> str:
    return f"{preposition} {words}" if preposition else words


def _verb(forms: str, who: PortugueseSubject, doubted: bool) -> str:
    singular, plural, participle = forms.split()
    if doubted:
        return f"{'tenham' if who.plural else 'tenha'} {participle}"
    return plural if who.plural else singular


def _be(who: PortugueseSubject, doubted: bool) -> str:
    return ("sejam" if who.plural else "seja") if doubted else "são" if who.plural else "é"


def _not(negated: bool) -> str:
    return "não " if negated else ""


def _tall(who: PortugueseSubject, *, short: bool) -> str:
    return f"{'baix' if short else 'alt'}{'a' if who.feminine else 'o'}{'s' if who.plural else ''}"


def _is_city(phrase: Phrase) -> bool:
    return isinstance(phrase, Named) and phrase.sort == "place"
