"""A folder of tasks for EleutherAI's lm-evaluation-harness 0.4.

One task for the originals, and one per kind of variant.

Each task is scored like the harness's own WinoGrande: every candidate's reading up to and including the insertion is a
context, and the rest of the sentence is the one continuation. The texts have their own spaces and the delimiter is
empty, so that no space is added before a full stop or in Chinese.

The readings are naive or grammatical. Grammar may insert more for one candidate than for another (*d'Anne*, *de
Julie*); the continuation is then the window, the longest end that all readings share after their insertions.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import yaml

from winoglot.formats.base import describe_origin, plain
from winoglot.languages.readings import compared_readings
from winoglot.languages.windows import window
from winoglot.schemas.model import ORIGINAL
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Item, Reading

CARD = "README.md"
LOADER = "winoglot_data.py"
_STYLES = {
    "naive": """\
The readings are naive: the candidate's citation form in the pronoun's place, character for character; an item without a
text has the readings of its source.""",
    "grammatical": """\
The readings are grammatical: the candidate is in the pronoun's place as the grammar of the language requires; where
that cannot be derived, the reading is naive. An item without a text has the readings of its source.""",
}
# The harness looks for data files in the working directory; a function beside the task finds them anywhere.
_LOADER_TEXT = '''"""The data of the tasks in this folder is beside this file."""

from pathlib import Path

import datasets


def load(file, **metadata):
    return datasets.load_dataset("json", data_files={"test": str(Path(__file__).parent / file)})
'''


def write(collection: Collection, style: str = "naive") -> dict[str, str | bytes]:
    """The files of the folder: a task and its data for each kind with items to score, and a card on how to run them.

    Tasks with grammatical readings have names of their own, so that the harness can run both.
    """
    files: dict[str, str | bytes] = {}
    tasks: dict[str, int] = {}
    for kind in (ORIGINAL, *collection.kinds):
        items = collection.items if kind == ORIGINAL else collection.variants(kind)
        with_readings = ((item, compared_readings(item, style, item.language)) for item in items)
        rows = [
            _row(item, item_readings) for item, item_readings in with_readings if _obstacle(item, item_readings) is None
        ]
        if rows:
            parts = (collection.name, kind if kind != ORIGINAL else "", style if style != "naive" else "")
            name = "_".join(filter(None, parts))
            files[f"{name}.yaml"] = _task(collection, kind, name, style)
            files[f"{name}.jsonl"] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            tasks[name] = len(rows)
    if tasks:
        files[LOADER] = _LOADER_TEXT
    return files | {CARD: _card(collection, tasks, style)}


def lost(collection: Collection, style: str = "naive") -> list[str]:
    """Items that cannot be scored this way, by reason; and what a task does not need."""
    obstacles: dict[str, list[str]] = {}
    for item in (*collection.items, *collection.variants()):
        item_readings = compared_readings(item, style, item.language)
        if obstacle := _obstacle(item, item_readings):
            obstacles.setdefault(obstacle, []).append(item.id)
        elif not all(reading.derived for reading in item_readings):
            obstacles.setdefault("without a grammatical reading for each candidate, so naive ones are used", []).append(
                item.id
            )
    lines = [f"{counted(len(ids), 'item')} {obstacle}: {', '.join(ids)}" for obstacle, ids in obstacles.items()]
    return [*lines, "questions, hypotheses, mentions, segments, explanations and notes: the tasks have only readings"]


def _obstacle(item: Item, item_readings: Sequence[Reading]) -> str | None:
    """Why the harness cannot score an item as one continuation of several contexts."""
    if any(reading.rule == "given" and reading.inserted == reading.text for reading in item_readings):
        return "whose readings do not mark the candidate"
    if len(item_readings) < max(item.candidate_count, 2):
        return "without a reading for each of at least two candidates"
    if item.answer is None:
        return "without an answer"
    if len({reading.after for reading in item_readings}) > 1 and any(
        reading.rule == "given" for reading in item_readings
    ):
        return "whose readings end differently"
    if not _continuation(item, item_readings).strip():
        return "with nothing after the insertion"
    return None


def _continuation(item: Item, item_readings: Sequence[Reading]) -> str:
    """What all readings share after their insertions."""
    endings = {reading.after for reading in item_readings}
    return endings.pop() if len(endings) == 1 else window(item, item_readings).text


def _row(item: Item, item_readings: Sequence[Reading]) -> dict[str, object]:
    continuation = _continuation(item, item_readings)
    return {
        "id": item.id,
        "schema_id": item.schema_id,
        "contexts": [reading.text.removesuffix(continuation) for reading in item_readings],
        "continuation": continuation,
        "answer": item.answer,
        "tags": list(item.tags),
        "hash": item.hash,
    }


def _task(collection: Collection, kind: str, name: str, style: str) -> str:
    fields = {
        "task": name,
        "dataset_kwargs": {"file": f"{name}.jsonl"},
        "test_split": "test",
        "output_type": "multiple_choice",
        "doc_to_text": "answer",  # a number tells the harness that the choices are contexts
        "doc_to_choice": "contexts",
        "doc_to_target": "continuation",
        "target_delimiter": "",
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
        "metadata": {
            "version": collection.version,
            "collection": collection.name,
            "kind": kind,
            "readings": style,
            "hash": collection.hash if kind == ORIGINAL else collection.kind_hash(kind),
            "licence": collection.licence,
            "citation": collection.citation,
        },
    }
    body: str = yaml.safe_dump(fields, allow_unicode=True, sort_keys=False, width=10**6)
    return f"custom_dataset: !function {LOADER.removesuffix('.py')}.load\n{body}"


def _card(collection: Collection, tasks: dict[str, int], style: str) -> str:
    lines = [
        f"# {plain(collection.name)} {plain(collection.version)} for lm-evaluation-harness\n",
        describe_origin(collection),
    ]
    if not tasks:
        return "\n".join([*lines, "No item of this collection can be scored by the harness.\n"])
    lines += ["| task | items |\n| --- | --- |", *(f"| `{name}` | {count} |" for name, count in tasks.items())]
    lines.append(f"""
```sh
pip install "lm-eval[hf]"
lm_eval --model hf --model_args pretrained=MODEL --include_path FOLDER --tasks {",".join(tasks)}
```

`FOLDER` is where this file is, `MODEL` a causal language model.

Scoring is partial: log p(`continuation` | `contexts[i]`), the highest wins; `acc` gives a tie to the first candidate.
{_STYLES[style]}
""")
    return "\n".join(lines)
