"""The folder of counts while they are made: work goes on in a folder inside, and what is whole is put in place last."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.corpus._work_folder import empty, locked, told_when_full
from winoglot.corpus.counts import COUNTING, INFO
from winoglot.errors import InputError
from winoglot.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def counting_folder(out: Path, *, force: bool) -> Iterator[Path]:
    """A place to work in, inside the folder of the counts; what an ended count left there is cleared away."""
    work = out / COUNTING
    try:
        if out.is_dir():
            names = {entry.name for entry in out.iterdir()}
            if INFO in names and not force:
                raise InputError("exists already", remedy="Name another, or add --force.", file=str(out))
            if names and not names & {INFO, COUNTING}:
                message = f"the folder holds something that is no counts: {min(names)}"
                raise InputError(message, remedy="Name another folder.", file=str(out))
        work.mkdir(parents=True, exist_ok=True)
        with told_when_full(out, "Make room and give the command again."), locked(work):
            try:
                empty(work)
                yield work
            finally:
                shutil.rmtree(work, ignore_errors=True)
                with suppress(OSError):  # it holds the counts
                    out.rmdir()
    except OSError as error:
        if error.filename is not None and Path(error.filename) in (out, work):
            message = f"cannot be written: {error.strerror}"
            raise InputError(message, remedy="Name a folder that you may write to.", file=str(out)) from error
        raise


def publish(result: Path, out: Path, info: dict[str, Any]) -> None:
    """Put the files in place, the description last: at no time are there counts of which half are others."""
    (out / INFO).unlink(missing_ok=True)
    for file in sorted(result.iterdir()):
        file.replace(out / file.name)
    write_whole(out / INFO, json.dumps(info, ensure_ascii=False, indent=1) + "\n", force=True)
