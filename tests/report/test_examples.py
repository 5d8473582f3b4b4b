"""A report needs nothing but examples; what only schemas have appears if some run is over schemas."""

import csv
from dataclasses import replace

import winoglot as wg
from metrics.made_runs import Made, run_of
from runs.logic_pairs import LABELS, logic_pairs, run_over
from winoglot.examples import Example, ExampleSet
from winoglot.report import report
from winoglot.report.details import across_table, gaps_table
from winoglot.report.figure import Figure
from winoglot.report.findings import cautions, facts, verdict
from winoglot.report.items import items_data
from winoglot.report.reproduce import commands
from winoglot.report.runs import runs_page
from winoglot.report.summary import summarise
from winoglot.runs.run import Prediction
from winoglot.runs.store import load_run, save_run

SOURCE = logic_pairs()
GOOD, POOR = run_over(SOURCE, "good", 0.9, 1, has_scores=True), run_over(SOURCE, "poor", 0.0, 2)
SCHEMAS = run_of([[Made(variants=(("switched", 1),))] * 2] * 12, "model", kinds=("switched",))


def ids(runs):
    return [section.name for section in runs_page(summarise(runs)).sections]


def test_stored_runs_over_examples_are_loaded_compared_and_reported(tmp_path, run_winoglot):
    for run in (GOOD, POOR):
        save_run(run, tmp_path / "runs" / run.settings.model)
    page = tmp_path / "report.html"
    code, out, _ = run_winoglot("report", str(tmp_path / "runs"), "-o", str(page), "--tables", "csv")
    assert code == 0
    assert "with 95% intervals over templates" in out
    with (tmp_path / "report-tables" / "estimates.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "accuracy" and not row["kind"] + row["subset"]]
    assert [(row["solver"], row["collection"]) for row in rows] == [("good", "logic-en"), ("poor", "logic-en")]
    assert float(rows[0]["value"]) == GOOD.accuracy().value
    text = page.read_text("utf-8")
    assert "logic-en" in text
    assert "pronoun" not in text.partition("<main>")[2].partition("<script")[0]
    compared = wg.compare(load_run(tmp_path / "runs" / "good"), load_run(tmp_path / "runs" / "poor"))
    assert f"{100 * compared.difference.value:.1f}" in text


def test_words_are_those_of_the_examples():
    found = summarise([GOOD, POOR])
    assert verdict(found) == "good is clearly ahead of the other model"
    assert facts(found) == "2 models, 1 collection. 40 items in 20 templates; variants: 40 reworded. 2 runs."


def test_an_example_is_shown_with_its_text_options_answer_and_scores():
    data = items_data(summarise([GOOD, POOR]))
    assert data["columns"][0] | {"key": "logic-en", "label": "logic-en"} == data["columns"][0]
    assert len(data["items"]) == len(SOURCE.examples) == 80
    first = data["items"][0]
    assert (first["i"], first["k"], list(first["n"]), first["a"]) == ("template-0.0", "original", list(LABELS), 0)
    assert first["t"] == ["Premise 0. Hypothesis 0.", 0]
    assert "r" not in first
    made = GOOD.outcomes()[0]
    assert data["runs"][0]["o"][0] == (-1 if made.choice is None else made.choice)
    assert data["runs"][0]["v"][0] == list(made.scores)
    assert {"original", "reworded"} == {item["k"] for item in data["items"]}


def test_sections_that_need_schemas_variants_or_readings_appear_only_with_them():
    assert ids([GOOD, POOR]) == [
        *("differences", "chance", "robustness", "perturbations", "subsets", "margins", "items", "reproduce")
    ]
    robust = runs_page(summarise([GOOD])).shown(Figure)["robustness"]
    assert [group.title for group in robust.groups] == ["Pair accuracy", "Robust accuracy"]
    single = ExampleSet("trivia", tuple(Example(f"q{n}", f"q{n}", LABELS, n % 3, f"{n}") for n in range(30)), "en", "1")
    run = run_over(single, "good", 0.9, 1)
    answered = replace(run, predictions=tuple(replace(one, choice=one.choice or 0) for one in run.predictions))
    answered = replace(answered, settings=replace(answered.settings, kinds=()))
    assert ids([answered]) == ["chance", "items", "reproduce"]
    gaps = gaps_table(summarise([run]))
    assert gaps.headings == ("solver", "collection", "items", "abstained", "why")


def test_schemas_and_other_examples_share_a_report(tmp_path):
    summary = summarise([SCHEMAS, GOOD, POOR])
    assert [column.label for column in summary.columns] == [SCHEMAS.source.name, "logic-en"]
    assert [one.solver.label for one in summary.runs] == [
        "model, partial scoring",
        "good, choice scoring",
        "poor, choice scoring",
    ]
    report([SCHEMAS, GOOD, POOR], tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "over whole schemas and templates" in text
    assert "ambiguous pronoun" in text
    assert not any("readings" in said for said in cautions(summary))
    by_column = {item["c"]: item for item in items_data(summary)["items"]}
    assert (bool(by_column[0]["r"]), "r" in by_column[1]) == (True, False)
    assert commands([SCHEMAS, GOOD])[-1] == "winoglot report runs OTHER_RUNS -o report.html"
    assert "logic-en" not in "".join(commands([SCHEMAS, GOOD]))


def test_an_example_set_that_has_changed_is_a_column_of_its_own():
    first, *others = SOURCE.examples
    changed = ExampleSet("logic-en", (replace(first, answer=1), *others), "en", "1.0")
    found = summarise([GOOD, run_over(changed, "poor", 0.0, 2)])
    assert len({column.label for column in found.columns}) == 2
    assert not found.compared


def test_two_solvers_on_the_same_texts_in_two_files_are_named_both():
    pairs = [run_of([[Made(), Made(choice=1)]] * 30, "one"), run_of([[Made(), Made()]] * 30, "two", name="other")]
    named = {schema.id: f"own-{schema.id}" for schema in pairs[1].source.schemas}
    schemas = tuple(
        replace(
            schema,
            id=named[schema.id],
            items=tuple(replace(item, id=f"own-{item.id}", schema_id=named[schema.id]) for item in schema.items),
        )
        for schema in pairs[1].source.schemas
    )
    source = replace(pairs[1].source, schemas=schemas)
    predictions = tuple(
        Prediction(item.id, item.hash, one.choice) for item, one in zip(source.items, pairs[1].predictions, strict=True)
    )
    found = summarise([pairs[0], replace(pairs[1], source=source, predictions=predictions)])
    (row,) = across_table(found).rows
    assert row[0] == "one against two"
    assert row[1:3] == ("made", "other")
    assert "differences" in [section.name for section in runs_page(found).sections]  # although nobody can be ranked
