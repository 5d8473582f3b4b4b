import math

import numpy as np
import pytest

from metrics.made_runs import Made, run_of
from winoglot.metrics.calibration import calibration_error, curve
from winoglot.statistics.calibration import calibration as from_margins


def made_answers(seed, schemas):
    rng = np.random.default_rng(seed)
    scores = rng.normal(-40, 2, size=(schemas, 2, 2))
    right = rng.random((schemas, 2)) < 0.6
    items = []
    for n in range(schemas):
        pair = []
        for k in range(2):
            choice = int(scores[n, k].argmax())
            answer = choice if right[n, k] else 1 - choice
            pair.append(Made(answer=answer, choice=choice, scores=tuple(map(float, scores[n, k]))))
        items.append(pair)
    return items, np.abs(scores[..., 0] - scores[..., 1]).ravel(), right.ravel()


def test_margins_are_the_choices_score_less_the_others():
    items, margins, right = made_answers(3, 40)
    expected = from_margins(margins, right, np.repeat(range(40), 2))
    run = run_of(items)
    found = curve(run)
    assert found.error.value == pytest.approx(expected.error.value)
    assert found.fit.slope.value == pytest.approx(expected.fit.slope.value)
    assert [b.accuracy.n for b in found.bins] == [b.accuracy.n for b in expected.bins]
    assert calibration_error(run) == found.error


def test_what_has_no_margin_is_left_out_and_counted():
    items, _, _ = made_answers(4, 20)
    others = [
        Made(choice=None, scores=(-1.0, -1.0)),
        Made(scores=(-1.0, None)),
        Made(scores=()),
        Made(scores=(0.0, -math.inf)),
        Made(scores=(-5.0, -1.0)),
        Made(answer=None, scores=(-1.0, -2.0)),
        Made(candidates=3, scores=(-1.0, -2.0, -3.0)),
    ]
    found = calibration_error(run_of([*items, others]))
    assert found.n == 40
    assert found.method.endswith(
        "; left out: 1 unlabelled, 1 without exactly two candidates (s20.6), 1 abstained, 3 without two finite scores, "
        "1 whose choice has the lower score"
    )
