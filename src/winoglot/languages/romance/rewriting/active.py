"""The active of a passive clause: *Rita foi chamada por Ana* → *Ana chamou Rita*.

A passive without an agent becomes indefinite: *o carro foi roubado* → *roubaram o carro*, *on a volé*.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance.rewriting.pieces import (
    Piece,
    Rephrased,
    end_of,
    inside,
    number_of,
    span_of,
    words_of,
)
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase, VerbChain
    from winoglot.schemas.model import Role


def to_active(clauses: Clauses, verb: int) -> Rephrased:
    """The clause of a passive verb in the active; NotDerivedError if it is not clear who the agent is."""
    group = clauses.group(verb)
    phrase, pronoun = _patient(clauses, verb)
    index = clauses.before_verb(verb)
    agent = _agent(clauses, group)
    agent_end = end_of(clauses, agent) if agent else group.last
    source = span_of(clauses, phrase.first, index) if phrase else clauses.words[index].span
    span = Span(source.start, clauses.words[agent_end].span.end)
    is_opening = clauses.word_class(index - 1) not in ("subordinator", "relative", "coordinator", "adverb")
    somebody, number = clauses.rules.somebody[bool(pronoun and is_opening)]
    number = number_of(clauses, agent) if agent else number
    new_subject = _new_subject(clauses, agent, agent_end) if agent else Piece(somebody)
    agents = [
        new_subject,
        *words_of(clauses, range(index + 1, verb)),
        *([_object_clitic(clauses, index)] if pronoun else []),
        *_verb_pieces(clauses, group, number, is_before=pronoun),
        *words_of(clauses, range(group.last + 1, _opening(clauses, agent) if agent else group.last + 1)),
        *([inside(clauses, source, phrase.head, is_name=phrase.is_name)] if phrase else []),
    ]
    pieces = [piece for piece in agents if piece.text]
    if opens_sentence(clauses.text, span.start):
        pieces[0] = replace(pieces[0], text=pieces[0].text[:1].upper() + pieces[0].text[1:])
    pairs: tuple[tuple[TextPhrase | None, Role], ...] = ((agent, "subject"), (phrase, "object"))
    roles = tuple(
        (moved_phrase.candidate, role)
        for moved_phrase, role in pairs
        if moved_phrase is not None and moved_phrase.candidate is not None
    )
    doubts = ["does the active sound natural here?"]
    if len(roles) < 2:
        doubts.append("is the pronoun as clear as before?")
    weight = len(roles) + (0.5 if agent else -0.5) - 0.25 * pronoun
    return Rephrased(span, tuple(pieces), weight, tuple(doubts), roles)


def _patient(clauses: Clauses, verb: int) -> tuple[TextPhrase | None, bool]:
    """The subject of the passive: a phrase, or else None; and whether it is a pronoun."""
    subject, index = clauses.subject(verb), clauses.before_verb(verb)
    if subject.unsure or subject.is_joined or clauses.is_quoted(verb):
        raise NotDerivedError("no plain phrase is the subject of a verb")
    later = [clauses.subject(other_verb) for other_verb in clauses.verbs() if other_verb != verb]
    if any(
        other_subject.phrase == subject.phrase and other_subject.pronoun == subject.pronoun for other_subject in later
    ):
        raise NotDerivedError("another verb has the same subject")
    if subject.pronoun == index:
        return None, True
    before_verb = clauses.phrase_at(index)
    if subject.phrase is None:
        raise NotDerivedError("no plain phrase is the subject of a verb")
    if before_verb is None or clauses.whole(before_verb) != subject.phrase or subject.phrase.preposition:
        raise NotDerivedError("the subject does not stand right before its verb")
    return subject.phrase, False


def _object_clitic(clauses: Clauses, index: int) -> Piece:
    """A pronoun as the object before its verb, which looks like the article: *ela* → *a*, *il* → *le*."""
    form = clauses.form(index)
    gender = clauses.rules.grammar.table("pronouns").features()[form].gender or "masculine"
    return Piece(clauses.rules.article(gender, clauses.rules.shown_number(form)), clauses.words[index].span)


def _agent(clauses: Clauses, group: VerbChain) -> TextPhrase | None:
    """The agent, right after the participle; None if the clause tells of an act but names no agent."""
    index = group.last + 1
    while clauses.word_class(index) == "adverb":
        index += 1
    be = group.verbs[-2]
    if (clauses.rules.verbs.nonfinite(clauses.form(be)) or clauses.infinitive(be)) != clauses.rules.be:
        raise NotDerivedError(f"{clauses.form(group.first)!r} is not the passive's auxiliary")
    phrase = clauses.phrase_at(index + (clauses.form(index) == clauses.rules.by))
    is_plain = phrase is not None and (phrase.determiner or phrase.is_name or phrase.candidate is not None)
    if phrase is not None and phrase.preposition == clauses.rules.by and is_plain and phrase.first <= index + 1:
        return phrase
    if is_deed(clauses, group) and all(
        clauses.form(position) != clauses.rules.by for position in range(index, len(clauses.words))
    ):
        return None
    raise NotDerivedError(f"nobody is named who does what {clauses.form(group.last)!r} says")


def is_deed(clauses: Clauses, group: VerbChain) -> bool:
    """Whether the passive tells of an act, not a state: *foi roubado*, *a été volé*, not *était pressé*."""
    actions = clauses.rules.verbs.actions
    lexical = clauses.rules.verbs.nonfinite(clauses.form(group.last))
    is_felt = lexical in actions.words("state")
    if lexical not in actions.words("transitive") or is_felt or group.has_clitic:
        return False
    tense = clauses.analysis(group.first).tense
    return len(group.verbs) == 3 or tense in ("preterite", "future")


def _opening(clauses: Clauses, agent: TextPhrase) -> int:
    """The index of the agent's preposition, or of the contraction that begins it."""
    return agent.first - (clauses.form(agent.first - 1) == clauses.rules.by)


def _new_subject(clauses: Clauses, agent: TextPhrase, end: int) -> Piece:
    """The agent as it is written in the place of the subject."""
    source = span_of(clauses, agent.first, end)
    text = source.of(clauses.text)
    if agent.determiner and clauses.form(agent.first) != agent.determiner.split(maxsplit=1)[0]:
        length = len(clauses.form(agent.first))
        text = agent.determiner.split(maxsplit=1)[0] + text[length:]  # "pelo lobo": "o lobo"
    return Piece(text, source)


def _verb_pieces(clauses: Clauses, group: VerbChain, number: str, *, is_before: bool) -> list[Piece]:
    """*chamou*, *tinha chamado*, *pode chamar*, *a appelé*, with the words between the parts of the verb.

    In French, a participle agrees with an object that comes before it: *l'a appelée*.
    """
    verbs = clauses.rules.verbs
    lexical = verbs.nonfinite(clauses.form(group.last))
    form = clauses.analysis(group.first)
    if lexical is None:
        raise NotDerivedError(f"the verb of {clauses.form(group.last)!r} is unknown")
    if len(group.verbs) == 2:
        finite = verbs.written(lexical, form.tense, number)
        if finite is None:
            raise NotDerivedError(f"{lexical!r} has no listed form in the tense of {clauses.form(group.first)!r}")
        return [Piece(finite), *words_of(clauses, range(group.first + 1, group.last))]
    auxiliary = verbs.written(clauses.infinitive(group.first), form.tense, number)
    kind = clauses.word_class(group.verbs[1])
    is_agreeing = is_before and not clauses.rules.drops_subjects
    participle = clauses.form(group.last) if is_agreeing else verbs.participle(lexical)
    ending = {"participle": participle, "infinitive": lexical}.get(kind)
    if len(group.verbs) > 3 or not auxiliary or not ending or clauses.form(group.verbs[1]) not in _forms_of_be(clauses):
        raise NotDerivedError(f"{clauses.form(group.first)!r} is an auxiliary without a plain active")
    return [Piece(auxiliary), *words_of(clauses, range(group.first + 1, group.verbs[1])), Piece(ending)]


def _forms_of_be(clauses: Clauses) -> tuple[str, str]:
    rules = clauses.rules
    return rules.be, rules.verbs.participle(rules.be)
