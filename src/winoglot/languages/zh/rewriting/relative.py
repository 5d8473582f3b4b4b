"""A clause before the first candidate, as Chinese has them: 戴眼镜的小雯, 那只从乡下带来的狗.

It comes after the determiner and before the noun, says a plain fact that gives no reason for anything, and fits the
kind of person, animal or thing; where a text plays in one certain place (a school, an office), a clause of that scene
is preferred. A clause about clothes is not used in a text about clothes. For relatives, whom nobody tells apart like
that, for several people, of whom it would pick out some, and where the text speaks of all of that, a clause is proposed
that says next to nothing. Nothing is inserted where another modifier or an owner comes before the noun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.scene import head, is_in, is_kin, refuse_if, scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import CandidatePhrase, ChineseScene
    from winoglot.schemas.model import Item


def relative(item: Item, draws: Draws) -> Rewriting:
    """Insert a clause before the first candidate."""
    scene = scene_of(item)
    phrase = scene.phrases[0]
    doubts = _doubts(scene, phrase)
    kind = _kind(scene, phrase)
    if any(place.start < phrase.noun.start < place.end for place in item.segment):
        raise NotDerivedError("the first mention is inside the segment")
    clauses = _clauses(kind, draws)
    if not clauses:
        clauses = _clauses("anything", draws)
        doubts.append(f"does the clause fit {phrase.noun.of(scene.text)}?")
    clause = draws.pick("clause", clauses)
    if scene.tag(scene.word_to(phrase.noun.start)) == "t":  # 昨天晚上，戴眼镜的王刚: the time is not of the clause
        clause = "，" + clause
    return Rewriting((Edit(Span(phrase.noun.start, phrase.noun.start), clause),), tuple(doubts))


def _clauses(kind: str | None, draws: Draws) -> list[str]:
    """The clauses that fit a kind and the scene, and say nothing that the text speaks about."""
    table, scenes = lexicon("zh", "clauses"), [scene_of(schema_item) for schema_item in draws.schema.items]
    texts, about, said_of = "".join(scene.text for scene in scenes), table.values("about"), table.values("said-of")
    topics = {topic for word, topics in about.items() if word not in said_of and word in texts for topic in topics}
    if any(scene.tag(word) == "ns" for scene in scenes for word in scene.words):
        topics |= {"origin", "home"}  # a place is named
    fitting = [word for word in sorted(said_of) if kind in said_of[word] and topics.isdisjoint(about.get(word, ()))]
    plays_in = table.values("in")
    places = {place for word, (place, *_) in plays_in.items() if word not in said_of and word in texts}
    of_scene = [word for word in fitting if places == set(plays_in.get(word, ()))]
    return of_scene if places and of_scene else [word for word in fitting if word not in plays_in]


def _kind(scene: ChineseScene, phrase: CandidatePhrase) -> str | None:
    """What the candidate is, as the table of clauses has it; None if that is not known."""
    noun, table = phrase.noun.of(scene.text), lexicon("zh", "vocabulary")
    listed = table.values("kind").get(head(noun), (None,))[0]
    if scene.gender is None:
        counted = table.values("counted-with").get(head(noun), ("",))[0]
        return listed or lexicon("zh", "clauses").values("kind").get(counted, (None,))[0]
    if not scene.is_human(phrase.candidate):
        raise NotDerivedError("the pronoun is of a person, and the first candidate is not")
    if scene.is_plural or is_kin(noun):
        return None  # 住在附近的老师们 are some of the teachers
    if scene.is_named(phrase.candidate):
        if noun[0] == "老" or noun.endswith(tuple(lexicon("zh", "people").words("title"))):
            return "adult"
        is_doubled = len(noun) == 2 and noun[0] == noun[1]
        return "child" if is_doubled else "woman" if scene.gender == "feminine" else "man"
    if listed or is_in(head(noun), "vocabulary", "human"):
        return listed or ("worker" if head(noun) == noun and is_in(noun, "vocabulary", "common") else "stranger")
    return "stranger" if is_in(noun[-1], "nouns", "person-ending") else None


def _doubts(scene: ChineseScene, phrase: CandidatePhrase) -> list[str]:
    """Doubts about a clause before the noun; NotDerivedError if none can be there."""
    text, noun, following = scene.text, phrase.noun.of(scene.text), scene.word_from(phrase.noun.end)
    before, after = scene.before(phrase.start), scene.after(phrase.noun.end)
    is_introduced = not phrase.determiner and scene.tag(scene.word_to(phrase.start))[0] == "n"
    refuse_if(
        {
            f"{noun} has a modifier with 的 already": "的" in noun
            or before.endswith("的")
            or (before.endswith("地") and len(before) > 1),
            f"no clause fits before {noun}": is_in(before, "expressions", "no-room-after"),
            f"{noun} is part of a longer noun": scene.is_cut(phrase),
            "no clause describes what is not a certain one (每)": phrase.determiner == "每",
            f"{noun} follows {before}, which says who that is": before in scene.other_people or is_introduced,
        }
    )
    later = {other.noun.of(text) for other in scene.phrases[1:]}
    is_joined = is_in(after, "expressions", "joins-nouns") and following and scene.after(following.end) in later
    doubts = {
        f"the clause may be about more than {noun}": is_joined,
        f"{noun} is an owner, so that 的 comes twice": after.startswith("的"),
        "the pronoun comes before the first mention": scene.pronoun.start < phrase.start,
    }
    return [doubt for doubt, applies in doubts.items() if applies]
