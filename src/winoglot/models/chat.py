"""Instruction and reasoning models of `transformers`, asked through their chat template: `chat:FOLDER_OR_HUB_ID`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.models.base import Options, lazy, read_options
from winoglot.models.scoring.pretrained import CAUSAL, Pretrained, batch_tokens_of, check_pretrained, memory_cost
from winoglot.models.servers.answers import Reply, ended_thoughts, is_thinking
from winoglot.models.servers.asking import Asking, AskingSolver, ChatRequest, Keep

if TYPE_CHECKING:
    from collections.abc import Sequence

_CPU_TOKENS, _GPU_TOKENS = 2048, 65536  # of prompts and replies in a batch; more were not seen to be faster
_ROW = 64  # tokens of a prompt and reply at least: the vocabulary is scored once per row
TOO_LONG = "the question is too long for the model"


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject a wrong location or option before anything is loaded."""
    asking: Asking
    (asking,) = read_options(options.more, Asking)
    asking.check_shots()
    if options.precision == "int8":
        raise InputError("chat models have no int8 weights", remedy="Use float32 or bfloat16.")
    check_pretrained(location, options)
    return asking.scorings()


class ChatSolver(AskingSolver):
    """Asks a local model in words, and reads its answer."""

    libraries = Pretrained.libraries

    def __init__(self, location: str, options: Options) -> None:
        """The model in a folder, or of that name on the hub."""
        check(location, options)
        (asking,) = read_options(options.more, Asking)
        self.pretrained = Pretrained(CAUSAL, location, options, "an output layer")
        template = self.pretrained.disk_cached("chat", self._template)
        super().__init__(asking, options.seed, {"precision": options.precision, **template})
        self.name = f"chat:{location}"
        self.fingerprint = self.pretrained.fingerprint

    def _template(self) -> dict[str, str]:
        template = getattr(self.pretrained.tokenizer, "chat_template", None)
        if not template:
            location = self.pretrained.location
            raise InputError(
                f"{location} has no chat template, so it is not an instruction model",
                remedy=f"Score its readings instead: causal:{location}.",
            )
        return {"template": f"sha:{hashlib.sha256(str(template).encode()).hexdigest()[:8]}"}

    @lazy
    def generator(self) -> Generator:
        """The model, which writes replies."""
        model = self.pretrained.model
        cost = memory_cost(model, columns=model.config.get_text_config().vocab_size // _ROW, generates=True)
        requested = self.pretrained.options.batch_tokens
        batch_tokens = batch_tokens_of(requested, model, cost, cpu=_CPU_TOKENS, gpu=_GPU_TOKENS)
        return Generator(model, self.pretrained.tokenizer, self._asking, batch_tokens)

    def prepare(self) -> None:
        """Load the model."""
        _ = self.generator

    def replies(self, requests: list[ChatRequest], keep: Keep | None = None) -> list[Reply]:
        """The model's reply to each request; they are there all at once."""
        replies = self.generator.replies(requests)
        if keep:
            for number, reply in enumerate(replies):
                keep(number, reply)
        return replies


class Generator:
    """A causal model that continues conversations."""

    def __init__(self, model: Any, tokenizer: Any, asking: Asking, batch_tokens: int) -> None:
        """The options decide about sampling, not the model's own recommendations."""
        self.model, self.tokenizer, self.asking, self.batch_tokens = model, tokenizer, asking, batch_tokens
        eos = model.generation_config.eos_token_id
        ends = {*(eos if isinstance(eos, list) else [eos]), tokenizer.eos_token_id} - {None}
        self.ends: list[int] = sorted(ends)
        pad = tokenizer.pad_token_id
        self.pad: int = pad if pad is not None else (self.ends or [0])[0]
        self.longest: int = getattr(model.config.get_text_config(), "max_position_embeddings", None) or 2**31

    def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """One reply per request. Thoughts that exceed their budget are ended for the model, which then answers."""
        budget, room = self.asking.thinking, self.asking.answer_tokens
        prompts = [self._render(request.messages) for request in requests]
        seeds = [request.seed for request in requests]
        token_ids = self._continued(prompts, seeds, budget + room)
        openings = [("<think>" if prompt.rstrip().endswith("<think>") else "") for prompt in prompts]
        texts = [opening + self._text(ids) for opening, ids in zip(openings, token_ids, strict=True)]
        unfinished = [number for number, text in enumerate(texts) if is_thinking(text)]
        for number in unfinished:
            thoughts = self._text((token_ids[number] or [])[:budget])
            if not is_thinking(openings[number] + thoughts):
                thoughts = "<think>\n"
            prompts[number] += thoughts + ended_thoughts(openings[number] + thoughts)
        answers = self._continued([prompts[n] for n in unfinished], [seeds[n] for n in unfinished], room)
        for number, ids in zip(unfinished, answers, strict=True):
            token_ids[number], texts[number] = ids, self._text(ids)
        return [
            Reply("", failure=TOO_LONG) if ids is None else Reply(text, cut_off=not ids or ids[-1] not in self.ends)
            for ids, text in zip(token_ids, texts, strict=True)
        ]

    def _render(self, messages: list[dict[str, str]]) -> str:
        try:
            text: str = self.tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True, enable_thinking=self.asking.thinking > 0
            )
        except Exception as error:  # a template may raise anything
            raise InputError(
                f"the model's chat template rejects a question: {error}",
                remedy="Ask without shots, or fix the template.",
            ) from error
        return text

    def _continued(self, prompts: Sequence[str], seeds: Sequence[int], room: int) -> list[list[int] | None]:
        """The tokens that follow each prompt; None if there is no room for them."""
        encoded_prompts: list[list[int]] = [
            self.tokenizer(text, add_special_tokens=False)["input_ids"] for text in prompts
        ]
        result: list[list[int] | None] = [None] * len(prompts)
        fitting_prompts = [number for number, ids in enumerate(encoded_prompts) if len(ids) + room <= self.longest]
        for batch in self._batches(
            sorted(fitting_prompts, key=lambda n: (len(encoded_prompts[n]), n)), encoded_prompts, room
        ):
            for number, ids in zip(
                batch, self._generated([encoded_prompts[n] for n in batch], seeds[batch[0]], room), strict=True
            ):
                result[number] = ids
        return result

    def _batches(self, numbers: Sequence[int], encoded_prompts: Sequence[list[int]], room: int) -> list[list[int]]:
        """Prompts of similar length together; sampled replies alone, so that each has its own seed."""
        batches: list[list[int]] = []
        for number in numbers:
            size = (len(encoded_prompts[number]) + room) * (len(batches[-1]) + 1 if batches else 1)
            if batches and size <= self.batch_tokens and not self.asking.temperature:
                batches[-1].append(number)
            else:
                batches.append([number])
        return batches

    def _generated(self, batch: Sequence[list[int]], seed: int, room: int) -> list[list[int]]:
        import torch

        width = max(map(len, batch))
        device = self.model.device
        ids = torch.tensor([[self.pad] * (width - len(prompt)) + prompt for prompt in batch], device=device)
        mask = torch.tensor([[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in batch], device=device)
        devices = [device] if device.type == "cuda" else []
        with torch.inference_mode(), torch.random.fork_rng(devices=devices):
            torch.manual_seed(seed)
            generated = self.model.generate(input_ids=ids, attention_mask=mask, generation_config=self._config(room))
        return [self._cut(row) for row in generated[:, width:].tolist()]

    def _config(self, room: int) -> Any:
        import transformers

        asking = self.asking
        sampling_options = (
            {"temperature": asking.temperature, "top_p": asking.top_p, "top_k": 0} if asking.temperature else {}
        )
        config: Any = transformers.GenerationConfig
        return config(
            max_new_tokens=room,
            do_sample=asking.temperature > 0,
            num_beams=1,
            repetition_penalty=1.0,
            eos_token_id=self.ends,
            pad_token_id=self.pad,
            **sampling_options,
        )

    def _cut(self, ids: list[int]) -> list[int]:
        """The tokens up to and including the one that ends the reply."""
        end = next((place for place, token in enumerate(ids) if token in self.ends), len(ids))
        return ids[: end + 1]

    def _text(self, ids: Sequence[int] | None) -> str:
        """The text of these tokens, without the one that ends a reply; others that are special may mark thoughts."""
        tokens = list(ids or [])
        if tokens and tokens[-1] in self.ends:
            tokens.pop()
        return str(self.tokenizer.decode(tokens, skip_special_tokens=False))


load = ChatSolver
