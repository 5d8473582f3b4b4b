import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winoglot.cli.console import _PIECE, _WORD, print_rows

ROWS = [
    {"collection": "winoglot-en", "counts": "the candidates of switched items", "n": 320, "share": "50.0 [49, 51]"},
    {"collection": "winoglot-pt", "counts": "abstentions", "n": 12, "share": "100.0 [97, 100]"},
]


@pytest.mark.parametrize("width", [100, 80, 60, 40, 30])
def test_no_word_number_or_interval_of_a_table_is_broken_inside(capsys, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    print_rows(ROWS)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= width
    words = [word for row in ROWS for cell in row.values() for word in re.findall(r"\[.*?\]|[^\s\[]+", str(cell))]
    for word in words:
        assert word in out or all(part in out for part in word.split("-")), word


def test_columns_without_room_follow_in_another_table_that_says_whose_they_are(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "24")
    print_rows([{"model": "gemma", "size": "270m", "accuracy": "61.2 [57, 65]", "abstained": 3}], keys=2)
    head, *rest = capsys.readouterr().out.split("\n\n")
    assert head.split()[:2] == ["model", "size"]
    assert rest[0].split() == ["model", "size", "abstained", "gemma", "270m", "3"]


def test_a_name_is_broken_only_where_that_saves_a_table_and_words_with_a_hyphen_where_they_do_not_fit(
    capsys, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "40")
    print_rows([{"run": "winoglot-en", **{f"column {number}": "0123456789" for number in range(5)}}])
    assert capsys.readouterr().out.count("winoglot-en") == 3
    print_rows([{"run": "first", "kinds": "tense, after-only, no-candidates, segment-masked, voice"}])
    out = capsys.readouterr().out
    assert all(kind in out for kind in ("after-only,", "no-candidates,", "segment-masked,"))


@given(st.text(alphabet="ab9 -/_:[],.=\n犬é", max_size=40))
def test_nothing_of_a_cell_gets_lost_where_it_is_broken(text):
    assert "".join(_PIECE.findall(text)) == "".join(_WORD.findall(text)) == text
