"""XWinograd in and out: spans of tokens become spans of characters and back."""

import json

import pytest

import winoglot as wg
from cases import listed
from items import schema
from strategies import some_collections
from winoglot.formats import jsonl, xwinograd
from winoglot.formats.base import InputFile
from winoglot.schemas.spans import Span

COUNTS = {"en": 2325, "ja": 959, "ru": 315, "pt": 263, "fr": 83, "zh": 16}


def line(language, text, tokens, pronoun, candidates, source="made"):
    surfaces = tokens.split()
    first, last = pronoun
    marked = [" ".join(surfaces[first:last]), [first, last], surfaces[first:last]]
    choices = [[name, [a, b], surfaces[a:b], right] for name, (a, b), right in candidates]
    return "\t".join([language, source, "?", text, *map(json.dumps, (surfaces, marked, choices))])


ROOF = [
    line(
        "en",
        f'Vera said "no", so the roof of the barn was {word}, and it leaked.',
        f"Vera said `` no '' , so the roof of the barn was {word} , and it leaked .",
        (16, 17),
        [("the roof", (7, 9), word == "rotten"), ("the barn", (10, 12), word != "rotten")],
    )
    for word in ("rotten", "empty")
]
LIVRO = line(
    "pt",
    "O livro caiu na mala e ela rasgou.",
    "O livro caiu na mala e ela rasgou .",
    (6, 7),
    [("livro", (1, 2), False), ("mala", (4, 5), True)],
)


def given_file(tmp_path, *lines, language=None, name="some.tsv"):
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return InputFile(path, language)


def core(item):
    """What the format holds of an item."""
    candidates = tuple((candidate.text, candidate.mentions[:1]) for candidate in item.candidates)
    return item.text, item.pronoun, candidates, item.answer


def test_every_field_is_read(tmp_path):
    file = given_file(tmp_path, *ROOF)
    collection = xwinograd.read(file)
    (schema,) = collection.schemas
    first, second = schema.items
    assert collection.language == "en"
    assert first.text == 'Vera said "no", so the roof of the barn was rotten, and it leaked.'
    assert first.pronoun.of(first.text) == "it"
    assert [[m.of(first.text) for m in c.mentions] for c in first.candidates] == [["the roof"], ["the barn"]]
    assert (first.answer, second.answer) == (0, 1)
    assert [item.segment[0].of(item.text) for item in schema.items] == ["rotten", "empty"]
    assert (first.source.collection, first.source.id) == ("some.tsv", "1")
    assert file.report.repaired == file.report.skipped == []


def test_a_file_of_several_languages_needs_one_named(tmp_path):
    with pytest.raises(wg.InputError, match="contains 2 languages: en, pt"):
        xwinograd.read(given_file(tmp_path, *ROOF, LIVRO))
    assert xwinograd.read(given_file(tmp_path, *ROOF, LIVRO, language="pt-BR")).language == "pt"
    with pytest.raises(wg.InputError, match="nothing in fr"):
        xwinograd.read(given_file(tmp_path, *ROOF, LIVRO, language="fr"))


def test_japanese_may_be_called_jp(tmp_path):
    tokens = "鍵 は 箱 に 落ち 、 それ は 壊れ た 。"
    row = line("jp", tokens.replace(" ", ""), tokens, (6, 7), [("鍵", (0, 1), True), ("箱", (2, 3), False)])
    collection = xwinograd.read(given_file(tmp_path, row))
    assert collection.language == "ja"
    assert collection.items[0].pronoun.of(collection.items[0].text) == "それ"
    assert xwinograd.write(collection).startswith("jp\t")


def test_duplicates_and_overlapping_spans_are_reported_and_kept(tmp_path):
    overlapping = line(
        "en",
        "The king's horse fell because it was old.",
        "The king's horse fell because it was old .",
        (5, 6),
        [("The king's horse", (0, 3), True), ("king's horse", (1, 3), False)],
    )
    file = given_file(tmp_path, LIVRO.replace("pt\t", "en\t"), overlapping, overlapping)
    assert len(xwinograd.read(file).items) == 3
    assert [(remark.line, remark.why.partition(";")[0]) for remark in file.report.repaired if remark.line > 1] == [
        (2, "the spans of its candidates overlap"),
        (3, "the spans of its candidates overlap"),
        (3, "the same sentence as in line 2"),
    ]


@listed
def test_a_broken_row_is_left_out_with_its_line(tmp_path, old, new, why):
    file = given_file(tmp_path, ROOF[1], "", ROOF[0].replace(old, new, 1))
    assert len(xwinograd.read(file).items) == 1
    (remark,) = file.report.skipped
    assert (remark.line, why in remark.why) == (3, True)


@listed
def test_what_a_row_says_against_itself_is_reported(tmp_path, old, new, why):
    assert old in ROOF[0]
    file = given_file(tmp_path, ROOF[0].replace(old, new))
    (item,) = xwinograd.read(file).items
    assert (item.answer is None) == ("it has no answer" in why)
    assert [remark.why for remark in file.report.repaired] == [why]


@pytest.mark.parametrize("content", ["just words\n", "a\tb\n", '{"a": 1}\n'])
def test_a_file_of_another_shape_is_refused(tmp_path, content):
    with pytest.raises(wg.InputError) as caught:
        xwinograd.read(given_file(tmp_path, content))
    assert caught.value.file.endswith("some.tsv")
    assert caught.value.remedy


@pytest.mark.parametrize("name", ["winoglot-pt", "winoglot-en", "winoglot-fr", "winoglot-zh"])
def test_bundled_collections_come_back(tmp_path, name):
    collection = wg.load(name)
    written = xwinograd.read(given_file(tmp_path, xwinograd.write(collection)))
    assert [core(item) for item in written.items] == [core(item) for item in collection.items]
    assert written.language == collection.language
    assert any(loss.startswith("variants: ") and "piano-sale.0~tense" in loss for loss in xwinograd.lost(collection))


def test_what_cannot_be_written_is_named(tmp_path):
    zero = schema("Ana viu Bia e {}riu.", ["Ana", "Bia"], "pt", id="zero", answers=[0])
    good = schema("Ana viu Bia e {ela} riu.", ["Ana", "Bia"], "pt", id="good", answers=[0])
    collection = wg.Collection("own", "pt", (zero, good), licence="CC0")
    assert xwinograd.lost(collection) == ["left out because the pronoun is not spoken: zero.0", "licence: own"]
    written = xwinograd.read(given_file(tmp_path, xwinograd.write(collection)))
    assert [core(item) for item in written.items] == [core(good.items[0])]


def test_every_line_written_is_read_as_it_was_meant(tmp_path):
    """Whatever the texts hold: one line an item, tokens that cover the text, spans that lead back."""
    for collection in some_collections():
        held = [item for item in collection.items if can_be_held(item)]
        written = [row.split("\t") for row in xwinograd.write(collection).split("\n") if row]
        assert len(written) == len(held)
        for cells, item in zip(written, held, strict=True):
            tokens = json.loads(cells[4])
            assert "".join(tokens) == "".join(item.text.split())
            row = xwinograd._row(1, cells, lambda why: None)  # what it reports is of no interest here
            assert row.pronoun.of(row.text) == item.pronoun.of(item.text).strip().replace("\n", " ").replace("\t", " ")
            assert row.answer == item.answer
            assert row.mentions == tuple((candidate.mentions[0],) for candidate in item.candidates)


def can_be_held(item):
    return item.text is not None and item.pronoun_form != "zero" and all(c.mentions for c in item.candidates)


def test_tokens_are_cut_where_a_span_begins_or_ends():
    text = "Guarda-o-sol 字典"
    tokens = xwinograd.split_tokens(text, [Span(0, 3), Span(7, 8)])
    assert [token.of(text) for token in tokens] == ["Gua", "rda", "-", "o", "-", "sol", "字", "典"]


@pytest.fixture(scope="module")
def published(public_data):
    """The published file in every language: what is read, and the file with its report."""
    path = public_data / "collections" / "xwinograd.tsv"
    files = {language: InputFile(path, language) for language in COUNTS}
    return {language: xwinograd.read(file) for language, file in files.items()}, files


def test_the_published_file_is_read_whole(published):
    read, files = published
    assert {language: len(collection.items) for language, collection in read.items()} == COUNTS
    assert not any(file.report.skipped for file in files.values())
    remarks = {language: [remark.why for remark in file.report.repaired] for language, file in files.items()}
    same = {language: sum("same sentence" in why for why in whys) for language, whys in remarks.items()}
    assert same == {"en": 43, "ja": 0, "ru": 35, "pt": 2, "fr": 0, "zh": 0}
    assert sum("overlap" in why for whys in remarks.values() for why in whys) == 12
    assert (len(remarks["fr"]), len(remarks["zh"])) == (8, 4)
    assert sum(item.pronoun_form == "zero" for item in read["zh"].items) == 2


def test_the_published_file_comes_back(published, tmp_path):
    for collection in published[0].values():
        written = xwinograd.read(given_file(tmp_path, xwinograd.write(collection)))
        held = [item for item in collection.items if item.pronoun_form != "zero"]
        assert [core(item) for item in written.items] == [core(item) for item in held]
        path = tmp_path / "same.jsonl"
        path.write_text(jsonl.write(collection), encoding="utf-8")
        assert jsonl.read(InputFile(path)) == collection
