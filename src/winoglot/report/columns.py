"""The collections of a report, one column each: runs are shown side by side only if they saw the same examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.examples import Example, ExampleSource, all_examples, examples_of
from winoglot.metrics.base import guessing
from winoglot.perturb.renamed.draws import is_draw
from winoglot.schemas.model import Collection, Item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.runs.run import Run

_VERSIONS = ("{0.name}@{0.version}", "{0.name}@{0.version} sha:{0.hash:.8}")
_LANGUAGES = Path(__file__).parent / "languages.txt"


@dataclass(frozen=True)
class Column:
    """The examples of a source as the runs of a report saw them, with what guessing would give."""

    key: str  # part of the address of its examples
    label: str
    source: ExampleSource  # of the run that saw the most examples
    examples: tuple[Example, ...]  # the originals that some run has
    variants: tuple[Example, ...]
    items: Mapping[str, Item]  # by id, the schema items that the examples are; none if they are something else
    is_language: bool = False  # whether the label is the name of its language

    @property
    def unit(self) -> str:
        """What a cluster of its examples is called."""
        return self.examples[0].unit if self.examples else "schema"

    @property
    def contrasts(self) -> str:
        """What clusters with different answers are called; items of a schema are meant to have different ones."""
        return "schemas" if self.items else f"{self.unit}s with different answers"

    @property
    def short(self) -> str:
        """What a narrow table calls it."""
        return self.source.language.partition("-")[0] if self.is_language else self.label

    @cached_property
    def chance(self) -> float | None:
        """The accuracy of guessing."""
        return guessing(self.examples)

    def of_kind(self, kind: str | None) -> tuple[Example, ...]:
        """The originals or, if a kind is named, the variants of that kind."""
        return self.examples if kind is None else tuple(variant for variant in self.variants if variant.kind == kind)


def columns(runs: Sequence[Run]) -> tuple[tuple[Column, ...], list[int]]:
    """The columns, in the order of the runs, and for each run the number of its column.

    Each version is a column of its own, and so is a collection of the same name and version whose examples differ.
    """
    # For each column, what its runs have in common, and what their examples are, by id.
    contents: list[dict[str, object]] = []
    groups: list[list[Run]] = []
    places = []
    for run in runs:
        source = run.source
        about: dict[str, object] = {"": (type(source), source.name, source.language, source.version)}
        about |= {example.id: (example.hash, example.options, example.answer) for example in examples_of(source)}
        matching = (
            at for at, old in enumerate(contents) if all(old.get(key, new) == new for key, new in about.items())
        )
        place = next(matching, len(groups))
        if place == len(groups):
            contents.append({})
            groups.append([])
        contents[place] |= about
        groups[place].append(run)
        places.append(place)
    sources = [group[0].source for group in groups]
    by_language = ["{language}"] * all(isinstance(source, Collection) for source in sources)
    labels = _distinct(sources, (*by_language, "{0.name}", "{0.name} ({0.language})", *_VERSIONS))
    keys = _distinct(sources, ("{0.name}", *_VERSIONS))
    are_languages = labels == [_language(source) for source in sources]
    shown = [_column(key, label, group, are_languages) for key, label, group in zip(keys, labels, groups, strict=True)]
    return tuple(shown), places


def language_name(tag: str) -> str:
    """The language of a BCP 47 tag in English, with its region; the tag itself if it is a rare one.

    >>> language_name("pt-BR"), language_name("zh"), language_name("xx")
    ('Portuguese (pt-BR)', 'Chinese', 'xx')
    """
    primary = tag.partition("-")[0]
    name = _language_names().get(primary)
    if name is None:
        return tag
    return name if primary == tag else f"{name} ({tag})"


@cache
def _language_names() -> dict[str, str]:
    lines = _LANGUAGES.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def _column(key: str, label: str, runs: Sequence[Run], is_language: bool) -> Column:
    largest = max(runs, key=lambda run: len(examples_of(run.source)))
    seen = {prediction.item_id for run in runs for prediction in run.predictions}
    examples: dict[str, Example] = {}
    items: dict[str, Item] = {}
    for source in (largest.source, *(run.source for run in runs)):
        examples |= {example.id: example for example in all_examples(source) if example.id in seen}
        if isinstance(source, Collection):
            items |= {item.id: item for item in (*source.items, *source.variants())}
    originals = tuple(example for example in examples.values() if example.variant_of is None)
    variants = tuple(
        example for example in examples.values() if example.variant_of is not None and not is_draw(example.kind)
    )
    return Column(key, label, largest.source, originals, variants, items, is_language)


def _distinct(sources: Sequence[ExampleSource], ways: Sequence[str]) -> list[str]:
    """What to call the sources: in the first of these ways that distinguishes them."""
    for way in ways:
        names = [way.format(source, language=_language(source)) for source in sources]
        if len(set(names)) == len(names):
            return names
    return [f"{name} ({place + 1})" for place, name in enumerate(names)]


def _language(source: ExampleSource) -> str:
    return language_name(source.language.partition("-")[0])
