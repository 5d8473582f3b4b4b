"""Small corpora with known words, and slow counts of them to compare with."""

import json
from collections import Counter
from unicodedata import normalize

import numpy as np

from winoglot.corpus.build import build
from winoglot.corpus.counting import Counting, count
from winoglot.corpus.reading import content_hash, open_corpus
from winoglot.corpus.settings import CorpusSettings


def corpus_of(folder, articles, language="en", **settings):
    """A corpus of articles, each a list of sentences, each words with spaces between."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "text.txt"
    source.write_text("".join(" <eos> ".join(article) + "\n" for article in articles), encoding="utf-8")
    chosen = {"tokenised": True, "held_out": 0.0, "min_count": 1, "keep_duplicates": True} | settings
    return build([str(source)], folder / "corpus", CorpusSettings(language, **chosen))


def raw_corpus(folder, tokens, starts, words):
    """A corpus of numbered words, written without a build: `starts` are the first tokens of its articles."""
    folder.mkdir(parents=True)
    times = np.bincount(tokens, minlength=words + 2)
    names = ["<unk>", "<eos>", *(f"w{number}" for number in range(words))]
    lines = (f"{name}\t{count}\n" for name, count in zip(names, times.tolist(), strict=True))
    (folder / "vocabulary.txt").write_text("".join(lines), encoding="utf-8")
    sizes = {"train": len(tokens), "valid": 0, "test": 0}
    for split, size in sizes.items():
        (folder / f"{split}.tokens").write_bytes(np.array(tokens[:size], "<u4").tobytes())
        (folder / f"{split}.articles").write_bytes(np.array([*starts, size] if size else [0], "<u8").tobytes())
    info = {
        "format": 1,
        "language": "en",
        "hash": content_hash(folder),
        "vocabulary": len(names),
        "splits": {name: {"tokens": size, "articles": len(starts) if size else 0} for name, size in sizes.items()},
    }
    (folder / "corpus.json").write_text(json.dumps(info), encoding="utf-8")
    return open_corpus(folder)


def counts_of(folder, articles, language="en", window=3, **counting):
    """Counts of such a corpus."""
    return count(corpus_of(folder, articles, language), folder / "counts", Counting(window, **counting))


def drawn_articles(seed, words=40, articles=12, sentences=6, length=9):
    """Articles of words of which some are much more frequent than others."""
    draw = np.random.default_rng(seed)
    return [
        [
            " ".join(f"w{int(word) % words}" for word in draw.zipf(1.3, draw.integers(1, length)))
            for _ in range(sentences)
        ]
        for _ in range(articles)
    ]


def slow_counts(articles, window, *, dynamic=False, borders="sentence", least=1):
    """How often the second word stands at an offset from the first: {(word, other, offset): weight}."""
    times = Counter(_fold(word) for article in articles for sentence in article for word in sentence.split())
    kept = {word for word, count in times.items() if count >= least}
    found = Counter()
    for article in articles:
        parts = article if borders == "sentence" else [" <eos> ".join(article)]
        for part in parts:
            words = [_fold(word) for word in part.split()]
            for place, word in enumerate(words):
                for other_place in range(max(0, place - window), min(len(words), place + window + 1)):
                    offset = other_place - place
                    if offset and {word, words[other_place]} <= kept:
                        found[word, words[other_place], offset] += (window - abs(offset) + 1) / window if dynamic else 1
    return found


def _fold(word):
    return normalize("NFC", word).lower()
