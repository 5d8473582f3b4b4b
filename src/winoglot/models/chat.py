"""Instruction and reasoning models of `transformers`, asked through their chat template: `chat:FOLDER_OR_HUB_ID`."""

from __future__ import annotations

import hashlib
from copy import copy
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.models._asking import NOTHING, SCORING, Asking, ask
from winoglot.models._examples import marks_of
from winoglot.models._memory import batch_tokens_of, need_of
from winoglot.models._transformers import check_pretrained, load_pretrained
from winoglot.models.base import Options, Question, Scores, Solver, read_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.schemas.model import Item

_CPU_TOKENS, _GPU_TOKENS = 2048, 65536  # of prompts and replies together in a batch; more were not seen to be faster
_ROW = 64  # tokens of a prompt and reply at least: so often, the vocabulary is scored once


def check(location: str, options: Options) -> tuple[str, ...]:
    """Before anything is loaded."""
    (asking,) = read_options(options.more, Asking)
    asking.check_shots()
    if options.precision == "int8":
        raise InputError("chat models have no int8 weights here", remedy="Take float32 or bfloat16.")
    check_pretrained(location, options)
    scorings: tuple[str, ...] = asking.scorings()
    return scorings


def load(location: str, options: Options) -> Solver:
    """The model in a folder, or of that name on the hub."""
    check(location, options)
    (asking,) = read_options(options.more, Asking)
    model, tokenizer, mark = load_pretrained("AutoModelForCausalLM", location, options, "an output layer")
    if not getattr(tokenizer, "chat_template", None):
        raise InputError(
            f"{location} has no chat template, so it is no instruction model",
            remedy=f"Score its readings instead: causal:{location}.",
        )
    return ChatSolver(f"chat:{location}", model, tokenizer, mark, options, asking)


class ChatSolver(Solver):
    """Asks a model in words, and reads its answer."""

    def __init__(self, name: str, model: Any, tokenizer: Any, mark: str, options: Options, asking: Asking) -> None:
        """Wrap a loaded model."""
        from winoglot.models._generation import Generator

        self.name = name
        self.fingerprint = mark
        self.scorings = asking.scorings()
        template = hashlib.sha256(str(tokenizer.chat_template).encode()).hexdigest()[:8]
        self._own = {"precision": options.precision, "template": f"sha:{template}"}
        self.settings: Mapping[str, object] = self._own | asking.settings(None, options.seed)
        self._asking, self._seed = asking, options.seed
        self._evaluated = NOTHING
        need = need_of(model, columns=model.config.get_text_config().vocab_size // _ROW, writes=True)
        batch_tokens = batch_tokens_of(options.batch_tokens, model, need, cpu=_CPU_TOKENS, gpu=_GPU_TOKENS)
        self._generator = Generator(model, tokenizer, asking, batch_tokens)

    def default_scorings(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """Every prompt that fits."""
        return self._asking.fitting(questions)

    def settings_for(self, scoring: str, language: str) -> dict[str, object]:
        """Those settings that matter in one language; every scoring asks in words."""
        del scoring
        return self._own | self._asking.settings(language, self._seed, self._evaluated)

    def for_collection(self, items: Iterable[Item], language: str) -> ChatSolver:
        """Itself before a collection's items: no example that it shows is of a schema there."""
        if not self._asking.shots:
            return self
        made = copy(self)
        made._evaluated = marks_of(items)
        made.settings = made.settings_for(SCORING, language)
        return made

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Every question in both orders of its options."""
        return ask(questions, scorings, self._asking, self._seed, self._generator.replies, self._evaluated)
