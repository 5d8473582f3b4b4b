"""Subjects, stressed pronouns, *lui*, *leur*, *ce* and *celui-ci*.

*Il, elle, ils, elles* are simply replaced, *qu'il* and *s'il* are written in full (*que Paul*, *si Paul*). So is *lui*
after a preposition if no infinitive follows (*avec {lui}*), after *c'est*, and at the end of a comparison; before a
verb it is a dative. *Leur* is a possessive at the start of its sentence, and after a preposition if no infinitive
follows (*de {leur} plafond*); a dative after *ne* or a subject pronoun, and before an auxiliary. *C'est* becomes *Paul
est*, if the words after it fit. Not derived: *elle-même*, *lui, il*, *et lui* or *leur* where both are
possible, *c'est … qui*, in which *ce* refers to nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.clitics import dative
from winoglot.languages.fr.grammar import FRENCH
from winoglot.languages.romance.grammar import is_word
from winoglot.languages.romance.possessives import possessive
from winoglot.languages.romance.pronouns import check_part, with_bound_word
from winoglot.languages.romance.words import repeated, with_preposition
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around
    from winoglot.languages.substitution import Phrase
    from winoglot.schemas.model import Item

_EMPHASIS = frozenset({"aussi", "même", "mêmes", "seul", "seule", "seuls", "seules", "tous", "toutes", "deux", "non"})
_ONE_OF = re.compile(
    r"\b(?:une?|aucune?|chacune?|laquelle|lequel) (?:des|de (?:ces|mes|tes|ses|nos|vos|leurs)) (?:\w+ )?$"
)
_DISJUNCTIVE = frozenset({"lui", "eux", "elle", "elles", "moi", "toi"})


def subject_or_stressed(around: Around) -> Substitution:
    """Replace *il, elle, ils, elles, eux* by the phrase."""
    _refuse_together(around)
    bound = with_bound_word(around) if around.place.surface in ("elles", "eux") else None
    if bound is not None:
        return bound
    check_part(around)
    _refuse_emphasis(around)
    previous = around.previous_form
    if previous == "," and len(around.before) > 1 and around.before[1].form in _DISJUNCTIVE:
        raise NotDerivedError(f"{around.place.surface!r} repeats {around.before[1].form!r}")
    if previous in ("que", "qu'") and len(around.before) > 1 and around.before[1].form == "quoi":
        raise NotDerivedError("after 'quoi que' the pronoun may refer to nothing")
    if around.place.surface in ("elle", "elles", "eux") and previous in FRENCH.prepositions:
        return _after_preposition(around)
    return around.place.rewrite(around.place.pronoun, around.place.phrase.text, rule="subject")


def _refuse_together(around: Around) -> None:
    """Refuse *à eux deux, ils soulèvent le piano*, which may mean "together"; but not *il pense à eux deux*."""
    if around.previous_form != "à" or around.next_form not in FRENCH.words("with-pronoun"):
        return
    opens = len(around.before) < 2 or FRENCH.is_closed(around.before[1].form)
    if opens or around.form(1) in FRENCH.determiners:
        raise NotDerivedError(f"'à {around.place.surface} {around.next_form}' may mean 'together'")


def lui(around: Around) -> Substitution:
    """Replace *lui*: a dative before its verb, otherwise after a preposition, a comparison or *c'est*."""
    _refuse_emphasis(around)
    previous, following = around.previous_form, around.next_form
    ends = not _is_verbal(following)
    if previous in FRENCH.words("subject") or previous in ("ne", "n'", "nous", "vous"):
        return dative(around)
    if previous in FRENCH.prepositions:
        is_gerund = previous == "en" and following.endswith("ant")
        governs = is_gerund or (previous in FRENCH.words("before-infinitive") and _leads_to_infinitive(around))
        return dative(around) if governs else _after_preposition(around)
    if previous in ("seul", "même"):
        return _masculine(around, "subject")
    if previous in ("que", "qu'", "comme", "ni", "et", "ou", "mais") and ends:
        return _masculine(around, "stressed")
    if _follows_copula(around) and ends:
        return _masculine(around, "cleft")
    if following in ("ne", "n'", "aussi") or (around.opens_sentence and following in ("et", "ou")):
        return _masculine(around, "subject")
    if FRENCH.is_infinitive(following):
        return dative(around)
    if previous in ("et", "ou", "puis"):
        return _coordinated(around)
    if following in FRENCH.verbs.table.words("first-or-second"):
        return dative(around)  # "Lui ai répondu."
    if around.opens_sentence or previous in (",", *FRENCH.words("connective")) or ends:
        raise NotDerivedError(f"'lui' may be the subject or the indirect object of {following!r}")
    return dative(around)


def _follows_copula(around: Around) -> bool:
    """Whether a form of *être* comes before: *C'est {lui}*, *ce n'était pas {lui}*, *c'est donc forcément {lui}*."""
    before = [token.form for token in around.before[:6]]
    close = [form for form in before[:3] if form not in FRENCH.words("negation")]
    if close and FRENCH.verb_of(close[0]) == "être":
        return True
    while before and (FRENCH.is_adverb(before[0]) or before[0] in FRENCH.words("negation")):
        before = before[1:]
    is_cleft = any(form in ("ce", "c'") for form in before[1:3])
    return bool(before) and FRENCH.verb_of(before[0]) == "être" and is_cleft


def _coordinated(around: Around) -> Substitution:
    """*Elle l'appelle et {lui} tend la main*: a dative if it is a verb of giving or saying."""
    words = [token.form for token in around.after[:5]]
    main = next((word for word in words if FRENCH.verb_of(word) not in ("avoir", "être")), "")
    is_compound = FRENCH.verb_of(words[0]) in ("avoir", "être") if words else False
    verb = main if not is_compound else next((w for w in words if w in FRENCH.givers), "")
    is_expression = any(word in FRENCH.table("nouns").words("bare-complement") for word in words)  # "fait signe"
    is_causative = FRENCH.verbs.is_form_of(main, "causative") and any(map(FRENCH.is_infinitive, words))
    if verb in FRENCH.givers or is_expression or is_causative:
        return dative(around)
    raise NotDerivedError(f"'lui' may be the subject or the indirect object of {main!r}")


def _after_preposition(around: Around) -> Substitution:
    """The phrase after the preposition, which is repeated or contracted where French does so."""
    previous = around.before[0]
    if around.place.surface == "lui":
        _refuse_feminine(around)
    if previous.form == "entre" and len(around.before) > 1 and around.before[1].form == "d'":
        if around.place.phrase.is_name:
            raise NotDerivedError("'d'entre' cannot come before a name")
        touched = Span(around.before[1].span.start, around.place.pronoun.end)  # "deux d'entre eux" → "deux des voisins"
        return around.place.rewrite(touched, with_preposition("de", around.place.phrase, FRENCH), rule="preposition")
    form = {"d'": "de"}.get(previous.form, previous.form)
    phrase = repeated(form, around.place.phrase, FRENCH) if form in ("de", "à") else around.place.phrase.text
    return around.place.rewrite(around.place.pronoun, phrase, rule="preposition")


def _masculine(around: Around, rule: str) -> Substitution:
    """The phrase in place of a stressed *lui*, which is masculine."""
    _refuse_feminine(around)
    return around.place.rewrite(around.place.pronoun, around.place.phrase.text, rule=rule)


def _refuse_feminine(around: Around) -> None:
    gender = around.place.phrase.traits.gender
    if gender.value == "feminine":
        raise NotDerivedError(f"gender differs: masculine: stressed 'lui'; {gender}")


def _refuse_emphasis(around: Around) -> None:
    after = around.after
    if around.previous_form == "," and not is_word(around.next_form):
        raise NotDerivedError(f"{around.place.surface!r} is set apart and repeats the subject")
    has_hyphen = len(after) > 1 and after[0].form == "-" and after[0].span.start == around.place.pronoun.end
    following = after[1].form if has_hyphen else around.next_form
    if following == "non" and not (len(after) > 1 and after[1].form == "plus"):
        return
    is_before_verb = _is_verbal(around.form(1)) or FRENCH.is_clitic(around.form(1))
    is_subject = is_before_verb and around.previous_form != ","
    if following == "aussi" and (is_subject or around.previous_form in FRENCH.prepositions):
        return  # "qu'elle aussi dormait", "avec lui aussi"
    if following in _EMPHASIS:
        raise NotDerivedError(f"{around.place.surface!r} is emphasised by {following!r}")


def _leads_to_infinitive(around: Around) -> bool:
    """Whether an infinitive follows, possibly after another clitic."""
    forms = [token.form for token in around.after[:2]]
    if forms and forms[0] in ("en", "y"):
        forms = forms[1:]
    return bool(forms) and FRENCH.is_infinitive(forms[0])


def _is_verbal(form: str) -> bool:
    """Whether the word may be the verb of *lui*: not punctuation, not a function word."""
    if not is_word(form):
        return False
    small = (
        FRENCH.words("connective")
        | FRENCH.words("relative")
        | FRENCH.prepositions
        | FRENCH.determiners
        | FRENCH.words("adverb")
    )
    return FRENCH.verb_of(form) is not None or form not in small


# Leur


def _is_certain_noun(form: str) -> bool:
    """Whether the word cannot be a verb: a listed noun or adjective, or an ending that no third person has."""
    if FRENCH.verb_of(form) is not None or FRENCH.is_infinitive(form) or FRENCH.is_adverb(form):
        return False
    is_listed = any(form in FRENCH.table(name) for name in ("nouns", "vocabulary")) or form in FRENCH.prenominals
    return is_listed or (form.isalpha() and not form.endswith(("e", "a", "t", "d", "c", "nt")))


def leur(around: Around) -> Substitution:
    """Replace *leur*, a possessive or an indirect object as the neighbouring words decide."""
    previous, following = around.previous_form, around.next_form
    if previous in ("nous", "vous") and following.endswith(("ons", "ez")):
        return dative(around)  # "nous leur parlons": a verb, since its ending agrees with the subject
    is_before_verb = previous in ("ne", "n'") or previous in FRENCH.words("subject")
    if is_before_verb or FRENCH.verb_of(following) in ("avoir", "être") or _gives(around):
        return dative(around)
    if around.opens_sentence:
        return possessive(around)
    if previous in FRENCH.prepositions:
        return _leur_after_preposition(around)
    if _is_certain_noun(following) and (previous in FRENCH.words("connective") or FRENCH.verb_of(previous)):
        return possessive(around)  # "parce que leur moteur", "c'était leur dernier jour"
    raise NotDerivedError("'leur' may be a possessive or an indirect object")


def _gives(around: Around) -> bool:
    """Whether a verb of giving or saying follows: *dû leur parler*, *leur donnait*, *leur montre le lac*; no noun."""
    form = around.next_form
    is_verb = FRENCH.is_infinitive(form) or FRENCH.has_shape(form, "certainly-finite")
    return form in FRENCH.givers and (is_verb or around.form(1) in FRENCH.determiners)


def _leur_after_preposition(around: Around) -> Substitution:
    """*de {leur} plafond*, *pour {leur} parler*; a word like *dîner* may be either."""
    previous, following = around.previous_form, around.next_form
    is_verbal = previous in FRENCH.words("before-infinitive") and FRENCH.is_infinitive(following)
    if (is_verbal and following == "avoir") or (previous == "en" and following.endswith("ant")):
        return dative(around)
    if is_verbal:
        raise NotDerivedError(f"{following!r} may be an infinitive or the possessed noun")
    return possessive(around)


# Demonstratives


_PLURAL_VERBS = frozenset({"sont", "étaient", "seront", "seraient", "furent", "soient"})


def demonstrative(around: Around) -> Substitution:
    """Replace *celui-ci*, *celle-là* and their plurals by the phrase."""
    previous = {"d'": "de"}.get(around.previous_form, around.previous_form)
    phrase = repeated(previous, around.place.phrase, FRENCH) if previous in ("de", "à") else around.place.phrase.text
    return around.place.rewrite(around.place.pronoun, phrase, rule="demonstrative")


def ce(around: Around) -> Substitution:
    """Replace *ce* before a form of *être*."""
    forms = [token.form for token in around.after]
    if forms[:1] in (["n'"], ["ne"]):
        forms = forms[1:]
    if not forms or FRENCH.verb_of(forms[0]) != "être":
        raise NotDerivedError(f"{around.place.surface!r} is not the subject of a form of 'être'")
    _refuse_cleft(forms)
    number = around.place.phrase.traits.number
    if (number.value == "plural") != (forms[0] in _PLURAL_VERBS):
        raise NotDerivedError(f"number differs: verb {forms[0]!r}; {number}")
    if forms[1:2] and forms[1] in ("à", "au", "aux", "pour", "par", "avec", "sans", "comme", "lui", "elle", "eux"):
        raise NotDerivedError(f"before {forms[1]!r}, 'c'est' introduces something else")
    _refuse_adjective(around, forms)
    gap = " " if around.place.surface.endswith("'") else ""
    return around.place.rewrite(around.place.pronoun, around.place.phrase.text + gap, rule="c'est")


def _refuse_cleft(forms: list[str]) -> None:
    clause = []
    for form in forms[1:]:
        if form in ".!?…" or form in (",", ";", ":"):
            break
        clause.append(form)
    for form in clause:
        if form in ("qui", "que", "qu'", "pourquoi", "dont", "où"):
            raise NotDerivedError(f"with {form!r}, 'ce' refers to nothing")


def _refuse_adjective(around: Around, forms: list[str]) -> None:
    """Refuse a masculine adjective after *ce* for a feminine noun: "c'était lourd"."""
    skipped = FRENCH.words("adverb") | FRENCH.words("negation") | FRENCH.words("degree")
    rest = [form for form in forms[1:] if form not in skipped]
    predicate = rest[0] if rest else ""
    small = FRENCH.determiners | FRENCH.words("quantifier") | FRENCH.prepositions | FRENCH.words("clitic")
    if not is_word(predicate):
        raise NotDerivedError(f"it is unclear what {around.place.surface!r} refers to: it may be a clause")
    if predicate in small or predicate.endswith("e"):
        return
    gender = around.place.phrase.traits.gender
    if gender.value != "masculine":
        raise NotDerivedError(f"{predicate!r} is masculine after 'ce'; the candidate's gender is {gender}")


# Number that no article shows


def refuse_single_name(phrase: Phrase, item: Item) -> None:
    """Raise NotDerivedError if a plural pronoun refers to one name: the verb would have to change."""
    is_single = phrase.is_name and not phrase.determiner and not re.search(r",| et ", phrase.noun)
    if is_single and features_of_pronoun(item, "fr").number.value == "plural":
        raise NotDerivedError(f"number differs: plural pronoun; {phrase.noun!r} is a single name")


def refuse_one_of_several(item: Item, index: int) -> None:
    """Raise NotDerivedError if a singular pronoun refers to one of the people that the candidate names."""
    text = item.text or ""
    before = [folded(text[: mention.start]) for mention in item.candidates[index].mentions]
    is_one_of_group = before and all(_ONE_OF.search(left) for left in before)
    if is_one_of_group and features_of_pronoun(item, "fr").number.value == "singular":
        raise NotDerivedError(f"one of a group is meant, but {item.candidates[index].text!r} names the whole group")
