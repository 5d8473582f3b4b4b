"""Word lists that are not yet in tables, and the old names of those that are, for Portuguese, French and Spanish."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import language_module, read_words
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.model import Features
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Mapping

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
_MOVED = {
    "bare_openers.txt": ("determiners", "articleless"),
    "before_vowels.txt": ("spelling", "before-vowel"),
    "classifiers.txt": ("function_words", "classifier"),
    "conjunctions.txt": ("function_words", "conjunction"),
    "conjunctions_unspaced.txt": ("function_words", "unspaced-conjunction"),
    "contrasting.txt": ("determiners", "contrasting"),
    "copulas.txt": ("verbs", "copula"),
    "definite_articles.txt": ("determiners", "definite"),
    "degree_words.txt": ("function_words", "degree"),
    "demonstratives.txt": ("determiners", "demonstrative"),
    "determiner_features.txt": ("determiners", ""),
    "determiners.txt": ("determiners", "determiner"),
    "elided_words.txt": ("spelling", "proclitic"),
    "gendered_people.txt": ("nouns", "person"),
    "kept_determiners.txt": ("determiners", "kept"),
    "kept_quantifiers.txt": ("determiners", "predeterminer"),
    "names_in_small_letters.txt": ("nouns", "name-like"),
    "owners.txt": ("determiners", "possessive"),
    "parts_of_several.txt": ("determiners", "part-of"),
    "possessives.txt": ("determiners", "follows-article"),
    "prenominals.txt": ("adjectives", "prenominal"),
    "prepositions.txt": ("function_words", "preposition"),
    "pronoun_features.txt": ("pronouns", ""),
    "pronouns.txt": ("pronouns", ""),
    "small_quantities.txt": ("nouns", "small-quantity"),
    "small_words.txt": ("function_words", "light"),
    "surnames.txt": ("names", "surname"),
    "titles.txt": ("nouns", "title"),
    "titles_like_determiners.txt": ("determiners", "title"),
    "titles_with_article.txt": ("nouns", "articled"),
    "unrepeated_quantifiers.txt": ("determiners", "unrepeated"),
    "unsure_articles.txt": ("determiners", "preposition"),
    "verb_features.txt": ("verbs", "finite"),
}


@cache
def word_list(tag: str, name: str) -> tuple[str, ...]:
    """The lines of a language's word list, in lower case; empty if there is no such file."""
    module = language_module(tag)
    if module is None or not hasattr(module, "__path__"):  # a third-party language in a single file has no lists
        return ()
    return tuple(folded(line) for line in read_words(module.__name__, name))


@cache
def pairs(tag: str, name: str) -> dict[str, str]:
    """A table that maps each form on the left to the value on the right: `fê, fez = fazer`."""
    if name in _MOVED:
        table, key = _MOVED[name]
        return {form: " ".join(values) for form, values in lexicon(tag, table).values(key).items()}
    found: dict[str, str] = {}
    for line in word_list(tag, name):
        forms, _, value = line.partition("=")
        found |= {form.strip(): value.strip() for form in forms.split(",")}
    return found


@cache
def words_of(tag: str, name: str) -> frozenset[str]:
    """All words of a list, which may have several per line."""
    if name in _MOVED:
        table, feature = _MOVED[name]
        return lexicon(tag, table).words(*filter(None, [feature]))
    return frozenset(" ".join(word_list(tag, name)).split())


@cache
def feature_table(tag: str, name: str) -> Mapping[str, Features]:
    """The features of each form in a table; a form with nothing after its `=` has none, and hides shorter ones."""
    if name in _MOVED:
        table, feature = _MOVED[name]
        return lexicon(tag, table).features(*filter(None, [feature]))
    found: dict[str, Features] = {}
    for line in word_list(tag, name):
        forms, _, shown = line.partition("=")
        given = [_FEATURES[word] for word in shown.split()]
        features = Features(
            gender=next((part.gender for part in given if part.gender), None),
            number=next((part.number for part in given if part.number), None),
            animacy=next((part.animacy for part in given if part.animacy), None),
        )
        for form in forms.split(","):
            found[form.strip()] = features
    return found
