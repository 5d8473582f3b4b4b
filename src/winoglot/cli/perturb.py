"""`rename` and `switch`: a collection with other names of people, or with the candidates exchanged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import print_lost
from winoglot.cli.completion import locales, one_of
from winoglot.cli.console import print_json
from winoglot.cli.options import Force, Json, Language, Output, Source
from winoglot.errors import InputError
from winoglot.files import check_free
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection


def rename(
    source: Source,
    output: Output,
    names: Annotated[
        str | None,
        typer.Option(
            help="Locale to take names from: pt-BR; by default that of the collection.", autocompletion=one_of(locales)
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same names.")] = 0,
    keep: Annotated[
        list[str] | None, typer.Option(help="Name to keep, besides famous ones and keep_names; may be repeated.")
    ] = None,
    language: Language = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Replace the names of people with others of the same gender, consistently within each schema.

    Example: winoglot rename winoglot-pt --names pt-PT --seed 7 -o renamed.yaml
    """
    from winoglot.languages.names import locale_for
    from winoglot.loading import format_of, load
    from winoglot.perturb.renamed import renamed
    from winoglot.writing.yaml_edits import save_rewritten

    check_free(output, force=force)
    original = load(source, language=language)
    renaming = renamed(original, names or locale_for(original.language), seed, keep or ())
    collection = renaming.collection
    save_rewritten(source, original, collection, output, force=force)
    print_lost([collection], format_of(output))
    if as_json:
        kept: dict[str, dict[str, str]] = {}
        for one in renaming.kept:
            kept.setdefault(one.schema_id, {})[one.name] = one.reason
        print_json({"replaced": renaming.replaced, "kept": kept, "absent": renaming.absent})
        return
    count = sum(map(len, renaming.replaced.values()))
    typer.echo(
        f"{collection.name} ({collection.language}): {counted(count, 'name')} replaced in {len(renaming.replaced)} of "
        f"{counted(len(collection.schemas), 'schema')}, {len(renaming.kept)} kept; written to {output}"
    )
    for reason in sorted({one.reason for one in renaming.kept}):
        names_kept = sorted({one.name for one in renaming.kept if one.reason == reason})
        typer.echo(f"  kept ({reason}): {', '.join(names_kept)}")
    if renaming.absent:
        typer.echo(f"  to be kept, but not in any text: {', '.join(renaming.absent)}")


def switch(
    source: Source,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write, with the originals and the variants.")
    ] = None,
    language: Language = None,
    suggest: Annotated[
        bool,
        typer.Option("--suggest", help="List the untagged schemas that grammar can switch, and why not the others."),
    ] = False,
    force: Force = False,
) -> None:
    """Exchange the candidates of all schemas tagged 'switchable', or of all if none is tagged.

    Only a reader can tell whether a switched schema still makes sense with the answer flipped; tag it if so.

    Example: winoglot switch winoglot-pt -o switched.yaml
    """
    from winoglot.loading import format_of, load
    from winoglot.perturb.base import with_variants
    from winoglot.perturb.switched import KIND, TAG, perturb
    from winoglot.writing.yaml_edits import save_variants

    if suggest and output is not None:
        raise InputError("--suggest writes no file", remedy="Leave out -o or --suggest.")
    collection = load(source, language=language)
    if suggest:
        _print_suggestions(collection)
        return
    if output is None:
        raise InputError("no output was given", remedy="Name a file with -o, or use --suggest.")
    check_free(output, force=force)
    tagged = {schema.id for schema in collection.schemas if TAG in schema.tags}
    among = tagged or {schema.id for schema in collection.schemas}
    had = {schema.id for schema in collection.schemas if KIND in schema.kinds}
    derived = with_variants(collection, KIND, perturb, among)
    save_variants(source, derived.collection, KIND, output, force=force)
    print_lost([derived.collection], format_of(output))
    made = len(among - had - set(derived.refused))
    tried = f"of those tagged {TAG!r}" if tagged else f"all tried, as none is tagged {TAG!r}"
    typer.echo(
        f"{collection.name} ({collection.language}): {counted(made, 'schema')} switched, {len(among & had)} already "
        f"were, {len(derived.refused)} could not be ({tried}); written to {output}"
    )
    for schema_id, reason in derived.refused.items():
        typer.echo(f"  {schema_id}: {reason}")


def _print_suggestions(collection: Collection) -> None:
    from winoglot.perturb.switched import TAG, obstacle

    untagged = [schema for schema in collection.schemas if TAG not in schema.tags]
    obstacles = {schema.id: next(filter(None, map(obstacle, schema.items)), None) for schema in untagged}
    able = [schema_id for schema_id, reason in obstacles.items() if reason is None]
    typer.echo(
        f"{collection.name} ({collection.language}): {len(collection.schemas) - len(untagged)} tagged {TAG!r}; "
        f"the grammar can switch {len(able)} of the {len(untagged)} others"
    )
    for schema_id, reason in obstacles.items():
        typer.echo(f"  {schema_id}: " + ("yes" if reason is None else f"no, {reason}"))
