"""An adverb at every main verb that is listed: *vendeu rapidamente o piano*, *a rapidement vendu son piano*.

It fits what the verb says (an act, an event, a state) and whether it tells what happened or what went on. A verb that
is negated, or that has an adverb already, gets none, since the sentence might then say something else.
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
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_CLASSES = ("deliberate", "saying", "happening", "state")
_PERFECTIVE = frozenset({"preterite", "pluperfect", "future", "conditional"})


def adverb(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The item with an adverb at each main verb that takes one."""
    clauses = clauses_of(item, rules)
    used: set[str] = set()
    edits: list[Edit] = []
    main = [verb for verb in clauses.verbs() if not _is_subordinate(clauses, verb) and not clauses.is_quoted(verb)]
    for kinds in (_CLASSES[:-1], _CLASSES[-1:]):
        for verb in main if not edits else ():
            edit = _edit(clauses, verb, kinds, draws, used)
            if edit is not None:
                edits.append(edit)
    if not edits:
        raise NotDerivedError("no main verb is listed, or each has an adverb or a negation")
    return Rewriting(tuple(edits))


def _is_subordinate(clauses: Clauses, verb: int) -> bool:
    """Whether a conjunction or relative pronoun opens the verb's clause."""
    at = clauses.before_verb(verb)
    while at >= 0:
        kind, form = clauses.word_class(at), clauses.form(at)
        if kind in ("subordinator", "relative"):
            return True
        if kind == "verb" or form in (".", ";", ":", "!", "?", "…") or form in clauses.rules.joining:
            return False
        at -= 1
    return False


def _edit(clauses: Clauses, verb: int, kinds: tuple[str, ...], draws: Draws, used: set[str]) -> Edit | None:
    rules = clauses.rules
    place = _lexical(clauses, verb)
    infinitive = _infinitive(clauses, place)
    kind = next((one for one in kinds if infinitive in rules.verbs.actions.words(one)), None)
    around = range(clauses.before_verb(verb) + 1, clauses.group(verb).last + 3)
    has_adverb = any(clauses.word_class(number) in ("adverb", "negation") for number in around)
    has_adverb = has_adverb or clauses.form(clauses.group(verb).last + 1) in rules.both | {"todos", "todas"}
    has_adverb = has_adverb or _is_negated(clauses, verb)
    subject = clauses.subject(verb)
    is_plain = subject.phrase is not None and not subject.unsure and not _is_reflexive(clauses, verb)
    is_known = subject.phrase is not None or subject.pronoun is not None
    if kind is None or has_adverb or not is_known or not (is_plain or kind == "state"):
        return None
    tense = rules.verbs.finite(clauses.form(verb))[0].tense
    is_event = tense in _PERFECTIVE or clauses.is_compound(verb)
    if kind == "state" and is_event:
        return None
    aspect = "preterite" if is_event else "imperfect"
    table = lexicon(rules.tag, "adverbs")
    options = table.words(kind, aspect)
    is_wanted = not any(phrase in clauses.text.lower() for phrase in rules.accidental)
    at = _place(clauses, verb, place)
    is_before = at == clauses.words[verb].span.start  # "pegou catapora": a fixed expression, perhaps
    if is_before or subject.phrase is None or not (_is_person(clauses, subject.phrase) and is_wanted):
        options -= table.words(kind, aspect, "human")
    free = [one for one in draws.shuffled(f"adverbs {kind} {aspect}", sorted(options)) if one not in used]
    free = [one for one in free if one not in {word.form for word in clauses.words}]
    if not free or at is None:
        return None
    used.add(free[0])
    return Edit(Span(at, at), f" {free[0]}" if at != clauses.words[verb].span.start else f"{free[0]} ")


def _is_negated(clauses: Clauses, verb: int) -> bool:
    """Whether a negative word stands before the verb in its clause: *nem com três demãos*."""
    at = verb - 1
    while at >= 0 and clauses.form(at) not in (".", ";", ":", ",") and clauses.word_class(at) != "verb":
        if clauses.form(at) in clauses.rules.negative:
            return True
        at -= 1
    return False


def _is_reflexive(clauses: Clauses, verb: int) -> bool:
    """*se trompe*: a reflexive verb may mean something else."""
    return any(clauses.form(n) in ("se", "s'") for n in range(clauses.before_verb(verb) + 1, verb + 2))


def _is_person(clauses: Clauses, phrase: TextPhrase) -> bool:
    return phrase.is_name or clauses.rules.animacy(clauses.form(phrase.head)) == "human"


def _lexical(clauses: Clauses, verb: int) -> int:
    """The first verb of a group that is no auxiliary: of *tinha tentado acordar*, *tentado*."""
    return next(
        (
            number
            for number in clauses.group(verb).verbs
            if _infinitive(clauses, number) not in clauses.rules.past_and_passive or number == clauses.group(verb).last
        ),
        verb,
    )


def _infinitive(clauses: Clauses, number: int) -> str:
    form, verbs = clauses.form(number), clauses.rules.verbs
    if clauses.word_class(number) == "verb":
        return clauses.infinitive(number)
    return verbs.nonfinite(form) or ""


def _place(clauses: Clauses, verb: int, lexical: int) -> int | None:
    """Where the adverb comes: after the verb, in French after the auxiliary; None if it would part an expression."""
    if not clauses.rules.drops_subjects:
        return None if clauses.form(verb + 1) == "-" else clauses.words[verb].span.end
    after = lexical + 1
    end = clauses.words[lexical].span.end
    if clauses.text[end : end + 1] == "-":  # "sentiu-se"
        end = clauses.words[after].span.end
        after += 1
    phrase = clauses.phrase_at(after)
    is_expression = phrase is not None and not phrase.determiner and not phrase.is_name and not phrase.preposition
    is_fixed = clauses.form(after) in ("de", "a", "por", "em", "para") and clauses.word_class(after + 1) == "noun"
    is_said = clauses.word_class(after) in ("adjective", "participle", "gerund", "infinitive", "subordinator")
    if is_expression or is_said or (is_fixed and not phrase):
        subject = clauses.subject(verb)
        at = clauses.before_verb(verb)
        is_beside = subject.pronoun == at or (subject.phrase is not None and subject.phrase.last == at)
        return clauses.words[verb].span.start if is_beside and at + 1 == verb and lexical == verb else None
    return end
