"""What the families of models trained here share: loading, and options about the texts they are asked."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError, nearest
from winoglot.models._transformers import device_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.models._words import WordText
    from winoglot.models.base import Options
    from winoglot.training.trained import TrainedModel

_TRUTH = ("false", "true")


@dataclass(frozen=True)
class TextOptions:
    """What may be chosen about the texts."""

    abstain_on_several_sentences: str = "false"  # or true: Seminck et al. (2019) answered single sentences only

    def __post_init__(self) -> None:
        """Refuse words that nobody knows."""
        check_word("abstain-on-several-sentences", self.abstain_on_several_sentences, _TRUTH)

    def settings(self) -> Mapping[str, object]:
        """As the run's signature has them."""
        return {name.replace("_", "-"): value for name, value in asdict(self).items()}

    def refuses(self, texts: Sequence[WordText]) -> bool:
        """Whether these are not to be answered."""
        return self.abstain_on_several_sentences == "true" and any(text.several_sentences for text in texts)


def check_word(name: str, value: str, known: Sequence[str]) -> None:
    """Refuse the value of an option that is none of those known."""
    if value not in known:
        raise InputError(f"{name} is {value!r}", remedy=nearest(value, known))


def check_folder(location: str, options: Options, family: str) -> None:
    """Refuse what can be refused before the weights are read: a model of another family among it."""
    if find_spec("torch") is None or find_spec("safetensors") is None:
        message = "models trained here need torch and safetensors, which are not installed"
        raise InputError(message, remedy='Run: pip install "winoglot[models]"')
    if not location:
        raise InputError(f"{family} names no model", remedy=f"Write {family}:DIR, a folder that winoglot train made.")
    if options.precision != "float32":
        message = f"{family} computes in float32, not in {options.precision}"
        raise InputError(message, remedy="Leave --precision out.")
    from winoglot.training.trained import read_config

    device_of(options)
    kind = read_config(Path(location))["kind"]
    own = "context2vec" if kind == "context2vec" else "lm"
    if own != family:
        raise InputError(f"the model is of the kind {kind}", remedy=f"Write {own}:{location}.", file=location)


def load_folder(location: str, options: Options, family: str) -> TrainedModel:
    """The model in a folder."""
    check_folder(location, options, family)
    from winoglot.training.trained import load_trained

    return load_trained(location, device_of(options))
