"""Contamination: has a model read a published collection?

No test can prove that it has not, and each has its own weakness, which `SHOWS` says in a sentence:

- `differences`: accuracy, margin, min-k% and verbatim continuation of the published items against a rewrite of them by
  rule, less the same difference on a fresh collection;
- `order`: the order of the published file against shuffled orders;
- `compared`: whether the two collections can be recognised by their words, which weakens the comparisons above.

`winoglot analyse` takes this measure only if it is named; `contamination` is the Python call with all its settings.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot import registry
from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo, Subject, measured_rows, not_possible
from winoglot.analysis.contamination.compared import file_texts, fresh_for, style_accuracy
from winoglot.analysis.contamination.differences import (
    Paired,
    accuracies,
    continuations,
    difference_in_differences,
    exchanged,
    margins,
    min_k,
)
from winoglot.analysis.contamination.order import OrderScores, order_scores
from winoglot.errors import InputError, check_argument, did_you_mean
from winoglot.perturb.base import COMPOSED, with_kinds
from winoglot.progress import show_progress
from winoglot.runs.evaluate import listed, spec_of
from winoglot.runs.execute import answer
from winoglot.runs.questions import ItemQuestions
from winoglot.runs.session import Failure, Session
from winoglot.runs.spec import RunSpec, is_model
from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from winoglot.analysis.analyse import Analysis
    from winoglot.analysis.base import Asked
    from winoglot.analysis.contamination.differences import Values
    from winoglot.models.base import Options, Solver
    from winoglot.runs.results import Result
    from winoglot.runs.run import Run
    from winoglot.schemas.model import Collection

CONTAMINATION = "contamination"
PUBLISHED, REWRITE, FRESH, FRESH_REWRITE = "published", "rewrite", "fresh", "fresh rewrite"
SHARES = ("accuracy", "continuation")
PAIRED = ("accuracy", "margin", "min-k", "continuation", "longest-run")
BETWEEN = "-difference"  # ends the name of a difference in differences
QUANTITIES = {
    "accuracy-difference": QuantityInfo("accuracy, difference in differences", "points", 0.0),
    "continuation-difference": QuantityInfo("tokens reproduced, difference in differences", "points", 0.0),
    "margin-difference": QuantityInfo("margin, difference in differences", level=0.0, unit="nats"),
    "min-k-difference": QuantityInfo("min-k%, difference in differences", level=0.0, unit="nats"),
    "longest-run-difference": QuantityInfo("longest run, difference in differences", level=0.0, unit="tokens"),
    "order": QuantityInfo("gain of the file's order", level=0.0, unit="nats per schema"),
    "order-difference": QuantityInfo("gain of the file's order, beside the rewrite", level=0.0, unit="nats per schema"),
    "margin": QuantityInfo("margin for the right candidate", unit="nats"),
    "min-k": QuantityInfo("min-k%", unit="nats"),
    "longest-run": QuantityInfo("longest run reproduced", unit="tokens"),
    "accuracy": QuantityInfo("accuracy", "percent"),
    "continuation": QuantityInfo("tokens reproduced", "percent"),
    "style": QuantityInfo("schemas recognised by their words", "percent", 0.5),
}

# What each test can and cannot show.
SHOWS = {
    "accuracy": "A model that has memorised the answers loses more accuracy on the rewrite than it does on a fresh "
    "collection. An answer is only one bit, so a few hundred items reveal only gross contamination, and "
    "sentences that were read without their answers do not show.",
    "margin": "More sensitive than accuracy. But a rewrite may also cost more in one of the collections because its "
    "names are more frequent or its sentences simpler.",
    "min-k": "A text that was read has fewer surprising tokens, wherever it was read: a quotation in an article is "
    "enough. Frequent names and a plain style have the same effect.",
    "continuation": "Words reproduced after half a text are hard to explain unless it was read. If none are "
    "reproduced, that shows little: small models seldom reproduce what they read once or twice.",
    "longest-run": "The same as continuation, wherever the reproduced words begin.",
    "order": "A preference for the order of the file is hard to explain unless the file was read, or unless neighbours "
    "share a topic, which the rewrite shows too. A model that read the items one by one has no such preference.",
    "style": "The closer to 100%, the more the collections differ in topic or style, and the less a difference between "
    "them says about what the model has read.",
}
_PREFERRED = 0.05  # only an order that is preferred at this level needs to be compared with others


@dataclass(frozen=True)
class ContaminationRequest:
    """The settings of the contamination tests."""

    rewrite: str = "renamed"  # the kind of variant that is the rewrite
    min_k: float = 20.0  # percent of a text's tokens
    shuffles: int = 4  # orders of each shard besides its own
    shard: int = 8  # schemas whose order is scored together

    def __post_init__(self) -> None:
        """Refuse settings that no test can be made with."""
        check_argument(self.min_k, (int, float), "a percentage as min_k", "Give one, such as 20.")
        if not 0 < self.min_k <= 100:
            raise InputError(f"min-k cannot be {self.min_k}% of the tokens", remedy="Give more than 0, up to 100: 20.")
        for name, least in (("shuffles", 1), ("shard", 2)):
            check_argument(getattr(self, name), int, f"a whole number as {name}", "Give one, such as 8.")
            if getattr(self, name) < least:
                raise InputError(f"{name} is {getattr(self, name)}", remedy=f"Give {least} or more.")


_USUAL = ContaminationRequest()


def contamination(
    collection: Collection,
    models: str | Solver | Iterable[str | Solver],
    fresh: Collection | None = None,
    *,
    rewrite: str = "renamed",
    min_k: float = 20.0,
    shuffles: int = 4,
    shard: int = 8,
    scoring: str | None = None,
    readings: str = "grammatical",
    limit: int | None = None,
    options: Options | Mapping[str, Any] | None = None,
    progress: bool = True,
    **settings: Any,
) -> Analysis:
    """Test whether a model has read a published collection, by comparison with one that it cannot have read.

    By default, `fresh` is the bundled collection in the same language. `rewrite` is the kind of variant that the items
    are compared with; it must keep the answers. All other arguments are those of `evaluate`.

    >>> import winoglot as wg
    >>> en = wg.load("winoglot-en")
    >>> result = contamination(replace(en[:20], name="mine"), "first", en[20:40])
    >>> result.where(quantity="accuracy", texts="published")[0].estimate.value
    0.5
    >>> result.where(quantity="min-k-difference")[0].estimate.method
    'first gives no probabilities of tokens'
    """
    from winoglot.analysis.analyse import Analysis

    request = ContaminationRequest(rewrite, min_k, shuffles, shard)
    fresh_collection = fresh_for(collection, fresh)
    if not listed(models, is_model):
        raise InputError("no model was given", remedy="Name one, such as gemma-3-270m.")
    # Whether the model was trained on the collection is the question, so that is allowed.
    spec = spec_of(
        collection,
        models,
        options,
        scoring=scoring,
        readings=readings,
        kinds=() if _reason(collection, rewrite) else (rewrite,),
        limit=limit,
        allow_overlap=True,
        **settings,
    )
    measure = replace(PLUGINS[CONTAMINATION], name=CONTAMINATION, measure=partial(measured, request=request))
    rows: list[Result] = []
    runs: list[Run] = []
    start = time.perf_counter()
    with show_progress("texts", shown=progress) as begin:
        for result in Session(spec).answers(begin):
            if isinstance(result, Failure):
                raise result.error
            runs.append(result.run)
            subject = Subject(result.run, seed=spec.seed, solver=result.solver, fresh=fresh_collection, begin=begin)
            rows += measured_rows(measure, subject)
    return Analysis(tuple(rows), tuple(runs), {measure.name: time.perf_counter() - start})


def measured(subject: Subject, request: ContaminationRequest = _USUAL) -> Iterator[Measurement]:
    """All tests of one model."""
    if subject.solver is None or subject.fresh is None:
        reason = "only a model itself can be tested (--model), not stored answers"
        yield from not_possible([*(name + BETWEEN for name in PAIRED), "order"], reason)
        return
    fresh = subject.fresh
    tests = _Contamination(subject, subject.solver, fresh, request)
    for row in (*tests.differences(), *tests.orders()):
        is_published = row.parts.get("texts") in (PUBLISHED, REWRITE)
        yield row if is_published else replace(row, parts={**row.parts, "fresh": fresh.name})
    style = style_accuracy(subject.collection, fresh, seed=subject.seed)
    yield Measurement("style", style, parts={"texts": f"{PUBLISHED} or {FRESH}", "fresh": fresh.name})


def fires(row: Mapping[str, Any]) -> bool | None:
    """Whether a test, as a row of `analysis.json` has it, says that the collection was read; None if it is no test.

    A difference fires if its interval is above 0, the order of the file if its p-value is below 0.05.
    """
    if row.get("measure", CONTAMINATION) != CONTAMINATION or row["value"] is None:
        return None
    if row["quantity"] == "order" and row.get("texts") == PUBLISHED:
        return bool(row["p"] < _PREFERRED)
    is_difference = row["quantity"] in {name + BETWEEN for name in PAIRED}
    return bool(row["low"] > 0) if is_difference else None


def with_rewrite(collection: Collection, kinds: Sequence[str]) -> Asked:
    """The collection with the rewrite by default, if it can have one."""
    kind = _USUAL.rewrite
    if kind in kinds or _reason(collection, kind):
        return collection, tuple(kinds)
    return with_kinds(collection, [kind]), (*kinds, kind)


def _reason(collection: Collection, kind: str) -> str:
    """Why a collection has no rewrite of a kind, empty if it has; an input error if no collection can have one."""
    kinds = {*registry.names("perturbations"), *collection.kinds}
    if kind not in kinds and not kinds.issuperset(kind.split(COMPOSED)):
        raise InputError(f"there is no kind of variant {kind!r}", remedy=did_you_mean(kind, kinds))
    try:
        with_variants = with_kinds(collection, [kind])
    except InputError as error:
        return error.message
    if {variant.effect for variant in with_variants.variants(kind)} != {"keeps"}:
        message = f"variants of kind {kind!r} do not keep the answers, so they are no rewrite"
        raise InputError(message, remedy="Name a kind that does, such as renamed.")
    return ""


class _Contamination:
    """The tests of one model on a published collection, which it has answered, and a fresh one."""

    def __init__(self, subject: Subject, solver: Solver, fresh: Collection, request: ContaminationRequest) -> None:
        self.subject, self.solver, self.fresh, self.request = subject, solver, fresh, request
        self.kind = request.rewrite

    def differences(self) -> Iterator[Measurement]:
        """The mean of each quantity over published and fresh items and their rewrites, and the difference."""
        kind, run = self.kind, self.subject.run
        reason = "" if run.outcomes(kind) else _reason(self.subject.collection, kind) or "it was not asked"
        reason = reason or _reason(self.fresh, kind)
        if reason:
            yield from not_possible([name + BETWEEN for name in PAIRED], f"no rewrite: {reason}", kind)
            return
        runs = [run, self._answers_to_fresh()]
        values_of_runs = [self._values(asked_run) for asked_run in runs]
        for quantity in PAIRED:
            published, fresh = (values[quantity] for values in values_of_runs)
            if isinstance(published, str) or isinstance(fresh, str):
                yield from not_possible([quantity + BETWEEN], str(published), kind)
                continue
            pairs = [
                Paired.of(asked_run.collection, kind, values)
                for asked_run, values in zip(runs, (published, fresh), strict=True)
            ]
            levels = [level for pair in pairs for level in pair.levels(is_share=quantity in SHARES)]
            for texts, level in zip((PUBLISHED, REWRITE, FRESH, FRESH_REWRITE), levels, strict=True):
                yield Measurement(quantity, level, kind if REWRITE in texts else ORIGINAL, {"texts": texts})
            difference = difference_in_differences(*pairs, is_share=quantity in SHARES, seed=self.subject.seed)
            test = exchanged(*pairs, seed=self.subject.seed)
            numbers = {} if test is None or difference.value is None else {"p": test.value}
            yield Measurement(quantity + BETWEEN, difference, kind, {"texts": "difference"}, numbers)

    def _answers_to_fresh(self) -> Run:
        """The answers to the fresh items that have a rewrite, and to their rewrites."""
        settings, with_variants = self.subject.run.settings, with_kinds(self.fresh, [self.kind])
        fresh_with_rewrites = replace(
            with_variants, schemas=tuple(schema for schema in with_variants.schemas if self.kind in schema.kinds)
        )
        spec = RunSpec(kinds=(self.kind,), limit=settings.limit, seed=settings.seed)
        questions = ItemQuestions(fresh_with_rewrites, self.solver, spec, settings.readings)
        progress = self.subject.begin(f"{self.solver.name} on {self.fresh.name}")
        return answer(questions, [settings.scoring], spec, progress=progress)[0]

    def _values(self, run: Run) -> dict[str, Values | str]:
        """The values of each quantity by item, or why there are none."""
        kind, source, begin, name = self.kind, run.collection, self.subject.begin, self.solver.name
        rewrites = source.variants(kind)
        items = [*(source[rewrite.variant_of] for rewrite in rewrites), *rewrites]
        least = min_k(self.solver, items, self.request.min_k / 100, begin(f"min-k of {source.name}"))
        results = continuations(self.solver, items, begin(f"continuing {source.name}"))
        shares, runs = results or (f"{name} cannot continue a text",) * 2
        return {
            "accuracy": accuracies(run, kind),
            "margin": f"{name} gave choices, not scores" if run.is_baseline else margins(run, kind),
            "min-k": f"{name} gives no probabilities of tokens" if least is None else least,
            "continuation": shares,
            "longest-run": runs,
        }

    def orders(self) -> Iterator[Measurement]:
        """The gain of the order of the published file; if there is one, also of its rewrite and of the fresh file."""
        published, fresh, kind = self.subject.collection, self.fresh, self.kind
        if self.subject.run.settings.limit is not None:
            reason = "a sample of schemas has no order of its own; leave the limit out"
            yield Measurement("order", Estimate.undefined(reason), parts={"texts": PUBLISHED})
            return
        file_scores = self._order(file_texts(published), PUBLISHED)
        yield self._order_row(file_scores, PUBLISHED)
        if isinstance(file_scores, str):
            return
        if file_scores.p_value(self.subject.seed).value >= _PREFERRED:
            reason = "not scored, since the order of the file is not preferred"
            for texts, kind_of_texts in ((REWRITE, kind), (FRESH, ORIGINAL)):
                yield Measurement("order", Estimate.undefined(reason), kind_of_texts, {"texts": texts})
            return
        rewrites = published.variants(kind)
        if rewrites:
            rewrite_scores = self._order(file_texts(published, rewrites), REWRITE)
            yield self._order_row(rewrite_scores, REWRITE)
            if not isinstance(rewrite_scores, str) and rewrite_scores.values.shape == file_scores.values.shape:
                yield Measurement(
                    "order" + BETWEEN, (file_scores - rewrite_scores).gain(), kind, {"texts": "difference"}
                )
        fresh_texts = file_texts(fresh)[: len(published.schemas)]
        yield self._order_row(self._order(fresh_texts, FRESH), FRESH)

    def _order(self, texts: list[str], label: str) -> OrderScores | str:
        return order_scores(
            self.solver,
            texts,
            shard=self.request.shard,
            shuffles=self.request.shuffles,
            seed=self.subject.seed,
            progress=self.subject.begin(f"order, {label}"),
        )

    def _order_row(self, scores: OrderScores | str, texts: str) -> Measurement:
        kind = self.kind if texts == REWRITE else ORIGINAL
        if isinstance(scores, str):
            return Measurement("order", Estimate.undefined(scores), kind, {"texts": texts})
        p = scores.p_value(self.subject.seed).value
        return Measurement("order", scores.gain(), kind, {"texts": texts}, {"p": p})


PLUGINS = {
    "contamination": AnalysisMeasure(
        "Contamination",
        "Whether the model has read the collection: against a rewrite and a fresh collection, and by its order.",
        measured,
        QUANTITIES,
        asks=with_rewrite,
        by_default=False,
        compares_fresh=True,
    )
}
