"""Items as a solver sees them."""

from pathlib import Path

import winoglot as wg
from winoglot.models.base import Question

TWENTY = Path(__file__).parent / "models" / "twenty_schemas.yaml"


def question(item, language, style="grammatical"):
    """One item with its readings and their window."""
    readings = tuple(wg.readings(item, style, language=language))
    return Question(item, language, readings, wg.window(item, readings))


def questions_of(name, count=None, style="grammatical"):
    """Those of a collection."""
    collection = wg.load(name)
    return [question(item, collection.language, style) for item in collection.items[:count]]


def texts_of(questions):
    """Every reading's text."""
    return [reading.text for one in questions for reading in one.readings]
