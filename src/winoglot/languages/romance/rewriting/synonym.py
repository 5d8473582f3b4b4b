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
from winoglot.languages.romance.rewriting.people import drawn_names, edits_before, name_edits, people_among
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.substitution import apostrophe_of, fused, like, unelided
from winoglot.schemas.spans import Edit
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item


def synonym(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The candidates in other words; NotDerivedError if neither has any."""
    clauses = clauses_of(item, rules)
    people = people_among(item, item.language)
    names = dict(zip(people, drawn_names(list(people.values()), draws), strict=True))
    edits: list[Edit] = []
    citations: list[str] = []
    kept: list[str] = []
    nouns: list[str] = []
    taken = {word for one in draws.schema.items for word in re.findall(r"[\w-]+", folded(one.text or ""))}
    for index, candidate in enumerate(item.candidates):
        if index in people:
            edits += name_edits(item, people[index], names[index], people[index].gender, rules)
            citations.append(_cited(candidate.text, people[index].name, names[index], people[index].gender, rules))
            continue
        phrases = [phrase for phrase in clauses.phrases if phrase.candidate == index]
        gender = phrases[0].gender if phrases else None
        noun, new = _synonym(candidate.text, gender, rules, draws, taken)
        if not new:
            kept.append(noun)
            citations.append(candidate.text)
            continue
        taken.add(new)
        nouns.append(noun)
        if not phrases or len(phrases) != len(candidate.mentions):
            raise NotDerivedError(f"{candidate.text!r} is not mentioned as one plain phrase")
        edits += [edit for phrase in phrases for edit in _noun_edits(clauses, phrase, noun, new, rules)]
        citations.append(_cited(candidate.text, noun, new, gender, rules))
    if len(kept) == len(item.candidates):
        raise NotDerivedError(f"no synonym of {kept[0]!r} is listed")
    _check_unmentioned(clauses, edits, nouns)
    doubts = tuple(f"no synonym of {noun!r} is listed: is there one?" for noun in kept)
    return Rewriting(tuple(edits), doubts, tuple(citations))


def _cited(citation: str, old: str, new: str, gender: str | None, rules: Rules) -> str:
    """The citation with a new noun, and its article before a vowel or consonant."""
    at = citation.lower().rindex(old.lower()) if old.lower() in citation.lower() else 0
    left = unelided(citation[:at], citation[at:], rules.tag)
    if left.endswith(("'", "’")):
        article = rules.determiner("le", gender or "masculine", "singular", new)
        left = left[:-2] + like(left[-2:], rules.joined(article, ""))
    written = "".join(fused(left, new, rules.tag)) if left else new
    if at == 0 and citation[:1].isupper():
        written = written[:1].upper() + written[1:]
    return written + citation[at + len(old) :]


def _synonym(citation: str, gender: str | None, rules: Rules, draws: Draws, taken: set[str]) -> tuple[str, str]:
    """The noun of a citation and its synonym, in the same number; an empty one if none is listed or free."""
    noun = split(citation, rules.tag)[1]
    table = lexicon(rules.tag, "synonyms").values("synonym")
    words = noun.lower().split()
    head = next((word for word in words if word not in rules.grammar.prenominals), "")
    singular = next((form for form in (head, *rules.singulars(head)) if form in table), "")
    is_common = rules.noun_gender(singular) == "common"  # "cliente": "freguês" or "freguesa"
    fitting = [one for one in table.get(singular, ()) if not is_common or rules.noun_gender(one) in (gender, "common")]
    options = fitting if singular == head else [plural for one in fitting if (plural := rules.in_plural(one))]
    free = [one for one in options if one not in taken]
    if not free:
        return head or noun, ""
    if rules.grammar.is_noun_too(words[0]) and len(words) > 1 and words[0] != head:
        raise NotDerivedError(f"the noun of {noun!r} is unsure")
    return head, draws.pick(f"synonym of {singular}", free)


def _noun_edits(clauses: Clauses, phrase: TextPhrase, noun: str, new: str, rules: Rules) -> list[Edit]:
    """The edits that put a noun in place of another, with the elided article before it."""
    number = next((n for n in range(phrase.first, phrase.last + 1) if clauses.form(n) == noun), None)
    if number is None:
        raise NotDerivedError(f"{noun!r} is mentioned in another form")
    text, span = clauses.text, clauses.words[number].span
    left = text[: span.start]
    written = unelided(left, text[span.start :], rules.tag)
    shown = new[:1].upper() + new[1:] if span.of(text)[:1].isupper() else new
    if rules.tag == "fr" and left.endswith(("'", "’")):
        written = _full_article(left, phrase, rules)
    written = fused(written, shown, rules.tag, apostrophe=apostrophe_of(text))[0]
    return [*edits_before(left, written), Edit(span, shown)]


def _full_article(left: str, phrase: TextPhrase, rules: Rules) -> str:
    """*l'* as the article of the noun's gender: *l'avocat* → *le*."""
    if not left.lower().endswith(("l'", "l’")):
        return unelided(left, "a", rules.tag)
    gender = phrase.gender
    if gender not in ("masculine", "feminine"):
        raise NotDerivedError("the gender of its article is unknown")
    article = "le" if gender == "masculine" else "la"
    return left[:-2] + (article.capitalize() if left[-2].isupper() else article) + " "


def _check_unmentioned(clauses: Clauses, edits: list[Edit], nouns: list[str]) -> None:
    """Refuse a text that repeats a candidate's noun outside its mentions, where it would keep its old name."""
    for word in clauses.words:
        if word.form in nouns and not any(word.span.overlaps(edit.span) for edit in edits):
            raise NotDerivedError(f"{word.form!r} occurs besides its mentions")
