"""The words of an English text before their classes are known: what they may be, and what may follow.

`RawText` looks ahead by the forms alone; `sentence` decides from left to right what each word is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from winoglot.languages.en.rewriting.inflection import parts_of_speech, verb_forms
from winoglot.languages.en.wordclass import is_in
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

Tag = Literal[
    "aux", "verb", "noun", "name", "adjective", "adverb", "determiner", "possessive", "pronoun", "preposition",
    "conjunction", "subordinator", "relative", "to", "not", "genitive", "number", "mark", "quote", "there"
]  # fmt: skip
Shape = Literal["", "base", "present", "plain", "past", "participle", "gerund", "be", "have", "do", "modal"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TOKEN = re.compile(
    r"(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr)\.|\bO['’][^\W_]+|\d+(?:[:.,]\d+)*|[^\W_]+?n['’]t\b|['’](?:s|d|ll|re|ve|m)\b|[^\W_]+(?:[-‐‑][^\W_]+)*|[^\w\s]",
    re.I,
)
QUOTES = frozenset('"“”‘«»')
ENDS = frozenset(".!?…")
AUXILIARIES: dict[str, Shape] = {
    **dict.fromkeys(_set("am is are was were be been being isn't aren't wasn't weren't 'm 're"), "be"),
    **dict.fromkeys(_set("have has had having haven't hasn't hadn't 've"), "have"),
    **dict.fromkeys(_set("do does did don't doesn't didn't"), "do"),
    **dict.fromkeys(_set("can could may might must shall should will would cannot 'll"), "modal"),
    **dict.fromkeys(_set("can't couldn't mustn't shouldn't won't wouldn't mightn't shan't"), "modal"),
}
NON_FINITE = _set("be been being having have do")
SUBJECTS = _set("i he she we they")
OBJECTS = _set("me him us them")
REFLEXIVES = _set("myself yourself himself herself itself ourselves yourselves themselves")
POSSESSIVES = _set("my your his its our their")
OPENERS = _set(
    "what how why where when whether if because although though unless while whereas whenever wherever whatever"
)
MAYBE_OPENERS = _set("before after since until till as than once")  # or a preposition or adverb
INDEFINITE = _set(
    "everyone someone nobody anyone everybody somebody anybody something nothing everything anything none ones others "
    "this these those one both each another"
)
OPENING = ("determiner", "opening")
BEFORE_NOUNS = ("determiner", "possessive", "genitive", "adjective")


@dataclass(frozen=True)
class Word:
    """A word, a clitic (*'s*) or a punctuation mark; `form` in lower case with straight apostrophes."""

    form: str
    span: Span
    tag: Tag = "mark"
    verb: str = ""  # its base form, if it is a verb
    shape: Shape = ""  # of a verb, its form (plain: *they go*); of an auxiliary, its kind
    is_finite: bool = False

    @property
    def is_negated(self) -> bool:
        """Whether the word is an auxiliary with *not* in it: *didn't*, *cannot*."""
        return self.form.endswith("n't") or self.form == "cannot"


@dataclass
class FiniteClause:
    """A finite verb and its subject, as indexes of tokens."""

    opener: str = ""  # the word that opens it: because, who, so
    kind: Literal["main", "subordinate", "relative"] = "main"
    subject: int | None = None  # the last word of the subject's head
    verb: int | None = None  # the finite verb or auxiliary
    head: int | None = None  # the main verb; None for a copula
    shares_subject: bool = False  # it is a second verb of the same subject: *and left*

    @property
    def waits_for_verb(self) -> bool:
        """Whether a relative word opens the clause and is its subject, unless another one follows."""
        return self.kind == "relative" and self.opener in ("who", "which", "that")


@dataclass(frozen=True, kw_only=True)
class ParsedText:
    """A text as tokens and clauses, in the order of their finite verbs."""

    text: str
    tokens: tuple[Word, ...]
    clauses: tuple[FiniteClause, ...]
    unsure: frozenset[int] = field(default_factory=frozenset)  # tokens whose tag is a guess

    def within(self, span: Span) -> list[int]:
        """The tokens inside a span."""
        return [index for index, token in enumerate(self.tokens) if token.span.within(span)]

    def at(self, index: int) -> Word:
        """The token at an index; an empty punctuation mark before the first and after the last."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else NOTHING

    def written(self, index: int) -> str:
        """A token as it is written."""
        return self.at(index).span.of(self.text)

    def is_quoted(self, index: int) -> bool:
        """Whether a token stands in a quotation."""
        return sum(token.tag == "quote" for token in self.tokens[:index]) % 2 == 1


NOTHING = Word("", Span(0, 0))


class RawText:
    """The words and punctuation marks of a text, and what may begin at each of them."""

    def __init__(self, text: str) -> None:
        """Split the text."""
        self.text = text
        matches = TOKEN.finditer(text)
        self._words = [(folded(match.group()).replace("’", "'"), Span(*match.span())) for match in matches]

    def __len__(self) -> int:
        """The number of words and punctuation marks."""
        return len(self._words)

    def span(self, index: int) -> Span:
        """The span of a word."""
        return self._words[index][1]

    def form(self, index: int) -> str:
        """A word in lower case with straight apostrophes; empty before the first and after the last."""
        return self._words[index][0] if 0 <= index < len(self._words) else ""

    def is_capital(self, index: int) -> bool:
        """Whether a word begins with a capital letter."""
        return index < len(self._words) and self._words[index][1].of(self.text)[0].isupper()

    def starts_sentence(self, index: int) -> bool:
        """Whether a word is the first of its sentence."""
        while self.form(index - 1) in QUOTES:
            index -= 1
        return self.form(index - 1) in ("", ":", *ENDS)

    def opens_noun(self, index: int) -> bool:
        """Whether the word may be a noun or come before one in its phrase."""
        form = self.form(index)
        if not form or not form[0].isalnum() or form in AUXILIARIES:
            return False
        if self.is_capital(index) or form[0].isdigit() or is_in(form, "determiners", "numeral"):
            return True
        classes = parts_of_speech(form)
        is_participle = "participle" in verb_forms(form)
        is_nominal = not classes or bool(classes & {"NOUN", "ADJ"}) or (is_participle and self.opens_noun(index + 1))
        return is_nominal and not is_function_word(form)

    def opens_phrase(self, index: int) -> bool:
        """Whether a noun phrase begins here, so that a word before it is a preposition and not a particle."""
        form = self.form(index)
        if form in OBJECTS | REFLEXIVES | POSSESSIVES | INDEFINITE | {"it", "you", "her", "which", "whom", "what"}:
            return True
        if is_in(form, "determiners", "determiner", "opening", "loose"):
            return form not in ("more", "less", "enough", "most")
        return self.opens_noun(index) or "gerund" in verb_forms(form)

    def opens_clause(self, index: int, opener: str = "") -> bool:
        """Whether a subject and a finite verb begin here."""
        form, following = self.form(index), self.form(index + 1)
        if form in SUBJECTS or form in ("it", "you"):
            return (
                form in SUBJECTS or following in AUXILIARIES or bool({"past", "present"} & verb_forms(following).keys())
            )
        opens_next = self.is_capital(index + 1) or is_in(following, "determiners", "determiner")
        is_bare_thing = not (is_function_word(form) or self.is_capital(index) or is_in(form, "people", "human"))
        if opens_next and is_bare_thing:
            return False  # after dinner Tom, after dinner the girls
        for end in range(index, min(index + 9, len(self))):
            form, is_later = self.form(end), end > index
            if form in AUXILIARIES:
                return is_later
            if not (form[0].isalnum() or form == "'s") or (is_in(form, "function_words", "connective") and is_later):
                return False
            after_determiner = is_in(self.form(end - 1), "determiners", "determiner", "opening", "loose")
            if end == index or after_determiner or is_function_word(form):
                continue
            forms = verb_forms(form).keys()
            is_finite = {"past", "present"} & forms and "NOUN" not in parts_of_speech(form)
            if is_finite or ("present" in forms and opener == "as" and not self.opens_noun(end + 1)):
                return True  # as the train leaves
        return False

    def verb_after_places(self, index: int) -> bool:
        """Whether only prepositional phrases come between a word and a finite verb after it."""
        following = self.form(index + 1)
        is_place = following != "to" and is_in(following, "function_words", "preposition", "governs")
        return is_place and self.verb_ahead(index)

    def is_past(self, index: int) -> bool:
        """Whether a word can only be a verb in the past."""
        form = self.form(index)
        return "past" in verb_forms(form) and not parts_of_speech(form) & {"NOUN", "ADJ"}

    def verb_ahead(self, index: int) -> bool:
        """Whether a word that can only be a finite verb follows in this clause."""
        for position in range(index + 1, len(self)):
            form = self.form(position)
            if not form[0].isalnum() or is_in(form, "function_words", "connective") or form in SUBJECTS:
                return False
            opens = self.is_capital(position) or is_in(form, "determiners", "determiner")
            if opens and not (is_function_word(self.form(position - 1)) or self.is_capital(position - 1)):
                return False  # looked at the boat Tom was selling
            if (form in AUXILIARIES and form not in NON_FINITE) or self.is_past(position):
                return True
        return False


def is_period(noun: str) -> bool:
    """Whether a noun is a time, so that the subject may follow it: *one night the boy …*."""
    return is_in(noun, "phrases", "period") or is_in(noun, "nouns", "part-of-day", "time")


def ends_before_name(noun: Word, before: Word) -> bool:
    """Whether a name after this noun begins another phrase: *one day Tom*, *after dinner Tom*; not *his friend Tom*."""
    is_bare_thing = noun.tag == "noun" and before.tag == "preposition" and not is_in(noun.form, "people", "human")
    return is_period(noun.form) or is_bare_thing


def is_function_word(form: str) -> bool:
    """Whether a word belongs to a closed class."""
    return (
        form in AUXILIARIES
        or is_in(form, "function_words", "preposition", "connective", "pronoun", "governs")
        or is_in(form, "determiners", "determiner", "opening", "loose")
        or form in INDEFINITE
    )
