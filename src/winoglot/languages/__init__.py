"""One folder per language, named after the language tag (`pt`, or `pt_pt` if a region needs its own).

A folder with the table `pronouns.txt` is a language; `base` says what its `__init__.py` may define, `lexicon` how its
tables are read, `features.txt` what their features mean.
"""
