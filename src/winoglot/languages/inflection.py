"""What the words that agree with a pronoun show: its verb, and the adjective after a copula.

In a language's tables: `finite` verbs and `copula`s, `degree` words, and the endings of adjectives and participles:
those that show what they agree with (`-ado = predicate masculine singular`) and those in which two forms of one
adjective differ (`-o = inflection masculine singular`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.agreement import traits
from winoglot.languages.features import Traits
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.schemas.model import Features, Item

_WORD = re.compile(r"[\s'’]*(\w+(?:-\w+)*)")
_BEFORE_COPULA = 2  # a negation and a clitic: "il ne lui était", "ela não se"
_SHORTEST_STEM = 3


def verb_after_pronoun(item: Item, language: str) -> Traits:
    """What the verb right after the pronoun shows; nothing if it is not listed.

    >>> from winoglot import Candidate, Item, Span
    >>> item = Item("a.0", "a", text="Rita rang; she was late.", pronoun=Span(11, 14), candidates=(Candidate("Rita"),))
    >>> str(verb_after_pronoun(item, "en").number)
    "singular: verb 'was'"
    """
    words = _words_after_pronoun(item)
    if not words or item.text is None:
        return Traits()
    verb = words[0].of(item.text)
    features = lexicon(language, "verbs").features("finite").get(folded(verb))
    return traits(features, f"verb {verb!r}") if features else Traits()


def predicate(item: Item, language: str) -> str | None:
    """The word of the segment that follows the pronoun's copula and may agree with the pronoun, if any."""
    copulas, degrees = lexicon(language, "verbs").words("copula"), lexicon(language, "function_words").words("degree")
    text = item.text or ""
    words = _words_after_pronoun(item)
    plain = [folded(word.of(text)) for word in words]
    copula = next((index for index, word in enumerate(plain[: _BEFORE_COPULA + 1]) if word in copulas), None)
    if copula is None or item.pronoun is None:
        return None
    rest = [index for index in range(copula + 1, len(words)) if plain[index] not in (*copulas, *degrees)]
    if not rest or any(place.start < item.pronoun.start for place in item.segment):
        return None  # the adjective may agree with something before the pronoun
    word = words[rest[0]]
    return word.of(text) if any(word.overlaps(place) for place in item.segment) else None


def shown_by_predicates(first: str, second: str, language: str) -> tuple[Traits, Traits]:
    """What two alternative adjectives show, as forms of the same word or by their participle endings.

    >>> lourd, lourde = shown_by_predicates("lourd", "lourde", "fr")
    >>> lourd.gender.value, lourde.gender.value
    ('masculine', 'feminine')
    """
    pair = _as_forms(folded(first), folded(second), lexicon(language, "adjectives").endings("inflection"))
    endings = lexicon(language, "adjectives").endings("predicate")
    left, right = pair or (_by_ending(folded(first), endings), _by_ending(folded(second), endings))
    return (
        traits(left, repr(first)) if left else Traits(),
        traits(right, repr(second)) if right else Traits(),
    )


def _words_after_pronoun(item: Item) -> list[Span]:
    """The words that follow the pronoun up to the next punctuation."""
    spans: list[Span] = []
    if item.text is None or item.pronoun is None or item.pronoun_form == "blank":
        return spans
    match = _WORD.match(item.text, item.pronoun.end)
    while match:
        spans.append(Span(*match.span(1)))
        match = _WORD.match(item.text, match.end())
    return spans


def _as_forms(first: str, second: str, endings: Mapping[str, Features]) -> tuple[Features, Features] | None:
    """The features of two forms of a word; the shortest stem wins, so that `jeune` and `jeunes` differ in number."""
    for ending in sorted(endings, key=len, reverse=True):
        stem = first.removesuffix(ending)
        rest = second.removeprefix(stem)
        if first == second or len(stem) < _SHORTEST_STEM or not first.endswith(ending) or not second.startswith(stem):
            continue
        if rest in endings:
            return endings[ending], endings[rest]
    return None


def _by_ending(word: str, endings: Mapping[str, Features]) -> Features | None:
    """What the longest ending of the word shows; a stem of at least two letters must remain."""
    matching = [ending for ending in endings if word.endswith(ending) and len(word) >= len(ending) + 2]
    return endings[max(matching, key=len)] if matching else None
