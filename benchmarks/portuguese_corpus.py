"""Portuguese corpora compared with the one of Melo (2020): tokens, types, unknown share, tokens per second on one core.

Melo (2020, "Winograd Schemas in Portuguese") has good and featured articles of Wikipedia, words seen fewer than 3 times
unknown, and two reduced corpora: one with about the types of WikiText-2, one with about as many tokens. Her vocabulary
is counted over validation and test text too; ours over train alone. The texts are those of WINOGLOT_DATA: unfiltered
articles to train on with her own validation and test, and novels, which are more text but of another kind.
"""

from __future__ import annotations

import argparse
import gzip
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings
from winoglot.languages.text import sentences, words

if TYPE_CHECKING:
    from winoglot.corpus.reading import Corpus

# Name, tokens of train, types; the unknown share is not given.
PUBLISHED = [
    ("Melo: whole", "9.4M of 9.8M", "98,242"),
    ("Melo: types of WikiText-2", "1,329,372", "33,681"),
    ("Melo: tokens of WikiText-2", "2,078,030", "42,515"),
]
COLUMNS = "{:44} {:>14} {:>9} {:>9} {:>9} {:>9} {:>10}"


def row(name: str, corpus: Corpus, seconds: float) -> str:
    splits = corpus.info["splits"]
    shares = [f"{100 * splits[split]['unknown_share']:.2f}%" for split in ("train", "valid", "test")]
    tokens = sum(counts["tokens"] for counts in splits.values())
    rate = f"{tokens / seconds / 1e6:.2f}M" if seconds else ""
    return COLUMNS.format(name, f"{splits['train']['tokens']:,}", f"{corpus.info['vocabulary']:,}", *shares, rate)


def tokenizer_rate(path: str) -> float:
    """Tokens per second of the tokenizer alone: the upper limit for a build."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = file.read().split("\n")
    begin = time.process_time()
    count = sum(len(words(sentence, "pt")) + 1 for line in lines for sentence in sentences(line, "pt"))
    return count / (time.process_time() - begin)


def main() -> None:
    folder = os.environ.get("WINOGLOT_DATA")
    if not folder:
        print("nothing to measure: set WINOGLOT_DATA to the folder with the texts")
        return
    texts = Path(folder) / "text"
    name = "{}/ptwiki_{}_{}.txt.gz".format
    articles = [name(texts, "any", split) for split in ("valid", "test")]
    valid, test = ([name(texts, "featured", split)] for split in ("valid", "test"))
    novels = [f"{texts}/pt_novels.txt.gz"]

    print(COLUMNS.format("corpus", "train tokens", "types", "unk train", "unk valid", "unk test", "tokens/s"))
    for title, tokens, types in PUBLISHED:
        print(COLUMNS.format(title, tokens, types, "", "", "", ""))
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch)
        begin = time.process_time()
        corpus = build(articles, made / "wiki", CorpusSettings("pt", tokenised=True), valid=valid, test=test)
        print(row("articles, tokenised; Melo's valid and test", corpus, time.process_time() - begin))
        begin = time.process_time()
        corpus = build(novels, made / "novels", CorpusSettings("pt", keep_duplicates=True))
        print(row("novels, one article per paragraph", corpus, time.process_time() - begin))
        for title, settings in (
            ("novels, --types 33681", CorpusSettings("pt", keep_duplicates=True, types=33_681)),
            ("novels, --tokens 1329372", CorpusSettings("pt", keep_duplicates=True, tokens=1_329_372)),
            ("novels, --tokens 2078030", CorpusSettings("pt", keep_duplicates=True, tokens=2_078_030)),
        ):
            print(row(title, build(novels, made / title, settings), 0))
    rate = tokenizer_rate(novels[0])
    print(f"sentences and words alone, nothing stored: {rate / 1e6:.2f}M tokens/s")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
