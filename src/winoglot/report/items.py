"""Every example of a report as data for the page's script: what was asked, and what each solver did.

Of a schema item also the marks in its text, and its readings.
"""

from __future__ import annotations

import base64
import itertools
import json
import math
import zlib
from html import escape
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.examples import Outcome
from winoglot.languages.readings import compared_readings, readings
from winoglot.metrics.subsets import WINDOWS, subset_names
from winoglot.report.rendering import said, shortened
from winoglot.report.solvers import STYLES
from winoglot.schemas.marks import mark_item, mark_reading
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from winoglot.examples import Example
    from winoglot.report.columns import Column
    from winoglot.report.summary import RunSummary, Summary
    from winoglot.runs.run import Run
    from winoglot.schemas.model import Item, Reading

    Rank = Callable[[list[list[tuple[int | None, int | None]]]], float | None]

PRONOUN, SEGMENT, FIRST_CANDIDATE = 1, 2, 4  # bits of a piece's marks; the next candidates have the next bits
_ABSTAINED, _NOT_ASKED = -1, -2
MOST_PREDICTIONS = 50_000  # beyond it, texts would make the page too large
_MOST_CHARACTERS = 2_000_000  # of the packed data, beyond which texts are left out too
_LONGEST_NAME = 60  # letters of a solver's name with its settings
_EXAMPLES = (0, 1 / 3, 2 / 3, 1)  # places in the leaderboard of the solvers of an example


def packed(data: object) -> str:
    """JSON, compressed, as text that cannot end the element it is in, whatever a schema's text contains."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


def packed_items(summary: Summary) -> str:
    """The items as the page holds them; without their texts if there are too many."""
    predictions = sum(len(run.run.predictions) for run in summary.runs)
    if predictions <= MOST_PREDICTIONS:
        data = packed(items_data(summary))
        if len(data) <= _MOST_CHARACTERS:
            return data
    return packed(items_data(summary, has_texts=False) | {"left": said("texts_left_out", predictions)})


def items_data(summary: Summary, *, has_texts: bool = True) -> dict[str, Any]:
    """Everything there is to browse. Keys are short and repeated texts numbered, as there may be thousands of items.

    The answers of a run are lists in the order of its column's items: choices, and scores if there are any. Without
    texts, an item has only its id, schema, kind, number of options, answer and tags.
    """
    numbers = {solver: number for number, solver in enumerate(summary.solvers)}
    notes: dict[str, int] = {}
    tags: dict[str, int] = {}
    entries: list[dict[str, Any]] = []
    for place, column in enumerate(summary.columns):
        styles = _styles(summary, column)
        schemas = column.source.schemas if isinstance(column.source, Collection) else ()
        explained = {schema.id: schema.explanation for schema in schemas}
        for example in (*column.examples, *column.variants):
            names = sorted(name for name in subset_names(Outcome(example, None)) if not name.startswith("not "))
            entry: dict[str, Any] = {
                "c": place,
                "i": example.id,
                "g": example.cluster,
                "k": example.kind,
                "a": example.answer,
                "s": [tags.setdefault(name, len(tags)) for name in names],
            }
            if example.parallel_id != example.id:
                entry["p"] = example.parallel_id
            item = column.items.get(example.id)
            if has_texts:
                text = example.features.get("text", "")
                entry["t"] = pieces(item) if item else [text, 0] if text else []
                entry["n"] = [candidate.text for candidate in item.candidates] if item else example.options
            if has_texts and item:
                entry["r"] = _readings(item, column.source.language, styles)
                extras = (("q", item.question), ("w", explained.get(item.schema_id)))
                entry |= {key: text for key, text in extras if text}
            entries.append(entry)
    return {
        "columns": [
            {"key": column.key, "label": column.label, "lang": column.source.language, "unit": column.unit}
            for column in summary.columns
        ],
        "solvers": [
            {"label": shortened(summary.brief(solver), _LONGEST_NAME), "role": solver.role}
            for solver in summary.solvers
        ],
        "runs": [
            _answers(run, summary.columns.index(run.column), numbers[run.solver], notes, has_scores=has_texts)
            for run in summary.runs
        ],
        "notes": list(notes),
        "tags": list(tags),
        "items": entries,
    }


def pieces(item: Item) -> list[str | int]:
    """The text cut where a mark begins or ends: pieces and their marks, alternating.

    It is cut here and not in the browser, which counts characters differently.

    >>> import winoglot as wg
    >>> pieces(wg.load("winoglot-en").schema("piano-sale").items[0])[:4]
    ['Layla', 4, ' sold her piano to ', 0]
    """
    text = item.text
    if text is None or item.pronoun is None:
        return []
    marked = [(item.pronoun, PRONOUN), *((place, SEGMENT) for place in item.segment)]
    for index, candidate in enumerate(item.candidates):
        marked += [(mention, FIRST_CANDIDATE << index) for mention in candidate.mentions]
    cuts = sorted({0, len(text), *(cut for span, _ in marked for cut in (span.start, span.end))})
    if item.pronoun.start == item.pronoun.end:  # not spoken, but it has its place
        cuts = sorted([*cuts, item.pronoun.start])
    parts: list[str | int] = []
    for start, end in itertools.pairwise(cuts):
        bits = 0 if start < end else PRONOUN
        for span, bit in marked if start < end else ():
            bits |= bit if span.start <= start and end <= span.end else 0
        parts += [text[start:end], bits]
    return parts


def schema_example(summary: Summary) -> Mapping[str, Any] | None:
    """A schema with both answers, and what some solvers chose: one on which they disagree, in English if possible."""
    columns = sorted(summary.columns, key=lambda column: column.source.language.partition("-")[0] != "en")
    places = [place.solver for place in (*summary.ranking.places, *summary.ranking.others)] or [*summary.solvers]
    for column in columns:
        runs = [run for solver in places if (run := summary.cells.get((solver, column.key))) is not None]
        shown = [runs[at] for at in sorted({round(share * (len(runs) - 1)) for share in _EXAMPLES})] if runs else []
        named = [(summary.main_name(run.solver), run.run) for run in shown]
        example = twin_example(named, lambda answers: -len(set(map(count_right, answers))))
        if example:
            options = () if column.items else column.examples[0].options
            address = f"{column.key}/{example['first']}"
            return {**example, "address": address, "label": column.label, "unit": column.unit, "options": options}
    return None


def twin_example(runs: Sequence[tuple[str, Run]], rank: Rank) -> dict[str, Any] | None:
    """Two examples with different answers that differ in a few words, and what these solvers chose."""
    clusters: dict[str, list[Example]] = {}
    for example in (outcome.example for outcome in (runs[0][1].outcomes() if runs else ())):
        if example.answer is not None and _as_html(example):
            clusters.setdefault(example.cluster, []).append(example)
    twins = [(pair[0], pair[1]) for pair in clusters.values() if len(pair) == 2 and pair[0].answer != pair[1].answer]
    shown = chosen_example(runs, twins, rank)
    return shown and {**shown, "id": shown["cluster"], "number": len(clusters)}


def chosen_example(
    runs: Sequence[tuple[str, Run]], pairs: Sequence[tuple[Example, Example]], rank: Rank
) -> dict[str, Any] | None:
    """The pair with the lowest rank, and the shortest of those, with what these solvers chose; None if there is none.

    A rank is given each solver's choices with the right answers; a pair without one is left out.
    """
    choices = [{prediction.item_id: prediction.choice for prediction in run.predictions} for _, run in runs]
    ranked: list[tuple[Any, ...]] = []
    for pair in pairs:
        if all(_as_html(example) and example.id in chosen for chosen in choices for example in pair):
            answers = [[(chosen[example.id], example.answer) for example in pair] for chosen in choices]
            length = max(len(example.features.get("text") or "") for example in pair)
            if (place := rank(answers)) is not None:
                ranked.append((place, length, len(ranked), pair, answers))
    if not ranked:
        return None
    _, _, _, pair, answers = min(ranked)
    return {
        "id": pair[0].id,
        "cluster": pair[0].cluster,
        "first": pair[0].id,
        "tag": runs[0][1].source.language,
        "items": [(_as_html(example), example.answer) for example in pair],
        "solvers": [(name, answered) for (name, _), answered in zip(runs, answers, strict=True)],
    }


def count_right(answered: Sequence[tuple[int | None, int | None]]) -> int:
    """How many of some choices are the right answers."""
    return sum(chosen == answer for chosen, answer in answered)


def _as_html(example: Example) -> str:
    """A schema item with its marks, or a premise with its hypothesis; empty if there is nothing to show."""
    item = example.features.get("item")
    if item is not None:
        return mark_item(item) if pieces(item) else ""
    premise, arrow, hypothesis = str(example.features.get("text", "")).rpartition(" ⇒ ")
    return f"{escape(premise)}<br>⇒ <b>{escape(hypothesis)}</b>" if arrow else ""


def reading_example(summary: Summary) -> Mapping[str, Any] | None:
    """An item whose grammatical reading differs from the naive one, for the page to explain the two with."""
    for column in summary.columns:
        if len(_styles(summary, column)) < 2 or column.source.language.partition("-")[0] == "en":
            continue
        for example in column.examples:
            item = column.items.get(example.id)
            if item is None or item.answer is None or item.pronoun is None or item.text is None:
                continue
            grammatical, naive = (
                readings(item, style, language=column.source.language)[item.answer] for style in STYLES
            )
            if grammatical.derived and (grammatical.before, grammatical.inserted) != (naive.before, naive.inserted):
                texts = [mark_item(item), mark_reading(naive), mark_reading(grammatical)]
                return {"tag": column.source.language, "texts": texts}
    return None


def _styles(summary: Summary, column: Column) -> list[str]:
    used = {run.settings.readings for run in summary.of(column)}
    return [style for style in STYLES if style in used] or ["naive"]


def _answers(run: RunSummary, column: int, solver: int, notes: dict[str, int], *, has_scores: bool) -> dict[str, Any]:
    """The run's choices and scores, in the order of the column's items, and the numbers of its notes by place."""
    by_id = {prediction.item_id: prediction for prediction in run.run.predictions}
    predictions = [by_id.get(example.id) for example in (*run.column.examples, *run.column.variants)]
    scores = [
        [_score(score) for score in prediction.scores] or None if prediction else None for prediction in predictions
    ]
    windows = WINDOWS if run.settings.scoring == "partial" else {}
    note_at: dict[int, int] = {}
    for place, prediction in enumerate(predictions):
        if prediction is not None:
            remarks = (
                prediction.note,
                "not every reading derived" * prediction.fallback,
                windows.get(prediction.window),
            )
            if note := "; ".join(filter(None, remarks)):
                note_at[place] = notes.setdefault(note, len(notes))
    return {
        "c": column,
        "s": solver,
        "style": run.settings.readings,
        "o": [
            _NOT_ASKED if prediction is None else _ABSTAINED if prediction.choice is None else prediction.choice
            for prediction in predictions
        ],
        **({"v": scores} if has_scores and any(scores) else {}),
        "m": note_at,
    }


def _score(score: float | None) -> float | str | None:
    if score is None or math.isnan(score):
        return None
    return round(score, 2) if math.isfinite(score) else f"{'−' if score < 0 else ''}∞"


def _readings(item: Item, language: str, styles: Sequence[str]) -> list[list[Any]]:
    """For each style its name and its readings; styles with the same readings are merged."""
    by_style: list[list[Any]] = []
    for style in styles:
        try:
            texts = [_reading(item, reading) for reading in compared_readings(item, style, language)]
        except InputError:  # the language has no grammar here: naive readings are all there is
            continue
        if by_style and by_style[-1][1] == texts:
            by_style[-1][0] += f" and {style}"
        else:
            by_style.append([style, texts])
    return by_style


def _reading(item: Item, reading: Reading) -> list[Any]:
    """Before, insertion, after, and what is to be said of it; 0 means the same as in the item's text."""
    before: str | int = reading.before
    after: str | int = reading.after
    if item.text is not None and item.pronoun is not None:
        before = 0 if before == item.text[: item.pronoun.start] else before
        after = 0 if after == item.text[item.pronoun.end :] else after
    row = [before, reading.inserted, after]
    return [*row, reading.note] if reading.note else row
