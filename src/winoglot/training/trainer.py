"""Steps of a training: a task's loss, gradients, new weights, and all that a checkpoint needs to continue exactly.

A task (`TrainingTask`) is a module with its data. The trainer takes its steps one by one; the learning rate, averaging
and the end of the training follow from the losses on the validation text (`after_validation`).

Whatever a step draws, it draws from a generator seeded by the training's seed and the step's number. So a training
that continues from a checkpoint does what it would have done anyway, and no generator needs to be stored.
"""

from __future__ import annotations

import hashlib
import math
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import torch

from winoglot.training.checkpoint import check_tensors
from winoglot.training.distributed import choose_precision
from winoglot.training.recipes import kind_module

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from winoglot.corpus.reading import Corpus
    from winoglot.training.distributed import Distributed
    from winoglot.training.recipes import Optimisation, Recipe

_DIVISOR = 4.0  # of the learning rate, after a validation without progress
_AVERAGING_AFTER = 5  # validations: averaging starts when the loss is above the best of all but the last five


@dataclass(frozen=True)
class StepResult:
    """The forward pass of a step."""

    objective: torch.Tensor | None  # what is minimised; None if its gradients have been added already, part by part
    loss: torch.Tensor  # the mean over the predictions, in nats, without regularisation terms
    tokens: int  # how many were predicted, by all processes
    state: tuple[torch.Tensor, ...] = ()  # what the next step starts with; columns of the batch are dimension 1
    rate: float = 1.0  # a factor for the learning rate of this step


class TrainingTask(Protocol):
    """A module with its data. Whatever a step draws comes from torch's generator, which the trainer seeds."""

    def plan(self, epoch: int) -> Sequence[Any]:
        """The steps of an epoch, the same ones whenever it is called."""
        ...

    def train(self, step: Any, state: tuple[torch.Tensor, ...]) -> StepResult:
        """The forward pass of a step, given the state after the previous step: None at the start of an epoch."""
        ...

    def validate(self) -> tuple[float, ...]:
        """The sum of the losses of this process's part of the validation data, and last how many there are.

        In between may come sums of whatever else is measured on the way.
        """
        ...


@dataclass(frozen=True)
class TrainingState:
    """How far training has come: everything that decides how it continues, besides weights and optimiser."""

    rate: float
    epoch: int = 0
    at: int = 0  # steps done in this epoch
    step: int = 0  # steps done in all
    tokens: int = 0
    seconds: float = 0.0
    losses: tuple[float, ...] = ()  # of each validation
    best: float = math.inf
    best_step: int = 0
    averaging: bool = False
    stopped: bool = False

    def to_json(self) -> dict[str, Any]:
        """The state as a checkpoint stores it."""
        return asdict(self) | {"best": self.best if self.losses else None}

    @classmethod
    def from_json(cls, recorded: dict[str, Any]) -> TrainingState:
        """The state that a checkpoint stored."""
        best = math.inf if recorded["best"] is None else recorded["best"]
        return cls(**(recorded | {"losses": tuple(recorded["losses"]), "best": best}))


def make_trainer(recipe: Recipe, corpus: Corpus, distributed: Distributed, *, seed: int, precision: str) -> Trainer:
    """The trainer of a recipe before its first step: weights drawn, nothing read."""
    kind = kind_module(recipe.kind)
    dtype = choose_precision(precision, distributed.device)
    torch.manual_seed(seed)
    module = kind.make_module(recipe, corpus.vocabulary).to(distributed.device)
    task = kind.make_task(module, recipe, corpus, seed, distributed.process, dtype)
    return Trainer(recipe, module, task, distributed, seed)


class Trainer:
    """A module in training: weights, optimiser, averages, the state between steps, the losses not yet reported."""

    def __init__(
        self, recipe: Optimisation, module: torch.nn.Module, task: TrainingTask, distributed: Distributed, seed: int
    ) -> None:
        """Start with the module's weights as they are."""
        self.recipe, self.module, self.task, self.distributed, self.seed = recipe, module, task, distributed, seed
        self.parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
        self.optimiser = make_optimiser(recipe, self.parameters)
        self.averages: Averages | None = None
        self.state: tuple[torch.Tensor, ...] = ()
        device = distributed.device
        self._losses = torch.zeros(2, dtype=torch.float64, device=device)  # sum and number since the last report
        self._bad = torch.zeros((), dtype=torch.int64, device=device)  # the first step that went wrong

    def take(self, step: Any, state: TrainingState, total_steps: int) -> TrainingState:
        """Take one step of the plan and return the state after it; nothing here waits for the device."""
        torch.manual_seed(_step_seed(self.seed, state.step))
        result = self.task.train(step, self.state)
        if result.objective is not None:
            result.objective.backward()  # type: ignore[no-untyped-call]
        self.distributed.average([parameter.grad for parameter in self.parameters if parameter.grad is not None])
        rate = learning_rate(self.recipe, state, total_steps) * result.rate
        norm = update_weights(self.optimiser, self.parameters, rate, self.recipe.clip)
        if state.averaging:
            self._start_averages().update()
        self.state = result.state
        loss = result.loss.double()
        self._losses += torch.stack([loss, torch.ones_like(loss)])
        wrong = ~(torch.isfinite(loss) & torch.isfinite(norm)) & (self._bad == 0)
        self._bad = torch.where(wrong, state.step + 1, self._bad)
        return replace(state, step=state.step + 1, at=state.at + 1, tokens=state.tokens + result.tokens)

    def bad_step(self) -> int:
        """The number of the first step whose loss or gradient was not a number; 0 if there is none."""
        step = int(self._bad)
        first = self.distributed.max(step)
        return step or first

    @property
    def has_losses(self) -> bool:
        """Whether steps were taken since the last call of `mean_loss`."""
        return bool(self._losses[1])

    def mean_loss(self) -> float:
        """The mean loss of the steps since the last call, over all processes."""
        losses = self._mean_losses()
        self._losses.zero_()
        total, count = losses.tolist()
        return float(total / count)

    def start_epoch(self) -> None:
        """Start an epoch with an empty state."""
        self.state = ()
        self._losses.zero_()

    def validate(self) -> tuple[float, ...]:
        """The mean loss on the validation data, with averaged weights if there are any, and what else is measured."""
        self.module.eval()
        with self._averaged(), torch.no_grad():
            *sums, count = self.distributed.sum(*self.task.validate())
        self.module.train()
        return tuple(total / count for total in sums)

    def weights(self) -> dict[str, torch.Tensor]:
        """The weights of the model to keep: averaged ones if there are any."""
        with self._averaged():
            return {name: value.detach().clone() for name, value in self._trainable().items()}

    def _trainable(self) -> dict[str, torch.Tensor]:
        """What a training changes: not frozen weights, nor the second name of those that two layers share."""
        parameters = dict(self.module.named_parameters())
        excluded = {name for name, _ in self.module.named_parameters(remove_duplicate=False)} - parameters.keys()
        excluded |= {name for name, value in parameters.items() if not value.requires_grad}
        return {name: value for name, value in self.module.state_dict().items() if name not in excluded}

    @property
    def averaged(self) -> int:
        """How many steps the averages are over."""
        return self.averages.count if self.averages else 0

    def tensors(self) -> dict[str, torch.Tensor]:
        """Everything that a checkpoint needs."""
        stored = {f"weights.{name}": value for name, value in self._trainable().items()}
        for number, optimiser_state in self.optimiser.state_dict()["state"].items():
            stored |= {f"optimiser.{number}.{name}": value for name, value in optimiser_state.items()}
        stored |= {
            f"state.{number}": self.distributed.gather_columns(columns) for number, columns in enumerate(self.state)
        }
        stored["losses."] = self._mean_losses()
        if self.averages:
            stored |= {f"average.{number}": mean for number, mean in enumerate(self.averages.means)}
        return stored

    def restore(self, tensors: dict[str, torch.Tensor], averaged: int, file: Path) -> None:
        """Continue from the tensors of a checkpoint; `averaged` is the number of steps that the averages are over."""
        groups: dict[str, dict[str, torch.Tensor]] = {}
        for key, value in tensors.items():
            group, _, name = key.partition(".")
            groups.setdefault(group, {})[name] = value
        check_tensors(groups.get("weights", {}), self._trainable(), file)
        self.module.load_state_dict(groups["weights"], strict=False)
        optimiser_states: dict[int, dict[str, torch.Tensor]] = {}
        for key, value in groups.get("optimiser", {}).items():
            parameter, _, name = key.partition(".")
            optimiser_states.setdefault(int(parameter), {})[name] = value
        self.optimiser.load_state_dict(self.optimiser.state_dict() | {"state": optimiser_states})
        states = groups.get("state", {})
        self.state = tuple(self.distributed.own_columns(states[str(number)]) for number in range(len(states)))
        self._losses = groups["losses"][""].to(self.distributed.device)
        if averaged:
            averages = self._start_averages()
            averages.count = averaged
            for number, mean in enumerate(averages.means):
                mean.copy_(groups["average"][str(number)])

    def _mean_losses(self) -> torch.Tensor:
        losses = self._losses.clone()
        self.distributed.average([losses])
        return losses

    def _start_averages(self) -> Averages:
        if self.averages is None:
            self.averages = Averages(self.parameters)
        return self.averages

    def _averaged(self) -> AbstractContextManager[None]:
        return self.averages.in_place() if self.averages else nullcontext()


def _step_seed(seed: int, step: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {step}".encode()).digest()[:8], "little") >> 1


# The schedule


def learning_rate(recipe: Optimisation, state: TrainingState, total_steps: int) -> float:
    """The learning rate of the next step."""
    if recipe.schedule != "cosine":
        return state.rate
    if state.step < recipe.warmup:
        return state.rate * (state.step + 1) / recipe.warmup
    share = (state.step - recipe.warmup) / max(1, total_steps - recipe.warmup)
    return state.rate * (0.1 + 0.45 * (1 + math.cos(math.pi * min(1.0, share))))


def after_validation(recipe: Optimisation, state: TrainingState, loss: float) -> TrainingState:
    """The state after a validation: a new best or not, another learning rate, averaging from here on, the end.

    >>> from winoglot.training.recipes import RECIPES
    >>> state = after_validation(RECIPES["lstm-small"], TrainingState(rate=20.0, step=100), 5.0)
    >>> after_validation(RECIPES["lstm-small"], state, 5.1).rate
    5.0
    """
    better = loss < state.best
    averaging = state.averaging
    if recipe.schedule == "average" and len(state.losses) > _AVERAGING_AFTER:
        averaging = averaging or loss > min(state.losses[:-_AVERAGING_AFTER])
    losses = (*state.losses, loss)
    best_at = losses.index(min(losses))
    return replace(
        state,
        losses=losses,
        best=min(loss, state.best),
        best_step=state.step if better else state.best_step,
        rate=state.rate / _DIVISOR if recipe.schedule == "divide" and not better else state.rate,
        averaging=averaging,
        stopped=len(losses) - 1 - best_at >= recipe.patience,
    )


# The optimiser


def make_optimiser(recipe: Optimisation, parameters: Sequence[torch.nn.Parameter]) -> torch.optim.Optimizer:
    """The optimiser of a recipe; it updates all weights in few calls, without waiting for the device."""
    decay = recipe.weight_decay
    if recipe.optimiser == "adagrad":
        start = recipe.accumulator
        return torch.optim.Adagrad(
            parameters, lr=recipe.rate, weight_decay=decay, initial_accumulator_value=start, foreach=True
        )
    if recipe.optimiser == "adamw":
        matrices = [parameter for parameter in parameters if parameter.dim() > 1]
        vectors = [parameter for parameter in parameters if parameter.dim() < 2]
        groups = [{"params": matrices, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=recipe.rate, betas=(0.9, 0.95), fused=True)
    return torch.optim.SGD(parameters, lr=recipe.rate, weight_decay=decay, fused=True)


def update_weights(
    optimiser: torch.optim.Optimizer, parameters: Sequence[torch.nn.Parameter], rate: float, clip: float
) -> torch.Tensor:
    """Update the weights by their gradients, clipped to the norm `clip` unless that is 0; return the norm before."""
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = torch.nn.utils.get_total_norm(gradients, foreach=True)
    if clip:
        torch.nn.utils.clip_grads_with_norm_(parameters, clip, norm, foreach=True)
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return norm


class Averages:
    """The mean of the weights over all steps since averaging started."""

    def __init__(self, parameters: Sequence[torch.nn.Parameter]) -> None:
        """Start with no steps."""
        self.parameters = list(parameters)
        self.means = [parameter.detach().clone() for parameter in parameters]
        self.count = 0

    def update(self) -> None:
        """Add the weights as they are now to the mean."""
        self.count += 1
        with torch.no_grad():
            torch._foreach_lerp_(self.means, [parameter.detach() for parameter in self.parameters], 1 / self.count)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """A block in which the module has the means as its weights."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def _swap(self) -> None:
        for number, parameter in enumerate(self.parameters):
            parameter.data, self.means[number] = self.means[number], parameter.data
