"""Pairs as questions: how every kind of model is asked which label a pair has.

- `labels`: models that were trained on pairs here (`logic:DIR`) give each label a score.
- `entailment`: models with a classification head give each label a probability. With two labels, the
  probabilities of all but contradiction are added up.
- `label`: the premise, a question with the hypothesis, and the word of a label ("no" or "yes"; with three labels,
  "false", "true" or "unknown"). The texts differ in that word only, so their scores compare the probabilities of the
  words. Fine-tuned causal models are asked in the same way.
- `therefore`: the premise, what a label says of what follows ("It follows that this is false:"), and the hypothesis;
  the score is the log probability of the hypothesis after each of these.
- `answer`: chat models and servers are asked in words, with the labels as options in both orders.

The words are in `wordings.yaml` and `prompts/`, one set per language.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import yaml

from winoglot.errors import InputError, did_you_mean
from winoglot.files import parse_json
from winoglot.languages.windows import Window
from winoglot.logic.pair import LABELS
from winoglot.logic.solvers.data import controlled, example_set, group_of, labels_of
from winoglot.models.base import ANSWER, Question
from winoglot.models.servers.asking import AskingSolver
from winoglot.runs.questions import PreparedQuestion, QuestionSet
from winoglot.runs.spec import QuestionSource
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Candidate, Inference, Item, Reading
from winoglot.schemas.spans import Span
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from winoglot.logic.pair import Pair
    from winoglot.models.base import Solver

READINGS = "pairs"  # of a run over pairs, where a run over schemas says how candidates were put in place
LABEL, THEREFORE, ENTAILMENT, LABELLED = "label", "therefore", "entailment", "labels"
WORDED = (LABEL, THEREFORE, ANSWER)  # the scorings of models that were not made to give labels scores
_HIDDEN = "…"  # an item has no empty texts; a solver reads the pair itself
_FOLDER = Path(__file__).parent
_BATCH, _SMALL_BATCH = 2000, 200  # pairs that are scored and stored together: of small networks, and of large models


@cache
def _wordings() -> dict[str, Any]:
    wordings: dict[str, Any] = yaml.safe_load((_FOLDER / "wordings.yaml").read_text(encoding="utf-8"))
    return wordings


def wording(language: str, labels: Sequence[str]) -> dict[str, Any]:
    """The words in which pairs of a language are asked about, for a set of labels."""
    wordings = _wordings()
    if primary(language) not in wordings:
        raise InputError(f"there is no wording for pairs in {language!r}", remedy=did_you_mean(language, wordings))
    words = wordings[primary(language)]
    return {"text": words["text"], **words["nli" if set(labels) == set(LABELS["nli"]) else "cd"]}


def readings_of(pair: Pair, labels: Sequence[str], scoring: str) -> list[Reading]:
    """The text that each label makes of a pair, one reading per label.

    >>> from winoglot.logic.pair import Pair
    >>> pair = Pair("1", "negation", "en", "Ana saw Ben.", "Ben saw Ana.", "0", 1, "", "", "", "", "")
    >>> [reading.text for reading in readings_of(pair, ("1", "0"), "therefore")]
    ['Ana saw Ben. It follows that this is false: Ben saw Ana.', 'Ana saw Ben. This may be true: Ben saw Ana.']
    """
    words = wording(pair.language, labels)
    readings = []
    for number, label in enumerate(labels):
        if scoring == THEREFORE:
            phrase = words["therefore"][label]
            insertion = phrase.rstrip()  # the space belongs to the first token of the hypothesis, which is scored
            prefix, suffix = pair.premise, phrase[len(insertion) :] + pair.hypothesis
        else:
            prefix = words["label"].format(premise=pair.premise, hypothesis=pair.hypothesis)
            insertion, suffix = words["words"][label], ""
        readings.append(Reading(pair.id, number, prefix, insertion, suffix, "grammatical", scoring))
    return readings


def pair_question(pair: Pair, labels: Sequence[str], scoring: str) -> Question:
    """The question about a pair, by scoring: the pair itself, one reading per label, or a text with options."""
    labels = tuple(labels)
    if scoring not in WORDED:
        inference = Inference(pair.premise or _HIDDEN, pair.hypothesis or _HIDDEN)
        item = Item(pair.id, group_of(pair), inferences=(inference,), language=pair.language)
        return Question(item, pair.language, (), Window("", None), pair, labels)
    words = wording(pair.language, labels)
    text = words["text"].format(premise=pair.premise, hypothesis=pair.hypothesis)
    options = tuple(Candidate(words["options"][label]) for label in labels)
    end = Span(len(text), len(text))
    item = Item(pair.id, group_of(pair), text=text, pronoun=end, candidates=options, language=pair.language)
    readings = () if scoring == ANSWER else tuple(readings_of(pair, labels, scoring))
    return Question(item, pair.language, readings, Window(readings[0].after if readings else "", None), pair, labels)


def pairs_of(questions: Sequence[Question]) -> list[Pair]:
    """The pairs that questions are about."""
    return [cast("Pair", question.pair) for question in questions]


class PairSource(QuestionSource):
    """Pairs of one task and language, which models are asked about."""

    def __init__(self, pairs: Sequence[Pair], name: str = "") -> None:
        """The pairs in their order; without a name, they are called after their task and language."""
        self.pairs = tuple(pairs)
        self.examples = example_set(pairs, name)
        self.name, self.language = self.examples.name, self.examples.language
        self.labels = labels_of(pairs)

    def questions(self, solver: Solver, scoring: str | None) -> PairQuestions:
        """The questions as the solver is asked them."""
        return PairQuestions(self, solver, scoring)


class PairQuestions(QuestionSet):
    """The questions about pairs, by one scoring."""

    readings = READINGS
    is_cached = False  # each is asked once, and there are hundreds of thousands
    counts_tokens = False

    def __init__(self, source: PairSource, solver: Solver, scoring: str | None) -> None:
        """Choose the scoring and check that the solver can be asked."""
        if isinstance(solver, AskingSolver):
            solver = solver.with_prompts(_FOLDER / "prompts" / f"{primary(source.language)}.yaml")
        self.solver, self.pair_source, self.source = solver, source, source.examples
        self.ids = tuple(pair.id for pair in source.pairs)
        if not self.scorings:
            remedy = "Use causal:…, masked:…, nli:…, chat:…, remote:…, or train one: winoglot logic train."
            raise InputError(f"{solver.name} cannot be asked about pairs", remedy=remedy)
        self.scoring = scoring or self.scorings[0]
        self.check_scoring(self.scoring)
        self._labels, self._control = trained_on(solver)
        if self._labels is not None and set(self._labels) != set(source.labels):
            message = f"{solver.name} knows the labels {', '.join(self._labels)}; these pairs have "
            kind = {2: "cd", 3: "nli"}.get(len(self._labels), "cd")
            remedy = f"Generate pairs with --labels {kind}, or train a model on these."
            raise InputError(message + ", ".join(source.labels), remedy=remedy, file=source.name)
        try:
            solver.check_pairs(controlled(source.pairs, self._control, 0, training=False))
        except InputError as error:
            error.file = error.file or source.name
            raise

    @property
    def scorings(self) -> tuple[str, ...]:
        """The solver's own for pairs or, if it scores texts or answers in words, those that our wordings allow."""
        if self.solver.pair_scorings or self.solver.is_baseline:
            return self.solver.pair_scorings
        texts = "partial" in self.solver.scorings
        text_scorings = (LABEL, THEREFORE) if texts else (LABEL,) if "candidate" in self.solver.scorings else ()
        return (*text_scorings, ANSWER) if isinstance(self.solver, AskingSolver) else text_scorings

    def solver_scoring(self, scoring: str) -> str:
        """The solver's own name for the scoring."""
        full_scoring = "full" if "full" in self.solver.scorings else "candidate"
        return {LABEL: full_scoring, THEREFORE: "partial"}.get(scoring, scoring)

    def model_settings(self, scoring: str) -> Mapping[str, object]:
        """The settings of the solver and, if it was asked in words, a hash of the words."""
        if scoring not in WORDED:
            return self.solver.settings_for(scoring, self.source.language)
        by = ANSWER if ANSWER in self.scorings else self.solver.scorings[0]
        words = {"wordings": f"sha:{digest(_wordings())[:8]}"}
        return {**self.solver.settings_for(by, self.source.language), **words}

    @contextmanager
    def batches(self, ids: Sequence[str]) -> Iterator[Iterator[list[PreparedQuestion]]]:
        """The questions in the order of the pairs."""
        yield self._batches(frozenset(ids))

    def _batches(self, ids: frozenset[str]) -> Iterator[list[PreparedQuestion]]:
        hashes = {example.id: example.hash for example in self.pair_source.examples.examples}
        pending = [pair for pair in self.pair_source.pairs if pair.id in ids]
        size = _BATCH if self.scoring == LABELLED else _SMALL_BATCH
        for start in range(0, len(pending), size):
            questions = self._questions(pending[start : start + size])
            yield [PreparedQuestion(question, question.item.id, hashes[question.item.id]) for question in questions]

    def _questions(self, pairs: Sequence[Pair]) -> list[Question]:
        pairs_shown = controlled(pairs, self._control, 0, training=False)
        return [pair_question(pair, self.pair_source.labels, self.scoring) for pair in pairs_shown]


def trained_on(solver: Solver) -> tuple[tuple[str, ...] | None, str]:
    """The labels of the pairs that a solver was trained on, None if it takes any, and what was hidden from it."""
    if solver.pair_scorings:
        control = solver.pair_control or _tuning(solver).get("control", "")
        return solver.pair_labels, control
    tuning = _tuning(solver)
    return (tuple(tuning["labels"]) if tuning else None), tuning.get("control", "")


def _tuning(solver: Solver) -> dict[str, Any]:
    """What a model was fine-tuned on, if it was pairs."""
    for folder in solver.folders:
        with suppress(OSError, ValueError, KeyError, TypeError):
            data: dict[str, Any] = parse_json((folder / "finetune.json").read_bytes())["data"]
            if "labels" in data:
                return data
    return {}
