"""An adverb at the main verbs that the items share: *Joan warmly thanked Susan*; *The cup simply doesn't fit*.

Which adverbs go with a verb, with a negation and with *too* is listed (`adverbs.txt`): they say how something is done
or that it took its time. None is put beside what contradicts it: another adverb, a duration, an accident, *nobody*,
nor in a text about the same (*slowly passed … because it is faster*).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.raw_text import REFLEXIVES, is_period
from winoglot.languages.en.rewriting.scene import Scene, animacy, may_be_participle, scene_of
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.fitting import AdverbPlace, drawn_adverbs, topics
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.en.rewriting.raw_text import FiniteClause
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_SUBJECTS = ("he", "she", "i", "we", "you", "who")
_AFTER_OPENING = ("preposition", "adjective", "adverb", "verb")  # on the way up


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert listed adverbs wherever one fits in all items."""
    table = lexicon("en", "adverbs")
    scenes = [scene_of(schema_item) for schema_item in draws.schema.items]
    words = {token.form for scene in scenes for token in scene.tokens}
    about = topics(table, words, " ".join(scene.text for scene in scenes))
    once = [table.words(feature) for feature in ("of-time", "of-stress")]
    drawn = drawn_adverbs(item, draws, lambda schema_item: _places(scene_of(schema_item), about), once)
    if not drawn:
        raise NotDerivedError("no adverb fits a main verb that the items share")
    return Rewriting(tuple(Edit(Span(start, start), f"{word} ") for start, word in sorted(drawn.items())))


def _places(scene: Scene, about: set[str]) -> list[AdverbPlace]:
    """The places for adverbs in a text, with those that fit."""
    places = []
    for clause in scene.clauses:
        if clause.verb is not None and clause.subject is not None and clause.subject < clause.verb:
            index, options = _place(scene, clause, clause.verb, about)
            start = scene.at(index).span.start
            places.append(AdverbPlace(start, dict.fromkeys(options, start)))
    return places


def _place(scene: Scene, clause: FiniteClause, index: int, about: set[str]) -> tuple[int, tuple[str, ...]]:
    """The word before which an adverb may stand in a clause whose verb is at an index, and which ones fit, if any."""
    verb, after = scene.tokens[index], scene.at(index + 1)
    if scene.is_quoted(index) or verb.form.startswith("'") or may_be_participle(scene, clause):
        return index, ()
    if verb.shape == "be" and after.form == "too" and not verb.is_negated and clause.opener not in ("whether", "if"):
        return index + 1, _listed("manner-of-anything", "too")
    start, end = _extent(scene, index)
    around = scene.tokens[start:end]
    is_crowded = any(
        is_in(token.form, "phrases", "excludes-second-adverb") or (token.tag == "adverb" and token.form.endswith("ly"))
        for token in around
    )
    is_uncertain = any(is_in(token.form, "phrases", "not-certain") for token in scene.tokens[start:index])
    is_told = is_in(scene.at((clause.subject or 0) - 1).verb, "verb_classes", "claiming")
    is_asked = scene.at(start - 1).form in ("how", "what")
    if clause.kind != "main" or clause.head is None or is_told or is_crowded or is_uncertain or is_asked:
        return index, ()
    if verb.is_negated or after.tag == "not":
        is_simple = verb.shape in ("do", "modal") and not verb.form.startswith("wo") and after.form != "never"
        return index, _listed("manner-of-anything", "not") if is_simple else ()
    is_next = clause.head == index or (clause.head == index + 1 and verb.shape in ("have", "be"))
    if not is_next or (verb.shape == "be" and scene.tokens[clause.head].shape != "gerund"):
        return index, ()
    options = _fitting(scene, clause, {token.form for token in (*around, scene.at(end))}, about)
    if scene.at(start).tag in _AFTER_OPENING:
        options = tuple(option for option in options if not is_in(option, "adverbs", "after-a-while"))
    return clause.head, options


def _extent(scene: Scene, verb: int) -> tuple[int, int]:
    """The words around a verb from the sentence's beginning, or an opener, to the next mark or opener."""
    edges = ("subordinator", "relative", "quote")
    starts = [index + 1 for index in range(verb) if scene.at(index).tag in edges or scene.at(index).form in ".;:!?"]
    ends = (index for index in range(verb + 1, len(scene.tokens)) if scene.at(index).tag in ("mark", *edges))
    return max(starts, default=0), next(ends, len(scene.tokens))


def _listed(what: str, word: str) -> tuple[str, ...]:
    return lexicon("en", "adverbs").values(what).get(word, ())


def _fitting(scene: Scene, clause: FiniteClause, around: set[str], about: set[str]) -> tuple[str, ...]:
    """The adverbs listed for a verb, given its subject and the text's topics; those of time for what happened once."""
    head, after = scene.tokens[clause.head or 0], scene.at((clause.head or 0) + 1)
    if after.form in REFLEXIVES or any(is_in(form, "phrases", "compared") for form in around):
        return ()
    has_time = any(is_in(form, "phrases", "tells-time") or is_period(form.removesuffix("s")) for form in around)
    is_once = (head.shape == "past" or scene.at(clause.verb or 0).form == "had") and not has_time
    kind = "manner-of-people" if _is_person(scene, clause.subject or 0) else "manner-of-things"
    adverbs = (*_listed("manner-of-anything", head.verb), *_listed(kind, head.verb))
    adverbs = tuple(option for option in adverbs if about.isdisjoint(_listed("about", option)))
    return tuple(option for option in adverbs if is_once or not is_in(option, "adverbs", "of-time"))


def _is_person(scene: Scene, index: int) -> bool:
    subject = scene.tokens[index]
    if subject.tag == "name":
        return scene.names_person(index)
    if subject.form == "they":
        return all(animacy(scene.tokens[mention.head].form) == "human" for mention in scene.mentions)
    return subject.form in _SUBJECTS or animacy(subject.form) == "human"
