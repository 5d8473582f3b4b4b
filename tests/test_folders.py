import errno
import os
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from cases import listed
from waiting import MOST
from winoglot.errors import InputError
from winoglot.folders import LOCK, WorkFolder, check_same, lock, on_full

HOLD = "import sys, pathlib; from winoglot.folders import lock\nwith lock(pathlib.Path(sys.argv[1])):\n    {body}"
WAIT = "print('locked', flush=True); sys.stdin.read()"


class Soup(WorkFolder):
    what, description, format = "soup", "soup.json", 2
    keys = frozenset({"salt"})
    started = frozenset({"cooking"})
    make, again = "Cook one: soup cook.", "Cook it again."


@contextmanager
def holding(folder):
    """Another process that holds the folder's lock."""
    command = [sys.executable, "-c", HOLD.format(body=WAIT), str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"locked\n"
        yield process


def test_one_process_at_a_time_works_in_a_folder(tmp_path):
    def is_refused(message):
        with pytest.raises(InputError, match=message), lock(tmp_path):
            pytest.fail("both have the lock")

    with holding(tmp_path) as other:
        is_refused(rf"another process is working here \(process {other.pid} on .+\)\. Wait")
        other.communicate(timeout=MOST)
    with lock(tmp_path):
        is_refused("another process is working here")
        assert (tmp_path / LOCK).exists()
    assert list(tmp_path.iterdir()) == []


def test_the_lock_goes_with_a_killed_process(tmp_path):
    with holding(tmp_path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait(MOST)
    assert (tmp_path / LOCK).exists()
    Soup(tmp_path).check()  # what it left does not count as content
    with lock(tmp_path):
        assert str(os.getpid()) in (tmp_path / LOCK).read_text()


def test_a_folder_that_stays_empty_is_removed_with_its_parents(tmp_path):
    with lock(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").is_dir()
    assert list(tmp_path.iterdir()) == []
    with lock(tmp_path / "a" / "b"):
        (tmp_path / "a" / "kept").touch()
    assert [entry.name for entry in (tmp_path / "a").iterdir()] == ["kept"]


def test_many_processes_that_lock_and_remove_a_folder_never_meet(tmp_path):
    """Each adds one to a number in a file, which loses counts when two of them are inside at once."""
    (tmp_path / "count").write_text("0")
    program = (
        "import sys, pathlib, time; from winoglot.folders import lock; from winoglot.errors import InputError\n"
        "root = pathlib.Path(sys.argv[1]); done = 0\n"
        "while done < 20:\n"
        "    try:\n"
        "        with lock(root / 'work'):\n"
        "            (root / 'count').write_text(str(int((root / 'count').read_text()) + 1)); done += 1\n"
        "    except InputError:\n"
        "        time.sleep(0.001)\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path)]) for _ in range(3)]
    assert [process.wait(MOST) for process in processes] == [0] * 3
    assert (tmp_path / "count").read_text() == "60"


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP])
def test_on_a_file_system_without_locks_the_work_is_done_all_the_same(tmp_path, monkeypatch, code):
    fcntl = pytest.importorskip("fcntl")

    def no_locks(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with lock(tmp_path / "a"):
        assert (tmp_path / "a").is_dir()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_an_input_error(tmp_path):
    (tmp_path / "file").touch()
    message = r"file/soup: cannot be written: Not a directory\. Name a folder"
    with pytest.raises(InputError, match=message), lock(tmp_path / "file" / "soup"):
        pytest.fail("the folder cannot be made")
    with pytest.raises(InputError, match="this is a file, not a folder"):
        Soup(tmp_path / "file").check(force=True)


def test_a_folder_is_refused_if_it_holds_something_else(tmp_path):
    soup = Soup(tmp_path)
    soup.check()
    (tmp_path / "lock").touch()  # of an earlier version
    (tmp_path / ".winoglot-x7").touch()  # of a killed writer
    soup.check()
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"contains something other than a soup: thesis\.tex\. Name another folder"):
        soup.check(force=True, resume=True)


def test_unfinished_work_needs_resume_or_force_and_a_finished_result_force(tmp_path):
    soup = Soup(tmp_path)
    (tmp_path / "cooking").mkdir()
    with pytest.raises(InputError, match="an unfinished soup already exists"):
        soup.check()
    with pytest.raises(InputError, match=r"the soup is not finished\. Run the same command again"):
        soup.read()
    soup.check(resume=True)
    soup.check(force=True)
    (tmp_path / "soup.json").touch()
    with pytest.raises(InputError, match="this soup already exists"):
        soup.check(resume=True)
    soup.check(force=True)


def make(folder, text):
    folder.mkdir()
    for name in ("broth", "leeks"):
        (folder / name).write_text(text)


def test_a_published_result_replaces_the_one_before(tmp_path):
    soup = Soup(tmp_path / "soup")
    soup.path.mkdir()
    for text in ("old", "new"):
        make(tmp_path / text, text)
        soup.publish(tmp_path / text, {"format": 2, "salt": text})
        assert soup.read() == {"format": 2, "salt": text}
        assert (soup.path / "broth").read_text() == text


@pytest.mark.parametrize("moved", range(4))
def test_a_reader_never_sees_a_mixture_of_two_results(tmp_path, moved):
    """The process is killed after each move in turn."""
    soup = Soup(tmp_path / "soup")
    soup.path.mkdir()
    make(tmp_path / "old", "old")
    soup.publish(tmp_path / "old", {"format": 2, "salt": "old"})
    make(tmp_path / "new", "new")
    program = (
        "import os, pathlib, sys; sys.path.insert(0, sys.argv[2]); from test_folders import Soup\n"
        f"root = pathlib.Path(sys.argv[1]); left = {moved}; move = pathlib.Path.replace\n"
        "def counted(*given):\n"
        "    global left\n"
        "    if not left: os.kill(os.getpid(), 9)\n"
        "    left -= 1; return move(*given)\n"
        "pathlib.Path.replace = counted\n"
        "Soup(root / 'soup').publish(root / 'new', {'format': 2, 'salt': 'new'})\n"
    )
    here = str(Path(__file__).parent)
    killed = subprocess.run([sys.executable, "-c", program, str(tmp_path), here], check=False)
    assert killed.returncode == (-signal.SIGKILL if moved < 3 else 0)
    if moved < 3:
        with pytest.raises(InputError, match=r"no soup here: soup\.json is missing"):
            soup.read()
    else:
        assert soup.read()["salt"] == (soup.path / "broth").read_text() == (soup.path / "leeks").read_text() == "new"


@listed
def test_a_damaged_description_is_an_input_error(tmp_path, content, message):
    (tmp_path / "soup.json").write_text(content)
    with pytest.raises(InputError, match=message):
        Soup(tmp_path).read()


def test_a_missing_description_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"no soup here: soup\.json is missing\. Cook one: soup cook\."):
        Soup(tmp_path / "absent").read()
    (tmp_path / "file").touch()
    with pytest.raises(
        InputError, match=r"this is a file, not the folder of a soup\. Name the folder that contains soup"
    ):
        Soup(tmp_path / "file").read()


def test_work_is_resumed_only_with_the_settings_it_was_started_with():
    given = {"what": "run", "remedy": "Use another folder.", "folder": "runs/a"}
    check_same({"seed": 1, "more": 2}, {"seed": 1}, **given)
    with pytest.raises(InputError, match="runs/a: this run was started with seed None, not 1"):
        check_same({}, {"seed": 1}, **given)
    with pytest.raises(InputError, match="this run was started with different items"):
        check_same({"items": ["a"]}, {"items": ["b"]}, **given)


def test_a_disk_that_is_full_is_an_input_error(tmp_path):
    """The largest size of a file stands for the disk's: the system refuses to write more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        message = r"soup: cannot be written: File too large \(\d+ MB free\)\. Make room\."
        with pytest.raises(InputError, match=message), on_full(tmp_path / "soup", "Make room."):
            (tmp_path / "broth").write_bytes(bytes(2000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with pytest.raises(FileNotFoundError), on_full(tmp_path, "Make room."):  # any other error stays what it is
        (tmp_path / "absent").read_bytes()
