"""Prepositions that gain or lose a vowel before the next word: *со стола*, *об окне*, *во Франции*, *ко Льву*."""

from __future__ import annotations

import re

from winoglot.languages.substitution import like

_LAST = re.compile(r"(?<!\w)(с|со|о|об|в|во|к|ко)(\s)$", re.IGNORECASE)
_FIRST = re.compile(r"\W*(\w+)")
_VOWELS = "аиоуэ"  # not е, ё, ю, я, which begin with a consonant sound: "о ёлке"
_CONSONANTS = "бвгджзйклмнпрстфхцчшщ"
# Words with a fleeting vowel after which the preposition takes its own: "ко Льву", "со льдом", "ко дну".
_FLEETING = re.compile(r"(?:ль?в|льд|льн|дн[ая]\b|двор|вс[её]|всяк|втор|мн[еоу]|мног|рт[аоуе]|рв|лб|лж|зл)")
_BEFORE_KO = re.compile(r"(?:льв|льд|дн[уюая]\b|двор|вс[её]м|всяк|втор|мне|мног|рту|лбу|зл)")


def euphonic(left: str, right: str) -> str:
    """The left text, with its last preposition as written before the right one.

    >>> euphonic("Говорили о ", "Анне"), euphonic("Шёл с ", "Светой"), euphonic("Думал об ", "Марии")
    ('Говорили об ', 'Шёл со ', 'Думал о ')
    """
    last, first = _LAST.search(left), _FIRST.match(right)
    if last is None or first is None:
        return left
    form = _before(last.group(1).lower(), first.group(1).lower())
    return left[: last.start()] + like(last.group(1), form) + last.group(2)


def _before(preposition: str, word: str) -> str:
    first, second = word[:1], word[1:2]
    has_cluster = second in _CONSONANTS and second != ""
    if preposition in ("о", "об"):
        return "об" if first in _VOWELS else "о"
    if preposition in ("с", "со"):
        is_hard = (first in "сзшж" and has_cluster) or first == "щ" or bool(_FLEETING.match(word))
        return "со" if is_hard else "с"
    if preposition in ("в", "во"):
        is_hard = (first in "вф" and has_cluster) or bool(re.match(r"льв|льд|лбу|рту|рву|мн[ое]|тьм|двор|сне\b", word))
        return "во" if is_hard else "в"
    return "ко" if _BEFORE_KO.match(word) else "к"
