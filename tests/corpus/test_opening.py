import bz2
import gzip
import hashlib
from pathlib import Path

import pytest

from cases import listed
from winoglot.corpus.opening import common_kind, file_hash, opened, sniffed_kind
from winoglot.errors import InputError

TEXT = b"Chove muito.\n" * 5000


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_content_is_unpacked_whatever_the_name(tmp_path, pack):
    path = tmp_path / "text"
    path.write_bytes(pack(TEXT))
    with opened(str(path)) as (stream, meter):
        assert stream.read() == TEXT
        assert meter.position == path.stat().st_size
        assert meter.measured().sha256 == file_hash(str(path)) == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("spoil", [lambda data: data[:-20], lambda data: data[:40] + b"?" * 8 + data[48:]])
def test_a_damaged_file_is_named_with_its_place(tmp_path, pack, spoil):
    path = tmp_path / "text"
    path.write_bytes(spoil(pack(TEXT)))
    with (
        pytest.raises(InputError, match=r"text: .*(decompressed|bz2 stream).* byte \d+"),
        opened(str(path)) as (stream, _),
    ):
        stream.read()


def test_a_damaged_stream_after_a_whole_one_is_not_the_end(tmp_path):
    path = tmp_path / "text"
    second = bz2.compress(TEXT)
    path.write_bytes(bz2.compress(TEXT) + second[:10] + b"?" * 8 + second[18:])
    with pytest.raises(InputError, match="byte"), opened(str(path)) as (stream, _):
        stream.read()


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(InputError, match="cannot be read"), opened(str(path)):
            pass


@listed
def test_the_kind_is_recognised_by_the_beginning(tmp_path, begins, kind):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(begins.encode()))
    assert sniffed_kind(str(path)) == kind


def test_the_kind_of_a_pipe_must_be_said():
    with pytest.raises(InputError, match="--from"):
        sniffed_kind("-")


def test_sources_have_one_kind_or_are_refused(tmp_path):
    names = {name: str(tmp_path / name) for name in ("a", "b", "c")}
    for name, text in zip(names.values(), ("Chove.", "Neva.", '{"text": 1}'), strict=True):
        Path(name).write_text(text)
    assert common_kind([names["a"], names["b"]]) == "text"
    with pytest.raises(InputError, match=r"a looks like text, .*c like jsonl"):
        common_kind(list(names.values()))
