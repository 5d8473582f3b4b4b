"""Both candidates in the other number, with every word that refers to them or agrees with them.

Names become plural by conjunction (*Ana e Eva*, *d'Anne et de Julie*), nouns by inflection. Proposed, not produced,
where a verb or pronoun may belong to somebody else, or where one thing may not do for several people.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of
from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.openings import split
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.agreeing_words import Agreeing, agreeing, is_candidate
from winoglot.languages.romance.rewriting.people import drawn_names, people_among
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.romance.rewriting.referents import apposed, check_repeated, may_be_human, same_person
from winoglot.languages.romance.rewriting.writing import Writing
from winoglot.languages.substitution import apostrophe_of, fused
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.people import NamedCandidate
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_ARTICLES = frozenset({"o", "a", "os", "as", "le", "la", "les"})  # of a superlative
_OTHER = {"singular": "plural", "plural": "singular"}


def number(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The item with both candidates in the other number."""
    clauses = clauses_of(item, rules)
    old = _number_of_both(item, clauses)
    new = _OTHER[old]
    writing = Writing(clauses)
    people = people_among(item, item.language)
    for phrase in apposed(clauses):
        inflect_phrase(clauses, phrase, new, writing, is_named=True)
    partners = dict(zip(people, drawn_names(list(people.values()), draws), strict=True))
    citations = [
        _join_partner(clauses, people[index], partners[index], writing)
        if index in people
        else _inflect_candidate(clauses, index, new, writing)
        for index in range(len(item.candidates))
    ]
    words = agreeing(clauses)
    _write_agreement(clauses, words, old, new, writing)
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
    if len(numbers) > 1 or not numbers <= set(_OTHER):
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


# Nouns


def _inflect_candidate(clauses: Clauses, index: int, new: str, writing: Writing) -> str:
    """Write a candidate's noun in the other number wherever it is mentioned; returns the new citation."""
    candidate, rules = clauses.item.candidates[index], clauses.rules
    phrases = [phrase for phrase in clauses.phrases if phrase.candidate == index]
    if not phrases or len(phrases) != len(candidate.mentions):
        raise NotDerivedError(f"{candidate.text!r} is not mentioned as one plain phrase")
    check_repeated(clauses, index)
    for phrase in phrases:
        inflect_phrase(clauses, phrase, new, writing)
        _check_owner(clauses, phrase, new, writing)
    determiner, noun = split(candidate.text, clauses.item.language)
    head = clauses.form(phrases[0].head)
    words = noun.split(" ")
    lowered = [word.lower() for word in words]
    if head not in lowered:
        raise NotDerivedError(f"{candidate.text!r} is mentioned in another form")
    head_index = lowered.index(head)
    end = head_index + 1
    while end < len(words) and (_describes(lowered[end], rules) or lowered[end] in rules.grammar.words("degree")):
        end += 1
    inflected = [
        word if word.lower() in rules.grammar.words("degree") else in_number(word.lower(), new, rules)
        for word in words[:end]
    ]
    if new == "singular":
        before_noun = pairwise(inflected[: head_index + 1])
        inflected[:head_index] = [rules.before_vowel(word, following) for word, following in before_noun]
    gender = _gender(clauses, phrases[0])
    article = rules.determiner(determiner, gender, new, inflected[0]) if determiner else ""
    if determiner in rules.words("third-owner") and rules.owners_show_number:
        article = rules.owned(gender, new, inflected[0])
    text = rules.joined(article, " ".join([*inflected, *words[end:]]))
    return text[:1].upper() + text[1:] if candidate.text[:1].isupper() else text


def _check_owner(clauses: Clauses, phrase: TextPhrase, new: str, writing: Writing) -> None:
    """Add a doubt about several parts of one thing: *os telhados da casa*."""
    owner = clauses.phrase_at(phrase.last + 1) or clauses.phrase_at(phrase.last + 2)
    if new == "singular" or owner is None or clauses.whole(owner) != phrase or owner.candidate is not None:
        return
    is_single = bool(owner.determiner) and owner.number != "plural" and owner != phrase
    if is_single and not may_be_human(clauses, owner):
        writing.doubts.append(f"has {clauses.form(owner.head)!r} several {clauses.form(phrase.head)!r}?")


def _gender(clauses: Clauses, phrase: TextPhrase) -> str:
    """The gender of a phrase, by its words, by the author's statement, or by the pronoun."""
    gender = phrase.gender or clauses.rules.noun_gender(clauses.form(phrase.head))
    if gender in ("masculine", "feminine"):
        return gender
    candidate = clauses.item.candidates[phrase.candidate or 0]
    stated = features_of(candidate, clauses.item, clauses.item.language).gender.value
    if stated in ("masculine", "feminine"):
        return stated
    pronoun = clauses.form(clauses.pronoun) if clauses.pronoun is not None else ""
    by_pronoun = lexicon(clauses.rules.tag, "pronouns").features().get(pronoun)
    if by_pronoun and by_pronoun.gender:
        return by_pronoun.gender
    raise NotDerivedError(f"the gender of {clauses.form(phrase.head)!r} is unknown")


def in_number(word: str, new: str, rules: Rules) -> str:
    """A noun or adjective in the other number; NotDerivedError if the rules do not say."""
    inflected = rules.in_plural(word) if new == "plural" else rules.in_singular(word)
    if inflected is None:
        raise NotDerivedError(f"the {new} of {word!r} is unknown")
    return inflected


def _describes(word: str, rules: Rules) -> bool:
    return rules.is_adjective(word) or rules.verbs.is_participle(word)


def inflect_phrase(clauses: Clauses, phrase: TextPhrase, new: str, writing: Writing, *, is_named: bool = False) -> None:
    """Write a phrase in the other number: determiner, adjectives and noun."""
    rules = clauses.rules
    head = clauses.form(phrase.head)
    if not phrase.determiner:
        raise NotDerivedError(f"{head!r} has no article")
    if head in rules.grammar.prepositions or head in rules.words("of-word"):
        raise NotDerivedError(f"the noun before {head!r} is not spoken")  # "o de inglês"
    if rules.listed(head) in lexicon(rules.tag, "vocabulary").words("mass"):
        raise NotDerivedError(f"{head!r} is not counted")
    if phrase.is_name or (clauses.words[phrase.head].is_capital and phrase.head != 0 and phrase.first == phrase.head):
        raise NotDerivedError(f"{head!r} is a name")
    next_phrase = clauses.phrase_at(phrase.last + 1)
    if next_phrase is not None and next_phrase.is_name and not next_phrase.preposition and not is_named:
        raise NotDerivedError(f"{head!r} has a name")
    before = clauses.form(phrase.first - 1)
    if before in rules.grammar.predeterminers or before in ("tout", "toute", "tous", "toutes", "todo", "toda"):
        raise NotDerivedError(f"{before!r} belongs to {head!r}")
    after = range(phrase.head + 1, phrase.last + 1)
    degrees = rules.grammar.words("degree")
    understood = [n for n in after if _describes(clauses.form(n), rules) or clauses.form(n) in degrees]
    end = next((n for n in after if n not in understood), phrase.last + 1)
    following = clauses.form(end)
    is_linked = following in rules.grammar.prepositions or following in ("à", "de", "d'")
    if end <= phrase.last and not is_linked:
        raise NotDerivedError(f"{following!r} may agree with {head!r}")
    for place in reversed(range(phrase.first, end)):
        form = clauses.form(place)
        if place < phrase.head and (form in rules.determiners or form in function_words(rules.tag).contractions):
            if form in rules.words("third-owner") and rules.owners_show_number:
                writing.owner(place, _gender(clauses, phrase), new)
                continue
            writing.determiner(place, _gender(clauses, phrase), new)
        elif form not in degrees:
            inflected = in_number(form, new, rules)
            is_before = new == "singular" and place < phrase.head
            writing.word(place, rules.before_vowel(inflected, writing.written_after(place)) if is_before else inflected)


# What agrees


def _write_agreement(clauses: Clauses, words: Agreeing, old: str, new: str, writing: Writing) -> None:
    """Write what refers to the candidates or agrees with them in the other number."""
    rules = clauses.rules
    for place in (*words.pronouns, *words.possessives):
        form = clauses.form(place)
        features = lexicon(rules.tag, "pronouns").features().get(form)
        if rules.shown_number(form) == new and (features is None or features.number):
            continue
        writing.pronoun(place, _referent_gender(clauses, place), new)
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
        if any(form.number == old for form in rules.verbs.analyses(clauses.form(verb))):
            writing.doubts.append(f"is a candidate the subject of {clauses.form(verb)!r}?")
            subject = clauses.subject(verb)
            if is_candidate(subject, words):
                _write_verb(clauses, verb, new, writing)  # most likely
    for place in words.adjectives:
        _write_adjective(clauses, place, new, writing)
    for place in words.unsure_adjectives:
        _doubt_adjective(clauses, place, old, writing, is_likely=place in words.likely)


def _referent_gender(clauses: Clauses, place: int) -> str:
    """The gender of a pronoun's referents: as its form shows it, or else that of the candidates."""
    features = lexicon(clauses.rules.tag, "pronouns").features().get(clauses.form(place))
    if features and features.gender:
        return features.gender
    genders = {
        features_of(candidate, clauses.item, clauses.item.language).gender.value
        for candidate in clauses.item.candidates
    }
    return "feminine" if genders == {"feminine"} else "masculine"


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


def _write_adjective(clauses: Clauses, place: int, new: str, writing: Writing) -> None:
    """Write a predicate of a candidate in the other number."""
    rules, form, phrase = clauses.rules, clauses.form(place), clauses.phrase_at(place)
    if phrase is not None and place != phrase.first:
        return
    if phrase is not None and (phrase.determiner or place != phrase.last):
        writing.doubts.append(f"does {clauses.form(phrase.head)!r} become {new} too?")
        return
    if phrase is not None and rules.animacy(form) not in ("human", None):
        return
    if phrase is not None and rules.grammar.is_noun_too(form):
        writing.doubts.append(f"does {form!r} become {new} too?")  # "pele e osso"
        return
    if form in _ARTICLES:
        writing.determiner(place, _referent_gender(clauses, place), new)
        return
    is_special = form in rules.words("self") or form in rules.words("whole")  # "eles mesmos", "todas sujas"
    if not is_special and (form in rules.grammar.words("degree") or rules.grammar.is_adverb(form)):
        return
    try:
        writing.word(place, in_number(form, new, rules))
    except NotDerivedError as error:
        writing.doubts.append(str(error))


def _doubt_adjective(clauses: Clauses, place: int, old: str, writing: Writing, *, is_likely: bool) -> None:
    """Add a doubt about a word that may agree with a candidate, and write its likely form in the draft."""
    rules, form, phrase = clauses.rules, clauses.form(place), clauses.phrase_at(place)
    if phrase is not None and place != phrase.head:
        return
    is_special = form in rules.words("both-people") | rules.words("lone") | rules.words("self")
    is_plural = rules.in_singular(form) is not None
    if not is_special and is_plural != (old == "plural"):
        return
    writing.doubts.append(f"does {form!r} agree with a candidate?")
    changed = {"dois": "quatro", "duas": "quatro", "deux": "quatre"}.get(form)
    if form.endswith(("-même", "-mêmes")):
        changed = rules.pronoun(form, _referent_gender(clauses, place), _OTHER[old])
    elif is_likely and not is_special and (phrase is None or not phrase.determiner):
        changed = rules.in_plural(form) if old == "singular" else rules.in_singular(form)
    if changed is not None and old == "singular":
        writing.word(place, changed)


def _doubts_about_sharing(clauses: Clauses) -> list[str]:
    """Doubts about nouns such as *spouse*: several people have several."""
    doubts = []
    heads = {phrase.head for phrase in clauses.phrases if phrase.candidate is not None}
    for place, word in enumerate(clauses.words):
        if word.form in clauses.rules.words("own-one", "people") and place not in heads:
            doubts.append(f"do several people share one {word.form!r}?")
    return doubts
