"""Clauses with a subject, a verb and an object that can change places, and passive clauses with an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.inflection import parts_of_speech
from winoglot.languages.en.rewriting.raw_text import FiniteClause, ParsedText, is_period
from winoglot.languages.en.rewriting.sentence import analysed
from winoglot.languages.en.rewriting.subject_number import before_phrase, is_joined
from winoglot.languages.en.wordclass import is_form_of, is_in
from winoglot.languages.rewriting import PASSIVE, RELATIVE
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.scene import Scene


PHRASE = ("determiner", "possessive", "adjective", "number", "noun", "name", "genitive")
SUBJECT_FORMS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "it": "it"}
_RELATIVES = frozenset(("who", "whom", "whose", "which", "that"))
_WITH_CONTENT = frozenset(("fact", "reason", "idea", "dream", "thought"))  # the fact that …
PARTICLES = frozenset(("up", "down", "away", "off", "out", "back", "in", "over", "on", "apart", "aside", "along"))


@dataclass(frozen=True)
class Transitive:
    """A clause, by the positions of its tokens; ends are not included."""

    clause: FiniteClause
    subject: tuple[int, int]
    verb: tuple[int, int]  # adverbs, auxiliaries, main verb and particle
    head: int  # the main verb
    object: tuple[int, int]
    agent: int  # the token before which the agent is written


def constructions(text: str) -> frozenset[str]:
    """Of `passive` and `relative`, those that a text has.

    A participle that is also an adjective or tells a feeling (*was tired*) is a passive only before *by*; a relative
    clause is one with a relative word after a noun.

    >>> sorted(constructions("The vase that Ann bought was stolen.")), sorted(constructions("Ann was tired."))
    (['passive', 'relative'], [])
    """
    parsed = analysed(text)
    is_told = any(is_passive(parsed, clause) and _is_deed(parsed, clause.head or 0) for clause in parsed.clauses)
    openers = {clause.opener for clause in parsed.clauses if clause.kind == "relative"} & _RELATIVES
    before = [parsed.at(index - 1) for index, token in enumerate(parsed.tokens) if token.form in openers]
    is_described = any(
        word.form == "," or (word.tag in ("noun", "name") and word.form not in _WITH_CONTENT) for word in before
    )
    return frozenset([PASSIVE] * is_told + [RELATIVE] * is_described)


def _is_deed(text: ParsedText, participle: int) -> bool:
    """Whether a participle tells what was done, and not a state: *was stolen*, not *was tired*."""
    word = text.at(participle)
    is_state = "ADJ" in parts_of_speech(word.form) or is_in(word.verb, "verb_classes", "feeling")
    return not is_state or text.at(participle + 1).form == "by"


def is_passive(scene: Scene | ParsedText, clause: FiniteClause) -> bool:
    """Whether the main verb of a clause is a participle after a form of *be*."""
    if clause.verb is None or clause.head is None or scene.tokens[clause.head].shape != "participle":
        return False
    auxiliaries = [token for token in scene.tokens[clause.verb : clause.head] if token.tag == "aux"]
    return bool(auxiliaries) and auxiliaries[-1].shape == "be"


def candidates_in(scene: Scene, frame: Transitive) -> int:
    """How many candidates are the subject or object of a clause."""
    spans = (range(*frame.subject), range(*frame.object))
    return len({mention.candidate for mention in scene.mentions if any(mention.head in span for span in spans)})


def active_frame(scene: Scene, clause: FiniteClause) -> Transitive:
    """An active clause whose subject and object may change places; NotDerivedError if they may not."""
    if clause.verb is None or clause.head is None or clause.subject is None:
        raise NotDerivedError("it has no subject, or no verb that takes an object")
    head = scene.tokens[clause.head]
    if clause.opener in ("how", "what"):
        raise NotDerivedError(f"its object may be what {clause.opener!r} asks for")
    if clause.shares_subject:
        raise NotDerivedError("its subject is that of the verb before it")
    if scene.tokens[clause.subject].tag == "relative" or clause.kind == "relative":
        raise NotDerivedError("its subject is a relative pronoun")
    subject_form = scene.tokens[clause.subject].form
    if subject_form in ("nobody", "none", "nothing") or scene.tokens[clause.verb].form in ("won't", "wouldn't"):
        raise NotDerivedError(f"its passive would not mean the same as {scene.analysis.written(clause.verb)!r}")
    if is_in(head.verb, "verb_classes", "active-only"):
        raise NotDerivedError(f"{head.verb!r} has no usual passive")
    subject = _subject(scene, clause)
    index = _object_start(scene, clause.head)
    end = _object_end(scene, index)
    if end == index:
        raise NotDerivedError(f"{scene.analysis.written(clause.head)!r} has no object that is a noun phrase")
    if scene.analysis.at(end).is_finite:
        raise NotDerivedError("its object is the subject of a clause")  # knew Tom was ill
    place = _agent_place(scene, index, end, head.verb)
    after = scene.analysis.at(place)
    opens_clause = any(other_clause.subject in range(place + 1, place + 7) for other_clause in scene.analysis.clauses)
    described = ("relative",) if opens_clause else ("relative", "determiner", "possessive", "name", "noun")
    is_joined_to = after.form in ("and", "or") and scene.analysis.at(place + 1).tag in PHRASE
    if is_joined_to and not any(
        other_clause.subject in range(place + 1, place + 5) for other_clause in scene.analysis.clauses
    ):
        raise NotDerivedError("its object is one of several")
    is_described = after.form == "that" and not is_in(head.verb, "verb_classes", "telling")
    is_set_off = after.form == "," and scene.analysis.at(place + 1).tag in (*described, "quote")
    is_contact = any(
        other_clause.kind == "relative" and other_clause.subject == place for other_clause in scene.analysis.clauses
    )
    if is_described or is_contact or after.tag == "relative" or is_set_off:
        raise NotDerivedError("what follows its object describes it")
    second = next(
        (
            other_clause.verb
            for other_clause in scene.analysis.clauses
            if other_clause.shares_subject and other_clause.subject == clause.subject
        ),
        None,
    )
    if second is not None and not (scene.analysis.at(place).form in ("and", "but") and second == place + 1):
        raise NotDerivedError("its subject has a second verb")
    return Transitive(clause, subject, (subject[1], index), clause.head, (index, end), place)


def passive_frame(scene: Scene, clause: FiniteClause) -> Transitive:
    """A passive clause; its `object` is the agent's phrase, its `agent` the position of *by*; or NotDerivedError."""
    head = clause.head or 0
    if clause.subject is None or clause.shares_subject or scene.tokens[clause.subject].tag in ("relative", "there"):
        raise NotDerivedError("it has no subject of its own")
    by_index = next(
        (index for index in range(head + 1, min(head + 6, len(scene.tokens))) if scene.tokens[index].form == "by"), None
    )
    if by_index is None or any(
        token.tag in ("mark", "conjunction") or token.is_finite for token in scene.tokens[head:by_index]
    ):
        raise NotDerivedError("it is passive already and has no agent")
    end = _object_end(scene, by_index + 1)
    if scene.analysis.at(end).form == "," and scene.analysis.at(end + 1).tag in ("name", "determiner", "possessive"):
        raise NotDerivedError("what follows its agent may describe it")
    if end == by_index + 1 or scene.tokens[by_index + 1].tag == "pronoun":
        raise NotDerivedError("its agent is not a noun phrase")
    if any(
        other_clause.shares_subject and other_clause.subject == clause.subject
        for other_clause in scene.analysis.clauses
    ):
        raise NotDerivedError("its subject has a second verb")
    subject = _subject(scene, clause)
    return Transitive(clause, subject, (subject[1], head + 1), head, (by_index + 1, end), by_index)


def _subject(scene: Scene, clause: FiniteClause) -> tuple[int, int]:
    """Where the subject begins and ends; NotDerivedError if it cannot be moved."""
    index = clause.subject or 0
    if scene.tokens[index].tag == "pronoun":
        start = index
    else:
        start = before_phrase(scene, index) + 1
        if is_joined(scene, index):
            start = before_phrase(scene, start - 2) + 1
    before = scene.analysis.at(start - 1)
    if before.tag not in ("mark", "conjunction", "subordinator", "quote", "adverb") and not is_period(before.form):
        raise NotDerivedError("its subject is part of a longer phrase")
    end = clause.verb or 0
    while scene.tokens[end - 1].tag in ("adverb", "not"):
        end -= 1
    if any(token.tag in ("mark", "relative", "verb", "aux", "subordinator") for token in scene.tokens[start:end]):
        raise NotDerivedError("its subject is too long to be moved")
    return start, end


def _object_start(scene: Scene, head: int) -> int:
    """Where the object begins, after a particle or a preposition that belongs to the verb: *pick up*, *yell at*."""
    pair = f"{scene.tokens[head].verb} {scene.analysis.at(head + 1).form}"
    return head + 2 if is_in(pair, "verb_classes", "passive") else head + 1


def _object_end(scene: Scene, index: int) -> int:
    """The end of the noun phrase that begins here, with *of* and what follows; the same position if none begins."""
    if scene.analysis.at(index).form in SUBJECT_FORMS and scene.analysis.at(index).tag == "pronoun":
        return index + 1
    mention = next((mention for mention in scene.mentions if mention.first == index), None)
    if mention and scene.analysis.at(mention.last + 1).tag == "genitive":
        mention = None  # Tom's game
    end = mention.last + 1 if mention else index
    while mention is None and scene.analysis.at(end).tag in PHRASE:
        opens = scene.analysis.at(end).tag in ("determiner", "possessive")
        is_name = scene.analysis.at(end).tag == "name" and scene.analysis.at(end + 1).tag != "genitive"
        if end > index and (opens or is_name) and scene.analysis.at(end - 1).tag in ("noun", *(["name"] * opens)):
            break  # asked the witness a question, ate the food Ann had cooked
        end += 1
    if end == index or scene.analysis.at(end - 1).tag not in ("noun", "name"):
        return index
    if scene.analysis.at(index).tag == "noun" and is_in(
        scene.analysis.at(index).form, "function_words", "adjective-too"
    ):
        return index  # sold better
    if scene.analysis.at(end).form == "of":
        next_end = _object_end(scene, end + 1)
        return next_end if next_end > end + 1 else end
    return end


def _agent_place(scene: Scene, start: int, end: int, verb: str) -> int:
    """Where *by* goes: after a second object, a particle or a place (*was asked a question by*, *was put away by*)."""
    second = _object_end(scene, end)
    has_second = second > end and (is_form_of(verb, "giving") or verb in ("teach", "tell", "show"))
    if has_second or is_in(verb, "verb_classes", "placing"):
        return _after_place(scene, max(second, end), start)
    if second > end:
        raise NotDerivedError(f"{verb!r} has two objects")
    after = scene.analysis.at(end)
    following = scene.analysis.at(end + 1).form
    is_particle = after.form in PARTICLES and after.tag == "adverb" and following not in ("of", "how", "what", "where")
    return end + 1 if is_particle else end


def _after_place(scene: Scene, end: int, start: int) -> int:
    """The end of the places that follow here, if nothing else follows them and they are no part of the segment."""
    last = end
    while scene.analysis.at(last).tag in ("preposition", "to", "adverb"):
        is_alone = scene.analysis.at(last).tag == "adverb"
        next_end = last + 1 if is_alone else _object_end(scene, last + 1)
        if next_end == last + 1 and not is_alone:
            return end
        last = next_end
    moved_over = Span(scene.tokens[start].span.start, scene.tokens[last - 1].span.end)
    is_free = not any(place.overlaps(moved_over) for place in (*scene.item.segment, scene.item.pronoun or Span(0, 0)))
    return last if is_free and scene.analysis.at(last).tag in ("mark", "subordinator", "quote") else end
