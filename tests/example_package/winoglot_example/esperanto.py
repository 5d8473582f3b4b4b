"""A language: Esperanto has one article."""

from winoglot.schemas.function_words import FunctionWords

WORDS = FunctionWords(frozenset({"la"}))
