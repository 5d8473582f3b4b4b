"""What is asked: which models, about which collections, and how.

`RunSpec` is the one description behind `wg.evaluate`, the command line, experiment files, `analyse` and fine-tuning; it
is checked when it is made. `session` carries it out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, InstanceOf, field_validator
from pydantic.dataclasses import dataclass

from winoglot.errors import InputError, check_argument, describe, did_you_mean
from winoglot.models.base import Options, Solver, as_solver, load_model
from winoglot.models.naming import ModelName, model_name
from winoglot.perturb.base import ALL, named_kinds
from winoglot.perturb.renamed.draws import check_draws
from winoglot.runs.settings import FALLBACKS, STYLES, RunSettings
from winoglot.schemas.model import ORIGINAL, Collection
from winoglot.schemas.validation import checked_values

if TYPE_CHECKING:
    from winoglot.runs.questions import QuestionSet

_CHECKED = ConfigDict(strict=True)


@dataclass(frozen=True, config=_CHECKED)
class ModelSpec:
    """A model to ask: its name and address or, in Python, a solver that is loaded already."""

    name: InstanceOf[ModelName]
    options: InstanceOf[Options] = field(default_factory=Options)
    scorings: tuple[str, ...] = ()  # instead of those that all models are asked for
    solver: InstanceOf[Solver] | None = None

    @classmethod
    def of(cls, model: object, options: Options) -> ModelSpec:
        """A model as a caller names it; InputError if it is neither a name nor a solver."""
        if isinstance(model, str):
            return cls(model_name(model), options)
        if not is_model(model):
            remedy = 'Give a name such as "gemma-3-270m" or "causal:FOLDER", a solver, or a list of them.'
            raise InputError(f"expected a model, found {describe(model)}", remedy=remedy)
        solver = as_solver(model)
        return cls(ModelName(solver.name, solver.address or solver.name), options, solver=solver)

    @property
    def recorded_options(self) -> Mapping[str, str]:
        """The options of its family, which a run records; none for a solver that is loaded already."""
        return {} if self.solver else self.options.more

    def load(self) -> Solver:
        """Load the solver, unless it is loaded already."""
        return self.solver or load_model(str(self.name), self.options)


class QuestionSource(ABC):
    """What models can be asked about besides a collection of schemas."""

    name: str

    @abstractmethod
    def questions(self, solver: Solver, scoring: str | None) -> QuestionSet:
        """The questions as the solver is asked them, by its default scoring unless one is named.

        A solver that cannot answer them is an input error.
        """


@dataclass(frozen=True, config=_CHECKED)
class RunSpec(RunSettings):
    """Models, collections, and the settings by which every model is asked about every collection."""

    collections: tuple[InstanceOf[Collection], ...] = ()
    sources: tuple[InstanceOf[QuestionSource], ...] = ()  # of other questions, such as those about pairs
    models: tuple[ModelSpec, ...] = ()
    kinds_by_collection: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # instead of `kinds`, by name
    takes_first_default: bool = False  # of a model's default scorings: one run, not one for each of its prompts
    probes: tuple[str, ...] = ()  # the kinds of items, ORIGINAL for the items themselves, to probe models at
    tolerance: float = 1e-6  # scores closer than this are tied, which is an abstention

    def __post_init__(self) -> None:
        """Let `all` stand for the kinds that each collection can have."""
        if ALL in self.kinds:
            others = (c for c in self.collections if c.name not in self.kinds_by_collection)
            kinds = {c.name: named_kinds(c, self.kinds) for c in others}
            object.__setattr__(self, "kinds_by_collection", kinds | dict(self.kinds_by_collection))

    @classmethod
    def checked(cls, **values: Any) -> RunSpec:
        """The spec with these values; whatever is wrong with one of them is an InputError."""
        return checked_values(cls, values)

    def changed(self, **values: Any) -> RunSpec:
        """The spec with some values changed, and checked."""
        return self.checked(**{spec_field.name: getattr(self, spec_field.name) for spec_field in fields(self)} | values)

    @field_validator("scorings", mode="before")
    @classmethod
    def _scorings(cls, names: object) -> object:
        return _name_tuple("scorings", names)

    @field_validator("readings", mode="before")
    @classmethod
    def _styles(cls, names: object) -> object:
        if names is None:
            check_argument(names, str, "a style of readings", f"Write {' or '.join(map(repr, STYLES))}.")
        return _name_tuple("readings", names)

    @field_validator("fallback", mode="before")
    @classmethod
    def _fallback(cls, fallback: object) -> object:
        if fallback not in FALLBACKS:
            raise InputError(f"unknown fallback {fallback!r}", remedy=did_you_mean(str(fallback), FALLBACKS))
        return fallback

    @field_validator("kinds", mode="before")
    @classmethod
    def _kinds(cls, names: object) -> object:
        return _name_tuple("kinds", names)

    @field_validator("limit", mode="before")
    @classmethod
    def _limit(cls, limit: object) -> object:
        check_limit(limit)
        return limit

    @field_validator("renamed", mode="before")
    @classmethod
    def _draws(cls, number: object) -> object:
        check_draws(number)
        return number

    @field_validator("seed", mode="before")
    @classmethod
    def _seed(cls, seed: object) -> object:
        check_argument(seed, int, "a whole number as seed", "The default is 0.")
        return seed

    @field_validator("allow_overlap", mode="before")
    @classmethod
    def _overlap(cls, allowed: object) -> object:
        check_argument(allowed, bool, "True or False as allow_overlap", "The default is False.")
        return allowed

    def kinds_for(self, collection: Collection) -> tuple[str, ...]:
        """The kinds of variants that are asked of a collection."""
        return self.kinds_by_collection.get(collection.name, self.kinds)

    def probed(self, kinds: Iterable[str]) -> set[str]:
        """Which of the originals and these kinds are probed."""
        return {ORIGINAL, *kinds} & set(self.probes)


EXAMPLES = {"kinds": "switched", "readings": "grammatical", "scorings": "full"}


def _name_tuple(what: str, names: object) -> tuple[str, ...]:
    """The names, each once, as a tuple: of none, one or several.

    >>> [_name_tuple("kinds", names) for names in ("switched", ["switched", "tense", "switched"], None)]
    [('switched',), ('switched', 'tense'), ()]
    """
    listed = () if names is None else (names,) if isinstance(names, str) else names
    if not isinstance(listed, Iterable) or isinstance(listed, bytes):
        listed = (listed,)
    listed = tuple(listed)
    if not all(isinstance(name, str) for name in listed):
        raise InputError(
            f"expected names of {what}, found {describe(names)}", remedy=f'Write {what}=["{EXAMPLES[what]}"].'
        )
    return tuple(dict.fromkeys(listed))


def check_limit(limit: object) -> None:
    """Refuse a limit that is not a positive whole number."""
    if limit is None:
        return
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise InputError(
            f"the limit {describe(limit)} is not a whole number", remedy="Give a number of schemas, such as 20."
        )
    if limit < 1:
        raise InputError(f"a limit of {limit} leaves nothing to ask", remedy="Give a number of schemas, at least 1.")


def is_model(value: object) -> bool:
    """Whether a value stands for a model: a name, or a solver, which need not extend `Solver`."""
    return isinstance(value, str) or all(hasattr(value, name) for name in ("score", "scorings", "fingerprint"))
