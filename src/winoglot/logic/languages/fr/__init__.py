"""French spelling: elision, and no noun or verb said twice in *est arrivée avant l'arrivée de Paul*."""

import re

_VOWELS = "aàâeéèêëiîïoôœuùûüAÀÂEÉÈÊËIÎÏOÔŒUÙÛÜ"
_FULL = re.compile(rf"\b(qu|lorsqu|d)e (?=[{_VOWELS}])", re.IGNORECASE)
_ELIDED = re.compile(r"\b(qu|lorsqu|d)'", re.IGNORECASE)
_NOUNS = {"arrivé": "l'arrivée de ", "parti": "le départ de "}
_VERB = re.compile(r"\b((arrivé|parti)e? (?:avant|après)) (?!l'arrivée |le départ |que )")
_NOUN_ONCE = re.compile(r"(l'arrivée|le départ)( de .* précédé )cel(?:le|ui) de ", re.IGNORECASE)


def finish(text: str) -> str:
    """Elide, and shorten: *que Anne* becomes *qu'Anne*, *arrivé avant l'arrivée de Paul* becomes *arrivé avant Paul*."""
    text = re.sub(r"\b(arrivée? (?:avant|après)) l'arrivée de |\b(partie? (?:avant|après)) le départ de ", r"\1\2 ", text)
    text = re.sub(r"(l'arrivée)( de .* précédé )\1 de ", r"\1\2celle de ", text)
    text = re.sub(r"(le départ)( de .* précédé )\1 de ", r"\1\2celui de ", text)
    return _FULL.sub(r"\1'", text)


def undo(text: str) -> str:
    """Write everything in full, as the patterns have it."""
    text = _ELIDED.sub(r"\1e ", text)
    text = _VERB.sub(lambda match: f"{match[1]} {_NOUNS[match[2]]}", text)
    return _NOUN_ONCE.sub(lambda match: f"{match[1]}{match[2]}{match[1].lower()} de ", text)
