"""Brazilian Portuguese: contractions before a description (*da pessoa que*), and no word for an event twice."""

import re

_CONTRACTED = {"de a": "da", "a a": "à", "em a": "na", "por a": "pela"}
_FULL = {short: full for full, short in _CONTRACTED.items()}
_CONTRACT = re.compile(r"\b(de a|a a|em a|por a) pessoa\b")
_EXPAND = re.compile(r"\b(da|à|na|pela) pessoa\b")

_INFINITIVES = {"chegou": "chegar", "saiu": "sair"}
_TWICE = re.compile(r"\b(chegou (?:antes|depois) de .+) chegar\b|\b(saiu (?:antes|depois) de .+) sair\b")
_ONCE = re.compile(r"\b(chegou|saiu)( (?:antes|depois) de (?:(?! chegar| sair).)+)$")
_NOUN_TWICE = re.compile(r"\b(chegada|saída)( de .+ aconteceu (?:antes|depois) da )\1 de ")
_NOUN_ONCE = re.compile(r"\b(chegada|saída)( de .+ aconteceu (?:antes|depois) da )de ")


def finish(text: str) -> str:
    """Contract prepositions before a description; leave out what is said a second time.

    >>> finish("Ninguém além de a pessoa que dirige o museu sabe nadar.")
    'Ninguém além da pessoa que dirige o museu sabe nadar.'
    >>> finish("Ana Reis chegou antes de Caio Luz chegar.")
    'Ana Reis chegou antes de Caio Luz.'
    """
    text = _CONTRACT.sub(lambda match: f"{_CONTRACTED[match[1]]} pessoa", text)
    text = _TWICE.sub(lambda match: match[1] or match[2], text)
    return _NOUN_TWICE.sub(r"\1\2de ", text)


def undo(text: str) -> str:
    """Take the contractions apart again, and say what was left out."""
    text = _EXPAND.sub(lambda match: f"{_FULL[match[1]]} pessoa", text)
    text = _ONCE.sub(lambda match: f"{match[0]} {_INFINITIVES[match[1]]}", text)
    return _NOUN_ONCE.sub(r"\1\2\1 de ", text)
