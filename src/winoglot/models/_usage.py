"""What requests to a server used up: tokens, attempts, and money where prices are given."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass
class Usage:
    """Counts that grow with every request and answer, whichever thread they are of."""

    requests: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def sent(self) -> None:
        """A request, whatever will become of it."""
        with self._lock:
            self.requests += 1

    def add(self, answer: object) -> None:
        """The tokens that a server says an answer took."""
        counted = answer.get("usage") if isinstance(answer, dict) else None
        read, written = (_number(counted, name) for name in ("prompt_tokens", "completion_tokens"))
        with self._lock:
            self.tokens_in += read
            self.tokens_out += written

    def retried(self) -> None:
        """An attempt that failed and is made again."""
        with self._lock:
            self.retries += 1

    def cost(self, price_in: float | None, price_out: float | None) -> float | None:
        """In the currency of the prices, which are for a million tokens; None without prices.

        >>> Usage(tokens_in=2_000_000, tokens_out=500_000).cost(0.5, 2.0)
        2.0
        """
        if price_in is None and price_out is None:
            return None
        return (self.tokens_in * (price_in or 0.0) + self.tokens_out * (price_out or 0.0)) / 1e6


def _number(counted: object, name: str) -> int:
    value = counted.get(name) if isinstance(counted, dict) else None
    return value if isinstance(value, int) and value > 0 else 0
