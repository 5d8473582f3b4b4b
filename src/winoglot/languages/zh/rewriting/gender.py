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
from winoglot.languages.zh.rewriting.people import new_names
from winoglot.languages.zh.rewriting.scene import head, is_in, scene_of
from winoglot.languages.zh.rewriting.synonym import replaced
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item

_OTHER = {"masculine": "feminine", "feminine": "masculine"}
_PRONOUN = {"masculine": "他", "feminine": "她"}
_PREFIX = {"masculine": "男", "feminine": "女"}
_OF_EITHER = frozenset("师员手者工")  # nouns that end so are of people of either sex: 机械师


def gender(item: Item, draws: Draws) -> Rewriting:
    """Rewrite both candidates and all pronouns."""
    scene = scene_of(item)
    if scene.gender is None:
        raise NotDerivedError("its candidates are not people")
    if scene.is_plural:
        raise NotDerivedError("the pronoun is plural, and 他们 may be people of both genders")
    old, gender = scene.gender, _OTHER[scene.gender]
    for schema_item in draws.schema.items:
        _check(scene_of(schema_item), gender)
    names = new_names(scene, draws, gender)
    nouns = [scene.noun(index) for index in range(len(item.candidates))]
    changes = [(noun, names[i]) if i in names else _counterpart(noun, gender) for i, noun in enumerate(nouns)]
    edits, citations = replaced(scene, changes)
    own = [span for span in scene.pronouns if span.of(scene.text)[0] == _PRONOUN[old]]
    edits += [Edit(Span(span.start, span.start + 1), _PRONOUN[gender]) for span in own]
    changed = [new_noun for old_noun, new_noun in changes if old_noun != new_noun]
    is_one_marked = len(changed) < len(changes) and any(noun.startswith(_PREFIX[gender]) for noun in changed)
    doubts = {
        "does every noun and pronoun of the old gender mean somebody else?": old in scene.gender_of_others(),
        "who are 他们?": any("们" in span.of(scene.text) for span in own),
        f"only one candidate is marked {_PREFIX[gender]}, whom the pronoun then seems to mean": is_one_marked,
    }
    return Rewriting(tuple(edits), tuple(doubt for doubt, applies in doubts.items() if applies), citations)


def _check(scene: ChineseScene, gender: str) -> None:
    """Refuse where gender is part of what the text says, or the pronoun could now mean somebody else."""
    rest = scene.without_mentions
    gendered = [word for word in scene.expressions("gendered") if word in rest]
    if gendered or "男" in rest or "女" in rest:
        raise NotDerivedError(f"the gender is part of what the text says: {(*gendered, '男, 女')[0]}")
    if gender in scene.gender_of_others() or any(span.of(scene.text)[0] == _PRONOUN[gender] for span in scene.pronouns):
        raise NotDerivedError(f"{_PRONOUN[gender]} could now mean somebody else")
    for phrase in scene.phrases:
        for word in (scene.before(phrase.start), scene.after(phrase.noun.end)):
            if is_in(word, "nouns", _OTHER[gender]) or is_in(word, "vocabulary", _OTHER[gender]):
                raise NotDerivedError(f"{word} goes with a candidate and has a gender")


def _counterpart(noun: str, gender: str) -> tuple[str, str]:
    """The end of a noun for a person, and what it is for the other sex."""
    table, old = lexicon("zh", "vocabulary"), head(noun)
    is_common = old in table.words("human", "common")
    if old in table.words("human", _OTHER[gender]) or old in table.words("human", "common", "counterpart"):
        new = table.values("counterpart")[old][0]
        if not noun.removesuffix(old).endswith(new[0]):  # 小 and 小伙子
            return old, new
    elif is_common and noun[:1] == _PREFIX[_OTHER[gender]]:
        return noun, _PREFIX[gender] + noun[1:]
    elif is_common and noun.rpartition("的")[2] == old:
        return old, _PREFIX[gender] + old
    elif not old and noun[-1] in _OF_EITHER and len(noun) > 2:
        return noun, _PREFIX[gender] + noun
    raise NotDerivedError(f"no noun for the other sex is known for {noun}")
