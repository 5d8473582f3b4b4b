"""Examples, which runs are made of. A schema item becomes one here; any other multiple-choice data can be one too.

Metrics, comparisons and tables know examples and outcomes only, so that they work for every source: a collection of
schemas, or an `ExampleSet` of anything else that has options to choose from.
"""

from __future__ import annotations

import hashlib
import json
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from unicodedata import normalize

from winoglot.languages.base import language_hook
from winoglot.languages.lexicon import lexicon
from winoglot.languages.openings import split
from winoglot.languages.pronouns import roles_of
from winoglot.languages.readings import naive_readings
from winoglot.schemas.hashing import digest
from winoglot.schemas.mentions import mention_order
from winoglot.schemas.model import ORIGINAL, Collection
from winoglot.schemas.text import counted, folded, word_count

if TYPE_CHECKING:
    from winoglot.schemas.model import Adaptation, Item

PRONOUN_TYPES = ("subject", "object", "possessive", "prepositional", "blank", "zero")
_NO_LETTERS = re.compile(r"[\W_]+")
_LAST_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]+['’]?$")


@dataclass(frozen=True, repr=False, slots=True)
class Example:
    """One thing to answer: options to choose from, of which `answer` is the index of the right one, if known.

    Examples of one `cluster` depend on each other (the items of a schema), so statistics resample whole clusters. The
    index of an option identifies it: a variant lists the same options in the same order.

    `features` holds whatever else is known. Metrics look for

        tags              words that divide the examples into subsets
        kind, variant_of, effect
                          of a variant: how it was derived, the id of its original, and whether that keeps, flips or
                          removes the answer
        parallel_id       the same for the same example in another language
        adaptation        how near it is to those: close, details or situation
        pronoun_type      subject, object, possessive …
        mention_order     the indices of the options in the order in which the text mentions them
        roles             of each option, what its first mention is in its clause: subject, object …
        words             the length of the text
        confidence        how sure readers were of their answers, from 0 to 1
        contents          keys by which the same example is recognised in another file, each with one part per option
        item              the schema item that it was made of, with its text and candidates

    and a report shows as its

        text              what the solver was asked

    >>> Example("p1", "p1", ("contradiction", "entailment"), 0, features={"tags": ("negation",)}).tags
    ('negation',)
    """

    id: str
    cluster: str
    options: tuple[str, ...]
    answer: int | None
    hash: str = ""  # of all that a solver is shown: runs in which it differs are not compared
    unit: str = "schema"  # what a cluster is called, as in "BCa over 131 schemas"
    features: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        """The id, the options and the answer."""
        return f"<Example {self.id}: {' | '.join(self.options)}, answer {self.answer}>"

    @property
    def item(self) -> Item | None:
        """The schema item that it was made of, with its text and candidates; None if it was made of something else."""
        return self.features.get("item")

    @property
    def tags(self) -> tuple[str, ...]:
        """Words that divide the examples into subsets."""
        return tuple(self.features.get("tags", ()))

    @property
    def kind(self) -> str:
        """How a variant was derived; `original` for an original."""
        return self.features.get("kind") or ORIGINAL

    @property
    def variant_of(self) -> str | None:
        """The id of the example it was derived from; None for an original."""
        return self.features.get("variant_of")

    @property
    def effect(self) -> str | None:
        """Whether a variant keeps, flips or removes the answer of its original; None for an original."""
        return self.features.get("effect")

    @property
    def parallel_id(self) -> str:
        """Shared with the same example in other languages."""
        return self.features.get("parallel_id") or self.id


@dataclass(frozen=True, repr=False, slots=True)
class Outcome:
    """What a solver did with one example."""

    example: Example
    choice: int | None  # None: it abstained
    scores: tuple[float | None, ...] = ()  # one per option
    note: str = ""  # why it abstained
    fallback: bool = False  # grammar does not derive every reading: all were naive, or the solver abstained
    window: str = ""  # of partial scoring: "empty", "punctuation", "segment before", or "" for nothing special

    def __repr__(self) -> str:
        """What was chosen, and whether that is right."""
        if self.choice is None:
            return f"<Outcome {self.example.id}: abstained ({self.note or 'no reason given'})>"
        verdict = {True: "right", False: "wrong", None: "no answer known"}[self.right]
        return f"<Outcome {self.example.id}: chose {self.choice} ({self.example.options[self.choice]}), {verdict}>"

    @property
    def right(self) -> bool | None:
        """Whether the choice is the answer; None without an answer. An abstention does not count as right."""
        return None if self.example.answer is None else self.choice == self.example.answer


def unanswered(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The abstentions that count: those on labelled examples or, if there are none (a kind without answers), all."""
    counted_outcomes = [outcome for outcome in outcomes if outcome.right is not None] or outcomes
    return [outcome for outcome in counted_outcomes if outcome.choice is None]


class Outcomes(Protocol):
    """What a metric needs from a run."""

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of variants that it may have outcomes of."""
        ...

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        """The outcomes of the originals or, if a kind is named, of the variants of that kind."""
        ...


@dataclass(frozen=True, repr=False)
class ExampleSet:
    """Named examples that are not schema items, originals and variants together.

    >>> pairs = [Example(f"p{n}", f"p{n}", ("yes", "no"), n % 2, unit="pair") for n in range(4)]
    >>> examples = ExampleSet("made-logic", tuple(pairs), language="en", version="1.0")
    >>> len(examples_of(examples)), len(examples_of(examples, "negated"))
    (4, 0)
    """

    name: str
    examples: tuple[Example, ...]
    language: str = ""
    version: str = ""

    def __repr__(self) -> str:
        """The name, the language and how much there is."""
        heading = ", ".join(filter(None, (f"{self.name} {self.version}".strip(), self.language)))
        return f"<ExampleSet {heading}: {counted(len(self.examples), 'example')}>"

    @cached_property
    def hash(self) -> str:
        """The hash of all originals."""
        return self.kind_hash(None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its variants, sorted."""
        return tuple(sorted({example.kind for example in self.examples if example.variant_of is not None}))

    def kind_hash(self, kind: str | None) -> str:
        """The hash of all variants of a kind."""
        rows = [
            (example.id, example.cluster, example.options, example.answer, example.hash)
            for example in examples_of(self, kind)
        ]
        return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode("utf-8")).hexdigest()


ExampleSource: TypeAlias = Collection | ExampleSet


def examples_of(source: ExampleSource, kind: str | None = None) -> list[Example]:
    """The originals of a collection or example set or, if a kind is named, its variants of that kind, in order."""
    if isinstance(source, ExampleSet):
        if kind is None:
            return [example for example in source.examples if example.variant_of is None]
        return [
            example
            for example in source.examples
            if example.variant_of is not None and example.features.get("kind") == kind
        ]
    return _shared_examples(source, source.items if kind is None else source.variants(kind))


def all_examples(source: ExampleSource) -> list[Example]:
    """The originals and all variants of a collection or example set."""
    if isinstance(source, ExampleSet):
        return list(source.examples)
    return _shared_examples(source, (*source.items, *source.variants()))


_SHARED: dict[int, dict[str, Example]] = {}  # by the identity of a collection in memory, then by item


def _shared_examples(collection: Collection, items: Iterable[Item]) -> list[Example]:
    """The items as examples, made once for all runs over the collection, which may be many; they go when it goes."""
    if id(collection) not in _SHARED:
        _SHARED[id(collection)] = {}
        weakref.finalize(collection, _SHARED.pop, id(collection))
    shared = _SHARED[id(collection)]
    adaptations = {schema.id: schema.adaptation for schema in collection.schemas}
    return [
        shared.get(item.id) or shared.setdefault(item.id, example_of(item, adaptations[item.schema_id]))
        for item in items
    ]


def example_of(item: Item, adaptation: Adaptation | None = None) -> Example:
    """A schema item as an example: its cluster is the schema, its options are the candidates."""
    texts = [candidate.text for candidate in item.candidates] or [
        reading.text if reading else "" for reading in item.readings
    ]
    return Example(
        item.id,
        item.schema_id,
        tuple(texts),
        item.answer,
        item.hash,
        features=_ItemFeatures(item, adaptation),
    )


class _ItemFeatures(Mapping[str, Any]):
    """The features of a schema item. Those that must be worked out are, once, when they are first asked for."""

    __slots__ = ("_item", "_known")

    def __init__(self, item: Item, adaptation: Adaptation | None) -> None:
        self._item = item
        self._known: dict[str, Any] = {
            "item": item,
            "tags": item.tags,
            "kind": item.kind,
            "variant_of": item.variant_of,
            "effect": item.effect,
            "parallel_id": item.parallel_id,
            "adaptation": adaptation,
            "confidence": item.confidence,
        }

    def __getitem__(self, name: str) -> Any:
        if name not in self._known and name in _WORKED_OUT:
            self._known[name] = _WORKED_OUT[name](self._item)
        return self._known[name]

    def get(self, name: str, default: Any = None) -> Any:  # faster than the inherited one, which catches a KeyError
        return self[name] if name in self._known or name in _WORKED_OUT else default

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._known, *_WORKED_OUT]))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True)
class Answers:
    """Choices made elsewhere, as metrics take them: by example id, an option or None (abstained).

    >>> import winoglot as wg
    >>> answers = Answers(wg.load("winoglot-en"), {"piano-sale.0": 1, "piano-sale.1": None})
    >>> [(outcome.example.id, outcome.right) for outcome in answers.outcomes()]
    [('piano-sale.0', True), ('piano-sale.1', False)]
    """

    source: ExampleSource
    choices: Mapping[str, int | None]

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of variants of the source."""
        return self.source.kinds

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        """The outcomes of the originals or, if a kind is named, of the variants of that kind."""
        examples = examples_of(self.source, kind)
        return [Outcome(example, self.choices[example.id]) for example in examples if example.id in self.choices]


def pronoun_type(item: Item) -> str | None:
    """One of `PRONOUN_TYPES`, from the item's tags or the form of the pronoun; None if neither decides it.

    A language's table `pronouns` says what each form may be, and its `function_words` which prepositions govern the
    pronoun after them; after any other preposition, which may be something else there, nothing is certain. A
    language may tell it otherwise (`pronoun_role`: Japanese by the particle).

    >>> from winoglot import Candidate, Item, Span
    >>> text = "A Ana falou com ela."
    >>> pronoun_type(Item("a.0", "a", text=text, pronoun=Span(16, 19), candidates=(Candidate("Ana"),), language="pt"))
    'prepositional'
    """
    tags = [type_ for type_ in PRONOUN_TYPES if type_ in item.tags]
    if tags:
        return tags[0]
    if item.text is None or item.pronoun is None or item.pronoun_form != "word":
        return item.pronoun_form
    role = language_hook(item.language, "pronoun_role")
    if role is not None:
        pronoun_role: str | None = role(item)
        return pronoun_role
    form, words = folded(item.pronoun.of(item.text)), lexicon(item.language, "function_words")
    possible = roles_of(form, item.language)
    if "prepositional" in possible[1:]:
        last_word = _LAST_WORD.search(folded(item.text[: item.pronoun.start]).rstrip())
        word = last_word.group() if last_word else ""
        if word in words.words("governs"):
            return "prepositional"
        if word in words.words("preposition"):
            return None
        possible.remove("prepositional")
    return possible[0] if len(possible) == 1 else None


def contents(item: Item) -> tuple[tuple[str, ...], ...]:
    """What an item says, whatever its id and its file: keys, strictest first, each with one part per candidate.

    The first key is over the naive readings, so that a text with its pronoun marked equals the substituted sentences of
    another file. The second is over the text around the pronoun and the candidates without their determiners, which
    some files leave out. Letter case, spacing and punctuation count in neither.

    >>> from winoglot import Candidate, Item, Span
    >>> def lamp(text, *names):
    ...     pronoun = Span(text.index("it b"), text.index(" broke"))
    ...     return Item("a.0", "a", text=text, pronoun=pronoun, candidates=tuple(map(Candidate, names)), language="en")
    >>> first = lamp("The lamp hit the vase, and it broke.", "lamp", "vase")
    >>> second = lamp("The lamp hit the vase and it broke .", "The lamp", "Vase")
    >>> [key == other_key for key, other_key in zip(contents(first), contents(second))]
    [False, True]
    """
    readings = naive_readings(item)
    keys = [tuple(digest(_letters(reading.text)) for reading in readings)]
    if item.text is not None:
        before, _, after = item.parts
        nouns = (split(candidate.text, item.language)[1] for candidate in item.candidates)
        keys.append(tuple(digest([_letters(part) for part in (before, noun, after)]) for noun in nouns))
    return tuple(key for key in keys if key)


def text_of(item: Item) -> str:
    """The text as it is read: a gap is filled with the right candidate; empty if there is nothing to fill it with.

    >>> from winoglot import Candidate, Item, Span
    >>> fields = {"pronoun": Span(22, 23), "candidates": (Candidate("Rita"), Candidate("Ana")), "answer": 1}
    >>> text_of(Item("a.0", "a", text="Rita rang Ana because _ was ill.", **fields))
    'Rita rang Ana because Ana was ill.'
    """
    if item.text is not None and item.pronoun_form != "blank":
        return item.text
    readings = naive_readings(item)
    return readings[item.answer].text if item.answer is not None and item.answer < len(readings) else ""


def _letters(text: str) -> str:
    """Only the letters and digits, in one case and one encoding."""
    return _NO_LETTERS.sub("", normalize("NFKC", text)).casefold()


_WORKED_OUT: Mapping[str, Callable[[Item], Any]] = {
    "pronoun_type": pronoun_type,
    "mention_order": mention_order,
    "roles": lambda item: tuple(candidate.role for candidate in item.candidates),
    "words": lambda item: word_count(item.text) if item.text else None,
    "contents": contents,
}
