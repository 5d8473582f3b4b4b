"""French spelling: elision, and no verb or noun said twice, as in *est arrivée avant l'arrivée de Paul*."""

import re

_VOWELS = "aàâeéèêëiîïoôœuùûüAÀÂEÉÈÊËIÎÏOÔŒUÙÛÜ"
_FULL = re.compile(rf"\b(qu|d)e (?=[{_VOWELS}])", re.IGNORECASE)
_ELIDED = re.compile(r"\b(qu|d)'", re.IGNORECASE)
_IF = re.compile(r"\b(s)i (?=il\b)", re.IGNORECASE)
_IF_ELIDED = re.compile(r"\b(s)'(?=il\b)", re.IGNORECASE)
_SHORTER = (
    (r"\b(arrivée? (?:avant|après)) l'arrivée de |\b(partie? (?:avant|après)) le départ de ", r"\1\2 "),
    (r"\b(arrivée? avant) que (.*) arrive\.|\b(partie? avant) que (.*) parte\.", r"\1\3 \2\4."),
    (r"(l'arrivée)( de .* précédé )\1 de ", r"\1\2celle de "),
    (r"(le départ)( de .* précédé )\1 de ", r"\1\2celui de "),
)
_NOUNS = {"arrivé": "l'arrivée", "parti": "le départ"}
_VERB = re.compile(r"\b((arrivé|parti)e? (?:avant|après)) (?!l'arrivée |le départ |que )")
_NOUN = re.compile(r"(l'arrivée|le départ)( de .* précédé )cel(?:le|ui) de ", re.IGNORECASE)


def finish(text: str) -> str:
    """Elide and shorten: *que Anne* becomes *qu'Anne*, *arrivée avant l'arrivée de Paul* *arrivée avant Paul*."""
    for longer, shorter in _SHORTER:
        text = re.sub(longer, shorter, text)
    return _IF.sub(r"\1'", _FULL.sub(r"\1'", text))


def undo(text: str) -> str:
    """Write everything in full, in a way that the patterns have it."""
    text = _IF_ELIDED.sub(r"\1i ", _ELIDED.sub(r"\1e ", text))
    text = _VERB.sub(lambda match: f"{match[1]} {_NOUNS[match[2]]} de ", text)
    return _NOUN.sub(lambda match: f"{match[1]}{match[2]}{match[1].lower()} de ", text)
