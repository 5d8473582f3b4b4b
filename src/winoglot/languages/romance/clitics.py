"""Object pronouns before or after their verb: the pronoun goes, the noun follows the verb.

"Ela os vendeu" → "Ela vendeu os anéis"; "quiero verla" → "quiero ver a Ana". After an auxiliary the noun follows the
whole predicate: "o tinha visto" → "tinha visto o tio"; but "o viu sair" → "viu o tio sair". Not derived: several
clitics together, a pronoun for a predicate (*lo es*) or a clause (*no lo digas*), a verb that its subject may follow.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING
from unicodedata import is_normalized, normalize

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance.grammar import is_word
from winoglot.languages.substitution import Token, match_case
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.grammar import Grammar
    from winoglot.languages.romance.words import Around


def accusative(around: Around) -> Substitution:
    """Place the noun after the verb, in place of a direct object; some languages have rules of their own."""
    words = verb_of(around)
    last = verb_end(words, around.grammar)
    check_object(around, words, last)
    rule = "enclitic" if is_attached(around) else "proclitic"
    return with_noun_after(around, words, last, around.place.phrase.text, rule=rule)


def verb_of(around: Around, *, beside: str = "") -> tuple[Token, ...]:
    """The verb that the clitic belongs to, as if without it, and the words after it; a cluster is refused.

    `beside`: another clitic that may stand before it: *se {le} rompió la taza*.
    """
    grammar, place = around.grammar, around.place
    if is_attached(around):
        host = around.before[0]
        verb = grammar.without_clitic(host.form)
        if verb is None:
            surface = host.form + place.surface
            cluster = any(
                host.form.endswith(clitic) for clitic in grammar.words("clitic") if len(host.form) > len(clitic) + 2
            )
            reason = "ends in a cluster of clitics" if cluster else "does not look like a verb with one clitic"
            raise NotDerivedError(f"{surface!r} {reason}")
        return (Token(verb, host.span), *around.after)
    for form in (around.previous_form, around.next_form):
        if form in grammar.words("clitic") and form != beside:
            raise NotDerivedError(f"{place.surface!r} is part of a cluster of clitics, with {form!r}")
    check_verb(around)
    return around.after


def is_attached(around: Around) -> bool:
    """Whether the clitic is written as one word with its verb: *verlo*."""
    before = around.before
    return bool(before) and before[0].span.end == around.place.pronoun.start and before[0].form[-1:].isalpha()


def with_noun_after(
    around: Around,
    words: Sequence[Token],
    last: int,
    inserted: str,
    *,
    rule: str,
    kept: bool = False,
    changed: Mapping[Token, str] = MappingProxyType({}),
) -> Substitution:
    """Place the noun after the word at index `last`; the first word is the verb, or the host of an attached clitic.

    The host is written as if alone (*mirándo{lo}* → *mirando*); `kept`: the clitic stays (Spanish *le dio … a Ana*);
    `changed`: words after the clitic that are written otherwise without it (Italian *l'ha vista* → *ha visto Anna*).
    """
    place = around.place
    clitic = place.pronoun.of(place.text)
    if words[0].span.start > place.pronoun.start:
        touched = Span(place.pronoun.start, words[last].span.end)
        lead = clitic.lower() + " " if kept else ""
        lead += _with_changes(place.text, Span(words[0].span.start, touched.end), changed)
        return place.rewrite(touched, inserted, rule=rule, lead=lead + " ")
    host = words[0]
    surface = host.span.of(place.text)
    end = words[last].span.end if last else place.pronoun.end
    if kept:
        surface = Span(host.span.start, place.pronoun.end).of(place.text)
    elif host.form != normalize("NFC", folded(surface)):
        alone = match_case(surface, host.form)
        surface = alone if is_normalized("NFC", surface) else normalize("NFD", alone)
    lead = f"{surface}{_with_changes(place.text, Span(place.pronoun.end, end), changed)} "
    return place.rewrite(Span(host.span.start, end), inserted, rule=rule, lead=lead)


def _with_changes(text: str, part: Span, changed: Mapping[Token, str]) -> str:
    """A part of the text, with changed words."""
    result, start = "", part.start
    for token, new_form in sorted(changed.items(), key=lambda change: change[0].span):
        result += text[start : token.span.start] + new_form
        start = token.span.end
    return result + text[start : part.end]


def check_verb(around: Around) -> None:
    """Refuse if the word after the clitic cannot be its verb."""
    grammar, surface = around.grammar, around.place.surface
    if not around.after or around.after[0].is_punctuation or around.after[0].is_capital:
        raise NotDerivedError(f"no verb follows {surface!r}")
    form = around.next_form
    if grammar.is_closed(form) and form not in grammar.words("verb-too"):
        raise NotDerivedError(f"expected a verb after {surface!r}, found {form!r}")
    if grammar.has_clitic(form):
        raise NotDerivedError("the verb has two pronouns")


def check_object(around: Around, words: Sequence[Token], last: int) -> None:
    """Refuse *é-o*, which refers to a predicate, *não o diga*, which may refer to a statement, *levou-o Maria*."""
    grammar, surface, verb = around.grammar, around.place.surface, words[last].form
    if grammar.has_clitic(verb):
        raise NotDerivedError("the verb has two pronouns")
    if verb in grammar.verbs.forms_of("linking"):
        raise NotDerivedError(f"with {verb!r} the pronoun replaces a predicate")
    if surface in grammar.words("neuter-clitic") and verb in grammar.verbs.forms_of("clausal"):
        raise NotDerivedError(f"with {verb!r}, {surface!r} may refer to a whole clause")
    check_subject(words, last)


def check_subject(words: Sequence[Token], last: int) -> None:
    """Refuse a verb that a name follows."""
    if last + 1 < len(words) and words[last + 1].is_capital:
        raise NotDerivedError(f"{words[last + 1].form!r} follows the verb and may be its subject")


def recipient_verb(words: Sequence[Token], grammar: Grammar) -> int:
    """The end of the verb that has the recipient: *le había prometido | jugar*, but *le quiere dar*."""
    last = verb_end(words, grammar)
    own = grammar.verbs.forms_of("dative")
    return next((index for index in range(last) if words[index].form in own), last)


def verb_end(words: Sequence[Token], grammar: Grammar, index: int = 0) -> int:
    """The index of the word after which the object of the verb at `index` is placed."""
    verb = words[index].form
    follower = index + 1
    while follower < len(words) and grammar.is_adverb(words[follower].form):
        follower += 1
    kinds = grammar.verbs.auxiliaries.get(verb, frozenset())
    form = words[follower].form if follower < len(words) else "."
    is_participle = grammar.is_participle(form) or (
        kinds == {"participle"} and form in grammar.lookalikes("participle")
    )
    if kinds == {"participle"} and not is_participle:
        raise NotDerivedError(f"no participle follows {verb!r}")
    if not is_word(form):
        return index
    if grammar.is_infinitive(form):
        if grammar.objects_follow_infinitives:
            return verb_end(words, grammar, follower)
        if verb in grammar.verbs.forms_of("causative"):
            raise NotDerivedError(f"the pronoun may belong to {verb!r} or to {form!r}")
        if verb in grammar.verbs.forms_of("perceiving"):
            return index
    shapes = {
        "participle": is_participle,
        "gerund": grammar.is_gerund(form),
        "infinitive": grammar.is_infinitive(form),
    }
    if any(holds and shape in kinds for shape, holds in shapes.items()):
        return verb_end(words, grammar, follower)
    if shapes["infinitive"]:
        raise NotDerivedError(f"{verb!r} governs an infinitive, and the pronoun may be its subject or its object")
    is_linked = form in kinds and form not in shapes and follower + 1 < len(words)
    if is_linked and grammar.is_infinitive(words[follower + 1].form):
        return verb_end(words, grammar, follower + 1)
    if "participle" in kinds and not (grammar.is_closed(form) or words[follower].is_capital):
        raise NotDerivedError(f"{form!r} after {verb!r} may be a participle or an adjective")
    return index
