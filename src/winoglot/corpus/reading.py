"""A corpus on disk: opened, shown and counted. Its tokens stay in their files, which are mapped into memory.

corpus.json                   what it is and was made from; written last, so a folder without it is not a corpus
vocabulary.txt                one type and its count in train per line; the id is the line number, from 0
train.tokens, valid.…, test.… ids, little-endian 32 bits, `<eos>` after each sentence
train.articles, …             where each article begins in the tokens, little-endian 64 bits, and the end
attribution.tsv.gz            split, title, page id and revision of each article
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.corpus.tokenisation import RULES, SPACES
from winoglot.corpus.vocabulary import END_ID, UNKNOWN_ID, Vocabulary, read_vocabulary
from winoglot.errors import InputError, did_you_mean
from winoglot.files import unguarded
from winoglot.folders import WorkFolder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SPLITS = ("train", "valid", "test")
VOCABULARY, ATTRIBUTION = "vocabulary.txt", "attribution.tsv.gz"
BUILDING = "building"  # the folder of an unfinished build, inside the corpus's own
TOKEN, PLACE = np.dtype("<u4"), np.dtype("<u8")
_AT_ONCE = 1 << 20  # tokens read at a time


class CorpusFolder(WorkFolder):
    """The folder of a corpus."""

    what = "corpus"
    description = "corpus.json"
    format = 1
    keys = frozenset(("language", "hash", "vocabulary", "splits"))
    started = frozenset((BUILDING,))
    make = "Make one: winoglot corpus build … -o DIR."
    again = "Build it again: winoglot corpus build … -o DIR --force."


@dataclass(frozen=True)
class Split:
    """The tokens of a split and where its articles begin; the last entry of `starts` is the end."""

    name: str
    tokens: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        """The number of articles."""
        return len(self.starts) - 1

    def article(self, number: int) -> np.ndarray:
        """The tokens of one article."""
        return self.tokens[int(self.starts[number]) : int(self.starts[number + 1])]

    def articles(self) -> Iterator[np.ndarray]:
        """The tokens of each article."""
        return map(self.article, range(len(self)))


@dataclass(frozen=True)
class Corpus:
    """An open corpus. `info` is the content of `corpus.json`."""

    path: Path
    info: dict[str, Any]

    @property
    def language(self) -> str:
        """The language as a BCP 47 tag."""
        return str(self.info["language"])

    @property
    def hash(self) -> str:
        """A hash of vocabulary, tokens and articles: counts and trained models keep it, so that changes are noticed."""
        return str(self.info["hash"])

    @property
    def tokenisation(self) -> str:
        """How its text was cut into words: by Winoglot's rules, or before it came here."""
        return SPACES if self.info.get("settings", {}).get("tokenised") else RULES

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The types, read when first needed."""
        vocabulary = read_vocabulary(self.path / VOCABULARY)
        if len(vocabulary) != self.info["vocabulary"]:
            message = f"has {len(vocabulary)} types; {CorpusFolder.description} says {self.info['vocabulary']}"
            raise InputError(message, remedy=CorpusFolder.again, file=str(self.path / VOCABULARY))
        return vocabulary

    def split(self, name: str) -> Split:
        """One of `train`, `valid` and `test`; it may be empty."""
        if name not in SPLITS:
            raise InputError(f"a corpus has no split {name!r}", remedy=did_you_mean(name, SPLITS))
        folder, counts = CorpusFolder(self.path), self.info["splits"][name]
        tokens = mapped(folder, f"{name}.tokens", TOKEN, counts["tokens"])
        return Split(name, tokens, mapped(folder, f"{name}.articles", PLACE, counts["articles"] + 1))

    def verify(self) -> None:
        """Compare all files with the hash: an input error if something has changed."""
        if (content := content_hash(self.path)) != self.hash:
            message = (
                f"the files do not match {CorpusFolder.description}: "
                f"their hash is {content[:12]}…, expected {self.hash[:12]}…"
            )
            raise InputError(message, remedy=CorpusFolder.again, file=str(self.path))


def open_corpus(path: Path | str) -> Corpus:
    """The corpus in a folder; an unfinished, damaged or outdated one is an input error."""
    path = Path(path)
    corpus = Corpus(path, CorpusFolder(path).read())
    for name in SPLITS:
        corpus.split(name)
    return corpus


def check_ids(tokens: np.ndarray, types: int, file: Path) -> None:
    """Refuse tokens that are not ids of a vocabulary with `types` types: their file is damaged."""
    highest = int(tokens.max(initial=0))
    if highest >= types:
        message = f"the file does not match {CorpusFolder.description}: found token {highest}, there are {types} types"
        raise InputError(message, remedy=CorpusFolder.again, file=str(file))


def content_hash(path: Path) -> str:
    """The SHA-256 over vocabulary, tokens and articles of the corpus in a folder."""
    return files_hash(path, (VOCABULARY, *(f"{split}.{kind}" for split in SPLITS for kind in ("tokens", "articles"))))


def files_hash(folder: Path, names: Iterable[str]) -> str:
    """The SHA-256 over files of a folder, in the order given."""
    result = hashlib.sha256()
    for name in names:
        with (folder / name).open("rb") as file:
            result.update(f"{name}\0".encode() + hashlib.file_digest(file, "sha256").digest())
    return result.hexdigest()


def mapped(folder: WorkFolder, name: str, kind: np.dtype[Any], length: int | None) -> np.ndarray:
    """The numbers in a file, mapped; another length than described is an input error."""
    path = folder.path / name
    try:
        size = path.stat().st_size
        if length is not None and size != length * kind.itemsize:
            message = f"has {size} bytes; {folder.description} says {length * kind.itemsize}"
            raise InputError(message, remedy=folder.again, file=str(path))
        return np.memmap(path, dtype=kind, mode="r") if size else np.empty(0, kind)  # an empty file cannot be mapped
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", remedy=folder.again, file=str(path)) from error


# Statistics


@dataclass(frozen=True)
class TextStatistics:
    """Counts of a split or of a whole corpus.

    `tokens` is what a language model sees, `<eos>` after each sentence included; `types` how many entries of the
    vocabulary occur, `<unk>` and `<eos>` included; `unknown_share` the share of `<unk>` among the tokens other than
    `<eos>`.
    """

    articles: int
    sentences: int
    tokens: int
    types: int
    unknown_share: float


def token_counts(path: Path, types: int) -> np.ndarray:
    """How often each id occurs in a file of tokens.

    Read, not mapped: touched pages of a mapped file would count as memory of this process.
    """
    counts = np.zeros(types, dtype=np.int64)
    with path.open("rb") as file:
        while len(chunk := np.fromfile(file, TOKEN, _AT_ONCE)):
            counts += np.bincount(chunk, minlength=types)
    return counts


def split_statistics(path: Path, articles: int, types: int) -> TextStatistics:
    """The statistics of a split from its file of tokens; `types` is the size of the vocabulary."""
    counts = token_counts(path, types)
    tokens, sentences = int(counts.sum()), int(counts[END_ID])
    share = int(counts[UNKNOWN_ID]) / (tokens - sentences) if tokens > sentences else 0.0
    return TextStatistics(articles, sentences, tokens, int(np.count_nonzero(counts)), round(share, 6))


def corpus_statistics(corpus: Corpus) -> TextStatistics:
    """The statistics of all splits together; the types are those of the vocabulary."""
    splits = corpus.info["splits"].values()
    articles, sentences, tokens = (sum(counts[key] for counts in splits) for key in ("articles", "sentences", "tokens"))
    unknown = sum(counts["unknown_share"] * (counts["tokens"] - counts["sentences"]) for counts in splits)
    share = unknown / (tokens - sentences) if tokens > sentences else 0.0
    return TextStatistics(articles, sentences, tokens, corpus.info["vocabulary"], round(share, 6))


# Articles to look at


@dataclass(frozen=True)
class ShownArticle:
    """An article by its number in a split, from 0; its first sentences, of `of` in all."""

    number: int
    title: str
    id: str
    revision: str
    sentences: tuple[tuple[str, ...], ...]
    of: int


def show_articles(corpus: Corpus, split: str, first: int = 0, most: int = 3, sentences: int = 5) -> list[ShownArticle]:
    """The beginnings of up to `most` articles of a split, from the `first` on, with `<unk>` for unknown words."""
    articles = corpus.split(split)
    for option, number in (("--limit", most), ("--sentences", sentences)):
        if number < 0:
            raise InputError(f"{option} is {number}", remedy="Use 0 or more.")
    if not 0 <= first < max(len(articles), 1):
        message = f"{split} has {len(articles)} articles; there is no article {first}"
        raise InputError(message, remedy="Articles are numbered from 0.", file=str(corpus.path))
    numbers = range(first, min(first + most, len(articles)))
    articles_shown = []
    for number, record in zip(numbers, islice(_records(corpus, split), first, None), strict=False):
        tokens = articles.article(number)
        check_ids(tokens, len(corpus.vocabulary), corpus.path / f"{split}.tokens")
        ends = np.flatnonzero(tokens == corpus.vocabulary.eos)
        pieces = np.split(tokens, ends[:sentences] + 1)[: min(sentences, len(ends))]
        words = tuple(tuple(map(corpus.vocabulary.word, piece[:-1].tolist())) for piece in pieces)
        articles_shown.append(ShownArticle(number, *record, words, len(ends)))
    return articles_shown


def _records(corpus: Corpus, split: str) -> Iterator[tuple[str, str, str]]:
    """Title, id and revision of the articles of a split, in order."""
    path = corpus.path / ATTRIBUTION
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            for line in file:
                name, title, number, revision = line.rstrip("\n").split("\t")
                if name == split:
                    yield unguarded(title), number, revision
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", remedy=CorpusFolder.again, file=str(path)) from error
