"""Where what was made once is kept: `WINOGLOT_CACHE`, else the user's cache folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


def cache_folder() -> Path:
    """The folder; it need not exist yet."""
    own = os.environ.get("WINOGLOT_CACHE")
    if own:
        return Path(own)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "winoglot"
    except RuntimeError:  # a user without a home
        return Path(tempfile.gettempdir()) / f"winoglot-{os.getuid()}"


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name in the cache, made by `make` where it is not there yet; never half made."""
    folder = cache_folder() / name
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise InputError(
            f"the cache {folder.parent} cannot be written: {error.strerror}",
            remedy="Name another folder in the environment variable WINOGLOT_CACHE.",
        ) from error
    try:
        make(work)
        if not folder.is_dir():  # another process may have been faster
            work.rename(folder)
    except OSError as error:
        if not folder.is_dir():
            raise InputError(
                f"{folder} cannot be written: {error.strerror}", remedy="Free some space, or set WINOGLOT_CACHE."
            ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder
