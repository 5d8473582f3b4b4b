"""Text for models and counts: from a Wikipedia dump or any text to tokens, a vocabulary and splits.

`build.build` makes a corpus and `reading.open_corpus` opens one; its tokens are mapped into memory, never loaded as a
whole. `counting.count` counts which words occur near each other, `counts.open_counts` opens the counts and
`association` measures with them. `schemas.generate` makes training items from a corpus or plain text. The chapters in
the order of the data:

    settings, opening, sources      what to build, from which files
    dump, wiki, wikitext            pages of a Wikipedia dump, made into prose
    vocabulary, shards, splitting, encoding, build    tokens, splits, token files
    workers                         several processes, or a cluster
    reading                         a corpus, opened
    counting, counts                pairs of words, counted and looked up
    terms, association              what the counts say about a schema
    nouns, repetitions, schemas     training items: a repeated noun as the gap
"""
