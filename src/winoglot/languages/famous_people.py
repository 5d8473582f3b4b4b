"""Famous people, known by one word (*Newton*), by a full name (*Victor Hugo*) or with a number (*Louis XIV*)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from winoglot.languages.name_spans import bearers_in
from winoglot.languages.name_words import runs_in
from winoglot.languages.names import famous_full_names, famous_names
from winoglot.schemas.text import straight

_NUMBER = re.compile(r"I{1,3}|IV|VI{0,3}|IX|X{1,2}(?:I{1,3}|IV|VI{0,3}|IX)?")


def famous_in(text: str, language: str) -> dict[str, str]:
    """The names in the text, and in others that belong to it, that refer to famous people, each with the full name.

    >>> famous_in("Victor Hugo a vu Paul. Hugo riait.", "fr")
    {'Victor': 'Victor Hugo', 'Hugo': 'Victor Hugo'}
    """
    found = {name: name for name in bearers_in(text, language, famous_names())}
    for run in runs_in(text, language):
        if any(_NUMBER.fullmatch(word.text) for word in run[1:]):
            found[run[0].name] = " ".join(word.text for word in run)
    for match in _full_names().finditer(unicodedata.normalize("NFC", straight(text))):
        whole = match.group()
        found |= {word: whole for word in whole.split() if len(word) > 1 and word.isalpha() and word[0].isupper()}
    return found


@cache
def _full_names() -> re.Pattern[str]:
    longest_first = sorted(famous_full_names(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
