import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, made_schemas, run_of
from winoglot.metrics import stability


@settings(max_examples=50)
@given(made_schemas(kinds=("tense", "number")))
def test_stable_is_the_same_index_whatever_the_label(schemas):
    run = run_of(schemas)
    for kind in ("tense", "number"):
        same = [
            made.choice == choice
            for items in schemas
            for made in items
            for of_kind, choice in made.variants
            if of_kind == kind and None not in (made.choice, choice)
        ]
        found = stability.estimate(run, kind)
        assert found.n == len(same)
        assert found.value == (pytest.approx(sum(same) / len(same)) if same else None)


def test_abstentions_on_either_side_are_counted():
    items = [(0, 0), (1, 0), (None, None), (0, None)]
    run = run_of([[Made(choice=first, variants=(("tense", second),))] for first, second in items])
    found = stability.estimate(run, "tense")
    assert (found.value, found.n) == (0.5, 2)
    assert found.method.endswith("; left out: 2 with an abstention on either side")


def test_only_kinds_that_keep_the_answer_have_stability():
    found = stability.estimate(run_of([[Made(variants=(("switched", 1),))]]), "switched")
    assert found.value is None
    assert found.method.endswith("; left out: 1 whose answer is not kept")
    assert stability.estimate(run_of([[Made()]])).method == "no kind of variant is named"
