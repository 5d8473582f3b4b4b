import json

import pytest

import winoglot as wg
from logic.small_pairs import TASK, write_data
from metrics.made_runs import Made, pairs_of, run_of
from six_schemas import six
from winoglot.runs.comparing import compare, compare_all
from winoglot.runs.store import save_run
from winoglot.statistics.formatting import probability


@pytest.fixture
def call(tmp_path, run_winoglot):
    """Store runs under their names and compare what the arguments name."""

    def compared(runs, *arguments):
        for name, run in runs.items():
            save_run(run, tmp_path / name)
        words = [str(tmp_path / word) if word in runs or word == "." else word for word in arguments]
        code, out, err = run_winoglot("compare", *words)
        return code, out or err

    return compared


BETTER = pairs_of([(1, 1)] * 9 + [(1, 0)] * 3)
WORSE = pairs_of([(0, 0)] * 9 + [(1, 0)] * 3)
RUNS = {"a": run_of(BETTER, "first-model"), "b": run_of(WORSE, "second-model")}


def test_two_runs_are_told_about_in_full(call):
    code, out = call(RUNS, "a", "b")
    found = compare(RUNS["a"], RUNS["b"])
    assert code == 0
    assert out.splitlines()[0].startswith("first-model   87.5% [")
    assert f"flip test     {found.test}" in out
    assert "exact McNemar, items taken as independent: 18 against 0" in out
    assert "12 schemas, 24 items, paired by item." in out
    assert f"\nfirst-model is better than second-model by 75 points: {found.sentence.partition(': ')[2]}.\n" in out
    assert found.planning in out


def test_a_folder_of_runs_is_compared_whole(call):
    third = run_of(pairs_of([(1, 0)] * 12), "third-model")
    stranger = run_of(WORSE, "first-model", name="others", prefix="t")
    runs = {**RUNS, "c": third, "d": stranger}
    code, out = call(runs, ".")
    found = compare_all(list(runs.values()))
    assert code == 0
    head, *rows = out.splitlines()
    assert head.split()[:3] == ["run", "against", "points"]
    for row, one in zip(rows, found.made, strict=False):
        assert row.startswith(one.first)
        assert one.second in row
        assert probability(one.corrected_p) in row
        assert row.rstrip().endswith("yes" if one.is_distinguishable else "not shown")
    assert "not compared: first-model, made and first-model, others: made and others share no items" in out
    assert "not compared: 2 pairs that differ in several respects" in out


def test_columns_are_named_after_the_models_that_are_compared_on_several_collections(call):
    other = {"c": run_of(BETTER, "first-model", name="other", prefix="t")}
    other["d"] = run_of(WORSE, "second-model", name="other", prefix="t")
    _, out = call({**RUNS, **other}, ".")
    head, *rows = out.split("\n\n")[0].splitlines()
    assert head.split()[:3] == ["first-model", "second-model", "points"]
    assert [row.split()[:3] for row in rows] == [["made", "87.5", "12.5"], ["other", "87.5", "12.5"]]


def test_a_test_and_an_interval_that_disagree_are_explained_below_the_table(call):
    few = {"e": run_of(pairs_of([(0, 0), (1, 0), (0, 0)] + [(1, 1)] * 9), "third"), "f": run_of(BETTER[:3], "fourth")}
    _, out = call({"a": run_of(pairs_of([(1, 1)] * 12), "first-model"), **few}, ".")
    why = "the interval excludes 0, but of 24 items in 12 schemas, only 5 distinguish the runs"
    assert f"first-model and third: {why}: with so few it is too narrow, and the test decides." in out


def test_a_mistyped_folder_of_runs_brings_the_nearest(run_winoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_run(RUNS["a"], tmp_path / "runs" / "a")
    code, _, err = run_winoglot("report", "runz", "-o", "report.html")
    assert (code, "there is no run in runz. Did you mean 'runs'?" in err) == (2, True)
    for output in ("report.pdf", "."):
        code, _, err = run_winoglot("report", "runs", "-o", output)
        assert (code, "the report is an HTML page. Name it report.html" in err) == (2, True)
    code, _, err = run_winoglot("runs", "show", "runz/a", "--item", "a")
    assert (code, "Did you mean 'runs/a'?" in err) == (2, True)


def test_what_a_run_holds_about_an_item_is_shown(run_winoglot, tmp_path):
    run = wg.evaluate(six("en"), "second", folder=tmp_path / "run")
    example = run.outcomes()[0].example
    code, out, _ = run_winoglot("runs", "show", tmp_path / "run", "--item", example.id)
    assert code == 0
    assert f"B {example.options[1]}: 1.0000 ← chosen" in out
    assert ("right" if run[example.id].right else "wrong") in out
    assert example.item.parts[0][:20] in out
    code, out, _ = run_winoglot("runs", "show", tmp_path / "run", "--item", example.id, "--json")
    assert json.loads(out)[0]["choice"] == 1
    code, _, err = run_winoglot("runs", "show", tmp_path / "run", "--item", "nothing")
    assert (code, "the run has no item 'nothing'" in err) == (2, True)
    schema = example.id.removesuffix(".0")
    code, _, err = run_winoglot("runs", "show", tmp_path / "run", "--item", schema)
    assert (code, f"That is a schema, with the items {schema}.0, {schema}.1." in err) == (2, True)


def test_json_has_everything(call):
    _, out = call(RUNS, "a", "b", "--json", "--points", "10")
    told = json.loads(out)
    expected = compare(RUNS["a"], RUNS["b"], difference=0.1).as_json()
    assert told == {"comparisons": [json.loads(json.dumps(expected))], "not_compared": []}


def test_a_kind_and_what_was_left_out_are_said(call):
    one = run_of([[Made(variants=(("switched", 1),))] for _ in range(8)], kinds=("switched",))
    other = run_of([[Made(variants=(("switched", 0),))] for _ in range(8)], "other", kinds=("switched",))
    code, out = call({"a": one, "b": other}, "a", "b", "--kind", "switched")
    assert code == 0
    assert "solver is better than other by 100 points" in out
    short = run_of(BETTER[:9], "third-model")
    _, out = call({"c": RUNS["a"], "d": short}, "c", "d")
    assert "9 schemas, 18 items, paired by item; left out: 6 in one run only." in out


def test_the_report_says_in_the_terminal_what_cannot_be_compared(tmp_path, run_winoglot):
    for name, run in RUNS.items():
        save_run(run, tmp_path / "runs" / name)
    lines = tmp_path / "runs" / "a" / "predictions.jsonl"
    lines.write_text("".join(lines.read_text(encoding="utf-8").splitlines(keepends=True)[:3]), encoding="utf-8")
    code, out, _ = run_winoglot("report", tmp_path / "runs", "-o", tmp_path / "report.html")
    assert code == 0
    assert "Before you compare:" in out
    assert "some runs do not cover all" in out


def test_a_folder_of_pairs_names_a_file_to_import_for(tmp_path, run_winoglot):
    write_data(tmp_path / "logic", train=4, validation=4, test=4)
    (tmp_path / "mine.csv").write_text("item_id,choice\nx,1\n")
    asked = ("runs", "import", tmp_path / "mine.csv", "--collection", tmp_path / "logic", "-o", tmp_path / "run")
    code, _, said = run_winoglot(*asked)
    assert code == 2
    assert f"--collection {tmp_path / 'logic' / 'en' / TASK / 'test.jsonl'}" in said
    assert not (tmp_path / "run").exists()


def test_runs_are_compared_by_another_metric(call):
    code, out = call(RUNS, "a", "b", "--metric", "pair-accuracy")
    assert code == 0
    assert "Compared by pair accuracy: 12 schemas, paired by item." in out
    assert "\npair accuracy is higher for first-model than for second-model by 75 points" in out
    run = {"c": run_of(BETTER, "third-model"), "d": run_of(WORSE, "fourth-model")}
    code, out = call(run, "c", "d", "--metric", "f1")
    assert (code, "runs cannot be compared by f1" in out) == (2, True)


def test_a_solver_is_compared_with_itself_in_several_languages(call):
    right = [[(1, 1), (1, 0)], [(0, 0), (1, 1)], [(1, 1), (1, 1)]]  # of each item, and of its synonym variant
    made = [[Made(choice=1 - one, variants=(("synonym", 1 - same),)) for one, same in pair] for pair in right]
    runs = {tag: run_of(made, "m", name=f"made-{tag}", language=tag, kinds=("synonym",)) for tag in ("en", "fr")}
    code, out = call(runs, ".", "--languages", "all")
    assert code == 0
    whole, _, _, between, ceiling, *_ = out.splitlines()
    assert whole.startswith("m in en, fr: all items right in 66.7% [")
    assert whole.endswith("] of 3 schemas; independent languages would give 44.4%.")
    assert between.split()[:4] == ["m", "between", "languages", "100.0"]
    assert ceiling.split()[:4] == ["m", "with", "synonym", "83.3"]  # five of six items
    code, out = call({}, ".", "--languages", "en,fr", "--json")
    lost = next(row for row in json.loads(out) if row["quantity"] == "agreement-lost")
    assert (lost["kind"], lost["value"], lost["corrected_p"]) == ("synonym", pytest.approx(-1 / 6), 1.0)
    code, out = call({}, ".", "--languages", "de,fr")
    assert (code, out.splitlines()[0]) == (2, "Error: there is no run in 'de'. There are runs in en, fr.")
    code, out = call({}, ".", "--languages", "all", "--metric", "quality")
    assert (code, "Leave out --kind and --metric." in out) == (2, True)


@pytest.fixture
def sample(tmp_path):
    """The folder of a run with two kinds of variants on a sample of a bundled collection."""
    wg.evaluate(wg.load("winoglot-en"), "second", kinds=["synonym", "switched"], limit=30, folder=tmp_path / "runs")
    return tmp_path / "runs"


def test_references_stand_beside_the_runs_of_a_report(sample, tmp_path, run_winoglot):
    page = tmp_path / "report.html"
    code, out, _ = run_winoglot("report", sample, "--references", "-o", page)
    assert code == 0
    [dated] = {line.partition("reference of ")[2][:10] for line in out.splitlines() if line.startswith("first")}
    text = page.read_text(encoding="utf-8")
    assert f"reference of {dated}" in text
    assert "<dt>Reference</dt>" in text
    assert "winoglot report runs -o report.html --references" in " ".join(text.replace("\\", "").split())
    assert "--model first" not in text
    code, _, _ = run_winoglot("report", sample, "-o", page, "--force")
    assert (code, "reference of" in page.read_text(encoding="utf-8")) == (0, False)


def test_runs_are_compared_with_references_on_the_items_of_both(sample, run_winoglot):
    code, out, _ = run_winoglot("compare", sample, "--references", "--json")
    found = json.loads(out)["comparisons"]
    assert code == 0
    assert {row["first"].partition(",")[0] for row in found} == {"second"}  # whose scoring may differ
    assert "first (reference)" in {row["second"].partition(",")[0] for row in found}
    assert 0 < max(row["schemas"] for row in found) <= 30
    code, out, _ = run_winoglot("compare", sample, "--references", "--kind", "switched", "--json")
    switched = json.loads(out)["comparisons"]
    assert code == 0
    assert {row["kind"] for row in switched} == {"switched"}
    assert 0 < max(row["items"] for row in switched) < 60


def test_a_collection_without_references_is_refused_with_those_that_have_some(tmp_path, run_winoglot):
    save_run(RUNS["a"], tmp_path / "a")
    for command in (["compare"], ["report", "-o", tmp_path / "report.html"]):
        code, _, err = run_winoglot(command[0], tmp_path / "a", "--references", *command[1:])
        assert code == 2
        assert "there are no reference runs for 'made'. There are some for: winoglot-de, winoglot-en" in err


def test_references_are_listed(run_winoglot):
    code, out, _ = run_winoglot("list", "references", "--json")
    rows = json.loads(out)
    assert code == 0
    assert {(row["model"], row["scoring"], row["readings"]) for row in rows} >= {("first", "choice", "grammatical")}
    assert all(row["n"] > 0 and row["date"] and row["signature"] for row in rows)
    code, out, _ = run_winoglot("list", "references")
    [first] = [line for line in out.splitlines() if line.startswith("first ")]
    assert (code, "winoglot: de en" in out) == (0, True)
    assert str(sum(row["n"] for row in rows if row["model"] == "first")) in first.replace(",", "")
