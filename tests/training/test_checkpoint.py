import pytest

from winoglot.errors import InputError
from winoglot.training.checkpoint import read_log


def test_a_line_not_written_to_its_end_is_left_out(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"step": 1}\n{"step": 2}\n{"st')
    assert read_log(tmp_path / "log.jsonl") == [{"step": 1}, {"step": 2}]


def test_a_log_that_is_none_is_an_input_error(tmp_path):
    (tmp_path / "log.jsonl").write_text("{}\nnot JSON\n")
    for name in ("log.jsonl", "none.jsonl"):
        with pytest.raises(InputError, match="cannot be read"):
            read_log(tmp_path / name)
