"""Another tense for every finite verb: the past told in the present, or the present in the past. Always proposed.

Imperfect and preterite become present, a compound past too (*a vendu* → *vend*); what was past before that becomes
past (*tinha saído* → *saiu*, *avait vendu* → *a vendu*). The present becomes imperfect. Which past a present verb
should have, and whether a story still makes sense in the present, is for a reader to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
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

_PAST = frozenset({"imperfect", "preterite", "pluperfect"})
_TO_PRESENT = {
    **dict.fromkeys(_PAST, "present"),
    "conditional": "future",
    "past-subjunctive": "subjunctive",
}
_TO_PAST = {"present": "imperfect", "future": "conditional", "subjunctive": "past-subjunctive"}
_HYPOTHETICAL = frozenset({"se", "si", "s'"})


def tense(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """All finite verbs in another tense, as a proposal."""
    del draws
    clauses = clauses_of(item, rules)
    verbs = [verb for verb in clauses.verbs() if not clauses.is_quoted(verb)]
    _check_persons(clauses)
    if not verbs:
        raise NotDerivedError("no finite verb is known")
    told_tenses = [_expressed_tense(clauses, verb) for verb in verbs]
    in_past = sum(told_tense in (*_PAST, "conditional", "past-subjunctive") for told_tense in told_tenses)
    to_present = in_past * 2 >= len(told_tenses)
    writing = Writing(clauses)
    for verb, told_tense in zip(verbs, told_tenses, strict=True):
        if to_present:
            _write_present(clauses, verb, told_tense, writing)
        else:
            _write_past(clauses, verb, told_tense, writing)
    if not writing.edits:
        raise NotDerivedError("no verb has another tense")
    target = "the present" if to_present else "the past"
    doubt = f"do all verbs fit together in {target}?"
    return Rewriting(tuple(writing.edits), (doubt, *dict.fromkeys(writing.doubts)))


def _check_persons(clauses: Clauses) -> None:
    """Refuse verbs of other persons, whose forms are not in the tables."""
    for index, word in enumerate(clauses.words):
        if word.form in clauses.rules.other_persons:
            raise NotDerivedError(f"the verb of {word.form!r} is not of the third person")
        is_bare = clauses.word_class(index) == "noun" and word.form.endswith(clauses.rules.person_endings)
        phrase = clauses.phrase_at(index)
        is_unlisted = phrase is not None and not phrase.determiner and clauses.rules.listed(word.form) is None
        if clauses.word_class(index) == "first-person" or (is_bare and is_unlisted):
            raise NotDerivedError(f"{word.form!r} may be a verb of another person")


def _analysis(clauses: Clauses, verb: int) -> VerbForm:
    """The verb's form; *foi* before an infinitive or a place is of *ir*."""
    analyses = clauses.rules.verbs.finite(clauses.form(verb))
    index = verb + 1
    while clauses.word_class(index) in ("adverb", "clitic"):
        index += 1
    goes = clauses.word_class(index) == "infinitive" or clauses.form(index) in ("para", "ao", "à", "até", "embora")
    infinitive = (
        "ir" if goes and any(analysis.infinitive == "ir" for analysis in analyses) else clauses.infinitive(verb)
    )
    return next((analysis for analysis in analyses if analysis.infinitive == infinitive), analyses[0])


def _expressed_tense(clauses: Clauses, verb: int) -> str:
    """The tense that a verb expresses with its participle: *a vendu* is a preterite."""
    form_tense = _analysis(clauses, verb).tense
    if not clauses.is_compound(verb):
        return form_tense
    return {"present": "preterite", "imperfect": "pluperfect"}.get(form_tense, form_tense)


def _write_present(clauses: Clauses, verb: int, told_tense: str, writing: Writing) -> None:
    form = _analysis(clauses, verb)
    if clauses.is_compound(verb):
        _write_compound(clauses, verb, told_tense, writing)
        return
    if clauses.form(clauses.before_verb(verb)) in _HYPOTHETICAL and form.tense in ("past-subjunctive", "imperfect"):
        writing.doubts.append(f"is {clauses.form(verb)!r} a condition?")
    new = _TO_PRESENT.get(form.tense)
    if new is not None:
        _write(clauses, verb, form, new, writing)


def _write_past(clauses: Clauses, verb: int, told_tense: str, writing: Writing) -> None:
    form = _analysis(clauses, verb)
    if told_tense == "preterite" and not clauses.is_compound(verb):
        compound = clauses.rules.pluperfect(form)
        if compound is None:
            writing.doubts.append(f"which tense has {clauses.form(verb)!r} then?")
        else:
            writing.word(verb, compound)
        return
    new = _TO_PAST.get(form.tense)
    if new == "past-subjunctive" and clauses.rules.verbs.written(form.infinitive, new, form.number) is None:
        return  # French keeps its subjunctive
    if new is not None:
        _write(clauses, verb, form, new, writing)


def _write(clauses: Clauses, verb: int, form: VerbForm, tense: str, writing: Writing) -> None:
    changed = clauses.rules.verbs.written(form.infinitive, tense, form.number)
    if changed is None:
        raise NotDerivedError(f"{clauses.form(verb)!r} has no listed form in another tense")
    writing.word(verb, changed)


def _write_compound(clauses: Clauses, verb: int, told_tense: str, writing: Writing) -> None:
    """*a vendu* → *vend*; *tinha vendido* → *vendeu*; *avait vendu* → *a vendu*."""
    form, verbs = _analysis(clauses, verb), clauses.rules.verbs
    participle = clauses.group(verb).verbs[1]
    lexical = verbs.nonfinite(clauses.form(participle))
    if told_tense == "pluperfect" and not clauses.rules.drops_subjects:
        _write(clauses, verb, form, "present", writing)
        return
    tense = {"preterite": "present", "pluperfect": "preterite"}.get(told_tense)
    tense = "conditional" if told_tense == "conditional" and clauses.rules.drops_subjects else tense
    changed = verbs.written(lexical, tense, form.number) if lexical and tense else None
    if changed is None:
        writing.doubts.append(f"which tense has {clauses.form(verb)!r} then?")
        return
    last = clauses.words[participle].span
    writing.edits.append(Edit(Span(last.start - 1, last.end), ""))
    clitic = verb - 1
    if clauses.form(clitic) == "l'" and not clauses.rules.elides(changed):
        shows = clauses.form(participle)
        article = "la" if shows.endswith(("e", "es")) and verbs.participle(lexical or "") != shows else "le"
        span = Span(clauses.words[clitic].span.start, clauses.words[verb].span.end)
        writing.edits.append(Edit(span, f"{article} {changed}"))
        return
    writing.word(verb, changed)
