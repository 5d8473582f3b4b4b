"""A language: Esperanto has one article, and objects end in -n."""

from winoglot.languages.base import NotDerivedError
from winoglot.schemas.mentions import FunctionWords

WORDS = FunctionWords(
    determiners=frozenset({"la"}), pronouns=frozenset({"li", "ŝi", "ĝi", "ili", "lin", "ŝin", "ĝin", "ilin"})
)


def substitute(place):
    if place.surface.endswith("n"):
        raise NotDerivedError("all words of an object end in -n")
    return place.replace(rule="subject")
