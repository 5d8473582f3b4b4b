"""A clause before the first candidate, as Chinese has them: 戴眼镜的小雯, 那只常在附近出现的狗.

It comes after the determiner and before the noun, says a plain fact that gives no reason for anything, and fits the
kind of person, animal or thing; a clause about clothes is not used in a text about clothes. For relatives, whom nobody
tells apart like that, for other things, and where the text speaks of all of that, a clause is proposed that says next
to nothing. Nothing is inserted where another
modifier or an owner comes before the noun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.scene import head, is_in, is_kin, scene_of
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
    clauses = _clauses(kind, draws) if kind else []
    is_general = scene.gender is None and not phrase.determiner and scene.after(phrase.noun.end) == "比"
    if not clauses or is_general:
        clauses = _clauses("anything", draws)
        doubts.append(f"does the clause fit {phrase.noun.of(scene.text)}?")
    clause = draws.pick("clause", clauses)
    return Rewriting((Edit(Span(phrase.noun.start, phrase.noun.start), clause),), tuple(doubts))


def _clauses(kind: str, draws: Draws) -> list[str]:
    """The clauses that fit a kind and say nothing that the text speaks about."""
    table = lexicon("zh", "clauses")
    about, said_of = table.values("about"), table.values("said-of")
    texts = "".join(schema_item.text or "" for schema_item in draws.schema.items)
    spoken = {topic for word, topics in about.items() if word not in said_of and word in texts for topic in topics}
    if any(scene.tag(word) == "ns" for scene in map(scene_of, draws.schema.items) for word in scene.words):
        spoken |= {"origin", "home"}  # a place is named
    return [clause for clause in sorted(said_of) if kind in said_of[clause] and not spoken & set(about[clause])]


def _kind(scene: ChineseScene, phrase: CandidatePhrase) -> str | None:
    """What the candidate is, as the table of clauses has it; None if that is not known."""
    noun = phrase.noun.of(scene.text)
    table = lexicon("zh", "vocabulary")
    listed = table.values("kind").get(head(noun), (None,))[0]
    if scene.gender is None:
        counted = table.values("counted-with").get(head(noun), ("",))[0]
        return listed or lexicon("zh", "clauses").values("kind").get(counted, (None,))[0]
    if not scene.is_human(phrase.candidate):
        raise NotDerivedError("the pronoun is of a person, and the first candidate is not")
    if scene.is_plural or is_kin(noun):
        return "people" if noun.endswith("们") else None
    if scene.is_named(phrase.candidate):
        if noun[0] == "老" or noun.endswith(tuple(lexicon("zh", "people").words("title"))):
            return "adult"
        is_doubled = len(noun) == 2 and noun[0] == noun[1]
        return "child" if is_doubled else "woman" if scene.gender == "feminine" else "man"
    if listed:
        return listed
    if head(noun) not in table.words("human") and noun[-1] not in lexicon("zh", "nouns").words("person-ending"):
        return None
    return "worker" if head(noun) in table.words("human", "common") and head(noun) == noun else "stranger"


def _doubts(scene: ChineseScene, phrase: CandidatePhrase) -> list[str]:
    """Doubts about a clause before the noun; NotDerivedError if none can be there."""
    text, noun = scene.text, phrase.noun.of(scene.text)
    before, after = scene.before(phrase.start), scene.after(phrase.noun.end)
    if "的" in noun or before.endswith("的") or (before.endswith("地") and len(before) > 1):
        raise NotDerivedError(f"{noun} has a modifier with 的 already")
    if is_in(before, "expressions", "no-room-after") or scene.is_quoted(phrase.noun):
        raise NotDerivedError(f"no clause fits before {noun}")
    if scene.is_cut(phrase):
        raise NotDerivedError(f"{noun} is part of a longer noun")
    if phrase.determiner == "每":
        raise NotDerivedError("no clause describes what is not a certain one (每)")
    if before in scene.other_people or (
        before and scene.is_named(phrase.candidate) and scene.tag_before(phrase)[0] == "n"
    ):
        raise NotDerivedError(f"{noun} follows {before}, which says who that is")
    doubts = []
    if is_in(after, "expressions", "joins-nouns") and scene.after(phrase.noun.end + len(after)) in {
        later.noun.of(text) for later in scene.phrases[1:]
    }:
        doubts.append(f"the clause may be about more than {noun}")
    if after.startswith("的"):
        doubts.append(f"{noun} is an owner, so that 的 comes twice")
    if scene.pronoun.start < phrase.start:
        doubts.append("the pronoun comes before the first mention")
    return doubts
