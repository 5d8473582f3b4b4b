"""Pronouns that are not spoken: the candidate goes where a subject would be.

That is before the finite verb with its negation and clitics (*porque {} não o viu* → *porque Ana não o viu*), in
Chinese before adverbs and auxiliaries (*因为{}没赶上* → *因为小王没赶上*). A language that drops its subjects says so
by providing `before_verb` as its `unspoken`, and lists the words between subject and verb in its table
`function_words` (`preverbal`): a mark after such words counts as one before them.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, Substitution, language_hook
from winoglot.languages.lexicon import lexicon
from winoglot.languages.substitution import Token, apostrophe_of, match_case
from winoglot.languages.text import word_spans
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_inside_word, is_unspaced, needs_space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Features

RULE = "zero"
_SENTENCE_ENDS = '.!?…。！？:"“«‘—\n'


def before_verb(place: Place) -> Substitution:
    """The candidate as the subject of the clause that contains the mark."""
    left, right = _around(place)
    preverbal = lexicon(place.language, "function_words").words("preverbal")
    skipped = list(takewhile(lambda token: token.form in preverbal and not _may_join(token, place.language), left))
    index = skipped[-1].span.start if skipped else place.pronoun.start
    following = [*skipped[::-1], *right]
    _check_subject(place, left[len(skipped) :], following)
    _check_agreement(place, [token for token in following if token.form not in preverbal])
    return _insert_subject(place, index)


def _may_join(token: Token, language: str) -> bool:
    """Whether the word may also open a clause, so that a subject follows it: *se*, which is "if" and "oneself"."""
    light_words = lexicon(language, "function_words").words("light")
    return token.form in light_words and not is_unspaced(token.form[0])


def _around(place: Place) -> tuple[Sequence[Token], Sequence[Token]]:
    """The words before the mark, nearest first, and those after it; refused if the mark is inside one."""
    text, index = place.text, place.pronoun.start
    if not any(character.isalnum() for character in text[index:]):
        raise NotDerivedError("nothing follows the mark, so no subject can stand there")
    is_in_han = index > 0 and is_unspaced(text[index - 1]) and is_unspaced(text[index])
    if not is_in_han:
        if is_inside_word(text, index, index):
            raise NotDerivedError("the mark is inside a word")
        return place.preceding, place.following
    tokens = [Token(folded(span.of(text)), span) for span in word_spans(text, place.language)]
    token_span = next((token.span for token in tokens if token.span.start < index < token.span.end), None)
    halves = [Span(token_span.start, index), Span(index, token_span.end)] if token_span else []
    words = lexicon(place.language, "function_words")
    is_behind_mention = any(
        index == mention.end for candidate in place.item.candidates for mention in candidate.mentions
    )
    are_words = {half.of(text) for half in halves} <= words.words("preverbal") | words.words(
        "light"
    )  # 才 and 会 of 才会
    if not (are_words or is_behind_mention):  # the segmenter may join a name to what follows it
        raise NotDerivedError("the mark is inside a word")
    tokens = [token for token in tokens if token.span != token_span]
    tokens += [Token(folded(half.of(text)), half) for half in halves]
    tokens.sort(key=lambda token: token.span)
    return [t for t in tokens if t.span.end <= index][::-1], [t for t in tokens if t.span.start >= index]


def _check_subject(place: Place, left: Sequence[Token], right: Sequence[Token]) -> None:
    """Refuse a mark after a preposition, and a clause that has a spoken subject."""
    words = lexicon(place.language, "function_words")
    pronouns = lexicon(place.language, "pronouns").words("subject") | words.words("spoken-subject")
    preverbal, governing = words.words("preverbal"), words.words("governs")
    _check_mention_before(place)
    if left and left[0].form in governing:
        raise NotDerivedError(f"an unspoken pronoun after {left[0].form!r} is not a subject")
    clause = list(takewhile(lambda token: token.form[0].isalnum() and token.form not in words.words("light"), left))
    following_words = [*left[1:], None]
    for token, before in zip(clause, following_words, strict=False):
        if token.form in pronouns and not (before and before.form in words.words("preposition") | governing):
            raise NotDerivedError(f"the clause has a spoken subject, {token.form!r}")
    verbs = [token for token in right if token.form not in preverbal]
    if verbs and verbs[0].form in pronouns:
        raise NotDerivedError(f"the clause has a spoken subject, {verbs[0].form!r}")


def _check_mention_before(place: Place) -> None:
    """Refuse a mark right after a candidate, unless that is the hearer: 告诉小红{}要迟到了, but 说小红{}病了."""
    text, index = place.text, place.pronoun.start
    mentions = [
        mention for candidate in place.item.candidates for mention in candidate.mentions if mention.end == index
    ]
    hearing = tuple(lexicon(place.language, "verbs").words("addressing"))
    for mention in mentions:
        if is_unspaced(text[index - 1]) and not text[: mention.start].removesuffix("了").endswith(hearing):
            raise NotDerivedError(f"the clause has a spoken subject, {mention.of(text)!r}")


def _check_agreement(place: Place, following: Sequence[Token]) -> None:
    """Refuse a verb without a subject, and a candidate that does not agree with it in number."""
    if not following:
        return
    verbs, verb = lexicon(place.language, "verbs"), following[0].form
    if verb in verbs.words("impersonal"):
        raise NotDerivedError(f"{verb!r} has no subject")
    shown = verbs.features("finite").get(verb) or _by_ending(verb, verbs.endings("finite"))
    number = place.phrase.traits.number.value
    if shown and None not in (number, shown.number) and number != shown.number:
        raise NotDerivedError(f"number differs: {verb!r} is {shown.number}, {place.phrase.text!r} is {number}")


def _by_ending(word: str, endings: Mapping[str, Features]) -> Features | None:
    matching = [ending for ending in endings if word.endswith(ending) and len(word) > len(ending) + 1]
    return endings[max(matching, key=len)] if matching else None


def _insert_subject(place: Place, index: int) -> Substitution:
    """Insert the phrase, taking over the capital of a verb that began the sentence: *Estava* → *Ana estava*."""
    text = place.text
    phrase = place.phrase.text.replace("'", apostrophe_of(text))
    before, after = text[:index], text[index:]
    if after[:1].isupper() and (not before.strip() or before.rstrip()[-1] in _SENTENCE_ENDS):
        verb = after.split(maxsplit=1)[0]
        phrase, after = f"{match_case(verb[0], phrase)} {verb[0].lower()}{verb[1:]}", after[len(verb) :]
    before += " " * needs_space(before, phrase)
    euphonic = language_hook(place.language, "euphonic")
    if needs_space(phrase, after):
        if before[:index].endswith(" "):  # the space at the mark is then the one after the insertion
            after = " " + after
        else:
            phrase += " "
    return Substitution(euphonic(before, phrase) if euphonic else before, phrase, after, RULE)
