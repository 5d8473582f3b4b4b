"""Which examples of two files are the same, whatever they are called: matching by content.

A published collection goes around in several formats, with other ids, spacing and articles. `matched` finds what two
files share by the `contents` of their examples, so that runs on them can be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Example

    Key = tuple[str, ...]  # one part per option


def matched(here: Sequence[Example], there: Sequence[Example]) -> dict[str, str]:
    """By the id of each example that both have, its id on the other side; each is used once, repetitions in order.

    The strictest key is tried first on all of them, then the next one on what is left. Answers do not count: see
    `same_answer`.

    >>> import winoglot as wg
    >>> from dataclasses import replace
    >>> from winoglot.examples import ExampleSet, Example, examples_of
    >>> english = examples_of(wg.load("winoglot-en"))[:3]
    >>> copy = [replace(one, id=f"row{number}") for number, one in enumerate(english)]
    >>> list(matched(english, copy[::-1]).values())
    ['row0', 'row1', 'row2']
    """
    found: dict[str, str] = {}
    for level in range(max((len(_keys(one)) for one in (*here, *there)), default=0)):
        taken = set(found.values())
        free: dict[Key, list[str]] = {}
        for other in there:
            if other.id not in taken and level < len(_keys(other)):
                free.setdefault(_unordered(other, level), []).append(other.id)
        for one in here:
            if one.id not in found and level < len(_keys(one)) and free.get(_unordered(one, level)):
                found[one.id] = free[_unordered(one, level)].pop(0)
    return {one.id: found[one.id] for one in here if one.id in found}


def same_answer(one: Example, other: Example) -> bool:
    """Whether two matched examples have the same answer, wherever it is among the options; unlabelled ones may."""
    if one.answer is None or other.answer is None:
        return True
    pairs = zip(_keys(one), _keys(other), strict=False)
    return any(here[one.answer] == there[other.answer] for here, there in pairs)


def _unordered(example: Example, level: int) -> Key:
    return tuple(sorted(_keys(example)[level]))


def _keys(example: Example) -> Sequence[Key]:
    """The example's contents; of an example that is only a hash, the hash with each option."""
    contents: Sequence[Key] = example.features.get("contents") or ()
    if contents or not example.hash:
        return contents
    return [tuple(digest([example.hash, option]) for option in example.options)]
