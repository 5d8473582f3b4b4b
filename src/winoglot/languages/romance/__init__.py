"""The grammar that Romance languages share; tables in a language's folder say what its words are and do.

In reading order:

- `grammar`: what the words of a language are, by its tables; a language subclasses it where tables are not enough;
- `conjugation`: the forms of verbs;
- `words`: the words around a pronoun, and the phrase that replaces it;
- `pronouns`: those that a phrase simply replaces;
- `possessed`, `possessives`: the end of a possessed phrase, and the possessor after it;
- `clitics`, `after_verb`: the noun after its verb, and what else may follow the verb;
- `rewriting/`: a text in another tense, number, gender or voice, or with other words.

A language's `substitute` calls these modules.
"""
