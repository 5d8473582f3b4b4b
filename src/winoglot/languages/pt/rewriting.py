"""Portuguese words for rewriting: pronouns, auxiliaries, plurals and feminines; and the rules for each kind."""

from __future__ import annotations

from functools import partial

from winoglot.languages.pt.grammar import PORTUGUESE
from winoglot.languages.romance.rewriting import constructions as romance_constructions
from winoglot.languages.romance.rewriting import kinds_for
from winoglot.languages.romance.rewriting.rules import Rules


class PortugueseRules(Rules):
    """Portuguese."""

    grammar = PORTUGUESE
    conjunction = "e"
    be = "ser"

    person_endings = ("amos", "emos", "imos", "ei", "edi", "ive", "usse")
    who, for_anything = "que", ("estava ali havia algum tempo", "está ali há algum tempo")

    def before_clitic(self, verb: str, clitic: str) -> str:
        """The verb without the clitic after it: *levá-la* → *levar*, *viu-o* → *viu*."""
        full_verb = self.grammar.table("verbs").values("before-clitic").get(verb)
        if full_verb:
            return full_verb[0]
        if clitic in ("lo", "la", "los", "las"):
            return verb.translate(str.maketrans("áéíê", "aeie")) + "r"
        return verb

    def is_infinitive(self, form: str) -> bool:
        """Whether a word is an infinitive, perhaps a personal one: *saírem*."""
        return super().is_infinitive(form) and form not in ("para",)

    def in_plural(self, word: str) -> str | None:
        """The plural of a noun or adjective, by its ending; words in -ão have -ões unless they are listed.

        >>> [RULES.in_plural(word) for word in ("gato", "papel", "homem", "flor", "lápis", "irmão", "azul", "fóssil")]
        ['gatos', 'papéis', 'homens', 'flores', 'lápis', 'irmãos', 'azuis', 'fósseis']
        """
        return None if "-" in word else self.plurals.get(word) or self.exchanged(word, "plural-is")

    def in_singular(self, word: str) -> str | None:
        """The singular of a noun or adjective; None if the rules do not say.

        >>> [RULES.in_singular(word) for word in ("gatos", "papéis", "flores", "irmãos", "meses", "sutis")]
        ['gato', 'papel', 'flor', 'irmão', 'mês', 'sutil']
        """
        listed = self.singulars_of.get(word)
        singular = self.exchanged(word, "plural-is", back=True) or ""
        is_stressed = singular.endswith("i") and singular.isascii() and singular[-2:-1] not in "aeiou"
        if is_stressed and singular not in self.vocabulary:  # "gentis", but "táxis", "leis"
            singular = f"{singular}l"
        return listed or (singular if self.in_plural(singular) == word else None)

    def singulars(self, noun: str) -> tuple[str, ...]:
        """What may be the singular of a noun."""
        singular = self.in_singular(noun)
        return (singular,) if singular else ()

    def in_gender(self, word: str, gender: str) -> str | None:
        """An adjective or participle in a gender: *cansado*, *cansada*; *trabalhador*, *trabalhadora*; *feliz*.

        >>> [RULES.in_gender(word, "masculine") for word in ("cansada", "trabalhadoras", "feliz", "inglesa", "boa")]
        ['cansado', 'trabalhadores', 'feliz', 'inglês', 'bom']
        >>> [RULES.in_gender(word, "feminine") for word in ("cansados", "trabalhador", "europeu", "otimista", "mau")]
        ['cansadas', 'trabalhadora', 'europeia', 'otimista', 'má']
        """
        if "-" in word:
            return None
        common = self.grammar.table("adjectives").words("common")
        if word in common or word.removesuffix("s") in common:
            return word
        is_back = gender == "masculine"
        direct = self.exchanged(word, "feminine-is", back=is_back)
        if direct or self.exchanged(word, "feminine-is", back=not is_back):
            return direct or word  # "cansada", as a feminine
        singular = self.in_singular(word)
        inflected = self.in_gender(singular, gender) if singular and singular != word else None
        return self.in_plural(inflected) if inflected else None


RULES = PortugueseRules()

adverb, gender, number, relative, synonym, tense = kinds_for(RULES)
constructions = partial(romance_constructions, rules=RULES)
