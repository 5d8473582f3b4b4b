"""Training items in plain text: a noun or name that is repeated in a later clause becomes a gap.

    The key turned in the lock, but soon the lock was full of rust.
    The key turned in the lock, but soon the _ was full of rust.      key | lock, answer: lock

The other candidate is a noun phrase of the same gender, number and animacy, mentioned before. Grammar decides what fits
the gap: a pronoun is put in the phrase's place, the reading with the repeated noun must give back what was written, and
the reading with the other noun must derive too. Nouns are found without a parser, so whatever is doubtful is left out.
`items_in` looks at one text; `corpus.schemas` reads whole corpora.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words, offered
from winoglot.languages.features import NAMES
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_also_word, name_gender
from winoglot.languages.readings import readings
from winoglot.languages.text import sentence_spans, word_spans
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Candidate, Item
from winoglot.schemas.spans import Span
from winoglot.schemas.text import capital, folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.languages.lexicon import WordEntry

_SHORTEST, _LONGEST = 10, 70  # words of a passage
_FEWEST_IN_CLAUSE = 4  # words of the gap's clause, the gap included: fewer do not say which candidate is meant
_MOST_MODIFIERS = 2  # between a determiner and its noun
_MOST_OTHERS = 3  # nouns that agree with the repeated one; more make a list of things
# Quotations, dialogue, tables, markup, ellipses, long numbers.
_DEBRIS = re.compile(
    r"[\"“”„«»‹›「」『』《》<>\[\]{}|*_=/\\@#~^•…【】]|--|[–—―]|\d{5}|\.\.|''|``|(?:^|\s)['’‘-]|['’-](?:\s|$)|[!?。！？].*[!?]$"
)
_END = re.compile(r"[.!?。！？]$")
_PAUSES = frozenset(",;:.!?，；：。！？()（）")
_NOWHERE = Span(0, 0)

_TABLES = ("vocabulary", "people", "nouns", "things")
_KINDS = {  # features of the tables that show animacy
    "human": ("human",),
    "animal": ("animal", "pet", "wild"),
    "thing": (
        *("thing", "artefact", "furniture", "vehicle", "building", "fixture", "landscape", "plant", "food", "work"),
        *("worn", "material", "body-part"),
    ),
}
_NO_REFERENT = ("time", "period", "season", "part-of-day", "small-quantity", "measure", "manner", "address", "title")
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
            joint = "" if is_unspaced(sentence[0]) else " "
            item = Passage(sentence, language).item() or (
                Passage(before + joint + sentence, language).item() if before else None
            )
            if item is not None:
                yield item
            before = "" if item else sentence  # no sentence is used twice


def is_prose(sentence: str) -> bool:
    """Whether it is a whole sentence without quotations, dialogue, markup or other debris.

    >>> [is_prose(text) for text in ("It rained.", "- It rained.", '"It rained," she said.', "and it rained.")]
    [True, False, False, False]
    """
    return bool(_END.search(sentence)) and not _DEBRIS.search(sentence) and not sentence[0].islower()


@dataclass(frozen=True)
class NounKind:
    """What two candidates must have in common; unlisted nouns have no animacy and count as things."""

    animacy: str | None
    gender: str | None
    number: str

    def agrees(self, other: NounKind) -> bool:
        """Whether one pronoun could refer to both."""
        same_gender = self.gender == other.gender or None in (self.gender, other.gender)
        kinds = {self.animacy or "thing", other.animacy or "thing"}
        return same_gender and self.number == other.number and len(kinds) == 1


@dataclass(frozen=True)
class Mention:
    """A noun or name in a passage: the number of its word, and where its phrase begins."""

    word: str
    number: int
    span: Span
    start: int
    determiner: str  # in lower case, a contraction as what it contains
    preposition: str  # of the contraction
    is_close: bool  # nothing stands between determiner and noun
    is_name: bool
    kind: NounKind


class Passage:
    """One sentence or two, with its nouns."""

    def __init__(self, text: str, language: str) -> None:
        """Split the text into words."""
        self.text, self.language = text, language
        self.spans = word_spans(text, language)
        self.surfaces = [span.of(text) for span in self.spans]
        self.forms = [folded(surface) for surface in self.surfaces]

    def item(self) -> Item | None:
        """The item whose gap is the last possible one; None if there is none."""
        if not _SHORTEST <= len(self.spans) <= _LONGEST or len(set(self.forms)) == len(self.forms):
            return None
        for mention in reversed(self.mentions):
            own = [one for one in self.mentions if one.word == mention.word and one.start < mention.start]
            if own and self._is_gap(mention, own):
                other = self._other(mention, own)
                made = self._derived(mention, own, other) if other else None
                if made is not None:
                    return made
        return None

    # Nouns

    @cached_property
    def mentions(self) -> list[Mention]:
        """The nouns with a determiner (in scripts without spaces, all nouns) and the first names, in order."""
        return [found for number in range(len(self.spans)) if (found := self._mention(number)) is not None]

    def _mention(self, number: int) -> Mention | None:
        surface, form, span = self.surfaces[number], self.forms[number], self.spans[number]
        gender = self._name_gender(number)
        if gender:
            start = function_words(self.language).before(self.text, span.start, _NOWHERE)
            determiner, preposition = self._opener(start, span.start)
            kind = NounKind("human", gender, "singular")
            return Mention(surface, number, span, start, determiner, preposition, True, True, kind)
        if surface != form or not form[0].isalpha() or not self._is_head(number):
            return None
        first = self._first_modifier(number)
        start = function_words(self.language).before(self.text, self.spans[first].start, _NOWHERE)
        determiner, preposition = self._opener(start, self.spans[first].start)
        if not determiner and not is_unspaced(form[0]):
            return None
        kind = self._kind(form, determiner)
        if kind is None or (determiner and self._is_no_determiner(start)):
            return None
        return Mention(form, number, span, start, determiner, preposition, first == number, False, kind)

    def _name_gender(self, number: int) -> str | None:
        """The gender of a first name that stands alone, without title or surname."""
        surface = self.surfaces[number]
        is_written_so = surface[0].isupper() or is_unspaced(surface[0])
        gender = name_gender(surface, self.language).value if is_written_so else None
        if gender not in ("masculine", "feminine") or is_also_word(surface, self.language):
            return None
        small = function_words(self.language).closed | lexicon(self.language, "function_words").words()
        beside = range(max(0, number - 1), min(len(self.forms), number + 2))
        for other in (other for other in beside if other != number):
            is_part = self.surfaces[other][0].isupper() and self.forms[other] not in small
            if is_part or self.forms[other] in ("'s", "-", "&", "·"):
                return None
        return gender

    def _is_head(self, number: int) -> bool:
        """Whether the word is the last of its noun phrase, or the noun before what belongs to it."""
        form = self.forms[number]
        if word_class(form, self.language) != "noun" or form in _left_out(self.language):
            return False
        if lexicon(self.language, "adjectives").words("prenominal"):
            return True  # adjectives and complements follow
        if is_unspaced(form[0]):
            before = word_class(self.forms[number - 1], self.language) if number else ""
            if before in ("noun", "other end"):
                return False  # part of a compound, or a verb: 擅自领军
        return self._after(number) in ("end", "pause") or self.forms[number + 1] == "的"

    def _after(self, number: int) -> str:
        following = self.forms[number + 1] if number + 1 < len(self.forms) else "."
        found = "pause" if following in _PAUSES else word_class(following, self.language)
        return "end" if found == "other end" else found

    def _first_modifier(self, number: int) -> int:
        """Where the adjectives before a noun begin."""
        follows = bool(lexicon(self.language, "adjectives").words("prenominal"))
        modifiers = ("adjective",) if follows or is_unspaced(self.forms[number][0]) else ("adjective", "noun")
        first = number
        while first and number - first < _MOST_MODIFIERS and word_class(self.forms[first - 1], self.language) in modifiers:
            first -= 1
        return first

    def _opener(self, start: int, end: int) -> tuple[str, str]:
        """The determiner between two places, and the preposition it is contracted with."""
        opener = folded(self.text[start:end]).strip()
        preposition, determiner = function_words(self.language).contractions.get(opener, ("", opener))
        return determiner, preposition

    def _is_no_determiner(self, start: int) -> bool:
        """Whether it is an object (*je le connais*, *não as limpa*) or part of a name (*Kim Jong Un*)."""
        number = self._number_at(start)
        before = self.forms[number - 1] if number else "."
        small = lexicon(self.language, "function_words")
        is_object = before in small.words("preverbal") | small.words("clitic-only") | _subjects(self.language)
        return is_object or (self.surfaces[number][0].isupper() and before not in _PAUSES)

    def _number_at(self, start: int) -> int:
        """The number of the word that begins there."""
        return next(number for number, span in enumerate(self.spans) if span.end > start)

    def _kind(self, form: str, determiner: str) -> NounKind | None:
        """Its features by determiner and table; None if a language with genders does not show it."""
        listed = _listed(self.language).get(form)
        shown = lexicon(self.language, "determiners").features().get(determiner.rpartition(" ")[2])  # o seu
        gender = (shown.gender if shown else None) or (listed.gender if listed else None)
        if gender is None and _has_genders(self.language):
            return None
        number_of = offered(self.language, "noun_number")
        number = (shown.number if shown else None) or (number_of(form) if number_of else None)
        kind_of = offered(self.language, "noun_kind")
        animacy = kind_of(form) if kind_of else listed.animacy if listed else None
        return NounKind(animacy, gender, number or "singular")

    # The gap

    def _is_gap(self, gap: Mention, own: Sequence[Mention]) -> bool:
        """Whether the mention refers back, ends its phrase, and is in a later clause than the others."""
        refers_back = _definite(self.language) | _pointing(self.language)
        if not gap.is_name and _definite(self.language) and not (gap.determiner in refers_back and gap.is_close):
            return False
        if is_unspaced(gap.word[0]) and not gap.is_name and self._is_modified(gap):
            return False
        small = lexicon(self.language, "function_words")
        following = self.forms[gap.number + 1] if gap.number + 1 < len(self.forms) else "."
        if following in small.words("of") | small.words("relative") | small.words("conjunction") | {"(", "（"}:
            return False
        if not gap.is_name and self._after(gap.number) not in ("end", "pause"):
            return False
        if any(not one.kind.agrees(gap.kind) for one in own) or self.forms.count(folded(gap.word)) != len(own) + 1:
            return False
        first, last = self._clause(gap)
        return last - first >= _FEWEST_IN_CLAUSE and own[-1].number < first and not self._is_in_name(gap)

    def _is_in_name(self, gap: Mention) -> bool:
        """Whether the gap may belong to a name or compound: *l'Organisation mondiale du tourisme*, *coupe du monde*."""
        number = self._number_at(gap.start)
        of = lexicon(self.language, "function_words").words("of")
        if self.forms[number] not in of:
            number -= 1
        if number < 1 or self.forms[number] not in of:
            return False
        before = range(max(0, number - 3), number)
        if any(self.surfaces[other][0].isupper() for other in before):
            return True
        opener = function_words(self.language).before(self.text, self.spans[number - 1].start, _NOWHERE)
        return opener == self.spans[number - 1].start

    def _is_modified(self, gap: Mention) -> bool:
        """Whether a word belongs to a noun in a script without spaces: 大型电脑, 他的电脑."""
        number = self._number_at(gap.start)
        before = self.forms[number - 1] if number else ""
        return bool(before) and before not in _PAUSES and word_class(before, self.language) != "end"

    def _clause(self, gap: Mention) -> tuple[int, int]:
        """The words of the gap's clause: those between pauses and conjunctions."""
        borders = _PAUSES | _connectives(self.language)
        first = gap.number
        while first and self.forms[first - 1] not in borders and not self._joins_clauses(first - 1, gap):
            first -= 1
        last = gap.number
        while last < len(self.forms) and self.forms[last] not in borders:
            last += 1
        return first, last

    def _joins_clauses(self, number: int, gap: Mention) -> bool:
        """Whether *and* stands right before the gap and a verb after it: *… and the lock broke*."""
        is_next = self.spans[number].end <= gap.start and self.spans[number + 1].start >= gap.start
        return is_next and self.forms[number] in _coordinators(self.language) and self._after(gap.number) == "end"

    def _other(self, gap: Mention, own: Sequence[Mention]) -> list[Mention] | None:
        """The mentions of the other candidate; None unless one is nearest, and nothing fits as well."""
        found: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            if mention.word != gap.word and mention.is_name == gap.is_name and mention.kind.agrees(gap.kind):
                found.setdefault(mention.word, []).append(mention)
        first = self._clause(gap)[0]
        before = [places for places in found.values() if places[0].start < gap.start]
        before = [places for places in before if not self._is_adverbial(places[0])]
        alike = [places for places in before if places[0].kind.animacy == gap.kind.animacy]
        if not before or len(before) > _MOST_OTHERS or (gap.kind.animacy and len(alike) > 1):
            return None
        other = max(alike or before, key=lambda places: places[0].start)
        is_before = other[-1].number < first and self.forms.count(folded(other[0].word)) == len(other)
        words = {folded(gap.word), folded(other[0].word)}
        is_nested = any(one.startswith(two[:4]) for one in words for two in words - {one})  # neighbour, neighbourhood
        return other if is_before and not is_nested else None

    def _is_adverbial(self, mention: Mention) -> bool:
        """Whether it is indefinite after a preposition, as in *num arranque*, *in a moment*: rarely taken up again."""
        if mention.is_name or mention.determiner in _definite(self.language) or not _definite(self.language):
            return False
        number = self._number_at(mention.start)
        small = lexicon(self.language, "function_words")
        return bool(mention.preposition) or (number > 0 and self.forms[number - 1] in small.words("preposition"))

    def _derived(self, gap: Mention, own: Sequence[Mention], other: Sequence[Mention]) -> Item | None:
        """The item, if grammar puts both candidates into the gap."""
        ordered = sorted((own, other), key=lambda mentions: mentions[0].start)
        answer = ordered.index(own)
        candidates = tuple(
            Candidate(self._cited(one[0]), tuple(mention.span for mention in one)) for one in ordered
        )
        opens_sentence = self.text[: gap.start].rstrip()[-1:] in ("", *".!?")
        for pronoun in _pronouns(gap.kind, self.language):
            written = f"{gap.preposition} {pronoun}" if gap.preposition else pronoun
            written = capital(written) if opens_sentence else written
            place = Span(gap.start + len(written) - len(pronoun), gap.start + len(written))
            probe_text = self.text[: gap.start] + written + self.text[gap.span.end :]
            probe = Item("a.0", "a", text=probe_text, pronoun=place, candidates=candidates)
            made = readings(probe, language=self.language)
            if all(reading.derived for reading in made):
                texts = [reading.text for reading in made]
                item = self._with_gap(gap, texts, ordered, answer)
                if item is not None:
                    return item
        return None

    def _cited(self, mention: Mention) -> str:
        noun = mention.span.of(self.text)
        opener = mention.determiner
        return f"{opener}{noun}" if opener.endswith("'") or not opener or is_unspaced(noun[0]) else f"{opener} {noun}"

    def _with_gap(self, gap: Mention, texts: list[str], ordered: Sequence[Sequence[Mention]], answer: int) -> Item | None:
        """The item with the gap where its readings differ; None if the right one is not what was written."""
        start, end = _difference(texts, self.language)
        inserted = [text[start : len(text) - end] for text in texts]
        right = texts[answer]
        if right != self.text:
            if gap.determiner not in _pointing(self.language):
                return None
            # The reading says "the lock" where the text says "this lock": the demonstrative stays before the gap.
            if inserted[answer] != gap.span.of(self.text) or not right.endswith(self.text[gap.span.start :]):
                return None
            start, right = gap.span.start, self.text
        text = f"{right[:start]}_{right[start + len(inserted[answer]) :]}"
        candidates = tuple(
            Candidate(phrase, tuple(mention.span for mention in mentions))
            for phrase, mentions in zip(inserted, ordered, strict=True)
        )
        name = f"g-{digest(text)[:12]}"
        return Item(
            f"{name}.0", name, text=text, pronoun=Span(start, start + 1), candidates=candidates, answer=answer,
            tags=("generated",), language=self.language,
        )


def _difference(texts: Sequence[str], language: str) -> tuple[int, int]:
    """How many characters two texts share at the beginning and at the end, in whole words."""
    one, two = (word_spans(text, language) for text in texts)
    first = next(n for n, (a, b) in enumerate(zip(one, two)) if a.of(texts[0]) != b.of(texts[1]))
    last = next(n for n, (a, b) in enumerate(zip(one[::-1], two[::-1])) if a.of(texts[0]) != b.of(texts[1]))
    return one[first].start, len(texts[0]) - one[len(one) - 1 - last].end


# What the tables of a language show


@lru_cache(maxsize=50_000)
def word_class(form: str, language: str) -> str:
    """`noun`, `adjective` before a noun, `end` if a noun phrase ends before it, or nothing of the kind."""
    own = offered(language, "word_class")
    return str(own(form)) if own else ""


@cache
def _listed(language: str) -> dict[str, NounKind]:
    found: dict[str, NounKind] = {}
    for table in _TABLES:
        for form, lines in lexicon(language, table).entries.items():
            features = {feature for line in lines for feature in line.features}
            animacy = next((kind for kind, shown in _KINDS.items() if not features.isdisjoint(shown)), None)
            genders = {line.one_of("gender") for line in lines} - {None, "common"}
            gender = genders.pop() if len(genders) == 1 else None
            if animacy:
                found.setdefault(form, NounKind(animacy, gender, "singular"))
    return found


@cache
def _left_out(language: str) -> frozenset[str]:
    """Nouns that say when, how or how much."""
    tables = (*_TABLES, "countable", "determiners", "phrases")
    return frozenset().union(*(lexicon(language, table).words(feature) for table in tables for feature in _NO_REFERENT))


@cache
def _has_genders(language: str) -> bool:
    return any(shown.gender for shown in lexicon(language, "determiners").features("definite").values())


@cache
def _definite(language: str) -> frozenset[str]:
    articles = lexicon(language, "determiners").words("definite")
    elided = lexicon(language, "spelling").values("elided")
    return articles | {form for article in articles for form in elided.get(article, ())}


@cache
def _pointing(language: str) -> frozenset[str]:
    return lexicon(language, "determiners").words("demonstrative")


@cache
def _connectives(language: str) -> frozenset[str]:
    table = lexicon(language, "function_words")
    features = ("connective", "subordinator", "coordinating", "clause-opening", "relative")
    return frozenset().union(*map(table.words, features)) - _coordinators(language)


@cache
def _coordinators(language: str) -> frozenset[str]:
    table = lexicon(language, "function_words")
    return table.words("coordinator") | table.words("conjunction")


@cache
def _subjects(language: str) -> frozenset[str]:
    return lexicon(language, "pronouns").words("subject") | lexicon(language, "function_words").words("spoken-subject")


@cache
def _pronouns(kind: NounKind, language: str) -> tuple[str, ...]:
    """The pronouns that may stand for a noun of this kind, in the order of the table."""
    table = lexicon(language, "pronouns")
    by_role = table.words("subject") | table.words("after-preposition")  # the tables of some languages show no roles
    values = {"gender": kind.gender, "number": kind.number, "animacy": "human" if kind.animacy == "human" else "thing"}

    def fits(line: WordEntry) -> bool:
        shown = ((line.one_of(name), values[name]) for name in NAMES)
        return line.features.isdisjoint(_NOT_FOR_GAPS) and all(None in pair or pair[0] == pair[1] for pair in shown)

    forms = (form for form in table.entries if "'" not in form and (form in by_role or not by_role))
    return tuple(form for form in forms if any(map(fits, table.entries[form])))
