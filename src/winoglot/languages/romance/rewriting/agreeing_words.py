"""The words of a text that agree with a candidate, with those that refer to one: verbs, adjectives and participles.

A verb agrees with a candidate that is its subject, and so does the adjective or participle after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from winoglot.languages.romance.rewriting.referents import find_pronouns, may_be_human

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.clauses import Clauses, TextPhrase, VerbSubject

_DESCRIBING = ("adjective", "participle")
_LOOKS = frozenset({"cara", "ar", "jeito", "pinta", "air", "mine"})  # "cara de culpado"
_LIKE = frozenset({"feito", "como", "comme"})
_ACCUSATIVE = frozenset({"o", "a", "os", "as", "le", "la", "les", "l'"})


@dataclass
class Agreeing:
    """Indexes of words that agree with a candidate, and of those that only may."""

    pronouns: list[int] = field(default_factory=list)
    both: list[int] = field(default_factory=list)  # plural pronouns that may refer to both candidates
    verbs: list[int] = field(default_factory=list)
    adjectives: list[int] = field(default_factory=list)  # also participles, and nouns that are said of a candidate
    possessives: list[int] = field(default_factory=list)  # whose owner is a candidate
    unknown_verbs: list[int] = field(default_factory=list)  # subjects whose verb is not recognised
    unsure_pronouns: list[int] = field(default_factory=list)
    unsure_verbs: list[int] = field(default_factory=list)
    unsure_adjectives: list[int] = field(default_factory=list)
    likely: set[int] = field(default_factory=set)  # those of them that a draft shows as agreeing


def agreeing(clauses: Clauses) -> Agreeing:
    """What refers to a candidate, or agrees with one."""
    words = Agreeing()
    find_pronouns(clauses, words)
    for verb in clauses.verbs():
        _add_verb(clauses, verb, words)
    _add_infinitives(clauses, words)
    _add_nonfinite_predicates(clauses, words)
    _add_subjects_without_verb(clauses, words)
    _add_unattached(clauses, words)
    _add_predicate_nouns(clauses, words)
    return words


# Verbs and predicates


def is_candidate(subject: VerbSubject, words: Agreeing) -> bool:
    """Whether a subject is a candidate, by its phrase or a pronoun that refers to one."""
    if subject.pronoun is not None:
        return subject.pronoun in words.pronouns
    return subject.phrase is not None and subject.phrase.candidate is not None


def _may_be_candidate(subject: VerbSubject, words: Agreeing) -> bool:
    """Whether a subject may be a candidate, though it is not certain."""
    if subject.pronoun is not None:
        return subject.pronoun in words.unsure_pronouns
    return bool(subject.unsure)


def _is_about_candidates(clauses: Clauses, verb: int) -> bool:
    """Whether an unspoken subject must be one of the candidates, either one: *Igor contou a Rui quanto gastava*."""
    actions, index = clauses.rules.verbs.actions, clauses.before_verb(verb)
    human = actions.words("deliberate") | actions.words("saying") | actions.words("state")
    is_unspoken = clauses.rules.drops_subjects and clauses.word_class(index) in (
        "subordinator",
        "coordinator",
        "punctuation",
    )
    people = [phrase for phrase in clauses.phrases if phrase.first < verb and may_be_human(clauses, phrase)]
    indefinite = [
        position for position in range(verb) if clauses.form(position) in clauses.rules.words("other-subject")
    ]
    is_act = clauses.group(verb).infinitive in human and not clauses.group(verb).is_passive
    return is_unspoken and is_act and not indefinite and all(phrase.candidate is not None for phrase in people)


def _add_verb(clauses: Clauses, verb: int, words: Agreeing) -> None:
    """Add a finite verb whose subject is a candidate, and the verb's predicates."""
    _add_object_predicate(clauses, verb, words)
    subject = clauses.subject(verb)
    is_sure = is_candidate(subject, words) and (not subject.unsure or _is_about_candidates(clauses, verb))
    if not is_sure and not is_candidate(subject, words) and not _may_be_candidate(subject, words):
        _add_participle(clauses, verb, words)
        return
    if not subject.is_joined:
        (words.verbs if is_sure else words.unsure_verbs).append(verb)
    group = clauses.group(verb)
    is_predicate = is_sure and (is_copula(clauses, verb) or group.is_passive)
    for index in predicates(clauses, verb):
        takes_object = group.infinitive in clauses.rules.verbs.actions.words("transitive")  # "cortar gastos"
        is_described = clauses.word_class(index) == "participle" or clauses.form(index) in clauses.rules.words("whole")
        is_state = clauses.rules.drops_subjects and not takes_object and is_described
        is_plain = is_predicate or (is_sure and is_state)  # not "pisa leve", "porter plainte"
        (words.adjectives if is_plain else words.unsure_adjectives).append(index)
        if is_sure and not takes_object and index not in group.verbs:
            words.likely.add(index)  # "comia calado"
    _add_participle(clauses, verb, words)


def _add_participle(clauses: Clauses, verb: int, words: Agreeing) -> None:
    """Add the participle that agrees with a clitic before *avoir*: *l'a vue*."""
    group = clauses.group(verb)
    if clauses.rules.drops_subjects or len(group.verbs) < 2 or clauses.word_class(group.verbs[1]) != "participle":
        return
    clitics = [
        index for index in range(clauses.before_verb(verb), verb) if clauses.form(index) in ("le", "la", "l'", "les")
    ]
    if _is_causing(clauses, group.verbs[1]):
        return  # "les a fait repasser"
    for clitic in clitics:
        if clitic in words.pronouns and not group.is_passive:
            words.adjectives.append(group.verbs[1])
        elif clitic in words.unsure_pronouns and not group.is_passive:
            words.unsure_adjectives.append(group.verbs[1])


def predicates(clauses: Clauses, verb: int) -> list[int]:
    """The adjectives, participles and nouns that a verb predicates of its subject."""
    group = clauses.group(verb)
    if group.infinitive in ("ter", "haver", "avoir"):
        return []  # "avait chaud"
    is_linking = is_copula(clauses, verb) or group.is_passive
    if not is_linking and (_has_object(clauses, group.last) or _has_object_clitic(clauses, verb)):
        return []
    indexes: list[int] = []
    if (
        group.is_passive
        and not _is_causing(clauses, group.last)
        and not _is_reflexive_with_object(clauses, verb, group.last)
    ):
        indexes.append(group.last)
    index = group.last + 1
    while clauses.word_class(index) in ("adverb", "negation") or _is_superlative(clauses, index):
        if is_linking and _is_superlative(clauses, index):
            indexes.append(index)  # "é a mais alta"
        index += 1
    phrase = clauses.phrase_at(index)
    if clauses.word_class(index) in ("adjective", "participle"):
        following = clauses.phrase_at(index + 1)
        if not is_linking and following is not None and not following.preposition:
            return indexes  # "digitou errado o número"
        indexes.append(index)
        return indexes + _joined_adjectives(clauses, index)
    is_bare = phrase is not None and phrase.first == index and not phrase.preposition
    if is_linking and is_bare and phrase is not None and phrase.candidate is None:
        index = phrase.last + 1
        while clauses.word_class(index) == "adverb":
            index += 1
        if phrase.determiner and index > phrase.last + 1 and clauses.word_class(index) in ("adjective", "participle"):
            indexes.append(index)  # "um palmo mais alta"
        else:
            indexes += range(phrase.first, phrase.last + 1)
            indexes += () if phrase.determiner else _joined_adjectives(clauses, phrase.last)
    return indexes


def _is_causing(clauses: Clauses, participle: int) -> bool:
    """Whether a participle governs an infinitive, with which it never agrees: *a fait rire*, *s'est laissé faire*."""
    is_causing = clauses.form(participle).startswith(("fait", "laissé")) and not clauses.rules.drops_subjects
    return is_causing and clauses.word_class(participle + 1) == "infinitive"


def _is_superlative(clauses: Clauses, index: int) -> bool:
    """Whether an article opens *o mais alto*, *la plus grande*."""
    is_graded = clauses.form(index + 1) in ("mais", "menos", "plus", "moins")
    return is_graded and clauses.form(index) in ("o", "a", "os", "as", "le", "la", "les")


def is_copula(clauses: Clauses, verb: int) -> bool:
    """Whether a verb links its subject to a predicate: *ficou*, *se sentiu*."""
    rules, infinitive = clauses.rules, clauses.group(verb).infinitive
    is_reflexive = any(clauses.form(index) in ("se", "s'") for index in range(clauses.before_verb(verb) + 1, verb + 2))
    return infinitive in rules.words("linking-verb") or (is_reflexive and infinitive in rules.words("linking-itself"))


def _add_object_predicate(clauses: Clauses, verb: int, words: Agreeing) -> None:
    """Add an adjective that is said of an object pronoun: *la trouvait trop chère*, *a achou cansada*."""
    clitics = [n for n in range(clauses.before_verb(verb) + 1, verb) if clauses.form(n) in _ACCUSATIVE]
    index = clauses.group(verb).last + 1
    while clauses.word_class(index) in ("adverb", "negation"):
        index += 1
    if clitics and clauses.word_class(index) in _DESCRIBING:
        is_sure = clitics[-1] in words.pronouns
        (words.adjectives if is_sure else words.unsure_adjectives).append(index)


def _has_object_clitic(clauses: Clauses, verb: int) -> bool:
    """Whether the verb has an object pronoun, of which the adjective is a predicate: *la trouvait trop chère*."""
    before = range(clauses.before_verb(verb) + 1, verb)
    return any(clauses.word_class(n) == "clitic" and clauses.form(n) in _ACCUSATIVE for n in before)


def _has_object(clauses: Clauses, verb: int) -> bool:
    """Whether an adjective right after a verb is its object, a noun: *ensina italiano*."""
    index = verb + 1
    while clauses.word_class(index) == "adverb":
        index += 1
    return clauses.rules.grammar.is_noun_too(clauses.form(index)) or clauses.form(index) in clauses.rules.words(
        "tongue"
    )


def _is_reflexive_with_object(clauses: Clauses, verb: int, last: int) -> bool:
    """Whether a reflexive verb has an object, so that its participle does not agree: *s'est lavé les mains*."""
    is_reflexive = any(clauses.form(index) in ("se", "s'") for index in range(clauses.before_verb(verb) + 1, verb))
    phrase = clauses.phrase_at(last + 1)
    lexical = clauses.rules.verbs.nonfinite(clauses.form(last))
    if phrase and phrase.determiner == "des" and lexical not in clauses.rules.verbs.actions.words("transitive"):
        return False  # "se sont plaints des voisins"
    return is_reflexive and phrase is not None and phrase.first == last + 1 and not phrase.preposition


def _joined_adjectives(clauses: Clauses, index: int) -> list[int]:
    """*cansada e triste*, *cansada, mas feliz*, *triste, abatida e calada*; not *cansada, triste* alone."""
    indexes: list[int] = []
    listed: list[int] = []
    index += 1
    while True:
        is_joint = False
        while clauses.word_class(index) in ("coordinator", "adverb") or clauses.form(index) == ",":
            is_joint = is_joint or clauses.form(index) != ","
            index += 1
        is_next = clauses.form(index - 1) != "," and clauses.word_class(index - 1) in _DESCRIBING  # "toda suja"
        if clauses.word_class(index) not in _DESCRIBING:
            return indexes
        listed.append(index)
        if is_joint or is_next:
            indexes, listed = [*indexes, *listed], []
        index += 1


def _add_infinitives(clauses: Clauses, words: Agreeing) -> None:
    """Add personal infinitives (*até ela desconfiar*) and their predicates."""
    for index, kind in enumerate(clauses.classes):
        if kind != "infinitive" or not clauses.rules.grammar.personal_infinitive:
            continue
        position = clauses.before_verb(index)
        phrase = clauses.phrase_at(position)
        is_subject = position in words.pronouns and clauses.form(position) in clauses.rules.words("subject-pronoun")
        if is_subject and clauses.word_class(position - 1) in ("preposition", "subordinator"):
            words.verbs.append(index)
            words.adjectives += predicates(clauses, index)
        elif phrase is not None and phrase.candidate is not None and phrase.last == position:
            is_subject = phrase.preposition in ("", "para", "de", "sem", "até")  # "deixou Ana sair", "para Ana provar"
            (words.verbs if is_subject else words.unsure_verbs).append(index)


def _add_subjects_without_verb(clauses: Clauses, words: Agreeing) -> None:
    """Add subjects whose verb is not recognised: no rule knows what agrees with them."""
    subjects = [clauses.subject(verb) for verb in clauses.verbs()]
    pronouns = {subject.pronoun for subject in subjects}
    phrases = {subject.phrase for subject in subjects if subject.phrase is not None}
    infinitives = {clauses.before_verb(index) for index in words.verbs if clauses.word_class(index) == "infinitive"}
    for index in words.pronouns:
        is_subject = (
            clauses.form(index) in clauses.rules.words("subject-pronoun") and clauses.word_class(index) == "pronoun"
        )
        governed = clauses.word_class(index - 1) in ("preposition", "verb", "infinitive", "gerund", "participle")
        if is_subject and not governed and index not in pronouns | infinitives:
            words.unknown_verbs.append(index)
    for phrase in clauses.phrases:
        before = clauses.word_class(phrase.first - 1)
        opens = before in ("punctuation", "subordinator", "relative", "coordinator") or phrase.first == 0
        after = clauses.word_class(phrase.last + 1)
        is_left = opens and after in ("noun", "adjective", "participle", "negation", "clitic", "adverb")
        if phrase.candidate is not None and not phrase.preposition and is_left and phrase not in phrases:
            words.unknown_verbs.append(phrase.head)


def _add_nonfinite_predicates(clauses: Clauses, words: Agreeing) -> None:
    """Add predicates of infinitives and gerunds, for the subject of the verb before: *tem medo de parecer ingrata*."""
    verbs = clauses.verbs()
    grouped = {index for verb in verbs for index in clauses.group(verb).verbs}
    for index, kind in enumerate(clauses.classes):
        copula = clauses.rules.verbs.nonfinite(clauses.form(index)) in clauses.rules.words("linking-verb")
        if kind not in ("infinitive", "gerund") or not copula or index in grouped or index in words.verbs:
            continue
        described = predicates(clauses, index)
        verb = next((earlier for earlier in reversed(verbs) if earlier < index), None)
        is_sure = verb in words.verbs and not _people_between(clauses, verb or 0, index)
        (words.adjectives if is_sure else words.unsure_adjectives).extend(described)


def _people_between(clauses: Clauses, start: int, end: int) -> bool:
    return any(start < phrase.first < end and may_be_human(clauses, phrase) for phrase in clauses.phrases)


def _add_unattached(clauses: Clauses, words: Agreeing) -> None:
    """Add adjectives and participles that belong to nothing known: neither beside a noun nor after a verb."""
    explained_before = {*words.adjectives, *words.unsure_adjectives}
    explained = {index for verb in clauses.all_verbs() for index in clauses.group(verb).verbs}
    explained |= {index for verb in clauses.verbs() for index in predicates(clauses, verb)}
    for index, kind in enumerate(clauses.classes):
        if kind not in ("adjective", "participle") or index in explained_before or index in explained:
            continue
        before = clauses.phrase_at(index - 1)
        if before is not None and before.last == index - 1 and before.candidate is None:
            continue  # "uma carta endereçada a"
        position = index - 1
        while clauses.word_class(position) in ("clitic", "adverb"):
            position -= 1
        if clauses.form(position) in clauses.rules.words("past-auxiliary"):
            continue  # "ter esquecido"
        if clauses.word_class(position) == "verb" and clauses.infinitive(position) in ("ter", "haver", "avoir"):
            continue  # "avait chaud"
        objects = [n for n in range(clauses.before_verb(position) + 1, position) if clauses.form(n) in _ACCUSATIVE]
        if clauses.word_class(position) == "verb" and objects and not {*objects} & {*words.pronouns}:
            continue  # "la trouvait trop chère"
        following = clauses.phrase_at(index + 2) if clauses.form(index + 1) == "," else None
        opens = position < 0 or clauses.form(position) in (".", "!", "?", "…")
        if opens and following is not None and following.candidate is not None and not following.preposition:
            words.adjectives.append(index)  # "Cansado, Rui"
            continue
        words.unsure_adjectives.append(index)
        if clauses.form(index - 2) in _LOOKS and clauses.form(index - 1) in clauses.rules.words("of-word"):
            words.likely.add(index)


def _add_predicate_nouns(clauses: Clauses, words: Agreeing) -> None:
    """Add nouns that may be predicates of a candidate, and words by pronouns: *por ingrato*, *ele mesmo*, *as duas*."""
    for phrase in clauses.phrases:
        if phrase.candidate is None and not phrase.is_name and _may_be_said(clauses, phrase):
            words.unsure_adjectives.append(phrase.head)
            if phrase.preposition not in clauses.rules.words("of-word") or clauses.form(phrase.first - 2) in _LOOKS:
                words.likely.add(phrase.head)
    for index, word in enumerate(clauses.words):
        inside = clauses.phrase_at(index)
        is_alone = inside is None or index == inside.last or clauses.rules.listed(clauses.form(inside.head)) is None
        if word.form in clauses.rules.words("both-people") and is_alone:
            words.unsure_adjectives.append(index)  # "as duas"
        if clauses.form(index - 1) in clauses.rules.words("stressed-pronoun") and word.form in clauses.rules.words(
            "self"
        ):
            is_sure = index - 1 in words.pronouns
            (words.adjectives if is_sure else words.unsure_adjectives).append(index)  # "ele mesmo"
        if word.form in clauses.rules.words("lone"):
            words.unsure_adjectives.append(index)  # "sozinha", "toda"
        if word.form in clauses.rules.words("both-people") | clauses.rules.words("lone") | clauses.rules.words("self"):
            words.likely.add(index)


def _may_be_said(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether a noun may be a predicate of a candidate: *passar por ingrato*, *cara de perdido*, *feito um bobo*."""
    rules, head = clauses.rules, clauses.form(phrase.head)
    if rules.animacy(head) == "thing" or head in rules.words("time-noun"):
        return False  # "besoin d'argent"
    is_indefinite = phrase.determiner in ("um", "uma", "un", "une")
    if is_indefinite and clauses.form(phrase.first - 1) in _LIKE:
        return True
    is_adjective = rules.is_adjective(head) or rules.verbs.is_participle(head)
    if (
        is_adjective
        and phrase.preposition in rules.words("of-word")
        and not phrase.determiner
        and head not in rules.words("tongue")
    ):
        return True
    verb = next((earlier for earlier in reversed(clauses.verbs()) if earlier < phrase.first), None)
    if verb is None or any(clauses.words[index].is_punctuation for index in range(verb, phrase.first)):
        return False
    is_taken = is_indefinite or not phrase.determiner
    is_taken = is_taken and phrase.preposition in ("por", "como", "pour", "comme", "de")
    is_played = is_adjective and phrase.determiner in ("l'", "le", "la", "les", "o", "a")
    return clauses.group(verb).infinitive in rules.words("taking") and (is_taken or is_played)
