import math

import pytest

from winoglot.training.recipes import RECIPES
from winoglot.training.trainer import TrainingState, after_validation, learning_rate


def checked(name, losses):
    course = TrainingState(rate=RECIPES[name].rate)
    for loss in losses:
        course = after_validation(RECIPES[name], course, loss)
    return course


def test_the_rate_is_divided_by_four_whenever_there_is_no_new_best():
    assert checked("lstm-small", [5.0, 4.0, 4.0, 4.5, 3.9]).rate == 20 / 16


def test_the_best_and_its_step_are_kept():
    course = after_validation(RECIPES["lstm-small"], TrainingState(rate=20.0, step=70), 5.0)
    course = after_validation(RECIPES["lstm-small"], TrainingState(**(course.__dict__ | {"step": 140})), 6.0)
    assert (course.best, course.best_step, course.losses) == (5.0, 70, (5.0, 6.0))


@pytest.mark.parametrize(
    ("losses", "averaging"),
    [
        ([5, 4, 3, 2, 1, 0.9, 0.8], False),  # always better
        ([5, 4, 3, 3, 3, 3, 3], False),  # the best of all but the last five is 5, then 4: still better than it
        ([5, 3, 3.1, 3.1, 3.1, 3.1, 3.1, 3.1], True),  # worse than 3, six checks back
        ([5, 6, 6, 6, 6, 6], False),  # five checks only
        ([5, 6, 6, 6, 6, 6, 6], True),
    ],
)
def test_averaging_begins_when_the_best_of_all_but_the_last_five_is_missed(losses, averaging):
    course = checked("awd-lstm-large", losses)
    assert course.averaging is averaging
    assert course.rate == 30.0


def test_it_stops_after_so_many_checks_without_a_new_best():
    assert not checked("lstm-small", [3.0, *[4.0] * 7]).stopped
    assert checked("lstm-small", [3.0, *[4.0] * 8]).stopped


def test_the_cosine_rises_and_falls_to_a_tenth():
    recipe = RECIPES["transformer-small"]
    rates = [learning_rate(recipe, TrainingState(rate=1e-3, step=step), 1000) for step in range(1000)]
    assert rates[0] == pytest.approx(1e-3 / 400)
    assert max(rates) == pytest.approx(1e-3)
    assert rates[-1] == pytest.approx(1e-4, rel=0.01)
    assert rates[:400] == sorted(rates[:400])
    assert rates[400:] == sorted(rates[400:], reverse=True)


def test_a_course_survives_json():
    for course in (TrainingState(rate=3.0), checked("awd-lstm-large", [5.0, 4.0])):
        assert TrainingState.from_json(course.to_json()) == course
    assert TrainingState(rate=3.0).best == math.inf
