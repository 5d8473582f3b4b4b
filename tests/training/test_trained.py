import json
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from cases import for_each
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


def test_a_perplexity_too_large_for_a_number_is_none_and_a_loss_that_is_none_is_said(copied, corpus):
    found = measure(with_bias(copied, 1e4), corpus, "test")
    assert found.loss > 700
    assert found.perplexity is None
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
    for wrong in ({"temperature": -1}, {"top_k": -1}, {"temperature": float("nan")}):
        with pytest.raises(InputError):
            generate(trained, 5, **wrong)


def test_a_prompt_is_read_as_a_corpus_has_it_sentence_by_sentence(models):
    trained = load_trained(models / "lstm-small")
    vocabulary = trained.vocabulary
    known = vocabulary.ids(["O", "gato", "dorme", ".", "O"]).tolist()
    read = [vocabulary.eos, *known[:4], vocabulary.eos, known[4]]
    logits, _ = trained.module.next_logits(torch.tensor(read)[:, None])
    logits[0, vocabulary.unk] = -torch.inf
    made = generate(trained, 1, prompt="O gato dorme. O", temperature=0)
    assert made == [vocabulary.word(int(logits[0].argmax()))]


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


@for_each(
    "change",
    [
        {"vocabulary": 3},
        {"vocabulary": {}},
        {"recipe": 3},
        {"recipe": {}},
        *({"recipe": {"embedding": value}} for value in ("12", -12, None)),
        {"recipe": {"hidden": 20}},  # the weights are of another size
        {"kind": "transformer"},
        {"format": 9},
        {"weights": ".."},
        {"weights": "../outside.safetensors"},
    ],
)
def test_a_description_that_was_changed_is_refused(copied, one_epoch, change):
    config = json.loads((one_epoch / "config.json").read_bytes())
    shutil.copy(copied / "model.safetensors", copied.parent / "outside.safetensors")
    if isinstance(change.get("recipe"), dict):
        change = {"recipe": config["recipe"] | change["recipe"] if change["recipe"] else {}}
    (copied / "config.json").write_text(json.dumps(config | change))
    with pytest.raises(InputError, match=f"{copied}|embedding is"):
        load_trained(copied)


def test_another_vocabulary_and_the_weights_of_another_model_are_refused(copied, models, tmp_path):
    lines = (copied / "vocabulary.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (copied / "vocabulary.txt").write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(InputError, match="this is not the vocabulary of the model"):
        load_trained(copied)
    (copied / "vocabulary.txt").write_text("".join(lines), encoding="utf-8")
    shutil.copy(models / "lstm-improved" / "model.safetensors", copied)
    with pytest.raises(InputError, match="not"):
        load_trained(copied)
