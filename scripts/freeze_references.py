"""Write finished runs as the reference runs that come with Winoglot (see `winoglot.runs.references`).

python scripts/freeze_references.py RUNS…
"""

from __future__ import annotations

import argparse
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.runs.references import FOLDER, freeze, references
from winoglot.runs.store import find_runs, load_run

if TYPE_CHECKING:
    from winoglot.runs.run import Run


def dated_runs(folders: list[Path], of_all: date | None) -> list[tuple[Run, str]]:
    """The runs in these folders, each with the date of its last answer, unless one date is given for all."""
    paths = [path for folder in folders for path in find_runs(folder)]
    return [(load_run(path), str(of_all or _last_answer(path))) for path in paths]


def _last_answer(path: Path) -> date:
    return datetime.fromtimestamp((path / "predictions.jsonl").stat().st_mtime, UTC).date()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, help="run folders, or folders that contain some")
    parser.add_argument(
        "-o", "--output", type=Path, default=FOLDER, help="folder to write to; by default the package's"
    )
    parser.add_argument("--date", type=date.fromisoformat, help="when the runs were made; by default that of the files")
    parser.add_argument("--replace-all", action="store_true", help="remove the models that are not among the runs")
    given = parser.parse_args()
    written = freeze(dated_runs(given.runs, given.date), given.output, replaces_all=given.replace_all)
    for file in written:
        print(f"{file.name}: {file.stat().st_size / 1000:.1f} kB")
    size = sum(file.stat().st_size for file in given.output.iterdir())
    print(f"{len(references(folder=given.output))} runs can be read from {size / 1e6:.2f} MB")
