"""Both candidates in the other number, with every word that refers to them or agrees with them.

Names become plural by conjunction (*Ana e Eva*, *d'Anne et de Julie*), nouns by inflection. Proposed, not produced,
where a verb or pronoun may belong to somebody else, or where one thing may not do for several people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.agreement import agreeing, is_candidate, may_be_human
from winoglot.languages.romance.rewriting.change import Change
from winoglot.languages.romance.rewriting.people import drawn_names, people_among, same_person
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

_PERSONAL = frozenset({"bag", "cycle", "garment", "instrument", "vehicle"})  # of which each person has one


def number(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The item with both candidates in the other number."""
    clauses, people = clauses_of(item, rules), people_among(item)
    writing = Writing(clauses)
    change = Change(writing, "number", _number_of_both(item, clauses))
    partners = drawn_names(people, draws)
    citations = [
        _join_partner(people[index], partners[index], writing) if index in people else change.write_candidate(index)
        for index in range(len(item.candidates))
    ]
    _write_agreement(clauses, change)
    writing.doubts += [*same_person(clauses, None), *_doubts_about_sharing(clauses, change)]
    return Rewriting(tuple(writing.edits), tuple(dict.fromkeys(writing.doubts)), tuple(citations))


def _number_of_both(item: Item, clauses: Clauses) -> str:
    """The number that both candidates have; NotDerivedError if they differ."""
    people = people_among(item)
    numbers = {"singular"} if people else set()
    for index, candidate in enumerate(item.candidates):
        if index not in people:
            phrase = next((phrase for phrase in clauses.mentions if phrase.candidate == index), None)
            stated = features_of(candidate, item, item.language).number.value
            numbers.add(stated or (phrase.number if phrase else None) or "")
    if len(numbers) > 1 or not numbers <= {"singular", "plural"}:
        raise NotDerivedError("its candidates are not of one number, or it is unknown")
    return numbers.pop()


# Names


def _join_partner(person: NamedCandidate, partner: str, writing: Writing) -> str:
    """Write a second name beside every occurrence of a name; returns the citation of both."""
    clauses, text, rules = writing.clauses, writing.clauses.text, writing.clauses.rules
    for place in person.places:
        phrase = next((phrase for phrase in clauses.phrases if clauses.words[phrase.head].span == place), None)
        opening = ""
        if phrase is not None:
            _separate_clauses(phrase, writing)
            opening = _repeated_words(phrase, person.gender, writing)
        name = "".join(fused(f"{rules.conjunction} {opening}", partner, rules.tag, apostrophe=apostrophe_of(text)))
        writing.edits.append(Edit(place, f"{place.of(text)} {name}"))
    names = f"{person.determiner} {person.name} {rules.conjunction} {person.determiner} {partner}"
    return " ".join(names.split())


def _separate_clauses(phrase: TextPhrase, writing: Writing) -> None:
    """Write a comma before a conjunction that joins clauses: *Rui pegou o ônibus, e Caio e Davi o trem*."""
    clauses, joint = writing.clauses, phrase.first - 1
    if clauses.form(joint) != clauses.rules.conjunction:
        return
    before = clauses.phrase_at(joint - 1)
    if before is not None and before.candidate is not None:
        raise NotDerivedError("the candidates' names are joined in the text")
    if clauses.form(joint - 1) != ",":
        end = clauses.words[joint - 1].span.end
        writing.edits.append(Edit(Span(end, end), ","))


def _repeated_words(phrase: TextPhrase, gender: str, writing: Writing) -> str:
    """The words repeated before the second name: an article, a contraction, *à* and *de* in French."""
    clauses = writing.clauses
    if clauses.form(phrase.first) in writing.contractions and phrase.first != phrase.head:
        return f"{clauses.form(phrase.first)} "
    if phrase.determiner:
        return f"{clauses.rules.article(gender, 'singular')} "
    before = clauses.form(phrase.first - 1).replace("d'", "de")
    return f"{before} " if before in clauses.rules.words("repeated-preposition") else ""


# What agrees


def _write_agreement(clauses: Clauses, change: Change) -> None:
    """Write what refers to the candidates or agrees with them in the other number."""
    rules, writing, new, words = clauses.rules, change.writing, change.new, agreeing(clauses)
    for index in words.pronouns:
        owned = clauses.phrase_at(index) if clauses.has(index, "third-owner") else None
        if rules.shown_number(clauses.form(index)) == new or (owned is not None and not rules.owners_show_number):
            continue
        if owned is None:
            writing.pronoun(index, change.referent_gender(index), new)
        elif owned.gender is None and new == "singular":
            writing.doubts.append(f"is {clauses.form(owned.head)!r} masculine or feminine?")
        else:
            following = writing.written_after(index)
            writing.word(index, rules.possessive(owned.gender or "", owned.number or "singular", new, following))
    relatives = [index for index in range(len(clauses.words)) if clauses.has(index, "agreeing-relative")]
    writing.doubts += [f"does {clauses.form(index)!r} agree with a candidate?" for index in relatives]
    writing.doubts += [f"does {clauses.form(index)!r} refer to a candidate?" for index in words.unsure_pronouns]
    writing.doubts += [f"the verb of {clauses.form(index)!r} is unknown" for index in words.unknown_verbs]
    for verb in (*words.verbs, *words.unsure_verbs):
        if verb in words.verbs or is_candidate(clauses.subject(verb), words):  # certainly, or most likely
            _write_verb(verb, new, writing)
        if verb in words.unsure_verbs and clauses.number(verb) in (change.old, None):
            writing.doubts.append(f"is a candidate the subject of {clauses.form(verb)!r}?")
    change.write_agreeing(words)


def _write_verb(verb: int, new: str, writing: Writing) -> None:
    """Write a verb in the other number."""
    clauses, rules, form = writing.clauses, writing.clauses.rules, writing.clauses.form(verb)
    if clauses.word_class(verb) == "infinitive":
        changed = rules.verbs.written(rules.verbs.nonfinite(form) or form, "infinitive", new)
    else:
        opening = range(clauses.before_verb(verb) - 3, clauses.before_verb(verb))
        is_wish = any(clauses.has(index, "with-subjunctive") for index in opening)
        changed = rules.finite_in_number(form, new, is_wish=is_wish)
    if changed is None:
        writing.doubts.append(f"the {new} of {form!r} is unknown")
    else:
        writing.word(verb, changed)


def _doubts_about_sharing(clauses: Clauses, change: Change) -> list[str]:
    """Doubts about what several people have or are one each of, and about several parts of one thing."""
    if change.new == "singular":
        return []
    rules, doubts = clauses.rules, []
    for phrase in clauses.mentions:
        owner, head = clauses.complement(phrase), clauses.form(phrase.head)
        is_part = owner is not None and not phrase.is_name and owner.candidate is None and bool(owner.determiner)
        if is_part and owner is not None and not may_be_human(clauses, owner):  # "o telhado da casa"
            doubts.append(f"has {clauses.form(owner.head)!r} several {head!r}?")
        if (rules.listed(head) or head) in rules.words("one-per-scene", "people"):
            doubts.append(f"are there several {head!r} in one scene?")
    is_about_people = any(
        phrase.is_name or rules.animacy(clauses.form(phrase.head)) == "human" for phrase in clauses.mentions
    )
    return [*doubts, *_doubts_about_people(clauses)] if is_about_people else doubts


def _doubts_about_people(clauses: Clauses) -> list[str]:
    """Doubts about what each person has one of (a *spouse*, a *bicycle*), and about what befalls or is done by one."""
    rules, doubts = clauses.rules, []
    for phrase in clauses.phrases:
        form = clauses.form(phrase.head)
        noun, is_one = rules.listed(form) or form, phrase.candidate is None and phrase.number != "plural"
        is_personal = not _PERSONAL.isdisjoint(rules.kinds("vocabulary").get(noun, ()))
        is_some = not phrase.determiner or phrase.determiner in rules.words("one")
        if is_one and not is_some and (is_personal or noun in rules.words("own-one", "people")):
            doubts.append(f"do several people share one {form!r}?")
        if noun in rules.words("one-against-one", "people"):
            doubts.append(f"is {form!r} of one against one?")
    for verb in clauses.verbs():
        subject, infinitive = clauses.subject(verb), clauses.group(verb).infinitive
        is_person = subject.pronoun is not None or (subject.phrase is not None and subject.phrase.candidate is not None)
        if is_person and infinitive in rules.words("accident", "people"):
            doubts.append(f"does {infinitive!r} happen to several people at once?")
    return doubts
