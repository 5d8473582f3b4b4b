"""Training items in plain text: a noun or name that is repeated in a later clause becomes a gap.

    The key turned in the lock, but soon the lock was full of rust.
    The key turned in the lock, but soon the _ was full of rust.      key | lock, answer: lock

The other candidate is a noun of the same gender, number and animacy, mentioned before. Grammar decides what fits the
gap: a pronoun is put in the phrase's place; the reading with the repeated noun must give back what was written, and the
reading with the other noun must derive too. `nouns` finds the nouns; `schemas` reads whole corpora.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from winoglot.corpus.nouns import PAUSES, NounKind, NounMention, Passage
from winoglot.languages.features import NAMES
from winoglot.languages.lexicon import lexicon
from winoglot.languages.readings import readings
from winoglot.languages.text import sentence_spans
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Candidate, Item
from winoglot.schemas.spans import Span
from winoglot.schemas.text import capital, folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.languages.lexicon import WordEntry

_SHORTEST, _LONGEST = 10, 70  # words of a passage
_SHORTEST_CLAUSE = 4  # words, the gap included: fewer do not say which candidate is meant
_MOST_OTHERS = 3  # nouns that agree with the repeated one: more make a list of things
_SAME_BEGINNING = 4  # letters that no two candidates share: neighbour and neighbourhood
# Quotations, dialogue, tables, markup, ellipses, long numbers.
_DEBRIS = re.compile(
    r"[\"“”„«»‹›「」『』《》<>\[\]{}|*_=/\\@#~^•…【】]|--|[–—―]|\d{5}|\.\.|''|``"
    r"|(?:^|\s)['’‘-]|['’-](?:\s|$)"
)
_END = re.compile(r"[.!?。！？]$")
_SENTENCE_ENDS = frozenset(".!?。！？")
_NOT_FOR_GAPS = frozenset(("possessive", "reflexive", "demonstrative", "propositional", "attached"))


def items_in(text: str, language: str) -> Iterator[Item]:
    """The items in a text with one paragraph per line: in single sentences, or in two that follow each other.

    >>> [item] = items_in("The key would not turn in the lock, because the lock was old and full of rust.", "en")
    >>> item.text, [candidate.text for candidate in item.candidates], item.answer
    ('The key would not turn in the lock, because the _ was old and full of rust.', ['key', 'lock'], 1)
    """
    for paragraph in text.splitlines():
        before = ""
        for span in sentence_spans(paragraph, language):
            sentence = span.of(paragraph)
            if not is_prose(sentence):
                before = ""
                continue
            item = _item(sentence, language)
            if item is None and before:
                item = _item(before + ("" if is_unspaced(sentence[0]) else " ") + sentence, language)
            if item is not None:
                yield item
            before = "" if item else sentence  # no sentence is used twice


def is_prose(sentence: str) -> bool:
    """Whether it is a whole sentence without quotations, dialogue, markup or other debris.

    >>> [is_prose(text) for text in ("It rained.", "- It rained.", '"It rained," she said.', "and it rained.")]
    [True, False, False, False]
    """
    return bool(_END.search(sentence)) and not _DEBRIS.search(sentence) and not sentence[0].islower()


def _item(text: str, language: str) -> Item | None:
    """The item of a passage whose gap is the last possible one; None if there is none."""
    passage = Passage(text, language)
    if not _SHORTEST <= len(passage.spans) <= _LONGEST or len(set(passage.forms)) == len(passage.forms):
        return None
    for gap in reversed(passage.mentions):
        own = [one for one in passage.mentions if one.word == gap.word and one.start < gap.start]
        made = Repetition(passage, gap, own).item() if own else None
        if made is not None:
            return made
    return None


@dataclass(frozen=True)
class Repetition:
    """A noun that is mentioned again: the gap, and its mentions before."""

    passage: Passage
    gap: NounMention
    own: Sequence[NounMention]

    def item(self) -> Item | None:
        """The item; None if the gap is doubtful, nothing else would fit it, or grammar cannot put both into it."""
        is_gap = self._refers_back() and self._ends() and self._is_in_later_clause()
        if not is_gap or self._is_in_expression() or self._is_in_name():
            return None
        other = self._other()
        return self._derived(other) if other else None

    # The gap

    def _refers_back(self) -> bool:
        """Whether it is a name, or definite without an adjective of its own; and whether all mentions are found."""
        gap, passage = self.gap, self.passage
        grammar = passage.grammar
        if (
            not gap.is_name
            and grammar.definite
            and not (gap.is_close and gap.determiner in grammar.definite | grammar.pointing)
        ):
            return False
        if not gap.is_name and is_unspaced(gap.word[0]):
            before = passage.class_of(passage.number_at(gap.start) - 1)
            if before not in ("pause", "end", "verb"):  # 大型电脑, 他的电脑, 研究中心
                return False
        is_found = passage.forms.count(folded(gap.word)) == len(self.own) + 1
        return is_found and all(one.kind.agrees(gap.kind) for one in self.own)

    def _ends(self) -> bool:
        """Whether nothing that follows belongs to the phrase: *the lock of the door*, *la rue Rodier*."""
        number, grammar = self.gap.number, self.passage.grammar
        following = self.passage.form(number + 1)
        if following in grammar.of | grammar.relatives | grammar.small.words("conjunction") | {"(", "（", "之"}:
            return False
        is_before_name = self.passage.text[self.gap.span.end :].lstrip()[:1].isupper()
        return not is_before_name and (self.gap.is_name or self.passage.ends_at(number))

    def _is_in_later_clause(self) -> bool:
        first, last = self.clause
        return self.own[-1].number < first and last - first >= _SHORTEST_CLAUSE

    @cached_property
    def clause(self) -> tuple[int, int]:
        """The words of the gap's clause: those between pauses and conjunctions."""
        passage, gap = self.passage, self.gap
        borders = PAUSES | passage.grammar.connectives
        begin, first = passage.number_at(gap.start), gap.number
        # "and" only joins clauses right before the gap, if a verb follows: … and the lock broke.
        if passage.form(begin - 1) in passage.grammar.coordinators and passage.ends_at(gap.number):
            first = begin
        else:
            while first and passage.forms[first - 1] not in borders:
                first -= 1
        last = gap.number
        while last < len(passage.forms) and passage.forms[last] not in borders:
            last += 1
        return first, last

    def _is_in_expression(self) -> bool:
        """Whether the word before belongs to the phrase (*tout le monde*) or is the same as before (起义计划)."""
        passage = self.passage
        numbers = [passage.number_at(one.start) - 1 for one in (self.gap, *self.own)]
        before, *earlier = map(passage.form, numbers)
        if self.gap.is_name and before in _SENTENCE_ENDS:
            return True  # a name that opens a sentence may be either of two people
        is_content = passage.class_of(numbers[0]) not in ("pause", "end")
        return before in passage.grammar.determiners or (is_content and before in earlier)

    def _is_in_name(self) -> bool:
        """Whether it may belong to a name or compound: *l'Organisation mondiale du tourisme*, *coupe du monde*."""
        passage = self.passage
        number = passage.number_at(self.gap.start)
        if passage.form(number) not in passage.grammar.of:
            number -= 1
        if number < 1 or passage.form(number) not in passage.grammar.of:
            return False
        if any(surface[0].isupper() for surface in passage.surfaces[max(0, number - 3) : number]):
            return True
        noun = passage.spans[number - 1].start
        return passage.grammar.words.before(passage.text, noun, Span(0, 0)) == noun

    # The other candidate

    def _other(self) -> list[NounMention] | None:
        """The mentions of the other candidate; None if there is none, if another would fit as well, or if it comes
        again later."""
        found: dict[str, list[NounMention]] = {}
        for mention in self.passage.mentions:
            is_other = mention.word != self.gap.word and mention.is_name == self.gap.is_name
            if is_other and mention.kind.agrees(self.gap.kind):
                found.setdefault(mention.word, []).append(mention)
        before = [one for one in found.values() if one[0].start < self.gap.start and self._may_be_taken_up(one[0])]
        alike = [one for one in before if one[0].kind.animacy == self.gap.kind.animacy]
        if not before or len(before) > _MOST_OTHERS or (self.gap.kind.animacy and len(alike) > 1):
            return None
        # If possible one that comes first, since the repeated noun does so too often; and no complement (do celeiro).
        first = self.own[0].start
        other = max(alike or before, key=lambda one: (one[0].start < first, not one[0].preposition, one[0].start))
        is_later = other[-1].number >= self.clause[0]
        is_found = self.passage.forms.count(folded(other[0].word)) == len(other)
        return other if is_found and not is_later and not self._is_same(other) else None

    def _may_be_taken_up(self, mention: NounMention) -> bool:
        """Whether it may be meant again: not what has an owner, nor what is indefinite after a preposition, as in *num
        arranque*, *in a moment*."""
        grammar = self.passage.grammar
        if mention.is_name or mention.determiner in grammar.definite or not grammar.definite:
            return True
        before = self.passage.form(self.passage.number_at(mention.start) - 1)
        is_adverbial = bool(mention.preposition) or before in grammar.small.words("preposition")
        return not is_adverbial and grammar.possessives.isdisjoint(mention.determiner.split())

    def _is_same(self, other: Sequence[NounMention]) -> bool:
        """Whether they are the same word in part, one thing (*the visit was a trial*), or side by side in a list or an
        apposition, where both have the same role."""
        one, two = folded(self.gap.word), folded(other[0].word)
        if one in two or two in one or one[:_SAME_BEGINNING] == two[:_SAME_BEGINNING]:
            return True
        grammar = self.passage.grammar
        joints = grammar.coordinators | {",", "，", "、", "("} | grammar.words.openers
        pairs = [sorted((own, mention), key=lambda noun: noun.number) for own in self.own for mention in other]
        between = [self.passage.forms[left.number + 1 : self.passage.number_at(right.start)] for left, right in pairs]
        is_list = any(all(form in joints for form in forms) for forms in between)
        return is_list or any(not grammar.copulas.isdisjoint(forms[-2:]) for forms in between)  # was perhaps a trial

    # Both in the gap

    def _derived(self, other: Sequence[NounMention]) -> Item | None:
        """The item, if a pronoun in the gap can be replaced by either candidate."""
        passage, gap, language = self.passage, self.gap, self.passage.language
        ordered = sorted((self.own, other), key=lambda mentions: mentions[0].start)
        candidates = tuple(Candidate(self._cited(one[0]), tuple(place.span for place in one)) for one in ordered)
        opens_sentence = passage.form(passage.number_at(gap.start) - 1) in _SENTENCE_ENDS
        for pronoun in _pronouns(gap.kind, language):
            written = f"{gap.preposition} {pronoun}" if gap.preposition else pronoun
            written = capital(written) if opens_sentence else written
            end = gap.start + len(written)
            text = passage.text[: gap.start] + written + passage.text[gap.span.end :]
            probe = Item("a.0", "a", text=text, pronoun=Span(end - len(pronoun), end), candidates=candidates)
            made = readings(probe, language=language)
            texts = [reading.text for reading in made if reading.derived]
            item = self._with_gap(texts, ordered) if len(texts) == len(made) else None
            if item is not None:
                return item
        return None

    def _cited(self, mention: NounMention) -> str:
        noun, opener = mention.span.of(self.passage.text), mention.determiner
        is_joined = not opener or opener.endswith("'") or is_unspaced(noun[0])
        return opener + noun if is_joined else f"{opener} {noun}"

    def _with_gap(self, texts: Sequence[str], ordered: Sequence[Sequence[NounMention]]) -> Item | None:
        """The item with the noun as the gap, or the whole phrase if its article differs; None if the right reading is
        not what was written."""
        answer, gap, written = ordered.index(self.own), self.gap, self.passage.text
        right = texts[answer]
        # A reading has "the lock" where the text has "this lock": there the demonstrative stays before the gap.
        is_same = right == written
        is_pointing = gap.determiner in self.passage.grammar.pointing and right[: gap.start] == written[: gap.start]
        if not is_same and not is_pointing:
            return None
        rest = written[gap.span.end :]
        for start in (gap.span.start, gap.start)[: 2 if is_same else 1]:
            before = right[: len(right) - len(written) + start]
            if all(text.startswith(before) and text.endswith(rest) for text in texts):
                break
        else:
            return None
        inserted = [text[len(before) : len(text) - len(rest)] for text in texts]
        if inserted[answer] != written[start : gap.span.end]:
            return None
        text = f"{written[:start]}_{rest}"
        candidates = tuple(
            Candidate(phrase, tuple(place.span for place in mentions))
            for phrase, mentions in zip(inserted, ordered, strict=True)
        )
        name = f"g-{digest(text)[:12]}"
        return Item(
            f"{name}.0",
            name,
            text=text,
            pronoun=Span(start, start + 1),
            candidates=candidates,
            answer=answer,
            tags=("generated",),
            language=self.passage.language,
        )


@cache
def _pronouns(kind: NounKind, language: str) -> tuple[str, ...]:
    """The pronouns that may stand for a noun of this kind, in the order of the table."""
    table = lexicon(language, "pronouns")
    with_role = table.words("subject") | table.words("after-preposition")  # some languages show no roles
    values = {"gender": kind.gender, "number": kind.number, "animacy": "human" if kind.animacy == "human" else "thing"}

    def fits(line: WordEntry) -> bool:
        shown = ((line.one_of(name), values[name]) for name in NAMES)
        return line.features.isdisjoint(_NOT_FOR_GAPS) and all(None in pair or pair[0] == pair[1] for pair in shown)

    forms = (form for form in table.entries if "'" not in form and (form in with_role or not with_role))
    return tuple(form for form in forms if any(map(fits, table.entries[form])))
