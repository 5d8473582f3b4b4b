"""A relative clause after the first candidate, from the table `clauses`: *Ana, que gostava de música, saiu*.

It comes where the noun phrase certainly ends: before a verb, punctuation, a conjunction, or a preposition that cannot
belong to the noun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.agreement import conjuncts, features_of
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.substitution import apostrophe_of
from winoglot.schemas.spans import Edit, Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_LONG = 5  # letters by which a word is known again
_LIGHT = frozenset({"tinha", "tinham", "avait", "avaient", "estava", "estavam", "était", "étaient", "depuis", "venait"})
_BEFORE_COMMA = frozenset(",;.!?:…)")


def relative(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """The text with a clause about the candidate that is mentioned first."""
    clauses = clauses_of(item, rules)
    mentions = [phrase for phrase in clauses.phrases if phrase.candidate is not None]
    if not mentions:
        raise NotDerivedError("no candidate is mentioned as one plain phrase")
    phrase = min(mentions, key=lambda phrase: phrase.first)
    starts = [mention.start for candidate in item.candidates for mention in candidate.mentions]
    if min(starts) < clauses.words[phrase.first].span.start - 1 and min(starts) < clauses.words[phrase.head].span.start:
        raise NotDerivedError("the first mention is not one plain phrase")
    _check_end(clauses, phrase, rules)
    index = phrase.candidate or 0
    features = features_of(item.candidates[index], item, item.language)
    doubts = _doubts(clauses, phrase)
    is_person = _is_person(clauses, phrase)
    topic = _clause_class(clauses, phrase, "human" if is_person else features.animacy.value)
    if topic == "thing":
        doubts.append(f"does the clause fit {item.candidates[index].text!r}?")
    if topic in ("thing", "bought", "place") and not phrase.is_name and not phrase.determiner:
        raise NotDerivedError("the first mention has no article")
    is_part = phrase.determiner in rules.grammar.table("determiners").values("part-of")
    if topic != "human" and is_part:
        doubts.append(f"does the clause fit {item.candidates[index].text!r}, which is new in the text?")
    is_single = is_person and not conjuncts(item.candidates[index].text, item.language)
    number = "singular" if is_single else features.number.value or phrase.number
    if number is None:
        doubts.append(f"is {item.candidates[index].text!r} singular or plural?")
    clause = _drawn_clause(draws, rules, topic, _tense(clauses, phrase), number or "singular")
    return Rewriting((_insertion(clauses, phrase, clause),), tuple(doubts))


def _clause_class(clauses: Clauses, phrase: TextPhrase, animacy: str | None) -> str:
    """What the clause must fit: a person, an animal, what is bought, a building, or anything."""
    rules, head = clauses.rules, clauses.form(phrase.head)
    animacy = animacy or rules.animacy(head)
    if animacy in ("human", "animal"):
        return animacy
    if phrase.is_name:
        raise NotDerivedError(f"it is unknown whether {head!r} is a person or a thing")
    table, noun = lexicon(rules.tag, "vocabulary"), rules.listed(head)
    is_complex = phrase.last != phrase.head and not clauses.words[phrase.last].form.isalpha()
    suitable = (kind for kind in ("bought", "place") if noun in table.words(kind) and not is_complex)
    return next(suitable, "thing")


def _doubts(clauses: Clauses, phrase: TextPhrase) -> list[str]:
    """Where a second relative pronoun is clumsy, or the clause may be about somebody else."""
    doubts = []
    if clauses.form(phrase.first - 1) in clauses.rules.relatives:
        doubts.append("are two relative pronouns too many?")
    before = clauses.form(phrase.first - 1)
    is_counted = (
        phrase.determiner in clauses.rules.quantifiers or before in clauses.rules.of | clauses.rules.quantifiers
    )
    if is_counted and not phrase.is_name and phrase.number == "plural":
        doubts.append("is the clause about all of them?")
    whole = clauses.whole(phrase)
    owner = clauses.rules.animacy(clauses.form(whole.head))
    if whole is not phrase and owner in ("human", "animal"):
        doubts.append(f"is the clause about {clauses.form(whole.head)!r}?")
    return doubts


def _is_person(clauses: Clauses, phrase: TextPhrase) -> bool:
    from winoglot.languages.name_evidence import named_people

    return phrase.candidate in named_people(clauses.item, clauses.item.language)


def _check_end(clauses: Clauses, phrase: TextPhrase, rules: Rules) -> None:
    """Refuse a phrase that may go on after the mention, or that is inside another phrase."""
    mention_end = max(
        mention.end
        for mention in clauses.item.candidates[phrase.candidate or 0].mentions
        if clauses.words[phrase.head].span.within(
            Span(min(mention.start, clauses.words[phrase.first].span.start), mention.end)
        )
    )
    if clauses.words[phrase.last].span.end != mention_end:
        raise NotDerivedError("the phrase goes on after the mention")
    after = phrase.last + 1
    kind, form = clauses.word_class(after), clauses.form(after)
    if form in ("'", "’", "-") or form in ('"', "”", "»"):
        raise NotDerivedError("the first mention is quoted or joined to another word")
    if kind in ("relative", "adjective", "participle", "infinitive", "gerund", "noun", "determiner"):
        next_phrase = clauses.phrase_at(after)
        if kind != "noun" or next_phrase is None or not next_phrase.preposition or _is_of(clauses, after, rules):
            raise NotDerivedError(f"the phrase may go on with {form!r}")
    if kind == "preposition" and (
        form in rules.of
        or form in rules.grammar.words("of")
        or form in ("com", "sem", "avec", "sans", "à", "en", "entre")
    ):
        raise NotDerivedError(f"the phrase may go on with {form!r}")
    verbs_before = [
        verb
        for verb in clauses.verbs()
        if verb < phrase.first and not _sentence_ends_between(clauses, verb, phrase.first)
    ]
    is_place = kind == "adverb" and clauses.form(after + 1) in rules.grammar.words("of")
    if not verbs_before and (is_place or kind == "preposition" or (kind == "noun" and clauses.phrase_at(after))):
        raise NotDerivedError(f"the phrase may go on with {form!r}")  # "a roseira embaixo da mangueira"
    if form == "," and clauses.word_class(after + 1) in ("noun", "relative", "adjective", "participle", "determiner"):
        raise NotDerivedError("the first mention is already followed by a description")
    if clauses.item.pronoun and clauses.item.pronoun.start < clauses.words[phrase.first].span.start:
        raise NotDerivedError("the pronoun comes before the first mention")
    joined = clauses.phrase_at(after + 1)
    if form == rules.conjunction and not verbs_before and joined is not None and not joined.preposition:
        verb = next((later for later in clauses.verbs() if later > joined.last), None)
        if verb is not None and clauses.subject(verb).is_joined:
            raise NotDerivedError("the first mention is joined with another phrase")
    before = clauses.word_class(phrase.first - 1)
    if before == "adverb" and clauses.form(phrase.first - 1) in ("como", "comme"):
        raise NotDerivedError("the first mention is a comparison")


def _is_of(clauses: Clauses, index: int, rules: Rules) -> bool:
    following = clauses.phrase_at(index)
    return following is None or following.preposition in rules.of


def _sentence_ends_between(clauses: Clauses, start: int, end: int) -> bool:
    """Whether a sentence ends between two words."""
    return any(clauses.form(index) in (".", "!", "?", "…", ";") for index in range(start, end))


def _tense(clauses: Clauses, phrase: TextPhrase) -> str:
    """The tense of the clause: that of the verb of the phrase's sentence, preferably the next one after it."""
    quoted = clauses.is_quoted(phrase.head)
    same_level = [verb for verb in clauses.verbs() if clauses.is_quoted(verb) == quoted]
    after = [
        verb for verb in same_level if verb > phrase.last and not _sentence_ends_between(clauses, phrase.last, verb)
    ]
    before = [
        verb for verb in same_level if verb < phrase.first and not _sentence_ends_between(clauses, verb, phrase.first)
    ]
    verbs = [*before[-1:], *after[:1]] or same_level[:1]
    if not verbs:
        raise NotDerivedError("the tense of the text is unknown")
    verb = verbs[0]
    tense = clauses.rules.verbs.finite(clauses.form(verb))[0].tense
    is_past = tense not in ("present", "future", "subjunctive") or clauses.is_compound(verb)
    return "imperfect" if is_past and not quoted else "present"


def _drawn_clause(draws: Draws, rules: Rules, topic: str, tense: str, number: str) -> str:
    """A clause of the table that fits and repeats no word of the text."""
    table = lexicon(rules.tag, "clauses")
    suitable = table.words(topic, tense) - (table.words("singular") if number == "plural" else frozenset())
    options = draws.shuffled(f"clause {topic}", sorted(suitable))
    schema_text = " ".join(folded(item.text or "") for item in draws.schema.items)
    clause = next((option for option in options if not _repeats(option, schema_text)), None)
    if clause is None:
        raise NotDerivedError("every clause of the table repeats a word of the text")
    return table.values("for-several").get(clause, (clause,))[0] if number == "plural" else clause


def _repeats(clause: str, text: str) -> bool:
    """Whether a clause has a noun or verb of the text: *gostava de música* where music matters."""
    return any(len(word) >= _LONG and word[:_LONG] in text for word in clause.split()[1:] if word not in _LIGHT)


def _insertion(clauses: Clauses, phrase: TextPhrase, clause: str) -> Edit:
    text, end = clauses.text, clauses.words[phrase.last].span.end
    following = text[end:].lstrip(" \u00a0\u202f")[:1]
    closing = "" if not following or following in _BEFORE_COMMA else ","
    return Edit(Span(end, end), f", {clause.replace(chr(39), apostrophe_of(text))}{closing}")
