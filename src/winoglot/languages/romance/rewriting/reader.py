"""Finds the noun phrases, verbs and pronouns of a text, from left to right.

No parser: closed-class words, determiners and the forms of listed verbs show where a phrase begins and where it ends,
and the word before says which of its classes a word has. The candidates' mentions are known, which is what makes it
work.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words
from winoglot.languages.name_evidence import is_preposition
from winoglot.languages.names import is_also_word, name_gender
from winoglot.languages.openings import split
from winoglot.languages.romance.grammar import is_word
from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
from winoglot.languages.romance.words import compounds
from winoglot.languages.slots import opens_sentence, slot_of
from winoglot.languages.substitution import Token
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_VERBAL = ("verb", "infinitive", "gerund", "participle")


@lru_cache(maxsize=256)  # several kinds and checks look at the same item
def clauses_of(item: Item, rules: Rules) -> Clauses:
    """The clauses of an item."""
    return _Reader(item, rules).read()


class _Reader:
    """The words of a text with the classes found so far; a word not yet classified has an empty one."""

    def __init__(self, item: Item, rules: Rules) -> None:
        self.item, self.rules, self.grammar, self.verbs = item, rules, rules.grammar, rules.verbs
        self.contractions = function_words(rules.tag).contractions
        self.text = item.text or ""
        self.words = tuple(self._split(compounds(self.text, 0, len(self.text), self.grammar)))
        self.classes = [""] * len(self.words)
        self.pronoun = next((index for index, word in enumerate(self.words) if word.span == item.pronoun), None)
        self.phrases: list[TextPhrase] = []
        self.at: dict[int, TextPhrase] = {}

    def read(self) -> Clauses:
        for index, candidate in enumerate(self.item.candidates):
            for mention in candidate.mentions:
                self._add_mention(index, mention)
        position = 0
        while position < len(self.words):
            position = position + 1 if self.classes[position] else self._classify(position)
        return Clauses(
            self.item, self.rules, self.words, tuple(self.classes), tuple(sorted(self.phrases, key=lambda p: p.first)),
            self.pronoun, self.at,
        )  # fmt: skip

    def _split(self, words: tuple[Token, ...]) -> list[Token]:
        """Clitics joined by a hyphen as words of their own: *levá-la* is *levar* and *la*."""
        tokens: list[Token] = []
        for word in words:
            verb, _, clitic = word.form.rpartition("-")
            if verb and self.rules.drops_subjects and clitic in self.grammar.words("clitic"):
                start = word.span.end - len(clitic)
                inner = self.rules.before_clitic(verb, clitic)
                tokens.append(Token(inner, Span(word.span.start, start - 1), word.is_capital))
                tokens.append(Token(clitic, Span(start, word.span.end)))
            else:
                tokens.append(word)
        return tokens

    # Words and the words around them

    def _form(self, index: int) -> str:
        return self.words[index].form if 0 <= index < len(self.words) else ""

    def _class(self, index: int) -> str:
        word_class = self.classes[index] if 0 <= index < len(self.classes) else "punctuation"
        return word_class or ("pronoun" if index == self.pronoun else "")

    def _has(self, index: int, use: str) -> bool:
        return self._form(index) in self.rules.words(use)

    def _before(self, index: int, *skipped: str) -> int:
        """The index of the word before, without words of certain classes."""
        index -= 1
        while self._class(index) in skipped:
            index -= 1
        return index

    def _preposition_before(self, index: int) -> str:
        return self._form(index - 1) if self._form(index - 1) in self.grammar.prepositions else ""

    def _is_attached(self, index: int) -> bool:
        start = self.words[index].span.start
        return self.text[start - 1 : start] == "-"

    def _is_open(self, index: int) -> bool:
        """Whether a word that has no class yet may be a noun, an adjective or a verb."""
        form = self._form(index)
        is_free = is_word(form) and not self._class(index)
        return is_free and form not in self.grammar.closed and not self.rules.is_adverb(form)

    def _is_clear(self, form: str) -> bool:
        """Whether a finite form is not a noun or adjective as well, as many in -a and -e are."""
        tenses = {analysis.tense for analysis in self.verbs.finite(form)}
        return not tenses <= {"present", "subjunctive", "future-subjunctive"} or form in self.rules.words("sure-verb")

    def _is_verb(self, index: int) -> bool:
        """Whether a word is a finite verb, by its form and by what comes before it."""
        form, form_before, before = self._form(index), self._form(index - 1), self._class(index - 1)
        is_sure, is_clear = form in self.rules.words("sure-verb"), self._is_clear(form)
        if before == "preposition" or not self.verbs.finite(form) or (form in self.grammar.closed and not is_sure):
            return False  # "em vão"
        if self._has(self._before(index, "adverb", "negation"), "perfect-form") and self.verbs.is_participle(form):
            return False  # "a dit", "n'avait jamais fait"
        if is_sure:
            return True
        if form_before in self.rules.determiners and before not in ("clitic", "pronoun"):
            is_between = self._class(index - 2) in ("pronoun", "negation")  # "ela o admira"
            is_left = self._has(index - 1, "object-clitic") and not self._class(index - 1) and is_clear
            return (is_between or is_left) and self.rules.listed(form) is None  # "a bateria"
        if before in _VERBAL and not is_clear:
            return False
        is_plain = not self.rules.is_adjective(form) or (is_clear and self.verbs.is_listed(form))
        return is_plain or before in ("pronoun", "clitic", "negation", "relative")

    def _has_verb_beside(self, index: int) -> bool:
        """Whether a clitic comes before its verb or is attached to it."""
        if self._is_attached(index):
            return True
        position = index + 1
        while self._has(position, "object-clitic"):
            position += 1
        form, before = self._form(position), self._class(index - 1)
        if (self._is_verb(position) or self.verbs.first_person(form)) and before != "preposition":
            return True  # not "à l'opéra"
        if self._has(index - 1, "perfect-form") and self.verbs.is_participle(form):
            return True  # "havia a deixado"
        is_article_too = self._form(index) in self.rules.determiners and self.rules.drops_subjects
        if is_article_too and before not in ("preposition", "negation"):
            return False  # "ensinou a avó a mandar", "adorar o suéter"
        is_noun = self.rules.listed(form) is not None and not self._is_open(position + 1)  # "aimé le devoir"
        is_verb = form in self.verbs.infinitives or self._takes_infinitive(index)
        return self.rules.is_infinitive(form) and is_verb and not is_noun

    def _takes_infinitive(self, index: int) -> bool:
        """Whether an infinitive may follow here: not after a verb that has an object instead (*augmenté le loyer*)."""
        position = self._before(index, "adverb", "negation")
        form = self._form(position)
        verbs = {self.verbs.nonfinite(form), *(analysis.infinitive for analysis in self.verbs.finite(form))}
        followed, linked = self.rules.listed_with("followed-by"), self.rules.listed_with("links").keys()
        taking = {verb for verb, classes in followed.items() if "infinitive" in classes and verb not in linked}
        moving = self.verbs.actions.words("with-être")  # "est sorti le promener"
        return self._class(position) not in _VERBAL or not verbs.isdisjoint(taking | moving)

    # Closed classes

    def _classify(self, index: int) -> int:
        """Classify a word, or the phrase that it begins; returns the index of the next one."""
        word_class = "punctuation" if self.words[index].is_punctuation else self._closed_class(index)
        if word_class == "determiner":
            return self._read_phrase(index, *self.contractions.get(self._form(index), ("", self._form(index))))
        if word_class:
            self.classes[index] = word_class
            return index + 1
        return self._read_open_class(index)

    def _closed_class(self, index: int) -> str:
        """The class of a word that belongs to a closed one, or stands where only such a word may."""
        form, before = self._form(index), self._class(index - 1)
        is_determiner, is_contraction = form in self.rules.determiners, form in self.contractions
        is_object = self._has(index, "object-clitic") and (self._is_attached(index) or not is_contraction)
        is_after = before == "negation" or (before == "clitic" and not self._is_attached(index - 1))
        if self._has(index, "function-word-or-verb") and (is_after or self._has(index - 1, "subject-pronoun")):
            return "verb"  # "não para de rir", but "convidou-a para sair"
        if self._has(index, "negation-too") and (self._is_verb(index + 1) or self._has(index + 1, "other-clitic")):
            return "negation"
        if form in self.grammar.words("of-pronoun") and not self._has(index, "stressed-pronoun"):
            return "adverb"  # "dali"
        if index == self.pronoun and not self._has(index, "third-owner"):
            is_clitic = form in self.grammar.words("clitic-only") or (is_object and self._has_verb_beside(index))
            return "clitic" if is_clitic else "pronoun"
        following = self._form(index + 1)
        if self._has(index, "whole") and self.rules.is_adjective(following) and self.rules.listed(following) is None:
            return "adjective"  # "ficou toda suja"
        if self._has(index, "other-subject") and not is_determiner:
            return "indefinite"
        if self._has(index, "stressed-pronoun") and not (is_object and self._is_verb(index + 1)):
            return "pronoun"
        is_other = self._has(index, "other-clitic")
        if is_other and form in self.grammar.prepositions and not self._is_clear(self._form(index + 1)):
            return "preposition"  # "mettre en garde"
        if (is_object or is_other) and self._has_verb_beside(index):
            return "clitic"
        if self._has(index, "relative-pronoun"):
            noun = index - 2 if self._form(index - 1) == "," else index - 1
            return "relative" if self._class(noun) == "noun" or self._has(index - 1, "antecedent") else "subordinator"
        if is_determiner or is_contraction:
            return "determiner"
        if self._is_joined_adjective(index) or self._is_last_adjective(index):
            return "adjective"
        return self.rules.closed_class(form)

    def _is_joined_adjective(self, index: int) -> bool:
        """Whether a word joined to an adjective is one too, even one like a preposition: *sain et sauf*."""
        is_joined = self._has(index - 1, "joining") and self._class(index - 2) in ("adjective", "participle")
        form = self._form(index)
        return is_joined and self.rules.is_adjective(self.rules.in_gender(form, "masculine") or form)

    def _is_last_adjective(self, index: int) -> bool:
        """Whether a word that is an adverb or verb elsewhere ends a predicate: *estava só*, *estava são e salvo*."""
        is_last = self._form(index + 1) in self.rules.words("joining") or not is_word(self._form(index + 1))
        return is_last and self.rules.is_adjective(self._form(index)) and self._follows_copula(index)

    # Open classes

    def _read_open_class(self, index: int) -> int:
        """Classify a word of an open class, or read the phrase without determiner that it begins."""
        form = self._form(index)
        if self._is_name(index):
            return self._read_name(index)
        if self.verbs.first_person(form):
            self.classes[index] = "first-person"
        elif self._is_verb(index):
            self.classes[index] = "verb"
        elif self._is_bare_noun(index):
            return self._read_bare_noun(index)
        elif self.rules.is_infinitive(form):
            self.classes[index] = "infinitive"
        elif form.endswith(("ant", "ants")) and self._follows_copula(index):
            self.classes[index] = "adjective"  # "est bien plus brillant"
        elif self.grammar.is_gerund(form) or (self.verbs.nonfinite(form) and form.endswith(("ndo", "ant"))):
            self.classes[index] = "gerund"
        elif self.verbs.is_participle(form) or self._looks_participle(index):
            self.classes[index] = "participle"
        elif self.rules.is_adjective(form):
            self.classes[index] = "adjective"
        else:
            return self._read_bare_noun(index)
        return index + 1

    def _is_name(self, index: int) -> bool:
        """Whether a word with a capital is a name, even at the start of a sentence."""
        word, language = self.words[index], self.item.language
        if not word.is_capital or not opens_sentence(self.text, word.span.start):
            return word.is_capital
        surface = word.span.of(self.text)
        if surface in {split(candidate.text, language)[1] for candidate in self.item.candidates}:
            return True
        is_listed = bool(name_gender(surface, language).value) and not is_also_word(surface, language)
        return is_listed and not self.verbs.analyses(word.form)

    def _follows_copula(self, index: int) -> bool:
        """Whether a word follows a verb that links its subject to a predicate, perhaps with adverbs between."""
        position = self._before(index, "adverb", "negation")
        verbs = {analysis.infinitive for analysis in self.verbs.finite(self._form(position))}
        return self._class(position) == "verb" and bool(verbs & self.rules.words("linking-verb"))

    def _is_bare_noun(self, index: int) -> bool:
        """Whether a word that may be an adjective is really a noun: *em voz alta*, *fazer cara de inocente*."""
        form, position = self._form(index), self._before(index, "adverb")
        is_noun = self.grammar.is_noun_too(form) or self.rules.listed(form) is not None
        if not is_noun or form in self.verbs.infinitives:  # "cansada de ser ignorada"
            return False
        if self._class(position) == "preposition":
            return True
        is_compound = self.verbs.is_participle(form) and self._has(position, "sure-verb")  # "a marché"
        return self._class(position) in _VERBAL and not is_compound and not self._follows_copula(index)

    def _looks_participle(self, index: int) -> bool:
        """Whether an unlisted word has the ending of a participle, or follows an auxiliary as one would: *a tordu*."""
        form, is_after = self._form(index), self._has(self._before(index, "adverb", "negation"), "perfect-form")
        is_regular = self.grammar.is_participle(form) and not self.grammar.is_listed_adjective(form)
        is_other = is_after and self.rules.listed(form) is None and form.endswith(self.rules.participle_endings)
        return self._class(index - 1) != "preposition" and (is_regular or is_other)  # not "de côté"

    # Noun phrases

    def _add(self, phrase: TextPhrase) -> int:
        """Add a phrase; returns the index of the next word."""
        self.phrases.append(phrase)
        for index in range(phrase.first, phrase.last + 1):
            self.classes[index] = self.classes[index] or "noun"
            self.at[index] = phrase
        return phrase.last + 1

    def _add_mention(self, index: int, mention: Span) -> None:
        """Add the noun phrase of a candidate's mention."""
        slot = slot_of(self.item, mention, self.item.language)
        indexes = [n for n, word in enumerate(self.words) if word.span.within(slot.span)]
        nouns = [n for n in indexes if self.words[n].span.start >= slot.noun.start]
        if not nouns or any(self.classes[n] for n in indexes):  # part of another candidate
            return
        noun = slot.noun.of(self.text)
        is_inside = noun[:1].isupper() and not opens_sentence(self.text, self.words[nouns[0]].span.start)
        is_name = is_inside or bool(name_gender(noun, self.item.language).value)
        preposition, determiner, first = slot.preposition, slot.determiner, indexes[0]
        is_contact = determiner == "a" and is_name and self.rules.drops_subjects  # "disse a Ana"
        if is_contact and is_preposition(self.item, index, self.item.language):
            preposition, determiner, first = "a", "", nouns[0]
            self.classes[indexes[0]] = "preposition"
        head = next((n for n in nouns if n == nouns[-1] or not self._is_prenominal(n)), nouns[0])
        gender, number = self._gender_and_number(determiner, head, is_name=is_name)
        last = nouns[-1] if is_name else self._with_adjectives(nouns[-1], gender)
        before = preposition or self._preposition_before(first)
        self._add(TextPhrase(first, head, last, before, determiner, gender, number, index, is_name))

    def _is_prenominal(self, index: int) -> bool:
        return self._form(index) in self.grammar.prenominals | self.rules.determiners

    def _gender_and_number(self, determiner: str, head: int, *, is_name: bool) -> tuple[str | None, str | None]:
        """Gender and number by the determiner, else by the noun."""
        table, form = self.grammar.table("determiners").features(), self._form(head)
        features = [table[word] for word in determiner.split() if word in table]
        gender = next((feature.gender for feature in features if feature.gender), None)
        number = next((feature.number for feature in features if feature.number), None)
        if is_name:
            return gender, number or "singular"
        return gender or self.rules.noun_gender(form), number or self.rules.noun_number(form)

    def _read_name(self, index: int) -> int:
        """A name, with all its words."""
        last, language = index, self.item.language
        while last + 1 < len(self.words) and self.words[last + 1].is_capital and not self.classes[last + 1]:
            last += 1
        written = self.words[index].span.of(self.text)
        names = [split(candidate.text, language)[1] for candidate in self.item.candidates]
        candidate = names.index(written) if last == index and written in names else None
        gender, preposition = name_gender(written, language).value, self._preposition_before(index)
        return self._add(TextPhrase(index, index, last, preposition, "", gender, "singular", candidate, is_name=True))

    def _read_bare_noun(self, index: int) -> int:
        """A noun without determiner, with its adjectives."""
        gender, number = self._gender_and_number("", index, is_name=False)
        last = self._with_adjectives(index, gender)
        return self._add(TextPhrase(index, index, last, self._preposition_before(index), "", gender, number))

    def _read_phrase(self, index: int, preposition: str, determiner: str) -> int:
        """The noun phrase after a determiner or contraction; without a noun, the determiner alone."""
        head, determiners = index + 1, [determiner]
        while self._form(head) in self.rules.determiners:
            determiners.append(self._form(head))
            head += 1
        if self._class(head) == "noun":  # a candidate whose mention has no determiner of its own
            self.classes[index] = "determiner"
            return index + 1
        while True:
            adjective = head + self._has(head, "comparison-word")  # "sa plus belle robe"
            if self._form(adjective) not in self.grammar.prenominals or not self._is_open(adjective + 1):
                break
            head = adjective + 1
        form = self._form(head)
        is_counted = head > index + 1 or determiner in self.rules.words("both-people")
        is_verb = bool(self.verbs.finite(form)) and self._is_clear(form)
        if not self._is_open(head) or (is_verb and is_counted):  # "as duas voltaram", "a ela"
            self.classes[index] = "preposition" if preposition or determiner == "a" else "determiner"
            return index + 1
        preposition = preposition or self._preposition_before(index)
        gender, number = self._gender_and_number(" ".join(determiners), head, is_name=False)
        is_name = self.words[head].is_capital
        last = head if is_name else self._with_adjectives(head, gender)
        written = " ".join(determiners)
        return self._add(TextPhrase(index, head, last, preposition, written, gender, number, None, is_name))

    def _with_adjectives(self, last: int, gender: str | None) -> int:
        """The last word of a phrase, with the adjectives after its noun: *le côté le plus léger*."""
        while True:
            index = last + 1
            index += self._has(index, "superlative-article") and self._has(index + 1, "comparison-word")
            index += self._form(index) in self.grammar.words("degree")
            is_free = not self._class(index) and self._form(index) not in self.grammar.closed
            if not is_free or not self._agrees(index, gender) or self._acts_as_verb(index):
                return last
            last = index

    def _agrees(self, index: int, gender: str | None) -> bool:
        """Whether a word may be an adjective of a noun of this gender: not *um palmo mais baixa*."""
        form = self._form(index)
        is_adjective = self.rules.is_adjective(form) or self.grammar.is_participle(form)
        has_gender = gender not in ("masculine", "feminine") or self.rules.in_gender(form, gender or "") in (form, None)
        return is_adjective and has_gender

    def _acts_as_verb(self, index: int) -> bool:
        """Whether a word after a noun that may be its adjective is really its verb."""
        return bool(self.verbs.finite(self._form(index))) and self._is_clear(self._form(index))
