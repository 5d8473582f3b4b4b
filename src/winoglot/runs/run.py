"""A run: what one solver answered to the examples of one source, with the settings that decided it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.errors import InputError, check_argument, did_you_mean
from winoglot.examples import ExampleSource, Outcome, examples_of, unanswered
from winoglot.metrics.base import as_metric, check_interval
from winoglot.models.base import NOT_A_NUMBER
from winoglot.models.naming import ModelName
from winoglot.models.scoring.probes import Probe
from winoglot.notebook import data_frame
from winoglot.perturb.renamed.draws import draw_kind
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Collection
from winoglot.statistics.tally import over_schemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pandas

    from winoglot.metrics.base import Metric
    from winoglot.statistics.intervals import Estimate
    from winoglot.statistics.tally import Tally

IMPORTED = "imported"  # the scoring and readings of a run that another program made
_NAMED = 5  # ids that a message lists
_LISTED = 20  # runs that are printed


@dataclass(frozen=True)
class Settings:
    """Everything that decides what a run predicts, and where its model came from."""

    model: str  # the name that tables and reports show
    scoring: str
    readings: str
    fingerprint: str
    kinds: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    tolerance: float = 1e-6  # scores closer than this are tied, which is an abstention
    model_settings: dict[str, Any] = field(default_factory=dict)  # as the model reports them: precision, prompts …
    renamed: int = 0  # how often the names of people were redrawn
    overlap: dict[str, int] = field(default_factory=dict)  # items that the model was trained on, if that was allowed
    fallback: str = "naive"  # what was done about items for which the grammar cannot derive every reading
    address: str = ""  # the model's family:location; the same as its name, unless `NAME=family:location` gave it one

    def __post_init__(self) -> None:
        """A model without a name of its own is called by its address."""
        object.__setattr__(self, "address", self.address or self.model)

    @property
    def asked_kinds(self) -> tuple[str, ...]:
        """The kinds of variants that were asked: those that were named, and one for each draw of names."""
        return (*self.kinds, *(draw_kind(number) for number in range(1, self.renamed + 1)))

    @property
    def asked_model(self) -> ModelName:
        """The model's name and address; as text, what to type to ask for it again."""
        return ModelName(self.model, self.address)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the solver did with one example, as it is stored."""

    item_id: str
    item_hash: str
    choice: int | None
    scores: tuple[float | None, ...] = ()
    note: str = ""
    skipped: int = 0  # characters of the window before the first token boundary that all readings share
    fallback: bool = False
    window: str = ""
    tokens: int = 0  # of all its readings, if the model counts them
    unknown: int = 0  # those that the model does not know
    replies: tuple[tuple[str, str], ...] = ()  # prompts and what a model replied to each, if it was asked in words


@dataclass(frozen=True)
class Reference:
    """What a reference run has besides what every run has: see `winoglot.runs.references`."""

    date: str
    signature: str  # of the run as it was made, over the collection as it was
    missing: int = 0  # items of its collection, as it is, that have changed since or were not asked


@dataclass(frozen=True)
class Run:
    """The predictions of one solver, with what they were made on and how; everything else is computed from them.

    `source` is a collection of schemas, or an `ExampleSet` of anything else.
    """

    source: ExampleSource
    settings: Settings
    predictions: tuple[Prediction, ...]
    seconds: float = 0.0
    scored: int = 0  # items that went through the model in that time; the rest came from the cache
    made_with: dict[str, str] = field(default_factory=dict)  # versions of the software that computed it
    options: dict[str, str] = field(default_factory=dict)  # given to the model with --option, to run it again
    spent: dict[str, float] = field(default_factory=dict)  # on a server: requests, retries, tokens, cost
    is_baseline: bool = False  # made by a rule that does not look at what a schema asks
    file: str = ""  # of the collection, as it was named; to run it again
    folder: str = field(default="", compare=False)  # that it was loaded from
    probes: Mapping[str, Probe] = field(default_factory=dict, compare=False, repr=False)  # by item, if it was probed
    reference: Reference | None = None  # if it comes with Winoglot, for other runs to stand beside

    def __repr__(self) -> str:
        """The solver, what it was asked, and how much of it was answered; a whole collection would fill the screen."""
        how = f"{self.settings.scoring}, {self.settings.readings}"
        how += f", reference of {self.reference.date}" if self.reference else ""
        return f"<Run {self.settings.model} on {self.source.name} ({how}): {len(self.predictions)} predictions>"

    def _repr_html_(self) -> str:
        from winoglot.runs.display import run_html

        return run_html(self)

    def __len__(self) -> int:
        """The number of items, variants included, that were asked."""
        return len(self._by_example)

    def __iter__(self) -> Iterator[Outcome]:
        """The outcome of every item, of the originals first, then of each kind of variant."""
        return iter(self._by_example.values())

    def __getitem__(self, item_id: str) -> Outcome:
        """What the solver did with an item or variant.

        >>> import winoglot as wg
        >>> run = wg.evaluate(wg.load("winoglot-en"), "second")
        >>> run["piano-sale.0"].choice, run["piano-sale.0"].right
        (1, True)
        """
        check_argument(item_id, str, "an item's id", f"Give one, such as {next(iter(self._by_example), 'lamp.0')!r}.")
        if item_id not in self._by_example:
            remedy = did_you_mean(item_id, self._by_example, most=_NAMED)
            if of_schema := [name for name in self._by_example if name.startswith(f"{item_id}.") and "~" not in name]:
                remedy = f"That is a schema, with the items {', '.join(of_schema)}."
            elif not self._by_example:
                remedy = "Nothing in it has been answered: repeat the command that began it."
            raise InputError(f"the run has no item {item_id!r}", remedy=remedy)
        return self._by_example[item_id]

    @cached_property
    def _by_example(self) -> dict[str, Outcome]:
        kinds = (None, *self.settings.asked_kinds)
        return {outcome.example.id: outcome for kind in kinds for outcome in self.outcomes(kind)}

    def to_frame(self) -> pandas.DataFrame:
        """The outcomes as a pandas data frame, one row per item and variant, with their ids as index.

        Every row names the model and the collection, so that the frames of several runs can be put together; the frame
        of the collection has the same index.
        """
        from winoglot.runs.display import outcome_row

        return data_frame([outcome_row(self, outcome) for outcome in self], index="id")

    @property
    def solver_name(self) -> str:
        """What tables call the solver: a model beside its own reference run is another row."""
        return f"{self.settings.model} (reference)" if self.reference else self.settings.model

    @property
    def collection(self) -> Collection:
        """The collection of schemas that the run is over; an input error if it is over other examples."""
        if isinstance(self.source, Collection):
            return self.source
        raise InputError(
            f"{self.source.name} is not a collection of schemas",
            remedy="This needs schemas; metrics, `winoglot compare` and `winoglot report` take any examples.",
        )

    @cached_property
    def signature(self) -> str:
        """Everything that decides the scores, in one line to be quoted in a paper.

        As `winoglot-pt@1.0 sha:3f2a|readings:naive|scoring:partial|gemma-3-270m sha:91bc|precision:float32|v0.1.0`. The
        source's hash is over the originals; each kind adds its own.
        """
        if self.reference:
            return self.reference.signature
        source, settings = self.source, self.settings
        parts = [
            f"{source.name}@{source.version} sha:{source.hash[:8]}",
            *(f"{kind} sha:{source.kind_hash(kind)[:8]}" for kind in settings.kinds),
            f"readings:{settings.readings}",
            *([f"fallback:{settings.fallback}"] if settings.fallback != "naive" else []),
            f"scoring:{settings.scoring}",
            f"{settings.asked_model} sha:{settings.fingerprint[:8]}",
            *(f"{name}:{value}" for name, value in sorted(settings.model_settings.items())),
            f"tie:{settings.tolerance:g}",
        ]
        if settings.renamed:
            names = digest([source.kind_hash(draw_kind(number)) for number in range(1, settings.renamed + 1)])
            parts.append(f"renamed:{settings.renamed} sha:{names[:8]}")
        if settings.overlap:
            parts.append(f"overlap:{settings.overlap['overlapping']} of {settings.overlap['items']}")
        if settings.limit is not None:
            parts.append(f"limit:{settings.limit} seed:{settings.seed}")
        return "|".join([*parts, f"v{__version__}"])

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of variants that were asked, draws of names not included."""
        return self.settings.kinds

    @cached_property
    def _by_id(self) -> dict[str, Prediction]:
        return {prediction.item_id: prediction for prediction in self.predictions}

    def prediction(self, item_id: str) -> Prediction:
        """What is stored about an item that was asked."""
        return self._by_id[self[item_id].example.id]

    @cached_property
    def _outcomes(self) -> dict[str | None, tuple[Outcome, ...]]:
        return {}  # by kind: every metric asks for them

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        """The outcomes of the originals or, if a kind is named, of the variants of that kind, in the source's order."""
        if kind not in self._outcomes:
            predictions = ((example, self._by_id.get(example.id)) for example in examples_of(self.source, kind))
            self._outcomes[kind] = tuple(
                Outcome(
                    example,
                    prediction.choice,
                    prediction.scores,
                    prediction.note,
                    prediction.fallback,
                    prediction.window,
                )
                for example, prediction in predictions
                if prediction is not None
            )
        return self._outcomes[kind]

    def estimate(
        self,
        metric: str | Metric | Callable[..., Estimate | Tally],
        kind: str | None = None,
        *,
        interval: str = "bootstrap",
    ) -> Estimate:
        """Estimate a metric with its interval: by its name (`winoglot list metrics`), or one of your own.

        Yours is a `Metric`, or a function that takes the run and returns an estimate or a tally. The estimate is of the
        originals or, if a kind is named, of its variants; a kind that the run lacks is an input error.

        >>> import winoglot as wg
        >>> run = wg.evaluate(wg.load("winoglot-en"), "first", kinds=["segment-masked"])
        >>> print(run.estimate("position-preference"))
        1.000 [0.977, 1.000], n=316, exact (Clopper-Pearson) over 158 schemas, all alike

        >>> from winoglot.metrics.base import labelled
        >>> def right_in_short_texts(run):
        ...     short = labelled(run).where(lambda outcome: len(outcome.example.item.text) < 100, "longer")
        ...     return short.share(lambda outcome: outcome.right)
        >>> run.estimate(right_in_short_texts).n
        188
        """
        if kind is not None and kind not in self.settings.kinds and not self.outcomes(kind):
            asked = did_you_mean(kind, self.settings.kinds) if self.settings.kinds else ""
            remedy = f"{asked} Evaluate again with kinds=[{kind!r}], or leave the kind out for the originals.".strip()
            raise InputError(f"the run has no items of kind {kind!r}", remedy=remedy)
        return as_metric(metric).of(self, kind, interval=interval)

    def accuracy(self, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
        """The share of labelled items answered correctly; an abstention is not correct."""
        return self.estimate("accuracy", kind, interval=interval)

    def quality(self, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
        """The share of correct answers among the answers; without abstentions it equals accuracy."""
        return self.estimate("quality", kind, interval=interval)

    def success(self, kind: str | None = None) -> Estimate:
        """The accuracy with every abstention counted as one half, on items of two candidates.

        Its interval is always the bootstrap's: Wilson's is for right and wrong only.
        """
        return self.estimate("success", kind)

    def pair_accuracy(self, *, interval: str = "bootstrap") -> Estimate:
        """The share of schemas with two or more items that are all answered correctly."""
        return self.estimate("pair-accuracy", interval=interval)

    def consistency(self, *, interval: str = "bootstrap") -> Estimate:
        """The share of switched items whose choice moves with the candidates."""
        return self.estimate("consistency", interval=interval)

    def position_preference(self, kind: str | None = "segment-masked", *, interval: str = "bootstrap") -> Estimate:
        """The share of answers that are the candidate mentioned first; ½ is no preference.

        If the segment is masked, nothing else can decide; `None` gives the preference on the originals.
        """
        from winoglot.metrics.robustness import first_mentions

        check_interval(interval)
        return over_schemas(first_mentions(self, kind), interval)

    def notes(self) -> dict[str, int]:
        """Why originals were not answered, and how often, most frequent first; unlabelled ones are left out.

        Whatever a note names after a colon (unknown words, a preferred place) is dropped.

        >>> import winoglot as wg
        >>> wg.evaluate(wg.load("winoglot-en"), "longer").notes()  # doctest: +ELLIPSIS
        {'tie': ...}
        """
        notes = (outcome.note.partition(": ")[0] for outcome in unanswered(self.outcomes()))
        return dict(Counter(filter(None, notes)).most_common())

    def unknown_tokens(self) -> float | None:
        """The share of the originals' tokens that the model does not know; None if it does not count them."""
        tokens = sum(prediction.tokens for prediction in self._originals())
        return sum(prediction.unknown for prediction in self._originals()) / tokens if tokens else None

    def skipped(self) -> dict[str, int]:
        """The characters skipped at the start of the originals' windows, if any, by item.

        Partial scoring begins at the first token boundary that all readings of an item share.
        """
        return {prediction.item_id: prediction.skipped for prediction in self._originals() if prediction.skipped}

    def _originals(self) -> list[Prediction]:
        return [self._by_id[outcome.example.id] for outcome in self.outcomes()]

    def not_numbers(self) -> list[str]:
        """The items, variants included, whose score is not a number."""
        return [
            prediction.item_id
            for prediction in self.predictions
            if prediction.choice is None and NOT_A_NUMBER in prediction.note
        ]


class Runs(list[Run]):
    """Several runs: a list that notebooks show as a table of accuracies."""

    def __repr__(self) -> str:
        """One line per run, up to a screenful."""
        more = [f"… {len(self)} in all"] if len(self) > _LISTED else []
        return "[" + ",\n ".join([*map(repr, self[:_LISTED]), *more]) + "]"

    def _repr_html_(self) -> str:
        from winoglot.runs.display import runs_html

        return runs_html(self)

    def to_frame(self) -> pandas.DataFrame:
        """A pandas data frame with one row per run: every metric that it has, and the limits of its interval.

        For one row per item, put the frames of the runs together: `pandas.concat(run.to_frame() for run in runs)`.
        """
        from winoglot.runs.display import run_row

        return data_frame([run_row(run) for run in self])
