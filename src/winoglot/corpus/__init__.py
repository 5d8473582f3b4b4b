"""Text for models and counts: from a Wikipedia dump or any text to sentences, tokens, a vocabulary and splits.

`build.build` makes a corpus, `reading.open_corpus` opens one; its tokens are memory-mapped, never loaded as a whole.
"""
