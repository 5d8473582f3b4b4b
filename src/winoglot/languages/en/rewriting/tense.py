"""Another tense: *The cup didn't fit because it was too big* → *The cup doesn't fit because it is too big*.

What happened is told in the present, as in a summary: *Joan makes sure to thank Susan for all the help she has had.*
Every finite verb changes, except in a quotation, and those that are in the other tense already (*… what time the shop
closes*). What belongs to one time only (*yesterday*), unreal conditions and mixed tenses are left to a reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.agreement import is_third_singular
from winoglot.languages.en.rewriting.inflection import conjugated
from winoglot.languages.en.rewriting.scene import Scene, scene_of
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import like
from winoglot.schemas.spans import Edit

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.sentence import FiniteClause, Word
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
    clauses = [one for one in scene.analysis.clauses if not _is_quoted(scene, one)]
    tenses = {_tense_of(scene, one) for one in clauses if one.kind == "main"} - {None}
    if not tenses:
        raise NotDerivedError("no main clause has a verb in a tense that shows")
    doubts = _doubts(scene, draws)
    if len(tenses) > 1:
        doubts.append("the main clauses are in different tenses")
    is_past = "past" in tenses
    edits = []
    for clause in clauses:
        shown = _tense_of(scene, clause)
        if shown == ("past" if is_past else "present"):
            made, doubt = (_to_present if is_past else _to_past)(scene, clause)
            edits += made
            doubts += doubt
        elif shown == "past":
            doubts.append(f"{scene.analysis.written(clause.verb or 0)!r} is in the past already")
        elif shown is None and scene.analysis.at(clause.verb or 0).form in ("must", "mustn't") and not is_past:
            doubts.append("'must' has no past")
    if not edits:
        raise NotDerivedError("no verb would change")
    return Rewriting(tuple(edits), tuple(dict.fromkeys(doubts)))


def _is_quoted(scene: Scene, clause: FiniteClause) -> bool:
    return sum(token.tag == "quote" for token in scene.tokens[: clause.verb]) % 2 == 1


def _tense_of(scene: Scene, clause: FiniteClause) -> Tense | None:
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
    guessed = [one for one in sorted(scene.analysis.unsure) if scene.tokens[one].shape in ("", "participle")]
    found = [f"{scene.analysis.written(one)!r} may be a verb in the past" for one in guessed]
    forms = [token.form for token in scene.tokens]
    for form, following in zip(forms, [*forms[1:], ""], strict=True):
        pair = f"{form} {following}"
        if is_in(pair, "phrases", "time") or (form == "last" and is_in(following, "phrases", "period")):
            found.append(f"{pair!r} belongs to one time only")
        elif is_in(form, "phrases", "time"):
            found.append(f"{form!r} belongs to one time only")
        if pair == "used to":
            found.append("'used to' has no present")
        if form.startswith("wish") or pair in ("as if", "as though"):
            found.append(f"what follows {form!r} is not real")
    if {"if", "unless", "otherwise"} & {*forms} and {"would", "wouldn't", "'d", "could", "couldn't"} & {*forms}:
        found.append("the condition may be unreal")
    if " '" in scene.text:
        found.append("somebody may be quoted")
    return found


def _check_segment(draws: Draws) -> None:
    """Refuse a schema whose items differ in nothing but the tense of their segment."""
    segments = []
    for item in draws.schema.items:
        tokens = [token for token in scene_of(item).tokens if any(token.span.overlaps(one) for one in item.segment)]
        segments.append([_lemma(token) for token in tokens])
    if len(segments) > 1 and segments[0] and segments[0] == segments[1]:
        raise NotDerivedError("the segment is a difference of tense")


def _lemma(token: Word) -> str:
    return token.verb or {"could": "can", "would": "will", "couldn't": "can't", "wouldn't": "won't"}.get(
        token.form, token.form
    )


def _to_present(scene: Scene, clause: FiniteClause) -> tuple[list[Edit], list[str]]:
    number = clause.verb or 0
    token, written = scene.tokens[number], scene.analysis.written(number)
    following = scene.analysis.at(number + 1 + (scene.analysis.at(number + 1).tag in ("not", "adverb")))
    doubts = _doubts_about_present(scene, clause)
    if token.shape == "modal" and following.form == "have":
        doubts.append(f"'{written} have' has no simple present")
    if (
        token.form in ("was", "wasn't")
        and scene.analysis.at(clause.subject or 0).form == "i"
        and clause.subject is not None
    ):
        return [Edit(token.span, "am" if token.form == "was" else "am not")], doubts
    if token.form in _TO_PRESENT:
        return [Edit(token.span, like(written, _TO_PRESENT[token.form]))], doubts
    is_third = is_third_singular(scene, clause)
    if is_third is None:
        doubts.append(f"the subject of {written!r} is not clear")
    if token.form == "'d":
        new = "'ll" if token.shape == "modal" else "'s" if is_third else "'ve"
        return [Edit(token.span, new)], doubts
    base = {"had": "have", "hadn't": "haven't", "did": "do", "didn't": "don't"}.get(token.form, token.verb)
    third = {"have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't"}.get(base) or conjugated(
        base, "present"
    )
    new = third if is_third or is_third is None else base
    return ([Edit(token.span, like(written, new))] if new != token.form else []), doubts


def _doubts_about_present(scene: Scene, clause: FiniteClause) -> list[str]:
    """*For years he slept there* has no simple present."""
    words = [token.form for token in scene.tokens]
    has_period = any(
        form == "for" and any(is_in(one.removesuffix("s"), "phrases", "period") for one in words[at + 1 : at + 3])
        for at, form in enumerate(words)
    )
    is_simple = scene.analysis.at(clause.verb or 0).tag == "verb" and clause.kind == "main"
    return ["a simple present does not go with how long something lasted"] if has_period and is_simple else []


def _to_past(scene: Scene, clause: FiniteClause) -> tuple[list[Edit], list[str]]:
    token, written = scene.tokens[clause.verb or 0], scene.analysis.written(clause.verb or 0)
    if token.form == "'s":
        return [Edit(token.span, " had" if token.shape == "have" else " was")], []
    new = _TO_PAST.get(token.form) if token.tag == "aux" else conjugated(token.verb, "past")
    if new is None:
        return [], [f"{written!r} has no past"]
    return ([Edit(token.span, like(written, new))] if new != token.form else []), []
