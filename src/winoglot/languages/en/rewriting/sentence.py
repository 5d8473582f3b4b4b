"""The words of an English text and its clauses, as far as they can be known without a parser.

Function words come from the language's tables, open-class words may be what `inflection` says, and the words before
them decide: after *the* a noun, after *had* a participle, after a subject a finite verb. Clauses are kept on a stack,
so that in *the toaster he had bought didn't work* the second verb belongs to *toaster*. Words that could not be decided
are in `ParsedText.unsure`: a rule that depends on them proposes its rewriting instead of making it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.en.rewriting.inflection import parts_of_speech, verb_forms
from winoglot.languages.en.rewriting.raw_text import (
    AUXILIARIES,
    BEFORE_NOUNS,
    CLAIMING,
    INDEFINITE,
    LINKING,
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
    is_function_word,
)
from winoglot.languages.en.rewriting.verbs import VerbReader
from winoglot.languages.en.wordclass import is_adverb, is_in
from winoglot.languages.names import is_also_word, is_name

if TYPE_CHECKING:
    from winoglot.schemas.spans import Span


_WITH_CLITIC = ("he", "she", "it", "that", "there", "who", "what", "here", "where")


@lru_cache(maxsize=256)
def analysed(text: str, names: frozenset[str] = frozenset(), phrases: frozenset[Span] = frozenset()) -> ParsedText:
    """The words and clauses of a text; `names` are words that are known to be names, `phrases` noun phrases.

    >>> parsed = analysed("The toaster he had bought didn't work.")
    >>> [(parsed.at(clause.subject).form, parsed.at(clause.head).form) for clause in parsed.clauses]
    [('he', 'bought'), ('toaster', 'work')]
    """
    return _Reader(text, names, phrases).read()


class _Reader(VerbReader):
    """One pass over the words of a text, from left to right."""

    def __init__(self, text: str, names: frozenset[str], phrases: frozenset[Span]) -> None:
        super().__init__(RawText(text), phrases)
        self.text = text
        self.names = names

    def read(self) -> ParsedText:
        for index in range(len(self.raw)):
            self._read_word(index)
        return ParsedText(self.text, tuple(self.done), tuple(self.clauses), frozenset(self.unsure))

    def _read_word(self, index: int) -> None:
        form = self.raw.form(index)
        if form == "'s" and not self._is_verb_clitic(index):
            self._add_word(index, "genitive")
            if self.stack[-1].verb is None and self.stack[-1].subject == index - 1:
                self.stack[-1].subject = None
        elif (form in AUXILIARIES and not self._is_name(index)) or form in ("'s", "'d"):
            self._tag_auxiliary(index)
        elif not form[0].isalnum():
            self._read_mark(index)
        elif self._is_name(index) or form.endswith("."):  # Mr.
            self._add_word(index, "name")
            self.add_nominal(index)
        elif not self._tag_closed_class(index):
            self._tag_open_class(index)

    # Marks, names and function words

    def _add_word(self, index: int, tag: Tag, shape: Shape = "", verb: str = "", *, is_finite: bool = False) -> None:
        form, span = self.raw.form(index), self.raw.span(index)
        self.done.append(Word(form, span, tag, verb, shape, is_finite))

    def _read_mark(self, index: int) -> None:
        form = self.raw.form(index)
        self._add_word(index, "quote" if form in QUOTES or self._is_single_quote(index) else "mark")
        self.pause(form)

    def _is_single_quote(self, index: int) -> bool:
        """Whether an apostrophe opens a quotation after a space, or closes one that is open."""
        if self.raw.form(index) not in ("'", "’"):
            return False
        start = self.raw.span(index).start
        is_open = sum(word.tag == "quote" and word.form in ("'", "’") for word in self.done) % 2 == 1
        return is_open or start == 0 or self.text[start - 1].isspace()

    def _is_name(self, index: int) -> bool:
        form = self.raw.form(index)
        if not self.raw.is_capital(index) or form == "i":
            return False
        if form in self.names or not self.raw.starts_sentence(index):
            return True
        surface = self.raw.span(index).of(self.text)
        return is_name(surface, "en") and not is_also_word(surface, "en") and not is_function_word(form)

    def _tag_closed_class(self, index: int) -> bool:
        """Tag a function word; whether it is one."""
        return self._tag_pronoun(index) or self._tag_opener(index) or self._tag_small_word(index)

    def _tag_pronoun(self, index: int) -> bool:
        form, last = self.raw.form(index), self.last_word(index)
        if form == "there" and (self.raw.form(index + 1) in AUXILIARIES or self.raw.form(index + 1) == "'s"):
            self._add_word(index, "there")
            self.add_nominal(index)
        elif form in POSSESSIVES or (form == "her" and (self.raw.opens_noun(index + 1) or self._has_will(index))):
            self._add_word(index, "possessive")
        elif form in SUBJECTS | OBJECTS | REFLEXIVES or form in ("it", "you", "her"):
            self._add_word(index, "pronoun")
            following = self.raw.form(index + 1)
            may_be_subject = form in ("it", "you") and (
                last.tag not in ("preposition", "to", "verb")
                or following in (*AUXILIARIES, "'s", "'d")
                or (last.verb in CLAIMING and bool({"past", "present"} & verb_forms(following).keys()))
            )
            if form in SUBJECTS or may_be_subject:
                self.add_subject(index)
        elif form == "which" and self.raw.form(index + 2) == "to" and self.raw.opens_noun(index + 1):
            self._add_word(index, "determiner")  # which road to take
        elif form in ("who", "whom", "whose", "which") or (
            form == "that" and last.tag == "noun" and not self._is_told()
        ):
            self._add_word(index, "relative")
            self.open_clause(FiniteClause(form, "relative", index if form in ("who", "which", "that") else None))
        elif form in INDEFINITE and (
            not (is_in(form, "determiners", *OPENING) and self.raw.opens_noun(index + 1))
            or (form == "one" and "present" in verb_forms(self.raw.form(index + 1)))  # one watches
        ):
            self._add_word(index, "noun")
            self.add_nominal(index)
        else:
            return False
        return True

    def _has_will(self, index: int) -> bool:
        """Whether a noun that looks like an auxiliary ends the phrase: *against her will*."""
        ends = not self.raw.form(index + 2)[:1].isalnum()
        return ends and self.raw.form(index + 1) in ("will", "might", "can", "must")

    def _is_told(self) -> bool:
        """Whether the last verb is one of telling, so that *that* after its object does not begin a relative clause."""
        verbs = [word.verb for word in self.done if word.tag == "verb"]
        return bool(verbs) and is_in(verbs[-1], "verb_classes", "telling")

    def _tag_opener(self, index: int) -> bool:
        """Tag a word that joins clauses; whether it is one."""
        form, last = self.raw.form(index), self.last_word(index)
        is_occasion = form in ("time", "moment", "instant", "minute") and last.tag == "determiner"  # every time he came
        may_open = form in MAYBE_OPENERS or is_occasion
        opens_clause = form in OPENERS or (may_open and self.raw.opens_clause(index + 1, form))
        if form == "that" and last.tag in ("preposition", "to", "mark") and self.raw.opens_noun(index + 1):
            self._add_word(index, "determiner")
        elif form == "that" or opens_clause:
            self._add_word(index, "subordinator")
            self.open_clause(FiniteClause(form, "subordinate"))
        elif (
            form in ("so", "yet", "for") and (form != "for" or last.tag == "mark") and self.raw.opens_clause(index + 1)
        ):
            self._add_word(index, "conjunction")
            self.open_clause(FiniteClause(form))
        elif form in ("and", "but", "or", "nor"):
            self._add_word(index, "conjunction")
            self.new_subject = None
        else:
            return False
        return True

    def _tag_small_word(self, index: int) -> bool:
        """Tag an adverb, a preposition or a determiner; whether it is one."""
        form = self.raw.form(index)
        is_no_longer = (form == "no" and self.raw.form(index + 1) == "longer") or (
            form == "longer" and self.raw.form(index - 1) == "no"
        )
        if form in ("not", "never"):
            self._add_word(index, "not")
        elif is_no_longer:
            self._add_word(index, "adverb")
        elif form == "to":
            self._add_word(index, "to")
        elif form in ("so", "too", "such", "rather", "very", "quite", "yet", "once") or (
            form in ("right", "straight")
            and is_in(self.raw.form(index + 1), "function_words", "preposition", "governs")
        ):
            self._add_word(index, "adverb")
        elif form[0].isdigit() or is_in(form, "determiners", "numeral"):
            self._add_word(index, "number")
            if not self.raw.opens_noun(index + 1):
                self.add_nominal(index)
        elif form == "other":
            self._add_word(index, "adjective")
        elif is_in(form, "determiners", *OPENING) and form not in ("less", "more", "enough"):
            self._add_word(index, "determiner")
        elif (
            is_in(form, "function_words", "preposition", "governs")
            and form not in ("save", "following")
            and not (form == "like" and self.raw.form(index - 1) in ("i", "you", "we", "they"))
        ):
            self._add_word(index, "preposition" if self.raw.opens_phrase(index + 1) else "adverb")
        elif is_in(form, "function_words", "adverb") or (is_adverb(form) and "VERB" not in parts_of_speech(form)):
            self._add_word(index, "adverb")
        else:
            return False
        return True

    # Verbs and nouns

    def _is_verb_clitic(self, index: int) -> bool:
        """Whether *'s* is a verb: *he's late*, *Ann's been ill*; otherwise it is a genitive after a noun."""
        after_pronoun = self.raw.form(index - 1) in _WITH_CLITIC
        return after_pronoun or self.raw.form(index + 1) in ("been", "being", "got", "gone", "a", "an", "the", "not")

    def _tag_auxiliary(self, index: int) -> None:
        form, last = self.raw.form(index), self.last_word(index)
        if form in ("can", "will", "might", "must", "may") and last.tag in BEFORE_NOUNS:
            self._add_word(index, "noun")
            self.add_nominal(index)
            return
        shape = AUXILIARIES.get(form, "modal" if form == "'d" else "be")
        if form in ("'s", "'d"):
            after = index + 1
            while is_adverb(self.raw.form(after)) or self.raw.form(after) == "not":
                after += 1
            has_participle = "participle" in verb_forms(self.raw.form(after))
            if has_participle and (form == "'d" or self.raw.form(after) in ("been", "had", "got", "gone", "become")):
                shape = "have"
        shapes = [token.shape for token in self.done if token.tag == "verb"]
        is_infinitive = last.tag == "conjunction" and form in ("have", "do") and shapes[-1:] == ["base"]  # to go and do
        is_finite = (
            form not in ("be", "been", "being", "having") and last.tag not in ("to", "aux") and not is_infinitive
        )
        verb = {"be": "be", "have": "have", "do": "do"}.get(shape, "")
        self._add_word(index, "aux", shape, verb, is_finite=is_finite)
        if is_finite:
            self.add_finite(index, None)

    def _tag_open_class(self, index: int) -> None:
        form, last = self.raw.form(index), self.last_word(index)
        classes, forms = parts_of_speech(form), dict(verb_forms(form))
        if not classes and form.endswith("ed"):
            forms = {"past": form, "participle": form}
            self.unsure.add(index)
        shape = self.verb_shape(index, classes, forms, last)
        if shape:
            base = forms["base" if shape == "plain" else shape]  # type: ignore[index]
            is_finite = shape in ("past", "present", "plain")
            self._add_word(index, "verb", shape, base, is_finite=is_finite)
            if is_finite:
                self.add_finite(index, index)
            elif last.tag == "aux" and self.clauses:
                clause = next((earlier for earlier in reversed(self.clauses) if earlier.verb is not None), None)
                if clause is not None and clause.head is None:
                    clause.head = index
            return
        is_predicate = last.tag == "aux" or (last.tag == "verb" and last.verb in LINKING)
        governs = (
            is_in(self.raw.form(index + 2), "determiners", "determiner", "loose")
            or self.raw.form(index + 2) in POSSESSIVES
        )
        following = self.raw.form(index + 1)
        is_before_verb = "present" in verb_forms(following) and governs  # the cuckoo lays its egg
        is_past_ahead = "past" in verb_forms(following) and not parts_of_speech(following) & {"NOUN", "ADJ"}
        before_noun = self.raw.opens_noun(index + 1) and not is_before_verb and not is_past_ahead  # the house remained
        if classes == {"ADV"} or ("ADV" in classes and "NOUN" not in classes and not is_predicate and not before_noun):
            self._add_word(index, "adverb")
        elif ("ADJ" in classes and ("NOUN" not in classes or is_predicate or before_noun)) or (
            forms and "NOUN" not in classes
        ):
            self._add_word(index, "adjective")
        else:
            self._add_word(index, "noun")
            self.add_nominal(index)
