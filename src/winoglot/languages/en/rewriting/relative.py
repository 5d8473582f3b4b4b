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
from winoglot.languages.en.rewriting.scene import (
    Mention,
    Scene,
    animacy,
    before_phrase,
    is_kin,
    is_thing,
    noun_gender,
    scene_of,
)
from winoglot.languages.en.rewriting.tense import tense_of
from winoglot.languages.en.wordclass import is_in
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import famous_names
from winoglot.languages.rewriting import Rewriting
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_BY_SPEAKER = ("I mentioned earlier", "I told you about", "you may remember", "you may have heard about")
_POSSESSIVES = {"masculine": "his", "feminine": "her"}


def relative(item: Item, draws: Draws) -> Rewriting:
    """Insert a relative clause after the first candidate."""
    scene = scene_of(item)
    mention = _first_mention(scene)
    is_person, is_sure = _is_person(scene, mention)
    doubts = [_doubt_about_phrase(scene, mention), _doubt_about_following(scene, mention)]
    if not is_sure:
        doubts.append(f"{scene.written(mention.head)!r} may be a person or a thing: 'who' or 'which'")
    options = _fitting_clauses(scene, mention, draws)
    opener, clause = "who" if is_person else "which", draws.pick("relative clause", options or _BY_SPEAKER)
    if not options:
        doubts.append(f"no clause of the table fits {scene.citation(mention)!r}")
        opener = "whom" if is_person else "which"
    end = scene.tokens[mention.last].span.end
    if any(place.start < end < place.end for place in item.segment):
        raise NotDerivedError("the segment goes on after the first candidate")
    after = scene.at(mention.last + 1)
    closing = "," if after.tag not in ("mark", "quote") else ""
    return Rewriting((Edit(Span(end, end), f", {opener} {clause}{closing}"),), tuple(filter(None, doubts)))


# What the clause says


def _fitting_clauses(scene: Scene, mention: Mention, draws: Draws) -> list[str]:
    """The clauses of the table that fit the candidate and the texts of the schema, in their tense."""
    scenes = [scene_of(item) for item in draws.schema.items]
    words = set(chain.from_iterable(map(_words, scenes)))
    topics = set(chain.from_iterable(lexicon("en", "clauses").values("about").get(word, ()) for word in words))
    clauses = [clause for clause in scene.clauses if clause.subject in (mention.head, mention.last)]
    deeds = {kind for clause in clauses for kind in _listed_kinds("verb_classes", scene.at(clause.head or -1).verb)}
    kinds, owner = _kinds(scene, mention), _POSSESSIVES.get(scene.gender or "")
    options = []
    for entry in chain.from_iterable(lexicon("en", "clauses").entries.values()):
        said_of, about, deed = ({*entry.values.get(key, ())} for key in ("said-of", "about", "with"))
        clause = entry.form if _is_past(scenes[0]) else entry.values.get("now", ("",))[0]
        fits = kinds & said_of and not topics & about and deed <= deeds and (owner or " their " not in clause)
        if clause and fits and not _may_mean_another(scene, clause):
            options.append(clause.replace(" their ", f" {owner} "))
    is_several = noun_number(scene.tokens[mention.head].form) == "plural" and "people" not in kinds
    return [_in_plural(clause) for clause in options] if is_several else options


def _may_mean_another(scene: Scene, clause: str) -> bool:
    """Whether a clause mentions people whom the pronoun could mean: *who had a younger sister … because she*."""
    if scene.pronoun_form in ("it", "its", "itself"):
        return False
    people = [noun for noun in clause.split() if animacy(noun) == "human"]
    return any(scene.is_plural or noun_gender(noun) in (None, scene.gender) for noun in people)


def _in_plural(clause: str) -> str:
    """What is said of one said of several: *was dark blue* → *were dark blue*."""
    verb, _, rest = clause.partition(" ")
    forms = {"was": "were", "is": "are", "has": "have"}
    return f"{forms.get(verb) or verb_forms(verb).get('present', verb)} {rest}"


def _kinds(scene: Scene, mention: Mention) -> set[str]:
    """The kinds of person or thing that a candidate is, as far as clauses are concerned."""
    noun = singular_noun(scene.tokens[mention.head].form)
    is_full_name = scene.tokens[mention.head].tag == "name" and mention.last > mention.first
    kinds = _listed_kinds("people", noun)
    if is_full_name or scene.citation(mention) in famous_names() or "unique" in kinds:
        return set()  # what a clause says of somebody whom readers may know could be false
    is_person, is_sure = _is_person(scene, mention)
    if not is_person:
        features = {feature for entry in lexicon("en", "things").entries.get(noun, ()) for feature in entry.features}
        return kinds if is_sure and animacy(noun) == "animal" else features | _listed_kinds("things", noun)
    is_several = noun != scene.tokens[mention.head].form or is_in(noun, "nouns", "either-number")
    if scene.is_plural and is_several:
        return {"children"} if "child" in kinds else {"people", *(f"{kind}s" for kind in kinds)}
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
    if scene.has_apposition(first):
        raise NotDerivedError("what follows the first candidate describes it already")
    if after.tag == "genitive" or (after.form in ("'", "’") and scene.written(first.last).endswith("s")):
        raise NotDerivedError("the first candidate is a possessor, after which no clause fits")
    if any(mention.first < first.first <= mention.last for mention in scene.mentions):
        raise NotDerivedError("the first candidate's mention is part of the other's")
    openings = (before.form, scene.tokens[first.first].form)
    if (
        any(is_in(word, "phrases", "no-certain-one") for word in openings)
        or scene.tokens[first.head].form in INDEFINITE
    ):
        raise NotDerivedError("no clause describes what is not a certain one ('no', 'every')")
    if sum(token.tag == "quote" for token in scene.tokens[: first.first]) % 2:
        raise NotDerivedError("the first candidate is mentioned in a quotation")
    if after.tag in ("noun", "name") and not scene.is_named[first.candidate]:
        raise NotDerivedError("the first candidate is part of a longer noun phrase")
    return first


def _doubt_about_phrase(scene: Scene, mention: Mention) -> str:
    """Why no clause may describe the candidate; empty if one may."""
    before, phrase = scene.at(mention.first - 1), scene.citation(mention)
    opening = scene.at(before_phrase(scene, mention.head) + 1)
    is_bare = not scene.is_named[mention.candidate] and opening.tag not in (
        "determiner",
        "possessive",
        "number",
        "name",
    )
    is_bare = is_bare and (phrase.islower() or noun_number(scene.tokens[mention.head].form) == "plural")
    is_general = opening.form in ("a", "an") and not _is_past(scene)
    if (
        is_bare
        or is_general
        or any(is_in(word, "phrases", "not-all") for word in (before.form, scene.tokens[mention.first].form))
    ):
        return f"{phrase!r} may mean any of them, whom no clause describes"
    if before.shape == "be" and scene.at(mention.first - 2).tag != "there":
        return f"{phrase!r} may say what somebody is"
    after = end = mention.last + 2
    while scene.at(end).tag not in ("mark", "subordinator"):
        end += 1
    is_subject_next = any(clause.subject in range(after, end) for clause in scene.clauses)
    is_joined = scene.at(after - 1).form in ("and", "or") and scene.at(after).tag != "verb"
    if before.form in ("and", "or", "between") or (is_joined and not is_subject_next):
        return f"{phrase!r} is one of two that are joined"
    return ""


def _doubt_about_following(scene: Scene, mention: Mention) -> str:
    """What may belong to the candidate or its verb, so that the clause would come between; empty if nothing does."""
    after, second = scene.at(mention.last + 1), scene.at(mention.last + 2)
    before = scene.at(before_phrase(scene, mention.head))
    is_contact = any(
        clause.kind == "relative" and not clause.opener and clause.subject in (mention.head, mention.last)
        for clause in scene.clauses
    )
    is_subject = any(clause.subject in (mention.head, mention.last) for clause in scene.clauses)
    is_name = scene.is_named[mention.candidate]
    if second.tag == "relative" or after.form == "than" or is_contact:
        is_free = False
    elif after.tag in ("mark", "subordinator", "conjunction", "quote"):
        is_free = after.form != "that" or before.tag != "preposition"
    elif is_subject:
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
