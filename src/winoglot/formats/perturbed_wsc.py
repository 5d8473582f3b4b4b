"""Perturbed WSC: tab-separated with a header; an original a row, each of its perturbations in a column of its own.

`-` marks what is missing. A text's pronoun is named in one column and counted out, in words from 0, in another; where
another word stands at that place, the nearest occurrence of the named pronoun is taken and reported.

The texts come as tokens: `violence .` for `violence.`. A blank before a closing mark and one after an opening bracket
can only come from that, so they are taken out, and runs of blanks become one. Quotation marks and everything else stay
as they are: whether a lone mark opens or closes, its tokens do not say.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats._rows import Row, RowVariant, build_collection
from winoglot.schemas.mentions import whole_words
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection
    from winoglot.schemas.spans import Span

SUFFIXES = (".tsv",)
LANGUAGE = "en"
_MISSING = ("-", "")
_REQUIRED = ("text_original", "pron", "pron_index", "answer_a", "answer_b", "correct_answer")
_TAGS = ("associative", "switchable")
_CLOSING = re.compile(r"[.,;:!?)\]]+")


@dataclass(frozen=True)
class _Columns:
    """Where a kind has its text and its pronoun, and the ending of its own answers' columns, where it has them."""

    text: str
    index: str
    pronoun: str = "pron"
    answers: str = ""


_ORIGINAL = _Columns("text_original", "pron_index")
_KINDS = {
    "tense": _Columns("text_tense", "pron_index_tense"),
    "number": _Columns("text_number", "pron_index_number", "pron_number", "_number"),
    "gender": _Columns("text_gender", "pron_index_gender", "pron_gender", "_gender"),
    "voice": _Columns("text_voice", "pron_index_voice"),
    "relative": _Columns("text_rel_clause", "pron_index_rel"),
    "adverb": _Columns("text_adverb", "pron_index_adverb"),
    "synonym": _Columns("text_syn", "pron_index_syn", answers="_syn"),
    "random-context": _Columns("text_random_context", "pron_index_context"),
    "scrambled": _Columns("text_scrambled", "pron_index_scrambled"),
    "freqnoun": _Columns("text_freqnoun", "pron_index_freqnoun"),
}


def sniff(head: str) -> bool:
    """A header that names the original's columns and at least one perturbation's."""
    names = _header(head.partition("\n")[0])
    return set(_REQUIRED) <= set(names) and any(columns.text in names for columns in _KINDS.values())


def read(file: InputFile) -> Collection:
    """Read the originals, two a schema, each with its variants."""
    lines = file.text.split("\n")
    names = _header(lines[0])
    absent = [name for name in _REQUIRED if name not in names]
    if absent:
        raise InputError(
            f"the header has no column {', '.join(map(repr, absent))}",
            remedy="Give the table with its first line, whose cells are the columns' names; or is it another format?",
            file=file.label,
            line=1,
        )
    rows: list[Row] = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.rstrip("\r").split("\t")
        if not line.strip():
            continue
        if len(cells) != len(names):
            file.skipped(number, "row", f"it has {len(cells)} columns instead of {len(names)}")
            continue
        row = _original(number, dict(zip(names, map(str.strip, cells), strict=True)), file)
        if row is not None:
            rows.append(row)
    return build_collection(rows, file, LANGUAGE)


def _header(line: str) -> list[str]:
    return [name.strip() for name in line.split("\t")]


def _original(line: int, cells: dict[str, str], file: InputFile) -> Row | None:
    source_id = str(line - 1)
    name = f"row {source_id}"
    answer = _answer(cells["correct_answer"])
    if answer is None and cells["correct_answer"] not in _MISSING:
        why = f"its correct answer is {cells['correct_answer']!r}, neither A nor B; kept unlabelled"
        file.repaired(line, name, why)
    row = _row(line, source_id, cells, _ORIGINAL, name, answer, file)
    if row is None:
        return None
    for tag in _TAGS:
        if cells.get(tag, "") not in ("0", "1", *_MISSING):
            file.repaired(line, name, f"its {tag!r} is {cells[tag]!r}, neither 0 nor 1; taken as 0")
    word = cells.get("discrim_word", "")
    if word not in _MISSING and _segment_term(word, row.text or "") is None:
        file.repaired(line, name, f"its discriminating word {word!r} is not in its text; left out")
    variants = []
    for kind, columns in _KINDS.items():
        if cells.get(columns.text, "") not in _MISSING:
            variant = _row(line, source_id, cells, columns, f"{kind} of {name}", answer, file)
            if variant is not None:
                variants.append(RowVariant(kind, "keeps", variant))
    return Row(
        line=line,
        source_id=source_id,
        candidates=row.candidates,
        answer=answer,
        text=row.text,
        pronoun=row.pronoun,
        segment_term=_segment_term(cells.get("discrim_word", ""), row.text or ""),
        tags=row.tags,
        group=None if cells.get("pair_number", "") in _MISSING else cells["pair_number"],
        variants=tuple(variants),
    )


def _row(
    line: int,
    source_id: str,
    cells: dict[str, str],
    columns: _Columns,
    name: str,
    answer: int | None,
    file: InputFile,
) -> Row | None:
    """One text of a row of the table with its pronoun; candidates of its own, or the original's."""
    text, starts = detokenise(cells[columns.text])
    named = cells.get(columns.pronoun, "")
    pronoun = _find_pronoun(text, starts, named, cells.get(columns.index, ""), name, line, file)
    if pronoun is None:
        file.skipped(line, name, f"its pronoun {named!r} does not occur in its text")
        return None
    own = [cells.get(f"answer_{letter}{columns.answers}", "") for letter in "ab"]
    missing = [text in _MISSING for text in own]
    candidates = [cells["answer_a"], cells["answer_b"]] if all(missing) else own
    if any(candidate in _MISSING for candidate in candidates):
        file.skipped(line, name, "one of its two answers is missing")
        return None
    return Row(
        line=line,
        source_id=source_id,
        candidates=tuple(candidates),
        answer=answer,
        text=text,
        pronoun=pronoun,
        tags=tuple(tag for tag in _TAGS if cells.get(tag) == "1"),
    )


def detokenise(tokens: str) -> tuple[str, list[int]]:
    """The text that the tokens make up, and where each token begins in it.

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


def _find_pronoun(
    text: str, starts: list[int], named: str, index: str, name: str, line: int, file: InputFile
) -> Span | None:
    """The occurrence of the named pronoun, as a whole word, nearest to the word that the index counts out."""
    if named in _MISSING:
        return None
    places = {bisect_right(starts, span.start) - 1: span for span in whole_words(text, named)}
    if not places:
        return None
    counted = int(index) if re.fullmatch(r"[0-9]{1,6}", index) else None
    if counted is None and len(places) > 1:
        file.repaired(line, name, f"which of {len(places)} times {named!r} is meant is not said; the last one is taken")
    if counted is None:
        return places[max(places)]
    place = min(places, key=lambda number: abs(number - counted))
    if place != counted:
        file.repaired(line, name, f"word {counted} is not its pronoun {named!r}; the nearest is word {place}")
    return places[place]


def _answer(cell: str) -> int | None:
    """0 for `A`, 1 for `B`, whatever dots and blanks stand around it."""
    letter = cell.strip(" .").upper()
    return "AB".index(letter) if letter in ("A", "B") else None


def _segment_term(word: str, text: str) -> str | None:
    return word if word not in _MISSING and folded(word) in folded(text) else None
