"""The settings of a corpus, with the reasons for the defaults."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from winoglot._version import __version__
from winoglot.errors import InputError, did_you_mean
from winoglot.schemas.text import language_tag, primary

KINDS = ("dump", "text", "jsonl")
DOCUMENTS = ("line", "blank-line", "file")
# The settings that decide the words themselves; all others may change when a build is resumed.
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
    document: str = "line"  # the Portuguese corpus of 2020 and many others are published with one article per line
    quality: tuple[str, ...] = ()  # quality marks of a dump's articles; none means all articles
    templates: tuple[str, ...] = ()  # templates that mark wanted articles, besides those listed for the language
    headings: bool = False
    simplified: bool | None = None  # convert to simplified characters; None: for Chinese, unless the tag says otherwise
    keep_duplicates: bool = False
    min_count: int | None = None  # words less frequent in train are unknown
    max_vocab: int | None = None  # keep only the most frequent words; `<unk>` and `<eos>` are not counted
    tokens: int | None = None  # reduce train to about this many tokens
    types: int | None = None  # reduce train until its vocabulary has at most this many types
    held_out: float = (
        0.02  # of the articles for valid, and as many for test: the Portuguese corpus has 9.4 of 9.8 million
    )
    seed: int = 0
    licence: str = ""

    def __post_init__(self) -> None:
        """Check the settings and normalise the language tag."""
        object.__setattr__(self, "language", language_tag(self.language))
        if self.simplified is None:
            object.__setattr__(self, "simplified", _is_simplified(self.language) and not self.tokenised)
        if self.min_count is None and self.max_vocab is None:
            object.__setattr__(self, "min_count", 3)  # as in the Portuguese corpus of 2020
        for option, value, allowed in (("--from", self.kind, KINDS), ("--document", self.document, DOCUMENTS)):
            if value not in allowed:
                raise InputError(f"{option} is {value!r}", remedy=did_you_mean(value, allowed))
        for option, number in (
            ("--min-count", self.min_count),
            ("--max-vocab", self.max_vocab),
            ("--tokens", self.tokens),
            ("--types", self.types),
        ):
            if number is not None and number < 1:
                raise InputError(f"{option} is {number}", remedy="Use 1 or more.")
        if self.min_count and self.max_vocab:
            raise InputError("--min-count and --max-vocab are both given", remedy="Leave one out.")
        if self.tokens and self.types:
            raise InputError("--tokens and --types are both given", remedy="Leave one out.")
        if self.types and self.max_vocab:
            message = "--types and --max-vocab are both given, and both limit the vocabulary"
            raise InputError(message, remedy="Leave one out; --types works with --min-count.")
        if not 0 <= self.held_out < 0.5:
            remedy = "Give a share of the articles, at least 0 and below 0.5."
            raise InputError(f"--held-out is {self.held_out}", remedy=remedy)
        self._check_dump()

    def _check_dump(self) -> None:
        """Refuse options of dumps for other sources, and the other way round."""
        if self.kind == "dump" and self.tokenised:
            raise InputError("--tokenised is given for a dump", remedy="Leave it out: wikitext is not tokenised.")
        if not all(template.strip() for template in self.templates):
            raise InputError("--template is empty", remedy="Give the template's name, or leave --template out.")
        if self.kind != "dump" and (self.quality or self.templates or self.headings):
            message = f"--quality, --template and --headings are for dumps, not for {self.kind}"
            raise InputError(message, remedy="Leave them out, or add --from dump.")

    def reading(self) -> dict[str, Any]:
        """The settings that the words depend on; a build can only be resumed with the same."""
        values = asdict(self)
        return {"winoglot": __version__} | {name: _plain(values[name]) for name in _READING}

    def described(self) -> dict[str, Any]:
        """All settings, as in `corpus.json`."""
        return {name: _plain(value) for name, value in asdict(self).items()}


def _is_simplified(tag: str) -> bool:
    return primary(tag) == "zh" and not {"Hant", "TW", "HK", "MO"} & set(tag.split("-"))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
