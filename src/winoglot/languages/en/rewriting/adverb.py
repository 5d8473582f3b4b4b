"""An adverb at the main verbs that the items share: *Joan warmly thanked Susan*; *The cup simply doesn't fit*.

Which adverbs go with a verb, with a negation and with *too* is listed (`adverbs.txt`): they say how something is done
or that it took its time. None is put beside what contradicts it: another adverb, a duration, an accident, *nobody*,
nor in a text about the same (*slowly passed … because it is faster*).
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.raw_text import REFLEXIVES, is_period
from winoglot.languages.en.rewriting.scene import Scene, animacy, may_be_participle, scene_of
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.raw_text import FiniteClause
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_ONCE_IN_A_TEXT = ("of-time", "of-stress")
Place = tuple[int, tuple[str, ...]]  # where in the text an adverb may go, and which ones fit


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert listed adverbs wherever one fits in all items."""
    scenes = [scene_of(schema_item) for schema_item in draws.schema.items]
    topics = set(chain.from_iterable(_listed("about", token.form) for scene in scenes for token in scene.tokens))
    all_places = [_places(scene, topics) for scene in scenes]
    edits: list[Edit] = []
    used: list[str] = []
    for key, (start, options) in _places(scene_of(item), topics).items():
        shared = [word for word in options if all(word in places.get(key, (0, ()))[1] for places in all_places)]
        suitable = [word for word in shared if not any(_clash(word, other) for other in used)]
        if suitable:
            used.append(draws.pick(f"adverb {key}", suitable))
            edits.append(Edit(Span(start, start), f"{used[-1]} "))
    if not edits:
        raise NotDerivedError("no adverb fits a main verb that the items share")
    return Rewriting(tuple(edits))


def _clash(one: str, other: str) -> bool:
    """Whether two adverbs are one too many in a text: *simply doesn't fit because it is obviously too big*."""
    is_alike = any(is_in(one, "adverbs", kind) and is_in(other, "adverbs", kind) for kind in _ONCE_IN_A_TEXT)
    return one == other or is_alike


def _places(scene: Scene, topics: set[str]) -> dict[tuple[int, int], Place]:
    """The places for adverbs outside the segment, by the number of its parts before them and their distance from it."""
    places, segment = {}, sorted(scene.item.segment)
    for clause in scene.clauses:
        place = _place(scene, clause, topics)
        if place is not None and not any(part.start <= place[0] <= part.end for part in segment):
            before = [part.end for part in segment if part.end < place[0]]
            places[len(before), place[0] - max(before, default=0)] = place
    return places


def _place(scene: Scene, clause: FiniteClause, topics: set[str]) -> Place | None:
    """The place in one clause; None if it leaves no room for an adverb."""
    if clause.verb is None or clause.subject is None or clause.subject > clause.verb:
        return None
    verb, after = scene.tokens[clause.verb], scene.at(clause.verb + 1)
    if scene.is_quoted(clause.verb) or verb.form.startswith("'") or may_be_participle(scene, clause):
        return None
    if verb.shape == "be" and after.form == "too" and not verb.is_negated and clause.opener not in ("whether", "if"):
        return after.span.start, _listed("manner-of-anything", "too")
    start, end = _extent(scene, clause)
    is_told = is_in(scene.at(clause.subject - 1).verb, "verb_classes", "claiming")
    is_crowded = any(
        is_in(token.form, "phrases", "excludes-second-adverb") or (token.tag == "adverb" and token.form.endswith("ly"))
        for token in scene.tokens[start:end]
    )
    is_certain = not any(is_in(token.form, "phrases", "not-certain") for token in scene.tokens[start : clause.verb])
    if clause.kind != "main" or is_told or is_crowded or not is_certain or scene.at(start - 1).form in ("how", "what"):
        return None
    if verb.is_negated or after.tag == "not":
        is_simple = clause.head is not None and verb.shape in ("do", "modal") and not verb.form.startswith("wo")
        options = _listed("manner-of-anything", "not")
        return (verb.span.start, options) if is_simple and after.form != "never" else None
    is_next = clause.head == clause.verb or (clause.head == clause.verb + 1 and verb.shape in ("have", "be"))
    if clause.head is None or not is_next or (verb.shape == "be" and scene.tokens[clause.head].shape != "gerund"):
        return None
    options = _fitting(scene, clause, {token.form for token in (*scene.tokens[start:end], scene.at(end))}, topics)
    if scene.at(start).tag in ("preposition", "adjective", "adverb", "verb"):  # on the way up
        options = tuple(option for option in options if not is_in(option, "adverbs", "after-a-while"))
    return scene.tokens[clause.head].span.start, options


def _extent(scene: Scene, clause: FiniteClause) -> tuple[int, int]:
    """The words around a verb from the sentence's beginning, or an opener, to the next mark or opener."""
    verb, edges = clause.verb or 0, ("subordinator", "relative", "quote")
    starts = [index + 1 for index in range(verb) if scene.at(index).tag in edges or scene.at(index).form in ".;:!?"]
    ends = (index for index in range(verb + 1, len(scene.tokens)) if scene.at(index).tag in ("mark", *edges))
    return max(starts, default=0), next(ends, len(scene.tokens))


def _listed(what: str, word: str) -> tuple[str, ...]:
    return lexicon("en", "adverbs").values(what).get(word, ())


def _fitting(scene: Scene, clause: FiniteClause, around: set[str], topics: set[str]) -> tuple[str, ...]:
    """The adverbs listed for a verb, given its subject and the text's topics; those of time for what happened once."""
    head, after = scene.tokens[clause.head or 0], scene.at((clause.head or 0) + 1)
    if after.form in REFLEXIVES or any(is_in(form, "phrases", "compared") for form in around):
        return ()
    has_time = any(is_in(form, "phrases", "tells-time") or is_period(form.removesuffix("s")) for form in around)
    is_once = (head.shape == "past" or scene.at(clause.verb or 0).form == "had") and not has_time
    kind = "manner-of-people" if _is_person(scene, clause.subject or 0) else "manner-of-things"
    adverbs = (*_listed("manner-of-anything", head.verb), *_listed(kind, head.verb))
    adverbs = tuple(option for option in adverbs if topics.isdisjoint(_listed("about", option)))
    return tuple(option for option in adverbs if is_once or not is_in(option, "adverbs", "of-time"))


def _is_person(scene: Scene, index: int) -> bool:
    subject = scene.tokens[index]
    if subject.tag == "name":
        is_candidate = any(mention.last == index and scene.is_named[mention.candidate] for mention in scene.mentions)
        return is_candidate or name_gender(scene.written(index), "en").value is not None
    if subject.form == "they":
        return all(animacy(scene.tokens[mention.head].form) == "human" for mention in scene.mentions)
    return subject.form in ("he", "she", "i", "we", "you", "who") or animacy(subject.form) == "human"
