import csv
import errno
import fcntl
import io
import os
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each
from winoglot import files
from winoglot.errors import InputError
from winoglot.files import as_csv, guarded, similar_path, unguarded, write_all, write_folder, write_whole
from work import bounded


def test_an_existing_file_is_kept_unless_forced_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "out.yaml"
    write_whole(path, "first")
    path.chmod(0o600)
    with pytest.raises(InputError, match="exists already"):
        write_whole(path, "second")
    assert path.read_text() == "first"
    write_whole(path, "second", force=True)
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("second", 0o600)
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


def test_what_a_killed_writer_left_is_removed_and_nothing_else(tmp_path, monkeypatch):
    left, folder, locked, new, lock = (tmp_path / f".winoglot-{name}" for name in ("a", "b", "c", "d", "lock"))
    for path in (left, locked, new, lock, tmp_path / "mine"):
        path.write_text("x")
    folder.mkdir()
    (folder / "weights").write_text("x")
    for path in (left, folder, locked, lock, tmp_path / "mine"):
        os.utime(path, (1, 1))
    with locked.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # its writer is at work
        write_whole(tmp_path / "out.yaml", "x")
    assert {path.name for path in tmp_path.iterdir()} == {locked.name, new.name, lock.name, "mine", "out.yaml"}
    os.utime(locked, (1, 1))
    files._looked_through.clear()  # as in another process
    write_folder(tmp_path / "several", {"a.txt": "x"})
    assert not locked.exists()


@for_each("name", ["absent/out.yaml", "a" * 300, "a\0b", "loop/x.yaml", "file/a.yaml"])
def test_impossible_paths_are_input_errors(tmp_path, name):
    if not (tmp_path / "file").exists():
        (tmp_path / "loop").symlink_to("loop")
        (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / name, "x")


def test_folders_and_devices_are_never_replaced(tmp_path):
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(InputError, match="not a plain file"):
            write_whole(path, "x", force=True)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file is a file, not a folder"):
        write_all({tmp_path / "file" / "figures" / "a.svg": lambda: ""})


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "real.yaml").write_text("old")
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    write_whole(tmp_path / "link.yaml", "new", force=True)
    assert (tmp_path / "link.yaml").is_symlink()
    assert (tmp_path / "real.yaml").read_text() == "new"


def test_of_many_writers_one_wins_and_nobody_is_overwritten(tmp_path):
    path = tmp_path / "out.yaml"

    def write(number):
        try:
            write_whole(path, f"{number}" * 1000)
        except InputError as error:
            return error.message
        return f"{number}" * 1000

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(write, range(8)))
    assert results.count(path.read_text()) == 1
    assert results.count("exists already") == 7
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.yaml"]


def test_a_folder_is_written_whole_and_replaced_only_if_it_is_ours(tmp_path):
    folder = tmp_path / "task"
    write_folder(folder, {"a.yaml": "1", "b.jsonl": b"2"})
    assert (folder / "b.jsonl").read_bytes() == b"2"
    with pytest.raises(InputError, match="exists already"):
        write_folder(folder, {"a.yaml": "3"})
    write_folder(folder, {"a.yaml": "3", "b.jsonl": "4"}, force=True)
    assert (folder / "a.yaml").read_text() == "3"
    (folder / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match=r"contains other files too: thesis\.tex"):
        write_folder(folder, {"a.yaml": "5", "b.jsonl": "6"}, force=True)
    assert sorted(entry.name for entry in folder.iterdir()) == ["a.yaml", "b.jsonl", "thesis.tex"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["task"]


@pytest.mark.parametrize("name", ["../out", "a/b", ".."])
def test_files_of_a_folder_stay_in_it(tmp_path, name):
    with pytest.raises(InputError, match="cannot be the name"):
        write_folder(tmp_path / "task", {name: "x"})
    assert list(tmp_path.iterdir()) == []


def test_of_several_files_none_is_written_if_one_may_not_be(tmp_path):
    (tmp_path / "tables").mkdir()
    taken = tmp_path / "tables" / "summary.md"
    taken.write_text("mine")
    files = {tmp_path / "figures" / "accuracy.svg": lambda: "<svg/>", taken: lambda: b"new"}
    with pytest.raises(InputError, match="exists already"):
        write_all(files)
    assert taken.read_text() == "mine"
    assert not (tmp_path / "figures").exists()
    write_all(files, force=True)
    assert [path.read_bytes() for path in files] == [b"<svg/>", b"new"]


texts = st.text("ab1. =+-@＝＋－＠;,\t\r\n\"'|", max_size=30)


@given(texts, texts)
def test_a_spreadsheet_finds_no_formula_whatever_separates_its_cells(first, second):
    written = as_csv([{"a": first, "b": second}], ["a", "b"])
    for separators in (",", ";", "\t", ",;\t"):
        for cell in re.split(f"[{separators}\r\n]", written):
            begins = cell.lstrip(' "\t\u3000').rstrip('"')
            is_number = re.match(r"[+-]?[0-9]+(\.[0-9]+)?(,|$)", begins)
            assert is_number or not re.match("[=+@＝＋－＠-]", begins)


@given(texts, texts)
def test_guarded_texts_are_read_back(first, second):
    row = {"a": first, "b": second}
    _, *cells = csv.reader(io.StringIO(as_csv([row], ["a", "b"]), newline=""))
    assert [list(map(unguarded, line)) for line in cells] == [[first, second]]


def test_numbers_stay_numbers_and_ordinary_texts_stay_as_they_are():
    row = {"a": -3.2, "b": "-3.2", "c": "+1e-5", "d": None, "e": "the e-mail, 1+1=2; well-known: a@b.c"}
    assert as_csv([row], list(row)) == "a,b,c,d,e\n" + '-3.2,-3.2,+1e-5,,"the e-mail, 1+1=2; well-known: a@b.c"\n'
    assert as_csv([{"=x": "=1"}], ["=x"], exact=True) == "=x\n=1\n"


def test_long_runs_of_spaces_and_signs_are_guarded_at_once():
    with bounded(5):
        for run in (" ", "\t", ";", '"', "'", "=", ";'", "; "):
            text = run * 200_000
            assert unguarded(guarded(text)) == text


def test_a_folder_that_a_killed_writer_had_moved_away_is_kept_until_it_is_written_again(tmp_path, monkeypatch):
    """Killed between its two steps: the folder is gone, and what it contained is all there is."""
    write_folder(tmp_path / "out", {"a.txt": "old"})
    rename = Path.rename

    def killed(path, target):
        if Path(target).name == "out":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / "out", {"a.txt": "new"}, force=True)
    monkeypatch.undo()
    (kept,) = tmp_path.glob(".winoglot-*")
    os.utime(kept, (1, 1))
    files._looked_through.clear()  # as in another process
    write_whole(tmp_path / "other.txt", "x")
    assert (kept / "a.txt").read_text() == "old"
    write_folder(tmp_path / "out", {"a.txt": "newer"})
    assert {path.name for path in tmp_path.iterdir()} == {"out", "other.txt"}


@for_each(
    ("mistyped", "suffixes", "meant"),
    [
        ("runz", None, "runs"),
        ("modles/tiny", None, "models/tiny"),
        ("mine.yml", (".yaml",), "mine.yaml"),
        ("renamd.yaml", (".yaml",), None),
        ("mine.txt", (".json",), None),
        ("nothing/like/it", None, None),
    ],
)
def test_a_path_with_a_slip_in_it_is_recognised(mistyped, suffixes, meant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("runs", "models/tiny"):
        Path(folder).mkdir(parents=True, exist_ok=True)
    for file in ("mine.yaml", "r3.yaml"):
        Path(file).touch()
    assert similar_path(Path(mistyped), suffixes) == (meant and Path(meant))
