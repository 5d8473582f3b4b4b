"""The pairs to learn from and to ask: read from a folder or files, selected, sampled, or changed by a control."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError, did_you_mean, located, require_extra
from winoglot.examples import Example, ExampleSet
from winoglot.logic.audit.files import read_file, with_two_labels
from winoglot.logic.pair import GOLD, LABELS, Pair, read_pairs, rows_of
from winoglot.logic.published import NotPublished, facts, parse_file_name, people_in, sorts_of
from winoglot.schemas.hashing import digest
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.logic.published import Fact

SPLITS = ("train", "validation", "test")
_SUFFIXES = (".jsonl", ".parquet", ".csv")
_UNREAD = ("formula_premise", "formula_hypothesis", "proof")
_MAKE = "Make one: winoglot logic generate --task all --language en -o DIR."


def is_pairs_file(path: Path) -> bool:
    """Whether a file holds pairs, by its first row or, as in the published corpus, by its name."""
    if not path.is_file():
        return False
    if parse_file_name(path.name):
        return True
    if path.suffix not in _SUFFIXES:
        return False
    if path.suffix == ".parquet":
        with located(file=str(path)):
            require_extra("reading Parquet needs", "pyarrow", extra="logic")
        from pyarrow import parquet  # type: ignore[import-untyped]

        return "hypothesis" in parquet.read_schema(path).names
    with path.open("rb") as file:
        first = file.readline(2**20)
    return b"premise" in first and b"formula_hypothesis" in first


def labels_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The label set of the pairs, in order: two labels (1, a contradiction, and 0) or three."""
    return next(labels for labels in LABELS.values() if pairs[0].label in labels)


def published_pairs(rows: Iterable[tuple[str, str, str]], task: str, language: str, split: str) -> list[Pair]:
    """Pairs of the published corpus (premise, hypothesis, label), with the names that its grammar finds in them.

    In a pair that the grammar cannot parse, names are left as ordinary words.
    """
    all_rows = list(rows)
    facts_by_row = [_facts(premise, hypothesis, language) for premise, hypothesis, _ in all_rows]
    people = people_in(fact for row_facts in facts_by_row for fact in row_facts)
    pairs = []
    for number, ((premise, hypothesis, label), row_facts) in enumerate(zip(all_rows, facts_by_row, strict=True)):
        sorts = sorts_of(row_facts, people)
        kinds = {name: "p" if sort == "person" else "c" for name, sort in sorts.items()}
        names = {f"{kinds[name]}{number_of_name}": name for number_of_name, name in enumerate(sorts)}
        pair_id = f"{task}-{split}-{number}"
        pairs.append(Pair(pair_id, task, language, premise, hypothesis, label, 1, "published", "", "", "", "", names))
    return pairs


def _facts(premise: str, hypothesis: str, language: str) -> list[Fact]:
    try:
        return [*facts(premise, language), *facts(hypothesis, language)]
    except NotPublished:
        return []


def group_of(pair: Pair) -> str:
    """An id that a pair shares with its twin and with no other pair."""
    return min(pair.id, pair.twin) if pair.twin else pair.id


@dataclass(frozen=True)
class PairChoice:
    """Which pairs to take: the tasks and languages of a folder (none: all), depths, and how many."""

    tasks: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    depths: tuple[int, ...] = ()
    size: int | None = None  # per file, twins together
    balanced: bool = False  # as many pairs of each label as of every other
    as_cd: bool = False  # three labels turned into two: 1 for a contradiction, 0 for the rest


def read_depths(text: str) -> tuple[int, ...]:
    """Read depths as a user writes them.

    >>> read_depths("1-2,4")
    (1, 2, 4)
    """
    depths: list[int] = []
    for part in text.split(","):
        low, _, high = part.strip().partition("-")
        if not (low.isdecimal() and (high or low).isdecimal()):
            raise InputError(f"{text!r} is not a list of depths", remedy="Write 2, 1-2 or 1,3.")
        if not 1 <= int(low) <= int(high or low):
            raise InputError(
                f"{part.strip()!r} is not a range of depths", remedy="Start at 1, the lower one first: 1-2."
            )
        depths += range(int(low), int(high or low) + 1)
    return tuple(dict.fromkeys(depths))


@dataclass(frozen=True)
class DataFile:
    """A file of pairs: one split of one task in one language, or any pairs if it was named alone.

    The published corpus has no validation pairs: a tenth of a training file is `held_out` for that.
    """

    path: Path
    language: str = ""
    task: str = ""
    held_out: bool | None = None  # whether only what is held out counts, or only the rest; None: all

    def pairs(self) -> tuple[Pair, ...]:
        """Its pairs, read once per process unless the file changes: most jobs of an experiment share them."""
        status = self.path.stat()
        pairs = _pairs_in(self.path, status.st_size, status.st_mtime_ns)
        if self.held_out is None:
            return pairs
        validation = set(random.Random("winoglot validation").sample(range(len(pairs)), len(pairs) // 10))
        return tuple(pair for number, pair in enumerate(pairs) if (number in validation) == self.held_out)


@lru_cache(maxsize=64)
def _pairs_in(path: Path, _size: int, _changed: int) -> tuple[Pair, ...]:
    published = parse_file_name(path.name)
    if published is None:
        first = next(rows_of(path), (0, None))[1]
        if not (isinstance(first, dict) and GOLD in first):
            return read_pairs(path)
        return tuple(replace(pair, task=pair.task or path.stem) for pair in read_file(path).pairs)
    task, language, split = published
    rows = []
    for line, row in rows_of(path):
        premise, hypothesis, label = (str(row.get(name) or "").strip() for name in ("sentence1", "sentence2", "label"))
        if not (premise and hypothesis and label in LABELS["cd"]):
            remedy = "A published file has the columns sentence1, sentence2 and label, which is 1 or 0."
            raise InputError("this is not a row of the published corpus", remedy=remedy, file=str(path), line=line)
        rows.append((premise, hypothesis, label))
    return tuple(published_pairs(rows, task, language, split))


def files_of(source: Path, split: str, choice: PairChoice) -> list[DataFile]:
    """The files of a split: in a data set's folder (LANGUAGE/TASK/SPLIT.…), in the published corpus, or one file."""
    if source.is_file():
        return [DataFile(source, held_out=_held_out(source, split))]
    if not source.is_dir():
        raise InputError("there is no such file or folder", remedy=_MAKE, file=str(source))
    paths = {path.parts[-3:-1]: path for suffix in reversed(_SUFFIXES) for path in source.glob(f"*/*/{split}{suffix}")}
    files = {(parts[0], parts[1]): DataFile(path, parts[0], parts[1]) for parts, path in paths.items()}
    files = files or _published_files(source, split)
    if not files:
        message = f"no data set here: there is no LANGUAGE/TASK/{split}.jsonl, .csv or .parquet"
        raise InputError(message, remedy=_MAKE, file=str(source))
    for requested, part_index in ((choice.languages, 0), (choice.tasks, 1)):
        available = sorted({parts[part_index] for parts in files})
        for name in requested:
            if name not in available:
                message = f"there is no {('language', 'task')[part_index]} {name!r} here"
                raise InputError(message, remedy=did_you_mean(name, available), file=str(source))
    chosen_files = [
        file
        for (language, task), file in sorted(files.items())
        if (not choice.tasks or task in choice.tasks) and (not choice.languages or language in choice.languages)
    ]
    if not chosen_files:
        message = f"no {' or '.join(choice.tasks)} in {' or '.join(choice.languages)} here"
        raise InputError(message, remedy="Choose another task or language.", file=str(source))
    return chosen_files


def _published_files(folder: Path, split: str) -> dict[tuple[str, str], DataFile]:
    """The files of the published corpus in a folder and its subfolders, by language and task."""
    files = {}
    for path in published_paths(folder):
        name = parse_file_name(path.name)
        if name is not None and name[2] == ("test" if split == "test" else "train"):
            files[name[1], name[0]] = DataFile(path, name[1], name[0], _held_out(path, split))
    return files


def published_paths(folder: Path) -> list[Path]:
    """The files of the published corpus in a folder and its subfolders."""
    return [path for path in sorted(folder.rglob("*.csv*")) if parse_file_name(path.name)]


def _held_out(path: Path, split: str) -> bool | None:
    """Which part of a file holds a split: of a published training file, some pairs are held out for validation."""
    name = parse_file_name(path.name)
    return split == "validation" if name and name[2] == "train" and split != "test" else None


def chosen_pairs(source: Path, split: str, choice: PairChoice, *, seed: int = 0) -> list[list[Pair]]:
    """The chosen pairs of each file of a split, or a sample of them; not every task has pairs of every depth."""
    pairs_by_file, depths = [], set[int]()
    for file in files_of(source, split, choice):
        pairs = file.pairs()
        depths |= {pair.depth for pair in pairs}
        pairs_of_file = [
            with_two_labels(pair) if choice.as_cd else pair
            for pair in pairs
            if not choice.depths or pair.depth in choice.depths
        ]
        if pairs_of_file and choice.balanced:
            pairs_by_file.append(balanced(pairs_of_file, choice.size, seed, file.path))
        elif pairs_of_file:
            pairs_by_file.append(
                pairs_of_file if choice.size is None else sampled(pairs_of_file, choice.size, seed, file.path)
            )
    if not depths:
        raise InputError("there are no pairs", remedy=_MAKE, file=str(source))
    if not pairs_by_file:
        message = f"no pairs of depth {', '.join(map(str, choice.depths))} found"
        remedy = f"These pairs have the depths {', '.join(map(str, sorted(depths)))}."
        raise InputError(message, remedy=remedy, file=str(source))
    return pairs_by_file


def load_pairs(source: Path, split: str, choice: PairChoice, *, seed: int = 0) -> tuple[Pair, ...]:
    """The chosen pairs of a split, file by file; different label sets are an input error."""
    pairs = tuple(pair for file_pairs in chosen_pairs(source, split, choice, seed=seed) for pair in file_pairs)
    if len({labels_of([pair]) for pair in pairs}) > 1:
        raise InputError("some files have two labels and others three", remedy="Use one label set.", file=str(source))
    return pairs


def sampled(pairs: Sequence[Pair], size: int, seed: int, file: Path) -> list[Pair]:
    """A sample of pairs, twins together; the last pair leaves its twin behind only if nothing but twins is left."""
    if not 1 <= size <= len(pairs):
        message = f"{counted(size, 'pair')} asked for, but there are {len(pairs)}"
        raise InputError(message, remedy=f"Use a number from 1 to {len(pairs)}.", file=str(file))
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(group_of(pair), []).append(pair)
    order = list(groups)
    random.Random(f"winoglot pairs {seed}").shuffle(order)
    sample: list[Pair] = []
    remaining: list[Pair] = []
    for name in order:
        (sample if len(sample) + len(groups[name]) <= size else remaining).extend(groups[name])
    return sample + remaining[: size - len(sample)]


def balanced(pairs: Sequence[Pair], size: int | None, seed: int, file: Path) -> list[Pair]:
    """A sample with as many pairs of each label as of every other, at most `size`; twins come together if they can."""
    labels = labels_of(pairs)
    counts = Counter(pair.label for pair in pairs)
    available, per_label = min(counts[label] for label in labels), (size or len(pairs)) // len(labels)
    if not available or (size is not None and not 1 <= per_label <= available):
        message = f"{counted(len(labels), 'label')} cannot be balanced: " + ", ".join(
            f"{counts[label]} of {label}" for label in labels
        )
        asked = (
            "Leave out --balanced" if not available else f"Use from {len(labels)} to {available * len(labels)} pairs"
        )
        raise InputError(message, remedy=f"{asked}.", file=str(file))
    places = Counter[str]()
    sample = []
    for pair in sampled(pairs, len(pairs), seed, file):
        places[pair.label] += 1
        if places[pair.label] <= min(available, per_label):
            sample.append(pair)
    return sample


def controlled(pairs: Iterable[Pair], control: str, seed: int, *, training: bool) -> tuple[Pair, ...]:
    """The pairs as a control shows them: without premise or hypothesis or, in training, with shuffled labels."""
    if control == "premise-only":
        return tuple(replace(pair, hypothesis="") for pair in pairs)
    if control == "hypothesis-only":
        return tuple(replace(pair, premise="") for pair in pairs)
    pairs = tuple(pairs)
    if control != "shuffled-labels" or not training:
        return pairs
    labels = [pair.label for pair in pairs]
    random.Random(f"winoglot labels {seed}").shuffle(labels)
    return tuple(replace(pair, label=label) for pair, label in zip(pairs, labels, strict=True))


def pairs_hash(pairs: Iterable[Pair]) -> str:
    """A hash of the pairs, in order."""
    return digest([_pair_hash(pair) for pair in pairs])


def _pair_hash(pair: Pair) -> str:
    """A hash of all that models and tables take from a pair; proofs and formulas are not among it."""
    return digest({name: value for name, value in vars(pair).items() if name not in _UNREAD})


def example_set(pairs: Sequence[Pair], name: str = "") -> ExampleSet:
    """Pairs as the examples of a run: twins form a cluster, and the options are the labels.

    The set is named after its tasks and language, such as `comparison-en`; its version is a hash of the pairs.
    """
    labels = labels_of(pairs)
    languages = dict.fromkeys(pair.language for pair in pairs)
    tasks = list(dict.fromkeys(pair.task for pair in pairs))
    name = name or f"{tasks[0] if len(tasks) == 1 else 'logic'}-{'-'.join(languages)}"
    return ExampleSet(
        name, tuple(_example(pair, labels) for pair in pairs), next(iter(languages)), f"sha:{pairs_hash(pairs)[:8]}"
    )


def _example(pair: Pair, labels: Sequence[str]) -> Example:
    features = {
        "task": pair.task,
        "depth": pair.depth,
        "family": pair.family,
        "language": pair.language,
        "twin": pair.twin,
        "tags": tuple(filter(None, (f"depth-{pair.depth}", pair.family))),
        "text": f"{pair.premise} ⇒ {pair.hypothesis}",
    }
    cluster, content_hash = group_of(pair), _pair_hash(pair)
    return Example(pair.id, cluster, tuple(labels), labels.index(pair.label), content_hash, "twin group", features)
