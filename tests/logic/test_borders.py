"""What commands for logic pairs refuse, before anything is asked, trained or written."""

import pytest

from cases import listed
from logic.small_pairs import pairs_of, write_data
from tiny_models import llama
from winoglot.errors import InputError
from winoglot.logic.solvers import evaluate, train
from winoglot.logic.solvers.recipes import find_pair_recipe

pytestmark = pytest.mark.usefixtures("quick_training")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """English pairs, and Portuguese ones, which come after them."""
    folder = tmp_path_factory.mktemp("pairs")
    for language in ("en", "pt"):
        write_data(folder, language=language, train=60, validation=20, test=20)
    return folder


@pytest.fixture(scope="module")
def models(data, tmp_path_factory):
    """Two models that know English alone."""
    folder = tmp_path_factory.mktemp("models")
    train("bag", data, folder / "bag", languages=["en"], settings=["trees=3"])
    small = ("epochs=1", "hidden=8", "embedding=8")
    train("gru", data, folder / "gru", languages=["en"], settings=small, device="cpu")
    return folder


@listed
def test_nothing_is_asked_unless_everything_can_be(asked, message, data, models, tmp_path, refused, monkeypatch):
    monkeypatch.chdir(models)
    refused("logic", "evaluate", *asked, "--data", data, "-o", tmp_path / "runs", says=message)
    assert not (tmp_path / "runs").exists()


@listed
def test_scoring_and_labels_of_every_model_are_checked_first(options, message, models, tmp_path, refused):
    mixed = write_data(write_data(tmp_path / "data", test=4), language="pt", labels="nli", test=4)
    texts = [text for pair in pairs_of("test", 20) for text in (pair.premise, pair.hypothesis)]
    asked = (f"tiny=causal:{llama(tmp_path / 'llama', texts)}", f"bag=logic:{models / 'bag'}", "--data", mixed)
    refused("logic", "evaluate", *asked, *options, "-o", tmp_path / "runs", "--device", "cpu", says=message)
    assert not (tmp_path / "runs").exists()


def test_a_model_that_is_named_twice_is_asked_once(data, models, printed):
    model = f"logic:{models / 'gru'}"
    out = printed("logic", "evaluate", model, model, "--data", data, "--language", "en")
    assert out.count("negation-en") == 1


@listed
def test_a_setting_that_a_family_ignores_is_refused(model, setting, remedy):
    with pytest.raises(InputError, match=f"{model} has no setting '{setting.partition('=')[0]}'") as caught:
        find_pair_recipe(model, [setting])
    assert remedy in caught.value.remedy


@listed
def test_a_bag_refuses_what_only_networks_have(options, message, data, tmp_path, refused):
    refused("logic", "train", "bag", "--data", data, *options, "-o", tmp_path / "model", says=message)
    assert not (tmp_path / "model").exists()


@listed
def test_what_cannot_be_trained_names_what_can(model, remedy, data, tmp_path, refused):
    reason = [f"{model} cannot be trained on pairs. {remedy}", "causal:…, masked:… or nli:…"]
    refused("logic", "train", model, "--data", data, "-o", tmp_path / "model", says=reason)


def test_a_tie_counts_as_wrong_in_the_validation_of_a_bag_as_in_its_test(data, tmp_path):
    """Two trees that learnt random labels often disagree: with this seed, about half of the pairs."""
    shuffled = {"languages": ["en"], "settings": ["trees=2"], "control": "shuffled-labels", "seed": 4}
    made = train("bag", data, tmp_path / "model", **shuffled)
    (run,) = evaluate(made.address, data, split="validation", languages=["en"])
    assert any(one.note == "tie" and one.scores.index(max(one.scores)) == 0 for one in run.predictions)
    assert made.accuracy == run.accuracy().value
