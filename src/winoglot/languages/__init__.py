"""One folder per language, named after the language tag (`pt`, or `pt_pt` if a region needs its own).

A folder with the table `pronouns.txt` is a language; `base` says what its `__init__.py` may define, `lexicon` how its
tables are read, `features.txt` what their features mean. What all languages share:

- words: `lexicon` and `features` (tables), `names` and `famous_names.txt`, `frequencies`, `text` (tokens, sentences);
- a candidate: `citation` (as the text writes it), `phrases` (made definite), with `openings` and `name_evidence`;
- a pronoun: `pronouns` (whether a marked word is one), `agreement` and `inflection` (what forms show), `apertium`;
- a reading: `readings`, `substitution` (putting a phrase into a text), `zero` (pronouns that are not spoken),
  `plain_items` (other spellings of a text), `windows` (what readings share); for switching, `slots`.
"""
