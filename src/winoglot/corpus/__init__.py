"""Text for models and counts: from a Wikipedia dump or any text to tokens, a vocabulary and splits.

`build.build` makes a corpus and `reading.open_corpus` opens one; its tokens are mapped into memory, never loaded as a
whole. `counting.count` counts which words occur near each other, `counts.open_counts` opens the counts and
`association` measures with them. `generate_items.generate` makes training items from a corpus or plain text. The
modules in reading order, which is that of the data:

- `settings`: what to build, with the reasons for the defaults
- `opening`: plain and compressed files and standard input; measured, hashed, their kind recognised
- `sources`: files cut into batches of articles
- `dump`, `wiki`, `wikitext`: pages of a Wikipedia dump, the articles among them, and their markup made into prose
- `vocabulary`: words and their numbers
- `shards`: the first pass of a build, in which every batch becomes a file of tokens
- `splitting`: which articles are kept, and in which split
- `encoding`: the second pass, which writes the vocabulary and the token files
- `build`: both passes, resumed where they stopped
- `workers`: several processes, or a cluster
- `reading`: a corpus, opened
- `counting`, `counts`: pairs of words that occur near each other, counted and looked up
- `terms`, `association`: what the counts say about a schema
- `nouns`, `repetitions`, `generate_items`: training items in which a repeated noun is the gap
"""
