"""Files of pairs as they come: our own, the published ones, and others with the same two or three columns."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from winoglot.errors import InputError, printable
from winoglot.files import parse_json
from winoglot.languages.frequencies import frequencies
from winoglot.languages.text import words
from winoglot.logic.pair import GOLD, LABELS, Pair, rows_of
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

LabelSet = Literal["cd", "nli"]
LANGUAGES = ("en", "pt", "fr", "zh")
_TEXTS = (("premise", "hypothesis"), ("sentence1", "sentence2"))
_REMEDY = "Write 1 for a contradiction and 0 otherwise, or contradiction, entailment, neutral."
_NO_GOLD = "-"  # the judges did not agree
_SHOWN = 6  # values of a column that an error lists
_PAIRS = 30  # enough to recognise the language
_UNKNOWN = -20.0  # a log-frequency below that of any listed word


@dataclass(frozen=True)
class PairFile:
    """The pairs of a file with the lines where they begin.

    What the file does not say is empty: `names`, formulas, `family` and `twin`; a depth of 0 is unknown. `labels` is
    the set of its labels, `three` their counts before three labels were turned into two. `unlabelled` pairs, whose
    gold label is "-", are left out.
    """

    path: Path
    pairs: tuple[Pair, ...]
    lines: tuple[int, ...]
    labels: LabelSet
    three: tuple[tuple[str, int], ...] = ()
    unlabelled: int = 0

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of the file, in order."""
        return tuple(dict.fromkeys(pair.task for pair in self.pairs))

    def classes(self) -> tuple[str, ...]:
        """All labels of its set, also those that never occur."""
        return tuple(sorted(LABELS[self.labels]))


def read_file(path: Path, language: str | None = None, *, as_cd: bool = False) -> PairFile:
    """Read a file with columns `premise`, `hypothesis`, `label` or `sentence1`, `sentence2`, `label`, and any others.

    In the place of `label`, SNLI and MNLI have `gold_label`.

    `as_cd` turns three labels into two: 1 for contradictions, 0 for entailments and neutral pairs.
    """
    all_rows = [(line, _with_label(row)) for line, row in rows_of(path)]
    rows = [(line, row) for line, row in all_rows if not (isinstance(row, dict) and row.get(GOLD) == _NO_GOLD)]
    unlabelled = len(all_rows) - len(rows)
    if not rows:
        raise InputError("the file contains no pairs", remedy="Give a file with at least one pair.", file=str(path))
    texts = _text_columns(rows[0][1], str(path))
    pairs = [_pair(line, row, texts, str(path)) for line, row in rows]
    lines = tuple(line for line, _ in rows)
    labels = _label_set(pairs, lines, str(path))
    guessed = language or (_language_of(pairs) if not all(pair.language for pair in pairs) else "")
    pairs = [replace(pair, language=language or pair.language or guessed) for pair in pairs]
    for pair, line in zip(pairs, lines, strict=True):
        if pair.language not in LANGUAGES:
            message = f"unknown language {pair.language!r}"
            raise InputError(message, remedy=f"Use one of {', '.join(LANGUAGES)}.", file=str(path), line=line)
    if labels == "cd" or not as_cd:
        return PairFile(path, tuple(pairs), lines, labels, unlabelled=unlabelled)
    counts = Counter(pair.label for pair in pairs)
    two = tuple(map(with_two_labels, pairs))
    three = tuple((label, counts[label]) for label in LABELS["nli"])
    return PairFile(path, two, lines, "cd", three, unlabelled)


def with_two_labels(pair: Pair) -> Pair:
    """The pair labelled 1 for a contradiction and 0 for the rest."""
    return pair if pair.label in LABELS["cd"] else replace(pair, label="1" if pair.label == "contradiction" else "0")


def _with_label(row: Any) -> Any:
    """The row with its gold label as label."""
    return {"label": row[GOLD]} | row if isinstance(row, dict) and GOLD in row else row


def _text_columns(row: Any, file: str) -> tuple[str, str]:
    columns = row if isinstance(row, dict) else {}
    for texts in _TEXTS:
        if all(name in columns for name in (*texts, "label")):
            return texts
    expected = " or ".join(", ".join((*texts, "label")) for texts in _TEXTS)
    found_columns = ", ".join(printable(str(name)) for name in columns) or "none"
    raise InputError(
        f"expected the columns {expected}; found: {found_columns}", remedy="Rename the columns.", file=file
    )


def _pair(line: int, row: Any, texts: tuple[str, str], file: str) -> Pair:
    if not isinstance(row, dict):
        raise InputError("not a JSON object", remedy="Write one JSON object per line: {…}.", file=file, line=line)
    for name in texts:
        if not isinstance(row.get(name), str) or not row[name].strip():
            message = f"{name}: expected text, found {row.get(name)!r}"
            raise InputError(message, remedy="Fill it in or remove the row.", file=file, line=line)
    label = row.get("label")
    if label is None or isinstance(label, bool | float | list | dict):
        raise InputError(f"unknown label {label!r}", remedy=_REMEDY, file=file, line=line)
    depth = row.get("depth") or 0
    if not str(depth).isdecimal():
        raise InputError(f"depth: expected a number, found {depth!r}", remedy="Correct it.", file=file, line=line)
    texts_and_origin = {name: str(row.get(name) or "") for name in ("language", "family", "twin", "proof")}
    return Pair(
        id=str(row.get("id") or line),
        task=str(row.get("task") or row.get("label_form") or ""),
        premise=row[texts[0]],
        hypothesis=row[texts[1]],
        label=str(label).strip().casefold(),
        depth=int(depth),
        formula_premise=str(row.get("formula_premise") or ""),
        formula_hypothesis=str(row.get("formula_hypothesis") or ""),
        names=_names(row.get("names")),
        **texts_and_origin,
    )


def _names(names: Any) -> dict[str, str]:
    """The names, given as an object or (in a table) as JSON; none if they are anything else."""
    if isinstance(names, str):
        try:
            names = parse_json(names)
        except ValueError:
            return {}
    if not isinstance(names, dict) or not all(isinstance(name, str) and name for name in names.values()):
        return {}
    return names if all(re.fullmatch("[pc][0-9]+", symbol) for symbol in names) else {}


def _label_set(pairs: Sequence[Pair], lines: Sequence[int], file: str) -> LabelSet:
    first_lines: dict[str, int] = {}
    for pair, line in zip(pairs, lines, strict=True):
        first_lines.setdefault(pair.label, line)
    sets: tuple[LabelSet, ...] = ("cd", "nli")
    for name in sets:
        if first_lines.keys() <= set(LABELS[name]):
            return name
    labels = next((LABELS[name] for name in sets if first_lines.keys() & set(LABELS[name])), LABELS["cd"])
    other = next(label for label in first_lines if label not in labels)
    values = ", ".join(printable(label) or "nothing" for label in list(first_lines)[:_SHOWN])
    more = ", …" if len(first_lines) > _SHOWN else ""
    is_mixed = all(any(label in LABELS[name] for name in sets) for label in first_lines)
    fault = "mixes labels of two sets" if is_mixed else "has unknown values"
    raise InputError(f"the column label {fault}: {values}{more}", remedy=_REMEDY, file=file, line=first_lines[other])


def _language_of(pairs: Sequence[Pair]) -> str:
    """The language in which the words of the first pairs are most frequent."""
    text = " ".join(f"{pair.premise} {pair.hypothesis}" for pair in pairs[:_PAIRS])
    if sum(map(is_unspaced, text)) > len(text) // 2:
        return "zh"
    return max((language for language in LANGUAGES if language != "zh"), key=lambda tag: _commonness(text, tag))


def _commonness(text: str, language: str) -> float:
    table = frequencies(language)
    log_frequencies = [table.log_frequency(word) for word in words(text, language) if word.isalpha()]
    return sum(_UNKNOWN if value is None else value for value in log_frequencies)
