"""Adjectives that look like verbs, after a possessed noun: *sua camisa limpa*, but *porque sua mãe limpa bem*."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.pt.verbs import looks_finite
from winoglot.languages.pt.words import Word, determiners, is_preposition, listed
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.pt.context import PhraseContext

_SENTENCE_ENDS = (".", "!", "?", "…", ";", ":")
_COMPARING = ("como", "conforme", "quanto", "quantos", "quantas", "que")  # "mais branca que sua camisa limpa"
END = Word(".", Span(0, 0), is_capital=False)  # follows the last word


def acts(words: tuple[Word, ...], at: int, around: PhraseContext) -> bool:
    """Whether the adjective at `at` is the verb; raises NotDerivedError if it may be either.

    >>> from winoglot.languages.pt.context import PhraseContext
    >>> from winoglot.languages.pt.words import words_in
    >>> after = words_in("mãe limpa bem.", 0, 14)
    >>> acts(after, 1, PhraseContext("subject", "porque", ("porque",)))
    True
    >>> acts(after, 1, PhraseContext("object", "com", ("com",)))
    False
    """
    word, following = words[at], _at(words, at + 1)
    if around.role == "object" or word.form not in listed("adjectives_like_verbs.txt"):
        return False
    is_clitic = following.form in listed("clitics.txt") and following.form not in determiners()
    if looks_finite(following) or following.form == "não" or is_clitic:
        return False  # the verb follows: "sua camisa limpa brilhava"
    opens = around.governor in ("", *_SENTENCE_ENDS) or around.governor in listed("clause_openers.txt")
    if not opens and (following.is_sign or following.form in listed("joiners.txt")):
        return False  # "perdeu o lenço e sua camisa limpa."
    if opens and around.governor not in _COMPARING and _is_last_verb(words, at):
        return True
    raise NotDerivedError(f"{word.form!r} after the possessed noun may be an adjective or a verb")


def _is_last_verb(words: tuple[Word, ...], at: int) -> bool:
    """Whether adverbs, an object or the end of the sentence follow, and no other possible verb."""
    at += 1
    while _at(words, at).form in listed("adverbs.txt") or _at(words, at).form.endswith("mente"):
        at += 1
    follower = _at(words, at)
    if follower.is_sign:
        return follower.form in _SENTENCE_ENDS
    rest = takewhile(lambda word: not word.is_sign, words[at:])
    opens_phrase = follower.form in determiners() or is_preposition(follower.form)
    return opens_phrase and not any(looks_finite(word) for word in rest)


def _at(words: tuple[Word, ...], number: int) -> Word:
    return words[number] if number < len(words) else END
