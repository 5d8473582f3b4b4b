"""What both candidates, and all that agrees with them, become in the other gender or number.

Used by `gender` and `number`: a phrase with its determiner and adjectives, a candidate's citation, predicates, and
words that may agree with a candidate, about which a reader is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.romance.rewriting.agreement import object_clitics
from winoglot.languages.romance.rewriting.people import cited_phrase, plain_mentions
from winoglot.languages.romance.rewriting.writing import Writing
from winoglot.schemas.spans import edited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.romance.rewriting.agreement import Agreeing
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules

OTHER = {"masculine": "feminine", "feminine": "masculine", "singular": "plural", "plural": "singular"}
_GENDERS = ("masculine", "feminine")


@dataclass
class Change:
    """The change of one feature of both candidates, and where it is written."""

    writing: Writing
    feature: Literal["gender", "number"]
    old: str
    has_parent: bool = False  # the text names parents, so that a girl is a daughter: "la mère … la fille"

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
        if self.feature == "gender":
            return self.new, phrase.number or "singular"
        item, head = self.clauses.item, self.clauses.form(phrase.head)
        stated = features_of(item.candidates[phrase.candidate or 0], item, item.language).gender.value
        genders = (phrase.gender, self.rules.noun_gender(head), stated, self._pronoun_gender(self.clauses.pronoun))
        gender = next((gender for gender in genders if gender in _GENDERS), None)
        if gender is None:
            raise NotDerivedError(f"the gender of {head!r} is unknown")
        return gender, self.new

    def _pronoun_gender(self, index: int | None) -> str | None:
        """The gender that a pronoun's form shows."""
        features = lexicon(self.rules.tag, "pronouns").features().get(self.clauses.form(-1 if index is None else index))
        return features.gender if features else None

    def referent_gender(self, index: int) -> str:
        """The gender of a pronoun's referents afterwards: the new one, or as its form or the candidates show it."""
        item = self.clauses.item
        genders = {features_of(candidate, item, item.language).gender.value for candidate in item.candidates}
        shown = self._pronoun_gender(index) or ("feminine" if genders == {"feminine"} else "masculine")
        return self.new if self.feature == "gender" else shown

    def _word(self, form: str, head: str, phrase: TextPhrase) -> str:
        """A word of a noun phrase in its new form."""
        if form == head and self.feature == "gender":
            possessives = self.rules.grammar.table("determiners").words("possessive")
            is_possessed = bool(possessives.intersection(phrase.determiner.split()))
            is_owned = self.has_parent or is_possessed or self.clauses.complement(phrase) is not None
            return counterpart(form, self.new, self.rules, owned=is_owned)
        return form if form in self.rules.grammar.words("degree") else self._adjective(form, phrase.number)

    def _adjective(self, form: str, number: str | None = None) -> str:
        """An adjective in its new form, of a phrase or verb in a number; NotDerivedError if that is not known."""
        rules = self.rules
        if self.feature == "gender":
            inflected = self._gendered(form, number)
        else:
            inflected = rules.in_plural(form) if self.new == "plural" else rules.in_singular(form)
        if inflected is None:
            raise NotDerivedError(f"the {self.new} of {form!r} is unknown")
        return inflected

    def _described(self, forms: Sequence[str]) -> int:
        """How many of the words after a noun describe it."""
        rules, degrees = self.rules, self.rules.grammar.words("degree")
        describes = [form in degrees or rules.is_adjective(form) or rules.verbs.is_participle(form) for form in forms]
        return (*describes, False).index(False)

    def _determiner(self, form: str, gender: str, number: str, following: str) -> str:
        """A determiner in its new form, with the number of owners: *son* becomes *leurs*."""
        is_owner = self.feature == "number" and form in self.rules.words("third-owner")
        if is_owner and self.rules.owners_show_number:
            return self.rules.possessive(gender, number, self.new, following)
        return self.rules.determiner(form, gender, number, following) if form else ""

    # Phrases

    def write(self, phrase: TextPhrase, traits: tuple[str, str] | None = None) -> None:
        """Write a phrase in its new form: determiner, adjectives and noun, in a gender and number if they are given."""
        clauses, rules, writing = self.clauses, self.rules, self.writing
        gender, number = traits or self.gender_and_number(phrase)
        if self.feature == "number" and not traits:
            self._check_counted(phrase)
        elif clauses.has(phrase.first - 1, "whole", "both-people"):
            writing.determiner(phrase.first - 1, gender, number)  # "toutes les filles"
        described = self._described([clauses.form(index) for index in range(phrase.head + 1, phrase.last + 1)])
        for index in reversed(range(phrase.first, phrase.head + described + 1)):  # a determiner depends on what follows
            form, following = clauses.form(index), writing.written_after(index)
            is_determiner = form in rules.determiners or form in writing.contractions
            if index < phrase.head and is_determiner:
                writing.determiner(index, gender, number, self._determiner)
            else:
                word = self._word(form, clauses.form(phrase.head), phrase)
                is_before = number == "singular" and index < phrase.head
                writing.word(index, rules.before_vowel(word, following) if is_before else word)

    def _check_counted(self, phrase: TextPhrase) -> None:
        """Refuse a phrase that has no other number."""
        clauses, rules, head = self.clauses, self.rules, self.clauses.form(phrase.head)
        after = [clauses.form(index) for index in range(phrase.head + 1, phrase.last + 1)]
        following, before = next(iter(after[self._described(after) :]), "de"), clauses.form(phrase.first - 1)
        is_spoken = head not in rules.grammar.prepositions | rules.words("of-word")
        reasons = {
            f"{head!r} has no article, or is a name": phrase.is_name or not phrase.determiner or not is_spoken,
            f"{head!r} is not counted": rules.listed(head) in lexicon(rules.tag, "vocabulary").words("mass"),
            f"{before!r} belongs to {head!r}": before in rules.grammar.predeterminers | rules.words("whole"),
            f"{following!r} may agree with {head!r}": following not in rules.grammar.prepositions | {"à", "de", "d'"},
        }
        reason = next((reason for reason, holds in reasons.items() if holds), None)
        if reason:
            raise NotDerivedError(reason)

    def write_candidate(self, index: int) -> str:
        """Write a candidate's noun in its new form wherever it is mentioned; its new citation."""
        clauses, candidate = self.clauses, self.clauses.item.candidates[index]
        phrases = plain_mentions(clauses, index)
        for phrase in phrases:
            following = clauses.plain_phrase_at(phrase.last + 1)
            if following is not None and following.is_name:
                raise NotDerivedError(f"{candidate.text!r} has a name")
            self.write(phrase)
        cited = cited_phrase(clauses, index)
        change = Change(Writing(cited), self.feature, self.old, self.has_parent)
        change.write(cited.mentions[0], self.gender_and_number(phrases[0]))
        return edited(candidate.text, change.writing.edits)

    # What agrees with a candidate

    def write_agreeing(self, words: Agreeing) -> None:
        """Write what certainly agrees with a candidate, and ask about what may."""
        for index in words.adjectives:
            try:
                self._write_predicate(index)
            except NotDerivedError as error:
                self.writing.doubts.append(str(error))
        for index in words.unsure_adjectives:
            if index not in words.adjectives and not self.writing.has(index) and self._may_agree(index):
                self.writing.doubts.append(f"does {self.clauses.form(index)!r} agree with a candidate?")

    def _write_predicate(self, index: int) -> None:
        """Write a predicate of a candidate: *era cansada*, *era médica*, *a mais alta*."""
        clauses, form, phrase = self.clauses, self.clauses.form(index), self.clauses.phrase_at(index)
        if phrase is None and clauses.has(index, "article-too"):
            number = self.new if self.feature == "number" else "singular"
            self.writing.determiner(index, self.referent_gender(index), number)
        elif phrase is None:
            is_special = clauses.has(index, "self", "whole")  # "eles mesmos", "todas sujas"
            if is_special or self.feature == "gender" or clauses.word_class(index) != "adverb":
                self.writing.word(index, self._adjective(form, self._number_of_predicate(index)))
        elif index == phrase.first:
            self._write_predicate_noun(phrase)

    def _write_predicate_noun(self, phrase: TextPhrase) -> None:
        """Write a noun that is said of a candidate, unless it is that of a thing: *era médica*, *ficou com medo*."""
        rules, head = self.rules, self.clauses.form(phrase.head)
        kind, is_only = rules.animacy(head), self.clauses.has(phrase.head, "only-one")
        if is_only and phrase.determiner in rules.words("article-too"):  # "era a única", "était la seule"
            if self.feature == "number" and self.clauses.word_class(phrase.last + 1) == "relative":
                raise NotDerivedError(f"is what follows {head!r} {self.new} too?")  # "a única que podia"
            number = self.new if self.feature == "number" else phrase.number or "singular"
            self.writing.word(phrase.head, self._adjective(head, phrase.number))
            self.writing.determiner(phrase.first, self.referent_gender(phrase.first), number)
        elif self.feature == "gender" and kind == "human":
            if phrase.gender == self.old:
                self.write(phrase)
        elif self.feature == "number" and (phrase.determiner or rules.grammar.is_noun_too(head)):
            raise NotDerivedError(f"does {head!r} become {self.new} too?")
        elif not phrase.determiner and kind in (None, "human"):
            if phrase.first != phrase.last:
                raise NotDerivedError(f"is {self.clauses.form(phrase.first)!r} an adjective of a candidate?")
            inflected = self._adjective(head, self._number_of_predicate(phrase.head))
            if self.feature == "number" or rules.in_gender(head, self.old) == head:
                self.writing.word(phrase.head, inflected)

    def _may_agree(self, index: int) -> bool:
        """Whether a word shows the old gender or number, perhaps because it agrees with a candidate."""
        rules, form, phrase = self.rules, self.clauses.form(index), self.clauses.phrase_at(index)
        is_special = self.clauses.has(index, "both-people", "lone", "self")
        if self.feature == "number":
            is_plural = rules.in_singular(form) is not None
            return (phrase is None or index == phrase.head) and (is_special or is_plural == (self.old == "plural"))
        if is_special:
            return self._gendered(form, None) != form
        is_said = phrase is None or (index == phrase.head and phrase.determiner in ("", *rules.words("said-article")))
        return is_said and rules.in_gender(form, self.new) not in (form, None)

    def _gendered(self, form: str, number: str | None) -> str | None:
        """An adjective, or a pronoun such as *lui-même*, in the other gender; *heureux* may be plural as well."""
        rules = self.rules
        inflected = rules.inflected("pronoun-forms", form, self.new, "singular") or rules.in_gender(form, self.new)
        shows_number = rules.in_plural(form) != form or rules.in_singular(form) not in (form, None)
        return inflected if shows_number or number != "plural" or not inflected else rules.in_plural(inflected)

    def _number_of_predicate(self, index: int) -> str | None:
        """The number of what a predicate is said of, by the verb before it or the pronoun that is its object."""
        verb = self.clauses.verb_before(index)
        objects = object_clitics(self.clauses, verb) if verb is not None else []
        if objects:
            return self.rules.shown_number(self.clauses.form(objects[-1]))
        return None if verb is None else self.clauses.number(verb)


def counterpart(noun: str, gender: str, rules: Rules, *, owned: bool = False) -> str:
    """The noun for the other sex; NotDerivedError if there is none. The last of several is for kinship: *sa fille*."""
    table, singular = lexicon(rules.tag, "vocabulary"), rules.listed(noun) or ""
    if singular in table.words("human", "common"):
        return noun
    counterparts = table.values("counterpart").get(singular, ())
    if not counterparts or table.features()[counterparts[0]].gender not in (gender, None):
        raise NotDerivedError(f"there is no noun of the other gender for {noun!r}")
    partner = counterparts[-1] if owned else counterparts[0]
    return partner if singular == noun else rules.in_plural(partner) or partner
