"""The end of the phrase that a possessive begins: *{son} vieux vélo rouge | dans la cour*.

1. A quotation runs to its closing mark.
2. Listed adjectives and numerals before the noun are skipped (*ses deux petits | frères*); the next word is the head.
3. It ends before punctuation, a conjunction, relative, determiner, clitic, negation, adverb, preposition or verb form.
4. *de* + noun belongs to it (*sa clé de voiture*), unless an infinitive follows (*son envie | de partir*) or the verb
   before has such a complement itself (*il sort son chien de la voiture*: not derived); so do a few phrases with *à*
   and *en* (*son sac à dos*, *sa veste en laine*).
5. Any other word is an adjective or a verb. In the plural an adjective ends in -s or -x, which no third-person verb
   does. In the singular an ending that no such verb has (*gris*, *fané*) shows an adjective, the imperfect or past
   (*brillait*, *tomba*) a verb; otherwise it is an adjective if it is listed, a verb if the possessive begins its
   clause, an adjective if the possessive follows a verb or preposition and a boundary follows; else not derived.
   A listed adjective that looks like a verb (*son chien court vite*) may be one if no other verb follows.
   The phrase ends before a participle with its own predicate (*son pull | devenu trop court*).
   A name is an apposition (*sa sœur Ève*): not derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.homographs import FINITE_ENDINGS, acts
from winoglot.languages.fr.participles import is_participle
from winoglot.languages.fr.words import (
    SENTENCE_ENDS,
    closed_class,
    is_adverb,
    is_boundary,
    is_infinitive,
    is_word,
    listed,
    verb_of,
)
from winoglot.languages.tables import feature_table

if TYPE_CHECKING:
    from winoglot.languages.fr.words import Around
    from winoglot.languages.substitution import Place

_CLOSING = {"«": "»", "“": "”", '"': '"', "‘": "’", "‹": "›", "„": "“"}
_OF = frozenset({"de", "d'", "du", "des"})
_SUBORDINATING = frozenset(
    {"que", "qu'", "quand", "lorsque", "si", "car", "puisque", "quoique", "comme", "mais", "donc", "où", "or", "dont"}
)
_ALSO_NOUNS = frozenset({"or", "car", "devant", "derrière", "pendant"})
_AUXILIARIES = frozenset("être avoir aller faire pouvoir vouloir devoir savoir falloir venir".split())  # noqa: SIM905
_ADJECTIVE_ENDINGS = ("ée", "euse", "able", "ible")
_PAST_ENDINGS = ("ait", "aient", "èrent", "irent", "urent", "inrent")


def end_of_phrase(place: Place, around: Around) -> int:
    """The position in the text where the possessed phrase ends."""
    return _Search(place, around).end()


def head_of(around: Around) -> int:
    """The index of the head noun among the words after the possessive."""
    forms = [token.form for token in around.after]
    prenominals = feature_table("fr", "prenominals.txt")
    at = 0
    while at < len(forms):
        following = forms[at + 1] if at + 1 < len(forms) else ""
        is_degree = forms[at] in listed("degree_prenominals") and following in prenominals
        is_before_noun = forms[at] in prenominals or forms[at] in listed("numerals") or forms[at].isdigit()
        is_compared = forms[at] in ("plus", "moins", "très") and not is_boundary(following)
        if is_compared and at + 2 < len(forms) and _may_be_noun(forms[at + 2]):
            at += 1  # "sa plus solide barque"
        elif not is_degree and not (is_before_noun and _may_be_noun(following)):
            break
        at += 1
    if at == len(forms) or not is_word(forms[at]) or forms[at] in closed_class() - listed("adverbs") - _ALSO_NOUNS:
        raise NotDerivedError("no noun follows the possessive")
    return at


def _may_be_noun(form: str) -> bool:
    """Whether it can be the noun after an adjective: many finite forms can (*sa première place*), no auxiliary."""
    return is_word(form) and verb_of(form) not in _AUXILIARIES and (verb_of(form) is not None or not is_boundary(form))


def _is_plural_adjective(form: str) -> bool:
    if form.endswith(("s", "x")):
        return True
    if form.endswith("nt") or is_infinitive(form):
        return False
    raise NotDerivedError(f"{form!r} after the possessed noun is neither a plural nor a verb")


class _Search:
    """One search for the end of the phrase."""

    def __init__(self, place: Place, around: Around) -> None:
        self.place, self.around = place, around
        self.tokens = around.after
        self.forms = [token.form for token in around.after]
        self.plural = place.surface in ("ses", "leurs")
        self.head = 0

    def end(self) -> int:
        quoted = self._quotation()
        if quoted is not None:
            return quoted
        self.head = at = head_of(self.around)
        if (
            self._form(at + 1) == "et"
            and self._form(at) in listed("adjective_list")
            and self._is_listed(self._form(at + 2))
        ):
            raise NotDerivedError(f"both {self._form(at)!r} and {self._form(at + 2)!r} come before the possessed noun")
        while True:
            further = self._further(at)
            if further == at:
                return self.tokens[at].span.end
            at = further

    def _form(self, at: int) -> str:
        return self.forms[at] if at < len(self.forms) else ""

    def _quotation(self) -> int | None:
        closing = _CLOSING.get(self._form(0))
        if closing is None:
            return None
        ends = [token.span.end for token in self.tokens[1:] if token.form == closing]
        if not ends:
            raise NotDerivedError("the quotation after the possessive is not closed")
        return ends[0]

    def _further(self, at: int) -> int:
        """The index after the next word that belongs to the phrase; unchanged if the phrase ends here."""
        form = self._form(at + 1)
        if form in _OF:
            return self._complement(at)
        if form in ("à", "au", "aux", "en"):
            return self._kind(at)
        if form == "et":
            return self._pair(at)
        if is_boundary(form) and not self._is_listed(form):
            return at
        if self.place.text[self.tokens[at + 1].span.start].isupper():
            raise NotDerivedError(
                f"{self.tokens[at + 1].span.of(self.place.text)!r} is next to the possessed noun and may be its name"
            )
        if self._is_adjective(at + 1):
            self._refuse_predicate(at + 1)
            return at + 1
        return at

    def _refuse_predicate(self, at: int) -> None:
        """*Elle rend son frère heureux*: the last adjective may be a complement of the verb."""
        verb = next((token.form for token in self.around.before if not is_adverb(token.form)), "")
        if verb.startswith(tuple(listed("predicative_verbs"))) and is_boundary(self._form(at + 1)):
            raise NotDerivedError(f"{self._form(at)!r} may be a complement of {verb!r}")

    def _complement(self, at: int) -> int:
        """*de* and its noun, unless it means *from*: *sa sortie | de l'hôpital*."""
        first = at + 2
        if self._form(at) in listed("departure_nouns"):
            return at
        if self._form(at) in listed("nouns_with_infinitive") and is_infinitive(self._form(first)):
            return first  # "son permis de conduire"
        if is_infinitive(self._form(first)) or self._form(first) in listed("clitics") - listed("determiners"):
            return at
        if self._form(first) in ("la", "le", "les", "l'") and is_infinitive(self._form(first + 1)):
            return at
        if not is_word(self._form(first)) or self._has_own_complement():
            raise NotDerivedError(f"{self._form(at + 1)!r} may belong to the possessed noun or to the verb")
        prenominals = feature_table("fr", "prenominals.txt")
        skipped = listed("determiners") | listed("numerals") | set(prenominals)
        while is_word(self._form(first + 1)) and (self._form(first) in skipped or self._form(first).isdigit()):
            first += 1
        if any(
            mention.start == self.tokens[first].span.start for c in self.place.item.candidates for mention in c.mentions
        ):
            raise NotDerivedError(f"{self._form(at + 1)!r} may belong to the possessed noun or to the verb")
        if self._form(first) in closed_class():
            raise NotDerivedError(f"no noun follows {self._form(at + 1)!r}")
        following = self._form(first + 1)
        if following and not is_boundary(following) and not self._is_listed(following):
            raise NotDerivedError(f"{following!r} may belong to the possessed noun or be a verb")
        return first

    def _has_own_complement(self) -> bool:
        """Whether an earlier verb in the sentence takes a complement with *de* besides its object."""
        stems = tuple(listed("departure_verbs"))
        for token in self.around.before:
            if token.form in SENTENCE_ENDS:
                return False
            if token.form.startswith(stems) and token.form not in closed_class():
                return True
        return False

    def _kind(self, at: int) -> int:
        """*à*, *au*, *en* with the purpose, flavour or material of a thing."""
        preposition, noun = self._form(at + 1), self._form(at + 2)
        if preposition == "en":
            return at + 2 if noun in listed("materials") else at
        if preposition == "à" and noun in ("lui", "elle", "eux", "elles"):
            raise NotDerivedError(f"'à {noun}' repeats the owner")
        if preposition == "à" and noun in listed("purposes"):
            return at + 2
        if self._form(at) in listed("dishes"):
            last = at + 3 if noun in ("la", "l'") else at + 2
            is_taste = preposition != "à" or noun in ("la", "l'")
            return last if is_taste and is_boundary(self._form(last + 1)) and last < len(self.forms) else at
        is_bare = preposition == "à" and is_word(noun) and not is_boundary(noun) and not is_infinitive(noun)
        if is_bare and noun not in listed("manner_after_a") and not self._is_name(at + 2) and not noun.isdigit():
            raise NotDerivedError(f"'à {noun}' may belong to the possessed noun or to the verb")
        return at

    def _pair(self, at: int) -> int:
        """*ses frères et sœurs*, *sa robe rouge et bleue*."""
        form = self._form(at + 2)
        if is_boundary(form) or not is_boundary(self._form(at + 3)) or self._is_name(at + 2):
            return at
        if self.plural and form.endswith(("s", "x")) and (at > self.head or not is_participle(form)):
            return at + 2
        is_adjective = self._is_listed(form) or form.endswith(("é", "ée"))
        return at + 2 if at > self.head and is_adjective else at

    def _is_name(self, at: int) -> bool:
        return at < len(self.tokens) and self.place.text[self.tokens[at].span.start].isupper()

    def _is_listed(self, form: str) -> bool:
        """A listed adjective, in the plural after a plural possessive."""
        adjectives = listed("adjective_list")
        return form in adjectives or (self.plural and form.endswith(("s", "x")) and form[:-1] in adjectives)

    def _is_adjective(self, at: int) -> bool:
        form, following = self._form(at), self._form(at + 1)
        if self._takes_complement(form, following):
            return False
        if self.plural:
            return _is_plural_adjective(form)
        if form.endswith("ant") and form not in listed("adjective_list"):
            return not is_word(following)
        if self._is_listed(form):
            return not acts(self.forms, at, self.around, opens=self._opens_clause())
        if is_infinitive(form) or form.endswith(_PAST_ENDINGS):
            return False
        if not form.endswith(FINITE_ENDINGS) or form.endswith(_ADJECTIVE_ENDINGS):
            return True
        if verb_of(following) is not None or following in ("ne", "n'") or following.endswith(_PAST_ENDINGS):
            return True  # two finite verbs do not follow each other
        return self._by_position(form, following)

    def _takes_complement(self, form: str, following: str) -> bool:
        """*son sac plein de billes*, *son livre posé là*, *son pull devenu trop court*: the phrase ends before it."""
        singular = form[:-1] if self.plural and form.endswith("s") else form
        if self._governs(form, following):
            return True
        if following in listed("prepositions"):
            if is_participle(form) and not self._is_listed(form):
                return True
            return singular in listed("complement_adjectives") and following in (
                "de",
                "d'",
                "du",
                "des",
                "à",
                "au",
                "aux",
            )
        return False

    def _governs(self, form: str, following: str) -> bool:
        """Whether a participle has its own predicate: *devenu trop court*; an adverb alone may belong to the verb."""
        is_verbal = is_participle(form) and not self._is_listed(form)
        is_degree = following in listed("degree_words") and following not in listed("negations")
        if is_verbal and (is_degree or self._is_listed(following)):
            return True
        if is_adverb(following) and (is_verbal or form.rstrip("s").endswith(("é", "ée"))):
            raise NotDerivedError(f"{following!r} may belong to {form!r} or to the verb")
        return False

    def _by_position(self, form: str, following: str) -> bool:
        opens, is_last = self._opens_clause(), not following or is_boundary(following)
        if opens is True and is_last:
            return False
        if opens is not False or self._is_subordinate() or not is_last:
            raise NotDerivedError(f"{form!r} after the possessed noun may be an adjective or a verb")
        return True

    def _opens_clause(self) -> bool | None:
        """Whether the possessed phrase is the subject of what follows; None if it may be."""
        before = [t.form for t in self.around.before if t.form not in ("tout", "toute", "tous", "toutes")]
        previous = before[0] if before else ""
        if not previous or previous in _SUBORDINATING or previous in SENTENCE_ENDS or previous in (":", ";", "«", '"'):
            return True
        if previous in listed("prepositions") or is_infinitive(previous) or is_participle(previous):
            return False
        if verb_of(previous) is not None or (before[1:] and before[1] in listed("clitics")):
            return False  # "il caresse son chat"
        return None

    def _is_subordinate(self) -> bool:
        """Whether an outer clause may still lack its verb: "le garçon qui a perdu son vélo pleure"."""
        for token in self.around.before:
            if token.form in SENTENCE_ENDS:
                return False
            if token.form in listed("relatives") or token.form in _SUBORDINATING:
                return not is_adverb(token.form)
        return False
