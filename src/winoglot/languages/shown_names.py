"""What a text shows about a candidate that may be a name: its determiner, its title, and apparent articles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of_pronoun
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.openings import opens_name, said_again, split, start_of
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.schemas.model import Item

_NOWHERE = Span(0, 0)


def shown_at(item: Item, mention: Span, language: str) -> tuple[str, str]:
    """The determiner of a mention (a contraction without its preposition), and its noun."""
    text = item.text or ""
    words = function_words(language)
    start = start_of(text, mention, item.pronoun or _NOWHERE, language)
    determiner, noun = split(text[start : mention.end], language)
    if determiner:
        return said_again(determiner, language), noun
    form, _, rest = text[start : mention.end].partition(" ")
    if rest and folded(form) in words.contractions and not opens_own_name(item, mention, language):
        return words.contractions[folded(form)][1], split(rest, language)[1]
    return "", noun


def opens_own_name(item: Item, mention: Span, language: str) -> bool:
    """Whether the candidate's name begins with an apparent contraction: *Du Plessis*, *Da Vinci*."""
    name = mention.of(item.text or "")
    return opens_name(name, language) and any(candidate.text == name for candidate in item.candidates)


def is_called_so(noun: str, shown: list[tuple[str, str]], language: str) -> bool:
    """Whether it is a name in lower case, used without article: *madame Martin*, *maman*."""
    is_listed = _may_be_called_so(noun, language) and (" " in noun or shown)
    return bool(is_listed) and not any(determiner for determiner, _ in shown)


def _may_be_called_so(noun: str, language: str) -> bool:
    title, _, name = noun.partition(" ")
    return folded(title) in lexicon(language, "nouns").words("name-like") and not name[:1].islower()


def is_named(noun: str, shown: list[tuple[str, str]], language: str) -> bool:
    """Whether the candidate is a name in all its mentions, ignoring a lower-case title: *frei Tomás*."""
    mentioned = (_without_title(there, language) for _, there in shown)
    return may_be_name(_without_title(noun, language)) and not any(there[:1].islower() for there in mentioned)


def _without_title(name: str, language: str) -> str:
    """*Frei Tomás* as *Tomás*."""
    rest = name.partition(" ")[2]
    return rest if rest and _may_be_called_so(name, language) else name


def may_be_name(noun: str) -> bool:
    """Whether it begins with a capital, or a letter without case: 小明 in a Portuguese text."""
    return noun[:1].isalpha() and not noun[:1].islower()


def is_preposition(item: Item, index: int, language: str) -> bool:
    """Whether the apparent article of a name is really a preposition: *disse a Rui*, *disse a Rute*.

    It is if the pronoun or the name has another gender, or if the other names in the sentence have no article; it is
    not at the start of a sentence or after a preposition (*com a Rute*). Such an article is a `preposition` too.
    """
    text, mention = item.text or "", item.candidates[index].mentions[0]
    start = start_of(text, mention, item.pronoun or _NOWHERE, language)
    form, _, _ = text[start : mention.end].partition(" ")
    before = text[:start].split()[-1:]
    is_article = (
        not before
        or before[0][-1] in ".!?"
        or folded(before[0]) in lexicon(language, "function_words").words("preposition")
    )
    if is_article or folded(form) not in lexicon(language, "determiners").words("preposition"):
        return False
    article, noun = shown_at(item, mention, language)
    known = features_of_pronoun(item, language).gender.value or item.candidates[index].features.gender
    if _is_of_other_gender(article, known, language) or _contradicts(article, noun, language):
        return True
    others = [one for number, one in enumerate(item.candidates) if number != index and one.mentions]
    names = [shown_at(item, one.mentions[0], language) for one in others]
    articles = [
        "" if _contradicts(determiner, name, language) else determiner
        for determiner, name in names
        if _without_title(name, language)[:1].isupper() and not name.isupper()
    ]
    return "" in articles or (known is None and not any(articles))


def _contradicts(article: str, name: str, language: str) -> bool:
    """Whether the name and its apparent article differ in gender: *a Rui*."""
    gender = name_gender(_without_title(name, language), language).value
    return _is_of_other_gender(article, gender, language)


def _is_of_other_gender(article: str, gender: str | None, language: str) -> bool:
    features = lexicon(language, "determiners").features("definite").get(article)
    return features is not None and gender not in (None, "common", features.gender)
