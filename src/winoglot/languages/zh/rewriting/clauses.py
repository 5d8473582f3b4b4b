"""Clauses of a Chinese text whose subject is certain: a candidate, or a noun for a person, that opens its clause.

Before it may come a connective, a time, or what describes it with 的: 但是，楼上的乐手没关水龙头.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.lexicon import lexicon
from winoglot.languages.zh.rewriting.scene import is_in
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.languages.zh.rewriting.scene import ChineseScene

_TIMES = ("t", "m")  # tags of times and numbers: 昨天, 第二天
_NOT_PREDICATE = frozenset("的和与跟及或、家上下里中们地得俩")


@dataclass(frozen=True)
class SubjectClause:
    """A clause, its subject with what describes it, and where its predicate begins."""

    span: Span
    subject: Span
    candidate: int | None = None


def _told_clauses(scene: ChineseScene) -> list[Span]:
    """The clauses before the pronoun's that are not quoted."""
    stop = scene.clause_at(scene.pronoun.start).start
    return [span for span in scene.clauses if span.start < min(stop, span.end) and not scene.is_quoted(span)]


def subject_clauses(scene: ChineseScene) -> Iterator[SubjectClause]:
    """The clauses before the pronoun's whose subject is certain."""
    clauses = (subject_of(scene, span) for span in _told_clauses(scene))
    return (clause for clause in clauses if clause is not None)


def clauses_without_subject(scene: ChineseScene) -> Iterator[Span]:
    """The clauses before the pronoun's that continue the one before."""
    for span in _told_clauses(scene):
        first = next((word for word in scene.words if word.within(span)), None)
        if first is None or not scene.text[: span.start].endswith("，"):
            continue
        if scene.tag(first)[0] in "pvd" or is_in(first.of(scene.text), "expressions", "before-passive"):
            yield span


def subject_of(scene: ChineseScene, span: Span) -> SubjectClause | None:
    """A clause with its subject; None if that is not certain."""
    words = [word for word in scene.words if word.within(span)]
    start = span.start
    for word in words:
        is_mention = any(phrase.start <= word.start < phrase.noun.end for phrase in scene.phrases)  # 一片 of 一片乌云
        is_before = is_in(word.of(scene.text), "expressions", "connective") or scene.tag(word).startswith(_TIMES)
        if is_mention or not is_before:
            break
        start = word.end
    phrase = next((phrase for phrase in scene.phrases if phrase.start >= start and phrase.noun.end <= span.end), None)
    described = Span(start, phrase.start).of(scene.text) if phrase else ""
    if phrase and (not described or (described.endswith("的") and "，" not in described)):
        subject, candidate = Span(start, phrase.noun.end), phrase.candidate
    else:
        first = next((word for word in words if word.start == start), None)
        form = first.of(scene.text) if first else ""
        if first is None or not (form in scene.other_people or is_in(form, "expressions", "speaker")):
            return None
        subject, candidate = first, None
        if scene.after(first.end) == "们":
            subject = Span(first.start, first.end + 1)
    owned = next((word for word in words if word.start == subject.end + 1), None)
    if scene.after(subject.end) == "的" and owned is not None and scene.tag(owned)[0] == "n":
        subject, candidate = Span(subject.start, owned.end), None  # 欣怡的点球
    if not is_predicate(scene, subject.end):
        return None
    return SubjectClause(span, subject, candidate)


def is_predicate(scene: ChineseScene, index: int) -> bool:
    """Whether a predicate can begin at a position, and no longer noun phrase."""
    rest = (word for word in scene.words if word.start >= index)
    word = next((word for word in rest if not scene.tag(word).startswith(_TIMES)), None)  # 小雯一下子就找到了
    if word is None:
        return False
    form, tag = word.of(scene.text), scene.tag(word)
    if form in _NOT_PREDICATE or form[0] in "的们" or is_in(form, "function_words", "localizer"):
        return False
    if is_in(form, "expressions", "manner") or is_in(form, "function_words", "preverbal", "governs"):
        return True
    if form in lexicon("zh", "actions"):
        return True
    following = next((next_word for next_word in scene.words if next_word.start == word.end), None)
    if following is not None and re.match("了|着|在了", scene.text[word.end :]):
        return True
    if tag[0] in "abz" and following is not None:  # 主动替, 悄悄走
        return scene.tag(following)[0] in "vpd" or following.of(scene.text) == "地"
    return tag[0] in "vpdil" and tag != "vn"


def next_subjects(scene: ChineseScene, clause: Span) -> list[str]:
    """A doubt if a following clause, up to the pronoun, has no subject of its own."""
    for span in scene.clauses:
        if clause.start < span.start <= scene.pronoun.start:
            if scene.text[span.start - 1] not in "，：；":
                break
            if not _has_subject(scene, span):
                return [f"who does it in {span.of(scene.text)}?"]
    return []


def _has_subject(scene: ChineseScene, span: Span) -> bool:
    """Whether a clause has a noun, a name or a pronoun before its first verb, or none at all (都怪他…)."""
    if span.of(scene.text).startswith(tuple(lexicon("zh", "expressions").words("impersonal"))):
        return True
    for word in scene.words:
        if word.start < span.start or word.start >= span.end:
            continue
        form, tag = word.of(scene.text), scene.tag(word)
        if (tag[0] in "nr" and form not in ("自己", "这么", "谁知")) or form in lexicon("zh", "vocabulary"):
            return True
        if (tag[0] in "vp" or is_in(form, "function_words", "governs")) and not is_in(form, "expressions", "no-deed"):
            return False
    return False
