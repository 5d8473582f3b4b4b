"""A collection of training items from a corpus or from plain text: found, deduplicated, balanced and drawn.

`repetitions` finds the items of a text. Here several processes read batches of text, and items are drawn by a hash of
their text and the seed: the result does not depend on the order in which batches are ready, and with a limit only a few
times that many items are held in memory.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from winoglot._version import __version__
from winoglot.corpus.opening import STANDARD_INPUT, common_kind
from winoglot.corpus.reading import open_corpus
from winoglot.corpus.repetitions import items_in
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.shards import Tally, simplifier
from winoglot.corpus.sources import Batch, batches, check_once, source_files
from winoglot.corpus.vocabulary import END_ID
from winoglot.corpus.workers import workers
from winoglot.errors import InputError
from winoglot.languages.base import language_hook
from winoglot.languages.lexicon import lexicon
from winoglot.languages.text import words
from winoglot.registry import names
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Collection, Item, Schema
from winoglot.schemas.text import folded, is_word_character, language_tag, needs_space, primary, word_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.corpus.opening import Measured
    from winoglot.corpus.reading import Corpus

    Progress = Callable[[str, int, int], object]

_SPARE = 4  # times the limit that are held, since duplicates are found at the end
_GRAM = 8  # words in a row that no two items share
_MOST_ALIKE = 5  # items with the same two candidates: a novel repeats the names of its heroes
_TOKENS = 1 << 20  # of a corpus that are one task


@dataclass(frozen=True)
class GeneratedItems:
    """The collection, and how it came about: words read, items found, and why others were left out."""

    collection: Collection
    words: int
    found: int
    left_out: dict[str, int]


def generate(
    sources: Sequence[str | Path],
    language: str,
    *,
    limit: int | None = None,
    seed: int = 0,
    document: str = "line",
    keep_script: bool = False,
    worker_count: int = 1,
    command: str = "",
    progress: Progress | None = None,
) -> GeneratedItems:
    """A collection of at most `limit` items from folders of corpora, text files, JSON Lines or dumps.

    In half of the items the first candidate is right. `command` is recorded in the provenance; `progress` is called
    with a stage, how much of it is done and how much there is.
    """
    tag = checked_language(language)
    if limit is not None and limit < 2:
        raise InputError(
            f"--limit is {limit}", remedy="Use 2 or more: half of the items have the first candidate right."
        )
    paths = [str(source) for source in sources]
    if not paths:
        raise InputError("there is no source", remedy="Name the folder of a corpus, or text files.")
    if STANDARD_INPUT in paths:
        raise InputError("standard input cannot be read here", remedy="Save the text in a file and name that.")
    folders = [path for path in paths if Path(path).is_dir()]
    if folders and len(folders) < len(paths):
        raise InputError("corpora and files are mixed", remedy="Use several corpora, or several files.")
    report = progress or (lambda _stage, _done, _total: None)
    material = (
        _from_corpora(folders, tag) if folders else _from_files(paths, tag, document, report, keep_script=keep_script)
    )
    draw, words_read, done = ItemDraw(limit, seed), 0, 0
    with workers(worker_count) as run_tasks:
        for result in run_tasks(_search, ((task, tag) for task in material.tasks())):
            words_read += result.words
            done += result.size
            for item in result.items:
                draw.add(item)
            report(material.stage, done, material.size)
    if not words_read:
        raise InputError("the text is empty", remedy="Name a source with text.", file=paths[0])
    items, left_out = draw.items()
    if not items:
        message = f"no item was found in {words_read} words"
        if draw.found:
            message = f"of {draw.found} items found in {words_read} words none is left when the answers are balanced"
        remedy = "Use more text: whole sentences without unknown words, dialogue or tables, in that language."
        raise InputError(message, remedy=remedy, file=paths[0])
    collection = Collection(
        f"generated-{tag.lower()}",
        tag,
        tuple(Schema(item.schema_id, (item,)) for item in items),
        description="Training items made from plain text: a repeated noun or name is the gap. Not for evaluation.",
        provenance=(
            f"made by Winoglot {__version__}: {command or 'winoglot.corpus.generate_items.generate'}",
            *material.provenance,
        ),
    )
    return GeneratedItems(collection, words_read, draw.found, left_out)


def checked_language(language: str) -> str:
    """The tag of a language in which items can be made; otherwise an input error that lists those languages.

    >>> checked_language("PT_br")
    'pt-BR'
    """
    tag = language_tag(language)
    if language_hook(tag, "substitute") is None:
        supported = [name for name in names("languages") if language_hook(name, "substitute")]
        nouns, people = (
            [name for name in supported if bool(language_hook(name, "word_class")) is has_word_classes]
            for has_word_classes in (True, False)
        )
        remedy = f"Nouns and names: {', '.join(nouns)}; names only: {', '.join(people)}."
        raise InputError(f"no items can be made in {tag!r}: there are no rules for that language", remedy=remedy)
    return tag


# What is read


@dataclass(frozen=True)
class _SearchResult:
    """The items of a batch, how many words were read, and the batch's size."""

    items: list[Item]
    words: int
    size: int


@dataclass(frozen=True)
class _FileTask:
    """A batch of articles from files, to search for items."""

    batch: Batch
    settings: CorpusSettings

    def texts(self) -> Iterator[str]:
        convert = simplifier() if self.settings.simplified else str
        return (convert(article.text) for article in self.batch.articles(self.settings, Tally()))

    @property
    def size(self) -> int:
        return self.batch.size


@dataclass(frozen=True)
class _CorpusTask:
    """Articles of a split of a corpus, whose tokens are joined to text again."""

    path: str
    split: str
    start: int
    stop: int

    def texts(self) -> Iterator[str]:
        corpus = open_corpus(self.path)
        split = corpus.split(self.split)
        for number in range(self.start, self.stop):
            words = [corpus.vocabulary.word(token) for token in split.article(number).tolist() if token != END_ID]
            yield detokenised(words, corpus.language)

    @property
    def size(self) -> int:
        split = open_corpus(self.path).split(self.split)
        return int(split.starts[self.stop] - split.starts[self.start])


def detokenised(tokens: Sequence[str], language: str) -> str:
    """The text of word tokens: no space before punctuation, nor where an elided word or an enclitic is split off.

    >>> detokenised(["Aujourd'hui", ",", "l'", "ami", "n'", "a", "pas", "ri", "."], "fr")
    "Aujourd'hui, l'ami n'a pas ri."
    >>> detokenised(["She", "did", "n't", "see", "Ana", "'s", "hat", "."], "en")
    "She didn't see Ana's hat."
    """
    spelling = lexicon(language, "spelling")
    before, after = spelling.words("proclitic"), spelling.words("enclitic") | spelling.words("after-enclitic")
    text, last = "", ""
    for token in tokens:
        is_joined = folded(last) in before or folded(token) in after
        text += token if is_joined or not needs_space(text, token) else f" {token}"
        last = token
    return text


@dataclass(frozen=True)
class _Material:
    """What there is to read, its size (bytes when `reading` files, tokens when `searching` corpora) and its origin."""

    tasks: Callable[[], Iterable[_FileTask | _CorpusTask]]
    size: int
    stage: str
    provenance: tuple[str, ...]


def _from_files(paths: Sequence[str], tag: str, document: str, report: Progress, *, keep_script: bool) -> _Material:
    simplified = False if keep_script else None
    settings = CorpusSettings(tag, kind=common_kind(paths), document=document, simplified=simplified)
    sources = source_files(paths, "train", lambda done, total: report("checking", done, total))
    check_once(sources)
    measurements: dict[str, Measured] = {}

    def tasks() -> Iterator[_FileTask]:
        return (_FileTask(batch, settings) for batch in batches(sources, settings, measurements))

    provenance = tuple(f"{source.name}, SHA-256 {source.sha256}" for source in sources)
    return _Material(tasks, sum(source.size for source in sources), "reading", provenance)


def _from_corpora(folders: Sequence[str], tag: str) -> _Material:
    corpora = [open_corpus(folder) for folder in folders]
    for corpus in corpora:
        corpus.verify()
        if primary(corpus.language) != primary(tag):
            message = f"the corpus is in {corpus.language!r}, not in {tag!r}"
            raise InputError(message, remedy=f"Use --language {corpus.language}.", file=str(corpus.path))
    tasks = [task for corpus in corpora for task in _corpus_tasks(corpus)]
    provenance = tuple(f"corpus {corpus.path.name}, train, hash {corpus.hash}" for corpus in corpora)
    size = sum(corpus.info["splits"]["train"]["tokens"] for corpus in corpora)
    return _Material(lambda: tasks, size, "searching", provenance)


def _corpus_tasks(corpus: Corpus) -> Iterator[_CorpusTask]:
    """The articles of train in pieces; valid and test stay unseen."""
    starts = corpus.split("train").starts
    start = 0
    while start < len(starts) - 1:
        stop = int(np.searchsorted(starts, starts[start] + np.uint64(_TOKENS), side="right")) - 1
        stop = max(start + 1, stop)
        yield _CorpusTask(str(corpus.path), "train", start, stop)
        start = stop


def _search(task: tuple[_FileTask | _CorpusTask, str]) -> _SearchResult:
    """Search the texts of a batch for items."""
    part, language = task
    items: list[Item] = []
    count = 0
    for text in part.texts():
        count += word_count(text)
        items += items_in(text, language)
    return _SearchResult(items, count, part.size)


# What is drawn


class ItemDraw:
    """Items in the order of a hash of their text and the seed; half of them with the first candidate right.

    With a limit, only those that come first are kept, with some to spare.
    """

    def __init__(self, limit: int | None, seed: int) -> None:
        """Start without items."""
        self.limit, self.found = limit, 0
        self._seed = seed
        self._kept: tuple[list[tuple[int, str]], ...] = ([], [])  # by answer, the last in the draw on top
        self._items: dict[str, Item] = {}

    def add(self, item: Item) -> None:
        """Add an item to the sample."""
        self.found += 1
        heap = self._kept[item.answer or 0]
        entry = (-int(digest([self._seed, item.text]), 16), item.id)
        if item.id in self._items:  # the same text again
            return
        if self.limit is None or len(heap) < _SPARE * self.limit:
            heapq.heappush(heap, entry)
        elif entry > heap[0]:
            del self._items[heapq.heapreplace(heap, entry)[1]]
        else:
            return
        self._items[item.id] = item

    def items(self) -> tuple[list[Item], dict[str, int]]:
        """The items drawn, and how many of the others were left out for which reason."""
        left_out: Counter[str] = Counter()
        grams: set[str] = set()
        pair_counts: Counter[frozenset[str]] = Counter()
        usable: tuple[list[Item], list[Item]] = ([], [])
        for _, name in sorted((*self._kept[0], *self._kept[1]), reverse=True):
            item = self._items[name]
            item_grams = set(_grams(item))
            pair = frozenset(folded(candidate.text) for candidate in item.candidates)
            if item_grams & grams:
                left_out["shares words with another"] += 1
            elif pair_counts[pair] == _MOST_ALIKE:
                left_out["same candidates as others"] += 1
            else:
                grams |= item_grams
                pair_counts[pair] += 1
                usable[item.answer or 0].append(item)
        number = min(map(len, usable))
        if self.limit is not None:
            number = min(number, self.limit // 2)
        left_out["not drawn"] = self.found - 2 * number - sum(left_out.values())
        chosen_items = [item for pair in zip(usable[0][:number], usable[1][:number], strict=True) for item in pair]
        return chosen_items, {reason: count for reason, count in left_out.items() if count}


def _grams(item: Item) -> Iterator[str]:
    """The words of an item, lower case and without punctuation, in rows; the repeated word counts as any other."""
    text = " ".join(word for word in words(folded(item.text or ""), item.language) if is_word_character(word[0]))
    split = text.split()
    return (" ".join(split[start : start + _GRAM]) for start in range(max(1, len(split) - _GRAM + 1)))
