"""The verb that a clitic belongs to, the place of its object when it is a noun, and the agreement of its participle.

The noun follows the participle (*il lui a enfin parlé* → *il a enfin parlé à Paul*), the infinitive (*de l'aider* →
*d'aider Paul*), or the finite verb with its negation and short adverbs (*il ne la voit pas souvent* → *il ne voit pas
souvent Léa*). A participle agrees with an accusative clitic before it, and no longer with a noun after it: *prise* →
*pris*, *vues* → *vu*; participles in -s keep it (*il les a pris*), a few are irregular (*due* → *dû*).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.grammar import FRENCH
from winoglot.languages.romance.grammar import is_word

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
    verb = FRENCH.verb_of(form)
    auxiliary = _AUXILIARY_FORMS.get(form) or (verb if verb in ("avoir", "être") else None)
    group = _compound(words, auxiliary, dative=dative) if auxiliary else None
    if group is None:
        is_infinitive = FRENCH.is_infinitive(form)
        last = 0 if is_infinitive else _with_adverbs(words, negated=negated, dative=dative)
        group = VerbGroup(form if is_infinitive else verb, None, last)
    _refuse_what_follows(words, group)
    if group.last + 1 < len(words) and FRENCH.is_infinitive(words[group.last + 1].form):
        group = _with_infinitive(words, group, dative=dative)
    return with_bare_complement(words, group) if dative else group


def is_blank(form: str) -> bool:
    """Whether the form is a gap for removed words: `___`."""
    return bool(form) and not form.strip("_")


def _can_be_verb(form: str) -> bool:
    verb = FRENCH.verb_of(form)
    if not is_word(form) or (form in FRENCH.closed and verb is None):
        return False
    if form in FRENCH.prenominals and form not in FRENCH.words("numeral"):
        return form in _ALSO_VERBS
    return verb is not None or form.endswith(_FINITE_ENDINGS)


def _compound(words: Sequence[Token], auxiliary: str, *, dative: bool) -> VerbGroup | None:
    """Auxiliary, adverbs and negation, participle; after *être* an adjective may take the participle's position."""
    index = _skip_adverbs(words, 1)
    form = words[index].form if index < len(words) else ""
    if auxiliary == "être":
        return _predicate(words, index)
    if not FRENCH.is_participle(form):
        if dative or (is_word(form) and not FRENCH.ends_phrase(form)) or _has_participle(words, index):
            raise NotDerivedError(f"unexpected {form!r} between {words[0].form!r} and its participle")
        return None
    places = [index]
    if words[index].form == "été":
        index = _skip_adverbs(words, index + 1)
        if index >= len(words) or not FRENCH.is_participle(words[index].form):
            return VerbGroup("être", auxiliary, places[0])
        return VerbGroup(None, "être", index)
    if index + 2 < len(words) and words[index + 1].form in ("et", "ou") and _is_only_participle(words[index + 2].form):
        places.append(index + 2)  # "il les a lavés et séchés"
    return VerbGroup(None, auxiliary, places[-1], tuple(places))


def _predicate(words: Sequence[Token], index: int) -> VerbGroup:
    """The participle or adjective after *être*, and the adjective after that: *est resté fidèle*."""
    forms = [word.form for word in words[index : index + 2]]
    if not forms or not is_word(forms[0]) or forms[0] in FRENCH.closed:
        raise NotDerivedError(f"no participle or adjective follows {words[0].form!r}")
    if len(forms) == 1 or FRENCH.ends_phrase(forms[1]):
        return VerbGroup("être", "être", index)
    if not FRENCH.is_listed_adjective(forms[1]):
        raise NotDerivedError(f"{forms[1]!r} may belong to {forms[0]!r}")
    return VerbGroup("être", "être", index + 1)


def _has_participle(words: Sequence[Token], index: int) -> bool:
    """Whether a participle still follows before the end of the clause, ignoring commas: "l'a, hier, prise"."""
    is_apart = index < len(words) and words[index].form == ","
    return is_apart and any(_is_only_participle(word.form) for word in words[index : index + 6])


def _is_only_participle(form: str) -> bool:
    """Whether the form can only be a participle, not a finite form: *vu*, not *dit*."""
    return FRENCH.is_participle(form) and FRENCH.verb_of(form) is None


def _skip_adverbs(words: Sequence[Token], index: int) -> int:
    """The position after the adverbs and negations that begin here."""
    while index < len(words):
        phrase = next((p for p in _adverb_phrases() if tuple(w.form for w in words[index : index + len(p)]) == p), ())
        is_adverb = FRENCH.is_adverb(words[index].form) or words[index].form in FRENCH.words("negation")
        if not phrase and not is_adverb:
            return index
        index += len(phrase) or 1
    return index


@cache
def _adverb_phrases() -> tuple[tuple[str, ...], ...]:
    phrases = FRENCH.table("phrases").words("adverbial")
    return tuple(tuple(phrase.replace("'", "' ").split()) for phrase in sorted(phrases))


def _with_adverbs(words: Sequence[Token], *, negated: bool, dative: bool) -> int:
    """The index of the last negation or short adverb after a finite verb."""
    negations, short = FRENCH.words("negation"), FRENCH.words("short-adverb")
    last = 0
    while last + 1 < len(words):
        form = words[last + 1].form
        follower = words[last + 2].form if last + 2 < len(words) else ""
        is_negation = negated and (form in negations or (dative and form == "rien"))
        is_before_negation = negated and FRENCH.is_adverb(form) and follower in negations  # "presque jamais"
        is_short = form in short and follower not in _NO_ADVERB_BEFORE and not _counts(form, follower)
        is_degree = form == "très" and follower in short  # "très bien"
        is_of_sentence = form in FRENCH.words("sentence-adverb")  # unlike "beaucoup" and "assez" without "de"
        if not (is_negation or is_before_negation or is_short or is_degree or is_of_sentence):
            break
        last += 1
    return last


def _counts(adverb: str, follower: str) -> bool:
    """Whether the adverb belongs to the noun after it: "encore un verre"."""
    counting = (FRENCH.determiners, FRENCH.words("quantifier"), FRENCH.words("numeral"))
    return adverb == "encore" and any(follower in words for words in counting)


def with_bare_complement(words: Sequence[Token], group: VerbGroup) -> VerbGroup:
    """A noun or adjective without a determiner stays with its verb: *il lui fait peur* → *il fait peur à Paul*."""
    index = group.last + 1
    is_degree = index + 1 < len(words) and words[index].form in FRENCH.words("degree") - {"toute", "toutes"}
    if is_degree and not FRENCH.ends_phrase(words[index + 1].form):
        index += 1
    form = words[index].form if index < len(words) else ""
    if form in FRENCH.prenominals and index + 1 < len(words) and FRENCH.may_be_noun(words[index + 1].form):
        return replace(group, last=index + 1)  # "souhaiter bon voyage"
    if form in FRENCH.table("nouns").words("bare-complement"):
        return replace(group, last=index)
    if FRENCH.ends_phrase(form) or form in FRENCH.words("numeral") or form.isdigit():
        return group
    if index + 1 < len(words) and not FRENCH.ends_phrase(words[index + 1].form):
        raise NotDerivedError(f"{words[index].form!r} and {words[index + 1].form!r} may both belong to the verb")
    return replace(group, last=index)


def _refuse_what_follows(words: Sequence[Token], group: VerbGroup) -> None:
    """Refuse an inverted subject, and *tous* of the pronoun."""
    forms = [word.form for word in words[1 : group.last + 2]]
    if "-" in forms:
        raise NotDerivedError("the subject follows its verb")
    if "tous" in forms or "toutes" in forms:
        raise NotDerivedError("'tous' belongs to the pronoun")


def _with_infinitive(words: Sequence[Token], group: VerbGroup, *, dative: bool) -> VerbGroup:
    """The verb before an infinitive: *a fait tomber | Léa*, whose participle is invariable; *a vu | Léa partir*."""
    verb = words[group.participles[-1] if group.participles else 0].form
    if FRENCH.verbs.is_form_of(verb, "causative"):
        return replace(group, last=group.last + 1, participles=())
    if dative or not FRENCH.verbs.is_form_of(verb, "perceiving"):
        raise NotDerivedError(f"{verb!r} governs an infinitive, and the pronoun may be its subject or its object")
    return group


@dataclass(frozen=True)
class ParticipleAgreement:
    """A participle without agreement, and the gender that it showed."""

    masculine: str
    gender: str


def without_agreement(written: str, form: str, *, plural: bool) -> ParticipleAgreement:
    """The participle as written before its object.

    >>> [without_agreement(form, form, plural=True).masculine for form in ("prises", "mis", "finis", "dues", "vus")]
    ['pris', 'mis', 'fini', 'dû', 'vu']
    >>> without_agreement("ouverte", "ouverte", plural=False)
    ParticipleAgreement(masculine='ouvert', gender='feminine')
    """
    suffix = _suffix(form, plural=plural)
    gender = "feminine" if "e" in suffix else "masculine"
    irregular = FRENCH.verbs.table.values("agreeing").get(form) if suffix else None
    if irregular is not None:
        return ParticipleAgreement(irregular[0], gender)
    return ParticipleAgreement(written[: len(written) - len(suffix)], gender)


def _suffix(form: str, *, plural: bool) -> str:
    """The ending by which a participle agrees."""
    if form in FRENCH.verbs.table.words("in-s"):
        return ""
    if plural:
        return "es" if form.endswith("es") else "s" if form.endswith("s") else ""
    return "e" if form.endswith("e") else ""
