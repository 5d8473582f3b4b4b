"""The HTML of the Portuguese collection: a list item a schema's item, written by hand.

An item is its notes in `<font>`, its text with the pronoun in `<b>`, `Trecho` with the words to resolve (which the text
has already), a list of options, and after it `Resposta Correta` with a letter. The items keep their place in the list
as their id, so that they pair up with those of the JSON file.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats._language import LANGUAGES, language_of
from winoglot.formats._pronouns import mend_pronoun
from winoglot.formats._rows import Row, build_collection
from winoglot.languages.base import function_words
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, primary

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection

SUFFIXES = ()
_LISTS = ("ol", "ul")
_UNREAD = ("font", "script", "style")
_BREAKS = ("br", "p", "div")


@dataclass
class _Found:
    """An item as far as it has been parsed: the pieces of its text, bold or not, its options, and what is named."""

    line: int
    pieces: list[tuple[str, bool]] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    numbering: str = "A"
    named: dict[str, str] = field(default_factory=dict)


def sniff(head: str) -> bool:
    """A page with list items, the words in question under `Trecho`."""
    return head.lstrip().startswith("<") and re.search(r"<li\b.*<em>\s*Trecho:", head, re.DOTALL) is not None


def read(file: InputFile) -> Collection:
    """Read the items of one language, Portuguese unless `file.language` says otherwise; others are left out by name."""
    language = file.language or LANGUAGES[0]
    rows = []
    for number, item in enumerate(_parse(file)):
        row = _row(number, item, language, file)
        if row is None:
            continue
        found = language_of(row.text or "")
        if found is not None and primary(found) != primary(language):
            file.skipped(item.line, f"item {number}: {row.text}", f"its text is {found}, not {language}")
        else:
            rows.append(mend_pronoun(row, language, file))
    return build_collection(rows, file, language)


def _parse(file: InputFile) -> list[_Found]:
    parser = _Parser()
    try:
        parser.feed(file.text)
        parser.close()
    except AssertionError as error:  # what the standard parser raises for a broken declaration
        line, column = parser.getpos()
        raise InputError(
            f"this is not HTML: {error}", remedy="Correct the markup.", file=file.label, line=line, column=column + 1
        ) from error
    if not parser.items:
        raise InputError(
            "the page has no list of items", remedy="An item is an <li> of the page's <ol>.", file=file.label
        )
    return parser.items


class _Parser(HTMLParser):
    """Gathers the items of the outer list; the list inside of an item holds its options."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[_Found] = []
        self._into = ""  # what the data belongs to: text, snippet, option, options, tail; none outside of items
        self._depth = 0
        self._unread = 0
        self._bold = False
        self._label = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _LISTS:
            self._depth += 1
            if self._depth > 1 and self.items:
                self.items[-1].numbering = dict(attrs).get("type") or "A"
        elif tag == "li":
            # After the answer a new item must begin, even if the list of options was never closed.
            if self._depth <= 1 or not self.items or self.items[-1].named:
                self.items.append(_Found(self.getpos()[0]))
                self._into, self._depth, self._unread = "text", 1, 0
            else:
                self.items[-1].options.append("")
                self._into = "option"
        elif tag in _UNREAD:
            self._unread += 1
        elif tag == "b":
            self._bold = True
            self._label = ""
            self._into = "tail" if self._into == "options" else self._into
        elif tag == "em" and self._into == "text":
            self._into = "snippet"
        elif tag in _BREAKS:
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _LISTS:
            self._depth = max(self._depth - 1, 0)
            self._into = "tail" if self._depth else ""
        elif tag == "li":
            self._into = "options" if self._depth > 1 else ""
        elif tag in _UNREAD:
            self._unread = max(self._unread - 1, 0)
        elif tag == "b":
            self._bold = False

    def handle_data(self, data: str) -> None:
        if self._unread or not self._into:
            return
        item = self.items[-1]
        if self._into == "text":
            item.pieces.append((data, self._bold))
        elif self._into == "option":
            item.options[-1] += data
        elif self._into == "tail" and self._bold:
            self._label += data
        elif self._into == "tail":
            name = folded(self._label).strip(" :\n\t")
            item.named[name] = item.named.get(name, "") + data


def _row(number: int, item: _Found, language: str, file: InputFile) -> Row | None:
    """The item as a row, its answer a letter of its options; None, and a report, where there is no such item."""
    options = [" ".join(option.split()).rstrip(" .") for option in item.options]
    bold = [place for place, (piece, is_bold) in enumerate(item.pieces) if is_bold and piece.strip()]
    if len(bold) > 1:
        pronouns = function_words(language).pronouns
        among = bold
        bold = [place for place in bold if folded(item.pieces[place][0].strip()) in pronouns]
        if len(bold) == 1:
            why = f"{len(among)} pieces are bold; the pronoun {item.pieces[bold[0]][0].strip()!r} is taken"
            file.repaired(item.line, f"item {number}", why)
    if len(bold) != 1 or len(options) < 2:
        why = f"it has {len(options)} options" if len(bold) == 1 else "no single pronoun stands in <b>"
        file.skipped(item.line, f"item {number}", why)
        return None
    if item.numbering not in ("A", "a", "1"):
        why = f"its options are in a list of type {item.numbering!r}; read as lettered from A"
        file.repaired(item.line, f"item {number}", why)
    before, pronoun, after = (
        "".join(piece for piece, _ in part)
        for part in (item.pieces[: bold[0]], item.pieces[bold[0] : bold[0] + 1], item.pieces[bold[0] + 1 :])
    )
    text, span = join_text(before, pronoun, after)
    options = [_translated(option, text, number, item, file) for option in options]
    given = item.named.get("resposta correta", "").strip(" .\n\t")
    answer = string.ascii_uppercase.find(given.upper()) if len(given) == 1 else -1
    if not 0 <= answer < len(options):
        file.repaired(item.line, f"item {number}", f"its answer {given!r} names no option; kept without an answer")
    return Row(
        line=item.line,
        source_id=str(number),
        candidates=tuple(options),
        answer=answer if 0 <= answer < len(options) else None,
        text=text,
        pronoun=span,
        parallel_id=f"wsc.{number}",
    )


def _translated(option: str, text: str, number: int, item: _Found, file: InputFile) -> str:
    """The option with the "and" of the original made "e", where only then the text mentions it."""
    meant = re.sub(r"\band\b", "e", option)
    if option in text or meant == option or meant not in text:
        return option
    file.repaired(item.line, f"the option {option!r} of item {number}", f"left in English in part; taken as {meant!r}")
    return meant


def join_text(before: str, pronoun: str, after: str) -> tuple[str, Span]:
    """The text of three pieces, any of which may have the blanks that keep the words apart.

    >>> join_text("Ana saiu porque", " ela ", ", e não Rita, quis.")
    ('Ana saiu porque ela, e não Rita, quis.', Span(start=16, end=19))
    """
    left, inner, right = (re.sub(r"\s+", " ", piece) for piece in (before, pronoun, after))
    if left.endswith(" ") or inner.startswith(" "):
        left = left.rstrip() + " "
    if inner.endswith(" ") or right.startswith(" "):
        right = " " + right.lstrip()
    left = re.sub(r" (?=[.,;:!?)])", "", left.lstrip())
    right = re.sub(r" (?=[.,;:!?)])", "", right.rstrip())
    inner = inner.strip()
    return left + inner + right, Span(len(left), len(left) + len(inner))
