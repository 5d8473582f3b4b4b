"""Sample logs of lm-evaluation-harness (0.4): `samples_TASK_DATE.jsonl`, one sample a line, with `--log_samples`.

A sample has the document, what was asked (`arguments`: contexts and continuations) and the log likelihoods it got
(`filtered_resps`). Its item is found by the id and hash that tasks exported by Winoglot carry; else by what was asked,
context and continuation together, which is a reading of the item, whatever examples stand before it; else by the text
of the document, where the continuations are the candidates. So the order of the choices may be another.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.runs._foreign import Answer, by_scores

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from winoglot.runs._matching import TextIndex
    from winoglot.schemas.model import Item

_REMEDY = "Give a file that lm_eval wrote with --log_samples for a multiple-choice task."


def read(text: str, file: str, index: TextIndex, tolerance: float) -> Iterator[Answer]:
    """The answers of a log, one filter's only: the first."""
    chosen = None
    for line, sample in _samples(text, file):
        chosen = chosen or sample.get("filter") or "none"
        if sample.get("filter", chosen) != chosen:
            continue
        try:
            requests, values = _requests(sample), _values(sample)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise InputError(
                f"the sample holds no log likelihoods ({type(error).__name__}: {error})",
                remedy=_REMEDY,
                file=file,
                line=line,
            ) from error
        label = f"doc {sample.get('doc_id', line)}"
        found = _found(sample.get("doc"), requests, index)
        if isinstance(found, str):
            yield Answer(line, label, why=found)
            continue
        item, order = found
        if len(order) != len(values):
            yield Answer(line, label, why=f"{len(values)} log likelihoods for {len(order)} candidates of {item.id}")
            continue
        yield by_scores(line, label, item, tuple(values[order.index(at)] for at in range(len(order))), tolerance)


def model_name(path: Path) -> str | None:
    """The model that the results beside a log name."""
    date = path.stem.rpartition("_")[2]
    try:
        name = json.loads((path.parent / f"results_{date}.json").read_text(encoding="utf-8"))["model_name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) and name.strip() else None


def _samples(text: str, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every sample with its line; older versions wrote all as one list."""
    try:
        if text.lstrip().startswith("["):
            found = [(1, sample) for sample in json.loads(text)]
        else:
            found = [(n, json.loads(line)) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    except (ValueError, RecursionError) as error:
        raise InputError(f"no JSON: {error}", remedy=_REMEDY, file=file) from error
    for line, sample in found:
        if not isinstance(sample, dict) or "arguments" not in sample:
            raise InputError("there is no sample of lm-evaluation-harness", remedy=_REMEDY, file=file, line=line)
        yield line, sample


def _requests(sample: dict[str, Any]) -> list[tuple[str, str]]:
    """Context and continuation of each choice."""
    arguments = sample["arguments"]
    asked = list(arguments.values()) if isinstance(arguments, dict) else arguments
    pairs = [(one["arg_0"], one["arg_1"]) if isinstance(one, dict) else (one[0], one[1]) for one in asked]
    if not all(isinstance(part, str) for pair in pairs for part in pair):
        raise TypeError("a request is no text")
    return pairs


def _values(sample: dict[str, Any]) -> list[float]:
    """The log likelihood of each choice; a response is a pair with whether it was the likeliest."""
    responses = sample.get("filtered_resps") or [response[0] for response in sample["resps"]]
    pairs = [response[0] if isinstance(response[0], list) else response for response in responses]
    if any(isinstance(pair, str) for pair in pairs):
        raise TypeError("an answer is a text")
    return [float(pair[0]) for pair in pairs]


def _found(document: object, requests: list[tuple[str, str]], index: TextIndex) -> tuple[Item, list[int]] | str:
    """The item of a sample and the candidate of each choice; or why there is none."""
    known = document if isinstance(document, dict) else {}
    name, mark = known.get("id"), known.get("hash")
    if isinstance(name, str) and isinstance(mark, str) and name in index.items:
        item = index.items[name]
        if item.hash != mark:
            return f"{name} is another item by now: its hash is {item.hash}"
        return item, list(range(item.candidate_count))
    found = index.by_readings([context + continuation for context, continuation in requests])
    if found is None:
        texts = [value for value in known.values() if isinstance(value, str)]
        found = index.by_text(texts, [continuation for _, continuation in requests])
    return found or "no item reads like it"
