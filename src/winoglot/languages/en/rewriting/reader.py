"""The words of an English text and its clauses, as far as they can be known without a parser.

Function words come from the language's tables, open-class words may be what `inflection` says, and the words before
them decide: after *the* a noun, after *had* a participle, after *to* a base form, after a subject a finite verb. Words
whose form is a guess are in `ParsedText.unsure`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.clauses import Clauses
from winoglot.languages.en.rewriting.inflection import Form, parts_of_speech, verb_forms
from winoglot.languages.en.rewriting.raw_text import (
    AUXILIARIES,
    BEFORE_NOUNS,
    INDEFINITE,
    MAYBE_OPENERS,
    OBJECTS,
    OPENERS,
    OPENING,
    POSSESSIVES,
    QUOTES,
    REFLEXIVES,
    SUBJECTS,
    FiniteClause,
    ParsedText,
    RawText,
    Shape,
    Tag,
    Word,
)
from winoglot.languages.en.wordclass import is_adverb, is_in
from winoglot.languages.names import is_also_word, is_name

if TYPE_CHECKING:
    from winoglot.schemas.spans import Span

_BEFORE_ADJECTIVES = ("determiner", "possessive", "adjective", "genitive", "preposition", "number", "aux")
_THIRD_PERSON = ("he", "she", "it", "who", "which", "that")
_TAKE_CLITIC = ("he", "she", "it", "that", "there", "who", "what", "here", "where")  # 's after them is a verb
_AFTER_CLITIC_HAVE = ("been", "had", "got", "gone", "become")
_NON_FINITE = ("be", "been", "being", "having")


@lru_cache(maxsize=256)
def analysed(text: str, names: frozenset[str] = frozenset(), phrases: frozenset[Span] = frozenset()) -> ParsedText:
    """The words and clauses of a text; `names` are words that are known to be names, `phrases` noun phrases.

    >>> parsed = analysed("The toaster he had bought didn't work.")
    >>> [(parsed.at(clause.subject).form, parsed.at(clause.head).form) for clause in parsed.clauses]
    [('he', 'bought'), ('toaster', 'work')]
    """
    return _Reader(text, names, phrases).read()


class _Reader(Clauses):
    """One pass over the words of a text, from left to right; in `phrases`, which are nouns, no verb is looked for."""

    def __init__(self, text: str, names: frozenset[str], phrases: frozenset[Span]) -> None:
        super().__init__()
        self.raw = RawText(text)
        self.text = text
        self.names = names
        self.phrases = phrases
        self.unsure: set[int] = set()  # words whose form is a guess

    def read(self) -> ParsedText:
        for index in range(len(self.raw)):
            self._read_word(index)
        tokens, clauses = tuple(self.done), tuple(self.clauses)
        return ParsedText(text=self.text, tokens=tokens, clauses=clauses, unsure=frozenset(self.unsure))

    def _read_word(self, index: int) -> None:
        form = self.raw.form(index)
        if form == "'s" and not self._is_verb_clitic(index):
            self._add_word(index, "genitive")
            if self.stack[-1].subject == index - 1:
                self.stack[-1].subject = None
        elif (form in AUXILIARIES and not self._is_name(index)) or form in ("'s", "'d"):
            self._tag_auxiliary(index)
        elif not form[0].isalnum():
            self._add_word(index, "quote" if form in QUOTES or self._is_single_quote(index) else "mark")
            self.pause(form)
        elif self._is_name(index) or form.endswith("."):  # Mr.
            self._add_word(index, "name")
            self.add_nominal(index)
        elif not (self._tag_pronoun(index) or self._tag_opener(index) or self._tag_small_word(index)):
            self._tag_open_class(index)

    def _add_word(self, index: int, tag: Tag, shape: Shape = "", verb: str = "", *, is_finite: bool = False) -> None:
        form, span = self.raw.form(index), self.raw.span(index)
        self.done.append(Word(form, span, tag, verb, shape, is_finite))

    def _is_single_quote(self, index: int) -> bool:
        """Whether an apostrophe opens a quotation after a space, or closes one that is open."""
        if self.raw.form(index) not in ("'", "’"):
            return False
        is_open = sum(word.tag == "quote" and word.form in ("'", "’") for word in self.done) % 2 == 1
        return is_open or not self.text[: self.raw.span(index).start][-1:].strip()

    def _is_name(self, index: int) -> bool:
        form = self.raw.form(index)
        if not self.raw.is_capital(index) or form == "i":
            return False
        if form in self.names or not self.raw.starts_sentence(index):
            return True
        surface = self.raw.span(index).of(self.text)
        return is_name(surface, "en") and not is_also_word(surface, "en")

    # Function words: each method says whether it tagged the word

    def _tag_pronoun(self, index: int) -> bool:
        form, following, last = self.raw.form(index), self.raw.form(index + 1), self.last_word(index)
        is_phrase = is_in(form, "determiners", *OPENING) and self.raw.opens_noun(index + 1)  # these cups, one cup
        if form == "there" and (following in AUXILIARIES or following == "'s"):
            self._add_word(index, "there")
            self.add_nominal(index)
        elif form in POSSESSIVES or (form == "her" and self.raw.opens_noun(index + 1)):
            self._add_word(index, "possessive")
        elif form in SUBJECTS | OBJECTS | REFLEXIVES or form in ("it", "you", "her"):
            self._add_word(index, "pronoun")
            is_free = last.tag not in ("preposition", "to", "verb") or is_in(last.verb, "verb_classes", "claiming")
            may_be_subject = form in ("it", "you") and (is_free or following in AUXILIARIES or following == "'s")
            if form in SUBJECTS or may_be_subject:
                self.add_subject(index)
        elif form in ("who", "whom", "whose", "which") or (
            form == "that" and last.tag == "noun" and not self._is_told()
        ):
            self._add_word(index, "relative")
            self.open_clause(FiniteClause(form, "relative", index if form in ("who", "which", "that") else None))
        elif form in INDEFINITE and (self.raw.form(index - 1) == "no" or not is_phrase):
            self._add_word(index, "noun")
            self.add_nominal(index)
        else:
            return False
        return True

    def _is_told(self) -> bool:
        """Whether the last verb is one of telling, so that *that* after its object does not begin a relative clause."""
        verbs = [word.verb for word in self.done if word.tag == "verb"]
        return is_in(verbs[-1] if verbs else "", "verb_classes", "telling")

    def _tag_opener(self, index: int) -> bool:
        """Tag a word that joins clauses."""
        form, last = self.raw.form(index), self.last_word(index)
        is_occasion = is_in(form, "phrases", "occasion") and last.tag == "determiner"  # every time he came
        may_open = (form in MAYBE_OPENERS or is_occasion) and self.raw.opens_clause(index + 1, form)
        is_so = form in ("so", "yet") or (form == "for" and last.tag == "mark")
        if form == "that" and last.tag in ("preposition", "mark") and self.raw.opens_noun(index + 1):
            self._add_word(index, "determiner")
        elif form == "that" or form in OPENERS or may_open:
            self._add_word(index, "subordinator")
            self.open_clause(FiniteClause(form, "subordinate"))
        elif is_so and self.raw.opens_clause(index + 1):
            self._add_word(index, "conjunction")
            self.open_clause(FiniteClause(form))
        elif form in ("and", "but", "or", "nor"):
            self._add_word(index, "conjunction")
            self.new_subject = None
        else:
            return False
        return True

    def _tag_small_word(self, index: int) -> bool:
        """Tag an adverb, a preposition or a determiner."""
        form, following = self.raw.form(index), self.raw.form(index + 1)
        is_no_longer = "no longer" in (f"{form} {following}", f"{self.raw.form(index - 1)} {form}")
        is_before_place = is_in(form, "function_words", "adjective-too") and self._governs(index + 1)
        tag: Tag
        if form in ("not", "never"):
            tag = "not"
        elif form == "to":
            tag = "to"
        elif is_no_longer or is_in(form, "function_words", "degree"):
            tag = "adverb"
        elif form[0].isdigit() or is_in(form, "determiners", "numeral"):
            tag = "number"
        elif is_in(form, "determiners", *OPENING) and form not in ("less", "more", "enough", "other"):
            tag = "determiner"
        elif self._governs(index):
            tag = "preposition" if self.raw.opens_phrase(index + 1) else "adverb"
        elif is_in(form, "function_words", "adverb") or is_adverb(form):
            tag = "adverb"
        elif is_before_place and self.last_word(index).tag not in _BEFORE_ADJECTIVES:
            tag = "adverb"  # right by the stove
        else:
            return False
        self._add_word(index, tag)
        if tag == "number" and not self.raw.opens_noun(index + 1):
            self.add_nominal(index)
        return True

    def _governs(self, index: int) -> bool:
        """Whether a word is a preposition, and no verb: *to save*, *didn't like*, *they like*, *was following*."""
        form, last = self.raw.form(index), self.last_word(index)
        forms = verb_forms(form)
        is_base = last.tag == "to" or last.shape in ("modal", "do") or last.form in ("i", "we", "they")
        is_verb = ("base" in forms and is_base) or ("gerund" in forms and last.shape == "be")
        return is_in(form, "function_words", "preposition", "governs") and not is_verb

    # Verbs and nouns

    def _is_verb_clitic(self, index: int) -> bool:
        """Whether *'s* is a verb: *he's late*, *Ann's been ill*; otherwise it is a genitive after a noun."""
        following = self.raw.form(index + 1)
        is_verb = following in ("not", "a", "an", "the") or following in AUXILIARIES
        return is_verb or self.raw.form(index - 1) in _TAKE_CLITIC

    def _tag_auxiliary(self, index: int) -> None:
        form, last = self.raw.form(index), self.last_word(index)
        shape = AUXILIARIES.get(form, "modal" if form == "'d" else "be")
        if shape == "modal" and last.tag in BEFORE_NOUNS:  # a can
            self._add_word(index, "noun")
            self.add_nominal(index)
            return
        after = next((place for place in range(index + 1, len(self.raw)) if not is_adverb(self.raw.form(place))), index)
        is_perfect = form == "'d" and "participle" in verb_forms(self.raw.form(after))
        if is_perfect or (form == "'s" and self.raw.form(after) in _AFTER_CLITIC_HAVE):
            shape = "have"
        is_finite = form not in _NON_FINITE and last.tag not in ("to", "aux")
        self._add_word(index, "aux", shape, shape if shape in ("be", "have", "do") else "", is_finite=is_finite)
        if is_finite:
            self.add_finite(index, None)

    def _tag_open_class(self, index: int) -> None:
        form, last = self.raw.form(index), self.last_word(index)
        classes, forms = parts_of_speech(form), dict(verb_forms(form))
        if not (classes or forms) and form.endswith("ed"):
            forms = {"past": form, "participle": form}
            self.unsure.add(index)
        shape = self._verb_shape(index, forms, last, is_nominal=bool(classes & {"NOUN", "ADJ"}))
        if shape:
            is_finite = shape in ("past", "present", "plain")
            self._add_word(index, "verb", shape, forms["base" if shape == "plain" else shape], is_finite=is_finite)  # type: ignore[index]
            if is_finite:
                self.add_finite(index, index)
            elif last.tag == "aux" and self.clauses and self.clauses[-1].head is None:
                self.clauses[-1].head = index
            return
        is_predicate = last.tag == "aux" or is_in(last.verb, "verb_classes", "linking-verb")
        is_verb_next = "present" in verb_forms(self.raw.form(index + 1)) or self.raw.is_past(index + 1)
        before_noun = self.raw.opens_noun(index + 1) and not is_verb_next
        may_be_noun = "NOUN" in classes
        if "ADV" in classes and not (may_be_noun or is_predicate or before_noun):
            self._add_word(index, "adverb")
        elif ("ADJ" in classes and (is_predicate or before_noun)) or (("ADJ" in classes or forms) and not may_be_noun):
            self._add_word(index, "adjective")
        else:
            self._add_word(index, "noun")
            self.add_nominal(index)

    def _verb_shape(self, index: int, forms: dict[Form, str], last: Word, *, is_nominal: bool) -> Shape:
        """The verb form of a word in its context; empty if it is not a verb."""
        form, opens_phrase = self.raw.form(index), self.raw.opens_phrase(index + 1)
        is_in_phrase = any(self.raw.span(index).within(phrase) for phrase in self.phrases)
        if is_in_phrase or last.tag in ("determiner", "possessive", "genitive", "number"):
            return ""
        if last.tag == "aux":
            return _after_auxiliary(forms, last)
        if last.tag == "to":
            return "base" if "base" in forms and not is_in(form, "countable", "bare-goal") else ""
        if last.tag == "preposition":
            return "gerund" if "gerund" in forms and (not is_nominal or opens_phrase) else ""
        if last.tag == "adjective":
            return "past" if "past" in forms and self.needs_verb() else ""  # who was ill left
        if last.tag == "conjunction":
            return self._coordinated(index, forms, is_nominal=is_nominal)
        if last.tag == "verb" or last.form in OBJECTS | REFLEXIVES | {"her"}:
            return self._after_verb(index, forms, last, is_nominal=is_nominal)
        if "past" in forms:
            return self._past_shape(index, forms, last)
        if "present" in forms:
            return self._present_shape(index, last, is_nominal=is_nominal)
        if "base" in forms:
            is_plural = last.tag == "noun" and noun_number(last.form) == "plural" and self.needs_verb()
            opens = opens_phrase or is_in(self.raw.form(index + 1), "function_words", "preposition")
            is_verb = last.form in ("i", "you", "we", "they") or (last.tag == "relative" and opens)
            may_be_other = "ADJ" in parts_of_speech(form) or self.raw.verb_ahead(index)
            return "plain" if is_verb or (is_plural and not may_be_other) else ""
        return "gerund" if "gerund" in forms and not (is_nominal and last.tag in ("noun", "name")) else ""

    def _coordinated(self, index: int, forms: dict[Form, str], *, is_nominal: bool) -> Shape:
        """The form after *and*, which is like that of the verb before it: *to come and help*, *came and helped*."""
        like = next((token.shape for token in reversed(self.done) if token.tag == "verb"), "")
        opens_phrase = self.raw.opens_phrase(index + 1)
        if like in ("base", "gerund") and like in forms:
            return like if opens_phrase or not (is_nominal and self.done[-2].tag == "noun") else ""
        if like == "participle" and "participle" in forms and not opens_phrase:
            self.unsure.add(index)  # was taken from the house and moved
            return "participle"
        if "past" in forms:
            return "past"
        finite = next((token.form for token in reversed(self.done) if token.is_finite), "")
        is_present = like == "present" or finite in ("has", "is", "does")
        may_be_noun = is_nominal and self.raw.form(index + 1) != "to"
        return "present" if "present" in forms and is_present and not may_be_noun else ""

    def _after_verb(self, index: int, forms: dict[Form, str], last: Word, *, is_nominal: bool) -> Shape:
        verb = next((token.verb for token in reversed(self.done) if token.tag == "verb"), "")
        if "gerund" in forms:
            return "gerund"
        if last.tag == "pronoun" and "base" in forms and is_in(verb, "verbs", "perceiving"):
            return "base"
        if "participle" not in forms or is_nominal:
            return ""
        if not is_in(last.verb, "verb_classes", "linking-verb"):
            self.unsure.add(index)
        return "participle"

    def _past_shape(self, index: int, forms: dict[Form, str], last: Word) -> Shape:
        """Whether a form in -ed is a finite verb or a participle that describes the noun before it."""
        if last.tag == "noun" and "participle" in forms and self.raw.verb_after_places(index):
            return "participle"  # the letter found in the drawer was
        if self.needs_verb() or last.tag in ("name", "relative"):
            if "base" in forms and (last.form in SUBJECTS or last.form.endswith("s")):
                self.unsure.add(index)  # they put
            return "past"
        if "participle" not in forms or "NOUN" in parts_of_speech(self.raw.form(index)):
            return ""
        if not is_in(self.raw.form(index + 1), "function_words", "preposition", "governs"):
            self.unsure.add(index)
        return "participle"

    def _present_shape(self, index: int, last: Word, *, is_nominal: bool) -> Shape:
        """Whether a form in -s is a verb; after a noun it may be the second part of a compound."""
        is_singular = last.tag == "noun" and noun_number(last.form) != "plural"
        is_contact = last.tag == "name" and len(self.done) > 1 and self.done[-2].tag == "noun"  # the things Jim gets
        is_third = is_singular or last.form in _THIRD_PERSON or last.tag == "name"
        if not is_third or not (self.needs_verb() or is_contact):
            return ""
        if is_nominal and last.tag == "noun" and not self.raw.form(index + 1)[:1].isalnum():
            self.unsure.add(index)  # for safety reasons
        return "present"


def _after_auxiliary(forms: dict[Form, str], last: Word) -> Shape:
    """The verb form after an auxiliary: *is singing*, *has sung*, *did sing*."""
    if last.shape == "be" and "gerund" in forms:
        return "gerund"
    wanted: Form = "participle" if last.shape in ("have", "be") else "base"
    return wanted if wanted in forms else ""
