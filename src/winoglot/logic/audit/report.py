"""The full audit of one or more files of pairs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.logic.audit.balance import Balance, balance
from winoglot.logic.audit.duplicates import Duplicate, duplicates, extra
from winoglot.logic.audit.labels import QUICK, Reproved, check_readings, reproved
from winoglot.logic.audit.language import language_of
from winoglot.logic.audit.leakage import Leakage, leakage
from winoglot.logic.audit.meaning import meanings, names_in
from winoglot.logic.audit.names import FileNames, file_names
from winoglot.logic.audit.pair_file import PairFile, read_pairs
from winoglot.logic.cues import Cue, Sample, cues
from winoglot.logic.vocabulary import known_language
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class FileAudit:
    """The findings for one file. `cues` are given for test files; otherwise `no_cues` says why not."""

    file: str
    language: str
    balance: Balance
    duplicates: tuple[Duplicate, ...]
    cues: tuple[Cue, ...]
    no_cues: str
    labels: Reproved

    @property
    def faults(self) -> list[str]:
        """What is wrong, one line per fault; labels are judged by the first reading."""
        found = [] if self.balance.balanced else [f"the labels are not balanced: {_spelt(self.balance.labels)}"]
        if self.duplicates:
            found.append(counted(extra(self.duplicates), "duplicate pair"))
        found += [
            f"{cue.baseline} gets {100 * (cue.accuracy.value or 0):.1f}% where chance is {100 * cue.chance:.1f}%"
            for cue in self.cues
            if cue.verdict == "cue"
        ]
        first, *others = self.labels.readings
        if wrong := len(self.labels.readings[first]):
            differ = {name: len(self.labels.readings[name]) for name in others}
            besides = _spelt({name: count for name, count in differ.items() if count != wrong})
            said = f"{counted(wrong, 'label')} contradicted by the proof under the {first} reading"
            found.append(f"{said}; under other readings: {besides}" if besides else said)
        return found


@dataclass(frozen=True)
class Audit:
    """The findings for all files, and leakage between training and test files."""

    files: tuple[FileAudit, ...]
    leakage: tuple[Leakage, ...]

    @property
    def faults(self) -> list[str]:
        """What is wrong, one line per fault."""
        found = [f"{one.file}: {fault}" for one in self.files for fault in one.faults]
        for one in self.leakage:
            shared = {
                "pairs": len(one.pairs),
                "people": len(one.people or ()),
                "places": len(one.places or ()),
                "words of names": len(one.tokens),
                "names within names": len(one.inside),
            }
            if one.found:
                said = _spelt({name: count for name, count in shared.items() if count})
                found.append(f"{one.test}: shared with {one.train}: {said}")
        return found

    def described(self) -> dict[str, Any]:
        """A JSON-ready dictionary."""
        files = []
        for one in self.files:
            said = asdict(one) | {"cues": [cue.described() for cue in one.cues], "faults": one.faults}
            files.append(said)
        return {"files": files, "leakage": [asdict(one) for one in self.leakage], "faults": self.faults}


@dataclass(frozen=True)
class _Read:
    file: PairFile
    language: str
    names: FileNames
    labels: Reproved


def audit(
    paths: Sequence[Path],
    *,
    train: Sequence[Path] = (),
    language: str | None = None,
    readings: Sequence[str] = QUICK,
    with_cues: bool = True,
    begin: Callable[[str], Callable[[int, int], None]] = lambda _: lambda _done, _total: None,
) -> Audit:
    """Audit every file, and look for leakage between each test file and its training file.

    A file with `train` in its name is the training file of the one with `test` in the same position; the files listed
    in `train` are training files of all others.
    """
    check_readings(readings)
    for path in train:
        if path in paths:
            remedy = "Give it only once, either as a file to check or with --train."
            raise InputError(f"{path} is given both as a training file and as a test file", remedy=remedy)
    if language is not None:
        known_language(language)
    read = {path: _read(path, language, readings, begin) for path in dict.fromkeys((*train, *paths))}
    partners = {path: _partners(path, list(read), train) for path in read}
    learnt_from = {partner for found in partners.values() for partner in found}
    audits = []
    for path, one in read.items():
        found: tuple[Cue, ...] = ()
        why = "not requested"
        if path in learnt_from:
            why = "this is a training file"
        elif with_cues:
            found, why = _cues(one, [read[partner] for partner in partners[path]], begin)
        audits.append(
            FileAudit(str(path), one.language, balance(one.file), duplicates(one.file), found, why, one.labels)
        )
    leaks = [
        leakage(read[partner].file, one.file, read[partner].names, one.names)
        for path, one in read.items()
        for partner in partners[path]
    ]
    return Audit(tuple(audits), tuple(leaks))


def _read(
    path: Path, language: str | None, readings: Sequence[str], begin: Callable[[str], Callable[[int, int], None]]
) -> _Read:
    file = read_pairs(path)
    tag = language or language_of(file)
    understood = meanings(file, tag, begin(f"{path.name}: reading"))
    names = file_names(file, tag, names_in(understood))
    return _Read(file, tag, names, reproved(file, understood, readings, begin(f"{path.name}: proving")))


def _partners(path: Path, known: Sequence[Path], train: Sequence[Path]) -> list[Path]:
    """The training files of this test file."""
    if path in train:
        return []
    if train:
        return list(dict.fromkeys(train))
    before, test, after = path.stem.rpartition("test")
    wanted = path.with_name(f"{before}train{after}")
    found = [one for one in known if test and one.with_suffix("") == wanted]
    return [one for one in found if one.suffix == path.suffix] or found[:1]  # the same data in another format


def _cues(
    tested: _Read, trained: Sequence[_Read], begin: Callable[[str], Callable[[int, int], None]]
) -> tuple[tuple[Cue, ...], str]:
    progress = begin(f"{tested.file.path.name}: cues")
    samples = [Sample.of(one.file.texts, one.file.classes, tested.language) for one in (tested, *trained)]
    if len({one.file.labels for one in (tested, *trained)}) > 1:
        return (), "its labels differ from those of the training file"
    try:
        if not trained:
            return cues(samples[0], None, progress), ""
        learnt = Sample(
            tuple(pair for sample in samples[1:] for pair in sample.pairs),
            tuple(label for sample in samples[1:] for label in sample.labels),
        )
        return cues(learnt, samples[0], progress), ""
    except InputError as error:
        return (), error.message


def _spelt(counts: dict[str, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in counts.items())
