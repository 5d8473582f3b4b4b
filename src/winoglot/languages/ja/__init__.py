"""Japanese: the candidate stands where the pronoun stood, and the pronoun's particle stays.

Nothing inflects and there are no articles. `pronoun` decides whether a marked word is a pronoun at all (not in それで
or 彼女ができた) and replaces it; `zero` says where an unspoken subject or object stands and which particle it takes;
`referent` knows what the text calls a candidate (林さん), its number, and whether it is a person or a place;
`exchange` says what cannot be switched.
"""

from __future__ import annotations

from winoglot.languages.ja.exchange import check_exchange
from winoglot.languages.ja.pronoun import pronoun_features, pronoun_role, substitute
from winoglot.languages.ja.referent import candidate_features, definite, number_of
from winoglot.languages.ja.zero import unspoken

__all__ = [
    "candidate_features",
    "check_exchange",
    "definite",
    "number_of",
    "pronoun_features",
    "pronoun_role",
    "substitute",
    "unspoken",
]
