"""Speed of our tokenizer compared with nltk's treebank tokenizer and jieba, and of our sentence splitter.

Each text is read three times by each in turn, ours with empty caches each time; the best time counts.
Texts: `--text LANGUAGE=FILE`, else those of WINOGLOT_DATA, else made up here.
`pip install nltk jieba` for the peers.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import importlib.util
import logging
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from winoglot.languages.text import _tokenizer, sentences, words

CHARACTERS = 4_000_000
ROUNDS = 3
DATA = {
    "en": ("zh_tatoeba.txt.gz", "wikitext2_test.txt.gz"),
    "pt": ("pt_novels.txt.gz",),
    "fr": ("fr_novels.txt.gz",),
    "zh": ("zhwiki_sample.txt.gz",),
}
SYLLABLES = {
    "en": "ba con der ing ly man ner per ra sto ter un ver wi",
    "pt": "ca ção de lho men na pa que ra ri são te tu vi",
    "fr": "bé cha de eur ille ment na ou pré que ri té tion vo",
    "zh": "我们 今天 上海 研究 因为 箱子 学生 老师 觉得 太重 已经 回家 了 的 在 把 她 不能",
}
MARKS = {"en": [", ", ". ", "'s ", "n't "], "pt": [", ", ". ", "-lo ", "-se "], "fr": [", ", ". ", "-elle ", " l'"]}
LEAST_RATIO = 2.0  # from here on we call it clearly faster

Tokenizer = Callable[[str], list[str]]


def made_up(language: str) -> str:
    """A text of invented words with Zipf frequencies, so that new ones keep coming."""
    draw = random.Random(language)
    syllables = SYLLABLES[language].split()
    length = (1, 1) if language == "zh" else (1, 4)
    vocabulary = ["".join(draw.choices(syllables, k=draw.randint(*length))) for _ in range(60_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    joints = ["", "", "", "，", "。"] if language == "zh" else [" "] * 8 + MARKS[language]
    chosen = draw.choices(vocabulary, weights, k=400_000)
    joined = "".join(word + draw.choice(joints) for word in chosen)
    return "\n".join(joined[start : start + 400] for start in range(0, len(joined), 400))


def read(path: Path) -> str:
    if path.suffix != ".gz":
        return path.read_text(encoding="utf-8")[:CHARACTERS]
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read(CHARACTERS)


def text_of(language: str, given: dict[str, Path]) -> tuple[str, str]:
    """The text to read and its source."""
    if language in given:
        return read(given[language]), given[language].name
    folder = os.environ.get("WINOGLOT_DATA")
    for name in DATA[language] if folder else ():
        path = Path(str(folder), "text", name)
        if path.is_file() and language == "en" and "tatoeba" in name:
            english = [line.split("\t")[0] for line in read(path).splitlines()]
            paragraphs = [" ".join(english[start : start + 12]) for start in range(0, len(english), 12)]
            return "\n".join(paragraphs), f"English of {name}"
        if path.is_file():
            return read(path), name
    return made_up(language), "made up"


def seconds(tokenize: Tokenizer, lines: list[str]) -> tuple[float, int]:
    start = time.perf_counter()
    count = sum(len(tokenize(line)) for line in lines)
    return time.perf_counter() - start, count


def peer(language: str) -> tuple[str, Tokenizer] | None:
    """The tokenizer to compare with; None, and a line on how to get it, if it is not installed."""
    name = "jieba" if language == "zh" else "nltk"
    if importlib.util.find_spec(name) is None:
        print(f"{language}: no peer, since {name} is not installed: pip install {name}")
        return None
    module = importlib.import_module("jieba" if language == "zh" else "nltk.tokenize")
    if language == "zh":
        module.setLogLevel(logging.ERROR)
        module.initialize()
        return "jieba", module.lcut
    return "treebank", module.TreebankWordTokenizer().tokenize


def measure(language: str, text: str, source: str) -> float | None:
    """Print the line of one language; returns our speed over the peer's, if there is one."""
    lines = text.splitlines()
    size = len(text.encode()) / 1e6
    beside = peer(language)
    ours: list[float] = []
    theirs: list[float] = []
    tokens = 0
    for _ in range(ROUNDS):
        _tokenizer.cache_clear()  # every round begins with empty caches: the slow case
        words("", language)
        took, tokens = seconds(lambda line: words(line, language), lines)
        ours.append(took)
        if beside:
            theirs.append(seconds(beside[1], lines)[0])
    again, _ = seconds(lambda line: words(line, language), lines)
    cut, _ = seconds(lambda line: sentences(line, language), lines)
    line = f"{language} ({source}, {size:.1f} MB, {tokens} tokens): words {size / min(ours):.1f} MB/s"
    line += f", {size / again:.1f} once warm; sentences {size / cut:.1f} MB/s"
    ratio = min(theirs) / min(ours) if theirs else None
    if beside and ratio:
        line += f"; {beside[0]} {size / min(theirs):.2f} MB/s; words are {ratio:.1f} times as fast"
    print(line)
    return ratio


def main() -> None:
    """Print one line per language; exit 1 if we are not clearly faster than the peer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", action="append", default=[], metavar="LANGUAGE=FILE", help="plain text or .gz")
    given: dict[str, Path] = {}
    for pair in parser.parse_args().text:
        language, _, path = pair.partition("=")
        if language not in DATA or not Path(path).is_file():
            parser.error(f"--text {pair}: expected one of {', '.join(DATA)}, '=', and an existing file")
        given[language] = Path(path)
    ratios = {language: measure(language, *text_of(language, given)) for language in given or DATA}
    slow = [language for language, ratio in ratios.items() if ratio is not None and ratio < LEAST_RATIO]
    if slow:
        sys.exit(f"not {LEAST_RATIO} times as fast as the peer: {', '.join(slow)}")


if __name__ == "__main__":
    main()
