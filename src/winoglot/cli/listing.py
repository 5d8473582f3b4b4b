"""`list`: the bundled collections, the plug-ins of every kind, and other names that commands take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from winoglot import registry
from winoglot.cli.collections import statistics_of
from winoglot.cli.completion import described, listable, one_of
from winoglot.cli.console import print_json, print_rows
from winoglot.cli.options import Json
from winoglot.errors import InputError, did_you_mean
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Collection


def list_(
    what: Annotated[
        str,
        typer.Argument(
            help="collections, formats, languages, checks, models, scorings, readings, kinds (of variants), metrics, "
            "measures, recipes, study-questions or logic-tasks.",
            autocompletion=one_of(listable),
        ),
    ] = "collections",
    as_json: Json = False,
) -> None:
    """List the bundled collections, or the names that an option takes, each with a line that says what it is.

    Plug-ins of other packages are included.

    Example: winoglot list formats
    """
    if what == "collections":
        _print_collections(as_json)
        return
    what = "perturbations" if what == "kinds" else what
    if what not in listable():
        raise InputError(f"cannot list {what!r}", remedy=did_you_mean(what, listable()))
    if what == "metrics":
        from winoglot.cli.run_table import print_metrics

        print_metrics(as_json=as_json)
    elif as_json:
        print_json(list(_names(what)))
    elif what == "languages":
        print_rows([_about_language(name) for name in _names(what)])
    elif _names(what):
        print_rows([{"name": name, "what it is": _description(what, name)} for name in _names(what)])
    else:
        typer.echo(f"No {what} are installed.", err=True)
    if what in registry.KINDS:
        for name, source in registry.ignored(what).items():
            typer.echo(f"Ignored: {source}, registered under {what} as {name!r}: a built-in has that name.", err=True)


def _names(what: str) -> Collection[str]:
    return registry.names(what) if what in registry.KINDS else described(what)


def _description(what: str, name: str) -> str:
    return registry.summary(what, name) if what in registry.KINDS else described(what)[name]


def _about_language(name: str) -> dict[str, object]:
    """What Winoglot has for a language, besides readings by its grammar."""
    from winoglot.languages.names import locales
    from winoglot.languages.rewriting import REWRITINGS, has_rule
    from winoglot.models.servers.prompts import FOLDER
    from winoglot.schemas.bundled import bundled
    from winoglot.study.web.texts import CATALOGUES

    rules = [kind for kind in REWRITINGS if has_rule(name, kind)]
    return {
        "name": name,
        "language": _description("languages", name).replace(",", ":").partition(":")[0],
        "collection": ", ".join(stem for stem in bundled() if stem.endswith(f"-{name}")),
        "variants by rule": "all kinds" if len(rules) == len(REWRITINGS) else ", ".join(rules),
        "names": ", ".join(locale for locale in locales() if primary(locale) == name),
        "prompts": "yes" if (FOLDER / f"{name}.yaml").is_file() else "",
        "study pages": "yes" if (CATALOGUES / f"{name}.po").is_file() else "",
    }


def _print_collections(as_json: bool) -> None:
    from winoglot.schemas.bundled import bundled

    rows = [
        {
            "name": counts.collection,
            "version": counts.version,
            "language": counts.language,
            "schemas": counts.schemas,
            "items": counts.items,
            "variants": sum(counts.variants.values()),
            "licence": counts.licence,
        }
        for counts in map(statistics_of, bundled())
    ]
    if as_json:
        print_json(rows)
    else:
        print_rows(rows)
