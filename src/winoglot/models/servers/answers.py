"""What a reply says, without its thoughts: a label, an option, or nothing. Nothing is guessed."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

REFUSED, UNCLEAR, CUT_OFF = "refused", "no answer in the reply", "reply cut off"

_TAGS = "think|thinking|thought|thoughts|reasoning"
_OPENING = re.compile(rf"<(?:{_TAGS})>|\[THINK\]|<\|channel\|>analysis", re.IGNORECASE)
_THOUGHTS = re.compile(rf".*(?:</(?:{_TAGS})>|\[/THINK\]|<\|channel\|>final<\|message\|>)", re.IGNORECASE | re.DOTALL)
_EDGES = " \t*_`\"'“”‘’«»‹›„「」『』()[]{}<>.,;:!?。、"


@dataclass(frozen=True)
class Reply:
    """What a model said to one request, and how the reply ended."""

    text: str
    cut_off: bool = False
    failure: str = ""  # why there is no text: the server refused or failed


@dataclass(frozen=True)
class ChosenOption:
    """The place of the option that a reply chose, from 0, or why it chose none."""

    place: int | None
    note: str = ""


def is_thinking(text: str) -> bool:
    """Whether the text begins thoughts and does not end them.

    >>> is_thinking("<think>Rita has"), is_thinking("<think>Rita</think> A")
    (True, False)
    """
    return bool(_OPENING.search(_THOUGHTS.sub("", text, count=1)))


def ended_thoughts(text: str) -> str:
    """The mark that ends the thoughts that a text has begun.

    >>> ended_thoughts("<think>Rita has")
    '\\n</think>\\n\\n'
    """
    openings = [match.group() for match in _OPENING.finditer(text)]
    if openings and openings[-1].startswith("<|"):
        return "<|end|><|start|>assistant<|channel|>final<|message|>"
    return f"\n{openings[-1][0]}/{openings[-1][1:]}\n\n" if openings else ""


def without_thoughts(text: str) -> str:
    """What follows the thoughts; nothing if they never end.

    >>> without_thoughts("<think>\\nA? No, B.\\n</think>\\n\\nB")
    'B'
    """
    return "" if is_thinking(text) else _THOUGHTS.sub("", text, count=1).strip()


def answer_in(
    reply: Reply, labels: Sequence[str], options: Sequence[str], leads: Sequence[str], refusals: Sequence[str]
) -> ChosenOption:
    """The option that the reply names, if it names exactly one.

    A line counts if it is a label, an option, or a label with its own option, alone or after a lead such as "the answer
    is". Lines with a lead win over lines without, which must come first or last.

    >>> names = (("A", "B"), ("the vase", "the lamp"), ("the answer is",), ("i cannot",))
    >>> [answer_in(Reply(text), *names).place for text in ("B", "The answer is (A).", "B) The lamp", "the vase.")]
    [1, 0, 1, 0]
    >>> answer_in(Reply("A) the lamp"), *names), answer_in(Reply("I cannot say."), *names)
    (ChosenOption(place=None, note='no answer in the reply'), ChosenOption(place=None, note='refused'))
    """
    if reply.failure:
        return ChosenOption(None, reply.failure)
    text = without_thoughts(reply.text)
    lines = [line for line in map(_plain, text.splitlines()) if line]
    if reply.cut_off:
        lines = lines[:-1]  # its last line is not complete
    place = _choose(lines, [*map(_plain, labels)], [*map(_plain, options)], leads)
    if place is not None:
        return ChosenOption(place)
    if reply.cut_off:
        return ChosenOption(None, CUT_OFF)
    reply_text = folded(text)
    return ChosenOption(None, REFUSED if any(folded(refusal) in reply_text for refusal in refusals) else UNCLEAR)


def _choose(lines: Sequence[str], labels: Sequence[str], options: Sequence[str], leads: Sequence[str]) -> int | None:
    words = "|".join(re.escape(_plain(lead)) for lead in sorted(leads, key=len, reverse=True)) or r"(?!)"
    lead = re.compile(rf"(?:(?:{words})[\s:*]*)+")
    declared_places, without_lead = set(), {}
    for number, line in enumerate(lines):
        place = _place(line, labels, options)
        remainder = lead.sub("", line, count=1) if lead.match(line) else line
        if place is not None:
            without_lead[number] = place
        elif remainder != line and (after_lead := _place(_plain(remainder), labels, options)) is not None:
            declared_places.add(after_lead)
    if not declared_places and without_lead.keys() & {0, len(lines) - 1}:
        declared_places = set(without_lead.values())
    return declared_places.pop() if len(declared_places) == 1 else None


def _place(line: str, labels: Sequence[str], options: Sequence[str]) -> int | None:
    for place, (label, option) in enumerate(zip(labels, options, strict=False)):
        if line in (label, option):
            return place
        after = line.removeprefix(label).lstrip()
        if after != line and after[:1] and after[0] in "):.-–—]*" and after.strip(_EDGES + "-–—") == option:
            return place
    return None


def _plain(text: str) -> str:
    """The text in lower case, with wide forms made narrow and without punctuation at its edges."""
    return folded(" ".join(unicodedata.normalize("NFKC", text).split())).strip(_EDGES)
