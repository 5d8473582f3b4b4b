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

    pronouns: list[int] = field(default_factory=list)
    both: list[int] = field(default_factory=list)  # plural pronouns that may refer to both candidates
    verbs: list[int] = field(default_factory=list)
    adjectives: list[int] = field(default_factory=list)  # also participles, and nouns that are said of a candidate
    possessives: list[int] = field(default_factory=list)  # whose owner is a candidate
    unknown_verbs: list[int] = field(default_factory=list)  # subjects whose verb is not recognised
    unsure_pronouns: list[int] = field(default_factory=list)
    unsure_verbs: list[int] = field(default_factory=list)
    unsure_adjectives: dict[int, bool] = field(default_factory=dict)  # and whether a draft shows them as agreeing


def agreeing(clauses: Clauses) -> Agreeing:
    """What refers to a candidate, or agrees with one."""
    words = Agreeing()
    _add_pronouns(clauses, words)
    for verb in clauses.verbs():
        _add_verb(clauses, verb, words)
    _add_infinitives(clauses, words)
    _add_nonfinite_predicates(clauses, words)
    _add_subjects_without_verb(clauses, words)
    _add_unattached(clauses, words)
    _add_predicate_nouns(clauses, words)
    return words


# Pronouns


def _add_pronouns(clauses: Clauses, words: Agreeing) -> None:
    """Add the pronouns and possessives that refer to a candidate, or may."""
    rules, candidates = clauses.rules, clauses.item.candidates
    table = lexicon(rules.tag, "pronouns").features()
    if clauses.pronoun is not None:
        (words.possessives if clauses.has(clauses.pronoun, "third-owner") else words.pronouns).append(clauses.pronoun)
    for index, kind in enumerate(clauses.classes):
        is_pronoun = kind == "pronoun" or (kind == "clitic" and clauses.has(index, "object-clitic"))
        is_owner = clauses.has(index, "third-owner") and rules.owners_show_number
        is_other = not (is_pronoun or is_owner) or clauses.has(index, "reflexive") or is_expletive(clauses, index)
        if index == clauses.pronoun or is_other:
            continue
        features = table.get(clauses.form(index))
        gender = features.gender if features and not is_owner else None
        number = features.number if features else None
        if number == "plural" and gender and _are_both(clauses, index, gender):
            words.both.append(index)
        elif any(_fits(clauses, position, gender, number) for position in range(len(candidates))):
            rivals = [phrase for phrase in clauses.phrases if _is_rival(clauses, phrase, index, gender, number)]
            is_first = all(phrase.first > index for phrase in clauses.mentions)
            is_sure = _owner_is_subject(clauses, index) if is_owner and rivals else not rivals
            is_sure = is_sure and (is_owner or not is_first)
            sure = words.possessives if is_owner else words.pronouns
            (sure if is_sure else words.unsure_pronouns).append(index)


def is_expletive(clauses: Clauses, index: int) -> bool:
    """Whether a pronoun refers to nothing, or to what was said: *il faut*, *il y a*, *le faire*."""
    rules, verbs = clauses.rules, clauses.rules.verbs
    if clauses.has(index, "empty-subject"):
        verb = clauses.skip(index + 1, "clitic", "negation")
        is_there = any(clauses.form(position) == "y" for position in range(index, verb))
        return is_there or clauses.infinitive(verb) in rules.words("with-empty-subject")
    verb = index + 1 + clauses.has(index + 1, "perfect-form")
    lexical = verbs.nonfinite(clauses.form(verb)) or clauses.infinitive(verb)
    is_other = clauses.word_class(verb + 1) == "infinitive" or _shows_gender(clauses, verb)
    is_clausal = (
        lexical in rules.words("clausal-object") and not is_other
    )  # "l'a dit", not "l'a fait rire", "l'a faite"
    return is_clausal and clauses.has(index, "clause-pronoun")


def _shows_gender(clauses: Clauses, participle: int) -> bool:
    """Whether a participle agrees with something feminine or plural: *faite*."""
    form, verbs = clauses.form(participle), clauses.rules.verbs
    return verbs.is_participle(form) and verbs.participle(verbs.nonfinite(form) or "") != form


def _are_both(clauses: Clauses, index: int, gender: str) -> bool:
    """Whether a plural pronoun may refer to both candidates together: *quando elas se falaram*."""
    item = clauses.item
    traits = [features_of(candidate, item, item.language) for candidate in item.candidates]
    are_single = all(
        shown.number.value != "plural" and shown.gender.value in (gender, None, "common") for shown in traits
    )
    return are_single and all(phrase.first < index for phrase in clauses.mentions)


def _fits(clauses: Clauses, index: int, gender: str | None, number: str | None) -> bool:
    """Whether a pronoun of this gender and number may refer to a candidate."""
    features = features_of(clauses.item.candidates[index], clauses.item, clauses.item.language)
    pairs = ((gender, features.gender.value), (number, features.number.value))
    return not any(wanted and shown and shown not in ("common", wanted) for wanted, shown in pairs)


def _is_rival(clauses: Clauses, phrase: TextPhrase, index: int, gender: str | None, number: str | None) -> bool:
    """Whether a pronoun of this gender and number might refer to the phrase before it, and not to a candidate."""
    form, times = clauses.form(phrase.head), clauses.rules.grammar.table("nouns").words("time")
    is_bare = not phrase.determiner and not phrase.is_name  # "com fome"
    if phrase.candidate is not None or phrase.first >= index or is_bare or clauses.has(phrase.head, "never-referred"):
        return False
    is_of_people = not clauses.has(index, "to-people") or may_be_human(clauses, phrase)
    has_gender = not gender or phrase.gender in (None, gender, "common")
    return form not in times and is_of_people and has_gender and phrase.number in (None, number or phrase.number)


def may_be_human(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether a phrase names a person or an animal."""
    return phrase.is_name or clauses.rules.animacy(clauses.form(phrase.head)) in ("human", "animal")


def _people_between(clauses: Clauses, start: int, end: int) -> list[TextPhrase]:
    """The people that are named between two words."""
    return [phrase for phrase in clauses.phrases if start < phrase.first < end and may_be_human(clauses, phrase)]


def _owner_is_subject(clauses: Clauses, index: int) -> bool:
    """Whether a candidate is the subject of the verb before a possessive, and the clause has no other people."""
    verb = clauses.verb_before(index)
    if verb is None or clauses.ends_between(verb, index):
        return False
    if any(phrase.candidate is None for phrase in _people_between(clauses, verb, index)):
        return False
    subject = clauses.subject(verb)
    is_mention = subject.phrase is not None and subject.phrase.candidate is not None
    return not subject.unsure and (is_mention or subject.pronoun == clauses.pronoun is not None)


# Verbs and predicates


def is_candidate(subject: VerbSubject, words: Agreeing) -> bool:
    """Whether a subject is a candidate, by its phrase or a pronoun that refers to one."""
    if subject.pronoun is not None:
        return subject.pronoun in words.pronouns
    return subject.phrase is not None and subject.phrase.candidate is not None


def _add_verb(clauses: Clauses, verb: int, words: Agreeing) -> None:
    """Add a finite verb whose subject is a candidate, and what the verb says of its subject or object."""
    _add_object_predicate(clauses, verb, words)
    subject, group = clauses.subject(verb), clauses.group(verb)
    may_be = subject.pronoun in words.unsure_pronouns if subject.pronoun is not None else bool(subject.unsure)
    is_sure = is_candidate(subject, words) and not subject.unsure
    if is_sure or is_candidate(subject, words) or may_be:
        if not subject.is_joined:
            (words.verbs if is_sure else words.unsure_verbs).append(verb)
        is_linking = is_copula(clauses, verb) or group.is_passive
        takes_object = group.infinitive in clauses.rules.verbs.actions.words("transitive")  # "cortar gastos"
        for index in predicates(clauses, verb):
            is_described = clauses.word_class(index) == "participle" or clauses.has(index, "whole")
            is_state = clauses.rules.drops_subjects and not takes_object and is_described
            if is_sure and (is_linking or is_state):  # not "pisa leve", "porter plainte"
                words.adjectives.append(index)
            else:
                words.unsure_adjectives[index] = is_sure and not takes_object  # "comia calado"
    _add_participle(clauses, verb, words)


def _add_participle(clauses: Clauses, verb: int, words: Agreeing) -> None:
    """Add the participle that agrees with a clitic before *avoir*: *l'a vue*."""
    group = clauses.group(verb)
    is_agreeing = not clauses.rules.drops_subjects and not group.is_passive and len(group.verbs) > 1
    participle = group.verbs[-1] if not is_agreeing else group.verbs[1]
    if not is_agreeing or clauses.word_class(participle) != "participle" or _is_causing(clauses, participle):
        return
    for clitic in range(clauses.before_verb(verb), verb):
        if clauses.has(clitic, "article-too") and clitic in words.pronouns:
            words.adjectives.append(participle)
        elif clauses.has(clitic, "article-too") and clitic in words.unsure_pronouns:
            words.unsure_adjectives.setdefault(participle, False)


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
    if group.is_passive and not _is_causing(clauses, group.last) and not _has_reflexive_object(clauses, verb):
        indexes.append(group.last)
    index = clauses.skip(group.last + 1, "adverb", "negation")
    if clauses.has(index, "article-too") and clauses.has(index + 1, "comparison-word"):  # "é a mais alta"
        indexes += [index] if is_linking else []
        index = clauses.skip(index + 1, "adverb", "negation")
    phrase = clauses.plain_phrase_at(index)
    if clauses.word_class(index) in _DESCRIBING:
        has_object = not is_linking and clauses.plain_phrase_at(index + 1) is not None  # "digitou errado o número"
        is_adverbial = bool(indexes) and not _agree(clauses, indexes[0], index)  # "s'est arrêtée net"
        return indexes if has_object or is_adverbial else [*indexes, index, *_joined_adjectives(clauses, index)]
    if is_linking and phrase is not None and phrase.candidate is None:
        after = clauses.skip(phrase.last + 1, "adverb")
        if phrase.determiner and after > phrase.last + 1 and clauses.word_class(after) in _DESCRIBING:
            return [*indexes, after]  # "um palmo mais alta"
        indexes += range(phrase.first, phrase.last + 1)
        indexes += () if phrase.determiner else _joined_adjectives(clauses, phrase.last)
    return indexes


def _agree(clauses: Clauses, first: int, second: int) -> bool:
    """Whether two adjectives or participles may be of one gender."""
    forms, in_gender = (clauses.form(first), clauses.form(second)), clauses.rules.in_gender
    genders = ("masculine", "feminine")
    return any(all(in_gender(form, gender) in (form, None) for form in forms) for gender in genders)


def _is_causing(clauses: Clauses, participle: int) -> bool:
    """Whether a participle governs an infinitive, with which it never agrees: *a fait rire*, *s'est laissé faire*."""
    return clauses.has(participle, "causing") and clauses.word_class(participle + 1) == "infinitive"


def _has_object(clauses: Clauses, verb: int) -> bool:
    """Whether a verb has an object, so that an adjective after it is not said of its subject."""
    index = clauses.skip(clauses.group(verb).last + 1, "adverb")
    is_noun = clauses.rules.grammar.is_noun_too(clauses.form(index)) or clauses.has(index, "tongue")
    return is_noun or bool(object_clitics(clauses, verb))


def object_clitics(clauses: Clauses, verb: int) -> list[int]:
    """The object pronouns before a verb: *les*."""
    before = range(clauses.before_verb(verb) + 1, verb)
    return [index for index in before if clauses.word_class(index) == "clitic" and clauses.has(index, "article-too")]


def _add_object_predicate(clauses: Clauses, verb: int, words: Agreeing) -> None:
    """Add an adjective that is said of an object pronoun: *la trouvait trop chère*, *a achou cansada*."""
    clitics = object_clitics(clauses, verb)
    index = clauses.skip(clauses.group(verb).last + 1, "adverb", "negation")
    if clitics and clauses.word_class(index) in _DESCRIBING:
        if clitics[-1] in words.pronouns:
            words.adjectives.append(index)
        else:
            words.unsure_adjectives[index] = False


def _has_reflexive_object(clauses: Clauses, verb: int) -> bool:
    """Whether a reflexive verb has an object, so that its participle does not agree: *s'est lavé les mains*."""
    last, actions = clauses.group(verb).last, clauses.rules.verbs.actions
    phrase = clauses.plain_phrase_at(last + 1)
    lexical = clauses.rules.verbs.nonfinite(clauses.form(last))
    is_of = phrase is not None and phrase.determiner == "des" and lexical not in actions.words("transitive")
    return phrase is not None and clauses.is_reflexive(verb) and not is_of  # "se sont plaints des voisins"


def _joined_adjectives(clauses: Clauses, index: int) -> list[int]:
    """*cansada e triste*, *cansada, mas feliz*, *triste, abatida e calada*; not *cansada, triste* alone."""
    joined: list[int] = []
    listed: list[int] = []
    while True:
        before = index
        index += 1
        while clauses.word_class(index) in ("coordinator", "adverb") or clauses.form(index) == ",":
            index += 1
        if clauses.word_class(index) not in _DESCRIBING:
            return joined
        listed.append(index)
        between = [clauses.form(position) for position in range(before + 1, index)]
        if between != [","]:  # "toda suja", "triste e calada"
            joined, listed = joined + listed, []


def _add_infinitives(clauses: Clauses, words: Agreeing) -> None:
    """Add personal infinitives (*até ela desconfiar*, *deixou Ana sair*) and their predicates."""
    for index, kind in enumerate(clauses.classes):
        if kind != "infinitive" or not clauses.rules.grammar.personal_infinitive:
            continue
        position = clauses.before_verb(index)
        phrase = clauses.phrase_before(position + 1)
        if position in words.pronouns and clauses.word_class(position - 1) in ("preposition", "subordinator"):
            words.verbs.append(index)
            words.adjectives += predicates(clauses, index)
        elif phrase is not None and phrase.candidate is not None:
            is_subject = phrase.preposition in clauses.rules.words("before-clause") or not phrase.preposition
            (words.verbs if is_subject else words.unsure_verbs).append(index)


def _add_nonfinite_predicates(clauses: Clauses, words: Agreeing) -> None:
    """Add predicates of infinitives and gerunds, for the subject of the verb before: *tem medo de parecer ingrata*."""
    grouped = {index for verb in clauses.verbs() for index in clauses.group(verb).verbs}
    for index, kind in enumerate(clauses.classes):
        is_linking = clauses.rules.verbs.nonfinite(clauses.form(index)) in clauses.rules.words("linking-verb")
        if kind not in ("infinitive", "gerund") or not is_linking or index in grouped or index in words.verbs:
            continue
        verb = clauses.verb_before(index)
        if verb in words.verbs and not _people_between(clauses, verb or 0, index):
            words.adjectives += predicates(clauses, index)
        else:
            words.unsure_adjectives |= dict.fromkeys(predicates(clauses, index), False)


def _add_subjects_without_verb(clauses: Clauses, words: Agreeing) -> None:
    """Add subjects whose verb is not recognised: no rule knows what agrees with them."""
    subjects = [clauses.subject(verb) for verb in clauses.verbs()]
    of_infinitives = {clauses.before_verb(index) for index in words.verbs}
    known = {subject.pronoun for subject in subjects} | of_infinitives
    for index in words.pronouns:
        is_subject = clauses.has(index, "subject-pronoun") and clauses.word_class(index) == "pronoun"
        before = clauses.word_class(index - 1)
        is_governed = before in ("preposition", "verb", "infinitive", "gerund", "participle")
        if is_subject and not is_governed and index not in known:
            words.unknown_verbs.append(index)
    phrases = [subject.phrase for subject in subjects]
    for phrase in clauses.mentions:
        opens = clauses.word_class(phrase.first - 1) in ("punctuation", "subordinator", "relative", "coordinator")
        after = clauses.word_class(phrase.last + 1)
        is_left = opens and after in ("noun", "adjective", "participle", "negation", "clitic", "adverb")
        if is_left and not phrase.preposition and phrase not in phrases:
            words.unknown_verbs.append(phrase.head)


def _add_unattached(clauses: Clauses, words: Agreeing) -> None:
    """Add adjectives and participles that belong to nothing known: neither beside a noun nor after a verb."""
    explained = {*words.adjectives, *words.unsure_adjectives}
    explained |= {index for verb in clauses.all_verbs() for index in clauses.group(verb).verbs}
    explained |= {index for verb in clauses.verbs() for index in predicates(clauses, verb)}
    for index, kind in enumerate(clauses.classes):
        if kind not in _DESCRIBING or index in explained:
            continue
        before = clauses.phrase_before(index)
        position = clauses.skip(index - 1, "clitic", "adverb", step=-1)
        is_compound = clauses.has(position, "past-auxiliary")  # "ter esquecido"
        if is_compound and clauses.has(position - 1, "article-too") and position - 1 in words.pronouns:
            words.adjectives += [] if clauses.rules.drops_subjects else [index]  # "les avoir arrêtés"
        is_had = clauses.word_class(position) == "verb" and clauses.infinitive(position) in clauses.rules.words(
            "having"
        )
        if is_compound or is_had or _describes(clauses, index, before):
            continue  # "avait chaud"
        following = clauses.plain_phrase_at(index + 2) if clauses.form(index + 1) == "," else None
        opens = position < 0 or clauses.ends_between(position, position + 1)
        if opens and following is not None and following.candidate is not None:
            words.adjectives.append(index)  # "Cansado, Rui"
        else:
            words.unsure_adjectives[index] = clauses.has(index - 2, "look") and clauses.has(index - 1, "of-word")


def _describes(clauses: Clauses, index: int, phrase: TextPhrase | None) -> bool:
    """Whether an adjective describes the noun before it: *uma carta endereçada a*, not *levantou voo assustada*."""
    if phrase is None or phrase.candidate is not None:
        return False
    form, in_gender = clauses.form(index), clauses.rules.in_gender
    genders = {phrase.gender, clauses.whole(phrase).gender}  # "uma carta de amor endereçada"
    return any(gender is None or in_gender(form, gender) in (None, form) for gender in genders)


def _add_predicate_nouns(clauses: Clauses, words: Agreeing) -> None:
    """Add nouns that may be predicates of a candidate, and words by pronouns: *por ingrato*, *ele mesmo*, *as duas*."""
    of_word = clauses.rules.words("of-word")
    for phrase in clauses.phrases:
        if phrase.candidate is None and not phrase.is_name and _may_be_said(clauses, phrase):
            is_likely = phrase.preposition not in of_word or clauses.has(phrase.first - 2, "look")
            words.unsure_adjectives[phrase.head] = is_likely
    for index in range(len(clauses.words)):
        inside = clauses.phrase_at(index)
        is_alone = inside is None or index == inside.last or clauses.rules.listed(clauses.form(inside.head)) is None
        is_self = clauses.has(index, "self") and clauses.has(index - 1, "stressed-pronoun")
        if is_self and index - 1 in words.pronouns:
            words.adjectives.append(index)
        elif is_self or clauses.has(index, "lone") or (clauses.has(index, "both-people") and is_alone):
            words.unsure_adjectives[index] = True


def _may_be_said(clauses: Clauses, phrase: TextPhrase) -> bool:
    """Whether a noun may be a predicate of a candidate: *passar por ingrato*, *cara de perdido*, *feito um bobo*."""
    rules, head = clauses.rules, clauses.form(phrase.head)
    if rules.animacy(head) == "thing" or clauses.has(phrase.head, "time-noun", "tongue"):
        return False  # "besoin d'argent", "aulas de francês"
    is_adjective = rules.is_adjective(head) or rules.verbs.is_participle(head)
    is_described = is_adjective and not phrase.determiner and phrase.preposition in rules.words("of-word")
    is_indefinite = phrase.determiner in rules.words("one")
    if is_described or (is_indefinite and clauses.has(phrase.first - 1, "likening")):
        return True
    verb = clauses.verb_before(phrase.first)
    if verb is None or clauses.group(verb).infinitive not in rules.words("taking"):
        return False
    is_far = any(clauses.words[index].is_punctuation for index in range(verb, phrase.first))
    is_taken = (is_indefinite or not phrase.determiner) and phrase.preposition in rules.words("taken-for")
    return not is_far and (is_taken or (is_adjective and phrase.determiner in rules.words("article-too")))
