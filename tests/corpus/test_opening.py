import bz2
import gzip
import hashlib
from pathlib import Path

import pytest

from cases import for_each, listed
from winoglot.corpus.opening import common_kind, file_hash, opened, sniffed_kind
from winoglot.errors import InputError

TEXT = b"Chove muito.\n" * 5000


@for_each("pack", [bytes, gzip.compress, bz2.compress])
def test_content_is_unpacked_whatever_the_name(tmp_path, pack):
    path = tmp_path / "text"
    path.write_bytes(pack(TEXT))
    with opened(str(path)) as (stream, meter):
        assert stream.read() == TEXT
        assert meter.position == path.stat().st_size
        assert meter.measured().sha256 == file_hash(str(path)) == hashlib.sha256(path.read_bytes()).hexdigest()


def damaged(data):
    return data[:40] + b"?" * 8 + data[48:]


@for_each(
    "content",
    [
        *(pack(TEXT)[:-20] for pack in (gzip.compress, bz2.compress)),
        *(damaged(pack(TEXT)) for pack in (gzip.compress, bz2.compress)),
        bz2.compress(TEXT) + damaged(bz2.compress(TEXT)),
    ],
)
def test_a_damaged_file_is_named_with_its_place(tmp_path, content):
    path = tmp_path / "text"
    path.write_bytes(content)
    message = r"text: .*(decompressed|bz2 stream).* byte \d+"
    with pytest.raises(InputError, match=message), opened(str(path)) as (stream, _):
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


def test_sources_have_one_kind_or_are_refused(tmp_path):
    names = {name: str(tmp_path / name) for name in ("a", "b", "c")}
    for name, text in zip(names.values(), ("Chove.", "Neva.", '{"text": 1}'), strict=True):
        Path(name).write_text(text)
    assert common_kind([names["a"], names["b"]]) == "text"
    with pytest.raises(InputError, match=r"a looks like text, .*c like jsonl"):
        common_kind(list(names.values()))
    with pytest.raises(InputError, match="--from"):  # the kind of a pipe must be said
        sniffed_kind("-")
