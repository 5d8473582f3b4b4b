"""An adverb at the main verbs that the items share: *entregou prontamente a carta*, *a poliment remercié*.

Which adverbs go with a verb, and with its negation, is listed (`adverbs.txt`). None is put where the text is about the
same (*lentamente* where somebody is in a hurry), or beside another adverb. Where none is listed, one is proposed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fitting import AdverbPlace, drawn_adverbs, topics
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_SHORTEST_STEM = 2
_PAST = frozenset({"preterite", "pluperfect"})


def adverb(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The item with an adverb at each main verb for which one is listed, or else with one to propose."""
    table = lexicon(rules.tag, "adverbs")
    once = [table.words(feature) for feature in ("of-time", "stressing")]
    texts = [clauses_of(schema_item, rules) for schema_item in draws.schema.items]
    words = frozenset().union(*(clauses.base_forms for clauses in texts))
    about = topics(table, words, "\n".join(clauses.text for clauses in texts))
    echoed = {adverb for adverb in table.words() if _is_echo(adverb, rules.grammar.in_mente, words)}
    drawn = drawn_adverbs(item, draws, partial(_places, rules=rules, about=about, echoed=echoed), once)
    is_listed = bool(drawn)
    if not is_listed:
        places = drawn_adverbs(item, draws, partial(_places, rules=rules, about=None))
        drawn = dict(list(places.items())[:1])
    if not drawn:
        raise NotDerivedError("no adverb fits a main verb that the items share")
    before_verb = table.words("before-verb")
    edits = [Edit(Span(at, at), f"{word} " if word in before_verb else f" {word}") for at, word in drawn.items()]
    return Rewriting(tuple(edits), () if is_listed else ("no adverb is listed for the main verbs",))


def _is_echo(adverb: str, ending: str, words: Collection[str]) -> bool:
    """Whether an adverb has the stem of a word of the text: *abertamente* beside *aberto*."""
    stem = adverb.removesuffix(ending)[:-1]
    return adverb.endswith(ending) and len(stem) > _SHORTEST_STEM and any(word.startswith(stem) for word in words)


def _places(item: Item, rules: Rules, about: set[str] | None, echoed: Collection[str] = ()) -> list[AdverbPlace]:
    """The main verbs with the adverbs that fit, in a text about certain topics; with None, what any verb may have."""
    clauses, table = clauses_of(item, rules), lexicon(rules.tag, "adverbs")
    places = []
    for verb in filter(partial(_is_free, clauses), clauses.verbs()):
        adverbs = table.words("for-any-verb") if about is None else _fitting(clauses, verb, about)
        options = {adverb: _place(clauses, verb, adverb) for adverb in adverbs if adverb not in echoed}
        sure = {adverb: at for adverb, at in options.items() if at is not None}
        places.append(AdverbPlace(clauses.words[verb].span.start, sure))
    return places


def _around(clauses: Clauses, verb: int) -> range:
    return range(clauses.before_verb(verb) + 1, clauses.group(verb).last + 3)


def _is_free(clauses: Clauses, verb: int) -> bool:
    """Whether a verb is that of a main clause, with its subject right before it and no adverb yet."""
    subject, group = clauses.subject(verb), clauses.group(verb)
    around = [index for index in _around(clauses, verb) if index not in group.verbs]
    denied = [index for index in around if clauses.word_class(index) == "negation"]
    is_half = len(denied) == 1 and not clauses.rules.drops_subjects  # "n'a cessé de"
    before = clauses.phrase_at(clauses.before_verb(verb))
    is_described = (
        any(clauses.word_class(index) == "adverb" for index in around)
        or clauses.has(group.last + 1, "both-people", "whole")
        or clauses.word_class(group.last + 1) == "adjective"  # "digitou errado"
        or not all(clauses.has(index, "plain-negation") for index in denied)
    )
    is_subject = before is not None and clauses.whole(before) == subject.phrase
    return is_subject and not is_half and not is_described and not _is_subordinate(clauses, verb)


def _is_subordinate(clauses: Clauses, verb: int) -> bool:
    """Whether a conjunction or relative pronoun opens the verb's clause."""
    is_joined = False
    for index in range(clauses.before_verb(verb), -1, -1):
        kind, form = clauses.word_class(index), clauses.form(index)
        if kind in ("subordinator", "relative") or clauses.has(index, "condition"):
            return True
        if kind == "verb" or clauses.ends_between(index, index + 1):
            return kind == "verb" and is_joined and _is_subordinate(clauses, index)  # "quando Ana saiu e Rui veio"
        is_joined = clauses.has(index, "joining") or (is_joined and form != ",")
    return False


def _fitting(clauses: Clauses, verb: int, about: set[str]) -> Iterable[str]:
    """The adverbs listed for a verb, given its subject and negation; those of time only for what happened once."""
    rules, table, group = clauses.rules, lexicon(clauses.rules.tag, "adverbs"), clauses.group(verb)
    lexical = _lexical_verb(clauses, verb)
    infinitive = clauses.infinitive(verb) if lexical == verb else rules.verbs.nonfinite(clauses.form(lexical)) or ""
    if clauses.is_reflexive(verb):
        infinitive = rules.joined("s'" if rules.elides(infinitive) else "se", infinitive)
    subject = clauses.subject(verb).phrase
    is_agent = not group.is_passive or clauses.is_compound(verb)  # "s'est excusé"
    is_person = subject is not None and (subject.is_name or rules.animacy(clauses.form(subject.head)) == "human")
    keys = ["manner-of-people", "manner-of-anything"] if is_agent and is_person else ["manner-of-anything"]
    if any(clauses.word_class(index) == "negation" for index in _around(clauses, verb)):
        keys = ["negated"]
    phrase = clauses.plain_phrase_at(group.last + 1)  # "rendre visite", "pedir desculpas"
    is_set = phrase is not None and not (phrase.determiner or phrase.is_name or clauses.has(group.last + 1, "tongue"))
    listed = next((adverbs for key in keys if (adverbs := table.values(key).get(infinitive))), ())
    is_once = clauses.analysis(verb).tense in _PAST or clauses.is_compound(verb)
    return [
        adverb for adverb in listed
        if not (is_set and keys != ["negated"])
        and not about.intersection(table.values("about").get(adverb, ()))
        and (is_once or adverb not in table.words("of-time"))
    ]  # fmt: skip


def _lexical_verb(clauses: Clauses, verb: int) -> int:
    """The first verb of a group that is not an auxiliary: *tentado* in *tinha tentado acordar*."""
    rules, group = clauses.rules, clauses.group(verb)
    infinitives = {index: rules.verbs.nonfinite(clauses.form(index)) for index in group.verbs[1:]}
    infinitives[verb] = clauses.infinitive(verb)
    return next(
        (index for index in group.verbs if infinitives[index] not in rules.words("plain-auxiliary")), group.last
    )


def _place(clauses: Clauses, verb: int, adverb: str) -> int | None:
    """Where an adverb comes: before the verb with its clitics, or after it, as the language has it in compounds."""
    table = lexicon(clauses.rules.tag, "adverbs")
    if adverb in table.words("before-verb"):
        first = clauses.before_verb(verb) + 1
        return clauses.words[first].span.start if first else None
    is_after_all = clauses.rules.drops_subjects or adverb in table.words("after-participle")
    end = clauses.words[_lexical_verb(clauses, verb) if is_after_all else verb].span.end
    return None if clauses.text[end : end + 1] == "-" else end  # "sentiu-se", "est-il"
