import pytest

import winoglot as wg
from questions import TWENTY, questions_of, texts_of
from tiny_models import bert, gpt2, llama

SIZES = {"initializer_range": 0.05, "hidden_size": 64}


@pytest.fixture(autouse=True)
def _quick(quick_training):
    pass


@pytest.fixture(scope="session")
def twenty():
    return wg.load(TWENTY)


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """A tiny model of each family that has learnt nothing; for reading only."""
    root, texts = tmp_path_factory.mktemp("tiny"), texts_of(questions_of(TWENTY))
    return {
        "causal": llama(root / "llama", texts, **SIZES),
        "gpt2": gpt2(root / "gpt2", texts, n_embd=64, initializer_range=0.05),
        "masked": bert(root / "masked", texts, **SIZES),
        "choice": bert(root / "choice", texts, "MultipleChoice", **SIZES),
    }
