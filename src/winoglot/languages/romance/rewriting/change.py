"""What both candidates, and all that agrees with them, become in the other gender or number.

Used by `gender` and `number`: a phrase with its determiner and adjectives, a candidate's citation, predicates, and
words that may agree with a candidate, about which a reader is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.openings import split
from winoglot.languages.romance.rewriting.agreement import Agreeing, check_repeated
from winoglot.languages.romance.rewriting.writing import Writing

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules

_ARTICLES = frozenset({"o", "a", "os", "as", "le", "la", "les"})  # of a superlative
_INDEFINITE = frozenset({"", "um", "uma", "un", "une", "l'", "les"})
OTHER = {"masculine": "feminine", "feminine": "masculine", "singular": "plural", "plural": "singular"}


@dataclass
class Change:
    """The change of one feature of both candidates, and where it is written."""

    writing: Writing
    feature: Literal["gender", "number"]
    old: str

    @property
    def new(self) -> str:
        """The other gender or number."""
        return OTHER[self.old]

    @property
    def clauses(self) -> Clauses:
        """The clauses of the text."""
        return self.writing.clauses

    @property
    def rules(self) -> Rules:
        """The rules of the language."""
        return self.clauses.rules

    # Words

    def gender_and_number(self, phrase: TextPhrase) -> tuple[str, str]:
        """The gender and number that a phrase then has."""
        if self.feature == "number":
            return self._gender_of(phrase), self.new
        return self.new, "plural" if phrase.number == "plural" else "singular"

    def _gender_of(self, phrase: TextPhrase) -> str:
        """The gender of a phrase, by its words, by the author's statement, or by the pronoun."""
        clauses = self.clauses
        candidate = clauses.item.candidates[phrase.candidate or 0]
        pronoun = clauses.form(clauses.pronoun) if clauses.pronoun is not None else ""
        by_pronoun = lexicon(self.rules.tag, "pronouns").features().get(pronoun)
        known = (
            phrase.gender or self.rules.noun_gender(clauses.form(phrase.head)),
            features_of(candidate, clauses.item, clauses.item.language).gender.value,
            by_pronoun.gender if by_pronoun else None,
        )
        gender = next((gender for gender in known if gender in ("masculine", "feminine")), None)
        if gender is None:
            raise NotDerivedError(f"the gender of {clauses.form(phrase.head)!r} is unknown")
        return gender

    def noun(self, form: str, phrase: TextPhrase) -> str:
        """The noun of a phrase in its new form; NotDerivedError if it has none."""
        if self.feature == "number":
            return self.adjective(form)
        return counterpart(form, self.new, self.rules, owned=_is_owned(self.clauses, phrase))

    def adjective(self, form: str) -> str:
        """An adjective in its new form; NotDerivedError if that is not known."""
        rules = self.rules
        if self.feature == "gender":
            inflected = rules.in_gender(form, self.new)
        else:
            inflected = rules.in_plural(form) if self.new == "plural" else rules.in_singular(form)
        if inflected is None:
            raise NotDerivedError(f"the {self.new} of {form!r} is unknown")
        return inflected

    def _is_described(self, form: str) -> bool:
        """Whether a word after a noun describes it."""
        is_degree = form in self.rules.grammar.words("degree")
        return is_degree or self.rules.is_adjective(form) or self.rules.verbs.is_participle(form)

    def _is_owner(self, form: str) -> bool:
        """Whether a possessive shows the number of owners, who change: *son*, *leurs*."""
        shows_number = self.feature == "number" and self.rules.owners_show_number
        return shows_number and form in self.rules.words("third-owner")

    # Phrases

    def write(self, phrase: TextPhrase) -> None:
        """Write a phrase in its new form: determiner, adjectives and noun."""
        clauses, rules, writing = self.clauses, self.rules, self.writing
        if self.feature == "number":
            self._check_counted(phrase)
        elif clauses.form(phrase.first - 1) in rules.words("whole") | rules.words("both-people"):
            writing.determiner(phrase.first - 1, *self.gender_and_number(phrase))  # "toutes les filles"
        gender, number = self.gender_and_number(phrase)
        after = range(phrase.head + 1, phrase.last + 1)
        end = next((index for index in after if not self._is_described(clauses.form(index))), phrase.last + 1)
        for index in reversed(range(phrase.first, end)):  # a determiner depends on the word after it
            form = clauses.form(index)
            if index == phrase.head:
                writing.word(index, self.noun(form, phrase))
            elif index < phrase.head and self._is_owner(form):
                writing.owner(index, gender, number)
            elif index < phrase.head and (form in rules.determiners or form in function_words(rules.tag).contractions):
                writing.determiner(index, gender, number)
            elif form not in rules.grammar.words("degree"):
                inflected = self.adjective(form)
                is_before = number == "singular" and index < phrase.head
                writing.word(
                    index, rules.before_vowel(inflected, writing.written_after(index)) if is_before else inflected
                )

    def _check_counted(self, phrase: TextPhrase) -> None:
        """Refuse a phrase that has no other number."""
        clauses, rules, head = self.clauses, self.rules, self.clauses.form(phrase.head)
        before, is_bare = clauses.form(phrase.first - 1), phrase.first == phrase.head != 0
        after = [clauses.form(index) for index in range(phrase.head + 1, phrase.last + 1)]
        following = next((form for form in after if not self._is_described(form)), "de")
        is_linked = following in rules.grammar.prepositions or following in ("à", "de", "d'")
        reasons = {
            f"{head!r} has no article": not phrase.determiner,
            f"the noun before {head!r} is not spoken": head in rules.grammar.prepositions | rules.words("of-word"),
            f"{head!r} is not counted": rules.listed(head) in lexicon(rules.tag, "vocabulary").words("mass"),
            f"{head!r} is a name": phrase.is_name or (clauses.words[phrase.head].is_capital and is_bare),
            f"{before!r} belongs to {head!r}": before in rules.grammar.predeterminers | rules.words("whole"),
            f"{following!r} may agree with {head!r}": not is_linked,
        }
        for reason, holds in reasons.items():
            if holds:
                raise NotDerivedError(reason)

    def write_candidate(self, index: int) -> str:
        """Write a candidate's noun in its new form wherever it is mentioned; its new citation."""
        clauses, rules, candidate = self.clauses, self.rules, self.clauses.item.candidates[index]
        phrases = [phrase for phrase in clauses.phrases if phrase.candidate == index]
        if not phrases or len(phrases) != len(candidate.mentions):
            raise NotDerivedError(f"{candidate.text!r} is not mentioned as one plain phrase")
        check_repeated(clauses, index)
        for phrase in phrases:
            following = clauses.phrase_at(phrase.last + 1)
            if following is not None and following.is_name and not following.preposition:
                raise NotDerivedError(f"{candidate.text!r} has a name")
            self.write(phrase)
        determiner, noun = split(candidate.text, clauses.item.language)
        written, head = noun.split(" "), clauses.form(phrases[0].head)
        words = [word.lower() for word in written]
        if head not in words:
            raise NotDerivedError(f"{candidate.text!r} is mentioned in another form")
        noun_at = words.index(head)
        after = range(noun_at + 1, len(words))
        end = next((position for position in after if not self._is_described(words[position])), len(words))
        if any(word[:1].isupper() for word in written[end : end + 1]):
            raise NotDerivedError(f"{candidate.text!r} is a name with a title")
        degrees = rules.grammar.words("degree")
        inflected = [
            self.noun(word, phrases[0]) if word == head else word if word in degrees else self.adjective(word)
            for word in words[:end]
        ]
        gender, number = self.gender_and_number(phrases[0])
        if number == "singular":
            inflected[:noun_at] = [rules.before_vowel(*pair) for pair in pairwise(inflected[: noun_at + 1])]
        article = rules.determiner(determiner, gender, number, inflected[0]) if determiner else ""
        if self._is_owner(determiner):
            article = rules.owned(gender, number, inflected[0])
        text = rules.joined(article, " ".join([*inflected, *written[end:]]))
        return text[:1].upper() + text[1:] if candidate.text[:1].isupper() else text

    # What agrees with a candidate

    def write_agreeing(self, words: Agreeing) -> None:
        """Write what certainly agrees with a candidate, and ask about what may."""
        for index in words.adjectives:
            try:
                self._write_predicate(index)
            except NotDerivedError as error:
                self.writing.doubts.append(str(error))
        for index, is_likely in words.unsure_adjectives.items():
            if index not in words.adjectives and self._may_agree(index) and not self.writing.has(index):
                self.writing.doubts.append(f"does {self.clauses.form(index)!r} agree with a candidate?")
                self._write_likely(index, is_likely=is_likely)

    def _write_predicate(self, index: int) -> None:
        """Write a predicate of a candidate: *era cansada*, *era médica*, *a mais alta*."""
        clauses, rules, form, phrase = self.clauses, self.rules, self.clauses.form(index), self.clauses.phrase_at(index)
        if phrase is None and form in _ARTICLES:
            number = self.new if self.feature == "number" else "singular"
            self.writing.determiner(index, self.referent_gender(index), number)
            return
        is_special = form in rules.words("self") | rules.words("whole")  # "eles mesmos", "todas sujas"
        if phrase is None:
            is_fixed = form in rules.grammar.words("degree") or rules.grammar.is_adverb(form)
            if is_special or not is_fixed or self.feature == "gender":
                self.writing.word(index, self.adjective(form))
            return
        if index != phrase.first:
            return
        head = clauses.form(phrase.head)
        kind = rules.animacy(head)
        if self.feature == "gender" and kind == "human":
            if phrase.gender == self.old:
                self.write(phrase)
        elif self.feature == "number" and (phrase.determiner or rules.grammar.is_noun_too(head)):
            raise NotDerivedError(f"does {head!r} become {self.new} too?")
        elif not phrase.determiner and kind in (None, "human"):
            if index != phrase.last:
                raise NotDerivedError(f"is {form!r} an adjective of a candidate?")
            inflected = self.adjective(form)
            if self.feature == "number" or rules.in_gender(form, self.old) == form:
                self.writing.word(index, inflected)

    def _may_agree(self, index: int) -> bool:
        """Whether a word shows the old gender or number, perhaps because it agrees with a candidate."""
        rules, form, phrase = self.rules, self.clauses.form(index), self.clauses.phrase_at(index)
        is_special = form in rules.words("both-people") | rules.words("lone") | rules.words("self")
        if self.feature == "number":
            is_plural = rules.in_singular(form) is not None
            return (phrase is None or index == phrase.head) and (is_special or is_plural == (self.old == "plural"))
        if is_special:
            return rules.in_gender(form, self.new) != form
        if phrase is not None and (index != phrase.head or phrase.determiner not in _INDEFINITE):
            return False
        return rules.in_gender(form, self.new) not in (form, None) and rules.in_gender(form, self.old) == form

    def _write_likely(self, index: int, *, is_likely: bool) -> None:
        """Write the likely form of a word that may agree with a candidate, for the draft: *quatro*, *os dois*."""
        rules, form, phrase = self.rules, self.clauses.form(index), self.clauses.phrase_at(index)
        is_self, is_both = form.endswith(("-même", "-mêmes")), form in rules.words("both-people")
        if self.feature == "number":
            changed = {"dois": "quatro", "duas": "quatro", "deux": "quatre"}.get(form)
            is_plain = is_likely and not is_both and (phrase is None or not phrase.determiner)
            if is_plain and form not in rules.words("lone") | rules.words("self"):
                changed = rules.in_plural(form)
            changed = rules.pronoun(form, self.referent_gender(index), self.new) if is_self else changed
            if changed is not None and self.old == "singular":
                self.writing.word(index, changed)
            return
        if not is_likely:
            return
        changed = rules.pronoun(form, self.new, "singular") if is_self else rules.in_gender(form, self.new)
        if changed is not None:
            self.writing.word(index, changed)
        before = self.clauses.form(index - 1) if index else ""
        if is_both and (before in rules.determiners or before in ("dos", "das")):
            self.writing.determiner(index - 1, self.new, "plural")
        elif phrase is not None and phrase.determiner and phrase.first < index:
            self.writing.determiner(phrase.first, *self.gender_and_number(phrase))

    def referent_gender(self, index: int) -> str:
        """The gender of a pronoun's referents afterwards: the new one, or as its form or the candidates show it."""
        if self.feature == "gender":
            return self.new
        clauses = self.clauses
        features = lexicon(self.rules.tag, "pronouns").features().get(clauses.form(index))
        if features and features.gender:
            return features.gender
        item = clauses.item
        genders = {features_of(candidate, item, item.language).gender.value for candidate in item.candidates}
        return "feminine" if genders == {"feminine"} else "masculine"


def _is_owned(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether a person is named by kinship to another: *sa fille*, *la fille de Luc*, *la mère … la fille*."""
    rules, table = clauses.rules, clauses.rules.grammar.table("determiners")
    following = clauses.phrase_at(phrase.last + 1) or clauses.phrase_at(phrase.last + 2)
    is_of = following is not None and clauses.whole(following) == phrase and following != phrase
    has_parent = any(word.form in rules.words("parent", "people") for word in clauses.words)
    return is_of or has_parent or any(word in table.words("possessive") for word in phrase.determiner.split())


def counterpart(noun: str, gender: str, rules: Rules, *, owned: bool = False) -> str:
    """The noun for the other sex; NotDerivedError if there is none. The last of several is for kinship: *sa fille*."""
    table = lexicon(rules.tag, "vocabulary")
    singular = rules.listed(noun)
    if singular is not None and singular in table.words("human", "common"):
        return noun
    counterparts = table.values("counterpart").get(singular or "", ())
    if not counterparts or table.features()[counterparts[0]].gender not in (gender, None):
        raise NotDerivedError(f"there is no noun of the other gender for {noun!r}")
    partner = counterparts[-1] if owned else counterparts[0]
    inflected = partner if singular == noun else rules.in_plural(partner)
    if inflected is None:
        raise NotDerivedError(f"the plural of {partner!r} is unknown")
    return inflected
