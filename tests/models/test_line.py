"""Connections are closed behind the last request, also when the batch has ended before it."""

import pytest

from winoglot.errors import InputError
from winoglot.models._line import Line


def test_a_batch_that_ends_first_leaves_the_closing_to_whoever_still_talks():
    line = Line({}, connections=2)
    with line.talk() as http, line.talk():
        with line:
            pass
        assert not http.is_closed
    assert http.is_closed


def test_a_batch_that_ends_last_closes_the_connections_itself():
    with Line({}, connections=1) as line:
        with line.talk() as http:
            pass
        assert not http.is_closed
    assert http.is_closed


def test_no_request_begins_after_the_end():
    with Line({}, connections=1) as line:
        pass
    with pytest.raises(InputError, match="stopped"), line.talk():
        pass
