"""Every example of a report as data for the page's script: what was asked, and what each solver did.

Of a schema item also the marks in its text, and its readings.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.examples import Outcome
from winoglot.languages.readings import readings
from winoglot.metrics.subsets import subset_names
from winoglot.report.columns import language_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.columns import Column
    from winoglot.report.summary import Summary
    from winoglot.schemas.model import Item, Reading

PRONOUN, SEGMENT, FIRST_CANDIDATE = 1, 2, 4  # bits of a piece's marks; the next candidates have the next bits
_STYLES = ("grammatical", "naive")
_ABSTAINED = -1
_WINDOWS = {
    "empty": "undefined window",
    "punctuation": "window of punctuation only",
    "segment before": "segment before the window",
}


def items_data(summary: Summary) -> dict[str, Any]:
    """Everything there is to browse. Keys are short and repeated texts numbered, as there may be thousands of items."""
    numbers = {solver: number for number, solver in enumerate(summary.solvers)}
    notes: dict[str, int] = {}
    tags: dict[str, int] = {}
    made: list[dict[str, Any]] = []
    for place, column in enumerate(summary.columns):
        styles = _styles(summary, column)
        answers = _answers(summary, column, numbers, notes)
        for example in (*column.examples, *column.variants):
            names = sorted(name for name in subset_names(Outcome(example, None)) if not name.startswith("not "))
            item = column.items.get(example.id)
            text = example.features.get("text", "")
            made.append(
                {
                    "c": place,
                    "i": example.id,
                    "k": example.kind,
                    "t": pieces(item) if item else [text, 0] if text else [],
                    "n": [candidate.text for candidate in item.candidates] if item else example.options,
                    "a": example.answer,
                    "s": [tags.setdefault(name, len(tags)) for name in names],
                    "r": _readings(item, column.source.language, styles) if item else [],
                    "o": answers.get(example.id, []),
                }
                | ({"q": item.question} if item and item.question else {})
            )
    languages = [column.source.language for column in summary.columns]
    return {
        "columns": [
            {"key": column.key, "label": column.label, "lang": tag, "language": language_name(tag)}
            for column, tag in zip(summary.columns, languages, strict=True)
        ],
        "solvers": list(summary.solvers),
        "notes": list(notes),
        "tags": list(tags),
        "items": made,
    }


def pieces(item: Item) -> list[str | int]:
    """The text cut where a mark begins or ends: pieces and their marks, alternating.

    It is cut here and not in the browser, which counts characters differently.

    >>> import winoglot as wg
    >>> pieces(wg.load("winoglot-en").schema("piano-sale").items[0])[:4]
    ['Dora', 4, ' sold her piano to ', 0]
    """
    text = item.text
    if text is None or item.pronoun is None:
        return []
    marked = [(item.pronoun, PRONOUN), *((place, SEGMENT) for place in item.segment)]
    for index, candidate in enumerate(item.candidates):
        marked += [(mention, FIRST_CANDIDATE << index) for mention in candidate.mentions]
    cuts = sorted({0, len(text), *(cut for span, _ in marked for cut in (span.start, span.end))})
    found: list[str | int] = []
    for start, end in itertools.pairwise(cuts):
        if item.pronoun.start == item.pronoun.end == start:  # not spoken, but it has its place
            found += ["", PRONOUN]
        bits = 0
        for span, bit in marked:
            bits |= bit if span.start <= start and end <= span.end else 0
        found += [text[start:end], bits]
    if item.pronoun.start == item.pronoun.end == len(text):
        found += ["", PRONOUN]
    return found


def _styles(summary: Summary, column: Column) -> list[str]:
    used = {one.run.settings.readings for one in summary.of(column)}
    return [style for style in _STYLES if style in used] or ["naive"]


def _answers(
    summary: Summary, column: Column, numbers: dict[str, int], notes: dict[str, int]
) -> dict[str, list[list[Any]]]:
    """By item id, for each solver: its number, choice, scores and the number of a note (none: nothing to note)."""
    found: dict[str, list[list[Any]]] = {}
    for one in summary.of(column):
        for made in one.run.predictions:
            choice = _ABSTAINED if made.choice is None else made.choice
            said = [made.note] if made.note else []
            said += ["fallback reading"] if made.fallback else []
            if one.has_window and made.window in _WINDOWS:
                said.append(_WINDOWS[made.window])
            row = [numbers[one.solver], choice, [_score(score) for score in made.scores]]
            found.setdefault(made.item_id, []).append(
                [*row, notes.setdefault("; ".join(said), len(notes))] if said else row
            )
    return found


def _score(score: float | None) -> float | str | None:
    if score is None or math.isnan(score):
        return None
    return round(score, 3) if math.isfinite(score) else f"{'−' if score < 0 else ''}∞"


def _readings(item: Item, language: str, styles: Sequence[str]) -> list[list[Any]]:
    """For each style its name and its readings; styles with the same readings are merged."""
    made: list[list[Any]] = []
    for style in styles:
        try:
            found = [_reading(item, one) for one in readings(item, style, language=language)]
        except InputError:  # the language has no grammar here: naive readings are all there is
            continue
        if made and made[-1][1] == found:
            made[-1][0] += f" and {style}"
        else:
            made.append([style, found])
    return made


def _reading(item: Item, reading: Reading) -> list[Any]:
    """Before, insertion, after, and why it is not derived; 0 means the same as in the item's text."""
    before: str | int = reading.before
    after: str | int = reading.after
    if item.text is not None and item.pronoun is not None:
        before = 0 if before == item.text[: item.pronoun.start] else before
        after = 0 if after == item.text[item.pronoun.end :] else after
    row = [before, reading.inserted, after]
    return row if reading.derived else [*row, reading.reason]
