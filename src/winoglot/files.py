"""Reading files with a limit and decoding errors that say where; writing files and folders atomically; CSV.

A writer that is killed leaves a temporary file or folder beside its target. It holds a lock on it while it lives, so
that the next process that writes there can tell what is left over, and removes it.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import os
import re
import shlex
import shutil
import stat
import tempfile
import time
import zlib
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib.resources import files as resources
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

Content = str | bytes | dict[str, str | bytes]  # of a file, or of the files of a folder together
_UTF16_AND_32 = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
GZIP = ".gz"  # the suffix of a file packed with gzip
OF_COLLECTIONS = (".yaml", ".yml", ".jsonl", ".json", ".xml", ".html", ".tsv", ".csv", ".xlsx", GZIP)  # their suffixes
_ALIKE = 0.7  # how alike the names of files must be for one to be suggested instead of the other
EXPAND = "WINOGLOT_EXPAND"  # environment variable: the names of others that paths in files may use, with commas
_VARIABLE = re.compile(r"\$\{([^{}]*)\}?")
_HARMLESS = re.compile(r"WINOGLOT_(?!\w*(?:KEY|TOKEN|SECRET|PASSWORD|_DB))\w+")
_TEMPORARY = ".winoglot-"
_OLD = ".old"  # how a folder that is being replaced ends
LOCK = f"{_TEMPORARY}lock"  # `names_in` skips it, so the lock of a killed process does not count as content
_LEFT_OVER = 2.0  # seconds after which a temporary file that nobody has locked belongs to a killed process
# A path may be too long, contain a NUL, follow a loop of links, or pass through a folder without permission.
_PATH_ERRORS = (OSError, ValueError, RuntimeError)
# Where a spreadsheet may see the beginning of a cell, and there the sign that begins a formula, full-width in East
# Asia. Which sign separates cells depends on the country, and quotes around a cell protect it only from the separator
# that the file was written with.
_FORMULA = re.compile(r"""(\A|(?<![\s",;])[\s",;]+)('*)(?=[=+\-@＝＋－＠])""")
_SEPARATORS = frozenset(",;\t\r\n")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?%?")


def exists(path: Path) -> bool:
    """Whether the path exists; also False if that cannot be determined."""
    try:
        return path.exists()
    except _PATH_ERRORS:
        return False


def similar_path(path: Path, suffixes: Collection[str] | None = None) -> Path | None:
    """The path that the author of one that does not exist may have meant: in each part, another ending or spelling.

    With `suffixes`, its last part is a file with one of them; else it may be a folder too.
    """
    meant = Path(path.anchor)
    parts = path.parts[len(meant.parts) :]
    for place, part in enumerate(parts):
        if exists(meant / part):
            meant /= part
            continue
        is_last = place == len(parts) - 1
        try:
            inside = [entry for entry in meant.iterdir() if is_last or entry.is_dir()]
        except OSError:
            return None
        if suffixes is not None and is_last:
            inside = [entry for entry in inside if entry.suffix.lower() in suffixes]
        stem = Path(part).stem.casefold()
        by_stem = {entry.stem.casefold(): entry.name for entry in sorted(inside, reverse=True)}
        close = get_close_matches(stem, by_stem, n=1, cutoff=_ALIKE)
        if not close:
            return None
        meant /= by_stem[close[0]]
    return meant


def did_you_mean_path(path: Path, suffixes: Collection[str] | None = None) -> str:
    """A remedy that names a similar path, with a space behind it; empty if there is none."""
    similar = similar_path(path, suffixes)
    return f"Did you mean {str(similar)!r}? " if similar is not None else ""


def names_in(folder: Path) -> set[str]:
    """The names in a folder, without the temporary files that a killed writer may have left; may raise OSError."""
    return {entry.name for entry in folder.iterdir() if not entry.name.startswith(_TEMPORARY)}


def packaged_lines(package: str, name: str) -> list[str]:
    """The lines of a text in a package's folder, without `#` comments; empty if there is no such file."""
    file = resources(package).joinpath(name)
    if not file.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def read_bytes(path: Path, limit: int) -> bytes:
    """The file's content; a file that is missing, unreadable or too large is an input error."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size  # of a pipe 0
            data = b"" if size > limit else file.read(size + 1)  # memory is reserved for as much as is asked for
            if len(data) > size:
                data += file.read(limit + 1 - len(data))
    except _PATH_ERRORS as error:
        hint = "" if exists(path) else did_you_mean_path(path)
        message = f"cannot be read: {_reason(error)}"
        raise InputError(message, remedy=f"{hint}Name a readable file.", file=str(path)) from error
    if max(size, len(data)) > limit:
        raise InputError(
            f"the file is larger than {limit // 2**20} MiB, the limit for this format",
            remedy="Split it into several collections.",
            file=str(path),
        )
    return data


def plain_path(path: Path) -> Path:
    """The path without the suffix of a file packed with gzip."""
    return path.with_suffix("") if path.suffix.lower() == GZIP else path


def unpack(data: bytes, limit: int, label: str) -> bytes:
    """What a file packed with gzip contains; damage, or more than the limit, is an input error."""
    try:
        with gzip.open(io.BytesIO(data)) as file:
            content = file.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        message = f"cannot be unpacked: {error}"
        raise InputError(message, remedy="The file may have been cut short: get it again.", file=label) from error
    if len(content) > limit:
        message = f"the file contains more than {limit // 2**20} MiB, the limit for this format"
        raise InputError(message, remedy="Split it into several collections.", file=label)
    return content


def check_plain(path: Path, limit: int, remedy: str) -> None:
    """Refuse what is no plain file, such as a pipe or a device, which might never end, and what is too large."""
    try:
        status = path.stat()
    except _PATH_ERRORS as error:
        raise InputError(f"cannot be read: {_reason(error)}", remedy=remedy, file=str(path)) from error
    if not stat.S_ISREG(status.st_mode):
        raise InputError("this is not a plain file", remedy=remedy, file=str(path))
    if status.st_size > limit:
        message = f"the file has {status.st_size / 2**20:.0f} MiB, and at most {limit // 2**20} were expected"
        raise InputError(message, remedy=remedy, file=str(path))


def parse_json(text: str | bytes, **options: Any) -> Any:
    """The value of a JSON text; whatever is wrong with it, even nesting without end, is a ValueError.

    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: it is nested too deeply
    """
    try:
        return json.loads(text, **options)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def decode(data: bytes, file: str) -> str:
    """The text of a UTF-8 file without its byte order mark; anything else is an input error with line and column."""
    for mark, name in _UTF16_AND_32.items():
        if data.startswith(mark):
            raise InputError(
                f"the file is {name}, not UTF-8", remedy=f"Convert it: iconv -f {name} -t UTF-8.", file=file
            )
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\0" in data:
        raise InputError("the file is binary, not text", remedy="Give a text file in UTF-8.", file=file)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        raise InputError(
            f"the byte 0x{data[error.start]:02X} is not UTF-8",
            remedy="Save the file as UTF-8; if it is Latin-1: iconv -f ISO-8859-1 -t UTF-8.",
            file=file,
            line=before.count(b"\n") + 1,
            column=len(before.rpartition(b"\n")[2].decode(errors="replace")) + 1,
        ) from error


def write_whole(path: Path, data: str | bytes, *, force: bool = False) -> None:
    """Write a temporary file beside the target, then move it into place: readers see the old file or the new one.

    Without `force`, the last step fails if another process has created the file in the meantime.
    """
    check_free(path, force=force)
    try:
        target = path.resolve()
        remove_left_over(target.parent)
        descriptor, name = tempfile.mkstemp(prefix=_TEMPORARY, dir=target.parent)
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file, _locked(descriptor):
                file.write(data.encode() if isinstance(data, str) else data)
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(_mode(target))
            if force:
                temporary.replace(target)
            else:
                os.link(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except FileExistsError as error:
        raise _exists_already(path) from error
    except _PATH_ERRORS as error:
        raise _cannot_write(error, path) from error


def write_all(files: Mapping[Path, Callable[[], str | bytes]], *, force: bool = False) -> None:
    """Write several files and create their folders; if one of them already exists, none is written."""
    for path in files:
        check_free(path, force=force)
    for folder in dict.fromkeys(path.parent for path in files):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except _PATH_ERRORS as error:
            remedy = "Name a folder that exists or can be created."
            raise InputError(f"cannot be created: {_reason(error)}", remedy=remedy, file=str(folder)) from error
    for path, make in files.items():
        write_whole(path, make(), force=force)


def write_folder(path: Path, files: dict[str, str | bytes], *, force: bool = False) -> None:
    """Write the files to a temporary folder beside the target, then rename it: the folder is either complete or absent.

    With `force` it replaces a folder that contains nothing but files of the same names.
    """
    for name in files:
        if Path(name).name != name or name in (".", ".."):
            raise InputError(f"{name!r} cannot be the name of a file in a folder", remedy="Report this.")
    try:
        target = path.resolve()
        if os.path.lexists(target):
            _check_replaceable(target, set(files), force=force)
        with temporary_folder(target.parent) as temporary:
            for name, data in files.items():
                (temporary / name).write_bytes(data.encode() if isinstance(data, str) else data)
            temporary.chmod(0o777 & ~_umask())
            old = target.with_name(f"{_TEMPORARY}{target.name}{_OLD}")  # all there is if we are killed before the end
            if target.is_dir():
                shutil.rmtree(old, ignore_errors=True)
                target.rename(old)
            temporary.rename(target)
            shutil.rmtree(old, ignore_errors=True)
    except InputError:
        raise
    except _PATH_ERRORS as error:
        raise _cannot_write(error, path) from error


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """A folder to prepare something in, inside `parent`; removed at the end, unless it was moved into place.

    One that a killed process left is removed when the next is made.
    """
    remove_left_over(parent)
    path = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=parent))
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            with _locked(descriptor):
                yield path
        finally:
            os.close(descriptor)
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    """Lock an open file or folder, if the system can, until it is closed or the process ends."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    yield


_looked_through: set[Path] = set()  # folders in which this process has looked for what others left


def remove_left_over(folder: Path) -> None:
    """Remove the temporary files and folders that killed processes left in a folder; looks only once per folder."""
    if folder in _looked_through:
        return
    _looked_through.add(folder)
    with suppress(OSError):
        for path in folder.glob(f"{_TEMPORARY}*"):
            if path.name != LOCK and not path.name.endswith(_OLD) and _is_left_over(path):
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def _is_left_over(path: Path) -> bool:
    """Whether nobody works on a temporary file any more: it is not new, and nobody has locked it."""
    try:
        import fcntl

        if time.time() - path.lstat().st_mtime < _LEFT_OVER or path.is_symlink():
            return False
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (ImportError, OSError):  # without locks nobody can tell
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def check_free(path: Path, *, force: bool) -> None:
    """Refuse to overwrite a file without `force`, and always what is not a plain file or lacks a folder."""
    try:
        is_taken, is_plain = os.path.lexists(path), path.is_file()
        parent = next((parent for parent in path.parents if parent.exists()), Path())
    except _PATH_ERRORS as error:
        raise _cannot_write(error, path) from error
    if not parent.is_dir():
        message = f"cannot be written: {parent} is a file, not a folder"
        raise InputError(message, remedy="Name another folder.", file=str(path))
    if is_taken and not is_plain:
        raise InputError("not a plain file", remedy="Name another output file.", file=str(path))
    if is_taken and not force:
        raise _exists_already(path)


def _check_replaceable(folder: Path, names: set[str], *, force: bool) -> None:
    if not folder.is_dir():
        raise InputError("this is a file, not a folder", remedy="Name another folder.", file=str(folder))
    if not force:
        raise _exists_already(folder)
    unexpected = sorted(entry.name for entry in folder.iterdir() if entry.name not in names or entry.is_dir())
    if unexpected:
        raise InputError(
            f"the folder contains other files too: {unexpected[0]}", remedy="Name another folder.", file=str(folder)
        )


def _mode(target: Path) -> int:
    """The permissions of the file to be replaced, or those of a new file."""
    return target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _exists_already(path: Path) -> InputError:
    return InputError(
        "exists already", remedy="Name another, or add --force (from Python: force=True).", file=str(path)
    )


def _cannot_write(error: Exception, path: Path) -> InputError:
    remedy = "Name a folder that exists, is writable and has free space."
    if isinstance(error, FileNotFoundError):
        remedy = f"Make the folder first: mkdir -p {shlex.quote(str(path.parent))}"
    return InputError(f"cannot be written: {_reason(error)}", remedy=remedy, file=str(path))


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def as_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, exact: bool = False) -> str:
    """A CSV file with these columns, one line per row; what a row lacks is empty, what has no column is left out.

    Texts that a spreadsheet would take for a formula are guarded, unless they must be `exact`, for a program that would
    show the apostrophe to people.

    >>> print(as_csv([{"model": "=1+1", "delta": -3.2}], ["model", "delta"]), end="")
    model,delta
    '=1+1,-3.2
    """
    lines: list[str] = []
    # The writer puts quotes around a text with a carriage return only if that is part of its line end.
    line_writer = SimpleNamespace(write=lambda line: lines.append(line.removesuffix("\r\n") + "\n"))
    writer = csv.writer(line_writer, lineterminator="\r\n")
    cell = (lambda value: value) if exact else _cell
    writer.writerow(map(cell, columns))
    writer.writerows([cell(row.get(name)) for name in columns] for row in rows)
    return "".join(lines)


def _cell(value: object) -> object:
    return value if value is None or isinstance(value, int | float) else guarded(str(value))


def guarded(text: str) -> str:
    """The text with an apostrophe before every sign that a spreadsheet would take for the beginning of a formula.

    That is at its beginning and after a comma, a semicolon, a tab or a line break, which may end a cell. Numbers stay
    as they are. `unguarded` gives the text back.

    >>> guarded("a;=cmd|x"), guarded("-3.2"), guarded("well-known, e.g. 1+1")
    ("a;'=cmd|x", '-3.2', 'well-known, e.g. 1+1')
    """
    if _NUMBER.fullmatch(text):
        return text
    return _FORMULA.sub(lambda match: f"{match.group()}'" if _begins_cell(match) else match.group(), text)


def unguarded(text: str) -> str:
    """The text that was guarded.

    >>> unguarded("a;'=cmd|x"), unguarded(guarded("'=1"))
    ('a;=cmd|x', "'=1")
    """
    return _FORMULA.sub(
        lambda match: match.group()[:-1] if match.group(2) and _begins_cell(match) else match.group(), text
    )


def _begins_cell(match: re.Match[str]) -> bool:
    return match.start() == 0 or not _SEPARATORS.isdisjoint(match.group(1))


def expanded(path: str) -> str:
    """The path with `${NAME}` replaced by what the environment says, for variables that a file may use.

    The file may come from somebody else, and what it says may be shown or sent: only variables for Winoglot that cannot
    hold a secret, and those that the user names in WINOGLOT_EXPAND.

    >>> expanded("no/variable")
    'no/variable'
    >>> expanded("${WINOGLOT_API_KEY}/v1")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    winoglot.errors.InputError: the environment variable WINOGLOT_API_KEY may not be used by files. ...
    """
    allowed = {name.strip() for name in os.environ.get(EXPAND, "").split(",")}

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in allowed and not _HARMLESS.fullmatch(name.upper()):
            remedy = f"If it may: export {EXPAND}={name}. Or keep the folder in a variable such as WINOGLOT_DATA."
            raise InputError(f"the environment variable {name} may not be used by files", remedy=remedy)
        if name not in os.environ:
            remedy = f"Set it to the folder that the file needs: export {name}=…"
            raise InputError(f"the environment variable {name} is not set", remedy=remedy)
        return os.environ[name]

    return _VARIABLE.sub(value, path)


def folder_name(*parts: str) -> str:
    """A folder name made of several names; characters that file systems may refuse become underscores.

    >>> folder_name("winoglot-pt", "causal:models/mine", "full")
    'winoglot-pt.causal_models_mine.full'
    """
    return ".".join(
        "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in part) for part in parts
    )
