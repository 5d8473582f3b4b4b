"""Another tense: *The cup didn't fit because it was too big* → *The cup doesn't fit because it is too big*.

What happened is told in the present, as in a summary: *Joan makes sure to thank Susan for all the help she has had.*
Every finite verb changes, except in a quotation, and those that are in the present already (*… what time the shop
closes*). A text in the present, or with main clauses in both tenses, is told in the past, with what was past before it
in the past perfect. What belongs to one time only (*yesterday*) and unreal conditions are left to a reader.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, Literal

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.inflection import conjugated, verb_forms
from winoglot.languages.en.rewriting.raw_text import is_period
from winoglot.languages.en.rewriting.scene import Scene, is_third_singular, may_be_participle, scene_of
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import match_case
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.raw_text import FiniteClause
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

Tense = Literal["past", "present"]
_TO_PRESENT = {
    "was": "is", "wasn't": "isn't", "were": "are", "weren't": "aren't", "could": "can", "couldn't": "can't",
    "would": "will", "wouldn't": "won't", "might": "may"
}  # fmt: skip
_TO_PAST = {
    "am": "was", "is": "was", "isn't": "wasn't", "are": "were", "aren't": "weren't", "has": "had", "hasn't": "hadn't",
    "have": "had", "haven't": "hadn't", "do": "did", "don't": "didn't", "does": "did", "doesn't": "didn't",
    "can": "could", "can't": "couldn't", "cannot": "could not", "will": "would", "won't": "wouldn't", "may": "might",
    "'m": " was", "'re": " were", "'ve": " had", "'ll": "'d"
}  # fmt: skip
_IRREGULAR = {"had": "have", "hadn't": "haven't", "did": "do", "didn't": "don't"}
_THIRD = {"have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't"}
_PAST_AUXILIARIES = frozenset((*_TO_PRESENT, "had", "hadn't", "did", "didn't", "'d"))
_SUBJECTS = frozenset(("he", "she", "it", "they", "i", "we"))
_FIXED = frozenset(("should", "shouldn't", "must", "mustn't", "shall", "ought"))


def tense(item: Item, draws: Draws) -> Rewriting:
    """Rewrite every finite verb."""
    scene, scenes = scene_of(item), [scene_of(schema_item) for schema_item in draws.schema.items]
    if not all(map(_tenses, scenes)):
        raise NotDerivedError("no main clause has a verb in a tense that shows")
    _check_segment(scenes)
    tenses = set(chain.from_iterable(map(_tenses, scenes)))
    doubts = _doubts(scene)
    if len(tenses) > 1:
        doubts.append("the main clauses, or the alternatives, are in different tenses")
    rule = _to_present if tenses == {"past"} else _to_past
    edits = [edit for clause in _unquoted_clauses(scene) for edit in rule(scene, clause, doubts)]
    if not edits:
        raise NotDerivedError("no verb would change")
    return Rewriting(tuple(edits), tuple(dict.fromkeys(doubts)))


def _unquoted_clauses(scene: Scene) -> list[FiniteClause]:
    """The clauses outside quotations."""
    return [clause for clause in scene.clauses if not scene.is_quoted(clause.verb or 0)]


def _tenses(scene: Scene) -> set[Tense]:
    """The tenses of the main clauses."""
    tenses = (tense_of(scene, clause) for clause in _unquoted_clauses(scene) if clause.kind == "main")
    return {clause_tense for clause_tense in tenses if clause_tense}


def tense_of(scene: Scene, clause: FiniteClause) -> Tense | None:
    """The tense of a clause; None if its modal has none."""
    verb = scene.at(-1 if clause.verb is None else clause.verb)
    if verb.form in _FIXED:
        return None
    is_past = verb.form in _PAST_AUXILIARIES if verb.tag == "aux" else verb.shape == "past"
    return "past" if is_past else "present"


def _check_segment(scenes: list[Scene]) -> None:
    """Refuse a schema whose items differ in nothing but the tense of their segment."""
    segments = [
        [
            token.verb or _TO_PRESENT.get(token.form, token.form)
            for token in scene.tokens
            if any(token.span.overlaps(place) for place in scene.item.segment)
        ]
        for scene in scenes
    ]
    if segments[0] and segments[0] == segments[-1] and len(segments) > 1:
        raise NotDerivedError("the segment is a difference of tense")


# What may make another tense wrong, whatever the verbs are


def _doubts(scene: Scene) -> list[str]:
    """Doubts about words that may be verbs or not, and about words of time."""
    forms = [token.form for token in scene.tokens]
    pairs = [f"{form} {following}" for form, following in pairwise(forms)]
    bound = {index + 1 for index, pair in enumerate(pairs) if is_in(pair, "phrases", "any-time")}  # at once
    words = [token for index, token in enumerate(scene.tokens) if index not in bound and token.tag == "adverb"]
    times = [token.form for token in words if is_in(token.form, "phrases", "time")]
    times += [pair for pair in pairs if is_in(pair, "phrases", "time")]
    doubts = [f"{form!r} may be a finite verb, or may not" for form in _unclear_verbs(scene)]
    doubts += [f"{time!r} may not fit another tense" for time in times]
    if {"if", "unless", "otherwise"} & {*forms} and {"would", "wouldn't", "'d", "could", "couldn't"} & {*forms}:
        doubts.append("the condition may be unreal")
    return doubts


def _unclear_verbs(scene: Scene) -> list[str]:
    """Words that may be verbs in this tense or not, and the beginnings of sentences in which no verb was found."""
    verbs = {clause.verb: clause for clause in scene.clauses}
    sure_tenses = {tense_of(scene, clause) for index, clause in verbs.items() if index not in scene.unsure}
    unclear = [index or 0 for index, clause in verbs.items() if may_be_participle(scene, clause)]
    for index in sorted(scene.unsure):
        word = scene.tokens[index]
        either = word.shape == "past" and index in verbs and sure_tenses - {None} != {"past"}  # they put
        unknown = word.verb == word.form != conjugated(word.form, "past")
        if either or unknown or word.shape in ("", "participle", "present"):
            unclear.append(index)
    start = 0
    for index, token in enumerate(scene.tokens):
        is_new = token.tag == "conjunction" and scene.at(index + 1).form in _SUBJECTS  # … and he
        if is_new or token.form in (".", "!", "?", ";"):
            part = scene.tokens[start:index]
            if any(word.tag not in ("mark", "quote") for word in part) and not any(word.is_finite for word in part):
                unclear.append(start)
            start = index + 1
    return [scene.written(index) for index in unclear]


# The verbs


def _to_present(scene: Scene, clause: FiniteClause, doubts: list[str]) -> list[Edit]:
    """What happened as it happens; what is in the present already stays."""
    index = clause.verb or 0
    token, surface, after = scene.tokens[index], scene.written(index), scene.at(index + 1)
    if token.shape == "modal" and scene.at(index + 1 + (after.tag in ("not", "adverb"))).form == "have":
        doubts.append(f"'{surface} have' has no simple present")
    if tense_of(scene, clause) != "past":
        return []
    _doubt_present(scene, clause, doubts)
    if token.form == "could" and after.form == "not":
        return [Edit(Span(token.span.start, after.span.end), match_case(surface, "cannot"))]
    is_third = is_third_singular(scene, clause)
    if token.form in _TO_PRESENT:
        is_me = clause.subject is not None and scene.tokens[clause.subject].form == "i"
        new = {"was": "am", "wasn't": "am not"}.get(token.form) if is_me else None
        return [Edit(token.span, match_case(surface, new or _TO_PRESENT[token.form]))]
    if is_third is None:
        doubts.append(f"the subject of {surface!r} is not clear")
    if token.form == "'d":
        return [Edit(token.span, "'ll" if token.shape == "modal" else "'s" if is_third else "'ve")]
    perfect = _to_perfect(scene, clause, is_singular=is_third is not False)
    if perfect:
        return perfect
    base = _IRREGULAR.get(token.form, token.verb)
    new = base if is_third is False else _THIRD.get(base) or conjugated(base, "present")
    return [Edit(token.span, match_case(surface, new))] if new != token.form else []


def _doubt_present(scene: Scene, clause: FiniteClause, doubts: list[str]) -> None:
    """*For years he slept there* has no simple present; *said that he passed* may mean that he had passed."""
    words, verb = [token.form for token in scene.tokens], scene.at(clause.verb or 0)
    has_period = any(
        form in ("for", "all") and any(is_period(word.removesuffix("s")) for word in words[index + 1 : index + 3])
        for index, form in enumerate(words)
    )
    is_had = verb.form == "had" and clause.head is not None
    if clause.kind == "main" and is_had and {"before", "when", "by"} & {*words}:
        doubts.append("what had happened before something else may need another tense")
    if has_period:
        doubts.append("a simple present does not go with how long something lasted")
    is_stative = is_in(verb.verb, "verb_classes", "stative")
    is_said = clause.opener == "that" or is_in(scene.at((clause.subject or 0) - 1).verb, "verb_classes", "claiming")
    if is_said and verb.tag == "verb" and not is_stative:
        doubts.append(f"{verb.form!r} may be earlier than what was said, thought or seen")


def _to_perfect(scene: Scene, clause: FiniteClause, *, is_singular: bool) -> list[Edit]:
    """What happened before: *because she fell* → *because she has fallen*, *the car he bought*; else no edits."""
    index = clause.verb or 0
    token, head = scene.tokens[index], scene.at(-1 if clause.head is None else clause.head)
    first = next((earlier for earlier in scene.clauses if earlier.subject == clause.subject), clause)
    is_simple = head.tag == "verb" and (token is head or token.shape == "do")
    before = [scene.at(place).form for place in range(_adverbs_start(scene, index), index)]
    is_habit = any(is_in(form, "phrases", "habitual") for form in before)  # because he hardly ever calls
    if not is_simple or is_habit or not _is_earlier_event(scene, first if clause.shares_subject else clause):
        return []
    have = ("has" if is_singular else "have") + ("n't" if token.is_negated else "")
    if token is not head:
        return [Edit(token.span, have), Edit(head.span, conjugated(head.verb, "participle"))]
    is_participle = "participle" in verb_forms(head.form)
    participle = head.form if is_participle else conjugated(head.verb, "participle")  # learned, not learnt
    if clause.shares_subject and scene.at(index - 1).tag == "conjunction":
        return [Edit(head.span, participle)]  # has stopped and counted
    return [_after_adverb(scene, index, have, participle)]


def _after_adverb(scene: Scene, index: int, auxiliary: str, participle: str) -> Edit:
    """A finite verb as an auxiliary and participle, with the adverbs before it between them: *had no longer seen*."""
    token, start = scene.tokens[index], scene.tokens[_adverbs_start(scene, index)].span.start
    return Edit(Span(start, token.span.end), f"{auxiliary} {scene.text[start : token.span.start]}{participle}")


def _adverbs_start(scene: Scene, index: int) -> int:
    """The first of the adverbs right before a verb; the verb itself if there are none."""
    while scene.at(index - 1).tag in ("adverb", "not"):
        index -= 1
    return index


def _is_earlier_event(scene: Scene, clause: FiniteClause) -> bool:
    """Whether a clause says why by what happened, or which one by what happened to it: *the car he bought*."""
    head = scene.at(-1 if clause.head is None else clause.head)
    is_contact = clause.kind == "relative" and not clause.opener
    after = (token.form for token in scene.tokens[(clause.head or 0) + 1 : (clause.head or 0) + 6])
    is_lasting = is_in(head.verb, "verb_classes", "stative", "activity") and not any(
        is_in(f"{head.verb} {particle}", "verb_classes", "completed") for particle in after
    )
    is_event = head.tag == "verb" and not is_lasting
    return is_event and (clause.opener in ("because", "since") or is_contact)


def _to_past(scene: Scene, clause: FiniteClause, doubts: list[str]) -> list[Edit]:
    """What happens as it happened, and what had happened before as such: *is ill because she fell*, *had fallen*."""
    token, surface = scene.tokens[clause.verb or 0], scene.written(clause.verb or 0)
    clause_tense = tense_of(scene, clause)
    if clause_tense == "past":
        return _to_pluperfect(scene, clause, doubts) if clause.opener != "since" else []
    new = _TO_PAST.get(token.form) if token.tag == "aux" else conjugated(token.verb, "past")
    if token.form == "'s":
        new = " had" if token.shape == "have" else " was"
    if clause_tense is None or new is None:
        doubts.append(f"{surface!r} has no past")
        return []
    if token.form in ("will", "won't", "'ll") and any(other.opener in ("if", "unless") for other in scene.clauses):
        doubts.append("the condition may become unreal")
    return [Edit(token.span, match_case(surface, new))] if new != token.form else []


def _to_pluperfect(scene: Scene, clause: FiniteClause, doubts: list[str]) -> list[Edit]:
    """*fell* → *had fallen*, *wasn't* → *hadn't been*, *didn't go* → *hadn't gone*."""
    index = clause.verb or 0
    token, head = scene.tokens[index], scene.at(-1 if clause.head is None else clause.head)
    had = "hadn't" if token.is_negated else "had"
    if token.tag == "verb":
        return [_after_adverb(scene, index, had, conjugated(token.verb, "participle"))]
    if token.shape == "be":
        following = scene.at(index + 1)
        end, rest = (following, f"{following.form} been") if following.tag == "not" else (token, "been")
        return [Edit(Span(token.span.start, end.span.end), match_case(scene.written(index), f"{had} {rest}"))]
    if token.shape == "have":
        return [] if head.shape == "participle" else [Edit(token.span, f"{had} had")]
    if token.shape == "do" and head.tag == "verb":
        return [Edit(token.span, had), Edit(head.span, conjugated(head.verb, "participle"))]
    doubts.append(f"{scene.written(index)!r} has no earlier past")
    return []
