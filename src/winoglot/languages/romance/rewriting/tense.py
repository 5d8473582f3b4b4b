"""Another tense for every finite verb: the past told in the present, or the present in the past.

Imperfect and preterite become present, a compound past too (*a vendu* → *vend*); what was past before that becomes
past (*tinha saído* → *saiu*, *avait vendu* → *a vendu*), and so does the cause of an act (*porque perdeu*). The present
becomes imperfect. Proposed where the text has words of time, tenses that tell no plain story, or forms that are not
listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.agreement import agreeing, subjects_without_verb
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.writing import Writing
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.languages.romance.rewriting.verbs import VerbForm
    from winoglot.schemas.model import Item

_TO_PRESENT = {
    **dict.fromkeys(("imperfect", "preterite", "pluperfect"), "present"),
    "conditional": "future",
    "past-subjunctive": "subjunctive",
}
_TO_PAST = {"present": "imperfect", "future": "conditional", "subjunctive": "past-subjunctive"}
_COMPOUND = {"present": "preterite", "imperfect": "pluperfect"}  # what *a vendu* and *avait vendu* tell
_SIMPLE = {"preterite": "present", "pluperfect": "preterite", "conditional": "conditional"}  # of a compound in a story
_PLAIN = {True: {"imperfect", "preterite", "pluperfect", "past-subjunctive"}, False: {"present", "preterite"}}


def tense(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """All finite verbs in another tense."""
    clauses = clauses_of(item, rules)
    verbs = [verb for verb in clauses.verbs() if not clauses.is_quoted(verb)]
    _check_persons(clauses)
    told = {verb: _told_tense(clauses, verb) for verb in verbs}
    to_present = sum(tense in _TO_PRESENT for tense in told.values()) * 2 >= len(verbs)
    writing = Writing(clauses, doubts=_unread_verbs(clauses))
    for verb in verbs:
        (_write_present if to_present else _write_past)(verb, told[verb], writing)
        if clauses.group(verb).is_passive and len(clauses.group(verb).verbs) > 2:
            writing.doubts.append(f"which tense does {clauses.form(verb)!r} need then?")
    if not writing.edits:
        raise NotDerivedError("no verb has another tense")
    texts = [clauses_of(schema_item, rules) for schema_item in draws.schema.items]
    if not to_present and any(_tells_events(text) for text in texts):
        writing.doubts.append("does the text tell what happens once?")
    is_timed = any(_is_timed(text, to_present=to_present) for text in texts)
    if is_timed or not _PLAIN[to_present].issuperset(told.values()) or len(verbs) < len(clauses.verbs()):
        writing.doubts.insert(0, f"do all verbs fit together in the {'present' if to_present else 'past'}?")
    return Rewriting(tuple(writing.edits), tuple(dict.fromkeys(writing.doubts)))


def _is_timed(clauses: Clauses, *, to_present: bool) -> bool:
    """Whether words say when it was (*ontem*), or when or how often something had been done (*já saiu*)."""
    verbs, fixed = clauses.verbs(), clauses.rules.words("fixed-time")
    if any(phrase in clauses.text.lower() for phrase in fixed if " " in phrase):
        return True
    for index in range(len(clauses.words)):
        if clauses.form(index) in fixed:
            return True
        if to_present and clauses.has(index, "time-of-act"):
            beside = [verb for verb in verbs if not _begins_clause(clauses, verb, index)] or verbs
            if any(_told_tense(clauses, verb) == "preterite" for verb in beside):
                return True
    return False


def _begins_clause(clauses: Clauses, verb: int, index: int) -> bool:
    """Whether another clause begins between a verb and a word."""
    between = range(min(verb, index) + 1, max(verb, index))
    openers = ("subordinator", "coordinator", "relative")
    return any(clauses.word_class(at) in openers for at in between) or clauses.ends_between(*sorted((verb, index)))


def _tells_events(clauses: Clauses) -> bool:
    """Whether one act follows from another, as of what happens once: *le chef le félicite, et il rougit*."""
    rules = clauses.rules
    states = rules.verbs.actions.words("state") | rules.words("linking-verb") | rules.words("plain-auxiliary")
    acts = [verb for verb in clauses.verbs() if clauses.group(verb).infinitive not in states]
    subjects = (clauses.before_verb(verb) for verb in acts[1:])
    return any(clauses.word_class(at) == "pronoun" and clauses.has(at - 1, "joining") for at in subjects)


def _check_persons(clauses: Clauses) -> None:
    """Refuse verbs of other persons, whose forms are not in the tables."""
    rules = clauses.rules
    for index, word in enumerate(clauses.words):
        phrase = clauses.phrase_at(index)
        is_unlisted = phrase is not None and not phrase.determiner and rules.listed(word.form) is None
        is_other = is_unlisted and word.form.endswith(rules.person_endings)
        if is_other or clauses.has(index, "other-person") or clauses.word_class(index) == "first-person":
            raise NotDerivedError(f"{word.form!r} or its verb is not of the third person")


def _unread_verbs(clauses: Clauses) -> list[str]:
    """Doubts about words that were read as nouns and may be verbs: *a turma toda ficou*, *o computador demora*."""
    rules, without_verb = clauses.rules, subjects_without_verb(clauses, agreeing(clauses))
    doubts = [f"the verb of {clauses.form(head)!r} is unknown" for head in without_verb]
    for phrase in clauses.phrases:
        subject = clauses.phrase_before(phrase.first)
        is_bare = not phrase.determiner and not phrase.preposition and not phrase.is_name
        if is_bare and subject is not None and subject.head in without_verb:
            doubts.append(f"is {clauses.form(phrase.head)!r} a verb?")
        for index in range(phrase.first, phrase.last + 1):
            form, determiner = clauses.form(index), clauses.form(index - 1) if index > phrase.first else ""
            is_counted = determiner in rules.determiners and not clauses.has(index - 1, "both-people", "whole")
            is_governed = index == phrase.first and bool(phrase.preposition)
            is_noun = phrase.is_name or is_governed or is_counted or rules.listed(form) is not None
            if not is_noun and (rules.verbs.finite(form) or clauses.word_class(index - 1) == "clitic"):
                doubts.append(f"is {form!r} a verb?")
    return doubts


# The tense that a verb tells


def _analysis(clauses: Clauses, verb: int) -> VerbForm:
    """The verb's form; *foi* before an infinitive or a place is of *ir*."""
    index = clauses.skip(verb + 1, "adverb", "clitic")
    goes = clauses.word_class(index) == "infinitive" or clauses.has(index, "goal")
    going = (form for form in clauses.rules.verbs.finite(clauses.form(verb)) if form.infinitive == "ir")
    usual = clauses.analysis(verb)
    return next(going, usual) if goes else usual


def _told_tense(clauses: Clauses, verb: int) -> str:
    """The tense that a verb tells with its participle: *a vendu* is a preterite."""
    tense = _analysis(clauses, verb).tense
    return _COMPOUND.get(tense, tense) if clauses.is_compound(verb) else tense


def _is_cause(clauses: Clauses, verb: int) -> bool:
    """Whether a verb tells why something was done: *porque ele perdeu*, *parce qu'elle a perdu*."""
    index = clauses.before_verb(verb)
    while clauses.word_class(index) not in ("verb", "punctuation"):
        if clauses.has(index, "because") and clauses.word_class(index - 1) != "preposition":  # "du car"
            return True
        index -= 1
    return False


# The verb in another tense


def _write_present(verb: int, told: str, writing: Writing) -> None:
    """Write a verb in a story that is told in the present."""
    clauses = writing.clauses
    form, subject = _analysis(clauses, verb), clauses.before_verb(verb)
    opener = subject - (clauses.subject(verb).pronoun is not None)
    if told == "preterite" and _is_cause(clauses, verb):
        return  # "xinga o atacante porque ele perdeu"
    if told == "past-subjunctive" and any(clauses.has(index, "likening") for index in (opener - 1, opener)):
        return  # "como se fosse"
    if clauses.has(opener, "condition"):
        writing.doubts.append(f"is {clauses.form(verb)!r} a condition?")
    is_before = told == "pluperfect" and not clauses.rules.drops_subjects
    if not clauses.is_compound(verb) or is_before or told == "past-subjunctive":
        _write(verb, form, _TO_PRESENT.get(form.tense), writing)
    elif told != "subjunctive":  # "bien qu'il ait avoué"
        _write_simple(verb, form, _SIMPLE.get(told, ""), writing)


def _write_past(verb: int, told: str, writing: Writing) -> None:
    """Write a verb in a story that is told in the past."""
    clauses = writing.clauses
    form = _analysis(clauses, verb)
    if told == "preterite":
        compound = None if clauses.is_compound(verb) else clauses.rules.pluperfect(form)
        if compound:
            writing.word(verb, compound)
        else:
            _write(verb, form, _TO_PAST.get(form.tense), writing)
    elif form.tense != "subjunctive" or clauses.rules.drops_subjects:  # French keeps its subjunctive
        _write(verb, form, _TO_PAST.get(form.tense), writing)


def _write(verb: int, form: VerbForm, tense: str | None, writing: Writing) -> None:
    changed = writing.clauses.rules.verbs.written(form.infinitive, tense, form.number) if tense else None
    if changed:
        writing.word(verb, changed)
    elif tense:
        writing.doubts.append(f"which tense does {writing.clauses.form(verb)!r} need then?")


def _write_simple(verb: int, form: VerbForm, tense: str, writing: Writing) -> None:
    """Write a compound tense as a simple one: *a vendu* → *vend*; *tinha vendido* → *vendeu*."""
    clauses, verbs = writing.clauses, writing.clauses.rules.verbs
    participle = clauses.group(verb).verbs[1]
    shown, last = clauses.form(participle), clauses.words[participle].span
    changed = verbs.written(verbs.nonfinite(shown) or "", tense, form.number)
    if changed is None:
        writing.doubts.append(f"which tense does {clauses.form(verb)!r} need then?")
        return
    auxiliary, before, gap = clauses.words[verb].span, clauses.form(verb - 1), ""
    if before.endswith("'") and not clauses.rules.elides(changed):
        article = "la" if shown.endswith(("e", "es")) else "le"
        gap, before = " ", article if before == "l'" else f"{before[:-1]}e"  # "s'est rendue": "se rend"
        writing.edits.append(Edit(clauses.words[verb - 1].span, before))
    opens_segment = any(place.start == last.start for place in clauses.item.segment)
    if opens_segment and participle == verb + 1:  # "elle a [préparé|apporté]"
        writing.edits.append(Edit(Span(auxiliary.start, last.start), gap))
        writing.word(participle, changed, fuse=False)
        return
    writing.edits.append(Edit(Span(last.start - 1, last.end), ""))
    if gap:
        writing.edits.append(Edit(auxiliary, gap + changed))
    else:
        writing.word(verb, changed)
