"""English says nothing twice: *arrived before Paul did*, *can swim if Paul can*, *then so can Paul*.

It also says *only doctors* for *only people who are doctors*, and *nobody who has not* for *nobody who has never*.
"""

import re
from typing import NamedTuple

_PAST = {"arrive": "arrived", "arrived": "arrived", "leave": "left", "left": "left"}
_TIME = r"\b(arrived?|leave|left) (before|after|until) (.*) "
_AGAIN = re.compile(_TIME + r"(arrived|left)(?=, or at the same time|\.)")
_DID = re.compile(_TIME + r"did(?=, or at the same time|$)")

_DOES = {
    **{f"{verb}s": verb for verb in ("live", "work", "employ", "earn", "weigh", "run", "sit")},
    "teaches": "teach",
}
_THIRD = {verb: form for form, verb in _DOES.items()}
_SINGULAR = {"are": "is", "were": "was", "have": "has", "can": "can", **dict.fromkeys(_THIRD, "does")}
_AUXILIARY = "is|was|has|can|does"
_TWO = re.compile(
    r"(?P<head>[Ii]f |[Ee]ither |)(?P<first>.+?)(?P<link>, then | if and only if | only if | if | unless |, or )"
    r"(?P<second>.+?)(?P<tail>, or both|)(?P<stop>\.?)"
)
_UNLESS = re.compile(r"unless (.+?), (.+)\.")
_CLAUSE = re.compile(rf"(.+?) ({_AUXILIARY}|{'|'.join(_DOES)})(not| not| never|) (.+)")
_SHORT = re.compile(rf"(?P<so>so|neither) (?P<aux>{_AUXILIARY}) (?P<name>.+)|(.+) ({_AUXILIARY})(not| not|)")
_NEITHER = re.compile(rf"([Ee]ither both .+? and .+? )({'|'.join(_SINGULAR)})( .+?)(, or neither of them )(.+?)(\.?)")
_NEVER = re.compile(r"^(no(?:body| one) who has) never ")
_NOUNS = "doctors|vegetarians|cousins of|pupils of|employees of"
_ONLY_PEOPLE = re.compile(rf"^only people who are ({_NOUNS}) ")
_ONLY = re.compile(rf"^[Oo]nly ({_NOUNS}) ")


class _Clause(NamedTuple):
    """*Ann lives in Rome* is Ann, does, False, *live in Rome*."""

    subject: str
    auxiliary: str
    negated: bool
    rest: str

    @property
    def short(self) -> str:
        return f"{self.subject} {self.auxiliary}{self._not if self.negated else ''}"

    @property
    def full(self) -> str:
        verb, _, after = self.rest.partition(" ")
        if self.auxiliary == "does" and not self.negated:
            return f"{self.subject} {_THIRD[verb]} {after}"
        return f"{self.short} {self.rest}"

    @property
    def _not(self) -> str:
        return "not" if self.auxiliary == "can" else " not"


def finish(text: str) -> str:
    """Shorten a sentence by leaving out what it has said already."""
    text = _ONLY_PEOPLE.sub(r"only \1 ", _NEVER.sub(r"\1 not ", text))
    text = _AGAIN.sub(lambda m: f"{m[1]} {m[2]} {m[3]} {'did' if _PAST[m[1]] == m[4] else m[4]}", text)
    if match := _NEITHER.fullmatch(text):
        return f"{match[1]}{match[2]}{match[3]}{match[4]}{_SINGULAR[match[2]]}{match[6]}"
    if match := _UNLESS.fullmatch(text):  # the other way round: "unless Paul can swim, Ann can" is hard to read
        first, second = _clause(match[1]), _clause(match[2])
        return f"{match[2]} unless {first.short}." if first and second and _same_predicate(first, second) else text
    if match := _TWO.fullmatch(text):
        first, second = _clause(match["first"]), _clause(match["second"])
        if first and second and _same_predicate(first, second):
            short = second.short
            if match["link"] == ", then " and first.negated == second.negated:
                short = f"{'neither' if second.negated else 'so'} {second.auxiliary} {second.subject}"
            return f"{match['head']}{match['first']}{match['link']}{short}{match['tail']}{match['stop']}"
    return text


def undo(text: str) -> str:
    """Say everything in full, as the patterns have it."""
    text = _ONLY.sub(r"only people who are \1 ", text)
    text = _DID.sub(lambda m: f"{m[1]} {m[2]} {m[3]} {_PAST[m[1]]}", text)
    if match := _NEITHER.fullmatch(text):
        return f"{match[1]}{match[2]}{match[3]}{match[4]}{match[2]}{match[3]}"
    match = _TWO.fullmatch(text)
    if match and (first := _clause(match["first"])) and (short := _SHORT.fullmatch(match["second"])):
        if short["so"]:
            clause = _Clause(short["name"], short["aux"], short["so"] == "neither", first.rest)
        else:
            clause = _Clause(short[4], short[5], bool(short[6]), first.rest)
        return f"{match['head']}{match['first']}{match['link']}{clause.full}{match['tail']}"
    return text


def _clause(text: str) -> _Clause | None:
    match = _CLAUSE.fullmatch(text)
    if not match:
        return None
    subject, verb, negated, rest = match.groups()
    if verb in _DOES:
        return _Clause(subject, "does", False, f"{_DOES[verb]} {rest}")
    return _Clause(subject, verb, bool(negated), rest)


def _same_predicate(first: _Clause, second: _Clause) -> bool:
    return (first.auxiliary, first.rest) == (second.auxiliary, second.rest)
