"""Language models trained with `winoglot train`: `lm:DIR`.

A reading is scored as it would appear in the corpus: word tokens of the language, with an `<eos>` before the first and
between two sentences, from a fresh state of the model. A word that the model does not know is `<unk>` to it, and
`<unk>` is a frequent word: if the readings differ in such a word, the solver abstains.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from winoglot.models.base import Question, Scores
from winoglot.models.scoring.probes import ROWS, Collector, ProbeRequest, causal_probe, hosts_of, most_probable
from winoglot.models.scoring.tokens import SCORINGS, Continuation, TokenScores, continued, scores_of
from winoglot.models.scoring.words import TextOptions, TrainedSolver, WordText, differing

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    import torch

    from winoglot.models.scoring.probes import Distribution, Probe, ProbeResult


@dataclass(frozen=True)
class LmOptions(TextOptions):
    """Options of this family."""

    unknown: Literal["abstain", "score"] = "abstain"  # if the readings differ in a word that is not in the vocabulary


class LmSolver(TrainedSolver):
    """Scores a reading by the log probability of its words."""

    family = "lm"
    own_options = LmOptions
    chosen: LmOptions
    scorings = SCORINGS
    gives_probes = True

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """All scorings from one pass."""
        texts, faults = self._texts(questions)
        found, _ = self._scored(_wanted(questions, texts, faults))
        return _scores(questions, scorings, faults, found)

    def score_and_probe(
        self, questions: Sequence[Question], scorings: Sequence[str], probed: Container[str]
    ) -> tuple[list[dict[str, Scores]], dict[str, Probe]]:
        """The same, with the distribution of the word in the pronoun's place and the pooled states of each reading.

        The last word of a reading has no state: the model predicts it and reads no further. What comes before a pronoun
        is read by itself if no reading begins with it.
        """
        texts, faults = self._texts(questions)
        asked = [(one, fault) for one, fault in zip(questions, faults, strict=True) if one.item.id in probed]
        contexts = [self._context(question) for question, _ in asked]
        read = [
            [] if fault else [self._read(texts[reading.text]) for reading in question.readings]
            for question, fault in asked
        ]
        hosts = hosts_of(contexts, read)
        after = {host: len(context) for context, host in hosts.items()}
        looks = {one: ProbeRequest(after.get(one), 1 if len(one) > 1 else None) for own in read for one in own}
        found, seen = self._scored(_wanted(questions, texts, faults), looks)
        alone = [context for context, own in zip(contexts, read, strict=True) if own and context not in hosts]
        distributions = self._distributions(alone) | {c: seen[host].distribution for c, host in hosts.items()}
        probes = {
            question.item.id: causal_probe(question.item, [seen[one] for one in own], distributions.get(context), fault)
            for (question, fault), own, context in zip(asked, read, contexts, strict=True)
        }
        return _scores(questions, scorings, faults, found), probes

    def _texts(self, questions: Sequence[Question]) -> tuple[dict[str, WordText], list[str]]:
        """All readings as words, and of each question why it is not scored; empty if it is."""
        for question in questions:
            self.encoder.check_language(question.language, self.name)
        written = dict.fromkeys(reading.text for question in questions for reading in question.readings)
        texts = {text: self.encoder.encode(text) for text in written}
        return texts, [self._fault([texts[reading.text] for reading in question.readings]) for question in questions]

    def _context(self, question: Question) -> tuple[int, ...]:
        """The words before the pronoun, with the `<eos>` of a sentence that ends there."""
        text, pronoun = self.encoder.encode(question.item.text or ""), question.item.pronoun
        before = text.ids[text.ends <= (pronoun.start if pronoun else 0)]
        return (self.encoder.vocabulary.eos, *before.tolist())

    def _read(self, text: WordText) -> tuple[int, ...]:
        """What the model reads of a text."""
        return (self.encoder.vocabulary.eos, *text.ids[:-1].tolist())

    def _fault(self, texts: Sequence[WordText]) -> str:
        """Why these readings are not scored; empty if they are."""
        if self.chosen.rejects(texts):
            return "several sentences"
        if self.chosen.unknown == "score":
            return ""
        unknown = self.encoder.vocabulary.unk
        words = [
            text.word(place)
            for text, places in zip(texts, differing(texts), strict=True)
            for place in places
            if text.ids[place] == unknown
        ]
        return f"unknown: {', '.join(dict.fromkeys(words))}" if words else ""

    def token_scores(self, texts: Sequence[str]) -> list[TokenScores]:
        """The log probability of every word of each text, including `<eos>` between sentences."""
        found, _ = self._scored([self.encoder.encode(text) for text in dict.fromkeys(texts)])
        return [found[text] for text in texts]

    def continuations(self, texts: Sequence[str]) -> list[Continuation]:
        """The likeliest words after the first half of each text; `<unk>` is never written."""
        return continued([self.encoder.encode(text).ids.tolist() for text in texts], self._written, self.batch_words)

    def _written(self, prompts: list[tuple[int, ...]], room: int) -> list[list[int]]:
        import torch

        module, vocabulary = self.trained.module, self.encoder.vocabulary
        tokens = torch.tensor([[vocabulary.eos, *prompt] for prompt in prompts], device=module.bias.device).T
        state: tuple[torch.Tensor, ...] = ()
        rows = []
        for _ in range(room):
            logits, state = module.next_logits(tokens, state)
            logits[:, vocabulary.unk] = -torch.inf
            tokens = logits.argmax(dim=1)[None]
            rows.append(tokens[0])
        written: list[list[int]] = torch.stack(rows, dim=1).tolist()
        return written

    def _scored(
        self, texts: Sequence[WordText], looks: Mapping[tuple[int, ...], ProbeRequest] = MappingProxyType({})
    ) -> tuple[dict[str, TokenScores], dict[tuple[int, ...], ProbeResult]]:
        """By text, the log probability of every word; and by what was read, what is seen on the way."""
        import torch

        module, eos = self.trained.module, self.encoder.vocabulary.eos
        device = module.bias.device
        # Texts with the same ids are the same to the model: scored separately, rounding would hide a tie.
        alike: dict[bytes, list[WordText]] = {}
        for text in texts:
            alike.setdefault(text.ids.tobytes(), []).append(text)
        firsts = [group[0] for group in alike.values()]
        read = [self._read(text) for text in firsts]
        view = Collector([looks.get(one, ProbeRequest()) for one in read])
        found: dict[str, TokenScores] = {}
        for numbers in padded_batches([len(text.ids) for text in firsts], self.batch_words):
            some = [firsts[number] for number in numbers]
            columns = np.full((1 + len(some[-1].ids), len(some)), eos, dtype=np.int64)
            for column, text in enumerate(some):
                columns[1 : 1 + len(text.ids), column] = text.ids
            tokens = torch.from_numpy(columns).to(device)
            outputs, _ = module.read(tokens[:-1])
            values = module.log_probabilities_after(outputs, tokens[1:])
            for first, column in zip(some, values.cpu().double().numpy().T, strict=True):
                for text in alike[first.ids.tobytes()]:
                    found[text.text] = TokenScores(text.starts, text.ends, column[: len(text.ids)])
            view.add(outputs.flatten(0, 1), _paths([read[number] for number in numbers], numbers))
        return found, dict(zip(read, view.seen(self._most_probable), strict=True))

    def _distributions(self, contexts: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], Distribution | None]:
        """What follows each of these, read by itself."""
        import torch

        read = list(dict.fromkeys(contexts))
        view = Collector([ProbeRequest(after=len(one)) for one in read])
        for numbers in padded_batches([len(one) for one in read], self.batch_words):
            some = [read[number] for number in numbers]
            rows = [(*one, *[0] * (len(some[-1]) - len(one))) for one in some]
            outputs, _ = self.trained.module.read(torch.tensor(rows, device=self.trained.module.bias.device).T)
            view.add(outputs.flatten(0, 1), _paths(some, numbers))
        seen = view.seen(self._most_probable)
        return {context: one.distribution for context, one in zip(read, seen, strict=True)}

    def _most_probable(self, outputs: torch.Tensor) -> list[Distribution]:
        parts = (outputs[start : start + ROWS] for start in range(0, len(outputs), ROWS))
        return [found for part in parts for found in most_probable(self.trained.module.logits_after(part))]


def _wanted(questions: Sequence[Question], texts: Mapping[str, WordText], faults: Sequence[str]) -> list[WordText]:
    """The readings that are scored, in the order of `texts`."""
    wanted = {
        reading.text
        for question, fault in zip(questions, faults, strict=True)
        if not fault
        for reading in question.readings
    }
    return [text for text in texts.values() if text.text in wanted]


def _scores(
    questions: Sequence[Question], scorings: Sequence[str], faults: Sequence[str], found: Mapping[str, TokenScores]
) -> list[dict[str, Scores]]:
    result = []
    for question, fault in zip(questions, faults, strict=True):
        if fault:
            result.append(dict.fromkeys(scorings, Scores.undefined(question, fault)))
        else:
            tokens = [found[reading.text] for reading in question.readings]
            result.append({scoring: scores_of(question, tokens, scoring) for scoring in scorings})
    return result


def _paths(read: Sequence[tuple[int, ...]], numbers: Sequence[int]) -> dict[int, np.ndarray]:
    """By its number, the places of each text's states in a batch whose columns they are, read row by row."""
    return {n: np.arange(len(one)) * len(read) + at for at, (n, one) in enumerate(zip(numbers, read, strict=True))}


def padded_batches(lengths: Sequence[int], most: int) -> list[list[int]]:
    """The numbers of texts in batches of similar length; padded at the end, each has at most `most` words.

    What comes after a word makes no difference to its probability.

    >>> padded_batches([3, 9, 2, 3], most=9)
    [[2, 0, 3], [1]]
    """
    made: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not made or (len(made[-1]) + 1) * lengths[number] > most:
            made.append([])
        made[-1].append(number)
    return made


check = LmSolver.check
load = LmSolver
