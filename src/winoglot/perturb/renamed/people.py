"""The people named in a schema: the gender of each given name, and which names stay.

People are the candidates that are names, and everybody else whose name is certain by the lists. A name stays if it
may be more than that: somebody famous, a place, a surname, or another form of a name in the same schema.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.agreement import conjuncts, features_of, features_of_pronoun
from winoglot.languages.base import language_hook
from winoglot.languages.features import Traits
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import beside_names, famous_full_names, famous_names, is_also_word, is_name_title
from winoglot.languages.phrases import split
from winoglot.languages.slots import opens_sentence
from winoglot.perturb.renamed.finding import (
    given_name,
    listed_gender,
    name_tables,
    names_in,
    places_of,
    rows,
)
from winoglot.schemas.model import Candidate, Item
from winoglot.schemas.text import folded, is_unspaced, straight

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from winoglot.perturb.renamed.finding import Row
    from winoglot.schemas.model import Schema

_FAMOUS = "a famous person"
_TAG = "names"  # the candidates are names, listed or not
_NUMBER = re.compile("[IVX]+")  # Louis XIV
_GENDERS = {"masculine", "feminine"}
_ALIKE = 0.85  # of the letters: Lilianne and Liliane, but not Maria and Marta


@dataclass(frozen=True)
class People:
    """The gender of each given name to be replaced, the names that are kept and why, and the surnames.

    Those who are `full_named` have a surname or patronymic somewhere, which a pet name does not go with.
    """

    genders: dict[str, str]
    kept: dict[str, str]
    surnames: frozenset[str]
    full_named: frozenset[str]


@dataclass(frozen=True)
class _Cited:
    """An item with the given name and surnames of each person that its candidates name."""

    item: Item
    pronoun: Traits
    by_candidate: list[list[list[str]]]

    @property
    def full_names(self) -> list[list[str]]:
        return [names for full_names in self.by_candidate for names in full_names]

    @property
    def shows_person(self) -> bool:
        return self.pronoun.animacy.value == "human"

    def bearers(self, name: str) -> list[int]:
        """The candidates who have the name, and are not several people."""
        return [index for index, names in enumerate(self.by_candidate) if len(names) == 1 and names[0][0] == name]

    def people(self, language: str) -> list[list[str]]:
        """The names of people: listed ones, and all of an item tagged `names` whose pronoun or a name shows people."""
        listed = [names for names in self.full_names if _is_listed(names, language, is_human=self.shows_person)]
        return self.full_names if _TAG in self.item.tags and (self.shows_person or listed) else listed


def people_of(schema: Schema, language: str, keep: Iterable[str] = ()) -> People:
    """The people named in any text of the schema, in order of appearance.

    Famous people keep their names, and so do those in `keep`, given by first name, surname or both.

    >>> import winoglot
    >>> list(people_of(winoglot.load("winoglot-pt").schema("train-wave"), "pt-BR").genders)
    ['Rosa', 'Lena', 'Joyce', 'Maurício', 'Davi', 'Isabelle', 'Cíntia']
    """
    cited = [
        _Cited(item, features_of_pronoun(item, language), [_full_names(c, item, language) for c in item.candidates])
        for item in (*schema.items, *schema.variants)
    ]
    texts = list(dict.fromkeys(texts_of(schema)))
    all_rows = [(row, text) for text in texts for row in rows(text, language)]
    full_names = [names for item in cited for names in item.full_names]
    surnames = {word for names in full_names for word in names[1:]} - {names[0] for names in full_names}
    others = [name for text in texts for name in names_in(text, language) if name not in surnames]
    people = dict.fromkeys([*(names[0] for item in cited for names in item.people(language)), *others])
    famous = {name: who for text in texts for name, who in famous_in(text, language).items()}
    to_keep = _to_keep(keep, [row for row, _ in all_rows], language)
    titled = {row.given for row, _ in all_rows if row.is_titled_surname(language)}
    genders: dict[str, str] = {}
    kept: dict[str, str] = {}
    for name in people:
        namesake = next((other for item in cited if (other := _namesake(name, item, language))), None)
        if name in to_keep:
            kept[name] = "in the list of names to keep"
        elif name in famous:
            kept[famous[name]] = _FAMOUS
        elif name in titled:
            kept[name] = "a surname, after a title"
        elif folded(name) in beside_names().words("place-too") and not _is_somebody(name, cited, language):
            kept[name] = "may be a place"
        elif namesake:
            kept[name] = f"{namesake} may be the same person"
        elif gender := _gender(name, cited, language):
            genders[name] = gender
        else:
            kept[name] = "gender unknown"
    strangers = [(names, item) for item in cited for names in item.full_names if names[0] not in people]
    for names, item in strangers:
        if _looks_like_name(names[0], language) and (item.shows_person or not is_unspaced(names[0][0])):
            who = next((famous[word] for word in names if word in famous), None)
            kept[who or " ".join(names)] = _FAMOUS if who else "not in any name list"
    doubtful = {row.given for row, text in all_rows if _may_be_word(row, text, language)}
    kept |= dict.fromkeys(sorted(doubtful - people.keys() - kept.keys() - surnames), "may be an ordinary word")
    full_named = {row.given for row, _ in all_rows if len(row.names) > 1}
    return People(genders, kept, frozenset(surnames - genders.keys()), frozenset(full_named))


def texts_of(schema: Schema) -> Iterator[str]:
    """Every text of a schema that may contain a name."""
    for item in (*schema.items, *schema.variants):
        yield from _texts_of_item(item)
    yield from filter(None, (schema.explanation,))
    yield from (impossible.reason for impossible in schema.impossible)


def _texts_of_item(item: Item) -> Iterator[str]:
    yield from filter(None, (item.text, item.question, item.terms.segment))
    yield from (candidate.text for candidate in item.candidates)
    yield from item.hypotheses
    yield from (reading.text for reading in item.readings if reading)
    yield from (text for inference in item.inferences for text in (inference.premise, inference.hypothesis))
    yield from item.terms.candidates


# Candidates that are names


def _full_names(candidate: Candidate, item: Item, language: str) -> list[list[str]]:
    """The given name and surnames of each person that a candidate names; empty if it is anything but names.

    If its citation form is in lower case, its mentions inside sentences show whether it is capitalised.
    """
    text = item.text or ""
    if candidate.features.animacy in ("animal", "thing"):
        return []
    mid_sentence = [m.of(text) for m in candidate.mentions if not opens_sentence(text, m.start)]
    cited = next((mention for mention in mid_sentence if folded(mention) == candidate.text), candidate.text)
    full_names = [_full_name(part, language) for part in conjuncts(cited, language) or [cited]]
    return full_names if all(full_names) else []


def _full_name(phrase: str, language: str) -> list[str]:
    """The words of a phrase that is only a name, without its article and titles; empty if it is anything else.

    >>> _full_name("a Dona Rita Prado", "pt"), _full_name("o tio de Rui", "pt"), _full_name("María del Carmen", "es")
    (['Rita', 'Prado'], [], ['María del Carmen'])
    """
    is_named = language_hook(language, "is_named")
    determiner, noun = split(phrase, language)
    article = lexicon(language, "determiners").features("definite").get(determiner)
    if (is_named and not is_named(phrase)) or (article is not None and not article.gender):
        return []  # "the Stanley Cup" is not a person
    if all(map(is_unspaced, noun)):
        return [unspaced_name] if (unspaced_name := given_name(noun, language)) else []
    in_phrase = rows(noun, language, is_sentence=False)
    if len(in_phrase) != 1 or in_phrase[0].names[-1].span.end < len(noun):
        return []
    titles = noun[: in_phrase[0].names[0].span.start].split()
    return [name.name for name in in_phrase[0].names] if all(map(is_name_title, titles)) else []


def _is_listed(names: Sequence[str], language: str, *, is_human: bool) -> bool:
    """Whether a name is in a list and no word: "Chase Freedom" is a card, and 光 a person only as 彼."""
    is_word = is_also_word(names[0], language)
    if is_word and is_unspaced(names[0][0]):
        return is_human
    return listed_gender(names[0], language).value is not None and not (is_word and len(names) > 1)


# Names that stay


def _looks_like_name(name: str, language: str) -> bool:
    """Whether an unlisted name has a capital, or a Chinese surname: 小王, 林小明."""
    simplified = language_hook(language, "simplified")
    plain, surnames = simplified(name) if simplified else name, lexicon(language, "names").words("surname")
    is_noun = plain in lexicon(language, "nouns").words("title")
    return not is_unspaced(name[0]) or (not is_noun and not surnames.isdisjoint({plain[:1], plain[:2], plain[1:]}))


def famous_in(text: str, language: str) -> dict[str, str]:
    """The names in the text that refer to famous people, each with the full name.

    >>> famous_in("Victor Hugo a vu Paul. Hugo riait.", "fr")
    {'Victor': 'Victor Hugo', 'Hugo': 'Victor Hugo'}
    """
    famous: dict[str, str] = {}
    for row in rows(text, language):
        words = [name.name for name in row.names]
        if any(_NUMBER.fullmatch(name.span.of(text)) for name in row.names[1:]):
            famous[row.given] = " ".join(words)
        elif not famous_names().isdisjoint(words):
            famous |= dict.fromkeys([row.given, *famous_names().intersection(words)], " ".join(words))
    for match in _famous_people().finditer(normalize("NFC", straight(text))):
        whole = match.group()
        famous |= {word: whole for word in whole.split() if len(word) > 1 and word.isalpha() and word[0].isupper()}
    return famous


@cache
def _famous_people() -> re.Pattern[str]:
    longest_first = sorted(famous_full_names(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _to_keep(keep: Iterable[str], in_texts: Sequence[Row], language: str) -> set[str]:
    """The given names of those to keep, who are named by given name, surname or both."""
    listed = [normalize("NFC", name) for name in keep]
    first = {row.given for name in listed for row in rows(name, language, is_sentence=False)[:1]}
    first |= {given_name(name, language) for name in listed}
    return {*listed, *first} | {row.given for row in in_texts if not first.isdisjoint(name.name for name in row.names)}


def _may_be_word(row: Row, text: str, language: str) -> bool:
    """Whether the name is also a word, capitalised inside a sentence: "because Bill said so", "in May"."""
    is_name = len(row.names) == 1 and listed_gender(row.given, language).value is not None
    return is_name and is_also_word(row.given, language) and not opens_sentence(text, row.names[0].span.start)


def _is_somebody(name: str, cited: Sequence[_Cited], language: str) -> bool:
    """Whether the name of a place is a candidate who is *he* or *she*, or beside one who can only be a person.

    Not in "Chelsea beat Leeds because they …".
    """
    places = beside_names().words("place-too")
    for item in (item for item in cited if [name] in item.full_names and item.pronoun.animacy.value != "thing"):
        others = {names[0] for names in item.full_names if folded(names[0]) not in places}
        is_he = item.pronoun.number.value != "plural" and (item.shows_person or item.pronoun.gender.value in _GENDERS)
        mentions = [mention for candidate in item.item.candidates for mention in candidate.mentions]
        occurrences = [place.span for place in places_of(item.item.text or "", {name}, language)]
        if not all(any(place.within(mention) for mention in mentions) for place in occurrences):
            return False  # "Georgia flew to Georgia"
        if is_he or any(listed_gender(other, language).value for other in others):
            return True
    return False


def _namesake(name: str, cited: _Cited, language: str) -> str | None:
    """Another name in the item that may be a form of this one: *Tommy* and *Tom*; two candidates are two people."""
    candidates = {names[0] for names in cited.full_names}
    others = dict.fromkeys(row.given for text in _texts_of_item(cited.item) for row in rows(text, language))
    gender = listed_gender(name, language).value
    for other in others if name in others else ():
        genders = {gender, listed_gender(other, language).value} - {None, "common"}
        is_part = name in other.split()[:1] or other in name.split()[:1]  # María José
        is_alike = is_part or SequenceMatcher(None, name, other).ratio() >= _ALIKE
        is_familiar = not familiar_forms(name).isdisjoint(familiar_forms(other))
        if other != name and len(genders) <= 1 and (is_alike or is_familiar) and not {name, other} <= candidates:
            return other
    return None


@cache
def familiar_forms(name: str) -> frozenset[str]:
    """A name with all names of which it is a familiar form."""
    tables = (table.values("familiar") for table in name_tables().values())
    return frozenset({folded(name)} | {full for table in tables for full in table if folded(name) in table[full]})


# Gender


def _gender(name: str, cited: Sequence[_Cited], language: str) -> str | None:
    """The gender that the author or a determiner states, the lists and the answer agree on, or the pronoun may show.

    None if nothing shows it, if the first of these that shows any contradicts itself, or if the text does not have the
    name where the author mentions the candidate.
    """
    stated: set[str | None] = set()
    answered: set[str | None] = set()
    by_pronoun: set[str | None] = set()
    for item, pronoun, bearers in ((each.item, each.pronoun, each.bearers(name)) for each in cited):
        mentions = tuple(place.span for place in places_of(item.text or "", {name}, language))
        if not mentions and any(item.candidates[index].mentions for index in bearers):
            return None
        shown = features_of(Candidate(name, mentions), item, language).gender
        stated |= {item.candidates[index].features.gender for index in bearers}
        stated |= {shown.value} if shown.evidence.startswith("determiner") else set()
        by_pronoun |= {pronoun.gender.value} if bearers else set()
        answered |= {pronoun.gender.value} if item.answer in bearers and pronoun.animacy.value == "human" else set()
    everywhere = listed_gender(name, language, widely=True).value  # Jean is a man in French only
    for evidence in (stated, answered | {everywhere}, by_pronoun, {listed_gender(name, language).value}):
        if genders := evidence & _GENDERS:
            return genders.pop() if len(genders) == 1 else None
    return None
