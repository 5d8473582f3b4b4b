"""Chinese: no word for an event twice."""

import re

_TWICE = re.compile(r"(到达|离开)(的时间不?[早晚]于.+)\1的时间")
_ONCE = re.compile(r"(到达|离开)(的时间不?[早晚]于(?:(?!到达|离开).)+)$")


def finish(text: str) -> str:
    """Leave out an event that is said a second time.

    >>> finish("王芳到达的时间早于李强到达的时间。")
    '王芳到达的时间早于李强。'
    """
    return _TWICE.sub(r"\1\2", text)


def undo(text: str) -> str:
    """Put the event that was left out back into the sentence."""
    return _ONCE.sub(r"\1\2\1的时间", text)
