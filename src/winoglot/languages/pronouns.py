"""Whether a marked span of a text can be a referring pronoun."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.spans import Span
from winoglot.schemas.text import ends_word, folded, is_unspaced, starts_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.schemas.mentions import FunctionWords
    from winoglot.schemas.model import Item

_PARTICLES = ("は", "が", "を", "に", "の", "と", "へ", "も", "で")
_MAY_FOLLOW = tuple("的の俩倆仨")  # 他的, 他们俩, of which only 他 or 他们 is marked
_HYPHENS = "-‐‑"


def pronoun_fault(text: str, pronoun: Span, mentions: Iterable[Span], words: FunctionWords) -> str | None:
    """Why the span is not a pronoun to resolve, or None; `words` must list pronouns, `mentions` are the candidates'.

    >>> pronoun_fault("Il y a un chat.", Span(0, 2), (), function_words("fr"))
    "in 'il y a' it refers to nothing"
    >>> pronoun_fault("Vou pintar-la.", Span(10, 13), (), function_words("pt"))
    'the hyphen is not part of it (write -{la})'
    """
    surface = folded(pronoun.of(text))
    longer = longer_word(text, pronoun, words)
    if longer is not None:
        return f"it is inside {longer.of(text)!r}"
    pronouns = [form for form in words.pronouns if form.startswith(surface) and text.startswith(form, pronoun.start)]
    whole = max(pronouns, key=len, default=surface)
    if is_unspaced(surface[-1:]) and whole[len(surface) :][:1] not in ("", *_MAY_FOLLOW):
        return f"it is part of the pronoun {whole!r}"
    if surface not in words.pronouns | words.places and not _has_particle(surface, words):
        if surface.lstrip(_HYPHENS) in words.pronouns:
            return f"the hyphen is not part of it (write -{{{surface.lstrip(_HYPHENS)}}})"
        return "it is not a pronoun that can refer to a candidate"
    if is_part_of_word(text, pronoun, words):
        return f"it is inside a longer word, {_whole_word(text, pronoun)!r}"
    phrase = expletive(text, pronoun, words) if starts_word(text, pronoun.start) else None  # not in "míralo de cerca"
    if phrase is not None:
        return f"in {phrase!r} it refers to nothing"
    if any(_determines(text, pronoun, mention, words) for mention in mentions):
        return "it is the determiner of a candidate"
    return None


def _whole_word(text: str, pronoun: Span) -> str:
    """What is written together with the span: *lui-même*, *nela*."""
    before = re.search(r"(?<![\w'’‐‑-])[\w'’‐‑-]*$", text[: pronoun.start])
    after = re.match(r"[\w‐‑-]*", text[pronoun.end :])
    return (before.group() if before else "") + pronoun.of(text) + (after.group() if after else "")


def stands_for_place(item: Item, language: str) -> bool:
    """Whether the item's pronoun is an adverb of place, which candidates replace with their prepositions: *there*."""
    return folded(item.parts[1]) in function_words(language).places


def longer_word(text: str, pronoun: Span, words: FunctionWords) -> Span | None:
    """The longer word that contains the span, in which it is not a pronoun: 因为."""
    for word in words.longer_words:
        if word not in text:
            continue
        for match in re.finditer(re.escape(word), text):
            span = Span(*match.span())
            if pronoun.within(span) and pronoun != span:
                return span
    return None


def _has_particle(surface: str, words: FunctionWords) -> bool:
    """Whether the span is a pronoun with its particle, as Japanese writes it: 彼に."""
    return surface.endswith(_PARTICLES) and surface[:-1] in words.pronouns


def is_part_of_word(text: str, pronoun: Span, words: FunctionWords) -> bool:
    """Whether the span is inside a word; a pronoun may follow a verb with a hyphen (levá-la) or, if listed, none."""
    is_attached = pronoun.start > 0 and text[pronoun.start - 1] in _HYPHENS
    if folded(pronoun.of(text)) in words.attached_pronouns and not starts_word(text, pronoun.start):
        return not ends_word(text, pronoun.end)
    is_followed = is_attached and text[pronoun.end : pronoun.end + 1] in tuple(_HYPHENS)
    begins = is_attached or starts_word(text, pronoun.start)
    return not (begins and (is_followed or ends_word(text, pronoun.end)))


def _determines(text: str, pronoun: Span, mention: Span, words: FunctionWords) -> bool:
    """Whether the span is the mention's determiner: "her mother", but not "gave her the book", "told her Ann …"."""
    if not pronoun.end <= mention.start <= pronoun.end + 1:
        return False
    noun = mention.of(text)
    is_bare = noun[0].islower() and words.without_determiner(noun) == noun
    return is_bare or folded(pronoun.of(text)) in {*words.determiners, *words.possessives, *words.contractions}


def expletive(text: str, pronoun: Span, words: FunctionWords) -> str | None:
    """The phrase that begins with the pronoun and in which it refers to nothing: il y a."""
    rest = folded(text[pronoun.start :])
    if not rest.startswith(tuple(words.expletives)):
        return None
    opening = [
        phrase for phrase in words.expletives if rest.startswith(phrase) and re.match(re.escape(phrase) + r"\b", rest)
    ]
    return min(opening, default=None)


_ROLES = {
    "subject": "subject",
    "object": "object",
    "possessive": "possessive",
    "prepositional": "after-preposition",
}  # by the name of the type in tags and subsets


def roles_of(form: str, language: str) -> list[str]:
    """What a pronoun may be in its clause, by its form: subject, object, possessive, prepositional.

    >>> roles_of("it", "en"), roles_of("sa", "fr"), roles_of("her", "en")
    (['subject', 'object', 'prepositional'], ['possessive'], [])
    """
    table = lexicon(language, "pronouns")
    return [role for role, feature in _ROLES.items() if form in table.words(feature)]
