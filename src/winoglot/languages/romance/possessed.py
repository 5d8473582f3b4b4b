"""The end of the phrase that a possessive begins: *sua toalha molhada | na pia*, *son vieux vélo | dans la cour*.

The possessor follows the whole phrase (*a toalha molhada de Davi*), so its end must be found, without a parser.

1. A quotation runs to its closing mark.
2. Adjectives and numerals that are listed as prenominal are skipped, with their degree (*ses deux plus belles |
   photos*); the next word is the head.
3. The phrase ends before punctuation, a closed-class word, an adverb, a certain verb. A name is an apposition: refused.
4. *de* and its noun belong to it (*sa clé de voiture*), unless *de* opens an infinitive or an adverbial, or may belong
   to the verb (refused); so does what the language adds (*sac à dos*).
5. Another word is an adjective or a verb. What cannot agree is not an adjective; what is listed or looks like one is,
   though some are verbs as well (*sua camisa limpa*, *porque sua mãe limpa bem*). Of the rest, one that a verb follows
   is an adjective; otherwise it is a verb after a possessive that opens its clause, an adjective at the end of an
   object, and otherwise refused.
"""

from __future__ import annotations

from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, Literal

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance.grammar import UNKNOWN, is_word
from winoglot.languages.romance.words import QUOTES, SENTENCE_ENDS

if TYPE_CHECKING:
    from winoglot.languages.romance.words import Around
    from winoglot.languages.substitution import Token
    from winoglot.schemas.spans import Span

_YEAR = 4  # digits: "sua viagem de 1935"


class PossessedPhrase:
    """The phrase after one possessive; `length` is the number of its words."""

    def __init__(
        self, around: Around, before: tuple[Token, ...], *, marked: Span | None = None, determiner: str = ""
    ) -> None:
        """The words around the phrase (before it, without the article that a possessive may have).

        `marked`: the phrase, if the author has marked it. `determiner`: what opens the phrase instead of a possessive.
        """
        self.around, self.grammar = around, around.grammar
        self.before = tuple(dropwhile(lambda word: word.form in self.grammar.predeterminers, before))
        self.noun = self._noun = self.grammar.shown_by(determiner or around.place.surface)
        self.governor = next((word.form for word in self.before if not self.grammar.is_adverb(word.form)), "")
        self.role = self._role()
        self.head, self._has_adjective = 0, False
        if marked is not None:
            self.length = sum(word.span.end <= marked.end for word in around.after)
            self.head = min(self._head(), self.length - 1)
        else:
            self.length = self._quotation() or self._length()

    @property
    def head_form(self) -> str:
        """The noun."""
        return self.around.form(self.head)

    @property
    def words_beside_noun(self) -> list[str]:
        """The words beside the noun, up to a complement."""
        words = [word.form for word in self.around.after[: self.length]]
        after = takewhile(lambda form: form not in self.grammar.words("of"), words[self.head + 1 :])
        return [*words[: self.head], *after]

    def form(self, index: int) -> str:
        """The form of a word after the possessive; empty after the last one."""
        return self.around.form(index)

    def ends(self, index: int) -> bool:
        """Whether a noun phrase certainly ends before this word."""
        return not self.form(index) or self.grammar.ends_phrase(self.form(index))

    @property
    def opens_clause(self) -> bool:
        """Whether the possessive is the first word of its clause."""
        previous = self.before[0].form if self.before else ""
        opens = previous in SENTENCE_ENDS or previous in self.grammar.words("subordinator")
        return not previous or opens

    def _role(self) -> Literal["subject", "object", "unsure"]:
        """The role of the phrase, judging by the words before it."""
        if self.opens_clause:
            return "subject"
        grammar, previous = self.grammar, self.before[0]
        if previous.is_punctuation:
            return "subject" if previous.form in grammar.marks_before_subject else "unsure"
        if previous.form in grammar.prepositions:
            return "object"
        if grammar.is_closed(previous.form) or previous.is_capital:
            return "unsure"
        is_noun = len(self.before) > 1 and self.before[1].form in grammar.determiners
        return "unsure" if is_noun and not grammar.is_finite(previous.form) else "object"

    def _quotation(self) -> int:
        """The length of a quotation that opens the phrase; 0 if none does."""
        closing = QUOTES.get(self.form(0))
        if closing is None:
            return 0
        closings = [index for index, word in enumerate(self.around.after) if index and word.form == closing]
        if not closings:
            raise NotDerivedError("the quotation after the possessive is not closed")
        return closings[0] + 1

    def _length(self) -> int:
        """The number of words that belong to the phrase."""
        self.head = self._head()
        form, following = self.head_form, self.around.at(self.head + 1)
        if not is_word(form) or (form in self.grammar.closed and not self._is_noun_too(form)):
            raise NotDerivedError("no noun follows the possessive")
        if self.around.at(self.head).is_capital and form in self.grammar.table("nouns").words("address"):
            raise NotDerivedError(f"{form!r} with a possessive is a title")
        is_open = not self.ends(self.head + 1) and not self.grammar.is_gerund(following.form)
        may_precede = is_open and self.grammar.may_precede(form, self.noun)
        if may_precede and not self.grammar.is_adjective(following.form, self.noun):
            raise NotDerivedError(f"{form!r} or {following.form!r} may be the possessed noun")
        index = self.head + 1
        while (next_end := self._next_part_end(index)) > index:
            index = next_end
        return index

    def _is_noun_too(self, form: str) -> bool:
        return form in self.grammar.prenominals or self.grammar.is_noun_too(form)

    # The head

    def _head(self) -> int:
        """The position of the noun, after the adjectives and numerals before it."""
        index = 0
        while step := self._prenominal_length(index):
            index += step
        return index

    def _prenominal_length(self, index: int) -> int:
        """The number of words before the noun that begin here: an adjective, perhaps with its degree."""
        grammar, form, following = self.grammar, self.form(index), self.form(index + 1)
        if form in grammar.words("degree") and not grammar.ends_phrase(following) and following not in grammar.closed:
            if following in grammar.prenominals:
                return 1
            return 2 if grammar.may_be_noun(self.form(index + 2)) else 0
        is_before_noun = grammar.is_noun(following) and grammar.is_listed_adjective(form)  # "su excelente trabajo"
        if form not in grammar.prenominals and not form.isdigit() and not is_before_noun:
            return 0
        if following in grammar.words("coordinator") or following == ",":
            after = self.form(index + 2)
            is_apart = grammar.ends_phrase(after) and after not in grammar.prenominals and not grammar.is_adverb(after)
            if not grammar.is_noun_too(form) and not is_apart:
                raise NotDerivedError(f"{form!r} may be one of several adjectives before the noun")
            return 0
        if not grammar.may_be_noun(following):
            is_superlative = following in grammar.words("degree") and self._prenominal_length(index + 1) > 0
            return int(is_superlative)  # "ses trois plus belles photos"
        is_last = grammar.looks_finite(following) or grammar.is_adjective(following, UNKNOWN)
        return 0 if grammar.is_noun_too(form) and is_last else 1

    # What follows it

    def _next_part_end(self, index: int) -> int:
        """The end of the next part of the phrase; unchanged if the phrase ends here."""
        grammar, word = self.grammar, self.around.at(index)
        form = word.form
        self._check_follower(index)
        if form in grammar.words("of"):
            return self._de_phrase_end(index)
        complement_end = grammar.other_complement(self, index)
        if complement_end is not None:
            return complement_end
        if grammar.degree_after_noun and form in grammar.words("degree") and self._is_degree(index):
            self._has_adjective = True
            return index + 2
        if form in grammar.words("coordinator"):
            return self._coordination_end(index)
        if grammar.is_closed(form):
            return index
        if word.is_capital:
            raise NotDerivedError(f"{word.span.of(self.around.place.text)!r} may be the name of the possessed noun")
        if not self._belongs(index):
            return index
        self._has_adjective = True
        return index + 1

    def _check_follower(self, index: int) -> None:
        """Refuse what may be the name of the noun, or belongs to it in a way that no rule knows."""
        form = self.form(index)
        if form in QUOTES and index + 1 < len(self.around.after):
            raise NotDerivedError("a quotation follows the possessed noun and may be its name")
        if form == "/" or (form == "-" and self.around.at(index).span.start == self.around.at(index - 1).span.end):
            raise NotDerivedError(f"{form!r} follows the possessed noun")
        if form in self.grammar.words("of-pronoun") or form[:1].isdigit():
            raise NotDerivedError(f"{form!r} follows the possessed noun")

    def _belongs(self, index: int) -> bool:
        """Whether an open-class word after the noun is its adjective, not a verb."""
        grammar, form, following = self.grammar, self.form(index), self.form(index + 1)
        if grammar.has_clitic(form) or grammar.is_gerund(form):
            return False
        if not grammar.can_agree(form, self._noun):
            if grammar.must_agree(form):
                raise NotDerivedError(f"{form!r} after the possessed noun neither agrees with it nor is a verb")
            return False
        if grammar.has_own_complement(form, following):
            return False
        if self._is_adjective(index):
            return not self._acts_as_verb(index)
        if grammar.is_finite(form) or grammar.is_infinitive(form):
            return False
        if self._noun.is_plural:
            return True
        if self.role != "object" and self._is_verbal(following):
            return True  # two finite verbs do not follow each other
        if self.role == "subject" and (grammar.bare_objects or self.ends(index + 1)):
            return False
        is_last = self.role == "object" and self._noun is not UNKNOWN and self.ends(index + 1)
        is_last = is_last and grammar.adjectives_by_position
        if is_last and not grammar.looks_finite(form) and not grammar.is_subordinate(self):
            self._check_predicate(form)
            return True
        raise NotDerivedError(f"{form!r} may belong to the possessed noun or to the rest of the sentence")

    def _is_verbal(self, form: str) -> bool:
        """Whether a verb, its negation or its clitic begins here."""
        grammar = self.grammar
        return grammar.is_finite(form) or form in grammar.words("verbal-negation") or grammar.is_clitic(form)

    def _is_adjective(self, index: int) -> bool:
        form = self.form(index)
        if not is_word(form) or not self.grammar.is_adjective(form, self._noun):
            return False
        self._check_predicate(form)
        return True

    def _check_predicate(self, form: str) -> None:
        """Refuse an adjective that may be a complement of the verb: *achou sua resposta estúpida*."""
        if self._noun is not UNKNOWN and self.grammar.verbs.is_form_of(self.governor, "predicative"):
            raise NotDerivedError(f"{form!r} may be a complement of {self.governor!r}")

    def _is_degree(self, index: int) -> bool:
        """Whether a degree belongs to the noun's adjective: *o irmão mais velho*, not *chamou o irmão mais tarde*."""
        grammar, form = self.grammar, self.form(index + 1)
        if grammar.is_closed(form):
            return False
        agrees = grammar.can_agree(form, self._noun)
        if self._is_adjective(index + 1) or (self._noun.is_plural and agrees):
            return True
        if grammar.is_finite(form) or not agrees:
            return False
        raise NotDerivedError(f"{self.form(index)!r} may or may not belong to an adjective of the possessed noun")

    def _coordination_end(self, index: int) -> int:
        """The end of a coordination: *sua saia azul e branca*, *ses frères et sœurs*; a second noun is refused."""
        grammar, word = self.grammar, self.around.at(index + 1)
        form, ends = word.form, self.ends(index + 2)
        if grammar.is_closed(form):
            return index
        if self._has_adjective and self._is_adjective(index + 1) and ends:
            return index + 2
        verbal = grammar.looks_finite(form) or grammar.is_gerund(form) or grammar.is_infinitive(form)
        if word.is_capital or verbal:
            return index
        is_plural = self._noun.is_plural and form.endswith(("s", "x")) and not grammar.is_participle(form)
        if is_plural and ends and not grammar.bare_objects:  # without a determiner it is not another phrase
            return index + 2
        is_noun = form.endswith(("s", "o", "l", "dade", "gem")) or self._noun is UNKNOWN
        if is_noun or not is_word(self.form(index + 2)):
            raise NotDerivedError(f"{form!r} may also be possessed")
        return index

    # Adjectives that look like verbs

    def _acts_as_verb(self, index: int) -> bool:
        """Whether a listed adjective is the verb after all; raises NotDerivedError if it may be either."""
        grammar, form, following = self.grammar, self.form(index), self.form(index + 1)
        if self.role == "subject" and grammar.acts_on(form, following) and grammar.is_listed_adjective(form):
            return True
        if self.role == "object" or form not in grammar.table("adjectives").words("verb-too"):
            return False
        if grammar.looks_finite(following) or self._is_verbal(following):
            return False  # the verb follows: "sua camisa limpa brilhava"
        if not grammar.bare_objects and not self.ends(index + 1):
            return False
        ends = not is_word(following) or following in grammar.words("coordinator")
        if not self.opens_clause and ends:
            return False  # "perdeu o lenço e sua camisa limpa."
        is_joined = len(self.before) > 1 and self.before[1].form in grammar.words("connective")  # "parce que"
        is_compared = self.governor in grammar.words("comparing") and not is_joined
        if self.opens_clause and not is_compared and self._is_last_verb(index):
            return True
        raise NotDerivedError(f"{form!r} after the possessed noun may be an adjective or a verb")

    def _is_last_verb(self, index: int) -> bool:
        """Whether adverbs, an object or the end of the sentence follow, and no other possible verb."""
        grammar = self.grammar
        forms = [word.form for word in self.around.after[index + 1 :]]
        rest = list(takewhile(is_word, forms))
        closing = forms[len(rest)] if len(rest) < len(forms) else "."
        rest_of_clause = list(dropwhile(grammar.is_adverb, rest))
        if not rest_of_clause:
            return closing in SENTENCE_ENDS
        opens_phrase = rest_of_clause[0] in grammar.determiners or rest_of_clause[0] in grammar.prepositions
        return opens_phrase and not any(map(grammar.looks_finite, rest_of_clause))

    # De

    def _de_phrase_end(self, index: int) -> int:
        """The end of *de* with its noun; unchanged if it does not belong to the phrase."""
        grammar, preposition, following = self.grammar, self.form(index), self.form(index + 1)
        nouns = grammar.table("nouns")
        is_bare = preposition in (grammar.of, "d'") and following not in grammar.determiners
        is_bare = is_bare and not self.around.at(index + 1).is_capital
        if is_bare and grammar.is_infinitive(following) and self.form(index - 1) in nouns.words("with-infinitive"):
            return index + 2  # "son permis de conduire"
        if self._is_adverbial(index):
            return index
        self._check_de(preposition, following, is_bare=is_bare)
        last = index + 1
        while (
            self.form(last) in grammar.determiners
            or self.form(last) in grammar.prenominals
            or self.form(last).isdigit()
        ):
            following = self.form(last + 1)
            if grammar.is_closed(following) and following not in grammar.determiners:
                break
            last += 1
        if not is_word(self.form(last)) or self.form(last) in grammar.closed - grammar.prenominals:
            raise NotDerivedError(f"no noun follows {preposition!r} after the possessed noun")
        words = self.around
        while (
            words.at(last).is_capital and words.at(last + 1).is_capital and not grammar.is_closed(self.form(last + 1))
        ):
            last += 1
        start = words.at(last).span.start
        if any(mention.start == start for candidate in words.place.item.candidates for mention in candidate.mentions):
            raise NotDerivedError(f"{preposition!r} may belong to the possessed noun or to the verb")
        self._noun, self._has_adjective = UNKNOWN, False
        return last + 1

    def _is_adverbial(self, index: int) -> bool:
        """Whether *de* opens an adverbial, an infinitive, a clause, a date, or means *from*."""
        grammar, preposition, following = self.grammar, self.form(index), self.form(index + 1)
        if not is_word(following) or f"{preposition} {following}" in grammar.table("phrases").words("adverbial"):
            return True
        if self.form(index - 1) in grammar.table("nouns").words("departure"):
            return True  # "a saída do tio do hospital"
        is_article = following in grammar.determiners and grammar.is_infinitive(self.form(index + 2))
        is_verb = grammar.is_infinitive(following) or is_article or following in grammar.verbs.third_persons("core")
        is_year = following.isdigit() and len(following) == _YEAR
        is_small = following in grammar.words("subordinator") or following in grammar.words("adverb")
        return is_verb or is_year or is_small or grammar.is_clitic(following)

    def _check_de(self, preposition: str, following: str, *, is_bare: bool) -> None:
        """Refuse if *de* may belong to the verb."""
        verbs = self.grammar.verbs
        if verbs.is_form_of(self.governor, f"object-and:{self.grammar.of}"):
            raise NotDerivedError(f"the phrase with {preposition!r} may belong to {self.governor!r}")
        clause = takewhile(lambda word: not word.is_punctuation, self.before)
        if not is_bare and any(verbs.is_form_of(word.form, "departing") for word in clause):
            raise NotDerivedError(f"the phrase with {preposition!r} may belong to the verb")
        if following in self.grammar.words("vague-after-of"):
            raise NotDerivedError(
                f"{preposition} {following!r} may belong to the possessed noun or to the rest of the sentence"
            )
