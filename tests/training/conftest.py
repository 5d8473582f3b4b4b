import pytest
import torch

from corpus.corpus_making import build_small


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    return build_small(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(autouse=True)
def _one_thread():
    """Small matrices gain nothing by more, and tests run side by side."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
