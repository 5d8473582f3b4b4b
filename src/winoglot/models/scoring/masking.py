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
    """The clozes of each reading: the tokens of its candidate, all hidden at once.

    The gap is already in the rows, so that candidates with the same number of tokens share one.
    """
    clozes = []
    for text, (first, last) in zip(texts, candidate_spans(readings, texts), strict=True):
        start, stop = text.opening + first, text.opening + last
        row = hide(text.row, start, stop, mask)
        clozes.append(
            tuple(Cloze(row, start, stop, position, text.row.ids[position]) for position in range(start, stop))
        )
    return tuple(clozes)


def candidate_spans(readings: Sequence[Reading], texts: Sequence[FramedText]) -> list[tuple[int, int]]:
    """The tokens of each reading, first and end, that are hidden so that all readings show the same rest.

    These are the tokens of the insertion; a token that reaches beyond its edge is hidden too, since no letter of the
    insertion may stay visible. Whatever else differs between the readings is hidden in all of them, since it would give
    the candidate away or favour it: *qu'* of *qu'Anne* beside *que Julie*, *were* of *the citizens were* beside *the
    government was*. If the insertion is not marked, the tokens in which the readings differ are hidden.
    """
    sizes = [len(text.ids) for text in texts]
    shared_start = _shared_length([text.ids for text in texts])
    after = _shared_length([text.ids[::-1] for text in texts])
    for reading, text in zip(readings, texts, strict=True):
        if reading.before or reading.after:
            start, end = len(reading.before), len(reading.before) + len(reading.inserted)
            shared_start = min(shared_start, int((text.ends <= start).sum()))
            after = min(after, int((text.starts >= end).sum()))
    after = min(after, min(sizes) - shared_start)
    return [(shared_start, size - after) for size in sizes]


def _shared_length(rows: Sequence[Sequence[int]]) -> int:
    """The number of tokens that all rows begin with."""
    return next(
        (index for index, tokens in enumerate(zip(*rows, strict=False)) if len(set(tokens)) > 1), min(map(len, rows))
    )


def token_clozes(text: FramedText) -> tuple[Cloze, ...]:
    """The clozes of a text in which every token is hidden alone."""
    return _clozes(text, range(1, len(text.ids) + 1))


def word_clozes(text: FramedText, reading_text: str, language: str) -> tuple[Cloze, ...]:
    """The clozes of a text in which every token is hidden together with those that follow it in its word."""
    return _clozes(text, word_ends(reading_text, text, language))


def word_ends(text: str, tokens: FramedText, language: str) -> list[int]:
    """The end, in tokens, of the word of the language that the first letter of each token is in."""
    spans = word_spans(text, language)
    starts = [span.start for span in spans]
    words: list[int | None] = []
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        piece = text[start:end]
        position = int(start) + len(piece) - len(piece.lstrip())
        number = bisect_right(starts, position) - 1
        is_inside = number >= 0 and position < spans[number].end and bool(piece.strip())
        words.append(number if is_inside else None)
    ends: list[int] = []
    for position in reversed(range(len(words))):
        is_same_word = ends and words[position] is not None and words[position] == words[position + 1]
        ends.append(ends[-1] if is_same_word else position + 1)
    return ends[::-1]


def _clozes(text: FramedText, ends: Sequence[int]) -> tuple[Cloze, ...]:
    opening = text.opening
    return tuple(
        Cloze(text.row, opening + position, opening + end, opening + position, token)
        for position, (token, end) in enumerate(zip(text.ids, ends, strict=True))
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
        """The log probability of each cloze's token; for each mask, its distribution and its text's pooled states.

        A row that clozes and a mask share is computed once. Other masks come after all clozes, in batches of their own,
        so that no score depends on whether there are masks.
        """
        import torch

        gaps: dict[Gap, list[Cloze]] = {}
        for cloze in dict.fromkeys(clozes):
            gaps.setdefault((cloze.row, cloze.start, cloze.stop), []).append(cloze)
        masks_by_gap: dict[Gap, Mask] = {(mask.row, mask.at, mask.at + 1): mask for mask in masks}
        other_gaps = {gap: [Cloze(*gap, gap[1], self.mask)] for gap in masks_by_gap if gap not in gaps}
        log_probabilities: dict[Cloze, float] = {}
        results: dict[Mask, ProbeResult] = {}
        for clozes_by_gap in (gaps, other_gaps):
            keys = list(clozes_by_gap)
            for batch in batches([len(row.ids) for row, _, _ in keys], self.batch_tokens):
                predictions = [
                    (row_in_batch, cloze)
                    for row_in_batch, number in enumerate(batch)
                    for cloze in clozes_by_gap[keys[number]]
                ]
                batch_rows = torch.tensor([row_in_batch for row_in_batch, _ in predictions], device=self.model.device)
                places = torch.tensor([cloze.at for _, cloze in predictions], device=self.model.device)
                tokens = torch.tensor([cloze.token for _, cloze in predictions], device=self.model.device)
                with torch.inference_mode():
                    logits, states = self.logits(
                        [hide(*keys[number], self.mask) for number in batch], batch_rows, places
                    )
                values = logits.gather(1, tokens[:, None])[:, 0] - logits.logsumexp(dim=1)
                log_probabilities.update(zip((cloze for _, cloze in predictions), values.tolist(), strict=True))
                masks_by_row = {
                    row_in_batch: masks_by_gap[keys[n]]
                    for row_in_batch, n in enumerate(batch)
                    if keys[n] in masks_by_gap
                }
                if masks_by_row:
                    first_predictions = [
                        next(index for index, (row_in_batch, _) in enumerate(predictions) if row_in_batch == marked_row)
                        for marked_row in masks_by_row
                    ]
                    results.update(
                        zip(
                            masks_by_row.values(),
                            _probe_results(logits[first_predictions], states, masks_by_row),
                            strict=True,
                        )
                    )
        return log_probabilities, results

    def logits(
        self, rows: Sequence[TokenRow], row_numbers: torch.Tensor, places: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The scores of the vocabulary at those places of those rows, and the states of the last layer, if it shows."""
        hidden_states: list[torch.Tensor] = []

        def narrow(_module: Any, _inputs: Any, output: Any) -> Any:
            hidden_states.append(output[0])
            if not self.narrows:
                return output
            states = output[0][row_numbers, places][None]
            if isinstance(output, tuple):
                return (states, *output[1:])
            output.last_hidden_state = states
            return output

        body = self.model.base_model
        hook = body.register_forward_hook(narrow) if body is not self.model else None
        try:
            logits: torch.Tensor = self.model(**tensors(self.model, rows)).logits
            at_places = logits[0] if self.narrows else logits[row_numbers, places]
            return at_places.float(), hidden_states[0] if hidden_states else None
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
        row_numbers = torch.tensor([0, 0, 1], device=self.model.device)
        try:
            with torch.inference_mode():
                self.narrows = False
                full, _ = self.logits(rows, row_numbers, places)
                self.narrows = True
                narrowed, _ = self.logits(rows, row_numbers, places)
        except (RuntimeError, ValueError, TypeError, IndexError, AttributeError):
            return False
        tolerance = _TOLERANCE if self.model.dtype == torch.float32 else 0.5
        return narrowed.shape == full.shape and torch.allclose(narrowed, full, atol=tolerance)


def _probe_results(logits: torch.Tensor, states: torch.Tensor | None, masks: Mapping[int, Mask]) -> list[ProbeResult]:
    """What is seen at the masks of some lines of a batch."""
    distributions = most_probable(logits)
    if states is None:
        return list(map(ProbeResult, distributions))
    paths = [line * states.shape[1] + np.arange(mask.first, mask.last) for line, mask in masks.items()]
    return list(map(ProbeResult, distributions, max_pooled(states.flatten(0, 1), paths)))
