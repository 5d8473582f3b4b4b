"""Which verb form a word is in its context, if any: the words before it decide, and sometimes those after it.

After *had* comes a participle, after *to* a base form, after a subject that has no verb yet a finite one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.clauses import ClauseStack
from winoglot.languages.en.rewriting.inflection import Form, parts_of_speech
from winoglot.languages.en.rewriting.raw_text import (
    LINKING,
    OBJECTS,
    REFLEXIVES,
    SUBJECTS,
    RawText,
    Shape,
    Word,
    is_function_word,
)
from winoglot.languages.en.wordclass import is_in

if TYPE_CHECKING:
    from winoglot.schemas.spans import Span


class VerbReader(ClauseStack):
    """Clauses, and the text from which their verbs are read."""

    def __init__(self, raw: RawText, phrases: frozenset[Span]) -> None:
        """Begin with the first word; `phrases` are noun phrases, in which no verb is looked for."""
        super().__init__()
        self.raw = raw
        self.phrases = phrases
        self.unsure: set[int] = set()  # words whose form is a guess

    def verb_shape(self, index: int, classes: frozenset[str], forms: dict[Form, str], last: Word) -> Shape:
        """The verb form of a word in its context; empty if it is not a verb."""
        is_nominal = bool(classes & {"NOUN", "ADJ"})
        if not forms or last.tag in ("determiner", "possessive", "genitive", "number"):
            return ""
        if any(self.raw.span(index).within(phrase) for phrase in self.phrases):
            return ""
        if self.raw.form(index) == "compared" and self.raw.form(index + 1) in ("to", "with"):
            return "participle"
        if last.tag == "aux":
            return _after_auxiliary(self.raw.form(index), classes, forms, last)
        if last.tag == "to":
            return "base" if "base" in forms and not is_in(self.raw.form(index), "countable", "bare-goal") else ""
        if last.tag == "preposition":
            return "gerund" if "gerund" in forms and (not is_nominal or self.raw.opens_phrase(index + 1)) else ""
        if last.tag == "adjective":
            return self._after_adjective(forms)
        if last.tag == "conjunction":
            return self._coordinated(index, forms, is_nominal=is_nominal)
        if last.tag == "verb" or last.form in OBJECTS | REFLEXIVES | {"her"}:
            return self._after_verb(index, forms, last, is_nominal=is_nominal)
        return self._after_subject(index, forms, last, is_nominal=is_nominal)

    def _after_adjective(self, forms: dict[Form, str]) -> Shape:
        """The form after an adjective: a verb may follow a predicate (*who was ill left*), a noun inside a phrase."""
        index = len(self.done) - 1
        while index >= 0 and self.done[index].tag in ("adjective", "adverb"):
            index -= 1
        in_phrase = index >= 0 and self.done[index].tag in (
            "determiner",
            "possessive",
            "genitive",
            "number",
            "preposition",
        )
        if in_phrase:
            return ""
        if "past" in forms and self.needs_verb():
            return "past"
        return "gerund" if set(forms) == {"gerund"} else ""

    def _coordinated(self, index: int, forms: dict[Form, str], *, is_nominal: bool) -> Shape:
        """The form after *and*, which is like that of the verb before it: *to come and help*, *came and helped*."""
        shapes = [token.shape for token in self.done if token.tag == "verb"]
        like = shapes[-1] if shapes else ""
        if like in ("base", "gerund") and like in forms:
            if is_nominal and self.done[-2].tag in ("noun", "name"):
                return "base" if like == "base" and self.raw.opens_phrase(index + 1) else ""
            return like
        if "past" in forms:
            if like == "participle" and "participle" in forms and self.last_word(index - 1).tag == "verb":
                return "participle"
            is_passive = like == "participle" and "participle" in forms and self._in_passive()
            if is_passive and not self.raw.opens_phrase(index + 1):
                self.unsure.add(index)  # was taken from the house and moved
                return "participle"
            if self.done[-2].tag == "adjective" and "participle" in forms:
                self.unsure.add(index)  # is salted and cooked
            return "past" if any(clause.verb is not None for clause in self.clauses) else ""
        is_wanting = self.raw.form(index + 1) == "to" and is_in(forms.get("present", ""), "verb_classes", "stative")
        if "present" in forms and ((like == "present" and not is_nominal) or is_wanting):
            return "present"
        return ""

    def _in_passive(self) -> bool:
        """Whether the last verb is a participle after a form of *be*."""
        last = max(index for index, token in enumerate(self.done) if token.tag == "verb")
        return self.last_word(last).shape == "be"

    def _after_verb(self, index: int, forms: dict[Form, str], last: Word, *, is_nominal: bool) -> Shape:
        if "past" in forms and self.needs_verb() and not is_nominal:
            return "past"
        if "gerund" in forms:
            return "gerund"
        verbs = [token.verb for token in self.done if token.tag == "verb"]
        if last.tag == "pronoun" and "base" in forms and verbs and is_in(verbs[-1], "verbs", "perceiving"):
            return "base"
        if "participle" in forms and not is_nominal and "ADJ" not in parts_of_speech(self.raw.form(index)):
            if last.verb not in LINKING:
                self.unsure.add(index)
            return "participle"
        return ""

    def _after_subject(self, index: int, forms: dict[Form, str], last: Word, *, is_nominal: bool) -> Shape:
        """The form after a noun, a pronoun, a relative word, punctuation or an opener."""
        needs_verb = self.needs_verb()
        is_subject = last.tag in ("noun", "name", "relative") or (last.tag == "pronoun")
        if "past" in forms:
            if self._describes_noun(index, forms, last):
                return ""  # gas powered fireplaces are
            if last.tag == "noun" and "participle" in forms and self.raw.verb_after_places(index):
                return "participle"  # the letter found in the drawer was
            if needs_verb or last.tag == "name" or last.form in SUBJECTS or self._is_contact():
                if "base" in forms and (last.form in ("i", "we", "they", "you") or last.form.endswith("s")):
                    self.unsure.add(index)  # they put
                return "past" if is_subject or needs_verb else ""
            if last.tag == "mark" and self.new_subject is None and self.clauses and not is_nominal:
                self.unsure.add(index)
                return "past" if "participle" not in forms else "participle"
            if "participle" in forms and "NOUN" not in parts_of_speech(self.raw.form(index)):
                if not is_in(self.raw.form(index + 1), "function_words", "preposition", "governs"):
                    self.unsure.add(index)
                return "participle"
            return ""
        if "present" in forms:
            return self._present_shape(index, last, is_nominal=is_nominal)
        if "base" in forms:
            if last.form in ("i", "you", "we", "they"):
                return "plain"
            is_plural = last.tag == "noun" and noun_number(last.form) == "plural"
            may_be_noun = "ADJ" in parts_of_speech(self.raw.form(index)) or (is_nominal and self.raw.is_compound(index))
            if is_plural and needs_verb and not may_be_noun and not self.raw.verb_ahead(index):
                return "plain"
            follows_relative = last.tag == "relative" and last == self.done[-1]
            following = self.raw.form(index + 1)
            is_verb = self.raw.opens_phrase(index + 1) or is_in(following, "function_words", "preposition", "governs")
            return "plain" if follows_relative and is_verb else ""
        return "gerund" if "gerund" in forms and not (is_nominal and last.tag in ("noun", "name")) else ""

    def _present_shape(self, index: int, last: Word, *, is_nominal: bool) -> Shape:
        """Whether a form in -s is a verb; after a noun it may be the second part of a compound."""
        is_free = last.form in ("he", "she", "it") or last.tag == "name"
        is_third = is_free or last.form in ("who", "which", "that")
        is_third = is_third or (last.tag == "noun" and noun_number(last.form) != "plural")
        is_contact = last.tag == "name" and len(self.done) > 1 and self.done[-2].tag == "noun"  # the things Jim gets
        if not is_third or not (self.needs_verb() or is_contact):
            return ""
        if is_nominal and not is_free and self.raw.is_compound(index):
            return ""
        if is_nominal and last.tag == "noun" and not self.raw.form(index + 1)[:1].isalnum():
            self.unsure.add(index)  # for safety reasons
        return "present"

    def _describes_noun(self, index: int, forms: dict[Form, str], last: Word) -> bool:
        """Whether a participle between two nouns describes the second: a finite verb follows."""
        following = self.raw.form(index + 1)
        is_between = last.tag == "noun" and "NOUN" in parts_of_speech(following) and not is_function_word(following)
        is_said = is_in(forms["past"], "verb_classes", "stative", "telling")
        return is_between and "participle" in forms and not is_said and self.raw.verb_ahead(index)

    def _is_contact(self) -> bool:
        """Whether a noun phrase follows another: *the car the man sold*."""
        index = len(self.done) - 1
        while index >= 0 and self.done[index].tag in ("noun", "adjective", "name", "adverb"):
            index -= 1
        opens = index >= 0 and self.done[index].tag in ("determiner", "possessive")
        return opens and index > 0 and self.done[index - 1].tag in ("noun", "name")


def _after_auxiliary(form: str, classes: frozenset[str], forms: dict[Form, str], last: Word) -> Shape:
    if last.shape in ("modal", "do"):
        return "base" if "base" in forms else ""
    if last.shape == "have":
        return "participle" if "participle" in forms else ""
    if "gerund" in forms and not (
        classes >= {"ADJ"} and "NOUN" not in classes and is_in(form, "adjectives", "judgement")
    ):
        return "gerund"
    is_adjective = "base" in forms and "ADJ" in classes  # was upset, was fit
    return "participle" if "participle" in forms and not is_adjective else ""
