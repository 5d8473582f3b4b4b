"""XML with one element per schema: its elements and their lines, and a text that stands in several of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from winoglot.errors import InputError
from winoglot.schemas.spans import Span
from winoglot.schemas.text import CLOSING, OPENING, needs_space, primary

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from winoglot.formats.base import InputFile


def parse_schemas(file: InputFile) -> tuple[Element, list[int]]:
    """The root, and the line in which each schema begins."""
    lines: list[int] = []

    class Builder(ElementTree.TreeBuilder):
        def start(self, tag: str, attrs: dict[str, str]) -> Element:
            if tag == "schema":
                lines.append(parser.parser.CurrentLineNumber)
            return super().start(tag, attrs)

    parser = DefusedXMLParser(target=Builder())
    try:
        parser.feed(file.text)
        return parser.close(), lines
    except ElementTree.ParseError as error:
        line, column = error.position
        raise InputError(
            f"this is not XML: {error.msg}", remedy="Correct the markup.", file=file.label, line=line, column=column + 1
        ) from error
    except DefusedXmlException as error:
        raise InputError(
            f"the file defines or uses entities, which can be an attack: {error}",
            remedy="Replace them with the characters they stand for.",
            file=file.label,
            line=parser.parser.CurrentLineNumber,
        ) from error


def content_of(element: Element, path: str = ".") -> str:
    """All text inside an element, without extra spaces; empty if there is no such element."""
    child = element.find(path)
    return "" if child is None else squeezed("".join(child.itertext())).strip()


def squeezed(text: str) -> str:
    """Line breaks and runs of spaces as one space; no-break spaces stay, because French needs them."""
    return re.sub(r"[ \t\r\n]+", " ", text)


def join_parts(before: str, pronoun: str, after: str, language: str) -> tuple[str, Span]:
    """The text of its three elements, which are on lines of their own, so that spaces between them may mean nothing.

    >>> join_parts("The lamp fell and ", " it ", " , at last, broke.", "en")
    ('The lamp fell and it, at last, broke.', Span(start=18, end=20))
    """
    left, inner, right = (squeezed(part) for part in (before, pronoun, after))
    start = _joined(left.lstrip(), inner.strip(), language)
    text = _joined(start, (" " if inner.endswith(" ") else "") + right.rstrip(), language)
    return text, Span(len(start) - len(inner.strip()), len(start))


def _joined(left: str, right: str, language: str) -> str:
    apart = left.endswith(" ") or right.startswith(" ")
    left, right = left.rstrip(" "), right.lstrip(" ")
    if apart and left and right:
        spaced = ";:!?»" if primary(language) == "fr" else ""
        closes = right[0] in CLOSING and right[0] not in spaced
        opens = left[-1] in OPENING and not (left[-1] == "«" and spaced)
        return left + ("" if closes or opens else " ") + right
    return left + " " * needs_space(left, right) + right
