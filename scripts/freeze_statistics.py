"""Write the statistics of the bundled collections beside them, so that `winoglot list` and `stats` need not read them.

python scripts/freeze_statistics.py
"""

from __future__ import annotations

import json
from dataclasses import asdict

from winoglot.loading import load
from winoglot.schemas.bundled import bundled
from winoglot.schemas.statistics import STATISTICS_FILE, file_hash, statistics


def frozen_statistics() -> dict[str, object]:
    """The statistics of every bundled collection, with the hash of the file that they were counted in."""
    return {
        name: {"sha256": file_hash(path), "statistics": asdict(statistics(load(name)))}
        for name, path in bundled().items()
    }


if __name__ == "__main__":
    text = json.dumps(frozen_statistics(), indent=1, ensure_ascii=False)
    STATISTICS_FILE.write_text(f"{text}\n", encoding="utf-8")
