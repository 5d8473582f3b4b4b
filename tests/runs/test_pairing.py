from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.made_runs import Made, pairs_of, run_of
from winoglot import InputError
from winoglot.runs.pairing import direct_pairs, names, paired


def ids(pairs):
    return [(one.example.id, other.example.id) for one, other in zip(pairs.first, pairs.second, strict=True)]


def right(pairs):
    return [[outcome.right for outcome in side] for side in (pairs.first, pairs.second)]


def changed(run, change):
    """The run with every schema of its collection changed, and predictions as they were."""
    schemas = tuple(change(schema) for schema in run.collection.schemas)
    return replace(run, source=replace(run.collection, schemas=schemas))


def retold(run, parallel_id):
    """The run with other parallel ids."""

    def change(schema):
        return replace(schema, items=tuple(replace(i, parallel_id=parallel_id(i)) for i in schema.items))

    return changed(run, change)


def test_runs_on_one_collection_are_paired_by_item():
    one, other = run_of(pairs_of([(1, 0), (1, 1)])), run_of(pairs_of([(0, None), (1, 1)]))
    found = paired(one, other)
    assert ids(found) == [(name, name) for name in ("s0.0", "s0.1", "s1.0", "s1.1")]
    assert right(found) == [[1, 0, 1, 1], [0, 0, 1, 1]]
    assert found.schemas[0] == found.schemas[1] != found.schemas[2] == found.schemas[3]
    assert (found.by, found.left_out) == ("items", ())


def test_what_only_one_run_has_and_what_has_no_label_is_left_out_and_counted():
    whole = run_of(pairs_of([(1, 0), (1, 1), (0, 0)]))
    part = replace(whole, predictions=whole.predictions[2:4])
    there, back = paired(whole, part), paired(part, whole)
    assert ids(there) == [("s1.0", "s1.0"), ("s1.1", "s1.1")]
    assert there.left_out == ("4 in one run only",)
    assert (there.first, there.second, there.left_out) == (back.second, back.first, back.left_out)
    run = run_of([[Made(), Made(answer=None)]])
    assert paired(run, run).left_out == ("1 unlabelled",)
    longer = run_of(pairs_of([(1, 1), (0, 0)]))  # a later version of the collection
    assert ids(paired(run_of(pairs_of([(1, 0)])), longer)) == [("s0.0", "s0.0"), ("s0.1", "s0.1")]


def test_an_item_that_has_changed_is_refused_by_name():
    run = run_of(pairs_of([(1, 0), (1, 1)]))

    def change(schema):
        if schema.id == "s0":
            return schema
        items = tuple(replace(i, text=i.text.replace("waved", "nodded")) for i in schema.items)
        return replace(schema, items=items)

    with pytest.raises(InputError, match=r"saw 2 items of made in different versions: s1\.0, s1\.1"):
        paired(run, changed(run, change))


def test_runs_without_common_items_are_refused():
    run = run_of(pairs_of([(1, 0), (1, 1)]))
    with pytest.raises(InputError, match=r"two runs on made share no items.*--limit"):
        paired(replace(run, predictions=run.predictions[:2]), replace(run, predictions=run.predictions[2:]))
    other = run_of(pairs_of([(1, 0)]), name="others", prefix="t")
    with pytest.raises(InputError, match=r"made and others share no items.*parallel_id"):
        paired(run, other)


def test_a_kind_that_one_run_lacks_is_refused():
    run = run_of([[Made(variants=(("switched", 1),))]])
    assert ids(paired(run, run, "switched")) == [("s0.0~switched", "s0.0~switched")]
    with pytest.raises(InputError, match=r"no items of kind 'switched'.*--kinds switched"):
        paired(run, run_of([[Made()]]), "switched")


def test_languages_are_paired_by_parallel_id():
    english = run_of(pairs_of([(1, 0), (1, 1)]), name="made-en")
    french = retold(
        run_of(pairs_of([(0, 0), (1, 0)]), name="made-fr", language="fr", prefix="f"),
        lambda item: f"s{1 - int(item.schema_id[1:])}.{item.id[-1]}",
    )
    found = paired(english, french)
    assert ids(found) == [("s0.0", "f1.0"), ("s0.1", "f1.1"), ("s1.0", "f0.0"), ("s1.1", "f0.1")]
    assert found.by == "parallel ids"
    assert right(found) == [[1, 0, 1, 1], [1, 0, 0, 0]]


def test_a_parallel_item_with_more_candidates_is_left_out():
    english = run_of([[Made(), Made()]], name="made-en")
    french = run_of([[Made(), Made(candidates=3)]], name="made-fr", language="fr")
    found = paired(english, french)
    assert (ids(found), found.left_out) == ([("s0.0", "s0.0")], ("1 with different numbers of candidates",))


def test_schemas_that_share_an_item_across_languages_are_one():
    english = run_of(pairs_of([(1, 1), (1, 1), (1, 1)]), name="one")
    # the other language has the middle items of the first two schemas in one schema
    regrouped = [[Made()], [Made(), Made()], [Made()], [Made(), Made()]]
    numbers = iter(["s0.0", "s0.1", "s1.0", "s1.1", "s2.0", "s2.1"])
    french = retold(run_of(regrouped, name="two", language="fr", prefix="f"), lambda _: next(numbers))
    found = paired(english, french)
    assert len(found.first) == 6
    assert len(set(found.schemas[:4])) == 1
    assert len(set(found.schemas)) == 2


def test_row_numbers_of_two_files_are_no_translations():
    one = run_of(pairs_of([(1, 0)]), name="first-en", prefix="")
    other = run_of(pairs_of([(1, 0)]), name="second-en", prefix="")
    assert paired(one, other).by == "items"  # they are the same to the letter
    other = run_of([[Made(answer=1), Made(answer=1)]], name="second-en", prefix="")
    with pytest.raises(InputError, match="share no items"):
        paired(one, other)


@pytest.mark.parametrize(("one", "other"), [("first-en", "first-en-pt-br"), ("first-en", "first-fr")])
def test_row_numbers_of_one_file_are(one, other):
    first = run_of([[Made(), Made()]], name=one, prefix="")
    second = run_of([[Made(), Made(answer=1)]], name=other, language="fr" if other == "first-fr" else "en", prefix="")
    assert paired(first, second).by == "parallel ids"


def test_runs_without_labels_or_answers_are_refused_with_their_own_remedy():
    run = run_of(pairs_of([(1, 0)]))
    with pytest.raises(InputError, match=r"none of the items of made .* has a label.*labelled collection"):
        paired(run_of([[Made(answer=None)]]), run_of([[Made(answer=None)]]))
    with pytest.raises(InputError, match=r"has no predictions.*to resume it"):
        paired(run, replace(run, predictions=()))


def test_a_kind_that_removes_the_answer_is_refused_as_such():
    masked = Made(variants=(("segment-masked", 0),))
    run = run_of([[masked, masked]])
    with pytest.raises(InputError, match=r"'segment-masked' have no right answer by construction.*another kind"):
        paired(run, run, "segment-masked")


def test_a_kind_without_labels_is_refused_for_want_of_labels_whatever_the_originals_have():
    run = run_of([[Made(answer=None, variants=(("tense", 0),))], [Made(answer=0)]])
    with pytest.raises(InputError, match=r"none of the items of made .* has a label"):
        paired(run, run, "tense")


# names


def run(**keys):
    return run_of([[Made()]], **keys)


def test_runs_are_called_by_what_they_differ_in():
    for one, other, expected in (
        ({"model": "gemma"}, {"model": "chance"}, ["gemma", "chance"]),
        ({"readings": "naive"}, {"readings": "grammatical"}, ["naive readings", "grammatical readings"]),
        (
            {"model": "a", "scoring": "full"},
            {"model": "b", "scoring": "partial"},
            ["a, full scoring", "b, partial scoring"],
        ),
        ({"name": "pt"}, {"name": "fr"}, ["pt", "fr"]),
        ({}, {}, ["solver (1)", "solver (2)"]),
    ):
        assert names([run(**one), run(**other)]) == expected


def test_settings_count_only_when_nothing_else_tells():
    one, other = run(model_settings={"precision": "float32"}), run(model_settings={"precision": "int8"})
    assert names([one, other]) == ["precision float32", "precision int8"]
    other = run(model="chance", model_settings={"precision": "int8"})
    assert names([one, other]) == ["solver", "chance"]
    assert names([run(seed=1), run(seed=2)]) == ["seed 1", "seed 2"]


def test_other_weights_of_one_name_and_other_versions_are_told_apart():
    assert names([run(), run(fingerprint="fedcba9876543210")]) == ["solver sha:01234567", "solver sha:fedcba98"]
    newer = run()
    newer = replace(newer, source=replace(newer.collection, version="1.1"))
    assert names([run(), newer]) == ["made@1.0", "made@1.1"]


@given(st.lists(st.tuples(*[st.sampled_from("ab")] * 5), min_size=2, max_size=6))
def test_names_are_never_shared(chosen):
    runs = [run(model=m, name=c, scoring=s, readings=r, fingerprint=f * 16) for m, c, s, r, f in chosen]
    assert len(set(names(runs))) == len(runs)


def test_of_a_whole_grid_those_pairs_have_none_between_that_differ_in_one_respect():
    grid = list(product("ab", ("full", "partial")))
    found = direct_pairs([run(model=model, scoring=scoring) for model, scoring in grid])
    differing = {
        (i, j): sum(a != b for a, b in zip(grid[i], grid[j], strict=True)) for i, j in combinations(range(4), 2)
    }
    assert found == [pair for pair, differs in differing.items() if differs == 1]


def test_of_a_part_of_the_grid_the_far_corners_are_compared():
    far = run(model="a", scoring="full"), run(model="b", scoring="partial")
    assert direct_pairs(far) == [(0, 1)]
    assert (0, 1) in direct_pairs([*far, run(model="c", scoring="full")])
