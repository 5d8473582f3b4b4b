"""Russian: pronouns only, so far."""

from winoglot.languages.base import read_function_words

WORDS = read_function_words(__name__)
