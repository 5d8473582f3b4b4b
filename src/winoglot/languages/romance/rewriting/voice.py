"""The passive of an active clause: *Ana chamou Rita* → *Rita foi chamada por Ana*. Always proposed.

A plain clause only: subject, verb of the list, object with its article or a name, perhaps a recipient between them.
Where several clauses have one, the clause with most candidates is taken. Whether the passive is natural, and the
pronoun as clear as before, is for a reader to say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.clauses import TextPhrase, VerbChain
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import apostrophe_of, fused, unelided
from winoglot.schemas.spans import Edit, Span, moved

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item, Role

_BELONGING = ("adjective", "participle", "infinitive", "gerund")
_BY = {"pt": "por ", "fr": "par "}


@dataclass(frozen=True)
class _Clause:
    """An active clause, by the numbers of its words."""

    verb: int
    group: VerbChain
    subject: TextPhrase
    target: TextPhrase
    target_end: int  # the last word of the object with its complements
    recipient: tuple[int, int] | None  # a phrase with a preposition between verb and object

    @property
    def weight(self) -> int:
        """How many candidates change places."""
        return (self.subject.candidate is not None) + (self.target.candidate is not None)


def voice(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """A clause of the item in the passive, as a proposal."""
    del draws
    clauses = clauses_of(item, rules)
    found, reasons = [], []
    for verb in clauses.verbs():
        try:
            found.append(_active(clauses, verb))
        except NotDerivedError as error:
            reasons.append(str(error))
    if not found:
        raise NotDerivedError(reasons[0] if reasons else "no finite verb is known")
    for clause in sorted(found, key=lambda one: -one.weight):
        try:
            return _passive(clauses, clause)
        except NotDerivedError as error:
            reasons.append(str(error))
    raise NotDerivedError(reasons[-1])


def _active(clauses: Clauses, verb: int) -> _Clause:
    """The clause of a verb; NotDerivedError if it has no plain passive."""
    rules = clauses.rules
    subject, group = clauses.subject(verb), clauses.group(verb)
    if subject.phrase is None or subject.unsure or subject.is_joined or clauses.is_quoted(verb):
        raise NotDerivedError("no plain phrase is the subject of a verb")
    before = clauses.phrase_at(clauses.before_verb(verb))
    if before is None or clauses.whole(before) != subject.phrase or subject.phrase.preposition:
        raise NotDerivedError("the subject does not stand right before its verb")
    lexical = group.infinitive
    if lexical not in rules.verbs.actions.words("transitive") or group.is_passive or group.has_clitic:
        raise NotDerivedError(f"{clauses.form(group.last)!r} is not a verb with a plain passive")
    at = group.last + 1
    while clauses.word_class(at) in ("adverb", "negation"):
        at += 1
    recipient = None
    target = clauses.phrase_at(at + (clauses.word_class(at) == "preposition"))
    is_recipient = target is not None and target.preposition in ("a", "para", "à")
    is_manner = target is not None and bool(target.preposition) and not target.determiner  # "par erreur"
    if target is not None and (is_recipient or is_manner) and target.first <= at + 1:
        recipient = (at, target.last)
        at = target.last + 1
        target = clauses.phrase_at(at)
    every = clauses.phrase_at(at + 1)
    if clauses.form(at) in rules.whole | rules.both and every is not None and every.first == at + 1:
        target = replace(every, first=at)  # "prendeu todos os ladrões"
    if target is None or target.first != at or target.preposition:
        raise NotDerivedError(f"{clauses.form(group.last)!r} has no plain object after it")
    if not (target.determiner or target.is_name or target.candidate is not None):
        raise NotDerivedError(f"the object {clauses.form(target.head)!r} has no article")
    end = _with_complement(clauses, target)
    end = _with_description(clauses, end)
    if clauses.form(end + 1) in rules.of or clauses.word_class(end + 1) in _BELONGING:
        raise NotDerivedError(f"{clauses.form(end + 1)!r} may belong to the object")
    if clauses.word_class(subject.phrase.first - 1) == "indefinite":
        raise NotDerivedError("the subject is a pronoun")  # "tout le monde"
    return _Clause(verb, group, subject.phrase, target, end, recipient)


def _with_complement(clauses: Clauses, phrase: TextPhrase) -> int:
    """The last word of the object, with the complements that *de* opens: *a caixa do vizinho*."""
    last = phrase.last
    while True:
        at = last + 1
        is_use = clauses.form(at) == "à" and clauses.word_class(at) == "preposition"  # "caisse à outils"
        is_of = clauses.form(at) in clauses.rules.of or is_use
        following = clauses.phrase_at(at + is_of)
        if following is None or following.first > at + is_of:
            return last
        if following.preposition not in clauses.rules.of and (not is_use or following.determiner or following.is_name):
            return last
        last = following.last


def _with_description(clauses: Clauses, last: int) -> int:
    """The last word of the object with an adjective that is not listed, or with its relative clause."""
    following = clauses.phrase_at(last + 1)
    if following is not None and not following.preposition and following.first == following.last == last + 1:
        last += 1
    if clauses.word_class(last + 1) == "relative":
        while last + 1 < len(clauses.words) and not clauses.words[last + 1].is_sign:
            last += 1
    return last


def _continued(clauses: Clauses, clause: _Clause) -> int | None:
    """The number of a conjunction after which another verb has the same subject, unspoken."""
    subjects = {one: clauses.subject(one) for one in clauses.verbs() if one > clause.verb}
    shared = {one: found for one, found in subjects.items() if found.phrase == clause.subject}
    others = [one for one, found in shared.items() if not found.unsure or one <= clause.target_end]
    if not others:
        return None
    joint = clauses.before_verb(others[0])
    if len(others) == 1 and joint == clause.target_end + 1 and clauses.form(joint) in ("e", "et"):
        return joint
    raise NotDerivedError("another verb has the same subject")


def _passive(clauses: Clauses, clause: _Clause) -> Rewriting:
    rules, text, words = clauses.rules, clauses.text, clauses.words
    start = words[clause.subject.first].span.start
    end = words[clause.target_end].span.end
    is_opening = opens_sentence(text, start)
    subject_end = words[clauses.before_verb(clause.verb)].span.end
    agent = text[start:subject_end]
    is_name = clause.subject.is_name or (
        words[clause.subject.head].is_capital and clause.subject.first == clause.subject.head
    )
    agent = agent if is_name or not is_opening else agent[:1].lower() + agent[1:]
    target = text[words[clause.target.first].span.start : end]
    pieces = [target[:1].upper() + target[1:] if is_opening else target]
    pieces += [
        text[words[n].span.start : words[n].span.end] for n in range(clauses.before_verb(clause.verb) + 1, clause.verb)
    ]
    pieces += _verb_words(clauses, clause)
    after_verb = clause.recipient[0] if clause.recipient else clause.target.first
    denied = _negated(clauses, clause)
    between = [n for n in range(clause.group.last + 1, after_verb) if n not in denied]
    pieces += [words[n].span.of(text) for n in between]
    pieces.append("".join(fused(_BY[rules.tag], agent, rules.tag)))
    by = len(pieces) - 1
    if clause.recipient:
        pieces.append(text[words[clause.recipient[0]].span.start : words[clause.recipient[1]].span.end])
    new, places = _joined(pieces, rules)
    new = new.replace("'", apostrophe_of(text))
    left = unelided(text[:start], text[start:], rules.tag)
    left, new_start = fused(left, new, rules.tag)
    if left != text[:start] or new_start != new:
        raise NotDerivedError("the word before the clause would change")
    joint = _continued(clauses, clause)
    edits: tuple[Edit, ...] = (Edit(Span(start, end), new),)
    if joint is not None:
        if clause.recipient:
            raise NotDerivedError("another verb has the same subject")
        relative = "que" if rules.drops_subjects else "qui"
        edits = (*edits, Edit(Span(end, words[joint].span.end), f", {relative}"))
    agent_at = places[by] + len(_BY[rules.tag]) * pieces[by].startswith(_BY[rules.tag])
    sources = [
        (Span(start, subject_end), start + agent_at, start + places[by] + len(pieces[by])),
        (Span(words[clause.target.first].span.start, end), start, start + len(target)),
    ]
    if clause.recipient:
        span = Span(words[clause.recipient[0]].span.start, words[clause.recipient[1]].span.end)
        sources.append((span, start + places[-1], start + len(new)))
    mentions = _mentions(clauses, edits, sources)
    roles: list[Role | None] = [candidate.role for candidate in clauses.item.candidates]
    for phrase, role in ((clause.subject, "agent"), (clause.target, "subject")):
        if phrase.candidate is not None:
            roles[phrase.candidate] = role  # type: ignore[call-overload]
    doubts = ["does the passive sound natural here?"]
    if len(clause.group.verbs) > 1 and clauses.word_class(clause.group.verbs[1]) == "infinitive":
        doubts.append(f"does {clauses.form(clause.verb)!r} then say the same of its new subject?")
    if clause.weight < 2:
        doubts.append(f"is the pronoun as clear as before after {pieces[0]!r}?")
    return Rewriting(edits, tuple(doubts), mentions=mentions, roles=tuple(roles))


def _joined(pieces: list[str], rules: Rules) -> tuple[str, list[int]]:
    """The pieces as one text, elided where they meet, and where each begins."""
    made, places = "", []
    for piece in pieces:
        gap = "" if not made or made.endswith(("'", "’")) else " "
        left = made + gap
        if left:
            left = unelided(left, piece, rules.tag) if left.endswith(("'", "’")) else left
            left = fused(left, piece, rules.tag)[0]
        places.append(len(left))
        made = left + piece
    return made, places


def _mentions(
    clauses: Clauses, edits: tuple[Edit, ...], sources: list[tuple[Span, int, int]]
) -> tuple[tuple[Span, ...], ...]:
    """Where the candidates are mentioned afterwards."""
    made = []
    for candidate in clauses.item.candidates:
        places = []
        for mention in candidate.mentions:
            if not mention.overlaps(edits[0].span):
                places.append(moved(mention, edits))
                continue
            if mention.within(sources[0][0]):  # counted from its end, since its beginning may have been contracted
                source, first, end = sources[0]
                at = first if mention.start == source.start else end - (source.end - mention.start)
                places.append(Span(at, end - (source.end - mention.end)))
                continue
            inside = next((one for one in sources[1:] if mention.within(one[0])), None)
            if inside is None:
                raise NotDerivedError(f"{candidate.text!r} is mentioned inside the clause")
            at = inside[1] + mention.start - inside[0].start
            places.append(Span(at, at + mention.end - mention.start))
        made.append(tuple(places))
    return tuple(made)


def _verb_words(clauses: Clauses, clause: _Clause) -> list[str]:
    """*foi chamada*, *estava sendo chamada*, *a été appelée*, with what stands between the verb's words."""
    rules, group, verb = clauses.rules, clause.group, clause.verb
    number = clause.target.number or _feature(clauses, clause.target, "number") or "singular"
    form = rules.verbs.finite(clauses.form(verb))[0]
    participle = _participle(clauses, clause, number)
    own = clauses.infinitive(verb)
    if len(group.verbs) == 1:
        be = rules.verbs.written("ser" if rules.drops_subjects else "être", form.tense, number)
        if be is None:
            raise NotDerivedError(f"the tense of {clauses.form(verb)!r} has no passive")
        denied = (clauses.words[n].span.of(clauses.text) for n in _negated(clauses, clause))
        return [be, *denied, participle]
    aux = rules.verbs.written(own, form.tense, number)
    between = [clauses.words[n].span.of(clauses.text) for n in range(verb + 1, group.verbs[1])]
    kind = clauses.word_class(group.verbs[1])
    been = {"participle": "sido" if rules.drops_subjects else "été", "gerund": "sendo"}.get(kind)
    if kind == "infinitive" and len(group.verbs) == 2 and own in rules.modals:
        been = "ser" if rules.drops_subjects else "être"
    if aux is None or been is None or len(group.verbs) > 2:
        raise NotDerivedError(f"{clauses.form(verb)!r} is an auxiliary without a plain passive")
    return [aux, *between, been, participle]


def _negated(clauses: Clauses, clause: _Clause) -> list[int]:
    """French *pas* after a simple verb, which comes before the participle: *n'était pas entendue*."""
    after = range(clause.group.last + 1, clause.target.first)
    denied = [number for number in after if clauses.word_class(number) == "negation"]
    return denied if len(clause.group.verbs) == 1 and not clauses.rules.drops_subjects else []


def _feature(clauses: Clauses, phrase: TextPhrase, name: str) -> str | None:
    if phrase.candidate is None:
        return None
    candidate = clauses.item.candidates[phrase.candidate]
    value: str | None = getattr(features_of(candidate, clauses.item, clauses.item.language), name).value
    if value is None and phrase.is_name:  # both candidates may be meant by the pronoun
        value = getattr(features_of_pronoun(clauses.item, clauses.item.language), name).value
    return value


def _participle(clauses: Clauses, clause: _Clause, number: str) -> str:
    rules, target = clauses.rules, clause.target
    gender = target.gender if target.gender in ("masculine", "feminine") else _feature(clauses, target, "gender")
    if gender not in ("masculine", "feminine"):
        gender = rules.likely_gender(clauses.form(target.head))
    if gender is None:
        raise NotDerivedError(f"the gender of {clauses.form(target.head)!r} is unknown")
    made: str | None = rules.passive_participle(clause.group.infinitive)
    if made and gender == "feminine":
        made = rules.in_gender(made, "feminine")
    if made and number == "plural":
        made = rules.in_plural(made)
    if not made:
        raise NotDerivedError(f"the participle of {clause.group.infinitive!r} is unknown")
    return made
