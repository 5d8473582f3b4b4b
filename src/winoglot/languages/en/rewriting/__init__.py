"""English in another tense, number, gender or voice, or with other words.

In reading order:

- `inflection`: what a word may be, and its other forms;
- `raw_text`: the words of a text by their forms alone, with what may follow them;
- `clauses`: which verb belongs to which subject;
- `reader`: each word of a text and its clauses, read from left to right;
- `scene`: the people and things that an item mentions, where, and the number of subjects and verbs;
- `tense`, `number`, `gender`, `voice`, `relative`, `adverb`, `synonym`: one module per kind of change.
"""

from __future__ import annotations

from winoglot.languages.en.rewriting.adverb import adverb
from winoglot.languages.en.rewriting.gender import gender
from winoglot.languages.en.rewriting.number import number
from winoglot.languages.en.rewriting.relative import relative
from winoglot.languages.en.rewriting.synonym import synonym
from winoglot.languages.en.rewriting.tense import tense
from winoglot.languages.en.rewriting.voice import constructions, voice

__all__ = ["adverb", "constructions", "gender", "number", "relative", "synonym", "tense", "voice"]
