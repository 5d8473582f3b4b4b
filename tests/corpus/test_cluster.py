import os
from pathlib import Path

import pytest

from corpus.corpus_making import content, write_text
from winoglot.corpus import counting, sources
from winoglot.corpus import workers as module
from winoglot.corpus.build import build
from winoglot.corpus.counting import Counting, count
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.workers import workers
from winoglot.errors import InputError

distributed = pytest.importorskip("distributed", reason="absent: distributed")
pytestmark = pytest.mark.filterwarnings(  # sockets that the library leaves to the garbage collector
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes, each watched by another that starts it anew when it is lost."""
    import dask

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as found,
    ):
        yield found


def process_of(number):
    return os.getpid()


def end_the_process_once(mark):
    if not Path(mark).exists():
        Path(mark).touch()
        os._exit(9)
    return "done"


def end_the_process(number):
    os._exit(9)


def fail(number):
    raise InputError(f"{number} is bad", file="a.txt", line=3)


def fill_the_disk(number):
    raise OSError(28, "No space left on device")


def test_two_processes_give_the_bytes_that_one_gives(tmp_path, monkeypatch, cluster):
    monkeypatch.setattr(sources, "CHUNK", 1 << 14)
    source = write_text(tmp_path / "a.txt", 3000)
    settings = CorpusSettings("pt", min_count=1)
    here = build([source], tmp_path / "here", settings)
    there = build([source], tmp_path / "there", settings, cluster=cluster.scheduler_address)
    assert content(there.path) == content(here.path)


def test_paths_from_here_are_found_by_workers_elsewhere(tmp_path, monkeypatch, cluster):
    monkeypatch.chdir(tmp_path)  # the workers stand where they were started
    write_text(tmp_path / "a.txt")
    there = build(["a.txt"], Path("there"), CorpusSettings("pt"), cluster=cluster.scheduler_address)
    assert content(there.path) == content(build(["a.txt"], Path("here"), CorpusSettings("pt")).path)
    monkeypatch.setattr(counting, "_SHARD", 200)
    one, other = (
        count(there, Path(name), Counting(2, dynamic=True), cluster=address)
        for name, address in (("counts", cluster.scheduler_address), ("counts-here", None))
    )
    assert content(one.path) == content(other.path)


def test_both_processes_have_something_to_do(cluster):
    with workers(cluster=cluster.scheduler_address) as run_tasks:
        assert len(set(run_tasks(process_of, range(20))) - {os.getpid()}) == 2


def test_the_task_of_a_worker_that_is_lost_is_done_by_another(tmp_path, cluster):
    with workers(cluster=cluster.scheduler_address) as run_tasks:
        assert list(run_tasks(end_the_process_once, [str(tmp_path / "mark")])) == ["done"]


def test_a_task_that_ends_every_worker_is_an_error_that_says_so(cluster):
    with workers(cluster=cluster.scheduler_address) as run_tasks, pytest.raises(InputError, match="more memory"):
        list(run_tasks(end_the_process, [1]))


def test_errors_of_a_task_are_its_own(cluster):
    with workers(cluster=cluster.scheduler_address) as run_tasks:
        with pytest.raises(InputError, match=r"a\.txt, line 3: 7 is bad"):
            list(run_tasks(fail, [7]))
        with pytest.raises(OSError, match="No space left"):
            list(run_tasks(fill_the_disk, [7]))


def test_a_folder_that_workers_do_not_see_is_refused(tmp_path, cluster):
    with (
        pytest.raises(InputError, match="does not see the folder"),
        workers(cluster=cluster.scheduler_address, folder=tmp_path / "none"),
    ):
        pass


def test_a_cluster_without_workers_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "_LONGEST_WITHOUT", 2.0)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        workers(cluster=empty.scheduler_address) as run_tasks,
        pytest.raises(InputError, match="no worker for 2 s"),
    ):
        list(run_tasks(process_of, [1]))


def test_an_address_where_nobody_answers_is_named_and_one_that_is_none_is_refused(monkeypatch):
    monkeypatch.setattr(module, "_ANSWER_WITHIN", 1)
    for address in ("tcp://127.0.0.1:9", "127.0.0.1:9"):
        with pytest.raises(InputError, match=f"no Dask scheduler answers at '{address}'"), workers(cluster=address):
            pass
    for address in ("", "nonsense", "nonsense://x", "http://a:80", "tcp://a", "a:b", "a..b:80", "a:0", "a:65536"):
        with pytest.raises(InputError, match="expected an address with a port"), workers(cluster=address):
            pass
