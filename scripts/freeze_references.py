"""Store finished runs as the reference runs that come with Winoglot (see `winoglot.runs.references`).

python scripts/freeze_references.py RUNS…
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.runs.references import FOLDER, freeze, references
from winoglot.runs.store import find_runs, load_run

if TYPE_CHECKING:
    from winoglot.runs.run import Run


def dated_runs(folders: list[Path], of_all: date | None) -> list[tuple[Run, str]]:
    """The runs in these folders, each with the date of its last answer, unless one date is given for all."""
    runs = []
    for path in (path for folder in folders for path in find_runs(folder)):
        run = load_run(path)
        if not run.predictions:
            raise InputError("the run has no answers yet", remedy="Finish it, or name other runs.", file=str(path))
        runs.append((run, str(of_all or _last_answer(path))))
    return runs


def _last_answer(path: Path) -> date:
    return datetime.fromtimestamp((path / "predictions.jsonl").stat().st_mtime, UTC).date()


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date. Write it as in 2026-11-19.") from None


def main() -> None:
    """Bad input ends with one line on standard error and exit code 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, help="run folders, or folders that contain some")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, help="folder to write to (default: the package's)")
    parser.add_argument("--date", type=_day, help="when the runs were made (default: the date of their files)")
    parser.add_argument("--replace-all", action="store_true", help="remove the models that are not among the runs")
    options = parser.parse_args()
    try:
        written = freeze(dated_runs(options.runs, options.date), options.output, replaces_all=options.replace_all)
        count = len(references(folder=options.output))
    except (InputError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    for file in written:
        print(f"{file.name}: {file.stat().st_size / 1000:.1f} kB")
    size = sum(file.stat().st_size for file in options.output.iterdir())
    print(f"{count} runs can be read from {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
