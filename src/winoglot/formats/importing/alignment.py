"""Recovering the text, with a gap for the pronoun, from two sentences in which the pronoun is already substituted.

A text is recovered only if it is certain: the sentences differ in one place, in both of them the words there name
something that the rest of the sentence mentions, and no longer phrase could be meant. Otherwise the item has only its
readings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.formats.importing.grouping import tokenise
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.model import WrittenReading
from winoglot.schemas.spans import Span, shared_end, shared_start
from winoglot.schemas.text import folded, is_inside_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.formats.importing.rows import SourceRow
    from winoglot.schemas.mentions import FunctionWords

_GAP = "_"
# The most words that two noun phrases may share on either side: "the younger brother of the queen".
_LONGEST = 6


@dataclass(frozen=True)
class Alignment:
    """The text with a gap, and for each reading the candidate in its citation form and what is in the gap."""

    text: str
    pronoun: Span
    candidates: tuple[str, str]
    insertions: tuple[Span, Span]


def align(first: str, second: str, words: FunctionWords) -> Alignment | None:
    """The text of which these are two readings; None if that is not certain.

    >>> from winoglot.languages.base import function_words
    >>> found = align("A bola caiu na rede e a bola rasgou.", "A bola caiu na rede e a rede rasgou.",
    ...               function_words("pt"))
    >>> found.text, found.candidates
    ('A bola caiu na rede e _ rasgou.', ('a bola', 'a rede'))
    """
    texts = (first, second)
    if _GAP in first or _GAP in second:
        return None
    extents = [alignment for extent in _extents(texts) if (alignment := _cut(texts, extent, words)) is not None]
    if not extents:
        return None
    smallest, largest = (
        extents[0],
        max(extents, key=lambda alignment: alignment.insertions[0].end - alignment.insertions[0].start),
    )
    if any(not _covers(largest, other) for other in extents):
        return None
    if largest is not smallest and not _is_phrase(largest, smallest, texts, words):
        return None
    return None if _may_be_longer(largest, words) else largest


def find_insertion(reading: str, text: str, pronoun: Span, candidate: str, words: FunctionWords) -> Span | None:
    """Where a freely written reading has the candidate in the pronoun's place; None if that is not certain.

    The reading must mention the candidate once more than the text; the extra mention is the one whose position among
    all mentions is the pronoun's.
    """
    text_mentions = find_mentions(text, candidate, words, pronoun)
    reading_mentions = find_mentions(reading, candidate, words, Span(0, 0))
    before = [mention for mention in text_mentions if mention.start < pronoun.start]
    return reading_mentions[len(before)] if len(reading_mentions) == len(text_mentions) + 1 else None


def differing_spans(sentences: tuple[str, str], words: FunctionWords) -> list[Span]:
    """Where two sentences differ, in whole words, so that what follows in both can be scored.

    Words that both go on with may still belong to the candidates (*the older students* beside *the younger students*):
    those up to one that the sentence has said before count as part of the difference.

    >>> from winoglot.languages.base import function_words
    >>> first = "The old doors hid the new ones, so we painted the old doors green."
    >>> second = "The old doors hid the new ones, so we painted the new doors green."
    >>> [span.of(text) for text, span in zip((first, second), differing_spans((first, second), function_words("en")))]
    ['old doors', 'new doors']
    """
    spans = [tokenise(sentence) for sentence in sentences]
    tokens = [[span.of(text) for span in row] for text, row in zip(sentences, spans, strict=True)]
    before = shared_start(tokens[0], tokens[1])
    after = shared_end(tokens[0][before:], tokens[1][before:])
    said = {folded(word) for word in tokens[0][:before]}
    ending = tokens[0][len(tokens[0]) - after :]
    for number, word in enumerate(ending[:_LONGEST], 1):
        if word[0].isalnum() and folded(word) not in words.closed | said:
            break
        if folded(word) in said - words.closed:
            after = len(ending) - number
    shortest = min(map(len, tokens))
    before = min(before, shortest - after - 1)  # at least one word: "Ann" beside "Ann's friend"
    if before < 0:
        return [Span(0, len(sentence)) for sentence in sentences]
    return [Span(row[before].start, row[len(row) - after - 1].end) for row in spans]


def substituted_row(
    base: SourceRow, alignment: Alignment | None, sentences: tuple[str, str], words: FunctionWords
) -> SourceRow:
    """The row with the text that alignment found, and with the readings that the candidate alone would not give."""
    if alignment is None:
        marked = zip(sentences, differing_spans(sentences, words), strict=True)
        return replace(base, readings=tuple(WrittenReading(sentence, span) for sentence, span in marked))
    written = tuple(
        None if span.of(sentence) == candidate else WrittenReading(sentence, span)
        for sentence, span, candidate in zip(sentences, alignment.insertions, alignment.candidates, strict=True)
    )
    readings = written if any(written) else ()
    return replace(
        base, text=alignment.text, pronoun=alignment.pronoun, candidates=alignment.candidates, readings=readings
    )


def switched_row(original: SourceRow, right: str, wrong: str, words: FunctionWords) -> SourceRow:
    """The row with its candidates switched: the first candidate, correct before, now makes the wrong sentence."""
    base = replace(original, text=None, pronoun=None, answer=1, readings=())
    alignment = align(wrong, right, words) if original.text is not None else None
    if alignment is not None and _names(alignment.candidates, words) == _names(original.candidates, words):
        alignment = replace(alignment, candidates=(original.candidates[0], original.candidates[1]))
        return substituted_row(base, alignment, (wrong, right), words)
    return substituted_row(base, None, (wrong, right), words)


def _names(candidates: Iterable[str], words: FunctionWords) -> list[str]:
    return [folded(words.without_determiner(candidate)) for candidate in candidates]


def _extents(texts: tuple[str, str]) -> Iterator[tuple[Span, Span]]:
    """Possible insertions, smallest first: where the readings differ, extended by more and more of what they share."""
    spans = [tokenise(text) for text in texts]
    tokens = [[span.of(text) for span in row] for text, row in zip(texts, spans, strict=True)]
    before = shared_start(tokens[0], tokens[1])
    after = shared_end(tokens[0][before:], tokens[1][before:])
    sizes = [(left, right) for left in range(_LONGEST + 1) for right in range(_LONGEST + 1)]
    for left, right in sorted(sizes, key=sum):
        if left > before or right > after:
            continue
        first, last = before - left, after - right
        rows = [row[first : len(row) - last] for row in spans]
        if all(rows):
            a, b = (Span(row[0].start, row[-1].end) for row in rows)
            yield a, b


def _cut(texts: tuple[str, str], extent: tuple[Span, Span], words: FunctionWords) -> Alignment | None:
    """The alignment with these insertions, if both name something that the shared text mentions."""
    (first, second), (a, b) = texts, extent
    if first[: a.start] != second[: b.start] or first[a.end :] != second[b.end :]:
        return None  # they also differ in their spaces
    if any(is_inside_word(text, span.start, span.end) for text, span in zip(texts, extent, strict=True)):
        return None
    text = first[: a.start] + _GAP + first[a.end :]
    pronoun = Span(a.start, a.start + 1)
    candidates = _citations(a.of(first), b.of(second), words)
    if candidates is None or folded(candidates[0]) == folded(candidates[1]):
        return None
    if all(_names_candidate(candidate, text, pronoun, words) for candidate in candidates):
        return Alignment(text, pronoun, candidates, extent)
    return None


def _citations(first: str, second: str, words: FunctionWords) -> tuple[str, str] | None:
    """Both phrases without a preposition that contracts with their determiners: "do rei", "da dama", "de Ana"."""
    split_phrases = [phrase.partition(" ") for phrase in (first, second)]
    contracted = [words.contractions.get(folded(word)) for word, _, _ in split_phrases]
    prepositions = {parts[0] for parts in contracted if parts}
    if not prepositions:
        return first, second
    if len(prepositions) > 1:
        return None
    result = []
    for (word, _, rest), parts in zip(split_phrases, contracted, strict=True):
        if not rest or (parts is None and folded(word) not in prepositions):
            return None
        result.append(f"{parts[1]} {rest}" if parts else rest)
    return result[0], result[1]


def _names_candidate(candidate: str, text: str, pronoun: Span, words: FunctionWords) -> bool:
    """Whether the shared text mentions the candidate, and it is more than function words and punctuation."""
    core = words.without_determiner(candidate)
    if folded(core) in words.closed or folded(core).split()[0] in words.prepositions:
        return False
    if not core[0].isalnum() or not core[-1].isalnum():
        return False
    return bool(find_mentions(text, candidate, words, pronoun))


def _covers(longer: Alignment, shorter: Alignment) -> bool:
    return all(a.within(b) for a, b in zip(shorter.insertions, longer.insertions, strict=True))


def _is_phrase(longer: Alignment, shorter: Alignment, texts: tuple[str, str], words: FunctionWords) -> bool:
    """Whether the longer insertions are certainly phrases: they begin with a determiner and end where the shorter do.

    Portuguese "a" may also be a preposition; a mention with a determiner must show that here it is not.
    """
    phrases = [span.of(text) for text, span in zip(texts, longer.insertions, strict=True)]
    ends = [long.end == short.end for long, short in zip(longer.insertions, shorter.insertions, strict=True)]
    if not all(ends) or not all(_is_determined(phrase, words) for phrase in phrases):
        return False
    if not any(folded(phrase).split()[0] in words.prepositions for phrase in phrases):
        return True
    mentions = (m for c in longer.candidates for m in find_mentions(longer.text, c, words, longer.pronoun))
    return any(_is_determined(mention.of(longer.text), words) for mention in mentions)


def _is_determined(phrase: str, words: FunctionWords) -> bool:
    return folded(phrase).split()[0] in words.openers


def _may_be_longer(alignment: Alignment, words: FunctionWords) -> bool:
    """Whether the word beside the gap, which is also beside every mention, may belong to the phrases.

    It may after one candidate if it ends the clause ("The red cars passed the blue ones; we liked the red cars."),
    before one if a determiner opens the phrase ("He bought the old lamp and a vase, but the old lamp broke."), and
    before all of them in any case ("He baked a loaf of rye and a cake of oats, and ate the loaf of rye.").
    """
    text, gap = alignment.text, alignment.pronoun
    mentions = [find_mentions(text, candidate, words, gap) for candidate in alignment.candidates]
    after = re.match(r" ?(\w+)[^\w\s]", text[gap.end :])
    if after and any(all(re.match(rf" ?{after[1]}\b", text[m.end :]) for m in row) for row in mentions):
        return True
    before = re.search(r"(\S*) ?\b(\w+) $", text[: gap.start])
    if before is None:
        return False
    same = [all(re.search(rf"\b{before[2]} $", text[: m.start]) for m in row) for row in mentions]
    return all(same) or (any(same) and bool(before[1]) and _is_determined(before[1], words))
