"""Five-line blocks: sentence, pronoun, candidates with commas between them, gold, a blank line.

WSC273, PDP and WinoGender write `[MASK]` for the pronoun, with surplus spaces around it that mean nothing and are taken
out; in DPR the pronoun is a word of the sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats._blanks import tidy_blank
from winoglot.formats._pronouns import mend_pronoun
from winoglot.formats._rows import Row, build_collection
from winoglot.languages.base import function_words
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.model import BLANKS
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_inside_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.formats.base import InputFile
    from winoglot.schemas.mentions import FunctionWords
    from winoglot.schemas.model import Collection

SUFFIXES = ()


@dataclass(frozen=True)
class _Line:
    """A line that is not blank."""

    number: int
    text: str
    opens: bool  # whether it stands at the beginning of the file or after a blank line


def sniff(head: str) -> bool:
    """Somewhere a sentence, a word of it or its blank, candidates and one of these, on lines of their own."""
    lines = _lines(head)
    return any(_size(lines, at) == 4 and _is_whole(lines[at : at + 4]) for at in range(len(lines)))


def read(file: InputFile) -> Collection:
    """Read the blocks; the language is English unless the caller says another."""
    language = file.language or "en"
    words = function_words(language)
    rows: list[Row] = []
    seen: dict[tuple[str | None, Span | None], int] = {}
    for block in _blocks(_lines(file.text), file):
        row = _row(block, words, file)
        if row is None:
            continue
        row = mend_pronoun(row, language, file)
        first = seen.setdefault((row.text, row.pronoun), row.line)
        if first != row.line:
            file.repaired(row.line, f"block {row.source_id}", f"the same sentence as in line {first}; kept")
        rows.append(row)
    if not rows:
        first_skipped = file.report.skipped[0] if file.report.skipped else None
        raise InputError(
            f"no block can be used: {first_skipped.why}" if first_skipped else "the file is empty",
            remedy="A block is five lines: sentence, pronoun, candidates with commas between them, gold, a blank one.",
            file=file.label,
            line=first_skipped.line if first_skipped else None,
        )
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
    """The blocks among the lines; blank lines in the wrong places and lines of no block are reported."""
    blocks: list[list[_Line]] = []
    at = 0
    while at < len(lines):
        number = lines[at].number
        size = _size(lines, at)
        if size == 0:
            end = at + 1
            while end < len(lines) and not lines[end].opens and not _size(lines, end):
                end += 1
            what = f"line {number}" if end - at == 1 else f"lines {number} to {lines[end - 1].number}"
            file.skipped(number, what, "no block: that is a sentence, its pronoun, candidates and gold, a line each")
            at = end
            continue
        block = list(lines[at : at + size])
        if not block[0].opens:
            file.repaired(number, f"block {number}", "no blank line before it; read as a block of its own")
        if any(line.opens for line in block[1:]):
            file.repaired(number, f"block {number}", "a blank line inside it; read as one block")
        if size == 3:
            file.repaired(number, f"block {number}", "it has no gold; kept without an answer")
        blocks.append(block)
        at += size
    return blocks


def _size(lines: Sequence[_Line], at: int) -> int:
    """How many lines the block that begins here has: four, three without a gold, none where no block begins.

    Four lines that belong together by what they say are a block wherever the blank lines are.
    """
    if _is_whole(lines[at : at + 4]):
        return 4
    together = 1
    while at + together < len(lines) and not lines[at + together].opens:
        together += 1
    if together == 4 and lines[at].opens:
        return 4
    is_unlabelled = together == 3 and lines[at].opens and "," in lines[at + 2].text
    return 3 if is_unlabelled and _places(lines[at].text, lines[at + 1].text) else 0


def _is_whole(lines: Sequence[_Line]) -> bool:
    if len(lines) < 4:
        return False
    sentence, pronoun, candidates, gold = (line.text for line in lines)
    pieces = [piece.strip().casefold() for piece in candidates.split(",")]
    return len(pieces) > 1 and gold.casefold() in pieces and bool(_places(sentence, pronoun))


def _row(block: Sequence[_Line], words: FunctionWords, file: InputFile) -> Row | None:
    number = block[0].number
    sentence, pronoun, listed = (line.text for line in block[:3])
    gold = block[3].text if len(block) == 4 else None
    candidates = _candidates(number, listed, gold, file)
    if len({candidate.casefold() for candidate in candidates}) < max(len(candidates), 2):
        file.skipped(number, f"block {number}", f"{listed!r} does not name two different candidates")
        return None
    answer = None if gold is None else _answer(number, candidates, gold, words, file)
    if gold is not None and answer is None:
        file.skipped(number, f"block {number}", f"the gold {gold!r} is not one of its candidates: {listed!r}")
        return None
    places = _places(sentence, pronoun)
    if not places:
        file.skipped(number, f"block {number}", f"the pronoun {pronoun!r} is no word of its sentence")
        return None
    if len(places) > 1 and pronoun in BLANKS:
        file.skipped(number, f"block {number}", f"its sentence has {len(places)} blanks {pronoun!r}")
        return None
    place = places[0]
    if len(places) > 1:
        place = _meant(sentence, places, candidates, words)
        why = f"it occurs {len(places)} times; taken to be the one at character {place.start}, which opens its clause"
        file.repaired(number, f"the pronoun {pronoun!r} of block {number}", why)
    text, place = tidy_blank(sentence, place) if pronoun in BLANKS else (sentence, place)
    return Row(number, str(number), candidates, answer, text, place)


def _candidates(number: int, listed: str, gold: str | None, file: InputFile) -> tuple[str, ...]:
    """The candidates; a comma inside of one is known by the gold, else it is taken to stand between two."""
    pieces = [piece.strip() for piece in listed.split(",")]
    wanted = [piece.strip().casefold() for piece in gold.split(",")] if gold else []
    if len(wanted) > 1:
        have = [piece.casefold() for piece in pieces]
        starts = [at for at in range(len(have)) if have[at : at + len(wanted)] == wanted]
        if len(starts) == 1:
            end = starts[0] + len(wanted)
            pieces[starts[0] : end] = [", ".join(pieces[starts[0] : end])]
            file.repaired(number, f"block {number}", f"{pieces[starts[0]]!r} is one candidate, as its gold shows")
    if not all(pieces):
        file.repaired(number, f"block {number}", f"an empty candidate in {listed!r}; left out")
    return tuple(piece for piece in pieces if piece)


def _answer(number: int, candidates: Sequence[str], gold: str, words: FunctionWords, file: InputFile) -> int | None:
    """Which candidate the gold is: letter for letter, else but for capitals, else but for its determiner."""
    if gold in candidates:
        return candidates.index(gold)
    spellings = (_plain(gold), [_plain(candidate) for candidate in candidates])
    bare = (_bare(gold, words), [_bare(candidate, words) for candidate in candidates])
    for wanted, have in (spellings, bare):
        if have.count(wanted) == 1:
            answer = have.index(wanted)
            file.repaired(number, f"the gold {gold!r} of block {number}", f"taken to be {candidates[answer]!r}")
            return answer
    return None


def _plain(phrase: str) -> str:
    return " ".join(phrase.replace(",", ", ").split()).casefold()


def _bare(phrase: str, words: FunctionWords) -> str:
    return _plain(words.without_determiner(phrase))


def _places(sentence: str, pronoun: str) -> list[Span]:
    """Where the pronoun stands as a whole word, in its own capitals if it does anywhere; or where the blank stands."""
    for text, wanted in ((sentence, pronoun), (folded(sentence), folded(pronoun))):
        spans = [Span(*match.span()) for match in re.finditer(re.escape(wanted), text)]
        whole = [span for span in spans if pronoun in BLANKS or not is_inside_word(text, span.start, span.end)]
        if whole:
            return whole
    return []


def _meant(text: str, places: Sequence[Span], candidates: Sequence[str], words: FunctionWords) -> Span:
    """Of several places the first one of the clause that follows the candidates: what comes later resumes it.

    "The crew fixed the ship they sailed, since they knew that they could": the second one.
    """
    mentions = [find_mentions(text, candidate, words, Span(0, 0)) for candidate in candidates]
    known = max((spans[0].end for spans in mentions if spans), default=0)
    pause = re.compile(r"[,;:.]\s").search(text, known)
    for opening in (pause.end() if pause else known, known, 0):
        later = [place for place in places if place.start >= opening]
        if later:
            return later[0]
    return places[0]
