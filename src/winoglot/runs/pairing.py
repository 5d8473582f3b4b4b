"""Which items of two runs are compared, and what runs are called when they are shown together.

A published collection circulates in several formats, with different ids, spacing and articles. `matched` finds what
two files share by the `contents` of their examples, so that runs on them can be compared.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter, contains
from typing import TYPE_CHECKING, Literal

import numpy as np

from winoglot.errors import InputError
from winoglot.examples import Outcome
from winoglot.schemas.hashing import digest
from winoglot.schemas.text import counted, primary

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from winoglot.examples import Example, ExampleSource
    from winoglot.runs.run import Run

    Pair = tuple[Outcome, Outcome]
    Key = tuple[str, ...]  # one part per option

PairedBy = Literal["items", "parallel ids", "content"]
_NAMED = 3  # ids that a message lists


@dataclass(frozen=True)
class Pairs:
    """Items with an outcome in both runs; `schemas` holds the number of each one's cluster."""

    first: tuple[Outcome, ...]
    second: tuple[Outcome, ...]
    schemas: tuple[int, ...]
    by: PairedBy
    left_out: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """What a cluster is called."""
        return self.first[0].example.unit


def paired(first: Run, second: Run, kind: str | None = None, *, labelled: bool = True) -> Pairs:
    """Pair the outcomes of two runs, of the originals or of a kind; runs that cannot be compared are an input error.

    Unless `labelled` is false, these are outcomes with an answer in both. Runs on the same collection are paired by
    item: what has changed from one version to the next is left out, and within a version it is an error. Runs on
    different collections are paired by parallel id or, in one language, by content, whichever finds more.
    """
    first_source, second_source = first.source, second.source
    first_outcomes, second_outcomes = (_outcomes(run, kind) for run in (first, second))
    common, by = _match_outcomes(first_source, second_source, first_outcomes, second_outcomes)
    left_out = []
    unpaired = [
        (len(side) - len(common), source.name)
        for side, source in ((first_outcomes, first_source), (second_outcomes, second_source))
    ]
    if common and by == "content":
        left_out += [f"{number} only in {name}" for number, name in unpaired if number]
    elif common and any(number for number, _ in unpaired):
        left_out.append(f"{sum(number for number, _ in unpaired)} in one run only")
    if by == "items" and first_source.version != second_source.version:
        unchanged = [pair for pair in common if _identical(pair)]
        if len(unchanged) < len(common):
            versions = f"{first_source.version} and {second_source.version}"
            left_out.append(f"{len(common) - len(unchanged)} that differ between versions {versions}")
        common = unchanged
    usable = [(_are_labelled, "unlabelled")] if labelled else []
    usable += [(_have_as_many_options, "with different numbers of candidates")]
    usable += [(_have_same_answer, "with different answers")] if by == "content" else []
    for is_usable, reason in usable:
        usable_pairs = [pair for pair in common if is_usable(*pair)]
        if len(usable_pairs) < len(common):
            left_out.append(f"{len(common) - len(usable_pairs)} {reason}")
        common = usable_pairs
    if not common:
        raise _nothing_shared(first, second, kind, left_out)
    sides = tuple(zip(*common, strict=True))
    numbered = [[(outcome.example.cluster, place) for place, outcome in enumerate(side)] for side in sides]
    return Pairs(sides[0], sides[1], tuple(joined(numbered)[0].tolist()), by, tuple(left_out))


def _match_outcomes(
    first_source: ExampleSource,
    second_source: ExampleSource,
    first_outcomes: Sequence[Outcome],
    second_outcomes: Sequence[Outcome],
) -> tuple[list[Pair], PairedBy]:
    """The pairs, not all of them usable, and how they were found."""
    is_same = _have_one_name(first_source, second_source)
    common = _by_key(first_outcomes, second_outcomes, attrgetter("example.id" if is_same else "example.parallel_id"))
    if is_same:
        changed = [pair for pair in common if not _identical(pair)]
        if common and not changed:
            return common, "items"
        has_same_ids = 2 * len(changed) < len(common)  # then the others have changed, and are not numbered otherwise
        if changed and (has_same_ids or not _by_content([pair[0] for pair in changed], second_outcomes)):
            if first_source.version != second_source.version:
                return common, "items"
            raise _version_error([pair[0].example.id for pair in changed], first_source.name)
        # another file of the same name, with ids of its own
        return _by_content(first_outcomes, second_outcomes), "content"
    if not _are_related(first_source, second_source):
        common = [pair for pair in common if _means_something(*pair)]
    if primary(first_source.language) == primary(second_source.language):
        by_content = _by_content(first_outcomes, second_outcomes)
        if len(by_content) > len(common):
            return by_content, "content"
        if all(map(_identical, common)):
            return common, "items"
    return common, "parallel ids"


def _have_one_name(first: ExampleSource, second: ExampleSource) -> bool:
    return (first.name, first.language) == (second.name, second.language)


def _by_key(first: Sequence[Outcome], second: Sequence[Outcome], key: Callable[[Outcome], str]) -> list[Pair]:
    partners = {key(outcome): outcome for outcome in second}
    return [(outcome, partners[key(outcome)]) for outcome in first if key(outcome) in partners]


def _by_content(first: Sequence[Outcome], second: Sequence[Outcome]) -> list[Pair]:
    partners = {outcome.example.id: outcome for outcome in second}
    matches = matched([outcome.example for outcome in first], [outcome.example for outcome in second])
    return [(outcome, partners[matches[outcome.example.id]]) for outcome in first if outcome.example.id in matches]


def _outcomes(run: Run, kind: str | None) -> Sequence[Outcome]:
    outcomes = run.outcomes(kind)
    if not outcomes and kind is not None:
        raise InputError(
            f"the run of {run.settings.model} on {run.source.name} has no items of kind {kind!r}",
            remedy=f"Evaluate again with --kinds {kind}, or compare the originals.",
        )
    return outcomes


def _identical(pair: Pair) -> bool:
    first, second = pair[0].example, pair[1].example
    return (first.hash, first.options, first.answer) == (second.hash, second.options, second.answer)


def _are_labelled(first: Outcome, second: Outcome) -> bool:
    return first.right is not None and second.right is not None


def _have_as_many_options(first: Outcome, second: Outcome) -> bool:
    """Whether guessing is as likely to be right on both."""
    return len(first.example.options) == len(second.example.options)


def _have_same_answer(first: Outcome, second: Outcome) -> bool:
    return same_answer(first.example, second.example)


def _are_related(first_source: ExampleSource, second_source: ExampleSource) -> bool:
    """Whether the names show that one was made from the other, or both from one file: pws-en, pws-fr, pws-en-pt-br."""
    stems = {source.name.removesuffix(f"-{source.language}") for source in (first_source, second_source)}
    first, second = first_source.name, second_source.name
    return len(stems) == 1 or first.startswith(f"{second}-") or second.startswith(f"{first}-")


def _means_something(first: Outcome, second: Outcome) -> bool:
    """Whether equal parallel ids mean a translation, or are only row numbers: any two files have a row 7."""
    examples = (first.example, second.example)
    are_rows = all(
        example.cluster.isdecimal() and example.parallel_id.startswith(f"{example.cluster}.") for example in examples
    )
    return not are_rows or _identical((first, second))


def _version_error(ids: Sequence[str], name: str) -> InputError:
    more = ", …" if len(ids) > _NAMED else ""
    return InputError(
        f"the runs saw {counted(len(ids), 'item')} of {name} in different versions: {', '.join(ids[:_NAMED])}{more}",
        remedy="Evaluate both models on the same version of the collection.",
    )


def _nothing_shared(first: Run, second: Run, kind: str | None, left_out: Sequence[str]) -> InputError:
    first_source, second_source = first.source, second.source
    for run in (first, second):
        if not run.predictions:
            return InputError(
                f"the run of {run.settings.model} on {run.source.name} has no predictions",
                remedy="Run the same evaluate command again to resume it, or leave it out.",
            )
        outcomes = run.outcomes(kind)
        if kind is not None and all(outcome.example.effect == "removes" for outcome in outcomes):
            return InputError(
                f"variants of kind {kind!r} have no right answer by construction, so no run is better on them",
                remedy="Compare the originals or another kind. "
                f"To see which mention a model prefers: winoglot evaluate … --kinds {kind}.",
            )
        if not any(outcome.right is not None for outcome in outcomes):
            return InputError(
                f"none of the items of {run.source.name} that {run.settings.model} answered has a label",
                remedy="Compare runs on a labelled collection.",
            )
    but = f" except {', '.join(left_out)}" if left_out else ""
    if _have_one_name(first_source, second_source):
        return InputError(
            f"the two runs on {first_source.name} share no items{but}",
            remedy="Evaluate both models on the same items, with the same --limit and --seed.",
        )
    return InputError(
        f"{first_source.name} and {second_source.name} share no items{but}",
        remedy="Compare runs on the same collection, on files with the same sentences, or on parallel collections "
        "(with the same parallel_id).",
    )


def joined(sides: Sequence[Sequence[tuple[Hashable, Hashable]]]) -> list[NDArray[np.int64]]:
    """For each side the number of each item's group, from the item's cluster there and what it shares with other sides.

    Clusters of any side that share something belong together: translators may have grouped items differently.

    >>> english = [("lamp", "lamp.0"), ("lamp", "lamp.1"), ("vase", "vase.0")]
    >>> french = [("lampe", "lamp.1"), ("chat", "cat.0")]
    >>> [numbers.tolist() for numbers in joined([english, french])]
    [[0, 0, 1], [0, 2]]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    clusters: dict[tuple[int, Hashable], int] = {}
    shared: dict[Hashable, int] = {}
    links = [
        (clusters.setdefault((at, cluster), len(clusters)), shared.setdefault(what, len(shared)))
        for at, side in enumerate(sides)
        for cluster, what in side
    ]
    if not links:
        return [np.zeros(0, dtype=np.int64) for _ in sides]
    rows, columns = np.array(links).T
    size = len(clusters) + len(shared)
    graph = coo_array((np.ones(len(rows)), (rows, len(clusters) + columns)), shape=(size, size))
    numbers = connected_components(graph, directed=False)[1][rows]
    ends = np.cumsum([len(side) for side in sides])[:-1]
    return [part.astype(np.int64) for part in np.split(numbers, ends)]


def aligned(
    first: ExampleSource, second: ExampleSource, first_examples: Iterable[Example], second_examples: Iterable[Example]
) -> list[tuple[Example, Example]]:
    """Examples of two sources that are the same or translations: by parallel id or, in one language, by content."""
    sides = ([Outcome(example, None) for example in examples] for examples in (first_examples, second_examples))
    try:
        pairs, _ = _match_outcomes(first, second, *sides)
    except InputError:  # one version with different contents
        return []
    return [(one.example, other.example) for one, other in pairs]


def are_parallel(first: Run, second: Run) -> bool:
    """Whether the runs have originals that are translations of each other, by their parallel ids."""
    pairs = _by_key(first.outcomes(), second.outcomes(), attrgetter("example.parallel_id"))
    return bool(pairs) and (_are_related(first.source, second.source) or any(_means_something(*pair) for pair in pairs))


def aspects(run: Run) -> tuple[str, ...]:
    """What may distinguish a run, in words: model, collection, scoring, readings, settings, items."""
    settings = run.settings
    limit = "" if settings.limit is None else f"{settings.limit} schemas, "
    return (
        run.solver_name,
        run.source.name,
        f"{settings.scoring} scoring",
        f"{settings.readings} readings",
        ", ".join(f"{name} {value}" for name, value in sorted(settings.model_settings.items())),
        f"{limit}seed {settings.seed}",
    )


def names(runs: Sequence[Run]) -> list[str]:
    """A different name for each run: what distinguishes it from the others or, failing that, its place in the list.

    Models of the same name are distinguished by the hash of their weights, collections by their version. The settings
    of a model and the sample of items count only if model, collection and scoring do not distinguish the runs.
    """
    descriptions = [list(aspects(run)) for run in runs]
    weights = [f" sha:{run.settings.fingerprint[:8]}" for run in runs]
    versions = [f"@{run.source.version}" for run in runs]
    for aspect, details in ((0, weights), (1, versions)):
        described_runs = list(zip((description[aspect] for description in descriptions), details, strict=True))
        times = Counter(name for name, _ in set(described_runs))
        for description, (name, detail) in zip(descriptions, described_runs, strict=True):
            if times[name] > 1:
                description[aspect] += detail
    for last in (4, 5, 6):  # up to the readings, the settings of the model, the sample of items
        varying = [aspect for aspect in range(last) if len({description[aspect] for description in descriptions}) > 1]
        joined = [", ".join(description[aspect] for aspect in varying) for description in descriptions]
        if len(set(joined)) == len(joined) and varying:
            return joined
    return [f"{name or runs[place].settings.model} ({place + 1})" for place, name in enumerate(joined)]


def direct_pairs(runs: Sequence[Run]) -> list[tuple[int, int]]:
    """The positions of every two runs that no other run lies between.

    A run lies between two if it shares every aspect with one or the other and is neither. With two models and two
    scorings, the first model with one scoring and the second model with the other are not compared, since the two other
    runs lie between them. Two reference runs are compared only if there are no other runs.
    """
    run_aspects = [aspects(run)[:4] for run in runs]
    distinct = dict.fromkeys(run_aspects)

    def is_direct(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        choices = [{first, second} for first, second in zip(first, second, strict=True)]
        if sum(len(values) - 1 for values in choices) < 2:  # they differ in one aspect at most
            return True
        return not any(between not in (first, second) and all(map(contains, choices, between)) for between in distinct)

    return [(i, j) for i, j in comparable_pairs(runs) if is_direct(run_aspects[i], run_aspects[j])]


def comparable_pairs(runs: Sequence[Run]) -> list[tuple[int, int]]:
    """The positions of every two runs, without pairs of reference runs if there are other runs."""
    others = [run.reference is None for run in runs]
    pairs = combinations(range(len(runs)), 2)
    return [(i, j) for i, j in pairs if others[i] or others[j] or not any(others)]


# Matching by content


def matched(first: Sequence[Example], second: Sequence[Example]) -> dict[str, str]:
    """The id on the other side, by id, of each example that both sides have; repetitions are matched in order.

    The strictest key is tried first on all of them, then the next one on what is left. Answers do not count: see
    `same_answer`.

    >>> import winoglot as wg
    >>> from dataclasses import replace
    >>> from winoglot.examples import examples_of
    >>> english = examples_of(wg.load("winoglot-en"))[:3]
    >>> copy = [replace(example, id=f"row{number}") for number, example in enumerate(english)]
    >>> list(matched(english, copy[::-1]).values())
    ['row0', 'row1', 'row2']
    """
    matches: dict[str, str] = {}
    for level in range(max((len(_keys(example)) for example in (*first, *second)), default=0)):
        taken = set(matches.values())
        free: dict[Key, list[str]] = {}
        for other in second:
            if other.id not in taken and level < len(_keys(other)):
                free.setdefault(_unordered(other, level), []).append(other.id)
        for example in first:
            if example.id not in matches and level < len(_keys(example)) and free.get(_unordered(example, level)):
                matches[example.id] = free[_unordered(example, level)].pop(0)
    return {example.id: matches[example.id] for example in first if example.id in matches}


def same_answer(first: Example, second: Example) -> bool:
    """Whether two matched examples have the same answer, wherever it is among the options; true if one has none."""
    if first.answer is None or second.answer is None:
        return True
    pairs = zip(_keys(first), _keys(second), strict=False)
    return any(first_key[first.answer] == second_key[second.answer] for first_key, second_key in pairs)


def _unordered(example: Example, level: int) -> Key:
    return tuple(sorted(_keys(example)[level]))


def _keys(example: Example) -> Sequence[Key]:
    """The example's contents; of an example that is only a hash, the hash with each option."""
    contents: Sequence[Key] = example.features.get("contents") or ()
    if contents or not example.hash:
        return contents
    return [tuple(digest([example.hash, option]) for option in example.options)]
