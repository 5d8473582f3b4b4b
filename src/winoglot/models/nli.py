"""Models fine-tuned on natural language inference: `nli:FOLDER_OR_HUB_ID`.

The item's text is the premise; a candidate's score is the log probability that its hypothesis is entailed.

- `hypothesis`: the hypotheses that the item's author wrote; where there are none, what the text says from the pronoun
  on, with the candidate in place, or the whole reading if nothing can be cut off.
- `reading`: always the whole reading.

A collection of inference pairs without marked texts, as WNLI has it, is asked pair by pair: entailed or not.
"""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from annotated_types import Ge, Le

from winoglot.errors import InputError, did_you_mean
from winoglot.languages.readings import compared_readings
from winoglot.models.base import Scores, lazy, read_options
from winoglot.models.scoring.framing import PairSolver
from winoglot.perturb import after_only
from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import torch

    from winoglot.models.base import Options, Question
    from winoglot.schemas.model import Item

_INFERENCE = {"contradiction", "entailment", "neutral"}
_CONTRADICTION = {"1", "0"}  # of a model that learnt pairs with two labels, and answers only such
_ENTAILMENT = ("entailment", "entailed", "entails", "entail")  # what the label is called, in lower case


@dataclass(frozen=True)
class NliOptions:
    """The options of the family `nli`."""

    entailment: str = ""  # the label that means entailment, by name or number, if its name does not say so
    threshold: Annotated[float, Ge(0.001), Le(0.999)] = 0.5  # of pairs: entailed from here on


class NliSolver(PairSolver):
    """Scores a candidate by whether the text entails what it says about the candidate."""

    family = "nli"
    kind = "AutoModelForSequenceClassification"
    head = "a classification head"
    scorings = ("hypothesis", "reading")
    own_options = (NliOptions,)
    judges_pairs = True
    pair_scorings = ("entailment",)

    def __init__(self, location: str, options: Options) -> None:
        """The model in a folder, or of that name on the hub."""
        super().__init__(location, options)
        self._chosen: NliOptions
        (self._chosen,) = read_options(options.more, NliOptions)

    @classmethod
    def check(cls, location: str, options: Options) -> tuple[str, ...]:
        """Reject a wrong location, option or set of labels before anything is loaded."""
        solver = cls(location, options)
        if Path(location).is_dir() and solver._label_numbers.keys() != _CONTRADICTION:
            _ = solver.entailment
        return cls.scorings

    @lazy
    def entailment(self) -> tuple[int, str]:
        """The number and the name of the label that means entailment."""
        labels = {int(number): str(name) for number, name in self.pretrained.config.id2label.items()}
        return _entailment(labels, self._chosen.entailment, self.name)

    @lazy
    def settings(self) -> Mapping[str, object]:
        """The precision, what is done to texts, the label that counts, and from where on a pair is entailed."""
        common = {"precision": self.options.precision, **self.pretrained.disk_cached(self.family, self.framing)}
        return {**common, "entailment": self.entailment[1], "threshold": self._chosen.threshold}

    @lazy
    def _label_numbers(self) -> dict[str, int]:
        """The place of each label among the outputs, by its name in lower case."""
        return {str(name).casefold(): int(number) for number, name in self.pretrained.config.id2label.items()}

    @property
    def pair_labels(self) -> tuple[str, ...] | None:  # type: ignore[override]
        """A model with the usual three labels of inference judges pairs with two labels, too."""
        return None if self._label_numbers.keys() == _INFERENCE else tuple(self._label_numbers)

    def settings_for(self, scoring: str, language: str) -> Mapping[str, object]:
        """The settings that matter; for pairs with labels only the precision, since there is no threshold."""
        if scoring in self.pair_scorings:
            return {"precision": self.options.precision}
        return super().settings_for(scoring, language)

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Which candidate the text says something about or, of a pair with labels, the probability of each label."""
        if not questions[0].labels:
            return super().score(questions, scorings)
        pairs = [(question.pair.premise, question.pair.hypothesis) for question in questions if question.pair]
        outputs = self.outputs(pairs)
        return [
            dict.fromkeys(scorings, self._label_scores(question, outputs[pair]))
            for question, pair in zip(questions, pairs, strict=True)
        ]

    def _label_scores(self, question: Question, output: torch.Tensor | str) -> Scores:
        """The log probability of each label; of two, all but contradiction count as one."""
        if isinstance(output, str):
            return Scores.undefined(question, output)
        logs = output.log_softmax(0)
        values = {name: float(logs[number]) for name, number in self._label_numbers.items()}
        if "contradiction" in values and "contradiction" not in question.labels:
            other_logs = logs[[number for name, number in self._label_numbers.items() if name != "contradiction"]]
            values = {"1": values["contradiction"], "0": float(other_logs.logsumexp(0))}
        return Scores(tuple(values[label] for label in question.labels))

    def for_collection(self, items: Iterable[Item], language: str) -> Self:
        """A copy whose settings name the written hypotheses; an input error if there is nothing to ask."""
        del language
        items = tuple(items)
        if not any(item.text is not None or item.inferences for item in items):
            raise InputError(
                "the items have neither hypotheses nor a text from which they could be derived, only readings",
                remedy="Use a collection with marked texts, or score its readings with causal:… or masked:….",
            )
        solver = copy(self)
        hypotheses = [[item.id, *item.hypotheses] for item in items if item.hypotheses]
        if hypotheses:  # neither the items' hashes nor their readings cover them
            solver.settings = {**self.settings, "hypotheses": f"sha:{digest(hypotheses)[:8]}"}
        return solver

    def pairs(self, question: Question, scoring: str) -> list[tuple[str, str]] | str:
        """The text with each candidate's hypothesis; of an inference pair, the pair itself."""
        item = question.item
        if not question.readings:
            return [(pair.premise, pair.hypothesis) for pair in item.inferences]
        if item.text is None:
            return "the item has no text with a pronoun"
        full_readings = [reading.text for reading in question.readings]
        hypotheses = (
            full_readings if scoring == "reading" else list(item.hypotheses) or _clauses(question) or full_readings
        )
        return [(item.text, hypothesis) for hypothesis in hypotheses]

    def values(self, outputs: list[torch.Tensor]) -> list[float]:
        """The log probability of entailment; of one pair, those of both answers, each relative to the threshold."""
        logs = [float(output.log_softmax(dim=0)[self.entailment[0]]) for output in outputs]
        if len(logs) > 1:
            return logs
        (entailed,), threshold = logs, self._chosen.threshold
        other_outputs = outputs[0][[number for number in range(len(outputs[0])) if number != self.entailment[0]]]
        not_entailed = float(other_outputs.logsumexp(dim=0) - outputs[0].logsumexp(dim=0))
        return [not_entailed - math.log(1 - threshold), entailed - math.log(threshold)]


def _entailment(labels: Mapping[int, str], label_or_number: str, name: str) -> tuple[int, str]:
    """The label that means entailment: the one that was named, or the one that is called so.

    >>> _entailment({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, "", "nli:mine")
    (2, 'ENTAILMENT')
    """
    listing = ", ".join(f"{number} ({label})" for number, label in sorted(labels.items()))
    if len(labels) < 2:
        message = f"{name} has one output, so it was not trained to distinguish entailment"
        raise InputError(message, remedy="Name a model that was fine-tuned on inference (MNLI, XNLI, WNLI …).")
    if label_or_number:
        numbers = [number for number, label in labels.items() if label_or_number in (label, str(number))]
        if not numbers:
            remedy = f"{did_you_mean(label_or_number, labels.values())} Or give its number: {listing}."
            raise InputError(f"{name} has no label {label_or_number!r}", remedy=remedy)
    else:
        numbers = [number for number, label in labels.items() if label.casefold() in _ENTAILMENT]
        if len(numbers) != 1:
            message = f"the labels of {name} do not say which means entailment: {listing}"
            raise InputError(message, remedy=f"Give its name or number, such as --option entailment={max(labels)}.")
    return numbers[0], labels[numbers[0]]


def _clauses(question: Question) -> list[str]:
    """What is said of each candidate from the pronoun on; nothing if that cannot be cut off from the rest."""
    try:
        clause: Any = after_only.perturb(question.item)
    except InputError:
        return []
    clause_readings = compared_readings(clause, question.readings[0].style, question.language)
    is_usable = len(clause_readings) == len(question.readings) and all(reading.derived for reading in clause_readings)
    return [reading.text for reading in clause_readings] if is_usable else []


check = NliSolver.check
load = NliSolver
