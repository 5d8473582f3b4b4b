"""Pages of a dump: compressed or not, whole or in parts, and what is said of one that is damaged."""

import bz2
import gzip
import io
import sys
import tracemalloc
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each
from winoglot.corpus.dump import Part, Site, pages, parsed, parts, site
from winoglot.corpus.opening import opened
from winoglot.errors import InputError

HEADER = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="pt">
  <siteinfo>
    <sitename>Wikichuva</sitename>
    <dbname>ptwiki</dbname>
    <namespaces><namespace key="0" case="first-letter" /></namespaces>
  </siteinfo>
"""
FOOTER = "</mediawiki>\n"


def page(number, title, text, namespace=0, redirect=""):
    moved = f'<redirect title="{redirect}" />' if redirect else ""
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{namespace}</ns>
    <id>{number}</id>{moved}
    <revision>
      <id>{number + 1000}</id>
      <contributor><username>Rita</username><id>7</id></contributor>
      <text bytes="1" xml:space="preserve">{escape(text)}</text>
    </revision>
  </page>
"""


PAGES = [page(number, f"Chuva {number}", f"Chove & <b>molha</b> {number}. " + "água " * 200) for number in range(40)]
XML = HEADER + "".join(PAGES) + FOOTER


def multistream(tmp_path, a_stream=10):
    """A dump of several streams, as Wikimedia makes them, and its index."""
    streams = [HEADER, *("".join(PAGES[start : start + a_stream]) for start in range(0, 40, a_stream)), FOOTER]
    packed = [bz2.compress(stream.encode()) for stream in streams]
    path, index = tmp_path / "pt-multistream.xml.bz2", tmp_path / "pt-multistream-index.txt.bz2"
    path.write_bytes(b"".join(packed))
    lines = [
        f"{sum(map(len, packed[: 1 + number // a_stream]))}:{number}:Chuva: {number}\n" for number in range(len(PAGES))
    ]
    index.write_bytes(bz2.compress("".join(lines).encode()))
    return str(path), str(index)


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "pt.xml"
    path.write_text(XML, encoding="utf-8")
    return path


def pages_of(path, *texts):
    """The pages of a dump of these texts."""
    path.write_text(HEADER + "".join(texts) + FOOTER, encoding="utf-8")
    return list(pages(str(path)))


def test_a_page_has_its_own_id_and_its_last_revision_and_says_what_it_is(tmp_path):
    (first,) = pages_of(tmp_path / "one.xml", PAGES[0])
    about = (first.title, first.id, first.revision, first.namespace, first.redirect)
    assert about == ("Chuva 0", "0", "1000", 0, False)
    assert first.wikitext.startswith("Chove & <b>molha</b> 0.")
    mixed = page(1, "Chuva", "a"), page(2, "Talk:Chuva", "b", namespace=1), page(3, "Água", "c", redirect="Chuva")
    found = [(page.title, page.namespace, page.redirect) for page in pages_of(tmp_path / "mixed.xml", *mixed)]
    assert found == [("Chuva", 0, False), ("Talk:Chuva", 1, False), ("Água", 0, True)]
    newer = PAGES[0].replace("</page>", "<revision><id>9</id><text>nova</text></revision></page>")
    (last,) = pages_of(tmp_path / "history.xml", newer)
    assert (last.revision, last.wikitext) == ("9", "nova")
    assert pages_of(tmp_path / "none.xml") == []
    assert site(str(tmp_path / "none.xml")).language == "pt"


@for_each("pack", [bytes, bz2.compress, gzip.compress])
def test_a_dump_reads_the_same_however_it_is_stored(tmp_path, source, pack):
    packed = tmp_path / "other"
    packed.write_bytes(pack(XML.encode()))
    assert list(pages(str(packed))) == list(pages(str(source)))
    assert len(list(pages(str(packed)))) == 40


def test_standard_input_is_a_source_and_says_its_site(monkeypatch, source):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bz2.compress(XML.encode()))))
    found = []
    with opened("-") as (stream, _):
        assert list(parsed(stream, "-", on_site=found.append)) == list(pages(str(source)))
    assert found == [Site("pt", "ptwiki", "Wikichuva")]


def test_the_header_says_the_wiki(source, tmp_path):
    assert site(str(source)) == Site(language="pt", database="ptwiki", name="Wikichuva")
    bare = tmp_path / "bare.xml"
    bare.write_text('<mediawiki xml:lang="fr">' + PAGES[0] + FOOTER, encoding="utf-8")
    assert site(str(bare)) == Site(language="fr")


@pytest.mark.parametrize("indexed", [True, False])
def test_parts_together_are_the_whole(tmp_path, source, indexed):
    path, index = multistream(tmp_path)
    found = parts(path, index=index if indexed else None, size=1)
    assert len(found) == 5
    assert [part.end for part in found[:-1]] == [part.start for part in found[1:]]
    assert [page for part in found for page in pages(path, part=part)] == list(pages(str(source)))
    assert (found[0].start, found[-1].end) == (0, Path(path).stat().st_size)


@given(st.integers(1, 60_000))
def test_plain_xml_is_cut_between_pages(tmp_path_factory, size):
    path = tmp_path_factory.mktemp("dump") / "pt.xml"
    path.write_text(XML, encoding="utf-8")
    found = parts(str(path), size=size)
    assert [page.id for part in found for page in pages(str(path), part=part)] == [str(number) for number in range(40)]


def test_streams_not_cut_between_pages_and_gzip_are_one_part(tmp_path, source):
    data = XML.encode()
    path = tmp_path / "other.bz2"
    path.write_bytes(b"".join(bz2.compress(data[start : start + 5000]) for start in range(0, len(data), 5000)))
    (whole,) = parts(str(path), size=1)
    assert list(pages(str(path), part=whole)) == list(pages(str(source)))
    path.write_bytes(gzip.compress(data))
    assert parts(str(path), size=1) == [Part(0, path.stat().st_size, last=True)]


def test_the_index_of_another_dump_is_refused(tmp_path):
    path, _ = multistream(tmp_path)
    other = tmp_path / "index.txt"
    other.write_text("17:1:Chuva\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"index\.txt, line 1: no stream of the dump begins at byte 17"):
        parts(path, index=str(other), size=1)
    other.write_text("Chuva\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"'Chuva' is not a line of an index"):
        parts(path, index=str(other), size=1)


def test_a_dump_cut_short_is_said_to_be_so_and_not_its_index(tmp_path):
    path, index = multistream(tmp_path)
    data = Path(path).read_bytes()
    Path(path).write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=rf"multistream\.xml\.bz2: is incomplete: it has {len(data) // 2} bytes"):
        parts(path, index=index, size=1)


def failure(path, **options):
    with pytest.raises(InputError) as caught:
        list(pages(str(path), **options))
    return str(caught.value)


def test_what_is_cut_short_or_missing_is_named(tmp_path):
    path, data = tmp_path / "cut", XML.encode()
    for pack in (bz2.compress, gzip.compress):
        half = pack(data)[: len(pack(data)) // 2]
        path.write_bytes(half)
        assert f"byte {len(half)}" in failure(path)
        assert "download it again" in failure(path)
    path.write_bytes(data[: len(data) // 2])
    assert "the XML ends in the middle" in failure(path)
    whole, _ = multistream(tmp_path)
    second = parts(whole, size=1)[1]
    message = failure(whole, part=Part(second.start, second.end - 20, last=False))
    assert f"inside a bz2 stream, at or a little before byte {second.end - 20}" in message
    assert "cannot be read" in failure(tmp_path / "none.bz2")
    with pytest.raises(InputError, match="cannot be read"):
        parts(str(tmp_path / "none.bz2"), size=1)


def test_of_a_damaged_stream_the_others_are_read(tmp_path):
    path, _ = multistream(tmp_path)
    with Path(path).open("r+b") as file:
        file.seek(parts(path, size=1)[2].start + 60)
        file.write(b"\xff" * 40)
    broken, damaged = [], "cannot be decompressed, at or a little before byte"
    assert damaged in failure(path)
    for part in parts(path, size=1):
        try:
            list(pages(path, part=part))
        except InputError as error:
            broken.append(str(error))
    assert [damaged in message for message in broken] == [True]


def test_invalid_xml_names_its_line_or_its_part_after_the_pages_before_it(tmp_path):
    path = tmp_path / "bad.xml"
    before = HEADER + "".join(PAGES * 8)
    path.write_text(before + "  <page><title>A</wrong>\n" + FOOTER, encoding="utf-8")
    assert f"bad.xml, line {before.count(chr(10)) + 1}, column" in failure(path)
    assert "mismatched tag" in failure(path)
    last = parts(str(path), size=20_000)[-1]
    assert f"of the part that begins at byte {last.start}" in failure(path, part=last)
    found = []
    with pytest.raises(InputError):
        found.extend(pages(str(path)))
    assert len(found) > 100


@for_each(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("<html><body/></html>", "first element is <html>, not <mediawiki>"),
        ("chove", "line 1, column 1: invalid XML: syntax error. Use a dump as MediaWiki exports it"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><mediawiki/>', "declares a document type"),
        (HEADER + PAGES[0].replace("<ns>0</ns>", "<ns>zero</ns>") + FOOTER, "'Chuva 0' has the namespace 'zero'"),
    ],
)
def test_what_is_no_dump_is_refused(tmp_path, content, message):
    path = tmp_path / "no.xml"
    path.write_text(content, encoding="utf-8")
    assert message in failure(path)


def test_memory_does_not_grow_with_the_dump(tmp_path):
    """Of 8 MB of text; a page at a time is held."""
    path = tmp_path / "large.bz2"
    compressor = bz2.BZ2Compressor(1)
    with path.open("wb") as file:
        file.write(compressor.compress(HEADER.encode()))
        for number in range(30):
            file.write(compressor.compress(page(number, "Chuva", "Chove muito. " * 20_000).encode()))
        file.write(compressor.compress(FOOTER.encode()) + compressor.flush())
    tracemalloc.start()
    count = sum(len(found.wikitext) for found in pages(str(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 30 * 20_000 * 13
    assert peak < 4_000_000


def test_a_real_dump_is_read(public_data):
    path = str(next((public_data / "text").glob("enwiki-latest-*.bz2")))
    assert site(path) == Site("en", "enwiki", "Wikipedia")
    found = list(pages(path))
    assert len(found) == 206
    assert sum(page.namespace == 0 and not page.redirect for page in found) == 106
