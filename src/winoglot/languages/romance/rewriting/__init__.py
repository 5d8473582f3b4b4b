"""Rewriting in Romance languages: tense, number, gender, a relative clause, adverbs, synonyms.

In reading order:

- `rules`: what a language tells the rules: its closed-class words by use, and how its words inflect;
- `verbs`: the forms of verbs;
- `reader`: the class of each word, then noun phrases, verbs and pronouns, from left to right;
- `clauses`: what the reader found, and which phrase is the subject of a verb;
- `agreement`: what refers to a candidate, and what agrees with one;
- `people`: the candidates' names, and candidates that are named again;
- `writing`: words written with their contractions and elisions;
- `change`: phrases and what agrees with them in the other gender or number;
- `tense`, `number`, `gender`, `relative`, `adverb`, `synonym`: one module per kind of change.

There is no rule for voice: a passive is grammatical more often than it is what one would say.
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
from winoglot.schemas.model import Candidate, Item
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.languages.rewriting import Rewriting
    from winoglot.languages.romance.rewriting.clauses import Clauses, VerbChain
    from winoglot.languages.romance.rewriting.rules import Rules


def constructions(text: str, rules: Rules) -> frozenset[str]:
    """Which of `passive` and `relative` occur in a text: *foi chamada* (not *está cansada*), *que* after a noun."""
    nowhere = Span(len(text), len(text))  # the reader expects an item
    clauses = clauses_of(Item("text.0", "text", text=text, pronoun=nowhere, candidates=(Candidate("-"),)), rules)
    is_told = any(_is_deed(clauses, clauses.group(verb)) for verb in clauses.all_verbs())
    is_described = any(
        word_class == "relative" and not clauses.is_said(index) for index, word_class in enumerate(clauses.classes)
    )
    return frozenset([PASSIVE] * is_told + [RELATIVE] * is_described)


def _is_deed(clauses: Clauses, group: VerbChain) -> bool:
    """Whether a verb tells of an act in the passive: *foi roubado*, *a été volé*, not *era admirado*."""
    verbs, actions = clauses.rules.verbs, clauses.rules.verbs.actions
    lexical = verbs.nonfinite(clauses.form(group.last))
    is_act = lexical in actions.words("transitive") and lexical not in actions.words("state")
    if not (group.is_passive and is_act) or group.has_clitic:
        return False
    if len(group.verbs) > 2:
        return verbs.nonfinite(clauses.form(group.verbs[-2])) == clauses.rules.be
    is_past_act = clauses.analysis(group.first).tense in ("preterite", "first-preterite", "future")
    return is_past_act and clauses.infinitive(group.first) == clauses.rules.be


def kinds_for(rules: Rules) -> Iterator[Callable[..., Rewriting]]:
    """One rule per kind, in alphabetical order, with a language's words filled in: what its `rewriting` offers."""
    for kind in (adverb, gender, number, relative, synonym, tense):
        yield partial(kind, rules=rules)
