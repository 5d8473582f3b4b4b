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
    from winoglot.languages.zh.rewriting.scene import CandidatePhrase, ChineseScene
    from winoglot.schemas.model import Item

_ANY_CLASSIFIER = frozenset("个位名些种群批")


def synonym(item: Item, draws: Draws) -> Rewriting:
    """Replace both candidates."""
    scene = scene_of(item)
    indexes = range(len(item.candidates))
    names = new_names(scene, draws, None if scene.is_plural else scene.gender)
    new = [names[index] if index in names else _other_noun(scene, index, draws) for index in indexes]
    if len(set(new)) < len(new):
        raise NotDerivedError("both candidates would become the same noun")
    old = [scene.noun(index) if index in names else head(scene.noun(index)) for index in indexes]
    if any(not candidate.text.endswith(noun) for candidate, noun in zip(item.candidates, old, strict=True)):
        raise NotDerivedError("a candidate is mentioned by another noun")
    edits = [_edit(scene, phrase, new[phrase.candidate], is_name=phrase.candidate in names) for phrase in scene.phrases]
    citations = [item.candidates[index].text.removesuffix(old[index]) + new[index] for index in indexes]
    occurrences = sum(scene.text.count(noun) for noun in set(old))
    doubts = ["the noun occurs elsewhere in the text"] if occurrences > len(scene.phrases) else []
    return Rewriting(tuple(edits), tuple(doubts), tuple(citations))


def _other_noun(scene: ChineseScene, index: int, draws: Draws) -> str:
    """A synonym of the candidate's noun that the text does not have."""
    noun = scene.noun(index)
    old = head(noun)
    before = noun.rpartition("的")[2].removesuffix(old)
    is_fixed = len(old) == 1 or (is_kin(noun) and not is_in(before, "function_words", "spoken-subject"))
    options = lexicon("zh", "vocabulary").values("synonym").get(old, ())
    texts = [item.text or "" for item in draws.schema.items]
    unused = [option for option in options if not any(option.replace(old, "") and option in text for text in texts)]
    if not unused or (before and is_fixed):  # 大黄狗 is no 大黄狗狗, 曾祖父 no 曾爷爷
        raise NotDerivedError(f"no synonym of {noun} is known")
    return draws.pick(f"synonym of {old}", unused)


def _edit(scene: ChineseScene, phrase: CandidatePhrase, new: str, *, is_name: bool) -> Edit:
    """The edit of one mention, with the classifier that the new noun needs."""
    if is_name:
        return Edit(phrase.noun, new)
    old = head(phrase.noun.of(scene.text))
    if not old:
        raise NotDerivedError(f"no synonym of {phrase.noun.of(scene.text)} is known")
    place = Span(phrase.noun.end - len(old), phrase.noun.end)
    counted = lexicon("zh", "vocabulary").values("counted-with")
    classifiers = counted.get(new) or counted.get(old, ())
    if not phrase.classifier or phrase.classifier in (*classifiers, *_ANY_CLASSIFIER):
        return Edit(place, new)
    if not classifiers or place.start != phrase.noun.start:
        raise NotDerivedError(f"it is unknown whether {phrase.classifier} counts {new}")
    return Edit(Span(place.start - 1, place.end), classifiers[0] + new)
