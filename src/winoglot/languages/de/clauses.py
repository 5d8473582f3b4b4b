"""The clause around a pronoun: where it opens, its finite verb, whether a subject precedes the pronoun.

German verbs come second in a main clause and last in a subordinate one; the subject may follow either. Nothing here
parses: closed-class words, capitals of nouns and the endings of determiners decide, or nothing does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.de import nouns
from winoglot.languages.de.declension import MASCULINE, adjective_stem, analyses, determiner_forms
from winoglot.languages.lexicon import contractions, lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import Token

if TYPE_CHECKING:
    from collections.abc import Sequence


_SUBJECTS = frozenset({"ich", "du", "er", "wir", "man", "wer", "niemand", "jemand", "jeder", "keiner"})
_INFINITIVE = re.compile(r"(?:\w+ )?(?:zu \w+n|(?!be|ge|ver|er)\w{2,}zu\w{2,}n)")
_TIMES = frozenset({"abend", "morgen", "mittag", "nachmittag", "vormittag", "nacht", "tag", "woche", "jahr", "uhr"})


@dataclass(frozen=True)
class PronounClause:
    """A pronoun's clause: the word that opens it, if a conjunction, and its words before and after the pronoun."""

    text: str
    opener: str
    before: tuple[Token, ...]  # in the order of the text
    after: tuple[Token, ...]

    @property
    def is_subordinate(self) -> bool:
        """Whether the verb comes last."""
        return self.opener in words_with("subordinator")

    @property
    def is_infinitive(self) -> bool:
        """Whether the clause has no subject: *(versprach,) {ihm} das Geld zurückzugeben*."""
        words = [word.form for word in self.after if word.form.isalpha()][-2:]
        is_bare = not self.is_subordinate and not any(is_verbal(word, self.text) for word in self.before)
        return is_bare and bool(words) and bool(_INFINITIVE.fullmatch(" ".join(words)))

    @property
    def has_subject_before(self) -> bool:
        """Whether a phrase before the pronoun may be the subject, also that of two verbs: *kam und half {ihm}*."""
        if self.opener in ("und", "oder", "aber", "sondern") and self.before and is_verbal(self.before[0], self.text):
            return True
        return self.may_have_subject_before

    @property
    def may_have_subject_before(self) -> bool:
        """Whether a phrase before the pronoun may be the subject of its verb."""
        return any(self._may_be_subject(index) for index in range(len(self.before)))

    @property
    def phrases_before(self) -> int:
        """How many phrases before the pronoun may be subject or object."""
        return sum(self._is_head(index) for index in range(len(self.before)))

    def _is_head(self, index: int) -> bool:
        """Whether a word before the pronoun is the noun or pronoun of a subject or object."""
        word = self.before[index]
        if (word.form in lexicon("de", "pronouns") and self.written(word)[:1].islower()) or word.form in _SUBJECTS:
            return not (index and is_preposition(self.before[index - 1].form)) and word.form not in determiner_forms()
        if (
            not self.written(word)[:1].isupper()
            or word.form in _TIMES
            or word.form in determiner_forms() | words_with()
        ):
            return False
        start = index
        while start and not is_verbal(self.before[start - 1], self.text):
            start -= 1
            if is_preposition(self.before[start].form):
                return False
            if self.before[start].form in determiner_forms():
                return not (start and is_preposition(self.before[start - 1].form))
        return True

    def _may_be_subject(self, index: int) -> bool:
        """Whether a word before the pronoun is the noun or pronoun of what may be the subject."""
        word = self.before[index]
        if word.form in _SUBJECTS:
            return True
        if word.form in ("sie", "es"):
            return not (index and is_preposition(self.before[index - 1].form))
        if not self.written(word)[:1].isupper() or word.form in _TIMES:
            return False
        if not index and (word.form in determiner_forms() | words_with()):
            return False
        start = index
        while (
            start and not is_verbal(self.before[start - 1]) and self.before[start - 1].form not in words_with("adverb")
        ):
            start -= 1
            if is_preposition(self.before[start].form):
                return False
            if self.before[start].form in determiner_forms():
                break
        opening = self.before[start].form
        if opening in determiner_forms():
            if start and is_preposition(self.before[start - 1].form):
                return False
            return any(analysis.case == "nominative" for analysis in analyses(opening)) and not (
                opening in ("der", "dieser", "einer") and _is_surely_feminine(word.form)
            )
        return opening not in ("dem", "den", "des")

    def written(self, token: Token) -> str:
        """The word as it is written in the text."""
        return token.span.of(self.text)

    @property
    def verb(self) -> Token | None:
        """The finite verb, if its place is clear."""
        if self.is_subordinate:
            verb = self._last_verb()
        elif not self.before:
            verb = self.after[0] if self.after else None
        else:
            verb = self.before[-1]
        return verb if verb is not None and is_verbal(verb, self.text) else None

    def _last_verb(self) -> Token | None:
        """The last word of a subordinate clause, or of its first half if another clause is joined to it."""
        words = [word for word in self.after if word.form[0].isalnum()]
        if not words:
            return None
        joints = [index for index, word in enumerate(words) if index and word.form in ("und", "oder", "aber")]
        first = words[joints[0] - 1] if joints else words[-1]
        if is_listed_verb(first) or not joints:
            return first
        is_one_number = is_verbal(first, self.text) and number_of_verb(first) == number_of_verb(words[-1])
        return words[-1] if is_one_number or not is_verbal(first, self.text) else None


def words_with(*features: str) -> frozenset[str]:
    """The function words with these features."""
    return lexicon("de", "function_words").words(*features)


def is_preposition(form: str) -> bool:
    """Whether a word is a preposition or a contraction of one."""
    return form in words_with("preposition") or form in contractions("de")


def clause_of(text: str, preceding: Sequence[Token], following: Sequence[Token]) -> PronounClause:
    """The clause of a pronoun, from the words before it (nearest first) and after it."""
    before: list[Token] = []
    opener = ""
    for place, word in enumerate(preceding):
        if word.form in words_with("subordinator") and not _is_preposition_there(word, before):
            opener = word.form
            break
        if word.form in ("und", "oder") and _joins_nouns(text, before, preceding[place + 1 :]):
            before.append(word)
            continue
        if not word.form[0].isalnum() or word.form in words_with("main-clause"):
            opener = word.form if word.form.isalpha() else ""
            if word.form == "," and before and before[-1].form in ("der", "die", "das", "den", "dem", "denen"):
                opener = "dass" if place and len(before) == 1 else ""  # a relative clause has its verb last as well
            break
        before.append(word)
    after: list[Token] = []
    for word in following:
        if not word.form[0].isalnum() and word.form not in ("-", "'", "’"):
            break
        after.append(word)
    return PronounClause(text, opener, tuple(reversed(before)), tuple(after))


def _joins_nouns(text: str, preceding: Sequence[Token], ahead: Sequence[Token]) -> bool:
    """Whether there are capitalised words on both sides of *und*: *Lena und Mia*."""
    around = [words[index].span.of(text) for words, index in ((preceding, -1), (ahead, 0)) if words]
    return len(around) > 1 and all(word[0].isupper() for word in around)


def _is_preposition_there(word: Token, preceding: Sequence[Token]) -> bool:
    """Whether a conjunction is a preposition here, before an oblique case: *während*, *seit*, *bis*."""
    if word.form not in words_with("preposition") or not preceding:
        return False
    return preceding[-1].form in ("dem", "den", "des", "einem", "eines", "einer")


def is_verbal(word: Token, text: str = "") -> bool:
    """Whether a word may be a verb: in lower case and not of a closed class."""
    is_small = not text or word.span.of(text)[:1].islower()
    form = word.form
    return is_small and form.isalpha() and (not is_closed(form) or form in lexicon("de", "verbs"))


def is_closed(form: str) -> bool:
    """Whether a word belongs to a closed class."""
    tables = (lexicon("de", name) for name in ("function_words", "determiners", "pronouns"))
    return form in contractions("de") or any(form in table for table in tables)


def is_verbal_opening(text: str, word: Token) -> bool:
    """Whether a word with a capital only opens its sentence and may be a verb: *Half {ihr} jemand?*."""
    return opens_sentence(text, word.span.start) and is_verbal(word) and not nouns.senses(word.form)


def number_of_verb(verb: Token) -> str:
    """The number that a finite form of the third person shows."""
    features = lexicon("de", "verbs").features("finite").get(verb.form)
    if features is not None and features.number:
        return features.number
    return "plural" if verb.form.endswith("n") else "singular"


def is_listed_verb(verb: Token) -> bool:
    """Whether the form is one whose number is certain."""
    return verb.form in lexicon("de", "verbs").words("finite")


def _is_surely_feminine(noun: str) -> bool:
    """Whether a noun can only be feminine or neuter."""
    genders = {sense.gender for sense in nouns.senses(noun)}
    return bool(genders) and "masculine" not in genders


@dataclass(frozen=True)
class FollowingPhrase:
    """A noun phrase right after the pronoun."""

    opening: str  # its determiner, or empty
    head: str

    @property
    def is_surely_masculine(self) -> bool:
        """Whether the phrase is masculine, so that its *der* is a nominative."""
        genders = {sense.gender for sense in nouns.senses(self.head)}
        if not genders and self.head.endswith("er"):
            return True  # one who does something; the few feminine nouns in -er are listed
        return genders == {"masculine"} or name_gender(self.head, "de").value == "masculine"

    @property
    def looks_genitive(self) -> bool:
        """Whether the phrase would read as belonging to a noun before it: *(die Köchin) der Frau*."""
        possible = analyses(self.opening) if self.opening else ()
        if not any(analysis.case == "genitive" for analysis in possible):
            return False
        may_be_subject = any(analysis.sort == MASCULINE and analysis.case == "nominative" for analysis in possible)
        return not (may_be_subject and self.is_surely_masculine)

    @property
    def may_be_subject(self) -> bool:
        """Whether the phrase may be in the nominative."""
        possible = analyses(self.opening) if self.opening else ()
        if not self.opening:
            return True
        if self.opening in ("der", "dieser", "jener") and not self.looks_genitive:
            return True
        return any(analysis.case == "nominative" and analysis.sort != MASCULINE for analysis in possible) or any(
            analysis.case == "nominative" for analysis in possible if self.opening not in ("der", "dieser", "jener")
        )


def phrase_after(text: str, following: Sequence[Token]) -> FollowingPhrase | None:
    """The noun phrase that begins with the first of these words; None if none does."""
    if not following:
        return None
    first = following[0]
    opening = first.form if first.form in determiner_forms() or first.form in ("sein", "ihr") else ""
    for word in following[bool(opening) :]:
        surface = word.span.of(text)
        if surface[:1].isupper():
            return FollowingPhrase(opening, surface)
        is_adjective = surface.endswith(("e", "en", "er", "es", "em")) and word.form not in words_with()
        if not word.form.isalpha() or not (is_adjective and opening):
            return FollowingPhrase(opening, "") if opening and word.form.isalpha() else None
    return None


def bare_noun(text: str, words: Sequence[Token]) -> str:
    """The noun that begins here without a determiner, past adjectives; empty if none does: *(sie) zwei alte Hüte*."""
    for word in words:
        surface = word.span.of(text)
        if surface[0].isupper():
            return surface
        if is_closed(word.form) or not adjective_stem(surface):
            return ""
    return ""
