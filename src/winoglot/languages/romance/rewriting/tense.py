"""Another tense for every finite verb: the past told in the present, or the present in the past.

Imperfect and preterite become present, a compound past too (*a vendu* → *vend*); what was past before that becomes
past (*tinha saído* → *saiu*, *avait vendu* → *a vendu*), and so does the cause of an act (*porque perdeu*). The present
becomes imperfect. Proposed where the text has words of time, tenses that tell no plain story, or forms that are not
listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fitting import topics
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
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
    if not verbs:
        raise NotDerivedError("no finite verb is known")
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
    is_timed = any("time" in topics(lexicon(rules.tag, "adverbs"), text.base_forms, text.text) for text in texts)
    if is_timed or not _PLAIN[to_present].issuperset(told.values()) or len(verbs) < len(clauses.verbs()):
        writing.doubts.insert(0, f"do all verbs fit together in the {'present' if to_present else 'past'}?")
    return Rewriting(tuple(writing.edits), tuple(dict.fromkeys(writing.doubts)))


def _check_persons(clauses: Clauses) -> None:
    """Refuse verbs of other persons, whose forms are not in the tables."""
    rules = clauses.rules
    for index, word in enumerate(clauses.words):
        phrase = clauses.phrase_at(index)
        is_bare = phrase is not None and not phrase.determiner and rules.listed(word.form) is None
        is_unlisted = is_bare and word.form.endswith(rules.person_endings)
        if clauses.has(index, "other-person") or clauses.word_class(index) == "first-person" or is_unlisted:
            raise NotDerivedError(f"{word.form!r} or its verb is not of the third person")


def _unread_verbs(clauses: Clauses) -> list[str]:
    """Doubts about words that were read as nouns and may be verbs: *a turma toda ficou*, *se multiplient*."""
    rules, doubts = clauses.rules, []
    for index, word in enumerate(clauses.words):
        phrase = clauses.phrase_at(index)
        is_noun = phrase is None or phrase.is_name or (index == phrase.first and bool(phrase.preposition))
        is_after = index != getattr(phrase, "first", index) and clauses.form(index - 1) in rules.determiners
        is_noun = is_noun or (is_after and not clauses.has(index - 1, "both-people", "whole"))
        is_verb_form = rules.verbs.finite(word.form) and rules.listed(word.form) is None
        if not is_noun and (is_verb_form or clauses.word_class(index - 1) == "clitic"):
            doubts.append(f"is {word.form!r} a verb?")
    return doubts


# The tense that a verb tells


def _analysis(clauses: Clauses, verb: int) -> VerbForm:
    """The verb's form; *foi* before an infinitive or a place is of *ir*."""
    index = clauses.skip(verb + 1, "adverb", "clitic")
    goes = clauses.word_class(index) == "infinitive" or clauses.has(index, "goal") or clauses.has(verb + 1, "goal")
    going = (form for form in clauses.rules.verbs.finite(clauses.form(verb)) if form.infinitive == "ir")
    usual = clauses.analysis(verb)
    return next(going, usual) if goes else usual


def _told_tense(clauses: Clauses, verb: int) -> str:
    """The tense that a verb tells with its participle: *a vendu* is a preterite."""
    tense = _analysis(clauses, verb).tense
    return _COMPOUND.get(tense, tense) if clauses.is_compound(verb) else tense


def _is_cause(clauses: Clauses, verb: int) -> bool:
    """Whether a verb tells why something was done: *porque ele perdeu*, *parce qu'elle a perdu*."""
    before = clauses.before_verb(verb)
    start = next((index for index in range(before, -1, -1) if clauses.word_class(index) in ("verb", "punctuation")), -1)
    opening = range(start + 1, before + 1)
    return any(clauses.has(n, "because") and clauses.word_class(n - 1) != "preposition" for n in opening)  # "du car"


# The verb in another tense


def _write_present(verb: int, told: str, writing: Writing) -> None:
    """Write a verb in a story that is told in the present."""
    clauses = writing.clauses
    form, drops_subjects = _analysis(clauses, verb), clauses.rules.drops_subjects
    subject = clauses.before_verb(verb)
    opener = subject - (clauses.subject(verb).pronoun is not None)
    if told == "preterite" and _is_cause(clauses, verb):
        return  # "xinga o atacante porque ele perdeu"
    if told == "past-subjunctive" and any(clauses.has(index, "likening") for index in (opener - 1, opener)):
        return  # "como se fosse"
    if clauses.has(opener, "condition") and told in ("past-subjunctive", "imperfect"):
        writing.doubts.append(f"is {clauses.form(verb)!r} a condition?")
    is_before = told == "pluperfect" and not drops_subjects
    if not clauses.is_compound(verb) or is_before or told == "past-subjunctive":
        _write(verb, form, _TO_PRESENT.get(form.tense), writing)
    elif told != "subjunctive":  # "bien qu'il ait avoué"
        _write_simple(verb, form, _SIMPLE.get(told, ""), writing)


def _write_past(verb: int, told: str, writing: Writing) -> None:
    """Write a verb in a story that is told in the past."""
    clauses = writing.clauses
    form = _analysis(clauses, verb)
    if told == "preterite" and not clauses.is_compound(verb):
        compound = clauses.rules.pluperfect(form)
        if compound:
            writing.word(verb, compound)
        else:
            writing.doubts.append(f"which tense does {clauses.form(verb)!r} need then?")
    elif form.tense != "subjunctive" or clauses.rules.drops_subjects:  # French keeps its subjunctive
        _write(verb, form, _TO_PAST.get(form.tense), writing)


def _write(verb: int, form: VerbForm, tense: str | None, writing: Writing) -> None:
    changed = writing.clauses.rules.verbs.written(form.infinitive, tense, form.number) if tense else ""
    if changed is None:
        raise NotDerivedError(f"{writing.clauses.form(verb)!r} has no listed form in another tense")
    if changed:
        writing.word(verb, changed)


def _write_simple(verb: int, form: VerbForm, tense: str, writing: Writing) -> None:
    """Write a compound tense as a simple one: *a vendu* → *vend*; *tinha vendido* → *vendeu*."""
    clauses, verbs = writing.clauses, writing.clauses.rules.verbs
    participle = clauses.group(verb).verbs[1]
    shown, last = clauses.form(participle), clauses.words[participle].span
    lexical = verbs.nonfinite(shown) or ""
    changed = verbs.written(lexical, tense, form.number)
    if changed is None:
        writing.doubts.append(f"which tense does {clauses.form(verb)!r} need then?")
        return
    auxiliary, before, gap = clauses.words[verb].span, clauses.form(verb - 1), ""
    if before == "l'" and not clauses.rules.elides(changed):
        gap, before = " ", "la" if shown.endswith(("e", "es")) and verbs.participle(lexical) != shown else "le"
        writing.edits.append(Edit(clauses.words[verb - 1].span, before))
    opens_segment = any(place.start == last.start for place in clauses.item.segment)
    if opens_segment and participle == verb + 1 and not before.endswith("'"):  # "elle a [préparé|apporté]"
        writing.edits.append(Edit(Span(auxiliary.start, last.start), gap))
        writing.word(participle, changed, fuse=False)
        return
    writing.edits.append(Edit(Span(last.start - 1, last.end), ""))
    if gap:
        writing.edits.append(Edit(auxiliary, gap + changed))
    else:
        writing.word(verb, changed)
