import multiprocessing
import os
import signal
import time

import pytest

from corpus.corpus_making import content, write_text
from waiting import wait_until
from winoglot.corpus import sources
from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.workers import workers
from winoglot.errors import InputError


def square(number):
    if number < 0:
        raise InputError(f"{number} is negative", remedy="Take another.", file="a.txt", line=3)
    return number * number


def end_the_process(number):
    os._exit(9)


def wait_long(folder):
    (folder / str(os.getpid())).touch()
    time.sleep(60)


def work_in(folder):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the tests were started by may ignore it
    with workers(2) as run_tasks:
        list(run_tasks(wait_long, [folder] * 4))


@pytest.fixture(scope="module", params=[1, 2])
def run_tasks(request):
    with workers(request.param) as run_tasks:
        yield run_tasks


def test_every_task_is_done_once(run_tasks):
    assert sorted(run_tasks(square, iter(range(20)))) == [number * number for number in range(20)]
    assert list(run_tasks(square, [])) == []


def test_what_goes_wrong_in_a_task_goes_wrong_here_with_its_place(run_tasks):
    with pytest.raises(InputError) as caught:
        list(run_tasks(square, [1, -2, 3]))
    assert str(caught.value) == "a.txt, line 3: -2 is negative. Take another."


def test_tasks_are_not_all_taken_at_once(run_tasks):
    taken = []

    def tasks():
        for number in range(50):
            taken.append(number)
            yield number

    next(iter(run_tasks(square, tasks())))
    assert len(taken) <= 5


def test_a_process_that_is_ended_from_outside_and_no_workers_are_errors_that_say_so():
    with workers(2) as run_tasks, pytest.raises(InputError, match="memory ran out"):
        list(run_tasks(end_the_process, [1, 2]))
    for wanted, message in (((0,), "--workers is 0"), ((2, "tcp://127.0.0.1:1"), "both")):
        with pytest.raises(InputError, match=message), workers(*wanted):
            pass


def test_an_interrupt_ends_the_workers_and_no_task_begins_after_it(tmp_path):
    working = multiprocessing.get_context("spawn").Process(target=work_in, args=(tmp_path,))
    working.start()
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2, "two tasks", working)
    os.kill(working.pid, signal.SIGINT)
    working.join(20)
    assert not working.is_alive()
    assert len(list(tmp_path.iterdir())) == 2


def test_any_number_of_workers_gives_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "CHUNK", 1 << 14)  # cut here, so that workers need not know
    source = write_text(tmp_path / "a.txt", 2000)
    settings = CorpusSettings("pt", types=600, min_count=1)
    one, three = (
        content(build([source], tmp_path / str(count), settings, worker_count=count).path) for count in (1, 3)
    )
    assert one == three
