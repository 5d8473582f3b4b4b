"""Other words for both candidates: another name of the same gender, or a noun that says the same."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import plural_of, singular_of
from winoglot.languages.en.rewriting.scene import Scene, scene_of
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import famous_names
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import joined, like
from winoglot.schemas.spans import Edit, Span, edited
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item


def synonym(item: Item, draws: Draws) -> Rewriting:
    """Replace both candidates."""
    scene = scene_of(item)
    if scene.all_named:
        scene.require_mentions()
        return _other_names(scene, draws)
    if any(scene.is_named):
        raise NotDerivedError("one candidate is a name and the other is not")
    scene.require_mentions()
    return _other_nouns(scene, draws)


def _other_names(scene: Scene, draws: Draws) -> Rewriting:
    if scene.gender is None:
        raise NotDerivedError("the names have no gender that shows")
    drawn = draws.names(scene.gender, len(scene.item.candidates))
    new: dict[str, str] = {}
    citations = []
    for number, name in enumerate(drawn):
        mention = scene.mentions_of(number)[0]
        if set(scene.citation(mention).split()) & famous_names():
            raise NotDerivedError(f"{scene.citation(mention)!r} is a famous person")
        new[scene.tokens[mention.first].form] = name
        citations.append(" ".join([name, *scene.citation(mention).split()[1:]]))
    edits = [Edit(token.span, new[token.form]) for token in scene.tokens if token.tag == "name" and token.form in new]
    return Rewriting(tuple(edits), citations=tuple(citations))


def _other_nouns(scene: Scene, draws: Draws) -> Rewriting:
    heads = [
        {scene.tokens[one.head].form for one in scene.mentions_of(number)} for number in range(len(scene.is_named))
    ]
    if any(len(found) > 1 for found in heads) or heads[0] == heads[-1]:
        raise NotDerivedError("the candidates' mentions have several nouns, or the same one")
    new: dict[str, str] = {}
    for (noun,) in heads:
        options = [one for one in _synonyms(noun) if not _occurs(scene, one)]
        if not options:
            raise NotDerivedError(f"no synonym of {noun!r} is known")
        new[noun] = draws.pick(f"synonym of {noun}", options)
    own = scene.candidate_tokens()
    edits, doubts = [], []
    for number, token in enumerate(scene.tokens):
        if token.form in new and number in own:
            edits += _replaced(scene, number, new[token.form])
        elif token.form in new and token.tag == "noun":
            doubts.append(f"{token.form!r} may mean a candidate here too")
    pairs = zip(scene.item.candidates, heads, strict=True)
    citations = tuple(_renamed(candidate.text, next(iter(found)), new) for candidate, found in pairs)
    return Rewriting(tuple(edits), tuple(doubts), citations)


def _synonyms(noun: str) -> list[str]:
    """The listed synonyms in the number of the noun."""
    if noun in _listed():
        return _listed()[noun]
    single = singular_of(noun) if noun_number(noun) == "plural" else None
    found = [_plural_phrase(one) for one in _listed().get(single or "", ())]
    return [one for one in found if one]


@cache
def _listed() -> dict[str, list[str]]:
    """Synonyms in both directions: *sofa* for *couch* too."""
    found = {noun: list(others) for noun, others in lexicon("en", "synonyms").values("synonym").items()}
    for noun, others in list(found.items()):
        for other in others:
            found.setdefault(other, [noun])
    return found


def _plural_phrase(phrase: str) -> str | None:
    """*mail carriers*, *pieces of gossip*."""
    words = phrase.split()
    head = words.index("of") - 1 if "of" in words else len(words) - 1
    plural = plural_of(words[head])
    return " ".join([*words[:head], plural, *words[head + 1 :]]) if plural else None


def _occurs(scene: Scene, phrase: str) -> bool:
    forms = {token.form for token in scene.tokens}
    return any(
        one in forms
        for word in phrase.split()
        for one in (word, plural_of(word), singular_of(word))
        if one and word not in ("of", "the", "in")
    )


def _replaced(scene: Scene, number: int, new: str) -> list[Edit]:
    """The noun, with *a* or *an* before it as the new one needs."""
    token, before = scene.tokens[number], scene.analysis.at(number - 1)
    edits = [Edit(token.span, like(scene.analysis.written(number), new))]
    if before.form in ("a", "an"):
        article = joined("a ", new, "en").split(" ", 1)[0]
        if article != before.form:
            edits.append(Edit(before.span, like(scene.analysis.written(number - 1), article)))
    return edits


def _renamed(citation: str, old: str, new: dict[str, str]) -> str:
    """The citation form with its noun replaced."""
    at = folded(citation).rfind(old)
    if at < 0:
        raise NotDerivedError(f"the candidate {citation!r} has another noun than its mention")
    made = edited(citation, [Edit(Span(at, at + len(old)), new[old])])
    return joined("a ", made[2:], "en") if made.startswith("a ") else made
