"""Replies of a local model to conversations: its chat template, batches, sampling, a bound on its thoughts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import transformers

from winoglot.errors import InputError
from winoglot.models._answers import Reply, ended_thoughts, is_thinking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.models._asking import Asking, Request

TOO_LONG = "the question is too long for the model"


class Generator:
    """A causal model that continues conversations."""

    def __init__(self, model: Any, tokenizer: Any, asking: Asking, batch_tokens: int) -> None:
        """The model's own recommendations for sampling are not followed: options say how it is asked."""
        self.model, self.tokenizer, self.asking, self.batch_tokens = model, tokenizer, asking, batch_tokens
        own = model.generation_config.eos_token_id
        ends = {*(own if isinstance(own, list) else [own]), tokenizer.eos_token_id} - {None}
        self.ends: list[int] = sorted(ends)
        pad = tokenizer.pad_token_id
        self.pad: int = pad if pad is not None else (self.ends or [0])[0]
        self.longest: int = getattr(model.config.get_text_config(), "max_position_embeddings", None) or 2**31

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """One a request. Thoughts that outrun their budget are ended for the model, and it answers then."""
        budget, room = self.asking.thinking, self.asking.answer_tokens
        prompts = [self._rendered(request.messages) for request in requests]
        seeds = [request.seed for request in requests]
        written = self._continued(prompts, seeds, budget + room)
        begun = [("<think>" if prompt.rstrip().endswith("<think>") else "") for prompt in prompts]
        texts = [opening + self._text(ids) for opening, ids in zip(begun, written, strict=True)]
        late = [number for number, text in enumerate(texts) if is_thinking(text)]
        for number in late:
            kept = self._text((written[number] or [])[:budget])
            if not is_thinking(begun[number] + kept):
                kept = "<think>\n"
            prompts[number] += kept + ended_thoughts(begun[number] + kept)
        answers = self._continued([prompts[n] for n in late], [seeds[n] for n in late], room)
        for number, ids in zip(late, answers, strict=True):
            written[number], texts[number] = ids, self._text(ids)
        return [
            Reply("", failure=TOO_LONG) if ids is None else Reply(text, cut_off=not self._ended(ids))
            for ids, text in zip(written, texts, strict=True)
        ]

    def _rendered(self, messages: list[dict[str, str]]) -> str:
        try:
            text: str = self.tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True, enable_thinking=self.asking.thinking > 0
            )
        except Exception as error:  # a template may raise whatever it likes
            raise InputError(
                f"the model's chat template refuses a question: {error}", remedy="Ask without shots, or mend it."
            ) from error
        return text

    def _continued(self, prompts: Sequence[str], seeds: Sequence[int], room: int) -> list[list[int] | None]:
        """The tokens that follow each prompt; None where there is no room for them."""
        encoded: list[list[int]] = [self.tokenizer(text, add_special_tokens=False)["input_ids"] for text in prompts]
        result: list[list[int] | None] = [None] * len(prompts)
        fitting = [number for number, ids in enumerate(encoded) if len(ids) + room <= self.longest]
        for batch in self._batches(sorted(fitting, key=lambda n: (len(encoded[n]), n)), encoded, room):
            for number, ids in zip(
                batch, self._generated([encoded[n] for n in batch], seeds[batch[0]], room), strict=True
            ):
                result[number] = ids
        return result

    def _batches(self, numbers: Sequence[int], encoded: Sequence[list[int]], room: int) -> list[list[int]]:
        """Neighbours in length together; sampled replies alone, so that each has its own seed."""
        batches: list[list[int]] = []
        for number in numbers:
            size = (len(encoded[number]) + room) * (len(batches[-1]) + 1 if batches else 1)
            if batches and size <= self.batch_tokens and not self.asking.temperature:
                batches[-1].append(number)
            else:
                batches.append([number])
        return batches

    @torch.inference_mode()
    def _generated(self, batch: Sequence[list[int]], seed: int, room: int) -> list[list[int]]:
        width = max(map(len, batch))
        device = self.model.device
        ids = torch.tensor([[self.pad] * (width - len(one)) + one for one in batch], device=device)
        mask = torch.tensor([[0] * (width - len(one)) + [1] * len(one) for one in batch], device=device)
        devices = [device] if device.type == "cuda" else []
        with torch.random.fork_rng(devices=devices):
            torch.manual_seed(seed)
            made = self.model.generate(input_ids=ids, attention_mask=mask, generation_config=self._config(room))
        return [self._cut(row) for row in made[:, width:].tolist()]

    def _config(self, room: int) -> Any:
        asking = self.asking
        sampling = {"temperature": asking.temperature, "top_p": asking.top_p, "top_k": 0} if asking.temperature else {}
        config: Any = transformers.GenerationConfig
        return config(
            max_new_tokens=room,
            do_sample=asking.temperature > 0,
            num_beams=1,
            repetition_penalty=1.0,
            eos_token_id=self.ends,
            pad_token_id=self.pad,
            **sampling,
        )

    def _cut(self, ids: list[int]) -> list[int]:
        """Up to the token that ends the reply, which stays."""
        end = next((place for place, token in enumerate(ids) if token in self.ends), len(ids))
        return ids[: end + 1]

    def _ended(self, ids: Sequence[int]) -> bool:
        return bool(ids) and ids[-1] in self.ends

    def _text(self, ids: Sequence[int] | None) -> str:
        """Special tokens are kept, for some models mark their thoughts with them; the one that ends a reply is not."""
        kept = list(ids or [])
        if kept and kept[-1] in self.ends:
            kept.pop()
        return str(self.tokenizer.decode(kept, skip_special_tokens=False))
