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
    """The options of the family `lm`."""

    unknown: Literal["abstain", "score"] = "abstain"  # if the readings differ in a word that is not in the vocabulary
    last_sentence: Literal["false", "true"] = "false"  # score the last sentence of a text only, read by itself

    def settings(self) -> dict[str, object]:
        """As of all families; runs of earlier versions do not have `last-sentence`."""
        return {
            name: value for name, value in super().settings().items() if (name, value) != ("last-sentence", "false")
        }


class LmSolver(TrainedSolver):
    """Scores a reading by the log probability of its words."""

    family = "lm"
    own_options = LmOptions
    chosen: LmOptions
    scorings = SCORINGS
    gives_probes = True

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Score the questions by all scorings in one pass."""
        texts, faults = self._texts(questions)
        token_scores, _ = self._observe(_texts_to_score(questions, texts, faults))
        return _scores(questions, scorings, faults, token_scores)

    def score_and_probe(
        self, questions: Sequence[Question], scorings: Sequence[str], probed: Container[str]
    ) -> tuple[list[dict[str, Scores]], dict[str, Probe]]:
        """The scores, with the distribution of the word in the pronoun's place and the pooled states of each reading.

        The last word of a reading has no state: the model predicts it and reads no further. What comes before a pronoun
        is read by itself if no reading begins with it.
        """
        texts, faults = self._texts(questions)
        probed_questions = [
            (question, fault) for question, fault in zip(questions, faults, strict=True) if question.item.id in probed
        ]
        contexts = [self._context(question) for question, _ in probed_questions]
        sequences_by_question = [
            [] if fault else [self._input_ids(texts[reading.text]) for reading in question.readings]
            for question, fault in probed_questions
        ]
        hosts = hosts_of(contexts, sequences_by_question)
        lengths = {host: len(context) for context, host in hosts.items()}
        requests = {
            sequence: ProbeRequest(lengths.get(sequence), 1 if len(sequence) > 1 else None)
            for sequences in sequences_by_question
            for sequence in sequences
        }
        token_scores, result_of = self._observe(_texts_to_score(questions, texts, faults), requests)
        unhosted = [
            context
            for context, sequences in zip(contexts, sequences_by_question, strict=True)
            if sequences and context not in hosts
        ]
        distributions = self._distributions(unhosted) | {
            context: result_of[host].distribution for context, host in hosts.items()
        }
        probes = {
            question.item.id: causal_probe(
                question.item, [result_of[sequence] for sequence in sequences], distributions.get(context), fault
            )
            for (question, fault), sequences, context in zip(
                probed_questions, sequences_by_question, contexts, strict=True
            )
        }
        return _scores(questions, scorings, faults, token_scores), probes

    def _texts(self, questions: Sequence[Question]) -> tuple[dict[str, WordText], list[str]]:
        """All readings as words, and of each question why it is not scored; empty if it is."""
        for question in questions:
            self.encoder.check_language(question.language, self.name)
        reading_texts = dict.fromkeys(reading.text for question in questions for reading in question.readings)
        texts = {text: self._encode(text) for text in reading_texts}
        return texts, [self._fault([texts[reading.text] for reading in question.readings]) for question in questions]

    def _encode(self, text: str) -> WordText:
        """The words of a text that are scored."""
        words = self.encoder.encode(text)
        return words.last_sentence() if self.chosen.last_sentence == "true" else words

    def _context(self, question: Question) -> tuple[int, ...]:
        """The words before the pronoun, with the `<eos>` of a sentence that ends there."""
        text, pronoun = self._encode(question.item.text or ""), question.item.pronoun
        ids_before = text.ids[text.ends <= (pronoun.start if pronoun else 0)]
        return (self.encoder.vocabulary.eos, *ids_before.tolist())

    def _input_ids(self, text: WordText) -> tuple[int, ...]:
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
        scores_by_text, _ = self._observe([self._encode(text) for text in dict.fromkeys(texts)])
        return [scores_by_text[text] for text in texts]

    def continuations(self, texts: Sequence[str]) -> list[Continuation]:
        """The likeliest words after the first half of each text; `<unk>` is never written."""
        return continued([self.encoder.encode(text).ids.tolist() for text in texts], self._write, self.batch_words)

    def _write(self, prompts: list[tuple[int, ...]], room: int) -> list[list[int]]:
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
        word_ids: list[list[int]] = torch.stack(rows, dim=1).tolist()
        return word_ids

    def _observe(
        self, texts: Sequence[WordText], requests: Mapping[tuple[int, ...], ProbeRequest] = MappingProxyType({})
    ) -> tuple[dict[str, TokenScores], dict[tuple[int, ...], ProbeResult]]:
        """The token scores of each text, and the probe result of each sequence that was read."""
        import torch

        module, eos = self.trained.module, self.encoder.vocabulary.eos
        device = module.bias.device
        # Texts with the same ids are the same to the model: scored separately, rounding would hide a tie.
        groups: dict[bytes, list[WordText]] = {}
        for text in texts:
            groups.setdefault(text.ids.tobytes(), []).append(text)
        firsts = [group[0] for group in groups.values()]
        sequences = [self._input_ids(text) for text in firsts]
        view = Collector([requests.get(sequence, ProbeRequest()) for sequence in sequences])
        token_scores: dict[str, TokenScores] = {}
        for numbers in padded_batches([len(text.ids) for text in firsts], self.batch_words):
            batch = [firsts[number] for number in numbers]
            columns = np.full((1 + len(batch[-1].ids), len(batch)), eos, dtype=np.int64)
            for column, text in enumerate(batch):
                columns[1 : 1 + len(text.ids), column] = text.ids
            tokens = torch.from_numpy(columns).to(device)
            outputs, _ = module.read(tokens[:-1])
            values = module.log_probabilities_after(outputs, tokens[1:])
            for first, column in zip(batch, values.cpu().double().numpy().T, strict=True):
                for text in groups[first.ids.tobytes()]:
                    token_scores[text.text] = TokenScores(text.starts, text.ends, column[: len(text.ids)])
            view.add(outputs.flatten(0, 1), _paths([sequences[number] for number in numbers], numbers))
        return token_scores, dict(zip(sequences, view.seen(self._most_probable), strict=True))

    def _distributions(self, contexts: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], Distribution | None]:
        """The distribution after each context, read by itself."""
        import torch

        sequences = list(dict.fromkeys(contexts))
        view = Collector([ProbeRequest(after=len(sequence)) for sequence in sequences])
        for numbers in padded_batches([len(sequence) for sequence in sequences], self.batch_words):
            batch = [sequences[number] for number in numbers]
            rows = [(*row, *[0] * (len(batch[-1]) - len(row))) for row in batch]
            outputs, _ = self.trained.module.read(torch.tensor(rows, device=self.trained.module.bias.device).T)
            view.add(outputs.flatten(0, 1), _paths(batch, numbers))
        results = view.seen(self._most_probable)
        return {context: result.distribution for context, result in zip(sequences, results, strict=True)}

    def _most_probable(self, outputs: torch.Tensor) -> list[Distribution]:
        parts = (outputs[start : start + ROWS] for start in range(0, len(outputs), ROWS))
        return [
            distribution for part in parts for distribution in most_probable(self.trained.module.logits_after(part))
        ]


def _texts_to_score(
    questions: Sequence[Question], texts: Mapping[str, WordText], faults: Sequence[str]
) -> list[WordText]:
    """The readings that are scored, in the order of `texts`."""
    scored = {
        reading.text
        for question, fault in zip(questions, faults, strict=True)
        if not fault
        for reading in question.readings
    }
    return [text for text in texts.values() if text.text in scored]


def _scores(
    questions: Sequence[Question],
    scorings: Sequence[str],
    faults: Sequence[str],
    token_scores: Mapping[str, TokenScores],
) -> list[dict[str, Scores]]:
    result = []
    for question, fault in zip(questions, faults, strict=True):
        if fault:
            result.append(dict.fromkeys(scorings, Scores.undefined(question, fault)))
        else:
            tokens = [token_scores[reading.text] for reading in question.readings]
            result.append({scoring: scores_of(question, tokens, scoring) for scoring in scorings})
    return result


def _paths(sequences: Sequence[tuple[int, ...]], numbers: Sequence[int]) -> dict[int, np.ndarray]:
    """The places of each text's states, by its number, in a batch whose columns are the texts, read row by row."""
    return {
        place: np.arange(len(sequence)) * len(sequences) + column
        for column, (place, sequence) in enumerate(zip(numbers, sequences, strict=True))
    }


def padded_batches(lengths: Sequence[int], most: int) -> list[list[int]]:
    """The numbers of texts in batches of similar length; padded at the end, each has at most `most` words.

    What comes after a word makes no difference to its probability.

    >>> padded_batches([3, 9, 2, 3], most=9)
    [[2, 0, 3], [1]]
    """
    batches: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not batches or (len(batches[-1]) + 1) * lengths[number] > most:
            batches.append([])
        batches[-1].append(number)
    return batches


check = LmSolver.check
load = LmSolver
