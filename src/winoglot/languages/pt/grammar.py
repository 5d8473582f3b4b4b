"""What Portuguese adds to the Romance grammar: stress that shows an adjective, and articles before possessives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance.grammar import Grammar, Inflection

if TYPE_CHECKING:
    from winoglot.languages.romance.words import Around
    from winoglot.languages.substitution import Token

_SINGULARS_IN_S = ("ês", "lilás")
# Stress on the third-last syllable (física, óbvio), which no verb with a third-person subject has.
_PROPAROXYTONE = re.compile(r".*[áéíóúâêô][^aeiouáéíóúâêôãõ]+[aeiou][^aeiouáéíóúâêôãõ]*[oa]s?")


class Portuguese(Grammar):
    """Portuguese, of all regions."""

    tag = "pt"
    possessive_alone = True
    personal_infinitive = True

    def shown_by_ending(self, form: str) -> Inflection:
        """*Francês* is a singular, *egoísta* of either gender."""
        shown = super().shown_by_ending(form)
        gender = None if form.removesuffix("s").endswith("ísta") else shown.gender
        return Inflection(gender, is_plural=bool(shown.is_plural) and not form.endswith(_SINGULARS_IN_S))

    def looks_adjectival(self, form: str) -> bool:
        """A participle, an ending of adjectives, or stress on the third-last syllable."""
        return super().looks_adjectival(form) or _PROPAROXYTONE.fullmatch(form) is not None

    def is_infinitive(self, form: str) -> bool:
        """Not *quer*; *ser* and *poder* are nouns as well."""
        return form not in ("quer", "requer") and super().is_infinitive(form)

    def has_article(self, around: Around) -> bool:
        """Like other articles, *a*, unless it is the preposition."""
        if not around.before or around.place.text[around.before[0].span.end : around.place.pronoun.start].strip():
            return False
        if around.previous_form == "a":
            return around.place.surface == "sua" and self._is_article(around.before)
        return super().has_article(around)

    def _is_article(self, before: tuple[Token, ...]) -> bool:
        """*A sua* is article and possessive ("viu a sua mãe"), or preposition and possessive ("disse a sua mãe")."""
        verb = before[1].form if len(before) > 1 else ""
        if "a" in self.table("function_words").values("governing").get(verb, ()):
            return False
        if self._may_be_direction(before[1:]):
            raise NotDerivedError("'a' before the possessive may be an article or a preposition")
        if not verb or self.is_closed(verb):
            return True
        has_recipient = verb in self.verbs.forms_of("dative") or verb in self.verbs.forms_of("to-somebody")
        if not has_recipient and (self.looks_finite(verb) or verb.endswith(("r", "ndo"))):
            return True
        raise NotDerivedError("'a' before the possessive may be an article or a preposition")

    def _may_be_direction(self, before: tuple[Token, ...]) -> bool:
        """Whether the verb before *a sua* may govern *a*: *foi a sua festa*, *foi com ela a sua festa*."""
        if not before or before[0].form in self.prepositions:
            return False
        for number, word in enumerate(before):
            if word.is_sign or word.form in self.small("subordinator") or word.form in self.small("coordinator"):
                return False
            verb, _, clitic = word.form.partition("-")
            if verb in self.verbs.forms_of("governing:a"):
                return True
            if self.looks_finite(word.form) or any(
                is_form(verb) for is_form in (self.is_infinitive, self.is_gerund, self.is_participle)
            ):
                previous = before[number + 1].form if number + 1 < len(before) else ""
                return "se" in (clitic, previous)  # "dirigiu-se a sua casa"
        return False


PORTUGUESE = Portuguese()
