"""A relative clause after the candidate that is mentioned first: *Anna, whom you may remember, thanked Beth.*

The clauses name nobody and nothing that the pronoun could refer to, only *I*, *you* and *we*, and fit whatever happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.scene import Mention, Scene, animacy, is_thing, scene_of
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_PEOPLE = (
    "whom you may remember", "whom we met last summer", "whom you met last week", "whom I mentioned earlier",
    "whom we talked about yesterday", "whom I told you about", "whom you asked me about", "whom we have met before",
    "whom I have known for years", "whom you have probably met", "whom we often talk about", "whom you know by sight",
    "whom I have mentioned before", "whom we all know", "whom you may know already",
)  # fmt: skip
_THINGS = (
    "which you may remember", "which I mentioned earlier", "which we talked about yesterday", "which I told you about",
    "which you asked me about", "which we have often talked about", "which I have mentioned before",
    "which you may have heard about", "which we were talking about earlier", "which I described to you",
    "which you have heard about before", "which I had noticed before", "which we had noticed earlier",
)  # fmt: skip
_BELONGS_TO_NOUN = frozenset(("of", "about", "for", "with", "without", "like"))
_VAGUE = frozenset(("many", "some", "few", "several", "most", "all", "such", "more", "much"))
_NOT_DEFINITE = frozenset(("no", "every", "each", "any", "neither", "either"))


def relative(item: Item, draws: Draws) -> Rewriting:
    """Insert a relative clause after the first candidate."""
    scene = scene_of(item)
    mention = _first(scene)
    doubts = _doubts(scene, mention)
    is_person, is_sure = _is_person(scene, mention)
    if not is_sure:
        doubts.append(f"{scene.analysis.written(mention.head)!r} may be a person or a thing: 'who' or 'which'")
    clause = draws.pick("relative clause", _PEOPLE if is_person else _THINGS)
    end = scene.tokens[mention.last].span.end
    if any(place.start < end < place.end for place in item.segment):
        raise NotDerivedError("the segment goes on after the first candidate")
    closing = "" if scene.analysis.at(mention.last + 1).form in (",", ".", ";", ":", "!", "?", "") else ","
    return Rewriting((Edit(Span(end, end), f", {clause}{closing}"),), tuple(doubts))


def _first(scene: Scene) -> Mention:
    """The first mention; the longer one of two that begin together (*Joe's uncle*)."""
    if not scene.mentions:
        raise NotDerivedError("the text mentions no candidate")
    first = min(scene.mentions, key=lambda one: (one.first, -one.last))
    before, after = scene.analysis.at(first.first - 1), scene.analysis.at(first.last + 1)
    if scene.has_apposition(first):
        raise NotDerivedError("what follows the first candidate describes it already")
    if after.form == "'s" or (after.form in ("'", "’") and scene.analysis.written(first.last).endswith("s")):
        raise NotDerivedError("the first candidate is a possessor, after which no clause fits")
    if any(one.first < first.first <= one.last or one.first <= first.last < one.last for one in scene.mentions):
        raise NotDerivedError("the first candidate's mention is part of the other's")
    if {before.form, scene.tokens[first.first].form} & _NOT_DEFINITE:
        raise NotDerivedError("no clause describes what is not a certain one ('no', 'every')")
    if sum(token.tag == "quote" for token in scene.tokens[: first.first]) % 2:
        raise NotDerivedError("the first candidate is mentioned in a quotation")
    if after.tag in ("noun", "name") and not scene.is_named[first.candidate]:
        raise NotDerivedError("the first candidate is part of a longer noun phrase")
    return first


def _doubts(scene: Scene, mention: Mention) -> list[str]:
    """What follows may belong to the candidate, so that the clause would separate them."""
    before, after = scene.analysis.at(mention.first - 1), scene.analysis.at(mention.last + 1)
    phrase, word = scene.citation(mention), after.form
    if {before.form, scene.tokens[mention.first].form} & _VAGUE:
        return [f"{phrase!r} may mean any of them, whom no clause describes"]
    is_bare = mention.first == mention.head and before.tag not in ("determiner", "possessive", "genitive", "adjective")
    if is_bare and not scene.is_named[mention.candidate] and noun_number(scene.tokens[mention.head].form) == "plural":
        return [f"{phrase!r} may mean all of them, whom no clause describes"]
    if after.tag == "relative":
        return [f"{phrase!r} has a relative clause already"]
    is_subject = any(one.subject in (mention.head, mention.last) for one in scene.analysis.clauses)
    is_described = is_subject and not scene.is_named[mention.candidate]
    is_infinitive = after.tag == "to" and scene.analysis.at(mention.last + 2).shape == "base"
    is_preposition = after.tag == "preposition" or (after.tag == "to" and not is_infinitive)
    if is_preposition and (word in _BELONGS_TO_NOUN or is_described):
        return [f"{word!r} may belong to {phrase!r}"]
    if after.tag in ("adjective", "determiner", "pronoun", "noun", "name") or after.shape in ("gerund", "participle"):
        return [f"{word!r} may belong to {phrase!r} or to a clause about it"]
    opens_text = not any(token.is_finite for token in scene.tokens[: mention.first])
    is_joined = after.form in ("and", "or") and (opens_text or _joins_nouns(scene, mention.last + 2))
    if is_joined or before.form in ("and", "or", "between"):
        return [f"{phrase!r} is one of two that are joined"]
    if before.tag == "aux" and before.shape == "be" and scene.analysis.at(mention.first - 2).tag != "there":
        return [f"{phrase!r} may say what somebody is"]
    return []


def _joins_nouns(scene: Scene, number: int) -> bool:
    """Whether what follows a conjunction is no clause: *Ann and Beth*, *and was*."""
    return scene.analysis.at(number).tag in ("name", "noun", "determiner", "possessive", "adjective") and not any(
        one.subject is not None and one.subject >= number and one.subject - number < 4 for one in scene.analysis.clauses
    )


def _is_person(scene: Scene, mention: Mention) -> tuple[bool, bool]:
    """Whether the candidate is a person, and whether that is sure."""
    noun = scene.tokens[mention.head].form
    kind = animacy(noun)
    if scene.pronoun_form in ("it", "its", "itself"):
        return False, True
    if scene.is_named[mention.candidate] or kind == "human":
        return True, True
    if scene.gender is not None and scene.pronoun_form != "they":
        return kind != "animal", True
    return False, kind == "animal" or (scene.analysis.written(mention.head).islower() and is_thing(noun))
