"""What a model is called: `family:location`, a family alone, or `NAME=family:location`, which gives it another name.

The name is what folders, tables and reports show; the address, `family:location`, is stored with every run.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.errors import InputError, did_you_mean, printable
from winoglot.files import exists, expanded, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORBIDDEN = '/\\*?"<>|'  # in the names of folders, on one system or another
_LONGEST = 80  # characters: the folder's name has the collection, scoring and readings too
_HEADS = {  # the ends of the names of architectures in transformers, and the families that use their heads
    "ForCausalLM": "causal",
    "LMHeadModel": "causal",
    "ForMaskedLM": "masked",
    "ForPreTraining": "masked",
    "ForMultipleChoice": "choice",
    "ForNextSentencePrediction": "next-sentence",
    "ForSequenceClassification": "nli",
}
_TRAINED = {
    "lstm": "lm",
    "gru": "lm",
    "rnn": "lm",
    "transformer": "lm",
    "context2vec": "context2vec",
}  # kinds that `winoglot train` makes
_SLIP = 0.85  # how alike a name with digits and the name of a family must be
_EXAMPLE = "Write NAME=family:location, such as tiny=causal:models/tiny."


@dataclass(frozen=True)
class ModelName:
    """A model as it was asked for: the name that it is shown by, and the address that it is loaded from."""

    name: str
    address: str

    @property
    def family(self) -> str:
        """What comes before the colon of its address."""
        return self.address.partition(":")[0]

    @property
    def location(self) -> str:
        """What follows the colon of its address; empty if nothing does."""
        return self.address.partition(":")[2]

    def found_location(self) -> str:
        """The location to load from: as given, unless it begins with a variable; then it must exist on this machine.

        Otherwise a hub or a server might be asked for what the variable holds.
        """
        location = self.location
        if location.startswith("${"):
            location = expanded(location)
            if not exists(Path(location)):
                remedy = "Name a folder or file, or correct the variable."
                raise InputError(f"{self.location} does not exist: {location}", remedy=remedy)
        return location

    def __str__(self) -> str:
        """What to type to ask for it again."""
        return self.address if self.name == self.address else f"{self.name}={self.address}"


def model_name(text: str) -> ModelName:
    """The name and address of a model as a user writes it; InputError if it is no usable name.

    An equals sign after the colon belongs to the location.

    >>> model_name("tiny=causal:models/tiny")
    ModelName(name='tiny', address='causal:models/tiny')
    >>> model_name("causal:models/lr=0.1").name, model_name("first").name
    ('causal:models/lr=0.1', 'first')
    """
    name, equals, address = text.partition("=")
    if not equals or ":" in name:
        return ModelName(text, text)
    _check(name, text)
    if not address:
        raise InputError(f"no model follows the equals sign of {text!r}", remedy=_EXAMPLE)
    return ModelName(name, address)


def _check(name: str, text: str) -> None:
    """Refuse a name that no folder can have, or that already means a model."""
    if not name.strip():
        raise InputError(f"no name comes before the equals sign of {text!r}", remedy=_EXAMPLE)
    if name != name.strip() or name.strip(".") == "":
        remedy = "Give a name without spaces at its ends, and not only dots."
        raise InputError(f"{name!r} cannot be the name of a model", remedy=remedy)
    forbidden = [letter for letter in dict.fromkeys(name) if letter in _FORBIDDEN or not letter.isprintable()]
    if forbidden:
        characters = " ".join(printable(letter) for letter in forbidden)
        remedy = "Leave such characters out: runs are stored in folders of that name."
        raise InputError(f"the name {name!r} contains {characters}, which a folder cannot have", remedy=remedy)
    if len(name) > _LONGEST:
        raise InputError(f"the name {name[:20]}… has {len(name)} characters", remedy=f"Use at most {_LONGEST}.")
    if name in registry.names("models"):
        remedy = f"Choose another name, such as my-{name}."
        raise InputError(f"{name!r} is already the name of a model family", remedy=remedy)


def check_distinct(names: Iterable[ModelName]) -> None:
    """Refuse two models of the same name: their runs could not be distinguished."""
    addresses: dict[str, str] = {}
    for name in names:
        other = addresses.setdefault(name.name, name.address)
        if other != name.address:
            message = f"{name.name!r} is the name of two models, {other} and {name.address}"
            raise InputError(message, remedy="Give each model a name of its own.")


def unknown_family(model: ModelName) -> InputError:
    """The error for an address whose family does not exist: often a folder or a hub's id without any.

    >>> print(unknown_family(model_name("gpt2")).remedy.partition(",")[0])
    Write causal:gpt2 for a causal language model
    """
    if model.family in ("http", "https"):  # the address, which may hold a secret, is not repeated
        return InputError("this is the address of a server, without a family", remedy="Write remote:URL#MODEL.")
    families = registry.names("models")
    context = "" if str(model) == model.family else f" (in {str(model)!r})"
    message = f"there is no model family {model.family!r}{context}"
    folder_family = None if model.location else family_of(Path(model.address))
    if folder_family is not None:
        message = f"{model.address} is a model of the family {folder_family}, which must be given before it"
        return InputError(message, remedy=f"Write {_spelling_in(model, folder_family)}.")
    similar_families = model.family.isalpha() and get_close_matches(model.family, families)  # a slip in it
    if model.location or similar_families:
        return InputError(message, remedy=did_you_mean(model.family, families))
    longer_names = [name for name in families if name.startswith(f"{model.family.lower()}-")]  # "gemma"
    longer_names = get_close_matches(model.family.lower(), families, cutoff=_SLIP) or longer_names  # "gemma-3-270"
    causal, masked = (_spelling_in(model, family) for family in ("causal", "masked"))
    hint = f"Did you mean {longer_names[0]!r}? Otherwise write" if longer_names else "Write"
    remedy = (
        f"{hint} {causal} for a causal language model, {masked} for a masked one, "
        f"remote:URL#{model.address} for one on a server; `winoglot list models` lists all families."
    )
    return InputError(message, remedy=remedy)


def _spelling_in(model: ModelName, family: str) -> str:
    """What to type to get a model of that family."""
    address = f"{family}:{model.address}"
    return str(ModelName(address if model.name == model.address else model.name, address))


def family_of(path: Path) -> str | None:
    """The family of the model in a folder, by its `config.json`, or of a GGUF file; None if they do not say."""
    if path.suffix == ".gguf" and path.is_file():
        return "gguf"
    with suppress(OSError, ValueError, AttributeError, TypeError):
        config = parse_json((path / "config.json").read_text(encoding="utf-8"))
        if "recipe" in config:
            return _TRAINED.get(config.get("kind"))
        for architecture in config.get("architectures", ()):
            for head, family in _HEADS.items():
                if architecture.endswith(head):
                    return family
    return None
