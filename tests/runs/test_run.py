import pytest

from metrics.made_runs import Made, pairs_of, run_of
from winoglot import InputError

ABSTAINING = run_of(pairs_of([(1, None), (1, 0)]))


def test_quality_is_right_of_the_answered_and_success_guesses_where_there_is_no_answer():
    assert ABSTAINING.accuracy().value == 2 / 4
    assert (ABSTAINING.quality().value, ABSTAINING.quality().n) == (2 / 3, 3)
    assert (ABSTAINING.success().value, ABSTAINING.success().n) == (2.5 / 4, 4)
    assert ABSTAINING.quality(interval="wilson").method.startswith("Wilson")


def test_the_preference_for_the_first_mention_is_that_of_masked_segments_or_of_the_originals():
    item = Made(choice=1, variants=(("segment-masked", 0),))
    run = run_of([[item, item]], kinds=("segment-masked",))
    assert (run.position_preference().value, run.position_preference(None).value) == (1.0, 0.0)
    assert ABSTAINING.position_preference().method == "no items of kind 'segment-masked'"


@pytest.mark.parametrize("figure", ["accuracy", "quality", "success"])
def test_a_kind_that_was_not_asked_is_an_input_error(figure):
    with pytest.raises(InputError, match="no items of kind 'tense'"):
        getattr(ABSTAINING, figure)("tense")
    assert repr(ABSTAINING).startswith(f"<Run {ABSTAINING.settings.model}")
    assert repr(ABSTAINING).endswith("4 predictions>")
