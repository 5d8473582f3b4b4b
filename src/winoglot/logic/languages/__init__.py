"""One package a language. It offers

- `sentence(clause: Clause, rng: Random) -> str`: the plan in words, with a `slot` mark in the place of every name
- `form(word: Word, form: str) -> str`: a name in a form that its marks ask for
- `joined(forms: list[str], joiner: str) -> str`: a list of names
- `finished(text: str) -> str`: the words as a sentence, and `STOP`, what stands between two sentences
"""
