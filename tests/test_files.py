import errno
import os
import stat
from pathlib import Path

import pytest

from winoglot.errors import InputError
from winoglot.files import write_whole


def test_an_existing_file_is_kept_unless_forced(tmp_path):
    path = tmp_path / "out.yaml"
    write_whole(path, "first")
    with pytest.raises(InputError, match="exists already"):
        write_whole(path, "second")
    assert path.read_text() == "first"
    write_whole(path, "second", force=True)
    assert path.read_text() == "second"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.yaml"]


def test_a_write_that_fails_midway_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "out.yaml"
    path.write_text("old")

    def disk_full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", disk_full)
    with pytest.raises(InputError, match="No space left"):
        write_whole(path, "new", force=True)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.yaml"]


def test_folders_and_missing_folders_are_refused(tmp_path):
    with pytest.raises(InputError, match="not a plain file"):
        write_whole(tmp_path, "x", force=True)
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / "absent" / "out.yaml", "x")


def test_a_device_is_never_replaced():
    with pytest.raises(InputError, match="not a plain file"):
        write_whole(Path(os.devnull), "x", force=True)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "real.yaml").write_text("old")
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    write_whole(tmp_path / "link.yaml", "new", force=True)
    assert (tmp_path / "link.yaml").is_symlink()
    assert (tmp_path / "real.yaml").read_text() == "new"
