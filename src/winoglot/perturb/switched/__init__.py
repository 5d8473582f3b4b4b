"""The candidates exchanged: each takes the other's place in the text, and the answer flips.

Whether it does, only a reader can say, with the tag `switchable`: *The jug broke the glass because it was hard* makes
no sense the other way round. Without the tag, the answer of the switched item is unknown.

A slot (the place of a mention) keeps its preposition and, if both candidates are names or both common nouns, its
determiner: *ligou para o Paulo* ↔ *para o Rui*. A name and a common noun bring their own determiners (*João viu um
homem* → *Um homem viu João*); so do names in languages where people have no article (*Canada*, *the Congo*), nouns that
both have a demonstrative (*This cup hid that jug* → *That jug hid this cup*) and Chinese nouns with 这 or 那. If only
one of them has a possessive, it becomes an article (*O homem ergueu seu filho* → *O filho ergueu o homem*), except that
of the speaker or hearer, which goes with its noun (*O guarda viu meu tio* → *Meu tio viu o guarda*). Forms that depend
on the sound or ending of the noun are adapted: *ma sœur* ↔ *mon amie*, *James' hat* ↔ *Jim's hat*.

`obstacles` lists why candidates cannot be exchanged, `modifiers` finds words that would stay with the wrong one, and
`vowel_forms` adapts French determiners and adjectives.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError, check_argument
from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError, language_hook, language_module
from winoglot.languages.lexicon import lexicon
from winoglot.languages.phrases import Phrase, definite_article, is_definite, phrase_of, split
from winoglot.languages.plain_items import plain_item, plain_text
from winoglot.languages.slots import Filling, Slot, filled, opens_sentence, slot_of
from winoglot.perturb.base import marked_text, variant_of
from winoglot.perturb.switched.modifiers import check_modifiers
from winoglot.perturb.switched.obstacles import (
    MUST_AGREE,
    check_agree,
    check_articles,
    check_cited,
    check_person_and_thing,
    check_pronoun,
    check_rules,
    check_slots,
    checked_numbers,
)
from winoglot.perturb.switched.vowel_forms import adjective_edit, before_noun, shown_gender
from winoglot.schemas.model import NO_FEATURES, Item, Variant, WrittenReading
from winoglot.schemas.spans import Edit, Span, carried, edited, moved, shared_end, shared_start
from winoglot.schemas.text import folded, is_unspaced

if TYPE_CHECKING:
    from winoglot.languages.features import Traits

KIND = "switched"
TAG = "switchable"  # only an author can say whether the switched schema makes sense


@dataclass(frozen=True)
class _Exchange:
    """What fills the slots of each candidate's mentions, and the edits beside them that this entails."""

    fillings: tuple[list[Filling], list[Filling]]
    beside: list[Edit]

    @property
    def edits(self) -> list[Edit]:
        return [*(filling.edit for slot_fillings in self.fillings for filling in slot_fillings), *self.beside]


def switch(item: Item) -> Variant:
    """The item with its candidates exchanged; an input error says why if that is impossible.

    >>> from winoglot import Candidate, Item, Span
    >>> ana, rita = Candidate("Ana", mentions=(Span(0, 3),)), Candidate("Rita", mentions=(Span(18, 22),))
    >>> item = Item("a.0", "a", text="Ana pediu ajuda à Rita porque ela estava cansada.", pronoun=Span(30, 33),
    ...             candidates=(ana, rita), answer=0, language="pt", tags=("switchable",))
    >>> switched = switch(item)
    >>> switched.text, switched.answer
    ('Rita pediu ajuda à Ana porque ela estava cansada.', 1)
    """
    check_argument(item, Item, "an item", "Give an item of a collection: wg.load(…).items[0].")
    if not item.language:
        raise InputError(f"the item {item.id} has no language", remedy="Take it from a collection.")
    try:
        exchange = _exchange(item)
    except NotDerivedError as refusal:
        raise InputError(
            f"{item.id} cannot be switched: {refusal}", remedy="Write the switched variant by hand, or leave it out."
        ) from refusal
    candidates = tuple(
        replace(
            candidate, mentions=tuple(filling.mention(exchange.edits) for filling in fillings), role=counterpart.role
        )
        for candidate, counterpart, fillings in zip(
            item.candidates, reversed(item.candidates), reversed(exchange.fillings), strict=True
        )
    )
    return variant_of(
        item,
        KIND,
        "flips" if TAG in item.tags else "unknown",
        exchange.edits,
        candidates=candidates,
        question=item.question,
        hypotheses=item.hypotheses,
        readings=_readings(item, exchange.edits),
    )


perturb = switch


def obstacle(item: Item) -> str | None:
    """Why the item cannot be switched; None if it can."""
    try:
        _exchange(item)
    except NotDerivedError as refusal:
        return str(refusal)
    return None


def _exchange(item: Item) -> _Exchange:
    """The exchange of the candidates, worked out on a text in plain spelling and carried back to the item's."""
    check_rules(item.language)
    plain = plain_item(item)
    exchange = _plain_exchange(plain)
    if plain is item:
        return exchange
    source = plain_text(item.text or "")
    first, second = (
        [Filling(source.edit(filling.edit), source.written(filling.phrase)) for filling in slot_fillings]
        for slot_fillings in exchange.fillings
    )
    return _Exchange((first, second), [source.edit(edit) for edit in exchange.beside])


def _plain_exchange(item: Item) -> _Exchange:
    text, pronoun = marked_text(item)
    if len(item.candidates) != 2:
        raise NotDerivedError(f"it has {len(item.candidates)} candidates, not two")
    unmentioned = [index for index, candidate in enumerate(item.candidates) if not candidate.mentions]
    exchange = _exchange_parts(item, unmentioned) if unmentioned else _exchange_slots(item, text)
    for edit in exchange.edits:
        if any(part.overlaps(edit.span) for part in item.segment):
            raise NotDerivedError(f"the segment is inside {edit.span.of(text)!r}")
        if pronoun.overlaps(edit.span) or edit.span.start < pronoun.start == pronoun.end < edit.span.end:
            raise NotDerivedError(f"the pronoun is inside {edit.span.of(text)!r}")
    return exchange


def _exchange_slots(item: Item, text: str) -> _Exchange:
    """The slots of each candidate's mentions, filled by the other one."""
    language = item.language
    slots = [
        [slot_of(item, _with_owner(text, mention, language), language) for mention in candidate.mentions]
        for candidate in item.candidates
    ]
    traits = [_traits(item, index, slots[index]) for index in (0, 1)]
    check_agree(traits)
    check_cited(item)
    check_slots(item, text, [slot for candidate_slots in slots for slot in candidate_slots])
    phrases = [phrase_of(item, index, language, traits[index]) for index in (0, 1)]
    check_pronoun(item, phrases)
    check_modifiers(text, slots, phrases, language)
    numbers = checked_numbers(item, phrases)
    if not any(phrase.is_name for phrase in phrases):
        check_articles(text, slots, numbers, language)
    check_exchange = language_hook(language, "check_exchange")
    if check_exchange:
        check_exchange(text, slots, phrases)
    fillings = (
        _fillings(item, 1, slots[0], slots[1], phrases),
        _fillings(item, 0, slots[1], slots[0], phrases[::-1]),
    )
    check_person_and_thing(item, text, slots, phrases)
    is_declined = language_hook(language, "in_place_of") is not None  # then a slot may have a genitive
    nouns = [phrases[index].noun if is_declined else _noun(item, slots[index][0], phrases[index]) for index in (0, 1)]
    edits_beside = [_beside(item, s, nouns[1 - index], numbers[1 - index]) for index in (0, 1) for s in slots[index]]
    return _Exchange(fillings, [edit for slot_edits in edits_beside for edit in slot_edits])


def _traits(item: Item, index: int, slots: list[Slot]) -> Traits:
    """The candidate's features, including what the determiners of its slots show."""
    traits = features_of(item.candidates[index], item, item.language)
    by_determiner = (shown_gender(slot, item.text or "", item.language) for slot in slots)
    gender = next((gender for gender in (traits.gender, *by_determiner) if gender.value), traits.gender)
    return replace(traits, gender=gender)


def _fillings(item: Item, index: int, slots: list[Slot], sources: list[Slot], phrases: list[Phrase]) -> list[Filling]:
    """The slots of the first phrase filled by the second one, which the text has at `sources`; `index` is its own."""
    outgoing, incoming = phrases
    text, language, source = item.text or "", item.language, sources[0]
    target_speakers, source_speakers = (
        {_speakers(slot, language) for slot in candidate_slots} for candidate_slots in (slots, sources)
    )
    are_pointed_at = all(_demonstrative(slot, language) for slot in (*slots, *sources))  # "this cup before that jug"
    declined = language_hook(language, "in_place_of")
    if declined and (are_pointed_at or target_speakers != source_speakers):
        return [filled(text, slot, "", declined(item, index, slot.span), language) for slot in slots]
    if declined:
        return [filled(text, slot, slot.determiner, declined(item, index, slot.noun), language) for slot in slots]
    noun = _noun(item, source, incoming)
    names_have_articles = hasattr(language_module(language), "NAMED_WITH_ARTICLE")  # "o Rui", but not "the Ann"
    brings_determiner = incoming.is_name != outgoing.is_name or (incoming.is_name and not names_have_articles)
    are_owned = all(_is_owned(slot, language) for slot in (*slots, *sources))
    cited_owners = [_opening_words(candidate.text) & _owners(language) for candidate in item.candidates]
    stay_owned = are_owned and not all(cited_owners)  # "sua saia por minha capa", cited as "a saia" and "a capa"
    goes_with_noun = are_pointed_at or (not stay_owned and (brings_determiner or target_speakers != source_speakers))
    fillings = []
    for slot in slots:
        model = source if goes_with_noun else slot
        determiner = model.determiner
        if not are_owned and not incoming.is_name and not _speakers(model, language):
            determiner = _determiner(model, source, incoming, language)
        if determiner == model.determiner:
            gender = incoming.traits.gender.value
            determiner = before_noun(determiner, model.noun.of(text), noun, gender, language)
        fillings.append(filled(text, slot, determiner, noun, language))
    return fillings


def _noun(item: Item, source: Slot, phrase: Phrase) -> str:
    """The phrase's noun as the text has it at the source, spelt as inside a sentence."""
    noun = source.noun.of(item.text or "")
    if phrase.noun[:1].islower() and opens_sentence(item.text or "", source.noun.start):
        return noun[:1].lower() + noun[1:]
    return noun


def _determiner(model: Slot, source: Slot, incoming: Phrase, language: str) -> str:
    """The determiner of a common noun in the model's place: its own definite article, or one instead of an owner."""
    if not (_is_owned(model, language) or is_definite(model.determiner, language)):
        return _classified(model.determiner, source, language)
    if is_definite(source.determiner, language):
        return source.determiner
    features = lexicon(language, "determiners").features().get(model.determiner.split()[0], NO_FEATURES)
    gender, number = (incoming.traits.of(name).value or getattr(features, name) for name in MUST_AGREE)
    article = definite_article(gender, number, language)
    if article is None:
        raise NotDerivedError(f"the gender of {incoming.noun!r} is unknown, and its article needs it")
    return article


def _classified(determiner: str, source: Slot, language: str) -> str:
    """The determiner with the classifier of the incoming noun: 一只猫 and 那条狗 give 一条狗."""
    classifiers = tuple(lexicon(language, "function_words").words("classifier"))
    if not classifiers or not determiner.endswith(classifiers):
        return determiner
    if not source.determiner.endswith(classifiers):
        raise NotDerivedError("nothing shows the classifier of the incoming noun")
    if {determiner[0], source.determiner[0]} <= lexicon(language, "determiners").words("demonstrative"):
        return source.determiner  # the candidate is called 这把伞, and 那把伞 would be another one
    return determiner[:-1] + source.determiner[-1:]


def _speakers(slot: Slot, language: str) -> str:
    """The possessive of the speaker or hearer before the slot's noun, which owns it anywhere: *meu*; empty if none."""
    return _first_of(slot, lexicon(language, "determiners").words("first-or-second"))


def _demonstrative(slot: Slot, language: str) -> str:
    """The demonstrative before the slot's noun, also "that", which stands alone elsewhere; empty if none."""
    determiners = lexicon(language, "determiners")
    return _first_of(slot, determiners.words("demonstrative") | determiners.words("loose"))


def _first_of(slot: Slot, words: frozenset[str]) -> str:
    """The first word before the slot's noun that is listed or begins with a listed stem: German *mein-*."""
    stems = tuple(word[:-1] for word in words if word.endswith("-"))
    return next((word for word in slot.determiner.split() if word in words or word.startswith(stems)), "")


def _with_owner(text: str, mention: Span, language: str) -> Span:
    """The mention with such a possessive before it, in a script without spaces: 我的狗."""
    owners = lexicon(language, "determiners").words("first-or-second") if is_unspaced(text[mention.start]) else ()
    owner = max((owner for owner in owners if text[: mention.start].endswith(owner)), key=len, default="")
    return Span(mention.start - len(owner), mention.end)


def _is_owned(slot: Slot, language: str) -> bool:
    return not _owners(language).isdisjoint(slot.determiner.split())


def _owners(language: str) -> frozenset[str]:
    return lexicon(language, "determiners").words("possessive")


def _opening_words(phrase: str) -> frozenset[str]:
    """The first two words, an article and a possessive perhaps: *o meu irmão*."""
    return frozenset(folded(phrase).split()[:2])


def _beside(item: Item, slot: Slot, noun: str, number: str | None) -> list[Edit]:
    """What changes before and after a slot when a noun of this number fills it."""
    text = item.text or ""
    edit_after = language_hook(item.language, "edit_after")
    edits = (
        adjective_edit(text, slot, noun, item.language),
        edit_after(text, slot.noun, noun, number) if edit_after else None,
    )
    return [edit for edit in edits if edit]


def _readings(item: Item, edits: list[Edit]) -> tuple[WrittenReading | None, ...]:
    """Hand-written readings with the same edits, or none at all: if one cannot be edited, all are left to grammar."""
    edited = tuple(reading and _reading(reading, item.text or "", edits) for reading in item.readings)
    is_whole = all(bool(reading) == bool(written) for reading, written in zip(edited, item.readings, strict=True))
    return edited if is_whole else (None,) * len(item.readings)


def _reading(reading: WrittenReading, text: str, edits: list[Edit]) -> WrittenReading | None:
    """A hand-written reading with the same edits; None if one of them lies in what its author changed."""
    places = [place for edit in edits if (place := carried(edit, text, reading.text))]
    if len(places) < len(edits):
        return None
    return WrittenReading(edited(reading.text, places), reading.inserted and moved(reading.inserted, places))


def _exchange_parts(item: Item, unmentioned: list[int]) -> _Exchange:
    """Exchange only the words that distinguish two candidates, if the text names their common noun once.

    *As janelas maiores rangem mais que as menores*: the mentions of one candidate become the other's, and the rest of
    the other becomes the first one's. What surrounds them still agrees, since the noun is the same.
    """
    text, index = item.text or "", unmentioned[0]
    mentioned = item.candidates[1 - index]
    missing = NotDerivedError(f"the text does not mention {item.candidates[index].text!r}")
    parts = _distinguishing(mentioned.text, item.candidates[index].text, item.language)
    if len(unmentioned) > 1 or parts is None:
        raise missing
    distinguishing, other_words = parts
    fillings = []
    for mention in mentioned.mentions:
        phrase = mention.of(text)
        places = _places(distinguishing, phrase)
        if len(places) != 1:
            raise missing
        phrase = edited(phrase, [Edit(places[0], _cased(other_words, places[0].of(phrase)))])
        fillings.append(Filling(Edit(mention, phrase), phrase))
    rest = [place for place in _places(other_words, text) if not any(place.overlaps(m) for m in mentioned.mentions)]
    if len(rest) != 1:
        raise missing
    beside = [Edit(rest[0], _cased(distinguishing, rest[0].of(text)))]
    return _Exchange(([], fillings) if index == 0 else (fillings, []), beside)


def _distinguishing(mentioned: str, unmentioned: str, language: str) -> tuple[str, str] | None:
    """The words in which two noun phrases differ, without determiners; None if they share none, or one has no others.

    >>> _distinguishing("as janelas maiores", "as janelas menores", "pt"), _distinguishing("o pai", "o filho", "pt")
    (('maiores', 'menores'), None)
    """
    first, second = (split(phrase, language)[1].split() for phrase in (mentioned, unmentioned))
    start = shared_start(first, second)
    end = shared_end(first[start:], second[start:])
    left = [" ".join(words[start : len(words) - end]) for words in (first, second)]
    return (left[0], left[1]) if start + end and all(left) else None


def _places(words: str, text: str) -> list[Span]:
    matches = re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)
    return [Span(*match.span()) for match in matches]


def _cased(words: str, model: str) -> str:
    """The words with the capital, if any, of what they replace at the start of a sentence."""
    return words[:1].upper() + words[1:] if model[:1].isupper() else words
