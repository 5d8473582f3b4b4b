"""Damaged files of stored corpora, counts, runs and trained models: an input error names what cannot be read.

Every file in turn is removed, emptied, cut, overwritten and changed in one byte. A folder may be read though a byte
differs, if what it holds still makes sense; it never ends in another error.
"""

import shutil
from random import Random

import pytest

import winoglot as wg
from corpus.count_making import counts_of, drawn_articles
from six_schemas import six
from winoglot.corpus.counts import open_counts
from winoglot.corpus.reading import open_corpus
from winoglot.runs.store import load_run
from winoglot.training.trained import load_trained

READERS = {
    "corpus": lambda folder: open_corpus(folder).vocabulary,
    "counts": open_counts,
    "run": load_run,
    "model": load_trained,
}
# Whose texts a corpus has and how a model was trained is not read with them; a run without all predictions is resumed.
NOT_NEEDED = {"attribution.tsv.gz", "log.jsonl", "predictions.jsonl"}


@pytest.fixture(scope="module")
def stored(corpus, one_epoch, tmp_path_factory):
    """One folder of each kind; for reading only."""
    folder = tmp_path_factory.mktemp("stored")
    counted = counts_of(folder, drawn_articles(4), window=2)
    wg.evaluate(six("pt"), "first", folder=folder / "run")
    return {"corpus": corpus.path, "counts": counted.path, "run": folder / "run", "model": one_epoch}


def damages(content):
    """A file's content, damaged so that nobody could take it for whole; None stands for no file."""
    yield from (None, b"", b"[" * 100_000, content[: len(content) // 2], content[:-4])


def refusal(kind, folder):
    """The input error in which reading the folder ends, if it does."""
    error = None
    try:
        READERS[kind](folder)
    except wg.InputError as caught:
        error = caught
    assert error is None or error.remedy
    return error


@pytest.mark.parametrize("kind", READERS)
def test_what_is_missing_cut_or_overwritten_is_named(kind, stored, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(stored[kind], folder, ignore=shutil.ignore_patterns("checkpoints"))
    READERS[kind](folder)
    for file in sorted(path for path in folder.iterdir() if path.name not in NOT_NEEDED):
        content = file.read_bytes()
        for damage in damages(content):
            file.unlink() if damage is None else file.write_bytes(damage)
            error = refusal(kind, folder)
            assert error, f"{file.name} is read though it is {damage and damage[:20]!r}"
            assert str(folder) in str(error)
            file.write_bytes(content)
    READERS[kind](folder)


@pytest.mark.parametrize("kind", READERS)
def test_a_changed_byte_is_an_input_error_or_harmless(kind, stored, tmp_path):
    folder, random = tmp_path / "copy", Random(40)
    shutil.copytree(stored[kind], folder, ignore=shutil.ignore_patterns("checkpoints"))
    files = sorted(folder.iterdir())
    refused = 0
    for _ in range(60):
        file = random.choice(files)
        content = file.read_bytes()
        at = random.randrange(max(1, len(content)))
        file.write_bytes(content[:at] + random.randbytes(1) + content[at + 1 :])
        refused += refusal(kind, folder) is not None
        file.write_bytes(content)
    assert refused
