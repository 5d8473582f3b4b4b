"""*O, a, os, as* before a verb, and *-o, -lo, -no* after it: the noun follows the verb.

Before it: "Ela os vendeu" → "Ela vendeu os anéis". After it the verb regains its lost ending: "abri-los" → "abrir os
sacos", "fê-lo" → "fez o bolo", "viram-no" → "viram o tio".
"""

from __future__ import annotations

import re
import unicodedata
from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, Substitution
from winoglot.languages.pt.conjugation import forms_of
from winoglot.languages.pt.landing import landing
from winoglot.languages.pt.words import Word, is_closed, listed, plain, words_in
from winoglot.languages.tables import pairs
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

_HOST = re.compile(r"((?:\w[\u0300-\u036f]*)+)[-‐‑]$")
_HYPHENS = "-‐‑"
_NEGATIONS = ("não", "nunca", "jamais", "ninguém", "nem")
_NASAL = ("m", "ão", "õe", "ãe", "n")
_BARE = {"á": "a", "ê": "e", "í": "i", "i": "i", "ô": "o"}


def clitic(place: Place) -> Substitution:
    """Place the noun after the verb that the clitic belongs to."""
    if hangs(place):
        host, verb = host_of(place)
        words = from_host(place, host, _restored(verb, place.surface))
        _check_clause(place, words)
        return behind(place, words, _landing(place, words), place.phrase.text, rule="enclitic")
    if place.surface[0] in "ln":
        raise NotDerivedError(f"{place.surface!r} is a pronoun only after a verb and a hyphen")
    words = verb_after(place)
    _check_clause(place, words)
    return before_verb(place, words, _landing(place, words), place.phrase.text, rule="proclitic")


def _landing(place: Place, words: tuple[Word, ...]) -> int:
    """After the predicate, with a *mais* that closes a negation: "não o suporta mais" → "não suporta mais o tio"."""
    last = landing(words)
    forms = [word.form for word in words[last + 1 : last + 3]]
    before = takewhile(lambda token: token.form[0].isalpha() or token.form in _HYPHENS, place.preceding)
    is_negated = any(token.form in _NEGATIONS for token in before)
    ends = len(forms) == 1 or words[min(last + 2, len(words) - 1)].is_sign
    return last + 1 if forms[:1] == ["mais"] and is_negated and ends else last


def hangs(place: Place) -> bool:
    """Whether a hyphen joins the clitic to a verb before it."""
    return place.text[: place.pronoun.start].endswith(tuple(_HYPHENS))


def host_of(place: Place) -> tuple[Span, str]:
    """The verb before the hyphen, and its form; raises NotDerivedError for a cluster and for mesoclisis."""
    found = _HOST.search(place.text[: place.pronoun.start])
    if found is None:
        raise NotDerivedError("there is no verb before the hyphen")
    if place.text[place.pronoun.end : place.pronoun.end + 1] in tuple(_HYPHENS):
        raise NotDerivedError("the pronoun is inside its verb")
    verb = plain(found.group(1))
    is_cluster = verb in listed("clitics.txt") and place.text[: found.start()].endswith(tuple(_HYPHENS))
    if is_cluster or verb in ("no", "vo"):
        raise NotDerivedError("two pronouns are attached to the verb")
    return Span(*found.span(1)), verb


def from_host(place: Place, host: Span, verb: str) -> tuple[Word, ...]:
    """The verb that the pronoun is attached to, and the words after the pronoun."""
    return (Word(verb, host, is_capital=False), *words_in(place.text, place.pronoun.end, len(place.text)))


def behind(place: Place, words: tuple[Word, ...], last: int, inserted: str, *, rule: str) -> Substitution:
    """Place the noun after the last word; the first word is the host: "tinha-o visto" → "tinha visto o tio"."""
    host, verb = words[0].span, words[0].form
    written = host.of(place.text)
    if verb != plain(written):
        shown = written[:1] + verb[1:]
        written = shown if unicodedata.is_normalized("NFC", written) else unicodedata.normalize("NFD", shown)
    _check_object(place, words, last)
    end = words[last].span.end if last else place.pronoun.end
    lead = f"{written}{place.text[place.pronoun.end : end]} "
    return place.rewrite(Span(host.start, end), inserted, rule=rule, lead=lead)


def verb_after(place: Place) -> tuple[Word, ...]:
    """The words from the verb on, which must follow immediately."""
    words = words_in(place.text, place.pronoun.end, len(place.text))
    if not words or words[0].is_sign or words[0].is_capital:
        raise NotDerivedError(f"no verb follows {place.surface!r}")
    first = words[0]
    if is_closed(first) and first.form not in ("mente", "como", "fora", "via", "vira"):
        raise NotDerivedError(f"expected a verb after {place.surface!r}, found {first.form!r}")
    if "-" in first.form and first.last_part in listed("clitics.txt"):
        raise NotDerivedError("the verb has two pronouns")
    return words


def before_verb(place: Place, words: tuple[Word, ...], last: int, inserted: str, *, rule: str) -> Substitution:
    """Move the verb to the clitic's position and place the noun after it."""
    if "-" in words[last].form and words[last].last_part in listed("clitics.txt"):
        raise NotDerivedError("the verb has two pronouns")
    _check_object(place, words, last)
    predicate = place.text[words[0].span.start : words[last].span.end]
    touched = Span(place.pronoun.start, words[last].span.end)
    return place.rewrite(touched, inserted, rule=rule, lead=f"{predicate} ")


def _check_clause(place: Place, words: tuple[Word, ...]) -> None:
    """Refuse *não o diga a ninguém*, which may refer to a statement."""
    verb = words[landing(words)].form
    if place.surface in ("o", "lo", "no") and verb in forms_of("clause_verbs.txt"):
        raise NotDerivedError(f"with {verb!r}, {place.surface!r} may refer to a whole clause")


def _check_object(place: Place, words: tuple[Word, ...], last: int) -> None:
    """Refuse *é-o*, which refers to a predicate, and *levou-o Maria*, whose subject follows the verb."""
    if not place.surface.startswith("lhe") and words[last].form in forms_of("copulas_with_o.txt"):
        raise NotDerivedError(f"with {words[last].form!r} the pronoun replaces a predicate")
    if last + 1 < len(words) and words[last + 1].is_capital:
        raise NotDerivedError(f"{words[last + 1].form!r} follows the verb and may be its subject")


def _restored(verb: str, form: str) -> str:
    """The verb without its clitic, with the ending that it lost before *lo*.

    >>> [_restored(verb, "lo") for verb in ("levá", "vendê", "abri", "construí", "fê", "vimo")]
    ['levar', 'vender', 'abrir', 'construir', 'fez', 'vimos']
    """
    if form[0] == "n":
        if not verb.endswith(_NASAL):
            raise NotDerivedError(f"{verb!r} does not end in a nasal, so {form!r} after it is another pronoun")
        return verb
    if form[0] != "l":
        if verb in ("quere", "requere"):
            return verb.removesuffix("e")  # "quere-o", but "quer o tio"
        if verb.endswith("l"):
            raise NotDerivedError(f"{verb}-{form} is an old spelling")
        return verb
    known = pairs("pt", "enclitic_verbs.txt").get(verb)
    if known:
        return known
    if verb.endswith(("amo", "emo", "imo", "ámo", "omo")):
        return verb + "s"
    if verb[-1] not in _BARE:
        raise NotDerivedError(f"{verb}-{form} does not show which form of the verb it is")
    return verb[:-1] + _BARE[verb[-1]] + "r"
