"""Predictions made elsewhere as a run, so that the same statistics apply to them.

Two formats are read. A *table* (CSV with a header line, separated by commas, semicolons or tabs) has the columns

- `item_id`;
- `choice`: a candidate's index from 0 or its text, empty for an abstention; or `score_0`, `score_1` …: one score per
  candidate, higher is better; or both, in which case the choice counts. Pairs have labels instead, which may be
  numbers themselves: `choice` is a label, and `score_0` is the score of label 0;
- `item_hash`, optional: it must be the item's.

A *sample log* of lm-evaluation-harness 0.4 (`samples_TASK_DATE.jsonl`, written with `--log_samples`) has one sample per
line, with the document, what was asked (`arguments`: contexts and continuations) and the log likelihoods
(`filtered_resps`). Its item is found by the id and hash of a task that Winoglot exported; or else by the texts that
were asked, context and continuation together, which are the item's readings, after any few-shot examples; or else by
the text of the document, if the continuations are the candidates. The choices may be in any order.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Literal, get_args
from unicodedata import normalize

from winoglot._version import __version__
from winoglot.errors import InputError, PluginError, did_you_mean, located
from winoglot.examples import Example, ExampleSet, ExampleSource, all_examples
from winoglot.files import decode, parse_json, read_bytes
from winoglot.formats.base import Remark
from winoglot.languages.base import function_words
from winoglot.languages.readings import readings
from winoglot.models.base import Scores, names_baseline
from winoglot.perturb.base import with_kinds
from winoglot.runs.run import IMPORTED, Prediction, Run, Settings
from winoglot.schemas.model import BLANKS, ORIGINAL, Item
from winoglot.schemas.text import counted, folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from winoglot.schemas.model import Collection

Format = Literal["csv", "lm-eval"]
_MAX_BYTES = 512 * 2**20
_SCORE = re.compile("score_[0-9]{1,2}")
_KIND = re.compile(r"~([\w.+-]+)")  # in the id of a variant: `schema.0~tense+segment-masked`
_ABSTAINED = frozenset({"", "none", "null", "nan"})
_LOG_REMEDY = "Give a file that lm_eval wrote with --log_samples for a multiple-choice task."
_HEAD = 200  # characters of a table's first line that a message shows
_ENDING = 16  # letters by which a reading is found behind few-shot examples or an instruction


@dataclass(frozen=True)
class ImportedRun:
    """A run, with the parts of the file that it does not include and the items that the file does not answer."""

    run: Run
    unknown: list[Remark] = field(default_factory=list)  # answers to items that the collection does not have
    repeated: list[Remark] = field(default_factory=list)  # further answers to an item: the first one counts
    missing: list[str] = field(default_factory=list)  # items without an answer

    def as_json(self) -> dict[str, object]:
        """The import for other programs, with what identifies the run and how it did."""
        run = self.run
        return {
            "model": run.settings.model,
            "collection": run.source.name,
            "signature": run.signature,
            "predictions": len(run.predictions),
            "accuracy": asdict(run.accuracy()),
            "unknown": [asdict(remark) for remark in self.unknown],
            "repeated": [asdict(remark) for remark in self.repeated],
            "missing": self.missing,
        }


AskedItem = Item | Example  # an item of a schema, or an example whose options are labels


@dataclass(frozen=True)
class ImportedAnswer:
    """What a line of the file says about one item. If the collection has no such item, `why` says so."""

    line: int
    label: str  # the item's name in the file
    item: AskedItem | None = None
    choice: int | None = None
    scores: tuple[float | None, ...] = ()
    note: str = ""
    why: str = ""


def import_predictions(
    path: str | Path,
    collection: ExampleSource,
    model: str | None = None,
    format: str | None = None,  # noqa: A002
) -> ImportedRun:
    """Read a file of predictions for a collection, or a table for any other examples. `model` names what made them.

    Variants that the file answers and the collection does not contain are derived if possible. A file with no answer to
    an item of the collection is an input error.
    """
    path = Path(path)
    data = read_bytes(path, _MAX_BYTES)
    text = decode(data, str(path))
    kind = _format(text, path, format)
    settings = Settings(
        model=model or (_logged_model(path) if kind == "lm-eval" else None) or path.stem,
        scoring=IMPORTED,
        readings=IMPORTED,
        fingerprint=hashlib.sha256(data).hexdigest()[:16],
        model_settings={"from": kind},
    )
    if isinstance(collection, ExampleSet):
        if kind != "csv":
            remedy = "Write a table with the columns item_id and choice."
            raise InputError(f"{collection.name} has no readings that a log could have", remedy=remedy, file=str(path))
        examples = {example.id: example for example in collection.examples}
        return _imported_run(
            collection, settings, _read_table(text, str(path), examples, settings.tolerance), str(path)
        )
    for derivable in sorted(set(_KIND.findall(text))):
        try:
            collection = with_kinds(collection, [derivable])
        except PluginError:
            raise
        except InputError:  # nothing can be derived: the lines that name it are unknown
            continue
    read_answers = _read_table if kind == "csv" else _read_log
    return _imported_run(
        collection, settings, read_answers(text, str(path), _items(collection), settings.tolerance), str(path)
    )


def _format(text: str, path: Path, requested: str | None) -> str:
    """The requested format or, without one, that which the beginning of the file shows."""
    if requested is not None and requested not in get_args(Format):
        raise InputError(
            f"predictions cannot be read from {requested!r}", remedy=did_you_mean(requested, get_args(Format))
        )
    if not text.strip():
        raise InputError("the file is empty", remedy="Give a file of predictions.", file=str(path))
    return requested or ("lm-eval" if text.lstrip()[0] in "{[" else "csv")


def _items(collection: Collection) -> dict[str, Item]:
    return {item.id: item for item in (*collection.items, *collection.variants())}


def _imported_run(
    collection: ExampleSource, settings: Settings, answers: Iterable[ImportedAnswer], file: str
) -> ImportedRun:
    unknown: list[Remark] = []
    repeated: list[Remark] = []
    predictions: dict[str, Prediction] = {}
    for answer in answers:
        item = answer.item
        if item is None:
            unknown.append(Remark(answer.line, answer.label, answer.why))
        elif item.id not in predictions:
            predictions[item.id] = Prediction(item.id, item.hash, answer.choice, answer.scores, answer.note)
        else:
            is_same = (predictions[item.id].choice, predictions[item.id].scores) == (answer.choice, answer.scores)
            reason = f"another answer to {item.id}, {'the same' if is_same else 'not the same'}"
            repeated.append(Remark(answer.line, answer.label, reason))
    if not predictions:
        first = f"; the first: {unknown[0].what}: {unknown[0].why}" if unknown else ""
        raise InputError(
            f"{counted(len(unknown), 'answer')}, none to an item of {collection.name}{first}",
            remedy=f"Name the collection that was answered; an id looks like {all_examples(collection)[0].id}.",
            file=file,
        )
    items = all_examples(collection)
    kinds = tuple(sorted({item.kind for item in items if item.id in predictions} - {ORIGINAL}))
    ids = [item.id for item in items if item.kind in (ORIGINAL, *kinds)]
    run = Run(
        collection,
        replace(settings, kinds=kinds),
        tuple(predictions[name] for name in ids if name in predictions),
        made_with={"winoglot": __version__},
        is_baseline=names_baseline(settings.model),
    )
    return ImportedRun(run, unknown, repeated, [name for name in ids if name not in predictions])


def by_scores(
    line: int, label: str, item: AskedItem, scores: tuple[float | None, ...], tolerance: float
) -> ImportedAnswer:
    """The answer that scores give: the best candidate, or an abstention with its reason.

    >>> from winoglot import load
    >>> item = load("winoglot-en").items[0]
    >>> by_scores(2, item.id, item, (-3.0, -2.0), 1e-6).choice, by_scores(3, item.id, item, (-3.0, -3.0), 1e-6).note
    (1, 'tie')
    """
    choice = Scores(scores).choice(tolerance)
    note = Scores(scores).abstention if choice is None else ""
    return ImportedAnswer(line, label, item, choice, scores, note)


# Tables


def _read_table(text: str, file: str, items: Mapping[str, AskedItem], tolerance: float) -> Iterator[ImportedAnswer]:
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    labels = list(
        dict.fromkeys(label for item in items.values() if isinstance(item, Example) for label in item.options)
    )
    try:
        head = [name.strip() for name in next(rows, [])]
        with located(file=file, line=1):
            _check_head(head, labels)
        for row in rows:
            if any(cell.strip() for cell in row):
                with located(file=file, line=rows.line_num):
                    yield _table_answer(rows.line_num, _cells(head, row), items, tolerance)
    except csv.Error as error:
        message = f"this is not a table: {error}"
        raise InputError(message, remedy="Write it as CSV.", file=file, line=rows.line_num) from error


def _check_head(head: list[str], labels: Sequence[str]) -> None:
    columns = shorten(", ".join(map(repr, head)), _HEAD, placeholder=" …") or "nothing"
    scores = [f"score_{label}" for label in labels or (0, 1)]
    remedy = f"The first line names the columns: item_id and choice, or item_id, {' and '.join(scores)}."
    if "item_id" not in head:
        raise InputError(f"there is no column 'item_id' among {columns}", remedy=remedy)
    unknown = next((name for name in head if labels and name.startswith("score_") and name not in scores), None)
    if unknown is not None:
        raise InputError(f"{unknown!r} is not the score of a label", remedy=f"Labels: {', '.join(labels)}.")
    missing = next((name for name in scores if name not in head), None)
    if missing is not None and "choice" not in head:
        raise InputError(f"there is neither 'choice' nor {missing!r} among {columns}", remedy=remedy)
    repeated = next((name for name in head if head.count(name) > 1), None)
    if repeated is not None:
        raise InputError(f"two columns are called {repeated!r}", remedy="Rename one of them.")


def _cells(head: list[str], row: list[str]) -> dict[str, str]:
    if len(row) != len(head):
        message = f"the line has {counted(len(row), 'cell')}, the header {len(head)}"
        raise InputError(message, remedy="Quote cells that contain separators.")
    return {name: cell.strip() for name, cell in zip(head, row, strict=True)}


def _table_answer(line: int, cells: dict[str, str], items: Mapping[str, AskedItem], tolerance: float) -> ImportedAnswer:
    label = cells["item_id"]
    item = items.get(label)
    if item is None:
        return ImportedAnswer(line, label, why="the collection has no such item")
    if cells.get("item_hash", item.hash) != item.hash:
        return ImportedAnswer(line, label, why=f"the item has changed since: its hash is now {item.hash}")
    scores = _scores(cells, item)
    if "choice" not in cells:
        return by_scores(line, label, item, scores, tolerance)
    choice = _choice(cells["choice"], item)
    given_scores = scores if any(value is not None for value in scores) else ()
    return ImportedAnswer(line, label, item, choice, given_scores, "" if choice is not None else "abstained")


def _scores(cells: dict[str, str], item: AskedItem) -> tuple[float | None, ...]:
    """The score of each label, or of each candidate by its number."""
    names = [f"score_{label}" for label in (item.options if isinstance(item, Example) else range(item.candidate_count))]
    extra = next((name for name in cells if cells[name] and _SCORE.fullmatch(name) and name not in names), None)
    if extra is not None:
        message = f"{item.id} has no candidate {extra.removeprefix('score_')}"
        raise InputError(message, remedy=f"Leave {extra} empty here.")
    return tuple(_score(name, cells.get(name)) for name in names)


def _score(name: str, cell: str | None) -> float | None:
    try:
        return float(cell) if cell else None
    except ValueError as error:
        remedy = "Write a number such as -12.5, or leave it empty."
        raise InputError(f"{name} is {cell!r}, not a number", remedy=remedy) from error


def _choice(cell: str, item: AskedItem) -> int | None:
    """The index of a label; or of a candidate, given as a number or as its text with or without its determiner."""
    if cell.lower() in _ABSTAINED:
        return None
    number = re.sub(r"\.0+$", "", cell)  # programs that know missing values write 1 as 1.0
    if isinstance(item, Example):
        labels = list(map(folded, item.options))
        if folded(number) in labels:
            return labels.index(folded(number))
        message, expected = f"{cell!r} is not a label of {item.id}", f"Labels: {', '.join(item.options)}"
        raise InputError(message, remedy=f"{expected}; leave it empty for an abstention.")
    if re.fullmatch("[0-9]{1,9}", number):
        if int(number) < item.candidate_count:
            return int(number)
    else:
        bare = function_words(item.language).without_determiner
        matching = [
            index
            for index, candidate in enumerate(item.candidates)
            if folded(cell) in map(folded, (candidate.text, bare(candidate.text)))
        ]
        if len(matching) == 1:
            return matching[0]
    expected = ", ".join(f"{index} ({candidate.text})" for index, candidate in enumerate(item.candidates)) or str(
        item.candidate_count
    )
    message = f"{cell!r} is not a candidate of {item.id}"
    raise InputError(message, remedy=f"Candidates: {expected}; leave it empty for an abstention.")


# Sample logs of lm-evaluation-harness


def _read_log(text: str, file: str, items: Mapping[str, Item], tolerance: float) -> Iterator[ImportedAnswer]:
    """The answers of a log; if it has several filters, those of the first."""
    index = TextIndex(items.values())
    log_filter = None
    for line, sample in _samples(text, file):
        log_filter = log_filter or sample.get("filter") or "none"
        if sample.get("filter", log_filter) != log_filter:
            continue
        try:
            requests, values = _requests(sample), _log_likelihoods(sample)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            message = f"the sample has no log likelihoods ({type(error).__name__}: {error})"
            raise InputError(message, remedy=_LOG_REMEDY, file=file, line=line) from error
        label = f"doc {sample.get('doc_id', line)}"
        match = _sampled_item(sample.get("doc"), requests, index)
        if isinstance(match, str):
            yield ImportedAnswer(line, label, why=match)
            continue
        item, order = match
        if len(order) == len(values):
            scores = tuple(values[order.index(candidate)] for candidate in range(len(order)))
            yield by_scores(line, label, item, scores, tolerance)
        else:
            reason = f"{len(values)} log likelihoods for {len(order)} candidates of {item.id}"
            yield ImportedAnswer(line, label, why=reason)


def _logged_model(path: Path) -> str | None:
    """The model named in the results file beside a log."""
    date = path.stem.rpartition("_")[2]
    try:
        name = parse_json((path.parent / f"results_{date}.json").read_text(encoding="utf-8"))["model_name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) and name.strip() else None


def _samples(text: str, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every sample with its line; older versions wrote all of them as one list."""
    try:
        if text.lstrip().startswith("["):
            samples = [(1, sample) for sample in parse_json(text)]
        else:
            samples = [(n, parse_json(line)) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    except ValueError as error:
        raise InputError(f"this is not JSON: {error}", remedy=_LOG_REMEDY, file=file) from error
    for line, sample in samples:
        if not isinstance(sample, dict) or "arguments" not in sample:
            message = "this is not a sample of lm-evaluation-harness"
            raise InputError(message, remedy=_LOG_REMEDY, file=file, line=line)
        yield line, sample


def _requests(sample: dict[str, Any]) -> list[tuple[str, str]]:
    """Context and continuation of each choice."""
    arguments = sample["arguments"]
    requests = list(arguments.values()) if isinstance(arguments, dict) else arguments
    pairs = [
        (request["arg_0"], request["arg_1"]) if isinstance(request, dict) else (request[0], request[1])
        for request in requests
    ]
    if not all(isinstance(part, str) for pair in pairs for part in pair):
        raise TypeError("a request must be text")
    return pairs


def _log_likelihoods(sample: dict[str, Any]) -> list[float]:
    """The log likelihood of each choice; a response pairs it with whether the choice was the likeliest."""
    responses = sample.get("filtered_resps") or [response[0] for response in sample["resps"]]
    pairs = [response[0] if isinstance(response[0], list) else response for response in responses]
    if any(isinstance(pair, str) for pair in pairs):
        raise TypeError("an answer is text, not a log likelihood")
    return [float(pair[0]) for pair in pairs]


def _sampled_item(document: object, requests: list[tuple[str, str]], index: TextIndex) -> tuple[Item, list[int]] | str:
    """The item of a sample and the candidate of each choice; or why there is none."""
    fields = document if isinstance(document, dict) else {}
    name, content_hash = fields.get("id"), fields.get("hash")
    if isinstance(name, str) and isinstance(content_hash, str) and name in index.items:
        item = index.items[name]
        if item.hash != content_hash:
            return f"{name} has changed since: its hash is now {item.hash}"
        return item, list(range(item.candidate_count))
    match = index.by_readings([context + continuation for context, continuation in requests])
    if match is None:
        texts = [value for value in fields.values() if isinstance(value, str)]
        match = index.by_text(texts, [continuation for _, continuation in requests])
    return match or "no item has this text"


class TextIndex:
    """Finds the item that a text belongs to. Items with the same text are returned in turn.

    Spaces, capitals and kinds of apostrophe do not matter.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        """Index the naive and the grammatical readings, and the texts with their pronoun or a gap."""
        self.items: dict[str, Item] = {}
        self._readings: dict[str, dict[tuple[str, int], None]] = {}  # inner dicts serve as ordered sets
        self._texts: dict[str, dict[str, None]] = {}
        self._endings: dict[str, list[str]] = {}
        self._given: set[str] = set()
        for item in items:
            self.items[item.id] = item
            for style in ("naive", "grammatical"):
                for reading in readings(item, style, language=item.language or "und"):
                    self._readings.setdefault(_letters(reading.text), {})[item.id, reading.candidate] = None
            if item.text is not None and item.pronoun is not None:
                before, after = item.text[: item.pronoun.start], item.text[item.pronoun.end :]
                for text in (item.text, *(before + blank + after for blank in BLANKS)):
                    self._texts.setdefault(_letters(text), {})[item.id] = None
        for key in self._readings:
            self._endings.setdefault(key[-_ENDING:], []).append(key)

    def by_readings(self, texts: Sequence[str]) -> tuple[Item, list[int]] | None:
        """The item that has all these texts as its readings, and the candidate of each text."""
        places = [self._places(_letters(text)) for text in texts]
        for item_id in self._least_used_first(dict.fromkeys(item_id for item_id, _ in places[0]) if places else ()):
            order = [[index for place, index in readings if place == item_id] for readings in places]
            if all(len(readings) == 1 for readings in order):
                indices = [readings[0] for readings in order]
                if sorted(indices) == list(range(self.items[item_id].candidate_count)):
                    return self._take_item(item_id), indices
        return None

    def by_text(self, texts: Iterable[str], choices: Sequence[str]) -> tuple[Item, list[int]] | None:
        """The item that has one of these texts, with its pronoun or a gap, and these choices as its candidates."""
        candidates_of_text = dict.fromkeys(item_id for text in texts for item_id in self._texts.get(_letters(text), ()))
        for item_id in self._least_used_first(candidates_of_text):
            item = self.items[item_id]
            bare = function_words(item.language).without_determiner
            names = [_letters(bare(candidate.text)) for candidate in item.candidates]
            chosen = [_letters(bare(choice.strip())) for choice in choices]
            if len(set(names)) == len(names) and sorted(names) == sorted(chosen):
                return self._take_item(item_id), [names.index(choice) for choice in chosen]
        return None

    def _places(self, text: str) -> list[tuple[str, int]]:
        """The items and candidates of the text itself or, failing that, of the longest reading that it ends with."""
        if text in self._readings:
            return list(self._readings[text])
        endings = [key for key in self._endings.get(text[-_ENDING:], ()) if text.endswith(key)]
        return list(self._readings[max(endings, key=len)]) if endings else []

    def _least_used_first(self, item_ids: Iterable[str]) -> list[str]:
        """Items that have not been returned yet come first."""
        return sorted(item_ids, key=self._given.__contains__)

    def _take_item(self, item_id: str) -> Item:
        self._given.add(item_id)
        return self.items[item_id]


def _letters(text: str) -> str:
    """The text without spaces and capitals.

    >>> _letters("Rita ’s  HERE .")
    "rita'shere."
    """
    return "".join(folded(normalize("NFC", text)).casefold().split())
