"""The noun phrases, verbs and pronouns of a text (`reader.py` finds them), and which phrase is the subject of a verb.

A subject or verb that is only probable is marked `unsure`: a rule must not rely on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from winoglot.languages.romance.rewriting.rules import Rules
from winoglot.languages.substitution import Token
from winoglot.schemas.model import Item

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.verbs import VerbForm

_ENDS = frozenset(".!?…;:")
_QUOTES = frozenset('"“”«»')


@dataclass(frozen=True)
class TextPhrase:
    """A noun phrase, as indexes of its words, with the preposition before it or contracted into it."""

    first: int  # its first word: determiner, contraction or noun
    head: int
    last: int
    preposition: str = ""
    determiner: str = ""
    gender: str | None = None
    number: str | None = None
    candidate: int | None = None
    is_name: bool = False


@dataclass(frozen=True)
class VerbSubject:
    """What a verb agrees with: a phrase, or a pronoun by its index; neither if it is another person or nothing."""

    phrase: TextPhrase | None = None
    pronoun: int | None = None
    is_joined: bool = False  # part of a coordination
    unsure: str = ""  # why it may be another one


@dataclass(frozen=True)
class VerbChain:
    """A finite verb and what makes one predicate with it: auxiliaries, participle, infinitive; and what follows it."""

    first: int
    verbs: tuple[int, ...]  # the finite verb and those that depend on it
    infinitive: str  # of the last of them
    is_passive: bool = False
    has_clitic: bool = False

    @property
    def last(self) -> int:
        """The index of its last word."""
        return self.verbs[-1]


@dataclass(frozen=True)
class Clauses:
    """The words of an item's text, each with its class, and its noun phrases."""

    item: Item
    rules: Rules
    words: tuple[Token, ...]
    classes: tuple[str, ...]
    phrases: tuple[TextPhrase, ...]
    pronoun: int | None  # the index of the item's pronoun
    _phrase_at: dict[int, TextPhrase] = field(default_factory=dict)
    _subjects: dict[int, VerbSubject] = field(default_factory=dict, compare=False)

    @property
    def text(self) -> str:
        """The item's text."""
        return self.item.text or ""

    def form(self, index: int) -> str:
        """A word's form; empty before the first and after the last."""
        return self.words[index].form if 0 <= index < len(self.words) else ""

    def word_class(self, index: int) -> str:
        """A word's class; `punctuation` before the first and after the last."""
        return self.classes[index] if 0 <= index < len(self.words) else "punctuation"

    def phrase_at(self, index: int) -> TextPhrase | None:
        """The noun phrase that a word belongs to."""
        return self._phrase_at.get(index)

    def verbs(self) -> list[int]:
        """The finite verbs of the third person."""
        return [index for index, kind in enumerate(self.classes) if kind == "verb"]

    def all_verbs(self) -> list[int]:
        """The finite verbs, including forms of the first person."""
        return [index for index, kind in enumerate(self.classes) if kind in ("verb", "first-person")]

    def is_quoted(self, index: int) -> bool:
        """Whether a word is inside quotation marks."""
        before = sum(word.form in _QUOTES for word in self.words[:index])
        return before % 2 == 1

    def ends_between(self, start: int, end: int) -> bool:
        """Whether a sentence ends between two words."""
        return any(self.form(index) in (".", "!", "?", "…", ";") for index in range(start, end))

    @cached_property
    def base_forms(self) -> frozenset[str]:
        """All words of the text, with what they may be forms of."""
        return frozenset().union(*(self.rules.base_forms(word.form) for word in self.words))

    # The verb and its subject

    def before_verb(self, verb: int) -> int:
        """The index of the word before a verb's clitics, negation and adverbs."""
        index = verb - 1
        while self.word_class(index) in ("clitic", "negation", "adverb") or self._is_before_adverb(index):
            index -= 1
        return index

    def _is_before_adverb(self, index: int) -> bool:
        """Whether a word is a preposition whose complement is an adverb: *até hoje*, *depuis hier*."""
        return self.word_class(index) == "preposition" and self.word_class(index + 1) == "adverb"

    def subject(self, verb: int) -> VerbSubject:
        """The subject of a finite verb, or of an infinitive that has one of its own."""
        if verb not in self._subjects:
            self._subjects[verb] = self._subject(verb)
        return self._subjects[verb]

    def _subject(self, verb: int) -> VerbSubject:
        index = self.before_verb(verb)
        kind = self.word_class(index)
        if kind == "pronoun" and self.form(index) in self.rules.grammar.words("of-pronoun"):
            index -= 1  # "o motor dele parou"
            kind = self.word_class(index)
        if (
            kind == "pronoun"
            and self.form(index) in self.rules.words("subject-pronoun")
            and not self._is_governed(index)
        ):
            is_pair = self.form(index - 1) in ("e", "et", "ou") and self.phrase_at(index - 2) is not None
            if is_pair and self._number(verb) == "plural" and self.rules.shown_number(self.form(index)) == "singular":
                return VerbSubject(pronoun=index, is_joined=True)
            return VerbSubject(pronoun=index)
        if self.form(index) in self.rules.words("other-subject"):
            return VerbSubject()
        addressee = self._addressee(verb, index)
        if addressee is not None:
            return VerbSubject(addressee)
        phrase = self.phrase_at(index)
        if phrase is not None and phrase.last == index:
            return self._after_relative(phrase) or self._subject_with_complements(phrase, verb)
        special = self._unusual_subject(verb, index)
        if special is None and kind == "relative" and not self.is_said(index):
            special = self._of_relative(verb, index)
        return special or self._inverted(verb) or self._unspoken_subject(verb, index)

    def _addressee(self, verb: int, index: int) -> TextPhrase | None:
        """The person who is asked to do something, as the subject of what is asked: *pediu a Rui que saísse*."""
        is_wish = any("subjunctive" in analysis.tense for analysis in self.rules.verbs.finite(self.form(verb)))
        before = next((earlier for earlier in reversed(self.verbs()) if earlier < index), None)
        if not is_wish or before is None or not self.form(index).startswith("qu") or not self.is_said(index):
            return None
        return self.phrase_at(index - 1) if self.group(before).infinitive in self.rules.words("requesting") else None

    def _after_relative(self, phrase: TextPhrase) -> VerbSubject | None:
        """The antecedent, if the phrase before the verb ends its relative clause: *le chien que tenait Luc a mordu*."""
        opening = phrase.first - 2
        is_inverted = self.word_class(phrase.first - 1) == "verb" and self.word_class(opening) == "relative"
        antecedent = self.phrase_at(opening - 1)
        if not is_inverted or antecedent is None or self.rules.drops_subjects or self.form(opening) == "qui":
            return None
        return VerbSubject(self.whole(antecedent))

    def _unusual_subject(self, verb: int, index: int) -> VerbSubject | None:
        """Subjects after their verb (*onde ficava a estação*), and verbs without one (*não adiantou*)."""
        following = self.phrase_at(verb + 1)
        is_next = following is not None and following.first == verb + 1 and not following.preposition
        if self.form(index) in self.rules.words("subject-follows") and is_next:
            return VerbSubject(following)  # "onde ficava a estação"
        if (
            self.infinitive(verb) in self.rules.words("without-subject")
            and not is_next
            and self.word_class(index) != "noun"
        ):
            return VerbSubject()  # "não adiantou nada"
        is_identity = self.infinitive(verb) in ("ser", "être") and (
            self.word_class(index) == "punctuation" or index < 0
        )
        if (is_identity and is_next) or self._is_impersonal(verb):
            return VerbSubject()  # "era o último dia"
        return None

    def _of_relative(self, verb: int, index: int) -> VerbSubject | None:
        """The antecedent of a relative pronoun before the verb, as its subject."""
        antecedent = self.phrase_at(index - 1) or (self.phrase_at(index - 2) if self.form(index - 1) == "," else None)
        if antecedent is not None:
            head = self.whole(antecedent)
            if self.form(index) in self.rules.words("subject-relative"):
                return VerbSubject(head)
            inverted = self.phrase_at(verb + 1)
            if self.rules.words("subject-relative") and inverted is not None and not inverted.preposition:
                return VerbSubject(inverted)  # "que tenait Luc"
            group = self.group(verb)
            follows = self.phrase_at(group.last + 1)
            has_object = follows is not None and not follows.preposition
            is_subject = has_object or group.infinitive in self.rules.words("linking-verb") or group.is_passive
            is_unsure = head is not antecedent and None not in (head.candidate, antecedent.candidate)
            why = "" if is_subject and not is_unsure else f"'{self.form(index)} {self.form(verb)}'"
            return VerbSubject(head, unsure=why)
        if self.form(index - 1) in ("o", "a", "os", "as", "ce", "do", "no", "ao"):
            return replace(self._unspoken_subject(verb, index), unsure=f"the subject of {self.form(verb)!r}")
        return None

    def _is_governed(self, index: int) -> bool:
        """Whether a pronoun belongs to a preposition and not to the verb after it: *com ela*, but *até ela sair*."""
        before, after = self.word_class(index - 1), self.word_class(index + 1)
        if before in ("infinitive", "gerund", "verb"):
            return True  # "manter ela seca"
        return before == "preposition" and after not in ("infinitive", "negation", "clitic")

    def _is_impersonal(self, verb: int) -> bool:
        """Whether a verb has no subject: *há*, *faz meses que*, *il y a*."""
        phrase = self.phrase_at(verb + 1)
        is_time = phrase is not None and self.form(phrase.head) in self.rules.words("time-noun")
        return (self.infinitive(verb) == "haver" and len(self.group(verb).verbs) == 1) or (
            self.infinitive(verb) == "fazer" and is_time
        )  # fmt: skip

    def is_said(self, index: int) -> bool:
        """Whether *que* after a person introduces reported speech: *garantiu ao turista que*."""
        verb = next((earlier for earlier in reversed(self.verbs()) if earlier < index), None)
        if verb is None or any(self.form(position) in _ENDS for position in range(verb, index)):
            return False
        group = self.group(verb)
        actions = self.rules.verbs.actions
        says = group.infinitive in actions.words("saying") or group.infinitive in self.rules.words("requesting")
        phrase = self.phrase_at(index - 1)
        if not says or phrase is None:
            return False
        is_person = phrase.is_name or self.rules.animacy(self.form(phrase.head)) == "human"  # "avisou o morador que"
        return is_person or bool(phrase.preposition)

    def _subject_with_complements(self, phrase: TextPhrase, verb: int) -> VerbSubject:
        """The subject that ends with this phrase, complements included: *o irmão de Ana*; but *na mesa Ana pôs*."""
        whole = self.whole(phrase)
        if whole.preposition:
            index = whole.first - 1
            if self.form(index) == whole.preposition:
                index -= 1
            if self.form(index) == ",":
                return replace(self._unspoken_subject(verb, index), unsure=f"the subject of {self.form(verb)!r}")
            before = self.phrase_at(index)
            if before is not None and before.last == index:
                return replace(
                    self._subject_with_complements(before, verb), unsure=f"the subject of {self.form(verb)!r}"
                )
            inverted = self._inverted(verb)
            carried = inverted or self._unspoken_subject(verb, index)
            return replace(carried, unsure=carried.unsure or f"the subject of {self.form(verb)!r}")
        joint = whole.first - 1
        if self.form(joint) in self.rules.words("joining"):
            before = self.phrase_at(joint - 1)
            if before is not None and self._number(verb) == "plural":
                return VerbSubject(whole, is_joined=True)
        return VerbSubject(whole)

    def whole(self, phrase: TextPhrase) -> TextPhrase:
        """The phrase that this one complements (*o irmão | de Ana*); itself if it is not a complement."""
        index = phrase.first - 1
        if phrase.preposition and self.form(index) == phrase.preposition:
            index -= 1
        before = self.phrase_at(index)
        if phrase.preposition in self.rules.words("of-word") and before is not None and before.last == index:
            return self.whole(before)
        return phrase

    def _unspoken_subject(self, verb: int, index: int) -> VerbSubject:
        """An unspoken subject: the one of the verb before, certain only after a coordinator in the same sentence."""
        if not self.rules.drops_subjects and self.form(index) not in (*self.rules.words("joining"), "ni", ","):
            return VerbSubject(unsure=f"the subject of {self.form(verb)!r}")
        previous = [earlier for earlier in self.verbs() if earlier < index]
        if not previous:
            return VerbSubject(unsure=f"the subject of {self.form(verb)!r}")
        # A relative clause is not on the same level as the clause that follows it.
        previous_verb = next(
            (earlier for earlier in reversed(previous) if not self._is_relative(earlier)), previous[-1]
        )
        for earlier in previous:  # from the first, so that none waits for a long chain of others
            self.subject(earlier)
        carried = self.subject(previous_verb)
        between = [word.form for word in self.words[previous_verb:verb]]
        is_near = self.form(index) in self.rules.words("joining") and not _ENDS.intersection(between)
        numbers = {self._number(previous_verb), self._number(verb)}
        if is_near and len(numbers) == 1:
            return carried
        return replace(carried, unsure=carried.unsure or f"the unspoken subject of {self.form(verb)!r}")

    def _is_relative(self, verb: int) -> bool:
        index = self.before_verb(verb)
        if self.word_class(index) == "relative":
            return True
        phrase = self.phrase_at(index)
        opening = phrase.first - 1 if phrase else index - 1
        return self.word_class(opening) == "relative"

    def _inverted(self, verb: int) -> VerbSubject | None:
        """A subject after its verb: *disse Ana*."""
        phrase = self.phrase_at(verb + 1)
        if phrase is None or phrase.preposition or phrase.first != verb + 1:
            return None
        analyses = self.rules.verbs.finite(self.form(verb))
        is_saying = any(analysis.infinitive in self.rules.verbs.actions.words("saying") for analysis in analyses)
        opens = self.form(verb - 1) in (*_QUOTES, ",", "-", "—", "–")
        return VerbSubject(phrase) if is_saying and opens else None

    def _number(self, verb: int) -> str | None:
        numbers = {analysis.number for analysis in self.rules.verbs.analyses(self.form(verb))}
        return numbers.pop() if len(numbers) == 1 else None

    def group(self, verb: int) -> VerbChain:
        """The verb with its auxiliaries: *teria ficado*, *vai poder sair*, *a été vue*."""
        rules, chain = self.rules, [verb]
        infinitive = self.infinitive(verb)
        is_passive = False
        while True:
            index = chain[-1] + 1
            while self.word_class(index) in ("adverb", "negation", "clitic") or self.form(index) in ("tout", "rien"):
                index += 1
            kind, form = self.word_class(index), self.form(index)
            if form in rules.listed_with("links").get(infinitive, ()) and self.word_class(index + 1) == "infinitive":
                index, kind, form = index + 1, "infinitive", self.form(index + 1)
            elif index != chain[-1] + 1 and kind == "infinitive" and self.word_class(chain[-1] + 1) != "clitic":
                break
            allowed = rules.listed_with("followed-by").get(infinitive, ())
            if kind not in allowed:
                break
            is_passive = kind == "participle" and infinitive in rules.words("passive-auxiliary")
            chain.append(index)
            infinitive = rules.verbs.nonfinite(form) or form
            if is_passive:
                break
        clitics = [
            position
            for position in range(self.before_verb(verb) + 1, chain[-1] + 2)
            if self.word_class(position) == "clitic"
        ]
        return VerbChain(verb, tuple(chain), infinitive, is_passive, bool(clitics))

    def is_compound(self, verb: int) -> bool:
        """Whether an auxiliary makes a past tense: *a vendu*, *est tombée*, *s'est levé*, but not *est vu*."""
        group = self.group(verb)
        if len(group.verbs) < 2 or self.word_class(group.verbs[1]) != "participle":
            return False
        if self.infinitive(verb) in ("avoir", "ter", "haver"):
            return True
        lexical = self.rules.verbs.nonfinite(self.form(group.verbs[1]))
        is_moving = lexical in self.rules.verbs.actions.words("with-être")
        return is_moving or any(self.form(index) in ("se", "s'") for index in range(self.before_verb(verb) + 1, verb))

    def analysis(self, verb: int) -> VerbForm:
        """Verb, tense and number of a finite form; of those that several verbs share, the usual one."""
        first = self.rules.verbs.first_person(self.form(verb))
        analyses = (first,) if first else self.rules.verbs.finite(self.form(verb))
        return next((analysis for analysis in analyses if analysis.infinitive == self.infinitive(verb)), analyses[0])

    def infinitive(self, verb: int) -> str:
        """The infinitive of a finite verb; of a form that several share, the usual one."""
        first = self.rules.verbs.first_person(self.form(verb))
        if first is not None:
            return first.infinitive
        analyses = self.rules.verbs.finite(self.form(verb)) or self.rules.verbs.analyses(self.form(verb))
        chosen = next(
            (analysis.infinitive for analysis in analyses if analysis.infinitive in self.rules.words("preferred")), None
        )
        return chosen or (analyses[0].infinitive if analyses else self.form(verb))
