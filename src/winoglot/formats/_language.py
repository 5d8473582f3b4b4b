"""Which language of a file is meant, and which one a text is in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.errors import InputError, ManyLanguagesError, nearest
from winoglot.languages.base import function_words
from winoglot.schemas.text import folded, primary

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile

LANGUAGES = ("pt-BR", "en")


def choose_language(languages: set[str], file: InputFile) -> str:
    """The language wanted of a file that holds these."""
    if not languages:
        raise InputError("no row says its language", remedy="Is the file in another format?", file=file.label)
    if file.language is None:
        if len(languages) == 1:
            return next(iter(languages))
        raise ManyLanguagesError(languages, file.label)
    matching = [language for language in languages if primary(language) == primary(file.language)]
    if not matching:
        raise InputError(
            f"the file has nothing in {file.language}", remedy=nearest(file.language, languages), file=file.label
        )
    return matching[0]


def language_of(text: str) -> str | None:
    """Portuguese or English, by the function words that only one of the two has; None where neither has more.

    >>> language_of("A bola caiu no lago porque ela era redonda."), language_of("It fell into the lake.")
    ('pt-BR', 'en')
    """
    known = {tag: function_words(tag) for tag in LANGUAGES}
    closed = {tag: w.determiners | w.possessives | w.pronouns | set(w.contractions) for tag, w in known.items()}
    shared = closed["pt-BR"] & closed["en"]
    words = [word for word in re.findall(r"\w+", folded(text)) if word not in shared]
    portuguese, english = (sum(word in closed[tag] for word in words) for tag in LANGUAGES)
    return None if portuguese == english else LANGUAGES[english > portuguese]
