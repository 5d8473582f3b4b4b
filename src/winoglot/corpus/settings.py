"""What may be chosen about a corpus; every default with its reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from winoglot._version import __version__
from winoglot.errors import InputError, nearest
from winoglot.schemas.text import language_tag, primary

KINDS = ("dump", "text", "jsonl")
DOCUMENTS = ("line", "blank-line", "file")
# What decides the words themselves; all else can be chosen anew when a build goes on.
_READING = (
    "language",
    "kind",
    "tokenised",
    "document",
    "quality",
    "templates",
    "headings",
    "simplified",
)


@dataclass(frozen=True)
class CorpusSettings:
    """How a corpus is built.

    >>> CorpusSettings("PT_br").language, CorpusSettings("zh").simplified, CorpusSettings("zh-TW").simplified
    ('pt-BR', True, False)
    """

    language: str
    kind: str = "text"
    tokenised: bool = False
    document: str = "line"  # one article a line is how the Portuguese corpus of 2020 and many others are published
    quality: tuple[str, ...] = ()  # of a dump: none means every article
    templates: tuple[str, ...] = ()  # that mark such articles, beside those listed for the language
    headings: bool = False
    simplified: bool | None = None  # traditional characters made simplified; None: for Chinese, unless the tag says not
    keep_duplicates: bool = False
    min_count: int | None = None  # a word seen less often in train is unknown
    max_vocab: int | None = None  # so many words, the most frequent, `<unk>` and `<eos>` not counted
    tokens: int | None = None  # train reduced to about so many tokens
    types: int | None = None  # train reduced until its vocabulary has about so many types
    held_out: float = (
        0.02  # of the articles for valid, and as many for test: the Portuguese corpus has 9.4 of 9.8 million
    )
    seed: int = 0
    licence: str = ""

    def __post_init__(self) -> None:
        """Check them, and spell the language in its usual way."""
        object.__setattr__(self, "language", language_tag(self.language))
        if self.simplified is None:
            object.__setattr__(self, "simplified", _is_simplified(self.language) and not self.tokenised)
        if self.min_count is None and self.max_vocab is None:
            object.__setattr__(self, "min_count", 3)  # as in the Portuguese corpus of 2020
        for option, value, known in (("--from", self.kind, KINDS), ("--document", self.document, DOCUMENTS)):
            if value not in known:
                raise InputError(f"{option} is {value!r}", remedy=nearest(value, known))
        for option, number in (
            ("--min-count", self.min_count),
            ("--max-vocab", self.max_vocab),
            ("--tokens", self.tokens),
            ("--types", self.types),
        ):
            if number is not None and number < 1:
                raise InputError(f"{option} is {number}", remedy="Give a number from 1.")
        if self.min_count and self.max_vocab:
            raise InputError("--min-count and --max-vocab are both given", remedy="Leave one out.")
        if self.tokens and self.types:
            raise InputError("--tokens and --types are both given", remedy="Leave one out.")
        if self.types and self.max_vocab:
            message = "--types reduces the text until its vocabulary is small, --max-vocab takes the vocabulary from it"
            raise InputError(message, remedy="Leave one out; --types goes with --min-count.")
        if not 0 <= self.held_out < 0.5:
            remedy = "Give a share of the articles from 0 to below 0.5."
            raise InputError(f"--held-out is {self.held_out}", remedy=remedy)
        self._check_dump()

    def _check_dump(self) -> None:
        """What belongs to a dump goes with one, and the other way round."""
        if self.kind == "dump" and self.tokenised:
            raise InputError("a dump is not tokenised", remedy="Leave --tokenised out.")
        if not all(template.strip() for template in self.templates):
            raise InputError("--template is empty", remedy="Give the template's name, or leave --template out.")
        if self.kind != "dump" and (self.quality or self.templates or self.headings):
            message = f"--quality, --template and --headings belong to a dump, not to {self.kind}"
            raise InputError(message, remedy="Leave them out, or add --from dump.")

    def reading(self) -> dict[str, Any]:
        """What the words depend on; a build that goes on must have the same."""
        every = asdict(self)
        return {"winoglot": __version__} | {name: _plain(every[name]) for name in _READING}

    def described(self) -> dict[str, Any]:
        """All of them, as `corpus.json` has them."""
        return {name: _plain(value) for name, value in asdict(self).items()}


def _is_simplified(tag: str) -> bool:
    return primary(tag) == "zh" and not {"Hant", "TW", "HK", "MO"} & set(tag.split("-"))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
