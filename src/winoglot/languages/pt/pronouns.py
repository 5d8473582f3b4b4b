"""*Ele, ela* and their contractions, the clitics *o, a, os, as* and *lhe, lhes*.

A preposition contracts with the article ("a ela" → "à tia", "pra ele" → "pro tio"), but not if the pronoun is the
subject of an infinitive: "antes de ele sair" → "antes de o tio sair". A clitic goes, and the noun follows the verb;
after *-lo* the verb regains its lost ending: "abri-los" → "abrir os sacos", "fê-lo" → "fez o bolo". *Lhe* becomes *a*
and the noun, after a verb with a person as indirect object: "disse-lhe que" → "disse ao tio que". Verbs of giving and
saying may have an object as well: "deu-lhe o mapa." → "deu o mapa ao tio.", "deu-lhe o livro da Ana" → "deu ao tio o
livro da Ana". With others (*roubou-lhe a carteira*) it may be the owner, and nothing is derived.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.phrases import definite_article, is_definite
from winoglot.languages.romance import clitics, pronouns
from winoglot.languages.romance.after_verb import is_measured, object_end, with_verb
from winoglot.languages.romance.words import with_preposition
from winoglot.languages.substitution import Token, fused, prepended
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around

_ELIDED = {"d'": "de", "n'": "em"}
_IN_PERSON = ("próprio", "própria", "próprios", "próprias")


def personal(around: Around) -> Substitution:
    """Replace *ele, ela, eles, elas*."""
    place, grammar, nearest = around.place, around.grammar, around.previous_form
    if around.next_form in _IN_PERSON:
        return _with_proprio(around)
    bound = pronouns.with_bound_word(around, fuse=nearest not in ("de", "em"))
    if bound is not None:
        return bound
    if nearest in _ELIDED:
        touched = Span(around.before[0].span.start, place.pronoun.end)
        return place.rewrite(touched, with_preposition(_ELIDED[nearest], place.phrase, grammar), rule="preposition")
    opens_infinitive = grammar.opens_infinitive([word.form for word in around.after])
    if nearest in ("de", "em") or (nearest in ("por", "a") and opens_infinitive):
        return place.replace(rule="subject of infinitive", fuse=False)
    if nearest == "pra":
        return _colloquial(around)
    if nearest in grammar.prepositions and opens_infinitive:
        return place.replace(rule="subject of infinitive")
    return pronouns.personal(around)


def of_or_in(around: Around, preposition: str) -> Substitution:
    """Replace *dele*, *nele* and the like by the preposition and the candidate."""
    place, grammar, nearest = around.place, around.grammar, around.previous_form
    if around.next_form in _IN_PERSON:
        return _with_proprio(around, preposition)
    bound = pronouns.with_bound_word(around, preposition)
    if bound is not None:
        return bound
    pronouns.check_part(around)
    opens_infinitive = grammar.opens_infinitive([word.form for word in around.after])
    if preposition == "de" and not place.phrase.is_name and place.surface.endswith("s"):
        governs_de = len(around.before) > 1 and around.before[1].form in grammar.verbs.forms_of("governing:de")
        if nearest in grammar.words("quantity") and not governs_de:  # "gosta mais deles"
            return place.rewrite(place.pronoun, place.phrase.noun, rule="quantity", fuse=False)
        if nearest in grammar.prenominals and around.before[1:] and is_definite(around.before[1].form, "pt"):
            return place.rewrite(place.pronoun, place.phrase.noun, rule="quantity", fuse=False)  # "os dois deles"
        if nearest in grammar.words("measure"):
            return place.rewrite(place.pronoun, f"de {place.phrase.noun}", rule="quantity", fuse=False)
    if preposition == "de" and nearest in grammar.table("nouns").words("infinitive-head") and opens_infinitive:
        return place.rewrite(place.pronoun, f"de {place.phrase.text}", rule="subject of infinitive", fuse=False)
    inserted = with_preposition(preposition, place.phrase, grammar)
    return place.rewrite(place.pronoun, inserted, rule="preposition")


def _with_proprio(around: Around, preposition: str = "") -> Substitution:
    """Replace a pronoun with *próprio*: *ela própria* → *a própria Lia*, *dela própria* → *da própria tia*."""
    place, phrase, word = around.place, around.place.phrase, around.next_form
    number = "plural" if word.endswith("s") else "singular"
    article = phrase.determiner or definite_article("feminine" if "a" in word else "masculine", number, "pt")
    if not is_definite(article or "", "pt"):
        raise NotDerivedError(f"{word!r} belongs to the pronoun and would come before a noun")
    touched = Span(place.pronoun.start, around.after[0].span.end)
    inserted = f"{article} {word} {phrase.noun}"
    if preposition:
        inserted = prepended(preposition, inserted, place.language)
    return place.rewrite(touched, inserted, rule="in person")


def _colloquial(around: Around) -> Substitution:
    """Replace the pronoun after *pra*: *pra ele* → *pro tio*; *pra* stays before a name without an article."""
    place = around.place
    left, inserted = fused("para ", place.phrase.text, place.language, optional=True)
    if left:
        return place.replace(rule="preposition", fuse=False)
    touched = Span(around.before[0].span.start, place.pronoun.end)
    return place.rewrite(touched, inserted, rule="preposition", fuse=False)


_NASAL = ("m", "ão", "õe", "ãe", "n")
_BARE = {"á": "a", "ê": "e", "í": "i", "i": "i", "ô": "o"}
_SIGNS = (".", "!", "?", ";", ":", "…")
_AFTER_OBJECT = (*_SIGNS, "porque", "pois", "quando", "enquanto", "mas", "embora", "porém")


def accusative(around: Around) -> Substitution:
    """Place the noun after the verb that the clitic belongs to."""
    surface = around.place.surface
    if not around.is_hyphenated and surface[0] in "ln":
        raise NotDerivedError(f"{surface!r} is a pronoun only after a verb and a hyphen")
    words = _verb(around, restored=True)
    last = clitics.verb_end(words, around.grammar)
    clitics.check_object(around, words, last)
    rule = "enclitic" if around.is_hyphenated else "proclitic"
    last = _with_mais(around, words, last) + is_measured(words, last, around.grammar)
    return clitics.with_noun_after(around, words, last, around.place.phrase.text, rule=rule)


def dative(around: Around) -> Substitution:
    """Place the person after its verb."""
    words = _verb(around, restored=False)
    last = _with_mais(around, words, _recipient_place(around, words))
    clitics.check_subject(words, last)
    person = with_preposition("a", around.place.phrase, around.grammar)
    return clitics.with_noun_after(around, words, last, person, rule="dative")


def _verb(around: Around, *, restored: bool) -> tuple[Token, ...]:
    """The verb that the clitic belongs to, and the words after it."""
    if not around.is_hyphenated:
        clitics.check_verb(around)
        return around.after
    host = _hyphenated_verb(around)
    verb = restored_verb(host.form, around.place.surface, around) if restored else host.form
    return (Token(verb, host.span), *around.after)


def _hyphenated_verb(around: Around) -> Token:
    """The verb before the hyphen; refused in a cluster and in mesoclisis."""
    before, place = around.before, around.place
    if len(before) < 2 or before[1].span.end != before[0].span.start or not before[1].form[-1].isalpha():
        raise NotDerivedError("there is no verb before the hyphen")
    if around.next_form == "-" and around.after[0].span.start == place.pronoun.end:
        raise NotDerivedError("the pronoun is inside its verb")
    verb, _, clitic = before[1].form.rpartition("-")
    if (verb and clitic in around.grammar.words("clitic")) or before[1].form in ("no", "vo"):
        raise NotDerivedError("two pronouns are attached to the verb")
    start = before[1].span.end - len(before[1].span.of(place.text).rpartition("-")[2])
    return Token(clitic, Span(start, before[1].span.end))


def _with_mais(around: Around, words: Sequence[Token], last: int) -> int:
    """The end of a predicate, with a *mais* that closes its negation: "não suporta mais | o tio"."""
    forms = [word.form for word in words[last + 1 : last + 3]]
    clause = takewhile(lambda word: not word.is_punctuation or word.form == "-", around.before)
    is_negated = any(word.form in around.grammar.words("negative") for word in clause)
    ends = len(forms) == 1 or words[min(last + 2, len(words) - 1)].is_punctuation
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
    full_forms = around.grammar.table("verbs").values("before-clitic").get(verb)
    if full_forms:
        return full_forms[0]
    if verb.endswith(("amo", "emo", "imo", "ámo", "omo")):
        return verb + "s"
    if verb[-1] not in _BARE:
        raise NotDerivedError(f"{verb}-{form} does not show which form of the verb it is")
    return verb[:-1] + _BARE[verb[-1]] + "r"


def _recipient_place(around: Around, words: Sequence[Token]) -> int:
    """The index of the word after which the person is placed: the verb, or the object of a verb of giving."""
    grammar = around.grammar
    last = clitics.recipient_verb(words, grammar)
    fixed = with_verb(words, last, grammar)
    if fixed:
        return last + fixed  # "fez falta ao tio"
    end = object_end(around, words, last) if words[last].form in grammar.verbs.forms_of("giving") else last
    if end != last:
        return end
    _check_recipient(around, words, last)
    adverb, after = ["", "", *(word.form for word in words[last + 1 : last + 3])][-2:]
    return last + (adverb in grammar.words("degree") and after in _SIGNS)  # "agradou muito ao tio."


def _check_recipient(around: Around, words: Sequence[Token], last: int) -> None:
    """Refuse a verb with which *lhe* may not be a recipient, and what may follow it in its stead."""
    grammar, verb = around.grammar, words[last].form
    has_recipient = verb in grammar.verbs.forms_of("giving")
    if not has_recipient and verb not in grammar.verbs.forms_of("dative"):
        raise NotDerivedError(f"with {verb!r}, 'lhe' may mean 'to', 'from' or 'of' the person")
    following = words[last + 1] if last + 1 < len(words) else None
    if following is None or following.is_punctuation:
        return
    doubled = words[last + 2 : last + 3] if following.form in ("a", "ao") else ()
    if any(word.is_capital or word.form in ("ele", "ela", "eles", "elas") for word in doubled):
        raise NotDerivedError(f"'lhe' may double {following.form!r} and the person that follows")
    is_apart = following.form in grammar.words("after-dative") or following.form.endswith("mente")
    has_object = has_recipient and (following.form in grammar.determiners or not grammar.is_closed(following.form))
    if has_object or is_apart or verb in grammar.verbs.forms_of("concerning"):
        return
    raise NotDerivedError(f"with {verb!r} before {following.form!r}, 'lhe' may mean 'to' or 'of' the person")
