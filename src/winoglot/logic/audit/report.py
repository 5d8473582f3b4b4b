"""The full audit of one or more files of pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, require_extra
from winoglot.logic.audit.files import LANGUAGES, PairFile, read_file
from winoglot.logic.audit.labels import QUICK, Meaning, Reproved, check_readings, meanings, reproved
from winoglot.logic.audit.leakage import Duplicate, Leakage, duplicates, file_names, leakage, lost_twins
from winoglot.logic.cues import GroupCues, group_title, shallow
from winoglot.logic.pair import WordCounts
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Begin = Callable[[str], Callable[[int, int], None]]

_ALPHA = 0.001  # for all groups of a file together: a data set is checked often


@dataclass(frozen=True)
class Balance:
    """How often each label occurs in the file or in a group of its pairs: those of a task, a depth or a family."""

    group: str
    labels: dict[str, int]
    balanced: bool


@dataclass(frozen=True)
class FileAudit:
    """The findings for one file. `cues` are given for test files; otherwise `no_cues` says why not."""

    file: str
    languages: tuple[str, ...]
    pairs: int
    unlabelled: int
    words: WordCounts
    three: dict[str, int]
    balance: tuple[Balance, ...]
    duplicates: tuple[Duplicate, ...]
    lost_twins: tuple[int, ...]
    cues: tuple[GroupCues, ...]
    no_cues: str
    labels: Reproved

    @property
    def faults(self) -> list[str]:
        """What is wrong, one line per fault; labels are judged by the first reading."""
        faults = [
            f"the labels{group.group and ' of '}{group.group} are not balanced: {_listing(group.labels)}"
            for group in self.balance
            if not group.balanced
        ]
        if self.duplicates:
            faults.append(counted(sum(len(duplicate.lines) - 1 for duplicate in self.duplicates), "duplicate pair"))
        if self.lost_twins:
            faults.append(f"{counted(len(self.lost_twins), 'pair')} whose twin is missing or does not match")
        for group in self.cues:
            if cues := group.faults:
                listing = ", ".join(f"{cue.baseline} {percent(cue.accuracy.value or 0)}%" for cue in cues)
                faults.append(f"{group_title(group)}: cues: {listing}, where chance is {percent(cues[0].chance)}%")
        first, *others = self.labels.readings
        if wrong_labels := len(self.labels.readings[first]):
            counts = {name: len(self.labels.readings[name]) for name in others}
            other_counts = _listing({name: count for name, count in counts.items() if count != wrong_labels})
            fault = f"{counted(wrong_labels, 'label')} contradicted by the proof under the {first} reading"
            faults.append(f"{fault}; under other readings: {other_counts}" if other_counts else fault)
        if self.labels.differing:
            faults.append(f"{counted(len(self.labels.differing), 'pair')} whose formulas and sentences differ")
        if self.labels.misjudged:
            faults.append(
                f"{counted(len(self.labels.misjudged), 'pair')} whose depth is not the number of facts that decide"
            )
        return faults


@dataclass(frozen=True)
class Audit:
    """The findings for all files, and leakage between training and test files."""

    files: tuple[FileAudit, ...]
    leakage: tuple[Leakage, ...]

    @property
    def faults(self) -> list[str]:
        """What is wrong, one line per fault."""
        faults = [f"{file.file}: {fault}" for file in self.files for fault in file.faults]
        return faults + [
            f"{leak.test}: shared with {leak.train}: {_listing(leak.shared)}" for leak in self.leakage if leak.shared
        ]

    def described(self) -> dict[str, Any]:
        """Return the audit as a dictionary that is ready for JSON."""
        files = [
            asdict(file) | {"cues": [group.described() for group in file.cues], "faults": file.faults}
            for file in self.files
        ]
        return {"files": files, "leakage": [asdict(leak) for leak in self.leakage], "faults": self.faults}


@dataclass(frozen=True)
class _Read:
    file: PairFile
    meanings: list[Meaning | None]
    labels: Reproved


def audit(
    paths: Sequence[Path],
    *,
    train: Sequence[Path] = (),
    language: str | None = None,
    readings: Sequence[str] = QUICK,
    with_cues: bool = True,
    as_cd: bool = False,
    begin: Begin = lambda _: lambda _done, _total: None,
) -> Audit:
    """Audit every file, and look for leakage between each test file and its training file.

    A file with `train` in its name is the training file of the one with `test` (or `validation`) in the same position;
    the files listed in `train` are training files of all others. `as_cd` turns three labels into two first.
    """
    require_extra("proving labels needs", "z3", extra="logic")
    check_readings(readings)
    for path in train:
        if path in paths:
            remedy = "Give it only once, either as a file to check or with --train."
            raise InputError(f"{path} is given both as a training file and as a test file", remedy=remedy)
    if language is not None and language not in LANGUAGES:
        raise InputError(f"unknown language {language!r}", remedy=f"Use one of {', '.join(LANGUAGES)}.")
    files = [read_file(path, language, as_cd=as_cd) for path in dict.fromkeys((*train, *paths))]
    partners = {file.path: _partners(file, files, train) for file in files}
    contents = {file.path: _understand_file(file, readings, begin) for file in files}
    training_paths = {partner.path for training_files in partners.values() for partner in training_files}
    audits = []
    for path, content in contents.items():
        cues: tuple[GroupCues, ...] = ()
        reason = "not requested"
        if path in training_paths:
            reason = "this is a training file"
        elif with_cues:
            training = [pair for partner in partners[path] for pair in partner.pairs]
            progress = begin(f"{path.name}: cues")
            cues = (
                shallow(training, content.file.pairs, progress)
                if training
                else shallow(content.file.pairs, (), progress)
            )
            reason = ""
        audits.append(
            FileAudit(
                str(path),
                tuple(dict.fromkeys(pair.language for pair in content.file.pairs)),
                len(content.file.pairs),
                content.file.unlabelled,
                WordCounts.of([pair.text for pair in content.file.pairs]),
                dict(content.file.three),
                balance(content.file),
                duplicates(content.file),
                lost_twins(content.file),
                cues,
                reason,
                content.labels,
            )
        )
    names = {path: file_names(content.file, content.meanings) for path, content in contents.items()}
    leaks = [
        leakage(partner, content.file, names[partner.path], names[path])
        for path, content in contents.items()
        for partner in partners[path]
    ]
    return Audit(tuple(audits), tuple(leaks))


def balance(file: PairFile) -> tuple[Balance, ...]:
    """Count the labels of the file and of each task, depth and family in it, including labels that never occur.

    In the file no two counts may differ by more than one; a group, which is only drawn in proportion, must not differ
    significantly from equal shares (chi-squared test, adjusted for the number of groups).
    """
    from scipy.stats import chisquare

    share = {"0": 2 / 3, "1": 1 / 3} if file.three else dict.fromkeys(file.classes(), 1 / len(file.classes()))
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in file.pairs:
        features = {"task": pair.task, "depth": pair.depth or "", "family": pair.family}
        for kind, name in features.items():
            if name:
                groups[f"{kind} {name}"][pair.label] += 1
    groups = {name: group_counts for name, group_counts in groups.items() if group_counts.total() < len(file.pairs)}
    counts = Counter(pair.label for pair in file.pairs)
    totals = dict(file.three) or {label: counts[label] for label in share}
    balances = [
        Balance("", {label: counts[label] for label in share}, max(totals.values()) - min(totals.values()) <= 1)
    ]
    for name, group_counts in sorted(groups.items()):
        observed = [group_counts[label] for label in share]
        expected = [part * group_counts.total() for part in share.values()]
        is_fair = float(chisquare(observed, expected).pvalue) >= _ALPHA / len(groups)
        balances.append(Balance(name, {label: group_counts[label] for label in share}, is_fair))
    return tuple(balances)


def files_in(paths: Sequence[Path]) -> list[Path]:
    """The files, and for a folder all files in it of one format: data sets hold the same pairs in several."""
    files = []
    for path in paths:
        files_of_folder = (
            [sorted(path.rglob(f"*{suffix}")) for suffix in (".jsonl", ".csv", ".parquet")] if path.is_dir() else []
        )
        if path.is_dir() and not any(files_of_folder):
            raise InputError("the folder contains no files of pairs", remedy="Name another one.", file=str(path))
        files += next((matches for matches in files_of_folder if matches), [path])
    return files


def _understand_file(file: PairFile, readings: Sequence[str], begin: Begin) -> _Read:
    understood = meanings(file, begin(f"{file.path.name}: reading"))
    return _Read(file, understood, reproved(file, understood, readings, begin(f"{file.path.name}: proving")))


def _partners(test: PairFile, files: Sequence[PairFile], train: Sequence[Path]) -> list[PairFile]:
    """The training files of this test file."""
    path = test.path
    if train:
        partners = [file for file in files if file.path in train] if path not in train else []
    else:
        split = next((word for word in ("test", "validation") if word in path.stem), "")
        before, _, after = path.stem.rpartition(split) if split else ("", "", "")
        training_path = path.with_name(f"{before}train{after}")
        partners = [file for file in files if split and file.path.with_suffix("") == training_path]
        same_format = [file for file in partners if file.path.suffix == path.suffix]
        partners = same_format or partners[:1]  # the same data in another format
    for partner in partners:
        if partner.labels != test.labels:
            remedy = "Use --as cd to turn three labels into two, or other files."
            message = f"its labels are not those of the training file {partner.path}"
            raise InputError(message, remedy=remedy, file=str(path))
    return partners


def _listing(counts: dict[str, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in counts.items())
