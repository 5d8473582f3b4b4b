"""The forms in which a text may mention a phrase."""

from __future__ import annotations

from functools import lru_cache

from winoglot.languages.ru.morphology import CASES
from winoglot.languages.ru.noun_phrase import phrase_readings

_MOST_READINGS = 8


@lru_cache(maxsize=5_000)
def forms_of(phrase: str) -> frozenset[str]:
    """The phrase in all its cases, with *ё* and with *е*.

    >>> sorted(forms_of("Оля"))
    ['Оле', 'Олей', 'Оли', 'Олю', 'Оля']
    """
    readings = phrase_readings(phrase)
    cited = [reading for reading in readings if reading.case == "nominative"] or list(readings)
    forms = {reading.written(case) for reading in cited[:_MOST_READINGS] for case in CASES} - {None}
    written = {form for form in forms if form}
    return frozenset(written | {form.replace("ё", "е").replace("Ё", "Е") for form in written})
