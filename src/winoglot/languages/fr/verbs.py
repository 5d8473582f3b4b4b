"""The verb that a clitic belongs to, and the position of its object when it is a noun.

The noun is placed after the participle (*il lui a enfin parlé* → *il a enfin parlé à Paul*), after the infinitive
(*de l'aider* → *d'aider Paul*) or after the finite verb, its negation and short adverbs
(*il ne la voit pas souvent* → *il ne voit pas souvent Léa*).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.participles import is_only_participle, is_participle
from winoglot.languages.fr.words import (
    HYPHENS,
    closed_class,
    is_adverb,
    is_blank,
    is_boundary,
    is_infinitive,
    is_word,
    listed,
    verb_of,
)
from winoglot.languages.tables import feature_table, word_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.substitution import Token

_AUXILIARY_FORMS = {"avoir": "avoir", "ayant": "avoir", "être": "être", "étant": "être"}
_OBJECT_CLITICS = frozenset({"le", "la", "l'", "les", "lui", "leur", "y", "en", "me", "m'", "te", "t'", "se", "s'"})
_FINITE_ENDINGS = ("e", "s", "t", "d", "a", "c", "x", "z", "r", "ai")
_ALSO_VERBS = frozenset({"double", "présente", "maudit", "court"})  # adjectives before a noun that are also verbs
_NO_ADVERB_BEFORE = frozenset({"de", "d'", "du", "des", "que", "qu'", "à", "sûr", "entendu", "ou"})


@dataclass(frozen=True)
class VerbGroup:
    """A verb (`infinitive` if listed or itself an infinitive), and the indices of its last word and its participles."""

    infinitive: str | None
    auxiliary: str | None
    last: int
    participles: tuple[int, ...] = ()


def verb_group(words: Sequence[Token], *, negated: bool, dative: bool) -> VerbGroup:
    """The verb at the start of the words; raises NotDerivedError if there is none, or if it takes an infinitive.

    `negated`: whether *ne* comes before the clitic. `dative`: whether the clitic is an indirect object, so that *rien*
    may be the direct one.
    """
    form = words[0].form if words else ""
    if form in _OBJECT_CLITICS:
        raise NotDerivedError(f"there are several clitics in a row, {form!r} among them")
    if is_blank(form):
        return VerbGroup(None, None, 0)
    if not _can_be_verb(form):
        raise NotDerivedError(f"expected a verb, found {form!r}" if form else "no verb follows")
    auxiliary = _AUXILIARY_FORMS.get(form) or (verb_of(form) if verb_of(form) in ("avoir", "être") else None)
    group = _compound(words, auxiliary, dative=dative) if auxiliary else None
    if group is None:
        infinitive = form if is_infinitive(form) else verb_of(form)
        last = 0 if is_infinitive(form) else _with_adverbs(words, negated=negated, dative=dative)
        group = VerbGroup(infinitive, None, last)
    _refuse_what_follows(words, group)
    return with_bare_complement(words, group) if dative else group


def _can_be_verb(form: str) -> bool:
    if not is_word(form) or (form in closed_class() and verb_of(form) is None):
        return False
    if form in feature_table("fr", "prenominals.txt"):
        return form in _ALSO_VERBS
    return verb_of(form) is not None or form.endswith(_FINITE_ENDINGS)


def _compound(words: Sequence[Token], auxiliary: str, *, dative: bool) -> VerbGroup | None:
    """Auxiliary, adverbs and negation, participle; after *être* an adjective may take the participle's position."""
    at = _skip_adverbs(words, 1)
    form = words[at].form if at < len(words) else ""
    if auxiliary == "être":
        return _predicate(words, at)
    if not is_participle(form):
        if dative or (is_word(form) and not is_boundary(form)) or _has_participle(words, at):
            raise NotDerivedError(f"unexpected {form!r} between {words[0].form!r} and its participle")
        return None
    places = [at]
    if words[at].form == "été":
        at = _skip_adverbs(words, at + 1)
        if at >= len(words) or not is_participle(words[at].form):
            return VerbGroup("être", auxiliary, places[0])
        return VerbGroup(None, "être", at)
    if at + 2 < len(words) and words[at + 1].form in ("et", "ou") and is_only_participle(words[at + 2].form):
        places.append(at + 2)  # "il les a lavés et séchés"
    return VerbGroup(None, auxiliary, places[-1], tuple(places))


def _predicate(words: Sequence[Token], at: int) -> VerbGroup:
    """The participle or adjective after *être*, and the adjective after that: *est resté fidèle*."""
    forms = [word.form for word in words[at : at + 2]]
    if not forms or not is_word(forms[0]) or forms[0] in closed_class():
        raise NotDerivedError(f"no participle or adjective follows {words[0].form!r}")
    if len(forms) == 1 or is_boundary(forms[1]):
        return VerbGroup("être", "être", at)
    if forms[1] not in listed("adjective_list"):
        raise NotDerivedError(f"{forms[1]!r} may belong to {forms[0]!r}")
    return VerbGroup("être", "être", at + 1)


def _has_participle(words: Sequence[Token], at: int) -> bool:
    """Whether a participle still follows before the end of the clause, ignoring commas: "l'a, hier, prise"."""
    if at >= len(words) or words[at].form != ",":
        return False
    clause = [word.form for word in words[at : at + 6]]
    return any(is_only_participle(form) for form in clause)


def _skip_adverbs(words: Sequence[Token], at: int) -> int:
    while at < len(words):
        phrase = next((p for p in _adverb_phrases() if tuple(w.form for w in words[at : at + len(p)]) == p), ())
        if not phrase and not is_adverb(words[at].form) and words[at].form not in listed("negations"):
            return at
        at += len(phrase) or 1
    return at


@cache
def _adverb_phrases() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.replace("'", "' ").split()) for line in word_list("fr", "adverb_phrases.txt"))


def _with_adverbs(words: Sequence[Token], *, negated: bool, dative: bool) -> int:
    """The index of the last negation or short adverb after a finite verb."""
    last = 0
    while last + 1 < len(words):
        form = words[last + 1].form
        follower = words[last + 2].form if last + 2 < len(words) else ""
        is_negation = negated and (form in listed("negations") or (dative and form == "rien"))
        is_before_negation = negated and is_adverb(form) and follower in listed("negations")  # "presque jamais"
        is_light = form in listed("light_adverbs") and follower not in _NO_ADVERB_BEFORE and not _counts(form, follower)
        is_degree = form == "très" and follower in listed("light_adverbs")  # "très bien"
        is_of_sentence = form in listed("sentence_adverbs")  # unlike "beaucoup" and "assez" without "de"
        if not (is_negation or is_before_negation or is_light or is_degree or is_of_sentence):
            break
        last += 1
    return last


def _counts(adverb: str, follower: str) -> bool:
    """Whether the adverb belongs to the noun after it: "encore un verre"."""
    return adverb == "encore" and follower in listed("determiners") | listed("quantifiers") | listed("numerals")


def with_bare_complement(words: Sequence[Token], group: VerbGroup) -> VerbGroup:
    """A noun or adjective without a determiner stays with its verb: *il lui fait peur* → *il fait peur à Paul*."""
    at = group.last + 1
    if at + 1 < len(words) and words[at].form in listed("degree_words") and not is_boundary(words[at + 1].form):
        at += 1
    form = words[at].form if at < len(words) else ""
    if form in listed("bare_nouns"):
        return replace(group, last=at)
    if is_boundary(form) or form in listed("numerals") or form.isdigit():
        return group
    if at + 1 < len(words) and not is_boundary(words[at + 1].form):
        raise NotDerivedError(f"{words[at].form!r} and {words[at + 1].form!r} may both belong to the verb")
    return replace(group, last=at)


def _refuse_what_follows(words: Sequence[Token], group: VerbGroup) -> None:
    verb = words[group.last].form
    inside = words[1 : group.last + 2]
    if any(token.form in HYPHENS for token in inside):
        raise NotDerivedError("the subject follows its verb")
    if any(token.form in ("tous", "toutes") for token in inside):
        raise NotDerivedError("'tous' belongs to the pronoun")
    if group.last + 1 < len(words) and is_infinitive(words[group.last + 1].form):
        raise NotDerivedError(f"{verb!r} governs an infinitive, and the pronoun may be its subject or its object")
