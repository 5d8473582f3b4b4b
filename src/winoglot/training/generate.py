"""Text from a language model, word by word, drawn according to its probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from winoglot.errors import InputError
from winoglot.languages.text import sentence_spans
from winoglot.training.recipes import check_seed

if TYPE_CHECKING:
    from winoglot.training.trained import TrainedModel


def generate(
    trained: TrainedModel, tokens: int, *, prompt: str = "", temperature: float = 1.0, top_k: int = 0, seed: int = 0
) -> list[str]:
    """The next `tokens` words after a prompt; `<eos>` ends a sentence, `<unk>` never occurs.

    Temperature 0 takes the most probable word; `top_k` draws from the k most probable words only.
    """
    trained.need_language_model()
    _check(tokens, temperature, top_k)
    check_seed(seed)
    vocabulary, model = trained.vocabulary, trained.module
    generator = torch.Generator().manual_seed(seed)
    prompt_ids = [vocabulary.eos]
    for number, span in enumerate(sentence_spans(prompt, trained.language)):
        prompt_ids += [vocabulary.eos] * bool(number)
        words = trained.tokenisation.words(span.of(prompt))
        prompt_ids += vocabulary.ids(word.form for word in words).tolist()
    device = model.bias.device
    state: tuple[torch.Tensor, ...] = ()
    generated_words: list[str] = []
    for _ in range(tokens):
        logits, state = model.next_logits(torch.tensor(prompt_ids, device=device)[:, None], state)
        scores = logits[0].float().cpu()
        scores[vocabulary.unk] = -torch.inf
        number = _draw(scores, temperature, top_k, generator)
        generated_words.append(vocabulary.word(number))
        prompt_ids = [number]
    return generated_words


def _draw(scores: torch.Tensor, temperature: float, top_k: int, generator: torch.Generator) -> int:
    if temperature == 0:
        return int(scores.argmax())
    if 0 < top_k < len(scores):
        scores = scores.masked_fill(scores < scores.topk(top_k).values[-1], -torch.inf)
    shares = torch.softmax(scores.double() / temperature, 0)
    return int(torch.multinomial(shares, 1, generator=generator))


def _check(tokens: int, temperature: float, top_k: int) -> None:
    if tokens < 1:
        raise InputError(f"cannot generate {tokens} tokens", remedy="Use 1 or more.")
    if not 0 <= temperature < float("inf"):
        raise InputError(f"the temperature is {temperature}", remedy="Use 0 or more.")
    if top_k < 0:
        raise InputError(f"top-k is {top_k}", remedy="Use 1 or more, or 0 for no limit.")
