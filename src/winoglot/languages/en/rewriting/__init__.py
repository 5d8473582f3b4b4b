"""English in another tense, number, gender or voice, or with other words.

In reading order:

- a text: `raw_text` (its words by form alone), `clauses` and `verbs` (what may follow them), `sentence` (each word);
- forms: `inflection` (of a word), `subject_number` (of a subject and its verb);
- `scene`: the people and things that an item speaks of, and where;
- one module per kind of change: `tense`, `number` (with `concord`), `gender`, `voice` (with `transitive`), `relative`,
  `adverb`, `synonym`.
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
