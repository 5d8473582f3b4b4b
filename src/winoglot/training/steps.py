"""Steps of a training: forward, backward, new weights; and all that must be kept to go on with them exactly.

Whatever a step draws, it draws from a generator seeded by the training's seed and the step's number. So a training
that goes on from a checkpoint does what it would have done, and its random numbers need not be kept.
"""

from __future__ import annotations

import hashlib
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from winoglot.training.checkpoint import check_tensors
from winoglot.training.optimise import Averages, make_optimiser, optimiser_tensors, restore_optimiser, take_step
from winoglot.training.schedule import step_rate

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from winoglot.training.base import Task
    from winoglot.training.recipes import Recipe
    from winoglot.training.schedule import Course
    from winoglot.training.together import Together


class Steps:
    """A module on its way: weights, optimiser, averages, the state between steps, the losses not yet looked at."""

    def __init__(self, recipe: Recipe, module: torch.nn.Module, task: Task, together: Together, seed: int) -> None:
        """Nothing is done yet."""
        self.recipe, self.module, self.task, self.together, self.seed = recipe, module, task, together, seed
        self.parameters = [one for one in module.parameters() if one.requires_grad]
        self.optimiser = make_optimiser(recipe, self.parameters)
        self.averages: Averages | None = None
        self.state: tuple[torch.Tensor, ...] = ()
        device = together.device
        self._losses = torch.zeros(2, dtype=torch.float64, device=device)  # their sum since last looked at, and number
        self._bad = torch.zeros((), dtype=torch.int64, device=device)  # the first step that went wrong

    def take(self, step: Any, course: Course, steps_in_all: int) -> Course:
        """One step of the plan, and the course after it; nothing here waits for the device."""
        torch.manual_seed(_step_seed(self.seed, course.step))
        outcome = self.task.train(step, self.state)
        outcome.objective.backward()  # type: ignore[no-untyped-call]
        self.together.average([one.grad for one in self.parameters if one.grad is not None])
        rate = step_rate(self.recipe, course, steps_in_all) * outcome.rate
        norm = take_step(self.optimiser, self.parameters, rate, self.recipe.clip)
        if course.averaging:
            self._begin_averages().update()
        self.state = outcome.state
        loss = outcome.loss.double()
        self._losses += torch.stack([loss, torch.ones_like(loss)])
        wrong = ~(torch.isfinite(loss) & torch.isfinite(norm)) & (self._bad == 0)
        self._bad = torch.where(wrong, course.step + 1, self._bad)
        return replace(course, step=course.step + 1, at=course.at + 1, tokens=course.tokens + outcome.tokens)

    def bad_step(self) -> int:
        """The number of the first step whose loss or gradient was not a number; 0 if there is none."""
        own = int(self._bad)
        others = self.together.largest(own)
        return own or others

    def mean_loss(self) -> float:
        """Of the steps since it was last asked for, over all processes."""
        losses = self._mean_losses()
        self._losses.zero_()
        total, count = losses.tolist()
        return float(total / count)

    def begin_epoch(self) -> None:
        """Forget what was read."""
        self.state = ()
        self._losses.zero_()

    def validate(self) -> float:
        """The mean loss on the validation text, of the averaged weights where there are such."""
        self.module.eval()
        with self.averaged(), torch.no_grad():
            loss, count = self.together.total(*self.task.validate())
        self.module.train()
        return loss / count

    def averaged(self) -> AbstractContextManager[None]:
        """Within, the module has averaged weights, where there are such."""
        return self.averages.in_place() if self.averages else nullcontext()

    def weights(self) -> dict[str, torch.Tensor]:
        """Those to be kept as a model."""
        with self.averaged():
            return {name: value.detach().clone() for name, value in self.module.state_dict().items()}

    def tensors(self) -> dict[str, torch.Tensor]:
        """Everything, for a checkpoint."""
        found = {f"weights.{name}": value for name, value in self.module.state_dict().items()}
        found |= {f"optimiser.{name}": value for name, value in optimiser_tensors(self.optimiser).items()}
        found |= {f"state.{number}": self.together.columns(one) for number, one in enumerate(self.state)}
        found["losses."] = self._mean_losses()
        if self.averages:
            found |= {f"average.{number}": mean for number, mean in enumerate(self.averages.means)}
        return found

    def restore(self, tensors: dict[str, torch.Tensor], averaged: int, file: Path) -> None:
        """From the tensors of a checkpoint, with averages over so many steps."""
        groups: dict[str, dict[str, torch.Tensor]] = {}
        for key, value in tensors.items():
            group, _, name = key.partition(".")
            groups.setdefault(group, {})[name] = value
        check_tensors(groups.get("weights", {}), self.module.state_dict(), file)
        self.module.load_state_dict(groups["weights"])
        restore_optimiser(self.optimiser, groups.get("optimiser", {}))
        states = groups.get("state", {})
        self.state = tuple(self.together.own_columns(states[str(number)]) for number in range(len(states)))
        self._losses = groups["losses"][""].to(self.together.device)
        if averaged:
            averages = self._begin_averages()
            averages.count = averaged
            for number, mean in enumerate(averages.means):
                mean.copy_(groups["average"][str(number)])

    def _mean_losses(self) -> torch.Tensor:
        losses = self._losses.clone()
        self.together.average([losses])
        return losses

    def _begin_averages(self) -> Averages:
        if self.averages is None:
            self.averages = Averages(self.parameters)
        return self.averages


def _step_seed(seed: int, step: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {step}".encode()).digest()[:8], "little") >> 1
