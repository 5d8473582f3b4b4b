"""A candidate in its item: what it may be in gender and number, and the definite phrase that returns in a reading.

Its own determiner shows gender and number in the nominative (*der Koffer*), that of a mention in any case (*im Koffer*
is masculine or neuter), the noun by table or ending; what remains open is left to the pronoun.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.de import nouns
from winoglot.languages.de.declension import (
    CASES,
    DEFINITE,
    FEMININE,
    MASCULINE,
    NEUTER,
    PLURAL,
    SORTS,
    DeclinedPhrase,
    Sort,
    analyses,
    determiner_has,
    parsed,
    sorts_of_head,
    variants,
)
from winoglot.languages.features import UNKNOWN, Trait, Traits
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Candidate, Item

_NOWHERE = Span(0, 0)


@dataclass(frozen=True)
class DescribedCandidate:
    """A candidate's phrase as cited, what it may be, and the words that show it."""

    phrase: DeclinedPhrase
    sorts: frozenset[Sort]
    evidence: str
    sense: str | None = None  # the sex of a neuter person: das Mädchen … sie

    def fits(self, pronoun: frozenset[Sort]) -> frozenset[Sort]:
        """What the candidate may be if a pronoun refers to it: *Mädchen* stays neuter with *sie*."""
        compatible = self.sorts & pronoun
        if not compatible and self.sense and Sort(self.sense, "singular") in pronoun:
            return self.sorts & {NEUTER}
        return compatible


def described(candidate: Candidate, item: Item) -> DescribedCandidate:
    """The candidate by its citation form, its mentions and the tables; raises NotDerivedError if it has no noun."""
    return _in_text(candidate, item.text or "", item.pronoun or _NOWHERE)


@lru_cache(maxsize=1_000)  # asked for many times per item
def _in_text(candidate: Candidate, text: str, pronoun: Span) -> DescribedCandidate:
    surfaces = tuple(shown_at(text, mention, pronoun) for mention in candidate.mentions)
    description = _described(_with_capitals(candidate, text), surfaces)
    if _is_surname(description.phrase, surfaces, folded(pronoun.of(text))):
        description = replace(
            description, phrase=replace(description.phrase, is_name=True), sorts=frozenset({MASCULINE, FEMININE})
        )
    allowed = frozenset(sort for sort in SORTS if _allows(candidate, sort))
    return replace(description, sorts=description.sorts & allowed or allowed)


def _is_surname(phrase: DeclinedPhrase, mentioned: tuple[str, ...], pronoun: str) -> bool:
    """Whether a noun for a trade is a surname, since it is singular and has no article: *Fischer rief Müller an*."""
    if phrase.determiner or phrase.modifiers or phrase.rest or phrase.joined or not mentioned:
        return False
    is_surname = folded(phrase.head) in lexicon("de", "nouns").words("surname")
    is_single = pronoun in ("er", "ihn", "ihm") or pronoun.startswith("sein")
    return is_surname and is_single and all(" " not in mention for mention in mentioned)


def _allows(candidate: Candidate, sort: Sort) -> bool:
    """Whether the features that the author states allow this gender and number."""
    features = candidate.features
    number = "plural" if features.number == "dual" else features.number
    return number in (None, sort.number) and (features.gender in (None, "common", sort.gender) or sort == PLURAL)


def shown_at(text: str, mention: Span, barrier: Span) -> str:
    """A mention with its determiner, a contraction without its preposition: *dem Koffer* of *im Koffer*."""
    words = function_words("de")
    surface = mention.of(text)
    first = folded(surface.partition(" ")[0])
    start = mention.start
    if first not in words.determiners and first not in words.contractions:
        start = _determiner_before(text, mention.start, barrier)
    first, _, rest = text[start : mention.end].partition(" ")
    if rest and folded(first) in words.contractions:
        return f"{words.contractions[folded(first)][1]} {rest}"
    return text[start : mention.end]


def _determiner_before(text: str, start: int, barrier: Span) -> int:
    """Where the determiner begins, past adjectives that the candidate lacks: *den | alten | Mann*."""
    words = function_words("de")
    direct = words.before(text, start, barrier)
    if direct != start:
        return direct
    before = text[:start].rstrip(" ")
    word = before.rpartition(" ")[2]
    is_adjective = word[:1].islower() and word.isalpha() and folded(word) not in lexicon("de", "function_words")
    if not is_adjective or not word.endswith(("e", "en", "er", "es", "em")):
        return start
    begin = len(before) - len(word)
    determiner_start = words.before(text, begin, barrier)
    return determiner_start if determiner_start != begin else start


def _with_capitals(candidate: Candidate, text: str) -> str:
    """The candidate, with the capitals of its mention if it is cited in lower case: *peter* cited, *Peter* written."""
    core = function_words("de").without_determiner(candidate.text)
    if any(word[0].isupper() for word in core.split()):
        return candidate.text
    for mention in candidate.mentions:
        surface = mention.of(text)
        if folded(surface).endswith(folded(core)):
            return candidate.text[: len(candidate.text) - len(core)] + surface[-len(core) :]
    return candidate.text


@lru_cache(maxsize=10_000)
def _described(cited: str, mentioned: tuple[str, ...]) -> DescribedCandidate:
    phrase = parsed(cited)
    is_unlisted = name_gender(phrase.head, "de").value is None and not phrase.rest and not phrase.joined
    if phrase.is_name and is_unlisted and any(analyses(folded(mention.split()[0])) for mention in mentioned):
        phrase = replace(phrase, is_name=False)  # "Brimsel", mentioned as "einen Brimsel"
    if phrase.joined:
        return DescribedCandidate(phrase, frozenset({PLURAL}), f"coordination {cited!r}")
    evidence = f"nothing in {cited!r}"
    sorts = frozenset(SORTS)
    by_noun = sorts_of_head(phrase)
    sources = [(_by_determiner(cited, ("nominative",)), f"determiner {cited.split(maxsplit=1)[0]!r}")]
    if not phrase.is_name:  # before a name, "die" may be a relative pronoun
        sources += [(_by_determiner(mention), f"determiner {mention.split()[0]!r}") for mention in mentioned]
    sources.append((by_noun or _by_adjectival_ending(phrase), f"noun {phrase.head!r}"))
    if by_noun and not by_noun & sources[0][0]:  # not cited in the nominative: "der Frau", "den Koffer"
        sources[0] = (_by_determiner(cited), sources[0][1])
    for source, words in sources:
        narrowed = sorts & source
        if source and narrowed and narrowed != sorts:
            sorts, evidence = narrowed, words if len(narrowed) == 1 or evidence.startswith("nothing") else evidence
    if phrase.is_name and sorts == frozenset(SORTS):
        sorts = _sorts_of_name(phrase)
    sense = None
    for noun_sense in nouns.senses(phrase.head):
        sense = noun_sense.entry.values.get("sense", (None,))[0] or sense
    return DescribedCandidate(_with_shown_forms(phrase, mentioned), sorts, evidence, sense)


def _by_adjectival_ending(phrase: DeclinedPhrase) -> frozenset[Sort]:
    """What a noun made from an adjective may be, by its ending: *die Kranke* is singular, *die Kranken* plural."""
    if phrase.determiner != "die" or not any(s.entry.has("adjectival") for s in nouns.senses(phrase.head)):
        return frozenset()
    return frozenset({PLURAL if phrase.head.endswith("n") else FEMININE})


def _sorts_of_name(phrase: DeclinedPhrase) -> frozenset[Sort]:
    """An unlisted name is singular: that of a person, or of a place or firm, which is neuter."""
    title = [Sort(s.gender, "singular") for s in nouns.senses(phrase.head) if s.gender and phrase.rest]
    if title:
        return frozenset(title)
    parts = [name_gender(part, "de").value for part in (phrase.head, *phrase.rest.split()[:1])]
    gender = next((gender for gender in parts if gender in ("masculine", "feminine")), None)
    return frozenset({Sort(gender, "singular")} if gender else {MASCULINE, FEMININE, NEUTER})


def _by_determiner(phrase: str, cases: Sequence[str] = ()) -> frozenset[Sort]:
    """What the determiner allows, with the ending of an adjective after *ein*; everything if there is none."""
    first, _, rest = phrase.partition(" ")
    plural_openers = lexicon("de", "determiners").words("dropped", "plural") | {"beide", "beiden", "beider"}
    plural_openers |= lexicon("de", "function_words").words("numeral")
    if rest and (folded(first) in plural_openers or folded(" ".join(phrase.split()[:2])) in plural_openers):
        return frozenset({PLURAL})
    if not rest:
        return frozenset(SORTS)
    compatible = [analysis for analysis in analyses(folded(first)) if not cases or analysis.case in cases]
    if not compatible:
        possible = analyses(folded(first))
        return frozenset(analysis.sort for analysis in possible) or frozenset(SORTS)
    if not rest.endswith(("n", "s", "a", "i", "o")):  # the dative plural ends in -n: "den Koffer" is one
        compatible = [
            analysis for analysis in compatible if (analysis.sort, analysis.case) != (PLURAL, "dative")
        ] or compatible
    second = rest.partition(" ")[0]
    is_like_ein = {analysis.stem for analysis in compatible} != {DEFINITE} and folded(first) == compatible[0].stem
    if is_like_ein and second[:1].islower() and second.endswith(("er", "es")):
        sort = MASCULINE if second.endswith("er") else NEUTER
        compatible = [analysis for analysis in compatible if analysis.sort == sort] or compatible
    return frozenset(analysis.sort for analysis in compatible)


def _with_shown_forms(phrase: DeclinedPhrase, mentioned: tuple[str, ...]) -> DeclinedPhrase:
    """The phrase with a weak form that a mention shows for an unlisted noun: *den Kraken* beside *Krake*."""
    if nouns.senses(phrase.head) or phrase.is_name:
        return phrase
    for mention in mentioned:
        first, *_, last = mention.split() or [""]
        is_oblique = folded(first) in ("den", "dem", "einen", "einem", "der", "einer")
        if is_oblique and last in (f"{phrase.head}n", f"{phrase.head}en"):
            return replace(phrase, weak_head=last)
    return phrase


def definite_phrase(candidate: Candidate, item: Item) -> DescribedCandidate:
    """The candidate as something already mentioned; raises NotDerivedError if it would mean something else then."""
    description = described(candidate, item)
    phrase = description.phrase
    if phrase.joined:
        parts = tuple(_as_definite(part, candidate.text) for part in (phrase, *phrase.joined))
        return replace(description, phrase=replace(parts[0], joined=parts[1:]))
    if phrase.is_name and not phrase.modifiers:
        return replace(description, phrase=replace(phrase, stem=DEFINITE if _names_have_articles(item) else ""))
    return replace(description, phrase=_as_definite(phrase, candidate.text))


def _names_have_articles(item: Item) -> bool:
    """Whether every name among the candidates has an article in the text: *die Anna*, *der Peter*."""
    text, articled = item.text or "", []
    for candidate in item.candidates:
        try:
            description = described(candidate, item)
        except NotDerivedError:
            continue
        if description.phrase.is_name and not description.phrase.joined:
            surfaces = [shown_at(text, mention, item.pronoun or _NOWHERE) for mention in candidate.mentions] or [
                candidate.text
            ]
            articled.append(all(_has_article(phrase) for phrase in surfaces))
    return bool(articled) and all(articled)


def _has_article(phrase: str) -> bool:
    """Whether a name has an article of its own: *die Anna*, but not *die kleine Anna*, where the adjective needs it."""
    first, _, rest = phrase.partition(" ")
    return bool(rest) and any(analysis.stem == DEFINITE for analysis in analyses(folded(first))) and rest[0].isupper()


def _as_definite(phrase: DeclinedPhrase, cited: str) -> DeclinedPhrase:
    """The phrase with the article instead of any determiner that does not name an owner or all of a kind."""
    stem = phrase.stem
    if determiner_has(stem, "unrepeated"):
        raise NotDerivedError(f"{cited!r} would mean something else on second mention")
    is_other = any(folded(modifier.word).startswith("ander") for modifier in phrase.modifiers)
    if is_other and stem != DEFINITE:  # "ein anderer Mann"
        raise NotDerivedError(f"{cited!r} would mean something else on second mention")
    is_bare_name = phrase.is_name and not phrase.modifiers
    is_place = any(sense.entry.has("no-article") for sense in nouns.senses(phrase.head))
    if is_bare_name or is_place or determiner_has(stem, "kept") or stem[:1].isupper():
        return phrase
    return replace(phrase, stem=DEFINITE)


def candidate_features(candidate: Candidate, item: Item) -> Traits:
    """Gender, number and animacy of a candidate, as far as they are certain."""
    try:
        description = described(candidate, item)
    except NotDerivedError:
        return Traits()
    numbers = {sort.number for sort in description.sorts}
    genders = {sort.gender for sort in description.sorts}
    number = Trait(numbers.pop(), description.evidence) if len(numbers) == 1 else UNKNOWN
    gender = Trait(genders.pop(), description.evidence) if len(genders) == 1 and "" not in genders else UNKNOWN
    surface = folded(item.pronoun.of(item.text)) if item.pronoun and item.text else ""
    shown = {line.one_of("gender") for line in lexicon("de", "pronouns").entries.get(surface, ())}
    if description.sense and shown != {"masculine"}:  # das Mädchen is no "er"
        gender = Trait(None, f"noun {description.phrase.head!r}, neuter in form and {description.sense} in sense")
    return Traits(gender, number, _animacy(description.phrase))


def _animacy(phrase: DeclinedPhrase) -> Trait:
    """Whether the noun or name denotes a person, an animal or a thing."""
    if phrase.is_name and name_gender(phrase.head, "de").value:
        return Trait("human", f"name {phrase.head!r}")
    animacies = {entry.one_of("animacy") for entry in (sense.entry for sense in nouns.senses(phrase.head))}
    value = animacies.pop() if len(animacies) == 1 else None
    return Trait(value, f"noun {phrase.head!r}") if value else UNKNOWN


@lru_cache(maxsize=10_000)
def inflected(phrase: str) -> frozenset[str]:
    """The other forms that a phrase may have in a text, without its determiner.

    >>> sorted(inflected("der Junge")), sorted(inflected("Anna"))
    (['Jungen'], ['Annas'])
    """
    try:
        declined_phrase = parsed(phrase)
        joined = [declined_phrase.declined(PLURAL, case) for case in CASES[:3] if declined_phrase.joined]
    except NotDerivedError:
        return frozenset()
    words = function_words("de")
    if joined:
        return frozenset(map(words.without_determiner, joined)) - {words.without_determiner(phrase)}
    owner = f"{declined_phrase.stem} " if declined_phrase.stem[:1].isupper() else ""  # Peters Bruder
    return frozenset(owner + form for form in variants(declined_phrase)) - {words.without_determiner(phrase)}
