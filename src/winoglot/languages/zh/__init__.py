"""Chinese, simplified or traditional: a determiner is a demonstrative or numeral with its classifier.

Nothing inflects, so a candidate replaces a pronoun unchanged but for 的 and 那. In reading order:

- `script`: traditional characters as the simplified ones of the tables;
- `person`, `number`: whether a phrase is a person's name, and whether it is singular or plural;
- `definite`: 一个男人 becomes 那个男人 on second mention;
- `possessive`: where 的 is needed;
- `bound`: the number in 他们俩, which goes with a coordination only;
- `rewriting/`: a text with another time, number, gender or voice, or with other words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError, Substitution
from winoglot.languages.lexicon import lexicon
from winoglot.languages.zero import before_verb as unspoken
from winoglot.languages.zh.bound import counted, without_role
from winoglot.languages.zh.definite import definite
from winoglot.languages.zh.number import number_of, phrase_number
from winoglot.languages.zh.possessive import before_noun, qi, with_de
from winoglot.languages.zh.script import is_foreign_character, simplified, tagged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.phrases import Phrase
    from winoglot.languages.slots import Slot
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Candidate, Item

__all__ = [
    "check_exchange",
    "definite",
    "is_foreign_character",
    "number_of",
    "phrase_number",
    "simplified",
    "substitute",
    "unspoken",
    "without_role",
]


def substitute(place: Place) -> Substitution:
    """Replace a Chinese pronoun by the candidate; a pronoun that comes before its candidate is tagged."""
    substitution = _replaced(place, simplified(place.surface))
    is_cataphor = bool(place.mentions) and all(place.pronoun.end <= mention.start for mention in place.mentions)
    return replace(substitution, rule=f"{substitution.rule}, cataphora") if is_cataphor else substitution


def check_exchange(text: str, slots: Sequence[Sequence[Slot]], _phrases: Sequence[Phrase]) -> None:
    """Refuse a mention after 的, whose owner is not in its candidate: 张先生的弟弟, cited as 弟弟."""
    for slot in (slot for candidate_slots in slots for slot in candidate_slots):
        if text[: slot.span.start].endswith("的"):
            raise NotDerivedError(f"words with 的 before {slot.span.of(text)!r} belong to it, but not to the candidate")


def _replaced(place: Place, form: str) -> Substitution:
    """The candidate in place of a pronoun with this form, in simplified characters."""
    if form.removesuffix("的") in ("自己", "对方", "人家"):
        raise NotDerivedError(f"the referent of {place.surface} depends on its clause")
    following = simplified(place.text[place.pronoun.end : place.pronoun.end + 1])
    if following in ("俩", "仨") and "们" not in form:
        raise NotDerivedError(f"{place.surface} is part of {place.surface}{following}, which is plural")
    if form == "其":
        return qi(place)
    if form in lexicon("zh", "pronouns").words("place"):
        _check_places(place)
        return place.replace(rule="in place", fuse=False)
    _check_number(place, form)
    substitution = counted(place) if _is_plural(form) else None
    if substitution is not None:
        return substitution
    if form.endswith("的") or following == "的":
        return with_de(place)
    return before_noun(place) or place.replace(rule="subject or object", fuse=False)


def _is_plural(form: str) -> bool:
    """Whether the pronoun is plural: 他们, 她俩."""
    return "们" in form or "俩" in form


def _names_several(candidate: Candidate, item: Item) -> bool:
    """Whether the candidate's last word is a plural: 学生们, Amy的父母."""
    number = features_of(candidate, item, "zh").number
    return number.value == "plural" and number.evidence.startswith("ending")


def _check_number(place: Place, form: str) -> None:
    """Refuse 他们 for one person and 他 for two; 它 may be several things."""
    number = number_of(place)
    rivals = (rival for rival in place.item.candidates if rival.mentions != place.mentions)
    if number is None and _is_plural(form) and any(_names_several(rival, place.item) for rival in rivals):
        raise NotDerivedError(f"{place.surface} is plural, and so is another candidate, but not {place.phrase.text}")
    pronoun = "plural" if _is_plural(form) else "singular"
    if number is not None and number != pronoun and not (pronoun == "singular" and form.startswith(("它", "牠"))):
        raise NotDerivedError(f"number differs: {place.surface} is {pronoun}, {place.phrase.text} {number}")


def _check_places(place: Place) -> None:
    """Refuse 那儿 in 小明那儿, and unless every candidate is a place that needs no 里 or 上."""
    for candidate in place.item.candidates:
        if not _is_place(candidate, place.item):
            raise NotDerivedError(f"{place.surface} is a place, and nothing shows that {candidate.text} is one")
    word, tag = (tagged(simplified(place.text[: place.pronoun.start])) or [("", "")])[-1]
    if tag.startswith(("n", "r")):
        raise NotDerivedError(f"{word} before {place.surface} may say whose place it is")


def _is_place(candidate: Candidate, item: Item) -> bool:
    """Whether a candidate is a place by its noun, as a town or country, or after 从 and the like: 从Sparta搬到Troy."""
    noun, text = simplified(candidate.text), simplified(item.text or "")
    endings = lexicon("zh", "nouns").words("place", "suffix") | lexicon("zh", "function_words").words("localizer")
    if noun.endswith(tuple(ending.removeprefix("-") for ending in endings)):
        return True
    is_town = _tag(noun) == "ns" and not noun.endswith(tuple("山江河湖洋"))
    after = {text[mention.start - 1 : mention.start] for rival in item.candidates for mention in rival.mentions}
    return is_town or (noun.isascii() and not after.isdisjoint("从到在去往"))


def word_class(form: str) -> str:
    """What the word may be in a noun phrase, by the segmenter's tags."""
    tag = _tag(form)
    if tag.startswith("n"):
        return "noun" if len(form) > 1 and form not in lexicon("zh", "function_words") else ""
    if tag[:1] in ("d", "r"):  # before a verb, or part of the phrase: 其他, 各
        return "adverb"
    if tag == "vn":  # 研究中心
        return ""
    return "adjective" if tag[:1] in ("a", "b", "m") else "end" if tag[:1] in ("v", "p", "c", "f", "t") else ""


def noun_kind(form: str) -> str | None:
    """`human`, `animal`, `thing`, `place` or `group`, by the tables and the segmenter's tags; None if unknown."""
    listed = lexicon("zh", "vocabulary").features().get(form)
    if listed is not None and listed.animacy:
        return listed.animacy
    if form[-1] in lexicon("zh", "nouns").words("person-ending"):
        return "human"
    return {"nr": "human", "ns": "place", "nt": "group"}.get(_tag(form)[:2])


def _tag(form: str) -> str:
    """The segmenter's tag of a word; empty if it is several words."""
    tags = tagged(form)
    return tags[0][1] if len(tags) == 1 else ""
