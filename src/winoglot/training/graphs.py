"""A step's loss and gradients on a GPU, recorded once for each length and then replayed.

An LSTM is over a thousand small pieces of work a step, and to hand them over one by one takes longer than to do them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from winoglot.training.base import Share
    from winoglot.training.language_model import LanguageModel, State

_MOST = 96  # recordings; lengths that are drawn seldom are not worth one


@dataclass(frozen=True)
class _Recording:
    graph: torch.cuda.CUDAGraph
    tokens: torch.Tensor  # where it reads them from, [length + 1, columns]
    objective: torch.Tensor
    loss: torch.Tensor


class GraphedLoss:
    """Computes what `LanguageModel.loss` does; random numbers are those of the generator as it stands at the call."""

    def __init__(self, module: LanguageModel, precision: torch.dtype, share: Share) -> None:
        """Nothing is recorded yet."""
        self.module, self.precision, self.share = module, precision, share
        self.parameters = [one for one in module.parameters() if one.requires_grad]
        self.gradients = [torch.empty_like(one) for one in self.parameters]
        self.state: State = ()
        self.recordings: dict[int, _Recording] = {}
        self.met: set[int] = set()

    def __call__(self, tokens: torch.Tensor, state: State) -> tuple[torch.Tensor, torch.Tensor, State]:
        """For tokens [length + 1, columns], each but the last given and each but the first foreseen."""
        length = len(tokens) - 1
        if length not in self.recordings and (length not in self.met or len(self.recordings) == _MOST):
            self.met.add(length)  # the first time, kernels are chosen and made, which cannot be recorded
            tokens = tokens.to(self.module.bias.device, non_blocking=True)
            return self.module.loss(tokens[:-1], tokens[1:], state, precision=self.precision, share=self.share)
        self._put_state(state, tokens.shape[1])
        if length not in self.recordings:
            self.recordings[length] = self._record(tokens)
        recording = self.recordings[length]
        recording.tokens.copy_(tokens, non_blocking=True)
        recording.graph.replay()
        given = (recording.objective, self.gradients, *self.parameters)
        objective = _Replayed.apply(*given)  # type: ignore[no-untyped-call]
        return objective, recording.loss, self.state

    def _put_state(self, state: State, columns: int) -> None:
        """Where recordings read it and leave the next one."""
        if not self.state:
            shapes = [one for layer in self.module.body.layers for one in layer.start(columns)]  # type: ignore[union-attr]
            self.state = tuple(torch.zeros_like(one, dtype=self.precision) for one in shapes)
        for own, given in zip(self.state, state or (None,) * len(self.state), strict=True):
            if given is None:
                own.zero_()
            elif given is not own:
                own.copy_(given)

    def _record(self, tokens: torch.Tensor) -> _Recording:
        device = self.module.bias.device
        numbers = torch.cuda.get_rng_state(device)
        own = torch.empty(tokens.shape, dtype=tokens.dtype, device=device)
        graph = torch.cuda.CUDAGraph()
        # Recordings share their memory: they are never replayed side by side, and what they leave is used at once.
        pool = next(iter(self.recordings.values())).graph.pool() if self.recordings else None
        own.copy_(tokens)
        with torch.cuda.graph(graph, pool=pool):
            # The same weights under other names: gradients of the parameters themselves may be awaited elsewhere.
            weights = {f"model.{name}": one.detach().requires_grad_() for name, one in self.module.named_parameters()}
            given = (own[:-1], own[1:], self.state)
            more = {"precision": self.precision, "share": self.share}
            objective, loss, after = torch.func.functional_call(_Loss(self.module), weights, given, more)
            torch._foreach_copy_(self.gradients, list(torch.autograd.grad(objective, list(weights.values()))))
            torch._foreach_copy_(list(self.state), list(after))
        torch.cuda.set_rng_state(numbers, device)
        return _Recording(graph, own, objective.detach(), loss)


class _Loss(torch.nn.Module):
    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, *given: Any, **more: Any) -> tuple[torch.Tensor, torch.Tensor, State]:
        return self.model.loss(*given, **more)


class _Replayed(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *given: Any) -> torch.Tensor:
        objective, ctx.gradients, *_ = given
        found: torch.Tensor = objective.clone()
        return found

    @staticmethod
    def backward(ctx: Any, *slopes: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return (None, None, *torch._foreach_mul(ctx.gradients, slopes[0]))
