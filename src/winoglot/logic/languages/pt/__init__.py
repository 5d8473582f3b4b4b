"""Brazilian Portuguese: contractions before a description (*da pessoa que*), and no words twice."""

import re

_CONTRACTED = {"de a": "da", "a a": "à", "em a": "na", "por a": "pela"}
_FULL = {short: full for full, short in _CONTRACTED.items()}
_CONTRACT = re.compile(r"\b(de a|a a|em a|por a) pessoa\b")
_EXPAND = re.compile(r"\b(da|à|na|pela) pessoa\b")

_INFINITIVES = {"chegou": "chegar", "saiu": "sair"}
_TWICE = re.compile(r"\b(chegou (?:antes|depois) de .+) chegar\b|\b(saiu (?:antes|depois) de .+) sair\b")
_ONCE = re.compile(r"\b(chegou|saiu)( (?:antes|depois) de (?:(?! chegar| sair).)+)$")
_CONDITION = re.compile(r"^([^,]+, (?:se|caso) ([^,]+), )([^,]+)$")
_SAID = re.compile(r"(?:(não|nunca) )?(?:tenha )?(?:(visit)|(trabalh)[ae] para|(?:é|seja) (alun))")
_BOTH = re.compile(r"\b(ninguém que tenha visitado|alguém que visitou) (.+) e que (?:tenha visitado|visitou) ")
_EITHER = re.compile(r"\b((?:ninguém|alguém) que (tenha visitado|visitou) .+ e )(?!que )")
_ALSO = re.compile(r"^([^,]+, (?:se|caso) [^,]+, )também ")


def finish(text: str) -> str:
    """Contract prepositions before a description; leave out what is said a second time, or add *também*.

    >>> finish("Ninguém além de a pessoa que dirige o museu sabe nadar.")
    'Ninguém além da pessoa que dirige o museu sabe nadar.'
    >>> finish("Ana Reis chegou antes de Caio Luz chegar.")
    'Ana Reis chegou antes de Caio Luz.'
    >>> finish("Ana Reis, se visitou Roma, visitou Oslo.")
    'Ana Reis, se visitou Roma, também visitou Oslo.'
    """
    text = _CONTRACT.sub(lambda match: f"{_CONTRACTED[match[1]]} pessoa", text)
    text = _TWICE.sub(lambda match: match[1] or match[2], text)
    text = _BOTH.sub(r"\1 \2 e ", text)
    return _CONDITION.sub(_with_also, text)


def undo(text: str) -> str:
    """Take the contractions apart again, and say what was left out."""
    text = _EXPAND.sub(lambda match: f"{_FULL[match[1]]} pessoa", text)
    text = _ONCE.sub(lambda match: f"{match[0]} {_INFINITIVES[match[1]]}", text)
    text = _EITHER.sub(r"\1que \2 ", text)
    return _ALSO.sub(r"\1", text)


def _with_also(match: re.Match[str]) -> str:
    """Everyone who visited one city *also* visited another."""
    first, second = _SAID.match(match[2]), _SAID.match(match[3])
    is_same = first and second and first.groups() == second.groups()
    return f"{match[1]}também {match[3]}" if is_same else match[0]
