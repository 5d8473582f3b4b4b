"""English in another tense, number, gender or voice, or with other words.

`words`, `clauses`, `verbs` and `sentence` read a text, `inflection` and `agreement` have other forms of its words, and
`scene` says what an item speaks of. Each kind of change has a module; `concord` belongs to `number`, `transitive` to
`voice`.
"""

from __future__ import annotations

from winoglot.languages.en.rewriting.adverb import adverb
from winoglot.languages.en.rewriting.gender import gender
from winoglot.languages.en.rewriting.number import number
from winoglot.languages.en.rewriting.relative import relative
from winoglot.languages.en.rewriting.synonym import synonym
from winoglot.languages.en.rewriting.tense import tense
from winoglot.languages.en.rewriting.transitive import constructions
from winoglot.languages.en.rewriting.voice import voice

__all__ = ["adverb", "constructions", "gender", "number", "relative", "synonym", "tense", "voice"]
