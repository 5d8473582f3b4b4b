"""Another number: both candidates become several, or both one, with every word that agrees with them.

Names become several by conjunction: *Tom and Andrew threw their bags to Ray and Bob*. Which pronouns refer to the
candidates is the question: the marked one does; others of its kind do if nobody and nothing else in the text could be
meant. What is not sure is added to the doubts of the change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import plural_of, singular_of
from winoglot.languages.en.rewriting.scene import (
    PRONOUNS,
    Mention,
    Number,
    Scene,
    agreeing,
    animacy,
    antecedent_of,
    before_phrase,
    is_joined,
    is_thing,
    new_names,
    noun_gender,
    scene_of,
    shows_number,
)
from winoglot.languages.en.wordclass import is_form_of, is_in
from winoglot.languages.names import name_gender
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import match_case
from winoglot.schemas.spans import Edit, Span, edited
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_TO_PLURAL = {
    "he": "they", "she": "they", "it": "they", "him": "them", "his": "their", "hers": "theirs", "its": "their",
    "himself": "themselves", "herself": "themselves", "itself": "themselves"
}  # fmt: skip
_TO_SINGULAR = {
    "masculine": {"they": "he", "them": "him", "their": "his", "theirs": "his", "themselves": "himself"},
    "feminine": {"they": "she", "them": "her", "their": "her", "theirs": "hers", "themselves": "herself"},
    "neuter": {"they": "it", "them": "it", "their": "its", "theirs": "its", "themselves": "itself"},
}
_OF_THINGS = frozenset(("it", "its", "itself"))
_OF_SEVERAL = frozenset(_TO_SINGULAR["neuter"])
_AFTER_POSSESSIVE = ("noun", "name", "adjective", "number", "adverb", "possessive", "verb")
_TO_BE = (["to", "be"], ["to", "become"])
_KEPT = frozenset(("the", "my", "your", "his", "her", "its", "our", "their"))
_OTHER_DETERMINERS = {
    "plural": {"this": "these", "that": "those", "a": "", "an": "", "some": "some"},
    "singular": {"these": "this", "those": "that"},
}


@dataclass
class _Change:
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

    def agrees(self, subject: int | None) -> bool:
        """Whether a verb with this subject changes too; a relative word stands for what is before it."""
        if subject is not None and self.scene.tokens[subject].tag == "relative":
            subject = antecedent_of(self.scene, subject)
        return subject in self.changed


def number(item: Item, draws: Draws) -> Rewriting:
    """Put both candidates into the other number."""
    scene = scene_of(item)
    work = _Change(scene, "singular" if scene.is_plural else "plural")
    if scene.is_plural and any(scene.is_named):
        raise NotDerivedError("a name with 'they' is not one person")
    if scene.pronoun_form not in {*_TO_PLURAL, *_OF_SEVERAL, "her"}:
        raise NotDerivedError(f"{scene.pronoun_form!r} has no other number")
    mentions = [scene.mentions_of(index)[0] for index in range(len(item.candidates))]
    names = new_names(scene, draws)
    partners = {index: f"{scene.title(mentions[index])} {name}".strip() for index, name in names.items()}
    for mention in scene.mentions:
        if mention.candidate in partners:
            _join_partner(work, mention, partners[mention.candidate])
        else:
            _change_noun(work, mention)
    others = _change_pronouns(work, draws)
    _change_possessed(work)
    _change_predicates(work)
    _change_verbs(work)
    rivals = _rivals(work)
    if others and rivals:
        work.doubts.append(f"{others[0]!r} may refer to {rivals[0]}")
    _check_words(work)
    return Rewriting(tuple(_edits(work)), tuple(dict.fromkeys(work.doubts)), _citations(work, mentions, partners))


# The candidates


def _join_partner(work: _Change, mention: Mention, partner: str) -> None:
    """*Tom* → *Tom and Ray*, with the words around the name that agree with it."""
    scene, name = work.scene, work.scene.citation(mention)
    if mention.last > mention.first and not scene.title(mention):
        work.doubts.append(f"{name!r} may not go with a first name")
    work.edits[mention.last] = f"{scene.written(mention.last)} and {partner}"
    work.changed.add(mention.last)
    before, after, following = (scene.at(index) for index in (mention.first - 1, mention.last + 1, mention.last + 2))
    if before.tag in ("noun", "adjective") and animacy(before.form) == "human":
        opening, plural = scene.at(before_phrase(scene, mention.first) + 1), plural_of(before.form)
        if plural is None or opening.tag not in ("possessive", "noun"):
            raise NotDerivedError(f"{before.form!r} before {name!r} has no plural here")
        work.edits[mention.first - 1] = plural  # his rival Bill
    is_subject = any(clause.subject == mention.last for clause in scene.clauses)
    is_followed = after.tag == "conjunction" and following.tag in ("name", "possessive", "determiner")
    if before.form == "and" and is_subject:
        last = mention.first - 2  # by the stove, and Tom and Ray
        if scene.at(last).tag != "mark":
            work.edits[last] = f"{work.edits.get(last, scene.written(last))},"
    elif before.form in ("and", "or") or (is_followed and after.form != "but"):
        work.doubts.append(f"{name!r} may be one of several already")
    if after.tag == "genitive" and _each_has_one(scene.at(_head_from(scene, mention.last + 2)).form):
        work.doubts.append(f"each may have one: {scene.at(_head_from(scene, mention.last + 2)).form!r}")
    if scene.has_apposition(mention):
        work.doubts.append(f"what follows {name!r} may say who that is")


def _change_noun(work: _Change, mention: Mention) -> None:
    """*the cup* → *the cups*, with its determiner and its genitive."""
    scene, citation = work.scene, work.scene.citation(mention)
    head, after = scene.tokens[mention.head], mention.head + 1
    if head.tag == "name":
        raise NotDerivedError(f"{citation!r} is a name")
    new = _in_number(head.form, work)
    if new is None or is_joined(scene, mention.head):
        raise NotDerivedError(f"{citation!r} has no {work.to}")
    if not work.to_plural and is_in(new, "countable", "in-pairs"):
        work.doubts.append(f"{head.form!r} may be a pair")
    work.edits[mention.head] = new
    work.changed.add(mention.head)
    _change_determiner(work, mention)
    if scene.at(after).tag == "genitive" and new.endswith("s") and work.to_plural:
        work.edits[after] = "'"
    elif scene.at(after).form in ("'", "’") and not work.to_plural:
        work.edits[after] = "'s"


def _in_number(noun: str, work: _Change) -> str | None:
    """The noun in the new number; the same form for *sheep* and the like."""
    return noun if is_in(noun, "nouns", "either-number") else work.inflected(noun)


def _change_determiner(work: _Change, mention: Mention) -> None:
    """*a cup* → *cups*, *this cup* → *these cups*; a noun without article is not one of several."""
    scene, citation = work.scene, work.scene.citation(mention)
    opening = before_phrase(scene, mention.head) + 1
    while opening < mention.head and scene.at(opening).tag not in ("determiner", "possessive", "number", "name"):
        opening += 1
    word, modifiers = scene.at(opening), scene.tokens[opening + 1 : mention.head]
    owns = word.tag == "name" or any(token.tag == "genitive" for token in modifiers)
    counts = any(token.tag in ("number", "determiner") for token in modifiers) and not owns
    if counts or any(is_in(token.form, "phrases", "described-as-one") for token in modifiers):
        raise NotDerivedError(f"{citation!r} says how many there are")
    if opening < mention.head and word.form in _OTHER_DETERMINERS[work.to]:
        work.edits[opening] = _OTHER_DETERMINERS[work.to][word.form]
    elif opening == mention.head or not (word.form in _KEPT or owns):
        raise NotDerivedError(f"{citation!r} is not one of several")


def _citations(work: _Change, mentions: list[Mention], partners: dict[int, str]) -> tuple[str, ...]:
    """The new citation forms: *Tom and Ray*, *the cups*, *Tom and Ray's uncles*."""
    scene, citations = work.scene, []
    for index, candidate in enumerate(scene.item.candidates):
        mention = mentions[index]
        if index in partners:
            citations.append(f"{scene.citation(mention)} and {partners[index]}")
            continue
        citation = _other_citation(candidate.text, scene.tokens[mention.head].form, work)
        owner = work.edits.get(mention.first, "")
        if scene.tokens[mention.first].form == folded(citation).split()[0] and owner:
            citation = f"{owner} {citation.split(' ', 1)[1]}"  # her neighbour
        for partner_index, partner in partners.items():
            name = scene.citation(mentions[partner_index])
            citation = re.sub(rf"^{re.escape(name)}(?='s )", f"{name} and {partner}", citation, flags=re.IGNORECASE)
        citations.append(citation)
    return tuple(citations)


def _other_citation(citation: str, old: str, work: _Change) -> str:
    """The candidate's citation form in the other number."""
    new, index = _in_number(old, work), folded(citation).rfind(old)
    if index < 0 or new is None:
        raise NotDerivedError(f"the candidate {citation!r} has another noun than its mention")
    changed = edited(citation, [Edit(Span(index, index + len(old)), new)])
    first, _, rest = changed.partition(" ")
    if not work.to_plural and not is_in(folded(first), "determiners", "determiner"):
        return f"the {changed}"
    owned = {"his": "their", "her": "their", "its": "their"} if work.to_plural else {}
    return f"{(_OTHER_DETERMINERS[work.to] | owned).get(folded(first), first)} {rest}".strip() if rest else changed


# Pronouns and what they have


def _change_pronouns(work: _Change, draws: Draws) -> list[str]:
    """Change the marked pronoun and all others of its kind, which are returned."""
    scene, others = work.scene, []
    forms = _TO_PLURAL if work.to_plural else _singular_pronouns(scene, draws)
    of_people = frozenset(word for word, gender in PRONOUNS.items() if gender == PRONOUNS.get(scene.pronoun_form))
    alike = next((kind for kind in (_OF_THINGS, _OF_SEVERAL) if scene.pronoun_form in kind), of_people)
    for index, token in enumerate(scene.tokens):
        if token.form not in alike:
            continue
        work.edits[index] = _other_pronoun(work, index, forms)
        if token.form in ("he", "she", "it", "they"):
            work.changed.add(index)
        if not work.to_plural and scene.at(index - 1).form == "of":
            work.doubts.append(f"what stands before 'of {token.form}' may count them")
        if index != scene.pronoun and index not in scene.candidate_tokens():  # not in "his son"
            others.append(token.form)
    return others


def _other_pronoun(work: _Change, index: int, forms: dict[str, str]) -> str:
    scene, token = work.scene, work.scene.tokens[index]
    if token.form == "her":
        work.doubts += [doubt for doubt in [scene.doubt_about_her(index)] if doubt]
        return "their" if token.tag == "possessive" else "them"
    if token.form == "it" and not any(clause.subject == index for clause in scene.clauses):
        return "them"
    if token.form == "his" and scene.at(index + 1).tag not in _AFTER_POSSESSIVE:
        return "theirs"
    return forms[token.form]


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


def _rivals(work: _Change) -> list[str]:
    """Whom or what else the candidates' pronouns may mean."""
    scene, rivals = work.scene, []
    if not work.to_plural or scene.pronoun_form in _OF_THINGS:
        return ["something else"]
    for index in sorted(set(range(len(scene.tokens))) - work.edits.keys() - scene.candidate_tokens()):
        token = scene.tokens[index]
        is_person = token.tag == "noun" and animacy(token.form) == "human" and noun_number(token.form) == "singular"
        is_first = token.tag == "name" and scene.at(index + 1).tag != "name"
        gender = name_gender(scene.written(index), "en").value if is_first else noun_gender(token.form)
        if (is_person or is_first) and gender in (scene.gender, "common" if is_first else None):
            rivals.append(repr(scene.written(index)))
    return rivals


def _change_possessed(work: _Change) -> None:
    """Change what each candidate has one of: *his head* → *their heads*."""
    scene = work.scene
    has_it = any(token.form in _OF_THINGS for index, token in enumerate(scene.tokens) if index not in work.edits)
    for index, new in list(work.edits.items()) if work.to_plural else ():
        head = _head_from(scene, index + 1)
        noun, plural = scene.at(head), plural_of(scene.at(head).form)
        owns = new == "their" or scene.tokens[index].tag == "genitive"
        if not owns or head in work.edits or noun.tag != "noun" or not plural:
            continue
        if _each_has_one(noun.form):
            work.edits[head] = plural
            work.changed.add(head)
            part = scene.at(index - 2)  # the hood of her coat
            if scene.at(index - 1).form == "of" and plural_of(part.form) and not is_in(part.form, "countable", "side"):
                work.doubts.append(f"each may have one: {part.form!r}")
            if has_it:
                work.doubts.append(f"'it' may mean {noun.form!r}, of which there are several now")
        elif not _may_be_shared(noun.form):
            work.doubts.append(f"each may have one: {noun.form!r}, {plural!r}")


def _each_has_one(noun: str) -> bool:
    """Whether each person has one of these things: *their coats*."""
    return is_in(noun, "countable", "own-one") or is_in(noun, "things", "artefact")


def _may_be_shared(noun: str) -> bool:
    """Whether several people may share one: *their house*, *their teacher*."""
    is_place = is_in(noun, "things", "building", "landscape", "fixture", "vehicle", "furniture", "plant")
    return is_place or animacy(noun) is not None or is_in(noun, "countable", "shared")


# Predicates and verbs


def _change_predicates(work: _Change) -> None:
    """Change predicate nouns: *he was the winner* → *they were the winners*; and *they had bad backs*."""
    scene = work.scene
    for clause in scene.clauses:
        if not work.agrees(clause.subject) or clause.verb is None:
            continue
        index = clause.verb
        while scene.at(index).tag in ("aux", "not", "adverb"):
            index += 1
        last = [token.shape for token in scene.tokens[clause.verb : index] if token.tag == "aux"][-1:]
        if clause.head is None and last == ["be"]:
            is_place = scene.at(index).tag == "preposition"  # was on a bike
            _change_predicate_noun(work, index + is_place, owned=is_place)
        elif clause.head is None and last == ["have"] and work.to_plural:
            _change_predicate_noun(work, index, owned=True)
        elif clause.head is not None and is_in(scene.tokens[clause.head].verb, "verb_classes", "copular"):
            _change_predicate_noun(work, clause.head + 1)
        elif clause.head is not None and [scene.at(clause.head + n).form for n in (1, 2)] in _TO_BE:
            _change_predicate_noun(work, clause.head + 3)  # wanted to be a pilot


def _change_predicate_noun(work: _Change, index: int, *, owned: bool = False) -> None:
    """Change the noun after a copula, or what each person has one of."""
    scene, opening = work.scene, work.scene.at(index)
    is_definite = opening.form in ("a", "an", "the") or opening.tag == "possessive"
    head = _head_from(scene, index + is_definite)
    noun, new = scene.at(head), work.inflected(scene.at(head).form)
    is_bare_plural = not work.to_plural and noun.tag == "noun" and noun_number(noun.form) == "plural"
    is_changed = head in work.edits or (noun.tag == "noun" and owned and not _each_has_one(noun.form))
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


def _head_from(scene: Scene, index: int) -> int:
    """The last noun of the phrase whose words begin here; not *back* in *his money back*."""
    end = index
    while scene.at(end).tag in ("adjective", "noun", "adverb", "number"):
        if (
            end > index
            and scene.at(end - 1).tag == "noun"
            and is_in(scene.at(end).form, "function_words", "adjective-too")
        ):
            break
        end += 1
    return max((place for place in range(index, end) if scene.tokens[place].tag == "noun"), default=index)


def _change_verbs(work: _Change) -> None:
    """Make verbs agree with subjects whose number has changed."""
    scene = work.scene
    for clause in scene.clauses:
        is_unsure = clause.verb in scene.unsure
        if clause.verb is None or not (is_unsure or shows_number(scene.tokens[clause.verb])):
            continue
        subject = scene.at(-1 if clause.subject is None else clause.subject)
        is_there = subject.tag == "there" and bool(work.changed & set(range(clause.verb + 1, clause.verb + 6)))
        if work.agrees(clause.subject) or is_there:
            new = agreeing(scene.tokens[clause.verb], work.to)
            if is_unsure and not work.to_plural:
                work.doubts.append(f"{scene.written(clause.verb)!r} may be present or past")
            is_clitic_kept = subject.tag in ("pronoun", "there")
            work.edits[clause.verb] = new if is_clitic_kept else {"'ve": " have", "'re": " are"}.get(new, new)
        elif clause.subject is None:
            work.doubts.append(f"the subject of {scene.written(clause.verb)!r} is not clear")


# What else may count the candidates, or mean one of them


def _check_words(work: _Change) -> None:
    """Add doubts about numerals, about what someone is called or made, and about quotations."""
    scene, candidates = work.scene, work.scene.candidate_tokens()
    heads = {scene.tokens[mention.head].form for mention in scene.mentions if not scene.is_named[mention.candidate]}
    if any(token.tag == "quote" for token in scene.tokens):
        work.doubts.append("somebody is quoted")
    for clause, mention in product(scene.clauses, scene.mentions):
        is_said = clause.verb == before_phrase(scene, mention.head) and scene.at(clause.verb).shape == "be"
        if is_said and not work.agrees(clause.subject) and scene.at(clause.subject or 0).tag != "there":
            work.doubts.append(f"{scene.citation(mention)!r} may say what one person or thing is")
    for index, token in enumerate(scene.tokens):
        following = scene.at(index + 1)
        is_one = is_in(token.form, "phrases", "one-of-several") and token.tag in ("determiner", "number")
        counts = is_one or is_in(token.form, "phrases", "counting")
        is_judged = is_form_of(scene.at(index - 1).form, "finding", "judging", "thinking") and index in work.edits
        is_role = following.form in ("a", "an", "the") or animacy(following.form) == "human"  # as a cook, as captain
        is_as = token.form in ("as", "being") and token.tag != "subordinator"
        is_other = (
            token.form in _OF_THINGS and index not in work.edits and any(animacy(noun) != "human" for noun in heads)
        )
        is_again = token.tag == "noun" and token.form in heads and index not in candidates and following.tag != "noun"
        doubts = {
            f"{token.form!r} may count the candidates": counts and index not in work.edits and work.to_plural,
            f"what follows {token.form!r} may say what that is": is_judged and following.form in ("a", "an"),
            f"what follows {token.form!r} may need another number": is_as
            and is_role
            and _head_from(scene, index + 2) not in candidates,
            f"{token.form!r} may mean a candidate here too": is_again or is_other,  # a pin … the pin
        }
        work.doubts += [doubt for doubt, applies in doubts.items() if applies]


def _edits(work: _Change) -> list[Edit]:
    """The edits; a word that goes takes the space after it along, and its capital moves on."""
    scene, edits = work.scene, []
    moved_capital = {index + 1 for index, new in work.edits.items() if not new and scene.written(index)[0].isupper()}
    for index in sorted(work.edits.keys() | moved_capital):
        token, surface = scene.tokens[index], scene.written(index)
        new = work.edits.get(index, surface)
        if not new:
            edits.append(Edit(Span(token.span.start, scene.tokens[index + 1].span.start), ""))
            continue
        new_form = match_case(surface, new) if token.form.isalpha() and token.tag != "name" else new
        if index in moved_capital:
            new_form = new_form[0].upper() + new_form[1:]
        if new_form != surface:
            edits.append(Edit(token.span, new_form))
    return edits
