import math

from winoglot.report.curves import training_figure


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
    assert "No check was made yet" in training_figure(made_log(3)[:1], "m").alt
