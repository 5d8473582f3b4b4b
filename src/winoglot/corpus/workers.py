"""One function over many tasks: in this process, in several, or on a Dask cluster.

Results are returned in the order in which they are ready. Only a few tasks are submitted at a time, because tasks may
carry text. For a result that does not depend on the number of workers, every task writes to a place of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from winoglot._version import __version__
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_Wait = Callable[[set[Any]], tuple[set[Any], set[Any]]]  # pending futures to those done and the rest
_AGAIN = "Run the command again: it continues where it stopped."
_LONGEST_WITHOUT = 60.0  # seconds without any worker until a cluster counts as lost
_ANSWER_WITHIN = 20  # seconds for a scheduler to answer
_LOOK = 1.0  # seconds between checks of the cluster
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?(?:\[[^\]\s]+\]|[\w-]+(?:\.[\w-]+)*\.?):(\d{1,5})")
_HIGHEST_PORT = 65535
_SCHEDULER = "Name a running scheduler: --cluster tcp://HOST:8786."


class RunTasks(Protocol):
    """Runs a function over tasks."""

    def __call__(self, function: Callable[[_Task], _Result], tasks: Iterable[_Task]) -> Iterator[_Result]:
        """The function's results, as they become ready."""
        ...


@contextmanager
def workers(count: int = 1, cluster: str | None = None, folder: Path | None = None) -> Iterator[RunTasks]:
    """Workers for the duration of the block: `count` processes, or those of the cluster at an address.

    The cluster's workers must see `folder`, where results are written, under the same path.

    >>> with workers() as run_tasks:
    ...     list(run_tasks(len, ["ab", "c"]))
    [2, 1]
    """
    if count < 1:
        raise InputError(f"--workers is {count}", remedy="Use 1 or more.")
    if cluster is not None:
        if count > 1:
            raise InputError("--workers and --cluster are both given", remedy="The cluster has its own: leave one out.")
        with _cluster(cluster, folder and folder.absolute()) as run_tasks:
            yield run_tasks
    elif count == 1:
        yield _in_this_process
    else:
        # Spawned, not forked: forking a process with threads (a progress bar has one) may hang.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(count, mp_context=context, initializer=live_with_parent) as pool:
            try:
                yield partial(_in_processes, pool, 2 * count)
            except KeyboardInterrupt:
                for process in multiprocessing.active_children():
                    process.terminate()  # a training saves a checkpoint first
                raise


def live_with_parent() -> None:
    """Leave interrupts to the parent of this worker, and end when the parent ends, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _in_this_process(function: Callable[[_Task], _Result], tasks: Iterable[_Task]) -> Iterator[_Result]:
    return map(function, tasks)


def _as_completed(submit: Callable[[Any], Any], wait_for: _Wait, most: int, tasks: Iterable[Any]) -> Iterator[Any]:
    """Results of the tasks in the order in which they are ready; at most so many are submitted at a time."""
    pending: set[Any] = set()
    try:
        for task in tasks:
            pending.add(submit(task))
            if len(pending) >= most:
                done, pending = wait_for(pending)
                yield from (future.result() for future in done)
        while pending:
            done, pending = wait_for(pending)
            yield from (future.result() for future in done)
    finally:
        for future in pending:
            future.cancel()


def _in_processes(
    pool: ProcessPoolExecutor, most: int, function: Callable[[_Task], _Result], tasks: Iterable[_Task]
) -> Iterator[_Result]:
    try:
        submit = partial(pool.submit, partial(_unless_stopped, function))
        yield from _as_completed(submit, partial(wait, return_when=FIRST_COMPLETED), most, tasks)
    except BrokenProcessPool as error:
        message = "a worker process was killed, most likely because memory ran out"
        raise InputError(message, remedy=f"{_AGAIN} Fewer --workers need less memory.") from error


def _unless_stopped(function: Callable[[_Task], _Result], task: _Task) -> _Result:
    try:
        return function(task)
    except KeyboardInterrupt:
        os._exit(1)  # or this worker would begin the next task


@contextmanager
def _cluster(address: str, folder: Path | None) -> Iterator[RunTasks]:
    try:
        from distributed import Client
    except ImportError as error:
        remedy = 'Run: pip install "winoglot[cluster]", here and on the machines of the workers.'
        raise InputError("--cluster needs Dask, which is not installed", remedy=remedy) from error
    # Checked before a client is made: one with a bad address takes long to close.
    parts = _ADDRESS.fullmatch(address)
    if parts is None or not 1 <= int(parts.group(1)) <= _HIGHEST_PORT:
        message = f"no Dask scheduler answers at {address!r}: expected an address with a port"
        raise InputError(message, remedy=_SCHEDULER)
    try:
        client = Client(address, timeout=_ANSWER_WITHIN, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"no Dask scheduler answers at {address!r}: {error}", remedy=_SCHEDULER) from error
    with client:
        if folder is not None:
            _check_workers(client, folder)
        yield partial(_on_cluster, client, address)


def _check_workers(client: Any, folder: Path) -> None:
    """Refuse a cluster whose workers have another version or do not see the folder."""
    answers: dict[str, tuple[str, bool]] = client.run(_version_and_folder, str(folder))
    if not answers:
        raise InputError("the cluster has no workers", remedy="Start some: dask worker ADDRESS.")
    for name, (version, sees_folder) in answers.items():
        if version != __version__:
            message = f"the worker {name} has Winoglot {version}, this is {__version__}"
            raise InputError(message, remedy="Install the same version on all machines.")
        if not sees_folder:
            message = f"the worker {name} does not see the folder {folder}"
            raise InputError(message, remedy="Use a folder that all machines share, under the same path.")


def _version_and_folder(folder: str) -> tuple[str, bool]:
    return __version__, Path(folder).is_dir()


def _on_cluster(
    client: Any, address: str, function: Callable[[_Task], _Result], tasks: Iterable[_Task]
) -> Iterator[_Result]:
    from distributed import CancelledError, KilledWorker
    from distributed.comm.core import CommClosedError

    most = 2 * max(1, sum(client.nthreads().values()))
    try:
        submit = partial(client.submit, function, pure=False)
        yield from _as_completed(submit, partial(_wait_on_cluster, client), most, tasks)
    except KilledWorker as error:
        message = f"a task killed several workers of the cluster at {address}, most likely because memory ran out"
        raise InputError(message, remedy=f"Give the workers more memory. {_AGAIN}") from error
    except (CancelledError, CommClosedError, OSError) as error:
        if isinstance(error, OSError) and not isinstance(error, CommClosedError) and error.errno:
            raise  # the task's own: a full disk
        message = f"the connection to the cluster at {address} was lost: {error}"
        raise InputError(message, remedy=f"Start it again. {_AGAIN}") from error


def _wait_on_cluster(client: Any, pending: set[Any]) -> tuple[set[Any], set[Any]]:
    """Wait for a task, as `concurrent.futures.wait` does; a cluster without workers for a while is an input error.

    Dask itself would wait for ever, so it is asked again every second.
    """
    from distributed import wait as wait_for

    last_seen = time.monotonic()
    while True:
        try:
            with client.as_current():
                return tuple(wait_for(pending, timeout=_LOOK, return_when="FIRST_COMPLETED"))  # type: ignore[no-untyped-call]
        except TimeoutError:
            pass
        if client.status != "running":
            raise InputError("the connection to the cluster was lost", remedy=f"Start it again. {_AGAIN}")
        if client.scheduler_info()["workers"]:
            last_seen = time.monotonic()
        elif time.monotonic() - last_seen > _LONGEST_WITHOUT:
            message = f"the cluster has had no worker for {_LONGEST_WITHOUT:.0f} s"
            raise InputError(message, remedy=f"Start some: dask worker ADDRESS. {_AGAIN}")
