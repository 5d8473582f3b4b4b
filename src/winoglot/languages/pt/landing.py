"""Where a noun that replaces a clitic is placed: after the verb, or after the whole predicate of an auxiliary.

"o tinha visto" → "tinha visto o tio"; "o pode ajudar" → "pode ajudar o tio"; but "o viu sair" → "viu o tio sair".
"""

from __future__ import annotations

from functools import cache

from winoglot.languages.base import NotDerivedError
from winoglot.languages.pt.conjugation import forms, forms_of
from winoglot.languages.pt.verbs import is_gerund, is_infinitive, is_participle
from winoglot.languages.pt.words import Word, is_closed, listed
from winoglot.languages.tables import pairs

_LINKS = ("a", "de", "que", "por", "para")


def landing(words: tuple[Word, ...], at: int = 0) -> int:
    """The index of the word after which the object of the verb at `at` is placed.

    >>> from winoglot.languages.pt.words import words_in
    >>> text = "tinha já começado a ver ontem"
    >>> landing(words_in(text, 0, len(text)))
    4
    """
    verb = words[at].form
    follower = at + 1
    while follower < len(words) and _is_adverb(words[follower].form):
        follower += 1
    if follower >= len(words) or words[follower].is_sign:
        return at
    if verb in forms_of("causatives.txt") and is_infinitive(words[follower].form):
        raise NotDerivedError(f"the pronoun may belong to {verb!r} or to {words[follower].form!r}")
    if verb in forms_of("subject_taking_verbs.txt") and is_infinitive(words[follower].form):
        return at
    kinds = _auxiliaries().get(verb, frozenset())
    if _shape(words[follower].form) & kinds:
        return landing(words, follower)
    link = words[follower].form
    is_linked = link in kinds and link in _LINKS and follower + 1 < len(words)
    if is_linked and is_infinitive(words[follower + 1].form):
        return landing(words, follower + 1)
    if "participle" in kinds and not (is_closed(words[follower]) or words[follower].is_capital):
        raise NotDerivedError(f"{words[follower].form!r} after {verb!r} may be a participle or an adjective")
    return at


def _is_adverb(form: str) -> bool:
    return form in listed("adverbs.txt") or (form.endswith("mente") and len(form) > len("mente") + 1)


def _shape(form: str) -> frozenset[str]:
    shapes = {"participle": is_participle(form), "gerund": is_gerund(form), "infinitive": is_infinitive(form)}
    return frozenset(name for name, holds in shapes.items() if holds)


@cache
def _auxiliaries() -> dict[str, frozenset[str]]:
    """What may follow each form of an auxiliary."""
    kinds: dict[str, frozenset[str]] = {}
    for verb, followers in pairs("pt", "auxiliaries.txt").items():
        for form in forms(verb):
            kinds[form] = kinds.get(form, frozenset()) | frozenset(followers.split())
    return kinds
