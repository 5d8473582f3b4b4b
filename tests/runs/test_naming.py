from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from metrics.made_runs import Made, run_of
from winoglot.runs.pairing import between, names


def run(**keys):
    return run_of([[Made()]], **keys)


def test_runs_are_called_by_what_they_differ_in():
    assert names([run(model="gemma"), run(model="chance")]) == ["gemma", "chance"]
    assert names([run(readings="naive"), run(readings="grammatical")]) == ["naive readings", "grammatical readings"]
    assert names([run(model="a", scoring="full"), run(model="b", scoring="partial")]) == [
        "a, full scoring",
        "b, partial scoring",
    ]
    assert names([run(name="pt"), run(name="fr")]) == ["pt", "fr"]


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


def test_runs_that_differ_in_nothing_are_numbered():
    assert names([run(), run()]) == ["solver (1)", "solver (2)"]


@given(st.lists(st.tuples(*[st.sampled_from("ab")] * 5), min_size=2, max_size=6))
def test_names_are_never_shared(chosen):
    runs = [run(model=m, name=c, scoring=s, readings=r, fingerprint=f * 16) for m, c, s, r, f in chosen]
    assert len(set(names(runs))) == len(runs)


def test_of_a_whole_grid_those_pairs_have_none_between_that_differ_in_one_respect():
    grid = {(m, s): run(model=m, scoring=s) for m, s in product("ab", ("full", "partial"))}
    for (one, first), (other, second) in product(grid.items(), repeat=2):
        if one != other:
            differs = sum(a != b for a, b in zip(one, other, strict=True))
            assert any(between(third, first, second) for third in grid.values()) == (differs > 1)


def test_of_a_part_of_the_grid_the_far_corners_are_compared():
    far = run(model="a", scoring="full"), run(model="b", scoring="partial")
    assert not any(between(third, *far) for third in far)
    assert not between(run(model="c", scoring="full"), *far)
