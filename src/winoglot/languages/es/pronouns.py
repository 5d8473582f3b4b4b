"""Strong pronouns (*él, ella*) and clitics (*lo, la, los, las*, *le, les*).

The phrase replaces a strong pronoun, and *de* and *a* contract with *el*: *habló de {él}* → *habló del tío*. Not
derived where a noun phrase cannot be used (*él mismo*, *entre ellos*), and where the pronoun doubles an accusative
clitic (*lo vio a {él}*), since *lo vio a Juan* is used only in some regions.

An accusative clitic is removed, and the noun follows the verb, with *a* before a person: *{lo} vio ayer* → *vio a Juan
ayer*; a written accent that was due to the clitic goes (*mirándo{lo}* → *mirando a Juan*). A dative stays and is
doubled by *a* and the noun, after the object: *{le} dio una flor* → *le dio una flor a Ana*. Not derived: clusters (*se
{lo} dio*), a verb that its subject may follow (*{lo} vio Marta*), *lo* for a predicate or a clause, a phrase that the
clitic doubles already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.grammar import SPANISH
from winoglot.languages.es.people import as_object, with_a
from winoglot.languages.names import name_gender
from winoglot.languages.romance import clitics, pronouns
from winoglot.languages.romance.grammar import is_word
from winoglot.languages.romance.possessed import PossessedPhrase
from winoglot.languages.romance.words import END, Around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Token

_ACCUSATIVE = ("lo", "la", "los", "las")
_COUNTED = 3  # a clitic, its verb (two words of it), then "a"
_STRONG = ("él", "ella", "ellos", "ellas", "usted", "ustedes", "mí", "ti")
_MEASURES = ("bien", "mal", "mucho", "muchísimo", "tanto", "demasiado", "bastante")


def personal(around: Around) -> Substitution:
    """Replace the pronoun by the phrase."""
    surface, last = around.place.surface, around.previous_form
    if last == "entre":
        raise NotDerivedError(f"'entre {surface}' may mean 'each other'")
    if last == "a" and _is_doubled([word.form for word in around.before[1:]]):
        raise NotDerivedError(f"'a {surface}' doubles an earlier clitic, which a noun does only in some regions")
    return pronouns.personal(around)


def _is_doubled(before: list[str]) -> bool:
    """Whether an accusative clitic comes before or after the verb: *la vio a ella*, *verla a ella*."""
    verb = before[0] if before else ""
    hangs = verb.endswith(_ACCUSATIVE) and verb[:-2].rstrip("l").endswith(("r", "ndo"))
    return hangs or any(word in _ACCUSATIVE for word in before[1 : _COUNTED + 1])


def accusative(around: Around) -> Substitution:
    """Place the noun after the verb that the clitic belongs to."""
    words = _verb(around)
    last = clitics.landing(words, SPANISH)
    clitics.check_object(around, words, last)
    inserted = as_object(around.place, words[last].form)
    last += _with_verb(words, last) or _is_measured(words, last)
    _check_after(around, words, last)
    rule = "enclitic" if clitics.is_attached(around) else "proclitic"
    return clitics.placed(around, words, last, inserted, rule=rule)


def dative(around: Around) -> Substitution:
    """The clitic stays; *a* and the noun follow the verb and its object."""
    words = _verb(around)
    last = clitics.landing(words, SPANISH)
    _check_doubled(around, words, last)
    fixed = _with_verb(words, last)
    last = last + fixed if fixed else _object_end(around, words, last)
    return clitics.placed(around, words, last, with_a(around.place.phrase), rule="dative", kept=True)


def _verb(around: Around) -> tuple[Token, ...]:
    """The verb that the clitic belongs to, and the words after it; an article and a doubled phrase are refused."""
    words, form, surface = clitics.verb_of(around), around.next_form, around.place.surface
    if clitics.is_attached(around):
        return words
    is_article = around.previous_form in SPANISH.prepositions or SPANISH.is_infinitive(form)
    if is_article or (not SPANISH.is_finite(form) and (SPANISH.is_noun(form) or _is_described(form))):
        raise NotDerivedError(f"{surface!r} is the article of {form!r}")
    if _is_fronted(around):
        raise NotDerivedError(f"{surface!r} doubles an earlier phrase with 'a'")
    return words


def _is_described(form: str) -> bool:
    """*Lo importante*, *los ricos*: an adjective makes the clitic an article."""
    ending = ("ción", "dad", "ible", "able", "ante", "ivo", "oso", "ico")
    is_adjective = SPANISH.is_listed_adjective(form) and form not in SPANISH.table("adjectives").words("verb-too")
    return form.endswith(ending) or (is_adjective and not form.endswith(("a", "e")))


def _is_fronted(around: Around) -> bool:
    """*A Juan lo vi*: the clause begins with a phrase with *a*."""
    clause = []
    for token in around.before:
        is_joint = token.form in SPANISH.small("coordinator") or token.form in SPANISH.small("subordinator")
        if token.is_sign or is_joint:
            break
        clause.append(token.form)
    return bool(clause) and clause[-1] in ("a", "al")


def _with_verb(words: Sequence[Token], last: int) -> int:
    """The number of words that make one expression with the verb: *la echa de menos* → *echa de menos la moto*."""
    following = " ".join(word.form for word in words[last + 1 : last + 3])
    return 2 if following in SPANISH.table("phrases").words("with-verb") else 0


def _is_measured(words: Sequence[Token], last: int) -> bool:
    """*Los querían mucho.* → *Querían mucho a los abuelos.*"""
    adverb, after = [*(word.form for word in words[last + 1 : last + 3]), ".", "."][:2]
    return adverb in _MEASURES and (not is_word(after) or after in SPANISH.small("subordinator"))


def _check_after(around: Around, words: Sequence[Token], last: int) -> None:
    """Refuse if a subject or a doubled phrase may follow the verb: *lo vio el guardia*."""
    following = words[last + 1] if last + 1 < len(words) else None
    if following is None or following.is_sign:
        return
    form, after = following.form, words[last + 2].form if last + 2 < len(words) else ""
    is_person = after in _STRONG or after in SPANISH.small("with-pronoun") or name_gender(after.title(), "es").value
    if form == "a" and is_person:
        raise NotDerivedError(f"'a {after}' after the verb doubles the pronoun")
    is_adverb = SPANISH.is_adverb(form) or form in SPANISH.small("degree")
    is_quality = SPANISH.is_listed_adjective(after) or SPANISH.is_participle(after)
    if is_adverb and (is_quality or SPANISH.ends_phrase(after or ".") or SPANISH.is_adverb(after)):
        return  # "no lo molestó más", "lo encuentra más suave"
    if form in SPANISH.determiners or form in SPANISH.small("indefinite-pronoun"):
        if after in SPANISH.table("nouns").words("time"):
            return  # "lo vio esta mañana"
        raise NotDerivedError(f"{form!r} after the verb may open its subject")
    if SPANISH.ends_phrase(form) or SPANISH.is_participle(form) or SPANISH.is_gerund(form):
        return
    if SPANISH.is_listed_adjective(form) and not SPANISH.is_noun_too(form):
        return  # "lo encontró dormido", "la dejó sola"
    raise NotDerivedError(f"{following.span.of(around.place.text)!r} after the verb may be its subject")


def _check_doubled(around: Around, words: Sequence[Token], last: int) -> None:
    """Refuse *le dio una flor a ella*."""
    rest = words[last + 1 :]
    for word, partner in zip(rest, [*rest[1:], None], strict=True):
        if word.is_sign or word.form in SPANISH.small("subordinator"):
            return
        is_person = partner is not None and (
            partner.is_capital or partner.form in SPANISH.determiners or partner.form in _STRONG
        )
        if word.form == "al" or (word.form == "a" and is_person):
            raise NotDerivedError(f"{around.place.surface!r} may double '{word.form} …'")


def _object_end(around: Around, words: Sequence[Token], last: int) -> int:
    """The last word of the object, after which the person is placed; of the verb if its end is unsure.

    "le dio una flor." → "le dio una flor a Ana."; "le dijo que" → "le dijo a Ana que".
    """
    rest = words[last + 1 :]
    first = rest[0] if rest else None
    if first is None or first.is_sign:
        return last
    after = rest[1].form if len(rest) > 1 else "."
    ends = not is_word(after) or (SPANISH.is_closed(after) and after not in ("de", "que", "del"))
    if first.form in _MEASURES and after in SPANISH.determiners:
        return _phrase_end(around, words, last + 1)  # "le gustó mucho la cena"
    if ends and (first.form in SPANISH.small("short-object") or first.form in _MEASURES):
        return last + 1
    if first.form in SPANISH.small("short-object") and SPANISH.is_listed_adjective(after):
        return last + 2 if len(rest) < 3 or SPANISH.is_closed(rest[2].form) else last  # "algo importante"
    if first.form in SPANISH.determiners:
        return _phrase_end(around, words, last)
    is_noun = not SPANISH.ends_phrase(first.form) and not first.is_capital and not SPANISH.is_gerund(first.form)
    return _phrase_end(around, words, last) if is_noun else last


def _phrase_end(around: Around, words: Sequence[Token], last: int) -> int:
    """Where the noun phrase after the verb ends; `last` if that is unsure or a clause about it follows."""
    start = last + 1 + (words[last + 1].form in SPANISH.determiners)
    inside = Around(SPANISH, around.place, tuple(words[start:]), ())
    try:
        phrase = PossessedPhrase(inside, tuple(reversed(words[: last + 1])), determiner=words[start - 1].form)
    except NotDerivedError:
        return last
    end = start + phrase.length - 1
    joint, partner = [*(word for word in words[end + 1 : end + 3]), END, END][:2]
    if joint.form in SPANISH.small("coordinator"):
        is_phrase = partner.form in SPANISH.determiners or SPANISH.is_noun(partner.form)
        return _phrase_end(around, words, end + 1) if is_phrase else end  # "una flor y un beso"
    goes_on = joint.form in SPANISH.small("relative") or joint.form in ("de", "del")
    return last if goes_on else end
