"""An adverb at the main verbs that the items share: *Joan politely thanked Susan*; *The cup simply doesn't fit*.

Which adverbs go with a verb, with a negation and with *too* is listed (`adverbs.txt`): they say how something is done
or that it took its time. None is put beside what contradicts it: another adverb, a duration, an accident, *nobody*,
nor in a text about the same (*slowly passed … because it is faster*). Where none is left, *apparently* is proposed.
"""

from __future__ import annotations

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

_UNLISTED = ("apparently",)


Place = tuple[int, tuple[str, ...]]  # where in the text an adverb may go, and which ones fit


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert listed adverbs wherever one fits in all items, or else propose one that fits most verbs."""
    scenes = [scene_of(schema_item) for schema_item in draws.schema.items]
    about = lexicon("en", "adverbs").values("about")
    topics = {topic for scene in scenes for token in scene.tokens for topic in about.get(token.form, ())}
    if any(is_in(token.form, "phrases", "excludes-adverb") for scene in scenes for token in scene.tokens):
        raise NotDerivedError("an adverb would be misread beside a comparison or negation")
    places, all_places = _places(scene_of(item), topics), [_places(scene, topics) for scene in scenes]
    shared = {
        key: [option for option in options if all(option in other[key][1] for other in all_places)]
        for key, (_, options) in places.items()
        if all(key in other for other in all_places)
    }
    listed = {key: options for key, options in shared.items() if options != list(_UNLISTED)}
    edits: list[Edit] = []
    used: set[str] = set()
    for key, options in (listed or dict(list(shared.items())[:1])).items():
        has_time = any(is_in(word, "adverbs", "of-time") for word in used)
        excluded = {*used, *(_listed("not") + _listed("too") if used else ())}  # one word is enough to stress things
        suitable = [word for word in options if not (has_time and is_in(word, "adverbs", "of-time"))]
        suitable = [word for word in suitable if word not in excluded]
        if suitable:
            adverb = draws.pick(f"adverb {key}", suitable)
            used.add(adverb)
            edits.append(Edit(Span(places[key][0], places[key][0]), f"{adverb} "))
    if not edits:
        raise NotDerivedError("no adverb fits a main verb that the items share")
    return Rewriting(tuple(edits), () if listed else ("no adverb is listed for the main verbs",))


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
    is_quoted = sum(token.tag == "quote" for token in scene.tokens[: clause.verb]) % 2
    if is_quoted or verb.form.startswith("'") or may_be_participle(scene, clause):
        return None
    if verb.shape == "be" and after.form == "too" and not verb.is_negated and clause.opener not in ("whether", "if"):
        return after.span.start, _listed("too")
    start, end = _extent(scene, clause)
    around = [*scene.tokens[start:end], scene.at(end)]
    is_claimed = is_in(scene.at(clause.subject - 1).verb, "verb_classes", "claiming")
    is_told = is_claimed or scene.at(start - 1).form in ("how", "what")
    is_crowded = any(
        is_in(token.form, "phrases", "excludes-second-adverb") or (token.tag == "adverb" and token.form.endswith("ly"))
        for token in scene.tokens[start:end]
    )
    is_certain = not any(is_in(token.form, "phrases", "not-certain") for token in scene.tokens[start : clause.verb])
    if clause.kind != "main" or is_told or is_crowded or not is_certain:
        return None
    if verb.is_negated or after.tag == "not":
        is_simple = clause.head is not None and verb.shape in ("do", "modal") and not verb.form.startswith("wo")
        return (verb.span.start, _listed("not")) if is_simple and after.form != "never" else None
    head = scene.tokens[clause.head] if clause.head is not None else None
    is_next = clause.head == clause.verb or (clause.head == clause.verb + 1 and verb.shape in ("have", "be"))
    if head and is_next and (verb.shape != "be" or head.shape == "gerund"):
        options = _fitting(scene, clause, {token.form for token in around}, topics)
        if scene.at(start).tag in ("preposition", "adjective", "adverb", "verb"):  # on the way up
            options = tuple(option for option in options if not is_in(option, "adverbs", "after-a-while"))
        if options:
            return head.span.start, options
    if scene.tokens[clause.subject].form in ("i", "we", "you") or verb.shape in ("modal", "do"):
        return None
    is_copula = verb.shape == "be" or (verb.shape == "have" and head is not None)
    return (after if is_copula else verb).span.start, _UNLISTED


def _extent(scene: Scene, clause: FiniteClause) -> tuple[int, int]:
    """The words around a verb from the sentence's beginning, or an opener, to the next mark or opener."""
    verb, edges = clause.verb or 0, ("subordinator", "relative", "quote")
    starts = [index + 1 for index in range(verb) if scene.at(index).tag in edges or scene.at(index).form in ".;:!?"]
    ends = (index for index in range(verb + 1, len(scene.tokens)) if scene.at(index).tag in ("mark", *edges))
    return max(starts, default=0), next(ends, len(scene.tokens))


def _listed(word: str) -> tuple[str, ...]:
    return lexicon("en", "adverbs").values("manner-of-anything").get(word, ())


def _fitting(scene: Scene, clause: FiniteClause, around: set[str], topics: set[str]) -> tuple[str, ...]:
    """The adverbs listed for a verb, given its subject and the text's topics; those of time for what happened once."""
    head = scene.tokens[clause.head or 0]
    after = scene.at((clause.head or 0) + 1)
    if after.form in REFLEXIVES or any(is_in(form, "phrases", "compared") for form in around):
        return ()
    has_time = any(is_in(form, "phrases", "tells-time") or is_period(form.removesuffix("s")) for form in around)
    is_once = head.shape in ("past", "participle") and not has_time
    adverbs = _listed(head.verb)
    if _is_person(scene, clause.subject or 0):
        adverbs += lexicon("en", "adverbs").values("manner-of-people").get(head.verb, ())
    about = lexicon("en", "adverbs").values("about")
    adverbs = tuple(option for option in adverbs if topics.isdisjoint(about.get(option, ())))
    return tuple(option for option in adverbs if is_once or not is_in(option, "adverbs", "of-time"))


def _is_person(scene: Scene, index: int) -> bool:
    subject = scene.tokens[index]
    if subject.tag == "name":
        is_candidate = any(mention.last == index and scene.is_named[mention.candidate] for mention in scene.mentions)
        return is_candidate or name_gender(scene.written(index), "en").value is not None
    if subject.form == "they":
        return all(animacy(scene.tokens[mention.head].form) == "human" for mention in scene.mentions)
    return subject.form in ("he", "she", "i", "we", "you", "who") or animacy(subject.form) == "human"
