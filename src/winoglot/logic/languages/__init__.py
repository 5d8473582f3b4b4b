"""One package per language. Each provides

- `sentence(clause: Clause, rng: Random) -> str`: the plan in words, with a `slot` mark in place of every name
- `form(word: Word, form: str) -> str`: a name in the form that its mark asks for
- `joined(forms: list[str], joiner: str) -> str`: a list of names
- `finished(text: str) -> str`: the words as a sentence, and `STOP`, the separator between two sentences
"""
