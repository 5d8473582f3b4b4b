import gzip

import pytest

from winoglot.corpus import stretches
from winoglot.corpus.stretches import Stretch, batches
from winoglot.errors import InputError


def write(path, text):
    path.write_bytes(text.encode())
    return str(path)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(stretches, "STRETCH", 64)


@pytest.mark.parametrize("document", ["line", "blank-line", "file"])
def test_stretches_hold_whole_documents_and_nothing_is_lost(tmp_path, small, document):
    paragraphs = [f"Linha {number} é curta.\nE continua." for number in range(30)]
    texts = ["\n\n".join(paragraphs), "sozinha", ""]
    sources = [write(tmp_path / f"{number}.txt", text) for number, text in enumerate(texts)]
    found = list(batches(sources, document, {}))
    assert "".join(stretch.text() for batch in found for stretch in batch.stretches) == "".join(texts)
    assert sum(batch.size for batch in found) == sum(len(text.encode()) for text in texts)
    first = [stretch for batch in found for stretch in batch.stretches if stretch.source == sources[0]]
    assert len(first) == (1 if document == "file" else len(first))
    assert all(
        stretch.text().endswith({"line": "\n", "blank-line": "\n\n", "file": ""}[document]) for stretch in first[:-1]
    )
    lines = texts[0].split("\n")
    assert all(lines[stretch.line - 1] == stretch.text().split("\n")[0] for stretch in first)


def test_many_small_files_go_together(tmp_path):
    sources = [write(tmp_path / f"{number}.txt", "Chove.") for number in range(50)]
    (batch,) = batches(sources, "file", {})
    assert [stretch.source for stretch in batch.stretches] == sources


def test_the_digest_is_of_the_content(tmp_path):
    one, other = ([*batches([write(tmp_path / name, name)], "line", {})] for name in ("a", "b"))
    again = [*batches([str(tmp_path / "a")], "line", {})]
    assert one[0].digest() == again[0].digest() != other[0].digest()


def test_bytes_that_are_not_utf_8_are_named_with_their_line_in_the_source(tmp_path, small):
    path = tmp_path / "latin.gz"
    path.write_bytes(gzip.compress(b"uma linha boa\n" * 20 + "é má\n".encode("latin-1")))
    with pytest.raises(InputError, match="0xE9 is not UTF-8") as caught:
        [stretch.text() for batch in batches([str(path)], "line", {}) for stretch in batch.stretches]
    assert caught.value.line == 21


def test_a_document_without_end_is_refused(tmp_path, small, monkeypatch):
    monkeypatch.setattr(stretches, "_LONGEST", 1000)
    source = write(tmp_path / "a.txt", "curta\n" + "x" * 2000)
    with pytest.raises(InputError, match="--document") as caught:
        list(batches([source], "line", {}))
    assert caught.value.line == 2


def test_windows_line_ends_are_line_ends():
    assert Stretch("a", 1, b"um\r\ndois").text() == "um\ndois"
