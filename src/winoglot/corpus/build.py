"""From sources to a corpus: read into shards, divide into splits, count the vocabulary, encode; then publish.

Whatever the number of workers and wherever they run, the same sources and settings give the same bytes. An unfinished
build keeps its shards in the folder `building` and is resumed by the same command.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.corpus.encoding import encode, make_vocabulary
from winoglot.corpus.opening import STANDARD_INPUT, Measured
from winoglot.corpus.reading import BUILDING, SPLITS, Corpus, CorpusFolder, content_hash, open_corpus, split_statistics
from winoglot.corpus.shards import Shard, ShardTask, Tally, make_shard, simplifier
from winoglot.corpus.sources import batches, check_once, source_files
from winoglot.corpus.splitting import divide, reduce_tokens, reduce_types
from winoglot.corpus.workers import workers
from winoglot.errors import InputError
from winoglot.files import parse_json
from winoglot.folders import check_same, lock, on_full, write_description

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.corpus.settings import CorpusSettings
    from winoglot.corpus.sources import SourceFile
    from winoglot.corpus.splitting import Division
    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.corpus.workers import RunTasks

    Progress = Callable[[str, int, int], object]

_MOST_UNKNOWN = 0.5  # of the words of train: beyond this, the corpus would be mostly unknown words
_MUCH_UNKNOWN = 0.25  # of the words of a split: worth a warning
_KEPT = "Free some space and run the command again: what was read so far is kept."
_ANEW = "Name another folder, or add --force to start over."


def build(
    sources: Sequence[str],
    out: Path,
    settings: CorpusSettings,
    *,
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    worker_count: int = 1,
    cluster: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Corpus:
    """Build a corpus in a folder, or resume the unfinished build there.

    `sources` are files, or `-` for standard input. `valid` and `test` are the files of these splits; without them they
    are drawn from the sources. `progress` is called with a stage, how much of it is done and how much there is: in
    bytes of the stored sources for `report_checking` and `reading`, else in shards.
    """
    folder = CorpusFolder(out)
    folder.check(force=force, resume=True)
    report = progress or (lambda _stage, _done, _total: None)
    paths_by_role = {"train": sources, "valid": valid, "test": test}
    if cluster is not None:  # its workers may have another working directory
        out, paths_by_role = out.absolute(), {role: [*map(_absolute, paths)] for role, paths in paths_by_role.items()}
        folder = CorpusFolder(out)
    report_checking = partial(report, "checking")
    files = [file for role, paths in paths_by_role.items() for file in source_files(paths, role, report_checking)]
    _check_sources(files, settings)
    with on_full(out, _KEPT), lock(out):
        folder.check(force=force, resume=True)
        with _building(out, settings, files, force=force) as build_folder:
            with workers(worker_count, cluster, build_folder.folder) as run_tasks:
                _make_shards(build_folder, files, settings, run_tasks, partial(report, "reading"))
                info = _make_files(build_folder, files, settings, run_tasks, report)
            folder.publish(build_folder.result, info)
            build_folder.remove()
    return open_corpus(out)


def _absolute(source: str) -> str:
    return source if source == STANDARD_INPUT else str(Path(source).absolute())


def _check_sources(sources: Sequence[SourceFile], settings: CorpusSettings) -> None:
    if not any(source.role == "train" for source in sources):
        raise InputError("no source is named", remedy="Name a file, or - for standard input.")
    check_once(sources)
    if settings.kind == "dump":
        from winoglot.corpus.wiki import check_dump

        for source in sources:
            check_dump(source.path, settings)
    if settings.simplified:
        simplifier()


# An unfinished build


@dataclass(frozen=True)
class UnfinishedBuild:
    """The folder of an unfinished build, inside the folder of the corpus: shards, and what they were made from."""

    folder: Path

    @property
    def state_file(self) -> Path:
        """Settings and sources, and what is known once all of them have been read."""
        return self.folder / "state.json"

    @property
    def result(self) -> Path:
        """Where the files of the corpus are made."""
        return self.folder / "result"

    def shard(self, role: str, number: int) -> Path:
        """The file in which the shard of a batch is stored."""
        return self.folder / f"{role}-{number:06d}.npz"

    def has_shards(self) -> bool:
        """Whether any batch has been read already."""
        return any(self.folder.glob("*.npz"))

    def state(self) -> dict[str, Any]:
        """The content of the state file."""
        content: dict[str, Any] = parse_json(self.state_file.read_bytes())
        return content

    def remove(self) -> None:
        """Delete the folder of the unfinished build."""
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def _building(
    out: Path, settings: CorpusSettings, sources: Sequence[SourceFile], *, force: bool
) -> Iterator[UnfinishedBuild]:
    """A new build, or the unfinished one if it has the same sources and reads them in the same way.

    With `force` a build of something else is replaced. A build that ends before it has made a shard leaves nothing.
    """
    build = UnfinishedBuild(out / BUILDING)
    identity = {
        "reading": settings.reading(),
        "sources": [[source.name, source.role, source.size, source.sha256] for source in sources],
    }
    try:
        state = build.state()
    except (OSError, ValueError):
        state = {}
    if not (state and build.has_shards() and _may_resume(state, identity, out, force=force)):
        build.remove()
        build.folder.mkdir(parents=True)
        write_description(build.state_file, identity)
    try:
        yield build
    finally:
        if not build.has_shards():
            build.remove()


def _may_resume(state: dict[str, Any], identity: dict[str, Any], out: Path, *, force: bool) -> bool:
    """Whether a build has the same sources and settings; if not, an input error, unless `force` allows replacing it."""
    stored_identity, requested_identity = (
        {**content.get("reading", {}), "sources": content.get("sources")} for content in (state, identity)
    )
    if not force:
        check_same(stored_identity, requested_identity, what="build", remedy=_ANEW, folder=out)
    return stored_identity == requested_identity


def _make_shards(
    build: UnfinishedBuild,
    sources: Sequence[SourceFile],
    settings: CorpusSettings,
    run_tasks: RunTasks,
    progress: Callable[[int, int], object],
) -> None:
    """Read all sources into shards, except those that already exist. `progress` counts bytes of the sources."""
    if "batches" in build.state():
        return
    total, done = sum(source.size for source in sources), 0
    counts = dict.fromkeys(SPLITS, 0)
    measurements: dict[str, Measured] = {}

    def advance(size: int) -> None:
        nonlocal done
        done += size
        progress(done, total)

    def tasks() -> Iterator[ShardTask]:
        for role in SPLITS:
            role_sources = [source for source in sources if source.role == role]
            for batch in batches(role_sources, settings, measurements):
                path = build.shard(role, counts[role])
                counts[role] += 1
                if not path.exists():
                    yield ShardTask(batch, settings, path)
                elif Shard(path).digest() == batch.digest():
                    advance(batch.size)
                else:
                    message = f"batch {counts[role]} of {role} has changed since this build was started"
                    remedy = "Use the same input again, or add --force to start over."
                    raise InputError(message, remedy=remedy, file=str(build.folder.parent))

    for size in run_tasks(make_shard, tasks()):
        advance(size)
    values_by_path = {path: asdict(measurement) for path, measurement in measurements.items()}
    write_description(build.state_file, build.state() | {"batches": counts, "measured": values_by_path})


# From shards to the files of the corpus


def _make_files(
    build: UnfinishedBuild,
    sources: Sequence[SourceFile],
    settings: CorpusSettings,
    run_tasks: RunTasks,
    report: Progress,
) -> dict[str, Any]:
    """Make the files of the corpus from the shards; returns the content of `corpus.json`."""
    counts = build.state()["batches"]
    roles = [role for role in SPLITS for _ in range(counts[role])]
    paths = [build.shard(role, number) for role in SPLITS for number in range(counts[role])]
    shards = [Shard(path) for path in paths]
    tally = Tally()
    for shard in shards:
        shard_tally = shard.tally()
        tally.left_out.update(shard_tally.left_out)
        tally.templates.update(shard_tally.templates)
    division = divide(shards, roles, settings, draw_held_out={source.role for source in sources} == {"train"})
    if not len(division.order):
        build.remove()
        raise _no_articles(tally, settings, sum(division.duplicates.values()))
    division, vocabulary = _limited(paths, division, settings, partial(report, "counting words"))
    _check_unknown(vocabulary, settings)
    shutil.rmtree(build.result, ignore_errors=True)
    build.result.mkdir()
    encode(paths, division, vocabulary, build.result, run_tasks, partial(report, "writing"))
    return _description(build, sources, settings, division, vocabulary, tally)


def _limited(
    paths: list[Path], division: Division, settings: CorpusSettings, progress: Callable[[int, int], object]
) -> tuple[Division, Vocabulary]:
    """Train reduced as the settings say, and its vocabulary."""
    if settings.tokens:
        division = reduce_tokens(division, settings.tokens)
    vocabulary = make_vocabulary(paths, division, settings, progress)
    if settings.types:
        division = reduce_types(paths, division, vocabulary, settings.min_count or 1, settings.types)
        vocabulary = make_vocabulary(paths, division, settings, progress)
    return division, vocabulary


def _description(
    build: UnfinishedBuild,
    sources: Sequence[SourceFile],
    settings: CorpusSettings,
    division: Division,
    vocabulary: Vocabulary,
    tally: Tally,
) -> dict[str, Any]:
    measurements = {path: Measured(**values) for path, values in build.state()["measured"].items()}
    articles = {name: int((division.splits == number).sum()) for number, name in enumerate(SPLITS)}
    splits = {
        name: asdict(split_statistics(build.result / f"{name}.tokens", count, len(vocabulary)))
        for name, count in articles.items()
    }
    return {
        "format": CorpusFolder.format,
        "winoglot": __version__,
        "language": settings.language,
        "licence": settings.licence or _licence(sources[0], settings, measurements) or "not stated",
        "hash": content_hash(build.result),
        "vocabulary": len(vocabulary),
        "splits": splits,
        "duplicates": division.duplicates,
        "left_out": dict(sorted(tally.left_out.items())),
        "warnings": _warnings(splits, settings, {source.role for source in sources}),
        "settings": settings.described(),
        "sources": [_described_source(source, measurements.get(source.path)) for source in sources],
    }


def _described_source(source: SourceFile, measurement: Measured | None) -> dict[str, Any]:
    """Size and hash of standard input are those that were measured while reading it."""
    size, sha256 = (
        (source.size, source.sha256) if source.sha256 or not measurement else (measurement.size, measurement.sha256)
    )
    return {"name": source.name, "for": source.role, "bytes": size, "sha256": sha256}


def _licence(source: SourceFile, settings: CorpusSettings, measurements: dict[str, Measured]) -> str:
    """The licence that a dump states about itself."""
    if source.path in measurements:
        return measurements[source.path].licence
    if settings.kind != "dump":
        return ""
    from winoglot.corpus.dump import site
    from winoglot.corpus.wiki import licence

    return licence(site(source.path))


def _no_articles(tally: Tally, settings: CorpusSettings, duplicates: int) -> InputError:
    left_out = {**dict(sorted(tally.left_out.items())), "duplicates": duplicates}
    listing = ", ".join(f"{count} {reason}" for reason, count in left_out.items() if count) or "nothing was found"
    if not tally.left_out["not marked"]:
        remedy = "Check that --from and --document fit the source."
        return InputError(f"the source has no article with text for training: {listing}", remedy=remedy)
    from winoglot.corpus.wiki import marking_templates

    templates = ", ".join(marking_templates(settings.language, settings.quality, settings.templates))
    frequent = ", ".join(name for name, _ in tally.templates.most_common(30)) or "none"
    message = f"no article has one of the templates {templates} ({listing}); seen most often: {frequent}"
    return InputError(message, remedy="Name the templates that mark articles here with --template.")


def _check_unknown(vocabulary: Vocabulary, settings: CorpusSettings) -> None:
    """Refuse a vocabulary that covers less than half of the training text."""
    unknown, words = int(vocabulary.counts[0]), int(vocabulary.counts.sum() - vocabulary.counts[1])
    if unknown <= _MOST_UNKNOWN * words:
        return
    if settings.max_vocab:
        limit, remedy = f"--max-vocab {settings.max_vocab}", "Raise it"
    else:
        limit, remedy = f"--min-count {settings.min_count}", "Lower it, or give more text"
    message = f"{limit} leaves {100 * unknown / words:.1f}% of the {words} training words unknown"
    raise InputError(message, remedy=f"{remedy}. What was read so far is kept: the next try continues from there.")


def _warnings(splits: dict[str, dict[str, Any]], settings: CorpusSettings, given_roles: set[str]) -> list[str]:
    warnings = []
    for name, counts in splits.items():
        if counts["unknown_share"] > _MUCH_UNKNOWN:
            share = f"{100 * counts['unknown_share']:.1f}%"
            other = name != "train" and name in given_roles
            why = (
                "is it the same language, tokenised alike?" if other else "more text would help, or a larger vocabulary"
            )
            warnings.append(f"{share} of the words of {name} are unknown: {why}")
        if not counts["articles"] and settings.held_out:
            warnings.append(f"{name} is empty")
    return warnings
