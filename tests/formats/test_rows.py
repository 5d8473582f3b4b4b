"""From rows to schemas: order of candidates, grouping, segments, and pronouns that are none."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import listed
from winoglot.formats.base import InputFile
from winoglot.formats.importing.grouping import common_tokens, group_rows, segments, tokenise
from winoglot.formats.importing.repairs import fix_pronoun
from winoglot.formats.importing.rows import SourceRow, SourceVariant, build_collection
from winoglot.schemas.model import WrittenReading
from winoglot.schemas.spans import Span


def row(text, *candidates, pronoun="it", answer=0, line=1, **fields):
    start = text.index(pronoun)
    span = Span(start, start + len(pronoun))
    return SourceRow(line, str(line), candidates, answer, text, span, **fields)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("irrelevant", encoding="utf-8")
    return InputFile(path)


def build(file, *rows, language="en"):
    return build_collection([replace(r, line=n, source_id=str(n)) for n, r in enumerate(rows, 1)], file, language)


def names(item):
    return [candidate.text for candidate in item.candidates]


# Candidates


@given(st.permutations(["the anchor", "the buoy", "the chart"]), st.integers(0, 2))
def test_the_order_of_unmentioned_candidates_does_not_tell_the_source_s(candidates, answer):
    source = InputFile(Path(__file__))
    item = build(source, row("Before the gale it was lost.", *candidates, answer=answer)).items[0]
    plain = build(source, row("Before the gale it was lost.", *sorted(candidates))).items[0]
    assert names(item) == names(plain)
    assert names(item)[item.answer] == candidates[answer]


@listed
def test_candidates_come_in_the_order_of_their_mentions(file, text, candidates, expected, mentions):
    item = build(file, row(text, *candidates)).items[0]
    assert names(item) == expected
    assert names(item)[item.answer] == candidates[0]
    assert [mention.of(text) for candidate in item.candidates for mention in candidate.mentions] == mentions


def test_items_that_ask_about_different_pronouns_are_two_schemas(file):
    rows = [
        row("Nora phoned Petra because _ had lost her key.", "Nora", "Petra", pronoun="_", answer=0),
        row("Nora phoned Petra because she had lost _ key.", "Nora", "Petra", pronoun="_", answer=1),
    ]
    assert [len(schema.items) for schema in build(file, *rows).schemas] == [1, 1]
    same = replace(rows[0], text="Nora phoned Petra because _ had found her key.", answer=1)
    assert [len(schema.items) for schema in build(file, rows[0], same).schemas] == [2]


def test_the_items_of_a_schema_have_one_order(file):
    first = row("Ann met Bea as she left.", "Bea", "Ann", pronoun="she", answer=1, group="g")
    second = row("Bea met Ann as she came.", "ann", "bea", pronoun="she", answer=1, group="g")
    schema = build(file, first, second).schemas[0]
    assert [names(item) for item in schema.items] == [["Ann", "Bea"], ["ann", "bea"]]
    assert [item.answer for item in schema.items] == [0, 1]
    first = row("May saw may when it came.", "May", "may", group="g")
    second = row("May saw may when it went.", "May", "may", group="g", answer=1)
    assert [names(item) for item in build(file, first, second).items] == [["May", "may"]] * 2


def test_readings_alone_make_an_item(file):
    readings = (WrittenReading("Ann left late."), WrittenReading("Bea left late."))
    item = build(file, SourceRow(1, "1", readings=readings, answer=1)).items[0]
    assert [reading.text for reading in item.readings][item.answer] == "Bea left late."
    assert item.candidates == ()


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (row("The cup fell and it broke.", "the cup", "the cup"), "given twice"),
        (
            row("The cup fell and it broke.", "the cup", "the tray", answer=7),
            "answer 7 is not a candidate's index",
        ),
        (row("The cup fell and it broke.", "the cup", "the tray", pronoun=" "), "of spaces only"),
        (row("The cup fell and it broke."), "no candidate"),
        (SourceRow(1, "1", ("a", "b")), "no text"),
        (row("The cup\x07 fell and it broke.", "the cup", "the tray"), "U+0007"),
    ],
)
def test_a_row_that_can_be_no_item_is_left_out_with_its_line(file, broken, why):
    good = row("The mast hit the sail and it tore.", "the sail", "the mast")
    assert len(build(file, good, broken).items) == 1
    (remark,) = file.report.skipped
    assert remark.line == 2
    assert why in remark.why


def test_a_file_without_a_usable_row_is_refused(file):
    with pytest.raises(wg.InputError, match="no row in the file can be used") as caught:
        build(file, row("The cup fell and it broke."))
    assert caught.value.file.endswith("some.txt")


def test_ids_are_names_and_unique(file):
    rows = [row(f"The cup {verb} and it broke.", "the cup", "the tray") for verb in ("fell", "slid")]
    made = build_collection([replace(rows[0], source_id="a / b"), replace(rows[1], source_id="a / b")], file, "en")
    assert [schema.id for schema in made.schemas] == ["a-b", "a-b-2"]


# Variants


def test_a_variant_has_its_original_s_order_whatever_its_text_mentions_first(file):
    passive = row("The sail was hit by the mast and it tore.", "the sail", "the mast")
    original = row("The mast hit the sail and it tore.", "the sail", "the mast")
    made = build(file, replace(original, variants=(SourceVariant("voice", "keeps", passive),)))
    (variant,) = made.variants("voice")
    assert (variant.id, names(variant), variant.answer) == ("1.0~voice", ["the mast", "the sail"], 1)
    assert variant.parallel_id == "1.0~voice"


@pytest.mark.parametrize(
    ("candidates", "why"),
    [(("the mast", "the sail"), "another order"), (("the sail",), "1 candidates, its original 2")],
)
def test_a_variant_with_other_choices_is_left_out(file, candidates, why):
    variant = row("The sail was hit by the mast and it tore.", *candidates, line=5)
    original = row("The mast hit the sail and it tore.", "the sail", "the mast")
    made = build(file, replace(original, variants=(SourceVariant("voice", "keeps", variant),)))
    assert made.variants() == ()
    assert [(remark.line, why in remark.why) for remark in file.report.skipped] == [(5, True)]


# Grouping


def groups(*rows):
    return [[r.text for r in group] for group in group_rows(rows)]


def sizes(*rows):
    return [len(group) for group in groups(*rows)]


def harbour(text, answer):
    return row(text, "the tug", "the ferry", answer=answer)


TUG = harbour("The tug passed the ferry in the harbour because it was fast.", 0)
FERRY = harbour("The tug passed the ferry in the harbour because it was slow.", 1)


def test_neighbours_that_differ_in_one_place_are_a_pair_or_a_triple():
    assert sizes(TUG, FERRY) == sizes(replace(TUG, answer=None), replace(FERRY, answer=None)) == [2]
    third = harbour("The tug passed the ferry in the harbour because it was late.", 1)
    assert sizes(TUG, FERRY, third) == [3]
    third = harbour("The tug passed the ferry in the harbour before it was painted.", 0)
    fourth = harbour("The tug passed the ferry in the harbour before it was sunk.", 1)
    assert sizes(TUG, FERRY, third, fourth) == [2, 2]


@pytest.mark.parametrize(
    "other",
    [
        replace(FERRY, answer=0),
        replace(FERRY, candidates=("the tug", "the barge")),
        replace(TUG, answer=1),
        harbour("Storms held the tug and the ferry, and it was slow.", 1),
        replace(FERRY, text=None, pronoun=None),
    ],
    ids=["same answer", "other candidates", "same text", "other text", "no text"],
)
def test_neighbours_that_are_not_surely_a_pair_stay_apart(other):
    assert sizes(TUG, other) == [1, 1]


def test_a_short_row_waits_for_a_better_partner():
    """Short sentences of one mould share most of their words without being a pair."""
    rows = [
        row("Ann teased Bea because she was shy.", "Ann", "Bea", pronoun="she", answer=1),
        row("Ann warned Bea because she cared.", "Ann", "Bea", pronoun="she", answer=0),
        row("Ann warned Bea because she slept.", "Ann", "Bea", pronoun="she", answer=1),
    ]
    assert sizes(*rows) == [1, 2]


def test_what_the_source_says_of_groups_wins():
    far = harbour("Nothing here is like the rest, but it counts.", 0)
    first, second, between = replace(TUG, group="x"), replace(far, group="x"), replace(FERRY, group="y")
    assert groups(first, between, second) == [[TUG.text, far.text], [FERRY.text]]


# Segments


def places(*texts):
    found = segments([(text, None) for text in texts])
    return [[place.of(text) for place in row] for text, row in zip(texts, found, strict=True)]


@listed
def test_items_have_the_same_places(texts, expected):
    assert places(*texts) == expected


def test_a_place_that_would_cut_the_pronoun_and_a_lonely_text_leave_none():
    texts = ["We saw his own dog run.", "We saw her own dog run."]
    assert segments([(text, Span(7, 10)) for text in texts]) == [(Span(7, 10),), (Span(7, 10),)]
    assert segments([("a b c d x y", Span(6, 9)), ("a b c d z w y", Span(6, 9))]) == [(), ()]
    assert segments([("One alone.", None)]) == [()]
    assert segments([("One.", None), (None, None)]) == [(), ()]


@given(st.lists(st.text(st.sampled_from("ab 字.'\n"), min_size=1, max_size=12), min_size=2, max_size=3))
def test_outside_the_places_all_texts_have_the_same_words(texts):
    found = segments([(text, None) for text in texts])
    kept = []
    for text, row_places in zip(texts, found, strict=True):
        outside = [token for token in tokenise(text) if not any(token.within(place) for place in row_places)]
        kept.append([token.of(text) for token in outside])
    if any(found):
        assert all(words == kept[0] for words in kept)
    assert len({len(row_places) for row_places in found}) == 1


@given(st.text("ab .", max_size=12), st.text("ab .", max_size=12))
def test_shared_tokens_are_equal_and_in_order(first, second):
    tokens = [tokenise(first), tokenise(second)]
    shared = common_tokens([first, second], tokens)
    assert shared == sorted(shared)
    assert all(tokens[0][a].of(first) == tokens[1][b].of(second) for a, b in shared)


# Pronouns


def mended(file, language, text, pronoun, mentions=None):
    given_row = row(text, "x", "y", pronoun=pronoun, line=9, mentions=mentions)
    result = fix_pronoun(given_row, language, file)
    return result.pronoun, [(remark.line, remark.why) for remark in file.report.repaired]


@listed
def test_a_wrong_pronoun_is_reported_and_put_right_where_that_is_sure(file, language, text, pronoun, found, why):
    span, remarks = mended(file, language, text, pronoun)
    assert span.of(text) == found
    assert [(line, why in text) for line, text in remarks] == [(9, True)]


def test_the_determiner_of_a_candidate_is_no_pronoun(file):
    text = "Marc plie son pull et sort."
    span, remarks = mended(file, "fr", text, "son", mentions=((Span(0, 4),), (Span(14, 18),)))
    assert span.of(text) == "son"
    assert "determiner of a candidate" in remarks[0][1]


@listed
def test_a_right_pronoun_a_blank_and_an_unknown_language_are_left_alone(file, language, text, pronoun):
    span, remarks = mended(file, language, text, pronoun)
    assert (span.of(text), remarks) == (pronoun, [])
