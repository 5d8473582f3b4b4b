"""Both candidates as people of the other gender, with every word that agrees with them.

Names become names of the other gender, nouns the noun for the other sex (爷爷, 奶奶), other nouns for people get 男 or
女, and 他 becomes 她. Refused where gender is part of what the text says, or where another person could now be meant by
the pronoun; proposed where somebody else of the old gender is in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.people import other_names, people_of
from winoglot.languages.zh.rewriting.scene import head, scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item

_OTHER = {"masculine": "feminine", "feminine": "masculine"}
_PRONOUNS = {"他": "她", "她": "他"}
_OF_EITHER = frozenset("师员手者工")  # nouns that end so are of people of either sex: 机械师
_PREFIX = {"masculine": "男", "feminine": "女"}


def gender(item: Item, draws: Draws) -> Rewriting:
    """Rewrite both candidates and all pronouns."""
    scene = scene_of(item)
    if scene.gender is None:
        raise NotDerivedError("its candidates are not people")
    gendered = [word for schema_item in draws.schema.items for word in scene_of(schema_item).expressions("gendered")]
    cited = "".join(candidate.text for candidate in item.candidates)
    gendered = [word for word in gendered if word not in cited or scene.text.count(word) > cited.count(word)]
    if gendered:
        raise NotDerivedError(f"the gender is part of what the text says: {gendered[0]}")
    gender = _OTHER[scene.gender]
    if scene.is_plural:
        raise NotDerivedError("the pronoun is plural, and 他们 may be people of both genders")
    for schema_item in draws.schema.items:
        _check_other_people(scene_of(schema_item), gender)
    new = _noun_changes(scene, draws, gender)
    edits = [_edit(scene, phrase.noun, new[phrase.candidate]) for phrase in scene.phrases]
    edits += [
        Edit(Span(span.start, span.start + 1), _PRONOUNS[scene.text[span.start]])
        for span in scene.pronouns
        if scene.text[span.start] == scene.pronoun_form[0]
    ]
    citations = tuple(
        candidate.text.removesuffix(scene.noun(index)) + _with_changed_ending(scene.noun(index), new[index])
        for index, candidate in enumerate(item.candidates)
    )
    doubts = _doubts(scene, gender)
    changed = [new_noun for old, new_noun in new if old != new_noun]
    if len(changed) < len(new) and any(noun.startswith(_PREFIX[gender]) for noun in changed):
        doubts.append(f"only one candidate is marked {_PREFIX[gender]}, whom the pronoun then seems to mean")
    return Rewriting(tuple(edits), tuple(doubts), citations)


def _noun_changes(scene: ChineseScene, draws: Draws, gender: str) -> list[tuple[str, str]]:
    """For each candidate, the end of its noun that changes and what it becomes."""
    indexes = range(len(scene.item.candidates))
    named_indexes = [index for index in indexes if scene.is_named(index)]
    names = dict(
        zip(named_indexes, other_names(people_of(scene, named_indexes), draws, gender, is_other=True), strict=True)
    )
    return [
        (scene.noun(index), names[index]) if index in names else _counterpart(scene.noun(index), gender)
        for index in indexes
    ]


def _counterpart(noun: str, gender: str) -> tuple[str, str]:
    """The end of a noun for a person, and what it is for the other sex."""
    table, old = lexicon("zh", "vocabulary"), head(noun)
    if old in table.words("human", _OTHER[gender]) or old in table.words("human", "common", "counterpart"):
        return old, table.values("counterpart")[old][0]
    if noun[:1] == _PREFIX[_OTHER[gender]] and old in table.words("human", "common"):
        return noun, _PREFIX[gender] + noun[1:]
    if old in table.words("human", "common") and noun.rpartition("的")[2] == old:
        return old, _PREFIX[gender] + old
    if not old and noun[-1] in _OF_EITHER and len(noun) > 2:
        return noun, _PREFIX[gender] + noun
    raise NotDerivedError(f"no noun for the other sex is known for {noun}")


def _with_changed_ending(noun: str, change: tuple[str, str]) -> str:
    """A noun with its end changed; NotDerivedError if it does not end so, or no word comes of it."""
    old, new = change
    if not noun.endswith(old):
        raise NotDerivedError(f"{noun} is called by several nouns")
    new_noun = noun.removesuffix(old) + new
    if new_noun[:1] == new_noun[1:2] and noun[:1] != noun[1:2]:
        raise NotDerivedError(f"{new_noun} is no word")  # 小 and 小伙子
    return new_noun


def _edit(scene: ChineseScene, span: Span, change: tuple[str, str]) -> Edit:
    return Edit(span, _with_changed_ending(span.of(scene.text), change))


def _check_other_people(scene: ChineseScene, gender: str) -> None:
    """Refuse where the pronoun could now mean somebody else, or a noun beside a candidate says the old gender."""
    new = "她" if gender == "feminine" else "他"
    if gender in scene.gender_of_others() or any(span.of(scene.text)[0] == new for span in scene.pronouns):
        raise NotDerivedError(f"{new} could now mean somebody else")
    nouns = lexicon("zh", "nouns")
    for phrase in scene.phrases:
        for word in (scene.before(phrase.start), scene.after(phrase.noun.end)):
            if word in nouns.words(_OTHER[gender]) or word in lexicon("zh", "vocabulary").words(_OTHER[gender]):
                raise NotDerivedError(f"{word} goes with a candidate and has a gender")
    mentioned = [phrase.noun for phrase in scene.phrases]
    if any(
        text in "男女" and not any(noun.start <= index < noun.end for noun in mentioned)
        for index, text in enumerate(scene.text)
    ):
        raise NotDerivedError("the text speaks of men or women")


def _doubts(scene: ChineseScene, gender: str) -> list[str]:
    """Whom words of the old gender may mean besides the candidates."""
    doubts = []
    alike = [span for span in scene.pronouns if scene.text[span.start] == scene.pronoun_form[0]]
    if _OTHER[gender] in scene.gender_of_others():
        doubts.append("does every noun and pronoun of the old gender mean somebody else?")
    if any("们" in span.of(scene.text) for span in alike):
        doubts.append("who are 他们?")
    return doubts
