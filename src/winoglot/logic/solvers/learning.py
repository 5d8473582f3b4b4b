"""Small models learn pairs on the training loop: their task, their folder, and the trained model.

config.json, model.safetensors, vocabulary.txt  the model: labels, recipe, data, validation accuracy; weights; words
checkpoints/, log.jsonl                         as in every training
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
import torch
from torch.nn import functional

from winoglot.corpus.reading import VOCABULARY
from winoglot.errors import InputError, did_you_mean
from winoglot.files import write_whole
from winoglot.logic.pair import Pair
from winoglot.logic.published import parse_file_name
from winoglot.logic.solvers.data import PairChoice, controlled, labels_of, load_pairs, pairs_hash
from winoglot.logic.solvers.encoding import Encoded, Encoding, by_length
from winoglot.logic.solvers.networks import PairNetwork, read_start
from winoglot.logic.solvers.questions import LABELLED, pairs_of
from winoglot.logic.solvers.recipes import CONTROLS, PairRecipe, find_pair_recipe
from winoglot.models.base import Scores, Solver
from winoglot.models.scoring.pretrained import fingerprint
from winoglot.training.checkpoint import CONFIG, TrainingFolder, check_tensors, interpreting, read_tensors, weights_file
from winoglot.training.distributed import Distributed, Process, choose_device, choose_precision
from winoglot.training.loop import TrainingLoop, TrainingResult, run_loop
from winoglot.training.trainer import StepResult, Trainer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.models.base import Question, TextPair
    from winoglot.training.loop import Progress, TrainingSettings

_AT_ONCE = 2**18  # tokens per batch when evaluating


class PairFolder(TrainingFolder):
    """The folder of a small model for pairs."""

    data_keys: ClassVar[frozenset[str]] = frozenset(("data",))
    what = "model for pairs"
    keys = frozenset(("weights", "family", "recipe", "labels", "languages", "kinds"))
    make = "Make one: winoglot logic train FAMILY --data DIR -o DIR."
    resume = "Continue: winoglot logic train … --resume."


@dataclass(frozen=True)
class PairData:
    """Training pairs, and the validation pairs that decide when to stop and what to keep."""

    training: tuple[Pair, ...]
    validation: tuple[Pair, ...]
    control: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)  # how they were chosen, for the model's description

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels to choose from."""
        return labels_of(self.training)

    @cached_property
    def hash(self) -> str:
        """A hash of the pairs of both parts."""
        return f"{pairs_hash(self.training)} {pairs_hash(self.validation)}"

    def described(self) -> dict[str, Any]:
        """The entry for a model's description."""
        depths = sorted({pair.depth for pair in self.training})
        tasks = sorted({pair.task for pair in self.training})
        counts = {"pairs": len(self.training), "validation": len(self.validation)}
        return {"hash": self.hash, "tasks": tasks, "depths": depths, "control": self.control, **counts, **self.about}


def gather(
    source: Path, choice: PairChoice, *, control: str = "", seed: int = 0, validation: Path | None = None
) -> PairData:
    """The pairs of a folder's training and validation files, or of one file each."""
    if control and control not in CONTROLS:
        raise InputError(f"there is no control {control!r}", remedy=did_you_mean(control, CONTROLS))
    if source.is_file() and validation is None and parse_file_name(source.name) is None:
        remedy = "Give another file of pairs, which are not learnt from: --validation FILE."
        raise InputError("a file alone has no validation pairs", remedy=remedy, file=str(source))
    training = load_pairs(source, "train", choice, seed=seed)
    validation_pairs = load_pairs(validation or source, "validation", replace(choice, size=None))
    if labels_of(training) != labels_of(validation_pairs):
        expected, actual = (", ".join(labels_of(pairs)) for pairs in (training, validation_pairs))
        message = f"the training pairs have the labels {expected}; these {actual}"
        raise InputError(message, remedy="Use pairs with the same labels.", file=str(validation or source))
    description = {"name": source.resolve().name, "size": choice.size}
    description |= {name: True for name in ("balanced", "as_cd") if getattr(choice, name)}
    controlled_pairs = controlled(training, control, seed, training=True)
    return PairData(controlled_pairs, controlled(validation_pairs, control, seed, training=False), control, description)


def learn(
    family: str,
    data: PairData,
    out: Path,
    settings: TrainingSettings,
    *,
    changes: Iterable[str] = (),
    start: Path | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> TrainingResult:
    """Train a small network on pairs into a folder; `start` is what `networks.read_start` reads."""
    recipe = find_pair_recipe(family, changes)
    distributed = Distributed(settings.device)
    folder = PairFolder(out)
    folder.check(force=force or resume)
    encoding = Encoding.of(data.training, recipe.tokens, recipe.order, recipe.slots)
    beginning = read_start(start, recipe, encoding) if start is not None else None
    if beginning is not None:
        recipe = replace(recipe, **beginning.sizes)
    parts = [(encoding.encode(part), _answers(part, data.labels)) for part in (data.training, data.validation)]

    def make() -> TrainingLoop:
        torch.manual_seed(settings.seed)
        module = PairNetwork(recipe, len(encoding), len(data.labels))
        if beginning is not None:
            module.start_from(beginning)
        module.to(distributed.device)
        precision = choose_precision(settings.precision, distributed.device)
        device = distributed.device
        on_device = [(rows.to(device), answers.to(device)) for rows, answers in parts]
        (training, answers), held_out = on_device
        depths = np.array([pair.depth for pair in data.training])
        process = distributed.process
        task = PairTask(module, recipe, training, depths, answers, *held_out, settings.seed, process, precision)
        folder.check_room(8 * sum(parameter.numel() * parameter.element_size() for parameter in module.parameters()))
        trainer = Trainer(recipe, module, task, distributed, settings.seed)
        return PairLoop(folder, trainer, settings, data, encoding, dict(beginning.origin) if beginning else {})

    return run_loop(folder, distributed, make, resume=resume, progress=progress)


def _answers(pairs: Sequence[Pair], labels: Sequence[str]) -> torch.Tensor:
    return torch.tensor([labels.index(pair.label) for pair in pairs])


@dataclass
class PairTask:
    """A network with its pairs, all of them on its device: a step is a batch of pairs of similar length."""

    module: PairNetwork
    recipe: PairRecipe
    training: Encoded
    depths: np.ndarray
    answers: torch.Tensor
    held_out: Encoded
    held_answers: torch.Tensor
    seed: int
    process: Process
    precision: torch.dtype

    def plan(self, epoch: int) -> list[np.ndarray]:
        """The numbers of the pairs of each step."""
        draw = np.random.default_rng([self.seed, epoch])
        numbers_of_pairs = np.arange(len(self.depths))
        if self.recipe.curriculum:
            numbers_of_pairs = numbers_of_pairs[self.depths <= self.depths.min() + epoch // self.recipe.curriculum]
        batches = by_length(self.training.lengths[numbers_of_pairs], self.recipe.batch, self.recipe.batch_tokens, draw)
        return [numbers_of_pairs[numbers] for numbers in batches]

    def train(self, step: np.ndarray, state: tuple[torch.Tensor, ...]) -> StepResult:
        """The mean cross-entropy of this process's part of a step."""
        numbers = step[self.process.rank :: self.process.world_size]
        if not len(numbers):  # the mean over processes needs gradients from each of them
            numbers = step[:1]
        rows, lengths = self.training.batch(numbers, redraw=self.recipe.names == "drawn")
        scores = self.module(rows, lengths, self.precision)
        loss = functional.cross_entropy(
            scores, self.answers[torch.from_numpy(numbers).to(rows.device, non_blocking=True)]
        )
        return StepResult(loss, loss.detach(), int(self.training.lengths[step].sum()), state)

    def validate(self) -> tuple[float, ...]:
        """Sums over the validation pairs: the Brier score of the right label, right answers, and pairs."""
        batches = by_length(self.held_out.lengths, 4096, _AT_ONCE)[self.process.rank :: self.process.world_size]
        sums = torch.zeros(2, dtype=torch.float64, device=self.answers.device)
        for numbers in batches:
            scores = scores_of(self.module, self.held_out, numbers, self.precision)
            right = self.held_answers[torch.from_numpy(numbers).to(scores.device)]
            shares = scores.double().softmax(1).gather(1, right[:, None])[:, 0]
            sums += torch.stack([((1 - shares) ** 2).sum(), (scores.argmax(1) == right).sum()])
        brier, right = sums.tolist()
        return brier, right, sum(map(len, batches))


def scores_of(module: PairNetwork, pairs: Encoded, numbers: np.ndarray, precision: torch.dtype) -> torch.Tensor:
    """The network's scores for some pairs, with slots in the order of mention."""
    rows, lengths = pairs.batch(numbers, redraw=False)
    with torch.no_grad():
        scores: torch.Tensor = module(rows, lengths, precision)
    return scores.float()


class PairLoop(TrainingLoop):
    """The training of a small model on pairs."""

    def __init__(
        self,
        folder: PairFolder,
        trainer: Trainer,
        settings: TrainingSettings,
        data: PairData,
        encoding: Encoding,
        origin: dict[str, Any],
    ) -> None:
        """Start before the first step."""
        super().__init__(folder, trainer, settings, {"data": data.hash, **origin})
        self.data, self.encoding = data, encoding

    def check_data(self) -> None:
        """Check nothing: the pairs are in memory, and nothing can change them."""

    def check_same_data(self, stored: dict[str, Any], remedy: str) -> None:
        """Refuse to continue with other pairs or from another model."""
        for key, subject in (("data", "the pairs have"), ("start", "the model to start from has")):
            if stored.get(key) != self.identity.get(key):
                message = f"{subject} changed since the training was started"
                raise InputError(message, remedy=remedy, file=str(self.folder.path))

    def describe(self, measured: Sequence[float]) -> dict[str, Any]:
        """The labels, the languages and the data and, after a validation, its accuracy."""
        assert isinstance(self.recipe, PairRecipe)
        return {
            "family": self.recipe.family,
            "labels": list(self.data.labels),
            "languages": sorted({pair.language for pair in self.data.training}),
            "kinds": list(self.encoding.kinds),
            "data": self.data.described(),
            **({"accuracy": measured[0]} if measured else {}),
        }

    def log_of(self, loss: float, measured: Sequence[float]) -> dict[str, float | None]:
        """The accuracy on the validation pairs."""
        del loss
        return {"accuracy": measured[0]}

    def save_best(self, tensors: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        """Save the best model so far with its vocabulary, so that it can be loaded like a finished one."""
        self.folder.best.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder.best / VOCABULARY, self.encoding.to_text(), force=True)
        self.folder.save_best(tensors, config, self.state.step)

    def publish(self, tensors: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        """Save the model with its vocabulary."""
        self.folder.finish(tensors, config, self.encoding.to_text())


class NetworkSolver(Solver):
    """A trained small network: gives each label of a pair a log probability."""

    scorings = pair_scorings = (LABELLED,)
    libraries = ("torch",)

    def __init__(self, location: str, device: str = "auto") -> None:
        """The model in a folder; a damaged or unfinished one is an input error."""
        path = Path(location)
        config = PairFolder(path).read()
        self.name = self.address = f"logic:{location}"
        with interpreting(path / CONFIG):
            recipe = PairRecipe(**config["recipe"])
            words, kinds = (path / VOCABULARY).read_text(encoding="utf-8").split("\n")[:-1], tuple(config["kinds"])
            self.encoding = Encoding(recipe.tokens, recipe.order, tuple(words), kinds, recipe.slots if kinds else 0)
            self.pair_labels, self.pair_control = tuple(config["labels"]), str(config["data"]["control"])
            file = weights_file(path, config)
            tensors = read_tensors(file)
            self.module = PairNetwork(recipe, len(self.encoding), len(self.pair_labels))
            check_tensors(tensors, self.module.state_dict(), file)
        self.module.load_state_dict(tensors)
        self.device = choose_device(device)
        self.module.to(self.device).eval()
        self.fingerprint = fingerprint(path)
        identity = {"family": config["family"], "tokens": recipe.tokens, "control": self.pair_control}
        self.settings = {name: value for name, value in identity.items() if value}

    def check_pairs(self, pairs: Sequence[TextPair]) -> None:
        """Refuse words and names that it cannot read."""
        self.encoding.encode(cast("Sequence[Pair]", pairs), self.name)

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Score all pairs in batches of similar length, in float32."""
        pairs = pairs_of(questions)
        encoded = self.encoding.encode(pairs, self.name).to(self.device)
        order = [(self.pair_labels or ()).index(label) for label in questions[0].labels]
        scores = torch.empty(len(pairs), len(order))
        for numbers in by_length(encoded.lengths, 4096, _AT_ONCE):
            outputs = scores_of(self.module, encoded, numbers, torch.float32)
            scores[torch.from_numpy(numbers)] = outputs.log_softmax(1)[:, order].cpu()
        return [dict.fromkeys(scorings, Scores(tuple(row))) for row in scores.tolist()]
