"""*her*: an object (*told her*) or a possessive (*her hat*).

Object before a determiner, preposition, conjunction, auxiliary, pronoun, adverb or punctuation; possessive before an
open-class word. Undecided after verbs of perception and causation ("saw her duck") and verbs with two objects ("gave
her flowers", but not "gave her hat back"), before words that may be adverb or adjective ("saw her last", "her last
book"), before judgements ("thought her rude"), resultatives ("held her tight") and days and months ("visited her
Monday"). After *with* a participle describes her ("with her gone"), and an adjective may.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Literal

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.wordclass import (
    is_adverb,
    is_base,
    is_closed,
    is_form_of,
    is_in,
    is_participle,
    next_words,
    opens_phrase,
    words_before,
)
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

Role = Literal["object", "possessive"]
_OPENING_QUOTES = tuple("\"“‘'«")
_SPACES_AND_QUOTES = " \t\n\u00a0\u202f\"“”‘’'«»("
_SENTENCE_ENDS = (".", "!", "?", ":", ";", "…")
_PLACING = ("at", "behind", "by", "from", "in", "into", "of", "on", "onto", "to", "under")
_AFTER_PREPOSITION = ("back", "best", "home", "left", "past", "right", "worst")
_DEGREES = ("very", "more", "most", "less", "least")
_ACCOMPANYING = ("with", "without")
_WITH_MORE = ("perceiving", "giving")


def role(place: Place) -> Role:
    """Whether *her* is an object or a possessive here."""
    text = place.text
    before = next(words_before(text, place.pronoun.start), "")
    following = [folded(match.group()) for match in islice(next_words(text, place.pronoun.end), 3)]
    if not following:
        return _before_punctuation(place, before)
    word, next_word = following[0], following[1] if len(following) > 1 else ""
    if word == "own" or _opens_clause(place, before):
        return "possessive"
    is_compound = _begins_compound(place)
    if not before or is_in(before, "function_words", "coordinator"):
        return "possessive" if is_compound else _coordinated(word, next_word)
    if is_compound:
        return _before_open_class(before, word, "-")
    if _is_judgement(place, before, following):
        raise NotDerivedError(f"after {before!r}, {word!r} may be a judgement about 'her'")
    if is_in(word, "verbs", "noun-too"):
        if not next_word or (is_closed(next_word) and not is_in(next_word, "verbs", "auxiliary")):
            return "possessive"  # against her will
        raise NotDerivedError(f"'{word}' after 'her' may be a noun or a verb")
    if is_in(word, "function_words", "adjective-too") and not (_ends_object(word) and _ends_object(next_word)):
        return _before_homograph(before, word, next_word)
    if is_in(word, "nouns", "time") and _begins_with_capital(place):
        return _before_day(before, word, next_word)
    if _ends_object(word) or (before in _ACCOMPANYING and _excludes_noun(next_word) and _describes_her(word)):
        return "object"
    if is_adverb(word):
        if not next_word or _ends_object(next_word) or is_adverb(next_word):
            return "object"
        raise NotDerivedError(f"'her {word} {next_word}' may be a possessive or an object")
    return _before_open_class(before, word, next_word)


def _opens_clause(place: Place, before: str) -> bool:
    """Whether nothing before *her* could take an object: it opens its sentence or follows "because", "that"."""
    if before:
        return is_in(before, "function_words", "connective") and not is_in(
            before, "function_words", "preposition", "coordinator"
        )
    left = place.text[: place.pronoun.start].rstrip(_SPACES_AND_QUOTES)
    return not left or left.endswith(_SENTENCE_ENDS)


def _coordinated(word: str, next_word: str) -> Role:
    """*Eve and her mother*, *Eve and her in the hall*; in *Eve and her past* it may be either."""
    if word in _AFTER_PREPOSITION and _excludes_noun(next_word):
        raise NotDerivedError(f"'{word}' after 'her' may be its noun or an adverb")
    return "object" if _ends_object(word) else "possessive"


def _excludes_noun(word: str) -> bool:
    """Whether the next word shows that no noun follows."""
    return not word or is_closed(word) or is_adverb(word)


def _describes_her(word: str) -> bool:
    """Whether the word describes her: *with her gone*; in *with her calm* the calm may be something she has."""
    if is_in(word, "adjectives", "complement", "resultative") and not is_participle(word) and not is_adverb(word):
        raise NotDerivedError(f"'{word}' after 'her' may be its noun or describe her")
    return is_participle(word) and not is_base(word)


def _begins_compound(place: Place) -> bool:
    """Whether the next word is the first part of a compound: *her in-laws*."""
    end = next(next_words(place.text, place.pronoun.end)).end()
    return place.text[end : end + 1] in tuple("-‐‑") and place.text[end + 1 : end + 2].isalnum()


def _begins_with_capital(place: Place) -> bool:
    return next(next_words(place.text, place.pronoun.end)).group()[0].isupper()


def _before_day(before: str, word: str, next_word: str) -> Role:
    """*Her Monday class* is possessive; "visited her Monday", "her Monday morning" and "her May 3" may be times."""
    is_noun = next_word and not (
        is_in(next_word, "nouns", "part-of-day") or is_closed(next_word) or is_adverb(next_word)
    )
    if is_noun and not opens_phrase(next_word) and not next_word.endswith(("ing", "ed")):
        return _before_open_class(before, word, next_word)
    raise NotDerivedError(f"{word!r} after 'her' may be its noun or a time")


def _is_judgement(place: Place, before: str, following: list[str]) -> bool:
    """Whether a judgement or a name may follow: "thought her (very) rude", "called her Annie"."""
    if not is_form_of(before, "finding", "judging", "thinking"):
        return False
    word, next_word = [*following[following[0] in _DEGREES :], "", ""][:2]
    if next_word and not is_adverb(next_word) and (not is_closed(next_word) or is_in(next_word, "verbs", "auxiliary")):
        return False  # "found her rude sister", "thought her hat was ugly"
    if _ends_object(word) or is_adverb(word):
        return False
    return (
        is_form_of(before, "thinking")
        or is_in(word, "adjectives", "judgement", "complement")
        or _begins_with_capital(place)
    )


def _ends_object(word: str) -> bool:
    """Whether no possessive can come before this word."""
    return (opens_phrase(word) and not _follows_possessive(word)) or (is_closed(word) and not _follows_possessive(word))


def _follows_possessive(word: str) -> bool:
    """Whether the word is a numeral or a possessor, which may follow *her*: "her two sons", "her friend's hat"."""
    is_numeral = (
        is_in(word, "determiners", "numeral")
        or word.isdigit()
        or word in {"few", "many", "one", "dozen", "hundred", "thousand"}
    )
    is_possessor = word.endswith(("'s", "s'")) and not is_closed(word)
    return is_numeral or is_possessor


def _before_punctuation(place: Place, before: str) -> Role:
    """*Her* before punctuation is an object, unless a quotation opens: *her “friend”*."""
    rest = place.text[place.pronoun.end :].lstrip()
    opens_quotation = rest[:1] in _OPENING_QUOTES and rest[1:2].isalnum() and not rest.startswith("'s ")
    if not opens_quotation or place.text[place.pronoun.end : place.pronoun.end + 1] == rest[:1]:
        return "object"
    if not before or is_in(before, "function_words", "connective"):
        return "possessive"
    raise NotDerivedError("'her' before a quotation may be a possessive or an object")


def _before_homograph(before: str, word: str, next_word: str) -> Role:
    """*Her* before a word that may be an adverb or an adjective: *saw her last*, *her last book*."""
    if next_word and not (_ends_object(next_word) or is_adverb(next_word)) and not is_form_of(before, *_WITH_MORE):
        return "possessive"  # her last book
    if word == "back" and is_form_of(before, "touching"):
        return "possessive"
    if word in _AFTER_PREPOSITION and before in _PLACING and not is_adverb(next_word):
        return "possessive"  # on her back
    raise NotDerivedError(f"'{word}' after 'her' may be its noun or an adverb")


def _needs_determiner(before: str, noun: str) -> bool:
    """Whether a noun is counted and singular, so that it is no object by itself: *gave her hat back*, *saw her car*."""
    from winoglot.languages.en.rewriting.inflection import parts_of_speech

    is_homograph = is_form_of(before, "perceiving") or is_in(noun, "people", "animal")  # saw her duck, gave her duck
    if is_homograph and "VERB" in parts_of_speech(noun):
        return False
    is_listed = any(noun in lexicon("en", table) for table in ("things", "people"))
    return is_listed and noun_number(noun) == "singular" and not is_in(noun, "countable", "mass")


def _before_open_class(before: str, word: str, next_word: str) -> Role:
    """*Her* before a noun or adjective, unless the verb may take her as its object and the rest as a complement."""
    if is_in(word, "adjectives", "resultative") and _excludes_noun(next_word):
        raise NotDerivedError(f"'{word}' after 'her' may be a result, as in 'held her tight'")
    is_noun_last = _excludes_noun(next_word) or is_in(next_word, "function_words", "adjective-too")
    if is_form_of(before, *_WITH_MORE) and not (is_noun_last and _needs_determiner(before, word)):
        raise NotDerivedError(f"after {before!r}, 'her {word}' may be a possessive, or an object and its complement")
    if is_form_of(before, "finding") and (is_in(word, "adjectives", "complement") or word.endswith(("ing", "ed"))):
        raise NotDerivedError(f"after {before!r}, 'her {word}' may be a possessive, or an object and its complement")
    if word.endswith("ing") and not is_in(word, "spelling", "misleading"):
        raise NotDerivedError(f"'{word}' after 'her' may be its noun or a verb")
    return "possessive"
