"""What a draft must pass before a person sees it: it can be read, it does what its kind says, and no check objects.

Nothing here knows whether a draft is natural, or whether it keeps the answer: a person decides that. What is refused is
refused for a reason that a model understands, since it is told the reason and may try again.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from itertools import chain, pairwise, takewhile
from typing import TYPE_CHECKING, Any, cast

import yaml

from winoglot.checks.base import CheckContext, Selection, run_checks
from winoglot.checks.texts import plain, words
from winoglot.errors import InputError
from winoglot.languages.agreement import features_of, pronoun_analyses
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import PASSIVE, constructions
from winoglot.schemas.entries import SchemaEntry
from winoglot.schemas.markup import parse
from winoglot.schemas.mentions import find_mentions, mention_order, spell_mention
from winoglot.schemas.model import Collection, Item, Schema, Variant
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.serialise import join_values
from winoglot.schemas.spans import Span
from winoglot.schemas.text import counted, is_unspaced, primary
from winoglot.schemas.validation import check_entry
from winoglot.writing.proposals import parse_variant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from winoglot.languages.features import FeatureName
    from winoglot.schemas.entries import AlternativesEntry, VariantEntry

_FORM: tuple[FeatureName, ...] = ("gender", "number")  # that a synonym keeps
_SAME_CANDIDATES = ("tense", "voice", "relative", "adverb")  # kinds that keep them
_CHECKS = ("agreement", "pronoun-fits", "readings-derived", "segment-grammar", "segment-marked", "spelling")
_FEWEST_KEPT = 0.4  # of the original's words: a draft with fewer is another text, perhaps in another language
_LATIN = re.compile("[A-Za-z]")
_TELLING = 3  # letters of a word that shows a language
_BY_CHANCE = 1  # frequent words that neighbours have in common: Portuguese and Spanish
_NO_ADVERB = ("preposition", "conjunction", "coordinator", "subordinator", "pronoun", "relative")
_LONGEST_CLAUSE, _LONGEST_ADVERB = 12, 3  # words
_CHARACTERS = 2  # that stand for a word in a script without spaces


class RefusedError(Exception):
    """A draft that a person need not see, and why."""


def accepted(schema: Schema, kind: str, entry: VariantEntry, language: str) -> tuple[Variant, ...]:
    """The variants that a draft describes; RefusedError if it is not a variant of that kind.

    `entry` has the text in the notation and, if they change, the candidates.
    """
    variants = _read(schema, kind, entry, language)
    pairs = [Pair(item, variant, language) for item, variant in zip(schema.items, variants, strict=True)]
    if all(plain(pair.old.text or "") == plain(pair.new.text or "") for pair in pairs):
        raise RefusedError("the text is the same as before")
    _check_distinct(schema.items, variants)
    if kind != "gender":  # which may turn [him|her] into [her|him]
        _check_order(pairs)
    for pair in pairs:
        pair.check_same_text()
        _KINDS[kind](pair)
    _check_alike(pairs)
    check_rules(schema, replace(schema, items=as_items(variants), variants=(), impossible=()), language)
    return variants


def translated(schema: Schema, source: str, entry: AlternativesEntry, target: str) -> Schema:
    """The schema that a translation describes; RefusedError if it is not one in that language."""
    words_of_target = function_words(target)
    head: dict[str, Any] = {"id": schema.id, "answers": [item.answer for item in schema.items]}
    try:
        parsed = parse_schema(check_entry(SchemaEntry, {**head, **entry}), words_of_target).in_language(target)
    except InputError as error:
        raise RefusedError(error.message) from error
    if len(parsed.items) != len(schema.items):
        raise RefusedError(f"{counted(len(parsed.items), 'version')} in [ ] instead of {len(schema.items)}")
    _check_distinct(schema.items, parsed.items)
    for item, new in zip(schema.items, parsed.items, strict=True):
        if new.candidate_count != item.candidate_count:
            raise RefusedError(f"{counted(new.candidate_count, 'candidate')} instead of {item.candidate_count}")
        if plain(item.text or "") == plain(new.text or ""):
            raise RefusedError("the text is the same as before")
        _check_end(item, new)
        ours, theirs = (_known(new.text or "", language) for language in (target, source))
        if theirs > ours + _BY_CHANCE:
            raise RefusedError(f"it is not in the language {target!r}: more of its words are of {source!r}")
    check_rules(schema, parsed, target, source)
    return parsed


def _check_distinct(old: Sequence[Item], new: Sequence[Item]) -> None:
    """Refuse a draft in which versions or candidates are the same that were not."""
    for what, before, after in (
        ("versions", *([plain(item.text or "") for item in items] for items in (old, new))),
        ("candidates", *([plain(candidate.text) for candidate in items[0].candidates] for items in (old, new))),
    ):
        if len(set(after)) < len(set(before)):
            raise RefusedError(f"two {what} are the same")


def _check_order(pairs: Sequence[Pair]) -> None:
    """Refuse a draft that exchanges alternatives, since their order decides on the answers."""
    old, new = zip(*(pair.segments for pair in pairs), strict=True)
    if old != new and sorted(old) == sorted(new):
        raise RefusedError("what stands in [ ] is in another order")


def _check_end(old: Item, new: Item) -> None:
    """Refuse a draft that ends without a mark where its original has one: probably it is half a sentence."""
    ends = [unicodedata.category((item.text or " ")[-1]).startswith("P") for item in (old, new)]
    if ends == [True, False]:
        raise RefusedError("the text breaks off, or lacks its last punctuation mark")


def _known(text: str, language: str) -> int:
    """How many of the words of a text are in the language's tables of frequent words and no names."""
    tables = [lexicon(language, name).entries for name in ("function_words", "determiners", "pronouns")]
    return sum(any(word in table for table in tables) for word in words(text))


def check_rules(original: Schema, draft: Schema, language: str, old_language: str = "") -> None:
    """Refuse a draft to which a rule of `winoglot check` objects that does not object to the original too."""

    def findings(schema: Schema, tag: str) -> dict[str, str]:
        collection = Collection("draft", tag, (schema,))
        outcome = run_checks(collection, CheckContext(), Selection(select=_CHECKS))
        return {finding.code: finding.message for finding in (*outcome.errors, *outcome.warnings)}

    known = findings(original, old_language or language)
    for code, message in findings(draft, language).items():
        if code not in known:
            raise RefusedError(f"{code}: {message}")


def _read(schema: Schema, kind: str, entry: VariantEntry, language: str) -> tuple[Variant, ...]:
    """The variants, with pronoun, candidates and segment found."""
    former = [plain(candidate.text) for candidate in schema.items[0].candidates]
    if kind in _SAME_CANDIDATES and sorted(map(plain, entry.get("candidates", ()))) == sorted(former):
        entry = {"text": entry["text"]}  # a model may list them as it names them, but their order is their identity
    try:
        mentions = _mentions(schema, entry, language)
        variants = parse_variant(schema, kind, cast("VariantEntry", {**entry, **mentions}), (), language)
    except InputError as error:
        raise RefusedError(error.message) from error
    for item, variant in zip(schema.items, variants, strict=True):
        if len(variant.segment) != len(item.segment):
            places = counted(len(variant.segment), "place")
            raise RefusedError(f"{places} in [ ] instead of {len(item.segment)}")
        if [bool(place.of(item.text or "")) for place in item.segment] != [
            bool(place.of(variant.text or "")) for place in variant.segment
        ]:
            raise RefusedError("an alternative in [ ] is empty, or no longer empty")
        if variant.candidate_count != item.candidate_count:
            raise RefusedError(f"{counted(variant.candidate_count, 'candidate')} instead of {item.candidate_count}")
        if variant.pronoun_form != item.pronoun_form:
            raise RefusedError(f"the pronoun {{{variant.parts[1]}}} stands for {{{item.parts[1]}}}")
    return variants


def _mentions(schema: Schema, entry: VariantEntry, language: str) -> dict[str, Any]:
    """The `mentions` of a draft whose original mentions candidates several times or not at all: again as often."""
    counts = [[len(candidate.mentions) for candidate in item.candidates] for item in schema.items]
    if all(count == 1 for count in chain.from_iterable(counts)):
        return {}
    markup, function = parse(entry["text"] or ""), function_words(language)
    rows = []
    for number, (item, expected) in enumerate(zip(schema.items, counts, strict=True)):
        marked = markup.alternative(number)
        texts = entry.get("candidates") or [candidate.text for candidate in item.candidates]
        row = []
        for candidate, count in zip(texts, expected, strict=False):
            name = parse(candidate).alternative(number).text
            places = find_mentions(marked.text, name, function, marked.braces[0] if marked.braces else Span(0, 0))
            if len(places) != count:
                raise RefusedError(f"the text mentions {name!r} {len(places)} times, not {count} times as before")
            row.append([spell_mention(marked.text, place) for place in places])
        rows.append(row)
    return {"mentions": join_values("mentions", rows)}


def as_items(variants: Sequence[Variant]) -> tuple[Item, ...]:
    """The variants as if they were originals."""
    names = ("schema_id", "text", "pronoun", "candidates", "answer", "segment", "phrase", "tags", "language")
    return tuple(
        Item(id=variant.variant_of, **{name: getattr(variant, name) for name in names}) for variant in variants
    )


@dataclass(frozen=True)
class Pair:
    """An original and its draft, in words."""

    old: Item
    new: Variant
    language: str

    @property
    def is_unspaced(self) -> bool:
        """Whether the text has no spaces between words, so that its words are characters."""
        return sum(map(is_unspaced, self.old.text or "")) * 2 > len(self.old.text or "")

    def room(self, number: int) -> int:
        """That many words, in what this text counts."""
        return number * _CHARACTERS if self.is_unspaced else number

    def check_same_text(self) -> None:
        """Refuse a draft that shares few words with its original, or that says no where it says yes."""
        old, new = _outside(self.old), _outside(self.new)
        kept = sum(any(_are_related(word, other) for other in new) for word in old)
        if old and kept < _FEWEST_KEPT * len(old):
            raise RefusedError(f"it is another text: only {kept} of {counted(len(old), 'word')} are the original's")
        _check_end(self.old, self.new)
        has_latin = _LATIN.search(self.old.text or "")
        slipped = [
            word
            for word in _without(new, old)
            if _is_english(word, self.language) or (_LATIN.search(word) and not has_latin)
        ]
        if slipped:
            raise RefusedError(f"{slipped[0]!r} is not a word of this language")
        before, after = (self._negations(item) for item in (self.old, self.new))
        if before != after:
            listed = ", ".join(_without(after, before) or _without(before, after))
            raise RefusedError(f"a negation was {'added' if len(after) > len(before) else 'changed'}: {listed}")

    def _negations(self, item: Item) -> list[str]:
        table = _table("negations", self.language)
        return sorted(word for word in words(item.text or "") if word in table)

    def check_candidates_kept(self) -> None:
        """Refuse a draft with other candidates."""
        for old, new in zip(self.old.candidates, self.new.candidates, strict=True):
            if plain(old.text) != plain(new.text):
                raise RefusedError(f"the candidate {new.text!r} was {old.text!r}; keep it")

    def check_pronoun_kept(self) -> None:
        """Refuse another pronoun."""
        if plain(self.old.parts[1]) != plain(self.new.parts[1]):
            raise RefusedError(f"the pronoun {self.new.parts[1]!r} was {self.old.parts[1]!r}; keep it")

    @property
    def segments(self) -> tuple[list[str], list[str]]:
        """What stands in [ ], in the original and in the draft."""
        old, new = ([plain(place.of(item.text or "")) for place in item.segment] for item in (self.old, self.new))
        return old, new

    def check_segment_kept(self) -> None:
        """Refuse other alternatives."""
        old, new = self.segments
        if old != new:
            raise RefusedError(f"what stands in [ ] has changed: {' … '.join(new)!r} was {' … '.join(old)!r}")

    def insertions(self) -> list[list[str]]:
        """The stretches of words that the draft inserts; RefusedError if it changes anything else."""
        before, after = words(self.old.text or ""), words(self.new.text or "")
        stretches = []
        for tag, low, high, start, end in _difference(before, after):
            if tag in ("delete", "replace"):
                raise RefusedError(f"it does not only insert: {' '.join(before[low:high])!r} was changed or removed")
            stretches.append(after[start:end])
        return stretches

    def changed_words(self) -> tuple[list[str], list[str]]:
        """The words outside the candidates' mentions that were removed, and those that were added."""
        old, new = _outside(self.old), _outside(self.new)
        return _without(old, new), _without(new, old)


def _tense(pair: Pair) -> None:
    pair.check_candidates_kept()
    pair.check_pronoun_kept()
    removed, added = pair.changed_words()
    if not removed and not added:
        raise RefusedError("no verb has changed")
    names = [word for word in _capitals(pair.new) if word in added]
    if names:
        raise RefusedError(f"{names[0]!r} is new: change the verbs only")


def _number(pair: Pair) -> None:
    _check_feature(pair, "number")


def _gender(pair: Pair) -> None:
    _check_feature(pair, "gender")


def _check_feature(pair: Pair, name: FeatureName) -> None:
    """Both candidates and the pronoun have another value of a feature, as far as the language knows it."""
    is_shown = False
    for old, new in zip(pair.old.candidates, pair.new.candidates, strict=True):
        former = features_of(old, pair.old, pair.language).of(name).value
        value = features_of(new, pair.new, pair.language).of(name).value
        may_stay = name == "gender" and former in (None, "common")  # the musician
        if plain(old.text) == plain(new.text) and not may_stay:
            raise RefusedError(f"the candidate {new.text!r} is the same as before")
        if former and former == value and not may_stay:
            raise RefusedError(f"the {name} of {new.text!r} is {value}, as before")
        is_shown = is_shown or bool(former and value)
    before, after = (_pronoun_values(item, name, pair.language) for item in (pair.old, pair.new))
    if before and after and len(before) == 1 and before == after:
        raise RefusedError(f"the pronoun {pair.new.parts[1]!r} is {min(after)}, as before")
    if not is_shown and not (before and after) and plain(pair.old.parts[1]) == plain(pair.new.parts[1]):
        raise RefusedError(f"nothing shows that the {name} has changed")


def _pronoun_values(item: Item, name: FeatureName, language: str) -> set[str]:
    """What the pronoun may show of a feature; nothing if one analysis leaves it open."""
    values = [traits.of(name).value for traits in pronoun_analyses(item, language)]
    return set() if None in values else set(filter(None, values))


def _voice(pair: Pair) -> None:
    pair.check_candidates_kept()
    pair.check_pronoun_kept()
    if mention_order(pair.old) != mention_order(pair.new):
        table = _table("agents", pair.language)
        agents = [sum(_is_listed(word, table) for word in words(item.text or "")) for item in (pair.old, pair.new)]
        if table and agents[0] == agents[1]:
            raise RefusedError("the candidates were exchanged, and neither text has a passive that says by whom")
        return
    passives = [constructions(item.text or "", pair.language) for item in (pair.old, pair.new)]
    if len({PASSIVE in (kinds or ()) for kinds in passives}) < len(passives):
        raise RefusedError("the candidates stand in the same order as before, so the voice has not changed")


def _relative(pair: Pair) -> None:
    for check in (pair.check_candidates_kept, pair.check_pronoun_kept, pair.check_segment_kept):
        check()
    stretches = pair.insertions()
    if len(stretches) != 1:
        raise RefusedError("expected one relative clause, and nothing else inserted")
    clause = stretches[0]
    if not pair.room(2) <= len(clause) <= pair.room(_LONGEST_CLAUSE):
        raise RefusedError(f"a clause of {counted(len(clause), 'word')} was inserted; expected 2 to {_LONGEST_CLAUSE}")
    table = _table("relatives", pair.language)
    openers = [clause[-1]] if pair.is_unspaced else clause[:3]
    if table and not any(_is_listed(word, table) for word in openers):
        raise RefusedError(f"{' '.join(clause)!r} is not a relative clause")
    if not _stands_at_mention(pair, clause):
        raise RefusedError(f"{' '.join(clause)!r} does not stand beside the candidate named first")


def _stands_at_mention(pair: Pair, clause: Sequence[str]) -> bool:
    """Whether the clause follows the mention named first or, in a script without spaces, precedes it."""
    order = mention_order(pair.new)
    if order is None or not pair.new.candidates[order[0]].mentions:
        return False
    mention = pair.new.candidates[order[0]].mentions[0]
    text = pair.new.text or ""
    if pair.is_unspaced:
        return words(text[: mention.start])[-len(clause) :] == list(clause)
    return words(text[mention.end :])[: len(clause)] == list(clause)


def _adverb(pair: Pair) -> None:
    for check in (pair.check_candidates_kept, pair.check_pronoun_kept, pair.check_segment_kept):
        check()
    stretches = pair.insertions()
    table = lexicon(pair.language, "function_words")
    others = frozenset().union(*(table.words(feature) for feature in _NO_ADVERB))
    for stretch in stretches:
        if len(stretch) > pair.room(_LONGEST_ADVERB):
            raise RefusedError(f"{' '.join(stretch)!r} is more than an adverb")
        if others.issuperset(stretch):
            raise RefusedError(f"{' '.join(stretch)!r} is not an adverb")
    names = [word for word in _capitals(pair.new) if word in chain.from_iterable(stretches)]
    if names:
        raise RefusedError(f"{names[0]!r} is not an adverb")


def _synonym(pair: Pair) -> None:
    for check in (pair.check_pronoun_kept, pair.check_segment_kept):
        check()
    former = {plain(candidate.text) for candidate in pair.old.candidates}
    for candidate in pair.new.candidates:
        if plain(candidate.text) in former:
            raise RefusedError(f"{candidate.text!r} is what a candidate was called before")
    removed, added = pair.changed_words()
    determiners = function_words(pair.language)
    closed = {*determiners.determiners, *determiners.contractions, "l", "d", "s"}
    changed = [word for word in (*removed, *added) if word not in closed]
    if changed:
        raise RefusedError(f"{changed[0]!r} was changed too: change the candidates only")
    for old, new in zip(pair.old.candidates, pair.new.candidates, strict=True):
        for name in _FORM:
            before = features_of(old, pair.old, pair.language).of(name).value
            after = features_of(new, pair.new, pair.language).of(name).value
            if before and after and before != after and "common" not in (before, after):
                raise RefusedError(f"{new.text!r} is {after}, and {old.text!r} is {before}")


_KINDS: Mapping[str, Callable[[Pair], None]] = {
    "tense": _tense,
    "number": _number,
    "gender": _gender,
    "voice": _voice,
    "relative": _relative,
    "adverb": _adverb,
    "synonym": _synonym,
}


def _check_alike(pairs: Sequence[Pair]) -> None:
    """Refuse a draft in which only some of the items have changed outside their segment."""
    changes = [sorted(pair.changed_words()[0]) != [] or pair.changed_words()[1] != [] for pair in pairs]
    if any(one != other for one, other in pairwise(changes)):
        raise RefusedError("only one of the versions has changed")


def _difference(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [code for code in codes if code[0] != "equal"]


def _outside(item: Item) -> list[str]:
    """The words of a text outside the mentions of its candidates."""
    text, pieces, end = item.text or "", [], 0
    for mention in sorted(mention for candidate in item.candidates for mention in candidate.mentions):
        pieces.append(text[end : mention.start])
        end = max(end, mention.end)
    return words(" ".join([*pieces, text[end:]]))


def _without(some: Sequence[str], others: Sequence[str]) -> list[str]:
    """The words, each as often as it is more frequent than among others."""
    rest = list(others)
    missing = []
    for word in some:
        if word in rest:
            rest.remove(word)
        else:
            missing.append(word)
    return missing


@cache
def _is_english(word: str, language: str) -> bool:
    """Whether a word joins clauses or opens phrases in English, and is none of another language's own frequent words.

    English is what models slip into.
    """
    if primary(language) == "en" or len(word) < _TELLING or _known(word, language):
        return False
    return word in lexicon("en", "function_words").words("connective") or word == "the"


def _are_related(word: str, other: str) -> bool:
    """Whether two words are the same or may be forms of one: they begin alike for half their length."""
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return word == other or alike >= max(2, len(word) // 2, len(other) // 2)


def _capitals(item: Item) -> list[str]:
    """The words that begin with a capital inside a sentence, in a language in which only names do."""
    if primary(item.language) == "de":
        return []
    text = item.text or ""
    return [
        word.strip("\"'«»„“”().,;:!?").casefold()
        for before, word in pairwise(text.split())
        if word[:1].isupper() and before[-1] not in ".!?"
    ]


def _is_listed(word: str, table: frozenset[str]) -> bool:
    return word in table or any(stem.endswith("*") and word.startswith(stem[:-1]) for stem in table)


@cache
def _table(name: str, language: str) -> frozenset[str]:
    content = yaml.safe_load(files(__package__).joinpath("acceptance.yaml").read_text(encoding="utf-8"))
    return frozenset(map(str, content[name].get(primary(language), ())))
