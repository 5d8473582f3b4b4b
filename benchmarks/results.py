"""Compute the findings of `results/plan.yaml` from the folders of its experiments, as rows of `results/findings.csv`.

    winoglot run replicate/reference.yaml -o OUT/reference      # and grammar, finetune, finetune-controls, …
    python benchmarks/results.py OUT -o results                 # runs nothing; findings of missing folders stay
    python benchmarks/results.py OUT -o results --keep          # also NAME.csv and NAME.lock.json.xz of finished ones

The pairs of logic-adapter must be at hand (WINOGLOT_LOGIC). One row of each finding is primary: its p-value is
corrected by Holm's method with those of the others. All other rows are exploratory, and those of one finding are
corrected together. An item's outcome (the metric success) is 1 if it is right, 0.5 if it is left undecided, 0 if it is
wrong.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import lzma
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from result_findings import FINDINGS, Folder
from result_rows import COLUMNS, PRIMARY, corrected, described

from winoglot.errors import InputError
from winoglot.experiment.plan import LOCK_FILE
from winoglot.files import as_csv, parse_json, write_whole
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EXPERIMENTS = tuple(dict.fromkeys(experiment for experiment, _ in FINDINGS.values()))
FILE, SUMS = "findings.csv", "SHA256SUMS"
REPLICATE = Path(__file__).parents[1] / "replicate"
_MODEL_FOLDER = re.compile(r"=(\w+):/[^|]*/(models/[^|]*)")  # of a fine-tuned model, in the signature of its runs
_NUMBERS = {"value": float, "low": float, "high": float, "n": int, "p": float, "p_holm": float}


def computed(folders: Mapping[str, Folder], earlier: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of all findings; those of an experiment that is missing are the earlier ones.

    So are those of one that is not finished, if they have a primary row; if not, what there is so far is exploratory.
    """
    rows: list[dict[str, Any]] = []
    for finding, (experiment, rows_of) in FINDINGS.items():
        started, kept = time.perf_counter(), [row for row in earlier if row["finding"] == finding]
        new: list[dict[str, Any]] = []
        try:
            if experiment not in folders:
                raise InputError(f"there is no folder {experiment}")
            for row in rows_of(folders[experiment]):
                new.append(described(finding, experiment, row))
            (primary,) = [row for row in new if row["role"] == PRIMARY]
            if primary["p"] is None:
                raise InputError(f"its primary row is undefined: {primary['method']}")
            print(f"{finding}: {counted(len(new), 'row')} in {time.perf_counter() - started:.1f} s", file=sys.stderr)
        except InputError as error:
            if new and not any(row["role"] == PRIMARY for row in (*kept, *new)):
                print(f"{finding}: {counted(len(new), 'exploratory row')}, no primary one: {error}", file=sys.stderr)
            else:
                new = kept
                print(f"{finding}: left as it was, with {counted(len(kept), 'row')}: {error}", file=sys.stderr)
        rows += sorted(new, key=lambda row: row["role"] != PRIMARY)
    return corrected(rows)


def read_rows(file: Path) -> list[dict[str, Any]]:
    """The rows of an earlier time, if there are any."""
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return [
        {name: (_NUMBERS[name](cell) if cell else None) if name in _NUMBERS else cell for name, cell in row.items()}
        for row in rows
    ]


def checksums(folder: Path) -> dict[str, str]:
    """The checksums that a folder of results states, by name; a file that differs from its own is an input error."""
    file = folder / SUMS
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    stated = {name: checksum for checksum, _, name in (line.partition("  ") for line in lines)}
    for name, checksum in stated.items():
        if not (folder / name).is_file() or hashlib.sha256((folder / name).read_bytes()).hexdigest() != checksum:
            message = f"is not as {SUMS} states: it was changed by hand, or removed"
            raise InputError(message, remedy=f"Restore it: git checkout {folder / name}", file=str(folder / name))
    return stated


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write results with their checksums; those of other files stay as they are."""
    sums = checksums(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        write_whole(folder / name, data, force=True)
        sums[name] = hashlib.sha256(data).hexdigest()
    lines = (f"{checksum}  {name}\n" for name, checksum in sorted(sums.items()))
    write_whole(folder / SUMS, "".join(lines), force=True)


def kept_files(folder: Path, experiments: Path) -> dict[str, bytes]:
    """The results and the packed lock file of each finished experiment, by the name that they have in `results/`."""
    files = {}
    for path in sorted(folder.iterdir()):
        if not (experiments / f"{path.name}.yaml").is_file():
            continue
        table, lock = path / "results.csv", path / LOCK_FILE
        if table.is_file() and lock.is_file():
            files[f"{path.name}.csv"] = table.read_bytes()
            files[f"{path.name}.lock.json.xz"] = packed_lock(lock.read_bytes())
        else:
            remedy = f"winoglot run {experiments / path.name}.yaml -o {path}"
            print(f"{path.name}: not kept: its results were not computed: {remedy}", file=sys.stderr)
    return files


def packed_lock(data: bytes) -> bytes:
    """A lock file for the repository: without the folders of the machine that it was made on."""
    info = parse_json(data)
    info["experiment"]["folder"] = f"../{REPLICATE.name}"
    for run in info["runs"].values():
        run["signature"] = _MODEL_FOLDER.sub(r"=\1:\2", run["signature"])
    text = json.dumps(info, ensure_ascii=False, indent=1) + "\n"
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="has the results folder of each experiment, by its name")
    parser.add_argument("-o", "--output", type=Path, default=Path("results"))
    parser.add_argument("--keep", action="store_true", help="copy results and lock files of finished experiments too")
    parser.add_argument("--experiments", type=Path, default=REPLICATE, help="where the experiment files are")
    options = parser.parse_args()
    if options.folder is None:
        print(f"nothing to compute: name a folder with {', '.join(EXPERIMENTS)}")
        return
    paths = {name: options.folder / name for name in EXPERIMENTS if (options.folder / name).is_dir()}
    folders: dict[str, Folder] = {}
    for name, path in paths.items():
        beside = folders.get("finetune") if name == "finetune-controls" else None
        folders[name] = Folder(path, options.experiments / f"{name}.yaml", beside)
    try:
        if not folders:
            message = f"has none of {', '.join(EXPERIMENTS)}"
            raise InputError(message, remedy="Name the folder that has them.", file=str(options.folder))
        checksums(options.output)
        rows = computed(folders, read_rows(options.output / FILE))
        files = kept_files(options.folder, options.experiments) if options.keep else {}
        write(options.output, {FILE: as_csv(rows, COLUMNS, exact=True).encode(), **files})
    except InputError as error:
        print(f"Error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    tested = sum(row["role"] == PRIMARY and row["p"] is not None for row in rows)
    print(f"{len(rows):,} rows, {tested} primary tests corrected together: {options.output / FILE}")


if __name__ == "__main__":
    main()
