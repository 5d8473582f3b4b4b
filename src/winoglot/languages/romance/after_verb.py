"""What follows a verb: a subject, which makes an object pronoun unsure, or an object, before a recipient.

*Lo vio el guardia* and *lo vide il guardiano* are refused, *lo vio esta mañana* is not; *le dio una flor.* → *le dio
una flor a Ana.*, but *le dijo que* → *le dijo a Ana que*. For languages in which a subject may follow its verb.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.romance.grammar import UNKNOWN, is_word
from winoglot.languages.romance.possessed import PossessedPhrase
from winoglot.languages.romance.words import END, Around

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from winoglot.languages.romance.grammar import Grammar
    from winoglot.languages.substitution import Token


def check_no_subject(around: Around, words: Sequence[Token], last: int) -> None:
    """Refuse if what follows the word at `last`, the end of the verb, may be its subject: *lo vio el guardia*."""
    following, second, third = [*words[last + 1 : last + 4], END, END, END][:3]
    grammar, form, after = around.grammar, following.form, "" if second is END else second.form
    if following.is_punctuation or (after in grammar.prepositions and form == third.form):
        return  # "los abrazó uno por uno"
    times = grammar.table("nouns").words("time")
    is_adverb = grammar.is_adverb(form) or form in grammar.words("degree")
    is_quality = grammar.is_listed_adjective(after) or grammar.is_participle(after)
    if is_adverb and (is_quality or grammar.ends_phrase(after or ".") or grammar.is_adverb(after)):
        return  # "no lo molestó más", "lo encuentra más suave"
    if form in grammar.determiners or form in grammar.words("indefinite-pronoun"):
        if after in times:
            return  # "lo vio esta mañana"
        raise NotDerivedError(f"{form!r} after the verb may open its subject")
    verbal = (grammar.is_participle, grammar.is_gerund, grammar.is_infinitive)
    if grammar.ends_phrase(form) or form in times or any(is_form(form) for is_form in verbal):
        return
    if grammar.is_listed_adjective(form) and not grammar.is_noun_too(form):
        return  # "lo encontró dormido", "la dejó sola"
    raise NotDerivedError(f"{following.span.of(around.place.text)!r} after the verb may be its subject")


def check_not_doubled(around: Around, words: Sequence[Token], last: int, openings: Container[str]) -> None:
    """Refuse a recipient that a phrase after the verb doubles already: *le dio una flor a ella*.

    `openings`: what begins such a phrase after *a*, besides names.
    """
    grammar, contractions = around.grammar, function_words(around.grammar.tag).contractions
    for word, partner in pairwise([*words[last + 1 :], END]):
        if word.is_punctuation or word.form in grammar.words("subordinator") or grammar.is_infinitive(word.form):
            return
        preposition, opening = contractions.get(word.form, (word.form, partner.form))
        if preposition in ("a", "ad") and (opening in openings or (opening == partner.form and partner.is_capital)):
            raise NotDerivedError(f"{around.place.surface!r} may double '{word.form} {partner.form}'")


def with_verb(words: Sequence[Token], last: int, grammar: Grammar) -> int:
    """The number of words that make one expression with the verb: *la echa de menos* → *echa de menos la moto*.

    Some do only with the verbs that are listed with them: *tirò fuori lo zaino*, but *aspettò Emma fuori*.
    """
    expressions = grammar.table("phrases").words("with-verb")
    listed_verbs = grammar.table("phrases").values("with-verb")
    following = [word.form for word in words[last + 1 : last + 4]]
    for length in (2, 1):
        after = [*following, ".", "."][length]
        is_noun = length > 1 or not grammar.is_closed(following[0] if following else ".")  # "hace falta espacio"
        is_whole = is_noun or (grammar.is_closed(after) and after not in grammar.determiners)  # not "su un muro"
        expression = " ".join(following[:length])
        verbs = listed_verbs.get(expression, ())
        is_with_verb = not verbs or any(words[last].form in grammar.verbs.forms(verb) for verb in verbs)
        if expression in expressions and is_whole and is_with_verb:
            return length
    return 0


def is_measured(words: Sequence[Token], last: int, grammar: Grammar) -> bool:
    """Whether an adverb of degree ends the clause: *Los querían mucho.* → *Querían mucho a los abuelos.*"""
    adverb, after = [*(word.form for word in words[last + 1 : last + 3]), ".", "."][:2]
    return adverb in grammar.words("how-much") and (not is_word(after) or after in grammar.words("subordinator"))


def object_end(around: Around, words: Sequence[Token], last: int) -> int:
    """The last word of the object, after which the person is placed; of the verb if its end is unsure.

    "le dio una flor." → "le dio una flor a Ana."; "le dijo que" → "le dijo a Ana que".
    """
    grammar, rest = around.grammar, words[last + 1 :]
    first = rest[0] if rest else None
    if first is None or first.is_punctuation:
        return last
    after = rest[1].form if len(rest) > 1 else "."
    continuing = (grammar.words("of"), grammar.words("relative"), grammar.words("clitic"), grammar.determiners)
    is_continued = any(after in words for words in continuing)  # "todo lo que sabía"
    ends = not is_word(after) or (grammar.is_closed(after) and not is_continued)
    if first.form in grammar.words("how-much") and after in grammar.determiners:
        return _phrase_end(around, words, last + 1)  # "le gustó mucho la cena"
    if ends and (first.form in grammar.words("short-object") or first.form in grammar.words("how-much")):
        return last + 1
    if first.form in grammar.words("short-object") and grammar.is_listed_adjective(after):
        return last + 2 if len(rest) < 3 or grammar.is_closed(rest[2].form) else last  # "algo importante"
    if first.form in grammar.determiners:
        is_time = after in grammar.table("nouns").words("time")  # "telefona a Elena ogni giorno"
        return last if is_time else _phrase_end(around, words, last)
    is_noun = not grammar.ends_phrase(first.form) and not first.is_capital and not grammar.is_gerund(first.form)
    return _phrase_end(around, words, last) if is_noun else last


def _phrase_end(around: Around, words: Sequence[Token], last: int) -> int:
    """Where the noun phrase after the verb ends; `last` if that is unsure or a clause about it follows."""
    grammar = around.grammar
    start = last + 1 + (words[last + 1].form in grammar.determiners)
    around_object = Around(grammar, around.place, tuple(words[start:]), ())
    try:
        phrase = PossessedPhrase(around_object, tuple(reversed(words[: last + 1])), determiner=words[start - 1].form)
    except NotDerivedError:
        return last
    end = start + phrase.length - 1
    joint, partner = [*(word for word in words[end + 1 : end + 3]), END, END][:2]
    if joint.form in grammar.words("coordinator"):
        is_phrase = partner.form in grammar.determiners or grammar.is_noun(partner.form)
        return _phrase_end(around, words, end + 1) if is_phrase else end  # "una flor y un beso"
    is_clause = joint.form in grammar.words("subordinator") - grammar.words("relative")
    is_clause = is_clause and not grammar.is_adjective(partner.form, UNKNOWN)  # "due pagnotte appena sfornate"
    is_last = not is_word(joint.form) or is_clause
    return end if is_last else last  # "presto a Luis un libro de más": what follows may belong to the object
