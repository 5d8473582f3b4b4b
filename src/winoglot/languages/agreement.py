"""The gender, number and animacy of candidates and pronouns, and whether two of them agree.

Nothing is guessed: a feature is known if the author states it, or if a determiner, a coordination, an ending, a title
or the pronoun itself shows it; otherwise it is unknown (None). What words show is in a language's tables: `pronouns`,
`determiners`, endings of `nouns` (`-们 = suffix plural human`) and people of one gender (`aunt = person feminine`).
Such a noun counts only as the head of its phrase: a *queen bee* is not a queen. In languages whose adjectives follow
the noun, `adjectives` lists those that precede it (`prenominal`), and the head is the first other word; elsewhere it
is the last word before a preposition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.apertium import noun_traits
from winoglot.languages.base import function_words, language_hook
from winoglot.languages.features import NAMES, UNKNOWN, FeatureName, Trait, Traits
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.substitution import begins_with_vowel
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_inside_word, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Candidate, Features, Item

_NOWHERE = Span(0, 0)
_LETTERS = re.compile(r"[^\W\d_][\w'’\-]*")
_LAST_WORD = re.compile(r"(?<!\w)([^\W\d_]+)\.?[ \u00a0]$")
_NAME = re.compile(r"\w[\w'’\-]*")
_LONGEST_CONJUNCT = 3  # words; in longer ones it is unclear what is coordinated: "the owner of the dog and …"


@dataclass(frozen=True)
class Agreement:
    """Whether two phrases agree in a feature (None if unknown), and why."""

    value: bool | None
    evidence: str


def features_of(candidate: Candidate, item: Item, language: str) -> Traits:
    """The features of a candidate: first those stated, then those shown by its form, its mentions and word lists.

    >>> from winoglot import Candidate, Item, Span
    >>> gaveta = Candidate("gaveta", mentions=(Span(13, 22),))
    >>> item = Item("a.0", "a", text="A chave caiu na gaveta e ela sumiu.", pronoun=Span(25, 28), candidates=(gaveta,))
    >>> str(features_of(gaveta, item, "pt").gender)
    "feminine: determiner 'a'"
    """
    hook = language_hook(language, "candidate_features")
    if hook is not None:
        return _first_known([traits(candidate.features, "stated"), hook(candidate, item)])
    sources = [
        traits(candidate.features, "stated"),
        *_phrase_traits(candidate.text, language, is_citation=True),
        *_mention_traits(candidate, item, language),
        _title_traits(candidate, item, language),
        _name_traits(candidate.text, language),
        noun_traits(function_words(language).without_determiner(candidate.text), language),
        Traits(number=_number_of_noun(candidate.text, language)),
    ]
    return _first_known(sources)


def features_of_pronoun(item: Item, language: str) -> Traits:
    """The features that the item's pronoun shows; none if it is a gap, not spoken or unknown.

    >>> from winoglot import Candidate, Item, Span
    >>> item = Item("a.0", "a", text="Rita rang; she was late.", pronoun=Span(11, 14), candidates=(Candidate("Rita"),))
    >>> str(features_of_pronoun(item, "en").number)
    "singular: pronoun 'she'"
    """
    if item.text is None or item.pronoun is None or item.pronoun_form != "word":
        return Traits()
    hook = language_hook(language, "pronoun_features")
    if hook is not None:
        pronoun_traits: Traits = hook(item)
        return pronoun_traits
    surface = item.pronoun.of(item.text)
    features = lexicon(language, "pronouns").features().get(folded(surface))
    return traits(features, f"pronoun {surface!r}") if features else Traits()


def pronoun_analyses(item: Item, language: str) -> list[Traits]:
    """What the item's pronoun may show, one analysis per line of the table: *they* is plural, or one person.

    Where the sentence shows which is meant, that is the only one. There are none for a gap, or for a pronoun that is
    not spoken or not listed.

    >>> from winoglot import Candidate, Item, Span
    >>> item = Item("a.0", "a", text="Rita rang; they left.", pronoun=Span(11, 15), candidates=(Candidate("Rita"),))
    >>> [(str(traits.number), traits.animacy.value) for traits in pronoun_analyses(item, "en")]
    [("plural: pronoun 'they'", None), ("singular: pronoun 'they'", 'human')]
    """
    shown = features_of_pronoun(item, language)
    if any(shown.of(name).value for name in NAMES):
        return [shown]
    if item.text is None or item.pronoun is None or item.pronoun_form != "word":
        return []
    surface = item.pronoun.of(item.text)
    evidence = f"pronoun {surface!r}"
    lines = lexicon(language, "pronouns").entries.get(folded(surface), ())
    return [Traits(*(Trait(line.one_of(name), evidence) for name in NAMES)) for line in lines]


def agree(first: Traits, second: Traits, name: FeatureName) -> Agreement:
    """Whether two phrases agree in a feature; unknown for common gender, and for dual against plural.

    >>> agree(Traits(number=Trait("singular", "pronoun 'it'")), Traits(number=Trait("plural", "stated")), "number")
    Agreement(value=False, evidence="singular: pronoun 'it'; plural: stated")
    """
    left, right = first.of(name), second.of(name)
    evidence = f"{left}; {right}"
    unsure = {left.value, right.value}
    if None in unsure or "common" in unsure or unsure == {"dual", "plural"}:
        return Agreement(None, evidence)
    return Agreement(left.value == right.value, evidence)


def is_described(language: str) -> bool:
    """Whether the language has tables of features."""
    return bool(lexicon(language, "pronouns").features() or lexicon(language, "determiners").features())


@lru_cache(maxsize=10_000)
def traits(features: Features, evidence: str) -> Traits:
    """The known features, all with the same evidence."""
    values = (getattr(features, name) for name in NAMES)
    return Traits(*(Trait(value, evidence) if value else UNKNOWN for value in values))


def _first_known(sources: list[Traits]) -> Traits:
    """For each feature, the trait of the first source that knows it."""
    gender = number = animacy = UNKNOWN
    for source in sources:
        gender = gender if gender.value else source.gender
        number = number if number.value else source.number
        animacy = animacy if animacy.value else source.animacy
    return Traits(*(trait if trait.value else UNKNOWN for trait in (gender, number, animacy)))


@lru_cache(maxsize=10_000)
def _name_traits(phrase: str, language: str) -> Traits:
    """What a first name shows; a name used for both genders is of common gender."""
    name = function_words(language).without_determiner(phrase)
    if name != phrase and folded(name) in lexicon(language, "nouns").words("own-article"):
        return Traits(animacy=Trait("thing", f"place {phrase!r}"))  # "La Paz", although Paz is a first name
    gender = name_gender(name, language, widely=True)
    if gender.value is None:
        return Traits()
    return Traits(gender, Trait("singular", gender.evidence), Trait("human", gender.evidence))


def _title_traits(candidate: Candidate, item: Item, language: str) -> Traits:
    """What a title, kinship term or role shows, in the candidate itself or before a mention of its name."""
    text = item.text or ""
    genders = [person_gender(candidate.text, language)]
    genders += [title_before(text, mention.start, language) for mention in candidate.mentions]
    return Traits(next((gender for gender in genders if gender.value), UNKNOWN))


def _mention_traits(candidate: Candidate, item: Item, language: str) -> Iterator[Traits]:
    """What each mention shows, including the determiner before it in the text."""
    if item.text is None:
        return
    words = function_words(language)
    for mention in candidate.mentions:
        start = words.before(item.text, mention.start, item.pronoun or _NOWHERE)
        for part_traits in _phrase_traits(item.text[start : mention.end], language):
            yield replace(part_traits, number=UNKNOWN) if _is_one_of(item.text[:start], language) else part_traits


@lru_cache(maxsize=10_000)
def _number_of_noun(phrase: str, language: str) -> Trait:
    """The number that a phrase or its head shows, in a language whose determiners rarely do.

    >>> str(_number_of_noun("the tired dogs", "en")), str(_number_of_noun("the poor", "en"))
    ("plural: noun 'dogs'", 'unknown: nothing shows it')
    """
    whole = language_hook(language, "phrase_number")
    if whole is not None:
        number = whole(phrase)
        return Trait(number, repr(phrase)) if number else UNKNOWN
    number_of = language_hook(language, "noun_number")
    bare = function_words(language).without_determiner(phrase)
    words = _LETTERS.findall(bare)
    is_joined = "," in phrase or not lexicon(language, "function_words").words("conjunction").isdisjoint(words)
    if number_of is None or bare == phrase or not words or is_joined:
        return UNKNOWN
    head = _head_of(words, language)
    is_plain = head == words[-1] and head.isalpha() and head.islower()  # not "a lot of users", "aunts-in-law", "Smiths"
    if not is_plain or head in lexicon(language, "adjectives").words("people"):  # "the poor"
        return UNKNOWN
    number = number_of(head)
    return Trait(number, f"noun {head!r}") if number else UNKNOWN


def is_collective(phrase: str, language: str) -> bool:
    """Whether the phrase may be *they* although its noun is singular.

    >>> is_collective("the home team", "en"), is_collective("the dog", "en")
    (True, False)
    """
    words = _LETTERS.findall(function_words(language).without_determiner(phrase))
    return bool(words) and _head_of(words, language) in lexicon(language, "nouns").words("collective")


def _is_one_of(before: str, language: str) -> bool:
    """Whether one of several may be meant: "um dos caixas", "uma de suas peças"."""
    table = lexicon(language, "determiners").features()
    return any(folded(word) in table and table[folded(word)].number == "singular" for word in before.split()[-2:])


def _phrase_traits(phrase: str, language: str, *, is_citation: bool = False) -> Iterator[Traits]:
    """What the parts of a phrase show, most reliable first."""
    parts = conjuncts(phrase, language)
    if parts:
        conjunct_traits = [
            _first_known(
                [
                    _determiner_traits(part, language, is_citation=is_citation),
                    Traits(person_gender(part, language)),
                    _name_traits(part, language),
                ]
            )
            for part in parts
        ]
        genders = [part.gender for part in conjunct_traits]
        masculine = next((gender for gender in genders if gender.value == "masculine"), UNKNOWN)
        all_feminine = all(gender.value == "feminine" for gender in genders)
        gender = genders[0] if all_feminine else masculine
        evidence = f"coordination {phrase!r}"
        is_human = all(part.animacy.value == "human" for part in conjunct_traits)
        animacy = Trait("human", evidence) if is_human else UNKNOWN
        yield Traits(gender, Trait("plural", evidence), animacy)
        return
    yield _determiner_traits(phrase, language, is_citation=is_citation)
    for ending, features in lexicon(language, "nouns").endings("suffix").items():
        if phrase.endswith(ending):
            yield traits(features, f"ending {ending!r}")


@lru_cache(maxsize=10_000)  # called repeatedly for the candidates of a schema
def _determiner_traits(phrase: str, language: str, *, is_citation: bool) -> Traits:
    """What the initial determiner shows; longer ones are tried first: `a few` before `a`."""
    words = function_words(language)
    table = lexicon(language, "determiners").features()
    plain = folded(phrase)
    forms, prepositions = _openers(language)
    for form in forms.get(plain[:1], ()):
        is_all = len(form) == len(plain) and form in words.determiners  # but "el agua" is more than a determiner
        if not plain.startswith(form) or is_all or is_inside_word(phrase, 0, len(form)):
            continue
        if is_unspaced(form[0]) and not any(d.startswith(form) and plain.startswith(d) for d in words.determiners):
            continue  # 几个人 but not 几何
        article = form if form in table else words.contractions[form][1]
        is_preposition = form not in table if is_citation else form in prepositions
        if article not in table or is_preposition:
            return Traits()  # a candidate "da Tina" is something of hers; in a text, "a Ivan" is "to Ivan"
        features = table[article]
        if article in lexicon(language, "determiners").words("masculine-before-consonant"):
            is_masculine = begins_with_vowel(plain[len(form) :].lstrip(), language) is False  # "son rival"
            features = replace(features, gender="masculine" if is_masculine else None)
        return traits(features, f"determiner {article!r}")
    return Traits()


@cache
def _openers(language: str) -> tuple[dict[str, list[str]], frozenset[str]]:
    """The forms that may begin a phrase, by first letter, longest first; and the prepositions that contract."""
    contractions = function_words(language).contractions
    forms = {*lexicon(language, "determiners").features(), *contractions}
    by_letter: dict[str, list[str]] = {}
    for form in sorted(forms, key=len, reverse=True):
        by_letter.setdefault(form[:1], []).append(form)
    return by_letter, frozenset(preposition for preposition, _ in contractions.values())


def conjuncts(phrase: str, language: str) -> list[str]:
    """The parts of a coordination of names, or of phrases with determiners; empty unless it is certain to be one."""
    patterns = _joints(language)
    if patterns is None or not patterns[0].search(phrase):
        return []
    parts = patterns[1].split(phrase)
    return parts if all(_is_conjunct(part, language) for part in parts) else []


@cache
def _joints(language: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """Patterns for a conjunction and for what separates conjuncts."""
    conjunctions = "|".join(re.escape(word) for word in lexicon(language, "function_words").words("conjunction"))
    if not conjunctions:
        return None
    joint = rf"\s+(?:{conjunctions})\s+"
    return re.compile(joint), re.compile(rf"\s*,\s+(?:(?:{conjunctions})\s+)?|{joint}")


def _is_conjunct(part: str, language: str) -> bool:
    if _NAME.fullmatch(part):
        return part[0].isupper()
    has_determiner = function_words(language).without_determiner(part) != part
    return has_determiner and len(part.split()) <= _LONGEST_CONJUNCT


@lru_cache(maxsize=10_000)
def person_gender(phrase: str, language: str) -> Trait:
    """The gender that a title or the head of a phrase shows; unknown for several people together.

    >>> [str(person_gender(phrase, "en")) for phrase in ("Mrs. Jones", "the old king")]
    ["feminine: title 'Mrs'", "masculine: noun 'king'"]
    >>> person_gender("the queen bee", "en").value, person_gender("张先生", "zh").value
    (None, 'masculine')
    """
    table = lexicon(language, "nouns").features("person")
    if not table or not phrase:
        return UNKNOWN
    if is_unspaced(phrase[-1]):
        return _by_ending(phrase, language)
    words = _LETTERS.findall(function_words(language).without_determiner(phrase))
    if not words or "," in phrase or not lexicon(language, "function_words").words("conjunction").isdisjoint(words):
        return UNKNOWN
    if len(words) > 1 and all(word[0].isupper() for word in words[1:]):
        return _person_trait("title", words[0], language)
    return _person_trait("noun", _head_of(words, language), language)


def title_before(text: str, start: int, language: str) -> Trait:
    """The gender shown by a title right before the name at `start`: "Mrs. Jones", mentioned as "Jones".

    >>> str(title_before("I saw Mrs. Jones.", 11, "en"))
    "feminine: title 'Mrs'"
    """
    is_name = text[start : start + 1].isupper()
    before = _LAST_WORD.search(text[:start]) if is_name else None
    return _person_trait("title", before.group(1), language) if before else UNKNOWN


def _person_trait(kind: str, word: str, language: str) -> Trait:
    """The gender that a listed title or noun shows; `kind` names the kind of word in the evidence."""
    features = lexicon(language, "nouns").features("person").get(folded(word))
    return Trait(features.gender, f"{kind} {word!r}") if features else UNKNOWN


def _head_of(words: list[str], language: str) -> str:
    """The head of a noun phrase: the first word that does not precede its noun, or the last before a preposition."""
    prenominals = lexicon(language, "adjectives").words("prenominal")
    if prenominals:
        skipped = prenominals | lexicon(language, "determiners").words("articleless")  # "deux petits garçons"
        return next((word for word in words if folded(word) not in skipped), "")
    closed = lexicon(language, "function_words")
    stops = closed.words("preposition") | closed.words("light")
    return ["", *takewhile(lambda word: folded(word) not in stops, words)][-1]


def _by_ending(phrase: str, language: str) -> Trait:
    """What the last noun shows in scripts without spaces; 爸爸和妈妈 are two people."""
    head = re.split("[的の]", phrase)[-1]
    nouns = lexicon(language, "nouns").features("person")
    endings = [word for word in nouns if head.endswith(word) and (len(word) > 1 or word == head)]
    if not endings:
        return UNKNOWN
    word = max(endings, key=len)
    earlier = [nouns[noun].gender for noun in nouns if len(noun) > 1 and noun in head[: -len(word)]]
    return UNKNOWN if earlier else Trait(nouns[word].gender, f"noun {word!r}")
