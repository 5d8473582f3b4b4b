"""A relative clause after the candidate that is mentioned first: *Anna, who lived nearby, thanked Beth.*

What the clause says fits the kind of person or thing (`clauses.txt`) and is not what the text is about, so that it
gives a reason for nothing. If no clause of the table fits, one about what the speaker has said before is proposed.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.inflection import singular_noun, verb_forms
from winoglot.languages.en.rewriting.raw_text import INDEFINITE
from winoglot.languages.en.rewriting.scene import Mention, Scene, animacy, before_phrase, is_kin, is_thing, scene_of
from winoglot.languages.en.rewriting.tense import tense_of
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.fitting import fitting_clauses, topics
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import famous_names
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_BY_SPEAKER = ("i mentioned earlier", "i told you about", "you may remember", "you may have heard about")
_POSSESSIVES = {"masculine": "his", "feminine": "her"}
_SEVERAL = frozenset(("people", "professionals", "children"))  # what is said of these is in the plural
_OPENINGS = ("determiner", "possessive", "number", "name")


def relative(item: Item, draws: Draws) -> Rewriting:
    """Insert a relative clause after the first candidate."""
    scene = scene_of(item)
    mention = _first_mention(scene)
    end = scene.tokens[mention.last].span.end
    if any(place.start < end < place.end for place in item.segment):
        raise NotDerivedError("the segment goes on after the first candidate")
    is_person, is_sure = _is_person(scene, mention)
    doubts = [_doubt_about_phrase(scene, mention), _doubt_about_following(scene, mention)]
    if not is_sure:
        doubts.append(f"{scene.written(mention.head)!r} may be a person or a thing: 'who' or 'which'")
    options = _fitting_clauses(scene, mention, draws)
    if not options:
        doubts.append(f"no clause of the table fits {scene.citation(mention)!r}")
    clause = draws.pick("relative clause", options or _BY_SPEAKER)
    is_by_speaker = clause.startswith(("i ", "you "))
    clause = f"I{clause[1:]}" if clause.startswith("i ") else clause
    opener = ("whom" if is_by_speaker else "who") if is_person else "which"
    closing = "," if scene.at(mention.last + 1).tag not in ("mark", "quote") else ""
    return Rewriting((Edit(Span(end, end), f", {opener} {clause}{closing}"),), tuple(filter(None, doubts)))


# What the clause says


def _fitting_clauses(scene: Scene, mention: Mention, draws: Draws) -> list[str]:
    """The clauses of the table that fit the candidate and the texts of the schema, in their tense."""
    scenes = [scene_of(item) for item in draws.schema.items]
    words = set(chain.from_iterable(map(_words, scenes)))
    about = topics(lexicon("en", "clauses"), words, " ".join(scene.text for scene in scenes))
    kinds, owner, is_past = _kinds(scene, mention), _POSSESSIVES.get(scene.gender or ""), _is_past(scenes[0])
    entries = fitting_clauses("en", kinds, about, ())
    clauses = [entry.form if is_past else entry.values.get("now", ("",))[0] for entry in entries]
    clauses = [clause for clause in clauses if clause and (owner or " their " not in clause)]
    head = scene.tokens[mention.head]
    is_several = head.tag == "noun" and noun_number(head.form) == "plural" and not kinds & _SEVERAL
    return [(_in_plural(clause) if is_several else clause).replace(" their ", f" {owner} ") for clause in clauses]


def _in_plural(clause: str) -> str:
    """What is said of one said of several: *was dark blue* → *were dark blue*."""
    verb, _, rest = clause.partition(" ")
    forms = {"was": "were", "is": "are", "has": "have", "i": "i"}
    return f"{forms.get(verb) or verb_forms(verb).get('present', verb)} {rest}"


def _kinds(scene: Scene, mention: Mention) -> set[str]:
    """The kinds of person or thing that a candidate is, as far as clauses are concerned."""
    noun = singular_noun(scene.tokens[mention.head].form)
    is_full_name = scene.tokens[mention.head].tag == "name" and mention.last > mention.first
    is_person, is_sure = _is_person(scene, mention)
    kinds = _listed_kinds("people" if is_person or animacy(noun) == "animal" else "things", noun)
    if is_full_name or scene.citation(mention) in famous_names() or "unique" in kinds:
        return set()  # what a clause says of somebody whom readers may know could be false
    if not is_person:
        features = {feature for entry in lexicon("en", "things").entries.get(noun, ()) for feature in entry.features}
        return kinds if kinds or not is_sure else features
    is_several = noun != scene.tokens[mention.head].form or is_in(noun, "nouns", "either-number")
    if scene.is_plural and is_several:
        return {"children"} if "child" in kinds else {"professionals"} if "professional" in kinds else {"people"}
    return kinds or (set() if is_kin(noun) else {"person"})


def _listed_kinds(table: str, word: str) -> set[str]:
    return {*lexicon("en", table).values("kind").get(word, ())}


def _words(scene: Scene) -> set[str]:
    """The words of a text with their base forms."""
    forms = {form for token in scene.tokens for form in (token.form, token.verb, *verb_forms(token.form).values())}
    return forms | set(map(singular_noun, forms))


def _is_past(scene: Scene) -> bool:
    """Whether the text is in the past tense, judging by its first clause that shows a tense."""
    tenses = (tense_of(scene, clause) for clause in scene.clauses)
    return next((tense for tense in tenses if tense), "past") == "past"


# Where the clause goes


def _first_mention(scene: Scene) -> Mention:
    """The first mention, after which a clause may stand; the longer one of two that begin together (*Joe's uncle*)."""
    if not scene.mentions:
        raise NotDerivedError("the text mentions no candidate")
    first = min(scene.mentions, key=lambda mention: (mention.first, -mention.last))
    before, after = scene.at(first.first - 1), scene.at(first.last + 1)
    openings = (before.form, scene.tokens[first.first].form)
    if scene.has_apposition(first):
        raise NotDerivedError("what follows the first candidate describes it already")
    if after.tag == "genitive" or (after.form in ("'", "’") and scene.written(first.last).endswith("s")):
        raise NotDerivedError("the first candidate is a possessor, after which no clause fits")
    is_certain = not any(is_in(word, "phrases", "no-certain-one") for word in openings)
    if not is_certain or scene.tokens[first.head].form in INDEFINITE:
        raise NotDerivedError("no clause describes what is not a certain one ('no', 'every')")
    if scene.is_quoted(first.first):
        raise NotDerivedError("the first candidate is mentioned in a quotation")
    if after.tag in ("noun", "name") and not scene.is_named[first.candidate]:
        raise NotDerivedError("the first candidate is part of a longer noun phrase")
    return first


def _doubt_about_phrase(scene: Scene, mention: Mention) -> str:
    """Why no clause may describe the candidate; empty if one may."""
    before, phrase = scene.at(mention.first - 1), scene.citation(mention)
    opening = scene.at(before_phrase(scene, mention.head) + 1)
    is_bare = not scene.is_named[mention.candidate] and opening.tag not in _OPENINGS
    is_bare = is_bare and (phrase.islower() or noun_number(scene.tokens[mention.head].form) == "plural")
    is_general = opening.form in ("a", "an") and not _is_past(scene)
    words = (before.form, scene.tokens[mention.first].form)
    if is_bare or is_general or any(is_in(word, "phrases", "not-all") for word in words):
        return f"{phrase!r} may mean any of them, whom no clause describes"
    if before.shape == "be" and scene.at(mention.first - 2).tag != "there":
        return f"{phrase!r} may say what somebody is"
    after = range(mention.last + 2, len(scene.tokens))
    end = next((index for index in after if scene.at(index).tag in ("mark", "subordinator")), len(scene.tokens))
    is_subject_next = any(clause.subject in range(mention.last + 2, end) for clause in scene.clauses)
    is_joined = scene.at(mention.last + 1).form in ("and", "or") and scene.at(mention.last + 2).tag != "verb"
    if before.form in ("and", "or", "between") or (is_joined and not is_subject_next):
        return f"{phrase!r} is one of two that are joined"
    return ""


def _doubt_about_following(scene: Scene, mention: Mention) -> str:
    """What may belong to the candidate or its verb, so that the clause would come between; empty if nothing does."""
    after, second = scene.at(mention.last + 1), scene.at(mention.last + 2)
    before, is_name = scene.at(before_phrase(scene, mention.head)), scene.is_named[mention.candidate]
    clauses = [clause for clause in scene.clauses if clause.subject in (mention.head, mention.last)]
    is_contact = any(clause.kind == "relative" and not clause.opener for clause in clauses)
    if second.tag == "relative" or after.form == "than" or is_contact:
        is_free = False
    elif after.tag in ("mark", "subordinator", "conjunction", "quote"):
        is_free = after.form != "that" or before.tag != "preposition"
    elif clauses:
        is_free = after.is_finite or after.tag in ("adverb", "not")
    elif after.tag == "to" and second.shape == "base":
        is_free = is_in(before.verb, "verb_classes", "asking")
    elif after.tag in ("preposition", "to"):
        is_free = is_name or is_in(before.verb, "verb_classes", "placing")
    else:
        is_free = after.tag == "adverb" and is_name
    return "" if is_free else f"{after.form!r} may belong to {scene.citation(mention)!r} or its verb"


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
    return False, kind == "animal" or (scene.written(mention.head).islower() and is_thing(noun))
