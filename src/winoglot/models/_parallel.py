"""Work done by several threads at once; the first error ends it, and nothing waits for what hangs."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Job = TypeVar("Job")
Result = TypeVar("Result")


def in_parallel(work: Callable[[Job, threading.Event], Result], jobs: Sequence[Job], threads: int) -> list[Result]:
    """The results in the order of the jobs. The event is set when the rest is no longer wanted.

    The threads are daemons, unlike those of `concurrent.futures`: a connection that never answers must not keep the
    program from ending.

    >>> in_parallel(lambda job, stop: job * job, [1, 2, 3], threads=2)
    [1, 4, 9]
    """
    waiting = iter(enumerate(jobs))
    taking = threading.Lock()
    done: queue.SimpleQueue[tuple[int, Result | None, BaseException | None]] = queue.SimpleQueue()
    stop = threading.Event()

    def labour() -> None:
        while not stop.is_set():
            with taking:
                number, job = next(waiting, (-1, None))
            if job is None:
                return
            try:
                done.put((number, work(job, stop), None))
            except BaseException as error:  # raised again where it was asked for
                done.put((number, None, error))
                stop.set()  # now, so that this thread takes no other job

    for _ in range(min(threads, len(jobs))):
        threading.Thread(target=labour, name="winoglot-request", daemon=True).start()
    results: dict[int, Result] = {}
    try:
        while len(results) < len(jobs):
            number, result, error = done.get()
            if error is not None:
                raise error
            results[number] = result  # type: ignore[assignment]
    finally:
        stop.set()
    return [results[number] for number in range(len(jobs))]
