"""Chinese verb phrases. For cities 去过, for people 拜访过.

没 replaces 了 but keeps 过; 不比 is "not more than", 没有 … 高 "less than".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.clauses import Deed, Described, Gap, Is, Named, Only, Quantity, Several
from winoglot.logic.languages.base import said, slot
from winoglot.logic.languages.zh.numerals import numeral

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Phrase, Predicate
    from winoglot.logic.formulas import Sort

_DEGREE = {"taller": "高", "shorter": "矮", "at-least-as-tall": "高", "as-tall": "高", "not-as-tall": "高"}


def predicate(what: Predicate, rng: Random, *, bare: bool = False) -> str:
    """The predicate in words; `bare` after 没有人, 谁也没有, where the verb carries no negation of its own."""
    match what:
        case Deed(verb="visit"):
            return _visit(what, rng, bare)
        case Deed(verb="before" | "after"):
            return _arrive(what, rng)
        case Deed():
            return _compare(what, rng)
        case Is():
            the = isinstance(what.what, Described) and not what.what.only  # 就是 … 的那个人
            return f"{'不是' if what.negated else '就是' if the else '是'}{_identity(what.what, rng)}"
        case Several():
            joiner = "，也" if what.joiner == "and" else "，或者"
            return joiner.join(predicate(part, rng) for part in what.parts)
        case Gap():
            return gap(what, "place", rng)


def gap(what: Gap, sort: Sort, rng: Random) -> str:
    """(城市) Ana 没有去过: the object has been mentioned already."""
    who = what.subject
    if not isinstance(who, Named):
        raise ValueError("only a name can come before the gap")
    verb = said("zh", f"not.{sort}" if what.negated else f"visit.{sort}", rng)
    return f"{slot(who)}{verb}"


def relative(what: Predicate, sort: Sort, rng: Random) -> str:
    """去过罗马的, 王芳去过的."""
    return f"{gap(what, sort, rng) if isinstance(what, Gap) else predicate(what, rng)}的"


def described(phrase: Described, rng: Random) -> str:
    """去过罗马的那个人, 唯一去过罗马的人."""
    noun, measure = said("zh", f"noun.{phrase.sort}", rng), said("zh", f"measure.{phrase.sort}", rng)
    words = relative(phrase.predicate, phrase.sort, rng)
    return f"唯一{words}{noun}" if phrase.only else f"{words}那{measure}{noun}"


def counted(phrase: Quantity) -> str:
    """三座城市, 两个人."""
    return f"{numeral(phrase.n)}{'个人' if phrase.sort == 'person' else '座城市'}"


def _identity(phrase: Phrase, rng: Random) -> str:
    if isinstance(phrase, Described):
        return described(phrase, rng)
    if isinstance(phrase, Named):
        return slot(phrase)
    raise ValueError(f"cannot say that somebody is {phrase}")


def _visit(deed: Deed, rng: Random, bare: bool) -> str:
    thing = deed.object
    if isinstance(thing, Quantity):
        return _visit_quantity(thing, rng, bare)
    if isinstance(thing, Only):
        raise ValueError("'only' can modify only a subject")
    done, not_done = said("zh", f"visit.{thing.sort}", rng), said("zh", f"not.{thing.sort}", rng)
    if isinstance(thing, Described):
        return f"{not_done if deed.negated else done}{described(thing, rng)}"
    if thing.several:
        match thing.joiner:
            case "nor":
                return slot(thing, before=not_done, joiner="also")
            case "not-all":
                return slot(thing, before=not_done, joiner="either")
            case "or" if deed.negated:
                return slot(thing, before=not_done, joiner="either")
            case "and" if thing.whole:
                return slot(thing, before=done, joiner="both")
            case _:
                return f"{done}{slot(thing)}"
    return f"{not_done if deed.negated else done}{slot(thing)}"


def _visit_quantity(thing: Quantity, rng: Random, bare: bool) -> str:
    sort = thing.sort
    done, not_done = said("zh", f"visit.{sort}", rng), said("zh", f"not.{sort}", rng)
    one = f"一{said('zh', f'one.{sort}', rng)}"
    match thing.amount:
        case "all":
            return f"{done}{said('zh', f'all.{sort}', rng)}"
        case "none":
            return f"{not_done}{said('zh', f'any.{sort}', rng)}"
        case "some":
            return f"{done}{said('zh', f'any.{sort}', rng)}" if bare else f"至少{done}{one}"
        case "not-all":  # 没有去过所有城市 might mean "none of them"
            return f"至少有{one}{not_done}"
        case "more-than":
            return f"{done}的{said('zh', f'noun.{sort}', rng)}{rng.choice(('多于', '不止'))}{_amount(thing)}"
        case "fewer-than":
            return f"{done}的{said('zh', f'noun.{sort}', rng)}{rng.choice(('少于', '不到'))}{_amount(thing)}"
        case _:
            return f"{said('zh', thing.amount, rng)}{done}{counted(thing)}"


def _amount(thing: Quantity) -> str:
    return f"{numeral(thing.n)}{'个' if thing.sort == 'person' else '座'}"


def _compare(deed: Deed, rng: Random) -> str:
    other, degree = _other(deed.object, rng), _DEGREE[deed.verb]
    several = isinstance(deed.object, Named) and deed.object.several
    match deed.verb:
        case "taller" | "shorter":
            return f"{'不' if deed.negated else ''}比{other}{'都' if several else ''}{degree}"
        case "not-as-tall":
            return f"没有{other}{degree}"
        case _:
            return f"至少{rng.choice(('和', '跟', '与'))}{other}一样高"


def _arrive(deed: Deed, rng: Random) -> str:
    other = _other(deed.object, rng)
    both = "都" if isinstance(deed.object, Named) and deed.object.several else ""
    early = deed.verb == "before"
    order, time = ("先", "早") if early else ("后", "晚")
    if deed.negated:
        return rng.choice((f"没有比{other}{both}{'先' if early else '晚'}到", f"到得不比{other}{both}{time}"))
    return rng.choice((f"比{other}{both}{order}到", f"到得比{other}{both}{time}"))


def _other(phrase: Phrase, rng: Random) -> str:
    match phrase:
        case Named():
            return slot(phrase)
        case Described():
            return described(phrase, rng)
        case Quantity():
            return said("zh", f"all.{phrase.sort}", rng) if phrase.amount == "all" else counted(phrase)
        case Only():
            raise ValueError("'only' can modify only a subject")
