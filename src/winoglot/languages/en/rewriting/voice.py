"""Another voice: *The wolf chased the fox because it was ill* → *The fox was chased by the wolf because …*, and back.

A clause is rewritten if its subject and its object are plain noun phrases, best of all if they are the candidates. It
is produced for verbs whose passive is usual; for others, and wherever something in the sentence depends on its subject
(*to help him*, *his son*), it is proposed.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import conjugated, parts_of_speech
from winoglot.languages.en.rewriting.raw_text import INDEFINITE, is_function_word, is_period
from winoglot.languages.en.rewriting.scene import Scene, animacy, scene_of
from winoglot.languages.en.rewriting.transitive import (
    PHRASE,
    SUBJECT_FORMS,
    Transitive,
    active_frame,
    candidates_in,
    is_passive,
    passive_frame,
)
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.names import is_name as is_first_name
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span, edited, moved
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.raw_text import FiniteClause
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item, Role

_HAVE = {
    "has": ("has", "have"),
    "have": ("has", "have"),
    "hasn't": ("hasn't", "haven't"),
    "haven't": ("hasn't", "haven't"),
}
_UNNAMED = frozenset(("i", "we", "you", "they", "someone", "somebody", "people"))  # a passive needs no "by us"
_PLACES = frozenset(("in", "on", "at", "under", "behind", "beside", "near", "inside", "above", "below", "from", "by"))
_FOR_SOMEBODY = frozenset(("build", "make", "bake", "cook", "knit", "fetch", "find", "sing", "pour", "earn", "buy"))
_OBJECT_FORMS = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}


def voice(item: Item, draws: Draws) -> Rewriting:  # noqa: ARG001
    """Rewrite one clause in the other voice: the one with most candidates as its subject and object."""
    scene = scene_of(item)
    rewritings: list[tuple[tuple[int, ...], Rewriting]] = []
    reasons = []
    for clause in scene.analysis.clauses:
        try:
            to_active = is_passive(scene, clause)
            frame = passive_frame(scene, clause) if to_active else active_frame(scene, clause)
            rewriting = _active(scene, frame) if to_active else _passive(scene, frame)
            rewritings.append(((candidates_in(scene, frame), clause.kind == "main", -len(rewritings)), rewriting))
        except NotDerivedError as error:
            reasons.append(str(error))
    if not rewritings:
        raise NotDerivedError(reasons[0] if reasons else "no clause has a verb")
    return max(rewritings, key=lambda ranked: ranked[0])[1]


# Writing the passive


def _passive(scene: Scene, frame: Transitive) -> Rewriting:
    """The clause in the passive."""
    item = scene.item
    subject, verb, target = (_span(scene, positions) for positions in (frame.subject, frame.verb, frame.object))
    protected = [place for place in (*item.segment, item.pronoun) if place is not None]
    end = scene.tokens[frame.agent - 1].span.end
    if any(place.overlaps(subject) or place.overlaps(target) for place in protected):
        raise NotDerivedError("the segment or the pronoun is part of the subject or object")
    agent = _agent(scene, frame)
    edits = [
        Edit(subject, _as_subject(scene, frame)),
        Edit(verb, _passive_verb(scene, frame)),
        Edit(Span(verb.end, target.end), ""),
        Edit(Span(end, end), f" by {agent}" if agent else ""),  # after a second object, a particle or a place
    ]
    if _second_verb_follows(scene, frame):  # and left
        joint = scene.tokens[frame.agent]
        if any(place.overlaps(joint.span) for place in protected):
            raise NotDerivedError("the segment joins the verb and another one")
        agent_noun = scene.tokens[frame.clause.subject or 0]
        is_person = agent_noun.tag in ("name", "pronoun") or animacy(agent_noun.form) == "human"
        who = "who" if is_person else "which"
        edits.append(Edit(Span(end, joint.span.end), f", {who}"))
    if any(place.overlaps(verb) and not verb.within(place) for place in protected):
        raise NotDerivedError("the segment is only part of the verb")
    mentions = _mentions(scene, frame, edits, agent)
    return Rewriting(
        tuple(edits), tuple(_doubts(scene, frame)), mentions=mentions, roles=_roles(scene, frame, old_subject="agent")
    )


def _span(scene: Scene, tokens: tuple[int, int]) -> Span:
    """The span of text from the first of two token indexes up to the second."""
    return Span(scene.tokens[tokens[0]].span.start, scene.tokens[tokens[1] - 1].span.end)


def _agent(scene: Scene, frame: Transitive) -> str:
    """The subject as it is written after *by*; empty if the passive needs no agent."""
    first = frame.subject[0]
    surface = _span(scene, frame.subject).of(scene.text)
    token = scene.tokens[first]
    is_unnamed = token.form in _UNNAMED and frame.subject[1] - first == 1 and first not in scene.candidate_tokens()
    if is_unnamed and not is_passive(scene, frame.clause):
        return ""
    if token.tag == "pronoun":
        return _OBJECT_FORMS.get(token.form, token.form)
    if token.form in INDEFINITE:
        return token.form
    is_whole = frame.subject[1] - first == 1
    is_common = parts_of_speech(token.form) or token.tag in ("determiner", "possessive") or is_function_word(token.form)
    is_name = token.tag == "name" or not is_common
    is_open_class = token.tag in ("noun", "adjective", "verb")
    is_titled = not is_whole and is_open_class and scene.analysis.written(first + 1)[0].isupper()
    citations = [candidate.text for candidate in scene.item.candidates if folded(candidate.text) == folded(surface)]
    is_titled = is_titled or any(
        all(word[0].isupper() for word in cited_text.split())
        for cited_text in citations
        if token.tag == "noun" and noun_number(token.form) == "singular"
    )
    is_name = is_name or (is_whole and is_first_name(surface, "en"))  # Rose, at the start
    is_kept = is_name or is_titled or (is_whole and is_in(token.form, "nouns", "person"))  # Dad, Doctor Reed
    return surface if is_kept else surface[0].lower() + surface[1:]


def _as_subject(scene: Scene, frame: Transitive) -> str:
    """The object as it is written in the place of the subject."""
    surface = _span(scene, frame.object).of(scene.text)
    if scene.tokens[frame.object[0]].tag == "pronoun":
        surface = SUBJECT_FORMS[scene.tokens[frame.object[0]].form]
    before = scene.analysis.at(frame.subject[0] - 1)
    opens_sentence = frame.subject[0] == 0 or before.form in (".", "!", "?", "…") or before.tag == "quote"
    return surface[0].upper() + surface[1:] if opens_sentence else surface


def _passive_verb(scene: Scene, frame: Transitive) -> str:
    """The verb with its auxiliaries, adverbs and particle in the passive."""
    first, end = frame.clause.verb or 0, frame.verb[1]
    finite, head = scene.tokens[first], scene.tokens[frame.head]
    adverbs = [scene.analysis.written(index) for index in range(frame.verb[0], first)]
    is_plural = _is_plural(scene, frame)
    words = [scene.analysis.written(index) for index in range(first, frame.head)]
    last = [
        conjugated(head.verb, "participle"),
        *(scene.analysis.written(index) for index in range(frame.head + 1, end)),
    ]
    is_past = finite.shape == "past" or finite.form.startswith(("did", "was", "were"))
    be = (("was", "were") if is_past else ("is", "are"))[is_plural]
    if first == frame.head:
        return " ".join([be, *adverbs, *last])
    auxiliaries = [index for index in range(first, frame.head) if scene.tokens[index].tag == "aux"]
    if len(auxiliaries) > 1 or scene.tokens[frame.head - 1].tag == "to":
        raise NotDerivedError("its tense has no usual passive")
    if finite.shape == "modal":
        return " ".join([*adverbs, *words, "be", *last])
    if finite.shape == "have":
        words[0] = _HAVE.get(finite.form, (finite.form, finite.form))[is_plural]
        return " ".join([*adverbs, *words, "been", *last])
    words[0] = be + ("n't" if finite.is_negated else "")
    return " ".join([*adverbs, *words, *(["being"] if finite.shape == "be" else []), *last])


def _is_plural(scene: Scene, frame: Transitive) -> bool:
    """Whether the object, which becomes the subject, is plural."""
    start, end = frame.object
    if scene.tokens[start].tag == "pronoun":
        return scene.tokens[start].form in ("them", "us")
    nouns = [index for index in range(start, end) if scene.tokens[index].tag in ("noun", "name")]
    stop = next((index for index in range(start, end) if scene.tokens[index].form == "of"), end)
    head = max(index for index in nouns if index < stop)
    if any(scene.tokens[index].form == "and" for index in range(start, end)):
        return True
    is_candidate = any(mention.head == head for mention in scene.mentions)
    has_no_number = scene.tokens[head].tag == "name" or is_in(scene.tokens[head].form, "nouns", "either-number")
    if scene.is_plural and is_candidate and has_no_number:
        return True
    if scene.tokens[head].tag == "name":
        form = scene.tokens[head].form  # the Cowboys, the Dutch
        return scene.tokens[start].form == "the" and (form.endswith("s") or is_in(form, "adjectives", "people"))
    return noun_number(scene.tokens[head].form) == "plural"


def _doubts(scene: Scene, frame: Transitive) -> list[str]:
    """Doubts about the passive, for a reader to check."""
    verb, following, rest = scene.tokens[frame.head].verb, scene.analysis.at(frame.agent), scene.tokens[frame.agent :]
    doubts = []
    if verb in _FOR_SOMEBODY and scene.analysis.at(frame.object[1]).tag in PHRASE:
        doubts.append(f"is the passive of {verb!r} usual with two objects?")
    if frame.verb[1] == frame.head + 1 and not is_in(verb, "verb_classes", "passive"):
        doubts.append(f"is the passive of {verb!r} usual?")
    if scene.tokens[frame.subject[0]].tag == "pronoun" and _agent(scene, frame):
        doubts.append("a passive with a pronoun as its agent is unusual")
    if scene.tokens[frame.object[0]].tag == "pronoun":
        doubts.append("a pronoun becomes the subject")
    object_tokens = [scene.tokens[index] for index in range(*frame.object)]
    object_tokens += scene.tokens[frame.object[1] : frame.agent]
    if any(token.tag == "possessive" and token.form not in ("my", "your", "our") for token in object_tokens):
        doubts.append("a possessive now stands before its owner")
    is_infinitive = following.tag == "to" and scene.analysis.at(frame.agent + 1).shape == "base"
    if is_infinitive and not is_in(verb, "verb_classes", "asking"):
        doubts.append("the subject of what follows 'to' is another one now")
    before = [scene.tokens[frame.agent - 1], *rest]
    if any(token.shape == "gerund" and last.tag != "aux" for last, token in zip(before, rest, strict=False)):
        doubts.append("a participle may lean on the subject")
    return [*doubts, *_doubts_about_rest(scene, frame)]


def _doubts_about_rest(scene: Scene, frame: Transitive) -> list[str]:
    """Doubts about words in the rest of the sentence that may depend on the subject or belong to the object."""
    verb, following, rest = scene.tokens[frame.head].verb, scene.analysis.at(frame.agent), scene.tokens[frame.agent :]
    doubts = []
    if following.tag in ("adjective", "noun", "name") or following.tag == "verb":
        doubts.append(f"{following.form!r} may belong to the object")
    if following.tag == "pronoun" or any(token.form == "by" for token in rest[:6]):
        doubts.append("the agent may be misread where it stands")
    end = next(
        (index for index, token in enumerate(rest) if token.tag in ("mark", "subordinator", "conjunction")), len(rest)
    )
    compared = next((token.form for token in rest[:end] if token.form == "than"), "")
    if compared or following.form in ("with", "without", "about", "like"):
        doubts.append(f"{compared or following.form!r} may belong to the object")
    target = scene.tokens[frame.object[1] - 1]
    if following.form in _PLACES and target.tag != "name" and not is_in(verb, "verb_classes", "placing"):
        doubts.append(f"{following.form!r} may belong to the object")
    if following.tag == "adverb" and following.form.endswith("ly"):
        doubts.append(f"{following.form!r} may stand better before the verb")
    opening = [token for token in scene.tokens[: frame.subject[0]] if token.span.start >= _sentence_start(scene, frame)]
    if opening and opening[0].tag == "preposition" and not any(is_period(token.form) for token in opening):
        doubts.append("what stands before the subject may lean on it")
    if any(token.shape in ("gerund", "participle", "base") and not token.is_finite for token in opening[:6]):
        doubts.append("what stands before the subject may lean on it")
    if _second_verb_follows(scene, frame):
        doubts.append("the second verb now stands in a relative clause")
    if not _agent(scene, frame) and any(clause.opener in ("while", "whereas") for clause in scene.analysis.clauses):
        doubts.append("the subject that goes may be compared with another")
    if any(_leaves_out_verb(scene, clause) for clause in scene.analysis.clauses if (clause.verb or 0) > frame.agent):
        doubts.append("a verb that is left out later may be this one")
    forms = [token.form for token in rest]
    seconds = [last.form for last, token in pairwise(rest) if token.tag == "verb"]
    if forms[:1] == ["that"] and {"and", "but", "or"} & {*seconds}:
        doubts.append("the verb after what is told may be the subject's")
    if not candidates_in(scene, frame):
        doubts.append("neither candidate changes its place")
    return doubts


# From passive to active


def _active(scene: Scene, frame: Transitive) -> Rewriting:
    """The passive clause in the active voice."""
    subject, verb, agent = (_span(scene, positions) for positions in (frame.subject, frame.verb, frame.object))
    protected = [place for place in (*scene.item.segment, scene.item.pronoun) if place is not None]
    agent_phrase = Span(scene.tokens[frame.agent - 1].span.end, agent.end)
    if any(place.overlaps(phrase) for place in protected for phrase in (subject, agent_phrase)):
        raise NotDerivedError("the segment or the pronoun is part of the subject or agent")
    if any(place.overlaps(verb) and not verb.within(place) for place in protected):
        raise NotDerivedError("the segment is only part of the verb")
    patient = _agent(scene, frame)
    active = f"{_active_verb(scene, frame)} {patient}"
    edits = [Edit(subject, _as_subject(scene, frame)), Edit(verb, active), Edit(agent_phrase, "")]
    doubts = []
    noun = scene.tokens[frame.object[1] - 1]
    if noun.tag != "name" and animacy(noun.form) is None and candidates_in(scene, frame) < len(scene.item.candidates):
        doubts.append(f"{noun.form!r} may not be what does it")
    if scene.tokens[frame.subject[0]].tag in ("possessive", "pronoun"):
        doubts.append("a pronoun or possessive now follows what it may refer to")
    if any(scene.tokens[index].tag == "possessive" for index in range(*frame.object)):
        doubts.append("a possessive now stands before its owner")
    end = moved(verb, edits).end
    swapped = {subject: Span(end - len(patient), end), agent: moved(subject, edits)}
    mentions = tuple(
        tuple(_exchanged_span(mention, swapped, edits) for mention in candidate.mentions)
        for candidate in scene.item.candidates
    )
    return Rewriting(tuple(edits), tuple(doubts), mentions=mentions, roles=_roles(scene, frame, old_subject="object"))


def _exchanged_span(mention: Span, swapped: dict[Span, Span], edits: list[Edit]) -> Span:
    """Where a mention lies after two phrases have changed places."""
    for old, new in swapped.items():
        if mention.within(old):
            start = new.start + mention.start - old.start
            return Span(start, start + mention.end - mention.start)
    return moved(mention, edits)


def _active_verb(scene: Scene, frame: Transitive) -> str:
    """The verb with its adverbs in the active voice."""
    first, head = frame.clause.verb or 0, scene.tokens[frame.head]
    finite = scene.tokens[first]
    adverbs = [
        scene.analysis.written(index)
        for index in range(frame.verb[0], frame.head)
        if scene.tokens[index].tag == "adverb"
    ]
    auxiliaries = [scene.tokens[index] for index in range(first + 1, frame.head) if scene.tokens[index].tag != "adverb"]
    is_plural = _is_plural(scene, frame)
    if finite.form.startswith("'"):
        raise NotDerivedError("its verb is contracted with its subject")
    if any(token.tag == "not" for token in auxiliaries) or finite.is_negated:
        raise NotDerivedError("a negated passive has no simple active form")
    shapes = [finite.shape, *(token.form for token in auxiliaries)]
    if shapes == ["be"]:
        past = finite.form in ("was", "were")
        form = conjugated(head.verb, "past") if past else head.verb if is_plural else conjugated(head.verb, "present")
        return " ".join([*adverbs, form])
    if shapes == ["modal", "be"]:
        return " ".join([scene.analysis.written(first), *adverbs, head.verb])
    if shapes == ["have", "been"]:
        have = "had" if finite.form == "had" else "have" if is_plural else "has"
        return " ".join([have, *adverbs, conjugated(head.verb, "participle")])
    if shapes == ["be", "being"]:
        be = {"was": ("was", "were"), "were": ("was", "were")}.get(finite.form, ("is", "are"))[is_plural]
        return " ".join([be, *adverbs, conjugated(head.verb, "gerund")])
    raise NotDerivedError("its tense has no simple active form")


def _leaves_out_verb(scene: Scene, clause: FiniteClause) -> bool:
    """Whether nothing follows the auxiliaries of a clause: *although she should have*."""
    index = clause.verb or 0
    if scene.tokens[index].shape not in ("do", "modal", "have"):
        return False
    while scene.analysis.at(index).tag in ("aux", "not"):
        index += 1
    return scene.analysis.at(index).tag in ("mark", "quote")


def _second_verb_follows(scene: Scene, frame: Transitive) -> bool:
    """Whether a second verb with the same subject follows: *The cat caught the mouse and ate it*."""
    return any(clause.shares_subject and clause.verb == frame.agent + 1 for clause in scene.analysis.clauses)


def _sentence_start(scene: Scene, frame: Transitive) -> int:
    ends = [token.span.end for token in scene.tokens[: frame.subject[0]] if token.form in (".", "!", "?", ";", ":")]
    return ends[-1] if ends else 0


def _mentions(scene: Scene, frame: Transitive, edits: list[Edit], agent: str) -> tuple[tuple[Span, ...], ...]:
    """Where the candidates are mentioned afterwards: subject and object have changed places."""
    subject, target = _span(scene, frame.subject), _span(scene, frame.object)
    end = len(edited(scene.text[: edits[3].span.end], edits[:4]))
    swapped = {subject: Span(end - len(agent), end)} if agent else {}
    swapped[target] = moved(subject, edits)
    candidates = scene.item.candidates
    return tuple(
        tuple(_exchanged_span(mention, swapped, edits) for mention in candidate.mentions) for candidate in candidates
    )


def _roles(scene: Scene, frame: Transitive, *, old_subject: Role) -> tuple[Role | None, ...]:
    """The candidates' roles: the old subject becomes `old_subject`, and the phrase exchanged with it the subject."""
    roles: list[Role | None] = []
    for index, candidate in enumerate(scene.item.candidates):
        head = next((mention.head for mention in scene.mentions if mention.candidate == index), -1)
        role = candidate.role
        if role == "subject" and head == frame.clause.subject:
            role = old_subject
        elif role in ("object", "indirect", "agent") and head in range(*frame.object):
            role = "subject"
        roles.append(role)
    return tuple(roles) if any(roles) else ()
