"""Both candidates as several: names by conjunction (小雯和小芳), people often met in numbers with 们, others as two.

那只狗 becomes 那两只狗, 一只狗 两只狗, and a noun without determiner gets 两 with its own classifier (两位作家); things
get 那两 (那两把剪刀) unless the text tells what happened to them (了). 他 becomes 他们. Several become one where 们 or
那些 shows them. Kinship terms have no such variant, for one has one father, and neither have texts that speak of
exactly one or two people.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.people import new_names
from winoglot.languages.zh.rewriting.scene import animacy, head, is_in, is_kin, refuse_if, scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import CandidatePhrase, ChineseScene
    from winoglot.schemas.model import Item

_TWO = {"一": "两", "这": "这两", "那": "那两", "这一": "这两", "那一": "那两"}
_ONE = {"这些": "这", "那些": "那", "一些": "一"}
_COLLECTIVE = frozenset("群对副批排堆套队班伙帮组种")  # counts several as one
_COUNTED = re.compile("一[袋桶瓶杯箱筐个只条张块根件把份碗盒罐片层包颗粒面本辆台棵朵]")
_OF_ONE = re.compile("[穿戴骑睡]了?一")  # 穿了一条长裙
_QUALITY = re.compile("(?:[红黄蓝白黑绿灰棕紫粉]色|[大小新旧长短高矮厚薄])的$")
_HAPPENED = re.compile("^[^太比]*了")  # 两辆卡车撞上了两辆公交车, but 那两块蛋糕比那两块馅饼甜
_DETERMINED = re.compile("[这那一某每][个位名只条辆台本张棵座件把匹架艘家对群][^，。！？]{1,8}的$")  # 那个逃票的姑娘


def number(item: Item, draws: Draws) -> Rewriting:
    """Rewrite both candidates and all pronouns."""
    scene, scenes = scene_of(item), [scene_of(schema_item) for schema_item in draws.schema.items]
    pairing = [word for other in scenes for word in other.expressions("dual")]
    if pairing or (scene.is_plural and re.search("都|全|所有", scene.text)):
        raise NotDerivedError(f"the text says how many there are: {(*pairing, '都')[0]}")
    partners = {} if scene.is_plural else new_names(scene, draws, scene.gender, "partners")
    counting = dict.fromkeys(word for other in scenes for word in other.expressions("single"))
    doubts = [f"does {word} say how many there are?" for word in counting] + _doubts(scene)
    edits: list[Edit] = []
    citations = [candidate.text for candidate in item.candidates]
    for phrase in scene.phrases:
        if phrase.candidate in partners:
            pair = f"{phrase.noun.of(scene.text)}和{partners[phrase.candidate]}"
            edit, citation = Edit(phrase.noun, pair), pair
            if is_kin(scene.before(phrase.start)):
                raise NotDerivedError(f"{phrase.noun.of(scene.text)} is one of a family")  # 弟弟陈亮
        else:
            edit, citation = (_singular if scene.is_plural else _plural)(scene, phrase)
        edits.append(edit)
        citations[phrase.candidate] = citation
    for span in scene.pronouns:
        form = span.of(scene.text)
        if form == scene.pronoun_form:
            edits.append(Edit(span, form.removesuffix("们") if scene.is_plural else form + "们"))
        else:
            doubts.append(f"whom does {form} mean?")
    return Rewriting(tuple(edits), tuple(dict.fromkeys(doubts)), tuple(citations))


def _plural(scene: ChineseScene, phrase: CandidatePhrase) -> tuple[Edit, str]:
    """The edit that makes two or more of a phrase that is not a name, and its new citation."""
    noun, citation = phrase.noun.of(scene.text), scene.item.candidates[phrase.candidate].text
    kind = "human" if scene.is_human(phrase.candidate) else animacy(noun)
    _check_countable(scene, phrase, noun, kind)
    if phrase.determiner:
        if phrase.determiner not in _TWO or phrase.classifier in _COLLECTIVE:
            raise NotDerivedError(f"the number of {noun} is more than one already, or part of what the text says")
        return _determined(scene, phrase, _TWO[phrase.determiner] + phrase.classifier)
    if kind == "human" and is_in(head(noun), "vocabulary", "plural"):
        return Edit(Span(phrase.noun.end - 1, phrase.noun.end), noun[-1] + "们"), citation + "们"
    is_new = len(scene.phrases) == 2 and _HAPPENED.search(scene.clause_at(scene.phrases[0].start).of(scene.text))
    counted = ("两" if kind == "human" or is_new else "那两") + _classifier(noun, scene.gender)
    index = phrase.noun.start + noun.rfind("的") + 1
    quality = _QUALITY.search(scene.text[:index])
    if quality and not noun.startswith(quality.group()):  # 棕色的箱子: 那两个棕色的箱子
        return Edit(Span(quality.start(), quality.start() + 1), counted + quality.group()[0]), counted + citation
    plain = noun.rpartition("的")[2]
    return Edit(Span(index, index + 1), counted + plain[0]), citation.removesuffix(plain) + counted + plain


def _singular(scene: ChineseScene, phrase: CandidatePhrase) -> tuple[Edit, str]:
    """The edit that makes one of several: 那些学生 becomes 那个学生, 学生们 becomes 学生."""
    noun, citation = phrase.noun.of(scene.text), scene.item.candidates[phrase.candidate].text
    if phrase.determiner in _ONE:
        return _determined(scene, phrase, _ONE[phrase.determiner] + _classifier(noun, scene.gender))
    is_pair = "和" in noun or "、" in noun
    if phrase.determiner or is_pair or scene.text[phrase.noun.end : phrase.noun.end + 1] == "们":
        raise NotDerivedError(f"the text says how many {noun} there are")
    return Edit(phrase.noun, noun.removesuffix("们")), citation.removesuffix("们")


def _determined(scene: ChineseScene, phrase: CandidatePhrase, new: str) -> tuple[Edit, str]:
    """The edit that changes a determiner, and the new citation."""
    place, citation = Span(phrase.start, phrase.noun.start), scene.item.candidates[phrase.candidate].text
    old = place.of(scene.text)
    return Edit(place, new), new + citation.removeprefix(old) if citation.startswith(old) else citation


def _check_countable(scene: ChineseScene, phrase: CandidatePhrase, noun: str, kind: str | None) -> None:
    """Refuse what is no noun, has no number, or of which there is one."""
    is_human, listed = kind == "human", head(noun)
    is_called = is_in(listed, "people", "title", "counterpart") and noun.rpartition("的")[2] != listed  # 史密斯先生
    is_unknown = not listed and not is_in(noun[-1], "nouns", "person-ending") if is_human else scene.gender is not None
    refuse_if(
        {
            f"it is unknown whether {noun} is a noun or a name": is_unknown,  # 桂花
            f"there is usually one {noun} only": is_in(listed, "vocabulary", "single"),
            f"it is unknown whether {noun} can be counted": kind is None or is_in(listed, "vocabulary", "mass"),
            f"{noun} is the name of one person": is_human and is_called,
            f"{noun} is one of a family": is_human and is_kin(noun),
            f"{noun} is part of a longer noun": scene.is_cut(phrase),
            f"{noun} is counted as one": bool(_DETERMINED.search(scene.text[: phrase.start])),
        }
    )


def _doubts(scene: ChineseScene) -> list[str]:
    """What a reader must look at before one becomes several."""
    doubts = []
    if len(scene.pronouns) > 1 and scene.other_people:
        doubts.append(f"does every {scene.pronoun_form[0]} mean one of the two?")
    for phrase in scene.phrases:
        noun, following = phrase.noun.of(scene.text), scene.word_from(phrase.noun.end)
        after = following.of(scene.text) if following else ""
        is_noun = (
            scene.tag(following)[0] in "nsf" and len(after) > 1 and not is_in(after, "function_words", "localizer")
        )
        if is_noun and not scene.is_named(phrase.candidate):
            doubts.append(f"is {noun} part of a longer noun?")  # 喜鹊窝里
        is_bare = scene.is_plural and not phrase.determiner and not noun.endswith("们")
        if is_bare or (scene.gender is None and animacy(noun) not in ("animal", "thing")):
            doubts.append(f"can {noun} be {'one' if scene.is_plural else 'several'} here?")
    if (_OF_ONE if scene.gender else _COUNTED).search(scene.without_mentions):
        doubts.append("can what is counted as one belong to several?")
    return doubts


def _classifier(noun: str, gender: str | None) -> str:
    """The classifier with which a noun is counted; people without a listed one take 个."""
    listed = lexicon("zh", "vocabulary").values("counted-with").get(head(noun))
    if listed is None and gender is None:
        raise NotDerivedError(f"the classifier of {noun} is unknown")
    return listed[0] if listed else "个"
