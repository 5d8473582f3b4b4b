"""A format: one schema per line, `text with {pronoun} | candidate | candidate | answer`, below the language."""

from winoglot.errors import InputError, located
from winoglot.languages.base import function_words
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema

SUFFIXES = (".bars",)


def sniff(head):
    return head.startswith("bars ")


def read(file):
    first, *lines = file.text.splitlines()
    language = first.removeprefix("bars ")
    words = function_words(language)
    schemas = []
    for number, line in enumerate(lines, 2):
        with located(file=file.label, line=number):
            parts = [part.strip() for part in line.split("|")]
            if len(parts) < 3 or not parts[-1].isdecimal():
                raise InputError("this is not a schema", remedy="Write: text | candidate | candidate | answer.")
            text, *candidates, answer = parts
            entry = {"id": f"line-{number}", "text": text, "candidates": candidates, "answers": [int(answer)]}
            schemas.append(parse_schema(entry, words))
    return Collection(name=file.path.stem, language=language, schemas=tuple(schemas))


def write(collection):
    lines = [f"bars {collection.language}"]
    for item in collection.items:
        text = f"{item.text[: item.pronoun.start]}{{{item.pronoun.of(item.text)}}}{item.text[item.pronoun.end :]}"
        lines.append(" | ".join([text, *(candidate.text for candidate in item.candidates), str(item.answer)]))
    return "\n".join(lines) + "\n"
