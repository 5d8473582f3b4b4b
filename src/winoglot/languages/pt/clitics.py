"""*O, a, os, as* before a verb, *-o, -lo, -no* after it, and *lhe, lhes*.

After *-lo* the verb regains its lost ending: "abri-los" → "abrir os sacos", "fê-lo" → "fez o bolo". *Lhe* becomes *a*
and the noun, after a verb with a person as indirect object: "disse-lhe que" → "disse ao tio que". Verbs of giving and
saying may have an object as well: "deu-lhe o mapa." → "deu o mapa ao tio.", "deu-lhe o livro da Ana" → "deu ao tio o
livro da Ana". With others (*roubou-lhe a carteira*) it may be the owner, and nothing is derived.
"""

from __future__ import annotations

import unicodedata
from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance import clitics
from winoglot.languages.romance.phrases import with_preposition
from winoglot.languages.substitution import Token
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around

_NASAL = ("m", "ão", "õe", "ãe", "n")
_BARE = {"á": "a", "ê": "e", "í": "i", "i": "i", "ô": "o"}
_SIGNS = (".", "!", "?", ";", ":", "…")
_AFTER_OBJECT = (*_SIGNS, "porque", "pois", "quando", "enquanto", "mas", "embora", "porém")


def accusative(around: Around) -> Substitution:
    """Place the noun after the verb that the clitic belongs to."""
    surface = around.place.surface
    if not around.hangs and surface[0] in "ln":
        raise NotDerivedError(f"{surface!r} is a pronoun only after a verb and a hyphen")
    words = _verb(around, restored=True)
    last = clitics.landing(words, around.grammar)
    clitics.check_object(around, words, last)
    return _placed(around, words, _with_mais(around, words, last), around.place.phrase.text, "clitic")


def dative(around: Around) -> Substitution:
    """Place the person after its verb."""
    words = _verb(around, restored=False)
    last = _recipient_place(around, words)
    clitics.check_subject(words, last)
    return _placed(around, words, last, with_preposition("a", around.place.phrase, around.grammar), "dative")


def _verb(around: Around, *, restored: bool) -> tuple[Token, ...]:
    """The verb that the clitic belongs to, and the words after it."""
    if not around.hangs:
        clitics.check_verb(around)
        return around.after
    host = _host(around)
    verb = restored_verb(host.form, around.place.surface, around) if restored else host.form
    return (Token(verb, host.span), *around.after)


def _host(around: Around) -> Token:
    """The verb before the hyphen; refused in a cluster and in mesoclisis."""
    before, place = around.before, around.place
    if len(before) < 2 or before[1].span.end != before[0].span.start or not before[1].form[-1].isalpha():
        raise NotDerivedError("there is no verb before the hyphen")
    if around.next_form == "-" and around.after[0].span.start == place.pronoun.end:
        raise NotDerivedError("the pronoun is inside its verb")
    verb, _, clitic = before[1].form.rpartition("-")
    if (verb and clitic in around.grammar.small("clitic")) or before[1].form in ("no", "vo"):
        raise NotDerivedError("two pronouns are attached to the verb")
    start = before[1].span.end - len(before[1].span.of(place.text).rpartition("-")[2])
    return Token(clitic, Span(start, before[1].span.end))


def _placed(around: Around, words: Sequence[Token], last: int, inserted: str, rule: str) -> Substitution:
    """The noun after the last word of the verb: "tinha-o visto" → "tinha visto o tio"."""
    if not around.hangs:
        rule = "proclitic" if rule == "clitic" else rule
        return clitics.before_noun(around, last, inserted, rule=rule)
    place, host = around.place, words[0]
    written = host.span.of(place.text)
    if host.form != unicodedata.normalize("NFC", written.lower()):
        shown = written[:1] + host.form[1:]
        written = shown if unicodedata.is_normalized("NFC", written) else unicodedata.normalize("NFD", shown)
    end = words[last].span.end if last else place.pronoun.end
    lead = f"{written}{place.text[place.pronoun.end : end]} "
    rule = "enclitic" if rule == "clitic" else rule
    return place.rewrite(Span(host.span.start, end), inserted, rule=rule, lead=lead)


def _with_mais(around: Around, words: Sequence[Token], last: int) -> int:
    """After the predicate, with a *mais* that closes a negation: "não o suporta mais" → "não suporta mais o tio"."""
    forms = [word.form for word in words[last + 1 : last + 3]]
    clause = takewhile(lambda word: not word.is_sign or word.form == "-", around.before)
    is_negated = any(word.form in around.grammar.small("negative") for word in clause)
    ends = len(forms) == 1 or words[min(last + 2, len(words) - 1)].is_sign
    return last + 1 if forms[:1] == ["mais"] and is_negated and ends else last


def restored_verb(verb: str, form: str, around: Around) -> str:
    """The verb without its clitic, with the ending that it lost before *lo*: *levá* → *levar*, *vimo* → *vimos*."""
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
    known = around.grammar.table("verbs").values("before-clitic").get(verb)
    if known:
        return known[0]
    if verb.endswith(("amo", "emo", "imo", "ámo", "omo")):
        return verb + "s"
    if verb[-1] not in _BARE:
        raise NotDerivedError(f"{verb}-{form} does not show which form of the verb it is")
    return verb[:-1] + _BARE[verb[-1]] + "r"


def _recipient_place(around: Around, words: Sequence[Token]) -> int:
    """The index of the word after which the person is placed: the verb, or a short object of a verb of giving."""
    grammar = around.grammar
    last = clitics.landing(words, grammar)
    short = _short_object(around, words, last) if words[last].form in grammar.verbs.forms_of("giving") else last
    if short != last:
        return short
    _check_recipient(around, words, last)
    adverb, after = ["", "", *(word.form for word in words[last + 1 : last + 3])][-2:]
    return last + (adverb in grammar.small("degree") and after in _SIGNS)  # "agradou muito ao tio."


def _short_object(around: Around, words: Sequence[Token], last: int) -> int:
    """The last word of an object of one word with its determiner, if nothing more can belong to it.

    "deu-lhe tudo", "deu-lhe razão.", "deu-lhe o mapa." → "deu tudo ao tio", "deu razão ao tio.", "deu o mapa ao tio."
    """
    grammar = around.grammar
    forms = [word.form for word in words[last + 1 : last + 3]]
    if forms and forms[0] in grammar.small("indefinite-pronoun"):
        return last if len(forms) == 2 and _goes_on(around, forms[1]) else last + 1
    noun = last + 1 + (len(forms) == 2 and forms[0] in grammar.determiners)
    if noun + 1 >= len(words) or words[noun].is_capital:
        return last
    is_noun = not grammar.is_closed(words[noun].form) and not grammar.is_infinitive(words[noun].form)
    return noun if is_noun and words[noun + 1].form in _AFTER_OBJECT else last


def _goes_on(around: Around, form: str) -> bool:
    """Whether it belongs to *tudo* or *nada* before it: "tudo o que sabia", "nada de novo", "nada bom"."""
    grammar = around.grammar
    is_partner = form in ("que", "mesmo", "mais", "menos")
    return is_partner or not grammar.is_closed(form) or form in grammar.determiners or form in grammar.small("of")


def _check_recipient(around: Around, words: Sequence[Token], last: int) -> None:
    grammar, verb = around.grammar, words[last].form
    has_recipient = verb in grammar.verbs.forms_of("giving")
    if not has_recipient and verb not in grammar.verbs.forms_of("dative"):
        raise NotDerivedError(f"with {verb!r}, 'lhe' may mean 'to', 'from' or 'of' the person")
    following = words[last + 1] if last + 1 < len(words) else None
    if following is None or following.is_sign:
        return
    doubled = words[last + 2 : last + 3] if following.form in ("a", "ao") else ()
    if any(word.is_capital or word.form in ("ele", "ela", "eles", "elas") for word in doubled):
        raise NotDerivedError(f"'lhe' may double {following.form!r} and the person that follows")
    is_object = has_recipient and following.form in grammar.determiners
    if is_object or following.form in grammar.small("after-dative") or following.form.endswith("mente"):
        return
    if has_recipient:
        raise NotDerivedError(
            f"it is unclear where the object of {verb!r} ends, after which the person would be placed"
        )
    raise NotDerivedError(f"with {verb!r} before {following.form!r}, 'lhe' may mean 'to' or 'of' the person")
