"""Another number: both candidates become several, or both one, with every word that agrees with them.

Names become several by conjunction: *Tom and Andrew threw their bags to Ray and Bob*. This chapter rewrites the
candidates; `concord` has what agrees with them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.rewriting.concord import (
    NumberChange,
    change_possessed,
    change_predicates,
    change_pronouns,
    change_verbs,
    check_words,
    doubt_referents,
    each_has_one,
    has_other_number,
    head_from,
)
from winoglot.languages.en.rewriting.inflection import plural_of
from winoglot.languages.en.rewriting.scene import Mention, animacy, before_phrase, is_joined, new_names, scene_of
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import joined, match_case
from winoglot.schemas.spans import Edit, Span, edited
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_KEPT = frozenset(("the", "my", "your", "his", "her", "its", "our", "their"))
_OTHER_DETERMINERS = {
    "plural": {"this": "these", "that": "those", "a": "", "an": "", "some": "some"},
    "singular": {"these": "this", "those": "that"},
}


def number(item: Item, draws: Draws) -> Rewriting:
    """Put both candidates into the other number."""
    scene = scene_of(item)
    scene.require_mentions()
    work = NumberChange(scene, "singular" if scene.is_plural else "plural")
    if scene.is_plural and any(scene.is_named):
        raise NotDerivedError("a name with 'they' is not one person")
    if not has_other_number(scene.pronoun_form):
        raise NotDerivedError(f"{scene.pronoun_form!r} has no other number")
    partners = _change_candidates(work, draws)
    others = change_pronouns(work, draws)
    change_possessed(work)
    change_predicates(work)
    change_verbs(work)
    doubt_referents(work, others)
    check_words(work)
    return Rewriting(tuple(_edits(work)), tuple(dict.fromkeys(work.doubts)), _citations(work, partners))


# The candidates


def _change_candidates(work: NumberChange, draws: Draws) -> dict[int, str]:
    """Change every mention; the names with which candidates are joined."""
    scene = work.scene
    partners = new_names(scene, draws)
    for mention in scene.mentions:
        if mention.candidate in partners:
            _join_partner(work, mention, partners[mention.candidate])
        else:
            _change_noun(work, mention)
    return partners


def _citations(work: NumberChange, partners: dict[int, str]) -> tuple[str, ...]:
    """The new citation forms: *Tom and Ray*, *the cups*, *Tom and Ray's uncles*."""
    scene, citations = work.scene, []
    for index, candidate in enumerate(scene.item.candidates):
        mention = scene.mentions_of(index)[0]
        if index in partners:
            citations.append(f"{scene.citation(mention)} and {partners[index]}")
            continue
        citation = _other_citation(candidate.text, scene.tokens[mention.head].form, work)
        owner = work.edits.get(mention.first, "")
        if scene.tokens[mention.first].form == folded(citation).split()[0] and owner:
            citation = f"{owner} {citation.split(' ', 1)[1]}"  # her neighbour
        for partner_index, partner in partners.items():
            name = scene.citation(scene.mentions_of(partner_index)[0])
            citation = re.sub(rf"^{re.escape(name)}(?='s )", f"{name} and {partner}", citation, flags=re.IGNORECASE)
        citations.append(citation)
    return tuple(citations)


def _join_partner(work: NumberChange, mention: Mention, partner: str) -> None:
    """*Tom* → *Tom and Ray*, with the words around the name that agree with it."""
    scene, name = work.scene, work.scene.citation(mention)
    if mention.last > mention.first:
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
    if after.tag == "genitive" and each_has_one(scene.at(head_from(scene, mention.last + 2)).form):
        work.doubts.append(f"each may have one: {scene.at(head_from(scene, mention.last + 2)).form!r}")
    if scene.has_apposition(mention):
        work.doubts.append(f"what follows {name!r} may say who that is")


def _change_noun(work: NumberChange, mention: Mention) -> None:
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


def _in_number(noun: str, work: NumberChange) -> str | None:
    """The noun in the new number; the same form for *sheep* and the like."""
    return noun if is_in(noun, "nouns", "either-number") else work.inflected(noun)


def _change_determiner(work: NumberChange, mention: Mention) -> None:
    """*a cup* → *cups*, *this cup* → *these cups*; a noun without article is not one of several."""
    scene, citation = work.scene, work.scene.citation(mention)
    first = opening = before_phrase(scene, mention.head) + 1
    while opening < mention.head and scene.at(opening).tag not in ("determiner", "possessive", "number", "name"):
        opening += 1
    word, modifiers = scene.at(opening), scene.tokens[opening + 1 : mention.head]
    owns = word.tag == "name" or any(token.tag == "genitive" for token in modifiers)
    counts = any(token.tag in ("number", "determiner") for token in modifiers) and not owns
    if counts or any(is_in(token.form, "phrases", "described-as-one") for token in modifiers):
        raise NotDerivedError(f"{citation!r} says how many there are")
    if opening < mention.head and word.form in _OTHER_DETERMINERS[work.to]:
        work.edits[opening] = _OTHER_DETERMINERS[work.to][word.form]
    elif opening == mention.head and not work.to_plural:
        article = joined("a ", scene.written(first).lower() + " ", "en").split(" ", 1)[0]
        rest = work.edits.get(first, scene.tokens[first].form)
        work.edits[first] = match_case(scene.written(first), f"{article} {rest}")
        work.doubts.append(f"{citation!r} may mean all of them, not one")
    elif opening == mention.head or not (word.form in _KEPT or owns):
        raise NotDerivedError(f"{citation!r} is not one of several")


def _other_citation(citation: str, old: str, work: NumberChange) -> str:
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


def _edits(work: NumberChange) -> list[Edit]:
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
