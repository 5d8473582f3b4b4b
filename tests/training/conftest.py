import os
import shutil
from contextlib import contextmanager

import pytest
import torch

from corpus.corpus_making import build_small
from training.training_making import LANGUAGE_MODELS, small
from winoglot.training.loop import train


@contextmanager
def quick():
    """One thread, since small matrices gain nothing by more; and checkpoints need not survive a loss of power."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def _quick():
    with quick():
        yield


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    return build_small(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="session")
def models(corpus, tmp_path_factory):
    """A folder with a language model of each kind, trained for three epochs; for reading only."""
    folder = tmp_path_factory.mktemp("models")
    with quick():
        for name in LANGUAGE_MODELS:
            train(small(name, "epochs=3", *(["rate=2"] if "awd" in name else [])), corpus, folder / name)
    return folder


@pytest.fixture(scope="session")
def one_epoch(corpus, tmp_path_factory):
    """`lstm-small` after one epoch; for reading only."""
    folder = tmp_path_factory.mktemp("one") / "epoch"
    with quick():
        train(small("lstm-small", "epochs=1"), corpus, folder)
    return folder


@pytest.fixture
def copied(one_epoch, tmp_path):
    """A copy of it, to be changed or continued."""
    shutil.copytree(one_epoch, tmp_path / "m")
    return tmp_path / "m"
