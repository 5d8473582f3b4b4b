"""French spelling: elision, and nothing longer than one says it.

Not *est arrivée avant l'arrivée de Paul*, which has the same word twice, nor *seuls ceux qui sont médecins*.
"""

import re

_FULL = re.compile(r" (qu|d)e (?=[aàâeéèêëiîïoôœuùûüAÀÂEÉÈÊËIÎÏOÔŒUÙÛÜ])| (s)i (?=il )")
_ELIDED = re.compile(r" (qu|d)'| s'(?=il )")
_SHORTER = tuple(
    (re.compile(longer), shorter)
    for longer, shorter in (
        (r"\b(arrivée? (?:avant|après)) l'arrivée de |\b(partie? (?:avant|après)) le départ de ", r"\1\2 "),
        (r"\b(arrivée? avant) que (.*) n'arrive\.|\b(partie? avant) que (.*) ne parte\.", r"\1\3 \2\4."),
        (r"(l'arrivée)( de .* précédé )\1 de ", r"\1\2celle de "),
        (r"(le départ)( de .* précédé )\1 de ", r"\1\2celui de "),
    )
)
_KIND = "médecin|cousin|retraité|végétarien"
_ALL = re.compile(rf"\b(tous|seuls|parmi) ceux qui sont (?=(?:{_KIND})s\b)")
_ONE = re.compile(rf"\b(aucun|au moins un) de ceux qui sont ({_KIND})s\b")
_ALL_SHORT = re.compile(rf"\b(tous|seuls|parmi) les (?=(?:{_KIND})s\b)", re.IGNORECASE)
_ONE_SHORT = re.compile(rf"\b(aucun|au moins un) ({_KIND})\b", re.IGNORECASE)
_TIMES = ("avant", "après", "précédé")
_NOUNS = {"arrivé": "l'arrivée", "parti": "le départ"}
_VERB = re.compile(r"\b((arrivé|parti)e? (?:avant|après)) (?!l'arrivée |le départ |que )")
_NOUN = re.compile(r"(l'arrivée|le départ)( de .* précédé )cel(?:le|ui) de ", re.IGNORECASE)


def finish(text: str) -> str:
    """Elide and shorten: *que Anne* becomes *qu'Anne*, *tous ceux qui sont médecins* *tous les médecins*."""
    if any(word in text for word in _TIMES):
        for longer, shorter in _SHORTER:
            text = longer.sub(shorter, text)
    if "ceux qui sont" in text:
        text = _ONE.sub(r"\1 \2", _ALL.sub(r"\1 les ", text))
    return _FULL.sub(_elide, text)


def undo(text: str) -> str:
    """Write everything in full, in a way that the patterns have it."""
    text = _ELIDED.sub(lambda match: f" {match[1]}e " if match[1] else " si ", text)
    text = _ALL_SHORT.sub(r"\1 ceux qui sont ", _ONE_SHORT.sub(r"\1 de ceux qui sont \2s", text))
    text = _VERB.sub(lambda match: f"{match[1]} {_NOUNS[match[2]]} de ", text)
    return _NOUN.sub(lambda match: f"{match[1]}{match[2]}{match[1].lower()} de ", text)


def _elide(match: re.Match[str]) -> str:
    return f" {match[1] or match[2]}'"
