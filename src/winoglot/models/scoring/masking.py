"""Clozes: which tokens of a reading are hidden from a masked language model, and how probable it finds them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.languages.text import word_spans
from winoglot.models.scoring.framing import TokenRow, batches, tensors
from winoglot.models.scoring.probes import ProbeResult, max_pooled, most_probable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import torch

    from winoglot.models.scoring.framing import FramedText
    from winoglot.schemas.model import Reading

    Gap = tuple[TokenRow, int, int]  # a row whose tokens from one position up to another are hidden

_TOLERANCE = 1e-3


@dataclass(frozen=True)
class Cloze:
    """A token to be predicted at a position of a row whose tokens from `start` up to `stop` are hidden.

    The copy of the row with the gap is made together with its batch: a text of n tokens needs n copies.
    """

    row: TokenRow
    start: int
    stop: int
    at: int
    token: int


@dataclass(frozen=True)
class Mask:
    """The only mask of a row, at a position, and the row's tokens from `first` up to `last` that are the text's own."""

    row: TokenRow
    at: int
    first: int
    last: int


def candidate_clozes(
    readings: Sequence[Reading], texts: Sequence[FramedText], mask: int
) -> tuple[tuple[Cloze, ...], ...]:
    """For each reading the tokens of its candidate, all hidden at once.

    The gap is already in the rows, so that candidates with the same number of tokens share one.
    """
    made = []
    for text, (first, last) in zip(texts, candidate_spans(readings, texts), strict=True):
        start, stop = text.opening + first, text.opening + last
        row = hide(text.row, start, stop, mask)
        made.append(tuple(Cloze(row, start, stop, at, text.row.ids[at]) for at in range(start, stop)))
    return tuple(made)


def candidate_spans(readings: Sequence[Reading], texts: Sequence[FramedText]) -> list[tuple[int, int]]:
    """The tokens of each reading, first and end, that are hidden so that all readings show the same rest.

    These are the tokens of the insertion; a token that reaches beyond its edge is hidden too, since no letter of the
    insertion may stay visible. Whatever else differs between the readings is hidden in all of them, since it would give
    the candidate away or favour it: *qu'* of *qu'Anne* beside *que Julie*, *were* of *the citizens were* beside *the
    government was*. If the insertion is not marked, the tokens in which the readings differ are hidden.
    """
    sizes = [len(text.ids) for text in texts]
    before = _shared([text.ids for text in texts])
    after = _shared([text.ids[::-1] for text in texts])
    for reading, text in zip(readings, texts, strict=True):
        if reading.before or reading.after:
            start, end = len(reading.before), len(reading.before) + len(reading.inserted)
            before = min(before, int((text.ends <= start).sum()))
            after = min(after, int((text.starts >= end).sum()))
    after = min(after, min(sizes) - before)
    return [(before, size - after) for size in sizes]


def _shared(rows: Sequence[Sequence[int]]) -> int:
    """The number of tokens that all rows begin with."""
    return next((at for at, tokens in enumerate(zip(*rows, strict=False)) if len(set(tokens)) > 1), min(map(len, rows)))


def token_clozes(text: FramedText) -> tuple[Cloze, ...]:
    """Every token of a text, hidden alone."""
    return _clozes(text, range(1, len(text.ids) + 1))


def word_clozes(text: FramedText, written: str, language: str) -> tuple[Cloze, ...]:
    """Every token of a text, hidden together with the tokens that follow it in its word."""
    return _clozes(text, word_ends(written, text, language))


def word_ends(text: str, tokens: FramedText, language: str) -> list[int]:
    """For each token the end, in tokens, of the word of the language that its first letter is in."""
    spans = word_spans(text, language)
    starts = [span.start for span in spans]
    words: list[int | None] = []
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        piece = text[start:end]
        at = int(start) + len(piece) - len(piece.lstrip())
        number = bisect_right(starts, at) - 1
        inside = number >= 0 and at < spans[number].end and bool(piece.strip())
        words.append(number if inside else None)
    ends: list[int] = []
    for at in reversed(range(len(words))):
        same = ends and words[at] is not None and words[at] == words[at + 1]
        ends.append(ends[-1] if same else at + 1)
    return ends[::-1]


def _clozes(text: FramedText, ends: Sequence[int]) -> tuple[Cloze, ...]:
    opening = text.opening
    return tuple(
        Cloze(text.row, opening + at, opening + end, opening + at, token)
        for at, (token, end) in enumerate(zip(text.ids, ends, strict=True))
    )


def hide(row: TokenRow, start: int, stop: int, mask: int) -> TokenRow:
    """The row with some tokens hidden.

    >>> hide(TokenRow((2, 7, 8, 9, 3)), 1, 3, mask=4).ids
    (2, 4, 4, 9, 3)
    """
    return TokenRow((*row.ids[:start], *[mask] * (stop - start), *row.ids[stop:]), row.types)


class MaskedModel:
    """A masked language model that fills gaps; each row is computed once, however many tokens it hides.

    The output layer is applied only at the hidden positions: the states of the model's body are narrowed to them before
    its head sees them. Models whose head needs more than that are detected at the start.
    """

    def __init__(self, model: Any, *, mask: int, batch_tokens: int) -> None:
        """Wrap a loaded model; `mask` is the token that hides another."""
        self.model = model
        self.mask = mask
        self.batch_tokens = batch_tokens
        self.narrows = self._can_narrow()

    def logprobs(self, clozes: Iterable[Cloze]) -> dict[Cloze, float]:
        """The log probability of each cloze's token."""
        return self.observed(clozes, [])[0]

    def observed(
        self, clozes: Iterable[Cloze], masks: Iterable[Mask]
    ) -> tuple[dict[Cloze, float], dict[Mask, ProbeResult]]:
        """The same log probabilities and, for each mask, the distribution there and the pooled states of its text.

        A row that clozes and a mask share is computed once. Other masks come after all clozes, in batches of their own,
        so that no score depends on whether there are masks.
        """
        import torch

        gaps: dict[Gap, list[Cloze]] = {}
        for cloze in dict.fromkeys(clozes):
            gaps.setdefault((cloze.row, cloze.start, cloze.stop), []).append(cloze)
        looks: dict[Gap, Mask] = {(mask.row, mask.at, mask.at + 1): mask for mask in masks}
        others = {gap: [Cloze(*gap, gap[1], self.mask)] for gap in looks if gap not in gaps}
        found: dict[Cloze, float] = {}
        seen: dict[Mask, ProbeResult] = {}
        for some in (gaps, others):
            keys = list(some)
            for batch in batches([len(row.ids) for row, _, _ in keys], self.batch_tokens):
                asked = [(line, cloze) for line, number in enumerate(batch) for cloze in some[keys[number]]]
                lines = torch.tensor([line for line, _ in asked], device=self.model.device)
                places = torch.tensor([cloze.at for _, cloze in asked], device=self.model.device)
                tokens = torch.tensor([cloze.token for _, cloze in asked], device=self.model.device)
                with torch.inference_mode():
                    logits, states = self.logits([hide(*keys[number], self.mask) for number in batch], lines, places)
                values = logits.gather(1, tokens[:, None])[:, 0] - logits.logsumexp(dim=1)
                found.update(zip((cloze for _, cloze in asked), values.tolist(), strict=True))
                marked = {line: looks[keys[n]] for line, n in enumerate(batch) if keys[n] in looks}
                if marked:
                    firsts = [next(at for at, (line, _) in enumerate(asked) if line == one) for one in marked]
                    seen.update(zip(marked.values(), _seen(logits[firsts], states, marked), strict=True))
        return found, seen

    def logits(
        self, rows: Sequence[TokenRow], lines: torch.Tensor, places: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The scores of the vocabulary at those places of those rows, and the states of the last layer, if it shows."""
        shown: list[torch.Tensor] = []

        def look(_module: Any, _inputs: Any, output: Any) -> Any:
            shown.append(output[0])
            if not self.narrows:
                return output
            states = output[0][lines, places][None]
            if isinstance(output, tuple):
                return (states, *output[1:])
            output.last_hidden_state = states
            return output

        body = self.model.base_model
        hook = body.register_forward_hook(look) if body is not self.model else None
        try:
            logits: torch.Tensor = self.model(**tensors(self.model, rows)).logits
            chosen = logits[0] if self.narrows else logits[lines, places]
            return chosen.float(), shown[0] if shown else None
        finally:
            if hook:
                hook.remove()

    def _can_narrow(self) -> bool:
        """Whether the head gives the same at narrowed states as at all of them; tried on two rows."""
        import torch

        if self.model.base_model is self.model:
            return False
        rows = [TokenRow((self.mask, 0, 1, self.mask)), TokenRow((1, self.mask, 0, self.mask))]
        places = torch.tensor([0, 3, 1], device=self.model.device)
        lines = torch.tensor([0, 0, 1], device=self.model.device)
        try:
            with torch.inference_mode():
                self.narrows = False
                whole, _ = self.logits(rows, lines, places)
                self.narrows = True
                narrowed, _ = self.logits(rows, lines, places)
        except (RuntimeError, ValueError, TypeError, IndexError, AttributeError):
            return False
        tolerance = _TOLERANCE if self.model.dtype == torch.float32 else 0.5
        return narrowed.shape == whole.shape and torch.allclose(narrowed, whole, atol=tolerance)


def _seen(logits: torch.Tensor, states: torch.Tensor | None, masks: Mapping[int, Mask]) -> list[ProbeResult]:
    """What is seen at the masks of some lines of a batch."""
    distributions = most_probable(logits)
    if states is None:
        return list(map(ProbeResult, distributions))
    paths = [line * states.shape[1] + np.arange(mask.first, mask.last) for line, mask in masks.items()]
    return list(map(ProbeResult, distributions, max_pooled(states.flatten(0, 1), paths)))
