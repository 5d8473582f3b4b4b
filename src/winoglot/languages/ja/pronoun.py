"""Spoken pronouns: 彼, 彼女, それ, そこ and their plurals, each replaced by the candidate before its particle.

その before a noun is the possessive of a thing: その取っ手 → 傘の取っ手.

Much that looks like one is not: 彼女 is not 彼 with 女, それで and そこで may join clauses, それを聞いて takes up what
was said, 彼女ができた is about a girlfriend, and 自分 depends on its clause. Those are refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.agreement import traits
from winoglot.languages.base import NotDerivedError
from winoglot.languages.features import Traits
from winoglot.languages.ja.referent import called, conjuncts, is_person, is_place, is_somebody, number
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import names
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Item

_STOPS = "。、！？!?…「」『』（）()\n　 "
_RULES = {"は": "topic", "が": "subject", "を": "object", "の": "possessive", "に": "dative", "も": "topic"}
_ROLES = {"は": "subject", "が": "subject", "を": "object", "の": "possessive"} | dict.fromkeys(
    "にとへで", "prepositional"
)
_SUBJECT = re.compile(r"[\u3005\u3400-\u9fff\u30a1-\u30fcんまA-Za-z](?:は|が|も)(?!あ|な|し|っ|い)")
_TIMES = ("時", "とき", "頃", "ころ", "日", "当時", "年", "夜", "朝")
_COUNTED = re.compile("[二三四五六七八九十]人|両者|ふたり")
_EMPHATIC = re.compile(r"自身(?:は|が|も|で|に|から|、)")


def pronoun_features(item: Item) -> Traits:
    """What the pronoun shows, without a particle marked with it."""
    surface = item.parts[1]
    features = lexicon("ja", "pronouns").features().get(_form(surface))
    return traits(features, f"pronoun {surface!r}") if features else Traits()


def pronoun_role(item: Item) -> str | None:
    """The role of the pronoun in its clause, by the particle after it.

    >>> from winoglot import Candidate, Item, Span
    >>> pronoun_role(Item("a.0", "a", text="花子は彼を呼んだ。", pronoun=Span(3, 4), candidates=(Candidate("父"),)))
    'object'
    """
    _, surface, following = item.parts
    if surface in lexicon("ja", "pronouns").words("possessive"):
        return "possessive"
    rest = surface[len(_form(surface)) :] + following
    return "prepositional" if rest.startswith(("から", "まで", "より", "には", "では")) else _ROLES.get(rest[:1])


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate; a particle that is marked with it stays."""
    form = _form(place.surface)
    span = Span(place.pronoun.start, place.pronoun.start + len(form))
    following = place.text[span.end :]
    kinds = lexicon("ja", "pronouns").entries[form][0]
    if kinds.has("reflexive"):
        raise NotDerivedError(f"{form} refers to the subject of its clause")
    if kinds.has("possessive"):
        _check_owner(place, form, following)
        return place.rewrite(span, f"{place.phrase.text}の", rule="possessive", fuse=False)
    if kinds.has("plural"):
        _check_several(place, form)
    if kinds.has("personal"):
        _check_partner(place, form, following)
        _check_reflexive(form, following)
    elif kinds.has("place"):
        _check_place(place, form)
        _check_connective(place, form, span)
    else:
        _check_thing(place, form, following)
        _check_degree(form, following)
        _check_connective(place, form, span)
    _check_apposition(form, following)
    phrase = place.phrase.text
    if phrase.endswith("の") and following.startswith("の"):
        raise NotDerivedError(f"{phrase!r} cannot come before another の")
    counted = _COUNTED.match(following)
    if kinds.has("plural") and counted:
        return _counted(place, span, form + counted.group())
    return place.rewrite(span, phrase, rule=_RULES.get(following[:1], "in place"), fuse=False)


def _form(surface: str) -> str:
    """The pronoun without a particle marked with it: 彼 of 彼を."""
    return surface if surface in lexicon("ja", "pronouns") else surface[:-1]


def _check_apposition(form: str, following: str) -> None:
    """Refuse 彼ら家族, 彼ら学生, where the noun says who they are."""
    noun = re.match(r"[\u3005\u3400-\u9fff\u30a1-\u30fc]+", following)
    if noun and not following.startswith(tuple(lexicon("ja", "function_words").words("adnominal"))):
        raise NotDerivedError(f"{noun.group()} right after {form} belongs to it")


def _counted(place: Place, span: Span, pronoun: str) -> Substitution:
    """彼ら二人 → 太郎と花子の二人, 学生たち二人."""
    phrase = place.phrase.text
    parts = conjuncts(phrase)
    is_other_count = len(parts) > 1 and pronoun[-2:] not in (f"{'零一二三四五'[min(len(parts), 5)]}人", "両者", "たり")
    if place.phrase.traits.number.value != "plural" or is_other_count:
        raise NotDerivedError(f"nothing shows that {phrase} are as many as {pronoun}")
    return place.rewrite(span, phrase + "の" * (len(parts) > 1), rule="counted", fuse=False)


def _check_several(place: Place, form: str) -> None:
    """Refuse 先生 for 彼ら beside 生徒たち, who are several; a group such as 会社 may be either."""
    phrase = place.phrase.text
    rivals = [called(rival, place.item) for rival in place.item.candidates if rival.mentions != place.mentions]
    if number(phrase) is None and is_person(phrase) and any(number(rival) == "plural" for rival in rivals):
        raise NotDerivedError(f"{form} are several, and so is another candidate, but not {phrase}")
    if phrase in names("ja-JP").surnames and not form.startswith(
        ("それ", "これ", "あれ")
    ):  # not a wood, although 林 is one
        raise NotDerivedError(f"number differs: {form} are several, {phrase} is one person")


def _check_partner(place: Place, form: str, following: str) -> None:
    """Refuse 彼女ができた and 太郎の彼女, which are about a partner; その時の彼女は is a pronoun."""
    before = place.text[: place.pronoun.start]
    phrase = _opening(form + following, "partner")
    is_there = phrase.startswith("彼女がい") and not before.endswith(("に", "は", "も"))  # 弟に彼女がいる
    if phrase and not is_there:
        raise NotDerivedError(f"in {phrase!r}, {form} may be a partner")
    if before.endswith("新しい") or (before.endswith("の") and not before[:-1].endswith(_TIMES)):
        raise NotDerivedError(f"after {before[-3:]!r}, {form} may be somebody's partner")


def _opening(text: str, kind: str) -> str:
    """The longest phrase of that kind with which the text begins."""
    phrases = lexicon("ja", "phrases").words(kind)
    return max((phrase for phrase in phrases if text.startswith(phrase)), key=len, default="")


def _check_reflexive(form: str, following: str) -> None:
    """Refuse 彼自ら and 彼自身を, which may refer to the subject of their clause; 彼自身は stresses."""
    if following.startswith("自ら") or (following.startswith("自身") and not _EMPHATIC.match(following)):
        raise NotDerivedError(f"{form}{following[:2]} may refer to the subject of its clause")


def _check_place(place: Place, form: str) -> None:
    """Refuse そこ unless every candidate is a place."""
    for candidate in place.item.candidates:
        if not is_place(candidate.text):
            raise NotDerivedError(f"{form} is a place, and nothing shows that {candidate.text} is one")


def _check_owner(place: Place, form: str, following: str) -> None:
    """Refuse その before what is no part of a candidate: その後, その人, その犬 of a dog, その町 of a place."""
    candidates = [candidate.text for candidate in place.item.candidates]
    noun = re.match(r"[ぁ-ん]?[\u3005\u3400-\u9fff\u30a1-\u30fc]+", following)
    phrase = _opening(form + following, "fixed")
    if phrase or noun is None:
        raise NotDerivedError(f"in {phrase or form + following[:2]!r}, {form} may be what was said or what happened")
    if any(map(is_person, candidates)):
        raise NotDerivedError(f"{form} may point to {noun.group()} and own nothing")
    is_same = any(candidate.endswith(noun.group()) for candidate in candidates)
    if is_same or is_person(noun.group()) or (is_place(noun.group()) and any(map(is_place, candidates))):
        raise NotDerivedError(f"{form}{noun.group()} may be a candidate")


def _check_thing(place: Place, form: str, following: str) -> None:
    """Refuse それ for what was said or what happened, and for a person."""
    phrase = _opening("それ" + following, "propositional")
    if phrase:
        raise NotDerivedError(f"in {phrase.replace('それ', form)!r}, {form} may be what was said or what happened")
    if all(is_person(candidate.text) for candidate in place.item.candidates):
        raise NotDerivedError(f"{form} is not a person, so it may be what was said or what happened")
    if is_somebody(place.phrase.text):
        raise NotDerivedError(f"{form} is not a person, and {place.phrase.text} is")


def _check_degree(form: str, following: str) -> None:
    """Refuse それだけ重い and それこそ大変, which say how much; それだけは and それこそが hold a pronoun."""
    if re.match("(?:だけ|こそ)(?![はがをでにの])", following):
        raise NotDerivedError(f"{form}{following[:2]} may say how much")


def _check_connective(place: Place, form: str, span: Span) -> None:
    """Refuse それで、 and そこで花子は, which join clauses; not 花子はそれに座った and 紙をそれで切った."""
    rest = place.text[span.end :]
    word = next((w for w in _connectives() if w.startswith(form) and rest.startswith(w[len(form) :])), None)
    if word is None:
        return
    after = rest[len(word) - len(form) :]
    if after.startswith(("は", "も")) and (word.endswith("に") or word == "そこで"):
        return  # それには, それにも and そこでは are not connectives
    clause = re.split(f"[{_STOPS}]", after, maxsplit=1)[0]
    before = place.text[: span.start]
    opens = not before or before[-1] in _STOPS
    is_clear = {
        "から": form == "そこ"
        or (not opens and any(verb in clause for verb in lexicon("ja", "verbs").words("departing"))),
        "で": form == "そこ" or (not opens and ("を" in clause or before.endswith("を"))),
    }.get(word[len(form) :], True)
    if after[:1] in ("、", ",", "，") or (opens and _SUBJECT.search(clause)) or not is_clear:
        if word.endswith("が") and after[:1] not in ("、", ",", "，"):
            return  # それが with a predicate of its own
        raise NotDerivedError(f"{word} may join its clause to the one before")


def _connectives() -> frozenset[str]:
    return lexicon("ja", "function_words").words("connective")
