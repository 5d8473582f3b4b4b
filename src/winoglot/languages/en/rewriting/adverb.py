"""An adverb at the main verbs that the items share: *Joan politely thanked Susan*; *The cup simply doesn't fit*.

Which adverbs go with a verb is listed (`adverbs.txt`): they say how something is done or that it took its time. None
is put beside what contradicts it: another adverb, a duration, an accident, *nobody*. Where no verb has one, *simply*
goes before a negation or *too*, and *apparently* with anything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.raw_text import CLAIMING, REFLEXIVES, is_period
from winoglot.languages.en.rewriting.scene import Scene, animacy, scene_of
from winoglot.languages.en.rewriting.subject_number import may_be_participle
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.raw_text import FiniteClause
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_OF_TIME = frozenset(("soon", "eventually", "finally", "suddenly", "promptly", "repeatedly", "quickly"))
_TIMES = frozenset(("when", "whenever", "while", "until", "till", "after", "before", "as", "once", "during", "within"))
_SHORT_TIMES = frozenset(("second", "seconds", "minutes", "hours", "days", "weeks", "months", "years", "moment"))
_OWN_ADVERBS = frozenset(
    ("always", "often", "never", "still", "just", "only", "almost", "even", "already", "again", "once", "soon", "later",
     "ever", "then", "now", "first", "together", "hard", "fast", "well", "yet", "also", "quite", "sometimes", "so",
     "mistake", "accident", "chance", "hardly", "barely", "both", "either", "far", "aloud", "instead", "otherwise",
     "today", "yesterday", "tomorrow", "tonight", "ago", "twice", "maybe", "perhaps", "without", "purpose", "no")
)  # fmt: skip
_COMPARED = frozenset(("than", "slower", "faster", "quicker", "harder", "better", "worse", "sooner", "earlier"))
_OBJECT = ("determiner", "possessive", "pronoun", "name", "noun", "adjective", "number")
_NOBODY = frozenset(("nobody", "none", "nothing", "everyone", "everybody", "anyone", "anybody", "someone", "somebody"))
_QUANTIFIED = frozenset(("no", "every", "each", "neither", "few", "most", "all", "both", "either", "any", "many"))


@dataclass(frozen=True)
class _Place:
    """Where an adverb may go, and which ones fit."""

    at: int  # in the text
    options: tuple[str, ...]
    is_listed: bool  # they are listed for the verb


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert adverbs from the list, or else one that fits most verbs."""
    scenes = [scene_of(schema_item) for schema_item in draws.schema.items]
    for scene in scenes:
        _check_text(scene)
    places = _places(scene_of(item))
    all_places = [_places(scene) for scene in scenes]
    edits: list[Edit] = []
    used: set[str] = set()
    for key in _common_places(places, all_places):
        shared = [
            option
            for option in places[key].options
            if all(option in item_places[key].options for item_places in all_places)
        ]
        suitable = [option for option in shared if option not in used and not (option in _OF_TIME and used & _OF_TIME)]
        if suitable:
            adverb = draws.pick(f"adverb {key}", suitable)
            used.add(adverb)
            edits.append(Edit(Span(places[key].at, places[key].at), f"{adverb} "))
    if not edits:
        raise NotDerivedError("no adverb fits a main verb that the items share")
    return Rewriting(tuple(edits))


def _check_text(scene: Scene) -> None:
    """Refuse sentences in which an adverb would change the meaning: *the more she talked*, *neither of them came*."""
    forms = [token.form for token in scene.tokens]
    if any(pair in (("the", "more"), ("the", "less")) for pair in pairwise(forms)) or "neither" in forms:
        raise NotDerivedError("an adverb would be misread beside a comparison or negation")


def _common_places(
    places: dict[tuple[int, int], _Place], all_places: list[dict[tuple[int, int], _Place]]
) -> list[tuple[int, int]]:
    """The places that all items have: those with listed adverbs, or else the first."""
    shared = [key for key in places if all(key in item_places for item_places in all_places)]
    listed_keys = [key for key in shared if all(item_places[key].is_listed for item_places in all_places)]
    return listed_keys or sorted(shared, key=lambda key: "apparently" in places[key].options)[:1]


def _places(scene: Scene) -> dict[tuple[int, int], _Place]:
    """The places for adverbs outside the segment, by the number of its parts before them and their distance from it."""
    places = {}
    segment = sorted(scene.item.segment)
    for clause in scene.analysis.clauses:
        if clause.verb is None or clause.subject is None or _is_quoted(scene, clause.verb):
            continue
        place = _place(scene, clause)
        if place is not None and not any(part.start <= place.at <= part.end for part in segment):
            before = [part.end for part in segment if part.end < place.at]
            places[len(before), place.at - max(before, default=0)] = place
    return places


def _is_quoted(scene: Scene, index: int) -> bool:
    return sum(token.tag == "quote" for token in scene.tokens[:index]) % 2 == 1


def _place(scene: Scene, clause: FiniteClause) -> _Place | None:
    """The place in one clause; None if it leaves no room for an adverb."""
    index, subject = clause.verb or 0, clause.subject or 0
    verb, after = scene.tokens[index], scene.analysis.at(index + 1)
    if verb.shape == "be" and clause.head is None and after.form == "too" and not verb.is_negated:
        return _Place(after.span.start, ("simply",), is_listed=False)
    if clause.kind != "main" or may_be_participle(scene, clause):
        return None
    if subject > index or _has_adverb(scene, clause) or verb.form.startswith("'"):
        return None
    before = scene.analysis.at(subject - 1)
    if before.verb in CLAIMING or scene.analysis.at(_extent(scene, clause)[0] - 1).form in ("how", "what"):
        return None  # thought it looked, How still she lay!
    if verb.is_negated or after.tag == "not":
        is_simple = (
            clause.head is not None
            and verb.shape in ("do", "modal")
            and after.form != "never"
            and verb.form not in ("won't", "wouldn't")
        )
        return _Place(verb.span.start, ("simply",), is_listed=False) if is_simple else None
    if clause.head is not None:
        head = scene.tokens[clause.head]
        is_next = clause.head == index or (clause.head == index + 1 and verb.shape in ("have", "be"))
        is_passive = clause.head != index and verb.shape == "be" and head.shape == "participle"
        if is_next and not is_passive:
            options = _listed(scene, clause, head.verb, is_past=head.shape in ("past", "participle"))
            if options:
                return _Place(head.span.start, options, is_listed=True)
    if scene.tokens[subject].form in ("i", "we", "you") or verb.shape in ("modal", "do"):
        return None
    is_copula = verb.tag == "aux" and (verb.shape == "be" or clause.head is not None) and after.form != "to"
    return _Place(after.span.start if is_copula else verb.span.start, ("apparently",), is_listed=False)


def _has_adverb(scene: Scene, clause: FiniteClause) -> bool:
    """Whether the clause already has an adverb, or its subject is uncertain."""
    start, end = _extent(scene, clause)
    clause_tokens = scene.tokens[start:end]
    subject = scene.tokens[clause.subject or 0].form
    is_nobody = subject in _NOBODY or any(token.form in _QUANTIFIED for token in scene.tokens[start : clause.verb])
    return is_nobody or any(
        token.form in _OWN_ADVERBS or (token.tag == "adverb" and token.form.endswith("ly")) for token in clause_tokens
    )


def _extent(scene: Scene, clause: FiniteClause) -> tuple[int, int]:
    """The words around a verb up to the next marks, conjunctions of clauses and openers."""
    index = clause.verb or 0
    start = index
    while (
        start > 0
        and scene.tokens[start - 1].tag not in ("subordinator", "relative", "quote")
        and (scene.tokens[start - 1].form not in (".", ";", ":", "!", "?"))
    ):
        start -= 1
    end = index + 1
    while end < len(scene.tokens) and scene.tokens[end].tag not in ("mark", "subordinator", "relative", "quote"):
        end += 1
    return start, end


def _listed(scene: Scene, clause: FiniteClause, verb: str, *, is_past: bool) -> tuple[str, ...]:
    """The adverbs listed for a verb, given its subject; adverbs of time only for what happened once."""
    start, end = _extent(scene, clause)
    following = {token.form for token in scene.tokens[start:end]} | {scene.analysis.at(end).form}
    has_time = any(form in _TIMES | _SHORT_TIMES or is_period(form) for form in following)
    adverbs = lexicon("en", "adverbs").values("manner-of-anything").get(verb, ())
    if _is_person(scene, clause.subject or 0):
        adverbs += lexicon("en", "adverbs").values("manner-of-people").get(verb, ())
    if scene.analysis.at((clause.head or 0) + 1).form in REFLEXIVES or _COMPARED & following:
        return ()
    has_object = scene.analysis.at((clause.head or 0) + 1).tag in _OBJECT
    suitable = (option for option in adverbs if option not in _OF_TIME or (is_past and not has_time))
    return tuple(
        option for option in suitable if option != "carefully" or has_object
    )  # nobody carefully moves to Canada


def _is_person(scene: Scene, index: int) -> bool:
    subject = scene.tokens[index]
    if subject.tag == "name":
        is_candidate = any(mention.last == index and scene.is_named[mention.candidate] for mention in scene.mentions)
        return is_candidate or name_gender(scene.analysis.written(index), "en").value is not None
    if subject.form == "they":
        return all(animacy(scene.tokens[mention.head].form) == "human" for mention in scene.mentions)
    return subject.form in ("he", "she", "i", "we", "you", "who") or animacy(subject.form) == "human"
