"""One self-contained HTML page from runs: styles, script, figures and all items inside, nothing fetched."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.errors import InputError
from winoglot.report.again import commands, unbundled
from winoglot.report.finding import choice_of_best, finding
from winoglot.report.items import items_data
from winoglot.report.rows import FEW
from winoglot.report.table import Number, estimate_text
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.section import Section
    from winoglot.report.summary import Summary
    from winoglot.report.table import Table
    from winoglot.runs.run import Run

_BREAKS = re.compile(r"([/:_])")
_CAPTION_ENDS = re.compile(r"[:.](?:\s|$)")  # and not in one@1.0 or sha:01234567
_CITATION = "The Winoglot developers. Winoglot: Winograd schemas in any language, version {version}."


def render(
    summary: Summary,
    sections: Sequence[Section],
    *,
    title: str | None = None,
    runs: Sequence[Run] = (),
    human: Sequence[Run] = (),
) -> str:
    """The page as text. `runs` and `human` are what the summary was made from, for the commands that reproduce them."""
    version = __version__
    made: str = _template().render(
        title=title or default_title(summary),
        version=version,
        finding=finding(summary),
        facts=f"{choice_of_best(summary)} {_facts(summary)}".strip(),
        cautions=any(section.id == "cautions" for section in sections),
        sections=sections,
        commands=commands(runs, human, title),
        unbundled=unbundled((*runs, *human)),
        signatures=list(dict.fromkeys(one.run.signature for one in summary.runs)),
        versions=_versions(summary),
        citation=_CITATION.format(version=version),
        citations=_citations(summary),
        has_schemas=summary.has_schemas,
        data=_script_safe(items_data(summary)),
        style=_read("figures.css") + _read("style.css"),
        script=_read("script.js"),
        few=FEW,
        estimate_text=estimate_text,
        is_estimate=lambda cell: isinstance(cell, Estimate),
        is_number=lambda cell: isinstance(cell, int | Number),
        plain=_plain,
        short=_short,
        breakable=_breakable,
    )
    return made


def tables_of(section: Section) -> list[Table]:
    """The section's own tables, and those of figures that have no table of the same name there."""
    own = [*section.tables, *section.more]
    return own + [figure.table for figure in section.figures if figure.table.name not in {one.name for one in own}]


def default_title(summary: Summary) -> str:
    """A question that names the model, or says how many there are."""
    models = {one.run.settings.model for one in summary.runs if not one.is_human and not one.is_baseline}
    rules = any(one.is_baseline for one in summary.runs)
    who = f"{len(models)} models" if models else "simple rules" if rules else "people"
    do = "do"
    if len(models) == 1:
        who, do = models.pop(), "does"
    are_schemas = all(column.items for column in summary.columns)
    what = "resolve Winograd schemas" if are_schemas else f"answer {', '.join(one.label for one in summary.columns)}"
    return f"How well {do} {who} {what}?"


def _facts(summary: Summary) -> str:
    kinds = Counter(
        "people" if one.is_human else "baseline" if one.is_baseline else "model" for one in _solvers(summary)
    )
    parts = [counted(kinds[kind], kind) for kind in ("model", "baseline") if kinds[kind]]
    parts += ["people"] if kinds["people"] else []
    items = sum(len(column.examples) for column in summary.columns)
    variants = sum(len(column.variants) for column in summary.columns)
    what = f"{counted(items, 'item')}{f' and {variants:,} variants' if variants else ''}"
    where = ", ".join(column.label for column in summary.columns)
    return f"{', '.join(parts)}; {what} in {where}; {counted(len(summary.runs), 'run')}."


def _solvers(summary: Summary) -> list[Any]:
    return list({one.run.settings.model: one for one in summary.runs}.values())


def _versions(summary: Summary) -> list[str]:
    made = Counter(", ".join(f"{name} {value}" for name, value in one.run.made_with.items()) for one in summary.runs)
    return [f"{versions or 'not recorded'}: {counted(count, 'run')}" for versions, count in made.items()]


def _citations(summary: Summary) -> list[str]:
    found = []
    for column in summary.columns:
        one = column.source
        language = f" ({one.language})" if one.language else ""
        parts = [f"{one.name} {one.version}".rstrip() + language]
        if isinstance(one, Collection):
            parts += [one.citation or "", one.licence or ""]
        found.append(". ".join(part.rstrip(".") for part in parts if part) + ".")
    return found


def _script_safe(data: object) -> str:
    """JSON that cannot end the element it is in, whatever a schema's text contains."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _breakable(name: object) -> Any:
    """A name that a narrow column may break after a slash, a colon or an underscore."""
    from markupsafe import Markup, escape

    return Markup(_BREAKS.sub(r"\1<wbr>", str(escape(_plain(name)))))


def _short(caption: str) -> str:
    """What a caption says before its first colon or full stop."""
    return _CAPTION_ENDS.split(caption, maxsplit=1)[0]


def _plain(cell: object) -> str:
    if isinstance(cell, Number):
        return cell.text
    return "–" if cell is None else f"{cell:,}" if isinstance(cell, int) else str(cell)


def _read(name: str) -> str:
    return files("winoglot.report").joinpath(name).read_text(encoding="utf-8")


def _template() -> Any:
    try:
        import jinja2
    except ImportError as error:
        raise InputError("a report needs Jinja2", remedy="Install it: pip install 'winoglot[report]'.") from error
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(_read("page.html"))
