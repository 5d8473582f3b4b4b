"""The people named in a schema: given name and gender of each, and who keeps their name when renaming."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.famous_people import famous_in
from winoglot.languages.lexicon import lexicon
from winoglot.languages.name_spans import (
    bearers_in,
    doubtful_names_in,
    names_in,
    places_of,
    surnames_in,
    titled_in,
)
from winoglot.languages.name_words import full_name, listed_gender
from winoglot.languages.named_candidates import may_be_place, name_of, named_together, unmentioned
from winoglot.languages.names import famous_names, is_also_word
from winoglot.languages.unspaced_names import looks_like_name
from winoglot.schemas.model import Candidate
from winoglot.schemas.text import folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from winoglot.languages.features import Traits
    from winoglot.schemas.model import Item, Schema

_GENDERS = ("masculine", "feminine")
_FAMOUS = "a famous person"
_TAG = "names"  # the candidates are names, listed or not
_NO_PERSON = ("animal", "thing")


@dataclass(frozen=True)
class Person:
    """A name to be replaced by another of the same gender."""

    name: str
    gender: str


@dataclass(frozen=True)
class People:
    """The people in a schema: who is renamed, who keeps their name and why, and the surnames, which are all kept.

    People `joined` in a candidate ("Sam e Amy") are renamed together or not at all.
    """

    renamed: tuple[Person, ...]
    kept: dict[str, str]
    surnames: frozenset[str]
    joined: tuple[frozenset[str], ...] = ()


def people_of(schema: Schema, language: str, keep: Collection[str] = ()) -> People:
    """The people named in any text of the schema, in order of appearance.

    Famous people keep their names, and so do those in `keep`, given by first name, surname or both.

    >>> import winoglot
    >>> [person.name for person in people_of(winoglot.load("winoglot-pt").schemas[0], "pt-BR").renamed]
    ['Ana', 'Júlia']
    """
    items = (*schema.items, *schema.variants)
    texts = list(dict.fromkeys(texts_of(schema)))
    found, kept = _candidates(items, language)
    surnames = {word for words in _full_names(items, language) for word in words[1:]}
    surnames -= {words[0] for words in _full_names(items, language)}
    found |= {place.name: None for text in texts for place in names_in(text, language)}
    joined = [names for item in items for names in named_together(item, language)]
    for names in joined:  # beside a Rui, Rosa is not a rose
        is_sure = any(name in found for name in names)
        found |= {name: None for name in names if is_sure and listed_gender(name, language).value}
    doubtful = {name for text in texts for name in doubtful_names_in(text, language)}
    to_keep = {given for name in keep if (given := _given_name(normalize("NFC", name)))}
    told = to_keep | {name for text in texts for name in bearers_in(text, language, to_keep)}
    famous = {name: who for text in texts for name, who in famous_in(text, language).items()}
    titled = {name for text in texts for name in titled_in(text, language)}
    renamed = []
    for name in found:
        gender = _gender(name, items, language)
        if name in surnames:
            continue
        if name in told:
            kept[name] = "in the list of names to keep"
        elif name in famous or name in famous_names():
            kept[famous.get(name, name)] = _FAMOUS
        elif name in titled:
            kept[name] = "a surname, after a title"
        elif _is_unclear(name, schema, language):
            kept[name] = "the candidate's mentions leave out an occurrence"
        elif short := _in_short(name, found):
            kept[name] = f"{short} may be the same person"
        elif gender in _GENDERS:
            renamed.append(Person(name, gender))
        else:
            kept[name] = "gender unknown"
    kept |= {who: _FAMOUS for who in famous.values() if who in kept}
    kept |= dict.fromkeys(sorted(doubtful - found.keys() - surnames), "may be an ordinary word")
    surnames |= {name for text in texts for name in surnames_in(text, language)}
    own_surnames = frozenset(surnames - {person.name for person in renamed})
    return People(tuple(renamed), kept, own_surnames, tuple(dict.fromkeys(map(frozenset, joined))))


def _in_short(name: str, names: Collection[str]) -> str | None:
    """The compound name that begins with this name, or the other way round: María del Carmen, María."""
    if " " in name:
        return next((short for short in names if short == name.partition(" ")[0]), None)
    return next((long for long in names if long.startswith(f"{name} ")), None)


def _is_unclear(name: str, schema: Schema, language: str) -> bool:
    """Whether the name occurs outside the candidates' mentions and it is unclear what it refers to there."""
    items = (*schema.items, *schema.variants)
    if not any(unmentioned(item, name, language) for item in items):
        return False
    told = {text for item in items for text in (item.text, *(one.text for one in item.candidates))}
    others = [text for text in texts_of(schema) if text not in told]
    return not may_be_place(name) or any(places_of(text, {name}, language) for text in others)


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


def _candidates(items: Collection[Item], language: str) -> tuple[dict[str, None], dict[str, str]]:
    """The given names of candidates that are only a name; and the reasons why others are not, or are kept."""
    found: dict[str, None] = {}
    kept: dict[str, str] = {}
    for item in items:
        for candidate in item.candidates:
            words = name_of(candidate, item, language)
            doubt = _doubt(words, candidate, item, language) if words else ""
            if doubt is None:
                found[words[0]] = None
            elif doubt:
                kept[" ".join(words)] = doubt
    return found, kept


def _full_names(items: Collection[Item], language: str) -> list[list[str]]:
    return [words for item in items for one in item.candidates if (words := name_of(one, item, language))]


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
    if is_listed and not (is_word and len(words) > 1):  # "Chase Freedom" is a card
        return None
    is_human = features_of_pronoun(item, language).animacy.value == "human"
    if is_unspaced(first[0]):
        if is_human and (is_word or _TAG in item.tags):
            return None
        return "not in any name list" if looks_like_name(first, language) else ""
    are_people = any(listed_gender(word, language).value for word in _given_names(item, language))
    return None if _TAG in item.tags and (is_human or are_people) else "not in any name list"


def _given_names(item: Item, language: str) -> list[str]:
    return [words[0] for words in _full_names([item], language)]


def _given_name(name: str) -> str:
    """The first word of a name after its titles: Mary of Dr. Mary O'Neil."""
    words = name.split()
    starts = (full_name(" ".join(words[:end])) for end in range(len(words), 0, -1))
    return next((found[0] for found in starts if found), "")


def _gender(name: str, items: Collection[Item], language: str) -> str | None:
    """The gender by the strongest available evidence; None if it shows nothing, or both."""
    listed = listed_gender(name, language).value
    everywhere = listed_gender(name, language, widely=True).value  # Jean is a man or a woman, depending on the pronoun
    shown: list[str | None] = []  # by the author, by a determiner
    answered: list[str | None] = []  # by the pronoun that refers to it, if that pronoun is only used for people
    fitting: list[str | None] = []  # by the pronoun that may refer to it
    joined: list[str | None] = []  # by the pronoun that may refer to it together with others
    spoken: list[str | None] = []  # by all pronouns that are only used for people
    beside: list[str | None] = []  # by the other name that the pronoun may refer to
    for item in items:
        if item.text is None:
            continue
        own = [index for index, one in enumerate(item.candidates) if name_of(one, item, language)[:1] == [name]]
        shown += [item.candidates[index].features.gender for index in own]
        mentions = tuple(place.span for place in places_of(item.text, {name}, language))
        gender = features_of(Candidate(name, mentions), item, language).gender
        shown += [gender.value] * gender.evidence.startswith("determiner")
        pronoun = features_of_pronoun(item, language)
        answered += [pronoun.gender.value] * (item.answer in own and pronoun.animacy.value == "human")
        fitting += [pronoun.gender.value] * bool(own)
        joined += [_rest(name, names, pronoun, language) for names in named_together(item, language) if name in names]
        spoken += _spoken_of(item.text, language)
        if own and pronoun.number.value == "singular" and pronoun.animacy.value not in _NO_PERSON:
            beside += [listed_gender(other, language).value for other in _given_names(item, language)]
    for evidence in (shown, answered, [everywhere], fitting, [listed], joined, spoken, beside):
        genders = {gender for gender in evidence if gender in _GENDERS}
        if genders:
            return genders.pop() if len(genders) == 1 else None
    return None


def _rest(name: str, names: list[str], pronoun: Traits, language: str) -> str | None:
    """For several people: a masculine pronoun needs at least one man, a feminine one only women."""
    if pronoun.gender.value == "feminine":
        return "feminine"
    others = [listed_gender(other, language).value for other in names if other != name]
    return "masculine" if pronoun.gender.value == "masculine" and set(others) == {"feminine"} else None


def _spoken_of(text: str, language: str) -> list[str | None]:
    """The genders of the pronouns that are only used for people: he, she."""
    table = lexicon(language, "pronouns").features()
    features = [table[word] for word in re.findall(r"\w+", folded(text)) if word in table]
    return [one.gender for one in features if one.animacy == "human" and one.number == "singular"]
