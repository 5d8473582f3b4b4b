import bz2
import gzip
import io
import sys
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from cases import for_each, listed
from corpus.corpus_making import content
from winoglot.corpus import wiki
from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.wiki import is_marked, known_languages, marking_templates, templates_seen
from winoglot.errors import InputError

HEAD = (
    '<mediawiki xml:lang="{language}"><siteinfo><sitename>Wikipédia</sitename>'
    "<dbname>{language}wiki</dbname></siteinfo>\n"
)
TAIL = "</mediawiki>\n"


def page(number, text, *, title="", namespace=0, redirect=""):
    return (
        f"<page><title>{title or f'Artigo {number}'}</title><ns>{namespace}</ns><id>{number}</id>{redirect}"
        f"<revision><id>{number + 1000}</id><text>{escape(text)}</text></revision></page>\n"
    )


def prose(number):
    return f"'''Artigo {number}''' fala de [[chuva|chuvas]]{{{{Info|a=b}}}}. Chove muito em 19{number:02d}."


PAGES = [page(number, prose(number)) for number in range(40)]
OTHERS = [
    page(100, "Predefinição", namespace=10),
    page(101, "#REDIRECT [[Artigo 1]]", redirect='<redirect title="Artigo 1" />'),
    page(102, "{{Artigo bom}} O gato bom dorme. O gato bom sonha."),
    page(103, "<!-- {{Artigo bom}} --> {{Em obras}} Nada."),
]


def write(path, *, pages=(*PAGES, *OTHERS), language="pt", pack=bytes):
    path.write_bytes(pack((HEAD.format(language=language) + "".join(pages) + TAIL).encode()))
    return str(path)


def multistream(path):
    """As Wikipedia publishes it: head, pages and tail are bz2 streams of their own."""
    groups = ["".join(PAGES[start : start + 10]) for start in range(0, 40, 10)]
    texts = [HEAD.format(language="pt"), *groups, "".join(OTHERS), TAIL]
    path.write_bytes(b"".join(bz2.compress(text.encode()) for text in texts))
    return str(path)


def settings(**more):
    return CorpusSettings("pt", kind="dump", **({"min_count": 1} | more))


def words(corpus, split):
    return [" ".join(map(corpus.vocabulary.word, article.tolist())) for article in corpus.split(split).articles()]


def test_articles_become_prose_and_other_pages_are_counted(tmp_path):
    corpus = build([write(tmp_path / "a.xml")], tmp_path / "c", settings(held_out=0))
    assert words(corpus, "train")[0] == "Artigo 0 fala de chuvas . <eos> Chove muito em 1900 . <eos>"
    assert corpus.info["splits"]["train"]["articles"] == 42
    assert corpus.info["left_out"] == {"other namespace": 1, "redirect": 1}
    assert corpus.info["licence"] == "CC-BY-SA-4.0"
    rows = gzip.decompress((corpus.path / "attribution.tsv.gz").read_bytes()).decode().splitlines()
    assert rows[1] == "train\tArtigo 0\t0\t1000"


def test_marked_articles_alone_and_a_filter_that_lets_nothing_through(tmp_path):
    source = write(tmp_path / "a.xml")
    corpus = build([source], tmp_path / "c", settings(quality=("good", "featured")))
    assert words(corpus, "train") == ["O gato bom dorme . <eos> O gato bom sonha . <eos>"]
    assert corpus.info["left_out"]["not marked"] == 41
    corpus = build([source], tmp_path / "d", settings(templates=("em obras",)))
    assert words(corpus, "train") == ["Nada . <eos>"]
    source = write(tmp_path / "a.xml", pages=PAGES)
    with pytest.raises(InputError, match=r"no article has .*artigo bom.*40 not marked.*seen most often: Info"):
        build([source], tmp_path / "e", settings(quality=("good",)))
    assert not (tmp_path / "e").exists()


def test_a_dump_of_another_language_is_refused_before_it_is_read(tmp_path, monkeypatch):
    source = write(tmp_path / "a.xml", language="fr")
    with pytest.raises(InputError, match=r"Wikipédia in 'fr', not 'pt'. Add --language fr"):
        build([source], tmp_path / "c", settings())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "a.xml").read_bytes())))
    with pytest.raises(InputError, match=r"standard input: .* not 'pt'"):
        build(["-"], tmp_path / "c", settings())
    assert not (tmp_path / "c").exists()


def test_a_dump_on_a_pipe_is_described_like_one_in_a_file(tmp_path, monkeypatch):
    source = write(tmp_path / "a.xml.bz2", pack=bz2.compress)
    named = build([source], tmp_path / "named", settings())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "a.xml.bz2").read_bytes())))
    piped = build(["-"], tmp_path / "piped", settings())
    assert piped.hash == named.hash
    assert piped.info["licence"] == named.info["licence"] == "CC-BY-SA-4.0"
    assert piped.info["sources"] == [named.info["sources"][0] | {"name": "-"}]


def test_a_worker_that_does_not_see_the_dump_says_so(tmp_path):
    source = multistream(tmp_path / "a.xml.bz2")
    *_, part = wiki.parts(source, size=200)
    (tmp_path / "a.xml.bz2").unlink()
    with pytest.raises(InputError, match=r"a\.xml\.bz2: cannot be read: No such file"):
        list(wiki.pages(source, part=part))


@pytest.mark.parametrize("count", [1, 2])
def test_however_a_dump_is_stored_and_read_the_tokens_are_the_same(tmp_path, monkeypatch, count):
    expected = build([write(tmp_path / "a.xml")], tmp_path / "plain", settings())
    monkeypatch.setattr(wiki, "CHUNK", 200)
    sources = [
        write(tmp_path / "a.xml.gz", pack=gzip.compress),
        write(tmp_path / "a.xml.bz2", pack=bz2.compress),
        write(tmp_path / "b.xml"),
        multistream(tmp_path / "pt-multistream.xml.bz2"),
    ]
    assert len(list(wiki.batches(sources[-1], "pt", {}))) > 2
    for source in sources:
        assert sum(batch.size for batch in wiki.batches(source, "pt", {})) == Path(source).stat().st_size
    for number, source in enumerate(sources if count == 1 else sources[-1:]):
        found = build([source], tmp_path / str(number), settings(), worker_count=count)
        assert found.hash == expected.hash
        assert content(found.path)["attribution.tsv.gz"] == content(expected.path)["attribution.tsv.gz"]


@for_each(
    ("make", "spoil"),
    product(
        [multistream, lambda path: write(path, pack=bz2.compress)],
        [lambda data: data[:-60], lambda data: data[: len(data) // 2], lambda data: data[:-30] + b"!" * 30],
    ),
)
def test_a_damaged_dump_is_an_error_and_no_corpus(tmp_path, make, spoil, monkeypatch):
    monkeypatch.setattr(wiki, "CHUNK", 200)
    path = tmp_path / "a-multistream.xml.bz2"
    make(path)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(InputError, match=r"damaged|incomplete|not well-formed|ends in"):
        build([str(path)], tmp_path / "c", settings())
    assert not (tmp_path / "c" / "corpus.json").exists()


@listed
def test_a_marked_article_is_seen(language, wikitext):
    assert is_marked(wikitext, language)


@listed
def test_others_are_not(language, wikitext):
    assert not is_marked(wikitext, language)


def test_marks_are_told_apart_in_every_listed_language_and_others_can_be_named():
    assert known_languages() == ["de", "en", "es", "fr", "pt", "zh"]
    for language in known_languages():
        assert marking_templates(language, ("good",))
        assert marking_templates(language, ("featured",))
    assert is_marked("{{Exzellent}}", "de", wanted=("featured",))
    assert not is_marked("{{Exzellent}}", "de", wanted=("good",))
    assert is_marked("{{Bon_Article (test)|a}}", "ca", extra=("bon article (test)",))
    assert is_marked("{{Artigo bom}}", "pt", extra=("outro",))
    with pytest.raises(InputError, match=r"the language 'ca'.*--template.*de, en, es, fr, pt, zh"):
        is_marked("{{Bon article}}", "ca")
    with pytest.raises(InputError, match=r"unknown quality mark 'fine'.*featured, good"):
        is_marked("", "pt", wanted=("fine",))


def test_templates_on_a_page_are_told_for_a_filter_that_finds_nothing():
    wikitext = "{{Artigo_excelente}} {{info\n|a={{b|c}}}} <!-- {{d}} --> {{#if:x|y}} {{{e}}}"
    assert {"Artigo excelente", "info", "b"} <= templates_seen(wikitext)
    assert "d" not in templates_seen(wikitext)
