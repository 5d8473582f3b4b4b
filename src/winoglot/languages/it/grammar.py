"""What Italian adds to the Romance grammar: plurals in -i and -e, and verbs with a pronoun attached to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance.grammar import UNKNOWN, Grammar, Inflection

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

_WITH_CLITICS = re.compile(r"(.*)(?:gliel[oaie]|gliene|[mtcv]e(?:l[oaie]|ne)|gli|l[oaie]|[mtcvs]i|ne)")
_SHORT_INFINITIVES = ("far", "dir", "dar", "ber", "por")  # of three letters, before a pronoun
_ENDINGS = {"o": Inflection("masculine", False), "a": Inflection("feminine", False), "i": Inflection(None, True)}
_PREDICATE = _ENDINGS | {"i": Inflection("masculine", True), "e": Inflection("feminine", True)}  # of participles


class Italian(Grammar):
    """Italian."""

    tag = "it"
    of = "di"

    def singulars(self, noun: str) -> tuple[str, ...]:
        """The noun itself: a possessive shows the gender of what is owned."""
        return (noun,)

    def shown_by_ending(self, form: str) -> Inflection:
        """*-e* may be a singular or the plural of *-a*, *-i* is a plural of either gender, *egoista* of either."""
        if self.is_participle(form):
            return _PREDICATE[form[-1]]
        return Inflection(None, False) if form.endswith("ista") else _ENDINGS.get(form[-1:], UNKNOWN)

    def looks_adjectival(self, form: str) -> bool:
        """Whether a word looks like an adjective; not *sorrise* and *prese*, which are most often finite."""
        return super().looks_adjectival(form) and form not in self.verbs.third_persons("clear")

    def may_be_noun(self, form: str) -> bool:
        """Whether a word may be a noun, even if it is a verb as well: *la sua nuova opera*, but not *era*."""
        is_certain = form in self.verbs.third_persons("core") or self.has_shape(form, "certainly-finite")
        is_present = form in self.verbs.third_persons("clear") and not is_certain
        return super().may_be_noun(form) or (is_present and form not in self.closed)

    def is_infinitive(self, form: str) -> bool:
        """Whether a word is an infinitive, perhaps with a pronoun: *avvicinarsi*, *farlo*."""
        if form in self.verbs.third_persons("clear"):
            return False  # "appare"
        return super().is_infinitive(form) or self._is_host(form, infinitive=True)

    def is_gerund(self, form: str) -> bool:
        """Whether a word is a gerund, perhaps with a pronoun: *vedendolo*."""
        return super().is_gerund(form) or self._is_host(form, infinitive=False)

    def _is_host(self, form: str, *, infinitive: bool) -> bool:
        """Whether the word is an infinitive or a gerund with a pronoun attached to it."""
        match = _WITH_CLITICS.fullmatch(form)
        if match is None or form in self.closed:
            return False
        host = match.group(1)
        if not infinitive:
            return super().is_gerund(host)
        is_long = len(host) > 3 and host.endswith(("ar", "er", "ir", "or", "ur"))
        return host in _SHORT_INFINITIVES or (is_long and self.full_infinitive(host) is not None)

    def full_infinitive(self, form: str) -> str | None:
        """The infinitive that has lost its end before a pronoun: *veder* → *vedere*, *tradur* → *tradurre*.

        >>> ITALIAN.full_infinitive("veder"), ITALIAN.full_infinitive("tradur"), ITALIAN.full_infinitive("fa")
        ('vedere', 'tradurre', None)
        """
        if not form.endswith("r") or (len(form) < 4 and form not in _SHORT_INFINITIVES):
            return None
        double = f"{form}re"  # "trarre", "porre", "tradurre"
        infinitive = double if form.endswith(("or", "ur")) or double in self.verbs.table.entries else f"{form}e"
        return infinitive if super().is_infinitive(infinitive) else None

    def without_clitic(self, form: str) -> str | None:
        """The verb that a clitic is written with: an infinitive, a gerund, an imperative, or *ecco*.

        >>> [ITALIAN.without_clitic(form) for form in ("veder", "vedendo", "prendi", "portatemi", "ecco")]
        ['vedere', 'vedendo', 'prendi', None, 'ecco']
        """
        infinitive = self.full_infinitive(form)
        if infinitive is not None:
            return infinitive
        if form == "ecco" or super().is_gerund(form):
            return form
        is_imperative = form in self.verbs.forms_of("clear") and form.endswith(("a", "i", "ate", "ete", "ite", "iamo"))
        return form if is_imperative and len(form) > 3 else None


ITALIAN = Italian()


def check_verb(place: Place) -> None:
    """Raise NotDerivedError if no finite verb with a subject follows the mark, or one of another number."""
    before = place.preceding[0].form if place.preceding else ""
    if before in ITALIAN.prepositions and not ITALIAN.is_adverb(before):  # but "poco dopo si fermò"
        raise NotDerivedError(f"after {before!r} there is no finite verb")
    preverbal = ITALIAN.words("preverbal")
    words = [token.form for token in place.following if token.form not in preverbal]
    verb = words[0] if words else ""
    if ITALIAN.is_infinitive(verb) or ITALIAN.is_gerund(verb):
        raise NotDerivedError(f"{verb!r} has no subject of its own")
    _check_personal([token.form for token in place.following], words)
    is_plural = _is_plural(verb)
    number = place.phrase.traits.number.value
    if None not in (is_plural, number) and is_plural != (number == "plural"):
        raise NotDerivedError(f"{verb!r} is {'plural' if is_plural else 'singular'}, {place.phrase.text!r} is {number}")


def _check_personal(following: list[str], words: list[str]) -> None:
    """Refuse what has no subject, or a clause as its subject: *pioveva*, *c'era*, *era tardi*, *è chiaro che*."""
    verb = words[0] if words else ""
    rest = [form for form in words[1:6] if form not in ITALIAN.words("degree")]
    state, after = [*rest, "", ""][:2]
    is_being = verb in ITALIAN.verbs.forms("essere")
    has_none = verb in ITALIAN.verbs.forms_of("impersonal") or (is_being and following[0] in ("c'", "ci", "v'", "vi"))
    is_adjective = ITALIAN.is_listed_adjective(state)  # "il tè era freddo", but "faceva freddo"
    is_time = (is_being and not is_adjective) or verb in ITALIAN.verbs.forms("fare")
    is_time = is_time and state in ITALIAN.words("impersonal")
    is_clause = is_being and is_adjective and (after == "che" or ITALIAN.is_infinitive(after))
    if has_none or (is_time and ITALIAN.is_closed(after or ".")) or is_clause:
        raise NotDerivedError(f"{verb!r} may have no subject")


def _is_plural(verb: str) -> bool | None:
    """Whether a third person is plural: *-no* and *-ro* end the plural alone; None if the form is not listed."""
    if verb == "sono" or verb not in ITALIAN.verbs.third_persons("clear"):
        return None
    return verb.endswith(("no", "ro"))
