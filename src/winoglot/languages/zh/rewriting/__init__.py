"""Chinese with another time, number, gender or voice, or with other words.

In reading order:

- `scene`: what an item speaks of, and its clauses whose subject is certain;
- `people`: other names of the same form;
- `tense`, `number`, `gender`, `voice`, `relative`, `adverb`, `synonym`: one module per kind of change.

Their words are in the tables of the language's folder: `vocabulary` (nouns), `actions` (verbs), `people` (names),
`clauses`, `adverbs`, `expressions`.
"""

from __future__ import annotations

from winoglot.languages.zh.rewriting.adverb import adverb
from winoglot.languages.zh.rewriting.gender import gender
from winoglot.languages.zh.rewriting.number import number
from winoglot.languages.zh.rewriting.relative import relative
from winoglot.languages.zh.rewriting.synonym import synonym
from winoglot.languages.zh.rewriting.tense import tense
from winoglot.languages.zh.rewriting.voice import constructions, voice

__all__ = ["adverb", "constructions", "gender", "number", "relative", "synonym", "tense", "voice"]
