"""A relative clause after the candidate that is mentioned first: *Anna, who lived nearby, thanked Beth.*

What the clause says fits a person, an animal or a thing of that kind (`clauses.txt`, `things.txt`) and gives a reason
for nothing; a clause about clothes is not used in a text about clothes. Of things whose kind is not known, the speaker
has heard or spoken before: *the plan, which I mentioned earlier*.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import conjugated, singular_of, verb_forms
from winoglot.languages.en.rewriting.raw_text import INDEFINITE
from winoglot.languages.en.rewriting.scene import Mention, Scene, animacy, is_kin, is_thing, scene_of
from winoglot.languages.en.rewriting.subject_number import before_phrase
from winoglot.languages.en.rewriting.tense import tense_of
from winoglot.languages.en.rewriting.transitive import PARTICLES
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import famous_names
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_BY_SPEAKER = (
    "I mentioned earlier", "I told you about", "you may remember", "you asked me about", "we talked about yesterday",
    "I have mentioned before", "you may have heard about", "we were talking about earlier", "I described to you",
)  # fmt: skip
_KINDS = ("artefact", "furniture", "vehicle", "building", "fixture", "landscape", "plant", "food", "work")
_IRREGULAR = {"was": ("is", "are"), "were": ("is", "are"), "had": ("has", "have"), "could": ("can", "can")}
_BELONGS_TO_NOUN = frozenset(("of", "about", "for", "with", "without", "like"))
_PLACES = frozenset(("in", "on", "at", "under", "behind", "beside", "near", "inside", "above", "below", "from", "by"))
_LEADING = frozenset(("route", "way", "road", "path", "key", "answer", "entrance", "door", "visit", "trip"))
_VAGUE = frozenset(("both", "many", "some", "few", "several", "most", "all", "such", "more", "much"))
_NOT_DEFINITE = frozenset(("no", "every", "each", "any", "neither", "either", "another"))


def relative(item: Item, draws: Draws) -> Rewriting:
    """Insert a relative clause after the first candidate."""
    scene = scene_of(item)
    mention = _first_mention(scene)
    doubts = _doubts(scene, mention)
    is_person, is_sure = _is_person(scene, mention)
    if not is_sure:
        doubts.append(f"{scene.analysis.written(mention.head)!r} may be a person or a thing: 'who' or 'which'")
    clause = _clause(scene, mention, draws, is_person=is_person)
    if clause.endswith(_BY_SPEAKER) and scene.analysis.at(before_phrase(scene, mention.head) + 1).form in ("a", "an"):
        doubts.append(f"{scene.citation(mention)!r} is new, so nobody can have spoken of it")
    end = scene.tokens[mention.last].span.end
    if any(place.start < end < place.end for place in item.segment):
        raise NotDerivedError("the segment goes on after the first candidate")
    closing = "" if scene.analysis.at(mention.last + 1).form in (",", ".", ";", ":", "!", "?", "") else ","
    return Rewriting((Edit(Span(end, end), f", {clause}{closing}"),), tuple(doubts))


# What the clause says


def _clause(scene: Scene, mention: Mention, draws: Draws, *, is_person: bool) -> str:
    """The relative clause: one that fits the candidate, or else one about what the speaker said before."""
    is_plural = scene.is_plural and _is_plural(scene, mention)
    kind = "" if _may_be_known(scene, mention) else _kind(scene.tokens[mention.head].form, is_person, is_plural)
    topics = set(chain.from_iterable(_topics(scene_of(item)) for item in draws.schema.items))
    is_past = _is_past(scene_of(draws.schema.items[0]))
    if not is_past:
        topics.add("moment")  # what is said in the present may be true at any time
    if is_kin(scene.tokens[mention.head].form):
        topics |= {"home", "origin", "name"}  # nobody says where Mum lives, or what her surname is
    topics_of_clauses = lexicon("en", "clauses").values("about")
    options = [clause for clause in _clauses().get(kind, ()) if not topics & {*topics_of_clauses[clause]}]
    if options:
        clause = _in_number_and_tense(draws.pick("relative clause", options), is_plural=is_plural, is_past=is_past)
        return f"{'who' if is_person else 'which'} {clause}"
    return f"{'whom' if is_person else 'which'} {draws.pick('relative clause', _BY_SPEAKER)}"


@cache
def _clauses() -> Mapping[str, list[str]]:
    """The clauses for each kind of person or thing."""
    by_kind: dict[str, list[str]] = {}
    for clause, kinds in lexicon("en", "clauses").values("said-of").items():
        for kind in kinds:
            by_kind.setdefault(kind, []).append(clause)
    return by_kind


def _may_be_known(scene: Scene, mention: Mention) -> bool:
    """Whether readers may know the person, so that the clause could be false: a full, titled or famous name."""
    is_full = scene.tokens[mention.head].tag == "name" and mention.last > mention.first
    return is_full or scene.citation(mention) in famous_names()


def _kind(noun: str, is_person: bool, is_plural: bool) -> str:
    """Which clauses of the table go with a noun; empty if none do."""
    if is_person:
        return "people" if is_plural else "person"
    kind = next((kind for kind in _KINDS if is_in(singular_of(noun) or noun, "things", kind)), "")
    if animacy(noun) == "animal":
        return "" if kind else "animal"  # a bat
    return kind


def _is_plural(scene: Scene, mention: Mention) -> bool:
    noun = scene.tokens[mention.head].form
    return noun_number(noun) != "singular" or is_in(noun, "nouns", "either-number")


def _topics(scene: Scene) -> set[str]:
    """What a text speaks about."""
    topics_of_clauses = lexicon("en", "clauses").values("about")
    forms = {form for token in scene.tokens for form in (token.form, token.verb, *verb_forms(token.form).values())}
    forms |= {singular_of(form) or form for form in forms}
    return set(chain.from_iterable(topics_of_clauses.get(form, ()) for form in forms))


def _in_number_and_tense(clause: str, *, is_plural: bool, is_past: bool) -> str:
    """A clause of the table, which is in the singular and the past, in the number and tense that the text needs."""
    verb, _, rest = clause.partition(" ")
    if is_past or rest.startswith("made "):
        return f"were {rest}" if is_plural and verb == "was" else clause
    base = verb_forms(verb).get("past", verb)
    return f"{_IRREGULAR.get(verb, (conjugated(base, 'present'), base))[is_plural]} {rest}"


def _is_past(scene: Scene) -> bool:
    """Whether the text is in the past tense, judging by its first clause that shows a tense."""
    return (
        next((tense for tense in (tense_of(scene, clause) for clause in scene.analysis.clauses) if tense), "past")
        == "past"
    )


# Where the clause goes
def _first_mention(scene: Scene) -> Mention:
    """The first mention; the longer one of two that begin together (*Joe's uncle*)."""
    if not scene.mentions:
        raise NotDerivedError("the text mentions no candidate")
    first = min(scene.mentions, key=lambda mention: (mention.first, -mention.last))
    before, after = scene.analysis.at(first.first - 1), scene.analysis.at(first.last + 1)
    if scene.has_apposition(first):
        raise NotDerivedError("what follows the first candidate describes it already")
    if after.form == "'s" or (after.form in ("'", "’") and scene.analysis.written(first.last).endswith("s")):
        raise NotDerivedError("the first candidate is a possessor, after which no clause fits")
    if any(
        mention.first < first.first <= mention.last or mention.first <= first.last < mention.last
        for mention in scene.mentions
    ):
        raise NotDerivedError("the first candidate's mention is part of the other's")
    opening = {before.form, scene.tokens[first.first].form}
    if opening & _NOT_DEFINITE or scene.tokens[first.head].form in INDEFINITE:
        raise NotDerivedError("no clause describes what is not a certain one ('no', 'every')")
    if sum(token.tag == "quote" for token in scene.tokens[: first.first]) % 2:
        raise NotDerivedError("the first candidate is mentioned in a quotation")
    if after.tag in ("noun", "name") and not scene.is_named[first.candidate]:
        raise NotDerivedError("the first candidate is part of a longer noun phrase")
    return first


def _doubts(scene: Scene, mention: Mention) -> list[str]:
    """Doubts: the candidate may be indefinite, or the clause may separate it from words that belong to it."""
    doubt = _doubt_about_phrase(scene, mention) or _doubt_about_following(scene, mention)
    return [doubt] if doubt else []


def _doubt_about_phrase(scene: Scene, mention: Mention) -> str:
    """Why no clause may describe the candidate; empty if one may."""
    before, phrase = scene.analysis.at(mention.first - 1), scene.citation(mention)
    is_noun = not scene.is_named[mention.candidate]
    if {before.form, scene.tokens[mention.first].form} & _VAGUE:
        return f"{phrase!r} may mean any of them, whom no clause describes"
    opening = scene.analysis.at(before_phrase(scene, mention.head) + 1)
    is_bare = is_noun and opening.tag not in ("determiner", "possessive", "number")
    if is_bare and noun_number(scene.tokens[mention.head].form) == "plural":
        return f"{phrase!r} may mean all of them, whom no clause describes"
    if is_bare and phrase.islower():
        return f"{phrase!r} may mean it in general, or be part of a longer noun phrase"
    is_compared = is_noun and any(token.form == "than" for token in scene.tokens)
    if (opening.form in ("a", "an") or is_compared) and not _is_past(scene):
        return f"{phrase!r} may mean any of them, whom no clause describes"
    if before.tag == "aux" and before.shape == "be" and scene.analysis.at(mention.first - 2).tag != "there":
        return f"{phrase!r} may say what somebody is"
    opens_text = not any(token.is_finite for token in scene.tokens[: mention.first])
    is_joined = scene.analysis.at(mention.last + 1).form in ("and", "or")
    if is_joined and (opens_text or _joins_nouns(scene, mention.last + 2)):
        return f"{phrase!r} is one of two that are joined"
    return f"{phrase!r} is one of two that are joined" if before.form in ("and", "or", "between") else ""


def _doubt_about_following(scene: Scene, mention: Mention) -> str:
    """What may belong to the candidate or its verb, so that the clause would come between; empty if nothing does."""
    after, second = scene.analysis.at(mention.last + 1), scene.analysis.at(mention.last + 2)
    phrase, word, is_noun = scene.citation(mention), after.form, not scene.is_named[mention.candidate]
    if word == "than":
        return "the clause would separate what is compared"
    if after.tag == "relative" or word == "that" or (word == "," and second.tag == "relative"):
        return f"{phrase!r} has a relative clause already"
    if is_noun and after.tag == "adverb" and word in PARTICLES:
        return f"the clause would separate {word!r} from its verb"
    is_subject = any(clause.subject in (mention.head, mention.last) for clause in scene.analysis.clauses)
    is_infinitive = after.tag == "to" and second.shape == "base"
    is_preposition = after.tag == "preposition" or (after.tag == "to" and not is_infinitive)
    is_led_to = after.tag == "to" and scene.tokens[mention.head].form in _LEADING
    is_described = word in _BELONGS_TO_NOUN or is_subject or is_led_to
    is_place = after.tag == "preposition" and word in _PLACES
    if (is_preposition and is_described) or (is_place and _is_object_without_place(scene, mention)):
        return f"{word!r} may belong to {phrase!r}"
    if after.tag in ("adjective", "determiner", "pronoun", "noun", "name") or after.shape in ("gerund", "participle"):
        return f"{word!r} may belong to {phrase!r} or to a clause about it"
    return ""


def _is_object_without_place(scene: Scene, mention: Mention) -> bool:
    """Whether a place after an object describes it: *saw the cup on the shelf*, not *put the cup on the shelf*."""
    verb = scene.analysis.at(before_phrase(scene, mention.head))
    return verb.tag == "verb" and not is_in(verb.verb, "verb_classes", "placing")


def _joins_nouns(scene: Scene, index: int) -> bool:
    """Whether a conjunction joins nouns or verbs, not clauses: *Ann and Beth*, *and was*."""
    end = index
    while end < index + 4 and scene.analysis.at(end).tag not in ("mark", "subordinator"):
        end += 1
    is_noun = scene.analysis.at(index).tag in ("name", "noun", "determiner", "possessive", "adjective")
    return is_noun and not any(clause.subject in range(index, end) for clause in scene.analysis.clauses)


def _is_person(scene: Scene, mention: Mention) -> tuple[bool, bool]:
    """Whether the candidate is a person, and whether that is sure."""
    noun = scene.tokens[mention.head].form
    kind = animacy(noun)
    if scene.pronoun_form in ("it", "its", "itself"):
        return False, True
    if scene.is_named[mention.candidate] or kind == "human":
        return True, True
    if scene.gender is not None and scene.pronoun_form != "they":
        return kind != "animal", True
    return False, kind == "animal" or (scene.analysis.written(mention.head).islower() and is_thing(noun))
