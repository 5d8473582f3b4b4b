import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from winoglot.training import softmax
from winoglot.training.softmax import linear_cross_entropy, log_probabilities, target_log_probabilities


def made(rows, types, units, seed=0):
    torch.manual_seed(seed)
    hidden = torch.randn(rows, units)
    weight, bias = torch.randn(types, units), torch.randn(types)
    return [part.requires_grad_() for part in (hidden, weight, bias)], torch.randint(types, (rows,))


def gradients(loss, parts):
    for part in parts:
        part.grad = None
    (3 * loss).backward()  # a slope that is not 1 must reach them too
    return [part.grad for part in parts]


@given(st.integers(1, 40), st.integers(2, 60), st.integers(1, 9), st.integers(0, 5))
def test_loss_and_gradients_are_those_of_the_plain_one(rows, types, units, seed):
    parts, targets = made(rows, types, units, seed)
    hidden, weight, bias = parts
    plain = functional.cross_entropy(hidden @ weight.t() + bias, targets)
    ours = linear_cross_entropy(hidden, weight, bias, targets)
    assert torch.allclose(ours, plain, atol=1e-5)
    for one, other in zip(gradients(ours, parts), gradients(plain, parts), strict=True):
        assert torch.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
def test_many_chunks_give_what_one_gives(monkeypatch, precision):
    monkeypatch.setattr(softmax, "_MIN_ROWS", 1)
    parts, targets = made(50, 3001, 16)
    whole = linear_cross_entropy(*parts, targets, precision)
    expected = gradients(whole, parts)
    monkeypatch.setattr(softmax, "_CHUNK_CPU", 7 * 3001 * 4)
    pieces = linear_cross_entropy(*parts, targets, precision)
    # Rounding to bfloat16 keeps 8 bits; sums of pieces are rounded apart.
    limit = 1e-5 if precision == torch.float32 else 1e-2
    assert torch.allclose(pieces, whole, atol=limit)
    for one, other in zip(gradients(pieces, parts), expected, strict=True):
        assert float((one - other).norm() / other.norm()) < limit


@pytest.mark.parametrize(
    ("sizes", "precision", "limit"),
    [((300, 40_000, 32), torch.float32, 1e-4), ((200, 5001, 32), torch.bfloat16, 2e-2)],
)
def test_a_large_vocabulary_is_within_a_ten_thousandth_and_bfloat16_is_near(sizes, precision, limit):
    parts, targets = made(*sizes)
    plain = functional.cross_entropy(functional.linear(*parts), targets)
    ours = linear_cross_entropy(*parts, targets, precision)
    assert float(ours.detach()) == pytest.approx(float(plain.detach()), rel=limit / 10)
    for one, other in zip(gradients(ours, parts), gradients(plain, parts), strict=True):
        assert float((one - other).norm() / other.norm()) < limit


def test_there_are_never_logits_of_all_tokens(monkeypatch):
    sizes = []
    parts, targets = made(1500, 20_000, 4)

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, arguments=(), more=None):
            found = function(*arguments, **(more or {}))
            sizes.extend(one.numel() for one in torch.utils._pytree.tree_leaves(found) if isinstance(one, torch.Tensor))
            return found

    with Watch():
        linear_cross_entropy(*parts, targets).backward()
    assert max(sizes) <= 2**25 / 4 < 1500 * 20_000 / 3


def test_logits_far_from_zero_do_no_harm():
    parts, targets = made(5, 7, 3)
    hidden, weight, bias = parts
    large = (1000 * hidden).detach().requires_grad_()
    plain = functional.cross_entropy(functional.linear(large, weight, bias), targets)
    ours = linear_cross_entropy(large, weight, bias, targets)
    assert float(ours.detach()) == pytest.approx(float(plain.detach()), rel=1e-5)


def test_log_probabilities_of_targets_are_exact():
    parts, targets = made(30, 11, 4)
    expected = functional.linear(*parts).log_softmax(1).gather(1, targets[:, None])[:, 0]
    assert torch.allclose(target_log_probabilities(*parts, targets), expected, atol=1e-5)


@pytest.mark.parametrize(("precision", "tolerance"), [(torch.float32, 1e-5), (torch.bfloat16, 2e-2)])
@pytest.mark.parametrize("changes", [True, False])
def test_log_probabilities_have_the_gradients_of_plain_torch(precision, tolerance, changes, monkeypatch):
    monkeypatch.setattr("winoglot.training.softmax._CHUNK_CPU", 1)
    monkeypatch.setattr("winoglot.training.softmax._MIN_ROWS", 5)  # several chunks
    torch.manual_seed(0)
    hidden, weight = torch.randn(12, 8, requires_grad=True), torch.randn(50, 8, requires_grad=changes)
    targets, slopes = torch.randint(50, (12,)), torch.randn(12)
    ours = log_probabilities(hidden, weight, targets, precision)
    given = [hidden, weight] if changes else [hidden]
    found = torch.autograd.grad((ours * slopes).sum(), given)
    plain = (hidden @ weight.t()).log_softmax(1).gather(1, targets[:, None])[:, 0]
    expected = torch.autograd.grad((plain * slopes).sum(), given)
    for one, other in zip((ours, *found), (plain, *expected), strict=True):
        assert one.dtype == torch.float32
        assert torch.allclose(one, other, atol=tolerance * float(other.detach().abs().max()))
