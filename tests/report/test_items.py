"""Every item is in the page as data: its marks, readings, choices, scores and notes, whatever its text contains."""

import base64
import json
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.made_runs import Made, collection_of, pairs_of, run_of
from six_schemas import six
from winoglot import Candidate, Collection, Item, Schema, Span
from winoglot.report.items import PRONOUN, items_data, packed, pieces, reading_example
from winoglot.report.summary import summarise
from winoglot.runs.run import Prediction, Run, Settings


def unpacked(text):
    return json.loads(zlib.decompress(base64.b64decode(text)))


def one_item_run(text, pronoun, candidates, language="en", **keys):
    start = text.index(pronoun)
    parts = tuple(Candidate(name, (Span(text.index(name), text.index(name) + len(name)),)) for name in candidates)
    item = Item("s.0", "s", text=text, pronoun=Span(start, start + len(pronoun)), candidates=parts, answer=0)
    collection = Collection("one", language, (Schema("s", (item,)),))
    made = {"choice": 0, "scores": (-1.5, -2.25)} | keys
    return Run(collection, Settings("model", "partial", "naive", "0" * 16), (Prediction("s.0", item.hash, **made),))


@settings(max_examples=30)
@given(st.recursive(st.none() | st.integers() | st.text(max_size=20), lambda part: st.lists(part, max_size=3)))
def test_what_is_packed_comes_back_and_cannot_end_its_element(data):
    text = packed(data)
    assert unpacked(text) == data
    assert not set(text) & set("<>&\"'\n")


def test_an_item_has_its_text_readings_choices_and_scores():
    data = unpacked(packed(items_data(summarise([one_item_run("Ana met Bea and she left.", "she", ("Ana", "Bea"))]))))
    (item,) = data["items"]
    assert item["t"] == ["Ana", 4, " met ", 0, "Bea", 8, " and ", 0, "she", PRONOUN, " left.", 0]
    assert (item["i"], item["g"], item["k"], item["n"], item["a"]) == ("s.0", "s", "original", ["Ana", "Bea"], 0)
    assert item["r"] == [["naive", [[0, "Ana", 0], [0, "Bea", 0]]]]
    (run,) = data["runs"]
    assert (run["o"], run["v"], run["m"]) == ([0], [[-1.5, -2.25]], {})
    assert data["columns"] == [{"key": "one", "label": "English", "lang": "en", "unit": "schema"}]
    assert data["solvers"] == [{"label": "model", "role": "model"}]


def test_both_styles_of_readings_are_told_apart_if_they_differ():
    collection = six("fr")
    item = collection.items[0]
    predictions = tuple(Prediction(one.id, one.hash, 0, (-1.0, -2.0)) for one in collection.items)
    runs = [Run(collection, Settings("m", "full", style, "0" * 16), predictions) for style in ("naive", "grammatical")]
    made = items_data(summarise(runs))["items"]
    assert made[0]["i"] == item.id
    styles = [[style for style, _ in one["r"]] for one in made]
    assert ["grammatical", "naive"] in styles
    assert all(one in (["grammatical", "naive"], ["grammatical and naive"]) for one in styles)
    example = reading_example(summarise(runs))
    assert example["tag"] == "fr"
    text, naive, grammatical = example["texts"]
    assert '<span class="pronoun">' in text
    assert naive != grammatical
    assert all('<sup data-letter="' in reading for reading in (naive, grammatical))
    assert reading_example(summarise(runs[:1])) is None


def test_an_abstention_a_gap_and_a_choice_are_different():
    run = run_of(pairs_of([(None, 1), (0, 1)]), "model")
    short = Run(run.source, run.settings, run.predictions[:-1])
    whole = run_of(pairs_of([(1, 1), (1, 1)]), "whole")
    data = items_data(summarise([short, whole]))
    assert [one["o"] for one in data["runs"]] == [[-1, 0, 1, -2], [0, 0, 0, 0]]


def test_notes_fallbacks_and_windows_are_told_once_and_numbered():
    made = [[Made(window="punctuation", fallback=True), Made(window="punctuation", fallback=True), Made()]]
    data = items_data(summarise([run_of(made, "model"), run_of(made, "first", scoring="choice")]))
    assert data["notes"] == ["not every reading derived; punctuation window", "not every reading derived"]
    assert [run["m"] for run in data["runs"]] == [{0: 0, 1: 0}, {0: 1, 1: 1}]


def test_scores_that_json_lacks_are_words():
    run = run_of([[Made(scores=(float("-inf"), float("nan")))]])
    assert items_data(summarise([run]))["runs"][0]["v"] == [["−∞", None]]
    assert "v" not in items_data(summarise([run_of([[Made()]])]))["runs"][0]


def test_variants_follow_the_originals_with_their_kind():
    item = Made(variants=(("switched", 1),), tags=("social",))
    data = items_data(summarise([run_of([[item, item]] * 2, kinds=("switched",))]))
    assert [one["k"] for one in data["items"]] == ["original"] * 4 + ["switched"] * 4
    assert data["runs"][0]["o"] == [0] * 4 + [1] * 4
    assert "social" in data["tags"]
    assert data["tags"].index("social") in data["items"][0]["s"]


def test_pieces_join_to_the_text_and_mark_the_pronoun():
    for item in collection_of([[Made(), Made(candidates=3)]]).items:
        made = pieces(item)
        assert "".join(made[::2]) == item.text
        marked = [piece for piece, bits in zip(made[::2], made[1::2], strict=True) if bits & PRONOUN]
        assert marked == [item.pronoun.of(item.text)]


@pytest.mark.parametrize(("text", "at"), [("Ana saw Bea and left", 16), ("Ana saw Bea", 11), ("saw Ana, Bea", 0)])
def test_a_pronoun_that_is_not_spoken_has_its_place(text, at):
    names = tuple(Candidate(name) for name in ("Ana", "Bea"))
    made = pieces(Item("s.0", "s", text=text, pronoun=Span(at, at), candidates=names))
    before = "".join(made[: 2 * made[1::2].index(PRONOUN)][::2])
    assert (before, "".join(made[::2])) == (text[:at], text)


@pytest.mark.parametrize(
    ("text", "pronoun", "candidates", "language"),
    [
        ("رأت سلمى ليلى لأن هي وصلت.", "هي", ("سلمى", "ليلى"), "ar"),
        ("小明看见小红,因为他来了。", "他", ("小明", "小红"), "zh"),
        ("Ana " + "very " * 400 + "much liked Bea and she left.", "she", ("Ana", "Bea"), "en"),
        ("𝒜na 😀 met Bea and she left.", "she", ("𝒜na", "Bea"), "en"),
        ("<b>Ana</b> met </script><!-- Bea & she left.", "she", ("Ana", "Bea"), "en"),
    ],
)
def test_any_script_length_and_markup_is_kept(text, pronoun, candidates, language):
    data = unpacked(packed(items_data(summarise([one_item_run(text, pronoun, candidates, language)]))))
    assert "".join(data["items"][0]["t"][::2]) == text
    assert data["columns"][0]["lang"] == language
