"""The word classes of a Romance language, by the tables in its folder; a language overrides what tables cannot say.

Only certain evidence counts: listed words, the forms of listed verbs and adjectives, and endings that other words
rarely have (the exceptions are listed as `like-…`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.phrases import definite_article
from winoglot.languages.romance.conjugation import Conjugation
from winoglot.languages.substitution import joined

if TYPE_CHECKING:
    from winoglot.languages.lexicon import WordTable
    from winoglot.languages.romance.possessed import PossessedPhrase
    from winoglot.languages.romance.words import Around

_CLOSED = (
    *("adverb", "degree", "negation", "conjunction", "connective", "subordinator", "coordinator", "relative"),
    *("of", "of-pronoun", "clitic", "quantifier", "indefinite-pronoun"),
)


@dataclass(frozen=True)
class Inflection:
    """The gender and number of a noun, as its possessive shows them; None for what it does not show."""

    gender: str | None = None
    is_plural: bool | None = None


UNKNOWN = Inflection()


class Grammar:
    """What the tables of a language say about its words, with defaults that suit most Romance languages."""

    tag: ClassVar[str]
    of: ClassVar[str] = "de"  # the preposition of possessors
    apart: ClassVar[frozenset[str]] = frozenset()  # pronouns that a hyphen does not make part of the word: dit-il
    elided_words: ClassVar[frozenset[str]] = frozenset()  # one word in spite of the apostrophe: aujourd'hui
    in_mente: ClassVar[str] = "mente"  # the ending of adverbs
    bare_objects: ClassVar[bool] = True  # whether an object may have no determiner: come peixe
    marks_before_subject: ClassVar[str] = ".!?…;:,(—–-«“'"  # a noun phrase after these is a subject
    possessive_alone: ClassVar[bool] = False  # whether a possessive may be used without a noun: é seu
    personal_infinitive: ClassVar[bool] = False  # whether an infinitive may have a subject: antes de ele sair
    degree_after_noun: ClassVar[bool] = True  # whether a possessor follows a degree: olhos muito azuis

    adjectives_by_position: ClassVar[bool] = True  # whether an unlisted word that ends an object is its adjective
    objects_follow_infinitives: ClassVar[bool] = False  # oyó cantar a Ana, but viu o tio sair
    shortest_stem: ClassVar[dict[str, int]] = {"infinitive": 1, "gerund": 1, "participle": 2, "finite": 2}

    def __init__(self) -> None:
        """Read the verbs."""
        self._tables: dict[str, WordTable] = {}
        self.verbs = Conjugation(self.table("verbs"))

    def table(self, name: str) -> WordTable:
        """A table of the language."""
        if name not in self._tables:
            self._tables[name] = lexicon(self.tag, name)
        return self._tables[name]

    # Function words

    def words(self, feature: str) -> frozenset[str]:
        """The function words with a feature."""
        return self._small_words.words(feature)

    @cached_property
    def _small_words(self) -> WordTable:
        return self.table("function_words")

    @cached_property
    def determiners(self) -> frozenset[str]:
        """All words that begin a noun phrase."""
        words = function_words(self.tag)
        return words.determiners | words.possessives | self.words("determiner")

    @property
    def predeterminers(self) -> frozenset[str]:
        """Words that come before an article: *todos os*."""
        return self.table("determiners").words("predeterminer")

    @cached_property
    def prepositions(self) -> frozenset[str]:
        """Prepositions, alone and contracted."""
        return self.words("preposition") | self.words("of")

    @cached_property
    def prenominals(self) -> frozenset[str]:
        """Adjectives and numerals that may come before a noun."""
        return self.table("adjectives").words("prenominal") | self.words("numeral")

    @cached_property
    def closed(self) -> frozenset[str]:
        """All words that end a noun phrase before them."""
        return self.determiners.union(self.prepositions, *(self.words(feature) for feature in _CLOSED))

    def is_adverb(self, form: str) -> bool:
        """Whether the word is a listed adverb, or one in *-mente*."""
        if form in self.words("adverb"):
            return True
        is_derived = form.endswith(self.in_mente) and len(form) > len(self.in_mente) + 1
        return is_derived and form not in self.lookalikes("adverb")

    def is_closed(self, form: str) -> bool:
        """Whether a noun phrase ends before this word: punctuation, a closed-class word, an adverb."""
        return not is_word(form) or form in self.closed or self.is_adverb(form)

    def ends_phrase(self, form: str) -> bool:
        """Whether a noun phrase certainly ends before this word: a closed-class word or a finite verb."""
        return self.is_closed(form) or self.is_finite(form)

    def is_clitic(self, form: str) -> bool:
        """Whether the word can only be a clitic, not an article: *se*, *lui*."""
        return form in self.words("clitic") and form not in self.determiners

    # Verbs

    def lookalikes(self, shape: str) -> frozenset[str]:
        """The nouns that look like a verb form or adverb (`shape`) but are not."""
        return self._nouns.words(f"like-{shape}")

    @cached_property
    def _nouns(self) -> WordTable:
        return self.table("nouns")

    def has_shape(self, form: str, shape: str) -> bool:
        """Whether a word is listed as a verb form (`shape`), or has an ending that shows it."""
        if form in self.verbs.table.words(shape):
            return True
        if form in self.lookalikes(shape):
            return False
        return self.verbs.ending_shows(form, shape, self.shortest_stem.get(shape, 2))

    def is_infinitive(self, form: str) -> bool:
        """Whether the word is an infinitive: *sair*, *chegarem*; not *mulher*."""
        return self.has_shape(form, "infinitive") and form not in self.table("adjectives").words("postnominal")

    def is_gerund(self, form: str) -> bool:
        """Whether the word is a gerund: *saindo*; not *lindo*, *quando*."""
        return self.has_shape(form, "gerund") and form not in self.closed and not self.is_listed_adjective(form)

    def is_participle(self, form: str) -> bool:
        """Whether the word is a participle: *visto*, *quebrada*; not *ainda*."""
        if form in self.verbs.table.words("finite") or form in self.closed:
            return False
        return self.has_shape(form, "participle")

    def is_finite(self, form: str) -> bool:
        """Whether the word is certainly a finite verb with a third-person subject."""
        if self.has_clitic(form):
            return True
        is_form = form in self.verbs.third_persons("clear") or self.has_shape(form, "certainly-finite")
        return is_form and form not in self.lookalikes("finite")

    def looks_finite(self, form: str) -> bool:
        """Whether the word is certainly finite, or has an ending that few adjectives have."""
        return self.is_finite(form) or self.has_shape(form, "likely-finite")

    def has_clitic(self, form: str) -> bool:
        """Whether a pronoun is attached with a hyphen: *chamou-o*."""
        return "-" in form and form.rpartition("-")[2] in self.words("clitic")

    def opens_infinitive(self, forms: list[str]) -> bool:
        """Whether an infinitive follows, possibly after adverbs and clitics: *não se ter*."""
        for form in forms[:4]:
            if form not in self.words("adverb") and form not in self.words("clitic-only"):
                return is_word(form) and self.is_infinitive(form.partition("-")[0])
        return False

    @cached_property
    def ambiguous_demonstratives(self) -> frozenset[str]:
        """Demonstratives that may have a noun after them."""
        words = function_words(self.tag)
        return words.determiners | set(words.contractions)

    # Nouns and adjectives

    def shown_by(self, possessive: str) -> Inflection:
        """What a possessive shows about the noun after it."""
        features = self.table("determiners").features().get(possessive)
        if features is None:
            return UNKNOWN
        return Inflection(features.gender, features.number == "plural" if features.number else None)

    def article(self, phrase: PossessedPhrase) -> str:
        """The definite article of a possessed phrase, by its possessive or by its noun."""
        number = "plural" if phrase.noun.is_plural else "singular"
        article = definite_article(phrase.noun.gender or self.gender_of(phrase), number, self.tag)
        if article is None:
            articles = [definite_article(gender, number, self.tag) for gender in ("masculine", "feminine")]
            first = phrase.around.written(0, 0)
            if len({joined(f"{article} ", first, self.tag) for article in articles}) == 1:
                return articles[0] or ""  # elided in either gender: "leur ami" → "l'ami"
            raise NotDerivedError(f"the gender of {phrase.head_form!r} is unknown, and its article needs it")
        return article

    def gender_of(self, phrase: PossessedPhrase) -> str | None:
        """The gender of a possessed noun: by the table of nouns, else by an adjective, else by its ending."""
        gender = self._listed_gender(phrase.head_form)
        if gender not in (None, "common"):
            return gender
        shown_genders = {self.adjective_gender(form) for form in phrase.words_beside_noun} - {None}
        return shown_genders.pop() if len(shown_genders) == 1 else self.noun_gender(phrase.head_form)

    def noun_gender(self, noun: str) -> str | None:
        """The gender of a noun by the table of nouns, else by its ending; None if it is unknown or may be either."""
        endings = ("-" + noun[index:] for index in range(len(noun)))
        gender = next(filter(None, map(self._listed_gender, (noun, *endings))), None)
        return None if gender == "common" else gender

    def _listed_gender(self, noun: str) -> str | None:
        lines = (line for form in self.singulars(noun) for line in self._nouns.entries.get(form, ()))
        return next((gender for line in lines if (gender := line.one_of("gender"))), None)

    def singulars(self, noun: str) -> tuple[str, ...]:
        """The noun, and what may be its singular."""
        return noun, noun.removesuffix("s"), noun.removesuffix("es")

    def adjective_gender(self, form: str) -> str | None:
        """The gender that an adjective beside the noun shows."""
        before = self.table("adjectives").features("prenominal").get(form)
        if before is not None and before.gender:
            return before.gender
        genders = {inflection.gender for inflection in self.inflected_adjectives.get(form, ())}
        return genders.pop() if len(genders) == 1 else None

    @cached_property
    def inflected_adjectives(self) -> dict[str, tuple[Inflection, ...]]:
        """All forms of the listed adjectives."""
        table = self.table("adjectives")
        inflections: dict[str, tuple[Inflection, ...]] = {}
        for adjective in table.words("postnominal"):
            if not adjective.startswith("-"):
                for form, inflection in self._inflected(adjective, table):
                    inflections[form] = (*inflections.get(form, ()), inflection)
        return inflections

    def _inflected(self, adjective: str, table: WordTable) -> list[tuple[str, Inflection]]:
        paradigms = table.values("forms")
        endings = ("-" + adjective[index:] for index in range(len(adjective)))
        ending = next((ending for ending in endings if ending in paradigms), None)
        forms = [adjective, adjective + "s"]
        if adjective in paradigms:
            forms = list(paradigms[adjective])
        elif ending is not None:
            stem = adjective[: len(adjective) - len(ending) + 1]
            forms = [stem + form for form in paradigms[ending]]
        if adjective in table.words("common"):
            forms = [adjective] if adjective.endswith("s") else [adjective, adjective + "s"]
        return list(zip(forms, _PARADIGMS[len(forms)], strict=True))

    def is_listed_adjective(self, form: str) -> bool:
        """Whether the word is a form of a listed adjective."""
        return form in self.inflected_adjectives

    def can_agree(self, form: str, noun: Inflection) -> bool:
        """Whether the word could be an adjective of the noun; if it is not listed, only -s, -o and -a show it."""
        inflections = self.inflected_adjectives.get(form)
        if inflections is None:
            inflections = (self.shown_by_ending(form),)
        return any(
            None in (inflection.gender, noun.gender) or inflection.gender == noun.gender
            for inflection in inflections
            if None in (inflection.is_plural, noun.is_plural) or inflection.is_plural == noun.is_plural
        )

    def shown_by_ending(self, form: str) -> Inflection:
        """What the ending of an adjective shows."""
        base = form.removesuffix("s")
        gender = "feminine" if base.endswith(("a", "ã")) else "masculine" if base.endswith(("o", "u")) else None
        return Inflection(None if base.endswith("ista") else gender, form.endswith("s"))

    def is_adjective(self, form: str, noun: Inflection) -> bool:
        """Whether the word is certainly an adjective that agrees with the noun."""
        return self.can_agree(form, noun) and (self.is_listed_adjective(form) or self.looks_adjectival(form))

    def agreement_of(self, form: str) -> Inflection:
        """What a participle or adjective in a predicate shows: *cansada* is feminine and singular."""
        if self.is_participle(form) or not self.is_listed_adjective(form):
            return self.shown_by_ending(form) if self.looks_adjectival(form) else UNKNOWN
        inflections = self.inflected_adjectives[form]
        return inflections[0] if len(inflections) == 1 else UNKNOWN

    def looks_adjectival(self, form: str) -> bool:
        """Whether the form of an unlisted word shows that it is an adjective."""
        return self.is_participle(form) or self.has_adjective_ending(form)

    def has_adjective_ending(self, form: str) -> bool:
        """Whether the word ends as no finite verb does but a few irregular ones (*tenha*): *famosa*, *azuis*."""
        return form.endswith(self._adjective_endings) and form not in self.verbs.third_persons("clear")

    @cached_property
    def _adjective_endings(self) -> tuple[str, ...]:
        table = self.table("adjectives")
        endings = [form[1:] for form in table.words("postnominal") if form.startswith("-")]
        return tuple({form for ending in endings for form, _ in self._inflected(ending, table)} if endings else ())

    def may_precede(self, form: str, noun: Inflection) -> bool:
        """Whether an adjective that is not listed as such may come before its noun, and is rarely a noun itself."""
        is_known = self.is_listed_adjective(form) or self.has_adjective_ending(form)
        return is_known and self.can_agree(form, noun) and not self.is_noun_too(form)

    def is_noun(self, form: str) -> bool:  # noqa: ARG002
        """Whether the word is listed as a noun, in a language that lists what nouns denote."""
        return False

    def is_noun_too(self, form: str) -> bool:
        """Whether an adjective or function word is used as a noun as well: *segundo*, *vizinho*."""
        return form in self.table("adjectives").words("noun-too") or form in self.words("noun-too")

    def may_be_noun(self, form: str) -> bool:
        """Whether the word can be the noun after an adjective."""
        is_open = is_word(form) and (not self.is_closed(form) or form in self.prenominals)
        return is_open and not self.is_finite(form) and not self.is_gerund(form)

    def word_class(self, form: str) -> str:
        """What the word may be in a noun phrase, see `languages.base`."""
        if self.is_closed(form) or self.is_infinitive(form) or self.is_clitic(form) or self.is_gerund(form):
            return "end"
        if form in self.prenominals:
            return "adjective"
        if self.looks_finite(form):
            return "verb"
        is_adjective = self.is_listed_adjective(form) or self.looks_adjectival(form)
        return "" if is_adjective and not self.is_noun_too(form) else "noun"

    # What a language may add

    def without_clitic(self, form: str) -> str | None:  # noqa: ARG002
        """The verb that a clitic is written with, as if alone (*mirándo* → *mirando*); None if it is not one."""
        return None

    def check_possessive(self, around: Around) -> None:
        """Raise NotDerivedError if the possessive is something else, or has its own owner."""

    def has_article(self, around: Around) -> bool:
        """Whether an article, alone or in a contraction, already comes before the possessive."""
        form = around.previous_form
        return form in self.words("determined") or form in function_words(self.tag).contractions

    def other_complement(self, phrase: PossessedPhrase, index: int) -> int | None:  # noqa: ARG002
        """Where a complement other than *de* ends (*sac à dos*); None if none begins here."""
        return None

    def must_agree(self, form: str) -> bool:  # noqa: ARG002
        """Whether a word that cannot agree cannot be a verb either."""
        return False

    def acts_on(self, form: str, following: str) -> bool:  # noqa: ARG002
        """Whether an adjective after the subject can only be a verb with its object."""
        return False

    def has_own_complement(self, form: str, following: str) -> bool:  # noqa: ARG002
        """Whether an adjective governs what follows, so that the possessor comes before it: *plein de billes*."""
        return False

    def is_subordinate(self, phrase: PossessedPhrase) -> bool:  # noqa: ARG002
        """Whether the verb of an outer clause may follow the phrase."""
        return False


_PARADIGMS = {
    1: (UNKNOWN,),
    2: (Inflection(None, False), Inflection(None, True)),
    4: tuple(Inflection(gender, plural) for plural in (False, True) for gender in ("masculine", "feminine")),
}


def is_word(form: str) -> bool:
    """Whether the form is a word or number, not punctuation."""
    return form[:1].isalnum() or form[:1] == "_"
