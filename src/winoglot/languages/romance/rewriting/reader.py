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
        position = 0
        while position < len(self.words):
            if self.classes[position]:
                position += 1
                continue
            position = self._classify(position)
        for phrase in [phrase for phrase in self.phrases if self._form(phrase.first) == "des"]:
            self._resolve_des(phrase)
        return Clauses(
            self.item, self.rules, self.words, tuple(self.classes), tuple(sorted(self.phrases, key=lambda p: p.first)),
            self.pronoun, self.at,
        )  # fmt: skip

    def _resolve_des(self, phrase: TextPhrase) -> None:
        """French *des* is *de* and *les* after a noun, an article after a verb."""
        before = self._class(phrase.first - 1)
        if before == "noun":
            settled = replace(phrase, preposition="de")
        else:
            settled = replace(phrase, preposition="", determiner="des")
        self.phrases[self.phrases.index(phrase)] = settled
        for index in range(phrase.first, phrase.last + 1):
            self.at[index] = settled

    def _add_mention(self, index: int, mention: Span) -> None:
        """Add the noun phrase of a candidate's mention."""
        slot = slot_of(self.item, mention, self.item.language)
        indexes = [n for n, word in enumerate(self.words) if word.span.within(slot.span) and word.span != Span(0, 0)]
        if not indexes or any(self.classes[n] for n in indexes):
            return
        nouns = [n for n in indexes if self.words[n].span.start >= slot.noun.start]
        if not nouns:
            return
        is_name = (slot.noun.of(self.text)[:1].isupper() and not self._opens(nouns[0])) or bool(
            name_gender(slot.noun.of(self.text), self.item.language).value
        )
        preposition, determiner, first = slot.preposition, slot.determiner, indexes[0]
        if determiner == "a" and is_name and self.rules.drops_subjects and self._is_preposition(index):
            preposition, determiner, first = "a", "", nouns[0]
            self.classes[indexes[0]] = "preposition"
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
        for index in range(phrase.first, phrase.last + 1):
            self.classes[index] = self.classes[index] or "noun"
            self.at[index] = phrase

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

    def _classify(self, index: int) -> int:  # noqa: PLR0912
        """Classify a word, or the phrase that it begins; returns the index of the next one."""
        rules, form = self.rules, self._form(index)
        if self.words[index].is_punctuation:
            self.classes[index] = "punctuation"
            return index + 1
        before = self._class(index - 1)
        is_subject = before == "pronoun" and self._form(index - 1) in rules.words("subject-pronoun")
        if form in rules.words("verb-after-negation") and (
            before == "negation" or is_subject or self._form(index - 1) == "se"
        ):
            self.classes[index] = "verb"  # "não para de rir"
            return index + 1
        if form == "nem" and (self._is_verb(index + 1) or self._form(index + 1) in rules.words("other-clitic")):
            self.classes[index] = "negation"
            return index + 1
        if form in self.grammar.words("of-pronoun") and form not in rules.words("stressed-pronoun"):
            self.classes[index] = "adverb"  # "dali"
            return index + 1
        if index == self.pronoun and form not in rules.words("third-owner"):
            self.classes[index] = "pronoun" if form not in self.grammar.words("clitic-only") else "clitic"
            if form in rules.words("object-clitic") and self._has_verb_beside(index):
                self.classes[index] = "clitic"
            return index + 1
        if (
            form in rules.words("whole")
            and self._is_described(index + 1)
            and self._form(index - 1) not in rules.words("perfect-form")
        ):
            self.classes[index] = "adjective"  # "ficou toda suja"
            return index + 1
        if form in rules.words("other-subject") and form not in rules.determiners:
            self.classes[index] = "indefinite"
            return index + 1
        if form in rules.words("stressed-pronoun") and not (
            form in rules.words("object-clitic") and self._is_verb(index + 1)
        ):
            self.classes[index] = "pronoun"
            return index + 1
        is_attached = self.text[self.words[index].span.start - 1 : self.words[index].span.start] == "-"
        is_clitic = form in rules.words("object-clitic") and (
            is_attached or form not in self.grammar.prepositions or form == "a"
        )
        if form == "en" and not self._is_clear(self._form(index + 1)):
            self.classes[index] = "preposition"  # "mettre en garde"
            return index + 1
        if (is_clitic or form in rules.words("other-clitic")) and self._has_verb_beside(index):
            self.classes[index] = "clitic"
            return index + 1
        if form in rules.words("relative-pronoun"):
            is_noun_before = self._class(index - 1) == "noun" or (
                self._form(index - 1) == "," and self._class(index - 2) == "noun"
            )
            is_relative = is_noun_before or self._form(index - 1) in ("o", "a", "os", "as", "ce")
            self.classes[index] = "relative" if is_relative else "subordinator"
            return index + 1
        parts = function_words(self.grammar.tag).contractions.get(form)
        if parts is not None and form not in self.grammar.words("conjunction"):
            return self._read_phrase(index, parts[0], parts[1])
        if form in rules.determiners:
            return self._read_phrase(index, "", form)
        for name in ("negation", "verbal-negation"):
            if form in self.grammar.words(name):
                self.classes[index] = "negation"
                return index + 1
        if form in rules.words("other-clitic"):
            self.classes[index] = "clitic"
            return index + 1
        if form in self.grammar.prepositions or form in rules.words("opens-phrase"):
            self.classes[index] = "preposition"
            return index + 1
        if form in rules.words("joining") or form in self.grammar.words("coordinator"):
            self.classes[index] = "coordinator"
            return index + 1
        if form in rules.words("clause-opener"):
            self.classes[index] = "subordinator"
            return index + 1
        if self.grammar.is_adverb(form) or form in self.grammar.words("degree"):
            self.classes[index] = "adverb"
            return index + 1
        return self._read_open_class(index)

    def _read_open_class(self, index: int) -> int:
        """A word of an open class."""
        form, verbs = self._form(index), self.rules.verbs
        if self._is_name(index):
            return self._read_name(index)
        if self._opens_bare_phrase(index):
            return self._read_bare_noun(index, index + 1)
        if verbs.first_person(form):
            self.classes[index] = "first-person"
        elif self._is_verb(index):
            self.classes[index] = "verb"
        elif self._is_bare_noun(index):
            return self._read_bare_noun(index, index)
        elif self.rules.is_infinitive(form):
            self.classes[index] = "infinitive"
        elif self._is_adjective_too(index):
            self.classes[index] = "adjective"  # "est bien plus brillant"
        elif self.grammar.is_gerund(form) or (verbs.nonfinite(form) and form.endswith(("ndo", "ant"))):
            self.classes[index] = "gerund"
        elif verbs.is_participle(form) or self._looks_participle(index):
            self.classes[index] = "participle"
        elif self.rules.is_adjective(form):
            self.classes[index] = "adjective"
        else:
            return self._read_bare_noun(index, index)
        return index + 1

    def _read_name(self, index: int) -> int:
        """A name, with all its words; returns the index of the next word."""
        last = index
        while last + 1 < len(self.words) and self.words[last + 1].is_capital and not self.classes[last + 1]:
            last += 1
        written, language = self.words[index].span.of(self.text), self.item.language
        named = (
            position
            for position, candidate in enumerate(self.item.candidates)
            if split(candidate.text, language)[1] == written
        )
        candidate = next(named, None) if last == index else None
        before = self._form(index - 1)
        preposition = before if before in self.grammar.prepositions else ""
        gender = name_gender(written, language).value
        self._add(TextPhrase(index, index, last, preposition, "", gender, "singular", candidate, is_name=True))
        return last + 1

    def _read_bare_noun(self, index: int, head: int) -> int:
        """A noun without determiner; returns the index of the next word."""
        before, form = self._form(index - 1), self._form(head)
        preposition = before if before in self.grammar.prepositions else ""
        gender, count = self.rules.noun_gender(form), self.rules.noun_number(form)
        last = self._with_adjectives(head, gender)
        self._add(TextPhrase(index, head, last, preposition, "", gender, count))
        return last + 1

    def _read_phrase(self, index: int, preposition: str, determiner: str) -> int:
        """The noun phrase after a determiner or contraction; returns the index of the next word."""
        position, determiners = index + 1, [determiner]
        while self._form(position) in self.rules.determiners and self._class(position) == "":
            determiners.append(self._form(position))
            position += 1
        if self._class(position) == "noun":  # a candidate whose mention has no determiner of its own
            self.classes[index] = "determiner"
            return index + 1
        while True:
            is_graded = (
                self._form(position) in ("plus", "moins", "mais", "menos")
                and self._form(position + 1) in self.grammar.prenominals
            )
            if is_graded and self._is_open(position + 2):
                position += 2  # "sa plus belle robe"
            elif self._form(position) in self.grammar.prenominals and self._is_open(position + 1):
                position += 1
            else:
                break
        is_counted = position > index + 1 or determiner in self.rules.words("both-people")
        is_verb = bool(self.rules.verbs.finite(self._form(position))) and self._is_clear(self._form(position))
        if not self._is_open(position) or (is_verb and is_counted and self.rules.listed(self._form(position)) is None):
            # "as duas voltaram", "a ela"
            is_preposition = preposition or (
                determiner == "a" and self._form(position) in self.rules.words("stressed-pronoun")
            )
            self.classes[index] = "preposition" if is_preposition else "determiner"
            return index + 1
        if not preposition and index and self._form(index - 1) in self.grammar.prepositions:
            preposition = self._form(index - 1)
        gender, plural = self._gender_and_number(" ".join(determiners), position, is_name=False)
        is_name = self.words[position].is_capital
        last = position if is_name else self._with_adjectives(position, gender)
        self._add(TextPhrase(index, position, last, preposition, " ".join(determiners), gender, plural, None, is_name))
        return last + 1

    def _with_adjectives(self, last: int, gender: str | None) -> int:
        """The last word of a phrase, with the adjectives after its noun."""
        index = last + 1
        while True:
            form = self._form(index)
            is_graded = form in self.grammar.words("degree") and self.rules.is_adjective(self._form(index + 1))
            if is_graded and self._agrees(self._form(index + 1), gender):
                index += 2
                continue
            is_superlative = form in ("le", "la", "les") and self._form(index + 1) in ("plus", "moins")
            if is_superlative and self.rules.is_adjective(self._form(index + 2)):
                index += 3  # "le côté le plus léger"
                continue
            is_adjective = form and not self._class(index) and form not in self.grammar.closed and (
                self.rules.is_adjective(form) or self.grammar.is_participle(form)
            )  # fmt: skip
            if (
                not is_adjective
                or not self._agrees(form, gender)
                or self.words[index].is_capital
                or (self.rules.verbs.finite(form) and self._acts_as_verb(index))
            ):
                return index - 1
            index += 1
