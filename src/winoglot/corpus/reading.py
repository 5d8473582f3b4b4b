"""A corpus on disk, opened: its tokens stay in their files and are mapped into memory.

corpus.json                   what it is and was made of; written last, so a folder without it is no corpus
vocabulary.txt                a type and its count in train a line; the id is the line's place, from 0
train.tokens, valid.…, test.… ids, little-endian 32 bits, `<eos>` behind each sentence
train.articles, …             where each article begins in the tokens, little-endian 64 bits, and the end
attribution.tsv.gz            split, title, page id and revision of each article
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.corpus._described_folder import Description, files_hash
from winoglot.corpus.vocabulary import Vocabulary, read_vocabulary
from winoglot.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 1
SPLITS = ("train", "valid", "test")
INFO, VOCABULARY, ATTRIBUTION = "corpus.json", "vocabulary.txt", "attribution.tsv.gz"
BUILDING = "building"  # the folder of a build under way
TOKEN, PLACE = np.dtype("<u4"), np.dtype("<u8")
_DESCRIPTION = Description(
    "corpus",
    INFO,
    FORMAT,
    frozenset(("format", "language", "hash", "vocabulary", "splits")),
    under_way=BUILDING,
    unfinished=("the build is not finished", "Give its command again: it goes on where it stopped."),
    make="Make one: winoglot corpus build … -o DIR.",
    again="Build it again: winoglot corpus build … -o DIR --force.",
)


@dataclass(frozen=True)
class Split:
    """The tokens of a split and where its articles begin; `starts` has the end as its last entry."""

    name: str
    tokens: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        """How many articles there are."""
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
        """Its language, as BCP 47."""
        return str(self.info["language"])

    @property
    def hash(self) -> str:
        """Of vocabulary, tokens and articles: whoever builds on the corpus keeps it and sees a change."""
        return str(self.info["hash"])

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Its types, read when first asked for."""
        vocabulary = read_vocabulary(self.path / VOCABULARY)
        if len(vocabulary) != self.info["vocabulary"]:
            message = f"has {len(vocabulary)} types; {INFO} says {self.info['vocabulary']}"
            raise InputError(message, remedy=_DESCRIPTION.again, file=str(self.path / VOCABULARY))
        return vocabulary

    def split(self, name: str) -> Split:
        """One of `train`, `valid` and `test`; it may be empty."""
        if name not in SPLITS:
            raise InputError(f"a corpus has no split {name!r}", remedy=nearest(name, SPLITS))
        counts = self.info["splits"][name]
        tokens = _DESCRIPTION.mapped(self.path / f"{name}.tokens", TOKEN, counts["tokens"])
        starts = _DESCRIPTION.mapped(self.path / f"{name}.articles", PLACE, counts["articles"] + 1)
        return Split(name, tokens, starts)

    def verify(self) -> None:
        """Read all files and compare them with the hash: an input error if something has changed."""
        if (found := content_hash(self.path)) != self.hash:
            message = f"the files do not fit {INFO}: their hash is {found[:12]}…, not {self.hash[:12]}…"
            raise InputError(message, remedy=_DESCRIPTION.again, file=str(self.path))


def open_corpus(path: Path | str) -> Corpus:
    """The corpus in a folder; one that is not whole, or of another program's making, is an input error."""
    path = Path(path)
    corpus = Corpus(path, _DESCRIPTION.read(path))
    for name in SPLITS:
        corpus.split(name)
    return corpus


def check_ids(tokens: np.ndarray, types: int, file: Path) -> None:
    """Refuse tokens that are no ids of a vocabulary of so many types: their file is damaged."""
    highest = int(tokens.max(initial=0))
    if highest >= types:
        message = f"the files do not fit {INFO}: a token is {highest}, and there are {types} types"
        raise InputError(message, remedy=_DESCRIPTION.again, file=str(file))


def content_hash(path: Path) -> str:
    """The SHA-256 over vocabulary, tokens and articles of the corpus in a folder."""
    return files_hash(path, (VOCABULARY, *(f"{split}.{kind}" for split in SPLITS for kind in ("tokens", "articles"))))
