import json
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from corpus.corpus_making import build_small
from training.training_making import LANGUAGE_MODELS
from winoglot.errors import InputError
from winoglot.training.generate import generate
from winoglot.training.networks import LanguageModel
from winoglot.training.perplexity import measure
from winoglot.training.trained import load_trained


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_perplexity_is_that_of_reading_the_text_token_by_token(name, models, corpus):
    trained = load_trained(models / name)
    tokens = corpus.split("test").tokens.astype(np.int64)
    state, total, last = (), 0.0, corpus.vocabulary.eos
    for token in tokens.tolist():
        logits, state = trained.module.next_logits(torch.tensor([[last]]), state)
        total -= float(logits[0].double().log_softmax(0)[token])
        last = token
    found = measure(trained, corpus, "test")
    assert found.tokens == len(tokens)
    assert found.perplexity == pytest.approx(np.exp(total / len(tokens)), rel=1e-4)
    assert found.unknown_share == corpus.info["splits"]["test"]["unknown_share"]


def with_bias(copied, value):
    """The model, made to expect `<unk>` by so much more than all other words."""
    file = copied / "model.safetensors"
    tensors = load_file(file)
    tensors["bias"][0] = value
    save_file(tensors, file)
    return load_trained(copied)


def test_a_perplexity_too_large_for_a_number_is_none(copied, corpus):
    found = measure(with_bias(copied, 1e4), corpus, "test")
    assert found.loss > 700
    assert found.perplexity is None


def test_a_loss_that_is_not_a_number_is_said(copied, corpus):
    with pytest.raises(InputError, match="loss on test is not a number"):
        measure(with_bias(copied, float("nan")), corpus, "test")


def test_a_corpus_of_another_vocabulary_is_refused(models, tmp_path):
    other = build_small(tmp_path, min_count=1)
    with pytest.raises(InputError, match="has another vocabulary"):
        measure(load_trained(models / "lstm-small"), other, "test")


def test_text_is_drawn_by_seed_and_prompt_and_never_unknown(models):
    trained = load_trained(models / "lstm-small")
    one = generate(trained, 60, prompt="O gato", seed=1)
    assert one == generate(trained, 60, prompt="O gato", seed=1)
    assert one != generate(trained, 60, prompt="O gato", seed=2)
    assert len(one) == 60
    assert "<unk>" not in one
    likeliest = generate(trained, 5, prompt="O gato", temperature=0)
    assert likeliest == generate(trained, 5, prompt="O gato", top_k=1, seed=9)
    assert likeliest == generate(trained, 5, prompt="O gato", temperature=1e-4, seed=3)


def test_a_prompt_is_read_as_a_corpus_has_it_sentence_by_sentence(models):
    trained = load_trained(models / "lstm-small")
    vocabulary = trained.vocabulary
    known = vocabulary.ids(["O", "gato", "dorme", ".", "O"]).tolist()
    read = [vocabulary.eos, *known[:4], vocabulary.eos, known[4]]
    logits, _ = trained.module.next_logits(torch.tensor(read)[:, None])
    logits[0, vocabulary.unk] = -torch.inf
    made = generate(trained, 1, prompt="O gato dorme. O", temperature=0)
    assert made == [vocabulary.word(int(logits[0].argmax()))]


@pytest.mark.parametrize("more", [{"temperature": -1}, {"top_k": -1}, {"temperature": float("nan")}])
def test_what_cannot_be_drawn_with_is_said(models, more):
    with pytest.raises(InputError):
        generate(load_trained(models / "lstm-small"), 5, **more)


def test_top_k_draws_from_the_likeliest_alone(models):
    trained = load_trained(models / "lstm-small")
    logits, _ = trained.module.next_logits(torch.tensor([[trained.vocabulary.eos]]))
    logits[0, trained.vocabulary.unk] = -torch.inf
    known = {trained.vocabulary.word(int(number)) for number in logits[0].topk(3).indices}
    assert {generate(trained, 1, top_k=3, seed=seed)[0] for seed in range(60)} == known


def test_a_training_under_way_is_no_model_yet(copied):
    (copied / "config.json").unlink()
    with pytest.raises(InputError, match=r"the model is not finished. Continue with --resume, or use the best so far"):
        load_trained(copied)
    assert isinstance(load_trained(copied / "checkpoints" / "best").module, LanguageModel)


def test_a_pickle_is_not_opened(copied, tmp_path):
    torch.save({"embedding": torch.zeros(2)}, copied / "model.safetensors")
    with pytest.raises(InputError, match="the weights cannot be read"):
        load_trained(copied)


def test_weights_outside_the_folder_are_refused(copied):
    (copied / "model.safetensors").rename(copied.parent / "outside.safetensors")
    config = json.loads((copied / "config.json").read_bytes())
    (copied / "config.json").write_text(json.dumps(config | {"weights": "../outside.safetensors"}))
    with pytest.raises(InputError, match=r"names the weights '\.\./outside\.safetensors', which must be"):
        load_trained(copied)


def test_another_vocabulary_is_refused(copied, models, tmp_path):
    lines = (copied / "vocabulary.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (copied / "vocabulary.txt").write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(InputError, match="this is not the vocabulary of the model"):
        load_trained(copied)


def test_weights_of_another_model_are_refused(copied, models):
    shutil.copy(models / "lstm-improved" / "model.safetensors", copied)
    loaded = json.loads((models / "lstm-improved" / "config.json").read_bytes())
    assert loaded["recipe"]["layers"] == 3
    config = json.loads((copied / "config.json").read_bytes())
    config["recipe"]["hidden"] = 20
    (copied / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="not"):
        load_trained(copied)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "\x00"])
def test_a_description_that_is_none_is_refused(copied, text):
    (copied / "config.json").write_text(text)
    with pytest.raises(InputError):
        load_trained(copied)


@pytest.mark.parametrize(
    ("key", "value"),
    [("vocabulary", 3), ("vocabulary", {}), ("recipe", 3), ("kind", "transformer"), ("format", 9), ("weights", "..")],
)
def test_a_description_that_was_changed_is_refused(copied, key, value):
    config = json.loads((copied / "config.json").read_bytes())
    (copied / "config.json").write_text(json.dumps(config | {key: value}))
    with pytest.raises(InputError, match=str(copied)):
        load_trained(copied)


@pytest.mark.parametrize("value", ["12", -12, None])
def test_a_recipe_that_was_changed_is_refused(copied, value):
    config = json.loads((copied / "config.json").read_bytes())
    config["recipe"]["embedding"] = value
    (copied / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError):
        load_trained(copied)
