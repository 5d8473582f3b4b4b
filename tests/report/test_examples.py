"""A report needs nothing but examples; what only schemas have appears if some run is over schemas."""

import csv
import json
from dataclasses import replace

from winoglot.report.cautions import cautions

import winoglot as wg
from metrics.made_runs import Made, run_of
from runs.logic_pairs import LABELS, logic_pairs, run_over
from winoglot.examples import Example, ExampleSet
from winoglot.report import report
from winoglot.report.again import commands
from winoglot.report.items import items_data
from winoglot.report.page import default_title
from winoglot.report.sections import sections
from winoglot.report.summary import summarise
from winoglot.runs.store import load_run, save_run

SOURCE = logic_pairs()
GOOD, POOR = run_over(SOURCE, "good", 0.9, 1, has_scores=True), run_over(SOURCE, "poor", 0.0, 2)
SCHEMAS = run_of([[Made(variants=(("switched", 1),))] * 2] * 12, "model", kinds=("switched",))


def ids(runs):
    return [one.id for one in sections(summarise(runs))]


def data_in(page):
    return json.loads(page.read_text("utf-8").partition('id="data">')[2].partition("</script>")[0])


def test_stored_runs_over_examples_are_loaded_compared_and_reported(tmp_path, run_winoglot):
    for run in (GOOD, POOR):
        save_run(run, tmp_path / "runs" / run.settings.model)
    page, tables = tmp_path / "report.html", tmp_path / "tables"
    code, out, _ = run_winoglot("report", str(tmp_path / "runs"), "-o", str(page), "--tables", str(tables))
    assert code == 0
    assert "with 95% intervals over templates" in out
    with (tables / "accuracy.csv").open(encoding="utf-8") as file:
        good, poor, chance = csv.DictReader(file)
    assert [row["solver"] for row in (good, poor, chance)] == ["good", "poor", "chance"]
    assert float(good["logic-en"]) == GOOD.accuracy().value
    assert {file.stem for file in tables.glob("*.csv")} >= {"robustness-1", "change-reworded", "subsets-1", "gaps"}
    text = page.read_text("utf-8")
    assert "How well do 2 models answer logic-en?" in text
    assert "Winograd schemas?" not in text
    assert "The pronoun stands" not in text
    compared = wg.compare(load_run(tmp_path / "runs" / "good"), load_run(tmp_path / "runs" / "poor"))
    assert f"{100 * compared.difference.value:.1f}" in text


def test_an_example_is_shown_with_its_text_options_answer_and_scores(tmp_path):
    report([GOOD, POOR], tmp_path / "report.html")
    data = data_in(tmp_path / "report.html")
    assert data["columns"][0] | {"key": "logic-en", "label": "logic-en"} == data["columns"][0]
    assert len(data["items"]) == len(SOURCE.examples) == 80
    first = data["items"][0]
    assert (first["i"], first["k"], first["n"], first["a"]) == ("template-0.0", "original", list(LABELS), 0)
    assert (first["t"], first["r"]) == (["Premise 0. Hypothesis 0.", 0], [])
    made = GOOD.outcomes()[0]
    assert first["o"][0][:3] == [0, -1 if made.choice is None else made.choice, list(made.scores)]
    assert {"original", "reworded"} == {item["k"] for item in data["items"]}


def test_sections_that_need_schemas_variants_or_readings_appear_only_with_them():
    assert ids([GOOD, POOR]) == ["accuracy", "robustness", "subsets", "gaps", "calibration", "comparisons"]
    (robust,) = [one for one in sections(summarise([GOOD])) if one.id == "robustness"]
    assert [line.partition(":")[0] for line in robust.lead] == ["Pair accuracy", "Stability"]
    single = ExampleSet("trivia", tuple(Example(f"q{n}", f"q{n}", LABELS, n % 3, f"{n}") for n in range(30)), "en", "1")
    run = run_over(single, "good", 0.9, 1)
    answered = replace(run, predictions=tuple(replace(one, choice=one.choice or 0) for one in run.predictions))
    answered = replace(answered, settings=replace(answered.settings, kinds=()))
    assert ids([answered]) == ["accuracy", "calibration", "comparisons"]
    (gaps,) = [one for one in sections(summarise([run])) if one.id == "gaps"]
    assert gaps.title == "Abstentions"
    assert "fallback" not in gaps.tables[0].columns


def test_schemas_and_other_examples_share_a_report(tmp_path):
    summary = summarise([SCHEMAS, GOOD, POOR])
    assert [column.label for column in summary.columns] == [SCHEMAS.source.name, "logic-en"]
    assert [one.solver for one in summary.runs] == [
        "model, partial scoring",
        "good, choice scoring",
        "poor, choice scoring",
    ]
    report([SCHEMAS, GOOD, POOR], tmp_path / "report.html", tables=tmp_path / "tables")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "over whole schemas and templates" in text
    assert "The pronoun stands" in text
    assert not any("readings" in said for said in cautions(summary))
    by_column = {item["c"]: item for item in items_data(summary)["items"]}
    assert (bool(by_column[0]["r"]), by_column[1]["r"]) == (True, [])
    assert default_title(summary) == f"How well do 3 models answer {SCHEMAS.source.name}, logic-en?"
    assert commands([SCHEMAS, GOOD])[-1] == "winoglot report runs OTHER_RUNS -o report.html"
    assert "logic-en" not in "".join(commands([SCHEMAS, GOOD]))


def test_an_example_set_that_has_changed_is_a_column_of_its_own():
    first, *others = SOURCE.examples
    changed = ExampleSet("logic-en", (replace(first, answer=1), *others), "en", "1.0")
    found = summarise([GOOD, run_over(changed, "poor", 0.0, 2)])
    assert len({column.label for column in found.columns}) == 2
    assert not found.compared
