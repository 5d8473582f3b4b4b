"""Question, hypotheses and explanation fit the answers.

Otherwise a model is asked something else. Each hypothesis must name its own candidate (its core or a word of its own,
ignoring determiner, contraction and endings) and differ from the others; a question must end with a question mark of
some script and not repeat the text; an explanation must say something that text, question and hypotheses do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.checks.texts import names, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item, Schema

SEVERITY: Severity = "warning"
_QUESTION_MARKS = frozenset("?？؟;⸮፧꘏⳺⁇⁈⁉՞")
_CLOSING = "\"'”’»›)]）」』 \u00a0\u202f"
# Thai, Lao, Tibetan, Myanmar and Khmer ask without a mark.
_UNMARKED = ((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF))


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """What does not fit, item by item."""
    for schema in collection.schemas:
        for item in schema.items:
            yield from _check_question(item)
            yield from _check_hypotheses(item, collection.language)
        yield from _check_explanation(schema)


def _check_question(item: Item) -> Iterator[Finding]:
    if item.question is None:
        return
    if not _asks(item.question):
        yield Finding.about(
            item, f"the question {item.question!r} does not end with a question mark", "Write it as a question."
        )
    if item.text is not None and plain(item.question) == plain(item.text):
        yield Finding.about(item, "the question repeats the text", "Ask what the pronoun refers to.")


def _asks(question: str) -> bool:
    end = question.rstrip(_CLOSING)[-1:]
    if not end or end in _QUESTION_MARKS or "՞" in question:
        return True
    return any(low <= ord(end) <= high for low, high in _UNMARKED)


def _check_hypotheses(item: Item, language: str) -> Iterator[Finding]:
    for index, hypothesis in enumerate(item.hypotheses):
        same = next(
            (
                position
                for position, earlier in enumerate(item.hypotheses[:index])
                if plain(earlier) == plain(hypothesis)
            ),
            None,
        )
        if same is not None:
            message = f"hypotheses {same} and {index} are the same: {hypothesis!r}"
            yield Finding.about(item, message, "Let each name its own candidate.")
    texts = [candidate.text for candidate in item.candidates]
    for index, (text, hypothesis) in enumerate(zip(texts, item.hypotheses, strict=False)):
        if not names(hypothesis, texts, index, language):
            message = f"hypothesis {index} does not name its candidate {text!r}: {hypothesis!r}"
            yield Finding.about(
                item, message, "Write one hypothesis per candidate, in their order, each naming its own."
            )


def _check_explanation(schema: Schema) -> Iterator[Finding]:
    if schema.explanation is None:
        return
    texts = [text for item in schema.items for text in (item.text, item.question, *item.hypotheses) if text]
    if plain(schema.explanation) in map(plain, texts):
        message = f"the explanation only repeats {schema.explanation!r}"
        yield Finding.about(schema, message, "Write the everyday fact that decides.")
