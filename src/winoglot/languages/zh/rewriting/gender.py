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
    wanted = _OTHER[scene.gender]
    if scene.is_plural:
        raise NotDerivedError("the pronoun is plural, and 他们 may be people of both genders")
    for schema_item in draws.schema.items:
        _check_other_people(scene_of(schema_item), wanted)
    new = _noun_changes(scene, draws, wanted)
    edits = [_edit(scene, phrase.noun, new[phrase.candidate]) for phrase in scene.phrases]
    edits += [
        Edit(Span(span.start, span.start + 1), _PRONOUNS[scene.text[span.start]])
        for span in scene.pronouns
        if scene.text[span.start] == scene.pronoun_form[0]
    ]
    citations = tuple(
        candidate.text.removesuffix(scene.noun(number)) + _written(scene.noun(number), new[number])
        for number, candidate in enumerate(item.candidates)
    )
    return Rewriting(tuple(edits), tuple(_doubts(scene, wanted)), citations)


def _noun_changes(scene: ChineseScene, draws: Draws, wanted: str) -> list[tuple[str, str]]:
    """For each candidate, the end of its noun that changes and what it becomes."""
    numbers = range(len(scene.item.candidates))
    named = [number for number in numbers if scene.is_named(number)]
    names = dict(zip(named, other_names(people_of(scene, named), draws, wanted, is_other=True), strict=True))
    return [
        (scene.noun(number), names[number]) if number in names else _counterpart(scene.noun(number), wanted)
        for number in numbers
    ]


def _counterpart(noun: str, wanted: str) -> tuple[str, str]:
    """The end of a noun for a person, and what it is for the other sex."""
    table, old = lexicon("zh", "vocabulary"), head(noun)
    if old in table.words("human", _OTHER[wanted]) or old in table.words("human", "common", "counterpart"):
        return old, table.values("counterpart")[old][0]
    if noun[:1] == _PREFIX[_OTHER[wanted]] and old in table.words("human", "common"):
        return noun, _PREFIX[wanted] + noun[1:]
    if old in table.words("human", "common") and noun.rpartition("的")[2] == old:
        return old, _PREFIX[wanted] + old
    raise NotDerivedError(f"no noun for the other sex is known for {noun}")


def _written(noun: str, change: tuple[str, str]) -> str:
    """A noun with its end changed; NotDerivedError if it does not end so, or no word comes of it."""
    old, new = change
    if not noun.endswith(old):
        raise NotDerivedError(f"{noun} is called by several nouns")
    written = noun.removesuffix(old) + new
    if written[:1] == written[1:2] and noun[:1] != noun[1:2]:
        raise NotDerivedError(f"{written} is no word")  # 小 and 小伙子
    return written


def _edit(scene: ChineseScene, span: Span, change: tuple[str, str]) -> Edit:
    return Edit(span, _written(span.of(scene.text), change))


def _check_other_people(scene: ChineseScene, wanted: str) -> None:
    """Refuse where the pronoun could now mean somebody else, or a noun beside a candidate says the old gender."""
    new = "她" if wanted == "feminine" else "他"
    if wanted in scene.gender_of_others() or any(span.of(scene.text)[0] == new for span in scene.pronouns):
        raise NotDerivedError(f"{new} could now mean somebody else")
    nouns = lexicon("zh", "nouns")
    for phrase in scene.phrases:
        for word in (scene.before(phrase.start), scene.after(phrase.noun.end)):
            if word in nouns.words(_OTHER[wanted]) or word in lexicon("zh", "vocabulary").words(_OTHER[wanted]):
                raise NotDerivedError(f"{word} goes with a candidate and has a gender")
    mentioned = [phrase.noun for phrase in scene.phrases]
    if any(
        text in "男女" and not any(noun.start <= at < noun.end for noun in mentioned)
        for at, text in enumerate(scene.text)
    ):
        raise NotDerivedError("the text speaks of men or women")


def _doubts(scene: ChineseScene, wanted: str) -> list[str]:
    """Whom words of the old gender may mean besides the candidates."""
    doubts = []
    alike = [span for span in scene.pronouns if scene.text[span.start] == scene.pronoun_form[0]]
    if _OTHER[wanted] in scene.gender_of_others():
        doubts.append("does every noun and pronoun of the old gender mean somebody else?")
    if any("们" in span.of(scene.text) for span in alike):
        doubts.append("who are 他们?")
    return doubts
