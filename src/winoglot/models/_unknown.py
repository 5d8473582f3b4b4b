"""How many tokens of the texts a model does not know, and when there are so many that its scores say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.models.base import NO_TOKENS, TokenCount

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST = 0.1  # share of unknown tokens past which scores say nothing
_ENOUGH = 100  # tokens that show it; in fewer a single rare sign weighs too much, unless most are unknown


def count_known(tokenizer: Any, texts: Sequence[str], name: str) -> list[TokenCount]:
    """Of each text, without the special tokens around it; texts that are mostly unknown are an input error.

    All texts of a run are judged together, so that the outcome does not depend on how they are batched.
    """
    unknown = tokenizer.unk_token_id
    rows = tokenizer(list(texts), add_special_tokens=False)["input_ids"] if texts else []
    counts = [TokenCount(len(row), 0 if unknown is None else list(row).count(unknown)) for row in rows]
    check_known(counts, name)
    return counts


def check_known(counts: Iterable[TokenCount], name: str) -> None:
    """Refuse texts too much of which is unknown.

    >>> check_known([TokenCount(90, 20), TokenCount(90, 0)], "tiny")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    winoglot.errors.InputError: 11% of the tokens are unknown to tiny: its tokenizer lacks the script. Use a model ...
    >>> check_known([TokenCount(9, 2)], "tiny")
    """
    total = sum(counts, NO_TOKENS)
    share = total.unknown / max(1, total.tokens)
    if share > (_MOST if total.tokens >= _ENOUGH else 0.5):
        raise InputError(
            f"{share:.0%} of the tokens are unknown to {name}: its tokenizer lacks the script",
            remedy="Use a model that was trained on this language.",
        )
