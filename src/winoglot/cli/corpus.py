"""`corpus`: text made into a corpus, and looking at one."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Json
from winoglot.cli.files import Force
from winoglot.cli.steps import progress_bar

if TYPE_CHECKING:
    from winoglot.corpus.reading import Corpus

group = typer.Typer(no_args_is_help=True, help="Make a corpus of a Wikipedia dump or any text, and look at it.")
Folder = Annotated[Path, typer.Argument(help="The folder of a corpus.", metavar="DIR")]
WorkerCount = Annotated[int, typer.Option("--workers", help="Processes that work side by side.")]
Cluster = Annotated[
    str | None, typer.Option("--cluster", help="Address of a Dask scheduler to work on: tcp://HOST:8786.")
]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(group, name="corpus")


@group.command()
def build(
    sources: Annotated[list[str], typer.Argument(help="Files, plain or compressed by gzip or bzip2; - reads a pipe.")],
    language: Annotated[str, typer.Option("--language", help="Their language, as BCP 47: pt.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder; a build under way there goes on.")],
    kind: Annotated[
        str | None, typer.Option("--from", help="dump, text or jsonl; recognised by content unless given.")
    ] = None,
    tokenised: Annotated[
        bool,
        typer.Option("--tokenised", help="Tokens stand between blanks already; <eos> and line ends end sentences."),
    ] = False,
    document: Annotated[
        str, typer.Option("--document", help="What an article of a text is: line, blank-line or file.")
    ] = "line",
    valid: Annotated[
        list[str] | None, typer.Option("--valid", help="A file for validation, instead of own splits; repeat for more.")
    ] = None,
    test: Annotated[
        list[str] | None, typer.Option("--test", help="A file for testing, instead of own splits; repeat for more.")
    ] = None,
    held_out: Annotated[
        float, typer.Option("--held-out", help="Share of the articles drawn for valid, and as many for test.")
    ] = 0.02,
    seed: Annotated[int, typer.Option("--seed", help="Of drawing articles.")] = 0,
    quality: Annotated[
        str, typer.Option("--quality", help="Of a dump, only articles marked good,featured or one of them.")
    ] = "",
    templates: Annotated[
        list[str] | None, typer.Option("--template", help="A template that marks wanted articles; repeat for more.")
    ] = None,
    headings: Annotated[bool, typer.Option("--headings", help="Keep the headings of a dump's articles.")] = False,
    keep_script: Annotated[
        bool, typer.Option("--keep-script", help="Leave Chinese as it is written, traditional or simplified.")
    ] = False,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Keep articles whose text was there already.")
    ] = False,
    min_count: Annotated[
        int | None, typer.Option("--min-count", help="Words seen less often in train are unknown. [3]")
    ] = None,
    max_vocab: Annotated[
        int | None, typer.Option("--max-vocab", help="Know so many words, the most frequent in train, instead.")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", help="Reduce train to whole articles of about so many tokens.")
    ] = None,
    types: Annotated[
        int | None, typer.Option("--types", help="Reduce train until its vocabulary has at most so many types.")
    ] = None,
    licence: Annotated[str, typer.Option("--licence", help="The licence the text is under.")] = "",
    worker_count: WorkerCount = 1,
    cluster: Cluster = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Turn a dump or texts into tokens, vocabulary and splits. A build that was ended goes on where it stopped.

    Example: winoglot corpus build ptwiki-pages-articles.xml.bz2 --language pt --quality good,featured -o ptwiki
    """
    from winoglot.corpus.build import build as build_corpus
    from winoglot.corpus.opening import common_kind
    from winoglot.corpus.settings import Settings

    settings = Settings(
        language,
        kind=kind or common_kind([*sources, *(valid or ()), *(test or ())]),
        tokenised=tokenised,
        document=document,
        quality=tuple(part.strip() for part in quality.split(",") if part.strip()),
        templates=tuple(templates or ()),
        headings=headings,
        simplified=False if keep_script else None,
        keep_duplicates=keep_duplicates,
        min_count=min_count,
        max_vocab=max_vocab,
        tokens=tokens,
        types=types,
        held_out=held_out,
        seed=seed,
        licence=licence,
    )
    with progress_bar() as progress:
        corpus = build_corpus(
            sources,
            output,
            settings,
            valid=valid or (),
            test=test or (),
            worker_count=worker_count,
            cluster=cluster,
            force=force,
            progress=progress,
        )
    for warning in corpus.info["warnings"]:
        typer.echo(f"Warning: {warning}", err=True)
    _print_statistics(corpus, as_json=as_json)


@group.command()
def stats(
    folder: Folder,
    verify: Annotated[bool, typer.Option("--verify", help="Read all files and compare them with their hash.")] = False,
    as_json: Json = False,
) -> None:
    """Count articles, sentences, tokens, types and the share of unknown words, by split.

    Tokens count <eos> after each sentence; types count <unk> and <eos>; the share is of the words.

    Example: winoglot corpus stats ptwiki --json
    """
    from winoglot.corpus.reading import open_corpus

    corpus = open_corpus(folder)
    if verify:
        corpus.verify()
    _print_statistics(corpus, as_json=as_json)


@group.command()
def show(
    folder: Folder,
    split: Annotated[str, typer.Option("--split", help="train, valid or test.")] = "train",
    article: Annotated[int, typer.Option("--article", help="The number of the first article to show, from 0.")] = 0,
    limit: Annotated[int, typer.Option("--limit", help="How many articles.")] = 3,
    sentences: Annotated[int, typer.Option("--sentences", help="How many sentences of each.")] = 5,
    as_json: Json = False,
) -> None:
    """Show articles as a model sees them: a sentence a line, blanks between tokens, <unk> for unknown words.

    Example: winoglot corpus show ptwiki --split valid --limit 1
    """
    from winoglot.corpus.reading import open_corpus
    from winoglot.corpus.showing import show_articles

    shown = show_articles(open_corpus(folder), split, article, limit, sentences)
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in shown], ensure_ascii=False, indent=1))
        return
    for one in shown:
        typer.echo(f"{split} {one.number}: {' '.join(filter(None, (one.title, one.id, one.revision)))}")
        for words in one.sentences:
            typer.echo(f"  {' '.join(words)}")
        if one.of > len(one.sentences):
            typer.echo(f"  … {one.of - len(one.sentences)} more")


def _print_statistics(corpus: Corpus, *, as_json: bool) -> None:
    from winoglot.cli.pretty import print_rows
    from winoglot.corpus.statistics import total
    from winoglot.schemas.text import counted

    info = corpus.info
    if as_json:
        keys = ("language", "licence", "hash", "vocabulary", "splits", "duplicates", "left_out", "warnings")
        typer.echo(json.dumps(asdict(total(corpus)) | {key: info[key] for key in keys}, ensure_ascii=False, indent=1))
        return
    print_rows(
        [
            {"split": name, **counts, "unknown_share": f"{100 * counts['unknown_share']:.2f}%"}
            for name, counts in info["splits"].items()
        ]
    )
    left_out = [f"{count} {why}" for why, count in info["left_out"].items()]
    if duplicates := sum(info["duplicates"].values()):
        left_out.append(counted(duplicates, "duplicate"))
    typer.echo(f"{info['language']}, {info['vocabulary']} types in the vocabulary, licence {info['licence']}")
    typer.echo(f"left out: {', '.join(left_out) or 'nothing'}")
