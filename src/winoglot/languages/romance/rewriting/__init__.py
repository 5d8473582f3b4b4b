"""Rewriting in Romance languages: tense, number, gender, voice, a relative clause, adverbs, synonyms.

In reading order:

- `rules`: what a language tells the rules: its closed-class words by use, and how its words inflect;
- `verbs`: the forms of verbs;
- `word_classes`, `reader`: the class of each word, then noun phrases, verbs and pronouns, from left to right;
- `clauses`: which phrase is the subject of a verb;
- `people`, `referents`, `agreeing_words`: the candidates' names, what refers to a candidate, what agrees with one;
- `writing`: words written with their contractions and elisions;
- `change`: phrases and what agrees with them in the other gender or number;
- `tense`, `number`, `gender`, `voice`, `relative`, `adverb`, `synonym`: one
  module per kind of change.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from winoglot.languages.rewriting import PASSIVE, RELATIVE
from winoglot.languages.romance.rewriting.adverb import adverb
from winoglot.languages.romance.rewriting.gender import gender
from winoglot.languages.romance.rewriting.number import number
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.relative import relative
from winoglot.languages.romance.rewriting.synonym import synonym
from winoglot.languages.romance.rewriting.tense import tense
from winoglot.languages.romance.rewriting.voice import is_deed, voice
from winoglot.schemas.model import Candidate, Item
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.languages.rewriting import Rewriting
    from winoglot.languages.romance.rewriting.rules import Rules


def constructions(text: str, rules: Rules) -> frozenset[str]:
    """Which of `passive` and `relative` occur in a text: *foi chamada* (not *está cansada*), *que* after a noun."""
    nowhere = Span(len(text), len(text))  # the reader expects an item
    clauses = clauses_of(Item("text.0", "text", text=text, pronoun=nowhere, candidates=(Candidate("-"),)), rules)
    groups = [clauses.group(verb) for verb in clauses.all_verbs()]
    passives = [group for group in groups if group.is_passive and is_deed(clauses, group)]
    is_told = any(
        (rules.verbs.nonfinite(clauses.form(group.verbs[-2])) or clauses.infinitive(group.verbs[-2])) == rules.be
        and (len(group.verbs) > 2 or not clauses.is_compound(group.first))
        for group in passives
    )
    is_described = any(
        word_class == "relative" and not clauses.is_said(index) for index, word_class in enumerate(clauses.classes)
    )
    return frozenset([PASSIVE] * is_told + [RELATIVE] * is_described)


def kinds_for(rules: Rules) -> Iterator[Callable[..., Rewriting]]:
    """One rule per kind, in alphabetical order, with a language's words filled in: what its `rewriting` offers."""
    for kind in (adverb, gender, number, relative, synonym, tense, voice):
        yield partial(kind, rules=rules)
