"""How adjacent words are joined: contraction (*de* + *o tio* → *do tio*), elision (*que* + *Anne* → *qu'Anne*).

Tables in a language's folder: `contractions.txt`, `optional_contractions.txt` (those that need not be made: *num*),
`elisions.txt`.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import normalize

from winoglot.languages.base import NotDerivedError, function_words, offered
from winoglot.languages.elision import usually_begins_with_vowel
from winoglot.languages.lexicon import lexicon, optional_contractions
from winoglot.schemas.text import folded, is_word_character

_WORD = r"(?:\w[\u0300-\u036f]*)+"  # with separate combining marks
_LAST = re.compile(rf"({_WORD})([ \u00a0\u202f])$")
_LAST_ELIDED = re.compile(rf"({_WORD}['’])$")
_FIRST = re.compile(rf"{_WORD}['’]?")


def fused(left: str, right: str, language: str, *, optional: bool = False, apostrophe: str = "'") -> tuple[str, str]:
    """Two pieces of text as the language writes them side by side; a contraction becomes part of the right one.

    For what tables cannot express, a language may define `euphonic(left, right)`: Spanish *y Ana*, but *e Inés*.
    `optional` also makes optional contractions. Raises NotDerivedError if spelling does not show whether a word begins
    with a vowel sound.

    >>> fused("Falou de ", "o tio.", "pt"), fused("Il croit que ", "Anne dort.", "fr")
    (('Falou ', 'do tio.'), ("Il croit qu'", 'Anne dort.'))
    """
    last, first = _last(_LAST, left), _FIRST.match(right)
    if last is None or first is None:
        return left, right
    word, determiner = _plain(last.group(1)), _plain(first.group())
    forms = _contracted(language)
    form = forms.get((word, determiner))
    if form and (optional or form not in optional_contractions(language)):
        return left[: last.start()], like(last.group(1), form) + right[first.end() :]
    elided = _elided(word, determiner, right, language)
    if elided:
        gap = "" if elided.endswith("'") else last.group(2)
        return left[: last.start()] + like(last.group(1), elided).replace("'", apostrophe) + gap, right
    euphonic = offered(language, "euphonic")
    return euphonic(left, right) if euphonic else left, right


def loosened(left: str, following: str, language: str) -> str:
    """The text before a word that is removed, with its last word in full: *qu'* before *il* becomes *que*.

    >>> loosened("Il dit qu'", "elle dort.", "fr"), loosened("Je demande s'", "il dort.", "fr")
    ('Il dit que ', 'Je demande si ')
    """
    last = _last(_LAST_ELIDED, left) or _last(_LAST, left)
    if last is None:
        return left
    next_word = _FIRST.match(following)
    forms = _full(language).get(_plain(last.group(1)), ())
    for full, followers in forms:
        if not followers or (next_word and _plain(next_word.group()) in followers):
            return left[: last.start()] + like(last.group(1), full) + " "
    return left


def _last(pattern: re.Pattern[str], left: str) -> re.Match[str] | None:
    """Match the last word with a pattern anchored at the end; only the text after the last space is searched."""
    if left[-1:].isalnum():
        return None
    blanks = left.rfind(" ", 0, -1), left.rfind("\u00a0", 0, -1), left.rfind("\u202f", 0, -1)
    return pattern.search(left, 1 + max(blanks))


def joined(left: str, right: str, language: str) -> str:
    """Both as one text."""
    return "".join(fused(left, right, language))


def prepended(preposition: str, phrase: str, language: str) -> str:
    """A phrase after a preposition.

    >>> prepended("de", "o tio", "pt"), prepended("de", "Anne", "fr"), prepended("com", "o tio", "pt")
    ('do tio', "d'Anne", 'com o tio')
    """
    return joined(preposition + " ", phrase, language)


def like(model: str, word: str) -> str:
    """Copy the capitalisation of the model: an initial capital, or all capitals if the model has several.

    >>> like("Qu'", "que"), like("QU'", "que"), like("L'", "le")
    ('Que', 'QUE', 'Le')
    """
    if model.isupper() and len(model.rstrip("'’")) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def apostrophe_of(text: str) -> str:
    """The apostrophe that a text uses; if it uses both kinds, the last one.

    >>> apostrophe_of("L'amie croit qu’"), apostrophe_of("Ana"), apostrophe_of("l’an, l'âme")
    ('’', "'", "'")
    """
    return "’" if text.rfind("’") > text.rfind("'") else "'"


@cache
def _contracted(language: str) -> dict[tuple[str, str], str]:
    return {parts: form for form, parts in function_words(language).contractions.items()}


def _elided(word: str, following: str, right: str, language: str) -> str | None:
    spelling = lexicon(language, "spelling")
    elided = spelling.values("elided").get(word)
    followers = spelling.values("only-before").get(word)
    if elided is None or (followers and following not in followers):
        return None
    vowel = bool(followers) or usually_begins_with_vowel(_word(right), language)
    if vowel is None:
        raise NotDerivedError(
            f"spelling does not show whether {_word(right)!r} after {word!r} begins with a vowel sound"
        )
    return elided[0] if vowel else None


def _plain(word: str) -> str:
    return normalize("NFC", folded(word))


def _word(text: str) -> str:
    end = next((at for at, character in enumerate(text) if not is_word_character(character)), len(text))
    return text[:end]


@cache
def _full(language: str) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """The full words of each elided form, those restricted to certain following words first; none if ambiguous."""
    spelling = lexicon(language, "spelling")
    forms: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for full, (elided,) in spelling.values("elided").items():
        forms.setdefault(elided, []).append((full, spelling.values("only-before").get(full, ())))
    return {
        elided: sorted((full for full in found), key=lambda one: not one[1])
        for elided, found in forms.items()
        if sum(not followers for _, followers in found) <= 1
    }
