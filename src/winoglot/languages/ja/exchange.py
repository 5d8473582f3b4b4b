"""Which candidates cannot be exchanged: those whose counter, honorific or plural ending would stay with the wrong noun.

一本の木 and 一台の車 have their own counters, 林さん and 森先生 their own titles. They can be exchanged where both have
the same, or where the candidates are cited with them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.ja.referent import PLURAL_ENDING, title_after
from winoglot.languages.lexicon import lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.slots import Slot
    from winoglot.languages.substitution import Phrase

_COUNTER = re.compile(r"(?:[0-9０-９]+|[一二三四五六七八九十百千数何]+)([^\sの、。はがを]{1,2})の$")
_KANJI = re.compile(r"[\u3005\u3400-\u9fff]{2}")


def check_exchange(text: str, slots: Sequence[Sequence[Slot]], _phrases: Sequence[Phrase]) -> None:
    """Raise NotDerivedError if what stands beside the mentions fits only one of the candidates."""
    for what, read in (("counter", _counter), ("title or ending", _title_and_ending)):
        first, second = ({read(text, slot) for slot in candidate_slots} for candidate_slots in slots)
        if first != second:
            differing = ", ".join(sorted((first ^ second) - {""}))
            raise NotDerivedError(f"only one of the candidates has this {what} in the text: {differing}")


def _counter(text: str, slot: Slot) -> str:
    """The counter before a mention: 本 of 一本の木; empty if there is none."""
    counter = _COUNTER.search(text[: slot.noun.start])
    return counter.group(1) if counter else ""


def _title_and_ending(text: str, slot: Slot) -> str:
    """The title and plural ending after a mention; a word of which the mention is only the first part is refused."""
    noun, following = slot.noun.of(text), text[slot.noun.end :]
    title = title_after(noun, following)
    ending = PLURAL_ENDING.match(following, len(title))
    adnominal = tuple(lexicon("ja", "function_words").words("adnominal"))
    if not title and _KANJI.match(noun[-1] + following[:1]) and not following.startswith(adnominal) and not ending:
        raise NotDerivedError(f"{noun} is only the first part of a longer word there")
    return title + (ending.group() if ending else "")
