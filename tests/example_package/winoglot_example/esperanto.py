"""A language: Esperanto has one article."""

from winoglot.schemas.mentions import FunctionWords

WORDS = FunctionWords(frozenset({"la"}))
