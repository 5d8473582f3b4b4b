"""Models taught schemas: `winoglot.finetune("causal:DIR", collection, "tuned")`.

In reading order:

- `recipes`: every setting of fine-tuning;
- `data`: the questions to learn from, drawn and split by schema;
- `losses`: what masked models and choice heads learn from a question;
- `causal`: the same for causal models, with all readings of a schema in one pass;
- `tuning`: runs it all on the loop of `winoglot.training` and writes the model's folder;
- `seeds`: what came out, over the seeds of a configuration.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from winoglot.errors import require_extra
from winoglot.training import Trained

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from winoglot.runs.run import Run  # noqa: TC004 - `import winoglot` must stay light
    from winoglot.schemas.model import Collection


@dataclass(frozen=True)
class Finetuned(Trained):
    """A fine-tuned model, and its runs on the collections that it was evaluated on."""

    runs: tuple[Run, ...] = ()


def finetune(
    model: str,
    data: Collection | Iterable[Collection],
    folder: str | Path,
    *,
    evaluate: Collection | Iterable[Collection] = (),
    allow_overlap: bool = False,
    lora: bool = False,
    kinds: str | Sequence[str] = (),
    readings: str = "grammatical",
    size: int | None = None,
    control: str | None = None,
    seed: int = 0,
    settings: Iterable[str] = (),
    precision: str = "auto",
    device: str = "auto",
    max_minutes: float = inf,
    checkpoint_minutes: float = 10.0,
    log_every: int = 10,
    resume: bool = False,
    force: bool = False,
    progress: Callable[[int, int, int, float | None, float | None], object] | None = None,
    note: Callable[[str], object] = lambda _text: None,
) -> Finetuned:
    """Teach a model the schemas of some collections, and write it into a folder as transformers loads it.

    `model` is `causal:…`, `masked:…`, `choice:…` or another name of such a model. With `lora`, only a small adapter is
    trained. `kinds` are variants to learn from too; `size` is the number of items, drawn by schema. `control` is
    `shuffled-labels` or `no-contrast`; `settings` change the recipe: `["rate=1e-5", "epochs=2"]`. With `resume`, an
    interrupted fine-tuning is continued. The collections of `evaluate` are answered by the result; their runs are
    stored in the folder `runs` beside it. What overlaps with them is not learnt from, unless `allow_overlap` is true.

    `progress` is called after every step with the steps done, the steps in all, the tokens read, the loss if there is a
    new one, and the last held-out accuracy; `note` with what a user should know.
    """
    from pathlib import Path  # what follows is imported here since `import winoglot` imports this module

    from winoglot.schemas.model import Collection

    need_finetuning(lora=lora)
    from winoglot.finetune.tuning import TuningRequest, tune
    from winoglot.training.loop import TrainingSettings

    training, evaluated = (
        (source,) if isinstance(source, Collection) else tuple(source) for source in (data, evaluate)
    )
    variants = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    request = TuningRequest(
        training, variants, readings, size, control, lora, tuple(settings), evaluated, allow_overlap
    )
    training_settings = TrainingSettings(seed, precision, device, max_minutes, checkpoint_minutes, log_every)
    output = Path(folder)
    result = tune(model, request, output, training_settings, resume=resume, force=force, progress=progress, note=note)
    if result.why == "signal":
        return Finetuned("", result.why, result.state.step, {})
    address = f"{result.config['family']}:{output}"
    runs: list[Run] = []
    if not int(os.environ.get("RANK", "0")):  # only one of several processes asks
        from winoglot.runs.evaluate import spec_of
        from winoglot.runs.session import Session

        if evaluated:
            spec = spec_of(evaluated, address, None, device=device, allow_overlap=allow_overlap)
            runs += Session(spec, lambda collection, *_: output / "runs" / collection).runs()
    return Finetuned(address, result.why, result.state.step, result.config, tuple(runs))


def need_finetuning(*, lora: bool = False) -> None:
    """An input error with the command to run, if a package is missing."""
    from winoglot.training import need_training

    need_training()
    require_extra("fine-tuning needs", "transformers", *(("peft",) if lora else ()), extra="train")
