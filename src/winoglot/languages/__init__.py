"""One folder per language, named after the language tag (`pt`, or `pt_pt` if a region needs its own).

A folder with the table `pronouns.txt` is a language. What all languages share, in reading order:

- `base`: what a language's `__init__.py` may define;
- `lexicon` and `features`: how its tables are read, and what their features (`features.txt`) mean;
- `names` (with `famous_names.txt`) and `frequencies`: the names and the common words of a language;
- `text`: the words and sentences of any text;
- `pronouns`: whether a marked word is a pronoun;
- `agreement` (with `apertium`) and `inflection`: the gender, number and animacy that words show;
- `citation`, `openings`, `name_evidence`, `phrases`: a candidate as the text writes it, and as a definite phrase;
- `substitution` and `zero`: the phrase in the place of a pronoun, spoken or not;
- `plain_items`: other spellings of a text, put aside and restored;
- `readings` and `windows`: an item with each candidate in the pronoun's place, and what its readings share;
- `slots`: the place of a mention, for switching;
- `rewriting`: what a language offers to rewrite a text.

`romance/` is the grammar that Portuguese, French, Spanish and Italian share.
"""
