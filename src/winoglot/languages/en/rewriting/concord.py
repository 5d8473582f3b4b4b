"""What agrees with the candidates when their number changes: pronouns, what they have, predicates and verbs.

Which pronouns refer to the candidates is the question: the marked one does; others of its kind do if nobody and nothing
else in the text could be meant. Everything that is not sure is added to the doubts of the change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import plural_of, singular_of
from winoglot.languages.en.rewriting.scene import (
    PRONOUNS,
    Number,
    Scene,
    agreeing,
    animacy,
    antecedent_of,
    before_phrase,
    is_thing,
    noun_gender,
    shows_number,
)
from winoglot.languages.en.wordclass import is_form_of, is_in
from winoglot.languages.names import name_gender

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws

_TO_PLURAL = {
    "he": "they", "she": "they", "it": "they", "him": "them", "his": "their", "hers": "theirs", "its": "their",
    "himself": "themselves", "herself": "themselves", "itself": "themselves"
}  # fmt: skip
_TO_SINGULAR = {
    "masculine": {"they": "he", "them": "him", "their": "his", "theirs": "his", "themselves": "himself"},
    "feminine": {"they": "she", "them": "her", "their": "her", "theirs": "hers", "themselves": "herself"},
    "neuter": {"they": "it", "them": "it", "their": "its", "themselves": "itself"},
}
_OF_THINGS = frozenset(("it", "its", "itself"))
_OF_SEVERAL = frozenset(("they", "them", "their", "theirs", "themselves"))
_BEING = ("be", "become")
_AFTER_POSSESSIVE = ("noun", "name", "adjective", "number", "adverb", "possessive", "verb")


@dataclass
class NumberChange:
    """A change of number in progress: the new forms, the words that changed, and what is not sure."""

    scene: Scene
    to: Number
    edits: dict[int, str] = field(default_factory=dict)  # new forms by token; empty for a word that goes
    changed: set[int] = field(default_factory=set)  # words whose number is another one now
    doubts: list[str] = field(default_factory=list)

    @property
    def to_plural(self) -> bool:
        """Whether one becomes several."""
        return self.to == "plural"

    def inflected(self, noun: str) -> str | None:
        """A noun in the new number; None if it has none."""
        return (plural_of if self.to_plural else singular_of)(noun)


# Pronouns and what they have


def has_other_number(pronoun: str) -> bool:
    """Whether a marked word is a pronoun that can be put into the other number."""
    return pronoun in _TO_PLURAL or pronoun in _OF_SEVERAL or pronoun == "her"


def change_pronouns(work: NumberChange, draws: Draws) -> list[str]:
    """Change the marked pronoun and all others of its kind, which are returned."""
    scene, others = work.scene, []
    forms = _TO_PLURAL if work.to_plural else _singular_pronouns(scene, draws)
    for index, token in enumerate(scene.tokens):
        if token.form in _pronouns_alike(scene):
            work.edits[index] = _other_pronoun(work, index, forms)
            if token.form in ("he", "she", "it", "they"):
                work.changed.add(index)
            if not work.to_plural and scene.at(index - 1).form == "of":
                work.doubts.append(f"what stands before 'of {token.form}' may count them")
            if index != scene.pronoun and index not in scene.candidate_tokens():  # not in "his son"
                others.append(token.form)
    return others


def _other_pronoun(work: NumberChange, index: int, forms: dict[str, str]) -> str:
    scene, token = work.scene, work.scene.tokens[index]
    if token.form == "her":
        work.doubts += [doubt for doubt in [scene.doubt_about_her(index)] if doubt]
        return "their" if token.tag == "possessive" else "them"
    if token.form == "it" and not any(clause.subject == index for clause in scene.clauses):
        return "them"
    if token.form == "his" and work.to_plural and scene.at(index + 1).tag not in _AFTER_POSSESSIVE:
        return "theirs"
    if token.form not in forms:
        raise NotDerivedError(f"{token.form!r} has no {work.to}")
    return forms[token.form]


def _pronouns_alike(scene: Scene) -> frozenset[str]:
    """The pronouns of the same kind as the marked one."""
    form = scene.pronoun_form
    of_people = frozenset(pronoun for pronoun, gender in PRONOUNS.items() if gender == PRONOUNS.get(form))
    return next((kind for kind in (_OF_THINGS, _OF_SEVERAL) if form in kind), of_people)


def _singular_pronouns(scene: Scene, draws: Draws) -> dict[str, str]:
    """Pronouns for one person or thing."""
    heads = [scene.tokens[mention.head].form for mention in scene.mentions]
    kinds = {animacy(noun) for noun in heads}
    genders = {noun_gender(noun) or ("masculine" if noun.endswith("men") else None) for noun in heads} - {None}
    unknown = [noun for noun in heads if animacy(noun) is None and not is_thing(noun)]
    if unknown:
        raise NotDerivedError(f"{unknown[0]!r} may be a person or a thing")
    if len(genders) > 1 or ("human" in kinds and len(kinds) > 1):
        raise NotDerivedError("one pronoun does not fit both candidates")
    if kinds != {"human"}:
        return _TO_SINGULAR["neuter"]
    return _TO_SINGULAR[genders.pop() or "" if genders else draws.pick("gender of one", ("masculine", "feminine"))]


def change_possessed(work: NumberChange) -> None:
    """Change what each candidate has one of: *his head* → *their heads*."""
    scene = work.scene
    has_it = any(token.form in _OF_THINGS for index, token in enumerate(scene.tokens) if index not in work.edits)
    owners = [
        index
        for index, new in work.edits.items()
        if new == "their" or scene.tokens[index].tag == "genitive" or scene.tokens[index].form in ("'", "’")
    ]
    for index in owners if work.to_plural else ():
        head = head_from(scene, index + 1)
        noun, plural = scene.at(head), plural_of(scene.at(head).form)
        if head in work.edits or noun.tag != "noun" or not plural:
            continue
        if each_has_one(noun.form):
            work.edits[head] = plural
            work.changed.add(head)
            part = scene.at(index - 2)  # the hood of her coat
            if scene.at(index - 1).form == "of" and plural_of(part.form) and not is_in(part.form, "countable", "side"):
                work.doubts.append(f"each may have one: {part.form!r}")
            if has_it:
                work.doubts.append(f"'it' may mean {noun.form!r}, of which there are several now")
        elif not _may_be_shared(noun.form):
            work.doubts.append(f"each may have one: {noun.form!r}, {plural!r}")


def each_has_one(noun: str) -> bool:
    """Whether each person has one of these things: *their coats*."""
    return is_in(noun, "countable", "own-one") or is_in(noun, "things", "artefact")


def _may_be_shared(noun: str) -> bool:
    """Whether several people may share one: *their house*, *their teacher*."""
    is_place = is_in(noun, "things", "building", "landscape", "fixture", "vehicle", "furniture", "plant")
    return is_place or animacy(noun) is not None or is_in(noun, "countable", "shared")


# Predicates and verbs


def change_predicates(work: NumberChange) -> None:
    """Change predicate nouns: *he was the winner* → *they were the winners*; and *they had bad backs*."""
    scene = work.scene
    for clause in scene.clauses:
        if not _agrees(work, clause.subject) or clause.verb is None:
            continue
        index = clause.verb + 1
        while scene.at(index).tag in ("aux", "not", "adverb"):
            index += 1
        last = [token.shape for token in scene.tokens[clause.verb : index] if token.tag == "aux"][-1:]
        if clause.head is None and last == ["be"]:
            is_place = scene.at(index).tag == "preposition"  # was on a bike
            _predicate_noun(work, index + is_place, owned=is_place)
        elif clause.head is None and last == ["have"] and work.to_plural:
            _predicate_noun(work, index, owned=True)
        elif clause.head is not None and is_in(scene.tokens[clause.head].verb, "verb_classes", "copular"):
            _predicate_noun(work, clause.head + 1)
        if (
            clause.head is not None
            and scene.at(clause.head + 1).tag == "to"
            and scene.at(clause.head + 2).verb in _BEING
        ):
            _predicate_noun(work, clause.head + 3)  # wanted to be a pilot


def _predicate_noun(work: NumberChange, index: int, *, owned: bool = False) -> None:
    """Change the noun after a copula, or what each person has one of."""
    scene, opening = work.scene, work.scene.at(index)
    is_definite = opening.form in ("a", "an", "the") or opening.tag == "possessive"
    head = head_from(scene, index + is_definite)
    noun, new = scene.at(head), work.inflected(scene.at(head).form)
    is_bare_plural = not work.to_plural and noun.tag == "noun" and noun_number(noun.form) == "plural"
    is_changed = head in work.edits or (noun.tag == "noun" and owned and not each_has_one(noun.form))
    if is_changed or not (is_definite or is_bare_plural):
        return
    is_gift = owned and scene.at(head + 1).tag == "preposition"  # a good ear for music
    if noun.tag != "noun" or not is_definite or new is None or is_gift:
        work.doubts.append(f"what follows {scene.at(index - 1).form!r} may need another number")
        return
    work.edits[head] = new
    work.changed.add(head)
    if opening.form in ("a", "an"):
        work.edits[index] = ""


def head_from(scene: Scene, index: int) -> int:
    """The last noun of the phrase whose words begin here."""
    end = index
    while scene.at(end).tag in ("adjective", "noun", "adverb", "number"):
        end += 1
    nouns = [position for position in range(index, end) if scene.tokens[position].tag == "noun"]
    return nouns[-1] if nouns else index


def _agrees(work: NumberChange, subject: int | None) -> bool:
    if subject is not None and work.scene.tokens[subject].tag == "relative":
        subject = antecedent_of(work.scene, subject)
    return subject in work.changed


def change_verbs(work: NumberChange) -> None:
    """Make verbs agree with subjects whose number has changed."""
    scene = work.scene
    for clause in scene.clauses:
        is_unsure = clause.verb in scene.analysis.unsure
        if clause.verb is None or not (is_unsure or shows_number(scene.tokens[clause.verb])):
            continue
        subject = scene.at(-1 if clause.subject is None else clause.subject)
        is_there = subject.tag == "there" and bool(work.changed & set(range(clause.verb + 1, clause.verb + 6)))
        if _agrees(work, clause.subject) or is_there:
            new = agreeing(scene.tokens[clause.verb], work.to)
            if is_unsure and not work.to_plural:
                work.doubts.append(f"{scene.written(clause.verb)!r} may be present or past")
            is_clitic_kept = subject.tag in ("pronoun", "there")
            work.edits[clause.verb] = new if is_clitic_kept else {"'ve": " have", "'re": " are"}.get(new, new)
        elif clause.subject is None:
            work.doubts.append(f"the subject of {scene.written(clause.verb)!r} is not clear")


# What else may count the candidates, or mean one of them


def doubt_referents(work: NumberChange, others: list[str]) -> None:
    """Add a doubt about other pronouns like the marked one if somebody or something else may be meant."""
    is_thing_or_one = not work.to_plural or work.scene.pronoun_form in _OF_THINGS
    rivals = ["something else"] if is_thing_or_one else [repr(rival) for rival in _rivals(work)]
    if others and rivals:
        work.doubts.append(f"{others[0]!r} may refer to {rivals[0]}")


def _rivals(work: NumberChange) -> list[str]:
    """Other people whom the candidates' pronouns may mean."""
    scene, rivals = work.scene, []
    for index in sorted(set(range(len(scene.tokens))) - work.edits.keys() - scene.candidate_tokens()):
        token = scene.tokens[index]
        is_person = token.tag == "noun" and animacy(token.form) == "human" and noun_number(token.form) == "singular"
        is_first = token.tag == "name" and scene.at(index + 1).tag != "name"
        gender = name_gender(scene.written(index), "en").value if is_first else noun_gender(token.form)
        fitting = ("common",) if is_first else (None,)
        if (is_person or is_first) and gender in (scene.gender, *fitting):
            rivals.append(scene.written(index))
    return rivals


def check_words(work: NumberChange) -> None:
    """Add doubts about numerals, about what someone is called or made, and about quotations."""
    scene, candidates = work.scene, work.scene.candidate_tokens()
    heads = {scene.tokens[mention.head].form for mention in scene.mentions if not scene.is_named[mention.candidate]}
    last = max(mention.last for mention in scene.mentions)
    others = [token for index, token in enumerate(scene.tokens) if index not in candidates]
    has_others = any(
        token.tag == "name" or (token.tag == "noun" and animacy(token.form) == "human") for token in others
    )
    if scene.analysis.has_quotation:
        work.doubts.append("somebody is quoted")
    for clause, mention in product(scene.clauses, scene.mentions):
        is_said = clause.verb == before_phrase(scene, mention.head) and scene.at(clause.verb).shape == "be"
        if is_said and not _agrees(work, clause.subject) and scene.at(clause.subject or 0).tag != "there":
            work.doubts.append(f"{scene.citation(mention)!r} may say what one person or thing is")
    for index, token in enumerate(scene.tokens):
        following, opening = scene.at(index + 1), scene.at(before_phrase(scene, index) + 1)
        is_one = is_in(token.form, "phrases", "one-of-several") and token.tag in ("determiner", "number")
        if (is_one or is_in(token.form, "phrases", "counting")) and index not in work.edits and work.to_plural:
            work.doubts.append(f"{token.form!r} may count the candidates")
        is_judged = is_form_of(scene.at(index - 1).form, "finding", "judging", "thinking") and index in work.edits
        if is_judged and following.form in ("a", "an"):  # found Tom a job, thought him a fool
            work.doubts.append(f"what follows {token.form!r} may say what that is")
        is_role = following.form in ("a", "an", "the") or animacy(following.form) == "human"  # as a cook, as captain
        is_as = token.form in ("as", "being") and token.tag != "subordinator"
        if is_as and is_role and head_from(scene, index + 2) not in candidates:
            work.doubts.append(f"what follows {token.form!r} may need another number")
        if (
            scene.gender
            and not scene.all_named
            and not has_others
            and PRONOUNS.get(token.form) not in (None, scene.gender)
        ):
            work.doubts.append(f"{token.form!r} may refer to a candidate")
        if token.tag != "noun" or index in candidates:
            continue
        if token.form in heads and following.tag != "noun":  # a pin … the pin
            work.doubts.append(f"{token.form!r} may mean a candidate here too")
        is_described = opening.form in ("the", "this", "that") and scene.at(index - 1).tag == "adjective"
        is_person = noun_number(token.form) == "singular" and animacy(token.form) == "human"
        is_fitting = is_person and index > last and noun_gender(token.form) in (None, scene.gender)
        if is_described and is_fitting and work.to_plural:
            work.doubts.append(f"{scene.written(index)!r} may be a candidate")  # the poor boy
