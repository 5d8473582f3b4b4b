import pytest

import winoglot as wg
from cases import listed
from items import item
from strategies import some_collections
from winoglot import InputError, Reading, window


def shared(text, candidates, language, style="grammatical", **keys):
    made = item(text, candidates, language, **keys)
    return window(made, wg.readings(made, style))


@listed
def test_the_window_is_what_follows_both_insertions(text, candidates, expected):
    found = shared(text, candidates, "pt")
    assert [found.text, found.segment_in, found.is_empty, found.is_punctuation] == expected


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
