"""Whether a candidate agrees with a verb, and with the participles and adjectives that describe its subject.

Where subjects are rarely spoken, these endings are what shows the referent: *Ana saludó a Luis porque {} estaba
cansada* is only about Ana. A word right after the verb describes the subject (*era gelosa, se sentía sola, chegou
cansado*), and so does an adjective later in the clause that does not agree with the noun before it (*salió de la ducha
desnudo*). What describes an object is left out: *dejó sola a Ana*.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.names import name_gender
from winoglot.languages.romance.grammar import UNKNOWN, Inflection, is_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.romance.grammar import Grammar
    from winoglot.languages.substitution import Phrase, Place


def check(phrase: Phrase, word: str, inflection: Inflection) -> None:
    """Raise NotDerivedError if a word of the predicate does not agree with the candidate."""
    number = None if inflection.is_plural is None else "plural" if inflection.is_plural else "singular"
    for phrase_value, word_value in ((gender_of(phrase), inflection.gender), (phrase.traits.number.value, number)):
        if phrase_value and word_value and phrase_value not in (word_value, "common"):
            raise NotDerivedError(f"{word!r} is {word_value}, {phrase.text!r} is {phrase_value}")


def gender_of(phrase: Phrase) -> str | None:
    """The candidate's gender; that of a name is the one in this language: *Luca* and *Simone* differ elsewhere."""
    name_value = name_gender(phrase.noun, phrase.language).value if phrase.is_name else None
    return name_value or phrase.traits.gender.value


def check_subject(place: Place, grammar: Grammar) -> None:
    """Raise NotDerivedError if the clause after the mark describes its subject as something else than the candidate."""
    words = [token.form for token in place.following]
    preverbal = grammar.words("preverbal")
    first = next((index for index, form in enumerate(words) if form not in preverbal), len(words))
    is_reflexive = not {"se", "si", "s'"}.isdisjoint(words[:first])
    ends = grammar.words("subordinator") | grammar.words("relative")
    verb, *rest = [*takewhile(lambda form: is_word(form) and form not in ends, words[first:]), ""]
    verb, _, clitic = verb.partition("-")
    check_predicate(place.phrase, [verb, *rest[:-1]], grammar, is_reflexive=is_reflexive or clitic == "se")


def check_predicate(phrase: Phrase, words: Sequence[str], grammar: Grammar, *, is_reflexive: bool = False) -> None:
    """Raise NotDerivedError if a word of this clause, whose verb comes first, describes another subject."""
    verb, index = words[0], 1
    verbs = grammar.verbs
    linking = verbs.forms_of("linking") | (verbs.forms_of("describing") if is_reflexive else frozenset())
    while index < len(words):
        form, kinds = words[index], verbs.auxiliaries.get(verb, frozenset())
        if grammar.is_participle(form) and "participle" in kinds:
            if verb in linking:
                check(phrase, form, grammar.agreement_of(form))  # "è arrivata"
            verb = form
        elif grammar.is_infinitive(form) or grammar.is_gerund(form):
            verb = form
        elif form in kinds and not any(map(grammar.is_infinitive, words[index + 1 : index + 2])):
            break  # "se fue a casa"
        elif form not in kinds and not grammar.is_adverb(form) and form not in grammar.words("degree"):
            break
        index += 1
    form, following = [*words[index:], "", ""][:2]
    is_quality = grammar.is_listed_adjective(form) or grammar.is_participle(form)
    shown = grammar.agreement_of(form)
    is_manner = verb in verbs.forms_of("with-adjective") and shown == Inflection("masculine", False)
    is_of_object = verb in verbs.forms_of("predicative") and not is_reflexive
    if verb in linking:
        check(phrase, form, _complement(words[index:], grammar))
    elif is_quality and not is_manner and not is_of_object and following not in grammar.determiners:
        check(phrase, form, shown)  # but not "pidió prestada la moto"
    _check_rest(phrase, words[index:], grammar)


def _complement(words: Sequence[str], grammar: Grammar) -> Inflection:
    """What the complement of a linking verb shows: an adjective, or *la primera*, but no noun of one gender."""
    form, following, after = [*words, "", "", ""][:3]
    if grammar.is_closed(form):
        is_ordinal = following in grammar.prenominals and form in grammar.determiners
        return grammar.shown_by_ending(following) if is_ordinal and grammar.is_closed(after or ".") else UNKNOWN
    if form in grammar.table("nouns").words("either-sex"):
        return UNKNOWN  # "era vittima di un errore"
    return grammar.agreement_of(form) if grammar.agreement_of(form) != UNKNOWN else grammar.shown_by_ending(form)


def _check_rest(phrase: Phrase, words: Sequence[str], grammar: Grammar) -> None:
    """Check the adjectives of the rest of the clause, after its first word, that disagree with the noun before them."""
    for index, form in enumerate(words):
        is_quality = grammar.is_listed_adjective(form) or grammar.is_participle(form)
        previous = words[index - 1] if index else ""
        if not is_quality or grammar.is_noun_too(form) or not previous or grammar.is_finite(previous):
            continue
        determiner = grammar.shown_by(words[index - 2]) if index > 1 else UNKNOWN
        noun = Inflection(determiner.gender or grammar.noun_gender(previous))
        joins = previous in grammar.words("coordinator") and index < 3
        if joins or (not grammar.is_closed(previous) and not grammar.can_agree(form, noun)):
            check(phrase, form, grammar.agreement_of(form))
