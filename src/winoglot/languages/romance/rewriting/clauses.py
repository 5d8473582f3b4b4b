"""The noun phrases, verbs and pronouns of a text (`reader.py` finds them), and which phrase is the subject of a verb.

A subject that is only probable is marked `unsure`: a rule must not rely on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from winoglot.languages.romance.rewriting.rules import Rules
from winoglot.languages.romance.rewriting.verbs import VerbForm
from winoglot.languages.substitution import Token
from winoglot.schemas.model import Item

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
    """A finite verb and what makes one predicate with it: auxiliaries, participle, infinitive."""

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

    def has(self, index: int, *uses: str) -> bool:
        """Whether a word is listed for one of these uses."""
        return any(self.form(index) in self.rules.words(use) for use in uses)

    def skip(self, index: int, *classes: str, step: int = 1) -> int:
        """The first index from this one on, or backwards, whose word is of none of these classes."""
        while self.word_class(index) in classes:
            index += step
        return index

    def phrase_at(self, index: int) -> TextPhrase | None:
        """The noun phrase that a word belongs to."""
        return self._phrase_at.get(index)

    def plain_phrase_at(self, index: int) -> TextPhrase | None:
        """The noun phrase that begins with a word and has no preposition."""
        phrase = self.phrase_at(index)
        return phrase if phrase is not None and phrase.first == index and not phrase.preposition else None

    def phrase_before(self, index: int) -> TextPhrase | None:
        """The noun phrase that ends before a word."""
        phrase = self.phrase_at(index - 1)
        return phrase if phrase is not None and phrase.last == index - 1 else None

    @cached_property
    def mentions(self) -> tuple[TextPhrase, ...]:
        """The phrases that mention a candidate."""
        return tuple(phrase for phrase in self.phrases if phrase.candidate is not None)

    def verbs(self) -> list[int]:
        """The finite verbs of the third person."""
        return [index for index, kind in enumerate(self.classes) if kind == "verb"]

    def all_verbs(self) -> list[int]:
        """The finite verbs, including forms of the first person."""
        return [index for index, kind in enumerate(self.classes) if kind in ("verb", "first-person")]

    def verb_before(self, index: int) -> int | None:
        """The last finite verb before a word."""
        return next((verb for verb in reversed(self.verbs()) if verb < index), None)

    def is_quoted(self, index: int) -> bool:
        """Whether a word is inside quotation marks."""
        return sum(word.form in _QUOTES for word in self.words[:index]) % 2 == 1

    def ends_between(self, start: int, end: int) -> bool:
        """Whether a sentence, or a part of one after which a subject is named again, ends between two words."""
        return any(self.form(index) in _ENDS for index in range(start, end))

    @cached_property
    def base_forms(self) -> frozenset[str]:
        """All words of the text, with what they may be forms of."""
        return frozenset().union(*(self.rules.base_forms(word.form) for word in self.words))

    # Verbs

    def analysis(self, verb: int) -> VerbForm:
        """Verb, tense and number of a finite form or infinitive; of those that several verbs share, the usual one."""
        form, verbs = self.form(verb), self.rules.verbs
        first = verbs.first_person(form)
        analyses = (first,) if first else verbs.finite(form) or verbs.analyses(form)
        preferred = (analysis for analysis in analyses if analysis.infinitive in self.rules.words("preferred"))
        return next(preferred, next(iter(analyses), VerbForm(form, "infinitive", "singular")))

    def infinitive(self, verb: int) -> str:
        """The infinitive of a finite verb."""
        return self.analysis(verb).infinitive

    def number(self, verb: int) -> str | None:
        """The number that a verb shows."""
        numbers = {analysis.number for analysis in self.rules.verbs.analyses(self.form(verb))}
        return numbers.pop() if len(numbers) == 1 else None

    def before_verb(self, verb: int) -> int:
        """The index of the word before a verb's clitics, negation and adverbs (*até hoje*)."""
        index = verb - 1
        while self.word_class(index) in ("clitic", "negation", "adverb") or (
            self.word_class(index) == "preposition" and self.word_class(index + 1) == "adverb"
        ):
            index -= 1
        return index

    def clitics(self, verb: int) -> list[str]:
        """The forms of the words between a verb and what comes before its clitics."""
        return [self.form(index) for index in range(self.before_verb(verb) + 1, verb)]

    def is_reflexive(self, verb: int) -> bool:
        """Whether a verb has a reflexive pronoun."""
        return bool({"se", "s'"}.intersection([*self.clitics(verb), self.form(verb + 1)]))

    def group(self, verb: int) -> VerbChain:
        """The verb with its auxiliaries: *teria ficado*, *vai poder sair*, *a été vue*."""
        rules, chain = self.rules, [verb]
        infinitive, is_passive = self.infinitive(verb), False
        while not is_passive:
            index = chain[-1] + 1
            while self.word_class(index) in ("adverb", "negation", "clitic") or self.has(index, "between-verbs"):
                index += 1
            is_linked = self.form(index) in rules.listed_with("links").get(infinitive, ())
            if is_linked and self.word_class(index + 1) == "infinitive":
                index += 1
            elif self.word_class(index) == "infinitive" and self.word_class(chain[-1] + 1) in ("adverb", "negation"):
                break
            if self.word_class(index) not in rules.listed_with("followed-by").get(infinitive, ()):
                break
            is_passive = self.word_class(index) == "participle" and infinitive in rules.words("passive-auxiliary")
            chain.append(index)
            infinitive = rules.verbs.nonfinite(self.form(index)) or self.form(index)
        around = range(self.before_verb(verb) + 1, chain[-1] + 2)
        has_clitic = any(self.word_class(index) == "clitic" for index in around)
        return VerbChain(verb, tuple(chain), infinitive, is_passive, has_clitic)

    def is_compound(self, verb: int) -> bool:
        """Whether an auxiliary makes a past tense: *a vendu*, *est tombée*, *s'est levé*, but not *est vu*."""
        group = self.group(verb)
        if len(group.verbs) < 2 or self.word_class(group.verbs[1]) != "participle":
            return False
        lexical = self.rules.verbs.nonfinite(self.form(group.verbs[1]))
        is_moving = lexical in self.rules.verbs.actions.words("with-être")
        return self.infinitive(verb) in self.rules.words("having") or is_moving or self.is_reflexive(verb)

    # The subject of a verb

    def subject(self, verb: int) -> VerbSubject:
        """The subject of a finite verb, or of an infinitive that has one of its own."""
        if verb not in self._subjects:
            self._subjects[verb] = self._subject(verb)
        return self._subjects[verb]

    def _subject(self, verb: int) -> VerbSubject:
        index = self.before_verb(verb)
        if self.word_class(index) == "pronoun" and self.form(index) in self.rules.grammar.words("of-pronoun"):
            index -= 1  # "o motor dele parou"
        if self.word_class(index) == "pronoun" and not self._is_governed(index):
            is_pair = self.has(index - 1, "joining") and self.phrase_at(index - 2) is not None
            return VerbSubject(pronoun=index, is_joined=is_pair and self.number(verb) == "plural")
        if self.has(index, "other-subject"):
            return VerbSubject()
        phrase = self.phrase_before(index + 1)
        if phrase is not None:
            return self._subject_with_complements(phrase, verb)
        if self._has_no_subject(verb, index):
            return VerbSubject()
        following = self.plain_phrase_at(verb + 1)
        if self.has(index, "subject-follows") and following is not None:
            return VerbSubject(following)  # "onde ficava a estação"
        of_relative = self._of_relative(verb, index) if self.word_class(index) == "relative" else None
        return of_relative or self._unspoken_subject(verb, index)

    def _is_governed(self, index: int) -> bool:
        """Whether a pronoun belongs to a preposition and not to the verb after it: *com ela*, but *até ela sair*."""
        before, after = self.word_class(index - 1), self.word_class(index + 1)
        is_of_preposition = before == "preposition" and after not in ("infinitive", "negation", "clitic")
        return is_of_preposition or before in ("infinitive", "gerund", "verb")  # "manter ela seca"

    def _has_no_subject(self, verb: int, index: int) -> bool:
        """Whether a verb has none: *não adiantou*, *havia gente*, *faz três anos*, *é a verdade*."""
        following, infinitive = self.plain_phrase_at(verb + 1), self.infinitive(verb)
        is_time = following is not None and self.has(following.head, "time-noun")
        is_identity = infinitive == self.rules.be and self.word_class(index) == "punctuation" and following is not None
        is_there = infinitive in self.rules.words("existing") and len(self.group(verb).verbs) == 1
        is_while = infinitive in self.rules.words("counting-time") and is_time
        return infinitive in self.rules.words("without-subject") or is_identity or is_there or is_while

    def _of_relative(self, verb: int, index: int) -> VerbSubject | None:
        """The antecedent of a relative pronoun before the verb, as its subject."""
        antecedent = self.phrase_at(index - 2 if self.form(index - 1) == "," else index - 1)
        if antecedent is None or self.is_said(index):
            return None
        head, inverted, group = self.whole(antecedent), self.plain_phrase_at(verb + 1), self.group(verb)
        if self.has(index, "subject-relative"):
            return VerbSubject(head)
        if self.rules.words("subject-relative") and inverted is not None:
            return VerbSubject(inverted)  # "que tenait Luc"
        has_object = self.plain_phrase_at(group.last + 1) is not None
        is_subject = has_object or group.infinitive in self.rules.words("linking-verb")
        return VerbSubject(head, unsure="" if is_subject else f"'{self.form(index)} {self.form(verb)}'")

    def is_said(self, index: int) -> bool:
        """Whether *que* after a person introduces reported speech: *garantiu ao turista que*."""
        verb, saying = self.verb_before(index), self.rules.verbs.actions.words("saying")
        is_told = verb is not None and self.group(verb).infinitive in saying | self.rules.words("requesting")
        return is_told and self.phrase_at(index - 1) is not None

    def _subject_with_complements(self, phrase: TextPhrase, verb: int) -> VerbSubject:
        """The subject that ends with this phrase, complements included: *o irmão de Ana*; but *na mesa Ana pôs*."""
        whole = self.whole(phrase)
        if whole.preposition:
            index = whole.first - 1 - (self.form(whole.first - 1) == whole.preposition)
            before = self.phrase_before(index + 1)
            carried = self._subject_with_complements(before, verb) if before else self._unspoken_subject(verb, index)
            return replace(carried, unsure=carried.unsure or f"the subject of {self.form(verb)!r}")
        opening = whole.first - 2
        is_inverted = self.word_class(opening + 1) == "verb" and self.word_class(opening) == "relative"
        if is_inverted and not self.rules.drops_subjects:
            return VerbSubject(unsure=f"the subject of {self.form(verb)!r}")  # "le chien que tenait Luc a mordu"
        is_joined = self.has(whole.first - 1, "joining") and self.phrase_at(whole.first - 2) is not None
        return VerbSubject(whole, is_joined=is_joined and self.number(verb) == "plural")

    def whole(self, phrase: TextPhrase) -> TextPhrase:
        """The phrase that this one complements (*o irmão | de Ana*); itself if it is not a complement."""
        index = phrase.first - (self.form(phrase.first - 1) == phrase.preposition)
        before = self.phrase_before(index)
        return self.whole(before) if before and phrase.preposition in self.rules.words("of-word") else phrase

    def complement(self, phrase: TextPhrase) -> TextPhrase | None:
        """The phrase that complements this one: *de Ana* after *o irmão*."""
        following = self.phrase_at(phrase.last + 1) or self.phrase_at(phrase.last + 2)
        return following if following is not None and self.whole(following) is phrase is not following else None

    def _unspoken_subject(self, verb: int, index: int) -> VerbSubject:
        """An unspoken subject: the one of the verb before, certain only after a coordinator in the same sentence."""
        previous = [earlier for earlier in self.verbs() if earlier < index]
        if not previous:
            return VerbSubject(unsure=f"the subject of {self.form(verb)!r}")
        for earlier in previous:  # from the first, so that none waits for a long chain of others
            self.subject(earlier)
        carried = self.subject(previous[-1])
        if self.has(index, "joining") and not self.ends_between(previous[-1], verb):
            return carried
        return replace(carried, unsure=carried.unsure or f"the unspoken subject of {self.form(verb)!r}")
