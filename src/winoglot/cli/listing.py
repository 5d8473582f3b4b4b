"""`list`: the bundled collections, the plug-ins of every kind, and other names that commands take."""

from __future__ import annotations

from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot import registry
from winoglot.cli.collections import statistics_of
from winoglot.cli.completion import described, listable, one_of
from winoglot.cli.console import emit, print_json, print_rows
from winoglot.cli.options import Json
from winoglot.errors import InputError, did_you_mean
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable


def list_(
    what: Annotated[
        str,
        typer.Argument(
            help="collections, formats, languages, checks, models, scorings, readings, kinds (of variants), metrics, "
            "measures, recipes, references (runs that come with Winoglot), study-questions or logic-tasks.",
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
    elif what == "languages":
        _print_languages(as_json)
    elif what == "references":
        _print_references(as_json)
    elif as_json:
        print_json(list(_names(what)))
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


def language_features() -> dict[str, dict[str, bool]]:
    """What Winoglot has for each language, by feature and language code."""
    from winoglot.languages.agreement import is_described
    from winoglot.languages.base import language_hook
    from winoglot.languages.names import locales
    from winoglot.languages.rewriting import REWRITINGS, has_rule
    from winoglot.models.servers.prompts import FOLDER
    from winoglot.schemas.bundled import bundled
    from winoglot.study.web.texts import PAGE_LANGUAGES
    from winoglot.writing.conversation import languages_with_examples

    collections = {name.rpartition("-")[2] for name in bundled()}
    with_names = {primary(locale) for locale in locales()}
    has: dict[str, Callable[[str], bool]] = {
        "collection": lambda code: code in collections,
        "readings": lambda code: language_hook(code, "substitute") is not None,
        "readings of unspoken pronouns": lambda code: language_hook(code, "unspoken") is not None,
        "agreement in check": is_described,
        "switched": lambda code: language_hook(code, "substitute") is not None,
        "renamed": lambda code: code in with_names,
        **{f"{kind} by rule": partial(has_rule, kind=kind) for kind in REWRITINGS},
        "drafts from a model": lambda code: code in languages_with_examples(),
        "prompts for chat models": lambda code: (FOLDER / f"{code}.yaml").is_file(),
        "study pages": lambda code: code in PAGE_LANGUAGES,
        "logic data": lambda code: files("winoglot.logic.languages").joinpath(code).is_dir(),
    }
    return {feature: {code: test(code) for code in _names("languages")} for feature, test in has.items()}


def _print_languages(as_json: bool) -> None:
    features = language_features()
    codes = _names("languages")
    called = {code: _description("languages", code).replace(",", ":").partition(":")[0] for code in codes}
    if as_json:
        rows = {code: {feature: has[code] for feature, has in features.items()} for code in codes}
        print_json({code: {"language": called[code], **row} for code, row in rows.items()})
        return
    print_rows(
        [
            {"feature": feature, **{code: "✓" if has[code] else "" for code in codes}}
            for feature, has in features.items()
        ]
    )
    emit(", ".join(f"{code} {name}" for code, name in called.items()))


def _by_family(collections: Iterable[str]) -> str:
    """Names of collections with the language behind a hyphen, shortened.

    >>> _by_family(["winoglot-de", "winoglot-en"])
    'winoglot: de en'
    """
    languages: dict[str, list[str]] = {}
    for name in collections:
        family, _, language = name.rpartition("-")
        languages.setdefault(family, []).append(language)
    return "; ".join(f"{family}: {' '.join(codes)}" for family, codes in languages.items())


def _print_references(as_json: bool) -> None:
    """As JSON a row per run, and as a table one per model, where all its collections stand together."""
    from winoglot.runs.references import stored_references

    rows = [
        {
            **{name: run["settings"][name] for name in ("model", "scoring", "readings", "kinds")},
            **{name: run[name] for name in ("collection", "version", "date", "signature")},
            "n": len(run["scores"]),
        }
        for run in stored_references()
    ]
    if as_json:
        print_json(rows)
        return
    same = ("model", "scoring", "readings", "version", "date")
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        alike.setdefault(tuple(row[name] for name in same), []).append(row)
    print_rows(
        [
            {
                **dict(zip(same, key, strict=True)),
                "n": sum(row["n"] for row in group),
                "collections": _by_family(row["collection"] for row in group),
            }
            for key, group in alike.items()
        ]
    )


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
            "validated": counts.validated,
        }
        for counts in map(statistics_of, bundled())
    ]
    if as_json:
        print_json(rows)
    else:
        print_rows(rows)
