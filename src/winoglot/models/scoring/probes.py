"""Probes: what a scoring pass also shows of the model, namely the distribution at the pronoun and the last layer.

The distribution is that of the next token after the text before the pronoun or, if a model reads in both directions,
that of the token at one mask in the pronoun's place. Only the most probable tokens are kept, up to a joint probability
of 0.9: the rest is a long tail that says little (Holtzman et al. 2019).

The last layer is max-pooled: for each unit the maximum over the tokens of a text, without the special tokens around it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from winoglot.schemas.text import needs_space

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import torch

    from winoglot.schemas.model import Item

KEPT = 0.9  # the probability of the tokens that are kept
NO_PRONOUN = "the item has no text with a pronoun"
_MARGIN = 1e-4  # what a sum in float32 may be wrong by
ROWS = 64  # distributions that are computed at once: 64 MiB with a vocabulary of 262,144


def _nothing() -> np.ndarray:
    return np.empty(0, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Distribution:
    """The most probable tokens, the most probable first, and their probabilities, which sum to at least `KEPT`."""

    tokens: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    probabilities: np.ndarray = field(default_factory=_nothing)


@dataclass(frozen=True, eq=False)
class Probe:
    """What was seen of a model at one item; without a distribution, `note` says why."""

    distribution: Distribution = field(default_factory=Distribution)
    pooled: np.ndarray = field(default_factory=lambda: _nothing().reshape(0, 0))  # a row per text that was pooled
    sees_after: bool = False  # whether the distribution depends on the text after the pronoun
    note: str = ""


@dataclass(frozen=True)
class ProbeRequest:
    """What is wanted of a sequence besides its log probabilities; by default nothing."""

    after: int | None = None  # return the distribution of the token that follows this many tokens
    pool: int | None = None  # pool the states from this token to the end of the sequence


@dataclass(frozen=True, eq=False)
class ProbeResult:
    """The answer to a `ProbeRequest`."""

    distribution: Distribution | None = None
    pooled: np.ndarray | None = None


class Collector:
    """Collects the answers to requests from the states of each pass.

    Distributions are computed at the end, all together: for a few states, the output layer takes as long as reading its
    weights.
    """

    def __init__(self, requests: Sequence[ProbeRequest]) -> None:
        """Take one request per sequence."""
        self._requests = requests
        self._pooled: dict[int, np.ndarray] = {}
        self._states: list[torch.Tensor] = []
        self._owners: list[int] = []

    def add(self, states: torch.Tensor, paths: Mapping[int, np.ndarray]) -> None:
        """Look at the states of some sequences; a sequence's path has the row of each of its tokens."""
        import torch

        pooled = {n: path[self._requests[n].pool :] for n, path in paths.items() if self._requests[n].pool is not None}
        pooled = {n: path for n, path in pooled.items() if len(path)}
        if pooled:
            self._pooled.update(zip(pooled, max_pooled(states, list(pooled.values())), strict=True))
        rows = {n: int(path[after - 1]) for n, path in paths.items() if (after := self._requests[n].after) is not None}
        if rows:
            self._states.append(states[torch.tensor(list(rows.values()), device=states.device)])
            self._owners += rows

    def seen(self, distributions: Callable[[torch.Tensor], list[Distribution]]) -> list[ProbeResult]:
        """The result for each sequence; `distributions` is the model's output layer."""
        import torch

        results = distributions(torch.cat(self._states)) if self._states else []
        by_owner = dict(zip(self._owners, results, strict=True))
        return [ProbeResult(by_owner.get(number), self._pooled.get(number)) for number in range(len(self._requests))]


def hosts_of(
    contexts: Sequence[tuple[int, ...]], sequences: Sequence[Sequence[tuple[int, ...]]]
) -> dict[tuple[int, ...], tuple[int, ...]]:
    """A sequence of the same question that begins with each context, if there is one; none hosts two contexts.

    >>> hosts_of([(1, 2), (1, 5)], [[(1, 2, 3), (1, 2, 4)], [(1, 6), (1, 7)]])
    {(1, 2): (1, 2, 3)}
    """
    hosts: dict[tuple[int, ...], tuple[int, ...]] = {}
    taken: set[tuple[int, ...]] = set()
    for context, question_sequences in zip(contexts, sequences, strict=True):
        free = (
            sequence for sequence in question_sequences if sequence[: len(context)] == context and sequence not in taken
        )
        host = None if context in hosts else next(free, None)
        if host is not None:
            hosts[context] = host
            taken.add(host)
    return hosts


def causal_probe(
    item: Item, results: Sequence[ProbeResult], distribution: Distribution | None, fault: str = ""
) -> Probe:
    """The probe of an item, from what was seen of its readings in a model that reads from left to right."""
    pooled = [result.pooled for result in results if result.pooled is not None]
    if fault or distribution is None or len(pooled) < len(results):
        return Probe(note=fault or "the model cannot read the text")
    if item.pronoun is None:
        return Probe(pooled=np.stack(pooled), note=NO_PRONOUN)
    return Probe(distribution, np.stack(pooled))


def most_probable(logits: torch.Tensor) -> list[Distribution]:
    """The smallest set of most probable tokens with a joint probability of at least `KEPT`, for each row of logits.

    Sorting a whole vocabulary would take longer than computing it. So a lower bound that enough tokens reach is found
    first, in powers of ten, and only those tokens are sorted. Equally probable tokens are in the order of the
    vocabulary.

    >>> import torch
    >>> (distribution,) = most_probable(torch.tensor([[0.1, 0.55, 0.05, 0.3]]).log())
    >>> distribution.tokens.tolist(), [round(float(value), 2) for value in distribution.probabilities]
    ([1, 3, 0], [0.55, 0.3, 0.1])
    """
    import torch

    probabilities = torch.softmax(logits.float(), dim=1)
    bounds = torch.full((len(logits), 1), 1.0, device=logits.device)
    for _ in range(12):
        joint = torch.where(probabilities >= bounds, probabilities, 0.0).sum(dim=1, keepdim=True)
        is_too_small = joint < KEPT + _MARGIN
        if not is_too_small.any():
            break
        bounds = torch.where(is_too_small, bounds / 10, bounds)
    places = (probabilities >= bounds).nonzero(as_tuple=True)
    rows, tokens, values = (part.cpu().numpy() for part in (*places, probabilities[places]))
    ends = np.searchsorted(rows, np.arange(len(logits)), side="right")
    distributions = []
    for start, end in zip((0, *ends), ends, strict=False):
        order = np.argsort(-values[start:end], kind="stable")
        masses = np.cumsum(values[start:end][order], dtype=np.float64)
        order = start + order[: 1 + int(np.searchsorted(masses, KEPT))]
        distributions.append(Distribution(tokens[order].astype(np.int32), values[order]))
    return distributions


def max_pooled(states: torch.Tensor, paths: Sequence[np.ndarray]) -> np.ndarray:
    """The maximum of each unit over the rows of `states` whose numbers each path lists."""
    import torch

    longest = max(map(len, paths))
    rows = np.stack(
        [np.pad(path, (0, longest - len(path)), mode="edge") for path in paths]
    )  # repeating a row does no harm
    pooled: np.ndarray = states[torch.from_numpy(rows).to(states.device)].amax(dim=1).float().cpu().numpy()
    return pooled


def masked_text(item: Item, mask: str) -> str:
    """The text of an item with one mask in place of the whole pronoun, however many tokens it has.

    >>> from winoglot.schemas.model import Candidate, Item, Span
    >>> ana, eva = Candidate("Ana", mentions=(Span(0, 3),)), Candidate("Eva", mentions=(Span(8, 11),))
    >>> item = Item("a.0", "a", text="Ana viu Eva porque olhou.", pronoun=Span(19, 19), candidates=(ana, eva))
    >>> masked_text(item, "[MASK]")
    'Ana viu Eva porque [MASK] olhou.'
    """
    before, pronoun, after = item.parts
    if pronoun:
        return before + mask + after
    word = "x"  # stands for the mask: around an unspoken pronoun the text has only one space
    left, right = " " * needs_space(before, word), " " * needs_space(word, after)
    return before + left + mask + right + after
