"""`corpus …`: build a corpus from a Wikipedia dump or any text, look at it, count its words, make items of it."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.completion import one_of, plugins, several_of, words
from winoglot.cli.console import print_json, print_rows
from winoglot.cli.options import Force, Json, Output, split
from winoglot.errors import InputError
from winoglot.files import check_free
from winoglot.progress import show_progress
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.corpus.reading import Corpus

group = typer.Typer(
    no_args_is_help=True,
    help="Build a corpus from a Wikipedia dump or any text, look at it, and count words in it.\n\n"
    "Example: winoglot corpus build novels.txt --language pt -o novels",
)
Folder = Annotated[Path, typer.Argument(help="Folder of a corpus.", metavar="DIR")]
WorkerCount = Annotated[int, typer.Option("--workers", help="Number of parallel processes.")]
Cluster = Annotated[str | None, typer.Option("--cluster", help="Dask scheduler to work on: tcp://HOST:8786.")]
_IN_BYTES = ("checking", "reading")  # steps whose progress is counted in bytes
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([KMGT]?)i?B?", re.IGNORECASE)


@group.command()
def build(
    sources: Annotated[list[str], typer.Argument(help="Files, also .gz or .bz2; - for standard input.")],
    language: Annotated[
        str, typer.Option(help="Language of the text: pt.", autocompletion=one_of(plugins("languages")))
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for the corpus; an unfinished build is resumed.")
    ],
    kind: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="dump, text or jsonl; detected by default.",
            autocompletion=one_of(words("dump", "text", "jsonl")),
        ),
    ] = None,
    tokenised: Annotated[
        bool,
        typer.Option("--tokenised", help="Tokens are already separated by spaces, sentences by <eos> or new lines."),
    ] = False,
    document: Annotated[
        str,
        typer.Option(help="What an article of a text is: a line, a block between empty lines (blank-line) or a file."),
    ] = "line",
    valid: Annotated[
        list[str] | None, typer.Option(help="Validation file, instead of held-out articles; may be repeated.")
    ] = None,
    test: Annotated[
        list[str] | None, typer.Option(help="Test file, instead of held-out articles; may be repeated.")
    ] = None,
    held_out: Annotated[
        float, typer.Option(help="Share of articles held out for validation, and as many for testing.")
    ] = 0.02,
    seed: Annotated[int, typer.Option(help="Random seed for holding out articles.")] = 0,
    quality: Annotated[
        list[str] | None,
        typer.Option(
            help="Keep only articles that their wiki has marked: good, featured, or both (good,featured).",
            autocompletion=several_of(words("good", "featured")),
        ),
    ] = None,
    templates: Annotated[
        list[str] | None, typer.Option("--template", help="Keep only articles with this template; may be repeated.")
    ] = None,
    headings: Annotated[bool, typer.Option("--headings", help="Keep section headings.")] = False,
    keep_script: Annotated[
        bool, typer.Option("--keep-script", help="Do not convert traditional Chinese to simplified.")
    ] = False,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Keep articles with the same text as an earlier one.")
    ] = False,
    min_count: Annotated[
        int | None, typer.Option(help="Replace words that occur fewer than N times in train with <unk>; 3 by default.")
    ] = None,
    max_vocab: Annotated[
        int | None, typer.Option(help="Keep the N most frequent words of train, instead of --min-count.")
    ] = None,
    tokens: Annotated[int | None, typer.Option(help="Reduce train to whole articles with about N tokens.")] = None,
    types: Annotated[int | None, typer.Option(help="Reduce train until its vocabulary has at most N types.")] = None,
    licence: Annotated[str, typer.Option(help="Licence of the text.")] = "",
    worker_count: WorkerCount = 1,
    cluster: Cluster = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Turn a dump or texts into tokens, a vocabulary and splits. An interrupted build is resumed by the same command.

    Example: winoglot corpus build ptwiki-pages-articles.xml.bz2 --language pt --quality good,featured -o ptwiki
    """
    from winoglot.corpus.build import build as build_corpus
    from winoglot.corpus.opening import common_kind
    from winoglot.corpus.settings import CorpusSettings

    settings = CorpusSettings(
        language,
        kind=kind or common_kind([*sources, *(valid or ()), *(test or ())]),
        tokenised=tokenised,
        document=document,
        quality=tuple(split(*quality or ())),
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
    with show_progress(bytes_in=_IN_BYTES) as begin:
        corpus = build_corpus(
            sources,
            output,
            settings,
            valid=valid or (),
            test=test or (),
            worker_count=worker_count,
            cluster=cluster,
            force=force,
            progress=lambda step, done, total: begin(step)(done, total),
        )
    for warning in corpus.info["warnings"]:
        typer.echo(f"Warning: {warning}", err=True)
    _print_statistics(corpus, as_json=as_json)


@group.command()
def stats(
    folder: Folder,
    verify: Annotated[bool, typer.Option("--verify", help="Read all files and verify their hashes.")] = False,
    as_json: Json = False,
) -> None:
    """Count articles, sentences, tokens, types and the share of unknown words in each split.

    Tokens include the <eos> after each sentence, types include <unk> and <eos>; the share is of the words.

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
    split: Annotated[
        str, typer.Option(help="train, valid or test.", autocompletion=one_of(words("train", "valid", "test")))
    ] = "train",
    article: Annotated[int, typer.Option(help="First article to show, counted from 0.")] = 0,
    limit: Annotated[int, typer.Option(help="Number of articles.")] = 3,
    sentences: Annotated[int, typer.Option(help="Number of sentences of each article.")] = 5,
    as_json: Json = False,
) -> None:
    """Show articles as a model sees them: one sentence per line, spaces between tokens, <unk> for unknown words.

    Example: winoglot corpus show ptwiki --split valid --limit 1
    """
    from winoglot.corpus.reading import open_corpus, show_articles

    shown = show_articles(open_corpus(folder), split, article, limit, sentences)
    if as_json:
        print_json([asdict(document) for document in shown], indent=1)
        return
    for document in shown:
        typer.echo(
            f"{split} {document.number}: {' '.join(filter(None, (document.title, document.id, document.revision)))}"
        )
        for sentence in document.sentences:
            typer.echo(f"  {' '.join(sentence)}")
        if document.of > len(document.sentences):
            typer.echo(f"  … {document.of - len(document.sentences)} more")


def _print_statistics(corpus: Corpus, *, as_json: bool) -> None:
    from winoglot.corpus.reading import corpus_statistics

    info = corpus.info
    if as_json:
        keys = ("language", "licence", "hash", "vocabulary", "splits", "duplicates", "left_out", "warnings")
        print_json(asdict(corpus_statistics(corpus)) | {key: info[key] for key in keys}, indent=1)
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


@group.command()
def count(
    folder: Folder,
    window: Annotated[int, typer.Option(help="Number of words on either side.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the counts.")],
    dynamic: Annotated[
        bool, typer.Option("--dynamic", help="Weight near words more: (window - d + 1) / window at distance d.")
    ] = False,
    positional: Annotated[
        bool, typer.Option("--positional", help="Count each position before and after a word separately.")
    ] = False,
    min_count: Annotated[int, typer.Option(help="Leave out words that occur fewer than N times.")] = 1,
    borders: Annotated[
        str,
        typer.Option(
            help="What pairs may not cross: sentence or article.", autocompletion=one_of(words("sentence", "article"))
        ),
    ] = "sentence",
    split: Annotated[
        str,
        typer.Option(help="train, valid, test or all.", autocompletion=one_of(words("train", "valid", "test", "all"))),
    ] = "train",
    memory: Annotated[
        str | None, typer.Option(help="Memory limit: 512MB, 4GB; by default 1 GB on top of the program.")
    ] = None,
    worker_count: WorkerCount = 1,
    cluster: Cluster = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Count how often words occur near each other, for the model pmi:COUNTS and for check --counts COUNTS.

    Example: winoglot corpus count ptwiki --window 6 --dynamic --min-count 5 -o ptwiki-counts
    """
    from winoglot.corpus.counting import Counting
    from winoglot.corpus.counting import count as count_corpus
    from winoglot.corpus.reading import open_corpus

    counting = Counting(window, dynamic, positional, min_count, borders, split)
    size = None if memory is None else _bytes(memory)
    with show_progress(bytes_in=_IN_BYTES) as begin:
        counts = count_corpus(
            open_corpus(folder),
            output,
            counting,
            memory=size,
            worker_count=worker_count,
            cluster=cluster,
            force=force,
            progress=lambda step, done, total: begin(step)(done, total),
        )
    info = counts.info
    if as_json:
        print_json(info, indent=1)
        return
    pairs = f"{info['entries']} pairs of {info['words']} words in {info['tokens']} tokens"
    typer.echo(f"{info['language']}, window {window}: {pairs}; sha {counts.hash[:8]}")


@group.command()
def schemas(
    sources: Annotated[list[str], typer.Argument(help="Folders of corpora, or text files, also .gz or .bz2.")],
    language: Annotated[
        str, typer.Option(help="Language of the text: pt.", autocompletion=one_of(plugins("languages")))
    ],
    output: Output,
    limit: Annotated[int | None, typer.Option(help="Number of items to draw; all by default.")] = None,
    seed: Annotated[int, typer.Option(help="Random seed for drawing items.")] = 0,
    document: Annotated[
        str,
        typer.Option(help="What an article of a text is: a line, a block between empty lines (blank-line) or a file."),
    ] = "line",
    keep_script: Annotated[
        bool, typer.Option("--keep-script", help="Do not convert traditional Chinese to simplified.")
    ] = False,
    worker_count: WorkerCount = 1,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make training items from text: a noun or name repeated in a later clause is the gap, another the distractor.

    Example: winoglot corpus schemas novels.txt.gz --language pt --limit 1000 -o novels.jsonl
    """
    from winoglot.corpus.generate_items import generate
    from winoglot.loading import format_of, save

    check_free(output, force=force)
    target = format_of(output)
    options = [f"--language {language}", *([f"--limit {limit}"] if limit else []), f"--seed {seed}"]
    command = " ".join(["winoglot corpus schemas", *(Path(source).name for source in sources), *options])
    with show_progress(bytes_in=_IN_BYTES) as begin:
        generated = generate(
            sources,
            language,
            limit=limit,
            seed=seed,
            document=document,
            keep_script=keep_script,
            worker_count=worker_count,
            command=command,
            progress=lambda step, done, total: begin(step)(done, total),
        )
    save(generated.collection, output, target, force=force)
    if as_json:
        print_json(
            {
                "items": len(generated.collection),
                "found": generated.found,
                "words": generated.words,
                "left_out": generated.left_out,
            }
        )
        return
    typer.echo(
        f"{counted(len(generated.collection), 'item')} of {generated.found} found in {generated.words} words, "
        f"in {output}"
    )
    if generated.left_out:
        typer.echo("left out: " + ", ".join(f"{count} {reason}" for reason, count in generated.left_out.items()))


def _bytes(size: str) -> int:
    """A size such as 512MB in bytes."""
    match = _SIZE.fullmatch(size.strip())
    if not match:
        raise InputError(f"--memory {size!r} is not a size", remedy="Write a number and a unit: 512MB, 4GB.")
    return int(float(match.group(1)) * 1024 ** " KMGT".index(match.group(2).upper() or " "))
