"""Articles of a corpus as people read them: title and sentences, with `<unk>` where a word is not known."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.reading import ATTRIBUTION, check_ids
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.corpus.reading import Corpus


@dataclass(frozen=True)
class ShownArticle:
    """An article by its number in a split, from 0, and its first sentences of so many."""

    number: int
    title: str
    id: str
    revision: str
    sentences: tuple[tuple[str, ...], ...]
    of: int


def show_articles(corpus: Corpus, split: str, first: int = 0, most: int = 3, sentences: int = 5) -> list[ShownArticle]:
    """`most` articles of a split from the `first` on, the beginning of each."""
    articles = corpus.split(split)
    for option, number in (("--limit", most), ("--sentences", sentences)):
        if number < 0:
            raise InputError(f"{option} is {number}", remedy="Give a number from 0.")
    if not 0 <= first < max(len(articles), 1):
        message = f"{split} has {len(articles)} articles; there is no number {first}"
        raise InputError(message, remedy="Count from 0.", file=str(corpus.path))
    numbers = range(first, min(first + most, len(articles)))
    shown = []
    for number, record in zip(numbers, islice(_records(corpus, split), first, None), strict=False):
        tokens = articles.article(number)
        check_ids(tokens, len(corpus.vocabulary), corpus.path / f"{split}.tokens")
        ends = np.flatnonzero(tokens == corpus.vocabulary.eos)
        pieces = np.split(tokens, ends[:sentences] + 1)[: min(sentences, len(ends))]
        words = tuple(tuple(map(corpus.vocabulary.word, piece[:-1].tolist())) for piece in pieces)
        shown.append(ShownArticle(number, *record, words, len(ends)))
    return shown


def _records(corpus: Corpus, split: str) -> Iterator[tuple[str, str, str]]:
    """Title, id and revision of the articles of a split, in order."""
    path = corpus.path / ATTRIBUTION
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            for line in file:
                name, title, number, revision = line.rstrip("\n").split("\t")
                if name == split:
                    yield title, number, revision
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", remedy="Build the corpus again.", file=str(path)) from error
