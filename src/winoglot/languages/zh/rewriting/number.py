"""Both candidates as several: names by conjunction (小雯和小芳), people often met in numbers with 们, others as two.

那只狗 becomes 那两只狗, 一只狗 两只狗, and a noun without determiner gets 那两 with its own classifier (那两把剪刀,
两位作家). 他 becomes 他们. Several become one where 们 or 那些 shows them. Kinship terms have no such variant, for one
has one father, and neither have texts that speak of exactly one or two people.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.people import other_names, people_of
from winoglot.languages.zh.rewriting.scene import animacy, head, is_in, is_kin, scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import CandidatePhrase, ChineseScene
    from winoglot.schemas.model import Item

_TWO = {"一": "两", "这": "这两", "那": "那两", "这一": "这两", "那一": "那两"}
_COLLECTIVE = frozenset("群对副批排堆套队班伙帮组种")  # counts several as one
_AMOUNT = re.compile("一[袋桶瓶杯箱筐个只条张块根件把份碗盒罐片层包颗粒面本辆台棵朵]")
_QUALITY = re.compile("(?:[红黄蓝白黑绿灰棕紫粉]色|[大小新旧长短高矮厚薄])的$")
_DETERMINED = re.compile("[这那一某每][个位名只条辆台本张棵座件把匹架艘家对群][^，。！？]{1,8}的$")  # 那个逃票的姑娘
_THAT = {"这些": "这", "那些": "那", "一些": "一"}


def number(item: Item, draws: Draws) -> Rewriting:
    """Rewrite both candidates and all pronouns."""
    scene = scene_of(item)
    scenes = [scene_of(schema_item) for schema_item in draws.schema.items]
    pairing = [word for schema_scene in scenes for word in schema_scene.expressions("dual")]
    if pairing:
        raise NotDerivedError(f"the text says how many there are: {pairing[0]}")
    counting = [word for schema_scene in scenes for word in schema_scene.expressions("single")]
    doubts = [f"does {word} say how many there are?" for word in dict.fromkeys(counting)]
    return _as_one(scene, doubts) if scene.is_plural else _as_several(scene, draws, doubts)


def _as_several(scene: ChineseScene, draws: Draws, doubts: list[str]) -> Rewriting:
    """One becomes several."""
    indexes = range(len(scene.item.candidates))
    named_indexes = [index for index in indexes if scene.is_named(index)]
    edits: list[Edit] = []
    citations = [candidate.text for candidate in scene.item.candidates]
    partners = _partners(scene, draws, named_indexes)
    for phrase in scene.phrases:
        surface = phrase.noun.of(scene.text)
        if phrase.candidate in partners:
            pair = f"{surface}和{partners[phrase.candidate]}"
            edits.append(Edit(phrase.noun, pair))
            citations[phrase.candidate] = pair
        else:
            edit, citation = _plural(scene, phrase)
            edits.append(edit)
            citations[phrase.candidate] = citation
    for span in scene.pronouns:
        if "们" in span.of(scene.text) or scene.text[span.start] != scene.pronoun_form[0]:
            doubts.append(f"whom does {span.of(scene.text)} mean?")
            continue
        edits.append(Edit(span, span.of(scene.text) + "们"))
    doubts += _doubts(scene)
    return Rewriting(tuple(edits), tuple(doubts), tuple(citations))


def _partners(scene: ChineseScene, draws: Draws, named: list[int]) -> dict[int, str]:
    """A second name for each candidate that is a name, of the same form and gender."""
    if not named:
        return {}
    if scene.gender is None:
        raise NotDerivedError("the pronoun does not show the gender of the names")
    for phrase in scene.phrases:
        if is_kin(scene.before(phrase.start)) and phrase.candidate in named:
            raise NotDerivedError(f"{phrase.noun.of(scene.text)} is one of a family")  # 弟弟陈亮
    return dict(zip(named, other_names(people_of(scene, named), draws, scene.gender, "partners"), strict=True))


def _plural(scene: ChineseScene, phrase: CandidatePhrase) -> tuple[Edit, str]:
    """The edit of a phrase that is not a name, and its new citation."""
    noun, citation = phrase.noun.of(scene.text), scene.item.candidates[phrase.candidate].text
    kind = "human" if scene.is_human(phrase.candidate) else animacy(noun)
    _check_countable(scene, phrase, noun, kind)
    if phrase.determiner:
        if phrase.determiner not in _TWO or phrase.classifier in _COLLECTIVE:
            raise NotDerivedError(f"the number of {noun} is more than one already, or part of what the text says")
        new = _TWO[phrase.determiner] + phrase.classifier
        old = scene.text[phrase.start : phrase.noun.start]
        place = Span(phrase.start, phrase.noun.start)
        return Edit(place, new), new + citation.removeprefix(old) if citation.startswith(old) else citation
    if kind == "human" and is_in(head(noun), "vocabulary", "plural"):
        return Edit(Span(phrase.noun.end - 1, phrase.noun.end), noun[-1] + "们"), citation + "们"
    counted = ("两" if kind == "human" else "那两") + _classifier(noun, scene.gender)
    index = phrase.noun.start + noun.rfind("的") + 1
    quality = _QUALITY.search(scene.text[:index])
    if quality and not noun.startswith(quality.group()):  # 棕色的箱子: 那两个棕色的箱子
        return Edit(Span(quality.start(), quality.start() + 1), counted + quality.group()[0]), counted + citation
    described, de, plain = noun.rpartition("的")
    return Edit(Span(index, index + 1), counted + scene.text[index]), citation.removesuffix(
        noun
    ) + described + de + counted + plain


def _check_countable(scene: ChineseScene, phrase: CandidatePhrase, noun: str, kind: str | None) -> None:
    """Refuse what is no noun, has no number, or of which there is one."""
    is_human, listed, plain = kind == "human", head(noun), noun.rpartition("的")[2]
    ending, is_called = noun[-1], is_in(listed, "people", "title", "counterpart") and plain != listed  # 史密斯先生
    reasons = {
        f"it is unknown whether {noun} is a noun or a name": (scene.gender is not None and not is_human)  # 桂花
        or (is_human and not listed and not is_in(ending, "nouns", "person-ending")),
        f"there is usually one {noun} only": is_in(listed, "vocabulary", "single"),
        f"it is unknown whether {noun} can be counted": kind is None or is_in(listed, "vocabulary", "mass"),
        f"{noun} is the name of one person": is_human and is_called,
        f"{noun} is one of a family": is_human and is_kin(noun),
        f"{noun} is part of a longer noun": scene.is_cut(phrase) and not is_human,
        f"{noun} is counted as one": scene.has_bare_classifier(phrase)
        or bool(_DETERMINED.search(scene.text[: phrase.start])),
    }
    for reason, applies in reasons.items():
        if applies:
            raise NotDerivedError(reason)


def _doubts(scene: ChineseScene) -> list[str]:
    doubts = []
    if len(scene.pronouns) > 1 and scene.other_people:
        doubts.append(f"does every {scene.pronoun_form[0]} mean one of the two?")
    for phrase in scene.phrases:
        noun = phrase.noun.of(scene.text)
        if scene.is_joined(phrase) and not scene.is_named(phrase.candidate):
            doubts.append(f"is {noun} part of a longer noun?")  # 喜鹊窝里
        if scene.gender is None and animacy(noun) != "animal" and animacy(noun) != "thing":
            doubts.append(f"can {noun} be several here?")
    if scene.gender is None and _AMOUNT.search(scene.without_mentions):
        doubts.append("can what is counted as one belong to several?")
    return doubts


def _as_one(scene: ChineseScene, doubts: list[str]) -> Rewriting:
    """Several become one: 那些学生 becomes 那个学生, 学生们 becomes 学生."""
    if re.search("都|全|所有", scene.text):
        raise NotDerivedError("a word counts them (都)")
    edits: list[Edit] = []
    citations = [candidate.text for candidate in scene.item.candidates]
    for phrase in scene.phrases:
        noun = phrase.noun.of(scene.text)
        citation = citations[phrase.candidate]
        if "和" in noun or "、" in noun or noun.startswith(("父母", "夫妻", "夫妇")):
            raise NotDerivedError(f"{noun} are certain people")
        if phrase.determiner:
            if phrase.determiner not in _THAT:
                raise NotDerivedError(f"the text says how many {noun} there are")
            new = _THAT[phrase.determiner] + _classifier(noun, scene.gender)
            old = scene.text[phrase.start : phrase.noun.start]
            edits.append(Edit(Span(phrase.start, phrase.noun.start), new))
            citations[phrase.candidate] = new + citation.removeprefix(old) if citation.startswith(old) else citation
        elif scene.text[phrase.noun.end] == "们":
            raise NotDerivedError(f"the mention leaves 们 out: {noun}")
        elif noun.endswith("们"):
            edits.append(Edit(phrase.noun, noun.removesuffix("们")))
            citations[phrase.candidate] = citation.removesuffix("们")
        else:
            doubts.append(f"can {noun} be one?")
    edits += [Edit(span, span.of(scene.text).removesuffix("们")) for span in scene.pronouns]
    return Rewriting(tuple(edits), tuple(dict.fromkeys(doubts)), tuple(citations))


def _classifier(noun: str, gender: str | None) -> str:
    """The classifier with which a noun is counted; people without a listed one take 个."""
    listed = lexicon("zh", "vocabulary").values("counted-with").get(head(noun))
    if listed is None and gender is None:
        raise NotDerivedError(f"the classifier of {noun} is unknown")
    return listed[0] if listed else "个"
