"""Word order after a verb with an indirect object: the recipient, or the owner.

A short direct object comes before the recipient (*On {lui} a remis le prix.* → *On a remis le prix à Léa.*), a longer
one after it (*On a remis à Léa le prix de la ville.*). Owners are not derived: *{lui} serre la main*,
*{lui} tombe sur la tête*, and a definite object of any verb other than giving, taking or saying (*{lui} a sali la
manche*).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.words import closed_class, is_adverb, is_infinitive, is_word, listed
from winoglot.languages.tables import pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.substitution import Token

_DEFINITE = ("le", "la", "les", "l'")
_PARTICLES = ("après", "devant", "derrière", "contre", "autour")
_ALWAYS_PARTICLES = ("dessus", "dedans")
_CONTRACTED = ("du", "des", "au", "aux")


def with_short_object(words: Sequence[Token], verb: str, last: int) -> int:
    """The index of the last word before the recipient: the end of a short object, or else `last`, the end of the verb.

    Raises NotDerivedError if the pronoun owns what follows.
    """
    forms = [token.form for token in words[last + 1 :]]
    _refuse_particle(forms)
    _refuse_owner(forms)
    determiner, noun, follower = [*forms, "", "", ""][:3]
    if determiner not in listed("determiners") or not is_word(noun) or noun in listed("time_nouns"):
        return last
    infinitive = giving_verb(verb)
    if infinitive is None and determiner in _DEFINITE:
        raise NotDerivedError(f"the pronoun may own {noun!r}, since {verb!r} is not listed as a verb of giving")
    is_object = infinitive is not None and infinitive not in listed("intransitive_datives")
    is_noun = noun not in closed_class() and not is_infinitive(noun)  # "il lui a dit le connaître"
    is_short = determiner not in _CONTRACTED and is_noun and not is_word(follower)
    return last + 2 if is_object and is_short else last


def _refuse_particle(forms: Sequence[str]) -> None:
    """*Il lui court après*, *elle lui saute dessus*: the noun would follow them without *à*."""
    particle, following = [*forms, "", ""][:2]
    stands_alone = not is_word(following) or following in ("quand", "et", "mais", "car", "parce")
    if particle in _ALWAYS_PARTICLES or (particle in _PARTICLES and stands_alone):
        raise NotDerivedError(f"the noun would go with {particle!r}, without 'à'")


def _refuse_owner(forms: Sequence[str]) -> None:
    """*a serré fort la main*, *saute au cou*, *tombe sur la tête*."""
    rest = [form for form in forms[:4] if not is_adverb(form)]
    is_opened = False
    for opening in (listed("prepositions"), {*_DEFINITE, "un", "une"}):
        if rest and rest[0] in opening:
            rest, is_opened = rest[1:], True
    if is_opened and rest and rest[0] in listed("body_parts"):
        raise NotDerivedError(f"the pronoun is the owner of {rest[0]!r}, not the recipient")


def giving_verb(form: str) -> str | None:
    """The infinitive of a form of a verb of giving, taking or saying, in any person.

    >>> giving_verb("donnerai"), giving_verb("envoyons"), giving_verb("salit")
    ('donner', 'envoyer', None)
    """
    verbs = pairs("fr", "dative_verbs.txt")
    if form in verbs:
        return verbs[form]
    endings = pairs("fr", "person_endings.txt")
    others = (form[: -len(ending)] + third for ending, third in endings.items() if form.endswith(ending))
    return next((verbs[other] for other in others if other in verbs), None)
