"""Other words for both candidates: another name of the same gender, or a noun with the same meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import plural_of, singular_noun, singular_of
from winoglot.languages.en.rewriting.scene import PRONOUNS, Scene, animacy, is_thing, new_names, recited, scene_of
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import joined, match_case
from winoglot.schemas.spans import Edit
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Collection

    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item


def synonym(item: Item, draws: Draws) -> Rewriting:
    """Replace both candidates."""
    scene = scene_of(item)
    edits: list[Edit] = []
    doubts: list[str] = []
    names = {}
    for index, name in new_names(scene, draws).items():
        mention = scene.mentions_of(index)[0]
        names[scene.tokens[mention.last if scene.title(mention) else mention.first].form] = name
    replacements = {**names, **_other_nouns(scene, draws, names, doubts)}
    if not replacements:
        raise NotDerivedError(doubts[0])
    candidate_tokens = scene.candidate_tokens()
    for index, token in enumerate(scene.tokens):
        if token.form not in replacements:
            continue
        if token.tag == "name":
            edits.append(Edit(token.span, match_case(scene.written(index), replacements[token.form])))  # Dad, Father
        elif index in candidate_tokens:
            if replacements[token.form] in _synonyms(token.form, "near-synonym"):
                doubts.append(f"does {replacements[token.form]!r} say the same as {token.form!r}?")
            edits += _replacement_edits(scene, index, replacements[token.form])
            before = scene.at(index - 1)
            if before.tag == "noun" or before.form.endswith("ing"):
                doubts.append(f"{token.form!r} may not mean the same after {before.form!r}")
        elif token.tag == "noun":
            doubts.append(f"{token.form!r} may mean a candidate here too")
    citations = [recited(candidate.text, replacements) for candidate in item.candidates]
    for mention in scene.mentions:
        is_replaced = any(scene.tokens[index].form in replacements for index in range(mention.first, mention.last + 1))
        if is_replaced and citations[mention.candidate] == item.candidates[mention.candidate].text:
            raise NotDerivedError(f"the candidate {citations[mention.candidate]!r} has another noun than its mention")
    return Rewriting(tuple(edits), tuple(doubts), tuple(citations))


def _other_nouns(scene: Scene, draws: Draws, names: Collection[str], doubts: list[str]) -> dict[str, str]:
    """A synonym for the noun of every candidate that has none of the names in it: not for *Joe's uncle*."""
    replacements: dict[str, str] = {}
    for index, candidate in enumerate(scene.item.candidates):
        mentions = scene.mentions_of(index)
        nouns = {scene.tokens[mention.head].form for mention in mentions}
        noun = min(nouns)
        if any(name in folded(candidate.text) for name in names):
            continue
        if any(scene.written(mention.head)[0].isupper() and mention.head > mention.first for mention in mentions):
            raise NotDerivedError(f"{candidate.text!r} is a name")
        if len(nouns) > 1 or noun in replacements:
            raise NotDerivedError("the candidates' mentions have several nouns, or the same one")
        described = any(scene.at(mention.head - 1).tag == "adjective" for mention in mentions)  # no brown red fox
        for kind in ("synonym", "near-synonym"):
            options = [word for word in _synonyms(noun, kind) if not (described and noun in word.split())]
            options = [word for word in options if not _occurs(scene, word, noun) and _suits(scene, noun, word)]
            if options:
                replacements[noun] = draws.pick(f"synonym of {noun}", options)
                break
        else:
            doubts.append(f"no synonym of {noun!r} is known")
    return replacements


def _synonyms(noun: str, kind: str) -> list[str]:
    """The listed synonyms of a kind, in the number of the noun."""
    table = lexicon("en", "synonyms").values(kind)
    single = singular_of(noun) if noun not in table and noun_number(noun) == "plural" else None
    plurals = [_plural_phrase(phrase) for phrase in table.get(single or "", ())]
    return [*table.get(noun, ()), *(phrase for phrase in plurals if phrase)]


def _plural_phrase(phrase: str) -> str | None:
    """The plural of a phrase: *mail carriers*, *pieces of gossip*."""
    words = phrase.split()
    head = words.index("of") - 1 if "of" in words else len(words) - 1
    plural = plural_of(words[head])
    return " ".join([*words[:head], plural, *words[head + 1 :]]) if plural else None


def _occurs(scene: Scene, phrase: str, noun: str) -> bool:
    """Whether the text already has a word of the synonym, in either number, apart from the noun it replaces."""
    forms = {token.form for token in scene.tokens} - {noun, "of", "the", "in"}
    words = {*phrase.split()} - {noun, singular_noun(noun)}
    return any(form in forms for word in words for form in (word, plural_of(word), singular_noun(word)))


def _suits(scene: Scene, noun: str, phrase: str) -> bool:
    """Whether the pronoun may refer to the synonym: a *coach* that is *it* is not a trainer."""
    head = phrase.rsplit(maxsplit=1)[-1]
    if scene.pronoun_form in PRONOUNS:
        return not is_thing(head)
    return scene.is_plural or not animacy(noun) == animacy(head) == "human"


def _replacement_edits(scene: Scene, index: int, new: str) -> list[Edit]:
    """The edits that replace a noun, and the *a* or *an* before it if the new one needs the other."""
    edits = [Edit(scene.tokens[index].span, match_case(scene.written(index), new))]
    if scene.at(index - 1).form in ("a", "an"):
        article = joined("a ", new, "en").split(" ", 1)[0]
        edits.append(Edit(scene.tokens[index - 1].span, match_case(scene.written(index - 1), article)))
    return edits
