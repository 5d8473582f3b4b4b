import pytest

import winoglot as wg
from items import item
from strategies import some_collections
from winoglot import InputError, Reading, window


def shared(text, candidates, language, style="grammatical", **keys):
    made = item(text, candidates, language, **keys)
    return window(made, wg.readings(made, style))


def test_the_window_is_what_follows_both_insertions():
    found = shared("Ana viu Eva porque {ela} estava [perto|longe].", ["Ana", "Eva"], "pt")
    assert (found.text, found.segment_in, found.is_empty, found.is_punctuation) == (
        " estava perto.",
        "after",
        False,
        False,
    )


def test_a_candidate_that_ends_in_the_other_does_not_leak_into_the_window():
    found = shared("Ana viu Mariana e {ela} riu.", ["Ana", "Mariana"], "pt")
    assert found.text == " riu."


def test_the_segment_may_stand_before_the_window():
    found = shared("Ana [viu|ouviu] Eva e riu {dela}.", ["Ana", "Eva"], "pt")
    assert (found.text, found.segment_in, found.is_punctuation) == (".", "before", True)


def test_an_empty_window_says_so():
    found = shared("Ana viu Eva e riu {dela}", ["Ana", "Eva"], "pt")
    assert (found.is_empty, found.is_punctuation, found.segment_in) == (True, False, None)


def test_readings_of_another_item_are_refused():
    made = item("Ana viu Eva e riu {dela}", ["Ana", "Eva"], "pt")
    with pytest.raises(InputError, match="not the readings"):
        window(made, [Reading("other.0", 0, "", "a", "", "naive", "replace")])
    with pytest.raises(InputError, match="not the readings"):
        window(made, [])


def test_every_reading_ends_with_the_window():
    for collection in some_collections():
        for made in collection.items:
            for style in ("naive", "grammatical"):
                readings = wg.readings(made, style)
                if readings:
                    found = window(made, readings)
                    assert all(reading.after.endswith(found.text) for reading in readings)
