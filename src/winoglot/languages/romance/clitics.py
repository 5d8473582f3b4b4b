"""Object pronouns before or after their verb: the pronoun goes, the noun follows the verb.

"Ela os vendeu" → "Ela vendeu os anéis"; "quiero verla" → "quiero ver a Ana". After an auxiliary the noun follows the
whole predicate: "o tinha visto" → "tinha visto o tio"; but "o viu sair" → "viu o tio sair". Not derived: several
clitics together, a pronoun for a predicate (*lo es*) or a clause (*no lo digas*), a verb that its subject may follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance.grammar import is_word
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.grammar import Grammar
    from winoglot.languages.romance.words import Around
    from winoglot.languages.substitution import Token


def before_noun(around: Around, last: int, inserted: str, *, rule: str, kept: str = "") -> Substitution:
    """Move the verb, up to its word number `last`, to the clitic's place, and the noun after it.

    `kept`: what stays of the clitic (Spanish *le dio*), with its space.
    """
    touched = Span(around.place.pronoun.start, around.after[last].span.end)
    return around.place.rewrite(touched, inserted, rule=rule, lead=f"{kept}{around.written(0, last)} ")


def check_cluster(around: Around) -> None:
    """Refuse *se lo dio*, *me lo dijo*."""
    grammar = around.grammar
    for form in (around.previous_form, around.next_form):
        if form in grammar.small("clitic") and not (form in grammar.determiners and form == around.previous_form):
            raise NotDerivedError(f"{around.place.surface!r} is part of a cluster of clitics, with {form!r}")


def check_verb(around: Around) -> None:
    """Refuse if the word after the clitic cannot be its verb."""
    grammar, surface = around.grammar, around.place.surface
    if not around.after or around.after[0].is_sign or around.after[0].is_capital:
        raise NotDerivedError(f"no verb follows {surface!r}")
    form = around.next_form
    if grammar.is_closed(form) and form not in grammar.small("verb-too"):
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
    if surface in grammar.small("neuter-clitic") and verb in grammar.verbs.forms_of("clausal"):
        raise NotDerivedError(f"with {verb!r}, {surface!r} may refer to a whole clause")
    check_subject(words, last)


def check_subject(words: Sequence[Token], last: int) -> None:
    """Refuse a verb that a name follows."""
    if last + 1 < len(words) and words[last + 1].is_capital:
        raise NotDerivedError(f"{words[last + 1].form!r} follows the verb and may be its subject")


def landing(words: Sequence[Token], grammar: Grammar, at: int = 0) -> int:
    """The index of the word after which the object of the verb at `at` is placed."""
    verb = words[at].form
    follower = at + 1
    while follower < len(words) and grammar.is_adverb(words[follower].form):
        follower += 1
    kinds = grammar.verbs.auxiliaries.get(verb, frozenset())
    form = words[follower].form if follower < len(words) else "."
    if kinds == {"participle"} and not grammar.is_participle(form):
        raise NotDerivedError(f"no participle follows {verb!r}")
    if not is_word(form):
        return at
    if grammar.is_infinitive(form):
        if grammar.objects_follow_infinitives:
            return landing(words, grammar, follower)
        if verb in grammar.verbs.forms_of("causative"):
            raise NotDerivedError(f"the pronoun may belong to {verb!r} or to {form!r}")
        if verb in grammar.verbs.forms_of("perceiving"):
            return at
    shapes = {
        "participle": grammar.is_participle(form),
        "gerund": grammar.is_gerund(form),
        "infinitive": grammar.is_infinitive(form),
    }
    if any(holds and shape in kinds for shape, holds in shapes.items()):
        return landing(words, grammar, follower)
    is_linked = form in kinds and form not in shapes and follower + 1 < len(words)
    if is_linked and grammar.is_infinitive(words[follower + 1].form):
        return landing(words, grammar, follower + 1)
    if "participle" in kinds and not (grammar.is_closed(form) or words[follower].is_capital):
        raise NotDerivedError(f"{form!r} after {verb!r} may be a participle or an adjective")
    return at
