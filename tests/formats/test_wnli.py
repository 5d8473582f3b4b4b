"""GLUE's WNLI: pairs of sentences, the first of which entails the second or does not."""

import contextlib

import pytest

import winoglot as wg
from cases import listed
from format_samples import reading
from six_schemas import six
from strategies import some_collections
from winoglot.formats import wnli
from winoglot.loading import dump, lost

HEADER = ("index", "sentence1", "sentence2", "label")
DRY = "The towel covered the table since it was damp."
WET = "The towel covered the table since it was large."
ROWS = [
    ("0", DRY, "The towel was damp.", "0"),
    ("1", DRY, "The table was damp.", "1"),
    ("2", WET, "The towel was large.", "1"),
    ("3", WET, "The table was large.", "0"),
    ("4", "Ugo rang Iva when she woke.", "Ugo woke.", "0"),
]


def lines(rows, header=HEADER):
    return "".join("\t".join(row) + "\n" for row in (header, *rows))


read = reading("wnli", "pairs.tsv")


def held(collection):
    return [[item.inferences for item in schema.items] for schema in collection.schemas]


def test_rows_of_one_premise_are_one_item_and_sure_neighbours_one_schema(tmp_path):
    collection, report = read(tmp_path, lines(ROWS))
    assert [[len(item.inferences) for item in schema.items] for schema in collection.schemas] == [[2, 2], [1]]
    first = collection.items[0]
    assert (first.text, first.candidates, first.answer) == (None, (), None)
    assert first.inferences[1] == wg.Inference(DRY, "The table was damp.", True)
    assert first.source == wg.Source("pairs.tsv", "0")
    assert collection.language == "en"
    assert (report.repaired, report.skipped) == ([], [])
    assert read(tmp_path, lines(ROWS), "pt")[0].language == "pt"
    apart, _ = read(tmp_path, lines([ROWS[0], ROWS[4], ROWS[1]]))
    assert [len(item.inferences) for item in apart.items] == [2, 1]
    assert held(read(tmp_path, "\ufeff" + lines(ROWS).replace("\n", "\r\n"))[0]) == held(collection)
    repeated, report = read(tmp_path, lines([*ROWS, ROWS[0]]))
    assert len(repeated.items[0].inferences) == 3
    assert [remark.line for remark in report.repaired] == [7]


@pytest.mark.parametrize("number", [0, 3])
def test_neighbours_that_may_be_something_else_stay_apart(tmp_path, number):
    rows = [row if at != number else (*row[:3], "1" if row[3] == "0" else "0") for at, row in enumerate(ROWS)]
    assert all(len(schema.items) == 1 for schema in read(tmp_path, lines(rows))[0].schemas)


def test_a_test_file_has_no_labels(tmp_path):
    content = lines([row[:3] for row in ROWS], HEADER[:3])
    collection, _ = read(tmp_path, content)
    assert {pair.entailed for item in collection.items for pair in item.inferences} == {None}
    assert wnli.sniff(content)
    quoted, _ = read(tmp_path, lines([("7", 'Iva said "no', 'Ugo said "no', "0")]))
    assert quoted.items[0].inferences[0].premise == 'Iva said "no'


@listed
def test_a_broken_row_is_left_out_with_its_line(tmp_path, row, why):
    collection, report = read(tmp_path, lines([*ROWS[:2], row, *ROWS[2:]]))
    assert len(collection.items) == 3
    assert [remark.line for remark in report.skipped] == [4]
    assert why in report.skipped[0].why


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "'index' is missing"),
        ("index\tsentence1\tlabel\n", "'sentence2' is missing"),
        ("label\tindex\tsentence1\tsentence2\n", "another order"),
        (lines([]), "the file has no rows"),
    ],
)
def test_a_file_of_another_shape_says_which_column(tmp_path, content, message):
    with pytest.raises(wg.InputError, match=message) as caught:
        read(tmp_path, content)
    assert caught.value.remedy


def test_reading_what_was_written_gives_the_same(tmp_path):
    collection, _ = read(tmp_path, lines(ROWS))
    assert wnli.lost(collection) == []
    assert wnli.write(collection) == lines(ROWS)
    assert held(read(tmp_path, wnli.write(collection))[0]) == held(collection)


def test_a_schema_becomes_four_pairs_with_its_written_hypotheses():
    schema = six("en").schemas[0]
    collection = wg.Collection("one", "en", (schema,))
    rows = [line.split("\t") for line in wnli.write(collection).splitlines()[1:]]
    assert [row[3] for row in rows] == ["1", "0", "0", "1"]
    assert [row[1] for row in rows] == [item.text for item in schema.items for _ in item.hypotheses]
    assert [row[2] for row in rows] == [hypothesis for item in schema.items for hypothesis in item.hypotheses]
    assert not any("hypotheses" in line for line in wnli.lost(collection))


def test_hypotheses_that_nobody_wrote_are_grammatical_unless_naive_ones_are_asked_for():
    item = wg.Item(
        "a.0",
        "a",
        text="Anna thanked Mary because her mother had called.",
        pronoun=wg.Span(26, 29),
        candidates=(wg.Candidate("Anna"), wg.Candidate("Mary")),
        answer=1,
    )
    collection = wg.Collection("c", "en", (wg.Schema("a", (item,)),))
    before, after = "Anna thanked Mary because", "mother had called."
    for style, owners in (
        (None, ("Anna's", "Mary's")),
        ("grammatical", ("Anna's", "Mary's")),
        ("naive", ("Anna", "Mary")),
    ):
        written = str(dump([collection], "wnli", style)).splitlines()[1:]
        assert [row.split("\t")[2] for row in written] == [f"{before} {owner} {after}" for owner in owners]
        used = "naive" if style == "naive" else "grammatical"
        assert any(f"so {used} readings take their place" in line for line in lost([collection], "wnli", style))


def test_naive_readings_stand_in_for_hypotheses_and_are_listed():
    item = wg.Item(
        "a.0", "a", text="Iva\nrang Ugo as he woke.", pronoun=wg.Span(16, 18), candidates=(wg.Candidate("Ugo"),)
    )
    bare = wg.Item("b.0", "b", readings=(wg.WrittenReading("Ugo woke."),))
    collection = wg.Collection("c", "en", (wg.Schema("a", (item,)), wg.Schema("b", (bare,))))
    assert wnli.write(collection).splitlines()[1:] == ["0\tIva rang Ugo as he woke.\tIva rang Ugo as Ugo woke.\t"]
    losses = wnli.lost(collection)
    assert any("no written hypotheses" in line and "a.0" in line for line in losses)
    assert any("line breaks" in line and "a.0" in line for line in losses)
    assert "left out because there is no text: b.0" in losses


def test_any_collection_is_written_and_what_is_written_is_read(tmp_path):
    for collection in some_collections():
        written = wnli.write(collection)
        assert wnli.sniff(written[:4096])
        with contextlib.suppress(wg.InputError):
            read_back = read(tmp_path, written)[0]
            assert sum(len(item.inferences) for item in read_back.items) == len(written.split("\n")) - 2
