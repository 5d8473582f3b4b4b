import math

import torch

from training.training_making import small
from winoglot.training.networks import Transformer


def by_loops(body, values):
    """The same network written out for one column, place by place and head by head."""
    recipe = body.recipe
    size = recipe.embedding // recipe.heads

    def norm(vector, weight):
        return weight * vector / torch.sqrt(vector.square().mean() + 1e-6)

    def turned(vector, place):
        half = size // 2
        out = vector.clone()
        for pair in range(half):
            angle = place * 10_000 ** (-2 * pair / size)
            left, right = vector[pair], vector[pair + half]
            out[pair] = left * math.cos(angle) - right * math.sin(angle)
            out[pair + half] = left * math.sin(angle) + right * math.cos(angle)
        return out

    rows = list(values)
    for block in body.blocks:
        parts = [block.attend.weight @ norm(row, block.before_attention.weight) for row in rows]
        mixed = []
        for place in range(len(rows)):
            heads = []
            for head in range(recipe.heads):
                at = slice(head * size, (head + 1) * size)
                query = turned(parts[place][: recipe.embedding][at], place)
                seen = range(max(0, place - recipe.sequence + 1), place + 1)
                keys = [turned(parts[one][recipe.embedding : 2 * recipe.embedding][at], one) for one in seen]
                scores = torch.stack([query @ key for key in keys]) / math.sqrt(size)
                values_seen = torch.stack([parts[one][2 * recipe.embedding :][at] for one in seen])
                heads.append(scores.softmax(0) @ values_seen)
            mixed.append(block.attended.weight @ torch.cat(heads))
        rows = [row + one for row, one in zip(rows, mixed, strict=True)]
        fed = []
        for row in rows:
            gate, up = (block.gate_and_up.weight @ norm(row, block.before_feed.weight)).chunk(2)
            fed.append(block.down.weight @ (gate * torch.sigmoid(gate) * up))
        rows = [row + one for row, one in zip(rows, fed, strict=True)]
    return torch.stack([norm(row, body.norm.weight) for row in rows])


def made():
    torch.manual_seed(0)
    body = Transformer(small("transformer-small", "layers=2", "sequence=4"))
    with torch.no_grad():
        for parameter in body.parameters():
            parameter.mul_(10) if parameter.dim() > 1 else parameter.uniform_(0.5, 2)
    return body


def test_it_computes_what_the_loops_say():
    body = made()
    values = torch.randn(9, 2, 12)
    with torch.no_grad():
        outputs, _ = body(values, ())
        for column in range(2):
            assert torch.allclose(outputs[:, column], by_loops(body, values[:, column]), atol=1e-4)


def test_the_state_carries_a_text_over_any_cut():
    body = made()
    values = torch.randn(25, 2, 12)
    with torch.no_grad():
        whole, _ = body(values, ())
        parts, state = [], ()
        for start, end in ((0, 1), (1, 9), (9, 14), (14, 25)):
            found, state = body(values[start:end], state)
            parts.append(found)
    assert torch.allclose(torch.cat(parts), whole, atol=1e-4)
