import math

import pytest

from winoglot.errors import InputError
from winoglot.training.loop import TrainingSettings


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": -1}, "the seed is -1"),
        ({"seed": 2**63}, "the seed is 9223372036854775808"),
        ({"max_minutes": -1.0}, "--max-minutes is -1"),
        ({"checkpoint_minutes": math.nan}, "--checkpoint-minutes is nan"),
        ({"log_every": 0}, "--log-every is 0"),
    ],
)
def test_what_no_training_can_be_run_with_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        TrainingSettings(**given)
