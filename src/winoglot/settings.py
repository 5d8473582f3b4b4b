"""Settings that users give as `name=value`: dataclasses whose annotations say which values are possible.

    @dataclass(frozen=True)
    class Reading:
        batch: PositiveInt = 20
        dropout: Share = 0.1

`change_settings` and `with_settings` fill them in from text, `check_settings` checks values that come from elsewhere.
They refuse what the annotations do not allow, with the setting, its value, what is expected, and how to give it.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from annotated_types import Ge, Gt, Le, Lt

from winoglot.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

SettingsT = TypeVar("SettingsT")
PositiveInt = Annotated[int, Gt(0)]
PositiveFloat = Annotated[float, Gt(0)]
NonNegativeInt = Annotated[int, Ge(0)]
NonNegativeFloat = Annotated[float, Ge(0)]
Share = Annotated[float, Ge(0), Lt(1)]
_LIMITS = {Ge: "at least", Gt: "greater than", Le: "at most", Lt: "less than"}


def setting_names(kind: type, fixed: Collection[str] = ()) -> list[str]:
    """The names of all settings of a kind, except those that are `fixed`."""
    return [name for name in get_type_hints(kind) if name not in fixed]


def change_settings(
    settings: SettingsT, changes: Iterable[str], *, fixed: Collection[str] = (), unknown: str, option: str = "--set"
) -> SettingsT:
    """The settings, changed by texts of the form `name=value`.

    Those in `fixed` cannot be changed. `unknown` begins the message about a name that no setting has, and `option` is
    how users give settings.

    >>> from winoglot.models.shots import ShotOptions
    >>> change_settings(ShotOptions(), ["shot=1"], unknown="it has no setting")
    Traceback (most recent call last):
    winoglot.errors.InputError: it has no setting 'shot'. Did you mean 'shots'? Known: examples, shots.
    """
    texts = {name: value for name, _, value in (change.partition("=") for change in changes)}
    check_names(texts, setting_names(type(settings), fixed), unknown)
    return with_settings(settings, texts, option)


def check_names(texts: Collection[str], names: Collection[str], unknown: str) -> None:
    """Refuse a name that no setting has; `unknown` begins the message."""
    for name in texts:
        if name not in names:
            raise InputError(f"{unknown} {name!r}", remedy=did_you_mean(name, names))


def with_settings(settings: SettingsT, texts: Mapping[str, str], option: str = "--set") -> SettingsT:
    """The settings with the values in `texts`, by name; `option` is how users give them (`--option`: with hyphens).

    >>> from winoglot.models.pmi import PmiOptions
    >>> with_settings(PmiOptions(), {"smoothing": "0.75"}).smoothing
    0.75
    >>> with_settings(PmiOptions(), {"smoothing": "2"}, "--option")
    Traceback (most recent call last):
    winoglot.errors.InputError: smoothing is 2. Use a number from 0 to 1: --option smoothing=…
    """
    hints = get_type_hints(type(settings), include_extras=True)
    names = {name: name.replace("_", "-") if option == "--option" else name for name in hints}
    values = {
        name: _checked_value(spelling, texts[spelling], hints[name], "validate_strings", f": {option} {spelling}=…")
        for name, spelling in names.items()
        if spelling in texts
    }
    return replace(settings, **values)  # type: ignore[type-var]


def check_settings(settings: SettingsT) -> SettingsT:
    """The settings, unchanged; InputError if an annotation does not allow a value."""
    hints = get_type_hints(type(settings), include_extras=True)
    for name, value in asdict(settings).items():  # type: ignore[call-overload]
        _checked_value(name, value, hints[name], "validate_python", ".")
    return settings


def _checked_value(name: str, value: object, annotation: Any, method: str, end: str) -> Any:
    from pydantic import ConfigDict, TypeAdapter, ValidationError  # imported here: it takes as long as all the rest

    validate: Callable[[object], Any] = getattr(TypeAdapter(annotation, config=ConfigDict(allow_inf_nan=False)), method)
    try:
        return validate(value)
    except ValidationError as error:
        if get_origin(annotation) is Literal:
            raise InputError(f"unknown {name} {value!r}", remedy=did_you_mean(value, get_args(annotation))) from error
        is_number = not error.errors()[0]["type"].endswith(("_parsing", "_type"))
        message = f"{name} is {value if is_number else repr(value)}"
        raise InputError(message, remedy=f"Use {_expectation(annotation)}{end}") from error


def _expectation(annotation: Any) -> str:
    """What an annotation allows, in words.

    >>> _expectation(Share), _expectation(PositiveInt), _expectation(bool)
    ('a number of at least 0 and less than 1', 'a whole number greater than 0', 'true or false')
    """
    annotation = next((kind for kind in get_args(annotation) if NoneType in get_args(annotation)), annotation)
    kind, *limits = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    noun = {bool: "true or false", int: "a whole number", float: "a finite number"}.get(kind, "a word")
    bounds = {type(limit): next(iter(asdict(limit).values())) for limit in limits}
    if not bounds:
        return noun
    noun = noun.replace("finite ", "")
    if bounds.keys() == {Ge, Le}:
        return f"{noun} from {bounds[Ge]:g} to {bounds[Le]:g}"
    words = " and ".join(f"{_LIMITS[limit]} {bound:g}" for limit, bound in bounds.items())
    return f"{noun} {'' if words.startswith('greater') else 'of '}{words}"
