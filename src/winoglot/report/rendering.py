"""Templates: pages, pictures, LaTeX tables and sentences are Jinja files in `templates/`, filled in here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.palette import candidate_colour, letter, palette
from winoglot.report.reproduce import wrapped
from winoglot.report.solvers import maker_and_name
from winoglot.report.summary import FEW
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import interval, number, p_value, tick_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_LONGEST = 40  # characters of a name in a headline


def rendered(template: str, **values: Any) -> str:
    """A template, filled in; values are escaped if it is HTML or SVG."""
    text: str = environment(is_html=template.endswith((".html", ".svg"))).get_template(template).render(**values)
    return text


def said(sentence: str, *arguments: Any, **named: Any) -> str:
    """A sentence of `templates/sentences.txt`, on one line."""
    text: str = getattr(_sentences(), sentence)(*arguments, **named)
    return " ".join(text.split())


def has_sentence(sentence: str) -> bool:
    """Whether there is such a sentence: a measure of another package has none."""
    return hasattr(_sentences(), sentence)


def listed(names: Sequence[str]) -> str:
    """Names as a text lists them.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def shortened(name: str, longest: int = _LONGEST) -> str:
    """A name with its middle left out: names of models differ at their ends.

    >>> shortened("causal:/models/organisation/a-rather-long-name-7b-instruct-v2", 26)
    'causal:/mo…-7b-instruct-v2'
    """
    head = 2 * longest // 5
    return name if len(name) <= longest else f"{name[:head]}…{name[head + 1 - longest :]}"


@cache
def environment(folder: Path | None = None, *, is_html: bool) -> Any:
    """Where templates are found, first in the folder, and what they may call."""
    try:
        import jinja2
    except ImportError as error:
        raise InputError("a report needs Jinja2", remedy="Install it: pip install 'winoglot[report]'.") from error

    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [*([jinja2.FileSystemLoader(folder)] if folder else []), jinja2.PackageLoader("winoglot.report")]
        ),
        autoescape=is_html,
        undefined=jinja2.StrictUndefined,
        trim_blocks=is_html,
        lstrip_blocks=is_html,
    )
    environment.globals |= {
        "FEW": FEW,
        "counted": counted,
        "interval": interval,
        "listed": listed,
        "maker_and_name": maker_and_name,
        "number": number,
        "p_value": p_value,
        "palette": palette,
        "candidate_colour": candidate_colour,
        "letter": letter,
        "shortened": shortened,
        "tick_text": tick_text,
    }
    environment.filters["wrapped"] = wrapped
    return environment


@cache
def _sentences() -> Any:
    return environment(is_html=False).get_template("sentences.txt").module
