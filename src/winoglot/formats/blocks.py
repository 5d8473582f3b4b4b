"""Five-line blocks, as in WSC273, PDP, WinoGender and DPR.

A block is a sentence, its pronoun, candidates separated by commas, the gold candidate and an empty line.

WSC273, PDP and WinoGender write `[MASK]` for the pronoun, with extra spaces around it that mean nothing and are
removed; in DPR the pronoun is a word of the sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.repairs import fix_pronoun, report_repeated, tidy_gap
from winoglot.formats.importing.rows import SourceRow, build_collection
from winoglot.formats.importing.sources import nothing_usable
from winoglot.languages.base import function_words
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.model import BLANKS
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_inside_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.mentions import FunctionWords
    from winoglot.schemas.model import Collection

SUFFIXES = ()


@dataclass(frozen=True)
class _Line:
    """A line that is not empty."""

    number: int
    text: str
    opens: bool  # whether it is at the beginning of the file or after an empty line


def sniff(head: str) -> bool:
    """Somewhere four lines in a row: a sentence, one of its words or its gap, candidates, and one of these."""
    lines = _lines(head)
    return any(_size(lines, index) == 4 and _is_whole(lines[index : index + 4]) for index in range(len(lines)))


def read(file: InputFile) -> Collection:
    """Read the blocks; the language is English unless the caller says otherwise."""
    language = file.language or "en"
    rows: list[SourceRow] = []
    for block in _blocks(_lines(file.text), file):
        with file.skipping(block[0].number, f"block {block[0].number}") as repaired:
            rows.append(fix_pronoun(_row(block, function_words(language), repaired), language, file))
    if not rows:
        remedy = "A block is five lines: sentence, pronoun, candidates separated by commas, gold, an empty line."
        raise nothing_usable(file, "block", remedy)
    report_repeated(rows, file)
    return build_collection(rows, file, language)


def _lines(text: str) -> list[_Line]:
    result: list[_Line] = []
    opens = True
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            result.append(_Line(number, line.strip(), opens))
        opens = not line.strip()
    return result


def _blocks(lines: Sequence[_Line], file: InputFile) -> list[list[_Line]]:
    """The blocks among the lines; misplaced empty lines and lines that belong to no block are reported."""
    blocks: list[list[_Line]] = []
    index = 0
    while index < len(lines):
        number = lines[index].number
        size = _size(lines, index)
        if size == 0:
            end = index + 1
            while end < len(lines) and not lines[end].opens and not _size(lines, end):
                end += 1
            what = f"line {number}" if end - index == 1 else f"lines {number} to {lines[end - 1].number}"
            file.skipped(number, what, "not a block: a sentence, its pronoun, candidates and gold, one per line")
            index = end
            continue
        block = list(lines[index : index + size])
        if not block[0].opens:
            file.repaired(number, f"block {number}", "no empty line before it; read as a block of its own")
        if any(line.opens for line in block[1:]):
            file.repaired(number, f"block {number}", "an empty line inside it; read as one block")
        if size == 3:
            file.repaired(number, f"block {number}", "it has no gold; kept without an answer")
        blocks.append(block)
        index += size
    return blocks


def _size(lines: Sequence[_Line], index: int) -> int:
    """How many lines the block that begins here has: four, three without a gold, zero if no block begins here.

    Four lines whose contents belong together are a block wherever the empty lines are.
    """
    if _is_whole(lines[index : index + 4]):
        return 4
    together = 1
    while index + together < len(lines) and not lines[index + together].opens:
        together += 1
    if together == 4 and lines[index].opens:
        return 4
    is_unlabelled = together == 3 and lines[index].opens and "," in lines[index + 2].text
    return 3 if is_unlabelled and _places(lines[index].text, lines[index + 1].text) else 0


def _is_whole(lines: Sequence[_Line]) -> bool:
    if len(lines) < 4:
        return False
    sentence, pronoun, candidates, gold = (line.text for line in lines)
    pieces = [piece.strip().casefold() for piece in candidates.split(",")]
    return len(pieces) > 1 and gold.casefold() in pieces and bool(_places(sentence, pronoun))


def _row(block: Sequence[_Line], words: FunctionWords, repaired: Repaired) -> SourceRow:
    number = block[0].number
    sentence, pronoun, candidate_list = (line.text for line in block[:3])
    gold = block[3].text if len(block) == 4 else None
    candidates = _candidates(candidate_list, gold, repaired)
    if len({candidate.casefold() for candidate in candidates}) < max(len(candidates), 2):
        raise InputError(f"{candidate_list!r} does not name two different candidates")
    answer = None if gold is None else _answer(candidates, gold, words, repaired)
    places = _places(sentence, pronoun)
    if not places:
        raise InputError(f"the pronoun {pronoun!r} is not a word of its sentence")
    if pronoun not in BLANKS:
        span = _intended_pronoun(sentence, places, candidates, words, repaired)
    elif len(places) > 1:
        raise InputError(f"expected exactly one {pronoun!r} in its sentence, found {len(places)}")
    else:
        sentence, span = tidy_gap(sentence, places[0])
    return SourceRow(number, str(number), candidates, answer, sentence, span)


def _candidates(listed: str, gold: str | None, repaired: Repaired) -> tuple[str, ...]:
    """The candidates; a comma separates two of them, unless the gold shows that it is part of one."""
    pieces = [piece.strip() for piece in listed.split(",")]
    target = [piece.strip().casefold() for piece in gold.split(",")] if gold else []
    if len(target) > 1:
        folded_pieces = [piece.casefold() for piece in pieces]
        starts = [index for index in range(len(folded_pieces)) if folded_pieces[index : index + len(target)] == target]
        if len(starts) == 1:
            end = starts[0] + len(target)
            pieces[starts[0] : end] = [", ".join(pieces[starts[0] : end])]
            repaired(f"{pieces[starts[0]]!r} is one candidate, as its gold shows")
    if not all(pieces):
        repaired(f"an empty candidate in {listed!r}; dropped")
    return tuple(piece for piece in pieces if piece)


def _answer(candidates: Sequence[str], gold: str, words: FunctionWords, repaired: Repaired) -> int:
    """Which candidate the gold is: letter for letter, else ignoring capitals, else ignoring its determiner."""
    if gold in candidates:
        return candidates.index(gold)
    for spell in (_plain, lambda phrase: _plain(words.without_determiner(phrase))):
        spellings = [spell(candidate) for candidate in candidates]
        if spellings.count(spell(gold)) == 1:
            answer = spellings.index(spell(gold))
            repaired(f"read as {candidates[answer]!r}", of=f"the gold {gold!r}")
            return answer
    raise InputError(f"the gold {gold!r} is not one of its candidates: {', '.join(candidates)!r}")


def _plain(phrase: str) -> str:
    return " ".join(phrase.replace(",", ", ").split()).casefold()


def _places(sentence: str, pronoun: str) -> list[Span]:
    """Where the pronoun is a whole word, with its own capitals if it is anywhere; or where the gap is."""
    for text, target in ((sentence, pronoun), (folded(sentence), folded(pronoun))):
        spans = [Span(*match.span()) for match in re.finditer(re.escape(target), text)]
        word_spans = [span for span in spans if pronoun in BLANKS or not is_inside_word(text, span.start, span.end)]
        if word_spans:
            return word_spans
    return []


def _intended_pronoun(
    text: str, places: Sequence[Span], candidates: Sequence[str], words: FunctionWords, repaired: Repaired
) -> Span:
    """The first of several occurrences in the clause that follows the candidates: later ones refer back to it.

    "The crew fixed the ship they sailed, since they knew that they could": the second one.
    """
    if len(places) == 1:
        return places[0]
    mentions = [find_mentions(text, candidate, words, Span(0, 0)) for candidate in candidates]
    first_end = max((spans[0].end for spans in mentions if spans), default=0)
    pause = re.compile(r"[,;:.]\s").search(text, first_end)
    openings = (pause.end() if pause else first_end, first_end, 0)
    meant = next(place for opening in openings for place in places if place.start >= opening)
    why = f"it occurs {len(places)} times; read as the one at character {meant.start}, which opens its clause"
    repaired(why, of=f"the pronoun {meant.of(text)!r}")
    return meant
