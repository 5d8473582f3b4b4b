"""Personal pronouns: the candidate in the pronoun's case and place, unless the order of words makes that doubtful.

*weil {ihm} das Buch gehörte* → *weil dem Mann das Buch gehörte*. Not derived: a genitive that arises by accident (*weil
{sie} der Frau half* → *die Köchin der Frau*), a noun before a pronoun (*gab {es} ihm*), an object before its subject
(*Dann rief {ihn} der Wirt*).
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.de import nouns
from winoglot.languages.de.candidates import definite_phrase
from winoglot.languages.de.clauses import (
    PronounClause,
    bare_noun,
    clause_of,
    is_closed,
    is_preposition,
    is_verbal,
    is_verbal_opening,
    phrase_after,
    words_with,
)
from winoglot.languages.de.declension import adjective_stem, analyses, is_title, sorts_of_noun
from winoglot.languages.de.expletive import check_reference
from winoglot.languages.de.fit import number_of_sie, numbers_of_candidates, sorts_of_pronoun
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.de.candidates import DescribedCandidate
    from winoglot.languages.substitution import Place

_CASES = {"er": "nominative", "sie": "nominative", "es": "nominative", "ihn": "accusative", "ihm": "dative"}
_CASES |= {"ihr": "dative", "ihnen": "dative"}
_UNMARKED_SUBJECTS = ("niemand", "jemand", "alle", "viele", "beide", "einige")
_AFTER_OBJECTS = frozenset({"ihm", "ihr", "ihn", "ihnen", "mir", "dir", "mich", "dich", "uns", "euch", "es", "sich"})


def personal(place: Place) -> Substitution:
    """Replace a personal pronoun."""
    clause = clause_of(place.text, place.preceding, place.following)
    case = _case(place)
    description = definite_phrase(place.item.candidates[place.index], place.item)
    if place.surface == "es":
        check_reference(place, clause)
    if place.surface == "sie" and len(numbers_of_candidates(place.item)) > 1 and number_of_sie(place.item) is None:
        raise NotDerivedError("the candidates differ in number, and nothing shows that of 'sie'")
    before = place.preceding[0].form if place.preceding else ""
    is_conjunction = before in words_with("subordinator") and (case == "nominative" or before in ("bis", "während"))
    if is_preposition(before) and not is_conjunction:
        return _insert(place, description, case, "preposition")
    _check_bound(place)
    if place.surface == "ihr":
        _check_plural_you(place)
    is_object = case != "nominative" or (place.surface in ("sie", "es") and clause.has_subject_before)
    _check_genitive(place, description, case)
    if is_object:
        _check_title(place, description, case)
    if is_object or _is_before_subject(place, clause):
        _check_order(place, clause, description, case)
    return _insert(place, description, case, "object" if is_object else "subject")


def demonstrative(place: Place) -> Substitution:
    """Replace *dieser* and the like where no noun follows: *und {dieser} floh* → *und der Fuchs floh*."""
    if _belongs_to_noun(place):
        raise NotDerivedError(f"{place.surface!r} may belong to a noun after it")
    description = definite_phrase(place.item.candidates[place.index], place.item)
    lines = lexicon("de", "pronouns").entries[place.surface]
    sorts = description.fits(sorts_of_pronoun(place.item))
    cases = {
        line.one_of("case") or ""
        for line in lines
        if any(line.one_of("number") == sort.number and (line.one_of("gender") or "") == sort.gender for sort in sorts)
    }
    forms = {description.phrase.declined(sort, case) for sort in sorts for case in cases}
    if len(forms) != 1:
        raise NotDerivedError(f"nothing shows the case of {place.surface!r}")
    return place.rewrite(place.pronoun, forms.pop(), rule="demonstrative")


def _belongs_to_noun(place: Place) -> bool:
    """Whether a noun follows, after adjectives with their adverbs: *{dieser} sehr alte Mann*."""
    adverbs = words_with("adverb") | words_with("degree")
    words = list(takewhile(lambda w: not w.is_capital and (w.form in adverbs or is_verbal(w)), place.following))
    noun = "".join(word.span.of(place.text) for word in place.following[len(words) : len(words) + 1] if word.is_capital)
    sorts = sorts_of_noun(noun)
    is_noun_next = bool(noun) and (not sorts or any(analysis.sort in sorts for analysis in analyses(place.surface)))
    if not words or words[0].form in lexicon("de", "verbs"):
        return is_noun_next and not words
    return is_noun_next and words[-1].form not in adverbs and bool(adjective_stem(words[-1].form))


def _case(place: Place) -> str:
    """The case of the candidate: the pronoun's, or the genitive after a preposition that requires it of nouns."""
    before = place.preceding[0].form if place.preceding else ""
    case = _CASES[place.surface]
    return "genitive" if case == "dative" and before in words_with("preposition", "genitive") else case


def _insert(place: Place, description: DescribedCandidate, case: str, rule: str) -> Substitution:
    """Insert the candidate in a case; refused if it does not agree with the pronoun."""
    allowed = sorts_of_pronoun(place.item, _CASES[place.surface])
    sorts = description.fits(allowed)
    if not sorts:
        raise NotDerivedError(f"{place.surface!r} does not agree with {place.item.candidates[place.index].text!r}")
    phrase = description.phrase
    if phrase.is_name and case == "genitive":
        case = "nominative"  # wegen Anna
    forms = {phrase.declined(sort, case) for sort in sorts}
    if len(forms) != 1:
        raise NotDerivedError(f"the article of {phrase.core!r} needs a gender, which is unknown")
    if not sorts & allowed:
        rule = f"{rule}, by sense"
    return place.rewrite(place.pronoun, forms.pop(), rule=rule)


def check_address(place: Place) -> None:
    """Refuse *Sie* and *Ihr* with a capital inside a sentence, which address the reader."""
    if place.pronoun.of(place.text)[:1].isupper() and not opens_sentence(place.text, place.pronoun.start):
        raise NotDerivedError(f"{place.pronoun.of(place.text)!r} with a capital is a form of address")


def _check_bound(place: Place) -> None:
    """Refuse *sie beide*, *er selbst*."""
    following = place.following[0].form if place.following else ""
    if following in words_with("bound") and not bare_noun(place.text, place.following[1:]):
        raise NotDerivedError(f"'{place.surface} {following}' is more than a pronoun")


def _check_plural_you(place: Place) -> None:
    """Refuse *ihr habt*, *seid ihr*."""
    neighbours = [words[0].form for words in (place.preceding, place.following) if words]
    second_persons = [form for form in neighbours if form in lexicon("de", "verbs").words("second-person")]
    if second_persons:
        raise NotDerivedError(f"with {second_persons[0]!r}, 'ihr' addresses several people")


def _check_genitive(place: Place, description: DescribedCandidate, case: str) -> None:
    """Refuse a dative that would read as a genitive, or make one of what follows."""
    if description.phrase.is_name and not description.phrase.stem:
        return
    next_phrase = phrase_after(place.text, place.following)
    if next_phrase is not None and next_phrase.looks_genitive:
        owner = f"{next_phrase.opening} {next_phrase.head}".strip()
        raise NotDerivedError(f"{owner!r} would read as a genitive of {description.phrase.core!r}")
    before = place.preceding[0] if place.preceding else None
    if case != "dative" or place.surface != "ihr" or before is None:
        return
    surface = before.span.of(place.text)
    if surface[:1].isupper() and surface[:1].isalpha() and _is_common_noun(place, surface):
        raise NotDerivedError(f"{description.phrase.core!r} in the dative would read as a genitive of {surface!r}")


def _check_title(place: Place, description: DescribedCandidate, case: str) -> None:
    """Refuse a bare name right after a title, or in the dative after somebody it may name: *dankte der Koch {ihm}*."""
    phrase = description.phrase
    title = place.preceding[0].span.of(place.text) if place.preceding else ""
    is_bare = phrase.is_name and not phrase.modifiers and not phrase.joined and not is_title(phrase.head)
    if not is_bare or not title[:1].isupper():
        return
    genders = {sense.gender for sense in nouns.senses(title) if sense.entry.has("human")}
    is_named = case == "dative" and any(sort.gender in genders for sort in description.sorts)
    if is_named or folded(title) in lexicon("de", "nouns").words("title"):
        raise NotDerivedError(f"'{title} {phrase.core}' would read as one person")


def _is_common_noun(place: Place, written: str) -> bool:
    """Whether the word before the pronoun is a noun that a genitive may belong to."""
    before = place.preceding[0]
    if is_closed(before.form) or is_verbal_opening(place.text, before):
        return False
    return name_gender(written, "de").value is None or bool(nouns.senses(written))


def _is_before_subject(place: Place, clause: PronounClause) -> bool:
    """Whether *sie* is an object before a subject that shows its case: *weil {sie} der Hund biss*."""
    next_phrase = phrase_after(place.text, place.following)
    if place.surface not in ("sie", "es") or next_phrase is None or next_phrase.opening not in ("der", "dieser"):
        return False
    return next_phrase.is_surely_masculine and not _is_predicate(clause)


def _is_predicate(clause: PronounClause) -> bool:
    verb = clause.verb
    return verb is not None and verb.form in lexicon("de", "verbs").words("copula")


def _is_thing(noun: str) -> bool:
    """Whether a noun is known, and neither a person nor an animal, so that it is no receiver: *Peter fehlte Geduld*."""
    senses = nouns.senses(noun)
    return bool(senses) and not any(sense.entry.one_of("animacy") in ("human", "animal") for sense in senses)


def _check_order(place: Place, clause: PronounClause, description: DescribedCandidate, case: str) -> None:
    """Refuse an object before a pronoun, and one before its subject where the order would mislead."""
    following = place.following[0].form if place.following else ""
    if following in _AFTER_OBJECTS and following != "sich":
        raise NotDerivedError(f"a noun does not come before {following!r}")
    is_verb_next = any(is_verbal(word, place.text) for word in place.following[:1])
    opens_clause = description.phrase.is_name and not clause.is_subordinate and is_verb_next  # Nur {ihm} half Lea
    ahead = place.following[opens_clause:]
    next_phrase = phrase_after(place.text, ahead)
    if description.phrase.is_name and ahead and ahead[0].form in _UNMARKED_SUBJECTS and not clause.has_subject_before:
        raise NotDerivedError(f"before its subject {ahead[0].form!r}, the object may be misread")
    is_pronoun_subject = following in ("er", "man", "ich", "wir", "du", "sie") and bool(clause.before or clause.opener)
    if clause.has_subject_before or clause.is_infinitive or (next_phrase is None and not is_pronoun_subject):
        return
    if is_pronoun_subject:
        raise NotDerivedError(f"a noun does not come before {following!r}")
    if next_phrase is None or not next_phrase.may_be_subject or (opens_clause and _is_thing(next_phrase.head)):
        return
    is_after_verb = bool(clause.before) and is_verbal(clause.before[-1], place.text)
    if not description.phrase.is_name and not is_after_verb:
        return
    if case == "dative" and next_phrase.is_surely_masculine and next_phrase.opening in ("der", "ein", "dieser"):
        return
    subject = f"{next_phrase.opening} {next_phrase.head}".strip()
    raise NotDerivedError(f"before its subject {subject!r}, the object may be misread")
