import json
import math

from winoglot.report.curves import training_figure

from metrics.made_runs import pairs_of, run_of
from winoglot.models.scoring.pretrained import fingerprint
from winoglot.report import report


def made_log(steps):
    log = [{"step": step, "tokens": 700 * step, "loss": 4 + math.exp(-step / 300)} for step in range(1, steps + 1)]
    return [*log, {"step": steps, "tokens": 700 * steps, "valid_loss": 4.2, "perplexity": 66.7}]


def test_the_figure_has_both_curves_and_tells_the_best_check():
    figure = training_figure([*made_log(50), {"tokens": 70_000, "valid_loss": 4.1}], "lstm-small")
    assert figure.title == "Training of lstm-small"
    assert figure.alt.endswith("The validation loss is lowest after 70000 tokens: 4.100.")
    assert figure.table.texts() == [["35000", "4.2000"], ["70000", "4.1000"]]
    assert figure.svg(inline=False).startswith("<svg")


def test_long_logs_are_thinned_and_short_ones_drawn_all_the_same():
    spec = training_figure(made_log(5000), "m").spec
    points = spec["datasets"][spec["layer"][0]["data"]["name"]]
    assert len(points) <= 600
    assert points[-1]["tokens"] == 700 * 5000
    assert "There has been no validation yet" in training_figure(made_log(3)[:1], "m").alt


def model_folder(path, weights=b"weights"):
    path.mkdir()
    (path / "model.safetensors").write_bytes(weights)
    (path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in made_log(20)))
    return path


def test_a_report_shows_how_the_models_of_its_runs_were_trained(tmp_path):
    runs = []
    for number, family in enumerate(("lm", "context2vec", "pmi")):
        folder = model_folder(tmp_path / family, bytes([number]))
        runs.append(run_of(pairs_of([(1, 1)] * 12), f"{family}:{folder}", fingerprint=fingerprint(folder)))
    report(runs, tmp_path / "report.html", figures=tmp_path / "figures")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count('id="training"') == 1
    assert f"Training of lm:{tmp_path / 'lm'}" in page
    assert f"Training of context2vec:{tmp_path / 'context2vec'}" in page
    assert "Training of pmi" not in page
    assert page.count("Loss in nats per token;") == 1
    assert page.count("Loss in nats per word, for distinguishing it from random words;") == 1
    assert (tmp_path / "figures" / "training-2.svg").exists()


def test_a_model_that_is_no_longer_the_same_is_not_shown(tmp_path):
    run = run_of(pairs_of([(1, 1)] * 12), f"lm:{model_folder(tmp_path / 'lm')}")
    gone = run_of(pairs_of([(0, 1)] * 12), "lm:nowhere")
    report([run, gone], tmp_path / "report.html")
    assert 'id="training"' not in (tmp_path / "report.html").read_text(encoding="utf-8")
