"""The noun phrases, verbs and pronouns of a text, and which phrase is the subject of a verb.

No parser: closed-class words, determiners and the forms of listed verbs show where a phrase begins and where it ends.
The candidates' mentions are known, which is what makes it work. What a rule must not rely on is `unsure`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from winoglot.languages.base import function_words
from winoglot.languages.names import is_also_word, name_gender
from winoglot.languages.romance.grammar import is_word
from winoglot.languages.romance.rewriting.rules import Rules
from winoglot.languages.romance.words import compounds
from winoglot.languages.shown_names import is_preposition
from winoglot.languages.slots import opens_sentence, slot_of
from winoglot.languages.substitution import Token
from winoglot.schemas.model import Item
from winoglot.schemas.spans import Span

_ENDS = frozenset(".!?…;:")
_QUOTES = frozenset('"“”«»')


@dataclass(frozen=True)
class TextPhrase:
    """A noun phrase by the numbers of its words; with the preposition before it or contracted into it."""

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
    """What a verb agrees with: a phrase, or a pronoun by its number; neither if it is another person or nothing."""

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
        """The number of its last word."""
        return self.verbs[-1]


@dataclass(frozen=True)
class Clauses:
    """The words of an item's text, each with its class, and its noun phrases."""

    item: Item
    rules: Rules
    words: tuple[Token, ...]
    classes: tuple[str, ...]
    phrases: tuple[TextPhrase, ...]
    pronoun: int | None  # the number of the item's pronoun
    _phrase_at: dict[int, TextPhrase] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The item's text."""
        return self.item.text or ""

    def form(self, number: int) -> str:
        """A word's form; empty before the first and after the last."""
        return self.words[number].form if 0 <= number < len(self.words) else ""

    def word_class(self, number: int) -> str:
        """Its class; a sign before the first and after the last."""
        return self.classes[number] if 0 <= number < len(self.words) else "sign"

    def phrase_at(self, number: int) -> TextPhrase | None:
        """The noun phrase that a word belongs to."""
        return self._phrase_at.get(number)

    def verbs(self) -> list[int]:
        """The finite verbs."""
        return [number for number, kind in enumerate(self.classes) if kind == "verb"]

    def is_quoted(self, number: int) -> bool:
        """Whether it stands in quotation marks."""
        before = sum(word.form in _QUOTES for word in self.words[:number])
        return before % 2 == 1

    # The verb and its subject

    def before_verb(self, verb: int) -> int:
        """The number of the word before a verb's clitics, negation and adverbs."""
        at = verb - 1
        while self.word_class(at) in ("clitic", "negation", "adverb") or self._is_before_adverb(at):
            at -= 1
        return at

    def _is_before_adverb(self, number: int) -> bool:
        """*até hoje*, *depuis hier*: a preposition whose complement is an adverb."""
        return self.word_class(number) == "preposition" and self.word_class(number + 1) == "adverb"

    def subject(self, verb: int) -> VerbSubject:
        """The subject of a finite verb, or of an infinitive with its own one."""
        at = self.before_verb(verb)
        kind = self.word_class(at)
        if kind == "pronoun" and self.form(at) in self.rules.grammar.small("of-pronoun"):
            at -= 1  # "o motor dele parou"
            kind = self.word_class(at)
        if kind == "pronoun" and self.form(at) in self.rules.subjects and not self._is_governed(at):
            is_pair = self.form(at - 1) in ("e", "et", "ou") and self.phrase_at(at - 2) is not None
            if is_pair and self._number(verb) == "plural" and self.rules.shown_number(self.form(at)) == "singular":
                return VerbSubject(pronoun=at, is_joined=True)
            return VerbSubject(pronoun=at)
        if self.form(at) in self.rules.other_subjects:
            return VerbSubject()
        phrase = self.phrase_at(at)
        if phrase is not None and phrase.last == at:
            return self._headed(phrase, verb)
        following = self.phrase_at(verb + 1)
        is_next = following is not None and following.first == verb + 1 and not following.preposition
        if self.form(at) in self.rules.places and is_next:
            return VerbSubject(following)  # "onde ficava a estação"
        is_identity = self.infinitive(verb) in ("ser", "être") and (kind == "sign" or at < 0)
        if (is_identity and is_next) or self._is_impersonal(verb):
            return VerbSubject()  # "era o último dia"
        if kind == "relative" and not self._is_said(at):
            antecedent = self.phrase_at(at - 1) or (self.phrase_at(at - 2) if self.form(at - 1) == "," else None)
            if antecedent is not None:
                head = self.whole(antecedent)
                if self.form(at) in self.rules.subject_relatives:
                    return VerbSubject(head)
                group = self.group(verb)
                follows = self.phrase_at(group.last + 1)
                has_object = follows is not None and not follows.preposition
                is_subject = has_object or group.infinitive in self.rules.copulas or group.is_passive
                is_unsure = head is not antecedent and None not in (head.candidate, antecedent.candidate)
                why = "" if is_subject and not is_unsure else f"'{self.form(at)} {self.form(verb)}'"
                return VerbSubject(head, unsure=why)
            if self.form(at - 1) in ("o", "a", "os", "as", "ce", "do", "no", "ao"):
                return replace(self._carried(verb, at), unsure=f"the subject of {self.form(verb)!r}")
        inverted = self._inverted(verb)
        if inverted is not None:
            return inverted
        return self._carried(verb, at)

    def _is_governed(self, number: int) -> bool:
        """Whether a pronoun belongs to a preposition and not to the verb after it: *com ela*, but *até ela sair*."""
        before, after = self.word_class(number - 1), self.word_class(number + 1)
        if before in ("infinitive", "gerund", "verb"):
            return True  # "manter ela seca"
        return before == "preposition" and after not in ("infinitive", "negation", "clitic")

    def _is_impersonal(self, verb: int) -> bool:
        """*há*, *faz meses que*, *il y a*."""
        phrase = self.phrase_at(verb + 1)
        is_time = phrase is not None and self.form(phrase.head) in self.rules.times
        return (self.infinitive(verb) == "haver" and len(self.group(verb).verbs) == 1) or (
            self.infinitive(verb) == "fazer" and is_time
        )  # fmt: skip

    def _is_said(self, number: int) -> bool:
        """Whether *que* after a person opens what is said: *garantiu ao turista que*."""
        verb = next((one for one in reversed(self.verbs()) if one < number), None)
        if verb is None or any(self.form(at) in _ENDS for at in range(verb, number)):
            return False
        group = self.group(verb)
        actions = self.rules.verbs.actions
        says = group.infinitive in actions.words("saying") or group.infinitive in self.rules.requests
        phrase = self.phrase_at(number - 1)
        return says and phrase is not None and bool(phrase.preposition or phrase.is_name)

    def _headed(self, phrase: TextPhrase, verb: int) -> VerbSubject:
        """The subject whose last phrase this is: *o irmão de Ana*, *na mesa Ana pôs*."""
        whole = self.whole(phrase)
        if whole.preposition:
            at = whole.first - 1
            if self.form(at) == whole.preposition:
                at -= 1
            if self.form(at) == ",":
                return replace(self._carried(verb, at), unsure=f"the subject of {self.form(verb)!r}")
            before = self.phrase_at(at)
            if before is not None and before.last == at:
                return replace(self._headed(before, verb), unsure=f"the subject of {self.form(verb)!r}")
            inverted = self._inverted(verb)
            carried = inverted or self._carried(verb, at)
            return replace(carried, unsure=carried.unsure or f"the subject of {self.form(verb)!r}")
        joint = whole.first - 1
        if self.form(joint) in self.rules.joining:
            before = self.phrase_at(joint - 1)
            if before is not None and self._number(verb) == "plural":
                return VerbSubject(whole, is_joined=True)
        return VerbSubject(whole)

    def whole(self, phrase: TextPhrase) -> TextPhrase:
        """The phrase that this one is a complement of, with *de*; itself if it is none."""
        at = phrase.first - 1
        if phrase.preposition and self.form(at) == phrase.preposition:
            at -= 1
        before = self.phrase_at(at)
        if phrase.preposition in self.rules.of and before is not None and before.last == at:
            return self.whole(before)
        return phrase

    def _carried(self, verb: int, at: int) -> VerbSubject:
        """An unspoken subject: the one of the verb before, certain only after a coordinator in the same sentence."""
        if not self.rules.drops_subjects and self.form(at) not in (*self.rules.joining, "ni", ","):
            return VerbSubject(unsure=f"the subject of {self.form(verb)!r}")
        previous = [one for one in self.verbs() if one < at]
        if not previous:
            return VerbSubject(unsure=f"the subject of {self.form(verb)!r}")
        # The verb of a relative clause is no clause of the same rank.
        chosen = next((one for one in reversed(previous) if not self._is_relative(one)), previous[-1])
        found = self.subject(chosen)
        between = [word.form for word in self.words[chosen:verb]]
        is_near = self.form(at) in self.rules.joining and not _ENDS.intersection(between)
        same = {self._number(chosen), self._number(verb)}
        if is_near and len(same) == 1:
            return found
        return replace(found, unsure=found.unsure or f"the unspoken subject of {self.form(verb)!r}")

    def _is_relative(self, verb: int) -> bool:
        at = self.before_verb(verb)
        if self.word_class(at) == "relative":
            return True
        phrase = self.phrase_at(at)
        opening = phrase.first - 1 if phrase else at - 1
        return self.word_class(opening) == "relative"

    def _inverted(self, verb: int) -> VerbSubject | None:
        """A subject after its verb: *disse Ana*."""
        phrase = self.phrase_at(verb + 1)
        if phrase is None or phrase.preposition or phrase.first != verb + 1:
            return None
        analyses = self.rules.verbs.finite(self.form(verb))
        is_saying = any(one.infinitive in self.rules.verbs.actions.words("saying") for one in analyses)
        opens = self.form(verb - 1) in (*_QUOTES, ",", "-", "—", "–")
        return VerbSubject(phrase) if is_saying and opens else None

    def _number(self, verb: int) -> str | None:
        numbers = {one.number for one in self.rules.verbs.analyses(self.form(verb))}
        return numbers.pop() if len(numbers) == 1 else None

    def group(self, verb: int) -> VerbChain:
        """The verb with its auxiliaries: *teria ficado*, *vai poder sair*, *a été vue*."""
        rules, chain = self.rules, [verb]
        infinitive = self.infinitive(verb)
        is_passive = False
        while True:
            at = chain[-1] + 1
            while self.word_class(at) in ("adverb", "negation", "clitic") or self.form(at) in ("tout", "rien"):
                at += 1
            kind, form = self.word_class(at), self.form(at)
            if form in rules.before_infinitive.get(infinitive, ()) and self.word_class(at + 1) == "infinitive":
                at, kind, form = at + 1, "infinitive", self.form(at + 1)
            elif at != chain[-1] + 1 and kind == "infinitive" and self.word_class(chain[-1] + 1) != "clitic":
                break
            allowed = rules.auxiliaries.get(infinitive, ())
            if kind not in allowed:
                break
            is_passive = kind == "participle" and infinitive in rules.passive_auxiliaries
            chain.append(at)
            infinitive = rules.verbs.nonfinite(form) or form
            if is_passive:
                break
        clitics = [n for n in range(self.before_verb(verb) + 1, chain[-1] + 2) if self.word_class(n) == "clitic"]
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
        return is_moving or any(self.form(n) in ("se", "s'") for n in range(self.before_verb(verb) + 1, verb))

    def infinitive(self, verb: int) -> str:
        """The infinitive of a finite verb; of a form that several share, the usual one."""
        analyses = self.rules.verbs.finite(self.form(verb)) or self.rules.verbs.analyses(self.form(verb))
        chosen = next((one.infinitive for one in analyses if one.infinitive in self.rules.preferred), None)
        return chosen or (analyses[0].infinitive if analyses else self.form(verb))


@lru_cache(maxsize=256)  # several kinds and checks look at the same item
def clauses_of(item: Item, rules: Rules) -> Clauses:
    """The clauses of an item."""
    return _Reader(item, rules).read()


class _Reader:
    """Classifies the words of a text from left to right."""

    def __init__(self, item: Item, rules: Rules) -> None:
        self.item, self.rules, self.grammar = item, rules, rules.grammar
        self.text = item.text or ""
        self.words = tuple(self._split(compounds(self.text, 0, len(self.text), self.grammar)))
        self.classes = [""] * len(self.words)
        self.phrases: list[TextPhrase] = []
        self.at: dict[int, TextPhrase] = {}
        spans = [word.span for word in self.words]
        self.pronoun = next((n for n, span in enumerate(spans) if item.pronoun and span == item.pronoun), None)

    def read(self) -> Clauses:
        for index, candidate in enumerate(self.item.candidates):
            for mention in candidate.mentions:
                self._mention(index, mention)
        number = 0
        while number < len(self.words):
            if self.classes[number]:
                number += 1
                continue
            number = self._one(number)
        for phrase in [one for one in self.phrases if self._form(one.first) == "des"]:
            self._settle(phrase)
        return Clauses(
            self.item, self.rules, self.words, tuple(self.classes), tuple(sorted(self.phrases, key=lambda p: p.first)),
            self.pronoun, self.at,
        )  # fmt: skip

    def _settle(self, phrase: TextPhrase) -> None:
        """French *des* is *de* and *les* after a noun, an article after a verb."""
        before = self._class(phrase.first - 1)
        if before == "noun":
            made = replace(phrase, preposition="de")
        elif before in ("verb", "participle", "infinitive", "adverb", "negation"):
            made = replace(phrase, preposition="", determiner="des")
        else:
            return
        self.phrases[self.phrases.index(phrase)] = made
        for number in range(phrase.first, phrase.last + 1):
            self.at[number] = made

    def _split(self, words: tuple[Token, ...]) -> list[Token]:
        """Clitics joined by a hyphen as words of their own: *levá-la* is *levar* and *la*."""
        found: list[Token] = []
        for word in words:
            verb, _, clitic = word.form.rpartition("-")
            if verb and clitic in self.grammar.small("clitic") and self.grammar.tag not in ("fr",):
                cut = word.span.end - len(clitic)
                inner = self.rules.before_clitic(verb, clitic)
                found += [
                    Token(inner, Span(word.span.start, cut - 1), word.is_capital),
                    Token(clitic, Span(cut, word.span.end)),
                ]
            else:
                found.append(word)
        return found

    def _mention(self, index: int, mention: Span) -> None:
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
            self._with_adjectives(nouns[-1], self._shown(determiner, head, is_name=False)[0])
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
                *self._shown(determiner, head, is_name=is_name),
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

    def _shown(self, determiner: str, head: int, *, is_name: bool) -> tuple[str | None, str | None]:
        """Gender and number by the determiner, else by the noun."""
        table = self.grammar.table("determiners").features()
        features = [table[form] for form in determiner.split() if form in table]
        gender = next((one.gender for one in features if one.gender), None)
        number = next((one.number for one in features if one.number), None)
        if is_name:
            return gender, number or "singular"
        form = self.words[head].form
        return gender or self.rules.noun_gender(form), number or self.rules.noun_number(form)

    def _opens(self, number: int) -> bool:
        return opens_sentence(self.text, self.words[number].span.start)

    def _class(self, number: int) -> str:
        return self.classes[number] if 0 <= number < len(self.classes) else "sign"

    def _form(self, number: int) -> str:
        return self.words[number].form if 0 <= number < len(self.words) else ""

    def _one(self, number: int) -> int:  # noqa: PLR0912
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
        is_capital = self.words[number].is_capital
        is_name = is_capital and (
            not self._opens(number)
            or (name_gender(self.words[number].span.of(self.text), self.item.language).value
                and not is_also_word(self.words[number].span.of(self.text), self.item.language)
                and not verbs.analyses(form))
        )  # fmt: skip
        if is_name:
            last = number
            while last + 1 < len(self.words) and self.words[last + 1].is_capital and not self.classes[last + 1]:
                last += 1
            before = self._form(number - 1)
            preposition = before if before in self.grammar.prepositions else ""
            gender = name_gender(self.words[number].span.of(self.text), self.item.language).value
            self._add(TextPhrase(number, number, last, preposition, "", gender, "singular", None, is_name=True))
            return last + 1
        if self._opens_bare_phrase(number):
            return self._bare(number, number + 1)
        if self._is_verb(number):
            self.classes[number] = "verb"
        elif self._is_bare_noun(number):
            return self._bare(number, number)
        elif self.rules.is_infinitive(form):
            self.classes[number] = "infinitive"
        elif self.grammar.is_gerund(form) or (verbs.nonfinite(form) and form.endswith(("ndo", "ant"))):
            self.classes[number] = "gerund"
        elif verbs.is_participle(form) or (
            self._looks_participle(form) and self._class(number - 1) != "preposition"  # "de côté"
        ):
            self.classes[number] = "participle"
        elif self.rules.is_adjective(form):
            self.classes[number] = "adjective"
        else:
            return self._bare(number, number)
        return number + 1

    def _bare(self, number: int, head: int) -> int:
        """A noun without determiner; the number of the next word."""
        before, form = self._form(number - 1), self._form(head)
        preposition = before if before in self.grammar.prepositions else ""
        gender, count = self.rules.noun_gender(form), self.rules.noun_number(form)
        last = self._with_adjectives(head, gender)
        self._add(TextPhrase(number, head, last, preposition, "", gender, count))
        return last + 1

    def _opens_bare_phrase(self, number: int) -> bool:
        """Whether an adjective stands before a noun without determiner: *tinha boa dicção*."""
        following = self._form(number + 1)
        if self._form(number) not in self.grammar.prenominals or not self._is_open(number + 1):
            return False
        if self._is_verb(number + 1) or self.rules.verbs.nonfinite(following):
            return False
        return not self.rules.is_adjective(following) or self.grammar.is_noun_too(following)

    def _is_bare_noun(self, number: int) -> bool:
        """Whether a word that may be an adjective is rather a noun: *em voz alta*, *fazer cara de inocente*."""
        form = self._form(number)
        if not self.grammar.is_noun_too(form) and self.rules.listed(form) is None:
            return False
        at = number - 1
        while self._class(at) == "adverb":
            at -= 1
        if self._class(at) == "preposition":
            return True
        if self.rules.verbs.is_participle(form) and self._form(at) in self.rules.sure_verbs:
            return False  # "a marché"
        verb = self.rules.verbs.nonfinite(self._form(at)) or next(
            (one.infinitive for one in self.rules.verbs.finite(self._form(at))), ""
        )
        return self._class(at) in ("verb", "infinitive", "gerund", "participle") and verb not in self.rules.copulas

    def _looks_participle(self, form: str) -> bool:
        return self.grammar.is_participle(form) and not self.grammar.is_listed_adjective(form)

    def _has_verb_beside(self, number: int) -> bool:
        """Whether a clitic stands before its verb, or hangs on it."""
        if number and self.words[number].span.start and self.text[self.words[number].span.start - 1] == "-":
            return True
        at = number + 1
        while self._form(at) in self.rules.clitics or self._form(at) in self.rules.object_clitics:
            at += 1
        if self._is_verb(at):
            return True
        if self._form(number - 1) in self.rules.perfect and self.rules.verbs.is_participle(self._form(at)):
            return True  # "havia a deixado"
        is_article_too = self._form(number) in self.rules.determiners and self.rules.drops_subjects
        before = self._class(number - 1)
        if is_article_too and before not in ("preposition", "negation"):
            return False  # "ensinou a avó a mandar", "adorar o suéter"
        return self.rules.is_infinitive(self._form(at))

    def _is_verb(self, number: int) -> bool:
        """Whether a word is a finite verb, by its form and by what comes before it."""
        form = self._form(number)
        if form in self.grammar.closed and form not in self.rules.sure_verbs:
            return False
        analyses = self.rules.verbs.finite(form)
        if not analyses or form in self.grammar.like("finite"):
            return False
        before = self._class(number - 1)
        form_before = self._form(number - 1)
        at = number - 1
        while self._class(at) == "adverb":
            at -= 1
        if self._form(at) in self.rules.perfect and self.rules.verbs.is_participle(form):
            return False  # "a dit"
        if form in self.rules.sure_verbs:
            return before != "preposition"  # "em vão"
        if form_before in self.rules.determiners and before != "clitic" and before not in ("pronoun",):
            if self.rules.listed(form) is not None:
                return False  # "a bateria"
            return self.classes[number - 1] == "" and form_before in self.rules.object_clitics and self._is_clear(form)
        if before == "preposition":
            return False
        if before in ("verb", "participle", "infinitive", "gerund") and not self._is_clear(form):
            return False
        is_listed = self.rules.verbs.is_listed(form)
        if self.rules.is_adjective(form) and not (self._is_clear(form) and is_listed):
            is_object = before == "pronoun" and self._class(number - 2) in ("infinitive", "verb", "gerund")
            return is_listed and not is_object and before in ("pronoun", "clitic", "negation", "relative")
        return True

    def _is_clear(self, form: str) -> bool:
        """Whether a finite form is not a noun or adjective as well, as many in -a and -e are."""
        tenses = {one.tense for one in self.rules.verbs.finite(form)}
        return not tenses <= {"present", "subjunctive", "future-subjunctive"} or form in self.rules.sure_verbs

    def _is_prenominal(self, number: int) -> bool:
        form = self._form(number)
        return form in self.grammar.prenominals or form in self.rules.determiners

    def _phrase(self, number: int, preposition: str, determiner: str) -> int:
        """The noun phrase after a determiner or contraction; the number of the next word."""
        at, said = number + 1, [determiner]
        while self._form(at) in self.rules.determiners and self._class(at) == "":
            said.append(self._form(at))
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
        if not self._is_open(at):
            self.classes[number] = "preposition" if preposition else "determiner"
            return number + 1
        if not preposition and number and self._form(number - 1) in self.grammar.prepositions:
            preposition = self._form(number - 1)
        gender, plural = self._shown(" ".join(said), at, is_name=False)
        is_name = self.words[at].is_capital
        last = at if is_name else self._with_adjectives(at, gender)
        self._add(TextPhrase(number, at, last, preposition, " ".join(said), gender, plural, None, is_name))
        return last + 1

    def _is_open(self, number: int) -> bool:
        form = self._form(number)
        if not form or not is_word(form) or self._class(number) or number == self.pronoun:
            return False
        return form not in self.grammar.closed and form not in self.rules.pronouns and not self.grammar.is_adverb(form)

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

    def _agrees(self, adjective: str, gender: str | None) -> bool:
        """Whether an adjective may belong to a noun of this gender: not *um palmo mais baixa*."""
        return gender not in ("masculine", "feminine") or self.rules.in_gender(adjective, gender) in (adjective, None)

    def _acts(self, number: int) -> bool:
        """Whether a word that may be an adjective after a noun is rather its verb."""
        following = self._form(number + 1)
        return following in self.rules.determiners or self._is_clear(self._form(number)) or following in ("se", "que")
