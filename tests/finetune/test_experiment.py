"""Experiment files that fine-tune: what is declared is trained, asked and reported, once, whatever interrupts it."""

import csv
import json
import pickle
import shutil
from dataclasses import replace

import pytest

import winoglot as wg
from cases import for_each
from experiment.files import write
from questions import TWENTY
from winoglot.errors import InputError
from winoglot.experiment.collection_jobs import CollectionJob
from winoglot.experiment.jobs import waves_of
from winoglot.experiment.running import plan_experiment, run_experiment
from winoglot.training.trainer import Trainer

FILE = """
collections:
  - {{source: {asked}, kinds: relative}}
models:
  - {{name: untuned, model: "causal:{causal}"}}
  - name: taught
    model: "causal:{causal}"
    finetune:
      data: [{learnt}]
      size: [8, all]
      seeds: 2
      set: {{epochs: 1, rate: 1e-3, batch: 8}}
  - name: control
    model: "causal:{causal}"
    finetune: {{data: [{learnt}], control: [shuffled-labels], seeds: [3], set: {{epochs: 1, batch: 8}}}}
report: {{title: A trial, tables: [markdown], figures: [svg]}}
published:
  - {{label: Somebody, collection: asked, value: 61.5, source: "a paper, table 1"}}
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Two collections: what is learnt, and what is asked."""
    folder, whole = tmp_path_factory.mktemp("parts"), wg.load(TWENTY)
    for name, some in (("learnt", whole[:14]), ("asked", whole[14:])):
        wg.save(replace(some, name=name), folder / f"{name}.jsonl")
    return {name: folder / f"{name}.jsonl" for name in ("learnt", "asked")}


@pytest.fixture(scope="module")
def text(parts, folders):
    return FILE.format(causal=folders["causal"], **parts)


@pytest.fixture(scope="module")
def finished(tmp_path_factory, text):
    """One that nothing has disturbed, to look at."""
    return run_experiment(write(tmp_path_factory.mktemp("tuned"), text, "trial.yaml"), progress=False)


def trained(monkeypatch):
    """The steps that are taken from now on."""
    steps, take = [], Trainer.take
    monkeypatch.setattr(Trainer, "take", lambda self, step, *more: steps.append(step) or take(self, step, *more))
    return steps


def test_every_size_control_and_seed_is_a_model_of_which_descriptions_stay(finished):
    assert [(one.name, [seed.seed for seed in one.seeds]) for one in finished.summary.configurations] == [
        ("taught 8", [0, 1]), ("taught all", [0, 1]), ("control shuffled-labels", [3]),
    ]  # fmt: skip
    assert [run.settings.model for run in finished.runs] == [
        "untuned", "taught 8 s0", "taught 8 s1", "taught all s0", "taught all s1", "control shuffled-labels s3",
    ]  # fmt: skip
    sizes = [[seed.items for seed in one.seeds] for one in finished.summary.configurations]
    assert sizes[0] == [8, 8]
    assert all(20 < size < 28 for size in sizes[1])  # the rest is held out
    folders = [path for path in (finished.folder / "models").iterdir() if path.is_dir()]
    assert len(folders) == 5
    for folder in folders:  # only descriptions are left
        names = {path.name for path in folder.iterdir()}
        assert {"finetune.json", "trained_on.json", "log.jsonl"} <= names
        assert not {"model.safetensors", "checkpoints"} & names
    assert set(finished.lock["tuned"]) == {run.settings.model for run in finished.runs[1:]}


def test_results_are_means_over_seeds(finished):
    rows = {row["model"]: row for row in finished.table()}
    assert list(rows) == ["untuned", "taught 8", "taught all", "control shuffled-labels", "Somebody"]
    (one,) = (
        one for one in finished.results if (one.model, one.metric, one.kind) == ("taught 8", "accuracy", "original")
    )
    values = [run.accuracy().value for run in finished.runs if run.settings.model.startswith("taught 8")]
    assert one.value == pytest.approx(sum(values) / 2)
    assert one.method.startswith("over 2 seeds and 6 schemas")
    assert (one.low < one.value < one.high, one.n) == (True, 12)
    lines = list(csv.DictReader((finished.folder / "seeds.csv").read_text(encoding="utf-8").splitlines()))
    assert [float(line["accuracy on asked"]) for line in lines[:2]] == pytest.approx(values)


def test_the_report_has_curves_a_matrix_and_every_seed(finished):
    page = (finished.folder / "report.html").read_text(encoding="utf-8")
    assert "A trial" in page
    assert 'aria-label="asked: accuracy at 8, ' in page
    for title in ("What is asked", "Learning curves", "the untuned model", "Pairs, consistency and stability"):
        assert title in page
    assert {"curves.svg", "seeds.svg", "changes.svg"} <= {
        path.name for path in (finished.folder / "report-figures").iterdir()
    }


def test_without_weights_nothing_is_trained_or_asked_again(finished, tmp_path, text, monkeypatch):
    """As if the folder had been copied from the machine that has the GPU."""
    file = write(tmp_path, text, "trial.yaml")
    shutil.copytree(finished.folder, tmp_path / "trial-results")
    steps = trained(monkeypatch)
    again = run_experiment(file, progress=False)
    assert not steps
    assert again.lock["runs"] == finished.lock["runs"]


def test_an_interrupted_experiment_goes_on_with_the_model_it_was_at(finished, tmp_path, text, monkeypatch):
    file = write(tmp_path, text, "trial.yaml")
    train = CollectionJob.train

    def interrupted(self, **more):
        if self.name == "taught all s0":
            raise KeyboardInterrupt
        return train(self, **more)

    with monkeypatch.context() as patched:
        patched.setattr(CollectionJob, "train", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_experiment(file, progress=False)
    steps = trained(monkeypatch)
    made_runs = run_experiment(file, only_runs=True, progress=False).folder / "runs"
    assert len(list(made_runs.iterdir())) == 6
    assert not (tmp_path / "trial-results" / "report.html").exists()
    again = run_experiment(file, progress=False)
    done = {one.name: one.steps for config in again.summary.configurations[1:] for one in config.seeds}
    assert len(steps) == sum(done.values())
    assert again.lock["results"] == finished.lock["results"]


def test_a_model_that_was_not_noted_as_finished_is_made_again(finished, tmp_path, text):
    file = write(tmp_path, text, "trial.yaml")
    folder = shutil.copytree(finished.folder, tmp_path / "trial-results")
    (noted,) = (folder / "models").glob("taught*8*s0.json")
    noted.write_text(
        json.dumps({key: value for key, value in json.loads(noted.read_bytes()).items() if key != "ended"})
    )
    (run,) = (folder / "runs").glob("*taught*8*s0*")
    shutil.rmtree(run)
    again = run_experiment(file, progress=False)
    assert not again.failures
    assert again.lock["results"] == finished.lock["results"]


def test_a_seed_whose_loss_is_no_number_is_shown_and_not_tried_again(tmp_path, text, monkeypatch):
    file = write(tmp_path, text.replace("rate: 1e-3", "rate: 1e30"), "trial.yaml")
    first = run_experiment(file, progress=False)
    taught = first.summary.configurations[1]
    assert all("not a number" in seed.failure for seed in taught.failed)
    assert len(taught.failed) == 2
    assert "no model: the loss is not a number" in (first.folder / "seeds.csv").read_text(encoding="utf-8")
    assert not first.failures
    steps = trained(monkeypatch)
    run_experiment(file, progress=False)
    assert not steps


def test_other_data_or_settings_are_refused(finished, tmp_path, text):
    shutil.copytree(finished.folder, tmp_path / "trial-results")
    changed = write(tmp_path, text.replace("rate: 1e-3", "rate: 2e-3"), "trial.yaml")
    with pytest.raises(InputError, match="was started with different set"):
        run_experiment(changed, progress=False)


def test_a_model_may_start_from_a_fine_tuned_one(tmp_path, parts, folders, text):
    more = """
      - name: then
        model: control
        finetune: {{data: [{learnt}], seeds: [3], set: {{epochs: 1, batch: 8}}}}
    """.format(**parts)
    first = text.index("  - name: taught"), text.index("  - name: control")
    short = text[: first[0]] + text[first[1] :]
    file = write(
        tmp_path, short.replace("report:", more.replace("\n    ", "\n").strip("\n ").join(("  ", "\nreport:")))
    )
    made = run_experiment(file, progress=False)
    described = json.loads((made.folder / "models" / "then_s3" / "finetune.json").read_text(encoding="utf-8"))
    assert described["model"]["name"].endswith("control_shuffled-labels_s3")
    assert (made.folder / "models" / "control_shuffled-labels_s3" / "model.safetensors").is_file()


CHAIN = """
    collections: [{asked}]
    models:
      - {{name: untuned, model: "causal:{causal}"}}
      - {{name: one, model: "causal:{causal}", finetune: {{data: [{learnt}], seeds: 2}}}}
      - {{name: two, model: one, finetune: {{data: [{learnt}], seeds: 2}}}}
      - {{name: other, model: "causal:{causal}", finetune: {{data: [{learnt}], seeds: 1}}}}
      - {{name: three, model: two, finetune: {{data: [{learnt}], seeds: 1}}}}
"""


def test_models_wait_for_those_they_start_from_and_jobs_sent_to_a_process_share_their_collections(
    tmp_path, parts, folders
):
    plan, _ = plan_experiment(write(tmp_path, CHAIN.format(causal=folders["causal"], **parts)))
    jobs = plan.jobs(spread=False)
    waves = [[job.name for job in wave] for wave in waves_of(jobs)]
    assert waves == [["untuned", "one s0", "one s1", "other s0"], ["two s0", "two s1"], ["three s0"]]
    sent = [pickle.loads(pickle.dumps(job)) for job in jobs]
    assert sent == jobs
    assert len({id(collection) for job in sent for collection in job.collections}) == len(plan.collections)
    assert len({id(job.data) for job in sent if job.makes_model}) == 1


@for_each(
    ("old", "new", "message"),
    [
        ("seeds: [3]", "seeds: many", "expected a whole number"),
        ("control: [shuffled-labels]", "control: [shuffled]", "there is no 'shuffled' here"),
        ("epochs: 1, batch: 8", "epoch: 1", "epoch"),
        ("size: [8, all]", "size: [8, 29]", "a size of 29 was asked for, and there are 28 items"),
    ],
)
def test_bad_input_is_named(old, new, message, tmp_path, text):
    file = write(tmp_path, text.replace(old, new), "trial.yaml")
    with pytest.raises(InputError, match=message):
        plan_experiment(file)


def test_the_command_lists_every_configuration_and_prints_means_over_seeds(finished, tmp_path, text, run_winoglot):
    file = write(tmp_path, text, "trial.yaml")
    code, shown, _ = run_winoglot("run", file, "--dry-run")
    assert code == 0
    for line in ("taught 8 ", "taught all ", "shuffled-labels", "0, 1", "6 evaluations"):
        assert line in shown
    shutil.copytree(finished.folder, tmp_path / "trial-results")
    code, shown, _ = run_winoglot("run", file, "--only-runs")
    assert (code, "For results, repeat the command without --only-runs." in shown) == (0, True)
    code, shown, _ = run_winoglot("run", file)
    assert code == 0
    assert "the mean over seeds" in shown
    assert "\ntaught all " in shown


def test_measures_are_taken_of_every_model_while_its_weights_are_there(tmp_path, parts, folders):
    file = write(
        tmp_path,
        f"""
        collections: [{parts["asked"]}]
        models:
          - {{name: untuned, model: "causal:{folders["causal"]}"}}
          - name: seen
            model: "causal:{folders["causal"]}"
            finetune: {{data: [{parts["asked"]}], seeds: 1, set: {{epochs: 1, held_out: 0, batch: 8}}}}
        allow_overlap: true
        limit: 3
        analyses: {{measures: marginal}}
        """,
    )
    made = run_experiment(file, progress=False)
    for folder, name in (("untuned", "untuned"), ("seen_s0", "seen s0")):
        stored = json.loads((made.folder / "analyses" / folder / "analysis.json").read_bytes())
        assert {group["model"] for group in stored["results"]} == {name}
    assert {row["model"] for row in made.summary.analysed} == {"untuned", "seen s0"}
    assert made.summary.exposed == {"seen s0": {"asked"}}
    assert made.runs[1].settings.overlap["overlapping"] == 6
