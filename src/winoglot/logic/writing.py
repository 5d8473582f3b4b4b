"""Write a data set to files: CSV, JSON Lines and Parquet per split, a data card and statistics."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.files import check_free, write_all
from winoglot.logic.card import card
from winoglot.logic.dataset import PairRow
from winoglot.logic.extras import require
from winoglot.logic.statistics import statistics

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from winoglot.logic.dataset import DataSet
    from winoglot.logic.recipe import DataRecipe
    from winoglot.logic.statistics import DatasetStatistics


def paths(recipe: DataRecipe, folder: Path) -> list[Path]:
    """The files of a data set: those of each non-empty split, the card and the statistics."""
    sizes = {"train": recipe.train, "test": recipe.test}
    return [
        *(
            folder / f"{recipe.task}_{split}.{kind}"
            for split, size in sizes.items()
            if size
            for kind in ("jsonl", "csv", "parquet")
        ),
        folder / f"{recipe.task}_statistics.json",
        folder / f"{recipe.task}_card.md",
    ]


def check_writable(recipes: Sequence[DataRecipe], folder: Path, *, force: bool) -> None:
    """Check before the work starts that the files can be written."""
    require("pyarrow", "writing Parquet")
    for recipe in recipes:
        for path in paths(recipe, folder):
            check_free(path, force=force)


def write(made: DataSet, folder: Path, *, force: bool = False) -> DatasetStatistics:
    """Write all files, or none if one of them already exists; return the statistics."""
    counts = statistics(made)
    files: list[str | bytes] = []
    for split, rows in made.splits.items():
        if made.recipe.size(split):
            files += [as_jsonl(rows), as_csv(rows), as_parquet(rows, made.recipe)]
    files += [json.dumps(described(made, counts), ensure_ascii=False, indent=1) + "\n", card(made, counts)]
    contents = dict(zip(paths(made.recipe, folder), files, strict=True))
    write_all({path: partial(contents.__getitem__, path) for path in contents}, force=force)
    return counts


def described(made: DataSet, counts: DatasetStatistics) -> dict[str, Any]:
    """Recipe and statistics as a JSON-ready dictionary."""
    corrected = {"corrected": dict(made.corrected)} if made.recipe.paper else {}
    return {"winoglot": __version__, **asdict(made.recipe), **corrected, **asdict(counts)}


def as_jsonl(rows: Sequence[PairRow]) -> str:
    """One JSON object per line."""
    return "".join(json.dumps(row.described(), ensure_ascii=False) + "\n" for row in rows)


def as_csv(rows: Sequence[PairRow]) -> str:
    """One line per row, with the names as JSON."""
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(field.name for field in fields(PairRow))
    table.writerows(_cells(row).values() for row in rows)
    return text.getvalue()


def as_parquet(rows: Sequence[PairRow], recipe: DataRecipe) -> bytes:
    """The same columns as the CSV file; the recipe is in the file's metadata."""
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    table = pyarrow.Table.from_pylist([_cells(row) for row in rows])
    buffer = io.BytesIO()
    parquet.write_table(
        table.replace_schema_metadata({"winoglot": json.dumps(asdict(recipe))}), buffer, compression="zstd"
    )
    return buffer.getvalue()


def _cells(row: PairRow) -> dict[str, Any]:
    return row.described() | {"names": json.dumps(row.names, ensure_ascii=False)}
