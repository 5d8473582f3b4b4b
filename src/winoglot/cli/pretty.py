"""How collections look on a terminal: the notation's own marks, so that nothing is lost without colours."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import astuple
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from winoglot.schemas.item import NO_TERMS
from winoglot.schemas.markup import Marked
from winoglot.schemas.markup_print import escape, print_marked
from winoglot.schemas.parallel import side_by_side
from winoglot.schemas.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import RenderableType

    from winoglot.checks.base import Outcome
    from winoglot.metrics.base import Estimate
    from winoglot.runs.run import Run
    from winoglot.schemas.collection import Collection
    from winoglot.schemas.item import Item
    from winoglot.schemas.schema import Schema
    from winoglot.schemas.statistics import Lengths, Statistics

_CANDIDATE_STYLES = ("cyan", "yellow", "green", "blue")
_PIPE_WIDTH = 160  # where no terminal says how wide it is
_NARROWEST_COLUMN = 36


def make_console(*, stderr: bool = False) -> Console:
    """A console that does not squeeze what goes into a pipe or a file."""
    console = Console(highlight=False, emoji=False, markup=False, stderr=stderr)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH
    return console


def emit(renderable: RenderableType) -> None:
    """Print; without the blanks that fill up a terminal's lines where there is no terminal."""
    console = make_console()
    if console.is_terminal:
        console.print(renderable)
        return
    with console.capture() as captured:
        console.print(renderable)
    lines = captured.get().removesuffix("\n").split("\n")
    sys.stdout.write("".join(line.rstrip(" ") + "\n" for line in lines))


def print_rows(rows: Sequence[Mapping[str, object]]) -> None:
    """A table with a row a mapping; their keys are the head."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for key in rows[0]:
        numeric = all(isinstance(row[key], int | float) for row in rows)
        first = key == next(iter(rows[0]))  # the name, which nobody can do without
        table.add_column(key, justify="right" if numeric else "left", no_wrap=numeric or first, overflow="fold")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    emit(table)


def print_schemas(collections: list[Collection], ids: list[str], *, variants: bool, full: bool) -> None:
    """Every schema in turn; in several languages side by side where the terminal is wide enough."""
    for parallel_id, schemas in side_by_side(collections, ids).items():
        emit(Text(parallel_id, style="bold"))
        blocks: list[RenderableType] = []
        for collection, schema in zip(collections, schemas, strict=True):
            label = [Text(collection.language, style="italic")] if len(collections) > 1 else []
            body = _schema_lines(schema, variants=variants, full=full) if schema else [Text("–", style="dim")]
            blocks.append(Padding(Group(*label, *body), (0, 0, 0, 2)))
        if make_console().width // len(blocks) >= _NARROWEST_COLUMN:
            grid = Table.grid(padding=(0, 2), expand=True)
            for _ in blocks:
                grid.add_column(ratio=1, overflow="fold")
            grid.add_row(*blocks)
            emit(grid)
        else:
            emit(Group(*blocks))
        emit(Text())


def _schema_lines(schema: Schema, *, variants: bool, full: bool) -> list[RenderableType]:
    lines: list[RenderableType] = []
    items: Iterable[Item] = (*schema.items, *schema.variants) if variants else schema.items
    for item in items:
        lines.append(Text(item.id, style="dim"))
        lines += [marked_text(item)] if item.text else [Text(form) for form in _other_forms(item)]
        if item.question:
            lines.append(Text(item.question, style="italic"))
        if item.candidates:
            lines.append(answers_line(item))
        if full:
            lines += [Text(line, style="dim") for line in _further_forms(item)]
    if schema.explanation:
        lines.append(Text(f"Why: {schema.explanation}"))
    if schema.tags:
        lines.append(Text(f"Tags: {', '.join(schema.tags)}", style="dim"))
    if schema.kinds and not variants:
        lines.append(Text(f"Variants: {', '.join(schema.kinds)} (--variants shows them)", style="dim"))
    lines += [Text(f"No {one.kind}: {one.reason}", style="dim") for one in schema.impossible]
    if schema.note:
        lines.append(Text(f"Note: {schema.note}", style="dim"))
    return lines


def _other_forms(item: Item) -> list[str]:
    """What an item without a text consists of."""
    readings = [reading.text for reading in item.readings if reading]
    return readings + [f"{pair.premise} ⇒ {pair.hypothesis} ({pair.entailed})" for pair in item.inferences]


def _further_forms(item: Item) -> list[str]:
    """What an item carries beside its text, one line each."""
    lines = [f"⇒ {index} {hypothesis}" for index, hypothesis in enumerate(item.hypotheses)]
    for index, reading in enumerate(item.readings):
        if item.text and reading and reading.inserted:
            lines.append(f"= {index} {print_marked(Marked(reading.text, (reading.inserted,)))}")
    for index, candidate in enumerate(item.candidates):
        stated = [value for value in astuple(candidate.features) if value]
        lines += [f"Candidate {index} is {', '.join(stated)}"] if stated else []
    if item.phrase and item.text:
        lines.append(f"Phrase: {item.phrase.of(item.text)}")
    if item.terms != NO_TERMS:
        lines.append(f"Terms: {', '.join(item.terms.candidates)} | {item.terms.segment or ''}")
    if item.source:
        lines.append(f"Source: {item.source.collection} {item.source.id or ''}")
    return lines


def marked_text(item: Item) -> Text:
    """The text with { } around the pronoun and [ ] around the segment, and everything coloured."""
    text = item.text or ""
    styles: list[list[str]] = [[] for _ in text]
    for index, candidate in enumerate(item.candidates):
        for mention in candidate.mentions:
            for position in range(mention.start, mention.end):
                styles[position].append(_CANDIDATE_STYLES[index % len(_CANDIDATE_STYLES)])
    marks = [(place, "[", "]", "underline") for place in item.segment]
    marks += [(item.pronoun, "{", "}", "bold magenta")] if item.pronoun else []
    for span, _, _, style in marks:
        for position in range(span.start, span.end):
            styles[position].append(style)
    result = Text()
    run, style = "", ""  # characters of one style go together, so that no letter is parted from its accents
    for position, character in enumerate([*text, ""]):
        # Inner marks close first and open last; of two that cover the same, the segment is the outer one.
        closing = [mark for mark in marks if mark[0].start < mark[0].end == position]
        closing.sort(key=lambda mark: (-mark[0].start, mark[1] == "["))
        opening = [mark for mark in marks if mark[0].start == position]
        opening.sort(key=lambda mark: (-mark[0].end, mark[1] == "{"))
        signs = "".join(right for _, _, right, _ in closing)
        signs += "".join(left + right * (span.start == span.end) for span, left, right, _ in opening)
        new = " ".join(styles[position]) if character else ""
        if signs or new != style:
            result.append(run, style=style)
            result.append(signs, style="dim")
            run, style = "", new
        run += escape(character)
    result.append(run, style=style)
    return result


def answers_line(item: Item) -> Text:
    """The candidates, the right one ticked, each with the form in which it is mentioned if that is another."""
    result = Text()
    for index, candidate in enumerate(item.candidates):
        right = index == item.answer
        result.append(f"{'✓' if right else ' '} {index} ", style="bold green" if right else "dim")
        result.append(candidate.text, style=_CANDIDATE_STYLES[index % len(_CANDIDATE_STYLES)])
        mentions = [mention.of(item.text or "") for mention in candidate.mentions]
        if item.text and mentions != [candidate.text]:
            result.append(f" ({', '.join(mentions) or 'not mentioned'})", style="dim")
        result.append("   ")
    result.rstrip()
    return result


def print_statistics(collection: Collection, counts: Statistics) -> None:
    """Everything `stats` counts, one line each."""
    emit(Text(f"{collection.name} {collection.version} ({collection.language})", style="bold"))
    table = Table.grid(padding=(0, 2))
    table.add_row("schemas", f"{counts.schemas}, with {_spell(counts.items_per_schema, 'items')}")
    table.add_row("items", str(counts.items))
    table.add_row("variants", _spell(counts.variants))
    table.add_row("answers", _spell(counts.answers))
    table.add_row("right answer is mentioned", _spell(counts.answers_by_mention))
    table.add_row("pronouns", _spell(counts.pronouns))
    table.add_row("subsets", _spell(counts.subsets))
    table.add_row("tags", _spell(counts.tags))
    table.add_row("characters", _spell_lengths(counts.characters))
    table.add_row("words between blanks", _spell_lengths(counts.words))
    table.add_row("hashes", ", ".join(f"{kind} {value}" for kind, value in counts.hashes.items()))
    table.add_row("licence", collection.licence or "not stated")
    emit(Padding(table, (0, 0, 1, 2)))


def _spell(counts: Mapping[str, int] | Mapping[int, int], unit: str = "") -> str:
    """Counts in words: `first: 6, second: 6`; with a unit, `6 of 2 items`."""
    if unit:
        return ", ".join(f"{count} of {key} {unit}" for key, count in counts.items())
    return ", ".join(f"{key}: {count}" for key, count in counts.items()) or "none"


def _spell_lengths(lengths: Lengths | None) -> str:
    if lengths is None:
        return "not counted: no texts, or a script without blanks"
    return f"{lengths.shortest} to {lengths.longest}, median {lengths.median:g}"


def print_outcome(outcome: Outcome) -> None:
    """Findings one below the other, then a table that counts them by rule."""
    for finding in (*outcome.errors, *outcome.warnings):
        style = "bold red" if finding.severity == "error" else "yellow"
        line = Text.assemble((str(finding.severity), style), f" {finding.code} {finding.item or finding.schema or ''}")
        emit(Group(line, Padding(Text(f"{finding.message}. {finding.remedy}"), (0, 0, 0, 2))))
    counts = Counter((finding.code, finding.severity) for finding in (*outcome.errors, *outcome.warnings))
    rows = [{"rule": code, "severity": severity, "findings": count} for (code, severity), count in counts.items()]
    if rows:
        print_rows(sorted(rows, key=lambda row: (str(row["severity"]), str(row["rule"]))))
    for code, why in outcome.not_run:
        emit(Text(f"not run: {code}: {why}", style="dim"))
    accepted = f"; {outcome.accepted} accepted by the baseline" if outcome.accepted else ""
    found = f"{counted(len(outcome.errors), 'error')}, {counted(len(outcome.warnings), 'warning')}{accepted}"
    emit(Text(found, style="bold"))


def print_runs(runs: Sequence[Run], interval: str = "bootstrap") -> None:
    """A row a run: each figure with its interval and n. What all runs share is said once, below."""
    rows: list[dict[str, object]] = []
    methods: dict[str, set[str]] = {name: set() for name in ("accuracy", "pairs", "consistency")}
    unlabelled: dict[str, int] = {}
    for run in runs:
        outcomes = run.outcomes()
        estimates = {
            "accuracy": run.accuracy(interval=interval),
            "pairs": run.pair_accuracy(interval=interval),
            "consistency": run.consistency(interval=interval),
        }
        for name, estimate in estimates.items():
            methods[name] |= {_method(estimate)} if estimate.value is not None else set()
        if len(outcomes) > estimates["accuracy"].n:
            unlabelled[run.collection.name] = len(outcomes) - estimates["accuracy"].n
        rows.append(
            {
                "collection": run.collection.name,
                "model": run.settings.model,
                "scoring": run.settings.scoring,
                "readings": run.settings.readings,
                "accuracy": percent(estimates["accuracy"]),
                "n": estimates["accuracy"].n,
                "pairs": percent(estimates["pairs"]),
                "consistency": percent(estimates["consistency"]),
                "abstained": sum(outcome.choice is None for outcome in outcomes),
                "fallback": sum(outcome.fallback for outcome in outcomes),
                "items/s": f"{run.scored / run.seconds:.1f}" if run.seconds >= 1 else "",
            }
        )
    shared = {name: rows[0][name] for name in ("scoring", "readings") if len({row[name] for row in rows}) == 1}
    empty = {name for name in ("consistency", "items/s") if not any(row[name] for row in rows)}
    print_rows([{name: cell for name, cell in row.items() if name not in {*shared, *empty}} for row in rows])
    said = "".join(f"{name.capitalize()}: {value}. " for name, value in shared.items())
    spelt = _spell_methods(methods)
    figures = f"Percent, with 95% intervals ({spelt}). An abstention is not right." if spelt else ""
    emit(Text(f"{said}{figures}".rstrip()))
    for name, count in unlabelled.items():
        emit(Text(f"Items of {name} without an answer, so neither right nor wrong: {count}"))
    _print_notes(runs, shared)
    _print_spread(runs)
    _print_spent(runs)


def _method(estimate: Estimate) -> str:
    """How an interval was made, without the numbers of one run."""
    return estimate.method.partition(";")[0].partition(" over ")[0]


def _spell_methods(methods: Mapping[str, set[str]]) -> str:
    """Each column's, or once where all have the same: `accuracy BCa; pairs exact (Clopper-Pearson)`."""
    spelt = {name: " or ".join(sorted(found)) for name, found in methods.items() if found}
    alike = set(spelt.values())
    return next(iter(alike)) if len(alike) == 1 else "; ".join(f"{name} {method}" for name, method in spelt.items())


def _print_notes(runs: Sequence[Run], shared: Mapping[str, object]) -> None:
    """What the figures do not tell of each run, a line each where there is something."""
    for run in runs:
        apart = [getattr(run.settings, name) for name in ("scoring", "readings") if name not in shared]
        name = f"{' '.join([run.settings.model, *apart])} on {run.collection.name}"
        notes = run.notes()
        if notes:
            counts = ", ".join(f"{note} {count}" for note, count in notes.items())
            emit(Text(f"Abstentions of {name}: {counts}"))
        unknown = run.unknown_tokens()
        if unknown:
            emit(Text(f"Tokens unknown to {name}: {_small_percent(unknown)}"))
        skipped = run.skipped()
        if skipped:
            where = counted(len(skipped), "item")
            emit(Text(f"Characters skipped at the window's start by {name}: {sum(skipped.values())}, in {where}"))


def _print_spent(runs: Sequence[Run]) -> None:
    """What servers were asked for, over all runs of a model."""
    from winoglot.runs.store import added

    totals: dict[str, dict[str, float]] = {}
    for run in runs:
        if run.spent:
            totals[run.settings.model] = added(totals.get(run.settings.model, {}), run.spent)
    for model, counts in totals.items():
        spelt = (f"{name.replace('_', ' ')} {count:,.4f}".removesuffix(".0000") for name, count in counts.items())
        emit(Text(f"Spent by {model}: {', '.join(spelt)}"))


def _small_percent(share: float) -> str:
    return f"{100 * share:.1f}%" if share >= 0.001 else "less than 0.1%"


def _print_spread(runs: Sequence[Run]) -> None:
    """How far the accuracies of one model lie apart by prompt."""
    from winoglot.runs.spread import prompt_spreads

    said = {
        f"Accuracy of {run.settings.model} on {run.collection.name} by prompt: {100 * spread.low:.1f} to "
        f"{100 * spread.high:.1f} over {spread.prompts} prompts": None
        for run, spread in zip(runs, prompt_spreads(runs), strict=True)
        if spread is not None
    }
    for line in said:
        emit(Text(line))


def percent(estimate: Estimate) -> str:
    """Value and limits in percent, as tables show them; nothing where it is undefined."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    return f"{100 * estimate.value:.1f} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"
