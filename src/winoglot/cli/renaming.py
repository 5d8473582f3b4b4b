"""`rename`: other names for the people of a collection."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from winoglot.cli.collections import Language
from winoglot.cli.files import Force, Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(rename)


def rename(
    source: Annotated[str, typer.Argument(help="Bundled name, path, or format:path.")],
    names: Annotated[str, typer.Option("--names", help="The locale whose list of names is taken: pt-BR.")],
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same names.")],
    output: Output,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep", help="A name that stays, beside famous ones and the collection's keep_names; repeat it."
        ),
    ] = None,
    language: Language = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print which name stands for which as JSON.")] = False,
) -> None:
    """Replace the names of people by others of the same gender, in every text of a schema alike.

    Example: winoglot rename winoglot-pt --names pt-PT --seed 7 -o renamed.yaml
    """
    from winoglot.cli.files import print_lost
    from winoglot.files import check_free
    from winoglot.languages.renaming import renamed
    from winoglot.loading import format_of, load, save
    from winoglot.schemas.text import counted

    check_free(output, force=force)
    renaming = renamed(load(source, language=language), names, seed, keep or ())
    collection = renaming.collection
    save(collection, output, force=force)
    print_lost([collection], format_of(output))
    if as_json:
        kept: dict[str, dict[str, str]] = {}
        for one in renaming.kept:
            kept.setdefault(one.schema_id, {})[one.name] = one.reason
        told = {"replaced": renaming.replaced, "kept": kept, "absent": renaming.absent}
        typer.echo(json.dumps(told, ensure_ascii=False))
        return
    count = sum(map(len, renaming.replaced.values()))
    typer.echo(
        f"{collection.name} ({collection.language}): {counted(count, 'name')} replaced in {len(renaming.replaced)} of "
        f"{counted(len(collection.schemas), 'schema')}, {len(renaming.kept)} kept; written to {output}"
    )
    for reason in sorted({one.reason for one in renaming.kept}):
        typer.echo(
            f"  kept, {reason}: {', '.join(sorted({one.name for one in renaming.kept if one.reason == reason}))}"
        )
    if renaming.absent:
        typer.echo(f"  to be kept, but in no text: {', '.join(renaming.absent)}")
