"""French words for rewriting: pronouns, auxiliaries, plurals and feminines; and the rules for each kind."""

from __future__ import annotations

from functools import cached_property, partial

from winoglot.languages.fr.grammar import FRENCH
from winoglot.languages.romance.rewriting import constructions as romance_constructions
from winoglot.languages.romance.rewriting import kinds_for
from winoglot.languages.romance.rewriting.rules import Rules
from winoglot.languages.substitution import usually_begins_with_vowel


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
        if form in ("son", "sa", "leur"):
            return "leur" if plural else None if form == "leur" else form
        if form in ("ses", "leurs"):
            return "leurs" if plural else "ses"
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
        elided = {"le": "l'", "la": "l'", "ce": "cet", "ma": "mon", "ta": "ton", "sa": "son"}
        return (elided | _BEFORE_VOWEL).get(determiner, determiner)

    def changes_before_vowel(self, adjective: str) -> bool:
        """*vieux*, *beau*, *nouveau*, and their forms before a vowel."""
        return adjective in _BEFORE_VOWEL or adjective in _FULL

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
        listed_plural = self._plurals.get(word)
        if listed_plural:
            return listed_plural
        word = _FULL.get(word, word)
        if "-" in word:
            return None
        if word.endswith(("s", "x", "z")) or word in ("tout", "marron", "orange", "chic", "turquoise"):
            return word
        if word.endswith("al"):
            return word[:-2] + "aux"
        return word + "x" if word.endswith(("au", "eu")) else word + "s"

    def in_singular(self, word: str) -> str | None:
        """The singular of a noun or adjective; None if the rules do not say.

        >>> [RULES.in_singular(word) for word in ("chats", "gâteaux", "chevaux", "heureux")]
        ['chat', 'gâteau', 'cheval', 'heureux']
        """
        for singular, plural in self._plurals.items():
            if plural == word:
                return singular
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

    @cached_property
    def _plurals(self) -> dict[str, str]:
        table = self.grammar.table("vocabulary").values("plural-is")
        return {form: values[0] for form, values in table.items()}

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
        word = _FULL.get(word, word)
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
            inflected = self._participle_in(base, gender)
        if inflected is None:
            return None
        return self.in_plural(inflected) if plural else inflected

    def _participle_in(self, base: str, gender: str) -> str | None:
        """A singular participle in the other gender, by its ending: *fatigué*, *fatiguée*; *mis*, *mise*."""
        if gender == "masculine":
            pair = next((pair for pair in _ENDINGS if base.endswith(pair[1])), None)
            if pair:
                return base.removesuffix(pair[1]) + pair[0]
            is_masculine = base.endswith(("é", "i", "u", "is", "it", "ert", "int", *(pair[0] for pair in _ENDINGS)))
            return base if is_masculine or base.endswith(_OF_BOTH) else None
        if base.endswith(_OF_BOTH):
            return base
        pair = next((pair for pair in _ENDINGS if base.endswith(pair[0])), None)
        if pair:
            return base.removesuffix(pair[0]) + pair[1]
        if base.endswith(("é", "i", "u", "is", "it", "ert", "int", "uit")):
            return base + "e"
        return base if base.endswith("e") else None

    @cached_property
    def _feminines(self) -> dict[str, str]:
        return {masculine: feminine for feminine, masculine in self._masculines.items()}

    @cached_property
    def _masculines(self) -> dict[str, str]:
        """The masculine of each feminine adjective of the table, which lists the two side by side."""
        listed = [form for form in self.grammar.table("adjectives").entries if not form.startswith("-")]
        masculines: dict[str, str] = {}
        forms = set(listed)
        for masculine in listed:
            for feminine in _feminine_forms(masculine):
                if feminine in forms and feminine != masculine:
                    masculines[feminine] = masculine
        return masculines | dict(pair.split("/") for pair in _IRREGULAR.split())


_IRREGULAR = (
    "prête/prêt sotte/sot nulle/nul toute/tout seule/seul belle/beau nouvelle/nouveau nette/net lasse/las grasse/gras "
    "mignonne/mignon maligne/malin radine/radin commune/commun opportune/opportun grecque/grec menteuse/menteur "
    "travailleuse/travailleur trompeuse/trompeur moqueuse/moqueur rieuse/rieur joueuse/joueur rêveuse/rêveur "
    "flatteuse/flatteur voleuse/voleur râleuse/râleur charmeuse/charmeur tricheuse/tricheur"
)
_BEFORE_VOWEL = {"vieux": "vieil", "beau": "bel", "nouveau": "nouvel"}
_FULL = {short: full for full, short in _BEFORE_VOWEL.items()}
_ENDINGS = (
    *(
        ("ieux", "ieuse"),
        ("reux", "reuse"),
        ("if", "ive"),
        ("ant", "ante"),
        ("ent", "ente"),
        ("ain", "aine"),
        ("ien", "ienne"),
    ),
    *(("ier", "ière"), ("el", "elle"), ("é", "ée"), ("i", "ie"), ("u", "ue"), ("is", "ise"), ("it", "ite")),
    *(("ert", "erte"), ("int", "inte"), ("al", "ale"), ("ard", "arde"), ("ais", "aise"), ("ois", "oise")),
)
_OF_BOTH = ("able", "ible", "uble", "ique", "iste", "ile", "aire", "oire", "ide", "esque", "ogue", "ète", "ste", "que")


def _feminine_forms(masculine: str) -> list[str]:
    endings = (
        *(
            ("eux", "euse"),
            ("oux", "ouse"),
            ("if", "ive"),
            ("er", "ère"),
            ("el", "elle"),
            ("en", "enne"),
            ("on", "onne"),
        ),
        *(
            ("et", "ette"),
            ("et", "ète"),
            ("os", "osse"),
            ("as", "asse"),
            ("ais", "aisse"),
            ("ais", "aîche"),
            ("c", "que"),
        ),
        *(
            ("c", "che"),
            ("eau", "elle"),
            ("ou", "olle"),
            ("oux", "ouce"),
            ("aux", "ausse"),
            ("eux", "eille"),
            ("f", "ve"),
        ),
        *(
            ("ec", "èche"),
            ("ef", "ève"),
            ("il", "ille"),
            ("gu", "guë"),
            ("ong", "ongue"),
            ("eur", "euse"),
            ("eur", "rice"),
        ),
        *(("i", "ite"), ("ou", "otte"), ("oux", "ousse"), ("", "e")),
    )
    return [masculine[: len(masculine) - len(old)] + new for old, new in endings if not old or masculine.endswith(old)]


RULES = FrenchRules()

adverb, gender, number, relative, synonym, tense = kinds_for(RULES)
constructions = partial(romance_constructions, rules=RULES)
