"""Cross-entropy of a linear layer over a large vocabulary, computed in chunks of rows.

The logits of all tokens never exist at once. In training, the loss and the gradients of a chunk are computed in one
pass, so that its logits are computed once and then dropped. On a GPU, one kernel does the softmax of a chunk.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

# Bytes of logits in one chunk: what fits the caches of a processor, and what keeps a GPU busy.
_CHUNK_CPU, _CHUNK_GPU = 2**25, 2**29
_MIN_ROWS = 128  # with fewer rows, reading the weights takes longer than multiplying by them
_MULTIPLE = 64  # GPUs multiply matrices with such sides fastest
_BLOCK = 8192  # columns that the kernel reads at once


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
    loss: torch.Tensor = _LinearCrossEntropy.apply(hidden, weight, bias, targets, precision)  # type: ignore[no-untyped-call]
    return loss


@torch.no_grad()
def target_log_probabilities(
    hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """log softmax(hidden · weightᵀ + bias)[target] of each row."""
    result = torch.empty(len(hidden), dtype=hidden.dtype, device=hidden.device)
    for rows, logits in _chunks(hidden, len(weight), hidden.dtype):
        torch.addmm(bias, hidden[rows], weight.t(), out=logits)
        result[rows] = logits.gather(1, targets[rows, None])[:, 0] - logits.logsumexp(1)
    return result


def log_probabilities(
    hidden: torch.Tensor, weight: torch.Tensor, targets: torch.Tensor, precision: torch.dtype = torch.float32
) -> torch.Tensor:
    """log softmax(hidden · weightᵀ)[target] of each row, with gradients; matrices are multiplied in this precision.

    >>> log_probabilities(torch.ones(2, 3), torch.zeros(4, 3), torch.tensor([0, 3])).exp().tolist()
    [0.25, 0.25]
    """
    values: torch.Tensor = _LogProbabilities.apply(hidden, weight, targets, precision)  # type: ignore[no-untyped-call]
    return values


class _LogProbabilities(torch.autograd.Function):
    """Logits are dropped, and computed again only if the weights are trained: their gradient needs the logits."""

    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> torch.Tensor:
        hidden, weight, targets, precision = inputs
        rows, table = hidden.to(precision), weight.to(precision)
        losses = torch.empty(len(hidden), dtype=torch.float32, device=hidden.device)
        to_hidden = torch.empty_like(rows)  # as if the slope of every loss were 1
        for chunk, logits in _chunks(rows, len(table), precision):
            torch.mm(rows[chunk], table.t(), out=logits)
            losses[chunk] = _softmax_slopes(logits, targets[chunk])
            if ctx.needs_input_grad[0]:
                torch.mm(logits, table, out=to_hidden[chunk])
        ctx.save_for_backward(to_hidden, rows, weight, targets)
        ctx.type = hidden.dtype
        return -losses

    @staticmethod
    def backward(ctx: Any, *slopes: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        to_hidden, rows, weight, targets = ctx.saved_tensors
        by_row = -slopes[0].float()[:, None]
        to_weight: torch.Tensor | None = None
        if ctx.needs_input_grad[1]:
            table = weight.to(rows.dtype)
            scaled_rows = (rows * by_row).to(rows.dtype)
            for chunk, logits in _chunks(rows, len(table), rows.dtype):
                torch.mm(rows[chunk], table.t(), out=logits)
                _softmax_slopes(logits, targets[chunk])
                part = _product(logits.t(), scaled_rows[chunk])
                to_weight = part if to_weight is None else to_weight.add_(part)
        return (to_hidden * by_row).to(ctx.type), to_weight, None, None


def _softmax_slopes(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The losses of the rows; the logits become their gradients."""
    if logits.dtype == torch.float32:
        return _softmax(logits, targets, 1.0)
    in_low = _softmax_triton if logits.is_cuda and _kernel is not None else _softmax_low
    losses: torch.Tensor = in_low(logits, targets, logits.shape[1], 1.0)
    return losses


class _LinearCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> torch.Tensor:
        hidden, weight, bias, targets, precision = inputs
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
    for rows, logits in _chunks(hidden, len(weight), hidden.dtype):
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

    The bias is one more column of the weights, multiplied by a column of ones, so that neither it nor its gradient
    needs a pass of its own.
    """
    count, units = hidden.shape
    types = len(weight)
    width = _round_up(units + 1, 8)
    table = weight.new_zeros(_round_up(types, _MULTIPLE), width, dtype=precision)
    table[:types, :units] = weight
    table[:types, units] = bias
    inputs = hidden.new_zeros(count, width, dtype=precision)
    inputs[:, :units] = hidden
    inputs[:, units] = 1
    losses = hidden.new_empty(count, dtype=torch.float32)
    to_inputs = torch.empty_like(inputs)
    to_table: torch.Tensor | None = None
    softmax = _softmax_triton if hidden.is_cuda and _kernel is not None else _softmax_low
    for rows, logits in _chunks(hidden, len(table), precision):
        torch.mm(inputs[rows], table.t(), out=logits)
        losses[rows] = softmax(logits, targets[rows], types, 1 / count)
        torch.mm(logits, table, out=to_inputs[rows])
        part = _product(logits.t(), inputs[rows])
        to_table = part if to_table is None else to_table.add_(part)
    assert to_table is not None
    to_weight = to_table[:types, :units].to(weight.dtype)
    return losses.mean(), to_inputs[:, :units].to(hidden.dtype), to_weight, to_table[:types, units].to(bias.dtype)


def _chunks(hidden: torch.Tensor, types: int, precision: torch.dtype) -> Iterator[tuple[slice, torch.Tensor]]:
    """The rows of each chunk and a buffer for their logits: always the same one, since allocating takes time."""
    count = len(hidden)
    most = max(_MIN_ROWS, (_CHUNK_GPU if hidden.is_cuda else _CHUNK_CPU) // (types * precision.itemsize))
    size = -(-count // max(1, -(-count // most)))  # chunks of equal size, so that none is small
    buffer = torch.empty(size, types, dtype=precision, device=hidden.device)
    for start in range(0, count, max(1, size)):
        end = min(start + size, count)
        yield slice(start, end), buffer[: end - start]


def _softmax(logits: torch.Tensor, targets: torch.Tensor, scale: float) -> torch.Tensor:
    """The losses of the rows; the logits become their gradient times `scale`, in place and in few passes."""
    columns = targets[:, None]
    at_target = logits.gather(1, columns)
    highest = logits.amax(1, keepdim=True)
    totals = logits.sub_(highest).exp_().sum(1, keepdim=True)
    logits.mul_(scale / totals)
    logits.scatter_add_(1, columns, logits.new_full((1, 1), -scale).expand_as(columns))
    return (highest + totals.log() - at_target)[:, 0]


def _softmax_low(logits: torch.Tensor, targets: torch.Tensor, types: int, scale: float) -> torch.Tensor:
    """`_softmax` for low precision; the columns after `types`, which only round up the width, become 0."""
    exact = logits[:, :types].float()
    losses = _softmax(exact, targets, scale)
    logits.zero_()
    logits[:, :types] = exact
    return losses


def _product(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """The product in float32, on a GPU without rounding in between, since the chunks are summed."""
    if left.is_cuda and left.dtype != torch.float32 and torch.__version__ >= "2.9":  # torch compares it as a version
        product: torch.Tensor = torch.mm(left, right, out_dtype=torch.float32)  # type: ignore[call-overload,unused-ignore]
        return product
    return (left @ right).float()


def _round_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple


# `_softmax` on a GPU, where its operations of `_softmax` would read and write the logits six times.
_kernel: Any = None

if find_spec("triton") is not None:  # it comes with torch for GPUs
    import triton  # type: ignore[import-not-found,unused-ignore]
    import triton.language as tl  # type: ignore[import-not-found,unused-ignore]

    @triton.jit  # type: ignore[untyped-decorator,unused-ignore]
    def _kernel(logits, targets, losses, scale, types, width, block: tl.constexpr):  # type: ignore[no-untyped-def]
        row = logits + tl.program_id(0).to(tl.int64) * width
        target = tl.load(targets + tl.program_id(0))
        wanted = tl.load(row + target).to(tl.float32)  # before the row is overwritten
        highest = -float("inf")
        total = 0.0
        for start in range(0, types, block):
            places = start + tl.arange(0, block)
            values = tl.load(row + places, mask=places < types, other=-float("inf")).to(tl.float32)
            higher = tl.maximum(highest, tl.max(values))
            total = total * tl.exp(highest - higher) + tl.sum(tl.exp(values - higher))
            highest = higher
        level = highest + tl.log(total)
        tl.store(losses + tl.program_id(0), level - wanted)
        for start in range(0, width, block):
            places = start + tl.arange(0, block)
            values = tl.load(row + places, mask=places < types, other=-float("inf")).to(tl.float32)
            slope = (tl.exp(values - level) - tl.where(places == target, 1.0, 0.0)) * scale
            tl.store(row + places, slope.to(logits.dtype.element_ty), mask=places < width)


def _softmax_triton(logits: torch.Tensor, targets: torch.Tensor, types: int, scale: float) -> torch.Tensor:
    losses = torch.empty(len(logits), dtype=torch.float32, device=logits.device)
    grid = (len(logits),)
    _kernel[grid](logits, targets, losses, scale, types, logits.stride(0), block=_BLOCK, num_warps=16)
    return losses
