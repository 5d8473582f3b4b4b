"""The loss and gradients of a step on a GPU, recorded once for each length as a CUDA graph and then replayed.

A step of an LSTM is more than a thousand small kernels, and launching them one by one takes longer than running them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from winoglot.training.distributed import Process
    from winoglot.training.networks import LanguageModel, State

_MAX_RECORDINGS = 96  # rare lengths are not worth a recording


@dataclass(frozen=True)
class _Recording:
    graph: torch.cuda.CUDAGraph
    tokens: torch.Tensor  # where the graph reads them, [length + 1, columns]
    objective: torch.Tensor
    loss: torch.Tensor


class GraphedLoss:
    """Computes what `LanguageModel.loss` does, with the random numbers that it would draw."""

    def __init__(self, module: LanguageModel, precision: torch.dtype, process: Process) -> None:
        """Start without recordings."""
        self.module, self.precision, self.process = module, precision, process
        self.parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
        self.gradients = [torch.empty_like(parameter) for parameter in self.parameters]
        self.state: State = ()
        self.recordings: dict[int, _Recording] = {}
        self._met: set[int] = set()

    def __call__(self, tokens: torch.Tensor, state: State) -> tuple[torch.Tensor, torch.Tensor, State]:
        """Objective, loss and next state for tokens [length + 1, columns]: the last ones are predicted only."""
        length = len(tokens) - 1
        if length not in self.recordings and (length not in self._met or len(self.recordings) == _MAX_RECORDINGS):
            self._met.add(length)  # the first time, kernels are chosen and compiled, which cannot be recorded
            tokens = tokens.to(self.module.bias.device, non_blocking=True)
            return self.module.loss(tokens[:-1], tokens[1:], state, precision=self.precision, process=self.process)
        self._put_state(state, tokens.shape[1])
        if length not in self.recordings:
            self.recordings[length] = self._record(tokens)
        recording = self.recordings[length]
        recording.tokens.copy_(tokens, non_blocking=True)
        recording.graph.replay()
        inputs = (recording.objective, self.gradients, *self.parameters)
        objective = _Replayed.apply(*inputs)  # type: ignore[no-untyped-call]
        return objective, recording.loss, self.state

    def _put_state(self, state: State, columns: int) -> None:
        """Copy the state to where recordings read it and write the next one."""
        if not self.state:
            shapes = [tensor for layer in self.module.body.layers for tensor in layer.start(columns)]  # type: ignore[union-attr]
            self.state = tuple(torch.zeros_like(tensor, dtype=self.precision) for tensor in shapes)
        for target, source in zip(self.state, state or (None,) * len(self.state), strict=True):
            if source is None:
                target.zero_()
            elif source is not target:
                target.copy_(source)

    def _record(self, tokens: torch.Tensor) -> _Recording:
        device = self.module.bias.device
        numbers = torch.cuda.get_rng_state(device)
        buffer = torch.empty(tokens.shape, dtype=tokens.dtype, device=device)
        graph = torch.cuda.CUDAGraph()
        # Recordings share their memory: they never run side by side, and their results are used at once.
        pool = next(iter(self.recordings.values())).graph.pool() if self.recordings else None
        buffer.copy_(tokens)
        with torch.cuda.graph(graph, pool=pool):
            # Detached copies of the same weights: other code may wait for gradients of the parameters themselves.
            weights = {
                f"model.{name}": parameter.detach().requires_grad_()
                for name, parameter in self.module.named_parameters()
            }
            inputs = (buffer[:-1], buffer[1:], self.state)
            options = {"precision": self.precision, "process": self.process}
            objective, loss, next_state = torch.func.functional_call(_Loss(self.module), weights, inputs, options)
            torch._foreach_copy_(self.gradients, list(torch.autograd.grad(objective, list(weights.values()))))
            torch._foreach_copy_(list(self.state), list(next_state))
        torch.cuda.set_rng_state(numbers, device)
        return _Recording(graph, buffer, objective.detach(), loss)


class _Loss(torch.nn.Module):
    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, *inputs: Any, **options: Any) -> tuple[torch.Tensor, torch.Tensor, State]:
        return self.model.loss(*inputs, **options)


class _Replayed(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> torch.Tensor:
        objective, ctx.gradients, *_ = inputs
        result: torch.Tensor = objective.clone()
        return result

    @staticmethod
    def backward(ctx: Any, *slopes: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return (None, None, *torch._foreach_mul(ctx.gradients, slopes[0]))
