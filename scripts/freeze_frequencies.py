"""Generate the frozen word-frequency tables in the languages' folders, so that the scores of `frequent` never change.

A table contains only counts, never text. FOLDER contains the texts (`SOURCES` lists the files); the Spanish ones come
from Debian packages, unpacked there with `dpkg-deb -x PACKAGE.deb FOLDER/debian`:

    pip install winoglot OpenCC
    python scripts/freeze_frequencies.py FOLDER [LANGUAGE…]

Review the changes before you commit them: a changed table changes every score of `frequent`.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import struct
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.languages.frequencies import ALL, FILE, word_key
from winoglot.languages.text import words

if TYPE_CHECKING:
    from collections.abc import Iterable

LANGUAGES = Path(__file__).parents[1] / "src" / "winoglot" / "languages"
MOST_WORDS = 40_000  # with 20,000, half as many Portuguese items have two known candidates
FEWEST = 2  # a word seen only once is often a typing error
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['·-](?=[^\W\d_])|[\u0300-\u036f])*'?")
_TAG = re.compile(r"<[^>]*>")


def lines(path: Path) -> Iterator[str]:
    """The lines of a text: one paragraph or article each."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file


def french_articles(path: Path) -> Iterator[str]:
    """Articles, each after a header with title and address."""
    return (line for line in lines(path) if not line.startswith(("Titre:", "Lien:", "Contenu:")))


def chinese_articles(path: Path) -> Iterator[str]:
    """Articles as JSON Lines, in either script."""
    return (paragraph for line in lines(path) for paragraph in simplified(json.loads(line)["text"].splitlines()))


def tatoeba_english(path: Path) -> Iterator[str]:
    """The left column, where a sentence with several translations is repeated."""
    return iter(dict.fromkeys(line.split("\t")[0] for line in lines(path)))


def tatoeba_chinese(path: Path) -> Iterator[str]:
    """The right column."""
    return simplified(dict.fromkeys(line.split("\t")[1].strip() for line in lines(path)))


def simplified(texts: Iterable[str]) -> Iterator[str]:
    """Chinese texts in simplified characters."""
    from opencc import OpenCC

    return map(OpenCC("t2s").convert, texts)


def zipped(path: Path) -> Iterator[str]:
    """The training part of WikiText-2; the other file is a shuffled part of a text that is read separately."""
    with zipfile.ZipFile(path) as archive, archive.open("wikitext-2/wiki.train.tokens") as file:
        yield from io.TextIOWrapper(file, encoding="utf-8")


def sword(folder: Path) -> Iterator[str]:
    """The books of a SWORD module, each compressed separately; `.bzs` gives the offset and length of each."""
    for part in ("ot", "nt"):
        index, data = ((folder / f"{part}.{suffix}").read_bytes() for suffix in ("bzs", "bzz"))
        for start, size, _ in struct.iter_unpack("<III", index):
            if size:
                yield _TAG.sub("", zlib.decompress(data[start : start + size]).decode())


def fortunes(folder: Path) -> Iterator[str]:
    """Sayings, without the lines that name the author."""
    for path in sorted(folder.glob("*.fortunes")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.startswith(("\t", "%")):
                yield line


def pages(folder: Path) -> Iterator[str]:
    """The paragraphs of a book in HTML; commands and listings are left out."""
    for path in sorted(folder.glob("*.html")):
        for paragraph in re.findall(r'<div class="para">(.*?)</div>', path.read_text(encoding="utf-8"), re.DOTALL):
            yield unescape(_TAG.sub("", re.sub(r"<(code|pre)\b.*?</\1>", " ", paragraph, flags=re.DOTALL)))


@dataclass(frozen=True)
class Source:
    """Texts under one licence, and the function that reads their files."""

    what: str
    licence: str
    read: Callable[[Path], Iterator[str]]
    paths: tuple[str, ...]


_DEBIAN = "debian/usr/share"
_TATOEBA = "sentences of Tatoeba"
SOURCES: dict[str, list[Source]] = {
    "en": [
        Source("WikiText-2 (Wikipedia)", "CC BY-SA", zipped, ("wikitext2_repacked.zip",)),
        Source("WikiText-2 (Wikipedia)", "CC BY-SA", lines, ("wikitext2_valid.txt.gz", "wikitext2_test.txt.gz")),
        Source(_TATOEBA, "CC BY", tatoeba_english, ("zh_tatoeba.txt.gz",)),
    ],
    "es": [
        Source(
            "the Reina-Valera Bible of 1909 (Debian: sword-text-sparv)",
            "public domain",
            sword,
            (f"{_DEBIAN}/sword/modules/texts/ztext/spaRV1909eb",),
        ),
        Source("sayings (Debian: fortunes-es)", "public domain", fortunes, (f"{_DEBIAN}/games/fortunes/es",)),
        Source(
            "The Debian Administrator's Handbook (Debian: debian-handbook)",
            "CC BY-SA",
            pages,
            (f"{_DEBIAN}/doc/debian-handbook/html/es-ES",),
        ),
    ],
    "fr": [
        Source("60 novels of ELTeC", "public domain", lines, ("fr_novels.txt.gz",)),
        Source("articles of Wikipedia", "CC BY-SA", french_articles, ("frwiki_sample.txt.gz",)),
    ],
    "pt": [
        Source("100 novels of ELTeC", "public domain", lines, ("pt_novels.txt.gz",)),
        Source(
            "articles of Wikipedia",
            "CC BY-SA",
            lines,
            tuple(f"ptwiki_{kind}_{part}.txt.gz" for kind in ("any", "featured") for part in ("valid", "test")),
        ),
    ],
    "zh": [
        Source("articles of Wikipedia", "CC BY-SA", chinese_articles, ("zhwiki_sample.txt.gz",)),
        Source(_TATOEBA, "CC BY", tatoeba_chinese, ("zh_tatoeba.txt.gz",)),
    ],
}


def counted(language: str, texts: Iterable[str]) -> Counter[str]:
    """How often each word (as spelt by `word_key`) occurs, without punctuation, numbers and word parts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(key for key in map(word_key, words(text, language)) if _WORD.fullmatch(key))
    return counts


def frozen(language: str, folder: Path) -> bytes:
    """The content of the table: a header, the total count, and the most frequent words."""
    counts: Counter[str] = Counter()
    described: dict[str, int] = {}
    for source in SOURCES[language]:
        own = counted(language, (text for path in source.paths for text in source.read(folder / path)))
        name = f"{source.what}, {source.licence}"
        described[name] = described.get(name, 0) + own.total()
        counts += own
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    kept = [(word, count) for word, count in ranked if count >= FEWEST][:MOST_WORDS]
    head = [
        "# Word frequencies. Made by scripts/freeze_frequencies.py: do not edit.",
        "# Counts are facts about the texts; no text is in here. What was counted, under which licence, words:",
        *(f"# {name}: {number}" for name, number in described.items()),
        f"{ALL}\t{counts.total()}",
    ]
    text = "\n".join([*head, *(f"{word}\t{count}" for word, count in kept)]) + "\n"
    return gzip.compress(text.encode(), mtime=0)


def main(folder: str, *languages: str) -> None:
    """Write the tables and print what they contain."""
    for language in languages or SOURCES:
        data = frozen(language, Path(folder))
        path = LANGUAGES / language / FILE
        path.write_bytes(data)
        rows = gzip.decompress(data).decode().splitlines()
        count = sum(not row.startswith(("#", ALL)) for row in rows)
        sys.stdout.write(f"{language}: {count} words, {len(data)} bytes; last: {rows[-1]}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
