"""Training curves, drawn from the log of a training: beside the model, and in reports about it."""

import json
import math
from xml.etree import ElementTree as ET

from metrics.made_runs import pairs_of, run_of
from winoglot.models.scoring.pretrained import fingerprint
from winoglot.report import report
from winoglot.report.drawing import training_svg
from winoglot.report.plots import training_panel

SVG = "{http://www.w3.org/2000/svg}"


def made_log(steps):
    log = [{"step": step, "tokens": 700 * step, "loss": 4 + math.exp(-step / 300)} for step in range(1, steps + 1)]
    return [*log, {"step": steps, "tokens": 700 * steps, "valid_loss": 4.2, "perplexity": 66.7}]


def test_a_panel_has_both_curves_and_names_the_lowest_validation_loss():
    panel = training_panel([*made_log(50), {"tokens": 70_000, "valid_loss": 4.1}], "lstm-small")
    assert panel.title == "lstm-small"
    assert panel.alt == "lstm-small: validation loss lowest after 70,000 tokens: 4.100"
    assert (len(panel.drawn["line"]), len(panel.drawn["points"])) == (50, 2)
    assert [x for x, _ in panel.drawn["points"]] == [50.0, 100.0]
    heights = [y for _, y in panel.drawn["line"]]
    assert heights == sorted(heights)  # losses fall, and the top of a drawing is 0
    assert all(0 <= y <= 100 for y in heights)


def test_long_logs_are_thinned_and_short_ones_are_drawn_all_the_same():
    line = training_panel(made_log(5000), "m").drawn["line"]
    assert 200 <= len(line) <= 300
    assert line[-1][0] == 100.0
    short = training_panel(made_log(3)[:1], "m")
    assert short.alt.endswith("no validation yet")
    assert len(short.drawn["line"]) == 1
    assert training_panel([], "m").drawn["line"] == []


def test_the_drawing_is_well_formed_and_names_the_model():
    root = ET.fromstring(training_svg(made_log(50), "a <b> & c"))
    assert "a <b> & c" in [text.text for text in root.iter(f"{SVG}text")]
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    assert len([line for line in root.iter(f"{SVG}line") if line.attrib["class"] == "l thin"]) == 49


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
    report(runs, tmp_path / "report.html", figures="svg")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    section = page.partition('<section id="training"')[2].partition("</section>")[0]
    assert section.count('<svg class="curve"') == 2
    assert f'aria-label="lm:{tmp_path / "lm"}: validation loss lowest after 14,000 tokens: 4.200"' in section
    assert "pmi:" not in section
    assert (tmp_path / "report-figures" / "training.svg").exists()


def test_a_model_that_is_no_longer_the_same_is_not_shown(tmp_path):
    run = run_of(pairs_of([(1, 1)] * 12), f"lm:{model_folder(tmp_path / 'lm')}")
    gone = run_of(pairs_of([(0, 1)] * 12), "lm:nowhere")
    report([run, gone], tmp_path / "report.html")
    assert 'id="training"' not in (tmp_path / "report.html").read_text(encoding="utf-8")
