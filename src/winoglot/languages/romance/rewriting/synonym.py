"""Other words for both candidates: another first name of the same gender, or a noun from the table of synonyms.

Proposed where only one of them has a synonym.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.openings import split
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.people import drawn_names, name_edits, people_among
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.writing import Writing
from winoglot.languages.substitution import match_case
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item
    from winoglot.schemas.spans import Edit

_BEFORE_VOWEL = frozenset({"vieux", "vieil", "beau", "bel", "nouveau", "nouvel", "fou", "fol"})


def synonym(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The candidates in other words; NotDerivedError if neither has any."""
    clauses = clauses_of(item, rules)
    people = people_among(item, item.language)
    names = dict(zip(people, drawn_names(list(people.values()), draws), strict=True))
    writing = Writing(clauses)
    citations: list[str] = []
    kept: list[str] = []
    nouns: list[str] = []
    used_nouns = {
        word for schema_item in draws.schema.items for word in re.findall(r"[\w-]+", folded(schema_item.text or ""))
    }
    for index, candidate in enumerate(item.candidates):
        if index in people:
            writing.edits += name_edits(item, people[index], names[index], people[index].gender, rules)
            citations.append(_new_citation(candidate.text, people[index].name, names[index], None, rules))
            continue
        phrases = [phrase for phrase in clauses.phrases if phrase.candidate == index]
        gender = phrases[0].gender if phrases else None
        noun, new = _synonym(candidate.text, gender, rules, draws, used_nouns)
        if not new:
            kept.append(noun)
            citations.append(candidate.text)
            continue
        used_nouns.add(new)
        nouns.append(noun)
        if not phrases or len(phrases) != len(candidate.mentions):
            raise NotDerivedError(f"{candidate.text!r} is not mentioned as one plain phrase")
        for phrase in phrases:
            _write_noun(clauses, phrase, noun, new, writing)
        citations.append(_new_citation(candidate.text, noun, new, phrases[0], rules))
    if len(kept) == len(item.candidates):
        raise NotDerivedError(f"no synonym of {kept[0]!r} is listed")
    _check_unmentioned(clauses, writing.edits, nouns)
    doubts = tuple(f"no synonym of {noun!r} is listed: is there one?" for noun in kept)
    return Rewriting(tuple(writing.edits), doubts, tuple(citations))


def _new_citation(citation: str, old: str, new: str, phrase: TextPhrase | None, rules: Rules) -> str:
    """The citation with a new noun or name, and the article that it needs: *l'avocat*, *le juge*."""
    determiner, noun = split(citation, rules.tag)
    index = noun.lower().rindex(old.lower())
    changed = noun[:index] + new + noun[index + len(old) :]
    if phrase is not None and determiner and rules.elides(noun) != rules.elides(changed):
        number = "plural" if phrase.number == "plural" else "singular"
        determiner = rules.determiner(determiner.lower(), phrase.gender or "masculine", number, changed)
    return match_case(citation[:1], rules.joined(determiner, changed))


def _synonym(citation: str, gender: str | None, rules: Rules, draws: Draws, used_nouns: set[str]) -> tuple[str, str]:
    """The noun of a citation and its synonym, in the same number; an empty one if none is listed or free."""
    noun = split(citation, rules.tag)[1]
    table = lexicon(rules.tag, "synonyms").values("synonym")
    words = noun.lower().split()
    head = next((word for word in words if word not in rules.grammar.prenominals), "")
    singular = next((form for form in (head, *rules.singulars(head)) if form in table), "")
    is_common = rules.noun_gender(singular) == "common"  # "cliente": "freguês" or "freguesa"
    suitable = [
        option for option in table.get(singular, ()) if not is_common or rules.noun_gender(option) in (gender, "common")
    ]
    options = suitable if singular == head else [plural for option in suitable if (plural := rules.in_plural(option))]
    free = [option for option in options if option not in used_nouns]
    if not free:
        return head or noun, ""
    if rules.grammar.is_noun_too(words[0]) and len(words) > 1 and words[0] != head:
        raise NotDerivedError(f"the noun of {noun!r} is unsure")
    return head, draws.pick(f"synonym of {singular}", free)


def _write_noun(clauses: Clauses, phrase: TextPhrase, noun: str, new: str, writing: Writing) -> None:
    """Put a noun in place of another, with the article that it needs: *à l'avocat*, *au juge*."""
    rules = clauses.rules
    index = next(
        (position for position in range(phrase.first, phrase.last + 1) if clauses.form(position) == noun), None
    )
    if index is None:
        raise NotDerivedError(f"{noun!r} is mentioned in another form")
    is_elided = rules.elides(noun) != rules.elides(new)
    if is_elided and clauses.form(index - 1) in _BEFORE_VOWEL:
        raise NotDerivedError(f"{clauses.form(index - 1)!r} would be written otherwise")  # "vieux juge", "vieil avocat"
    has_article = phrase.first < index and bool(phrase.determiner) and phrase.number != "plural"
    writing.word(index, new, fuse=not has_article)
    if is_elided and has_article and index == phrase.first + 1:
        if phrase.gender not in ("masculine", "feminine"):
            raise NotDerivedError("the gender of its article is unknown")
        writing.determiner(phrase.first, phrase.gender, "singular")


def _check_unmentioned(clauses: Clauses, edits: list[Edit], nouns: list[str]) -> None:
    """Refuse a text that repeats a candidate's noun outside its mentions, where it would keep its old name."""
    for word in clauses.words:
        if word.form in nouns and not any(word.span.overlaps(edit.span) for edit in edits):
            raise NotDerivedError(f"{word.form!r} occurs besides its mentions")
