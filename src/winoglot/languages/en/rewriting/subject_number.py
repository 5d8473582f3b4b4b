"""The number of subjects and verbs: which form a verb takes, and whether a subject is one or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import conjugated
from winoglot.languages.en.rewriting.raw_text import ends_before_name
from winoglot.languages.en.rewriting.scene import animacy

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.raw_text import FiniteClause, Word
    from winoglot.languages.en.rewriting.scene import Scene

Number = Literal["singular", "plural"]
_BEFORE_RELATIVE = ("preposition", "adjective", "adverb")  # the house in which, the men alive who
_INSIDE_PHRASE = ("determiner", "possessive", "adjective", "noun", "genitive", "number", "name")
_PLURALS = {
    "was": "were", "wasn't": "weren't", "is": "are", "isn't": "aren't", "has": "have", "hasn't": "haven't",
    "does": "do", "doesn't": "don't"
}  # fmt: skip
_SINGULARS = {plural: singular for singular, plural in _PLURALS.items()}


def agreeing(verb: Word, number: Number) -> str:
    """A finite verb as it is after a third-person subject of this number."""
    if number == "plural":
        if verb.form == "'s":
            return "'ve" if verb.shape == "have" else "'re"
        return verb.verb if verb.shape == "present" else _PLURALS.get(verb.form, verb.form)
    if verb.form in ("'re", "'ve"):
        return "'s"
    return conjugated(verb.verb, "present") if verb.shape == "plain" else _SINGULARS.get(verb.form, verb.form)


def shows_number(verb: Word) -> bool:
    """Whether the form of a finite verb depends on its subject: *was*, *goes*, not *went*."""
    return agreeing(verb, "plural") != verb.form or agreeing(verb, "singular") != verb.form


def is_third_singular(scene: Scene, clause: FiniteClause) -> bool | None:
    """Whether the subject of a clause takes a verb in -s; None if that is not known."""
    if clause.subject is None:
        return None
    subject = scene.tokens[clause.subject]
    if subject.tag == "relative":
        antecedent = antecedent_of(scene, clause.subject)
        return None if antecedent is None else _is_singular(scene, antecedent)
    if subject.tag == "there":
        return None
    return _is_singular(scene, clause.subject)


def _is_singular(scene: Scene, index: int) -> bool | None:
    """Whether the noun, name or pronoun at this position is singular; None if that is not known."""
    word = scene.tokens[index]
    if word.form in ("i", "you", "we", "they", "these", "those", "both", "ones", "others", "them"):
        return False
    if word.form in ("he", "she", "it", "this", "that", "one") or word.form.endswith(("one", "body", "thing")):
        return True
    if is_joined(scene, index):
        return False
    if word.tag == "name" and noun_number(word.form) == "plural" and animacy(word.form) == "human":
        return False  # Hair Stylists
    if word.tag == "name":
        opening = scene.at(before_phrase(scene, index) + 1).form
        return not (opening == "the" and word.form.endswith("s") and not word.form.endswith("ss"))  # the Cowboys
    form_number = noun_number(word.form)
    return None if form_number is None else form_number == "singular"


def may_be_participle(scene: Scene, clause: FiniteClause) -> bool:
    """Whether the verb of a clause may describe what comes before it: *the money owed*, *keep him entertained*."""
    verb = scene.at(-1 if clause.verb is None else clause.verb)
    if verb.tag != "verb" or verb.shape != "past" or conjugated(verb.verb, "participle") != verb.form:
        return False
    before = (clause.verb or 0) - 1
    while scene.at(before).tag in ("adverb", "not"):
        before -= 1
    if scene.at(before).tag in ("noun", "name"):
        before = before_phrase(scene, before)
    return scene.at(before).tag == "verb"


def antecedent_of(scene: Scene, index: int) -> int | None:
    """The noun or name before *who*, *which* or *that*."""
    before = index - 1
    while scene.at(before).form == "," or scene.at(before).tag in _BEFORE_RELATIVE:
        before -= 1
    return before if scene.at(before).tag in ("noun", "name") else None


def is_joined(scene: Scene, index: int) -> bool:
    """Whether the noun phrase that ends here is the last of several subjects: *Tom and his brother*.

    Not if the one before *and* belongs to a verb or preposition: *He lost the bet and Tom won*.
    """
    before = before_phrase(scene, index)
    if scene.at(before).form != "and" or scene.at(before - 1).tag not in ("noun", "name", "pronoun"):
        return False
    first = scene.at(before_phrase(scene, before - 1))
    return first.tag not in ("verb", "preposition", "to", "aux", "adverb")


def before_phrase(scene: Scene, index: int) -> int:
    """The position before the noun phrase that ends here: it begins with its determiner or its owner."""
    before = index - 1
    while scene.at(before).tag in _INSIDE_PHRASE:
        noun, opening = scene.at(before), scene.at(before - 1)
        if scene.at(before + 1).tag == "name" and ends_before_name(noun, opening):
            break  # these days Sue
        before -= 1
        if scene.at(before + 1).tag in ("determiner", "possessive") and scene.at(before).tag != "determiner":
            break
    return before
