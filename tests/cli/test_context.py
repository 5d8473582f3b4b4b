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
    from winoglot.training.context2vec import SentenceBatch

    ids = trained.vocabulary.ids(["o", "gato", "dorme", "na", "caixa", "."]).tolist()
    made = trained.module.contexts(SentenceBatch(torch.tensor([ids]), torch.tensor([6])))[0, 2]
    table = load_file(folder / "model.safetensors")["words.weight"]
    cosines = functional.cosine_similarity(table, made[None]).tolist()
    best = sorted(range(2, 10), key=lambda number: -cosines[number])
    assert [near.word for near in found] == [trained.vocabulary.word(number) for number in best]
    assert [near.cosine for near in found] == pytest.approx([cosines[number] for number in best], abs=1e-6)


def test_words_are_printed_or_given_as_json(folder, run_winoglot):
    code, out, _ = run_winoglot("context", "o gato ___ na caixa.", "--model", folder, "-k", "3")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["word", "cosine"]
    code, out, _ = run_winoglot(
        "context", "o gato ___ na caixa.", "--model", f"context2vec:{folder}", "-k", "3", "--json"
    )
    rows = json.loads(out)
    assert [line.split()[0] for line in lines[1:]] == [row["word"] for row in rows]
    assert not {"<unk>", "<eos>"} & {row["word"] for row in rows}


@listed
def test_bad_requests_end_with_code_2(folder, run_winoglot, text, count, message):
    code, _, err = run_winoglot("context", text, "--model", folder, "-k", count)
    assert code == 2
    assert message in err


def test_a_language_model_has_no_contexts(tmp_path, run_winoglot):
    small_model(tmp_path / "lm", "lstm", vocabulary_of(KNOWN))
    code, _, err = run_winoglot("context", "o ___ dorme.", "--model", tmp_path / "lm")
    assert (code, "is of the kind lstm" in err) == (2, True)
