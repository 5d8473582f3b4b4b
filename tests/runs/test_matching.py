"""Two files with the same sentences under other ids, names and spellings."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from items import item
from metrics.made_runs import Made, pairs_of, run_of
from winoglot import InputError, Item, Schema, WrittenReading, compare, load
from winoglot.examples import Example, example_of, examples_of
from winoglot.languages.readings import naive_readings
from winoglot.runs.pairing import matched, paired, same_answer


def renumbered(run, name, order=None):
    """The run as if its file had another name and row numbers for ids."""
    collection, schemas, ids = run.collection, [], {}
    for number, at in enumerate(order or range(len(collection.schemas))):
        old = collection.schemas[at]
        items = []
        for place, one in enumerate(old.items):
            ids[one.id] = f"row{number}.{place}"
            items.append(replace(one, id=ids[one.id], schema_id=f"row{number}", parallel_id=""))
        schemas.append(Schema(f"row{number}", tuple(items)))
    predictions = tuple(replace(one, item_id=ids[one.item_id]) for one in run.predictions)
    return replace(run, source=replace(collection, name=name, schemas=tuple(schemas)), predictions=predictions)


def test_the_same_sentences_under_other_ids_are_compared():
    run = run_of(pairs_of([(1, 0), (1, 1), (0, 0)]))
    other = renumbered(run, "elsewhere", [2, 0, 1])
    found = paired(run, other)
    assert (found.by, found.left_out) == ("content", ())
    for side in (found.first, found.second):
        assert [outcome.right for outcome in side] == [1, 0, 1, 1, 0, 0]
    assert [outcome.example.id for outcome in found.second][:2] == ["row1.0", "row1.1"]
    assert compare(run, other).pairing == "matched by content"
    named_alike = renumbered(run, "made")
    assert paired(named_alike, renumbered(named_alike, "made", [1, 0, 2])).by == "content"
    copy = replace(run, source=replace(run.collection, name="copy"))
    assert paired(run, copy).by == "items"  # which finds as much


def test_partial_overlap_is_compared_on_what_is_shared_and_said():
    whole = run_of(pairs_of([(1, 0), (1, 1), (0, 0)]))
    part = replace(whole, predictions=whole.predictions[2:])
    found = compare(renumbered(whole, "elsewhere"), part)
    assert (found.items, found.paired_by) == (4, "content")
    assert found.pairing == "matched by content; left out: 2 only in elsewhere"


def test_items_with_different_answers_are_left_out():
    run = run_of([[Made(), Made()]])
    other = run_of([[Made(), Made(answer=1)]])
    found = paired(run, renumbered(other, "elsewhere"))
    assert (len(found.first), found.left_out) == (1, ("1 with different answers",))


def test_other_languages_are_never_matched_by_content():
    run = run_of(pairs_of([(1, 0)]))
    other = renumbered(run, "elsewhere")
    with pytest.raises(InputError, match=r"made and elsewhere share no items.*same sentences"):
        paired(run, replace(other, source=replace(other.collection, language="fr")))


TEXT = "A bola caiu da mesa porque {ela} era redonda."


@listed
def test_spelling_articles_and_order_do_not_matter(text, candidates):
    one = example_of(item(TEXT, ["a bola", "a mesa"], answers=[0]))
    answer = next(number for number, name in enumerate(candidates) if "bola" in name)
    other = example_of(replace(item(text, candidates, answers=[answer]), id="t.0", schema_id="t"))
    assert matched([one], [other]) == {"s.0": "t.0"}
    assert same_answer(one, other)
    assert not same_answer(one, replace(other, answer=1 - answer))


@listed
def test_another_sentence_or_another_pronoun_is_another_item(text):
    one = item("A bola caiu da mesa porque {ela} era redonda e ela rolou.", ["a bola", "a mesa"])
    assert matched([example_of(one)], [example_of(item(text, ["a bola", "a mesa"]))]) == {}


def test_substituted_sentences_match_the_text_they_were_made_from():
    marked = item(TEXT, ["a bola", "a mesa"], answers=[0])
    sentences = tuple(WrittenReading(reading.text) for reading in naive_readings(marked))
    given_only = Item("t.0", "t", readings=sentences[::-1], answer=1, language="pt")
    one, other = example_of(marked), example_of(given_only)
    assert matched([one], [other]) == {"s.0": "t.0"}
    assert same_answer(one, other)


def test_examples_that_are_no_schema_items_match_by_their_hash():
    one = Example("a", "a", ("yes", "no"), 0, hash="h1")
    assert matched([one], [replace(one, id="b"), replace(one, id="c", hash="h2")]) == {"a": "b"}
    assert matched([replace(one, hash="")], [replace(one, id="b", hash="")]) == {}


@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), max_size=6))
def test_repeated_sentences_are_used_once_each(here, there):
    one, other = (
        [Example(f"{side}{place}", "c", ("yes", "no"), 0, hash=str(number)) for place, number in enumerate(numbers)]
        for side, numbers in (("a", here), ("b", there))
    )
    found = matched(one, other)
    assert len(set(found.values())) == len(found)
    assert len(found) == sum(min(here.count(number), there.count(number)) for number in set(here))
    assert {back: name for name, back in found.items()} == matched(other, one)


def test_published_files_of_one_collection_are_matched_almost_whole(public_data):
    folder = public_data / "collections"
    html, json_ = (load(folder / f"portuguese_wsc.{suffix}") for suffix in ("html", "json"))
    assert len(matched(examples_of(html), examples_of(json_))) >= 276
    blocks, english = load(folder / "wsc273.txt"), load(folder / "english_wsc.json")
    assert len(matched(examples_of(blocks), examples_of(english))) >= 272
    names = load(folder / "portuguese_wsc_portuguese_names.html")
    xwinograd = load(folder / "xwinograd.tsv", language="pt")
    assert len(matched(examples_of(xwinograd), examples_of(names))) >= 243
