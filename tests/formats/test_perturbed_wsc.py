"""Perturbed WSC: an original a row, its perturbations beside it as variants."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import cases_file, listed
from format_samples import reading
from winoglot.formats import jsonl, perturbed_wsc
from winoglot.formats.base import InputFile

CELLS = cases_file(Path(__file__))["CELLS"]
KINDS = {"tense", "number", "voice", "relative", "adverb", "synonym", "random-context", "scrambled", "freqnoun"}


def table(*changes):
    """A table with a row for each set of changed cells."""
    rows = []
    for number, change in enumerate(changes):
        cells = CELLS | change
        rows.append("\t".join(cell.replace("{w}", ("naive", "honest")[number % 2]) for cell in cells.values()))
    return "\n".join(["\t".join(CELLS), *rows]) + "\n"


PAIR = table({}, {"correct_answer": "B .", "associative": "0", "switchable": "1"})


read = reading("perturbed-wsc", "some.tsv")


def test_originals_are_pairs_with_tags_and_the_word_that_makes_the_difference(tmp_path):
    collection, _ = read(tmp_path, PAIR)
    (schema,) = collection.schemas
    first, second = schema.items
    assert (schema.id, collection.language) == ("7", "en")
    assert first.text == "The baker trusted the miller because he was naive."
    assert (first.pronoun.start, first.pronoun.of(first.text)) == (37, "he")
    assert [candidate.text for candidate in first.candidates] == ["the baker", "the miller"]
    assert (first.answer, second.answer) == (0, 1)
    assert (first.tags, second.tags) == (("associative",), ("switchable",))
    assert (first.terms.segment, first.source.id, second.source.id) == ("naive", "1", "2")
    for items in (schema.items, *map(collection.variants, ("tense", "voice", "number"))):
        assert [item.segment[0].of(item.text) for item in items] == ["naive", "honest"]


def test_every_column_with_a_text_is_a_variant_that_keeps_the_answer(tmp_path):
    collection, report = read(tmp_path, PAIR)
    variants = {variant.kind: variant for variant in collection.variants() if variant.variant_of == "7.1"}
    assert set(variants) == KINDS
    assert {variant.effect for variant in variants.values()} == {"keeps"}
    assert {variant.answer for variant in variants.values()} == {1}
    number = variants["number"]
    assert number.pronoun.of(number.text) == "they"
    assert [candidate.text for candidate in number.candidates] == ["the bakers", "the millers"]
    assert [candidate.text for candidate in variants["synonym"].candidates] == ["the cook", "the grinder"]
    assert [candidate.text for candidate in variants["voice"].candidates] == ["the baker", "the miller"]
    assert variants["relative"].text == "The baker, whom we met, trusted the miller because he was honest."
    assert report.skipped == []


def test_a_pronoun_that_is_not_where_it_is_counted_is_the_nearest_one(tmp_path):
    collection, report = read(tmp_path, table({}, {}))
    context = collection.variants("random-context")[0]
    assert context.pronoun.start == context.text.index("he was")
    remarks = [(remark.line, remark.what, remark.why) for remark in report.repaired]
    assert (2, "random-context of row 1", "word 9 is not its pronoun 'he'; the nearest is word 10") in remarks
    assert (3, "random-context of row 2", "word 9 is not its pronoun 'he'; the nearest is word 10") in remarks
    assert {what.partition(" of ")[0] for line, what, _ in remarks if line > 1} == {"random-context"}


@pytest.mark.parametrize(
    ("cells", "rest"),
    [
        ({"text_original": "The shed : the baker saw the miller as he'd left .", "pron_index": "3"}, "he'd left."),
        (
            {
                **{"text_original": "It was raining when the rope hit the sail , and it was {w} .", "pron": "it"},
                **{"pron_index": "2", "answer_a": "the rope", "answer_b": "the sail"},
            },
            "it was naive.",
        ),
    ],
    ids=["inside a word", "refers to nothing"],
)
def test_a_pronoun_is_never_a_part_of_another_word_nor_one_that_refers_to_nothing(tmp_path, cells, rest):
    (item,) = read(tmp_path, table(cells))[0].items
    assert item.text[item.pronoun.start :] == rest


def test_a_pronoun_that_does_not_occur_or_is_not_told_leaves_the_text_out(tmp_path):
    collection, report = read(
        tmp_path, table({"text_voice": "The miller was trusted by the baker ."}, {"pron": "she"}, {})
    )
    assert len(collection.items) == 2
    assert [(remark.line, remark.what) for remark in report.skipped] == [(2, "voice of row 1"), (3, "row 2")]
    collection, report = read(tmp_path, table({"pron_index_context": "-"}))
    assert collection.variants("random-context") == ()
    assert [remark.why for remark in report.skipped] == ["no index says which of 2 'he' is its pronoun"]
    with pytest.raises(wg.InputError, match="no row in the file can be used"):
        read(tmp_path, table({"pron": "-"}))


@pytest.mark.parametrize(("cell", "answer"), [("A", 0), ("A ", 0), ("B .", 1), ("b", 1), ("-", None), ("C", None)])
def test_the_correct_answer_may_carry_dots_and_blanks(tmp_path, cell, answer):
    collection, report = read(tmp_path, table({"correct_answer": cell}))
    assert collection.items[0].answer == answer
    assert any("expected A or B" in remark.why for remark in report.repaired) == (cell == "C")


def test_a_missing_answer_is_no_candidate(tmp_path):
    collection, report = read(tmp_path, table({}, {"answer_a": "-"}))
    assert len(collection.items) == 1
    assert any("one of its two answers is missing" in remark.why for remark in report.skipped)
    collection, report = read(tmp_path, table({"answer_a_number": "-"}))
    assert "number" not in collection.kinds
    assert [remark.why for remark in report.skipped] == ["one of its two answers is missing"]


@listed
def test_cells_that_cannot_be_used_are_reported(tmp_path, cell, value, why):
    assert why in [remark.why for remark in read(tmp_path, table({cell: value}))[1].repaired]


def test_candidates_given_crosswise_leave_the_variant_out(tmp_path):
    collection, report = read(tmp_path, table({"answer_a_syn": "the miller", "answer_b_syn": "the baker"}))
    assert "synonym" not in collection.kinds
    assert "another order" in report.skipped[0].why


@listed
def test_only_blanks_that_must_come_from_tokens_are_taken_out(tokens, text):
    assert perturbed_wsc.detokenise(tokens)[0] == text


@given(tokens=st.lists(st.sampled_from(["Ann", "ran", ".", ",", "(", ")", '"', "'s", "…"]), max_size=8))
def test_every_token_stands_where_its_start_says(tokens):
    text, starts = perturbed_wsc.detokenise(" ".join(tokens))
    assert [text[start : start + len(token)] for start, token in zip(starts, tokens, strict=True)] == tokens


def test_texts_in_lower_case_get_the_capitals_of_sentences_and_names(tmp_path):
    names = {
        "text_original": "Hope met Rolf because he was {w} . Then Hope spent a day in Crete with Rolf .",
        "text_voice": "Rolf was met by Hope because he was {w} . Then a day in Crete was spent by Hope with Rolf .",
        "text_syn": "bolt met wulf because he was {w} .  then bolt spent a day in malta with wulf .",
        "text_rel_clause": 'hope , whom i know from " dibs ! " , met rolf and eric\'s son because he was {w} .',
        "text_freqnoun": "window Hope met Rolf because he was {w} . Then Hope spent a day in Crete with Rolf .",
        "text_adverb": 'Hope said " Dibs ! " and met Rolf because he was {w} .',
        **{"answer_a": "hope", "answer_b": "rolf", "answer_a_syn": "bolt", "answer_b_syn": "wulf"},
    }
    collection, report = read(tmp_path, table(CELLS, CELLS | names))
    kinds = {item.kind: item for item in collection.variants() if item.variant_of.endswith(".1")}
    assert kinds["synonym"].text == "Bolt met Wulf because he was honest. Then Bolt spent a day in Malta with Wulf."
    assert kinds["relative"].text == (
        'Hope, whom I know from " Dibs! ", met Rolf and Eric\'s son because he was honest.'
    )
    assert kinds["freqnoun"].text.startswith("window Hope met Rolf")
    assert [candidate.text for candidate in kinds["synonym"].candidates] == ["Bolt", "Wulf"]
    assert [candidate.text for candidate in kinds["voice"].candidates] == ["Hope", "Rolf"]
    remarks = {(remark.line, remark.what): remark.why for remark in report.repaired}
    assert remarks[1, "text_syn"] == "2 cells in lower case throughout; capitals restored"
    assert remarks[1, "answer_a"] == "1 cell in lower case throughout; capitals restored"


def test_ragged_rows_are_left_out_with_their_line(tmp_path):
    lines = PAIR.splitlines()
    collection, report = read(tmp_path, "\n".join([lines[0], "", lines[1], lines[2] + "\tmore", "few\tcells"]))
    assert len(collection.items) == 1
    assert [(remark.line, remark.why) for remark in report.skipped] == [
        (4, "expected 38 columns, found 39"),
        (5, "expected 38 columns, found 2"),
    ]


@pytest.mark.parametrize("content", ["a\tb\n1\t2\n", PAIR.replace("pron_index\t", "index\t"), "{}"])
def test_a_header_without_the_columns_is_refused(tmp_path, content):
    with pytest.raises(wg.InputError, match="the header has no column") as caught:
        read(tmp_path, content)
    assert (caught.value.line, bool(caught.value.remedy)) == (1, True)


def test_the_published_part_has_every_variant_and_every_pronoun_at_a_real_place(public_data, tmp_path):
    file = InputFile(public_data / "collections" / "perturbed_wsc_pairs_to_71.tsv")
    collection = perturbed_wsc.read(file)
    assert (len(collection.items), len(collection.schemas)) == (144, 72)
    assert {kind: len(collection.variants(kind)) for kind in collection.kinds} == {
        **{"tense": 144, "number": 130, "gender": 66, "voice": 104, "relative": 144, "adverb": 142, "synonym": 142},
        **{"random-context": 144, "scrambled": 144, "freqnoun": 144},
    }
    assert file.report.skipped == []
    for item in (*collection.items, *collection.variants()):
        before, after = item.text[: item.pronoun.start], item.text[item.pronoun.end :]
        assert item.pronoun.of(item.text).lower() in {"it", "he", "she", "they", "them", "her", "him"}
        assert not before[-1:].isalnum()
        assert not after[:1].isalnum()
    path = tmp_path / "same.jsonl"
    path.write_text(jsonl.write(collection), encoding="utf-8")
    assert jsonl.read(InputFile(path)) == collection
