"""Probes of a run on disk: the folder `probes` beside its predictions, one file of arrays per batch.

A batch's probes are written before its predictions, all or none. So an item that has a prediction but no probe was
answered when no probes were wanted, and is scored again if they are wanted later.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from winoglot.errors import InputError
from winoglot.files import check_plain, write_whole
from winoglot.models.scoring.probes import Distribution, Probe

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROBES = "probes"
_MOST_BYTES = 2**30  # of the probes of one batch
_REMEDY = "Delete the file and repeat the command that made the run: its items are asked again."


class Probes(Mapping[str, Probe]):
    """The probes of a run by item id; with a folder, they are stored there and read when first used."""

    def __init__(self, folder: Path | None = None) -> None:
        """Open those in the folder of a run, if there are any; without a folder, begin with none."""
        self._folder = None if folder is None else folder / PROBES
        self._found: dict[str, Probe] | None = {} if folder is None else None

    def __getitem__(self, item: str) -> Probe:
        """The probe of an item."""
        return self._by_item[item]

    def __iter__(self) -> Iterator[str]:
        """The ids of the items that were probed."""
        return iter(self._by_item)

    def __len__(self) -> int:
        """How many items were probed."""
        return len(self._by_item)

    @property
    def _by_item(self) -> dict[str, Probe]:
        if self._found is None:
            self._found = {item: probe for file in self._files() for item, probe in _read_probes(file).items()}
        return self._found

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.npz")) if self._folder else []

    @cached_property
    def stored(self) -> set[str]:
        """The ids of the items that were probed, without reading what was found."""
        return {str(item) for file in self._files() for item in _arrays(file, ("items",))["items"]}

    def add(self, probes: Mapping[str, Probe]) -> None:
        """Add those of a batch; with a folder, they are on disk when this returns."""
        if not probes:
            return
        self.stored.update(probes)
        if self._found is not None:
            self._found.update(probes)
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            number = int(self._files()[-1].stem) + 1 if self._files() else 0
            write_whole(self._folder / f"{number:06}.npz", _to_bytes(probes))


def _to_bytes(probes: Mapping[str, Probe]) -> bytes:
    """The content of a file: arrays whose lengths differ by item are concatenated, with the lengths beside them."""
    values = list(probes.values())
    pooled = [probe.pooled for probe in values if len(probe.pooled)]
    stream = io.BytesIO()
    np.savez(
        stream,
        items=np.array(list(probes)),
        notes=np.array([probe.note for probe in values]),
        sees_after=np.array([probe.sees_after for probe in values]),
        sizes=np.array([len(probe.distribution.tokens) for probe in values]),
        tokens=np.concatenate([probe.distribution.tokens for probe in values]).astype(np.int32),
        probabilities=np.concatenate([probe.distribution.probabilities for probe in values]).astype(np.float32),
        texts=np.array([len(probe.pooled) for probe in values]),
        pooled=np.concatenate(pooled).astype(np.float32) if pooled else np.empty((0, 0), dtype=np.float32),
    )
    return stream.getvalue()


_ARRAYS = ("items", "notes", "sees_after", "sizes", "tokens", "probabilities", "texts", "pooled")


def _arrays(file: Path, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    check_plain(file, _MOST_BYTES, _REMEDY)
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as archive:  # it leaves damaged files open
            return {name: archive[name] for name in names}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(
            f"expected the probes of a run, cannot read them: {error}", remedy=_REMEDY, file=str(file)
        ) from error


def _read_probes(file: Path) -> dict[str, Probe]:
    arrays = _arrays(file, _ARRAYS)
    ends, rows = np.cumsum(arrays["sizes"]), np.cumsum(arrays["texts"])
    if ends[-1:].tolist() != [len(arrays["tokens"])] or rows[-1:].tolist() != [len(arrays["pooled"])]:
        raise InputError("the arrays of these probes differ in length", remedy=_REMEDY, file=str(file))
    distributions = zip(
        np.split(arrays["tokens"], ends[:-1]), np.split(arrays["probabilities"], ends[:-1]), strict=True
    )
    return {
        str(item): Probe(Distribution(*distribution), pooled, bool(sees_after), str(note))
        for item, distribution, pooled, sees_after, note in zip(
            arrays["items"],
            distributions,
            np.split(arrays["pooled"], rows[:-1]),
            arrays["sees_after"],
            arrays["notes"],
            strict=True,
        )
    }
