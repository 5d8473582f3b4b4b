"""Token log probabilities from a server that echoes its input: which characters each of its tokens covers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.models.scoring.tokens import TokenScores

if TYPE_CHECKING:
    from collections.abc import Sequence

_BYTES = re.compile(r"<0x[0-9A-Fa-f]{2}>|bytes:(?:\\x[0-9A-Fa-f]{2})+")  # how some servers show parts of characters


class SpellingError(ValueError):
    """The server's tokens do not spell the text that it was sent."""


@dataclass(frozen=True)
class Echo:
    """A server's tokens and their log probabilities: perhaps an opening token, the text's, perhaps generated ones."""

    tokens: tuple[str, ...]
    logprobs: tuple[float | None, ...]
    written: int  # how many at the end were generated; servers that do not say so generate one


def echo_request(model: str, text: str) -> dict[str, Any]:
    """Asks for the text back with the log probability of each token; all servers can generate as little as one more."""
    return {"model": model, "prompt": text, "max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 1}


def completion_request(model: str, text: str, tokens: int) -> dict[str, Any]:
    """Asks for the likeliest tokens after the text; they are listed with their log probabilities."""
    return {"model": model, "prompt": text, "max_tokens": tokens, "temperature": 0, "logprobs": 1}


def echoed(answer: Any) -> Echo:
    """The tokens and log probabilities in the answer to an echo or completion request."""
    logprobs_field = answer["choices"][0]["logprobs"]
    tokens, logprobs = logprobs_field["tokens"], logprobs_field["token_logprobs"]
    if len(tokens) != len(logprobs) or not all(isinstance(token, str) for token in tokens):
        raise ValueError("tokens and log probabilities do not match")
    generated_count = (answer.get("usage") or {}).get("completion_tokens", 1)
    return Echo(tuple(tokens), tuple(None if value is None else float(value) for value in logprobs), generated_count)


def aligned(text: str, start: str, echo: Echo) -> TokenScores:
    """The tokens of the text, which was sent after `start`; NaN if the server gives no log probability.

    >>> echo = Echo(("<s>", "a", " lamp", " fell"), (None, -2.0, -3.0, -1.0), written=1)
    >>> scores = aligned("a lamp", "", echo)
    >>> scores.starts.tolist(), scores.ends.tolist(), scores.logprobs.tolist()
    ([0, 1], [1, 6], [-2.0, -3.0])
    """
    for generated_count in dict.fromkeys((echo.written, 1, 0)):
        for sent in dict.fromkeys((start + text, text)):  # a server may show special tokens as empty texts
            for first in (0, 1) if echo.tokens[:1] != ("",) else (1,):
                tokens = echo.tokens[first : len(echo.tokens) - generated_count]
                places = _places(sent, tokens)
                if places is not None:
                    values = [np.nan if value is None else value for value in echo.logprobs[first:][: len(tokens)]]
                    return _inside(places, values, len(sent) - len(text))
    raise SpellingError("the server's tokens do not spell the text")


def _inside(places: Sequence[tuple[int, int]], values: Sequence[float], offset: int) -> TokenScores:
    """The tokens without those of what was sent before the text."""
    numbers = [number for number, (start, end) in enumerate(places) if max(start, end - 1) >= offset]
    starts, ends = (np.array([places[n][side] - offset for n in numbers], dtype=np.int64) for side in (0, 1))
    return TokenScores(np.maximum(starts, 0), ends, np.array([values[n] for n in numbers], dtype=float))


def _places(text: str, tokens: Sequence[str]) -> list[tuple[int, int]] | None:
    """The characters that each token covers, even in part; None if the tokens do not spell the text.

    A token may be part of a character, so tokens are aligned with the text's bytes, in every way that spells it. If
    there are several ways, a token covers all that it may cover: fewer boundaries are certain, none is invented.
    """
    data = text.encode()
    for match in _MATCHES:
        reachable = [{0}]
        for token in tokens:
            reachable.append({end for position in reachable[-1] for end in match(data, position, token)})
        if len(data) in reachable[-1]:
            break
    else:
        return None
    usable = [{len(data)}]  # the reached positions from which the remaining tokens can be spelled
    for token, starts in zip(reversed(tokens), reversed(reachable[:-1]), strict=True):
        usable.append({position for position in starts if usable[-1] & set(match(data, position, token))})
    usable.reverse()
    characters_before = [
        len(data[:position].decode(errors="ignore")) for position in range(len(data) + 1)
    ]  # characters ended before a byte
    return [
        (
            characters_before[min(start)],
            max(characters_before[max(end) - 1] + 1 if max(end) > min(start) else 0, characters_before[min(start)]),
        )
        for start, end in pairwise(usable)
    ]


def _match_exactly(data: bytes, start: int, token: str) -> list[int]:
    """The bytes at which a token may end that begins at a byte."""
    token_bytes = _bytes(token)
    if token_bytes is not None:
        return [start + len(token_bytes)] if data.startswith(token_bytes, start) else []
    ends = range(start + 1, min(len(data), start + 4 * len(token)) + 1)
    return [end for end in ends if data[start:end].decode(errors="replace") == token]


def _match_spaced(data: bytes, start: int, token: str) -> list[int]:
    """Like `_match_exactly`, for a server that hides the space before a token, or shows one before the first."""
    later = _match_exactly(data, start + 1, token) if data[start : start + 1] == b" " else []
    bare = _match_exactly(data, start, token[1:]) if start == 0 and token.startswith(" ") else []
    return [*_match_exactly(data, start, token), *later, *bare]


def _match_roughly(data: bytes, start: int, token: str) -> list[int]:
    """Like `_match_spaced`, if it is unknown how the server shows parts of characters."""
    return _match_spaced(data, start, token) if _bytes(token) is not None else list(range(start + 1, len(data) + 1))


_MATCHES = (_match_exactly, _match_spaced, _match_roughly)


def _bytes(token: str) -> bytes | None:
    """The bytes of a token; None if it has a part of a character that cannot be shown."""
    if _BYTES.fullmatch(token):
        return bytes(int(digits, 16) for digits in re.findall(r"x([0-9A-Fa-f]{2})", token))
    return None if "\ufffd" in token else token.encode()
