"""The grammar that Romance languages share: tables in a language's folder say what its words are and do.

`words` holds the words around a pronoun, `grammar` their classes; `possessed` finds the end of a possessed phrase, for
`possessives`; `predicates` finds where an object follows its verb, for `clitics` and `datives`; `pronouns` has the
rest. A language subclasses `Grammar` where its rules differ.
"""
