"""The nouns and first names of a passage, with gender, number and animacy, found without a parser.

A noun has a determiner, and a class that its language knows: `word_class` in the language's package says of a word
whether it may be a noun. Where the language has no such rules only first names are found. Whatever is doubtful is left
out: the text is large, and a wrong noun makes a wrong item.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from winoglot.files import packaged_lines
from winoglot.languages.base import function_words, language_hook
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_also_word, name_gender
from winoglot.languages.text import word_spans
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_unspaced, primary

if TYPE_CHECKING:
    from collections.abc import Mapping

PAUSES = frozenset(",;:.!?，；：。！？()（）")
_NOWHERE = Span(0, 0)
_MOST_MODIFIERS = 2  # between a determiner and its noun
_TABLES = ("vocabulary", "people", "nouns", "things")
_ANIMACY = {  # what the features of the tables show
    "human": ("human",),
    "animal": ("animal", "pet", "wild"),
    "thing": (
        *("thing", "artefact", "furniture", "vehicle", "building", "fixture", "landscape", "plant", "food", "work"),
        *("worn", "material", "body-part"),
    ),
}
_SORTS = frozenset(_ANIMACY["animal"] + _ANIMACY["thing"]) - {"animal", "thing", "artefact"}
_VAGUE = ("time", "period", "part-of-day", "small-quantity", "measure", "manner", "address", "title")


@dataclass(frozen=True)
class NounKind:
    """What two candidates must have in common; nouns that no table lists have no animacy and count as things."""

    animacy: str | None
    gender: str | None
    number: str = "singular"

    def agrees(self, other: NounKind) -> bool:
        """Whether one pronoun could refer to both.

        >>> NounKind("human", "feminine").agrees(NounKind("human", None))
        True
        """
        same_gender = self.gender == other.gender or None in (self.gender, other.gender)
        same_animacy = (self.animacy or "thing") == (other.animacy or "thing")
        return same_gender and same_animacy and self.number == other.number


@dataclass(frozen=True)
class NounMention:
    """A noun or name: the number of its word in the passage, and where its phrase begins."""

    word: str
    number: int
    span: Span
    start: int
    determiner: str  # in lower case; of a contraction, the article in it
    preposition: str  # of the contraction
    is_close: bool  # nothing stands between determiner and noun
    is_name: bool
    kind: NounKind


class NounGrammar:
    """What the tables of a language say about nouns and the words around them."""

    def __init__(self, language: str) -> None:
        """Look up the words that are needed for every passage."""
        self.language = language
        self.words = function_words(language)
        self.small = lexicon(language, "function_words")
        self.determiners = lexicon(language, "determiners")
        elided_forms = lexicon(language, "spelling").values("elided")
        articles = self.determiners.words("definite")
        self.definite = articles | {form for article in articles for form in elided_forms.get(article, ())}
        self.pointing = self.determiners.words("demonstrative")
        self.coordinators = self.small.words("coordinator") | self.small.words("conjunction")
        self.joints = self.coordinators | self.small.words("unspaced-conjunction") | {",", "，", "、", "("}
        opening = ("connective", "subordinator", "coordinating", "clause-opening", "relative")
        self.borders = PAUSES | frozenset().union(*map(self.small.words, opening)) - self.coordinators  # of clauses
        self.relatives = self.small.words("relative")
        self.of = self.small.words("of")
        self.prepositions = self.of | self.small.words("preposition")
        self.possessives = self.determiners.words("possessive")
        self.equating = _listed_words("equating_words.txt", language)
        self.before_objects = (  # after them an article is an object: je le connais, não as limpa
            lexicon(language, "pronouns").words("subject")
            | self.small.words("spoken-subject")
            | self.small.words("preverbal")
            | self.small.words("clitic")
        )
        self.closed = self.words.closed | self.small.words()
        self.noun_comes_first = bool(lexicon(language, "adjectives").words("prenominal"))  # adjectives follow it
        self._has_genders = any(features.gender for features in self.determiners.features("definite").values())

    def kind(self, form: str, determiner: str) -> NounKind | None:
        """The kind of a noun; None if its gender is not shown in a language that has genders, or if numbers differ."""
        listed_kind = self._listed_kinds.get(form, NounKind(None, None))
        determiner_features = self.determiners.features().get(determiner.rpartition(" ")[2])  # o seu
        gender = (determiner_features.gender if determiner_features else None) or listed_kind.gender
        number_of, animacy_of = language_hook(self.language, "noun_number"), language_hook(self.language, "noun_kind")
        numbers = {
            number
            for number in (determiner_features and determiner_features.number, number_of and number_of(form))
            if number
        }
        is_unsure = determiner in self.determiners.words("preposition") and form.endswith("s")  # devido a problemas
        if len(numbers) > 1 or is_unsure or (gender is None and self._has_genders):
            return None
        return NounKind(animacy_of(form) if animacy_of else listed_kind.animacy, gender, *numbers)

    def sorts(self, form: str) -> frozenset[str]:
        """What a table says it is a sort of: vehicle, building."""
        lines = (line for table in _TABLES for line in lexicon(self.language, table).entries.get(form, ()))
        return _SORTS.intersection(feature for line in lines for feature in line.features)

    @cached_property
    def _listed_kinds(self) -> Mapping[str, NounKind]:
        kinds: dict[str, NounKind] = {}
        for table in _TABLES:
            for form, lines in lexicon(self.language, table).entries.items():
                features = {feature for line in lines for feature in line.features}
                animacy = next((kind for kind, signs in _ANIMACY.items() if not features.isdisjoint(signs)), None)
                genders = {line.one_of("gender") for line in lines} - {None, "common"}
                if animacy:
                    kinds.setdefault(form, NounKind(animacy, genders.pop() if len(genders) == 1 else None))
        return kinds

    @cached_property
    def vague(self) -> frozenset[str]:
        """Nouns that say when, how or how much."""
        listed_nouns = _listed_words("vague_nouns.txt", self.language)
        tables = [lexicon(self.language, table) for table in (*_TABLES, "countable", "determiners")]
        return listed_nouns.union(*(table.words(feature) for table in tables for feature in _VAGUE))


def _listed_words(file: str, language: str) -> frozenset[str]:
    lines = (line.partition(":") for line in packaged_lines("winoglot.corpus", file))
    return frozenset(word for tag, _, words in lines if tag == primary(language) for word in words.split())


@cache
def noun_grammar(language: str) -> NounGrammar:
    """The grammar of a language."""
    return NounGrammar(language)


@lru_cache(maxsize=50_000)
def word_class(form: str, language: str) -> str:
    """What a word may be in a noun phrase, as far as the language has rules; see `languages.base`."""
    classify = language_hook(language, "word_class")
    return "pause" if form in PAUSES else str(classify(form)) if classify else ""


class Passage:
    """One sentence or two, its words and nouns."""

    def __init__(self, text: str, language: str) -> None:
        """Split the text into words."""
        self.text, self.language = text, language
        self.grammar = noun_grammar(language)
        self.spans = word_spans(text, language)
        self.surfaces = [span.of(text) for span in self.spans]
        self.forms = [folded(surface) for surface in self.surfaces]

    @cached_property
    def mentions(self) -> list[NounMention]:
        """The nouns with a determiner (in scripts without spaces, all nouns) and the first names, in order.

        >>> [mention.word for mention in Passage("Rita put the old key into a small lock.", "en").mentions]
        ['Rita', 'key', 'lock']
        """
        return [mention for number in range(len(self.spans)) if (mention := self._mention(number)) is not None]

    def form(self, number: int) -> str:
        """The word with a number, in lower case; a full stop before the first and after the last."""
        return self.forms[number] if 0 <= number < len(self.forms) else "."

    def class_of(self, number: int) -> str:
        """What the word may be in a noun phrase."""
        return word_class(self.form(number), self.language)

    def ends_at(self, number: int) -> bool:
        """Whether a noun phrase whose last word this is certainly ends there."""
        return self.class_of(number + 1) in ("pause", "end", "verb", "adverb")

    def has_hole(self) -> bool:
        """Whether a preposition lacks its noun, as when a converter has dropped a number: *aumentou em, segundo …*"""
        pairs = zip(self.forms, (*self.forms[1:], "."), strict=True)
        return self.grammar.noun_comes_first and any(
            word in self.grammar.prepositions and following in PAUSES for word, following in pairs
        )

    def number_at(self, start: int) -> int:
        """The number of the word that begins there."""
        return next(number for number, span in enumerate(self.spans) if span.end > start)

    def _mention(self, number: int) -> NounMention | None:
        surface, form = self.surfaces[number], self.forms[number]
        gender = self._name_gender(number)
        if gender:
            return self._phrase(surface, number, number, NounKind("human", gender))
        is_noun = surface == form and form[0].isalpha() and form not in self.grammar.vague and self._is_head(number)
        return self._phrase(form, number, self._first_modifier(number)) if is_noun else None

    def _phrase(self, word: str, number: int, first: int, name: NounKind | None = None) -> NounMention | None:
        """The noun or name with its determiner, which stands before the word `first`."""
        end = self.spans[first].start
        start = self.grammar.words.before(self.text, end, _NOWHERE)
        opener = folded(self.text[start:end]).strip()
        preposition, determiner = self.grammar.words.contractions.get(opener, ("", opener))
        kind = name or self.grammar.kind(word, determiner)
        if kind is None or (name is None and not determiner and not is_unspaced(word[0])):
            return None
        if name is None and determiner and self._is_no_determiner(self.number_at(start), number):
            return None
        is_close = first == number
        return NounMention(
            word, number, self.spans[number], start, determiner, preposition, is_close, name is not None, kind
        )

    def _is_no_determiner(self, number: int, noun: int) -> bool:
        """Whether it is an object (*je le connais*, *que o defendesse*) or part of a name (*Kim Jong Un*)."""
        previous = self.form(number - 1)
        if previous in self.grammar.relatives and self.form(number) in self.grammar.definite:
            return self.class_of(noun + 1) != "verb" and self.grammar.noun_comes_first
        return previous in self.grammar.before_objects or (
            self.surfaces[number][0].isupper() and previous not in PAUSES
        )

    def _name_gender(self, number: int) -> str | None:
        """The gender of a first name that stands alone, without title or surname."""
        surface = self.surfaces[number]
        may_be_name = surface[0].isupper() or is_unspaced(surface[0])
        gender = name_gender(surface, self.language).value if may_be_name else None
        if gender not in ("masculine", "feminine") or is_also_word(surface, self.language):
            return None
        for other in (number - 1, number + 1):
            is_capital = 0 <= other < len(self.forms) and self.surfaces[other][0].isupper()
            if (is_capital and self.form(other) not in self.grammar.closed) or self.form(other) in (
                "'s",
                "-",
                "&",
                "·",
            ):
                return None
        return gender if self.class_of(number - 1) != "noun" else None  # "the street Milton"

    def _is_head(self, number: int) -> bool:
        """Whether the word is the noun of its phrase, not a part of a compound."""
        if self.grammar.noun_comes_first:
            return self.class_of(number) == "noun" or self._is_shown_noun(number)
        if self.class_of(number) != "noun":
            return False
        if is_unspaced(self.forms[number][0]) and self.class_of(number - 1) in ("noun", "adverb"):
            return False  # 关注重点; or a verb: 擅自领军
        return self.ends_at(number) or self.form(number + 1) == "的"

    def _is_shown_noun(self, number: int) -> bool:
        """Whether a determiner shows that what looks like a verb or adjective is a noun: *la porte*, *o império*."""
        end = self.spans[number].start
        start = self.grammar.words.before(self.text, end, _NOWHERE)
        if start == end or self.class_of(number) not in ("verb", "") or not self.ends_at(number):
            return False
        determiner = folded(self.text[start:end]).strip()
        if determiner not in self.grammar.definite:
            return determiner not in self.grammar.pointing  # of "esta foi", a verb
        previous = self.number_at(start) - 1  # of "Léa la porte" and "qui la porte", a verb
        return self.class_of(previous) in ("end", "verb", "pause") and self.form(previous) not in self.grammar.relatives

    def _first_modifier(self, number: int) -> int:
        """Where the adjectives before a noun begin."""
        has_compounds = not self.grammar.noun_comes_first and not is_unspaced(self.forms[number][0])
        modifiers = ("adjective", "noun") if has_compounds else ("adjective",)
        first = number
        while number - first < _MOST_MODIFIERS and self.class_of(first - 1) in modifiers:
            first -= 1
        return first
