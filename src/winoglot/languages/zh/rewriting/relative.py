"""A clause before the first candidate, as Chinese has them: 站在窗边的小雯, 那只常在附近出现的狗.

It comes after the determiner and before the noun. Nothing is inserted where another modifier or an owner comes before
the noun, or where the clause might be about more than the candidate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.scene import animacy, head, scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import CandidatePhrase, ChineseScene
    from winoglot.schemas.model import Item

_NO_ROOM_BEFORE = frozenset("我你您他她它咱") | {
    "我们",
    "你们",
    "他们",
    "她们",
    "咱们",
    "是",
    "叫",
    "名叫",
    "像",
    "和",
    "跟",
    "与",
    "或",
    "、",
}
_LARGE = frozenset("辆艘架列棵座栋堵扇")  # what one is not given as a present
_JOINED = frozenset(("和", "与", "跟", "及", "以及", "或", "、"))
_LIGHT = frozenset("的着过了在会都也大家我们他们有人不少很多常一点好几个已经")


def relative(item: Item, draws: Draws) -> Rewriting:
    """Insert a clause before the first candidate."""
    scene = scene_of(item)
    phrase = scene.phrases[0]
    doubts = _doubts(scene, phrase)
    kind = _kind(scene, phrase)
    if any(place.start < phrase.noun.start < place.end for place in item.segment):
        raise NotDerivedError("the first mention is inside the segment")
    noun = phrase.noun.of(scene.text)
    if kind == "thing" and head(noun) in lexicon("zh", "vocabulary").words("mass"):
        doubts.append(f"does the clause fit {noun}, which is not counted?")
    if scene.gender is None and animacy(noun) is None:
        doubts.append(f"does the clause fit {noun}?")
    if scene.is_plural and not noun.endswith("们"):
        doubts.append(f"does the clause fit {noun}, if that is several?")
    is_bare_object = not phrase.determiner and scene.before(phrase.start) not in ("", "把", "被")
    if kind == "place" and (phrase.determiner == "一" or is_bare_object):
        doubts.append(f"does the clause fit {noun}, which is new in the text?")
    texts = "".join(one.text or "" for one in draws.schema.items)
    clauses = [one for one in sorted(lexicon("zh", "clauses").words(kind)) if not set(one) - _LIGHT & set(texts)]
    if not clauses:
        raise NotDerivedError("the text speaks of what every clause says")
    clause = draws.pick("clause", clauses)
    return Rewriting((Edit(Span(phrase.noun.start, phrase.noun.start), clause),), tuple(doubts))


def _kind(scene: ChineseScene, phrase: CandidatePhrase) -> str:
    """What the candidate is: human, animal, thing or place; what is said of places can be said of anything."""
    if scene.is_human(phrase.candidate):
        return "human"
    if scene.gender is not None:
        raise NotDerivedError("the pronoun is of a person, and the first candidate is not")
    noun = phrase.noun.of(scene.text)
    is_large = _LARGE & set(lexicon("zh", "vocabulary").values("counted-with").get(head(noun), ()))
    return "place" if is_large else animacy(noun) or "place"


def _doubts(scene: ChineseScene, phrase: CandidatePhrase) -> list[str]:
    """What speaks against a clause before the noun."""
    text, noun = scene.text, phrase.noun.of(scene.text)
    before, after = scene.before(phrase.start), scene.after(phrase.noun.end)
    if "的" in noun or before.endswith("的") or (before.endswith("地") and len(before) > 1):
        raise NotDerivedError(f"{noun} has a modifier with 的 already")
    if before in _NO_ROOM_BEFORE or scene.is_quoted(phrase.noun):
        raise NotDerivedError(f"no clause fits before {noun}")
    if scene.is_cut(phrase):
        raise NotDerivedError(f"{noun} is part of a longer noun")
    if phrase.determiner == "每":
        raise NotDerivedError("no clause describes what is not a certain one (每)")
    if before in scene.others:
        raise NotDerivedError(f"{noun} follows {before}, which says who that is")
    doubts = []
    if after in _JOINED and scene.after(phrase.noun.end + len(after)) in {
        one.noun.of(text) for one in scene.phrases[1:]
    }:
        doubts.append(f"the clause may be about more than {noun}")
    if after.startswith("的"):
        doubts.append(f"{noun} is an owner, so that 的 comes twice")
    if scene.pronoun.start < phrase.start:
        doubts.append("the pronoun comes before the first mention")
    return doubts
