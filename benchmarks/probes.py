"""What it costs to show distributions and states while a model answers, and to compute the measures that need them.

    python benchmarks/probes.py [--model MODEL] [--collection NAME] [--limit SCHEMAS] [--threads N]

The same items, originals and all the collection's kinds, are evaluated without and with probes, batch by batch in turn,
so that whatever else the machine does slows both alike. Scores are compared bit by bit. Times are the processor's.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import torch

import winoglot as wg
from winoglot.analysis.base import Subject, measurements, named_measure
from winoglot.analysis.distribution import COMMON
from winoglot.metrics.robustness import is_wording
from winoglot.models.base import Options, load_model
from winoglot.runs.questions import asked, batches, limited
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.schemas.model import ORIGINAL

if TYPE_CHECKING:
    from winoglot.models.scoring.probes import Probe


def main(model: str, name: str, limit: int) -> None:
    """Print the times and their ratios."""
    collection = limited(wg.load(name), limit, 0)
    kinds = tuple(filter(is_wording, collection.kinds))
    solver = load_model(model, Options(device="cpu"))
    solver.prepare()
    scoring = solver.scorings[0]
    questions = asked(collection, kinds, "grammatical")
    wanted = {one.item.id for one in questions if one.item.kind in (ORIGINAL, *kinds)}
    plan = [[one.question for one in batch] for batch in batches(questions, solver.batch_characters)]
    solver.score_and_probe(plan[0][:2], [scoring], wanted)  # warm up
    seconds = {False: 0.0, True: 0.0}
    probes: dict[str, Probe] = {}
    predictions = []
    for number, batch in enumerate(plan):
        made = {}
        for probing in (False, True) if number % 2 else (True, False):
            start = time.process_time()
            if probing:
                made[probing], found = solver.score_and_probe(batch, [scoring], wanted)
                probes |= found
            else:
                made[probing] = solver.score(batch, [scoring])
            seconds[probing] += time.process_time() - start
        if made[False] != made[True]:
            raise SystemExit(f"batch {number} has other scores with probes than without")
        for question, scores in zip(batch, made[True], strict=True):
            choice = scores[scoring].choice(1e-6)
            predictions.append(Prediction(question.item.id, question.item.hash, choice, scores[scoring].values))
    print(f"{model} on {name}: {len(questions)} items, {scoring}, {torch.get_num_threads()} threads")
    ratio = seconds[True] / seconds[False]
    print(f"  without probes {seconds[False]:.1f} s, with {seconds[True]:.1f} s: {ratio:.3f} times")
    settings = Settings(model, scoring, "grammatical", solver.fingerprint, kinds=kinds)
    subject = Subject(Run(collection, settings, tuple(predictions), probes=probes))
    for measure in ("distribution", "representation"):
        start = time.process_time()
        rows = measurements(named_measure(measure), subject)
        print(f"  {measure}: {time.process_time() - start:.1f} s")
        for row in rows:
            if row.parts.get("items") == COMMON:
                print(f"    {row.quantity} {row.kind}: {row.estimate}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="gemma-3-270m")
    parser.add_argument("--collection", default="winoglot-en")
    parser.add_argument("--limit", type=int, default=8, metavar="SCHEMAS", help="use that many schemas (default: 8)")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="of the processor; default: torch's choice")
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    main(arguments.model, arguments.collection, arguments.limit)
