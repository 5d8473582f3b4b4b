"""Train and evaluate the papers' models: `python benchmarks/papers_models.py --corpus DIR --collection pt=SOURCE …`.

Every recipe is trained on every corpus; its perplexity is measured on the corpus's test text, and it is evaluated on
the collections of the corpus's language. Each (recipe, corpus, collection, policy for unknown words) is a line of
JSON, written as soon as it is known; a table of all lines follows at the end, or alone with --table FILE.

    python benchmarks/papers_models.py --corpus ptwiki --collection pt=wsc.html --collection pt=winoglot-pt \\
        --recipe lstm-small --recipe context2vec --recipe pmi --max-minutes 4 --results results.jsonl
    python benchmarks/papers_models.py --table results.jsonl

Everything runs in one process, since loading the libraries takes longer than evaluating such a model; the equivalent
commands are printed. A recipe that fails is reported, and the others continue.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import time
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import winoglot as wg
from winoglot.corpus.counting import Counting, count
from winoglot.corpus.reading import Corpus, open_corpus
from winoglot.errors import InputError
from winoglot.metrics.accuracy import quality, success
from winoglot.models.base import Options, load_model
from winoglot.runs.session import Session
from winoglot.runs.spec import ModelSpec, RunSpec
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from winoglot.runs.run import Run

PMI, CONTEXT2VEC = "pmi", "context2vec"
RECIPES = (
    "lstm-small",
    "lstm-improved",
    "lstm-french",
    "awd-lstm-small",
    "awd-lstm-medium",
    "awd-lstm-large",
    "transformer-small",
    CONTEXT2VEC,
    PMI,  # not trained: counted
)
SCORINGS = {CONTEXT2VEC: ("cosine", "log-sigmoid"), PMI: ("choice",)}
COUNTING = Counting(window=6, dynamic=True, min_count=5)
HEAD = ("recipe", "corpus", "collection", "unknown", "scoring", "n", "abstained", "accuracy", "success", "quality")
MORE = ("perplexity", "parameters", "epochs", "minutes")


def say(*words: object) -> None:
    """Print on standard error at once."""
    print(*words, file=sys.stderr, flush=True)


def command(*arguments: object) -> None:
    """Print the command that does what is done now."""
    say("$ winoglot", shlex.join(map(str, arguments)))


def trained(recipe: str, corpus: Corpus, folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Train a model and describe it."""
    from winoglot.training.loop import TrainingSettings, train
    from winoglot.training.perplexity import measure
    from winoglot.training.recipes import find_recipe
    from winoglot.training.trained import load_trained

    changes = [change for name, change in (part.split(":", 1) for part in given.set) if name == recipe]
    sets = [word for change in changes for word in ("--set", change)]
    limit = ["--max-minutes", f"{given.max_minutes:g}"]
    command("train", recipe, "--corpus", corpus.path, *limit, *sets, "-o", folder)
    settings = TrainingSettings(max_minutes=given.max_minutes, checkpoint_minutes=1e9, device=given.device)
    begin = time.perf_counter()
    ended = train(find_recipe(recipe, changes), corpus, folder, settings)
    minutes = (time.perf_counter() - begin) / 60
    config = ended.config
    found: dict[str, Any] = {"minutes": round(minutes, 2), "ended": ended.why, "set": changes}
    found |= {name: config[name] for name in ("parameters", "epochs", "steps", "best_step", "averaged", "tokens")}
    found |= {name: config[name] for name in ("precision", "seconds")}
    found["valid_loss"] = config["losses"]["valid"]
    if recipe != CONTEXT2VEC:
        command("perplexity", folder, "--corpus", corpus.path, "--split", "test", "--json")
        measured = measure(load_trained(folder, _device(given.device)), corpus, "test")
        found |= {"perplexity": measured.perplexity, "unknown_share": measured.unknown_share}
    return found


def counted(corpus: Corpus, folder: Path) -> dict[str, Any]:
    """The same for association: count the words that occur near each other."""
    settings = ("--window", COUNTING.window, "--dynamic", "--min-count", COUNTING.min_count)
    command("corpus", "count", corpus.path, *settings, "-o", folder)
    begin = time.perf_counter()
    count(corpus, folder, COUNTING)
    return {"minutes": round((time.perf_counter() - begin) / 60, 2)}


def _device(asked: str) -> str:
    import torch

    return ("cuda" if torch.cuda.is_available() else "cpu") if asked == "auto" else asked


@cache
def collection_of(source: str, language: str) -> wg.Collection:
    """A collection, read once."""
    return wg.load(source, language=language)


def asked(recipe: str, folder: Path, language: str, sources: list[str], device: str) -> list[dict[str, Any]]:
    """Evaluate the model on each collection; language models twice: abstaining on unknown words, and scoring them."""
    family = recipe if recipe in SCORINGS else "lm"
    scorings = SCORINGS.get(recipe, ("full", "partial"))
    rows = []
    for unknown in ("abstain", "score") if family == "lm" else ("abstain",):
        more = {"unknown": unknown} if family == "lm" else {}
        solver = load_model(f"{family}:{folder}", Options(device=device, more=more))
        for source in sources:
            options = [word for pair in more.items() for word in ("--option", "=".join(pair))]
            scored_by = ("--model", solver.name, "--scoring", ",".join(scorings))
            command("evaluate", source, "--language", language, *scored_by, *options)
            try:
                model = ModelSpec.of(solver, Options())
                spec = RunSpec(collections=(collection_of(source, language),), models=(model,), scorings=scorings)
                runs = Session(spec).runs()
            except InputError as error:
                say(f"{recipe} on {source}: {error}")
                continue
            rows.append({"collection": runs[0].collection.name, "unknown": unknown, "scorings": scored(runs)})
    return rows


def scored(runs: list[Run]) -> dict[str, Any]:
    """Per scoring: accuracy, success (an abstention counts half, as a guess would), quality (it is left out)."""
    found = {}
    for run in runs:
        abstained = sum(outcome.choice is None for outcome in run.outcomes())
        answered = len(run.outcomes()) > abstained
        found[run.settings.scoring] = {
            "accuracy": asdict(run.accuracy()),
            "success": asdict(success.of(run)),
            "quality": asdict(quality.of(run)) if answered else None,
            "abstained": abstained,
            "signature": run.signature,
        }
    return found


def described(corpus: Corpus) -> dict[str, Any]:
    """What a row says about its corpus."""
    splits = corpus.info["splits"]
    return {
        "corpus": corpus.path.name,
        "language": corpus.language,
        "train_tokens": splits["train"]["tokens"],
        "types": corpus.info["vocabulary"],
    }


def table(rows: list[dict[str, Any]]) -> str:
    """All rows as a Markdown table, one line per scoring: percent with 95% intervals."""
    lines = ["| " + " | ".join((*HEAD, *MORE)) + " |", "| " + " | ".join("---" for _ in (*HEAD, *MORE)) + " |"]
    for row in rows:
        for scoring, found in row["scorings"].items():
            figures = [
                f"{100 * one['value']:.1f} [{100 * one['low']:.1f}, {100 * one['high']:.1f}]" if one else ""
                for one in (found["accuracy"], found["success"], found["quality"])
            ]
            perplexity = f"{row['perplexity']:.1f}" if row.get("perplexity") else ""
            millions = f"{row['parameters'] / 1e6:.1f}M" if row.get("parameters") else ""
            cells = [row["recipe"], row["corpus"], row["collection"], row["unknown"], scoring, found["accuracy"]["n"]]
            cells += [found["abstained"], *figures, perplexity, millions, row.get("epochs", ""), row["minutes"]]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def one(recipe: str, corpus: Corpus, sources: list[str], given: argparse.Namespace) -> None:
    """Train a recipe on a corpus, and write a line for each collection it is evaluated on."""
    folder = given.models / f"{corpus.path.name}-{recipe}"
    model = counted(corpus, folder) if recipe == PMI else trained(recipe, corpus, folder, given)
    for row in asked(recipe, folder, primary(corpus.language), sources, given.device):
        line = json.dumps({"recipe": recipe} | described(corpus) | model | row, ensure_ascii=False)
        print(line, flush=True)
        with given.results.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def train_all(given: argparse.Namespace) -> None:
    """Train every recipe on every corpus, recipe by recipe, so that what time allows is comparable across corpora."""
    begin = time.perf_counter()
    sources: dict[str, list[str]] = {}
    for part in given.collection:
        language, _, source = part.partition("=")
        sources.setdefault(primary(language), []).append(source)
    corpora = [open_corpus(path) for path in given.corpus]
    for recipe in given.recipe or RECIPES:
        for corpus in corpora:
            name = f"{recipe} on {corpus.path.name}"
            if (time.perf_counter() - begin) / 60 > given.stop_after:
                say(f"not started, time is up: {name}")
                continue
            try:
                one(recipe, corpus, sources.get(primary(corpus.language), []), given)
            except (InputError, RuntimeError) as error:  # also when a device has no memory left
                say(f"failed: {name}: {error}")


def main() -> None:
    """Train, evaluate, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", default=[], type=Path, help="folder made by winoglot corpus build")
    parser.add_argument("--collection", action="append", default=[], help="LANGUAGE=SOURCE: pt=winoglot-pt")
    parser.add_argument("--recipe", action="append", choices=RECIPES, help="repeat for several; default: all")
    parser.add_argument("--set", action="append", default=[], help="RECIPE:NAME=VALUE: change a field of a recipe")
    parser.add_argument("--max-minutes", type=float, default=5.0, help="of training, for each recipe on each corpus")
    parser.add_argument(
        "--stop-after", type=float, default=float("inf"), help="minutes after which no training is started"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--models", type=Path, default=Path("models"), help="folder for the models")
    parser.add_argument(
        "--results", type=Path, default=Path("papers_models.jsonl"), help="file that lines are appended to"
    )
    parser.add_argument("--table", type=Path, help="only print the table of the lines in this file")
    given = parser.parse_args()
    if given.table is None and not given.corpus:
        print("no --corpus to train on: nothing to measure")
        return
    if given.table is None:
        train_all(given)
    text = (given.table or given.results).read_text(encoding="utf-8")
    print(table([json.loads(line) for line in text.splitlines()]))


if __name__ == "__main__":
    main()
