"""Putting a phrase into a text: the place that a language's rules see, and how adjacent words are joined.

Rules get a `Place` and return what its `replace` or `rewrite` make. Words that meet are contracted (*de* + *o tio* →
*do tio*) or elided (*que* + *Anne* → *qu'Anne*), as a language's `contractions.txt` and its table `spelling` say
(`que = elided:qu'`). That table also has the words whose form depends on the next sound (`before-vowel`,
`before-consonant`) and those that do not sound like their first letter: `hach- = onset:consonant`. The longest
beginning wins, a form without hyphen is a whole word; `onset:vowel,consonant` says that usage varies, the usual sound
first, `onset:unsure` that spelling decides nothing, and `lower-case` that a name may differ.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from unicodedata import normalize

from winoglot.languages.base import NotDerivedError, Substitution, function_words, language_hook, language_module
from winoglot.languages.features import Traits
from winoglot.languages.lexicon import lexicon, optional_contractions
from winoglot.schemas.model import Item
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_word_character

# A word with its marks and its apostrophe, or one punctuation mark: "l'", "ami", "abri", "-", "lo", "."
_TOKEN = re.compile(r"(?:\w[\u0300-\u036f]*)+['’]?|[^\w\s]")
_WORD = r"(?:\w[\u0300-\u036f]*)+"  # with separate combining marks
_BEGINS = r"(?<![\w\u0300-\u036f])"  # a search that tries every letter of a long word takes very long
_LAST = re.compile(rf"{_BEGINS}({_WORD})([ \u00a0\u202f])$")
_LAST_ELIDED = re.compile(rf"{_BEGINS}({_WORD}['’])$")
_FIRST = re.compile(rf"{_WORD}['’]?")
_VOWELS = "aeiouœæ"


@dataclass(frozen=True)
class Token:
    """A word or punctuation mark of the text; `form` is case-folded, with composed accents and plain hyphens."""

    form: str
    span: Span
    is_capital: bool = False

    @property
    def is_punctuation(self) -> bool:
        """Whether the token is punctuation, a symbol or an emoji."""
        return not (self.form[0].isalnum() or self.form[0] == "_")


@dataclass(frozen=True)
class Phrase:
    """A noun phrase: `determiner` in lower case and unelided, empty if there is none."""

    determiner: str
    noun: str
    traits: Traits
    is_name: bool
    language: str

    @cached_property
    def text(self) -> str:
        """The phrase as written inside a sentence: *l'oncle*, *o tio*, *Clara*."""
        if not self.determiner:
            return self.noun
        gap = "" if self.determiner.endswith("'") else " "
        return joined(self.determiner + gap, self.noun, self.language)


@dataclass(frozen=True)
class Place:
    """The marked pronoun of an item and the phrase that will replace it.

    >>> from winoglot import Candidate, Item
    >>> from winoglot.languages.phrases import phrase_of
    >>> item = Item("a.0", "a", text="Falei dele ao tio.", pronoun=Span(6, 10), candidates=(Candidate("o tio"),))
    >>> place = Place(item, item.text, item.pronoun, phrase_of(item, 0, "pt"), "pt")
    >>> place.surface, [token.form for token in place.following]
    ('dele', ['ao', 'tio', '.'])
    >>> place.rewrite(place.pronoun, "do tio", rule="contraction").before
    'Falei '
    """

    item: Item
    text: str
    pronoun: Span
    phrase: Phrase
    language: str
    mentions: tuple[Span, ...] = ()  # of the candidate, in the text
    index: int = 0  # of the candidate, in the item

    @cached_property
    def surface(self) -> str:
        """The pronoun as written, case-folded."""
        return folded(self.pronoun.of(self.text))

    @cached_property
    def following(self) -> tuple[Token, ...]:
        """The words and punctuation after the pronoun."""
        return tokens(self.text, self.pronoun.end, len(self.text))

    @cached_property
    def preceding(self) -> tuple[Token, ...]:
        """The words and punctuation before the pronoun, nearest first."""
        return tokens(self.text, 0, self.pronoun.start)[::-1]

    def rewrite(
        self, touched: Span, inserted: str, *, rule: str, lead: str = "", trail: str = "", fuse: bool = True
    ) -> Substitution:
        """Replace the touched region by `lead`, the insertion and `trail`, and adapt what comes before.

        `lead` is anything else written before the insertion (the possessed phrase, a verb), with its trailing space. A
        capital at the start of the region is kept; contraction and elision apply at every seam unless `fuse` is False.
        """
        text, language = self.text, self.language
        apostrophe = apostrophe_of(text)
        left = text[: touched.start]
        if fuse:
            left = unelided(left, text[touched.start :], language)
            lead, inserted = fused(lead, inserted, language)
        parts = [part.replace("'", apostrophe) for part in (lead, inserted, trail)]
        opening = 0 if lead else 1
        parts[opening] = match_case(text[touched.start : touched.start + 1], parts[opening])
        if fuse:
            left, parts[opening] = fused(left, parts[opening], language, apostrophe=apostrophe)
        return Substitution(left + parts[0], parts[1], parts[2] + text[touched.end :], rule)

    def replace(self, *, rule: str, preposition: str = "", fuse: bool = True) -> Substitution:
        """Replace only the pronoun by the phrase, with a preposition if the pronoun contains one (*dele*)."""
        phrase = self.phrase.text
        if preposition:
            phrase = prepended(preposition, phrase, self.language)
        return self.rewrite(self.pronoun, phrase, rule=rule, fuse=fuse)


def closed(substitution: Substitution, opening: str) -> Substitution:
    """The reading with a comma after a candidate that ends in a clause, which begins with `opening`, if any.

    >>> closed(Substitution("denn ", "der Mann, den ich traf", " lachte.", "subject"), ", den").inserted
    'der Mann, den ich traf,'
    """
    is_open = bool(opening) and opening in substitution.inserted and substitution.after[:1].isspace()
    return replace(substitution, inserted=f"{substitution.inserted},") if is_open else substitution


@lru_cache(maxsize=64)  # the candidates of an item share its text
def tokens(text: str, start: int, end: int) -> tuple[Token, ...]:
    """The words and punctuation marks of a stretch of text."""
    return tuple(_token(match) for match in _TOKEN.finditer(text, start, end))


def _token(match: re.Match[str]) -> Token:
    form = match.group()
    plain = form.lower() if form.isascii() else normalize("NFC", folded(form))
    return Token("-" if plain in "‐‑" else plain, Span(*match.span()), form[0].isupper())


def fused(left: str, right: str, language: str, *, optional: bool = False, apostrophe: str = "'") -> tuple[str, str]:
    """Two pieces of text as the language writes them side by side; a contraction becomes part of the right one.

    For what tables cannot express, a language may define `euphonic(left, right)`: Spanish *y Ana*, but *e Inés*.
    `optional` also makes optional contractions. Raises NotDerivedError if spelling does not show whether a word begins
    with a vowel sound.

    >>> fused("Falou de ", "o tio.", "pt"), fused("Il croit que ", "Anne dort.", "fr")
    (('Falou ', 'do tio.'), ("Il croit qu'", 'Anne dort.'))
    """
    euphonic = language_hook(language, "euphonic")
    left = euphonic(left, right) if euphonic else left  # "ad Anna" to "all'amica"
    last, first = _last(_LAST, left), _FIRST.match(right)
    if last is None or first is None:
        return left, right
    word, determiner = _plain(last.group(1)), _plain(first.group())
    forms = _contracted(language)
    form = forms.get((word, determiner))
    if form and first.group()[0].isupper() and getattr(language_module(language), "ARTICLES_OF_NAMES_STAY", False):
        form = None
    if form and (optional or form not in optional_contractions(language)):
        return left[: last.start()], match_case(last.group(1), form) + right[first.end() :]
    elided = _elided(word, determiner, right, language)
    if elided:
        gap = "" if elided.endswith("'") else last.group(2)
        return left[: last.start()] + match_case(last.group(1), elided).replace("'", apostrophe) + gap, right
    return left, right


def unelided(left: str, following: str, language: str) -> str:
    """The text before a word that is removed, with its last word in full: *qu'* before *il* becomes *que*.

    >>> unelided("Il dit qu'", "elle dort.", "fr"), unelided("Je demande s'", "il dort.", "fr")
    ('Il dit que ', 'Je demande si ')
    """
    last = _last(_LAST_ELIDED, left) or _last(_LAST, left)
    if last is None:
        return left
    next_word = _FIRST.match(following)
    forms = _full_words(language).get(_plain(last.group(1)), ())
    for full, followers in forms:
        if not followers or (next_word and _is_among(_plain(next_word.group()), followers)):
            return left[: last.start()] + match_case(last.group(1), full) + " "
    return left


def _last(pattern: re.Pattern[str], left: str) -> re.Match[str] | None:
    """Match the last word with a pattern anchored at the end; only the text after the last space is searched."""
    if left[-1:].isalnum():
        return None
    blanks = left.rfind(" ", 0, -1), left.rfind("\u00a0", 0, -1), left.rfind("\u202f", 0, -1)
    return pattern.search(left, 1 + max(blanks))


def joined(left: str, right: str, language: str) -> str:
    """Join two pieces of text, contracting and eliding where they meet."""
    return "".join(fused(left, right, language))


def prepended(preposition: str, phrase: str, language: str) -> str:
    """A phrase after a preposition.

    >>> prepended("de", "o tio", "pt"), prepended("de", "Anne", "fr"), prepended("com", "o tio", "pt")
    ('do tio', "d'Anne", 'com o tio')
    """
    return joined(preposition + " ", phrase, language)


def match_case(model: str, word: str) -> str:
    """Copy the capitalisation of the model: an initial capital, or all capitals if the model has several.

    >>> match_case("Qu'", "que"), match_case("QU'", "que"), match_case("L'", "le")
    ('Que', 'QUE', 'Le')
    """
    if model.isupper() and len(model.rstrip("'’")) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def apostrophe_of(text: str) -> str:
    """The apostrophe that a text uses; if it uses both kinds, the last one.

    >>> apostrophe_of("L'amie croit qu’"), apostrophe_of("Ana"), apostrophe_of("l’an, l'âme")
    ('’', "'", "'")
    """
    return "’" if text.rfind("’") > text.rfind("'") else "'"


@cache
def _contracted(language: str) -> dict[tuple[str, str], str]:
    return {parts: form for form, parts in function_words(language).contractions.items()}


def _elided(word: str, following: str, right: str, language: str) -> str | None:
    for elided, followers in _elisions(language).get(word, ()):
        if followers:
            if _is_among(following, followers):
                return elided
            continue
        vowel = usually_begins_with_vowel(_leading_word(right), language)
        if vowel is None:
            raise NotDerivedError(
                f"spelling does not show whether {_leading_word(right)!r} after {word!r} begins with a vowel sound"
            )
        if vowel:
            return elided
    return None


def _is_among(word: str, followers: tuple[str, ...]) -> bool:
    """Whether the word is listed, or begins like an entry that ends with a hyphen: *zio* with `z-`."""
    return any(
        word == follower or (follower.endswith("-") and word.startswith(follower[:-1])) for follower in followers
    )


@cache
def elided_forms(language: str) -> frozenset[str]:
    """All forms that words take when they are elided: *l'*, *qu'*."""
    return frozenset(form for elisions in _elisions(language).values() for form, _ in elisions)


@cache
def _elisions(language: str) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """What each word becomes, and before which words only; those restricted to certain words first."""
    elisions = {}
    for word, lines in lexicon(language, "spelling").entries.items():
        values = [line.values for line in lines if "elided" in line.values]
        forms = [(form, line.get("only-before", ())) for line in values for form in line["elided"]]
        if forms:
            elisions[word] = sorted(forms, key=lambda entry: not entry[1])
    return elisions


def _plain(word: str) -> str:
    return normalize("NFC", folded(word))


def _leading_word(text: str) -> str:
    """The word that begins the text, up to its first other character."""
    end = next((index for index, character in enumerate(text) if not is_word_character(character)), len(text))
    return text[:end]


@cache
def _full_words(language: str) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """The full words of each elided form, those restricted to certain following words first; none if ambiguous."""
    forms: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for full, elisions in _elisions(language).items():
        for elided, followers in elisions:
            forms.setdefault(elided, []).append((full, followers))
    for full, (elided,) in lexicon(language, "spelling").values("may-elide").items():  # d'Anna or di Anna
        forms.setdefault(elided, []).append((full, ()))
    return {
        elided: sorted(full_forms, key=lambda entry: not entry[1])
        for elided, full_forms in forms.items()
        if sum(not followers for _, followers in full_forms) <= 1
    }


def elision_fault(word: str, following: str, language: str) -> str | None:
    """What is wrong with a word before another; None if nothing is, or if it is uncertain.

    >>> elision_fault("la", "école", "fr"), elision_fault("l'", "hache", "fr")
    ("'la' comes before a vowel in 'école'", '"l\\'" comes before a consonant in \\'hache\\'')
    >>> elision_fault("la", "hache", "fr"), elision_fault("la", "hyène", "fr"), elision_fault("l'", "hyène", "fr")
    (None, None, None)
    """
    vowel = begins_with_vowel(following, language)
    if vowel is True and folded(word) in lexicon(language, "spelling").words("before-consonant"):
        return f"{word!r} comes before a vowel in {following!r}"
    if vowel is False and folded(word) in lexicon(language, "spelling").words("before-vowel"):
        return f"{word!r} comes before a consonant in {following!r}"
    return None


def begins_with_vowel(word: str, language: str) -> bool | None:
    """Whether the word begins with a vowel sound; None if spelling does not show it or usage varies.

    >>> [begins_with_vowel(word, "fr") for word in ("homme", "héros", "Yvan", "yaourt", "hyène")]
    [True, False, True, False, None]
    """
    onset = _sound_of(word, language)
    return None if onset is None or " or " in onset else onset == "vowel"


def usually_begins_with_vowel(word: str, language: str) -> bool | None:
    """Whether the word begins with a vowel sound; where usage varies, in the more usual one; None if unknown.

    >>> usually_begins_with_vowel("hyène", "fr"), usually_begins_with_vowel("Hrotsvita", "fr")
    (True, None)
    """
    onset = _sound_of(word, language)
    return None if onset is None else onset.startswith("vowel")


def _sound_of(word: str, language: str) -> str | None:
    """How the word begins: vowel, consonant, or both in order of usage; None if spelling does not show it."""
    plain = normalize("NFC", folded(word))
    onset = _listed_onset(plain, word[:1].isupper(), language)
    if onset is not None:
        return None if onset == "unsure" else onset
    if not plain[:1].isalpha():
        return None
    if len(plain) == 1 and plain != "à":
        return None  # a letter is pronounced by its name: an M
    is_initials = word.isupper() or any(character.isdigit() for character in word)
    if is_initials and not getattr(language_module(language), "INITIALS_LIKE_WORDS", False):
        return None  # so are acronyms: an MP
    first = normalize("NFD", plain)[0]
    if not unicodedata.name(first, "").startswith("LATIN"):
        return None
    return "vowel" if first in _VOWELS else "consonant"


def _listed_onset(plain: str, is_capital: bool, language: str) -> str | None:
    """What the table says about a word; None if it has no line for it."""
    spelling = lexicon(language, "spelling")
    table = spelling.values("onset")
    lengths = range(min(_longest_onset(language), len(plain)), 0, -1)
    beginnings = (f"{plain[:length]}-" for length in lengths)
    line = plain if plain in table else next((beginning for beginning in beginnings if beginning in table), None)
    if line is None:
        return None
    if is_capital and line in spelling.words("lower-case"):
        return "unsure"
    return " or ".join(table[line])


@cache
def _longest_onset(language: str) -> int:
    return max(map(len, lexicon(language, "spelling").values("onset")), default=0)
