"""French verb phrases. For cities: *visiter*, *aller à*; for people: *rendre visite à*."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from winoglot.logic.clauses import Deed, Described, Gap, Is, Named, Only, Quantity, Several
from winoglot.logic.languages.base import said, slot
from winoglot.logic.languages.fr.phrases import FrenchSubject, described, elided, quantity, subject

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Phrase, Predicate
    from winoglot.logic.formulas import Sort

Mood = Literal["indicative", "subjunctive", "infinitive"]  # a visité, (il est faux qu'elle) ait visité, avoir visité
_HAVE = {"indicative": ("a", "ont"), "subjunctive": ("ait", "aient"), "infinitive": ("avoir", "avoir")}
_BE = {"indicative": ("est", "sont"), "subjunctive": ("soit", "soient"), "infinitive": ("être", "être")}
_GONE = 0.4  # how often "est allé à" is used instead of "a visité" for a city


def predicate(what: Predicate, who: FrenchSubject, rng: Random, mood: Mood = "indicative") -> str:
    """The predicate in words."""
    match what:
        case Deed(verb="visit"):
            return _visit(what, who, rng, mood)
        case Deed(verb="visited-by", object=Named() as visitor):
            return _visited_by(visitor, who, rng, mood, negated=what.negated)
        case Deed(verb="before" | "after"):
            when = "avant" if what.verb == "before" else "après"
            verb = _compound(_BE, f"arrivé{_ending(who)}", who, mood, "pas" if what.negated else "")
            return f"{verb} {when} {_object(what.object, who, rng)}"
        case Deed():
            return _compare(what, who, rng, mood)
        case Is():
            verb = _compound(_BE, "", who, mood, "pas" if what.negated else "").rstrip()
            return f"{verb} {_object(what.what, who, rng)}"
        case Several():
            joiner = "et" if what.joiner == "and" else "ou"
            return f" {joiner} ".join(predicate(part, who, rng, mood) for part in what.parts)
        case Gap():
            raise ValueError("a gap can occur only in a relative clause")


def opposite(what: Predicate) -> Predicate:
    """The negated predicate: for *not everyone has*, French says that at least one person has not."""
    match what:
        case Deed(object=Quantity(amount="all", sort=sort)):
            return Deed(what.verb, Quantity("not-all", sort))
        case Deed(object=Quantity(amount="some", sort=sort)):
            return Deed(what.verb, Quantity("none", sort))
        case Deed(object=Named() as names) if names.several and names.joiner == "and":
            return Deed(what.verb, names, negated=True)
        case Deed():
            return Deed(what.verb, what.object, not what.negated)
        case Several(joiner="and"):
            return Several("or", tuple(opposite(part) for part in what.parts))
        case _:
            raise ValueError(f"cannot negate {what}")


def relative(
    what: Predicate, sort: Sort, rng: Random, mood: Mood = "indicative", *, who: FrenchSubject | None = None
) -> str:
    """Qui a visité Rome, qu'Ana n'a pas visitée, à qui Ana a rendu visite; the verb agrees with `who`."""
    who = who or FrenchSubject("", feminine=True)
    if not isinstance(what, Gap):
        return f"qui {predicate(what, who, rng, mood)}"
    visitor = subject(what.subject, rng)
    no = _no(rng, mood) if what.negated else ""
    if sort == "person":
        return f"à qui {visitor.text} {_compound(_HAVE, 'rendu', visitor, mood, no)} visite"
    done = f"visitée{'s' if who.plural else ''}"
    return elided("", "que", f"{visitor.text} {_compound(_HAVE, done, visitor, mood, no)}").lstrip()


def infinitive(what: Predicate, sort: Sort, rng: Random) -> str:
    """(La seule personne) à avoir visité Rome."""
    if isinstance(what, Gap):
        return relative(what, sort, rng)
    return f"à {predicate(what, FrenchSubject('', feminine=True), rng, 'infinitive')}"


def _visit(deed: Deed, who: FrenchSubject, rng: Random, mood: Mood) -> str:
    thing = deed.object
    if isinstance(thing, Quantity) and thing.amount in {"none", "not-all"}:
        return _visit_none(thing, who, rng, mood)
    person = isinstance(thing, Named | Quantity | Described) and thing.sort == "person"
    gone = not person and isinstance(thing, Named) and who.agrees and rng.random() < _GONE
    form = "à" if person or gone else ""

    def verb(no: str) -> str:
        if gone:
            return _compound(_BE, f"allé{_ending(who)}", who, mood, no)
        return (
            f"{_compound(_HAVE, 'rendu', who, mood, no)} visite"
            if person
            else _compound(_HAVE, "visité", who, mood, no)
        )

    if isinstance(thing, Named) and thing.several:
        if thing.joiner == "nor":
            comma = "" if thing.size == 2 else ","
            return f"{verb('ni')} {slot(thing, form, before='ni ', joiner=f'{comma}nor')}"
        if deed.negated:  # "not both", or "not one or not the other"
            return slot(thing, form, before=f"{verb('pas')} ", joiner="or")
        if thing.joiner == "and" and thing.whole:
            return f"{verb('')} à la fois {slot(thing, form)}"
    no = _no(rng, mood) if deed.negated else ""
    return f"{verb(no)} {_object(thing, who, rng, form)}"


def _visited_by(visitor: Named, who: FrenchSubject, rng: Random, mood: Mood, *, negated: bool) -> str:
    if visitor.several and visitor.joiner == "nor":
        comma = "" if visitor.size == 2 else ","
        verb = _compound(_HAVE, "reçu", who, mood, "ni")
        return f"{verb} la visite {slot(visitor, 'de', before='ni ', joiner=f'{comma}nor')}"
    verb = _compound(_HAVE, "reçu", who, mood, _no(rng, mood) if negated else "")
    return f"{verb} la visite {slot(visitor, 'de')}"


def _no(rng: Random, mood: Mood) -> str:
    return rng.choice(("pas", "jamais")) if mood == "indicative" else "pas"


def _visit_none(thing: Quantity, who: FrenchSubject, rng: Random, mood: Mood) -> str:
    if thing.sort == "person":
        if thing.amount == "none":
            return f"{_compound(_HAVE, 'rendu', who, mood, 'ni')} visite à personne"
        return f"{_compound(_HAVE, 'rendu', who, mood, 'pas')} visite à {said('fr', 'all.person', rng)}"
    if thing.amount == "none":
        return f"{_compound(_HAVE, 'visité', who, mood, 'ni')} aucune ville"
    return f"{_compound(_HAVE, 'visité', who, mood, 'pas')} {said('fr', 'all.place', rng)}"


def _compare(deed: Deed, who: FrenchSubject, rng: Random, mood: Mood) -> str:
    no = "pas" if deed.negated or deed.verb == "not-as-tall" else ""
    degree = {"taller": "plus", "shorter": "plus", "at-least-as-tall": "au moins aussi"}.get(deed.verb, "aussi")
    adjective = f"{'petit' if deed.verb == 'shorter' else 'grand'}{_ending(who)}"
    verb = _compound(_BE, f"{degree} {adjective}", who, mood, no)
    return elided(verb, "que", _object(deed.object, who, rng))


def _compound(auxiliary: dict[str, tuple[str, str]], participle: str, who: FrenchSubject, mood: Mood, no: str) -> str:
    """The verb with its negation; with `ni`, as after *personne*, it takes *ne* alone."""
    word = auxiliary[mood][who.plural]
    negation = "" if no == "ni" else no
    if not (no or who.negative):
        return f"{word} {participle}"
    if mood == "infinitive" and negation:
        return f"ne {negation} {word} {participle}"
    ne = "n'" if word[0] in "aeêo" else "ne "
    return f"{ne}{word} {negation} {participle}" if negation else f"{ne}{word} {participle}"


def _ending(who: FrenchSubject) -> str:
    return f"{'e' if who.feminine else ''}{'s' if who.plural else ''}"


def _object(phrase: Phrase, who: FrenchSubject, rng: Random, form: str = "") -> str:
    match phrase:
        case Named():
            return slot(phrase, form)
        case Quantity(amount="some", sort=sort) if who.negative or who.vague:
            words = said("fr", f"{'any' if who.negative else 'vague'}.{sort}", rng)
        case Quantity(amount="all" | "some" | "none" as amount, sort=sort):
            words = said("fr", f"{amount}.{sort}", rng)
        case Quantity():
            words = quantity(phrase, rng, behind=bool(form))
        case Described():
            words = described(phrase, rng)
        case Only():
            raise ValueError("'only' can modify only a subject")
    return f"{form} {words}" if form else words
