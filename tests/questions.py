"""Items as a solver sees them, and a training loop that makes a tiny model know twenty schemas by heart."""

from pathlib import Path

import torch

import winoglot as wg
from winoglot.models.base import Question

TWENTY = Path(__file__).parent / "models" / "twenty_schemas.yaml"


def question(item, language, style="grammatical"):
    """One item with its readings and their window."""
    readings = tuple(wg.readings(item, style, language=language))
    return Question(item, language, readings, wg.window(item, readings))


def questions_of(name, count=None, style="grammatical"):
    """Those of a collection."""
    collection = wg.load(name)
    return [question(item, collection.language, style) for item in collection.items[:count]]


def texts_of(questions):
    """Every reading's text."""
    return [reading.text for one in questions for reading in one.readings]


def learn(model, loss_of, steps, enough=0.01):
    """Lower the loss that `loss_of(step)` computes until six in a row are low enough; then the model scores again."""
    torch.manual_seed(0)
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    losses = []
    while len(losses) < steps and not max(losses[-6:], default=1.0) < enough:
        loss = loss_of(len(losses))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.eval()


def choices(solver, questions, scoring):
    """What the solver chooses in each."""
    return [made[scoring].choice(1e-6) for made in solver.score(questions, [scoring])]
