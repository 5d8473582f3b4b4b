"""The end of the phrase that a possessive belongs to: *toalha molhada* in "limpou com sua toalha molhada".

The possessor follows the whole phrase (*a toalha molhada de Davi*), so its end must be found, without a parser. It is
a quotation, or prenominal words and a noun, then adjectives that agree and phrases with *de*; it ends before any
closed-class word and before a verb. A word that may be an adjective or a verb is an adjective if the phrase is an
object and ends there, and a verb if the phrase is a subject; otherwise nothing is derived. This also applies to listed
adjectives that look like verbs (`adjectives_like_verbs.txt`) if no other verb follows.
"""

from __future__ import annotations

from dataclasses import dataclass

from winoglot.languages.base import NotDerivedError
from winoglot.languages.pt.adjectives import POSSESSIVES, UNKNOWN, Inflection, can_agree, is_adjective, may_precede
from winoglot.languages.pt.conjugation import forms_of, third_persons_of
from winoglot.languages.pt.context import PhraseContext
from winoglot.languages.pt.homographs import END, acts
from winoglot.languages.pt.verbs import has_clitic, is_finite, is_gerund, is_infinitive, looks_finite
from winoglot.languages.pt.words import Word, determiners, is_closed, listed
from winoglot.languages.tables import word_list

_YEAR = 4  # digits: "sua viagem de 1935"
_NOUN_ENDINGS = ("s", "o", "l", "dade", "gem")  # of words that cannot be verbs with a third-person subject
_COPULAS = ("sendo", "estando", "ficando")
_QUOTES = {'"': '"', "“": "”", "«": "»", "‘": "’", "„": "“", "'": "'"}


def possessed_length(words: tuple[Word, ...], possessive: str, around: PhraseContext) -> int:
    """The number of words after a possessive that belong to its phrase; 0 if the possessive is alone ("é seu").

    >>> from winoglot.languages.pt.words import words_in
    >>> text = "xícara quebrada de chá e saiu"
    >>> possessed_length(words_in(text, 0, len(text)), "sua", PhraseContext("object", "para", ("para",)))
    4
    """
    if not words or _stands_alone(words[0], possessive):
        return 0
    if words[0].form in _QUOTES:
        return _quotation(words)
    noun = _noun(words)
    if words[noun].form in listed("honorifics.txt") and words[noun].is_capital:
        raise NotDerivedError(f"{words[noun].form!r} with a possessive is a title")
    phrase = _Phrase(words, POSSESSIVES[possessive], around)
    phrase.check_noun(noun)
    return phrase.end(noun + 1)


def _stands_alone(word: Word, possessive: str) -> bool:
    if word.is_sign:
        return word.form not in _QUOTES
    may_be_noun = word.form in listed("nouns_too.txt") and can_agree(word.form, POSSESSIVES[possessive])
    if may_be_noun or word.form in listed("prenominals.txt"):
        return False
    return is_closed(word) or word.form in third_persons_of("core_verbs.txt")


def _quotation(words: tuple[Word, ...]) -> int:
    """A quotation runs to its closing mark: *seu "Boa noite!" foi frio*."""
    closing = _QUOTES[words[0].form]
    for number, word in enumerate(words[1:], 2):
        if word.form == closing:
            return number
    raise NotDerivedError("the quotation after the possessive is not closed")


def _noun(words: tuple[Word, ...]) -> int:
    """The index of the noun, after words that may precede it: *seus dois velhos gatos*."""
    at = 0
    while words[at].form in listed("prenominals.txt"):
        following = words[at + 1] if at + 1 < len(words) else END
        if following.form in listed("joiners.txt") or following.form == ",":
            if words[at].form in listed("nouns_as_prenominals.txt"):
                return at
            raise NotDerivedError(f"{words[at].form!r} may be one of several adjectives before the noun")
        is_noun_itself = is_closed(following) and following.form not in listed("prenominals.txt")
        if is_noun_itself or is_finite(following) or is_gerund(following.form):
            return at
        if words[at].form in listed("nouns_as_prenominals.txt") and not _may_be_noun(following):
            return at
        at += 1
    return at


def _may_be_noun(word: Word) -> bool:
    return not looks_finite(word) and not is_adjective(word.form, UNKNOWN)


@dataclass(frozen=True)
class _Phrase:
    words: tuple[Word, ...]
    noun: Inflection
    around: PhraseContext

    def at(self, number: int) -> Word:
        return self.words[number] if number < len(self.words) else END

    def check_noun(self, at: int) -> None:
        """*Seu terrível aspecto*: refuse an unlisted adjective before the noun."""
        word, following = self.words[at], self.at(at + 1)
        is_open = not is_closed(following) and not is_finite(following) and not is_gerund(following.form)
        if is_open and may_precede(word.form, self.noun) and not is_adjective(following.form, self.noun):
            raise NotDerivedError(f"{word.form!r} or {following.form!r} may be the possessed noun")

    def end(self, at: int) -> int:
        """The end of the phrase whose noun is just before `at`."""
        noun = self.noun
        has_adjective = False
        while True:
            word = self.at(at)
            self._check_follower(at)
            if word.form in listed("de_forms.txt"):
                length = self._de_phrase(at)
                if length == 0:
                    return at
                at, noun, has_adjective = at + length, UNKNOWN, False
            elif word.form in listed("degree_adverbs.txt") and self._is_degree(at, noun):
                at, has_adjective = at + 2, True
            elif word.form in listed("joiners.txt"):
                if not (has_adjective and self._is_adjective(at + 1, noun) and self._ends(at + 2)):
                    self._check_coordination(at)
                    return at
                at += 2
            elif is_closed(word):
                return at
            elif word.is_capital:
                raise NotDerivedError(f"{word.form!r} may be the name of the possessed noun")
            elif self._belongs(at, noun):
                at, has_adjective = at + 1, True
            else:
                return at

    def _check_follower(self, at: int) -> None:
        form = self.at(at).form
        if form in _QUOTES and at + 1 < len(self.words):
            raise NotDerivedError("a quotation follows the possessed noun and may be its name")
        if form == "/":
            raise NotDerivedError("a slash follows the possessed noun")
        if form in listed("de_pronouns.txt") or form[0].isdigit():
            raise NotDerivedError(f"{form!r} follows the possessed noun")

    def _belongs(self, at: int, noun: Inflection) -> bool:
        """Whether an open-class word after the noun is its adjective, not a verb."""
        word, following = self.at(at), self.at(at + 1)
        if has_clitic(word) or is_gerund(word.form) or not can_agree(word.form, noun):
            return False
        if self._is_adjective(at, noun):
            return not acts(self.words, at, self.around)
        if is_finite(word) or is_infinitive(word.form):
            return False
        if noun.is_plural:
            return True
        follows_verb = is_finite(following) or following.form == "não" or following.form in listed("clitics.txt")
        if self.around.role == "subject":
            return follows_verb and following.form not in determiners()
        if self.around.role == "object" and noun is not UNKNOWN and self._ends(at + 1) and not looks_finite(word):
            self._check_predicate(word)
            return True
        raise NotDerivedError(f"{word.form!r} may belong to the possessed noun or to the rest of the sentence")

    def _is_adjective(self, at: int, noun: Inflection) -> bool:
        word = self.at(at)
        if word.is_sign or not is_adjective(word.form, noun):
            return False
        self._check_predicate(word)
        return True

    def _check_predicate(self, word: Word) -> None:
        """*Achou sua resposta estúpida*: the adjective may belong to the noun or be a complement of the verb."""
        if self.around.governor in forms_of("predicative_verbs.txt") or self.around.governor in _COPULAS:
            raise NotDerivedError(f"{word.form!r} may be a complement of {self.around.governor!r}")

    def _ends(self, at: int) -> bool:
        return is_closed(self.at(at)) or is_finite(self.at(at))

    def _is_degree(self, at: int, noun: Inflection) -> bool:
        """*O irmão mais velho*, but not *chamou o irmão mais tarde*."""
        word = self.at(at + 1)
        if is_closed(word):
            return False
        if self._is_adjective(at + 1, noun) or (noun.is_plural and can_agree(word.form, noun)):
            return True
        if is_finite(word) or not can_agree(word.form, noun):
            return False
        raise NotDerivedError(f"{self.at(at).form!r} may or may not belong to an adjective of the possessed noun")

    def _check_coordination(self, at: int) -> None:
        """*Seus irmãos e primas*: whose cousins? *Seu casaco e chapéu* looks like *seu casaco e saiu*."""
        word, following = self.at(at + 1), self.at(at + 2)
        if is_closed(word) or word.is_capital or looks_finite(word) or is_gerund(word.form) or is_infinitive(word.form):
            return
        if word.form.endswith(_NOUN_ENDINGS) or following.is_sign:
            raise NotDerivedError(f"{word.form!r} may also be possessed")

    def _de_phrase(self, at: int) -> int:
        """The length of a phrase with *de* that belongs to the noun; 0 if it does not belong to it."""
        preposition, following = self.at(at).form, self.at(at + 1)
        if following.is_sign or f"{preposition} {following.form}" in word_list("pt", "de_locutions.txt"):
            return 0
        if preposition in ("de", "d'") and (is_infinitive(following.form) or following.form in listed("adverbs.txt")):
            return 0  # "a vontade de sair"
        if following.form.isdigit() and len(following.form) == _YEAR:
            return 0
        if self.at(at - 1).form in listed("departure_nouns.txt"):
            return 0  # "a saída do tio do hospital"
        if following.form in third_persons_of("core_verbs.txt"):
            return 0  # "as palavras de há pouco"
        if following.form in listed("clause_openers.txt") or following.form in listed("clitics.txt"):
            return 0
        self._check_de(preposition, following)
        last = at + 1
        while self._precedes_noun(self.at(last).form):
            if is_closed(self.at(last + 1)) and self.at(last + 1).form not in determiners():
                break
            last += 1
        if is_closed(self.at(last)) and self.at(last).form not in listed("prenominals.txt"):
            raise NotDerivedError(f"no noun follows {preposition!r} after the possessed noun")
        while self.at(last).is_capital and self.at(last + 1).is_capital and not is_closed(self.at(last + 1)):
            last += 1
        return last + 1 - at

    def _precedes_noun(self, form: str) -> bool:
        return form in determiners() or form in listed("prenominals.txt") or form.isdigit()

    def _check_de(self, preposition: str, following: Word) -> None:
        clause = self.around.clause
        if self.around.governor in forms_of("verbs_with_de.txt"):
            raise NotDerivedError(f"the phrase with {preposition!r} may belong to {self.around.governor!r}")
        if preposition not in ("de", "d'") and any(word in forms_of("source_verbs.txt") for word in clause):
            raise NotDerivedError(f"the phrase with {preposition!r} may belong to the verb")
        if following.form in ("um", "uma", "uns", "umas", "ele", "ela", "eles", "elas", "mim", "ti", "si", "você"):
            raise NotDerivedError(
                f"{preposition} {following.form!r} may belong to the possessed noun or to the rest of the sentence"
            )
