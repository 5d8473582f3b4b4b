"""The demonstration, with one schema per language and, but for the last test, without the default model."""

import json
import subprocess
import sys

import pytest

import winoglot as wg
from winoglot.experiment import demo
from winoglot.experiment.file import parse_experiment
from winoglot.experiment.plan import LOCK_FILE
from winoglot.models.base import PRECISIONS
from winoglot.runs.store import find_runs, load_run, save_run

RUN = "winoglot-en.first.choice.grammatical"


@pytest.fixture
def no_model(tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "find_spec", lambda name: None)
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def test_a_demo_says_what_it_does_what_it_found_and_how_to_go_on(no_model, tmp_path, monkeypatch, run_winoglot):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run_winoglot("demo", "--limit", "1")
    assert code == 0
    assert out.startswith("Evaluating first, longer on 1 schema in each of 4 languages")
    assert "A sample of 1 of 160 schemas in each language (seed 0)" in out
    start = out.index("rank  solver")
    rows = out[start : out.index("* a reference: ", start)].splitlines()
    assert {"first", "longer"} <= {word for row in rows for word in row.split()}
    assert any(" * " in row for row in rows)
    assert "No model was run: these are rules and references." in out
    assert 'pip install "winoglot[gemma]"' in out
    assert len(find_runs(tmp_path / "demo" / "runs")) == 8
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert "1 schema in each of four languages" in page


@pytest.mark.slow
def test_the_commands_to_go_on_with_work_as_they_are(no_model, tmp_path, monkeypatch, run_winoglot):
    monkeypatch.chdir(tmp_path)
    _, out, _ = run_winoglot("demo", "--limit", "1")
    commands = [line.split() for line in out.splitlines() if line.startswith("    winoglot ")]
    assert len(commands) == 3
    for command in commands[:2]:  # the third is the whole demonstration
        assert run_winoglot(*command[1:])[0] == 0, command


@pytest.mark.slow
def test_runs_of_collections_that_have_changed_since_are_made_again(no_model, tmp_path, run_winoglot):
    folder = tmp_path / "demo"
    arguments = ("demo", "-o", str(folder), "--limit", "1")
    run_winoglot(*arguments)
    own = folder / "runs" / "winoglot-en.longer.choice.grammatical" / "notes.txt"
    own.write_text("mine", encoding="utf-8")
    lock = json.loads((folder / LOCK_FILE).read_text(encoding="utf-8"))
    lock["collections"]["winoglot-en"]["hash"] = "0" * 64
    (folder / LOCK_FILE).write_text(json.dumps(lock), encoding="utf-8")
    marked = folder / "runs" / RUN / "run.json"
    marked.write_text(marked.read_text(encoding="utf-8").replace('"winoglot":', '"old": "1", "winoglot":'), "utf-8")
    code, out, _ = run_winoglot(*arguments)
    assert (code, "The demonstration has changed since the last time" in out) == (0, True)
    assert "old" not in load_run(marked.parent).made_with
    assert own.read_text(encoding="utf-8") == "mine"
    assert "has changed" not in run_winoglot(*arguments)[1]


def test_runs_of_an_earlier_version_are_made_again(no_model, tmp_path, run_winoglot):
    folder = tmp_path / "demo"
    arguments = ("demo", "-o", str(folder), "--limit", "1")
    run_winoglot(*arguments)
    lock = (folder / LOCK_FILE).read_text(encoding="utf-8")
    (folder / LOCK_FILE).write_text(lock.replace("  - longer", "  - second"), encoding="utf-8")
    code, out, _ = run_winoglot("demo", "-o", str(folder), "--limit", "2")  # which runs with one schema would refuse
    assert (code, "The demonstration has changed since the last time" in out) == (0, True)
    assert {load_run(one).settings.limit for one in find_runs(folder / "runs")} == {2}
    code, _, error = run_winoglot(*arguments)
    assert (code, "this run was started with limit 2, not 1" in error) == (2, True)


def test_what_is_not_a_demo_is_left_alone(no_model, tmp_path, run_winoglot):
    (tmp_path / "report.html").write_text("mine", encoding="utf-8")
    code, _, error = run_winoglot("demo", "-o", str(tmp_path), "--limit", "1")
    assert (code, (tmp_path / "report.html").read_text(encoding="utf-8")) == (2, "mine")
    assert "the folder contains something other than a set of results" in error


@pytest.mark.parametrize(
    ("arguments", "message"), [(["--limit", "0"], "at least 1"), (["--full", "--limit", "2"], "one of the two")]
)
def test_a_limit_that_cannot_be_is_refused(arguments, message, tmp_path, run_winoglot):
    code, _, error = run_winoglot("demo", "-o", str(tmp_path / "demo"), *arguments)
    assert (code, message in error) == (2, True)


def test_the_whole_demonstration_asks_for_everything(tmp_path):
    computing = demo.Computing("bfloat16", 256)
    experiment = parse_experiment(demo.demo_text(computing, full=True), "demo-full.yaml", "demo-full", tmp_path)
    assert (experiment.limit, experiment.readings, experiment.kinds) == (None, ("grammatical", "naive"), ("switched",))
    models = {model.name.name: (model.options.precision, model.options.batch_tokens) for model in experiment.models}
    assert models["gemma-3-270m"] == models["gemma-3-270m-tuned"] == computing
    assert experiment.references


AGAIN = """
import sys
from winoglot.cli.main import main
try:
    main()
finally:
    print("loaded:", [name for name in ("torch", "transformers") if name in sys.modules])
"""


@pytest.mark.slow
@pytest.mark.skipif(not demo.has_model(), reason="absent: the weights of gemma-3-270m")
def test_both_models_take_part_and_are_not_loaded_again(tmp_path, run_winoglot):
    arguments = ["demo", "-o", str(tmp_path / "demo"), "--limit", "1"]
    assert run_winoglot(*arguments)[0] == 0
    runs = [load_run(folder) for folder in find_runs(tmp_path / "demo" / "runs")]
    precisions = [run.settings.model_settings["precision"] for run in runs if not run.is_baseline]
    assert len(precisions) == 8
    assert len(set(precisions)) == 1
    again = subprocess.run([sys.executable, "-c", AGAIN, *arguments], capture_output=True, text=True, check=True)
    assert again.stdout.splitlines()[-1] == "loaded: []"


@pytest.mark.slow
@pytest.mark.skipif(not demo.has_model(), reason="absent: the weights of gemma-3-270m")
def test_every_precision_is_measured_and_that_of_earlier_runs_stays(tmp_path):
    measured = demo.fastest()
    assert sorted(precision for precision, _ in measured) == sorted(PRECISIONS)
    for computing in measured:
        folder = tmp_path / computing.precision
        run = wg.evaluate(wg.load("winoglot-en"), demo.MODEL, limit=1, precision=computing.precision)
        save_run(run, folder / "runs" / "some")
        assert demo.plan_demo(folder, limit=1).models[0].options.precision == computing.precision
    new = [demo.plan_demo(tmp_path / name, limit=1).models[0].options for name in ("new", "newer")]
    assert new[0] == new[1]  # measured once
