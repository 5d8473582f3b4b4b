"""What the rules know about an item: its words and clauses, its candidates, and the people it mentions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import conjugated, parts_of_speech, plural_of, singular_noun
from winoglot.languages.en.rewriting.raw_text import TOKEN, FiniteClause, ParsedText, Word, ends_before_name
from winoglot.languages.en.rewriting.reader import analysed
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import famous_names, is_name, is_name_title, name_gender
from winoglot.languages.substitution import joined, match_case
from winoglot.schemas.model import Item
from winoglot.schemas.spans import Edit, Span, edited
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.languages.rewriting import Draws

Gender = Literal["masculine", "feminine"]
Number = Literal["singular", "plural"]
_BEFORE_RELATIVE = ("preposition", "adjective", "adverb")  # the house in which, the men alive who
_INSIDE_PHRASE = ("determiner", "possessive", "adjective", "noun", "genitive", "number", "name")
_PLURALS = {
    "was": "were", "wasn't": "weren't", "is": "are", "isn't": "aren't", "has": "have", "hasn't": "haven't",
    "does": "do", "doesn't": "don't"
}  # fmt: skip
_SINGULARS = {plural: singular for singular, plural in _PLURALS.items()}
PRONOUNS: dict[str, Gender] = {
    **dict.fromkeys(("he", "him", "his", "himself"), "masculine"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "feminine"),
}
_CLAUSE = re.compile(r"\b(?:who|whom|which|that|whose|where)\b", re.IGNORECASE)
_SINGULAR_WORDS = frozenset(("he", "she", "it", "this", "that", "one"))
_PLURAL_WORDS = frozenset(("i", "you", "we", "they", "these", "those", "both", "ones", "others", "them"))
_PLURAL = frozenset(("they", "them", "their", "theirs", "themselves"))


@dataclass(frozen=True)
class Mention:
    """A mention of a candidate, as the indexes of its tokens."""

    candidate: int
    first: int
    last: int
    head: int  # its main noun, or the last word of a name


@dataclass(frozen=True, kw_only=True)
class Scene(ParsedText):
    """An item as the rules see it."""

    item: Item
    is_named: tuple[bool, ...]  # for each candidate: whether it is a name
    mentions: tuple[Mention, ...]  # in the order of the text

    @cached_property
    def pronoun(self) -> int:
        """The index of the pronoun among the tokens."""
        start = self.item.pronoun.start if self.item.pronoun else -1
        positions = [index for index, token in enumerate(self.tokens) if token.span.start == start]
        if not positions:
            raise NotDerivedError("the pronoun is not a word of its own")
        return positions[0]

    @property
    def pronoun_form(self) -> str:
        """The pronoun in lower case, without what is contracted with it."""
        return self.tokens[self.pronoun].form

    @cached_property
    def is_plural(self) -> bool:
        """Whether the pronoun is plural."""
        return self.pronoun_form in _PLURAL

    @cached_property
    def gender(self) -> Gender | None:
        """The gender of the candidates, by the pronoun or else by their names and nouns; None if they have none."""
        if self.pronoun_form in PRONOUNS:
            return PRONOUNS[self.pronoun_form]
        genders = {self.gender_of(mention) for mention in self.mentions}
        return genders.pop() if len(genders) == 1 else None

    def gender_of(self, mention: Mention) -> Gender | None:
        """The gender that a name or noun shows by itself."""
        if self.is_named[mention.candidate]:
            value = name_gender(self.written(mention.first), "en").value
            return value if value in ("masculine", "feminine") else None  # type: ignore[return-value]
        return noun_gender(self.tokens[mention.head].form)

    def title(self, mention: Mention) -> str:
        """The title before a surname that mentions somebody who is *he* or *she*, as it is written; empty if none."""
        title = self.written(mention.first)
        is_titled = mention.last == mention.first + 1 and self.tokens[mention.last].tag == "name"
        is_person = self.pronoun_form in PRONOUNS and not self.is_named[mention.candidate]
        return title if is_titled and is_person and is_name_title(title, of_surname=True) else ""

    def names_person(self, index: int) -> bool:
        """Whether the word at this position is a name, or the last word of one, that a person has."""
        candidates = [mention for mention in self.mentions if mention.last == index]
        is_candidate = any(self.is_named[mention.candidate] or self.title(mention) for mention in candidates)
        is_listed = name_gender(self.written(index), "en").value is not None
        return self.tokens[index].tag == "name" and (is_candidate or is_listed)

    def has_apposition(self, mention: Mention) -> bool:
        """Whether a noun phrase between commas follows: *Tom, a tall man, …*."""
        after = mention.last + 2
        opens = self.at(after - 1).form == "," and self.at(after).tag in ("determiner", "possessive", "number")
        return opens and not any(clause.subject in range(after, after + 5) for clause in self.clauses)

    def doubt_about_her(self, index: int) -> str:
        """Why a *her* may be a possessive or an object; empty if that is clear."""
        verb, following = self.at(index - 1).verb, parts_of_speech(self.at(index + 1).form)
        may_be_object = is_in(verb, "verbs", "perceiving") or is_in(verb, "verb_classes", "telling")
        is_unclear = may_be_object and self.at(index).tag == "possessive" and following & {"VERB", "ADV"}
        return f"'her {self.at(index + 1).form}' may be what she has, or does" if is_unclear else ""  # saw her duck

    def citation(self, mention: Mention) -> str:
        """The mention as it is written."""
        return Span(self.tokens[mention.first].span.start, self.tokens[mention.last].span.end).of(self.text)

    def candidate_tokens(self) -> set[int]:
        """The indexes of all tokens that belong to a mention."""
        return set(chain.from_iterable(range(mention.first, mention.last + 1) for mention in self.mentions))

    def mentions_of(self, candidate: int) -> list[Mention]:
        """Where a candidate is mentioned; NotDerivedError if it is nowhere."""
        mentions = [mention for mention in self.mentions if mention.candidate == candidate]
        if not mentions:
            raise NotDerivedError(f"the text does not mention {self.item.candidates[candidate].text!r}")
        return mentions


@lru_cache(maxsize=64)
def scene_of(item: Item) -> Scene:
    """What is known about an item; NotDerivedError if its pronoun is a blank."""
    text = item.text or ""
    if item.pronoun_form != "word" or " " in item.parts[1]:
        raise NotDerivedError("the pronoun is not a word of its own")
    surfaces = [[mention.of(text) for mention in candidate.mentions] for candidate in item.candidates]
    is_named = tuple(bool(written) and all(_is_named(item, surface) for surface in written) for written in surfaces)
    names = (surface.split() for written, named in zip(surfaces, is_named, strict=True) if named for surface in written)
    mentioned = (mention for candidate in item.candidates for mention in candidate.mentions)
    phrases = frozenset(mention for mention in mentioned if not _CLAUSE.search(mention.of(text)))
    analysis = analysed(text, frozenset(folded(word) for word in chain.from_iterable(names)), phrases)
    mentions = []
    for index, candidate in enumerate(item.candidates):
        for span in candidate.mentions:
            indexes = analysis.within(span)
            if indexes:
                mentions.append(Mention(index, indexes[0], indexes[-1], _head(analysis, indexes)))
    mentions.sort(key=lambda mention: mention.first)
    return Scene(**vars(analysis), item=item, is_named=is_named, mentions=tuple(mentions))


def _is_named(item: Item, surface: str) -> bool:
    """Whether a mention is a person's name: *Tom*, *Ann Reed*; a capital alone shows nothing at the start.

    With other pronouns than *he* and *she* it may be a company, a team, a country.
    """
    words = surface.split()
    if not 0 < len(words) < 3 or not all(word[0].isupper() and word.isalpha() for word in words):
        return False
    first = folded(words[0])
    is_determiner = is_in(first, "determiners", "determiner", "opening", "loose", "possessive")
    is_title = is_name_title(first) or is_in(first, "nouns", "person") or "NOUN" in parts_of_speech(first)
    is_titled = len(words) > 1 and is_title and not is_name(words[0], "en")  # Mrs Hill, Forester Reed
    if is_determiner or is_titled or is_in(first, "function_words", "pronoun") or is_kin(first):  # Someone, Grandma
        return False
    return folded(item.parts[1]).partition("'")[0] in PRONOUNS


def _head(analysis: ParsedText, indexes: list[int]) -> int:
    """The main noun of a mention: the last noun before a preposition or a clause."""
    for index in indexes:
        if analysis.tokens[index].tag in ("preposition", "relative", "subordinator", "to") and index > indexes[0]:
            return index - 1
    return indexes[-1]


def recited(citation: str, words: Mapping[str, str]) -> str:
    """A citation form with other words, given by their forms in lower case.

    >>> recited("Ann's uncle", {"ann": "Beth", "uncle": "aunt"}), recited("a cup", {"cup": "oak cup"})
    ("Beth's aunt", 'an oak cup')
    """
    forms = [(match, folded(match.group()).replace("’", "'")) for match in TOKEN.finditer(citation)]
    edits = [
        Edit(Span(*match.span()), match_case(match.group(), words[form])) for match, form in forms if form in words
    ]
    changed = edited(citation, edits)
    return joined("a ", changed[2:], "en") if changed.startswith("a ") else changed


def new_names(scene: Scene, draws: Draws) -> dict[int, str]:
    """Another name for every candidate that is one, by its index: of the same gender, or a surname after a title."""
    named = [index for index, is_named in enumerate(scene.is_named) if is_named]
    untitled = {mention.candidate for mention in scene.mentions if not scene.title(mention)}
    titled = sorted({mention.candidate for mention in scene.mentions} - untitled)
    if named and scene.gender is None:
        raise NotDerivedError("the names have no gender that shows")
    refuse_famous(scene)
    first_names = draws.names(scene.gender or "", len(named)) if named else []
    surnames = draws.surnames(len(titled)) if titled else []
    return dict(zip((*named, *titled), (*first_names, *surnames), strict=True))


def refuse_famous(scene: Scene) -> None:
    """Raise NotDerivedError if a candidate is a famous person, whose name cannot be another one."""
    for mention in scene.mentions:
        if set(scene.citation(mention).split()) & famous_names():
            raise NotDerivedError(f"{scene.citation(mention)!r} is a famous person")


def noun_gender(noun: str) -> Gender | None:
    """The gender of the people that a noun, singular or plural, denotes.

    >>> noun_gender("girls"), noun_gender("uncle"), noun_gender("doctor")
    ('feminine', 'masculine', None)
    """
    return _gendered_nouns().get(noun.removeprefix("great-"), (None, ""))[0]  # type: ignore[return-value]


def counterpart(noun: str) -> str | None:
    """The corresponding noun for the other sex, in the same number.

    >>> counterpart("girls"), counterpart("uncle")
    ('boys', 'aunt')
    """
    partner = _gendered_nouns().get(noun.removeprefix("great-"), (None, ""))[1]
    return ("great-" if noun.startswith("great-") else "") + partner if partner else None


def is_kin(noun: str) -> bool:
    """Whether a noun denotes a relative and may be used to address them: *uncle*, *Grandma*."""
    return is_in(noun, "people", "kin") or is_in(counterpart(noun) or "", "people", "kin")


@lru_cache(maxsize=1)
def _gendered_nouns() -> dict[str, tuple[str, str]]:
    counterparts: dict[str, tuple[str, str]] = {}
    for noun, feminines in lexicon("en", "people").values("counterpart").items():
        pairs = [(noun, feminine) for feminine in feminines]
        for masculine, feminine in pairs + [
            (plural_of(masculine) or "", plural_of(feminine) or "") for masculine, feminine in pairs
        ]:
            if masculine and feminine:
                counterparts.setdefault(masculine, ("masculine", feminine))
                counterparts.setdefault(feminine, ("feminine", masculine))
    return counterparts


def animacy(noun: str) -> Literal["human", "animal"] | None:
    """Whether a noun, singular or plural, denotes people or animals; None if it is listed as neither.

    >>> animacy("teachers"), animacy("wolf"), animacy("lamp")
    ('human', 'animal', None)
    """
    forms = (noun, singular_noun(noun))
    if noun_gender(noun) or any(is_in(form, "people", "human") for form in forms):
        return "human"
    return "animal" if any(is_in(form, "people", "animal") for form in forms) else None


def is_thing(noun: str) -> bool:
    """Whether a noun, singular or plural, is listed but denotes neither people nor animals.

    >>> is_thing("bottles"), is_thing("teachers"), is_thing("grints")
    (True, False, False)
    """
    tables = [lexicon("en", table) for table in ("synonyms", "countable", "things")]
    is_listed = any(form in table for form in (noun, singular_noun(noun)) for table in tables)
    return is_listed and animacy(noun) is None


# The number of subjects and verbs


def agreeing(verb: Word, number: Number) -> str:
    """A finite verb as it is after a third-person subject of this number."""
    if number == "plural":
        if verb.form == "'s":
            return "'ve" if verb.shape == "have" else "'re"
        return verb.verb if verb.shape == "present" else _PLURALS.get(verb.form, verb.form)
    if verb.form in ("'re", "'ve"):
        return "'s"
    return conjugated(verb.verb, "present") if verb.shape == "plain" else _SINGULARS.get(verb.form, verb.form)


def shows_number(verb: Word) -> bool:
    """Whether the form of a finite verb depends on its subject: *was*, *goes*, not *went*."""
    return agreeing(verb, "plural") != verb.form or agreeing(verb, "singular") != verb.form


def is_third_singular(scene: Scene, clause: FiniteClause) -> bool | None:
    """Whether the subject of a clause takes a verb in -s; None if that is not known."""
    subject = clause.subject
    if subject is not None and scene.tokens[subject].tag == "relative":
        subject = antecedent_of(scene, subject)
    return None if subject is None or scene.tokens[subject].tag == "there" else is_singular(scene, subject)


def is_singular(scene: Scene, index: int) -> bool | None:
    """Whether the noun, name or pronoun at this position is singular; None if that is not known."""
    word = scene.tokens[index]
    if word.form in _SINGULAR_WORDS or word.form.endswith(("one", "body", "thing")):
        return True
    if word.form in _PLURAL_WORDS or is_joined(scene, index):
        return False
    form_number = noun_number(word.form)
    if word.tag == "name":
        is_people = form_number == "plural" and animacy(word.form) == "human"  # Hair Stylists
        is_team = scene.at(before_phrase(scene, index) + 1).form == "the" and word.form.endswith("s")  # the Cowboys
        return not is_people and not (is_team and not word.form.endswith("ss"))
    return None if form_number is None else form_number == "singular"


def may_be_participle(scene: Scene, clause: FiniteClause) -> bool:
    """Whether the verb of a clause may describe what comes before it: *the money owed*, *keep him entertained*."""
    verb = scene.at(-1 if clause.verb is None else clause.verb)
    if verb.tag != "verb" or verb.shape != "past" or conjugated(verb.verb, "participle") != verb.form:
        return False
    before = (clause.verb or 0) - 1
    while scene.at(before).tag in ("adverb", "not"):
        before -= 1
    if scene.at(before).tag in ("noun", "name"):
        before = before_phrase(scene, before)
    return scene.at(before).tag == "verb"


def antecedent_of(scene: Scene, index: int) -> int | None:
    """The noun or name before *who*, *which* or *that*."""
    before = index - 1
    while scene.at(before).form == "," or scene.at(before).tag in _BEFORE_RELATIVE:
        before -= 1
    return before if scene.at(before).tag in ("noun", "name") else None


def is_joined(scene: Scene, index: int) -> bool:
    """Whether the noun phrase that ends here is the last of several subjects: *Tom and his brother*.

    Not if the one before *and* belongs to a verb or preposition: *He lost the bet and Tom won*.
    """
    before = before_phrase(scene, index)
    if scene.at(before).form != "and" or scene.at(before - 1).tag not in ("noun", "name", "pronoun"):
        return False
    first = scene.at(before_phrase(scene, before - 1))
    return first.tag not in ("verb", "preposition", "to", "aux", "adverb")


def before_phrase(scene: Scene, index: int) -> int:
    """The position before the noun phrase that ends here: it begins with its determiner or its owner."""
    before = index - 1
    while scene.at(before).tag in _INSIDE_PHRASE:
        noun, opening = scene.at(before), scene.at(before - 1)
        if scene.at(before + 1).tag == "name" and ends_before_name(noun, opening):
            break  # these days Sue
        before -= 1
        if scene.at(before + 1).tag in ("determiner", "possessive") and scene.at(before).tag != "determiner":
            break
    return before
