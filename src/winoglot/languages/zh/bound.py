"""Words bound to a Chinese pronoun or to a citation: 他们俩, 他们两个; 小明的, 给小明.

A coordination keeps the number after it (小明和小红俩), a phrase with its own number drops the pronoun's (那两个厨师);
with any other noun nothing is derived, for 厨师们俩 is not said.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.zh.number import conjuncts, joined
from winoglot.languages.zh.person import is_person
from winoglot.languages.zh.script import simplified
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Candidate, Item

_NUMERALS = "两三四五六七八九十"
_COUNTED = re.compile(rf"(俩|仨|([{_NUMERALS}]|几)(?:个人|个|位|名|人|口子))(?!小时|月|星期|钟头|礼拜|世纪|多|大|家)")
_OWN_NUMBER = re.compile(rf"[这那]?([{_NUMERALS}])")
_DOING = "当做打干管教开卖看修送"
_SHORT = {"俩": "两", "仨": "三"}


def counted(place: Place) -> Substitution | None:
    """The candidate beside the number that follows the pronoun, inside its span or after it; None without one."""
    text = simplified(place.text)
    start = place.pronoun.end - 1 if place.surface.endswith(("俩", "倆", "仨")) else place.pronoun.end
    match = _COUNTED.match(text, start)
    if match is None:
        return None
    pronoun = place.text[place.pronoun.start : match.end()]
    number = _SHORT.get(match.group(1), match.group(2))
    phrase = place.phrase.text
    parts = conjuncts(phrase) or joined(phrase)
    own_number = _OWN_NUMBER.match(simplified(phrase))
    touched = Span(place.pronoun.start, match.end())
    if own_number and own_number.group(1) == number:
        return place.rewrite(touched, phrase, rule="counted", fuse=False)
    if parts and number in _NUMERALS and len(parts) == _NUMERALS.index(number) + 2:
        quantifier_text = place.text[match.start() : match.end()]
        return place.rewrite(touched, phrase + quantifier_text, rule="counted", fuse=False)
    raise NotDerivedError(f"{phrase} cannot come before the number in {pronoun}")


def without_role(candidate: Candidate, item: Item) -> Candidate:
    """小明的 and 给小明 as 小明, 医生的 as 医生, if the pronoun is a person.

    Otherwise 小红的 may be her bicycle; 卖菜的 is a person as it is.

    >>> from winoglot import Candidate, Item, Span
    >>> ming = Candidate("小明的", mentions=(Span(0, 3),))
    >>> item = Item("a.0", "a", text="小明的狗咬了小刚，因为他没看见。", pronoun=Span(11, 12), candidates=(ming,))
    >>> without_role(ming, item).text
    '小明'
    """
    phrase, text = simplified(candidate.text), candidate.text
    if not candidate.mentions or features_of_pronoun(item, "zh").animacy.value != "human" or is_person(text):
        return candidate
    start, end = 0, len(phrase) - phrase.endswith("的")
    if phrase[0] in lexicon("zh", "function_words").words("coverb") and _is_certain_person(text[1:end]):
        start = 1
    if (start, end) == (0, len(phrase)) or not _is_somebody(text[start:end]):
        return candidate
    mentions = tuple(Span(mention.start + start, mention.end - (len(phrase) - end)) for mention in candidate.mentions)
    return replace(candidate, text=text[start:end], mentions=mentions)


def _is_certain_person(phrase: str) -> bool:
    """Whether the phrase is certainly a name or a noun for a person: 跟队友, but not 比利时人."""
    kinds = ("kin", "related", "person", "title")
    is_listed = any(simplified(phrase) in lexicon("zh", "nouns").words(kind) for kind in kinds)
    return len(phrase) > 1 and not phrase.startswith("方") and (is_person(phrase) or is_listed)


def _is_somebody(phrase: str) -> bool:
    """Whether the phrase is a name or noun for a person; before 的, 卖菜的 and 打工的 have an activity."""
    nouns, plain = lexicon("zh", "nouns"), simplified(phrase)
    is_listed = any(plain.endswith(tuple(nouns.words(kind))) for kind in ("kin", "related", "person"))
    is_noun = is_listed or plain[-1:] in nouns.words("person-ending")
    return is_person(phrase) or (is_noun and plain[0] not in _DOING)
