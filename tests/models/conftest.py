"""What tests of tiny models share."""

import pytest


@pytest.fixture(scope="module")
def one_thread():
    """Tiny matrices lose more to threads than they gain, and on a busy machine very much."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
