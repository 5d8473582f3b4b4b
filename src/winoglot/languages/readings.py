"""Readings: an item with each candidate in the pronoun's place, by plain replacement or by grammar."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, get_args

from winoglot import registry
from winoglot.errors import InputError, check_argument, did_you_mean
from winoglot.languages.agreement import agree, features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError, Substitution, function_words, language_module
from winoglot.languages.citation import as_mentioned, check_citation
from winoglot.languages.features import Traits
from winoglot.languages.lexicon import lexicon
from winoglot.languages.phrases import Decisions, decided, phrase_of
from winoglot.languages.plain_items import plain_item, restored
from winoglot.languages.pronouns import pronoun_fault, stands_for_place
from winoglot.languages.substitution import Phrase, Place
from winoglot.schemas.model import Collection, Item, Reading, Readings, Schema, Style
from winoglot.schemas.spans import Span, shared_end, shared_start
from winoglot.schemas.text import ends_word, folded, language_tag, needs_space, starts_word

if TYPE_CHECKING:
    from winoglot.languages.features import FeatureName
    from winoglot.schemas.model import WrittenReading

_MUST_AGREE: tuple[FeatureName, ...] = ("number", "gender")


def readings(
    source: Collection | Schema | Item,
    readings: str = "grammatical",
    *,
    language: str | None = None,
    style: str | None = None,
) -> Readings:
    """One reading per candidate, in index order; for a schema or a collection, those of all its original items.

    Grammatical readings need a language: the items of a collection know theirs; for others give `language`. `style` is
    an earlier name of `readings`.

    >>> from winoglot import Candidate, Item, Span
    >>> item = Item("lamp.0", "lamp", text="The lamp hit the vase and its foot broke.", pronoun=Span(26, 29),
    ...             candidates=(Candidate("the lamp"), Candidate("the vase")), answer=1)
    >>> [reading.text for reading in readings(item, language="en")]
    ["The lamp hit the vase and the lamp's foot broke.", "The lamp hit the vase and the vase's foot broke."]
    >>> readings(item, "naive")[0].text
    'The lamp hit the vase and the lamp foot broke.'
    """
    style = readings if style is None else style
    check_argument(style, str, "a style of readings", 'Write "grammatical" or "naive".')
    if style not in get_args(Style):
        raise InputError(f"unknown style of reading {style!r}", remedy=did_you_mean(style, get_args(Style)))
    remedy = "Give one: wg.load(…), or one of its schemas or items."
    check_argument(source, (Collection, Schema, Item), "a collection, a schema or an item", remedy)
    spoken = language_tag(language) if language else ""
    items = (source,) if isinstance(source, Item) else source.items
    if style == "naive":
        return Readings(reading for item in items for reading in naive_readings(item))
    return Readings(reading for item in items for reading in grammatical_readings(item, spoken or item.language))


def reading_count(item: Item) -> int:
    """The number of its readings, in either style, without making them."""
    if item.text is None or item.pronoun is None:
        return sum(map(bool, item.readings))
    return len(item.candidates)


def naive_readings(item: Item) -> list[Reading]:
    """The candidate's citation form in the pronoun's place, with no other change.

    An item without a text gives the readings from its source; if the insertion is not marked there, the whole sentence
    counts as inserted. An item that exists only as inference pairs has no readings.
    """
    if item.text is None or item.pronoun is None:
        return [_written_reading(item, index, reading) for index, reading in enumerate(item.readings) if reading]
    before, after = item.text[: item.pronoun.start], item.text[item.pronoun.end :]
    result = []
    for index, candidate in enumerate(item.candidates):
        inserted = candidate.text
        left, right = before, after
        if item.pronoun_form == "zero":  # nothing separates the words there
            left += " " * needs_space(before, inserted)
            right = " " * needs_space(inserted, after) + after
        result.append(Reading(item.id, index, left, inserted, right, style="naive", rule="replace"))
    return result


def grammatical_readings(item: Item, language: str) -> list[Reading]:
    """Readings written by hand, else those derived by the language's grammar, else the naive text with the reason.

    >>> from winoglot import Candidate, Item, Span
    >>> item = Item("a.0", "a", text="Ana viu Eva e falou dela.", pronoun=Span(20, 24),
    ...             candidates=(Candidate("Ana"), Candidate("Eva")))
    >>> [(reading.text, reading.rule) for reading in grammatical_readings(item, "pt")]
    [('Ana viu Eva e falou de Ana.', 'preposition'), ('Ana viu Eva e falou de Eva.', 'preposition')]
    """
    naive = naive_readings(item)
    if item.text is None:
        return [replace(reading, style="grammatical") for reading in naive]
    if not language:
        raise InputError(
            f"the language of the item {item.id} is unknown",
            remedy="Give it: readings(item, language='pt'); or ask for readings that need none: readings='naive'.",
        )
    spelled = plain_item(item)
    plain = as_mentioned(spelled, language)
    decisions = decided(plain, language)
    result = []
    for fallback in naive:
        index = fallback.candidate
        written = item.readings[index] if item.readings else None
        if written is not None:
            result.append(_written_reading(item, index, written, style="grammatical", rule="written"))
            continue
        try:
            substitution = _substituted(plain, index, decisions, language)
        except NotDerivedError as refusal:
            result.append(replace(fallback, style="grammatical", derived=False, reason=str(refusal)))
            continue
        if spelled is not item:
            substitution = restored(substitution, item, index)
        result.append(
            Reading(
                item.id,
                index,
                substitution.before,
                substitution.inserted,
                substitution.after,
                "grammatical",
                substitution.rule,
                rewritten=_rewritten(item, substitution),
            )
        )
    return result


def compared_readings(item: Item, style: str, language: str) -> tuple[Reading, ...]:
    """The readings of an item as a model compares them: if grammar does not derive them all, all are naive.

    >>> from winoglot import Candidate, Item, Span
    >>> item = Item("a.0", "a", text="Os tios viram a Ana e falaram dela.", pronoun=Span(30, 34),
    ...             candidates=(Candidate("a Ana"), Candidate("os tios")))
    >>> [(reading.inserted, reading.derived) for reading in readings(item, language="pt")]
    [('da Ana', True), ('os tios', False)]
    >>> [(reading.inserted, reading.derived) for reading in compared_readings(item, "grammatical", "pt")]
    [('a Ana', False), ('os tios', False)]
    """
    item_readings = tuple(readings(item, style, language=language))
    if all(reading.derived for reading in item_readings):
        return item_readings
    naive = zip(naive_readings(item), item_readings, strict=True)
    return tuple(
        replace(reading, style=wanted.style, derived=False, reason=wanted.reason or "the other reading is not derived")
        for reading, wanted in naive
    )


def _rewritten(item: Item, substitution: Substitution) -> str:
    """What grammar changed besides the pronoun, in whole words; empty if a phrase merely took its place."""
    text, pronoun = item.text or "", item.pronoun or Span(0, 0)
    before, after = text[: pronoun.start], text[pronoun.end :]
    reading = substitution.before + substitution.inserted + substitution.after
    if reading.startswith(before.rstrip()) and reading[len(before) :].endswith(after.lstrip()):
        return ""
    first, kept = shared_start(before, substitution.before), shared_end(after, substitution.after)
    while not (starts_word(text, first) and starts_word(reading, first)):
        first -= 1
    while not (ends_word(text, len(text) - kept) and ends_word(reading, len(reading) - kept)):
        kept -= 1
    was = f"{before[first:]}{{{pronoun.of(text)}}}{after[: len(after) - kept]}"
    end = len(substitution.after) - kept
    new = f"{substitution.before[first:]}{{{substitution.inserted}}}{substitution.after[:end]}"
    return f"{was.strip()} → {new.strip()}"


def _substituted(item: Item, index: int, decisions: Decisions, language: str) -> Substitution:
    """The candidate in the pronoun's place of an item in plain spelling."""
    module = language_module(language)
    if module is None or not hasattr(module, "substitute"):
        raise NotDerivedError(f"there are no rules for {language} yet")
    if item.text is None or item.pronoun is None or item.pronoun_form == "blank":
        raise NotDerivedError("the pronoun is a gap")
    if stands_for_place(item, language):
        return _in_place(item, item.text, item.pronoun, index, language)
    is_spoken = item.pronoun_form == "word"
    rule = module.substitute if is_spoken else getattr(module, "unspoken", None)
    if rule is None:
        raise NotDerivedError(f"the pronoun is not spoken, and there are no rules for that in {language}")
    candidate = item.candidates[index]
    check_citation(candidate, language)
    traits = features_of(candidate, item, language)
    fault = _misfit(item, traits, language)
    if fault:
        raise NotDerivedError(fault)
    phrase = phrase_of(item, index, language, traits, decisions)
    substitution: Substitution = registry.call_plugin(
        f"the language {language}, given {item.id}",
        rule,
        Place(item, item.text, item.pronoun, phrase, language, candidate.mentions, index),
        returns=Substitution,
        expected="a Substitution",
        remedy="Return Substitution(before, inserted, after, rule), or raise NotDerivedError.",
        passes=lambda error: isinstance(error, NotDerivedError),
    )
    return substitution


def _in_place(item: Item, text: str, pronoun: Span, index: int, language: str) -> Substitution:
    """The candidate *in the garden* in place of *there*; refused without its preposition, which grammar can't know."""
    phrase = item.candidates[index].text
    opening, words = folded(phrase.partition(" ")[0]), function_words(language)
    if opening not in {*words.contractions, *lexicon(language, "function_words").words("preposition")}:
        reason = f"{pronoun.of(text)!r} stands for a place, and the candidate {phrase!r} has no preposition"
        raise NotDerivedError(reason)
    place = Place(item, text, pronoun, Phrase("", phrase, Traits(), is_name=False, language=language), language)
    return place.rewrite(pronoun, phrase[0].lower() + phrase[1:], rule="place", fuse=False)


def misfit(item: Item, index: int, language: str) -> str | None:
    """Why the marked word cannot refer to the candidate: it is not a pronoun, or number or gender differ."""
    plain = as_mentioned(plain_item(item), language)
    return _misfit(plain, features_of(plain.candidates[index], plain, language), language)


def _misfit(item: Item, traits: Traits, language: str) -> str | None:
    if item.text is None or item.pronoun is None or item.pronoun_form == "zero":
        return None
    fault = _pronoun_fault(item.text, item.pronoun, language)
    if fault:
        return f"{item.pronoun.of(item.text)!r}: {fault}"
    pronoun = features_of_pronoun(item, language)
    for name in _MUST_AGREE:
        if pronoun.of(name).value == traits.of(name).value:
            continue
        agreement = agree(pronoun, traits, name)
        if agreement.value is False:
            return f"{name} differs: {agreement.evidence}"
    return None


@lru_cache(maxsize=64)  # the candidates of an item share it
def _pronoun_fault(text: str, pronoun: Span, language: str) -> str | None:
    return pronoun_fault(text, pronoun, (), function_words(language))


def _written_reading(
    item: Item, index: int, reading: WrittenReading, style: Style = "naive", rule: str = "given"
) -> Reading:
    """A reading that the source or the author wrote out."""
    if reading.inserted is None:
        return Reading(item.id, index, "", reading.text, "", style=style, rule=rule)
    before, after = reading.text[: reading.inserted.start], reading.text[reading.inserted.end :]
    return Reading(item.id, index, before, reading.inserted.of(reading.text), after, style=style, rule=rule)
