"""An adverb at every main verb: *Joan eventually thanked Susan*; *The cup clearly doesn't fit*.

The adverbs say that something took its time or is plain to see, which bears on no answer; *suddenly* and *carefully* go
only with verbs that are listed for them. A verb that has an adverb already keeps it alone, and so does a copula unless
the text has no other main verb.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.scene import Scene, animacy, scene_of
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.words import FiniteClause, Word
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_PLAIN = ("clearly", "certainly", "evidently", "obviously", "undoubtedly")
_OF_SPEAKER = ("certainly", "definitely")  # I evidently did it
_TIMES = ("eventually", "finally")


@dataclass(frozen=True)
class _Place:
    """Where an adverb may go, and which ones fit."""

    at: int  # in the text
    options: tuple[str, ...]
    plain: tuple[str, ...]  # fit whatever the verb is
    doubt: str
    is_copula: bool


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert an adverb at the verb of every main clause."""
    scene = scene_of(item)
    _check(scene)
    found = [_places(scene_of(other)) for other in draws.schema.items]
    if len({len(one.analysis.clauses) for one in map(scene_of, draws.schema.items)}) > 1:
        raise NotDerivedError("the items have different numbers of clauses")
    shared = [number for number in found[0] if all(number in one for one in found)]
    lexical = [number for number in shared if not any(one[number].is_copula for one in found)]
    own = _places(scene)
    edits, doubts = [], []
    used: set[str] = set()
    for number in lexical or shared[:1]:
        options = [one for one in own[number].options if all(one in other[number].options for other in found)]
        fitting = [one for one in options if one not in used and not (one in _TIMES and used & {*_TIMES})]
        if not fitting:
            fitting = [one for one in own[number].plain if one not in used]
        if not fitting:
            raise NotDerivedError("no adverb fits the main verbs of all items")
        chosen = draws.pick(f"adverb {number}", fitting)
        used.add(chosen)
        edits.append(Edit(Span(own[number].at, own[number].at), f"{chosen} "))
        doubts += [own[number].doubt] if own[number].doubt else []
    return Rewriting(tuple(edits or _opening(scene, draws)), tuple(doubts))


def _check(scene: Scene) -> None:
    """Refuse sentences whose adverbs would say something else: *the more she talked*, *neither of them came*."""
    forms = [token.form for token in scene.tokens]
    if any(pair in (("the", "more"), ("the", "less")) for pair in pairwise(forms)) or "neither" in forms:
        raise NotDerivedError("an adverb would be misread beside a comparison or negation")


def _opening(scene: Scene, draws: Draws) -> list[Edit]:
    """*Clearly, Joe can still win.*"""
    subject = next((one.subject for one in scene.analysis.clauses if one.kind == "main"), None)
    first = scene.analysis.at(0)
    if subject is None or subject > 4 or first.tag not in ("determiner", "possessive", "name", "pronoun"):
        raise NotDerivedError("no main verb without an adverb of its own")
    chosen = draws.pick("adverb", ("Clearly", "Certainly", "Obviously"))
    is_kept = first.tag == "name" or first.form == "i"
    start = first.span.start
    lower = [] if is_kept else [Edit(Span(start, start + 1), scene.text[start].lower())]
    return [Edit(Span(start, start), f"{chosen}, "), *lower]


def _places(scene: Scene) -> dict[int, _Place]:
    """Where adverbs may go, by the number of the clause."""
    found = {}
    for number, clause in enumerate(scene.analysis.clauses):
        if clause.kind == "main" and clause.verb is not None and not _is_quoted(scene, clause.verb):
            place = _place(scene, clause, clause.verb)
            if place is not None:
                found[number] = place
    return found


def _is_quoted(scene: Scene, number: int) -> bool:
    return sum(token.tag == "quote" for token in scene.tokens[:number]) % 2 == 1


def _place(scene: Scene, clause: FiniteClause, at: int) -> _Place | None:
    verb, after = scene.tokens[at], scene.analysis.at(at + 1)
    before = scene.analysis.at(at - 1).tag
    if (
        before in ("adverb", "not")
        or (verb.tag == "aux" and (after.tag == "adverb" or after.form in ("most", "more")))
        or clause.subject is None
    ):
        return None
    subject = scene.tokens[clause.subject].form
    plain = _OF_SPEAKER if subject in ("i", "we") else _PLAIN
    is_order = clause.subject > at
    doubt = "the subject follows its verb" if is_order else ""
    if verb.tag == "verb":
        happened = verb.shape == "past" and not is_in(verb.verb, "verb_classes", "stative")
        options = _options(verb.verb, scene.tokens[clause.subject]) if happened else plain
        return _Place(verb.span.start, options, plain, doubt, is_copula=False)
    is_copula = verb.shape == "be" and clause.head is None
    is_lexical = verb.shape in ("have", "do") and (clause.head is None or after.form == "to")
    if verb.is_negated or after.tag == "not" or is_lexical or verb.shape == "do":
        return None if verb.form.startswith("'") else _Place(verb.span.start, plain, plain, doubt, is_copula)
    return _Place(after.span.start, plain, plain, doubt, is_copula)


def _options(verb: str, subject: Word) -> tuple[str, ...]:
    """Adverbs for what happened; only people are careful."""
    is_person = subject.tag in ("name", "pronoun") or animacy(subject.form) == "human"
    is_careful = is_person and subject.form not in ("it", "they") and is_in(verb, "verb_classes", "careful")
    more = ("suddenly",) if is_in(verb, "verb_classes", "sudden") else ()
    return (*_TIMES, *more, *(("carefully", "quickly") if is_careful else ()))
