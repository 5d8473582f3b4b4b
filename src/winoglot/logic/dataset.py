"""Build a data set for one task and language: balanced over labels, depths and families, with twins and proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, Literal, get_args

from winoglot import registry
from winoglot.errors import InputError, did_you_mean, require_extra
from winoglot.logic.formulas import Formula, conjunction, symbols
from winoglot.logic.names import SPLITS, NamePool, Split, names
from winoglot.logic.pair import LABELS, Pair, Relation
from winoglot.logic.prove import prove
from winoglot.logic.situation import Situation
from winoglot.logic.wording.parse import parse_sentence
from winoglot.logic.wording.realise import Writer
from winoglot.logic.wording.table import WordingTable, known_language, table

Labels = Literal["cd", "nli"]
Overlap = Literal["none", "full"]
Begin = Callable[[str], Callable[[int, int], None]]
NOT_PROVED = "not proved"
_TRIES = 50  # wordings to try if the hypothesis repeats a sentence of the premise


class UnintendedLabel(RuntimeError):  # noqa: N818
    """What was proved or parsed differs from what the task intends: a bug in the task or in the language's table."""


@dataclass(frozen=True)
class DataRecipe:
    """Everything that determines a data set. Recipes that differ only in language give the same formulas in order.

    `train`, `validation` and `test` are numbers of pairs; 0 leaves a split out. `labels` is `cd` (1 for a
    contradiction, else 0) or `nli` (three labels). `overlap` is `none` (the splits share no names) or `full`. `depths`
    holds for all splits, unless `test_depths` gives others for test; empty means every depth of the task.
    """

    task: str
    language: str = "en"
    train: int = 10_000
    validation: int = 1_000
    test: int = 1_000
    seed: int = 0
    labels: Labels = "cd"
    overlap: Overlap = "none"
    depths: tuple[int, ...] = ()
    test_depths: tuple[int, ...] = ()
    proof: bool = True

    def __post_init__(self) -> None:
        """Check all options before any work is done."""
        task = _task(self.task)
        known_language(self.language)
        for option, value, values in (("labels", self.labels, Labels), ("overlap", self.overlap, Overlap)):
            if value not in get_args(values):
                raise InputError(f"unknown value {value!r} for {option}", remedy=did_you_mean(value, get_args(values)))
        possible = sorted({depth for depths in task.FAMILIES.values() for depth in depths})
        for depth in (*self.depths, *self.test_depths):
            if depth not in possible:
                remedy = f"Its depths are {', '.join(map(str, possible))}."
                raise InputError(f"the task {self.task} has no pairs of depth {depth}", remedy=remedy)
        for split in SPLITS:
            if self.size(split) < 0 or 0 < self.size(split) < self.fewest:
                raise InputError(
                    f"{self.size(split)} pairs are too few for {split}",
                    remedy=f"Ask for {self.fewest} or more, or for 0 to leave the split out.",
                )
        if not any(self.size(split) for split in SPLITS):
            raise InputError("nothing to generate: all splits have 0 pairs", remedy="Ask for pairs in one of them.")

    @property
    def fewest(self) -> int:
        """The smallest split in which every relation occurs."""
        return 4 if self.labels == "cd" else 3

    def size(self, split: Split) -> int:
        """The number of pairs in a split."""
        return int(getattr(self, split))

    def label(self, relation: Relation) -> str:
        """The label of a proved relation."""
        return relation if self.labels == "nli" else LABELS["cd"][relation != "contradiction"]

    def cells(self, split: Split) -> list[tuple[str, int]]:
        """The families and depths of a split."""
        chosen = (split == "test" and self.test_depths) or self.depths
        families: Mapping[str, Sequence[int]] = _task(self.task).FAMILIES
        return [
            (family, depth) for family, depths in families.items() for depth in depths if not chosen or depth in chosen
        ]


@dataclass(frozen=True)
class DataSet:
    """The pairs of each split."""

    recipe: DataRecipe
    splits: Mapping[Split, tuple[Pair, ...]]

    def __repr__(self) -> str:
        """Show the task, the language and the sizes of the splits."""
        sizes = ", ".join(f"{len(pairs)} {split}" for split, pairs in self.splits.items())
        return f"<DataSet {self.recipe.task}-{self.recipe.language}: {sizes}>"


def task_names(name: str) -> list[str]:
    """Expand a task name or `all`."""
    return registry.names("logic-tasks") if name == "all" else [name]


def build(recipe: DataRecipe, begin: Begin | None = None) -> DataSet:
    """Build the data set that the recipe describes.

    >>> data_set = build(DataRecipe("negation", train=8, validation=0, test=4, depths=(2,)))
    >>> [pair.label for pair in data_set.splits["train"]].count("1")
    4
    """
    if recipe.proof:
        require_extra("proving labels needs", "z3", extra="logic")
    splits: dict[Split, tuple[Pair, ...]] = {}
    written: set[tuple[str, str]] = set()
    for split in SPLITS:
        if recipe.size(split):
            progress = begin(f"{recipe.task}, {split}") if begin else None
            splits[split] = tuple(_split(recipe, split, written, progress))
    return DataSet(recipe, splits)


@dataclass(frozen=True)
class _PlannedPair:
    """One decided pair, with its neutral twin if `twin`."""

    relation: Relation
    twin: bool
    family: str
    depth: int


def _plan(recipe: DataRecipe, split: Split) -> list[_PlannedPair]:
    """Plan a split: half of the pairs contradictions, or each label a third; neutral pairs are twins.

    Of the neutral pairs, half are twins of contradictions and half of entailments. Each kind is dealt out evenly over
    the families and depths.
    """
    size = recipe.size(split)
    contradictions = (size + 1) // 2 if recipe.labels == "cd" else (size + 2) // 3
    neutral = (size - contradictions) // 2
    entailments = size - contradictions - neutral
    numbers: list[tuple[Relation, bool, int]] = [
        ("contradiction", True, (neutral + 1) // 2),
        ("entailment", True, neutral // 2),
        ("contradiction", False, contradictions - (neutral + 1) // 2),
        ("entailment", False, entailments - neutral // 2),
    ]
    cells = recipe.cells(split)
    plan: list[_PlannedPair] = []
    for relation, twin, number in numbers:
        plan += [_PlannedPair(relation, twin, *cells[(len(plan) + turn) % len(cells)]) for turn in range(number)]
    return plan


def _split(
    recipe: DataRecipe, split: Split, written: set[tuple[str, str]], progress: Callable[[int, int], None] | None
) -> list[Pair]:
    """The pairs of a split in random order. What is drawn and in which order is the same in every language."""
    rng = Random(f"{recipe.task} {recipe.seed} {split}")
    author = _Author(recipe, split, written)
    plan = _plan(recipe, split)
    rng.shuffle(plan)
    written_pairs: list[tuple[Pair, int]] = []  # a pair, and the number of the plan's entry that it comes from
    for number, planned_pair in enumerate(plan):
        situation = _draw_situation(recipe.task, rng, planned_pair)
        order = rng.sample(range(len(situation.facts)), len(situation.facts))
        written_pairs += [(pair, number) for pair in author.pairs(situation, planned_pair, order)]
        if progress and (number % 50 == 0 or number + 1 == len(plan)):
            progress(len(written_pairs), recipe.size(split))
    rng.shuffle(written_pairs)
    ids = [f"{recipe.task}-{split}-{number}" for number in range(len(written_pairs))]
    members: dict[int, list[int]] = {}
    for position, (_, number) in enumerate(written_pairs):
        members.setdefault(number, []).append(position)
    pairs = []
    for position, (pair, number) in enumerate(written_pairs):
        twins = [ids[other] for other in members[number] if other != position]
        pairs.append(replace(pair, id=ids[position], twin=twins[0] if twins else ""))
    return pairs


def _task(name: str) -> Any:
    task = registry.load("logic-tasks", name)
    families = getattr(task, "FAMILIES", None)
    if not isinstance(families, Mapping) or not families:
        remedy = "Give it a dictionary FAMILIES: names, and the depths of each."
        raise InputError(f"the task {name!r} has no FAMILIES", remedy=remedy)
    return task


def _draw_situation(name: str, rng: Random, planned_pair: _PlannedPair) -> Situation:
    """Let a task draw a situation; if it fails or returns something else, the error names it."""
    task = _task(name)
    situation: Situation = registry.call_plugin(
        f"the task {name!r}",
        task.draw,
        rng,
        planned_pair.family,
        planned_pair.depth,
        returns=Situation,
        expected="a Situation",
        remedy="Correct its function draw, which returns Situation(facts, altered, entailed, contradicted).",
    )
    return situation


class _Author:
    """Writes the pairs of a split, none of them twice."""

    def __init__(self, recipe: DataRecipe, split: Split, written: set[tuple[str, str]]) -> None:
        self._recipe = recipe
        self._pool: NamePool = names(recipe.language, split if recipe.overlap == "none" else None)
        self._table: WordingTable = table(recipe.language)
        self._written = written
        self._rng = Random(f"{recipe.task} {recipe.seed} {split} {recipe.language}")

    def pairs(self, situation: Situation, planned_pair: _PlannedPair, order: Sequence[int]) -> Iterator[Pair]:
        """The decided pair and, if wanted, its twin: the same words except where the facts differ."""
        hypothesis = situation.contradicted if planned_pair.relation == "contradiction" else situation.entailed
        facts = [situation.facts[number] for number in order]
        altered = [situation.altered[number] for number in order]
        for _ in range(_TRIES):
            names = self._pool.choose(symbols(*facts, *altered, hypothesis), self._rng)
            writer = Writer(self._table, names, self._rng)
            sentences: dict[Formula, str] = {
                formula: writer.sentence(formula, nested=situation.nested)
                for formula in dict.fromkeys((*facts, *(altered if planned_pair.twin else ())))
            }
            question = writer.sentence(hypothesis, nested=situation.nested)
            texts = [
                self._table.space.join(sentences[fact] for fact in premise_facts)
                for premise_facts in (facts, altered)[: 1 + planned_pair.twin]
            ]
            if question not in sentences.values() and not any((text, question) in self._written for text in texts):
                break
        else:
            message = f"the task {self._recipe.task} has too few different sentences in {self._recipe.language}"
            raise InputError(message, remedy="Ask for fewer pairs, or use relations with more wordings.")
        self._written.update((text, question) for text in texts)
        written_names = {symbol: name.text for symbol, name in names.items()}
        if self._recipe.proof:
            for formula, text in (*sentences.items(), (hypothesis, question)):
                self._check_sentence(formula, text, written_names)
        for text, premise_facts, relation in zip(
            texts, (facts, altered), (planned_pair.relation, "neutral"), strict=False
        ):
            premise = conjunction(premise_facts)
            yield Pair(
                id="",
                task=self._recipe.task,
                language=self._recipe.language,
                premise=text,
                hypothesis=question,
                label=self._recipe.label(relation),
                depth=planned_pair.depth,
                family=planned_pair.family,
                twin="",
                formula_premise=str(premise),
                formula_hypothesis=str(hypothesis),
                proof=self._prove(premise, hypothesis, relation, planned_pair) if self._recipe.proof else NOT_PROVED,
                names=written_names,
            )

    def _check_sentence(self, formula: Formula, text: str, written_names: Mapping[str, str]) -> None:
        parsed = parse_sentence(text.removesuffix(self._table.stop), self._recipe.language, written_names)
        if parsed != formula:
            raise UnintendedLabel(f"{text!r} was written for {formula}, but says {parsed}")

    def _prove(self, premise: Formula, hypothesis: Formula, relation: str, planned_pair: _PlannedPair) -> str:
        proof = prove(premise, hypothesis)
        if proof.relation != relation or (proof.uses and len(proof.uses) != planned_pair.depth):
            raise UnintendedLabel(
                f"{self._recipe.task}, {planned_pair.family}: {relation} at depth {planned_pair.depth} was intended, "
                f"{proof} is proved: {premise} | {hypothesis}"
            )
        return str(proof)


def described(recipe: DataRecipe) -> dict[str, Any]:
    """The recipe as it is stored beside the data."""
    return asdict(recipe)
