"""The passive of an active clause: *Ana chamou Rita* → *Rita foi chamada por Ana*.

Only plain clauses: subject, verb, object with its article or a name, perhaps a recipient between them. The speaker, or
an unnamed subject, is left out: *coloquei o livro* → *o livro foi colocado*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance.rewriting.clauses import TextPhrase, VerbChain
from winoglot.languages.romance.rewriting.pieces import (
    Piece,
    Rephrased,
    end_of,
    gender_of,
    inside,
    number_of,
    opening,
    span_of,
    words_of,
)
from winoglot.languages.romance.rewriting.referents import is_expletive, may_be_human
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import fused
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.clauses import Clauses, VerbSubject
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Role


_ACCUSATIVE = frozenset({"o", "a", "os", "as", "le", "la", "l'", "les"})
_TO_WHOM = frozenset({"lhe", "lhes", "lui", "leur"})


@dataclass(frozen=True)
class _Active:
    """An active clause, as indexes of its words."""

    first: int  # its subject, or the verb if that is not spoken
    verb: int
    group: VerbChain
    subject: TextPhrase | None  # none: a pronoun, or nobody who is named
    pronoun: int | None
    target: TextPhrase  # a noun phrase, or the pronoun before the verb
    target_end: int  # the last word of the object with its complements, or of the verb after a pronoun
    recipient: tuple[int, int] | None  # a phrase with a preposition between verb and object


def to_passive(clauses: Clauses, verb: int) -> Rephrased:
    """The clause of a verb in the passive; NotDerivedError if it has none."""
    clause = _read_clause(clauses, verb)
    _check_control(clauses, clause)
    joint = _second_verb_joint(clauses, clause)
    span = span_of(clauses, clause.first, clause.target_end)
    target = _new_subject(clauses, clause, span)
    before = [index for index in range(clauses.before_verb(verb) + 1, verb) if index != clause.target.first]
    pieces = [target, *words_of(clauses, before), *_verb_pieces(clauses, clause)]
    after_verb = clause.recipient[0] if clause.recipient else clause.target.first
    negations = _negations(clauses, clause)
    pieces += words_of(clauses, [index for index in range(clause.group.last + 1, after_verb) if index not in negations])
    pieces += _agent(clauses, clause)
    if clause.recipient:
        source = span_of(clauses, *clause.recipient)
        pieces.append(Piece(source.of(clauses.text), source))
    after = () if joint is None else (_resumed_subject(clauses, clause, joint),)
    weight, doubts = _assessed(clauses, clause, target.text)
    return Rephrased(span, tuple(pieces), weight, doubts, tuple(_roles(clause)), after)


def _roles(clause: _Active) -> list[tuple[int, Role]]:
    """The new roles of the candidates in the clause."""
    pairs: tuple[tuple[TextPhrase | None, Role], ...] = ((clause.subject, "agent"), (clause.target, "subject"))
    return [(phrase.candidate, role) for phrase, role in pairs if phrase is not None and phrase.candidate is not None]


def _assessed(clauses: Clauses, clause: _Active, opening_text: str) -> tuple[float, tuple[str, ...]]:
    """How well this clause is suited to a passive, and what a reader must check."""
    is_owned = any(form in clauses.rules.possessives for form in clause.target.determiner.split())
    if is_owned and clause.pronoun is not None:
        raise NotDerivedError(f"the owner in {opening_text!r} would be unclear")
    candidates = len(_roles(clause))
    weight = candidates - 0.5 * (clause.subject is None) - 1.5 * is_owned
    doubts = ["does the passive sound natural here?"]
    if len(clause.group.verbs) > 1 and clauses.word_class(clause.group.verbs[1]) == "infinitive":
        doubts.append(f"does {clauses.form(clause.verb)!r} then say the same of its new subject?")
    if clause.group.infinitive not in clauses.rules.verbs.actions.words("transitive"):
        doubts.append(f"has {clauses.form(clause.group.last)!r} a passive?")
    if is_owned:
        doubts.append(f"is the owner in {opening_text!r} as clear as before?")
    if candidates < 2:
        doubts.append(f"is the pronoun as clear as before after {opening_text!r}?")
    return weight, tuple(doubts)


# Reading


def _read_clause(clauses: Clauses, verb: int) -> _Active:
    """The clause of a verb; NotDerivedError if it has no plain passive."""
    if clauses.is_quoted(verb):
        raise NotDerivedError("the clause is quoted")
    group = clauses.group(verb)
    first, subject, pronoun = _subject(clauses, verb)
    if not _takes_object(clauses, group):
        raise NotDerivedError(f"{clauses.form(group.last)!r} is not a verb with a plain passive")
    clitics = [
        index for index in range(clauses.before_verb(verb) + 1, group.last + 2) if clauses.word_class(index) == "clitic"
    ]
    if clitics and (len(clitics) > 1 or clitics[0] > verb):
        raise NotDerivedError(f"{clauses.form(clitics[0])!r} may be the object")
    if clitics and clauses.form(clitics[0]) not in _TO_WHOM:
        target = _pronoun_target(clauses, clitics[0], group, is_named=pronoun is None)
        return _Active(first, verb, group, subject, pronoun, target, group.last, None)
    target, recipient = _target(clauses, group)
    return _Active(first, verb, group, subject, pronoun, target, end_of(clauses, target), recipient)


def _subject(clauses: Clauses, verb: int) -> tuple[int, TextPhrase | None, int | None]:
    """The first word of the clause, and the phrase or pronoun that is its subject."""
    rules, index = clauses.rules, clauses.before_verb(verb)
    if clauses.form(index) in rules.left_out:
        return index, None, None
    if clauses.word_class(verb) == "first-person":
        if not rules.drops_subjects or clauses.word_class(index) == "relative":
            raise NotDerivedError("no plain phrase is the subject of a verb")
        return index + 1, None, None
    subject = clauses.subject(verb)
    joined = _joined_names(clauses, subject)
    if joined is not None:
        return joined, subject.phrase, None
    if subject.unsure or subject.is_joined:
        raise NotDerivedError("no plain phrase is the subject of a verb")
    if subject.pronoun is not None and subject.pronoun == index:
        return index, None, index
    if subject.phrase is None:
        raise NotDerivedError("no plain phrase is the subject of a verb")
    before = clauses.phrase_at(index)
    if before is None or clauses.whole(before) != subject.phrase or subject.phrase.preposition:
        raise NotDerivedError("the subject does not stand right before its verb")
    if clauses.word_class(subject.phrase.first - 1) == "indefinite":
        raise NotDerivedError("the subject is a pronoun")  # "tout le monde"
    return subject.phrase.first, subject.phrase, None


def _joined_names(clauses: Clauses, subject: VerbSubject) -> int | None:
    """The first of two joined names that are a subject: *Ana e Rita viram*; None for any other subject."""
    if not subject.is_joined or subject.phrase is None or subject.unsure:
        return None
    before = clauses.phrase_at(subject.phrase.first - 2)
    is_opening = before is not None and clauses.word_class(before.first - 1) in ("punctuation", "subordinator")
    if before is None or not is_opening or before.preposition or not (before.is_name and subject.phrase.is_name):
        return None
    return before.first


def _takes_object(clauses: Clauses, group: VerbChain) -> bool:
    """Whether a verb has a passive: if it is listed as having one, or not listed at all."""
    rules = clauses.rules
    if group.infinitive in rules.verbs.actions.words("transitive"):
        return True
    return group.infinitive not in rules.verbs.infinitives and group.infinitive not in rules.auxiliaries


def _target(clauses: Clauses, group: VerbChain) -> tuple[TextPhrase, tuple[int, int] | None]:
    """The object of a verb, and the words of a recipient before it."""
    rules, index = clauses.rules, group.last + 1
    while clauses.word_class(index) in ("adverb", "negation"):
        index += 1
    recipient = None
    target = clauses.phrase_at(index + (clauses.word_class(index) == "preposition"))
    is_recipient = target is not None and target.preposition in ("a", "para", "à") and may_be_human(clauses, target)
    is_manner = target is not None and bool(target.preposition) and not target.determiner  # "par erreur"
    if target is not None and (is_recipient or is_manner) and target.first <= index + 1:
        recipient = (index, target.last)
        index = target.last + 1
        target = clauses.phrase_at(index)
    next_phrase = clauses.phrase_at(index + 1)
    if clauses.form(index) in rules.whole | rules.both and next_phrase is not None and next_phrase.first == index + 1:
        target = replace(next_phrase, first=index)  # "prendeu todos os ladrões"
    if target is None or target.first != index or target.preposition:
        raise NotDerivedError(f"{clauses.form(group.last)!r} has no plain object after it")
    is_counted = rules.drops_subjects and target.number == "plural"  # "comprou flores"
    if not (target.determiner or target.is_name or target.candidate is not None or is_counted):
        raise NotDerivedError(f"the object {clauses.form(target.head)!r} has no article")
    if clauses.form(target.head) in rules.times | rules.grammar.table("nouns").words("time"):
        raise NotDerivedError(f"{clauses.form(target.head)!r} says how long or when")
    return target, recipient


def _check_control(clauses: Clauses, clause: _Active) -> None:
    """Refuse what depends on the subject: *Cansada, Ana abriu*, *serviu a torta, jurando*, *e oublié le prunier*."""
    rules, first = clauses.rules, clause.first
    opening = range(first)[::-1]
    start = next((n + 1 for n in opening if clauses.words[n].is_punctuation and clauses.form(n) != ","), 0)
    before = [clauses.word_class(index) for index in range(start, first)]
    is_described = before[:1] and before[0] in ("adjective", "participle", "gerund")
    if is_described or ("infinitive" in before and "verb" not in before):
        raise NotDerivedError(f"{clauses.form(start)!r} may lean on the subject")
    for position in range(clause.target_end + 1, len(clauses.words)):
        form, kind = clauses.form(position), clauses.word_class(position)
        if form in ".!?…;:" or kind == "verb":
            break
        is_without = form in rules.without and clauses.word_class(position + 1) not in ("noun", "determiner")
        is_joined = kind == "participle" and clauses.form(position - 1) in rules.joining
        if kind == "gerund" or is_without or is_joined:
            raise NotDerivedError(f"{form!r} may lean on the subject")
    is_described = clause.target.last > clause.target.head and not clause.target.is_name
    if clause.group.infinitive in rules.making and is_described:  # "deixou a luz acesa"
        raise NotDerivedError(f"{clauses.form(clause.target.last)!r} may not belong to the object")
    if clause.group.infinitive in rules.filling and clauses.form(clause.target.last + 1) in rules.of:
        raise NotDerivedError(f"{clauses.form(clause.target.last + 1)!r} may not belong to the object")


def _pronoun_target(clauses: Clauses, clitic: int, group: VerbChain, *, is_named: bool) -> TextPhrase:
    """The pronoun before its verb that is the object: *Luc l'a vue*."""
    form = clauses.form(clitic)
    if form not in _ACCUSATIVE or not is_named or is_expletive(clauses, clitic):
        raise NotDerivedError(f"{form!r} may be no plain object")
    following = clauses.phrase_at(group.last + 1)
    is_denied = clauses.word_class(group.last + 1) == "negation"
    if is_denied or (following is not None and not following.preposition):
        raise NotDerivedError(f"{clauses.form(group.last + 1)!r} follows the verb")
    features = clauses.rules.grammar.table("pronouns").features().get(form)
    gender: str | None = features.gender if features else None
    number = features.number if features else None
    if gender is None and clitic == clauses.pronoun:
        gender = features_of_pronoun(clauses.item, clauses.item.language).gender.value
    if gender is None and form != "les" and len(group.verbs) > 1:  # "l'a vue"
        agrees = clauses.rules.in_gender(clauses.form(group.last), "masculine") == clauses.form(group.last)
        gender = "masculine" if agrees else "feminine"
    if gender is None:
        raise NotDerivedError(f"the gender of {form!r} is unknown")
    return TextPhrase(clitic, clitic, clitic, gender=gender, number=number or "singular")


def _second_verb_joint(clauses: Clauses, clause: _Active) -> int | None:
    """The index of a conjunction after which another verb has the same subject, unspoken."""
    if clause.subject is None:
        _check_alone(clauses, clause)
        return None
    subjects = {verb: clauses.subject(verb) for verb in clauses.verbs() if verb > clause.verb}
    shared = {verb: subject for verb, subject in subjects.items() if subject.phrase == clause.subject}
    sharing_verbs = [verb for verb, subject in shared.items() if not subject.unsure or verb <= clause.target_end]
    if not sharing_verbs:
        return None
    joint = clauses.before_verb(sharing_verbs[0])
    if len(sharing_verbs) == 1 and joint > clause.target_end and clauses.form(joint) in clauses.rules.joining:
        return joint
    raise NotDerivedError("another verb has the same subject")


def _check_alone(clauses: Clauses, clause: _Active) -> None:
    """Refuse a pronoun, or an omitted subject, that is also the subject of another verb: *peguei a bolsa e saí*."""
    for verb in clauses.all_verbs():
        if verb in clause.group.verbs:
            continue
        index = clauses.before_verb(verb)
        is_joint = clauses.form(index) in clauses.rules.joining
        is_shared = clause.pronoun is not None and clauses.subject(verb).pronoun == clause.pronoun
        is_spoken = clauses.form(index) in clauses.rules.left_out
        is_first = clause.pronoun is None and clauses.word_class(verb) == "first-person" and not is_spoken
        if (is_joint and verb > clause.verb and clause.pronoun is None) or is_shared or is_first:
            raise NotDerivedError("another verb has the same subject")


# Writing


def _resumed_subject(clauses: Clauses, clause: _Active, joint: int) -> Edit:
    """The edit that makes the subject of the next verb explicit: *…, que saiu* right after it, *… e ela saiu*."""
    rules, end = clauses.rules, clauses.words[joint].span.end
    if joint == clause.target_end + 1 and not clause.recipient and clauses.form(joint) in ("e", "et"):
        relative = "que" if rules.drops_subjects else "qui"
        return Edit(Span(clauses.words[clause.target_end].span.end, end), f", {relative}")
    if clause.subject is None or clause.first != clause.subject.first:
        raise NotDerivedError("another verb has the same subject")
    index = (number_of(clauses, clause.subject) == "plural") * 2 + (gender_of(clauses, clause.subject) == "feminine")
    return Edit(Span(end, end), f" {rules.pronoun_forms[0][index]}")


def _new_subject(clauses: Clauses, clause: _Active, span: Span) -> Piece:
    """The object as the subject: *a* becomes *ela*."""
    if clause.target.first > clause.verb:
        return opening(clauses, span_of(clauses, clause.target.first, clause.target_end), span.start)
    index = (clause.target.number == "plural") * 2 + (clause.target.gender == "feminine")
    form = clauses.rules.pronoun_forms[0][index]
    return Piece(
        form.capitalize() if opens_sentence(clauses.text, span.start) else form, clauses.words[clause.target.first].span
    )


def _agent(clauses: Clauses, clause: _Active) -> list[Piece]:
    """The agent as pieces: *por Ana*, *pelo lobo*, *par elle*; none for the speaker."""
    rules = clauses.rules
    if clause.pronoun is not None:
        form, source = clauses.form(clause.pronoun), clauses.words[clause.pronoun].span
        gender = rules.grammar.table("pronouns").features()[form].gender or "masculine"
        agent_form = rules.pronoun(form, gender, rules.shown_number(form), after_preposition=True) or form
        return [Piece(rules.by), Piece(agent_form, source)]
    if clause.subject is None:
        return []
    source = span_of(clauses, clause.first, clauses.before_verb(clause.verb))
    agent = inside(clauses, source, clause.subject.head, is_name=clause.subject.is_name)
    left, right = fused(f"{rules.by} ", agent.text, rules.tag)
    return [Piece(left.strip()), agent] if left else [Piece(right, source)]


def _verb_pieces(clauses: Clauses, clause: _Active) -> list[Piece]:
    """*foi chamada*, *estava sendo chamada*, *a été appelée*, with the words between the parts of the verb."""
    rules, group, verb = clauses.rules, clause.group, clause.verb
    number = number_of(clauses, clause.target)
    form = clauses.analysis(verb)
    participle = Piece(_participle(clauses, clause, number))
    if len(group.verbs) == 1:
        be = rules.verbs.written(rules.be, form.tense, number)
        if be is None:
            raise NotDerivedError(f"the tense of {clauses.form(verb)!r} has no passive")
        return [Piece(be), *words_of(clauses, _negations(clauses, clause)), participle]
    infinitive = clauses.infinitive(verb)
    auxiliary = rules.verbs.written(infinitive, form.tense, number)
    kind = clauses.word_class(group.verbs[1])
    been = _form_of_be(kind, rules) if kind != "infinitive" or infinitive in rules.modals else None
    if auxiliary is None or been is None or len(group.verbs) > 2:
        raise NotDerivedError(f"{clauses.form(verb)!r} is an auxiliary without a plain passive")
    between = words_of(clauses, range(verb + 1, group.verbs[1]))
    return [Piece(auxiliary), *between, Piece(been), participle]


def _form_of_be(kind: str, rules: Rules) -> str | None:
    """*sido*, *sendo*, *ser*: the form of *be* between an auxiliary and the participle."""
    if kind == "infinitive":
        return rules.be
    return rules.verbs.participle(rules.be) if kind == "participle" else "sendo" if kind == "gerund" else None


def _negations(clauses: Clauses, clause: _Active) -> list[int]:
    """French *pas* after a simple verb, which comes before the participle: *n'était pas entendue*."""
    after = range(clause.group.last + 1, clause.target.first)
    negations = [index for index in after if clauses.word_class(index) == "negation"]
    return negations if len(clause.group.verbs) == 1 and not clauses.rules.drops_subjects else []


def _participle(clauses: Clauses, clause: _Active, number: str) -> str:
    """The participle, in the gender and number of the new subject."""
    rules = clauses.rules
    participle: str | None = rules.passive_participle(clause.group.infinitive)
    if not participle and clauses.word_class(clause.group.last) == "participle":
        participle = clauses.form(clause.group.last)  # of an unlisted verb
    if participle and gender_of(clauses, clause.target) == "feminine":
        participle = rules.in_gender(participle, "feminine")
    if participle and number == "plural":
        participle = rules.in_plural(participle)
    if not participle:
        raise NotDerivedError(f"the participle of {clause.group.infinitive!r} is unknown")
    return participle
