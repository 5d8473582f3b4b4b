"""What French adds to the Romance grammar: adjectives by their endings, and complements with *à* and *en*."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance.grammar import Grammar, Inflection, is_word

if TYPE_CHECKING:
    from winoglot.languages.romance.possessed import PossessedPhrase
    from winoglot.languages.romance.words import Around

_FINITE_ENDINGS = ("e", "t", "d", "a", "c")
_ADJECTIVE_ENDINGS = ("ée", "euse", "able", "ible")
_AUXILIARIES = frozenset(
    {"être", "avoir", "aller", "faire", "pouvoir", "vouloir", "devoir", "savoir", "falloir", "venir"}
)
_WITH_ARTICLE = frozenset({"de", "d'", "du", "des", "à", "au", "aux"})


class French(Grammar):
    """French."""

    tag = "fr"
    in_mente = "ment"
    bare_objects = False
    degree_after_noun = False
    marks_before_subject = '.!?…;:«"'
    shortest_stem = {"infinitive": 2, "participle": 0, "finite": 1}  # noqa: RUF012
    apart = frozenset(
        "je tu il elle on nous vous ils elles ce le la les lui leur moi toi y en t t' m' l'".split()  # noqa: SIM905
    )
    elided_words = frozenset({"aujourd'hui", "quelqu'un", "quelqu'une", "presqu'île", "d'abord", "d'ailleurs"})

    def verb_of(self, form: str) -> str | None:
        """The infinitive of a listed finite form: *étaient* → *être*."""
        return self.verbs.infinitives.get(form)

    @cached_property
    def givers(self) -> dict[str, str]:
        """The infinitive of each listed form of a verb with an indirect object."""
        verbs = sorted(self.verbs.table.words("giving") | self.verbs.table.words("dative"))
        return {form: verb for verb in verbs for form in self.verbs.forms(verb)}

    def is_participle(self, form: str) -> bool:
        """Whether a word after an auxiliary is a participle, by its ending; not an adverb (*ici*)."""
        return form not in self.closed and not self.is_adverb(form) and self.has_shape(form, "participle")

    # Adjectives

    def can_agree(self, form: str, noun: Inflection) -> bool:
        """Whether a word could be an adjective of the noun: plurals end in -s or -x, as no third person does."""
        return not noun.is_plural or form.endswith(("s", "x"))

    def must_agree(self, form: str) -> bool:
        """Whether a word that cannot agree cannot be a verb either: a third-person plural ends in -nt."""
        return not (form.endswith("nt") or self.is_finite(form) or self.is_infinitive(form))

    def looks_adjectival(self, form: str) -> bool:
        """Whether a word ends as no third-person verb does, or in *-ant*: *gris*, *fané*."""
        if self.is_finite(form) or self.is_infinitive(form):
            return False
        return not form.endswith(_FINITE_ENDINGS) or form.endswith((*_ADJECTIVE_ENDINGS, "ant"))

    def may_precede(self, form: str, noun: Inflection) -> bool:  # noqa: ARG002
        """Whether an adjective precedes its noun; either way both are in the phrase: *son terrible aspect*."""
        return False

    def may_be_noun(self, form: str) -> bool:
        """Whether a word may be a noun, as many finite forms are (*sa première place*), but no auxiliary."""
        verb = self.verb_of(form)
        return is_word(form) and verb not in _AUXILIARIES and (verb is not None or not self.ends_phrase(form))

    def acts_on(self, form: str, following: str) -> bool:
        """Whether the adjective is a verb before its object: *Son frère calme le chien*."""
        is_object = following in self.determiners or following in ("du", "aux", "au")
        return is_object and form.endswith(_FINITE_ENDINGS)

    def has_own_complement(self, form: str, following: str) -> bool:
        """Whether an adjective governs what follows, so that the phrase ends before it: *son sac plein de billes*."""
        is_listed = self.is_listed_adjective(form)
        if self.is_finite(form) and not is_listed:
            return False
        if form.endswith("ant") and not is_listed and is_word(following):
            return True
        is_verbal = self.is_participle(form) and not is_listed
        is_degree = following in self.words("degree") and following not in self.words("negation")
        if is_verbal and (is_degree or self.is_listed_adjective(following)):
            return True
        if self.is_adverb(following) and (is_verbal or form.rstrip("s").endswith(("é", "ée"))):
            raise NotDerivedError(f"{following!r} may belong to {form!r} or to the verb")
        if is_verbal and following in self.prepositions:
            return True
        governing = self.table("adjectives").words("with-complement")
        return following in _WITH_ARTICLE and (form in governing or form.removesuffix("s") in governing)

    # Possessives

    def check_possessive(self, around: Around) -> None:
        """Refuse the noun *son*, *chacun son*, *en son*."""
        place, previous = around.place, around.previous_form
        excluding = (self.determiners | self.words("quantifier")) - self.predeterminers
        if previous in excluding:
            raise NotDerivedError(f"after {previous!r}, {place.surface!r} is not a possessive")
        if previous in ("chacun", "chacune"):
            raise NotDerivedError(f"after {previous!r} the possessive has its own owner")
        if previous == "en":
            raise NotDerivedError(f"'en' cannot come before an article: 'en {place.surface} {around.next_form}'")

    def has_article(self, around: Around) -> bool:  # noqa: ARG002
        """Whether an article comes before the possessive: never in French."""
        return False

    def gender_of(self, phrase: PossessedPhrase) -> str | None:
        """*Son* is masculine before a consonant; before a vowel the article is elided."""
        return "masculine" if phrase.around.place.surface == "son" else super().gender_of(phrase)

    def is_subordinate(self, phrase: PossessedPhrase) -> bool:
        """Whether a relative clause or another one is open: *le garçon qui a perdu son vélo pleure*."""
        for word in phrase.before:
            if word.form in ".!?…":
                return False
            if word.form in self.words("relative") or word.form in self.words("subordinator"):
                return not self.is_adverb(word.form)
        return False

    def other_complement(self, phrase: PossessedPhrase, index: int) -> int | None:
        """A superlative (*les plus belles*); the purpose, taste or material of a thing: *sac à dos*, *bague en or*."""
        preposition, noun, nouns = phrase.form(index), phrase.form(index + 1), self.table("nouns")
        if (
            preposition in ("le", "la", "les")
            and noun in ("plus", "moins")
            and not self.is_closed(phrase.form(index + 2))
        ):
            return index + 3  # "ses robes les plus belles"
        if preposition == "en":
            return index + 2 if noun in nouns.words("material") else index
        if preposition not in ("à", "au", "aux"):
            return None
        if preposition == "à" and noun in ("lui", "elle", "eux", "elles"):
            raise NotDerivedError(f"'à {noun}' repeats the owner")
        if preposition == "à" and noun in nouns.words("purpose"):
            return index + 2
        if phrase.form(index - 1) in nouns.words("dish"):
            last = index + 2 if noun in ("la", "l'") else index + 1
            is_taste = preposition != "à" or noun in ("la", "l'")
            return last + 1 if is_taste and phrase.form(last) and phrase.ends(last + 1) else index
        is_open = is_word(noun) and not self.ends_phrase(noun) and not self.is_infinitive(noun) and not noun.isdigit()
        if (
            preposition == "à"
            and is_open
            and noun not in nouns.words("manner")
            and not phrase.around.at(index + 1).is_capital
        ):
            raise NotDerivedError(f"'à {noun}' may belong to the possessed noun or to the verb")
        return index


FRENCH = French()
