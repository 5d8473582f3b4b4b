"""Portuguese words for rewriting: pronouns, auxiliaries, plurals and feminines; and the rules for each kind."""

from __future__ import annotations

from functools import cached_property, partial

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
        if "-" in word:
            return None
        listed_plural = self._plurals.get(word)
        if listed_plural:
            return listed_plural
        for ending, plural in _PLURALS:
            if word.endswith(ending):
                return word[: len(word) - len(ending)] + plural
        return word + "s" if word[-1:] in "aeiouáéíóúâêôã" else None

    def in_singular(self, word: str) -> str | None:
        """The singular of a noun or adjective; None if the rules do not say.

        >>> [RULES.in_singular(word) for word in ("gatos", "papéis", "flores", "irmãos", "meses")]
        ['gato', 'papel', 'flor', 'irmão', 'mês']
        """
        for singular, plural in self._plurals.items():
            if plural == word:
                return singular
        endings = (
            *(("ões", "ão"), ("áveis", "ável"), ("íveis", "ível"), ("óveis", "óvel"), ("ães", "ão"), ("éis", "el")),
            *(("óis", "ol"), ("ais", "al"), ("uis", "ul"), ("ns", "m")),
        )
        for ending, singular in (*endings, ("res", "r"), ("zes", "z"), ("eses", "ês"), ("s", "")):
            if word.endswith(ending) and len(word) > len(ending) + 1:
                changed = word[: len(word) - len(ending)] + singular
                return changed if self.in_plural(changed) == word else None
        return None

    @cached_property
    def _plurals(self) -> dict[str, str]:
        table = self.grammar.table("vocabulary").values("plural-is")
        return {form: values[0] for form, values in table.items()}

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
        for masculine, feminine in _PAIRS:
            old, new = (masculine, feminine) if gender == "feminine" else (feminine, masculine)
            if word == old:
                return new
        if word in self._common or word.removesuffix("s") in self._common:
            return word
        if word.endswith(("ista", "istas", "íssima", "e", "es", "l", "is", "z", "m", "ns", "ar", "ares")) and not (
            word.endswith(("ores", "eses"))
        ):
            return word if not word.endswith(("íssima",)) else word[:-1] + ("o" if gender == "masculine" else "a")
        pairs = _TO_FEMININE if gender == "feminine" else _TO_MASCULINE
        for ending, new in pairs:
            if word.endswith(ending) and len(word) > len(ending) + 1:
                return word[: len(word) - len(ending)] + new
        return None

    @cached_property
    def _common(self) -> frozenset[str]:
        return self.grammar.table("adjectives").words("common")


_PLURALS = (
    *(
        ("ável", "áveis"),
        ("ível", "íveis"),
        ("óvel", "óveis"),
        ("úvel", "úveis"),
        ("ão", "ões"),
        ("al", "ais"),
        ("el", "éis"),
        ("ol", "óis"),
        ("ul", "uis"),
        ("il", "is"),
        ("m", "ns"),
    ),
    *(("r", "res"), ("z", "zes"), ("ês", "eses"), ("ás", "ases"), ("s", "s"), ("x", "x"), ("n", "ns")),
)
_TO_FEMININE = (
    *(("eu", "eia"), ("ês", "esa"), ("eses", "esas"), ("eus", "eias"), ("dor", "dora"), ("dores", "doras")),
    *(("sor", "sora"), ("tor", "tora"), ("tores", "toras"), ("ão", "ona"), ("o", "a"), ("os", "as"), ("a", "a")),
    ("as", "as"),
)
_TO_MASCULINE = (
    *(("eia", "eu"), ("esa", "ês"), ("esas", "eses"), ("dora", "dor"), ("doras", "dores"), ("sora", "sor")),
    *(("tora", "tor"), ("toras", "tores"), ("ona", "ão"), ("a", "o"), ("as", "os"), ("o", "o"), ("os", "os")),
)
_PAIRS = (
    *(("bom", "boa"), ("bons", "boas"), ("mau", "má"), ("maus", "más"), ("são", "sã"), ("cru", "crua")),
    *(("nu", "nua"), ("cristão", "cristã"), ("alemão", "alemã"), ("um", "uma"), ("dois", "duas"), ("só", "só")),
    *(("sós", "sós"), ("ateu", "ateia"), ("judeu", "judia"), ("feio", "feia"), ("feios", "feias")),
    *(("cheio", "cheia"), ("cheios", "cheias"), ("alheio", "alheia"), ("meio", "meia"), ("ruim", "ruim")),
    *(("melhor", "melhor"), ("pior", "pior"), ("maior", "maior"), ("menor", "menor"), ("superior", "superior")),
    *(("espanhol", "espanhola"), ("espanhóis", "espanholas"), ("andaluz", "andaluza"), ("cortês", "cortês")),
    *(("vilão", "vilã"), ("campeão", "campeã"), ("anão", "anã"), ("exterior", "exterior"), ("interior", "interior")),
    *(("inferior", "inferior"), ("simples", "simples"), ("plebeu", "plebeia"), ("órfão", "órfã"), ("irmão", "irmã")),
)

RULES = PortugueseRules()

adverb, gender, number, relative, synonym, tense = kinds_for(RULES)
constructions = partial(romance_constructions, rules=RULES)
