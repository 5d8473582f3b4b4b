"""Unspoken subjects and objects: the candidate takes the place of the mark, with は, が or を.

The subject of a subordinate clause takes が (次郎が疲れていたので), the topic of a sentence or of a clause of equal
rank は (しかし次郎は断った). A clause that has another が gets は: 次郎は頭が痛かったから. Where the subject is spoken,
what is unspoken is the object, if a transitive verb follows at once: 犬が箱を壊した. The particle depends on the text
alone, so both readings of an item have the same.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.ja.referent import is_person
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place

_STOPS = "。、，,！？!?…「」『』（）()\n　 "
_KANJI = "\u3005\u3400-\u9fff"
_KATAKANA = "\u30a1-\u30fa\u30fc"
_SHORTEST_PREDICATE = 2
_NOUN = rf"[{_KANJI}{_KATAKANA}A-Za-zＡ-Ｚ0-9]"
# A noun, with an honorific or a plural ending, before は, が or も; or one in hiragana, where a word begins (りんごが).
_SPOKEN = re.compile(
    rf"((?:{_NOUN}|の)*{_NOUN}(?:さん|くん|ちゃん|さま|たち|ら|か)?|[そこあ]れら?)([はがも])|"
    rf"((?<![ぁ-ん{_KANJI}])[ぁ-ん]*[ぁ-ん](?<!に)(?<!で)(?<!と)(?<!て)(?<!へ)(?<!ら)(?<!り)(?<!な))([はが])(?=[^ぁ-ん]|$)"
)
# Where a clause ends without a comma: 電話したが…, 疲れたので…, 入らないのは….
_CLAUSE_END = re.compile(
    r"(?<=[ぁ-ん])(?:(?<=[たいるだすうくむぶぬつ])が|ので|から|けれども|けれど|けど|のに|のは|ために|ため|たら|ても|ときに|とき|ところ)"
    r"|(?<=[るいたう])と"
)
_CONDITIONAL = ("もし", "たとえ")
_ASKED = re.compile("かどうか|か(?:分か|わか|知)")  # 来るかどうか分からない
_EVERYBODY = re.compile("みんな|皆")
_FINAL_REASON = re.compile(r"(?:から|ので|ため|為|せい|おかげ)(?:だ|です|である|だった|なのだ)?$")
_AFTERTHOUGHTS = ("のに", "けど", "けれど", "けれども")  # at the end of a sentence: 次郎は知っていたのに。
_QUOTED = re.compile(
    r"(?<=[たるいだうくすむぶつぬ])と[^、。]{0,12}?(?:言|いう|いっ|話|伝|思|考|聞|答|信|感|知|気づ|気付|主張|説明|約束|叫|教え|告げ|報告)"
    r"|かどうか|か(?:尋|聞|知|分か|わか)"
)

_KU = "行書聞泣歩働動開置着弾描続向届驚輝響招磨引抱焼巻解説吹咲鳴"  # of verbs; 早く走った has an adverb
# A verb before the noun that it describes (作ったケーキ), or before こと and の (勝ったことを).
_ATTRIBUTIVE = re.compile(
    rf"[^はがを]*[{_KANJI}][ぁ-ん]{{0,6}}?(?:た|だ|る|ない|う|(?<=[{_KU}])く|す|む)(?:(?=[{_KANJI}{_KATAKANA}])|(?:こと|の)(?=[をがはにも]))"
)


def unspoken(place: Place) -> Substitution:
    """The candidate with its particle at the mark."""
    index = place.pronoun.start
    before, after = place.text[:index], place.text[index:]
    _check_whole(before, after)
    clause, opening = _until_stop(after), _since_stop(before)
    subject = _subject(opening)
    if subject is None and _takes_object(clause) and _acts_elsewhere(place, before):
        return _inserted(place, "を")
    if subject is None:
        return _inserted(place, _particle(place, clause, after))
    if _takes_object(clause):
        return _inserted(place, "を")
    if subject[1] == "は" and _ending(clause, after) == "subordinate":
        return _inserted(place, "が")
    raise NotDerivedError(f"the clause has a spoken subject, {''.join(subject)}, and its verb may take に or を")


def _inserted(place: Place, particle: str) -> Substitution:
    """Insert the candidate with its particle at the mark."""
    names = {"は": "topic", "が": "subject", "を": "object"}
    index = place.pronoun.start
    return place.rewrite(Span(index, index), place.phrase.text + particle, rule=f"zero {names[particle]}", fuse=False)


def _check_whole(before: str, after: str) -> None:
    """Refuse a mark inside a word: after kanji, only a word that may open a clause certainly ends there."""
    left, right = before[-1:], after[:1]
    if re.fullmatch(rf"[{_KATAKANA}]{{2}}|[A-Za-z0-9]{{2}}", left + right):
        raise NotDerivedError(f"the mark is inside a word, between {left} and {right}")
    opens = before.endswith(tuple(lexicon("ja", "function_words").words("clause-opening")))
    if (
        re.match(rf"[{_KANJI}](?<![日朝晩夜昼前後中末月年週時際間回度])", left)
        and not opens
        and not before.endswith(tuple(_subordinators()))
    ):
        raise NotDerivedError(f"the mark may be inside a word that contains {left}{right}")


def _particle(place: Place, clause: str, after: str) -> str:
    """は or が for a subject that opens its clause.

    A person after a connective is the topic of what follows too, unless that has a subject of its own:
    しかし、次郎は忙しいので断った, but しかし、次郎が断ったので、みんなは困った.
    """
    marked_nouns = _marked(clause)
    pronouns = lexicon("ja", "pronouns").words("personal")
    spoken = next((noun for noun, _ in marked_nouns if noun in pronouns), None)
    if spoken:
        raise NotDerivedError(f"the clause has a spoken subject, {spoken}")
    if any(particle == "が" for _, particle in marked_nouns):
        return "は"
    ending = _ending(clause, after)
    are_people = all(is_person(candidate.text) for candidate in place.item.candidates)
    if ending == "subordinate" and are_people and _is_after_connective(place.text[: place.pronoun.start]):
        sentence = re.split("[。！？!?」\n]", after, maxsplit=1)[0]
        return "が" if _ASKED.search(clause) or _subject(sentence) or _EVERYBODY.search(sentence) else "は"
    return "は" if ending == "main" else "が"


def _is_after_connective(before: str) -> bool:
    """Whether a connective opens the sentence and nothing else comes before: しかし、."""
    sentence = re.split("[。！？!?「\n]", before)[-1].rstrip("、，, 　")
    return bool(sentence) and not _without_openers(sentence) and not sentence.startswith(_CONDITIONAL)


def _without_openers(clause: str) -> str:
    """The clause without the connectives and adverbs that open it: 翌日また来た → 来た."""
    return _openers().sub("", clause)


@cache
def _openers() -> re.Pattern[str]:
    openers = sorted(lexicon("ja", "function_words").words("clause-opening"), key=len, reverse=True)
    return re.compile(rf"^(?:(?:{'|'.join(openers)})、?)+")


def _acts_elsewhere(place: Place, before: str) -> bool:
    """Whether the text is about a person who is not a candidate, and no candidate is a person: 母は…、片付けた."""
    candidates = [candidate.text for candidate in place.item.candidates]
    topics = [noun for noun, particle in _marked(before) if particle == "は" and noun not in candidates]
    return any(map(is_person, topics)) and not any(map(is_person, candidates))


def _takes_object(clause: str) -> bool:
    """Whether the clause is just a transitive verb: 壊した, but not 壊した箱を捨てた."""
    return any(re.fullmatch(f"{stem}[ぁ-ん]*", clause) for stem in _transitive())


def _ending(clause: str, after: str) -> str:
    """How the clause ends: `subordinate` to what follows, giving a `reason` at the end of the sentence, or `main`."""
    clause, after = _without_openers(clause), after[len(clause) - len(_without_openers(clause)) :]
    at_end = after[len(clause) : len(clause) + 1] in ("", "。", "！", "？", "!", "?", "」")
    if at_end and _FINAL_REASON.search(clause):
        return "reason"
    if at_end and clause.endswith(_AFTERTHOUGHTS):
        return "main"
    if _QUOTED.search(clause) or _ATTRIBUTIVE.match(clause):
        return "subordinate"
    if not at_end and re.search("[るうくすつむぶぬぐい]と$", clause):  # 飲むと、治った
        return "subordinate"
    if not at_end and clause.endswith(tuple(_subordinators())) and not clause.endswith(_coordinators()):
        return "subordinate"
    inner_end = _inner_ending().search(clause)
    goes_on = inner_end is not None and len(clause) - inner_end.end() > _SHORTEST_PREDICATE
    return "subordinate" if goes_on else "main"


def _subject(opening: str) -> tuple[str, str] | None:
    """The last noun before the mark that is marked as subject or topic; days and hours are not."""
    times = tuple(lexicon("ja", "nouns").words("time"))
    subjects = [(noun, particle) for noun, particle in _marked(opening) if not noun.endswith(times)]
    return subjects[-1] if subjects else None


def _marked(stretch: str) -> list[tuple[str, str]]:
    """The nouns before は, が and も, with their particle."""
    matches = _SPOKEN.finditer(stretch)
    return [(match.group(1) or match.group(3), match.group(2) or match.group(4)) for match in matches]


def _until_stop(text: str) -> str:
    """The text up to the next punctuation mark or space."""
    return re.split(f"[{_STOPS}]", text, maxsplit=1)[0]


def _since_stop(text: str) -> str:
    """The last clause of the text before the mark."""
    return _CLAUSE_END.split(re.split(f"[{_STOPS}]", text)[-1])[-1]


@cache
def _inner_ending() -> re.Pattern[str]:
    """The end of a subordinate clause with no comma after it; one character alone may be part of a word."""
    forms = sorted((form for form in _subordinators() if len(form) > 1), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(map(re.escape, forms))})(?!だ|です|である|ない|の)")


@cache
def _subordinators() -> frozenset[str]:
    return lexicon("ja", "function_words").words("subordinating")


@cache
def _coordinators() -> tuple[str, ...]:
    return tuple(lexicon("ja", "function_words").words("coordinating"))


@cache
def _transitive() -> tuple[str, ...]:
    return tuple(lexicon("ja", "verbs").words("transitive"))
