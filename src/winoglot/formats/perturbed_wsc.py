"""Perturbed WSC: a table of originals and their perturbations.

Tab-separated with a header: one original per row, each of its perturbations in a column of its own.

`-` marks what is missing. One column names a text's pronoun, another gives its index, counting words from 0; if another
word is at that index, the nearest occurrence of the named pronoun is taken and reported.

The texts are tokens: `violence .` for `violence.`. A space before a closing mark or after an opening bracket can only
come from that, so it is removed, and runs of spaces become one. Quotation marks and everything else stay as they are:
the tokens do not say whether a lone mark opens or closes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.pronoun_choice import agreeing_pronouns
from winoglot.formats.importing.rows import SourceRow, SourceVariant, build_collection, letter_index
from winoglot.formats.importing.sources import ANOTHER_FORMAT, header_cells, named_cells, split_cells
from winoglot.schemas.mentions import whole_words
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection
    from winoglot.schemas.spans import Span

SUFFIXES = (".tsv",)
LANGUAGE = "en"
_MISSING = ("-", "")
_REQUIRED = ("text_original", "pron", "pron_index", "answer_a", "answer_b", "correct_answer")
_TAGS = ("associative", "switchable")
_CLOSING = re.compile(r"[.,;:!?)\]]+")


@dataclass(frozen=True)
class _KindColumns:
    """The columns of a kind's text and pronoun, and the ending of its own answers' columns if it has any."""

    text: str
    index: str
    pronoun: str = "pron"
    answers: str = ""


_ORIGINAL = _KindColumns("text_original", "pron_index")
_KINDS = {
    "tense": _KindColumns("text_tense", "pron_index_tense"),
    "number": _KindColumns("text_number", "pron_index_number", "pron_number", "_number"),
    "gender": _KindColumns("text_gender", "pron_index_gender", "pron_gender", "_gender"),
    "voice": _KindColumns("text_voice", "pron_index_voice"),
    "relative": _KindColumns("text_rel_clause", "pron_index_rel"),
    "adverb": _KindColumns("text_adverb", "pron_index_adverb"),
    "synonym": _KindColumns("text_syn", "pron_index_syn", answers="_syn"),
    "random-context": _KindColumns("text_random_context", "pron_index_context"),
    "scrambled": _KindColumns("text_scrambled", "pron_index_scrambled"),
    "freqnoun": _KindColumns("text_freqnoun", "pron_index_freqnoun"),
}


def sniff(head: str) -> bool:
    """A header that names the original's columns and those of at least one perturbation."""
    names = split_cells(head.partition("\n")[0])
    return set(_REQUIRED) <= set(names) and any(columns.text in names for columns in _KINDS.values())


def read(file: InputFile) -> Collection:
    """Read the originals, two per schema, each with its variants."""
    names = header_cells(file)
    missing = [name for name in _REQUIRED if name not in names]
    if missing:
        raise InputError(
            f"the header has no column {', '.join(map(repr, missing))}",
            remedy=f"The first line must name the columns. {ANOTHER_FORMAT}",
            file=file.label,
            line=1,
        )
    rows: list[SourceRow] = []
    for number, cells in named_cells(file):
        with file.skipping(number, f"row {number - 1}") as repaired:
            rows.append(_original(number, cells, file, repaired))
    return build_collection(rows, file, LANGUAGE)


def _original(line: int, cells: dict[str, str], file: InputFile, repaired: Repaired) -> SourceRow:
    answer = letter_index(cells["correct_answer"], 2)
    if answer is None and cells["correct_answer"] not in _MISSING:
        repaired(f"its correct answer: expected A or B, found {cells['correct_answer']!r}; kept without an answer")
    row = _row(line, cells, _ORIGINAL, answer, repaired)
    for tag in _TAGS:
        if cells.get(tag, "") not in ("0", "1", *_MISSING):
            repaired(f"its {tag!r}: expected 0 or 1, found {cells[tag]!r}; read as 0")
    word = cells.get("discrim_word", "")
    if word not in _MISSING and folded(word) not in folded(row.text or ""):
        repaired(f"its discriminating word {word!r} is not in its text; dropped")
        word = ""
    variants = []
    for kind, columns in _KINDS.items():
        if cells.get(columns.text, "") not in _MISSING:
            with file.skipping(line, f"{kind} of row {line - 1}") as repaired_in_variant:
                variant = _row(line, cells, columns, answer, repaired_in_variant)
                variants.append(SourceVariant(kind, "keeps", variant))
    return replace(
        row,
        segment_term=None if word in _MISSING else word,
        group=None if cells.get("pair_number", "") in _MISSING else cells["pair_number"],
        variants=tuple(variants),
    )


def _row(line: int, cells: dict[str, str], columns: _KindColumns, answer: int | None, repaired: Repaired) -> SourceRow:
    """One text of a row with its pronoun, and with its own candidates or the original's."""
    text, starts = detokenise(cells[columns.text])
    candidates = [cells.get(f"answer_{letter}{columns.answers}", "") for letter in "ab"]
    if all(candidate in _MISSING for candidate in candidates):
        candidates = [cells["answer_a"], cells["answer_b"]]
    if any(candidate in _MISSING for candidate in candidates):
        raise InputError("one of its two answers is missing")
    pronoun_text = cells.get(columns.pronoun, "")
    places = {bisect_right(starts, span.start) - 1: span for span in _occurrences(text, pronoun_text, candidates)}
    pronoun = places[_nearest(list(places), pronoun_text, cells.get(columns.index, ""), repaired)]
    tags = tuple(tag for tag in _TAGS if cells.get(tag) == "1")
    return SourceRow(line, str(line - 1), tuple(candidates), answer, text, pronoun, tags=tags)


def detokenise(tokens: str) -> tuple[str, list[int]]:
    """The text of the tokens, and where each token begins in it.

    >>> detokenise("Rain fell , so Ann ( and Bea ) left .")[0]
    'Rain fell, so Ann (and Bea) left.'
    """
    text = ""
    starts: list[int] = []
    for token in tokens.split():
        glued = not text or _CLOSING.fullmatch(token) or text.endswith(("(", "["))
        text += token if glued else f" {token}"
        starts.append(len(text) - len(token))
    return text, starts


def _occurrences(text: str, named: str, candidates: list[str]) -> list[Span]:
    """Where the named pronoun occurs as a whole word; of several, those that agree with both candidates, if any do."""
    spans = [] if named in _MISSING else whole_words(text, named)
    if not spans:
        raise InputError(f"its pronoun {named!r} does not occur in its text")
    agreeing = agreeing_pronouns(text, candidates, LANGUAGE) if len(spans) > 1 else []
    return [span for span in spans if span in agreeing] or spans


def _nearest(places: list[int], named: str, index: str, repaired: Repaired) -> int:
    """The place nearest to the index; without an index there must be only one."""
    if not re.fullmatch(r"[0-9]{1,6}", index):
        if len(places) > 1:
            raise InputError(f"no index says which of {len(places)} {named!r} is its pronoun")
        return places[0]
    nearest = min(places, key=lambda number: abs(number - int(index)))
    if nearest != int(index):
        repaired(f"word {int(index)} is not its pronoun {named!r}; the nearest is word {nearest}")
    return nearest
