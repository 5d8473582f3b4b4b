"""Contamination: has a model read a published collection?

No probe can prove that it has not, and each has its own weakness, which `SHOWS` says in a sentence:

- `differences`: accuracy, margin, min-k% and verbatim continuation of the published items against a rewrite of them by
  rule, less the same difference on a fresh collection;
- `order`: the order of the published file against shuffled orders;
- `style`: whether the two collections can be recognised by their words, which weakens the comparisons above.

`contamination` is the Python call, `probed` what it and the command line share.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from winoglot import notebook, registry
from winoglot.analysis.analyse import RUNS, Analysis
from winoglot.analysis.base import Measurement, QuantityInfo, not_possible
from winoglot.analysis.contamination.differences import (
    Paired,
    accuracies,
    continuations,
    difference_in_differences,
    margins,
    min_k,
    texts_of,
)
from winoglot.analysis.contamination.order import OrderScores, order_scores
from winoglot.analysis.contamination.style import style_accuracy
from winoglot.errors import InputError, check_argument, nearest
from winoglot.examples import contents
from winoglot.loading import load
from winoglot.models.base import Options, Solver, as_solver, check_model, check_options, load_model
from winoglot.perturb.base import COMPOSED, with_kinds
from winoglot.runs.evaluate import listed, options_of, run_folder, scorings_of
from winoglot.runs.questions import check_limit
from winoglot.runs.solve import RunRequest, evaluate_scorings
from winoglot.schemas.bundled import family
from winoglot.schemas.model import ORIGINAL, Collection
from winoglot.schemas.text import counted, primary
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from winoglot.analysis.contamination.differences import Progress, Values
    from winoglot.runs.run import Run

    Begin: TypeAlias = Callable[[str], Progress]

NAME = "contamination"
PUBLISHED, REWRITE, FRESH, FRESH_REWRITE = "published", "rewrite", "fresh", "fresh rewrite"
BETWEEN = "-difference"  # ends the name of a difference in differences
QUANTITIES = {
    "accuracy": QuantityInfo("accuracy", "percent"),
    "margin": QuantityInfo("margin for the right candidate"),
    "min-k": QuantityInfo("min-k%", unit="nats"),
    "continuation": QuantityInfo("tokens reproduced", "percent"),
    "longest-run": QuantityInfo("longest run reproduced", unit="tokens"),
    "order": QuantityInfo("gain of the file's order", level=0.0, unit="nats per token"),
    "style": QuantityInfo("recognised by words", "percent", level=0.5),
}
PAIRED = ("accuracy", "margin", "min-k", "continuation", "longest-run")
SHARES = ("accuracy", "continuation")
QUANTITIES |= {
    f"{name}{BETWEEN}": replace(info, scale="points" if info.scale == "percent" else info.scale, level=0.0)
    for name, info in QUANTITIES.items()
    if name != "style"
}

# What each probe can and cannot show.
SHOWS = {
    "accuracy": "A model that knows the answers by heart loses more by a rewrite than elsewhere. An answer is one bit, "
    "so only gross contamination shows in a few hundred items, and none if the sentences were read without answers.",
    "margin": "Finer than accuracy, but a rewrite may also cost more in one collection because its names are more "
    "frequent or its sentences simpler.",
    "min-k": "A text that was read has fewer surprising tokens, wherever it was read: a quotation in an article "
    "counts. Frequent names and a plain style look the same.",
    "continuation": "Words reproduced after half a text are hard to explain without having read it. That none are "
    "reproduced shows little: small models seldom reproduce what they read once or twice.",
    "longest-run": "As the share reproduced, wherever the words begin.",
    "order": "Hardly anything but the file itself explains a preference for its order, unless neighbours share their "
    "topic, which the rewrite shows too. A model that read the items one by one has no such preference.",
    "style": "The nearer to 100%, the more the collections differ in topics or style, and the less a difference of "
    "levels between them says about what the model has read.",
}


@dataclass(frozen=True)
class ProbeRequest:
    """What is asked of the model."""

    rewrite: str = "renamed"  # the kind of variant that is the rewrite
    min_k: float = 20.0  # percent of a text's tokens
    shuffles: int = 5  # orders of each shard besides its own
    shard: int = 8  # schemas whose order is scored together
    scoring: str | None = None  # None: the model's default
    readings: str = "grammatical"
    limit: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        check_argument(self.min_k, (int, float), "a percentage as min_k", "Give one, such as 20.")
        if not 0 < self.min_k <= 100:
            raise InputError(f"min-k cannot be {self.min_k}% of the tokens", remedy="Give more than 0, up to 100: 20.")
        for name, least in (("shuffles", 1), ("shard", 2)):
            check_argument(getattr(self, name), int, f"a whole number as {name}", "Give one, such as 8.")
            if getattr(self, name) < least:
                raise InputError(f"{name} is {getattr(self, name)}", remedy=f"Give {least} or more.")
        check_limit(self.limit)


def contamination(
    collection: Collection,
    models: str | Solver | Iterable[str | Solver],
    fresh: Collection | None = None,
    *,
    rewrite: str = "renamed",
    min_k: float = 20.0,
    shuffles: int = 5,
    shard: int = 8,
    scoring: str | None = None,
    readings: str = "grammatical",
    limit: int | None = None,
    seed: int = 0,
    device: str = "auto",
    precision: str = "float32",
    batch_tokens: int = 0,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    progress: bool = True,
) -> Analysis:
    """Ask whether a model has read a published collection, by comparing it with one that it cannot have read.

    Without `fresh`, that is the bundled collection of the same language. `rewrite` is the kind of variant that the
    items are compared with; it must keep the answers. All else is as `evaluate` has it. With a `folder`, the answers
    are stored there, so that the same call goes on where it stopped.

    >>> import winoglot as wg
    >>> en = wg.load("winoglot-en")
    >>> found = contamination(replace(en[:20], name="mine"), "first", en[20:40])
    >>> found.where(quantity="accuracy", texts="published")[0].estimate.value
    0.5
    >>> found.where(quantity="min-k-difference")[0].estimate.method
    'first gives no probabilities of tokens'
    """
    request = ProbeRequest(rewrite, min_k, shuffles, shard, scoring, readings, limit, seed)
    against = fresh_for(collection, fresh)
    chosen = options_of(options, {}, seed=seed, device=device, precision=precision, batch_tokens=batch_tokens)
    given = listed(models, lambda one: isinstance(one, str) or hasattr(one, "score"))
    with notebook.progress("texts", shown=progress) as begin:
        return probed(collection, against, given, request, chosen, folder=folder, begin=begin)


def fresh_for(collection: Collection, fresh: Collection | None) -> Collection:
    """The fresh collection, by default the bundled one of the language; an input error if it cannot be compared."""
    check_argument(collection, Collection, "a collection", 'Load it first: winoglot.load("FILE").')
    name_one = "Name a collection that the model cannot have read: --fresh COLLECTION."
    if fresh is None:
        known = [name for name in family("winoglot") if primary(name) == primary(collection.language)]
        if not known:
            raise InputError(f"there is no bundled collection in {collection.language}", remedy=name_one)
        fresh = load(f"winoglot-{known[0]}")
    check_argument(fresh, Collection, "a collection as fresh", 'Load it first: winoglot.load("FILE").')
    if primary(fresh.language) != primary(collection.language):
        raise InputError(
            f"{collection.name} is in {collection.language}, the fresh collection {fresh.name} in {fresh.language}",
            remedy=f"Both must be in one language. {name_one}",
        )
    theirs = {key for item in fresh.items for key in contents(item)}
    shared = [item.id for item in collection.items if not theirs.isdisjoint(contents(item))]
    if shared:
        raise InputError(
            f"{fresh.name} shares {counted(len(shared), 'item')} with {collection.name}, first {shared[0]}, "
            "so it is no fresh collection",
            remedy=name_one,
        )
    return fresh


def probed(
    published: Collection,
    fresh: Collection,
    models: Iterable[str | Solver],
    request: ProbeRequest,
    options: Options,
    *,
    folder: str | Path | None = None,
    begin: Begin = lambda _name: lambda _done, _total: None,
) -> Analysis:
    """All probes of each model; `begin` is called with the name of each step and returns where to report progress."""
    given = list(models)
    named = [one for one in given if isinstance(one, str)]
    check_options(options, named)
    for name in named:
        check_model(name, options)
    kinds = {*registry.names("perturbations"), *published.kinds, *fresh.kinds}
    if request.rewrite not in kinds and not kinds.issuperset(request.rewrite.split(COMPOSED)):
        raise InputError(f"there is no kind of variant {request.rewrite!r}", remedy=nearest(request.rewrite, kinds))
    both = [_rewritten(one, request.rewrite) for one in (published, fresh)]
    style = Measurement("style", style_accuracy(published, fresh, seed=request.seed))
    rows: list[Measurement] = []
    runs: list[Run] = []
    seconds: dict[str, float] = {}
    for one in given:
        solver = load_model(one, options) if isinstance(one, str) else as_solver(one)
        start = time.perf_counter()
        probes = _Probes(solver, request, options, None if folder is None else Path(folder) / RUNS, begin)
        found = [*probes.differences(*both), *probes.orders(*both), style]
        about: dict[str, Any] = {"measure": NAME, "collection": published.name, "language": published.language}
        about |= {"model": solver.name, "readings": request.readings, "scoring": probes.scoring}
        rows += [replace(row, **about, parts={**row.parts, "fresh": fresh.name}) for row in found]
        runs += probes.runs
        seconds[solver.name] = time.perf_counter() - start
    return Analysis(tuple(rows), tuple(runs), seconds)


@dataclass(frozen=True)
class _Rewritten:
    """A collection with its rewrite, or the reason why it has none."""

    collection: Collection
    reason: str = ""


def _rewritten(collection: Collection, kind: str) -> _Rewritten:
    try:
        whole = with_kinds(collection, [kind])
    except InputError as error:
        return _Rewritten(collection, f"no rewrite: {error.message}")
    if {one.effect for one in whole.variants(kind)} != {"keeps"}:
        message = f"variants of kind {kind!r} do not keep the answers, so they are no rewrite"
        raise InputError(message, remedy="Name a kind that does, such as renamed.")
    return _Rewritten(whole)


class _Probes:
    """The probes of one model, with the runs that they are taken from."""

    def __init__(
        self, solver: Solver, request: ProbeRequest, options: Options, folder: Path | None, begin: Begin
    ) -> None:
        self.solver, self.request, self.options, self.folder, self.begin = solver, request, options, folder, begin
        self.runs: list[Run] = []
        self.no_tokens = f"{solver.name} gives no probabilities of tokens"

    @property
    def scoring(self) -> str:
        return self.runs[0].settings.scoring if self.runs else ""

    def differences(self, *both: _Rewritten) -> Iterator[Measurement]:
        """Of each quantity its mean over published items, fresh ones and their rewrites, and the difference."""
        kind = self.request.rewrite
        reasons = [one.reason for one in both if one.reason]
        if reasons:
            yield from not_possible([name + BETWEEN for name in PAIRED], reasons[0], kind)
            return
        self.runs = [self._answered(one.collection) for one in both]
        found = [self._values(run) for run in self.runs]
        for quantity in PAIRED:
            values = [one[quantity] for one in found]
            reasons = [one for one in values if isinstance(one, str)]
            if reasons:
                yield from not_possible([quantity + BETWEEN], reasons[0], kind)
                continue
            pairs = [
                Paired.of(run.collection, kind, one)
                for run, one in zip(self.runs, values, strict=True)
                if not isinstance(one, str)
            ]
            levels = [level for pair in pairs for level in pair.levels(is_share=quantity in SHARES)]
            for texts, level in zip((PUBLISHED, REWRITE, FRESH, FRESH_REWRITE), levels, strict=True):
                yield Measurement(quantity, level, kind if "rewrite" in texts else ORIGINAL, {"texts": texts})
            difference = difference_in_differences(*pairs, is_share=quantity in SHARES, seed=self.request.seed)
            yield Measurement(quantity + BETWEEN, difference, kind)

    def _answered(self, collection: Collection) -> Run:
        request = self.request
        wanted = RunRequest(
            (request.scoring,) if request.scoring else (),
            request.readings,
            (request.rewrite,),
            request.limit,
            request.seed,
            options=self.options.more,
        )
        by = scorings_of(collection, self.solver, wanted)[0]
        places = {}
        if self.folder is not None:
            places[by] = run_folder(self.folder, collection.name, self.solver.name, by, request.readings)
        report = self.begin(f"{self.solver.name} on {collection.name}")
        return evaluate_scorings(collection, self.solver, replace(wanted, scorings=(by,)), places, report)[0]

    def _values(self, run: Run) -> dict[str, Values | str]:
        """Of each quantity, its values by item, or why there are none."""
        kind, name = self.request.rewrite, run.collection.name
        texts = texts_of(run.collection, kind)
        least = min_k(self.solver, texts, self.request.min_k / 100, self.begin(f"min-k of {name}"))
        written = continuations(self.solver, texts, self.begin(f"continuing {name}"))
        shares, runs = written or (f"{self.solver.name} cannot continue a text",) * 2
        return {
            "accuracy": accuracies(run, kind),
            "margin": f"{self.solver.name} gives choices, not scores" if run.is_baseline else margins(run, kind),
            "min-k": self.no_tokens if least is None else least,
            "continuation": shares,
            "longest-run": runs,
        }

    def orders(self, published: _Rewritten, fresh: _Rewritten) -> Iterator[Measurement]:
        """The gain of the order of the published file, of its rewrite and of the fresh collection."""
        files = {PUBLISHED: _blocks(published.collection, "", self.request.limit)}
        if not published.reason:
            files[REWRITE] = _blocks(published.collection, self.request.rewrite, self.request.limit)
        files[FRESH] = _blocks(fresh.collection, "", self.request.limit)
        found: dict[str, OrderScores] = {}
        for texts, blocks in files.items():
            kind = self.request.rewrite if texts == REWRITE else ORIGINAL
            scores = self._ordered(blocks, f"order of {texts}")
            if isinstance(scores, str):
                yield Measurement("order", Estimate.undefined(scores), kind, {"texts": texts})
                continue
            found[texts] = scores
            yield Measurement(
                "order", scores.gain(), kind, {"texts": texts}, {"p": scores.p_value(self.request.seed).value}
            )
        if PUBLISHED in found and REWRITE in found:
            difference = found[PUBLISHED] - found[REWRITE]
            yield Measurement("order" + BETWEEN, difference.gain(), self.request.rewrite)

    def _ordered(self, blocks: list[str], step: str) -> OrderScores | str:
        how = {"shard": self.request.shard, "shuffles": self.request.shuffles, "seed": self.request.seed}
        return order_scores(self.solver, blocks, **how, progress=self.begin(step))


def _blocks(collection: Collection, kind: str, limit: int | None) -> list[str]:
    """The texts of each schema, as neighbours in the file; rewritten where there is a rewrite, if a kind is named."""
    rewrites = {one.variant_of: one.text for one in collection.variants(kind)} if kind else {}
    schemas = ([rewrites.get(item.id, item.text) for item in schema.items] for schema in collection.schemas[:limit])
    return ["\n".join(filter(None, texts)) for texts in schemas if any(texts)]
