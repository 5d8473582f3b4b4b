"""Which rows are items of one schema, and where those items differ, by comparing their texts token by token."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache, reduce
from itertools import pairwise
from operator import and_
from typing import TYPE_CHECKING

from winoglot.schemas.model import BLANKS
from winoglot.schemas.spans import Span
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.formats.importing.rows import SourceRow

Tokens = tuple[Span, ...]
# The items of a schema share at least this much of the longest text; unrelated neighbours share far less, unless they
# are short ("Ann thanked Bea because she …"). Below the second mark a row may be a better match for the next one.
SHARED = 0.6
_CLEARLY_SHARED = 0.8


def group_rows(rows: Sequence[SourceRow]) -> list[list[SourceRow]]:
    """The rows in groups, as the source says; else neighbours that differ only in linked places."""
    groups: list[list[SourceRow]] = []
    groups_by_name: dict[str, list[SourceRow]] = {}
    for index, row in enumerate(rows):
        if row.group is not None:
            if row.group not in groups_by_name:
                groups_by_name[row.group] = []
                groups.append(groups_by_name[row.group])
            groups_by_name[row.group].append(row)
        elif groups and _belongs(row, groups[-1]) and not _fits_next(row, rows[index + 1 : index + 2], groups[-1]):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _belongs(row: SourceRow, group: Sequence[SourceRow]) -> bool:
    """Whether a row is certainly another item of the schema that its neighbours make up.

    The second item has another answer and shares most of the text; every further one differs in the same places.
    """
    last = group[-1]
    if last.group is not None or _candidates(row) != _candidates(last) or len(row.candidates) < 2:
        return False
    texts = [member.text for member in (*group, row)]
    if any(text is None for text in texts) or row.text in texts[:-1]:
        return False
    shared = _shared([*group, row])
    if shared is None or shared < SHARED * max(len(tokenise(text or "")) for text in texts):
        return False
    if len(group) == 1:
        return row.answer is None or last.answer is None or _answer(row) != _answer(last)
    return shared == _shared(group)


def _shared(rows: Sequence[SourceRow]) -> int | None:
    """How many tokens all texts share, the pronoun included; None if they ask about different pronouns.

    A passage that asks about two of its pronouns in turn gives two schemas, though hardly a word differs.
    """
    texts = [row.text or "" for row in rows]
    tokens = [tokenise(text) for text in texts]
    shared = common_tokens(texts, tokens, [row.pronoun for row in rows])
    starts = [row.pronoun.start if row.pronoun else 0 for row in rows]
    gaps = {sum(tokens[index][entry[index]].start < start for entry in shared) for index, start in enumerate(starts)}
    if len(gaps) == 1:
        return len(shared) + 1
    # Single characters match by chance on both sides of a pronoun; a pronoun that is a word may still match itself.
    if any(row.pronoun is None or row.pronoun.of(row.text or "") in BLANKS for row in rows):
        return None
    plain = common_tokens(texts, tokens)
    aligned = any(
        all(tokens[position][entry[position]].start == start for position, start in enumerate(starts))
        for entry in plain
    )
    return len(plain) if aligned else None


def _fits_next(row: SourceRow, following: Sequence[SourceRow], group: Sequence[SourceRow]) -> bool:
    """Whether a row that shares little with the group makes a better pair with the row after it."""
    similarity = shared_part(row.text or "", group[-1].text or "")
    return similarity < _CLEARLY_SHARED and any(
        _belongs(after, [row]) and shared_part(row.text or "", after.text or "") > similarity for after in following
    )


def _candidates(row: SourceRow) -> list[str]:
    return sorted(candidate.casefold() for candidate in row.candidates)


def _answer(row: SourceRow) -> str | None:
    return None if row.answer is None else row.candidates[row.answer].casefold()


def shared_part(first: str, second: str) -> float:
    """How much of the longer text the two have in common, from 0 to 1."""
    tokens = [tokenise(first), tokenise(second)]
    return len(common_tokens([first, second], tokens)) / max(1, *map(len, tokens))


def segments(items: Sequence[tuple[str | None, Span | None]]) -> list[tuple[Span, ...]]:
    """For each text and its pronoun, where the text differs from the others; nowhere if they have little in common.

    >>> segments([("He ran home.", Span(0, 2)), ("He walked home.", Span(0, 2))])
    [(Span(start=3, end=6),), (Span(start=3, end=9),)]
    """
    texts = [text for text, _ in items if text is not None]
    nowhere: list[tuple[Span, ...]] = [() for _ in items]
    if len(items) < 2 or len(texts) < len(items):
        return nowhere
    tokens = [tokenise(text) for text in texts]
    shared = common_tokens(texts, tokens)
    if not shared or len(shared) * 2 < min(map(len, tokens)):
        return nowhere
    columns = zip(*shared, strict=True)
    gaps = [_gaps(text, spans, column) for text, spans, column in zip(texts, tokens, columns, strict=True)]
    differences = [index for index in range(len(shared) + 1) if any(row[index][0] < row[index][1] for row in gaps)]
    result = [tuple(Span(*row[number]) for number in differences) for row in gaps]
    if any(_cuts(place, pronoun) for row, (_, pronoun) in zip(result, items, strict=True) for place in row):
        return nowhere
    return result


@lru_cache(maxsize=1024)  # neighbours are compared several times
def tokenise(text: str) -> Tokens:
    """Words, single punctuation marks, and single characters of scripts without spaces."""
    result: list[Span] = []
    for match in re.finditer(r"\w+|[^\w\s]", text):
        if not match[0].isascii() and any(map(is_unspaced, match[0])):
            result += [Span(index, index + 1) for index in range(*match.span())]
        else:
            result.append(Span(*match.span()))
    return tuple(result)


def common_tokens(
    texts: Sequence[str], tokens: Sequence[Tokens], pronouns: Sequence[Span | None] = ()
) -> list[tuple[int, ...]]:
    """The tokens that all texts share, in order: the index of each one in every text.

    Where `pronouns` are given, the tokens that they cover match nothing.
    """
    rows = [[span.of(text) for span in spans] for text, spans in zip(texts, tokens, strict=True)]
    for number, (pronoun, spans) in enumerate(zip(pronouns, tokens, strict=False)):
        for index, span in enumerate(spans):
            if pronoun is not None and span.overlaps(pronoun):
                rows[number][index] = f"\0{number}"
    first = rows[0]
    shared: dict[int, tuple[int, ...]] = {index: (index,) for index in range(len(first))}
    for words in rows[1:]:
        blocks = SequenceMatcher(None, first, words, autojunk=False).get_matching_blocks()
        matched = {block.a + position: block.b + position for block in blocks for position in range(block.size)}
        shared = {index: (*row, matched[index]) for index, row in shared.items() if index in matched}
    return list(shared.values())


def _gaps(text: str, tokens: Tokens, shared: Sequence[int]) -> list[tuple[int, int]]:
    """Where the text before, between and after the shared tokens starts and ends; both are equal if there is none."""
    gaps = []
    for left, right in pairwise([-1, *shared, len(tokens)]):
        if right - left > 1:
            gaps.append((tokens[left + 1].start, tokens[right - 1].end))
        else:
            index = tokens[right].start if right < len(tokens) else len(text)
            gaps.append((index, index))
    return gaps


def _cuts(place: Span, pronoun: Span | None) -> bool:
    if pronoun is None or not place.overlaps(pronoun):
        return False
    return not (place.within(pronoun) or pronoun.within(place))


def group_pairs(rows: Sequence[SourceRow]) -> list[SourceRow]:
    """The rows; neighbours that are certainly two items of one schema get the same group."""
    result: list[SourceRow] = []
    for row in rows:
        last = result[-1] if result else None
        if last is not None and last.group is None and are_twins(last, row):
            result[-1] = replace(last, group=last.source_id)
            result.append(replace(row, group=last.source_id))
        else:
            result.append(row)
    return result


def are_twins(left: SourceRow, right: SourceRow) -> bool:
    """Whether the premises are alike, the hypotheses name the same candidates, and the answers differ."""
    labels = [[pair.entailed for pair in row.inferences] for row in (left, right)]
    if labels[0] == labels[1] or any(len(label) < 2 or label.count(True) != 1 or None in label for label in labels):
        return False
    premises = left.inferences[0].premise, right.inferences[0].premise
    return _named(left) == _named(right) and shared_part(*premises) >= SHARED


def _named(row: SourceRow) -> list[Counter[str]]:
    """For each hypothesis the words that the row's other hypotheses lack: those of its candidate."""
    words = [Counter(span.of(text) for span in tokenise(text)) for text in (p.hypothesis for p in row.inferences)]
    shared = reduce(and_, words)
    return [candidate_words - shared for candidate_words in words]
