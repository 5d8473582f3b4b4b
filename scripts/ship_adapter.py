"""Write src/winoglot/models/gemma-3-270m-tuned: the adapter that comes with Winoglot, its card, notices and hashes.

    python scripts/ship_adapter.py FOLDER --command "winoglot finetune …" [--runs RUNS] [--notice "NAME: terms"]
    python scripts/ship_adapter.py --runs RUNS

FOLDER is what `winoglot finetune gemma-3-270m … --lora` made, --command how. RUNS is a folder of runs of gemma-3-270m
and gemma-3-270m-tuned on the same collections, from which the results of the card are written; without FOLDER, nothing
else is. Training data that is not recognised as WinoGrande needs a --notice with its terms. GEMMA_TERMS.txt
stays as it is.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from string import Template
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from winoglot import InputError
from winoglot.experiment.results import as_markdown
from winoglot.models import gemma_3_270m, gemma_3_270m_tuned
from winoglot.models.base import TRAINED_ON_COMPACT, Options
from winoglot.models.gemma_3_270m_tuned import FOLDER, NAME, SUMS
from winoglot.models.scoring.pretrained import is_plain_lora
from winoglot.runs.overlap import Fingerprints
from winoglot.runs.run import Run
from winoglot.runs.store import load_runs
from winoglot.statistics.formatting import MISSING, percent_interval

RANK = 16
MOST = 8 * 2**20  # bytes of all files
BASE = "google/gemma-3-270m"
CARD, TERMS = FOLDER / "README.md", FOLDER / "GEMMA_TERMS.txt"
CONFIG, WEIGHTS, RECORD = "adapter_config.json", "adapter_model.safetensors", "finetune.json"
CHECKED = (CONFIG, WEIGHTS, RECORD, TRAINED_ON_COMPACT)  # by Winoglot, before the model is loaded
TEMPLATES = Path(__file__).parent
RESULTS = ("<!-- results -->\n", "<!-- end of results -->\n")
SETTINGS = ("rate", "epochs", "batch", "rank", "lora_alpha", "lora_dropout", "margin", "language")  # that the card has
METRICS = {"accuracy": "accuracy", "pair accuracy": "pair-accuracy", "consistency": "consistency"}
CHANGED = """Changed by the Winoglot developers: fine-tuned from Gemma 3 270M. Gemma is provided under and subject to \
the Gemma Terms of Use found at ai.google.dev/gemma/terms"""
NOTICES = {  # by the published collection that training data has sentences of
    "winogrande": """\
WinoGrande 1.1, by Keisuke Sakaguchi, Ronan Le Bras, Chandra Bhagavatula and Yejin Choi ("WinoGrande: An Adversarial
Winograd Schema Challenge at Scale", AAAI 2020), licensed CC BY. It was used to fit the weights, and hashes of its items
are in trained_on.npz; none of its sentences is in this folder."""
}


def main() -> None:
    """Write everything, or only the results of the card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--command", help="how the folder was made")
    parser.add_argument("--notice", action="append", default=[], help="terms of training data, NAME: TEXT")
    parser.add_argument("--runs", type=Path, help="runs of both models")
    given = parser.parse_args()
    if bool(given.folder) != bool(given.command) or not (given.folder or given.runs):
        parser.error("give FOLDER and --command, or --runs, or all of them")
    try:
        if given.folder:
            ship(given.folder, given.command, given.notice)
        if given.runs:
            write_results(given.runs)
    except (InputError, OSError) as error:
        sys.exit(f"Error: {error}")


def ship(source: Path, command: str, notices: list[str]) -> None:
    """Check what was trained, and write all files but the terms."""
    settings, record = (json.loads((source / name).read_bytes()) for name in (f"adapter/{CONFIG}", RECORD))
    trained_on = Fingerprints.load(source / "adapter")
    if trained_on is None:
        raise InputError("nothing says what the adapter was trained on", remedy="Fine-tune again.", file=str(source))
    check(settings, record, source)
    notice = notice_of(trained_on, notices)
    matrices = {name: one.to(torch.bfloat16) for name, one in load_file(source / "adapter" / WEIGHTS).items()}
    if bad := [name for name, one in matrices.items() if not one.isfinite().all()]:
        raise InputError(f"{bad[0]} is not finite", remedy="Fine-tune again.", file=str(source))
    save_file(matrices, FOLDER / WEIGHTS, metadata={"format": "pt", "notice": CHANGED})
    (FOLDER / WEIGHTS).chmod(0o644)  # the library leaves it to the owner alone
    settings |= {"base_model_name_or_path": BASE, "target_modules": sorted(settings["target_modules"])}
    (FOLDER / CONFIG).write_text(json.dumps(settings, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    (FOLDER / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    trained_on.save_compact(FOLDER)
    sums = {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in CHECKED}
    (FOLDER / SUMS).write_text("".join(f"{found}  {name}\n" for name, found in sums.items()), encoding="ascii")
    (FOLDER / "NOTICE").write_text(notice, encoding="utf-8")
    CARD.write_text(card(command, record, trained_on, sums), encoding="utf-8")
    size = sum(file.stat().st_size for file in FOLDER.iterdir())
    print(f"{FOLDER}: {size:,} bytes, {(FOLDER / WEIGHTS).stat().st_size:,} of them weights")
    if size > MOST:
        sys.exit(f"Error: all is written, but it is more than {MOST:,} bytes. Train on less data.")


def check(settings: dict[str, Any], record: dict[str, Any], source: Path) -> None:
    """Refuse what does not fit the embedded model, or was made only to compare with."""
    embedded = gemma_3_270m.load("", Options(device="cpu"))
    wanted = {
        "the rank": (settings["r"], RANK),
        "that it is plain LoRA": (is_plain_lora(settings), True),
        "the model": (record["model"]["name"], gemma_3_270m.NAME),
        "the model's fingerprint": (record["model"]["fingerprint"], embedded.fingerprint),
        "the control": (record["data"]["control"], None),
    }
    for what, (found, expected) in wanted.items():
        if found != expected:
            remedy = f"Fine-tune {gemma_3_270m.NAME} with --lora --set rank={RANK}."
            raise InputError(f"{what} is {found!r}, not {expected!r}", remedy=remedy, file=str(source))
    if not TERMS.is_file():
        raise InputError("the terms of Gemma must be beside the adapter", remedy="Restore the file.", file=str(TERMS))


def notice_of(trained_on: Fingerprints, notices: list[str]) -> str:
    """The terms of Gemma and those of all training data."""
    given = {name.strip(): text.strip() for name, _, text in (one.partition(":") for one in notices)}
    found: list[str] = []
    for one in trained_on.collections:
        known = [given[one.name]] if one.name in given else [text for text in one.texts if text in NOTICES]
        if not known:
            remedy = f'Give --notice "{one.name}: who made it, and under which terms", or "{one.name}: winogrande".'
            raise InputError(f"the terms of {one.name} are not known", remedy=remedy)
        found += [NOTICES.get(text, text) for text in known]
    template = Template((TEMPLATES / "tuned_notice.txt").read_text(encoding="utf-8"))
    return template.substitute(data="\n\n".join(dict.fromkeys(found)), files=", ".join(CHECKED))


def card(command: str, record: dict[str, Any], trained_on: Fingerprints, sums: dict[str, str]) -> str:
    """The model card, without results."""
    data = record["data"]
    seen = [
        {
            "collection": f"{one.name} {one.version}".strip(),
            "language": one.language,
            "items": f"{one.items:,}",
            "hash": f"`{one.hash}`",
        }
        for one in trained_on.collections
    ]
    values = {
        "command": command,
        "data": as_markdown(seen),
        "items": f"{data['items']:,}",
        "held_out": f"{data['held_out']:,}",
        "kinds": ", ".join(data["kinds"]) or "none",
        "accuracy": f"{100 * record['accuracy']:.1f}%",
        "recipe": ", ".join(f"{name} {record['recipe'][name]}" for name in SETTINGS),
        "seed": record["seed"],
        "precision": record["precision"],
        "languages": ", ".join(sorted({one.language for one in trained_on.collections})),
        "parameters": f"{record['parameters']:,}",
        "base": record["model"]["fingerprint"],
        "sums": "\n".join(f"    {found}  {name}" for name, found in sums.items()),
        "results": f"{RESULTS[0]}Not measured yet.\n{RESULTS[1]}",
    }
    return Template((TEMPLATES / "tuned_card.md").read_text(encoding="utf-8")).substitute(values)


def write_results(folder: Path) -> None:
    """Replace the results in the card by those of some runs of the models as they are now."""
    solvers = [one.load("", Options(device="cpu")) for one in (gemma_3_270m, gemma_3_270m_tuned)]
    prints = {solver.fingerprint: number for number, solver in enumerate(solvers)}
    found: dict[str, dict[int, Run]] = {}
    for run in load_runs(folder):
        if run.settings.fingerprint in prints:
            found.setdefault(run.collection.name, {})[prints[run.settings.fingerprint]] = run
    pairs = [(both[0], both[1]) for _, both in sorted(found.items()) if len(both) == 2]
    if not pairs:
        remedy = f"Evaluate both: winoglot evaluate COLLECTION… --model {gemma_3_270m.NAME} --model {NAME} -o {folder}"
        raise InputError(f"no collection was answered by {gemma_3_270m.NAME} and {NAME} as it is now", remedy=remedy)
    settings = (run.settings for pair in pairs for run in pair)
    how = {f"{one.scoring} scoring, {one.readings} readings, {one.model_settings['precision']}" for one in settings}
    head, rest = CARD.read_text(encoding="utf-8").split(RESULTS[0])
    _, tail = rest.split(RESULTS[1])
    table = as_markdown([results_row(before, after) for before, after in pairs])
    said = f"In %, without → with the adapter, with 95% intervals over schemas; {'; '.join(sorted(how))}."
    CARD.write_text(f"{head}{RESULTS[0]}{table}\n\n{said}\n{RESULTS[1]}{tail}", encoding="utf-8")
    print(f"{CARD}: results on {len(pairs)} collections")


def results_row(before: Run, after: Run) -> dict[str, str]:
    """What the card says about one collection."""
    collection = after.collection
    row = {"collection": f"{collection.name} {collection.version}".strip(), "items": f"{len(collection.items):,}"}
    for label, metric in METRICS.items():
        try:
            row[label] = " → ".join(percent_interval(run.estimate(metric), MISSING) for run in (before, after))
        except InputError:  # no pairs, or no switched items
            row[label] = "–"
    return row


if __name__ == "__main__":
    main()
