"""The forms of a verb: three regular patterns with their spelling, and a table of irregular forms.

The patterns overgenerate a little (*fazeu*), which does no harm: they are used to recognise forms, never to write them.
"""

from __future__ import annotations

from functools import cache

from winoglot.languages.pt.words import listed
from winoglot.languages.tables import pairs

_THIRD = {
    "ar": "a am ava avam ou aram ara ará arão aria ariam e em asse assem",
    "er": "e em ia iam eu eram era erá erão eria eriam a am esse essem",
    "ir": "e em ia iam iu iram ira irá irão iria iriam a am isse issem",
}
_OTHERS = {
    "ar": "o amos ei ámos ávamos arei aremos aríamos emos ássemos armos arem ares ando ado ada ados adas ar",
    "er": "o emos i íamos erei eremos eríamos amos êssemos ermos erem eres endo ido ida idos idas er",
    "ir": "o imos i íamos irei iremos iríamos amos íssemos irmos irem ires indo ido ida idos idas ir",
}
# Stem endings whose spelling changes before e and i, or before a and o.
_BEFORE_FRONT = {"ç": "c", "c": "qu", "g": "gu"}
_BEFORE_BACK = {"gu": "g", "qu": "c", "c": "ç", "g": "j"}


def third_person(infinitive: str) -> frozenset[str]:
    """Its finite forms with a third-person subject.

    >>> sorted(form for form in third_person("chegar") if form.startswith("chegu"))
    ['chegue', 'cheguem']
    >>> "doíam" in third_person("doer"), "chegando" in third_person("chegar"), "este" in third_person("estar")
    (True, False, False)
    """
    finite, _ = _table(infinitive, "whole_verbs.txt")
    return finite or _made(infinitive, _THIRD) | _table(infinitive, "irregular_verbs.txt")[0]


@cache
def forms(infinitive: str) -> frozenset[str]:
    """All its forms, including infinitive, gerund and participle.

    >>> {"disse", "dizendo", "dito", "dizem"} <= forms("dizer")
    True
    """
    finite, others = _table(infinitive, "whole_verbs.txt")
    if finite:
        return finite | others
    return third_person(infinitive) | _made(infinitive, _OTHERS) | _table(infinitive, "irregular_verbs.txt")[1]


@cache
def forms_of(name: str) -> frozenset[str]:
    """All forms of the verbs in a list of this folder."""
    return frozenset[str]().union(*(forms(verb) for verb in listed(name)))


@cache
def third_persons_of(name: str) -> frozenset[str]:
    """The finite third-person forms of the verbs in a list of this folder."""
    return frozenset[str]().union(*(third_person(verb) for verb in listed(name)))


def _made(infinitive: str, endings: dict[str, str]) -> frozenset[str]:
    stem, ending = infinitive[:-2], infinitive[-2:]
    return frozenset(_spelled(stem, ending, added) for added in endings.get(ending, "").split())


def _table(infinitive: str, name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Its finite and its other forms, as listed in a table."""
    finite, _, others = pairs("pt", name).get(infinitive, "").partition("|")
    return frozenset(finite.split()), frozenset(others.split())


def _spelled(stem: str, conjugation: str, ending: str) -> str:
    is_front = ending[0] in "eéêií"
    if conjugation == "ar" and is_front:
        changes = _BEFORE_FRONT
    elif conjugation != "ar" and not is_front:
        changes = _BEFORE_BACK
    else:
        return stem + ending
    for last, written in changes.items():
        if stem.endswith(last):
            return stem[: -len(last)] + written + ending
    return stem + ending
