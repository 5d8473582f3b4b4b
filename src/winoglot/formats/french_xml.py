"""The XML of the French collection, in which a schema has two words.

    <schema id="1" engn="3"> … <txt1>…</txt1><wordA>…</wordA><wordB>…</wordB><txt2>…</txt2>
    <qn1>…</qn1><qwordA>…</qwordA><qwordB>…</qwordB><qn2>…</qn2> <answer1>…</answer1><answer2>…</answer2>

The elements may stand anywhere in their schema. `txt1`, one of the two words and `txt2` are the text, `qn1`, a word and
`qn2` the question; `answer1` is right for `wordA`, `answer2` for `wordB`. `engn` is the number of the English schema,
000 or 9999 if there is none. No pronoun is marked: `importing.pronoun_choice` finds the one that the question asks for.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.pronoun_choice import unmarked_pronoun
from winoglot.formats.importing.rows import SourceRow, build_collection
from winoglot.formats.importing.sources import ANOTHER_FORMAT
from winoglot.formats.importing.xml import join_parts, parse_schemas
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection

SUFFIXES = (".xml",)
_WORDS = ("A", "B")


def sniff(head: str) -> bool:
    """Schemas that have two words."""
    return head.lstrip().startswith("<") and all(re.search(rf"<{tag}\b", head) for tag in ("schema", "wordA", "wordB"))


def read(file: InputFile) -> Collection:
    """Read every schema as two items; the language is French unless the caller says otherwise."""
    root, lines = parse_schemas(file)
    schemas = [element for element in root.iter() if element.tag == "schema"]
    if not schemas:
        message = f"expected one <schema> per schema, found none in <{root.tag}>"
        raise InputError(message, remedy=ANOTHER_FORMAT, file=file.label, line=1)
    language = file.language or "fr"
    rows: list[SourceRow] = []
    english: set[str] = set()
    for index, (line, schema) in enumerate(zip(lines, schemas, strict=True)):
        name = schema.get("id") or f"number-{index}"
        number = (schema.get("engn") or "").lstrip("0")
        parallel_id = f"wsc-schema-{number}" if number not in ("", "9999", *english) else ""
        english.add(number)
        for answer, word in enumerate(_WORDS):
            with file.skipping(line, f"item {word} of schema {name}") as repaired:
                base = SourceRow(line, f"{name}{word}", group=name, answer=answer)
                rows.append(_row(schema, base, parallel_id, language, repaired))
    return build_collection(rows, file, language)


def _row(schema: Element, base: SourceRow, parallel_id: str, language: str, repaired: Repaired) -> SourceRow:
    word = _WORDS[base.answer or 0]
    text, _ = join_parts(_part(schema, "txt1"), _part(schema, f"word{word}"), _part(schema, "txt2"), language)
    question, _ = join_parts(_part(schema, "qn1"), _part(schema, f"qword{word}"), _part(schema, "qn2"), language)
    candidates = tuple(" ".join(_part(schema, tag).split()).rstrip(" .") for tag in ("answer1", "answer2"))
    missing = [name for name, value in (("text", text), ("question", question)) if not value.strip()]
    missing += [f"answer{place}" for place, candidate in enumerate(candidates, 1) if not candidate]
    if missing:
        raise InputError(f"it has no {' and no '.join(missing)}")
    return replace(
        base,
        candidates=candidates,
        text=text,
        pronoun=unmarked_pronoun(text, question, candidates, language, repaired),
        question=question,
        parallel_id=f"{parallel_id}.{word}" if parallel_id else "",
    )


def _part(schema: Element, tag: str) -> str:
    """The text of the only element of a schema with this tag; empty if there is none."""
    elements = list(schema.iter(tag))
    if len(elements) > 1:
        raise InputError(f"it has {counted(len(elements), f'<{tag}>')}")
    return "".join(elements[0].itertext()) if elements else ""
