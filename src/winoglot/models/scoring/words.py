"""Models that `winoglot train` made, and texts as their words: sentences as in a corpus, with `<eos>` between them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from winoglot.corpus.tokenisation import RULES, Tokenisation
from winoglot.devices import check_device, find_device
from winoglot.errors import InputError, require_extra
from winoglot.languages.text import sentence_spans
from winoglot.models.base import Solver, TokenCount, lazy, read_options
from winoglot.models.scoring.pretrained import fingerprint
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.models.base import Options
    from winoglot.training.trained import TrainedModel

_ENDS = (".", "!", "?", "…", "...", "。", "！", "？")
_BATCH_WORDS = 4096


@dataclass(frozen=True)
class TextOptions:
    """The options of families that read texts as words."""

    abstain_on_several_sentences: Literal["false", "true"] = "false"  # Seminck et al. (2019) scored single sentences

    def settings(self) -> dict[str, object]:
        """The options as the signature of a run shows them."""
        return {name.replace("_", "-"): value for name, value in asdict(self).items()}

    def rejects(self, texts: Sequence[WordText]) -> bool:
        """Whether these texts are not to be answered."""
        return self.abstain_on_several_sentences == "true" and any(text.has_several_sentences for text in texts)


class TrainedSolver(Solver):
    """A solver that scores with a model in a folder that `winoglot train` made; `load` of a family is its class."""

    family: ClassVar[str]
    own_options: ClassVar[type[TextOptions]] = TextOptions
    libraries = ("torch",)

    @classmethod
    def check(cls, location: str, options: Options) -> tuple[str, ...]:
        """Reject a wrong location or option before anything is loaded."""
        read_options(options.more, cls.own_options)
        check_folder(location, options, cls.family)
        return cls.scorings

    def __init__(self, location: str, options: Options) -> None:
        """Read the description of the model in a folder."""
        (self.chosen,) = read_options(options.more, self.own_options)
        self.name = f"{self.family}:{location}"
        check_folder(location, options, self.family)
        self.location, self.options = location, options
        self.fingerprint = fingerprint(Path(location))
        self.batch_words = options.batch_tokens or _BATCH_WORDS
        self.settings = self.chosen.settings()

    @lazy
    def trained(self) -> TrainedModel:
        """The trained model, loaded."""
        return load_folder(self.location, self.options, self.family)

    @lazy
    def encoder(self) -> WordEncoder:
        """The encoder of texts in the model's language into its vocabulary."""
        return WordEncoder(self.trained.vocabulary, self.trained.language, self.trained.tokenisation)

    def prepare(self) -> None:
        """Load the model."""
        _ = self.trained

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """The words of each text. Unknown ones are reported per item if they matter, and never rejected as a whole."""
        return [self.encoder.count(text) for text in texts]


def check_folder(location: str, options: Options, family: str) -> None:
    """Reject what can be rejected before the weights are read, such as a model of another family."""
    require_extra("models made by winoglot train need", "torch", "safetensors", extra="models")
    if not location:
        raise InputError(
            f"{family} needs the folder of a model", remedy=f"Write {family}:DIR, a folder that winoglot train made."
        )
    if options.precision != "float32":
        message = f"{family} computes in float32, not in {options.precision}"
        raise InputError(message, remedy="Leave --precision out.")
    from winoglot.training.checkpoint import TrainingFolder

    check_device(options.device)
    kind = TrainingFolder(Path(location)).read()["kind"]
    right_family = "context2vec" if kind == "context2vec" else "lm"
    if right_family != family:
        raise InputError(f"the model is of the kind {kind}", remedy=f"Write {right_family}:{location}.", file=location)


def load_folder(location: str, options: Options, family: str) -> TrainedModel:
    """The model in a folder."""
    check_folder(location, options, family)
    from winoglot.training.trained import load_trained

    return load_trained(location, find_device(options.device))


@dataclass(frozen=True, eq=False)
class WordText:
    """The words of a text, their positions, their ids, and the sentences that they are in.

    An `<eos>` between two sentences is a word without characters at the end of the first.
    """

    text: str
    ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    sentences: np.ndarray

    def word(self, place: int) -> str:
        """The word at a place."""
        return self.text[self.starts[place] : self.ends[place]]

    def last_sentence(self) -> WordText:
        """The words of the last sentence alone."""
        last = self.sentences == self.sentences[-1:]
        return WordText(self.text, self.ids[last], self.starts[last], self.ends[last], self.sentences[last])

    @property
    def has_several_sentences(self) -> bool:
        """Whether there is more than one."""
        return len(self.sentences) > 0 and int(self.sentences[-1]) > 0


class WordEncoder:
    """Turns texts of one language into the words of a vocabulary."""

    def __init__(self, vocabulary: Vocabulary, language: str, tokenisation: Tokenisation | None = None) -> None:
        """Sentences end in `<eos>` only if they do in the text that the vocabulary was counted on."""
        self.vocabulary = vocabulary
        self.language = language
        self.tokenisation = tokenisation or Tokenisation(RULES, vocabulary, language)
        self.mark_ends = marks_sentences(vocabulary)

    def check_language(self, language: str, model: str) -> None:
        """Reject texts of another language."""
        if primary(language) != primary(self.language):
            message = f"{model} was trained on {self.language}, the collection is in {language}"
            raise InputError(message, remedy=f"Train a model on a corpus in {language}.")

    def encode(self, text: str) -> WordText:
        """The words of a text.

        >>> from winoglot.corpus.vocabulary import Vocabulary
        >>> words = Vocabulary(("<unk>", "<eos>", "Chove", "."), np.array([0, 9, 8, 7]))
        >>> text = WordEncoder(words, "pt").encode("Chove. Chove!")
        >>> text.ids.tolist(), text.starts.tolist(), text.sentences.tolist()
        ([2, 3, 1, 2, 0], [0, 5, 6, 7, 12], [0, 0, 0, 1, 1])
        """
        rows: list[tuple[int, int, int, int]] = []
        for number, sentence in enumerate(sentence_spans(text, self.language)):
            if number and self.mark_ends:
                end = rows[-1][2]
                rows.append((self.vocabulary.eos, end, end, number - 1))
            for word in self.tokenisation.words(sentence.of(text)):
                span = sentence.start + word.start, sentence.start + word.end
                rows.append((self.vocabulary.id(word.form), *span, number))
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        return WordText(text, columns[0], columns[1], columns[2], columns[3])

    def count(self, text: str) -> TokenCount:
        """The number of words in a text, and how many of them are not in the vocabulary."""
        ids = self.encode(text).ids
        return TokenCount(len(ids), int((ids == self.vocabulary.unk).sum()))


def marks_sentences(vocabulary: Vocabulary) -> bool:
    """Whether a corpus has `<eos>` after its sentences; tokenised ones often have it after paragraphs or articles.

    >>> from winoglot.corpus.vocabulary import Vocabulary
    >>> marks_sentences(Vocabulary(("<unk>", "<eos>", ".", "?"), np.array([0, 40, 39, 5])))
    True
    >>> marks_sentences(Vocabulary(("<unk>", "<eos>", ".", "?"), np.array([0, 2, 39, 5])))
    False
    """
    ends = sum(int(vocabulary.counts[vocabulary.id(mark)]) for mark in _ENDS if mark in vocabulary)
    return 2 * int(vocabulary.counts[vocabulary.eos]) >= ends


def differing(texts: Sequence[WordText]) -> list[range]:
    """The places of each text between the words that all texts begin with and those that all end with.

    >>> from winoglot.corpus.vocabulary import Vocabulary
    >>> encode = WordEncoder(Vocabulary(("<unk>", "<eos>"), np.array([0, 0])), "en").encode
    >>> differing([encode("The old cat slept."), encode("The dog slept.")])
    [range(1, 3), range(1, 2)]
    """
    words = [[text.word(place) for place in range(len(text.ids))] for text in texts]
    shortest = min(map(len, words))
    start = 0
    while start < shortest and len({text_words[start] for text_words in words}) == 1:
        start += 1
    end = 0
    while end < shortest - start and len({text_words[-1 - end] for text_words in words}) == 1:
        end += 1
    return [range(start, len(text_words) - end) for text_words in words]
