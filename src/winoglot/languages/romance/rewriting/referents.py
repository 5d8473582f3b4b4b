"""The words by which a text refers to a candidate again: pronouns, possessives, nouns that may name the same person.

A pronoun refers to a candidate if it is the item's own, or if no other phrase of its gender and number comes before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.agreeing_words import Agreeing
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase

_HUMAN_ONLY = frozenset({"lhe", "lhes", "lui"})


def find_pronouns(clauses: Clauses, words: Agreeing) -> None:
    """The pronouns and possessives that refer to a candidate, or may."""
    if clauses.pronoun is not None:
        owner = clauses.form(clauses.pronoun) in clauses.rules.words("third-owner")
        (words.possessives if owner else words.pronouns).append(clauses.pronoun)
    table = lexicon(clauses.rules.tag, "pronouns").features()
    for index, word in enumerate(clauses.words):
        if index == clauses.pronoun:
            continue
        is_pronoun = clauses.word_class(index) == "pronoun" or (
            clauses.word_class(index) == "clitic" and word.form in clauses.rules.words("object-clitic")
        )
        is_owner = word.form in clauses.rules.words("third-owner") and clauses.rules.owners_show_number
        if not (is_pronoun or is_owner) or word.form in ("si", "consigo") or is_expletive(clauses, index):
            continue
        features = table.get(word.form)
        gender, count = (features.gender, features.number) if features else (None, None)
        if is_owner:
            gender = None
        if count == "plural" and gender and _are_both(clauses, index, gender):
            words.both.append(index)
            continue
        if not any(_fits(clauses, position, gender, count) for position in range(len(clauses.item.candidates))):
            continue
        rivals = [
            phrase
            for phrase in clauses.phrases
            if phrase.candidate is None
            and phrase.first < index
            and _is_rival(clauses, phrase, gender, count)
            and (word.form not in _HUMAN_ONLY or may_be_human(clauses, phrase))
        ]
        first = min((phrase.first for phrase in clauses.phrases if phrase.candidate is not None), default=0)
        if index < first and not is_owner:
            rivals.append(clauses.phrases[0])
        lists = (words.possessives if is_owner else words.pronouns), words.unsure_pronouns
        is_sure = not rivals or (is_owner and _owner_is_subject(clauses, index))
        lists[0 if is_sure else 1].append(index)


def _are_both(clauses: Clauses, index: int, gender: str) -> bool:
    """Whether a plural pronoun may refer to both candidates together: *quando elas se falaram*."""
    for candidate in clauses.item.candidates:
        features = features_of(candidate, clauses.item, clauses.item.language)
        if features.number.value == "plural" or features.gender.value not in (gender, None, "common"):
            return False
    return all(phrase.first < index for phrase in clauses.phrases if phrase.candidate is not None)


def is_expletive(clauses: Clauses, index: int) -> bool:
    """Whether a pronoun refers to nothing, or to what was said: *il faut*, *il y a*, *le faire*."""
    after = [clauses.form(position) for position in range(index + 1, index + 4)]
    if clauses.form(index) == "il":
        position = index + 1
        while clauses.word_class(position) in ("clitic", "negation"):
            if clauses.form(position) == "y":
                return True
            position += 1
        verb = clauses.rules.verbs.finite(clauses.form(position))
        impersonal = {"falloir", "pleuvoir", "neiger", "sembler", "suffire", "arriver"}
        return any(form.infinitive in impersonal for form in verb)
    is_neuter = clauses.form(index) in ("le", "l'", "o", "lo")
    stems = ("faire", "fait", "faisait", "dire", "dit", "savoir", "sait", "savait", "fazer", "dizer", "saber", "soit")
    reach = 2 if after[0] in clauses.rules.words("perfect-form") else 1  # "l'a dit"
    is_causing = clauses.word_class(index + reach + 1) == "infinitive"  # "l'a fait rire"
    return is_neuter and not is_causing and any(form in stems for form in after[:reach])


def _fits(clauses: Clauses, index: int, gender: str | None, number: str | None) -> bool:
    """Whether a pronoun of this gender and number may refer to a candidate."""
    features = features_of(clauses.item.candidates[index], clauses.item, clauses.item.language)
    pairs = ((gender, features.gender.value), (number, features.number.value))
    return not any(wanted and shown and shown not in ("common", wanted) for wanted, shown in pairs)


def _is_rival(clauses: Clauses, phrase: TextPhrase, gender: str | None, number: str | None) -> bool:
    """Whether a pronoun of this gender and number might refer to the phrase."""
    form = clauses.form(phrase.head)
    if not phrase.determiner and not phrase.is_name:
        return False  # "com fome"
    if form in clauses.rules.grammar.table("nouns").words("time") or form in clauses.rules.words("never-referred"):
        return False
    if gender and phrase.gender and phrase.gender not in (gender, "common"):
        return False
    return not (number and phrase.number and phrase.number != number)


def may_be_human(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether a phrase names a person or an animal."""
    return phrase.is_name or clauses.rules.animacy(clauses.form(phrase.head)) in ("human", "animal")


def _owner_is_subject(clauses: Clauses, index: int) -> bool:
    """Whether a candidate is the subject of the verb before a possessive, and the clause has no other people."""
    verb = next((earlier for earlier in reversed(clauses.verbs()) if earlier < index), None)
    if verb is None:
        return False
    subject = clauses.subject(verb)
    is_candidate = subject.pronoun == clauses.pronoun is not None or (
        subject.phrase is not None and subject.phrase.candidate is not None
    )
    people = [
        phrase for phrase in clauses.phrases
        if phrase.candidate is None and verb < phrase.first < index and may_be_human(clauses, phrase)
    ]  # fmt: skip
    forms_between = [clauses.form(position) for position in range(verb, index)]
    return is_candidate and not subject.unsure and not people and not {".", ";", ":"}.intersection(forms_between)


# People who are named again


def same_person(clauses: Clauses, gender: str | None) -> list[str]:
    """Doubts about nouns that may name a candidate again: *deu ao vizinho*, *sua amiga Lia*, *Rui, um colega*."""
    doubts = []
    for phrase in clauses.phrases:
        if phrase.candidate is not None or (gender and phrase.gender not in (gender, "common")):
            continue
        form = clauses.form(phrase.head)
        head = clauses.rules.listed(form) or ""
        if head in clauses.rules.words("renaming", "people") or _is_apposition(clauses, phrase):
            doubts.append(f"is {form!r} one of the candidates?")
    return doubts


def _is_apposition(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether the phrase names a candidate again beside it: *seu colega Rui*, *Rui, seu colega, *."""
    is_owned = any(form in clauses.rules.words("third-owner") for form in phrase.determiner.split())
    is_person = clauses.rules.animacy(clauses.form(phrase.head)) == "human" or is_owned
    if phrase.is_name or phrase.preposition or not is_person:
        return False
    after = clauses.phrase_at(phrase.last + 1)
    if after is not None and after.candidate is not None and after.first == phrase.last + 1 and not after.preposition:
        return bool(phrase.determiner)
    before = clauses.phrase_at(phrase.first - 2)
    is_parted = clauses.form(phrase.first - 1) == "," and before is not None and before.candidate is not None
    return (
        is_parted and bool(phrase.determiner) and clauses.form(phrase.last + 1) in (",", "de", "do", "da", "d'", "du")
    )


def apposed(clauses: Clauses) -> list[TextPhrase]:
    """The noun phrases right before a candidate's name that agree with it: *o irmão Rui*, *son frère Luc*."""
    names = {phrase.first for phrase in clauses.phrases if phrase.candidate is not None and phrase.is_name}
    return [
        phrase for phrase in clauses.phrases
        if phrase.candidate is None and phrase.determiner and not phrase.is_name and phrase.last + 1 in names
        and clauses.rules.animacy(clauses.form(phrase.head)) == "human"
    ]  # fmt: skip


def check_repeated(clauses: Clauses, index: int) -> None:
    """Refuse a text that repeats a candidate's noun outside its mentions, where it would stay as it is."""
    heads = {clauses.form(phrase.head) for phrase in clauses.phrases if phrase.candidate == index}
    mentioned = {
        n for phrase in clauses.phrases if phrase.candidate is not None for n in range(phrase.first, phrase.last + 1)
    }
    for position, word in enumerate(clauses.words):
        if word.form in heads and position not in mentioned:
            raise NotDerivedError(f"{word.form!r} occurs besides its mentions")
