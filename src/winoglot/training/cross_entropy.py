"""Cross-entropy of a linear layer over a large vocabulary, in pieces: never are there logits of all tokens at once.

In training, loss and gradients of a piece are made in one pass, so that its logits are made once and then forgotten.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import torch

from winoglot.training._softmax_kernel import is_available, softmax_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

# Bytes of logits at once: what stays in a processor's caches; what keeps a GPU busy.
_PIECE_CPU, _PIECE_GPU = 2**25, 2**29
_FEWEST_ROWS = 128  # with fewer, reading the weights takes longer than multiplying by them
_MULTIPLE = 64  # matrices with such sides go the fast way through a GPU


def linear_cross_entropy(
    hidden: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    targets: torch.Tensor,
    precision: torch.dtype = torch.float32,
) -> torch.Tensor:
    """The mean over all rows of `hidden` of −log softmax(hidden · weightᵀ + bias)[target].

    >>> hidden, weight = torch.ones(3, 2), torch.zeros(5, 2)
    >>> round(float(linear_cross_entropy(hidden, weight, torch.zeros(5), torch.tensor([0, 1, 4]))), 4)  # log 5
    1.6094
    """
    given = (hidden, weight, bias, targets, precision)
    found: torch.Tensor = _LinearCrossEntropy.apply(*given)  # type: ignore[no-untyped-call]
    return found


@torch.no_grad()
def target_log_probabilities(
    hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """log softmax(hidden · weightᵀ + bias)[target] of each row."""
    found = torch.empty(len(hidden), dtype=hidden.dtype, device=hidden.device)
    for rows, logits in _pieces(hidden, len(weight), hidden.dtype):
        torch.addmm(bias, hidden[rows], weight.t(), out=logits)
        found[rows] = logits.gather(1, targets[rows, None])[:, 0] - logits.logsumexp(1)
    return found


class _LinearCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *given: Any) -> torch.Tensor:
        hidden, weight, bias, targets, precision = given
        if precision == torch.float32:
            loss, *gradients = _in_float32(hidden, weight, bias, targets)
        else:
            loss, *gradients = _in_low_precision(hidden, weight, bias, targets, precision)
        ctx.save_for_backward(*gradients)
        return loss

    @staticmethod
    def backward(ctx: Any, *slopes: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return (*(gradient * slopes[0] for gradient in ctx.saved_tensors), None, None)


def _in_float32(
    hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    count = len(hidden)
    losses = hidden.new_empty(count)
    to_hidden, to_weight, to_bias = torch.empty_like(hidden), torch.zeros_like(weight), torch.zeros_like(bias)
    for rows, logits in _pieces(hidden, len(weight), hidden.dtype):
        torch.addmm(bias, hidden[rows], weight.t(), out=logits)
        losses[rows] = _softmax(logits, targets[rows], 1 / count)
        torch.mm(logits, weight, out=to_hidden[rows])
        to_weight.addmm_(logits.t(), hidden[rows])
        to_bias += logits.sum(0)
    return losses.mean(), to_hidden, to_weight, to_bias


def _in_low_precision(
    hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor, precision: torch.dtype
) -> tuple[torch.Tensor, ...]:
    """Matrices are multiplied in low precision; sums over rows and the losses stay in float32.

    The bias is one more column, met by a column of ones: so it costs no pass of its own, nor does its gradient.
    """
    count, units = hidden.shape
    types = len(weight)
    width = _rounded(units + 1, 8)
    table = weight.new_zeros(_rounded(types, _MULTIPLE), width, dtype=precision)
    table[:types, :units] = weight
    table[:types, units] = bias
    rows_in = hidden.new_zeros(count, width, dtype=precision)
    rows_in[:, :units] = hidden
    rows_in[:, units] = 1
    losses = hidden.new_empty(count, dtype=torch.float32)
    to_hidden = torch.empty_like(rows_in)
    to_table: torch.Tensor | None = None
    in_place = softmax_rows if hidden.is_cuda and is_available() else _softmax_low
    for rows, logits in _pieces(hidden, len(table), precision):
        torch.mm(rows_in[rows], table.t(), out=logits)
        losses[rows] = in_place(logits, targets[rows], types, 1 / count)
        torch.mm(logits, table, out=to_hidden[rows])
        part = _product(logits.t(), rows_in[rows])
        to_table = part if to_table is None else to_table.add_(part)
    assert to_table is not None
    to_weight = to_table[:types, :units].to(weight.dtype)
    return losses.mean(), to_hidden[:, :units].to(hidden.dtype), to_weight, to_table[:types, units].to(bias.dtype)


def _product(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """The product in float32, from a GPU without rounding on the way, since pieces are summed up."""
    if left.is_cuda and _knows_out_dtype():
        found: torch.Tensor = torch.mm(left, right, out_dtype=torch.float32)  # type: ignore[call-overload,unused-ignore]
        return found
    return (left @ right).float()


@cache
def _knows_out_dtype() -> bool:
    return tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 9)


def _softmax(logits: torch.Tensor, targets: torch.Tensor, scale: float) -> torch.Tensor:
    """The losses of the rows; the logits become their gradient, in place and in few passes."""
    wanted = targets[:, None]
    at_target = logits.gather(1, wanted)
    highest = logits.amax(1, keepdim=True)
    totals = logits.sub_(highest).exp_().sum(1, keepdim=True)
    logits.mul_(scale / totals)
    logits.scatter_add_(1, wanted, logits.new_full((1, 1), -scale).expand_as(wanted))
    return (highest + totals.log() - at_target)[:, 0]


def _softmax_low(logits: torch.Tensor, targets: torch.Tensor, types: int, scale: float) -> torch.Tensor:
    exact = logits[:, :types].float()
    losses = _softmax(exact, targets, scale)
    logits.zero_()
    logits[:, :types] = exact
    return losses


def _pieces(hidden: torch.Tensor, types: int, precision: torch.dtype) -> Iterator[tuple[slice, torch.Tensor]]:
    """Rows of one piece after the other, and room for their logits: the same room, since new memory costs time."""
    count = len(hidden)
    most = max(_FEWEST_ROWS, (_PIECE_GPU if hidden.is_cuda else _PIECE_CPU) // (types * precision.itemsize))
    size = -(-count // max(1, -(-count // most)))  # pieces of one size, none of them small
    room = torch.empty(size, types, dtype=precision, device=hidden.device)
    for start in range(0, count, max(1, size)):
        end = min(start + size, count)
        yield slice(start, end), room[: end - start]


def _rounded(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple
