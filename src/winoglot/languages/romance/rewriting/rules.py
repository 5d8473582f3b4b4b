"""What a Romance language tells the rules of rewriting: its closed-class words by use, and how its words inflect.

`vocabulary.txt` of a language has its everyday nouns: gender, whether they are people, animals or things, synonyms of
the same gender, and the noun for the other sex.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.phrases import definite_article
from winoglot.languages.romance.rewriting.verbs import VerbForm, Verbs, verbs_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.languages.romance.grammar import Grammar


def words(line: str) -> frozenset[str]:
    """The words of a line."""
    return frozenset(line.split())


class Rules:
    """A language's words, for all kinds of rewriting."""

    grammar: ClassVar[Grammar]
    drops_subjects: ClassVar[bool] = True
    conjunction: ClassVar[str]  # between two names
    repeated: ClassVar[frozenset[str]] = frozenset()  # prepositions that are repeated before each name: à Anne et à Luc
    subjects: ClassVar[frozenset[str]]  # third-person pronouns that may be subjects
    pronouns: ClassVar[frozenset[str]]  # all stressed third-person pronouns, also with a preposition (dele)
    object_clitics: ClassVar[frozenset[str]]  # third-person ones; some are articles as well
    clitics: ClassVar[frozenset[str]]
    possessives: ClassVar[frozenset[str]]
    other_subjects: ClassVar[frozenset[str]]  # first and second persons, indefinite pronouns
    relatives: ClassVar[frozenset[str]]
    subject_relatives: ClassVar[frozenset[str]] = frozenset()
    joining: ClassVar[frozenset[str]]  # a verb after them may have the subject of the verb before
    opening: ClassVar[frozenset[str]]  # what begins a clause
    prepositions: ClassVar[frozenset[str]] = frozenset()  # besides those of the grammar
    of: ClassVar[frozenset[str]]
    auxiliaries: ClassVar[Mapping[str, tuple[str, ...]]]  # by infinitive: participle, infinitive, gerund may follow
    before_infinitive: ClassVar[Mapping[str, tuple[str, ...]]]  # what comes between them and an infinitive
    passive_auxiliaries: ClassVar[frozenset[str]]
    be: ClassVar[str]  # the auxiliary of the passive
    by: ClassVar[str]  # the preposition of its agent
    to_whom: ClassVar[frozenset[str]]  # clitics that are no object of a passive
    left_out: ClassVar[frozenset[str]]  # subjects that a passive need not name: eu, on
    without: ClassVar[frozenset[str]]  # before an infinitive whose subject is that of the verb: sem provar
    making: ClassVar[frozenset[str]]  # an adjective after their object may say what becomes of it: deixou a luz acesa
    filling: ClassVar[frozenset[str]]  # after their object, "de" opens what it is filled with
    copulas: ClassVar[frozenset[str]]
    reflexive_copulas: ClassVar[frozenset[str]]  # copulas if they are reflexive: se croire
    preferred: ClassVar[frozenset[str]]  # the verb of a form that several share
    sure_verbs: ClassVar[frozenset[str]] = frozenset()  # finite forms that are almost never anything else
    owners_show_number: ClassVar[bool] = False  # son, leur
    never_referred: ClassVar[frozenset[str]] = frozenset()  # nouns of fixed expressions, which no pronoun takes up
    past_auxiliaries: ClassVar[frozenset[str]] = frozenset()  # infinitives and gerunds before a participle: ter, avoir
    pronoun_forms: ClassVar[tuple[tuple[str, str, str, str], ...]]  # masculine, feminine, and both in the plural
    determiner_forms: ClassVar[tuple[tuple[str, str, str, str], ...]]
    past_and_passive: ClassVar[frozenset[str]]  # auxiliaries that say nothing themselves
    negative: ClassVar[frozenset[str]]  # conjunctions and pronouns that negate their clause
    plain_negation: ClassVar[frozenset[str]]  # words that only deny: não, ne … pas
    haste: ClassVar[frozenset[str]]  # words with which "at last" does not go
    accidental: ClassVar[tuple[str, ...]]  # phrases that say that nobody wanted it
    verbs_too: ClassVar[frozenset[str]] = frozenset()  # function words that are verbs after a negation or pronoun
    places: ClassVar[frozenset[str]]  # after which the subject may follow its verb: onde
    times: ClassVar[frozenset[str]] = frozenset()  # nouns of time
    requests: ClassVar[frozenset[str]] = frozenset()  # verbs besides those of saying that a clause with que follows
    taking: ClassVar[frozenset[str]]  # verbs after which a preposition opens what somebody is taken for
    perfect: ClassVar[frozenset[str]] = frozenset()  # forms of the auxiliary of compound tenses
    participle_endings: ClassVar[tuple[str, ...]] = ("\0",)  # of words after such an auxiliary that no table has
    other_persons: ClassVar[frozenset[str]]  # pronouns of the first and second persons
    person_endings: ClassVar[tuple[str, ...]] = ("\0",)  # endings of their verbs, where they need no pronoun
    modals: ClassVar[frozenset[str]]  # with them an infinitive has its own passive: pode ser visto
    impersonals: ClassVar[frozenset[str]] = frozenset()  # verbs without a subject where none is spoken
    selves: ClassVar[frozenset[str]] = frozenset()  # after a pronoun: ele mesmo
    lone: ClassVar[frozenset[str]] = frozenset()  # adjectives that may be anywhere in their clause: sozinho, toda
    agreeing_relatives: ClassVar[frozenset[str]] = frozenset()
    both: ClassVar[frozenset[str]] = frozenset()  # refers to two people: os dois
    quantifiers: ClassVar[frozenset[str]] = frozenset()  # muitos, trop: what is said need not hold for all of them
    whole: ClassVar[frozenset[str]] = frozenset()  # before an adjective: toda suja
    tongues: ClassVar[frozenset[str]] = frozenset()  # languages, which adjectives name
    of_nouns: ClassVar[frozenset[str]]  # prepositions besides "de" whose phrase may belong to the noun before them
    who: ClassVar[str]  # the relative pronoun as subject
    with_subjunctive: ClassVar[frozenset[str]] = frozenset()  # before "que": avant, pour
    because: ClassVar[frozenset[str]]  # conjunctions of cause
    for_anything: ClassVar[tuple[str, str]]  # a clause that is proposed where none fits, in the past and the present

    @property
    def tag(self) -> str:
        """The tag of the language."""
        return self.grammar.tag

    @cached_property
    def verbs(self) -> Verbs:
        """The verbs of the language, with their forms."""
        return verbs_of(self.tag)

    @cached_property
    def vocabulary(self) -> Mapping[str, object]:
        """The everyday nouns of the language."""
        return lexicon(self.tag, "vocabulary").entries

    @cached_property
    def determiners(self) -> frozenset[str]:
        """Words that begin a noun phrase and are not pronouns."""
        words = function_words(self.tag)
        numerals = self.grammar.words("numeral") | lexicon(self.tag, "determiners").words("articleless")
        quantifiers = self.grammar.words("determiner") | lexicon(self.tag, "determiners").words("predeterminer")
        every = words.determiners | words.possessives | numerals | quantifiers
        return frozenset(every - self.pronouns - self.other_subjects | self.possessives)

    # Words about people, from `people.txt`

    @cached_property
    def gendered(self) -> frozenset[str]:
        """Words whose meaning shows the sex of a person."""
        return lexicon(self.tag, "people").words("gendered")

    @cached_property
    def renaming(self) -> frozenset[str]:
        """Nouns by which a text may call a person again: *o vizinho*."""
        return lexicon(self.tag, "people").words("renaming")

    @cached_property
    def parents(self) -> frozenset[str]:
        """Words for parents, beside which *fille* is somebody's daughter."""
        return lexicon(self.tag, "people").words("parent")

    def kinds(self, table: str) -> Mapping[str, tuple[str, ...]]:
        """The kinds that each noun or verb of a table is of, as far as fitting clauses are concerned."""
        return lexicon(self.tag, table).values("kind")

    def base_forms(self, form: str) -> frozenset[str]:
        """What a word may be a form of: its singular, its masculine, its infinitive, and itself.

        >>> from winoglot.languages.pt.rewriting import RULES
        >>> sorted(RULES.base_forms("cansadas"))
        ['cansada', 'cansadas', 'cansado', 'cansar']
        """
        singulars = {form, *self.singulars(form)}
        masculines = {self.in_gender(singular, "masculine") or singular for singular in singulars}
        verbs = {analysis.infinitive for analysis in self.verbs.analyses(form)}
        first = self.verbs.first_person(form)
        others = {self.verbs.nonfinite(form) or form, first.infinitive if first else form}
        return frozenset(singulars | masculines | verbs | others)

    @cached_property
    def own_one(self) -> frozenset[str]:
        """Nouns for what each person has one of, so that several people have several: *marido*."""
        return lexicon(self.tag, "people").words("own-one")

    # Words of open classes

    def is_infinitive(self, form: str) -> bool:
        """Whether the form is an infinitive."""
        return form in self.verbs.infinitives or self.grammar.is_infinitive(form)

    def is_adjective(self, form: str) -> bool:
        """Whether the form is a listed adjective, or has an ending that only adjectives have."""
        return self.grammar.is_listed_adjective(form) or self.grammar.has_adjective_ending(form)

    def before_clitic(self, verb: str, clitic: str) -> str:  # noqa: ARG002
        """The verb as it is written without the clitic after it."""
        return verb

    def listed(self, noun: str) -> str | None:
        """The singular of a noun, as it is in the vocabulary; None if it is not there."""
        table = lexicon(self.tag, "vocabulary")
        return next((form for form in (noun, *self.singulars(noun)) if form in table), None)

    def animacy(self, noun: str) -> str | None:
        """Human, animal or thing; None if the noun is not listed."""
        singular = self.listed(noun)
        features = lexicon(self.tag, "vocabulary").features().get(singular or "")
        return features.animacy if features else None

    def noun_gender(self, noun: str) -> str | None:
        """The gender of a noun by the tables of nouns, or by its ending; None if nothing shows it."""
        tables = (lexicon(self.tag, name).features() for name in ("vocabulary", "nouns"))
        forms = (noun, *self.singulars(noun))
        listed = [table[form].gender for table in tables for form in forms if form in table and table[form].gender]
        if listed:
            return listed[0]
        endings = lexicon(self.tag, "nouns").endings()
        by_ending = (
            endings[form[index:]].gender for form in forms for index in range(1, len(form)) if form[index:] in endings
        )
        return next(by_ending, None)

    def likely_gender(self, noun: str) -> str | None:  # noqa: ARG002
        """The gender that a noun's ending makes likely, for proposals; None if the ending shows nothing."""
        return None

    def noun_number(self, noun: str) -> str | None:
        """The number of a noun, if it is listed."""
        singular = self.listed(noun)
        return None if singular is None else "singular" if singular == noun else "plural"

    def singulars(self, noun: str) -> tuple[str, ...]:
        """What may be the singular of a noun."""
        return self.grammar.singulars(noun)

    def pronoun(self, form: str, gender: str, number: str, *, after_preposition: bool = False) -> str | None:
        """A third-person pronoun in another gender and number; None if it is not listed."""
        del after_preposition
        index = (number == "plural") * 2 + (gender == "feminine")
        return next((forms[index] for forms in self.pronoun_forms if form in forms), None)

    def shown_number(self, form: str) -> str:
        """The number of a pronoun; singular if its form does not show it."""
        features = lexicon(self.tag, "pronouns").features().get(form)
        return (features.number if features else None) or "singular"

    def determiner(self, form: str, gender: str, number: str, following: str) -> str:
        """A determiner of one or two words (*a minha*) in another gender and number, before a certain word."""
        inflected = []
        index = (number == "plural") * 2 + (gender == "feminine")
        for word in form.split():
            forms = next((forms for forms in self.determiner_forms if word in forms), None)
            if forms is None or not forms[index]:
                raise NotDerivedError(f"the determiner {word!r} has no listed form in the other gender or number")
            inflected.append(forms[index])
        return self.before_vowel(" ".join(inflected), following)

    def before_vowel(self, determiner: str, following: str) -> str:  # noqa: ARG002
        """The determiner or adjective as it is written before a word: *le* as *l'*, *vieux* as *vieil*."""
        return determiner

    def joined(self, determiner: str, noun: str) -> str:
        """A determiner and its noun."""
        gap = "" if determiner.endswith("'") or not determiner else " "
        return f"{determiner}{gap}{noun}"

    def owned(self, gender: str, number: str, following: str) -> str:
        """The possessive of one owner of one thing, or of several owners of several."""
        return "leurs" if number == "plural" else self.determiner("son", gender, "singular", following)

    def elides(self, following: str) -> bool:  # noqa: ARG002
        """Whether a pronoun loses its vowel before a word."""
        return False

    def article(self, gender: str, number: str) -> str:
        """The definite article."""
        return definite_article(gender, number, self.tag) or ""

    def finite_in_number(self, form: str, number: str, *, is_wish: bool = False) -> str | None:
        """A finite verb in the other number, of several the indicative unless it is a wish; None if it is not known."""
        analyses = [analysis for analysis in self.verbs.finite(form) if analysis.number != number]
        preferred = [analysis for analysis in analyses if analysis.infinitive in self.preferred]
        written = {
            self.verbs.written(analysis.infinitive, analysis.tense, number) for analysis in preferred or analyses
        }
        if not written and self.verbs.finite(form):
            return form
        if len(written) > 1:  # the indicative rather than the subjunctive: "canta" of "cantar" and "cantir"
            chosen = next((form for form in analyses if is_wish and form.tense == "subjunctive"), analyses[0])
            written = {self.verbs.written(chosen.infinitive, chosen.tense, number)}
        return written.pop() if written else None

    def passive_participle(self, infinitive: str) -> str:
        """The participle after *be*, masculine singular."""
        return self.verbs.participle(infinitive)

    def pluperfect(self, form: VerbForm) -> str | None:
        """The past before a past: *tinha vendido* for *vendeu*; None if the language has no simple past to replace."""
        have = self.verbs.written("ter", "imperfect", form.number) if self.drops_subjects else None
        return f"{have} {self.verbs.participle(form.infinitive)}" if have else None

    # Inflection, by each language

    def in_plural(self, word: str) -> str | None:
        """The plural of a noun or adjective; None if the rules do not say."""
        raise NotImplementedError

    def in_singular(self, word: str) -> str | None:
        """The singular of a noun or adjective; None if the rules do not say."""
        raise NotImplementedError

    def in_gender(self, word: str, gender: str) -> str | None:
        """An adjective or participle in the other gender; the same if it has one form; None if that is unknown."""
        raise NotImplementedError
