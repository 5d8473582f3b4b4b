"""Possessives: *sein Hut* → *der Hut des Mannes*, and before a name's genitive *Annas Hut*.

The possessive shows the case of what is owned; only *sein* and *ihr* without ending need its gender (*der* or *das*),
from an adjective (*sein alter Hut*) or the noun. The owner follows the noun, or its name takes the possessive's place;
then adjectives have strong endings (*mit {ihrem} alten Hut* → *mit Annas altem Hut*). *Dessen* and *deren* show no
case, which a preposition or the place of the subject must.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import dropwhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.de import nouns
from winoglot.languages.de.candidates import definite_phrase
from winoglot.languages.de.clauses import (
    PronounClause,
    bare_noun,
    clause_of,
    is_closed,
    is_preposition,
    is_verbal,
    is_verbal_opening,
    number_of_verb,
    phrase_after,
    words_with,
)
from winoglot.languages.de.declension import (
    CASES,
    DEFINITE,
    PLURAL,
    SORTS,
    Determined,
    Modifier,
    Sort,
    adjective_ending,
    adjective_stem,
    analyses,
    counting_words,
    determiner,
    determiner_forms,
    sorts_of_noun,
)
from winoglot.languages.de.fit import sorts_of_pronoun
from winoglot.languages.lexicon import contractions, lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.substitution import Token
from winoglot.schemas.spans import Span, shared_end
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.de.candidates import DescribedCandidate
    from winoglot.languages.substitution import Place

_GIVER_AND_RECEIVER = 2


@dataclass(frozen=True)
class _Possessed:
    """The words after a possessive up to the noun, and what the phrase may be."""

    modifiers: tuple[Modifier, ...]
    head: Token
    rest: tuple[Token, ...]  # after the noun
    analyses: tuple[Determined, ...]
    noun: Modifier  # it declines if it is made of an adjective: ihr Vorsitzender

    def written(self, analysis: Determined, kind_before: str) -> str:
        """Adjectives and noun after a determiner of this kind."""
        ending = adjective_ending(kind_before, analysis.sort, analysis.case)
        is_second = ending == "em" and any(word.stem for word in self.modifiers)  # Annas altem Bekannten
        return " ".join(
            [*(word.written(ending) for word in self.modifiers), self.noun.written("en" if is_second else ending)]
        )


def possessive(place: Place) -> Substitution:
    """Replace a possessive before its noun, or the genitive *seiner* without one: *gedachte {seiner}*."""
    owner, sorts = _owner(place)
    owned = _possessed(place, [(analysis, "mixed") for analysis in analyses(place.surface)])
    if owned is None:
        return _genitive_object(place, owner, sorts)
    is_name = owner.phrase.is_name and not owner.phrase.stem
    if is_name and not owner.phrase.joined and not _may_be_genitive(place, owned):
        return _before_noun(place, owned, owner, sorts)
    return _behind_noun(place, owned, owner, sorts)


def demonstrative(place: Place) -> Substitution:
    """Replace *dessen* and *deren* before a noun, which may be in any case: *weil {dessen} Bein brach*."""
    before, second = [*(word.form for word in place.preceding[:2]), "", ""][:2]
    if before == "," or (is_preposition(before) and second == ","):
        raise NotDerivedError(f"{place.surface!r} opens a relative clause, which describes the noun before it")
    owner, sorts = _owner(place)
    is_joined = before == "und" and second.isalpha()
    cases = _cases_joined(place) if is_joined else _cases_after(before)
    possible = [(Determined("", sort, case), "strong") for sort in SORTS for case in CASES if case in cases]
    owned = _possessed(place, possible)
    if owned is None:
        raise NotDerivedError(f"no noun follows {place.surface!r}")
    phrase = owner.phrase
    if phrase.is_name and not phrase.stem and not phrase.joined:
        return place.rewrite(place.pronoun, phrase.declined(next(iter(sorts)), "genitive"), rule="possessive")
    if is_preposition(before) or (is_joined and cases):
        return _behind_noun(place, owned, owner, sorts)
    clause = clause_of(place.text, place.preceding, place.following)
    rest = PronounClause(place.text, clause.opener, clause.after[len(owned.modifiers) + 1 :], ())
    if is_joined or clause.before or rest.may_have_subject_before:
        raise NotDerivedError(f"nothing shows the case of {owned.noun.word!r} after {place.surface!r}")
    verb = PronounClause(place.text, clause.opener, (), rest.before).verb  # weil {dessen} Koffer im Gang stand
    agreeing = [analysis for analysis in owned.analyses if verb and number_of_verb(verb) == analysis.sort.number]
    return _behind_noun(place, replace(owned, analyses=tuple(agreeing) or owned.analyses), owner, sorts)


def _owner(place: Place) -> tuple[DescribedCandidate, frozenset[Sort]]:
    """The candidate as an owner, and what it may be after the pronoun."""
    owner = definite_phrase(place.item.candidates[place.index], place.item)
    sorts = owner.fits(sorts_of_pronoun(place.item))
    if not sorts:
        raise NotDerivedError(f"{place.surface!r} does not agree with {place.item.candidates[place.index].text!r}")
    return owner, sorts


def _cases_after(before: str) -> tuple[str, ...]:
    """The cases that a preposition governs; without one the nominative, of which `demonstrative` makes sure."""
    if not is_preposition(before):
        return ("nominative",)
    return tuple(case for case in CASES if before in words_with("preposition", case))


def _cases_joined(place: Place) -> frozenset[str]:
    """The cases of the phrase to which *und* joins the pronoun: *grüßte den Maler und {dessen} Sohn*.

    The nominative is one of them if a verb follows, so that another clause may begin.
    """
    head, *words = place.preceding[1:]
    noun = head.span.of(place.text)
    opening = next((index for index, word in enumerate(words) if word.is_capital or is_closed(word.form)), None)
    if opening is None or not noun[0].isupper() or name_gender(noun, "de").value:
        return frozenset()
    determiner_form, preposition = words[opening].form, "".join(word.form for word in words[opening + 1 : opening + 2])
    preposition, determiner_form = contractions("de").get(determiner_form, (preposition, determiner_form))
    governed = _cases_after(preposition) if is_preposition(preposition) else ("nominative", "accusative", "dative")
    cases = {
        analysis.case
        for analysis in analyses(determiner_form)
        if analysis.sort in (sorts_of_noun(noun) or SORTS)
        and analysis.case in governed
        and ((analysis.sort, analysis.case) != (PLURAL, "dative") or noun.endswith(("n", "s")))
    }
    after_noun = list(dropwhile(lambda word: not word.is_capital, place.following))[1:2]
    is_clause = any(is_verbal(word, place.text) for word in after_noun)
    return frozenset(cases | {"nominative"} if cases and is_clause else cases)


def _genitive_object(place: Place, owner: DescribedCandidate, sorts: frozenset[Sort]) -> Substitution:
    """*gedachte {seiner}* → *gedachte des Mannes*, *statt {ihrer}* → *statt der Frau*."""
    clause = clause_of(place.text, place.preceding, place.following)
    forms = {word.form for word in (*clause.before, *clause.after)}
    verbs = lexicon("de", "verbs")
    wanted = verbs.words("genitive") if "sich" in forms else verbs.words("genitive") - verbs.words("reflexive")
    before = place.preceding[0].form if place.preceding else ""
    is_governed = before in words_with("preposition", "genitive") or not forms.isdisjoint(wanted)
    genitives = {owner.phrase.declined(sort, "genitive") for sort in sorts}
    if place.surface not in ("seiner", "ihrer") or not is_governed:
        raise NotDerivedError(f"no noun follows {place.surface!r}")
    if len(genitives) != 1 or any(genitive.endswith("'") for genitive in genitives):
        raise NotDerivedError(f"the genitive of {owner.phrase.core!r} is not certain")
    return place.rewrite(place.pronoun, genitives.pop(), rule="genitive object")


def _behind_noun(place: Place, owned: _Possessed, owner: DescribedCandidate, sorts: frozenset[Sort]) -> Substitution:
    """*sein Hut* → *der Hut des Mannes*, *das Rad von Anna*."""
    _check_behind(place, owned)
    phrase = owner.phrase
    lead = _only_form({_with_article(owned, analysis) for analysis in owned.analyses}, owned)
    if phrase.is_name and not phrase.stem:
        inserted = f"von {_only_form({phrase.declined(sort, 'dative') for sort in sorts}, owned)}"
    else:
        inserted = _only_form({phrase.declined(sort, "genitive") for sort in sorts}, owned)
    region = Span(place.pronoun.start, owned.head.span.end)
    return place.rewrite(region, inserted, lead=f"{lead} ", rule="possessive")


def _may_be_genitive(place: Place, owned: _Possessed) -> bool:
    """Whether the possessive belongs to a noun before it, so that no name can open it: *das Rad {seines} Vaters*."""
    if not any(analysis.case == "genitive" for analysis in owned.analyses) or not place.preceding:
        return False
    before = place.preceding[0]
    parts = lexicon("de", "determiners").values("part-of")
    if before.form in parts or before.form in words_with("preposition", "genitive"):
        return True
    surface = before.span.of(place.text)
    is_common = surface[0].isupper() and before.form not in words_with() and name_gender(surface, "de").value is None
    return is_common and not is_verbal_opening(place.text, before)


def _before_noun(place: Place, owned: _Possessed, owner: DescribedCandidate, sorts: frozenset[Sort]) -> Substitution:
    """*ihr alter Hut* → *Annas alter Hut*."""
    genitive = owner.phrase.declined(next(iter(sorts)), "genitive")
    forms = {owned.written(analysis, "strong") for analysis in owned.analyses}
    if len(forms) > 1:
        raise NotDerivedError(f"nothing shows the case of {owned.noun.word!r}")
    old, new = place.text[place.pronoun.end : owned.head.span.end].split(" "), ["", *forms.pop().split(" ")]
    shared_length = shared_end(old, new)  # the last words stay outside the insertion
    changed = new[1 : len(new) - shared_length]
    end = owned.head.span.end - sum(len(word) + 1 for word in old[len(old) - shared_length :])
    region = Span(place.pronoun.start, max(end, place.pronoun.end))
    return place.rewrite(region, " ".join([genitive, *changed]), rule="possessive")


def _possessed(place: Place, possible: Sequence[tuple[Determined, str]]) -> _Possessed | None:
    """The noun of the possessive, with those of its analyses that fit; None if none follows.

    Each analysis comes with the kind of the adjectives after it.
    """
    modifiers: list[Modifier] = []
    for index, word in enumerate(place.following):
        surface = word.span.of(place.text)
        if surface[0].isupper():
            owned = _Possessed(tuple(modifiers), word, place.following[index + 1 :], (), Modifier(surface))
            owned = _narrowed(owned, surface, possible)
            return owned if all(_may_stand_before_noun(m) for m in owned.modifiers[-1:]) else None
        if word.form == "," and modifiers and not modifiers[-1].comma:
            modifiers[-1] = Modifier(modifiers[-1].word, modifiers[-1].stem, ",")
            continue
        is_open = not is_closed(word.form) or word.form in counting_words() | words_with("adjective-too")
        if not is_open and word.form not in words_with("degree") | words_with("numeral") | {"und"}:
            return None
        modifiers.append(Modifier(surface, adjective_stem(surface) if is_open else ""))
    return None


def _may_stand_before_noun(modifier: Modifier) -> bool:
    """Whether a word is no adverb, as in *gedachte {seiner} lange Zeit* and *gab {ihr} schnell Geld*."""
    known = words_with("numeral") | lexicon("de", "adjectives").words("unchanging")
    return bool(modifier.stem) or modifier.word in known or modifier.word.isdecimal()


def _narrowed(owned: _Possessed, surface: str, possible: Sequence[tuple[Determined, str]]) -> _Possessed:
    """The possessed phrase with the analyses that its adjectives and its noun allow."""
    senses = nouns.senses(surface)
    is_adjectival = bool(senses) and all(sense.entry.has("adjectival") for sense in senses)
    noun = Modifier(surface, adjective_stem(surface) if is_adjectival else "")
    if senses and not is_adjectival:
        sorts = sorts_of_noun(surface)
        possible = [(analysis, kind) for analysis, kind in possible if analysis.sort in sorts] or possible
    modifiers: list[Modifier] = []
    for word in (noun, *reversed(owned.modifiers)):
        compatible = [
            (analysis, kind)
            for analysis, kind in possible
            if word.written(adjective_ending(kind, analysis.sort, analysis.case)) == word.word + word.comma
        ]
        possible = compatible or possible
        modifiers.append(word if compatible else replace(word, stem=""))  # sein offen stehendes Fenster
    return replace(
        owned,
        modifiers=tuple(reversed(modifiers[1:])),
        analyses=tuple(analysis for analysis, _ in possible),
        noun=modifiers[0],
    )


def _with_article(owned: _Possessed, analysis: Determined) -> str:
    """The owned phrase with the definite article."""
    return f"{determiner(DEFINITE, analysis.sort, analysis.case)} {owned.written(analysis, 'weak')}"


def _only_form(forms: set[str], owned: _Possessed) -> str:
    """The only form; NotDerivedError if there are several."""
    if len(forms) != 1:
        raise NotDerivedError(f"the article of {owned.noun.word!r} needs a gender, which is unknown")
    return forms.pop()


def _check_behind(place: Place, owned: _Possessed) -> None:
    """Refuse if the genitive would separate words that belong together."""
    rest, text = owned.rest, place.text
    if not rest:
        return
    first = rest[0]
    noun = owned.head.span.of(text)
    surface = first.span.of(text)
    if first.form == "-" or (surface[0].isupper() and surface[0].isalpha() and not _is_apart(noun, surface)):
        raise NotDerivedError(f"{surface!r} after {noun!r} may belong to it")
    following_phrase = phrase_after(text, rest)
    if following_phrase is not None and following_phrase.looks_genitive and first.form in determiner_forms():
        raise NotDerivedError(f"'{first.form} {following_phrase.head}' after {noun!r} may be a genitive")
    if first.form in ("und", "oder") and len(rest) > 1:
        second = bare_noun(text, rest[1:])
        if second and name_gender(second, "de").value is None:
            raise NotDerivedError(f"{noun!r} and {second!r} may have one owner")


def _is_apart(noun: str, following: str) -> bool:
    """Whether a noun right after another is not part of it: *gab {seinem} Bruder Geld*, but *{sein} Glas Wasser*."""
    is_quantity = folded(noun) in lexicon("de", "nouns").words("measure")
    is_known = bool(nouns.senses(following)) and name_gender(following, "de").value is None
    return is_known and not is_quantity


def is_possessive(place: Place) -> bool:
    """Whether *ihr* is a possessive and no dative; refused where it may be either: *gab ihr Brot*."""
    if place.surface != "ihr" or place.item.phrase is not None:
        return True
    owned = _possessed(place, [(analysis, "mixed") for analysis in analyses("ihr")])
    before = place.preceding[0].form if place.preceding else ""
    if owned is None:
        return False
    if is_preposition(before) and before in words_with("dative") - words_with("accusative"):
        return False
    clause = clause_of(place.text, place.preceding, place.following)
    if not clause.before and not clause.is_subordinate:
        return True  # one phrase comes before the verb of a main clause
    senses = nouns.senses(owned.head.span.of(place.text))
    sorts = sorts_of_noun(owned.head.span.of(place.text))
    allowed = {analysis.sort for analysis in analyses("ihr")}
    is_adjectival = any(sense.entry.has("adjectival") for sense in senses)
    if senses and not sorts & allowed and not is_adjectival:
        return False  # gab ihr Blumen
    if name_gender(owned.head.span.of(place.text), "de").value and not senses:
        return False
    endings = [m.word for m in owned.modifiers if m.stem]
    if any(not word.endswith(("er", "es")) for word in endings):
        return False  # gab ihr alte Bücher
    forms = {word.form for word in (*clause.before, *clause.after)}
    verbs = lexicon("de", "verbs")
    is_mass = folded(owned.head.span.of(place.text)) in lexicon("de", "nouns").words("mass")
    if not is_mass or is_preposition(before):
        return True  # a thing that is counted needs a determiner
    is_given = not forms.isdisjoint(verbs.words("giving")) and clause.has_subject_before
    is_concern = not forms.isdisjoint(verbs.words("concerning")) and not clause.has_subject_before
    if (is_given and clause.phrases_before < _GIVER_AND_RECEIVER) or is_concern:
        raise NotDerivedError(f"'ihr' may be the owner of {owned.head.span.of(place.text)!r} or receive it")
    return True
