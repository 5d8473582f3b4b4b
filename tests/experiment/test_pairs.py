"""Experiments with models for logic pairs: they are trained and asked once, whatever interrupts them."""

import json
import re

import pytest

from cases import listed
from experiment.files import write
from logic.small_pairs import TASK, write_data
from winoglot.errors import InputError
from winoglot.experiment.locking import Difference
from winoglot.experiment.pair_jobs import configurations
from winoglot.experiment.running import plan_experiment, run_experiment
from winoglot.logic.pair import read_pairs
from winoglot.logic.solvers import train
from winoglot.report.logic import LogicReport

BAG = "[{model: bag, train: {set: {trees: 5}}}]"
pytestmark = pytest.mark.usefixtures("quick_training")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_data(tmp_path_factory.mktemp("pairs"))


@pytest.fixture
def experiment(data, tmp_path):
    """A file of an experiment with these models, in the notation of YAML."""

    def write(models, seeds=1, data=data):
        file = tmp_path / "experiment.yaml"
        file.write_text(f"data: {data}\nseeds: {seeds}\nmodels: {models}\n")
        return file

    return write


def jobs_of(file, out):
    plan, _ = plan_experiment(file, out, device="cpu")
    return plan.pair_jobs


def test_an_experiment_writes_tables_and_a_page_and_is_continued(data, tmp_path, printed, refused):
    file = tmp_path / "small.yaml"
    file.write_text(
        f"description: Small\ndata: {data}\nseeds: 2\nmodels:\n"
        "  - model: bag\n    train: {tasks: each, languages: each, set: {trees: 5}}\n"
        "  - model: gru\n    train: {tasks: each, size: [40, 120], set: {epochs: 2, hidden: 16, batch: 16}}\n"
        "  - model: shallow:hypothesis-only\n"
        "  - model: gru\n    name: control\n    train: {control: shuffled-labels, set: {epochs: 1, hidden: 16}}\n"
        "published: [{label: a paper, set: negation-en, value: 99.8}]\nsource: a paper\n"
    )
    run = ("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")
    assert "9 of 9 jobs done" in printed(*run)
    page = (tmp_path / "out" / "report.html").read_text()
    for shown in ("Twin accuracy", "depth 2", "Learning curves", "gru 120", "a paper", "Against chance"):
        assert shown in page
    assert "| a paper | 99.8 |" in (tmp_path / "out" / "results.md").read_text()

    def written():
        return {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "models").glob("*.json")}

    answers = written()
    assert len(answers) == 9
    assert "Lock file: " in printed("run", *run[2:])
    assert written() == answers
    pairs = data / "en" / TASK / "train.jsonl"
    before = pairs.read_bytes()
    try:
        write_data(data, seed=5, train=240)
        refused(*run, says="these pairs have changed since the experiment was started")
        write_data(data)
        pairs.write_bytes(b"\n".join(before.splitlines()[:-1]) + b"\n")
        refused(*run)
    finally:
        write_data(data)
    assert pairs.read_bytes() == before
    printed(*run)


def test_a_diverged_training_is_named(experiment, tmp_path, run_winoglot):
    wild = "{model: gru, name: wild, train: {set: {rate: 1e30, clip: 0, epochs: 2, hidden: 8}}}"
    file = experiment(f"[{{model: bag, train: {{set: {{trees: 5}}}}}}, {wild}]")
    code, out, said = run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")
    assert (code, "2 of 2 jobs done" in out, "wild s0: diverged: all-en" in said) == (0, True, True)
    for name in ("report.html", "results.md"):
        assert "diverged:" in (tmp_path / "out" / name).read_text()


def test_answers_of_an_experiment_are_compared_with_those_of_another_model(experiment, data, tmp_path, printed):
    runs, test = tmp_path / "runs", data / "en" / TASK / "test.jsonl"
    printed("logic", "run", experiment(BAG, seeds=2), "-o", tmp_path / "out", "--runs", runs, "--device", "cpu")
    theirs = tmp_path / "theirs.csv"
    theirs.write_text("item_id,choice\n" + "".join(f"{pair.id},{pair.label}\n" for pair in read_pairs(test)))
    printed("runs", "import", theirs, "--collection", test, "--model", "theirs", "-o", runs / "theirs")
    out = printed("compare", runs)
    assert all(name in out for name in ("bag all-en s0", "bag all-en s1", "theirs"))


def test_with_three_labels_every_depth_is_tested_by_itself(experiment, tmp_path, printed):
    data = write_data(tmp_path / "data", labels="nli")
    file = experiment("[{model: 'shallow:boosting'}]", data=data)
    printed("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")
    (one,) = configurations(jobs_of(file, tmp_path / "out"))
    shown = LogicReport((one,))
    by_depth = [shown.p_value(one, shown.columns, depth=depth) for depth in (1, 2)]
    assert shown.p_value(one, shown.columns) < min(by_depth) < 1e-6  # of half as many pairs each


@listed
def test_what_cannot_be_done_is_refused_before_anything_is_trained(models, message, experiment, tmp_path, refused):
    refused("logic", "run", experiment(models), "-o", tmp_path / "out", says=message)
    assert not (tmp_path / "out").exists()


def test_a_model_of_each_language_is_asked_in_both(experiment, tmp_path, printed):
    data = write_data(write_data(tmp_path / "data"), language="pt")
    settings = "{tokens: bytes, epochs: 1, hidden: 8, embedding: 8}"
    train = f"{{languages: each, set: {settings}}}"
    name = "a name that says more than anybody would type on a command line, and needs no less room than this"
    models = f"[{{model: gru, name: '{name}', train: {train}, test: {{languages: all}}}}]"
    printed("logic", "run", experiment(models, data=data), "-o", tmp_path / "out", "--device", "cpu")
    lines = (tmp_path / "out" / "results.md").read_text().splitlines()
    at = lines.index("## Accuracy in each test language, all tasks together, in percent")
    assert lines[at + 2] == "| model | en | pt |"
    assert all(line.count(" [") == 2 for line in lines[at + 4 : at + 6])
    assert 'id="transfer-figure"' in (tmp_path / "out" / "report.html").read_text()


def test_a_model_that_reads_words_is_not_trained_to_be_asked_in_another_language(experiment, tmp_path, refused):
    data = write_data(write_data(tmp_path / "data"), language="pt")
    file = experiment("[{model: gru, train: {languages: each}, test: {languages: all}}]", data=data)
    refused("logic", "run", file, "-o", tmp_path / "out", says=["line 3", "gru reads only the words of en"])
    assert not (tmp_path / "out").exists()


def test_a_job_that_was_interrupted_while_it_answered_is_not_trained_again(experiment, tmp_path, monkeypatch):
    models = "[{model: gru, train: {set: {epochs: 1, hidden: 8}}}, {model: bag, train: {set: {trees: 5}}}]"
    out = tmp_path / "out"
    jobs = jobs_of(experiment(models), out)
    with monkeypatch.context() as broken:
        broken.setattr("winoglot.runs.session.answer", lambda *_, **__: 1 / 0)
        for job in jobs:
            with pytest.raises(ZeroDivisionError):
                job.do()
    assert len(list((out / "models").glob("*/model.safetensors"))) == 2
    with monkeypatch.context() as once:
        once.setattr("winoglot.logic.solvers.train", lambda *_, **__: 1 / 0)
        assert [job.do().failures for job in jobs] == [(), ()]
    assert [job.record()["ended"]["pairs"] for job in jobs] == [240, 240]
    assert not list((out / "models").glob("*/model.safetensors"))


def test_answers_of_a_job_that_were_changed_are_refused(experiment, tmp_path):
    (job,) = jobs_of(experiment(BAG), tmp_path / "out")
    job.do()
    stored, record = job.record_file.read_text(), job.record()
    choices = next(iter(record["answered"]["runs"].values()))["choices"]
    job.record_file.write_text(stored.replace(choices, ("1" if choices[0] == "0" else "0") + choices[1:]))
    with pytest.raises(InputError, match=r"they have changed since they were stored\. Name another folder"):
        job.do()
    for damaged in (
        "[" * 100_000,
        "[]",
        json.dumps({"asked": job.identity, "answered": {"runs": {"negation-en": {}}}}),
    ):
        job.record_file.write_text(damaged)
        with pytest.raises(InputError, match="remove this file: the job is then run again"):
            job.do()
    job.record_file.unlink()
    assert not job.do().failures
    assert job.record()["answered"] == record["answered"]


def test_records_of_earlier_versions_are_read(data, tmp_path):
    """Their answers had a folder of their own; what was trained and had not answered was noted beside the model."""
    models = "[{model: bag, train: {set: {trees: 5}}}, {model: gru, train: {set: {epochs: 1, hidden: 8}}}]"
    file = write(tmp_path, f"data: {data}\nseeds: 1\nmodels: {models}\n")
    done = run_experiment(file, tmp_path / "new", device="cpu", progress=False)
    old = tmp_path / "old"
    (old / "answers").mkdir(parents=True)
    for job in jobs_of(file, tmp_path / "new"):
        record = job.record()
        ended = {name: value for name, value in record["ended"].items() if name != "why"}
        answers = {"job": record["asked"], "trained": ended, **record["answered"]}
        (old / "answers" / job.record_file.name).write_text(json.dumps(answers))
    assert all(job.has_answered(job.record()) for job in jobs_of(file, old))
    again = run_experiment(file, old, device="cpu", progress=False)
    assert again.lock["results"] == done.lock["results"]
    assert not list((old / "models").iterdir()) if (old / "models").exists() else True
    _, gru = jobs_of(file, tmp_path / "begun")
    begun = gru.record_file
    begun.parent.mkdir(parents=True)
    begun.write_text(json.dumps(gru.identity))
    assert gru.record() == {"asked": gru.identity}
    begun.write_text(json.dumps(dict(gru.identity) | {"seed": 5}))
    with pytest.raises(InputError, match="this job was started with seed 5, not 0"):
        gru.do()


def test_a_folder_of_another_training_is_not_taken_for_a_job(data, tmp_path):
    file = write(
        tmp_path, f"data: {data}\nseeds: 1\nmodels: [{{model: gru, train: {{set: {{epochs: 1, hidden: 8}}}}}}]\n"
    )
    (job,) = jobs_of(file, tmp_path / "out")
    few = ("epochs=1", "hidden=16")
    theirs = train("gru", data, job.model_folder, settings=few, device="cpu", checkpoint_epochs=False)
    assert not job.do().failures
    assert job.record()["ended"]["parameters"] < theirs.config["parameters"]


def test_an_experiment_asks_a_model_that_was_trained_before(experiment, data, tmp_path, printed, refused):
    train("gru", data, tmp_path / "model", settings=("epochs=1", "hidden=8"), device="cpu")
    asked = experiment(f"[{{model: 'logic:{tmp_path}/model', test: {{scoring: labels}}}}]")
    printed("logic", "run", asked, "-o", tmp_path / "out", "--device", "cpu")
    refused("logic", "run", experiment(f"[{{model: 'logic:{tmp_path}/none'}}]"), "-o", tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_answers_to_other_pairs_are_refused_before_more_are_trained(experiment, tmp_path, printed, refused):
    run = ("logic", "run", experiment(BAG, seeds=2), "-o", tmp_path / "out")
    printed(*run)
    first, second = sorted((tmp_path / "out" / "models").glob("*.json"))
    record = json.loads(re.sub("sha:[0-9a-f]{8}", "sha:00000000", first.read_text()))
    del record["answered"]["checksum"]  # as an earlier version stored them
    first.write_text(json.dumps(record))
    second.unlink()
    refused(*run, says="answered another version of negation-en")
    assert not second.exists()


def test_schemas_and_pairs_stand_in_one_file(data, tmp_path):
    text = f"""
        collections: [winoglot-en]
        data: {data}
        seeds: 1
        limit: 3
        models:
          - first
          - {{model: bag, train: {{set: {{trees: 5}}}}}}
          - {{model: "shallow:hypothesis-only"}}
        published:
          - {{label: one paper, collection: winoglot-en, value: 50, source: its table 1}}
          - {{label: another, set: {TASK}-en, value: 99.8, source: its table 2}}
    """
    file = write(tmp_path, text.replace("- first", "- {model: first, collections: winoglot-en}"))
    done = run_experiment(file, device="cpu", progress=False)
    assert [run.settings.model for run in done.runs] == ["first"]
    assert [one.name for one in done.pairs.configurations] == ["bag", "shallow:hypothesis-only"]
    assert done.pairs.published == (("another", f"{TASK}-en", 99.8),)
    written = {path.name for path in done.folder.iterdir()}
    assert {"report.html", "results.md", "pairs.html", "pairs.md", "pairs.csv", "experiment.lock.json"} <= written
    again = run_experiment(done.folder / "experiment.lock.json", device="cpu", progress=False)
    assert again.differences == ()
    assert again.lock["answers"].keys() == {"bag all-en s0", "shallow:hypothesis-only"}
    changed = again.lock | {"answers": again.lock["answers"] | {"bag all-en s0": "other"}}
    lock = tmp_path / "changed.lock.json"
    lock.write_text(json.dumps(changed | {"experiment": changed["experiment"] | {"folder": "."}}))
    third = run_experiment(lock, tmp_path / "third", device="cpu", progress=False)
    assert third.differences == (
        Difference("answers of bag all-en s0", "other", done.lock["answers"]["bag all-en s0"][:16]),
    )
