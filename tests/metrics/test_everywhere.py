"""A metric is one file: it says what it counts, and everything that shows metrics shows it."""

import csv
import json
from dataclasses import replace

import pytest

import winoglot as wg
from experiment.files import write
from six_schemas import six, six_file
from winoglot.experiment.results import results_csv
from winoglot.finetune.seeds import Configuration, TunedSeed

METRIC = """
from winoglot.metrics.base import Metric, labelled

def later(run, kind=None):
    return labelled(run, kind).tally(lambda outcome: outcome.choice == 1, undefined="nothing was asked")

PLUGINS = {"later": Metric("later", "Share of answers that are the second.", cases=later, chance=0.5)}
"""


@pytest.fixture(autouse=True)
def later(outside):
    outside("metrics", "later", METRIC)


def test_it_is_in_the_table_and_the_json_of_evaluate_and_in_the_list(printed):
    rows = json.loads(printed("list", "metrics", "--json"))
    assert ["later", "%", "50"] in [[row["name"], row["unit"], row["chance"]] for row in rows]
    command = ("evaluate", six_file("en"), "--model", "second", "--interval", "wilson")
    assert "100.0 [76, 100]" in printed(*command)
    (made,) = json.loads(printed(*command, "--json"))
    assert (made["later"]["value"], made["later"]["n"], made["accuracy"]["value"]) == (1.0, 12, 0.5)
    assert made["later"]["method"] == "Wilson, items taken as independent"


def test_it_is_in_the_report_and_in_data_frames(tmp_path):
    runs = wg.evaluate(six("en"), ["first", "second"], progress=False)
    assert runs.to_frame()["later"].tolist() == [0.0, 1.0]
    assert ">later</td>" in runs[1]._repr_html_()
    wg.report(runs, tmp_path / "report.html", tables=["csv"])
    lines = list(csv.DictReader((tmp_path / "report-tables" / "estimates.csv").read_text("utf-8").splitlines()))
    shares = {line["solver"]: float(line["value"]) for line in lines if line["metric"] == "later"}
    assert shares == {"first": 0.0, "second": 1.0}


def test_an_experiment_may_ask_for_it(tmp_path):
    text = f"collections: [{six_file('en')}]\nmodels: [first, second]\nanalyses: {{metrics: [later]}}\n"
    made = wg.run_experiment(write(tmp_path, text), progress=False)
    assert [(row.model, row.metric, row.value) for row in made.results] == [
        ("first", "later", 0.0), ("second", "later", 1.0),
    ]  # fmt: skip
    assert "| later |" in (made.folder / "results.md").read_text("utf-8").splitlines()[2]


def test_fine_tuned_models_have_it_over_seeds_and_as_a_change():
    first, second = wg.evaluate(six("en"), ["first", "second"], progress=False)
    seeds = [
        TunedSeed(f"s{number}", number, (replace(run, settings=replace(run.settings, scoring="choice")),), 8, 2, 0.7)
        for number, run in enumerate((second, second, first))
    ]
    tuned = Configuration("tuned", "tuned", ("data",), tuple(seeds), base=(first,))
    (row,) = tuned.results(["later"])
    assert (row.model, row.value, row.n, row.abstained) == ("tuned", pytest.approx(2 / 3), 12, 0)
    assert row.method == "over 3 seeds and 6 schemas"
    (line,) = csv.DictReader(results_csv([row]).splitlines())
    assert (line["metric"], line["unit"], line["kind"]) == ("later", "%", "")
    assert tuned.change("later", tuned.asked_on()[0]).value == pytest.approx(2 / 3)
