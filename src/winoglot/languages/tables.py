"""Word lists and feature tables in a language's folder, looked up by its tag.

A table has one line per group of forms: `ele, dele, nele = masculine singular`.
"""

from __future__ import annotations

from functools import cache

from winoglot.languages.base import language_module, read_words
from winoglot.schemas.model import Features
from winoglot.schemas.text import folded

_FEATURES: dict[str, Features] = {
    "masculine": Features(gender="masculine"),
    "feminine": Features(gender="feminine"),
    "neuter": Features(gender="neuter"),
    "common": Features(gender="common"),
    "singular": Features(number="singular"),
    "dual": Features(number="dual"),
    "plural": Features(number="plural"),
    "human": Features(animacy="human"),
    "animal": Features(animacy="animal"),
    "thing": Features(animacy="thing"),
}


@cache
def word_list(tag: str, name: str) -> tuple[str, ...]:
    """The lines of a language's word list, in lower case; empty if there is no such file.

    >>> word_list("fr", "conjunctions.txt"), word_list("tlh", "conjunctions.txt")
    (('et',), ())
    """
    module = language_module(tag)
    if module is None or not hasattr(module, "__path__"):  # a third-party language in a single file has no lists
        return ()
    return tuple(folded(line) for line in read_words(module.__name__, name))


@cache
def pairs(tag: str, name: str) -> dict[str, str]:
    """A table that maps each form on the left to the value on the right: `fê, fez = fazer`.

    >>> pairs("fr", "elisions.txt")["que"]
    "qu'"
    """
    table: dict[str, str] = {}
    for line in word_list(tag, name):
        forms, _, value = line.partition("=")
        table |= {form.strip(): value.strip() for form in forms.split(",")}
    return table


@cache
def words_of(tag: str, name: str) -> frozenset[str]:
    """All words of a list, which may have several per line.

    >>> "aos" in words_of("pt", "determiners.txt"), "os" in words_of("pt", "determiners.txt")
    (False, True)
    """
    return frozenset(" ".join(word_list(tag, name)).split())


def possessives(tag: str) -> frozenset[str]:
    """The possessive determiners of a language; a separate list if some of them take no article.

    >>> "sua" in possessives("pt"), "sa" in possessives("fr")
    (True, True)
    """
    return words_of(tag, "owners.txt") or words_of(tag, "possessives.txt")


@cache
def feature_table(tag: str, name: str) -> dict[str, Features]:
    """The features of each form in a table; a form with nothing after its `=` has none, and hides shorter ones.

    >>> feature_table("pt-BR", "pronoun_features.txt")["dela"].gender
    'feminine'
    """
    table: dict[str, Features] = {}
    for line in word_list(tag, name):
        forms, _, shown = line.partition("=")
        given = [_FEATURES[word] for word in shown.split()]
        features = Features(
            gender=next((part.gender for part in given if part.gender), None),
            number=next((part.number for part in given if part.number), None),
            animacy=next((part.animacy for part in given if part.animacy), None),
        )
        for form in forms.split(","):
            table[form.strip()] = features
    return table
