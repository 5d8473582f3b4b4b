"""What a Romance language tells the rules of rewriting: its closed-class words by use, and how its words inflect.

`vocabulary.txt` of a language has its everyday nouns: gender, whether they are people, animals or things, synonyms of
the same gender, and the noun for the other sex.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, ClassVar

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.phrases import definite_article
from winoglot.languages.romance.rewriting.verbs import VerbForm, Verbs, verbs_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.languages.romance.grammar import Grammar


class Rules:
    """A language's words, for all kinds of rewriting."""

    grammar: ClassVar[Grammar]
    drops_subjects: ClassVar[bool] = True
    conjunction: ClassVar[str]  # between two names
    be: ClassVar[str]  # the auxiliary of the passive
    owners_show_number: ClassVar[bool] = False  # son, leur
    participle_endings: ClassVar[tuple[str, ...]] = ("\0",)  # of words after such an auxiliary that no table has
    person_endings: ClassVar[tuple[str, ...]] = ("\0",)  # endings of their verbs, where they need no pronoun
    who: ClassVar[str]  # the relative pronoun as subject
    for_anything: ClassVar[tuple[str, str]]  # proposed of what stands somewhere if no clause fits, past and present

    @property
    def tag(self) -> str:
        """The tag of the language."""
        return self.grammar.tag

    def words(self, use: str, table: str = "uses") -> frozenset[str]:
        """The words that a table lists for a use; `uses.txt` has the closed classes, `people.txt` what says of whom."""
        return lexicon(self.tag, table).words(use)

    def listed_with(self, key: str) -> Mapping[str, tuple[str, ...]]:
        """What `uses.txt` lists beside each word under a key."""
        return lexicon(self.tag, "uses").values(key)

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
        return frozenset(
            every - self.words("stressed-pronoun") - self.words("other-subject") | self.words("third-owner")
        )

    def closed_class(self, form: str) -> str:
        """The class of a word that belongs to one class only; empty if it is of an open one."""
        return self._closed_classes.get(form) or ("adverb" if self.is_adverb(form) else "")

    def is_adverb(self, form: str) -> bool:
        """Whether the word is a listed adverb, or one by its ending that is no verb (*vraiment*, not *aiment*)."""
        is_listed = form in self.grammar.words("adverb")
        return is_listed or (self.grammar.is_adverb(form) and not self.verbs.is_listed(form))

    @cached_property
    def _closed_classes(self) -> Mapping[str, str]:
        words = self.grammar.words
        classes = {
            "adverb": words("degree"),
            "subordinator": self.words("clause-opener"),
            "coordinator": self.words("joining") | words("coordinator"),
            "preposition": self.grammar.prepositions | self.words("opens-phrase"),
            "clitic": self.words("other-clitic"),
            "negation": words("negation") | words("verbal-negation"),
        }
        return {word: word_class for word_class, forms in classes.items() for word in forms}

    def kinds(self, table: str) -> Mapping[str, tuple[str, ...]]:
        """The kinds that each noun or verb of a table is of, as far as fitting clauses are concerned."""
        return lexicon(self.tag, table).values("kind")

    def base_forms(self, form: str) -> frozenset[str]:
        """What a word may be a form of: its singular, its masculine, its infinitive, and itself.

        >>> from winoglot.languages.pt.rewriting import RULES
        >>> sorted(RULES.base_forms("cansadas"))
        ['cansada', 'cansadas', 'cansado', 'cansados', 'cansar']
        """
        singulars = {form, *self.singulars(form)}
        masculines = {self.in_gender(singular, "masculine") or singular for singular in singulars}
        verbs = {analysis.infinitive for analysis in self.verbs.analyses(form)}
        first = self.verbs.first_person(form)
        others = {self.verbs.nonfinite(form) or form, first.infinitive if first else form}
        return frozenset(singulars | masculines | verbs | others)

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
        return self.inflected("pronoun-forms", form, gender, number)

    def inflected(self, key: str, form: str, gender: str, number: str) -> str | None:
        """A pronoun or determiner in a gender and number, by its line of four forms; None if it has none."""
        index = (number == "plural") * 2 + (gender == "feminine")
        lines = self.listed_with(key).values()
        return next((forms[index] for forms in lines if form in forms and forms[index] != "-"), None)

    def shown_number(self, form: str) -> str:
        """The number of a pronoun; singular if its form does not show it."""
        features = lexicon(self.tag, "pronouns").features().get(form)
        return (features.number if features else None) or "singular"

    def determiner(self, form: str, gender: str, number: str, following: str) -> str:
        """A determiner of one or two words (*a minha*) in another gender and number, before a certain word."""
        inflected = []
        for word in form.split():
            new = self.inflected("determiner-forms", word, gender, number)
            if new is None:
                raise NotDerivedError(f"the determiner {word!r} has no listed form in the other gender or number")
            inflected.append(new)
        return self.before_vowel(" ".join(inflected), following)

    def before_vowel(self, determiner: str, following: str) -> str:  # noqa: ARG002
        """The determiner or adjective as it is written before a word: *le* as *l'*, *vieux* as *vieil*."""
        return determiner

    def joined(self, determiner: str, noun: str) -> str:
        """A determiner and its noun."""
        gap = "" if determiner.endswith("'") or not determiner else " "
        return f"{determiner}{gap}{noun}"

    def possessive(self, gender: str, number: str, owners: str, following: str) -> str:
        """*son*, *sa*, *ses*, *leur* or *leurs*: by what is owned, and by the number of its owners."""
        if owners == "plural":
            return "leurs" if number == "plural" else "leur"
        return self.determiner("son", gender, number, following)

    def elides(self, following: str) -> bool:  # noqa: ARG002
        """Whether a pronoun loses its vowel before a word."""
        return False

    def article(self, gender: str, number: str) -> str:
        """The definite article."""
        return definite_article(gender, number, self.tag) or ""

    def finite_in_number(self, form: str, number: str, *, is_wish: bool = False) -> str | None:
        """A finite verb in the other number, of several the indicative unless it is a wish; None if it is not known."""
        analyses = [analysis for analysis in self.verbs.finite(form) if analysis.number != number]
        preferred = [analysis for analysis in analyses if analysis.infinitive in self.words("preferred")]
        written = {
            self.verbs.written(analysis.infinitive, analysis.tense, number) for analysis in preferred or analyses
        }
        if not written and self.verbs.finite(form):
            return form
        if len(written) > 1:  # the indicative rather than the subjunctive: "canta" of "cantar" and "cantir"
            chosen = next((form for form in analyses if is_wish and form.tense == "subjunctive"), analyses[0])
            written = {self.verbs.written(chosen.infinitive, chosen.tense, number)}
        return written.pop() if written else None

    def pluperfect(self, form: VerbForm) -> str | None:
        """The past before a past: *tinha vendido* for *vendeu*; None if the language has no simple past to replace."""
        have = self.verbs.written("ter", "imperfect", form.number) if self.drops_subjects else None
        return f"{have} {self.verbs.participle(form.infinitive)}" if have else None

    # Inflection, by each language

    @cached_property
    def plurals(self) -> Mapping[str, str]:
        """The plurals of listed nouns that no rule makes."""
        table = lexicon(self.tag, "vocabulary").values("plural-is")
        return {singular: plurals[0] for singular, plurals in table.items()}

    @cached_property
    def singulars_of(self) -> Mapping[str, str]:
        """The singulars of such plurals."""
        return {plural: singular for singular, plural in self.plurals.items()}

    def exchanged(self, word: str, key: str, *, back: bool = False) -> str | None:
        """A word with its longest ending that `inflections.txt` lists exchanged for the other, or the reverse."""
        endings = _exchanges(self.tag, key, back)
        shortest = 1 if key == "plural-is" and not back else 2  # "pé", "pés", but "mesa" is no "mês"
        parts = (("", word), *((word[:index], "-" + word[index:]) for index in range(shortest, len(word))))
        return next((stem + endings[ending] for stem, ending in parts if ending in endings), None)

    def in_plural(self, word: str) -> str | None:
        """The plural of a noun or adjective; None if the rules do not say."""
        raise NotImplementedError

    def in_singular(self, word: str) -> str | None:
        """The singular of a noun or adjective; None if the rules do not say."""
        raise NotImplementedError

    def in_gender(self, word: str, gender: str) -> str | None:
        """An adjective or participle in the other gender; the same if it has one form; None if that is unknown."""
        raise NotImplementedError


@cache
def _exchanges(tag: str, key: str, back: bool) -> Mapping[str, str]:
    """Each ending or word of `inflections.txt` with what takes its place; of several, the first."""
    exchanges: dict[str, str] = {}
    for form, others in lexicon(tag, "inflections").values(key).items():
        mark = "-" * form.startswith("-")
        old, new = (mark + others[0], form.removeprefix("-")) if back else (form, others[0])
        exchanges.setdefault(old, new)
    return exchanges
