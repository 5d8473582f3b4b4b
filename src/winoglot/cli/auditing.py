"""How `logic check` prints what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from winoglot.cli.pretty import emit, percent, print_rows
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.logic.audit.labels import Reproved
    from winoglot.logic.audit.leakage import Leakage
    from winoglot.logic.audit.report import Audit, FileAudit
    from winoglot.logic.cues import Cue

_SHOWN = 5  # examples; --json gives all


def print_audit(found: Audit) -> None:
    """Each file, then what the files share, then the faults."""
    for one in found.files:
        _print_file(one)
    for shared in found.leakage:
        _print_leakage(shared)
    emit(Text(counted(len(found.faults), "fault"), style="bold red" if found.faults else "bold green"))
    for fault in found.faults:
        emit(Padding(Text(fault), (0, 0, 0, 2)))


def _print_file(one: FileAudit) -> None:
    emit(Text(f"{one.file} ({one.language})", style="bold"))
    labels = ", ".join(f"{count} of {label}" for label, count in one.balance.labels.items())
    _line(f"{counted(one.balance.pairs, 'pair')}: {labels}")
    for duplicate in one.duplicates[:_SHOWN]:
        _line(f"twice: lines {', '.join(map(str, duplicate.lines))}, labels {', '.join(duplicate.labels)}")
    _more(one.duplicates)
    _print_labels(one.labels)
    if one.cues:
        _print_cues(one.cues)
    else:
        _line(f"no cues looked for: {one.no_cues}")
    emit(Text())


def _print_labels(labels: Reproved) -> None:
    how = f"{labels.from_sentences} by their sentences, {labels.from_formulas} by the formulas beside them"
    _line(f"understood: {how}; {len(labels.unread)} not")
    if labels.unsure:
        _line(f"right or wrong by whether a name is a person or a place: {len(labels.unsure)}")
    first, *others = labels.readings
    for name in (first, *(name for name in others if labels.readings[name] != labels.readings[first])):
        disagreements = labels.readings[name]
        _line(f"labels not as proved under the reading {name}: {len(disagreements)}")
        for one in disagreements[:_SHOWN]:
            _line(f"  line {one.line}: label {one.label}, proved {one.proved or 'that the premise cannot be true'}")
        _more(disagreements)


def _print_cues(cues: Sequence[Cue]) -> None:
    print_rows(
        [
            {
                "  baseline": f"  {cue.baseline}",
                "accuracy": percent(cue.accuracy),
                "chance": f"{100 * cue.chance:.1f}",
                "upper limit": f"{100 * cue.upper:.1f}",
                "p": f"{cue.p:.3f}",
                "cue": cue.verdict,
            }
            for cue in cues
        ]
    )
    _line(f"Percent; {cues[0].accuracy.method}. Upper limits (one-sided) and p adjusted by Holm's method.")


def _print_leakage(one: Leakage) -> None:
    emit(Text(f"{one.test} beside {one.train}", style="bold"))
    _line(f"pairs in both: {len(one.pairs)}")
    for what, names in (("people", one.people), ("places", one.places), ("words of names", one.tokens)):
        if names is None:
            _line(f"{what}: cannot be told from the sentences")
        else:
            _line(f"{what} in both: {len(names)} {', '.join(names[:_SHOWN])}{', …' if len(names) > _SHOWN else ''}")
    if one.inside:
        _line(f"names within names: {', '.join(' / '.join(pair) for pair in one.inside[:_SHOWN])}")
    emit(Text())


def _more(things: Sequence[object]) -> None:
    if len(things) > _SHOWN:
        _line(f"  … {len(things) - _SHOWN} more (--json lists all)")


def _line(text: str) -> None:
    emit(Padding(Text(text), (0, 0, 0, 2)))
