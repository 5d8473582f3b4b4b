"""Possessive pronouns: 他的书, 他儿子, 其作品.

他的 becomes X的, without a second 的 after a candidate that ends in 的 (卖菜的). Pronouns omit 的 before kinship and
place nouns (他儿子, 他公司): so does a name (小明儿子), but a common noun takes 的 (医生的儿子). Before 家 it takes 的
only at the end of the phrase (医生的家, but 医生家客厅), before relations by work or friendship always (小明的老师),
and before localizers never (医生那里). 其 is a possessive before nouns.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.zh.person import is_named
from winoglot.languages.zh.script import simplified, tagged
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place

Kind = Literal["kin", "place", "related", "localizer", "home"]
_LONGEST_NOUN = 6
_PIVOTS = "使让令任请助逼叫促准许"
_BEFORE_OBJECTS = "将把被"


def with_de(place: Place, *, rule: str = "possessive") -> Substitution:
    """Replace 他的 by X的, whether 的 is marked or only follows."""
    end = place.pronoun.end
    if not place.surface.endswith("的") and place.text[end : end + 1] == "的":
        end += 1
    return place.rewrite(Span(place.pronoun.start, end), _possessor(place), rule=rule, fuse=False)


def before_noun(place: Place) -> Substitution | None:
    """Place the candidate before a noun that needs no 的 after a pronoun; None if no such noun follows."""
    kind = _kind(place)
    if kind is None or kind == "localizer":
        return None
    is_common = not is_named(place)
    has_de = is_common and _home_ends(place) if kind == "home" else is_common or kind == "related"
    if place.text[: place.pronoun.start].endswith(tuple(lexicon("zh", "verbs").words("addressing"))):
        if kind != "home":
            raise NotDerivedError("the pronoun may be who is told, or the owner")
        has_de = False  # 告诉外婆家里的事
    inserted = _possessor(place) if has_de else place.phrase.text
    return place.rewrite(place.pronoun, inserted, rule=f"possessive before a {_NAMES[kind]} noun", fuse=False)


def qi(place: Place) -> Substitution:
    """Replace 其 by X的 before a noun."""
    following = simplified(place.text[place.pronoun.end : place.pronoun.end + _LONGEST_NOUN])
    before = simplified(place.text[max(0, place.pronoun.start - 1) : place.pronoun.start])
    nouns = _possessed()
    noun = next((following[:index] for index in range(len(following), 1, -1) if following[:index] in nouns), None)
    word, tag = (tagged(following) or [("", "")])[0]
    if noun is None and tag == "n" and len(word) > 1:
        noun = word
    if noun is None:
        raise NotDerivedError(f"no noun follows 其, so it may not be a possessive: {following!r}")
    if before in tuple(_PIVOTS) or (
        before in tuple(_BEFORE_OBJECTS) and noun in lexicon("zh", "nouns").words("verb-too")
    ):
        raise NotDerivedError(f"after {before!r}, 其 may be an object or a possessive")
    return place.rewrite(place.pronoun, _possessor(place), rule="possessive 其", fuse=False)


_NAMES = {"kin": "kin", "place": "place", "related": "related", "home": "place"}


def _possessor(place: Place) -> str:
    phrase = place.phrase.text
    return phrase if phrase.endswith("的") else phrase + "的"


def _kind(place: Place) -> Kind | None:
    """The kind of the longest noun after the pronoun."""
    following = simplified(place.text[place.pronoun.end : place.pronoun.end + _LONGEST_NOUN])
    if following.startswith(tuple(lexicon("zh", "spelling").words("misleading"))):
        return None
    for length in range(len(following), 0, -1):
        kind = _nouns().get(following[:length])
        if kind and (length > 1 or kind == "home" or _can_end(following[1:2])):
            return kind
    return None


def _can_end(following: str) -> bool:
    return not following.isalnum() or following in lexicon("zh", "function_words").words("after-kin")


def _home_ends(place: Place) -> bool:
    """Whether 家 is not itself a possessor: 去医生的家, 在医生的家里, but 医生家客厅 and 医生家的狗."""
    following = simplified(place.text[place.pronoun.end + 1 : place.pronoun.end + 2])
    return following != "的" and (following == "里" or _can_end(following))


@cache
def _nouns() -> dict[str, Kind]:
    kinds: tuple[Kind, ...] = ("related", "place", "kin")
    nouns: dict[str, Kind] = dict.fromkeys(lexicon("zh", "function_words").words("localizer"), "localizer")
    nouns |= {noun: kind for kind in kinds for noun in lexicon("zh", "nouns").words(kind)}
    return nouns | {"家": "home", "家里": "home"}


@cache
def _possessed() -> frozenset[str]:
    return frozenset().union(*map(lexicon("zh", "nouns").words, ("possessed", "kin", "place", "related")))
