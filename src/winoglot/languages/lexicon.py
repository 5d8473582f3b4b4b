"""A language's words: a few tables in its folder, each entry with its features.

A table is a text file with one line per entry, or per group of forms that share everything:

    # verbs.txt
    dar, emprestar = giving
    ter = auxiliary forms:tem,têm,tinha,tinham
    -ndo = gerund

Left of `=` are the forms, right of it features separated by spaces; `key:value,value` gives a feature values. A form
that begins with `-` is an ending, one that ends with `-` a beginning. `#` starts a comment. A form may have several
lines: *sie* is `feminine singular` in one and `plural` in another. `features.txt` beside this module lists every
feature with its meaning; a table that uses another one is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from winoglot import registry
from winoglot.errors import InputError, did_you_mean
from winoglot.languages.features import NAMES, VALUES, FeatureName
from winoglot.schemas.model import Animacy, Features, Gender, Number
from winoglot.schemas.text import folded, primary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_SHOWN = frozenset({*(value for name in NAMES for value in VALUES[name]), "unspecified"})


@dataclass(frozen=True)
class WordEntry:
    """One line of a table, for one of its forms."""

    form: str
    features: frozenset[str]
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def has(self, *features: str) -> bool:
        """Whether the entry has all these features."""
        return self.features.issuperset(features)

    def one_of(self, name: FeatureName) -> str | None:
        """The gender, number, animacy or case of the form; None if the line leaves it open.

        >>> WordEntry("ihm", frozenset({"dative", "singular"})).one_of("case")
        'dative'
        """
        return next((value for value in VALUES[name] if value in self.features), None)


@dataclass(frozen=True, eq=False)  # a table is read once, and the key of caches below
class WordTable:
    """The entries of a file by form, in the order of the file."""

    entries: Mapping[str, tuple[WordEntry, ...]] = field(default_factory=dict)

    def __contains__(self, form: str) -> bool:
        """Whether the form has an entry."""
        return form in self.entries

    def words(self, *features: str) -> frozenset[str]:
        """The forms with one line that has all these features; without features, all forms."""
        return _words(self, features)

    def values(self, key: str) -> Mapping[str, tuple[str, ...]]:
        """The values that each form has under a key, for forms that have any."""
        return _values(self, key)

    def features(self, *having: str) -> Mapping[str, Features]:
        """Gender, number and animacy of each form with all features of `having`; what its lines disagree on is open.

        Without `having`, only forms that show one of them, and those that are said to be `unspecified`.
        """
        return _features(self, having)

    def endings(self, *having: str) -> Mapping[str, Features]:
        """What each ending with all features of `having` shows, without its hyphen: `-ada` as *ada*."""
        return _endings(self, having)


@cache
def _words(table: WordTable, features: tuple[str, ...]) -> frozenset[str]:
    return frozenset(form for form, lines in table.entries.items() if any(line.has(*features) for line in lines))


@cache
def _values(table: WordTable, key: str) -> Mapping[str, tuple[str, ...]]:
    by_form: dict[str, tuple[str, ...]] = {}
    for form, lines in table.entries.items():
        values = tuple(value for line in lines for value in line.values.get(key, ()))
        if values:
            by_form[form] = values
    return MappingProxyType(by_form)


@cache
def _features(table: WordTable, having: tuple[str, ...]) -> Mapping[str, Features]:
    by_form: dict[str, Features] = {}
    for form, lines in table.entries.items():
        matching = [line for line in lines if (line.has(*having) if having else line.features & _SHOWN)]
        if matching:
            by_form[form] = Features(
                gender=cast("Gender | None", _agreed(matching, "gender")),
                number=cast("Number | None", _agreed(matching, "number")),
                animacy=cast("Animacy | None", _agreed(matching, "animacy")),
            )
    return MappingProxyType(by_form)


@cache
def _endings(table: WordTable, having: tuple[str, ...]) -> Mapping[str, Features]:
    by_form = _features(table, having).items()
    return MappingProxyType({form[1:]: features for form, features in by_form if form.startswith("-")})


def _agreed(lines: list[WordEntry], name: FeatureName) -> str | None:
    values = {line.one_of(name) for line in lines}
    return values.pop() if len(values) == 1 else None


@cache
def language_module(tag: str) -> ModuleType | None:
    """The package of the language with this tag, or else of its primary language; None if there is none.

    >>> language_module("pt-PT").__name__, language_module("tlh")
    ('winoglot.languages.pt', None)
    """
    name = _supported_tag(tag)
    return None if name is None else registry.load("languages", name)


def _supported_tag(tag: str) -> str | None:
    """The tag itself if there is a package for it, or else its primary language's; None if there is neither."""
    codes = registry.names("languages")
    return next((code for code in (tag.lower(), primary(tag)) if code in codes), None)


@cache
def lexicon(tag: str, name: str) -> WordTable:
    """A table of a language by its file name without `.txt`; empty if the language has no such table.

    >>> lexicon("tlh", "verbs").words("copula")
    frozenset()
    """
    place = _tables(tag)
    return read_table(place[0], place[1] + name) if place else _NO_TABLE


_NO_TABLE = WordTable()


def _tables(tag: str) -> tuple[str, str] | None:
    """Where a language's tables are: a package, and the folder in it; None if it is unknown or a single file.

    The code of a language of ours is not imported for them: names are looked up in the lists of all languages.
    """
    name = _supported_tag(tag)
    if name is None:
        return None
    if registry.is_built_in("languages", name):
        return "winoglot.languages", f"{name}/"
    module = language_module(tag)
    return (module.__name__, "") if module is not None and hasattr(module, "__path__") else None


@cache
def read_table(package: str, name: str) -> WordTable:
    """A table from the folder of a package; empty if there is no such file."""
    entries: dict[str, list[WordEntry]] = defaultdict(list)
    for line, where in _lines(package, name):
        forms, features, values = _parsed(line, where)
        for form in forms:
            entries[form].append(WordEntry(form, features, values))
    return WordTable(MappingProxyType({form: tuple(lines) for form, lines in entries.items()}))


def _lines(package: str, name: str) -> Iterator[tuple[str, str]]:
    """The lines of a file without comments, in lower case, each with its place."""
    file = next(
        (file for index in import_module(package).__path__ if (file := Path(index, f"{name}.txt")).is_file()), None
    )
    if file is None:
        return
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        content = folded(line.partition("#")[0]).strip()
        if content:
            where = name if "/" in name else f"{package.rpartition('.')[2]}/{name}"
            yield content, f"{where}.txt, line {number}"


def _parsed(line: str, where: str) -> tuple[list[str], frozenset[str], Mapping[str, tuple[str, ...]]]:
    left, equals, right = line.partition("=")
    forms = [form.strip() for form in left.split(",")]
    if not equals or not all(forms):
        raise InputError(f"{where}: no forms and features in {line!r}", remedy="Write: form, form = feature feature.")
    values: dict[str, tuple[str, ...]] = {}
    features = set()
    for word in right.split():
        key, colon, value = word.partition(":")
        if key not in known_features():
            raise InputError(
                f"{where}: unknown feature {key!r}",
                remedy=f"{did_you_mean(key, known_features())} Or document it in languages/features.txt.",
            )
        features.add(key)
        if colon:
            values[key] = (*values.get(key, ()), *value.replace("_", " ").split(","))
    return forms, frozenset(features), MappingProxyType(values)


@cache
def contractions(tag: str) -> Mapping[str, tuple[str, str]]:
    """What each contracted form is made of, from `contractions.txt`: `na = em a`.

    >>> contractions("pt")["na"]
    ('em', 'a')
    """
    return MappingProxyType({form: parts for form, (parts, _) in _contractions(tag).items()})


@cache
def optional_contractions(tag: str) -> frozenset[str]:
    """The contractions that a writer may or may not use: `num = em um optional`."""
    return frozenset(form for form, (_, is_optional) in _contractions(tag).items() if is_optional)


def _contractions(tag: str) -> Mapping[str, tuple[tuple[str, str], bool]]:
    place = _tables(tag)
    return read_contractions(*place) if place else {}


def read_contractions(package: str, folder: str = "") -> Mapping[str, tuple[tuple[str, str], bool]]:
    """The parts of each contraction in a package, and whether it is optional."""
    entries = {}
    for line, where in _lines(package, folder + "contractions"):
        form, _, right = line.partition("=")
        match right.split():
            case [preposition, determiner, *rest] if rest in ([], ["optional"]):
                entries[form.strip()] = (preposition, determiner), bool(rest)
            case _:
                raise InputError(
                    f"{where}: expected a form, a preposition and a determiner, found {line!r}",
                    remedy="Write: na = em a, and 'optional' after it if a writer need not contract.",
                )
    return entries


@cache
def known_features() -> Mapping[str, str]:
    """Every feature a table may use, with its meaning."""
    lines = files("winoglot.languages").joinpath("features.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return MappingProxyType({name.strip(): meaning.strip() for name, _, meaning in pairs})
