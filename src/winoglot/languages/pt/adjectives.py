"""Whether a word after a noun is its adjective.

An adjective agrees with the noun, and the possessive shows the noun's gender and number (*suas luvas*: feminine
plural); a word that cannot agree is not an adjective. One that can agree certainly is one if it is listed, is a
participle, or has an ending that no finite verb has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from winoglot.languages.pt.verbs import is_participle
from winoglot.languages.pt.words import listed
from winoglot.languages.tables import pairs

_SINGULARS_IN_S = ("ês", "lilás")
# Stress on the third-last syllable (física, óbvio), which no verb with a third-person subject has.
_PROPAROXYTONE = re.compile(r".*[áéíóúâêô][^aeiouáéíóúâêôãõ]+[aeiou][^aeiouáéíóúâêôãõ]*[oa]s?")


@dataclass(frozen=True)
class Inflection:
    """The gender and number shown by a noun's possessive; None for a noun without one."""

    is_feminine: bool | None
    is_plural: bool | None


POSSESSIVES = {
    "seu": Inflection(is_feminine=False, is_plural=False),
    "sua": Inflection(is_feminine=True, is_plural=False),
    "seus": Inflection(is_feminine=False, is_plural=True),
    "suas": Inflection(is_feminine=True, is_plural=True),
}
UNKNOWN = Inflection(is_feminine=None, is_plural=None)


def can_agree(form: str, noun: Inflection) -> bool:
    """Whether the form could be an adjective that agrees with the noun.

    >>> can_agree("vazia", POSSESSIVES["sua"]), can_agree("doíam", POSSESSIVES["suas"])
    (True, False)
    >>> can_agree("egoísta", POSSESSIVES["seu"]), can_agree("chega", POSSESSIVES["seu"])
    (True, False)
    """
    is_invariable = form in listed("common_gender.txt") and form.endswith("s")
    is_plural = form.endswith("s") and not form.endswith(_SINGULARS_IN_S)
    if not is_invariable and noun.is_plural is not None and is_plural != noun.is_plural:
        return False
    is_feminine = _gender(form.removesuffix("s"))
    return is_feminine is None or noun.is_feminine is None or is_feminine == noun.is_feminine


def is_adjective(form: str, noun: Inflection) -> bool:
    """Whether it is certainly an adjective that agrees with the noun.

    >>> is_adjective("quebradas", POSSESSIVES["suas"]), is_adjective("azuis", POSSESSIVES["seus"])
    (True, True)
    >>> is_adjective("chegava", POSSESSIVES["sua"]), is_adjective("famosa", POSSESSIVES["sua"])
    (False, True)
    """
    if not can_agree(form, noun):
        return False
    if form in _inflected() or is_participle(form) or _PROPAROXYTONE.fullmatch(form):
        return True
    return _singular(form).endswith(_endings())


def may_precede(form: str, noun: Inflection) -> bool:
    """Whether it may come before its noun, and is rarely a noun itself: *terrível*, *famosa*."""
    is_known = form in _inflected() or _singular(form).endswith(_endings())
    return is_known and can_agree(form, noun) and form not in listed("adjectives_as_nouns.txt")


def _gender(base: str) -> bool | None:
    """Whether a singular is feminine; None if it may be either."""
    if base in listed("common_gender.txt") or base.endswith(("ista", "ísta")):
        return None
    if base.endswith(("a", "ã")):
        return True
    return False if base.endswith(("o", "u")) else None


def _singular(form: str) -> str:
    """The masculine singular, as far as the endings need it."""
    for plural, singular in (("áveis", "ável"), ("íveis", "ível"), ("ais", "al"), ("éis", "el"), ("ozes", "oz")):
        if form.endswith(plural):
            return form.removesuffix(plural) + singular
    base = form.removesuffix("s")
    return base[:-1] + "o" if base.endswith("a") else base


@cache
def _endings() -> tuple[str, ...]:
    return tuple(listed("adjective_endings.txt") | listed("invariable_endings.txt"))


@cache
def _inflected() -> frozenset[str]:
    """All forms of the listed adjectives."""
    made = {form for adjective in listed("adjective_list.txt") for form in inflected(adjective)}
    return frozenset(made) | listed("common_gender.txt") | listed("adjectives_in_r.txt")


def inflected(adjective: str) -> set[str]:
    """The forms of an adjective, given its masculine singular; may include a few that do not exist.

    >>> sorted(inflected("vazio")), sorted(inflected("fácil")), sorted(inflected("francês"))
    (['vazia', 'vazias', 'vazio', 'vazios'], ['fáceis', 'fácil'], ['francesa', 'francesas', 'franceses', 'francês'])
    """
    exceptions = pairs("pt", "irregular_adjectives.txt")
    if adjective in exceptions:
        return set(exceptions[adjective].split())
    for ending, plurals in _PLURALS:
        if adjective.endswith(ending):
            stem = adjective.removesuffix(ending)
            return {stem + form for form in plurals.split()}
    return {adjective, adjective + "s"}


_PLURALS = (
    ("eu", "eu eia eus eias"),
    ("ês", "ês esa eses esas"),
    ("o", "o a os as"),
    ("ável", "ável áveis"),
    ("ível", "ível íveis"),
    ("al", "al ais"),
    ("el", "el éis"),
    ("ul", "ul uis"),
    ("m", "m ns"),
    ("r", "r res"),
    ("z", "z zes"),
    ("s", "s"),
)
