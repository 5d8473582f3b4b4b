"""Chinese, simplified or traditional: a determiner is a demonstrative or numeral with its classifier."""

from winoglot.languages.base import read_words
from winoglot.schemas.mentions import FunctionWords

_OPENERS = read_words(__name__, "determiners.txt")
_CLASSIFIERS = read_words(__name__, "classifiers.txt")

WORDS = FunctionWords(frozenset(opener + classifier for opener in _OPENERS for classifier in _CLASSIFIERS))
