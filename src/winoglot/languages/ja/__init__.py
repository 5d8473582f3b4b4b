"""Japanese: the candidate replaces the pronoun, and the pronoun's particle stays.

Nothing inflects and there are no articles. In reading order:

- `referent`: what the text calls a candidate (林さん), its number, whether it is a person or a place, and what prevents
  switching;
- `pronoun`: whether a marked word is a pronoun at all (not in それで or 彼女ができた), and the candidate in its place;
- `zero`: the place of an unspoken subject or object, and its particle.
"""

from __future__ import annotations

from winoglot.languages.ja.pronoun import pronoun_features, pronoun_role, substitute
from winoglot.languages.ja.referent import candidate_features, check_exchange, definite, number_of
from winoglot.languages.ja.zero import unspoken

__all__ = [
    "candidate_features",
    "check_exchange",
    "definite",
    "is_foreign_character",
    "number_of",
    "pronoun_features",
    "pronoun_role",
    "substitute",
    "unspoken",
]


def is_foreign_character(character: str) -> bool:
    """Whether it is a Chinese character that Japanese encodings lack: 这, 们.

    >>> [character for character in "彼は这里にいた" if is_foreign_character(character)]
    ['这']
    """
    return "\u4e00" <= character <= "\u9fff" and not character.encode("cp932", "ignore")
