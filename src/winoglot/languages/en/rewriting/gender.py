"""The other gender: *Anna thanked Beth because she …* → *Paul thanked Luke because he …*.

The whole text is mirrored, other people included: *Ann's son* becomes *Peter's daughter*. Then every pronoun has as
many people that it may refer to as before, and no pronoun has to be resolved. A text that speaks of what only men or
only women have or are has no mirror image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.inflection import is_man_noun, singular_noun
from winoglot.languages.en.rewriting.scene import (
    Scene,
    animacy,
    counterpart,
    is_kin,
    is_thing,
    noun_gender,
    recited,
    refuse_famous,
    scene_of,
)
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.names import is_name_title, name_gender
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import match_case
from winoglot.schemas.spans import Edit

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_OTHER = {"masculine": "feminine", "feminine": "masculine"}
_SWAPPED = {"he": "she", "him": "her", "himself": "herself", "she": "he", "herself": "himself", "hers": "his"}
_BEFORE_NOUN = ("noun", "name", "adjective", "number", "possessive", "adverb", "quote")


def gender(item: Item, draws: Draws) -> Rewriting:
    """Rewrite the whole text with people of the other gender."""
    scene = scene_of(item)
    _check_candidates(scene)
    names = _new_names(scene, draws)
    words = [_mirrored_word(scene, index, names) for index in range(len(scene.tokens))]
    edits = [
        Edit(token.span, match_case(token.span.of(scene.text), new))
        for token, (new, _) in zip(scene.tokens, words, strict=True)
        if new
    ]
    doubts = [doubt for _, doubt in words if doubt]
    if _draws_the_pronoun(scene, [new for new, _ in words]):
        doubts.append("only the nearest candidate is a woman by its noun, and the pronoun seems to mean her")
    indexes = [*range(len(scene.tokens)), *scene.candidate_tokens()]  # a candidate's own words count most
    named = {scene.tokens[index].form: words[index][0] for index in indexes}
    new_words = {form: new for form, new in named.items() if new}
    citations = tuple(recited(candidate.text, new_words) for candidate in item.candidates)
    return Rewriting(tuple(edits), tuple(doubts), citations)


def _check_candidates(scene: Scene) -> None:
    """Refuse a text whose candidates are not all people of one gender that can be mirrored."""
    if scene.gender is None:
        raise NotDerivedError("the candidates have no gender that shows")
    refuse_famous(scene)
    for mention in scene.mentions:
        noun = scene.tokens[mention.head].form
        if scene.gender_of(mention) not in (None, scene.gender):
            raise NotDerivedError(f"{scene.citation(mention)!r} is not {scene.gender}")
        is_titled = bool(noun_gender(scene.tokens[mention.first].form) or scene.title(mention))
        if scene.tokens[mention.head].tag == "name" and not scene.is_named[mention.candidate]:
            words = [scene.tokens[index].form for index in range(mention.first, mention.head)]
            if not any(is_name_title(word) or animacy(word) == "human" for word in words):  # Dr Reed, her son Tom
                raise NotDerivedError(f"{scene.citation(mention)!r} may be a man's or a woman's name, or none")
        if not is_titled and not scene.is_named[mention.candidate] and (animacy(noun) == "animal" or is_thing(noun)):
            raise NotDerivedError(f"{noun!r} is not a name and has no counterpart of the other sex")
    for position, token in enumerate(scene.tokens):
        is_man = token.tag == "noun" and is_man_noun(singular_noun(token.form)) and noun_gender(token.form) is None
        if is_man or is_in(token.form, "people", "gendered"):
            raise NotDerivedError(f"{scene.written(position)!r} says whether somebody is a man or a woman")


def _draws_the_pronoun(scene: Scene, words: list[str | None]) -> bool:
    """Whether only the noun nearest to the pronoun is a woman's now: any thief is *he*, like a *policeman*.

    Relatives and people with names were of one sex before too.
    """
    *others, last = [mention.head for mention in scene.mentions if mention.head < scene.pronoun] or [scene.pronoun]
    nouns = [scene.tokens[head].tag == "noun" and noun_gender(scene.tokens[head].form) is None for head in others]
    is_woman = noun_gender(words[last] or "") == "feminine" and scene.tokens[last].tag == "noun"
    return is_woman and not is_kin(scene.tokens[last].form) and bool(nouns) and all(nouns)


def _new_names(scene: Scene, draws: Draws) -> dict[str, str]:
    """A name of the other gender for every first name in the text."""
    old: dict[str, str] = {}
    for mention in sorted(scene.mentions, key=lambda mention: mention.candidate):
        if scene.is_named[mention.candidate] and scene.gender:
            old[scene.tokens[mention.first].form] = scene.gender
    for index, token in enumerate(scene.tokens):
        old_gender = name_gender(scene.written(index), "en").value if token.tag == "name" else None
        title = scene.at(index - 1)
        if token.tag == "name" and noun_gender(title.form) and is_kin(title.form):
            old.setdefault(token.form, str(noun_gender(title.form)))  # Uncle Joe
        elif old_gender in _OTHER and _stands_alone(scene, index):
            old.setdefault(token.form, str(old_gender))
    new_names = {
        old_gender: iter(draws.names(_OTHER[old_gender], list(old.values()).count(old_gender)))
        for old_gender in set(old.values())
    }
    return {name: next(new_names[old_gender]) for name, old_gender in old.items()}


def _stands_alone(scene: Scene, index: int) -> bool:
    """Whether a name is a person's and not part of another: not in *Valentine's Day*, *an Oscar*."""
    before, after = scene.at(index - 1), scene.at(index + 1)
    if after.tag == "genitive":
        after = scene.at(index + 2)
    is_surname = is_name_title(before.form, of_surname=True)
    is_free = before.tag not in ("name", "determiner", "genitive") and after.tag != "name" and not is_surname
    return is_free and noun_gender(scene.tokens[index].form) is None


def _mirrored_word(scene: Scene, index: int, names: dict[str, str]) -> tuple[str | None, str]:
    """What a word becomes, None if it stays, and a doubt about it."""
    token = scene.tokens[index]
    if token.tag == "name" and token.form in names:
        return names[token.form], ""
    if token.form in _SWAPPED:
        return _SWAPPED[token.form], ""
    if token.form == "his":
        return ("her" if scene.at(index + 1).tag in _BEFORE_NOUN else "hers"), ""
    if token.form == "her":
        return ("his" if token.tag == "possessive" else "him"), scene.doubt_about_her(index)
    if token.tag in ("noun", "name", "adjective"):
        before, other = scene.at(index - 1), counterpart(token.form)
        is_compound = token.tag == "noun" and (before.tag == "noun" or before.form.endswith("ing"))
        return other, f"{other!r} may not mean the same after {before.form!r}" if other and is_compound else ""
    return None, ""
