"""Masked language models of `transformers`: `masked:FOLDER_OR_HUB_ID`.

- `candidate`: as many tokens are hidden as the candidate has in its place; the mean log probability of those tokens,
  each with all of them hidden. All readings of an item show the model the same rest.
- `pll`: the sum over all tokens of their log probability with only that token hidden (pseudo-log-likelihood, Salazar
  and others 2020).
- `pll-word`: the same with the later tokens of the token's word hidden too, so that a rare word of many pieces is not
  given away by its end (Kauf and Ivanova 2023). Words are the language's, also where none are set apart by blanks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.models._clozes import Cloze, candidate_clozes, token_clozes, word_clozes
from winoglot.models._framing import FramedText, Framer
from winoglot.models._memory import batch_tokens_of, need_of
from winoglot.models._rows import CPU_TOKENS, GPU_TOKENS
from winoglot.models._transformers import check_pretrained, load_pretrained
from winoglot.models._unknown import count_known
from winoglot.models.base import Options, Question, Scores, Solver, TokenCount, read_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def check(location: str, options: Options) -> tuple[str, ...]:
    """Before anything is loaded."""
    read_options(options.more)  # it has none of its own
    check_pretrained(location, options)
    return MaskedSolver.scorings


def load(location: str, options: Options) -> Solver:
    """The model in a folder, or of that name on the hub."""
    check(location, options)
    model, tokenizer, mark = load_pretrained("AutoModelForMaskedLM", location, options, "a masked-token head")
    return MaskedSolver(f"masked:{location}", model, tokenizer, mark, options)


@dataclass(frozen=True)
class _Plan:
    """The clozes of each reading of a question, or why it cannot be scored."""

    clozes: tuple[tuple[Cloze, ...], ...]
    note: str = ""


class MaskedSolver(Solver):
    """Scores a reading by how well a model that reads both ways finds what is hidden in it."""

    scorings: tuple[str, ...] = ("candidate", "pll", "pll-word")

    def __init__(self, name: str, model: Any, tokenizer: Any, mark: str, options: Options) -> None:
        """Wrap a loaded model."""
        from winoglot.models._masking import MaskedModel

        if tokenizer.mask_token_id is None:
            raise InputError(
                f"{name} has no mask token to hide a word with",
                remedy="Name a masked language model, or give its tokenizer a mask_token.",
            )
        self.name = name
        self.fingerprint = mark
        self.framer = Framer(tokenizer, model, name)
        need = need_of(model, columns=model.config.vocab_size)
        batch_tokens = batch_tokens_of(options.batch_tokens, model, need, cpu=CPU_TOKENS, gpu=GPU_TOKENS)
        self.model = MaskedModel(model, mask=tokenizer.mask_token_id, batch_tokens=batch_tokens)
        self.settings: Mapping[str, object] = {"precision": options.precision, "frame": self.framer.frame}

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """Of each text of a run; too many unknown ones are an input error."""
        return count_known(self.framer.tokenizer, texts, self.name)

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """All scorings at once: a gap that two of them share is filled once."""
        texts = list(dict.fromkeys(reading.text for question in questions for reading in question.readings))
        framed = dict(zip(texts, self.framer.texts(texts), strict=True))
        plans = [{scoring: self._plan(question, framed, scoring) for scoring in scorings} for question in questions]
        asked = (cloze for made in plans for plan in made.values() for own in plan.clozes for cloze in own)
        found = self.model.logprobs(asked)
        return [{scoring: _scores(plan, found, scoring) for scoring, plan in made.items()} for made in plans]

    def _plan(self, question: Question, framed: Mapping[str, FramedText], scoring: str) -> _Plan:
        readings = question.readings
        texts = [framed[reading.text] for reading in readings]
        nothing: tuple[tuple[Cloze, ...], ...] = ((),) * len(texts)
        fault = self.framer.too_long([text.row for text in texts])
        if fault:
            return _Plan(nothing, fault)
        if scoring == "candidate":
            made = candidate_clozes(readings, texts, self.model.mask)
        elif scoring == "pll":
            made = tuple(map(token_clozes, texts))
        else:
            made = tuple(word_clozes(framed[r.text], r.text, question.language) for r in readings)
        return _Plan(made) if all(made) else _Plan(nothing, "nothing to hide: the readings do not differ")


def _scores(plan: _Plan, found: Mapping[Cloze, float], scoring: str) -> Scores:
    if plan.note:
        return Scores((None,) * len(plan.clozes), note=plan.note)
    sums = [sum(found[cloze] for cloze in own) for own in plan.clozes]
    counts = tuple(map(len, plan.clozes))
    if scoring == "candidate":
        sums = [total / count for total, count in zip(sums, counts, strict=True)]
    return Scores(tuple(sums), tokens=counts)
