"""The exception that bad input raises: what is wrong, where, and what to do about it."""

from __future__ import annotations

from contextlib import contextmanager
from difflib import get_close_matches
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TRACEBACK = "WINOGLOT_TRACEBACK"  # environment variable: if set, the command line also prints where an error arose
_MOST_ERRORS = 20  # how many further errors of a file are shown
_MOST_NAMED = 30  # how many known words a remedy lists
_PACKAGES = {  # where their names differ from those of their modules
    "babel": "Babel",
    "jinja2": "Jinja2",
    "markdown_it": "markdown-it-py",
    "sklearn": "scikit-learn",
    "sqlalchemy": "SQLAlchemy",
    "z3": "z3-solver",
}

type_names = {dict: "a mapping", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}


class InputError(ValueError):
    """User input that cannot be used. Any other exception is a bug in Winoglot.

    `path` leads to the faulty value inside a file (`("schemas", 3, "candidates", 1)`), `offset` to a character of
    that value; the reader of the file turns them into `line` and `column`.

    >>> print(InputError("unknown key 'txt'", remedy="Did you mean 'text'?", file="a.yaml", line=3))
    a.yaml, line 3: unknown key 'txt'. Did you mean 'text'?
    """

    def __init__(
        self,
        message: str,
        *,
        remedy: str = "",
        path: tuple[str | int, ...] = (),
        offset: int | None = None,
        at_key: bool = False,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        schema: str | None = None,
    ) -> None:
        """Keep the parts separate, so that callers can add what they know about the place."""
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.path = path
        self.offset = offset
        self.at_key = at_key
        self.file = file
        self.line = line
        self.column = column
        self.schema = schema
        self.others: tuple[InputError, ...] = ()  # what else is wrong in the same file

    @property
    def all(self) -> tuple[InputError, ...]:
        """This error and the others of the same file."""
        return (self, *self.others)

    def __str__(self) -> str:
        """One line: where, what is wrong, what to do; then one for each further error of the file."""
        more = len(self.others) - _MOST_ERRORS
        others = [str(error) for error in self.others[:_MOST_ERRORS]]
        return "\n".join([self._line(), *others, *([f"… and {more} more errors in this file"] if more > 0 else [])])

    def _line(self) -> str:
        place = [self.file] if self.file else []
        place += [f"{name} {value}" for name, value in (("line", self.line), ("column", self.column)) if value]
        if self.schema:
            place.append(f"schema {self.schema!r}")
        if self.path and not self.at_key:
            place.append(spell_path(self.path))
        place = [printable(part) for part in place]
        ends = "" if self.message.endswith((".", "?", "!")) else "."
        return f"{', '.join(place)}{': ' if place else ''}{self.message}{ends} {self.remedy}".rstrip()


class PluginError(InputError):
    """An exception in another package's code. Raise it `from` that exception.

    >>> print(PluginError("the solver toy", KeyError("Ana"), "Correct it."))
    the solver toy failed: KeyError: 'Ana'. Correct it. To see where it failed, set WINOGLOT_TRACEBACK=1.
    """

    def __init__(self, what: str, error: Exception, remedy: str = "") -> None:
        """Name the plug-in, with what it was working on, and say what went wrong."""
        remedy = remedy or "Correct it, or report it to the authors of the package that provides it."
        super().__init__(
            f"{what} failed: {type(error).__name__}: {error}".removesuffix(": "),
            remedy=f"{remedy} To see where it failed, set {TRACEBACK}=1.",
        )


class DivergedError(InputError):
    """A training whose loss is no longer a number: the same settings would end the same way again."""


class ManyLanguagesError(InputError):
    """A file contains several languages, and the caller chose none."""

    def __init__(self, languages: Iterable[str], file: str) -> None:
        """Take the languages of the file, which the message lists."""
        self.languages = sorted(languages)
        super().__init__(
            f"the file contains {len(self.languages)} languages: {', '.join(self.languages)}",
            remedy=f'Choose one with --language (from Python: language="{self.languages[0]}").',
            file=file,
        )


def require_extra(what: str, *modules: str, extra: str) -> None:
    """An input error with the command to run, if an optional package is missing.

    >>> require_extra("a proof needs", "no_such_module", extra="logic")
    Traceback (most recent call last):
    winoglot.errors.InputError: a proof needs no_such_module, which is not installed. Run: pip install "winoglot[logic]"
    """
    missing = [_PACKAGES.get(module, module) for module in modules if find_spec(module) is None]
    if missing:
        relative_clause = "which is" if len(missing) == 1 else "which are"
        message = f"{what} {', '.join(missing)}, {relative_clause} not installed"
        raise InputError(message, remedy=f'Run: pip install "winoglot[{extra}]"')


def printable(text: str) -> str:
    """The text with control characters, which a terminal would interpret, escaped.

    >>> print(printable("a\\x1b[2J"))
    a\\x1b[2J
    """
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def spell_path(path: tuple[str | int, ...]) -> str:
    """The path as people write it: `candidates[1]`, without the way to the schema, which is named by its id."""
    if len(path) > 2 and path[0] == "schemas":
        path = path[2:]
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


class error_path:  # noqa: N801  # a context manager; entered so often that one made from a generator would be slow
    """Add these keys to the path of an input error raised in the block."""

    def __init__(self, *steps: str | int) -> None:
        """Take the keys, outermost first."""
        self.steps = steps

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Add the keys; the error is still raised."""
        if isinstance(error, InputError):
            for single in error.all:
                single.path = (*self.steps, *single.path)


class Faults:
    """Input errors of several blocks, raised as one: the first of each place.

    >>> faults = Faults()
    >>> for name in ("text", "answers"):
    ...     with faults.collected(), error_path(name):
    ...         raise InputError("it is empty")
    >>> faults.raise_together()
    Traceback (most recent call last):
    winoglot.errors.InputError: text: it is empty.
    answers: it is empty.
    """

    def __init__(self) -> None:
        """Start without any."""
        self.errors: dict[tuple[int | None, tuple[str | int, ...]], InputError] = {}

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Keep the input errors of this block, and continue after it."""
        try:
            yield
        except InputError as error:
            self.add(error)

    def add(self, error: InputError) -> None:
        """Keep an error and the others that it brings."""
        for single in error.all:
            self.errors.setdefault((single.line, single.path), single)

    def together(self) -> InputError:
        """The first error, with the others; there must be one."""
        first, *others = self.errors.values()
        for error in others:
            error.others = ()
        first.others = tuple(others)
        return first

    def raise_together(self) -> None:
        """Raise what was collected, if anything was."""
        if self.errors:
            raise self.together()


@contextmanager
def located(*, file: str | None = None, line: int | None = None, schema: str | None = None) -> Iterator[None]:
    """Add the place to an input error raised in the block, unless it has one already."""
    try:
        yield
    except InputError as error:
        for single in error.all:
            single.file = single.file or file
            single.line = single.line or line
            single.schema = single.schema or schema
        raise


def did_you_mean(word: object, words: Iterable[str], *, most: int = _MOST_NAMED) -> str:
    """A remedy that names the known word most similar to the one given, and lists known words, `most` of them.

    >>> did_you_mean("candidate", ["text", "candidates"])
    "Did you mean 'candidates'? Known: candidates, text."
    >>> did_you_mean("xml", ["blocks", "davis-xml"])
    "Did you mean 'davis-xml'? Known: blocks, davis-xml."
    """
    names = sorted(words)
    if not names:
        return "There are none."
    close = get_close_matches(str(word), names, n=1, cutoff=0.6) or [name for name in names if str(word) in name][:1]
    hint = f"Did you mean {close[0]!r}? " if close else ""
    more = f", … ({len(names)})" if len(names) > most else ""
    return f"{hint}Known: {', '.join(names[:most])}{more}."


def describe(value: object) -> str:
    """A value from a file or a caller, in words.

    >>> describe([1, 2]), describe(None), describe("Rita")
    ('a list', 'nothing', "'Rita'")
    """
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "…")
    if isinstance(value, int | float):
        return repr(value)
    return type_names.get(type(value), type(value).__name__)


def check_argument(value: object, kinds: type | tuple[type, ...], expected: str, remedy: str) -> None:
    """Refuse an argument of the wrong type before it fails somewhere inside.

    >>> check_argument("Rita", int, "a whole number", "Give one, such as 7.")
    Traceback (most recent call last):
    winoglot.errors.InputError: expected a whole number, found 'Rita'. Give one, such as 7.
    """
    if not isinstance(value, kinds) or (kinds is int and isinstance(value, bool)):
        raise InputError(f"expected {expected}, found {describe(value)}", remedy=remedy)
