import torch

from winoglot.training.distributed import Process
from winoglot.training.networks import drop, drop_words


def test_locked_dropout_drops_the_same_units_at_all_places():
    torch.manual_seed(0)
    found = drop(torch.ones(20, 3, 50), 0.4, locked=True)
    assert bool((found == found[:1]).all())
    assert not bool((found[:, :1] == found[:, 1:2]).all())
    assert set(found.unique().tolist()) == {0.0, float(torch.tensor(1.0) / 0.6)}


def test_other_dropout_does_not_and_keeps_the_mean():
    torch.manual_seed(0)
    found = drop(torch.ones(200, 3, 50), 0.4, locked=False)
    assert not bool((found == found[:1]).all())
    assert abs(float(found.mean()) - 1) < 0.02


def test_a_dropped_word_is_dropped_wherever_it_occurs():
    torch.manual_seed(0)
    words = torch.randint(10, (30, 4))
    found = drop_words(torch.ones(30, 4, 5), words, 10, 0.5)
    for word in range(10):
        assert len(found[words == word].unique()) == 1
    assert 0.0 in found


def test_processes_together_drop_what_one_would():
    values = torch.randn(4, 6, 5)
    torch.manual_seed(3)
    whole = drop(values, 0.5, locked=True)
    parts = []
    for rank in range(2):
        torch.manual_seed(3)
        parts.append(drop(values[:, 3 * rank : 3 * rank + 3], 0.5, locked=True, process=Process(rank, 2)))
    assert torch.equal(torch.cat(parts, 1), whole)
