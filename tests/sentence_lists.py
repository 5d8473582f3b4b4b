"""The sentences of `tests/languages/sentences` as items, each with the readings that a grammarian expects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import yaml

from winoglot import Candidate, Item, Reading
from winoglot.languages.base import function_words
from winoglot.languages.readings import grammatical_readings
from winoglot.schemas.documents import LOADER
from winoglot.schemas.markup import parse
from winoglot.schemas.mentions import find_mentions, resolve_mention

FOLDER = Path(__file__).parent / "languages" / "sentences"
_DEFAULTS = {"pt": "pt-BR", "zh": "zh-CN"}


@dataclass(frozen=True)
class Sentence:
    """An item, its language, and one expected reading a candidate; None stands for "not derived"."""

    name: str
    covers: str
    item: Item
    language: str
    expected: tuple[str | None, ...]

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """What the rules make of it."""
        return tuple(grammatical_readings(self.item, self.language))

    def derived(self) -> tuple[str | None, ...]:
        """The texts of its readings."""
        return tuple(reading.text if reading.derived else None for reading in self.readings)

    def reasons(self) -> tuple[str, ...]:
        """Why, or by which rule."""
        return tuple(reading.reason or reading.rule for reading in self.readings)


def names() -> list[str]:
    """The names of the lists: `pt`, `pt_unseen`."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


@cache
def sentences(name: str) -> list[Sentence]:
    """All sentences of a list."""
    entries = yaml.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), Loader=LOADER)
    return [sentence(name, number, entry) for number, entry in enumerate(entries, 1)]


def sentence(name: str, number: int, entry: dict[str, object]) -> Sentence:
    """One entry of a list; the name says which language."""
    code = name.partition("_")[0]
    language = str(entry.get("language", _DEFAULTS.get(code, code)))
    marked = parse(str(entry["text"])).alternative(0)
    pronoun = marked.braces[0]
    given = entry.get("mentions") or []
    candidates = []
    for index, text in enumerate(map(str, entry["candidates"])):
        if index < len(given) and given[index] is not None:
            mentions = [resolve_mention(marked.text, mention) for mention in given[index]]
        else:
            mentions = find_mentions(marked.text, text, function_words(language), pronoun)
        candidates.append(Candidate(text, mentions=tuple(mentions)))
    item = Item(f"s{number}.0", f"s{number}", text=marked.text, pronoun=pronoun, candidates=tuple(candidates))
    expected = tuple(None if reading is None else str(reading) for reading in entry["readings"])
    return Sentence(f"{name}-{number}", str(entry.get("covers", "")), item, language, expected)
