"""Loading collections by name or path, in any format, and saving them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from inspect import signature
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args

from winoglot import registry
from winoglot.errors import InputError, ManyLanguagesError, check_argument, did_you_mean
from winoglot.files import OF_COLLECTIONS, Content, did_you_mean_path, exists, write_folder, write_whole
from winoglot.formats.base import InputFile, Report, load_formats, named_after, recognise, sniffing, suffixes
from winoglot.formats.importing.labels import with_labels
from winoglot.formats.published import citation_of
from winoglot.overlays import with_overlays
from winoglot.schemas.bundled import bundled, family, without_families
from winoglot.schemas.model import Collection, Style
from winoglot.schemas.text import counted, language_tag, primary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_OWN_FORMATS = ("yaml", "jsonl")  # their authors say how to cite them
_HEAD = 4096  # bytes by which a file is recognised


def load(
    source: str | Path,
    format: str | None = None,  # noqa: A002
    language: str | None = None,
    *,
    labels: Sequence[str | Path] = (),
    columns: Mapping[str, str | Sequence[str]] | None = None,
    overlay: str | Path | Sequence[str | Path] = (),
    strict: bool = False,
) -> Collection:
    """A bundled collection by its name, or a file by its path, or `format:path`.

    A file in several languages needs `language`. `labels` are files that say which items are associative or can be
    switched; with `strict`, anything the reader would have to repair is an input error.

    `columns` says which columns of a table hold what, if they have other names: `{"text": "Satz"}`.

    `overlay` names one or several files with grammatical readings for the items (see `winoglot.overlays`). Without it,
    the bundled overlays add the readings they have for published items; "none" leaves them out.

    >>> load("winoglot-pt").language
    'pt-BR'
    """
    options: dict[str, Any] = {"labels": labels, "columns": columns, "overlay": overlay, "strict": strict}
    return load_with_report(source, format, language, **options)[0]


def load_with_report(
    source: str | Path,
    format: str | None = None,  # noqa: A002
    language: str | None = None,
    *,
    labels: Sequence[str | Path] = (),
    licence: str | None = None,
    citation: str | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    overlay: str | Path | Sequence[str | Path] = (),
    strict: bool = False,
) -> tuple[Collection, Report]:
    """Load a collection as `load` does, with a report on what the reader repaired and skipped."""
    check_argument(source, (str, Path), "a collection's name or a path", "Give one: wg.load('winoglot-pt').")
    check_argument(format, (str, NoneType), "the name of a format", "Leave it out if the file shows its format.")
    tag = None if language is None or language == "" else language_tag(language)
    overlays, labels = _paths(overlay, "overlay"), _paths(labels, "labels")
    file, format_name = _find(source, tag)
    file = replace(file, labels=tuple(map(Path, labels)), licence=licence, citation=citation)
    if columns:
        file = replace(file, columns={name: (of,) if isinstance(of, str) else of for name, of in columns.items()})
        format = format or "table"  # noqa: A001
    format_name = (format_name or recognise(file)) if format is None else format
    if columns and format_name != "table":
        message = f"the format {format_name!r} has columns of its own"
        raise InputError(message, remedy="Leave out the columns.", file=file.label)
    module = registry.load("formats", format_name)
    if not hasattr(module, "read"):
        raise InputError(f"the format {format_name!r} can only be written", remedy="Give a file of another format.")
    try:
        if file.name and not format:
            collection = _read_bundled(file.path)
        else:
            collection = _call_format(format_name, module.read, file, returns=Collection, expected="a Collection")
    except InputError as error:
        if format is not None:
            error.remedy = f"{error.remedy} {_looks_like(file, format)}".strip()
        raise
    check_language(collection.language, language, file.label)
    if labels:
        collection = with_labels(collection, file)
    if strict and file.report.repaired:
        first = file.report.repaired[0]
        raise InputError(
            f"{counted(len(file.report.repaired), 'repair')} would be needed; the first: {first.what}: {first.why}",
            remedy="Correct the file, or leave out --strict.",
            file=file.label,
            line=first.line,
        )
    if collection.citation is None and format_name not in _OWN_FORMATS:
        collection = replace(collection, citation=citation_of(collection, format_name, file.path))
    collection = with_overlays(collection, overlays)
    object.__setattr__(collection, "file", str(source))
    return collection, file.report


@cache
def _read_bundled(path: Path) -> Collection:
    """A collection that comes with Winoglot. Nobody changes its file, so a process reads it once."""
    collection: Collection = registry.load("formats", "yaml").read(InputFile(path, name=path.stem))
    return collection


def _paths(value: str | Path | Sequence[str | Path], name: str) -> list[str | Path]:
    """The paths as a list: of one, unless several are given."""
    paths: list[Any] = list(value) if isinstance(value, list | tuple) else [value]
    for path in paths:
        check_argument(path, (str, Path), f"paths as {name}", f'Write {name}=["FILE"].')
    return paths


def _looks_like(file: InputFile, format: str) -> str:  # noqa: A002
    """A hint at the format that a file looks like, if it was given as another one."""
    try:
        name = recognise(file)
    except InputError:
        return ""
    return f"It looks like {name}." if name != format else ""


def check_language(language: str, wanted_language: str | None, file: str) -> None:
    """Refuse a collection in another language than asked for, or in another script or region if both name one."""
    tag = language_tag(wanted_language) if wanted_language else language
    if primary(tag) != primary(language) or (tag != language and primary(tag) not in (tag, language)):
        remedy = "Leave out the language, or name another file."
        raise InputError(f"the collection is in {language}, not in {tag}", remedy=remedy, file=file)


def load_all(name: str) -> dict[str, Collection]:
    """The bundled collections of a family, by language: the part of the name after the family's.

    >>> sorted(load_all("winoglot"))
    ['de', 'en', 'es', 'fr', 'it', 'ja', 'pt', 'ru', 'zh']
    """
    check_argument(name, str, "the name of a family of collections", 'Write wg.load_all("winoglot").')
    members = family(name)
    if not members:
        families = {stem.rpartition("-")[0] or stem for stem in bundled()}
        raise InputError(f"there is no family of collections {name!r}", remedy=did_you_mean(name, families))
    return {language: load(path.stem) for language, path in members.items()}


@dataclass(frozen=True)
class FoundCollections:
    """The collections of a file or folder, each with its file, and why others could not be read."""

    collections: tuple[tuple[str, Collection], ...]
    unread: tuple[InputError, ...] = ()


def load_folder(source: str | Path) -> FoundCollections:
    """Every collection in a file, or in the files of a folder; a file in several languages gives all of them.

    Files of a folder that do not look like collections are ignored; a folder without any collection is an input error.
    """
    path = Path(source)
    if not path.is_dir():
        return FoundCollections(_load_languages(source))
    collections: list[tuple[str, Collection]] = []
    unread: list[InputError] = []
    for file in sorted(path.rglob("*")):
        if file.is_file():
            try:
                collections += _load_languages(file)
            except InputError as error:
                if _looks_like_a_collection(file):
                    unread.append(error)
    if not collections:
        why = f" that can be read: {'; '.join(map(str, unread))}" if unread else ""
        remedy = "Correct the file, or name another folder." if unread else "Name another folder."
        raise InputError(f"the folder contains no collection{why}", remedy=remedy, file=str(path))
    return FoundCollections(tuple(collections), tuple(unread))


def _load_languages(source: str | Path) -> tuple[tuple[str, Collection], ...]:
    try:
        return ((str(source), load(source)),)
    except ManyLanguagesError as error:
        return tuple((str(source), load(source, language=language)) for language in error.languages)


def _looks_like_a_collection(path: Path) -> bool:
    """Whether a format that can be read has its suffix or recognises its content; a README, say, does neither."""
    readable = {name: module for name, module in load_formats()[0].items() if hasattr(module, "read")}
    if any(path.suffix.lower() in suffixes(module) for module in readable.values()):
        return True
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode(errors="replace")  # the file may be the one that is not UTF-8
    except OSError:
        return False
    return bool(sniffing(head, readable))


def load_several(sources: list[str], language: str | None = None) -> list[Collection]:
    """Collections in the order given; the name of a family stands for all its languages, or for the language named."""
    return [load(source, language=language) for source in without_families(sources, language)]


def save(
    collection: Collection,
    path: str | Path,
    format: str | None = None,  # noqa: A002
    *,
    readings: str | None = None,
    force: bool = False,
) -> None:
    """Write a collection whole or not at all; the format is the file's suffix unless given.

    `readings` is the style of readings in a format that is made of them: naive or grammatical. By default they are
    naive in lm-eval and grammatical in wnli.
    """
    check_argument(collection, Collection, "a collection", "Give one: wg.save(collection, path).")
    check_argument(path, (str, Path), "a path", "Give the file to write: wg.save(collection, 'mine.yaml').")
    check_argument(format, (str, NoneType), "the name of a format", "Leave it out if the suffix shows it.")
    path = Path(path)
    write_output(path, dump([collection], format or format_of(path), readings), force=force)


def write_output(path: Path, content: Content, *, force: bool) -> None:
    """Write the content of a file, or of the files of a folder."""
    if isinstance(content, dict):
        write_folder(path, content, force=force)
    else:
        write_whole(path, content, force=force)


def dump(collections: Sequence[Collection], format: str, readings: str | None = None) -> Content:  # noqa: A002
    """The content of a file in a format: one collection, or several side by side if the format allows that.

    `readings` is the style of readings, for a format whose `write` takes one.
    """
    module = registry.load("formats", format)
    if not hasattr(module, "write"):
        raise InputError(f"the format {format!r} can only be read", remedy="Name another format.")
    if len(collections) > 1 and not hasattr(module, "write_several"):
        raise InputError(
            f"the format {format!r} can hold only one collection",
            remedy="Name one collection, or the format html or parquet.",
        )
    style = _style(module.write, format, readings)
    expected = "text, bytes, or a dictionary of files"
    write, argument = (module.write, collections[0]) if len(collections) == 1 else (module.write_several, collections)
    content: Content = _call_format(format, write, argument, returns=(str, bytes, dict), expected=expected, **style)
    return content


def _call_format(name: str, function: Callable[..., Any], *arguments: object, **settings: Any) -> Any:
    """Call a function of a format; an error names both."""
    remedy = "Correct it; docs/extend.md shows what a format returns."
    return registry.call_plugin(
        f"{function.__name__} of the format {name!r}", function, *arguments, remedy=remedy, **settings
    )


def lost(collections: Sequence[Collection], format: str, readings: str | None = None) -> list[str]:  # noqa: A002
    """What the collections lose in a format, in words."""
    module = registry.load("formats", format)
    if not hasattr(module, "lost"):
        return []
    style = _style(module.lost, format, readings)
    return [
        line
        for collection in collections
        for line in _call_format(format, module.lost, collection, items=str, expected="texts", **style)
    ]


def _style(function: Callable[..., Any], format: str, readings: str | None) -> dict[str, str]:  # noqa: A002
    """The style of readings as an argument of a format's function; an input error if it takes none."""
    if readings is None:
        return {}
    if readings not in get_args(Style):
        raise InputError(f"unknown style of reading {readings!r}", remedy=did_you_mean(readings, get_args(Style)))
    if "style" not in signature(function).parameters:
        message = f"the format {format!r} does not consist of readings"
        raise InputError(message, remedy="Leave --readings out, or write lm-eval or wnli.")
    return {"style": readings}


def format_of(path: Path) -> str:
    """The format in which a file of this name is written, by its suffix: the one named after it, or the only one."""
    suffix = path.suffix.lower()
    for names in (named_after(suffix), None):
        writable = {name: module for name, module in load_formats(names)[0].items() if hasattr(module, "write")}
        names_of_suffix = [name for name, module in writable.items() if suffix in suffixes(module)]
        if len(names_of_suffix) == 1:
            return names_of_suffix[0]
    writable_suffixes = sorted({suffix for module in writable.values() for suffix in suffixes(module)})
    raise InputError(
        f"the suffix {suffix!r} does not say which format to write",
        remedy=f"End the file name in {', '.join(writable_suffixes)}.",
        file=str(path),
    )


def lines_of(source: str | Path) -> tuple[str, dict[str, int]]:
    """What messages call the file of a source that can be read, and the line of each schema and item in it, by id.

    Items without a line of their own are not listed; a format that does not say where schemas are has no lines.
    """
    file, format_name = _find(source, None)
    format_name = format_name or recognise(file)
    module = registry.load("formats", format_name)
    return file.label, _call_format(format_name, module.lines, file) if hasattr(module, "lines") else {}


def path_of(source: str | Path) -> Path:
    """The file of the collection that a source names."""
    return _find(source, None)[0].path


def _find(source: str | Path, language: str | None) -> tuple[InputFile, str | None]:
    """The file that a source names, and its format if the source names it."""
    names = bundled()
    if isinstance(source, str) and family(source) and not exists(Path(source)):
        members = ", ".join(path.stem for path in family(source).values())
        raise InputError(f"{source!r} is a family of collections", remedy=f"Name one of them: {members}.")
    if isinstance(source, str) and source in names:
        return InputFile(names[source], language, name=source), "yaml"
    if str(source).strip() and exists(Path(source)):  # an empty name would be this folder
        _check_no_folder(Path(source))
        return InputFile(Path(source), language), None
    prefix, colon, location = str(source).partition(":")
    if colon and prefix in registry.names("formats"):
        return InputFile(Path(location), language), prefix
    if colon and location and exists(Path(location)):
        raise InputError(f"there is no format {prefix!r}", remedy=did_you_mean(prefix, registry.names("formats")))
    remedy = did_you_mean_path(Path(source), OF_COLLECTIONS).strip()
    remedy = remedy or _other_languages(str(source)) or did_you_mean(str(source), names)
    raise InputError(f"there is no bundled collection and no file {str(source)!r}", remedy=remedy)


def _check_no_folder(path: Path) -> None:
    """Refuse a folder, naming the files in it that may be collections."""
    if not path.is_dir():
        return
    files = sorted(str(file) for file in path.iterdir() if file.suffix.lower() in OF_COLLECTIONS)
    remedy = "Name a file; `winoglot list` shows the bundled collections."
    if files:
        remedy = f"Name a file in it: {', '.join(files[:3])}{', …' if len(files) > 3 else ''}."
    raise InputError(f"{path} is a folder, not a collection", remedy=remedy)


def _other_languages(source: str) -> str:
    """A remedy for the name of a family with a language that it lacks: which are there, and how to add one."""
    source = source.removesuffix(".yaml")
    name, _, language = source.partition("-")
    members = family(name)
    if not members or not re.fullmatch(r"[a-z]{2}(-[A-Za-z]{2,4})?", language) or primary(language) in members:
        return ""
    there = f"{name} is there in {', '.join(members)}: {', '.join(path.stem for path in members.values())}."
    first = next(iter(members.values())).stem
    return f"{there} To translate it: winoglot new --from {first} --to {language} -o {source}.yaml"
