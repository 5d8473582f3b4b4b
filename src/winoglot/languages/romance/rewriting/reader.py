"""Finds the noun phrases, verbs and pronouns of a text, from left to right.

No parser: closed-class words, determiners and the forms of listed verbs show where a phrase begins and where it ends.
The candidates' mentions are known, which is what makes it work.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words
from winoglot.languages.name_evidence import is_preposition
from winoglot.languages.names import name_gender
from winoglot.languages.openings import split
from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
from winoglot.languages.romance.rewriting.word_classes import WordClasses
from winoglot.languages.slots import slot_of
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item


@lru_cache(maxsize=256)  # several kinds and checks look at the same item
def clauses_of(item: Item, rules: Rules) -> Clauses:
    """The clauses of an item."""
    return _Reader(item, rules).read()


class _Reader(WordClasses):
    """Classifies the words of a text from left to right."""

    def __init__(self, item: Item, rules: Rules) -> None:
        super().__init__(item, rules)
        self.phrases: list[TextPhrase] = []
        self.at: dict[int, TextPhrase] = {}

    def read(self) -> Clauses:
        for index, candidate in enumerate(self.item.candidates):
            for mention in candidate.mentions:
                self._add_mention(index, mention)
        number = 0
        while number < len(self.words):
            if self.classes[number]:
                number += 1
                continue
            number = self._classify(number)
        for phrase in [phrase for phrase in self.phrases if self._form(phrase.first) == "des"]:
            self._settle_des(phrase)
        return Clauses(
            self.item, self.rules, self.words, tuple(self.classes), tuple(sorted(self.phrases, key=lambda p: p.first)),
            self.pronoun, self.at,
        )  # fmt: skip

    def _settle_des(self, phrase: TextPhrase) -> None:
        """French *des* is *de* and *les* after a noun, an article after a verb."""
        before = self._class(phrase.first - 1)
        if before == "noun":
            settled = replace(phrase, preposition="de")
        else:
            settled = replace(phrase, preposition="", determiner="des")
        self.phrases[self.phrases.index(phrase)] = settled
        for number in range(phrase.first, phrase.last + 1):
            self.at[number] = settled

    def _add_mention(self, index: int, mention: Span) -> None:
        """Add the noun phrase of a candidate's mention."""
        slot = slot_of(self.item, mention, self.item.language)
        inside = [n for n, word in enumerate(self.words) if word.span.within(slot.span) and word.span != Span(0, 0)]
        if not inside or any(self.classes[n] for n in inside):
            return
        nouns = [n for n in inside if self.words[n].span.start >= slot.noun.start]
        if not nouns:
            return
        is_name = (slot.noun.of(self.text)[:1].isupper() and not self._opens(nouns[0])) or bool(
            name_gender(slot.noun.of(self.text), self.item.language).value
        )
        preposition, determiner, first = slot.preposition, slot.determiner, inside[0]
        if determiner == "a" and is_name and self.rules.drops_subjects and self._is_preposition(index):
            preposition, determiner, first = "a", "", nouns[0]
            self.classes[inside[0]] = "preposition"
        elif not preposition and first and self.words[first - 1].form in self.grammar.prepositions:
            preposition = self.words[first - 1].form
        head = next((n for n in nouns if n == nouns[-1] or not self._is_prenominal(n)), nouns[0])
        last = (
            self._with_adjectives(nouns[-1], self._gender_and_number(determiner, head, is_name=False)[0])
            if not is_name
            else nouns[-1]
        )
        self._add(
            TextPhrase(
                first,
                head,
                last,
                preposition,
                determiner,
                *self._gender_and_number(determiner, head, is_name=is_name),
                index,
                is_name,
            )
        )

    def _is_preposition(self, index: int) -> bool:
        return bool(self.item.candidates[index].mentions) and is_preposition(self.item, index, self.item.language)

    def _add(self, phrase: TextPhrase) -> None:
        self.phrases.append(phrase)
        for number in range(phrase.first, phrase.last + 1):
            self.classes[number] = self.classes[number] or "noun"
            self.at[number] = phrase

    def _gender_and_number(self, determiner: str, head: int, *, is_name: bool) -> tuple[str | None, str | None]:
        """Gender and number by the determiner, else by the noun."""
        table = self.grammar.table("determiners").features()
        features = [table[form] for form in determiner.split() if form in table]
        gender = next((feature.gender for feature in features if feature.gender), None)
        number = next((feature.number for feature in features if feature.number), None)
        if is_name:
            return gender, number or "singular"
        form = self.words[head].form
        return gender or self.rules.noun_gender(form), number or self.rules.noun_number(form)

    def _classify(self, number: int) -> int:  # noqa: PLR0912
        """Classify a word, or the phrase that it begins; the number of the next one."""
        rules, form = self.rules, self._form(number)
        if self.words[number].is_sign:
            self.classes[number] = "sign"
            return number + 1
        before = self._class(number - 1)
        is_subject = before == "pronoun" and self._form(number - 1) in rules.subjects
        if form in rules.verbs_too and (before == "negation" or is_subject or self._form(number - 1) == "se"):
            self.classes[number] = "verb"  # "não para de rir"
            return number + 1
        if form == "nem" and (self._is_verb(number + 1) or self._form(number + 1) in rules.clitics):
            self.classes[number] = "negation"
            return number + 1
        if form in self.grammar.small("of-pronoun") and form not in rules.pronouns:
            self.classes[number] = "adverb"  # "dali"
            return number + 1
        if number == self.pronoun and form not in rules.possessives:
            self.classes[number] = "pronoun" if form not in self.grammar.small("clitic-only") else "clitic"
            if form in rules.object_clitics and self._has_verb_beside(number):
                self.classes[number] = "clitic"
            return number + 1
        if form in rules.whole and self._is_described(number + 1) and self._form(number - 1) not in rules.perfect:
            self.classes[number] = "adjective"  # "ficou toda suja"
            return number + 1
        if form in rules.other_subjects and form not in rules.determiners:
            self.classes[number] = "indefinite"
            return number + 1
        if form in rules.pronouns and not (form in rules.object_clitics and self._is_verb(number + 1)):
            self.classes[number] = "pronoun"
            return number + 1
        hangs = self.text[self.words[number].span.start - 1 : self.words[number].span.start] == "-"
        is_clitic = form in rules.object_clitics and (hangs or form not in self.grammar.prepositions or form == "a")
        if form == "en" and not self._is_clear(self._form(number + 1)):
            self.classes[number] = "preposition"  # "mettre en garde"
            return number + 1
        if (is_clitic or form in rules.clitics) and self._has_verb_beside(number):
            self.classes[number] = "clitic"
            return number + 1
        if form in rules.relatives:
            is_noun_before = self._class(number - 1) == "noun" or (
                self._form(number - 1) == "," and self._class(number - 2) == "noun"
            )
            is_relative = is_noun_before or self._form(number - 1) in ("o", "a", "os", "as", "ce")
            self.classes[number] = "relative" if is_relative else "subordinator"
            return number + 1
        parts = function_words(self.grammar.tag).contractions.get(form)
        if parts is not None and form not in self.grammar.small("conjunction"):
            return self._phrase(number, parts[0], parts[1])
        if form in rules.determiners:
            return self._phrase(number, "", form)
        for name in ("negation", "verbal-negation"):
            if form in self.grammar.small(name):
                self.classes[number] = "negation"
                return number + 1
        if form in rules.clitics:
            self.classes[number] = "clitic"
            return number + 1
        if form in self.grammar.prepositions or form in rules.prepositions:
            self.classes[number] = "preposition"
            return number + 1
        if form in rules.joining or form in self.grammar.small("coordinator"):
            self.classes[number] = "coordinator"
            return number + 1
        if form in rules.opening:
            self.classes[number] = "subordinator"
            return number + 1
        if self.grammar.is_adverb(form) or form in self.grammar.small("degree"):
            self.classes[number] = "adverb"
            return number + 1
        return self._open(number)

    def _open(self, number: int) -> int:
        """A word of an open class."""
        form, verbs = self._form(number), self.rules.verbs
        if self._is_name(number):
            return self._name(number)
        if self._opens_bare_phrase(number):
            return self._bare_noun(number, number + 1)
        if verbs.first_person(form):
            self.classes[number] = "first-person"
        elif self._is_verb(number):
            self.classes[number] = "verb"
        elif self._is_bare_noun(number):
            return self._bare_noun(number, number)
        elif self.rules.is_infinitive(form):
            self.classes[number] = "infinitive"
        elif self._is_adjective_too(number):
            self.classes[number] = "adjective"  # "est bien plus brillant"
        elif self.grammar.is_gerund(form) or (verbs.nonfinite(form) and form.endswith(("ndo", "ant"))):
            self.classes[number] = "gerund"
        elif verbs.is_participle(form) or self._looks_participle(number):
            self.classes[number] = "participle"
        elif self.rules.is_adjective(form):
            self.classes[number] = "adjective"
        else:
            return self._bare_noun(number, number)
        return number + 1

    def _name(self, number: int) -> int:
        """A name, with all its words; the number of the next word."""
        last = number
        while last + 1 < len(self.words) and self.words[last + 1].is_capital and not self.classes[last + 1]:
            last += 1
        written, language = self.words[number].span.of(self.text), self.item.language
        named = (n for n, candidate in enumerate(self.item.candidates) if split(candidate.text, language)[1] == written)
        candidate = next(named, None) if last == number else None
        before = self._form(number - 1)
        preposition = before if before in self.grammar.prepositions else ""
        gender = name_gender(written, language).value
        self._add(TextPhrase(number, number, last, preposition, "", gender, "singular", candidate, is_name=True))
        return last + 1

    def _bare_noun(self, number: int, head: int) -> int:
        """A noun without determiner; the number of the next word."""
        before, form = self._form(number - 1), self._form(head)
        preposition = before if before in self.grammar.prepositions else ""
        gender, count = self.rules.noun_gender(form), self.rules.noun_number(form)
        last = self._with_adjectives(head, gender)
        self._add(TextPhrase(number, head, last, preposition, "", gender, count))
        return last + 1

    def _phrase(self, number: int, preposition: str, determiner: str) -> int:
        """The noun phrase after a determiner or contraction; the number of the next word."""
        at, determiners = number + 1, [determiner]
        while self._form(at) in self.rules.determiners and self._class(at) == "":
            determiners.append(self._form(at))
            at += 1
        if self._class(at) == "noun":  # a candidate whose mention has no determiner of its own
            self.classes[number] = "determiner"
            return number + 1
        while True:
            is_graded = (
                self._form(at) in ("plus", "moins", "mais", "menos") and self._form(at + 1) in self.grammar.prenominals
            )
            if is_graded and self._is_open(at + 2):
                at += 2  # "sa plus belle robe"
            elif self._form(at) in self.grammar.prenominals and self._is_open(at + 1):
                at += 1
            else:
                break
        is_counted = at > number + 1 or determiner in self.rules.both
        is_verb = bool(self.rules.verbs.finite(self._form(at))) and self._is_clear(self._form(at))
        if not self._is_open(at) or (is_verb and is_counted and self.rules.listed(self._form(at)) is None):
            # "as duas voltaram"
            is_preposition = preposition or (determiner == "a" and self._form(at) in self.rules.pronouns)  # "a ela"
            self.classes[number] = "preposition" if is_preposition else "determiner"
            return number + 1
        if not preposition and number and self._form(number - 1) in self.grammar.prepositions:
            preposition = self._form(number - 1)
        gender, plural = self._gender_and_number(" ".join(determiners), at, is_name=False)
        is_name = self.words[at].is_capital
        last = at if is_name else self._with_adjectives(at, gender)
        self._add(TextPhrase(number, at, last, preposition, " ".join(determiners), gender, plural, None, is_name))
        return last + 1

    def _with_adjectives(self, last: int, gender: str | None) -> int:
        """The last word of a phrase, with the adjectives after its noun."""
        at = last + 1
        while True:
            form = self._form(at)
            is_graded = form in self.grammar.small("degree") and self.rules.is_adjective(self._form(at + 1))
            if is_graded and self._agrees(self._form(at + 1), gender):
                at += 2
                continue
            is_superlative = form in ("le", "la", "les") and self._form(at + 1) in ("plus", "moins")
            if is_superlative and self.rules.is_adjective(self._form(at + 2)):
                at += 3  # "le côté le plus léger"
                continue
            is_adjective = form and not self._class(at) and form not in self.grammar.closed and (
                self.rules.is_adjective(form) or self.grammar.is_participle(form)
            )  # fmt: skip
            if (
                not is_adjective
                or not self._agrees(form, gender)
                or self.words[at].is_capital
                or (self.rules.verbs.finite(form) and self._acts(at))
            ):
                return at - 1
            at += 1
