import pytest

from metrics.made_runs import pairs_of, run_of
from winoglot.report.summary import summarise

GOOD, BAD = [(1, 1)] * 30, [(0, 1)] * 30


def labels(runs, human=()):
    return [solver.label for solver in summarise(runs, human).solvers]


def test_models_come_before_baselines_and_people_before_models():
    runs = [run_of(pairs_of(BAD), name) for name in ("first", "model")]
    assert labels(runs, [run_of(pairs_of(GOOD), "readers")]) == ["people (readers)", "model", "first"]


def test_a_model_is_shown_with_both_readings_even_where_its_choices_are_the_same():
    runs = [run_of(pairs_of(BAD), "model", readings=style) for style in ("naive", "grammatical")]
    found = summarise(runs)
    assert [one.label for one in found.solvers] == ["model, grammatical readings", "model, naive readings"]
    assert [one.is_of_readings for one in found.compared] == [True]


def test_other_weights_of_the_same_name_are_another_solver():
    runs = [run_of(pairs_of(BAD), fingerprint=letter * 16) for letter in "ab"]
    assert labels(runs) == ["solver sha:aaaaaaaa", "solver sha:bbbbbbbb"]


def test_the_same_run_made_twice_keeps_two_names():
    runs = [run_of(pairs_of(BAD)), run_of(pairs_of(GOOD))]
    assert labels(runs) == ["solver, run 2", "solver, run 1"]  # the better one first


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
    assert labels(runs) == [f"{model}, {one}" for one in told]


def test_a_setting_that_tells_rows_apart_in_one_column_stands_in_every_column():
    runs = [run_of(pairs_of(BAD), seed=seed) for seed in (1, 2)]
    runs.append(run_of(pairs_of(BAD), seed=2, name="made-fr", language="fr"))
    assert sorted(labels(runs)) == ["solver, seed 1", "solver, seed 2"]


def test_settings_that_differ_between_columns_only_do_not_make_two_rows():
    runs = [
        run_of(pairs_of(BAD), name=f"made-{tag}", language=tag, model_settings={"prompts": tag}) for tag in ("en", "fr")
    ]
    assert labels(runs) == ["solver"]


def test_one_model_on_two_collections_is_one_row():
    runs = [run_of(pairs_of(BAD), name=f"made-{tag}", language=tag) for tag in ("en", "pt-BR")]
    found = summarise(runs)
    assert [one.label for one in found.solvers] == ["solver"]
    assert [column.label for column in found.columns] == ["English", "Portuguese"]


def test_guessing_has_no_row_beside_other_solvers():
    runs = [run_of(pairs_of(BAD), "chance", seed=seed) for seed in (1, 2)]
    beside = summarise([*runs, run_of(pairs_of(BAD), "first")])
    assert ([one.label for one in beside.solvers], beside.has_guessing) == (["first"], True)
    alone = summarise(runs)
    assert ([one.label for one in alone.solvers], alone.has_guessing) == (["chance, seed 1", "chance, seed 2"], False)


def test_a_rule_that_readings_do_not_affect_is_shown_once():
    runs = [run_of(pairs_of(BAD), "first", readings=style) for style in ("naive", "grammatical")]
    found = summarise(runs)
    assert ([one.label for one in found.solvers], found.shown_once) == (["first"], ("first",))
    changed = [*runs[:1], run_of(pairs_of(GOOD), "first", readings="grammatical")]
    assert labels(changed) == ["first, grammatical readings", "first, naive readings"]


def test_a_narrow_place_leaves_out_the_name_of_the_only_model():
    def brief(*models):
        runs = [run_of(pairs_of(BAD), name, readings=style) for name in models for style in ("naive", "grammatical")]
        found = summarise([*runs, run_of(pairs_of(BAD), "first")])
        return [found.brief(one) for one in found.solvers]

    assert brief("model") == ["grammatical", "naive", "first"]
    assert brief("one", "two")[:2] == ["one, grammatical", "one, naive"]
