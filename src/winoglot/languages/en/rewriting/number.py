"""Another number: both candidates become several, or both one, with every word that agrees with them.

Names become several by conjunction: *Tom and Andrew threw their bags to Ray and Bob*. Which pronouns refer to the
candidates is the question: the marked one does; others of its kind do if nobody and nothing else in the text could be
meant. Otherwise the variant is proposed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.rewriting.agreement import (
    Number,
    agreeing,
    antecedent_of,
    before_phrase,
    is_joined,
    shows_number,
)
from winoglot.languages.en.rewriting.inflection import plural_of, singular_of
from winoglot.languages.en.rewriting.scene import PRONOUNS, Mention, Scene, animacy, is_thing, noun_gender, scene_of
from winoglot.languages.en.wordclass import is_form_of, is_in
from winoglot.languages.names import famous_names, name_gender
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.substitution import joined, like
from winoglot.schemas.spans import Edit, Span, edited
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item

_TO_PLURAL = {
    "he": "they", "she": "they", "it": "they", "him": "them", "his": "their", "hers": "theirs", "its": "their",
    "himself": "themselves", "herself": "themselves", "itself": "themselves",
}  # fmt: skip
_TO_ONE = {
    "masculine": {"they": "he", "them": "him", "their": "his", "theirs": "his", "themselves": "himself"},
    "feminine": {"they": "she", "them": "her", "their": "her", "theirs": "hers", "themselves": "herself"},
    "neuter": {"they": "it", "them": "it", "their": "its", "themselves": "itself"},
}
_OF_THINGS = frozenset(("it", "its", "itself"))
_OF_SEVERAL = frozenset(("they", "them", "their", "theirs", "themselves"))
_COUNTING = frozenset(("each", "both", "neither"))
_AFTER_POSSESSIVE = ("noun", "name", "adjective", "number", "adverb", "possessive", "verb")
_KEPT = frozenset(("the", "my", "your", "his", "her", "its", "our", "their"))
_OTHER_DETERMINERS = {
    "plural": {"this": "these", "that": "those", "a": "", "an": "", "some": "some"},
    "singular": {"these": "this", "those": "that"},
}


@dataclass
class _Work:
    """What is found while a text is rewritten."""

    scene: Scene
    to: Number
    edits: dict[int, str] = field(default_factory=dict)  # new forms by token; empty for a word that goes
    changed: set[int] = field(default_factory=set)  # words whose number is another one now
    doubts: list[str] = field(default_factory=list)
    others: list[int] = field(default_factory=list)  # pronouns besides the marked one that may refer to the candidates


def number(item: Item, draws: Draws) -> Rewriting:
    """Put both candidates into the other number."""
    scene = scene_of(item)
    scene.require_mentions()
    work = _Work(scene, "singular" if scene.is_plural else "plural")
    if scene.is_plural and any(scene.is_named):
        raise NotDerivedError("a name with 'they' is not one person")
    if scene.pronoun_form not in _TO_PLURAL and scene.pronoun_form not in _OF_SEVERAL and scene.pronoun_form != "her":
        raise NotDerivedError(f"{scene.pronoun_form!r} has no other number")
    partners = _candidates(work, draws)
    _pronouns(work, draws)
    _possessed(work)
    _predicates(work)
    _verbs(work)
    _doubt_referents(work)
    _check_words(work)
    return Rewriting(tuple(_edits(work)), tuple(dict.fromkeys(work.doubts)), _citations(work, partners))


# The candidates


def _candidates(work: _Work, draws: Draws) -> dict[int, str]:
    """Change every mention; the names with which candidates are joined."""
    scene = work.scene
    named = [number for number, is_named in enumerate(scene.is_named) if is_named]
    partners = dict(zip(named, draws.names(scene.gender, len(named)), strict=True)) if named and scene.gender else {}
    if named and not partners:
        raise NotDerivedError("the names have no gender that shows")
    for mention in scene.mentions:
        if scene.analysis.at(mention.last + 1).tag == "noun" and len(scene.mentions_of(mention.candidate)) > 1:
            continue  # the mouse hole
        if mention.candidate in partners:
            _name(work, mention, partners[mention.candidate])
        else:
            _noun(work, mention)
    return partners


def _citations(work: _Work, partners: dict[int, str]) -> tuple[str, ...]:
    """The new citation forms: *Tom and Ray*, *the cups*, *Tom and Ray's uncles*."""
    scene, found = work.scene, []
    for index, candidate in enumerate(scene.item.candidates):
        mention = scene.mentions_of(index)[0]
        if index in partners:
            found.append(f"{scene.citation(mention)} and {partners[index]}")
            continue
        other = _other_citation(candidate.text, scene.tokens[mention.head].form, work.to)
        owner = work.edits.get(mention.first, "")
        if scene.tokens[mention.first].form == folded(other).split()[0] and owner:
            other = f"{owner} {other.split(' ', 1)[1]}"  # her neighbour
        for number, partner in partners.items():
            name = scene.citation(scene.mentions_of(number)[0])
            other = re.sub(rf"^{re.escape(name)}(?='s )", f"{name} and {partner}", other, flags=re.IGNORECASE)
        found.append(other)
    return tuple(found)


def _name(work: _Work, mention: Mention, partner: str) -> None:
    scene = work.scene
    if set(scene.citation(mention).split()) & famous_names():
        raise NotDerivedError(f"{scene.citation(mention)!r} is a famous person")
    if mention.last > mention.first:
        work.doubts.append(f"{scene.citation(mention)!r} may not go with a first name")
    work.edits[mention.last] = f"{scene.analysis.written(mention.last)} and {partner}"
    work.changed.add(mention.last)
    before, after = scene.analysis.at(mention.first - 1), scene.analysis.at(mention.last + 1)
    if before.tag in ("noun", "adjective") and animacy(before.form) == "human":
        opening = scene.analysis.at(before_phrase(scene, mention.first) + 1).form
        plural = plural_of(before.form)
        if plural is None or opening in ("a", "an", "this", "that", "every", "each", "one"):
            raise NotDerivedError(f"{before.form!r} before {scene.citation(mention)!r} has no plural here")
        work.edits[mention.first - 1] = plural  # his rival Bill
    if before.form == "and" and any(one.subject == mention.last for one in scene.analysis.clauses):
        last = mention.first - 2  # by the stove, and Tom and Ray
        if scene.analysis.at(last).tag != "mark":
            work.edits[last] = f"{work.edits.get(last, scene.analysis.written(last))},"
    elif before.form in ("and", "or"):
        work.doubts.append(f"{scene.citation(mention)!r} may be one of several already")
    following = scene.analysis.at(mention.last + 2)
    if after.tag == "genitive" and _has_each_one(scene.tokens[_head_from(scene, mention.last + 2)].form):
        work.doubts.append(f"each may have one: {scene.tokens[_head_from(scene, mention.last + 2)].form!r}")
    if scene.has_apposition(mention):
        work.doubts.append(f"what follows {scene.citation(mention)!r} may say who that is")
    if before.form == "," and after.form == "," and scene.analysis.at(mention.first - 2).tag == "noun":
        work.doubts.append(f"{scene.citation(mention)!r} may be what is named before it")
    if after.form in ("and", "or") and (
        following.tag in ("name", "possessive", "determiner") or following.shape == "gerund"
    ):
        work.doubts.append(f"{scene.citation(mention)!r} may be one of several already")


def _noun(work: _Work, mention: Mention) -> None:
    scene = work.scene
    head = scene.tokens[mention.head]
    if head.tag == "name" or (
        not scene.analysis.written(mention.head).islower() and mention.head > 0 and head.tag != "noun"
    ):
        raise NotDerivedError(f"{scene.citation(mention)!r} is a name")
    if noun_number(head.form) == work.to:
        raise NotDerivedError(f"{head.form!r} is {work.to} already")
    new = _in_number(head.form, work.to)
    if new is None or is_joined(scene, mention.head):
        raise NotDerivedError(f"{scene.citation(mention)!r} has no {work.to}")
    work.edits[mention.head] = new
    work.changed.add(mention.head)
    _determiner(work, mention)
    after = mention.head + 1
    if scene.analysis.at(after).tag == "genitive" and new.endswith("s") and work.to == "plural":
        work.edits[after] = "'"
    elif scene.analysis.at(after).form in ("'", "’") and work.to == "singular":
        work.edits[after] = "'s"


def _in_number(noun: str, number: Number) -> str | None:
    """The noun in this number; the same form for *sheep* and the like."""
    if is_in(noun, "nouns", "either-number"):
        return noun
    return plural_of(noun) if number == "plural" else singular_of(noun)


def _determiner(work: _Work, mention: Mention) -> None:
    """*a cup* → *cups*, *this cup* → *these cups*; a noun without article is not one of several."""
    scene = work.scene
    opening = before_phrase(scene, mention.head) + 1
    while opening < mention.head and scene.analysis.at(opening).tag not in (
        "determiner",
        "possessive",
        "number",
        "name",
    ):
        opening += 1
    word = scene.analysis.at(opening)
    others = _OTHER_DETERMINERS[work.to]
    inside = [scene.tokens[one] for one in range(opening + 1, mention.head)]
    owns = word.tag == "name" or any(one.tag == "genitive" for one in inside)
    if any(one.form in ("whole", "entire", "only", "single") for one in inside):
        raise NotDerivedError(f"{scene.citation(mention)!r} is described as one")
    if any(one.tag in ("number", "determiner") for one in inside) and not owns:
        raise NotDerivedError(f"{scene.citation(mention)!r} says how many there are")
    if opening < mention.head and word.form in others:
        work.edits[opening] = others[word.form]
    elif opening < mention.head and (word.form in _KEPT or owns):
        return
    elif opening == mention.head and work.to == "singular":
        first = before_phrase(scene, mention.head) + 1
        article = joined("a ", scene.analysis.written(first).lower() + " ", "en").split(" ", 1)[0]
        written = scene.analysis.written(first)
        rest = work.edits.get(first, scene.tokens[first].form)
        work.edits[first] = like(written, f"{article} {rest}")
        work.doubts.append(f"{scene.citation(mention)!r} may mean all of them, not one")
    else:
        raise NotDerivedError(f"{scene.citation(mention)!r} is not one of several")


def _other_citation(citation: str, old: str, to: Number) -> str:
    new = _in_number(old, to)
    at = folded(citation).rfind(old)
    if at < 0 or new is None:
        raise NotDerivedError(f"the candidate {citation!r} has another noun than its mention")
    made = edited(citation, [Edit(Span(at, at + len(old)), new)])
    first, _, rest = made.partition(" ")
    if folded(first) in ("his", "her", "its") and to == "plural":
        return f"their {rest}"
    if folded(first) in ("a", "an") and to == "plural":
        return rest
    if to == "singular" and not is_in(folded(first), "determiners", "determiner"):
        return f"the {made}"
    return f"{_OTHER_DETERMINERS[to].get(folded(first), first)} {rest}" if rest else made


# What agrees with them


def _pronouns(work: _Work, draws: Draws) -> None:
    """Change the marked pronoun and all others of its kind; who those refer to is asked later."""
    scene = work.scene
    forms = _forms_of_one(scene, draws) if work.to == "singular" else _TO_PLURAL
    alike = _alike(scene)
    inside = {number for number in scene.candidate_tokens() if scene.tokens[number].tag == "possessive"}  # his son
    for number, token in enumerate(scene.tokens):
        if token.form not in alike:
            continue
        work.edits[number] = _other_pronoun(work, number, forms)
        if token.form in ("he", "she", "it", "they"):
            work.changed.add(number)
        if number != scene.pronoun and number not in inside:
            work.others.append(number)


def _other_pronoun(work: _Work, number: int, forms: dict[str, str]) -> str:
    scene = work.scene
    token, after = scene.tokens[number], scene.analysis.at(number + 1)
    if token.form == "her":
        work.doubts += [doubt for doubt in [scene.doubt_about_her(number)] if doubt]
        return "their" if token.tag == "possessive" else "them"
    if token.form == "it":
        is_subject = any(clause.subject == number for clause in scene.analysis.clauses)
        return "they" if is_subject else "them"
    if token.form == "his" and after.tag not in _AFTER_POSSESSIVE:
        return "theirs"
    if token.form not in forms:
        raise NotDerivedError(f"{token.form!r} has no {work.to}")
    return forms[token.form]


def _alike(scene: Scene) -> frozenset[str]:
    """The pronouns of the same kind as the marked one."""
    form = scene.pronoun_form
    for kind in (_OF_THINGS, _OF_SEVERAL):
        if form in kind:
            return kind
    return frozenset(one for one, gender in PRONOUNS.items() if gender == PRONOUNS[form])


def _forms_of_one(scene: Scene, draws: Draws) -> dict[str, str]:
    """Pronouns for one person or thing."""
    heads = [scene.tokens[one.head].form for one in scene.mentions]
    kinds = {animacy(noun) for noun in heads}
    if kinds == {"human"}:
        shown = {noun_gender(noun) or ("masculine" if noun.endswith("men") else None) for noun in heads} - {None}
        if len(shown) > 1:
            raise NotDerivedError("one pronoun does not fit both candidates")
        return _TO_ONE[shown.pop() or "" if shown else draws.pick("gender of one", ("masculine", "feminine"))]
    unknown = [noun for noun in heads if animacy(noun) is None and not is_thing(noun)]
    if unknown:
        raise NotDerivedError(f"{unknown[0]!r} may be a person or a thing")
    if "human" in kinds:
        raise NotDerivedError("one pronoun does not fit both candidates")
    return _TO_ONE["neuter"]


def _doubt_referents(work: _Work) -> None:
    """Whether other pronouns of the kind, and those of several, may refer to somebody or something else."""
    scene, others = work.scene, work.others
    if work.to == "plural" and scene.pronoun_form not in _OF_THINGS:
        rivals = _rivals(work)
        if others and rivals:
            work.doubts.append(f"{scene.tokens[others[0]].form!r} may refer to {rivals[0]!r}")
    elif others:
        work.doubts.append(f"{scene.tokens[others[0]].form!r} may refer to something else")


def _rivals(work: _Work) -> list[str]:
    """Other people whom the candidates' pronouns may mean."""
    scene, found = work.scene, []
    for number, token in enumerate(scene.tokens):
        if number in work.edits or number in scene.candidate_tokens():
            continue
        if token.tag == "name" and scene.analysis.at(number + 1).tag != "name":
            shown = name_gender(scene.analysis.written(number), "en").value
            is_rival = shown in (scene.gender, "common")
        else:
            is_person = token.tag == "noun" and animacy(token.form) == "human"
            is_one = is_person and noun_number(token.form) == "singular"
            is_rival = is_one and noun_gender(token.form) in (scene.gender, None)
        if is_rival:
            found.append(scene.analysis.written(number))
    return found


def _people_besides(scene: Scene) -> bool:
    """Whether the text speaks of anybody but the candidates."""
    others = [token for at, token in enumerate(scene.tokens) if at not in scene.candidate_tokens()]
    return any(token.tag == "name" or (token.tag == "noun" and animacy(token.form) == "human") for token in others)


def _possessed(work: _Work) -> None:
    """*his head* → *their heads*: everybody has one of their own."""
    scene = work.scene
    if work.to == "singular":
        return
    has_it = any(token.form in _OF_THINGS for number, token in enumerate(scene.tokens) if number not in work.edits)
    for number, new in list(work.edits.items()):
        is_genitive = scene.tokens[number].tag == "genitive" or scene.tokens[number].form in ("'", "’")
        if new != "their" and not is_genitive:
            continue
        head = _head_from(scene, number + 1)
        noun = scene.analysis.at(head).form
        if head in work.edits or scene.analysis.at(head).tag != "noun":
            continue
        plural = plural_of(noun)
        if plural and not _has_each_one(noun):
            if not _may_be_shared(noun):
                work.doubts.append(f"each may have one: {noun!r}, {plural!r}")
        elif plural:
            work.edits[head] = plural
            work.changed.add(head)
            if has_it:
                work.doubts.append(f"'it' may mean {noun!r}, of which there are several now")
            if scene.analysis.at(head + 1).tag == "genitive" and plural.endswith("s"):
                work.edits[head + 1] = "'"


def _has_each_one(noun: str) -> bool:
    """Whether everybody has one of their own: *their coats*."""
    return is_in(noun, "countable", "own-one") or is_in(noun, "things", "artefact")


def _may_be_shared(noun: str) -> bool:
    """Whether several people may have one together: *their house*, *their teacher*."""
    is_place = is_in(noun, "things", "building", "landscape", "fixture", "vehicle", "furniture", "plant")
    return is_place or animacy(noun) is not None or is_in(noun, "countable", "shared")


def _predicates(work: _Work) -> None:
    """*he was the winner* → *they were the winners*."""
    scene = work.scene
    for clause in scene.analysis.clauses:
        if not _agrees(work, clause.subject) or clause.verb is None:
            continue
        at = clause.verb + 1
        while scene.analysis.at(at).tag in ("aux", "not", "adverb"):
            at += 1
        last = [token.shape for token in scene.tokens[clause.verb : at] if token.tag == "aux"][-1:]
        if clause.head is None and last == ["be"]:
            _predicate_noun(work, at)
        elif clause.head is None and last == ["have"] and work.to == "plural":
            _predicate_noun(work, at, owned=True)
        elif clause.head is not None and scene.tokens[clause.head].verb in ("become", "remain", "seem"):
            _predicate_noun(work, clause.head + 1)


def _predicate_noun(work: _Work, at: int, *, owned: bool = False) -> None:
    """The noun after a copula, or what everybody has one of: *they had bad backs*."""
    scene = work.scene
    opening = scene.analysis.at(at)
    bare = scene.analysis.at(_head_from(scene, at))
    if work.to == "singular" and bare.tag == "noun" and noun_number(bare.form) == "plural":
        work.doubts.append(f"what follows {scene.analysis.at(at - 1).form!r} may need another number")
    if opening.form not in ("a", "an", "the") and opening.tag != "possessive":
        return
    head = _head_from(scene, at + 1)
    noun = scene.analysis.at(head)
    if head in work.edits or noun.tag != "noun" or (owned and not is_in(noun.form, "countable", "own-one")):
        if noun.tag != "noun" and not owned:
            work.doubts.append(f"what follows {scene.analysis.at(at - 1).form!r} may need another number")
        return
    if is_in(noun.form, "countable", "measure") and scene.analysis.at(head + 1).tag in ("adjective", "adverb"):
        return  # a head shorter
    new = (plural_of if work.to == "plural" else singular_of)(noun.form)
    if new is None:
        work.doubts.append(f"what follows {scene.analysis.at(at - 1).form!r} may need another number")
        return
    work.edits[head] = new
    if opening.form in ("a", "an"):
        work.edits[at] = ""


def _head_from(scene: Scene, at: int) -> int:
    """The last noun of the phrase whose words begin here."""
    end = at
    while scene.analysis.at(end).tag in ("adjective", "noun", "adverb", "number"):
        if end > at and scene.analysis.at(end).form == "home":
            break  # took his bag home
        end += 1
    nouns = [number for number in range(at, end) if scene.tokens[number].tag == "noun"]
    return nouns[-1] if nouns else at


def _agrees(work: _Work, subject: int | None) -> bool:
    if subject is None:
        return False
    if work.scene.tokens[subject].tag == "relative":
        subject = antecedent_of(work.scene, subject)
    return subject in work.changed


def _verbs(work: _Work) -> None:
    """Make verbs agree with subjects whose number is another one now."""
    scene = work.scene
    for clause in scene.analysis.clauses:
        if clause.verb is None or not (shows_number(scene.tokens[clause.verb]) or clause.verb in scene.analysis.unsure):
            continue
        verb = scene.tokens[clause.verb]
        follows = clause.subject is not None and scene.tokens[clause.subject].tag == "there"
        if follows:
            subject = next((one for one in sorted(work.changed) if one > clause.verb and one - clause.verb < 6), None)
            between = scene.tokens[clause.verb + 1 : subject] if subject is not None else ()
            agrees = subject is not None and all(
                one.tag in ("determiner", "adjective", "noun", "adverb") for one in between
            )
        else:
            agrees = _agrees(work, clause.subject)
        if agrees and work.to == "singular" and clause.verb in scene.analysis.unsure:
            work.doubts.append(f"{verb.form!r} may be present or past")
        if agrees:
            new = agreeing(verb, work.to)
            is_pronoun = clause.subject is not None and scene.tokens[clause.subject].tag in ("pronoun", "there")
            work.edits[clause.verb] = new if is_pronoun else {"'ve": " have", "'re": " are"}.get(new, new)
        elif clause.subject is None:
            work.doubts.append(f"the subject of {scene.analysis.written(clause.verb)!r} is not clear")


def _check_words(work: _Work) -> None:
    """Doubts about words that count, about what somebody is called or made, and about what one person says."""
    scene = work.scene
    of_others = [token.form for token in scene.tokens if PRONOUNS.get(token.form, scene.gender) != scene.gender]
    if of_others and scene.gender and not scene.all_named and not _people_besides(scene):
        work.doubts.append(f"{of_others[0]!r} may refer to a candidate")
    if scene.analysis.has_quotation:
        work.doubts.append("somebody is quoted")
    for number, token in enumerate(scene.tokens):
        if token.form in _COUNTING and number not in work.edits:
            work.doubts.append(f"{token.form!r} may count the candidates")
        is_object = (
            number in work.edits
            and token.tag in ("pronoun", "name")
            and scene.analysis.at(number + 1).form in ("a", "an")
        )
        if is_object and is_form_of(scene.analysis.at(number - 1).form, "finding", "judging", "thinking"):
            work.doubts.append(f"what follows {token.form!r} may say what that is")
        is_role = (
            token.form in ("as", "being")
            and scene.analysis.at(number + 1).form in ("a", "an", "the")
            and _head_from(scene, number + 2) not in scene.candidate_tokens()
            and not any(one.verb is not None and 0 < one.verb - number < 5 for one in scene.analysis.clauses)
        )
        if is_role:
            work.doubts.append(f"what follows {token.form!r} may need another number")
    ones = [at for at, token in enumerate(scene.tokens) if token.form == "one" and token.tag == "noun"]
    if any(scene.analysis.at(before_phrase(scene, at) + 1).form in ("a", "an", "the", "this", "that") for at in ones):
        work.doubts.append("'one' may stand for a candidate")
    for number in _described_again(scene):
        work.doubts.append(f"{scene.analysis.written(number)!r} may be a candidate")


def _described_again(scene: Scene) -> list[int]:
    """Nouns for one person, after both candidates, that may be another word for one of them: *the poor boy*."""
    if scene.is_plural or scene.gender is None:
        return []
    last = max(one.last for one in scene.mentions)
    nouns = [at for at in range(last + 1, len(scene.tokens)) if scene.tokens[at].tag == "noun"]
    people = [at for at in nouns if animacy(scene.tokens[at].form) == "human"]
    named = {scene.tokens[one.head].form for one in scene.mentions}
    opened = [at for at in people if scene.analysis.at(before_phrase(scene, at) + 1).form in ("the", "this", "that")]
    return [
        at
        for at in opened
        if noun_number(scene.tokens[at].form) == "singular"
        and scene.tokens[at].form not in named
        and noun_gender(scene.tokens[at].form) in (None, scene.gender)
        and scene.analysis.at(at - 1).tag == "adjective"
    ]


def _edits(work: _Work) -> list[Edit]:
    """The edits; a word that goes takes the space after it along, and its capital moves on."""
    scene, found = work.scene, []
    moved_capital = {
        number + 1 for number, new in work.edits.items() if not new and scene.analysis.written(number)[0].isupper()
    }
    for number in sorted(work.edits.keys() | moved_capital):
        token, written = scene.tokens[number], scene.analysis.written(number)
        new = work.edits.get(number, written)
        if not new:
            found.append(Edit(Span(token.span.start, scene.tokens[number + 1].span.start), ""))
            continue
        made = like(written, new) if token.form.isalpha() and token.tag != "name" else new
        if number in moved_capital:
            made = made[0].upper() + made[1:]
        if made != written:
            found.append(Edit(token.span, made))
    return found
