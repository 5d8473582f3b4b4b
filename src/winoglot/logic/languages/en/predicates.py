"""English verb phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.clauses import Deed, Described, Gap, Is, Named, Only, Quantity, Several
from winoglot.logic.languages.base import said, slot
from winoglot.logic.languages.en.phrases import EnglishSubject, described, quantity, subject

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Phrase, Predicate
    from winoglot.logic.formulas import Sort

_COMPARED = {
    "taller": "taller than",
    "shorter": "shorter than",
    "at-least-as-tall": "at least as tall as",
    "as-tall": "as tall as",
    "not-as-tall": "not as tall as",
}


def predicate(what: Predicate, who: EnglishSubject, rng: Random) -> str:
    """The predicate in words."""
    match what:
        case Deed(verb="visit"):
            return _visit(what, who, rng)
        case Deed(verb="visited-by", object=Named() as visitor):
            return _visited_by(visitor, who, rng, negated=what.negated)
        case Deed(verb="before" | "after"):
            verb = "did not arrive" if what.negated else "arrived"
            return f"{verb} {what.verb} {_object(what.object, who, rng)}"
        case Deed():
            be = ("are" if who.plural else "is") + (" not" if what.negated else "")
            return f"{be} {_COMPARED[what.verb]} {_object(what.object, who, rng)}"
        case Is():
            return f"is{' not' if what.negated else ''} {_object(what.what, who, rng)}"
        case Several():
            return _several(what, who, rng)
        case Gap():
            raise ValueError("a gap can occur only in a relative clause")


def relative(
    what: Predicate, sort: Sort, rng: Random, *, negative: bool = False, plural: bool = False, optional: bool = False
) -> str:
    """Who has visited Rome, that Ana has not visited; the pronoun before a subject may be left out."""
    if isinstance(what, Gap):
        who = subject(what.subject, rng)
        pronoun = "" if optional and rng.random() < 0.5 else "whom " if sort == "person" else "that "
        return f"{pronoun}{who.text} {_have(who.plural, what.negated, rng)} visited"
    return f"{said('en', f'that.{sort}', rng)} {predicate(what, EnglishSubject('', plural, negative), rng)}"


def _have(plural: bool, negated: bool, rng: Random) -> str:
    have = "have" if plural else "has"
    return f"{have} {rng.choice(('not', 'never'))}" if negated else have


def _visit(deed: Deed, who: EnglishSubject, rng: Random) -> str:
    thing = deed.object
    have = "have" if who.plural else "has"
    verb = "been to" if _is_place(thing) and rng.random() < 0.4 else "visited"
    match thing:
        case Quantity(amount="none", sort=sort):
            whatever = f"{said('en', f'any.{sort}', rng)}"
            return rng.choice(
                (
                    f"{have} {verb} {said('en', f'none.{sort}', rng)}",
                    f"{have} not {verb} {whatever}",
                    f"{have} never {verb} {whatever}",
                )
            )
        case Quantity(amount="not-all", sort=sort):
            return f"{have} not {verb} {said('en', f'all.{sort}', rng)}"
        case Named(joiner="nor"):
            return f"{have} {verb} neither {slot(thing)}"
        case Named(joiner="not-all"):
            return f"{have} not {verb} {_all_of(thing)} {slot(thing, joiner='and')}"
        case Named(joiner="or") if deed.negated and thing.several:
            return f"either {slot(thing, before=f'{have} not {verb} ')}"
        case _:
            return f"{_have(who.plural, deed.negated, rng)} {verb} {_object(thing, who, rng)}"


def _visited_by(visitor: Named, who: EnglishSubject, rng: Random, *, negated: bool) -> str:
    if visitor.several and visitor.joiner == "nor":
        return f"{'have' if who.plural else 'has'} been visited by neither {slot(visitor)}"
    one = not (who.plural or visitor.several)  # with several it would be unclear whether each came alone
    by = "received a visit from" if one and rng.random() < 0.5 else "been visited by"
    return f"{_have(who.plural, negated, rng)} {by} {_object(visitor, who, rng)}"


def _several(what: Several, who: EnglishSubject, rng: Random) -> str:
    deeds = [part for part in what.parts if isinstance(part, Deed) and isinstance(part.object, Quantity)]
    if len(deeds) == len(what.parts) and all(_is_plain_visit(deed) for deed in deeds):
        parts = [_object(deed.object, who, rng) for deed in deeds]
        return f"{'have' if who.plural else 'has'} visited {_listed(parts, what.joiner)}"
    return _listed([predicate(part, who, rng) for part in what.parts], what.joiner)


def _is_plain_visit(deed: Deed) -> bool:
    amount = deed.object.amount if isinstance(deed.object, Quantity) else ""
    return deed.verb == "visit" and not deed.negated and amount not in {"none", "not-all"}


def _listed(parts: list[str], joiner: str) -> str:
    comma = "," if len(parts) > 2 else ""
    return f"{', '.join(parts[:-1])}{comma} {joiner} {parts[-1]}"


def _object(phrase: Phrase, who: EnglishSubject, rng: Random) -> str:
    match phrase:
        case Named(joiner="or") if phrase.several and rng.random() < 0.4:
            return f"at least one of {slot(phrase, joiner='and')}"
        case Named():
            if (
                phrase.several
                and phrase.joiner == "and"
                and (phrase.whole or (phrase.size == 2 and rng.random() < 0.4))
            ):
                return f"{_all_of(phrase)} {slot(phrase)}"
            return slot(phrase)
        case Quantity(amount="some", sort=sort) if who.negative:
            return said("en", f"any.{sort}", rng)
        case Quantity(amount="some", sort=sort):
            return f"at least one {said('en', f'one.{sort}', rng)}"
        case Quantity():
            return quantity(phrase, rng)
        case Described():
            return described(phrase, rng)
        case Only():
            raise ValueError("'only' can modify only a subject")


def _all_of(names: Named) -> str:
    return "both" if names.size == 2 else "all of"


def _is_place(phrase: Phrase) -> bool:
    return isinstance(phrase, Named | Quantity | Described) and phrase.sort == "place"
