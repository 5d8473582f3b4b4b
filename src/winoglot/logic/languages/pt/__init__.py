"""Brazilian Portuguese: prepositions contract with the article of a description, as in *da pessoa que*."""

import re

_CONTRACTED = {"de a": "da", "a a": "à", "em a": "na", "por a": "pela"}
_FULL = {short: full for full, short in _CONTRACTED.items()}
_CONTRACT = re.compile(r"\b(de a|a a|em a|por a) pessoa\b")
_EXPAND = re.compile(r"\b(da|à|na|pela) pessoa\b")


def finish(text: str) -> str:
    """Contract prepositions before a description.

    >>> finish("Ninguém além de a pessoa que dirige o museu sabe nadar")
    'Ninguém além da pessoa que dirige o museu sabe nadar'
    """
    return _CONTRACT.sub(lambda match: f"{_CONTRACTED[match[1]]} pessoa", text)


def undo(text: str) -> str:
    """Take the contractions apart again."""
    return _EXPAND.sub(lambda match: f"{_FULL[match[1]]} pessoa", text)
