"""What blind readers said about the bundled collection, by language and pass of reading.

Run from the repository root: `python benchmarks/judgements.py [FILE …]`, by default for all files in `judgements/`.
Prints one row per file and pass, with originals and variants in separate rows: the number of judgements, and the shares
that were right (by the answer at the time) or called a text ambiguous, unnatural or trivial, in % with 95% intervals
over schemas.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

from winoglot.cli.console import print_rows
from winoglot.statistics.formatting import percent_interval
from winoglot.statistics.intervals import bootstrap_ratio
from winoglot.study.judgements import FLAGS


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, default=sorted(Path("judgements").glob("*.jsonl.gz")))
    rows: list[dict[str, object]] = []
    for path in parser.parse_args().files:
        passes: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for line in map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()):
            kind = "variants" if "~" in line["item"] else "originals"
            passes.setdefault((line["pass"], kind), []).append(line)
        for (name, kind), lines in passes.items():
            head = {"collection": path.name.partition(".")[0], "pass": name, "of": kind, "judgements": len(lines)}
            rows.append(head | {"right": share(lines, [line["choice"] == line["shown"]["right"] for line in lines])})
            rows[-1] |= {flag: share(lines, [line["flag"] == flag for line in lines]) for flag in FLAGS}
    print_rows(rows)


def share(lines: list[dict[str, Any]], holds: list[bool]) -> str:
    """The share of judgements for which something holds, with its interval over schemas."""
    clusters = [line["item"].partition(".")[0] for line in lines]
    return percent_interval(bootstrap_ratio(holds, [1] * len(lines), clusters))


if __name__ == "__main__":
    main()
