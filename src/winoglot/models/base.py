"""What a model is asked, what it answers, and how a family of models is written.

A family is a module of this package, or of an outside package that announces it; it offers

    def load(location: str, options: Options) -> Solver

where `location` is what follows the colon of `family:location` (empty if there is none). It may also offer

    def check(location: str, options: Options) -> tuple[str, ...] | None

which rejects at once what loading would reject later (a missing file, an unknown option) and returns the scorings that
such a model can have, None if unknown; all models of a command are checked before the first is loaded. `FINETUNING`, a
`Finetuning`, says how its models are fine-tuned, if they can be.

A solver that `load` returns knows its name, scorings, settings and fingerprint; its weights are `loaded` when something
must be scored, and never if all runs are stored already.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from winoglot import registry
from winoglot.devices import check_device
from winoglot.errors import InputError, located
from winoglot.files import exists
from winoglot.languages.windows import Window
from winoglot.memory import is_out_of_memory
from winoglot.models.naming import ModelName, model_name, unknown_family
from winoglot.schemas.model import Item, Reading
from winoglot.settings import check_names, setting_names, with_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from winoglot.models.scoring.probes import Probe
    from winoglot.models.scoring.tokens import Continuation, TokenScores

PRECISIONS = ("float32", "bfloat16", "int8")
ANSWER = "answer"  # the scoring of models asked in words, by the default prompt; `answer-NAME` by the prompt NAME
UNFIT = "the prompt does not fit the item"  # the note of an abstention
TRAINED_ON = "trained_on.json"  # in a model's folder: what the schemas are recognised by that it was trained on
TRAINED_ON_COMPACT = "trained_on.npz"  # the same of a packaged model
NOT_A_NUMBER = "not a number"  # the note of an abstention because a score is NaN: the model failed; it is not undecided


@dataclass(frozen=True)
class Finetuning:
    """How the models of a family are fine-tuned."""

    family: str  # of the model that comes out
    objective: str  # MODULE:CLASS, an `Objective` of `winoglot.finetune.losses`
    recipe: Mapping[str, Any] = field(default_factory=dict)  # settings of `FinetuneRecipe` that are not its defaults
    bodies: tuple[str, ...] = ()  # families whose models it may start from too


@dataclass(frozen=True)
class Options:
    """How models compute; every setting that can change a score goes into the run's signature."""

    precision: str = "float32"  # one of PRECISIONS
    device: str = "auto"
    batch_tokens: int = 0  # the most tokens that go through a model at once; 0: as many as fit into memory
    seed: int = 0
    more: Mapping[str, str] = field(default_factory=dict)  # what only this family understands: --option name=value
    contact: bool = field(default=True, repr=False)  # False: `check` asks no server and no hub, as for a dry run


class TextPair(Protocol):
    """A premise and a hypothesis."""

    @property
    def premise(self) -> str:
        """The text that is taken as true."""
        ...

    @property
    def hypothesis(self) -> str:
        """The text about which the premise says something."""
        ...


@dataclass(frozen=True)
class Question:
    """An item as a solver sees it: its readings, and the window of partial scoring that they share.

    Without readings it is about a pair of texts. With `labels`, it asks which of them the `pair` has; a solver that
    scores texts is asked the same with one reading per label. Without, the pair is the only inference of the item, and
    the question is whether the second text follows.
    """

    item: Item
    language: str
    readings: tuple[Reading, ...]
    window: Window
    pair: TextPair | None = None
    labels: tuple[str, ...] = ()

    @property
    def option_count(self) -> int:
        """The number of scores it asks for: one per label or reading, two for an inference (not entailed, entailed)."""
        return len(self.labels) or len(self.readings) or 2

    @property
    def texts(self) -> tuple[str, ...]:
        """Its readings, or its pair as one text."""
        pairs = () if self.readings else self.item.inferences
        return (
            *(reading.text for reading in self.readings),
            *(f"{pair.premise} {pair.hypothesis}" for pair in pairs),
        )


def best_of(scores: Sequence[float | None], tolerance: float) -> int | None:
    """The index of the highest score; None if two are tied or one is undefined or not a number."""
    defined_scores = [value for value in scores if value is not None and value == value]  # noqa: PLR0124  # NaN is not
    if len(defined_scores) < max(2, len(scores)):
        return None
    best, second = sorted(defined_scores, reverse=True)[:2]
    return None if best == second or best - second <= tolerance else scores.index(best)


@dataclass(frozen=True)
class Scores:
    """One score per candidate, higher is better; None if it is undefined, with the reason."""

    values: tuple[float | None, ...]
    note: str = ""
    skipped: int = 0  # characters at the window's start before the first token boundary that all readings share
    tokens: tuple[int, ...] = field(default=(), compare=False)  # how many were scored for each candidate
    replies: tuple[tuple[str, str], ...] = field(default=(), compare=False)  # prompts and what a model replied to each

    @classmethod
    def undefined(cls, question: Question, note: str) -> Scores:
        """No score for any candidate, and the reason."""
        return cls((None,) * question.option_count, note)

    def choice(self, tolerance: float) -> int | None:
        """The index of the best candidate; None, an abstention, if two are tied or one is undefined.

        >>> Scores((-3.0, -2.5)).choice(1e-6), Scores((-3.0, -3.0)).choice(1e-6), Scores((None, -1.0)).choice(1e-6)
        (1, None, None)
        """
        return best_of(self.values, tolerance)

    @property
    def abstention(self) -> str:
        """Why there is no choice, if there is none: its note, or what is wrong with the values.

        >>> [Scores(values).abstention for values in ((-3.0, -3.0), (None, -1.0), (math.nan, -1.0))]
        ['tie', 'no score', 'not a number']
        """
        if self.note:
            return self.note
        defined_values = [value for value in self.values if value is not None]
        if any(map(math.isnan, defined_values)):
            return NOT_A_NUMBER
        return "no score" if len(defined_values) < len(self.values) else "tie"


@dataclass(frozen=True)
class TokenCount:
    """The number of tokens in one or several texts, and how many of them the model does not know."""

    tokens: int = 0
    unknown: int = 0

    def __add__(self, other: TokenCount) -> TokenCount:
        """The sum of both."""
        return TokenCount(self.tokens + other.tokens, self.unknown + other.unknown)


NO_TOKENS = TokenCount()
Part = TypeVar("Part")


class LoadingError(InputError):
    """A model that cannot be loaded, whatever it would be asked."""


class lazy(cached_property[Part]):  # noqa: N801  # used like `property`
    """A part of a solver that takes time to load: a property that is computed when it is first used.

    An input error on the way is about the model and not about what it was asked: it becomes a `LoadingError`.
    """

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Part:  # type: ignore[override]
        """The part, loaded now if it was not."""
        try:
            return super().__get__(instance, owner)
        except LoadingError:  # of another part
            raise
        except InputError as error:
            failure = LoadingError(error.message)
            vars(failure).update(vars(error))  # remedy and place
            raise failure from error


loaded = lazy  # its name in earlier versions, which solvers of other packages may use


class Solver(ABC):
    """A model: it has a name, scorings and a fingerprint, and scores questions; the rest has defaults."""

    name: str
    scorings: tuple[str, ...]  # what it can be asked for, the default first
    fingerprint: str  # the same for the same weights, whatever they are called
    address: str = ""  # the family:location it was loaded from, if it was given another name
    folders: tuple[Path, ...] = ()  # that it was loaded from, which may say what it was trained on (TRAINED_ON)
    settings: Mapping[str, object] = MappingProxyType({})  # all that can change a score
    cacheable: bool = True  # False if equal settings and fingerprint do not guarantee equal scores
    sends_requests: bool = False  # True if a server answers: requests are counted before they are sent
    sends_away: bool = False  # True if that server is another machine, so that texts leave this one
    is_baseline: bool = False  # True for a rule that does not look at what a schema asks
    gives_probes: bool = False  # True if it can also show distributions and states: it has `score_and_probe`
    judges_pairs: bool = False  # True if it also answers questions without readings: is a pair of texts entailed?
    pair_scorings: tuple[str, ...] = ()  # for questions with a pair and labels, if it gives each label a score itself
    pair_labels: tuple[str, ...] | None = None  # the labels of the pairs that it was trained on; None: it takes any
    pair_control: str = ""  # what was hidden from it when it learnt pairs, and is hidden now
    batch_characters: int = 6000  # of readings, about 25 items: what is scored and stored at once, or lost together
    libraries: tuple[str, ...] = ()  # packages that can change a score: their versions are recorded with a run

    def prepare(self) -> None:  # noqa: B027  # many solvers have nothing to load
        """Load what scoring needs; called before the first question that must be scored, so that it is not timed."""

    @abstractmethod
    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """The scores of each question, by scoring."""

    def score_and_probe(
        self, questions: Sequence[Question], scorings: Sequence[str], probed: Container[str]
    ) -> tuple[list[dict[str, Scores]], dict[str, Probe]]:
        """The scores, and what the pass over the items whose ids are `probed` shows of the model.

        Asked only of solvers that have `gives_probes`; the scores are the same as without probes.
        """
        raise NotImplementedError

    @property
    def unwrapped(self) -> Any:
        """The solver as its family made it: a solver of an outside package is wrapped."""
        return self

    def prompts(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[str]:
        """What it is shown, text by text; for a server, one per request. By default the readings, each once."""
        del scorings
        return list(dict.fromkeys(text for question in questions for text in question.texts))

    @property
    def spent(self) -> Mapping[str, float]:
        """What it has used so far: requests, tokens, cost."""
        return {}

    def settings_for(self, scoring: str, language: str) -> Mapping[str, object]:
        """The settings that matter to one scoring in one language."""
        del scoring, language
        return self.settings

    def default_scorings(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """The scorings to use for these questions if none is named; none here means the first of `scorings`."""
        del questions
        return ()

    def check_texts(self, texts: Sequence[str]) -> None:  # noqa: B027  # most solvers read any text
        """Reject texts that it cannot read; called before a run with the texts of its items, or 1,000 of them."""

    def check_pairs(self, pairs: Sequence[TextPair]) -> None:  # noqa: B027  # most solvers read any pair
        """Reject pairs that it cannot read; called before it is asked about the first of them."""

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """The tokens of each text."""
        return [NO_TOKENS] * len(texts)

    def token_scores(self, texts: Sequence[str]) -> Sequence[TokenScores] | None:
        """The log probability of every token of each text; None if it gives no such probabilities.

        A token without one is NaN; a text that cannot be scored has only such tokens, or none.
        """
        del texts
        return None

    def continuations(self, texts: Sequence[str]) -> Sequence[Continuation] | None:
        """What it writes after the first half of each text's tokens, always the likeliest; None if it cannot write."""
        del texts
        return None

    def for_collection(self, items: Iterable[Item], language: str) -> Solver:
        """The solver to use for a collection, if its items matter to how questions are asked."""
        del items, language
        return self


def load_model(name: str, options: Options) -> Solver:
    """The solver called `family`, `family:location` or `NAME=family:location`, loaded; InputError if unknown."""
    model = model_name(name)
    family = _family(model)
    location = model.found_location()
    solver = as_solver(_call_family(model, family.load, location, options))
    if model.name != model.address or location != model.location:
        solver.name, solver.address = model.name, model.address
    folder = Path(location)
    if location and exists(folder) and folder.is_dir():
        solver.folders = (folder,)
    return solver


def check_model(name: str, options: Options) -> tuple[str, ...] | None:
    """Reject what can be rejected before loading; returns the scorings the model can have, None if unknown."""
    model = model_name(name)
    family = _family(model)
    with located(file=model.name.partition(":")[0]):  # not the location: it may hold a secret
        location = model.found_location()
        check = getattr(family, "check", None)
        scorings: tuple[str, ...] | None = _call_family(model, check, location, options) if check else None
    return scorings


def check_computing(options: Options) -> None:
    """Refuse a precision that does not exist, and a device that is not available here."""
    if options.precision not in PRECISIONS:
        raise InputError(f"there is no precision {options.precision!r}", remedy=f"Known: {', '.join(PRECISIONS)}.")
    check_device(options.device)


def check_options(options: Options, models: Sequence[str]) -> None:
    """Refuse settings that no model can use, and options given to baselines alone, which have none.

    A baseline ignores options and precision otherwise: it may run beside a model that needs them.
    """
    if options.batch_tokens < 0:
        message = f"a batch cannot have {options.batch_tokens} tokens"
        raise InputError(message, remedy="Give --batch-tokens 1 or more, or 0 for as many as fit.")
    check_computing(options)
    if options.more and models and all(map(names_baseline, models)):
        remedy = f"Leave it out: {' and '.join(models)} {'take' if len(models) > 1 else 'takes'} no options."
        raise InputError(f"there is no option {next(iter(options.more))!r}", remedy=remedy)


def _call_family(model: ModelName, function: Callable[..., Any], location: str, options: Options) -> Any:
    return registry.call_plugin(f"the model family {model.family!r}", function, location, options)


def names_baseline(name: str) -> bool:
    """Whether a model of that name is a baseline, by what its family says about itself (`is_baseline`).

    >>> names_baseline("first"), names_baseline("causal:models/small"), names_baseline("people")
    (True, False, False)
    """
    try:
        return bool(getattr(_family(model_name(name)), "is_baseline", False))
    except InputError:  # people, a model of another tool, or of a package that is no longer installed
        return False


def finetuning_of(model: str) -> Finetuning:
    """How a model is fine-tuned, by its family; one that cannot be is an input error.

    >>> finetuning_of("gemma-3-270m").family, finetuning_of("masked:models/bert").family
    ('causal', 'masked')
    """
    declared: Finetuning | None = getattr(_family(model_name(model)), "FINETUNING", None)
    if declared is None:
        remedy = "Name a model of transformers: causal:…, masked:…, choice:…, or a GGUF file."
        raise InputError(f"{model} cannot be fine-tuned", remedy=remedy)
    return declared


def _family(model: ModelName) -> Any:
    if model.family not in registry.names("models"):
        raise unknown_family(model)
    return registry.load("models", model.family)


def as_solver(solver: Any) -> Solver:
    """A solver of ours as it is; another, which need not extend `Solver`, with its defaults and errors that name it."""
    if isinstance(solver, Solver) and type(solver).__module__.startswith("winoglot."):
        return solver
    missing = [name for name in ("name", "scorings", "fingerprint", "score") if not hasattr(solver, name)]
    if missing:
        raise InputError(
            f"a solver of type {type(solver).__name__} has no {' and no '.join(missing)}",
            remedy="Extend winoglot.models.base.Solver, which says what a solver needs.",
        )
    return _OutsideSolver(solver)


class _OutsideSolver(Solver):
    """What an outside solver has, and defaults for the rest. An error in one of its methods names it."""

    def __init__(self, solver: Any) -> None:
        self._solver = solver
        for member in Solver.__annotations__.keys() - {"address"}:  # that is ours to set
            value = getattr(solver, member, None)
            if value is not None:
                setattr(self, member, value)
        for method in (
            *("prepare", "settings_for", "default_scorings", "check_texts", "check_pairs", "count_tokens"),
            *("token_scores", "continuations", "score_and_probe", "prompts"),
        ):
            if hasattr(solver, method):
                setattr(self, method, partial(self._call, method))

    @property
    def unwrapped(self) -> Any:
        return self._solver

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        where = partial(self._failing, questions, scorings)
        scores: list[dict[str, Scores]] = self._call("score", questions, scorings, where=where)
        return scores

    @property
    def spent(self) -> Mapping[str, float]:
        return dict(getattr(self._solver, "spent", {}))

    def for_collection(self, items: Iterable[Item], language: str) -> Solver:
        if not hasattr(self._solver, "for_collection"):
            return self
        adapted = as_solver(self._call("for_collection", items, language))
        adapted.name, adapted.address = self.name, self.address
        return adapted

    def _call(self, method: str, *arguments: Any, where: Callable[[], str] = str) -> Any:
        return registry.call_plugin(
            f"the solver {self.name}",
            getattr(self._solver, method),
            *arguments,
            remedy=f"Correct its method {method}.",
            passes=is_out_of_memory,  # for which the caller has a remedy
            where=where,
            source=self._solver,
        )

    def _failing(self, questions: Sequence[Question], scorings: Sequence[str]) -> str:
        """The first item that fails if it is asked about alone; if none does, all items that were asked about."""
        for question in questions:
            try:
                self._solver.score([question], scorings)
            except Exception:
                return f", asked about {question.item.id},"
        return f", asked about {len(questions)} items from {questions[0].item.id} to {questions[-1].item.id},"


def read_options(more: Mapping[str, str], *kinds: type) -> tuple[Any, ...]:
    """One dataclass of each kind (see `winoglot.settings`), filled from `--option` values; `-` stands for `_` in names.

    >>> from winoglot.models.servers.asking import Asking
    >>> read_options({"shots": "2", "top-p": "0.9"}, Asking)[0].shots
    2
    >>> read_options({"shot": "2"}, Asking)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    winoglot.errors.InputError: there is no option 'shot'. Did you mean 'shots'? Known: ...
    """
    names = {name.replace("_", "-") for kind in kinds for name in setting_names(kind)}
    if more and not names:
        remedy = "Leave it out: these models take no options."
        raise InputError(f"there is no option {next(iter(more))!r}", remedy=remedy)
    check_names(more, names, "there is no option")
    return tuple(with_settings(kind(), more, "--option") for kind in kinds)
