"""Other words for both candidates: another name of the same gender and form, or a noun that says the same.

The classifier goes with the new noun: 那只老鼠 stays 那只耗子, and a noun whose classifier is another one gets its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.people import other_names, people_of
from winoglot.languages.zh.rewriting.scene import head, is_kin, scene_of
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
    named_indexes = [index for index in indexes if scene.is_named(index)]
    names = _other_names(scene, named_indexes, draws)
    new = [names[index] if index in names else _other_noun(scene, index, draws) for index in indexes]
    if len(set(new)) < len(new):
        raise NotDerivedError("both candidates would become the same noun")
    old = [scene.noun(index) if index in names else head(scene.noun(index)) for index in indexes]
    if any(not candidate.text.endswith(noun) for candidate, noun in zip(item.candidates, old, strict=True)):
        raise NotDerivedError("a candidate is mentioned by another noun")
    edits = [
        Edit(phrase.noun, names[phrase.candidate])
        if phrase.candidate in names
        else _edit(scene, phrase, new[phrase.candidate])
        for phrase in scene.phrases
    ]
    citations = [item.candidates[index].text.removesuffix(old[index]) + new[index] for index in indexes]
    occurrences = sum(scene.text.count(noun) for noun in set(old))
    doubts = ["the noun occurs elsewhere in the text"] if occurrences > len(scene.phrases) else []
    return Rewriting(tuple(edits), tuple(doubts), tuple(citations))


def _other_names(scene: ChineseScene, named: list[int], draws: Draws) -> dict[int, str]:
    """Another name for each candidate that is called by one."""
    if not named:
        return {}
    if scene.gender is None or scene.is_plural:
        raise NotDerivedError("the pronoun does not show the gender of the names")
    people = people_of(scene, named)
    return dict(zip(named, other_names(people, draws, scene.gender), strict=True))


def _other_noun(scene: ChineseScene, index: int, draws: Draws) -> str:
    """A synonym of the candidate's noun that the text does not have."""
    noun = scene.noun(index)
    old = head(noun)
    before = noun.rpartition("的")[2].removesuffix(old)
    if before and (
        len(old) == 1 or (is_kin(noun) and before not in lexicon("zh", "function_words").words("spoken-subject"))
    ):
        raise NotDerivedError(f"no synonym of {noun} is known")  # 大黄狗 is no 大黄狗狗, 曾祖父 no 曾爷爷
    options = lexicon("zh", "vocabulary").values("synonym").get(old, ())
    texts = [item.text or "" for item in draws.schema.items]
    unused = [option for option in options if not any(option.replace(old, "") and option in text for text in texts)]
    if not unused:
        raise NotDerivedError(f"no synonym of {noun} is known")
    return draws.pick(f"synonym of {old}", unused)


def _edit(scene: ChineseScene, phrase: CandidatePhrase, new: str) -> Edit:
    """The edit of one mention, with the classifier that the new noun needs."""
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
