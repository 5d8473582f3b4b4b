"""English says no verb of coming and going twice: *arrived before Paul did*."""

import re

_VERBS = {"arrive": "arrived", "arrived": "arrived", "leave": "left", "left": "left"}
_TIME = r"\b(arrived?|leave|left) (before|after|until) (.*) "
_AGAIN = re.compile(_TIME + r"(arrived|left)(?=, or at the same time|\.)")
_DID = re.compile(_TIME + r"did(?=, or at the same time|$)")


def finish(text: str) -> str:
    """Put *did* for a verb that is said again."""
    return _AGAIN.sub(lambda m: f"{m[1]} {m[2]} {m[3]} {'did' if _VERBS[m[1]] == m[4] else m[4]}", text)


def undo(text: str) -> str:
    """Say the verb again."""
    return _DID.sub(lambda m: f"{m[1]} {m[2]} {m[3]} {_VERBS[m[1]]}", text)
