"""A golden set: what the program printed and wrote at one commit, to see that a refactoring changes none of it.

    python scripts/golden.py make DIR [--commit fa179e68]
    python scripts/golden.py compare DIR [GROUP ...] [--keep FOLDER]

`make` runs the commands of golden.yaml with the sources of the commit, from a temporary worktree. Then it interrupts
some of the work (runs cut in the middle of a line, trainings and evaluations killed) and repeats the commands that
finish it.

    DIR/inputs       models, collections, texts, files of experiments, damaged folders
    DIR/first        what the commands wrote, one folder per group
    DIR/stopped      the same, interrupted
    DIR/continued    the same, finished again
    DIR/records      exit code, standard output and standard error of every command
    DIR/about.json   version and folders, which differ from set to set

`compare` does the same with the present sources in a fresh folder, but finishes the work that the old ones began. It
prints every difference, grouped by output; the exit code is 1 if golden.yaml does not list it as expected. With GROUPs
(`experiments`, `logic`, …), it runs and compares only those.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import filecmp
import hashlib
import importlib
import io
import itertools
import json
import os
import re
import runpy
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
COMMIT = "fa179e68"
SETTINGS = yaml.safe_load((Path(__file__).with_suffix(".yaml")).read_text(encoding="utf-8"))
PORT = int(SETTINGS["settings"]["PORT"])  # of the local model server, in a model's address: the same every time
PROCESSES = 2
PATIENCE = 120  # seconds until what is to be killed has begun


# What is run.


def spelt(command: str) -> str:
    """The command with its settings filled in."""
    return Template(command).substitute(SETTINGS["settings"])


def first() -> dict[str, list[str]]:
    """The commands of each group."""
    return {group: list(map(spelt, commands)) for group, commands in SETTINGS["first"].items()}


def repeated(command: str) -> list[str]:
    """The command as it continues what it began, if it does."""
    words = command.split()
    verb = " ".join(words[:2]) if words[0] in ("logic", "runs", "study", "corpus") else words[0]
    added: dict[str, str] = SETTINGS["repeated"]
    return [f"{command} {added[verb]}".strip()] if verb in added and "--dry-run" not in words else []


def continued() -> dict[str, list[str]]:
    """The commands for the folders that were interrupted: first those that were killed."""
    killed = {group: [spelt(one["command"]) for one in some] for group, some in SETTINGS["killed"].items()}
    return {
        group: [again for command in (*killed.get(group, ()), *commands) for again in repeated(command)]
        for group, commands in first().items()
        if group not in ("collections", "refused")
    }


# Inputs: made once, with the sources of the commit and the helpers of its tests.


def make_inputs(folder: Path, sources: Path) -> None:
    """Everything that the commands read."""
    tests = sources / "tests"
    for origin, name in (
        (tests / "models" / "twenty_schemas.yaml", "twenty.yaml"),
        (tests / "formats" / "samples", "samples"),
        (tests / "runs" / "old_run", "old_run"),
        (tests / "openai_server.py", "helpers/openai_server.py"),
        (sources / "docs" / "judgements" / "winoglot-en.jsonl", "judgements.jsonl"),
        *((tests / "sixes" / f"six-{language}.yaml", f"six-{language}.yaml") for language in ("en", "fr", "pt", "zh")),
    ):
        copy(origin, folder / name)
    for name, text in SETTINGS["experiments"].items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "damaged").mkdir()
    for name, text in SETTINGS["damaged"].items():
        (folder / "damaged" / name).write_text(text, encoding="utf-8")
    make_collections(folder)
    make_models(folder)
    make_study(folder)
    damage_runs(folder / "damaged" / "runs")
    make_lock(folder)
    decide(folder, entry_point(sources))
    keep_weights(folder)
    (folder / "damaged" / "model").mkdir()
    (folder / "damaged" / "model" / "config.json").write_text('{"model_type": "llama"', encoding="utf-8")


def helper(name: str) -> Any:
    """A module of the tests of the sources that are on the path."""
    return importlib.import_module(name)


def make_collections(folder: Path) -> None:
    """Two parts of one collection, texts, pairs, and answers of other programs."""
    from dataclasses import replace

    import winoglot as wg

    texts, made_pairs = helper("corpus.corpus_making"), helper("logic.small_pairs")

    whole = wg.load(folder / "twenty.yaml")
    for name, some in (("learnt", whole[:14]), ("asked", whole[14:])):
        wg.save(replace(some, name=name), folder / f"{name}.jsonl")
    texts.write_text(folder / "texto.txt")
    texts.write_story(folder / "story.txt")
    made_pairs.write_data(folder / "pairs", train=120, validation=30, test=40)
    items = wg.load("winoglot-en").items
    choices = [[one.id, number % 2] for number, one in enumerate(items[:300])]
    write_csv(folder / "answers.csv", [["item_id", "choice"], *choices, ["nobody.0", 1], choices[0]])
    scores = [[one.id, -number % 7, number % 5 - 4] for number, one in enumerate(items)]
    write_csv(folder / "scores.csv", [["item_id", "score_0", "score_1"], *scores])
    pairs = [[one.id, number % 2] for number, one in enumerate(made_pairs.pairs_of("test", 40))]
    write_csv(folder / "pair-answers.csv", [["item_id", "choice"], *pairs])


def write_csv(path: Path, rows: Sequence[Sequence[object]]) -> None:
    """A table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def make_models(folder: Path) -> None:
    """One tiny model of each family, with weights that nobody trained."""
    tiny, questions = helper("tiny_models"), helper("questions")
    names = ("twenty", "six-en", "six-fr", "six-pt", "six-zh")
    asked = [question for name in names for question in questions.questions_of(folder / f"{name}.yaml")]
    texts = questions.texts_of(asked)
    texts += [
        text for pair in helper("logic.small_pairs").pairs_of("train", 60) for text in (pair.premise, pair.hypothesis)
    ]
    special = {"bos": "<s>", "eos": "</s>", "unk": "<unk>", "pad": "<pad>"}
    talking = tiny.byte_pieces(texts, 500, special=special)
    talking.chat_template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"
    labels = {0: "contradiction", 1: "entailment", 2: "neutral"}
    named = {"id2label": labels, "label2id": {label: number for number, label in labels.items()}}
    size = {"initializer_range": 0.05, "hidden_size": 64}
    models = folder / "models"
    tiny.llama(models / "causal", texts, **size)
    tiny.gpt2(models / "gpt2", texts)
    tiny.bert(models / "masked", texts, **size)
    tiny.bert(models / "nli", texts, "SequenceClassification", **named)
    tiny.bert(models / "choice", texts, "MultipleChoice")
    tiny.bert(models / "next", texts, "NextSentencePrediction")
    tiny.llama(models / "served", [], tokenizer=talking, max_position_embeddings=2048)


def make_study(folder: Path) -> None:
    """A small collection to ask, and a study of another that forty people have answered."""
    from datetime import UTC, datetime
    from random import Random
    from uuid import UUID

    import winoglot as wg
    from winoglot.study.create import create_study
    from winoglot.study.settings import StudySettings

    (folder / "small.yaml").write_text(helper("study.asked").TEXT, encoding="utf-8")
    answered = helper("study.answered")
    draw = Random(0)
    answered.now = lambda: datetime(2025, 3, 14, 15, 9, 26, tzinfo=UTC)
    answered.uuid4 = lambda: UUID(int=draw.getrandbits(128), version=4)
    settings = StudySettings(kinds=("shuffled",), problems=20, training=4)
    with create_study(wg.load("winoglot-en")[:40], "Pronouns", str(folder / "study.db"), settings)[0] as storage:
        answered.fill(storage, 40, problems=20)


def damage_runs(folder: Path) -> None:
    """One good run, and copies with something wrong."""
    import winoglot as wg
    from winoglot.runs.store import save_run

    good = folder / "good"
    save_run(wg.evaluate(wg.load("winoglot-en")[:6], "first", progress=False), good)
    for name in ("cut", "no-settings", "changed", "later"):
        shutil.copytree(good, folder / name)
    cut_off(folder / "cut" / "predictions.jsonl")
    (folder / "cut" / "run.json").write_text('{"format": 1, "sig', encoding="utf-8")
    (folder / "no-settings" / "run.json").unlink()
    change(folder / "changed" / "predictions.jsonl", '"choice"', '"chioce"')
    described = json.loads((good / "run.json").read_text(encoding="utf-8"))
    (folder / "later" / "run.json").write_text(json.dumps(described | {"format": 99}), encoding="utf-8")


def make_lock(folder: Path) -> None:
    """The lock file of an experiment that cannot be repeated: another version, collection and choice."""
    import winoglot as wg

    made = wg.run_experiment(folder / "plain.yaml", folder / "pilot", progress=False)
    lock = json.loads((made.folder / "experiment.lock.json").read_text(encoding="utf-8"))
    lock["made_with"]["winoglot"] = "0.0.1"
    lock["collections"]["winoglot-en"]["hash"] = "0" * 16
    run = next(iter(lock["runs"].values()))
    run["choices"] = "1" + run["choices"][1:]
    write_json(folder / "pilot.lock.json", lock)
    shutil.rmtree(made.folder)


def decide(folder: Path, winoglot: Callable[[], None]) -> None:
    """A file of proposed variants that somebody has accepted."""
    path = folder / "decided.yaml"
    call(winoglot, ["perturb", str(folder / "twenty.yaml"), "--kind", "voice", "--propose", "-o", str(path)])
    change(path, "decision:\n", "decision: accept\n")


def keep_weights(folder: Path) -> None:
    """The weights of the bundled model, which take a minute to unpack into every new cache."""
    import winoglot as wg

    wg.evaluate(wg.load("winoglot-en"), "gemma-3-270m", limit=1, device="cpu", progress=False)
    (weights,) = Path(os.environ["WINOGLOT_CACHE"]).glob("gemma-*")
    (folder / "weights").mkdir()
    shutil.move(weights, folder / "weights" / weights.name)


def change(path: Path, old: str, new: str) -> None:
    """Replace a text in a file."""
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def copy(origin: Path, target: Path) -> None:
    """Copy a file or a folder; links stay links."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if origin.is_dir():
        shutil.copytree(origin, target, symlinks=True)
    else:
        shutil.copy2(origin, target)


# Running commands: one process per group, with the sources that are on its path.


@dataclass(frozen=True)
class Place:
    """A set that is being made: its folder, the folder of the inputs, and the sources."""

    folder: Path
    inputs: Path
    sources: Path

    def environment(self, phase: str) -> dict[str, str]:
        """The same on every machine."""
        keep = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        return keep | {
            "PYTHONPATH": os.pathsep.join([str(self.sources / "src"), str(self.sources / "tests")]),
            "WINOGLOT_CACHE": str(self.folder / "caches" / phase),
            "WINOGLOT_PROGRESS": "off",
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_VERBOSITY": "error",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "OMP_NUM_THREADS": "1",
            "COLUMNS": "400",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "NO_PROXY": "127.0.0.1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }

    def child(self, phase: str, *arguments: str) -> list[str]:
        """The command line that runs a part of this script."""
        places = [f"--{name}={getattr(self, name)}" for name in ("folder", "inputs", "sources")]
        return [sys.executable, __file__, "part", *places, phase, *arguments]

    def run(self, phase: str, group: str = "") -> None:
        """Run a part of this script in a process of its own."""
        log = self.folder / "logs" / f"{phase}-{group or 'all'}.txt"
        log.parent.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        with log.open("w", encoding="utf-8") as file:
            done = subprocess.run(
                self.child(phase, group),
                env=self.environment(phase),
                stdout=file,
                stderr=subprocess.STDOUT,
                check=False,
            )
        print(f"{phase} {group}: {time.monotonic() - begun:.0f} s", flush=True)
        if done.returncode:
            raise SystemExit(f"{phase} {group} failed:\n{log.read_text(encoding='utf-8')[-3000:]}")

    def run_all(self, phase: str, groups: Sequence[str]) -> None:
        """Run the groups of a phase, a few at a time."""
        with ThreadPoolExecutor(PROCESSES) as pool:
            list(pool.map(lambda group: self.run(phase, group), groups))

    def group_folder(self, phase: str, group: str) -> Path:
        """Where the commands of a group are called; the inputs are there under their name."""
        folder = self.folder / phase / group
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "inputs").exists():
            (folder / "inputs").symlink_to(self.inputs)
        return folder


def run_group(place: Place, phase: str, group: str, commands: Sequence[str]) -> None:
    """Call the commands one after the other in this process, and record what they say."""
    os.chdir(place.group_folder(phase, group))
    main = entry_point(place.sources)
    records = {}
    with served(place.inputs) if group == "models" else nullcontext():
        for number, command in enumerate(commands):
            key = f"{number:02} {command}"
            begin_cache(place, Path(phase, group, f"{number:02}"))
            records[key] = call(main, shlex.split(command))
            print(f"{records[key]['seconds']:.1f} s: {command}: {records[key]['code']}", flush=True)
    write_json(place.folder / "records" / f"{phase}-{group}.json", records)


def begin_cache(place: Place, name: Path) -> None:
    """An empty cache for one command: scores of the old sources depend on what is in it."""
    cache = place.folder / "caches" / name
    shutil.copytree(place.inputs / "weights", cache, copy_function=os.link)  # newer sources may replace the files
    os.environ["WINOGLOT_CACHE"] = str(cache)


def entry_point(sources: Path) -> Callable[[], None]:
    """The function that the sources declare as the command `winoglot`."""
    import winoglot

    if not Path(winoglot.__file__).is_relative_to(sources):
        raise SystemExit(f"winoglot was imported from {winoglot.__file__}, not from {sources}")
    declared = tomllib.loads((sources / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]["winoglot"]
    module, _, name = declared.partition(":")
    found: Callable[[], None] = getattr(importlib.import_module(module), name)
    return found


def call(main: Callable[[], None], words: list[str]) -> dict[str, Any]:
    """Call the command line in this process: exit code, standard output, standard error."""
    if words[0] == "cp":
        copy(Path(words[1]), Path(words[2]))
        return {"code": 0, "stdout": "", "stderr": "", "seconds": 0.0}
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    sys.argv = ["winoglot", *words]
    begun, code = time.monotonic(), 0
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        except Exception:
            traceback.print_exc()
            code = 1
    said = []
    for stream in streams:
        stream.flush()
        said.append(stream.buffer.getvalue().decode("utf-8"))
    return {"code": code, "stdout": said[0], "stderr": said[1], "seconds": time.monotonic() - begun}


@contextmanager
def served(inputs: Path) -> Iterator[None]:
    """A model server on this machine, always on the same port."""
    sys.path.insert(0, str(inputs / "helpers"))
    openai_server = importlib.import_module("openai_server")

    class Server(openai_server.Server):  # type: ignore[misc, name-defined]
        def server_bind(self) -> None:
            self.server_address = ("127.0.0.1", PORT)
            super().server_bind()

    with Server(inputs / "models" / "served") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


# Interruptions: of a copy of what the commands wrote.


def interrupt(place: Place) -> None:
    """Cut and remove some of what was written, and kill what takes longer."""
    stopped = place.folder / "stopped"
    copy(place.folder / "first", stopped)
    for folder in (
        "models/tiny",
        "models/batches",
        "models/kinds",
        "models/asked",
        "models/analysis/runs",
        "training/runs",
        "logic/runs",
    ):
        runs = sorted((stopped / folder).glob("*/predictions.jsonl"))
        for path in runs[::2]:
            cut_off(path)
    for name in ("plain", "full", "tuned"):
        interrupt_experiment(stopped / "experiments" / name)
    for path in sorted((stopped / "logic" / "experiment" / "answers").glob("*.json"))[::3]:
        path.unlink()
    for group, commands in SETTINGS["killed"].items():
        for one in commands:
            kill(place, group, spelt(one["command"]), one["until"])


def interrupt_experiment(folder: Path) -> None:
    """As if it had been stopped in the middle: no results, one run cut, one not begun, one training not finished."""
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
        elif path.name not in ("runs", "models"):
            shutil.rmtree(path)
    first, second, *_ = sorted((folder / "runs").iterdir())
    cut_off(first / "predictions.jsonl")
    shutil.rmtree(second)
    for ended in sorted((folder / "models").glob("*.json"))[:1]:
        ended.unlink()


def cut_off(path: Path) -> None:
    """Cut a file in the middle of a line, as a kill does."""
    data = path.read_bytes()
    end = data.rfind(b"\n", 0, len(data) * 6 // 10) + 8
    path.write_bytes(data[:end])


def kill(place: Place, group: str, command: str, until: str) -> None:
    """Start a command, and kill it as soon as a file that fits the pattern has a line."""
    folder = place.group_folder("stopped", group)
    start = "import sys, golden; golden.entry_point(golden.Path(sys.argv.pop(1)))()"
    environment = place.environment("stopped")
    environment["PYTHONPATH"] += os.pathsep + str(Path(__file__).parent)
    with subprocess.Popen(
        [sys.executable, "-c", start, str(place.sources), *shlex.split(command)],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        end = time.monotonic() + PATIENCE
        while not any(b"\n" in path.read_bytes() for path in folder.glob(until)):
            if process.poll() is not None or time.monotonic() > end:
                process.kill()
                raise SystemExit(f"{command}: it ended, or had not begun after {PATIENCE} s")
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    if process.returncode != -signal.SIGKILL:
        raise SystemExit(f"{command}: it had finished before it was killed")


def asked_again(before: Path, after: Path) -> list[str]:
    """The files of answers in which a whole batch from before is not as it was, time and all."""
    found = []
    for path in sorted(before.rglob("predictions.jsonl")):
        *lines, _unfinished = path.read_text(encoding="utf-8").split("\n")
        batches: dict[tuple[int, int], list[str]] = {}
        for line in lines:
            answer = json.loads(line)
            batches.setdefault((answer.get("batch", 0), answer.get("of", 0)), []).append(line)
        kept = {line for (_, size), own in batches.items() if len(own) == size for line in own}
        now = after / path.relative_to(before)
        if not now.is_file() or not kept <= set(now.read_text(encoding="utf-8").split("\n")):
            found.append(str(path.relative_to(before)))
    return found


# Comparing: every output as text, without what differs from machine to machine or from day to day.

DROPPED_KEYS = {"seconds", "items_per_second", "tokens_per_second", "minutes_an_epoch"}  # and further times:
DROPPED_KEYS |= {"at", "created", "time", "log_bytes", "free"}  # a log has times in it; free is memory
VARYING = [  # in this order
    (re.compile(r"[ \t]+"), " "),
    (re.compile(r" +$", re.MULTILINE), ""),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d| UTC)?"), "<time>"),
    (re.compile(r"\b\d+(\.\d+)? ?(s|ms|seconds|minutes)\b"), "<duration>"),
    (re.compile(r"[\d.,]+k? (tokens|items)/s"), "<rate>"),
    (re.compile(r"(/p/|token: )[\w-]{32}"), r"\1<token>"),
]
EXACT = {".safetensors", ".npy", ".bin", ".png"}  # bytes must be equal
UNREADABLE = {".db", ".pdf", ".zip"}
MARKS = ("--", "++", "@@")  # of a comparison line by line, besides the changed lines
MOST_SHOWN = 20  # changed lines of an output


class PageText(HTMLParser):
    """What a page says: its visible texts, labels of figures, and the data that its tables are made of."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        super().__init__()
        self.lines: list[str] = []
        self.inside, self.is_data = "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep labels of figures and places of links."""
        self.inside = tag if tag in ("script", "style") else ""
        names = ("aria-label", "title", "href", "data-sort", "value", "alt")
        self.lines += [f"{name}: {value}" for name, value in attrs if name in names and value]
        self.is_data = ("id", "data") in attrs

    def handle_endtag(self, tag: str) -> None:
        """Texts between elements count again."""
        del tag
        self.inside = ""

    def handle_data(self, data: str) -> None:
        """Keep a text, and data that is packed into the page."""
        if self.inside == "script" and self.is_data:
            self.lines += unpacked(data).splitlines()
        elif not self.inside and data.strip():
            self.lines.append(" ".join(data.split()))


def unpacked(data: str) -> str:
    """The items of a report, which are compressed."""
    import base64
    import zlib

    try:
        return as_lines(json.loads(zlib.decompress(base64.b64decode(data))))
    except (ValueError, zlib.error):
        return data


def as_lines(value: object) -> str:
    """A value as JSON with one line per number, without what varies."""
    return json.dumps(without_varying(value), ensure_ascii=False, indent=1, sort_keys=True)


def without_varying(value: object) -> object:
    """The value without keys such as `seconds`."""
    if isinstance(value, dict):
        return {name: without_varying(own) for name, own in value.items() if name not in DROPPED_KEYS}
    if isinstance(value, list):
        return [without_varying(own) for own in value]
    return value


def readable(path: Path) -> str:
    """A file as text that can be compared line by line."""
    suffix = path.suffix
    if suffix in UNREADABLE:
        return "exists"
    if suffix in EXACT:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    if suffix == ".parquet":
        table = importlib.import_module("pyarrow.parquet").read_table(path)
        return as_lines(json.loads(json.dumps(table.to_pylist(), default=str)))
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return readable_text(text, suffix)


def readable_text(text: str, suffix: str = "") -> str:
    """JSON with one line per value, pages as what they say, all else as it is."""
    if suffix == ".html":
        page = PageText()
        page.feed(text)
        return "\n".join(page.lines)
    with suppress(ValueError):
        return as_lines(json.loads(text))
    if suffix == ".jsonl":
        return "\n".join(map(readable_row, text.splitlines()))
    if packed := re.fullmatch(r'[^"]*"([\w+/=]{40,})"[^"]*', text):
        return unpacked(packed[1])
    return text


def readable_row(line: str) -> str:
    """A row of JSON Lines, or part of one, without what varies."""
    with suppress(ValueError):
        return json.dumps(without_varying(json.loads(line)), sort_keys=True)
    return line


def outputs(folder: Path, groups: Sequence[str]) -> dict[str, Path | str]:
    """The outputs of the groups by their names: files, and what commands said."""
    found: dict[str, Path | str] = {}
    for phase, group in itertools.product(("first", "continued"), groups):
        record_file = folder / "records" / f"{phase}-{group}.json"
        for command, record in (read_json(record_file) if record_file.exists() else {}).items():
            said = f"exit code {record['code']}\n{readable_text(record['stdout'])}\n{record['stderr']}"
            found[f"{phase}-{group}: {command}"] = said
        for path in sorted((folder / phase / group).rglob("*")):
            if path.is_file() and "inputs" not in path.relative_to(folder).parts:
                found[str(path.relative_to(folder))] = path
    again = read_json(folder / "records" / "again.json")
    found["answers that were not kept"] = "\n".join(path for path in again if path.split("/")[0] in groups)
    for path in sorted(folder.glob("caches/first/*/*/scores.sqlite")):
        if path.parts[-3] in groups:
            found[str(path.relative_to(folder))] = cached_scores(path)
    return found


def normalised(output: Path | str | None, about: Mapping[str, str]) -> list[str]:
    """The lines of an output, without what differs from machine to machine or from day to day."""
    text = readable(output) if isinstance(output, Path) else output or ""
    for name in ("inputs", "folder", "sources"):
        text = text.replace(about[name], f"<{name}>")
    old_set = Path(about["inputs"]).parent
    text = text.replace(str(old_set), "<folder>")
    text = text.replace(f'"{os.path.relpath(old_set, Path(about["folder"], "phase", "group", "output"))}', '"<set>')
    text = re.sub(rf"(?<![\d.]){re.escape(about['version'])}(?![\d.]*\d)", "<version>", text)
    for pattern, replacement in VARYING:
        text = pattern.sub(replacement, text)
    return list(without_times(text.splitlines()))


def without_times(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with nothing in the columns `seconds` (Markdown, CSV) and `items/s` (terminal, the last one)."""
    seconds, has_rate = 0, False
    for line in lines:
        separator = "|" if line.startswith("|") else ","
        cells = line.split(separator)
        names = [cell.strip() for cell in cells]
        if "seconds" in names:
            seconds = names.index("seconds")
        elif 0 < seconds < len(cells):
            cells[seconds] = ""
        else:
            seconds = 0
        has_rate = line.endswith(" items/s") or (has_rate and bool(re.search(r" \d+\.\d$", line)))
        yield line.rpartition(" ")[0] if has_rate else separator.join(cells)


def is_same(old: Path | str | None, new: Path | str | None) -> bool:
    """Whether two outputs are equal to the byte, as most are."""
    if isinstance(old, Path) and isinstance(new, Path):
        return filecmp.cmp(old, new, shallow=False)
    return old == new


def cached_scores(path: Path) -> str:
    """The scores in a cache; their keys are a matter of the version."""
    with closing(sqlite3.connect(path)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        table = "checked_scores" if "checked_scores" in tables else "scores"  # as versions before checksums had it
        return "\n".join(map(str, connection.execute(f"SELECT value FROM {table} ORDER BY value")))


def print_differences(old_folder: Path, new_folder: Path, groups: Sequence[str]) -> bool:
    """Print what differs, output by output; whether something differs that is not expected."""
    old, new = outputs(old_folder, groups), outputs(new_folder, groups)
    old_about, new_about = (read_json(folder / "about.json") for folder in (old_folder, new_folder))
    unexpected = 0
    expected: Counter[str] = Counter()
    for name in sorted({*old, *new}):
        if is_same(old.get(name), new.get(name)):
            continue
        before, after = normalised(old.get(name), old_about), normalised(new.get(name), new_about)
        changes = [line for line in difflib.unified_diff(before, after, n=0, lineterm="") if line[:2] not in MARKS]
        reasons = [reason_for(name, line) for line in changes]
        expected.update({reason for reason in reasons if reason})
        surprises = [line for line, reason in zip(changes, reasons, strict=True) if not reason]
        if not surprises:
            continue
        unexpected += 1
        print(f"\n{name}{' (missing)' if name not in new else ' (new)' if name not in old else ''}")
        for line in surprises[:MOST_SHOWN]:
            print(f"  {line[:400]}")
        if len(surprises) > MOST_SHOWN:
            print(f"  … {len(surprises) - MOST_SHOWN} more lines")
    print(f"\n{len(old)} outputs; {unexpected} differ.")
    for reason, count in expected.items():
        print(f"{count} differ as expected: {reason}")
    return unexpected > 0


def reason_for(name: str, line: str) -> str:
    """Why this line of this output may differ; empty if it may not."""
    for one in SETTINGS["expected"]:
        if re.search(one["output"], name) and re.search(one["line"], line):
            return str(one["reason"])
    return ""


# The commands of this script.


def make(folder: Path, commit: str) -> None:
    """Make the set."""
    if folder.exists():
        raise SystemExit(f"{folder} exists. Remove it, or name another folder.")
    folder.mkdir(parents=True)
    with worktree(commit) as sources:
        place = Place(folder, folder / "inputs", sources)
        place.inputs.mkdir()
        place.run("inputs")
        place.run_all("first", list(first()))
        place.run("interrupt")
        finish(place, folder / "stopped", list(first()))


def compare(folder: Path, groups: Sequence[str], kept: Path | None) -> bool:
    """Run the same with the present sources, continue the old folders, and print the differences."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Place((kept or Path(temporary)).resolve(), folder / "inputs", ROOT)
        place.run_all("first", groups)
        finish(place, folder / "stopped", groups)
        return print_differences(folder, place.folder, groups)


def finish(place: Place, stopped: Path, groups: Sequence[str]) -> None:
    """Continue a copy of what was interrupted."""
    copy(stopped, place.folder / "continued")
    place.run_all("continued", [group for group in continued() if group in groups])
    write_json(place.folder / "records" / "again.json", asked_again(stopped, place.folder / "continued"))
    version = runpy.run_path(str(place.sources / "src" / "winoglot" / "_version.py"))["__version__"]
    places = {name: str(getattr(place, name)) for name in ("folder", "inputs", "sources")}
    write_json(place.folder / "about.json", places | {"version": version})


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The sources of a commit, for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve() / "sources"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", folder, commit], check=True)
        try:
            yield folder
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", folder], check=True)


def read_json(path: Path) -> Any:
    """What is in a file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_json(path: Path, value: object) -> None:
    """Write a value, readable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def run_part(place: Place, phase: str, group: str) -> None:
    """What a process of its own does: make the inputs, interrupt, or call the commands of one group."""
    if phase == "inputs":
        make_inputs(place.inputs, place.sources)
    elif phase == "interrupt":
        interrupt(place)
    else:
        run_group(place, phase, group, (first() if phase == "first" else continued())[group])


def main() -> None:
    """Read the command line."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the worktree is removed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="make the set from a commit")
    making.add_argument("folder", type=Path)
    making.add_argument("--commit", default=COMMIT)
    comparing = commands.add_parser("compare", help="compare the present sources with the set")
    comparing.add_argument("folder", type=Path)
    comparing.add_argument("groups", nargs="*", metavar="GROUP", help="only these groups of golden.yaml")
    comparing.add_argument("--keep", type=Path, help="folder for what the present sources write; removed by default")
    comparing.add_argument("--made", type=Path, help="compare with this set instead of the present sources")
    part = commands.add_parser("part")
    for name in ("folder", "inputs", "sources"):
        part.add_argument(f"--{name}", type=Path)
    part.add_argument("phase")
    part.add_argument("group", nargs="?", default="")
    given = parser.parse_args()
    groups = getattr(given, "groups", []) or list(first())
    if given.command == "make":
        make(given.folder.resolve(), given.commit)
    elif given.command == "part":
        run_part(Place(given.folder, given.inputs, given.sources), given.phase, given.group)
    elif given.made:
        sys.exit(int(print_differences(given.folder.resolve(), given.made.resolve(), groups)))
    else:
        sys.exit(int(compare(given.folder.resolve(), groups, given.keep)))


if __name__ == "__main__":
    main()
