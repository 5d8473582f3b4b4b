"""Plug-ins of every kind: Winoglot's own stand in the table below, outside packages announce theirs as entry points.

A plug-in is a module, or a folder, that offers what its kind needs (a format: `read` or `write`). To add one, write the
module and add its name to the table; listing names imports nothing. A name has `-` where the module has `_`. A module
may also hold several small plug-ins:

    PLUGINS = {"first": Baseline(...), "second": Baseline(...)}

Each value then offers what a module would; the table names the module once for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, PluginError, describe, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class PluginKind:
    """Plug-ins of one kind: where they are, what they offer, and Winoglot's own.

    The package is also the name of the entry point group in which outside packages announce theirs. A plug-in offers at
    least one of `offers`, or its folder has the `file`. `modules` names the modules below the package, by plug-in.
    """

    package: str
    offers: tuple[str, ...]
    modules: Mapping[str, str]
    file: str = field(default="", kw_only=True)


def _modules(names: str, **shared: str) -> dict[str, str]:
    """One module for each name; `shared` lists the names of plug-ins that share a module.

    >>> _modules("davis-xml", baselines="first second")
    {'davis-xml': 'davis_xml', 'first': 'baselines', 'second': 'baselines'}
    """
    own_modules = {name: name.replace("-", "_") for name in names.split()}
    return own_modules | {name: module for module, sharing in shared.items() for name in sharing.split()}


KINDS = {
    "formats": PluginKind(
        "winoglot.formats",
        ("read", "write"),
        _modules(
            "blocks davis-xml french-xml html jsonl lm-eval mandarinograd parquet perturbed-wsc portuguese-html "
            "portuguese-json pws superglue table winogrande wnli xwinograd yaml"
        ),
    ),
    "checks": PluginKind(
        "winoglot.checks",
        ("check",),
        _modules(
            "agreement answer-moves association balance candidate-order hypotheses-fit judged known-tags length-cue "
            "near-duplicates pronoun-fits readings-derived segment-cue segment-grammar segment-marked spelling "
            "unique-texts written-readings"
        ),
    ),
    "languages": PluginKind(
        "winoglot.languages", ("WORDS",), _modules("de en es fr it ja pt ru zh"), file="pronouns.txt"
    ),
    "perturbations": PluginKind(
        "winoglot.perturb",
        ("perturb",),
        _modules(
            "after-only context-swapped lower-case no-candidates renamed segment-masked shuffled switched",
            grammatical="tense number gender voice relative adverb synonym",
        ),
    ),
    "models": PluginKind(
        "winoglot.models",
        ("load",),
        _modules(
            "causal chat choice context2vec ensemble gemma-3-270m gemma-3-270m-tuned gguf lm masked next-sentence nli "
            "pmi remote",
            baselines="first second longer frequent chance",
        )
        | {"logic": "winoglot.logic.solvers.family"},  # its package stands above that of models
    ),
    "metrics": PluginKind(
        "winoglot.metrics",
        ("estimate", "cases"),
        _modules(
            "calibration",
            accuracy="accuracy exactness quality success knowledge f1 pair-accuracy",
            renaming="renamed renamed-sd",
            robustness="consistency stability delta-accuracy delta-quality robust-accuracy position-preference",
            twins="twin-accuracy",
        ),
    ),
    "measures": PluginKind(
        "winoglot.analysis",
        ("measure",),
        _modules(
            "association-divergence contamination distribution marginal preference probability representation "
            "sensitivity"
        ),
    ),
    "study-questions": PluginKind("winoglot.study.questions", ("summarise",), _modules("confidence")),
    "logic-tasks": PluginKind(
        "winoglot.logic.tasks",
        ("draw",),
        _modules(
            "comparison conditional coordination counting description disjunction mixed negation nested-negation "
            "quantification temporal"
        ),
    ),
}


def names(kind: str) -> list[str]:
    """The names of all plug-ins of a kind, sorted, without importing any of them.

    >>> "yaml" in names("formats")
    True
    """
    return sorted({*KINDS[kind].modules, *_outside(KINDS[kind].package)})


def is_built_in(kind: str, name: str) -> bool:
    """Whether a plug-in is Winoglot's own."""
    return name in KINDS[kind].modules


def call_plugin(
    what: str,
    function: Callable[..., Any],
    *arguments: object,
    returns: type | tuple[type, ...] = object,
    items: type | None = None,
    expected: str = "",
    remedy: str = "",
    passes: Callable[[Exception], bool] = lambda _: False,
    where: Callable[[], str] = str,
    source: object = None,
    **keywords: object,
) -> Any:
    """Call a function of a plug-in. If it fails, or returns something else, the input error names it and its module.

    `what` is the plug-in in words. The result must be one of `returns`, or, if `items` is given, an iterable of them,
    which becomes a list; `expected` says the same in words. `where` tells after a failure what the plug-in was working
    on. `source` is the plug-in, where the function alone does not show which module it is from.

    Input errors, and those for which `passes` is true, go through. So does any error in a plug-in of
    ours: it is a bug, and its traceback is what we need.

    >>> call_plugin("the toy", len, "abc", returns=str, expected="text")
    Traceback (most recent call last):
    winoglot.errors.InputError: the toy (builtins) returned 3, expected text.
    """
    module = origin(source or function)
    try:
        result: Any = function(*arguments, **keywords)
        if items is not None and isinstance(result, Iterable):
            result = list(result)  # here, because a generator fails while it is read
    except InputError:
        raise
    except Exception as error:
        if passes(error) or module.startswith("winoglot."):
            raise
        raise PluginError(f"{what} ({module}){where()}", error, remedy) from error
    is_expected = isinstance(result, returns if items is None else list)
    if not is_expected:
        raise InputError(f"{what} ({module}) returned {describe(result)}, expected {expected}", remedy=remedy)
    unexpected = [] if items is None else [item for item in result if not isinstance(item, items)]
    if unexpected:
        raise InputError(f"{what} ({module}) yielded {describe(unexpected[0])}, expected {expected}", remedy=remedy)
    return result


def origin(plugin: Any) -> str:
    """The module that a plug-in comes from: a module, a function or an object."""
    while isinstance(plugin, partial):
        plugin = plugin.func
    return str(plugin.__name__ if isinstance(plugin, ModuleType) else plugin.__module__)


def ignored(kind: str) -> dict[str, str]:
    """The outside plug-ins that are never loaded because a built-in has their name: the name and the module."""
    outside = sorted(_outside(KINDS[kind].package).items())
    return {name: entry.value for name, entry in outside if is_built_in(kind, name)}


def summary(kind: str, name: str) -> str:
    """What a plug-in is, in one line: of a module the first line of its docstring, of an object its `description`.

    For a plug-in that cannot be loaded it is the reason.

    >>> summary("formats", "wnli")
    "GLUE's WNLI: a table of inference pairs."
    """
    try:
        plugin = load(kind, name)
    except InputError as error:  # a plug-in that does not work is still listed
        return f"not available: {error.message}"
    text = plugin.__doc__ if isinstance(plugin, ModuleType) else getattr(plugin, "description", None)
    return (text or "").strip().partition("\n")[0].replace("`", "")


def import_path(kind: PluginKind, name: str) -> str:
    """The dotted name of the module of a plug-in of ours; one outside the kind's package stands in the table so."""
    module = kind.modules[name]
    return module if module.startswith("winoglot.") else f"{kind.package}.{module}"


def load(kind: str, name: str) -> Any:
    """The module or object behind a name; InputError if the name is unknown or the plug-in does not work."""
    plugin_kind = KINDS[kind]
    outside = _outside(plugin_kind.package)
    if name in plugin_kind.modules:
        source = import_path(plugin_kind, name)
        module = _import_plugin(source, kind, name, partial(import_module, source))
    elif name in outside:
        source = outside[name].value
        module = _import_plugin(source, kind, name, outside[name].load)
    else:
        raise InputError(f"there is no {kind.removesuffix('s')} {name!r}", remedy=did_you_mean(name, names(kind)))
    table = getattr(module, "PLUGINS", {})
    plugin = table.get(name, module)
    if not (any(hasattr(plugin, member) for member in plugin_kind.offers) or _has_file(plugin, plugin_kind.file)):
        if table and plugin is module:
            raise InputError(
                f"{source}, registered under {kind} as {name!r}, has no such name in its PLUGINS",
                remedy=did_you_mean(name, table),
            )
        expected = " or ".join(filter(None, (*plugin_kind.offers, plugin_kind.file)))
        raise InputError(
            f"{source}, registered under {kind} as {name!r}, has no {expected}",
            remedy=f"See the docstring of {plugin_kind.package} for what such a plug-in must offer.",
        )
    return plugin


def _has_file(plugin: Any, file: str) -> bool:
    """Whether the plug-in is a folder with that file."""
    return bool(file) and any(Path(folder, file).is_file() for folder in getattr(plugin, "__path__", ()))


def _import_plugin(source: str, kind: str, name: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except Exception as error:  # another package's code may raise anything, and so may what ours imports
        package = "winoglot" if is_built_in(kind, name) else "or remove the package that provides it"
        raise InputError(
            f"{source}, registered under {kind} as {name!r}, cannot be imported: {error}",
            remedy=f"Reinstall {package}.",
        ) from error


@cache
def _outside(package: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=package)}
