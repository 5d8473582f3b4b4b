"""The passive: *The wolf chased the fox because it was ill* → *The fox was chased by the wolf because it was ill*.

A clause is rewritten if its subject and its object are plain noun phrases and one of them is a candidate. It is
produced for verbs whose passive is usual, if what follows the object cannot belong to it; for others, and where
something in the sentence depends on its subject (*to help him*, *his son*), it is proposed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.inflection import conjugated, parts_of_speech, verb_forms
from winoglot.languages.en.rewriting.raw_text import ENDS, FiniteClause, ParsedText, is_period
from winoglot.languages.en.rewriting.reader import analysed
from winoglot.languages.en.rewriting.scene import Scene, animacy, before_phrase, is_joined, is_singular, scene_of
from winoglot.languages.en.rewriting.tense import tense_of
from winoglot.languages.en.wordclass import is_form_of, is_in
from winoglot.languages.rewriting import PASSIVE, RELATIVE, Rewriting
from winoglot.schemas.spans import Edit, Span, edited, moved

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item, Role

_PHRASE = ("determiner", "possessive", "adjective", "number", "noun", "name", "genitive")
_SUBJECT_FORMS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "it": "it"}
_OBJECT_FORMS = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
_PERSONS = frozenset((*_OBJECT_FORMS, *_SUBJECT_FORMS)) - {"it"}
_RELATIVES = frozenset(("who", "whom", "whose", "which", "that"))
_UNNAMED = frozenset(("i", "we", "you", "they", "someone", "somebody", "people"))  # a passive needs no "by us"
_BEFORE_SUBJECT = ("mark", "conjunction", "subordinator", "quote", "adverb")
_AFTER_OBJECT = ("mark", "quote", "subordinator", "conjunction")  # cannot belong to the object
_TIMES = frozenset(("during", "after", "before", "until", "since"))
_GOALS = frozenset(("to", "for", "into", "onto", "from", *_TIMES))
_HAVE = {"has": ("has", "have"), "have": ("has", "have"), "hasn't": ("hasn't", "haven't")}
_HAVE["haven't"] = _HAVE["hasn't"]


def constructions(text: str) -> frozenset[str]:
    """Of `passive` and `relative`, those that a text has.

    A participle that is also an adjective or tells a feeling (*was tired*) is a passive only before *by*; a relative
    clause is one with a relative word after a noun.

    >>> sorted(constructions("The vase that Ann bought was stolen.")), sorted(constructions("Ann was tired."))
    (['passive', 'relative'], [])
    """
    parsed = analysed(text)
    is_told = any(_is_passive(parsed, clause) and _is_deed(parsed, clause.head or 0) for clause in parsed.clauses)
    openers = {clause.opener for clause in parsed.clauses if clause.kind == "relative"} & _RELATIVES
    before = [parsed.at(index - 1) for index, token in enumerate(parsed.tokens) if token.form in openers]
    is_described = any(
        word.form == "," or (word.tag in ("noun", "name") and not is_in(word.form, "phrases", "with-content"))
        for word in before
    )
    return frozenset([PASSIVE] * is_told + [RELATIVE] * is_described)


def _is_deed(text: ParsedText, participle: int) -> bool:
    """Whether a participle tells what was done, and not a state: *was stolen*, not *was tired*."""
    word = text.at(participle)
    is_state = "ADJ" in parts_of_speech(word.form) or is_in(word.verb, "verb_classes", "feeling")
    return not is_state or text.at(participle + 1).form == "by"


def _is_passive(text: ParsedText, clause: FiniteClause) -> bool:
    """Whether the main verb of a clause is a participle after a form of *be*."""
    if clause.verb is None or clause.head is None or text.tokens[clause.head].shape != "participle":
        return False
    return [token.shape for token in text.tokens[clause.verb : clause.head] if token.tag == "aux"][-1:] == ["be"]


def voice(item: Item, draws: Draws) -> Rewriting:  # noqa: ARG001
    """Rewrite one clause in the other voice: the one with most candidates as its subject and object."""
    scene = scene_of(item)
    rewritings: list[tuple[tuple[int, ...], Rewriting]] = []
    reasons = []
    for clause in scene.clauses:
        try:
            frame = _active_frame(scene, clause)
            count = sum(
                any(start <= mention.head < end for start, end in (frame.subject, frame.object))
                for mention in scene.mentions
            )
            _refuse({"neither candidate changes its place": not count})
            rewritings.append(((count, clause.kind == "main", -len(rewritings)), _to_passive(scene, frame)))
        except NotDerivedError as error:
            reasons.append(str(error))
    if not rewritings:
        raise NotDerivedError(reasons[0] if reasons else "no clause has a verb")
    return max(rewritings, key=lambda ranked: ranked[0])[1]


# Clauses whose subject and object can change places


@dataclass(frozen=True)
class _Frame:
    """A clause, by the positions of its tokens; ends are not included."""

    clause: FiniteClause
    subject: tuple[int, int]
    verb: tuple[int, int]  # adverbs, auxiliaries, main verb and particle
    head: int  # the main verb
    object: tuple[int, int]
    agent: int  # the token before which the agent is written


def _refuse(reasons: dict[str, bool]) -> None:
    """Raise NotDerivedError for the first reason that applies."""
    for reason, applies in reasons.items():
        if applies:
            raise NotDerivedError(reason)


def _active_frame(scene: Scene, clause: FiniteClause) -> _Frame:
    """An active clause whose subject and object may change places; NotDerivedError if they may not."""
    if clause.verb is None or clause.head is None or clause.subject is None:
        raise NotDerivedError("it has no subject, or no verb that takes an object")
    head, at = scene.tokens[clause.head], scene.at
    start = clause.head + 1 + is_in(f"{head.verb} {at(clause.head + 1).form}", "verb_classes", "passive")  # pick up
    end = _object_end(scene, start)
    _refuse(
        {
            "it is passive already": _is_passive(scene, clause),
            f"its object may be what {clause.opener!r} asks for": clause.opener in ("how", "what"),
            "its subject is a relative pronoun": clause.kind == "relative",
            f"its passive would not mean the same as {scene.written(clause.verb)!r}": at(clause.verb).form
            in ("won't", "wouldn't"),
            f"{head.verb!r} has no usual passive": is_in(head.verb, "verb_classes", "active-only"),
            "its subject has a second verb": any(
                other.shares_subject and other.subject == clause.subject for other in scene.clauses
            ),
            f"{scene.written(clause.head)!r} has no object that is a noun phrase": end == start,
        }
    )
    place = _agent_place(scene, start, end, head.verb)
    after, following = at(place), at(place + 1)
    subjects = {other.subject for other in scene.clauses}
    is_new_clause = bool(subjects & set(range(place + 1, place + 7)))
    is_told = after.form == "that" and is_in(head.verb, "verb_classes", "telling")
    is_set_off = after.form == "," and following.tag in ("relative", "quote", *(() if is_new_clause else _PHRASE))
    is_contact = any(other.kind == "relative" and other.subject == place for other in scene.clauses)
    _refuse(
        {
            "its object is the subject of a clause": after.is_finite,  # knew Tom was ill
            "its object is one of several": after.form in ("and", "or") and not is_new_clause,
            "what follows its object describes it": is_contact
            or is_set_off
            or (after.form == "that" and not is_told)
            or after.tag == "relative",
        }
    )
    subject = _subject(scene, clause.subject, clause.verb)
    return _Frame(clause, subject, (subject[1], start), clause.head, (start, end), place)


def _subject(scene: Scene, index: int, verb: int) -> tuple[int, int]:
    """Where the subject begins and ends; NotDerivedError if it cannot be moved."""
    start = before_phrase(scene, index) + 1
    if is_joined(scene, index):
        start = before_phrase(scene, start - 2) + 1
    before, end = scene.at(start - 1), verb
    while scene.tokens[end - 1].tag in ("adverb", "not"):
        end -= 1
    is_whole = before.tag in _BEFORE_SUBJECT or is_period(before.form)
    inside = {token.tag for token in scene.tokens[start:end]}
    _refuse(
        {
            "its subject is part of a longer phrase": not is_whole,
            "its subject is too long to be moved": bool(inside & {"mark", "relative", "verb", "aux", "subordinator"}),
        }
    )
    return start, end


def _object_end(scene: Scene, index: int) -> int:
    """The end of the noun phrase that begins here, with *of* and what follows; the same position if none begins."""
    at = scene.at
    if at(index).form in _SUBJECT_FORMS and at(index).tag == "pronoun":
        return index + 1
    mentions = [
        mention for mention in scene.mentions if mention.first == index and at(mention.last + 1).tag != "genitive"
    ]
    end = mentions[0].last + 1 if mentions else index
    while not mentions and at(end).tag in _PHRASE:
        opens = at(end).tag in ("determiner", "possessive")
        is_name = at(end).tag == "name" and at(end + 1).tag != "genitive"
        if end > index and (opens or is_name) and at(end - 1).tag in ("noun", *(["name"] * opens)):
            break  # asked the witness a question, ate the food Ann had cooked
        end += 1
    if at(end - 1).tag not in ("noun", "name") or _is_adverb(scene, index):  # sent it back
        return index
    return max(end, _object_end(scene, end + 1)) if end > index and at(end).form == "of" else end


def _agent_place(scene: Scene, start: int, end: int, verb: str) -> int:
    """Where *by* goes: after a second object, an adverb or a place (*was asked a question by*, *was put away by*)."""
    second, after = _object_end(scene, end), scene.at(end + 1)
    has_second = is_form_of(verb, "giving") or is_in(verb, "verb_classes", "telling", "placing")
    if not has_second and is_period(scene.at(second - 1).form):
        second = end  # visited him every Sunday
    _refuse({f"{verb!r} has two objects": second > end and not has_second})
    place = _after_place(scene, second, start)
    is_adverb = _is_adverb(scene, end) and not is_in(scene.at(end).form, "phrases", "before-opener")  # even though
    is_whole = after.tag in (*_AFTER_OBJECT, "determiner")  # upstairs every Friday
    return end + 1 if place == end and is_adverb and is_whole else place


def _is_adverb(scene: Scene, index: int) -> bool:
    """Whether a word says where to or how, and begins no object: *sent him home*."""
    word = scene.at(index)
    is_bare_noun = word.tag == "noun" and is_in(word.form, "function_words", "adjective-too")
    return word.tag == "adverb" or is_bare_noun


def _after_place(scene: Scene, end: int, start: int) -> int:
    """The end of the places that follow here, if nothing else follows them and they are no part of the segment."""
    last = end
    while scene.at(last).tag in ("preposition", "to", "adverb"):
        if scene.at(last).form in _TIMES:
            break
        is_alone = scene.at(last).tag == "adverb"
        next_end = last + 1 if is_alone else _object_end(scene, last + 1)
        if scene.at(last + 1).tag == "subordinator" or (next_end == last + 1 and not is_alone):
            return end  # just as Frank was passing
        last = next_end
    moved_over = Span(scene.tokens[start].span.start, scene.tokens[last - 1].span.end)
    is_free = not any(place.overlaps(moved_over) for place in (*scene.item.segment, scene.item.pronoun or Span(0, 0)))
    return last if is_free and scene.at(last).tag in ("mark", "subordinator", "quote") else end


# Writing the passive


def _to_passive(scene: Scene, frame: _Frame) -> Rewriting:
    """The clause in the passive, with the candidates' mentions and roles after it."""
    subject, verb, target = (_span(scene, positions) for positions in (frame.subject, frame.verb, frame.object))
    protected = [place for place in (*scene.item.segment, scene.item.pronoun) if place is not None]
    is_moved = any(place.overlaps(phrase) for place in protected for phrase in (subject, target))
    is_cut = any(place.overlaps(verb) and not verb.within(place) for place in protected)
    _refuse(
        {
            "the segment or the pronoun is part of the subject or object": is_moved,
            "the segment is only part of the verb": is_cut,
        }
    )
    end, agent = scene.tokens[frame.agent - 1].span.end, _agent(scene, frame)
    edits = [
        Edit(subject, _as_subject(scene, frame)),
        Edit(verb, _passive_verb(scene, frame)),
        Edit(Span(verb.end, target.end), ""),
        Edit(Span(end, end), f" by {agent}" if agent else ""),  # after a second object, an adverb or a place
    ]
    end = len(edited(scene.text[: edits[3].span.end], edits))
    swapped = {subject: Span(end - len(agent), end)} if agent else {}
    swapped[target] = moved(subject, edits)
    mentions, roles = [], []
    for candidate in scene.item.candidates:
        mentions.append(tuple(_exchanged_span(mention, swapped, edits) for mention in candidate.mentions))
        is_object = any(mention.within(target) for mention in candidate.mentions)
        is_subject = candidate.role == "subject" and any(mention.end == subject.end for mention in candidate.mentions)
        new_role: Role = "subject" if is_object else "agent"
        roles.append(new_role if candidate.role and (is_object or is_subject) else candidate.role)
    doubts = tuple(_doubts(scene, frame, agent))
    return Rewriting(tuple(edits), doubts, mentions=tuple(mentions), roles=tuple(roles) if any(roles) else ())


def _exchanged_span(mention: Span, swapped: dict[Span, Span], edits: list[Edit]) -> Span:
    """Where a mention lies after two phrases have changed places."""
    for old, new in swapped.items():
        if mention.within(old):
            start = new.start + mention.start - old.start
            return Span(start, start + mention.end - mention.start)
    return moved(mention, edits)


def _span(scene: Scene, tokens: tuple[int, int]) -> Span:
    """The span of text from the first of two token indexes up to the second."""
    return Span(scene.tokens[tokens[0]].span.start, scene.tokens[tokens[1] - 1].span.end)


def _agent(scene: Scene, frame: _Frame) -> str:
    """The subject as it is written after *by*, or as an object; empty if a passive needs no agent."""
    first = frame.subject[0]
    token, surface = scene.tokens[first], _span(scene, frame.subject).of(scene.text)
    if token.form in _UNNAMED and first not in scene.candidate_tokens():
        return ""
    if token.tag == "pronoun":
        return _OBJECT_FORMS.get(token.form, token.form)
    is_titled = is_in(token.form, "nouns", "person") or scene.written(first + 1)[:1].isupper()  # Dad, Officer Reed
    is_common = parts_of_speech(token.form) and not is_titled
    is_lowered = token.tag in ("determiner", "possessive") or (token.tag != "name" and is_common)
    return surface[0].lower() + surface[1:] if is_lowered else surface


def _as_subject(scene: Scene, frame: _Frame) -> str:
    """The object as it is written in the place of the subject."""
    surface, before = _span(scene, frame.object).of(scene.text), scene.at(frame.subject[0] - 1)
    if scene.tokens[frame.object[0]].tag == "pronoun":
        surface = _SUBJECT_FORMS[scene.tokens[frame.object[0]].form]
    is_first = before.form in ("", *ENDS) or before.tag == "quote"
    return surface[0].upper() + surface[1:] if is_first else surface


def _passive_verb(scene: Scene, frame: _Frame) -> str:
    """The verb with its auxiliaries, adverbs and particle in the passive."""
    first, end = frame.clause.verb or 0, frame.verb[1]
    finite, head = scene.tokens[first], scene.tokens[frame.head]
    adverbs = [scene.written(index) for index in range(frame.verb[0], first)]
    words = [scene.written(index) for index in range(first, frame.head)]
    participle = conjugated(head.verb, "participle")
    if participle.endswith("ed") and "participle" in verb_forms(head.form):
        participle = head.form  # cancelled, not canceled
    last = [participle, *(scene.written(index) for index in range(frame.head + 1, end))]
    is_plural = _is_plural(scene, frame)
    is_past = finite.shape == "past" or finite.form.startswith(("did", "was", "were"))
    be = (("was", "were") if is_past else ("is", "are"))[is_plural]
    if first == frame.head:
        return " ".join([be, *adverbs, *last])
    auxiliaries = [token for token in scene.tokens[first : frame.head] if token.tag in ("aux", "to")]
    _refuse({"its tense has no usual passive": len(auxiliaries) > 1})
    if finite.shape == "modal":
        return " ".join([*adverbs, *words, "be", *last])
    if finite.shape == "have":
        words[0] = _HAVE.get(finite.form, (finite.form, finite.form))[is_plural]
        return " ".join([*adverbs, *words, "been", *last])
    words[0] = be + "n't" * finite.is_negated
    return " ".join([*adverbs, *words, *(["being"] if finite.shape == "be" else []), *last])


def _is_plural(scene: Scene, frame: _Frame) -> bool:
    """Whether the object, which becomes the subject, is plural; a team or fish if its pronoun is."""
    start = frame.object[0]
    if scene.tokens[start].tag == "pronoun":
        return scene.tokens[start].form in ("them", "us")
    head = _main_noun(scene, frame.object)
    has_number = scene.tokens[head].tag == "noun" and not is_in(scene.tokens[head].form, "nouns", "either-number")
    is_candidate = any(mention.head == head for mention in scene.mentions)
    if scene.is_plural and is_candidate and not has_number:
        return True
    return is_singular(scene, head) is False


def _is_person(scene: Scene, phrase: tuple[int, int]) -> bool:
    """Whether a noun phrase, by the positions of its tokens, denotes people."""
    head = _main_noun(scene, phrase)
    noun = scene.tokens[head].form
    return scene.names_person(head) or animacy(noun) == "human" or noun in _PERSONS


def _main_noun(scene: Scene, phrase: tuple[int, int]) -> int:
    """The main noun of a phrase, by the positions of its tokens; the first word if that is a pronoun."""
    start, end = phrase
    stop = next((index for index in range(start, end) if scene.tokens[index].form == "of"), end)
    return max((index for index in range(start, stop) if scene.tokens[index].tag in ("noun", "name")), default=start)


def _doubts(scene: Scene, frame: _Frame, agent: str) -> list[str]:
    """Doubts about the passive, for a reader to check."""
    verb, after, rest = scene.tokens[frame.head].verb, scene.at(frame.agent), scene.tokens[frame.agent :]
    moved_over, finite = scene.tokens[frame.object[0] : frame.agent], scene.at(frame.clause.verb or 0)
    start = max((index + 1 for index in range(frame.subject[0]) if scene.tokens[index].form in ".!?;:"), default=0)
    opening = scene.tokens[start : frame.subject[0]]
    shape, is_told = scene.at(frame.agent + 1).shape, after.form == "that" and "conjunction" in {t.tag for t in rest}
    is_place = is_in(verb, "verb_classes", "placing") or scene.tokens[frame.object[1] - 1].tag == "name"
    stays = (
        after.tag in _AFTER_OBJECT
        or (shape == "base" and is_in(verb, "verb_classes", "asking"))
        or (after.form in _GOALS and shape not in ("base", "gerund"))
        or (after.tag == "preposition" and after.form != "with" and is_place)
    )
    leans = any(token.shape in ("gerund", "participle", "base") and not token.is_finite for token in opening[:6])
    opens = bool(opening) and opening[0].tag == "preposition" and not any(is_period(token.form) for token in opening)
    is_pronoun = "pronoun" in (scene.tokens[frame.object[0]].tag, agent and scene.tokens[frame.subject[0]].tag)
    is_listed = frame.verb[1] > frame.head + 1 or is_in(verb, "verb_classes", "passive")
    is_owned = any(token.tag == "possessive" and token.form not in ("my", "your", "our") for token in moved_over)
    is_idiom = frame.object[1] - frame.object[0] == 1 and moved_over[0].tag == "noun" and not _is_plural(scene, frame)
    words = zip([scene.tokens[frame.agent - 1], *rest], rest, strict=False)
    participle = any(token.shape == "gerund" and last.tag != "aux" for last, token in words)
    has_person_agent = bool(agent) and _is_person(scene, frame.subject)
    is_simple_present = finite.shape not in ("be", "have", "modal") and tense_of(scene, frame.clause) == "present"
    verb_words = scene.tokens[frame.verb[0] : frame.verb[1]]
    is_habit = is_simple_present or any(is_in(token.form, "phrases", "habitual") for token in verb_words)
    opening_word = scene.tokens[frame.object[0]]
    is_indefinite = opening_word.form in ("a", "an", "some") or opening_word.tag in ("adjective", "noun", "number")
    doubts = {
        f"is the passive of {verb!r} usual?": not is_listed,
        "a pronoun becomes the subject, or the agent": is_pronoun,
        "what somebody does again and again is seldom told of whom it is done to": is_habit
        and has_person_agent
        and _is_person(scene, frame.object),
        "a new thing becomes the subject, before a person that is known": is_indefinite
        and has_person_agent
        and not _is_person(scene, frame.object),
        "a possessive now stands before its owner": is_owned,
        f"'{verb} {moved_over[0].form}' may be an idiom": is_idiom,  # give way
        "'with' may belong to the object": any(token.form == "with" for token in moved_over),
        f"{after.form!r} may belong to the object, or to the subject": is_told or not stays,
        "what follows may be misread": any(token.form in ("by", "than") for token in [*moved_over, *rest[:6]]),
        "a participle may lean on the subject": participle,
        "what stands before the subject may lean on it": leans or opens,
    }
    return [doubt for doubt, applies in doubts.items() if applies]
