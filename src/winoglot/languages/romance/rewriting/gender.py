"""Both candidates as people of the other gender, with every word that agrees with them.

Names become names of the other gender, nouns the noun for the other sex (*o tio*, *a tia*). Refused or proposed where
another person of the new gender would make a pronoun unclear, or where gender is part of what the text says.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.openings import split
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.agreeing_words import Agreeing, agreeing
from winoglot.languages.romance.rewriting.people import drawn_names, name_edits, people_among
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.referents import apposed, check_repeated, is_expletive, same_person
from winoglot.languages.romance.rewriting.writing import Writing

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_OTHER = {"masculine": "feminine", "feminine": "masculine"}


def gender(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The item with both candidates in the other gender."""
    clauses = clauses_of(item, rules)
    old = _gender_of_both(item, rules)
    new = _OTHER[old]
    _check_meaning(clauses)
    writing = Writing(clauses)
    people = people_among(item, item.language)
    for phrase in apposed(clauses):
        inflect_phrase(clauses, phrase, new, writing)
    names = dict(zip(people, drawn_names(list(people.values()), draws, new), strict=True))
    for index, person in people.items():
        writing.edits += name_edits(item, person, names[index], new, rules)
    citations = [
        _new_citation(candidate.text, people[index].name, names[index], new, rules)
        if index in people
        else _write_counterpart(clauses, index, new, writing)
        for index, candidate in enumerate(item.candidates)
    ]
    words = agreeing(clauses)
    _write_agreement(clauses, words, old, new, writing)
    doubts = [*writing.doubts, *_doubts_about_reference(clauses, new), *same_person(clauses, old)]
    return Rewriting(tuple(writing.edits), tuple(dict.fromkeys(doubts)), tuple(citations))


def _gender_of_both(item: Item, rules: Rules) -> str:
    """The gender that both candidates have; NotDerivedError if they differ."""
    people = people_among(item, item.language)
    genders = {person.gender for person in people.values()}
    for index, candidate in enumerate(item.candidates):
        if index not in people:
            head = split(candidate.text, item.language)[1].split()[0].lower()
            gender = features_of(candidate, item, item.language).gender.value
            noun = rules.noun_gender(head) or ""
            pronoun = features_of_pronoun(item, item.language).gender.value or ""  # "l'élève … elle"
            genders.add(gender if gender in _OTHER else pronoun if noun == "common" else noun)
    if len(genders) > 1 or not genders <= set(_OTHER):
        raise NotDerivedError("its candidates are not of one gender, or it is unknown")
    return genders.pop()


def _check_meaning(clauses: Clauses) -> None:
    """Refuse a text with words that only fit people of one gender."""
    candidate_heads = {phrase.head for phrase in clauses.phrases if phrase.candidate is not None}
    rules, gendered = clauses.rules, clauses.rules.words("gendered", "people")
    gendered_words = [
        word.form for index, word in enumerate(clauses.words)
        if index not in candidate_heads and gendered.intersection((word.form, *rules.singulars(word.form)))
    ]  # fmt: skip
    if gendered_words:
        raise NotDerivedError(f"{gendered_words[0]!r} may depend on the gender of a candidate")


def _new_citation(citation: str, name: str, new: str, gender: str, rules: Rules) -> str:
    """The citation of a named candidate with its new name and article."""
    determiner, _ = split(citation, rules.tag)
    renamed = citation.replace(name, new)
    if determiner:
        article = rules.article(gender, "singular")
        renamed = f"{article} {new}" if determiner in ("o", "a") else renamed
    return renamed


def _write_counterpart(clauses: Clauses, index: int, new: str, writing: Writing) -> str:
    """Write a candidate's mentions with the noun for the other sex; its new citation."""
    rules, candidate = clauses.rules, clauses.item.candidates[index]
    phrases = [phrase for phrase in clauses.phrases if phrase.candidate == index]
    if not phrases or len(phrases) != len(candidate.mentions):
        raise NotDerivedError(f"{candidate.text!r} is not mentioned as one plain phrase")
    check_repeated(clauses, index)
    next_phrase = clauses.phrase_at(phrases[0].last + 1)
    if next_phrase is not None and next_phrase.is_name and not next_phrase.preposition:
        raise NotDerivedError(f"{candidate.text!r} has a name")
    for phrase in phrases:
        inflect_phrase(clauses, phrase, new, writing)
    determiner, noun = split(candidate.text, clauses.item.language)
    head = clauses.form(phrases[0].head)
    words = noun.split(" ")
    if any(word[:1].isupper() for word in words[1:]):
        raise NotDerivedError(f"{candidate.text!r} is a name with a title")
    if head not in (word.lower() for word in words):
        raise NotDerivedError(f"{candidate.text!r} is mentioned in another form")
    partner = counterpart(head, new, rules, owned=_is_owned(clauses, phrases[0]))
    inflected = [partner if word.lower() == head else word for word in words]
    for position, word in enumerate(words):
        if word.lower() != head and (rules.is_adjective(word.lower()) or word.lower() in rules.grammar.prenominals):
            inflected[position] = rules.in_gender(word.lower(), new) or word
    noun_at = inflected.index(partner)
    number = "plural" if phrases[0].number == "plural" else "singular"
    if number == "singular":
        inflected[:noun_at] = [rules.before_vowel(word, after) for word, after in pairwise(inflected[: noun_at + 1])]
    article = rules.determiner(determiner, new, number, inflected[0])
    text = rules.joined(article, " ".join(inflected))
    return text[:1].upper() + text[1:] if candidate.text[:1].isupper() else text


def _is_owned(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether a person is named by kinship to another: *sa fille*, *la fille de Luc*, *la mère … la fille*."""
    rules, table = clauses.rules, clauses.rules.grammar.table("determiners")
    following = clauses.phrase_at(phrase.last + 1) or clauses.phrase_at(phrase.last + 2)
    is_of = following is not None and clauses.whole(following) == phrase and following != phrase
    has_parent = any(word.form in rules.words("parent", "people") for word in clauses.words)
    return is_of or has_parent or any(word in table.words("possessive") for word in phrase.determiner.split())


def counterpart(noun: str, gender: str, rules: Rules, *, owned: bool = False) -> str:
    """The noun for the other sex; NotDerivedError if there is none. The last of several is for kinship: *sa fille*."""
    table = lexicon(rules.tag, "vocabulary")
    singular = rules.listed(noun)
    if singular is not None and singular in table.words("human", "common"):
        return noun
    counterparts = table.values("counterpart").get(singular or "", ())
    if not counterparts or table.features()[counterparts[0]].gender not in (gender, None):
        raise NotDerivedError(f"there is no noun of the other gender for {noun!r}")
    partner = counterparts[-1] if owned else counterparts[0]
    inflected = partner if singular == noun else rules.in_plural(partner)
    if inflected is None:
        raise NotDerivedError(f"the plural of {partner!r} is unknown")
    return inflected


def inflect_phrase(clauses: Clauses, phrase: TextPhrase, gender: str, writing: Writing) -> None:
    """Write a phrase in the other gender: determiner, adjectives and noun."""
    rules = clauses.rules
    plural = "plural" if phrase.number == "plural" else "singular"
    if clauses.form(phrase.first - 1) in rules.words("whole") | rules.words("both-people"):  # "toutes les filles"
        writing.determiner(phrase.first - 1, gender, plural)
    after = range(phrase.head + 1, phrase.last + 1)
    end = next((index for index in after if not rules.is_adjective(clauses.form(index))), phrase.last + 1)
    for index in reversed(range(phrase.first, end)):  # a determiner depends on the word after it
        form = clauses.form(index)
        if index == phrase.head:
            writing.word(index, counterpart(form, gender, rules, owned=_is_owned(clauses, phrase)))
        elif index < phrase.head and (form in rules.determiners or form in function_words(rules.tag).contractions):
            writing.determiner(index, gender, plural)
        elif rules.is_adjective(form) or form in rules.grammar.prenominals:
            inflected = rules.in_gender(form, gender)
            if inflected is None:
                raise NotDerivedError(f"the other gender of {form!r} is unknown")
            is_before = plural == "singular" and index < phrase.head
            writing.word(index, rules.before_vowel(inflected, writing.written_after(index)) if is_before else inflected)


def _write_agreement(clauses: Clauses, words: Agreeing, old: str, new: str, writing: Writing) -> None:
    """Write what refers to the candidates or agrees with them in the other gender."""
    rules = clauses.rules
    for index in words.pronouns:
        writing.pronoun(index, new, None)
    for index in words.both:
        writing.doubts.append(f"does {clauses.form(index)!r} stand for both candidates?")
        writing.pronoun(index, new, None)
    for index in words.unsure_pronouns:
        if rules.pronoun(clauses.form(index), new, "singular") != clauses.form(index):
            writing.doubts.append(f"does {clauses.form(index)!r} refer to a candidate?")
    for index in words.adjectives:
        form = clauses.form(index)
        if clauses.phrase_at(index) is not None:
            _write_predicate_noun(clauses, index, old, new, writing)
            continue
        if form in ("o", "a", "le", "la"):  # of a superlative
            writing.determiner(index, new, "singular")
            continue
        inflected = rules.in_gender(form, new)
        if inflected is None:
            writing.doubts.append(f"the other gender of {form!r} is unknown")
        elif inflected != form:
            writing.word(index, inflected)
    for index in words.unsure_adjectives:
        if index not in words.adjectives and _may_agree(clauses, index, old, new) and not writing.has(index):
            writing.doubts.append(f"does {clauses.form(index)!r} agree with a candidate?")
            if index in words.likely:
                _write_likely(clauses, index, new, writing)


def _write_likely(clauses: Clauses, index: int, new: str, writing: Writing) -> None:
    """Write the likely form of a word that may agree with a candidate, for the draft: *os dois*, *um bobo*."""
    rules, form, phrase = clauses.rules, clauses.form(index), clauses.phrase_at(index)
    is_plural = phrase.number == "plural" if phrase else False
    inflected = rules.pronoun(form, new, "singular") if "-m" in form else rules.in_gender(form, new)
    if inflected is not None:
        writing.word(index, inflected)
    is_before = clauses.form(index - 1) in rules.determiners or clauses.form(index - 1) in ("dos", "das")
    if index and is_before and form in rules.words("both-people"):
        writing.determiner(index - 1, new, "plural")
    elif phrase is not None and phrase.determiner and phrase.first < index:
        writing.determiner(phrase.first, new, "plural" if is_plural else "singular")


def _may_agree(clauses: Clauses, index: int, old: str, new: str) -> bool:
    """Whether a word shows the old gender, perhaps because it agrees with a candidate."""
    rules, form, phrase = clauses.rules, clauses.form(index), clauses.phrase_at(index)
    if form in rules.words("both-people") | rules.words("lone") | rules.words("self"):
        return rules.in_gender(form, new) != form
    is_open = phrase is None or phrase.determiner in ("", "um", "uma", "un", "une", "l'", "les")
    if phrase is not None and (index != phrase.head or not is_open):
        return False
    return rules.in_gender(form, new) not in (form, None) and rules.in_gender(form, old) == form


def _write_predicate_noun(clauses: Clauses, index: int, old: str, new: str, writing: Writing) -> None:
    """Write the predicate noun of a candidate: *era médica*, *era uma boa médica*, or an unlisted *era intrometida*."""
    rules, form, phrase = clauses.rules, clauses.form(index), clauses.phrase_at(index)
    if phrase is None or index != phrase.first:
        return
    head = clauses.form(phrase.head)
    if rules.animacy(head) == "human" and phrase.gender == old:
        try:
            inflect_phrase(clauses, phrase, new, writing)
        except NotDerivedError as error:
            writing.doubts.append(str(error))
        return
    if phrase.determiner or rules.animacy(head) is not None:
        return
    inflected = rules.in_gender(head, new)
    if inflected is None or index != phrase.last:
        writing.doubts.append(f"is {form!r} an adjective of a candidate?")
    elif inflected != head and rules.in_gender(head, old) == head:
        writing.word(index, inflected)


def _doubts_about_reference(clauses: Clauses, new: str) -> list[str]:
    """Doubts about others of the new gender to which the pronoun might then refer: people, or things by a clitic."""
    doubts = []
    position = clauses.pronoun
    may_be_thing = position is not None and clauses.word_class(position) == "clitic"
    for phrase in clauses.phrases:
        head = clauses.form(phrase.head)
        animacy = "human" if phrase.is_name else clauses.rules.animacy(head)
        is_before = position is None or phrase.first < position
        is_rival = animacy == "human" or (may_be_thing and bool(phrase.determiner) and animacy is not None)
        fits = phrase.gender in (new, "common") and phrase.number != "plural"
        if phrase.candidate is None and is_rival and is_before and fits and phrase not in apposed(clauses):
            doubts.append(f"may the pronoun then refer to {head!r}?")
    table = lexicon(clauses.rules.tag, "pronouns").features()
    for index, word in enumerate(clauses.words):  # "arrancou a roseira, e ela": of two men, then of two women
        features = table.get(word.form) if clauses.word_class(index) == "pronoun" and index != position else None
        if features and features.gender == new and features.number != "plural" and not is_expletive(clauses, index):
            doubts.append(f"may {word.form!r} then refer to a candidate?")
    return doubts
