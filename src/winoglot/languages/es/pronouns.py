"""Strong pronouns (*él, ella*) and clitics (*lo, la, los, las*, *le, les*).

The phrase replaces a strong pronoun, and *de* and *a* contract with *el*: *habló de {él}* → *habló del tío*. Not
derived where a noun phrase cannot be used (*él mismo*, *entre ellos*), and where the pronoun doubles an accusative
clitic (*lo vio a {él}*), since *lo vio a Juan* is used only in some regions.

An accusative clitic is removed, and the noun follows the verb, with *a* before a person: *{lo} vio ayer* → *vio a Juan
ayer*; a written accent that was due to the clitic goes (*mirándo{lo}* → *mirando a Juan*). A dative stays and is
doubled by *a* and the noun, after the object: *{le} dio una flor* → *le dio una flor a Ana*. Not derived: clusters (*se
{lo} dio*), a verb that its subject may follow (*{lo} vio Marta*), *lo* for a predicate or a clause, a phrase that the
clitic doubles already.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.grammar import SPANISH
from winoglot.languages.es.people import as_object, with_a
from winoglot.languages.names import name_gender
from winoglot.languages.romance import after_verb, clitics, pronouns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around
    from winoglot.languages.substitution import Token

_ACCUSATIVE = ("lo", "la", "los", "las")
_COUNTED = 3  # a clitic, its verb (two words of it), then "a"
_STRONG = ("él", "ella", "ellos", "ellas", "usted", "ustedes", "mí", "ti")


def personal(around: Around) -> Substitution:
    """Replace the pronoun by the phrase."""
    surface, last = around.place.surface, around.previous_form
    if last == "entre":
        raise NotDerivedError(f"'entre {surface}' may mean 'each other'")
    if last == "a" and _is_doubled([word.form for word in around.before[1:]]):
        raise NotDerivedError(f"'a {surface}' doubles an earlier clitic, which a noun does only in some regions")
    return pronouns.personal(around)


def _is_doubled(before: list[str]) -> bool:
    """Whether an accusative clitic comes before or after the verb: *la vio a ella*, *verla a ella*."""
    verb = before[0] if before else ""
    is_attached = verb.endswith(_ACCUSATIVE) and verb[:-2].rstrip("l").endswith(("r", "ndo"))
    pairs = pairwise(before[: _COUNTED + 1])  # a clitic, not an article: "le dio la razón a ella"
    return is_attached or any(word in _ACCUSATIVE and SPANISH.looks_finite(after) for after, word in pairs)


def accusative(around: Around) -> Substitution:
    """Place the noun after the verb that the clitic belongs to."""
    words = _verb(around)
    last = clitics.verb_end(words, SPANISH)
    clitics.check_object(around, words, last)
    inserted = as_object(around.place, words[last].form)
    last += after_verb.with_verb(words, last, SPANISH) or after_verb.is_measured(words, last, SPANISH)
    _check_after(around, words, last)
    rule = "enclitic" if clitics.is_attached(around) else "proclitic"
    return clitics.with_noun_after(around, words, last, inserted, rule=rule)


def dative(around: Around) -> Substitution:
    """Keep the clitic, and place *a* and the noun after the verb and its object."""
    words = _verb(around, beside="se")
    last = clitics.recipient_verb(words, SPANISH)
    after_verb.check_not_doubled(around, words, last, SPANISH.determiners | {*_STRONG})
    fixed = after_verb.with_verb(words, last, SPANISH)
    last = last + fixed if fixed else after_verb.object_end(around, words, last)
    return clitics.with_noun_after(around, words, last, with_a(around.place.phrase), rule="dative", kept=True)


def _verb(around: Around, *, beside: str = "") -> tuple[Token, ...]:
    """The verb that the clitic belongs to, and the words after it; an article and a doubled phrase are refused."""
    words, form, surface = clitics.verb_of(around, beside=beside), around.next_form, around.place.surface
    if clitics.is_attached(around):
        return words
    is_article = around.previous_form in SPANISH.prepositions or SPANISH.is_infinitive(form)
    is_article |= not SPANISH.is_finite(form) and (SPANISH.is_noun(form) or _is_described(form))
    if is_article and surface in _ACCUSATIVE:
        raise NotDerivedError(f"{surface!r} is the article of {form!r}")
    if _is_fronted(around):
        raise NotDerivedError(f"{surface!r} doubles an earlier phrase with 'a'")
    return words


def _is_described(form: str) -> bool:
    """Whether the word is an adjective, which makes the clitic an article: *lo importante*, *los ricos*."""
    ending = ("ción", "dad", "ible", "able", "ante", "ivo", "oso", "ico")
    is_adjective = SPANISH.is_listed_adjective(form) and form not in SPANISH.table("adjectives").words("verb-too")
    return form.endswith(ending) or (is_adjective and not form.endswith(("a", "e")))


def _is_fronted(around: Around) -> bool:
    """Whether the clause begins with a phrase with *a*: *A Juan lo vi*."""
    clause = []
    for token in around.before:
        is_joint = token.form in SPANISH.words("coordinator") or token.form in SPANISH.words("subordinator")
        if token.is_punctuation or is_joint:
            break
        clause.append(token.form)
    is_time = len(clause) > 1 and clause[-2] in SPANISH.table("nouns").words("time")  # "al día siguiente la vio"
    return bool(clause) and clause[-1] in ("a", "al") and not is_time


def _check_after(around: Around, words: Sequence[Token], last: int) -> None:
    """Refuse if a subject or a doubled phrase may follow the verb: *lo vio el guardia*, *lo vio a él*."""
    form, after = [*(word.form for word in words[last + 1 : last + 3]), "", ""][:2]
    is_person = after in _STRONG or after in SPANISH.words("with-pronoun") or name_gender(after.title(), "es").value
    if form == "a" and is_person:
        raise NotDerivedError(f"'a {after}' after the verb doubles the pronoun")
    after_verb.check_no_subject(around, words, last)
