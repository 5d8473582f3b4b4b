"""The case of a pronoun, from its form and its place.

Most forms show it (*ему* is a dative), or do so with their preposition (*на ней*, *к ним*). Elsewhere the words beside
the pronoun decide: *его*, *её*, *их* are the object of a transitive verb (accusative), of one with the genitive, or
what is not there or counted (*её не было*, *их много*: genitive); *ей* and *им* are instrumentals beside a verb or
participle that wants one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.ru.morphology import CASES, VERBS, Form, analyses, words_of
from winoglot.languages.ru.noun_phrase import may_modify, table
from winoglot.languages.substitution import Token

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.substitution import Place
    from winoglot.schemas.spans import Span

_MARKS = frozenset('.,;:!?…—–()«»"“”„')


@dataclass(frozen=True)
class Clause:
    """The words around a pronoun, up to the nearest punctuation mark or conjunction; nearest first on both sides."""

    before: tuple[Token, ...]
    after: tuple[Token, ...]


def clause_of(place: Place) -> Clause:
    """The clause of the pronoun, as far as punctuation and conjunctions show it."""
    return clause_around(place.text, place.pronoun)


def clause_around(text: str, span: Span) -> Clause:
    """The words of the clause before and after a span."""
    return Clause(_within(words_of(text, 0, span.start)[::-1]), _within(words_of(text, span.end, len(text))))


def _within(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The words up to the first mark or conjunction."""
    words = table("function_words")
    inside = []
    for token in tokens:
        if token.form in _MARKS or token.form in words.words("conjunction") | words.words("connective") - {"так"}:
            break
        inside.append(token)
    return tuple(inside)


def preposition_of(place: Place) -> str | None:
    """The preposition right before the pronoun."""
    before = words_of(place.text, 0, place.pronoun.start)
    last = before[-1].form if before else ""
    return last if last in table("function_words").words("preposition") else None


def cases_of(place: Place, preposition: str | None) -> frozenset[str]:
    """The cases that the form of the pronoun and its preposition leave open, apart from possession."""
    lines = [line for line in table("pronouns").entries[place.surface] if not line.has("possessive")]
    shown_cases = {case for line in lines for case in CASES if line.has(case)}
    if preposition is None:
        after = any(line.has("after-preposition") for line in lines)
        return frozenset(
            shown_cases & {"genitive"} if after and "genitive" in shown_cases else shown_cases
        )  # "старше него", "вокруг неё"
    governed = {
        case
        for line in table("function_words").entries[preposition]
        if line.has("preposition")
        for case in CASES
        if line.has(case)
    }
    return frozenset(shown_cases & governed)


def case_after(place: Place, preposition: str, cases: frozenset[str]) -> str:
    """The case after a preposition that governs several, with a form that shows none: *на них*, *с него*."""
    if preposition in ("с", "со"):
        cases -= {"accusative"}
    if preposition in ("о", "об", "обо") and "prepositional" in cases:
        cases -= {"accusative"}
    if preposition == "по" and "dative" in cases:
        cases = frozenset({"dative"})
    if preposition in ("в", "во", "на") and len(cases) > 1:
        return _place_or_direction(place, preposition)
    if len(cases) != 1:
        raise NotDerivedError(f"'{preposition} {place.surface}' does not show its case")
    return next(iter(cases))


def _place_or_direction(place: Place, preposition: str) -> str:
    """The case after *в* and *на*: *смотрел на них* is an accusative, *сидел на них* a prepositional."""
    clause = clause_of(place)
    verbs = table("verbs")
    nearest = [*clause.before, *clause.after]
    for token in nearest:
        lemmas = {form.lemma for form in analyses(token.form) if form.part in VERBS | {"ADJF", "ADJS"}}
        is_direction = bool(lemmas & verbs.words("direction"))
        is_location = bool(lemmas & verbs.words("location"))
        if is_direction != is_location:
            return "accusative" if is_direction else "prepositional"
        if lemmas:
            break
    raise NotDerivedError(f"'{preposition} {place.surface}' may be an accusative or a prepositional here")


def verb_beside(clause: Clause) -> Form | None:
    """The verb that governs the pronoun: an infinitive after it (*его нужно было поднять*), else the nearest one."""
    after = [(index, form) for index, token in enumerate(clause.after) if (form := verb_of(token))]
    before = next(((index, form) for index, token in enumerate(clause.before) if (form := verb_of(token))), None)
    infinitive = next((form for _, form in after if form.part == "INFN"), None)
    is_governed = before is not None and before[0] == 0 and before[1].is_transitive  # "видел его бежать"
    if infinitive and not is_governed and not any(form.is_transitive for _, form in after if form.part != "INFN"):
        return infinitive
    if after and before:
        return after[0][1] if after[0][0] < before[0] else before[1]
    return after[0][1] if after else before[1] if before else None


def verb_of(token: Token) -> Form | None:
    """The word as a verb form, if it is one as likely as anything else: *копала*, but not *стали* of steel."""
    forms = analyses(token.form)
    verb = next((form for form in forms if form.part in VERBS and form.part != "PRTF"), None)
    return verb if verb and verb.score >= forms[0].score else None


def object_case(place: Place) -> str:
    """Genitive or accusative, for *его*, *её*, *их* as an object."""
    clause = clause_of(place)
    around = [token.form for token in (*clause.before, *clause.after)]
    words, verbs = table("function_words"), table("verbs")
    if clause.before and "COMP" in analyses(clause.before[0].form)[0].part:
        return "genitive"  # "старше его"
    if "нет" in around or _is_absent(clause):
        return "genitive"
    verb = verb_beside(clause) or verb_beside(_with_and(place, clause))
    is_counted = not words.words("quantity").isdisjoint(around)
    if is_counted and (verb is None or verb.lemma in verbs.words("existential") | verbs.words("genitive")):
        return "genitive"
    if verb is None:
        if any("PRED" in analyses(word)[0].part for word in around):
            return "accusative"  # "жаль её", "видно его"
        raise NotDerivedError(f"no verb shows the case of {place.surface!r}")
    lines = verbs.entries.get(verb.lemma, ())
    if any(line.has("accusative") for line in lines):
        return "accusative"
    if any(line.has("genitive") for line in lines):
        return "genitive"
    if verb.is_transitive:
        return "accusative"
    raise NotDerivedError(f"{verb.word!r} does not show the case of {place.surface!r}")


def _with_and(place: Place, clause: Clause) -> Clause:
    """The clause with what follows an *и* that joins nothing: *его так и не нашли*, *его и выгнали*."""
    after = words_of(place.text, place.pronoun.end, len(place.text))
    rest = after[len(clause.after) :]
    return Clause(clause.before, (*clause.after, *_within(rest[1:]))) if rest and rest[0].form == "и" else clause


def _is_absent(clause: Clause) -> bool:
    """Whether an impersonal verb says that somebody or something is not there: *Его не было*, *её не оказалось*."""
    existential = table("verbs").words("existential")
    tokens = [*clause.before[::-1], *clause.after]
    for token, following in pairwise(tokens):
        if token.form != "не":
            continue
        for form in analyses(following.form):
            is_impersonal = form.gender == "neuter" or (form.number == "singular" and "3per" in form.marks)
            if form.lemma in existential and form.part == "VERB" and is_impersonal:
                return True
    return False


def is_instrumental(place: Place, *, are_things: bool) -> bool:
    """Whether *ей* or *им* is an instrumental: *гордился ей*, *{ей} никто не пользовался*, *написанный им*.

    Raises NotDerivedError if it may be somebody concerned as well: *{ей} трудно управлять*, *копал {ей} грядку*.
    """
    clause = clause_of(place)
    if _is_agent(clause):
        return True
    words, verbs = [*clause.before, *clause.after], table("verbs")
    governing = [token for token in words if _governs(token, "instrumental")]
    receiving = [token for token in words if _governs(token, "dative") or _governs(token, "giving")]
    concerns = _is_impersonal(words)
    unclear = NotDerivedError(f"{place.surface!r} may be a dative or an instrumental here")
    if governing and all(token in receiving for token in governing):  # "махал {ей}": a flag, but to a person
        return are_things and not _has_instrumental(words)
    if governing and (concerns or receiving):
        is_needed = are_things or not any(_form_in(token, verbs.words("absolute")) for token in governing)
        if _has_instrumental(words) or not is_needed:
            return False  # "пришлось управлять машиной", "не хотелось играть"
        if receiving or not are_things:
            raise unclear
    if governing or not are_things:
        return bool(governing)
    verb = verb_beside(clause)
    if verb is not None and verb.is_transitive and verb.lemma not in verbs.words("giving"):
        raise unclear
    forms = [form for token in words if (form := verb_of(token))]
    is_modal = any(form.part == "VERB" and form.lemma not in verbs.words("existential") for form in forms)
    if concerns and not receiving and not is_modal:  # "удобно резать", but "пришлось ехать"
        raise unclear
    return False


def _is_agent(clause: Clause) -> bool:
    """Whether a passive participle is beside the pronoun: *написанный {им}*, but *посвящена {ей}*."""
    particles = table("function_words").words("floating") | {"не"}
    sides = (clause.before, clause.after)
    beside = [next((token for token in side if token.form not in particles), None) for side in sides]
    forms = [analyses(token.form)[0] for token in beside if token]
    giving = table("verbs").words("giving")
    return any(f.part in ("PRTS", "PRTF") and "pssv" in f.marks and f.lemma not in giving for f in forms)


def _governs(token: Token, role: str) -> bool:
    """Whether a verb or adjective is listed with this case or role, and with no accusative beside it."""
    entries = table("verbs").entries
    forms = analyses(token.form)
    likely = [form for form in forms if form.score >= forms[0].score and form.part in _GOVERNING]
    lines = [line for form in likely for key in {form.lemma, form.word} for line in entries.get(key, ())]
    return any(line.has(role) and not line.has("accusative") for line in lines)


_GOVERNING = VERBS | {"ADJF", "ADJS"}


def _form_in(token: Token, lemmas: frozenset[str]) -> bool:
    return any(form.lemma in lemmas for form in analyses(token.form))


def _is_impersonal(words: Sequence[Token]) -> bool:
    """Whether somebody may be concerned by an infinitive: *удобно работать*, *пришлось ехать*, not *начал играть*."""
    forms = [form for token in words if (form := verb_of(token))]
    is_personal = any(
        form.part == "VERB"
        and form.gender != "neuter"
        and form.marks.isdisjoint({"Impe", "Impx"})
        and not ("3per" in form.marks and form.number == "singular" and form.lemma.endswith("ся"))
        for form in forms
    )
    return not is_personal and any(form.part == "INFN" for form in forms)


def _has_instrumental(words: Sequence[Token]) -> bool:
    """Whether a noun without a preposition is in the instrumental: *управлять машиной*, not *с трудом*, *вечером*."""
    words = sorted(words, key=lambda token: token.span)
    previous = ""
    for token in words:
        form = analyses(token.form)[0]
        is_governed = previous in table("function_words").words("preposition")
        is_time = form.lemma in table("nouns").words("time")
        if form.part == "NOUN" and form.case == "instrumental" and not is_governed and not is_time:
            return True
        previous = previous if is_governed and may_modify(token.form) else token.form
    return False
