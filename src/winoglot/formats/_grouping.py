"""Which rows are items of one schema: as the source says; else neighbours that differ only in linked places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.formats._segments import common_tokens, tokenise
from winoglot.schemas.model import BLANKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.formats._rows import Row

# A pair shares at least this much of its longer text; unrelated neighbours share far less, unless they are short
# ("Ann thanked Bea because she …"). Below the second mark a row waits for the next one, which may be its real partner.
_SHARED = 0.6
_SURELY_SHARED = 0.8


def group_rows(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows in groups, each group at the place of its first row."""
    groups: list[list[Row]] = []
    named: dict[str, list[Row]] = {}
    for number, row in enumerate(rows):
        if row.group is not None:
            if row.group not in named:
                named[row.group] = []
                groups.append(named[row.group])
            named[row.group].append(row)
        elif groups and _belongs(row, groups[-1]) and not _is_nearer(row, rows[number + 1 : number + 2], groups[-1]):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _belongs(row: Row, group: Sequence[Row]) -> bool:
    """Whether a row is surely one more item of the schema that its neighbours make up.

    The second one has another answer and shares most of the text; every further one differs in the same places.
    """
    last = group[-1]
    if last.group is not None or _candidates(row) != _candidates(last) or len(row.candidates) < 2:
        return False
    texts = [member.text for member in (*group, row)]
    if any(text is None for text in texts) or row.text in texts[:-1]:
        return False
    shared = _shared([*group, row])
    if shared is None or shared < _SHARED * max(len(tokenise(text or "")) for text in texts):
        return False
    if len(group) == 1:
        return row.answer is None or last.answer is None or _answer(row) != _answer(last)
    return shared == _shared(group)


def _shared(rows: Sequence[Row]) -> int | None:
    """How many tokens all texts share, the pronoun among them; None where their pronouns are not the same one.

    A passage that asks about two of its pronouns in turn gives two schemas, though hardly a word differs.
    """
    texts = [row.text or "" for row in rows]
    tokens = [tokenise(text) for text in texts]
    shared = common_tokens(texts, tokens, [row.pronoun for row in rows])
    starts = [row.pronoun.start if row.pronoun else 0 for row in rows]
    gaps = {sum(tokens[number][entry[number]].start < start for entry in shared) for number, start in enumerate(starts)}
    if len(gaps) == 1:
        return len(shared) + 1
    # Single characters match by chance on both sides of a pronoun; then words, not blanks, may still show it to be one.
    if any(row.pronoun is None or row.pronoun.of(row.text or "") in BLANKS for row in rows):
        return None
    plain = common_tokens(texts, tokens)
    aligned = any(all(tokens[n][entry[n]].start == start for n, start in enumerate(starts)) for entry in plain)
    return len(plain) if aligned else None


def _is_nearer(row: Row, following: Sequence[Row], group: Sequence[Row]) -> bool:
    """Whether a row that shares little with the group makes a better pair with the one that follows it."""
    mine = _share(row, group[-1])
    return mine < _SURELY_SHARED and any(_belongs(after, [row]) and _share(row, after) > mine for after in following)


def _share(row: Row, other: Row) -> float:
    """How much of the longer text two rows have in common."""
    texts = [row.text or "", other.text or ""]
    tokens = [tokenise(text) for text in texts]
    return len(common_tokens(texts, tokens)) / max(1, *map(len, tokens))


def _candidates(row: Row) -> list[str]:
    return sorted(candidate.casefold() for candidate in row.candidates)


def _answer(row: Row) -> str | None:
    return None if row.answer is None else row.candidates[row.answer].casefold()
