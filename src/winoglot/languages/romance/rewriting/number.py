"""Both candidates in the other number, with every word that refers to them or agrees with them.

Names become plural by conjunction (*Ana e Eva*, *d'Anne et de Julie*), nouns by inflection. Proposed, not produced,
where a verb or pronoun may belong to somebody else, or where one thing may not do for several people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.agreement import (
    Agreeing,
    agreeing,
    apposed,
    is_candidate,
    may_be_human,
    same_person,
)
from winoglot.languages.romance.rewriting.change import Change
from winoglot.languages.romance.rewriting.people import drawn_names, people_among
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.writing import Writing
from winoglot.languages.substitution import apostrophe_of, fused
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.people import NamedCandidate
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item


def number(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The item with both candidates in the other number."""
    clauses = clauses_of(item, rules)
    old = _number_of_both(item, clauses)
    writing = Writing(clauses)
    change = Change(writing, "number", old)
    people = people_among(item, item.language)
    for phrase in apposed(clauses):
        change.write(phrase)
    partners = dict(zip(people, drawn_names(list(people.values()), draws), strict=True))
    citations = [
        _join_partner(clauses, people[index], partners[index], writing)
        if index in people
        else change.write_candidate(index)
        for index in range(len(item.candidates))
    ]
    _check_owners(clauses, change)
    _write_agreement(clauses, agreeing(clauses), change)
    writing.doubts += same_person(clauses, None)
    writing.doubts += _doubts_about_sharing(clauses)
    return Rewriting(tuple(writing.edits), tuple(dict.fromkeys(writing.doubts)), tuple(citations))


def _number_of_both(item: Item, clauses: Clauses) -> str:
    """The number that both candidates have; NotDerivedError if they differ."""
    people = people_among(item, item.language)
    numbers = {"singular"} if people else set()
    for index, candidate in enumerate(item.candidates):
        if index not in people:
            phrase = next((phrase for phrase in clauses.phrases if phrase.candidate == index), None)
            number = features_of(candidate, item, item.language).number.value
            numbers.add(number or (phrase.number if phrase else None) or "")
    if len(numbers) > 1 or not numbers <= {"singular", "plural"}:
        raise NotDerivedError("its candidates are not of one number, or it is unknown")
    return numbers.pop()


# Names


def _join_partner(clauses: Clauses, person: NamedCandidate, partner: str, writing: Writing) -> str:
    """Write a second name beside every occurrence of a name; returns the citation of both."""
    rules, text = clauses.rules, clauses.text
    for place in person.places:
        phrase = next((phrase for phrase in clauses.phrases if clauses.words[phrase.head].span == place), None)
        opening = _repeated_words(clauses, phrase, person.gender) if phrase else ""
        if phrase is not None:
            _separate_clauses(clauses, phrase, writing)
        left, right = fused(f"{rules.conjunction} {opening}", partner, rules.tag, apostrophe=apostrophe_of(text))
        writing.edits.append(Edit(place, f"{place.of(text)} {left}{right}"))
    names = f"{person.determiner} {person.name} {rules.conjunction} {person.determiner} {partner}"
    return " ".join(names.split())


def _separate_clauses(clauses: Clauses, phrase: TextPhrase, writing: Writing) -> None:
    """Write a comma before a conjunction that joins clauses: *Rui pegou o ônibus, e Caio e Davi o trem*."""
    joint = phrase.first - 1
    if clauses.form(joint) != clauses.rules.conjunction:
        return
    before = clauses.phrase_at(joint - 1)
    if before is not None and before.candidate is not None and before.is_name:
        raise NotDerivedError("the candidates' names are joined in the text")
    if clauses.form(joint - 1) != ",":
        end = clauses.words[joint - 1].span.end
        writing.edits.append(Edit(Span(end, end), ","))


def _repeated_words(clauses: Clauses, phrase: TextPhrase, gender: str) -> str:
    """The words repeated before the second name: an article, a contraction, *à* and *de* in French."""
    first = clauses.form(phrase.first)
    if first in function_words(clauses.rules.tag).contractions and phrase.first != phrase.head:
        return f"{first} "
    if phrase.determiner:
        return f"{clauses.rules.article(gender, 'singular')} "
    before = clauses.form(phrase.first - 1)
    if before in clauses.rules.words("repeated-preposition"):
        return "de " if before == "d'" else f"{before} "
    return ""


# What agrees


def _write_agreement(clauses: Clauses, words: Agreeing, change: Change) -> None:
    """Write what refers to the candidates or agrees with them in the other number."""
    rules, writing, new = clauses.rules, change.writing, change.new
    for place in (*words.pronouns, *words.possessives):
        form = clauses.form(place)
        features = lexicon(rules.tag, "pronouns").features().get(form)
        if rules.shown_number(form) == new and (features is None or features.number):
            continue
        writing.pronoun(place, change.referent_gender(place), new)
    for word in clauses.words:
        if word.form in rules.words("agreeing-relative"):
            writing.doubts.append(f"does {word.form!r} agree with a candidate?")
    for place in words.unsure_pronouns:
        writing.doubts.append(f"does {clauses.form(place)!r} refer to a candidate?")
    for place in words.unknown_verbs:
        writing.doubts.append(f"the verb of {clauses.form(place)!r} is unknown")
    for verb in words.verbs:
        _write_verb(clauses, verb, new, writing)
    for verb in words.unsure_verbs:
        if any(form.number == change.old for form in rules.verbs.analyses(clauses.form(verb))):
            writing.doubts.append(f"is a candidate the subject of {clauses.form(verb)!r}?")
            subject = clauses.subject(verb)
            if is_candidate(subject, words):
                _write_verb(clauses, verb, new, writing)  # most likely
    change.write_agreeing(words)


def _check_owners(clauses: Clauses, change: Change) -> None:
    """Add doubts about several parts of one thing: *os telhados da casa*."""
    for phrase in clauses.phrases:
        owner = clauses.phrase_at(phrase.last + 1) or clauses.phrase_at(phrase.last + 2)
        if phrase.candidate is None or phrase.is_name or change.new == "singular" or owner is None:
            continue
        is_part = owner.candidate is None and owner != phrase and clauses.whole(owner) == phrase
        is_single = bool(owner.determiner) and owner.number != "plural"
        if is_part and is_single and not may_be_human(clauses, owner):
            change.writing.doubts.append(f"has {clauses.form(owner.head)!r} several {clauses.form(phrase.head)!r}?")


def _write_verb(clauses: Clauses, verb: int, new: str, writing: Writing) -> None:
    """Write a verb in the other number."""
    form, verbs = clauses.form(verb), clauses.rules.verbs
    changed: str | None
    if clauses.word_class(verb) == "infinitive":
        infinitive = next(
            (analysis.infinitive for analysis in verbs.analyses(form) if analysis.tense == "infinitive"), form
        )
        changed = verbs.written(infinitive, "infinitive", new) or (form + "em" if new == "plural" else None)
    else:
        subject = clauses.before_verb(verb)
        opening = range(subject - 3, subject)
        is_wish = any(
            clauses.form(n) in clauses.rules.words("with-subjunctive") and clauses.form(n + 1).startswith("qu")
            for n in opening
        )
        changed = clauses.rules.finite_in_number(form, new, is_wish=is_wish)
    if changed is None:
        writing.doubts.append(f"the {new} of {form!r} is unknown")
    elif changed != form:
        writing.word(verb, changed)


def _doubts_about_sharing(clauses: Clauses) -> list[str]:
    """Doubts about nouns such as *spouse*: several people have several."""
    doubts = []
    heads = {phrase.head for phrase in clauses.phrases if phrase.candidate is not None}
    for place, word in enumerate(clauses.words):
        if word.form in clauses.rules.words("own-one", "people") and place not in heads:
            doubts.append(f"do several people share one {word.form!r}?")
    return doubts
