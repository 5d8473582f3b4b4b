"""The candidates exchanged: each stands where the other one was mentioned, and the answer flips.

A slot keeps its preposition and, among nouns of one kind, its determiner (*ligou para o Paulo* ↔ *o Rui*); a name and
a common noun take their own along (*João viu um homem* → *Um homem viu João*), as names do where people have no article
(*Canada*, *the Congo*) and Chinese nouns with 这 and 那; a possessive becomes the article (*O homem ergueu seu filho* →
*O filho ergueu o homem*). What depends on the sound or the ending of the noun is made anew: *ma sœur* ↔ *mon amie*,
*James' hat* ↔ *Jim's hat*. What stands in the way is in `_obstacles`; for mentions of a part see `_shared_heads`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError, offered
from winoglot.languages.phrases import Phrase, definite_article, is_definite, phrase_of
from winoglot.languages.plain_items import plain_item, plain_text
from winoglot.languages.slots import Filling, Slot, filled, slot_of
from winoglot.languages.tables import feature_table, word_list, words_of
from winoglot.perturb._obstacles import (
    MUST_AGREE,
    check_agree,
    check_apart,
    check_articles,
    check_cited,
    check_pronoun,
    check_rules,
    numbers_of,
)
from winoglot.perturb._shared_heads import exchange_apart
from winoglot.perturb._vowel_forms import adjective_edit, resounded, shown_gender
from winoglot.schemas.model import NO_FEATURES, Item, Variant, WrittenReading
from winoglot.schemas.spans import Edit, carried, edited, moved
from winoglot.schemas.typed import check_argument

if TYPE_CHECKING:
    from winoglot.languages.traits import Traits

KIND = "switched"


@dataclass(frozen=True)
class _Exchange:
    """What fills the slots of each candidate's mentions, and what else changes beside them."""

    fillings: tuple[list[Filling], list[Filling]]
    beside: list[Edit]

    @property
    def edits(self) -> list[Edit]:
        return [*(filling.edit for some in self.fillings for filling in some), *self.beside]


def switch(item: Item) -> Variant:
    """The item with its candidates exchanged; an input error says why where that is impossible.

    >>> from winoglot import Candidate, Item, Span
    >>> ana, rita = Candidate("Ana", mentions=(Span(0, 3),)), Candidate("Rita", mentions=(Span(18, 22),))
    >>> item = Item("a.0", "a", text="Ana pediu ajuda à Rita porque ela estava cansada.", pronoun=Span(30, 33),
    ...             candidates=(ana, rita), answer=0, language="pt")
    >>> switched = switch(item)
    >>> switched.text, switched.answer
    ('Rita pediu ajuda à Ana porque ela estava cansada.', 1)
    """
    check_argument(item, Item, "an item", "Give one of a collection's: wg.load(…).items[0].")
    if not item.language:
        raise InputError(f"the item {item.id} does not say its language", remedy="Take it from a collection.")
    try:
        exchange = _exchange(item)
    except NotDerivedError as refusal:
        raise InputError(
            f"{item.id} cannot be switched: {refusal}", remedy="Write the switched variant by hand, or leave it out."
        ) from refusal
    return _variant(item, exchange)


perturb = switch


def obstacle(item: Item) -> str | None:
    """Why grammar cannot switch the item; None where it can."""
    try:
        _exchange(item)
    except NotDerivedError as refusal:
        return str(refusal)
    return None


def _exchange(item: Item) -> _Exchange:
    """What exchanges the candidates; NotDerivedError says why where nothing does."""
    check_rules(item.language)
    plain = plain_item(item)
    made = _plain_exchange(plain)
    if plain is item:
        return made
    source = plain_text(item.text or "")
    first, second = ([Filling(source.edit(f.edit), source.written(f.phrase)) for f in some] for some in made.fillings)
    return _Exchange((first, second), [source.edit(edit) for edit in made.beside])


def _plain_exchange(item: Item) -> _Exchange:
    if item.text is None or item.pronoun is None:
        raise NotDerivedError("it has no text")
    if len(item.candidates) != 2:
        raise NotDerivedError(f"it has {len(item.candidates)} candidates, not two")
    unmentioned = [index for index, candidate in enumerate(item.candidates) if not candidate.mentions]
    exchange = _exchange_apart(item, unmentioned) if unmentioned else _exchange_slots(item, item.text)
    for edit in exchange.edits:
        if any(part.overlaps(edit.span) for part in item.segment):
            raise NotDerivedError(f"the segment stands in {edit.span.of(item.text)!r}")
        if item.pronoun.overlaps(edit.span):
            raise NotDerivedError(f"the pronoun stands in {edit.span.of(item.text)!r}")
    return exchange


def _exchange_apart(item: Item, unmentioned: list[int]) -> _Exchange:
    """What tells apart a candidate that is mentioned from one that is mentioned only in part."""
    index = unmentioned[0]
    found = exchange_apart(item, index) if len(unmentioned) == 1 else None
    if found is None:
        raise NotDerivedError(f"the text does not mention {item.candidates[index].text!r}")
    fillings, remaining = found
    return _Exchange(([], fillings) if index == 0 else (fillings, []), [remaining])


def _exchange_slots(item: Item, text: str) -> _Exchange:
    """The slots of the candidates' mentions, each filled by the other one."""
    language = item.language
    slots = [[slot_of(item, mention, language) for mention in c.mentions] for c in item.candidates]
    traits = [_traits(item, index, slots[index]) for index in (0, 1)]
    check_agree(traits)
    check_cited(item)
    check_apart(item, text, [slot for some in slots for slot in some])
    phrases = [phrase_of(item, index, language, traits[index]) for index in (0, 1)]
    check_pronoun(item, phrases)
    numbers = numbers_of(item, phrases)
    if not any(phrase.is_name for phrase in phrases):
        check_articles(text, slots, numbers, language)
    check_exchange = offered(language, "check_exchange")
    if check_exchange:
        check_exchange(text, slots, phrases)
    fillings = (
        _fillings(item, slots[0], slots[1], phrases),
        _fillings(item, slots[1], slots[0], phrases[::-1]),
    )
    nouns = [_noun(item, slots[index][0], phrases[index]) for index in (0, 1)]
    beside = [_beside(item, s, nouns[1 - index], numbers[1 - index]) for index in (0, 1) for s in slots[index]]
    return _Exchange(fillings, [edit for some in beside for edit in some])


def _traits(item: Item, index: int, slots: list[Slot]) -> Traits:
    """What is known of a candidate, also by the determiners of its slots."""
    known = features_of(item.candidates[index], item, item.language)
    shown = (shown_gender(slot, item.text or "", item.language) for slot in slots)
    gender = next((gender for gender in (known.gender, *shown) if gender.value), known.gender)
    return replace(known, gender=gender)


def _noun(item: Item, source: Slot, phrase: Phrase) -> str:
    """The noun of the phrase as the text has it at the source, inside a sentence."""
    noun = source.noun.of(item.text or "")
    if phrase.noun[:1].islower():
        return noun[:1].lower() + noun[1:]  # its capital was that of a sentence
    return noun


def _beside(item: Item, slot: Slot, noun: str, number: str | None) -> list[Edit]:
    """What changes before and after a slot that the noun, of the number, fills."""
    text = item.text or ""
    behind = offered(item.language, "behind")
    found = (
        adjective_edit(text, slot, noun, item.language),
        behind(text, slot.noun, noun, number) if behind else None,
    )
    return [edit for edit in found if edit]


def _fillings(item: Item, slots: list[Slot], sources: list[Slot], phrases: list[Phrase]) -> list[Filling]:
    """The slots of the first phrase filled by the second one, which the text has at `sources`."""
    outgoing, incoming = phrases
    text = item.text or ""
    source = sources[0]
    noun = _noun(item, source, incoming)
    names_have_articles = bool(word_list(item.language, "named_with_article.txt"))  # "o Rui", but not "the Ann"
    is_own = incoming.is_name != outgoing.is_name or (incoming.is_name and not names_have_articles)
    are_owned = all(_is_owned(slot, item.language) for slot in (*slots, *sources))
    made = []
    for slot in slots:
        model = source if is_own and not are_owned else slot
        determiner = model.determiner
        if not are_owned and not incoming.is_name:
            determiner = _determiner(model, source, incoming, item.language)
        if determiner == model.determiner:
            gender = incoming.traits.gender.value
            determiner = resounded(determiner, model.noun.of(text), noun, gender, item.language)
        made.append(filled(text, slot, determiner, noun, item.language))
    return made


def _determiner(model: Slot, source: Slot, incoming: Phrase, language: str) -> str:
    """A common noun's determiner in the model's place: its own article for another one, an article for an owner."""
    if not (_is_owned(model, language) or is_definite(model.determiner, language)):
        return _classified(model.determiner, source, language)
    if is_definite(source.determiner, language):
        return source.determiner
    shown = feature_table(language, "determiner_features.txt").get(model.determiner.split()[0], NO_FEATURES)
    gender, number = (incoming.traits.of(name).value or getattr(shown, name) for name in MUST_AGREE)
    article = definite_article(gender, number, language)
    if article is None:
        raise NotDerivedError(f"nothing shows the gender that the article of {incoming.noun!r} needs")
    return article


def _classified(determiner: str, source: Slot, language: str) -> str:
    """The determiner with the classifier of the noun that comes in: 一只猫 and 那条狗 give 一条狗."""
    classifiers = tuple(words_of(language, "classifiers.txt"))
    if not classifiers or not determiner.endswith(classifiers):
        return determiner
    if not source.determiner.endswith(classifiers):
        raise NotDerivedError("nothing shows the classifier of the noun that comes in")
    if {determiner[0], source.determiner[0]} <= words_of(language, "demonstratives.txt"):
        return source.determiner  # its candidate is called 这把伞, and 那把伞 would be another one
    return determiner[:-1] + source.determiner[-1:]


def _is_owned(slot: Slot, language: str) -> bool:
    owners = words_of(language, "owners.txt")
    return any(word in owners for word in slot.determiner.split())


def _variant(item: Item, exchange: _Exchange) -> Variant:
    text, edits = item.text or "", exchange.edits
    candidates = tuple(
        replace(candidate, mentions=tuple(filling.mention(edits) for filling in exchange.fillings[1 - index]))
        for index, candidate in enumerate(item.candidates)
    )
    return Variant(
        id=f"{item.id}~{KIND}",
        schema_id=item.schema_id,
        parallel_id=f"{item.parallel_id}~{KIND}",
        text=edited(text, edits),
        pronoun=item.pronoun and moved(item.pronoun, edits),
        candidates=candidates,
        answer=None if item.answer is None else 1 - item.answer,
        segment=tuple(moved(part, edits) for part in item.segment),
        phrase=item.phrase and moved(item.phrase, edits),
        question=item.question,
        hypotheses=item.hypotheses,
        readings=_readings(item, edits),
        terms=item.terms,
        tags=item.tags,
        source=item.source,
        language=item.language,
        kind=KIND,
        variant_of=item.id,
        effect="flips",
    )


def _readings(item: Item, edits: list[Edit]) -> tuple[WrittenReading | None, ...]:
    """Hand-written readings with the same edits; none where one of them cannot be carried, so that both are derived."""
    made = tuple(reading and _reading(reading, item.text or "", edits) for reading in item.readings)
    is_whole = all(bool(reading) == bool(written) for reading, written in zip(made, item.readings, strict=True))
    return made if is_whole else (None,) * len(item.readings)


def _reading(reading: WrittenReading, text: str, edits: list[Edit]) -> WrittenReading | None:
    """A hand-written reading with the same edits; None where one of them lies in what its author changed."""
    there = [carried(edit, text, reading.text) for edit in edits]
    if None in there:
        return None
    found = [edit for edit in there if edit]
    return WrittenReading(edited(reading.text, found), reading.inserted and moved(reading.inserted, found))
