"""Runs over examples that are no schema items: metrics, comparison, table and JSON need nothing but examples."""

import json

import pytest

from runs.logic_pairs import LABELS, logic_pairs, run_over
from winoglot import InputError
from winoglot.cli.run_table import print_runs, runs_as_json
from winoglot.examples import Example, ExampleSet, Outcome
from winoglot.metrics.accuracy import chance_test
from winoglot.metrics.subsets import subsets
from winoglot.runs.comparing import compare, compare_all
from winoglot.runs.store import load_run, save_run
from winoglot.statistics.intervals import bootstrap_ratio

SOURCE = logic_pairs()
GOOD, POOR = run_over(SOURCE, "good", 0.9, 1), run_over(SOURCE, "poor", 0.0, 2)


def test_metrics_resample_the_clusters_of_the_examples():
    outcomes = GOOD.outcomes()
    right = [float(outcome.right) for outcome in outcomes]
    clusters = [outcome.example.cluster for outcome in outcomes]
    assert GOOD.accuracy() == bootstrap_ratio(right, [1] * 40, clusters, unit="template")
    assert GOOD.accuracy().method == "BCa over 20 templates"
    both = [all(right[place : place + 2]) for place in range(0, 40, 2)]
    assert GOOD.pair_accuracy().value == sum(both) / 20
    assert GOOD.estimate("stability", "reworded").n > 20
    assert GOOD.estimate("success").method.startswith("no labelled items with two candidates")
    assert GOOD.consistency().value is None


def test_chance_is_one_in_the_number_of_options_and_subsets_are_tags():
    assert chance_test(GOOD).value < 0.001 < chance_test(POOR).value
    assert chance_test(GOOD).method == "exact turns of 20 templates"
    assert {"negation", "counting"} <= set(subsets(GOOD))
    labelled, unlabelled = Example("a", "a", LABELS, 1), Example("b", "b", LABELS, None)
    assert (Outcome(labelled, None).right, Outcome(unlabelled, 1).right) == (False, None)


def test_runs_are_compared_example_by_example():
    found = compare(GOOD, POOR)
    assert (found.items, found.schemas, found.paired_by) == (40, 20, "items")
    assert found.difference.value == pytest.approx(GOOD.accuracy().value - POOR.accuracy().value)
    assert found.is_distinguishable
    assert found.sentence.startswith("good is better than poor by ")
    assert "templates" in found.planning
    (made,) = compare_all([GOOD, POOR], kind="reworded").made
    assert made.kind == "reworded"


def test_an_example_that_changed_is_not_compared():
    changed = logic_pairs()
    first = Example(changed.examples[0].id, "template-0", LABELS, 2, "hash 0", "template")
    other = run_over(ExampleSet("logic-en", (first, *changed.examples[1:]), "en", "1.1"), "poor", 0.0, 2)
    found = compare(GOOD, other)
    assert found.items == GOOD.accuracy().n - 1
    assert "1 that differ between versions 1.0 and 1.1" in found.left_out
    same_version = run_over(ExampleSet("logic-en", (first, *changed.examples[1:]), "en", "1.0"), "poor", 0.0, 2)
    with pytest.raises(InputError, match=r"in different versions: template-0\.0"):
        compare(GOOD, same_version)


def test_the_table_and_the_json_have_every_run(capsys):
    print_runs([GOOD, POOR])
    head, good, *_ = capsys.readouterr().out.splitlines()
    assert head.split() == ["collection", "model", "accuracy", "n", "pairs", "robust", "abstained"]
    assert good.split()[:2] == ["logic-en", "good"]
    first, second = runs_as_json([GOOD, POOR])
    assert (first["collection"], first["language"], second["model"]) == ("logic-en", "en", "poor")
    assert first["accuracy"]["value"] == GOOD.accuracy().value
    assert first["kinds"]["reworded"]["accuracy"]["n"] == 40
    assert (first["consistency"], first["success"]) == (None, None)
    assert first["signature"].startswith("logic-en@1.0 sha:")


def test_commands_take_stored_runs_over_examples(tmp_path, printed):
    for run in (GOOD, POOR):
        save_run(run, tmp_path / run.settings.model)
    (found,) = json.loads(printed("compare", tmp_path, "--json"))["comparisons"]
    assert (found["items"], found["distinguishable"]) == (40, True)
    rows = json.loads(printed("runs", "list", tmp_path, "--json"))
    assert [(row["collection"], row["items"]) for row in rows] == [("logic-en", 80)] * 2


def test_the_signature_changes_with_the_examples_and_a_run_without_schemas_has_no_collection():
    assert GOOD.signature != run_over(logic_pairs(38), "good", 0.9, 1).signature
    with pytest.raises(InputError, match="logic-en is not a collection of schemas"):
        _ = GOOD.collection


def test_a_run_over_examples_is_stored_and_read_back(tmp_path):
    save_run(GOOD, tmp_path / "run")
    again = load_run(tmp_path / "run")
    assert again.source == SOURCE
    assert (again.predictions, again.signature) == (GOOD.predictions, GOOD.signature)
    assert again.accuracy("reworded") == GOOD.accuracy("reworded")
    with pytest.raises(InputError, match="this run already exists"):
        save_run(POOR, tmp_path / "run")
    save_run(POOR, tmp_path / "run", force=True)
    assert load_run(tmp_path / "run").predictions == POOR.predictions
