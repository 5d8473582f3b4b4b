"""The XML of the original collection, WSCollection.xml.

One `<schema>` per item. The French collection's XML has another shape: see `french_xml`.

    <collection><schema>
      <text><txt1>…</txt1><pron>…</pron><txt2>…</txt2></text>
      <quote><quote1/><pron/><quote2/></quote>
      <answers><answer/><answer/></answers><correctAnswer>A</correctAnswer><source/>
    </schema>…</collection>

The quote repeats part of the text and is not read; nor is the source, which names the author of the schema. Files that
Winoglot writes name their language in `xml:lang`. Not yet tried on the published file.
"""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from winoglot.errors import InputError, located
from winoglot.formats.base import what_is_lost
from winoglot.formats.importing.repairs import fix_pronoun
from winoglot.formats.importing.rows import SourceRow, build_collection, letter_index
from winoglot.formats.importing.sources import ANOTHER_FORMAT
from winoglot.formats.importing.xml import content_of, join_parts, parse_schemas, squeezed
from winoglot.languages.base import function_words
from winoglot.schemas.text import counted, folded, language_tag

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection, Item

SUFFIXES = (".xml",)
_LANGUAGES = ("en", "fr", "pt-BR")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_NOT_IN_XML = re.compile("[\ufffe\uffff]")


def sniff(head: str) -> bool:
    """A collection of schemas whose texts are in two parts."""
    return (
        head.lstrip().startswith("<")
        and all(re.search(rf"<{tag}\b", head) for tag in ("collection", "schema", "txt1"))
        and not re.search(r"<wordA\b", head)
    )


def read(file: InputFile) -> Collection:
    """Read every schema as one item; neighbours that differ in linked places become one schema."""
    root, lines = parse_schemas(file)
    schemas = [element for element in root.iter() if element.tag == "schema"]
    if root.tag != "collection" or not schemas:
        raise InputError(
            f"expected <collection> with one <schema> per item, found <{root.tag}> with {len(schemas)} of them",
            remedy=ANOTHER_FORMAT,
            file=file.label,
            line=1,
        )
    language = _language(root, schemas, file)
    rows = []
    for index, (line, schema) in enumerate(zip(lines, schemas, strict=True)):
        with file.skipping(line, f"schema {index}") as repaired:
            rows.append(fix_pronoun(_row(index, line, schema, language, repaired), language, file))
    return build_collection(rows, file, language)


def _language(root: Element, schemas: list[Element], file: InputFile) -> str:
    """As the caller or the file says; else the language to which most of the marked pronouns belong."""
    if file.language:
        return file.language
    if root.get(_LANG):
        with located(file=file.label, line=1):
            return language_tag(root.get(_LANG, ""))
    marked = [folded(content_of(schema, "text/pron")) for schema in schemas]
    votes = {tag: sum(word in function_words(tag).pronouns for word in marked) for tag in _LANGUAGES}
    best = sorted(votes, key=lambda tag: votes[tag], reverse=True)
    if votes[best[0]] == votes[best[1]]:
        raise InputError("the file does not name its language", remedy="Name it with --language.", file=file.label)
    return best[0]


def _row(number: int, line: int, schema: Element, language: str, repaired: Repaired) -> SourceRow:
    candidates = tuple(content_of(answer).rstrip(" .") for answer in schema.findall("answers/answer"))
    if len(candidates) < 2:
        raise InputError(f"it has {counted(len(candidates), 'answer')}")
    parts = []
    for tag in ("txt1", "pron", "txt2"):
        part = schema.find(f"text/{tag}")
        if part is None:
            raise InputError(f"it has no <{tag}>")
        parts.append("".join(part.itertext()))
    if not parts[1].strip():
        raise InputError("its <pron> is empty")
    before, pronoun, after = parts
    text, span = join_parts(before, pronoun, after, language)
    label = content_of(schema, "correctAnswer")
    answer = letter_index(label, len(candidates))
    if answer is None:
        repaired(f"its answer {label!r} names no candidate; kept without an answer")
    return SourceRow(line, str(number), candidates, answer, text, span)


def write(collection: Collection) -> str:
    """The originals that the format can hold; `lost` says what is missing."""
    root = ElementTree.Element("collection", {"xml:lang": collection.language})
    for key in ("licence", "citation"):
        value = getattr(collection, key)
        if value:
            root.append(ElementTree.Comment(f" {key}: {re.sub('-(?=-)', '- ', value)} "))
    for item in collection.items:
        if _obstacle(item) is None:
            root.append(_schema(item))
    ElementTree.indent(root)
    text = _NOT_IN_XML.sub("", ElementTree.tostring(root, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _schema(item: Item) -> Element:
    schema = ElementTree.Element("schema")
    before, pronoun, after = item.parts
    clause = re.split("[.!?;。！？；]", after, maxsplit=1)[0]
    for name, values in (
        ("text", {"txt1": before, "pron": pronoun, "txt2": after}),
        ("quote", {"quote1": "", "pron": pronoun, "quote2": clause}),
    ):
        parent = ElementTree.SubElement(schema, name)
        for tag, value in values.items():
            ElementTree.SubElement(parent, tag).text = value
    answers = ElementTree.SubElement(schema, "answers")
    for candidate in item.candidates:
        ElementTree.SubElement(answers, "answer").text = candidate.text
    letter = "" if item.answer is None else string.ascii_uppercase[item.answer]
    ElementTree.SubElement(schema, "correctAnswer").text = letter
    source = item.source
    ElementTree.SubElement(schema, "source").text = f"{source.collection} {source.id or ''}".strip() if source else ""
    return schema


def _obstacle(item: Item) -> str | None:
    """Why the format cannot hold an item."""
    if item.text is None:
        return "there is no text"
    if item.pronoun_form == "zero":
        return "the pronoun is not spoken"
    if not 2 <= len(item.candidates) <= len(string.ascii_uppercase):
        return "there are fewer than two or more than 26 candidates"
    texts = [item.text, *(candidate.text for candidate in item.candidates)]
    if any(_NOT_IN_XML.search(text) for text in texts):
        return "there are characters that XML does not allow"
    if any(candidate.text != squeezed(candidate.text).rstrip(" .") for candidate in item.candidates):
        return "a candidate ends in a full stop or has line breaks"
    if squeezed(join_parts(*item.parts, item.language)[0]) != squeezed(item.text):
        return "there are unusual spaces"
    return None


def lost(collection: Collection) -> list[str]:
    """What the elements cannot hold, with the ids of the items."""

    def of_item(item: Item) -> Iterator[str]:
        if join_parts(*item.parts, item.language) != (item.text, item.pronoun):
            yield "double spaces, which become one"

    return what_is_lost(collection, _obstacle, of_item, held=("licence", "citation"))
