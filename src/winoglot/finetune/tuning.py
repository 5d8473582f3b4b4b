"""Fine-tuning on the training loop: the task (batches, loss, validation), the folder of the result, and how it is made.

config.json, model.safetensors, tokenizer.json …  the model, as transformers loads it; with LoRA, merged
adapter/                                          with LoRA, what was learnt by itself, as peft loads it
finetune.json                                     how it was made: model, data, recipe, held-out accuracy
trained_on.json                                   what it must not be asked (`winoglot.runs.overlap`); also in adapter/
checkpoints/, log.jsonl                           as in every training
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from safetensors import SafetensorError

from winoglot.errors import InputError
from winoglot.files import temporary_folder
from winoglot.finetune.data import gather
from winoglot.finetune.losses import Objective, TrainingExample
from winoglot.finetune.recipes import FinetuneRecipe, find_finetune_recipe
from winoglot.folders import on_full
from winoglot.memory import is_out_of_memory
from winoglot.models.base import TRAINED_ON, Options, finetuning_of, load_model
from winoglot.models.naming import family_of
from winoglot.models.scoring.pretrained import PretrainedSolver
from winoglot.runs.overlap import Fingerprints, check_overlap
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted
from winoglot.training.checkpoint import CURVES, TrainingFolder
from winoglot.training.distributed import Distributed, Process, choose_precision
from winoglot.training.loop import TrainingLoop, run_loop
from winoglot.training.trainer import StepResult, Trainer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.finetune.data import FinetuneData, LabelledQuestion
    from winoglot.training.loop import TrainingResult, TrainingSettings

    FinetuneProgress = Callable[[int, int, int, float | None, float | None], object]  # …, loss, held-out accuracy

ADAPTER = "adapter"
_REMEDY = "Free some space, then continue with --resume: what was saved before is kept."


class FinetuneFolder(TrainingFolder):
    """The folder of a fine-tuned model."""

    results: ClassVar[tuple[str, ...]] = (
        *("finetune.json", "config.json", "generation_config.json", "model.safetensors", "tokenizer.json"),
        *("tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja", TRAINED_ON, CURVES),
    )
    data_keys: ClassVar[frozenset[str]] = frozenset(("model", "data"))
    what = "fine-tuned model"
    description = "finetune.json"
    keys = frozenset(("weights", "family", "recipe"))
    make = "Make one: winoglot finetune MODEL --data COLLECTION -o DIR."
    again = "Fine-tune the model again."
    resume = "Continue: winoglot finetune … --resume."

    def clear(self) -> None:
        """Remove a training that is started again, with its adapter."""
        super().clear()
        shutil.rmtree(self.path / ADAPTER, ignore_errors=True)


@dataclass(frozen=True)
class TuningRequest:
    """What a fine-tuning learns from, and how."""

    data: tuple[Collection, ...]
    kinds: tuple[str, ...] = ()
    readings: str = "grammatical"
    size: int | None = None
    control: str | None = None
    lora: bool = False
    changes: tuple[str, ...] = ()  # of the recipe: name=value
    evaluated: tuple[Collection, ...] = ()  # what must not be learnt from, as the result will be asked it
    allow_overlap: bool = False


def tune(
    model: str,
    request: TuningRequest,
    out: Path,
    settings: TrainingSettings,
    *,
    resume: bool = False,
    force: bool = False,
    progress: FinetuneProgress | None = None,
    note: Callable[[str], object] = lambda _text: None,
) -> TrainingResult:
    """Fine-tune a model into a folder; `note` is told what a user should know on the way."""
    distributed = Distributed(settings.device)
    folder = FinetuneFolder(out)
    folder.check(force=force or resume)
    solver = _solver(model, distributed.device)
    if request.lora and solver.pretrained.adapter is not None:
        remedy = "Leave out --lora, or name a model without one: models/tuned instead of models/tuned/adapter."
        raise InputError(f"{model} has an adapter already", remedy=remedy)
    recipe = find_finetune_recipe(model, request.changes, lora=request.lora, control=request.control)
    evaluated = () if request.allow_overlap else request.evaluated
    for collection in evaluated:
        check_overlap(solver, collection, allowed=False)
    data = gather(
        request.data,
        evaluated=evaluated,
        kinds=request.kinds,
        style=request.readings,
        size=request.size,
        held_out=recipe.held_out,
        control=request.control,
        seed=settings.seed,
    )
    if data.overlapping:
        note(f"{counted(data.overlapping, 'item')} not learnt from: overlapping with what is evaluated.")
    solver.check_texts(
        [text for labelled_question in data.training[:1000] for text in labelled_question.question.texts]
    )
    loops: list[FinetuneLoop] = []

    def make() -> TrainingLoop:
        loops.append(_make_loop(folder, model, solver, recipe, request, data, settings, distributed, note))
        return loops[0]

    def advance(step: int, steps: int, tokens: int, loss: float | None) -> None:
        assert progress is not None
        progress(step, steps, tokens, loss, loops[0].accuracy)

    return run_loop(folder, distributed, make, resume=resume, progress=advance if progress else None)


def _solver(model: str, device: torch.device) -> PretrainedSolver:
    """The model to start from, if it is of a family that can be fine-tuned."""
    finetuning = finetuning_of(model)
    solver = load_model(model, Options(device=str(device))).unwrapped
    if not isinstance(solver, PretrainedSolver):
        raise InputError(f"{model} cannot be fine-tuned", remedy="Its solver has to extend PretrainedSolver.")
    family = family_of(solver.pretrained.folder)
    if family not in (None, finetuning.family, solver.family, *finetuning.bodies):
        message = f"{solver.pretrained.location} is a model of the family {family}, not {solver.family}"
        raise InputError(message, remedy=f"Write {family}:{solver.pretrained.location}, or name another model.")
    return solver


def _make_loop(
    folder: FinetuneFolder,
    name: str,
    solver: PretrainedSolver,
    recipe: FinetuneRecipe,
    request: TuningRequest,
    data: FinetuneData,
    settings: TrainingSettings,
    distributed: Distributed,
    note: Callable[[str], object],
) -> FinetuneLoop:
    torch.manual_seed(settings.seed)
    objective_type = _objective_type(finetuning_of(name).objective)
    model = objective_type.model_of(solver)
    adapted = with_lora(model, recipe, objective_type) if request.lora else None
    objective = objective_type(solver, model)
    parts = objective_parts(objective, data.training, data.held_out if recipe.held_out else None, solver.name, note)
    description = {
        "collections": [f"{collection.name} {collection.version}".strip() for collection in request.data],
        "kinds": list(request.kinds),
        "readings": request.readings,
        "control": request.control,
        "items": len(parts[0]),
        "held_out": len(parts[1]) if recipe.held_out else 0,
        "overlapping": data.overlapping,
        "unlabelled": data.unlabelled,
        "unscored": len(data.training) - len(parts[0]),
    }
    earlier = (Fingerprints.load(folder) for folder in solver.folders)  # of a model that was fine-tuned already
    all_fingerprints = [*filter(None, earlier), Fingerprints.of((*data.parts.train, *data.parts.held_out))]
    trained_on = Fingerprints(
        tuple(collection for fingerprints in all_fingerprints for collection in fingerprints.collections)
    )
    record = TrainingRecord(data.hash, description, trained_on)
    return make_finetune_loop(folder, solver, objective, adapted, recipe, parts, record, settings, distributed, note)


def objective_parts(
    objective: Objective,
    training: Sequence[LabelledQuestion],
    held_out: Sequence[LabelledQuestion] | None,
    name: str,
    note: Callable[[str], object],
) -> tuple[list[TrainingExample], list[TrainingExample]]:
    """What to learn from and what to hold out (None: the same) in tokens; nothing to score is an input error."""
    training_examples, unscored = objective.examples(training)
    held_out_examples, _ = objective.examples(held_out) if held_out is not None else (training_examples, 0)
    for part, purpose in ((training_examples, "learn from"), (held_out_examples, "hold out")):
        if not part:
            message = f"no item is left to {purpose}: {name} can score none of them"
            raise InputError(message, remedy="Use other or more data.")
    if unscored:
        note(f"{unscored} items are left out: too long for the model, or nothing comes after the candidate.")
    return training_examples, held_out_examples


@dataclass(frozen=True)
class TrainingRecord:
    """What a fine-tuning learns from, as its folder describes it."""

    hash: str
    about: dict[str, Any]
    trained_on: Fingerprints


def make_finetune_loop(
    folder: FinetuneFolder,
    solver: PretrainedSolver,
    objective: Objective,
    adapted: Any,
    recipe: FinetuneRecipe,
    parts: tuple[Sequence[TrainingExample], Sequence[TrainingExample]],
    record: TrainingRecord,
    settings: TrainingSettings,
    distributed: Distributed,
    note: Callable[[str], object],
) -> FinetuneLoop:
    """The loop of a fine-tuning before its first step; `adapted` is the model of peft, if there is an adapter."""
    model = objective.model
    precision = choose_precision(settings.precision, distributed.device)
    task = FinetuneTask(objective, recipe, *parts, settings.seed, distributed.process, precision, note)
    steps = len(task.plan(0))
    recipe = replace(recipe, warmup=round(recipe.warmup_share * steps))
    model.train()
    trainer = Trainer(recipe, model, task, distributed, settings.seed)
    size = sum(parameter.numel() * parameter.element_size() for parameter in trainer.parameters)
    folder.check_room(8 * size + sum(parameter.numel() * parameter.element_size() for parameter in model.parameters()))
    return FinetuneLoop(folder, solver, trainer, settings, adapted, record.hash, record.about, record.trained_on)


def with_lora(model: Any, recipe: FinetuneRecipe, objective: type[Objective]) -> Any:
    """A model of peft around this one, in which only small matrices beside the linear layers change, and a new head."""
    import peft

    if Path(model.name_or_path).is_dir():
        model.name_or_path = str(Path(model.name_or_path).resolve())  # peft writes it down
    drawn_modules = [
        name for name, child in model.named_children() if child is not model.base_model and [*child.parameters()]
    ]
    new_modules = [*drawn_modules, "pooler"] if objective.has_new_head else []  # a masked model has neither
    config = peft.LoraConfig(
        r=recipe.rank,
        lora_alpha=recipe.lora_alpha,
        lora_dropout=recipe.lora_dropout,
        target_modules="all-linear",
        exclude_modules=rf"(.*\.)?({'|'.join(new_modules)})(\..*)?" if new_modules else None,
        modules_to_save=new_modules or None,
        fan_in_fan_out=_is_transposed(model),
        task_type=objective.peft_task,
    )
    return peft.get_peft_model(model, config)


def _objective_type(path: str) -> type[Objective]:
    """The class that a family names as MODULE:CLASS."""
    module, _, name = path.partition(":")
    objective_type: type[Objective] = getattr(import_module(module), name)
    return objective_type


def _is_transposed(model: Any) -> bool:
    """Whether linear layers are GPT-2's, which keep their weights the other way round."""
    from transformers.pytorch_utils import Conv1D

    return any(isinstance(module, Conv1D) for module in model.modules())


@dataclass
class FinetuneTask:
    """Examples in tokens: a step is some schemas, whose items stay together as they share most of their words."""

    objective: Objective
    recipe: FinetuneRecipe
    training: Sequence[TrainingExample]
    held_out: Sequence[TrainingExample]
    seed: int
    process: Process
    precision: torch.dtype
    note: Callable[[str], object]

    def __post_init__(self) -> None:
        """Group the examples by schema."""
        self.batch_tokens = self.smallest = self.recipe.batch_tokens
        self.objective.note = self.note
        self.objective.learns_language = self.recipe.language > 0
        groups: dict[str, list[int]] = {}
        for number, example in enumerate(self.training):
            groups.setdefault(example.schema_id, []).append(number)
        self.groups = list(groups.values())

    def plan(self, epoch: int) -> list[list[int]]:
        """The numbers of the examples of each step, shuffled by schema in each epoch."""
        order = np.random.default_rng([self.seed, epoch]).permutation(len(self.groups))
        steps: list[list[int]] = [[]]
        for number in order:
            if len(steps[-1]) >= self.recipe.batch:
                steps.append([])
            steps[-1] += self.groups[number]
        return steps

    def train(self, step: list[int], state: tuple[torch.Tensor, ...]) -> StepResult:
        """Add the gradients of the step, part by part; if memory runs out, begin again with smaller parts."""
        share_of_step = [self.training[number] for number in step[self.process.rank :: self.process.world_size]]
        device = self.objective.model.device
        generators = torch.get_rng_state(), torch.cuda.get_rng_state(device) if device.type == "cuda" else None
        while True:
            try:
                loss = self._add_gradients(share_of_step, self.process.world_size / len(step))
                tokens = sum(self.training[number].size for number in step)
                return StepResult(None, loss, tokens, state)
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error) or all(len(part) == 1 for part in self._parts(share_of_step)):
                    raise
            self.batch_tokens //= 2
            self.smallest = min(self.smallest, self.batch_tokens)
            self.note(f"The device is out of memory: for the rest of this epoch, {self.batch_tokens} tokens at once.")
            self.objective.release()
            torch.set_rng_state(generators[0])
            if generators[1] is not None:
                torch.cuda.empty_cache()
                torch.cuda.set_rng_state(generators[1], device)

    def _add_gradients(self, examples: Sequence[TrainingExample], share: float) -> torch.Tensor:
        total = torch.zeros((), device=self.objective.model.device)
        for part in self._parts(examples):
            total += self.objective.add_gradients(part, share, self.recipe, self.precision)
        if not examples:  # the mean over processes needs gradients from each of them
            for parameter in self.objective.model.parameters():
                parameter.grad = torch.zeros_like(parameter) if parameter.requires_grad else None
        return total

    def _parts(self, examples: Sequence[TrainingExample]) -> Iterator[Sequence[TrainingExample]]:
        """Consecutive examples of at most `batch_tokens` tokens; a longer one is a part of its own."""
        part: list[TrainingExample] = []
        for example in examples:
            if part and sum(other.size for other in part) + example.size > self.batch_tokens:
                yield part
                part = []
            part.append(example)
        if part:
            yield part

    def validate(self) -> tuple[float, ...]:
        """Sums over held-out examples: what decides which weights are kept, right answers, Brier scores, and examples.

        Accuracy decides and, among weights that are equally accurate, the Brier score of the right reading's share. By
        itself, that score prefers early weights: it rises when a model becomes too confident, which changes no answer.
        Scores have the full precision of an evaluation: in bfloat16, those of two single words are often equal.
        """
        examples = self.held_out[self.process.rank :: self.process.world_size]
        brier = torch.zeros((), dtype=torch.float64, device=self.objective.model.device)
        right = torch.zeros_like(brier)
        for part in self._parts(examples):
            scored = self.objective.score(part)
            shares = scored.scores.double().softmax(1).gather(1, scored.answers[:, None])
            brier += ((1 - shares) ** 2).sum()
            right += scored.right.sum()
        self.batch_tokens = self.recipe.batch_tokens  # others may have given memory back
        wrong = len(examples) - float(right)
        # Each Brier score is at most 1, so all of them together count for less than one answer.
        return wrong + float(brier) / (len(self.held_out) + 1), float(right), float(brier), len(examples)


class FinetuneLoop(TrainingLoop):
    """The fine-tuning of a model on schemas."""

    def __init__(
        self,
        folder: FinetuneFolder,
        solver: PretrainedSolver,
        trainer: Trainer,
        settings: TrainingSettings,
        adapted: Any,
        data_hash: str,
        about: dict[str, Any],
        trained_on: Fingerprints,
    ) -> None:
        """Start before the first step; `adapted` is the model of peft, if only an adapter is trained."""
        super().__init__(folder, trainer, settings, {"model": solver.fingerprint, "data": data_hash})
        self.solver, self.adapted, self.about, self.trained_on = solver, adapted, about, trained_on
        self.accuracy: float | None = None  # at the last validation

    def check_data(self) -> None:
        """Check nothing: the data is in memory, and nothing can change it."""

    def check_same_data(self, recorded: dict[str, Any], remedy: str) -> None:
        """Refuse another model to start from, and other questions, answers or parts."""
        for key, subject in (("model", "the model that the fine-tuning started from"), ("data", "the data")):
            if recorded[key] != self.identity[key]:
                message = f"{subject} has changed since the fine-tuning was started"
                raise InputError(message, remedy=remedy, file=str(self.folder.path))

    def describe(self, measured: Sequence[float]) -> dict[str, Any]:
        """The model that it started from, the data and, after a validation, the held-out accuracy."""
        task = self.trainer.task
        assert isinstance(task, FinetuneTask)
        return {
            "family": self.solver.family,
            "model": {"name": self.solver.name, "fingerprint": self.identity["model"]},
            "data": {"hash": self.identity["data"], **self.about},
            "batch_tokens": task.smallest,
            **({"accuracy": measured[0]} if measured else {}),
        }

    def log_of(self, loss: float, measured: Sequence[float]) -> dict[str, float | None]:
        """The held-out accuracy and Brier score."""
        del loss
        self.accuracy, brier = measured
        return {"accuracy": self.accuracy, "brier": brier}

    def save_best(self, tensors: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        """Save only the weights that have changed; the others are those of the model that it started from."""
        self.folder.save_best(tensors, config, self.state.step)

    def publish(self, tensors: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        """Save the whole model as transformers does, and an adapter by itself as well."""
        model, path = self.trainer.module, self.folder.path
        model.load_state_dict(tensors, strict=False)
        model.eval()
        try:
            with on_full(path, _REMEDY), temporary_folder(path) as work:
                if self.adapted is not None:
                    shutil.rmtree(path / ADAPTER, ignore_errors=True)
                    self.adapted.save_pretrained(work / ADAPTER)
                    self.trained_on.save(work / ADAPTER)
                    (work / ADAPTER).rename(path / ADAPTER)
                    model = self.adapted.merge_and_unload()
                model.save_pretrained(work)  # type: ignore[operator]
                self.solver.pretrained.tokenizer.save_pretrained(work)
                self.trained_on.save(work)
                self.folder.publish(work, config | {"weights": "model.safetensors"})
        except SafetensorError as error:
            raise InputError(f"cannot be written: {error}", remedy=_REMEDY, file=str(path)) from error
