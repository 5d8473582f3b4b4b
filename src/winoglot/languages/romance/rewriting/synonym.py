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
from winoglot.languages.romance.rewriting.people import cited_phrase, drawn_names, people_among, plain_mentions, renamed
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.writing import Writing
from winoglot.schemas.spans import edited
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item


def synonym(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The candidates in other words; NotDerivedError if neither has any."""
    clauses, people = clauses_of(item, rules), people_among(item)
    names, writing = drawn_names(people, draws), Writing(clauses)
    citations = [candidate.text for candidate in item.candidates]
    kept: list[str] = []
    doubts: list[str] = []
    texts = [folded(schema_item.text or "") for schema_item in draws.schema.items]
    used_nouns = {word for text in texts for word in re.findall(r"[\w-]+", text)}
    for index, candidate in enumerate(item.candidates):
        if index in people:
            edits, citations[index] = renamed(item, people[index], names[index], people[index].gender, rules)
            writing.edits += edits
            continue
        phrases = [phrase for phrase in clauses.mentions if phrase.candidate == index]
        noun, new = _synonym(candidate.text, phrases[0].gender if phrases else None, rules, draws, used_nouns)
        if not new:
            kept.append(noun)
            continue
        used_nouns.add(new)
        after = candidate.text.lower().partition(noun)[2].split()
        if any(rules.animacy(word) == "thing" for word in after):
            doubts.append(f"does {candidate.text!r} then mean the same?")  # "emploi du temps", "diretor do filme"
        for phrase in plain_mentions(clauses, index):
            _write_noun(phrase, noun, new, writing)
        cited = Writing(cited_phrase(clauses, index))
        _write_noun(cited.clauses.mentions[0], noun, new, cited)
        citations[index] = edited(candidate.text, cited.edits)
    if len(kept) == len(item.candidates):
        raise NotDerivedError(f"no synonym of {kept[0]!r} is listed")
    doubts += [f"no synonym of {noun!r} is listed: is there one?" for noun in kept]
    return Rewriting(tuple(writing.edits), tuple(doubts), tuple(citations))


def _synonym(citation: str, gender: str | None, rules: Rules, draws: Draws, used_nouns: set[str]) -> tuple[str, str]:
    """The noun of a citation and its synonym, in the same number; an empty one if none is listed or free."""
    noun = split(citation, rules.tag)[1]
    if any(word[:1].isupper() for word in noun.split()[1:]):
        raise NotDerivedError(f"{citation!r} is a name with a title")
    table = lexicon(rules.tag, "synonyms").values("synonym")
    head = next((word for word in noun.lower().split() if word not in rules.grammar.prenominals), noun)
    singular = next((form for form in (head, *rules.singulars(head)) if form in table), "")
    is_common = rules.noun_gender(singular) == "common"  # "cliente": "freguês" or "freguesa"
    suitable = [
        option for option in table.get(singular, ()) if not is_common or rules.noun_gender(option) in (gender, "common")
    ]
    options = suitable if singular == head else [plural for option in suitable if (plural := rules.in_plural(option))]
    free = [option for option in options if option not in used_nouns]
    return head, draws.pick(f"synonym of {singular}", free) if free else ""


def _write_noun(phrase: TextPhrase, noun: str, new: str, writing: Writing) -> None:
    """Put a noun in place of another, with the article that it needs: *à l'avocat*, *au juge*."""
    clauses, rules = writing.clauses, writing.clauses.rules
    places = (position for position in range(phrase.first, phrase.last + 1) if clauses.form(position) == noun)
    index = next(places, phrase.head)
    is_elided = rules.elides(noun) != rules.elides(new)
    has_article = bool(phrase.determiner) and phrase.number != "plural"
    if is_elided and has_article and (index != phrase.first + 1 or phrase.gender not in ("masculine", "feminine")):
        raise NotDerivedError(f"the word before {noun!r} would be written otherwise")  # "vieux juge", "vieil avocat"
    writing.word(index, new, fuse=not has_article)
    if is_elided and has_article:
        writing.determiner(phrase.first, phrase.gender or "", "singular")
