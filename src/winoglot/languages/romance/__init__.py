"""The grammar that Romance languages share; tables in a language's folder say what its words are and do.

`words` holds the words around a pronoun, `grammar` says what they are, by the tables (with `conjugation` for verbs);
`possessed` finds the end of a possessed phrase, for `possessives`; `clitics` places the noun after its verb, and
`after_verb` knows what else may stand there; `pronouns` has those that a phrase simply replaces. A language subclasses
`Grammar` where tables are not enough, and its `substitute` calls these chapters.
"""
