"""*Его*, *её*, *их*: the owner of the noun after them, or an object.

The owner follows the noun in the genitive: *на {его} пустой стакан* → *на пустой стакан Ивана*. It comes right after
the head and the genitives that belong to it (*его чувство юмора* → *чувство юмора Ивана*), before everything else:
*ключ Ивана от двери*, *сын Ивана Пётр*. An object is what has no agreeing noun after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.ru.candidates import are_things, declined
from winoglot.languages.ru.government import clause_of, verb_of
from winoglot.languages.ru.morphology import Form, analyses, words_of
from winoglot.languages.ru.noun_phrase import NounPhrase, may_modify, phrase_readings, table
from winoglot.languages.substitution import Token
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.ru.government import Clause
    from winoglot.languages.substitution import Place

_LONGEST = 6  # words of a possessed phrase


@dataclass(frozen=True)
class _Possessed:
    """The phrase after *его*: its words up to the head, and the cases it may have."""

    words: tuple[Token, ...]
    readings: tuple[NounPhrase, ...]

    @property
    def cases(self) -> frozenset[str]:
        """The cases of all readings."""
        return frozenset(reading.case for reading in self.readings)


def possessed(place: Place) -> _Possessed | None:
    """The noun phrase that begins right after the pronoun; None if none does.

    Adjectives may be coordinated (*его старый, но крепкий дом*), and a participle may have words of its own before the
    noun (*его покрытое пылью лицо*).
    """
    text = place.text
    after = words_of(text, place.pronoun.end, len(text))[:_LONGEST]
    before = words_of(text, 0, place.pronoun.start)[-1:]
    is_governed = bool(before) and before[0].form in table("function_words").words("preposition")
    owned = None
    modifiers: list[Token] = []
    is_participle = False
    for index, token in enumerate(after):
        if modifiers and token.form in _BETWEEN and _is_modifier(after[index + 1 : index + 2]):
            continue
        if not token.form[:1].isalpha() or analyses(token.form)[0].lemma in _NEVER_OWNED:
            break
        if index == 0 and not is_governed and _is_adverb(place, token, after):
            break
        if _is_noun(token, text):
            phrase = " ".join(word.span.of(text) for word in (*modifiers, token))
            readings = tuple(
                reading
                for reading in phrase_readings(phrase)
                if reading.parts[-1].form == reading.head and not reading.conjuncts
            )
            owned = _Possessed(after[: index + 1], readings) if readings else owned
        if may_modify(token.form):
            modifiers.append(token)
            is_participle = is_participle or analyses(token.form)[0].part == "PRTF"
        elif owned or not is_participle:
            break
    return owned


def _is_adverb(place: Place, token: Token, after: Sequence[Token]) -> bool:
    """Whether a word that is a noun as well is not one here: *его дома не было*, *его пора будить*.

    It is a noun if it rather is one in general and the verb agrees: *его страх прошёл*. Raises NotDerivedError if the
    verb agrees and it rather is an adverb: *её тепло встретило всё село*.
    """
    forms = analyses(token.form)
    adverb = max((form.score for form in forms if form.part in ("ADVB", "PRED")), default=0)
    if not adverb:
        return False
    noun = next((form for form in forms if form.part == "NOUN" and form.case == "nominative"), None)
    if noun is None or not any(_agrees(verb, noun) for word in after[1:] if (verb := verb_of(word))):
        return True
    if noun.score <= adverb and any(form.part == "ADVB" for form in forms):
        raise NotDerivedError(f"{token.form!r} after {place.surface!r} may be an adverb or what it owns")
    return noun.score <= adverb


def _is_sole_subject(place: Place, clause: Clause, owned: _Possessed, verb: Form) -> bool:
    """Whether the verb may have no subject but the phrase: *разбудил {его} лай собак*, not *он разбил {его} бокал*."""
    words = [*clause.before, *clause.after[len(owned.words) :]]
    subjects = [form for word in words for form in analyses(word.form) if form.part in ("NOUN", "NPRO")]
    agrees = any(_agrees(verb, form) for form in analyses(owned.words[-1].form) if form.case == "nominative")
    if not agrees or verb.marks.isdisjoint({"3per", "past"}) or any(form.case == "nominative" for form in subjects):
        return False
    first = clause.before[-1]
    joint = [word.form for word in words_of(place.text, 0, first.span.start)[-1:]]
    return verb_of(first) is None or not joint or joint[0] in ".!?…"  # but "пришёл и разбил {его} бокал"


def _agrees(verb: Form, noun: Form) -> bool:
    """Whether a finite verb may have the noun as its subject."""
    is_finite = verb.part in ("VERB", "PRTS")
    return is_finite and verb.number == noun.number and verb.gender in (None, noun.gender)


_NEVER_OWNED = frozenset({"свой", "он", "она", "они", "весь", "каждый", "всякий", "этот", "тот", "такой", "сам"})
_BETWEEN = frozenset({",", "и", "но", "а"})


def _is_modifier(tokens: Sequence[Token]) -> bool:
    return any(analyses(token.form)[0].part in ("ADJF", "PRTF") for token in tokens)


def _is_noun(token: Token, text: str) -> bool:
    """Whether a word is a noun, or may be one by its capital."""
    forms = analyses(token.form)
    if forms[0].part == "NOUN":
        return True
    has_capital = text[token.span.start].isupper()
    return any(form.part == "NOUN" for form in forms) and (has_capital or forms[0].part not in _CLOSED)


_CLOSED = frozenset({"ADVB", "PREP", "CONJ", "PRCL", "NPRO", "VERB", "INFN", "GRND", "PRED", "COMP", "ADJF", "PRTF"})


def is_owner(place: Place, owned: _Possessed) -> bool:
    """Whether the pronoun owns the phrase after it, rather than being an object beside it.

    Raises NotDerivedError where both are possible: *не узнала {его} мать*, *открыл {его} ключом*.
    """
    clause = clause_of(place)
    verb = _verb_before(clause)
    phrase = " ".join(token.form for token in owned.words)
    lemma = owned.readings[0].head.lemma
    if clause.before and analyses(clause.before[0].form)[0].part == "COMP":
        return "genitive" in owned.cases  # "выше его ростом", but "лучше его книги"
    if verb is None:
        return _is_owner_first(place, clause, owned, phrase)
    lines = table("verbs").entries.get(verb.lemma, ())
    if any(line.has("accusative", "instrumental") for line in lines) and owned.cases == {"instrumental"}:
        return False  # "назвал его дураком"
    if any(line.has("accusative", "genitive") for line in lines) and "genitive" in owned.cases:
        if owned.cases == {"genitive"}:
            return False  # "лишил его голоса"
        raise NotDerivedError(f"{place.surface!r} may be the object of {verb.word!r} or belong to {phrase!r}")
    if any(line.has("accusative", "dative") for line in lines) and owned.cases <= {"dative", "prepositional"}:
        return False  # "учил его музыке"
    if not verb.is_transitive:
        return True
    if lemma in table("nouns").words("time") and "accusative" in owned.cases | {"accusative"}:
        return False  # "ждал его час"
    is_sole_subject = _is_sole_subject(place, clause, owned, verb)
    if ("accusative" in owned.cases and not is_sole_subject) or owned.cases <= {"genitive"}:
        return True
    if _has_object(place.text, clause, owned):
        return True
    if are_things(place) and not is_sole_subject:
        return False  # "разбил его мячом"
    raise NotDerivedError(f"{place.surface!r} may be the object of {verb.word!r} or belong to {phrase!r}")


def check_object(place: Place) -> None:
    """Refuse what may own something after all: *на его же лодке* (an object would be *него*), *её знакомая*."""
    before = words_of(place.text, 0, place.pronoun.start)[-1:]
    after = words_of(place.text, place.pronoun.end, len(place.text))[:1]
    prepositions = table("function_words")
    for token in after:
        forms = [form for form in analyses(token.form) if form.part in ("ADJF", "PRTF") and "Apro" not in form.marks]
        if forms and analyses(token.form)[0].part == forms[0].part and any(form.case == "nominative" for form in forms):
            raise NotDerivedError(f"{token.form!r} after {place.surface!r} may stand for a noun that it owns")
    if before and any(line.has("preposition") for line in prepositions.entries.get(before[0].form, ())):
        raise NotDerivedError(f"what {place.surface!r} owns after {before[0].form!r} is not certain")


def _is_owner_first(place: Place, clause: Clause, owned: _Possessed, phrase: str) -> bool:
    """Whether the pronoun owns the phrase where no verb precedes: *его рука дрожала*, not *его собака нашла*."""
    if "nominative" not in owned.cases or _continues_phrase(clause):
        return True
    verbs = [form for token in clause.after[len(owned.words) :] if (form := verb_of(token))]
    verb = verbs[0] if verbs else None
    is_subject = verb is None or any(
        reading.case == "nominative" and verb.number in (None, reading.number) and verb.gender in (None, reading.gender)
        for reading in owned.readings
    )
    if not is_subject and owned.readings[0].head.lemma in table("nouns").words("time"):
        return False  # "его целый вечер не было"
    if verb is None or not verb.is_transitive or verb.part not in ("VERB", "INFN"):
        return True
    if len(verbs) > 1 or verb.lemma in table("verbs").words("absolute") or _has_clause(place, clause):
        return True  # "его мать хочет уйти", "его мать говорит, что …"
    if not is_subject or _has_object(place.text, clause, owned):
        return True
    raise NotDerivedError(f"{place.surface!r} may be the object of {verb.word!r} or belong to {phrase!r}")


def _has_clause(place: Place, clause: Clause) -> bool:
    """Whether a clause follows as the verb's object: *, что …*."""
    after = words_of(place.text, place.pronoun.end, len(place.text))[len(clause.after) :]
    return [token.form for token in after[:1]] == [","] and any(
        token.form in ("что", "чтобы", "как", "где", "куда", "почему", "когда") for token in after[1:2]
    )


def _continues_phrase(clause: Clause) -> bool:
    """Whether a preposition, an adjective or a noun comes right before: then the phrase goes on."""
    before = clause.before[0].form if clause.before else ""
    return before in table("function_words").words("preposition") or (bool(before) and may_modify(before))


def _verb_before(clause: Clause) -> Form | None:
    """The verb right before the pronoun, perhaps with particles between: *назначили именно {его}*."""
    particles = table("function_words").words("floating") | {"не"}
    for token in clause.before:
        if token.form in particles:
            continue
        return verb_of(token)
    return None


def _has_object(text: str, clause: Clause, owned: _Possessed) -> bool:
    """Whether another word of the clause may be the verb's object: an accusative without a preposition.

    Behind the verb it may look like a nominative, since there is another subject: *его брат сломал замок*.
    """
    after = clause.after[len(owned.words) :]
    beside = [*clause.before[::-1], *after[_genitives_after(after, text) :]]
    prepositions = table("function_words").words("preposition")
    cases = {"accusative", "genitive"} if any(token.form == "не" for token in beside) else {"accusative"}
    previous = ""
    is_behind_verb = False
    for token in beside:
        forms = [
            form
            for form in analyses(token.form)
            if form.part in ("NOUN", "NPRO") or (form.lemma == "весь" and form.number == "plural")
        ]
        is_behind_verb = is_behind_verb or verb_of(token) is not None
        is_oblique = bool(forms) and (forms[0].case != "nominative" or is_behind_verb)
        is_time = any(form.lemma in table("nouns").words("time") for form in forms)
        if is_oblique and not is_time and previous not in prepositions and any(form.case in cases for form in forms):
            return True
        previous = previous if may_modify(token.form) else token.form
    return False


def owner(place: Place, owned: _Possessed) -> Substitution:
    """The possessed phrase with its owner after it."""
    marked = place.item.phrase
    end = _phrase_end(place, owned) if marked is None or marked.end <= place.pronoun.end else marked.end
    lead = place.text[place.pronoun.end : end].lstrip()
    phrase = declined(place, "genitive")
    return place.rewrite(Span(place.pronoun.start, end), phrase, lead=lead + " ", rule="possessive")


def _phrase_end(place: Place, owned: _Possessed) -> int:
    """Where the possessed phrase ends: after its head and the genitives that belong to it."""
    text = place.text
    end = owned.words[-1].span.end
    after = words_of(text, end, len(text))
    length = _genitives_after(after, text)
    end = after[length - 1].span.end if length else end
    following = after[length : length + 2]
    if len(following) == 2 and following[0].form in ("и", "или"):
        _check_joined(place, owned, following[1])
    return end


def _genitives_after(after: Sequence[Token], text: str) -> int:
    """How many words after the head belong to it in the genitive."""
    return next((index for index in range(len(after)) if not _is_genitive_of(after, index, text)), len(after))


def _is_genitive_of(after: Sequence[Token], index: int, text: str) -> bool:
    """Whether a genitive after the head belongs to it: *чувство юмора*, *день рождения*; not a name, which owns."""
    token = after[index]
    if not token.form[:1].isalpha() or text[token.span.start].isupper():
        return False
    forms = analyses(token.form)
    best = forms[0]
    if any(form.part in {"ADVB", "PREP", "CONJ", "PRCL", "VERB"} for form in forms):
        return False  # "его берега заросли"
    if best.part == "NOUN":
        return best.case == "genitive"
    if best.part == "ADJF" and any(form.case == "genitive" for form in forms):
        return index + 1 < len(after) and _is_genitive_of(after, index + 1, text)
    return False


def _check_joined(place: Place, owned: _Possessed, token: Token) -> None:
    """Refuse *его мать и отец*, where it is unclear whether the second belongs to him as well."""
    cases = {form.case for form in analyses(token.form) if form.part == "NOUN"}
    first = analyses(token.form)[0]
    if first.part in ("NOUN", "ADJF") and (cases | {first.case}) & owned.cases:
        raise NotDerivedError(f"it is unclear whether {token.form!r} belongs to {place.surface!r} as well")
