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

from winoglot.corpus.nouns import NounKind, NounMention, Passage
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
_FARTHEST = 40  # words back to where the noun was mentioned last: in between, much else may be meant
_SAME_BEGINNING = 4  # letters that no two candidates share: neighbour and neighbourhood
# Quotations, dialogue, tables, markup, ellipses, long numbers; signs between which something was lost.
_DEBRIS = re.compile(
    r"[\"“”„«»‹›「」『』《》<>\[\]{}|*_=/\\@#~^•…【】]|--|[–—―]|\d{5}|\.\.|''|``"
    r"|(?:^|\s)['’‘-]|['’-](?:\s|$)|[(（,，、;；:：]\s*[)）,，、;；:：.。]"
)
_SENTENCE_ENDS = frozenset(".!?。！？")
_NOT_FOR_GAPS = frozenset(("possessive", "reflexive", "demonstrative", "propositional", "attached"))


def items_in(text: str, language: str) -> Iterator[Item]:
    """The items in a text with one paragraph per line: in single sentences, or in two that follow each other.

    >>> [item] = items_in("The key would not turn in the lock, because the lock was old and full of rust.", "en")
    >>> item.text, [candidate.text for candidate in item.candidates], item.answer
    ('The key would not turn in the lock, because the _ was old and full of rust.', ['key', 'lock'], 1)
    """
    for paragraph in text.splitlines():
        previous = ""
        for span in sentence_spans(paragraph, language):
            sentence = span.of(paragraph)
            if not is_prose(sentence):
                previous = ""
                continue
            item = _item(sentence, language)
            if item is None and previous:
                item = _item(previous + ("" if is_unspaced(sentence[0]) else " ") + sentence, language)
            if item is not None:
                yield item
            previous = "" if item else sentence  # no sentence is used twice


def is_prose(sentence: str) -> bool:
    """Whether it is a whole sentence without quotations, dialogue, markup or other debris.

    >>> [is_prose(text) for text in ("It rained.", "- It rained.", '"It rained," she said.', "and it rained.")]
    [True, False, False, False]
    """
    return sentence[-1:] in _SENTENCE_ENDS and not _DEBRIS.search(sentence) and not sentence[0].islower()


def _item(text: str, language: str) -> Item | None:
    """The item of a passage whose gap is the last possible one; None if there is none."""
    passage = Passage(text, language)
    is_whole = _SHORTEST <= len(passage.forms) <= _LONGEST and not passage.has_hole()
    for gap in reversed(passage.mentions) if is_whole and len(set(passage.forms)) < len(passage.forms) else ():
        earlier = [mention for mention in passage.mentions if mention.word == gap.word and mention.start < gap.start]
        item = Repetition(passage, gap, earlier).item() if earlier else None
        if item is not None:
            return item
    return None


@dataclass(frozen=True)
class Repetition:
    """A noun that is mentioned again: the gap, and its mentions before."""

    passage: Passage
    gap: NounMention
    earlier: Sequence[NounMention]

    def item(self) -> Item | None:
        """The item; None if the gap is doubtful, nothing else would fit it, or grammar cannot put both into it."""
        other = (
            self._other_candidate()
            if self._refers_back() and self._ends_phrase() and self._is_in_later_clause()
            else None
        )
        return self._derive(other) if other else None

    # The gap

    def _refers_back(self) -> bool:
        """Whether it is a name, or definite without an adjective of its own; and whether all mentions are found."""
        gap, passage = self.gap, self.passage
        previous, grammar = passage.number_at(gap.start) - 1, passage.grammar
        if gap.is_name:
            is_definite = passage.form(previous) not in _SENTENCE_ENDS  # there it may be either of two people
        elif grammar.definite:
            is_definite = gap.is_close and gap.determiner in grammar.definite | grammar.pointing
        else:
            is_definite = passage.class_of(previous) in ("pause", "end", "verb")  # not 大型电脑, 他的电脑, 研究中心
        return is_definite and passage.forms.count(folded(gap.word)) == len(self.earlier) + 1

    def _ends_phrase(self) -> bool:
        """Whether nothing that follows belongs to the phrase: *the lock of the door*, *the lock that broke*."""
        number, grammar = self.gap.number, self.passage.grammar
        if self.passage.form(number + 1) in grammar.of | grammar.relatives | grammar.small.words("conjunction"):
            return False
        return self.gap.is_name or self.passage.ends_at(number)

    def _is_in_later_clause(self) -> bool:
        (first, last), last_mention = self.clause, self.earlier[-1].number
        return self.gap.number - _FARTHEST < last_mention < first and last - first >= _SHORTEST_CLAUSE

    @cached_property
    def clause(self) -> tuple[int, int]:
        """The words of the gap's clause: those between pauses and conjunctions."""
        passage, gap, borders = self.passage, self.gap, self.passage.grammar.borders
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

    # The other candidate

    def _other_candidate(self) -> list[NounMention] | None:
        """The mentions of the other candidate; None if there is none, or if it comes again later."""
        by_word: dict[str, list[NounMention]] = {}
        for mention in self.passage.mentions:
            is_other = mention.word != self.gap.word and mention.is_name == self.gap.is_name
            if is_other and mention.kind.agrees(self.gap.kind):
                by_word.setdefault(mention.word, []).append(mention)
        previous_mentions = [
            mentions
            for mentions in by_word.values()
            if mentions[0].start < self.gap.start and self._may_be_other(mentions[0])
        ]
        if not previous_mentions or (
            self.gap.kind.animacy == "human" and len(previous_mentions) > 1
        ):  # of three people two may do the same
            return None
        other = max(previous_mentions, key=self._preference)
        is_later = other[-1].number >= self.clause[0]
        is_found = self.passage.forms.count(folded(other[0].word)) == len(other)
        return other if is_found and not is_later and not self._may_be_same(other) else None

    def _may_be_other(self, mention: NounMention) -> bool:
        """Whether it is known or stays in the background. What is introduced as a subject or object is what the text is
        about from there on; and what has an owner or is pointed at may be another word for something before."""
        grammar = self.passage.grammar
        is_known = mention.is_name or mention.determiner in grammar.definite
        is_own = not (grammar.possessives | grammar.pointing).isdisjoint(mention.determiner.split())
        return is_known or (self._is_in_background(mention) and not is_own)

    def _is_in_background(self, mention: NounMention) -> bool:
        """Whether it follows a preposition, or in a language without articles does not begin a clause."""
        grammar, previous = self.passage.grammar, self.passage.form(self.passage.number_at(mention.start) - 1)
        if not grammar.definite:
            return previous not in grammar.borders
        return bool(mention.preposition) or previous in grammar.prepositions

    def _preference(self, other: Sequence[NounMention]) -> tuple[bool, bool, bool, int]:
        """Candidates of which only one is listed, as a thing, are seldom alike; what is in the background is seldom
        meant as well; and the repeated noun comes first too often."""
        mention = other[0]
        is_different = mention.kind.animacy != self.gap.kind.animacy
        return is_different, self._is_in_background(mention), mention.start < self.earlier[0].start, mention.start

    def _may_be_same(self, other: Sequence[NounMention]) -> bool:
        """Whether they may be the same word in part, two words for one thing, things of one sort, or in one role."""
        word, other_word, grammar = folded(self.gap.word), folded(other[0].word), self.passage.grammar
        if word in other_word or other_word in word or word[:_SAME_BEGINNING] == other_word[:_SAME_BEGINNING]:
            return True
        pairs = (
            sorted((earlier, mention), key=lambda noun: noun.number) for earlier in self.earlier for mention in other
        )
        return not grammar.sorts(word).isdisjoint(grammar.sorts(other_word)) or any(
            self._are_joined(*pair) for pair in pairs
        )

    def _are_joined(self, left: NounMention, right: NounMention) -> bool:
        """Whether they stand in one list or in apposition, or are equated: *was perhaps a trial*."""
        passage, grammar = self.passage, self.passage.grammar
        places = range(left.number + 1, passage.number_at(right.start))
        nouns = {mention.number for mention in passage.mentions}
        words_between = [
            passage.forms[index] for index in places if index not in nouns and not passage.surfaces[index][0].isupper()
        ]
        is_list = not grammar.joints.isdisjoint(words_between) and grammar.joints | grammar.words.openers >= set(
            words_between
        )
        return is_list or not grammar.equating.isdisjoint(words_between[-2:])

    # Both in the gap

    def _derive(self, other: Sequence[NounMention]) -> Item | None:
        """The item, if a pronoun in the gap can be replaced by either candidate."""
        passage, gap, language = self.passage, self.gap, self.passage.language
        by_mention = sorted((self.earlier, other), key=lambda mentions: mentions[0].start)
        candidates = tuple(
            Candidate(self._citation_form(mentions[0]), tuple(place.span for place in mentions))
            for mentions in by_mention
        )
        opens_sentence = passage.form(passage.number_at(gap.start) - 1) in _SENTENCE_ENDS
        for pronoun in _pronouns(gap.kind, language):
            phrase = f"{gap.preposition} {pronoun}" if gap.preposition else pronoun
            phrase = capital(phrase) if opens_sentence else phrase
            end = gap.start + len(phrase)
            text = passage.text[: gap.start] + phrase + passage.text[gap.span.end :]
            probe = Item("a.0", "a", text=text, pronoun=Span(end - len(pronoun), end), candidates=candidates)
            candidate_readings = readings(probe, language=language)
            texts = [reading.text for reading in candidate_readings if reading.derived]
            item = self._with_gap(texts, by_mention) if len(texts) == len(candidate_readings) else None
            if item is not None:
                return item
        return None

    def _citation_form(self, mention: NounMention) -> str:
        noun, opener = mention.span.of(self.passage.text), mention.determiner
        is_joined = not opener or opener.endswith("'") or is_unspaced(noun[0])
        return opener + noun if is_joined else f"{opener} {noun}"

    def _with_gap(self, texts: Sequence[str], by_mention: Sequence[Sequence[NounMention]]) -> Item | None:
        """The item with the noun as the gap, or the whole phrase if its article differs; None if the right reading is
        not what was written."""
        answer, gap, original = by_mention.index(self.earlier), self.gap, self.passage.text
        right_reading = texts[answer]
        # A reading has "the lock" where the text has "this lock": there the demonstrative stays before the gap.
        is_same = right_reading == original
        is_pointing = (
            gap.determiner in self.passage.grammar.pointing and right_reading[: gap.start] == original[: gap.start]
        )
        if not is_same and not is_pointing:
            return None
        suffix = original[gap.span.end :]
        for start in (gap.span.start, gap.start)[: 2 if is_same else 1]:
            prefix = right_reading[: len(right_reading) - len(original) + start]
            if all(text.startswith(prefix) and text.endswith(suffix) for text in texts):
                break
        else:
            return None
        insertions = [text[len(prefix) : len(text) - len(suffix)] for text in texts]
        if insertions[answer] != original[start : gap.span.end]:
            return None
        text = f"{original[:start]}_{suffix}"
        candidates = tuple(
            Candidate(phrase, tuple(place.span for place in mentions))
            for phrase, mentions in zip(insertions, by_mention, strict=True)
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
        features = ((line.one_of(name), values[name]) for name in NAMES)
        return line.features.isdisjoint(_NOT_FOR_GAPS) and all(None in pair or pair[0] == pair[1] for pair in features)

    forms = (form for form in table.entries if "'" not in form and (form in with_role or not with_role))
    return tuple(form for form in forms if any(map(fits, table.entries[form])))
