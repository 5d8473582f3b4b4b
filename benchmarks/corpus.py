"""From a dump to prose and to a corpus: speed compared with wikiextractor and gensim, and how much text is kept.

`python benchmarks/corpus.py [--dump FILE]`; without a file, the English sample of WINOGLOT_DATA. Everything runs on one
core, except for gensim, which has one process for reading and one for cleaning. Each is timed three times in turn; the
best time counts. For the peers, `pip install wikiextractor gensim mwparserfromhell`, or put an environment that has
them on PYTHONPATH.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import multiprocessing
import os
import re
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.corpus import dump
from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.vocabulary import Numbering, tokenise
from winoglot.corpus.wikitext import prose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROUNDS = 3
LEAST_RATIO = 3.3  # to wikiextractor in its fastest mode
ARTICLES = 30  # articles whose quality is measured
MARKS = ("{{", "}}", "[[", "]]", "{|", "|}", "<ref", "''")
WORD = re.compile(r"[^\W\d_]{2,}")
# What mwparserfromhell leaves in its text although it is not prose.
UNWANTED = ("ref", "references", "table", "gallery", "math", "syntaxhighlight", "source", "pre")


def best(*works: Callable[[], object]) -> list[float]:
    """The shortest time of each, in seconds; run in turn, so that a busy machine slows all of them."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return [min(taken) for taken in times]


def absent(package: str) -> bool:
    """Whether a peer is not installed; prints it."""
    missing = importlib.util.find_spec(package) is None
    if missing:
        print(f"  no comparison, since {package} is not installed: pip install {package}")
    return missing


def each(work: Callable[[str], object], texts: Iterable[str]) -> Callable[[], None]:
    def run() -> None:
        for text in texts:
            work(text)

    return run


def wikiextractor(*, expand: bool) -> Callable[[str], object]:
    module: Any = importlib.import_module("wikiextractor.extract")

    def work(text: str) -> object:
        return module.Extractor("1", "1", "https://wiki.example", "Title", [text]).clean_text(
            text, expand_templates=expand
        )

    return work


def measure_prose(texts: list[str], language: str) -> float | None:
    """Print the speed of wikitext to prose; returns ours over wikiextractor's in its fastest mode, if installed."""
    size = sum(len(text.encode()) for text in texts) / 1e6
    print(f"wikitext to prose, {len(texts)} articles, {size:.2f} MB:")
    ours = each(lambda text: prose(text, language=language), texts)
    if absent("wikiextractor"):
        print(f"  winoglot {size / best(ours)[0]:.1f} MB/s")
        return None
    logging.disable(logging.WARNING)
    mine, fast, default = best(ours, each(wikiextractor(expand=False), texts), each(wikiextractor(expand=True), texts))
    print(f"  winoglot {size / mine:.1f} MB/s")
    print(f"  wikiextractor, templates dropped: {size / fast:.1f} MB/s; winoglot is {fast / mine:.1f} times as fast")
    print(f"  wikiextractor, templates expanded: {size / default:.1f} MB/s; winoglot is {default / mine:.1f} times")
    return fast / mine


def articles(path: str) -> list[dump.Page]:
    """The pages of a dump that are articles: no redirects, talk pages, templates, categories or files."""
    return [page for page in dump.pages(path) if page.namespace == 0 and not page.redirect]


def timed_steps(path: str, language: str) -> tuple[float, ...]:
    """How long reading the dump, making prose, and splitting it into sentences and words take."""
    marks = [time.perf_counter()]
    pages = articles(path)
    marks.append(time.perf_counter())
    texts = [prose(page.wikitext, language=language) for page in pages]
    marks.append(time.perf_counter())
    numbering = Numbering()
    for text in texts:
        tokenise(text, language, numbering)
    marks.append(time.perf_counter())
    return tuple(after - before for before, after in pairwise(marks))


def timed_build(path: str, language: str) -> float:
    """How long `corpus build` takes: splits, vocabulary, token files and attribution included."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        build([path], Path(folder, "corpus"), CorpusSettings(language, kind="dump"))
        return time.perf_counter() - start


def timed_gensim(path: str) -> float:
    """How long gensim takes to read the articles and make its dictionary; it stores no tokens."""
    wikicorpus: Any = importlib.import_module("gensim.corpora.wikicorpus")
    multiprocessing.set_start_method("fork", force=True)  # what it passes to its processes cannot be pickled
    start = time.perf_counter()
    wikicorpus.WikiCorpus(path, processes=1, lower=False, article_min_tokens=0)
    return time.perf_counter() - start


def fresh(work: Callable[..., Any], *arguments: str) -> Any:
    """Run the work in a new process with empty caches: the slow case."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def measure_build(path: str, language: str) -> float | None:
    """Print the speed of `corpus build` and of its steps; returns ours over gensim's, if installed."""
    print(f"corpus build, {Path(path).stat().st_size / 1e6:.2f} MB compressed:")
    without = absent("gensim")
    steps: list[tuple[float, ...]] = []
    builds: list[float] = []
    peers: list[float] = []
    for _ in range(ROUNDS):
        steps.append(fresh(timed_steps, path, language))
        builds.append(fresh(timed_build, path, language))
        peers += [] if without else [fresh(timed_gensim, path)]
    mine, parts = min(builds), [min(step) for step in zip(*steps, strict=True)]
    names = ("reading", "prose", "sentences and words")
    spent = ", ".join(f"{name} {part:.2f}" for name, part in zip(names, parts, strict=True))
    print(
        f"  winoglot {mine:.2f} s, one process: {spent}, the rest (splits, vocabulary, files) {mine - sum(parts):.2f}"
    )
    if without:
        return None
    theirs = min(peers)
    print(f"  gensim's WikiCorpus {theirs:.2f} s, two processes; winoglot is {theirs / mine:.1f} times as fast")
    return theirs / mine


def measure_quality(pages: list[dump.Page], language: str) -> int:
    """Print the markup left and the words kept in a sample of articles; returns how many marks are left."""
    chosen = pages[:: max(1, len(pages) // ARTICLES)][:ARTICLES]
    texts = [prose(page.wikitext, headings=True, language=language) for page in chosen]
    left = {mark: sum(text.count(mark) for text in texts) for mark in MARKS}
    print(f"quality of {len(chosen)} articles:")
    print(f"  markup left: {', '.join(f'{mark} {count}' for mark, count in left.items())}")
    if not absent("mwparserfromhell"):
        kept = Counter(word for text in texts for word in WORD.findall(text))
        for name, drop in (("its whole text", False), ("without references, tables, pictures", True)):
            wanted = Counter(word for page in chosen for word in WORD.findall(stripped(page.wikitext, drop=drop)))
            missing = wanted - kept
            share = 1 - missing.total() / wanted.total()
            most = ", ".join(f"{word} {count}" for word, count in missing.most_common(12))
            print(f"  of mwparserfromhell's words, {name}: {share:.2%} of {wanted.total()} kept; missing most: {most}")
    return sum(left.values())


def stripped(wikitext: str, *, drop: bool) -> str:
    """The text that mwparserfromhell leaves; with `drop`, without what is not prose."""
    parser: Any = importlib.import_module("mwparserfromhell")
    code = parser.parse(wikitext)
    if drop:
        unwanted = [tag for tag in code.filter_tags() if str(tag.tag).strip().lower() in UNWANTED]
        unwanted += [
            link
            for link in code.filter_wikilinks()
            if re.match(r"\s*(?:file|image|category|[a-z]{2,3}):", str(link.title), re.IGNORECASE)
        ]
        for node in unwanted:
            try:
                code.remove(node)
            except ValueError:  # it was removed with the node around it
                continue
    return str(code.strip_code())


def main() -> None:
    """Print the figures; exit 1 if markup is left or a peer is too fast."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", help="a dump: .xml, .bz2 or .gz")
    given = parser.parse_args().dump
    if given is None:
        found = sorted(Path(os.environ.get("WINOGLOT_DATA", "."), "text").glob("enwiki-latest-*.bz2"))
        if not found:
            print("nothing to measure: give --dump FILE, or set WINOGLOT_DATA to a folder with one")
            return
        given = str(found[0])
    language = dump.site(given).language or "en"
    pages = articles(given)
    prose_ratio = measure_prose([page.wikitext for page in pages], language)
    path_ratio = measure_build(given, language)
    left = measure_quality(pages, language)
    failures = ["markup is left"] if left else []
    if prose_ratio is not None and prose_ratio < LEAST_RATIO:
        failures.append(f"prose is not {LEAST_RATIO} times as fast as wikiextractor's")
    if path_ratio is not None and path_ratio <= 1:
        failures.append("the whole path is not faster than gensim's")
    if failures:
        sys.exit("; ".join(failures))


if __name__ == "__main__":
    main()
