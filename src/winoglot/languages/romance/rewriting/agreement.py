"""The words of a text that refer to a candidate or agree with one: pronouns, verbs, adjectives and participles.

A pronoun refers to a candidate if it is the item's own, or if no other phrase of its gender and number comes before it.
A verb agrees with a candidate that is its subject, and so does the adjective or participle after it. What may refer to
a candidate or agree with one, or with something else, is listed apart, for a reader to decide.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of
from winoglot.languages.lexicon import lexicon

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase, VerbSubject

_DESCRIBING = ("adjective", "participle")


@dataclass
class Agreeing:
    """Indexes of words that agree with a candidate, and of those that only may."""

    pronouns: list[int] = field(default_factory=list)  # also possessives whose owner is a candidate
    verbs: list[int] = field(default_factory=list)
    adjectives: list[int] = field(default_factory=list)  # also participles, and nouns that are said of a candidate
    unknown_verbs: list[int] = field(default_factory=list)  # subjects whose verb is not recognised
    unsure_pronouns: list[int] = field(default_factory=list)
    unsure_verbs: list[int] = field(default_factory=list)
    unsure_adjectives: list[int] = field(default_factory=list)


def agreeing(clauses: Clauses) -> Agreeing:
    """What refers to a candidate, or agrees with one."""
    words = Agreeing()
    _add_pronouns(clauses, words)
    for verb in clauses.verbs():
        _add_verb(clauses, verb, words)
    _add_infinitives(clauses, words)
    words.unknown_verbs += subjects_without_verb(clauses, words)
    _add_unattached(clauses, words)
    return words


# Pronouns


def _add_pronouns(clauses: Clauses, words: Agreeing) -> None:
    """Add the pronouns and possessives that refer to a candidate, or may."""
    table = lexicon(clauses.rules.tag, "pronouns").features()
    for index, kind in enumerate(clauses.classes):
        is_pronoun = kind == "pronoun" or (kind == "clitic" and clauses.has(index, "object-clitic"))
        is_owner = clauses.has(index, "third-owner") and clauses.rules.owners_show_number
        shown = table.get(clauses.form(index))
        if index == clauses.pronoun:
            words.pronouns.append(index)
            continue
        if not shown or not (is_pronoun or is_owner) or clauses.has(index, "reflexive") or is_expletive(clauses, index):
            continue
        gender, number = None if is_owner else shown.gender, shown.number
        if any(_fits(clauses, position, gender, number) for position in range(len(clauses.item.candidates))):
            has_rival = any(_is_rival(clauses, phrase, index, gender, number) for phrase in clauses.phrases)
            is_after = any(phrase.first < index for phrase in clauses.mentions)
            is_sure = not has_rival or _owner_is_subject(clauses, index) if is_owner else is_after and not has_rival
            (words.pronouns if is_sure else words.unsure_pronouns).append(index)
        elif (
            number == "plural" and gender and _fits(clauses, 0, gender, None)
        ):  # perhaps both: "quando elas se falaram"
            words.unsure_pronouns.append(index)


def is_expletive(clauses: Clauses, index: int) -> bool:
    """Whether a pronoun refers to nothing, or to what was said: *il faut*, *il y a*, *le faire*."""
    rules = clauses.rules
    if clauses.has(index, "empty-subject"):
        verb = clauses.skip(index + 1, "clitic", "negation")
        is_there = any(clauses.form(position) == "y" for position in range(index, verb))
        return is_there or clauses.infinitive(verb) in rules.words("with-empty-subject")
    verb = index + 1 + clauses.has(index + 1, "perfect-form")
    lexical = rules.verbs.nonfinite(clauses.form(verb)) or clauses.infinitive(verb)
    return clauses.has(index, "clause-pronoun") and lexical in rules.words("clausal-object")


def _fits(clauses: Clauses, index: int, gender: str | None, number: str | None) -> bool:
    """Whether a pronoun of this gender and number may refer to a candidate."""
    features = features_of(clauses.item.candidates[index], clauses.item, clauses.item.language)
    pairs = ((gender, features.gender.value), (number, features.number.value))
    return not any(wanted and shown and shown not in ("common", wanted) for wanted, shown in pairs)


def _is_rival(clauses: Clauses, phrase: TextPhrase, index: int, gender: str | None, number: str | None) -> bool:
    """Whether a pronoun of this gender and number might refer to the phrase before it, and not to a candidate."""
    is_bare = not phrase.determiner and not phrase.is_name  # "com fome"
    if phrase.candidate is not None or phrase.first >= index or is_bare:
        return False
    is_of_people = not clauses.has(index, "to-people") or may_be_human(clauses, phrase)
    has_gender = not gender or phrase.gender in (None, gender, "common")
    return is_of_people and has_gender and phrase.number in (None, number)


def may_be_human(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether a phrase names a person or an animal."""
    return phrase.is_name or clauses.rules.animacy(clauses.form(phrase.head)) in ("human", "animal")


def _owner_is_subject(clauses: Clauses, index: int) -> bool:
    """Whether a candidate is the subject of the verb before a possessive."""
    verb = clauses.verb_before(index)
    if verb is None:
        return False
    subject = clauses.subject(verb)
    return (subject.phrase is not None and subject.phrase.candidate is not None) or (
        subject.pronoun == clauses.pronoun is not None
    )


# Verbs and predicates


def is_candidate(subject: VerbSubject, words: Agreeing) -> bool:
    """Whether a subject is a candidate, by its phrase or a pronoun that refers to one."""
    if subject.pronoun is not None:
        return subject.pronoun in words.pronouns
    return subject.phrase is not None and subject.phrase.candidate is not None


def _add_verb(clauses: Clauses, verb: int, words: Agreeing) -> None:
    """Add a finite verb whose subject is a candidate, and what the verb says of its subject or object."""
    subject, group = clauses.subject(verb), clauses.group(verb)
    is_sure = is_candidate(subject, words) and not subject.unsure
    may_be = subject.pronoun in words.unsure_pronouns if subject.pronoun is not None else bool(subject.unsure)
    if is_sure or may_be or is_candidate(subject, words):
        if not subject.is_joined:
            (words.verbs if is_sure else words.unsure_verbs).append(verb)
        is_linking = is_copula(clauses, verb) or group.is_passive
        takes_object = group.infinitive in clauses.rules.verbs.actions.words("transitive")  # "cortar gastos"
        for index in predicates(clauses, verb):
            is_described = clauses.word_class(index) == "participle" or clauses.has(index, "whole")
            is_state = clauses.rules.drops_subjects and not takes_object and is_described
            is_said = is_sure and (is_linking or is_state)  # not "pisa leve", "porter plainte"
            (words.adjectives if is_said else words.unsure_adjectives).append(index)
    _add_object_predicates(clauses, verb, words)


def _add_object_predicates(clauses: Clauses, verb: int, words: Agreeing) -> None:
    """Add what agrees with an object pronoun: *l'a vue*, *la trouvait trop chère*, *a achou cansada*."""
    group, clitics = clauses.group(verb), object_clitics(clauses, verb)
    if not clitics or clitics[-1] not in {*words.pronouns, *words.unsure_pronouns}:
        return
    agreeing_words = [clauses.skip(group.last + 1, "adverb", "negation")]
    if not clauses.rules.drops_subjects and not group.is_passive and not _is_causing(clauses, group.verbs[1:2]):
        agreeing_words += group.verbs[1:2]
    for index in agreeing_words:
        if clauses.word_class(index) in _DESCRIBING:
            (words.adjectives if clitics[-1] in words.pronouns else words.unsure_adjectives).append(index)


def is_copula(clauses: Clauses, verb: int) -> bool:
    """Whether a verb links its subject to a predicate: *ficou*, *se sentiu*."""
    rules, infinitive = clauses.rules, clauses.group(verb).infinitive
    is_itself = infinitive in rules.words("linking-itself") and clauses.is_reflexive(verb)
    return infinitive in rules.words("linking-verb") or is_itself


def predicates(clauses: Clauses, verb: int) -> list[int]:
    """The adjectives, participles and nouns that a verb predicates of its subject."""
    group = clauses.group(verb)
    is_linking = is_copula(clauses, verb) or group.is_passive
    if group.infinitive in clauses.rules.words("having") or (not is_linking and _has_object(clauses, verb)):
        return []  # "avait chaud", "ensina italiano", "la trouvait trop chère"
    indexes: list[int] = []
    if group.is_passive and not _is_causing(clauses, group.verbs[-1:]) and not _has_reflexive_object(clauses, verb):
        indexes.append(group.last)
    index = clauses.skip(group.last + 1, "adverb", "negation")
    if clauses.has(index, "article-too") and clauses.has(index + 1, "comparison-word"):  # "é a mais alta"
        indexes += [index] if is_linking else []
        index = clauses.skip(index + 1, "adverb", "negation")
    phrase = clauses.plain_phrase_at(index)
    if clauses.word_class(index) in _DESCRIBING:
        is_adverbial = bool(indexes) and not _agree(clauses, indexes[0], index)  # "s'est arrêtée net"
        return indexes if is_adverbial else [*indexes, index, *_joined_adjectives(clauses, index)]
    if is_linking and phrase is not None and phrase.candidate is None:
        after = clauses.skip(phrase.last + 1, "adverb")
        if phrase.determiner and after > phrase.last + 1 and clauses.word_class(after) in _DESCRIBING:
            return [*indexes, after]  # "um palmo mais alta"
        if not clauses.has(phrase.head, "time-noun"):  # "s'est excusée mille fois"
            indexes += range(phrase.first, phrase.last + 1)
        indexes += () if phrase.determiner else _joined_adjectives(clauses, phrase.last)
    return indexes


def _agree(clauses: Clauses, first: int, second: int) -> bool:
    """Whether two adjectives or participles may be of one gender."""
    forms, in_gender = (clauses.form(first), clauses.form(second)), clauses.rules.in_gender
    genders = ("masculine", "feminine")
    return any(all(in_gender(form, gender) in (form, None) for form in forms) for gender in genders)


def _is_causing(clauses: Clauses, participles: tuple[int, ...]) -> bool:
    """Whether a participle governs an infinitive, with which it never agrees: *a fait rire*, *s'est laissé faire*."""
    return any(clauses.has(index, "causing") and clauses.word_class(index + 1) == "infinitive" for index in participles)


def _has_object(clauses: Clauses, verb: int) -> bool:
    """Whether a verb has an object, so that an adjective after it is not said of its subject."""
    index = clauses.skip(clauses.group(verb).last + 1, "adverb")
    return clauses.rules.grammar.is_noun_too(clauses.form(index)) or bool(object_clitics(clauses, verb))


def object_clitics(clauses: Clauses, verb: int) -> list[int]:
    """The object pronouns before a verb: *les*."""
    before = range(clauses.before_verb(verb) + 1, verb)
    return [index for index in before if clauses.word_class(index) == "clitic" and clauses.has(index, "article-too")]


def _has_reflexive_object(clauses: Clauses, verb: int) -> bool:
    """Whether a reflexive verb has an object, so that its participle does not agree: *s'est lavé les mains*."""
    phrase = clauses.plain_phrase_at(clauses.group(verb).last + 1)
    is_object = phrase is not None and phrase.determiner != "des" and not clauses.has(phrase.head, "time-noun")
    return is_object and clauses.is_reflexive(verb)  # not "se sont plaints des voisins", "s'est excusée mille fois"


def _joined_adjectives(clauses: Clauses, index: int) -> list[int]:
    """The adjectives joined to one: *cansada e triste*, *cansada, mas feliz*, *suja, molhada e triste*."""
    joined: list[int] = []
    while True:
        index += 1
        while clauses.word_class(index) in ("coordinator", "adverb") or clauses.form(index) == ",":
            index += 1
        if clauses.word_class(index) not in _DESCRIBING:
            return joined
        joined.append(index)


# Other words


def _add_infinitives(clauses: Clauses, words: Agreeing) -> None:
    """Add personal infinitives (*até ela desconfiar*), and what is said after others: *tem medo de parecer ingrata*."""
    grouped = {index for verb in clauses.verbs() for index in clauses.group(verb).verbs}
    for index, kind in enumerate(clauses.classes):
        position = clauses.before_verb(index)
        phrase = clauses.phrase_before(position + 1)
        if kind == "infinitive" and clauses.rules.grammar.personal_infinitive:
            if position in words.pronouns and clauses.word_class(position - 1) in ("preposition", "subordinator"):
                words.verbs.append(index)
                words.adjectives += predicates(clauses, index)
                continue
            if phrase is not None and phrase.candidate is not None:
                is_subject = phrase.preposition in clauses.rules.words("before-clause") or not phrase.preposition
                (words.verbs if is_subject else words.unsure_verbs).append(index)
        is_linking = clauses.rules.verbs.nonfinite(clauses.form(index)) in clauses.rules.words("linking-verb")
        if kind in ("infinitive", "gerund") and is_linking and index not in grouped:
            is_sure = clauses.verb_before(index) in words.verbs
            (words.adjectives if is_sure else words.unsure_adjectives).extend(predicates(clauses, index))


def subjects_without_verb(clauses: Clauses, words: Agreeing) -> list[int]:
    """Subjects whose verb is not recognised: no rule knows what agrees with them."""
    subjects = [clauses.subject(verb) for verb in clauses.verbs()]
    attached = {subject.pronoun for subject in subjects} | {clauses.before_verb(index) for index in words.verbs}
    governing = ("preposition", "verb", "infinitive", "gerund", "participle")
    pronouns = [
        index for index in words.pronouns
        if clauses.has(index, "subject-pronoun") and index not in attached
        and clauses.word_class(index - 1) not in governing
    ]  # fmt: skip
    opening = ("punctuation", "subordinator", "relative", "coordinator")
    verbal = ("noun", "adjective", "participle", "negation", "clitic", "adverb")
    phrases = [
        phrase.head for phrase in clauses.mentions
        if clauses.word_class(phrase.first - 1) in opening and clauses.word_class(phrase.last + 1) in verbal
        and not phrase.preposition and phrase not in [subject.phrase for subject in subjects]
    ]  # fmt: skip
    return [*pronouns, *phrases]


def _add_unattached(clauses: Clauses, words: Agreeing) -> None:
    """Add adjectives that belong to nothing known, nouns that may be predicates, and words like *sozinha*."""
    explained = {*words.adjectives, *words.unsure_adjectives}
    explained |= {index for verb in clauses.all_verbs() for index in clauses.group(verb).verbs}
    explained |= {index for verb in clauses.verbs() for index in predicates(clauses, verb)}
    for index, kind in enumerate(clauses.classes):
        inside = clauses.phrase_at(index)
        if clauses.has(index, "self") and clauses.has(index - 1, "stressed-pronoun"):
            (words.adjectives if index - 1 in words.pronouns else words.unsure_adjectives).append(index)
        elif (
            clauses.has(index, "lone")
            or (clauses.has(index, "both-people") and _is_alone(clauses, index))
            or (inside is not None and index == inside.head and _may_be_said(clauses, inside))
        ):
            words.unsure_adjectives.append(index)
        elif kind in _DESCRIBING and index not in explained:
            _add_loose_adjective(clauses, index, words)


def _is_alone(clauses: Clauses, index: int) -> bool:
    """Whether a numeral stands without the noun that is counted: *os dois*."""
    inside = clauses.phrase_at(index)
    return inside is None or index == inside.last or clauses.rules.listed(clauses.form(inside.head)) is None


def _add_loose_adjective(clauses: Clauses, index: int, words: Agreeing) -> None:
    """Add an adjective or participle that is neither beside a noun nor after a verb."""
    before = clauses.phrase_before(index)
    position = clauses.skip(index - 1, "clitic", "adverb", step=-1)
    if clauses.has(position, "past-auxiliary"):  # "ter esquecido"
        is_agreeing = position - 1 in words.pronouns and not clauses.rules.drops_subjects
        words.adjectives += [index] if is_agreeing else []  # "les avoir arrêtés"
        return
    is_had = clauses.word_class(position) == "verb" and clauses.infinitive(position) in clauses.rules.words("having")
    if is_had or _describes(clauses, index, before):
        return  # "avait chaud"
    following = clauses.plain_phrase_at(index + 2) if clauses.form(index + 1) == "," else None
    opens = position < 0 or clauses.ends_between(position, position + 1)
    is_opening = opens and following is not None and following.candidate is not None  # "Cansado, Rui"
    (words.adjectives if is_opening else words.unsure_adjectives).append(index)


def _describes(clauses: Clauses, index: int, phrase: TextPhrase | None) -> bool:
    """Whether an adjective describes the noun before it: *uma carta endereçada a*, not *levantou voo assustada*."""
    if phrase is None or phrase.candidate is not None:
        return False
    form, in_gender = clauses.form(index), clauses.rules.in_gender
    genders = {phrase.gender, clauses.whole(phrase).gender}  # "uma carta de amor endereçada"
    return any(gender is None or in_gender(form, gender) in (None, form) for gender in genders)


def _may_be_said(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether a noun may be a predicate of a candidate: *passar por ingrato*, *cara de perdido*, *feito um bobo*."""
    rules, head = clauses.rules, clauses.form(phrase.head)
    is_other = phrase.candidate is not None or phrase.is_name or clauses.has(phrase.head, "time-noun", "tongue")
    if is_other or rules.animacy(head) == "thing":
        return False  # "besoin d'argent", "aulas de francês"
    is_adjective = rules.is_adjective(head) or rules.verbs.is_participle(head)
    is_indefinite = phrase.determiner in ("", *rules.words("one"))
    is_likened = phrase.determiner in rules.words("one") and clauses.has(phrase.first - 1, "likening")
    if is_likened or (is_adjective and not phrase.determiner and phrase.preposition in rules.words("of-word")):
        return True
    verb = clauses.verb_before(phrase.first)
    if verb is None or clauses.ends_between(verb, phrase.first):
        return False
    if clauses.group(verb).infinitive not in rules.words("taking"):
        return False
    is_taken = is_indefinite and phrase.preposition in rules.words("taken-for")
    return is_taken or (is_adjective and phrase.determiner in rules.words("article-too"))
