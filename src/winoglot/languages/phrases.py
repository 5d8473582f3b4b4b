"""A candidate as a noun phrase ready for insertion: its determiner made definite, its noun as written in the text.

A bare, indefinite or demonstrative candidate takes a definite article (in `determiners`, `o = definite masculine
singular`) and a name that of its mention. A possessive that is `kept` (*minha mãe*) and a `predeterminer` (*todo
homem*, *todos os homens*) stay; a word that is `unrepeated` (*nenhum homem*), a `small-quantity` (*um pouco de sal*)
and one with `part-of` (*um dos homens*) are not derived, since they would mean something else. Nouns that are
`name-like` take no article with a name or as a name (*madame Martin*, *maman*); `openings` describes partitive
articles and titles that look like determiners. A language without definite articles keeps the candidate's citation
form. A folder's `__init__.py` may define `definite(item: Item, index: int) -> str | None` for cases that articles do
not decide (*a lot of users* → *the users*), and `NAMED_WITH_ARTICLE`, the regions where a name takes an article even
if the sentence does not show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.agreement import conjuncts, features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError, function_words, language_hook, language_module
from winoglot.languages.lexicon import lexicon
from winoglot.languages.name_evidence import (
    has_article,
    has_own_article,
    is_name_like,
    is_named,
    is_preposition,
    may_be_name,
    named_people,
    names_in,
    names_with_article,
    shown_at,
)
from winoglot.languages.names import name_gender
from winoglot.languages.openings import on_second_mention, split
from winoglot.languages.substitution import Phrase
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.features import Traits
    from winoglot.schemas.model import Item
    from winoglot.schemas.spans import Span

__all__ = ["Phrase", "definite_article", "is_definite", "is_part_of_several", "phrase_of", "split"]

_QUOTATION_MARKS = ('""', "“”", "«»", "‘’", "''")


@dataclass(frozen=True)
class Decisions:
    """What grammar leaves open in an item, decided once for all its candidates."""

    people: frozenset[int] = frozenset()  # candidates whose names are treated alike, whatever their mentions show
    article_before_names: bool = False


_UNDECIDED = Decisions()


def decided(item: Item, language: str) -> Decisions:
    """The decisions for an item.

    If its candidates are people, and only some of their mentions have an article, the names in the text decide by
    majority, otherwise the region: in *O Paulo viu Jorge* neither gets one in Brazil, and both do in Portugal.

    >>> from winoglot import Candidate, Item, Span
    >>> item = Item("a.0", "a", text="O Paulo viu Jorge e ele riu.", pronoun=Span(20, 23),
    ...             candidates=(Candidate("Paulo", (Span(2, 7),)), Candidate("Jorge", (Span(12, 17),))))
    >>> decided(item, "pt-BR").article_before_names, decided(item, "pt-PT").article_before_names
    (False, True)
    """
    articles = lexicon(language, "determiners").features("definite")
    if len(item.candidates) < 2 or not any(features.gender for features in articles.values()):
        return _UNDECIDED
    people = named_people(item, language)
    articles_shown = {has_article(item, index, language) for index in people} - {None}
    if len(people) < 2 or len(articles_shown) < 2:
        return _UNDECIDED
    majority = sum(1 if is_articled else -1 for is_articled in names_with_article(item, language))
    is_usual = language in getattr(language_module(language), "NAMED_WITH_ARTICLE", ())
    return Decisions(frozenset(people), majority > 0 if majority else is_usual)


def phrase_of(
    item: Item, index: int, language: str, traits: Traits | None = None, decisions: Decisions = _UNDECIDED
) -> Phrase:
    """The candidate as a phrase that refers back to its mention.

    A bare, indefinite, demonstrative, possessive or quantified candidate becomes definite; a name takes the article of
    its mention. `traits` are the candidate's features, if already computed. Raises NotDerivedError if the article needs
    a gender that is unknown.

    >>> from winoglot import Candidate, Item, Span
    >>> cat = Candidate("um gato", mentions=(Span(3, 10),))
    >>> item = Item("a.0", "a", text="Vi um gato e ele fugiu.", pronoun=Span(13, 16), candidates=(cat,))
    >>> phrase_of(item, 0, "pt").text
    'o gato'
    """
    candidate = item.candidates[index]
    traits = traits or features_of(candidate, item, language)
    whole_phrase = _kept_whole(item, index, traits, language)
    if whole_phrase is not None:
        return whole_phrase
    determiner, noun = split(candidate.text, language)
    determiner = on_second_mention(determiner, language)
    mention_parts = [shown_at(item, mention, language) for mention in candidate.mentions]
    if (
        mention_parts
        and not determiner
        and is_named(noun, mention_parts, language)
        and is_preposition(item, index, language)
    ):
        mention_parts = [("", mentioned_noun) for _, mentioned_noun in mention_parts]
    if not determiner and is_name_like(noun, mention_parts, language):
        written = mention_parts[-1][1] if mention_parts and mention_parts[-1][1][:1].islower() else noun
        return Phrase("", written, traits, is_name=True, language=language)
    is_name = may_be_name(noun) and not any(mentioned_noun[:1].islower() for _, mentioned_noun in mention_parts)
    if is_name and index in decisions.people:
        return _name_phrase(item, index, traits, language, has_article=decisions.article_before_names)
    if is_name:
        article = _name_article(determiner, noun, mention_parts, traits, item, language)
        return Phrase(article, noun, traits, is_name=True, language=language)
    if mention_parts and _is_capital(noun):
        noun = noun[:1].lower() + noun[1:]
    return Phrase(_noun_article(determiner, noun, mention_parts, traits, item, language), noun, traits, False, language)


def _kept_whole(item: Item, index: int, traits: Traits, language: str) -> Phrase | None:
    """The phrase if only the candidate decides: a quotation, a quantifier, the language's own rules."""
    text = item.candidates[index].text
    is_quoted = _is_quoted(item, item.candidates[index].mentions)
    if _opening(text) in lexicon(language, "determiners").words("unrepeated") and not is_quoted:
        raise NotDerivedError(f"{text!r} would mean something else on second mention")
    if has_own_article(item, index, language):
        return Phrase("", text[0].upper() + text[1:], traits, is_name=True, language=language)
    definite_form = _by_language_rule(item, index, language)
    if definite_form is not None:
        return Phrase("", definite_form, traits, is_name=_is_capital(definite_form), language=language)
    determiner, noun = split(text, language)
    if not lexicon(language, "determiners").features("definite"):
        return Phrase("", text, traits, _is_capital(noun), language)
    if is_quoted:
        return Phrase(on_second_mention(determiner, language), noun, traits, is_name=True, language=language)
    if _opening(text) in lexicon(language, "determiners").features("predeterminer"):
        return Phrase("", _quantified(item, text, language), traits, is_name=False, language=language)
    if is_part_of_several(text, language):
        raise NotDerivedError(f"{text!r} is part of a group and has no article of its own")
    return None


def _name_phrase(item: Item, index: int, traits: Traits, language: str, *, has_article: bool) -> Phrase:
    """A name with or without its article, or several: *a Ana e o Rui*, *Ana e Rui*."""
    text = item.candidates[index].text
    names = names_in(text, language)
    articles = [""] * len(names)
    if has_article and len(names) == 1:
        articles = [_article(traits, item, text, language)]
    elif has_article:
        articles = [definite_article(name_gender(name, language).value, "singular", language) or "" for name in names]
    if has_article and not all(articles):
        raise NotDerivedError(f"an article in {text!r} needs a gender, which is unknown")
    phrase = text
    for part, name, article in zip(conjuncts(text, language) or [text], names, articles, strict=True):
        phrase = phrase.replace(part, f"{article} {name}".strip(), 1)
    return Phrase(articles[0], phrase.removeprefix(articles[0]).lstrip(), traits, is_name=True, language=language)


def _noun_article(
    determiner: str, noun: str, mention_parts: list[tuple[str, str]], traits: Traits, item: Item, language: str
) -> str:
    """The determiner of a common noun on second mention."""
    if is_definite(determiner, language) or _is_kept(determiner, language):
        return determiner
    if determiner:
        _check_determined(determiner, noun, language)
    article = _shown_article(noun, mention_parts, item, language) if not determiner else None
    return article or _article(traits, item, noun, language)


def is_part_of_several(phrase: str, language: str) -> bool:
    """Whether the phrase names part of a group.

    >>> [is_part_of_several(phrase, "pt") for phrase in ("um dos gatos", "cada um deles", "um gato dos vizinhos")]
    [True, True, False]
    """
    parts = lexicon(language, "determiners").values("part-of")
    if _opening(phrase) not in parts:
        return False
    contractions = function_words(language).contractions
    for word, following in pairwise(folded(phrase).split()):
        preposition = contractions.get(following, (following, ""))[0]
        if word not in parts or preposition in parts[word]:
            return word in parts
    return False


def is_definite(determiner: str, language: str) -> bool:
    """Whether the determiner is a definite article, full or elided."""
    articles = lexicon(language, "determiners").features("definite")
    return determiner in articles or determiner in _elided_articles(language)


@cache
def _elided_articles(language: str) -> frozenset[str]:
    forms = lexicon(language, "spelling").values("elided")
    return frozenset(form for a in lexicon(language, "determiners").words("definite") for form in forms.get(a, ()))


def definite_article(gender: str | None, number: str | None, language: str) -> str | None:
    """The article for this gender and number, as far as the language distinguishes them; None if undetermined."""
    matching = [
        form
        for form, features in lexicon(language, "determiners").features("definite").items()
        if features.gender in (None, gender) and features.number in (None, number)
    ]
    return matching[0] if len(matching) == 1 else None


def _is_kept(determiner: str, language: str) -> bool:
    """Whether the determiner contains a possessive that stays: *minha mãe*, *a minha mãe*."""
    return not lexicon(language, "determiners").words("kept").isdisjoint(determiner.split())


def _opening(phrase: str) -> str:
    return folded(phrase.partition(" ")[0])


def _quantified(item: Item, phrase: str, language: str) -> str:
    """*Todo homem* unchanged, in lower case; the pronoun must agree with the quantifier."""
    quantifier = lexicon(language, "determiners").features("predeterminer")[_opening(phrase)]
    pronoun = features_of_pronoun(item, language)
    for expected, pronoun_value in (
        (quantifier.gender, pronoun.gender.value),
        (quantifier.number, pronoun.number.value),
    ):
        if expected and pronoun_value not in (None, expected, "common"):
            raise NotDerivedError(f"the pronoun is {pronoun_value}, {phrase!r} is {expected}")
    return phrase[:1].lower() + phrase[1:]


def _is_partitive(rest: str, language: str) -> bool:
    """Whether the determiner has no noun after it: *um | dos homens*, *cada | um deles*, *plusieurs | de mes amis*."""
    words = function_words(language)
    prepositions = {preposition for preposition, _ in words.contractions.values()}
    return _opening(rest) in words.determiners | set(words.contractions) | prepositions


def _check_determined(determiner: str, noun: str, language: str) -> None:
    """Raise NotDerivedError if the definite article cannot replace the determiner."""
    phrase = f"{determiner} {noun}"
    if _is_partitive(noun, language):
        raise NotDerivedError(f"{phrase!r} is part of a group and has no article of its own")
    if _has_further_determiner(noun, language):
        raise NotDerivedError(f"{phrase!r} has several determiners that would all have to change")
    if _opening(noun) in lexicon(language, "nouns").words("small-quantity"):
        raise NotDerivedError(f"{phrase!r} is a quantity and would mean something else with an article")


def _has_further_determiner(noun: str, language: str) -> bool:
    """Whether the noun is coordinated with one that has its own determiner: *(un) chat et un chien*."""
    words = folded(noun).split()
    conjunctions, determiners = (
        lexicon(language, "function_words").words("conjunction"),
        function_words(language).determiners,
    )
    return any(word in conjunctions and following in determiners for word, following in pairwise(words))


def _is_capital(noun: str) -> bool:
    return noun[:1].isupper()


def _by_language_rule(item: Item, index: int, language: str) -> str | None:
    """The result of the language's own `definite`; None if it leaves the decision to the article."""
    definite = language_hook(language, "definite")
    phrase: str | None = definite(item, index) if definite else None
    return phrase


def _is_quoted(item: Item, mentions: tuple[Span, ...]) -> bool:
    """Whether the text puts the candidate in quotation marks, like a title or a cited word."""
    text = item.text or ""
    around = [text[max(0, place.start - 1) : place.start] + text[place.end : place.end + 1] for place in mentions]
    return bool(around) and all(marks in _QUOTATION_MARKS for marks in around)


def _shown_article(noun: str, mention_parts: list[tuple[str, str]], item: Item, language: str) -> str | None:
    """The article of a bare candidate's first mention, if it agrees with the pronoun: *a menina … ela*."""
    pronoun = features_of_pronoun(item, language)
    article = mention_parts[0][0] if mention_parts else ""
    if _is_kept(article, language) and article not in function_words(language).pronouns:
        return article  # "guide", mentioned as "mon guide"; but "van", mentioned as "his van", is "the van"
    if article in _elided_articles(language):
        return article  # "l'historienne": whatever its gender
    features = lexicon(language, "determiners").features("definite").get(article)
    is_unsure = article in lexicon(language, "determiners").words("preposition")
    if features is None or (is_unsure and noun.partition(" ")[0].endswith("s")):
        return None
    values = ((features.gender, pronoun.gender.value), (features.number, pronoun.number.value))
    return (
        None
        if any(article_value and pronoun_value not in (None, article_value) for article_value, pronoun_value in values)
        else article
    )


def _name_article(
    determiner: str, noun: str, mention_parts: list[tuple[str, str]], traits: Traits, item: Item, language: str
) -> str:
    if mention_parts:
        article = mention_parts[0][0]
        if _is_kept(article, language):
            return article
        if not lexicon(language, "determiners").words("possessive").isdisjoint(article.split()):
            return _article(traits, item, noun, language)  # "seu Corolla", then "o Corolla"
        return article if is_definite(article, language) else ""
    if determiner or language not in getattr(language_module(language), "NAMED_WITH_ARTICLE", ()):
        return determiner
    return _article(traits, item, noun, language)


def _article(traits: Traits, item: Item, noun: str, language: str) -> str:
    """The definite article that agrees with the candidate or, if the pronoun may refer to it, with the pronoun."""
    pronoun = features_of_pronoun(item, language)
    gender = traits.gender.value if traits.gender.value in ("masculine", "feminine", "neuter") else pronoun.gender.value
    number = traits.number.value or pronoun.number.value or "singular"
    article = definite_article(gender, number, language)
    if article is None:
        raise NotDerivedError(f"the article of {noun!r} needs a gender, which is unknown")
    return article
