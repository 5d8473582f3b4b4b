"""`perturb`, `rename` and `switch`: add variants to a collection, replace its names, exchange the candidates."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from winoglot.cli.collections import print_lost
from winoglot.cli.completion import locales, one_of, plugins, several_of
from winoglot.cli.console import first_few, print_json
from winoglot.cli.drafting import Reader, check_reader, drafting, load_reader, print_doubts, print_reasons
from winoglot.cli.evaluate import MoreOptions, Yes
from winoglot.cli.options import Device, Force, Json, Language, Output, Source, split
from winoglot.errors import InputError
from winoglot.files import check_free
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.perturb.base import Derived, Proposed
    from winoglot.schemas.model import Collection
    from winoglot.writing.drafting import Drafter
    from winoglot.writing.proposals import Refusal

    Proposals = Mapping[str, Mapping[str, Proposed]]


def perturb(
    source: Source,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            "--kinds",
            help="Kinds to derive: tense,number (winoglot list kinds); tense+segment-masked masks the segment "
            "of the variants of kind tense.",
            autocompletion=several_of(plugins("perturbations")),
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write: the collection with its variants or, with --propose, the review file.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Random seed, 0 by default; the same seed draws the same names and words.")
    ] = None,
    propose: Annotated[
        bool, typer.Option("--propose", help="Write the variants that the rules are not sure of to a review file.")
    ] = False,
    accepted: Annotated[
        Path | None,
        typer.Option("--accept", help="Review file with your decisions: add what you accepted to the collection."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--with", help="With --propose: let this model draft the variants, chat:… or remote:…."),
    ] = None,
    reader: Reader = None,
    more: MoreOptions = None,
    device: Device = "auto",
    yes: Yes = False,
    judge: Annotated[
        str | None, typer.Option("--judged-by", help="With --accept: the name of the person who decided.")
    ] = None,
    language: Language = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Rewrite schemas by the rules of their language, keeping the answer; variants the rules doubt are only proposed.

    Without -o nothing is written: the command counts the variants it would produce and propose, and says why some
    schemas have none.

    Example: winoglot perturb winoglot-en --kind relative,adverb -o mine.yaml
    """
    from winoglot.files import write_whole
    from winoglot.loading import load
    from winoglot.writing.proposals import review_file

    wanted = split(*kinds or ())
    if accepted is not None:
        options = {"--kind": bool(wanted), "--propose": propose, "--seed": seed is not None, "--with": bool(model)}
        if any(options.values()):
            needless = " or ".join(name for name, is_given in options.items() if is_given)
            remedy = "Leave it out: the review file has the variants as they will be added."
            raise InputError(f"--accept cannot be combined with {needless}", remedy=remedy)
    elif not wanted:
        remedy = "Add some: --kinds tense,number. See: winoglot list kinds"
        raise InputError("no kind of variant was given", remedy=remedy)
    if (accepted is not None or propose) and output is None:
        what = "the new collection: -o new.yaml" if accepted is not None else "the review file: -o review.yaml"
        raise InputError("no output was given", remedy=f"Name {what}.")
    if output is not None:
        check_free(output, force=force)
    remedy = "Add --propose --with MODEL -o review.yaml."
    if model and not propose:
        raise InputError("a model's drafts need a person's decision", remedy=remedy)
    check_reader(model, reader, remedy)
    if judge is not None and accepted is None:
        raise InputError("--judged-by belongs to --accept", remedy="Leave it out.")
    collection = load(source, language=language)
    if model is not None and output is not None:
        with drafting(model, collection, more or [], device, seed or 0, yes=yes) as drafter:
            proposed, refused = _drafts(collection, wanted, drafter, reader, device, yes=yes)
        written = "Nothing was written: every schema has such variants, or says that it can have none."
        if proposed or refused:
            write_whole(output, review_file(collection, proposed, refused), force=force)
            again = f"winoglot perturb {quote(source)} --accept {quote(str(output))} -o NEW-COLLECTION"
            written = f"drafts written to {output}\nWhen you have decided on them: {again}"
        _print_drafts(collection, wanted, proposed, refused, as_json=as_json)
        if not as_json:
            typer.echo(written)
    elif accepted is None:
        _derive(source, collection, wanted, seed or 0, output, propose=propose, force=force, as_json=as_json)
    else:
        _accept(source, collection, accepted, cast("Path", output), judge, force=force, as_json=as_json)


def _derive(
    source: str,
    collection: Collection,
    kinds: list[str],
    seed: int,
    output: Path | None,
    *,
    propose: bool,
    force: bool,
    as_json: bool,
) -> None:
    from winoglot.files import write_whole
    from winoglot.loading import format_of
    from winoglot.perturb.base import derive
    from winoglot.writing.proposals import review_file
    from winoglot.writing.yaml_edits import save_variants

    derived_by_kind: dict[str, Derived] = {}
    grown = collection
    for kind in kinds:
        derived_by_kind[kind] = derive(grown, kind, seed=seed)
        grown = derived_by_kind[kind].collection
    rows = {kind: _counts(collection, kind, derived) for kind, derived in derived_by_kind.items()}
    written = ""
    if output is not None and propose:
        proposed = {kind: derived.proposed for kind, derived in derived_by_kind.items() if derived.proposed}
        if proposed:
            write_whole(output, review_file(collection, proposed), force=force)
            again = f"winoglot perturb {quote(source)} --accept {quote(str(output))} -o NEW-COLLECTION"
            written = f"proposals written to {output}\nWhen you have decided on them: {again}"
        else:
            written = "Nothing was written: there is nothing to propose."
    elif output is not None:
        save_variants(source, grown, kinds, output, force=force)
        written = f"written to {output}"
    if as_json:
        print_json({"collection": collection.name, "language": collection.language, "seed": seed, "kinds": rows})
        return
    if output is not None and not propose:
        print_lost([grown], format_of(output))
    typer.echo(f"{collection.name} ({collection.language}), {counted(len(collection.schemas), 'schema')}")
    for kind, row in rows.items():
        stored = f"{len(row['stored'])} stored, " if row["stored"] else ""
        typer.echo(
            f"  {kind}: {stored}{len(row['produced'])} produced, {len(row['proposed'])} proposed, "
            f"{len(row['impossible'])} impossible"
        )
        print_reasons(row["impossible"].values(), "impossible")
    typer.echo(written or "Nothing was written: to write the variants, name a file with -o.")
    if not propose and any(row["proposed"] for row in rows.values()):
        typer.echo("To review what is proposed, add --propose -o review.yaml.")


def _counts(collection: Collection, kind: str, derived: Derived) -> dict[str, Any]:
    """The schemas that have the kind already, get it, may get it, and cannot have it, with the reasons."""
    stored = [schema.id for schema in collection.schemas if kind in schema.kinds]
    produced = [schema.id for schema in derived.collection.schemas if kind in schema.kinds and schema.id not in stored]
    proposed = {name: proposal.reason for name, proposal in derived.proposed.items()}
    return {"stored": stored, "produced": produced, "proposed": proposed, "impossible": derived.refused}


def _drafts(
    collection: Collection, kinds: list[str], drafter: Drafter, reader: str | None, device: str, *, yes: bool
) -> tuple[Proposals, tuple[Refusal, ...]]:
    """What passes of a model's drafts, perhaps read blind by another model, and what does not."""
    from winoglot.writing.drafting import draft_variants, read_blind

    drafted = draft_variants(collection, kinds, drafter)
    if reader is None or not drafted.proposed:
        return drafted.proposed, drafted.refused
    solver, before_sending = load_reader(reader, collection, device, drafter.seed, yes=yes)
    return read_blind(collection, drafted.proposed, solver, before_sending), drafted.refused


def _print_drafts(
    collection: Collection, kinds: list[str], proposed: Proposals, refused: tuple[Refusal, ...], *, as_json: bool
) -> None:
    """How many drafts of each kind are proposed and refused, and why; and how many another model doubts."""
    by_kind = {kind: [refusal for refusal in refused if refusal.task == kind] for kind in kinds}
    if as_json:
        rows = {
            kind: {
                "proposed": {name: proposal.reason for name, proposal in proposed.get(kind, {}).items()},
                "refused": {refusal.schema: refusal.reason for refusal in by_kind[kind]},
            }
            for kind in kinds
        }
        print_json({"collection": collection.name, "language": collection.language, "kinds": rows})
        return
    typer.echo(f"{collection.name} ({collection.language}), {counted(len(collection.schemas), 'schema')}")
    for kind in kinds:
        typer.echo(f"  {kind}: {len(proposed.get(kind, {}))} proposed, {len(by_kind[kind])} refused")
        print_reasons((refusal.reason for refusal in by_kind[kind]), "refused")
    print_doubts(proposal.variants[0].made for by_schema in proposed.values() for proposal in by_schema.values())


def _accept(
    source: str,
    collection: Collection,
    path: Path,
    output: Path,
    judge: str | None,
    *,
    force: bool,
    as_json: bool,
) -> None:
    from winoglot.loading import format_of
    from winoglot.writing.proposals import UNNAMED, accept
    from winoglot.writing.yaml_edits import save_variants

    merged = accept(collection, path, judge or UNNAMED)
    kinds = list(dict.fromkeys(label.partition("~")[2] for label in (*merged.added, *merged.rejected)))
    save_variants(source, merged.collection, kinds, output, force=force)
    if as_json:
        print_json({name: getattr(merged, name) for name in ("added", "rejected", "present", "waiting", "overruled")})
        return
    print_lost([merged.collection], format_of(output))
    typer.echo(
        f"{collection.name} ({collection.language}): {len(merged.added)} accepted, {len(merged.rejected)} rejected, "
        f"{len(merged.present)} accepted before, {len(merged.waiting)} undecided; written to {output}"
    )
    if merged.overruled:
        typer.echo(
            f"{len(merged.overruled)} accepted although a model answers differently: {first_few(merged.overruled)}"
        )


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
        for kept_name in renaming.kept:
            kept.setdefault(kept_name.schema_id, {})[kept_name.name] = kept_name.reason
        print_json({"replaced": renaming.replaced, "kept": kept, "absent": renaming.absent})
        return
    count = sum(map(len, renaming.replaced.values()))
    typer.echo(
        f"{collection.name} ({collection.language}): {counted(count, 'name')} replaced in {len(renaming.replaced)} of "
        f"{counted(len(collection.schemas), 'schema')}, {len(renaming.kept)} kept; written to {output}"
    )
    for reason in sorted({kept_name.reason for kept_name in renaming.kept}):
        names_kept = sorted({kept_name.name for kept_name in renaming.kept if kept_name.reason == reason})
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
        typer.Option("--suggest", help="Show which untagged schemas the grammar can switch, and why not the others."),
    ] = False,
    force: Force = False,
) -> None:
    """Exchange the candidates of all schemas tagged 'switchable', or of all if none is tagged.

    Only a reader can tell whether a switched schema still makes sense with the other answer: tag it if so. Without the
    tag, the answer of a switched item is unknown, and it is not scored.

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
    save_variants(source, derived.collection, [KIND], output, force=force)
    print_lost([derived.collection], format_of(output))
    switched = len(among - had - set(derived.refused))
    tried = f"of those tagged {TAG!r}" if tagged else f"all tried, as none is tagged {TAG!r}; their answers are unknown"
    typer.echo(
        f"{collection.name} ({collection.language}): {counted(switched, 'schema')} switched, {len(among & had)} "
        f"already were, {len(derived.refused)} could not be ({tried}); written to {output}"
    )
    for schema_id, reason in derived.refused.items():
        typer.echo(f"  {schema_id}: {reason}")


def _print_suggestions(collection: Collection) -> None:
    from winoglot.perturb.switched import TAG, obstacle, perturb

    untagged = [schema for schema in collection.schemas if TAG not in schema.tags]
    obstacles = {schema.id: next(filter(None, map(obstacle, schema.items)), None) for schema in untagged}
    able = sum(reason is None for reason in obstacles.values())
    typer.echo(
        f"{collection.name} ({collection.language}): {len(collection.schemas) - len(untagged)} tagged {TAG!r}; "
        f"the grammar can switch {able} of the {len(untagged)} others"
    )
    if able:
        typer.echo(
            "Not checked: whether a switched schema makes sense and has the other answer. "
            f"Read each one, and add the tag {TAG!r} if it does."
        )
    for schema in untagged:
        reason = obstacles[schema.id]
        typer.echo(f"  {schema.id}: " + (perturb(schema.items[0]).text or "" if reason is None else f"no, {reason}"))
