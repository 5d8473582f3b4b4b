"""The passive of an active clause: *Ana chamou Rita* → *Rita foi chamada por Ana*. Always proposed.

Only plain clauses: subject, verb, object with its article or a name, perhaps a recipient between them. The speaker is
left out: *coloquei o livro* → *o livro foi colocado*. Of several clauses, the one where most candidates change places
is taken. Whether it is natural, and the pronoun as clear as before, is for a reader to say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.clauses import TextPhrase, VerbChain
from winoglot.languages.romance.rewriting.people import edits_before
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.referents import may_be_human
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import apostrophe_of, fused, unelided
from winoglot.schemas.spans import Edit, Span, moved

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item, Role

_BELONGING = ("adjective", "participle", "infinitive", "gerund")


@dataclass(frozen=True)
class _Active:
    """An active clause, as indexes of its words."""

    first: int  # its subject, or the verb if that is not spoken
    group: VerbChain
    subject: TextPhrase | None  # none: a pronoun, or the speaker
    pronoun: int | None
    target: TextPhrase  # the object
    end: int  # its last word, with its complements
    recipient: tuple[int, int] | None  # the words of a phrase with a preposition between verb and object

    @property
    def roles(self) -> list[tuple[int, Role]]:
        """The new roles of the candidates in the clause, by index."""
        pairs: tuple[tuple[TextPhrase | None, Role], ...] = ((self.subject, "agent"), (self.target, "subject"))
        return [(phrase.candidate, role) for phrase, role in pairs if phrase and phrase.candidate is not None]


@dataclass(frozen=True)
class _Piece:
    """Words of the new clause, and where they come from in the text; nowhere if they are new."""

    text: str
    source: Span | None = None


def voice(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """A clause of the item in the passive, as a proposal."""
    del draws
    clauses = clauses_of(item, rules)
    found: list[tuple[float, Rewriting]] = []
    reasons: list[str] = []
    for verb in clauses.all_verbs():
        try:
            clause = _read(clauses, verb)
            found.append((_weight(clauses, clause), _rewriting(clauses, clause)))
        except NotDerivedError as error:
            reasons.append(str(error))
    if not found:
        raise NotDerivedError(reasons[0] if reasons else "no finite verb is known")
    return max(found, key=lambda pair: pair[0])[1]


def is_deed(clauses: Clauses, group: VerbChain) -> bool:
    """Whether a passive tells of an act, not a state: *foi roubado*, *a été volé*, not *était pressé*."""
    actions = clauses.rules.verbs.actions
    lexical = clauses.rules.verbs.nonfinite(clauses.form(group.last))
    if lexical not in actions.words("transitive") or lexical in actions.words("state") or group.has_clitic:
        return False
    return len(group.verbs) == 3 or clauses.analysis(group.first).tense in ("preterite", "future")


# Reading


def _read(clauses: Clauses, verb: int) -> _Active:
    """The clause of a verb; NotDerivedError if it has no plain passive."""
    group = clauses.group(verb)
    clitics = [n for n in range(clauses.before_verb(verb) + 1, group.last + 2) if clauses.word_class(n) == "clitic"]
    if group.is_passive and is_deed(clauses, group):
        raise NotDerivedError(f"{clauses.form(group.last)!r} is passive already")
    is_plain = group.infinitive in clauses.rules.verbs.actions.words("transitive") and not group.is_passive
    if not is_plain or clauses.is_quoted(verb):
        raise NotDerivedError(f"{clauses.form(group.last)!r} is not a verb with a plain passive")
    if any(clauses.form(clitic) not in clauses.rules.words("to-whom") or clitic > verb for clitic in clitics):
        raise NotDerivedError(f"{clauses.form(clitics[0])!r} may be the object")
    first, subject, pronoun = _subject(clauses, verb)
    target, recipient = _target(clauses, group)
    clause = _Active(first, group, subject, pronoun, target, _end_of(clauses, target), recipient)
    _check_control(clauses, clause)
    _check_alone(clauses, clause)
    return clause


def _subject(clauses: Clauses, verb: int) -> tuple[int, TextPhrase | None, int | None]:
    """The first word of the clause, and the phrase or pronoun that is its subject."""
    rules, index = clauses.rules, clauses.before_verb(verb)
    if clauses.form(index) in rules.words("left-out"):
        return index, None, None
    if clauses.word_class(verb) == "first-person" and rules.drops_subjects and clauses.word_class(index) != "relative":
        return index + 1, None, None
    subject, before = clauses.subject(verb), clauses.phrase_at(index)
    if subject.pronoun == index and not subject.unsure and not subject.is_joined:
        return index, None, index
    if subject.phrase is None or subject.unsure or subject.is_joined:
        raise NotDerivedError("no plain phrase is the subject of a verb")
    if before is None or clauses.whole(before) != subject.phrase or subject.phrase.preposition:
        raise NotDerivedError("the subject does not stand right before its verb")
    if clauses.word_class(subject.phrase.first - 1) == "indefinite":
        raise NotDerivedError("the subject is a pronoun")  # "tout le monde"
    return subject.phrase.first, subject.phrase, None


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
        recipient, index = (index, target.last), target.last + 1
        target = clauses.phrase_at(index)
    following = clauses.phrase_at(index + 1)
    if (
        clauses.form(index) in rules.words("whole") | rules.words("both-people")
        and following is not None
        and following.first == index + 1
    ):
        target = replace(following, first=index)  # "prendeu todos os ladrões"
    if target is None or target.first != index or target.preposition:
        raise NotDerivedError(f"{clauses.form(group.last)!r} has no plain object after it")
    is_counted = rules.drops_subjects and target.number == "plural"  # "comprou flores"
    if not (target.determiner or target.is_name or target.candidate is not None or is_counted):
        raise NotDerivedError(f"the object {clauses.form(target.head)!r} has no article")
    if clauses.form(target.head) in rules.words("time-noun") | rules.grammar.table("nouns").words("time"):
        raise NotDerivedError(f"{clauses.form(target.head)!r} says how long or when")
    return target, recipient


def _end_of(clauses: Clauses, phrase: TextPhrase) -> int:
    """The last word of a phrase with its complements (*a caixa do vizinho*) or clause; refused if more may follow."""
    last = phrase.last
    while True:
        following = clauses.phrase_at(last + 1) or clauses.phrase_at(last + 2)
        is_of = following is not None and following.preposition in clauses.rules.words("of-word")
        if (
            following is None
            or not is_of
            or following.first > last + 1 + (clauses.form(last + 1) in clauses.rules.words("of-word"))
        ):
            break
        last = following.last
    after, kind = clauses.form(last + 1), clauses.word_class(last + 1)
    described = after == "," and clauses.form(last + 2) in clauses.rules.words("relative-pronoun")
    verb = next((later for later in clauses.verbs() if later > last), None)
    is_relative = kind == "relative" and not clauses.is_said(last + 1)
    leans = is_relative and (verb is None or bool(clauses.subject(verb).unsure))  # "o livro que deu a Rita"
    if described or leans or after in clauses.rules.words("of-word") or kind in _BELONGING:
        raise NotDerivedError(f"{after!r} may belong to {clauses.form(phrase.head)!r}")
    while is_relative and last + 1 < len(clauses.words) and not clauses.words[last + 1].is_punctuation:
        last += 1
    return last


def _check_control(clauses: Clauses, clause: _Active) -> None:
    """Refuse what depends on the subject: *Cansada, Ana abriu*, *serviu a torta, jurando*, *deixou a luz acesa*."""
    rules, first = clauses.rules, clause.first
    start = next((n + 1 for n in range(first)[::-1] if clauses.form(n) in (".", "!", "?", "…", ";", ":")), 0)
    before = [clauses.word_class(index) for index in range(start, first)]
    is_described = before[:1] and before[0] in ("adjective", "participle", "gerund")
    if is_described or ("infinitive" in before and "verb" not in before):
        raise NotDerivedError(f"{clauses.form(start)!r} may lean on the subject")
    for index in range(clause.end + 1, len(clauses.words)):
        form, kind = clauses.form(index), clauses.word_class(index)
        if form in ".!?…;:" or kind == "verb":
            break
        is_without = form in rules.words("without") and clauses.word_class(index + 1) not in ("noun", "determiner")
        if (
            kind == "gerund"
            or is_without
            or (kind == "participle" and clauses.form(index - 1) in rules.words("joining"))
        ):
            raise NotDerivedError(f"{form!r} may lean on the subject")
    is_described = clause.target.last > clause.target.head and not clause.target.is_name
    is_filled = clause.end > clause.target.last and clause.group.infinitive in rules.words(
        "filling"
    )  # "encheu o prato de sal"
    if is_filled or (clause.group.infinitive in rules.words("making") and is_described):
        raise NotDerivedError(f"{clauses.form(clause.end)!r} may not belong to the object")


def _check_alone(clauses: Clauses, clause: _Active) -> None:
    """Refuse a subject that another verb has too: *peguei a bolsa e saí*."""
    for verb in clauses.all_verbs():
        if verb in clause.group.verbs:
            continue
        subject, index = clauses.subject(verb), clauses.before_verb(verb)
        is_speaker = clause.subject is None and clause.pronoun is None
        is_said = is_speaker and clauses.word_class(verb) == "first-person"
        is_same = clause.pronoun is not None and subject.pronoun == clause.pronoun
        is_later = verb > clause.group.first and subject.phrase == clause.subject is not None
        is_joined = verb > clause.group.first and clauses.form(index) in clauses.rules.words("joining") and is_speaker
        if is_same or (is_later and (not subject.unsure or verb <= clause.end)) or is_joined or is_said:
            raise NotDerivedError("another verb has the same subject")


def _weight(clauses: Clauses, clause: _Active) -> float:
    """How well a clause is suited to a passive."""
    is_owned = any(form in clauses.rules.words("third-owner") for form in clause.target.determiner.split())
    if is_owned and clause.pronoun is not None:
        raise NotDerivedError(f"the owner of {clauses.form(clause.target.head)!r} would be unclear")
    return len(clause.roles) - 0.5 * (clause.subject is None) - 1.5 * is_owned


# Writing


def _rewriting(clauses: Clauses, clause: _Active) -> Rewriting:
    """The edits that put a clause into the passive, with the places of mentions and pronoun."""
    item, text, tag = clauses.item, clauses.text, clauses.rules.tag
    span, pieces = _span(clauses, clause.first, clause.end), _pieces(clauses, clause)
    new, offsets = _joined(pieces, tag)
    new = new.replace("'", apostrophe_of(text))
    left, written = fused(unelided(text[: span.start], text[span.start :], tag), new, tag)
    if written != new:
        raise NotDerivedError("the word before the clause would change")
    edits = (*edits_before(text[: span.start], left), Edit(span, new))
    starts = [len(left) + offset for offset in offsets]
    places = [(piece.source, Span(at, at + len(piece.text))) for piece, at in zip(pieces, starts, strict=True)]

    def new_span(old: Span) -> Span:
        """Where a mention or pronoun is afterwards."""
        if not old.overlaps(span):
            return moved(old, edits)
        origin = next(((source, place) for source, place in places if source and old.within(source)), None)
        if origin is None:
            raise NotDerivedError(f"{old.of(text)!r} would be another word")
        source, place = origin  # counted from its end, since its beginning may have been contracted
        end = place.end - (source.end - old.end)
        return Span(place.start if old.start == source.start else end - (old.end - old.start), end)

    mentions = tuple(tuple(new_span(mention) for mention in candidate.mentions) for candidate in item.candidates)
    roles = dict(clause.roles)
    new_roles = tuple(roles.get(index, candidate.role) for index, candidate in enumerate(item.candidates))
    pronoun = new_span(item.pronoun) if item.pronoun else None
    return Rewriting(edits, _doubts(clauses, clause), mentions=mentions, roles=new_roles, pronoun=pronoun)


def _doubts(clauses: Clauses, clause: _Active) -> tuple[str, ...]:
    """What a reader must check."""
    head = clauses.form(clause.target.head)
    doubts = ["does the passive sound natural here?"]
    if len(clause.group.verbs) > 1 and clauses.word_class(clause.group.verbs[1]) == "infinitive":
        doubts.append(f"does {clauses.form(clause.group.first)!r} then say the same of its new subject?")
    if any(form in clauses.rules.words("third-owner") for form in clause.target.determiner.split()):
        doubts.append(f"is the owner of {head!r} as clear as before?")
    if len(clause.roles) < 2:
        doubts.append(f"is the pronoun as clear as before after {head!r}?")
    return tuple(doubts)


def _pieces(clauses: Clauses, clause: _Active) -> list[_Piece]:
    """The passive clause: the object as subject, the verb, its agent and recipient."""
    group, text = clause.group, clauses.text
    source = _span(clauses, clause.target.first, clause.end)
    target = source.of(text)
    if opens_sentence(text, clauses.words[clause.first].span.start):
        target = target[:1].upper() + target[1:]
    before = range(clauses.before_verb(group.first) + 1, group.first)
    after = range(group.last + 1, clause.recipient[0] if clause.recipient else clause.target.first)
    is_simple = len(group.verbs) == 1 and not clauses.rules.drops_subjects
    denying = [index for index in after if is_simple and clauses.word_class(index) == "negation"]  # "n'était pas vue"
    pieces = [_Piece(target, source), *_words(clauses, before), *_verb_pieces(clauses, clause, denying)]
    pieces += _words(clauses, [index for index in after if index not in denying])
    pieces += _agent(clauses, clause)
    if clause.recipient:
        source = _span(clauses, *clause.recipient)
        pieces.append(_Piece(source.of(text), source))
    return pieces


def _agent(clauses: Clauses, clause: _Active) -> list[_Piece]:
    """The agent as pieces: *por Ana*, *pelo lobo*, *par elle*; none for the speaker."""
    rules = clauses.rules
    if clause.pronoun is not None:
        form, source = clauses.form(clause.pronoun), clauses.words[clause.pronoun].span
        gender = rules.grammar.table("pronouns").features()[form].gender or "masculine"
        agent_form = rules.pronoun(form, gender, rules.shown_number(form), after_preposition=True) or form
        return [_Piece(rules.by), _Piece(agent_form, source)]
    if clause.subject is None:
        return []
    source = _span(clauses, clause.first, clauses.before_verb(clause.group.first))
    agent = source.of(clauses.text)
    head = clauses.words[clause.subject.head]
    is_named = clause.subject.is_name or (head.is_capital and head.span.start == source.start)
    if not is_named and opens_sentence(clauses.text, source.start):
        agent = agent[:1].lower() + agent[1:]
    left, right = fused(f"{rules.by} ", agent, rules.tag)
    return [_Piece(left.strip()), _Piece(agent, source)] if left else [_Piece(right, source)]


def _verb_pieces(clauses: Clauses, clause: _Active, denying: list[int]) -> list[_Piece]:
    """*foi chamada*, *estava sendo chamada*, *a été appelée*, with the words between the parts of the verb."""
    rules, group = clauses.rules, clause.group
    number = clause.target.number or _feature(clauses, clause.target, "number") or "singular"
    form = clauses.analysis(group.first)
    participle = _Piece(_participle(clauses, clause, number))
    if len(group.verbs) == 1:
        be = rules.verbs.written(rules.be, form.tense, number)
        if be is None:
            raise NotDerivedError(f"the tense of {clauses.form(group.first)!r} has no passive")
        return [_Piece(be), *_words(clauses, denying), participle]
    infinitive, kind = clauses.infinitive(group.first), clauses.word_class(group.verbs[1])
    auxiliary = rules.verbs.written(infinitive, form.tense, number)
    been = {"participle": rules.verbs.participle(rules.be), "gerund": "sendo"}.get(kind)
    been = rules.be if kind == "infinitive" and infinitive in rules.words("modal") else been
    if auxiliary is None or been is None or len(group.verbs) > 2:
        raise NotDerivedError(f"{clauses.form(group.first)!r} is an auxiliary without a plain passive")
    return [_Piece(auxiliary), *_words(clauses, range(group.first + 1, group.verbs[1])), _Piece(been), participle]


def _participle(clauses: Clauses, clause: _Active, number: str) -> str:
    """The participle, in the gender and number of the new subject."""
    rules, phrase = clauses.rules, clause.target
    gender = phrase.gender if phrase.gender in ("masculine", "feminine") else _feature(clauses, phrase, "gender")
    if gender not in ("masculine", "feminine"):
        gender = rules.likely_gender(clauses.form(phrase.head))
    if gender is None:
        raise NotDerivedError(f"the gender of {clauses.form(phrase.head)!r} is unknown")
    participle: str | None = rules.passive_participle(clause.group.infinitive)
    if participle and gender == "feminine":
        participle = rules.in_gender(participle, "feminine")
    if participle and number == "plural":
        participle = rules.in_plural(participle)
    if not participle:
        raise NotDerivedError(f"the participle of {clause.group.infinitive!r} is unknown")
    return participle


def _feature(clauses: Clauses, phrase: TextPhrase, name: str) -> str | None:
    """A candidate's number or gender, as its author or the pronoun shows it; None for other phrases."""
    if phrase.candidate is None:
        return None
    item = clauses.item
    value: str | None = getattr(features_of(item.candidates[phrase.candidate], item, item.language), name).value
    is_common = clauses.rules.noun_gender(clauses.form(phrase.head)) == "common"
    if value in (None, "common") and (phrase.is_name or is_common):  # both candidates may be meant by the pronoun
        value = getattr(features_of_pronoun(item, item.language), name).value
    return value


def _span(clauses: Clauses, first: int, last: int) -> Span:
    return Span(clauses.words[first].span.start, clauses.words[last].span.end)


def _words(clauses: Clauses, indexes: range | list[int]) -> list[_Piece]:
    """One unchanged piece per word."""
    spans = [clauses.words[index].span for index in indexes]
    return [_Piece(span.of(clauses.text), span) for span in spans]


def _joined(pieces: list[_Piece], tag: str) -> tuple[str, list[int]]:
    """The pieces as one text, elided where they meet, and where each begins."""
    text, offsets = "", []
    for piece in pieces:
        left = text + ("" if not text or text.endswith(("'", "’")) else " ")
        if left:
            left = unelided(left, piece.text, tag) if left.endswith(("'", "’")) else left
            left = fused(left, piece.text, tag)[0]
        offsets.append(len(left))
        text = left + piece.text
    return text, offsets
