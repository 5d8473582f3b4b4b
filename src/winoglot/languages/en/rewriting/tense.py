"""Another tense: *The cup didn't fit because it was too big* → *The cup doesn't fit because it is too big*.

What happened is told in the present, as in a summary: *Joan makes sure to thank Susan for all the help she has had.*
Every finite verb changes, except in a quotation, and those that are in the present already (*… what time the shop
closes*). A text in the present, or with main clauses in both tenses, is told in the past, with what was past before it
in the past perfect. What belongs to one time only (*yesterday*) and unreal conditions are left to a reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.inflection import conjugated, verb_forms
from winoglot.languages.en.rewriting.raw_text import CLAIMING, is_period
from winoglot.languages.en.rewriting.scene import Scene, scene_of
from winoglot.languages.en.rewriting.subject_number import is_third_singular, may_be_participle
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import match_case
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.raw_text import FiniteClause, Word
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

Tense = Literal["past", "present"]
_TO_PRESENT = {
    "was": "is", "wasn't": "isn't", "were": "are", "weren't": "aren't", "could": "can", "couldn't": "can't",
    "would": "will", "wouldn't": "won't", "might": "may",
}  # fmt: skip
_TO_PAST = {
    "am": "was", "is": "was", "isn't": "wasn't", "are": "were", "aren't": "weren't", "has": "had", "hasn't": "hadn't",
    "have": "had", "haven't": "hadn't", "do": "did", "don't": "didn't", "does": "did", "doesn't": "didn't",
    "can": "could", "can't": "couldn't", "cannot": "could not", "will": "would", "won't": "wouldn't", "may": "might",
    "'m": " was", "'re": " were", "'ve": " had", "'ll": "'d",
}  # fmt: skip
_PAST_AUXILIARIES = frozenset((*_TO_PRESENT, "had", "hadn't", "did", "didn't", "'d"))
_FIXED = frozenset(("should", "shouldn't", "must", "mustn't", "shall", "ought"))


def tense(item: Item, draws: Draws) -> Rewriting:
    """Rewrite every finite verb."""
    scene = scene_of(item)
    item_tenses = [_tenses(scene_of(schema_item)) for schema_item in draws.schema.items]
    tenses = set().union(*item_tenses)
    if not all(item_tenses):
        raise NotDerivedError("no main clause has a verb in a tense that shows")
    doubts = _doubts(scene, draws)
    if len(tenses) > 1:
        doubts.append("the main clauses, or the alternatives, are in different tenses")
    rule = _to_present if tenses == {"past"} else _to_past
    edits = []
    for clause in _unquoted_clauses(scene):
        clause_edits, clause_doubts = rule(scene, clause)
        edits += clause_edits
        doubts += clause_doubts
    if not edits:
        raise NotDerivedError("no verb would change")
    return Rewriting(tuple(edits), tuple(dict.fromkeys(doubts)))


def _unquoted_clauses(scene: Scene) -> list[FiniteClause]:
    """The clauses outside quotations."""
    quotes = [index for index, token in enumerate(scene.tokens) if token.tag == "quote"]
    return [clause for clause in scene.analysis.clauses if sum(quote < (clause.verb or 0) for quote in quotes) % 2 == 0]


def _tenses(scene: Scene) -> set[Tense]:
    """The tenses of the main clauses."""
    tenses = (tense_of(scene, clause) for clause in _unquoted_clauses(scene) if clause.kind == "main")
    return {clause_tense for clause_tense in tenses if clause_tense}


def tense_of(scene: Scene, clause: FiniteClause) -> Tense | None:
    """The tense of a clause; None if its modal has none."""
    verb = scene.analysis.at(clause.verb if clause.verb is not None else -1)
    if verb.form in _FIXED:
        return None
    if verb.tag == "aux":
        return "past" if verb.form in _PAST_AUXILIARIES else "present"
    return "past" if verb.shape == "past" else "present"


def _doubts(scene: Scene, draws: Draws) -> list[str]:
    """What may make another tense wrong, whatever the verbs are."""
    _check_segment(draws)
    unsure = [(index, scene.tokens[index]) for index in sorted(scene.analysis.unsure)]
    unknown = {index for index, word in unsure if word.verb == word.form != conjugated(word.form, "past")}
    guessed = [index for index, word in unsure if word.shape in ("", "participle", "present") or index in unknown]
    doubts = [f"{scene.analysis.written(index)!r} may be a finite verb, or may not" for index in guessed]
    if any(token.form == "once" and token.tag == "adverb" for token in scene.tokens):
        doubts.append("'once' belongs to the past")
    doubts += _without_verb(scene)
    doubts += _either_tense(scene)
    doubts += _participles(scene)
    forms = [token.form for token in scene.tokens]
    for form, following in zip(forms, [*forms[1:], ""], strict=True):
        pair = f"{form} {following}"
        if is_in(pair, "phrases", "time") or (form == "last" and is_in(following, "phrases", "period")):
            doubts.append(f"{pair!r} belongs to one time only")
        elif is_in(form, "phrases", "time"):
            doubts.append(f"{form!r} belongs to one time only")
        if form == "always" and is_in(
            (verb_forms(following) or {"base": ""}).get("past", ""), "verb_classes", "stative"
        ):
            doubts.append(f"{pair!r} may be earlier than the rest")
        if pair == "used to":
            doubts.append("'used to' has no present")
        if form.startswith("wish") or pair in ("as if", "as though"):
            doubts.append(f"what follows {form!r} is not real")
    if {"if", "unless", "otherwise"} & {*forms} and {"would", "wouldn't", "'d", "could", "couldn't"} & {*forms}:
        doubts.append("the condition may be unreal")
    if sum(token.tag == "quote" for token in scene.tokens) % 2:
        doubts.append("a quotation has no end")
    return doubts


def _participles(scene: Scene) -> list[str]:
    verbs = [clause.verb or 0 for clause in scene.analysis.clauses if may_be_participle(scene, clause)]
    return [f"{scene.analysis.written(verb)!r} may be a participle" for verb in verbs]


def _either_tense(scene: Scene) -> list[str]:
    """Doubts about verbs whose past looks like their present (*they put*), unless all others are in the past."""
    unsure = [clause for clause in scene.analysis.clauses if clause.verb in scene.analysis.unsure]
    sure_tenses = {tense_of(scene, clause) for clause in scene.analysis.clauses if clause not in unsure} - {None}
    either = [
        scene.analysis.written(clause.verb or 0) for clause in unsure if scene.tokens[clause.verb or 0].shape == "past"
    ]
    return [] if sure_tenses == {"past"} else [f"{form!r} may be present or past" for form in either]


def _without_verb(scene: Scene) -> list[str]:
    """Doubts about sentences, and clauses before *and he*, in which no finite verb was found."""
    parts: list[list[int]] = [[]]
    for index, token in enumerate(scene.tokens):
        opens = token.tag == "conjunction" and scene.analysis.at(index + 1).form in (
            "he",
            "she",
            "it",
            "they",
            "i",
            "we",
        )
        if opens or token.form in (".", "!", "?", ";"):
            parts.append([])
        else:
            parts[-1].append(index)
    words = [
        part
        for part in parts
        if any(scene.tokens[index].tag != "mark" and scene.tokens[index].tag != "quote" for index in part)
    ]
    missing = [part for part in words if not any(scene.tokens[index].is_finite for index in part)]
    return [f"no verb was found after {scene.analysis.written(part[0])!r}" for part in missing]


def _check_segment(draws: Draws) -> None:
    """Refuse a schema whose items differ in nothing but the tense of their segment."""
    segments = []
    for item in draws.schema.items:
        tokens = [token for token in scene_of(item).tokens if any(token.span.overlaps(place) for place in item.segment)]
        segments.append([_lemma(token) for token in tokens])
    if len(segments) > 1 and segments[0] and segments[0] == segments[1]:
        raise NotDerivedError("the segment is a difference of tense")


def _lemma(token: Word) -> str:
    return token.verb or {"could": "can", "would": "will", "couldn't": "can't", "wouldn't": "won't"}.get(
        token.form, token.form
    )


def _to_present(scene: Scene, clause: FiniteClause) -> tuple[list[Edit], list[str]]:
    """What happened as it happens; what is in the present already stays."""
    index = clause.verb or 0
    token, surface = scene.tokens[index], scene.analysis.written(index)
    following = scene.analysis.at(index + 1 + (scene.analysis.at(index + 1).tag in ("not", "adverb")))
    is_perfect = token.shape == "modal" and following.form == "have"
    doubts = [f"'{surface} have' has no simple present"] if is_perfect else []
    if tense_of(scene, clause) != "past":
        return [], doubts
    doubts += _doubts_about_present(scene, clause)
    if (
        token.form in ("was", "wasn't")
        and scene.analysis.at(clause.subject or 0).form == "i"
        and clause.subject is not None
    ):
        return [Edit(token.span, "am" if token.form == "was" else "am not")], doubts
    after = scene.analysis.at(index + 1)
    if token.form == "could" and after.form == "not":
        return [Edit(Span(token.span.start, after.span.end), match_case(surface, "cannot"))], doubts
    if token.form in _TO_PRESENT:
        return [Edit(token.span, match_case(surface, _TO_PRESENT[token.form]))], doubts
    is_third = is_third_singular(scene, clause)
    if is_third is None:
        doubts.append(f"the subject of {surface!r} is not clear")
    if token.form == "'d":
        new = "'ll" if token.shape == "modal" else "'s" if is_third else "'ve"
        return [Edit(token.span, new)], doubts
    perfect = _to_perfect(scene, clause, is_singular=is_third is not False)
    if perfect:
        return perfect, doubts
    base = {"had": "have", "hadn't": "haven't", "did": "do", "didn't": "don't"}.get(token.form, token.verb)
    third = {"have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't"}.get(base) or conjugated(
        base, "present"
    )
    new = third if is_third or is_third is None else base
    return ([Edit(token.span, match_case(surface, new))] if new != token.form else []), doubts


def _doubts_about_present(scene: Scene, clause: FiniteClause) -> list[str]:
    """*For years he slept there* has no simple present; *said that he passed* may mean that he had passed."""
    words = [token.form for token in scene.tokens]
    has_period = any(
        form in ("for", "all") and any(is_period(word.removesuffix("s")) for word in words[index + 1 : index + 3])
        for index, form in enumerate(words)
    )
    verb = scene.analysis.at(clause.verb or 0)
    doubts = []
    if clause.kind == "main" and verb.form == "had" and clause.head is not None and {"before", "when", "by"} & {*words}:
        doubts.append("what had happened before something else may need another tense")
    if has_period and clause.kind == "main" and verb.shape != "have":
        doubts.append("a simple present does not go with how long something lasted")
    before = scene.analysis.at((clause.subject or 0) - 1)
    is_said = clause.opener == "that" or before.verb in CLAIMING
    if is_said and verb.tag == "verb" and not is_in(verb.verb, "verb_classes", "stative"):
        doubts.append(f"{verb.form!r} may be earlier than what was said, thought or seen")
    return doubts


def _to_perfect(scene: Scene, clause: FiniteClause, *, is_singular: bool) -> list[Edit]:
    """What happened before: *because she fell* → *because she has fallen*, *the car he bought*; else no edits."""
    index = clause.verb or 0
    token, head = scene.tokens[index], scene.analysis.at(clause.head if clause.head is not None else -1)
    first = next((earlier for earlier in scene.analysis.clauses if earlier.subject == clause.subject), clause)
    if not _is_earlier_event(scene, first if clause.shares_subject else clause):
        return []
    if head.tag != "verb" or (token is not head and token.shape != "do"):
        return []
    have = ("has" if is_singular else "have") + ("n't" if token.is_negated else "")
    if token is not head:
        return [Edit(token.span, have), Edit(head.span, conjugated(head.verb, "participle"))]
    is_participle = "participle" in verb_forms(head.form)
    participle = head.form if is_participle else conjugated(head.verb, "participle")  # learned, not learnt
    before = scene.analysis.at(index - 1)
    if clause.shares_subject and before.form in ("and", "or", "but"):
        return [Edit(head.span, participle)]  # has stopped and counted
    start = before.span.start if before.tag in ("adverb", "not") else token.span.start
    return [Edit(Span(start, token.span.end), f"{have} {scene.text[start : token.span.start]}{participle}")]


def _is_earlier_event(scene: Scene, clause: FiniteClause) -> bool:
    """Whether a clause says why by what happened, or which one by what happened to it: *the car he bought*."""
    head = scene.analysis.at(clause.head if clause.head is not None else -1)
    following = scene.analysis.at((clause.head or 0) + 1).tag
    is_contact = clause.kind == "relative" and not clause.opener
    has_gap = following not in ("pronoun", "determiner", "possessive", "name", "noun")
    is_event = head.tag == "verb" and not is_in(head.verb, "verb_classes", "stative", "activity")
    return is_event and (clause.opener in ("because", "since") or (is_contact and has_gap))


def _to_past(scene: Scene, clause: FiniteClause) -> tuple[list[Edit], list[str]]:
    """What happens as it happened, and what had happened before as such: *is ill because she fell*, *had fallen*."""
    token, surface = scene.tokens[clause.verb or 0], scene.analysis.written(clause.verb or 0)
    clause_tense = tense_of(scene, clause)
    if clause_tense == "past":
        return _to_pluperfect(scene, clause) if clause.opener != "since" else ([], [])
    if clause_tense is None:
        return [], [f"{surface!r} has no past"]
    if token.form in ("will", "won't", "'ll") and any(
        condition.opener in ("if", "unless") for condition in scene.analysis.clauses
    ):
        return [Edit(token.span, match_case(surface, _TO_PAST[token.form]))], ["the condition may become unreal"]
    if token.form == "'s":
        return [Edit(token.span, " had" if token.shape == "have" else " was")], []
    new = _TO_PAST.get(token.form) if token.tag == "aux" else conjugated(token.verb, "past")
    if new is None:
        return [], [f"{surface!r} has no past"]
    return ([Edit(token.span, match_case(surface, new))] if new != token.form else []), []


def _to_pluperfect(scene: Scene, clause: FiniteClause) -> tuple[list[Edit], list[str]]:
    """*fell* → *had fallen*, *wasn't* → *hadn't been*, *didn't go* → *hadn't gone*."""
    token, surface = scene.tokens[clause.verb or 0], scene.analysis.written(clause.verb or 0)
    had = "hadn't" if token.is_negated else "had"
    if token.tag == "verb":
        before = scene.analysis.at((clause.verb or 0) - 1)
        start = before.span.start if before.tag in ("adverb", "not") else token.span.start  # had never seen
        lead = scene.text[start : token.span.start]
        return [Edit(Span(start, token.span.end), f"had {lead}{conjugated(token.verb, 'participle')}")], []
    if token.shape == "be":
        following = scene.analysis.at((clause.verb or 0) + 1)
        if following.tag == "not":
            return [Edit(Span(token.span.start, following.span.end), f"had {following.form} been")], []
        return [Edit(token.span, match_case(surface, f"{had} been"))], []
    head = scene.tokens[clause.head] if clause.head is not None else None
    if token.shape == "have":
        return ([] if head is not None and head.shape == "participle" else [Edit(token.span, f"{had} had")]), []
    if token.shape == "do" and head is not None:
        return [Edit(token.span, had), Edit(head.span, conjugated(head.verb, "participle"))], []
    return [], [f"{surface!r} has no earlier past"]
