"""The report's section on the same schemas in several languages."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.report.columns import language_name
from winoglot.report.figure import Cell, Matrix, MatrixCell
from winoglot.report.page import Section
from winoglot.report.rendering import said
from winoglot.report.tables import Table, Value
from winoglot.runs.comparing import ALPHA
from winoglot.runs.parallel import AGREEMENT, KAPPA, LOST, PARALLEL_ACCURACY, corrected, parallel_rows, parallel_runs
from winoglot.schemas.model import ORIGINAL
from winoglot.schemas.text import primary
from winoglot.statistics.formatting import interval, number, p_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import Summary
    from winoglot.runs.results import Result

    Numbers = Mapping[tuple[str, str, str], Result]  # by language or languages, kind and quantity


_USUAL = "synonym"  # the kind in the figure, if models were asked it


def languages(summary: Summary) -> Section | None:
    """How far each solver's answers agree between languages, and between items and variants in one language."""
    groups = [group for solver in _solvers(summary) for group in _groups(summary, solver)]
    if not groups:
        return None
    tested = iter(corrected(row for _, _, rows in groups for row in rows))
    numbers: list[Numbers] = [
        {(row.language, row.kind, row.metric): row for row in islice(tested, len(rows))} for _, _, rows in groups
    ]
    (solver, tags, _), of_first = groups[0], numbers[0]
    name = summary.main_name(solver)
    together = "+".join(tags)
    kinds = [kind for _, kind, metric in of_first if metric == LOST]
    kind = _USUAL if _USUAL in kinds else kinds[0] if kinds else ""
    values = {
        "name": name,
        "languages": [language_name(primary(tag)) for tag in tags],
        "accuracy": of_first[together, ORIGINAL, PARALLEL_ACCURACY],
        "tests": sum(row.metric == LOST for of_solver in numbers for row in of_solver.values()),
        "solvers": len(groups),
        "kind": kind,
    }
    agreement, lost = of_first[together, ORIGINAL, AGREEMENT], of_first.get((together, kind, LOST))
    headline = said("title_languages", name, agreement, lost, ALPHA)
    names = [summary.main_name(each) for each, _, _ in groups]
    parts = (_matrix(name, tags, of_first, kind), _table(list(zip(names, numbers, strict=True))))
    return Section("languages", "Languages", headline, parts, values)


def _solvers(summary: Summary) -> list[SolverRow]:
    """Models and people or, if there are none, rules."""
    return [solver for solver in summary.main_solvers if solver.role != "baseline"] or list(summary.main_solvers)


def _groups(summary: Summary, solver: SolverRow) -> list[tuple[SolverRow, tuple[str, ...], list[Result]]]:
    """The numbers of each family of parallel collections; none if it is not clear which runs belong together."""
    try:
        groups = parallel_runs([run.run for run in summary.runs if run.solver == solver])
        return [(solver, tuple(runs), list(parallel_rows(runs))) for runs in groups]
    except InputError:
        return []


def _matrix(name: str, tags: tuple[str, ...], numbers: Numbers, kind: str) -> Matrix:
    """Agreement between every two languages below the diagonal; on it, agreement with one kind of variant, if any."""
    rows = []
    for place, tag in enumerate(tags):
        pairs = [("+".join((other, tag)), ORIGINAL) for other in tags[:place]]
        cells = [_cell(numbers, *pair) for pair in (*pairs, (tag, kind))]
        rows.append((language_name(primary(tag)), "", (*cells, *[None] * (len(tags) - len(cells)))))
    if not kind:
        rows = [(label, gloss, cells[:-1]) for label, gloss, cells in rows[1:]]
    return Matrix(
        name="language-agreement",
        title="Agreement between languages",
        unit=f"% of items that are right in both or wrong in both, with κ below; {name}",
        label="Agreement between every two languages",
        heading="Language",
        columns=tuple(map(primary, tags if kind else tags[:-1])),
        rows=tuple(rows),
        key={"": "two languages"} | ({"yes": f"the same language: items and their {kind} variants"} if kind else {}),
        caption=said("language_agreement", kind),
        table_caption="Agreement between languages in percent"
        + (f"; on the diagonal, with {kind} variants" * bool(kind)),
        is_compact=True,
    )


def _cell(numbers: Numbers, tags: str, kind: str) -> MatrixCell | None:
    agreement, kappa = numbers.get((tags, kind, AGREEMENT)), numbers.get((tags, kind, KAPPA))
    if agreement is None or agreement.value is None:
        return None
    words = _kappa(kappa)
    return MatrixCell(
        agreement.estimate, "yes" if kind != ORIGINAL else "", words.partition(" ")[0], f"; κ {words}" if words else ""
    )


def _table(solvers: list[tuple[str, Numbers]]) -> Table | None:
    """For every solver, what is right in all languages, and agreement between them and with each kind of variant."""
    rows: list[dict[str, Value]] = []
    for name, numbers in solvers:
        whole, *_ = numbers.values()
        for kind in dict.fromkeys(kind for _, kind, _ in numbers):
            agreement, kappa, lost = (
                numbers.get((whole.language, kind, metric)) for metric in (AGREEMENT, KAPPA, LOST)
            )
            is_first = kind == ORIGINAL
            rows.append(
                {
                    "solver": name,
                    "languages": whole.language.replace("+", " "),
                    "compared": "between languages" if is_first else f"with {kind}",
                    "agreement": Cell(agreement.estimate) if agreement else None,
                    "κ": _kappa(kappa),
                    "all right": Cell(whole.estimate) if is_first else None,
                    "if independent": whole.numbers["independent"] if is_first else None,
                    "lost": Cell(lost.estimate) if lost else None,
                    "corrected p": p_value(lost.numbers["corrected_p"], is_named=False) if lost else "",
                }
            )
    return Table.of("languages", "The same schemas in several languages, in percent", rows)


def _kappa(row: Result | None) -> str:
    return f"{number(row.value, 'plain')} [{interval(row.estimate, 'plain')}]" if row and row.value is not None else ""
