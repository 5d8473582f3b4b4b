"""The XML of the original collection (`WSCollection.xml`), and French XML of the same shape: a `<schema>` an item.

    <collection><schema>
      <text><txt1>…</txt1><pron>…</pron><txt2>…</txt2></text>
      <quote><quote1/><pron/><quote2/></quote>
      <answers><answer/><answer/></answers><correctAnswer>A</correctAnswer><source/>
    </schema>…</collection>

The quote repeats a part of the text and is not read; nor is the source, which names who thought of the schema. Written,
a file says its language in `xml:lang`. This format is not yet tried on the published file.
"""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from winoglot.errors import InputError, located
from winoglot.formats._pronouns import mend_pronoun
from winoglot.formats._rows import Row, build_collection
from winoglot.languages.base import function_words
from winoglot.schemas.model import NO_FEATURES
from winoglot.schemas.spans import Span
from winoglot.schemas.text import CLOSING, OPENING, folded, language_tag, needs_space, primary

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.etree.ElementTree import Element

    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection, Item

SUFFIXES = (".xml",)
_LANGUAGES = ("en", "fr", "pt-BR")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_NOT_IN_XML = re.compile("[\ufffe\uffff]")


def sniff(head: str) -> bool:
    """A collection of schemas, their texts in two parts."""
    return head.lstrip().startswith("<") and all(
        re.search(rf"<{tag}\b", head) for tag in ("collection", "schema", "txt1")
    )


def read(file: InputFile) -> Collection:
    """Read every schema as one item; neighbours that differ in linked places become one schema."""
    root, lines = _parse(file)
    schemas = [element for element in root.iter() if element.tag == "schema"]
    if root.tag != "collection" or not schemas:
        raise InputError(
            f"expected <collection> with a <schema> for every item, found <{root.tag}> with {len(schemas)} of them",
            remedy="Is the file in another format?",
            file=file.label,
            line=1,
        )
    language = _language(root, schemas, file)
    rows = []
    for number, (line, schema) in enumerate(zip(lines, schemas, strict=True)):
        row = _row(number, line, schema, language, file)
        if row is not None:
            rows.append(mend_pronoun(row, language, file))
    return build_collection(rows, file, language)


def _parse(file: InputFile) -> tuple[Element, list[int]]:
    """The root, and the line of every schema, in their order."""
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
            f"the file defines or refers to entities, which may be used to attack: {error}",
            remedy="Replace them by the characters they stand for.",
            file=file.label,
            line=parser.parser.CurrentLineNumber,
        ) from error


def _language(root: Element, schemas: list[Element], file: InputFile) -> str:
    """As the caller or the file says; else the language most of whose pronouns are marked in the schemas."""
    if file.language:
        return file.language
    if root.get(_LANG):
        with located(file=file.label, line=1):
            return language_tag(root.get(_LANG, ""))
    marked = [folded(_content(schema, "text/pron")) for schema in schemas]
    votes = {tag: sum(word in function_words(tag).pronouns for word in marked) for tag in _LANGUAGES}
    best = sorted(votes, key=lambda tag: votes[tag], reverse=True)
    if votes[best[0]] == votes[best[1]]:
        raise InputError("the file does not say its language", remedy="Say it with --language.", file=file.label)
    return best[0]


def _row(number: int, line: int, schema: Element, language: str, file: InputFile) -> Row | None:
    parts = [schema.find(f"text/{tag}") for tag in ("txt1", "pron", "txt2")]
    candidates = tuple(_content(answer).rstrip(" .") for answer in schema.findall("answers/answer"))
    missing = [tag for tag, part in zip(("txt1", "pron", "txt2"), parts, strict=True) if part is None]
    if missing or len(candidates) < 2 or not _content(schema, "text/pron"):
        why = f"it has no <{missing[0]}>" if missing else "its <pron> is empty"
        file.skipped(line, f"schema {number}", why if len(candidates) > 1 else f"it has {len(candidates)} answers")
        return None
    before, pronoun, after = ("".join(part.itertext()) for part in parts if part is not None)
    text, span = join_parts(before, pronoun, after, language)
    given = _content(schema, "correctAnswer").strip(" .")
    answer = string.ascii_uppercase.find(given.upper()) if len(given) == 1 else -1
    if not 0 <= answer < len(candidates):
        file.repaired(line, f"schema {number}", f"its answer {given!r} names none of them; kept without an answer")
    known = answer if 0 <= answer < len(candidates) else None
    return Row(line, str(number), candidates, known, text, span)


def _content(element: Element, path: str = ".") -> str:
    """All text inside, without surplus blanks; none where there is no such element."""
    found = element.find(path)
    return "" if found is None else _squeezed("".join(found.itertext())).strip()


def _squeezed(text: str) -> str:
    """Line breaks and runs of blanks as one blank; no-break spaces stay, French needs them."""
    return re.sub(r"[ \t\r\n]+", " ", text)


def join_parts(before: str, pronoun: str, after: str, language: str) -> tuple[str, Span]:
    """The text of its three elements, which stand on lines of their own, so that their blanks may mean nothing.

    >>> join_parts("The lamp fell and ", " it ", " , at last, broke.", "en")
    ('The lamp fell and it, at last, broke.', Span(start=18, end=20))
    """
    left, inner, right = (_squeezed(part) for part in (before, pronoun, after))
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


def write(collection: Collection) -> str:
    """The originals that the format can hold; `lost` lists what it cannot."""
    root = ElementTree.Element("collection", {"xml:lang": collection.language})
    for key in ("licence", "citation"):
        value = getattr(collection, key)
        if value:
            root.append(ElementTree.Comment(f" {key}: {re.sub('-(?=-)', '- ', value)} "))
    for item in collection.items:
        if _obstacle(item, collection.language) is None:
            root.append(_schema(item))
    ElementTree.indent(root)
    text = _NOT_IN_XML.sub("", ElementTree.tostring(root, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _schema(item: Item) -> Element:
    schema = ElementTree.Element("schema")
    before, pronoun, after = _parts(item)
    text = ElementTree.SubElement(schema, "text")
    quote = ElementTree.SubElement(schema, "quote")
    clause = re.match(r"[^.!?;。！？；]*", after)
    for parent, tags, values in (
        (text, ("txt1", "pron", "txt2"), (before, pronoun, after)),
        (quote, ("quote1", "pron", "quote2"), ("", pronoun, clause.group() if clause else "")),
    ):
        for tag, value in zip(tags, values, strict=True):
            ElementTree.SubElement(parent, tag).text = value
    answers = ElementTree.SubElement(schema, "answers")
    for candidate in item.candidates:
        ElementTree.SubElement(answers, "answer").text = candidate.text
    letter = "" if item.answer is None else string.ascii_uppercase[item.answer]
    ElementTree.SubElement(schema, "correctAnswer").text = letter
    source = item.source
    ElementTree.SubElement(schema, "source").text = f"{source.collection} {source.id or ''}".strip() if source else ""
    return schema


def _parts(item: Item) -> tuple[str, str, str]:
    text, pronoun = item.text or "", item.pronoun or Span(0, 0)
    return text[: pronoun.start], pronoun.of(text), text[pronoun.end :]


def _obstacle(item: Item, language: str) -> str | None:
    """Why the format cannot hold an item at all."""
    if item.text is None:
        return "items without a text"
    if item.pronoun_form == "zero":
        return "items whose pronoun is not spoken"
    if not 2 <= len(item.candidates) <= len(string.ascii_uppercase):
        return "items with one candidate or more than 26"
    texts = [item.text, *(candidate.text for candidate in item.candidates)]
    if any(_NOT_IN_XML.search(text) for text in texts):
        return "items with characters that XML does not allow"
    if any(candidate.text != _squeezed(candidate.text).rstrip(" .") for candidate in item.candidates):
        return "items with a candidate that ends in a dot or has line breaks"
    if _squeezed(join_parts(*_parts(item), language)[0]) != _squeezed(item.text):
        return "items with unusual blanks"
    return None


def lost(collection: Collection) -> list[str]:
    """What is not in the file that `write` gives, with the ids of the items."""
    found: dict[str, list[str]] = {}
    for item in collection.items:
        obstacle = _obstacle(item, collection.language)
        for what in [obstacle] if obstacle else _unheld(item, collection.language):
            found.setdefault(what, []).append(item.id)
    if collection.variants():
        found["variants"] = [variant.id for variant in collection.variants()]
    explained = [schema.id for schema in collection.schemas if schema.explanation or schema.note or schema.impossible]
    if explained:
        found["explanations, notes and impossible variants"] = explained
    return [f"{what}: {', '.join(ids)}" for what, ids in found.items()]


def _unheld(item: Item, language: str) -> Iterable[str]:
    if join_parts(*_parts(item), language) != (item.text, item.pronoun):
        yield "doubled blanks, which become one"
    fields = ("question", "hypotheses", "readings", "inferences", "tags", "phrase")
    yield from (f"the {name} of items" for name in fields if getattr(item, name))
    if any(candidate.features != NO_FEATURES for candidate in item.candidates):
        yield "the features of candidates"
    if item.terms.candidates or item.terms.segment:
        yield "the terms of items"
