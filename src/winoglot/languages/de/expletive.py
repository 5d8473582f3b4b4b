"""*es* that refers to nothing, or to a clause: *es regnet*, *es kamen Leute*, *es ist schade, dass …*.

The verb, the predicate and what follows decide. Verbs and adjectives that may speak of a thing as well (*es klingelte*,
*es war kalt*) count only if both candidates are animate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.de.candidates import candidate_features
from winoglot.languages.de.clauses import number_of_verb, phrase_after, words_with
from winoglot.languages.lexicon import lexicon

if TYPE_CHECKING:
    from winoglot.languages.de.clauses import PronounClause
    from winoglot.languages.substitution import Place

_DATIVES = frozenset({"dem", "einem", "ihm", "ihr", "ihnen", "mir", "dir", "uns", "euch", "seinem", "ihrem"})
_CONCERNED = _DATIVES | {"gut", "schlecht", "besser", "um"}
_RELATIVES = ("der", "die", "das", "den", "dem", "was")


def check_reference(place: Place, clause: PronounClause) -> None:
    """Raise NotDerivedError if the marked *es* refers to no noun."""
    words = [word.form for word in (*clause.before, *clause.after)]
    if clause.has_subject_before:
        _check_weather(clause)
        _check_object(place, set(words))
    else:
        _check_verb(place, clause, words)
        _check_place_holder(place, clause)
        _check_predicate(place, words)
    is_measure = not {"so", "derart", "solch"}.isdisjoint(words)  # "so schwer, dass …"
    judging = lexicon("de", "adjectives").words("judgement") | lexicon("de", "verbs").words("clausal")
    is_judged = not judging.isdisjoint(words)
    if (is_judged or clause.has_subject_before) and not is_measure and _clause_follows(place, clause):
        raise NotDerivedError("'es' stands for the clause that follows")


def _check_weather(clause: PronounClause) -> None:
    """*seit Stunden regnet es*: such a verb has no object, whatever comes before it."""
    verbs = lexicon("de", "verbs")
    previous = clause.before[-1].form if clause.before else ""
    lines = verbs.entries.get(previous, ())
    if any(line.has("impersonal") and not line.has("human") for line in lines) and previous not in verbs.words(
        "giving"
    ):
        raise NotDerivedError(f"with {previous!r}, 'es' refers to nothing")


def _check_object(place: Place, words: set[str]) -> None:
    """Refuse a fixed phrase, and *es* for a clause: *machte es sich bequem*, *hatte es schwer*, *wusste es*."""
    following = place.following[0].form if place.following else ""
    has = words & {"hat", "hatte", "haben", "hatten"} and words & {"schwer", "leicht", "gut", "nötig"}
    if following == "sich" or has:
        raise NotDerivedError("'es' is part of a fixed phrase")
    if words & lexicon("de", "verbs").words("propositional"):
        raise NotDerivedError("'es' may refer to a whole clause")


def _check_verb(place: Place, clause: PronounClause, words: list[str]) -> None:
    """Refuse a verb without a subject: *es regnet*, *es gibt*, *es geht mir gut*; *es klingelt* where nobody rings."""
    if not {"geht", "ging", "gehe", "ginge", "gegangen"}.isdisjoint(words) and not _CONCERNED.isdisjoint(words):
        raise NotDerivedError("in 'es geht', 'es' refers to nothing")
    neighbours = [word.form for word in clause.before[-1:]]
    neighbours += words[-2:] if clause.is_subordinate else [word.form for word in clause.after[:1]]
    verbs = lexicon("de", "verbs")
    for form in neighbours:
        lines = [line for line in verbs.entries.get(form, ()) if line.has("impersonal")]
        is_given = form in verbs.words("giving") and not _DATIVES.isdisjoint(words)  # "es gab ihm Brot"
        if lines and not is_given and (not lines[0].has("human") or _are_animate(place)):
            raise NotDerivedError(f"with {form!r}, 'es' refers to nothing")


def _check_place_holder(place: Place, clause: PronounClause) -> None:
    """Refuse *es* in the place of a later subject: *es kamen Leute*, *es kam ein Mann*, *es war der Hund, der …*."""
    verb = clause.verb
    if clause.before or clause.is_subordinate or verb is None:
        return
    if number_of_verb(verb) == "plural":
        raise NotDerivedError(f"before {verb.form!r}, 'es' only fills the place of the subject")
    following_phrase = phrase_after(place.text, place.following[1:])
    if following_phrase is None:
        return
    is_copula = verb.form in lexicon("de", "verbs").words("copula")
    if not is_copula and following_phrase.opening == "ein" and following_phrase.is_surely_masculine:
        raise NotDerivedError(f"'es' only fills the place of 'ein {following_phrase.head}'")
    rest = [word.form for word in place.following[len(clause.after) :][:2]]
    if is_copula and len(rest) > 1 and rest[0] == "," and rest[1] in _RELATIVES:
        raise NotDerivedError(f"'es' points to {following_phrase.head!r} and what follows")


def _check_predicate(place: Place, words: list[str]) -> None:
    """Refuse the time and the weather: *es ist spät*; *es ist kalt* where no candidate is a thing."""
    verbs = lexicon("de", "verbs")
    content = [form for form in words if form not in verbs and form not in words_with()]
    if len(content) != 1 or verbs.words("copula").isdisjoint(words):
        return
    lines = [entry for entry in lexicon("de", "adjectives").entries.get(content[0], ()) if entry.has("impersonal")]
    if lines and (not lines[0].has("human") or _are_animate(place)):
        raise NotDerivedError(f"with {content[0]!r}, 'es' refers to the weather or the time")


def _are_animate(place: Place) -> bool:
    animacies = [candidate_features(candidate, place.item).animacy.value for candidate in place.item.candidates]
    return all(value in ("human", "animal") for value in animacies)


def _clause_follows(place: Place, clause: PronounClause) -> bool:
    """Whether *dass* or *ob* follows the next comma, or an infinitive with *zu*."""
    rest = place.following[len(clause.after) :]
    if len(rest) < 2 or rest[0].form != ",":
        return False
    stretch = []
    for word in rest[1:]:
        if not word.form[0].isalnum():
            break
        stretch.append(word.form)
    return stretch[:1] in (["dass"], ["ob"]) or (stretch[-2:-1] == ["zu"] and stretch[-1].endswith("n"))
