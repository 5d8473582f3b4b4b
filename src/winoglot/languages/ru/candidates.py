"""The nominative, gender, number and animacy of a candidate, whichever case it is cited or mentioned in.

Sources cite candidates as the text has them (*лавки*, *Лиды*, *вазой Риты*), and in small or capital letters. Of the
readings that the words allow, the one is taken that fits the place of the mention (a preposition wants certain cases)
and the pronoun; if none fits the pronoun, the most likely one, so that the refusal can say what differs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.features import UNKNOWN, Trait, Traits
from winoglot.languages.ru.morphology import CASES, VERBS, analyses, is_known, names_like, words_of
from winoglot.languages.ru.noun_phrase import NounPhrase, genders_agree, may_modify, name_phrase, phrase_readings, table
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place, Token
    from winoglot.schemas.model import Candidate, Item
    from winoglot.schemas.spans import Span

_ALL = frozenset(CASES)
_LONGEST_BEFORE = 5  # words between a preposition and the noun it governs


@dataclass(frozen=True)
class _MentionEvidence:
    """What a mention shows of a candidate: its spelling, the cases its place allows, its predicate's gender."""

    phrase: str
    cases: frozenset[str]
    gender: str | None
    is_capital: bool  # inside a sentence
    is_first: bool  # in its sentence
    is_object: bool  # right after a transitive verb


def noun_phrase_of(candidate: Candidate, item: Item) -> NounPhrase | None:
    """The candidate as a noun phrase, in the case in which it is cited; None if its words are not a noun phrase."""
    return next(iter(noun_phrases_of(candidate, item)), None)


def noun_phrases_of(candidate: Candidate, item: Item) -> tuple[NounPhrase, ...]:
    """The candidate's readings that are equally likely: *лисы* are males or females, and decline differently."""
    text = item.text or ""
    mentions = tuple(_evidence_at(text, mention) for mention in candidate.mentions)
    pronoun = item.pronoun.of(text) if item.pronoun else ""
    return _chosen(candidate.text.strip(), mentions, folded(pronoun), _naming(candidate, item))


def _naming(candidate: Candidate, item: Item) -> float:
    """How much the other candidates and the citations speak for a name, where a capital begins the sentence."""
    text = item.text or ""
    rivals = [rival for rival in item.candidates if rival is not candidate]
    starts = [mention.start for rival in rivals for mention in rival.mentions]
    is_beside_name = any(text[start].isupper() and not opens_sentence(text, start) for start in starts)
    is_beside_being = any(reading.is_animate for rival in rivals for reading in phrase_readings(rival.text)[:1])
    is_cited_so = candidate.text[:1].isupper() and _is_cited_in_nominative(item)
    return (3 if is_beside_name else 0.7) * (10 if is_beside_being else 1) * (10 if is_cited_so else 1)


def _is_cited_in_nominative(item: Item) -> bool:
    """Whether a candidate is cited otherwise than the text has it, so that a capital of a citation means a name."""
    text = item.text or ""
    return any(
        candidate.mentions
        and folded(candidate.text) not in {folded(mention.of(text)) for mention in candidate.mentions}
        for candidate in item.candidates
    )


def features_of(candidate: Candidate, item: Item) -> Traits:
    """The candidate's features, as its words show them."""
    phrase = noun_phrase_of(candidate, item)
    if phrase is None:
        return Traits()
    return _traits(phrase, tuple(_evidence_at(item.text or "", mention) for mention in candidate.mentions))


@lru_cache(maxsize=10_000)
def _traits(phrase: NounPhrase, mentions: tuple[_MentionEvidence, ...]) -> Traits:
    """The features of a phrase, as its words and its mentions show them."""
    nominative = phrase.written("nominative") or phrase.head.lemma
    evidence = f"coordination {nominative!r}" if phrase.conjuncts else f"noun phrase {nominative!r}"
    gender = _gender(phrase, mentions)
    kind = "human" if phrase.head.is_personal or phrase.head.lemma in table("nouns").words("human") else None
    if not phrase.is_animate:
        kind = "thing"
    return Traits(
        gender=Trait(gender, evidence) if gender else UNKNOWN,
        number=Trait(phrase.number, evidence),
        animacy=Trait(kind, evidence) if kind and phrase.head.parse is not None else UNKNOWN,
    )


def features_of_pronoun(item: Item) -> Traits:
    """The pronoun's features; a masculine form that may be neuter is what the candidates are."""
    surface = item.pronoun.of(item.text) if item.text and item.pronoun else ""
    features = pronoun_features(folded(surface))
    genders = {gender for gender, _ in features}
    numbers = {number for _, number in features}
    if genders == {"masculine", "neuter"}:
        candidate_genders = {features_of(candidate, item).gender.value for candidate in item.candidates}
        genders -= (
            {"neuter"}
            if "neuter" not in candidate_genders
            else {"masculine"}
            if "masculine" not in candidate_genders
            else {None}
        )
    evidence = f"pronoun {surface!r}"
    gender, number = (values.pop() if len(values) == 1 else None for values in (genders, numbers))
    return Traits(
        gender=Trait(gender, evidence) if gender else UNKNOWN, number=Trait(number, evidence) if number else UNKNOWN
    )


def nominative(candidate: Candidate, item: Item) -> str | None:
    """The candidate as it is mentioned again, in the nominative and spelt as inside a sentence.

    Indefinite determiners and *свой* are dropped: *один мальчик … мальчик*.
    """
    phrase = noun_phrase_of(candidate, item)
    return None if phrase is None else without_opening(phrase, item).written("nominative")


def are_things(place: Place) -> bool:
    """Whether no candidate is animate."""
    phrases = [noun_phrase_of(candidate, place.item) for candidate in place.item.candidates]
    return all(phrase is not None and not phrase.is_animate for phrase in phrases)


def without_opening(phrase: NounPhrase, item: Item) -> NounPhrase:
    """The phrase without a determiner that a second mention drops, unless it tells the candidates apart."""
    dropped = table("determiners").words("dropped")
    first, *rest = phrase.parts
    if phrase.conjuncts or first.form is None or first.form.lemma not in dropped or not rest:
        return phrase
    heads = [
        candidate_phrase.head.lemma
        for candidate in item.candidates
        if (candidate_phrase := noun_phrase_of(candidate, item))
    ]
    if heads.count(phrase.head.lemma) > 1:  # "одна девочка", "другая девочка"
        return phrase
    parts = (replace(rest[0], text=rest[0].text.lstrip()), *rest[1:])
    return replace(phrase, parts=parts)


@cache
def pronoun_features(surface: str) -> frozenset[tuple[str | None, str | None]]:
    """The genders and numbers that a pronoun's form may have.

    >>> sorted(pronoun_features("ему"))
    [('masculine', 'singular'), ('neuter', 'singular')]
    """
    lines = table("pronouns").entries.get(surface, ())
    return frozenset((line.one_of("gender"), line.one_of("number")) for line in lines)


def fits(phrase: NounPhrase, features: frozenset[tuple[str | None, str | None]], gender: str | None) -> bool:
    """Whether a pronoun with these features may refer to the phrase, whose gender is given."""
    return any(
        number in (None, phrase.number) and (number == "plural" or genders_agree(pronoun_gender, gender))
        for pronoun_gender, number in features
    )


@lru_cache(maxsize=20_000)
def _chosen(cited: str, mentions: tuple[_MentionEvidence, ...], surface: str, naming: float) -> tuple[NounPhrase, ...]:
    features = pronoun_features(surface)
    as_cited = [mention for mention in mentions if folded(mention.phrase) == folded(cited)]
    is_capital = any(mention.is_capital for mention in mentions)
    as_text = as_cited[0].phrase if as_cited else cited
    if is_capital and as_text[:1].islower():
        as_text = as_text[:1].upper() + as_text[1:]
    cases = frozenset[str]().union(*(mention.cases for mention in as_cited)) if as_cited else frozenset({"nominative"})
    elsewhere = {folded(mention.phrase) for mention in mentions} - {folded(cited)}
    is_first = any(mention.is_first for mention in as_cited)
    declined = [
        (folded(mention.phrase), case) for mention in mentions if mention not in as_cited for case in mention.cases
    ]

    def likelihood(reading: NounPhrase) -> float:
        is_small = cited.islower() and not is_capital
        likely = reading.score * (
            _as_small(reading) if is_small else _as_capital(reading, naming, is_capital=is_capital)
        )
        if reading.case == "nominative":
            likely *= 8 if is_first else 1.05
        objects = [folded(mention.phrase) for mention in mentions if mention.is_object]
        if objects and folded(reading.written("accusative") or "") not in objects:
            likely /= 5  # "нашёл ежа", the animal
        if declined and not any(folded(reading.written(case) or "") == form for form, case in declined):
            likely /= 20  # "с Ершовым" is the man, "с Ершовом" would be the town
        return likely * (5 if folded(reading.written("nominative") or "") in elsewhere else 1)

    genders = frozenset(gender for gender, _ in features if gender)
    readings = phrase_readings(as_text, genders)
    possible = [reading for reading in readings if reading.case in cases] or list(readings)
    likely = {reading: likelihood(reading) for reading in possible}
    usual = [reading for reading in possible if likely[reading] >= _RARE * max(likely.values())]
    matching = [reading for reading in usual if fits(reading, features, _gender(reading, mentions))]
    matching = matching or _by_predicate(as_text, mentions, genders) or usual
    likely |= {reading: reading.score for reading in matching if reading not in likely}
    best = max(matching, key=likely.__getitem__, default=None)
    same_forms = [
        reading
        for reading in matching
        if best
        and likely[reading] * _DECISIVE > likely[best]
        and (reading.is_name, reading.written("nominative")) == (best.is_name, best.written("nominative"))
    ]
    is_modified = cited[:1].islower() and not cited.islower()  # маленький Петя
    return tuple(
        _decapitalised(reading) if mentions and not is_capital and (is_modified or _is_common(reading)) else reading
        for reading in same_forms
    )


def _by_predicate(name: str, mentions: tuple[_MentionEvidence, ...], genders: frozenset[str]) -> list[NounPhrase]:
    """A name of the gender that its predicate shows, against what dictionaries say: *Ким пришла*."""
    spoken = genders & {mention.gender for mention in mentions if mention.gender}
    if not name.isalpha() or not name[:1].isupper() or not any(form.is_personal for form in analyses(name)):
        return []
    forms = names_like(name, spoken & frozenset({"masculine", "feminine"}))
    return [name_phrase(name, form) for form in forms if form.case == "nominative"]


def _is_common(phrase: NounPhrase) -> bool:
    """Whether the phrase is a common noun that the dictionary has."""
    return not phrase.has_capital and (is_known(phrase.head.word) or bool(phrase.head.halves))


_DECISIVE = 1.5  # times as likely: *ежа* or *ёж* for the animal and the obstacle
_RARE = 0.05  # of the likelihood of the best reading: the pronoun does not make a rarer one likely


def _as_small(reading: NounPhrase) -> float:
    """How well a citation in lower case fits the reading; some sources write names like this."""
    return 0.1 if reading.is_name else 1


def _as_capital(reading: NounPhrase, naming: float, *, is_capital: bool) -> float:
    """How well a capital goes with the reading: one inside a sentence, or one that begins it (`naming`: for a name)."""
    if is_capital:
        return 1 if reading.has_capital else 0.001
    if not reading.is_name:
        return 1
    is_first_name = "Name" in reading.head.marks and reading.number == "singular"
    is_family = "Pltm" in reading.head.marks  # Ивановы
    if reading.conjuncts or is_first_name or is_family or reading.head.parse is None:
        return naming
    return 0.6 if reading.case == "nominative" else 0.02  # a surname or place at the start of a sentence


def _decapitalised(phrase: NounPhrase) -> NounPhrase:
    """The phrase without the capital that began a sentence."""
    if phrase.quotes[0]:
        return phrase
    if phrase.conjuncts:
        first, *rest = phrase.conjuncts
        return replace(phrase, conjuncts=(first if first.is_name else _decapitalised(first), *rest))
    first_part, *further_parts = phrase.parts
    parts = (replace(first_part, text=first_part.text[:1].lower() + first_part.text[1:]), *further_parts)
    return replace(phrase, parts=parts)


def _gender(phrase: NounPhrase, mentions: tuple[_MentionEvidence, ...]) -> str | None:
    """The gender of the phrase; of one that may name a man or a woman, what its predicate shows."""
    if phrase.number == "plural":
        return None
    is_either = phrase.gender == "common" or (
        phrase.head.lemma in table("nouns").words("common") and len(phrase.parts) == 1
    )
    if not is_either:
        return phrase.gender
    return next((mention.gender for mention in mentions if mention.gender), "common")


def cases_at(text: str, mention: Span) -> frozenset[str]:
    """The cases that a noun phrase may have in this place."""
    return _cases_after(words_of(text, 0, mention.start)[::-1])


@lru_cache(maxsize=1_000)  # asked for every reading of an item
def _evidence_at(text: str, mention: Span) -> _MentionEvidence:
    """What the text shows of a candidate in one place."""
    is_capital = text[mention.start : mention.start + 1].isupper() and not opens_sentence(text, mention.start)
    is_first = opens_sentence(text, mention.start)
    before = next((token for token in words_of(text, 0, mention.start)[::-1] if not may_modify(token.form)), None)
    verb = analyses(before.form)[0] if before else None
    is_object = verb is not None and verb.is_transitive and verb.part in VERBS
    gender = _predicate_gender(text, mention)
    return _MentionEvidence(mention.of(text), cases_at(text, mention), gender, is_capital, is_first, is_object)


def _cases_after(before: tuple[Token, ...]) -> frozenset[str]:
    """The cases that the place of a mention allows: those its preposition governs, or any but the prepositional."""
    prepositions = table("function_words")
    is_near = True
    for token in before[:_LONGEST_BEFORE]:
        lines = prepositions.entries.get(token.form, ())
        governed = frozenset(case for line in lines if line.has("preposition") for case in CASES if line.has(case))
        if governed:
            return governed if is_near else _ALL  # "о генерале Ромове"
        if not token.form[:1].isalpha():
            break
        is_near = is_near and may_modify(token.form)
    return _ALL - {"prepositional"}


def _predicate_gender(text: str, mention: Span) -> str | None:
    """The gender that a past tense after the mention shows: *врач сказала*."""
    for token in words_of(text, mention.end, len(text))[:3]:
        if not token.form.isalpha():
            return None
        form = analyses(token.form)[0]
        if form.part in ("VERB", "ADJS", "PRTS") and form.number == "singular" and form.gender:
            return form.gender
        if form.part not in ("ADVB", "PRCL", "NPRO", "NOUN"):
            return None
    return None


def declined(place: Place, case: str, *, is_place: bool = False) -> str:
    """The candidate in a case; raises NotDerivedError if it cannot be sure."""
    candidate = place.item.candidates[place.index]
    phrases = noun_phrases_of(candidate, place.item)
    if not phrases:
        raise NotDerivedError(f"{candidate.text!r} is not a noun phrase that can be declined")
    opening = phrases[0].parts[0].form
    is_none = folded(candidate.text).startswith("ни ")
    if is_none or (opening and opening.lemma in table("determiners").words("unrepeated")):
        raise NotDerivedError(f"{candidate.text!r} would mean something else on second mention")
    forms = {without_opening(phrase, place.item).written(case, is_place=is_place) for phrase in phrases}
    word = forms.pop()
    if word is None or forms:
        raise NotDerivedError(f"the {case} of {candidate.text!r} is not certain")
    return _with_yo(word, place.text)


def _with_yo(phrase: str, text: str) -> str:
    """The phrase with *ё* as the text has it: a text with *ее* or *еще* writes *семьей*."""
    if "ё" not in phrase or "ё" in text.lower():
        return phrase
    words = (token.form for token in words_of(text, 0, len(text)) if "е" in token.form)
    return (
        phrase.replace("ё", "е") if any(all("ё" in form.word for form in analyses(word)) for word in words) else phrase
    )


_MOST_READINGS = 8


@lru_cache(maxsize=5_000)
def forms_of(phrase: str) -> frozenset[str]:
    """The phrase in all its cases, with *ё* and with *е*.

    >>> sorted(forms_of("Оля"))
    ['Оле', 'Олей', 'Оли', 'Олю', 'Оля']
    """
    readings = phrase_readings(phrase)
    cited = [reading for reading in readings if reading.case == "nominative"] or list(readings)
    forms = {reading.written(case) for reading in cited[:_MOST_READINGS] for case in CASES} - {None}
    written = {form for form in forms if form}
    return frozenset(written | {form.replace("ё", "е").replace("Ё", "Е") for form in written})
