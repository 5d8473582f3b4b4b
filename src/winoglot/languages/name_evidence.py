"""What a text shows about a candidate that may be a name: its determiner, its title, and apparent articles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.agreement import conjuncts, features_of_pronoun
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_also_word, name_gender
from winoglot.languages.openings import on_second_mention, opens_name, split, start_of
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Item

_NOWHERE = Span(0, 0)
_NEAR = 40  # characters: as far as a word before a name is looked for
_CAPITAL = re.compile(r"\b[^\W\d_a-z][^\W\d_]+")
_CAPITAL_BEFORE = re.compile(r"\b[^\W\d_a-z][\w.]+\s$")  # part of a longer name; "O" is an article
_WORD_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]+)\s$")


def shown_at(item: Item, mention: Span, language: str) -> tuple[str, str]:
    """The determiner of a mention (a contraction without its preposition), and its noun."""
    text = item.text or ""
    words = function_words(language)
    start = start_of(text, mention, item.pronoun or _NOWHERE, language)
    determiner, noun = split(text[start : mention.end], language)
    if determiner:
        return on_second_mention(determiner, language), noun
    form, _, rest = text[start : mention.end].partition(" ")
    if rest and folded(form) in words.contractions and not opens_own_name(item, mention, language):
        return words.contractions[folded(form)][1], split(rest, language)[1]
    return "", noun


def opens_own_name(item: Item, mention: Span, language: str) -> bool:
    """Whether the candidate's name begins with an apparent contraction: *Du Plessis*, *Da Vinci*."""
    name = mention.of(item.text or "")
    return opens_name(name, language) and any(candidate.text == name for candidate in item.candidates)


def is_name_like(noun: str, mention_parts: list[tuple[str, str]], language: str) -> bool:
    """Whether the noun is a name in lower case, used without an article: *madame Martin*, *maman*."""
    is_listed = _may_be_name_like(noun, language) and (" " in noun or mention_parts)
    return bool(is_listed) and not any(determiner for determiner, _ in mention_parts)


def _may_be_name_like(noun: str, language: str) -> bool:
    title, _, name = noun.partition(" ")
    return folded(title) in lexicon(language, "nouns").words("name-like") and not name[:1].islower()


def is_named(noun: str, mention_parts: list[tuple[str, str]], language: str) -> bool:
    """Whether the candidate is a name in all its mentions, ignoring a lower-case title: *frei Tomás*."""
    bare_nouns = (_without_title(mentioned_noun, language) for _, mentioned_noun in mention_parts)
    return may_be_name(_without_title(noun, language)) and not any(
        mentioned_noun[:1].islower() for mentioned_noun in bare_nouns
    )


def _without_title(name: str, language: str) -> str:
    """*Frei Tomás* as *Tomás*."""
    rest = name.partition(" ")[2]
    return rest if rest and _may_be_name_like(name, language) else name


def may_be_name(noun: str) -> bool:
    """Whether the noun begins with a capital, or with a letter that has no case: 小明 in a Portuguese text."""
    return noun[:1].isalpha() and not noun[:1].islower()


def has_own_article(item: Item, index: int, language: str) -> bool:
    """Whether an article belongs to the candidate's name and keeps its capital: *Le Havre*, *The Hague*.

    A mention inside a sentence shows it. Where all open a sentence or are contracted (*du Havre*), listed names have
    one, and so has a name beside another that has (*The Times*, *The Post*).
    """
    has_capital = _shows_capital(item, index, language)
    if has_capital is not None:
        return has_capital
    phrase = item.candidates[index].text
    shown_for_all = (_shows_capital(item, position, language) for position in range(len(item.candidates)))
    is_listed = folded(phrase.partition(" ")[2]) in lexicon(language, "nouns").words("own-article")
    return is_listed or (phrase[0].isupper() and True in shown_for_all)


def _shows_capital(item: Item, index: int, language: str) -> bool | None:
    """Whether a name's article has a capital inside a sentence; None if it has no article there."""
    candidate, text = item.candidates[index], item.text or ""
    article, _, name = candidate.text.partition(" ")
    is_article = folded(article) in lexicon(language, "determiners").words("definite")
    if not is_article or not name[:1].isupper():
        return False
    starts = [mention.end - len(name) for mention in candidate.mentions]
    before = [(start, _WORD_BEFORE.search(text[max(0, start - _NEAR) : start])) for start in starts]
    words = [(start - len(match.group()), match.group(1)) for start, match in before if match]
    mid_sentence = [word for start, word in words if not opens_sentence(text, start)]
    capitals = [word[0].isupper() for word in mid_sentence if folded(word) == folded(article)]
    return any(capitals) if capitals else None


def named_people(item: Item, language: str) -> list[int]:
    """The candidates that are names of people without a title, or several such names (*Ana e Rui*).

    All capitalised ones may be if one of them is listed as a first name.
    """
    name_indexes = [index for index in range(len(item.candidates)) if _is_plain_name(item, index, language)]
    nouns = [noun for index in name_indexes for noun in names_in(item.candidates[index].text, language)]
    return name_indexes if any(name_gender(noun, language).value for noun in nouns) else []


def names_in(phrase: str, language: str) -> list[str]:
    """The noun of a phrase, or those of a coordination, without their determiners.

    >>> names_in("a Ana e o Rui", "pt"), names_in("o Rui Prado", "pt")
    (['Ana', 'Rui'], ['Rui Prado'])
    """
    return [split(part, language)[1] for part in conjuncts(phrase, language) or [phrase]]


def _is_plain_name(item: Item, index: int, language: str) -> bool:
    candidate = item.candidates[index]
    _, noun = split(candidate.text, language)
    if not may_be_name(noun):
        return False
    mentioned = [shown_at(item, mention, language) for mention in candidate.mentions]
    determiners = [determiner for determiner, _ in mentioned if determiner]
    title, _, name = noun.partition(" ")
    titles = (lexicon(language, "nouns").words(kind) for kind in ("articled", "name-like", "person"))
    has_title = bool(name) and any(folded(title).rstrip(".") in words for words in titles)
    return (
        is_named(noun, mentioned, language)
        and not has_title
        and all(word[0].isupper() for name in names_in(candidate.text, language) for word in name.split())
        and all(determiner in lexicon(language, "determiners").features("definite") for determiner in determiners)
    )


def has_article(item: Item, index: int, language: str) -> bool | None:
    """Whether the first mention of a named candidate has an article; None if it is not mentioned."""
    candidate = item.candidates[index]
    if not candidate.mentions:
        return None
    is_cited = bool(split(candidate.text, language)[0])
    is_shown = bool(shown_at(item, candidate.mentions[0], language)[0])
    return is_shown and (is_cited or not is_preposition(item, index, language))


def names_with_article(item: Item, language: str) -> list[bool]:
    """For each name of a person in the text, whether it has an article."""
    people = named_people(item, language)
    mentions = [mention for index in people for mention in item.candidates[index].mentions]
    articles = [
        bool(shown_at(item, mention, language)[0])
        for index in people
        for mention in item.candidates[index].mentions[1:]
    ]
    articles += [first_mention for index in people if (first_mention := has_article(item, index, language)) is not None]
    return articles + _other_names_with_article(item, mentions, language)


def _other_names_with_article(item: Item, mentions: Sequence[Span], language: str) -> list[bool]:
    """For each first name in the text besides these mentions, whether it has an article."""
    text, articles = item.text or "", []
    for word in _CAPITAL.finditer(text):
        span = Span(*word.span())
        is_known = name_gender(word.group(), language).value and not is_also_word(word.group(), language)
        if (
            is_known
            and not _CAPITAL_BEFORE.search(text[max(0, span.start - _NEAR) : span.start])
            and not any(map(span.overlaps, mentions))
        ):
            articles.append(bool(shown_at(item, span, language)[0]))
    return articles


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
    gender = features_of_pronoun(item, language).gender.value or item.candidates[index].features.gender
    if _is_of_other_gender(article, gender, language) or _contradicts(article, noun, language):
        return True
    rivals = [candidate for other, candidate in enumerate(item.candidates) if other != index and candidate.mentions]
    names = [shown_at(item, candidate.mentions[0], language) for candidate in rivals]
    articles = [
        "" if _contradicts(determiner, name, language) else determiner
        for determiner, name in names
        if _without_title(name, language)[:1].isupper() and not name.isupper()
    ]
    if not articles and gender is not None:
        mentions = [mention for candidate in item.candidates for mention in candidate.mentions]
        return False in _other_names_with_article(item, mentions, language)  # "Rita emprestou a novela a Ida"
    return "" in articles or not any(articles)


def _contradicts(article: str, name: str, language: str) -> bool:
    """Whether the name and its apparent article differ in gender: *a Rui*."""
    gender = name_gender(_without_title(name, language), language).value
    return _is_of_other_gender(article, gender, language)


def _is_of_other_gender(article: str, gender: str | None, language: str) -> bool:
    features = lexicon(language, "determiners").features("definite").get(article)
    return features is not None and gender not in (None, "common", features.gender)
