import json

import pytest
import torch
from safetensors.torch import load_file
from torch.nn import functional

from cases import listed
from training.model_making import small_model, vocabulary_of
from winoglot.training.context2vec import nearest_words
from winoglot.training.trained import load_trained

KNOWN = ["o", "gato", "dorme", "na", "caixa", ".", "come", "Ana"]


@pytest.fixture
def folder(tmp_path):
    return small_model(tmp_path / "model", "context2vec", vocabulary_of(KNOWN))


def test_the_nearest_words_are_those_with_the_largest_cosines(folder):
    """The context is recomputed by itself: another word in the place does not change it."""
    trained = load_trained(folder)
    found = nearest_words(trained, "o gato ___ na caixa.", 8)
    from winoglot.training.sentences import SentenceBatch

    ids = trained.vocabulary.ids(["o", "gato", "dorme", "na", "caixa", "."]).tolist()
    made = trained.module.contexts(SentenceBatch(torch.tensor([ids]), torch.tensor([6])))[0, 2]
    table = load_file(folder / "model.safetensors")["words.weight"]
    cosines = functional.cosine_similarity(table, made[None]).tolist()
    best = sorted(range(2, 10), key=lambda number: -cosines[number])
    assert [near.word for near in found] == [trained.vocabulary.word(number) for number in best]
    assert [near.cosine for near in found] == pytest.approx([cosines[number] for number in best], abs=1e-6)


def test_words_are_printed_or_given_as_json(folder, printed):
    head, *lines = printed("context", "o gato ___ na caixa.", "--model", folder, "-k", "3").splitlines()
    assert head.split() == ["word", "cosine"]
    out = printed("context", "o gato ___ na caixa.", "--model", f"context2vec:{folder}", "-k", "3", "--json")
    words = [row["word"] for row in json.loads(out)]
    assert [line.split()[0] for line in lines] == words
    assert not {"<unk>", "<eos>"} & set(words)


@listed
def test_bad_requests_end_with_code_2(folder, refused, text, count, message):
    refused("context", text, "--model", folder, "-k", count, says=message)


def test_a_language_model_has_no_contexts(tmp_path, refused):
    small_model(tmp_path / "lm", "lstm", vocabulary_of(KNOWN))
    refused("context", "o ___ dorme.", "--model", tmp_path / "lm", says="is of the kind lstm")
