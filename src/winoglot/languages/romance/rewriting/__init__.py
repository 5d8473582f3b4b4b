"""Rewriting in Romance languages: tense, number, gender, voice, a relative clause, adverbs, synonyms.

A language gives its words as `Rules` (`rules.py`) and tables; `reader.py` finds phrases and verbs, `clauses.py`
their subjects, `agreement.py` what refers to a candidate or agrees with one; `verbs.py` has the forms of verbs, and
`writing.py` writes words with their contractions and elisions.
"""

from winoglot.languages.romance.rewriting.adverb import adverb
from winoglot.languages.romance.rewriting.gender import gender
from winoglot.languages.romance.rewriting.number import number
from winoglot.languages.romance.rewriting.relative import relative
from winoglot.languages.romance.rewriting.synonym import synonym
from winoglot.languages.romance.rewriting.tense import tense
from winoglot.languages.romance.rewriting.voice import voice

__all__ = ["adverb", "gender", "number", "relative", "synonym", "tense", "voice"]
