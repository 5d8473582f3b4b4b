"""Models that were not trained by us, asked about pairs: any family of `winoglot evaluate`
that scores texts or answers questions.

- `label`: the premise, a question with the hypothesis, and the word of a label ("no" or "yes"; with three labels,
  "false", "true" or "unknown"). The texts differ in that word only, so their scores compare the probabilities of the
  words. Fine-tuned causal models are asked in the same way.
- `therefore`: the premise, what a label says of what follows ("It follows that this is false:"), and the hypothesis;
  the score is the log probability of the hypothesis after each of these.
- `answer`: chat models and servers are asked in words, with the labels as options in both orders.
- `entailment`: models with a classification head give each label a probability. With two labels, the
  probabilities of all but contradiction are added up.

The words are in `wordings.yaml` and `prompts/`, one set per language.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError, did_you_mean
from winoglot.files import parse_json
from winoglot.languages.windows import Window
from winoglot.logic.pair import LABELS
from winoglot.logic.solvers.base import LogicSolver
from winoglot.logic.solvers.data import group_of
from winoglot.models.base import Options, Question, Scores, Solver, load_model
from winoglot.models.nli import NliSolver
from winoglot.models.servers.asking import AskingSolver
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Candidate, Item, Reading
from winoglot.schemas.spans import Span
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import torch

    from winoglot.logic.pair import Pair

LABEL, THEREFORE, ANSWER, ENTAILMENT = "label", "therefore", "answer", "entailment"
_FOLDER = Path(__file__).parent
_SMALL = 200  # pairs to ask a large model at once


@cache
def _wordings() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((_FOLDER / "wordings.yaml").read_text(encoding="utf-8"))
    return found


def wording(language: str, labels: Sequence[str]) -> dict[str, Any]:
    """How pairs of a language are put, for a set of labels."""
    known = _wordings()
    if primary(language) not in known:
        raise InputError(f"there is no wording for pairs in {language!r}", remedy=did_you_mean(language, known))
    own = known[primary(language)]
    return {"text": own["text"], **own["nli" if set(labels) == set(LABELS["nli"]) else "cd"]}


def readings_of(pair: Pair, labels: Sequence[str], scoring: str) -> list[Reading]:
    """The text that each label makes of a pair.

    >>> from winoglot.logic.pair import Pair
    >>> pair = Pair("1", "negation", "en", "Ana saw Ben.", "Ben saw Ana.", "0", 1, "", "", "", "", "")
    >>> [one.text for one in readings_of(pair, ("1", "0"), "therefore")]
    ['Ana saw Ben. It follows that this is false: Ben saw Ana.', 'Ana saw Ben. This may be true: Ben saw Ana.']
    """
    words = wording(pair.language, labels)
    made = []
    for number, label in enumerate(labels):
        if scoring == THEREFORE:
            said = words["therefore"][label]
            inserted = said.rstrip()  # the space belongs to the first token of the hypothesis, which is scored
            before, after = pair.premise, said[len(inserted) :] + pair.hypothesis
        else:
            before = words["label"].format(premise=pair.premise, hypothesis=pair.hypothesis)
            inserted, after = words["words"][label], ""
        made.append(Reading(pair.id, number, before, inserted, after, "grammatical", scoring))
    return made


def pair_question(pair: Pair, labels: Sequence[str], scoring: str) -> Question:
    """A pair as solvers of schemas are asked: one reading per label, or a text with options."""
    words = wording(pair.language, labels)
    text = words["text"].format(premise=pair.premise, hypothesis=pair.hypothesis)
    options = tuple(Candidate(words["options"][label]) for label in labels)
    end = Span(len(text), len(text))
    item = Item(pair.id, group_of(pair), text=text, pronoun=end, candidates=options, language=pair.language)
    readings = () if scoring == ANSWER else tuple(readings_of(pair, labels, scoring))
    return Question(item, pair.language, readings, Window(readings[0].after if readings else "", None))


class AskedSolver(LogicSolver):
    """A model of any family that scores texts, or that is asked in words."""

    at_once = _SMALL

    def __init__(self, solver: Solver) -> None:
        """Take a solver of `winoglot.models`."""
        self.solver = solver
        self.name, self.address = solver.name, solver.address or solver.name
        self.libraries = solver.libraries
        ways = [LABEL, THEREFORE] if "partial" in solver.scorings else [LABEL] if "candidate" in solver.scorings else []
        if isinstance(solver, AskingSolver):
            ways.append(ANSWER)
        if not ways or solver.is_baseline:
            remedy = "Use causal:…, masked:…, nli:…, chat:…, remote:…, or train one: winoglot logic train."
            raise InputError(f"{self.name} cannot be asked about pairs", remedy=remedy)
        self.scorings = tuple(ways)
        self.fingerprint = solver.fingerprint
        tuned = _tuned_on(solver)
        self.labels, self.control = tuple(tuned["labels"]) if tuned else None, tuned.get("control", "")

    def settings_for(self, language: str) -> Mapping[str, object]:
        """The solver's own, and the words that pairs are put in."""
        own = self.solver.settings_for(ANSWER if ANSWER in self.scorings else self.solver.scorings[0], language)
        return {**own, "wordings": f"sha:{digest(_wordings())[:8]}"}

    @property
    def spent(self) -> Mapping[str, float]:
        """What the solver has used."""
        return self.solver.spent

    def score(self, pairs: Sequence[Pair], labels: Sequence[str], scoring: str) -> list[Scores]:
        """All pairs at once; a batch is as large as the solver makes it."""
        way = {THEREFORE: "partial", ANSWER: ANSWER, LABEL: "full" if "full" in self.solver.scorings else "candidate"}
        questions = [pair_question(pair, labels, scoring) for pair in pairs]
        self.solver.prepare()
        return [found[way[scoring]] for found in self.solver.score(questions, [way[scoring]])]


def _tuned_on(solver: Solver) -> dict[str, Any]:
    """What a model was fine-tuned on, if it was pairs."""
    for folder in solver.folders:
        with suppress(OSError, ValueError, KeyError, TypeError):
            found: dict[str, Any] = parse_json((folder / "finetune.json").read_bytes())["data"]
            if "labels" in found:
                return found
    return {}


class ClassifyingSolver(LogicSolver):
    """A model with a classification head, trained on inference or on pairs."""

    scorings = (ENTAILMENT,)
    at_once = _SMALL

    def __init__(self, solver: NliSolver) -> None:
        """Take a solver of the family nli."""
        self.solver = solver
        self.name, self.address = solver.name, solver.address or solver.name
        self.libraries, self.fingerprint = solver.libraries, solver.fingerprint
        numbers = {str(name).casefold(): int(at) for at, name in solver.pretrained.config.id2label.items()}
        self.numbers = numbers
        if numbers.keys() != set(LABELS["nli"]):
            self.labels = tuple(numbers)
        self.control = _tuned_on(solver).get("control", "")
        self.settings = {"precision": solver.options.precision}

    def score(self, pairs: Sequence[Pair], labels: Sequence[str], scoring: str) -> list[Scores]:
        """The log probability of each label."""
        del scoring
        found = self.solver.outputs((pair.premise, pair.hypothesis) for pair in pairs)
        outputs = (found[pair.premise, pair.hypothesis] for pair in pairs)
        return [
            Scores((None,) * len(labels), one) if isinstance(one, str) else Scores(self._values(one, labels))
            for one in outputs
        ]

    def _values(self, output: torch.Tensor, labels: Sequence[str]) -> tuple[float, ...]:
        logs = output.log_softmax(0)
        own = {name: float(logs[at]) for name, at in self.numbers.items()}
        if "contradiction" in own and "contradiction" not in labels:
            others = logs[[at for name, at in self.numbers.items() if name != "contradiction"]]
            own = {"1": own["contradiction"], "0": float(others.logsumexp(0))}
        return tuple(own[label] for label in labels)


def asked_solver(name: str, options: Options, language: str) -> LogicSolver:
    """The solver of an address of `winoglot evaluate`; one that is asked in words gets ours for the language."""
    family = name.partition("=")[2].partition(":")[0] or name.partition(":")[0]
    if family in ("chat", "remote") and "prompts" not in options.more:
        own = _FOLDER / "prompts" / f"{primary(language)}.yaml"
        options = replace(options, more={**options.more, "prompts": str(own)})
    solver = load_model(name, options)
    return ClassifyingSolver(solver) if isinstance(solver, NliSolver) else AskedSolver(solver)
