"""Chinese candidates on second mention: 一个男人 → 那个男人, 两个男孩 → 那两个男孩, 很多学生 → 那些学生.

Bare nouns stay bare. Phrases that would mean something else on second mention are not derived: 没有人, 每个孩子.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.zh.person import is_person
from winoglot.languages.zh.script import simplified

if TYPE_CHECKING:
    from winoglot.schemas.model import Item

_NUMERALS = "二两三四五六七八九十百千几数0-9０-９"


def definite(item: Item, index: int) -> str:
    """The candidate as a phrase that refers back to its mention; a bare one takes the mention's demonstrative."""
    candidate = item.candidates[index]
    if simplified(candidate.text).startswith(tuple(lexicon("zh", "determiners").words("unrepeated"))):
        raise NotDerivedError(f"{candidate.text!r} would mean something else on second mention")
    demonstrative = _shown_demonstrative(item, index)
    if demonstrative and not all(_is_determined(item, position) for position in range(len(item.candidates))):
        demonstrative = ""  # in both readings or in neither: 这个厨师 and 服务员 become 厨师 and 服务员
    return taken_up(demonstrative + candidate.text)


def _shown_demonstrative(item: Item, index: int) -> str:
    """The demonstrative before or in the candidate's first mention."""
    candidate, text = item.candidates[index], item.text or ""
    if not candidate.mentions:
        return ""
    mention = candidate.mentions[0]
    start = mention.end - len(candidate.text) if mention.of(text).endswith(candidate.text) else mention.start
    match = _demonstrative().search(text[:start])
    return match.group() if match else ""


def _is_determined(item: Item, index: int) -> bool:
    """Whether the candidate is a name or takes a demonstrative on second mention."""
    phrase = item.candidates[index].text
    has_determiner = is_person(phrase) or phrase[:1] in "这那這" or taken_up(phrase) != phrase
    return has_determiner or bool(_shown_demonstrative(item, index))


def taken_up(phrase: str) -> str:
    """The phrase with a demonstrative instead of an indefinite quantity.

    >>> [taken_up(phrase) for phrase in ("一个男人", "一位醫生", "三只猫", "一些孩子", "男人", "那个男人")]
    ['那个男人', '那位醫生', '那三只猫', '那些孩子', '男人', '那个男人']
    """
    plain = simplified(phrase)
    if plain.startswith(tuple(lexicon("zh", "spelling").words("misleading"))):
        return phrase
    singular_pattern, plural_pattern, vague_pattern = _patterns()
    match = singular_pattern.match(plain)
    if match:
        return "那" + phrase[match.end() - 1 :]
    if plural_pattern.match(plain):
        return "那" + phrase.removeprefix("好")
    match = vague_pattern.match(plain)
    return "那些" + phrase[match.end() :] if match else phrase


@cache
def _demonstrative() -> re.Pattern[str]:
    return re.compile(f"[这那這]{_classifier()}$")


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Patterns: one, up to its classifier; several; a quantity that is dropped. A noun must follow."""
    classifier = _classifier()
    longest_first = sorted(lexicon("zh", "determiners").words("dropped"), key=len, reverse=True)
    return (
        re.compile(rf"(?:有一|某一|某|一){classifier}(?=.)"),
        re.compile(rf"好?[{_NUMERALS}]+多?{classifier}(?=.)"),
        re.compile(f"(?:{'|'.join(longest_first)})(?=.)"),
    )


def _classifier() -> str:
    return "[" + "".join(sorted(lexicon("zh", "function_words").words("classifier"))) + "]"
