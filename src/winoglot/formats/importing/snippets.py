"""What a snippet asks for, and where its words occur in the sentence.

A snippet is what some sources give beside a sentence instead of marking the pronoun: its clause once more, or a
question that asks for its referent, often in other words. Question words, with the role and animacy that they ask for,
are in the table `function_words` of a language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from winoglot.formats.importing.grouping import tokenise
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.mentions import whole_words
from winoglot.schemas.text import folded, is_unspaced, primary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.lexicon import WordTable
    from winoglot.schemas.spans import Span

ROLES = frozenset({"subject", "object", "after-preposition", "possessive"})
NOT_SUBJECT = ROLES - {"subject"}
UNSPOKEN_SUBJECTS = ("es", "hu", "it", "ja", "pt", "zh")  # languages in which a clause may lack a spoken subject
_SENTENCE_ENDS = frozenset(".!?;。！？；…")
CLAUSE_ENDS = _SENTENCE_ENDS | frozenset(",:，：、—–")
_AS_OBJECT = frozenset({"object", "after-preposition"})

# How near a snippet's words are, between 0 and 1; the values were set on sentences of our own.
_LIGHT_WORD = 0.3  # what a function word of the snippet counts, beside 1 for a content word
_FADING = 0.9  # a word that is one word further from the pronoun counts this much
_PAST_COMMA, _PAST_SENTENCE, _IN_FRONT = 3, 10, 2  # how many words a comma, a full stop, the other side are worth
_SAME_CLAUSE = 0.6  # the share of a snippet's words that must follow an unspoken subject
_SKIPPED = 1 / 3  # the share of its words that may be missing before them


@dataclass(frozen=True)
class ParsedSnippet:
    """What a snippet asks for: the roles the pronoun may have, its animacy if known, and the snippet's other words.

    `predicate` are those of them that say something about the referent, `before` those that stand before the question
    word. A pair asks for two referents: 谁敬佩谁？ The roles are not `sure` where the question itself may have an
    unspoken subject: "¿Qué hay que vaciar?".
    """

    roles: frozenset[str] = ROLES
    animacy: str | None = None
    rest: str = ""
    predicate: str = ""
    before: str = ""
    is_question: bool = False
    is_pair: bool = False
    place: bool = False
    sure: bool = True


def parse_snippet(snippet: str, language: str) -> ParsedSnippet:
    """What a question asks for; a snippet without a question word asks for nothing in particular.

    >>> parsed = parse_snippet("Qu'est-ce qui est trop lourd ?", "fr")
    >>> parsed.roles, parsed.animacy, parsed.rest
    (frozenset({'subject'}), 'thing', 'est trop lourd ?')
    """
    table = lexicon(language, "function_words")
    question_words = table.words("question")
    spans = [span for form in question_words for span in whole_words(snippet, form)]
    if not spans:  # without a table, a question begins with its question word
        rest = snippet.partition(" ")[2] if is_question(snippet) and not question_words else snippet
        return ParsedSnippet(rest=rest, predicate=rest, is_question=is_question(snippet))
    first = min(spans, key=lambda span: (span.start, -span.end))
    entry = next(entry for entry in table.entries[folded(first.of(snippet))] if entry.has("question"))
    before, after = snippet[: first.start], snippet[first.end :]
    roles, sure = entry.features & ROLES or ROLES, True
    if roles == {"subject", "object"}:
        roles = _by_word_order(before, after, language)
        sure = primary(language) not in UNSPOKEN_SUBJECTS or is_unspaced(snippet[0])
    if last_word(before) in prepositions(language):
        is_which = not entry.features & ROLES and last_word(before) not in table.words("of")
        roles = _AS_OBJECT if is_which else NOT_SUBJECT  # "in which town", but "whose" as "de qui", "à qui"
    shown = role_by_particle(after, table)
    if shown:
        roles, after = frozenset({shown}), after.lstrip()[1:]
    predicate = _without_ending(after, language) or _without_ending(before, language)  # 誰が怒ったか, 怒ったのは誰か
    is_in_place = not shown and not before.endswith(tuple(table.words("question-part") | table.words("particle")))
    return ParsedSnippet(
        roles,
        animacy=entry.one_of("animacy"),
        rest=f"{before}{after}".strip(),
        predicate=predicate,
        before=before.strip(" ¿") if is_in_place else "",
        is_question=True,
        is_pair=bool(whole_words(after, first.of(snippet))),
        place=entry.has("place"),
        sure=sure,
    )


def is_question(snippet: str) -> bool:
    """Whether it ends in a question mark."""
    return snippet.endswith(("?", "？"))


def _by_word_order(before: str, after: str, language: str) -> frozenset[str]:
    """What is asked for by a question word that may be subject or object: "Who fell?", "Qui le train a-t-il pris ?"."""
    words, table = function_words(language), lexicon(language, "function_words")
    subjects = lexicon(language, "pronouns").words("subject")
    following = [word for word in words_in(after) if word[0].isalnum()]
    if not following:
        return _AS_OBJECT if before.strip() else ROLES
    first = folded(following[0])
    if before.strip() or (first in words.openers and first in words.pronouns):  # "Qui la voit ?", "Qui la pluie a …"
        return ROLES
    behind_verb = {*(f"-{form}" for form in subjects), *table.words("question-part")}
    inverted = not behind_verb.isdisjoint(re.findall(r"-\w+", folded(after)))
    if inverted or following[0][0].isupper() or first in words.openers or first in subjects:
        return _AS_OBJECT
    if first in table.words("question-part"):  # "What did she see?", but "Who did not see her?"
        return ROLES if table.words("negation").intersection(following[1:2]) else _AS_OBJECT
    return frozenset({"subject"})


def role_by_particle(after: str, table: WordTable) -> str | None:
    """The role that a particle right after a word shows: 誰を."""
    for entry in table.entries.get(after.lstrip()[:1], ()):
        if entry.has("particle") and entry.features & ROLES:
            return next(iter(entry.features & ROLES))
    return None


def _without_ending(question: str, language: str) -> str:
    """Without what only a question ends in: のは, ですか."""
    table = lexicon(language, "function_words")
    endings = sorted(table.words("question-part"), key=len, reverse=True)
    plain = re.sub(r"^\W+|\W+$", "", question)
    ending = next((ending for ending in endings if plain.endswith(ending)), None)
    return _without_ending(plain.removesuffix(ending), language) if ending else plain


@cache
def prepositions(language: str) -> frozenset[str]:
    """The prepositions of a language, alone and contracted with an article."""
    return lexicon(language, "function_words").words("preposition") | frozenset(function_words(language).contractions)


def last_word(text: str) -> str:
    """The word that a text ends with, in lower case; empty if it ends with a mark."""
    match = re.search(r"(?<![^\W_])[^\W_]+['’]?$", folded(text).rstrip())
    return match.group() if match else ""


def words_in(text: str) -> list[str]:
    """Words, marks, and single characters of scripts without spaces."""
    return [token.of(text) for token in tokenise(text)]


def only_place(text: str, part: str) -> Span | None:
    """Where the text has this part as whole words; None if nowhere or in several places."""
    places = whole_words(text, re.sub(r"^\W+|\W+$", "", part))
    return places[0] if len(places) == 1 else None


def alike(first: str, second: str) -> bool:
    """Whether two words may be forms of one: they share most of their beginning.

    >>> alike("curieux", "curieuse"), alike("был", "была"), alike("sac", "sec")
    (True, True, False)
    """
    first, second = folded(first), folded(second)
    shared = next(
        (index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    return first == second or (shared >= 3 and shared >= 0.55 * max(len(first), len(second)))


def nearness(text: str, span: Span, parsed: ParsedSnippet, language: str) -> float:
    """How much of the snippet is near a span of the text, and how near: between 0 and 1."""
    tokens = tokenise(text)
    matches = _matches(text, tokens, parsed.rest, language)
    span_tokens = [index for index, token in enumerate(tokens) if token.overlaps(span)]
    total = 0.0
    for weight, places in matches:
        steps = [_steps(text, tokens, span_tokens, index) for index in places if index not in span_tokens]
        total += weight * _FADING ** min(steps) if steps else 0.0
    return total / (sum(weight for weight, _ in matches) or 1.0)


def _matches(text: str, tokens: Sequence[Span], rest: str, language: str) -> list[tuple[float, list[int]]]:
    """The weight of each word of the snippet, and the tokens of the text where it occurs."""
    words = function_words(language)
    light_words = words.closed | lexicon(language, "function_words").words("light")
    return [
        (
            _LIGHT_WORD if folded(word) in light_words else 1.0,
            [index for index, token in enumerate(tokens) if alike(word, token.of(text))],
        )
        for word in words_in(rest)
        if word[0].isalnum() and folded(word) not in words.pronouns - words.openers
    ]


def _steps(text: str, tokens: Sequence[Span], span_tokens: Sequence[int], index: int) -> float:
    """How many words lie between the pronoun and a token; a character of a script without spaces is half a word."""
    is_after = index > span_tokens[-1]
    tokens_between = tokens[span_tokens[-1] + 1 : index] if is_after else tokens[index + 1 : span_tokens[0]]
    steps = 0.0 if is_after else float(_IN_FRONT)
    for token in tokens_between:
        word = token.of(text)
        if word in _SENTENCE_ENDS:
            steps += _PAST_SENTENCE
        elif word in CLAUSE_ENDS:
            steps += _PAST_COMMA
        else:
            steps += 0.5 if is_unspaced(word[0]) else 1.0
    return steps


def start_of_repetition(text: str, parsed: ParsedSnippet, conjunctions: Sequence[str] = ()) -> int | None:
    """Where the only clause of the text that has most of the snippet, word after word, begins to repeat it."""
    target = [word for word in words_in(parsed.predicate) if word[0].isalnum()]
    for conjunction in conjunctions:
        text = text.replace(conjunction, "," * len(conjunction))
    clauses: list[list[Span]] = [[]]
    for token in tokenise(text):
        clauses.append([]) if token.of(text) in CLAUSE_ENDS else clauses[-1].append(token)
    repetitions = [_in_order(target, [token.of(text) for token in clause]) for clause in clauses]
    length, first, skipped = best = max(repetitions)
    is_most = length >= max(1, _SAME_CLAUSE * len(target)) and skipped < _SKIPPED * len(target)
    if not is_most or [repetition[0] for repetition in repetitions].count(length) > 1:
        return None
    return clauses[repetitions.index(best)][first].start


def _in_order(target: Sequence[str], words: Sequence[str]) -> tuple[int, int, int]:
    """How many words of the target stand in this order among the words; the first of them there, and in the target."""
    row = [(0, 0, 0)] * (len(words) + 1)
    for skipped in reversed(range(len(target))):
        above, row = row, [(0, 0, 0)]
        for index in reversed(range(len(words))):
            is_alike = alike(target[skipped], words[index])
            together = (above[index + 1][0] + 1, index, skipped) if is_alike else (0, 0, 0)
            row.insert(0, max(above[index], row[0], together))
    return row[0]


def end_of_repetition(text: str, parsed: ParsedSnippet) -> int | None:
    """Where the text has nothing in the place of the question word: after 卖掉了, of "她卖掉了什么？"."""
    after = re.sub(r"\W+$", "", parsed.rest[len(parsed.before) :])
    endings = (parsed.before[start:] for start in range(len(parsed.before) - 1))
    ending = next((ending for ending in endings if text.count(ending) == 1), None)
    if ending is None:
        return None
    end = text.index(ending) + len(ending)
    return end if text.startswith(after[:1], end) else None
