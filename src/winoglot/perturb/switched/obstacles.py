"""Reasons why two candidates cannot be exchanged; each check raises NotDerivedError with its reason."""

from __future__ import annotations

from itertools import chain, takewhile
from typing import TYPE_CHECKING

from winoglot.languages.agreement import agree, features_of_pronoun, person_gender
from winoglot.languages.base import NotDerivedError, function_words, language_hook
from winoglot.languages.lexicon import lexicon, read_table
from winoglot.languages.names import is_name
from winoglot.languages.phrases import is_part_of_several
from winoglot.languages.substitution import Place
from winoglot.schemas.text import folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.features import FeatureName, Traits
    from winoglot.languages.phrases import Phrase
    from winoglot.languages.slots import Slot
    from winoglot.schemas.model import Item
    from winoglot.schemas.spans import Span

MUST_AGREE: tuple[FeatureName, ...] = ("gender", "number")


def check_rules(language: str) -> None:
    """Refuse a language without rules: case and endings would not be adapted."""
    if language_hook(language, "substitute") is None:
        raise NotDerivedError(f"there are no grammar rules for {language}")


def check_agree(traits: Sequence[Traits]) -> None:
    """Refuse candidates that are known to differ in gender or number."""
    first, second = traits
    for name in MUST_AGREE:
        agreement = agree(first, second, name)
        if agreement.value is False:
            raise NotDerivedError(f"the candidates differ in {name} ({agreement.evidence})")


def check_pronoun(item: Item, phrases: Sequence[Phrase]) -> None:
    """Refuse a pronoun that cannot refer to both; two names may be meant as words: *changed it from Orla to Wanda*."""
    pronoun = features_of_pronoun(item, item.language)
    are_names = all(phrase.is_name for phrase in phrases)
    for name in MUST_AGREE:
        for phrase in phrases:
            agreement = agree(pronoun, phrase.traits, name)
            is_by_name = phrase.traits.of(name).evidence.startswith("name list")
            if agreement.value is False and not (are_names and is_by_name):
                raise NotDerivedError(f"the pronoun does not fit both candidates in {name} ({agreement.evidence})")


def check_person_and_thing(item: Item, text: str, slots: Sequence[Sequence[Slot]], phrases: Sequence[Phrase]) -> None:
    """Refuse a person and a thing, unless they have one role (*The man and the piano*) or no table knows them.

    A common noun that is not known to name a person is a thing if the pronoun is *it*.
    """
    language = item.language
    is_thing = features_of_pronoun(item, language).animacy.value == "thing"
    kinds = {
        kind_of(phrase, language) or ("thing" if is_thing and not phrase.is_name else None): phrase.noun
        for phrase in phrases
    }
    if set(kinds) != {"human", "thing"}:
        return
    joints = lexicon(language, "function_words").words("conjunction")
    first, second = sorted((candidate_slots[0].span for candidate_slots in slots), key=lambda span: span.start)
    if folded(text[first.end : second.start].strip()) not in joints:
        raise NotDerivedError(f"{kinds['human']!r} names a person and {kinds['thing']!r} a thing, in different roles")


def kind_of(phrase: Phrase, language: str) -> str | None:
    """What the author or a table says a candidate is: human, animal, thing."""
    animacy = phrase.traits.animacy.value
    if animacy:
        return animacy
    if (phrase.is_name and is_name(phrase.noun, language)) or person_gender(phrase.noun, language).value:
        return "human"
    prepositions = lexicon(language, "function_words").words("preposition")
    words = ["", *takewhile(lambda word: word not in prepositions, folded(phrase.noun).split())]
    head = words[1] if lexicon(language, "adjectives").words("prenominal") and len(words) > 1 else words[-1]
    table = read_table("winoglot.perturb.switched", "people_and_things")
    return next((kind for kind in ("human", "thing") if head in table.words(kind)), None)


def checked_numbers(item: Item, phrases: list[Phrase]) -> list[str | None]:
    """The candidates' numbers, as far as the language shows them, which must not differ."""
    number_of = language_hook(item.language, "number_of")
    if number_of is None or item.text is None or item.pronoun is None:
        return [phrase.traits.number.value for phrase in phrases]
    numbers: list[str | None] = [
        number_of(Place(item, item.text, item.pronoun, phrase, item.language, candidate.mentions))
        for phrase, candidate in zip(phrases, item.candidates, strict=True)
    ]
    if set(numbers) == {"singular", "plural"}:
        looks = ", ".join(f"{c.text!r} looks {number}" for c, number in zip(item.candidates, numbers, strict=True))
        raise NotDerivedError(f"the candidates differ in number ({looks})")
    return numbers


def check_slots(item: Item, text: str, slots: Sequence[Slot]) -> None:
    """Refuse slots that overlap each other or the pronoun, or that name only some of a group."""
    pronouns = tuple(function_words(item.language).pronouns)
    for place, slot in enumerate(slots):
        phrase = slot.span.of(text)
        for earlier in slots[:place]:
            if slot.span.overlaps(earlier.span):
                raise NotDerivedError(f"the mentions {earlier.span.of(text)!r} and {phrase!r} overlap")
        if _is_one_of(text, slot, item.language):
            raise NotDerivedError(f"{phrase!r} refers to one of several")
        if is_part_of_several(phrase, item.language):
            raise NotDerivedError(f"{phrase!r} refers to part of a group")
        if is_unspaced(text[slot.span.start]) and text[: slot.span.start].endswith(pronouns):
            raise NotDerivedError(f"a possessive pronoun before {phrase!r} says whose it is")
        if item.pronoun is not None and _contains(slot.span, item.pronoun):
            raise NotDerivedError(f"the pronoun is inside {phrase!r}")


def _contains(slot: Span, pronoun: Span) -> bool:
    """Whether a spoken pronoun, or the place of an unspoken one, is inside the slot."""
    return slot.overlaps(pronoun) or slot.start < pronoun.start < slot.end


def _is_one_of(text: str, slot: Slot, language: str) -> bool:
    """Whether a plural refers to one of several: "um dos caixas", "one of the cashiers"."""
    table = lexicon(language, "determiners").features()
    *_, second, last = ["", "", *map(folded, text[: slot.span.start].split())]
    determiner = ""
    if folded(slot.span.of(text).split()[0]) in function_words(language).contractions:  # French "des" may be "de les"
        determiner = last
    elif last in chain.from_iterable(lexicon(language, "determiners").values("part-of").values()):
        determiner = second
    return determiner in table and table[determiner].number == "singular"


def check_cited(item: Item) -> None:
    """Refuse a candidate cited with a preposition: *du sucre*, *de l'eau*, *da Tina*."""
    words = function_words(item.language)
    prepositions = {*words.contractions, *(preposition for preposition, _ in words.contractions.values())}
    for candidate in item.candidates:
        opening, _, rest = folded(candidate.text).partition(" ")
        if rest and opening in prepositions - words.determiners:
            raise NotDerivedError(f"{candidate.text!r} has a preposition that the other candidate may not take")


def check_articles(text: str, slots: Sequence[Sequence[Slot]], numbers: Sequence[str | None], language: str) -> None:
    """Refuse common nouns that cannot exchange their articles.

    A slot without an article takes only plurals (*Dogs chase the cats*, but not *Milk spoiled the rug*). A slot with a
    quantifier (`predeterminer`, `articleless`) takes no noun that had an article (*all the boys*, *the dogs*). A noun
    with a `contrasting` word (*the other boy*) refers back to something and has to stay.
    """
    if not lexicon(language, "determiners").features("definite") or not any(
        slot.determiner for slot in (*slots[0], *slots[1])
    ):
        return
    quantifiers = lexicon(language, "determiners").words("articleless") | lexicon(language, "determiners").words(
        "predeterminer"
    )
    for filled, sources, number in ((slots[0], slots[1], numbers[1]), (slots[1], slots[0], numbers[0])):
        for slot in filled:
            phrase, opening = slot.span.of(text), folded(slot.noun.of(text).split()[0])
            is_bare = number != "plural" and not _follows_adjective(text, slot, sources, language)
            if not slot.determiner and (opening in quantifiers or is_bare):
                raise NotDerivedError(f"{phrase!r} has no article for the other candidate to take")
            if opening in lexicon(language, "determiners").words("contrasting"):
                raise NotDerivedError(f"{phrase!r} contrasts with something named before it")


def _follows_adjective(text: str, slot: Slot, sources: Sequence[Slot], language: str) -> bool:
    """Whether the mention leaves out an adjective and the article before it: *the old man*, mentioned as *man*."""
    before = text[: slot.span.start].rstrip()
    if any(source.span.end == len(before) for source in sources):  # "fed the dog meat"
        return False
    *_, article, adjective = ["", "", *map(folded, before.split())]
    forms = lexicon(language, "spelling").values("vowel-form")
    words = function_words(language)
    return adjective in {*forms, *chain.from_iterable(forms.values())} or article in words.determiners | set(
        words.contractions
    )
