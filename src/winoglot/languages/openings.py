"""Beginnings of noun phrases that are not plain determiners: partitive articles, and titles that look like determiners.

In a language's table `determiners`: `partitive` with the definite article used on second mention (`du = partitive:le`),
and `title` (before a man's name: *seu Jorge*).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.schemas.text import folded, is_inside_word

if TYPE_CHECKING:
    from winoglot.schemas.spans import Span


def partitive_of(phrase: str, language: str) -> str:
    """The partitive article that begins the phrase, in lower case; empty if there is none.

    >>> [partitive_of(phrase, "fr") for phrase in ("De l’eau", "du vin", "durée", "Du Plessis")]
    ["de l'", 'du', '', '']
    """
    articles = lexicon(language, "determiners").values("partitive")
    if not articles or opens_name(phrase, language):
        return ""
    plain = folded(phrase)
    for article in articles:
        is_all = not phrase[len(article) :].strip()
        if plain.startswith(article) and not is_all and not is_inside_word(phrase, 0, len(article)):
            return article
    return ""


def opens_name(phrase: str, language: str) -> bool:
    """Whether an apparent contraction is part of a name: both begin with a capital.

    >>> opens_name("Du Plessis", "fr"), opens_name("Da Vinci", "pt"), opens_name("Du vin", "fr")
    (True, True, False)
    """
    first, _, rest = phrase.partition(" ")
    if not (first[:1].isupper() and rest[:1].isupper()) or phrase.isupper():
        return False
    return folded(first) in function_words(language).contractions


def on_second_mention(determiner: str, language: str) -> str:
    """The definite article for a partitive one; any other determiner is unchanged.

    >>> on_second_mention("de la", "fr"), on_second_mention("une", "fr")
    ('la', 'une')
    """
    return lexicon(language, "determiners").values("partitive").get(determiner, (determiner,))[0]


def is_title(word: str, following: str, language: str) -> bool:
    """Whether a word that looks like a determiner is a title, because a man's name follows.

    >>> is_title("seu", "Jorge Reis", "pt"), is_title("seu", "Corolla", "pt"), is_title("o", "Jorge", "pt")
    (True, False, False)
    """
    if folded(word) not in lexicon(language, "determiners").words("title"):
        return False
    return name_gender(following.partition(" ")[0], language).value in ("masculine", "common")


def start_of(text: str, mention: Span, barrier: Span, language: str) -> int:
    """The start of the determiner or contraction before a mention.

    A title that looks like one is not included ("seu | Jorge"); a mention that begins with a contraction has none.

    >>> from winoglot import Span
    >>> start_of("Viu o tio.", Span(6, 9), Span(0, 0), "pt"), start_of("Viu seu Jorge.", Span(8, 13), Span(0, 0), "pt")
    (4, 8)
    """
    first, _, rest = mention.of(text).partition(" ")
    if rest and folded(first) in function_words(language).contractions:
        return mention.start  # "à | da tia"
    start = function_words(language).before(text, mention.start, barrier)
    last = text[start : mention.start].rstrip().rpartition(" ")[2]
    return mention.start if is_title(last, mention.of(text), language) else start


@lru_cache(maxsize=10_000)  # asked again for the candidates and mentions of a schema
def split(phrase: str, language: str) -> tuple[str, str]:
    """The determiner that begins a phrase, in lower case, and the rest.

    >>> split("O seu pai", "pt"), split("De l'eau", "fr"), split("Clara", "pt")
    (('o seu', 'pai'), ("de l'", 'eau'), ('', 'Clara'))
    """
    partitive = partitive_of(phrase, language)
    if partitive:
        return partitive, phrase[len(partitive) :].lstrip()
    noun = function_words(language).without_determiner(phrase)
    determiner = phrase[: len(phrase) - len(noun)].strip()
    title = determiner.rpartition(" ")[2]
    if is_title(title, noun, language):
        return folded(determiner.removesuffix(title)).strip(), f"{title} {noun}"
    return folded(determiner), noun
