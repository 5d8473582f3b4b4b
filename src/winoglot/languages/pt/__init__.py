"""Portuguese, Brazilian unless the region says otherwise."""

from winoglot.languages.base import NotDerivedError, Substitution, read_function_words
from winoglot.languages.place import Place

WORDS = read_function_words(__name__)


def substitute(place: Place) -> Substitution:
    """Put the candidate in the pronoun's place."""
    form = place.surface
    if form in ("ele", "ela", "eles", "elas"):
        return place.replace(rule="pronoun")
    if form in ("dele", "dela", "deles", "delas"):
        return place.replace(rule="preposition", preposition="de")
    raise NotDerivedError(f"{form!r} is not known")
