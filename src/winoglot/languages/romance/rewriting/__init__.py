"""Rewriting in Romance languages: tense, number, gender, voice, a relative clause, adverbs, synonyms.

A language gives its words as `Rules` (`rules.py`) and tables; `reader.py` finds phrases and verbs by the tests of
`word_classes.py`, `clauses.py` their subjects, `referents.py` what refers to a candidate, `agreement.py` what agrees
with one; `verbs.py` has the forms of verbs, and `writing.py` writes words with their contractions and elisions.
`voice.py` needs `passive.py` and `active.py`, which rewrite a clause in `pieces.py`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from winoglot.languages.rewriting import PASSIVE, RELATIVE
from winoglot.languages.romance.rewriting.active import is_deed
from winoglot.languages.romance.rewriting.adverb import adverb
from winoglot.languages.romance.rewriting.gender import gender
from winoglot.languages.romance.rewriting.number import number
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.relative import relative
from winoglot.languages.romance.rewriting.synonym import synonym
from winoglot.languages.romance.rewriting.tense import tense
from winoglot.languages.romance.rewriting.voice import voice
from winoglot.schemas.model import Candidate, Item
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.languages.rewriting import Rewriting
    from winoglot.languages.romance.rewriting.rules import Rules


def constructions(text: str, rules: Rules) -> frozenset[str]:
    """Of `passive` and `relative`, those that a text has: *foi chamada* (not *está cansada*), *que* after a noun."""
    nowhere = Span(len(text), len(text))  # the reader expects an item
    clauses = clauses_of(Item("text.0", "text", text=text, pronoun=nowhere, candidates=(Candidate("-"),)), rules)
    groups = [clauses.group(one) for one in clauses.all_verbs()]
    passives = [one for one in groups if one.is_passive and is_deed(clauses, one)]
    is_told = any(
        (rules.verbs.nonfinite(clauses.form(one.verbs[-2])) or clauses.infinitive(one.verbs[-2])) == rules.be
        and (len(one.verbs) > 2 or not clauses.is_compound(one.first))
        for one in passives
    )
    is_described = any(one == "relative" and not clauses.is_said(at) for at, one in enumerate(clauses.classes))
    return frozenset([PASSIVE] * is_told + [RELATIVE] * is_described)


def kinds_for(rules: Rules) -> Iterator[Callable[..., Rewriting]]:
    """The rules for each kind with a language's words, in the order of the alphabet: what its `rewriting` offers."""
    for kind in (adverb, gender, number, relative, synonym, tense, voice):
        yield partial(kind, rules=rules)
