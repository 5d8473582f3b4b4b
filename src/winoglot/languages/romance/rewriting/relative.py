"""A relative clause after the first candidate, from the table `clauses`: *Ana, que morava no centro, saiu*.

What it says fits the kind of person or thing and is not what the text is about. It comes where the noun phrase
certainly ends: before a verb, punctuation, a conjunction, or a preposition that cannot belong to the noun. If no clause
of the table fits something that stands somewhere, one that fits any such thing is proposed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.agreement import conjuncts, features_of
from winoglot.languages.base import NotDerivedError
from winoglot.languages.fitting import fitting_clauses, topics
from winoglot.languages.lexicon import lexicon
from winoglot.languages.name_evidence import named_people
from winoglot.languages.names import famous_names
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.agreement import may_be_human
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.substitution import apostrophe_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_BEFORE_COMMA = frozenset([*",;.!?:…)", ""])
_STANDING = frozenset({"bus", "building", "furniture", "landscape", "opening", "picture", "plant", "vehicle"})
_DESCRIBING = ("relative", "adjective", "participle", "determiner", "infinitive", "gerund")


def relative(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The text with a clause about the candidate that is mentioned first."""
    clauses = clauses_of(item, rules)
    phrase = _first_mention(clauses)
    _check_end(clauses, phrase)
    candidate, doubts = item.candidates[phrase.candidate or 0], _doubts(clauses, phrase)
    is_single = phrase.candidate in named_people(item, item.language) and not conjuncts(candidate.text, item.language)
    stated = features_of(candidate, item, item.language).number.value
    number = "singular" if is_single else stated or phrase.number or "singular"
    clause = _drawn_clause(clauses, phrase, draws, number)
    if clause is None:
        if _STANDING.isdisjoint(_kinds(clauses, phrase, number)):
            raise NotDerivedError(f"no clause of the table fits {candidate.text!r}")
        doubts.append(f"no clause of the table fits {candidate.text!r}")
        clause = _written(clauses, phrase, rules.for_anything, number)
    end = clauses.words[phrase.last].span.end
    closing = "" if clauses.text[end:].lstrip(" \u00a0\u202f")[:1] in _BEFORE_COMMA else ","
    text = f", {rules.who} {clause}{closing}".replace("'", apostrophe_of(clauses.text))
    return Rewriting((Edit(Span(end, end), text),), tuple(doubts))


# What the clause says


def _drawn_clause(clauses: Clauses, phrase: TextPhrase, draws: Draws, number: str) -> str | None:
    """A clause of the table that fits the candidate and the texts of the schema; None if none does."""
    rules, language = clauses.rules, clauses.rules.tag
    texts = [clauses_of(item, rules) for item in draws.schema.items]
    words = frozenset().union(*(text.base_forms for text in texts))
    about = topics(lexicon(language, "clauses"), words, "\n".join(text.text for text in texts))
    verbs = [verb for verb in clauses.verbs() if clauses.subject(verb).phrase == phrase]
    verb_kinds = {kind for verb in verbs for kind in rules.kinds("actions").get(clauses.group(verb).infinitive, ())}
    options = [
        clause for entry in fitting_clauses(language, _kinds(clauses, phrase, number), about, verb_kinds)
        if (number == "singular" or not entry.has("singular"))
        and (clause := _written(clauses, phrase, (entry.form, *entry.values.get("now", ("",))), number))
    ]  # fmt: skip
    return draws.pick("relative clause", options) if options else None


def _written(clauses: Clauses, phrase: TextPhrase, forms: tuple[str, ...], number: str) -> str:
    """A clause, past or present, in the tense of the text, with its verb in a number; empty if it has no such form."""
    words = forms[not _is_past(clauses, phrase)].split()
    if number == "plural" and words:
        verb = next(index for index, word in enumerate(words) if clauses.rules.verbs.finite(word))
        words[verb] = clauses.rules.finite_in_number(words[verb], "plural") or words[verb]
    return " ".join(words)


def _kinds(clauses: Clauses, phrase: TextPhrase, number: str) -> set[str]:
    """The kinds of person or thing that a candidate is, as far as clauses are concerned."""
    rules, table = clauses.rules, lexicon(clauses.rules.tag, "vocabulary")
    if phrase.candidate in named_people(clauses.item, clauses.item.language):
        is_known = phrase.last > phrase.head or clauses.words[phrase.head].span.of(clauses.text) in famous_names()
        return set() if is_known else {"person" if number == "singular" else "people"}
    noun = rules.listed(clauses.form(phrase.head))
    if phrase.is_name or noun is None:
        return set()
    forms = (noun, *table.values("counterpart").get(noun, ()))
    kinds = {kind for form in forms for kind in rules.kinds("vocabulary").get(form, ())}
    is_person = rules.animacy(noun) == "human"
    if "unique" in kinds or (not is_person and noun in table.words("human")):
        return set()  # "caixa" is a person or a thing
    if not is_person:
        return kinds
    if number == "plural":
        return {"children"} if "child" in kinds else {"people", *(f"{kind}s" for kind in kinds)}
    return kinds or {"person"}


def _is_past(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether the clause is about the past: by the verb nearest to the mention in its sentence."""
    verbs = clauses.verbs()
    before = [verb for verb in verbs if verb < phrase.first and not clauses.ends_between(verb, phrase.first)]
    after = [verb for verb in verbs if verb > phrase.last and not clauses.ends_between(phrase.last, verb)]
    verb = next(iter([*before[-1:], *after[:1], *verbs]), None)
    if verb is None:
        raise NotDerivedError("the tense of the text is unknown")
    is_past = clauses.analysis(verb).tense not in ("present", "future", "subjunctive") or clauses.is_compound(verb)
    return is_past and not clauses.is_quoted(phrase.first)


# Where the clause goes


def _first_mention(clauses: Clauses) -> TextPhrase:
    """The phrase of the first mention, after which a clause may stand."""
    every = (mention for candidate in clauses.item.candidates for mention in candidate.mentions)
    mention = min(every, key=lambda mention: mention.start, default=Span(0, 0))
    phrase = next((phrase for phrase in clauses.mentions if clauses.words[phrase.head].span.within(mention)), None)
    if phrase is None or clauses.words[phrase.last].span.end != mention.end:
        raise NotDerivedError("the first mention is not one plain phrase, or the phrase goes on after the mention")
    return phrase


def _doubts(clauses: Clauses, phrase: TextPhrase) -> list[str]:
    """Where the phrase may be none in particular, a second relative is clumsy, or the clause about somebody else."""
    rules, before, whole = clauses.rules, phrase.first - 1, clauses.whole(phrase)
    forms = [clauses.form(index) for index in range(phrase.head, phrase.last + 1)]
    is_some = phrase.determiner in rules.words("not-all") or clauses.has(before, "not-all")
    living = [form for form in forms if rules.animacy(form) in ("human", "animal")]
    doubts = {
        f"may {forms[0]!r} mean any of them?": not phrase.is_name and not phrase.determiner,
        "are two relative pronouns too many?": clauses.has(before, "relative-pronoun"),
        "is the clause about all of them?": is_some and phrase.number == "plural",
        f"is the clause about {clauses.form(whole.head)!r}?": whole is not phrase and may_be_human(clauses, whole),
        f"is the clause about {forms[-1]!r}?": len(living) > 1,  # "o cachorro do vizinho"
    }
    return [doubt for doubt, holds in doubts.items() if holds]


def _check_end(clauses: Clauses, phrase: TextPhrase) -> None:
    """Refuse a phrase that may go on after the mention, or that is inside another phrase."""
    rules, after, pronoun = clauses.rules, phrase.last + 1, clauses.pronoun
    kind, form, following = clauses.word_class(after), clauses.form(after), clauses.phrase_at(after)
    opens = not any(verb < phrase.first and not clauses.ends_between(verb, phrase.first) for verb in clauses.verbs())
    of_words = rules.words("of-word") | rules.grammar.words("of")
    is_described = kind in _DESCRIBING or (kind == "noun" and (following is None or not following.preposition))
    is_of = kind in ("preposition", "noun") and (opens or form in of_words | rules.words("of-noun-too"))
    is_place = opens and kind == "adverb" and clauses.form(after + 1) in of_words  # "a roseira embaixo da mangueira"
    verb = next((later for later in clauses.verbs() if later > after), None)
    reasons = {
        f"the phrase may go on with {form!r}": is_described or is_of or is_place,
        "the first mention is already followed by a description":
            form == "," and (clauses.word_class(after + 1) in (*_DESCRIBING, "noun")),
        "the pronoun comes before the first mention": pronoun is not None and pronoun < phrase.first,
        "the first mention is joined with another phrase":
            form == rules.conjunction and verb is not None and clauses.subject(verb).is_joined,
        "the first mention is quoted or a comparison":
            form in ('"', "”", "»") or clauses.has(phrase.first - 1, "likening"),
    }  # fmt: skip
    reason = next((reason for reason, holds in reasons.items() if holds), None)
    if reason:
        raise NotDerivedError(reason)
