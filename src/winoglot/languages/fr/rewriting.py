"""French words for rewriting: pronouns, auxiliaries, plurals and feminines; and the rules for each kind."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from winoglot.languages.fr.grammar import FRENCH
from winoglot.languages.lexicon import lexicon
from winoglot.languages.romance.rewriting import constructions as romance_constructions
from winoglot.languages.romance.rewriting import kinds_for
from winoglot.languages.romance.rewriting.rules import Rules
from winoglot.languages.substitution import usually_begins_with_vowel

if TYPE_CHECKING:
    from collections.abc import Mapping


class FrenchRules(Rules):
    """French."""

    grammar = FRENCH
    drops_subjects = False
    conjunction = "et"
    be = "être"

    owners_show_number = True
    participle_endings = ("é", "i", "u", "is", "it", "ert", "eint", "aint", "oint")
    who, for_anything = "qui", ("se trouvait là depuis quelque temps", "se trouve là depuis quelque temps")

    def pronoun(self, form: str, gender: str, number: str, *, after_preposition: bool = False) -> str | None:
        """*lui* and *leur* before a verb have one form for both genders; after a preposition *lui* is masculine."""
        plural, feminine = number == "plural", gender == "feminine"
        if form in ("lui", "leur") and not after_preposition:
            return "leur" if plural else "lui"
        if form in ("lui", "eux") or (after_preposition and form in self.words("subject-pronoun")):
            return ("elles" if feminine else "eux") if plural else ("elle" if feminine else "lui")
        if form == "l'":
            return "les" if plural else "la" if feminine else "le"
        return super().pronoun(form, gender, number)

    def determiner(self, form: str, gender: str, number: str, following: str) -> str:
        """A determiner in another gender and number; an elided article is written in full first."""
        return super().determiner("le" if form == "l'" else form, gender, number, following)

    def before_vowel(self, determiner: str, following: str) -> str:
        """The form before a vowel sound: *l'ami*, *cet ami*, *mon amie*, *vieil ami*."""
        if not self.elides(following):
            return determiner
        elided = self.exchanged(determiner, "elided-is")
        return elided or self.exchanged(determiner, "before-vowel-is") or determiner

    def elides(self, following: str) -> bool:
        """Whether a word begins with a vowel sound."""
        return bool(following) and usually_begins_with_vowel(following.strip("'’ "), "fr") is True

    def is_adjective(self, form: str) -> bool:
        """Whether the form is a listed adjective, or a plural of one."""
        return self.grammar.is_listed_adjective(form) or form.removesuffix("s") in self._singular_adjectives

    @cached_property
    def _singular_adjectives(self) -> frozenset[str]:
        table = self.grammar.table("adjectives")
        return table.words("postnominal") | table.words("prenominal")

    def in_plural(self, word: str) -> str | None:
        """The plural of a noun or adjective, by its ending.

        >>> [RULES.in_plural(word) for word in ("chat", "gâteau", "journal", "nez", "bijou", "grand-père")]
        ['chats', 'gâteaux', 'journaux', 'nez', 'bijoux', 'grands-pères']
        """
        if word in self.plurals:
            return self.plurals[word]
        word = self.exchanged(word, "before-vowel-is", back=True) or word
        return None if "-" in word else self.exchanged(word, "plural-is") or word + "s"

    def in_singular(self, word: str) -> str | None:
        """The singular of a noun or adjective; None if the rules do not say.

        >>> [RULES.in_singular(word) for word in ("chats", "gâteaux", "chevaux", "heureux")]
        ['chat', 'gâteau', 'cheval', 'heureux']
        """
        if word in self.singulars_of:
            return self.singulars_of[word]
        if word.endswith("s") and self.verbs.is_participle(word):
            return word[:-1] if self.verbs.is_participle(word[:-1]) else word  # "perdus", "mis"
        is_singular = word in self._singular_adjectives or word in self.vocabulary
        if word.endswith(("s", "x", "z")) and is_singular and word[:-1] not in self._singular_adjectives:
            return word
        if word.endswith("eaux"):
            return word[:-1]
        if word.endswith("aux"):
            return word[:-3] + "al"
        return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os")) else None

    def singulars(self, noun: str) -> tuple[str, ...]:
        """What may be the singular of a noun."""
        singular = self.in_singular(noun)
        return (singular, noun.removesuffix("s")) if singular else (noun.removesuffix("s"),)

    def in_gender(self, word: str, gender: str) -> str | None:
        """The other gender, by the adjectives of the table, which has both forms, and by the endings of participles.

        >>> [RULES.in_gender(word, "masculine") for word in ("fatiguée", "heureuse", "jeune", "assises", "vives")]
        ['fatigué', 'heureux', 'jeune', 'assis', 'vifs']
        >>> [RULES.in_gender(word, "feminine") for word in ("fatigués", "heureux", "gentil", "fier", "content")]
        ['fatiguées', 'heureuse', 'gentille', 'fière', 'contente']
        """
        word = self.exchanged(word, "before-vowel-is", back=True) or word
        if word in ("tous", "toutes", "deux"):
            return word if word == "deux" else "tous" if gender == "masculine" else "toutes"
        is_singular = word in self._singular_adjectives or word in self.grammar.verbs.table.words("in-s")
        plural = word.endswith("eaux") or (word.endswith("s") and (not is_singular or word[:-1] in self._masculines))
        base = word[:-1] if plural else word
        table = self._feminines if gender == "feminine" else self._masculines
        inflected: str | None
        if base in table:
            inflected = table[base]
        elif (gender == "feminine" and base in self._masculines) or (gender == "masculine" and base in self._feminines):
            inflected = base
        elif base in self._singular_adjectives and base.endswith("e"):
            inflected = base  # "sale"
        else:
            inflected = self._regular(base, gender)
        if inflected is None:
            return None
        return self.in_plural(inflected) if plural else inflected

    def _regular(self, base: str, gender: str) -> str | None:
        """A singular adjective or participle that is not listed, by its ending: *fatigué*, *fatiguée*."""
        pairs = [(form, values[0]) for form, values in self._endings.items() if form in self._regular_endings]
        pairs.sort(key=lambda pair: -len(pair[0]))
        old, new = (1, 0) if gender == "masculine" else (0, 1)
        for pair in ((masculine.removeprefix("-"), feminine) for masculine, feminine in pairs):
            if base.endswith(pair[old]):
                return base.removesuffix(pair[old]) + pair[new]
        if any(base.endswith(feminine if gender == "feminine" else masculine[1:]) for masculine, feminine in pairs):
            return base
        return base if gender == "feminine" and base.endswith("e") else None

    @cached_property
    def _endings(self) -> Mapping[str, tuple[str, ...]]:
        return lexicon(self.tag, "inflections").values("feminine-is")

    @cached_property
    def _regular_endings(self) -> frozenset[str]:
        return lexicon(self.tag, "inflections").words("regular")

    @cached_property
    def _feminines(self) -> dict[str, str]:
        return {masculine: feminine for feminine, masculine in self._masculines.items()}

    @cached_property
    def _masculines(self) -> dict[str, str]:
        """The masculine of each feminine adjective of the table, which lists the two side by side."""
        adjectives = (form for form in self.grammar.table("adjectives").entries if not form.startswith("-"))
        listed = {form for form in adjectives if self.exchanged(form, "before-vowel-is", back=True) is None}
        whole = {values[0]: word for word, values in self._endings.items() if not word.startswith("-")}
        paired = {
            feminine: masculine for masculine in listed for feminine in self._possible_feminines(masculine) & listed
        }
        return paired | whole

    def _possible_feminines(self, masculine: str) -> set[str]:
        cuts = [(masculine[:index], masculine[index:]) for index in range(len(masculine))]
        feminines = {stem + new for stem, end in cuts for new in self._endings.get("-" + end, ())}
        return (feminines | {masculine + "e"}) - {masculine}


RULES = FrenchRules()

adverb, gender, number, relative, synonym, tense = kinds_for(RULES)
constructions = partial(romance_constructions, rules=RULES)
