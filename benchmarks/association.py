"""Accuracy by association alone: `pmi` on the published English, Portuguese and French collections and ours.

Corpora are built and counted from the texts in the folder WINOGLOT_DATA, into `--work DIR` (kept and reused) or a
temporary folder. Prints one row per collection and way of counting, good or bad.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import winoglot as wg
from winoglot.corpus.build import build
from winoglot.corpus.counting import Counting, count
from winoglot.corpus.reading import Corpus, open_corpus
from winoglot.corpus.settings import CorpusSettings
from winoglot.metrics.accuracy import quality, success
from winoglot.models.base import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = {
    "en": ("wikitext2_repacked.zip",),
    "pt": ("pt_novels.txt.gz", "ptwiki_any_valid.txt.gz", "ptwiki_any_test.txt.gz"),
    "fr": ("fr_novels.txt.gz",),
    "zh": ("zhwiki_sample.txt.gz",),
}
TRAIN = "wikitext-2/wiki.train.tokens"  # in the archive
COLLECTIONS = {
    "en": ("blocks:wsc273.txt", "xwinograd:xwinograd.tsv", "winoglot-en"),
    "pt": ("portuguese-html:portuguese_wsc.html", "xwinograd:xwinograd.tsv", "winoglot-pt"),
    "fr": ("xwinograd:xwinograd.tsv", "winoglot-fr"),
    "zh": ("xwinograd:xwinograd.tsv", "winoglot-zh"),
}
PUBLISHED = (
    "Mandarinograd (2020) | right 93 of 153 defined | 61% | abstained 155 of 308 | with guesses 55%",
    "French (Amsili and Seminck, 2017) | right 72 of 131 defined | 55.0% | abstained 49 of 180 | with guesses 53.6%",
)
# The window used in the papers of 2020 and 2021, our way and theirs; and a wide one.
WAYS = {
    "window 6": (Counting(6), {}),
    "window 6, dynamic, positional, min 5": (Counting(6, dynamic=True, positional=True, min_count=5), {}),
    "window 20 across sentences": (Counting(20, borders="article"), {}),
    "window 6, whole text": (Counting(6), {"against": "text"}),
}


def corpus_of(language: str, data: Path, work: Path) -> Corpus:
    """The corpus of a language, built if it does not exist."""
    folder = work / language
    if (folder / "corpus.json").exists():
        return open_corpus(folder)
    sources = [data / "text" / name for name in TEXTS[language]]
    for number, path in enumerate(sources):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                sources[number] = Path(archive.extract(TRAIN, work))
    return build(list(map(str, sources)), folder, CorpusSettings(language, min_count=1, held_out=0))


def rows(language: str, data: Path, work: Path) -> Iterator[str]:
    """One line per collection and way of counting."""
    corpus = corpus_of(language, data, work)
    yield f"{language}: {corpus.info['splits']['train']['tokens']} tokens of {', '.join(TEXTS[language])}"
    for way, (counting, more) in WAYS.items():
        out = work / f"{language}-{counting.window}-{counting.borders}-{counting.positional}"
        if not (out / "counts.json").exists():
            count(corpus, out, counting)
        for name in COLLECTIONS[language]:
            kind, _, file = name.partition(":")
            source = f"{kind}:{data / 'collections' / file}" if file else name
            collection = wg.load(source, language=language if kind == "xwinograd" else None)
            run = wg.evaluate(collection, f"pmi:{out}", options=Options(more=more))
            outcomes = run.outcomes()
            defined = [outcome for outcome in outcomes if outcome.choice is not None]
            right = sum(outcome.right or False for outcome in defined)
            share, guessed = quality.of(run), success.of(run)
            interval = f"{share.value:.1%} [{share.low:.1%}, {share.high:.1%}]" if share.value is not None else "none"
            yield (
                f"  {name} | {way} | right {right} of {len(defined)} defined | {interval} | "
                f"abstained {len(outcomes) - len(defined)} of {len(outcomes)} | "
                f"with guesses {guessed.value or 0:.1%}"
            )


def main() -> None:
    """Print all rows and the published figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, help="folder in which to keep corpora and counts for later runs")
    work = parser.parse_args().work
    folder = os.environ.get("WINOGLOT_DATA")
    if not folder or not Path(folder, "text").is_dir():
        print("nothing to measure: set WINOGLOT_DATA to a folder with texts and collections")
        return
    for line in PUBLISHED:
        print(f"published: {line}")
    with tempfile.TemporaryDirectory() as temporary:
        place = work or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        for language in TEXTS:
            for row in rows(language, Path(folder), place):
                print(row, flush=True)


if __name__ == "__main__":
    main()
