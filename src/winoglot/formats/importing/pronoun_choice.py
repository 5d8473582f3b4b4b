"""Which pronoun of a sentence is meant, where the source doesn't mark it or marks it wrongly.

Every pronoun of the sentence is an option. Some can't be meant: *y*, *se*, the *il* of *il y a*, an article. The others
are rated by

- whether they agree with both candidates in gender, number and animacy,
- whether they have the role that a question asks for: *Qu'est-ce qui* for a subject, *Whose* for a possessive,
- how much of the snippet, the clause or question beside the sentence, is near them.

The best option is taken if it is clearly better than the next. Otherwise the error lists all of them, each with what
speaks against it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.snippets import (
    CLAUSE_ENDS,
    NOT_SUBJECT,
    ROLES,
    UNSPOKEN_SUBJECTS,
    ParsedSnippet,
    alike,
    end_of_repetition,
    is_question,
    last_word,
    nearness,
    only_place,
    parse_snippet,
    prepositions,
    role_by_particle,
    start_of_repetition,
    words_in,
)
from winoglot.languages.agreement import agree, features_of, features_of_pronoun
from winoglot.languages.base import function_words
from winoglot.languages.features import NAMES
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.pronouns import expletive, is_part_of_word, longer_word
from winoglot.schemas.mentions import find_mentions, whole_words
from winoglot.schemas.model import Candidate, Item
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_unspaced, primary, starts_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Kinds that never refer to a candidate, or rather point to the noun after them: その木.
_NO_CANDIDATE = ("reflexive", "relative", "possessive demonstrative")
_NOWHERE = Span(0, 0)
_SHORT = 3  # characters of what may follow a pronoun that a comma separates from its clause
_ADVERBS_FIRST = ("zh",)  # languages in which an unspoken subject may precede any adverb of its clause

# A rating lies between 0 and 1. These values were set on sentences of our own; moving one by a tenth changes little.
_FAINT = 0.08  # a rating below this shows nothing
_CLEARLY = 0.8  # the next best option may have this share of the best one's rating
# What is left of a rating with an objection.
_DISAGREES, _OTHER_ROLE, _KEPT, _PERHAPS = 0.5, 0.35, 0.35, 0.7


@dataclass(frozen=True)
class Choice:
    """The pronoun that is meant, and the reason; no reason if the snippet repeats it and no other."""

    pronoun: Span
    why: str = ""


@dataclass(frozen=True)
class _Option:
    """A pronoun of the sentence; `fitness` is 0 if it can't be meant, and 1 if nothing speaks against it."""

    span: Span
    fitness: float
    objection: str = ""
    nearness: float = 0.0

    @property
    def rating(self) -> float:
        """How likely it is to be meant, between 0 and 1."""
        return self.nearness * self.fitness


def choose_pronoun(text: str, snippet: str, candidates: Sequence[str], language: str) -> Choice:
    """The pronoun that the snippet repeats or asks for; an input error if that is not clear.

    >>> text = "Il y a un mois, Rose a appelé Anne parce qu'elle partait."
    >>> choose_pronoun(text, "Qui partait ?", ["Rose", "Anne"], "fr").pronoun.of(text)
    'elle'
    """
    place = None if is_question(snippet) else only_place(text, snippet)
    parsed = parse_snippet(snippet, language) if place is None else ParsedSnippet(rest=snippet, predicate=snippet)
    noun = next(iter(words_in(parsed.predicate)), "")
    is_of_noun = parsed.roles == {"possessive"} and all(noun in words_in(name) for name in candidates)
    asked = replace(parsed, roles=ROLES) if is_of_noun else parsed  # "Whose goat fell?", of Ann's goat and Rita's goat
    options = _options(text, asked, candidates, language)
    possible = [option for option in options if option.fitness]
    in_place = [option for option in possible if place is not None and option.span.within(place)]
    if place is not None and in_place:
        return _repeated_pronoun(text, place, in_place, language)
    if place is not None and primary(language) not in UNSPOKEN_SUBJECTS:
        raise InputError(f"its snippet repeats no pronoun that can be meant{_listed(text, options)}")
    unspoken = _unspoken(text, parsed, possible, candidates, language)
    if unspoken is not None:
        return Choice(unspoken, "unspoken in what its snippet repeats")
    return _best_option(text, options, language)


def unmarked_pronoun(
    text: str, snippet: str, candidates: Sequence[str], language: str, repaired: Callable[[str], None]
) -> Span:
    """The pronoun that is meant; unless the snippet shows it beyond doubt, the choice is reported."""
    choice = choose_pronoun(text, snippet, candidates, language)
    if choice.why:
        repaired(f"no pronoun is marked; read as {describe_pronoun(text, choice.pronoun)}, {choice.why}")
    return choice.pronoun


def agreeing_pronouns(text: str, candidates: Sequence[str], language: str) -> list[Span]:
    """The pronouns of the text that can refer to a candidate and agree with all of them.

    >>> text = "It rained when Ann saw Bea, and she ran."
    >>> [span.of(text) for span in agreeing_pronouns(text, ["Ann", "Bea"], "en")]
    ['she']
    """
    return [option.span for option in _options(text, ParsedSnippet(), candidates, language) if option.fitness == 1]


def only_agreeing_pronoun(text: str, candidates: Sequence[str], language: str, *, apart_from: Span) -> Span | None:
    """The only other pronoun of the text that can refer to a candidate and agrees with all of them.

    None if there are several, or if the language may leave the one that is meant unspoken.

    >>> text = "Il y a un mois, Rose a appelé Anne parce qu'elle partait."
    >>> only_agreeing_pronoun(text, ["Rose", "Anne"], "fr", apart_from=Span(0, 2)).of(text)
    'elle'
    """
    others = [span for span in agreeing_pronouns(text, candidates, language) if span != apart_from]
    return others[0] if len(others) == 1 and primary(language) not in UNSPOKEN_SUBJECTS else None


def describe_pronoun(text: str, pronoun: Span) -> str:
    """A pronoun and its place, as reports name them."""
    return f"{repr(pronoun.of(text)) if pronoun.of(text) else 'a zero pronoun'} at character {pronoun.start}"


# The options


def _options(text: str, parsed: ParsedSnippet, candidates: Sequence[str], language: str) -> list[_Option]:
    """Every pronoun of the text, with what speaks against it."""
    words = function_words(language)
    mentions = [span for name in candidates for span in find_mentions(text, name, words, _NOWHERE)]
    options = []
    for span in _occurrences(text, language):
        reason = _impossible(text, span, mentions, parsed, language)
        reason = reason or _unasked(text, span, parsed, candidates, language)
        if reason:
            options.append(_Option(span, 0.0, reason))
            continue
        objections = list(_objections(text, span, parsed, candidates, language))
        fitness = prod(factor for factor, _ in objections)
        reasons = "; ".join(dict.fromkeys(reason for _, reason in objections))
        options.append(_Option(span, fitness, reasons, nearness(text, span, parsed, language)))
    return options


def _occurrences(text: str, language: str) -> list[Span]:
    """Every form of a pronoun in the text; of those that begin at the same place, the longest: 她们 and not 她."""
    words = function_words(language)
    forms = sorted(words.pronouns | _adverbs_of_place(language), key=len, reverse=True)
    if not forms:
        return []
    spans: list[Span] = []
    for match in re.finditer(f"(?=({'|'.join(map(re.escape, forms))}))", folded(text)):
        span = Span(*match.span(1))
        if not is_part_of_word(text, span, words) and not (spans and span.within(spans[-1])):
            spans.append(span)
    return spans


def _impossible(text: str, span: Span, mentions: Sequence[Span], parsed: ParsedSnippet, language: str) -> str:
    """Why the word refers to no candidate, whatever the snippet asks for; empty if it may."""
    words = function_words(language)
    form = folded(span.of(text))
    phrase = expletive(text, span, words)
    if phrase:
        return f"in {phrase!r} it refers to nothing"
    longer = longer_word(text, span, words)
    if longer:
        return f"inside {longer.of(text)!r}"
    lines = lexicon(language, "pronouns").entries.get(form, ())
    kind = next((kind for kind in _NO_CANDIDATE if lines and all(line.has(*kind.split()) for line in lines)), None)
    if kind:
        return kind
    if any(span.within(mention) for mention in mentions):
        return "part of a candidate"
    host = re.split(r"\W", text[: span.start])[-1]
    if host and form in words.attached_pronouns and not _is_verb(host, host + span.of(text), parsed):
        return "the end of a word"
    if _may_be_article(text, span, language) and not _verb_follows(text, span, parsed, language):
        return "an article"
    table = lexicon(language, "function_words")
    following = folded(next(iter(words_in(text[span.end :])), ""))
    if any(line.has("demonstrative") for line in lines) and following in table.words("of") | table.words("relative"):
        return f"explained by what follows: {following!r}"
    return ""


def _unasked(text: str, span: Span, parsed: ParsedSnippet, candidates: Sequence[str], language: str) -> str:
    """Why the snippet can't mean the pronoun, whatever else it shows; empty if it may."""
    form, before, following = folded(span.of(text)), text[: span.start], next(iter(words_in(text[span.end :])), "")
    table, adverbs, owners = lexicon(language, "pronouns"), _adverbs_of_place(language), _possessives(language)
    asks_subject = "subject" in parsed.roles
    asks_person, asks_more = asks_subject and parsed.animacy == "human", parsed.place or not asks_subject
    if form in table.words("propositional") and not asks_person:  # "Qui règne ?": "C'est la reine."
        return "propositional"
    if form in table.words("prepositional-adverb") and not (asks_more and _verb_follows(text, span, parsed, language)):
        return "prepositional-adverb"
    if parsed.place and form not in table.words("place") | adverbs:
        return "the question asks for a place"
    if form in adverbs and not (parsed.place or whole_words(parsed.rest, form)):
        return "stands for a place"
    if form in owners and all(following in words_in(name) for name in candidates):
        return "part of a candidate"
    roles = _roles(text, span, language)
    if not parsed.sure or (roles == {"subject"} and parsed.roles == {"object"}):  # "Whom did he wish to see win?"
        return ""
    preposition = last_word(before)
    is_filled = preposition in prepositions(language) and re.search(rf"\b{re.escape(preposition)}\s+\w", parsed.rest)
    may_be_object = "object" in roles and not is_filled and not parsed.is_pair  # "Who was seen?"
    may_be_owner = form in owners and asks_subject  # "Qui possède les livres ?"
    beside = (*words_in(before)[-1:], following)
    is_named = any(alike(word, other) for word in beside for other in words_in(parsed.rest))
    return "" if is_named and (may_be_object or may_be_owner) else _other_role(roles, parsed)


def _other_role(roles: frozenset[str], parsed: ParsedSnippet) -> str:
    """That a pronoun of these roles has not the one that is asked for; empty if it may have."""
    if roles & parsed.roles:
        return ""
    return f"{' or '.join(sorted(roles))}, but asked for: {' or '.join(sorted(parsed.roles))}"


@cache
def _adverbs_of_place(language: str) -> frozenset[str]:
    """Adverbs that are pronouns where a place is asked for, and only there: "dedans"."""
    return lexicon(language, "function_words").words("place") - lexicon(language, "function_words").words("question")


def _may_be_article(text: str, span: Span, language: str) -> bool:
    """Whether the form is a determiner as well, and not tied to a verb: *la*, but not *-la*."""
    form = folded(span.of(text))
    return (
        starts_word(text, span.start)
        and form in function_words(language).openers
        and form not in _possessives(language)
    )


def _is_verb(host: str, whole: str, parsed: ParsedSnippet) -> bool:
    """Whether the snippet has a form of the word before an ending: *vaciar* of *vaciarla*, but not of *escuela*."""
    return any(alike(host, word) and (word != whole or not parsed.is_question) for word in words_in(parsed.rest))


@cache
def _possessives(language: str) -> frozenset[str]:
    return lexicon(language, "determiners").words("possessive") | lexicon(language, "pronouns").words("possessive")


def _verb_follows(text: str, span: Span, parsed: ParsedSnippet, language: str) -> bool:
    """Whether the snippet has the next word without an article: "le déplacer", "Que faut-il déplacer ?"."""
    openers = function_words(language).openers
    following = words_in(text[span.end :])[:1]
    rest = ["", *map(folded, words_in(parsed.rest))]
    places = [index for index, word in enumerate(rest) if following and alike(word, following[0])]
    if not parsed.is_question:
        return bool(places)
    before = (rest[index - 2] + "'" if rest[index - 1] == "'" else rest[index - 1] for index in places)
    return any(word not in openers for word in before)


def _objections(
    text: str, span: Span, parsed: ParsedSnippet, candidates: Sequence[str], language: str
) -> Iterator[tuple[float, str]]:
    """What makes it less likely that the pronoun is meant, and what that leaves of its rating."""
    yield from _disagreements(text, span, parsed, candidates, language)
    if parsed.is_question and _is_kept(text, span, parsed.rest):
        yield _KEPT, "the question keeps it"
    if not parsed.is_question and _occurrences(parsed.rest, language) and not whole_words(parsed.rest, span.of(text)):
        yield _KEPT, "not in the snippet"
    if _may_be_article(text, span, language):
        yield _PERHAPS, "perhaps an article"
    if folded(span.of(text)) in lexicon(language, "pronouns").words("place") and not parsed.place:
        yield _OTHER_ROLE, "stands for a place"
    connective = _connective(text, span, language)
    if connective:
        yield _PERHAPS, f"perhaps {connective!r}"
    roles = _roles(text, span, language)
    if _other_role(roles, parsed):
        yield (_OTHER_ROLE if parsed.sure else _PERHAPS), _other_role(roles, parsed)
    elif not roles <= parsed.roles:
        yield _PERHAPS, f"perhaps {' or '.join(sorted(roles - parsed.roles))}"


def _disagreements(
    text: str, span: Span, parsed: ParsedSnippet, candidates: Sequence[str], language: str
) -> Iterator[tuple[float, str]]:
    """In what the pronoun disagrees with a candidate, or with the question word."""
    words = function_words(language)
    mentioned = tuple(Candidate(name, tuple(find_mentions(text, name, words, span))) for name in candidates)
    item = Item("x.0", "x", text=text, pronoun=span, candidates=mentioned, language=language)
    pronoun = features_of_pronoun(item, language)
    animacy = pronoun.animacy.value
    for candidate in mentioned:
        shown = features_of(candidate, item, language)
        for name in NAMES:
            if agree(pronoun, shown, name).value is False:
                yield _DISAGREES, f"not the {name} of {candidate.text!r}"
        is_name = candidate.text[0].isupper() and words.without_determiner(candidate.text) == candidate.text
        if animacy == "thing" and is_name:
            yield _PERHAPS, f"{candidate.text!r} may be a person"
    person = _other_person(item, pronoun.gender.value, language) if animacy == "human" else None
    if person:
        yield _PERHAPS, f"it may refer to {person!r}"
    if animacy and parsed.animacy and animacy != parsed.animacy and "thing" in (animacy, parsed.animacy):
        yield _DISAGREES, f"the question asks for a {parsed.animacy}"


def _other_person(item: Item, gender: str | None, language: str) -> str | None:
    """A first name of this gender that is not a candidate's, if nothing shows that the candidates are people."""
    if gender is None or any(features_of(candidate, item, language).gender.value for candidate in item.candidates):
        return None
    text = item.text or ""
    mentions = [mention for candidate in item.candidates for mention in candidate.mentions]
    spans = [Span(*word.span()) for word in re.finditer(r"[^\W\d_]+", text) if word.group()[0].isupper()]
    others = [span.of(text) for span in spans if not any(span.within(mention) for mention in mentions)]
    return next((name for name in others if name_gender(name, language).value == gender), None)


def _is_kept(text: str, span: Span, rest: str) -> bool:
    """Whether the question has this pronoun too, beside the same word, and so asks for another one."""
    before, after = words_in(text[: span.start])[-1:], words_in(text[span.end :])[:1]
    for occurrence in whole_words(rest, span.of(text)):
        sides = (words_in(rest[: occurrence.start])[-1:], words_in(rest[occurrence.end :])[:1])
        if any(
            words and other and alike(words[0], other[0]) for words, other in zip((before, after), sides, strict=True)
        ):
            return True
    return False


def _connective(text: str, span: Span, language: str) -> str | None:
    """A connective that begins with the characters of the pronoun and opens a clause here: それで."""
    longer = (
        word for word in lexicon(language, "function_words").words("connective") if text.startswith(word, span.start)
    )
    connective = next((word for word in longer if is_unspaced(word[0]) and len(word) > span.end - span.start), None)
    return connective if _opens_clause(text[: span.start]) else None


def _roles(text: str, span: Span, language: str) -> frozenset[str]:
    """The roles that the pronoun may have in its place; all of them if nothing decides."""
    table = lexicon(language, "function_words")
    shown = role_by_particle(text[span.end :], table)
    if shown:
        return frozenset({shown})
    form = folded(span.of(text))
    roles = frozenset(role for role in ROLES if form in lexicon(language, "pronouns").words(role))
    before, after = text[: span.start].rstrip(), text[span.end :].lstrip()
    if not roles:
        roles = NOT_SUBJECT if form in _possessives(language) else ROLES  # "her"
        opening = next((word for word in _long_conjunctions(language) if before.endswith(word)), "")
        if is_unspaced(form[0]) and _opens_clause(before.removesuffix(opening)):  # 因为她
            return frozenset({"subject"})
    if "after-preposition" in roles:
        if last_word(before) in table.words("governs"):
            return roles - {"subject"}
        if last_word(before) not in prepositions(language) and roles != ROLES:
            roles = roles - {"after-preposition"} or roles
    if not after or after[0] in CLAUSE_ENDS:
        return roles - {"subject"} or roles
    if "subject" in roles and roles != ROLES and _opens_clause(before):
        return roles - {"object", "after-preposition"}
    return roles


def _opens_clause(before: str) -> bool:
    return not before or before.rstrip()[-1] in CLAUSE_ENDS


@cache
def _long_conjunctions(language: str) -> tuple[str, ...]:
    """Conjunctions of several characters without spaces; a single character may be the end of another word."""
    light_words = lexicon(language, "function_words").words("light")
    return tuple(word for word in light_words if len(word) > 1 and is_unspaced(word[0]))


# The choice


def _repeated_pronoun(text: str, place: Span, options: Sequence[_Option], language: str) -> Choice:
    """The pronoun of a repeated clause: the fittest, or the subject that opens the clause."""
    fittest = max(option.fitness for option in options)
    best = [option for option in options if option.fitness > _CLEARLY * fittest]
    if len(best) == 1:
        return Choice(best[0].span, "" if len(options) == 1 else "the only one in its snippet that agrees")
    opening = best[0].span
    if opening.start <= _after_light_words(text, place, language) and "subject" in _roles(text, opening, language):
        return Choice(opening, f"the first of {len(best)} pronouns in its snippet")
    raise InputError(f"its snippet has more than one pronoun that may be meant{_listed(text, best)}")


def _after_light_words(text: str, place: Span, language: str) -> int:
    """Where a clause goes on after its conjunctions."""
    light_words = lexicon(language, "function_words").words("light")
    index = place.start
    while (word := re.compile(r"([^\W_]+['’]?)\s*").match(text, index, place.end)) and folded(word[1]) in light_words:
        index = word.end()
    return index


def _unspoken(
    text: str, parsed: ParsedSnippet, possible: Sequence[_Option], candidates: Sequence[str], language: str
) -> Span | None:
    """Where a pronoun is missing in what the snippet repeats, in a clause that has no spoken one there."""
    if primary(language) not in UNSPOKEN_SUBJECTS:
        return None
    end = end_of_repetition(text, parsed)
    if end is not None:
        rest = Span(end, _clause_around(text, end, language).end)
        return None if any(option.span.within(rest) for option in possible) else Span(end, end)
    conjunctions = _long_conjunctions(language) if primary(language) in _ADVERBS_FIRST else ()
    start = start_of_repetition(text, parsed, conjunctions)
    if start is None or "subject" not in parsed.roles or parsed.before:
        return None
    clause = _clause_around(text, start, language)
    topic = _clause_around(text, max(clause.start - 2, 0), language)
    if any(option.span.within(clause) or _is_topic(option.span, topic) for option in possible):
        return None
    before = _without_light_words(text[clause.start : start], language)
    if function_words(language).pronouns and before:
        start = folded(text).index(before[0], clause.start)
        opens_noun = text.startswith(tuple(function_words(language).openers), start)
        if primary(language) not in _ADVERBS_FIRST or opens_noun or any(name in before for name in candidates):
            return None
    return None if all(name in clause.of(text) for name in candidates) else Span(start, start)


def _is_topic(span: Span, clause: Span) -> bool:
    """Whether a clause is a pronoun with no more than a particle or a short adverb: 彼は、"""
    return span.start == clause.start and clause.end - span.end <= _SHORT


def _clause_around(text: str, start: int, language: str) -> Span:
    """The clause of a place: between marks, and after a conjunction that only opens clauses."""
    marks = [index for index, character in enumerate(text) if character in CLAUSE_ENDS]
    table = lexicon(language, "function_words")
    joints = [
        joint.end
        for form in (table.words("subordinator") | table.words("coordinating")) - table.words("question")
        for joint in whole_words(text, form)
        if not is_unspaced(form[0])
    ]
    opening = max((index for index in (*(mark + 1 for mark in marks), *joints) if index <= start), default=0)
    return Span(opening, min((index for index in marks if index > start), default=len(text)))


def _without_light_words(text: str, language: str) -> str:
    rest = folded(text).strip()
    for word in sorted(lexicon(language, "function_words").words("light"), key=len, reverse=True):
        bounds = ("", "") if is_unspaced(word[0]) else (r"(?<!\w)", r"(?!\w)")
        rest = re.sub(bounds[0] + re.escape(word) + bounds[1], "", rest)
    return rest.strip()


def _best_option(text: str, options: Sequence[_Option], language: str) -> Choice:
    possible = [option for option in options if option.fitness]
    if not possible:
        if options:
            raise InputError(f"none of its pronouns can be meant{_listed(text, options)}")
        is_dropped = primary(language) in UNSPOKEN_SUBJECTS
        why = ": it repeats a noun, or leaves the pronoun out where its snippet does not show it" if is_dropped else ""
        raise InputError(f"its sentence has no pronoun{why}")
    best = max(possible, key=lambda option: option.rating)
    others = [option for option in possible if option is not best]
    if any(option.rating > _CLEARLY * best.rating for option in others):
        raise InputError(f"more than one of its pronouns may be meant{_listed(text, options)}")
    is_alone = not others and best.fitness >= _PERHAPS and primary(language) not in UNSPOKEN_SUBJECTS
    if best.rating < _FAINT and not is_alone:
        raise InputError(f"its snippet does not show which pronoun is meant{_listed(text, options)}")
    return Choice(best.span, "what its snippet asks for" if others else "the only pronoun that can be meant")


def _listed(text: str, options: Sequence[_Option]) -> str:
    listed = (
        describe_pronoun(text, option.span) + (f" ({option.objection})" if option.objection else "")
        for option in options
    )
    return ": " + "; ".join(listed) if options else ""
