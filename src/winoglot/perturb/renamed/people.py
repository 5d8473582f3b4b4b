"""The people named in a schema: given name and gender of each, and who keeps their name.

Famous people keep theirs, known by one word (*Newton*), by a full name (*Victor Hugo*) or with a number (*Louis XIV*).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import function_words, language_hook
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import famous_full_names, famous_names, is_also_word, is_name
from winoglot.languages.phrases import split
from winoglot.languages.slots import opens_sentence
from winoglot.perturb.renamed.finding import (
    beside_names,
    full_name,
    is_place_noun,
    is_titled,
    listed_gender,
    may_be_place,
    names_in,
    places_of,
    runs_in,
)
from winoglot.perturb.renamed.same_person import same_person, unlisted_forms
from winoglot.perturb.renamed.unspaced import looks_like_name
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.model import Candidate
from winoglot.schemas.text import folded, is_unspaced, straight

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from winoglot.languages.features import Traits
    from winoglot.schemas.model import Item, Schema
    from winoglot.schemas.spans import Span

_GENDERS = ("masculine", "feminine")
_FAMOUS = "a famous person"
_TAG = "names"  # the candidates are names, listed or not
_NO_PERSON = ("animal", "thing")
_NUMBER = re.compile(r"I{1,3}|IV|VI{0,3}|IX|X{1,2}(?:I{1,3}|IV|VI{0,3}|IX)?")


@dataclass(frozen=True)
class Person:
    """A name to be replaced by another of the same gender, and the person's other names: Tom beside Tommy."""

    name: str
    gender: str
    other_names: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names of the person."""
        return (self.name, *self.other_names)


@dataclass(frozen=True)
class People:
    """The people in a schema: who is renamed, who keeps their name and why, and the surnames, which are all kept.

    Names `joined` in a candidate ("Sam e Amy") or of one person are replaced together or not at all.
    """

    renamed: tuple[Person, ...]
    kept: dict[str, str]
    surnames: frozenset[str]
    joined: tuple[frozenset[str], ...] = ()


def people_of(schema: Schema, language: str, keep: Collection[str] = ()) -> People:
    """The people named in any text of the schema, in order of appearance.

    Famous people keep their names, and so do those in `keep`, given by first name, surname or both.

    >>> import winoglot
    >>> [person.name for person in people_of(winoglot.load("winoglot-pt").schema("train-wave"), "pt-BR").renamed]
    ['Rosa', 'Lena', 'Mauro', 'Davi', 'Irene', 'Célia', 'Dalva', 'Jussara']
    """
    items = (*schema.items, *schema.variants)
    texts = list(dict.fromkeys(texts_of(schema)))
    runs = [(text, run) for text in texts for run in runs_in(text, language)]
    single_words = [(text, run[0]) for text, run in runs if len(run) == 1]
    given_names, kept = _candidates(items, language)
    given_names |= {place.name: None for text in texts for place in names_in(text, language)}
    joined = [names for item in items for names in _named_together(item, language)]
    for names in joined:  # beside a Rui, Rosa is not a rose
        is_sure = any(name in given_names for name in names)
        given_names |= {name: None for name in names if is_sure and listed_gender(name, language).value}
    full_names = _full_names(items, language)
    surnames = {word for words in full_names for word in words[1:]} - {words[0] for words in full_names}
    unnamed = _unnamed(items, language)
    forms = unlisted_forms([name for name in given_names if name not in surnames], unnamed, texts, language)
    given_names |= dict.fromkeys(forms)
    kept = {name: reason for name, reason in kept.items() if name.split()[0] not in forms}
    to_keep = {first_name for name in keep if (first_name := _given_name(normalize("NFC", name)))}
    to_keep |= {name for text in texts for name in _bearers(text, language, to_keep)}
    famous = {name: who for text in texts for name, who in famous_in(text, language).items()}
    titled = {word.name for text, word in single_words if is_titled(text, word, language)}

    def why_kept(name: str) -> str | None:
        if name in to_keep:
            return "in the list of names to keep"
        if name in famous or name in famous_names():
            return _FAMOUS
        if name in titled:
            return "a surname, after a title"
        if _is_place(name, items, language):
            return "may be a place"
        if _is_unclear(name, schema, language):
            return "the candidate's mentions leave out an occurrence"
        short = _longer_form(name, given_names)
        return short and f"{short} may be the same person"

    separate = [*joined, *([words[0] for words in _full_names([item], language)] for item in items)]
    renamed = []
    for names in same_person(
        [name for name in given_names if name not in surnames], separate, unnamed, texts, language
    ):
        reasons = {name: reason for name in names if (reason := why_kept(name))}
        genders = {gender for name in names if (gender := _gender(name, items, language))}
        if not reasons and len(genders) == 1:
            renamed.append(Person(names[0], genders.pop(), tuple(names[1:])))
            continue
        for name in names:
            also = f"the same person as {' and '.join(reasons)}" if reasons else "gender unknown"
            kept[famous.get(name, name) if reasons.get(name) == _FAMOUS else name] = reasons.get(name, also)
    kept |= {who: _FAMOUS for who in famous.values() if who in kept}
    doubtful = {word.name for text, word in single_words if _may_be_word(text, word.span, word.name, language)}
    kept |= dict.fromkeys(sorted(doubtful - given_names.keys() - surnames), "may be an ordinary word")
    surnames |= {word.name for _, run in runs for word in run[1:] if listed_gender(run[0].name, language).value}
    own_surnames = frozenset(surnames - {name for person in renamed for name in person.names})
    together = [*joined, *(person.names for person in renamed if person.other_names)]
    return People(tuple(renamed), kept, own_surnames, tuple(dict.fromkeys(map(frozenset, together))))


def texts_of(schema: Schema) -> Iterator[str]:
    """Every text of a schema that may contain a name."""
    for item in (*schema.items, *schema.variants):
        yield from filter(None, (item.text, item.question))
        yield from (candidate.text for candidate in item.candidates)
        yield from item.hypotheses
        yield from (reading.text for reading in item.readings if reading)
        for inference in item.inferences:
            yield from (inference.premise, inference.hypothesis)
        yield from item.terms.candidates
        yield from filter(None, (item.terms.segment,))
    yield from filter(None, (schema.explanation,))
    yield from (impossible.reason for impossible in schema.impossible)


# Candidates that consist of a name


def name_of(candidate: Candidate, item: Item, language: str) -> list[str]:
    """The words of a candidate that is only a name, without its article; empty if it is anything else.

    If its citation form is in lower case, its mentions inside sentences show whether it is capitalised.
    """
    text = item.text or ""
    mid_sentence = [mention.of(text) for mention in candidate.mentions if not opens_sentence(text, mention.start)]
    cited = next((mention for mention in mid_sentence if folded(mention) == candidate.text), candidate.text)
    is_named = language_hook(language, "is_named")
    if is_named is not None and not is_named(cited):
        return []
    determiner, noun = split(cited, language)
    article = lexicon(language, "determiners").features("definite").get(determiner)
    words = full_name(noun) if article is None or article.gender else []  # "the Stanley Cup" is not a person
    listed = language_hook(language, "listed_name")
    return list(map(listed, words)) if listed else words


def _full_names(items: Collection[Item], language: str) -> list[list[str]]:
    return [words for item in items for candidate in item.candidates if (words := name_of(candidate, item, language))]


def _unnamed(items: Collection[Item], language: str) -> set[str]:
    """The given names of candidates that the text does not have."""
    cited = {(item.text or "", words[0]) for item in items for words in _full_names([item], language)}
    return {name for text, name in cited if text and not places_of(text, {name}, language)}


def _candidates(items: Collection[Item], language: str) -> tuple[dict[str, None], dict[str, str]]:
    """The given names of candidates that are only a name; and the reasons why others are not, or are kept."""
    names: dict[str, None] = {}
    kept: dict[str, str] = {}
    for item in items:
        for candidate in item.candidates:
            words = name_of(candidate, item, language)
            doubt = _doubt(words, candidate, item, language) if words else ""
            if doubt is None:
                names[words[0]] = None
            elif doubt:
                kept[" ".join(words)] = doubt
    return names, kept


def _doubt(words: list[str], candidate: Candidate, item: Item, language: str) -> str | None:
    """Why a candidate that looks like a name may not be one; empty if nobody would take it for a name."""
    first = words[0]
    mentions = {mention.of(item.text or "") for mention in candidate.mentions}
    if any(word in famous_names() for word in words):
        return _FAMOUS
    if candidate.text.isupper() or candidate.features.animacy in _NO_PERSON:  # "TV"
        return ""
    if folded(first) != first and folded(first) in mentions:
        return ""  # "Amber is hard; amber …"
    is_word = is_also_word(first, language)
    is_listed = listed_gender(first, language).value is not None
    if is_listed and not (is_word and len(words) > 1) and not is_place_noun(words[-1]):  # "Chase Freedom" is a card
        return None
    is_human = features_of_pronoun(item, language).animacy.value == "human"
    if is_unspaced(first[0]):
        if is_human and (is_word or _TAG in item.tags):
            return None
        return "not in any name list" if looks_like_name(first, language) else ""
    are_people = any(listed_gender(words[0], language).value for words in _full_names([item], language))
    return None if _TAG in item.tags and (is_human or are_people) else "not in any name list"


def _named_together(item: Item, language: str) -> Iterator[list[str]]:
    """The given names in each candidate that names several people; "Mr. Small" has none."""
    for candidate in item.candidates:
        parts = _joints(language).split(candidate.text)
        names = [words for part in parts if (words := full_name(part))]
        first_names = [words[0] for words, part in zip(names, parts, strict=False) if len(words) > 1 or " " not in part]
        is_sure = any(listed_gender(name, language).value for name in first_names)  # 和 is part of many words
        if is_sure and len(names) == len(parts) > 1:
            yield first_names


@cache
def _joints(language: str) -> re.Pattern[str]:
    """What separates people who are named together: "Sam, Amy e Rui", 小玫和王芳."""
    words = "|".join(lexicon(language, "function_words").words("conjunction"))
    spaced = [rf",\s+(?:(?:{words})\s+)?", rf"\s+(?:{words})\s+"] if words else []
    unspaced = sorted(lexicon(language, "function_words").words("unspaced-conjunction"), key=len, reverse=True)
    return re.compile("|".join([*spaced, *unspaced]) or "(?!)")


# Names that stay


def famous_in(text: str, language: str) -> dict[str, str]:
    """The names in the text, and in others that belong to it, that refer to famous people, each with the full name.

    >>> famous_in("Victor Hugo a vu Paul. Hugo riait.", "fr")
    {'Victor': 'Victor Hugo', 'Hugo': 'Victor Hugo'}
    """
    famous = {name: name for name in _bearers(text, language, famous_names())}
    for run in runs_in(text, language):
        if any(_NUMBER.fullmatch(word.text) for word in run[1:]):
            famous[run[0].name] = " ".join(word.text for word in run)
    for match in _famous_people().finditer(normalize("NFC", straight(text))):
        whole = match.group()
        famous |= {word: whole for word in whole.split() if len(word) > 1 and word.isalpha() and word[0].isupper()}
    return famous


@cache
def _famous_people() -> re.Pattern[str]:
    longest_first = sorted(famous_full_names(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _bearers(text: str, language: str, names: Collection[str]) -> set[str]:
    """The given names of people who have one of the names as given name or surname."""
    return {
        run[0].name
        for run in runs_in(text, language)
        if any(word.name in names or any(part in names for part in word.name.split()) for word in run)
    }


def _given_name(name: str) -> str:
    """The first word of a name after its titles: Mary of Dr. Mary O'Neil."""
    words = name.split()
    starts = (full_name(" ".join(words[:end])) for end in range(len(words), 0, -1))
    return next((parts[0] for parts in starts if parts), "")


def _longer_form(name: str, names: Collection[str]) -> str | None:
    """The compound name that begins with this name, or the other way round: María del Carmen, María."""
    if " " in name:
        return next((short for short in names if short == name.partition(" ")[0]), None)
    return next((long for long in names if long.startswith(f"{name} ")), None)


def _may_be_word(text: str, span: Span, name: str, language: str) -> bool:
    """Whether the name is also a word, capitalised inside a sentence: "because Bill said so", "in May"."""
    return is_also_word(name, language) and is_name(name, language) and not opens_sentence(text, span.start)


def _is_place(name: str, items: Collection[Item], language: str) -> bool:
    """Whether the name seems to be a place in some text; the only mentions of somebody who is *she* are not."""
    if folded(name) not in beside_names().words("place-too"):
        return False
    seeming = [
        (may_be_place(item.text, place), place.span in unmentioned(item, name, language))
        for item in items
        if item.text is not None
        for place in places_of(item.text, {name}, language)
    ]
    items_about = [
        item for item in items if any(name_of(candidate, item, language) == [name] for candidate in item.candidates)
    ]
    pronouns = [features_of_pronoun(item, language) for item in items_about]
    if any(pronoun.animacy.value == "thing" or pronoun.number.value == "plural" for pronoun in pronouns):
        return True  # "Chelsea beat Leeds because they …"
    is_somebody = any(pronoun.animacy.value == "human" for pronoun in pronouns)
    at_places = [is_left_out for is_place, is_left_out in seeming if is_place]
    return bool(at_places) and not all(at_places) and not (is_somebody and all(is_place for is_place, _ in seeming))


def _is_unclear(name: str, schema: Schema, language: str) -> bool:
    """Whether the name occurs outside the candidates' mentions and it is unclear what it refers to there."""
    items = (*schema.items, *schema.variants)
    if not any(unmentioned(item, name, language) for item in items):
        return False
    main_texts = {text for item in items for text in (item.text, *(candidate.text for candidate in item.candidates))}
    further_texts = [text for text in texts_of(schema) if text not in main_texts]
    is_place_too = folded(name) in beside_names().words("place-too")
    return not is_place_too or any(places_of(text, {name}, language) for text in further_texts)


def unmentioned(item: Item, name: str, language: str) -> list[Span]:
    """Where the text has a candidate's name that the author's mentions leave out.

    >>> from winoglot import Candidate, Item, Span
    >>> austin, tom = Candidate("Austin", (Span(0, 6),)), Candidate("Tom", (Span(28, 31),))
    >>> text = "Austin lives in Austin with Tom, and he is glad."
    >>> unmentioned(Item("a.0", "a", text=text, pronoun=Span(37, 39), candidates=(austin, tom)), "Austin", "en")
    [Span(start=16, end=22)]
    """
    bearers = [
        candidate
        for candidate in item.candidates
        if candidate.mentions and name_of(candidate, item, language)[:1] == [name]
    ]
    if item.text is None or item.pronoun is None or not bearers:
        return []
    words = function_words(language)
    if all(
        list(candidate.mentions) == find_mentions(item.text, candidate.text, words, item.pronoun)
        for candidate in bearers
    ):
        return []  # mentions were found by the full text, so a shorter form may be missing
    mentions = [mention for candidate in item.candidates for mention in candidate.mentions]
    places = [place.span for place in places_of(item.text, {name}, language) if not place.span.overlaps(item.pronoun)]
    return [place for place in places if not any(place.within(mention) for mention in mentions)]


# Gender


def _gender(name: str, items: Collection[Item], language: str) -> str | None:
    """The gender by the strongest available evidence; None if it shows nothing, or both."""
    listed = listed_gender(name, language).value
    everywhere = listed_gender(name, language, widely=True).value  # Jean is a man or a woman, depending on the pronoun
    by_statement: list[str | None] = []  # by the author, by a determiner
    answered: list[str | None] = []  # by the pronoun that refers to it, if that pronoun is only used for people
    by_pronoun: list[str | None] = []  # by the pronoun that may refer to it
    by_group: list[str | None] = []  # by the pronoun that may refer to it together with others
    spoken: list[str | None] = []  # by all pronouns that are only used for people
    by_other_name: list[str | None] = []  # by the other name that the pronoun may refer to
    for item in items:
        if item.text is None:
            continue
        bearers = [
            index for index, candidate in enumerate(item.candidates) if name_of(candidate, item, language)[:1] == [name]
        ]
        by_statement += [item.candidates[index].features.gender for index in bearers]
        mentions = tuple(place.span for place in places_of(item.text, {name}, language))
        gender = features_of(Candidate(name, mentions), item, language).gender
        by_statement += [gender.value] * gender.evidence.startswith("determiner")
        pronoun = features_of_pronoun(item, language)
        answered += [pronoun.gender.value] * (item.answer in bearers and pronoun.animacy.value == "human")
        by_pronoun += [pronoun.gender.value] * bool(bearers)
        by_group += [
            _rest(name, names, pronoun, language) for names in _named_together(item, language) if name in names
        ]
        spoken += _spoken_of(item.text, language)
        if bearers and pronoun.number.value == "singular" and pronoun.animacy.value not in _NO_PERSON:
            by_other_name += [listed_gender(words[0], language).value for words in _full_names([item], language)]
    for evidence in (by_statement, answered, [everywhere], by_pronoun, [listed], by_group, spoken, by_other_name):
        genders = {gender for gender in evidence if gender in _GENDERS}
        if genders:
            return genders.pop() if len(genders) == 1 else None
    return None


def _rest(name: str, names: list[str], pronoun: Traits, language: str) -> str | None:
    """For several people: a masculine pronoun needs at least one man, a feminine one only women."""
    if pronoun.gender.value == "feminine":
        return "feminine"
    other_genders = [listed_gender(other_name, language).value for other_name in names if other_name != name]
    return "masculine" if pronoun.gender.value == "masculine" and set(other_genders) == {"feminine"} else None


def _spoken_of(text: str, language: str) -> list[str | None]:
    """The genders of the pronouns that are only used for people: he, she."""
    table = lexicon(language, "pronouns").features()
    features = [table[word] for word in re.findall(r"\w+", folded(text)) if word in table]
    return [pronoun.gender for pronoun in features if pronoun.animacy == "human" and pronoun.number == "singular"]
