"""Articles of JSONL: an object a line with `text` (or `tokens`) and, where known, `title`, `id` and `revision`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from winoglot.corpus.article import Article
from winoglot.corpus.opening import source_name
from winoglot.errors import InputError, type_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.corpus.stretches import Stretch

_FORM = 'Write one object a line: {"text": "…", "title": "…"}.'


def articles(stretch: Stretch, *, tokenised: bool) -> Iterator[Article]:
    """The articles of a stretch; a line break in `text` ends a paragraph (of tokens: a sentence).

    `tokens` is a list of tokens, or of sentences that are lists of tokens; it is read if the source is tokenised.

    >>> from winoglot.corpus.stretches import Stretch
    >>> line = b'{"title": "Chuva", "tokens": [["Chove", "."], ["Muito", "!"]]}'
    >>> next(articles(Stretch("chuva.jsonl", 1, line), tokenised=True))
    Article(title='Chuva', text='Chove .\\nMuito !', id='', revision='')
    """
    for number, line in enumerate(stretch.text().split("\n"), start=stretch.line):
        if line.strip():
            try:
                yield _article(line, tokenised)
            except InputError as error:
                error.file, error.line = source_name(stretch.source), number
                raise


def _article(line: str, tokenised: bool) -> Article:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", remedy=_FORM) from error
    if not isinstance(record, dict):
        raise InputError(f"not an object: {line[:60]!r}", remedy=_FORM)
    if tokenised and "tokens" in record:
        text = _joined(record["tokens"])
    elif "text" in record:
        text = _string(record, "text")
    elif "tokens" in record:
        raise InputError("the article has tokens and no text", remedy="Add --tokenised.", path=("tokens",))
    else:
        raise InputError(f"no text; the keys are {', '.join(map(repr, record)) or 'none'}", remedy=_FORM)
    return Article(_string(record, "title"), text, _string(record, "id"), _string(record, "revision"))


def _string(record: dict[str, Any], key: str) -> str:
    value = record.get(key, "")
    if value is None:
        return ""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()  # half a surrogate pair is no character
    if isinstance(value, int) and key != "text":
        return str(value)
    raise InputError(f"{type_names.get(type(value), 'something')} where text belongs", remedy=_FORM, path=(key,))


def _joined(tokens: object) -> str:
    if not isinstance(tokens, list):
        raise InputError("the tokens are no list", remedy='Write "tokens": ["Chove", "."].', path=("tokens",))
    sentences = tokens if tokens and isinstance(tokens[0], list) else [tokens]
    for sentence in sentences:
        if not isinstance(sentence, list):
            raise InputError("sentences and tokens are mixed", remedy="Put every sentence into a list of its own.")
        for token in sentence:
            if not isinstance(token, str) or len(token.split()) != 1 or token != token.strip():
                message = f"{token!r} is not a token: text without blanks"
                raise InputError(message, remedy="Cut it at its blanks.", path=("tokens",))
    return "\n".join(" ".join(sentence) for sentence in sentences).encode(errors="replace").decode()
