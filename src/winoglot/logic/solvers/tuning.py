"""Fine-tuning on pairs, with the code that fine-tunes on schemas: any causal model or encoder of transformers.

- A causal model learns the word of the right label after the same question as in zero-shot use (`questions.LABEL`),
  and is asked in the same way afterwards: `causal:DIR`.
- Any other model gets a classification head, one output per label, and reads premise and hypothesis as a pair of texts:
  `nli:DIR`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from winoglot import registry
from winoglot.errors import InputError, did_you_mean
from winoglot.finetune.causal import CausalObjective
from winoglot.finetune.data import LabelledQuestion
from winoglot.finetune.losses import Objective, Scored, TrainingExample
from winoglot.finetune.recipes import find_finetune_recipe
from winoglot.finetune.tuning import FinetuneFolder, TrainingRecord, make_finetune_loop, objective_parts, with_lora
from winoglot.logic.solvers.questions import LABEL, pair_question
from winoglot.logic.solvers.recipes import RECIPES
from winoglot.models.base import ANSWER, Options, Question, load_model
from winoglot.models.causal import CausalSolver
from winoglot.models.naming import family_of, model_name
from winoglot.models.nli import NliSolver
from winoglot.models.scoring.framing import Framer, batches, tensors
from winoglot.models.scoring.packing import build
from winoglot.runs.overlap import Fingerprints
from winoglot.schemas.model import Reading
from winoglot.training.distributed import Distributed
from winoglot.training.loop import TrainingLoop, run_loop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from winoglot.finetune.recipes import FinetuneRecipe
    from winoglot.logic.pair import Pair
    from winoglot.logic.solvers.learning import PairData
    from winoglot.models.scoring.pretrained import PretrainedSolver
    from winoglot.training.loop import Progress, TrainingResult, TrainingSettings

_HEADED = ("masked", "nli", "choice")  # families that get a classification head
_CAUSAL = ("language=0", "rate=1e-5", "batch=64", "epochs=3")  # only labels are learnt, and there are many pairs


class LabelObjective(CausalObjective):
    """The likelihood of a label's word after the question."""

    def encode(self, labelled: LabelledQuestion) -> TrainingExample | None:
        """The tokens of each reading and the place of the first that belongs to the label."""
        question = labelled.question
        texts = self.encoder.encode([reading.text for reading in question.readings])
        if max(len(text.ids) for text in texts) >= self.longest:
            return None
        readings = tuple(
            ((self.encoder.start, *text.ids), 1 + int((text.ends <= len(reading.before)).sum()))
            for reading, text in zip(question.readings, texts, strict=True)
        )
        size = build([ids for ids, _ in readings]).size
        return TrainingExample(labelled.answer, question.item.schema_id, readings, size)


class HeadObjective(Objective):
    """A classification head's output for premise and hypothesis."""

    has_new_head = True

    def __init__(self, solver: NliSolver, model: Any) -> None:
        """Take the model, which may have had adapters added."""
        self.model = model
        self.framer = Framer(solver.pretrained.tokenizer, model, solver.name)

    def encode(self, labelled: LabelledQuestion) -> TrainingExample | None:
        """Encode the pair of texts as one row."""
        question = labelled.question
        rows = self.framer.pairs([(reading.before, reading.after) for reading in question.readings])
        if self.framer.too_long(rows):
            return None
        return TrainingExample(labelled.answer, question.item.schema_id, tuple(rows), len(rows[0].ids))

    def score(self, examples: Sequence[TrainingExample]) -> Scored:
        """Score the examples, those of one length together."""
        row_scores: list[torch.Tensor] = [torch.empty(0)] * len(examples)
        rows = [example.readings[0] for example in examples]
        for batch in batches([len(row.ids) for row in rows], 2**62):
            logits = self.model(**tensors(self.model, [rows[number] for number in batch])).logits.float()
            for number, values in zip(batch, logits.unbind(), strict=True):
                row_scores[number] = values
        scores = torch.stack(row_scores)
        answers = torch.tensor([example.answer for example in examples], device=scores.device)
        return Scored(scores, torch.zeros_like(scores[:, 0]), answers)


def _for_head(pair: Pair, labels: Sequence[str]) -> Question:
    """The question for a head: one reading, with the premise before and the hypothesis after an empty candidate."""
    reading = Reading(pair.id, 0, pair.premise, "", pair.hypothesis, "grammatical", "pair")
    return replace(pair_question(pair, labels, ANSWER), readings=(reading,))


def find_tuning_recipe(
    model: str, changes: Iterable[str] = (), *, lora: bool = False, option: str = "--set"
) -> FinetuneRecipe:
    """The recipe for fine-tuning a model on pairs, with some of its settings changed."""
    family = "choice" if model_name(model).family in _HEADED else "causal"
    defaults = _CAUSAL if family == "causal" else ("epochs=3", "batch=32", "rate=2e-5")
    rate = ("rate=2e-4",) if lora else ()
    return find_finetune_recipe(family, (*defaults, *rate, *changes), lora=lora, option=option)


def tune_pairs(
    model: str,
    data: PairData,
    out: Path,
    settings: TrainingSettings,
    *,
    lora: bool = False,
    changes: Iterable[str] = (),
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
    note: Callable[[str], object] = lambda _text: None,
) -> TrainingResult:
    """Fine-tune a model on pairs and write it to a folder that transformers can load."""
    distributed = Distributed(settings.device)
    folder = FinetuneFolder(out)
    folder.check(force=force or resume)
    solver = find_solver(model, str(distributed.device))
    recipe = find_tuning_recipe(model, changes, lora=lora)
    solver.check_texts([pair.premise for pair in data.training[:1000] if pair.premise])

    def make() -> TrainingLoop:
        torch.manual_seed(settings.seed)
        objective, adapted = _objective(solver, data, lora=lora, recipe=recipe)
        is_causal = isinstance(solver, CausalSolver)
        question_of = (lambda pair, labels: pair_question(pair, labels, LABEL)) if is_causal else _for_head
        training, held_out = (
            [LabelledQuestion(question_of(pair, data.labels), data.labels.index(pair.label)) for pair in part]
            for part in (data.training, data.validation)
        )
        parts = objective_parts(objective, training, held_out, solver.name, note)
        description = {
            "labels": list(data.labels),
            "items": len(parts[0]),
            "held_out": len(parts[1]),
            **data.described(),
        }
        earlier = [prints for folder in solver.folders if (prints := Fingerprints.load(folder))]
        fingerprints = Fingerprints(tuple(collection for prints in earlier for collection in prints.collections))
        record = TrainingRecord(data.hash, description, fingerprints)
        return make_finetune_loop(
            folder, solver, objective, adapted, recipe, parts, record, settings, distributed, note
        )

    return run_loop(folder, distributed, make, resume=resume, progress=progress)


def _objective(solver: PretrainedSolver, data: PairData, *, lora: bool, recipe: Any) -> tuple[Objective, Any]:
    """The objective and, if only an adapter is trained, the peft model around the model."""
    if isinstance(solver, NliSolver):
        names = dict(enumerate(data.labels))
        numbers = {label: number for number, label in names.items()}
        new: Any = {"id2label": names, "label2id": numbers, "num_labels": len(names), "ignore_mismatched_sizes": True}
        model = solver.pretrained.read_model(new_head=True, **new)
        adapted = with_lora(model, recipe, HeadObjective) if lora else None
        return HeadObjective(solver, model), adapted
    assert isinstance(solver, CausalSolver)
    adapted = with_lora(solver.pretrained.model, recipe, LabelObjective) if lora else None
    return LabelObjective(solver, solver.pretrained.model), adapted


def find_solver(model: str, device: str) -> PretrainedSolver:
    """The model to start from, not yet loaded; one that cannot learn pairs is an input error."""
    name, options = model_name(model), Options(device=device)
    if name.family in _HEADED:
        return NliSolver(name.found_location(), options)
    is_known = name.location or name.family in registry.names("models") or family_of(Path(model))
    solver = load_model(model, options) if is_known else None
    if not isinstance(solver, CausalSolver):
        hint = did_you_mean(model, (*RECIPES, "gemma-3-270m"))
        remedy = f"{hint} To fine-tune another model of transformers, write causal:…, masked:… or nli:…."
        raise InputError(f"{model} cannot be trained on pairs", remedy=remedy)
    return solver
