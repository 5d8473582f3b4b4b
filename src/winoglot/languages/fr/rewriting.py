"""French words for rewriting: pronouns, auxiliaries, plurals and feminines; and the rules for each kind."""

from __future__ import annotations

from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from winoglot.languages.fr.grammar import FRENCH
from winoglot.languages.romance import rewriting as romance
from winoglot.languages.romance.rewriting.rules import Rules

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws, Rewriting
    from winoglot.schemas.model import Item


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


class FrenchRules(Rules):
    """French."""

    grammar = FRENCH
    drops_subjects = False
    conjunction = "et"
    repeated = _words("à de d'")
    subjects = _words("il elle ils elles")
    pronouns = _words("il elle ils elles eux lui")
    object_clitics = _words("le la l' les lui leur")
    clitics = _words("me m' te t' se s' y en")
    possessives = _words("son sa ses leur leurs")
    other_subjects = _words("je j' tu on nous vous ce c' ça cela ceci personne rien tout quelqu'un chacun chacune qui")
    relatives = _words("qui que qu' dont où lequel laquelle lesquels lesquelles")
    subject_relatives = _words("qui")
    joining = _words("et ou mais puis")
    opening = _words("que qu' quand lorsque lorsqu' si s' car puisque puisqu' quoique comme donc où or parce tandis alors sinon")
    of = _words("de d'")
    auxiliaries = MappingProxyType(
        {
            "avoir": ("participle",),
            "être": ("participle",),
            **dict.fromkeys(
                "aller pouvoir devoir vouloir savoir faire laisser oser espérer préférer aimer sembler paraître falloir "
                "venir penser croire détester adorer faillir".split(),  # noqa: SIM905
                ("infinitive",),
            ),
            **dict.fromkeys(
                "commencer continuer réussir parvenir apprendre chercher hésiter arriver "
                "cesser arrêter finir essayer décider refuser oublier tenter risquer éviter promettre choisir".split(),  # noqa: SIM905
                ("infinitive",),
            ),
        }
    )
    before_infinitive = MappingProxyType(
        {
            **dict.fromkeys("commencer continuer réussir parvenir apprendre chercher hésiter arriver".split(), ("à",)),  # noqa: SIM905
            **dict.fromkeys(
                "venir cesser arrêter finir essayer décider refuser oublier tenter risquer éviter promettre choisir".split(),  # noqa: SIM905
                ("de", "d'"),
            ),
        }
    )
    passive_auxiliaries = _words("être")
    copulas = _words("être sembler paraître devenir rester demeurer sentir trouver montrer")
    preferred = _words("être avoir aller faire dire voir finir devoir")
    sure_verbs = _words("a est était étaient avait avaient sont ont va vont fait font peut veut doit dit sera aura")

    def is_adjective(self, form: str) -> bool:
        """A listed adjective, or a plural of one."""
        return self.grammar.is_listed_adjective(form) or form.removesuffix("s") in self._singular_adjectives

    @cached_property
    def _singular_adjectives(self) -> frozenset[str]:
        table = self.grammar.table("adjectives")
        return table.words("postnominal") | table.words("prenominal")

    def in_plural(self, word: str) -> str | None:
        """By its ending.

        >>> [RULES.in_plural(word) for word in ("chat", "gâteau", "journal", "nez", "bijou", "grand-père")]
        ['chats', 'gâteaux', 'journaux', 'nez', 'bijoux', 'grands-pères']
        """
        listed = self._plurals.get(word)
        if listed:
            return listed
        if "-" in word:
            return None
        if word.endswith(("s", "x", "z")):
            return word
        if word.endswith("al"):
            return word[:-2] + "aux"
        return word + "x" if word.endswith(("au", "eu")) else word + "s"

    def in_singular(self, word: str) -> str | None:
        """The word whose plural it is.

        >>> [RULES.in_singular(word) for word in ("chats", "gâteaux", "chevaux", "heureux")]
        ['chat', 'gâteau', 'cheval', None]
        """
        for singular, plural in self._plurals.items():
            if plural == word:
                return singular
        if word.endswith("eaux"):
            return word[:-1]
        if word.endswith("aux"):
            return word[:-3] + "al"
        return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os")) else None

    @cached_property
    def _plurals(self) -> dict[str, str]:
        table = self.grammar.table("vocabulary").values("irregular-plural")
        return {form: values[0] for form, values in table.items()}

    def singulars(self, noun: str) -> tuple[str, ...]:
        """What may be the singular of a noun."""
        made = self.in_singular(noun)
        return (made, noun.removesuffix("s")) if made else (noun.removesuffix("s"),)

    def in_gender(self, word: str, gender: str) -> str | None:
        """By the adjectives of the table, which has both forms, and by the endings of participles.

        >>> [RULES.in_gender(word, "masculine") for word in ("fatiguée", "heureuse", "jeune", "assises", "vives")]
        ['fatigué', 'heureux', 'jeune', 'assis', 'vifs']
        >>> [RULES.in_gender(word, "feminine") for word in ("fatigués", "heureux", "gentil", "fier", "content")]
        ['fatiguées', 'heureuse', 'gentille', 'fière', 'contente']
        """
        plural = word.endswith("s") and word not in self._singular_adjectives and not word.endswith(("ss",))
        base = word[:-1] if plural else word
        table = self._feminines if gender == "feminine" else self._masculines
        if base in table:
            made = table[base]
        elif gender == "feminine" and base in self._masculines or gender == "masculine" and base in self._feminines:
            made = base
        else:
            made = self._participle_in(base, gender)
        if made is None:
            return None
        if not plural:
            return made
        return self.in_plural(made)

    def _participle_in(self, base: str, gender: str) -> str | None:
        """*fatiguée*, *partie*, *vue*, *mise*, *ouverte*: without the last letter; and with it."""
        if gender == "masculine":
            if base.endswith(("ée", "ie", "ue", "ise", "ite", "erte", "inte", "uite")):
                return base[:-1]
            return base if base.endswith(("é", "i", "u", "is", "it", "ert", "int", "e")) else None
        if base.endswith(("é", "i", "u", "is", "it", "ert", "int", "uit")):
            return base + "e"
        return base if base.endswith("e") else None

    @cached_property
    def _feminines(self) -> dict[str, str]:
        return {masculine: feminine for feminine, masculine in self._masculines.items()}

    @cached_property
    def _masculines(self) -> dict[str, str]:
        """The masculine of each feminine adjective of the table, where the two stand side by side."""
        listed = [form for form in self.grammar.table("adjectives").entries if not form.startswith("-")]
        found: dict[str, str] = {}
        known = set(listed)
        for masculine in listed:
            for feminine in _feminine_forms(masculine):
                if feminine in known and feminine != masculine:
                    found[feminine] = masculine
        return found | {"prête": "prêt", "sotte": "sot", "nulle": "nul", "toute": "tout", "seule": "seul"}


def _feminine_forms(masculine: str) -> list[str]:
    endings = (
        *(("eux", "euse"), ("oux", "ouse"), ("if", "ive"), ("er", "ère"), ("el", "elle"), ("en", "enne"), ("on", "onne")),
        *(("et", "ette"), ("et", "ète"), ("os", "osse"), ("as", "asse"), ("ais", "aisse"), ("ais", "aîche"), ("c", "que")),
        *(("c", "che"), ("eau", "elle"), ("ou", "olle"), ("oux", "ouce"), ("aux", "ausse"), ("eux", "eille"), ("f", "ve")),
        *(("ec", "èche"), ("ef", "ève"), ("il", "ille"), ("gu", "guë"), ("ong", "ongue"), ("eur", "euse"), ("eur", "rice")),
        *(("i", "ite"), ("ou", "otte"), ("oux", "ousse"), ("", "e")),
    )
    return [
        masculine[: len(masculine) - len(old)] + new for old, new in endings if not old or masculine.endswith(old)
    ]


RULES = FrenchRules()


def relative(item: Item, draws: Draws) -> Rewriting:
    """A relative clause after the first candidate."""
    return romance.relative(item, draws, RULES)


def synonym(item: Item, draws: Draws) -> Rewriting:
    """Other names or nouns for both candidates."""
    return romance.synonym(item, draws, RULES)
