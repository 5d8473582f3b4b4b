"""The web page of the Portuguese collection.

Written by hand: one list item per item of a schema.

A list item has notes in `<font>`, its text with the pronoun in `<b>`, `Trecho` with the words to resolve (which repeat
part of the text), a list of options, and then `Resposta Correta` with a letter. Items have their position in the list
as id, so that they align with those of the JSON file, which can be given as a label file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.repairs import fix_pronoun
from winoglot.formats.importing.rows import SourceRow, build_collection, letter_index
from winoglot.formats.importing.sources import LANGUAGES, language_of
from winoglot.languages.base import function_words
from winoglot.schemas.spans import Span
from winoglot.schemas.text import counted, folded, primary

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection

SUFFIXES = ()
_LISTS = ("ol", "ul")
_UNREAD = ("font", "script", "style")
_BREAKS = ("br", "p", "div")


@dataclass
class _PageItem:
    """An item as parsed so far: the pieces of its text, bold or not, its options, and what follows a bold name."""

    line: int
    pieces: list[tuple[str, bool]] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    numbering: str = "A"
    named: dict[str, str] = field(default_factory=dict)


def sniff(head: str) -> bool:
    """A page with list items that have a `Trecho`."""
    return head.lstrip().startswith("<") and re.search(r"<li\b.*<em>\s*Trecho:", head, re.DOTALL) is not None


def read(file: InputFile) -> Collection:
    """Read the items of one language, Portuguese unless `file.language` says otherwise; others are skipped."""
    language = file.language or LANGUAGES[0]
    rows = []
    for index, item in enumerate(_parse(file)):
        with file.skipping(item.line, f"item {index}") as repaired:
            row = _row(index, item, language, repaired)
            text_language = language_of(row.text or "")
            if text_language is not None and primary(text_language) != primary(language):
                raise InputError(f"its text is in {text_language}, not in {language}: {row.text!r}")
            rows.append(fix_pronoun(row, language, file))
    return build_collection(rows, file, language)


def _parse(file: InputFile) -> list[_PageItem]:
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
            "the page has no list of items", remedy="Items are the <li> elements of the page's <ol>.", file=file.label
        )
    return parser.items


class _Parser(HTMLParser):
    """Gathers the items of the outer list; the list inside an item holds its options."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[_PageItem] = []
        self._into = ""  # what data belongs to: text, snippet, option, options, tail; empty outside items
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
                self.items.append(_PageItem(self.getpos()[0]))
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
        if self._unread or not self._into or not self.items:
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


def _row(number: int, item: _PageItem, language: str, repaired: Repaired) -> SourceRow:
    """The item as a row; its answer is the letter of an option."""
    index = _pronoun_piece(item, language, repaired)
    if len(item.options) < 2:
        raise InputError(f"it has {counted(len(item.options), 'option')}")
    if item.numbering not in ("A", "a", "1"):
        repaired(f"its options are in a list of type {item.numbering!r}; read as lettered from A")
    before, after = ("".join(piece for piece, _ in part) for part in (item.pieces[:index], item.pieces[index + 1 :]))
    text, pronoun = join_text(before, item.pieces[index][0], after)
    options = [" ".join(option.split()).rstrip(" .") for option in item.options]
    label = item.named.get("resposta correta", "").strip(" .\n\t")
    answer = letter_index(label, len(options))
    if answer is None:
        repaired(f"its answer {label!r} names no option; kept without an answer")
    return SourceRow(
        line=item.line,
        source_id=str(number),
        candidates=tuple(_translated(option, text, repaired) for option in options),
        answer=answer,
        text=text,
        pronoun=pronoun,
        parallel_id=f"wsc.{number}",
    )


def _pronoun_piece(item: _PageItem, language: str, repaired: Repaired) -> int:
    """Which piece of the text is the pronoun: the only bold one, or the only bold one that is a pronoun."""
    bold = [index for index, (piece, is_bold) in enumerate(item.pieces) if is_bold and piece.strip()]
    if len(bold) > 1:
        pronouns = function_words(language).pronouns
        among, bold = bold, [index for index in bold if folded(item.pieces[index][0].strip()) in pronouns]
        if len(bold) == 1:
            repaired(f"{len(among)} pieces are bold; read as the pronoun {item.pieces[bold[0]][0].strip()!r}")
    if len(bold) != 1:
        raise InputError("no single pronoun is in <b>")
    return bold[0]


def _translated(option: str, text: str, repaired: Repaired) -> str:
    """The option with the original's "and" replaced by "e", if the text mentions it only in that form."""
    meant = re.sub(r"\band\b", "e", option)
    if option in text or meant == option or meant not in text:
        return option
    repaired(f"partly in English; read as {meant!r}", of=f"the option {option!r}")
    return meant


def join_text(before: str, pronoun: str, after: str) -> tuple[str, Span]:
    """The text of three pieces, any of which may have the spaces that separate them.

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
