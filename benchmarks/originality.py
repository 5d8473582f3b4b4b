"""The published texts nearest to the bundled ones, for a person to look at.

The published collections are those of WINOGLOT_DATA, in any format that Winoglot reads. Nearness is the cosine of word
and word-pair weights (tf-idf); a high one is no proof of copying, and a low one no proof of originality: the pairs are
printed to be read.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

import winoglot as wg
from winoglot.languages.tokens import words
from winoglot.loading import load_folder
from winoglot.schemas.language_tag import primary

_SHOWN = 12


def published(folder: str) -> dict[str, set[str]]:
    """Texts by language, of everything in the folder that can be read."""
    found: dict[str, set[str]] = {}
    for collection in load_folder(folder):
        texts = found.setdefault(primary(collection.language), set())
        for item in collection.items:
            texts |= {text for text in (item.text, *(reading.text for reading in item.readings if reading)) if text}
    return found


def main() -> None:
    """Print the nearest pairs of each language."""
    folder = os.environ.get("WINOGLOT_DATA")
    if not folder:
        print("WINOGLOT_DATA names no folder with collections: nothing to measure")
        return
    others = published(str(Path(folder) / "collections"))
    for language, collection in wg.load_all("winoglot").items():
        theirs = sorted(others.get(language, ()))
        ours = [schema.items[0].text or "" for schema in collection.schemas]
        if not theirs:
            print(f"{language}: nothing published at hand")
            continue
        made = TfidfVectorizer(
            tokenizer=lambda text, language=language: words(text.lower(), language),
            token_pattern=None,
            ngram_range=(1, 2),
        )
        matrix = made.fit_transform([*theirs, *ours])
        near = (matrix[len(theirs) :] @ matrix[: len(theirs)].T).toarray()
        best = near.max(axis=1)
        print(
            f"\n{language}: {len(ours)} schemas, {len(theirs):,} published texts; cosine median {np.median(best):.2f}"
        )
        for row in np.argsort(-best)[:_SHOWN]:
            print(f"  {best[row]:.2f}  {collection.schemas[row].id}: {ours[row]}\n        {theirs[near[row].argmax()]}")


if __name__ == "__main__":
    main()
