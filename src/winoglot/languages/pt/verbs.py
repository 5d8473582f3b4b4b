"""Whether a word is a verb.

Only certain evidence counts: listed forms, an attached clitic, and endings that no adjective has. Endings shared with
adjectives (*fria* and *ria*) decide nothing.
"""

from __future__ import annotations

import re

from winoglot.languages.pt.conjugation import third_persons_of
from winoglot.languages.pt.words import Word, listed

_CLITICS_ONLY = ("me", "te", "se", "lhe", "lhes", "o", "os", "as")  # a, no, na are usually prepositions: "a partir de"
_PARTICIPLE = re.compile(r".{2,}[aií]d[oa]s?")
_PERSONAL_INFINITIVE = re.compile(r"(?:.+(?:[aei]r|ôr|por)|ir)(?:em|mos)?")
_GERUND = re.compile(r".+[aei]ndo|.*pondo")
_SURE = re.compile(r".{2,}(?:ou|iu|eu|am|(?<!g)em|[aei]rá)")
_LIKELY = re.compile(r".{2,}(?:ava|ia|ía|asse|isse|[aei]ra)")


def is_finite(word: Word) -> bool:
    """Whether it is certainly a finite verb with a third-person subject."""
    if has_clitic(word) or word.form in third_persons_of("verb_list.txt"):
        return True
    return _SURE.fullmatch(word.form) is not None and word.form not in listed("nouns_like_verbs.txt")


def looks_finite(word: Word) -> bool:
    """Whether it is certainly finite, or has an ending that few adjectives have."""
    return is_finite(word) or _LIKELY.fullmatch(word.form) is not None


def has_clitic(word: Word) -> bool:
    """Whether a clitic is attached: *chamou-o*."""
    return "-" in word.form and word.last_part in listed("clitics.txt")


def is_infinitive(form: str) -> bool:
    """Whether it is an infinitive, plain or personal, by its ending and the list of nouns.

    >>> is_infinitive("sair"), is_infinitive("chegarem"), is_infinitive("mulher"), is_infinitive("compor")
    (True, True, False, True)
    """
    if form in listed("nouns_in_r.txt") or form in listed("adjectives_in_r.txt"):
        return form in ("ser", "poder", "dever", "saber")
    if form in ("quer", "requer"):
        return False
    return form in listed("verbs_in_or.txt") or _PERSONAL_INFINITIVE.fullmatch(form) is not None


def is_gerund(form: str) -> bool:
    """*Saindo*, *pondo*, but not *lindo*.

    >>> is_gerund("saindo"), is_gerund("lindo"), is_gerund("redondo")
    (True, False, False)
    """
    return _GERUND.fullmatch(form) is not None and form not in listed("adjective_list.txt")


def is_participle(form: str) -> bool:
    """Whether it is a regular or listed irregular participle.

    >>> is_participle("quebrada"), is_participle("visto"), is_participle("agrada")
    (True, True, False)
    """
    if form in listed("verbs_like_participles.txt"):
        return False
    return _PARTICIPLE.fullmatch(form) is not None or form in listed("participles.txt")


def opens_infinitive(words: tuple[Word, ...]) -> bool:
    """Whether an infinitive follows, possibly after adverbs and clitics: *não se ter*."""
    for word in words[:4]:
        if word.form in listed("adverbs.txt") or word.form in _CLITICS_ONLY:
            continue
        return not word.is_sign and is_infinitive(word.form.partition("-")[0])
    return False
