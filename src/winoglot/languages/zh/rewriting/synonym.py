"""Other words for both candidates: another name of the same gender and form, or a noun that says the same.

The classifier goes with the new noun: 那只老鼠 stays 那只耗子, and a noun whose classifier is another one gets its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.people import new_names
from winoglot.languages.zh.rewriting.scene import head, is_in, is_kin, scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item

_ANY_CLASSIFIER = frozenset("个位名些种群批")


def synonym(item: Item, draws: Draws) -> Rewriting:
    """Replace both candidates."""
    scene = scene_of(item)
    names = new_names(scene, draws, None if scene.is_plural else scene.gender)
    nouns = [scene.noun(index) for index in range(len(item.candidates))]
    changes = [(noun, names[i]) if i in names else _other_noun(noun, draws) for i, noun in enumerate(nouns)]
    if len({new for _, new in changes}) < len(changes):
        raise NotDerivedError("both candidates would become the same noun")
    edits, citations = replaced(scene, changes)
    occurrences = sum(scene.text.count(noun) for noun in {old for old, _ in changes})
    doubts = ("the noun occurs elsewhere in the text",) if occurrences > len(scene.phrases) else ()
    return Rewriting(tuple(edits), doubts, citations)


def _other_noun(noun: str, draws: Draws) -> tuple[str, str]:
    """The end of a noun, and a synonym of it that the text does not have."""
    old = head(noun)
    before = noun.rpartition("的")[2].removesuffix(old)
    is_fixed = len(old) == 1 or (is_kin(noun) and not is_in(before, "function_words", "spoken-subject"))
    options = lexicon("zh", "vocabulary").values("synonym").get(old, ())
    texts = [item.text or "" for item in draws.schema.items]
    unused = [option for option in options if not any(option.replace(old, "") and option in text for text in texts)]
    if not unused or (before and is_fixed):  # 大黄狗 is no 大黄狗狗, 曾祖父 no 曾爷爷
        raise NotDerivedError(f"no synonym of {noun} is known")
    return old, draws.pick(f"synonym of {old}", unused)


def replaced(scene: ChineseScene, changes: list[tuple[str, str]]) -> tuple[list[Edit], tuple[str, ...]]:
    """The edits that give each candidate's noun another end, with the classifier that it needs; the new citations."""
    counted, edits = lexicon("zh", "vocabulary").values("counted-with"), []
    for phrase in scene.phrases:
        old, new = changes[phrase.candidate]
        classifiers = counted.get(new) or counted.get(old, ())
        place = Span(phrase.noun.end - len(old), phrase.noun.end)
        if place.of(scene.text) != old or not scene.item.candidates[phrase.candidate].text.endswith(old):
            raise NotDerivedError(f"{old} is called by several nouns")
        if not phrase.classifier or phrase.classifier in (*classifiers, *_ANY_CLASSIFIER):
            edits.append(Edit(place, new))
        elif classifiers and place.start == phrase.noun.start:
            edits.append(Edit(Span(place.start - 1, place.end), classifiers[0] + new))
        else:
            raise NotDerivedError(f"it is unknown whether {phrase.classifier} counts {new}")
    cited = zip(scene.item.candidates, changes, strict=True)
    return edits, tuple(candidate.text.removesuffix(old) + new for candidate, (old, new) in cited)
