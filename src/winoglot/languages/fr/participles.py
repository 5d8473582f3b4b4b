"""Participles and their agreement: *il les a vues* agrees with *les*; *vu* does not agree with a noun after it.

A participle after *avoir* agrees with an accusative clitic before it. When a noun after the participle replaces the
clitic, the agreement is removed: *prise* → *pris*, *vues* → *vu*. Participles in -s keep the -s (*il les a pris*), a
few are irregular (*due* → *dû*).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from winoglot.languages.fr.words import closed_class, is_adverb, listed, verb_of
from winoglot.languages.tables import pairs

_ENDING = re.compile(r"(?:é|i|ï|u|û|ait|it|ert|ort|int|clos|lus|ous|oute?|[mqrscu]is)(?:e|s|es)?$")


@dataclass(frozen=True)
class ParticipleAgreement:
    """A participle without agreement, and the gender that it showed."""

    masculine: str
    gender: str


def is_participle(form: str) -> bool:
    """Whether a word after an auxiliary is a participle, by its ending.

    >>> [is_participle(form) for form in ("vue", "prises", "ouvert", "parlé", "ici", "froid", "raison")]
    [True, True, True, True, False, False, False]
    """
    if form in listed("invariable_participles") or form in closed_class() or is_adverb(form):
        return False
    return _ENDING.search(form) is not None


def is_only_participle(form: str) -> bool:
    """Whether it can only be a participle, not a finite form: *vu*, not *dit*."""
    return is_participle(form) and verb_of(form) is None


def without_agreement(written: str, form: str, *, plural: bool) -> ParticipleAgreement:
    """The participle as written before its object.

    >>> [without_agreement(form, form, plural=True).masculine for form in ("prises", "mis", "finis", "dues", "vus")]
    ['pris', 'mis', 'fini', 'dû', 'vu']
    >>> without_agreement("ouverte", "ouverte", plural=False)
    ParticipleAgreement(masculine='ouvert', gender='feminine')
    """
    suffix = _suffix(form, plural=plural)
    gender = "feminine" if "e" in suffix else "masculine"
    irregular = pairs("fr", "participles.txt").get(form) if suffix else None
    if irregular is not None:
        return ParticipleAgreement(irregular, gender)
    return ParticipleAgreement(written[: len(written) - len(suffix)], gender)


def _suffix(form: str, *, plural: bool) -> str:
    if form in listed("participles_in_s"):
        return ""
    if plural:
        return "es" if form.endswith("es") else "s" if form.endswith("s") else ""
    return "e" if form.endswith("e") else ""
