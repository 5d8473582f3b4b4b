import gzip
import json

import pytest

from cases import listed
from winoglot.corpus import sources
from winoglot.corpus.sources import Article, Chunk, jsonl_articles, text_articles, text_batches
from winoglot.errors import InputError


def write(path, text):
    path.write_bytes(text.encode())
    return str(path)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(sources, "CHUNK", 64)


@pytest.mark.parametrize("document", ["line", "blank-line", "file"])
def test_chunks_hold_whole_documents_and_nothing_is_lost(tmp_path, small, document):
    paragraphs = [f"Linha {number} é curta.\nE continua." for number in range(30)]
    texts = ["\n\n".join(paragraphs), "sozinha", ""]
    sources = [write(tmp_path / f"{number}.txt", text) for number, text in enumerate(texts)]
    found = list(text_batches(sources, document, {}))
    assert "".join(chunk.text() for batch in found for chunk in batch.chunks) == "".join(texts)
    assert sum(batch.size for batch in found) == sum(len(text.encode()) for text in texts)
    first = [chunk for batch in found for chunk in batch.chunks if chunk.source == sources[0]]
    assert len(first) == (1 if document == "file" else len(first))
    end = {"line": "\n", "blank-line": "\n\n", "file": ""}[document]
    assert all(chunk.text().endswith(end) for chunk in first[:-1])
    lines = texts[0].split("\n")
    assert all(lines[chunk.line - 1] == chunk.text().split("\n")[0] for chunk in first)


def test_the_digest_is_of_the_content_and_small_files_go_together(tmp_path):
    one, other = ([*text_batches([write(tmp_path / name, name)], "line", {})] for name in ("a", "b"))
    again = [*text_batches([str(tmp_path / "a")], "line", {})]
    assert one[0].digest() == again[0].digest() != other[0].digest()
    (batch,) = text_batches([str(tmp_path / "a"), str(tmp_path / "b")] * 25, "file", {})
    assert [chunk.source for chunk in batch.chunks] == [str(tmp_path / "a"), str(tmp_path / "b")] * 25


def test_bytes_that_are_not_utf_8_are_named_with_their_line_in_the_source(tmp_path, small):
    path = tmp_path / "latin.gz"
    path.write_bytes(gzip.compress(b"uma linha boa\n" * 20 + "é má\n".encode("latin-1")))
    with pytest.raises(InputError, match="0xE9 is not UTF-8") as caught:
        [chunk.text() for batch in text_batches([str(path)], "line", {}) for chunk in batch.chunks]
    assert caught.value.line == 21


def test_a_document_without_end_is_refused(tmp_path, small, monkeypatch):
    monkeypatch.setattr(sources, "_LONGEST", 1000)
    source = write(tmp_path / "a.txt", "curta\n" + "x" * 2000)
    with pytest.raises(InputError, match="--document") as caught:
        list(text_batches([source], "line", {}))
    assert caught.value.line == 2


TEXT = "Chove\nmuito.\n\n  \nVenta.\r\nE neva.\n"


def read(document, *, tokenised=False, text=TEXT):
    chunk = Chunk("a/chuva.txt", 1, text.encode())
    return [article.text for article in text_articles(chunk, document, tokenised=tokenised)]


@listed
def test_a_document_is_a_line_a_block_or_a_file(document, expected):
    assert read(document) == expected
    assert read(document, text=" \n\n") == []
    assert next(text_articles(Chunk("a/chuva.txt", 1, b"x"), document, tokenised=False)).title == "chuva.txt"
    assert read("file", tokenised=True, text="Chove .\r\nVenta .\n") == ["Chove .\nVenta ."]  # lines stay apart


def read_jsonl(*lines, tokenised=False):
    data = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines).encode()
    return list(jsonl_articles(Chunk("a.jsonl", 11, data), tokenised=tokenised))


def test_text_title_and_ids_are_read():
    whole = {"text": "Chove.\nMuito.", "title": "Chuva", "id": 7, "revision": None, "url": "u"}
    assert read_jsonl(whole, "", {"text": "b"}) == [Article("Chuva", "Chove.\nMuito.", "7"), Article("", "b")]


def test_tokens_may_be_one_list_or_one_a_sentence():
    assert read_jsonl({"tokens": ["Chove", "."]}, tokenised=True)[0].text == "Chove ."
    assert read_jsonl({"tokens": [["Chove", "."], ["Sim"]]}, tokenised=True)[0].text == "Chove .\nSim"
    assert read_jsonl({"text": "Chove ."}, tokenised=True)[0].text == "Chove ."


@listed
def test_a_line_that_is_no_article_is_named(line, tokenised, message):
    with pytest.raises(InputError, match=message) as caught:
        read_jsonl({"text": "fine", "tokens": ["fine"]}, line, tokenised=tokenised)
    assert (caught.value.file, caught.value.line) == ("a.jsonl", 12)
