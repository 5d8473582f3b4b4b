"""Which item a text elsewhere is: by its letters, so that blanks, capitals and kinds of apostrophe do not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.base import function_words
from winoglot.languages.readings import readings
from winoglot.schemas.model import BLANKS
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.schemas.model import Item

_ENDING = 16  # letters by which texts are found that something stands before: examples, an instruction
Place = tuple[str, int]  # an item's id, and a candidate's index


def letters(text: str) -> str:
    """The text without blanks and capitals.

    >>> letters("Rita ’s  HERE .")
    "rita'shere."
    """
    return "".join(folded(normalize("NFC", text)).casefold().split())


class TextIndex:
    """The readings and texts of items, to be looked up. Items that read alike are given out in turn."""

    def __init__(self, items: Iterable[Item]) -> None:
        """Take in the naive and the grammatical readings, and the texts with their pronoun or a blank."""
        self.items: dict[str, Item] = {}
        self._readings: dict[str, dict[Place, None]] = {}  # the last are sets that keep their order
        self._texts: dict[str, dict[str, None]] = {}
        self._endings: dict[str, list[str]] = {}
        self._given: set[str] = set()
        for item in items:
            self.items[item.id] = item
            for style in ("naive", "grammatical"):
                for reading in readings(item, style, language=item.language or "und"):
                    self._readings.setdefault(letters(reading.text), {})[item.id, reading.candidate] = None
            if item.text is not None and item.pronoun is not None:
                before, after = item.text[: item.pronoun.start], item.text[item.pronoun.end :]
                for text in (item.text, *(before + blank + after for blank in BLANKS)):
                    self._texts.setdefault(letters(text), {})[item.id] = None
        for key in self._readings:
            self._endings.setdefault(key[-_ENDING:], []).append(key)

    def by_readings(self, texts: Sequence[str]) -> tuple[Item, list[int]] | None:
        """The item that has all these texts as its readings, and which candidate each of them has."""
        places = [self._places(letters(text)) for text in texts]
        for item_id in self._in_turn(dict.fromkeys(item_id for item_id, _ in places[0]) if places else ()):
            order = [[index for place, index in found if place == item_id] for found in places]
            if all(len(found) == 1 for found in order):
                indices = [found[0] for found in order]
                if sorted(indices) == list(range(self.items[item_id].candidate_count)):
                    return self._give(item_id), indices
        return None

    def by_text(self, texts: Iterable[str], choices: Sequence[str]) -> tuple[Item, list[int]] | None:
        """The item that has one of these texts, with its pronoun or a blank, and these choices as its candidates."""
        found = dict.fromkeys(item_id for text in texts for item_id in self._texts.get(letters(text), ()))
        for item_id in self._in_turn(found):
            item = self.items[item_id]
            plain = function_words(item.language).without_determiner
            names = [letters(plain(candidate.text)) for candidate in item.candidates]
            chosen = [letters(plain(choice.strip())) for choice in choices]
            if len(set(names)) == len(names) and sorted(names) == sorted(chosen):
                return self._give(item_id), [names.index(choice) for choice in chosen]
        return None

    def _places(self, text: str) -> list[Place]:
        """Those of the text itself or, where there are none, of the longest reading that it ends with."""
        if text in self._readings:
            return list(self._readings[text])
        endings = [key for key in self._endings.get(text[-_ENDING:], ()) if text.endswith(key)]
        return list(self._readings[max(endings, key=len)]) if endings else []

    def _in_turn(self, item_ids: Iterable[str]) -> list[str]:
        """Those first that were not given out yet."""
        return sorted(item_ids, key=self._given.__contains__)

    def _give(self, item_id: str) -> Item:
        self._given.add(item_id)
        return self.items[item_id]
