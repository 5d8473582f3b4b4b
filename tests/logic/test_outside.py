"""Answers of models outside Winoglot to logic pairs, the report over them, and what identifies a trained model."""

import html
import json
import re
import shutil

import pytest

from cases import listed
from logic.small_pairs import TASK, pairs_of, write_data
from winoglot.errors import InputError
from winoglot.logic.dataset import DataRecipe, build
from winoglot.logic.solvers import train
from winoglot.logic.solvers.data import example_set
from winoglot.models.scoring.pretrained import fingerprint
from winoglot.report import report
from winoglot.runs.importing import import_predictions


def imported(folder, head, pairs, cells, model="theirs"):
    """The run that a table gives, with these cells for each pair."""
    table = folder / f"{model}.csv"
    lines = (",".join(map(str, (pair.id, *cells(pair)))) for pair in pairs)
    table.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return import_predictions(table, example_set(pairs), model).run


@pytest.mark.parametrize(
    ("labels", "columns"),
    [("cd", ("0", "1")), ("cd", ("1", "0")), ("nli", ("entailment", "neutral", "contradiction"))],
)
def test_scores_belong_to_the_label_that_names_their_column(labels, columns, tmp_path):
    pairs = pairs_of("test", 20, labels=labels)
    if labels == "nli":
        assert {pair.label for pair in pairs} < set(columns)
    head = ",".join(["item_id", *(f"score_{label}" for label in columns)])
    run = imported(tmp_path, head, pairs, lambda pair: [-0.1 if label == pair.label else -2.5 for label in columns])
    assert run.accuracy().value == 1.0
    assert all(max(one.scores) == one.scores[one.choice] == -0.1 for one in run.predictions)


@pytest.mark.parametrize("written", ["{}", "{}.0"])
def test_a_choice_is_a_label_also_as_a_decimal_number(written, tmp_path):
    run = imported(tmp_path, "item_id,choice", pairs_of("test", 20), lambda pair: [written.format(pair.label)])
    assert run.accuracy().value == 1.0


@listed
def test_what_is_no_label_is_an_input_error_that_names_the_labels(labels, head, cell, message, tmp_path):
    with pytest.raises(InputError, match=message):
        imported(tmp_path, f"item_id,{head}", pairs_of("test", 4, labels=labels), lambda _: [cell])


def test_a_report_over_pairs_speaks_of_twins_and_says_which_it_counts(tmp_path):
    pairs = build(DataRecipe("negation", train=0, validation=0, test=60, proof=False)).splits["test"]
    known = {pair.id: pair for pair in pairs}
    alike = {pair.id for pair in pairs if pair.twin in known and known[pair.twin].label == pair.label}
    different = {pair.id for pair in pairs if pair.twin in known} - alike
    assert len(alike) > 2
    assert len(different) > 2
    wrong = sorted(different)[0]  # so one pair of twins with different answers is not right, and no other

    def cells(pair):
        return [1 - int(pair.label) if pair.id == wrong else pair.label]

    theirs = imported(tmp_path, "item_id,choice", pairs, cells)
    report([theirs, imported(tmp_path, "item_id,choice", pairs, lambda _: "1", "yes")], tmp_path / "page.html")
    page = html.unescape((tmp_path / "page.html").read_text("utf-8").partition("<main")[2].partition("<script")[0])
    text = " ".join(re.sub("<[^>]+>", " ", page).split())
    twins = len(different) // 2
    share = round(100 * (twins - 1) / twins)
    assert f"theirs gets all items right in {share}% of twin groups with different answers" in text
    assert "Only twin groups with different answers are drawn" in text
    assert f"{twins - 1} of {twins} twin groups with different answers: all items right" in page
    assert "Pair accuracy counts every twin group of two or more items" in text
    assert theirs.pair_accuracy().n == twins + len(alike) // 2
    for elsewhere in ("Share of schemas (or other clusters)", "Winograd schemas in any language"):
        text = text.replace(elsewhere, "")
    assert not re.search("schema|candidate|readings", text.replace("readings:imported", ""))


def test_the_fingerprint_of_a_trained_model_goes_with_what_changes_its_answers(tmp_path):
    data = write_data(tmp_path / "data", train=24, validation=8, test=4)
    folder = tmp_path / "model"
    train("gru", data, folder, settings=["epochs=1", "hidden=8", "embedding=8"], device="cpu")
    config, first = json.loads((folder / "config.json").read_text("utf-8")), fingerprint(folder)

    def with_config(**changes):
        other = tmp_path / "other"
        shutil.copytree(folder, other, dirs_exist_ok=True)
        (other / "config.json").write_text(json.dumps(config | changes), encoding="utf-8")
        return fingerprint(other)

    slower = {"seconds": config["seconds"] + 100, "versions": {"winoglot": "9.9"}}
    assert with_config(**slower, data=config["data"] | {"name": TASK}) == first
    for changes in (
        {"data": config["data"] | {"control": "no-premise"}},
        {"labels": config["labels"][::-1]},
        {"recipe": config["recipe"] | {"tokens": "bytes"}},
    ):
        assert with_config(**changes) != first
    (folder / "vocabulary.txt").write_text("other\n", encoding="utf-8")
    assert fingerprint(folder) != first
