"""An experiment is run, resumed, run again from its lock file; what failed or differs is named."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import winoglot as wg
from experiment.files import SMALL, write
from winoglot.errors import InputError
from winoglot.experiment.locking import differences
from winoglot.experiment.running import run_experiment

FAILING = """
from winoglot.models.base import Scores, Solver

class Tired(Solver):
    name, scorings, fingerprint, cacheable, seen = "tired", ("choice",), "1", False, 0

    def score(self, questions, scorings):
        Tired.seen += len(questions)
        if Tired.seen > 40:
            raise RuntimeError("too tired")
        return [{"choice": Scores((1.0, float(len(one.item.text) % 3)))} for one in questions]

def load(location, options):
    return Tired()
"""


def predictions(folder):
    """What was predicted in each run, without how long it took."""
    found = {}
    for path in sorted(folder.glob("runs/*/predictions.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        found[path.parent.name] = [{key: value for key, value in row.items() if key != "seconds"} for row in rows]
    return found


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """An experiment that nothing has disturbed, to look at."""
    folder = tmp_path_factory.mktemp("finished")
    return run_experiment(write(folder))


def test_everything_is_written_beside_the_file(finished):
    assert finished.folder.name == "small-results"
    assert {path.name for path in finished.folder.iterdir()} == {
        *("runs", "report.html", "results.csv", "results.md", "comparisons.csv", "experiment.lock.json"),
    }
    assert [run.settings.model for run in finished.runs] == ["first", "guess"]
    assert repr(finished) == "<ExperimentResult small-results: 2 runs>"
    assert wg.load_run(finished.folder / "runs" / "winoglot-en.guess.choice.grammatical").settings.address == "chance"


def test_published_numbers_stand_beside_the_measured(finished):
    _, guess, published = finished.table()
    accuracy = finished.runs[1].accuracy()
    assert guess["accuracy"].startswith(f"{100 * accuracy.value:.1f} [")
    assert (guess["n"], guess["source"]) == (str(accuracy.n), "measured")
    assert {"on switched", "on switchable", "consistency"} < set(guess)
    assert (published["model"], published["accuracy"], published["scoring"]) == ("LSTM", "48.0", "full")
    assert (published["source"], published["n"]) == ("a paper, table 1", "")
    page = (finished.folder / "results.md").read_text(encoding="utf-8")
    assert "| winoglot-en | LSTM | full |  |" in page
    assert "- first and guess: not distinguishable" in page


def test_the_table_of_numbers_has_one_line_each(finished):
    head, *lines = (finished.folder / "results.csv").read_text(encoding="utf-8").splitlines()
    assert head.startswith("collection,model,scoring,readings,kind,subset,metric,unit,value,low,high,n,")
    assert len(lines) == len(finished.results)
    assert lines[-1] == 'winoglot-en,LSTM,full,,,,accuracy,%,0.4801,,,,,,"a paper, table 1"'


def test_the_results_are_a_table_in_a_notebook_and_a_data_frame(finished):
    assert "a paper, table 1</td>" in finished._repr_html_()
    frame = finished.to_frame()
    assert len(frame) == len(finished.results)
    assert frame[frame.source == "measured"].low.notna().all()


def test_chosen_metrics_are_the_columns(tmp_path):
    text = SMALL.replace("  subsets: switchable", "  metrics: [success, position-preference, renamed]")
    text = text.replace("switched", "[segment-masked, switched]")
    text += "renamed: 2\nreport: {tables: latex, figures: svg}\n"
    here = Path.cwd()
    made = wg.run_experiment(str(write(tmp_path, text)), tmp_path / "mine")
    assert made.folder == tmp_path / "mine"
    assert Path.cwd() == here
    assert (made.folder / "report-tables" / "accuracy.tex").exists()
    assert (made.folder / "report-figures" / "accuracy.svg").exists()
    assert {(one.metric, one.kind) for one in made.results if one.source == "measured"} == {
        ("success", "original"),
        ("renamed", "original"),
        ("position-preference", "segment-masked"),
    }


def test_reference_runs_stand_beside_the_models_in_the_report_only(tmp_path):
    path = write(tmp_path, "collections: [winoglot-en]\nmodels: [first]\nlimit: 4\nreport: {references: true}\n")
    made = run_experiment(path)
    assert {run.settings.model for run in made.runs} == {"first"}
    assert {run.run.reference is not None for run in made.summary.runs} == {True, False}
    assert {result.model for result in made.results} == {"first"}
    assert "reference of 20" in (made.folder / "report.html").read_text(encoding="utf-8")


def test_the_same_command_changes_nothing_and_another_is_refused(tmp_path, finished):
    shutil.copytree(finished.folder.parent, tmp_path, dirs_exist_ok=True)
    stored = sorted((tmp_path / "small-results" / "runs").glob("*/predictions.jsonl"))
    before = [path.read_bytes() for path in stored]
    path = tmp_path / "small.yaml"
    assert run_experiment(path).lock == finished.lock
    assert [path.read_bytes() for path in stored] == before
    path.write_text(path.read_text().replace("limit: 6", "limit: 7"), encoding="utf-8")
    with pytest.raises(InputError, match=r"its runs were made with limit 6, not 7\. Name another folder with -o"):
        run_experiment(path)
    assert [path.read_bytes() for path in stored] == before
    with pytest.raises(InputError, match="expected a path, found a list"):
        run_experiment(["small.yaml"])
    with pytest.raises(InputError, match="Name an experiment file"):
        run_experiment(tmp_path / "none.yaml")


def test_other_items_are_named_before_anything_is_written(tmp_path):
    schema = """
        collection: mine
        language: en
        schemas:
          - id: seat
            text: "Liam gave Peter his seat because {he} was [tired|kind]."
            candidates: [Liam, Peter]
            answers: [1, 0]
    """
    write(tmp_path, schema, "mine.yaml")
    path = write(tmp_path, "collections: [mine.yaml]\nmodels: [first]\nkinds: [after-only]\n")
    made = run_experiment(path)
    page = (made.folder / "report.html").read_bytes()
    write(tmp_path, schema.replace("tired", "weary"), "mine.yaml")
    with pytest.raises(InputError, match=r"its runs were made with another seat\.0 in mine\. Name another folder"):
        run_experiment(path)
    path.write_text("collections: [mine.yaml]\nmodels: [second]\n", encoding="utf-8")
    assert run_experiment(path).lock["models"].keys() == {"second"}  # what others were asked does not matter
    assert (made.folder / "report.html").read_bytes() != page


def test_an_interrupted_experiment_says_how_to_go_on(tmp_path, run_winoglot, outside):
    outside("models", "tired", FAILING.replace('RuntimeError("too tired")', "KeyboardInterrupt"))
    path = write(tmp_path, SMALL.replace("limit: 6", "limit: 40").replace("- first", "- tired"))
    code, _, said = run_winoglot("run", path)
    assert code == 130
    assert "Interrupted. Repeat the command to continue where it stopped." in said


def test_a_run_that_was_cut_short_is_completed(tmp_path, finished):
    shutil.copytree(finished.folder.parent, tmp_path, dirs_exist_ok=True)
    results = tmp_path / "small-results"
    cut = results / "runs" / "winoglot-en.guess.choice.grammatical" / "predictions.jsonl"
    cut.write_bytes(cut.read_bytes()[:-100])
    shutil.rmtree(results / "runs" / "winoglot-en.first.choice.grammatical")
    (results / "experiment.lock.json").unlink()
    made = run_experiment(tmp_path / "small.yaml")
    assert made.lock == finished.lock
    assert predictions(results) == predictions(finished.folder)


def test_a_run_folder_that_cannot_be_read_costs_only_its_run(tmp_path, finished):
    shutil.copytree(finished.folder.parent, tmp_path, dirs_exist_ok=True)
    broken = tmp_path / "small-results" / "runs" / "winoglot-en.guess.choice.grammatical" / "run.json"
    broken.write_text('{"format"', encoding="utf-8")
    made = run_experiment(tmp_path / "small.yaml")
    assert [run.settings.model for run in made.runs] == ["first"]
    assert len(made.failures) == 1
    assert "run.json: cannot be read" in made.failures[0]
    assert "Remove the folder of this run" in made.failures[0]
    assert not (tmp_path / "small-results" / "experiment.lock.json").exists()  # not everything is done


def test_a_model_that_fails_costs_only_its_runs_and_is_continued(tmp_path, outside):
    outside("models", "tired", FAILING)
    path = write(tmp_path, SMALL.replace("limit: 6", "limit: 40").replace("- first", "- tired\n  - first"))
    made = run_experiment(path)
    assert [run.settings.model for run in made.runs] == ["first", "guess"]
    assert "too tired" in made.failures[0]
    kept = len(predictions(made.folder)["winoglot-en.tired.choice.grammatical"])
    assert 0 < kept <= 40  # what it answered before is on disk


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"something other than a set of results: thesis\.tex"):
        run_experiment(write(tmp_path), tmp_path / "mine")


# The lock file.


def edited(finished, tmp_path, change):
    """The lock file with something changed, elsewhere."""
    info = json.loads((finished.folder / "experiment.lock.json").read_text(encoding="utf-8"))
    change(info)
    path = tmp_path / "experiment.lock.json"
    path.write_text(json.dumps(info), encoding="utf-8")
    return path


RUN = "winoglot-en.guess.choice.grammatical"
CHANGES = {
    "version": (lambda info: info["made_with"].update(winoglot="0.0.1"), "winoglot: {version}, was 0.0.1", False),
    "collection": (
        lambda info: info["collections"]["winoglot-en"].update(hash="abc"),
        "collection winoglot-en hash: {hash}, was abc",
        True,
    ),
    "model": (lambda info: info["models"].update(guess="other"), "model guess fingerprint: {guess}, was other", True),
    "scores": (
        lambda info: info["runs"][RUN].update(scores="s"),
        f"run {RUN}, scores (all choices are the same): {{scores}}, was s",
        False,
    ),
    "run": (lambda info: info["runs"].pop(RUN), f"run {RUN}: done, was absent", True),
    "settings": (lambda info: info["settings"].update(seed=5), "setting seed: 0, was 5", True),
}


@pytest.mark.parametrize(("change", "said", "matters"), CHANGES.values(), ids=CHANGES)
def test_a_difference_is_named(finished, change, said, matters):
    lock = finished.lock
    before = json.loads(json.dumps(lock))
    change(before)
    (difference,) = differences(before, lock)
    assert str(difference) == said.format(
        version=wg.__version__,
        hash=lock["collections"]["winoglot-en"]["hash"],
        guess=lock["models"]["guess"],
        scores=lock["runs"][RUN]["scores"],
    )
    assert difference.matters is matters


def test_other_choices_are_counted(finished):
    now = finished.lock["runs"][RUN]
    other = "".join("10-"["01-".index(one)] for one in now["choices"][:3]) + now["choices"][3:]
    before = finished.lock | {"runs": finished.lock["runs"] | {RUN: now | {"choices": other, "accuracy": 0.25}}}
    (difference,) = differences(before, finished.lock)
    what = f"run {RUN}, accuracy (3 of {len(other)} choices differ)"
    assert str(difference) == f"{what}: {100 * now['accuracy']:.1f}, was 25.0"


def test_a_lock_file_of_another_format_is_refused(tmp_path, finished):
    path = edited(finished, tmp_path, lambda info: info.update(format=99))
    with pytest.raises(InputError, match=r"format 99; this version reads format 1\. Run the experiment"):
        run_experiment(path, tmp_path / "again")
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        run_experiment(path)
    for change in (
        lambda info: info.update(experiment=[]),
        lambda info: info.update(made_with=7),
        lambda info: info["runs"].update(mine={}),
        lambda info: info["experiment"].pop("text"),
        lambda info: info["experiment"].update(name="../elsewhere"),
    ):
        with pytest.raises(InputError, match=r"the lock file is damaged: .* Run the experiment"):
            run_experiment(edited(finished, tmp_path, change))
    assert not (tmp_path / "again").exists()


def test_a_lock_file_does_not_choose_where_to_write(tmp_path, finished):
    for name in ("elsewhere", "here"):
        (tmp_path / name).mkdir()
    elsewhere = str(tmp_path / "elsewhere")
    path = edited(finished, tmp_path / "here", lambda info: info["experiment"].update(folder=elsewhere))
    assert run_experiment(path).folder == tmp_path / "here" / "small-again"
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_lock_file_is_not_run_into_its_own_folder(finished):
    with pytest.raises(InputError, match="nothing would be run again"):
        run_experiment(finished.folder / "experiment.lock.json", finished.folder)


# The command.


def test_the_command_prints_the_table_and_where_everything_is(tmp_path, run_winoglot):
    path = write(tmp_path)
    code, out, _ = run_winoglot("run", path, "--dry-run")
    assert (code, list(tmp_path.iterdir())) == (0, [path])
    assert "2 evaluations" in out
    assert "guess  chance" in out
    code, out, _ = run_winoglot("run", path)
    assert code == 0
    assert "a paper, table 1" in out
    assert "0 of 1 comparison show a difference" in out
    assert f"Lock file: {tmp_path / 'small-results' / 'experiment.lock.json'}" in out
    code, out, _ = run_winoglot("run", tmp_path / "small-results" / "experiment.lock.json")
    assert code == 0
    assert "Nothing differs from the lock file" in out
    assert (tmp_path / "small-again" / "report.html").exists()
    assert predictions(tmp_path / "small-again") == predictions(tmp_path / "small-results")


def test_the_command_fails_if_a_result_differs(tmp_path, finished, run_winoglot):
    path = edited(finished, tmp_path, lambda info: info["models"].update(guess="other"))
    code, out, _ = run_winoglot("run", path, "-o", tmp_path / "again")
    assert code == 1
    assert "Differences from the lock file:\n  model guess fingerprint: " in out
    path = edited(finished, tmp_path, lambda info: info["made_with"].update(winoglot="0.0.1"))
    assert run_winoglot("run", path, "--dry-run", "-o", tmp_path / "again")[1].endswith("was 0.0.1\n")
    code, out, _ = run_winoglot("run", path, "-o", tmp_path / "again", "--json")
    assert code == 0  # another version, the same results
    said = json.loads(out)
    assert [one["what"] for one in said["differences"]] == ["winoglot"]
    assert said["signature"] == finished.lock["results"]


def test_the_command_names_a_failure_and_keeps_the_rest(tmp_path, outside, run_winoglot):
    outside("models", "tired", FAILING.replace("> 40", "> -1"))
    path = write(tmp_path, SMALL.replace("- first", "- tired\n  - first"))
    code, out, err = run_winoglot("run", path)
    assert code == 2
    assert "Error: tired on winoglot-en" in err
    assert "guess" in out
    assert "Lock file" not in out


def test_a_typo_ends_the_command_with_the_nearest_key(tmp_path, run_winoglot):
    code, _, err = run_winoglot("run", write(tmp_path, SMALL.replace("kinds:", "kind:")))
    assert code == 2
    assert "line 7, column 1: unknown key 'kind'. Did you mean 'kinds'?" in err


# Several processes, here or on a cluster.


def same_tables(one, other):
    names = ("results.csv", "results.md", "comparisons.csv")
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


def test_two_processes_give_the_same_results_as_one(tmp_path, finished):
    made = run_experiment(write(tmp_path), workers=2, progress=False)
    assert made.lock == finished.lock
    assert [run.settings.model for run in made.runs] == ["first", "guess"]  # in the order of the file
    assert predictions(made.folder) == predictions(finished.folder)
    assert same_tables(made.folder, finished.folder)


def test_the_command_takes_a_number_of_processes(tmp_path, run_winoglot):
    code, _, said = run_winoglot("run", write(tmp_path), "--workers", "0")
    assert (code, "--workers is 0. Use 1 or more." in said) == (2, True)
    code, _, said = run_winoglot("run", write(tmp_path), "--workers", "2", "--cluster", "tcp://here:8786")
    assert (code, "--workers and --cluster are both given" in said) == (2, True)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_cluster_gives_the_same_results(tmp_path):
    distributed = pytest.importorskip("distributed", reason="absent: distributed")
    path = write(tmp_path, SMALL.replace("[winoglot-en]", "[winoglot-en, winoglot-pt]"))
    here = run_experiment(path, tmp_path / "here")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0") as cluster:
        there = run_experiment(path, tmp_path / "there", cluster=cluster.scheduler_address)
    assert there.lock["results"] == here.lock["results"]
    assert [run.signature for run in there.runs] == [run.signature for run in here.runs]
    assert predictions(tmp_path / "there") == predictions(tmp_path / "here")
    assert same_tables(tmp_path / "there", tmp_path / "here")


def test_all_kinds_are_asked_of_each_collection_and_the_same_experiment_goes_on(tmp_path):
    path = write(tmp_path, SMALL.replace("kinds: switched", "kinds: all"))
    run = run_experiment(path).runs[0]
    assert {"switched", "segment-masked", "tense"} < set(run.settings.kinds)
    assert run_experiment(path).runs[0].signature == run.signature


def test_names_are_redrawn_as_often_as_the_file_says(tmp_path):
    run = run_experiment(write(tmp_path, SMALL.replace("kinds: switched", "renamed: 2"))).runs[0]
    assert run.settings.renamed == 2
    assert run.outcomes("renamed-2")


@pytest.mark.slow
def test_experiments_that_are_killed_end_as_one_that_nothing_disturbed():
    script = Path(__file__).parents[2] / "benchmarks" / "interrupted.py"
    command = [sys.executable, script, "--times", "2", "--models", "first", "--limit", "4"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("2 of 2 interrupted experiments ended equal to the undisturbed one\n")
