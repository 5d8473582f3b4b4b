"""What a Japanese candidate denotes: how the text refers to it again, its number, and whether it is a person or place.

A name returns as in its mention, with the honorific or the plural ending that the citation leaves out: 林 in a
text about 林さん, 学生 in one about 学生たち. 一人の男 and ある男 return as その男; 誰か cannot be referred to again.

Two candidates cannot be exchanged if a counter, an honorific or a plural ending would stay with the wrong noun:
一本の木 and 一台の車 have their own counters, 林さん and 森先生 their own titles.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from winoglot.languages.agreement import person_gender, traits
from winoglot.languages.base import NotDerivedError
from winoglot.languages.features import NAMES, UNKNOWN, Trait, Traits
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_name, name_gender, names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.slots import Slot
    from winoglot.languages.substitution import Phrase, Place
    from winoglot.schemas.model import Candidate, Item

_KANJI = "\u3005\u3400-\u9fff"
_KATAKANA = "\u30a1-\u30fa\u30fc"
_TO_HIRAGANA = {point: point - 0x60 for point in range(0x30A1, 0x30F7)}
_ONE = re.compile(
    r"(?:一人の|1人の|１人の|ひとりの|一匹の|一頭の|一台の|一本の|一冊の|一つの|ある(?=[々-龥ァ-ー]))(?=.)"
)
PLURAL_ENDING = re.compile(r"たち|達(?!成|人)|ら(?=[はがをにのともへでや、。，]|から)|がた(?=[はがをにのも])|方々")
_RA = re.compile(rf"[{_KANJI}{_KATAKANA}]ら$")  # 学生ら but not さくら
_PLURAL = re.compile(rf"(?:たち|達|方々|(?<=[{_KANJI}{_KATAKANA}])ら)$")
_MEN_OR_WOMEN = re.compile(r"(?:^|の)(男|女)(?:性|子|の)(?=.)")
_UNLISTED = re.compile(rf"[{_KATAKANA}・]+|[{_KANJI}]{{1,3}}")
_FOREIGN = re.compile(rf"[{_KATAKANA}・＝A-Za-zＡ-Ｚａ-ｚ. ]+")
_GENITIVE = re.compile(rf"[{_KANJI}{_KATAKANA}A-Za-z]の")
_CONJUNCT = re.compile(rf"[{_KANJI}{_KATAKANA}・A-Za-z]+(?:さん|くん|ちゃん|さま|たち)?")
_AFTER_KANA = re.compile(rf"(?<=[ぁ-ん])(?=[{_KANJI}{_KATAKANA}])")  # 駅前の|店, 新しい|家
_COUNTER = re.compile(r"(?:[0-9０-９]+|[一二三四五六七八九十百千数何]+)([^\sの、。はがを]{1,2})の$")
_TWO_KANJI = re.compile(rf"[{_KANJI}]{{2}}")
_JOINT = re.compile(
    rf"(?<=[{_KANJI}{_KATAKANA}A-Za-zんま])(?:と|や|および|及び)(?=[{_KANJI}{_KATAKANA}A-Za-zおごあいさは])|、"
)


def definite(item: Item, index: int) -> str:
    """The candidate as the text calls it, on second mention."""
    candidate = item.candidates[index]
    if _is_unrepeated(candidate.text):
        raise NotDerivedError(f"{candidate.text!r} would refer to somebody else on second mention")
    return _ONE.sub("その", called(candidate, item), count=1)


def called(candidate: Candidate, item: Item) -> str:
    """The candidate with the honorific and the plural ending that its first mention has: 林さん, お母さん, 学生たち."""
    phrase, text = candidate.text, item.text or ""
    if _GENITIVE.fullmatch(phrase[-2:]):  # 林の cited for 林
        phrase = phrase[:-1]
    mention = next((mention for mention in candidate.mentions if mention.of(text).startswith(phrase)), None)
    if mention is None:
        return phrase
    end = mention.start + len(phrase)
    title = title_after(phrase, text[end:])
    ending = PLURAL_ENDING.match(text, end + len(title))
    polite = text[mention.start - 1 : mention.start] if title and mention.start else ""
    return (polite if polite in ("お", "ご") else "") + phrase + title + (ending.group() if ending else "")


def title_after(phrase: str, following: str) -> str:
    """The honorific after any noun, or the title after a name."""
    may_be_named = is_named(phrase) or phrase in names("ja-JP").surnames or _may_be_named(phrase)
    kind = "title" if may_be_named else "honorific"
    if phrase.endswith(_titles(kind)):
        return ""
    return next((t for t in _titles(kind) if following.startswith(t) and _ends(t, following[len(t) :])), "")


@cache
def _titles(kind: str) -> tuple[str, ...]:
    """The titles, longest first."""
    return tuple(sorted(lexicon("ja", "nouns").words(kind), key=len, reverse=True))


def _may_be_named(phrase: str) -> bool:
    """Whether the phrase looks like an unlisted name: スミス, 松井; but not 大学."""
    return bool(_UNLISTED.fullmatch(phrase)) and not (_is_a(phrase, "place") or _is_a(phrase, "human"))


def _ends(title: str, following: str) -> bool:
    """Whether the title is whole: 林様 but not 林様式."""
    return re.match(rf"[{_KANJI}]", title[-1]) is None or re.match(rf"[{_KANJI}](?<!達)", following) is None


def candidate_features(candidate: Candidate, item: Item) -> Traits:
    """What the author states, else what the candidate shows as the text calls it."""
    phrase, stated = called(candidate, item), traits(candidate.features, "stated")
    phrase_number = number(phrase)
    shown_traits = Traits(
        gender(phrase),
        Trait(phrase_number, repr(phrase)) if phrase_number else UNKNOWN,
        Trait("human", repr(phrase)) if is_person(phrase) else UNKNOWN,
    )
    return Traits(*(stated.of(name) if stated.of(name).value else shown_traits.of(name) for name in NAMES))


@lru_cache(maxsize=10_000)
def gender(phrase: str) -> Trait:
    """The gender that a name, a term of kinship or a word like 男性 shows.

    >>> [gender(phrase).value for phrase in ("花子さん", "隣の娘", "男性店員", "少女たち", "父と母", "店員")]
    ['feminine', 'feminine', 'masculine', 'feminine', 'masculine', None]
    """
    if is_coordination(phrase):
        parts = [gender(part) for part in conjuncts(phrase)]
        if all(part.value == "feminine" for part in parts):
            return parts[0]
        return next((part for part in parts if part.value == "masculine"), UNKNOWN)
    single = _PLURAL.sub("", phrase)
    marked = _MEN_OR_WOMEN.search(single)
    if marked:
        return Trait("masculine" if marked.group(1) == "男" else "feminine", repr(marked.group()))
    by_noun, name = person_gender(single, "ja"), _bare(single)
    sources = (by_noun, name_gender(name, "ja"), name_gender(name.translate(_TO_HIRAGANA), "ja"))  # ハナコ
    return next((trait for trait in sources if trait.value), UNKNOWN)


def number_of(place: Place) -> str | None:
    """What the candidate's form shows."""
    return place.phrase.traits.number.value


@lru_cache(maxsize=10_000)
def number(phrase: str) -> Literal["singular", "plural"] | None:
    """Whether a phrase is certainly singular or plural; None if that is open.

    >>> [number(phrase) for phrase in ("太郎と花子", "学生たち", "林さん", "花子の母", "一人の学生", "学生")]
    ['plural', 'plural', 'singular', 'singular', 'singular', None]
    """
    if is_coordination(phrase):
        return "plural"
    if _ONE.match(phrase):
        return "singular"
    head = phrase.rpartition("の")[2]
    nouns = lexicon("ja", "nouns")
    if head in nouns.words("plural") or head.endswith(tuple(nouns.endings("plural", "suffix"))) or _RA.search(head):
        return "plural"
    return "singular" if is_named(phrase) or head in nouns.words("singular") or _is_addressed(phrase) else None


@lru_cache(maxsize=10_000)
def is_coordination(phrase: str) -> bool:
    """Whether the phrase names several: 太郎と花子, but not 母と暮らす少年.

    >>> is_coordination("林さんと森さん"), is_coordination("母と暮らす少年")
    (True, False)
    """
    return len(conjuncts(phrase)) > 1


def conjuncts(phrase: str) -> list[str]:
    """The parts of a coordination; the phrase alone if it is not one."""
    parts = _JOINT.split(phrase)
    people = lexicon("ja", "nouns").words("human")
    are_nouns = all(
        _CONJUNCT.fullmatch(part) or part in people or is_named(part) or part.rpartition("の")[2] in people
        for part in parts
    )
    return parts if are_nouns else [phrase]


@lru_cache(maxsize=10_000)
def is_named(phrase: str) -> bool:
    """Whether the phrase is the name of a person, by itself or with an honorific.

    >>> [is_named(phrase) for phrase in ("花子", "山田花子", "林さん", "ジョン・スミス", "机", "田中", "林")]
    [True, True, True, True, False, True, False]
    """
    name = _bare(phrase)
    if is_name(name, "ja") or (name in names("ja-JP").surnames and (name != phrase or not is_place(name))):
        return True  # 林 alone may be a wood
    first = re.split("[・＝]", name)
    return len(first) > 1 and _FOREIGN.fullmatch(name) is not None and is_name(first[0], "ja")


def _bare(phrase: str) -> str:
    """The phrase without its honorific."""
    title = next((title for title in _titles("title") if phrase.endswith(title) and phrase != title), "")
    return phrase.removesuffix(title)


def _is_addressed(phrase: str) -> bool:
    """Whether an honorific makes it one person: ベイカー氏, but not お客さん."""
    name = _bare(phrase)
    return name != phrase and _may_be_named(name) and phrase.endswith(("さん", "くん", "君", "ちゃん", "氏"))


@lru_cache(maxsize=10_000)
def is_person(phrase: str) -> bool:
    """Whether the phrase certainly names people.

    >>> [is_person(phrase) for phrase in ("花子", "隣の医者", "配達員", "机")]
    [True, True, True, False]
    """
    head = phrase.rpartition("の")[2]
    return is_somebody(phrase) or is_coordination_of_people(phrase) or _is_a(head, "human")


@lru_cache(maxsize=10_000)
def is_somebody(phrase: str) -> bool:
    """Whether the phrase denotes one particular person: by name, as a relative or with an honorific."""
    return (
        is_named(phrase) or _is_addressed(phrase) or phrase.rpartition("の")[2] in lexicon("ja", "nouns").words("kin")
    )


def is_coordination_of_people(phrase: str) -> bool:
    """Whether the phrase is a coordination of people only."""
    return is_coordination(phrase) and all(is_person(part) for part in conjuncts(phrase))


@lru_cache(maxsize=10_000)
def is_place(phrase: str) -> bool:
    """Whether the phrase certainly names a place.

    >>> is_place("駅前の喫茶店"), is_place("新しい家"), is_place("市立図書館"), is_place("花子")
    (True, True, True, False)
    """
    return _is_a(_AFTER_KANA.split(phrase)[-1], "place")


def _is_a(head: str, feature: str) -> bool:
    """Whether a noun has a feature, by the table or as a compound of a listed noun."""
    listed, endings = _kinds(feature)
    return head in listed or (len(head) > 1 and head.endswith(endings))


@cache
def _kinds(feature: str) -> tuple[frozenset[str], tuple[str, ...]]:
    nouns = lexicon("ja", "nouns")
    endings = nouns.words(feature, "suffix")
    listed = nouns.words(feature) - endings
    longer = (noun for noun in listed if len(noun) > 1)  # 私立図書館
    return listed, (*(ending[1:] for ending in endings), *longer)


@lru_cache(maxsize=10_000)
def _is_unrepeated(phrase: str) -> bool:
    """Whether the phrase would mean somebody else on second mention: 誰か."""
    forms = lexicon("ja", "nouns").words("unrepeated")
    whole_nouns = {form for form in forms if "-" not in form}
    endings = tuple(form[1:] for form in forms if form.startswith("-"))
    beginnings = tuple(form[:-1] for form in forms if form.endswith("-"))
    return phrase in whole_nouns or phrase.endswith(endings) or phrase.startswith(beginnings)


# Exchanging candidates


def check_exchange(text: str, slots: Sequence[Sequence[Slot]], _phrases: Sequence[Phrase]) -> None:
    """Raise NotDerivedError if the words beside the mentions fit only one of the candidates."""
    for part, read in (("counter", _counter), ("title or ending", _title_and_ending)):
        first, second = ({read(text, slot) for slot in candidate_slots} for candidate_slots in slots)
        if first != second:
            differences = ", ".join(sorted((first ^ second) - {""}))
            raise NotDerivedError(f"only one of the candidates has this {part} in the text: {differences}")


def _counter(text: str, slot: Slot) -> str:
    """The counter before a mention: 本 of 一本の木; empty if there is none."""
    counter = _COUNTER.search(text[: slot.noun.start])
    return counter.group(1) if counter else ""


def _title_and_ending(text: str, slot: Slot) -> str:
    """The title and plural ending after a mention; NotDerivedError if the mention is only the first part of a word."""
    noun, following = slot.noun.of(text), text[slot.noun.end :]
    title = title_after(noun, following)
    ending = PLURAL_ENDING.match(following, len(title))
    adnominal = tuple(lexicon("ja", "function_words").words("adnominal"))
    if not title and _TWO_KANJI.match(noun[-1] + following[:1]) and not following.startswith(adnominal) and not ending:
        raise NotDerivedError(f"{noun} is only the first part of a longer word there")
    return title + (ending.group() if ending else "")
