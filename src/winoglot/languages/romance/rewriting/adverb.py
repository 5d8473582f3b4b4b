"""An adverb at every main verb that is listed: *finalmente vendeu o piano*, *a finalement vendu son piano*.

It fits the meaning of the verb (an act, a sudden event, a feeling) and its aspect: what happened, or what went on. What
is denied is *simplesmente* or *décidément* denied. A verb that has an adverb already gets none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_CLASSES = ("deliberate", "saying", "happening", "state")
_PERFECTIVE = frozenset({"preterite", "pluperfect"})


def adverb(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The item with an adverb at each main verb that takes one."""
    clauses = clauses_of(item, rules)
    table = lexicon(rules.tag, "adverbs")
    used: set[str] = set()
    edits: list[Edit] = []
    main = [verb for verb in clauses.verbs() if not _is_subordinate(clauses, verb) and not clauses.is_quoted(verb)]
    for verb in main:
        adverbs = _adverbs(clauses, verb) - used - {word.form for word in clauses.words}
        index = _adverb_place(clauses, verb)
        is_second = any(not _sentence_ends_between(clauses, edit.span.start, index or 0) for edit in edits)
        if is_second:  # "realmente" is enough once in a sentence
            adverbs -= table.words("base")
        if adverbs and index is not None:
            adverb = draws.shuffled("adverbs", sorted(adverbs))[0]
            used.add(adverb)
            edits.append(Edit(Span(index, index), f"{adverb} " if rules.drops_subjects else f" {adverb}"))
    if not edits:
        raise NotDerivedError("no main verb is listed, or each has an adverb")
    return Rewriting(tuple(edits))


def _sentence_ends_between(clauses: Clauses, start: int, end: int) -> bool:
    """Whether a sentence ends between two places of the text."""
    return any(sign in clauses.text[start:end] for sign in ".!?…")


def _is_subordinate(clauses: Clauses, verb: int) -> bool:
    """Whether a conjunction or relative pronoun opens the verb's clause."""
    index = clauses.before_verb(verb)
    while index >= 0:
        kind, form = clauses.word_class(index), clauses.form(index)
        if kind in ("subordinator", "relative") or form in ("se", "si", "s'"):
            return True
        if kind == "verb" or form in (".", ";", ":", "!", "?", "…") or form in clauses.rules.joining:
            return False
        index -= 1
    return False


def _adverbs(clauses: Clauses, verb: int) -> frozenset[str]:
    """The adverbs that fit a verb; none if its subject is unknown or it already has an adverb."""
    rules, table = clauses.rules, lexicon(clauses.rules.tag, "adverbs")
    subject, group = clauses.subject(verb), clauses.group(verb)
    around = [index for index in range(clauses.before_verb(verb) + 1, group.last + 3) if index not in group.verbs]
    has_adverb = any(clauses.word_class(index) == "adverb" for index in around)
    has_adverb = has_adverb or clauses.form(group.last + 1) in rules.both | {"todos", "todas"}
    phrase_before = clauses.phrase_at(clauses.before_verb(verb))
    is_beside = phrase_before is not None and clauses.whole(phrase_before) == subject.phrase
    if has_adverb or subject.phrase is None or not is_beside or subject.unsure:
        return frozenset()
    tense = rules.verbs.finite(clauses.form(verb))[0].tense
    is_event = tense in _PERFECTIVE or clauses.is_compound(verb)
    aspect = "preterite" if is_event else "imperfect"
    negations = {clauses.form(n) for n in around if clauses.word_class(n) == "negation" and n <= group.last + 1}
    if negations:  # not "n'a cessé de"
        is_plain = negations <= rules.plain_negation and negations not in ({"n'"}, {"ne"})
        return table.words("negation", aspect) if is_plain else frozenset()
    actions, infinitive = rules.verbs.actions, _infinitive(clauses, _lexical_verb(clauses, verb))
    if infinitive not in actions or _is_negated(clauses, verb) or _is_reflexive(clauses, verb):
        return frozenset()
    kinds = [kind for kind in _CLASSES if infinitive in actions.words(kind)]
    is_person = subject.phrase.is_name or rules.animacy(clauses.form(subject.phrase.head)) == "human"
    if not is_person:  # "a panela queimou a toalha"
        kinds = [kind for kind in kinds if kind not in ("deliberate", "saying")]
    suitable = frozenset().union(*(table.words(kind, aspect) for kind in kinds))
    has_time = any(word.form in rules.times | rules.haste for word in clauses.words)
    is_accident = any(phrase in clauses.text.lower() for phrase in rules.accidental)
    if has_time or is_accident:
        suitable -= table.words("timed")
    return suitable or table.words("base", aspect)


def _is_negated(clauses: Clauses, verb: int) -> bool:
    """Whether a negative word precedes the verb in its clause: *nem com três demãos*."""
    index = verb - 1
    while index >= 0 and clauses.form(index) not in (".", ";", ":", ",") and clauses.word_class(index) != "verb":
        if clauses.form(index) in clauses.rules.negative:
            return True
        index -= 1
    return False


def _is_reflexive(clauses: Clauses, verb: int) -> bool:
    """Whether a verb is reflexive, which may change its meaning: *se trompe*."""
    return any(clauses.form(index) in ("se", "s'") for index in range(clauses.before_verb(verb) + 1, verb + 2))


def _lexical_verb(clauses: Clauses, verb: int) -> int:
    """The first verb of a group that is not an auxiliary: *tentado* in *tinha tentado acordar*."""
    return next(
        (
            index
            for index in clauses.group(verb).verbs
            if _infinitive(clauses, index) not in clauses.rules.past_and_passive or index == clauses.group(verb).last
        ),
        verb,
    )


def _infinitive(clauses: Clauses, index: int) -> str:
    form, verbs = clauses.form(index), clauses.rules.verbs
    if clauses.word_class(index) == "verb":
        return clauses.infinitive(index)
    return verbs.nonfinite(form) or ""


def _adverb_place(clauses: Clauses, verb: int) -> int | None:
    """Where the adverb comes: before the verb with its clitics, in French after the verb or its auxiliary."""
    end = clauses.words[verb].span.end
    if clauses.text[end : end + 1] == "-":  # "sentiu-se", "est-il"
        return None
    if not clauses.rules.drops_subjects:
        return end
    first = clauses.before_verb(verb) + 1
    return clauses.words[first].span.start if first else None
