"""What occurs more than once: pairs within a file; pairs, twins, names and words of names in train and test."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.text import words
from winoglot.logic.pair import vocabulary
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.logic.audit.files import PairFile
    from winoglot.logic.audit.labels import Meaning
    from winoglot.logic.pair import Pair

_MOST_READ = 0.95  # share of the pairs: the rest may contain other names, but few
_STRUCTURE = 0.02  # share of the pairs: a word that opens more sentences than this is not a name
_SORTS = {"p": "person", "c": "place"}


@dataclass(frozen=True)
class Duplicate:
    """The lines and labels of pairs with the same premise and hypothesis."""

    lines: tuple[int, ...]
    labels: tuple[str, ...]
    premise: str
    hypothesis: str


@dataclass(frozen=True)
class FileNames:
    """The names of a file; people and places are None if they cannot be distinguished."""

    people: frozenset[str] | None
    places: frozenset[str] | None
    tokens: frozenset[str]  # the words of the names in lower case, without function words such as "de"


@dataclass(frozen=True)
class Leakage:
    """What both files contain; people and places are None if the sentences do not show which is which.

    `twins` are the lines, in test and in train, of pairs that are twins or have the same id. Names are compared
    ignoring case. `words` is how many words the two have in both, and in all. `tokens` are words of names; `inside`
    are names of one file that are part of a longer name in the other, in a script without spaces.
    """

    train: str
    test: str
    pairs: tuple[Duplicate, ...]
    twins: tuple[tuple[int, int], ...]
    people: tuple[str, ...] | None
    places: tuple[str, ...] | None
    tokens: tuple[str, ...]
    inside: tuple[tuple[str, str], ...]
    words: tuple[int, int]

    @property
    def shared(self) -> dict[str, int]:
        """How much is shared, by kind; empty if nothing is."""
        counts = {
            "pairs": len(self.pairs),
            "twins": len(self.twins),
            "people": len(self.people or ()),
            "places": len(self.places or ()),
            "words of names": len(self.tokens),
            "names within names": len(self.inside),
        }
        return {name: count for name, count in counts.items() if count}


def duplicates(file: PairFile) -> tuple[Duplicate, ...]:
    """Pairs that are identical apart from case and spaces."""
    groups: dict[tuple[str, str], list[tuple[Pair, int]]] = defaultdict(list)
    for pair, line in zip(file.pairs, file.lines, strict=True):
        groups[_key(pair)].append((pair, line))
    return tuple(_duplicate(group) for group in groups.values() if len(group) > 1)


def lost_twins(file: PairFile) -> tuple[int, ...]:
    """The lines of pairs whose twin is not in the file, names another twin, or asks something else."""
    pairs_by_id = {pair.id: pair for pair in file.pairs}
    lost = []
    for pair, line in zip(file.pairs, file.lines, strict=True):
        twin = pairs_by_id.get(pair.twin)
        if pair.twin and (twin is None or twin.twin != pair.id or twin.hypothesis != pair.hypothesis):
            lost.append(line)
    return tuple(lost)


def leakage(train: PairFile, test: PairFile, train_names: FileNames, test_names: FileNames) -> Leakage:
    """Find what a training file and a test file have in common."""
    sorts = [(train_names.people, test_names.people), (train_names.places, test_names.places)]
    people, places = (None if a is None or b is None else _shared_names(a, b) for a, b in sorts)
    contained = [pair for a, b in sorts if a is not None and b is not None for pair in _names_within_names(a, b)]
    train_pairs = {
        _key(pair): (pair, line) for pair, line in reversed(list(zip(train.pairs, train.lines, strict=True)))
    }
    test_pairs = list(zip(test.pairs, test.lines, strict=True))
    train_words, test_words = (vocabulary(pair.text for pair in file.pairs) for file in (train, test))
    return Leakage(
        str(train.path),
        str(test.path),
        tuple(
            _duplicate([(pair, line), train_pairs[_key(pair)]])
            for pair, line in test_pairs
            if _key(pair) in train_pairs
        ),
        tuple(_twin_lines(train, test)),
        people,
        places,
        tuple(sorted(train_names.tokens & test_names.tokens)),
        tuple(sorted(contained)),
        (len(train_words & test_words), len(train_words | test_words)),
    )


def file_names(file: PairFile, understood: Sequence[Meaning | None]) -> FileNames:
    """The names that the file states; else those of the sentences that were parsed; else its capitalised words."""
    if all(pair.names for pair in file.pairs):
        names = {(_SORTS.get(key[:1], ""), name) for pair in file.pairs for key, name in pair.names.items()}
    else:
        parsed_meanings = [meaning for meaning in understood if meaning is not None and meaning.from_sentences]
        if len(parsed_meanings) < _MOST_READ * len(file.pairs):
            return FileNames(None, None, _capitalised_words(file))
        names = {(symbol.sort, name) for meaning in parsed_meanings for name, symbol in meaning.names.items()}
    language = file.pairs[0].language
    tokens = {word.casefold() for _, name in names for word in _parts(name, language) if not word[0].islower()}
    return FileNames(
        frozenset(name for sort, name in names if sort == "person"),
        frozenset(name for sort, name in names if sort == "place"),
        frozenset(tokens),
    )


def _twin_lines(train: PairFile, test: PairFile) -> list[tuple[int, int]]:
    """Ids are compared only if a file states twins: without them an id may be the number of a line."""
    if not any(pair.twin for pair in (*train.pairs, *test.pairs)):
        return []
    lines_by_id = dict(zip((pair.id for pair in train.pairs), train.lines, strict=True))
    lines_by_twin = {pair.twin: line for pair, line in zip(train.pairs, train.lines, strict=True) if pair.twin}
    lines = []
    for pair, line in zip(test.pairs, test.lines, strict=True):
        other = lines_by_id.get(pair.id) or lines_by_id.get(pair.twin) or lines_by_twin.get(pair.id)
        if other:
            lines.append((line, other))
    return lines


def _key(pair: Pair) -> tuple[str, str]:
    return " ".join(pair.premise.casefold().split()), " ".join(pair.hypothesis.casefold().split())


def _duplicate(pairs: list[tuple[Pair, int]]) -> Duplicate:
    lines, labels = tuple(line for _, line in pairs), tuple(pair.label for pair, _ in pairs)
    return Duplicate(lines, labels, pairs[0][0].premise, pairs[0][0].hypothesis)


def _shared_names(train: Iterable[str], test: Iterable[str]) -> tuple[str, ...]:
    train_names = {name.casefold() for name in train}
    return tuple(sorted(name for name in test if name.casefold() in train_names))


def _names_within_names(train: Iterable[str], test: Iterable[str]) -> list[tuple[str, str]]:
    """Names that contain another name, in scripts without spaces; elsewhere `tokens` covers it."""
    longer = [name for name in test if is_unspaced(name[0])]
    return [(a, b) for a in train for b in longer if a != b and (a in b or b in a)]


def _parts(name: str, language: str) -> list[str]:
    return [name] if is_unspaced(name[0]) else words(name, language)


def _capitalised_words(file: PairFile) -> frozenset[str]:
    """Words that never occur in lower case and are not just frequent sentence openers."""
    pairs: Counter[str] = Counter()
    not_first: set[str] = set()
    lower_case: set[str] = set()
    for pair in file.pairs:
        capitalised = set()
        for text in (pair.premise, pair.hypothesis):
            for number, word in enumerate(words(text, pair.language)):
                if word[0].isupper():
                    capitalised.add(word.casefold())
                    if number:
                        not_first.add(word.casefold())
                else:
                    lower_case.add(word)
        pairs.update(capitalised)
    limit = _STRUCTURE * len(file.pairs)
    return frozenset(
        word for word, count in pairs.items() if word not in lower_case and (word in not_first or count <= limit)
    )
