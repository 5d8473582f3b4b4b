"""What Portuguese adds to the Romance grammar: stress that shows adjectives, articles before possessives and names."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import dropwhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.names import name_gender
from winoglot.languages.phrases import definite_article
from winoglot.languages.romance.grammar import Grammar, Inflection
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.model import Features
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.romance.words import Around
    from winoglot.languages.substitution import Phrase, Place, Token

_SINGULARS_IN_S = ("ês", "lilás")
# Stress on the third-last syllable (física, óbvio), which no verb with a third-person subject has.
_PROPAROXYTONE = re.compile(r".*[áéíóúâêô][^aeiouáéíóúâêôãõ]+[aeiou][^aeiouáéíóúâêôãõ]*[oa]s?")


class Portuguese(Grammar):
    """Portuguese, of all regions."""

    tag = "pt"
    possessive_alone = True
    personal_infinitive = True

    def shown_by_ending(self, form: str) -> Inflection:
        """What the ending of an adjective shows: *francês* is singular, *egoísta* of either gender."""
        inflection = super().shown_by_ending(form)
        gender = None if form.removesuffix("s").endswith("ísta") else inflection.gender
        return Inflection(gender, is_plural=bool(inflection.is_plural) and not form.endswith(_SINGULARS_IN_S))

    def looks_adjectival(self, form: str) -> bool:
        """Whether a word is a participle, ends like an adjective, or has its stress on the third-last syllable."""
        return super().looks_adjectival(form) or _PROPAROXYTONE.fullmatch(form) is not None

    def is_infinitive(self, form: str) -> bool:
        """Whether a word is an infinitive; *quer* only looks like one."""
        return form not in ("quer", "requer") and super().is_infinitive(form)

    def has_article(self, around: Around) -> bool:
        """Whether an article comes before the possessive; *a* may also be the preposition."""
        if not around.before or around.place.text[around.before[0].span.end : around.place.pronoun.start].strip():
            return False
        if around.previous_form == "a":
            return around.place.surface == "sua" and self._is_article(around.before, around.after)
        return super().has_article(around)

    def _is_thing(self, phrase: tuple[Token, ...]) -> bool:
        """Whether the noun that begins the phrase, after its adjectives, is a thing and so no recipient."""
        things = self.table("vocabulary").words("thing")
        forms = dropwhile(lambda form: form in self.prenominals and form not in things, (word.form for word in phrase))
        return next(forms, "") in things

    def _is_article(self, before: tuple[Token, ...], after: tuple[Token, ...]) -> bool:
        """Whether *a* before *sua* is an article ("viu a sua mãe"), and not a preposition ("disse a sua mãe")."""
        verb = before[1].form if len(before) > 1 else ""
        if "a" in self.table("function_words").values("governing").get(verb, ()):
            return False
        recipient, verb_before = [*(word.form for word in before[2:4]), "", ""][:2]
        if recipient in ("a", "ao", "à", "aos", "às") and verb_before in self.verbs.forms_of("to-somebody"):
            return True  # "deu a Rui a sua parte"
        if self._may_be_direction(before[1:]):
            raise NotDerivedError("'a' before the possessive may be an article or a preposition")
        if not verb or self.is_closed(verb):
            return True
        has_recipient = verb in self.verbs.forms_of("dative") or verb in self.verbs.forms_of("to-somebody")
        has_recipient = has_recipient and not self._is_thing(after)
        if not has_recipient and (self.looks_finite(verb) or self.is_participle(verb) or verb.endswith(("r", "ndo"))):
            return True
        raise NotDerivedError("'a' before the possessive may be an article or a preposition")

    def _may_be_direction(self, before: tuple[Token, ...]) -> bool:
        """Whether the verb before *a sua* may govern *a*: *foi a sua festa*, *foi com ela a sua festa*."""
        if not before or before[0].form in self.prepositions:
            return False
        for index, word in enumerate(before):
            if word.is_punctuation or word.form in self.words("subordinator") or word.form in self.words("coordinator"):
                return False
            verb, _, clitic = word.form.partition("-")
            if verb in self.verbs.forms_of("governing:a"):
                return True
            if self.looks_finite(word.form) or any(
                is_form(verb) for is_form in (self.is_infinitive, self.is_gerund, self.is_participle)
            ):
                previous = before[index + 1].form if index + 1 < len(before) else ""
                return "se" in (clitic, previous)  # "dirigiu-se a sua casa"
        return False


PORTUGUESE = Portuguese()


_CONJUNCTS = re.compile(r"(,\s+|\s+e\s+)")
_FIRST = re.compile(r"\w+")


# The candidate as a phrase: names with titles, plurals, and what is not a noun phrase


def with_checked_phrase(place: Place) -> Place:
    """The place with its phrase ready for insertion; raises NotDerivedError if it is not a noun phrase."""
    phrase = place.phrase
    first = _FIRST.match(phrase.noun)
    opening = folded(first.group()) if first else ""
    if not phrase.is_name and opening in PORTUGUESE.words("preposition"):
        raise NotDerivedError(f"the candidate {phrase.noun!r} begins with a preposition")
    may_be_verb = phrase.determiner == "a" and " " not in phrase.noun and not phrase.is_name
    if may_be_verb and PORTUGUESE.is_infinitive(folded(phrase.noun)):
        raise NotDerivedError(f"the candidate {phrase.noun!r} is a verb")  # "começou a chover"
    pronoun = PORTUGUESE.table("pronouns").features().get(place.surface, Features())
    _check_number(phrase, pronoun)
    if phrase.is_name and not phrase.determiner:
        if _is_plural_noun(place, pronoun):
            article = definite_article(pronoun.gender, "plural", "pt") or ""
            noun = phrase.noun[0].lower() + phrase.noun[1:]
            return replace(place, phrase=replace(phrase, determiner=article, noun=noun, is_name=False))
        article = _article_of_name(phrase, opening, pronoun)
        return replace(place, phrase=replace(phrase, determiner=article)) if article else place
    return place


def _check_number(phrase: Phrase, pronoun: Features) -> None:
    """Refuse a number mismatch that nothing else shows: "Lisboa … eles"; "um dos gatos … ele"."""
    if phrase.traits.number.value is not None:
        return
    noun = phrase.noun
    is_single = phrase.is_name and not phrase.determiner.endswith("s") and not _CONJUNCTS.search(noun)
    if pronoun.number == "plural" and is_single and not noun.endswith("s"):
        raise NotDerivedError(f"number differs: plural pronoun; {noun!r} is a single name")
    is_plural = noun.partition(" ")[0].endswith(("os", "as", "ns", "es")) and not phrase.is_name
    if pronoun.number == "singular" and is_plural:
        raise NotDerivedError(f"number differs: singular pronoun; {noun!r} looks like a plural")


def _is_plural_noun(place: Place, pronoun: Features) -> bool:
    """Whether the capital is only that of the start of a sentence or candidate: "Abelhas picam se elas …"."""
    noun = place.phrase.noun
    first, _, rest = noun.partition(" ")
    opens = all(opens_sentence(place.text, mention.start) for mention in place.mentions)
    is_plural = pronoun.number == "plural" and first.isalpha() and first.endswith("s")
    return (
        opens
        and is_plural
        and not name_gender(first, "pt").value
        and rest == rest.lower()
        and not _CONJUNCTS.search(noun)
    )


def _article_of_name(phrase: Phrase, opening: str, pronoun: Features) -> str:
    """Titles and abbreviations take their article even if the sentence omits it: *a Dra. Lima*, *a TV*."""
    noun = phrase.noun
    title = PORTUGUESE.table("nouns").features("articled").get(opening)
    if title and title.gender and " " in noun:
        return definite_article(title.gender, title.number, "pt") or ""
    if noun.isupper() and noun.isalpha() and len(noun) > 1 and not name_gender(noun.title(), "pt").value:
        gender = phrase.traits.gender.value or pronoun.gender
        number = phrase.traits.number.value or pronoun.number or "singular"
        return definite_article(gender, number, "pt") or ""
    return ""
