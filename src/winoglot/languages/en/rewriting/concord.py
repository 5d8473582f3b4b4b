"""What agrees with the candidates when their number changes: pronouns, what they have, predicates and verbs.

Which pronouns refer to the candidates is the question: the marked one does; others of its kind do if nobody and nothing
else in the text could be meant. Everything that is not sure is added to the doubts of the change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import plural_of, singular_of
from winoglot.languages.en.rewriting.scene import PRONOUNS, Scene, animacy, is_thing, noun_gender
from winoglot.languages.en.rewriting.subject_number import Number, agreeing, antecedent_of, before_phrase, shows_number
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
_COUNTING = frozenset(("each", "both", "neither"))
_SIDES = frozenset(("back", "front", "top", "bottom", "side", "middle", "end", "rest", "half", "part", "most", "pair"))
_AFTER_POSSESSIVE = ("noun", "name", "adjective", "number", "adverb", "possessive", "verb")


@dataclass
class NumberChange:
    """A change of number in progress: the new forms, the words that changed, and what is not sure."""

    scene: Scene
    to: Number
    edits: dict[int, str] = field(default_factory=dict)  # new forms by token; empty for a word that goes
    changed: set[int] = field(default_factory=set)  # words whose number is another one now
    doubts: list[str] = field(default_factory=list)
    other_pronouns: list[int] = field(
        default_factory=list
    )  # pronouns besides the marked one that may refer to the candidates


# Pronouns, what they have, predicates and verbs


def has_other_number(pronoun: str) -> bool:
    """Whether a marked word is a pronoun that can be put into the other number."""
    return pronoun in _TO_PLURAL or pronoun in _OF_SEVERAL or pronoun == "her"


def change_pronouns(work: NumberChange, draws: Draws) -> None:
    """Change the marked pronoun and all others of its kind; `doubt_referents` checks what those refer to."""
    scene = work.scene
    forms = _singular_pronouns(scene, draws) if work.to == "singular" else _TO_PLURAL
    same_kind = _pronouns_alike(scene)
    possessives = {index for index in scene.candidate_tokens() if scene.tokens[index].tag == "possessive"}  # his son
    for index, token in enumerate(scene.tokens):
        if token.form not in same_kind:
            continue
        work.edits[index] = _other_pronoun(work, index, forms)
        if work.to == "singular" and scene.at(index - 1).form == "of":
            work.doubts.append(f"what stands before 'of {token.form}' may count them")
        if token.form in ("he", "she", "it", "they"):
            work.changed.add(index)
        if index != scene.pronoun and index not in possessives:
            work.other_pronouns.append(index)


def _other_pronoun(work: NumberChange, index: int, forms: dict[str, str]) -> str:
    scene = work.scene
    token, after = scene.tokens[index], scene.at(index + 1)
    if token.form == "her":
        work.doubts += [doubt for doubt in [scene.doubt_about_her(index)] if doubt]
        return "their" if token.tag == "possessive" else "them"
    if token.form == "it":
        is_subject = any(clause.subject == index for clause in scene.clauses)
        return "they" if is_subject else "them"
    if token.form == "his" and after.tag not in _AFTER_POSSESSIVE:
        return "theirs"
    if token.form not in forms:
        raise NotDerivedError(f"{token.form!r} has no {work.to}")
    return forms[token.form]


def _pronouns_alike(scene: Scene) -> frozenset[str]:
    """The pronouns of the same kind as the marked one."""
    form = scene.pronoun_form
    for kind in (_OF_THINGS, _OF_SEVERAL):
        if form in kind:
            return kind
    return frozenset(pronoun for pronoun, gender in PRONOUNS.items() if gender == PRONOUNS[form])


def _singular_pronouns(scene: Scene, draws: Draws) -> dict[str, str]:
    """Pronouns for one person or thing."""
    heads = [scene.tokens[mention.head].form for mention in scene.mentions]
    kinds = {animacy(noun) for noun in heads}
    if kinds == {"human"}:
        genders = {noun_gender(noun) or ("masculine" if noun.endswith("men") else None) for noun in heads} - {None}
        if len(genders) > 1:
            raise NotDerivedError("one pronoun does not fit both candidates")
        return _TO_SINGULAR[genders.pop() or "" if genders else draws.pick("gender of one", ("masculine", "feminine"))]
    unknown = [noun for noun in heads if animacy(noun) is None and not is_thing(noun)]
    if unknown:
        raise NotDerivedError(f"{unknown[0]!r} may be a person or a thing")
    if "human" in kinds:
        raise NotDerivedError("one pronoun does not fit both candidates")
    return _TO_SINGULAR["neuter"]


def change_possessed(work: NumberChange) -> None:
    """Change what each candidate has one of: *his head* → *their heads*."""
    scene = work.scene
    if work.to == "singular":
        return
    has_it = any(token.form in _OF_THINGS for index, token in enumerate(scene.tokens) if index not in work.edits)
    for index, new in list(work.edits.items()):
        is_genitive = scene.tokens[index].tag == "genitive" or scene.tokens[index].form in ("'", "’")
        if new != "their" and not is_genitive:
            continue
        head = head_from(scene, index + 1)
        noun = scene.at(head).form
        if head in work.edits or scene.at(head).tag != "noun":
            continue
        plural = plural_of(noun)
        if plural and not each_has_one(noun):
            if not _may_be_shared(noun):
                work.doubts.append(f"each may have one: {noun!r}, {plural!r}")
        elif plural:
            work.edits[head] = plural
            work.changed.add(head)
            part = scene.at(index - 2)
            is_part = scene.at(index - 1).form == "of" and part.tag == "noun" and plural_of(part.form)
            if is_part and part.form not in _SIDES:
                work.doubts.append(f"each may have one: {part.form!r}")
            if has_it:
                work.doubts.append(f"'it' may mean {noun!r}, of which there are several now")
            if scene.at(head + 1).tag == "genitive" and plural.endswith("s"):
                work.edits[head + 1] = "'"


def each_has_one(noun: str) -> bool:
    """Whether each person has one of these things: *their coats*."""
    return is_in(noun, "countable", "own-one") or is_in(noun, "things", "artefact")


def _may_be_shared(noun: str) -> bool:
    """Whether several people may share one: *their house*, *their teacher*."""
    is_place = is_in(noun, "things", "building", "landscape", "fixture", "vehicle", "furniture", "plant")
    return is_place or animacy(noun) is not None or is_in(noun, "countable", "shared")


def change_predicates(work: NumberChange) -> None:
    """Change predicate nouns: *he was the winner* → *they were the winners*."""
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
        elif clause.head is None and last == ["have"] and work.to == "plural":
            _predicate_noun(work, index, owned=True)
        elif clause.head is not None and scene.tokens[clause.head].verb in ("become", "remain", "seem"):
            _predicate_noun(work, clause.head + 1)
        if clause.head is None:
            continue
        following = [scene.at(clause.head + 1).form, scene.at(clause.head + 2).form]
        if following[0] == "like":
            _predicate_noun(work, clause.head + 2)  # looked like a fool
        elif following in (["to", "be"], ["to", "become"]):
            _predicate_noun(work, clause.head + 3)  # wanted to be a pilot


def _predicate_noun(work: NumberChange, index: int, *, owned: bool = False) -> None:
    """Change the noun after a copula, or what each person has one of: *they had bad backs*."""
    scene = work.scene
    opening = scene.at(index)
    bare = scene.at(head_from(scene, index))
    if work.to == "singular" and bare.tag == "noun" and noun_number(bare.form) == "plural":
        work.doubts.append(f"what follows {scene.at(index - 1).form!r} may need another number")
    if opening.form not in ("a", "an", "the") and opening.tag != "possessive":
        return
    head = head_from(scene, index + 1)
    noun = scene.at(head)
    if head in work.edits or noun.tag != "noun" or (owned and not each_has_one(noun.form)):
        if noun.tag != "noun":
            work.doubts.append(f"what follows {scene.at(index - 1).form!r} may need another number")
        return
    if is_in(noun.form, "countable", "measure") and scene.at(head + 1).tag in ("adjective", "adverb"):
        return  # a head shorter
    new = (plural_of if work.to == "plural" else singular_of)(noun.form)
    is_gift = owned and scene.at(head + 1).tag == "preposition"  # a good ear for music
    if new is None or is_gift:
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
        if end > index and scene.at(end).form == "home":
            break  # took his bag home
        end += 1
    nouns = [position for position in range(index, end) if scene.tokens[position].tag == "noun"]
    return nouns[-1] if nouns else index


def _agrees(work: NumberChange, subject: int | None) -> bool:
    if subject is None:
        return False
    if work.scene.tokens[subject].tag == "relative":
        subject = antecedent_of(work.scene, subject)
    return subject in work.changed


def change_verbs(work: NumberChange) -> None:
    """Make verbs agree with subjects whose number has changed."""
    scene = work.scene
    for clause in scene.clauses:
        if clause.verb is None or not (shows_number(scene.tokens[clause.verb]) or clause.verb in scene.analysis.unsure):
            continue
        verb = scene.tokens[clause.verb]
        follows = clause.subject is not None and scene.tokens[clause.subject].tag == "there"
        if follows:
            subject = next(
                (
                    position
                    for position in sorted(work.changed)
                    if position > clause.verb and position - clause.verb < 6
                ),
                None,
            )
            tokens_between = scene.tokens[clause.verb + 1 : subject] if subject is not None else ()
            agrees = subject is not None and all(
                token.tag in ("determiner", "adjective", "noun", "adverb") for token in tokens_between
            )
        else:
            agrees = _agrees(work, clause.subject)
        if agrees and work.to == "singular" and clause.verb in scene.analysis.unsure:
            work.doubts.append(f"{verb.form!r} may be present or past")
        if agrees:
            new = agreeing(verb, work.to)
            is_pronoun = clause.subject is not None and scene.tokens[clause.subject].tag in ("pronoun", "there")
            work.edits[clause.verb] = new if is_pronoun else {"'ve": " have", "'re": " are"}.get(new, new)
        elif clause.subject is None:
            work.doubts.append(f"the subject of {scene.written(clause.verb)!r} is not clear")


# Who else may be meant


def doubt_referents(work: NumberChange) -> None:
    """Add doubts about other pronouns of the same kind, and plural ones, that may refer to something else."""
    scene, pronouns = work.scene, work.other_pronouns
    if work.to == "plural" and scene.pronoun_form not in _OF_THINGS:
        rivals = _rivals(work)
        if pronouns and rivals:
            work.doubts.append(f"{scene.tokens[pronouns[0]].form!r} may refer to {rivals[0]!r}")
    elif pronouns:
        work.doubts.append(f"{scene.tokens[pronouns[0]].form!r} may refer to something else")


def _rivals(work: NumberChange) -> list[str]:
    """Other people whom the candidates' pronouns may mean."""
    scene, rivals = work.scene, []
    for index, token in enumerate(scene.tokens):
        if index in work.edits or index in scene.candidate_tokens():
            continue
        if token.tag == "name" and scene.at(index + 1).tag != "name":
            gender = name_gender(scene.written(index), "en").value
            is_rival = gender in (scene.gender, "common")
        else:
            is_person = token.tag == "noun" and animacy(token.form) == "human"
            is_singular = is_person and noun_number(token.form) == "singular"
            is_rival = is_singular and noun_gender(token.form) in (scene.gender, None)
        if is_rival:
            rivals.append(scene.written(index))
    return rivals


def _people_besides(scene: Scene) -> bool:
    """Whether the text mentions anyone besides the candidates."""
    tokens = [token for index, token in enumerate(scene.tokens) if index not in scene.candidate_tokens()]
    return any(token.tag == "name" or (token.tag == "noun" and animacy(token.form) == "human") for token in tokens)


def check_words(work: NumberChange) -> None:
    """Add doubts about numerals, about what someone is called or made, and about quotations."""
    scene = work.scene
    of_other_gender = [token.form for token in scene.tokens if PRONOUNS.get(token.form, scene.gender) != scene.gender]
    if of_other_gender and scene.gender and not scene.all_named and not _people_besides(scene):
        work.doubts.append(f"{of_other_gender[0]!r} may refer to a candidate")
    if scene.analysis.has_quotation:
        work.doubts.append("somebody is quoted")
    for index, token in enumerate(scene.tokens):
        is_one_each = token.form == "one" and token.tag in ("determiner", "number") and work.to == "plural"
        if (token.form in _COUNTING or is_one_each) and index not in work.edits:
            work.doubts.append(f"{token.form!r} may count the candidates")
        is_object = index in work.edits and token.tag in ("pronoun", "name") and scene.at(index + 1).form in ("a", "an")
        if is_object and is_form_of(scene.at(index - 1).form, "finding", "judging", "thinking"):
            work.doubts.append(f"what follows {token.form!r} may say what that is")
        following = scene.at(index + 1)
        is_role = (
            token.form in ("as", "being")
            and (following.form in ("a", "an", "the") or animacy(following.form) == "human")  # as captain
            and head_from(scene, index + 2) not in scene.candidate_tokens()
            and token.tag != "subordinator"
        )
        if is_role:
            work.doubts.append(f"what follows {token.form!r} may need another number")
    if any(
        token.form == "one"
        and token.tag == "noun"
        and scene.at(before_phrase(scene, index) + 1).form in ("a", "an", "the", "this", "that")
        for index, token in enumerate(scene.tokens)
    ):
        work.doubts.append("'one' may stand for a candidate")
    work.doubts += [f"{scene.written(index)!r} may be a candidate" for index in _described_again(scene)]
    _check_candidates(work)


def _check_candidates(work: NumberChange) -> None:
    """Add doubts about candidates' nouns outside their mentions, and about candidates used as predicates."""
    scene = work.scene
    for index, token in enumerate(scene.tokens):
        if _is_candidates_noun(scene, index):
            work.doubts.append(f"{token.form!r} may mean a candidate here too")
    for mention in scene.mentions:
        for clause in scene.clauses:
            is_said = clause.verb == before_phrase(scene, mention.head) and scene.tokens[clause.verb].shape == "be"
            if is_said and not _agrees(work, clause.subject) and scene.at(clause.subject or 0).tag != "there":
                work.doubts.append(f"{scene.citation(mention)!r} may say what one person or thing is")


def _is_candidates_noun(scene: Scene, index: int) -> bool:
    """Whether a word outside all mentions is a candidate's noun, and not part of a compound: *a pin … the pin*."""
    heads = {scene.tokens[mention.head].form for mention in scene.mentions if not scene.is_named[mention.candidate]}
    is_noun = scene.tokens[index].tag == "noun" and scene.tokens[index].form in heads
    return is_noun and index not in scene.candidate_tokens() and scene.at(index + 1).tag != "noun"


def _described_again(scene: Scene) -> list[int]:
    """Singular nouns for people, after both candidates, that may denote one of them: *the poor boy*."""
    if scene.is_plural or scene.gender is None:
        return []
    last = max(mention.last for mention in scene.mentions)
    nouns = [index for index in range(last + 1, len(scene.tokens)) if scene.tokens[index].tag == "noun"]
    people = [index for index in nouns if animacy(scene.tokens[index].form) == "human"]
    heads = {scene.tokens[mention.head].form for mention in scene.mentions}
    determined = [
        index for index in people if scene.at(before_phrase(scene, index) + 1).form in ("the", "this", "that")
    ]
    return [
        index
        for index in determined
        if noun_number(scene.tokens[index].form) == "singular"
        and scene.tokens[index].form not in heads
        and noun_gender(scene.tokens[index].form) in (None, scene.gender)
        and scene.at(index - 1).tag == "adjective"
    ]
