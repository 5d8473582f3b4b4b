"""Perturbed WSC: a table of originals and their perturbations.

Tab-separated with a header: one original per row, each of its perturbations in a column of its own.

`-` marks what is missing. One column names a text's pronoun, another gives its index, counting words from 0; if another
word is at that index, the nearest occurrence of the named pronoun is taken and reported.

The texts are tokens: `violence .` for `violence.`. A space before a closing mark or after an opening bracket can only
come from that, so it is removed, and runs of spaces become one. Quotation marks and everything else stay as they are:
the tokens do not say whether a lone mark opens or closes.

In the published file the answers, the synonyms and most relative clauses are in lower case throughout. Capitals are
restored: at the start of sentences, in *I*, and in names, which the row's other texts, the word that a synonym
replaces, or the list of first names show.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.pronoun_choice import agreeing_pronouns
from winoglot.formats.importing.rows import SourceRow, SourceVariant, build_collection, letter_index
from winoglot.formats.importing.sources import ANOTHER_FORMAT, header_cells, named_cells, split_cells
from winoglot.languages.base import function_words
from winoglot.languages.names import is_also_word, is_name
from winoglot.schemas.mentions import whole_words
from winoglot.schemas.text import capital, counted, folded

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
_CONTROLS = ("random-context", "scrambled", "freqnoun")
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE_SENTENCE = re.compile(r"(?:^|\.)[\s\"“”'‘’]*$|[!?]\s*$")  # but not after: "Dibs!"


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
_ANSWERS = {f"answer_{letter}{kind.answers}": kind.pronoun for kind in (_ORIGINAL, *_KINDS.values()) for letter in "ab"}


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
    lines = list(named_cells(file))
    spellings = _spellings([cells for _, cells in lines])
    lower_case: Counter[str] = Counter()
    for number, cells in lines:
        with file.skipping(number, f"row {number - 1}") as repaired:
            lower_case.update(_restore_capitals(cells, spellings))
            rows.append(_original(number, cells, file, repaired))
    for column, count in lower_case.items():
        file.repaired(1, column, f"{counted(count, 'cell')} in lower case throughout; capitals restored")
    return build_collection(rows, file, LANGUAGE)


def _restore_capitals(cells: dict[str, str], spellings: dict[str, str]) -> list[str]:
    """Spell the row's texts and answers that are in lower case with capitals; the columns that have changed.

    `spellings` are those of names in the whole file.
    """
    original = cells[_ORIGINAL.text]
    spellings = spellings | _spellings([cells])
    restored = {}
    for kind in _KINDS.values():
        if _is_lower_case(cells.get(kind.text, ""), original):
            spellings |= _names_replaced(original, cells[kind.text])
            restored[kind.text] = _with_capitals(cells[kind.text], spellings)
    restored |= {name: _with_capitals(cells[name], spellings, opens=False) for name in _ANSWERS if name in cells}
    changed = [name for name, cell in restored.items() if cell != cells[name]]
    cells.update(restored)
    return changed


def _spellings(rows: list[dict[str, str]]) -> dict[str, str]:
    """How names are spelled: words that always have capitals inside sentences of these rows, and names in answers."""
    forms: set[str] = set()
    for cells in rows:
        original = cells[_ORIGINAL.text]
        texts = [cells.get(columns.text, "") for kind, columns in _KINDS.items() if kind not in _CONTROLS]
        for text in (original, *(text for text in texts if not _is_lower_case(text, original))):
            words = _WORD.finditer(text)
            forms |= {word.group() for word in words if not _opens_sentence(text, word.start())}
    without = {form for form in forms if form.islower()}
    spellings = {form.lower(): form for form in sorted(forms - without) if form.lower() not in without}
    for cells in rows:
        for answer, pronoun in _ANSWERS.items():
            spellings |= _names_among(cells.get(answer, ""), cells.get(pronoun, ""), without)
    return spellings


def _is_lower_case(text: str, original: str) -> bool:
    """Whether the text is in lower case, apart from single words; a text that only puts words before it is not."""
    first = _WORD.search(original)
    return text[:1].islower() and first is not None and first.group() not in _WORD.findall(text)


def _opens_sentence(text: str, start: int) -> bool:
    return _BEFORE_SENTENCE.search(text[:start]) is not None


def _names_among(answer: str, pronoun: str, without_capitals: set[str]) -> dict[str, str]:
    """The names in an answer without a determiner: of one person, of "X and Y", and of owners."""
    before_owned, of, _ = answer.partition("'s")
    words = [word.lower() for word in _WORD.findall(before_owned) if word != "and"]
    is_person = folded(pronoun) in ("he", "him", "his", "she", "her")
    is_name = without_capitals.isdisjoint(words) and function_words(LANGUAGE).openers.isdisjoint(words)
    if not (is_name and (is_person or of or "and" in answer.split())):
        return {}
    return {word: capital(word) for word in words}


def _names_replaced(original: str, text: str) -> dict[str, str]:
    """The spelling of words that stand where the original has a word with a capital inside a sentence."""
    before, after = list(_WORD.finditer(original)), list(_WORD.finditer(text))
    matcher = SequenceMatcher(None, [word.group().lower() for word in before], [word.group() for word in after], False)
    pairs = [
        pair
        for _, start, end, new_start, new_end in matcher.get_opcodes()
        if end - start == new_end - new_start
        for pair in zip(before[start:end], after[new_start:new_end], strict=True)
    ]
    return {
        new.group(): capital(new.group())
        for old, new in pairs
        if old.group().istitle() and old.group().lower() != new.group() and not _opens_sentence(original, old.start())
    }


def _with_capitals(text: str, spellings: dict[str, str], *, opens: bool = True) -> str:
    """The text with these spellings, capitals of first names and I, and, unless it opens none, of its sentences."""

    def spelled(match: re.Match[str]) -> str:
        word = match.group()
        name = capital(word)
        if word == "i" or (is_name(name, LANGUAGE) and not is_also_word(name, LANGUAGE)):
            return name
        word = spellings.get(word, word)
        return capital(word) if opens and _opens_sentence(text, match.start()) else word

    return _WORD.sub(spelled, text)


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
    candidates = [detokenise(candidate)[0] for candidate in candidates]
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
