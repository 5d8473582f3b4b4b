"""Chinese, simplified or traditional: a determiner is a demonstrative or numeral with its classifier."""

from dataclasses import replace

from winoglot.languages.base import read_function_words, read_words

_CLASSIFIERS = read_words(__name__, "classifiers.txt")
_WORDS = read_function_words(__name__)

WORDS = replace(
    _WORDS,
    determiners=frozenset(opener + classifier for opener in _WORDS.determiners for classifier in _CLASSIFIERS),
)
