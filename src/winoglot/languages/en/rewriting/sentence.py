"""The words of an English text and its clauses, as far as they can be known without a parser.

Function words come from the language's tables, open-class words may be what `inflection` says, and the words before
them decide: after *the* a noun, after *had* a participle, after a subject a finite verb. Clauses are kept on a stack,
so that in *the toaster he had bought didn't work* the second verb belongs to *toaster*. Words that could not be decided
are in `ParsedText.unsure`: a rule that depends on them proposes its rewriting instead of making it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import Form, parts_of_speech, verb_forms
from winoglot.languages.en.rewriting.words import (
    AUXILIARIES,
    BEFORE_NOUNS,
    ENDS,
    INDEFINITE,
    LINKING,
    MAYBE_OPENERS,
    NOTHING,
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
    is_period,
)
from winoglot.languages.en.wordclass import is_adverb, is_in
from winoglot.languages.names import is_also_word, is_name

if TYPE_CHECKING:
    from winoglot.schemas.spans import Span


_WITH_CLITIC = ("he", "she", "it", "that", "there", "who", "what", "here", "where")


@lru_cache(maxsize=256)
def analysed(text: str, names: frozenset[str] = frozenset(), phrases: frozenset[Span] = frozenset()) -> ParsedText:
    """The words and clauses of a text; `names` are words that are known to be names, `phrases` noun phrases.

    >>> found = analysed("The toaster he had bought didn't work.")
    >>> [(found.at(one.subject).form, found.at(one.head).form) for one in found.clauses]
    [('he', 'bought'), ('toaster', 'work')]
    """
    return _Reader(text, names, phrases).read()


class _Reader:
    """One pass over the words of a text, from left to right."""

    def __init__(self, text: str, names: frozenset[str], phrases: frozenset[Span]) -> None:
        self.text = text
        self.names = names
        self.phrases = phrases
        self.raw = RawText(text)
        self.done: list[Word] = []
        self.clauses: list[FiniteClause] = []
        self.stack: list[FiniteClause] = [FiniteClause()]
        self.unsure: set[int] = set()
        self.set_off: int | None = None  # a noun phrase before the last comma
        self.is_coordinated = False  # whether a conjunction came before it
        self.new_subject: int | None = None  # a noun phrase since the last comma or conjunction

    def read(self) -> ParsedText:
        for number in range(len(self.raw)):
            self._take(number)
        return ParsedText(self.text, tuple(self.done), tuple(self.clauses), frozenset(self.unsure))

    def _take(self, number: int) -> None:
        form = self.raw.form(number)
        if form == "'s" and not self._is_verb_clitic(number):
            self._add(number, "genitive")
            if self.stack[-1].verb is None and self.stack[-1].subject == number - 1:
                self.stack[-1].subject = None
        elif (form in AUXILIARIES and not self._is_name(number)) or form in ("'s", "'d"):
            self._auxiliary(number)
        elif not form[0].isalnum():
            self._mark(number)
        elif self._is_name(number) or form.endswith("."):  # Mr.
            self._add(number, "name")
            self._nominal(number)
        elif not self._closed_class(number):
            self._open_class(number)

    # What is around a word

    def _last(self, number: int) -> Word:
        """The last token before this one that is neither an adverb nor *not*."""
        number -= 1
        while number >= 0 and self.done[number].tag in ("adverb", "not"):
            number -= 1
        return self.done[number] if number >= 0 else NOTHING

    # Marks, names and function words

    def _add(self, number: int, tag: Tag, shape: Shape = "", verb: str = "", *, is_finite: bool = False) -> None:
        form, span = self.raw.form(number), self.raw.span(number)
        self.done.append(Word(form, span, tag, verb, shape, is_finite))

    def _mark(self, number: int) -> None:
        form = self.raw.form(number)
        self._add(number, "quote" if form in QUOTES or self._is_single_quote(number) else "mark")
        if form in ENDS or form in (";", ":"):
            self.stack = [FiniteClause()]
        self.set_off = self.new_subject if form == "," else None
        self.new_subject = None

    def _is_single_quote(self, number: int) -> bool:
        """Whether an apostrophe opens a quotation after a space, or closes one that is open."""
        if self.raw.form(number) not in ("'", "’"):
            return False
        start = self.raw.span(number).start
        is_open = sum(word.tag == "quote" and word.form in ("'", "’") for word in self.done) % 2 == 1
        return is_open or start == 0 or self.text[start - 1].isspace()

    def _is_name(self, number: int) -> bool:
        form = self.raw.form(number)
        if not self.raw.is_capital(number) or form == "i":
            return False
        if form in self.names or not self.raw.starts_sentence(number):
            return True
        written = self.raw.span(number).of(self.text)
        return is_name(written, "en") and not is_also_word(written, "en") and not is_function_word(form)

    def _closed_class(self, number: int) -> bool:
        """Tag a function word; whether it is one."""
        return self._pronoun(number) or self._opener(number) or self._small_word(number)

    def _pronoun(self, number: int) -> bool:
        form, last = self.raw.form(number), self._last(number)
        if form == "there" and (self.raw.form(number + 1) in AUXILIARIES or self.raw.form(number + 1) == "'s"):
            self._add(number, "there")
            self._nominal(number)
        elif form in POSSESSIVES or (form == "her" and self.raw.opens_noun(number + 1)):
            self._add(number, "possessive")
        elif form in SUBJECTS | OBJECTS | REFLEXIVES or form in ("it", "you", "her"):
            self._add(number, "pronoun")
            may_be_subject = form in ("it", "you") and (
                last.tag not in ("preposition", "to", "verb") or self.raw.form(number + 1) in (*AUXILIARIES, "'s", "'d")
            )
            if form in SUBJECTS or may_be_subject:
                self._subject(number)
        elif form in ("who", "whom", "whose", "which") or (
            form == "that" and last.tag == "noun" and not self._is_told()
        ):
            self._add(number, "relative")
            self._open(FiniteClause(form, "relative", number if form in ("who", "which", "that") else None))
        elif form in INDEFINITE and not (is_in(form, "determiners", *OPENING) and self.raw.opens_noun(number + 1)):
            self._add(number, "noun")
            self._nominal(number)
        else:
            return False
        return True

    def _is_told(self) -> bool:
        """Whether somebody is told something, so that *that* after a noun does not describe it."""
        verbs = [word.verb for word in self.done if word.tag == "verb"]
        return bool(verbs) and is_in(verbs[-1], "verb_classes", "telling")

    def _opener(self, number: int) -> bool:
        """A word that joins clauses."""
        form, last = self.raw.form(number), self._last(number)
        is_occasion = form in ("time", "moment", "instant", "minute") and last.tag == "determiner"  # every time he came
        may_open = form in MAYBE_OPENERS or is_occasion
        opens_clause = form in OPENERS or (may_open and self.raw.opens_clause(number + 1, form))
        if form == "that" and last.tag in ("preposition", "to", "mark") and self.raw.opens_noun(number + 1):
            self._add(number, "determiner")
        elif form == "that" or opens_clause:
            self._add(number, "subordinator")
            self._open(FiniteClause(form, "subordinate"))
        elif (
            form in ("so", "yet", "for") and (form != "for" or last.tag == "mark") and self.raw.opens_clause(number + 1)
        ):
            self._add(number, "conjunction")
            self._open(FiniteClause(form))
        elif form in ("and", "but", "or", "nor"):
            self._add(number, "conjunction")
            self.new_subject = None
        else:
            return False
        return True

    def _small_word(self, number: int) -> bool:
        """Adverbs, prepositions and determiners."""
        form = self.raw.form(number)
        is_no_longer = (form == "no" and self.raw.form(number + 1) == "longer") or (
            form == "longer" and self.raw.form(number - 1) == "no"
        )
        if form in ("not", "never"):
            self._add(number, "not")
        elif is_no_longer:
            self._add(number, "adverb")
        elif form == "to":
            self._add(number, "to")
        elif form in ("so", "too", "such", "rather", "very", "quite", "yet", "once") or (
            form in ("right", "straight")
            and is_in(self.raw.form(number + 1), "function_words", "preposition", "governs")
        ):
            self._add(number, "adverb")
        elif form[0].isdigit() or is_in(form, "determiners", "numeral"):
            self._add(number, "number")
            if not self.raw.opens_noun(number + 1):
                self._nominal(number)
        elif form == "other":
            self._add(number, "adjective")
        elif is_in(form, "determiners", *OPENING) and form not in ("less", "more", "enough"):
            self._add(number, "determiner")
        elif (
            is_in(form, "function_words", "preposition", "governs")
            and form not in ("save", "following")
            and not (form == "like" and self.raw.form(number - 1) in ("i", "you", "we", "they"))
        ):
            self._add(number, "preposition" if self.raw.opens_phrase(number + 1) else "adverb")
        elif is_in(form, "function_words", "adverb") or (is_adverb(form) and "VERB" not in parts_of_speech(form)):
            self._add(number, "adverb")
        else:
            return False
        return True

    # Verbs and nouns

    def _is_verb_clitic(self, number: int) -> bool:
        """Whether *'s* is a verb: *he's late*, *Ann's been ill*; otherwise it is a genitive after a noun."""
        after_pronoun = self.raw.form(number - 1) in _WITH_CLITIC
        return after_pronoun or self.raw.form(number + 1) in ("been", "got", "gone", "a", "an", "the", "not")

    def _auxiliary(self, number: int) -> None:
        form, last = self.raw.form(number), self._last(number)
        if form in ("can", "will", "might", "must", "may") and last.tag in BEFORE_NOUNS:
            self._add(number, "noun")
            self._nominal(number)
            return
        shape = AUXILIARIES.get(form, "modal" if form == "'d" else "be")
        if form in ("'s", "'d"):
            after = number + 1
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
        self._add(number, "aux", shape, verb, is_finite=is_finite)
        if is_finite:
            self._finite(number, None)

    def _open_class(self, number: int) -> None:
        form, last = self.raw.form(number), self._last(number)
        known, forms = parts_of_speech(form), dict(verb_forms(form))
        if not known and form.endswith("ed"):
            forms = {"past": form, "participle": form}
            self.unsure.add(number)
        shape = self._shape(number, known, forms, last)
        if shape:
            base = forms["base" if shape == "plain" else shape]  # type: ignore[index]
            is_finite = shape in ("past", "present", "plain")
            self._add(number, "verb", shape, base, is_finite=is_finite)
            if is_finite:
                self._finite(number, number)
            elif last.tag == "aux" and self.clauses:
                clause = next((one for one in reversed(self.clauses) if one.verb is not None), None)
                if clause is not None and clause.head is None:
                    clause.head = number
            return
        is_predicate = last.tag == "aux" or (last.tag == "verb" and last.verb in LINKING)
        governs = (
            is_in(self.raw.form(number + 2), "determiners", "determiner", "loose")
            or self.raw.form(number + 2) in POSSESSIVES
        )
        is_before_verb = "present" in verb_forms(self.raw.form(number + 1)) and governs  # the cuckoo lays its egg
        before_noun = self.raw.opens_noun(number + 1) and not is_before_verb
        if known == {"ADV"} or ("ADV" in known and "NOUN" not in known and not is_predicate and not before_noun):
            self._add(number, "adverb")
        elif ("ADJ" in known and ("NOUN" not in known or is_predicate or before_noun)) or (
            forms and "NOUN" not in known
        ):
            self._add(number, "adjective")
        else:
            self._add(number, "noun")
            self._nominal(number)

    def _shape(self, number: int, known: frozenset[str], forms: dict[Form, str], last: Word) -> Shape:
        """The verb form that a word is here; empty if it is no verb."""
        is_nominal = bool(known & {"NOUN", "ADJ"})
        if not forms or last.tag in ("determiner", "possessive", "genitive", "number"):
            return ""
        if any(self.raw.span(number).within(phrase) for phrase in self.phrases):
            return ""
        if self.raw.form(number) == "compared" and self.raw.form(number + 1) in ("to", "with"):
            return "participle"
        if last.tag == "aux":
            return _after_auxiliary(self.raw.form(number), known, forms, last)
        if last.tag == "to":
            return "base" if "base" in forms and not is_in(self.raw.form(number), "countable", "bare-goal") else ""
        if last.tag == "preposition":
            return "gerund" if "gerund" in forms and (not is_nominal or self.raw.opens_phrase(number + 1)) else ""
        if last.tag == "adjective":
            return self._after_adjective(forms)
        if last.tag == "conjunction":
            return self._coordinated(number, forms, is_nominal=is_nominal)
        if last.tag == "verb" or last.form in OBJECTS | REFLEXIVES | {"her"}:
            return self._after_verb(number, forms, last, is_nominal=is_nominal)
        return self._after_subject(number, forms, last, is_nominal=is_nominal)

    def _after_adjective(self, forms: dict[Form, str]) -> Shape:
        """After a predicate a verb may follow (*who was ill left*); inside a noun phrase a noun."""
        at = len(self.done) - 1
        while at >= 0 and self.done[at].tag in ("adjective", "adverb"):
            at -= 1
        in_phrase = at >= 0 and self.done[at].tag in ("determiner", "possessive", "genitive", "number", "preposition")
        if in_phrase:
            return ""
        if "past" in forms and self._needs_verb():
            return "past"
        return "gerund" if set(forms) == {"gerund"} else ""

    def _coordinated(self, number: int, forms: dict[Form, str], *, is_nominal: bool) -> Shape:
        """After *and* a verb is like the one before it: *to come and help*, *came and helped*."""
        shapes = [token.shape for token in self.done if token.tag == "verb"]
        like = shapes[-1] if shapes else ""
        if like in ("base", "gerund") and like in forms:
            if is_nominal and self.done[-2].tag in ("noun", "name"):
                return "base" if like == "base" and self.raw.opens_phrase(number + 1) else ""
            return like
        if "past" in forms:
            if like == "participle" and "participle" in forms and self.done[-2].tag == "verb":
                return "participle"
            if self.done[-2].tag == "adjective" and "participle" in forms:
                self.unsure.add(number)  # is salted and cooked
            return "past" if any(one.verb is not None for one in self.clauses) else ""
        if "present" in forms and like == "present" and not is_nominal:
            return "present"
        return ""

    def _after_verb(self, number: int, forms: dict[Form, str], last: Word, *, is_nominal: bool) -> Shape:
        if "past" in forms and self._needs_verb() and not is_nominal:
            return "past"
        if "gerund" in forms:
            return "gerund"
        verbs = [token.verb for token in self.done if token.tag == "verb"]
        if last.tag == "pronoun" and "base" in forms and verbs and is_in(verbs[-1], "verbs", "perceiving"):
            return "base"
        if "participle" in forms and not is_nominal and "ADJ" not in parts_of_speech(self.raw.form(number)):
            if last.verb not in LINKING:
                self.unsure.add(number)
            return "participle"
        return ""

    def _after_subject(self, number: int, forms: dict[Form, str], last: Word, *, is_nominal: bool) -> Shape:
        """After a noun, a pronoun, a relative word, punctuation or an opener."""
        needs_verb = self._needs_verb()
        is_subject = last.tag in ("noun", "name", "relative") or (last.tag == "pronoun")
        if "past" in forms:
            if self._describes_noun(number, forms, last):
                return ""  # gas powered fireplaces are
            if needs_verb or last.tag == "name" or last.form in SUBJECTS or self._is_contact():
                if "base" in forms and (last.form in ("i", "we", "they", "you") or last.form.endswith("s")):
                    self.unsure.add(number)  # they put
                return "past" if is_subject or needs_verb else ""
            if last.tag == "mark" and self.new_subject is None and self.clauses and not is_nominal:
                self.unsure.add(number)
                return "past" if "participle" not in forms else "participle"
            if "participle" in forms and "NOUN" not in parts_of_speech(self.raw.form(number)):
                if not is_in(self.raw.form(number + 1), "function_words", "preposition", "governs"):
                    self.unsure.add(number)
                return "participle"
            return ""
        if "present" in forms:
            return self._present(number, last, is_nominal=is_nominal)
        if "base" in forms:
            if last.form in ("i", "you", "we", "they"):
                return "plain"
            is_plural = last.tag == "noun" and noun_number(last.form) == "plural"
            may_be_noun = "ADJ" in parts_of_speech(self.raw.form(number)) or (
                is_nominal and self.raw.is_compound(number)
            )
            if is_plural and needs_verb and not may_be_noun and not self.raw.verb_ahead(number):
                return "plain"
            follows_relative = last.tag == "relative" and last == self.done[-1]
            following = self.raw.form(number + 1)
            is_verb = self.raw.opens_phrase(number + 1) or is_in(following, "function_words", "preposition", "governs")
            return "plain" if follows_relative and is_verb else ""
        return "gerund" if "gerund" in forms and not (is_nominal and last.tag in ("noun", "name")) else ""

    def _present(self, number: int, last: Word, *, is_nominal: bool) -> Shape:
        """Whether a form in -s is a verb; after a noun it may be the second part of a compound."""
        is_free = last.form in ("he", "she", "it") or last.tag == "name"
        is_third = is_free or last.form in ("who", "which", "that")
        is_third = is_third or (last.tag == "noun" and noun_number(last.form) != "plural")
        is_contact = last.tag == "name" and len(self.done) > 1 and self.done[-2].tag == "noun"  # the things Jim gets
        if not is_third or not (self._needs_verb() or is_contact):
            return ""
        if is_nominal and not is_free and self.raw.is_compound(number):
            return ""
        if is_nominal and last.tag == "noun" and not self.raw.form(number + 1)[:1].isalnum():
            self.unsure.add(number)  # for safety reasons
        return "present"

    def _describes_noun(self, number: int, forms: dict[Form, str], last: Word) -> bool:
        """Whether a participle between two nouns describes the second: a finite verb follows."""
        following = self.raw.form(number + 1)
        is_between = last.tag == "noun" and "NOUN" in parts_of_speech(following) and not is_function_word(following)
        is_said = is_in(forms["past"], "verb_classes", "stative", "telling")
        return is_between and "participle" in forms and not is_said and self.raw.verb_ahead(number)

    def _is_contact(self) -> bool:
        """Whether a noun phrase follows another: *the car the man sold*."""
        at = len(self.done) - 1
        while at >= 0 and self.done[at].tag in ("noun", "adjective", "name", "adverb"):
            at -= 1
        opens = at >= 0 and self.done[at].tag in ("determiner", "possessive")
        return opens and at > 0 and self.done[at - 1].tag in ("noun", "name")

    # Clauses

    def _open(self, clause: FiniteClause) -> None:
        if self.set_off is not None and clause.opener in ("who", "whom", "which"):
            self.stack.append(FiniteClause(subject=self.set_off))  # Sue, who was ill, lost
        self.stack.append(clause)
        self.new_subject = None

    def _needs_verb(self) -> bool:
        """Whether a clause has a subject and no verb yet, or a new subject follows a comma or conjunction."""
        return self.new_subject is not None or any(one.verb is None and one.subject is not None for one in self.stack)

    def _nominal(self, number: int) -> None:
        """A noun or name: the subject of its clause unless a preposition or verb governs it."""
        at = number - 1
        while at >= 0 and self.done[at].tag in ("determiner", "possessive", "adjective", "number", "noun", "genitive",
                                                "name", "adverb") and at > number - 8:  # fmt: skip
            if self.done[at].tag in ("noun", "name") and self.done[at + 1].tag in ("determiner", "possessive"):
                break
            if self.done[number].tag == "name" and is_period(self.done[at].form):
                break  # to this day Paul thanks
            at -= 1
        governor = self.done[at].tag if at >= 0 else "mark"
        if governor in ("preposition", "to", "verb", "aux"):
            return
        if self.stack[-1].verb is None and not self.stack[-1].waits_for_verb:
            last = self.stack[-1].subject
            is_replaced = last is None or last == number - 1 or is_period(self.done[last].form)
            if is_replaced or governor in ("mark", "conjunction"):
                self.stack[-1].subject = number
        elif self.stack[-1].verb is None and self.stack[-1].subject is not None and governor == "relative":
            self.stack[-1].subject = number  # which the man sold
        elif governor in ("mark", "conjunction") or self.new_subject == number - 1:
            self.is_coordinated = governor == "conjunction" or (governor != "mark" and self.is_coordinated)
            self.new_subject = number

    def _subject(self, number: int) -> None:
        """A pronoun that can only be a subject opens a clause unless one waits for it."""
        top = self.stack[-1]
        if top.verb is None and (top.subject is None or top.waits_for_verb):
            top.subject = number
        else:
            is_contact = self._last(number).tag == "noun" and not self._boundary_since_verb(number)
            self.stack.append(FiniteClause(subject=number, kind="relative" if is_contact else "main"))
            self.new_subject = None

    def _boundary_since_verb(self, number: int) -> bool:
        """Whether a comma or conjunction stands between the last finite verb and here."""
        for token in reversed(self.done[:number]):
            if token.is_finite:
                return False
            if token.tag in ("mark", "conjunction"):
                return True
        return False

    def _finite(self, number: int, head: int | None) -> None:
        """Give a finite verb to the clause that waits for it."""
        last = self._last(number)
        if self.new_subject is not None:
            clause = FiniteClause(subject=self.new_subject)
            top = self.stack[-1]
            if self.is_coordinated and top.kind == "subordinate" and all(one.verb is None for one in self.stack[:-1]):
                clause.opener, clause.kind = top.opener, top.kind  # since Ann came and Beth left, …
            self.stack.append(clause)
        elif self.stack[-1].verb is None:
            clause = self.stack[-1]
        elif last.tag == "conjunction" or (last.form == "," and all(one.verb is not None for one in self.stack)):
            before = self.stack[-1]
            clause = FiniteClause(before.opener, before.kind, before.subject, shares_subject=True)
            self.stack.append(clause)
        elif any(one.verb is None for one in self.stack):
            while self.stack[-1].verb is not None:
                self.stack.pop()
            clause = self.stack[-1]
        else:
            is_contact = last.tag == "name" and self.done[number - 2].tag not in ("preposition", "to")
            subject = number - 1 if is_contact else self._subject_before_contact()
            clause = FiniteClause(kind="relative" if is_contact else "main", subject=subject)
            self.stack.append(clause)
        clause.verb, clause.head = number, head
        self.clauses.append(clause)
        self.new_subject = None

    def _subject_before_contact(self) -> int | None:
        """The noun that a clause without relative word describes, if a second verb shows that one does.

        In *every photo Ann took was spoilt* the first verb does not belong to the photo.
        """
        for clause in reversed(self.stack):
            at = clause.subject
            if at is not None and at > 0 and self.done[at].tag == "name" and self.done[at - 1].tag == "noun":
                clause.kind = "relative"
                return at - 1
        return None


def _after_auxiliary(form: str, known: frozenset[str], forms: dict[Form, str], last: Word) -> Shape:
    if last.shape in ("modal", "do"):
        return "base" if "base" in forms else ""
    if last.shape == "have":
        return "participle" if "participle" in forms else ""
    if "gerund" in forms and not (known >= {"ADJ"} and "NOUN" not in known and is_in(form, "adjectives", "judgement")):
        return "gerund"
    is_adjective = "base" in forms and "ADJ" in known  # was upset, was fit
    return "participle" if "participle" in forms and not is_adjective else ""
