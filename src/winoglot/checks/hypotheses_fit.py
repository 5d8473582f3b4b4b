"""Question, hypotheses and explanation fit the answers.

Otherwise a model is asked something else. Each hypothesis must name its own candidate (its core or a word of its own,
ignoring determiner, contraction and endings) and differ from the others; a question must end with a question mark of
some script and not repeat the text; an explanation must say something that text, question and hypotheses do not. Each
inference pair is judged by itself, so what is said of one candidate must not follow for the other: if *the path to the
lake* is blocked, neither the path nor the lake can be used (Bernard and Han 2020). Candidates of one phrase are named.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.checks.texts import names, plain
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.text import folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item, Schema
    from winoglot.schemas.spans import Span

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
        yield from _check_independence(schema, collection.language)


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


def _check_independence(schema: Schema, language: str) -> Iterator[Finding]:
    """Candidates of which one belongs to the other's phrase: *The path to the lake was blocked.*"""
    remedy = "Read each candidate's inference pair by itself; put them in different phrases if both hold."
    for item in schema.items:
        for first, second in permutations(item.candidates, 2):
            pairs = product(first.mentions, second.mentions)
            if any(_is_one_phrase(item.text or "", *pair, language) for pair in pairs):
                message = f"what is said of {first.text!r} may follow for {second.text!r}: they are one phrase"
                yield Finding.about(schema, message, remedy)
                return


def _is_one_phrase(text: str, first: Span, second: Span, language: str) -> bool:
    """Whether a phrase that opens a sentence consists of both mentions and a preposition, or 的 joins them anywhere."""
    if first.end > second.start:
        return False
    opening = folded(second.of(text)).partition(" ")[0]
    link = folded(text[first.end : second.start].strip())
    link = link or function_words(language).contractions.get(opening, ("", ""))[0]
    is_relation = link in lexicon(language, "function_words").words("relation")
    return is_relation and (is_unspaced(link[0]) or opens_sentence(text, first.start))
