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
_PLAIN = {True: {"imperfect", "preterite", "pluperfect", "past-subjunctive"}, False: {"present", "preterite"}}


def tense(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """All finite verbs in another tense."""
    clauses = clauses_of(item, rules)
    verbs = [verb for verb in clauses.verbs() if not clauses.is_quoted(verb)]
    _check_persons(clauses)
    if not verbs:
        raise NotDerivedError("no finite verb is known")
    told = {verb: _told_tense(clauses, verb) for verb in verbs}
    in_past = sum(tense in _TO_PRESENT for tense in told.values())
    to_present = in_past * 2 >= len(verbs)
    writing = Writing(clauses, doubts=_unread_verbs(clauses))
    for verb in verbs:
        (_write_present if to_present else _write_past)(clauses, verb, told[verb], writing)
        is_passive = clauses.group(verb).is_passive and len(clauses.group(verb).verbs) > 2
        if is_passive or _is_of_two_verbs(clauses, verb):
            writing.doubts.append(f"which tense has {clauses.form(verb)!r} then?")
    if not writing.edits:
        raise NotDerivedError("no verb has another tense")
    texts = [clauses_of(schema_item, rules) for schema_item in draws.schema.items]
    is_timed = any("time" in topics(lexicon(rules.tag, "adverbs"), text.base_forms, text.text) for text in texts)
    if is_timed or not _PLAIN[to_present].issuperset(told.values()) or len(verbs) < len(clauses.verbs()):
        writing.doubts.insert(0, f"do all verbs fit together in the {'present' if to_present else 'past'}?")
    return Rewriting(tuple(writing.edits), tuple(dict.fromkeys(writing.doubts)))


def _check_persons(clauses: Clauses) -> None:
    """Refuse verbs of other persons, whose forms are not in the tables."""
    for index, word in enumerate(clauses.words):
        if word.form in clauses.rules.words("other-person"):
            raise NotDerivedError(f"the verb of {word.form!r} is not of the third person")
        is_bare = clauses.word_class(index) == "noun" and word.form.endswith(clauses.rules.person_endings)
        phrase = clauses.phrase_at(index)
        is_unlisted = phrase is not None and not phrase.determiner and clauses.rules.listed(word.form) is None
        if clauses.word_class(index) == "first-person" or (is_bare and is_unlisted):
            raise NotDerivedError(f"{word.form!r} may be a verb of another person")


def _unread_verbs(clauses: Clauses) -> list[str]:
    """Doubts about words that were read as nouns and may be verbs: *a turma toda ficou*, *se multiplient*."""
    rules = clauses.rules
    doubts = []
    for index, word in enumerate(clauses.words):
        phrase, before = clauses.phrase_at(index), clauses.form(index - 1)
        if phrase is None or index == phrase.first:
            is_noun = phrase is None or phrase.is_name or bool(phrase.preposition)
        else:
            is_noun = before in rules.determiners - rules.words("both-people") - rules.words("whole") or phrase.is_name
        is_verb_form = rules.verbs.finite(word.form) and rules.listed(word.form) is None
        if not is_noun and (is_verb_form or clauses.word_class(index - 1) == "clitic"):
            doubts.append(f"is {word.form!r} a verb?")
    return doubts


def _is_of_two_verbs(clauses: Clauses, verb: int) -> bool:
    """Whether *foi* may be of *ser* or *ir*: *foi atrás*."""
    infinitives = {analysis.infinitive for analysis in clauses.rules.verbs.finite(clauses.form(verb))}
    return {"ir", "ser"} <= infinitives and clauses.word_class(verb + 1) == "adverb"


def _analysis(clauses: Clauses, verb: int) -> VerbForm:
    """The verb's form; *foi* before an infinitive or a place is of *ir*."""
    analyses = clauses.rules.verbs.finite(clauses.form(verb))
    index = verb + 1
    while clauses.word_class(index) in ("adverb", "clitic"):
        index += 1
    goes = clauses.word_class(index) == "infinitive" or clauses.form(index) in ("para", "ao", "à", "até", "embora")
    infinitives = ("ir", clauses.infinitive(verb)) if goes else (clauses.infinitive(verb),)
    chosen = (analysis for infinitive in infinitives for analysis in analyses if analysis.infinitive == infinitive)
    return next(chosen, analyses[0])


def _told_tense(clauses: Clauses, verb: int) -> str:
    """The tense that a verb tells with its participle: *a vendu* is a preterite."""
    tense = _analysis(clauses, verb).tense
    return _COMPOUND.get(tense, tense) if clauses.is_compound(verb) else tense


def _write_present(clauses: Clauses, verb: int, told: str, writing: Writing) -> None:
    """A verb in a story that is told in the present."""
    form, rules, is_compound = _analysis(clauses, verb), clauses.rules, clauses.is_compound(verb)
    if told == "preterite" and _is_cause(clauses, verb):
        return  # "xinga o atacante porque ele perdeu"
    if told == "past-subjunctive" and "como" in (clauses.form(verb - 2), clauses.form(verb - 3)):
        return  # "como se fosse"
    opener = clauses.form(clauses.before_verb(verb) - (clauses.subject(verb).pronoun is not None))
    if opener in ("se", "si", "s'") and told in ("past-subjunctive", "imperfect"):
        writing.doubts.append(f"is {clauses.form(verb)!r} a condition?")
    if not is_compound or (told == "pluperfect" and not rules.drops_subjects) or told == "past-subjunctive":
        _write(clauses, verb, form, _TO_PRESENT.get(form.tense), writing)
    elif told != "subjunctive":  # "bien qu'il ait avoué"
        tense = {"preterite": "present", "pluperfect": "preterite", "conditional": "conditional"}.get(told)
        _write_simple(clauses, verb, tense, writing)


def _is_cause(clauses: Clauses, verb: int) -> bool:
    """Whether a verb tells why something was done: *porque ele perdeu*, *parce qu'elle a perdu*."""
    for index in range(clauses.before_verb(verb), -1, -1):
        if (
            clauses.form(index) in clauses.rules.words("because") and clauses.word_class(index - 1) != "preposition"
        ):  # "du car"
            return True
        if clauses.word_class(index) in ("verb", "punctuation"):
            return False
    return False


def _write_past(clauses: Clauses, verb: int, told: str, writing: Writing) -> None:
    """A verb in a story that is told in the past."""
    form = _analysis(clauses, verb)
    if told == "preterite" and not clauses.is_compound(verb):
        compound = clauses.rules.pluperfect(form)
        if compound is None:
            writing.doubts.append(f"which tense has {clauses.form(verb)!r} then?")
        else:
            writing.word(verb, compound)
    elif form.tense != "subjunctive" or clauses.rules.drops_subjects:  # French keeps its subjunctive
        _write(clauses, verb, form, _TO_PAST.get(form.tense), writing)


def _write(clauses: Clauses, verb: int, form: VerbForm, tense: str | None, writing: Writing) -> None:
    if tense is None:
        return
    changed = clauses.rules.verbs.written(form.infinitive, tense, form.number)
    if changed is None:
        raise NotDerivedError(f"{clauses.form(verb)!r} has no listed form in another tense")
    writing.word(verb, changed)


def _write_simple(clauses: Clauses, verb: int, tense: str | None, writing: Writing) -> None:
    """A compound tense as a simple one: *a vendu* → *vend*; *tinha vendido* → *vendeu*."""
    form, verbs = _analysis(clauses, verb), clauses.rules.verbs
    participle = clauses.group(verb).verbs[1]
    lexical = verbs.nonfinite(clauses.form(participle))
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
