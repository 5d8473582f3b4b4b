"""The end of the phrase that *su* or *sus* belongs to, and the article that replaces it.

*su mochila roja* consists of the possessive, prenominal adjectives, a head, adjectives that agree, and *de* with a bare
noun (*su taza de café*). It ends before punctuation, a conjunction or preposition, an adverb or a certain verb; any
other word may be an adjective or a verb, and is refused. *su* shows no gender: the head does, by its ending or a list,
or an adjective by its ending.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.words import (
    ends_phrase,
    is_determiner,
    is_infinitive,
    is_participle,
    is_surely_finite,
    listed,
)
from winoglot.languages.phrases import definite_article
from winoglot.languages.tables import feature_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.substitution import Token

_ACCENTED = str.maketrans("aeiou", "áéíóú")


def possessed_length(words: Sequence[Token], text: str) -> int:
    """The number of words after the possessive that belong to its phrase."""
    head = next((at for at, word in enumerate(words) if word.form not in listed("prenominals.txt")), len(words))
    if head and (head == len(words) or ends_phrase(words[head:])):
        head -= 1  # "su viejo.", "sus tres."
    if head == len(words) or not words[head].form.isalpha() or ends_phrase(words[head:]):
        raise NotDerivedError("no noun follows the possessive")
    if words[head].span.of(text)[0].isupper():
        raise NotDerivedError(f"{words[head].span.of(text)!r} may be part of a name or title")
    end = head + 1
    while end < len(words) and is_adjective(words[end].form):
        end += 1
    end = _with_complement(words, end)
    _check_end(words[end:], text)
    return end


def article(words: Sequence[Token], *, is_plural: bool) -> str:
    """The definite article of the possessed phrase.

    >>> from winoglot.languages.substitution import Token
    >>> from winoglot.schemas.spans import Span
    >>> [article([Token(form, Span(0, 1))], is_plural=False) for form in ("llave", "mapa", "canción", "agua")]
    ['la', 'el', 'la', 'la']
    """
    head = next((word.form for word in words if word.form not in listed("prenominals.txt")), words[-1].form)
    shown = {_gender(head)} - {None} or {_adjective_gender(word.form) for word in words if word.form != head} - {None}
    gender = shown.pop() if len(shown) == 1 else None
    found = definite_article(gender, "plural" if is_plural else "singular", "es")
    if found is None:
        raise NotDerivedError(f"the gender of {head!r} is unknown, and the article needs it")
    return found


def _gender(noun: str) -> str | None:
    """By the list of nouns, otherwise by the longest matching ending; a listed noun may show none (*juez*)."""
    nouns, endings = (feature_table("es", name) for name in ("noun_genders.txt", "gender_endings.txt"))
    forms = _singulars(noun)
    known = next((nouns[form] for form in forms if form in nouns), None)
    if known is not None:
        return known.gender
    fitting = [ending for ending in endings if any(form.endswith(ending) for form in forms)]
    return endings[max(fitting, key=len)].gender if fitting else None


def _singulars(noun: str) -> tuple[str, ...]:
    """The possible singulars of a plural noun, with a lost accent restored: *camiones*, *luces*."""
    bare = noun.removesuffix("es") if noun.endswith("es") else noun
    accented = "".join((bare[:-2], bare[-2:-1].translate(_ACCENTED), bare[-1:]))
    return noun, noun.removesuffix("s"), bare, accented, re.sub("ces$", "z", noun)


def _adjective_gender(form: str) -> str | None:
    """The gender shown by the ending of an adjective next to the head: *su nueva*."""
    if form not in listed("prenominals.txt") and not is_adjective(form):
        return None
    plain = form.removesuffix("s")
    return {"o": "masculine", "a": "feminine"}.get(plain[-1:])


def is_adjective(form: str) -> bool:
    """Whether it can be an adjective after its noun: listed, or a participle."""
    if is_surely_finite(form) or len(form) < len("rojo"):
        return False
    plain = form.removesuffix("s")
    singulars = {plain, plain.removesuffix("e"), re.sub("a$", "o", plain)}
    return is_participle(form) or bool(singulars & listed("adjective_list.txt"))


def _with_complement(words: Sequence[Token], end: int) -> int:
    """Past *de* and a bare noun: *su taza de café*, but not *sacó su bici de repente*."""
    if len(words) <= end + 1 or words[end].form != "de" or words[end + 1].form in listed("after_de.txt"):
        return end
    noun = words[end + 1].form
    if not noun.isalpha() or is_determiner(noun) or is_infinitive(noun) or ends_phrase(words[end + 1 :]):
        return end
    return end + 2


def _check_end(rest: Sequence[Token], text: str) -> None:
    """Refuse if the phrase may continue, or may not be a single phrase."""
    if not rest:
        return
    word, following = rest[0], rest[1:]
    if word.form == "de" and following and following[0].form in listed("after_de.txt"):
        return
    if not ends_phrase(rest) or word.form in listed("degree_words.txt"):
        raise NotDerivedError(f"the possessed phrase may end before or after {word.span.of(text)!r}")
    if word.form not in ("y", "e", "o", "u", "ni") or not following:
        return
    after = following[0]
    is_apart = is_determiner(after.form) or ends_phrase(following) or after.span.of(text)[0].isupper()
    if not (is_apart or after.form in ("él", "ella", "ellos", "ellas")):
        raise NotDerivedError(f"{after.span.of(text)!r} may also belong to the possessive")
