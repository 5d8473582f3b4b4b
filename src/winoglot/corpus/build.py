"""From sources to a corpus: read into shards, divide, count, encode; then put in place as a whole.

Whatever the number of workers, and wherever they run, the same sources and settings give the same bytes.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.corpus._work_folder import told_when_full
from winoglot.corpus.encoding import encode
from winoglot.corpus.opening import STANDARD_INPUT
from winoglot.corpus.reading import FORMAT, SPLITS, Corpus, content_hash, open_corpus
from winoglot.corpus.reduction import reduce_types
from winoglot.corpus.shard_pass import make_shards
from winoglot.corpus.shards import Shard, Tally
from winoglot.corpus.sources import check_once, look_at
from winoglot.corpus.splitting import divide, reduce_tokens
from winoglot.corpus.state import building, check_folder
from winoglot.corpus.statistics import count_split
from winoglot.corpus.word_counts import make_vocabulary
from winoglot.corpus.workers import workers
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from winoglot.corpus.opening import Measured
    from winoglot.corpus.settings import Settings
    from winoglot.corpus.sources import Source
    from winoglot.corpus.splitting import Division
    from winoglot.corpus.state import Building
    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.corpus.workers import Result, Task, Workers

    Progress = Callable[[str, int, int], object]

_MOST_UNKNOWN = 0.5  # of the words of train: past this there is more hole than text, and nobody wants that
_MUCH_UNKNOWN = 0.25  # of a split: said aloud
_KEPT = "Make room and give the command again: what was read is kept."


def build(
    sources: Sequence[str],
    out: Path,
    settings: Settings,
    *,
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    worker_count: int = 1,
    cluster: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Corpus:
    """Make a corpus in a folder, or go on with the build that is under way there.

    `sources` are files, or `-` for standard input. `valid` and `test` are the files of these splits; without them they
    are drawn from the sources. `progress` is told what is going on, how much of it is done, and how much there is: of
    `checking` and `reading` in bytes of the stored sources, else in shards.
    """
    check_folder(out, force=force)
    tell = progress or _nobody
    given = {"train": sources, "valid": valid, "test": test}
    if cluster is not None:  # its workers may stand in another folder
        out, given = out.absolute(), {role: [*map(_absolute, paths)] for role, paths in given.items()}
    found = [one for role, paths in given.items() for one in look_at(paths, role, partial(tell, "checking"))]
    _check_sources(found, settings)
    with told_when_full(out, _KEPT), building(out, settings, found, force=force) as under_way:
        with workers(worker_count, cluster, under_way.folder) as carry_out:
            make_shards(under_way, found, settings, carry_out, partial(tell, "reading"))
            info = _finish(under_way, found, settings, carry_out, tell)
        under_way.publish(info)
    return open_corpus(out)


def _absolute(source: str) -> str:
    return source if source == STANDARD_INPUT else str(Path(source).absolute())


def _nobody(what: str, done: int, total: int) -> None:
    """Is told of progress where nobody wants to know."""


def _told(carry_out: Workers, tell: Progress, what: str, total: int) -> Workers:
    """The workers, with somebody told of every task that is done."""

    def carry_out_and_tell(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        for done, result in enumerate(carry_out(function, tasks), start=1):
            tell(what, done, total)
            yield result

    return carry_out_and_tell


def _check_sources(sources: Sequence[Source], settings: Settings) -> None:
    if not any(source.role == "train" for source in sources):
        raise InputError("no source is named", remedy="Name a file, or - for standard input.")
    check_once(sources)
    if settings.kind == "dump":
        from winoglot.corpus.wiki import check_dump

        for source in sources:
            check_dump(source.path, settings)
    if settings.simplified:
        from winoglot.corpus.simplified import converter

        converter()


def _finish(
    under_way: Building, sources: Sequence[Source], settings: Settings, carry_out: Workers, tell: Progress
) -> dict[str, Any]:
    """Everything after reading: make the files of the corpus, and return what `corpus.json` says."""
    counts = under_way.read_batches() or {}
    roles = [role for role in SPLITS for _ in range(counts[role])]
    paths = [under_way.shard(role, number) for role in SPLITS for number in range(counts[role])]
    shards = [Shard(path) for path in paths]
    tally = _sum_tallies(shards)
    given = {source.role for source in sources}
    division = divide(shards, roles, settings, own=given == {"train"})
    if not len(division.order):
        under_way.give_up()
        raise _no_articles(tally, settings, sum(division.duplicates.values()))
    division, vocabulary = _limit(
        paths, division, settings, under_way.folder / "runs", _told(carry_out, tell, "counting words", len(paths))
    )
    _check_unknown(vocabulary, settings)
    shutil.rmtree(under_way.result, ignore_errors=True)
    under_way.result.mkdir()
    encode(paths, division, vocabulary, under_way.result, _told(carry_out, tell, "writing", len(paths)))
    return _described(under_way, sources, settings, division, vocabulary, tally)


def _limit(
    paths: list[Path], division: Division, settings: Settings, runs: Path, carry_out: Workers
) -> tuple[Division, Vocabulary]:
    """Train reduced as the settings say, and its vocabulary."""
    if settings.tokens:
        division = reduce_tokens(division, settings.tokens)
    vocabulary = make_vocabulary(paths, division, settings, runs, carry_out)
    if settings.types:
        division = reduce_types(paths, division, vocabulary, settings.min_count or 1, settings.types)
        vocabulary = make_vocabulary(paths, division, settings, runs, carry_out)
    return division, vocabulary


def _described(
    under_way: Building,
    sources: Sequence[Source],
    settings: Settings,
    division: Division,
    vocabulary: Vocabulary,
    tally: Tally,
) -> dict[str, Any]:
    measured = under_way.read_measured()
    articles = {name: int((division.splits == number).sum()) for number, name in enumerate(SPLITS)}
    splits = {
        name: asdict(count_split(under_way.result / f"{name}.tokens", count, len(vocabulary)))
        for name, count in articles.items()
    }
    return {
        "format": FORMAT,
        "winoglot": __version__,
        "language": settings.language,
        "licence": settings.licence or _licence(sources[0], settings, measured) or "not stated",
        "hash": content_hash(under_way.result),
        "vocabulary": len(vocabulary),
        "splits": splits,
        "duplicates": division.duplicates,
        "left_out": dict(sorted(tally.left_out.items())),
        "warnings": _warnings(splits, settings, {source.role for source in sources}),
        "settings": settings.described(),
        "sources": [_described_source(source, measured.get(source.path)) for source in sources],
    }


def _sum_tallies(shards: list[Shard]) -> Tally:
    total = Tally()
    for shard in shards:
        tally = shard.tally()
        total.left_out.update(tally.left_out)
        total.templates.update(tally.templates)
    return total


def _described_source(source: Source, measured: Measured | None) -> dict[str, Any]:
    """Size and hash of standard input are those that were measured."""
    size, sha256 = (source.size, source.sha256) if source.sha256 or not measured else (measured.size, measured.sha256)
    return {"name": source.name, "for": source.role, "bytes": size, "sha256": sha256}


def _licence(source: Source, settings: Settings, measured: dict[str, Measured]) -> str:
    """What a dump says of itself."""
    if source.path in measured:
        return measured[source.path].licence
    if settings.kind != "dump":
        return ""
    from winoglot.corpus.dump import site
    from winoglot.corpus.wiki import licence

    return licence(site(source.path))


def _no_articles(tally: Tally, settings: Settings, duplicates: int) -> InputError:
    found = {**dict(sorted(tally.left_out.items())), "duplicates": duplicates}
    left = ", ".join(f"{count} {reason}" for reason, count in found.items() if count) or "nothing was there"
    if not tally.left_out["not marked"]:
        remedy = "Look whether --from and --document fit the source."
        return InputError(f"the source has no article with text for training: {left}", remedy=remedy)
    from winoglot.corpus.quality import marking_templates

    wanted = ", ".join(marking_templates(settings.language, settings.quality, settings.templates))
    seen = ", ".join(name for name, _ in tally.templates.most_common(30)) or "none"
    message = f"no article carries one of the templates {wanted} ({left}); seen most often: {seen}"
    return InputError(message, remedy="Name the templates that mark articles here with --template.")


def _check_unknown(vocabulary: Vocabulary, settings: Settings) -> None:
    """Refuse a vocabulary that knows less than half of the training text."""
    unknown, words = int(vocabulary.counts[0]), int(vocabulary.counts.sum() - vocabulary.counts[1])
    if unknown <= _MOST_UNKNOWN * words:
        return
    if settings.max_vocab:
        limit, remedy = f"--max-vocab {settings.max_vocab}", "Raise it"
    else:
        limit, remedy = f"--min-count {settings.min_count}", "Lower it, or give more text"
    message = f"{limit} leaves {100 * unknown / words:.1f}% of the {words} training words unknown"
    raise InputError(message, remedy=f"{remedy}: what was read is kept, the command goes on from there.")


def _warnings(splits: dict[str, dict[str, Any]], settings: Settings, given: set[str]) -> list[str]:
    found = []
    for name, counts in splits.items():
        if counts["unknown_share"] > _MUCH_UNKNOWN:
            share = f"{100 * counts['unknown_share']:.1f}%"
            other = name != "train" and name in given
            why = (
                "is it the same language, tokenised alike?" if other else "more text would help, or a larger vocabulary"
            )
            found.append(f"{share} of the words of {name} are unknown: {why}")
        if not counts["articles"] and settings.held_out:
            found.append(f"{name} is empty")
    return found
