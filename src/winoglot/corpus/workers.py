"""The same function over many tasks: in this process, in several, or on a Dask cluster.

Results come in the order in which they are ready. Only a few tasks are under way at a time, so that tasks which carry
text are not all in memory at once. Whoever needs an order or a result that does not depend on the number of workers
lets every task write to a place of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from winoglot._version import __version__
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

Task = TypeVar("Task")
Result = TypeVar("Result")
_AGAIN = "Give the command again: it goes on where it stopped."
_LONGEST_WITHOUT = 60.0  # seconds a cluster may have no worker at all before it is given up
_ANSWER_WITHIN = 20  # seconds for a scheduler to answer
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?(?:\[[^\]\s]+\]|[\w-]+(?:\.[\w-]+)*\.?):(\d{1,5})")
_HIGHEST_PORT = 65535
_SCHEDULER = "Name a running scheduler: --cluster tcp://HOST:8786."
_LOOK = 1.0  # seconds between looks at the cluster


class Workers(Protocol):
    """Something that carries out tasks."""

    def __call__(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """The function's results for the tasks, as they come."""
        ...


@contextmanager
def workers(count: int = 1, cluster: str | None = None, folder: Path | None = None) -> Iterator[Workers]:
    """Workers for a while: `count` processes, or those of the cluster at an address.

    The cluster's workers must see `folder`, where results are written, under the same path.

    >>> with workers() as carry_out:
    ...     list(carry_out(len, ["ab", "c"]))
    [2, 1]
    """
    if count < 1:
        raise InputError(f"--workers is {count}", remedy="Give a number from 1.")
    if cluster is not None:
        if count > 1:
            raise InputError("--workers and --cluster are both given", remedy="The cluster has its own: leave one out.")
        with _cluster(cluster, folder and folder.absolute()) as carry_out:
            yield carry_out
    elif count == 1:
        yield _here
    else:
        # Started afresh: a fork of a process with threads (a progress bar has one) may hang.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(count, mp_context=context, initializer=_live_with_parent) as pool:
            yield partial(_in_processes, pool, 2 * count)


def _live_with_parent() -> None:
    """Leave an interrupt to the parent, and end when it ends, however that happens: it may be killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _here(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
    return map(function, tasks)


def _in_processes(
    pool: ProcessPoolExecutor, most: int, function: Callable[[Task], Result], tasks: Iterable[Task]
) -> Iterator[Result]:
    under_way: set[Future[Result]] = set()
    try:
        for task in tasks:
            under_way.add(pool.submit(function, task))
            if len(under_way) >= most:
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while under_way:
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    except BrokenProcessPool as error:
        message = "a worker process was ended from outside, most likely for want of memory"
        raise InputError(message, remedy=f"{_AGAIN} Fewer --workers need less memory.") from error
    finally:
        for future in under_way:
            future.cancel()


@contextmanager
def _cluster(address: str, folder: Path | None) -> Iterator[Workers]:
    try:
        from distributed import Client
    except ImportError as error:
        remedy = 'pip install "winoglot[cluster]", here and where the workers run.'
        raise InputError("--cluster needs Dask, which is not installed", remedy=remedy) from error
    _check_address(address)
    try:
        client = Client(address, timeout=_ANSWER_WITHIN, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"no Dask scheduler answers at {address!r}: {error}", remedy=_SCHEDULER) from error
    with client:
        if folder is not None:
            _check_folder(client, folder)
        yield partial(_on_cluster, client, address)


def _check_address(address: str) -> None:
    """Refuse what is no address before a client is made of it: one half made waits long for its own end."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 1 <= int(found.group(1)) <= _HIGHEST_PORT:
        message = f"no Dask scheduler answers at {address!r}: it is no address with a port"
        raise InputError(message, remedy=_SCHEDULER)


def _check_folder(client: Any, folder: Path) -> None:
    """Whether all workers have the folder, and this version."""
    found: dict[str, tuple[str, bool]] = client.run(_surroundings, str(folder))
    if not found:
        raise InputError("the cluster has no workers", remedy="Start some: dask worker ADDRESS.")
    for name, (version, seen) in found.items():
        if version != __version__:
            message = f"the worker {name} has Winoglot {version}, this is {__version__}"
            raise InputError(message, remedy="Install the same version on all machines.")
        if not seen:
            message = f"the worker {name} does not see the folder {folder}"
            raise InputError(message, remedy="Use a folder that all machines share, under the same path.")


def _surroundings(folder: str) -> tuple[str, bool]:
    from pathlib import Path

    return __version__, Path(folder).is_dir()


def _on_cluster(
    client: Any, address: str, function: Callable[[Task], Result], tasks: Iterable[Task]
) -> Iterator[Result]:
    from distributed import CancelledError, KilledWorker
    from distributed.comm.core import CommClosedError

    most = 2 * max(1, sum(client.nthreads().values()))
    under_way: deque[Any] = deque()
    try:
        for task in tasks:
            under_way.append(client.submit(function, task, pure=False))
            if len(under_way) >= most:
                yield _first_done(client, under_way).result()
        while under_way:
            yield _first_done(client, under_way).result()
    except KilledWorker as error:
        message = f"a task ended several workers of the cluster at {address}, most likely for want of memory"
        raise InputError(message, remedy=f"Give the workers more memory. {_AGAIN}") from error
    except (CancelledError, CommClosedError, OSError) as error:
        if isinstance(error, OSError) and not isinstance(error, CommClosedError) and error.errno:
            raise  # the task's own: a full disk
        message = f"the cluster at {address} was lost: {error}"
        raise InputError(message, remedy=f"Start it again. {_AGAIN}") from error
    finally:
        client.cancel(list(under_way))


def _first_done(client: Any, under_way: deque[Any]) -> Any:
    """Wait for a task and take it out; a cluster that has had no worker for a while is an input error."""
    last_seen = time.monotonic()
    while True:
        for future in under_way:
            if future.done():
                under_way.remove(future)
                return future
        _wait_a_moment(client, under_way)
        if client.status != "running":
            raise InputError("the connection to the cluster was lost", remedy=f"Start it again. {_AGAIN}")
        if client.scheduler_info()["workers"]:
            last_seen = time.monotonic()
        elif time.monotonic() - last_seen > _LONGEST_WITHOUT:
            message = f"the cluster has had no worker for {_LONGEST_WITHOUT:.0f} s"
            raise InputError(message, remedy=f"Start some: dask worker ADDRESS. {_AGAIN}")


def _wait_a_moment(client: Any, under_way: deque[Any]) -> None:
    from distributed import wait as wait_for

    try:
        with client.as_current():
            wait_for(list(under_way), timeout=_LOOK, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]
    except TimeoutError:
        return
