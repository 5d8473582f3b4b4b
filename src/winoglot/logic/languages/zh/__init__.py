"""Chinese sentences: 王芳和李伟都没有去过罗马。至少有一个人没有去过开罗。"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.clauses import (
    Condition,
    Deed,
    Denied,
    Described,
    Gap,
    Joined,
    Named,
    NumberIs,
    Only,
    Quantity,
    Say,
    There,
)
from winoglot.logic.languages.base import said, slot
from winoglot.logic.languages.zh.numerals import numeral
from winoglot.logic.languages.zh.predicates import counted, described, gap, predicate, relative

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Clause, Predicate
    from winoglot.logic.vocabulary import WrittenName

STOP = ""
_LAST = {"and": "和", "or": "或", "also": "，也", "either": "，或者"}


def sentence(clause: Clause, rng: Random) -> str:
    """The plan in words, with marks for names."""
    return _clause(clause, rng)


def form(word: WrittenName, form: str) -> str:
    """Chinese names have one form."""
    raise ValueError(f"unknown form {form!r} of {word.text}")


def joined(forms: list[str], joiner: str) -> str:
    """A list of names, or of one predicate per name.

    >>> joined(["王芳", "李伟", "张敏"], "and"), joined(["没去过罗马", "没去过利马"], "also")
    ('王芳、李伟和张敏', '没去过罗马，也没去过利马')
    """
    if joiner == "both":
        return f"既{'又'.join(forms)}"
    last = _LAST[joiner]
    between = last if last.startswith("，") else "、"
    return f"{between.join(forms[:-1])}{last}{forms[-1]}"


def finished(text: str) -> str:
    """Add the full stop."""
    return f"{text}。"


def _clause(clause: Clause, rng: Random, *, denied: bool = False) -> str:
    match clause:
        case Say():
            return _say(clause, rng)
        case There():
            return _there(clause, rng)
        case NumberIs():
            measure = said("zh", f"measure.{clause.sort}", rng)
            verb = "不是" if clause.negated else rng.choice(("一共有", "总共有"))
            words = f"{relative(clause.gap, clause.sort, rng)}{said('zh', f'noun.{clause.sort}', rng)}"
            return f"{words}{verb}{numeral(clause.n)}{measure}"
        case Denied():
            return _denied(clause, rng, inner=denied)
        case Joined():
            parts = [_clause(part, rng) for part in clause.clauses]
            if clause.joiner == "or":
                return rng.choice(("{}，或者{}", "或者{}，或者{}")).format("，或者".join(parts[:-1]), parts[-1])
            return f"{'，'.join(parts[:-1])}，{rng.choice(('并且', '而'))}{parts[-1]}"
        case Condition():
            condition, consequence = _clause(clause.condition, rng), _clause(clause.consequence, rng)
            opening = rng.choice(("如果{}，那么{}", "要是{}，那么{}", "如果{}的话，那么{}", "假如{}，那么{}"))
            return opening.format(condition, consequence)


def _denied(clause: Denied, rng: Random, *, inner: bool) -> str:
    words = _clause(clause.clause, rng, denied=True)
    deed = clause.clause.predicate if isinstance(clause.clause, Say) else None
    visitors = isinstance(deed, Deed) and deed.verb == "visited-by"  # 并非去过罗马的人里: unclear what is negated
    if isinstance(clause.clause, Denied):
        return f"“{words}”{rng.choice(('的说法是错误的', '这种说法不对'))}"
    if inner:
        return f"并非{_some(words)}" if "，" not in words and not visitors else f"并非如此：{words}"
    options = [f"“{words}”的说法是错误的", f"“{words}”这种说法不对"]
    if (
        "，" not in words and words[0] not in "不并" and not visitors
    ):  # after a comma the scope of the negation would be unclear
        options.append(f"并非{_some(words)}")
    return rng.choice(options)


def _some(words: str) -> str:
    """After 并非, 有一个人 would mean the number one: 并非有人去过巴塞尔."""
    for counting in ("至少有一个人", "有一个人"):
        if words.startswith(counting) and not words.startswith(f"{counting}是"):
            return f"有人{words.removeprefix(counting)}"
    return words


def _say(clause: Say, rng: Random) -> str:
    who, what = clause.subject, clause.predicate
    match who:
        case Quantity():
            return _quantity(who, clause, rng)
        case Only():
            if who.besides:
                return f"除了{slot(who.name)}，没有人{predicate(what, rng, bare=True)}"
            return f"只有{slot(who.name)}{predicate(what, rng)}"
        case Described():
            return f"{described(who, rng)}{predicate(what, rng)}"
        case Named():
            return _names(who, clause, rng)


def _names(who: Named, clause: Say, rng: Random) -> str:
    what = clause.predicate
    if isinstance(what, Deed) and what.verb == "visited-by" and isinstance(what.object, Named):
        return _visitors(who, what.object, what.negated, rng)
    if not who.several:
        return _topic(who, clause, rng) or f"{slot(who)}{predicate(what, rng)}"
    match who.joiner:
        case "and":
            return f"{slot(who)}都{predicate(what, rng)}"
        case "nor" if isinstance(what, Deed):
            return f"{slot(who, joiner='and')}都{predicate(Deed(what.verb, what.object, negated=True), rng)}"
        case _:
            some = f"{slot(who, joiner='and')}{'两人' if who.size == 2 else ''}中至少有一人"
            negated = isinstance(what, Deed) and what.negated
            words = predicate(what, rng)
            return f"{some}{words}" if negated or rng.random() < 0.6 else f"{slot(who)}{words}"


def _visitors(visited: Named, visitor: Named, negated: bool, rng: Random) -> str:
    """去过罗马的人里有王芳; if a list is visited, the list comes first: 罗马和利马，王芳都去过.

    With people this is ambiguous: 张敏和李伟，王芳都拜访过 could also mean that they visited her.
    """
    done = said("zh", f"visit.{visited.sort}", rng)
    if visited.several and visited.sort == "person":
        be = "都不是" if visited.joiner == "nor" else "都是"
        return f"{slot(visited, joiner='and')}{be}{slot(visitor)}{done}的人"
    if visited.several:
        no = said("zh", f"not.{visited.sort}", rng)
        return f"{slot(visited, joiner='and')}，{slot(visitor)}都{no if visited.joiner == 'nor' else done}"
    among = f"{done}{slot(visited)}的人{rng.choice(('里', '当中'))}"
    if visitor.several and visitor.joiner == "nor":
        return f"{among}{slot(visitor, before='没有', joiner='also')}"
    return f"{among}{'没有' if negated else '有'}{slot(visitor)}"


def _topic(who: Named, clause: Say, rng: Random) -> str:
    """Sometimes the object comes first: 罗马和利马，王芳都没有去过."""
    what = clause.predicate
    if not (isinstance(what, Deed) and what.verb == "visit" and isinstance(what.object, Named | Quantity)):
        return ""
    thing = what.object
    done, not_done = said("zh", f"visit.{thing.sort}", rng), said("zh", f"not.{thing.sort}", rng)
    if isinstance(thing, Quantity) and thing.amount == "not-all":
        return _not_all(thing, who, rng, done, not_done)
    long = isinstance(thing, Named) and thing.size > 2 and thing.joiner != "and"
    unclear = isinstance(thing, Named) and thing.sort == "person" and thing.joiner in {"and", "nor"}  # see _visitors
    if unclear or (not long and rng.random() < 0.6):
        return ""
    match thing:
        case Named() as names if names.several:
            head = f"{slot(names, joiner='and')}，{slot(who)}"
            measure = "座" if names.sort == "place" else "位"
            match names.joiner:
                case "and":
                    return f"{head}都{done}"
                case "nor":
                    return f"{head}都{not_done}"
                case "or" if not what.negated:
                    return f"{head}至少{done}一{measure}"
                case _:
                    return f"{head}至少有一{measure}{not_done}"
        case Quantity(amount="all", sort="place"):
            return f"{rng.choice(('所有城市', '每座城市'))}{slot(who)}都{done}"
        case Quantity(amount="none", sort="place"):
            return f"{slot(who)}哪座城市都{rng.choice(('没有', '没'))}{done}"
        case _:
            return ""


def _not_all(thing: Quantity, who: Named, rng: Random, done: str, not_done: str) -> str:
    noun, one = ("人", "个人") if thing.sort == "person" else ("城市", "座城市")
    if thing.sort == "person":  # 不是所有人王芳都拜访过 could also mean that they visited her
        options = [f"至少有一{one}是{slot(who)}{not_done}的", f"并不是每{one}都是{slot(who)}{done}的"]
    else:
        options = [
            f"不是所有{noun}{slot(who)}都{done}",
            f"并不是每{one}{slot(who)}都{done}",
            f"至少有一{one}{slot(who)}{not_done}",
            f"{slot(who)}至少有一{one}{not_done}",
        ]
    return rng.choice(options)


def _quantity(who: Quantity, clause: Say, rng: Random) -> str:
    what = clause.predicate
    if who.amount == "some":
        who, what = _not_everyone(who, what)
    match who.amount:
        case "all" | "not-all" | "some":
            return f"{said('zh', f'{who.amount}.subject', rng)}{predicate(what, rng)}"
        case "none":
            nobody = said("zh", "none.subject", rng) if isinstance(what, Deed) and what.verb == "visit" else "没有人"
            return f"{nobody}{predicate(what, rng, bare=True)}"
        case "more-than":
            return f"{relative(what, 'person', rng)}人{rng.choice(('多于', '不止'))}{numeral(who.n)}个"
        case "fewer-than":
            return f"{relative(what, 'person', rng)}人{rng.choice(('少于', '不到'))}{numeral(who.n)}个"
        case _:
            return f"{said('zh', who.amount, rng)}有{counted(who)}{predicate(what, rng)}"


def _not_everyone(who: Quantity, what: Predicate) -> tuple[Quantity, Predicate]:
    """Say "someone has not visited all" as "not everyone has visited all", to avoid 至少有一个 twice in a row."""
    match what:
        case Deed(verb="visit", object=Quantity(amount="not-all", sort=sort)):
            return Quantity("not-all", who.sort), Deed("visit", Quantity("all", sort))
        case _:
            return who, what


def _there(clause: There, rng: Random) -> str:
    what, said_of = clause.what, clause.predicate
    if what.amount == "some" and _not_everyone(what, said_of)[0] != what:
        return _quantity(what, Say(what, said_of), rng)
    one = said("zh", f"one.{what.sort}", rng)
    if isinstance(said_of, Gap):
        words = gap(said_of, what.sort, rng)
        if what.amount == "none":
            return f"没有{rng.choice(('哪', '一'))}{one}是{words}的"
        if what.amount == "some":
            some = rng.choice(("有", "至少有"))
            # 有一个人王芳拜访过 would be misread as a person called 王芳
            return f"{some}一{one}是{words}的" if what.sort == "person" else f"{some}一{one}{words}"
        return f"{said('zh', what.amount, rng)}有{counted(what)}{words}"
    if what.amount == "none":
        return f"没有{rng.choice(('', '任何', '一个'))}人{predicate(said_of, rng, bare=True)}"
    if what.amount == "some":
        return f"{rng.choice(('有一个人', '至少有一个人'))}{predicate(said_of, rng)}"
    return f"{said('zh', what.amount, rng)}有{counted(what)}{predicate(said_of, rng)}"
