"""Questions as solvers get them, from items in the notation."""

import winoglot as wg
from items import item
from winoglot.models.base import Question

TEXTS = [
    ("Ana não viu Eva porque {ela} estava perto.", ["Ana", "Eva"], "pt"),
    ("Rosa waved to Lena until {she} left, said Ann 🎒.", ["Rosa", "Lena"], "en"),
    ("通话时小雯听不见思雨说话，因为{她}的扬声器坏了。", ["小雯", "思雨"], "zh"),
    ("Anne croit qu’{elle} dort à l’ombre de Zoé", ["Anne", "Zoé"], "fr"),
]


def question(text, candidates, language="en", style="naive", **keys):
    """One question."""
    one = item(text, candidates, language, **keys)
    readings = tuple(wg.readings(one, style, language=language))
    return Question(one, language, readings, wg.window(one, readings))


def questions():
    """One in each of four languages."""
    return [question(*text) for text in TEXTS]


def plain():
    """Their texts, for a tokenizer to learn from."""
    return [text.replace("{", "").replace("}", "") for text, _, _ in TEXTS]
