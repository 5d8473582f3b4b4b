import pytest

from metrics.made_runs import pairs_of, run_of
from winoglot.report.summary import summarise

GOOD, BAD, NONE = [(1, 1)] * 30, [(0, 1)] * 30, [(None, None)] * 30


def test_models_come_before_baselines_and_people_before_models():
    runs = [run_of(pairs_of(BAD), name) for name in ("chance", "model")]
    assert summarise(runs, [run_of(pairs_of(GOOD), "readers")]).solvers == ("people (readers)", "model", "chance")


def test_a_model_is_shown_with_both_readings_even_where_its_choices_are_the_same():
    runs = [run_of(pairs_of(BAD), "model", readings=style) for style in ("naive", "grammatical")]
    found = summarise(runs)
    assert found.solvers == ("model, grammatical readings", "model, naive readings")
    assert len(found.readings_compared) == 1


def test_other_weights_of_the_same_name_are_another_solver():
    runs = [run_of(pairs_of(BAD), fingerprint=letter * 16) for letter in "ab"]
    assert summarise(runs).solvers == ("solver sha:aaaaaaaa", "solver sha:bbbbbbbb")


def test_the_same_run_made_twice_keeps_two_names():
    runs = [run_of(pairs_of(BAD)), run_of(pairs_of(GOOD))]
    assert summarise(runs).solvers == ("solver (1)", "solver (2)")


PRECISE = [{"model_settings": {"precision": one, "start": "<bos>"}} for one in ("bfloat16", "float32")]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([{"seed": 1}, {"seed": 2}, {"seed": 3}], ["seed 1", "seed 2", "seed 3"]),
        ([{"limit": 10}, {}], ["limit 10", "all schemas"]),
        (PRECISE, ["precision bfloat16", "precision float32"]),
        ([{"tolerance": 0.1}, {}], ["ties below 0.1", "ties below 1e-06"]),
        ([{"kinds": ("switched",)}, {}], ["with switched", "originals only"]),
        ([{"model_settings": {"prompt": "2"}}, {}], ["prompt 2", "no prompt"]),
    ],
)
@pytest.mark.parametrize("model", ["solver", "chance"])
def test_each_row_says_in_which_setting_it_differs(model, changes, told):
    runs = [run_of(pairs_of(BAD), model, **one) for one in changes]
    assert summarise(runs).solvers == tuple(f"{model}, {one}" for one in told)


def test_a_setting_that_tells_rows_apart_in_one_column_stands_in_every_column():
    runs = [run_of(pairs_of(BAD), seed=seed) for seed in (1, 2)]
    runs.append(run_of(pairs_of(BAD), seed=2, name="made-fr", language="fr"))
    assert summarise(runs).solvers == ("solver, seed 1", "solver, seed 2")
