"""Italian: how a candidate replaces each pronoun. *Ne*, *ci*, reflexives and clusters (*glielo*) are not derived.

In reading order:

- `grammar`: what Italian adds to the Romance grammar;
- `pronouns`: stressed pronouns and possessives;
- `clitics`: objects and recipients.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.zero import before_verb

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place

INITIALS_LIKE_WORDS = True  # l'ONU, la NATO

_STRESSED = (
    *("lui", "lei", "egli", "ella", "esso", "essa", "essi", "esse"),
    *("costui", "costei", "costoro", "quest'ultimo", "quest'ultima", "quest'ultimi", "quest'ultime"),
)
_PLAIN = str.maketrans("àèé", "aee")
_SEAM = re.compile(r"\b([EeAa])d?(?=\s$)")


def substitute(place: Place) -> Substitution:
    """The reading of an Italian item."""
    from winoglot.languages.it import clitics, pronouns
    from winoglot.languages.it.grammar import ITALIAN
    from winoglot.languages.romance.pronouns import demonstrative
    from winoglot.languages.romance.words import around

    form, words = place.surface, around(place, ITALIAN)
    _check_gender(place, form)
    if form in _STRESSED:
        return pronouns.personal(words)
    if form == "loro":
        return pronouns.loro(words)
    if form in ("suo", "sua", "suoi", "sue"):
        return pronouns.possessive(words)
    if form in ("lo", "la", "l'", "li"):
        return clitics.accusative(words)
    if form == "le":
        return clitics.le(words)
    if form == "gli":
        return clitics.dative(words)
    if form in ("questo", "questa", "questi", "queste", "quello", "quella", "quelli", "quelle"):
        if form in ("questo", "quello") and words.previous_form != "ma":
            raise NotDerivedError(f"{form!r} may refer to a statement")
        return demonstrative(words)
    if form in ("si", "sé", "se"):
        raise NotDerivedError(f"{form!r} refers back to its own subject")
    if form in ("ne", "ci", "vi"):
        raise NotDerivedError(f"{form!r} stands for a preposition and a phrase, or for a place")
    raise NotDerivedError(f"there is no rule for {form!r}")


def unspoken(place: Place) -> Substitution:
    """The candidate as a subject that is not spoken, if the verb and its predicate agree with it."""
    from winoglot.languages.it.grammar import ITALIAN, check_verb
    from winoglot.languages.romance.predicates import check_subject

    check_verb(place)
    check_subject(place, ITALIAN)
    return before_verb(place)


def _check_gender(place: Place, form: str) -> None:
    """Refuse a pronoun whose gender is not that of an Italian name, which other lists may give both."""
    from winoglot.languages.lexicon import lexicon
    from winoglot.languages.romance.grammar import Inflection
    from winoglot.languages.romance.predicates import check

    features = lexicon("it", "pronouns").features().get(form)
    if features is not None:
        check(place.phrase, form, Inflection(features.gender))


def euphonic(left: str, right: str) -> str:
    """The left text, with its final *e* or *a* (if any) adapted to the first sound of the right one.

    >>> euphonic("Rise e ", "Elena"), euphonic("Rise ed ", "Anna"), euphonic("Disse a ", "Anna"), euphonic("a ", "Eva")
    ('Rise ed ', 'Rise e ', 'Disse ad ', 'a ')
    """
    seam = _SEAM.search(left)
    if seam is None:
        return left
    vowel = seam.group(1)
    is_same_vowel = right[:1].lower().translate(_PLAIN) == vowel.lower()
    return left[: seam.start()] + vowel + ("d" if is_same_vowel else "") + left[seam.end() :]


def word_class(form: str) -> str:
    """What the word may be in a noun phrase."""
    from winoglot.languages.it.grammar import ITALIAN

    return ITALIAN.word_class(form)
